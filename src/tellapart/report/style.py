"""One style for all pictures: colours that are distinct for colour-blind readers, and in grey.

Colours that mean ink, paper or a grid are named; a page replaces them by its own, so that pictures follow it into the
dark (`THEMED`).
"""

from __future__ import annotations

from typing import Any

INK, MUTED, GRID, BAND, PAPER = "#1b1b1f", "#6b6b6b", "#e6e6e6", "#e2e2e2", "#fefefe"

# Okabe and Ito's colours, each with dashes of its own.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", INK, "#e69f00", "#56b4e9", "#7f7f7f")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 1)))

# The name of the page's colour that replaces a colour of a picture.
THEMED = {INK: "ink", MUTED: "muted", GRID: "grid", BAND: "band", PAPER: "paper"} | {
    colour: f"colour-{index}" for index, colour in enumerate(COLOURS) if colour != INK
}

STYLE: dict[str, Any] = {
    "svg.fonttype": "none",  # words stay words
    "svg.hashsalt": "tellapart",  # the same picture is the same file
    "pdf.fonttype": 42,
    "text.parse_math": False,  # a model may be called $x$
    "text.usetex": False,  # … or 100%
    "font.family": "sans-serif",
    "font.size": 9.0,
    "text.color": INK,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
}
