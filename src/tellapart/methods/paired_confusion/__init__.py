"""Two classifiers by precision, recall, F and the like: every test and interval that joint counts allow.

Every test is a function of a `PairedConfusion` with `alternative` by keyword, every interval one with `alpha` and
`side`, in units of loss(A) − loss(B). Tests that take `against` serve a margin. To add one, read `delta.py`.
"""

from __future__ import annotations

from . import reports as reports
from .delta import paired_delta, paired_delta_test, smoothed_difference
from .on_class import class_mcnemar_exact, class_mcnemar_mid_p, class_tango, class_tango_score
from .predictive import generalized_score, relative_predictive_value, relative_predictive_value_test, weighted_score
from .recalls import mover_tango, mover_tango_test
from .resampling import bdeltacost, bdeltacost_test, joint_bootstrap, joint_bootstrap_test

__all__ = [
    "bdeltacost",
    "bdeltacost_test",
    "class_mcnemar_exact",
    "class_mcnemar_mid_p",
    "class_tango",
    "class_tango_score",
    "generalized_score",
    "joint_bootstrap",
    "joint_bootstrap_test",
    "mover_tango",
    "mover_tango_test",
    "paired_delta",
    "paired_delta_test",
    "relative_predictive_value",
    "relative_predictive_value_test",
    "smoothed_difference",
    "weighted_score",
]
