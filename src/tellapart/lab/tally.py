"""Tallies of results: sums over trials, or over outcomes by probability.

A tally is a dictionary of arrays whose first dimension is the condition (the true difference). Of a test it keeps
how often it rejected, for whom, and the distribution of its p-values; of an interval how often it held the truth,
on which side it missed, and its width; of an estimator its bias and its square. Tallies of other trials of the
same design are added entry by entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..evidence import ErrorPatterns
from ..methods import Offer
from ..methods.multiplicity import adjust
from ..results import Interval, MeanRanks, Pairs, TestResult
from ..typing_ import FloatArray, Hypothesis, IntArray
from ..verbs.pipeline import Fits, beyond_margin
from .batched_results import joined, patiently

Tally = dict[str, FloatArray]

# Where the distribution of the p-values is kept: in thousandths, and finer below the first.
_FINE = np.array([1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4])
PVALUES = np.concatenate([_FINE, np.arange(1, 1001) / 1000])
_ROUNDING = 1e-12  # a truth that lies on a limit is held


def add(first: Tally, second: Tally) -> Tally:
    """Return the sum of two tallies of the same method and design."""
    return {name: first[name] + second[name] for name in first}


class Margin(NamedTuple):
    """The hypothesis of a margin: B is at most this much worse, more than this much better, or equivalent."""

    size: float
    hypothesis: Hypothesis

    @property
    def border(self) -> float:
        """The difference under the null hypothesis; for equivalence, the limit at which B is worse."""
        return self.size if self.hypothesis == "superior" else -self.size

    def side(self, differences: FloatArray) -> FloatArray:
        """Return 1 if the alternative hypothesis is true, −1 if not, and 0 at the limit."""
        if self.hypothesis == "equivalent":
            return np.sign(self.size - np.abs(differences))
        return np.sign(differences - self.border)


@dataclass(frozen=True, slots=True)
class MethodRequest:
    """A method, its options, its alpha, and the number of learners."""

    method: Offer
    options: dict[str, Any]
    alpha: float
    learners: int = 2  # whether it is asked about A alone, or about A and B
    margin: Margin | None = None

    @property
    def rest(self) -> dict[str, Any]:
        """All fields except the method, whose assumptions contain functions and cannot be pickled."""
        return {name: getattr(self, name) for name in ("options", "alpha", "learners", "margin")}

    @property
    def parameter(self) -> str:
        """The estimated parameter: the difference, the error of A, the odds or the reduction."""
        if self.learners == 1:
            return "error"
        parameter = self.method.parameter
        return "difference" if parameter is None or parameter == "error" else parameter

    def __call__(self, evidence: Any) -> Any:
        """Return the method's answer; for a list of evidence, all answers in one."""
        return (
            joined([self._run_method(each) for each in evidence])
            if isinstance(evidence, list)
            else self._run_method(evidence)
        )

    def _run_method(self, evidence: Any) -> Any:
        if self.margin is None:
            return self.method(evidence, **self.options)
        return beyond_margin(partial(Fits(evidence, self.options).apply, self.method), *self.margin)


def tally(
    request: MethodRequest,
    evidence: Any,
    truth: Any,
    side: Any,
    chance: FloatArray | None = None,
    progress: bool | None = False,
) -> Tally:
    """Return the tally of a method's results over all evidence.

    Parameters
    ----------
    asked
        The requested method.
    evidence
        One entry for each trial or outcome.
    truth
        The true value of the method's parameter under each condition.
    side
        The side of the null hypothesis: −1 (A is better), 0 or 1 (B is better).
    chance
        The probability of every outcome under every condition; without it, every entry is a trial of one condition.
    progress
        Whether to show a bar where answers to all outcomes take long; None: on a terminal only.
    """
    weigh = _Weigh(chance)
    answer = request(evidence) if chance is None else patiently(request, evidence, request.method.name, progress)
    if request.method.gives == "test":
        return _of_test(answer, evidence, np.atleast_1d(side), weigh, request)
    if request.method.gives == "interval":
        return _of_interval(answer, np.atleast_1d(truth), weigh)
    if request.method.gives == "estimate":
        return _of_estimate(answer, np.atleast_1d(truth), weigh)
    return _of_pairs(answer, np.atleast_1d(truth), weigh, request)


class _Weigh:
    """Sums over entries, for each condition: counts of trials, or probabilities of outcomes."""

    def __init__(self, chance: FloatArray | None) -> None:
        self.chance = chance

    def __call__(self, values: Any) -> FloatArray:
        """Return the sum of the values, one for each entry, or one for each entry and condition."""
        values = np.asarray(values)
        if self.chance is None:
            return np.asarray(np.atleast_1d(values.sum(axis=0)), dtype=float)
        if values.ndim == 1:
            return np.asarray(values.astype(float) @ self.chance)
        return np.asarray(np.einsum("ij,ij->j", values.astype(float), self.chance))

    def by_bin(self, bins: IntArray, number: int) -> FloatArray:
        """Return the sum in every bin, by condition and bin."""
        if self.chance is None:
            return np.bincount(bins, minlength=number)[None, :].astype(float)
        return np.stack([np.bincount(bins, column, minlength=number) for column in self.chance.T])


def _of_test(answer: TestResult, evidence: Any, side: FloatArray, weigh: _Weigh, request: MethodRequest) -> Tally:
    rejected, pvalue = np.atleast_1d(answer.rejected(request.alpha)), np.atleast_1d(answer.pvalue)
    figures = {
        "rejected": weigh(rejected),
        "undefined": weigh(np.isnan(pvalue)),
        "pvalues": _pvalue_counts(pvalue, weigh),
    }
    if _of_several(request, evidence):  # a test of all models at once has no direction
        return figures
    leader = np.atleast_1d(_leading_model(answer, evidence, request))
    for_a, for_b = weigh(rejected & (leader < 0)), weigh(rejected & (leader > 0))
    wrong = np.where(side > 0, for_a, np.where(side < 0, for_b, 0.0))  # 0 if neither is better
    return figures | {"for A": for_a, "for B": for_b, "wrong": wrong}


def _of_several(request: MethodRequest, evidence: Any) -> bool:
    """Return whether a test is for several models at once."""
    first = evidence[0] if isinstance(evidence, list) else evidence
    return request.method.evidence is ErrorPatterns or (first is not None and len(first.models) > 2)


def _leading_model(answer: TestResult, evidence: Any, request: MethodRequest) -> FloatArray:
    """Return the direction of a test: positive for B (or an error above the threshold), negative for A."""
    side = 1.0 if request.margin else _SIDES.get(request.options.get("alternative", ""), 0.0)
    if side:  # a one-sided test has one direction
        return np.full(np.shape(answer.pvalue), side)
    null = request.options.get("against", 0.0)
    if answer.chooses is not None:
        return np.asarray(answer.chooses, dtype=float)
    if answer.estimate is not None:
        return np.asarray(answer.estimate - null)
    each = evidence if isinstance(evidence, list) else [evidence]
    quantities = [np.atleast_1d(part.quantity) for part in each]
    return np.asarray(np.concatenate(quantities) - null)


_SIDES = {"greater": 1.0, "less": -1.0}


def _pvalue_counts(pvalue: FloatArray, weigh: _Weigh) -> FloatArray:
    """Return the numbers of p-values up to each of `PVALUES`, by condition."""
    places = np.ceil(np.nan_to_num(pvalue, nan=2.0) * 1000 - 1e-9).astype(np.int64) + _FINE.size - 1
    small = places <= _FINE.size  # up to a thousandth
    places[small] = np.searchsorted(PVALUES[: _FINE.size + 1], pvalue[small])
    counts = weigh.by_bin(np.minimum(places, PVALUES.size), PVALUES.size + 1)
    return np.cumsum(counts, axis=1)[:, :-1]


def _of_interval(answer: Interval, truth: FloatArray, weigh: _Weigh) -> Tally:
    low, high = np.atleast_1d(answer.low)[:, None], np.atleast_1d(answer.high)[:, None]
    below, above = truth < low - _ROUNDING, truth > high + _ROUNDING
    known = np.where(np.isnan(truth), np.nan, 1.0)  # coverage of an undefined true value is undefined
    return {
        "covered": weigh(~(below | above | np.isnan(low) | np.isnan(high))) * known,
        "below": weigh(below) * known,
        "above": weigh(above) * known,
        **_finite_widths(np.atleast_1d(answer.width), weigh),
    }


def _finite_widths(width: FloatArray, weigh: _Weigh) -> Tally:
    """Return the number of bounded intervals, and their total width."""
    bounded = np.isfinite(width)
    finite = np.where(bounded, width, 0.0)
    return {"bounded": weigh(bounded), "width": weigh(finite), "width squared": weigh(finite**2)}


def _of_estimate(answer: Any, truth: FloatArray, weigh: _Weigh) -> Tally:
    off = np.atleast_1d(np.asarray(answer, dtype=float))[:, None] - truth
    return {"off": weigh(off), "off squared": weigh(off**2)}


def _of_pairs(answer: Pairs | MeanRanks, truth: FloatArray, weigh: _Weigh, request: MethodRequest) -> Tally:
    """Return counts of rejections for any pair, of false ones, and of simultaneous coverage.

    A claim is false where the two are equally good, or the other one is better. P-values that do not allow for their
    number are adjusted by Holm, as `compare` does; those for pairs with one learner only are read of the first.
    """
    each, which = np.atleast_2d(answer.pvalue), np.atleast_2d(answer.statistic)
    if request.method.name in _OF_CONTROL:
        number = np.atleast_2d(answer.ranks).shape[1] - 1  # type: ignore[union-attr]  # such a method tells mean ranks
        each, which, truth = each[:, :number], which[:, :number], truth[..., :number]
    if isinstance(answer, MeanRanks) and not answer.allows:
        each = adjust(each)
    smallest = each.min(axis=1)
    false = (each < request.alpha) & (np.sign(which) != np.sign(truth))
    figures = {
        "rejected": weigh(smallest < request.alpha),
        "wrong": weigh(false.any(axis=1)),
        "undefined": weigh(np.isnan(smallest)),
        "pvalues": _pvalue_counts(smallest, weigh),
    }
    return figures if isinstance(answer, MeanRanks) else figures | _joint_coverage(answer, truth, weigh)


_OF_CONTROL = {"bonferroni-dunn"}  # its p-values allow for the pairs with a control, and for no others


def _joint_coverage(answer: Pairs, truth: FloatArray, weigh: _Weigh) -> Tally:
    """Return the simultaneous coverage of all intervals, and their width."""
    low, high = np.atleast_2d(answer.interval.low), np.atleast_2d(answer.interval.high)
    contained = (low <= truth + _ROUNDING) & (high >= truth - _ROUNDING)
    return {"covered": weigh(contained.all(axis=1)), **_finite_widths((high - low).mean(axis=1), weigh)}
