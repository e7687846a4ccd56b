"""Posterior probabilities of superiority and of practical equivalence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Evidence, Resamples, ScoreTable
from ..results import Interval, Practical
from .assumptions import Assumption, Context
from .limits import as_interval
from .registry import check_options, look_up

_OF_SPLITS = "bayesian-correlated-t"
_OVER_DATA_SETS = ("bayesian-signed-rank", "bayesian-sign", "hierarchical")


def practical_probabilities(
    evidence: Resamples | ScoreTable,
    *,
    rope: float = 0.01,
    rho: float | None = None,
    method: str | None = None,
    **options: Any,
) -> Practical:
    """Return the posterior probabilities that A is better, that both are practically equivalent, and that B is better.

    On the splits of one data set the posterior is that of `bayesian-correlated-t`. Over many data sets it is that of
    `bayesian-signed-rank`, `bayesian-sign` or `hierarchical`, and applies to the next data set. If all differences are
    equal, the posterior is concentrated on their mean: one of the probabilities is 1, and a check fails. A difference
    of exactly the size of the rope is practically equivalent.

    Parameters
    ----------
    evidence
        The losses of two learners on the same splits, or their scores on many data sets.
    rope
        The region of practical equivalence: differences up to this size in either direction.
    rho
        The correlation of differences on two splits. Default: the share of the examples that are tested.
    method
        Over many data sets: "bayesian-signed-rank" (default), "bayesian-sign" or "hierarchical".
    options
        Other options of the method: prior, resamples, rng.

    Examples
    --------
    >>> resamples = Resamples.from_scores([0.7, 0.7, 0.7, 0.6], [0.8, 0.7, 0.9, 0.8], plan="4-fold")
    >>> print(practical_probabilities(resamples, rope=0.02))
      rope      P(A better) = 0.071, P(equivalent within 0.02) = 0.052,
                P(B better) = 0.877
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.93, 0.8]})
    >>> print(practical_probabilities(table, rope=0.02, method="bayesian-sign"))
      rope      P(A better) < 0.001, P(equivalent within 0.02) = 0.312,
                P(B better) = 0.688
    """
    if isinstance(evidence, ScoreTable):
        return _over_data_sets(evidence, rope, rho, method or _OVER_DATA_SETS[0], options)
    if not isinstance(evidence, Resamples):
        raise InvalidEvidence(
            "`evidence` must be a Resamples (two learners on splits) or a ScoreTable (learners over data sets), got"
            f" {type(evidence).__name__}."
        )
    if method not in {None, _OF_SPLITS} or options:
        option = f"method={method!r}" if method not in {None, _OF_SPLITS} else f"{next(iter(options))}="
        raise InvalidOption(
            f"{option} is for scores over many data sets, got splits. Leave it out, or use method={_OF_SPLITS!r}."
        )
    from .resamples.assumptions import SPREAD_OF_DIFFERENCES
    from .resamples.corrected import bayesian_correlated_interval, correlated_probabilities

    practical = correlated_probabilities(evidence, rope=rope, rho=rho)
    return _attach_check(
        practical, SPREAD_OF_DIFFERENCES, evidence, bayesian_correlated_interval(evidence, rho=rho).interval()
    )


def _over_data_sets(
    table: ScoreTable, rope: float, rho: float | None, method: str, options: dict[str, Any]
) -> Practical:
    """Return the probabilities by the method of this name; raise InvalidOption if it has none."""
    test = look_up(method, "test", ScoreTable)
    if test is None or "rope" not in test.options:
        raise InvalidOption(f"`method` must be one of {', '.join(map(repr, _OVER_DATA_SETS))}, got {method!r}.")
    settings = options if rho is None else options | {"rho": rho}
    check_options(settings, test, spoken_for=("rope",))
    practical: Practical = test(table, rope=rope, **settings).practical
    from .score_table.assumptions import DATA_SETS_HAVE_SPREAD

    if DATA_SETS_HAVE_SPREAD not in test.assumes:  # it weights every data set equally, and needs no spread
        return practical
    least, most = (np.asarray(end) for end in table.range)
    everything = as_interval(method, (least, most), 0.05, "two", "difference", table.range)
    return _attach_check(practical, DATA_SETS_HAVE_SPREAD, table, everything)


def _attach_check(practical: Practical, spread: Assumption, evidence: Evidence, interval: Interval) -> Practical:
    """Return the probabilities with the check of the spread, if it fails."""
    check = spread.check(evidence, Context(interval=interval))
    return practical if np.all(check.holds) else replace(practical, checks=(check,))
