"""The engines that run fits: in this process, or on worker processes of our own."""

from __future__ import annotations

import io
import os
import queue
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..errors import InvalidOption, TellapartError, import_extra
from .fit import Fit
from .task import Bundle, Task, failed, in_time, perform

_WORTH_IT = 3.0  # seconds of remaining work from which worker processes are started
_LIVES = 3  # how often the worker of a fit may die before the fit is to blame
_AHEAD = 2  # tasks queued on a worker, so that it never waits for the next
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
_turn = threading.RLock()  # threads of one process share its random numbers: one fit at a time
KEPT = "Finished fits stay in the store, if there is one: run the same call again to continue."


# --- In this process ------------------------------------------------------------------------------


def in_process(bundle: Bundle, tasks: Sequence[Task]) -> Iterator[Fit]:
    """Run the fits here, one after the other."""
    with undisturbed():
        for task in tasks:
            yield _perform_here(bundle, task)


def _perform_here(bundle: Bundle, task: Task) -> Fit:
    with _turn:
        return perform(bundle, task, interruptible=True)


def as_needed(bundle: Bundle, tasks: Sequence[Task]) -> Iterator[Fit]:
    """Run the fits in this process, and move to worker processes if the remaining work takes seconds."""
    jobs = import_extra("loky", "learn").cpu_count()
    round_of_all = len(bundle.learners)
    spent, left = 0.0, dict.fromkeys(tasks)
    with undisturbed():
        for done, task in enumerate(tasks, 1):
            fit = _perform_here(bundle, task)
            spent += fit.seconds
            del left[task]
            yield fit
            if jobs > 1 and (done >= round_of_all or spent > 1) and spent / done * len(left) > _WORTH_IT:
                break
    if left:
        try:
            for fit in on_workers(bundle, list(left), jobs=jobs):
                del left[Task(fit.learner, fit.split, fit.seed)]
                yield fit
        except _Immobile:  # other processes were not requested
            yield from in_process(bundle, list(left))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Limit this process to one thread, without warnings, and restore its random state afterwards."""
    threads = _thread_pools(len(sys.modules))
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002  # learners draw from it
    try:
        with threads.limit(limits=1), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)


@lru_cache(maxsize=1)
def _thread_pools(modules: int) -> Any:  # noqa: ARG001  # libraries come with modules: with more of them, look again
    """Return a handle on all libraries that start threads (cached: finding them can take longer than a fit)."""
    return import_extra("threadpoolctl", "learn").ThreadpoolController()


# --- The bundle of every process -------------------------------------------------------------------


class _Immobile(InvalidOption):
    """A learner or the data cannot be pickled, or cannot be loaded in another process."""


@contextmanager
def packed(bundle: Bundle) -> Iterator[str]:
    """Yield the path of a temporary file with the bundle."""
    tracker = import_extra("loky.backend.resource_tracker", "learn")
    folder = tempfile.mkdtemp(prefix="tellapart-")  # only this user may read or write it
    tracker.register(folder, "folder")  # removed even if this process is killed
    try:
        path = Path(folder) / "race"
        with path.open("wb") as file:
            pickle_to(bundle, file)
        yield str(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        tracker.unregister(folder, "folder")


def pickle_to(bundle: Bundle, file: IO[bytes]) -> None:
    """Write the bundle to a file, or raise InvalidOption if a learner or the data cannot be pickled."""
    cloudpickle = import_extra("cloudpickle", "learn")

    class Pickler(cloudpickle.CloudPickler):  # type: ignore[misc, name-defined]
        """Pickles NumPy's global generator, which SciPy's distributions use, by reference."""

        def reducer_override(self, instance: Any) -> Any:
            return (_global_generator, ()) if instance is _global_generator() else super().reducer_override(instance)

    try:
        Pickler(file).dump(bundle)
    except Exception as error:
        for name, learner in bundle.learners.items():
            try:
                cloudpickle.dumps(learner)
            except Exception as problem:  # a learner's own code runs here
                raise _Immobile(
                    f"learner {name!r} must be picklable for other processes ({problem}). Use jobs=1."
                ) from error
        raise _Immobile(f"`X` must be picklable for other processes ({error}). Use jobs=1.") from error


def _global_generator() -> np.random.RandomState:
    return np.random.mtrand._rand  # noqa: SLF001  # there is no public way to get it


_loaded_bundles: dict[
    str, tuple[Bundle, Any]
] = {}  # in a worker process: the race it works for, and a handle on its threads
_loading = threading.Lock()


def _load_bundle(key: str, payload: bytes | None = None) -> tuple[Bundle, Any]:
    """Return the bundle of this worker, unpacked once."""
    with _loading:
        if key not in _loaded_bundles:
            with Path(key).open("rb") if payload is None else io.BytesIO(payload) as file:
                bundle: Bundle = import_extra("cloudpickle", "learn").load(file)
            threadpoolctl = import_extra("threadpoolctl", "learn")
            threadpoolctl.threadpool_limits(1)  # after the learners' own libraries are loaded
            while len(_loaded_bundles) > 1:  # an executor may serve two experiments at a time
                _loaded_bundles.pop(next(iter(_loaded_bundles)))
            _loaded_bundles[key] = bundle, threadpoolctl.ThreadpoolController()
        return _loaded_bundles[key]


def perform_there(task: Task, key: str, payload: bytes | None = None, timeout: float | None = None) -> Fit:
    """Run a fit in a worker process."""
    return perform_in_thread(*_load_bundle(key, payload), task, timeout)


def perform_in_thread(bundle: Bundle, threads: Any, task: Task, timeout: float | None) -> Fit:
    """Run a fit in one of several threads, which take turns."""

    def run() -> Fit:
        # BLAS counts its threads by process, which is limited already; OpenMP for each thread that asks.
        with threads.limit(limits=1, user_api="openmp"):
            return perform(bundle, task)

    with _turn:  # outside the fit, because one that timed out may never end
        return run() if timeout is None else in_time(run, task, timeout)


# --- On worker processes of our own ---------------------------------------------------------------


def on_workers(bundle: Bundle, tasks: Sequence[Task], *, jobs: int, timeout: float | None = None) -> Iterator[Fit]:
    """Run the fits on worker processes; dead ones are replaced, and those past the timeout are ended."""
    import_extra("loky", "learn")
    with packed(bundle) as payload:
        yield from _Crew(payload, tasks, min(jobs, len(tasks)), timeout).run()


def _report_for_duty(key: str) -> None:
    """Set up a worker process: it ignores interrupts, and ends with the driver."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    _load_bundle(key)


def _end_with(driver: int) -> None:
    while os.getppid() == driver:
        time.sleep(0.5)
    os._exit(1)


class _Worker:
    """One process, its queue of tasks, and the time at which the first one started.

    Every worker is a pool of its own, so that its death does not affect the others, and the fit responsible is known.
    """

    def __init__(self, payload: str, done: Callable[[_Worker, Future[Any], float], None]) -> None:
        self._payload, self._done = payload, done
        self._pool: Any = None
        self.queued: deque[tuple[Task | None, Future[Any]]] = deque()  # None: loading the bundle
        self.since = 0.0

    def take(self, task: Task) -> None:
        """Add a task; the first starts the process."""
        if self._pool is None:
            self._pool = import_extra("loky", "learn").ProcessPoolExecutor(max_workers=1, env=_ONE_THREAD)
            self._submit_task(None, _report_for_duty, self._payload)
        self._submit_task(task, perform_there, task, self._payload)

    def _submit_task(self, task: Task | None, function: Callable[..., Any], *arguments: Any) -> None:
        try:
            future: Future[Any] = self._pool.submit(function, *arguments)
        except BrokenExecutor as error:  # it has just died, which is handled with its first task
            future = Future()
            future.set_exception(error)
        self.queued.append((task, future))
        future.add_done_callback(lambda future: self._done(self, future, time.monotonic()))

    def end(self) -> list[Task | None]:
        """End the process, by its id, and return the tasks in its queue."""
        tasks = [task for task, _ in self.queued]
        self.queued.clear()
        if self._pool is not None:
            self._pool.shutdown(wait=True, kill_workers=True)
            self._pool = None
        return tasks


class _Crew:
    """The workers and the remaining tasks."""

    def __init__(self, payload: str, tasks: Sequence[Task], jobs: int, timeout: float | None) -> None:
        self._events: queue.SimpleQueue[tuple[_Worker, Future[Any], float]] = queue.SimpleQueue()
        self._workers = [_Worker(payload, lambda *event: self._events.put(event)) for _ in range(jobs)]
        self._left, self._timeout = deque(tasks), timeout
        self._deaths: Counter[Task | None] = Counter()

    def run(self) -> Iterator[Fit]:
        """Yield every fit as it is finished, and end all workers afterwards."""
        try:
            while True:
                self._hand_out()
                if not any(worker.queued for worker in self._workers):
                    return
                try:
                    event = self._events.get(timeout=self._seconds_until_overdue())
                except queue.Empty:
                    yield from self._end_overdue()
                else:
                    yield from self._handle_result(*event)
        finally:
            for worker in self._workers:
                worker.end()

    def _hand_out(self) -> None:
        for depth in range(1, _AHEAD + 1):  # each worker gets one task before any gets two
            for worker in self._workers:
                while self._left and sum(task is not None for task, _ in worker.queued) < depth:
                    worker.take(self._left.popleft())

    def _handle_result(self, worker: _Worker, future: Future[Any], at: float) -> Iterator[Fit]:
        if not worker.queued or worker.queued[0][1] is not future:
            return  # of a process that was ended, or behind the first task of one that died
        task = worker.queued[0][0]
        error = future.exception()
        if isinstance(error, BrokenExecutor):
            yield from self._replace_dead_worker(worker)
        elif error is not None:
            raise _Immobile(
                f"worker processes cannot load the learners or the data ({type(error).__name__}: {error}). Use jobs=1."
            ) from error
        else:
            worker.queued.popleft()
            worker.since = at
            if task is not None:
                yield future.result()

    def _replace_dead_worker(self, worker: _Worker) -> Iterator[Fit]:
        """Replace a worker that died: its first task is suspect, the others are queued again."""
        suspect, *waiting = worker.end()
        self._left.extendleft(task for task in reversed(waiting) if task is not None)
        self._deaths[suspect] += 1
        if self._deaths[suspect] < _LIVES:
            if suspect is not None:
                self._left.appendleft(suspect)
        elif suspect is None:
            raise TellapartError(
                f"worker processes die while loading {len(self._workers)} copies of the data, probably for lack of"
                f" memory. Use fewer `jobs`. {KEPT}"
            )
        else:
            yield failed(suspect, f"its worker died {_LIVES} times")

    def _seconds_until_overdue(self) -> float | None:
        """Return the seconds until the first running fit is overdue, None without a limit."""
        if self._timeout is None:
            return None
        running = [worker.since for worker in self._workers if worker.queued and worker.queued[0][0] is not None]
        return max(min(running) + self._timeout - time.monotonic(), 0.0) if running else None

    def _end_overdue(self) -> Iterator[Fit]:
        limit = self._timeout or 0.0
        for worker in self._workers:
            if not worker.queued or worker.queued[0][0] is None or worker.queued[0][1].done():
                continue
            if time.monotonic() - worker.since >= limit:
                late, *waiting = worker.end()
                self._left.extendleft(task for task in reversed(waiting) if task is not None)
                if late is not None:
                    yield failed(late, f"timed out after {limit:g} s", limit)
