"""Which two of several models on one test set differ, all pairs at one alpha."""

from __future__ import annotations

import numpy as np

from ...evidence import ErrorPatterns
from ...numerics.distributions import critical, normal_pvalue
from ...results import Pairs, Simulated
from ...typing_ import Alternative, FloatArray, IntArray, as_alpha, one_of
from ..largest_statistic import DIRECTED, SIDES, StepDown, claims_allowed
from ..limits import as_interval
from ..registry import Standing, simultaneous
from .assumptions import DISAGREEMENTS_OF_EVERY_PAIR
from .drawing import one_table, resample_patterns, resamples_of

# Whom the registry has no place for, by key of the bibliography.
SOURCES = {
    "max_t": ("romano2005", "bonett2012"),
    "tie_groups": ("piepho2004",),
    "winner_optimism": ("tsamardinos2018",),
}


@simultaneous(
    name="max-t",
    title="max-T, all pairs",
    allows_for_number=True,
    evidence=ErrorPatterns,
    assumes=(DISAGREEMENTS_OF_EVERY_PAIR,),
    standing=Standing.SOUND,
    rationale="family-wise error rate near alpha; uses the correlation of pairs that share examples",
    validity="5 or more examples",
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
    resamples = resamples_of(patterns, resamples)
    allowed = claims_allowed(as_alpha(alpha=alpha), resamples)
    tables, n = one_table(patterns, "max-t").pairs(), float(patterns.examples)
    lead = (tables.only_a_wrong - tables.only_b_wrong).astype(float)
    error = _padded_standard_error(lead, tables.disagreements, n)
    steps = StepDown(DIRECTED[alternative](lead / error))
    wrong, draws = resample_patterns(patterns, resamples, rng)
    first, second = np.triu_indices(len(patterns.models), 1)
    disagree = (wrong[:, first] != wrong[:, second]).astype(float)
    for drawn in draws:
        errors = drawn @ wrong
        leads = errors[:, first] - errors[:, second]
        steps.add(DIRECTED[alternative]((leads - lead) / _padded_standard_error(leads, drawn @ disagree, n)))
    pvalue = steps.pvalues(np.asarray(normal_pvalue(lead / error, alternative)))
    bound = max(steps.bound(allowed), critical(alpha, side))
    return Pairs(
        statistic=lead / error,
        pvalue=pvalue,
        critical=bound,
        interval=as_interval("max-t", _simultaneous_limits(lead, error, n, bound), alpha, side, "difference"),
        simulated=Simulated.of(pvalue, draws=resamples, floor=1 / (resamples + 1)),
    )


def _padded_standard_error(lead: FloatArray, disagreements: FloatArray | IntArray, examples: float) -> FloatArray:
    """Return the standard error of b − c, with an example more in each cell of disagreement."""
    return np.sqrt(disagreements + 2 - lead**2 / (examples + 2))


def _simultaneous_limits(
    lead: FloatArray, error: FloatArray, examples: float, bound: float
) -> tuple[FloatArray, FloatArray]:
    """Return Bonett and Price's limits, with the bound for all pairs in place of z; they hold what was observed."""
    seen, centre, reach = lead / examples, lead / (examples + 2), bound * error / (examples + 2)
    low, high = np.minimum(centre - reach, seen), np.maximum(centre + reach, seen)
    return np.maximum(low, -1.0), np.minimum(high, 1.0)
