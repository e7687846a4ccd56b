"""Per-example scores: every test, interval and comparison that keeps clusters, weights, groups and repeats.

Every method is a function of `Outcomes`, of one model or of two; a test takes `alternative` (and `against`, where it
can serve a margin) by keyword, an interval `alpha` and `side`. To add one, read `mean.py`.
"""

from __future__ import annotations

from . import reports as reports
from .cluster_resampling import cluster_bootstrap, wild_cluster
from .clustered_pairs import durkalski, eliasziw_donner, obuchowski, yang
from .components import RepeatComponents, repeat_components
from .design_effect import DesignEffect, design_effect, rao_scott_wilson
from .macro import macro_average, macro_average_interval, macro_estimate
from .mean import mean_estimate, mean_t, mean_t_interval
from .resampling import bca_bootstrap, sign_flip
from .sandwich import (
    cluster_cr0,
    cluster_cr0_interval,
    cluster_cr1,
    cluster_cr1_interval,
    cluster_cr2,
    cluster_cr2_interval,
    cluster_robust,
    cluster_robust_interval,
)
from .simultaneous import max_t

__all__ = [
    "DesignEffect",
    "RepeatComponents",
    "bca_bootstrap",
    "cluster_bootstrap",
    "cluster_cr0",
    "cluster_cr0_interval",
    "cluster_cr1",
    "cluster_cr1_interval",
    "cluster_cr2",
    "cluster_cr2_interval",
    "cluster_robust",
    "cluster_robust_interval",
    "design_effect",
    "durkalski",
    "eliasziw_donner",
    "macro_average",
    "macro_average_interval",
    "macro_estimate",
    "max_t",
    "mean_estimate",
    "mean_t",
    "mean_t_interval",
    "obuchowski",
    "rao_scott_wilson",
    "repeat_components",
    "sign_flip",
    "wild_cluster",
    "yang",
]
