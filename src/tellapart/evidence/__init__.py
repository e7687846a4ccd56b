"""Evidence: observations as sufficient statistics. Each kind is loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names
from .base import AnswerContext as AnswerContext
from .base import Evidence as Evidence
from .base import Note as Note
from .base import Scope as Scope
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
    "class_scores": ("ClassScores",),
    "confusion": ("ConfusionMatrix", "PairedConfusion"),
    "error_count": ("ErrorCount",),
    "error_patterns": ("ErrorPatterns",),
    "independent_counts": ("IndependentCounts",),
    "label_patterns": ("LabelPatterns",),
    "outcomes": ("Outcomes",),
    "paired_table": ("PairedTable",),
    "plan": ("Plan",),
    "resamples": ("Resamples",),
    "score_table": ("ScoreTable",),
    "stratified_count": ("StratifiedCount",),
    "training_sets": ("TrainingSets",),
}

__getattr__, __dir__, __all__ = lazy_names(
    __name__, _HOMES, "AnswerContext", "Evidence", "Note", "Scope", "Unit", "expect", "is_one", "reports_on"
)
