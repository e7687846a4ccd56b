"""Designs on which the methods for per-example outcomes are measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from ...methods import Offer
from ..designs.scored_examples import ScoredExamples
from .group import Case, Group

GRADED = ("normal", "skewed", "zero-inflated")
RIGHT = (0.5, 0.8, 0.95)  # shares of right answers
SIZES = (5, 10, 30, 100, 300)
# How many clusters, how large they are on average, and how different their sizes are.
CLUSTERS = (
    *((5, 5, 0.0), (10, 5, 0.0), (20, 5, 0.0), (40, 5, 0.0), (100, 5, 0.0), (20, 20, 0.0)),
    *((10, 5, 1.0), (100, 5, 1.0), (20, 20, 1.0)),
)
ALIKE = (0.0, 0.1, 0.5)  # shares of the variance that clusters bring
_PAIRED_COUNTS = frozenset({"obuchowski", "durkalski", "eliasziw-donner", "yang"})  # they count right and wrong
_OF_ONE = frozenset({"rao-scott-wilson"})
_BY_GROUP = frozenset({"macro-average"})
_IGNORANT = frozenset({"mean-t"})  # who takes every example for independent
_OF_CLUSTERS = frozenset(
    {"cluster-robust", "cluster-cr0", "cluster-cr1", "cluster-cr2", "cluster-bootstrap", "wild-cluster"}
)
_CLUSTERED = _OF_CLUSTERS | {"sign-flip", "bca-bootstrap"}  # who resamples examples, or clusters where there are any
_NOT_PLAIN = _OF_CLUSTERS | _PAIRED_COUNTS | _BY_GROUP
_TRIALS, _FEW = 5000, 1000  # the second of methods that draw
_ONE_BY_ONE = {"resamples": 399}  # which every trial draws for itself
_DRAWN = {"resamples": 1999}  # which all trials of a block share


def outcomes() -> Iterator[Group]:
    """Yield the groups for methods that read outcomes."""
    yield from _plain_outcomes()
    yield from _clustered_groups()
    yield from _weighted_groups()
    yield from _in_groups()
    yield from _several_models()


# --- Independent examples -------------------------------------------------------------------------


def _plain_outcomes() -> Iterator[Group]:
    for examples in SIZES:
        graded = _scored_cases(examples, GRADED)
        yield from _split_by_cost(f"{examples} examples, graded scores", graded, _ignores_clusters)
        yield from _split_by_cost(
            f"{examples} examples, heavy-tailed losses", _scored_cases(examples, ("heavy-tailed",)), _ignores_clusters
        )
        answers = tuple(_move_design(ScoredExamples(examples, "right or wrong", share)) for share in RIGHT)
        yield from _split_by_cost(
            f"{examples} examples, right or wrong, error rates 5% to 50%", answers, _ignores_clusters
        )
        unlike = (_move_design(ScoredExamples(examples, "skewed", other="all or nothing")),)
        yield from _split_by_cost(
            f"{examples} examples, partial credit against all or nothing", unlike, _ignores_clusters
        )
        alone = tuple((ScoredExamples(examples, kind, models=1), ()) for kind in GRADED)
        yield from _split_by_cost(
            f"{examples} examples, graded scores of one model",
            alone,
            lambda method: _limits_of_one(method) and method.name not in _OF_ONE,
        )
        rates = tuple((ScoredExamples(examples, "right or wrong", share, models=1), ()) for share in RIGHT)
        yield from _split_by_cost(f"{examples} examples, one model, error rates 5% to 50%", rates, _limits_of_one)
    for examples in (30, 100):
        repeated = _scored_cases(examples, ("normal", "right or wrong"), repeats=4, within=0.5)
        yield from _split_by_cost(f"{examples} examples, 4 repeats each", repeated, _ignores_clusters)


def _scored_cases(examples: int, kinds: tuple[str, ...], **options: Any) -> tuple[Case, ...]:
    return tuple(_move_design(ScoredExamples(examples, kind, **options)) for kind in kinds)


def _move_design(design: ScoredExamples) -> Case:
    """Return a design with the largest difference of its grid: half a standard deviation, or 5 pp."""
    return design, design.grid[-1:]


def _ignores_clusters(method: Offer) -> bool:
    """Return whether a method treats examples as independent, or can."""
    return method.gives in {"test", "interval"} and method.name not in _NOT_PLAIN | _OF_ONE


def _limits_of_one(method: Offer) -> bool:
    return method.gives == "interval" and method.name not in _NOT_PLAIN


# --- Clusters -------------------------------------------------------------------------------------


def _clustered_groups() -> Iterator[Group]:
    for clusters, size, uneven in CLUSTERS:
        examples = clusters * size
        title = f"{clusters}{' uneven' if uneven else ''} clusters of {size} examples"
        title += " on average" if uneven else ""
        options: dict[str, Any] = {"clusters": clusters, "uneven": uneven}
        graded = tuple(
            _move_design(ScoredExamples(examples, kind, correlation=alike, **options))
            for kind, alike in product(("normal", "skewed"), ALIKE)
        )
        ignored = clusters == 20  # where those who ignore clusters are measured, too
        yield from _split_by_cost(f"{title}, graded scores", graded, _in_clusters(ignored=ignored))
        alone = tuple(
            (ScoredExamples(examples, kind, models=1, correlation=alike, **options), ())
            for kind, alike in product(("normal", "skewed"), ALIKE)
        )
        of_one = _in_clusters(ignored=ignored, gives=("interval",))
        yield from _split_by_cost(f"{title}, graded scores of one model", alone, of_one)
        answers = tuple(
            _move_design(ScoredExamples(examples, "right or wrong", share, correlation=alike, **options))
            for share, alike in product((0.5, 0.8), ALIKE)
        )
        yield from _split_by_cost(
            f"{title}, right or wrong, error rates 20% and 50%", answers, _in_clusters(_PAIRED_COUNTS, ignored=ignored)
        )
        rates = tuple(
            (ScoredExamples(examples, "right or wrong", share, models=1, correlation=alike, **options), ())
            for share, alike in product(RIGHT, ALIKE)
        )
        asks = _in_clusters(_OF_ONE, ignored=ignored, gives=("interval",))
        yield from _split_by_cost(f"{title}, one model, error rates 5% to 50%", rates, asks)


def _in_clusters(
    besides: frozenset[str] = frozenset(), *, ignored: bool, gives: tuple[str, ...] = ("test", "interval")
) -> Callable[[Offer], bool]:
    """Return whether a method accounts for clusters, or ignores them and is measured to show the effect."""
    names = _CLUSTERED | besides | (_IGNORANT if ignored else frozenset())
    return lambda method: method.name in names and method.gives in gives


# --- Weights, and groups --------------------------------------------------------------------------


def _weighted_groups() -> Iterator[Group]:
    for examples in (30, 100, 300):
        cases = _scored_cases(examples, ("normal", "skewed", "right or wrong"), weighted=1.0)
        yield from _split_by_cost(f"{examples} examples, log-normal weights", cases, _ignores_clusters)
    for clusters in (20, 40):
        cases = tuple(
            _move_design(ScoredExamples(5 * clusters, kind, clusters=clusters, correlation=alike, weighted=1.0))
            for kind, alike in product(("normal", "right or wrong"), (0.0, 0.5))
        )
        yield from _split_by_cost(f"{clusters} clusters of 5 examples, log-normal weights", cases, _weighing_clusters)


def _weighing_clusters(method: Offer) -> bool:
    return method.name in _CLUSTERED


def _in_groups() -> Iterator[Group]:
    for groups, size in ((3, 5), (3, 30), (10, 5), (10, 10), (10, 30), (50, 5)):
        cases = tuple(
            _move_design(ScoredExamples(groups * size, kind, groups=groups, uneven=uneven, apart=spread))
            for kind, uneven, spread in product(("normal", "right or wrong"), (0.0, 0.5), (0.0, 0.1))
        )
        yield from _split_by_cost(f"{groups} groups of {size} examples on average", cases, _of_groups)
    for groups, clusters in ((3, 30), (10, 100)):
        cases = tuple(
            _move_design(
                ScoredExamples(5 * clusters, kind, groups=groups, clusters=clusters, correlation=0.3, apart=0.1)
            )
            for kind in ("normal", "right or wrong")
        )
        yield from _split_by_cost(f"{groups} groups of 10 clusters of 5 examples", cases, _of_groups)


def _of_groups(method: Offer) -> bool:
    return method.name in _BY_GROUP


# --- Several models -------------------------------------------------------------------------------


def _several_models() -> Iterator[Group]:
    for examples, models in ((10, 3), (30, 5), (100, 5), (300, 4)):
        cases = _scored_cases(examples, ("normal", "skewed", "right or wrong"), models=models)
        yield Group(f"{examples} examples, {models} models", cases, _of_several, trials=_FEW, options=_ONE_BY_ONE)
    for clusters in (10, 30):
        cases = _scored_cases(5 * clusters, ("normal", "right or wrong"), models=4, clusters=clusters, correlation=0.3)
        words = f"{clusters} clusters of 5 examples, 4 models"
        yield Group(words, cases, _of_several, trials=_FEW, options=_ONE_BY_ONE)


def _of_several(method: Offer) -> bool:
    return method.gives == "pairs"


# --- Who draws has fewer trials -------------------------------------------------------------------


def _split_by_cost(words: str, cases: tuple[Case, ...], asks: Callable[[Offer], bool]) -> Iterator[Group]:
    """Yield a group for methods with a formula, and one for methods that draw, which have fewer trials."""
    yield Group(words, cases, lambda method: asks(method) and "rng" not in method.options, trials=_TRIALS)
    yield Group(words, cases, lambda method: asks(method) and "rng" in method.options, trials=_FEW, options=_DRAWN)
