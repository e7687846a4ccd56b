"""Which of two models is called A must not matter: swapping A and B mirrors every answer, to the last bit.

Expected values are those of the swapped evidence, by symmetry: limits of a difference change sign and places, p-values
stay, P(A better) and P(B better) change places. Run over all methods in the registry that compare two models.
"""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import find_methods
from tellapart.errors import TellapartError
from tellapart.evidence import (
    ClassScores,
    ErrorPatterns,
    IndependentCounts,
    Outcomes,
    PairedConfusion,
    PairedTable,
    Resamples,
    ScoreTable,
    TrainingSets,
)
from tellapart.evidence.plan import Plan
from tellapart.methods import find_method
from tellapart.methods.resamples.corrected import correlated_probabilities
from tellapart.methods.resamples.seeds import better_run_interval

OPPOSITE = {
    "two": "two", "upper": "lower", "lower": "upper", "two-sided": "two-sided", "greater": "less", "less": "greater",
}  # fmt: skip
FEW = {"resamples": 201, "draws": 320}
# Chooses A if both err equally often, as Yang (2006) has it: A is the simpler model.
LEANING = {"mean-error-choice"}
TURNED = {"t", "z", "mean", "difference"}  # statistics that change sign
SHARES = {"P(B better)", "share of draws above", "share of splits for A"}  # and those that become 1 − themselves
RNG = np.random.default_rng(11)


def swapped(evidence):
    return evidence.swapped() if hasattr(evidence, "swapped") else evidence.select(*evidence.learners[::-1])


def tables():
    for cells in ((11, 22, 4, 62), (20, 10, 25, 45), (0, 0, 0, 10), (5, 3, 3, 9), (3, 1, 0, 0)):
        yield PairedTable(*cells)
    yield PairedTable(*RNG.integers(0, 9, size=(4, 12)), models=("old", "new"))


def counts():
    yield IndependentCounts.from_counts(11, 100, 22, 100)
    yield IndependentCounts.from_counts(7, 30, 7, 30)
    trials = RNG.integers(1, 40, size=(2, 12))
    errors = (trials * RNG.random((2, 12))).astype(int)
    yield IndependentCounts.from_counts(errors[0], trials[0], errors[1], trials[1])


def outcomes():
    codes, groups = RNG.integers(14, size=36), np.arange(36) % 3
    scores = (RNG.normal(size=14)[codes] * [[0.3], [-0.3]] + RNG.normal(size=(2, 36))).round(3)
    laid_out = {"clusters": codes, "groups": groups}
    graded = Outcomes.from_scores(*scores, metric="x", **laid_out)
    yield graded
    yield Outcomes.from_scores(*scores, metric="x", groups=groups)
    yield Outcomes.from_scores(*scores, metric="x", weights=RNG.lognormal(size=36), **laid_out)
    right = Outcomes.from_scores(*(scores > 0).astype(int), groups=groups)
    yield right
    yield Outcomes.from_scores(*(scores > 0).astype(int), **laid_out)
    yield Outcomes.from_scores([1] * 36, [1] * 36, **laid_out)
    for evidence in (graded, right):
        yield replace(
            evidence,
            scores=np.stack([evidence.scores, evidence.scores[:, ::-1], evidence.scores[::-1], evidence.scores * 0]),
        )


def class_scores():
    labels = np.repeat([0, 1], (40, 25))
    drawn = RNG.normal(size=(2, 65)) + labels
    for metric in ("auc", "average-precision"):
        yield ClassScores.from_scores(labels, *drawn, metric=metric)
        yield ClassScores.from_scores(labels, drawn[0].round(0), drawn[1].round(0), metric=metric)
        yield ClassScores.from_scores(labels, drawn[0], drawn[0], metric=metric)


def confusions():
    same = np.array([[[5, 2], [2, 7]], [[3, 4], [4, 1]]])
    for metric in ("accuracy", "recall", "precision", "f1", "balanced-accuracy", "mcc", "f1-macro", "cost"):
        costs = {"costs": [[0, 1], [5, 0]]} if metric == "cost" else {}
        for cells in (same, RNG.integers(0, 30, size=(3, 2, 2, 2))):
            yield PairedConfusion(cells).by(metric, **costs)
        if metric in {"balanced-accuracy", "mcc", "f1-macro"}:
            yield PairedConfusion(RNG.integers(0, 20, size=(9, 9, 9))).by(metric)


def resamples():
    for name in ("6-fold", "5x2", "holdout", "seeds", "independent", "8x(2/3)", "3x4", "6x2"):
        plan = Plan.parse(name)
        grid = plan.replicates or 7, plan.folds
        chance = RNG.uniform(0.1, 0.4, size=(3, 1, *grid, 1)) + np.array([0, 0.05]).reshape(2, 1, 1, 1)
        wrong = (RNG.random((3, 2, *grid, 40)) < chance).astype(float)
        together = np.einsum("...arfi,...brfi->...abrf", wrong, wrong)
        train = 40 * max(plan.folds - 1, 2)
        yield Resamples(wrong.mean(axis=-1), 40, train, plan, together=together, examples=40 + train)
        steady = np.linspace(0.2, 0.4, grid[0] * grid[1]).reshape(grid)
        losses = [[RNG.random(grid), RNG.random(grid)], [steady, steady], [steady, steady + 0.1]]
        yield Resamples(np.array(losses), 40, train, plan)
    yield Resamples.from_scores([0.31, 0.28, 0.35, 0.3, 0.33, 0.29], [0.27, 0.26, 0.29, 0.22], plan="seeds")


def score_tables():
    for evidence in (RNG.random((17, 2)), RNG.random((12, 2)).round(1), np.array([[0.5, 0.6], [0.6, 0.5]] * 6)):
        yield ScoreTable.from_scores(evidence)
    yield ScoreTable(RNG.random((3, 2, 15, 1)).round(2), tuple("abcdefghijklmno"), ("A", "B"))
    runs = {"A": RNG.normal(0.8, 0.01, (6, 10)), "B": RNG.normal(0.805, 0.02, (6, 10))}
    yield ScoreTable.from_scores(runs, metric="accuracy", rho=0.1)
    for gain in (0.0, 0.02):
        yield ScoreTable.from_scores({"A": [0.5] * 12, "B": [0.5 + gain] * 12}, bounds=(0, 1))
        yield ScoreTable.from_scores(
            {"A": np.full((6, 4), 0.5), "B": np.full((6, 4), 0.5 + gain)}, bounds=(0, 1), rho=0.1
        )


def training_sets():
    for varies in ("seed", "training set"):
        yield TrainingSets((RNG.random((2, 10, 50)) < 0.3).astype(float), varies=varies)
        loss = RNG.random((3, 2, 7, 30))
        loss[2, 1] = loss[2, 0]
        yield TrainingSets(loss, varies=varies)


EVIDENCE = {
    kind: list(made())
    for kind, made in (
        (PairedTable, tables),
        (IndependentCounts, counts),
        (Outcomes, outcomes),
        (ClassScores, class_scores),
        (PairedConfusion, confusions),
        (Resamples, resamples),
        (ScoreTable, score_tables),
        (TrainingSets, training_sets),
    )
}
METHODS = [
    method
    for method in find_methods()
    if method.gives in {"test", "interval", "estimate"} and method.evidence in EVIDENCE
]


def swapped_answers(method):
    """Yield the options to ask a method with, and those to ask it with after A and B were exchanged."""
    few = {name: value for name, value in FEW.items() if name in method.options}
    if method.gives == "interval":
        for side in ("two", "upper"):
            yield few | {"side": side}, few | {"side": OPPOSITE[side]}
        return
    for alternative in ("two-sided", "greater") if "alternative" in method.options else (None,):
        here = few | ({} if alternative is None else {"alternative": alternative})
        there = few | ({} if alternative is None else {"alternative": OPPOSITE[alternative]})
        yield here, there
        if "against" in method.options:
            yield here | {"against": 0.013}, there | {"against": -0.013}
        if "rope" in method.options:
            yield here | {"rope": 0.01}, there | {"rope": 0.01}
        if "prior_at" in method.options:
            yield here | {"prior_at": "a"}, there | {"prior_at": "b"}


def answers(method):
    """Yield what a method says of the evidence it takes and of the same with A and B exchanged."""
    for evidence in EVIDENCE[method.evidence]:
        if method.name == "unconditional" and (evidence.shape or evidence.examples > 20):
            continue  # it goes through all tables of so many examples
        for here, there in swapped_answers(method):
            try:
                first = method(evidence, **here)
            except TellapartError:  # another plan, another metric, one model
                continue
            yield here, first, method(swapped(evidence), **there)


def same(first, second):
    return np.array_equal(np.asarray(first, dtype=float), np.asarray(second, dtype=float), equal_nan=True)


def assert_mirrored_limits(first, second):
    if first.parameter == "difference":
        assert same(second.low, -np.asarray(first.high))
        assert same(second.high, -np.asarray(first.low))
    elif first.parameter in {"odds", "ratio"}:  # a quotient and its inverse have a digit of rounding between them
        with np.errstate(divide="ignore"):
            np.testing.assert_allclose([second.low, second.high], [1 / first.high, 1 / first.low], rtol=1e-15)
    else:
        assert first.parameter == "reduction"  # 1 − error(B)/error(A) has no simple mirror image


def assert_mirrored_test(method, options, first, second):
    assert same(first.pvalue, second.pvalue)
    if first.estimate is not None:
        assert same(first.estimate, -np.asarray(second.estimate))
    if method.name not in LEANING and first.chooses is not None:
        assert same(first.chooses, -np.asarray(second.chooses))
        assert first.rejects is None or same(first.rejects, second.rejects)
    if first.practical is not None:
        assert same(first.practical.a_better, second.practical.b_better)
        assert same(first.practical.b_better, second.practical.a_better)
        assert same(first.practical.equivalent, second.practical.equivalent)
    if method.statistic in TURNED and method.name not in LEANING:
        assert same(first.statistic, -np.asarray(second.statistic))
    elif method.statistic in SHARES and first.practical is None and "rope" not in options:
        decided = first.pvalue < 1 if method.name == "bayesian-correlated-t" else True  # else both may be equivalent
        discordant = np.where(decided, np.asarray(first.statistic) - (1 - np.asarray(second.statistic)), 0.0)
        np.testing.assert_allclose(discordant, 0.0, atol=1e-13)  # of integrals; each is that of the other, to the bit


@pytest.mark.parametrize(
    "method", METHODS, ids=lambda method: f"{method.evidence.__name__}-{method.name}-{method.gives}"
)
def test_swapping_a_and_b_mirrors_the_answer_to_the_bit(method):
    compared = 0
    for options, first, second in answers(method):
        compared += 1
        if method.gives == "interval":
            assert_mirrored_limits(first, second)
        elif method.gives == "estimate":
            assert same(first, -np.asarray(second))
        else:
            assert_mirrored_test(method, options, first, second)
    assert compared or method.parameter in {None, "error"}  # of one model alone


def test_every_method_that_draws_for_two_models_is_looked_at():
    drawing = {(method.evidence.__name__, method.name) for method in METHODS if "rng" in method.options}
    assert {
        ("ClassScores", "stratified-bootstrap"),
        ("Outcomes", "wild-cluster"),
        ("PairedConfusion", "joint-bootstrap"),
        ("PairedTable", "percentile"),
        ("Resamples", "probability-better-run"),
        ("ScoreTable", "bayesian-signed-rank"),
        ("ScoreTable", "hierarchical"),
        ("TrainingSets", "two-way-bootstrap"),
    } <= drawing


@pytest.mark.parametrize(("name", "kind"), [("percentile", PairedTable), ("bayesian-signed-rank", ScoreTable)])
def test_another_seed_draws_anew(name, kind):
    """Mirroring must not freeze the draws: seeds matter as they did."""
    method = next(each for each in METHODS if (each.name, each.evidence) == (name, kind))
    evidence = EVIDENCE[kind][0]
    result = [method(evidence, resamples=301, rng=seed) for seed in (0, 0, 1)]
    figures = [each.high if method.gives == "interval" else each.statistic for each in result]
    assert figures[0] == figures[1] != figures[2]


def test_functions_beside_the_registry_are_mirrored_too():
    for evidence in EVIDENCE[Resamples]:
        if evidence.plan.name == "seeds":
            here, there = (better_run_interval(each, resamples=201) for each in (evidence, swapped(evidence)))
            np.testing.assert_allclose([1 - there.high, 1 - there.low], [here.low, here.high], rtol=0, atol=2e-16)
        elif evidence.plan.name == "6-fold":
            here, there = (correlated_probabilities(each, rope=0.01) for each in (evidence, swapped(evidence)))
            assert same(here.a_better, there.b_better)
            assert same(here.equivalent, there.equivalent)


# --- Every two of several models -------------------------------------------------------------------------


def turned_places(models):
    """Return for each pair of models where it stands once all models are in reverse order."""
    pairs = list(zip(*(each.tolist() for each in np.triu_indices(models, 1)), strict=True))
    return [pairs.index((models - 1 - b, models - 1 - a)) for a, b in pairs]


def several(kind, models, rng):
    values = rng.random((models, 60))
    names = list("abcd"[:models])
    for order in (names, names[::-1]):
        rows = {name: values[names.index(name)] for name in order}
        if kind is ErrorPatterns:
            yield ErrorPatterns.from_correct({name: row > 0.3 for name, row in rows.items()})
        elif kind is Outcomes:
            yield Outcomes.from_scores(rows, metric="x", clusters=np.arange(60) // 2)
        else:
            yield ScoreTable.from_scores({name: row[:12].round(1) for name, row in rows.items()})


@pytest.mark.parametrize(
    "method", find_methods(gives="pairs"), ids=lambda each: f"{each.evidence.__name__}-{each.name}"
)
@pytest.mark.parametrize("models", [2, 4])
def test_models_in_reverse_order_mirror_every_pair(method, models):
    """To the bit for two, and for what is drawn; ranks of several leave a digit to rounding."""
    few = {"resamples": 501} if "resamples" in method.options else {}
    exact = models == 2 or "rng" in method.options
    for seed in range(3):
        first, second = several(method.evidence, models, np.random.default_rng(seed))
        for alternative in ("two-sided", "greater") if "alternative" in method.options else (None,):
            here, there = (
                {} if way is None else {"alternative": way} for way in (alternative, OPPOSITE.get(alternative))
            )
            one, other = method(first, **few, **here), method(second, **few, **there)
            index = turned_places(models)
            slack = {"rtol": 0, "atol": 0} if exact else {"rtol": 1e-9, "atol": 1e-12}
            np.testing.assert_allclose(other.pvalue[index], one.pvalue, **slack)
            np.testing.assert_allclose(other.statistic[index], -one.statistic, **slack)
            if getattr(one, "interval", None) is not None:
                assert same(other.interval.low[index], -one.interval.high)


def test_two_models_that_err_alone_equally_often_are_their_own_mirror_image():
    patterns = ErrorPatterns.from_codes(["a", "b"], {0: 40, 1: 10, 2: 10, 3: 5})
    method = find_method("max-t", "pairs", ErrorPatterns)
    greater, less = (method(patterns, alternative=way, resamples=501) for way in ("greater", "less"))
    assert greater.pvalue == less.pvalue
    assert greater.interval.low == -less.interval.high
