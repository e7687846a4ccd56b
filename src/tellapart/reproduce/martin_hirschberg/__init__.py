"""Martin and Hirschberg (1996): intervals and tests for error rates of small samples, section by section."""

from __future__ import annotations

from ..exhibit import Paper
from .approximations import approximations
from .binomial import chi_square, figure_1
from .estimators import table_12, table_15
from .iterated import figure_14, figure_16
from .limits import figure_2, figure_3, figure_4
from .priors import figure_8, figure_9, priors
from .single_samples import figure_6, figure_7
from .trees import table_13
from .true_errors import table_10, table_11
from .two_rates import quoted, table_5

__all__ = ["PAPER"]

PAPER = Paper(
    name="martin-hirschberg",
    cites="martin1996",
    about="Intervals and tests for error rates of small samples, and how far resampling can be trusted.",
)

# In the order of the paper.
PAPER.exhibit("chi-square", "Whether the errors in 10-fold cross-validation are binomial")(chi_square)
PAPER.exhibit("figure-1", "Liberal and conservative rules for the normal approximation")(figure_1)
PAPER.exhibit("figure-2", "Textbook and alternative limits compared")(figure_2)
PAPER.exhibit("figure-3", "Jeffreys' Beta distribution, and its inversion")(figure_3)
PAPER.exhibit("figure-4", "Alternative and approximate Beta limits compared")(figure_4)
PAPER.exhibit("quoted", "Numbers in the running text: rules of one standard error, critical values")(quoted)
PAPER.exhibit("table-5", "Exact and approximate levels of the test of two error rates")(table_5)
PAPER.exhibit("figure-6", "The standard deviation of a difference, estimated from a single sample")(figure_6)
PAPER.exhibit("figure-7", "Differences of single samples, estimated and true")(figure_7)
PAPER.exhibit("approximations", "Approximate formulas for the exact limits")(approximations)
PAPER.exhibit("priors", "Priors for error rates, and their effect on confidence limits")(priors)
PAPER.exhibit("figure-8", "The error of the majority inducer, and the number of classes")(figure_8)
PAPER.exhibit("figure-9", "The distribution of error rates")(figure_9)
PAPER.exhibit("table-10", "Paired t of the true errors of 3-NN and 1-NN")(table_10)
PAPER.exhibit("table-11", "The unpaired formula, misapplied to paired samples")(table_11)
PAPER.exhibit("table-12", "Estimators that lead to the decisions of the true errors")(table_12)
PAPER.exhibit("table-13", "Stopped and unpruned decision trees")(table_13)
PAPER.exhibit("figure-14", "A paired 2-fold cross-validation, repeated a hundred times")(figure_14)
PAPER.exhibit("table-15", "Bias of the repeated 2-fold cross-validation")(table_15)
PAPER.exhibit("figure-16", "A paired 10-fold cross-validation, repeated a hundred times")(figure_16)
