"""Clustered examples that are tested as if they were independent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from ...evidence import PairedTable
from ...methods import Offer
from ...typing_ import FloatArray
from ..design import Design, Everything, one_rate, whole
from .paired import PairedOutcomes

_MOST = 1000  # examples whose tables of discordant errors are listed: half a million
_MOST_CELLS = 100  # and if four cells are read


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClusteredOutcomes(Design):
    """Two classifiers on clustered examples, counted as if the examples were independent.

    Every cluster has an outcome (both wrong, only A, only B, both right), drawn with the design's probabilities. An
    example has the outcome of its cluster with probability √`correlation`, and otherwise an independent outcome with
    the same probabilities. So a single example is as in `PairedOutcomes`, outcomes of two examples of one cluster have
    exactly this correlation, and the variance of every count is 1 + (size − 1) · correlation times that of independent
    examples.

    Parameters
    ----------
    error_a, error_b, disagreement
        As for `PairedOutcomes`.
    clusters
        The number of clusters.
    size
        The number of examples in each cluster.
    correlation
        The correlation of the outcomes of two examples of one cluster, from 0 to 1.

    Examples
    --------
    >>> from tellapart.lab import calibrate
    >>> design = ClusteredOutcomes(0.1, 0.1, 0.1, clusters=60, size=5, correlation=0.5)
    >>> design.inflation
    3.0
    >>> found = calibrate("mcnemar-mid-p", design, differences=[])
    >>> found.trials, found.size.value.round(3)
    ('exact', np.float64(0.255))
    """

    error_a: float
    error_b: float
    disagreement: float
    clusters: int
    size: int
    correlation: float
    evidence: ClassVar = (PairedTable,)
    usual: ClassVar = PairedOutcomes.usual

    def __post_init__(self) -> None:
        for name in ("error_a", "error_b", "disagreement", "correlation"):
            object.__setattr__(self, name, one_rate(name, getattr(self, name)))
        for name in ("clusters", "size"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        _ = self.independent  # raises if errors and discordant rate contradict

    @property
    def examples(self) -> int:
        """Number of examples."""
        return self.clusters * self.size

    @property
    def independent(self) -> PairedOutcomes:
        """The design with the same number of independent examples."""
        a, b, discordant = (np.asarray(value) for value in (self.error_a, self.error_b, self.disagreement))
        return PairedOutcomes(a, b, discordant, self.examples)

    @property
    def inflation(self) -> float:
        """Design effect: the variance of a count divided by that for independent examples."""
        return 1 + (self.size - 1) * self.correlation

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences, as for independent examples."""
        return self.independent.grid

    def at(self, difference: float) -> Self:
        """Return the design with the same discordant rate and this difference of error rates."""
        moved = self.independent.at(difference)
        return replace(self, error_a=float(moved.error_a), error_b=float(moved.error_b))

    def truth(self, parameter: str) -> FloatArray:
        """Return the true value for single examples."""
        return self.independent.truth(parameter)

    def view(self, method: Offer, learners: int = 2) -> str:
        """Return whether a method uses all four cells, or only discordant errors."""
        return self.independent.view(method, learners)

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the tables: by cluster an outcome, examples that share it, and independent examples."""
        shares = np.array([float(cell) for cell in self.independent.cells])
        shares /= shares.sum()
        clusters = rng.multinomial(self.clusters, shares, trials)
        repeated = rng.binomial(clusters * self.size, np.sqrt(self.correlation))
        others = rng.multinomial(self.examples - repeated.sum(axis=-1), shares)
        return dict.fromkeys(views, PairedTable(*(repeated + others).T))

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return the number of tables, 0 if there are too many."""
        n = self.examples
        if view == "four cells":
            return (n + 1) * (n + 2) * (n + 3) // 6 if n <= _MOST_CELLS else 0
        return (n + 1) * (n + 2) // 2 if n <= _MOST else 0

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:
        """Return every table; for methods that use only discordant errors, all other examples are right."""
        cells = 3 if view == "four cells" else 2
        box = (self.examples + 1,) * cells
        places = np.flatnonzero(np.add.reduce(np.indices(box, dtype=np.int32), axis=0) <= self.examples)
        chance = np.stack([_count_probabilities(design, cells)[places] for design in conditions], axis=-1)
        counts = [part.astype(np.int64) for part in np.unravel_index(places, box)]
        a, b, wrong = counts if cells == 3 else (*counts, np.zeros_like(counts[0]))
        return Everything(PairedTable(wrong, a, b, self.examples - a - b - wrong), chance)

    @property
    def facts(self) -> dict[str, float]:
        """The facts of independent examples, and the design effect."""
        return {**self.independent.facts, "inflation": self.inflation}

    def describe(self) -> str:
        """Return a description of the design."""
        clusters = f"{self.clusters} clusters of {self.size} examples"
        population = self.independent.describe_population()
        return f"{population}, {clusters}, intraclass correlation {self.correlation:.4g}"


def _count_probabilities(design: ClusteredOutcomes, cells: int) -> FloatArray:
    """Return the probability of every count of only A wrong, only B wrong (and both wrong), along one dimension.

    The counts of a cluster have the generating function g(s) = Σ_z π_z (√ρ s_z + (1 − √ρ) Σ_c π_c s_c)^size, those of
    all clusters its power; its values on the unit circle are the Fourier transform of the probabilities.
    """
    both, only_a, only_b, _ = (float(cell) for cell in design.independent.cells)
    shares = [only_a, only_b, both][:cells]
    turn = np.exp(-2j * np.pi * np.arange(design.examples + 1) / (design.examples + 1))
    marks = [turn.reshape([-1 if kind == axis else 1 for kind in range(cells)]) for axis in range(cells)]
    copies = np.sqrt(design.correlation)
    left = 1 - sum(shares)  # without four cells, errors of both count as right
    others = (1 - copies) * (sum(share * mark for share, mark in zip(shares, marks, strict=True)) + left)
    cluster = left * (copies + others) ** design.size
    for share, mark in zip(shares, marks, strict=True):
        cluster = cluster + share * (copies * mark + others) ** design.size
    probabilities = np.fft.ifftn(cluster**design.clusters).real.ravel()
    return np.asarray(np.maximum(probabilities, 0.0))
