"""The committed summary of the full run: of this version, dated, complete, and true where nothing is left to chance."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from tellapart import __version__
from tellapart.reproduce import Run, find_exhibits

TEXT = (Path(__file__).parents[2] / "docs" / "reproduction.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in TEXT.splitlines() if line.startswith("| ")]
EXACT = {row[0]: tuple(map(int, row[2:5])) for row in ROWS if len(row) == 6 and row[5] == "exact"}


def test_it_says_when_by_what_and_how_large():
    result = re.search(
        r"Written by `tellapart reproduce --full .*` on (\d{4}-\d\d-\d\d), with tellapart (\S+), by", TEXT
    )
    assert date.fromisoformat(result[1]) <= date.today()  # whatever day it is here
    assert result[2] == __version__


def test_every_exhibit_is_in_it():
    text = {row[0]: row[1] for row in ROWS}
    for exhibit in find_exhibits():
        assert text[f"{exhibit.source}, {exhibit.label}"]


def test_nothing_deviates_without_a_reason():
    assert "nobody knows" not in TEXT
    assert "for no known reason" not in TEXT


@pytest.mark.parametrize("exhibit", find_exhibits(), ids=lambda exhibit: f"{exhibit.paper}-{exhibit.name}")
def test_what_is_exact_is_so_today(exhibit):
    """Where nothing is drawn, any run comes to the counts of the full one."""
    name = f"{exhibit.source}, {exhibit.label}"
    if name in EXACT:
        assert tuple(exhibit.show(Run(scale="quick")).counts.values()) == EXACT[name]
    else:
        assert name in {row[0] for row in ROWS}
