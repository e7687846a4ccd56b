"""The verdict: against independent arithmetic, against its guarantees, and at every border."""

import json
import math
import re
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

import tellapart as ta
from tellapart import PairedTable, Predictions, judge
from tellapart.errors import InvalidEvidence, InvalidOption, UnknownMethod
from tellapart.gate import Judgement
from tellapart.gate.judging import EXIT_STATUS
from tellapart.methods import find_method

OPEN = "not enough evidence"


@st.composite
def tables(draw, largest=4000):
    n = draw(st.integers(1, largest))
    b = draw(st.integers(0, n))
    c = draw(st.integers(0, n - b))
    wrong = draw(st.integers(0, n - b - c))
    return PairedTable(wrong, b, c, n - b - c - wrong)


def score(b, c, n, null):
    """Return Tango's z, with probabilities found by a numerical search for the largest likelihood."""

    def loss(q):  # q: only B is wrong; q + null: only A
        cells = (b, q + null), (c, q), (n - b - c, 1 - 2 * q - null)
        return -sum(count * math.log(p) for count, p in cells if count)

    tiny = 1e-12
    low, high = max(0, -null) + tiny, (1 - null) / 2 - tiny
    q = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    return (b - c - n * null) / math.sqrt(n * (2 * q + null - null**2))


# --- What decides -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("b", "c", "n", "margin", "verdict"),
    [
        (0, 1, 44, 0.1, "pass"),  # Tango 1998: Z = 1.709, p = 0.044
        (12, 17, 1000, 0.01, OPEN),
        (12, 9, 3000, 0.01, "pass"),
        (2, 47, 1020, 0.01, "worse"),
        (30, 45, 1000, 0.05, "pass"),
        (30, 70, 400, 0.05, "worse"),
    ],
)
def test_the_verdict_is_that_of_the_score_test(b, c, n, margin, verdict):
    z, bar = score(b, c, n, -margin), NormalDist().inv_cdf(0.95)
    assert ("pass" if z > bar else "worse" if z < -bar else OPEN) == verdict
    found = judge(PairedTable(3, b, c, n - b - c - 3), margin=margin)
    assert found.verdict == verdict
    assert_allclose(found.comparison.statistic, z, rtol=1e-6)
    assert_allclose(found.together.worse, NormalDist().cdf(z), rtol=1e-5)
    assert (found.passed, found.exit_status) == (verdict == "pass", EXIT_STATUS[verdict])


def test_the_exit_statuses():
    assert EXIT_STATUS == {"pass": 0, "worse": 1, OPEN: 3}


@given(margin=st.floats(1e-3, 0.35), agreeing=st.booleans())
@settings(max_examples=12, deadline=None)
def test_five_agreeing_examples_never_pass(margin, agreeing):
    """No margin below z²/(5 + z²) = 0.351 is demonstrated."""
    found = judge(PairedTable(5 * agreeing, 0, 0, 5 * (not agreeing)), margin=margin)
    assert found.verdict == OPEN


@pytest.mark.parametrize("margin", [0.001, 0.005, 0.01, 0.02, 0.1, 0.3])
@pytest.mark.parametrize("alpha", [0.001, 0.01, 0.05, 0.2])
def test_without_discordant_pairs_the_number_of_examples_decides(margin, alpha):
    """The bound is z²/(n + z²): more than z²(1 − Δ)/Δ examples are needed, 268 for 1 pp at 5%."""
    z = NormalDist().inv_cdf(1 - alpha)
    least = math.floor(z * z * (1 - margin) / margin) + 1
    assert least == 268 or (margin, alpha) != (0.01, 0.05)
    assert judge(PairedTable(0, 0, 0, least), margin=margin, alpha=alpha).passed
    short = judge(PairedTable(0, 0, 0, least - 1), margin=margin, alpha=alpha)
    assert short.verdict == OPEN
    assert (short.together.enough, short.more) == (least, 1)


METHODS = ["tango", "tango-bcf", "scas-paired", "mcnemar-evalue"]


@pytest.mark.parametrize("method", METHODS)
@given(tables(), st.sampled_from([0.001, 0.01, 0.05, 0.2, 0.5]), st.sampled_from([1e-12, 1e-3, 0.05, 0.2, 0.499]))
@settings(max_examples=12, deadline=None)
def test_the_verdict_agrees_with_interval_and_p_value(method, table, margin, alpha):
    found = judge(table, margin=margin, alpha=alpha, method=method, power=0.5)
    interval, p, worse = found.comparison.interval, found.comparison.pvalue, found.together.worse
    if found.verdict == "pass":
        assert p < alpha
        assert interval.low > -margin
    elif found.verdict == "worse":
        assert worse < alpha
        assert interval.high < -margin
    assert_allclose(interval.alpha, 2 * alpha)


@pytest.mark.parametrize("method", ["tango", "tango-bcf", "scas-paired"])
def test_test_and_interval_are_one_decision(method):
    """20,000 random tables with margins and alphas of all sizes; p-values within 1e-10 of alpha are excluded."""
    rng = np.random.default_rng(9)
    for margin, alpha in ((0.001, 1e-6), (0.01, 0.05), (0.05, 0.01), (0.2, 0.3), (0.5, 1e-12)):
        n = rng.integers(2, 3000, 4000)
        b = rng.binomial(n, rng.random(4000) * 0.3)
        c = rng.binomial(n - b, rng.random(4000) * 0.3)
        held = PairedTable(0, b, c, n - b - c)
        found = ta.compare(held, margin=margin, alpha=alpha, method=method, interval=method)
        worse = find_method(method, "test", PairedTable)(held, against=-margin, alternative="less").pvalue
        for p, beyond in ((found.pvalue, found.interval.low > -margin), (worse, found.interval.high < -margin)):
            tied = np.isclose(p, alpha, rtol=1e-10)
            assert np.array_equal((p < alpha)[~tied], beyond[~tied])


@given(tables(largest=500))
@settings(max_examples=12, deadline=None)
def test_a_tie_is_neither_a_pass_nor_a_loss(table):
    interval = judge(table, margin=0.3, power=0.5).comparison.interval
    for border in (-float(interval.low), -float(interval.high)):
        if 0 < border < 1:
            assert judge(table, margin=border, power=0.5).verdict == OPEN


@given(tables(), st.floats(0.002, 0.4), st.floats(0.002, 0.4))
@settings(max_examples=12, deadline=None)
def test_a_wider_margin_never_costs_a_pass(table, one, other):
    order = ["worse", OPEN, "pass"]
    narrow, wide = (judge(table, margin=margin, power=0.5).verdict for margin in sorted((one, other)))
    assert order.index(narrow) <= order.index(wide)


@given(tables(), st.sampled_from([0.01, 0.05]))
@settings(max_examples=15, deadline=None)
def test_no_verdict_flips_on_identical_inputs(table, margin):
    """A table judged alone, again, or as the only group has the same figures to the last digit."""
    first, again = (judge(table, margin=margin).to_json() for _ in range(2))
    assert first == again
    cells = [[int(cell)] for cell in (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right)]
    alone = judge(PairedTable(*cells), margin=margin, groups=["all"])
    assert alone.verdict == json.loads(first)["verdict"]
    assert json.loads(alone.to_json())["groups"]["all"]["pvalue"] == json.loads(first)["all"]["pvalue"]


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ((0, 0, 0, 1), OPEN),
        ((1, 0, 0, 0), OPEN),
        ((0, 0, 1, 0), OPEN),
        ((0, 40, 0, 0), "pass"),
        ((0, 0, 40, 0), "worse"),
        ((0, 0, 0, 10**9), "pass"),
        ((0, 10**9, 10**9 + 10**6, 10**9), "pass"),
        ((0, 10**9, 10**9 + 10**8, 10**9), "worse"),
    ],
)
@pytest.mark.parametrize("method", ["tango", "scas-paired"])
def test_extreme_tables_have_a_verdict(cells, verdict, method):
    found = judge(PairedTable(*cells), method=method, power=0.5)
    assert found.verdict == verdict
    assert found.words
    json.loads(found.to_json())


@pytest.mark.parametrize("alpha", [1e-12, 1e-6, 0.3, 0.499999])
def test_any_alpha_below_one_half_is_accepted(alpha):
    z = NormalDist().inv_cdf(1 - alpha)
    found = judge(PairedTable(0, 30, 25, 945), margin=0.03, alpha=alpha)
    assert (found.verdict == "pass") == (score(30, 25, 1000, -0.03) > z)
    assert found.comparison.interval.level == pytest.approx(1 - 2 * alpha)


# --- What is lacking ----------------------------------------------------------------------------------


def pass_probability(n, disagreement, margin, alpha):
    """Return how often two equal models pass: the sum over every table of n examples, by Tango's z."""
    b, c = (each.ravel() for each in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    b, c = b[b + c <= n], c[b + c <= n]
    # Tango 1998, equation 9: the larger root of 2n·q² + B·q + C, with δ = −margin.
    delta = -margin
    middle = -b - c + (2 * n - b + c) * delta
    inner = middle**2 + 8 * n * c * delta * (1 - delta)
    q = (np.sqrt(np.maximum(inner, 0)) - middle) / (4 * n)  # it may be 0, and below that by rounding
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (b - c - n * delta) / np.sqrt(n * (2 * q + delta - delta**2))
    log = [0.0, *np.cumsum(np.log(np.arange(1, n + 1)))]
    each = np.array(log)
    chance = np.exp(
        each[n] - each[b] - each[c] - each[n - b - c]
        + (b + c) * math.log(disagreement / 2) + (n - b - c) * math.log(1 - disagreement)
    )  # fmt: skip
    return chance[z > NormalDist().inv_cdf(1 - alpha)].sum()


def test_the_examples_needed_are_those_of_full_enumeration():
    """Discordant rate 20%, a margin of 20 pp, power 0.8: every size from 1 to 80."""
    enough = [pass_probability(n, 0.2, 0.2, 0.05) >= 0.8 for n in range(1, 81)]
    least = 80 - enough[::-1].index(False) + 1  # from there on all have it
    found = judge(PairedTable(1, 1, 1, 7), margin=0.2)  # 2 of 10 discordant
    assert found.verdict == OPEN
    assert found.together.enough == least
    assert found.more == least - 10


@given(st.integers(0, 60))
@settings(max_examples=8, deadline=None)
def test_the_examples_needed_depend_only_on_the_design(b):
    """Only margin, alpha, power and the discordant rate matter, not the direction."""
    found = judge(PairedTable(0, b, 60 - b, 940), margin=0.01)
    other = judge(PairedTable(9, 30, 30, 931), margin=0.01)
    assume(found.verdict == OPEN)
    assert found.together.enough == other.together.enough


def test_another_look_is_a_caution_unless_the_method_allows_it():
    table = PairedTable(0, 5, 6, 89)
    steps = {name: judge(table, margin=0.05, method=name).words for name in METHODS[-2:]}
    assert "Do not add data and retest; use `tellapart watch`." in steps["scas-paired"]
    assert "Do not add data" not in steps["mcnemar-evalue"]


def test_more_power_needs_more_examples():
    one, other = (judge(PairedTable(0, 12, 17, 971), power=power) for power in (0.8, 0.9))
    assert one.more < other.more
    assert one.more == judge(PairedTable(0, 12, 17, 971)).more


def test_at_least_one_more_example_is_needed_and_the_reason_is_given():
    found = judge(PairedTable(5, 20, 50, 3966))
    assert found.verdict == OPEN
    assert found.together.enough < found.together.examples
    assert found.more == 1
    assert "pass with 80% power if both are equal; the candidate may be worse" in found.words


def test_beyond_a_million_examples_the_number_is_by_the_formula():
    """Connor's n = (z_α + z_β)²ψ/Δ², with ψ = 0.1 and Δ = 0.0001: searching for it would take minutes."""
    z = NormalDist().inv_cdf(0.95) + NormalDist().inv_cdf(0.8)
    found = judge(PairedTable(0, 5, 5, 90), margin=1e-4)
    assert found.together.enough == pytest.approx(z * z * 0.1 / 1e-8, rel=1e-6)


def test_a_tiny_margin_needs_more_examples_than_can_be_collected():
    found = judge(PairedTable(0, 5, 5, 90), margin=1e-6)
    assert math.isinf(found.together.enough)
    assert math.isinf(judge(PairedTable(0, 5, 5, 90), margin=1e-300).together.enough)  # more than a float can hold
    assert found.more is None
    assert "More than 1,000,000,000 examples are needed" in found.words
    assert json.loads(found.to_json())["all"]["enough"] is None


def test_a_verdict_needs_no_further_examples():
    for table in (PairedTable(20, 12, 9, 2959), PairedTable(5, 2, 47, 966)):
        found = judge(table)
        assert (found.more, found.together.enough) == (None, None)
        assert "power" not in found.words


# --- Groups -------------------------------------------------------------------------------------------

PASSES, OPENS, LOSES = (3, 8, 6, 2983), (0, 0, 0, 20), (1, 4, 24, 271)


def by_group(*cells, **options):
    names = [f"g{place}" for place in range(len(cells))]
    return judge(PairedTable(*zip(*cells, strict=True)), groups=names, **options)


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ([PASSES], "pass"),
        ([PASSES, PASSES], "pass"),
        ([PASSES, OPENS], OPEN),
        ([PASSES, LOSES], "worse"),
        ([OPENS, LOSES], "worse"),
        ([OPENS, OPENS, OPENS], OPEN),
        ([PASSES, OPENS, LOSES], "worse"),
    ],
)
def test_every_group_must_pass(cells, verdict):
    found = by_group(*cells)
    assert found.verdict == verdict
    alone = [judge(PairedTable(*each)).verdict for each in cells]
    assert found.passed == all(each == "pass" for each in alone)
    assert [line.verdict == "pass" for line in found.groups.values()] == [each == "pass" for each in alone]


def test_passes_are_not_adjusted():
    """Intersection-union test: forty groups that pass unadjusted pass together."""
    assert by_group(*[(0, 0, 0, 268)] * 40).passed


def test_p_values_of_losses_are_adjusted_for_the_number_of_groups():
    """By hand: the smallest of k p-values is multiplied by k, the next by k − 1, and none falls below an earlier."""
    odd = (1, 4, 14, 281)
    alone = judge(PairedTable(*odd))
    assert (alone.verdict, 0.025 < alone.together.worse < 0.05) == ("worse", True)
    found = by_group(odd, PASSES, OPENS)
    assert (found.verdict, found.groups["g0"].verdict) == (OPEN, OPEN)
    assert found.groups["g0"].worse == alone.together.worse
    assert_allclose(found.groups["g0"].adjusted, 3 * alone.together.worse)
    (row,) = [line.split() for line in str(found).splitlines() if line.startswith("  g0 ")]
    assert (row[1], "0.131" in row) == ("open", True)
    pvalues = [line.worse for line in found.groups.values()]
    adjusted = [line.adjusted for line in found.groups.values()]
    ranked = sorted(range(3), key=pvalues.__getitem__)
    steps = np.maximum.accumulate([(3 - rank) * pvalues[place] for rank, place in enumerate(ranked)])
    assert_allclose([adjusted[place] for place in ranked], np.minimum(steps, 1))


def test_the_pooled_groups_do_not_decide():
    found = by_group(PASSES, PASSES, OPENS)
    assert found.together.verdict == "pass"
    assert not found.passed
    assert "does not decide" in found.words
    assert found.comparison.evidence.examples == sum(map(sum, (PASSES, PASSES, OPENS)))


def test_groups_that_do_not_pass_are_named_with_the_examples_they_need():
    found = by_group(PASSES, OPENS, (0, 0, 0, 100))
    assert list(found.holding_up) == ["g1", "g2"]
    assert [line.more for line in found.groups.values()] == [None, 248, 168]
    assert found.more == 248 + 168
    assert "g1 needs 248 more examples (268 in all); g2 needs 168 more examples (268 in all)" in found.words


def test_a_group_can_have_its_own_margin():
    cells = [(0, 3, 5, 592), (0, 3, 5, 592)]
    assert by_group(*cells).verdict == OPEN
    found = by_group(*cells, margins={"g1": 0.03})
    assert [line.comparison.margin for line in found.groups.values()] == [0.01, 0.03]
    assert [line.verdict for line in found.groups.values()] == [OPEN, "pass"]
    assert by_group(*cells, margins={"g0": 0.03, "g1": 0.03}).passed


def test_with_many_groups_the_discordant_rate_is_rounded_up():
    """A sample size for each of a hundred rates would be slow; the rounded ones are never too small."""
    found = by_group(*[(0, 2, 3, size - 5) for size in range(60, 100)], margin=0.05)
    for name in ("g3", "g20", "g38"):
        line = found.groups[name]
        exact = judge(line.comparison.evidence, margin=0.05).together
        assert exact.disagreement <= line.disagreement <= 1.1 * exact.disagreement
        assert len(f"{line.disagreement:.12g}".lstrip("0.")) <= 2
        assert exact.enough <= line.enough <= 1.1 * exact.enough + 2


# --- What is judged -----------------------------------------------------------------------------------

COLUMNS = {
    "label": [0, 1] * 400,
    "old": [0, 1] * 390 + [1, 1] * 10,
    "new": [0, 1] * 395 + [0, 0] * 5,
    "site": ["north", "south"] * 400,
}


def test_predictions_are_counted():
    found = judge(Predictions.of(COLUMNS, models=["old", "new"]), margin=0.02)
    assert found.models == ("old", "new")
    assert (found.verdict, found.comparison.evidence.examples) == ("pass", 800)
    by_site = judge(Predictions.of(COLUMNS, models=["old", "new"], group="site"), margin=0.05)
    assert list(by_site.groups) == ["north", "south"]
    assert by_site.comparison.evidence.examples == 800


def test_dropped_examples_are_reported():
    columns = COLUMNS | {"new": [None, *COLUMNS["new"][1:]]}
    found = judge(Predictions.of(columns, models=["old", "new"], missing="drop"), margin=0.02)
    assert found.excluded == {"missing prediction of new": 1}
    assert "1 left out (missing prediction of new)" in found.words
    assert json.loads(found.to_json())["excluded"] == {"missing prediction of new": 1}
    assert "1 left out" in found.to_markdown()


def test_nameless_tables_are_called_baseline_and_candidate():
    assert judge(PairedTable(1, 2, 3, 4)).models == ("baseline", "candidate")
    assert judge(PairedTable(1, 2, 3, 4, models=("x", "y"))).models == ("x", "y")


@pytest.mark.parametrize(
    ("evidence", "options", "error", "told"),
    [
        (PairedTable(1, 2, 3, 4), {"margin": 0}, InvalidOption, "`margin` must be between 0 and 1"),
        (PairedTable(1, 2, 3, 4), {"margin": 1.0}, InvalidOption, "For 1 pp use 0.01"),
        (PairedTable(1, 2, 3, 4), {"margin": float("nan")}, InvalidOption, "margin"),
        (PairedTable(1, 2, 3, 4), {"alpha": 0.5}, InvalidOption, "`alpha` must be below 0.5, got 0.5"),
        (PairedTable(1, 2, 3, 4), {"alpha": 5}, InvalidOption, "alpha"),
        (PairedTable(1, 2, 3, 4), {"power": 1}, InvalidOption, "`power` must be between 0 and 1, got 1"),
        (
            PairedTable(1, 2, 3, 4),
            {"groups": ["x"]},
            InvalidOption,
            "`groups` must name each entry of the evidence (shape ()), got 1 names",
        ),
        (PairedTable([1, 2], 2, 3, 4), {}, InvalidOption, "(shape (2,)), got 0 names"),
        (PairedTable([1, 2], 2, 3, 4), {"groups": ["x", "x"]}, InvalidOption, "got 'x' twice"),
        (PairedTable([[1]], 2, 3, 4), {"groups": ["x"]}, InvalidOption, "(shape (1, 1)), got 1 names"),
        (
            PairedTable(1, 2, 3, 4),
            {"margins": {"de": 0.1}},
            InvalidOption,
            "`margins` must name groups of the data (none), got 'de'",
        ),
        (
            PairedTable([1], 2, 3, 4),
            {"groups": ["x"], "margins": {"y": 0.1}},
            InvalidOption,
            "`margins` must name groups of the data ('x'), got 'y'",
        ),
        (
            PairedTable([1], 2, 3, 4),
            {"groups": ["x"], "margins": {"x": 2}},
            InvalidOption,
            "`margins` of 'x' must be between 0 and 1, got 2",
        ),
        (PairedTable([1], 2, 3, 4), {"groups": ["x"], "margins": [0.1]}, InvalidOption, "such as {'de': 0.02}"),
        (PairedTable(1, 2, 3, 4, event="positive"), {}, InvalidEvidence, "must count errors, got counts of 'positive'"),
        (
            PairedTable(1, 2, 3, 4),
            {"method": "mcnemar"},
            UnknownMethod,
            "must take a margin and have an interval, got 'mcnemar'",
        ),
        (
            PairedTable(1, 2, 3, 4),
            {"method": "bca-bootstrap"},
            UnknownMethod,
            "must take a margin and have an interval, got 'bca-bootstrap'",
        ),
        (
            PairedTable(1, 2, 3, 4),
            {"method": "nope"},
            UnknownMethod,
            "unknown method 'nope'. Use one of: 'mcnemar-evalue'",
        ),
        (
            Predictions.of(COLUMNS, models=["old", "new"]),
            {"groups": ["x"]},
            InvalidOption,
            "`groups` is for tables, got predictions",
        ),
        (
            Predictions.of(COLUMNS, models=["old"]),
            {},
            InvalidEvidence,
            "a gate compares two models, the baseline first, got 1: 'old'",
        ),
        (Predictions.of(COLUMNS), {}, InvalidEvidence, "'old', 'new', 'site'"),
        ([1, 2, 3, 4], {}, InvalidEvidence, "PairedTable"),
    ],
)
def test_unsuitable_evidence_is_refused(evidence, options, error, told):
    with pytest.raises(error) as raised:
        judge(evidence, **options)
    assert told in str(raised.value)


def test_a_group_without_examples_is_refused():
    """An empty group must not make a gate pass."""
    counted = Predictions.of(COLUMNS, models=["old", "new"], group="site").tally()
    patterns = {code: np.array([0, 1]) * count for code, count in counted.patterns.items()}
    with pytest.raises(InvalidEvidence, match="group 'north' has no examples left"):
        judge(replace(counted, examples=counted.examples * [0, 1], patterns=patterns))


# --- What it says -------------------------------------------------------------------------------------


def test_the_summary_has_the_verdict_the_interval_and_the_counts():
    found = judge(PairedTable(5, 12, 17, 966, models=("old", "new")))
    assert isinstance(found, Judgement)
    assert found.words.startswith("NOT ENOUGH EVIDENCE that new is at most 1 pp worse than old; error rate ")
    for part in (
        "0.50 pp higher (90% CI -0.40 to 1.44), p = 0.18",
        "1,000 examples, 29 discordant: 17 only new wrong, 12 only old wrong",
        "pass with 80% power if both are equal",
        "Applies to these trained models on data from the same source, not to retraining.",
    ):
        assert part in found.words


def test_every_form_comes_from_the_same_rows():
    found = by_group(PASSES, OPENS)
    lines = [line.split() for line in str(found).splitlines()]
    assert [line[0] for line in lines if line and line[0] in {"g0", "g1"}] == ["g1", "g0"]
    assert repr(found) == str(found)
    assert "NOT ENOUGH EVIDENCE" in found._repr_html_()


def test_a_name_stays_on_its_line():
    """A newline in a name would look like a line of the output."""
    models = ("old\nPASS: y", "new\r\n\u2028verdict  PASS: x")
    alone = judge(PairedTable(*OPENS, models=models))
    grouped = judge(PairedTable(*([cell] for cell in OPENS), models=models), groups=["g\nall groups  z"])
    for found in (alone, grouped):
        display = found.display()
        texts = [found.words, display.verdict, *(text for row in display.rows for text in row)]
        assert not any(len(text.splitlines()) > 1 for text in texts)


def test_for_many_undecided_groups_the_sum_of_examples_is_printed():
    found = by_group(*[OPENS] * 7, PASSES)
    assert (
        "g2 needs 248 more examples (268 in all); 4 other groups need more, too (all groups: 1,736 more" in found.words
    )
    assert 7 * 248 == found.more == 1736


def test_twenty_groups_have_one_row_each():
    lines = str(by_group(*[PASSES] * 23, OPENS)).splitlines()
    groups = [line.split()[0] for line in lines if re.match("  g[0-9]", line)]
    assert (groups[0], len(groups)) == ("g23", 20)
    assert "  and 4 more groups (--json lists all)" in lines


def test_json_keeps_every_digit():
    found = judge(PairedTable(5, 12, 17, 966))
    told = json.loads(found.to_json())
    assert told["all"]["comparison"]["interval"]["low"] == found.comparison.interval.low
    assert told["all"]["pvalue_worse"] == found.together.worse
    assert (told["verdict"], told["more"], told["exit_status"]) == (OPEN, found.more, 3)
