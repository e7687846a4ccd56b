"""The plan of the house, held by the code itself: who may ask what kind of evidence it holds, and name methods."""

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
KINDS = {name for name in evidence.__all__ if name[0].isupper()} - {"AnswerContext", "Note", "Plan", "Unit"}
# Rooms that make evidence or compute with one kind of it; all others ask the protocol.
MAY_KNOW = {"evidence", "methods", "predictions", "readers", "running"}
# What looks like such a question, and is one about what users hold before it is evidence.
OTHER_QUESTIONS = {
    "gate/asserting.py": "whether these are arrays, files or predictions",
    "lab/designs/real.py": "whether columns of data are arrays",
}
# Members by which a kind of evidence, or what holds it, could be recognised.
TELLING = {
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


def named(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def asks_for_a_kind(node):
    """Whether a piece of code asks of which kind evidence is."""
    if isinstance(node, ast.MatchClass):
        return bool(named(node.cls) & KINDS)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) > 1):
        return False
    if node.func.id == "isinstance":
        return bool(named(node.args[1]) & (KINDS - {"Evidence"}))
    told = node.args[1]
    return node.func.id == "hasattr" and isinstance(told, ast.Constant) and told.value in TELLING


def test_evidence_answers_for_itself():
    asking = [
        f"{path}:{node.lineno}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if path.parts[0] not in MAY_KNOW and path.name != "dispatch.py" and asks_for_a_kind(node)
    ]
    assert [place for place in asking if place.partition(":")[0] not in OTHER_QUESTIONS] == []


def test_what_answers_are_made_of_is_not_probed_for_members():
    probing = [
        f"{path}:{node.lineno}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if path.parts[0] in {"advice", "results"}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr"
    ]
    assert probing == []


def test_an_answer_loads_few_modules():
    """What the default answer for two models does not need is loaded when it is asked for."""
    script = """
import sys
from tellapart import PairedTable, compare
print(compare(PairedTable(11, 22, 4, 862)), file=sys.stderr)
print(*sorted(name for name in sys.modules if name.startswith("tellapart")))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603  # our own script
    loaded = set(run.stdout.split())
    assert len(loaded) <= 45
    methods = {name for name in loaded if name.startswith("tellapart.methods.paired_table.")}
    assert {name.rpartition(".")[2] for name in methods} == {"assumptions", "mcnemar", "score"}
    assert not {name for name in loaded if name.split(".")[1:2] in (["bibliography"], ["plugins"], ["predictions"])}


def test_all_that_a_name_offers_stands_in_one_module():
    """So that a name which is known needs no search of the modules that are not loaded yet."""
    homes = {}
    for offer in find_methods():
        homes.setdefault((offer.evidence, offer.name), set()).add(offer.function.__module__)
    assert {key: found for key, found in homes.items() if len(found) > 1} == {}


@pytest.mark.parametrize("room", ["predictions", "results", "verbs"])
def test_no_method_is_named_outside_its_registration(room):
    """The defaults of a kind stand with the evidence, alternatives in the data of advice."""
    names = {method.name for method in find_methods()} - {"max-t"}  # which names an adjustment, too
    found = [
        f"{path}:{node.lineno} {node.value}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if path.parts[0] == room and isinstance(node, ast.Constant) and node.value in names
    ]
    assert found == []
