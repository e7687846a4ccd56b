"""p-values from random draws: the smallest attainable one is shown as a bound.

With k of N draws as extreme as what was observed, p is (k + 1)/(N + 1) (Phipson and Smyth 2010), doubled where the
smaller of two tails counts; k = 0 gives the floors below.
"""

import json

import numpy as np
import pytest

import tellapart as ta
from tellapart import find_methods
from tellapart.methods import find_method
from tellapart.report.writing import write_report
from tellapart.results import Simulated
from tellapart.results.wording import precise_p_text

RNG = np.random.default_rng(12)
N = 400
CLEAR = RNG.normal([[0.0], [3.0]], 1.0, (2, 60))
LABELS = np.repeat([0, 1], 200)  # too many ranks to go through or to convolve
RANKS = np.concatenate([RNG.normal(0, 1, (2, 200)), RNG.normal([[0.2], [9.0]], 1.0, (2, 200))], axis=1)
CONFUSED = np.array([[[300, 1], [200, 20]], [[20, 200], [1, 300]]])
SCORED = ta.ScoreTable.from_scores({"A": RNG.normal(0.6, 0.01, (20, 5)), "B": RNG.normal(0.9, 0.01, (20, 5))}, rho=0.1)
# The evidence in which no draw is as extreme, and the floor of a two-sided p-value in units of 1/(N + 1).
EXTREME = {
    "sign-flip": (ta.Outcomes.from_scores(*CLEAR, metric="x"), 1),
    "wild-cluster": (ta.Outcomes.from_scores(*CLEAR, metric="x", clusters=np.arange(60) // 3), 1),
    "auc-permutation": (ta.ClassScores.from_scores(LABELS, *RANKS), 1),
    "bayesian-signed-rank": (SCORED, 2),
    "hierarchical": (SCORED, 2),
    "probability-better-run": (ta.Resamples.from_scores(*CLEAR, plan="seeds", metric="x", higher_is_better=True), 2),
    "two-way-bootstrap": (ta.TrainingSets((RNG.random((2, 12, 80)) < [[[0.5]], [[0.01]]]).astype(float)), 2),
    "joint-bootstrap": (ta.PairedConfusion(CONFUSED).by("f1"), (N + 1) / N),  # half a draw lies below the outermost
    "bdeltacost": (ta.PairedConfusion(CONFUSED).by("cost", costs=[[0, 1], [5, 0]]), (N + 1) / N),
}
# Its draws give a standard error, and the normal curve the p-value.
OF_A_CURVE = {"stratified-bootstrap"}


def drawing():
    return {method.name: method for method in find_methods(gives="test") if {"rng"} & set(method.options)}


def options_of(method):
    return {"resamples" if "resamples" in method.options else "draws": N}


def test_every_test_that_draws_is_looked_at():
    assert set(drawing()) == set(EXTREME) | OF_A_CURVE


@pytest.mark.parametrize("name", EXTREME)
def test_where_no_draw_is_as_extreme_the_p_value_is_a_bound(name):
    method, (evidence, halves) = drawing()[name], EXTREME[name]
    ways = ("greater", "less")
    leader = min(ways, key=lambda way: method(evidence, alternative=way, **options_of(method)).pvalue)
    halved = 1.0 if name == "wild-cluster" else 0.5  # of which all patterns count, whichever way they point
    for alternative, share in (("two-sided", 1.0), (leader, halved)):
        result = method(evidence, alternative=alternative, **options_of(method))
        floor = halves * share / (N + 1)
        assert result.simulated.draws == N
        assert result.simulated.floor == pytest.approx(floor, rel=1e-12)
        assert result.simulated.bounds(result.pvalue)
        assert result.pvalue <= floor * (1 + 1e-12)
        assert precise_p_text(float(result.pvalue), 0.05, result.simulated).endswith(" (400 draws)")


def test_exact_p_values_are_figures():
    few = ta.Outcomes.from_scores([0.2, 0.5, 1.0, 0.1, 0.6], [0.4, 0.5, 0.9, 0.9, 0.7], metric="rouge")
    assert find_method("sign-flip", "test", ta.Outcomes)(few).simulated is None
    assert "draws" not in json.loads(ta.compare(few, method="sign-flip").to_json())


@pytest.mark.parametrize(
    ("floor", "draws", "expected"),
    [
        (1 / 10_001, 10_000, "< 0.0001 (10,000 draws)"),
        (2 / 50_001, 50_000, "< 0.00004 (50,000 draws)"),
        (1 / 501, 500, "< 0.002 (500 draws)"),
        (0.0476190476, 20, "< 0.048 (20 draws)"),
        (1 / 3_000_001, 3_000_000, "< 3.4e-07 (3,000,000 draws)"),
    ],
)
def test_a_bound_is_rounded_up(floor, draws, expected):
    simulated = Simulated.of(floor, draws=draws, floor=floor)
    assert precise_p_text(floor, 0.05, simulated) == f"p {expected}"
    assert "<" not in precise_p_text(floor * 1.5, 0.05, simulated)


PATTERNS = ta.ErrorPatterns.from_codes(["a", "b", "c"], {0: 1500, 1: 400, 2: 9, 3: 12, 4: 8, 7: 20})


def test_a_ranking_shows_bounds_in_every_rendering(tmp_path):
    """Model a alone is wrong 400 times, b 9 times and c 8 times: z beyond 19, and no draw of 10,000 comes near."""
    answer = ta.compare(PATTERNS)
    pairs_of_a = [line for line in answer.display(verbose=True).to_text().splitlines() if line.startswith("  b - a ")]
    assert pairs_of_a[0].endswith("< 0.001")
    assert str(answer).count("< 0.001") == 2  # a behind c, and Cochran's Q
    assert "9.999e-05" not in str(answer)
    page = write_report(tmp_path / "page.html", answer).read_text(encoding="utf-8")
    assert "&lt; 0.001" in page
    pairs = json.loads(answer.to_json())["pairs"]
    assert [pair["adjusted_is_bound"] for pair in pairs] == [True, True, False]
    assert {pair["draws"] for pair in pairs} == {10_000}
    assert pairs[0]["adjusted"] == 1 / 10_001


def test_a_comparison_shows_a_bound_in_every_rendering(tmp_path):
    answer = ta.compare(EXTREME["sign-flip"][0], method="sign-flip")
    text = "p < 0.0001 (10,000 draws)"
    assert answer.display().figures.endswith("p < 0.001")
    assert text in dict(answer.rows())["test"]
    assert "fewer than 1 test set in 10,000" in " ".join(answer.explain().split())
    assert text in answer.paragraph()
    assert "$<$ 0.0001 (10,000 draws)" in answer.paragraph("latex")
    assert "&lt; 0.0001 (10,000 draws)" in write_report(tmp_path / "page.html", answer).read_text(encoding="utf-8")
    values = json.loads(answer.to_json())
    assert (values["pvalue"], values["draws"], values["pvalue_is_bound"]) == (1 / 10_001, 10_000, True)


def test_what_is_adjusted_of_a_bound_is_one():
    """Holm multiplies the smallest of three p-values by 3 (Holm 1979)."""
    scores = np.stack([*CLEAR, CLEAR[1] + RNG.normal(0, 0.5, 60)])
    outcomes = ta.Outcomes.from_scores(dict(zip("abc", scores, strict=True)), metric="x")
    answer = ta.compare(outcomes, method="sign-flip", adjust="holm")
    assert str(answer).count("< 0.001") == 1  # a behind c, which leads
    values = json.loads(answer.to_json())["pairs"]
    assert [pair["adjusted_is_bound"] for pair in values] == [True, True, False]
    assert [pair["pvalue_is_bound"] for pair in values] == [True, True, False]


def test_of_two_one_sided_tests_the_larger_p_value_counts():
    """Equivalence within ±5 of scores that lie 3 apart: both tests are at their floor, 1/2 of 1/(N + 1)."""
    answer = ta.compare(EXTREME["sign-flip"][0], method="sign-flip", margin=5, hypothesis="equivalent")
    assert answer.pvalue == 0.5 / 10_001
    assert answer.simulated.bounds(answer.pvalue)
