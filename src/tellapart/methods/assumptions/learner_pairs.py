"""What comparisons of two learners by a plan of splits assume: TA400 to TA419, and TA440 to TA443."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...typing_ import Numbers
from .base import Assumption, Given

_BOTH = (-2, -1)  # replicate and fold


def _deviation(resamples: Any, _: Given) -> Numbers:
    from ..resamples.moments import moments

    return moments(resamples).deviation


SPREAD_OF_DIFFERENCES = Assumption(
    code="TA401",
    needs="the differences vary between test sets",
    broken="the differences are all the same, so nothing shows how far they can be trusted: p is 1, the interval is"
    " everything, and a posterior sits on the mean",
    otherwise="method='mcnemar-on-cv' looks at the examples, where predictions were kept",
    figure=_deviation,
    threshold=0,
    strict=True,
)


def _deviation_over_seeds(resamples: Any, _: Given) -> Numbers:
    from ..resamples.t_tests import of_each

    return of_each("welch", resamples)[1].max(axis=-1)


SEEDS_HAVE_SPREAD = Assumption(
    code="TA402",
    needs="the runs of one learner differ",
    broken="all runs of a learner came out the same, so nothing shows how far they can be trusted: p is 1, and the"
    " interval is everything",
    otherwise="where the seed changes nothing, compare predictions: method='mcnemar-mid-p' on one run of each",
    figure=_deviation_over_seeds,
    threshold=0,
    strict=True,
)


def _smallest_test_set(resamples: Any, _: Given) -> Numbers:
    """Return the size of the smallest test set; what is not known is not held against anybody."""
    smallest = np.min(resamples.test)
    return smallest if smallest >= 1 else 30.0


LARGE_TEST_SETS = Assumption(
    code="TA403",
    needs="every test set holds 30 examples or more (Dietterich)",
    broken="a test set holds only {figure} examples (< 30): an error rate over so few is far from normal (Dietterich)",
    otherwise="fewer folds have larger test sets, or method='mcnemar-on-cv' counts examples instead",
    figure=_smallest_test_set,
    threshold=30,
    source="dietterich1998",
)


def _is(*kinds: str) -> Any:
    return lambda resamples, _: float(resamples.plan.kind in kinds)


INDEPENDENT_SAMPLES = Assumption(
    code="TA404",
    needs="every test set belongs to a sample of its own",
    broken="the splits draw on the same examples, so their differences are not independent and the test claims too"
    " much",
    otherwise="method='corrected-resampled-t' allows for the overlap",
    figure=_is("independent"),
    threshold=1,
)


def _overlaps(resamples: Any, _: Given) -> Numbers:
    """Return how many test sets an example may be in, with a minus; that of random splits is not limited."""
    if resamples.plan.kind == "independent":
        return -1.0
    once = resamples.plan.kind in {"k-fold", "nested", "loo-star"}
    return -float(resamples.loss.shape[-2] if once else resamples.runs)


DISJOINT_TEST_SETS = Assumption(
    code="TA405",
    needs="no example is in two test sets",
    broken="an example may be in {size} test sets, so the differences are far from independent and more splits prove"
    " anything",
    otherwise="method='corrected-resampled-t' allows for the overlap",
    figure=_overlaps,
    threshold=-1,
)
UNPAIRED_RUNS = Assumption(
    code="TA406",
    needs="the runs of A and of B share nothing (plan 'seeds')",
    broken="A and B met the same splits, and this method does not use that: it misses differences (Martin and"
    " Hirschberg)",
    otherwise="method='corrected-resampled-t', or 'paired-t' for independent samples, compares them split by split",
    figure=_is("seeds"),
    threshold=1,
    source="martin1996",
)
FIVE_REPLICATES = Assumption(
    code="TA407",
    needs="there are five replicates (Dietterich)",
    broken="the number of replicates is {size} away from five: fewer or more raised the type I error (Dietterich)",
    otherwise="race by the plan '5x2', or method='corrected-repeated-kfold-t' takes any number",
    figure=lambda resamples, _: -abs(resamples.loss.shape[-2] - 5.0),
    threshold=0,
    source="dietterich1998",
)


def _swing(resamples: Any, _: Given) -> Numbers:
    """Return by how much a learner's loss swings over the splits, with a minus; 0 where losses have no range."""
    if not resamples.bounded:
        return 0.0
    return -(resamples.loss.max(axis=_BOTH) - resamples.loss.min(axis=_BOTH)).max(axis=-1)


NO_WILD_SWINGS = Assumption(
    code="TA408",
    needs="no learner's loss swings by more than 0.5 between test sets",
    broken="a learner's loss swings by {size} between test sets: wild swings have fooled this test (Dietterich)",
    otherwise="method='corrected-repeated-kfold-t' by the plan '10x10' trains on more examples",
    figure=_swing,
    threshold=-0.5,
    source="dietterich1998",
)


def _per_test_set(resamples: Any, _: Given) -> Numbers:
    """Return on how many examples of a test set A and B disagree, on average; 10 where this is not known.

    The squared differences of another loss than right and wrong count nothing.
    """
    counted = resamples.together is not None and resamples.metric.name == "error"
    return resamples.squares.mean(axis=_BOTH) if counted else 10.0


DISAGREEMENTS_PER_TEST_SET = Assumption(
    code="TA409",
    needs="the learners disagree on 10 examples or more of a test set, on average (Yang)",
    broken="the learners disagree on {figure} examples of a test set, on average: below 10 a normal interval for the"
    " difference is not to be trusted (Yang)",
    otherwise="larger test sets would help, or method='corrected-resampled-t' needs no such number",
    figure=_per_test_set,
    threshold=10,
    source="yang2006",
)


def _smallest_pvalue(resamples: Any, given: Given) -> Numbers:
    """Return the mid-p value if all disagreements of all test sets went one way; 0 where they are not known."""
    if resamples.together is None:
        return 0.0
    sides = 2 if given.alternative == "two-sided" else 1
    return np.minimum(sides * 0.5 * np.exp2(-np.minimum(resamples.squares.sum(axis=_BOTH), 1000.0)), 1)


POOLED_DISAGREEMENTS = Assumption(
    code="TA410",
    needs="the smallest p-value that so many disagreements can give, {size}, is below alpha",
    rule="the smallest p-value that so many disagreements can give is below alpha",
    broken="no outcome at so few disagreements could reach alpha: the smallest possible p-value is {size}",
    otherwise="more examples are needed, or method='corrected-repeated-kfold-t' judges by the splits",
    figure=lambda resamples, given: -_smallest_pvalue(resamples, given),
    threshold=lambda given: -given.alpha,
    strict=True,
)
NOT_CHOSEN = Assumption(
    code="TA411",
    needs="the learners were not chosen by these very scores",
    broken="the learners are candidates out of {size}, and whoever was chosen by these very scores looks better than"
    " it is (winner's optimism)",
    otherwise="score the chosen one on fresh examples, or race the whole search (a GridSearchCV is a learner like any"
    " other) and take method='corrected-repeated-kfold-t'",
    figure=lambda resamples, _: -float(resamples.chosen_from),
    threshold=-1,
)


def _pooled_size(resamples: Any, _: Given) -> Numbers:
    tested = np.sum(resamples.test, axis=-1).min()
    return tested if np.min(resamples.test) >= 1 else 500.0


MANY_EXAMPLES = Assumption(
    code="TA412",
    needs="500 examples or more are tested in every replicate",
    broken="only {figure} examples are tested in a replicate (< 500), too few for a central limit theorem that"
    " supposes a stable learner",
    otherwise="method='corrected-resampled-t', or 'corrected-t-interval' of one learner, allows for the spread between"
    " training sets",
    figure=_pooled_size,
    threshold=500,
)


def _room_on_the_curve(resamples: Any, given: Given) -> Numbers:
    """Return by how much the value's move from the largest smaller training set stays below half the interval."""
    shares = {}
    for name in resamples.parts:
        head, _, share = name.partition("train x ")
        if not head and share:
            shares[float(share)] = name
    if not shares:
        return 0.0  # no curve was run: nothing to hold against anybody
    here, before = (held.values.mean(axis=_BOTH) for held in (resamples, resamples.parts[shares[max(shares)]]))
    interval = given.interval
    # A bound has one limit: how far it is from the centre stands for half the width.
    reach = {"two": interval.width / 2, "upper": interval.high - here, "lower": here - interval.low}[interval.side]
    return reach - np.abs(here - before)


SMOOTH_LEARNING_CURVE = Assumption(
    code="TA413",
    needs="the difference hardly depends on the size of the training set, as far as a learning curve was run",
    broken="from the next smaller training set on, the difference moves by more than the interval reaches to either"
    " side (by {size} more): what holds at this size may not hold at the next",
    otherwise="a plan that trains on more examples ('10x10' with method='corrected-repeated-kfold-t') comes closer to"
    " the size in question",
    figure=_room_on_the_curve,
    threshold=0,
)
ENOUGH_RUNS = Assumption(
    code="TA414",
    needs="each learner has 5 runs or more",
    broken="a learner has only {figure} runs: below 5 hardly any difference can be seen, and resampling them is too"
    " sure of itself",
    otherwise="more seeds would help; method='welch' at least allows for their number",
    figure=lambda resamples, _: np.isfinite(resamples.loss).sum(axis=_BOTH).min(axis=-1),
    threshold=5,
)
CALIBRATED_SIZE = Assumption(
    code="TA415",
    needs="there are 30 examples or more (Martin and Hirschberg)",
    broken="there are only {figure} examples: below 30 the factor does not fit even the data it was fitted to (Martin"
    " and Hirschberg)",
    otherwise="method='corrected-repeated-kfold-t' needs no such factor",
    figure=lambda resamples, _: float(resamples.examples or 30),
    threshold=30,
    source="martin1996",
)
CALIBRATED_FOR_HALVES = Assumption(
    code="TA416",
    needs="the plan is an iterated 2-fold cross-validation",
    broken="the factor was fitted to two folds, and here are {size} more",
    otherwise="method='corrected-repeated-kfold-t' takes any number of folds",
    figure=lambda resamples, _: 2.0 - resamples.loss.shape[-1],
    threshold=0,
    source="martin1996",
)


def _bounds_agree(resamples: Any, given: Given) -> Numbers:
    from ..resamples.heuristics import iterated_cv_bounds

    upper, lower = (
        iterated_cv_bounds(resamples, alternative=given.alternative, bound=bound).pvalue < given.alpha
        for bound in ("upper", "lower")
    )
    return (upper == lower).astype(float)


BOUNDS_AGREE = Assumption(
    code="TA417",
    needs="both bounds of the standard error decide alike",
    broken="the two bounds of the standard error decide differently, and nobody knows where between them it lies",
    otherwise="method='corrected-repeated-kfold-t' estimates it",
    figure=_bounds_agree,
    threshold=1,
)


def _variance_inside(resamples: Any, _: Given) -> Numbers:
    from ..resamples.splittings import within_test_sets

    return within_test_sets(resamples).max(axis=_BOTH)


def _error_of_pooled_losses(resamples: Any, _: Given) -> Numbers:
    from ..resamples.pooled import of_pooled_losses

    return of_pooled_losses(resamples)[1]


EXAMPLES_HAVE_SPREAD = Assumption(
    code="TA418",
    needs="the values vary between examples",
    broken="the values are the same for every example, so nothing shows how far they can be trusted: p is 1, and the"
    " interval is everything",
    otherwise="method='mcnemar-on-cv' and its interval stay honest where nobody disagrees",
    figure=_error_of_pooled_losses,
    threshold=0,
    strict=True,
)
SPREAD_INSIDE_TEST_SETS = replace(
    EXAMPLES_HAVE_SPREAD,
    code="TA440",
    needs="the values vary between the examples of a test set",
    broken="the values are the same for every example of a test set, so nothing shows how far they can be trusted: p is"
    " 1, and the interval is everything",
    figure=_variance_inside,
)


def _variance_of_halves(resamples: Any, _: Given) -> Numbers:
    from ..resamples.five_by_two import halves

    return halves("5x2cv-t", resamples)[1].sum(axis=-1)


HALVES_HAVE_SPREAD = Assumption(
    code="TA419",
    needs="the differences vary between the halves of a replicate",
    broken="both halves of every replicate show the same difference, so nothing shows how far it can be trusted: p is"
    " 1",
    otherwise="method='corrected-resampled-t' looks at the spread between replicates, too",
    figure=_variance_of_halves,
    threshold=0,
    strict=True,
)
CHOOSES_ONLY = Assumption(
    code="TA400",
    needs="the method says how sure it is",
    broken="this rule chooses and has no p-value: how often it chooses wrongly is not known",
    otherwise="method='corrected-resampled-t' has one, 'mean-se-w' where predictions were kept",
    figure=lambda *_: 0.0,
    threshold=1,
)


def _agreement(resamples: Any, given: Given) -> Numbers:
    """Return −1 where whoever the test speaks for does worse on average, 1 where better, 0 where nobody does."""
    from ..resamples.moments import moments

    # Without a word from the test the first difference is on top, as it is unless another was asked for.
    top = resamples.values[..., 0, 0] if given.chooses is None else given.chooses
    return np.sign(top) * np.sign(moments(resamples).mean)


TOP_AGREES_WITH_MEAN = Assumption(
    code="TA441",
    needs="the difference on top and the mean of all speak for the same learner",
    broken="the difference on top speaks for one learner and the mean of all for the other: whom this test favours is a"
    " matter of which difference stands on top",
    otherwise="method='corrected-resampled-t' judges the mean of all",
    figure=_agreement,
    threshold=0,
)
JOINT_ERRORS_KNOWN = Assumption(
    code="TA442",
    needs="it is known which examples both learners got wrong",
    broken="only the scores of one split are known, and not which examples both got wrong: the interval is everything",
    otherwise="race(...) keeps the predictions, for which the interval is that of 'mcnemar-on-cv'",
    figure=lambda resamples, _: float(resamples.together is not None),
    threshold=1,
)
AS_MANY_RUNS = Assumption(
    code="TA443",
    needs="both learners have as many runs",
    broken="one learner has {size} runs more than the other: with unequal numbers one pooled variance misleads, by far"
    " if the learner of fewer runs varies more",
    otherwise="method='welch' needs neither equal numbers nor equal variances",
    figure=lambda resamples, _: -np.ptp(np.isfinite(resamples.loss).sum(axis=(-2, -1)), axis=-1),
    threshold=0,
)
