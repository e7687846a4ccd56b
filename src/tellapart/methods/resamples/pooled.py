"""Methods that need the predictions: the CLT for cross-validation, Yang's interval, and McNemar's test on folds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import PairedTable, Resamples
from ...figures import count_text
from ...results import TestResult
from ...typing_ import Alternative
from ..paired_table.mcnemar import mcnemar_mid_p
from ..paired_table.proportions import two_se
from ..paired_table.tango_score import tango
from ..pivots import Centred, Score, Student
from ..registry import ONE_TEST_SET, Standing, procedure, test
from .assumptions import (
    DISCORDANT_PAIRS_PER_TEST_SET,
    EXAMPLES_HAVE_SPREAD,
    FLAT_LEARNING_CURVE,
    MANY_EXAMPLES,
    NOT_SELECTED,
    POOLED_DISCORDANT_PAIRS,
    SPREAD_INSIDE_TEST_SETS,
    TRAINED_ON_SPLITS,
)
from .moments import Variance, fit_student, mean_of_splits, pooled_moments, variance_within
from .required_plans import OF_TWO, has_one_test_per_example, require_pair, require_two

_COUNTED = OF_TWO | {"sources_covered": ONE_TEST_SET, "assumes": (POOLED_DISCORDANT_PAIRS, NOT_SELECTED)}
_MCNEMAR = _COUNTED | {
    "name": "mcnemar-on-cv",
    "standing": Standing.HEURISTIC,
    "rationale": "treats the classifiers of all folds as one and ignores the variation between training sets",
    "reference": "dietterich1998",
}


@dataclass(eq=False)
class PooledLosses(Centred):
    """A mean of pooled losses: an interval for one learner or two, a test for two."""

    resamples: Any = None

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return z = (mean − null)/error and its p-value."""
        require_two("cv-wald", self.resamples)
        return Centred.test(self, null, alternative)


@procedure(
    name="cv-wald",
    title="cross-validation CLT",
    **OF_TWO,
    sources_covered=ONE_TEST_SET,  # the spread is that of examples, for these training sets
    assumes=(EXAMPLES_HAVE_SPREAD, MANY_EXAMPLES, FLAT_LEARNING_CURVE, NOT_SELECTED),
    standing=Standing.SOUND,
    rationale="based on a central limit theorem for stable learners; too short for unstable learners and few examples",
    validity="stable learners and 500 examples or more",
    where={"stable": (1, 1), "examples": (500, np.inf)},
    statistic="z",
    reference="bayle2020",
)
def cv_wald(resamples: Resamples, *, variance: Variance = "all-pairs") -> PooledLosses:
    """Wald test and interval for the pooled losses of a cross-validation: of one learner, or the difference of two.

    It needs predictions.

    Parameters
    ----------
    resamples
        The losses of one learner or two by a k-fold plan, with predictions.
    variance
        Around the mean of all examples ("all-pairs"), or of each fold ("within-fold").

    Notes
    -----
    z = d̄/(σ̂/√n), where each of the n examples was tested once (Bayle, Bayle, Janson and Mackey 2020). For repeated
    cross-validation the variances are averaged, without a reduction for the repeats, which is conservative.

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
    title="average standard error z",
    **OF_TWO,
    sources_covered=ONE_TEST_SET,  # its standard error is that inside a test set
    assumes=(SPREAD_INSIDE_TEST_SETS, DISCORDANT_PAIRS_PER_TEST_SET, *TRAINED_ON_SPLITS),
    standing=Standing.SOUND,
    rationale="valid and conservative: uses the standard error of one split for the mean over many",
    validity="test sets with 10 discordant pairs or more",
    where={"disagreements": (10, np.inf)},
    statistic="z",
    reference="yang2006",
)
def mean_se_w(resamples: Resamples) -> Student:
    """Wald test and interval for the mean difference over splits, by the average standard error of a single one.

    It needs predictions; one split is enough.

    Notes
    -----
    z = m/s, with the mean m of W = loss(A) − loss(B) over examples and splits, and the mean s over splits of se_W =
    sd_W/√n_test; sd_W² is the sum of squares over n_test − 1 (Yang 2006, sections 3.1 and 3.3).

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
    title="two-standard-error rule",
    **_COUNTED,
    standing=Standing.FORBIDDEN,
    rationale="assumes a correlation of 0.5 and ignores the variation between training sets: the variance is too small"
    " and the type I error rate too high",
    statistic="z",
    note="assumes a correlation of 0.5 between the errors",
    reference="martin1996",
)
def two_se_on_cv(resamples: Resamples, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether cross-validated error rates differ by more than two standard errors.

    Notes
    -----
    z = (e_A − e_B)/SE with SE² = e(1 − e)/n, e the mean of both rates and n the number of examples (Martin and
    Hirschberg 1996, section 3.4). The rule rejects beyond 2, at alpha = 0.0455.

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
    """Return the paired table of all examples of one cross-validation, or of one test set.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> folds = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> pooled_table(folds)
    PairedTable(both_wrong=7, only_a_wrong=8, only_b_wrong=5, both_right=80)
    """
    require_pair(name, resamples, least=1)
    if not has_one_test_per_example(resamples):
        raise InvalidEvidence(
            f"method {name!r} needs one cross-validation or one split, got plan {resamples.plan.name!r}. Use"
            " method='corrected-resampled-t'."
        )
    if resamples.metric.name != "error" or resamples.seeds > 1:
        raise InvalidEvidence(
            f"method {name!r} needs the errors of one seed, got metric {resamples.metric.name!r} and"
            f" {count_text(resamples.seeds, 'seed')}. Use method='corrected-resampled-t'."
        )
    counts = np.rint(resamples.joint.sum(axis=(-2, -1))).astype(np.int64)
    both, examples = counts[..., 0, 1], np.rint(resamples.test.sum()).astype(np.int64)
    only_a, only_b = counts[..., 0, 0] - both, counts[..., 1, 1] - both
    return PairedTable(both, only_a, only_b, examples - both - only_a - only_b)


@test(title="pooled McNemar mid-p", statistic="only A wrong", **_MCNEMAR)
def mcnemar_on_cv(resamples: Resamples, *, alternative: Alternative = "two-sided") -> TestResult:
    """McNemar's mid-p test of the pooled predictions of one cross-validation, or of one split.

    On one split it applies to the two classifiers trained there; pooled over folds, to no classifier in particular.

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


@procedure(offers=("interval",), title="Tango score interval", **_MCNEMAR)
def mcnemar_on_cv_interval(resamples: Resamples) -> Score:
    """Tango's interval for the pooled predictions of one cross-validation, or of one split.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> wrong = [[[[9, 6]], [[3, 4]]], [[[3, 4]], [[4, 8]]]]  # by learner and learner, in two folds of 50
    >>> folds = Resamples([[[0.18, 0.12]], [[0.08, 0.16]]], 50, 50, Plan.parse("2-fold"), together=wrong)
    >>> mcnemar_on_cv_interval(folds).interval().high.round(4)
    np.float64(0.1089)
    """
    return tango(pooled_table(resamples, "mcnemar-on-cv"))
