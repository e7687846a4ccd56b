"""Errors of two simulated learners on the test sets of a plan, by three equivalent algorithms.

A population has kinds of examples. An example of a kind is misclassified by A, by B, by both or by neither with fixed
probabilities, independently in every training run. Samples are drawn with replacement and split into test sets. Three
algorithms give the numbers of errors on each test set:

- `by_points` draws every example of every test set, for any number of kinds;
- `by_counts` draws the number of examples of each kind in a test set (hypergeometric) and the number of errors among
  them (binomial), for a few kinds;
- `by_tables` draws from alias tables of the exact distribution, for one or two kinds, with one uniform number per test
  set.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from ...numerics.hypergeometric import log_probability
from ...typing_ import FloatArray, IntArray
from ..models import binomial_probability

_POINTS = 1_000_000  # examples in memory at once
_CELLS = 2_000_000  # cells of the alias tables of one plan
_NEGLIGIBLE = 1e-18  # probability of counts that tables omit


class Kinds(NamedTuple):
    """Kinds of examples: their shares, and the error probabilities of A, and of B given A.

    Plain tuples, so that tables can be remembered by them.
    """

    shares: tuple[float, ...]
    a: tuple[float, ...]
    b_if_wrong: tuple[float, ...]
    b_if_right: tuple[float, ...]

    @classmethod
    def independent(cls, shares: FloatArray, a: FloatArray, b: FloatArray) -> Kinds:
        """Return kinds of examples with independent errors of A and B."""
        return cls(tuple(shares.tolist()), tuple(a.tolist()), tuple(b.tolist()), tuple(b.tolist()))

    def as_one(self) -> Kinds:
        """Return all kinds as one: that of an example drawn from the population and tested once.

        Where there is but one kind, test sets are independent of each other, even of the same points.
        """
        shares, a, wrong, right = (np.array(part) for part in self)
        both, only_b = float(shares @ (a * wrong)), float(shares @ ((1 - a) * right))
        errors = min(float(shares @ a), 1.0)
        return Kinds((1.0,), (errors,), (_share_of(both, errors),), (_share_of(only_b, 1 - errors),))


class Splits(NamedTuple):
    """The test sets of a sample: repeats of disjoint sets of given sizes."""

    examples: int
    replicates: int
    sizes: tuple[int, ...]
    fresh: bool = False  # whether every replicate is of a sample of its own

    @property
    def once(self) -> bool:
        """Whether no example is tested twice, so every test set is like a new sample of the population."""
        return self.fresh or self.replicates == 1


class SimulatedErrors(NamedTuple):
    """Error counts by trial, repeat and fold: of A, of B, and (on request) of both on the same examples."""

    a: IntArray
    b: IntArray
    both: Any  # an array, or None


# --- Every point ----------------------------------------------------------------------------------


def by_points(
    kinds: Kinds, splits: Splits, trials: int, beta: float, together: bool, rng: np.random.Generator
) -> SimulatedErrors:
    """Return error counts from draws of every example of every test set."""
    step = max(_POINTS // splits.examples, 1)
    parts = [
        [_draw_replicate(kinds, splits, sample, beta, rng) for sample in samples]
        for samples in (
            _draw_samples(kinds, splits, min(step, trials - start), rng) for start in range(0, trials, step)
        )
    ]
    a, b, both = (
        np.concatenate([np.stack([arrays[index] for arrays in part], axis=1) for part in parts]) for index in range(3)
    )
    return SimulatedErrors(a, b, both if together else None)


def _draw_samples(kinds: Kinds, splits: Splits, trials: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Yield the kinds of the examples of a sample in a new order, for each repeat."""
    bounds = np.cumsum(kinds.shares)[:-1]
    sample = None
    for _ in range(splits.replicates):
        if sample is None or splits.fresh:
            sample = np.searchsorted(bounds, rng.random((trials, splits.examples)), side="right")
            yield sample
        else:
            yield rng.permuted(sample, axis=1)


def _draw_replicate(
    kinds: Kinds, splits: Splits, sample: IntArray, beta: float, rng: np.random.Generator
) -> tuple[IntArray, IntArray, IntArray]:
    ends = np.cumsum(splits.sizes)
    tested = sample[:, : ends[-1]]
    shift = np.repeat(_draw_shifts((len(sample), ends.size), beta, rng), splits.sizes, axis=1) if beta else 0.0
    a, if_wrong, if_right = (np.clip(np.array(part)[tested] + shift, 0, 1) for part in kinds[1:])
    wrong_a = rng.random(tested.shape) < a
    wrong_b = rng.random(tested.shape) < np.where(wrong_a, if_wrong, if_right)
    starts = (ends - splits.sizes).astype(np.int64)
    counts = (np.add.reduceat(part, starts, axis=1, dtype=np.int64) for part in (wrong_a, wrong_b, wrong_a & wrong_b))
    first, second, both = counts
    return first, second, both


def _draw_shifts(shape: tuple[int, ...], beta: float, rng: np.random.Generator) -> FloatArray:
    return rng.uniform(-beta, beta, shape)


# --- Counts of points -----------------------------------------------------------------------------


def by_counts(
    kinds: Kinds, splits: Splits, trials: int, beta: float, together: bool, rng: np.random.Generator
) -> SimulatedErrors:
    """Return error counts from draws of the number of examples of each kind and of their errors."""
    if splits.once and not beta:
        kinds = kinds.as_one()
    points = _draw_compositions(kinds, splits, trials, rng)
    shift = _draw_shifts(points[0].shape, beta, rng) if beta else None
    a, b, both = np.zeros((3, *points[0].shape), dtype=np.int64)
    for number, *rates in zip(points, *kinds[1:], strict=True):
        of_a, if_wrong, if_right = (rate if shift is None else np.clip(rate + shift, 0, 1) for rate in rates)
        wrong = rng.binomial(number, of_a)
        a += wrong
        if together or rates[1] != rates[2]:
            shared = rng.binomial(wrong, if_wrong)
            both += shared
            b += shared + rng.binomial(number - wrong, if_right)
        else:  # B does not mind where A was wrong
            b += rng.binomial(number, if_right)
    return SimulatedErrors(a, b, both if together else None)


def _draw_compositions(kinds: Kinds, splits: Splits, trials: int, rng: np.random.Generator) -> list[IntArray]:
    """Return the number of examples of each kind in each test set, by trial, repeat and fold."""
    shape = (trials, splits.replicates, len(splits.sizes))
    if len(kinds.shares) == 1:
        return [np.broadcast_to(np.array(splits.sizes), shape)]
    samples = (trials, splits.replicates if splits.fresh else 1)
    urn = np.moveaxis(rng.multinomial(splits.examples, kinds.shares, size=samples), -1, 0)  # kind, trial, replicate
    urn = np.array(np.broadcast_to(urn, (len(urn), *shape[:2])))
    points = np.empty((len(urn), *shape), dtype=np.int64)
    for fold, size in enumerate(splits.sizes):
        targets, others = np.full(shape[:2], size), urn.sum(axis=0)
        for kind in range(len(urn) - 1):
            others = others - urn[kind]
            points[kind, :, :, fold] = rng.hypergeometric(urn[kind], others, targets)
            targets = targets - points[kind, :, :, fold]
        points[-1, :, :, fold] = targets
        urn -= points[..., fold]
    return list(points)


# --- Alias tables ---------------------------------------------------------------------------------


def by_tables(kinds: Kinds, splits: Splits, trials: int, together: bool, rng: np.random.Generator) -> SimulatedErrors:
    """Return error counts from the exact distribution on a test set, for one or two kinds of examples.

    If examples are tested repeatedly, the distribution depends on the sample, and `together` is not available.
    """
    shape = (trials, splits.replicates, 1)
    codes = []
    if splits.once or len(kinds.shares) == 1:
        one = kinds.as_one()
        for size, several in groupby(splits.sizes):
            table = _of_one_kind(one, size)
            codes.append(table.draw(np.zeros(1, dtype=np.int64), (*shape[:2], len(list(several))), rng))
    else:
        of_first = rng.binomial(
            splits.examples, kinds.shares[0], (trials, 1, 1)
        )  # points of the first kind in the sample
        for urn, table in zip(_of_urns(splits), _of_two_kinds(kinds, splits), strict=True):
            inside = of_first if urn is None else urn.draw(of_first, shape, rng)
            codes.append(table.draw(inside, shape, rng))
            of_first = of_first - inside
    code = np.concatenate(codes, axis=-1)
    return SimulatedErrors(code >> 2 * _BITS, code >> _BITS & _MOST, code & _MOST if together else None)


def tables_pay(kinds: Kinds, splits: Splits, together: bool) -> bool:
    """Return whether tables are small enough, and give the requested counts."""
    one, alike = kinds.as_one(), splits.once or len(kinds.shares) == 1
    if max(splits.sizes) > _MOST or not (alike or len(kinds.shares) == 2):
        return False
    rates = [one.a[0], one.a[0] * one.b_if_wrong[0] + (1 - one.a[0]) * one.b_if_right[0]]
    if alike:
        rates.append(one.a[0] * one.b_if_wrong[0])
    elif together:
        return False
    rows = 1.0 if alike else _count_reach(splits.examples, kinds.shares[0])
    return all(rows * math.prod(_count_reach(size, rate) for rate in rates) <= _CELLS for size in set(splits.sizes))


def _count_reach(size: int, rate: float) -> float:
    """Return the approximate number of counts with positive probability."""
    return min(17 * math.sqrt(size * rate * (1 - rate)) + 2, size + 1)


_BITS = 10  # of a code, for each of the three counts
_MOST = 2**_BITS - 1  # points of a test set


class Alias(NamedTuple):
    """Alias tables: rows of distributions from which one uniform number draws a value (Walker 1977).

    Every cell of a row is hit equally often; up to its cut it yields its own value, and beyond it another's.
    """

    start: IntArray  # by row, of its cells
    length: IntArray
    cut: FloatArray  # by cell, counted from the first cell of all
    values: IntArray  # two for each cell: the other's, and its own

    @classmethod
    def of(cls, rows: list[tuple[IntArray, FloatArray]]) -> Alias:
        """Return the alias tables of rows of values and probabilities, without negligible values."""
        parts = [_alias_row(values[chance > _NEGLIGIBLE], chance[chance > _NEGLIGIBLE]) for values, chance in rows]
        length = np.array([keep.size for keep, _ in parts])
        keep, values = (np.concatenate(part) for part in zip(*parts, strict=True))
        return cls(np.cumsum(length) - length, length, keep + np.arange(keep.size), values.ravel())

    def draw(self, row: IntArray, shape: tuple[int, ...], rng: np.random.Generator) -> IntArray:
        """Return draws from the rows, broadcast to the shape."""
        point = rng.random(shape)
        point *= self.length[row]
        point += self.start[row]
        index = point.astype(np.int64)
        # A place that is computed from the comparison takes half the time of a choice that waits for it.
        own = point < self.cut.take(index, mode="clip")
        index <<= 1
        index += own
        return self.values.take(index, mode="clip")


def _alias_row(values: IntArray, chance: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the threshold and the alias of each cell of a row.

    Cells of less than the mean probability are topped up, one after the other, by those of more. How much has been
    asked for and how much was there, both added up, tell who gives to whom: no loop is needed. A giver who has
    given more than it had to spare is topped up by the next.
    """
    size = chance * (values.size / chance.sum())
    keep, other = np.ones(values.size), values.copy()
    poor, rich = np.flatnonzero(size < 1), np.flatnonzero(size >= 1)
    if poor.size and rich.size:  # if no cell is above the mean, cells below it are due to rounding
        lacking, spare = np.cumsum(1 - size[poor]), np.cumsum(size[rich] - 1)
        before = np.concatenate([[0.0], lacking[:-1]])
        giver = np.searchsorted(spare, before, side="right")
        keep[poor], other[poor] = size[poor], values[rich[np.minimum(giver, rich.size - 1)]]
        last = np.searchsorted(before, spare[:-1]) - 1  # the last to be given anything
        short = (last >= 0) & (lacking[last] > spare[:-1])
        keep[rich[:-1][short]] = 1 - (lacking[last[short]] - spare[:-1][short])
        other[rich[:-1]] = values[rich[1:]]
    return keep, np.stack([other, values], axis=1).astype(np.int32)


@lru_cache(maxsize=8)
def _of_one_kind(kind: Kinds, size: int) -> Alias:
    """Return the table of errors of A, of B and of both on a test set."""
    (errors,), (if_wrong,), (if_right,) = kind[1:]
    a, both, only_b = np.meshgrid(
        *_likely_counts(size, errors, errors * if_wrong, (1 - errors) * if_right), indexing="ij"
    )
    possible = (both <= a) & (only_b <= size - a)
    a, both, only_b = a[possible], both[possible], only_b[possible]
    chance = binomial_probability(a, size, errors) * binomial_probability(both, a, if_wrong)
    chance = chance * binomial_probability(only_b, size - a, if_right)
    return Alias.of([(_pack_counts(a, both + only_b, both), chance)])


@lru_cache(maxsize=8)
def _of_two_kinds(kinds: Kinds, splits: Splits) -> tuple[Alias, ...]:
    """Return the tables of errors of A and B by the number of examples of the first kind, for each fold.

    Of a single test set, by the points of the first kind in the whole sample: splits of one sample are alike.
    """
    made = {}
    for size in set(splits.sizes):
        a, b = (_error_probabilities(size, rates) for rates in (kinds.a, kinds.b_if_right))
        values = _pack_counts(np.arange(a.shape[1])[:, None], np.arange(b.shape[1]), 0).ravel()
        joint = (a[:, :, None] * b[:, None, :]).reshape(size + 1, -1)
        if len(splits.sizes) == 1:
            of_first = np.arange(splits.examples + 1)
            likely = binomial_probability(of_first, splits.examples, kinds.shares[0]) > _NEGLIGIBLE
            mixed = _hypergeometric_table(size, splits.examples)[likely] @ joint
            joint = np.zeros((of_first.size, joint.shape[1]))
            joint[likely] = mixed
            joint[~likely, 0] = 1  # never drawn from
        made[size] = Alias.of([(values, row) for row in joint])
    return tuple(made[size] for size in splits.sizes)


@lru_cache(maxsize=8)
def _of_urns(splits: Splits) -> tuple[Alias | None, ...]:
    """Return the tables of the number of examples of the first kind in each fold, given those that remain.

    A single test set needs none: its errors are known by those in the sample.
    """
    left = splits.examples - np.cumsum((0, *splits.sizes[:-1]))
    urns = [
        Alias.of([(np.arange(size + 1), row) for row in _hypergeometric_table(size, rest)])
        for size, rest in zip(splits.sizes[:-1], left.tolist(), strict=False)
    ]
    return (*urns, None)


def _hypergeometric_table(size: int, whole: int) -> FloatArray:
    """Return the hypergeometric probabilities of the number of examples of one kind in a test set."""
    there, taken = np.arange(whole + 1)[:, None], np.arange(size + 1)
    possible = (taken <= there) & (there - taken <= whole - size)
    taken = np.clip(taken, np.maximum(there - whole + size, 0), np.minimum(there, size))
    return np.where(possible, np.exp(log_probability(taken, size, whole - size, there)), 0.0)


def _error_probabilities(size: int, rates: tuple[float, ...]) -> FloatArray:
    """Return the probabilities of error counts by the number of examples of the first kind."""
    chance = np.stack(
        [
            np.convolve(
                binomial_probability(np.arange(count + 1), count, rates[0]),
                binomial_probability(np.arange(size - count + 1), size - count, rates[1]),
            )
            for count in range(size + 1)
        ]
    )
    return chance[:, : 1 + np.flatnonzero((chance > _NEGLIGIBLE).any(axis=0))[-1]]


def _likely_counts(size: int, *rates: float) -> list[IntArray]:
    """Return the counts with non-negligible probability at each rate."""
    counts = np.arange(size + 1)
    return [counts[binomial_probability(counts, size, rate) > _NEGLIGIBLE] for rate in rates]


def _pack_counts(a: IntArray, b: IntArray, both: IntArray | int) -> IntArray:
    return a << 2 * _BITS | b << _BITS | both


def _share_of(of: float, whole: float) -> float:
    """Return a share of a total; 0 if the total is 0."""
    return min(of / whole, 1.0) if whole > 0 else 0.0
