"""What a notebook shows of evidence, results and races: text and tables, and nothing that is run or fetched."""

from html.parser import HTMLParser

import numpy as np
import pytest

import tellapart as ta

ODD = ("<script>alert()</script>", "a_b & [c]")  # 24 characters, which every table shows in full
TABLE = ta.PairedTable(1, 2, 3, 4, models=ODD)
RESAMPLES = ta.Resamples.from_scores([0.95, 0.94, 0.96, 0.93], [0.9, 0.92, 0.91, 0.89], plan="4-fold", learners=ODD)


class Page(HTMLParser):
    """The rows of all tables, and the tags."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.tags, self.attributes, self.text, self.inside = [], set(), set(), "", ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.inside = tag
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_data(self, data):
        self.text += data
        if self.inside in {"td", "th", "br"}:
            self.rows[-1][-1] += data


EVERYTHING = {
    "ErrorCount": ta.ErrorCount(3, 120),
    "ErrorCounts": ta.ErrorCount([3, 4], 120),
    "PairedTable": TABLE,
    "PairedTables": ta.PairedTable([1, 2], 2, 3, 4, models=ODD),
    "IndependentCounts": ta.IndependentCounts.from_counts(30, 100, 20, 100),
    "ErrorPatterns": ta.ErrorPatterns.from_codes([*ODD, "c"], {0: 60, 1: 12, 6: 9, 7: 13}),
    "ConfusionMatrix": ta.ConfusionMatrix([[3, 1], [2, 4]], ODD),
    "large ConfusionMatrix": ta.ConfusionMatrix(np.eye(100, dtype=int)),
    "PairedConfusion": ta.PairedConfusion(np.arange(8).reshape(2, 2, 2), ODD, models=("<i>", "b")),
    "large PairedConfusion": ta.PairedConfusion(np.ones((40, 40, 40), int)),
    "StratifiedCount": ta.StratifiedCount([2, 10], [100, 50], [0.9, 0.1]),
    "Resamples": RESAMPLES,
    "TrainingSets": ta.TrainingSets([[[0, 1, 1], [1, 0, 0]], [[0, 0, 1], [0, 1, 1]]], ODD),
    "Plan": ta.Plan.parse("5x2"),
    "Predictions": ta.Predictions.of({"label": [0, 1], ODD[0]: [0, 1]}),
    "BetaPrior": ta.BetaPrior(1, 3.67),
    "Posterior": ta.posterior(ta.ErrorCount(3, 120), prior=(1, 1)),
    "Interval": ta.estimate(ta.ErrorCount(3, 120)).interval,
    "Estimate": ta.estimate(ta.ErrorCount(3, 120)),
    "Estimates": ta.estimate(ta.ErrorCount([3, 4], 120)),
    "Comparison": ta.compare(TABLE),
    "TestResult": ta.compare(TABLE).test,
    "Check": ta.compare(TABLE, method="mcnemar").checks[0],
    "Ranking": ta.compare(ta.ErrorPatterns.from_codes([*ODD, "c"], {0: 60, 1: 12, 6: 9, 7: 13})),
    "Coverage": ta.exact_coverage("wilson", 20),
    "Calibration": ta.calibrate("mcnemar", ta.PairedTable(1, 2, 3, 30)),
    "Share": ta.calibrate("mcnemar", ta.PairedTable(1, 2, 3, 30)).size,
    "Calibrations": ta.calibrate(["mcnemar", "tango"], ta.PairedTable(1, 2, 3, 30)),
    "practical": ta.practical_probabilities(RESAMPLES, rope=0.01),
    "Recommendation": ta.advise(TABLE),
}


def test_rows_of_several_lines_keep_their_lines():
    recommendation = ta.advise(TABLE)
    rows = {row.label: row.text for row in recommendation.display().rows}
    assert rows["or"].count("\n") >= 1
    assert recommendation._repr_html_().count("<br>") == sum(text.count("\n") for text in rows.values())


TAGS = {"table", "caption", "thead", "tbody", "tr", "th", "td", "br", "div", "p", "b", "details", "summary"}
DRAWING = {"svg", "line", "circle", "text", "rect", "path", "g"}
ATTRIBUTES = {"class", "scope", "style"}
DRAWN = {"role", "aria-label", "viewbox", "width", "height", "d", "cx", "cy", "r", "x", "y", "x1", "x2", "y1", "y2"}


@pytest.mark.parametrize("name", EVERYTHING)
def test_everything_is_text_tables_and_drawings_without_scripts_or_links(name):
    html = EVERYTHING[name]._repr_html_()
    page = Page(html)
    assert html.startswith(('<table class="tellapart"', '<div class="tellapart"'))
    assert page.tags <= TAGS | DRAWING
    if not page.tags & DRAWING:
        assert page.attributes <= ATTRIBUTES
    assert len(html) < 20_000
    assert all(row[0].strip() for row in page.rows[1:])  # every line has a head


def test_a_comparison_shows_its_verdict_and_difference_and_folds_the_rest():
    result = ta.compare(ta.PairedTable(20, 25, 10, 45))
    html = result._repr_html_()
    display = result.display()
    first, *_ = html.partition("<details>")
    assert display.verdict in first
    assert f"<b>{display.emphasis}</b>" in first
    assert "<svg" in first
    assert "aria-label" in first
    for row in display.rows:
        assert row.label in html
    assert display.rows[-1].text not in first


def test_a_failed_check_stands_above_the_folded_rows():
    result = ta.compare(ta.PairedTable(3, 4, 1, 92))
    first, *_ = result._repr_html_().partition("<details>")
    assert "TA104" in first


@pytest.mark.parametrize(
    "name",
    ["PairedTable", "PairedTables", "ErrorPatterns", "ConfusionMatrix", "PairedConfusion", "Resamples", "Ranking"],
)
def test_names_are_shown_literally(name):
    text = Page(EVERYTHING[name]._repr_html_()).text
    assert all(odd in text for odd in ODD)


def test_a_paired_table_is_two_by_two_with_its_heads():
    """Dietterich's n00, n01 (A wrong, B right), n10 and n11."""
    a, b = ODD
    assert Page(TABLE._repr_html_()).rows == [
        ["", f"{b} wrong", f"{b} right"],
        [f"{a} wrong", "1", "2"],
        [f"{a} right", "3", "4"],
    ]


def test_a_confusion_matrix_has_labels_in_rows_and_predictions_in_columns():
    assert Page(EVERYTHING["ConfusionMatrix"]._repr_html_()).rows == [
        ["label", *ODD],
        [ODD[0], "3", "1"],
        [ODD[1], "2", "4"],
    ]


def test_a_paired_confusion_shows_who_was_wrong_and_both_matrices():
    rows = Page(EVERYTHING["PairedConfusion"]._repr_html_()).rows
    counts = np.arange(8).reshape(2, 2, 2)  # label, prediction of A, prediction of B
    assert [row[1:] for row in rows[4:6]] == counts.sum(axis=2).astype(str).tolist()
    assert [row[1:] for row in rows[7:9]] == counts.sum(axis=1).astype(str).tolist()


def test_a_race_is_shown_as_a_table():
    from tellapart.running import Race
    from tellapart.running.fit import Fit
    from tellapart.running.plans import lay_out

    y = np.array([0, 0, 1, 1])
    layout = lay_out([([0, 2], [1, 3]), ([1, 3], [0, 2])], None, y)
    fits = [Fit(ODD[0], split, 0, np.array([1, 1]), None, 0.01, None) for split in (0, 1)]
    page = Page(Race((ODD[0],), layout, y, (0, 1), fits)._repr_html_())
    assert ODD[0] in page.text
    assert page.tags <= TAGS
