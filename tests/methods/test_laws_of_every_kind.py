"""Laws that hold for every kind of evidence and every method of it, at ordinary, degenerate and huge evidence.

Huge means counts to 10¹⁵, where a difference of two large numbers has no digits left. Warnings are errors in this
suite, so every law here is also the law that no warning reaches a user. What a swap does to draws, probabilities and
several models is in test_swaps.py.
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import (
    ClassScores,
    ConfusionMatrix,
    ErrorCount,
    ErrorPatterns,
    IndependentCounts,
    Outcomes,
    PairedConfusion,
    PairedTable,
    Plan,
    Resamples,
    ScoreTable,
    StratifiedCount,
    TrainingSets,
    compare,
    estimate,
    find_methods,
)
from tellapart.errors import InvalidEvidence, TellapartError
from tellapart.lab import Discriminant, Twins
from tellapart.lab.plan_views import natural_plan
from tellapart.methods import find_method
from tellapart.metrics import Metric
from tellapart.rendering import plain

METHODS = [method for method in find_methods() if method.gives in {"interval", "test"}]
INTERVALS = [method for method in METHODS if method.gives == "interval"]
SIZES = (10**6, 10**12, 10**15)
SHARE = Metric(name="score", bounds=(0.0, 1.0))
ALPHAS = (0.5, 0.05, 1e-3, 1e-12, 1e-240)

# Options that a method cannot do without, and numbers of draws that keep this quick.
OPTIONS = {
    "beta": {"prior": (2, 5)},
    "posterior": {"prior": lambda error: error * (1 - error) ** 4},
    "hypergeometric": {"pool": 2 * 10**15},
    "mean-error-choice": {"ties": "none"},  # else the first learner is chosen
    "vote": {"ties": "none"},
}
# They enumerate every table of a size.
ENUMERATED = {"unconditional", "mcnemar-unconditional", "barnard", "boschloo", "martin-hirschberg-exact"}
# Seconds for a handful of huge counts: make test-slow.
SLOW = {"hypergeometric", "fisher", "fisher-mid-p", "two-betas", "balanced-bayes", "mcnemar-evalue"}
# Bootstraps of counts draw all entries of a batch from one stream, so an entry's draws depend on those before it.
ONE_STREAM = {"percentile", "bca-bootstrap", "joint-bootstrap", "count-bootstrap", "bcost", "bdeltacost"}
# Fitted for 95 % only.
FITTED = {"jeffreys-approx", "jeffreys-handbook"}

OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater", "two": "two", "upper": "lower"}


class Kind(NamedTuple):
    """Evidence of one kind, by what it is an example of, and what may be exchanged without changing the answer."""

    batches: dict[str, Any]
    swap: Callable[[Any], Any] | None = None  # A and B exchanged: the difference changes its sign
    mirror: Callable[[Any], Any] | None = None  # right and wrong exchanged, and A and B: the same difference
    complement: bool = False  # `mirror` turns an error rate e into 1 − e


# --- Evidence ------------------------------------------------------------------------------------


def error_counts() -> Kind:
    def some(*sizes: int) -> ErrorCount:
        rows = [(errors, n) for n in sizes for errors in sorted({0, 1, n // 10, n // 2, n - 1, n})]
        return ErrorCount(*np.array(rows).T)

    return Kind(
        {"small": some(1, 2, 29, 120), "huge": some(*SIZES)},
        mirror=lambda count: ErrorCount(count.successes, count.trials),
        complement=True,
    )


def paired_tables() -> Kind:
    small = [(0, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 20), (20, 0, 0, 0), (9, 0, 0, 11), (0, 20, 0, 0)]
    small += [(0, 5, 0, 15), (5, 15, 0, 0), (0, 10, 10, 0), (0, 5, 5, 10), (4, 7, 1, 8)]
    huge = [
        row
        for n in SIZES
        for row in (
            *((n, 0, 0, 0), (0, n, 0, 0), (0, 1, 0, n - 1), (n - 1, 1, 0, 0), (n - 3, 2, 1, 0)),
            (n // 2, n // 100, n // 101, n - n // 2 - n // 100 - n // 101),
            *((0, n // 2, n - n // 2, 0), (0, n // 2 + 1, n // 2 - 1, 0)),
        )
    ]
    return Kind(
        {"small": PairedTable(*np.array(small).T), "huge": PairedTable(*np.array(huge).T)},
        swap=PairedTable.swapped,
        mirror=lambda it: PairedTable(it.both_right, it.only_a_wrong, it.only_b_wrong, it.both_wrong),
    )


def independent_counts() -> Kind:
    small = [(0, 1, 0, 1), (1, 1, 0, 1), (1, 1, 1, 1), (0, 20, 0, 20), (20, 20, 20, 20), (20, 20, 0, 20)]
    small += [(0, 3, 3, 3), (10, 20, 10, 20), (3, 10, 7, 31)]
    huge = [(0, 5, 1, 10**6), (5, 5, 10**6 - 1, 10**6)]
    for n in SIZES:
        huge += [(0, n, 0, n), (n, n, 0, n), (n // 2, n, n // 2, n), (0, 1, 1, n), (n - 1, n, n - 2, n)]
    return Kind(
        {
            name: IndependentCounts.from_counts(*np.array(rows).T)
            for name, rows in {"small": small, "huge": huge}.items()
        },
        swap=IndependentCounts.swapped,
        mirror=lambda it: IndependentCounts.from_counts(it.b.successes, it.b.trials, it.a.successes, it.a.trials),
    )


def stratified_counts() -> Kind:
    rows = [(errors, (n, n)) for n in (1, 20, *SIZES) for errors in ((0, 0), (n, n), (0, n), (1, n // 3))]
    errors, trials = (np.array(part) for part in zip(*rows, strict=True))
    return Kind(
        {"strata": StratifiedCount(errors, trials, [0.9, 0.1])},
        mirror=lambda it: StratifiedCount(it.trials - it.errors, it.trials, it.shares),
        complement=True,
    )


def error_patterns() -> Kind:
    patterns = [[False, False, False], [True, False, False], [False, True, True], [True, True, True]]
    rows = (
        [(9, 0, 0, 0), (0, 0, 0, 1), (5, 3, 1, 2)]
        + [(n, 3, 1, 2) for n in SIZES]
        + [(3, n // 3, n // 4, 0) for n in SIZES]
    )
    return Kind(
        {"patterns": ErrorPatterns(("a", "b", "c"), patterns, np.array(rows))},
        swap=lambda it: ErrorPatterns(("a", "b", "c"), it.wrong[:, ::-1], it.counts),
        mirror=lambda it: ErrorPatterns(("a", "b", "c"), ~it.wrong, it.counts),
    )


CELLS = [(9, 0, 0, 0, 0, 0, 0, 9), (5, 0, 0, 0, 0, 0, 0, 0), (8, 1, 2, 1, 0, 3, 1, 9), (0, 4, 4, 0, 0, 4, 4, 0)]
CELLS += [(n, 1, 2, 0, 0, 3, 0, n) for n in SIZES] + [
    (n // 2, n // 9, n // 8, 1, 7, n // 7, n // 5, n // 3) for n in SIZES
]


COSTS = np.array([[0, 1], [5, 0]])
METRICS = ("error", "recall", "precision", "f1", "balanced-accuracy", "mcc", "f1-macro", "label-balance", "cost")


def confusion_matrices(metric: str) -> Kind:
    """Return matrices asked for a metric, and the same with the labels in another order."""
    cells = np.array(CELLS)[:, :4].reshape(-1, 2, 2)
    return Kind(
        {"matrices": by_metric(ConfusionMatrix(cells, ["no", "yes"]), metric)},
        mirror=lambda it: by_metric(ConfusionMatrix(it.counts[..., ::-1, ::-1], ["yes", "no"]), metric),
    )


def paired_confusions(metric: str) -> Kind:
    cells = np.array(CELLS).reshape(-1, 2, 2, 2)
    return Kind(
        {"cubes": by_metric(PairedConfusion(cells, ["no", "yes"]), metric)},
        swap=PairedConfusion.swapped,
        mirror=lambda it: by_metric(PairedConfusion(it.counts[..., ::-1, ::-1, ::-1], ["yes", "no"]), metric),
    )


def by_metric(evidence: Any, metric: str) -> Any:
    """Ask for a metric; what is costly and what is positive goes with the label, wherever it stands."""
    if metric == "cost":
        return evidence.by(metric, costs=COSTS if evidence.labels == ("no", "yes") else COSTS[::-1, ::-1])
    one_label = metric in {"recall", "precision", "f1", "label-balance"}
    return evidence.by(metric, **({"positive": "yes"} if one_label else {}))


@cache
def scores(*shape: int) -> np.ndarray:
    """Return scores of two decimals, so that some of them tie."""
    return np.random.default_rng(len(shape)).random(shape).round(2)


def class_scores() -> Kind:
    labels = np.arange(24) % 3 > 0
    return Kind(
        {
            "ordinary": ClassScores(labels.astype(int), scores(3, 2, 24), (0, 1)),
            "precision": ClassScores(labels.astype(int), scores(3, 2, 24), (0, 1), metric="average-precision"),
            "separated": ClassScores(labels.astype(int), labels + scores(1, 2, 24) / 2, (0, 1)),
            "tied": ClassScores(labels.astype(int), np.full((1, 2, 24), 0.5), (0, 1)),
            "huge": ClassScores(labels.astype(int), scores(3, 2, 24) * 1e300, (0, 1)),
        },
        swap=ClassScores.swapped,
        mirror=lambda it: ClassScores(1 - it.labels, -it.scores, it.classes),
    )


def outcomes() -> Kind:
    clusters, groups = np.arange(24) // 3, np.arange(24) % 2
    parts = {"clusters": clusters, "groups": groups, "group_names": ("x", "y")}
    wrong = (scores(3, 2, 24) > 0.6).astype(float)
    return Kind(
        {
            "graded": Outcomes(scores(3, 2, 24), metric=SHARE, **parts),
            "right or wrong": Outcomes(wrong, metric="error", **parts),
            "alike": Outcomes(np.stack([scores(1, 24)] * 2, axis=1), metric=SHARE, **parts),
            "constant gain": Outcomes(
                np.stack([scores(1, 24) / 2, scores(1, 24) / 2 + 0.25], axis=1), metric=SHARE, **parts
            ),
            "all right": Outcomes(np.ones((1, 2, 24)), metric="error", **parts),
            "unbounded": Outcomes(scores(3, 2, 24) * 1e15, **parts),
        },
        swap=Outcomes.swapped,
        mirror=lambda it: replace(it, scores=1 - it.scores).swapped() if it.metric.known_bounds else it,
    )


def resamples(method: Any) -> Kind:
    """Return two learners by the plan that a method was made for, with what both got wrong and the plan's parts."""
    plan = Plan.parse(natural_plan(method).replace("20x10", "4x3"))
    batches = {}
    if plan.kind != "seeds":  # which are no splits of a sample
        twins = Twins(Discriminant(), 60, distance=2.0, shared=1.0, plan=plan.name)
        (drawn,) = twins.draw([twins.view(method)], 2, np.random.default_rng(5)).values()
        batches = (
            {f"drawn {index}": one for index, one in enumerate(drawn)} if isinstance(drawn, list) else {"drawn": drawn}
        )
    if method.name not in PARTS:
        shape, size = (plan.replicates or 7, plan.folds or 12), 40

        def made(wrong: np.ndarray) -> Resamples:
            together = np.einsum("...arfi,...brfi->...abrf", wrong, wrong)
            return Resamples(wrong.mean(axis=-1), size, 2 * size, plan, together=together, examples=3 * size)

        wrong = (np.random.default_rng(6).random((1, *shape, size)) < 0.3).astype(float)
        batches |= {
            "identical": made(np.stack([wrong, wrong], axis=1)),
            "all right": made(np.zeros((1, 2, *shape, size))),
            "constant gain": made(np.stack([np.ones_like(wrong), np.zeros_like(wrong)], axis=1)),
            "independent": made(np.stack([wrong, wrong[:, ::-1, :, ::-1]], axis=1)),
        }
    return Kind(batches, swap=lambda it: it.select(*it.learners[::-1]))


def training_sets() -> Kind:
    wrong = (scores(3, 2, 6, 30) > 0.7).astype(float)
    return Kind(
        {
            "ordinary": TrainingSets(wrong),
            "identical": TrainingSets(np.stack([wrong[:1, 0]] * 2, axis=1)),
            "all right": TrainingSets(np.zeros((1, 2, 6, 30))),
        },
        swap=lambda it: it.select(*it.learners[::-1]),
        mirror=lambda it: replace(it, loss=1 - it.loss[..., ::-1, :, :]),
    )


def score_tables() -> Kind:
    names = tuple(str(index) for index in range(9))
    runs = scores(3, 2, 9, 4)
    return Kind(
        {
            "ordinary": ScoreTable(runs, names, rho=0.1),
            "huge": ScoreTable(runs * 1e15, names, rho=0.1),
            "identical": ScoreTable(np.stack([runs[:1, 0]] * 2, axis=1), names, rho=0.1),
            "constant gain": ScoreTable(np.stack([runs[:1, 0], runs[:1, 0] + 0.25], axis=1), names, rho=0.1),
        },
        swap=lambda it: it.select(*it.learners[::-1]),
    )


KINDS = {
    ErrorCount: error_counts,
    PairedTable: paired_tables,
    IndependentCounts: independent_counts,
    StratifiedCount: stratified_counts,
    ErrorPatterns: error_patterns,
    ClassScores: class_scores,
    Outcomes: outcomes,
    TrainingSets: training_sets,
    ScoreTable: score_tables,
}
# They read a plan with parts of its own, which twins give them.
PARTS = {"nested-cv", "conservative-z", "632", "632plus", "oob", "loo-star", "apparent"}


@cache
def specimens(method: Any) -> list[tuple[str, Any, Kind]]:
    """Return evidence that the method takes, many entries at once, with what may be exchanged in it."""
    if method.evidence in (ConfusionMatrix, PairedConfusion):
        make = confusion_matrices if method.evidence is ConfusionMatrix else paired_confusions
        kinds = [make(metric) for metric in METRICS if method.serves(metric)]
    else:
        kinds = [resamples(method) if method.evidence is Resamples else KINDS[method.evidence]()]
    return [
        (name, batch.select("A"), Kind({})) if alone(method, batch) else (name, batch, kind)
        for kind in kinds
        for name, batch in kind.batches.items()
        if not (method.name in ENUMERATED and name == "huge")
    ]


def alone(method: Any, batch: Any) -> bool:
    """Whether the method speaks of one model where the evidence holds two."""
    two = len(getattr(batch, "models", ())) == 2 and method.evidence in (Resamples, Outcomes, ClassScores, TrainingSets)
    return two and method.parameter == "error" and method.gives == "interval"


def ways(method: Any) -> tuple[str, tuple[str, str]]:
    return ("side", ("two", "upper")) if method.gives == "interval" else ("alternative", ("two-sided", "greater"))


@cache
def answers(method: Any, index: int, changed: str = "", way: str = "", alpha: float = 0.05) -> Any:
    """Return what a method says of one of its specimens, as it is or exchanged; None where it refuses such evidence."""
    _, evidence, kind = specimens(method)[index]
    if changed:
        evidence = getattr(kind, changed)(evidence)
    option, (both, _) = ways(method)
    against = 0.75 if changed == "mirror" and kind.complement else 0.25 if kind.complement else 0.0
    return ask(method, evidence, alpha=alpha, against=against, **{option: way or both})


def ask(method: Any, evidence: Any, **how: Any) -> Any:
    """Ask a method by the options it knows, with few draws; None where it refuses such evidence."""
    how |= {"resamples": 99, "draws": 2000}
    known = {name: value for name, value in how.items() if name in method.options}
    try:
        return method(evidence, **known, **OPTIONS.get(method.name, {}))
    except TellapartError:
        return None


def mirrors(method: Any) -> bool:
    """Whether right and wrong may be exchanged: a method that draws meets other draws then."""
    return method.symmetric and method.parameter != "reduction" and "rng" not in method.options


def every(methods: list[Any], but: set[str] = frozenset()) -> Any:
    """Run a law over these methods, except for those named."""
    return pytest.mark.parametrize(
        "method",
        [
            pytest.param(
                method,
                id=f"{method.evidence.__name__}-{method.gives}-{method.name}",
                marks=[pytest.mark.slow] if method.name in SLOW else [],
            )
            for method in methods
            if method.name not in but
        ],
    )


# --- Laws ----------------------------------------------------------------------------------------


def test_every_kind_of_evidence_is_here():
    assert {*KINDS, Resamples, ConfusionMatrix, PairedConfusion} == {method.evidence for method in METHODS}


@every(METHODS)
def test_a_method_answers_and_a_p_value_is_a_probability_above_0(method):
    result = [answers(method, index) for index in range(len(specimens(method)))]
    assert any(answer is not None for answer in result)
    for answer in result:
        if answer is not None and method.gives == "test" and answer.rejects is None:
            assert np.all((answer.pvalue > 0) & (answer.pvalue <= 1) | np.isnan(answer.pvalue))


@every(METHODS)
def test_exchanging_a_and_b_mirrors_the_answer_to_the_bit(method):
    for index, (name, _, kind) in enumerate(specimens(method)):
        for way in ways(method)[1] if kind.swap else ():
            here, there = answers(method, index, "", way), answers(method, index, "swap", OPPOSITE[way])
            assert (here is None) == (there is None), name
            if here is None:
                continue
            if method.gives == "test":
                assert_array_equal(there.pvalue, here.pvalue, err_msg=name)
                assert_array_equal(there.rejects, here.rejects, err_msg=name)
            elif method.parameter == "difference":
                assert_array_equal([-there.high, -there.low], [here.low, here.high], err_msg=name)
            elif method.parameter in {"odds", "ratio"}:
                with np.errstate(divide="ignore"):
                    assert_allclose([1 / there.high, 1 / there.low], [here.low, here.high], rtol=1e-12, err_msg=name)


@every([method for method in METHODS if mirrors(method)])
def test_exchanging_right_and_wrong_mirrors_the_answer(method):
    for index, (name, _, kind) in enumerate(specimens(method)):
        for way in ways(method)[1] if kind.mirror else ():
            here = answers(method, index, "", way)
            there = answers(method, index, "mirror", OPPOSITE[way] if kind.complement else way)
            if here is None or there is None:
                continue
            if method.gives == "test":
                assert_allclose(there.pvalue, here.pvalue, rtol=1e-9, err_msg=name)
            elif kind.complement:
                ends = [1 - there.high, 1 - there.low]
                assert_allclose(ends, [here.low, here.high], rtol=1e-12, atol=1e-15, err_msg=name)
            else:
                assert_allclose([there.low, there.high], [here.low, here.high], rtol=1e-9, atol=0, err_msg=name)


@every(INTERVALS, but=FITTED)
def test_a_smaller_alpha_gives_a_wider_interval(method):
    for index, (name, _, _) in enumerate(specimens(method)):
        result = [answers(method, index, alpha=alpha) for alpha in ALPHAS]
        for narrow, wide in pairwise(result):
            if narrow is not None and wide is not None:
                for inner, outer in ((-narrow.low, -wide.low), (narrow.high, wide.high)):
                    assert np.all((outer >= inner) | np.isclose(outer, inner, rtol=1e-12, atol=0, equal_nan=True)), name


@every(METHODS, but=ONE_STREAM)
def test_a_batch_gives_what_each_entry_gives(method):
    for index, (name, batch, _) in enumerate(specimens(method)):
        together = answers(method, index)
        for entry in range(batch.shape[0] if batch.shape and together is not None else 0):
            option, (both, _) = ways(method)
            against = 0.25 if method.evidence is ErrorCount else 0.0
            single = ask(method, batch[entry], alpha=0.05, against=against, **{option: both})
            for field in ("low", "high") if method.gives == "interval" else ("pvalue", "statistic"):
                one, many = getattr(single, field), getattr(together, field)[entry]
                assert_allclose(many, one, rtol=1e-10, err_msg=f"{name}, entry {entry}")


@every([method for method in INTERVALS if method.standing != "forbidden"])
def test_only_a_forbidden_interval_may_have_no_width(method):
    for index, (name, _, _) in enumerate(specimens(method)):
        for alpha in (0.05,) if method.name in FITTED else ALPHAS:
            result = answers(method, index, alpha=alpha)
            if result is not None:
                assert np.all((result.high > result.low) | np.isnan(result.low)), f"{name}, alpha {alpha}"


# --- The verbs ------------------------------------------------------------------------------------


def entries_of_every_kind() -> list[Any]:
    kinds = [make() for make in KINDS.values()] + [confusion_matrices("f1"), paired_confusions("mcc")]
    kinds.append(resamples(find_method("corrected-repeated-kfold-t", "test", Resamples)))
    return [
        pytest.param(
            batch,
            id=f"{type(batch).__name__} {name}",
            marks=[pytest.mark.slow] if type(batch) is IndependentCounts and name == "huge" else [],
        )
        for kind in kinds
        for name, batch in kind.batches.items()
    ]


@pytest.mark.parametrize("batch", entries_of_every_kind())
def test_every_entry_is_answered_in_words_and_in_json(batch):
    one = isinstance(batch, ErrorCount | StratifiedCount | ConfusionMatrix)
    for entry in range(batch.shape[0]):
        try:
            answer = (estimate if one else compare)(batch[entry])
        except InvalidEvidence:  # one split, or one example, that says nothing
            continue
        for text in (str(answer), answer.words):
            # A metric may be undefined, which the text says; no figure may be.
            stated = re.sub(r"\bis undefined\b|\bundefined (?:metric|classes|for)\b", "", text)
            assert not re.search(r"\b(nan|None|undefined)\b", stated), text
        json.dumps(plain(answer.as_dict()), allow_nan=False)
