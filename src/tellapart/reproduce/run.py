"""How an exhibit is computed: at which size, from which seed, by how many processes, and what is already known.

An exhibit asks `run.size(…)` how many trials to take, and has them taken by `run.cells(…)`: cell by cell and block by
block, in parallel if wanted, each block written to the store as soon as it is there. Whatever else it does takes no
time, and is done again.
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
Cell = Mapping[str, Any]  # what tells one cell of a table from the others: numbers and texts
Arrays = Mapping[str, Any]  # what was measured, by name; the first axis is joined over blocks
Measure = Callable[[Cell, int, np.random.Generator], Arrays]

TIMES = 1000  # by how much a full run exceeds the paper's sample size


@dataclass(slots=True, kw_only=True)
class Run:
    """One go at exhibits: how large, from which seed, on how many processes, with which store.

    Parameters
    ----------
    scale
        "quick" for a look, "paper" for the paper's own sample size, "full" for a thousand times as much.
    times
        Another multiple of the paper's sample size; None for what the scale says.
    seed
        Of all random numbers.
    jobs
        How many processes.
    store
        Where finished blocks are kept; None for nowhere.
    progress
        Whether to show a bar; None for on a terminal only.

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
    sizes: dict[str, str] = field(default_factory=dict, init=False)  # what was taken, to be told
    doing: str = field(default="", init=False)  # which exhibit is under way
    _known: dict[str, Found] = field(default_factory=dict, init=False, repr=False)  # blocks that exhibits share

    def __post_init__(self) -> None:
        one_of("scale", self.scale, Scale)
        if self.times is not None and not 0 < self.times < math.inf:
            raise InvalidOption(f"times must be above 0, such as 10, but is {self.times!r}.")
        if isinstance(self.jobs, bool) or not isinstance(self.jobs, int) or self.jobs < 1:
            raise InvalidOption(f"jobs must be a whole number, at least 1, but is {self.jobs!r}.")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise InvalidOption(f"seed must be a whole number, 0 or more, but is {self.seed!r}.")

    def size(self, paper: int, *, quick: int, most: int | None = None, of: str = "trials", ours: bool = False) -> int:
        """Return how many trials to take where the paper took `paper`, and remember it.

        Parameters
        ----------
        paper, quick
            How many the paper took, and how many do for a quick look.
        most
            How many a full run takes at most, where a thousand times the paper's would take days. A multiple that was
            asked for by `times` is not cut.
        of
            What is counted: "samples per cell", "trials".
        ours
            Whether `paper` is a number of our own, because the paper drew nothing or does not say how much.
        """
        if self.times is not None:
            found = max(2, round(paper * self.times))
        elif self.scale == "full":
            found = TIMES * paper if most is None else min(TIMES * paper, most)
        else:
            found = quick if self.scale == "quick" else paper
        self.sizes[of] = f"{found:,} ({_own(found, paper) if ours else _of_the_paper(found, paper)})"
        return found

    def cells(self, measure: Measure, cells: Sequence[Cell], trials: int, *, block: int = 1000) -> list[Found]:
        """Measure every cell by so many trials, and return for each what was found, by name.

        Parameters
        ----------
        measure
            A function of a module, `measure(cell, trials, rng)`, that returns arrays by name. Blocks are joined along
            their first axis: return one row a trial, or sums as one row a block.
        cells
            What to measure: a mapping of numbers and texts each.
        trials
            How many trials a cell.
        block
            How many trials are drawn together, and kept together.
        """
        blocks = [(number, min(block, trials - number * block)) for number in range(-(-trials // block))]
        source = inspect.getsource(measure)
        tasks = [[_Task.of(measure, source, cell, *each, self.seed) for each in blocks] for cell in cells]
        every = [task for each in tasks for task in each]
        left = [task for task in every if not self._knows(task.key)]
        with self._bar(len(every), len(every) - len(left)) as advance, _workers(self.jobs) as run:
            for task, found in run(left):
                self._known[task.key] = found
                if self.store is not None:
                    self.store.put(task.key, found)
                advance(1)
        return [_joined([self._known[task.key] for task in each]) for each in tasks]

    def _knows(self, key: str) -> bool:
        """Whether a block is there: from this run, or from the store."""
        if key not in self._known and self.store is not None and (kept := self.store.get(key)) is not None:
            self._known[key] = kept
        return key in self._known

    def _bar(self, total: int, done: int) -> Any:
        from ..running.progress import progress_bar

        return progress_bar(self.doing or "blocks", total, done, self.progress)


def _joined(parts: Sequence[Found]) -> Found:
    """Return blocks end to end."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _of_the_paper(found: int, paper: int) -> str:
    """Say how many times as many as the paper's."""
    return f"{'as many as' if found == paper else f'{found / paper:,.6g} times'} the paper's {paper:,}"


def _own(found: int, size: int) -> str:
    """Say that the size is ours, and how many times it was taken."""
    return f"{'' if found == size else f'{found / size:,.6g} times {size:,}, '}a size of our own: the paper has none"


@dataclass(frozen=True, slots=True)
class _Task:
    """One block of a cell, and the key that tells it from all others."""

    key: str
    measure: Measure
    cell: Cell
    number: int
    trials: int
    seed: int

    @classmethod
    def of(cls, measure: Measure, source: str, cell: Cell, number: int, trials: int, seed: int) -> _Task:
        """Return a block; what is measured and how, by which version and from which seed make its key."""
        told = [__version__, measure.__module__, source, dict(cell), number, trials, seed]
        key = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
        return cls(key, measure, cell, number, trials, seed)

    def do(self) -> Found:
        """Measure it, from random numbers that depend on the cell and the block alone."""
        told = json.dumps([self.measure.__name__, dict(self.cell)], sort_keys=True).encode()
        entropy = [self.seed, self.number, *hashlib.sha256(told).digest()]
        measured = self.measure(self.cell, self.trials, np.random.default_rng(entropy))
        return {name: np.atleast_1d(np.asarray(value)) for name, value in measured.items()}


def _do(task: _Task) -> Found:
    return task.do()


Runner = Callable[[Sequence[_Task]], Iterator[tuple[_Task, Found]]]


@contextmanager
def _workers(jobs: int) -> Iterator[Runner]:
    """Yield what does tasks: this process, or several."""
    if jobs == 1:
        yield lambda tasks: ((task, task.do()) for task in tasks)
        return
    pool = import_extra("loky", "learn").get_reusable_executor(max_workers=jobs)

    def spread(tasks: Sequence[_Task]) -> Iterator[tuple[_Task, Found]]:
        sent: dict[Future[Found], _Task] = {pool.submit(_do, task): task for task in tasks}
        try:
            for future in as_completed(sent):
                yield sent[future], future.result()
        except BrokenExecutor as error:
            raise TellapartError("a worker died. With a store, what was finished is kept.") from error
        finally:
            for future in sent:
                future.cancel()

    with warnings.catch_warnings():
        # What workers have loaded by then looks like a leak to loky; they are replaced, and nothing is lost.
        warnings.filterwarnings("ignore", "A worker was restarted", UserWarning)
        yield spread
