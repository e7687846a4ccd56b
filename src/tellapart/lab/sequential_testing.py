"""`peeking`: type I error, power and coverage of repeated looks at a growing test set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from ..errors import InvalidOption, UnknownMethod
from ..evidence import ErrorCount, PairedTable
from ..methods import Offer, check_options, find_methods, look_up
from ..methods.spending import SOURCES, spending_boundaries
from ..running.progress import progress_bar
from ..typing_ import FloatArray, IntArray, as_alpha, as_generator
from ..verbs.pipeline import choose
from ..verbs.request import Request
from .calibrating import as_design
from .count_paths import Course, Watcher, blocks, drawn, listed, states
from .designs.paired import PairedOutcomes
from .designs.rates import OneRate
from .stopping import Peeking, Stopping

_TRIALS = 10_000
_LOOKS = 20
_MOST_WORK = 60_000_000  # counts asked about at all looks, under all conditions, by all rules: some ten seconds
_PLANNED = ("bonferroni", "obrien-fleming", "pocock", "one look")
# By evidence: the test to look at if none is named, the one that may be looked at at any time, and the score whose z
# is compared with planned boundaries.
_USUAL = {
    PairedTable: ("mcnemar-mid-p", "mcnemar-evalue", "tango"),
    ErrorCount: ("clopper-pearson", "beta-binomial-cs", "wilson"),
}


def peeking(
    design: Any,
    *,
    looks: Any = None,
    rules: Sequence[str] | None = None,
    test: str | None = None,
    differences: Sequence[float] | None = None,
    level: float | None = None,
    alpha: float | None = None,
    trials: int | None = None,
    rng: Any = 0,
    progress: bool | None = None,
    **options: Any,
) -> Peeking:
    """Measure stopping rules: type I error, power, examples at the stop, and coverage at all looks.

    A test that is repeated while examples arrive, until p < alpha, rejects a true null hypothesis too often. This
    function computes the probability of every path of the counts until a rule decides. The figures are exact, or
    simulated if there are too many counts to enumerate. The tests are those of `compare`.

    Parameters
    ----------
    design
        `PairedOutcomes` (or a `PairedTable`: its size and its discordant rate, not its difference), or `OneRate` (or an
        `ErrorCount`), tested against a threshold. Its number of examples is that at the last look.
    looks
        The number of equally spaced looks, or the number of examples at each look. Default: 20, or the number of
        examples if that is smaller.
    rules
        Names of tests, which are computed at each look at alpha as if it were the only one. This is naive, except for
        the anytime-valid "mcnemar-evalue" and "beta-binomial-cs". "bonferroni" is `test` at alpha divided by the number
        of looks, "one look" is `test` at the last look only, "obrien-fleming" and "pocock" compare McNemar's z (or that
        of Wilson's score) with boundaries that spend alpha at planned looks (Lan and DeMets).
    test
        The test of "bonferroni" and "one look". Default: the first naive one among the rules, else that of `compare`
        ("mcnemar-mid-p", or "clopper-pearson" for one error rate).
    differences
        True differences, error(A) − error(B), for power and coverage, in addition to the null hypothesis.
    level, alpha
        The confidence level of intervals, or the alpha of tests; alpha = 1 - level.
    trials
        The number of trials to simulate instead of exact enumeration.
    rng
        A seed or a generator.
    progress
        Whether to show a progress bar. Default: on a terminal only.
    options
        Options of the tests.

    Examples
    --------
    >>> from tellapart.lab import PairedOutcomes
    >>> found = peeking(PairedOutcomes(0.1, 0.1, 0.1, 1000), looks=20, rules=["mcnemar", "one look"])
    >>> found["mcnemar"].type_i_error, found["one look"].type_i_error
    (0.2475 (exact), 0.0502 (exact))
    """
    population = _resolve_design(design)
    probability, generator = as_alpha(level, alpha), as_generator(rng)
    sizes = _look_sizes(looks, population.examples)
    number = None if trials is None else _as_trials(trials)
    chosen = _make_rules(rules, test, population, probability, sizes, options)
    steps = _resolve_differences(population, differences)
    conditions = [population.at(step) for step in steps.tolist()]
    watched = [[rule.watchers(condition) for rule in chosen] for condition in conditions]
    courses = [Course.of(condition) for condition in conditions]
    if number is None and not _can_enumerate(courses, sizes, chosen, watched):
        number = _TRIALS
    stopped = []
    times = len(conditions) * (1 if number is None else len(blocks(number)))
    with progress_bar("looks", sizes.size * times, 0, progress) as step:
        for course, rows, source in zip(courses, watched, generator.spawn(len(conditions)), strict=True):
            watchers = [watcher for row in rows for watcher in row]
            if number is None:
                stopped.append(listed(course, sizes, watchers, step))
            else:
                stopped.append(drawn(course, sizes, watchers, number, source, step))
    rules_measured = _put_together(chosen, watched, stopped, sizes, steps, probability, number or 0)
    return Peeking(design=population, alpha=probability, each=tuple(rules_measured))


# --- Rules ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Rule:
    """A stopping rule: a test, its options, and its decisions by look."""

    name: str
    method: Offer
    options: dict[str, Any]
    bounds: FloatArray
    scored: bool = False
    limits: Offer | None = None  # the test of any difference whose limits go with it
    naive: bool = False
    references: tuple[str, ...] = ()

    def watchers(self, condition: PairedOutcomes | OneRate) -> list[Watcher]:
        """Return the watchers of the decision and of the coverage; one if both are the same."""
        against = condition.options(self.method)
        null = float(against.get("against", 0.0))
        decides = Watcher(self.method, self.options | against, self.bounds, self.scored, null)
        truth = float(condition.truth("error" if isinstance(condition, OneRate) else "difference"))
        edge = truth in ((0.0, 1.0) if isinstance(condition, OneRate) else (-1.0, 1.0))
        if self.limits is None or edge or (truth == null and self.limits is self.method):
            return [decides]
        taken = {name: value for name, value in self.options.items() if name in self.limits.options}
        return [decides, Watcher(self.limits, taken | {"against": truth}, self.bounds, self.scored, truth)]


def _make_rules(
    names: Any,
    test: str | None,
    design: PairedOutcomes | OneRate,
    alpha: float,
    looks: IntArray,
    options: dict[str, Any],
) -> list[_Rule]:
    """Return the rules with these names, or the default rules."""
    kind = design.evidence[0]
    usual, anytime, score = _USUAL[kind]
    if names is None:
        names = [usual if test is None else test, *_PLANNED[:-1], anytime, _PLANNED[-1]]
    if isinstance(names, str):
        names = [names]
    if not (isinstance(names, Sequence) and names and all(isinstance(name, str) for name in names)):
        raise InvalidOption(f"`rules` must be names, such as ['mcnemar-mid-p', 'one look'], got {names!r}.")
    if len(set(names)) < len(names):
        raise InvalidOption(f"`rules` must be different, got {', '.join(names)}.")
    if not design.testable:
        raise InvalidOption(f"`design` must have a threshold between 0 and 1 to be tested, got {design.describe()}.")
    first = next((name for name in names if name not in (*_PLANNED, anytime)), usual)
    planned_test = _find_test(first if test is None else test, kind)
    methods = {
        name: _find_test(score, kind)
        if name in SOURCES
        else planned_test
        if name in _PLANNED
        else _find_test(name, kind)
        for name in names
    }
    check_options(options, *methods.values())
    selected = []
    for name, method in methods.items():
        bounds = np.full(looks.size, alpha / looks.size if name == "bonferroni" else alpha)
        if name == "one look":
            bounds[:-1] = 0.0
        if name in SOURCES:
            bounds = spending_boundaries(looks / looks[-1], alpha=alpha, spending=name)
        rule_options = {option: value for option, value in options.items() if option in method.options}
        naive = name not in (*_PLANNED, anytime)
        references = SOURCES.get(name, (str(method.reference),))
        selected.append(
            _Rule(name, method, rule_options, bounds, name in SOURCES, _interval_test(method, kind), naive, references)
        )
    return selected


def _find_test(name: str, kind: type[PairedTable | ErrorCount]) -> Offer:
    """Return the test with a name; raise UnknownMethod if there is none."""
    method = look_up(name, "test", kind)
    if method is None:
        tests = [offer.name for offer in find_methods(evidence=kind, gives="test")]
        near = get_close_matches(name, [*_PLANNED, *tests], n=1)
        fix = f"Did you mean {near[0]!r}?" if near else f"Use a test, or one of: {', '.join(_PLANNED)}."
        raise UnknownMethod(f"unknown rule {name!r} for {kind.__name__}. {fix}")
    return method


def _interval_test(method: Offer, kind: type[PairedTable | ErrorCount]) -> Offer | None:
    """Return the test that corresponds to the interval `compare` reports with a test.

    None if there is no such test: limits at each count of each look would take too long.
    """
    name = method.name if kind is ErrorCount else choose(PairedTable(1, 1, 1, 1), Request(method=method.name))[1].name
    offer = look_up(name, "test", kind, elsewhere=False)
    return offer if offer is not None and "against" in offer.options else None


# --- Conditions -----------------------------------------------------------------------------------


def _resolve_design(design: Any) -> PairedOutcomes | OneRate:
    converted = as_design(design)
    if not isinstance(converted, PairedOutcomes | OneRate):
        raise InvalidOption(
            "`design` must be PairedOutcomes or OneRate, a PairedTable or an ErrorCount, got"
            f" {type(converted).__name__}."
        )
    if converted.shape:
        raise InvalidOption(
            f"`design` must be one design, got an array of shape {converted.shape}. Take one of them: design[0]."
        )
    return converted


def _look_sizes(looks: Any, examples: int) -> IntArray:
    """Return the number of examples at each look."""
    looks = min(_LOOKS, examples) if looks is None else looks
    array = np.array(0)
    try:
        read = np.asarray(looks)
        if read.dtype.kind in "iuf" and read.ndim < 2 and read.size and np.all(read == np.floor(read)):  # NaN is none
            array = read
    except ValueError:  # lists of several lengths
        pass
    if array.ndim == 0:
        if not 1 <= array <= examples:
            raise InvalidOption(
                f"`looks` must be a number from 1 to {examples}, or a list of numbers of examples, got {looks!r}."
            )
        return np.rint(examples * np.arange(1, int(array) + 1) / int(array)).astype(np.int64)
    sizes = array.astype(np.int64)
    if sizes[0] < 1 or np.any(np.diff(sizes) < 1) or sizes[-1] != examples:
        shown = ",".join(map(str, sizes.tolist()))
        raise InvalidOption(f"`looks` must be increasing numbers of examples that end at {examples}, got {shown}.")
    return sizes


def _resolve_differences(design: PairedOutcomes | OneRate, differences: Sequence[float] | None) -> FloatArray:
    """Return the true differences, the null hypothesis first."""
    steps = design.grid if differences is None else differences
    try:
        values = np.array([0.0, *(np.nan if isinstance(step, str | bool) else float(step) for step in steps)])
    except (TypeError, ValueError, OverflowError):
        values = np.array([np.nan])
    if not np.isfinite(values).all() or len(set(values.tolist())) < values.size:
        raise InvalidOption(
            f"`differences` must be different numbers other than 0, such as [0.01, 0.02], got {differences!r}. The null"
            " hypothesis, 0, is always measured."
        )
    return values


def _as_trials(trials: Any) -> int:
    if isinstance(trials, bool) or not isinstance(trials, int | np.integer) or not 1 <= trials <= 10**9:
        raise InvalidOption(f"`trials` must be a whole number from 1 to 1,000,000,000, got {trials!r}.")
    return int(trials)


def _can_enumerate(
    courses: Sequence[Course], looks: IntArray, rules: Sequence[_Rule], watched: Sequence[Sequence[Sequence[Watcher]]]
) -> bool:
    """Return whether the counts can be enumerated: they are few, and the rules use nothing else."""
    if any(rule.method.reads == "cells" for rule in rules):
        return False
    each = [states(course, looks) for course in courses]
    work = sum(number * looks.size * sum(map(len, rows)) for number, rows in zip(each, watched, strict=True))
    return work <= _MOST_WORK or max(each) <= 2 * _TRIALS  # as many counts as trials take no longer than these


def _put_together(
    rules: Sequence[_Rule],
    watched: Sequence[Sequence[Sequence[Watcher]]],
    stopped: Sequence[FloatArray],
    looks: IntArray,
    differences: FloatArray,
    alpha: float,
    simulated: int,
) -> Iterator[Stopping]:
    """Return the results by rule."""
    first = [np.cumsum([0, *map(len, rows)]) for rows in watched]  # where the watchers of a rule begin
    for index, rule in enumerate(rules):
        of_rule = [part[begin[index] : begin[index + 1]] for part, begin in zip(stopped, first, strict=True)]
        not_covered = None
        if rule.limits is not None:
            # What decides against the truth has missed it: the watcher of the limits, or at the null the rule.
            not_covered = np.array([part[-1].sum(axis=-1) for part in of_rule])
            known = [len(part) == 2 or step == 0 for part, step in zip(of_rule, differences, strict=True)]
            not_covered[~np.array(known)] = np.nan
        yield Stopping(
            rule=rule.name,
            method=rule.method.name,
            naive=rule.naive,
            alpha=alpha,
            looks=looks,
            differences=differences,
            simulated=simulated,
            stopped=np.array([part[0] for part in of_rule]),
            not_covered=not_covered,
            references=rule.references,
        )
