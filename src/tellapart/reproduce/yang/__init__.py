"""Yang (2006): when cross-validation chooses the better of two classifiers, and an interval for their difference."""

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
    about="When cross-validation chooses the better of two classifiers, and an interval for their difference.",
)

# In the order in which the paper tells it.
PAPER.exhibit("examples", "Examples 1 to 3, and what disagreement has to do with the test set")(examples)
PAPER.exhibit("table-1", "More observations can harm the choice")(table_1)
PAPER.exhibit("table-2", "Probability of choosing the better classifier: constant splitting ratio")(table_2)
PAPER.exhibit("table-3", "Probability of choosing the better classifier: a larger share for evaluation")(table_3)
PAPER.exhibit("theorem-2", "What choosing costs at most")(theorem_2)
PAPER.exhibit("theorem-3", "How many discordant pairs a normal curve needs")(theorem_3)
PAPER.exhibit("table-4", "Comparing standard error estimates")(table_4)
PAPER.exhibit("table-5", "Sequential instability in selection")(table_5)
