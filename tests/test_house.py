"""The plan of the house, held by the code itself: who may ask what kind of evidence it holds, and name methods."""

import ast
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


@pytest.mark.parametrize("room", ["predictions", "verbs"])
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
