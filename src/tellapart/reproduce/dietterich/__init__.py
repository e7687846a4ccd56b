"""Dietterich (1998): five tests for comparing learning algorithms, their Type I error and their power."""

from __future__ import annotations

from ..exhibit import Paper
from .learners import discussion, figure_7, figure_8, figure_9, figure_10, figure_11
from .questions import critical_values, figure_2, fold_correlation, replications, taxonomy
from .simulated import examples, figure_3, figure_4, figure_5, figure_6

__all__ = ["PAPER"]

PAPER = Paper(
    name="dietterich",
    cites="dietterich1998",
    about="Five tests for comparing learning algorithms: their Type I error and their power.",
)

# In the order of the paper.
PAPER.exhibit("taxonomy", "Figure 1, nine statistical questions and their methods")(taxonomy)
PAPER.exhibit("critical-values", "Critical values, and how often the 5x2cv statistic exceeds its own")(critical_values)
PAPER.exhibit("fold-correlation", "Section 3.4, are the folds of a cross-validation independent?")(fold_correlation)
PAPER.exhibit("figure-2", "1,000 values of the 5x2cv statistic against t with 5 degrees of freedom")(figure_2)
PAPER.exhibit("replications", "Section 3.5, five replications of 2-fold cross-validation, fewer and more")(replications)
PAPER.exhibit("figure-3", "Probability of misclassification of each example by a tree")(figure_3)
PAPER.exhibit("figure-4", "The designed error probabilities of two simulated learners")(figure_4)
PAPER.exhibit("figure-5", "Type I error of five tests on simulated learners")(figure_5)
PAPER.exhibit("figure-6", "Type I error by the number of splits and of folds")(figure_6)
PAPER.exhibit("examples", "Section 5, two tables with the same difference of proportions")(examples)
PAPER.exhibit("figure-7", "Type I error of four tests on real learners with equal errors")(figure_7)
PAPER.exhibit("figure-8", "Learning curves between the tree and the nearest neighbour")(figure_8)
PAPER.exhibit("figure-9", "Power of four tests on EXP6")(figure_9)
PAPER.exhibit("figure-10", "Power of four tests on Letter")(figure_10)
PAPER.exhibit("figure-11", "Power of four tests on Pima")(figure_11)
PAPER.exhibit("discussion", "Sections 7 and 8, when tests fail, and their cost")(discussion)
