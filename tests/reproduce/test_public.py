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
TOOLS = {"exhibit", "lines", "printed", "run", "drawing", "data"}
PYTHON = {"__future__", "collections", "dataclasses", "functools", "itertools", "math", "types", "typing"}
OUTSIDE = PYTHON | {"numpy", "scipy", "sklearn"}
FILES = sorted({path for files in PAPERS.values() for name in files for path in ROOM.glob(f"{files[0]}*.py")})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_papers_call_the_public_interface_only(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                assert name.name == "tellapart" or name.name.partition(".")[0] in OUTSIDE, name.name
        elif isinstance(node, ast.ImportFrom) and node.level:
            assert node.level <= 2
            own = node.module or ""
            allowed = own in TOOLS or own.startswith(path.stem.partition("_learners")[0].partition("_real")[0][:5])
            # what blocks of a page, errors and types are made of has no other name
            assert allowed or (node.level == 2 and own in {"errors", "report.blocks", "report.picture", "types"}), own
        elif isinstance(node, ast.ImportFrom):
            home = node.module.partition(".")[0]
            assert home in OUTSIDE | {"tellapart"}, node.module
            if home == "tellapart":
                assert node.module in {"tellapart", "tellapart.lab"}
                public = lab.__all__ if node.module == "tellapart.lab" else [*tellapart.__all__, "lab"]
                assert {name.name for name in node.names} <= set(public)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_they_call_are_public(path):
    homes = {"ta": tellapart, "lab": lab, "plots": plots}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in homes:
            assert node.attr in [*homes[node.value.id].__all__, "lab"], f"{node.value.id}.{node.attr}"


def test_papers_are_cited():
    assert {load_paper(name).cites for name in PAPERS} <= set(REFERENCES)


def test_names_tell_exhibits_apart():
    names = [(exhibit.paper, exhibit.name) for exhibit in find_exhibits()]
    assert len(set(names)) == len(names)
    assert not [exhibit.title for exhibit in find_exhibits() if exhibit.title.endswith(".")]
