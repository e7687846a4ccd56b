"""Calibrations as tables, with words for who meets them for the first time; and drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ..lab import Calibration, Calibrations, OneRate, calibrate
from ..lab.calibration_text import columns_of, how_in_words
from ..rendering import folded
from .printing import show_result

if TYPE_CHECKING:
    from .reports import Output

_POWER = "how often it sees a true difference (0.01 is one point); on the wrong side, it calls the worse one better"


def show(found: Calibration | Calibrations) -> None:
    """Print one method's rows, or several side by side."""
    if isinstance(found, Calibrations) and len(found) > 1 and not found[0].shape:
        _show_several(found)
    else:  # arrays of designs have ranges for figures, which need no tables of ours
        show_result(found[0] if isinstance(found, Calibrations) and len(found) == 1 else found)


def _show_several(found: Calibrations) -> None:
    """Print tests side by side, then intervals and estimates; what the columns mean, and what the figures say."""
    for label, value in found.rows():
        click.echo(folded(f"{label:<10}", _how(found) if label == "how" else value))
    names = [each.method for each in found]
    for part in (_columns(found, _OF_TESTS) | _wrong_side(found), _columns(found, _OF_OTHERS)):
        _show_part(names, part)
    for label, value in (*_meanings(found), *_verdicts(found), ("in words", found[0].words)):
        click.echo(folded(f"{label:<10}", value))


_OF_TESTS = ("size", "power")
_OF_OTHERS = ("chosen", "coverage", "width", "bias", "rmse")


def _columns(found: Calibrations, figures: tuple[str, ...]) -> dict[str, list[str]]:
    """Return columns of these figures, by their heads."""
    head, lines = columns_of(found.each, figures)
    columns = dict(zip(head, map(list, zip(*lines, strict=True)), strict=True))
    return {name: cells for name, cells in columns.items() if name != "method"}


def _how(found: Calibrations) -> str:
    """Say whether the figures are exact; where some are and others are not, whose."""
    said: dict[str, list[str]] = {}
    for each in found:
        said.setdefault(how_in_words(each), []).append(each.method)
    most = max(said, key=lambda how: len(said[how]))
    others = [f"{', '.join(names)}: {how}" for how, names in said.items() if how != most]
    return "; ".join([most, *others])


def _show_part(names: list[str], columns: dict[str, list[str]]) -> None:
    """Print some of the columns, for the methods that have something to tell there."""
    from .tables import show_table

    lines = [line for line in zip(names, *columns.values(), strict=True) if any(line[1:])]
    if lines:
        heads = ["\n".join(name.split(" ", 1)) for name in ("method", *columns)]  # narrower than one long line
        whole = [head for head, cells in zip(heads[1:], columns.values(), strict=True) if "(" not in "".join(cells)]
        show_table(heads, lines, whole)


def _wrong_side(found: Calibrations) -> dict[str, list[str]]:
    """Return how often each test calls the worse one better, at the smallest difference."""
    effects = found[0].effects
    if not effects.size or all(each.sign_errors is None for each in found):
        return {}
    nearest = int(abs(effects).argmin())
    shares = [None if each.sign_errors is None else each.sign_errors[nearest] for each in found]
    return {"wrong side": ["" if share is None else str(share).partition(" ")[0] for share in shares]}


def _meanings(found: Calibrations) -> Iterator[tuple[str, str]]:
    """Say what the columns mean, to who has never met them."""
    first = found[0]
    if any(each.size is not None for each in found):
        yield "size", f"how often a test claims what is not so; {first.alpha:g} was asked for"
    if first.effects.size and any(each.power is not None for each in found):
        yield "power", _POWER
    if any(each.coverage is not None for each in found):
        yield "coverage", f"how often an interval holds the truth; {1 - first.alpha:g} was asked for"


def _verdicts(found: Calibrations) -> Iterator[tuple[str, str]]:
    """Say which tests keep their word, and which do not."""
    said: dict[str, list[str]] = {}
    for each in found:
        if each.verdict:
            said.setdefault(each.verdict, []).append(each.method)
    for place, (verdict, names) in enumerate(said.items()):
        yield "" if place else "verdict", f"{verdict}: {', '.join(names)}"


def draw(found: Calibration | Calibrations, asked: dict[str, Any], file: str) -> None:
    """Draw what was found; power over more differences where that costs no trials."""
    from ..report.plots import calibration, save

    save(calibration(_finer(found, asked)), file)


def _finer(found: Calibration | Calibrations, asked: dict[str, Any]) -> Calibrations:
    """Return what was found, exact figures at twenty differences, where nobody said which."""
    those = {each.method: each for each in ([found] if isinstance(found, Calibration) else found)}
    exact = [name for name, each in those.items() if not each.simulated and each.effects.size]
    if exact and asked["differences"] is None:
        one = those[exact[0]]
        far = float(one.effects[abs(one.effects - one.null).argmax()])
        steps = [one.null + (far - one.null) * part / 20 for part in range(1, 21)]
        finer: Any = calibrate(exact, one.design, **asked | {"differences": steps})
        those |= {each.method: each for each in finer}
    return Calibrations(each=tuple(those.values()))


def write(
    how: Output,
    found: Calibration | Calibrations,
    names: list[str],
    asked: dict[str, Any],
    *,
    files: tuple[str, ...] = (),
    parts: dict[str, Any],
    design: str | None = None,
    counts: str = "",
    data: str | None = None,
) -> None:
    """Write a page about what was found, with the lines that find it again; `counts` are evidence as it is written."""
    from .examples import SETS
    from .python_code import write_calibration, write_design, write_reading

    each = [found] if isinstance(found, Calibration) else list(found)
    lines: list[str] = []
    modules: list[str] = []
    population = counts
    if files and not counts:
        lines = write_reading(files, parts)
        one = isinstance(each[0].design, OneRate)
        population = "predictions.error_counts()[0]" if one else _pair(files, parts)
    elif design:
        population, modules = write_design(design)
    # What stands before real learners, and how they were made equal, is no line of Python.
    code = "" if data else write_calibration(names, population, asked, lines, modules)
    known = {data: "a data set of scikit-learn"} if data in SETS else {}
    files = (data,) if data and not known else files
    seed = asked["rng"] if data or any(one.simulated for one in each) else None
    how.write(found, calibration=_finer(found, asked), code=code, files=files, data=known, seed=seed)


def _pair(files: tuple[str, ...], parts: dict[str, Any]) -> str:
    """Return how two models are taken from a table; those of one file are the only ones in it."""
    from .reading import listed

    named = listed(parts["models"]) if len(files) > 1 else None
    return f"predictions.paired_table({', '.join(map(repr, named or ()))})"
