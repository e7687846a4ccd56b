"""Slices for loops in blocks that fit in memory."""

from __future__ import annotations

from collections.abc import Iterator


def blocks(count: int, size: int) -> Iterator[slice]:
    """Yield consecutive slices of this many rows (at least one) that cover all rows.

    Examples
    --------
    >>> list(blocks(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    size = max(size, 1)
    return (slice(start, min(start + size, count)) for start in range(0, count, size))


def block_sizes(count: int, size: int) -> Iterator[int]:
    """Yield the number of rows of each block.

    Examples
    --------
    >>> list(block_sizes(5, 2))
    [2, 2, 1]
    """
    return (block.stop - block.start for block in blocks(count, size))
