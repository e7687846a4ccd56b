"""Recall, specificity and accuracy of two classifiers: error rates on one class, compared as paired tables."""

from __future__ import annotations

from typing import Any

from ...evidence import PairedConfusion
from ...results import TestResult
from ...typing_ import Alternative
from ..confusion_matrix.assumptions import DEFINED
from ..paired_table.mcnemar import mcnemar_exact, mcnemar_mid_p
from ..paired_table.tango_score import tango
from ..registry import Standing, procedure, test
from .assumptions import (
    CLASS_CAN_REJECT_EXACT,
    CLASS_CAN_REJECT_MID_P,
    ENOUGH_EFFECTIVE_PAIRS,
    SOME_AGREEMENT_IN_CLASS,
)
from .metric_differences import DIFFERENCE, OF_A_CLASS, PossiblyUndefined, class_table, mask_undefined_result

_LONE_ERRORS: dict[str, Any] = {
    "evidence": PairedConfusion,
    "metrics": OF_A_CLASS,
    "statistic": "discordant errors of A",
}


@test(
    name="mcnemar-mid-p",
    title="McNemar mid-p",
    **_LONE_ERRORS,
    assumes=(DEFINED, CLASS_CAN_REJECT_MID_P, SOME_AGREEMENT_IN_CLASS),
    standing=Standing.RECOMMENDED,
    rationale=(
        "on one class the metric is an error rate, for which mid-p has almost the power of the uncorrected test "
        "and is valid for discordant rates below 80%"
    ),
    validity="discordant rate up to 80% of the class",
    where={"disagreement": (0, 0.8)},
    reference="fagerland2013",
)
def class_mcnemar_mid_p(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test equal recall, specificity or accuracy with the discordant pairs of the class.

    Recall is the share of correct answers among the examples of one class, specificity (and the false positive rate)
    among all others, accuracy among all: both classifiers have the same denominator, so McNemar's test applies. The
    observed outcome counts half.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with such a metric.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]])
    >>> class_mcnemar_mid_p(pair.by("specificity")).pvalue.round(5)
    np.float64(0.00031)
    """
    return mask_undefined_result(pair, mcnemar_mid_p(class_table(pair), alternative=alternative))


@test(
    name="mcnemar-exact",
    title="exact McNemar",
    **_LONE_ERRORS,
    assumes=(DEFINED, CLASS_CAN_REJECT_EXACT),
    guarantees=True,
    standing=Standing.SOUND,
    rationale="guaranteed type I error rate; the least power",
    reference="dietterich1998",
)
def class_mcnemar_exact(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test equal recall, specificity or accuracy with the binomial distribution of the discordant pairs of the class.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with such a metric.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]])
    >>> class_mcnemar_exact(pair.by("specificity")).pvalue.round(5)
    np.float64(0.00045)
    """
    return mask_undefined_result(pair, mcnemar_exact(class_table(pair), alternative=alternative))


@procedure(
    name="tango",
    **DIFFERENCE,
    metrics=OF_A_CLASS,
    assumes=(DEFINED, ENOUGH_EFFECTIVE_PAIRS),
    reference="tango1998",
    interval={
        "title": "Tango score interval",
        "standing": Standing.RECOMMENDED,
        "rationale": (
            "on one class the metric is an error rate, for which Tango's interval has positive width even without "
            "discordant pairs"
        ),
        "validity": "2 or more examples of the class",
    },
    test={
        "title": "Tango score",
        "standing": Standing.SOUND,
        "rationale": "agrees with Tango's interval, for any margin",
        "validity": "discordant rate up to 80% of the class",
        "where": {"disagreement": (0, 0.8)},
        "statistic": "z",
    },
)
def class_tango(pair: PairedConfusion) -> PossiblyUndefined:
    """Tango's score interval and test for a difference of recall, specificity or accuracy.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with such a metric.

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]])
    >>> fitted = class_tango(pair.by("recall"))
    >>> limits = fitted.interval()  # loss(A) − loss(B): below 0, for A has the higher recall
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.1673), np.float64(-0.0827))
    >>> fitted.test(-0.15, "greater").pvalue.round(4)
    np.float64(0.1174)
    """
    return PossiblyUndefined(pair, tango(class_table(pair)))
