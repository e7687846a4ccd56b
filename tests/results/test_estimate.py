"""Estimate: one answer in text, Markdown, LaTeX, HTML and JSON, for one count or many."""

import json
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from tellapart import ErrorCount
from tellapart.results import Check, Estimate, Interval


def estimate(errors=3, trials=120, holds=(), note="", **facts):
    count = ErrorCount(errors, trials)
    rate = count.rate
    interval = facts.pop("interval", None) or Interval(low=rate / 2, high=rate * 2 + 0.01, alpha=0.05, method="made-up")
    checks = tuple(
        Check(
            code=f"TA{number:03}",
            requirement="n = {figure} ≥ 100",
            violation="n = {figure} < 100: too few",
            remedy="method='other' needs fewer",
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


def test_rows_are_the_rate_the_interval_and_the_words():
    rows = estimate().rows()
    assert [label for label, _ in rows] == ["error rate", "interval", "in words"]
    assert rows[0][1].startswith("2.5 %")
    assert "3 errors in 120 examples" in rows[0][1]
    assert "1.2 % to 6.0 %" in rows[1][1]
    assert "made-up" in rows[1][1]


def test_words_say_what_it_is_and_then_what_it_does_not_say():
    covers = ("test data", "labels")
    words = estimate(note="prior Beta(1, 3)", sources_covered=covers).words
    assert words == (
        "The error rate is 2.5 % (3 errors in 120 examples), and the true error is between 1.2 % and 6.0 %"
        " (95 %, two-sided, made-up: prior Beta(1, 3)). This speaks of this classifier on examples drawn"
        " independently, like those tested; it does not allow for the choice of"
        " training data or for randomness in the learner (question 6, which resampling answers), nor does it speak of"
        " other data sets."
    )


@pytest.mark.parametrize(
    ("side", "said"), [("upper", "the true error is at most"), ("lower", "the true error is at least")]
)
def test_words_of_a_bound_name_one_limit(side, said):
    interval = Interval(low=np.float64(0.1), high=np.float64(0.2), alpha=0.05, method="made-up", side=side)
    assert said in estimate(interval=interval).words
    assert " and 2" not in estimate(interval=interval).words


def test_text_is_wrapped_and_aligned():
    lines = str(estimate(note="nothing about next year " * 10)).splitlines()
    start = lines[0].index("2.5 %")
    assert all(len(line) <= 100 for line in lines)
    assert all(line[:start].isspace() or line[start - 2 : start] == "  " for line in lines)


def test_repr_is_what_is_printed():
    assert repr(estimate()) == str(estimate())


def test_only_failed_checks_are_shown_and_in_every_form():
    answer = estimate(trials=40, holds=(True, False))
    caution = "TA902: n = 40 < 100: too few; method='other' needs fewer"
    assert caution in one_line(str(answer))
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
    told = json.loads(answer.to_json())
    assert list(told) == ["method", "estimate", "interval", "covers", "misses", "evidence", "checks", "words"]
    assert told["estimate"] == float(answer.estimate) == 1 / 3
    assert (told["interval"]["low"], told["interval"]["high"]) == (answer.interval.low, answer.interval.high)
    assert told["evidence"] == {"errors": 1, "trials": 3}
    assert told["words"] == answer.words
    assert told["checks"] == [{"code": "TA901", "holds": False, "message": answer.checks[0].message}]


def test_json_of_many_is_lists_of_equal_length():
    told = json.loads(estimate([3, 0], 120, holds=([True, False],)).to_json())
    assert told["estimate"] == [3 / 120, 0.0]
    assert told["evidence"]["trials"] == [120, 120]
    assert len(told["interval"]["low"]) == 2
    assert told["checks"][0]["holds"] == [True, False]


def test_json_says_null_where_nothing_is_defined():
    interval = Interval(low=np.float64(-np.inf), high=np.float64(np.nan), alpha=0.05, method="made-up")
    told = json.loads(estimate(interval=interval).to_json())
    assert told["interval"]["low"] is None
    assert told["interval"]["high"] is None


def test_json_fits_one_line_if_asked():
    assert "\n" not in estimate().to_json(indent=None)


def test_markdown_cells_stay_cells():
    paragraph, lines = (part.splitlines() for part in estimate(note="this | that\nother").to_markdown().split("\n\n"))
    assert len(paragraph) == 1
    assert lines[:2] == ["| | |", "|---|---|"]
    assert len(lines) == 5
    assert r"this \| that other" in lines[-1]


def test_html_runs_no_script():
    page = estimate(note="<script>alert('x')</script>")._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert page.startswith("<table")
    assert page.endswith("</table>")


def test_latex_escapes_what_latex_reads():
    latex = estimate(note="5% of A_1 & {B} cost $3 #1 ~^\\").to_latex()
    assert r"5\% of A\_1 \& \{B\} cost \$3 \#1 \textasciitilde{}\textasciicircum{}\textbackslash{}" in latex
    assert latex.partition("\n\n")[2].startswith(r"\begin{tabular}{ll}")
    assert latex.endswith(r"\end{tabular}")


def test_latex_shows_less_than_as_itself():
    """In LaTeX's default encoding (OT1) a bare < prints as ¡ and > as ¿."""
    assert "$<$" in estimate(trials=40, holds=(False,)).to_latex()


def test_words_of_many_count_and_give_the_range():
    assert estimate([3, 0, 60], 120).words == "3 error rates from 0 % to 50 %."
    assert estimate([3, 0], 120, holds=([True, False], [True, True])).words.endswith("1 of 2 checks fail somewhere.")


def test_many_show_one_line_each_way():
    answer = estimate([3, 0, 60], [120, 40, 120], holds=([True, False, True],))
    assert "3 (95 %, two-sided, made-up)" in str(answer)
    assert "TA901: in 1 of 3 entries ([1]): " in one_line(str(answer))


def test_an_index_picks_evidence_interval_and_checks_along():
    answer = estimate([3, 0, 60], [120, 40, 120], holds=([True, False, True],))
    one = answer[1]
    assert one.shape == one.evidence.shape == one.interval.shape == one.checks[0].shape == ()
    assert (one.estimate, one.evidence.trials, one.interval.high, one.checks[0].holds) == (0, 40, 0.01, False)
    assert one.words.startswith("The error rate is 0")
    assert "TA901: n = 40 < 100" in one_line(str(one))
    assert answer[0].checks[0].holds
    assert "caution" not in str(answer[0])


def test_a_slice_of_many_is_fewer():
    fewer = estimate([[3, 0], [60, 1]], 120)[1]
    assert fewer.shape == (2,)
    assert fewer.words == "2 error rates from 0.833 % to 50 %."


def test_one_answer_has_nothing_to_index():
    with pytest.raises(IndexError, match="one entry"):
        estimate()[0]


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        estimate().value = 0.0
