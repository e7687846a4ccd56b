"""What comparisons and estimates of learners by a plan of splits assume: TA400 to TA429, TA435, TA436, and TA440 on."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numerics.rounding import without_rounding
from ...typing_ import Numbers
from ..assumptions import Context, Figure, above, at_least, at_most, can_reject, is_true, smallest_pvalue, varies
from ..loss_scale import scale
from .moments import error_of_halves, moments, moments_of_each, moments_of_halves, pooled_moments, variance_within
from .required_plans import KFOLD, find_apparent, find_bootstrap

_BOTH = (-2, -1)  # replicate and fold


# --- The difference of two learners -----------------------------------------------------------------


def _by_plan(kind: str) -> Figure:
    """Return whether the plan is of this kind."""
    return lambda resamples, _: resamples.plan.kind == kind


def _smallest_test_set(resamples: Any, _: Context) -> Numbers:
    """Return the size of the smallest test set; 30, which is enough, where no size is known."""
    smallest = np.min(resamples.test)
    return smallest if smallest >= 1 else 30.0


def _times_tested(resamples: Any, _: Context) -> Numbers:
    """Return how many test sets an example may be in; that of random splits is not limited."""
    if resamples.plan.kind == "independent":
        return 1
    return resamples.loss.shape[-2] if resamples.plan.kind in KFOLD else resamples.runs


def _largest_swing(resamples: Any, _: Context) -> Numbers:
    """Return by how much a learner's loss swings over the splits; 0 where losses have no range."""
    return np.ptp(resamples.loss, axis=_BOTH).max(axis=-1) if resamples.bounded else 0.0


def _disagreements_per_test_set(resamples: Any, _: Context) -> Numbers:
    """Return on how many examples of a test set A and B disagree, on average; 10 where this is not known.

    The squared differences of another loss than right and wrong count nothing.
    """
    counted = resamples.together is not None and resamples.metric.name == "error"
    return resamples.squares.mean(axis=_BOTH) if counted else 10.0


def _smallest_pooled_pvalue(resamples: Any, context: Context) -> Numbers:
    """Return the mid-p value if all disagreements of all test sets went one way; 0 where they are not known."""
    if resamples.together is None:
        return 0.0
    return smallest_pvalue(resamples.squares.sum(axis=_BOTH), context.alternative, 0.5)


def _examples_per_replicate(resamples: Any, _: Context) -> Numbers:
    """Return how many examples are tested in a replicate; 500, which is enough, where no size is known."""
    return np.sum(resamples.test, axis=-1).min() if np.min(resamples.test) >= 1 else 500.0


def _room_on_the_curve(resamples: Any, context: Context) -> Numbers:
    """Return by how much the value's move from the largest smaller training set stays below half the interval."""
    smaller = {float(name[8:]): part for name, part in resamples.parts.items() if name.startswith("train x ")}
    if not smaller:
        return 0.0  # no curve was run
    here, before = (part.values.mean(axis=_BOTH) for part in (resamples, smaller[max(smaller)]))
    interval = context.interval
    # A bound has one limit: how far it is from the centre stands for half the width.
    reach = {"two": interval.width / 2, "upper": interval.high - here, "lower": here - interval.low}[interval.side]
    return reach - np.abs(here - before)


def _runs_by_learner(resamples: Any) -> Any:
    return np.isfinite(resamples.loss).sum(axis=_BOTH)


def _bounds_agree(resamples: Any, context: Context) -> Numbers:
    from .heuristics import iterated_cv_bounds

    upper, lower = (
        iterated_cv_bounds(resamples, bound=bound).test(0.0, context.alternative).pvalue < context.alpha
        for bound in ("upper", "lower")
    )
    return upper == lower


def _top_times_mean(resamples: Any, context: Context) -> Numbers:
    """Return −1 where whoever the test speaks for does worse on average, 1 where better, 0 where nobody does."""
    # Without a word from the test the first difference is on top, as it is unless another was asked for.
    top = resamples.values[..., 0, 0] if context.chooses is None else context.chooses
    return np.sign(top) * np.sign(moments(resamples).mean)


_NOT_NOTICED = "method='mcnemar-on-cv' and its interval stay honest where nobody disagrees"

CHOOSES_ONLY = is_true("TA400", lambda *_: False).state(
    "the method says how sure it is",
    "this rule chooses and has no p-value: how often it chooses wrongly is not known",
    "method='corrected-resampled-t' has one, 'mean-se-w' where predictions were kept",
)
SPREAD_OF_DIFFERENCES = varies("TA401", lambda resamples, _: moments(resamples).deviation).state(
    "the differences vary between test sets",
    "the differences are all the same, so nothing shows how far they can be trusted: p is 1, the interval is"
    " everything, and a posterior sits on the mean",
    "method='mcnemar-on-cv' looks at the examples, where predictions were kept",
)
SEEDS_HAVE_SPREAD = varies("TA402", lambda resamples, _: moments_of_each("welch", resamples)[1].max(axis=-1)).state(
    "the runs of one learner differ",
    "all runs of a learner came out the same, so nothing shows how far they can be trusted: p is 1, and the interval"
    " is everything",
    "where the seed changes nothing, compare predictions: method='mcnemar-mid-p' on one run of each",
)
LARGE_TEST_SETS = at_least("TA403", 30, _smallest_test_set, reference="dietterich1998").state(
    "every test set holds 30 examples or more (Dietterich)",
    "a test set holds only {figure} examples (< 30): an error rate over so few is far from normal (Dietterich)",
    "fewer folds have larger test sets, or method='mcnemar-on-cv' counts examples instead",
)
INDEPENDENT_SAMPLES = is_true("TA404", _by_plan("independent")).state(
    "every test set belongs to a sample of its own",
    "the splits draw on the same examples, so their differences are not independent and the test claims too much",
    "method='corrected-resampled-t' allows for the overlap",
)
DISJOINT_TEST_SETS = at_most("TA405", 1, _times_tested).state(
    "no example is in two test sets",
    "an example may be in {size} test sets, so the differences are far from independent and more splits prove anything",
    "method='corrected-resampled-t' allows for the overlap",
)
UNPAIRED_RUNS = is_true("TA406", _by_plan("seeds"), reference="martin1996").state(
    "the runs of A and of B share nothing (plan 'seeds')",
    "A and B met the same splits, and this method does not use that: it misses differences (Martin and Hirschberg)",
    "method='corrected-resampled-t', or 'paired-t' for independent samples, compares them split by split",
)
FIVE_REPLICATES = at_most(
    "TA407", 0, lambda resamples, _: abs(resamples.loss.shape[-2] - 5), reference="dietterich1998"
).state(
    "there are five replicates (Dietterich)",
    "the number of replicates is {size} away from five: fewer or more raised the type I error (Dietterich)",
    "race by the plan '5x2', or method='corrected-repeated-kfold-t' takes any number",
)
NO_WILD_SWINGS = at_most("TA408", 0.5, _largest_swing, reference="dietterich1998").state(
    "no learner's loss swings by more than 0.5 between test sets",
    "a learner's loss swings by {size} between test sets: wild swings have fooled this test (Dietterich)",
    "method='corrected-repeated-kfold-t' by the plan '10x10' trains on more examples",
)
DISAGREEMENTS_PER_TEST_SET = at_least("TA409", 10, _disagreements_per_test_set, reference="yang2006").state(
    "the learners disagree on 10 examples or more of a test set, on average (Yang)",
    "the learners disagree on {figure} examples of a test set, on average: below 10 a normal interval for the"
    " difference is not to be trusted (Yang)",
    "larger test sets would help, or method='corrected-resampled-t' needs no such number",
)
POOLED_DISAGREEMENTS = can_reject(
    "TA410",
    _smallest_pooled_pvalue,
    "discordant pairs",
    "Use method='corrected-repeated-kfold-t', which compares the splits, or test more examples.",
)
NOT_CHOSEN = at_most("TA411", 1, lambda resamples, _: resamples.chosen_from).state(
    "the learners were not chosen by these very scores",
    "the learners are candidates out of {size}, and whoever was chosen by these very scores looks better than it is"
    " (winner's optimism)",
    "score the chosen one on fresh examples, or race the whole search (a GridSearchCV is a learner like any other) and"
    " take method='corrected-repeated-kfold-t'",
)
MANY_EXAMPLES = at_least("TA412", 500, _examples_per_replicate).state(
    "500 examples or more are tested in every replicate",
    "only {figure} examples are tested in a replicate (< 500), too few for a central limit theorem that supposes a"
    " stable learner",
    "method='corrected-resampled-t', or 'corrected-t-interval' of one learner, allows for the spread between training"
    " sets",
)
SMOOTH_LEARNING_CURVE = at_least("TA413", 0, _room_on_the_curve).state(
    "the difference hardly depends on the size of the training set, as far as a learning curve was run",
    "from the next smaller training set on, the difference moves by more than the interval reaches to either side (by"
    " {size} more): what holds at this size may not hold at the next",
    "a plan that trains on more examples ('10x10' with method='corrected-repeated-kfold-t') comes closer to the size"
    " in question",
)
# On every comparison of learners that were trained anew on each split of the same examples.
TRAINED_ON_SPLITS = (LARGE_TEST_SETS, SMOOTH_LEARNING_CURVE, NOT_CHOSEN)
ENOUGH_RUNS = at_least("TA414", 5, lambda resamples, _: _runs_by_learner(resamples).min(axis=-1)).state(
    "each learner has 5 runs or more",
    "a learner has only {figure} runs: below 5 hardly any difference can be seen, and resampling them is too sure of"
    " itself",
    "more seeds would help; method='welch' at least allows for their number",
)
CALIBRATED_SIZE = at_least("TA415", 30, lambda resamples, _: resamples.examples or 30, reference="martin1996").state(
    "there are 30 examples or more (Martin and Hirschberg)",
    "there are only {figure} examples: below 30 the factor does not fit even the data it was fitted to (Martin and"
    " Hirschberg)",
    "method='corrected-repeated-kfold-t' needs no such factor",
)
CALIBRATED_FOR_HALVES = at_most(
    "TA416", 0, lambda resamples, _: resamples.loss.shape[-1] - 2, reference="martin1996"
).state(
    "the plan is an iterated 2-fold cross-validation",
    "the factor was fitted to two folds, and here are {size} more",
    "method='corrected-repeated-kfold-t' takes any number of folds",
)
BOUNDS_AGREE = is_true("TA417", _bounds_agree).state(
    "both bounds of the standard error decide alike",
    "the two bounds of the standard error decide differently, and nobody knows where between them it lies",
    "method='corrected-repeated-kfold-t' estimates it",
)
EXAMPLES_HAVE_SPREAD = varies("TA418", lambda resamples, _: pooled_moments(resamples)[1]).state(
    "the values vary between examples",
    "the values are the same for every example, so nothing shows how far they can be trusted: p is 1, and the interval"
    " is everything",
    _NOT_NOTICED,
)
SPREAD_INSIDE_TEST_SETS = varies("TA440", lambda resamples, _: variance_within(resamples).max(axis=_BOTH)).state(
    "the values vary between the examples of a test set",
    "the values are the same for every example of a test set, so nothing shows how far they can be trusted: p is 1,"
    " and the interval is everything",
    _NOT_NOTICED,
)
HALVES_HAVE_SPREAD = varies(
    "TA419", lambda resamples, _: moments_of_halves("5x2cv-t", resamples)[1].sum(axis=-1)
).state(
    "the differences vary between the halves of a replicate",
    "both halves of every replicate show the same difference, so nothing shows how far it can be trusted: p is 1",
    "method='corrected-resampled-t' looks at the spread between replicates, too",
)
TOP_AGREES_WITH_MEAN = at_least("TA441", 0, _top_times_mean).state(
    "the difference on top and the mean of all speak for the same learner",
    "the difference on top speaks for one learner and the mean of all for the other: whom this test favours is a"
    " matter of which difference stands on top",
    "method='corrected-resampled-t' judges the mean of all",
)
JOINT_ERRORS_KNOWN = is_true("TA442", lambda resamples, _: resamples.together is not None).state(
    "it is known which examples both learners got wrong",
    "only the scores of one split are known, and not which examples both got wrong: the interval is everything",
    "race(...) keeps the predictions, for which the interval is that of 'mcnemar-on-cv'",
)
AS_MANY_RUNS = at_most("TA443", 0, lambda resamples, _: np.ptp(_runs_by_learner(resamples), axis=-1)).state(
    "both learners have as many runs",
    "one learner has {size} runs more than the other: with unequal numbers one pooled variance misleads, by far if the"
    " learner of fewer runs varies more",
    "method='welch' needs neither equal numbers nor equal variances",
)

# --- The error of one learner -------------------------------------------------------------------------------


def _tested_part(resamples: Any) -> Any:
    """Return the resamples that were tested on other examples than they were trained on, or None."""
    if resamples.plan.kind != "apparent":
        return resamples.parts.get("out-of-bag", resamples)
    return next((part for part in resamples.parts.values() if part.plan.kind != "apparent"), None)


def _apparent_excess(resamples: Any, _: Context) -> Numbers:
    """Return by how many points the apparent error exceeds that of examples held out; 0 where none were."""
    apparent, tested = find_apparent(resamples), _tested_part(resamples)
    if apparent is None or tested is None:
        return 0.0
    return 100 * (apparent.pooled - tested.pooled)


def _apparent_error(resamples: Any, _: Context) -> Numbers:
    apparent = find_apparent(resamples)
    return 1.0 if apparent is None else apparent.pooled


def _bootstrap_part(resamples: Any) -> Any:
    return find_bootstrap(resamples) or resamples


def _spread_of_losses(resamples: Any) -> Numbers:
    """Return the largest less the smallest by replicate and fold; 0 for what the methods take for rounding."""
    return np.where(moments(resamples).deviation > 0, np.ptp(resamples.values, axis=_BOTH), 0.0)


def _pooled_variance(resamples: Any, _: Context) -> Numbers:
    """Return the variance of all losses; where only rates are known, that of right and wrong."""
    mean, size = resamples.pooled, scale(resamples) ** 2
    if resamples.together is None:
        return without_rounding(mean * (1 - mean), size)
    return without_rounding(resamples.squares.sum(axis=_BOTH) / resamples.test.sum() - mean**2, size)


def _spread_of_halves(resamples: Any, _: Context) -> Numbers:
    halves = resamples.part("halves").values
    differences = np.abs(halves[..., 0] - halves[..., 1]).max(axis=-1)
    return np.where(error_of_halves(resamples) > 0, differences, 0.0)


def _number_of_folds(resamples: Any, _: Context) -> Numbers:
    """Return into how many folds the examples are cut; leave-one-out* has a cross-validation beside it."""
    beside = resamples.plan.kind == "loo-star" and "2-fold*100" in resamples.parts
    return (resamples.parts["2-fold*100"] if beside else resamples).loss.shape[-1]


_LARGER_TEST_SETS = (
    "a plan with larger or more test sets ('10x10') would tell more; method='holdout' counts errors instead"
)

HELD_OUT = is_true("TA420", lambda *_: False, reference="mitchell1997").state(
    "no example was tested that the classifier was trained on",
    "every example tested was trained on, so that this error is biased, as a rule far too low (Mitchell)",
    "method='kfold' tests every example once, and never one that was trained on",
)
NO_OPTIMISM = at_least("TA421", 0, _apparent_excess, reference="mitchell1997").state(
    "as far as examples were held out, the apparent error is not below theirs{figure: (by # points)}",
    "the examples that were held out tell of an error {size} points above the apparent one: its optimism",
    "method='632plus' makes up for it where the plan is '632', method='kfold' where it is '10-fold' (of several plans,"
    " the first)",
)
ENOUGH_NESTED_REPLICATES = at_least(
    "TA422", 200, lambda resamples, _: resamples.values.shape[-2], reference="bates2024"
).state(
    "{figure} replicates of the nested cross-validation{figure: ≥ 200}",
    "{figure} replicates of the nested cross-validation < 200: the width still depends on how examples were split"
    " (Bates and others)",
    "race by the plan 'nested 200x10', which are 11 000 fits of a learner; 'corrected-resampled-t' for two learners,"
    " and 'corrected-t-interval' for one, are less of a lottery",
)
ENOUGH_BOOTSTRAP_SAMPLES = at_least(
    "TA423", 50, lambda resamples, _: _bootstrap_part(resamples).runs, reference="efron1997"
).state(
    "{figure} bootstrap samples{figure: ≥ 50}",
    "{figure} bootstrap samples < 50: another draw of them would tell of another error (Efron and Tibshirani)",
    "race by the plan '632*200', or use method='kfold'",
)
SETS_DIFFER = varies("TA424", lambda resamples, _: _spread_of_losses(resamples)).state(
    "the loss differs between test sets{figure:, by up to #}",
    "the loss is the same on every test set, which leaves nothing to judge its error by: the interval is the whole"
    " range",
    _LARGER_TEST_SETS,
)
LOSSES_DIFFER = varies("TA425", _pooled_variance).state(
    "the examples' losses differ{figure: (their variance is #)}",
    "every example has the same loss, which leaves nothing to judge its error by: the interval is the whole range",
    "method='holdout' counts errors instead, and stays honest where there are none",
)
HALVES_DIFFER = varies("TA426", _spread_of_halves).state(
    "the halves' losses differ{figure:, by up to #}",
    "both halves have the same loss every time, which leaves nothing to judge it by: the interval is the whole range",
    "more examples would tell more; method='holdout' counts errors and stays honest where there are none",
)
ENOUGH_TEST_EXAMPLES = at_least(
    "TA427", 30, lambda resamples, _: resamples.test.sum(axis=-1).min(), reference="mitchell1997"
).state(
    "{figure} examples{figure: ≥ 30} (Mitchell)",
    "{figure} examples < 30: too few for the normal approximation (Mitchell)",
    "method='corrected-t-interval' has Student's quantile in its place",
)
MORE_THAN_TWO_FOLDS = above("TA428", 2, _number_of_folds, reference="martin1996").state(
    "{figure} folds{figure: > 2}",
    "trained on halves, a learner looks worse than it is on all examples, and one more than another: 2-fold"
    " cross-validation is biased, however often it is repeated (Martin and Hirschberg)",
    "10 folds are recommended: race by the plan '10x10', method='repeated-kfold'",
)
NOT_MEMORISED = above("TA429", 0, _apparent_error, reference="martin1996").state(
    "the apparent error{figure:, #,} is not 0",
    "the apparent error is 0, as if the examples had been learnt by heart: for nearest neighbours .632 is biased, and"
    " not alike for all of them (Martin and Hirschberg)",
    "method='632plus' weighs that in, method='kfold' does without the apparent error",
)
SMOOTH_ERROR_CURVE = at_least("TA435", 0, _room_on_the_curve).state(
    "the error hardly depends on the size of the training set, as far as a learning curve was run",
    "from the next smaller training set on, the error moves by more than the interval reaches to either side (by"
    " {size} more): trained on all examples, the learner's error may well be another",
    "a plan that trains on more examples comes closer: method='loo' on all but one",
)
SAMPLES_DIFFER = varies("TA436", lambda resamples, _: _spread_of_losses(_bootstrap_part(resamples))).state(
    "the loss differs between what bootstrap samples left out{figure:, by up to #}",
    "the loss is the same whatever a bootstrap sample left out, which leaves nothing to judge its error by: the"
    " interval is the whole range",
    _LARGER_TEST_SETS,
)
