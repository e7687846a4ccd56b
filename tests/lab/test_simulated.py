"""Dietterich's simulated learners against his figures, exact enumeration, and each other's routes."""

import csv
import itertools
import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.errors import InvalidOption, TellapartError, UnknownMethod
from tellapart.evidence import PairedTable, Resamples, TrainingSets
from tellapart.lab import PairedOutcomes, SimulatedLearners, calibrate
from tellapart.lab.designs.simulated_errors import Alias, Kinds, Splits, by_counts, by_points, by_tables
from tellapart.lab.designs.simulated_learners import TOGETHER
from tellapart.methods import find_method, find_methods

TARGETS = Path(__file__).parents[1] / "targets"
FIVE = ("mcnemar-corrected", "difference-of-proportions", "resampled-t", "kfold-t", "5x2cv-t")
NAMES = {
    "mcnemar": "mcnemar-corrected",
    "mcnemar_nocc": "mcnemar",
    "prop": "difference-of-proportions",
    "resampled": "resampled-t",
    "kfoldcv": "kfold-t",
    "5x2cv": "5x2cv-t",
}


def rows(name):
    with (TARGETS / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def off(result, expected, trials, own_error=0.0):
    """By how many combined standard errors a share is off."""
    return abs(result - expected) / math.hypot(own_error, math.sqrt(max(expected * (1 - expected), 1e-9) / trials))


# --- The figures of Dietterich (1998) -------------------------------------------------------------


@pytest.fixture(scope="module")
def figure5():
    """Type I error by epsilon and method, 40 000 trials each."""
    result = {}
    for epsilon in (0.1, 0.2, 0.3, 0.4):
        results = calibrate([*FIVE, "mcnemar"], SimulatedLearners(epsilon), trials=40_000, differences=[], rng=5)
        result |= {(epsilon, each.method): float(each.size.value) for each in results}
    return result


def test_figure_5(figure5):
    """S1-17: reference runs of 20 000 trials, made independently of this package."""
    for row in rows("s1_fig5_reference.csv"):
        result = figure5[float(row["epsilon"]), NAMES[row["test"]]]
        assert off(result, float(row["type1_computed"]), 40_000, float(row["mc_se"])) < 4, row


def test_claims_of_figure_5(figure5):
    """Dietterich (1998), section 5: who exceeds 0.05, by how much, and how it goes with epsilon."""
    errors = {name: [figure5[epsilon, name] for epsilon in (0.1, 0.2, 0.3, 0.4)] for name in FIVE}
    proportions, resampled = errors["difference-of-proportions"], errors["resampled-t"]
    assert min(proportions) > 0.05
    assert min(resampled) > 0.05
    others = np.max([errors[name] for name in FIVE if name != "resampled-t"], axis=0)
    assert np.all(np.array(resampled) > 1.5 * others)  # by far the most
    for name in ("mcnemar-corrected", "kfold-t", "5x2cv-t"):
        assert max(errors[name]) < 0.055, name
    assert proportions[3] > proportions[2] > max(proportions[:2])  # worse as epsilon nears 0.5
    assert min(errors["5x2cv-t"]) > 0.024
    assert max(errors["5x2cv-t"]) < 0.030


def test_figure_6():
    """S1-18: reference runs of 10 000 trials; for the k-fold test, what varies is the number of folds (E1-11).

    They count an infinite t as a rejection, which two folds often have; here it is none, for there is no spread.
    """
    result = {}
    trials = 20_000
    for row in rows("s1_fig6_reference.csv"):
        runs = int(row["replications_or_folds"])
        name, plan = ("resampled-t", f"{runs}x(2/3)") if row["test"] == "resampled" else ("kfold-t", f"{runs}-fold")
        design, method = SimulatedLearners(0.1, plan=plan), find_method(name, "test", Resamples)
        look = design.view(method)
        answer = method(design.draw([look], trials, np.random.default_rng(6))[look])
        size = np.mean((answer.pvalue < 0.05) | np.isinf(answer.statistic))
        assert off(size, float(row["type1_computed"]), trials, float(row["mc_se"])) < 4, row
        result.setdefault(name, []).append(size)
    resampled, folds = result["resampled-t"], result["kfold-t"]
    assert resampled == sorted(resampled)
    assert resampled[-1] > 4 * resampled[0]
    assert max(folds[1:]) < 0.055  # does not
    assert folds[-1] < folds[0]


def test_the_default_is_the_papers_design():
    text = {row["parameter"]: row["value"] for row in rows("s1_simulation_design.csv")}
    design = SimulatedLearners()
    assert design.examples == int(text["sample size S"]) == 300
    assert design.epsilon in map(float, text["epsilon"].split())
    assert_allclose([design.error_a, design.error_b], [[0.05, 0.15], [0.15, 0.05]])
    assert_allclose(design.shares, 0.5)
    looks = {name: design.view(find_method(name, "test", Resamples)) for name in FIVE[2:]}
    assert looks["resampled-t"].plan == f"{text['resampled t trials']}x(2/3)"
    assert looks["kfold-t"].plan == f"{text['k folds']}-fold"
    assert looks["5x2cv-t"].plan == f"{text['5x2cv replications']}x2"
    table = design.draw([look := design.view(find_method("mcnemar", "test", PairedTable))], 5, np.random.default_rng())
    assert_array_equal(table[look].examples, 100)  # one third is tested


def test_a_shift_of_both_learners_has_no_visible_effect():
    """E1-08: it cancels in the difference."""
    trials, methods = 20_000, ["kfold-t", "5x2cv-t"]
    shifted, still = (
        calibrate(methods, SimulatedLearners(0.1, beta=beta), trials=trials, differences=[], rng=8)
        for beta in (0.02, 0.0)
    )
    for one, other in zip(shifted, still, strict=True):
        assert off(float(one.size.value), float(other.size.value), trials / 2) < 4


# --- What is drawn --------------------------------------------------------------------------------

SHARES, A, B = np.array([0.3, 0.7]), np.array([0.1, 0.6]), np.array([0.5, 0.2])
KINDS = Kinds.independent(SHARES, A, B)
SPLITS = {
    "two random splits": Splits(4, 2, (1,)),
    "two times 2-fold": Splits(4, 2, (2, 2)),
    "two times 3-fold": Splits(4, 2, (2, 1, 1)),
    "3-fold": Splits(4, 1, (2, 1, 1)),
    "two samples": Splits(4, 2, (2,), fresh=True),
}
ROUTES = {
    "points": lambda *context: by_points(*context[:3], 0.0, *context[3:]),
    "counts": lambda *context: by_counts(*context[:3], 0.0, *context[3:]),
    "tables": by_tables,
}


def expected_moments(splits):
    """Return E[x] and E[x·y] over all test sets' errors of A and B, and E[both], by listing samples and orders."""
    runs = splits.replicates * len(splits.sizes)
    first, second, both = np.zeros(2 * runs), np.zeros((2 * runs, 2 * runs)), np.zeros(runs)
    orders = list(itertools.permutations(range(splits.examples)))
    ends = np.cumsum(splits.sizes)
    samples = list(itertools.product((0, 1), repeat=splits.examples))
    parts = {}  # of every sample in any order: the expected errors in each fold, the variances, and both
    for sample in samples:
        for order in orders:
            kinds = np.array(sample)[list(order)]
            folds = [kinds[end - size : end] for end, size in zip(ends, splits.sizes, strict=True)]
            of = [[[f(k).sum() for k in folds] for f in (lambda k: A[k], lambda k: B[k])]]
            of += [[[f(k).sum() for k in folds] for f in (lambda k: A[k] * (1 - A[k]), lambda k: B[k] * (1 - B[k]))]]
            parts.setdefault(sample, []).append((*of, [(A[k] * B[k]).sum() for k in folds]))
    for sample in samples:
        chance = np.prod(SHARES[list(sample)])
        mean, variance, shared = (np.array([part[index] for part in parts[sample]]) for index in range(3))
        flat = np.moveaxis(mean, 1, 2).reshape(len(orders), -1)  # order, (fold, learner)
        within = flat.T @ flat / len(orders)
        within[np.diag_indices_from(within)] += np.moveaxis(variance, 1, 2).reshape(len(orders), -1).mean(axis=0)
        average, width = flat.mean(axis=0), flat.shape[1]
        for one in range(splits.replicates):
            here = slice(one * width, (one + 1) * width)
            first[here] += chance * average
            both[one * len(ends) : (one + 1) * len(ends)] += chance * shared.mean(axis=0)
            for other in range(splits.replicates):
                there = slice(other * width, (other + 1) * width)
                if one == other:
                    second[here, there] += chance * within
                elif not splits.fresh:
                    second[here, there] += chance * np.outer(average, average)
    if splits.fresh:
        for one, other in itertools.permutations(range(splits.replicates), 2):
            here, there = (slice(index * width, (index + 1) * width) for index in (one, other))
            second[here, there] = np.outer(first[here], first[there])
    return first, second, both


@pytest.mark.parametrize("plan", SPLITS)
def test_all_routes_have_the_moments_of_the_listed_outcomes(plan):
    """Every mean and every product of two counts, within a replicate and between replicates."""
    splits, trials = SPLITS[plan], 100_000
    first, second, both = expected_moments(splits)
    for name, route in ROUTES.items():
        together = name != "tables" or splits.once
        a, b, shared = route(KINDS, splits, trials, together, np.random.default_rng(7))
        flat = np.stack([a, b], axis=-1).reshape(trials, -1)
        error = flat.std(axis=0) / math.sqrt(trials)
        assert np.all(np.abs(flat.mean(axis=0) - first) < 4.5 * error), (plan, name)
        for x, y in itertools.combinations_with_replacement(range(flat.shape[1]), 2):
            product = flat[:, x] * flat[:, y]
            assert abs(product.mean() - second[x, y]) < 4.5 * product.std() / math.sqrt(trials), (plan, name, x, y)
        if together:
            shared = shared.reshape(trials, -1)
            assert np.all(np.abs(shared.mean(axis=0) - both) < 4.5 * shared.std(axis=0) / math.sqrt(trials))
            assert np.all((shared <= a.reshape(trials, -1)) & (shared <= b.reshape(trials, -1)))


@pytest.mark.parametrize("size", [1, 3])
def test_all_routes_have_the_distribution_of_the_listed_outcomes(size):
    """A and B on one of two test sets of four kinds of examples: chi-square against exact probabilities."""
    splits, trials = Splits(4, 2, (size,)), 60_000
    exact = np.zeros((size + 1, size + 1))
    for kinds in itertools.product((0, 1), repeat=size):
        for wrong in itertools.product(itertools.product((0, 1), repeat=2), repeat=size):
            chance = np.prod(SHARES[list(kinds)])
            for kind, (a, b) in zip(kinds, wrong, strict=True):
                chance *= (A[kind] if a else 1 - A[kind]) * (B[kind] if b else 1 - B[kind])
            exact[tuple(np.sum(wrong, axis=0))] += chance
    assert_allclose(exact.sum(), 1)
    for name, route in ROUTES.items():
        a, b, _ = route(KINDS, splits, trials, False, np.random.default_rng(11))
        counts = np.bincount((a[:, 1, 0] * (size + 1) + b[:, 1, 0]), minlength=exact.size)
        surprise = ((counts - trials * exact.ravel()) ** 2 / (trials * exact.ravel())).sum()
        freedom = exact.size - 1
        assert surprise < freedom + 4 * math.sqrt(2 * freedom), name


def test_the_routes_of_the_design_give_the_same_sizes():
    """A block that is full takes tables, a smaller one counts, many kinds points."""
    design, trials = SimulatedLearners(0.3, 60), 20_000
    one, other = (np.random.default_rng(seed) for seed in (1, 2))
    views = [design.view(find_method(name, "test", Resamples)) for name in ("resampled-t", "5x2cv-t")]
    assert design.block <= trials
    full = design.draw(views, trials, one)
    slight = np.arange(20) * 1e-9  # too many kinds to be counted, and yet the same two
    many = SimulatedLearners.from_rates(
        np.repeat([0.15, 0.45], 10) + slight, np.repeat([0.45, 0.15], 10) - slight, examples=60
    )
    points = many.draw(views, 4_000, one)
    counts = [design.draw(views, design.block - 1, other) for _ in range(3)]
    for view in views:
        method = find_method("resampled-t" if "(" in view.plan else "5x2cv-t", "test", Resamples)
        shares = [np.mean(method(full[view]).pvalue < 0.05), np.mean(method(points[view]).pvalue < 0.05)]
        middle = np.mean([method(part[view]).pvalue < 0.05 for part in counts])
        assert off(shares[0], middle, trials / 2) < 4
        assert off(shares[1], middle, 3_500) < 4


PARTS = st.floats(0, 1) | st.integers(0, 4).map(float)  # some of which come out even


@example([[1.0, 7.0, 21.0, 35.0, 35.0, 21.0, 7.0, 1.0], [2.0, 1.0, 3.0, 3.0, 0.0, 1.0, 0.0, 2.0], [0.1] * 49])
@given(st.lists(st.lists(PARTS, min_size=1, max_size=30).filter(lambda row: sum(row) > 0.1), min_size=1))
@settings(derandomize=True, deadline=None, max_examples=12)
def test_alias_tables_hold_their_distributions(given_rows):
    """What every cell yields, added up, is the probability of each value."""
    made = [(np.arange(len(row)) * 3, np.array(row) / sum(row)) for row in given_rows]
    table = Alias.of(made)
    for row, (values, chance) in enumerate(made):
        cells = slice(table.start[row], table.start[row] + table.length[row])
        keep = table.cut[cells] - np.arange(cells.start, cells.stop)
        assert np.all((keep > -1e-12) & (keep < 1 + 1e-12))
        other, own = table.values.reshape(-1, 2)[cells].T
        result = np.zeros(3 * len(values))
        np.add.at(result, own, keep / table.length[row])
        np.add.at(result, other, (1 - keep) / table.length[row])
        assert_allclose(result[values], chance, atol=1e-12)
        drawn = table.draw(np.array([row]), (200,), np.random.default_rng(0))
        assert np.isin(drawn, values[chance > 0]).all()


def test_one_test_set_is_a_table_of_independent_pairs():
    """The exact size by enumeration, PairedOutcomes, against simulated learners."""
    design, trials = SimulatedLearners(0.2, examples=90), 40_000
    methods = ["mcnemar-mid-p", "mcnemar-exact", "difference-of-proportions"]
    exact = calibrate(methods, PairedOutcomes(0.2, 0.2, design.facts["disagreement"], 30), differences=[0.05])
    drawn = calibrate(methods, design, trials=trials, differences=[], rng=3)
    for one, other in zip(exact, drawn, strict=True):
        assert one.trials == "exact"
        assert off(float(other.size.value), float(one.size.value), trials) < 4


@pytest.mark.parametrize("trials", [50, 10_000])
@pytest.mark.parametrize("plan", ["holdout", "4-fold", "3x4", "5x(1/2)", "independent"])
@pytest.mark.parametrize(("a", "b"), [([0.0], [0.0]), ([1.0], [0.0]), ([0.0, 1.0], [1.0, 1.0]), ([0.3], [0.3])])
def test_learners_that_are_always_right_or_wrong(plan, a, b, trials):
    """Nothing varies but the sample; one kind of points leaves the errors alone, by every route."""
    design = SimulatedLearners.from_rates(a, b, examples=20, plan=plan)
    look = design.view(find_method("cv-wald", "test", Resamples))
    for together in (True, False):
        evidence = design.draw([each := look._replace(together=together)], trials, np.random.default_rng(1))[each]
        if set(b) <= {0.0, 1.0}:
            assert_array_equal(evidence.loss[:, 1], b[0])
        error = np.abs(evidence.losses.mean(axis=0) - [np.mean(a), np.mean(b)])
        assert np.all(error <= 4.5 * evidence.losses.std(axis=0) / math.sqrt(trials) + 1e-12)


def test_independent_samples_make_the_paired_t_test_right():
    """Martin and Hirschberg (1996), section 3.3: independent samples; 100 examples each are nearly normal."""
    result = calibrate("paired-t", SimulatedLearners(0.2, samples=10), trials=20_000, differences=[], rng=4)
    assert off(float(result.size.value), 0.05, 20_000) < 4


# --- What is true ---------------------------------------------------------------------------------


def test_the_truth_is_the_mean_of_many_trials():
    rng = np.random.default_rng(12)
    rates = rng.beta(0.5, 2, size=(2, 7670))  # a population of the size of the paper's Figure 3
    design = SimulatedLearners.from_rates(*rates, examples=100, plan="4x(1/2)")
    assert design.shares.size == 7670
    assert_allclose([design.truth("error"), design.truth("difference")], [rates[0].mean(), np.subtract(*rates).mean()])
    estimate = find_method("kfold", "estimate", Resamples)
    both, alone = design.view(find_method("resampled-t", "test", Resamples)), design.view(estimate, 1)
    result = design.draw([both, alone], 2_000, rng)
    for values, truth in ((result[both].difference, "difference"), (result[alone].loss.mean(axis=(1, 2, 3)), "error")):
        assert abs(values.mean() - design.truth(truth)) < 4 * values.std() / math.sqrt(values.size)
    assert result[alone].learners == ("A",)


@pytest.mark.parametrize(("a", "b", "beta"), [(0.3, 0.2, 0.0), (0.3, 0.2, 0.1), (0.01, 0.97, 0.3), (0.4, 0.6, 1.0)])
def test_truth_under_shifts_that_are_cut_off(a, b, beta):
    """Against numerical integration over the shift (mpmath)."""
    design = SimulatedLearners.from_rates([a], [b], beta=beta)

    def mean(function):
        if not beta:
            return float(function(0))
        ends = sorted({-beta, beta, *(edge for edge in (-a, 1 - a, -b, 1 - b) if abs(edge) < beta)})
        return float(mpmath.quad(function, ends) / (2 * beta))

    def cut(value):
        return min(max(value, 0), 1)

    expected = [
        mean(lambda u: cut(a + u) * cut(b + u)),
        mean(lambda u: cut(a + u) * (1 - cut(b + u))),
        mean(lambda u: (1 - cut(a + u)) * cut(b + u)),
    ]
    assert_allclose(design.cells, [*expected, 1 - sum(expected)], atol=1e-12)
    assert_allclose(design.truth("odds"), expected[1] / expected[2])
    assert_allclose(design.truth("reduction"), 1 - (expected[0] + expected[2]) / (expected[0] + expected[1]))
    look = design.view(find_method("mcnemar", "test", PairedTable))
    table = design.draw([look], 20_000, np.random.default_rng(2))[look]
    rates = np.array([table.both_wrong, table.only_a_wrong, table.only_b_wrong]) / table.examples
    # One shift for the whole test set: trials are independent, points are not.
    assert np.all(np.abs(rates.mean(axis=1) - expected) <= 4 * rates.std(axis=1) / math.sqrt(20_000) + 1e-12)


def test_a_difference_is_added_to_one_and_taken_from_the_other():
    moved = SimulatedLearners(0.1).at(0.04)
    assert_allclose([moved.error_a, moved.error_b], [[0.07, 0.17], [0.13, 0.03]])
    assert_allclose([moved.truth("difference"), moved.truth("error")], [0.04, 0.12])
    assert_allclose(moved.at(0).error_a, [0.05, 0.15])
    assert SimulatedLearners(0.1).grid == (0.01, 0.02, 0.05)
    assert SimulatedLearners(0.02).grid == (0.01, 0.02)
    unequal = SimulatedLearners.from_rates([0.2, 0.3], [0.1, 0.3])
    assert_allclose(unequal.grid, [0.05])
    assert_allclose(unequal.at(0).truth("difference"), 0, atol=1e-15)


def test_exchanging_the_learners_mirrors_everything():
    a, b = np.array([0.1, 0.4]), np.array([0.2, 0.2])
    one, other = (SimulatedLearners.from_rates(*pair, [0.3, 0.7], examples=90) for pair in ((a, b), (b, a)))
    assert_allclose(one.truth("difference"), -other.truth("difference"))
    trials, methods = 20_000, ["mcnemar", "5x2cv-t", "corrected-resampled-t"]
    result = [calibrate(methods, each, trials=trials, differences=[0.08, -0.08], rng=1) for each in (one, other)]
    for here, there in zip(*result, strict=True):
        for up, down in zip(here.power.value, there.power.value[::-1], strict=True):
            assert off(float(up), float(down), trials / 2) < 4


# --- Views ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", [None, "10-fold", "6x(2/3)", "holdout", "loo", "3x4", "2-fold*3", "independent"])
def test_only_the_methods_named_need_matched_errors(plan):
    """Every method on evidence with and without them; a test that forgets one would calibrate something else."""
    design = SimulatedLearners(0.2, 40, plan=plan)
    needy = set()
    for method, learners in itertools.product(find_methods(evidence=Resamples), (1, 2)):
        try:
            look = design.view(method, learners)._replace(together=True)
        except UnknownMethod:
            continue
        contained = design.draw([look], 6, np.random.default_rng(3))[look]
        options = {"rng": 0} if "rng" in method.options else {}
        try:
            full = method(contained, **options)
        except TellapartError:
            continue  # wants another plan, or two learners
        try:
            bare = method(replace(contained, together=None), **options)
        except TellapartError:
            needy.add(method.name)
            continue
        for name in ("statistic", "pvalue", "low", "high"):
            if not np.array_equal(getattr(full, name, 0), getattr(bare, name, 0), equal_nan=True):
                needy.add(method.name)
    assert needy <= TOGETHER
    if plan is None:
        assert needy == TOGETHER


def test_matched_errors_and_losses_agree():
    """The learner's own errors stand on the diagonal, and what both got wrong beside it."""
    design = SimulatedLearners(0.3, 50)
    look = design.view(find_method("cv-wald", "test", Resamples))
    evidence = design.draw([look], 300, np.random.default_rng(0))[look]
    assert_allclose(evidence.together[:, 0, 0], evidence.loss[:, 0] * evidence.test)
    assert_allclose(evidence.together[:, 1, 1], evidence.loss[:, 1] * evidence.test)
    assert_array_equal(evidence.together[:, 0, 1], evidence.together[:, 1, 0])
    assert np.all(evidence.together[:, 0, 1] <= np.minimum(evidence.together[:, 0, 0], evidence.together[:, 1, 1]))
    alone = design.view(find_method("cv-wald", "interval", Resamples), 1)
    assert design.draw([alone], 3, np.random.default_rng(0))[alone].together.shape == (3, 1, 1, 1, 10)


@pytest.mark.parametrize(
    ("plan", "runs", "sizes"),
    [
        ("10-fold", (1, 10), [5] * 2 + [4] * 8),
        ("3x4", (3, 4), [11, 11, 10, 10]),
        ("2-fold*3", (3, 2), [21, 21]),
        ("6x(2/3)", (6, 1), [14]),
        ("half-and-half 4", (4, 1), [21]),
        ("holdout", (1, 1), [14]),
        ("loo", (1, 42), [1] * 42),
        ("independent", (7, 1), [14]),
    ],
)
def test_every_plan_of_splits(plan, runs, sizes):
    design = SimulatedLearners(0.3, 42, plan=plan, samples=7)
    look = design.view(find_method("resampled-t", "test", Resamples))
    evidence = design.draw([look], 20, np.random.default_rng(0))[look]
    assert evidence.loss.shape == (20, 2, *runs)
    assert_array_equal(evidence.test[0], sizes)
    assert_array_equal(evidence.train, 42 - evidence.test)
    assert evidence.examples == 42
    assert_allclose(np.rint(evidence.loss * evidence.test), evidence.loss * evidence.test, atol=1e-12)
    assert design.facts == {
        "examples": 42,
        "disagreement": pytest.approx(0.465),
        "test": sizes[-1],
        "folds": runs[1],
        "replicates": runs[0],
    }


def test_the_same_seed_gives_the_same_bits_on_any_number_of_workers():
    design, options = SimulatedLearners(0.1, 60), {"trials": 12_000, "differences": [0.05], "rng": 9}
    here = calibrate(["5x2cv-t", "mcnemar-on-cv"], design, **options)
    with ThreadPoolExecutor(2) as two:
        there = calibrate(["5x2cv-t", "mcnemar-on-cv"], design, executor=two, **options)
    elsewhere = calibrate(["5x2cv-t", "mcnemar-on-cv"], design, jobs=2, **options)
    assert design.block < 12_000  # more than one block, the last of them smaller
    for one, two, three in zip(here, there, elsewhere, strict=True):
        for name, values in one.tally.items():
            assert_array_equal(values, two.tally[name])
            assert_array_equal(values, three.tally[name])


def test_what_a_method_sees_does_not_depend_on_the_others():
    """Alone, with others, and in another order: the same trials; and other trials at the next draw."""
    design, options = SimulatedLearners(0.1, 60), {"trials": 600, "differences": [], "rng": 9}
    names = ["kfold-t", "5x2cv-t", "mcnemar-on-cv", "mcnemar"]
    together = calibrate(names, design, **options)
    for name in names:
        for part, values in calibrate(name, design, **options).tally.items():
            assert_array_equal(values, together[name].tally[part])
    look, rng = design.view(find_method("kfold-t", "test", Resamples)), np.random.default_rng(1)
    first, second = (design.draw([look], 50, rng)[look].loss for _ in range(2))
    assert not np.array_equal(first, second)


# --- What is said ---------------------------------------------------------------------------------


def test_a_design_is_written_in_short():
    assert repr(SimulatedLearners(0.1)) == "SimulatedLearners(epsilon=0.1)"
    assert repr(SimulatedLearners(0.2, 90, plan="5x2")) == "SimulatedLearners(epsilon=0.2, examples=90, plan='5x2')"
    moved = SimulatedLearners(0.1).at(0.02)
    assert repr(moved) == "SimulatedLearners(error_a=[0.06, 0.16], error_b=[0.14, 0.04], shares=[0.5, 0.5])"
    rates = np.arange(100) / 200
    assert "error_a=<100 rates>" in repr(SimulatedLearners.from_rates(rates, rates[::-1]))


def test_a_design_identifies_itself():
    message = [
        json.dumps(design.as_dict(), sort_keys=True)
        for design in (
            SimulatedLearners(0.1),
            SimulatedLearners(0.1).at(0.02),
            SimulatedLearners(0.1, plan="10-fold"),
            SimulatedLearners(0.1, beta=0.02),
            SimulatedLearners(0.2),
            SimulatedLearners.from_rates([0.1, 0.1, 0.3], [0.1, 0.1, 0.3]),
        )
    ]
    assert len(set(message)) == len(message)
    assert json.loads(message[-1])["shares"] == pytest.approx([2 / 3, 1 / 3])  # points that are alike are one kind
    text = SimulatedLearners(0.1, 200, plan="5x2", beta=0.02).describe()
    assert text == (
        "two simulated learners, error rates 10%, 2 kinds of points, shifted by up to 0.02 at every training run,"
        " samples of 200 examples split by 5x2"
    )


@pytest.mark.parametrize("name", ["632", "oob", "nested-cv", "conservative-z", "loo-star", "apparent", "welch"])
def test_what_must_be_trained_has_no_place(name):
    with pytest.raises(UnknownMethod, match=rf"{name}.*needs trained learners.*'10-fold'"):
        calibrate(name, SimulatedLearners(0.1), trials=10)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SimulatedLearners(0.7), "`epsilon` must be one error of at most 2/3, got 0.7"),
        (lambda: SimulatedLearners([0.1, 0.2]), "`epsilon` must be one rate"),
        (lambda: SimulatedLearners("much"), "`epsilon` must be a rate between 0 and 1, got 'much'"),
        (lambda: SimulatedLearners(0.1, 1), "`examples` must be a whole number, at least 2, got 1"),
        (lambda: SimulatedLearners(0.1, beta=-0.1), "`beta` must be a rate between 0 and 1, got -0.1"),
        (lambda: SimulatedLearners(0.1, beta=[0.1, 0.2]), "`beta` must be one rate"),
        (lambda: SimulatedLearners(0.1, samples=1), "`samples` must be a whole number, at least 2, got 1"),
        (lambda: SimulatedLearners(0.1, plan="tenfold"), "unknown `plan` 'tenfold'"),
        (lambda: SimulatedLearners(0.1, plan="632"), r"plan '632\*100' needs trained learners"),
        (
            lambda: SimulatedLearners(0.1, 5, plan="10-fold"),
            "'10-fold' needs at least 10 examples, got 5",
        ),
        (lambda: SimulatedLearners(0.1, 2, plan="3x(9/10)"), "leaves no training or no test set of 2 examples"),
        (lambda: SimulatedLearners(error_a=[0.1]), "`error_a` and `error_b` must be given together"),
        (lambda: replace(SimulatedLearners(0.1), epsilon=0.2), "`epsilon` must be left out .* their mean is 0.1"),
        (lambda: SimulatedLearners(0.1).at("much"), "`difference` must be a number, got 'much'"),
        (lambda: SimulatedLearners(0.1).truth("size"), "`parameter` must be one of difference, error, odds, reduction"),
        (lambda: SimulatedLearners(0.1, shares=[1]), "`shares` must be left out"),
        (lambda: SimulatedLearners.from_rates([0.1], [0.1, 0.2]), r"shapes \(1,\), \(2,\) and \(1,\)"),
        (lambda: SimulatedLearners.from_rates([0.1], [1.2]), "`error_b` must be a rate between 0 and 1"),
        (lambda: SimulatedLearners.from_rates([0.1], [0.2], [-1]), "`shares` must be 0 or more"),
        (lambda: SimulatedLearners.from_rates([0.1], [0.2], ["some"]), "`shares` must be 0 or more"),
        (lambda: SimulatedLearners(0.1).at(0.2), "`difference` must keep every error probability between 0 and 1"),
        (lambda: SimulatedLearners(0.1, beta=0.2).at(0.02), "`beta` must be smaller for a difference of 0.02"),
    ],
)
def test_bad_designs_are_refused_with_a_fix(make, message):
    with pytest.raises(InvalidOption, match=message):
        make()


def test_learners_that_are_not_trained_yield_no_training_sets():
    quasi_f = find_method("quasi-f", "test", TrainingSets)
    with pytest.raises(UnknownMethod, match="needs TrainingSets"):
        SimulatedLearners(0.1).view(quasi_f)
