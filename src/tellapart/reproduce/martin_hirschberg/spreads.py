"""Drawing of figures 6, 14 and 16 of Martin and Hirschberg (1996)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...report.picture import Picture
from ..drawing import Series, plotted
from .samples import ETA, Key, Numbers, rms


def spreads_drawn(
    title: str, axes: str, each: dict[Key, Numbers], over: dict[Key, float], seen: str, more: Sequence[Series] = ()
) -> Picture:
    """Return a picture of estimated against true standard deviations, on logarithmic axes, of 20 samples per cell.

    `seen` describes the position of the root mean squares relative to the line of equality.
    """
    y, x = axes.split(", ")
    keys = list(each)
    cloud = np.array([(over[key], value) for key in keys for value in each[key][:ETA] if value > 0])
    ends = np.array([min(over.values()), max(over.values())])
    return plotted(
        title,
        f"{y} of single samples varies widely in each cell. Its root mean squares lie near a line, {seen}.",
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
