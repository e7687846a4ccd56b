"""What needs predictions: the limit theorem for cross-validation, Yang's interval that holds, and McNemar on folds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import PairedTable, Resamples
from ...results import TestResult
from ...typing_ import Alternative
from ..paired_table.mcnemar import mcnemar_mid_p
from ..paired_table.proportions import two_se
from ..paired_table.score import tango
from ..pivots import Centred, Score, Student
from ..registry import ONE_TEST_SET, Standing, procedure, test
from .assumptions import (
    DISAGREEMENTS_PER_TEST_SET,
    EXAMPLES_HAVE_SPREAD,
    MANY_EXAMPLES,
    NOT_CHOSEN,
    POOLED_DISAGREEMENTS,
    SMOOTH_LEARNING_CURVE,
    SPREAD_INSIDE_TEST_SETS,
    TRAINED_ON_SPLITS,
)
from .moments import Variance, fit_student, mean_of_splits, pooled_moments, variance_within
from .required_plans import KFOLD, OF_TWO, require_pair, require_two

_COUNTED = OF_TWO | {"sources_covered": ONE_TEST_SET, "assumes": (POOLED_DISAGREEMENTS, NOT_CHOSEN)}
_MCNEMAR = _COUNTED | {
    "name": "mcnemar-on-cv",
    "standing": Standing.HEURISTIC,
    "rationale": "it takes the classifiers of all folds for one and ignores how training sets vary",
    "reference": "dietterich1998",
}


@dataclass(eq=False)
class PooledLosses(Centred):
    """A mean of pooled losses, whose interval is for one learner as well and whose test is for two."""

    resamples: Any = None

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return z = (mean − null)/error and its p-value."""
        require_two("cv-wald", self.resamples)
        return Centred.test(self, null, alternative)


@procedure(
    name="cv-wald",
    **OF_TWO,
    sources_covered=ONE_TEST_SET,  # the spread is that of examples, for these training sets
    assumes=(EXAMPLES_HAVE_SPREAD, MANY_EXAMPLES, SMOOTH_LEARNING_CURVE, NOT_CHOSEN),
    standing=Standing.SOUND,
    rationale="a central limit theorem for learners that one example hardly moves; too short for unstable learners"
    " and few examples",
    validity="stable learners and 500 examples or more",
    where={"stable": (1, 1), "examples": (500, np.inf)},
    statistic="z",
    reference="bayle2020",
)
def cv_wald(resamples: Resamples, *, variance: Variance = "all-pairs") -> PooledLosses:
    """Wald test and interval for the pooled losses of a cross-validation: of one learner, or the difference of two.

    z = d̄/(σ̂/√n), where every one of the n examples was tested once (Bayle, Bayle, Janson and Mackey 2020). For
    repeated cross-validation the variances are averaged and the mean's is not lowered, which is
    conservative. It needs predictions.

    Parameters
    ----------
    resamples
        The losses of one learner or two by a k-fold plan, with predictions.
    variance
        Around the mean of all examples ("all-pairs"), or of each fold ("within-fold").

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> losses = [[[0.18, 0.12]], [[0.08, 0.16]]]
    >>> folds = Resamples(losses, 50, 50, Plan.parse("2-fold"), together=wrong, examples=100)
    >>> cv_wald(folds).test().statistic.round(4)
    np.float64(0.8349)
    >>> limits = cv_wald(folds.select("A")).interval()
    >>> limits.low.round(4), limits.high.round(4)
    (np.float64(0.08), np.float64(0.22))
    """
    if resamples.parameter == "difference":
        require_pair("cv-wald", resamples, least=1)
    mean, error = pooled_moments(resamples, variance)
    return PooledLosses(lambda: fit_student(resamples, mean, error, np.inf, location=mean), mean, resamples)


@procedure(
    name="mean-se-w",
    **OF_TWO,
    sources_covered=ONE_TEST_SET,  # its standard error is that inside a test set
    assumes=(SPREAD_INSIDE_TEST_SETS, DISAGREEMENTS_PER_TEST_SET, *TRAINED_ON_SPLITS),
    standing=Standing.SOUND,
    rationale="valid, and conservative: the error of one splitting is taken for that of the mean of many",
    validity="test sets with 10 disagreements or more",
    where={"disagreements": (10, np.inf)},
    statistic="z",
    reference="yang2006",
)
def mean_se_w(resamples: Resamples) -> Student:
    """Wald test and interval for the mean difference over splittings, by the average standard error of a single one.

    z = W̿/s̄e_W, where W is loss(A) − loss(B) on an example and se_W = sd_W/√n_test in each splitting, with sd_W² the
    sum of squares over n_test − 1 (Yang 2006, sections 3.1 and 3.3). It needs predictions, for it looks into every test
    set; one splitting is enough.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> together = [[[[8]], [[4]]], [[[4]], [[20]]]]  # errors of A 8, of B 20, 4 together, of 40
    >>> split = Resamples([[[0.2]], [[0.5]]], 40, 60, Plan.parse("holdout(3/5)"), together=together, examples=100)
    >>> mean_se_w(split).test().statistic.round(4), mean_se_w(split).interval().high.round(4)
    (np.float64(-2.9259), np.float64(-0.099))
    """
    require_pair("mean-se-w", resamples, least=1)
    # sd_W²/n with sd_W² = Σ(W − W̄)²/(n − 1), as Yang has it; a test set of one example has no spread inside.
    errors = np.sqrt(variance_within(resamples) / np.maximum(resamples.test - 1, 1))
    return fit_student(resamples, mean_of_splits(resamples), errors.mean(axis=(-2, -1)), np.inf)


@test(
    name="two-se",
    **_COUNTED,
    standing=Standing.FORBIDDEN,
    rationale="it supposes a correlation of one half and ignores how training sets vary: too low a variance, and many"
    " false alarms",
    statistic="z",
    note="the learners' errors taken for correlated by 1/2",
    reference="martin1996",
)
def two_se_on_cv(resamples: Resamples, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test by the rule that two standard errors of a cross-validated error rate are a difference.

    z = (e_A − e_B)/SE with SE² = e(1 − e)/n, e the mean of both rates and n the number of examples (Martin and
    Hirschberg 1996, section 3.4). The rule itself rejects beyond 2, at alpha = 0.0455.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> folds = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> two_se_on_cv(folds).statistic.round(3)  # 0.03/√(0.135 · 0.865/100)
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
    >>> folds = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> pooled_table(folds)
    PairedTable(both_wrong=7, only_a_wrong=8, only_b_wrong=5, both_right=80)
    """
    require_pair(name, resamples, least=1)
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


@test(statistic="lone errors of A", **_MCNEMAR)
def mcnemar_on_cv(resamples: Resamples, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test by mid-p McNemar on the pooled predictions of one cross-validation, or of one split.

    On one split it speaks for the two classifiers trained there; pooled over folds, for no classifier in
    particular.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> folds = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> mcnemar_on_cv(folds).pvalue.round(4)
    np.float64(0.424)
    """
    table = pooled_table(resamples, "mcnemar-on-cv")
    return replace(mcnemar_mid_p(table, alternative=alternative), estimate=table.difference)


@procedure(offers=("interval",), **_MCNEMAR)
def mcnemar_on_cv_interval(resamples: Resamples) -> Score:
    """Give Tango's limits for the pooled predictions of one cross-validation, or of one split.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> folds = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> mcnemar_on_cv_interval(folds).interval().high.round(4)
    np.float64(0.1089)
    """
    return tango(pooled_table(resamples, "mcnemar-on-cv"))
