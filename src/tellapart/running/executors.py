"""Fits on somebody else's executor: threads, process pools, or a Dask cluster."""

from __future__ import annotations

import io
import os
import queue
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from ..errors import TellapartError, import_extra
from .engine import KEPT, packed, perform_in_thread, perform_there, pickle_to, undisturbed
from .fit import Fit
from .task import Bundle, Task, failed

_PATIENCE = 60.0  # seconds to wait for workers that somebody else starts anew
_GLANCE = 1.0  # seconds without news before we ask whether there is anybody left
_LIVES = 3  # how often a fit that is out alone may be lost
_DEAD = "its worker died again and again"


def on_executor(executor: Any, bundle: Bundle, tasks: Sequence[Task], *, timeout: float | None = None) -> Iterator[Fit]:
    """Run the fits on any executor of the kind of `concurrent.futures`."""
    with _route(executor, bundle, timeout) as route, closing(_Dispatch(route, tasks)) as dispatch:
        yield from dispatch.run()


class _Route(NamedTuple):
    """How tasks get to their workers, and whether the bundle that they need got lost."""

    send: Callable[[Task], Future[Fit]]
    lost: Callable[[], bool] = lambda: False


@contextmanager
def _route(executor: Any, bundle: Bundle, timeout: float | None) -> Iterator[_Route]:
    """Put the bundle where the executor's workers find it, once."""
    if isinstance(executor, ThreadPoolExecutor):
        with undisturbed():
            threads = import_extra("threadpoolctl", "learn").ThreadpoolController()
            yield _Route(lambda task: executor.submit(perform_in_thread, bundle, threads, task, timeout))
    elif type(executor).__module__.partition(".")[0] == "distributed":
        yield _broadcast(executor, bundle, timeout)
    else:
        with packed(bundle) as path:
            yield _Route(lambda task: executor.submit(perform_there, task, path, None, timeout))


def _broadcast(executor: Any, bundle: Bundle, timeout: float | None) -> _Route:
    """Send the bundle to all workers of a Dask cluster, and again when all who had it are gone."""
    file = io.BytesIO()
    pickle_to(bundle, file)
    client = executor._client  # noqa: SLF001  # it broadcasts, which an executor cannot
    key = os.urandom(16).hex()
    spread: list[Any] = []

    def lost() -> bool:
        return bool(spread) and spread[-1].status != "finished"

    def send(task: Task) -> Future[Fit]:
        if not spread or lost():
            client.wait_for_workers(1, timeout=_PATIENCE)
            spread[:] = [client.scatter(file.getvalue(), broadcast=True, hash=False)]
        future: Future[Fit] = executor.submit(perform_there, task, key, spread[-1], timeout)
        return future

    return _Route(send, lost)


class _Dispatch:
    """Tasks on their way to an executor and back.

    Where workers die and take along what others do, nobody says which fit it was. So fewer and fewer are sent at
    a time, until the one that dies alone is known; every fit that is finished lets one more go out.
    """

    def __init__(self, route: _Route, tasks: Sequence[Task]) -> None:
        self._route, self._left = route, deque(tasks)
        self._out: dict[Future[Fit], Task] = {}
        self._back: queue.SimpleQueue[Future[Fit]] = queue.SimpleQueue()
        self._window = len(tasks)
        self._lost: Counter[Task] = Counter()  # how often a task was lost while it was out alone
        self._suspects: set[Task] = set()  # given up by Dask once, maybe for another's fault: they go out alone
        self._broken = False  # something was lost: nothing more goes out until all that may be finished is back

    def run(self) -> Iterator[Fit]:
        """Yield every fit as it is finished."""
        while self._left or self._out:
            self._send_out()
            try:
                future = self._back.get(timeout=_GLANCE)
            except queue.Empty:
                if self._route.lost():  # then what is under way may never come back
                    for future in list(self._out):
                        yield from self._again(future)
            else:
                if future in self._out:  # else it is late
                    yield from self._settled(future)

    def _settled(self, future: Future[Fit]) -> Iterator[Fit]:
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or isinstance(error, BrokenExecutor):
            yield from self._again(future)
            return
        task = self._out.pop(future)
        if error is None:
            self._window += 1
            yield future.result()
        elif type(error).__name__ != "KilledWorker":  # what Dask says of a task whose workers died
            raise TellapartError(
                f"the executor cannot run a fit ({type(error).__name__}: {error}). Do its workers have tellapart, the"
                f" learners' packages and this machine's temporary files? {KEPT}"
            ) from error
        elif task in self._suspects:
            yield failed(task, _DEAD)
        else:
            self._suspects.add(task)
            self._left.append(task)

    def _again(self, future: Future[Fit]) -> Iterator[Fit]:
        """Take back a task that got lost; one that was out alone is to blame, in the end."""
        if not self._broken:
            self._window = max(len(self._out) // 4, 1)
            self._lost.update(self._out.values() if len(self._out) == 1 else ())
        self._broken = True
        task = self._out.pop(future)
        if self._lost[task] < _LIVES:
            self._left.append(task)
        else:
            yield failed(task, _DEAD)

    def _send_out(self) -> None:
        """Submit as much as may go out."""
        while self._left and not (self._out and (self._broken or self._alone() or len(self._out) >= self._window)):
            self._broken = False
            try:
                future = self._route.send(self._left[0])
            except Exception as error:
                if not self._out:
                    message = f"the executor takes no more fits: {error}. Make a new one. {KEPT}"
                    raise TellapartError(message) from error
                self._broken = True
            else:
                self._out[future] = self._left.popleft()
                future.add_done_callback(self._back.put)

    def _alone(self) -> bool:
        """Tell whether the next task, or the one that is out, must have the workers to itself."""
        return bool(self._suspects) and not self._suspects.isdisjoint([self._left[0], *self._out.values()])

    def close(self) -> None:
        """Leave nothing waiting."""
        for future in self._out:
            future.cancel()
