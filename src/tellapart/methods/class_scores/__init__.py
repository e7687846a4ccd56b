"""Scores by class: areas under ROC curves and average precisions, of one model and of two on the same examples.

Every method is a function of `ClassScores`; an interval takes `alpha` and `side` by keyword, a test `alternative` (and
`against`, where it can serve a margin). Log loss and Brier score are means, and `Outcomes` has their methods.
"""

from __future__ import annotations

from . import reports as reports
from .bootstrap import stratified_bootstrap, stratified_bootstrap_interval
from .delong import delong, delong_paired, delong_paired_interval
from .newcombe import mover_newcombe, newcombe_auc
from .permutation import auc_permutation
from .precision import ap_logit

__all__ = [
    "ap_logit",
    "auc_permutation",
    "delong",
    "delong_paired",
    "delong_paired_interval",
    "mover_newcombe",
    "newcombe_auc",
    "stratified_bootstrap",
    "stratified_bootstrap_interval",
]
