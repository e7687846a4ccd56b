"""What estimates of one learner's error assume, and what crossed training sets and test examples do: TA420 to TA436."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...numerics.rounding import without_rounding
from ...typing_ import Numbers
from ..loss_scale import scale
from .base import Assumption, Given
from .learner_pairs import SMOOTH_LEARNING_CURVE

_BOTH = (-2, -1)  # replicate and fold


def _samples(resamples: Any) -> Any:
    """Return the bootstrap samples, where the plan or one of its parts has some."""
    held = (resamples, *resamples.parts.values())
    return next((part for part in held if part.plan.kind == "bootstrap"), resamples)


def _apparent(resamples: Any) -> Any:
    """Return the resamples that were trained and tested on the same examples, or None."""
    if resamples.plan.kind == "apparent":
        return resamples
    return resamples.parts.get("apparent", _samples(resamples).parts.get("apparent"))


def _held_out(resamples: Any) -> Any:
    """Return the resamples that were tested on examples held out, or None."""
    if resamples.plan.kind != "apparent":
        return resamples.parts.get("out-of-bag", resamples)
    return next((part for part in resamples.parts.values() if part.plan.kind != "apparent"), None)


def _optimism(resamples: Any, _: Given) -> Numbers:
    """Return by how many points the apparent error exceeds that of examples held out; 0 where none were."""
    apparent, other = _apparent(resamples), _held_out(resamples)
    if apparent is None or other is None:
        return 0.0
    return 100 * (apparent.pooled - other.pooled)


HELD_OUT = Assumption(
    code="TA420",
    needs="no example was tested that the classifier was trained on",
    broken="every example tested was trained on, so that this error is biased, as a rule far too low (Mitchell)",
    otherwise="method='kfold' tests every example once, and never one that was trained on",
    figure=lambda *_: 0,
    threshold=1,
    source="mitchell1997",
)
NO_OPTIMISM = Assumption(
    code="TA421",
    needs="as far as examples were held out, the apparent error is not below theirs (by {figure} points)",
    rule="as far as examples were held out, the apparent error is not below theirs",
    broken="the examples that were held out tell of an error {size} points above the apparent one: its optimism",
    otherwise="method='632plus' makes up for it where the plan is '632', method='kfold' where it is '10-fold' (of"
    " several plans, the first)",
    figure=_optimism,
    threshold=0,
    source="mitchell1997",
)
ENOUGH_NESTED_REPLICATES = Assumption(
    code="TA422",
    needs="{figure} replicates of the nested cross-validation ≥ 200",
    rule="at least 200 replicates of the nested cross-validation",
    broken="{figure} replicates of the nested cross-validation < 200: the width still depends on how examples were"
    " split (Bates and others)",
    otherwise="race by the plan 'nested 200x10', which are 11 000 fits of a learner; 'corrected-resampled-t' for two"
    " learners, and 'corrected-t-interval' for one, are less of a lottery",
    figure=lambda resamples, _: resamples.values.shape[-2],
    threshold=200,
    source="bates2024",
)
ENOUGH_BOOTSTRAP_SAMPLES = Assumption(
    code="TA423",
    needs="{figure} bootstrap samples ≥ 50",
    rule="at least 50 bootstrap samples",
    broken="{figure} bootstrap samples < 50: another draw of them would tell of another error (Efron and Tibshirani)",
    otherwise="race by the plan '632*200', or use method='kfold'",
    figure=lambda resamples, _: _samples(resamples).runs,
    threshold=50,
    source="efron1997",
)


def _spread(resamples: Any) -> Numbers:
    """Return the largest less the smallest by replicate and fold; 0 for what the methods take for rounding."""
    from ..resamples.moments import moments

    return np.where(moments(resamples).deviation > 0, np.ptp(resamples.values, axis=_BOTH), 0.0)


SETS_DIFFER = Assumption(
    code="TA424",
    needs="the loss differs between test sets, by up to {figure}",
    rule="the loss differs between test sets",
    broken="the loss is the same on every test set, which leaves nothing to judge its error by: the interval is the"
    " whole range",
    otherwise="a plan with larger or more test sets ('10x10') would tell more; method='holdout' counts errors instead",
    figure=lambda resamples, _: _spread(resamples),
    threshold=0,
    strict=True,
)
SAMPLES_DIFFER = replace(
    SETS_DIFFER,
    code="TA436",
    needs="the loss differs between what bootstrap samples left out, by up to {figure}",
    rule="the loss differs between what bootstrap samples left out",
    broken="the loss is the same whatever a bootstrap sample left out, which leaves nothing to judge its error by: the"
    " interval is the whole range",
    figure=lambda resamples, _: _spread(_samples(resamples)),
)


def _pooled_variance(resamples: Any, _: Given) -> Numbers:
    """Return the variance of all losses; where only rates are known, that of right and wrong."""
    mean, size = resamples.pooled, scale(resamples) ** 2
    if resamples.together is None:
        return without_rounding(mean * (1 - mean), size)
    return without_rounding(resamples.squares.sum(axis=_BOTH) / resamples.test.sum() - mean**2, size)


LOSSES_DIFFER = Assumption(
    code="TA425",
    needs="the examples' losses differ (their variance is {figure})",
    rule="the examples' losses differ",
    broken="every example has the same loss, which leaves nothing to judge its error by: the interval is the whole"
    " range",
    otherwise="method='holdout' counts errors instead, and stays honest where there are none",
    figure=_pooled_variance,
    threshold=0,
    strict=True,
)


def _halves(resamples: Any, _: Given) -> Numbers:
    from ..resamples.nested import error_of_halves

    halves = resamples.part("halves")
    apart = np.abs(halves.values[..., 0] - halves.values[..., 1]).max(axis=-1)
    return np.where(error_of_halves(resamples) > 0, apart, 0.0)


HALVES_DIFFER = Assumption(
    code="TA426",
    needs="the halves' losses differ, by up to {figure}",
    rule="the halves' losses differ",
    broken="both halves have the same loss every time, which leaves nothing to judge it by: the interval is the whole"
    " range",
    otherwise="more examples would tell more; method='holdout' counts errors and stays honest where there are none",
    figure=_halves,
    threshold=0,
    strict=True,
)
ENOUGH_TEST_EXAMPLES = Assumption(
    code="TA427",
    needs="{figure} examples ≥ 30 (Mitchell)",
    rule="at least 30 examples (Mitchell)",
    broken="{figure} examples < 30: too few for the normal approximation (Mitchell)",
    otherwise="method='corrected-t-interval' has Student's quantile in its place",
    figure=lambda resamples, _: resamples.test.sum(axis=-1).min(),
    threshold=30,
    source="mitchell1997",
)


def _folds(resamples: Any, _: Given) -> Numbers:
    """Return into how many folds the examples are cut; leave-one-out* has a cross-validation beside it."""
    beside = resamples.plan.kind == "loo-star" and "2-fold*100" in resamples.parts
    return (resamples.parts["2-fold*100"] if beside else resamples).loss.shape[-1]


MORE_THAN_TWO_FOLDS = Assumption(
    code="TA428",
    needs="{figure} folds > 2",
    rule="more than 2 folds",
    broken="trained on halves, a learner looks worse than it is on all examples, and one more than another: 2-fold"
    " cross-validation is biased, however often it is repeated (Martin and Hirschberg)",
    otherwise="10 folds are recommended: race by the plan '10x10', method='repeated-kfold'",
    figure=_folds,
    threshold=2,
    strict=True,
    source="martin1996",
)


def _training_error(resamples: Any, _: Given) -> Numbers:
    apparent = _apparent(resamples)
    return 1.0 if apparent is None else apparent.pooled


NOT_MEMORISED = Assumption(
    code="TA429",
    needs="the apparent error, {figure}, is not 0",
    rule="the apparent error is not 0",
    broken="the apparent error is 0, as if the examples had been learnt by heart: for nearest neighbours .632 is"
    " biased, and not alike for all of them (Martin and Hirschberg)",
    otherwise="method='632plus' weighs that in, method='kfold' does without the apparent error",
    figure=_training_error,
    threshold=0,
    strict=True,
    source="martin1996",
)

SMOOTH_ERROR_CURVE = replace(
    SMOOTH_LEARNING_CURVE,
    code="TA435",
    needs="the error hardly depends on the size of the training set, as far as a learning curve was run",
    broken="from the next smaller training set on, the error moves by more than the interval reaches to either side (by"
    " {size} more): trained on all examples, the learner's error may well be another",
    otherwise="a plan that trains on more examples comes closer: method='loo' on all but one",
)

# --- Training sets and test examples, crossed -------------------------------------------------------


def _varies(sets: Any, _: Given) -> Numbers:
    """Return the spread of the sets' means or of the examples', whichever is larger."""
    from ..training_sets import mean_squares

    square = mean_squares("crossed-interval", sets)
    by_set, by_example = (np.ptp(sets.values.mean(axis=axis), axis=-1) for axis in (-1, -2))
    return np.where(square.sets + square.examples > 0, np.maximum(by_set, by_example), 0.0)


SETS_OR_EXAMPLES_VARY = Assumption(
    code="TA430",
    needs="the mean loss varies between training sets or between test examples, by up to {figure}",
    rule="the mean loss varies between training sets or between test examples",
    broken="the mean loss is the same for every training set and for every test example, which leaves nothing to judge"
    " it by: the interval is the whole range, and the p-value 1",
    otherwise="more test examples would tell more, by 'crossed-interval' and 'quasi-f' as well",
    figure=_varies,
    threshold=0,
    strict=True,
)
ENOUGH_CROSSED_SETS = Assumption(
    code="TA431",
    needs="{figure} training sets ≥ 5",
    rule="at least 5 training sets",
    broken="{figure} training sets < 5: with 4 of them the test may reject 1.3 times too often, with 2 of them 3 times",
    otherwise="race by the plan 'delve 8x200', so that 'crossed-interval' has more of them",
    figure=lambda sets, _: sets.sets,
    threshold=5,
)
TRAINING_SETS_VARY = Assumption(
    code="TA432",
    needs="the training sets are different ones",
    broken="seeds took the place of training sets: this speaks for learners trained on this one training set only",
    otherwise="race by a 'delve' plan to have 'crossed-interval' and 'quasi-f' speak for other training sets, too",
    figure=lambda sets, _: sets.varies == "training set",
    threshold=1,
)
ENOUGH_SEEDS_DRAWN = Assumption(
    code="TA433",
    needs="{figure} seeds or training sets ≥ 10",
    rule="at least 10 seeds or training sets",
    broken="{figure} seeds or training sets < 10: drawn from so few, their spread comes out too small",
    otherwise="'quasi-f' and 'crossed-interval' make up for small numbers by Student's quantile",
    figure=lambda sets, _: sets.sets,
    threshold=10,
)


def _all_vary(sets: Any, _: Given) -> Numbers:
    from ..training_sets import spread_of_draws

    return spread_of_draws(sets)


SETS_AND_EXAMPLES_VARY = replace(
    SETS_OR_EXAMPLES_VARY,
    code="TA434",
    needs="the loss is not the same throughout (it varies by up to {figure})",
    rule="the loss is not the same throughout",
    broken="the loss is the same for every training set and test example, so that every draw is alike: the interval is"
    " the whole range, and the p-value 1",
    figure=_all_vary,
)
