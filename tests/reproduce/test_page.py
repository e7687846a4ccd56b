"""A reproduction in words, as a page and as Markdown: all say the same."""

from __future__ import annotations

import json

import pytest

from tellapart.report.html import render
from tellapart.reproduce import Exhibit, Run, Shown, claimed, compared, find_exhibits, missing, run_exhibits
from tellapart.reproduce.drawing import Series, plotted
from tellapart.reproduce.page import line_cells, markdown_of, page_of

LINES = (
    compared("a cell", "0.30", 0.3),
    compared("another | cell", "0.30", 0.5, reason="It was <misprinted>."),
    claimed("who wins", "A wins", False, "B by 0.1", reason="The paper has it backwards."),
    claimed("who loses", "B loses least", True, "by 0.1"),
    missing("a curve", "a plot", "It was not published."),
)


def shows(run):
    run.size(20, quick=4, of="samples")
    picture = plotted("A picture", "It rises.", [Series("up", [0, 1], [0, 1])], x="x", y="y")
    return Shown(lines=LINES, pictures=(picture,), notes=("Done with care.",))


def exhibited(name, show):
    return Exhibit(paper="mitchell", cites="mitchell1997", name=name, title="A figure nobody printed", show=show)


@pytest.fixture(scope="module")
def reproduction():
    exhibit = exhibited("figure-9", shows)
    return run_exhibits((*find_exhibits("mitchell", "table-5.1"), exhibit), Run(scale="quick"))


def test_counts(reproduction):
    assert reproduction.counts == {"matches": 8, "deviates": 3, "not available": 1}
    assert reproduction.exhibit_counts == {"matches": 0, "deviates": 2, "not available": 0}
    assert "8 of 12 printed numbers and statements in 2 exhibits match; 3 deviate" in reproduction.words
    assert "1 of 2 statements holds" in reproduction.words


def test_what_deviates_for_no_reason_is_reported():
    exhibit = exhibited("x", lambda _: Shown(lines=(compared("x", "1", 9.0),)))
    reproduction = run_exhibits((exhibit,), Run())
    assert [line.what for _, line in reproduction.unexplained] == ["x"]
    assert "(1 unexplained)" in reproduction.words
    assert page_of(reproduction).sections[0].blocks[0].cautions == ("1 deviation without a known reason.",)
    assert "| unknown |" in markdown_of(reproduction, date="2000-01-01", command="x")


def test_sizes_are_reported_of_what_was_drawn(reproduction):
    assert [part.sizes for part in reproduction.parts] == [{}, {"samples": "4 (0.2 times the paper's 20)"}]


def test_after_each_it_is_handed_over():
    seen = []
    run_exhibits(find_exhibits("mitchell", "table-5.1"), Run(), after=seen.append)
    assert [part.title for part in seen] == ["Mitchell 1997, Table 5.1: Values of z for two-sided intervals"]


def test_the_page_holds_every_line_picture_and_note(reproduction):
    page = page_of(reproduction, command="tellapart reproduce")
    text = render(page)
    assert [section.id for section in page.sections][:2] == ["summary", "conclusions"]
    for output in ("Done with care.", "A picture", "another | cell", "It was not published.", "4 (0.2 times the paper"):
        assert output in text
    assert "It was &lt;misprinted&gt;." in text
    assert "tellapart reproduce" in text
    assert text.count("<svg") >= 2


def test_the_same_run_gives_the_same_page(reproduction):
    assert render(page_of(reproduction)) == render(page_of(reproduction))


def test_markdown_tells_counts_reasons_and_what_survives(reproduction):
    text = markdown_of(reproduction, date="2000-01-01", command="tellapart reproduce --full")
    assert "`tellapart reproduce --full` on 2000-01-01" in text
    assert "| Mitchell 1997 | 2 | 12 | 8 | 3 | 1 |" in text
    assert "another \\| cell (0.30, ours 0.5000)" in text
    assert "Figure 9 | who wins: A wins | does not hold | B by 0.1 (The paper has it backwards.) |" in text
    assert "who loses: B loses least | holds | by 0.1 |" in text


def test_json_keeps_every_digit(reproduction):
    text = json.loads(reproduction.to_json())
    (line,) = [line for line in text["exhibits"][0]["lines"] if line["what"] == "68%"]
    assert line["difference"] == pytest.approx(0.994457883209753 - 1, abs=1e-12)  # norm.ppf(0.84)
    assert text["scale"] == "quick"


def test_cells_of_a_line():
    assert line_cells(LINES[0]) == ("a cell", "0.30", "0.3000", "0", "0.005", "matches")
    assert line_cells(LINES[4]) == ("a curve", "a plot", "-", "", "", "not available")
