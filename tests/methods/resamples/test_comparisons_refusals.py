"""Refusals of comparisons of learners: what is missing or out of range, and what to do."""

import numpy as np
import pytest

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import Resamples
from tellapart.methods.resamples.corrected import (
    bayesian_correlated_t,
    corrected_repeated_kfold_t,
    corrected_resampled_t,
)
from tellapart.methods.resamples.five_by_two import five_by_two_f, five_by_two_t, single_fold_t
from tellapart.methods.resamples.heuristics import calibrated_t, iterated_cv_bounds, paired_cv_ss
from tellapart.methods.resamples.seeds import welch


def scored(plan, a=(0.3, 0.2, 0.4, 0.35), b=(0.2, 0.2, 0.2, 0.25), **options):
    return Resamples.from_scores(a, b, plan=plan, metric="error", **options)


def test_unknown_sizes_are_requested():
    experiment_result = scored("independent")
    with pytest.raises(InvalidEvidence, match=r"'corrected-resampled-t' needs the sizes.*'independent'.*ratio="):
        corrected_resampled_t(experiment_result).test()
    assert corrected_resampled_t(experiment_result, ratio=0.5).test().shape == ()
    with pytest.raises(InvalidEvidence, match=r"rho="):
        bayesian_correlated_t(experiment_result)
    assert bayesian_correlated_t(experiment_result, rho=0.1).shape == ()
    for bad in (-1, np.inf, np.nan, True, "half"):
        with pytest.raises(InvalidOption, match="`ratio` must be 0 or more"):
            corrected_resampled_t(experiment_result, ratio=bad).test()


def test_plans_that_do_not_fit_are_refused():
    with pytest.raises(InvalidEvidence, match=r"'corrected-repeated-kfold-t' needs k-fold.*'corrected-resampled-t'"):
        corrected_repeated_kfold_t(scored("4x(2/3)")).test()
    for test in (five_by_two_t, five_by_two_f):
        with pytest.raises(InvalidEvidence, match=r"repeated 2-fold cross-validation, got plan '4-fold'.*'5x2'"):
            test(scored("4-fold"))
    for test in (paired_cv_ss, single_fold_t):
        with pytest.raises(InvalidEvidence, match="needs one k-fold cross-validation, got plan '2x2'"):
            test(scored("2x2"))
    for test in (iterated_cv_bounds, calibrated_t):
        with pytest.raises(InvalidEvidence, match="needs k-fold cross-validation"):
            test(scored("4x(2/3)"))


def test_options_out_of_their_range_are_refused():
    folds, halves = scored("4-fold"), scored("2x2")
    for bad in (0, 5, 1.0, True):
        with pytest.raises(InvalidOption, match="`fold` must be a whole number from 1 to 4"):
            single_fold_t(folds, fold=bad)
    for bad in (1, (1,), (3, 1), (1, 3)):
        with pytest.raises(InvalidOption, match="numerator"):
            five_by_two_t(halves, numerator=bad)
    with pytest.raises(InvalidOption, match="`bound` must be one of 'upper', 'lower'"):
        iterated_cv_bounds(halves, bound="middle").test()
    with pytest.raises(InvalidOption, match="`factor` must be above 0"):
        calibrated_t(halves, factor=0).test()


def test_single_runs_are_refused():
    with pytest.raises(InvalidEvidence, match=r"'welch' needs 2 runs or more of each learner, got 1"):
        welch(Resamples.from_scores([0.1, 0.2, 0.3], [0.1], plan="seeds", metric="error")).test()
