"""The mean over groups (tasks, languages) with equal weight for every group."""

from __future__ import annotations

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import Outcomes
from ...numerics.distributions import ratio
from ...numerics.rounding import unit, without_rounding
from ...typing_ import Numbers
from ..pivots import Student
from ..registry import Standing, procedure
from .assumptions import GROUPS_HAVE_SPREAD, GROUPS_VARY
from .clusters import cluster_parts, clusters_of, corrections, robust_moments
from .moments import ALONE, OF_OUTCOMES, MeanMoments, as_student, moments, score_size


@procedure(
    name="macro-average",
    interval={"title": "macro-average t interval"},
    title="macro-average t",
    offers=("estimate", "interval", "test"),
    **OF_OUTCOMES,
    assumes=(GROUPS_VARY, GROUPS_HAVE_SPREAD),
    standing=Standing.SOUND,
    rationale="uses the variance within groups only, because the groups are fixed and not a sample of groups",
    validity="fixed groups, not a sample of groups, of 5 or more examples (or clusters) each",
    where={"smallest_group": (5, np.inf)},
    reference="satterthwaite1946",
    test={"only_two": True, "statistic": "t"},
)
def macro_average(outcomes: Outcomes) -> Student:
    """Mean over groups of their means, with equal weights, and Student's interval and t test.

    Notes
    -----
    Var = Σ V_g/T² over T groups, V_g = s²/n the squared standard error of a group's mean (cluster-robust for clustered
    examples; the contributions of a cluster with examples in several groups are added), with Satterthwaite's degrees of
    freedom. The groups are fixed, not a sample.

    Weighting every example by 1/(T·n_g) gives the same mean, but the wrong standard error: deviations from the overall
    mean include the differences between groups, which are the same in any other sample of examples.

    A group with a single example (or cluster) has no variance estimate; the largest possible one within the range of
    the scores is used, and without a range the interval is infinite.

    Examples
    --------
    >>> a, b = [0.5, 0.7, 0.9, 0.4, 0.6], [0.6, 0.8, 0.9, 0.6, 0.7]
    >>> outcomes = Outcomes.from_scores(a, b, metric="rouge", groups=["es", "es", "es", "fi", "fi"])
    >>> pivot = macro_average(outcomes)
    >>> pivot.location.round(3), pivot.test(0.0, "two-sided").pvalue.round(4), pivot.interval(0.05, "two").high.round(3)
    (np.float64(0.108), np.float64(0.0745), np.float64(0.244))
    """
    mean_moments = macro_moments(outcomes)
    return as_student(outcomes, mean_moments, location=mean_moments.mean)


def macro_moments(outcomes: Outcomes) -> MeanMoments:
    """Return the mean over groups, its standard error and degrees of freedom, and the size of the smallest group.

    Examples
    --------
    >>> outcomes = Outcomes.from_scores([0.5, 0.7, 0.9, 0.8], metric="rouge", groups=["es", "es", "fi", "fi"])
    >>> mean, error, freedom, units, _ = macro_moments(outcomes)
    >>> mean.round(3), error.round(4), freedom.round(2), units
    (np.float64(0.725), np.float64(0.0559), np.float64(1.47), np.int64(2))
    """
    groups = _require_groups(outcomes)
    by_group = [moments(group) if outcomes.clusters is None else robust_moments(group, "CR2") for group in groups]
    single = [group_moments.units < ALONE for group_moments in by_group]
    least, most = outcomes.range
    size = score_size(outcomes)
    unit_size = unit(size)[..., None]
    # A group without a variance estimate has that of a fair coin between the ends of the range.
    unknown = (most - least) / 2
    scaled = np.stack([group_moments.error for group_moments in by_group], axis=-1) / unit_size
    errors = np.where(single, unknown / unit_size, scaled)
    freedoms = np.where(single, np.inf, [group_moments.freedom for group_moments in by_group])
    unknown_everywhere = any(single) & ~(np.where(single, 0.0, scaled) > 0).any(
        axis=-1, keepdims=True
    )  # no group has a variance estimate
    unbounded = np.asarray(np.isinf(errors).any(axis=-1, keepdims=True) | unknown_everywhere)
    variances = np.where(unbounded, 0.0, errors) ** 2
    total = variances.sum(axis=-1)
    freedom = ratio(total**2, (variances**2 / freedoms).sum(axis=-1), empty=1.0)
    if outcomes.clusters is not None:
        total = total + _covariance_across_groups(outcomes, groups, unit_size[..., 0])
        freedom = np.minimum(freedom, max(outcomes.cluster_count - 1, 1))
    means = np.stack([np.asarray(group_moments.mean) for group_moments in by_group])
    mean = without_rounding(means.mean(axis=0), np.abs(means).max(axis=0))
    error = np.sqrt(np.maximum(total, 0.0)) / len(groups)
    error = without_rounding(error, 1 / np.sqrt(outcomes.examples)) * unit_size[..., 0]
    units = np.where(unbounded[..., 0], 1, min(group_moments.units for group_moments in by_group))[()]
    return MeanMoments(mean, error, np.minimum(freedom, 1e12), units, size)


def group_units(outcomes: Outcomes) -> list[int]:
    """Return the number of independent examples (or clusters) of each group; 1 if one of them has all the weight.

    Examples
    --------
    >>> group_units(Outcomes.from_scores([0.5, 0.7, 0.9], metric="rouge", groups=["es", "es", "fi"]))
    [2, 1]
    """
    groups = _require_groups(outcomes)
    return [1 if clusters_of(group).effective < ALONE else group.cluster_count for group in groups]


def _require_groups(outcomes: Outcomes) -> list[Outcomes]:
    if outcomes.groups is None:
        raise InvalidEvidence(
            "method 'macro-average' needs groups, got none. Specify `groups`, or use method='mean-t' for the mean over"
            " all examples."
        )
    return [group for _, group in outcomes.by_group()]


def _covariance_across_groups(outcomes: Outcomes, groups: list[Outcomes], unit_size: Numbers) -> Numbers:
    """Return the covariance that clusters in several groups add to the variance of the sum, in squared units.

    A cluster's contributions to the groups' means are correlated: the square of their sum minus the sum of squares.
    """
    totals, squares = np.zeros((2, *outcomes.shape, outcomes.cluster_count))
    for code, group in enumerate(groups):
        contributions = cluster_parts(group)
        scale, _ = corrections(contributions.clusters)
        parts = contributions.parts * np.sqrt(scale) * (contributions.unit / unit_size)[..., None]
        codes = np.unique(outcomes.clusters[outcomes.groups == code])  # type: ignore[index]  # both are there
        totals[..., codes] += parts
        squares[..., codes] += parts**2
    return (totals**2 - squares).sum(axis=-1)
