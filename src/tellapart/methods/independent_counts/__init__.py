"""Intervals and tests for the difference of two error rates, each on a test set of its own.

Every interval is a function of `IndependentCounts`, with `alpha` and `side` by keyword, and every test
takes `alternative`; score tests also take `against`, the difference to test, for margins.
"""

from __future__ import annotations

from ..rules import implied_correlation, implied_level, interval_overlap, k_se
from .bayesian import two_betas, two_betas_probability
from .closed import agresti_caffo, newcombe, newcombe_cc, probability_better, wald_independent
from .conditional import fisher, fisher_mid_p
from .score import mee, mee_score, miettinen_nurminen, miettinen_nurminen_score, n_1_z, pooled_z
from .unconditional import barnard, boschloo, martin_hirschberg_exact

__all__ = [
    "agresti_caffo",
    "barnard",
    "boschloo",
    "fisher",
    "fisher_mid_p",
    "implied_correlation",
    "implied_level",
    "interval_overlap",
    "k_se",
    "martin_hirschberg_exact",
    "mee",
    "mee_score",
    "miettinen_nurminen",
    "miettinen_nurminen_score",
    "n_1_z",
    "newcombe",
    "newcombe_cc",
    "pooled_z",
    "probability_better",
    "two_betas",
    "two_betas_probability",
    "wald_independent",
]
