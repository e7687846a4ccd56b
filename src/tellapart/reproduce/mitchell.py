"""Mitchell (1997), chapter 5: one error rate, the difference of two, and what a normal curve has to do with them."""

from __future__ import annotations

from tellapart import lab

from .exhibit import Paper
from .lines import Shown, compared
from .printed import printed
from .run import Run

__all__ = ["PAPER"]

PAPER = Paper(
    name="mitchell",
    cites="mitchell1997",
    about="Chapter 5 of a textbook: intervals for one error rate, and for the difference of two.",
)


@PAPER.exhibit("table-5.1", "Values of z for two-sided intervals")
def table_5_1(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Show how many standard deviations about the mean hold so much of a normal distribution."""
    normal = lab.NormalModel(0.0, 1.0)
    return Shown(
        lines=tuple(
            compared(
                f"{row['level']} %",
                row["z"],
                normal.interval(alpha=1 - int(row["level"]) / 100)[1],
                reason="1.00 belongs to 68.27 %; 68 % has 0.9945.",
            )
            for row in printed("mitchell_table_5.1")
        )
    )
