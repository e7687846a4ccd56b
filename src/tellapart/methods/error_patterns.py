"""Several models on one test set: do they differ at all, which two do, and what the best of them is worth.

All is computed from the counts of patterns. A resample of the examples is a multinomial draw of
these counts, so the cost does not grow with the number of examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ErrorPatterns
from ..numerics.distributions import critical, normal_pvalue
from ..results import Pairs, Simulated, TestResult
from ..typing_ import (
    Alternative,
    BoolArray,
    FloatArray,
    IntArray,
    Side,
    as_alpha,
    as_generator,
    as_resamples,
    one_of,
)
from .assumptions import DISAGREEMENTS_OF_EVERY_PAIR, INFORMATIVE_EXAMPLES
from .limits import as_interval
from .registry import Standing, method

# Whom the registry has no place for, by key of the bibliography.
SOURCES = {
    "max_t": ("romano2005", "bonett2012"),
    "tie_groups": ("piepho2004",),
    "winner_optimism": ("tsamardinos2018",),
}

_BLOCK = 2**21  # numbers drawn at a time: 16 MB


@method(
    name="cochran-q",
    omnibus=True,
    gives="test",
    question=3,
    evidence=ErrorPatterns,
    assumes=(INFORMATIVE_EXAMPLES,),
    standing=Standing.SOUND,
    because="one figure for 'do these models differ at all?'; it does not say which, and pairs need no leave of it",
    holds="24 or more outcomes (examples times models) where the models do not all agree",
    where={"outcomes": (24, inf)},
    statistic="chi-square",
    reference="cochran1950",
)
def cochran_q(patterns: ErrorPatterns) -> TestResult:
    """Test whether several models err equally often on one test set.

    Q = (K − 1)(K ΣG² − T²) / (K T − ΣL²), with the errors G of each of K models, the errors L on each
    example and T in all; chi-square with K − 1 degrees of freedom. Examples that all models get
    right, or all wrong, cancel out. Two models: the uncorrected McNemar test. Models that never
    disagree do not differ: Q is 0 and p is 1.

    Examples
    --------
    >>> found = cochran_q(ErrorPatterns.from_codes(["a", "b", "c"], {0: 60, 1: 9, 2: 4, 3: 5, 4: 2, 7: 20}))
    >>> found.statistic.round(3), found.pvalue.round(4)
    (np.float64(10.9), np.float64(0.0043))
    """
    from scipy.special import chdtrc

    models = len(patterns.models)
    errors = patterns.error_counts.errors
    # Σ (G − mean)² of what each errs more often than the best, so that no digit is lost to errors that all share;
    # KT − ΣL² = Σ L(K − L), 0 where all agree.
    more = errors - errors.min(axis=-1, keepdims=True)
    apart = more - more.mean(axis=-1, keepdims=True)
    each = patterns.wrong.sum(axis=-1)
    informative = patterns.counts @ (each * (models - each))
    between = models * (models - 1) * (apart**2).sum(axis=-1)
    q = np.where(informative == 0, 0.0, between / np.maximum(informative, 1))[()]
    return TestResult(statistic=q, pvalue=chdtrc(models - 1, q))


@method(
    name="max-t",
    gives="pairs",
    question=3,
    evidence=ErrorPatterns,
    assumes=(DISAGREEMENTS_OF_EVERY_PAIR,),
    standing=Standing.SOUND,
    because="keeps the chance of any false claim near alpha and uses that all pairs share their examples",
    holds="5 or more examples",
    parameter="difference",
    statistic="t",
    reference="westfall1993",
)
def max_t(
    patterns: ErrorPatterns,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Pairs:
    """Compare every two models at once, with one alpha for all of them.

    The examples are resampled, all models together. In each resample every pair's difference is
    centred at the observed one and divided by its standard error, and the largest of all pairs is
    kept: what a pair shows has to stand out against that. The p-values are step-down (Westfall and
    Young 1993; Romano and Wolf 2005): a pair is held against those that are no more extreme than
    itself. p = (r + 1)/(resamples + 1), never 0, and never below what the normal curve gives for
    this pair alone. The limits are simultaneous: all of them hold at once, at the level 1 − alpha.

    The standard error is Bonett and Price's (2012), with one example more in each cell of
    disagreement: t = (b − c) / √(b + c + 2 − (b − c)²/(n + 2)). The root is never below √2, so
    nothing is divided by 0, and without disagreements t = 0, p = 1 and the limits are ±t√2/(n + 2), with
    the critical t of all pairs. A floor of half an example makes these limits too short, and the
    largest of all pairs too often one that hardly disagrees in the resample.

    Measured on equal models at alpha = 0.05 (`tellapart methods max-t`), the chance of any
    false claim is 0.04 to 0.06 from 50 examples on, about 0.065 with 10 to 30 examples and 0.08 with 5.

    Parameters
    ----------
    patterns
        Who was wrong where; one table of patterns.
    alpha
        The chance of any false claim among all pairs, and that any limit misses.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B) in each pair as named) or "less".
    resamples
        How many times the examples are drawn again, more than 1/alpha; 10,000 if left out, and down to 1,000
        where thousands of patterns and hundreds of pairs would make that take minutes.
    rng
        A seed, or a generator.

    Examples
    --------
    >>> patterns = ErrorPatterns.from_codes(["a", "b", "c"], {0: 150, 1: 14, 2: 9, 3: 12, 4: 10, 7: 20})
    >>> found = max_t(patterns)
    >>> patterns.pair_names(), found.pvalue.round(2)
    ((('a', 'b'), ('a', 'c'), ('b', 'c')), array([0.32, 0.02, 0.09]))
    """
    side = SIDES[one_of("alternative", alternative, Alternative)]
    directed = DIRECTED[alternative]
    resamples = _drawn(resamples, patterns)
    allowed = claims_allowed(as_alpha(alpha=alpha), resamples)
    tables, n = _one(patterns, "max-t").pairs(), float(patterns.examples)
    lead = (tables.only_a_wrong - tables.only_b_wrong).astype(float)
    error = _error(lead, tables.disagreements, n)
    observed = directed(lead / error)
    order = np.argsort(-observed, kind="stable")
    bar = observed[order] - 1e-9 * np.abs(observed[order])  # equal counts may differ in the last digit
    wrong, draws = _resampled(patterns, resamples, rng)
    first, second = np.triu_indices(len(patterns.models), 1)
    disagree = (wrong[:, first] != wrong[:, second]).astype(float)
    reached, largest = np.zeros(order.size, dtype=np.int64), []
    for drawn in draws:
        errors = drawn @ wrong
        leads = errors[:, first] - errors[:, second]
        ts = directed((leads - lead) / _error(leads, drawn @ disagree, n))[:, order]
        # The largest of each pair and all behind it: the families of the steps down.
        ts = np.maximum.accumulate(ts[:, ::-1], axis=1)[:, ::-1]
        reached += (ts >= bar).sum(axis=0)
        largest.append(ts[:, 0])
    alone = normal_pvalue(lead / error, alternative)[order]
    pvalue = np.empty(order.size)
    pvalue[order] = np.maximum.accumulate(np.maximum((reached + 1) / (resamples + 1), alone))
    # What exceeds this is reached by fewer resamples than would lift its p-value to alpha.
    bound = max(float(np.sort(np.concatenate(largest))[-allowed]), critical(alpha, side))
    limits = _limits(lead, error, n, bound)
    return Pairs(
        statistic=lead / error,
        pvalue=pvalue,
        critical=bound,
        interval=as_interval("max-t", limits, alpha, side, "difference"),
        simulated=Simulated.of(pvalue, draws=resamples, floor=1 / (resamples + 1)),
    )


SIDES: dict[str, Side] = {"two-sided": "two", "greater": "lower", "less": "upper"}
DIRECTED: dict[str, Any] = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


def _error(lead: FloatArray, disagreements: FloatArray | IntArray, examples: float) -> FloatArray:
    """Return the standard error of b − c, with an example more in each cell of disagreement."""
    return np.sqrt(disagreements + 2 - lead**2 / (examples + 2))


def _limits(lead: FloatArray, error: FloatArray, examples: float, bound: float) -> tuple[FloatArray, FloatArray]:
    """Return Bonett and Price's limits, with the bound for all pairs in place of z; they hold what was observed."""
    seen, centre, reach = lead / examples, lead / (examples + 2), bound * error / (examples + 2)
    low, high = np.minimum(centre - reach, seen), np.maximum(centre + reach, seen)
    return np.maximum(low, -1.0), np.minimum(high, 1.0)


def winner_optimism(
    patterns: ErrorPatterns, *, resamples: int | None = None, rng: int | np.random.Generator = 0
) -> float:
    """Say how much better the best of several models looks than it is.

    The best was chosen for its errors on these very examples, so its error rate there is too low.
    In each resample of the examples the best is chosen again: its error rate on all examples
    exceeds that in the resample, and the mean excess (shared among winners that tie) is what the
    choice gained by luck (after Tsamardinos, Greasidou and Borboudakis 2018, who look at the examples left
    out). Where all models are equally good it finds about 0.7 of the true figure, for then the
    observed differences are taken to be real; a fresh test set is the one full cure.

    Examples
    --------
    >>> patterns = ErrorPatterns.from_codes(["a", "b", "c"], {0: 60, 1: 9, 2: 8, 4: 9, 7: 20})
    >>> round(winner_optimism(patterns), 2)
    0.02
    """
    resamples = _drawn(resamples, _one(patterns, "winner_optimism"))
    wrong, draws = _resampled(patterns, resamples, rng)
    # What all models got wrong is not drawn: it moves every error rate alike, by 0 in the mean.
    errors = patterns.error_counts.errors - patterns.counts @ patterns.wrong.all(axis=-1).astype(np.int64)
    gained = 0.0
    for drawn in draws:
        again = drawn @ wrong
        wins = again == again.min(axis=1, keepdims=True)
        gained += float(((errors - again).sum(axis=1, where=wins) / wins.sum(axis=1)).sum())
    return max(gained / resamples, 0.0) / float(patterns.examples)


def tie_groups(models: Sequence[str], rates: FloatArray, told_apart: BoolArray) -> tuple[tuple[str, ...], ...]:
    """Group the models of a leaderboard: two share a group exactly where they are not told apart.

    Groups may overlap: B may be tied with A and with C although A and C are told apart. Each is as
    large as can be, none lies within another, and the best of the models come first (a compact
    letter display, as Piepho 2004 calls it). A model that is told apart from all others stands alone.

    Parameters
    ----------
    models
        Their names.
    rates
        The error rate of each.
    told_apart
        A symmetric matrix: whether these two are told apart, all pairs together at one alpha.

    Examples
    --------
    >>> apart = square(np.array([False, True, False]), 3)
    >>> tie_groups(["a", "b", "c"], np.array([0.10, 0.15, 0.20]), apart)
    (('a', 'b'), ('b', 'c'))
    """
    order = np.argsort(rates, kind="stable").tolist()
    tied = ~np.asarray(told_apart, dtype=bool)
    shared = np.eye(len(order), dtype=bool)
    groups: list[list[int]] = []
    for place, first in enumerate(order):
        for second in order[place + 1 :]:
            if tied[first, second] and not shared[first, second]:
                group = [first, second]
                for other in order:
                    if other not in group and tied[other, group].all():
                        group.append(other)
                shared[np.ix_(group, group)] = True
                groups.append(sorted(group, key=order.index))
        if not tied[first].sum() > 1:  # tied with itself alone
            groups.append([first])
    groups.sort(key=lambda group: [order.index(member) for member in group])
    return tuple(tuple(models[member] for member in group) for group in groups)


def square(values: Any, models: int) -> Any:
    """Return values of every two models, in the order of `ErrorPatterns.pair_names()`, as a symmetric matrix.

    Examples
    --------
    >>> square(np.array([1, 2, 3]), 3)
    array([[0, 1, 2],
           [1, 0, 3],
           [2, 3, 0]])
    """
    matrix = np.zeros((models, models), dtype=np.asarray(values).dtype)
    matrix[np.triu_indices(models, 1)] = values
    return matrix + matrix.T


def _one(patterns: ErrorPatterns, name: str) -> ErrorPatterns:
    if patterns.shape:
        raise InvalidEvidence(
            f"{name} takes one table of patterns, but this has shape {patterns.shape}. Go through them one by one."
        )
    return patterns


_WORK = 5_000_000_000  # patterns times pairs times resamples: a few seconds
_FEWEST = 1_000


def _drawn(resamples: int | None, patterns: ErrorPatterns) -> int:
    """Return how often to draw: ten thousand times, and less where that would take minutes."""
    if resamples is not None:
        return as_resamples(resamples)
    size: int = patterns.wrong.shape[0]
    return min(max(_WORK // (size * len(patterns.pair_names())), _FEWEST), 10_000)


def claims_allowed(alpha: float, resamples: int) -> int:
    """Return how many of the p-values that so many resamples can give are below alpha."""
    allowed = int(np.count_nonzero(np.arange(1, resamples + 2) / (resamples + 1) < alpha))
    if not allowed:
        raise InvalidOption(
            f"resamples must be {np.ceil(1 / alpha):.6g} or more for alpha = {alpha:.6g}, but is {resamples}:"
            " no p-value could be below alpha. Draw more, or write adjust='holm'."
        )
    return allowed


def _resampled(
    patterns: ErrorPatterns, resamples: int, rng: int | np.random.Generator
) -> tuple[FloatArray, Iterator[FloatArray]]:
    """Return who is wrong in each pattern where not all agree, and the counts of these drawn again, in blocks."""
    each = patterns.wrong.sum(axis=-1)
    speaks = (each > 0) & (each < len(patterns.models)) & (patterns.counts > 0)
    # The largest are drawn faster; which of equal ones comes first must not depend on the order of the models.
    largest_first = np.lexsort([_signatures(patterns.wrong[speaks], patterns.counts[speaks]), -patterns.counts[speaks]])
    kept = np.flatnonzero(speaks)[largest_first]
    counts, examples = patterns.counts[kept], patterns.examples
    shares = np.append(counts, examples - counts.sum()) / examples
    block = max(_BLOCK // max(shares.size, len(patterns.pair_names())), 1)
    generator = as_generator(rng)
    draws: Iterator[FloatArray] = (
        generator.multinomial(examples, shares, size=min(block, resamples - done))[:, :-1].astype(float)
        for done in range(0, resamples, block)
    )
    if len(patterns.models) == 2 and len(set(counts.tolist())) == 1 and counts.size == 2:
        draws = map(_with_mirror_images, draws)  # two models that err alone equally often are each other's mirror image
    return patterns.wrong[kept].astype(float), draws


def _with_mirror_images(drawn: FloatArray) -> FloatArray:
    """Return draws of two equal counts of which half are the mirror images of the others; an odd one is its own."""
    half = len(drawn) // 2
    drawn[len(drawn) - half :] = drawn[:half, ::-1]
    drawn[half : len(drawn) - half] = drawn[half : len(drawn) - half].mean(axis=1, keepdims=True)
    return drawn


def _signatures(wrong: BoolArray, counts: IntArray) -> Any:
    """Return a number for each pattern that tells it from others of the same count, whatever the order of the models.

    A pattern's number is made of its count and of the numbers of the models that are wrong in it, a model's of those of
    the patterns in which it is wrong; whole numbers modulo 2⁶⁴, so that no order of adding up matters.
    """
    member = wrong.astype(np.uint64)
    models = np.ones(wrong.shape[1], dtype=np.uint64)
    for _ in range(3):
        found = _scrambled(_scrambled(counts.astype(np.uint64)) + member @ models)
        models = _scrambled(found @ member)
    return found


def _scrambled(numbers: Any) -> Any:
    """Return whole numbers modulo 2⁶⁴ in which every digit depends on all of those given (splitmix64)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
