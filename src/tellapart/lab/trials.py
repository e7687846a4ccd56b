"""Blocks of trials: run in this process, on worker processes or an executor, and kept in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidOption, TellapartError, UnknownMethod, import_extra
from ..methods import look_up
from .batched_results import seen
from .ledger import Ledger
from .study import Study
from .tally import MethodRequest, Tally, add

_AHEAD = 500  # blocks that an executor holds at a time; there may be millions
_OFTEN = 100  # blocks after which the first are summed up in the file

Block = tuple[int, int]  # its number, and how many trials it has
Runner = Callable[[Study, int, list[Block]], Iterator[tuple[Block, dict[str, Tally]]]]


def simulated(
    study: Study, trials: int, seed: int, run: Runner, store: str | Path | None, progress: bool | None
) -> dict[str, Tally]:
    """Return the sum of all simulated blocks of trials, in order.

    A block has its own random numbers, made of the seed and the block's number, so that who draws it does not matter.
    """
    size = study.design.block
    ledger = None if store is None else Ledger(store, study.head(seed))
    first, total = (0, {}) if ledger is None else ledger.summed
    if first * size > trials:  # fewer are wanted than were summed up
        first, total = 0, {}
    blocks = [(number, min(size, trials - number * size)) for number in range(first, -(-trials // size))]
    finished = {} if ledger is None else {block: ledger.blocks[block] for block in blocks if block in ledger.blocks}
    arriving = run(study, seed, [block for block in blocks if block not in finished])
    with _progress_of_trials(trials, first * size + sum(count for _, count in finished), progress) as advance:
        for block in blocks:  # sums of floats depend on the order
            while block not in finished:
                ready, tallies = next(arriving)
                finished[ready] = tallies
                if ledger is not None:
                    ledger.keep(*ready, tallies)
                advance(ready[1])
            more = finished.pop(block)
            total = {key: add(total[key], more[key]) for key in total} or more
            if ledger is not None and block[1] == size and (block[0] + 1) % _OFTEN == 0:
                ledger.sum_up(block[0] + 1, total)
    return total


def check_workers(jobs: int | None, executor: Executor | None) -> None:
    """Raise InvalidOption if the value is neither a number of processes nor an executor."""
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int | np.integer) or jobs < 1):
        raise InvalidOption(f"`jobs` must be a whole number, at least 1, got {jobs!r}.")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidOption(f"`executor` must be an executor like those of concurrent.futures, got {executor!r}.")


def _progress_of_trials(total: int, done: int, progress: bool | None) -> AbstractContextManager[Callable[[int], None]]:
    """Return a context manager that shows the progress."""
    if not seen(progress):
        return nullcontext(lambda _: None)
    from ..running.progress import progress_bar

    return progress_bar("trials", total, done, progress)


@contextmanager
def workers(jobs: int | None, executor: Executor | None) -> Iterator[Runner]:
    """Yield a function that runs blocks of trials: here, in worker processes, or on an executor."""
    if executor is not None:
        yield lambda study, seed, left: _on_executor(executor, study, seed, left)
    elif jobs is None or jobs == 1:
        yield _simulate_here
    else:
        pool = import_extra("loky", "learn").ProcessPoolExecutor(max_workers=int(jobs))
        try:
            yield lambda study, seed, left: _on_executor(pool, study, seed, left)
        finally:
            pool.shutdown(wait=True, kill_workers=True)


def _simulate_here(study: Study, seed: int, left: list[Block]) -> Iterator[tuple[Block, dict[str, Tally]]]:
    for number, count in left:
        yield (number, count), study.block(number, count, seed)


def _on_executor(
    executor: Executor, study: Study, seed: int, left: list[Block]
) -> Iterator[tuple[Block, dict[str, Tally]]]:
    names = [(each.method.name, each.method.gives, each.method.evidence) for each in study.requests]
    packed = study.design, names, [each.rest for each in study.requests], study.differences
    under_way: dict[Future[dict[str, Tally]], Block] = {}
    waiting = iter(left)
    try:
        while True:
            for block in islice(waiting, _AHEAD - len(under_way)):
                under_way[executor.submit(_simulate_on_worker, packed, *block, seed)] = block
            if not under_way:
                return
            done = wait(under_way, return_when=FIRST_COMPLETED).done
            for future in sorted(done, key=_has_failed):  # what is finished is handed on before an error ends it all
                yield under_way.pop(future), future.result()
    except TellapartError:
        raise
    except Exception as error:
        trouble = "a worker died" if isinstance(error, BrokenExecutor) else "a worker failed"
        what = f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(".")
        raise TellapartError(f"{trouble} ({what}). Use store= to keep finished trials.") from error
    finally:
        for future in under_way:
            future.cancel()


def _has_failed(future: Future[Any]) -> bool:
    return future.cancelled() or future.exception() is not None


def _simulate_on_worker(packed: Any, number: int, trials: int, seed: int) -> dict[str, Tally]:
    """Simulate a block on a worker, which looks up the methods by name."""
    design, names, rests, differences = packed
    requests = []
    for name, rest in zip(names, rests, strict=True):
        method = look_up(*name)
        if method is None:
            message = f"method {name[0]!r} is not registered on the workers. Leave out `jobs` and `executor`."
            raise UnknownMethod(message)
        requests.append(MethodRequest(method, **rest))
    return Study(design, tuple(requests), differences).block(number, trials, seed)
