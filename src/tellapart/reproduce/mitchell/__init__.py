"""Mitchell (1997), chapter 5: one error rate, the difference of two, and their normal approximations."""

from __future__ import annotations

from ..exhibit import Paper
from .learners import exercises, table_5_5, table_5_6
from .one_rate import examples, figure_5_1, table_5_1, table_5_2, table_5_3, table_5_4
from .samples import central_limit, independence

__all__ = ["PAPER"]

PAPER = Paper(
    name="mitchell",
    cites="mitchell1997",
    about="Chapter 5 of a textbook: intervals for one error rate, and for the difference of two.",
)

# In the order of the chapter.
PAPER.exhibit("table-5.1", "Values of z for two-sided intervals")(table_5_1)
PAPER.exhibit("examples", "The worked examples of sections 5.2, 5.3 and 5.5")(examples)
PAPER.exhibit("table-5.2", "Statistical terms, and their names in tellapart")(table_5_2)
PAPER.exhibit("table-5.3", "The binomial distribution")(table_5_3)
PAPER.exhibit("table-5.4", "The normal distribution")(table_5_4)
PAPER.exhibit("figure-5.1", "Two-sided and one-sided bounds")(figure_5_1)
PAPER.exhibit("central-limit", "Theorem 5.1: means of many draws are normal, and the rule n ≥ 30")(central_limit)
PAPER.exhibit("independence", "Section 5.5: interval 5.13 for two classifiers on the same examples")(independence)
PAPER.exhibit("table-5.5", "Two learners by k folds, and the difference that interval 5.17 covers")(table_5_5)
PAPER.exhibit("table-5.6", "Values of t for two-sided intervals")(table_5_6)
PAPER.exhibit("exercises", "Exercises 5.1 to 5.6, answered")(exercises)
