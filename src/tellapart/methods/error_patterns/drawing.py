"""Resampling of the examples for all models together: multinomial draws of the counts of patterns.

The cost does not grow with the number of examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import ErrorPatterns
from ...numerics.blocks import block_sizes
from ...typing_ import BoolArray, FloatArray, IntArray, as_generator
from ..simulation import resamples_for

_BLOCK = 2**21  # numbers drawn at once: 16 MB
_WORK = 5_000_000_000  # patterns times pairs times resamples: a few seconds


def one_table(patterns: ErrorPatterns, name: str) -> ErrorPatterns:
    """Return the patterns; raise InvalidEvidence if they are an array of tables."""
    if patterns.shape:
        raise InvalidEvidence(
            f"method {name!r} takes one table of patterns, got shape {patterns.shape}. Pass the tables one by one."
        )
    return patterns


def resamples_of(patterns: ErrorPatterns, resamples: int | None) -> int:
    """Return the number of resamples: ten thousand, and fewer if that would take minutes."""
    return resamples_for(resamples, len(patterns.wrong) * len(patterns.pair_names()), work=_WORK)


def resample_patterns(
    patterns: ErrorPatterns, resamples: int, rng: int | np.random.Generator
) -> tuple[FloatArray, Iterator[FloatArray]]:
    """Return the wrong models of each discordant pattern, and resampled counts of these patterns, in blocks."""
    errors = patterns.wrong.sum(axis=-1)
    speaks = (errors > 0) & (errors < len(patterns.models)) & (patterns.counts > 0)
    # Drawing is faster with the largest counts first; the order of equal ones must not depend on that of the models.
    largest_first = np.lexsort(
        [_pattern_signatures(patterns.wrong[speaks], patterns.counts[speaks]), -patterns.counts[speaks]]
    )
    kept = np.flatnonzero(speaks)[largest_first]
    counts, examples = patterns.counts[kept], patterns.examples
    shares = np.append(counts, examples - counts.sum()) / examples
    generator = as_generator(rng)
    draws: Iterator[FloatArray] = (
        generator.multinomial(examples, shares, size=size)[:, :-1].astype(float)
        for size in block_sizes(resamples, _BLOCK // max(shares.size, len(patterns.pair_names())))
    )
    if len(patterns.models) == 2 and len(set(counts.tolist())) == 1 and counts.size == 2:
        draws = map(_with_mirror_images, draws)  # two models with equal discordant counts are symmetric
    return patterns.wrong[kept].astype(float), draws


def _with_mirror_images(drawn: FloatArray) -> FloatArray:
    """Return draws of two equal counts in which the second half mirrors the first; a middle one is symmetric."""
    half = len(drawn) // 2
    drawn[len(drawn) - half :] = drawn[:half, ::-1]
    drawn[half : len(drawn) - half] = drawn[half : len(drawn) - half].mean(axis=1, keepdims=True)
    return drawn


def _pattern_signatures(wrong: BoolArray, counts: IntArray) -> Any:
    """Return a number that distinguishes patterns of equal counts, whatever the order of the models.

    The number of a pattern is computed from its count and the numbers of the models that are wrong in it, and that of a
    model from the patterns in which it is wrong; all modulo 2⁶⁴, so that the order of summation does not matter.
    """
    member = wrong.astype(np.uint64)
    models = np.ones(wrong.shape[1], dtype=np.uint64)
    for _ in range(3):
        signatures = _scramble_bits(_scramble_bits(counts.astype(np.uint64)) + member @ models)
        models = _scramble_bits(signatures @ member)
    return signatures


def _scramble_bits(numbers: Any) -> Any:
    """Return whole numbers modulo 2⁶⁴ in which every bit depends on all bits of the argument (splitmix64)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
