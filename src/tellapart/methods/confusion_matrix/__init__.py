"""One classifier's precision, recall, F and the like: every interval that counts alone allow.

Every interval is a function of a `ConfusionMatrix` that is asked for a metric (`matrix.by("f1")`), with `alpha` and
`side` by keyword, and is of the metric itself. Where the metric is not defined it is all of the metric's range. To add
one, read `f1.py`.
"""

from __future__ import annotations

from .balance import tango
from .delta import delta, delta_logit
from .f1 import f1_bayes, f1_exact, f1_wilson
from .proportions import clopper_pearson, jeffreys, mid_p, wilson
from .recalls import balanced_bayes, mover_wilson
from .resampling import bcost, count_bootstrap

__all__ = [
    "balanced_bayes",
    "bcost",
    "clopper_pearson",
    "count_bootstrap",
    "delta",
    "delta_logit",
    "f1_bayes",
    "f1_exact",
    "f1_wilson",
    "jeffreys",
    "mid_p",
    "mover_wilson",
    "tango",
    "wilson",
]
