"""`calibrate`: measure what a method does at a design, exactly where the outcomes can be listed, else by simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, get_args

import numpy as np

from ..errors import InvalidOption, UnknownMethod
from ..evidence import ErrorCount, IndependentCounts, PairedTable
from ..methods import Method, check_options, look_up
from ..methods.registry import Gives
from ..types import Alternative, FloatArray, as_alpha, one_of
from .calibration import Calibration, Calibrations
from .design import Design, of_one_learner
from .outcomes import OneRate, PairedOutcomes, TwoRates
from .study import Study, key_of
from .tally import Asked, Tally
from .trials import simulated, workers

__all__ = ["as_design", "calibrate"]

_SIDES = {"two-sided": "two", "less": "upper", "greater": "lower"}


def calibrate(
    methods: Any,
    design: Any,
    *,
    trials: int | None = None,
    differences: Sequence[float] | None = None,
    level: float | None = None,
    alpha: float | None = None,
    alternative: Alternative = "two-sided",
    learner: str | None = None,
    rng: Any = 0,
    jobs: int | None = None,
    executor: Executor | None = None,
    store: str | Path | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Calibration | Calibrations:
    """Measure the real size, power and coverage of methods at a design.

    Every outcome is enumerated where they are few enough to be listed, and the figures are exact; else trials are
    simulated. Either way the registered functions are called, those that `compare` and `estimate` call.

    Parameters
    ----------
    methods
        A method's name, or several; a name stands for the test, the interval and the estimate that go by it. None:
        the usual ones for such a design.
    design
        A design of `tellapart.lab`, or what was observed: a `PairedTable` (its size and its disagreement, not its
        difference), `IndependentCounts` or an `ErrorCount`.
    trials
        How many trials to simulate. If left out, outcomes are enumerated where they can be.
    differences
        The true differences, error(A) − error(B), at which power and coverage are measured besides 0.
    level, alpha
        The level of intervals, or the alpha of tests: one number told two ways.
    alternative
        "two-sided", "greater" or "less", as for `compare`.
    learner
        "A" to measure intervals and estimates of the error of A alone, where a method could also take two learners.
    rng
        A seed or a generator. The same seed gives the same trials, on any number of workers.
    jobs
        How many processes; 1, if left out.
    executor
        Any executor of `concurrent.futures`, in place of processes of our own.
    store
        A file that finished trials are added to. If it is there, only what is missing is simulated.
    progress
        Whether to show a bar; if left out, on a terminal only.
    options
        Options of the methods.

    Examples
    --------
    >>> import tellapart as ta
    >>> found = ta.calibrate("mcnemar-mid-p", ta.PairedTable(10, 25, 10, 255), differences=[0.05])
    >>> found.trials, found.size.value.round(4), found.power.value.round(4)
    ('exact', np.float64(0.0466), array([0.6992]))
    """
    population, seed = as_design(design), _seed(rng)
    number = population.trials if trials is None else _as_trials(trials)
    one_of("alternative", alternative, Alternative)
    asked = tuple(_asked(population, methods, as_alpha(level, alpha), alternative, learner, options))
    study = Study(population, asked, _differences(population, differences))
    exact = study.enumerated() if trials is None else {}
    left = study.without({each.method.name for each in asked if key_of(each) in exact})
    drawn: dict[str, Tally] = {}
    if left.asked:
        with workers(jobs, executor) as run:
            drawn = simulated(left, number, seed, run, store, progress)
    results = tuple(
        study.result(name, drawn, number, seed) if name in left.names else study.result(name, exact)
        for name in study.names
    )
    return results[0] if isinstance(methods, str | Method) else Calibrations(results)


# --- What is asked --------------------------------------------------------------------------------


def as_design(value: Any) -> Design:
    """Return a design as it is, or make one of what was observed.

    Examples
    --------
    >>> as_design(ErrorCount(3, 120)).describe()
    'one classifier with a true error of 0.025, 120 examples'
    """
    if isinstance(value, Design):
        return value
    if isinstance(value, PairedTable):
        return PairedOutcomes.from_table(value)
    if isinstance(value, ErrorCount | IndependentCounts) and value.shape:
        raise InvalidOption(f"a design takes one entry, but this holds {value.shape}. Take one: counts[0].")
    if isinstance(value, ErrorCount):
        return OneRate(value.rate, int(value.trials))
    if isinstance(value, IndependentCounts):
        pooled = (value.a.errors + value.b.errors) / (value.a.trials + value.b.trials)
        return TwoRates(pooled, pooled, int(value.a.trials), int(value.b.trials))
    raise InvalidOption(
        f"design must be one of tellapart.lab, such as PairedOutcomes(0.1, 0.1, 0.08, 300), or a PairedTable,"
        f" ErrorCount or IndependentCounts, but is {type(value).__name__}."
    )


def _asked(
    design: Design, methods: Any, alpha: float, alternative: Alternative, learner: str | None, options: dict[str, Any]
) -> Iterator[Asked]:
    names = design.usual if methods is None else [methods] if isinstance(methods, str | Method) else list(methods)
    if not names:
        raise InvalidOption("methods must be a name or several, but is empty.")
    if learner not in (None, "A"):
        raise InvalidOption(f"learner must be 'A' or left out, but is {learner!r}.")
    if len(set(names)) < len(names):
        raise InvalidOption(f"methods must be different, but is {', '.join(map(str, names))}.")
    chosen = [(found, learners) for name in names for found, learners in _by_name(name, design, learner)]
    spoken = {option for method, _ in chosen for option in design.options(method)}
    check_options(options, *(method for method, _ in chosen), spoken_for=spoken)
    decided = {"alpha": alpha, "side": _SIDES[alternative], "alternative": alternative} | options
    for method, learners in chosen:
        taken = {name: value for name, value in decided.items() if name in method.options}
        yield Asked(method, taken | design.options(method), alpha, learners)


def _by_name(name: Any, design: Design, learner: str | None) -> list[tuple[Method, int]]:
    """Return all that goes by a name (test, interval and estimate), and whether of one learner or of two."""
    found = [name] if isinstance(name, Method) else []
    for evidence in design.evidence:
        if not found:
            found = [method for gives in get_args(Gives) if (method := look_up(name, gives, evidence))]
    if not found:
        kinds = " or ".join(kind.__name__ for kind in design.evidence)
        raise UnknownMethod(f"no method {name!r} reads {kinds}. 'tellapart methods' lists them all.")
    if learner or all(of_one_learner(method) for method in found):
        of_one = [(method, 1) for method in found if method.gives != "test" or of_one_learner(method)]
        if not of_one:
            raise UnknownMethod(f"method {name!r} compares two learners. Leave out learner.")
        return of_one
    return [(method, 2) for method in found if method.gives != "estimate"]


def _differences(design: Design, given: Sequence[float] | None) -> FloatArray:
    """Return the true differences, the null hypothesis first; a design that cannot be moved has its own only."""
    if not design.movable:
        if given is not None and len(given):
            raise InvalidOption(f"differences must be left out: {design.describe()} has but one, which is its own.")
        return np.array([float(design.truth("difference"))])
    steps = design.grid if given is None else given
    try:
        values = np.array([0.0, *(float(step) for step in steps)])
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if not np.isfinite(values).all() or len(set(values.tolist())) < values.size:
        raise InvalidOption(
            f"differences must be different numbers other than 0, such as [0.01, 0.02], but is {given!r}. 0 is always"
            " measured."
        )
    return values


def _as_trials(trials: Any) -> int:
    if isinstance(trials, bool) or not isinstance(trials, int | np.integer) or not 1 <= trials <= 10**10:
        raise InvalidOption(f"trials must be a whole number, at least 1, but is {trials!r}.")
    return int(trials)


def _seed(rng: Any) -> int:
    """Return a seed that can be told: the one given, or one drawn from the generator."""
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    raise InvalidOption(f"rng must be a seed (a whole number, 0 or more) or a generator, but is {rng!r}.")
