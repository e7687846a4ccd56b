"""Suites: the designs on which the methods for each kind of evidence are measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from ...methods import Offer
from ...typing_ import FloatArray
from ..designs.paired import PairedOutcomes
from ..designs.rates import OneRate, TwoRates
from ..designs.several import Pool, SeveralModels, Strata
from . import learner_suites, measured_suites, outcome_suites, score_suites
from .group import Case, Group, RateGroup

PRIOR = (1, 3.67)  # of a method that cannot do without one


@cache
def suite(evidence: str) -> tuple[Group | RateGroup, ...]:
    """Return the groups for methods of one kind of evidence.

    Examples
    --------
    >>> suite("PairedTable")[0].words
    '5 examples'
    """
    return tuple(suites[evidence]())


# --- One classifier -------------------------------------------------------------------------------

_SMALL = np.geomspace(1e-3, 0.04, 20)
THRESHOLDS = np.concatenate([_SMALL, np.linspace(0.05, 0.95, 61), 1 - _SMALL[::-1]])


def _error_counts() -> Iterator[Group | RateGroup]:
    for examples in (5, 10, 30, 100, 1000):
        for most in (1.0, 0.1):
            errors = "all error rates" if most == 1 else "error rates up to 10%"
            yield RateGroup(f"{examples} examples, {errors}", examples, (0.0, most), _interval_of_rate)
    for examples in (5, 10, 30, 50, 100, 300):
        words = f"{examples} examples, thresholds 0.1% to 99.9%"
        seen: Case = (_one_rate(0.1, examples), (0.1,))
        yield Group(words, (seen, *_threshold_designs(THRESHOLDS, examples)), _test_of_rate, ("two-sided", "greater"))
    of_prior = f"drawn from the prior Beta({PRIOR[0]}, {PRIOR[1]})"
    for examples in (5, 30, 100):
        words = f"{examples} examples, error rates {of_prior}"
        yield RateGroup(words, examples, None, lambda method: _interval_of_rate(method) and "prior" in method.required)
        words = f"{examples} examples, thresholds {of_prior}"
        each = tuple(_threshold_designs(_of_prior(400), examples))
        yield Group(
            words, each, lambda method: _test_of_rate(method) and "prior" in method.required, facts={"prior": 1}
        )
    for pool, examples in ((20, 5), (100, 10), (400, 40), (400, 200)):
        part = f"{examples} of a pool of {pool}"
        every: tuple[Case, ...] = tuple(
            (Pool(wrong, pool, examples), ()) for wrong in range(0, pool + 1, max(pool // 100, 1))
        )
        yield Group(f"{part}, every number of errors", every, lambda method: _of_pool(method, "interval"))
        seen = (Pool(pool // 10, pool, examples), (0.1,))
        words, inner = f"{part}, every threshold", (seen, *every[1:-1])  # the ends are no thresholds
        yield Group(words, inner, lambda method: _of_pool(method, "test"), ("two-sided", "greater"))


def _one_rate(error: Any, examples: int) -> OneRate:
    return OneRate(error, examples)


def _threshold_designs(errors: FloatArray, examples: int) -> Iterator[Case]:
    """Yield designs whose true error equals the threshold."""
    return ((_one_rate(error, examples), ()) for error in errors)


def _of_prior(number: int) -> FloatArray:
    """Return true errors that represent equal parts of the prior."""
    from scipy.special import betaincinv

    return np.asarray(betaincinv(*PRIOR, (np.arange(number) + 0.5) / number))


def _interval_of_rate(method: Offer) -> bool:
    return method.gives == "interval" and "pool" not in method.required


def _test_of_rate(method: Offer) -> bool:
    return method.gives == "test" and "pool" not in method.required


def _of_pool(method: Offer, gives: str) -> bool:
    return method.gives == gives and "pool" in method.required


# --- Two classifiers on one test set --------------------------------------------------------------

# The discordant rate, how many concordant examples are wrong, and the share of the discordant pairs that one of them
# wins on balance.
DISAGREEMENT = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
FINER = np.concatenate([[0.002, 0.005, 0.01], np.linspace(0.02, 0.8, 40), [0.85, 0.9, 0.95, 0.98, 1.0]])
WRONG_TOGETHER = (0.05, 0.2, 0.5)
LEAN = (0.25, 0.5, 0.9)
_SLOW = {"unconditional": 20, "mcnemar-unconditional": 50}  # at most so many examples
_DRAWING = ("percentile", "bca-bootstrap")


def _paired_tables() -> Iterator[Group]:
    for examples in (5, 10, 20, 50, 100, 200):
        rare = (_paired_designs(FINER, 0.2, examples), ())
        asks = _reads_evidence("test", None, examples)
        yield Group(f"{examples} examples", (_power_design(examples), rare), asks, ("two-sided", "greater"))
        each = tuple((_paired_designs(d, 0.2, examples), tuple(lean * d for lean in LEAN)) for d in DISAGREEMENT)
        words = f"{examples} examples, differences up to 72 pp"
        yield Group(words, each, _reads_evidence("interval", None, examples))
    for examples in (5, 10, 20, 50, 100):  # a hundred examples have 176,851 tables
        every = np.array(DISAGREEMENT)[:, None]
        tests = ((_paired_designs(every, np.array(WRONG_TOGETHER), examples), ()),)
        yield Group(
            f"{examples} examples", (_power_design(examples), *tests), _reads_evidence("test", "cells", examples)
        )
        each = tuple(
            (_paired_designs(d, np.array(WRONG_TOGETHER), examples), tuple(x * d for x in LEAN)) for d in DISAGREEMENT
        )
        words = f"{examples} examples, differences up to 72 pp"
        yield Group(words, each, _reads_evidence("interval", "cells", examples))
    for examples in (20, 50):
        each = tuple((_paired_designs(d, 0.2, examples), (d / 2,)) for d in (0.02, 0.1, 0.3))
        words = f"{examples} examples, differences up to 15 pp"
        yield Group(words, each, lambda method: method.name in _DRAWING, trials=2000, options={"resamples": 999})


def _paired_designs(disagreement: Any, wrong: Any, examples: int) -> PairedOutcomes:
    """Return designs with equal error rates, by discordant rate and by the share of other examples both get wrong."""
    discordant, share = np.broadcast_arrays(disagreement, wrong)
    error = (1 - discordant) * share + discordant / 2
    return PairedOutcomes(error[()], error[()], discordant[()], examples)


def _power_design(examples: int) -> Case:
    """Return the design for power: a difference of 10 pp and a discordant rate of 20%."""
    return _paired_designs(0.2, 0.2, examples), (0.1,)


def _reads_evidence(gives: str, reads: str | None, examples: int) -> Callable[[Offer], bool]:
    def asks(method: Offer) -> bool:
        fits = (method.gives, method.reads) == (gives, reads) and method.name not in _DRAWING
        return fits and examples <= _SLOW.get(method.name, 1000)

    return asks


# --- Two classifiers, each on a test set of its own -----------------------------------------------

COMMON_ERROR = np.concatenate([[0.002, 0.005], np.arange(1, 51) / 100])
MIDDLE = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
DISCORDANT_RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
SETS = ((5, 5), (5, 10), (10, 10), (10, 20), (20, 20), (50, 50), (100, 100), (10, 50), (20, 100), (20, 200))
_SLOW_SETS = {"boschloo": 400, "barnard": 1000, "two-betas": 400}  # at most so many outcomes


def _independent_counts() -> Iterator[Group]:
    for sizes in SETS:
        examples = f"{sizes[0]} and {sizes[1]} examples"
        seen = (_two_sets(0.2, sizes), (0.2,))
        common = (_two_sets(COMMON_ERROR, sizes), ())
        words = f"{examples}, common error rate 0.2% to 50%"
        yield Group(words, (seen, common), _of_sets("test", sizes), ("two-sided", "greater"))
        each = tuple((_two_sets(middle, sizes), _difference_steps(middle, sizes)) for middle in MIDDLE)
        words = f"{examples}, mean error rates 0.5% to 50%, differences up to 80 pp"
        yield Group(words, each, _of_sets("interval", sizes))


def _two_sets(error: Any, sizes: tuple[int, int]) -> TwoRates:
    """Return two classifiers with the same error rate."""
    return TwoRates(error, error, *sizes)


def _difference_steps(middle: float, sizes: tuple[int, int]) -> tuple[float, ...]:
    """Return the possible differences of errors around a mean; both signs if the test sets differ in size."""
    steps = tuple(step for step in DISCORDANT_RATES if step <= 2 * middle)
    return steps if sizes[0] == sizes[1] else (*steps, *(-step for step in steps))


def _of_sets(gives: str, sizes: tuple[int, int]) -> Callable[[Offer], bool]:
    outcomes = sizes[0] * sizes[1]
    return lambda method: method.gives == gives and outcomes <= _SLOW_SETS.get(method.name, outcomes)


# --- One classifier in strata, and several on one test set ----------------------------------------


def _stratified_counts() -> Iterator[Group]:
    for sizes in ((2, 2), (5, 5), (20, 10), (50, 50), (100, 50), (10, 10, 10)):
        words = f"strata of {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} examples, error rates 1% to 50% in each"
        shares = (0.9, 0.1) if len(sizes) == 2 else (0.5, 0.3, 0.2)
        each = tuple(
            (Strata(errors, shares, sizes), ()) for errors in product((0.01, 0.05, 0.2, 0.5), repeat=len(sizes))
        )
        yield Group(words, each, lambda method: method.gives == "interval")


SEVERAL = (
    (5, 3, 0.2),
    (5, 5, 0.5),
    (10, 5, 0.5),
    (20, 6, 0.5),
    (30, 6, 0.5),
    (50, 6, 0.5),
    (200, 6, 0.2),
    (1000, 4, 0.1),
)


def _error_patterns() -> Iterator[Group]:
    for examples, models, error in SEVERAL:
        words = f"{examples} examples, {models} models, error rates {100 * error:g}%"
        each = tuple((SeveralModels(error, models, examples, alike), (error / 2,)) for alike in (0.0, 0.5))
        yield Group(words, each, lambda method: method.gives == "test", trials=10_000)
        # Close to its bound at few examples: 1000 trials gave 0.086 at five of them, for a bound of 0.085, hence more.
        trials = 4000 if examples <= 20 else 1000
        yield Group(words, each, lambda method: method.gives == "pairs", trials=trials, options={"resamples": 399})


suites: dict[str, Callable[[], Iterator[Group | RateGroup]]] = {
    "ClassScores": measured_suites.class_scores,
    "ConfusionMatrix": measured_suites.confusion_matrices,
    "ErrorCount": _error_counts,
    "ErrorPatterns": _error_patterns,
    "IndependentCounts": _independent_counts,
    "Outcomes": outcome_suites.outcomes,
    "PairedConfusion": measured_suites.paired_confusions,
    "PairedTable": _paired_tables,
    "Resamples": learner_suites.resamples,
    "ScoreTable": score_suites.score_tables,
    "StratifiedCount": _stratified_counts,
    "TrainingSets": learner_suites.training_sets,
}
