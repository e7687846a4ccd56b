"""The nouns: what was observed, as sufficient statistics. Each is loaded when it is first named."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .base import AnswerContext as AnswerContext
from .base import Evidence as Evidence
from .base import Note as Note
from .base import Unit as Unit
from .base import expect as expect
from .base import is_one as is_one
from .base import reports_on as reports_on

if TYPE_CHECKING:
    from .class_scores import ClassScores as ClassScores
    from .confusion import ConfusionMatrix as ConfusionMatrix
    from .confusion import PairedConfusion as PairedConfusion
    from .error_count import ErrorCount as ErrorCount
    from .error_patterns import ErrorPatterns as ErrorPatterns
    from .independent_counts import IndependentCounts as IndependentCounts
    from .label_patterns import LabelPatterns as LabelPatterns
    from .outcomes import Outcomes as Outcomes
    from .paired_table import PairedTable as PairedTable
    from .plan import Plan as Plan
    from .resamples import Resamples as Resamples
    from .score_table import ScoreTable as ScoreTable
    from .stratified_count import StratifiedCount as StratifiedCount
    from .training_sets import TrainingSets as TrainingSets

_HOMES = {
    "ClassScores": "class_scores",
    "ConfusionMatrix": "confusion",
    "ErrorCount": "error_count",
    "ErrorPatterns": "error_patterns",
    "IndependentCounts": "independent_counts",
    "LabelPatterns": "label_patterns",
    "Outcomes": "outcomes",
    "PairedConfusion": "confusion",
    "PairedTable": "paired_table",
    "Plan": "plan",
    "Resamples": "resamples",
    "ScoreTable": "score_table",
    "StratifiedCount": "stratified_count",
    "TrainingSets": "training_sets",
}

__all__ = sorted([*_HOMES, "AnswerContext", "Evidence", "Note", "Unit", "expect", "is_one", "reports_on"])  # noqa: PLE0605  # one list of names is enough


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tellapart.evidence' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
