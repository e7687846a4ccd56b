"""Designs of one test set or two: what they hold, where they move to, what they list, and what they draw."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.evidence import ErrorCount, IndependentCounts, PairedTable
from tellapart.lab import OneRate, PairedOutcomes, TwoRates
from tellapart.methods import find_methods

laws = settings(derandomize=True, deadline=None, max_examples=12)
EXTRA = {"beta": {"prior": (0.5, 0.5)}, "posterior": {"prior": (2, 3)}, "hypergeometric": {"pool": 1000}}
TRIALS = 2000

# Small enough that the slow ones (unconditional, boschloo, barnard) are quick, too.
DESIGNS = {
    PairedTable: PairedOutcomes(0.3, 0.2, 0.35, 4),
    IndependentCounts: TwoRates(0.3, 0.2, 5, 4),
    ErrorCount: OneRate(0.3, 15),
}
EVERYBODY = [
    (evidence, name)
    for evidence in DESIGNS
    for name in sorted({result.name for result in find_methods(evidence=evidence)})
]


@pytest.mark.parametrize(("evidence", "name"), EVERYBODY)
def test_enumeration_and_simulation_agree(evidence, name):
    """On every method where both exist, within four standard errors of the simulation."""
    options = EXTRA.get(name, {})
    if any("rng" in result.options for result in find_methods(name=name, evidence=evidence)):  # it draws itself
        drawn = ta.calibrate(name, DESIGNS[evidence], differences=[], trials=20, resamples=50)
        assert drawn.trials == 20
        return
    exact = ta.calibrate(name, DESIGNS[evidence], differences=[0.1], rng=7, **options)
    drawn = ta.calibrate(name, DESIGNS[evidence], differences=[0.1], rng=7, trials=TRIALS, **options)
    assert (exact.trials, drawn.trials) == ("exact", TRIALS)
    for figure in ("size", "power", "sign_errors", "undefined", "coverage", "too_high", "too_low", "bounded"):
        true, counted = getattr(exact, figure), getattr(drawn, figure)
        assert (true is None) == (counted is None)
        if true is not None:
            error = np.sqrt(np.maximum(true.value * (1 - true.value), 0) / TRIALS)
            assert np.all(np.abs(counted.value - true.value) <= 4 * error + 1 / TRIALS), figure
    if exact.width is not None:
        contained = drawn.tally["bounded"]
        spread = np.sqrt(np.maximum(drawn.tally["width squared"] / contained - drawn.width**2, 0) / contained)
        assert np.all(np.abs(drawn.width - exact.width) <= 4 * spread + 1e-9)
    if exact.size is not None and exact.undefined.value[0] == 0:
        true = exact.quantiles[1]
        counted = drawn.quantiles[1]
        assert np.all(np.abs(counted - true) <= 4.5 * np.sqrt(np.maximum(true * (1 - true), 0) / TRIALS) + 1 / TRIALS)


# --- What is true -----------------------------------------------------------------------------------------------------


@st.composite
def paired_designs(draw):
    a, b = draw(st.floats(0, 1)), draw(st.floats(0, 1))
    low, high = abs(a - b), min(a + b, 2 - a - b)
    return PairedOutcomes(a, b, low + (high - low) * draw(st.floats(0, 1)), draw(st.integers(1, 40)))


@laws
@given(paired_designs(), st.floats(-1, 1))
def test_moving_keeps_disagreement_and_common_errors(design, share):
    difference = share * float(design.disagreement)
    moved = design.at(difference)
    assert_allclose(moved.truth("difference"), difference, atol=1e-12)
    assert_allclose(moved.cells[0], design.cells[0], atol=1e-12)
    assert_allclose(moved.disagreement, design.disagreement)
    assert_allclose(sum(moved.cells), 1, atol=1e-12)
    assert all(cell >= 0 for cell in moved.cells)


@laws
@given(paired_designs())
def test_all_tables_have_probability_one_and_the_right_means(design):
    for view in ("discordant errors", "four cells"):
        listed = design.everything(view, [design])
        chance = listed.probability[:, 0]
        assert_allclose(chance.sum(), 1, atol=1e-12)
        both, only_a, only_b, _ = design.cells
        assert_allclose(chance @ listed.evidence.only_a_wrong, design.examples * only_a, atol=1e-9)
        assert_allclose(chance @ listed.evidence.only_b_wrong, design.examples * only_b, atol=1e-9)
        if view == "four cells":
            assert_allclose(chance @ listed.evidence.both_wrong, design.examples * both, atol=1e-9)


def test_listed_probabilities_are_scipys_multinomial():
    design = PairedOutcomes(0.3, 0.25, 0.2, 12)
    listed = design.everything("four cells", [design])
    table = listed.evidence
    cells = np.column_stack([table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right])
    assert len(cells) == 455  # (12 + 3 choose 3)
    assert_allclose(
        listed.probability[:, 0], stats.multinomial.pmf(cells, 12, [0.175, 0.125, 0.075, 0.625]), rtol=1e-11
    )


def test_a_difference_up_to_the_disagreement_leaves_no_residue():
    """0.1 + 0.2 − 0.3 is not 0 in floats; the cell that must be empty is."""
    for disagreement in (0.1, 0.3, 0.7):
        moved = PairedOutcomes(disagreement / 2, disagreement / 2, disagreement, 10).at(disagreement)
        assert moved.cells[2] == 0
        assert np.isinf(moved.truth("odds"))
    assert TwoRates(0.15, 0.15, 5, 5).at(0.3).error_b == 0
    assert OneRate(0.1, 5).at(-0.1).error == 0


def test_what_was_observed_becomes_a_design():
    design = PairedOutcomes.from_table(PairedTable(10, 25, 10, 255))
    assert design.examples == 300
    assert_allclose(design.disagreement, 35 / 300)
    assert_allclose([design.error_a, design.error_b], (35 + 20) / 2 / 300)  # equal: the difference is not taken over
    result = ta.calibrate("pooled-z", IndependentCounts(ErrorCount(3, 40), ErrorCount(9, 50)), differences=[])
    assert_allclose(result.design.error_a, 12 / 90)
    assert ta.calibrate("wilson", ErrorCount(3, 120), differences=[]).design.examples == 120


def test_no_errors_at_all_can_be_looked_at():
    """0 of 120: there is no threshold to test against, but intervals to measure."""
    result = ta.calibrate(None, ErrorCount(0, 120))
    assert all(one.size is None and one.coverage is not None for one in result)
    assert result["clopper-pearson"].coverage.value[0] == 1
    both = ta.calibrate(None, PairedTable(0, 0, 0, 50))
    assert both["mcnemar"].size.value == 0
    pair = ta.calibrate(None, IndependentCounts(ErrorCount(0, 20), ErrorCount(0, 30)))
    assert pair["fisher"].size.value == 0


def test_default_differences_stay_where_there_is_room():
    assert PairedOutcomes(0.1, 0.1, 0.03, 50).grid == (0.01, 0.02)
    assert_allclose(PairedOutcomes(0.12, 0.1, 0.03, 50).grid, 0.02)
    assert TwoRates(0.005, 0.005, 50, 50).grid == (0.01,)
    assert OneRate(0.985, 50).grid == (0.01,)
    assert ta.calibrate("wilson", OneRate(0.015, 50), alternative="less").effects.tolist() == [-0.01]


# --- Several designs in one -------------------------------------------------------------------------------------------


def test_indexing_a_design():
    design = TwoRates([0.1, 0.2, 0.3], 0.2, 10, 20)
    assert design.shape == (3,)
    assert (design[1].error_a, design[1].error_b, design[1].shape) == (0.2, 0.2, ())
    assert design[1:].shape == (2,)
    with pytest.raises(IndexError, match="cannot be indexed"):
        _ = design[0][0]
    assert "10% to 30% and 20%" in design.describe()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: OneRate(1.1, 5), "`error` must be a rate between 0 and 1, got 1.1"),
        (lambda: OneRate("0.1", 5), "`error` must be a rate"),
        (lambda: OneRate(True, 5), "`error` must be a rate"),
        (lambda: OneRate(np.nan, 5), "`error` must be a rate"),
        (lambda: OneRate([], 5), "`error` must be a rate"),
        (lambda: OneRate([[0.1], [0.1, 0.2]], 5), "`error` must be a rate"),
        (lambda: OneRate(0.1, 5, against=-0.1), "`against` must be a rate"),
        (lambda: OneRate(0.1, 0), "`examples` must be a whole number, at least 1, got 0"),
        (lambda: OneRate(0.1, 1.5), "`examples` must be a whole number"),
        (lambda: OneRate(0.1, np.inf), "`examples` must be a whole number"),
        (lambda: OneRate(0.1, np.nan), "`examples` must be a whole number"),
        (lambda: OneRate(0.1, 10**30), "`examples` must be a whole number"),
        (lambda: OneRate(0.1, [5, 6]), "`examples` must be a whole number"),
        (lambda: TwoRates(0.1, 0.2, 5, None), "`examples_b` must be a whole number"),
        (lambda: TwoRates([0.1, 0.2], [0.1, 0.2, 0.3], 5, 5), r"one shape, got error_a \(2,\), error_b \(3,\)"),
        (lambda: PairedOutcomes(0.1, 0.2, 0.05, 5), "`disagreement` must be between 0.1 and 0.3"),
        (lambda: PairedOutcomes(0.9, 0.9, 0.3, 5), "`disagreement` must be between 0 and 0.2"),
        (lambda: PairedOutcomes(0.1, 0.1, 0.05, 5).at(0.1), "`difference` must be between -0.05 and 0.05"),
        (lambda: TwoRates(0.1, 0.1, 5, 5).at(0.3), "`difference` must be at most 0.2"),
        (lambda: OneRate(0.1, 5).at(-0.2), "`difference` must be between -0.1 and 0.9"),
        (lambda: PairedOutcomes.from_table(PairedTable([1, 2], 1, 1, 1)), r"Take one of them: table\[0\]"),
    ],
)
def test_designs_that_cannot_be(build, message):
    with pytest.raises(InvalidOption, match=message):
        build()


def test_whole_floats_are_whole():
    assert OneRate(0.1, 5.0).examples == 5
    assert OneRate(0.1, np.int32(5)).as_dict() == {"design": "OneRate", "error": 0.1, "examples": 5, "against": 0.1}


# --- Truths and facts -------------------------------------------------------------------------------------------------


def test_what_means_nothing_at_a_design_is_refused():
    for design in (OneRate(0.1, 50), TwoRates(0.1, 0.1, 50, 80)):
        with pytest.raises(InvalidOption, match="`parameter` must be one of difference, error, got 'odds'"):
            design.truth("odds")


def test_facts_are_of_one_design():
    for design in (OneRate([0.1, 0.2], 50), PairedOutcomes(0.2, 0.2, [0.1, 0.2], 50)):
        with pytest.raises(
            InvalidOption,
            match=(
                r"`facts` needs one design, got an array of shape \(2,\). Take one of them:"
                r" design\[0\]"
            ),
        ):
            _ = design.facts
        assert design[0].facts["examples"] == 50


def test_an_error_below_its_threshold_is_where_power_is_measured():
    """The power of the exact test of 0.1 at an error of 0.05, by its critical region (SciPy)."""
    design = OneRate(0.05, 100, against=0.1)
    assert design.describe() == "one model, error rate 5%, threshold 10%, 100 examples"
    assert_allclose(design.grid, [-0.05])
    result = ta.calibrate("clopper-pearson", design)
    counts = np.arange(101)
    tails = np.minimum(stats.binom.cdf(counts, 100, 0.1), stats.binom.sf(counts - 1, 100, 0.1))
    rejected = 2 * tails < 0.05
    assert_allclose(result.size.value, stats.binom.pmf(counts, 100, 0.1)[rejected].sum())
    assert_allclose(result.power.value, stats.binom.pmf(counts, 100, 0.05)[rejected].sum())


def test_rounding_is_no_difference():
    assert PairedOutcomes(0.1 + 0.2, 0.3, 0.2, 50).grid == (0.01, 0.02, 0.05)
    assert TwoRates(0.1 + 0.2, 0.3, 50, 50).grid == (0.01, 0.02, 0.05)
