"""Fits on an external executor: threads, process pools, or a Dask cluster."""

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

_PATIENCE = 60.0  # seconds to wait for workers that the cluster restarts
_GLANCE = 1.0  # seconds without a result before checking that there are workers
_LIVES = 3  # how often a fit that is out alone may be lost
_DEAD = "its worker died repeatedly"


def on_executor(executor: Any, bundle: Bundle, tasks: Sequence[Task], *, timeout: float | None = None) -> Iterator[Fit]:
    """Run the fits on any `concurrent.futures` executor."""
    with _open_route(executor, bundle, timeout) as route, closing(_Dispatch(route, tasks)) as dispatch:
        yield from dispatch.run()


class _Route(NamedTuple):
    """A way to send tasks to workers, and to recognise a lost bundle."""

    send: Callable[[Task], Future[Fit]]
    lost: Callable[[], bool] = lambda: False


@contextmanager
def _open_route(executor: Any, bundle: Bundle, timeout: float | None) -> Iterator[_Route]:
    """Send the bundle to the executor's workers, once."""
    if isinstance(executor, ThreadPoolExecutor):
        with undisturbed():
            threads = import_extra("threadpoolctl", "learn").ThreadpoolController()
            yield _Route(lambda task: executor.submit(perform_in_thread, bundle, threads, task, timeout))
    elif type(executor).__module__.partition(".")[0] == "distributed":
        yield _broadcast_bundle(executor, bundle, timeout)
    else:
        with packed(bundle) as path:
            yield _Route(lambda task: executor.submit(perform_there, task, path, None, timeout))


def _broadcast_bundle(executor: Any, bundle: Bundle, timeout: float | None) -> _Route:
    """Send the bundle to all workers of a Dask cluster, and again if all of these are gone."""
    file = io.BytesIO()
    pickle_to(bundle, file)
    client = executor._client  # noqa: SLF001  # only the client can broadcast
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
    """Tasks submitted to an executor, and their results.

    If workers die together it is unknown which fit was responsible. So fewer and fewer are sent at a time, until one
    dies alone; every finished fit allows one more.
    """

    def __init__(self, route: _Route, tasks: Sequence[Task]) -> None:
        self._route, self._left = route, deque(tasks)
        self._out: dict[Future[Fit], Task] = {}
        self._back: queue.SimpleQueue[Future[Fit]] = queue.SimpleQueue()
        self._window = len(tasks)
        self._lost: Counter[Task] = Counter()  # how often a task was lost while it was out alone
        self._suspects: set[Task] = set()  # given up by Dask once: they run alone
        self._broken = False  # something was lost: nothing is sent until all others are back

    def run(self) -> Iterator[Fit]:
        """Yield every fit as it is finished."""
        while self._left or self._out:
            self._send_out()
            try:
                future = self._back.get(timeout=_GLANCE)
            except queue.Empty:
                if self._route.lost():  # then what is under way may never come back
                    for future in list(self._out):
                        yield from self._take_back(future)
            else:
                if future in self._out:  # else it is late
                    yield from self._handle_result(future)

    def _handle_result(self, future: Future[Fit]) -> Iterator[Fit]:
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or isinstance(error, BrokenExecutor):
            yield from self._take_back(future)
            return
        task = self._out.pop(future)
        if error is None:
            self._window += 1
            yield future.result()
        elif type(error).__name__ != "KilledWorker":  # what Dask says of a task whose workers died
            raise TellapartError(
                f"the executor cannot run a fit ({type(error).__name__}: {error}). Its workers need tellapart, the"
                f" learners' packages and this machine's temporary files. {KEPT}"
            ) from error
        elif task in self._suspects:
            yield failed(task, _DEAD)
        else:
            self._suspects.add(task)
            self._left.append(task)

    def _take_back(self, future: Future[Fit]) -> Iterator[Fit]:
        """Take back a lost task; one that was repeatedly lost alone fails."""
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
        """Submit as many tasks as allowed."""
        while self._left and not (
            self._out and (self._broken or self._must_run_alone() or len(self._out) >= self._window)
        ):
            self._broken = False
            try:
                future = self._route.send(self._left[0])
            except Exception as error:
                if not self._out:
                    message = f"the executor must accept fits, got: {error}. Use a new one. {KEPT}"
                    raise TellapartError(message) from error
                self._broken = True
            else:
                self._out[future] = self._left.popleft()
                future.add_done_callback(self._back.put)

    def _must_run_alone(self) -> bool:
        """Return whether the next task, or the submitted one, must have the workers to itself."""
        return bool(self._suspects) and not self._suspects.isdisjoint([self._left[0], *self._out.values()])

    def close(self) -> None:
        """Cancel all submitted tasks."""
        for future in self._out:
            future.cancel()
