"""Pictures of results, each a function that returns its axes: `ta.plots.difference(answer)`."""

from __future__ import annotations

from .calibrations import (
    calibration_plot,
    coverage_numbers,
    coverage_plot,
    figure_format,
    power_curve,
    power_numbers,
    qq_numbers,
    qq_plot,
    save,
    statistic_qq,
    statistic_qq_numbers,
)

__all__ = [
    "calibration_plot",
    "coverage_numbers",
    "coverage_plot",
    "figure_format",
    "power_curve",
    "power_numbers",
    "qq_numbers",
    "qq_plot",
    "save",
    "statistic_qq",
    "statistic_qq_numbers",
]
