"""Pictures of results, each a function that returns its axes: `ta.plots.difference(answer)`.

Every function draws on `ax` if one is given, else on a figure of its own, which belongs to no window. The sibling
whose name ends in `_picture` takes the same but `ax`, and returns a `Picture`: its title, what it shows in words, the
numbers behind it, and how it is drawn. `save` writes either. matplotlib is loaded when the first picture is drawn.

========================================================  =======================================================
``difference(comparison, *, ax=None)``                    the difference and its interval, zero and margin marked
``estimate(estimate, *, name="", ax=None)``               one error rate and its interval
``estimates(estimates, *, ax=None)``                      several of them; a mapping from names
``paired_table(table, *, ax=None)``                       who was wrong where, areas as large as the counts
``confusions(held, *, ax=None)``                          which label was taken for which, models side by side
``roc(scores, *, positive=None, ax=None)``                the ROC curve of each model, with its band
``precision_recall(scores, *, positive=None, ax=None)``   the precision-recall curve of each model, with its band
``reliability(scores, *, bins=None, ax=None)``            what probabilities promised, and what happened
``forest(ranking, *, most=60, ax=None)``                  the differences of all pairs
``tie_groups(ranking, *, ax=None)``                       models in order; bars join those not told apart
``critical_difference(ranking, *, ax=None)``              learners on an axis of mean ranks; bars join those alike
``comparison_matrix(ranking, *, ax=None)``                every two learners over many data sets, a cell each
``pairwise_probabilities(held, *, rope=0.0, ax=None)``    how probable it is that the row is better than the column
``dataset_differences(held, *, rope=None, ax=None)``      the difference of two learners on every data set
``posterior_triangle(held, *, rope=None, ax=None)``       A better, practically equal, B better: where the draws lie
``groups(groups, *, ax=None)``                            error or difference by group; a mapping from names
``spread(outcomes, *, ax=None)``                          how many examples gave which score, or difference
``splits(held, a=None, b=None, *, ax=None)``              what every split of a plan found; of a race, say
``instability(held, *, ax=None)``                         who is chosen, by the size of the training set
``posterior(known, *, rope=0.0, prior=None, ax=None)``    what is believed after the test; an answer, or its evidence
``card(method, *, most=24, ax=None)``                     what the lab measured of a method; an Offer, Card or answer
``pvalues(found, *, ax=None)``                            what p-values claim, and what is true (QQ)
``power(found, *, ax=None)``                              how often tests see a difference
``coverage(found, *, ax=None)``                           how often intervals hold the truth; a Coverage, too
``peeking(found, *, ax=None)``                            what looking early does: false alarms, look by look
``watch(watched, *, ax=None)``                            estimate and limits, look by look, while labels arrive
``power_curve(planned, *, over="size", ax=None)``          the power of a plan, by size or by difference
``width_curve(planned, *, ax=None)``                      the width that a plan expects, by size
``statistic_qq(values, quantiles, *, claimed, ax=None)``  a statistic against what it is claimed to be
``calibration(found) -> Figure``                          the panels of a calibration, side by side
========================================================  =======================================================
"""

from __future__ import annotations

from .calibrations import (
    calibration,
    coverage,
    coverage_picture,
    power,
    power_picture,
    pvalues,
    pvalues_picture,
    statistic_qq,
    statistic_qq_picture,
)
from .cards import card, card_picture
from .comparisons import difference, difference_picture, groups, groups_picture
from .critical_differences import critical_difference, critical_difference_picture
from .curves import coverage_numbers, power_numbers, qq_numbers, statistic_qq_numbers
from .data_sets import dataset_differences, dataset_differences_picture
from .discordant_bars import paired_table, paired_table_picture
from .looks import peeking, peeking_picture
from .matrices import confusions, confusions_picture
from .pair_matrices import (
    comparison_matrix,
    comparison_matrix_picture,
    pairwise_probabilities,
    pairwise_probabilities_picture,
)
from .posteriors import posterior, posterior_picture
from .power_curves import power_curve, power_curve_picture, width_curve, width_curve_picture
from .rank_curves import precision_recall, precision_recall_picture, roc, roc_picture
from .rankings import forest, forest_picture, tie_groups, tie_groups_picture
from .rates import estimate, estimate_picture, estimates, estimates_picture
from .reliabilities import reliability, reliability_picture
from .saving import figure_format, save
from .split_differences import instability, instability_picture, splits, splits_picture
from .spreads import spread, spread_picture
from .triangles import posterior_triangle, posterior_triangle_picture
from .watches import watch, watch_picture

__all__ = [
    "calibration",
    "card",
    "card_picture",
    "comparison_matrix",
    "comparison_matrix_picture",
    "confusions",
    "confusions_picture",
    "coverage",
    "coverage_numbers",
    "coverage_picture",
    "critical_difference",
    "critical_difference_picture",
    "dataset_differences",
    "dataset_differences_picture",
    "difference",
    "difference_picture",
    "estimate",
    "estimate_picture",
    "estimates",
    "estimates_picture",
    "figure_format",
    "forest",
    "forest_picture",
    "groups",
    "groups_picture",
    "instability",
    "instability_picture",
    "paired_table",
    "paired_table_picture",
    "pairwise_probabilities",
    "pairwise_probabilities_picture",
    "peeking",
    "peeking_picture",
    "posterior",
    "posterior_picture",
    "posterior_triangle",
    "posterior_triangle_picture",
    "power",
    "power_curve",
    "power_curve_picture",
    "power_numbers",
    "power_picture",
    "precision_recall",
    "precision_recall_picture",
    "pvalues",
    "pvalues_picture",
    "qq_numbers",
    "reliability",
    "reliability_picture",
    "roc",
    "roc_picture",
    "save",
    "splits",
    "splits_picture",
    "spread",
    "spread_picture",
    "statistic_qq",
    "statistic_qq_numbers",
    "statistic_qq_picture",
    "tie_groups",
    "tie_groups_picture",
    "watch",
    "watch_picture",
    "width_curve",
    "width_curve_picture",
]
