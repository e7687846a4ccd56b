"""What comparisons of learners assume: the figure, the verdict, the words and the way out."""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import compare
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import Resamples
from tellapart.evidence.plan import Plan
from tellapart.methods import find_method, find_methods
from tellapart.methods.assumptions import Given, examine, learner_pairs
from tellapart.methods.assumptions.base import Assumption
from tellapart.methods.resamples import (
    bayesian_correlated_t,
    calibrated_t,
    corrected_repeated_kfold_t,
    corrected_resampled_interval,
    corrected_resampled_t,
    five_by_two_f,
    five_by_two_t,
    iterated_cv_bounds,
    paired_cv_ss,
    single_fold_t,
    unpaired_t,
    welch,
)

COMPARISONS = [entry for entry in find_methods(evidence=Resamples, question=8) if entry.parameter == "difference"]
ASSUMPTIONS = [value for value in vars(learner_pairs).values() if isinstance(value, Assumption)]


def scored(plan, a=(0.3, 0.2, 0.4, 0.35), b=(0.2, 0.2, 0.2, 0.25), **options):
    return Resamples.from_scores(a, b, plan=plan, metric="error", **options)


def failed(held, name, gives="test", **given):
    """Return the codes of the checks that fail, with their messages."""
    entry = find_method(name, gives, Resamples)
    limits = Given(interval=given.pop("interval", None) or corrected_resampled_interval(held, ratio=1), **given)
    return {check.code: check.message for check in examine(entry.assumes, held, limits) if not check.holds}


@pytest.mark.parametrize("assumption", ASSUMPTIONS, ids=lambda assumption: assumption.code)
def test_every_assumption_names_a_way_out(assumption):
    assert "'" in assumption.otherwise
    assert "TA400" <= assumption.code <= "TA419" or "TA440" <= assumption.code <= "TA443"
    assert any(assumption in entry.assumes for entry in COMPARISONS)


def test_codes_are_given_once():
    codes = [assumption.code for assumption in ASSUMPTIONS]
    assert len(set(codes)) == len(codes) == 24


def test_small_test_sets():
    """30 examples are enough, 29 are not, and an unknown number is not held against anybody."""
    assert "TA403" not in failed(scored("4-fold", examples=120), "kfold-t")
    message = failed(scored("4-fold", examples=116), "kfold-t")["TA403"]
    assert message.startswith("a test set holds only 29 examples (< 30)")
    assert "TA403" not in failed(scored("4-fold"), "kfold-t")


def test_overlapping_splits():
    assert "TA405" not in failed(scored("4-fold"), "kfold-t")
    assert "in 2 test sets" in failed(scored("2x2"), "kfold-t")["TA405"]
    assert "in 4 test sets" in failed(scored("4x(2/3)"), "kfold-t")["TA405"]
    assert "TA405" not in failed(scored("independent"), "kfold-t")
    assert "TA404" not in failed(scored("independent"), "paired-t")
    assert "corrected-resampled-t" in failed(scored("4-fold"), "paired-t")["TA404"]


def test_paired_data_for_unpaired_methods():
    seeds, folds = scored("seeds"), scored("4-fold")
    for name in ("unpaired-t", "welch", "probability-better-run"):
        entry = find_method(name, "test", Resamples)
        for held, code in ((seeds, []), (folds, ["TA406"]), (scored("independent"), ["TA406"])):
            limits = find_method("welch", "interval", Resamples)(held)
            checks = examine(entry.assumes, held, Given(interval=limits))
            assert [check.code for check in checks if check.code == "TA406" and not check.holds] == code


def test_number_of_replicates_and_swings():
    five = scored("5x2", a=np.full(10, 0.2), b=np.linspace(0.2, 0.4, 10))
    assert not {"TA407", "TA408"} & set(failed(five, "5x2cv-t"))
    assert (
        "1 away from five" in failed(scored("4x2", a=np.full(8, 0.2), b=np.linspace(0.2, 0.4, 8)), "5x2cv-f")["TA407"]
    )
    assert (
        "1 away from five" in failed(scored("6x2", a=np.full(12, 0.2), b=np.linspace(0.2, 0.4, 12)), "5x2cv-t")["TA407"]
    )
    wild = scored("5x2", a=np.full(10, 0.2), b=np.linspace(0.1, 0.9, 10))
    assert "swings by 0.8" in failed(wild, "5x2cv-t")["TA408"]


def test_winners_optimism():
    held = scored("4-fold")
    for entry in COMPARISONS:
        assert any(assumption.code == "TA411" for assumption in entry.assumes)
    assert "TA411" not in failed(held, "kfold-t")
    assert "TA411" not in failed(replace(held, chosen_from=1), "kfold-t")
    message = failed(replace(held, chosen_from=24), "kfold-t")["TA411"]
    assert "candidates out of 24" in message
    assert "race the whole search" in message


def test_learning_curve():
    """The difference moves by 0.08 from half of the training set on; half the interval is more or less than that."""
    held = scored("4-fold", a=(0.30, 0.20, 0.40, 0.34), b=(0.20, 0.10, 0.30, 0.25))
    before = replace(held, loss=held.loss + np.array([0.08, 0]).reshape(2, 1, 1))
    far = replace(held, loss=held.loss + np.array([0.5, 0]).reshape(2, 1, 1))
    curved = replace(held, parts={"train x 0.5": before, "train x 0.25": far, "apparent": far})
    tight, wide = (corrected_resampled_interval(held, alpha=alpha) for alpha in (0.5, 1e-4))
    assert tight.width < 0.08 < wide.width / 2
    half = replace(tight, low=np.float64(0.05), high=np.float64(0.15))  # wide enough as a whole
    assert "TA413" in failed(curved, "kfold-t", interval=half)
    assert "TA413" not in failed(held, "kfold-t", interval=tight)
    assert "TA413" in failed(curved, "kfold-t", interval=tight)
    assert "TA413" not in failed(curved, "kfold-t", interval=wide)


def test_few_seeds():
    few = Resamples.from_scores([0.1, 0.2, 0.3, 0.2], [0.1, 0.2, 0.3, 0.2, 0.4], plan="seeds", metric="error")
    limits = find_method("welch", "interval", Resamples)(few)
    checks = examine(find_method("probability-better-run", "test", Resamples).assumes, few, Given(interval=limits))
    assert ["only 4 runs" in check.message for check in checks if check.code == "TA414"] == [True]


def test_calibration_is_for_halves_of_enough_examples():
    assert not {"TA415", "TA416"} & set(failed(scored("2x2", examples=30), "calibrated-t"))
    found = failed(scored("4-fold", examples=29), "calibrated-t")
    assert "only 29 examples" in found["TA415"]
    assert "here are 2 more" in found["TA416"]


def test_bounds_that_disagree():
    """x̄/S(x) is 1.3 and 1.3·√50 = 9.2: only the lower bound finds a difference."""
    a, b = np.tile([0.3, 0.2, 0.4, 0.3], 25), np.tile([0.2, 0.2, 0.2, 0.1], 25)
    held = scored("50x2", a=a, b=b)
    assert iterated_cv_bounds(held).pvalue > 0.05 > iterated_cv_bounds(held, bound="lower").pvalue
    assert "decide differently" in failed(held, "iterated-cv-bounds")["TA417"]
    assert "TA417" not in failed(held, "iterated-cv-bounds", alpha=0.5)


def with_predictions(only_a, only_b, size=100, folds=2, both=5):
    loss = np.array([(both + only_a) / size, (both + only_b) / size]).reshape(2, 1, 1).repeat(folds, axis=-1)
    together = np.array([[both + only_a, both], [both, both + only_b]]).reshape(2, 2, 1, 1).repeat(folds, axis=-1)
    return Resamples(
        loss, size, size, Plan.parse(f"{folds}-fold"), together=together.astype(float), examples=size * folds
    )


def test_few_disagreements():
    assert "TA409" not in failed(with_predictions(6, 4), "mean-se-w")
    assert "disagree on 9 examples" in failed(with_predictions(6, 3), "mean-se-w")["TA409"]
    # Of mid-p, four disagreements give 2⁻⁴ at best, and five 2⁻⁵.
    assert "p-value is 0.0625" in failed(with_predictions(2, 0), "mcnemar-on-cv")["TA410"]
    assert "TA410" not in failed(with_predictions(2, 1), "mcnemar-on-cv")
    assert "TA410" not in failed(with_predictions(2, 0), "mcnemar-on-cv", alternative="less")


def test_few_examples_for_a_central_limit_theorem():
    assert "TA412" not in failed(with_predictions(6, 4, size=250), "cv-wald")
    assert "only 498 examples" in failed(with_predictions(6, 4, size=249), "cv-wald")["TA412"]
    odd = replace(with_predictions(6, 4, size=250), test=np.array([[250, 249]]))
    assert "only 499 examples" in failed(odd, "cv-wald")["TA412"]


def test_choices_say_that_they_know_no_level():
    assert "has no p-value" in failed(scored("4x(2/3)"), "vote")["TA400"]


def test_checks_of_many_entries_at_once():
    entry = find_method("corrected-resampled-t", "test", Resamples)
    stacked = Resamples(np.stack([scored("4-fold").loss, np.full((2, 1, 4), 0.2)]), 40, 120, Plan.parse("4-fold"))
    limits = corrected_resampled_interval(stacked)
    spread = examine(entry.assumes, stacked, Given(interval=limits))[0]
    assert spread.holds.tolist() == [True, False]


# --- Refusals -------------------------------------------------------------------------------------


def test_unknown_sizes_are_asked_for():
    held = scored("independent")
    with pytest.raises(InvalidEvidence, match=r"'corrected-resampled-t' needs the sizes.*'independent'.*ratio="):
        corrected_resampled_t(held)
    assert corrected_resampled_t(held, ratio=0.5).shape == ()
    with pytest.raises(InvalidEvidence, match=r"rho="):
        bayesian_correlated_t(held)
    assert bayesian_correlated_t(held, rho=0.1).shape == ()
    for bad in (-1, np.inf, np.nan, True, "half"):
        with pytest.raises(InvalidOption, match="ratio must be a number"):
            corrected_resampled_t(held, ratio=bad)


def test_plans_that_do_not_fit_are_refused():
    with pytest.raises(InvalidEvidence, match=r"'corrected-repeated-kfold-t' needs k-fold.*'corrected-resampled-t'"):
        corrected_repeated_kfold_t(scored("4x(2/3)"))
    for test in (five_by_two_t, five_by_two_f):
        with pytest.raises(InvalidEvidence, match=r"replicates of two folds, but the plan is '4-fold'.*'5x2'"):
            test(scored("4-fold"))
    for test in (paired_cv_ss, single_fold_t):
        with pytest.raises(InvalidEvidence, match="needs one k-fold cross-validation, but the plan is '2x2'"):
            test(scored("2x2"))
    for test in (iterated_cv_bounds, calibrated_t):
        with pytest.raises(InvalidEvidence, match="needs k-fold cross-validation"):
            test(scored("4x(2/3)"))


def test_options_out_of_their_range_are_refused():
    folds, halves, seeds = scored("4-fold"), scored("2x2"), scored("seeds")
    for bad in (0, 5, 1.0, True):
        with pytest.raises(InvalidOption, match="fold must be a whole number from 1 to 4"):
            single_fold_t(folds, fold=bad)
    for bad in (1, (1,), (3, 1), (1, 3)):
        with pytest.raises(InvalidOption, match="numerator"):
            five_by_two_t(halves, numerator=bad)
    with pytest.raises(InvalidOption, match="bound must be one of 'upper', 'lower'"):
        iterated_cv_bounds(halves, bound="middle")
    with pytest.raises(InvalidOption, match="factor must be a number above 0"):
        calibrated_t(halves, factor=0)
    with pytest.raises(InvalidOption, match="freedom must be one of 'both', 'printed'"):
        unpaired_t(seeds, freedom="all")


def test_single_runs_are_refused():
    with pytest.raises(InvalidEvidence, match=r"'welch' needs two runs or more of each learner, but one has 1"):
        welch(Resamples.from_scores([0.1, 0.2, 0.3], [0.1], plan="seeds", metric="error"))


def test_a_pooled_variance_wants_as_many_runs_of_each():
    """Student's t at unequal numbers and variances, against Welch's, which SciPy has too."""
    few, many = [0.9, 0.7, 0.8], [0.81, 0.8, 0.79, 0.8, 0.805, 0.795, 0.8, 0.8]
    held = Resamples.from_scores(few, many, plan="seeds")
    failed = [check for check in compare(held, method="unpaired-t").checks if not check.holds]
    assert "TA443" in [check.code for check in failed]
    assert "one learner has 5 runs more" in next(check.message for check in failed if check.code == "TA443")
    alike = Resamples.from_scores(few, few[::-1], plan="seeds")
    assert all(check.holds for check in compare(alike, method="unpaired-t").checks if check.code == "TA443")
