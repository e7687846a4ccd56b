"""Martin and Hirschberg (1996), sections 3.3, 3.4 and appendix B: nearest neighbours on two normal classes.

Three neighbours against one, in 40 cells of five sample sizes and eight populations, 20 samples each: what the true
errors say, what estimates from the samples say, and how far one sample alone can be trusted.
"""

from __future__ import annotations

from .martin_hirschberg import PAPER
from .martin_hirschberg_nn_estimates import table_12, table_15
from .martin_hirschberg_nn_iterated import figure_14, figure_16
from .martin_hirschberg_nn_single import figure_6, figure_7
from .martin_hirschberg_nn_true import table_10, table_11

__all__: list[str] = []

PAPER.exhibit("figure-6", "The spread of a difference, told from a single sample")(figure_6)
PAPER.exhibit("figure-7", "Differences of single samples, estimated and true")(figure_7)
PAPER.exhibit("table-10", "Paired t of the true errors of 3-NN and 1-NN")(table_10)
PAPER.exhibit("table-11", "The unpaired formula, misapplied to paired samples")(table_11)
PAPER.exhibit("table-12", "Which estimators decide as the true errors do")(table_12)
PAPER.exhibit("figure-14", "A paired 2-fold cross-validation, repeated a hundred times")(figure_14)
PAPER.exhibit("table-15", "Bias of the repeated 2-fold cross-validation")(table_15)
PAPER.exhibit("figure-16", "A paired 10-fold cross-validation, repeated a hundred times")(figure_16)
