"""The inventory is correct: what it lists as working exists, and a test exercises it."""

from __future__ import annotations

import csv
import importlib
import re
from pathlib import Path

import pytest

from tellapart.cli import COMMANDS
from tellapart.methods import find_methods
from tellapart.reproduce import find_exhibits

ROOT = Path(__file__).parent.parent
with (ROOT / "docs" / "inventory.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
# Experiments, tables and figures, by document: each is shown again.
EXHIBITED = {
    "S0": (3, 23, 28, 31, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61),
    "S1": (1, 14, 15, 17, 18, 19, 22, 23, 24),
    "S2": (4, 20, 21, 24),
    "S3": (12, 13, 20, 21, 22),
    "S4": (1, 2, 9, 10, 11),
}
DONE = [row for row in ROWS if row["status"] in {"works", "partly"}]


def test_every_row_of_the_five_documents_is_there_once():
    """Document 0 has rows 1 to 36 and 40 to 63, the others run without a gap: 150 in all."""
    last = {1: 30, 2: 24, 3: 24, 4: 12}
    expected = [f"S0-{n:02}" for n in range(1, 64) if n not in {37, 38, 39}]
    expected += [f"S{document}-{n:02}" for document, end in last.items() for n in range(1, end + 1)]
    assert [row["id"] for row in ROWS] == expected
    assert len(ROWS) == 150


def test_status_is_one_of_four():
    assert {row["status"] for row in ROWS} <= {"works", "partly", "open", "advice"}


def test_every_experiment_table_and_figure_is_an_exhibit():
    where = {row["id"]: row["where"] for row in ROWS if row["status"] == "works"}
    for document, numbers in EXHIBITED.items():
        for number in numbers:
            assert "exhibit " in where[f"{document}-{number:02}"]


@pytest.mark.parametrize("row", DONE, ids=lambda row: row["id"])
def test_what_works_exists(row):
    """`where` names methods, functions (by dotted name), commands or exhibits (paper, name), between semicolons."""
    names = {method.name for method in find_methods()}
    for index in row["where"].split("; "):
        kind, _, name = index.partition(" ")
        if kind == "method":
            assert name in names
        elif kind == "command":
            assert name.split()[1] in COMMANDS
        elif kind == "exhibit":
            assert find_exhibits(*name.split())
        else:
            assert kind == "function"
            _resolve(name)


@pytest.mark.parametrize("row", DONE, ids=lambda row: row["id"])
def test_what_works_is_exercised(row):
    """The test named exists, and its file speaks of the method, function or command."""
    for index in row["test"].split("; "):
        path, *kind, name = index.split("::")
        text = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"^ *def {name}\(", text, re.MULTILINE), f"{path} has no {name}"
        assert all(f"\nclass {each}:\n" in text for each in kind)
    text = "".join((ROOT / index.partition("::")[0]).read_text(encoding="utf-8") for index in row["test"].split("; "))
    for index in row["where"].split("; "):
        last = index.split()[-1] if index.startswith("exhibit") else re.split(r"[ .]", index)[-1]
        assert last in text or last.replace("-", "_") in text, f"no test named for {row['id']} mentions {last}"


@pytest.mark.parametrize("row", [row for row in ROWS if row["status"] == "advice"], ids=lambda row: row["id"])
def test_advice_has_its_page(row):
    path, _, anchor = row["where"].partition("#")
    headings = re.findall(r"^#+ (.*)$", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    assert anchor in [re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings]


def _resolve(name: str) -> object:
    parts = name.split(".")
    for split in range(len(parts), 0, -1):
        try:
            result: object = importlib.import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[split:]:
            result = getattr(result, attribute)
        return result
    raise AssertionError(f"nothing is called {name}")
