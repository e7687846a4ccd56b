"""The files of papers call what users call: public names, and the room's own tools."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tellapart
from tellapart import lab, plots
from tellapart.bibliography import REFERENCES
from tellapart.reproduce import PAPERS, find_exhibits, load_paper

ROOM = Path(tellapart.reproduce.__file__).parent
TOOLS = {"data", "drawing", "exhibit", "verdicts", "measured", "printed", "run"}
PYTHON = {"__future__", "collections", "dataclasses", "decimal", "functools", "itertools", "math", "types", "typing"}
OUTSIDE = PYTHON | {"numpy", "scipy", "sklearn"}
HOUSE = {"errors", "report.blocks", "report.picture", "typing_"}  # what tables, pictures and errors are made of
FILES = [path for name in PAPERS.values() for path in sorted((ROOM / name).glob("*.py"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_papers_call_the_public_interface_only(path):
    siblings = {each.stem for each in path.parent.glob("*.py")} | {""}
    allowed = {0: OUTSIDE | {"tellapart"}, 1: siblings, 2: TOOLS, 3: HOUSE}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            homes = {name.name if name.name == "tellapart" else name.name.partition(".")[0] for name in node.names}
            assert homes <= OUTSIDE | {"tellapart"}
        elif isinstance(node, ast.ImportFrom):
            home = node.module or ""
            assert (home if node.level or home == "tellapart" else home.partition(".")[0]) in allowed[node.level], home
            if home == "tellapart":
                assert {name.name for name in node.names} <= {*tellapart.__all__, "lab"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_names_they_call_are_public(path):
    homes = {"ta": tellapart, "lab": lab, "plots": plots}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in homes:
            assert node.attr in [*homes[node.value.id].__all__, "lab"], f"{node.value.id}.{node.attr}"


def test_every_exhibit_has_its_verdicts_asserted():
    """Whatever is registered is named in a test of its paper."""
    for exhibit in find_exhibits():
        tests = Path(__file__).parent.glob(f"test_{PAPERS[exhibit.paper]}*.py")
        text = "".join(path.read_text(encoding="utf-8") for path in tests)
        assert f'"{exhibit.name}"' in text, exhibit


def test_papers_are_cited():
    assert {load_paper(name).cites for name in PAPERS} <= set(REFERENCES)


def test_names_identify_exhibits():
    names = [(exhibit.paper, exhibit.name) for exhibit in find_exhibits()]
    assert len(set(names)) == len(names)
    assert not [exhibit.title for exhibit in find_exhibits() if exhibit.title.endswith(".")]
