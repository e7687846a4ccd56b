"""Measure the error rates of all methods: `python -m tellapart.lab.cards [--evidence NAME] [--method NAME] [--jobs 2]`.

Every test and interval is measured on the designs of its suite, by `calibrate` and `exact_coverage`, and the figures
are written to `tellapart/methods/cards`, a file for each kind of evidence. The same command gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ...errors import import_extra
from ...methods import Offer, find_methods
from ...methods import cards as kept
from ...methods.cards import CardRow, RateSummary, file_of, holds_at, key_of
from ...typing_ import Alternative
from ..calibrating import calibrate
from ..calibration import Calibration, Calibrations
from ..coverage_enumeration import exact_coverage
from ..design import Design, of_one_learner
from ..designs.several import average_coverage
from .group import Group, RateGroup, hull
from .suites import PRIOR, suite, suites

ALPHA = 0.05
DIGITS = 6  # significant ones: processors agree on these


class CardTask(NamedTuple):
    """Task for a worker: methods with the same view at the designs of one group."""

    evidence: str
    group: int
    methods: tuple[tuple[str, str], ...]  # name, and what it gives


class _Condition(NamedTuple):
    """One design at one difference, and the results of a method."""

    design: Design
    facts: dict[str, float]
    share: float
    width: float = math.nan


# --- What is measured -----------------------------------------------------------------------------


def own_methods(evidence: str) -> tuple[Offer, ...]:
    """Return the methods of this package with measured error rates."""
    return tuple(
        method
        for method in find_methods()
        if method.evidence.__name__ == evidence
        and method.gives in kept.CARRIED
        and method.function.__module__.startswith("tellapart.")
    )


def tasks(evidence: str, name: str | None = None) -> Iterator[CardTask]:
    """Return the tasks for one kind of evidence; simulated methods with the same view share trials.

    A method that draws has a task of its own, so that the figures of others do not depend on it.
    """
    for number, group in enumerate(suite(evidence)):
        views: dict[Any, list[Offer]] = {}
        for method in own_methods(evidence):
            if group.asks(method):
                views.setdefault(_view_of(group, method), []).append(method)
        for offers in views.values():
            if name is None or any(method.name == name for method in offers):
                yield CardTask(evidence, number, tuple((method.name, method.gives) for method in offers))


def _view_of(group: Group | RateGroup, method: Offer) -> Any:
    if isinstance(group, RateGroup) or group.trials is None or "rng" in method.options:
        return method.name
    return group.cases[0][0].view(method, 1 if of_one_learner(method) else 2)


def measured(task: CardTask) -> list[tuple[str, list[CardRow]]]:
    """Return the rows of each method of a task, by its key."""
    group = suite(task.evidence)[task.group]
    every: dict[tuple[str, str], Offer] = {(each.name, each.gives): each for each in own_methods(task.evidence)}
    offers = [every[key] for key in task.methods]
    if isinstance(group, RateGroup):
        return [(key_of(method), [_of_rate(group, method)]) for method in offers]
    rows: dict[str, list[CardRow]] = {key_of(method): [] for method in offers}
    for alternative in group.alternatives:
        calibrations = [_calibrate_case(group, case, offers, alternative) for case in range(len(group.cases))]
        for method in offers:
            rows[key_of(method)] += _make_rows(group, method, alternative, [each[method.name] for each in calibrations])
    return list(rows.items())


def _of_rate(group: RateGroup, method: Offer) -> CardRow:
    options: dict[str, Any] = {"prior": PRIOR} if "prior" in method.required else {}
    if group.within is None:
        return CardRow(
            design=group.words,
            facts={"examples": group.examples, "prior": 1},
            designs=1,
            options={"prior": list(PRIOR)},
            coverage=RateSummary(_round_digits(average_coverage(method, PRIOR, group.examples, alpha=ALPHA)), None),
        )
    coverage = exact_coverage(method, group.examples, within=group.within, alpha=ALPHA, **options)
    return CardRow(
        design=group.words,
        facts={"examples": group.examples, "error": list(group.within)},
        designs=coverage.error.size,
        options={name: list(value) for name, value in options.items()},
        coverage=RateSummary(
            _round_digits(coverage.mean),
            _round_digits(coverage.minimum),
            f"an error rate of {100 * coverage.worst:.4g}%",
        ),
        width=_round_digits(coverage.mean_width),
    )


def _calibrate_case(group: Group, case: int, offers: Sequence[Offer], alternative: Alternative) -> Calibrations:
    design, differences = group.cases[case]
    options = dict(group.options) | ({"prior": PRIOR} if any("prior" in each.required for each in offers) else {})
    known = {name for each in offers for name in each.options}
    calibrations = calibrate(
        _method_names(offers),
        design,
        trials=group.trials,
        differences=differences if design.movable else None,
        alpha=ALPHA,
        alternative=alternative,
        rng=group.seed + case,
        **{name: value for name, value in options.items() if name in known},
    )
    assert isinstance(calibrations, Calibrations)  # noqa: S101  # several methods were named
    return calibrations


def _method_names(offers: Sequence[Offer]) -> list[str | Offer]:
    """Return each method, or its name if a test and an interval share it."""
    names = Counter(method.name for method in offers)
    return [(names.pop(each.name) > 1 and each.name) or each for each in offers if each.name in names]


# --- The rows of a file ---------------------------------------------------------------------------


def _make_rows(
    group: Group, method: Offer, alternative: Alternative, calibrations: Sequence[Calibration]
) -> Iterator[CardRow]:
    """Return one row for the designs in the method's stated range, and one for the others."""
    sizes = (
        [each for one in calibrations for each in _list_conditions(one, "size")] if method.gives != "interval" else []
    )
    covered = (
        [each for one in calibrations for each in _list_conditions(one, "coverage")] if method.gives != "test" else []
    )
    power = _first_power(calibrations) if method.gives != "interval" else None
    for inside in (True, False):
        of_size, of_coverage = (
            [each for each in part if holds_at(method, dict(group.facts) | each.facts) is inside]
            for part in (sizes, covered)
        )
        some = of_size or of_coverage
        if not some:
            continue
        facts = {name: hull([each.facts[name] for each in some]) for name in some[0].facts} | dict(group.facts)
        # Odds and reductions have limits at infinity, which have no mean.
        widths = [each.width for each in of_coverage if method.parameter in {"error", "difference"}]
        yield CardRow(
            design=group.words,
            facts={name: _round_digits(value) for name, value in facts.items()},
            designs=len(some),
            trials=calibrations[0].simulated,
            seed=group.seed if group.trials else None,
            alternative=alternative,
            options={"prior": list(PRIOR)} if "prior" in method.required else {},
            size=_summarise_shares(group, of_size, largest=True),
            power=None if power is None else power[0],
            power_at="" if power is None else power[1],
            coverage=_summarise_shares(group, of_coverage, largest=False),
            width=_round_digits(float(np.mean(widths))) if widths and np.all(np.isfinite(widths)) else None,
        )
        power = None  # only in the first row


def _list_conditions(calibration: Calibration, what: str) -> Iterator[_Condition]:
    """Return every design of an array at every difference; the first difference, 0, gives the type I error rate."""
    share = getattr(calibration, what)
    if share is None:
        return
    places = range(1) if what == "size" else range(calibration.differences.size)
    values = share.value[..., None] if what == "size" else share.value
    for index in np.ndindex(calibration.design.shape):
        entry = calibration.design[index] if index else calibration.design  # type: ignore[index]
        for position in places:
            design = entry.at(float(calibration.differences[position])) if entry.movable else entry
            width = (
                math.nan
                if what == "size" or calibration.width is None
                else float(calibration.width[(*index, position)])
            )
            yield _Condition(design, design.facts, float(values[(*index, position)]), width)


def _first_power(calibrations: Sequence[Calibration]) -> tuple[float, str] | None:
    """Return the power at the first design with a nonzero difference, and that difference."""
    for one in calibrations:
        if one.power is not None and one.effects.size and not one.design.shape:
            step = float(one.effects[-1])
            design = one.design.at(step) if one.design.movable else one.design
            return _round_digits(float(one.power.value[-1])), f"a difference of {step:g}, {design.describe()}"
    return None


def _summarise_shares(group: Group, some: Sequence[_Condition], *, largest: bool) -> RateSummary | None:
    if not some:
        return None
    shares = np.array([each.share for each in some])
    if "prior" in group.facts:  # of what is drawn from a prior, the mean is all that is spoken of
        return RateSummary(_round_digits(float(shares.mean())), None)
    extreme = shares.max() if largest else shares.min()
    first = int(np.flatnonzero(np.abs(shares - extreme) < 1e-9)[0])  # up to digits that processors disagree on
    return RateSummary(
        _round_digits(float(shares.mean())), _round_digits(float(extreme)), some[first].design.describe()
    )


def _round_digits(value: Any) -> Any:
    """Return a number rounded to the stored digits."""
    if isinstance(value, list):
        return [_round_digits(each) for each in value]
    return int(value) if float(value).is_integer() and abs(value) > 1 else float(f"{value:.{DIGITS}g}")


# --- The command ----------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the files, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tellapart.lab.cards", description=__doc__)
    parser.add_argument("--evidence", choices=sorted(suites), help="only methods that take this")
    parser.add_argument("--method", help="only this method, and those that are measured on the same trials")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--out", type=Path, default=Path(kept.__file__).parent, help="the folder to write to")
    settings = parser.parse_args(arguments)
    chosen = [settings.evidence] if settings.evidence else sorted(suites)
    todo = [task for evidence in chosen for task in tasks(evidence, settings.method)]
    if not todo:
        sys.stderr.write(
            f"no method {settings.method!r} takes {' or '.join(chosen)}. 'tellapart methods' lists them.\n"
        )
        return 2
    results: dict[CardTask, list[tuple[str, list[CardRow]]]] = {}
    start = perf_counter()
    for task, rows in _run_tasks(todo, settings.jobs):
        results[task] = rows
        names = ", ".join(dict.fromkeys(name for name, _ in task.methods))
        words = suite(task.evidence)[task.group].words
        done = f"{len(results)}/{len(todo)} {perf_counter() - start:.0f} s"
        sys.stderr.write(f"{done}  {task.evidence}, {words}: {names}\n")
    settings.out.mkdir(parents=True, exist_ok=True)
    for evidence in dict.fromkeys(task.evidence for task in todo):
        path = settings.out / file_of(evidence)
        old = json.loads(path.read_text(encoding="utf-8"))["cards"] if settings.method and path.exists() else {}
        path.write_text(
            _format_file(evidence, [results[task] for task in todo if task.evidence == evidence], old), "utf-8"
        )
    return 0


def _run_tasks(todo: Sequence[CardTask], jobs: int) -> Iterator[tuple[CardTask, list[tuple[str, list[CardRow]]]]]:
    if jobs == 1:
        yield from ((task, measured(task)) for task in todo)
        return
    from concurrent.futures import as_completed

    pool = import_extra("loky", "learn").ProcessPoolExecutor(max_workers=jobs)
    try:
        under_way = {pool.submit(measured, task): task for task in todo}
        for future in as_completed(under_way):
            yield under_way[future], future.result()
    finally:
        pool.shutdown(wait=True, kill_workers=True)


def _format_file(evidence: str, results: Sequence[list[tuple[str, list[CardRow]]]], old: dict[str, Any]) -> str:
    """Return the content of the file of one kind of evidence: new rows, and old rows that were not measured again."""
    cards: dict[str, dict[tuple[str, str], list[dict[str, Any]]]] = {key_of(each): {} for each in own_methods(evidence)}
    for key, rows in cards.items():
        for row in old.get(key, ()):
            rows.setdefault((row["design"], row["alternative"]), []).append(row)
    for part in results:
        for key, new in part:
            cards[key] |= {(row.design, row.alternative): [] for row in new}
            for each in new:
                cards[key][each.design, each.alternative].append(each.as_dict())
    positions = dict.fromkeys((group.words, side) for group in suite(evidence) for side in group.alternatives)
    lines = [
        f"  {json.dumps(key)}: [\n"
        + ",\n".join(_format_line(row) for position in positions for row in rows.get(position, ()))
        + "\n  ]"
        for key, rows in sorted(cards.items())
        if rows
    ]
    command = f"python -m tellapart.lab.cards --evidence {evidence}"
    head = f'{{\n "command": {json.dumps(command)},\n "alpha": {ALPHA},\n "cards": {{\n'
    return head + ",\n".join(lines) + "\n }\n}\n"


def _format_line(row: dict[str, Any]) -> str:
    """Return JSON in one line, so that changes can be read."""
    return f"   {json.dumps(row, ensure_ascii=False, allow_nan=False)}"
