"""The design of a table of scores that was observed: its own data sets, drawn again, on which learners are alike."""

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
    """As many data sets as were observed, drawn from them with replacement.

    The differences of two learners are moved so that their middle is the `difference` asked for: only how they
    spread is taken from the table, and never how far they are from 0. A data set is drawn with all of its runs. Data
    sets that one of the two has no score on are left out.

    Of several learners, who has which score is drawn anew on each data set, so that all are alike; the last is then
    better by the difference. What is tied stays tied, and cells that are missing stay so.

    Parameters
    ----------
    like
        The table of scores.
    centre
        Which middle the difference is: "mean", "median" or "pseudomedian". None: the one that a method speaks of.
    difference
        loss(A) − loss(B); of several learners, by how much the last is better than the others.

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
        """What the learners are called."""
        return self.like.learners

    @property
    def datasets(self) -> int:
        """How many data sets are drawn: all; of two learners, those that both have a score on."""
        return int(self.like.compared) if self._has_two_learners else len(self.like.datasets)

    @property
    def _has_two_learners(self) -> bool:
        return len(self.names) == 2

    @property
    def offsets(self) -> Mapping[str, float]:
        """Where the middles of the observed differences are; several learners are alike, so theirs are 0."""
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
        """A quarter, a half and a whole standard deviation of the difference on one data set."""
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
        """What a difference is here: of the metric that the table holds."""
        higher = self.like.metric.higher_is_better
        return name_difference(self.like.metric.name, higher_is_better=higher, several=not self._has_two_learners)

    @property
    def block(self) -> int:  # type: ignore[override]
        """How many trials are drawn at once: fewer where each is large."""
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
        """Return the correlation of runs: the same on all data sets, which differ between trials."""
        if self.like.rho is None:
            return None
        return np.full(self.datasets, self.like.rho.mean())

    @property
    def facts(self) -> dict[str, float]:
        """How many data sets and learners there are, and runs of each."""
        return {"datasets": self.datasets, "learners": len(self.names), "runs": self.like.loss.shape[-1]}

    def describe(self) -> str:
        """Return what is collected, in words."""
        who = " and ".join(self.names) if self._has_two_learners else f"{len(self.names)} learners"
        text = f"{who}, {self.datasets} data sets resampled from those observed"
        return f"{text}, difference {self.difference:.4g}" if self.difference else text

    def as_dict(self) -> dict[str, Any]:
        """Return the design's name and its parameters; the table by its fingerprint."""
        digest = sha256("\n".join((self.like.metric.name, *self.like.learners, *self.like.datasets)).encode())
        digest.update(np.ascontiguousarray(self.like.loss).tobytes())
        parameters = {"centre": self.centre, "difference": self.difference, "like": digest.hexdigest()[:16]}
        return {"design": type(self).__name__} | parameters
