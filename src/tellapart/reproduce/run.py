"""How exhibits are computed: sample size, seed, processes, and stored results.

An exhibit gets the number of trials from `run.size(…)`, and runs them by `run.cells(…)`: by cell and block, in parallel
on request; each finished block is written to the store. All other computations are fast, and repeated each time.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from .. import __version__
from ..errors import InvalidOption, TellapartError, import_extra
from ..typing_ import one_of
from .store import Found, Store

Scale = Literal["quick", "paper", "full"]
Cell = Mapping[str, Any]  # the numbers and texts that identify one cell of a table
Arrays = Mapping[str, Any]  # the measured values, by name; blocks are joined along the first axis
Measure = Callable[[Cell, int, np.random.Generator], Arrays]

TIMES = 1000  # sample size of a full run as a multiple of the paper's


@dataclass(slots=True, kw_only=True)
class Run:
    """Settings of a run: sample size, seed, processes and store.

    Parameters
    ----------
    scale
        "quick" for few trials, "paper" for the sample sizes of the paper, "full" for a thousand times as many.
    times
        Another multiple of the sample sizes of the paper; None to use `scale`.
    seed
        Seed of all random numbers.
    jobs
        The number of processes.
    store
        The store of finished blocks; None to keep none.
    progress
        Whether to show a progress bar; None: on a terminal only.

    Examples
    --------
    >>> Run(scale="quick").size(1000, quick=50), Run().size(1000, quick=50), Run(scale="full").size(20, quick=5)
    (50, 1000, 20000)
    >>> Run(scale="full").size(1000, quick=50, most=30_000)  # what takes too long at a thousand times
    30000
    >>> run = Run(scale="quick")
    >>> run.size(1000, quick=50, of="trials"), run.size(1000, quick=1000, of="draws", ours=True)
    (50, 1000)
    >>> run.sizes
    {'trials': "50 (0.05 times the paper's 1,000)", 'draws': '1,000 (a size of our own: the paper has none)'}
    """

    scale: Scale = "paper"
    times: float | None = None
    seed: int = 0
    jobs: int = 1
    store: Store | None = None
    progress: bool | None = None
    sizes: dict[str, str] = field(default_factory=dict, init=False)  # the sample sizes, for the output
    doing: str = field(default="", init=False)  # the current exhibit
    _blocks: dict[str, Found] = field(default_factory=dict, init=False, repr=False)  # blocks that exhibits share

    def __post_init__(self) -> None:
        one_of("scale", self.scale, Scale)
        if self.times is not None and not 0 < self.times < math.inf:
            raise InvalidOption(
                f"`times` must be greater than 0, got {self.times!r}. For ten times the sample sizes use 10."
            )
        if isinstance(self.jobs, bool) or not isinstance(self.jobs, int) or self.jobs < 1:
            raise InvalidOption(f"`jobs` must be a whole number of 1 or more, got {self.jobs!r}.")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise InvalidOption(f"`seed` must be a whole number of 0 or more, got {self.seed!r}.")

    def size(self, paper: int, *, quick: int, most: int | None = None, of: str = "trials", ours: bool = False) -> int:
        """Return the number of trials for the paper's number `paper`, and record it in `sizes`.

        Parameters
        ----------
        paper, quick
            The numbers of the paper and of a quick run.
        most
            The largest number of a full run, if a thousand times the paper's would take days. `times` is not limited.
        of
            The unit: "samples per cell", "trials".
        ours
            Whether `paper` is our own choice, because the paper does not simulate or state a number.
        """
        if self.times is not None:
            count = max(2, round(paper * self.times))
        elif self.scale == "full":
            count = TIMES * paper if most is None else min(TIMES * paper, most)
        else:
            count = quick if self.scale == "quick" else paper
        self.sizes[of] = (
            f"{count:,} ({_describe_own_size(count, paper) if ours else _describe_paper_size(count, paper)})"
        )
        return count

    def cells(self, measure: Measure, cells: Sequence[Cell], trials: int, *, block: int = 1000) -> list[Found]:
        """Return the measured values of every cell by name.

        Parameters
        ----------
        measure
            A module-level function, `measure(cell, trials, rng)`, that returns arrays by name. Blocks are joined along
            the first axis, so it returns one row per trial, or sums as one row per block.
        cells
            The cells, each a mapping of numbers and texts.
        trials
            The number of trials per cell.
        block
            The number of trials per block.
        """
        blocks = [(number, min(block, trials - number * block)) for number in range(-(-trials // block))]
        source = inspect.getsource(measure)
        tasks = [[_Task.of(measure, source, cell, *each, self.seed) for each in blocks] for cell in cells]
        every = [task for each in tasks for task in each]
        left = [task for task in every if not self._has_block(task.key)]
        with self._progress_bar(len(every), len(every) - len(left)) as advance, _start_workers(self.jobs) as run:
            for task, measured in run(left):
                self._blocks[task.key] = measured
                if self.store is not None:
                    self.store.put(task.key, measured)
                advance(1)
        return [_join_blocks([self._blocks[task.key] for task in each]) for each in tasks]

    def _has_block(self, key: str) -> bool:
        """Return whether a block is available, from this run or from the store."""
        if key not in self._blocks and self.store is not None and (kept := self.store.get(key)) is not None:
            self._blocks[key] = kept
        return key in self._blocks

    def _progress_bar(self, total: int, done: int) -> Any:
        from ..running.progress import progress_bar

        return progress_bar(self.doing or "blocks", total, done, self.progress)


def _join_blocks(parts: Sequence[Found]) -> Found:
    """Return blocks joined along the first axis."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _describe_paper_size(count: int, paper: int) -> str:
    """Return the number as a multiple of the paper's."""
    return f"{'as many as' if count == paper else f'{count / paper:,.6g} times'} the paper's {paper:,}"


def _describe_own_size(count: int, size: int) -> str:
    """Return that the size is our own choice, and its multiple."""
    return f"{'' if count == size else f'{count / size:,.6g} times {size:,}, '}a size of our own: the paper has none"


@dataclass(frozen=True, slots=True)
class _Task:
    """One block of a cell, and its unique key."""

    key: str
    measure: Measure
    cell: Cell
    number: int
    trials: int
    seed: int

    @classmethod
    def of(cls, measure: Measure, source: str, cell: Cell, number: int, trials: int, seed: int) -> _Task:
        """Return a block; its key is a hash of the version, function, cell, number, trials and seed."""
        identity = [__version__, measure.__module__, source, dict(cell), number, trials, seed]
        key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
        return cls(key, measure, cell, number, trials, seed)

    def do(self) -> Found:
        """Return the measured values; the random numbers depend only on function, cell, block and seed."""
        cell_bytes = json.dumps([self.measure.__name__, dict(self.cell)], sort_keys=True).encode()
        entropy = [self.seed, self.number, *hashlib.sha256(cell_bytes).digest()]
        measured = self.measure(self.cell, self.trials, np.random.default_rng(entropy))
        return {name: np.atleast_1d(np.asarray(value)) for name, value in measured.items()}


def _perform_task(task: _Task) -> Found:
    return task.do()


Runner = Callable[[Sequence[_Task]], Iterator[tuple[_Task, Found]]]


@contextmanager
def _start_workers(jobs: int) -> Iterator[Runner]:
    """Yield a function that runs tasks, in this process or in several."""
    if jobs == 1:
        yield lambda tasks: ((task, task.do()) for task in tasks)
        return
    pool = import_extra("loky", "learn").get_reusable_executor(max_workers=jobs)

    def spread(tasks: Sequence[_Task]) -> Iterator[tuple[_Task, Found]]:
        sent: dict[Future[Found], _Task] = {pool.submit(_perform_task, task): task for task in tasks}
        try:
            for future in as_completed(sent):
                yield sent[future], future.result()
        except BrokenExecutor as error:
            raise TellapartError("a worker process ended unexpectedly. Use a store to keep finished blocks.") from error
        finally:
            for future in sent:
                future.cancel()

    with warnings.catch_warnings():
        # loky takes modules loaded by workers for a memory leak and replaces the workers, which is harmless.
        warnings.filterwarnings("ignore", "A worker was restarted", UserWarning)
        yield spread
