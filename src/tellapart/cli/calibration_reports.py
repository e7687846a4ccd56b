"""Figures and report pages of calibrations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..lab import Calibration, Calibrations, OneRate, calibrate

if TYPE_CHECKING:
    from .answer_output import Output


def draw_calibration(result: Calibration | Calibrations, settings: dict[str, Any], file: str) -> None:
    """Draw a calibration; power over more differences if that needs no trials."""
    from ..report.plots import calibration, save

    save(calibration(_refine_differences(result, settings)), file)


def _refine_differences(result: Calibration | Calibrations, settings: dict[str, Any]) -> Calibrations:
    """Return the calibrations, exact ones at twenty differences, unless the differences were named."""
    calibrations = {each.method: each for each in ([result] if isinstance(result, Calibration) else result)}
    exact = [name for name, each in calibrations.items() if not each.simulated and each.effects.size]
    if exact and settings["differences"] is None:
        first = calibrations[exact[0]]
        largest = float(first.effects[abs(first.effects - first.null).argmax()])
        steps = [first.null + (largest - first.null) * step / 20 for step in range(1, 21)]
        refined: Any = calibrate(exact, first.design, **settings | {"differences": steps})
        calibrations |= {each.method: each for each in refined}
    return Calibrations(each=tuple(calibrations.values()))


def write_report(
    shown: Output,
    result: Calibration | Calibrations,
    names: list[str],
    settings: dict[str, Any],
    *,
    files: tuple[str, ...] = (),
    parts: dict[str, Any],
    design: str | None = None,
    counts: str = "",
    data: str | None = None,
) -> None:
    """Write the page, with the Python code that gives the same result; `counts` are evidence as code."""
    from .example_data import SETS
    from .python_code import write_calibration, write_design, write_reading

    calibrations = [result] if isinstance(result, Calibration) else list(result)
    lines: list[str] = []
    modules: list[str] = []
    population = counts
    if files and not counts:
        lines = write_reading(files, parts)
        single = isinstance(calibrations[0].design, OneRate)
        population = "predictions.error_counts()[0]" if single else _pair_code(files, parts)
    elif design:
        population, modules = write_design(design)
    # Preparation of real learners, and how they were made equal, has no short form in Python.
    code = "" if data else write_calibration(names, population, settings, lines, modules)
    data_sets = {data: "a data set of scikit-learn"} if data in SETS else {}
    files = (data,) if data and not data_sets else files
    seed = settings["rng"] if data or any(calibration.simulated for calibration in calibrations) else None
    refined = _refine_differences(result, settings)
    shown.write(result, calibration=refined, code=code, files=files, data=data_sets, seed=seed)


def _pair_code(files: tuple[str, ...], parts: dict[str, Any]) -> str:
    """Return the code that selects two models of a table; those of one file are the only ones in it."""
    from .file_reading import split_names

    named = split_names(parts["models"]) if len(files) > 1 else None
    return f"predictions.paired_table({', '.join(map(repr, named or ()))})"
