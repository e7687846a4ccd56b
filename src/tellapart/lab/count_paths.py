"""Interim analyses of a growing test set: the probability of each path of the counts until a rule decides.

Between two looks the counts grow by a multinomial draw. `listed` carries the probability of every count along and takes
out what a rule decides at each look, so that nothing is left to chance; `drawn` follows so many trials instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from ..evidence import ErrorCount, PairedTable
from ..methods import Offer
from ..numerics.distributions import binomial_quantile
from ..typing_ import FloatArray, IntArray
from .designs.paired import PairedOutcomes
from .designs.rates import OneRate

_NEGLIGIBLE = 1e-18  # probability of what is left out at either end of a count, and of counts that are skipped
_FEW = 12  # examples that are taken one by one; for more of them a Fourier transform is quicker
_BLOCK = 100_000  # trials that are drawn at once

Step = Callable[[int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Watcher:
    """A test that is computed at each look, and its decision.

    Parameters
    ----------
    method, options
        The registered test, and what it is called with.
    bounds
        The critical p-value of each look; 0 if there is no look.
    scored
        The bounds are of the statistic: what |z| must reach.
    null
        The value that the estimate is compared with for the direction of the decision.
    """

    method: Offer
    options: Mapping[str, Any]
    bounds: FloatArray
    scored: bool
    null: float

    def looks(self, look: int) -> bool:
        """Return whether the rule can decide at this look."""
        return bool(np.isfinite(self.bounds[look]) if self.scored else self.bounds[look] > 0)

    def __call__(self, evidence: Any, look: int) -> IntArray:
        """Return 1 for error(A) larger (or the error above the threshold), −1 for smaller, 0 to continue."""
        bound = float(self.bounds[look])
        level_options = {"alpha": bound} if "alpha" in self.method.options else {}
        result = self.method(evidence, **self.options, **level_options)
        decided = np.abs(result.statistic) >= bound if self.scored else result.rejected(bound)
        return np.where(decided, np.where(evidence.quantity < self.null, -1, 1), 0)


@dataclass(frozen=True, slots=True)
class Course:
    """Arrival of examples: the probabilities of the counted outcomes, and the evidence from the counts.

    Examples
    --------
    >>> course = Course.of(OneRate(0.1, 50))
    >>> course.counted, course.evidence([3, 17])
    ((0.1,), ErrorCount(errors=3, trials=20))
    """

    counted: tuple[float, ...]  # of discordant errors of A and of B; of errors
    cells: tuple[float, ...]  # of everything that may happen to an example
    pairs: bool

    @classmethod
    def of(cls, design: PairedOutcomes | OneRate) -> Course:
        """Return the arrival of the examples of a design."""
        if isinstance(design, PairedOutcomes):
            both, a, b, right = map(float, design.cells)
            return cls((a, b), (both, a, b, right), True)
        error = float(design.error)
        return cls((error,), (error, 1 - error), False)

    def evidence(self, cells: Sequence[Any]) -> PairedTable | ErrorCount:
        """Return the evidence with these numbers of examples of each kind."""
        return PairedTable(*cells) if self.pairs else ErrorCount(cells[0], cells[0] + cells[1])

    def evidence_of_counts(self, counts: Sequence[Any], examples: int) -> PairedTable | ErrorCount:
        """Return the evidence with these numbers of discordant errors (or errors); all other examples are right."""
        rest = examples - sum(counts)
        return self.evidence([0 * rest, *counts, rest] if self.pairs else [*counts, rest])


# --- Every count, by its probability --------------------------------------------------------------


def states(course: Course, looks: IntArray) -> int:
    """Return the number of counts in `listed`.

    Examples
    --------
    >>> states(Course.of(OneRate(0.1, 50)), np.array([25, 50]))
    32
    """
    return int(np.prod(_ring_lengths(course, looks)[1]))


def listed(course: Course, looks: IntArray, watchers: Sequence[Watcher], step: Step = lambda _: None) -> FloatArray:
    """Return the probability that each watcher decides at each look for A, and for B.

    Counts live on a ring that is as long as the widest range of counts that have any probability at a look: the range
    moves on as examples arrive, and what would be met on the other side of the ring is negligible.

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> test = find_method("clopper-pearson", "test", ErrorCount)
    >>> watcher = Watcher(test, {"against": 0.5}, np.full(6, 0.2), False, 0.5)
    >>> listed(Course.of(OneRate(0.5, 6)), np.arange(1, 7), [watcher])[0].round(4)  # four alike have p = 0.125
    array([[0.    , 0.    ],
           [0.    , 0.    ],
           [0.    , 0.    ],
           [0.0625, 0.0625],
           [0.    , 0.    ],
           [0.    , 0.    ]])
    """
    lows, lengths = _ring_lengths(course, looks)
    state = np.zeros((len(watchers), *lengths))
    state.reshape(len(watchers), -1)[:, 0] = 1.0  # no example, no count
    stopped = np.zeros((len(watchers), looks.size, 2))
    move = _make_mover(course.counted, lengths)
    for look, (before, examples) in enumerate(pairwise([0, *looks.tolist()])):
        state = move(state, examples - before)
        ends = zip(lows[:, look].tolist(), lengths, strict=True)
        counts = np.meshgrid(*(low + (np.arange(length) - low) % length for low, length in ends), indexing="ij")
        state *= sum(counts) <= examples  # what rounding left where nothing can be
        for index, watcher in enumerate(watchers):
            if watcher.looks(look):
                stopped[index, look] = _taken_out(state[index], counts, course, examples, watcher, look)
        step(1)
    return stopped


def _taken_out(
    state: FloatArray, counts: Sequence[IntArray], course: Course, examples: int, watcher: Watcher, look: int
) -> tuple[float, float]:
    """Return the probabilities of the paths that a watcher decides at a look, for A and for B, and remove them."""
    probable = np.nonzero(state > _NEGLIGIBLE)
    if not probable[0].size:
        return 0.0, 0.0
    evidence = course.evidence_of_counts([part[probable] for part in counts], examples)
    signs, chance = watcher(evidence, look), state[probable]
    state[probable] = np.where(signs == 0, chance, 0.0)
    return float(chance[signs < 0].sum()), float(chance[signs > 0].sum())


def _ring_lengths(course: Course, looks: IntArray) -> tuple[IntArray, tuple[int, ...]]:
    """Return the start of the range of each count at each look, and the length of the ring buffer."""
    from scipy.fft import next_fast_len

    rates = np.array(course.counted)[:, None]
    low = binomial_quantile(_NEGLIGIBLE, looks, rates)
    high = looks - binomial_quantile(_NEGLIGIBLE, looks, 1 - rates)
    return low, tuple(int(next_fast_len(int(width), real=True)) for width in (high - low + 1).max(axis=1))


def _make_mover(rates: Sequence[float], lengths: tuple[int, ...]) -> Callable[[FloatArray, int], FloatArray]:
    """Return a function that updates the probabilities by a number of examples."""
    from scipy.fft import irfftn, rfftn

    axes = tuple(range(1, len(lengths) + 1))
    rest = max(1 - sum(rates), 0.0)

    @cache
    def grown(examples: int) -> Any:
        """Return the transform for n examples: that of one, (1 − Σp + Σ p·ω), to the power n."""
        turns = [np.exp(-2j * np.pi * np.arange(length) / length) for length in lengths]
        turns[-1] = turns[-1][: lengths[-1] // 2 + 1]  # real numbers have transforms that mirror themselves
        each = np.meshgrid(*turns, indexing="ij")
        return (rest + sum(rate * turn for rate, turn in zip(rates, each, strict=True))) ** examples

    def move(state: FloatArray, examples: int) -> FloatArray:
        if examples > _FEW:
            moved = irfftn(rfftn(state, axes=axes) * grown(examples), s=lengths, axes=axes)
            return np.maximum(moved, 0.0)
        for _ in range(examples):
            state = rest * state + sum(
                rate * np.roll(state, 1, axis) for rate, axis in zip(rates, axes, strict=True) if rate
            )
        return state

    return move


# --- Trials ---------------------------------------------------------------------------------------


def drawn(
    course: Course,
    looks: IntArray,
    watchers: Sequence[Watcher],
    trials: int,
    rng: np.random.Generator,
    step: Step = lambda _: None,
) -> FloatArray:
    """Return the share of trials in which each watcher decides at each look, for A and for B.

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> test = find_method("clopper-pearson", "test", ErrorCount)
    >>> watcher = Watcher(test, {"against": 0.5}, np.full(6, 0.2), False, 0.5)
    >>> found = drawn(Course.of(OneRate(0.5, 6)), np.arange(1, 7), [watcher], 1000, np.random.default_rng(0))
    >>> bool(abs(found.sum() - 0.125) < 0.05)
    True
    """
    stopped = np.zeros((len(watchers), looks.size, 2))
    for size in blocks(trials):
        cells = np.zeros((size, len(course.cells)), dtype=np.int64)
        going = np.ones((len(watchers), size), dtype=bool)
        for look, (before, examples) in enumerate(pairwise([0, *looks.tolist()])):
            cells += rng.multinomial(examples - before, np.divide(course.cells, sum(course.cells)), size)
            for index, watcher in enumerate(watchers):
                left = np.flatnonzero(going[index])
                if left.size and watcher.looks(look):
                    signs = watcher(course.evidence(list(cells[left].T)), look)
                    stopped[index, look] += (signs < 0).sum(), (signs > 0).sum()
                    going[index, left[signs != 0]] = False
            step(1)
    return stopped / trials


def blocks(trials: int) -> list[int]:
    """Yield the numbers of trials to draw at once.

    Examples
    --------
    >>> blocks(250_000)
    [100000, 100000, 50000]
    """
    whole, rest = divmod(trials, _BLOCK)
    return [_BLOCK] * whole + [rest] * (rest > 0)
