"""Intervals from nested cross-validation, and from repeated pairs of disjoint halves.

Test sets of one cross-validation are dependent, and its variance has no unbiased estimate. Both methods here use many
more fits to estimate that variance. They take the losses of one learner or the differences of two.
"""

from __future__ import annotations

import numpy as np

from ...evidence import Resamples
from ...evidence.resamples import NESTED
from ...numerics.rounding import without_rounding
from ...typing_ import FloatArray
from ..loss_scale import scale
from ..pivots import Centred
from ..registry import EVERY_SOURCE, Standing, procedure
from .assumptions import ENOUGH_NESTED_REPLICATES, ENOUGH_TEST_EXAMPLES, HALVES_DIFFER, LOSSES_DIFFER, NOT_SELECTED
from .moments import error_of_halves, fit_student, moments, sign_of, sums_of_squares
from .required_plans import OF_ONE, wrong_plan

# Further references by key of the bibliography, in addition to those of the registry.
SOURCES = {"conservative_z": ("schulzkumpel2024",)}

_FACTS = OF_ONE | {
    "offers": ("estimate", "interval", "test"),
    "test": {"question": 8, "null": 0.0},
    "statistic": "z",
    "sources_covered": EVERY_SOURCE,
    "standing": Standing.SOUND,
}


@procedure(
    name="nested-cv",
    title="nested cross-validation",
    **_FACTS,
    assumes=(ENOUGH_NESTED_REPLICATES, ENOUGH_TEST_EXAMPLES, LOSSES_DIFFER, NOT_SELECTED),
    rationale="estimates the error of cross-validation itself; one of the three robust intervals among thirteen"
    " (Schulz-Kümpel et al.), for losses that are means over examples",
    validity="stable learners (no nearest neighbours), 200 or more replicates of 5 or more folds",
    where={"stable": (1, 1), "replicates": (200, np.inf), "folds": (5, np.inf)},
    reference="bates2024",
)
def nested_cv(resamples: Resamples, *, bias: bool = True) -> Centred:
    """Estimate, interval and test by the mean loss of the inner cross-validations, corrected for bias.

    Parameters
    ----------
    resamples
        A nested cross-validation.
    bias
        Whether to correct the estimate for the smaller training sets; otherwise it is the mean of the outer
        cross-validations.

    Notes
    -----
    Inner training sets lack two folds, outer ones one; the bias is (1 + (k−2)/k) times the difference of both means
    (Bates, Hastie and Tibshirani 2024). The estimate stays in the range of the loss.

    In each fold the squared difference of the outer and the inner mean loss estimates the squared error of the inner
    cross-validation plus the variance of the outer mean, which is subtracted. The rest, averaged and scaled by (k−1)/k,
    is the squared standard error, bounded by those of n independent losses and of k identical folds. Interval and test
    use z.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> plan = Plan.parse("nested 1x2")
    >>> errors = np.array([[[6, 5]], [[2, 4]]])  # of A and B in 20 examples each; 2 by both
    >>> together = np.array([[errors[0], [[2, 2]]], [[[2, 2]], errors[1]]])
    >>> inner = Resamples(np.array([[[0.35, 0.3]], [[0.15, 0.2]]]), test=20, train=20, plan=plan)
    >>> outer = Resamples(errors / 20, test=20, train=20, plan=plan, together=together, parts={"inner": inner})
    >>> nested_cv(outer).test().pvalue.round(3)
    np.float64(0.088)
    >>> alone = nested_cv(outer.select("A"))
    >>> alone.location.round(3), alone.interval().low.round(3), alone.interval().high.round(3)
    (np.float64(0.275), np.float64(0.135), np.float64(0.415))
    """
    if resamples.plan.kind != "nested":
        raise wrong_plan("nested-cv", resamples, "a cross-validation in every training set", NESTED)
    centre, error = _measure_nested(resamples, bias=bias)
    return Centred(
        lambda: fit_student(resamples, centre, error, np.inf, chooses=sign_of(centre)),
        location=np.clip(centre, *resamples.range)[()],
    )


def _measure_nested(resamples: Resamples, *, bias: bool) -> tuple[FloatArray, FloatArray]:
    """Return the estimate and its standard error, over replicates and folds."""
    inner, outer, sizes = resamples.part("inner"), resamples.values, resamples.test
    squares = sums_of_squares("nested-cv", resamples)
    folds, total = outer.shape[-1], sizes.sum()
    within = (squares - sizes * outer**2) / np.maximum(sizes - 1, 1)
    error = ((inner.values - outer) ** 2 - np.maximum(within, 0) / sizes).mean(axis=(-2, -1)) * (folds - 1) / folds
    mean = resamples.pooled
    variance = (squares.sum(axis=(-2, -1)) - total * mean**2) / max(total - 1, 1)
    size = scale(resamples)
    spread = without_rounding(np.maximum(variance, 0), size**2)
    least = np.sqrt(spread / sizes.sum(axis=-1).mean())
    centre = mean
    if bias:
        inside = inner.pooled
        centre = inside - (1 + (folds - 2) / folds) * (inside - mean)
    clipped = np.clip(np.sqrt(np.maximum(error, 0)), least, least * np.sqrt(folds))
    return without_rounding(centre, size), clipped[()]


@procedure(
    name="conservative-z",
    title="conservative z",
    **_FACTS,
    assumes=(HALVES_DIFFER, NOT_SELECTED),
    rationale="conservative: its variance is that of half as many examples; one of the three robust intervals among"
    " thirteen (Schulz-Kümpel et al.)",
    validity="10 or more pairs of halves",
    where={"replicates": (10, np.inf)},
    reference="nadeau2003",
)
def conservative_z(resamples: Resamples) -> Centred:
    """Estimate, interval and test by the mean loss over splits of all examples, and the variance of disjoint halves.

    Notes
    -----
    mean ± z·√(Σ(μ₁ − μ₂)²/2R), over R pairs of halves (Nadeau and Bengio 2003). The halves share no example, so their
    means are independent; their variance is that of half as many examples, larger than that of all of them.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> plan = Plan.parse("conservative-z 2x3(0.9)")
    >>> loss = [[[0.3, 0.2], [0.1, 0.2]], [[0.2, 0.15], [0.1, 0.1]]]
    >>> halves = Resamples(loss, test=5, train=45, plan=plan)
    >>> splits = Resamples([[[0.2], [0.3]], [[0.1], [0.2]]], test=10, train=90, plan=plan, parts={"halves": halves})
    >>> conservative_z(splits).test().pvalue.round(3)
    np.float64(0.074)
    >>> alone = conservative_z(splits.select("A"))
    >>> alone.location.round(3), alone.interval().low.round(3), alone.interval().high.round(3)
    (np.float64(0.25), np.float64(0.111), np.float64(0.389))
    """
    error, mean = error_of_halves(resamples), moments(resamples).mean
    return Centred(lambda: fit_student(resamples, mean, error, np.inf), location=mean)
