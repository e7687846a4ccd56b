"""Intervals for one error rate, and tests of it against a threshold.

Every interval is a function of an `ErrorCount`, with `alpha` (the error probability)
and `side` ("two", "upper" or "lower") by keyword; every test takes `against` (the
threshold) and `alternative`. Test and interval of one name decide alike. To add one,
read `score.py`: facts, promise, arithmetic, in that order.
"""

from __future__ import annotations

from .anytime import beta_binomial_cs, beta_binomial_cs_threshold
from .approximate import jeffreys_approx, jeffreys_handbook
from .bayesian import beta, jeffreys, posterior_limits, uniform
from .bootstrap import bca_bootstrap, percentile
from .exact import blaker, clopper_pearson, mid_p
from .finite import hypergeometric
from .likelihood import hpd_jeffreys, hpd_uniform, likelihood_ratio
from .normal import arcsine, logit, wald, wald_cc
from .posterior import BetaPrior, Posterior, fit_prior, posterior
from .score import agresti_coull, wilson, wilson_cc

__all__ = [
    "BetaPrior",
    "Posterior",
    "agresti_coull",
    "arcsine",
    "bca_bootstrap",
    "beta",
    "beta_binomial_cs",
    "beta_binomial_cs_threshold",
    "blaker",
    "clopper_pearson",
    "fit_prior",
    "hpd_jeffreys",
    "hpd_uniform",
    "hypergeometric",
    "jeffreys",
    "jeffreys_approx",
    "jeffreys_handbook",
    "likelihood_ratio",
    "logit",
    "mid_p",
    "percentile",
    "posterior",
    "posterior_limits",
    "uniform",
    "wald",
    "wald_cc",
    "wilson",
    "wilson_cc",
]
