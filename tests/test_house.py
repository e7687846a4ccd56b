"""Rules of structure that the code follows: where kinds of evidence and names of methods may occur."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import tellapart
from tellapart import evidence
from tellapart.methods import find_methods

HOUSE = Path(tellapart.__file__).parent
KINDS = {name for name in evidence.__all__ if name[0].isupper()} - {"AnswerContext", "Note", "Plan", "Scope", "Unit"}
# Packages that make evidence or compute with one kind of it; all others use the protocol.
MAY_CHECK_KINDS = {"evidence", "methods", "predictions", "readers", "running"}
# Checks of what users pass before it is evidence.
OTHER_CHECKS = {
    "gate/asserting.py": "whether these are arrays, files or predictions",
    "lab/designs/real.py": "whether columns of data are arrays",
}
# Members by which a kind of evidence could be recognised.
DISTINCTIVE_MEMBERS = {
    "learners",
    "datasets",
    "models",
    "tally",
    "reasons",
    "plan",
    "varies",
    "training_sets",
    "error_counts",
    "shape",
}


@cache
def trees():
    return {path.relative_to(HOUSE): ast.parse(path.read_text(encoding="utf-8")) for path in HOUSE.rglob("*.py")}


def names_in(node):
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}


def checks_a_kind(node):
    """Whether a piece of code checks of which kind evidence is."""
    if isinstance(node, ast.MatchClass):
        return bool(names_in(node.cls) & KINDS)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) > 1):
        return False
    if node.func.id == "isinstance":
        return bool(names_in(node.args[1]) & (KINDS - {"Evidence"}))
    member = node.args[1]
    return node.func.id == "hasattr" and isinstance(member, ast.Constant) and member.value in DISTINCTIVE_MEMBERS


def test_only_some_packages_check_kinds_of_evidence():
    checks = [
        f"{path}:{node.lineno}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if path.parts[0] not in MAY_CHECK_KINDS and path.name != "dispatch.py" and checks_a_kind(node)
    ]
    assert [location for location in checks if location.partition(":")[0] not in OTHER_CHECKS] == []


def test_advice_and_results_do_not_probe_for_members():
    probing = [
        f"{path}:{node.lineno}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if path.parts[0] in {"advice", "results"}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr"
    ]
    assert probing == []


def test_an_answer_loads_few_modules():
    """Computing loads no bibliography; printing the default answer for two models loads few modules."""
    script = """
import sys
from tellapart import PairedTable, compare
answer = compare(PairedTable(11, 22, 4, 862))
print(*sorted(name for name in sys.modules if name.startswith("tellapart")))
print(answer, file=sys.stderr)
print(*sorted(name for name in sys.modules if name.startswith("tellapart")))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603  # our own script
    computed, printed = (set(line.split()) for line in run.stdout.splitlines())
    assert len(printed) <= 50
    methods = {name for name in printed if name.startswith("tellapart.methods.paired_table.")}
    assert {name.rpartition(".")[2] for name in methods} == {"assumptions", "mcnemar", "tango_score"}
    assert not {name for name in printed if name.split(".")[1:2] in (["plugins"], ["predictions"])}
    assert not {name for name in computed if name.startswith("tellapart.bibliography")}


def test_all_offers_of_a_name_are_in_one_module():
    """So that a registered name needs no search of modules that are not loaded yet."""
    homes = {}
    for offer in find_methods():
        homes.setdefault((offer.evidence, offer.name), set()).add(offer.function.__module__)
    assert {key: modules for key, modules in homes.items() if len(modules) > 1} == {}


@pytest.mark.parametrize("room", ["predictions", "results", "verbs"])
def test_no_method_is_named_outside_its_registration(room):
    """The defaults of a kind are in its evidence, alternatives in the data of advice."""
    names = {method.name for method in find_methods()} - {"max-t"}  # also the name of an adjustment
    mentions = [
        f"{path}:{node.lineno} {node.value}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if path.parts[0] == room and isinstance(node, ast.Constant) and node.value in names
    ]
    assert mentions == []
