"""Run learners over a plan: every learner is fitted once per split, and every prediction is kept."""

from __future__ import annotations

import copy
import json
import os
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption, import_extra
from ..evidence.plan import Plan
from ..evidence.validation import as_labels, families
from ..typing_ import IntArray, as_generator
from . import engine, executors, fingerprints
from .fit import Fit
from .learners import by_name, random_parameters
from .plans import lay_out, refuse_endless
from .progress import progress_bar
from .record import Race
from .store import RaceStore, StoredDesign
from .task import Bundle, Task


def race(
    learners: Any,
    X: Any,  # noqa: N803  # scikit-learn's name for it
    y: Any,
    *,
    plan: Any = "10x10",
    groups: Any = None,
    stratify: bool = True,
    seeds: int = 1,
    learning_curve: Sequence[float] = (),
    executor: Any = None,
    jobs: int | None = None,
    store: str | Path | None = None,
    timeout: float | None = None,
    rng: Any = 0,
    progress: bool | None = None,
    retry_failed: bool = False,
    settings: Mapping[str, Any] | None = None,
) -> Race:
    """Fit each learner once on every split of a cross-validation design, and keep all predictions.

    All estimates, tests, pairs and metrics are computed from these afterwards. Results are bit-identical for any
    number of workers and any engine: every fit has its own seeds, derived from `rng`, the learner's name and the split,
    runs on one thread, whatever its `n_jobs`, and uses scikit-learn's current configuration.

    Parameters
    ----------
    learners
        Names and learners: anything with `fit` and `predict`. Copies are fitted.
    X, y
        The examples, as an array, a data frame, a sparse matrix or a list, and their labels.
    plan
        The cross-validation design: "10x10" (10 repeats of 10-fold cross-validation), "5x2", "10-fold", "30x(2/3)"
        (30 random splits, two thirds for training), "632", "nested 20x10", "delve 8x200", …; a scikit-learn splitter;
        or pairs of training and test indices. See `Plan`.
    groups
        The group of each example; a group is never divided between training and test set.
    stratify
        Whether all sets have the same class shares.
    seeds
        The number of fits of each learner on each split, with different seeds.
    learning_curve
        Shares of the training sets at which the design is repeated.
    executor
        Any `concurrent.futures` executor, such as Dask's `client.get_executor(retries=3)`. Threads of one process
        share its random state, so their fits take turns; only processes run fits in parallel.
    jobs
        The number of processes; 1 is this one. By default the experiment starts in this process, and moves to one
        process per core if it would take more than a few seconds. A learner that ends its process (a crash, `os._exit`)
        also ends this one, and cannot be stopped here if it hangs; with `jobs=2` or more, or a `timeout`, every fit
        runs on a worker process, and such a fit fails alone.
    store
        A file for all finished fits. If it exists, only missing fits are run.
    timeout
        Seconds after which a fit fails: our worker processes are ended, with an `executor` the result is ignored. None
        or infinity: no limit.
    rng
        A seed or a generator.
    progress
        Whether to show a progress bar. Default: on a terminal only.
    retry_failed
        Whether fits that failed, according to the store, run again.
    settings
        Plain values to keep in the store.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> held = race({"nb": GaussianNB(), "tree": DecisionTreeClassifier()}, X, y, plan="5x2")
    >>> held
    Race(nb, tree: 5x2 on 150 examples, 20 fits)
    """
    sklearn = import_extra("sklearn", "learn")
    named = by_name(learners)
    examples, labels = _validate_examples(X, y)
    classes, codes = _encode_labels(labels)
    timeout = _as_seconds(timeout)
    _validate_options(seeds, jobs, stratify, executor)
    seeds = int(seeds)
    root = _as_root_seed(rng, store)
    if isinstance(plan, Iterator):
        plan = list(plan)  # it is needed again
    layout = lay_out(
        plan,
        examples,
        labels,
        groups=groups,
        stratify=stratify,
        learning_curve=learning_curve,
        rng=np.random.default_rng(root),
    )
    refuse_endless(layout, learners=len(named), seeds=seeds)
    bundle = Bundle(
        learners=named,
        random={name: random_parameters(learner, fixed_too=seeds > 1) for name, learner in named.items()},
        X=examples,
        y=labels,
        classes=classes,
        splits=layout.splits,
        root=root,
        config=sklearn.get_config(),
    )
    tasks = [
        Task(name, split, seed) for split in range(len(layout.splits)) for seed in range(seeds) for name in named
    ]  # all learners on one split, then the next, to predict the total time from the first fits

    def run(left: Sequence[Task]) -> Generator[Fit]:
        if left and executor is not None:
            yield from executors.on_executor(_as_executor(executor), bundle, left, timeout=timeout)
        elif left and (timeout is not None or (jobs or 1) > 1):
            yield from engine.on_workers(bundle, left, jobs=jobs or _count_cores(), timeout=timeout)
        elif left:
            yield from engine.in_process(bundle, left) if jobs == 1 else engine.as_needed(bundle, left)

    kept, remarks = _as_plain_settings(settings), _remark_on_labels(codes)
    if store is None:
        fits = _run_remaining(tasks, {}, run, None, progress=progress)
    else:
        design = StoredDesign(
            data=fingerprints.of_data(examples),
            labels=codes,
            classes=tuple(classes.tolist()),
            layout=layout,
            learners={name: fingerprints.of_learner(learner) for name, learner in named.items()},
            root=root,
            seeds=seeds,
            settings=kept,
            packages=frozenset().union(*(fingerprints.packages_of(learner) for learner in named.values())),
        )
        with RaceStore(store) as file:
            before = file.begin(design, retry_failed=retry_failed)
            kept = dict(file.settings)
            fits = _run_remaining(tasks, before, run, file.keep, progress=progress)
            remarks += file.remarks
    options = {"groups": groups, "stratify": stratify, "seeds": seeds}
    options |= {"executor": executor, "jobs": jobs, "timeout": timeout, "progress": progress}
    return Race(
        learners=tuple(named),
        layout=layout,
        labels=codes,
        classes=tuple(classes.tolist()),
        fits=fits,
        seeds=seeds,
        reseed=_make_reseeding(plan, root, lambda drawn, seed: race(named, X, y, plan=drawn, rng=seed, **options)),
        settings=kept,
        remarks=remarks,
    )


def read_race(path: str | Path) -> Race:
    """Return the experiment in a store, finished or not, without its learners and data.

    Examples
    --------
    >>> read_race("nowhere.race")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidInput: `store` must be an existing file, got a missing file: 'nowhere.race'.
    """
    with RaceStore(path, reading=True) as file:
        design = file.design()
        fits, remarks = file.fits(design), file.remarks
        with file.sound():
            return Race(
                learners=tuple(design.learners),
                layout=design.layout,
                labels=design.labels,
                classes=design.classes,
                fits=tuple(fits),
                seeds=design.seeds,
                settings=design.settings,
                remarks=_remark_on_labels(design.labels) + remarks,
            )


# --- Validation -----------------------------------------------------------------------------------


def _validate_examples(X: Any, y: Any) -> tuple[Any, np.ndarray]:  # noqa: N803
    """Return examples with indexable rows, and labels that learners accept."""
    labels = as_labels("y", np.asarray(y)[:, 0] if np.shape(y)[1:] == (1,) else y)  # scikit-learn takes a column, too
    if labels.dtype.kind in "OT":
        kinds = families(labels)
        if len(kinds) > 1:
            raise InvalidEvidence(f"`y` must have labels of one kind, got {' and '.join(sorted(kinds))}.")
        if kinds <= {"numbers", "texts"}:
            labels = np.asarray(labels.tolist())
    if hasattr(X, "tocsr") and X.format not in {"csr", "csc"}:
        X = X.tocsr()  # noqa: N806  # not all other formats have indexable rows
    elif isinstance(X, np.ndarray) and not (X.flags.c_contiguous or X.flags.f_contiguous):
        X = np.ascontiguousarray(X)  # noqa: N806  # as it arrives in other processes, to the bit
    elif isinstance(X, tuple):
        X = list(X)  # noqa: N806
    shape = getattr(X, "shape", None)
    if shape == () or (shape is None and not hasattr(X, "__len__")):
        raise InvalidEvidence(f"`X` must have a row for each example, got type {type(X).__name__}.")
    size = len(X) if shape is None else int(shape[0])
    if size != labels.size:
        raise InvalidEvidence(f"`X` and `y` must have the same length, got {size:,} rows and {labels.size:,} labels.")
    return X, labels


def _encode_labels(labels: np.ndarray) -> tuple[np.ndarray, IntArray]:
    try:
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        raise InvalidEvidence("`y` must have labels that can be sorted, got different types.") from None
    if classes.size < 2:
        raise InvalidEvidence(f"`y` must have 2 classes or more, got {classes.tolist()[0]!r} only.")
    if classes.size == labels.size > 2:
        raise InvalidEvidence(
            f"`y` must repeat its labels, got each once, such as {classes.tolist()[0]!r}. For a numeric target use"
            " classes, such as below and above the median."
        )
    return classes, codes.astype(np.int64)


def _remark_on_labels(codes: IntArray) -> tuple[str, ...]:
    """Return a remark on labels that look like a numeric target."""
    classes = np.unique(codes).size
    if codes.size <= 20 or classes <= codes.size / 2:
        return ()
    return (f"y has {classes:,} classes for {codes.size:,} examples and may be a numeric target",)


def _as_seconds(timeout: Any) -> float | None:
    """Return a time limit in seconds, None for no limit."""
    if timeout is None or timeout == float("inf"):
        return None
    number = isinstance(timeout, Real) and not isinstance(timeout, bool)
    if not number or not 0 < float(timeout) <= threading.TIMEOUT_MAX:
        raise InvalidOption(f"`timeout` must be a number of seconds above 0, got {timeout!r}. For no limit use None.")
    return float(timeout)


def _validate_options(seeds: Any, jobs: Any, stratify: Any, executor: Any) -> None:
    for name, value in (("seeds", seeds), ("jobs", jobs)):
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (whole and value >= 1) and (name, value) != ("jobs", None):
            raise InvalidOption(f"`{name}` must be a whole number of 1 or more, got {value!r}.")
    if not isinstance(stratify, bool | np.bool):
        raise InvalidOption(f"`stratify` must be True or False, got {stratify!r}.")
    if executor is None:
        return
    if jobs is not None:
        raise InvalidOption("`executor` and `jobs` exclude each other, got both. Leave `jobs` out.")
    if not (isinstance(executor, Executor) or hasattr(executor, "get_executor") or hasattr(executor, "submit")):
        raise InvalidOption(f"`executor` must be a concurrent.futures executor, got {executor!r}.")


def _as_plain_settings(settings: Mapping[str, Any] | None) -> dict[str, Any]:
    try:
        plain: dict[str, Any] = json.loads(json.dumps(dict(settings or {}), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InvalidOption(f"`settings` must have plain JSON values, got an error: {error}.") from None
    return plain


def _as_executor(executor: Any) -> Any:
    """Return the executor, or that of a Dask client."""
    return executor.get_executor(retries=2) if hasattr(executor, "get_executor") else executor


def _count_cores() -> int:
    return int(import_extra("loky", "learn").cpu_count())


def _as_root_seed(rng: Any, store: str | Path | None) -> int:
    """Return the seed that all others are derived from; without `rng`, that of the store."""
    if isinstance(rng, bool):
        raise InvalidOption(f"`rng` must be a seed (a whole number of 0 or more) or a generator, got {rng!r}.")
    if isinstance(rng, int | np.integer) and rng >= 0:
        return int(rng)
    if rng is None and store is not None and os.path.isfile(store) and Path(store).stat().st_size:  # noqa: PTH113  # never an error
        with RaceStore(store, reading=True) as file:
            if file.root is not None:
                return file.root
    return int(as_generator(rng).integers(2**63))


def _make_reseeding(plan: Any, root: int, again: Callable[[Any, int], Race]) -> Callable[[int], Race] | None:
    """Return a function that repeats the experiment on other splits, None if the splits are fixed."""
    named = isinstance(plan, str | Plan)
    if not named and hasattr(plan, "split"):
        if getattr(plan, "random_state", None) is not None:
            plan = copy.deepcopy(plan)
            plan.random_state = None
        elif not getattr(plan, "shuffle", hasattr(plan, "random_state")):
            return None
    elif not named and not all(isinstance(entry, str | Plan) for entry in plan):
        return None
    return lambda number: again(plan, root + number)


# --- Running --------------------------------------------------------------------------------------


def _run_remaining(
    tasks: Sequence[Task],
    before: Mapping[Task, Fit],
    run: Callable[[Sequence[Task]], Generator[Fit]],
    keep: Callable[[Fit], None] | None,
    *,
    progress: bool | None,
) -> tuple[Fit, ...]:
    """Run the remaining tasks, store each fit, and return all fits in the order of the tasks."""
    fits_by_task = {task: before[task] for task in tasks if task in before}
    left = [task for task in tasks if task not in fits_by_task]
    with closing(run(left)) as fits, progress_bar("fits", len(tasks), len(fits_by_task), progress) as advance:
        for fit in fits:
            if keep is not None:
                keep(fit)
            fits_by_task[Task(fit.learner, fit.split, fit.seed)] = fit
            advance(1)
    return tuple(fits_by_task[task] for task in tasks)
