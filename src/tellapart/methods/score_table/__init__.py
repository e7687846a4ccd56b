"""Learners over many data sets: every test, interval and comparison of ranks that a table of scores allows.

Every method is a function of `ScoreTable`; a test of two learners takes `alternative` by keyword (and `against`, where
it can serve a margin), an interval `alpha` and `side`; tests of several ask whether any two differ.
"""

from __future__ import annotations

from . import reports as reports
from .aligned import aligned_pairs, aligned_ranks
from .bayesian import bayesian_sign, bayesian_signed_rank, pairwise_probabilities, practical_draws
from .effects import effect_sizes
from .friedman import friedman, friedman_pairs, iman_davenport
from .friedman_exact import friedman_exact
from .hierarchical import hierarchical, hierarchical_draws, hierarchical_interval
from .nemenyi import bonferroni_dunn, nemenyi
from .paired_t import paired_t_over_data_sets, paired_t_over_data_sets_interval
from .power import power_over_data_sets
from .quade import quade, quade_pairs
from .random_effects import random_effects, random_effects_interval
from .sign import sign_test, sign_test_interval
from .skillings_mack import skillings_mack, skillings_mack_pairs
from .wilcoxon import wilcoxon_signed_rank, wilcoxon_signed_rank_interval

# The tests of several learners at once: do any two of them differ?
OMNIBUS = ("aligned-ranks", "friedman", "friedman-exact", "iman-davenport", "quade", "skillings-mack")

__all__ = [
    "OMNIBUS",
    "aligned_pairs",
    "aligned_ranks",
    "bayesian_sign",
    "bayesian_signed_rank",
    "bonferroni_dunn",
    "effect_sizes",
    "friedman",
    "friedman_exact",
    "friedman_pairs",
    "hierarchical",
    "hierarchical_draws",
    "hierarchical_interval",
    "iman_davenport",
    "nemenyi",
    "paired_t_over_data_sets",
    "paired_t_over_data_sets_interval",
    "pairwise_probabilities",
    "power_over_data_sets",
    "practical_draws",
    "quade",
    "quade_pairs",
    "random_effects",
    "random_effects_interval",
    "sign_test",
    "sign_test_interval",
    "skillings_mack",
    "skillings_mack_pairs",
    "wilcoxon_signed_rank",
    "wilcoxon_signed_rank_interval",
]
