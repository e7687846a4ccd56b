"""Pictures of results, each a function that returns its axes: `ta.plots.difference(answer)`.

Every function draws on `ax` if there is one, else on a figure of its own that belongs to no window. The function whose
name ends in `_picture` takes the same arguments except `ax`, and returns a `Picture`: title, description, the numbers
behind it, and how it is drawn. `save` writes axes or figures. matplotlib is loaded with the first picture.

============================================================  =====================================================
``difference(comparison, *, ax=None)``                        difference with its interval, zero and the margin
``estimate(estimate, *, name="", ax=None)``                   one metric of one model with its interval
``estimates(estimates, *, ax=None)``                          the same of several models; a mapping from names
``paired_table(table, *, ax=None)``                           concordant and discordant examples
``confusions(evidence, *, ax=None)``                          confusion matrices side by side
``roc(scores, *, positive=None, ax=None)``                    ROC curves with simultaneous bands
``precision_recall(scores, *, positive=None, ax=None)``       precision-recall curves with simultaneous bands
``reliability(scores, *, bins=None, ax=None)``                calibration plot of probabilities
``forest(ranking, *, most=60, ax=None)``                      differences of all pairs
``tie_groups(ranking, *, ax=None)``                           ranking with intervals; bars join ties
``critical_difference(ranking, *, ax=None)``                  learners on an axis of mean ranks; bars join ties
``comparison_matrix(ranking, *, ax=None)``                    all pairs of learners over many data sets
``pairwise_probabilities(evidence, *, rope=0.0, ax=None)``    posterior probability that the row is better
``dataset_differences(evidence, *, rope=None, ax=None)``      difference of two learners on each data set
``posterior_triangle(evidence, *, rope=None, ax=None)``       A better, practically equal, B better
``groups(groups, *, ax=None)``                                estimate or difference by group; a mapping from names
``spread(outcomes, *, ax=None)``                              distribution of scores, or of differences
``splits(evidence, a=None, b=None, *, ax=None)``              results by split
``instability(evidence, *, ax=None)``                         selection by the size of the training set
``posterior(known, *, rope=0.0, prior=None, ax=None)``        posterior distribution of an answer or its evidence
``card(method, *, most=24, ax=None)``                         measured error rates of a method
``pvalues(result, *, ax=None)``                               p-values under the null hypothesis (QQ plot)
``power(result, *, ax=None)``                                 power of tests by true difference
``coverage(result, *, ax=None)``                              coverage of intervals; also of a Coverage
``peeking(result, *, ax=None)``                               cumulative type I error rate of stopping rules
``watch(watched, *, ax=None)``                                estimate with its interval at each look
``power_curve(planned, *, over="size", ax=None)``             power of a plan by size or by difference
``width_curve(planned, *, ax=None)``                          expected interval width of a plan by size
``statistic_qq(values, quantiles, *, claimed, ax=None)``      QQ plot of a statistic
``calibration(result) -> Figure``                             the panels of a calibration, side by side
============================================================  =====================================================
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
