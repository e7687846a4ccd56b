"""`calibrate`: type I error, power and coverage of methods at a design, exact or by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, get_args

import numpy as np

from ..errors import InvalidOption, UnknownMethod
from ..evidence import (
    ClassScores,
    ConfusionMatrix,
    ErrorCount,
    Evidence,
    IndependentCounts,
    Outcomes,
    PairedConfusion,
    PairedTable,
    ScoreTable,
)
from ..methods import Offer, check_options, find_methods, look_up
from ..methods.registry import Gives
from ..typing_ import LARGEST_SIZE, Alternative, FloatArray, Hypothesis, as_alpha, nearest_name, one_of
from ..verbs.request import Request
from .calibration import Calibration, Calibrations
from .design import Design, of_one_learner
from .designs.binormal import BinormalScores
from .designs.confused import ConfusedLabels
from .designs.confused_pairs import ConfusedPairs
from .designs.observed import as_scored
from .designs.observed_data_sets import ObservedDataSets
from .designs.paired import PairedOutcomes
from .designs.rates import OneRate, TwoRates
from .study import Study, key_of
from .tally import Margin, MethodRequest, Tally
from .trials import check_workers, simulated, workers

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
    margin: float | None = None,
    hypothesis: Hypothesis | None = None,
    learner: str | None = None,
    rng: Any = 0,
    jobs: int | None = None,
    executor: Executor | None = None,
    store: str | Path | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Calibration | Calibrations:
    """Measure type I error rate, power and coverage of methods at a design.

    If the outcomes are few enough, all are enumerated and the figures are exact; otherwise trials are simulated. Both
    call the same functions as `compare` and `estimate`.

    Parameters
    ----------
    methods
        A method's name, or several; a name means the test, the interval and the estimate with this name. If a test of
        all models and a test of pairs share a name, it means the first; `find_method(name, "pairs", …)` returns the
        other. None for the default methods of the design.
    design
        A design of `tellapart.lab`, or evidence: a `PairedTable` (its size and discordant rate, not its difference),
        `IndependentCounts`, an `ErrorCount`, `Outcomes` (their clusters, weights, groups, repeats and score
        distribution, with equal models), a `ConfusionMatrix`, `PairedConfusion` or `ClassScores` with a metric chosen
        by `by` (their size, classes and agreement, not their difference), or a `ScoreTable` (bootstrap samples of its
        data sets, with learners that are equal on average).
    trials
        The number of trials to simulate. By default, outcomes are enumerated if possible.
    differences
        True differences, error(A) − error(B), for power and coverage, in addition to the null hypothesis.
    level, alpha
        The confidence level of intervals, or the alpha of tests; alpha = 1 - level.
    alternative
        "two-sided", "greater" or "less", as for `compare`.
    margin, hypothesis
        Measure a test with a margin, as for `compare`: B is "non-inferior" (the default), "superior" or "equivalent".
        Under the null hypothesis B is then worse by the margin (better, for "superior").
    learner
        "A" to measure intervals and estimates of the error of A alone, if a method also accepts two learners.
    rng
        A seed or a generator. The same seed gives the same trials, on any number of workers.
    jobs
        The number of processes. Default: 1.
    executor
        Any executor of `concurrent.futures`, instead of worker processes.
    store
        A file for finished trials. If it exists, only the missing trials are simulated. Not used for enumeration.
    progress
        Whether to show a progress bar. Default: on a terminal only.
    options
        Options of the methods.

    Examples
    --------
    >>> import tellapart as ta
    >>> found = ta.calibrate("mcnemar-mid-p", ta.PairedTable(10, 25, 10, 255), differences=[0.05])
    >>> found.trials, found.size.value.round(4), found.power.value.round(4)
    ('exact', np.float64(0.0467), array([0.725]))
    >>> ta.calibrate("tango", ta.PairedTable(10, 25, 10, 255), margin=0.05).differences
    array([-0.05,  0.  ])
    """
    population, seed = as_design(design), _resolve_seed(rng)
    number = population.trials if trials is None else _as_trials(trials)
    check_workers(jobs, executor)
    one_of("alternative", alternative, Alternative)
    probability = as_alpha(level, alpha)
    border = _resolve_margin(margin, hypothesis, probability, alternative)
    requests = tuple(_select_requests(population, methods, probability, alternative, border, learner, options))
    study = Study(population, requests, _resolve_differences(population, differences, border, alternative))
    exact = study.enumerated(progress) if trials is None else {}
    left = study.without({each.method.name for each in requests if key_of(each) in exact})
    drawn: dict[str, Tally] = {}
    if left.requests:
        with workers(jobs, executor) as run:
            drawn = simulated(left, number, seed, run, store, progress)
    results = tuple(
        study.result(name, drawn, number, seed) if name in left.names else study.result(name, exact)
        for name in study.names
    )
    return results[0] if isinstance(methods, str | Offer) else Calibrations(results)


# --- What is asked --------------------------------------------------------------------------------


def as_design(value: Any) -> Design:
    """Return a design, made from evidence if necessary.

    Examples
    --------
    >>> as_design(ErrorCount(3, 120)).describe()
    'one model, error rate 2.5%, 120 examples'
    """
    if isinstance(value, Design):
        return value
    for kind, made in _OBSERVED.items():
        if isinstance(value, kind):
            return made(value)
    order = " The method comes first: calibrate('mcnemar-mid-p', design)." if isinstance(value, str) else ""
    raise InvalidOption(
        f"`design` must be a design of tellapart.lab, such as PairedOutcomes(0.1, 0.1, 0.08, 300), or evidence,"
        f" such as a PairedTable, got {type(value).__name__}.{order}"
    )


def _of_count(count: ErrorCount) -> OneRate:
    return OneRate(_check_single_entry(count).rate, int(count.trials))


def _of_counts(counts: IndependentCounts) -> TwoRates:
    a, b = _check_single_entry(counts).a, counts.b
    pooled = (a.errors + b.errors) / (a.trials + b.trials)
    return TwoRates(pooled, pooled, int(a.trials), int(b.trials))


def _check_single_entry(value: Any) -> Any:
    if value.shape:
        raise InvalidOption(
            f"`design` must be one entry, got an array of shape {value.shape}. Take one of them: counts[0]."
        )
    return value


_OBSERVED: dict[type[Evidence], Callable[[Any], Design]] = {
    ClassScores: BinormalScores.from_scores,
    ConfusionMatrix: ConfusedLabels.from_matrix,
    ErrorCount: _of_count,
    IndependentCounts: _of_counts,
    Outcomes: as_scored,
    PairedConfusion: ConfusedPairs.from_counts,
    PairedTable: PairedOutcomes.from_table,
    ScoreTable: ObservedDataSets,
}


def _resolve_margin(margin: Any, hypothesis: Any, alpha: float, alternative: Alternative) -> Margin | None:
    """Return the margin to be tested, with the rules of `compare`."""
    if margin is None:
        if hypothesis not in (None, "different"):
            raise InvalidOption(f"`hypothesis` {hypothesis!r} needs a margin. Use margin=0.01 for 1 pp.")
        return None
    shown: Hypothesis = hypothesis or "non-inferior"
    request = Request(alpha=alpha, alternative=alternative, margin=margin, hypothesis=shown)
    return Margin(request.as_margin(bounds=(-1.0, 1.0)), shown)


def _select_requests(
    design: Design,
    methods: Any,
    alpha: float,
    alternative: Alternative,
    margin: Margin | None,
    learner: str | None,
    options: dict[str, Any],
) -> Iterator[MethodRequest]:
    names = design.usual if methods is None else [methods] if isinstance(methods, str | Offer) else methods
    if not isinstance(names, Sequence) or not all(isinstance(name, str | Offer) for name in names):
        raise InvalidOption(
            f"`methods` must be a name or a list of names, such as ['mcnemar', 'tango'], got {methods!r}."
        )
    if not names:
        raise InvalidOption("`methods` must name at least one method, got none.")
    if learner not in (None, "A"):
        raise InvalidOption(f"`learner` must be 'A' or None, got {learner!r}.")
    spelled = [name.name if isinstance(name, Offer) else name for name in names]
    if len(set(spelled)) < len(spelled):
        raise InvalidOption(f"`methods` must be different, got {', '.join(spelled)}.")
    chosen = [(offer, offer_learners) for name in names for offer, offer_learners in _by_name(name, design, learner)]
    if margin is not None:
        chosen = [(method, learners) for method, learners in chosen if _takes_margin(method, design)]
        able = {method.name for method, _ in chosen}
        unable = [name for name in spelled if name not in able]
        if not able or (unable and methods is not None):
            raise UnknownMethod(
                f"method {unable[0]!r} has no test against a margin. Leave out `margin`, or the method."
            )
    spoken = {option for method, _ in chosen for option in design.options(method)}
    check_options(options, *(method for method, _ in chosen), spoken_for=spoken)
    sides = {} if margin else {"side": _SIDES[alternative], "alternative": alternative}
    decided = {"alpha": alpha} | sides | options
    for method, learners in chosen:
        taken = {name: value for name, value in decided.items() if name in method.options}
        yield MethodRequest(method, taken, alpha, learners, margin)


def _takes_margin(method: Offer, design: Design) -> bool:
    """Return whether this is a test that accepts a margin."""
    return method.gives == "test" and "against" in method.options and "against" not in design.options(method)


def _by_name(name: Any, design: Design, learner: str | None) -> list[tuple[Offer, int]]:
    """Return the test, interval and estimate with a name, for one learner or for two."""
    offers = [name] if isinstance(name, Offer) else []
    for evidence in design.evidence:
        if not offers:
            offers = [method for gives in get_args(Gives) if (method := look_up(name, gives, evidence))]
    if not offers:
        raise UnknownMethod(_unknown_method_message(name, design))
    if any(method.gives == "test" for method in offers):  # which of the two a size is of must be clear
        offers = [method for method in offers if method.gives != "pairs"]
    if not design.testable:
        offers = [method for method in offers if method.gives != "test"]
        if not offers:
            raise InvalidOption(
                f"`design` must have a threshold between 0 and 1 to be tested, got {design.describe()}."
            )
    if learner and all(method.evidence in (PairedTable, IndependentCounts, PairedConfusion) for method in offers):
        raise UnknownMethod(f"method {name!r} compares two models. Leave out `learner`.")
    if learner or design.alone or all(of_one_learner(method) for method in offers):
        of_one = [(method, 1) for method in offers if method.gives != "test" or of_one_learner(method)]
        if not of_one:
            way = "Leave out `learner`." if learner else f"The design is {design.describe()}."
            raise UnknownMethod(f"method {name!r} compares two learners. {way}")
        return of_one
    return [(method, 2) for method in offers if method.gives != "estimate"]


def _unknown_method_message(name: str, design: Design) -> str:
    """Return the error message for a name without a method for the evidence of the design."""
    kinds = " or ".join(kind.__name__ for kind in design.evidence)
    names = sorted({method.name for kind in design.evidence for method in find_methods(evidence=kind)})
    near = nearest_name(name, names)
    others = sorted({method.evidence.__name__ for method in find_methods(name=name)})
    message = f"unknown method {name!r}{'' if near else f' for {kinds}'}."
    if others:
        message = f"method {name!r} needs {' or '.join(others)}, not {kinds}."
    return f"{message} Did you mean {near!r}?" if near else f"{message} See `tellapart methods`."


def _resolve_differences(
    design: Design, differences: Sequence[float] | None, margin: Margin | None, alternative: Alternative
) -> FloatArray:
    """Return the true differences, the null hypothesis first; designs with a fixed difference have only that."""
    if not design.movable:
        if differences is not None and np.size(differences):
            raise InvalidOption(
                f"`differences` must be left out: this design has one fixed difference ({design.describe()})."
            )
        if margin is not None:
            raise InvalidOption(
                f"`margin` must be left out: this design has one fixed difference ({design.describe()})."
            )
        return np.array([float(design.truth("difference"))])
    null = 0.0 if margin is None else margin.border
    steps = _usual_steps(design, margin, alternative) if differences is None else differences
    try:
        values = np.array([null, *(np.nan if isinstance(step, str | bool) else float(step) for step in steps)])
    except (TypeError, ValueError, OverflowError):
        values = np.array([np.nan])
    if not (np.abs(values) <= LARGEST_SIZE).all() or len(set(values.tolist())) < values.size:
        raise InvalidOption(
            f"`differences` must be different numbers other than {null:g}, such as [{null + 0.01:g}, {null + 0.02:g}],"
            f" got {differences!r}. The null hypothesis, {null:g}, is always measured."
        )
    return values


def _usual_steps(design: Design, margin: Margin | None, alternative: Alternative) -> Sequence[float]:
    """Return the default differences: on the side of the alternative."""
    if margin is not None:
        return (2 * margin.size,) if margin.hypothesis == "superior" else (0.0,)
    if alternative == "less" and design.grid and not np.any(design.truth("difference")):
        return [-step for step in design.grid if _allows_difference(design, -step)]
    return design.grid


def _allows_difference(design: Design, step: float) -> bool:
    try:
        design.at(step)
    except InvalidOption:
        return False
    return True


def _as_trials(trials: Any) -> int:
    if isinstance(trials, bool) or not isinstance(trials, int | np.integer) or not 1 <= trials <= 10**10:
        raise InvalidOption(f"`trials` must be a whole number from 1 to 10,000,000,000, got {trials!r}.")
    return int(trials)


def _resolve_seed(rng: Any) -> int:
    """Return the seed, or one drawn from the generator."""
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    raise InvalidOption(f"`rng` must be a seed (a whole number, 0 or more) or a generator, got {rng!r}.")
