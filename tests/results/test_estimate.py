"""Estimate: one answer in text, Markdown, LaTeX, HTML and JSON, for one count or many."""

import json
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from tellapart import ErrorCount, PairedTable, compare
from tellapart.results import Check, Estimate, Interval


def estimate(errors=3, trials=120, holds=(), note="", **facts):
    count = ErrorCount(errors, trials)
    rate = count.rate
    interval = facts.pop("interval", None) or Interval(low=rate / 2, high=rate * 2 + 0.01, alpha=0.05, method="made-up")
    checks = tuple(
        Check(
            code=f"TA{number:03}",
            requirement="n = {figure} ≥ 100",
            violation="n = {figure}, fewer than 100",
            title="few examples",
            so="the interval is unreliable",
            remedy="Use method='other'.",
            figure=np.where(verdict, 100.0, 40.0)[()],
            threshold=100,
        )
        for number, verdict in enumerate(holds, 901)
    )
    return Estimate(
        method="made-up", evidence=count, value=rate, interval=replace(interval, note=note), checks=checks, **facts
    )


def one_line(text):
    return " ".join(text.split())


def test_the_verdict_is_the_estimate_with_its_interval():
    display = estimate().display()
    assert display.verdict == "error rate 2.5% (95% CI 1.2% to 6.0%)"
    assert [row.label for row in display.rows] == ["data", "interval", "scope"]
    assert (display.rows[0].text, display.rows[1].text) == ("3 errors in 120 examples", "made-up")


def test_words_say_what_it_is_and_what_it_applies_to():
    words = estimate(note="prior Beta(1, 3)", sources_covered=("test data", "labels")).words
    assert words == (
        "Error rate 2.5% (95% CI 1.2% to 6.0%). Applies to this trained model on data from the same source, not to"
        " retraining."
    )


def test_the_note_of_a_method_stands_in_the_explanation():
    answer = estimate(note="prior Beta(1, 3)")
    assert "prior Beta(1, 3)" in answer.display(verbose=True).to_text()
    assert answer.explain().count("prior Beta(1, 3)") == 1
    assert "prior" not in str(answer)


@pytest.mark.parametrize(("side", "text"), [("upper", "95% upper bound 20.0%"), ("lower", "95% lower bound 10.0%")])
def test_a_bound_is_one_limit(side, text):
    interval = Interval(low=np.float64(0.1), high=np.float64(0.2), alpha=0.05, method="made-up", side=side)
    assert estimate(interval=interval).display().verdict == f"error rate 2.5% ({text})"


def test_text_is_wrapped_and_aligned():
    lines = estimate(note="nothing about next year " * 10).display(verbose=True).to_text().splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert all(line[:12].isspace() or line[10:12] == "  " for line in lines[2:])


def test_repr_is_what_is_printed():
    assert repr(estimate()) == str(estimate())


def test_only_failed_checks_are_shown_and_in_every_form():
    answer = estimate(trials=40, holds=(True, False))
    caution = "TA902: n = 40, fewer than 100: the interval is unreliable. Use method='other'."
    assert caution in one_line(str(answer))
    assert answer.display().verdict.endswith("(caution: few examples)")
    assert f"| caution | {caution} |" in answer.to_markdown()
    assert "TA902" in answer.to_latex()
    assert "TA902" in answer._repr_html_()
    assert not any("TA901" in text for text in (str(answer), answer.to_markdown(), answer._repr_html_()))
    assert [(check["code"], check["holds"]) for check in json.loads(answer.to_json())["checks"]] == [
        ("TA901", True),
        ("TA902", False),
    ]


def test_json_is_the_fields_and_keeps_every_digit():
    answer = estimate(1, 3, holds=(False,))
    values = json.loads(answer.to_json())
    assert list(values) == [
        *("method", "estimate", "interval", "sources_covered", "sources_ignored", "covers", "misses"),
        *("evidence", "checks", "words"),
    ]
    assert values["estimate"] == float(answer.estimate) == 1 / 3
    assert (values["interval"]["low"], values["interval"]["high"]) == (answer.interval.low, answer.interval.high)
    assert values["evidence"] == {"errors": 1, "trials": 3}
    assert values["words"] == answer.words
    message = answer.checks[0].message
    assert values["checks"] == [{"code": "TA901", "title": "few examples", "holds": False, "message": message}]


def test_json_of_many_is_lists_of_equal_length():
    values = json.loads(estimate([3, 0], 120, holds=([True, False],)).to_json())
    assert values["estimate"] == [3 / 120, 0.0]
    assert values["evidence"]["trials"] == [120, 120]
    assert len(values["interval"]["low"]) == 2
    assert values["checks"][0]["holds"] == [True, False]


def test_json_says_null_where_nothing_is_defined():
    interval = Interval(low=np.float64(-np.inf), high=np.float64(np.nan), alpha=0.05, method="made-up")
    values = json.loads(estimate(interval=interval).to_json())
    assert values["interval"]["low"] is None
    assert values["interval"]["high"] is None


def test_json_fits_one_line_if_requested():
    assert "\n" not in estimate().to_json(indent=None)


def named(name):
    """Return an estimate of a model that has this name."""
    return compare(PairedTable(20, 25, 10, 45, models=(name, "other")))


def test_markdown_cells_stay_cells():
    text = named("this | that").to_markdown()
    assert r"this \| that" in text
    assert all(line.count("|") - line.count(r"\|") == 3 for line in text.splitlines() if line.startswith("|"))


def test_html_runs_no_script():
    page = named("<script>alert('x')</script>")._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert page.startswith('<div class="tellapart"')
    assert page.endswith("</div>")


def test_latex_escapes_what_latex_reads():
    latex = named("5% of A_1 & {B}#~^").to_latex()
    assert r"5\% of A\_1 \& \{B\}\#\textasciitilde{}\textasciicircum{}" in latex
    assert latex.startswith(r"\begin{table}")
    assert r"\begin{tabular}{lc}" in latex


def test_latex_shows_less_than_as_itself():
    """In LaTeX's default encoding (OT1) a bare < prints as ¡ and > as ¿."""
    assert "$p < 0.001$" in compare(PairedTable(11, 22, 4, 862)).to_latex()


def test_words_of_many_count_and_give_the_range():
    assert estimate([3, 0, 60], 120).words == "3 error rates from 0.0% to 50.0%."
    cautious = estimate([3, 0], 120, holds=([True, False], [True, True])).words
    assert cautious == "2 error rates from 0.0% to 2.5% (caution: few examples)."


def test_many_show_one_line_each_way():
    answer = estimate([3, 0, 60], [120, 40, 120], holds=([True, False, True],))
    assert "3 counts of errors" in str(answer)
    assert "TA901: n = 40, fewer than 100 in 1 of 3 comparisons: the interval is unreliable." in one_line(str(answer))


def test_an_index_picks_evidence_interval_and_checks_along():
    answer = estimate([3, 0, 60], [120, 40, 120], holds=([True, False, True],))
    one = answer[1]
    assert one.shape == one.evidence.shape == one.interval.shape == one.checks[0].shape == ()
    assert (one.estimate, one.evidence.trials, one.interval.high, one.checks[0].holds) == (0, 40, 0.01, False)
    assert one.words.startswith("Error rate 0.00%")
    assert "TA901: n = 40, fewer than 100" in one_line(str(one))
    assert answer[0].checks[0].holds
    assert "caution" not in str(answer[0])


def test_a_slice_of_many_is_fewer():
    fewer = estimate([[3, 0], [60, 1]], 120)[1]
    assert fewer.shape == (2,)
    assert fewer.words == "2 error rates from 0.8% to 50.0%."


def test_one_answer_has_nothing_to_index():
    with pytest.raises(IndexError, match="this Estimate is a single entry and cannot be indexed"):
        estimate()[0]


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        estimate().value = 0.0
