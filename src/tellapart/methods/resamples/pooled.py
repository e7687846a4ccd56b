"""Every example's loss counted once: the central limit theorem for cross-validation, and McNemar on its predictions."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any, Literal

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import PairedTable, Resamples
from ...numerics.rounding import without_rounding
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side, one_of
from ..loss_scale import scale
from ..paired_table.mcnemar import mcnemar_mid_p
from ..paired_table.proportions import two_se
from ..paired_table.score import tango
from ..registry import ONE_TEST_SET, Standing, method
from .assumptions import EXAMPLES_HAVE_SPREAD, MANY_EXAMPLES, NOT_CHOSEN, POOLED_DISAGREEMENTS, SMOOTH_LEARNING_CURVE
from .common import KFOLD, folds_only, pair_of_learners, weights
from .moments import student, student_interval
from .splittings import within_test_sets

Variance = Literal["all-pairs", "within-fold"]
_COMMON: dict[str, Any] = {"question": 8, "evidence": Resamples, "parameter": "difference"}
_WALD: dict[str, Any] = _COMMON | {
    "name": "cv-wald",
    "covers": ONE_TEST_SET,  # the spread is that of examples, for these training sets
    "assumes": (EXAMPLES_HAVE_SPREAD, MANY_EXAMPLES, SMOOTH_LEARNING_CURVE, NOT_CHOSEN),
    "standing": Standing.SOUND,
    "because": "a central limit theorem for learners that one example hardly moves; too short for unstable learners"
    " and few examples",
    "holds": "stable learners and 500 examples or more",
    "where": {"stable": (1, 1), "examples": (500, inf)},
    "reference": "bayle2020",
}
_MCNEMAR: dict[str, Any] = _COMMON | {
    "name": "mcnemar-on-cv",
    "covers": ONE_TEST_SET,
    "assumes": (POOLED_DISAGREEMENTS, NOT_CHOSEN),
    "standing": Standing.HEURISTIC,
    "because": "it takes the classifiers of all folds for one and ignores how training sets vary",
    "reference": "dietterich1998",
}


def of_pooled_losses(resamples: Resamples, variance: Variance = "all-pairs") -> tuple[FloatArray, FloatArray, float]:
    """Return mean and standard error of the pooled losses (or differences), averaged over replicates."""
    one_of("variance", variance, Variance)
    folds_only("cv-wald", resamples, instead="mean-se-w")
    shares, values, inside = weights(resamples), resamples.values, within_test_sets(resamples)
    size = scale(resamples)
    each = (shares * values).sum(axis=-1)
    between = without_rounding(values - each[..., None], size[..., None, None]) ** 2
    spread = (shares * (inside + between)).sum(axis=-1)
    if variance == "within-fold":
        if resamples.test.min() < 2:
            raise InvalidOption(
                "variance='within-fold' needs two examples or more in every fold. Take 'all-pairs' for leave-one-out."
            )
        within = (shares * inside * resamples.test / (resamples.test - 1)).sum(axis=-1)
        spread = np.where(within == 0, spread, within)  # folds that show no spread leave that between them
    error = np.sqrt((spread / resamples.test.sum(axis=-1)).mean(axis=-1))
    return without_rounding(each.mean(axis=-1), size), error, np.inf


@method(gives="test", statistic="z", **_WALD)
def cv_wald(
    resamples: Resamples,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    variance: Variance = "all-pairs",
) -> TestResult:
    """Test the difference of two learners over the pooled losses of a cross-validation.

    z = d̄/(σ̂/√n), where every one of the n examples was tested once (Bayle, Bayle, Janson and Mackey 2020). For
    repeated cross-validation the variances are averaged and the mean's is not lowered, which is
    conservative. It needs predictions.

    Parameters
    ----------
    resamples
        The losses of two learners by a k-fold plan, with predictions.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    variance
        Around the mean of all examples ("all-pairs"), or of each fold ("within-fold").

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> losses = [[[0.18, 0.12]], [[0.08, 0.16]]]
    >>> held = Resamples(losses, 50, 50, Plan.parse("2-fold"), together=wrong, examples=100)
    >>> cv_wald(held).statistic.round(4)
    np.float64(0.8349)
    """
    mean, error, freedom = of_pooled_losses(pair_of_learners("cv-wald", resamples, least=1), variance)
    return replace(student(mean - against, error, freedom, alternative), estimate=mean)


@method(gives="interval", **_WALD)
def cv_wald_interval(
    resamples: Resamples, *, alpha: float = 0.05, side: Side = "two", variance: Variance = "all-pairs"
) -> Interval:
    """Give mean ± z·σ̂/√n of the pooled losses of one learner, or of the differences of two.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> held = Resamples([[[0.18, 0.12]]], 50, 50, Plan.parse("2-fold"), ("A",), together=[[[[9, 6]]]], examples=100)
    >>> limits = cv_wald_interval(held)
    >>> limits.low.round(4), limits.high.round(4)
    (np.float64(0.08), np.float64(0.22))
    """
    mean, error, freedom = of_pooled_losses(resamples, variance)
    return student_interval("cv-wald", resamples, mean, error, freedom, alpha, side)


@method(
    name="two-se",
    covers=ONE_TEST_SET,
    gives="test",
    assumes=(POOLED_DISAGREEMENTS, NOT_CHOSEN),
    standing=Standing.FORBIDDEN,
    because="it supposes a correlation of one half and ignores how training sets vary: too low a variance, and many"
    " false alarms",
    statistic="z",
    told="the learners' errors taken for correlated by 1/2",
    reference="martin1996",
    **_COMMON,
)
def two_se_on_cv(resamples: Resamples, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test by the rule that two standard errors of a cross-validated error rate are a difference.

    z = (e_A − e_B)/SE with SE² = e(1 − e)/n, e the mean of both rates and n the number of examples (Martin and
    Hirschberg 1996, section 3.4). The rule itself rejects beyond 2, at alpha = 0.0455.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> held = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> two_se_on_cv(held).statistic.round(3)  # 0.03/√(0.135 · 0.865/100)
    np.float64(0.878)
    """
    table = pooled_table(resamples, "two-se")
    return replace(two_se(table, alternative=alternative), estimate=table.difference)


def pooled_table(resamples: Resamples, name: str = "pooled_table") -> PairedTable:
    """Return who was wrong where in one cross-validation, or on one test set, as a table of all examples.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> held = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> pooled_table(held)
    PairedTable(both_wrong=7, only_a_wrong=8, only_b_wrong=5, both_right=80)
    """
    pair_of_learners(name, resamples, least=1)
    once = resamples.plan.kind in KFOLD and resamples.loss.shape[-2] == 1
    if not once and (resamples.plan.kind not in {"random", "splits"} or resamples.runs > 1):
        raise InvalidEvidence(
            f"method {name!r} needs every example to be tested once, by one cross-validation or one split, but the plan"
            f" is {resamples.plan.name!r}. Take method='corrected-resampled-t'."
        )
    if resamples.metric.name != "error" or resamples.seeds > 1:
        raise InvalidEvidence(
            f"method {name!r} counts examples that were right or wrong, but the metric is {resamples.metric.name!r}"
            f" over {resamples.seeds} seed(s). Take method='corrected-resampled-t'."
        )
    counts = np.rint(resamples.joint.sum(axis=(-2, -1))).astype(np.int64)
    both, examples = counts[..., 0, 1], np.rint(resamples.test.sum()).astype(np.int64)
    only_a, only_b = counts[..., 0, 0] - both, counts[..., 1, 1] - both
    return PairedTable(both, only_a, only_b, examples - both - only_a - only_b)


@method(gives="test", statistic="lone errors of A", **_MCNEMAR)
def mcnemar_on_cv(resamples: Resamples, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test by mid-p McNemar on the pooled predictions of one cross-validation, or of one split.

    On one split it speaks for the two classifiers trained there; pooled over folds, for no classifier in
    particular.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> held = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> mcnemar_on_cv(held).pvalue.round(4)
    np.float64(0.424)
    """
    table = pooled_table(resamples, "mcnemar-on-cv")
    return replace(mcnemar_mid_p(table, alternative=alternative), estimate=table.difference)


@method(gives="interval", **_MCNEMAR)
def mcnemar_on_cv_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give Tango's limits for the pooled predictions of one cross-validation, or of one split.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> held = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> mcnemar_on_cv_interval(held).high.round(4)
    np.float64(0.1089)
    """
    limits = tango(pooled_table(resamples, "mcnemar-on-cv"), alpha=alpha, side=side)
    return replace(limits, method="mcnemar-on-cv")
