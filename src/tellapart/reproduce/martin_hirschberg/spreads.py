"""What figures 6, 14 and 16 of Martin and Hirschberg (1996) are drawn by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...report.picture import Picture
from ..drawing import Series, plotted
from .samples import ETA, Key, Numbers, rms


def spreads_drawn(
    title: str, axes: str, each: dict[Key, Numbers], over: dict[Key, float], seen: str, more: Sequence[Series] = ()
) -> Picture:
    """Draw what samples tell of a spread over the spread itself, both logarithmic, for 20 samples a cell.

    `seen` says how the root mean squares lie to the line on which both are equal.
    """
    y, x = axes.split(", ")
    keys = list(each)
    cloud = np.array([(over[key], value) for key in keys for value in each[key][:ETA] if value > 0])
    ends = np.array([min(over.values()), max(over.values())])
    return plotted(
        title,
        f"{y} of single samples scatters widely in each cell. Its root mean squares lie near a line, {seen}.",
        [
            Series(f"{y} of a sample", cloud[:, 0], cloud[:, 1], "points"),
            Series(f"rms {y}", [over[key] for key in keys], [rms(each[key]) for key in keys], "points"),
            Series("equal", ends, ends),
            *more,
        ],
        x=x,
        y=y,
        log="xy",
    )
