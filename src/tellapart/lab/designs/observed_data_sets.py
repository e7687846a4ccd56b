"""The design of an observed table of scores: bootstrap samples of its data sets, with equal learners."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ScoreTable, is_one
from ...typing_ import FloatArray, one_of
from ..design import name_difference, one_number
from .data_sets import OverDataSets, grid_of
from .effect_distributions import CENTRES, Centre, middles

_NUMBERS = 3_000_000  # drawn at once
_DIGITS = 12  # to which the middles are known


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ObservedDataSets(OverDataSets):
    """Bootstrap samples of the observed data sets.

    The differences of two learners are shifted so that their location parameter is the requested `difference`: only
    their spread is taken from the table, not their mean. A data set is drawn with all of its runs. Data sets on which
    one of the two has no score are left out.

    With several learners, the scores are randomly permuted between learners on each data set, so that all are equal;
    then the last is better by the difference. Ties and missing cells remain.

    Parameters
    ----------
    like
        The table of scores.
    centre
        The location parameter of the difference: "mean", "median" or "pseudomedian"; None for that of each method.
    difference
        loss(A) − loss(B); with several learners, the advantage of the last over the others.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.7, 0.9, 0.66]})
    >>> design = ObservedDataSets(table)
    >>> design.describe()
    'nb and tree, 4 data sets resampled from those observed'
    >>> {name: round(off, 3) for name, off in design.offsets.items()}
    {'mean': 0.02, 'median': 0.02, 'pseudomedian': 0.02}
    """

    like: ScoreTable
    centre: Centre | None = None
    difference: float = 0.0

    def __post_init__(self) -> None:
        if not is_one(self.like, ScoreTable):
            raise InvalidOption(f"`like` must be one ScoreTable, got {self.like!r}. Of several take one: table[0].")
        if len(self.like.learners) < 2:
            raise InvalidOption("`like` must have at least two learners, got one.")
        complete = int(self.like.compared)
        least = 2 if len(self.like.learners) == 2 else 1
        if complete < least:
            raise InvalidOption(
                f"`like` must have {least} data set{'s' * (least > 1)} or more with a score for every learner, got"
                f" {complete}. Leave out a learner: table.select(a, b)."
            )
        if self.centre is not None:
            one_of("centre", self.centre, Centre)
        object.__setattr__(self, "difference", one_number("difference", self.difference))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the learners."""
        return self.like.learners

    @property
    def datasets(self) -> int:
        """Number of data sets drawn: all, or with two learners those with scores of both."""
        return int(self.like.compared) if self._has_two_learners else len(self.like.datasets)

    @property
    def _has_two_learners(self) -> bool:
        return len(self.names) == 2

    @property
    def offsets(self) -> Mapping[str, float]:
        """Location parameters of the observed differences; 0 with several learners, which are equal."""
        if not self._has_two_learners:
            return dict.fromkeys(CENTRES, 0.0)
        # Half a step of the resolution of tables would break ties: losses are moved by whole ones.
        step = 10.0 ** (math.ceil(math.log10(max(float(np.nanmax(np.abs(self.like.loss))), 1e-300))) - _DIGITS)
        return {name: round(off / step) * step for name, off in middles(self._observed_differences).items()}

    @property
    def _observed_differences(self) -> FloatArray:
        observed = self.like.differences
        return np.asarray(observed[~np.isnan(observed)])

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: 0.25, 0.5 and 1 standard deviations of the difference on one data set."""
        if self._has_two_learners:
            return grid_of(float(self._observed_differences.std(ddof=1)))
        cells = self.like.cells[self.like.known.all(axis=-1)]
        return grid_of(math.sqrt(2.0 * float(cells.var(axis=1, ddof=1).mean())))  # as of two that are drawn alike

    @property
    def in_points(self) -> bool:
        """Whether differences are of error rates."""
        return self.like.metric.name == "error"

    @property
    def difference_name(self) -> str:
        """Name of a difference: that of the table's metric."""
        higher = self.like.metric.higher_is_better
        return name_difference(self.like.metric.name, higher_is_better=higher, several=not self._has_two_learners)

    @property
    def block(self) -> int:  # type: ignore[override]
        """Number of trials drawn at once; fewer if they are large."""
        return max(1, min(5000, _NUMBERS // self.like.loss.size))

    def _draw_losses(self, trials: int, rng: np.random.Generator) -> FloatArray:
        """Return losses by trial, learner, data set and run."""
        loss = self.like.loss
        drawn = rng.integers(self.datasets, size=(trials, self.datasets))
        if self._has_two_learners:
            kept = np.flatnonzero(self.like.known.all(axis=-1))
            return np.asarray(np.moveaxis(loss[:, kept[drawn]], 0, 1))
        known = self.like.known
        empty = ~known[drawn].any(axis=1).all(axis=-1)  # somebody is without any score
        drawn[empty, 0] = np.flatnonzero(known.all(axis=-1))[0]
        rows = np.moveaxis(loss, 0, 1)[drawn]  # trial, data set, learner, run
        # Who has which score: in an order of its own on each data set, among those that have one.
        places = np.argsort(np.where(known[drawn], rng.random((*drawn.shape, len(self.names))), 2.0), axis=-1)
        holders = np.argsort(~known[drawn], axis=-1, kind="stable")
        shuffled = np.empty_like(rows)
        np.put_along_axis(shuffled, holders[..., None], np.take_along_axis(rows, places[..., None], axis=2), axis=2)
        return np.moveaxis(shuffled, 2, 1)

    def _run_correlation(self) -> FloatArray | None:
        """Return the correlation of runs, equal for all data sets."""
        if self.like.rho is None:
            return None
        return np.full(self.datasets, self.like.rho.mean())

    @property
    def facts(self) -> dict[str, float]:
        """Numbers of data sets, learners and runs."""
        return {"datasets": self.datasets, "learners": len(self.names), "runs": self.like.loss.shape[-1]}

    def describe(self) -> str:
        """Return a description of the design."""
        who = " and ".join(self.names) if self._has_two_learners else f"{len(self.names)} learners"
        text = f"{who}, {self.datasets} data sets resampled from those observed"
        return f"{text}, difference {self.difference:.4g}" if self.difference else text

    def as_dict(self) -> dict[str, Any]:
        """Return the design's name and its parameters; the table by its fingerprint."""
        digest = sha256("\n".join((self.like.metric.name, *self.like.learners, *self.like.datasets)).encode())
        digest.update(np.ascontiguousarray(self.like.loss).tobytes())
        parameters = {"centre": self.centre, "difference": self.difference, "like": digest.hexdigest()[:16]}
        return {"design": type(self).__name__} | parameters
