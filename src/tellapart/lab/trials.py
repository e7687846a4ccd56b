"""Blocks of trials: drawn here, on worker processes or on somebody's executor, and kept in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidOption, UnknownMethod, import_extra
from ..methods import look_up
from ..running.progress import progress_bar
from .ledger import Ledger
from .study import Study
from .tally import Asked, Tally, add

__all__ = ["simulated", "workers"]

Block = tuple[int, int]  # its number, and how many trials it has
Runner = Callable[[Study, int, list[Block]], Iterator[tuple[Block, dict[str, Tally]]]]


def simulated(
    study: Study, trials: int, seed: int, run: Runner, store: str | Path | None, progress: bool | None
) -> dict[str, Tally]:
    """Simulate all trials, block by block, and add the blocks up in their order.

    A block has its own random numbers, made of the seed and the block's number, so that who draws it does not matter.
    """
    size = study.design.block
    blocks = [(number, min(size, trials - number * size)) for number in range(-(-trials // size))]
    ledger = None if store is None else Ledger(store, study.head(seed))
    found = {} if ledger is None else {block: ledger.blocks[block] for block in blocks if block in ledger.blocks}
    left = [block for block in blocks if block not in found]
    with progress_bar("trials", trials, sum(count for _, count in found), progress) as advance:
        for block, tallies in run(study, seed, left):
            if ledger is not None:
                ledger.keep(*block, tallies)
            found[block] = tallies
            advance(block[1])
    total = found[blocks[0]]
    for block in blocks[1:]:
        total = {key: add(total[key], found[block][key]) for key in total}
    return total


@contextmanager
def workers(jobs: int | None, executor: Executor | None) -> Iterator[Runner]:
    """Yield what runs blocks of trials: this process, processes of our own, or somebody's executor."""
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int | np.integer) or jobs < 1):
        raise InvalidOption(f"jobs must be a whole number, at least 1, but is {jobs!r}.")
    if executor is not None:
        yield lambda study, seed, left: _on_executor(executor, study, seed, left)
    elif jobs is None or jobs == 1:
        yield _here
    else:
        pool = import_extra("loky", "learn").ProcessPoolExecutor(max_workers=int(jobs))
        try:
            yield lambda study, seed, left: _on_executor(pool, study, seed, left)
        finally:
            pool.shutdown(wait=True, kill_workers=True)


def _here(study: Study, seed: int, left: list[Block]) -> Iterator[tuple[Block, dict[str, Tally]]]:
    for number, count in left:
        yield (number, count), study.block(number, count, seed)


def _on_executor(
    executor: Executor, study: Study, seed: int, left: list[Block]
) -> Iterator[tuple[Block, dict[str, Tally]]]:
    packed = (
        study.design,
        [
            ((each.method.name, each.method.gives, each.method.evidence), each.options, each.alpha, each.learners)
            for each in study.asked
        ],
        study.differences,
    )
    under_way: dict[Future[dict[str, Tally]], Block] = {
        executor.submit(_there, packed, *block, seed): block for block in left
    }
    try:
        while under_way:
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                yield under_way.pop(future), future.result()
    finally:
        for future in under_way:
            future.cancel()


def _there(packed: Any, number: int, trials: int, seed: int) -> dict[str, Tally]:
    """Simulate a block on a worker, which looks the methods up by name: what they assume does not travel."""
    design, names, differences = packed
    asked = []
    for key, *rest in names:
        method = look_up(*key)
        if method is None:
            message = f"method {key[0]!r} is registered here, but not on the workers. Leave out jobs and executor."
            raise UnknownMethod(message)
        asked.append(Asked(method, *rest))
    return Study(design, tuple(asked), differences).block(number, trials, seed)
