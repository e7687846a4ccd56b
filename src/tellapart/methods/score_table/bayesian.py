"""How probable it is that B is the better learner on the next data set: signs, and signed ranks."""

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
from .assumptions import DATA_SETS_OUTWEIGH_PRIOR, EVERY_DATA_SET_KNOWN, LITTLE_SKEW_OVER_DATA_SETS
from .differences import as_size
from .posteriors import PriorAt, Regions, dirichlet_regions, rank_masses, sign_counts, votes

BayesianMethod = Literal["bayesian-signed-rank", "bayesian-sign", "hierarchical"]

_PLACES = {"rope": "at no difference", "a": "where A is better", "b": "where B is better"}


def _describe_options(
    prior: float, rope: float = 0.0, prior_at: PriorAt = "rope", resamples: int | None = None, **_: Any
) -> str:
    place = _PLACES[prior_at]
    region = f"differences within {rope:g} count as none" if rope else ""
    drawn = f"{resamples:,} draws".replace(",", " ") if resamples else ""
    return "; ".join(filter(None, (f"prior: {prior:g} of a data set {place}", region, drawn)))


_ASSUMES = (DATA_SETS_OUTWEIGH_PRIOR, EVERY_DATA_SET_KNOWN)


@test(
    name="bayesian-sign",
    evidence=ScoreTable,
    statistic="P(B better)",
    partner="sign-test",
    standing=Standing.SOUND,
    rationale="says how probable it is that neither is better, too, if there is a region of practical equivalence; but"
    " as a test its level swings about alpha with the number of data sets",
    validity="20 data sets or more, without a rope",
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
    """Give the posterior probability that B is better on more data sets than not, by more than the rope.

    The shares of data sets on which A is better, neither is and B is are Dirichlet, with the counts as weights and a
    pseudo data set that is worth `prior`. The statistic is the probability that the share of B is the largest; the
    p-value is the probability of being wrong to call one of them better, doubled if two-sided. Both are exact.

    Parameters
    ----------
    table
        The scores of two learners.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    rope
        The region of practical equivalence: differences up to this size, either way, count as none.
    prior
        How many data sets the pseudo data set is worth that stands for what is believed before.
    prior_at
        Where that is: "rope" (no difference), "a" or "b" (where that learner is better).

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.93, 0.8]})
    >>> found = bayesian_sign(table)
    >>> found.statistic.round(4), found.pvalue.round(4)
    (np.float64(0.9375), np.float64(0.125))
    """
    return _read_off(dirichlet_regions(sign_counts(table, rope, prior, prior_at)), rope, alternative)


@test(
    name="bayesian-signed-rank",
    evidence=ScoreTable,
    statistic="P(B better)",
    partner="wilcoxon-signed-rank",
    standing=Standing.RECOMMENDED,
    rationale="says how probable it is that one is better, or neither if there is a region of practical equivalence, and"
    " heeds how large the differences are; of fewer than fifty data sets it makes somewhat more than they are worth",
    validity="50 data sets or more, without a rope",
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
    """Give the posterior probability that B is better, by more than the rope, as two data sets on average tell.

    The data sets have Dirichlet weights. Each draw of them says how much mass is on pairs of data sets whose mean
    difference is in favour of A, within the rope and in favour of B, and votes for the region with most. The
    statistic is the share of votes for B; the p-value is the share of votes against calling one of them better,
    doubled if two-sided, and never less than so many draws can show.

    Parameters
    ----------
    table
        The scores of two learners.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    rope
        The region of practical equivalence: differences up to this size, either way, count as none.
    prior
        How many data sets the pseudo data set is worth that stands for what is believed before.
    prior_at
        Where that is: "rope" (no difference), "a" or "b" (beyond all others, where that learner is better).
    resamples
        How many weights are drawn.
    rng
        The seed of the draws, or a generator.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.91, 0.8]})
    >>> print(bayesian_signed_rank(table, rope=0.01).practical)
    P(A better)    0
    P(equivalent)  0.0299 (within 0.01)
    P(B better)    0.97
    """
    shares = votes(table, rope=rope, prior=prior, prior_at=prior_at, resamples=resamples, rng=rng)
    return _read_off(shares, rope, alternative, draws=resamples)


def _read_off(found: Regions, rope: float, alternative: Alternative, draws: int = 0) -> TestResult:
    """Return the verdict that three probabilities amount to; those of draws are known to no less than one draw."""
    not_a, not_b = found.equivalent + found.b_better, found.equivalent + found.a_better
    if draws:
        not_a, not_b = ((share * draws + 1) / (draws + 1) for share in (not_a, not_b))
    pvalue = np.asarray(pvalue_of_tails(not_a, not_b, alternative))[()]
    practical = Practical(
        a_better=found.a_better, equivalent=found.equivalent, b_better=found.b_better, rope=as_size("rope", rope)
    )
    return TestResult(
        statistic=found.b_better,
        pvalue=pvalue,
        chooses=np.sign(found.b_better - found.a_better).astype(np.int64)[()],
        practical=practical,
        simulated=of_tails(pvalue, draws, alternative) if draws else None,
    )


# --- Beyond one verdict ---------------------------------------------------------------------------------


def practical_draws(
    table: ScoreTable,
    *,
    method: str = "bayesian-signed-rank",
    rope: float = 0.01,
    resamples: int = 10_000,
    rng: Any = 0,
    **options: Any,
) -> FloatArray:
    """Give the masses where A is better, where neither is in practice and where B is, of each draw.

    These are the points of the triangle in which a posterior is shown: three numbers by draw, which add up to 1.

    Parameters
    ----------
    table
        The scores of two learners.
    method
        "bayesian-signed-rank", "bayesian-sign" or "hierarchical", which has to know the runs of each data set.
    rope
        The region of practical equivalence: differences up to this size, either way, count as none.
    resamples
        How many draws.
    rng
        The seed of the draws, or a generator.
    options
        What the method takes besides: prior and prior_at, or rho.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.91, 0.8]})
    >>> draws = practical_draws(table, rope=0.01, resamples=100)
    >>> draws.shape, bool(np.allclose(draws.sum(axis=-1), 1))
    ((100, 3), True)
    """
    if table.shape:
        raise InvalidEvidence(f"draws are of one table of scores, but this has shape {table.shape}. Go one by one.")
    if one_of("method", method, BayesianMethod) == "hierarchical":
        from .hierarchical import hierarchical

        return hierarchical(table, rope=rope, draws=resamples, rng=rng, **options).masses()
    asked: dict[str, Any] = {"prior": 1.0 if method == "bayesian-sign" else 0.5, "prior_at": "rope"} | options
    if method == "bayesian-sign":
        weights = np.array(sign_counts(table, rope, **asked))
        drawn = as_generator(rng).standard_gamma(weights, (as_resamples(resamples), 3))
        return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))
    masses = rank_masses(table, rope=rope, resamples=resamples, rng=rng, **asked)
    return np.concatenate([part.T for part in masses])


def pairwise_probabilities(
    table: ScoreTable,
    *,
    rope: float = 0.0,
    method: str = "bayesian-signed-rank",
    resamples: int = 10_000,
    rng: Any = 0,
    **options: Any,
) -> FloatArray:
    """Give the posterior probability that a learner is better than another, by more than the rope, for every two.

    Parameters
    ----------
    table
        The scores of several learners.
    rope
        The region of practical equivalence: differences up to this size, either way, count as none.
    method
        "bayesian-signed-rank", "bayesian-sign" or "hierarchical".
    resamples
        How many draws, for each pair.
    rng
        The seed of the draws, or a generator.
    options
        What the method takes besides.

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
    found: Practical = test(table.pairs(), rope=rope, **options).practical
    count = len(table.learners)
    first, second = np.triu_indices(count, 1)
    square = np.full((*table.shape, count, count), np.nan)
    square[..., first, second], square[..., second, first] = found.a_better, found.b_better
    return square
