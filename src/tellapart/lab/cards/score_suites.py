"""Designs on which the methods for tables of scores are measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

from ...evidence import ScoreTable
from ...methods import Offer, find_methods
from ..designs.data_sets import ManyDataSets
from .group import Case, Group

SIZES = (5, 10, 20, 30, 50)  # data sets
SYMMETRIC = ("normal", "heavy-tailed")
SEVERAL = ((5, 3), (10, 4), (15, 5), (30, 5), (30, 10))  # data sets, and learners
CHAINED = ((5, 10), (10, 10), (30, 10), (20, 2))  # data sets, and folds
# Where signs alone decide, the size jumps with the number of data sets: these are the largest that a look at all of
# them up to 200 found, below 20 of them and from there on.
JUMPS = (18, 21)
_OF_SIGNS = frozenset({"sign-test", "bayesian-sign"})
_OF_RUNS = frozenset({"random-effects", "hierarchical"})  # who look at the runs on each data set, and not at their mean
_SAMPLED = frozenset({"hierarchical"})  # by a Markov chain for every table
_WHERE_MISSING = frozenset({"skillings-mack"})  # of several learners, who copes with cells that are missing
_LISTING = frozenset({"friedman-exact"})  # who goes through all rankings of few learners
_FEW_CELLS = 40  # of which there are not too many, where nothing ties
_TRIALS, _FEWER = 10_000, 4000  # the second of runs, whose weights are found step by step
_FEW, _FEWEST = 2000, 200  # the first of methods that draw, the second of those that sample
_DRAWN = {"resamples": 2000}
_CHAIN = {"draws": 1000}


def score_tables() -> Iterator[Group]:
    """Yield the groups for methods that read tables of scores."""
    for datasets in SIZES:
        yield from _of_cells(datasets)
        yield from _of_runs(datasets)
    for datasets in JUMPS:
        cases: tuple[Case, ...] = ((ManyDataSets(datasets), (1.0,)),)
        yield Group(f"{datasets} data sets, normal differences", cases, _of_signs, trials=_TRIALS)
    for datasets, folds in product((5, 20), (2, 5)):
        yield from _of_runs(datasets, folds)
    yield from _sampled_groups()
    for datasets, learners in SEVERAL:
        yield from _of_several(datasets, learners)


# --- Two learners ---------------------------------------------------------------------------------


def _of_cells(datasets: int) -> Iterator[Group]:
    """Yield groups with one score per cell: symmetric, tied and skewed differences, and an outlier."""
    asks = _of_two(lambda method: method.name not in _OF_RUNS)
    for kind in (*SYMMETRIC, "skewed", "one outlier"):
        words = kind if kind == "one outlier" else f"{kind} differences"
        yield from _by_cost(f"{datasets} data sets, {words}", ((ManyDataSets(datasets, kind), (1.0,)),), asks)
    tied: tuple[Case, ...] = ((ManyDataSets(datasets, "tied"), (1.0,)),)
    title = f"{datasets} data sets, many ties"
    if datasets <= 20:  # beyond, the ways to tie are too many to be listed
        yield Group(title, tied, _has_formula(asks), ("two-sided", "greater") if datasets <= 10 else ("two-sided",))
    else:  # and limits by ranks take their time for each
        yield Group(title, tied, _has_formula(asks), trials=_FEW if datasets <= 30 else _FEWEST)
    yield _random_groups(title, tied, asks)
    if datasets >= 10:
        gone: tuple[Case, ...] = ((ManyDataSets(datasets, missing=0.2), (1.0,)),)
        yield from _by_cost(f"{datasets} data sets, 20% of the cells missing", gone, asks)


def _of_signs(method: Offer) -> bool:
    return method.name in _OF_SIGNS


def _of_runs(datasets: int, folds: int = 10) -> Iterator[Group]:
    """Yield groups with several folds per cell, with and without variation of the true differences.

    Who looks at the mean of the folds is asked about ten of them only.
    """
    asks = _has_formula(
        _of_two(lambda method: method.name not in _SAMPLED and (folds == 10 or method.name in _OF_RUNS))
    )
    for spread in (0.0, 1.0):
        for kind in SYMMETRIC if spread else SYMMETRIC[:1]:
            cases: tuple[Case, ...] = ((_folded_data_sets(datasets, kind, spread, folds), (1.0,)),)
            yield Group(_describe_folds(datasets, kind, spread, folds), cases, asks, trials=_FEWER)


def _sampled_groups() -> Iterator[Group]:
    """Yield the groups for methods that sample: few trials, and no power, to save time."""
    for datasets, folds in CHAINED:
        cases: tuple[Case, ...] = ((_folded_data_sets(datasets, "normal", 1.0, folds), ()),)
        words = _describe_folds(datasets, "normal", 1.0, folds)
        yield Group(words, cases, lambda method: method.name in _SAMPLED, trials=_FEWEST, options=_CHAIN)


def _folded_data_sets(datasets: int, kind: str, spread: float, folds: int) -> ManyDataSets:
    """Return data sets whose folds vary as much as the true differences, correlated by the tested share."""
    return ManyDataSets(datasets, kind, spread, runs=folds, noise=1.0, rho=1 / folds, uneven=0.5)


def _describe_folds(datasets: int, kind: str, spread: float, folds: int) -> str:
    true = f"{kind} true differences" if spread else "one true difference"
    return f"{datasets} data sets of {folds} folds, {true}"


def _of_two(besides: Callable[[Offer], bool]) -> Callable[[Offer], bool]:
    """Return whether a method is for two learners."""
    return lambda method: method.gives != "pairs" and method.name not in _omnibus_tests() and besides(method)


@cache
def _omnibus_tests() -> set[str]:
    """Return the names of the tests of several learners at once."""
    return {test.name for test in find_methods(gives="test", evidence=ScoreTable) if test.of_several}


# --- Several learners -----------------------------------------------------------------------------


def _of_several(datasets: int, learners: int) -> Iterator[Group]:
    title, cells = f"{datasets} data sets, {learners} learners", datasets * learners
    cases = tuple((ManyDataSets(datasets, kind, learners=learners), (1.0,)) for kind in (*SYMMETRIC, "skewed"))
    yield Group(title, cases, _is_of_several(cells <= _FEW_CELLS), trials=_TRIALS)
    tied: tuple[Case, ...] = ((ManyDataSets(datasets, "tied", learners=learners), (1.0,)),)
    yield Group(f"{title}, many ties", tied, _is_of_several(cells < _FEW_CELLS), trials=_TRIALS)
    gone: tuple[Case, ...] = ((ManyDataSets(datasets, learners=learners, missing=0.2), (1.0,)),)
    yield Group(f"{title}, 20% of the cells missing", gone, _has_missing_scores, trials=_TRIALS)


def _is_of_several(listing: bool) -> Callable[[Offer], bool]:
    """Return whether a method is for several learners; methods that enumerate rankings only on request."""
    return lambda method: (
        (method.gives == "pairs" or method.name in _omnibus_tests()) and (listing or method.name not in _LISTING)
    )


def _has_missing_scores(method: Offer) -> bool:
    return method.name in _WHERE_MISSING


# --- Who draws has fewer trials -------------------------------------------------------------------


def _by_cost(words: str, cases: tuple[Case, ...], asks: Callable[[Offer], bool]) -> Iterator[Group]:
    """Yield a group for methods with a formula, and one for methods that draw, which have fewer trials."""
    yield Group(words, cases, _has_formula(asks), trials=_TRIALS)
    yield _random_groups(words, cases, asks)


def _random_groups(words: str, cases: tuple[Case, ...], asks: Callable[[Offer], bool]) -> Group:
    draws: Callable[[Any], bool] = lambda method: asks(method) and "rng" in method.options  # noqa: E731
    powered = (
        cases if cases[0][0].facts["normal"] else tuple((design, ()) for design, _ in cases)
    )  # power of normal ones
    return Group(words, powered, draws, trials=_FEW, options=_DRAWN)


def _has_formula(asks: Callable[[Offer], bool]) -> Callable[[Offer], bool]:
    return lambda method: asks(method) and "rng" not in method.options
