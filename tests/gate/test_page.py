"""The report of a judgement and its parts."""

import re

import pytest

from tellapart import PairedTable, judge
from tellapart.gate.page import build_page, write_judgement
from tellapart.report.blocks import Code, Figure, Table, Verdict
from tellapart.report.provenance import Provenance

PASS, WORSE, OPEN = (20, 12, 9, 2959), (5, 2, 47, 966), (5, 12, 17, 966)


def blocks(page, kind):
    return [block for section in page.sections for block in section.blocks if isinstance(block, kind)]


@pytest.mark.parametrize("cells", [PASS, WORSE, OPEN])
def test_the_verdict_is_on_top(cells):
    found = judge(PairedTable(*cells, models=("old", "new")))
    page = build_page(found)
    first = page.sections[0].blocks[0]
    assert page.title.endswith(": new against old")
    assert isinstance(first, Verdict)
    assert first.verdict.startswith(found.verdict.upper())
    assert first.badge.upper() == found.verdict.upper()
    assert any("examples (" in str(block) for block in page.sections[0].blocks) == (
        found.verdict == "not enough evidence"
    )
    assert [section.id for section in page.sections if not section.id.startswith("card")] == [
        *("result", "interval", "discordant", "checks", "sources", "methods", "reproduce"),
    ]


def test_the_margin_is_drawn_beside_the_interval():
    found = judge(PairedTable(*OPEN))
    picture = blocks(build_page(found), Figure)[0].picture
    numbers = dict(zip(picture.numbers.head, picture.numbers.rows[0], strict=True))
    assert (numbers["margin"], numbers["low"]) == (0.01, found.comparison.interval.low)


def test_the_python_code_gives_the_same_judgement(capsys):
    found = judge(PairedTable(*OPEN, models=("old", "new")), margin=0.02, alpha=0.1)
    (code,) = [block.text for block in blocks(build_page(found), Code) if block.language == "python"]
    exec(code, {})  # noqa: S102  # our own lines
    assert capsys.readouterr().out == f"{found}\n"


def test_groups_have_a_plot_per_margin_and_a_table():
    table = PairedTable(*zip(PASS, OPEN, PASS, strict=True), models=("old", "new"))
    found = judge(table, groups=["a", "b", "c"], margins={"b": 0.02})
    page = build_page(found, rules="margin of b = 0.02 (from pyproject.toml)")
    (section,) = [section for section in page.sections if section.id == "groups"]
    pictures = [block.picture for block in section.blocks if isinstance(block, Figure)]
    assert [[row[0] for row in picture.numbers.rows] for picture in pictures] == [["a", "c"], ["b"]]
    (told,) = [block for block in section.blocks if isinstance(block, Table)]
    assert {row[0].text for row in told.rows} == {"a", "b", "c"}
    assert "from pyproject.toml" in str(page.sections[0])
    assert "they do not decide" in str(page.sections[2])


def test_a_report_is_one_file_with_escaped_names(tmp_path):
    found = judge(PairedTable(*OPEN, models=("<script>alert(1)</script>", "new")))
    told = Provenance(command="tellapart gate old.csv new.csv")
    text = write_judgement(tmp_path / "gate.html", found, provenance=told).read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "tellapart gate old.csv new.csv" in text
    assert "NOT ENOUGH EVIDENCE" in text
    assert not re.search(r'(src|href)="https?://(?!github|doi|tellapart)', text)
