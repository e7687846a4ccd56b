"""Quantiles and tails of the posterior: under Jeffreys' prior, the uniform one, or any other."""

from __future__ import annotations

from typing import Any

from ...errors import InvalidOption
from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import beta_above, beta_at_most, beta_high, beta_low
from ...numerics.repetition import once
from ..pivots import Limits, Tails
from ..registry import Standing, procedure
from .assumptions import WITH_ROOM
from .open_ends import with_open_ends
from .posterior import BetaPrior, as_prior, posterior, prior_text

JEFFREYS, UNIFORM = (0.5, 0.5), (1.0, 1.0)


@procedure(
    name="jeffreys",
    title="Jeffreys",
    evidence=ErrorCount,
    reference="martin1996",
    note="prior Beta(1/2, 1/2)",
    standing=Standing.RECOMMENDED,
    rationale=("default: mean coverage closest to nominal, and short near 0; lower minimum coverage than mid-p"),
    test={
        "title": "Jeffreys posterior",
        **WITH_ROOM,
        "standing": Standing.SOUND,
        "rationale": "agrees with the interval",
    },
)
def jeffreys(count: ErrorCount, *, raw: bool = False) -> Tails:
    """Posterior interval and test for an error rate under Jeffreys' prior.

    Parameters
    ----------
    count
        Errors and trials: one pair, or an array of them.
    raw
        Leave the quantiles and tails as they are, without the rule for the ends.

    Notes
    -----
    The limits are the α/2 and 1 − α/2 quantiles of Beta(m + ½, M − m + ½), Martin and Hirschberg's eq. 4, with the
    lower limit 0 at no errors and the upper limit 1 at no successes (Brown, Cai and DasGupta): without that the
    coverage falls to 0 as the true error does. The p-value is the posterior probability of the threshold's other side,
    twice the smaller one if two-sided; the statistic is the observed error rate minus the threshold.

    Examples
    --------
    >>> limits = jeffreys(ErrorCount(3, 120)).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0071), np.float64(0.0652))
    >>> none = ErrorCount(0, 10)
    >>> jeffreys(none).interval().low, round(jeffreys(none, raw=True).interval().low, 6)
    (np.float64(0.0), np.float64(4.8e-05))
    >>> round(jeffreys(ErrorCount(3, 120)).test(0.05, "less").pvalue, 3)
    np.float64(0.095)
    """
    return fit_beta(count, JEFFREYS, raw=raw)


@procedure(
    name="uniform",
    title="uniform-prior posterior interval",
    evidence=ErrorCount,
    standing=Standing.HEURISTIC,
    reference="laplace1812",
    note="prior Beta(1, 1)",
    rationale=(
        "a uniform prior makes an error rate of 90% as likely as one of 10%, which is unrealistic for a classifier"
    ),
    test={"title": "uniform-prior posterior", "rationale": "agrees with the interval"},
)
def uniform(count: ErrorCount, *, raw: bool = False) -> Tails:
    """Posterior interval and test for an error rate under Laplace's uniform prior, Beta(m + 1, M − m + 1).

    Notes
    -----
    Martin and Hirschberg (appendix A.4) argue against it for classifiers: their error rate is never 100%, seldom above
    50%, seldom 0.

    Examples
    --------
    >>> round(uniform(ErrorCount(0, 20)).interval().high, 4)
    np.float64(0.1611)
    >>> round(uniform(ErrorCount(3, 120)).test(0.05, "less").pvalue, 3)
    np.float64(0.14)
    """
    return fit_beta(count, UNIFORM, raw=raw)


_CHOSEN_PRIOR: dict[str, Any] = {
    "standing": Standing.SOUND,
    "validity": "error rates drawn from the prior",
    "where": {"prior": (1, 1)},
    "symmetric": False,
    "reference": "martin1996",
    "note": lambda prior, **_: f"prior {prior_text(as_prior(prior))}",
    "interval": {"rationale": "as good as its prior, which the result names"},
    "test": {"rationale": "agrees with the interval"},
}


@procedure(name="beta", title="Beta posterior", evidence=ErrorCount, **_CHOSEN_PRIOR)
def beta(count: ErrorCount, *, prior: Any, raw: bool = False) -> Tails:
    """Posterior interval and test for an error rate under any Beta prior: Beta(m + u, M − m + v).

    Parameters
    ----------
    count
        Errors and trials: one pair, or an array of them.
    prior
        (u, v), or the name of a prior: "jeffreys", "uniform", "error-rates" (Beta(1, 3.67)) or
        "majority" (Beta(0.74, 1.44)), or what `fit_prior` returned.
    raw
        Leave the quantiles as they are, without 0 below no errors and 1 above no successes.

    Examples
    --------
    >>> after = beta(ErrorCount(3, 120), prior=(1, 3.67))
    >>> round(after.interval().high, 4), round(after.test(0.05, "less").pvalue, 3)
    (np.float64(0.0693), np.float64(0.129))
    """
    chosen = as_prior(prior)
    if not isinstance(chosen, BetaPrior):
        raise InvalidOption(
            "`prior` of method 'beta' must be a Beta prior (u, v), got a density. Use method='posterior'."
        )
    return fit_beta(count, (chosen.u, chosen.v), raw=raw)


@procedure(
    name="posterior",
    title="Bayesian posterior",
    evidence=ErrorCount,
    **_CHOSEN_PRIOR,
)
def posterior_limits(count: ErrorCount, *, prior: Any, raw: bool = False) -> Tails:
    """Posterior interval and test for an error rate under any prior: a density given as a function, or a Beta.

    Parameters
    ----------
    count
        Errors and trials: one pair, or an array of them.
    prior
        A function that takes an array of error rates in (0, 1) and returns the density there, up to a constant factor;
        or what `beta` takes.
    raw
        Leave the quantiles as they are, without 0 below no errors and 1 above no successes.

    Examples
    --------
    >>> after = posterior_limits(ErrorCount(3, 120), prior=lambda error: (error < 0.5) * 2.0)
    >>> round(after.interval().high, 4), round(after.test(0.05, "less").pvalue, 3)
    (np.float64(0.0707), np.float64(0.14))
    """

    def tails(null: Any) -> Limits:
        p, after = as_threshold(null, count), posterior(count, prior=prior)
        return after.exceedance(p), after.cdf(p)

    def invert(tail: float) -> Limits:
        def quantiles(errors: Any, trials: Any) -> Limits:
            after = posterior(ErrorCount(errors, trials), prior=prior)
            return after.quantile(tail), after.upper_quantile(tail)

        return once(quantiles, count, symmetric=False)

    fitted = Tails(tails, invert, statistic=lambda null: count.rate - as_threshold(null, count))
    return fitted if raw else with_open_ends(fitted, count)


def fit_beta(count: ErrorCount, prior: tuple[float, float], *, raw: bool = False) -> Tails:
    """Return the tails and quantiles of Beta(m + u, M − m + v)."""
    u, v = prior

    def tails(null: Any) -> Limits:
        a, b, p = count.errors + u, count.successes + v, as_threshold(null, count)
        return beta_above(a, b, p), beta_at_most(a, b, p)

    def invert(tail: float) -> Limits:
        def quantiles(errors: Any, trials: Any) -> Limits:
            a, b = errors + u, trials - errors + v
            return beta_low(a, b, tail), beta_high(a, b, tail)

        return once(quantiles, count, symmetric=u == v)

    fitted = Tails(tails, invert, statistic=lambda null: count.rate - as_threshold(null, count))
    return fitted if raw else with_open_ends(fitted, count)
