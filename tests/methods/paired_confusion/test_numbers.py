"""Every method for two classifiers by a metric against numbers from elsewhere: R, or arithmetic of another kind."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import binom, multinomial

from tellapart.evidence import PairedConfusion, PairedTable
from tellapart.methods.paired_confusion.delta import paired_delta
from tellapart.methods.paired_confusion.joint_resampling import bdeltacost, joint_bootstrap
from tellapart.methods.paired_confusion.on_class import (
    class_mcnemar_exact,
    class_mcnemar_mid_p,
    class_tango,
)
from tellapart.methods.paired_confusion.predictive import (
    generalized_score,
    relative_predictive_value,
    relative_predictive_value_test,
    weighted_score,
)
from tellapart.methods.paired_confusion.recalls import mover_tango
from tellapart.methods.paired_table.closed_form import bonett_price
from tellapart.methods.paired_table.tango_score import tango

# Paired1 of the R package DTComPair (1.2.2): disease, test 1, test 2. Its README prints the results below.
PAIRED1 = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]])
THREE = PairedConfusion(
    [
        [[40, 3, 2], [4, 5, 0], [1, 0, 3]],
        [[4, 2, 0], [3, 25, 4], [0, 1, 2]],
        [[2, 0, 1], [0, 3, 2], [4, 1, 20]],
    ]
)


def examples(pair):
    """Return label, prediction of A and prediction of B of every example."""
    return np.repeat(np.indices(pair.counts.shape).reshape(3, -1).T, pair.counts.ravel(), axis=0)


# --- Precision ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "statistic", "pvalue"),
    [("precision", 5.46588745, 0.01939120), ("negative-predictive-value", 16.53540, 4.775012e-05)],
)
def test_the_weighted_generalized_score_is_that_of_dtcompair(metric, statistic, pvalue):
    result = weighted_score(PAIRED1.by(metric))
    assert_allclose([result.statistic, result.pvalue], [statistic, pvalue], rtol=1e-6)


@pytest.mark.parametrize(
    ("metric", "ratio", "low", "high", "statistic", "pvalue"),
    [
        ("precision", 1.04860694, 1.00847050, 1.09034078, 2.38355929, 0.01714612),
        ("negative-predictive-value", 0.8536403, 0.7926258, 0.9193516, -4.182314, 2.885568e-05),
    ],
)
def test_the_relative_predictive_value_is_that_of_dtcompair(metric, ratio, low, high, statistic, pvalue):
    pair = PAIRED1.by(metric)
    limits, result = relative_predictive_value(pair), relative_predictive_value_test(pair)
    assert_allclose(
        [limits.low, limits.high, result.statistic, result.pvalue], [low, high, statistic, pvalue], rtol=1e-6
    )
    assert_allclose(np.sqrt(limits.low * limits.high), ratio, rtol=1e-6)
    assert limits.parameter == "ratio"


def by_estimating_equations(pair, positive):
    """Return the score statistic of D on who predicted it, examples being clusters (Boos 1992), from the examples."""
    rows = [
        (example, float(label == positive), float(who))
        for example, (label, *text) in enumerate(examples(pair).tolist())
        for who, one in enumerate(text)
        if one == positive
    ]
    cluster, d, who = np.array(rows).T
    x = np.column_stack([np.ones_like(who), who])
    p = d.mean()
    parts = np.zeros((int(cluster.max()) + 1, 2))
    np.add.at(parts, cluster.astype(int), x * (d - p)[:, None])
    meat, bread = parts.T @ parts, p * (1 - p) * x.T @ x
    project = np.array([-bread[1, 0] / bread[0, 0], 1.0])
    return parts.sum(axis=0)[1] ** 2 / (project @ meat @ project)


@pytest.mark.parametrize(("pair", "positive"), [(PAIRED1, 1), (THREE, 1), (THREE, 2)])
def test_the_generalized_score_is_that_of_the_estimating_equations(pair, positive):
    result = generalized_score(pair.by("precision", positive=positive))
    assert_allclose(result.statistic, by_estimating_equations(pair, positive), rtol=1e-10)


def test_the_generalized_score_is_that_of_statsmodels():
    """GEE with independent working correlation and the constraint of no difference, its score test (0.15)."""
    result = generalized_score(PAIRED1.by("precision"))
    assert_allclose([result.statistic, result.pvalue], [5.711240704719066, 0.016856621725914067], rtol=1e-10)


def test_a_ratio_without_a_bound_says_so_and_keeps_the_other():
    """A is never right: the ratio is anything from some number on. Nobody is: it is anything."""
    never = PairedConfusion([[[80, 2], [9, 0]], [[5, 12], [0, 0]]]).by("precision")
    limits, result = relative_predictive_value(never), relative_predictive_value_test(never, alternative="greater")
    assert limits.high == np.inf
    assert limits.low > 1
    assert result.pvalue < 0.025
    assert relative_predictive_value_test(never, alternative="less").pvalue > 0.5
    swapped = relative_predictive_value(never.swapped())
    assert (swapped.low, swapped.high) == (0, pytest.approx(1 / limits.low))
    neither = PairedConfusion([[[80, 2], [9, 0]], [[5, 0], [0, 0]]]).by("precision")
    limits = relative_predictive_value(neither)
    assert (limits.low, limits.high, relative_predictive_value_test(neither).pvalue) == (0, np.inf, 1)


# --- One class ------------------------------------------------------------------------------------

ON_CLASS = {
    "recall": lambda label, message: None if label != 1 else message != 1,
    "specificity": lambda label, message: None if label == 1 else message == 1,
    "false-positive-rate": lambda label, message: None if label == 1 else message == 1,
    "accuracy": lambda label, message: label != message,
    "f1-micro": lambda label, message: label != message,
}


@pytest.mark.parametrize("metric", ON_CLASS)
@pytest.mark.parametrize("pair", [PAIRED1, THREE], ids=["two", "three"])
def test_on_the_class_they_are_the_methods_of_a_paired_table(metric, pair):
    """The table is counted example by example; McNemar's p-values are sums of binomial probabilities."""
    wrong = ON_CLASS[metric]
    counted = dict.fromkeys(product((True, False), repeat=2), 0)
    for label, a, b in examples(pair).tolist():
        if wrong(label, a) is not None:
            counted[wrong(label, a), wrong(label, b)] += 1
    table = PairedTable(*counted.values())
    positive = {} if metric in {"accuracy", "f1-micro"} else {"positive": 1}
    options = pair.by(metric, **positive)
    assert options.difference == pytest.approx(table.difference, abs=1e-15)
    few, all_ = min(table.only_a_wrong, table.only_b_wrong), table.disagreements
    exact = min(2 * binom.cdf(few, all_, 0.5), 1)
    assert_allclose(class_mcnemar_exact(options).pvalue, exact, rtol=1e-10)
    mid = 2 * binom.cdf(few, all_, 0.5) - binom.pmf(few, all_, 0.5)
    assert_allclose(class_mcnemar_mid_p(options).pvalue, mid, rtol=1e-10)
    here, there = (fitted.interval(side="lower") for fitted in (class_tango(options), tango(table)))
    assert (here.low, here.high) == (there.low, there.high)
    assert class_tango(options).test(0.02, "less").pvalue == tango(table).test(0.02, "less").pvalue


# --- The delta method -----------------------------------------------------------------------------


def by_hand(name, cells):
    """Return a metric of a matrix of shares, written out once more."""
    labels, text, right = cells.sum(axis=1), cells.sum(axis=0), np.diag(cells)
    chance = labels @ text
    return {
        "f1": lambda: 2 * right[1] / (labels[1] + text[1]),
        "precision": lambda: right[1] / text[1],
        "f1-macro": lambda: np.mean(2 * right / (labels + text)),
        "balanced-accuracy": lambda: np.mean(right / labels),
        "kappa": lambda: (right.sum() - chance) / (1 - chance),
        "mcc": lambda: (right.sum() - chance) / np.sqrt((1 - labels @ labels) * (1 - text @ text)),
    }[name]()


def plus_one_each(counts):
    """Add a disagreement for every label."""
    size = len(counts)
    return counts + (1 - np.eye(size)) / (size * (size - 1))


@pytest.mark.parametrize("metric", ["f1", "precision", "f1-macro", "balanced-accuracy", "kappa", "mcc"])
@pytest.mark.parametrize("pair", [PAIRED1, THREE], ids=["two", "three"])
def test_the_delta_method_by_differences_instead_of_derivatives(metric, pair):
    counts = plus_one_each(pair.counts.astype(float))
    shares, total = counts / counts.sum(), counts.sum()

    def difference(cells):
        return by_hand(metric, cells.sum(axis=1)) - by_hand(metric, cells.sum(axis=2))

    slopes = np.zeros(counts.shape)
    for index in np.ndindex(counts.shape):
        step = np.zeros(counts.shape)
        step[index] = 1e-6
        slopes[index] = (difference(shares + step) - difference(shares - step)) / 2e-6
    # The shares add up to 1: moving one moves the others.
    centred = slopes - (shares * slopes).sum()
    error = np.sqrt((shares * centred**2).sum() / total)
    options = pair.by(metric, **({"positive": 1} if metric in {"f1", "precision"} else {}))
    result, limits = paired_delta(options).test(0.01), paired_delta(options).interval(alpha=0.1)
    assert_allclose(result.statistic, (difference(shares) - 0.01) / error, rtol=1e-5)
    assert_allclose((limits.high - limits.low) / 2, 1.6448536269514722 * error, rtol=1e-5)
    assert_allclose(result.pvalue, 2 * ndtr(-abs(result.statistic)), rtol=1e-9)


def test_for_accuracy_and_two_labels_it_is_bonett_and_price():
    tables = np.random.default_rng(2012).multinomial(60, np.ones(8) / 8, size=5).reshape(5, 2, 2, 2)
    pair = PairedConfusion(tables).by("accuracy")
    here, there = paired_delta(pair).interval(), bonett_price(pair.paired_table())
    assert_allclose([here.low, here.high], [there.low, there.high], rtol=1e-12)


def every_table(n, cells):
    """Return every way to put n examples into so many cells."""
    if cells == 1:
        return np.array([[n]])
    parts = []
    for first in range(n + 1):
        rest = every_table(n - first, cells - 1)
        parts.append(np.column_stack([np.full(len(rest), first), rest]))
    return np.concatenate(parts)


@pytest.mark.parametrize("metric", ["f1", "mcc"])
def test_it_covers_at_eight_examples(metric):
    """By every table there is, for classifiers that are equal and for ones that are not."""
    tables = every_table(8, 8)
    pair = PairedConfusion(tables.reshape(-1, 2, 2, 2)).by(metric)
    limits = paired_delta(pair).interval()
    assert np.all(limits.width > 0)
    for shares in ([40, 5, 5, 5, 4, 5, 5, 31], [50, 1, 5, 4, 8, 1, 6, 25], [64, 1, 1, 1, 1, 1, 1, 30]):
        population = PairedConfusion(np.reshape(shares, (2, 2, 2))).by(metric)
        chances = multinomial.pmf(tables, 8, np.array(shares) / 100)
        assert chances.sum() == pytest.approx(1)
        assert (chances * limits.contains(population.difference)).sum() > 0.95


# --- Square and add -------------------------------------------------------------------------------


@pytest.mark.parametrize(("metric", "times"), [("balanced-accuracy", 1), ("informedness", 1.5)])
def test_square_and_add_by_hand(metric, times):
    """Tango's limits class by class; the p-value by a root in alpha."""
    pair, tables = THREE.by(metric), []
    for label, cells in enumerate(THREE.counts):
        a, b = (cells.sum(axis=axis)[label] - cells[label, label] for axis in (0, 1))
        tables.append(PairedTable(cells.sum() - a - b - cells[label, label], a, b, cells[label, label]))

    def limits(alpha):
        parts = [(table.difference, tango(table).interval(alpha)) for table in tables]
        below, above = (
            np.sqrt(sum((times / 3 * (getattr(result, end) - difference)) ** 2 for difference, result in parts))
            for end in ("low", "high")
        )
        centre = times / 3 * sum(difference for difference, _ in parts)
        return centre - below, centre + above

    for alpha in (0.5, 0.05, 1e-12):
        result = mover_tango(pair).interval(alpha)
        assert_allclose([result.low, result.high], limits(alpha), rtol=1e-9)
    pvalue = brentq(lambda alpha: limits(alpha)[1] - 0.1, 1e-6, 0.999, xtol=1e-13)
    assert_allclose(mover_tango(pair).test(0.1).pvalue, pvalue, rtol=1e-8)


# --- Drawn counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "method", "added"),
    [
        ("f1", joint_bootstrap, np.reshape([0, 0.5, 0.5, 0] * 2, (2, 2, 2))),
        ("cost", bdeltacost, 0.5),
    ],
)
def test_the_drawn_test_sets_are_those_of_the_multinomial(metric, method, added):
    """Every test set of six that could be drawn, with its probability, in place of draws."""
    counts = np.reshape([2, 0, 1, 0, 0, 1, 0, 2], (2, 2, 2))
    costs = {"costs": [[0, 1], [5, 0]]} if metric == "cost" else {}
    pair = PairedConfusion(counts).by(metric, **costs)
    shares = (counts + added) / (counts + added).sum()
    tables = every_table(6, 8)
    differences = PairedConfusion(tables.reshape(-1, 2, 2, 2)).by(metric, **costs).difference
    chances = np.where(np.isnan(differences), 0, multinomial.pmf(tables, 6, shares.ravel()))
    chances = chances / chances.sum()
    below = chances[differences < -1e-12].sum() + chances[np.abs(differences) <= 1e-12].sum() / 2
    result = method(pair, resamples=20_000).test(0.0, "greater")
    assert result.pvalue == pytest.approx(below, abs=4 * np.sqrt(0.25 / 20_000))
    low = method(pair).interval(alpha=0.2).low
    up_to = [chances[differences <= low + shift].sum() for shift in (-0.05, 0.05)]
    assert up_to[0] - 0.02 < 0.1 < up_to[1] + 0.02


def test_draws_cost_the_same_for_a_billion_examples_and_agree_with_the_delta_method():
    many = PairedConfusion(PAIRED1.counts * 1_400_000).by("f1")
    drawn, straight = joint_bootstrap(many).interval(), paired_delta(many).interval()
    assert_allclose([drawn.low, drawn.high], [straight.low, straight.high], rtol=1e-3)
