"""The posterior distribution of an error rate.

`posterior(count, prior=…)` returns it: mean, variance, mode, density and quantiles. A Beta prior has closed forms; any
other density is integrated in `quadrature.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...display import Display, Row
from ...errors import InvalidOption
from ...evidence import ErrorCount, expect
from ...figures import Scale, count_text, scale_of
from ...numerics.distributions import beta_above, beta_at_most, beta_front, beta_high, beta_low
from ...rendering import Rendered, html_fields
from ...typing_ import FloatArray, Numbers, is_real, open_unit

# Counts are whole to 2⁵³; added to a stronger prior they would be rounded away. Weaker ones have no logarithm.
_WEAKEST, _STRONGEST = 1e-300, 2.0**53
_MOST_BINS = 10_000  # of the histogram that a prior is fitted to


@dataclass(frozen=True, slots=True)
class BetaPrior:
    """A Beta(u, v) distribution of error rates: as informative as u errors and v successes.

    Examples
    --------
    >>> BetaPrior(1, 3.67).mean
    0.21413276231263384
    """

    u: float
    v: float
    name: str = ""

    def __post_init__(self) -> None:
        for letter, value in (("u", self.u), ("v", self.v)):
            if not (is_real(value) and _WEAKEST <= value < np.inf):
                raise InvalidOption(
                    f"`prior` must be Beta(u, v), both numbers of at least {_WEAKEST:g}, got {letter} = {value!r}."
                    " For Jeffreys' prior use prior=(0.5, 0.5)."
                )
        if not self.u + self.v <= _STRONGEST:
            raise InvalidOption(
                f"`prior` must be Beta(u, v) with u + v of at most {_STRONGEST:.3g}, got ({self.u!r}, {self.v!r})."
                " For Jeffreys' prior use prior=(0.5, 0.5)."
            )

    def _repr_html_(self) -> str:
        return html_fields(self)

    @property
    def mean(self) -> float:
        """The mean of the prior."""
        return self.u / (self.u + self.v)

    @property
    def variance(self) -> float:
        """The variance of the prior."""
        return self.mean * (1 - self.mean) / (self.u + self.v + 1)


# Martin and Hirschberg 1996, appendix A.3 and A.4.
PRIORS = {
    "jeffreys": BetaPrior(0.5, 0.5, "jeffreys"),
    "uniform": BetaPrior(1, 1, "uniform"),
    "error-rates": BetaPrior(1, 3.67, "error-rates"),  # published error rates on 35 data sets
    "majority": BetaPrior(0.74, 1.44, "majority"),  # always predicting the larger class, 118 problems
}


def as_prior(prior: Any) -> BetaPrior | Callable[[FloatArray], FloatArray]:
    """Return the prior for a name, a pair (u, v), a `BetaPrior` or a density."""
    if isinstance(prior, BetaPrior):
        return prior
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise InvalidOption(
                f"`prior` must be one of {', '.join(PRIORS)}, a pair (u, v) or a density, got {prior!r}."
            )
        return PRIORS[prior]
    if callable(prior):
        return prior  # type: ignore[no-any-return]  # a callable's result is checked when it is called
    if isinstance(prior, Sequence | np.ndarray) and len(prior) == 2:
        return BetaPrior(prior[0], prior[1])
    raise InvalidOption(
        f"`prior` must be a pair (u, v), a name or a density, got {prior!r}. For Jeffreys' use prior=(0.5, 0.5)."
    )


def prior_text(prior: BetaPrior | Callable[..., Any]) -> str:
    """Return the name of a prior, as reports of an interval state it.

    Examples
    --------
    >>> prior_text(BetaPrior(0.5, 0.5))
    'Beta(1/2, 1/2)'
    """
    if not isinstance(prior, BetaPrior):
        name = getattr(prior, "__name__", type(prior).__name__)
        return "given as a function" if name == "<lambda>" else f"given as the function {name}"
    u, v = ("1/2" if value == 0.5 else f"{value:.4g}" for value in (prior.u, prior.v))
    return f"Beta({u}, {v})" + (f" ({prior.name})" if prior.name.startswith("fitted") else "")


class Posterior(Rendered, ABC):
    """The posterior distribution of the true error rate; fields have the count's shape."""

    __slots__ = ()
    count: ErrorCount
    prior: BetaPrior | Callable[..., Any]

    @property
    @abstractmethod
    def mean(self) -> FloatArray:
        """The posterior mean of the true error rate."""

    @property
    @abstractmethod
    def variance(self) -> FloatArray:
        """The posterior variance of the true error rate."""

    @property
    @abstractmethod
    def mode(self) -> FloatArray:
        """The posterior mode of the true error rate."""

    @abstractmethod
    def density(self, error: ArrayLike) -> FloatArray:
        """Return the density at an error rate."""

    @abstractmethod
    def cdf(self, error: ArrayLike) -> FloatArray:
        """Return the probability that the true error is at most this."""

    @abstractmethod
    def exceedance(self, error: ArrayLike) -> FloatArray:
        """Return the probability that the true error is above this."""

    @abstractmethod
    def quantile(self, probability: float) -> FloatArray:
        """Return the quantile: the error rate that the true one is below with this probability."""

    @abstractmethod
    def upper_quantile(self, probability: float) -> FloatArray:
        """Return the upper quantile: the error rate that the true one exceeds with this probability."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the counts; () for one."""
        return self.count.shape

    def __getitem__(self, index: Any) -> Posterior:
        return posterior(self.count[index], prior=self.prior)

    @property
    def sd(self) -> FloatArray:
        """The posterior standard deviation of the true error rate."""
        return np.sqrt(self.variance)

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # it has no further numbers
        """Return the posterior mean with its 95% credible interval, median, mode and SD; the data and the prior."""
        rows = (Row("data", self.count.describe()), Row("design", f"prior {prior_text(self.prior)}"))
        if self.count.shape:
            return Display(verdict=f"posterior of {count_text(self.mean.size, 'error rate')}", blocks=rows)
        low, high = float(self.quantile(0.025)), float(self.upper_quantile(0.025))
        scale = scale_of("percent", (high - low) / 2)
        mean, median, mode = (scale.value(float(value)) for value in (self.mean, self.quantile(0.5), self.mode))
        return Display(
            verdict=f"posterior mean error rate {mean} (95% credible interval {scale.range(low, high, unit=True)})",
            figures=f"median {median}, mode {mode}, SD {Scale('points', scale.decimals).value(float(self.sd))}",
            blocks=rows,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, with all digits."""
        figures = {name: getattr(self, name) for name in ("mean", "variance", "sd", "mode")}
        return {"prior": prior_text(self.prior), "evidence": self.count.as_dict(), **figures}

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BetaPosterior(Posterior):
    """Beta(m + u, M − m + v): the posterior under a Beta prior."""

    count: ErrorCount
    prior: BetaPrior

    @property
    def a(self) -> Numbers:
        """The errors of the data and of the prior, m + u."""
        return self.count.errors + self.prior.u

    @property
    def b(self) -> Numbers:
        """The successes of the data and of the prior, M - m + v."""
        return self.count.successes + self.prior.v

    @property
    def mean(self) -> Numbers:
        """The posterior mean, (m + u)/(M + u + v)."""
        return np.divide(self.a, self.a + self.b)

    @property
    def variance(self) -> Numbers:
        """The posterior variance, μ(1 − μ)/(M + u + v + 1)."""
        return self.mean * (self.b / (self.a + self.b)) / (self.a + self.b + 1)

    @property
    def mode(self) -> Numbers:
        """The posterior mode: an end of [0, 1] if the density increases towards it."""
        return self._mode_inside(self.a <= 1, self.b <= 1)

    @property
    def printed_mode(self) -> Numbers:
        """The mode as appendix A.2 of Martin and Hirschberg prints it: 0 at no errors, 1 at no successes.

        Right for Jeffreys' prior; for others only where the density does grow towards that end.
        """
        return self._mode_inside(self.count.errors == 0, self.count.successes == 0)

    def _mode_inside(self, none: Any, everything: Any) -> Numbers:
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = (self.a - 1) / (self.a + self.b - 2)
        return np.where(none, 0.0, np.where(everything, 1.0, inner))[()]

    def density(self, error: ArrayLike) -> Numbers:
        """Return the density at an error rate, Γ(a+b)/(Γ(a)Γ(b)) x^(a−1) (1−x)^(b−1)."""
        from scipy.special import betaln, xlog1py, xlogy

        x = as_rates(error)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = beta_front(self.a, self.b, x) / (x * (1 - x))
        ends = np.exp(xlogy(self.a - 1, x) + xlog1py(self.b - 1, -x) - betaln(self.a, self.b))
        return np.where((x > 0) & (x < 1), inside, ends)[()]

    def cdf(self, error: ArrayLike) -> Numbers:
        """Return the probability that the true error is at most this."""
        return beta_at_most(self.a, self.b, as_rates(error))

    def exceedance(self, error: ArrayLike) -> Numbers:
        """Return the probability that the true error is above this."""
        return beta_above(self.a, self.b, as_rates(error))

    def quantile(self, probability: float) -> Numbers:
        """Return the quantile: the error rate that the true one is below with this probability."""
        return beta_low(self.a, self.b, as_probability(probability))

    def upper_quantile(self, probability: float) -> Numbers:
        """Return the upper quantile: the error rate that the true one exceeds with this probability."""
        return beta_high(self.a, self.b, as_probability(probability))


def posterior(count: ErrorCount, *, prior: Any = "jeffreys") -> Posterior:
    """Return the posterior distribution of the true error rate.

    Parameters
    ----------
    count
        Errors and trials: one pair, or an array of them.
    prior
        (u, v) for Beta(u, v); "jeffreys", "uniform", "error-rates" or "majority"; the result of `fit_prior` for your
        own past error rates; or a density, a function that takes an array of error rates and returns an array.

    Examples
    --------
    >>> after = posterior(ErrorCount(3, 120))
    >>> round(after.mean, 6), round(after.mode, 6)
    (np.float64(0.028926), np.float64(0.021008))
    >>> round(posterior(ErrorCount(3, 120), prior=lambda error: 1 - error).mean, 6)
    np.float64(0.03252)

    References
    ----------
    Martin and Hirschberg (1996), appendix A.
    """
    expect(ErrorCount, count, name="count")
    chosen = as_prior(prior)
    if isinstance(chosen, BetaPrior):
        return BetaPosterior(count, chosen)
    from .quadrature import IntegratedPosterior

    return IntegratedPosterior.of(count, chosen)


def fit_prior(rates: ArrayLike, *, bins: int = 10) -> BetaPrior:
    """Return a Beta prior fitted to past error rates by least squares on their histogram.

    This is the fit of Martin and Hirschberg (1996, appendix A.4): it minimises the squared distance between the
    density of the histogram and the mean density of Beta(u, v) over each bin. They warn that few past error rates
    determine a prior poorly.

    Parameters
    ----------
    rates
        Error rates of earlier problems, each in [0, 1]; at least five, not all equal.
    bins
        Number of equal bins of the histogram on [0, 1].

    Examples
    --------
    >>> prior = fit_prior([0.02, 0.05, 0.08, 0.11, 0.15, 0.18, 0.22, 0.31, 0.45])
    >>> 0.1 < prior.mean < 0.25
    True
    """
    from scipy.optimize import least_squares
    from scipy.special import betainc

    try:
        past = np.asarray(rates, dtype=float).ravel()
    except (TypeError, ValueError):
        raise InvalidOption(f"`rates` must be numbers from 0 to 1, got {rates!r}.") from None
    if not np.all((past >= 0) & (past <= 1)):
        raise InvalidOption(
            f"`rates` must be numbers from 0 to 1, got {past[~((past >= 0) & (past <= 1))][0]:g}."
            " Divide percentages by 100."
        )
    if past.size < 5 or past.var() == 0:
        raise InvalidOption(f"`rates` must be at least five error rates, not all equal, got {past.size}.")
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or not 3 <= bins <= _MOST_BINS:
        raise InvalidOption(f"`bins` must be a whole number from 3 to {_MOST_BINS}, got {bins!r}. Leave it out for 10.")
    seen, edges = np.histogram(past, bins=bins, range=(0, 1))
    share = seen / past.size

    def misfit(logs: FloatArray) -> Numbers:
        u, v = np.exp(logs)
        return bins * (np.diff(betainc(u, v, edges)) - share)

    mean, variance = past.mean(), past.var()
    with np.errstate(over="ignore"):
        size = max(mean * (1 - mean) / variance - 1, 0.1)  # the moments' fit is the start
    start = np.log(np.clip([mean * size, (1 - mean) * size], 1e-2, 1e4))
    logs = least_squares(misfit, start, bounds=(-7, 12), xtol=1e-12, ftol=1e-12).x
    if logs.min() < -6.9 or logs.max() > 11.9:
        raise InvalidOption(
            "`rates` must be fitted by a Beta prior, got rates concentrated at 0 and 1 or at one value."
            " Use prior=(u, v)."
        )
    u, v = np.exp(logs)
    return BetaPrior(float(u), float(v), f"fitted to {past.size} error rates")


def as_probability(probability: float) -> float:
    """Return the probability; raise InvalidOption if it is not strictly between 0 and 1."""
    return open_unit("probability", probability, "For the median use 0.5.", least=float(np.finfo(float).tiny))


def as_rates(error: ArrayLike) -> FloatArray:
    """Return error rates as floats; raise InvalidOption if one is not between 0 and 1."""
    try:
        x = np.asarray(error, dtype=float)
    except (TypeError, ValueError):
        x = np.asarray(np.nan)
    if not np.all((x >= 0) & (x <= 1)):
        raise InvalidOption(f"`error` must be a rate from 0 to 1, got {error!r}.")
    return x[()]
