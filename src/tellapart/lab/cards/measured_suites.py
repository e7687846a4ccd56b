"""Designs on which the methods for other metrics are measured: confusion matrices and class scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from ...methods import Offer
from ..design import of_one_learner
from ..designs.binormal import BinormalScores
from ..designs.confused import ConfusedLabels
from ..designs.confused_pairs import ConfusedPairs
from .group import Case, Group

_DRAWN = {"resamples": 999}
_FEW = 1000  # trials of methods that draw
_COSTS = [[0.0, 1.0], [10.0, 0.0]]  # of two labels: a false negative costs ten times a false positive


def _has_formula(method: Offer) -> bool:
    return "rng" not in method.options


def _of_metric(metric: str, besides: Callable[[Offer], bool]) -> Callable[[Offer], bool]:
    return lambda method: method.serves(metric) and besides(method)


def _metric_settings(metric: str) -> dict[str, Any]:
    return {"metric": metric} | ({"costs": _COSTS} if metric == "cost" else {})


# --- One classifier -------------------------------------------------------------------------------

POSITIVES = (0.1, 0.3, 0.5)  # shares of the labels
RATES = (0.5, 0.8, 0.95, 0.99)  # of either label that is found
EXACT = (5, 10, 20, 50, 100)  # examples: a hundred have 176,851 matrices
# For two labels: shares with their own denominator, and other metrics. Other shares are these with labels swapped.
OF_TWO = ("recall", "precision", "jaccard", "f1", "mcc", "kappa", "balanced-accuracy", "cost", "label-balance")
OF_MORE = ("accuracy", "f1-macro", "f1-weighted", "mcc", "kappa", "balanced-accuracy")
_SLOW = {"balanced-bayes": 20}  # by numerical convolution, one by one: at most so many examples are enumerated


def confusion_matrices() -> Iterator[Group]:
    """Yield the groups for methods that read one confusion matrix."""
    for metric, examples in product(OF_TWO, EXACT):
        rates = {"recall": np.array(RATES)[:, None], "specificity": np.array(RATES)}
        every = ConfusedLabels.from_rates(
            examples, positives=np.array(POSITIVES)[:, None, None], **rates, **_metric_settings(metric)
        )
        words = f"{metric} of {examples} examples, 10% to 50% positive, recall and specificity 0.5 to 0.99"
        yield Group(words, ((every, ()),), _of_metric(metric, _is_enumerated(examples)))
    for metric in ("recall", "precision", "f1", "mcc", "balanced-accuracy", "label-balance"):
        yield Group(
            f"{metric} of 1000 examples, {_FEWER}", _of_two(1000, metric), _of_metric(metric, _is_quick), trials=4000
        )
    for examples in (100, 1000):
        words = f"balanced-accuracy of {examples} examples, {_FEWER}"
        cases = _of_two(examples, "balanced-accuracy")
        yield Group(words, cases, _of_metric("balanced-accuracy", _is_slow), trials=500)
    for metric, examples in product(("recall", "f1", "mcc", "balanced-accuracy", "cost"), (20, 50, 200)):
        cases = _of_two(examples, metric)
        words = f"{metric} of {examples} examples, {_FEWER}"
        yield Group(words, cases, _of_metric(metric, _is_random), trials=_FEW, options=_DRAWN)
    for metric, examples, labels in product(OF_MORE, (30, 300), (3, 6)):
        words = f"{metric} of {examples} examples of {labels} labels, accuracy of 0.5 to 0.95"
        several = tuple(
            (ConfusedLabels(examples, _make_classifier(labels, right, uneven), metric=metric), ())
            for right, uneven in product((0.5, 0.8, 0.95), (False, True))
        )
        yield Group(words, several, _of_metric(metric, _is_quick), trials=4000)
        yield Group(words, several, _of_metric(metric, _is_slow), trials=300)


_FEWER = "10% and 50% positive, recall and specificity 0.6 and 0.95"


def _of_two(examples: int, metric: str) -> tuple[Case, ...]:
    return tuple(
        (ConfusedLabels.from_rates(examples, positives=p, recall=r, specificity=s, **_metric_settings(metric)), ())
        for p, r, s in product((0.1, 0.5), (0.6, 0.95), (0.6, 0.95))
    )


def _make_classifier(labels: int, right: float, uneven: bool) -> Any:
    """Return a classifier with given recalls; the last label is confused with its neighbour."""
    shares = np.geomspace(1.0, 0.2, labels) if uneven else np.ones(labels)
    shares = shares / shares.sum()
    near = np.exp(-np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))))
    np.fill_diagonal(near, 0.0)
    predicted = (1 - right) * near / near.sum(axis=1, keepdims=True) + right * np.eye(labels)
    return shares[:, None] * predicted


def _is_enumerated(examples: int) -> Callable[[Offer], bool]:
    """Return whether a method is enumerated; methods for all metrics only at few sizes, to limit computing time."""
    return lambda method: (
        _has_formula(method)
        and examples <= _SLOW.get(method.name, examples)
        and (bool(method.metrics) or examples in {5, 20, 100})
    )


def _is_quick(method: Offer) -> bool:
    return _has_formula(method) and method.name not in _SLOW


def _is_slow(method: Offer) -> bool:
    return method.name in _SLOW


def _is_random(method: Offer) -> bool:
    return not _has_formula(method)


# --- Two classifiers ------------------------------------------------------------------------------

# Recall and specificity of A and B: alike, or as good by the metric and not alike.
ALIKE = ((0.8, 0.8), (0.95, 0.9), (0.6, 0.95))
UNLIKE = (((0.9, 0.7), (0.75, 0.95)), ((0.95, 0.8), (0.8, 0.9)))
OF_PAIRS = ("recall", "precision", "f1", "mcc", "kappa", "balanced-accuracy", "cost", "accuracy")
STEP = 0.05
_SLOW_PAIRS = {"mover-tango": 10}  # at most so many examples are enumerated


def paired_confusions() -> Iterator[Group]:
    """Yield the groups for methods that read two classifiers' predictions."""
    for metric, examples in product(OF_PAIRS, (5, 10, 15)):
        words = f"{metric} of {examples} examples"
        yield Group(words, _resize_pairs(examples, metric), _of_metric(metric, _listed_pairs(examples)))
    for metric, examples in product(OF_PAIRS, (30, 100, 300, 1000)):
        words = f"{metric} of {examples} examples"
        quick = _quick_pairs if examples != 300 else _own_pairs
        yield Group(words, _resize_pairs(examples, metric), _of_metric(metric, quick), trials=4000)
        yield Group(words, _resize_pairs(examples, metric), _of_metric(metric, _slow_pairs), trials=_FEW)
    for metric, examples in product(("f1", "mcc", "cost"), (30, 100, 300)):
        words = f"{metric} of {examples} examples"
        fewer = tuple((replace(_as_good(metric)[index], examples=examples), (STEP,)) for index in (0, 5, 8, 13))
        yield Group(words, fewer, _of_metric(metric, _is_random), trials=500, options=_DRAWN)
    for metric, examples, labels in product(("f1-macro", "mcc", "balanced-accuracy"), (50, 200), (3, 6)):
        words = f"{metric} of {examples} examples of {labels} labels"
        several = [
            ConfusedPairs.from_shares(examples, _make_classifier(labels, right, uneven), alike=alike, metric=metric)
            for right, uneven, alike in product((0.6, 0.9), (False, True), (0.3, 0.7))
        ]
        yield Group(words, ((_stack_designs(several), (STEP,)),), _of_metric(metric, _quick_pairs), trials=4000)
        yield Group(words, ((_stack_designs(several), (STEP,)),), _of_metric(metric, _slow_pairs), trials=_FEW)


def _resize_pairs(examples: int, metric: str) -> tuple[Case, ...]:
    """Return the same pairs with other numbers of examples, each also with a difference of 5 pp."""
    each = [replace(design, examples=examples) for design in _as_good(metric)]
    return (each[0], (STEP,)), (_stack_designs(each[1:]), (STEP,))


@cache
def _as_good(metric: str) -> tuple[ConfusedPairs, ...]:
    """Return pairs of equally good classifiers, with high and low agreement."""
    examples, settings = 1, _metric_settings(metric)
    alike = [
        ConfusedPairs.from_rates(examples, positives=p, recall=recall, specificity=rest, alike=alike, **settings)
        for p, (recall, rest), alike in product((0.5, 0.1), ALIKE, (0.2, 0.8))
    ]
    unlike = [
        ConfusedPairs.from_rates(examples, positives=p, recall=recall, specificity=rest, **settings).at(0.0)
        for p, (recall, rest) in product((0.5, 0.2), UNLIKE)
    ]
    return *alike, *unlike


def _stack_designs(designs: Sequence[ConfusedPairs]) -> ConfusedPairs:
    """Return designs of one metric as one array, whose tables are enumerated once."""
    return replace(designs[0], shares=np.stack([design.shares for design in designs]))


def _listed_pairs(examples: int) -> Callable[[Offer], bool]:
    """Return whether a method is enumerated; methods for all metrics only at one size, to limit computing time."""
    return lambda method: (
        _has_formula(method)
        and examples <= _SLOW_PAIRS.get(method.name, examples)
        and (bool(method.metrics) or examples == 10)
    )


def _quick_pairs(method: Offer) -> bool:
    return _has_formula(method) and method.name not in _SLOW_PAIRS


def _own_pairs(method: Offer) -> bool:
    """Return whether a method is fast and made for one metric only."""
    return _quick_pairs(method) and bool(method.metrics)


def _slow_pairs(method: Offer) -> bool:
    return method.name in _SLOW_PAIRS


# --- Scores of two classes ------------------------------------------------------------------------

# Positives and negatives; areas; correlations between two models.
CLASSES = ((5, 20), (10, 10), (10, 100), (30, 30), (50, 200), (100, 100), (50, 1000))
AREAS = (0.6, 0.8, 0.9, 0.95, 0.99)
CORRELATIONS = (0.0, 0.5, 0.9)
RATINGS = 5


def class_scores() -> Iterator[Group]:
    """Yield the groups for methods that read scores."""
    for (positives, negatives), metric in product(CLASSES, ("auc", "average-precision")):
        title = f"{metric} of {positives} positives and {negatives} negatives"
        for ratings in (0, RATINGS) if metric == "auc" else (0,):
            steps = f", scores in {RATINGS} steps" if ratings else ""
            alone = tuple(
                (BinormalScores(positives, negatives, area, ratings=ratings, metric=metric, models=1), ())
                for area in AREAS
            )
            yield from _split_by_cost(f"{title}{steps}, one model", alone, metric, _of_one_model)
            pairs = tuple(
                (BinormalScores(positives, negatives, area, alike, ratings, metric), (STEP,))
                for area, alike in product((0.8, 0.9, 0.95), CORRELATIONS)
            )
            yield from _split_by_cost(f"{title}{steps}, two models", pairs, metric, _of_two_models)


def _of_one_model(method: Offer) -> bool:
    return method.gives == "interval" and method.name not in {"delong-paired", "mover-newcombe"}


def _of_two_models(method: Offer) -> bool:
    return not of_one_learner(method)


def _split_by_cost(words: str, cases: tuple[Case, ...], metric: str, asks: Callable[[Offer], bool]) -> Iterator[Group]:
    """Yield a group for methods with a formula, one for methods that draw, and one for the slow bootstrap."""
    quick = _of_metric(metric, lambda method: _has_formula(method) and asks(method))
    yield Group(words, cases, quick, trials=4000)
    drawing = _of_metric(metric, lambda method: _is_random(method) and method.name not in _SLOWEST and asks(method))
    yield Group(words, cases[::4], drawing, trials=_FEW, options=_DRAWN)
    first = cases[0][0]
    if first.facts["examples"] <= 250 and not first.facts["ratings"]:
        slowest = _of_metric(metric, lambda method: method.name in _SLOWEST and asks(method))
        yield Group(words, cases[::4], slowest, trials=300, options={"resamples": 399})


_SLOWEST = frozenset({"stratified-bootstrap"})
