"""Designs of confused labels and of scores: what is true of them, all their tables, and what is taken from evidence."""

import json
import math
import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import integrate, stats
from sklearn import metrics as peer

import tellapart as ta
from tellapart.errors import InvalidOption, UnknownMethod
from tellapart.evidence import ClassScores, ConfusionMatrix, PairedConfusion
from tellapart.lab import BinormalScores, ConfusedLabels, ConfusedPairs, calibrate
from tellapart.lab.calibrating import as_design
from tellapart.lab.cards.maker import CardTask, measured, own_methods, tasks
from tellapart.lab.cards.suites import suite
from tellapart.lab.designs.count_tables import chances, every_table, ways
from tellapart.methods.cards import card

laws = settings(derandomize=True, deadline=None, max_examples=10)
shares = st.floats(0.02, 0.98)
THREE = np.array([[0.4, 0.05, 0.05], [0.1, 0.2, 0.0], [0.02, 0.03, 0.15]])


# --- All tables -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("examples", "cells"), [(1, 2), (4, 3), (7, 4), (5, 8)])
def test_every_table_is_listed_once_with_its_probability(examples, cells):
    """Against a loop over the examples, one by one, and the multinomial distribution (scipy)."""
    tables = every_table(examples, np.ones(cells))
    assert len(tables) == ways(examples, cells) == math.comb(examples + cells - 1, cells - 1)
    if cells**examples < 5000:
        places = np.array(list(product(range(cells), repeat=examples)))
        loop = {tuple(np.bincount(row, minlength=cells).tolist()) for row in places}
        assert {tuple(row) for row in tables.tolist()} == loop
    p = np.arange(1, cells + 1) / (cells * (cells + 1) / 2)
    assert_allclose(chances(tables, [p])[:, 0], stats.multinomial(examples, p).pmf(tables), rtol=1e-11)


def test_a_cell_that_cannot_be_is_not_filled():
    design = ConfusedLabels(6, [[0.5, 0.0], [0.2, 0.3]])
    assert design.outcomes("cells", [design]) == ways(6, 3)
    result = design.everything("cells", [design, ConfusedLabels(6, [[0.5, 0.0], [0.5, 0.0]])])
    assert not result.evidence.counts[:, 0, 1].any()
    assert_allclose(result.probability.sum(axis=0), 1)
    assert not result.probability[result.evidence.counts[:, 1, 1] > 0, 1].any()


def test_the_coverage_of_a_recall_is_that_of_its_own_denominator():
    """Σ over the number of positives of the coverage of Wilson's interval at so many; none has the whole range."""
    n, share, true = 12, 0.3, 0.8
    covered = stats.binom.pmf(0, n, share)
    for positives in range(1, n + 1):
        for result in range(positives + 1):
            limits = ta.estimate(ta.ErrorCount(result, positives), method="wilson").interval
            weight = stats.binom.pmf(positives, n, share) * stats.binom.pmf(result, positives, true)
            covered += weight * (limits.low <= true <= limits.high)
    design = ConfusedLabels.from_rates(n, positives=share, recall=true, specificity=0.9, metric="recall")
    result = calibrate("wilson", design)
    assert result.trials == "exact"
    assert_allclose(result.coverage.value, covered, rtol=1e-10)


# --- What is true -----------------------------------------------------------------------------------------------------

PEERS = {
    "accuracy": peer.accuracy_score,
    "f1": peer.f1_score,
    "precision": peer.precision_score,
    "recall": peer.recall_score,
    "mcc": peer.matthews_corrcoef,
    "kappa": peer.cohen_kappa_score,
    "balanced-accuracy": peer.balanced_accuracy_score,
}


@pytest.mark.parametrize("metric", PEERS)
def test_the_truth_of_a_metric_is_that_of_a_large_sample(metric):
    """A hundred examples whose shares are the true ones exactly, by scikit-learn."""
    design = ConfusedLabels.from_rates(10, positives=0.4, recall=0.75, specificity=0.85, metric=metric)
    counts = np.rint(100 * design.shares).astype(int)
    assert_allclose(counts, 100 * design.shares)
    label, message = (np.repeat(index.ravel(), counts.ravel()) for index in np.indices((2, 2)))
    assert_allclose(design.truth("error"), PEERS[metric](label, message))


@laws
@given(shares, shares, shares, st.floats(0, 1), st.sampled_from([*PEERS, "informedness", "specificity", "f2", "error"]))
def test_two_that_are_alike_are_equally_good_and_can_be_moved(positives, recall, specificity, alike, metric):
    text = {"positives": positives, "recall": recall, "specificity": specificity}
    design = ConfusedPairs.from_rates(20, **text, alike=alike, metric=metric)
    assert_allclose(design.truth("difference"), 0, atol=1e-12)
    one = ConfusedLabels.from_rates(20, **text, metric=metric)
    assert_allclose(design.values, one.truth("error"), rtol=1e-10)
    assert_allclose(design.shares, ConfusedPairs.from_shares(20, one.shares, alike=alike).shares, atol=1e-12)
    for step in design.grid:
        for expected in (step, -step):
            moved = design.at(expected)
            assert_allclose(moved.truth("difference"), expected, atol=1e-12)
            assert_allclose(moved.shares.sum(axis=(1, 2)), design.shares.sum(axis=(1, 2)))  # labels stay
            kept = -1 if expected > 0 else -2  # the one who is not put right stays as it is
            assert_allclose(moved.shares.sum(axis=kept), design.shares.sum(axis=kept))


def test_equally_good_need_not_be_alike():
    design = ConfusedPairs.from_rates(50, recall=(0.9, 0.7), specificity=(0.75, 0.95), metric="mcc")
    equal = design.at(0.0)
    assert_allclose(np.diff(equal.values), 0, atol=1e-12)
    recalls = [ConfusedLabels(50, equal.shares.sum(axis=axis), "recall").truth("error") for axis in (-1, -2)]
    assert abs(recalls[0] - recalls[1]) > 0.05
    assert design.grid == (float(design.truth("difference")),)


def test_the_correlation_of_being_right_is_what_was_requested():
    table = ConfusedPairs.from_rates(50, positives=0.5, recall=0.8, alike=0.3).shares[1] / 0.5
    covariance = table[1, 1] - 0.8**2
    assert_allclose(covariance / (0.8 * 0.2), 0.3)


def test_what_is_drawn_has_the_shares_that_are_true():
    design = ConfusedPairs.from_shares(40, THREE, alike=0.4, metric="f1-macro")
    evidence = design.draw(["cells"], 2000, np.random.default_rng(3))["cells"]
    assert (evidence.shape, evidence.metric.name) == ((2000,), "f1-macro")
    expected = 80_000 * design.shares
    assert np.all(np.abs(evidence.counts.sum(axis=0) - expected) <= 4.5 * np.sqrt(expected))
    assert_allclose(design.truth("ratio"), 1)


def test_facts_count_what_the_metric_counts():
    text = {"positives": 0.2, "recall": 0.75, "specificity": 0.9}
    for metric, counted in {"recall": 20, "precision": 23, "f1": 28, "mcc": 100}.items():
        facts = ConfusedLabels.from_rates(100, **text, metric=metric).facts
        assert_allclose(facts["counted"], counted)
        assert (round(facts["rarest"], 9), facts["labels"]) == (20, 2)
    disagreement = {"recall": 20 * 2 * 0.75 * 0.25, "mcc": 20 * 2 * 0.75 * 0.25 + 80 * 2 * 0.9 * 0.1}
    for metric, number in disagreement.items():
        facts = ConfusedPairs.from_rates(100, **text, alike=0.0, metric=metric).facts
        assert_allclose(facts["disagreements"], number)


# --- Scores -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("auc", [0.55, 0.8, 0.97])
def test_areas_and_losses_are_integrals(auc):
    """By numerical integration over normal densities (scipy.integrate.quad)."""
    share, disagreement = 0.25, np.sqrt(2) * stats.norm.ppf(auc)
    design = BinormalScores(10, 30, auc, models=1)

    def weighed(rule, shift):
        return integrate.quad(lambda x: rule(x) * stats.norm.pdf(x - shift), shift - 12, shift + 12, limit=200)[0]

    def precision(x):
        result, false = stats.norm.sf(x - disagreement), stats.norm.sf(x)
        return share * result / (share * result + (1 - share) * false)

    def chance(x):
        return 1 / (1 + (1 - share) / share * np.exp(disagreement**2 / 2 - disagreement * x))

    of_loss = [(lambda p: -np.log(p), "log-loss"), (lambda p: (1 - p) ** 2, "brier")]
    expected = {"auc": weighed(stats.norm.cdf, disagreement), "average-precision": weighed(precision, disagreement)}
    for rule, metric in of_loss:
        right = weighed(lambda x, rule=rule: rule(chance(x)), disagreement)
        expected[metric] = share * right + (1 - share) * weighed(lambda x, rule=rule: rule(1 - chance(x)), 0)
    for metric, value in expected.items():
        assert_allclose(ta.lab.BinormalScores(10, 30, auc, metric=metric, models=1).truth("error"), value, rtol=1e-6)
    assert design.alone


@pytest.mark.parametrize("metric", ["auc", "average-precision", "log-loss", "brier"])
@pytest.mark.parametrize("ratings", [0, 4])
def test_what_is_drawn_has_the_metric_that_is_true(metric, ratings):
    """One large sample against scikit-learn, and the mean of unbiased ones within four and a half standard errors."""
    design = BinormalScores(4000, 8000, 0.8, 0.4, ratings, metric).at(0.03)
    assert_allclose(np.diff(design.values), -0.03 if metric in {"log-loss", "brier"} else 0.03)
    evidence = design.draw([2, 1], 1, np.random.default_rng(8))
    assert_allclose(evidence[2].levels[0], design.values, atol=0.02)
    assert evidence[1].models == ("A",)
    if metric in {"auc", "average-precision"}:
        rule = peer.roc_auc_score if metric == "auc" else peer.average_precision_score
        ours = [rule(evidence[2].labels, row) for row in evidence[2].scores[0]]
        assert_allclose(evidence[2].levels[0], ours)
    if metric != "average-precision":  # which is biased upwards where positives are few
        small = BinormalScores(8, 12, 0.8, 0.4, ratings, metric).at(0.03)
        values = small.draw([2], 4000, np.random.default_rng(2))[2].levels
        assert np.all(np.abs(values.mean(axis=0) - small.values) < 4.5 * values.std(axis=0) / np.sqrt(4000))


@pytest.mark.parametrize("correlation", [-0.4, 0.0, 0.7])
def test_two_models_are_correlated_within_classes(correlation):
    evidence = BinormalScores(4000, 4000, 0.7, correlation).draw([2], 1, np.random.default_rng(1))[2]
    for index in (0, 1):
        result = np.corrcoef(evidence.scores[0][:, evidence.labels == index])[0, 1]
        assert abs(result - correlation) < 4.5 / np.sqrt(4000)


# --- From evidence ----------------------------------------------------------------------------------------------------


def test_a_matrix_is_its_own_design():
    matrix = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1")
    design = as_design(matrix)
    assert_allclose(design.shares, matrix.counts / 100)
    assert_allclose(design.truth("error"), matrix.value)
    assert design.labels == ("ham", "spam")
    costly = as_design(matrix.by("cost", costs={("spam", "ham"): 5, ("ham", "spam"): 1}))
    assert_allclose(costly.truth("error"), (5 * 5 + 10) / 100)
    three = as_design(ConfusionMatrix([[9, 1, 0], [0, 9, 1], [1, 0, 9]]).by("recall", positive=2))
    assert_allclose(three.truth("error"), 0.9)


def test_a_pair_keeps_its_agreement_and_loses_its_difference():
    both = PairedConfusion([[[45, 3], [10, 2]], [[2, 6], [1, 31]]], ["ham", "spam"]).by("f1")
    design = as_design(both)
    assert_allclose(design.truth("difference"), 0, atol=1e-12)
    assert_allclose(np.einsum("lpp->", design.shares), (45 + 2 + 2 + 31) / 100)
    moved = calibrate("paired-delta", both, differences=[0.1], trials=400)
    assert moved.size.value < 0.12
    assert moved.power.value > moved.size.value


def test_scores_keep_their_classes_their_ties_and_their_correlation():
    true = BinormalScores(400, 800, 0.85, 0.6)
    evidence = true.draw([2], 1, np.random.default_rng(4))[2][0]
    result = as_design(evidence)
    assert (result.positives, result.negatives, result.ratings, result.models) == (400, 800, 0, 2)
    assert_allclose([result.auc, result.correlation], [0.85, 0.6], atol=0.05)
    rated = BinormalScores(400, 800, 0.85, 0.6, ratings=6).draw([2], 1, np.random.default_rng(4))[2][0]
    assert as_design(rated).ratings == 6
    assert_allclose(as_design(rated).values, rated.levels.mean(), atol=1e-9)


@pytest.mark.parametrize(
    "evidence",
    [
        ClassScores.from_scores([0, 1], [0.1, 0.9]),  # one of each, an area of 1
        ClassScores.from_scores([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], [0.1, 0.2, 0.8, 0.9]),  # identical and perfect
        ClassScores.from_scores([0, 0, 1], [1, 1, 1], [0, 0, 0]),  # all scores are equal
        ConfusionMatrix([[5, 0], [0, 5]]).by("mcc"),
        PairedConfusion([[[3, 0], [0, 0]], [[0, 0], [0, 3]]]).by("f1"),  # identical and perfect
    ],
    ids=["two examples", "perfect", "constant", "perfect labels", "identical labels"],
)
def test_degenerate_evidence_is_a_design_like_any(evidence):
    design = as_design(evidence)
    assert design.describe()
    assert json.dumps(design.as_dict())
    view = min(2, len(getattr(evidence, "models", "A")))
    again = design.draw([view], 3, np.random.default_rng(0))[view]
    assert again.shape == (3,)
    assert np.all(np.isfinite(list(design.facts.values())))


def test_a_design_travels_and_is_reported():
    for design in (
        ConfusedLabels.from_rates(30, metric="f1"),
        ConfusedPairs.from_rates(30, metric="cost", costs=[[0, 1], [5, 0]]),
        BinormalScores(10, 20, ratings=5),
    ):
        again = pickle.loads(pickle.dumps(design))  # noqa: S301  # our own
        assert again.as_dict() == design.as_dict()
    many = ConfusedLabels.from_rates(30, positives=[0.1, 0.5], recall=[[0.6], [0.9]], metric="f1")
    assert many.shape == (2, 2)
    assert many[1, 0].describe() == ("one model, F1 0.4865 (10% positive, recall 0.9, specificity 0.8), 30 examples")
    assert "10% to 50% positive" in many.describe()
    pairs = ConfusedPairs.from_shares(60, THREE, metric="accuracy").describe()
    assert "3 labels, the rarest 20%" in pairs


# --- Cards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("evidence", "words", "methods"),
    [
        (
            "ConfusionMatrix",
            "f1 of 5 examples, 10% to 50% positive, recall and specificity 0.5 to 0.99",
            ("f1-wilson",),
        ),
        ("PairedConfusion", "recall of 5 examples", ("tango", "mcnemar-mid-p")),
        ("ClassScores", "auc of 5 positives and 20 negatives, one model", ("delong", "newcombe-auc")),
    ],
)
def test_a_card_comes_out_again(evidence, words, methods):
    (number,) = (
        task.group
        for task in tasks(evidence)
        if suite(evidence)[task.group].words == words and methods[0] in {name for name, _ in task.methods}
    )
    every = {(method.name, method.gives): method for method in own_methods(evidence)}
    options = tuple(key for key in every if key[0] in methods)
    for (_, now), key in zip(measured(CardTask(evidence, number, options)), options, strict=True):
        assert [row for row in card(every[key]).entries if row.design == words] == now


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: ConfusedLabels(10, [[0.5, 0.2], [0.2, 0.2]]), "add up to 1"),
        (lambda: ConfusedLabels(10, [0.5, 0.5]), "k by k"),
        (lambda: ConfusedPairs(10, [[0.5, 0.5]]), "k by k by k"),
        (lambda: ConfusedLabels(0, THREE), "`examples` must be a whole number"),
        (lambda: ConfusedLabels(10, THREE, "f1"), "`positive` is required by f1 with 3 classes"),
        (lambda: ConfusedLabels(10, THREE, labels=("a", "b")), "`labels` must be 3 names"),
        (lambda: ConfusedLabels.from_rates(10, recall=1.2), "`recall` must be a rate"),
        (lambda: ConfusedLabels.from_rates(10).at(0.1), "`difference` must be left out for one model"),
        (lambda: ConfusedLabels.from_rates(10).truth("odds"), "`parameter` must be 'error' for one model"),
        (lambda: ConfusedLabels.from_rates(10, positives=[0.1, 0.2]).facts, "Take one"),
        (
            lambda: ConfusedPairs.from_rates(10, recall=0.95, metric="recall").at(0.2),
            "`difference` must be closer to 0",
        ),
        (lambda: ConfusedPairs.from_rates(10).truth("odds"), "`parameter` must be"),
        (lambda: as_design(ConfusionMatrix([[[5, 1], [0, 4]]] * 2)), "`matrix` must be one matrix"),
        (lambda: as_design(PairedConfusion(np.ones((3, 2, 2, 2), dtype=int))), "must be one entry, got an array"),
        (lambda: BinormalScores(0, 5), "`positives` must be a whole number"),
        (lambda: BinormalScores(5, 5, 1.0), "`auc` must be a number"),
        (lambda: BinormalScores(5, 5, metric="f1"), "`metric` must be one of"),
        (lambda: BinormalScores(5, 5, models=3), "`models` must be 1 or 2"),
        (lambda: BinormalScores(5, 5, ratings=1), "`ratings` must be 0, or 2 or more"),
        (lambda: BinormalScores(5, 5, names=("x",)), "`names` must be one for each model"),
        (lambda: BinormalScores(5, 5, 0.95).at(0.2), "`difference` must be closer to 0"),
        (lambda: BinormalScores(5, 5, models=1).at(0.1), "`difference` must be left out for one model"),
        (lambda: BinormalScores(5, 5).truth("odds"), "`parameter` must be"),
        (lambda: as_design(ClassScores.from_scores([0, 1], {"x": [1, 2], "y": [1, 2], "z": [1, 2]})), "select"),
        (lambda: as_design(ClassScores([0, 1], [[[1.0, 2.0]]] * 2, (0, 1), ("A",))), "must be one entry, got an array"),
    ],
)
def test_what_is_no_design_is_reported(make, text):
    with pytest.raises(InvalidOption, match=text):
        make()


def test_one_design_has_nothing_to_index():
    with pytest.raises(IndexError, match="cannot be indexed"):
        ConfusedLabels.from_rates(10)[0]


def test_a_method_of_another_metric_has_no_place_here():
    with pytest.raises(UnknownMethod, match=r"'wilson' applies to .*, not to mcc"):
        calibrate("wilson", ConfusedLabels.from_rates(10, metric="mcc"))
