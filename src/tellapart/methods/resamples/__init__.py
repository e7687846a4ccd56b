"""Learners on little data: every test, interval and estimator that a plan of splits allows.

Every method is a function of `Resamples`; a test takes `alternative` by keyword (and `against`, where it can serve a
margin), an interval `alpha` and `side`. To add one, read `corrected.py`.
"""

from __future__ import annotations

from . import reports as reports
from .bayesian import bayesian_correlated_interval, bayesian_correlated_t, correlated_probabilities
from .choices import holdout_choice, holdout_choice_interval, mean_error_choice, vote
from .corrected import (
    corrected_repeated_kfold_interval,
    corrected_repeated_kfold_t,
    corrected_resampled_interval,
    corrected_resampled_t,
)
from .estimators import (
    apparent,
    apparent_interval,
    corrected_t_interval,
    holdout,
    holdout_interval,
    iterated_kfold,
    kfold,
    loo,
    mean_over_test_sets,
    repeated_kfold,
)
from .five_by_two import five_by_two_f, five_by_two_t
from .heuristics import (
    calibrated_t,
    calibrated_t_interval,
    iterated_cv_bounds,
    iterated_cv_interval,
    paired_cv_interval,
    paired_cv_ss,
    variance_of_difference,
)
from .instability import Instability, instability
from .nested import (
    conservative_z,
    conservative_z_estimate,
    conservative_z_interval,
    nested_cv,
    nested_cv_estimate,
    nested_cv_interval,
)
from .out_of_bag import (
    loo_star,
    loo_star_interval,
    oob,
    oob_interval,
    point632,
    point632_interval,
    point632plus,
    point632plus_interval,
)
from .pooled import cv_wald, cv_wald_interval, mcnemar_on_cv, mcnemar_on_cv_interval, pooled_table, two_se_on_cv
from .seeds import better_run_interval, probability_better_run
from .splittings import (
    mean_se_w,
    mean_se_w_interval,
    splitting_sd,
    splitting_sd_interval,
    splitting_se,
    splitting_se_interval,
)
from .t_tests import (
    kfold_interval,
    kfold_t,
    paired_t,
    paired_t_interval,
    resampled_interval,
    resampled_t,
    single_fold_t,
    unpaired_t,
    unpaired_t_interval,
    welch,
    welch_interval,
)

__all__ = [
    "Instability",
    "apparent",
    "apparent_interval",
    "bayesian_correlated_interval",
    "bayesian_correlated_t",
    "better_run_interval",
    "calibrated_t",
    "calibrated_t_interval",
    "conservative_z",
    "conservative_z_estimate",
    "conservative_z_interval",
    "corrected_repeated_kfold_interval",
    "corrected_repeated_kfold_t",
    "corrected_resampled_interval",
    "corrected_resampled_t",
    "corrected_t_interval",
    "correlated_probabilities",
    "cv_wald",
    "cv_wald_interval",
    "five_by_two_f",
    "five_by_two_t",
    "holdout",
    "holdout_choice",
    "holdout_choice_interval",
    "holdout_interval",
    "instability",
    "iterated_cv_bounds",
    "iterated_cv_interval",
    "iterated_kfold",
    "kfold",
    "kfold_interval",
    "kfold_t",
    "loo",
    "loo_star",
    "loo_star_interval",
    "mcnemar_on_cv",
    "mcnemar_on_cv_interval",
    "mean_error_choice",
    "mean_over_test_sets",
    "mean_se_w",
    "mean_se_w_interval",
    "nested_cv",
    "nested_cv_estimate",
    "nested_cv_interval",
    "oob",
    "oob_interval",
    "paired_cv_interval",
    "paired_cv_ss",
    "paired_t",
    "paired_t_interval",
    "point632",
    "point632_interval",
    "point632plus",
    "point632plus_interval",
    "pooled_table",
    "probability_better_run",
    "repeated_kfold",
    "resampled_interval",
    "resampled_t",
    "single_fold_t",
    "splitting_sd",
    "splitting_sd_interval",
    "splitting_se",
    "splitting_se_interval",
    "two_se_on_cv",
    "unpaired_t",
    "unpaired_t_interval",
    "variance_of_difference",
    "vote",
    "welch",
    "welch_interval",
]
