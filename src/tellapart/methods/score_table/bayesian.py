"""Posterior probability that B is the better learner on the next data set: Bayesian sign and signed-rank tests."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import Any, Literal

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import ScoreTable
from ...numerics.distributions import pvalue_of_tails
from ...results import Practical, TestResult
from ...typing_ import Alternative, FloatArray, as_generator, as_resamples, one_of
from ..registry import Standing, find_method, test
from ..simulation import of_tails
from .assumptions import DATA_SETS_OUTWEIGH_PRIOR, EVERY_DATA_SET_SCORED, LITTLE_SKEW_OVER_DATA_SETS
from .differences import as_size
from .posteriors import PriorAt, Regions, count_signs, dirichlet_regions, rank_masses, share_votes

BayesianMethod = Literal["bayesian-signed-rank", "bayesian-sign", "hierarchical"]

_PRIOR_POSITIONS = {"rope": "at no difference", "a": "in favour of A", "b": "in favour of B"}


def _describe_options(
    prior: float, rope: float = 0.0, prior_at: PriorAt = "rope", resamples: int | None = None, **_: Any
) -> str:
    region = f"region of practical equivalence ±{rope:g}" if rope else ""
    drawn = f"{resamples:,} draws" if resamples else ""
    weight = f"prior weight of {prior:g} data sets {_PRIOR_POSITIONS[prior_at]}"
    return "; ".join(filter(None, (weight, region, drawn)))


_ASSUMES = (DATA_SETS_OUTWEIGH_PRIOR, EVERY_DATA_SET_SCORED)


@test(
    name="bayesian-sign",
    title="Bayesian sign",
    evidence=ScoreTable,
    statistic="P(B better)",
    partner="sign-test",
    standing=Standing.SOUND,
    rationale="also gives the probability of practical equivalence; as a test its type I error rate varies around alpha"
    " with the number of data sets",
    validity="20 data sets or more, no region of practical equivalence",
    where={"datasets": (20, inf)},
    assumes=_ASSUMES,
    note=partial(_describe_options, prior=1.0),
    reference="benavoli2017",
)
def bayesian_sign(
    table: ScoreTable,
    *,
    alternative: Alternative = "two-sided",
    rope: float = 0.0,
    prior: float = 1.0,
    prior_at: PriorAt = "rope",
) -> TestResult:
    """Posterior probability that B is better on most data sets, by more than the region of practical equivalence.

    The statistic is the probability that the share of data sets on which B is better is the largest; the p-value is the
    posterior probability that the leading learner is not better, doubled if two-sided. Both are exact.

    Parameters
    ----------
    table
        The scores of two learners.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    rope
        The region of practical equivalence: differences up to this size, in either direction.
    prior
        The weight of the prior, as a number of data sets.
    prior_at
        Its position: "rope" (no difference), "a" or "b" (in favour of that learner).

    Notes
    -----
    The shares of data sets on which A is better, neither is, and B is are Dirichlet, with the counts as weights and a
    pseudo data set of weight `prior` (Benavoli et al. 2017).

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.93, 0.8]})
    >>> result = bayesian_sign(table)
    >>> result.statistic.round(4), result.pvalue.round(4)
    (np.float64(0.9375), np.float64(0.125))
    """
    return _test_by_regions(dirichlet_regions(count_signs(table, rope, prior, prior_at)), rope, alternative)


@test(
    name="bayesian-signed-rank",
    title="Bayesian signed-rank",
    evidence=ScoreTable,
    statistic="P(B better)",
    partner="wilcoxon-signed-rank",
    standing=Standing.RECOMMENDED,
    rationale="gives the probability that one is better, or of practical equivalence, and uses the size of the"
    " differences; slightly liberal with fewer than 50 data sets",
    validity="50 data sets or more, no region of practical equivalence",
    where={"datasets": (50, inf)},
    assumes=(*_ASSUMES, LITTLE_SKEW_OVER_DATA_SETS),
    note=partial(_describe_options, prior=0.5, resamples=50_000),
    reference="benavoli2014",
)
def bayesian_signed_rank(
    table: ScoreTable,
    *,
    alternative: Alternative = "two-sided",
    rope: float = 0.0,
    prior: float = 0.5,
    prior_at: PriorAt = "rope",
    resamples: int = 50_000,
    rng: Any = 0,
) -> TestResult:
    """Posterior probability that B is better, by more than the region of practical equivalence, by signed ranks.

    The statistic is the share of draws in favour of B; the p-value is the share of draws against the learner called
    better, doubled if two-sided, and at least the smallest that the number of draws can give.

    Parameters
    ----------
    table
        The scores of two learners.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    rope
        The region of practical equivalence: differences up to this size, in either direction.
    prior
        The weight of the prior, as a number of data sets.
    prior_at
        Its position: "rope" (no difference), "a" or "b" (beyond all others, in favour of that learner).
    resamples
        The number of draws.
    rng
        The seed of the draws, or a generator.

    Notes
    -----
    The data sets have Dirichlet weights. Each draw of the weights gives the mass of pairs of data sets whose mean
    difference is in favour of A, within the rope, and in favour of B, and counts for the region with the largest mass
    (Benavoli et al. 2014).

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.91, 0.8]})
    >>> practical = bayesian_signed_rank(table, rope=0.01).practical
    >>> practical.a_better.round(3), practical.equivalent.round(3), practical.b_better.round(2)
    (np.float64(0.0), np.float64(0.03), np.float64(0.97))
    """
    shares = share_votes(table, rope=rope, prior=prior, prior_at=prior_at, resamples=resamples, rng=rng)
    return _test_by_regions(shares, rope, alternative, draws=resamples)


def _test_by_regions(regions: Regions, rope: float, alternative: Alternative, draws: int = 0) -> TestResult:
    """Return the test result of three probabilities, which a number of draws resolves to one draw at best."""
    not_a, not_b = regions.equivalent + regions.b_better, regions.equivalent + regions.a_better
    if draws:
        not_a, not_b = ((share * draws + 1) / (draws + 1) for share in (not_a, not_b))
    pvalue = np.asarray(pvalue_of_tails(not_a, not_b, alternative))[()]
    practical = Practical(
        a_better=regions.a_better, equivalent=regions.equivalent, b_better=regions.b_better, rope=as_size("rope", rope)
    )
    return TestResult(
        statistic=regions.b_better,
        pvalue=pvalue,
        chooses=np.sign(regions.b_better - regions.a_better).astype(np.int64)[()],
        practical=practical,
        simulated=of_tails(pvalue, draws, alternative) if draws else None,
    )


# --- Draws and matrices -----------------------------------------------------------------------------------


def practical_draws(
    table: ScoreTable,
    *,
    method: str = "bayesian-signed-rank",
    rope: float = 0.01,
    resamples: int = 10_000,
    rng: Any = 0,
    **options: Any,
) -> FloatArray:
    """Return the masses of the regions "A better", "practically equivalent" and "B better", by draw.

    These are the points of the triangle plot of a posterior: three numbers by draw, which add up to 1.

    Parameters
    ----------
    table
        The scores of two learners.
    method
        "bayesian-signed-rank", "bayesian-sign" or "hierarchical", which needs several runs of each data set.
    rope
        The region of practical equivalence: differences up to this size, in either direction.
    resamples
        The number of draws.
    rng
        The seed of the draws, or a generator.
    options
        Further options of the method: prior and prior_at, or rho.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.91, 0.8]})
    >>> draws = practical_draws(table, rope=0.01, resamples=100)
    >>> draws.shape, bool(np.allclose(draws.sum(axis=-1), 1))
    ((100, 3), True)
    """
    if table.shape:
        raise InvalidEvidence(f"`table` must be a single table of scores, got shape {table.shape}. Index it first.")
    if one_of("method", method, BayesianMethod) == "hierarchical":
        from .hierarchical import hierarchical

        return hierarchical(table, rope=rope, draws=resamples, rng=rng, **options).masses()
    priors: dict[str, Any] = {"prior": 1.0 if method == "bayesian-sign" else 0.5, "prior_at": "rope"} | options
    if method == "bayesian-sign":
        weights = np.array(count_signs(table, rope, **priors))
        drawn = as_generator(rng).standard_gamma(weights, (as_resamples(resamples), 3))
        return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))
    masses = rank_masses(table, rope=rope, resamples=resamples, rng=rng, **priors)
    return np.concatenate([block.T for block in masses])


def pairwise_probabilities(
    table: ScoreTable,
    *,
    rope: float = 0.0,
    method: str = "bayesian-signed-rank",
    resamples: int = 10_000,
    rng: Any = 0,
    **options: Any,
) -> FloatArray:
    """Return the posterior probability that one learner is better than another, by more than the rope, for all pairs.

    Parameters
    ----------
    table
        The scores of several learners.
    rope
        The region of practical equivalence: differences up to this size, in either direction.
    method
        "bayesian-signed-rank", "bayesian-sign" or "hierarchical".
    resamples
        The number of draws for each pair.
    rng
        The seed of the draws, or a generator.
    options
        Further options of the method.

    Returns
    -------
    FloatArray
        By row and column: P(the learner of the row is better than that of the column); NaN on the diagonal.

    Examples
    --------
    >>> scores = {"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.93, 0.8], "svm": [0.9, 0.8, 0.95, 0.85]}
    >>> pairwise_probabilities(ScoreTable.from_scores(scores), method="bayesian-sign").round(4)
    array([[   nan, 0.    , 0.    ],
           [0.9375,    nan, 0.    ],
           [0.9375, 0.9375,    nan]])
    """
    one_of("method", method, BayesianMethod)
    test = find_method(method, "test", ScoreTable)
    if method != "bayesian-sign":
        options |= {"rng": rng, "resamples" if "resamples" in test.options else "draws": resamples}
    practical: Practical = test(table.pairs(), rope=rope, **options).practical
    count = len(table.learners)
    first, second = np.triu_indices(count, 1)
    square = np.full((*table.shape, count, count), np.nan)
    square[..., first, second], square[..., second, first] = practical.a_better, practical.b_better
    return square
