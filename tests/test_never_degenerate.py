"""The never-degenerate contract: no NaN, no infinity, no p = 0 and no zero width without a reason in the result."""

import json
import math
import re
from dataclasses import fields
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tellapart import (
    ClassScores,
    ConfusionMatrix,
    ErrorCount,
    IndependentCounts,
    Outcomes,
    PairedConfusion,
    PairedTable,
    Resamples,
    ScoreTable,
    StratifiedCount,
    compare,
    find_methods,
    race,
)
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import TrainingSets
from tellapart.methods.assumptions import Context, check_assumptions

METHODS = [
    method
    for kind in (PairedTable, IndependentCounts)
    for method in find_methods(evidence=kind)
    if method.gives in {"test", "interval"}
]
TESTS = [method for method in METHODS if method.gives == "test"]
HYPOTHESES = ("non-inferior", "superior", "equivalent")
few = settings(derandomize=True, deadline=None, max_examples=12)
cells = st.tuples(*[st.integers(0, 60)] * 4).filter(any)
counts = st.integers(1, 80).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


def by_name(method):
    return f"{method.name}-{method.gives}-{method.evidence.__name__}"


def asking(method):
    """Return the keyword that selects this method."""
    return {"method" if method.gives == "test" else "interval": method.name}


# --- The never-degenerate contract: no NaN, no infinity, no p = 0, no zero width without a reason in the result ---

DEGENERATE = [
    *((0, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)),  # one example
    *((0, 0, 0, 20), (20, 0, 0, 0), (9, 0, 0, 11)),  # no discordant pairs
    *((0, 20, 0, 0), (0, 0, 20, 0), (0, 5, 0, 15), (0, 0, 5, 15), (5, 15, 0, 0)),  # all one way
    *((0, 10, 10, 0), (0, 5, 5, 10)),  # a draw
]
HUGE = [
    (0, 0, 0, 10**9),
    (0, 10**9, 0, 0),
    (0, 0, 1, 10**9 - 1),
    (10**8, 10**8, 10**8, 7 * 10**8),
    (0, 5 * 10**8, 5 * 10**8, 0),
]
DEGENERATE_COUNTS = [
    *((0, 1, 0, 1), (1, 1, 0, 1), (0, 1, 1, 1), (1, 1, 1, 1)),
    *(
        (0, 20, 0, 20),
        (20, 20, 20, 20),
        (20, 20, 0, 20),
        (0, 20, 20, 20),
        (0, 3, 3, 3),
        (0, 1, 0, 20),
        (10, 20, 10, 20),
    ),
]
HUGE_COUNTS = [(0, 10**9, 0, 10**9), (10**9, 10**9, 0, 10**9), (5 * 10**8, 10**9, 5 * 10**8, 10**9), (0, 1, 1, 10**9)]
# The codes that name a reason, by what they excuse.
REASONS = {
    "an endless limit": {"TA107", "TA108"},  # nothing is known of the odds; one of the two made no error
    "no width": {"TA103", "TA204"},  # of forbidden intervals: see the end of this file
    "no p-value": {"TA010"},  # a forbidden rule
    "an infinite statistic": {"TA109", "TA205"},  # no spread was seen
}
LIMITED = {"unconditional", "mcnemar-unconditional", "barnard", "boschloo", "martin-hirschberg-exact"}  # they enumerate


def degenerate(method):
    paired = method.evidence is PairedTable
    rows = [*(DEGENERATE if paired else DEGENERATE_COUNTS)]
    if method.name not in LIMITED:
        rows += HUGE if paired else HUGE_COUNTS
    columns = np.array(rows).T
    return PairedTable(*columns) if paired else IndependentCounts.from_counts(*columns)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_nothing_degenerates_without_a_named_reason(method, alternative):
    evidence = degenerate(method)
    answer = compare(evidence, alternative=alternative, **asking(method))
    limits, pvalue = answer.interval, answer.pvalue
    ends = {"two-sided": [], "greater": ["high"], "less": ["low"]}[alternative]  # a bound ends where its range ends
    endless = np.zeros(evidence.shape, dtype=bool)
    for end in {"low", "high"} - set(ends):
        endless |= ~np.isfinite(getattr(limits, end))
    named = {
        "an endless limit": endless,
        "no width": ~(limits.width > 0),
        "no p-value": ~np.isfinite(pvalue),
        "an infinite statistic": ~np.isfinite(answer.statistic),
    }
    for what, result in named.items():
        reasons = [check.holds for check in answer.checks if check.code in REASONS[what]]
        excused = ~np.all(reasons, axis=0) if reasons else np.zeros(evidence.shape, dtype=bool)
        lost = [evidence[index].describe() for index in np.flatnonzero(result & ~excused)]
        assert not lost, f"{what} without a reason"
    assert np.all((pvalue > 0) & (pvalue <= 1) | named["no p-value"])
    if limits.parameter == "difference" and method.name != "wald-independent":
        assert np.all((limits.low >= -1) & (limits.high <= 1))


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_one_degenerate_table_is_rendered_in_every_form(method):
    """A scalar takes other paths than an array; a warning would be an error here."""
    for one in degenerate(method):
        answer = compare(one, **asking(method))
        text = f"{answer}\n{answer.to_markdown()}\n{answer.to_latex()}\n{answer._repr_html_()}\n{answer.words}"
        assert not re.search(r"\b(nan|inf)\b", text, re.I)
        assert json.loads(answer.to_json(), parse_constant=pytest.fail)["words"] == answer.words


@pytest.mark.parametrize("test", [test for test in TESTS if test.name not in {"k-se", "interval-overlap"}], ids=by_name)
def test_identical_classifiers_have_a_p_value_of_1(test):
    """Other packages print 0, NaN or an exception."""
    same = PairedTable([0, 7, 50], 0, 0, [1, 93, 50]) if test.evidence is PairedTable else None
    if same is None:
        same = IndependentCounts.from_counts([0, 100, 40], 100, [0, 100, 40], 100)
    answer = compare(same, method=test.name)
    assert_allclose(answer.pvalue, 1.0)
    assert answer.better.tolist() == [None] * 3


@pytest.mark.parametrize(
    "interval",
    [
        method
        for method in METHODS
        if method.gives == "interval" and method.parameter == "difference" and "rng" not in method.options
    ],
    ids=by_name,
)
@pytest.mark.parametrize("hypothesis", ["non-inferior", "equivalent"])
def test_a_few_identical_answers_never_demonstrate_a_margin(interval, hypothesis):
    """The score test decides, whatever interval is shown."""
    five = PairedTable(0, 0, 0, 5) if interval.evidence is PairedTable else IndependentCounts.from_counts(0, 5, 0, 5)
    answer = compare(five, margin=0.02, hypothesis=hypothesis, interval=interval.name)
    assert not answer.rejected
    assert answer.better is None


# --- What other packages print on such input (each with the right answer) ---


def test_a_draw_with_a_continuity_correction_has_no_statistic():
    """Five discordant errors each: other packages give chi-square 0.1 and p = 0.752."""
    answer = compare(PairedTable(0, 5, 5, 90), method="mcnemar-corrected")
    assert (answer.statistic, answer.pvalue) == (0, 1)


def test_the_tango_interval_has_width_without_discordant_pairs():
    answer = compare(PairedTable(0, 0, 0, 100))
    assert_allclose([answer.interval.low, answer.interval.high], [-0.0370, 0.0370], atol=5e-5)


def test_a_perfect_model_beats_one_that_is_always_wrong():
    """A right 100 times, B wrong 100 times: the exact p-value is 2·2^-100 = 1.578e-30."""
    answer = compare(PairedTable(0, 0, 100, 0), method="mcnemar-exact")
    assert_allclose(answer.pvalue, 2.0**-99, rtol=1e-12)
    assert answer.better == "A"


def test_three_of_three_against_none_of_three_is_not_significant():
    """Fisher's p-value is 2/C(6, 3) = 0.1, not the z test's 0.0143."""
    counts = IndependentCounts.from_counts(0, 3, 3, 3)
    assert_allclose(compare(counts, method="fisher").pvalue, 0.1)
    assert compare(counts, method="fisher").better is None


@pytest.mark.parametrize(
    ("make", "note"),
    [
        (lambda: PairedTable(1, -2, 3, 4), "`only_a_wrong` must be whole numbers of 0 or more, got -2."),
        (lambda: PairedTable(1, math.nan, 3, 4), "`only_a_wrong` must be whole numbers of 0 or more, got nan."),
        (lambda: PairedTable(0, 0, 0, 0), "at least one example"),
        (lambda: IndependentCounts.from_counts(11, 10, 0, 10), "`errors` must be at most `trials`, got 11 of 10."),
        (lambda: IndependentCounts.from_counts(0, 0, 0, 10), "`trials` must be at least 1, got 0."),
        (lambda: PairedTable.from_predictions([1, 0, 1], [1, 0], [1, 0, 1]), "predictions_a"),
        (
            lambda: PairedTable.from_correct([1, math.nan, 1], [1, 0, 1]),
            "must have no missing labels, got one at position 1.",
        ),
    ],
    ids=["negative", "NaN", "nothing", "11 of 10", "0 of 0", "lengths", "NaN outcome"],
)
def test_impossible_input_is_an_error_without_a_p_value(make, note):
    with pytest.raises(InvalidEvidence) as caught:
        make()
    assert note in str(caught.value)


def test_labels_may_be_lists_of_texts():
    table = PairedTable.from_predictions(["cat", "dog", "dog"], ["cat", "cat", "dog"], ["cat", "dog", "dog"])
    assert compare(table).evidence.only_a_wrong == 1


@few
@given(st.lists(cells, min_size=2, max_size=6))
def test_shards_pool_to_the_comparison_of_the_whole(parts):
    whole = PairedTable(*np.sum(parts, axis=0))
    assert compare(sum(PairedTable(*part) for part in parts)).words == compare(whole).words


# --- Many tables at once ---

MANY = PairedTable([[2, 0, 3], [0, 7, 1]], [[15, 4, 0], [12, 2, 9]], [[4, 0, 0], [0, 2, 9]], [[9, 20, 17], [1, 9, 0]])
MANY_COUNTS = IndependentCounts.from_counts(
    [[30, 0, 3], [0, 7, 1]], [[99, 9, 3], [12, 20, 90]], [[20, 9, 0], [1, 7, 9]], 60
)


# What the bootstraps draw for many is not what they draw for one.
NOT_DRAWN = [method for method in METHODS if "rng" not in method.options]


@pytest.mark.parametrize("method", NOT_DRAWN, ids=by_name)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_a_batch_is_a_loop(method, alternative):
    many = MANY if method.evidence is PairedTable else MANY_COUNTS
    answer = compare(many, alternative=alternative, **asking(method))
    assert answer.shape == (2, 3)
    for index in np.ndindex(2, 3):
        assert_same(answer[index], compare(many[index], alternative=alternative, **asking(method)))


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
@pytest.mark.parametrize("many", [MANY, MANY_COUNTS], ids=["paired", "independent"])
def test_a_batch_is_a_loop_with_a_margin(many, hypothesis):
    answer = compare(many, margin=0.1, hypothesis=hypothesis, looks=1)
    for index in np.ndindex(2, 3):
        assert_same(answer[index], compare(many[index], margin=0.1, hypothesis=hypothesis, looks=1))


def assert_same(one, alone):
    """Assert that all fields and rows of two results are equal, numbers up to the last digits."""
    assert one.shape == ()
    for field in fields(one):
        here, there = getattr(one, field.name), getattr(alone, field.name)
        if field.name in {"evidence", "interval", "test", "hypothesis"}:
            here, there = (part.as_dict() if hasattr(part, "as_dict") else _slots(part) for part in (here, there))
            assert here.keys() == there.keys()
            for name in here:
                _close(here[name], there[name])
        elif field.name == "checks":
            assert [(check.code, check.title) for check in here] == [(check.code, check.title) for check in there]
            assert [check.holds for check in here] == [check.holds for check in there]
            for check, expected in zip(here, there, strict=True):
                _close(check.figure, expected.figure)
        else:
            _close(here, there)
    assert one.better == alone.better
    assert one.words == alone.words
    # A caution of many entries has one remedy for all.
    here, there = ([row for row in each.display(verbose=True).rows if row.label != "caution"] for each in (one, alone))
    assert here == there


def _slots(part):
    return {field.name: getattr(part, field.name) for field in fields(part)}


def _close(here, there):
    if isinstance(there, float | np.floating):
        assert_allclose(here, there, rtol=1e-9, atol=1e-12)
    else:
        assert here == there or (here is None and there is None)


def test_the_summary_of_many_tables_counts_significant_ones():
    many = PairedTable([20, 0, 0], [25, 0, 40], [10, 0, 1], [45, 9, 0])
    assert compare(many).words.startswith("2 of 3 comparisons are significant")
    assert compare(many).better.tolist() == ["B", None, "B"]
    assert compare(many, margin=0.1).words.startswith("2 of 3 comparisons ")


def test_a_hundred_thousand_tables_are_one_pass():
    cells = np.random.default_rng(0).multinomial(300, [0.10, 0.08, 0.05, 0.77], size=100_000)
    answer = compare(PairedTable(*cells.T))
    assert answer.shape == (100_000,)
    assert answer[4321].words == compare(PairedTable(*cells[4321])).words


# --- Scores of every example: one entry at a time, for each has examples of its own ---

OUTCOME_METHODS = [method for method in find_methods(evidence=Outcomes) if method.gives in {"test", "interval"}]
DEGENERATE_SCORES = {
    "one example": ([1], [0]),
    "nobody errs": ([1] * 5, [1] * 5),
    "all one way": ([0] * 6, [1] * 6),
    "a draw": ([1, 0], [0, 1]),
    "one lone error": ([1] * 9 + [0], [1] * 10),
    "graded": ([0.5, 0.2, 0.7, 0.9], [0.7, 0.2, 0.9, 0.1]),
    "the same difference": ([0.5] * 4, [0.7] * 4),
    "identical": ([0.2, 0.3, 0.9], [0.2, 0.3, 0.9]),
    "far apart": ([1e100, -1e100, 3e99], [0.0, 0.0, 1e99]),
    "tiny": ([1e-300, 2e-300, 0.0], [0.0, 1e-301, 1e-300]),
    "near a million million": ([1e12, 1e12 + 1, 1e12 + 3], [1e12, 1e12, 1e12]),
}
LAYOUTS = {
    "plain": lambda _: {},
    "one cluster": lambda n: {"clusters": [0] * n},
    "each its own": lambda n: {"clusters": list(range(n))},
    "one ruling cluster": lambda n: {"clusters": [0] * (n - 1) + [1]},
    "weights": lambda n: {"weights": [10.0 ** (-6 * index) for index in range(n)]},
}
# No spread to judge by, a group of one, a cluster that decides alone: limits without end where scores have no bounds.
ENDLESS = {"TA501", "TA506", "TA507", "TA512", "TA514"}


def degenerate_outcomes(method):
    """Yield degenerate scores that the method accepts."""
    for (a, b), (layout, laid_out) in product(DEGENERATE_SCORES.values(), LAYOUTS.items()):
        options = laid_out(len(a))
        if method.name == "macro-average":
            options["groups"] = list(map(str, options.get("clusters", [0] * (len(a) - 1) + [1])))
        graded = not set(map(float, a + b)) <= {0.0, 1.0}
        for bounds in (None, (0, 1)) if graded and max(a) <= 1 else (None,):
            sample = Outcomes.from_scores(a, b, bounds=bounds, **options)
            if method.name in COUNTING and (graded or layout == "weights"):
                continue
            yield sample.select("A") if method.name == "rao-scott-wilson" else sample


COUNTING = {"rao-scott-wilson", "obuchowski", "durkalski", "eliasziw-donner", "yang"}  # right and wrong, unweighted


@pytest.mark.parametrize("method", OUTCOME_METHODS, ids=by_name)
def test_no_scores_degenerate_without_a_named_reason(method):
    options = {"resamples": 99} if "resamples" in method.options else {}
    for sample in degenerate_outcomes(method):
        answer = method(sample, **options)
        if method.gives == "test":
            assert 0 < answer.pvalue <= 1, sample
            if np.ptp(sample.values) == 0 == sample.difference:
                assert answer.pvalue == 1, sample
            continue
        least, most = sample.range
        assert least <= answer.low < answer.high <= most, sample
        if not np.isfinite([answer.low, answer.high]).all():
            checks = check_assumptions(method.assumes, sample, Context(interval=answer))
            assert {check.code for check in checks if not check.holds} & ENDLESS, sample


# --- Other metrics: counts by label, and scores by class ---

MEASURED = [
    method
    for kind in (ConfusionMatrix, PairedConfusion, ClassScores)
    for method in find_methods(evidence=kind)
    if method.gives in {"test", "interval"}
]
MATRICES = [
    *([[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [1, 0]], [[0, 0], [0, 1]]),  # one example
    *([[9, 0], [0, 9]], [[0, 9], [9, 0]]),  # all right, all wrong
    *([[9, 0], [9, 0]], [[0, 9], [0, 9]], [[9, 9], [0, 0]], [[0, 0], [9, 9]]),  # one prediction, one label
    *([[5, 1], [0, 4]], [[5, 1], [4, 0]], [[5, 5], [5, 5]]),
    *([[10**9, 0], [0, 10**9]], [[0, 1], [10**9, 10**9]], [[10**9, 10**8], [10**7, 10**9]]),
]
CUBES = [
    *([[[1, 0], [0, 0]], [[0, 0], [0, 0]]], [[[0, 1], [0, 0]], [[0, 0], [0, 0]]], [[[0, 0], [0, 0]], [[0, 0], [1, 0]]]),
    *([[[9, 0], [0, 0]], [[0, 0], [0, 9]]], [[[0, 0], [0, 9]], [[9, 0], [0, 0]]]),  # identical: all right, all wrong
    *([[[9, 0], [0, 3]], [[2, 0], [0, 9]]], [[[9, 0], [0, 0]], [[9, 0], [0, 0]]]),  # identical
    *([[[0, 9], [0, 0]], [[0, 0], [9, 0]]], [[[9, 0], [0, 0]], [[0, 9], [0, 0]]]),  # all one way, and never positive
    *([[[5, 5], [5, 5]], [[5, 5], [5, 5]]], [[[9, 3], [3, 0]], [[0, 2], [2, 9]]]),  # a draw
    *([[[10**9, 0], [0, 0]], [[0, 1], [0, 10**9]]], [[[10**9, 10**7], [10**8, 5]], [[7, 10**8], [10**7, 10**9]]]),
]
SCORES = {
    "one of each": ([0, 1], [0.1, 0.9], [0.9, 0.1]),
    "perfect": ([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], [0.1, 0.2, 0.8, 0.9]),
    "all wrong": ([0, 0, 1, 1], [0.8, 0.9, 0.1, 0.2], [0.1, 0.2, 0.8, 0.9]),
    "constant": ([0, 0, 1, 1], [0.5] * 4, [0.5] * 4),
    "constant against perfect": ([0, 0, 1, 1], [0.5] * 4, [0.1, 0.2, 0.8, 0.9]),
    "identical": ([0, 1, 0, 1, 0], [3, 2, 1, 5, 4], [3, 2, 1, 5, 4]),
    "the same order": ([0, 1, 0, 1, 0], [3, 2, 1, 5, 4], [30, 20, 10, 50, 40]),
    "one positive": ([0] * 9 + [1], list(range(10)), [*range(9), 4.5]),
    "far apart": ([0, 1, 0, 1], [-1e300, 1e300, 1e-300, 0.0], [0.0, 1e-300, 2e-300, 3e-300]),
}
ASKED = (
    "recall",
    "precision",
    "f1",
    "jaccard",
    "balanced-accuracy",
    "mcc",
    "kappa",
    "f1-macro",
    "label-balance",
    "cost",
)
UNDEFINED = {"TA601", "TA612"}  # nothing was predicted, or there is no example of the class: by one model, or by either


def degenerate_measures(method):
    """Yield degenerate evidence for every metric of the method: many matrices at once."""
    if method.evidence is ClassScores:
        for metric, (truth, a, b) in product(("auc", "average-precision"), SCORES.values()):
            if method.serves(metric):
                sample = ClassScores.from_scores(truth, a, b).by(metric)
                yield sample.select("A") if method.question == 1 else sample
        return
    sample = ConfusionMatrix(MATRICES) if method.evidence is ConfusionMatrix else PairedConfusion(CUBES)
    for metric in ASKED:
        if method.serves(metric):
            yield sample.by(metric, **({"costs": [[0, 1], [10, 0]]} if metric == "cost" else {}))


def _ends_of(sample):
    return sample.metric.bounds if len(sample.models) == 1 else sample.metric.difference_bounds


@pytest.mark.parametrize("method", MEASURED, ids=by_name)
def test_no_metric_degenerates_without_a_named_reason(method):
    """Limits are the range of an undefined metric, whose p is NaN; else the interval has a width, and 0 < p <= 1."""
    options = {"resamples": 199} if "resamples" in method.options else {}
    for sample in degenerate_measures(method):
        answer = method(sample, **options)
        if method.gives == "interval":
            least, most = (0.0, np.inf) if method.parameter == "ratio" else _ends_of(sample)
            inside = (answer.low >= least) & (answer.low < answer.high) & (answer.high <= most)
            assert np.all(inside), (sample.metric, np.flatnonzero(~np.atleast_1d(inside)))
        undefined = np.isnan(sample.levels).any(axis=-1)
        if method.gives == "test":
            assert np.all((answer.pvalue > 0) & (answer.pvalue <= 1) | undefined), sample.metric
            assert np.all(np.isnan(answer.pvalue) | ~undefined), sample.metric
        settings_ = Context(interval=answer if method.gives == "interval" else None)
        needed = tuple(assumption for assumption in method.assumes if assumption.code in UNDEFINED)
        reasons = [check.holds for check in check_assumptions(needed, sample, settings_)]
        if undefined.any():
            assert np.array_equal(np.all(reasons, axis=0), ~undefined), sample.metric


@pytest.mark.parametrize("test", [method for method in MEASURED if method.gives == "test"], ids=by_name)
def test_identical_models_have_a_p_value_of_1_by_any_metric(test):
    options = {"resamples": 199} if "resamples" in test.options else {}
    if test.evidence is ClassScores:
        truth, a, b = SCORES["identical"]
        assert test(ClassScores.from_scores(truth, a, b), **options).pvalue == 1
        return
    for sample in degenerate_measures(test):
        off = ~np.eye(2, dtype=bool)
        same = (sample.counts[:, :, off].sum(axis=(1, 2)) == 0) & ~np.isnan(sample.levels).any(axis=-1)
        assert same.any()
        assert_allclose(test(sample, **options).pvalue[same], 1.0)


# --- No kind of evidence has an interval without width, unless the method is forbidden ---

INTERVALS = [method for method in find_methods(gives="interval") if method.function.__module__.startswith("tellapart.")]
WIDTH_CHECKS = {"TA007", "TA016", "TA103", "TA204"}  # "the interval has no width, as if … were known exactly"
NEEDED = {"prior": (0.5, 0.5), "pool": 10**10}
SCORED = {"10-fold": 10, "5x2": 10, "3x(2/3)": 3, "seeds": 4, "independent": 4}
RACED = (
    *("10-fold", "3x2", "5x2", "4x(2/3)", "2-fold*6", "apparent", "632*6", "nested 5x3", "conservative-z 5x3(0.9)"),
    *("holdout", "loo", "loo-star"),
)


class Echo:
    """A learner that is always right, or always wrong."""

    def __init__(self, wrong=False):
        self.wrong = wrong

    def get_params(self, deep=False):  # noqa: ARG002  # as scikit-learn asks
        return {"wrong": self.wrong}

    def set_params(self, wrong):
        self.wrong = wrong
        return self

    def fit(self, *_):
        return self

    def predict(self, examples):
        return examples[:, 0].astype(int) ^ self.wrong


@cache
def degenerate_resamples():
    """Return identical runs of one learner and of two: scores alone, and with predictions."""
    sample = []
    for (plan, runs), level, significant in product(SCORED.items(), (0.0, 0.9, 1.0), (None, 0.0, 0.5, 1.0)):
        scores = [np.full(runs, level)] + (
            [] if significant is None else [np.full(runs, max(level - significant, 0.0))]
        )
        sample.append(Resamples.from_scores(*scores, plan=plan, examples=100))
    examples = np.tile([[0.0], [1.0]], (10, 1))
    for plan, wrong in product(RACED, (False, True)):
        raced = race({"a": Echo(), "b": Echo(wrong)}, examples, examples[:, 0].astype(int), plan=plan)
        raced = raced if isinstance(raced, Resamples) else raced.resamples()
        sample += [raced, raced.select("a"), raced.select("b")]
    return sample


def degenerate_score_tables():
    for a, b in (([0.9] * 6, [0.9] * 6), ([0.9] * 6, [0.8] * 6), ([1.0] * 6, [0.0] * 6), ([0.9, 0.8], [0.9, 0.8])):
        for bounds in (None, (0, 1)):
            yield ScoreTable.from_scores({"a": a, "b": b}, bounds=bounds)
    yield ScoreTable.from_scores({"a": [[0.9, 0.9]] * 5, "b": [[0.8, 0.8]] * 5}, rho=0.5)


def degenerate_training_sets():
    for loss in (np.zeros((2, 3, 5)), np.ones((2, 3, 5)), np.stack([np.zeros((3, 5)), np.ones((3, 5))])):
        yield TrainingSets(loss)
        yield TrainingSets(loss[:1], learners=("A",))


def degenerate_evidence(method):
    """Yield evidence that the method accepts and at which an interval might have width 0."""
    match method.evidence.__name__:
        case "PairedTable" | "IndependentCounts":
            yield degenerate(method)
        case "ErrorCount":
            yield ErrorCount([0, 1, 0, 1, 2, 0, 20, 0, 10**9], [1, 1, 2, 2, 2, 20, 20, 10**9, 10**9])
        case "StratifiedCount":
            yield StratifiedCount([[0, 0], [5, 5], [0, 5], [1, 0]], 5, shares=[0.5, 0.5])
        case "Resamples":
            yield from degenerate_resamples()
        case "ScoreTable":
            yield from degenerate_score_tables()
        case "TrainingSets":
            yield from degenerate_training_sets()
        case "Outcomes":
            yield from degenerate_outcomes(method)
        case _:
            yield from degenerate_measures(method)


@pytest.mark.parametrize("method", INTERVALS, ids=by_name)
def test_only_discouraged_methods_give_intervals_without_width_and_a_check_fails(method):
    """An interval of width 0 claims certainty: its method has the status "do not use", and a check fails."""
    options = {name: NEEDED[name] for name in method.required}
    if "resamples" in method.options:
        options["resamples"] = 199
    answered = shrunk = 0
    for sample in degenerate_evidence(method):
        try:
            limits = method(sample, **options)
        except (InvalidEvidence, InvalidOption):  # one learner for two, or predictions for scores: it says which
            continue
        answered += 1
        point = ~(np.asarray(limits.high) > np.asarray(limits.low))
        if not point.any():
            continue
        shrunk += 1
        checks = check_assumptions(method.assumes, sample, Context(interval=limits))
        (width,) = (check for check in checks if check.code in WIDTH_CHECKS)
        assert np.array_equal(~np.asarray(width.holds), point)
    assert answered
    assert not shrunk or method.standing == "forbidden", method.rationale
