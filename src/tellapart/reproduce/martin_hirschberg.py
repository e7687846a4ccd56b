"""Martin and Hirschberg (1996): intervals and tests for error rates of small samples, section by section."""

from __future__ import annotations

from .exhibit import Paper
from .martin_hirschberg_approximations import approximations
from .martin_hirschberg_binomial import chi_square, figure_1
from .martin_hirschberg_limits import figure_2, figure_3, figure_4
from .martin_hirschberg_priors import figure_8, figure_9, priors
from .martin_hirschberg_tests import quoted, table_5
from .martin_hirschberg_trees import table_13

__all__ = ["PAPER"]

PAPER = Paper(
    name="martin-hirschberg",
    cites="martin1996",
    about="Intervals and tests for error rates of small samples, and how far resampling can be trusted.",
)

# In the order in which the paper tells it; what nearest neighbours do is in a file of its own.
PAPER.exhibit("chi-square", "Whether the errors in 10-fold cross-validation are binomial")(chi_square)
PAPER.exhibit("figure-1", "Liberal and conservative rules for the normal approximation")(figure_1)
PAPER.exhibit("figure-2", "Textbook and alternative limits compared")(figure_2)
PAPER.exhibit("figure-3", "Jeffreys' Beta distribution, and its inversion")(figure_3)
PAPER.exhibit("figure-4", "Alternative and approximate Beta limits compared")(figure_4)
PAPER.exhibit("quoted", "Numbers in the running text: rules of one standard error, critical values")(quoted)
PAPER.exhibit("table-5", "Exact and approximate levels of the test of two error rates")(table_5)
PAPER.exhibit("approximations", "Formulas that come near the exact limits")(approximations)
PAPER.exhibit("priors", "Priors for error rates, and what they do to limits")(priors)
PAPER.exhibit("figure-8", "The error of the majority inducer, and the number of classes")(figure_8)
PAPER.exhibit("figure-9", "The distribution of error rates")(figure_9)
PAPER.exhibit("table-13", "Stopped and unpruned decision trees")(table_13)
