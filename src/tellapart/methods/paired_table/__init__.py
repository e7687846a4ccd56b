"""Two classifiers on one test set: tests, intervals of the difference, of the odds and of the reduction.

Every test is a function of a `PairedTable` with `alternative` by keyword, every interval one with
`alpha` and `side`. Tests that take `against` serve a margin. To add one, read `mcnemar.py`.
"""

from __future__ import annotations

from ..rules import paired_interval_overlap, paired_k_se
from .anytime import mcnemar_evalue, mcnemar_evalue_limits
from .bayesian import dirichlet
from .bootstrap import bca_bootstrap, percentile, resampled_differences
from .closed import agresti_min, bonett_price, newcombe_paired, wald_paired, yang_paired
from .mcnemar import mcnemar, mcnemar_corrected, mcnemar_exact, mcnemar_mid_p
from .odds import odds_exact, odds_mid_p
from .proportions import difference_of_proportions, interval_ratio, two_intervals, two_se
from .reduction import reduction_score
from .score import scas_paired, scas_paired_score, tango, tango_bcf, tango_bcf_score, tango_score
from .unconditional import mcnemar_unconditional, unconditional

__all__ = [
    "agresti_min",
    "bca_bootstrap",
    "bonett_price",
    "difference_of_proportions",
    "dirichlet",
    "interval_ratio",
    "mcnemar",
    "mcnemar_corrected",
    "mcnemar_evalue",
    "mcnemar_evalue_limits",
    "mcnemar_exact",
    "mcnemar_mid_p",
    "mcnemar_unconditional",
    "newcombe_paired",
    "odds_exact",
    "odds_mid_p",
    "paired_interval_overlap",
    "paired_k_se",
    "percentile",
    "reduction_score",
    "resampled_differences",
    "scas_paired",
    "scas_paired_score",
    "tango",
    "tango_bcf",
    "tango_bcf_score",
    "tango_score",
    "two_intervals",
    "two_se",
    "unconditional",
    "wald_paired",
    "yang_paired",
]
