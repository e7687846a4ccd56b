"""Assumptions of methods for learners on resampled data: TA400 to TA429, TA435, TA436, and TA440 to TA443."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numerics.rounding import without_rounding
from ...typing_ import Numbers
from ..assumptions import (
    Context,
    Figure,
    Remedy,
    above,
    at_least,
    at_most,
    can_reject,
    is_true,
    smallest_pvalue,
    varies,
)
from ..loss_scale import scale
from .moments import error_of_halves, moments, moments_by_learner, moments_of_halves, pooled_moments, variance_within
from .required_plans import KFOLD, counts_errors, find_apparent, find_bootstrap, has_one_test_per_example

_ALL_TEST_SETS = (-2, -1)  # the axes of replicate and fold
_LARGE_TEST_SET = 30  # examples

# --- Remedies for these data ------------------------------------------------------------------------------


def _suggest_corrected_t(resamples: Any) -> str:
    """Return a corrected t method that these splits allow, as an option; "" if there is none."""
    if resamples.runs < 2 or resamples.plan.kind in {"seeds", "delve"}:
        return ""
    if resamples.plan.kind == "independent":
        return "method='paired-t'"
    if not np.isfinite(resamples.ratio):
        return ""
    if len(resamples.learners) == 1:
        return "method='corrected-t-interval'"
    repeated = resamples.plan.kind in KFOLD and resamples.loss.shape[-2] > 1
    return "method='corrected-repeated-kfold-t'" if repeated else "method='corrected-resampled-t'"


def _suggest_pooled_counts(resamples: Any) -> str:
    """Return the test of the pooled discordant pairs, as an option; "" if these data do not allow it."""
    paired = len(resamples.learners) == 2 and resamples.plan.kind != "seeds" and counts_errors(resamples)
    return "method='mcnemar-on-cv'" if paired and has_one_test_per_example(resamples) else ""


def _suggest_comparison(resamples: Any) -> str:
    """Return the corrected t, or the pooled counts if the test sets are too small for it."""
    corrected, pooled = _suggest_corrected_t(resamples), _suggest_pooled_counts(resamples)
    return (corrected if _smallest_test_set(resamples) >= _LARGE_TEST_SET else pooled) or corrected or pooled


def _use(suggest: Any, otherwise: str, *, also: str = "", why: str = "") -> Remedy:
    """Return a function for the remedy: the method suggested for the data, or another remedy without one."""

    def choose_remedy(resamples: Any, _: Context) -> str:
        method = suggest(resamples)
        return f"Use {also}{method}{why}." if method else otherwise

    return choose_remedy


def _train_on_more(resamples: Any, _: Context) -> str:
    if resamples.plan.kind in KFOLD and resamples.loss.shape[-1] >= 10:
        return "State the size of the training set with the result."
    return "Use larger training sets, such as 10 repeats of 10-fold cross-validation (plan='10x10')."


# --- The difference of two learners -----------------------------------------------------------------


def _by_plan(kind: str) -> Figure:
    """Return whether the plan is of this kind."""
    return lambda resamples, _: resamples.plan.kind == kind


def _smallest_test_set(resamples: Any) -> Numbers:
    """Return the size of the smallest test set; 30, which is enough, if no size is known."""
    smallest = np.min(resamples.test)
    return smallest if smallest >= 1 else float(_LARGE_TEST_SET)


def _times_tested(resamples: Any, _: Context) -> Numbers:
    """Return how many test sets an example may be in: of random splits, all."""
    if resamples.plan.kind == "independent":
        return 1
    return resamples.loss.shape[-2] if resamples.plan.kind in KFOLD else resamples.runs


def _largest_range_of_loss(resamples: Any, _: Context) -> Numbers:
    """Return the range of a learner's loss over the splits, whichever is larger; 0 if the metric is unbounded."""
    return np.ptp(resamples.loss, axis=_ALL_TEST_SETS).max(axis=-1) if resamples.bounded else 0.0


def _discordant_per_test_set(resamples: Any, _: Context) -> Numbers:
    """Return the mean number of discordant pairs in a test set; 10 if it is not known.

    The squared differences of another loss than the error rate count nothing.
    """
    counted = resamples.together is not None and resamples.metric.name == "error"
    return resamples.squares.mean(axis=_ALL_TEST_SETS) if counted else 10.0


def _smallest_pooled_pvalue(resamples: Any, context: Context) -> Numbers:
    """Return the mid-p value if all discordant pairs favoured one learner; 0 if they are not known."""
    if resamples.together is None:
        return 0.0
    return smallest_pvalue(resamples.squares.sum(axis=_ALL_TEST_SETS), context.alternative, 0.5)


def _examples_per_replicate(resamples: Any, _: Context) -> Numbers:
    """Return how many examples are tested in a replicate; 500, which is enough, if no size is known."""
    return np.sum(resamples.test, axis=-1).min() if np.min(resamples.test) >= 1 else 500.0


def _margin_of_learning_curve(resamples: Any, context: Context) -> Numbers:
    """Return by how much the change from the next smaller training set stays below half the width of the interval."""
    smaller = {float(name[8:]): points for name, points in resamples.parts.items() if name.startswith("train x ")}
    if not smaller:
        return 0.0  # no curve was run
    here, before = (points.values.mean(axis=_ALL_TEST_SETS) for points in (resamples, smaller[max(smaller)]))
    interval = context.interval
    # A bound has one limit: how far it is from the centre stands for half the width.
    reach = {"two": interval.width / 2, "upper": interval.high - here, "lower": here - interval.low}[interval.side]
    return reach - np.abs(here - before)


def _count_runs_by_learner(resamples: Any) -> Any:
    return np.isfinite(resamples.loss).sum(axis=_ALL_TEST_SETS)


def _bounds_decide_alike(resamples: Any, context: Context) -> Numbers:
    from .heuristics import iterated_cv_bounds

    upper, lower = (
        iterated_cv_bounds(resamples, bound=bound).test(0.0, context.alternative).pvalue < context.alpha
        for bound in ("upper", "lower")
    )
    return upper == lower


def _sign_of_numerator_times_mean(resamples: Any, context: Context) -> Numbers:
    """Return 1 if the difference in the numerator and the mean difference have one sign, −1 if not, 0 if one is 0."""
    # The first difference is in the numerator unless the test has another.
    top = resamples.values[..., 0, 0] if context.chooses is None else context.chooses
    return np.sign(top) * np.sign(moments(resamples).mean)


_NO_SPREAD = "p is 1 and the interval is the whole range"
_SAME_LOSS = "the interval is the whole range"
_TEST_MORE = "Test more examples."
_ERRORS_OF_ONE_SET = "Use larger test sets, or a single one (plan='holdout'), whose errors are counted."
_ERRORS_OF_MORE_EXAMPLES = "Use more examples, or a single test set (plan='holdout'), whose errors are counted."

CHOOSES_ONLY = is_true("TA400", lambda *_: False).state(
    "the method has a p-value",
    "the rule chooses a learner without a p-value",
    _use(_suggest_comparison, "Use 10 repeats of 10-fold cross-validation (plan='10x10')."),
    title="no p-value",
    so="how often it chooses the worse one is unknown",
)
SPREAD_OF_DIFFERENCES = varies("TA401", lambda resamples, _: moments(resamples).deviation).state(
    "the differences vary between test sets",
    "the difference is the same on every test set",
    _use(_suggest_pooled_counts, "Use larger test sets.", why=", which counts discordant pairs"),
    title="constant differences",
    so=_NO_SPREAD,
)
SEEDS_HAVE_SPREAD = varies("TA402", lambda resamples, _: moments_by_learner("welch", resamples)[1].max(axis=-1)).state(
    "the runs of a learner vary",
    "all runs of each learner have the same loss",
    "If the seed changes nothing, compare the predictions of one run of each learner.",
    title="constant runs",
    so=_NO_SPREAD,
)
LARGE_TEST_SETS = at_least(
    "TA403", _LARGE_TEST_SET, lambda resamples, _: _smallest_test_set(resamples), reference="dietterich1998"
).state(
    "{figure} examples in every test set (Dietterich 1998)",
    "a test set of {figure} examples, fewer than 30 (Dietterich 1998)",
    _use(_suggest_pooled_counts, "Use larger test sets, such as fewer folds.", also="fewer folds, or "),
    title="small test sets",
    so="its error rate is far from normal",
)
INDEPENDENT_SAMPLES = is_true("TA404", _by_plan("independent")).state(
    "every test set belongs to a sample of its own",
    "the splits share their examples",
    _use(
        _suggest_corrected_t,
        "Use method='corrected-resampled-t' with `ratio`, the size of a test set over that of a training set.",
    ),
    title="overlapping samples",
    so="the differences are correlated and the test may reject too often",
)
DISJOINT_TEST_SETS = at_most("TA405", 1, _times_tested).state(
    "no example is in two test sets",
    "an example may be in {size} test sets (limit 1)",
    _use(_suggest_corrected_t, "Use a single cross-validation."),
    title="overlapping test sets",
    so="the differences are correlated and the test may reject too often",
)
UNPAIRED_RUNS = is_true("TA406", _by_plan("seeds"), reference="martin1996").state(
    "the runs of the two learners are independent (plan 'seeds')",
    "both learners were run on the same splits (Martin & Hirschberg 1996)",
    _use(_suggest_corrected_t, "Use a paired method."),
    title="paired runs",
    so="a test for independent runs has less power",
)
FIVE_REPLICATES = at_most(
    "TA407", 0, lambda resamples, _: abs(resamples.loss.shape[-2] - 5), reference="dietterich1998"
).state(
    "there are 5 replicates (Dietterich 1998)",
    "the number of replicates differs from 5 by {size}",
    "Use method='corrected-repeated-kfold-t', or 5 repeats of 2-fold cross-validation (plan='5x2').",
    title="not 5 replicates",
    so="the type I error rate was higher with fewer or more (Dietterich 1998)",
)
STABLE_LOSSES = at_most("TA408", 0.5, _largest_range_of_loss, reference="dietterich1998").state(
    "the loss of each learner varies by at most 0.5 between test sets",
    "the loss of a learner varies by {size} between test sets (limit 0.5)",
    "Use method='corrected-repeated-kfold-t', best with 10 repeats of 10-fold cross-validation (plan='10x10').",
    title="unstable losses",
    so="the test may reject too often (Dietterich 1998)",
)
DISCORDANT_PAIRS_PER_TEST_SET = at_least("TA409", 10, _discordant_per_test_set, reference="yang2006").state(
    "{figure} discordant pairs in a test set, on average (Yang 2006)",
    "{figure} discordant pairs in a test set on average, fewer than 10 (Yang 2006)",
    _use(_suggest_comparison, "Use larger test sets."),
    title="few discordant pairs",
    so="the normal approximation is unreliable",
)


def _test_the_splits_instead(resamples: Any, _: Context) -> str:
    corrected = _suggest_corrected_t(resamples) if _smallest_test_set(resamples) >= _LARGE_TEST_SET else ""
    return f"Use {corrected}, which compares the splits, or test more examples." if corrected else _TEST_MORE


POOLED_DISCORDANT_PAIRS = can_reject(
    "TA410",
    _smallest_pooled_pvalue,
    "discordant pairs",
    _test_the_splits_instead,
)
NOT_SELECTED = at_most("TA411", 1, lambda resamples, _: resamples.chosen_from).state(
    "the learners were not selected by these scores",
    "the learners were selected among {size} candidates by these scores",
    "Compare them on new examples, or run the experiment on the whole search: a GridSearchCV is a learner, too.",
    title="selection bias",
    so="their scores are too good",
)
MANY_EXAMPLES = at_least("TA412", 500, _examples_per_replicate).state(
    "{figure} examples tested in every replicate",
    "{figure} examples tested in a replicate, fewer than 500",
    _use(_suggest_comparison, _TEST_MORE),
    title="few examples",
    so="the interval may be too short",
)
FLAT_LEARNING_CURVE = at_least("TA413", 0, _margin_of_learning_curve).state(
    "the difference hardly depends on the size of the training set, as far as a learning curve was run",
    "the difference changes by {size} more than half the width of the interval between training set sizes",
    _train_on_more,
    title="steep learning curve",
    so="it may differ at another size",
)
# On every comparison of learners that were retrained on each split of the same examples.
TRAINED_ON_SPLITS = (LARGE_TEST_SETS, FLAT_LEARNING_CURVE, NOT_SELECTED)
ENOUGH_RUNS = at_least("TA414", 5, lambda resamples, _: _count_runs_by_learner(resamples).min(axis=-1)).state(
    "{figure} runs of each learner",
    "{figure} runs of a learner, fewer than 5",
    "Use more seeds, or method='welch'.",
    title="few runs",
    so="the bootstrap understates how much they vary",
)
CALIBRATED_SIZE = at_least("TA415", 30, lambda resamples, _: resamples.examples or 30, reference="martin1996").state(
    "{figure} examples (Martin & Hirschberg 1996)",
    "{figure} examples, fewer than 30 (Martin & Hirschberg 1996)",
    "Use method='corrected-repeated-kfold-t', which needs no such factor.",
    title="few examples",
    so="the factor of the test does not apply",
)
CALIBRATED_FOR_HALVES = at_most(
    "TA416", 0, lambda resamples, _: resamples.loss.shape[-1] - 2, reference="martin1996"
).state(
    "the design is repeated 2-fold cross-validation",
    "the design has {size} folds more than 2 (Martin & Hirschberg 1996)",
    "Use method='corrected-repeated-kfold-t', which takes any number of folds.",
    title="more than 2 folds",
    so="the factor of the test was fitted to 2",
)
BOUNDS_AGREE = is_true("TA417", _bounds_decide_alike).state(
    "both bounds of the standard error lead to the same decision",
    "the two bounds of the standard error lead to different decisions",
    "Use method='corrected-repeated-kfold-t', which estimates the standard error.",
    title="bounds disagree",
    so="which of them is right is unknown",
)
EXAMPLES_HAVE_SPREAD = varies("TA418", lambda resamples, _: pooled_moments(resamples)[1]).state(
    "the values vary between examples",
    "the value is the same for every example",
    _use(_suggest_pooled_counts, _TEST_MORE),
    title="constant values",
    so=_NO_SPREAD,
)
SPREAD_INSIDE_TEST_SETS = varies(
    "TA440", lambda resamples, _: variance_within(resamples).max(axis=_ALL_TEST_SETS)
).state(
    "the values vary between the examples of a test set",
    "the value is the same for every example of a test set",
    _use(_suggest_pooled_counts, _TEST_MORE),
    title="constant values",
    so=_NO_SPREAD,
)
HALVES_HAVE_SPREAD = varies(
    "TA419", lambda resamples, _: moments_of_halves("5x2cv-t", resamples)[1].sum(axis=-1)
).state(
    "the differences vary between the halves of a replicate",
    "both halves of every replicate have the same difference",
    "Use method='corrected-resampled-t', which also uses the spread between replicates.",
    title="constant differences",
    so="p is 1",
)
NUMERATOR_AGREES_WITH_MEAN = at_least("TA441", 0, _sign_of_numerator_times_mean).state(
    "the difference in the numerator and the mean difference have the same sign",
    "the difference in the numerator and the mean difference have opposite signs",
    "Use method='corrected-resampled-t', which tests the mean.",
    title="opposite signs",
    so="the result depends on the choice of the numerator",
)
JOINT_ERRORS_KNOWN = is_true("TA442", lambda resamples, _: resamples.together is not None).state(
    "it is known which examples both learners got wrong",
    "only the scores are known, not which examples both learners got wrong",
    "Compare the predictions: race(...) keeps them.",
    title="unknown joint errors",
    so="the interval is the whole range",
)
EQUAL_NUMBERS_OF_RUNS = at_most(
    "TA443", 0, lambda resamples, _: np.ptp(_count_runs_by_learner(resamples), axis=-1)
).state(
    "both learners have equally many runs",
    "the numbers of runs differ by {size}",
    "Use method='welch'.",
    title="unequal runs",
    so="with unequal variances the test may reject far too often",
)

# --- The error of one learner -------------------------------------------------------------------------------


def _tested_on_others(resamples: Any) -> Any:
    """Return the resamples that were tested on other examples than they were trained on, or None."""
    if resamples.plan.kind != "apparent":
        return resamples.parts.get("out-of-bag", resamples)
    return next((tested for tested in resamples.parts.values() if tested.plan.kind != "apparent"), None)


def _apparent_excess(resamples: Any, _: Context) -> Numbers:
    """Return how many percentage points the apparent error exceeds that of other examples by; 0 if there is none."""
    apparent, tested = find_apparent(resamples), _tested_on_others(resamples)
    if apparent is None or tested is None:
        return 0.0
    return 100 * (apparent.pooled - tested.pooled)


def _apparent_error(resamples: Any, _: Context) -> Numbers:
    apparent = find_apparent(resamples)
    return 1.0 if apparent is None else apparent.pooled


def _bootstrap_samples(resamples: Any) -> Any:
    return find_bootstrap(resamples) or resamples


def _range_of_losses(resamples: Any) -> Numbers:
    """Return the range of the losses over replicates and folds; 0 if it is rounding."""
    return np.where(moments(resamples).deviation > 0, np.ptp(resamples.values, axis=_ALL_TEST_SETS), 0.0)


def _pooled_variance(resamples: Any, _: Context) -> Numbers:
    """Return the variance of all losses; if only rates are known, that of right and wrong."""
    mean, size = resamples.pooled, scale(resamples) ** 2
    if resamples.together is None:
        return without_rounding(mean * (1 - mean), size)
    return without_rounding(resamples.squares.sum(axis=_ALL_TEST_SETS) / resamples.test.sum() - mean**2, size)


def _largest_difference_of_halves(resamples: Any, _: Context) -> Numbers:
    halves = resamples.part("halves").values
    differences = np.abs(halves[..., 0] - halves[..., 1]).max(axis=-1)
    return np.where(error_of_halves(resamples) > 0, differences, 0.0)


def _number_of_folds(resamples: Any, _: Context) -> Numbers:
    """Return into how many folds the examples are divided: for leave-one-out*, by its 2-fold cross-validation."""
    has_halves = resamples.plan.kind == "loo-star" and "2-fold*100" in resamples.parts
    return (resamples.parts["2-fold*100"] if has_halves else resamples).loss.shape[-1]


def _suggest_honest_estimate(resamples: Any) -> str:
    """Return an estimate from examples that were not trained on, as an option; "" if the design has none."""
    if resamples.plan.kind in {"k-fold", "nested"}:
        return "method='kfold'"
    if resamples.plan.kind == "bootstrap":
        return _suggest_632plus(resamples)
    return "method='loo'" if resamples.plan.kind == "loo-star" else ""


def _suggest_632plus(resamples: Any) -> str:
    samples = _bootstrap_samples(resamples)
    complete = find_apparent(samples) is not None and "no-information" in samples.parts
    return "method='632plus'" if complete else "method='oob'"


HELD_OUT = is_true("TA420", lambda *_: False, reference="mitchell1997").state(
    "no example was tested that the classifier was trained on",
    "every tested example was trained on (Mitchell 1997)",
    _use(_suggest_honest_estimate, "Use 10-fold cross-validation (plan='10-fold')."),
    title="tested on training data",
    so="the error is biased, as a rule far too low",
)
NO_OPTIMISM = at_least("TA421", 0, _apparent_excess, reference="mitchell1997").state(
    "the apparent error is not below that of examples that were not trained on{figure: (by # pp)}",
    "the apparent error is {size} pp below that of examples that were not trained on",
    _use(_suggest_honest_estimate, "Estimate the error from examples that were not trained on."),
    title="optimistic error",
    so="it is too low",
)
ENOUGH_NESTED_REPLICATES = at_least(
    "TA422", 200, lambda resamples, _: resamples.values.shape[-2], reference="bates2024"
).state(
    "{figure} replicates of nested cross-validation{figure: ≥ 200}",
    "{figure} replicates of nested cross-validation, fewer than 200 (Bates et al. 2024)",
    _use(
        _suggest_corrected_t,
        "Use 200 replicates of nested 10-fold cross-validation (plan='nested 200x10'), 11,000 fits of a learner.",
        also="plan='nested 200x10' (11,000 fits of a learner), or ",
    ),
    title="few replicates",
    so="the interval depends on how the examples were split",
)
ENOUGH_BOOTSTRAP_SAMPLES = at_least(
    "TA423", 50, lambda resamples, _: _bootstrap_samples(resamples).runs, reference="efron1997"
).state(
    "{figure} bootstrap samples{figure: ≥ 50}",
    "{figure} bootstrap samples, fewer than 50 (Efron & Tibshirani 1997)",
    "Use 200 bootstrap samples (plan='632*200'), or 10-fold cross-validation.",
    title="few bootstrap samples",
    so="another draw may give another estimate",
)
SETS_DIFFER = varies("TA424", lambda resamples, _: _range_of_losses(resamples)).state(
    "the loss varies between test sets{figure:, by up to #}",
    "the loss is the same on every test set",
    _ERRORS_OF_ONE_SET,
    title="constant loss",
    so=_SAME_LOSS,
)
LOSSES_DIFFER = varies("TA425", _pooled_variance).state(
    "the loss varies between examples{figure: (variance #)}",
    "the loss is the same for every example",
    _ERRORS_OF_MORE_EXAMPLES,
    title="constant loss",
    so=_SAME_LOSS,
)
HALVES_DIFFER = varies("TA426", _largest_difference_of_halves).state(
    "the losses of the two halves differ{figure:, by up to #}",
    "both halves have the same loss in every replicate",
    _ERRORS_OF_ONE_SET,
    title="constant loss",
    so=_SAME_LOSS,
)
ENOUGH_TEST_EXAMPLES = at_least(
    "TA427", 30, lambda resamples, _: resamples.test.sum(axis=-1).min(), reference="mitchell1997"
).state(
    "{figure} examples{figure: ≥ 30} (Mitchell 1997)",
    "{figure} examples, fewer than 30 (Mitchell 1997)",
    _use(_suggest_corrected_t, _TEST_MORE, why=", which uses the t distribution"),
    title="few examples",
    so="the normal approximation is unreliable",
)
MORE_THAN_TWO_FOLDS = above("TA428", 2, _number_of_folds, reference="martin1996").state(
    "{figure} folds{figure: > 2}",
    "{figure} folds, fewer than 3 (Martin & Hirschberg 1996)",
    "Use 10 repeats of 10-fold cross-validation (plan='10x10').",
    title="2 folds",
    so="learners trained on half of the examples look worse than they are",
)
NOT_MEMORISED = above("TA429", 0, _apparent_error, reference="martin1996").state(
    "the apparent error{figure:, #,} is not 0",
    "the apparent error is 0 (Martin & Hirschberg 1996)",
    _use(_suggest_632plus, ""),
    title="apparent error of 0",
    so="the .632 estimate is too low",
)
FLAT_ERROR_CURVE = at_least("TA435", 0, _margin_of_learning_curve).state(
    "the error hardly depends on the size of the training set, as far as a learning curve was run",
    "the error changes by {size} more than half the width of the interval between training set sizes",
    _train_on_more,
    title="steep learning curve",
    so="it may be lower after training on all examples",
)
SAMPLES_DIFFER = varies("TA436", lambda resamples, _: _range_of_losses(_bootstrap_samples(resamples))).state(
    "the loss varies between bootstrap samples{figure:, by up to #}",
    "the loss is the same for every bootstrap sample",
    _ERRORS_OF_MORE_EXAMPLES,
    title="constant loss",
    so=_SAME_LOSS,
)
