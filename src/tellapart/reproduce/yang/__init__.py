"""Yang (2006): when cross-validation selects the better of two classifiers, and an interval for their difference."""

from __future__ import annotations

from ..exhibit import Paper
from .examples import examples
from .paradox import table_1, table_2, table_3
from .splittings import table_4, table_5
from .theorem_2 import theorem_2
from .theorem_3 import theorem_3

__all__ = ["PAPER"]

PAPER = Paper(
    name="yang",
    cites="yang2006",
    about="When cross-validation selects the better of two classifiers, and an interval for their difference.",
)

# In the order of the paper.
PAPER.exhibit("examples", "Examples 1 to 3, and the effect of the discordant rate on the test set")(examples)
PAPER.exhibit("table-1", "More observations can make the selection worse")(table_1)
PAPER.exhibit("table-2", "Probability of selecting the better classifier: constant splitting ratio")(table_2)
PAPER.exhibit("table-3", "Probability of selecting the better classifier: a larger share for evaluation")(table_3)
PAPER.exhibit("theorem-2", "Upper bound on the cost of selection")(theorem_2)
PAPER.exhibit("theorem-3", "Number of discordant pairs needed for a normal approximation")(theorem_3)
PAPER.exhibit("table-4", "Comparing standard error estimates")(table_4)
PAPER.exhibit("table-5", "Sequential instability in selection")(table_5)
