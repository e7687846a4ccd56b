"""Recall, specificity and accuracy of two classifiers: error rates on one class, by the tests and limits of pairs."""

from __future__ import annotations

from typing import Any

from ...evidence import PairedConfusion
from ...results import TestResult
from ...typing_ import Alternative
from ..confusion_matrix.assumptions import DEFINED
from ..paired_table.mcnemar import mcnemar_exact, mcnemar_mid_p
from ..paired_table.score import tango
from ..registry import Standing, procedure, test
from .assumptions import (
    CLASS_CAN_REJECT_EXACT,
    CLASS_CAN_REJECT_MID_P,
    DISAGREEMENTS_THAT_MATTER,
    SOME_AGREEMENT_IN_CLASS,
)
from .common import DIFFERENCE, OF_A_CLASS, KnownWhereDefined, class_table, known_where_defined

_LONE_ERRORS: dict[str, Any] = {
    "evidence": PairedConfusion,
    "metrics": OF_A_CLASS,
    "statistic": "lone errors of A",
}


@test(
    name="mcnemar-mid-p",
    **_LONE_ERRORS,
    assumes=(DEFINED, CLASS_CAN_REJECT_MID_P, SOME_AGREEMENT_IN_CLASS),
    standing=Standing.RECOMMENDED,
    rationale="of one class the metric is an error rate, and there mid-p has nearly the power of the uncorrected test and"
    " holds its level for disagreement below 80 %",
    validity="disagreement on up to 80 % of the class",
    where={"disagreement": (0, 0.8)},
    reference="fagerland2013",
)
def class_mcnemar_mid_p(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test recall, specificity or accuracy by the examples of the class on which one of the two is wrong alone.

    Recall is the share of right answers among the examples of one class, specificity (and the false positive rate)
    among all others, accuracy among all: two classifiers meet the same of them, so McNemar's test is theirs. The
    outcome that was observed counts half.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for such a metric.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]])
    >>> class_mcnemar_mid_p(pair.by("specificity")).pvalue.round(5)
    np.float64(0.00031)
    """
    return known_where_defined(pair, mcnemar_mid_p(class_table(pair), alternative=alternative))


@test(
    name="mcnemar-exact",
    **_LONE_ERRORS,
    assumes=(DEFINED, CLASS_CAN_REJECT_EXACT),
    guarantees=True,
    standing=Standing.SOUND,
    rationale="its level holds everywhere, at a price: it rejects true differences least often",
    reference="dietterich1998",
)
def class_mcnemar_exact(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test recall, specificity or accuracy by the binomial distribution of the lone errors on the class.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for such a metric.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]])
    >>> class_mcnemar_exact(pair.by("specificity")).pvalue.round(5)
    np.float64(0.00045)
    """
    return known_where_defined(pair, mcnemar_exact(class_table(pair), alternative=alternative))


@procedure(
    name="tango",
    **DIFFERENCE,
    metrics=OF_A_CLASS,
    assumes=(DEFINED, DISAGREEMENTS_THAT_MATTER),
    reference="tango1998",
    interval={
        "standing": Standing.RECOMMENDED,
        "rationale": "of one class the metric is an error rate, and Tango's limits stay honest where nobody disagrees",
        "validity": "2 or more examples of the class",
    },
    test={
        "standing": Standing.SOUND,
        "rationale": "it decides as Tango's interval does, at any margin",
        "validity": "disagreement on up to 80 % of the class",
        "where": {"disagreement": (0, 0.8)},
        "statistic": "z",
    },
)
def class_tango(pair: PairedConfusion) -> KnownWhereDefined:
    """Tango's score interval and test for a difference of recall, specificity or accuracy, on the class.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for such a metric.

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
    return KnownWhereDefined(pair, tango(class_table(pair)))
