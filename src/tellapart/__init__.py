"""Compare classifiers: how large is the true error, is B really better than A, by how much, and how sure are we?

>>> import tellapart as ta
>>> print(ta.estimate(ta.ErrorCount(3, 120)))
error rate 2.5% (95% CI 0.7% to 6.5%)
<BLANKLINE>
  data      3 errors in 120 examples
  interval  Jeffreys (Martin & Hirschberg 1996)
  scope     this trained model, data from the same source; not retraining
>>> table = ta.PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
>>> ta.compare(table).better
'B'

The public names are listed in `__all__` and loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lazy_names import lazy_names

if TYPE_CHECKING:
    from .advice.advising import advise as advise
    from .errors import TellapartError as TellapartError
    from .evidence import ClassScores as ClassScores
    from .evidence import ConfusionMatrix as ConfusionMatrix
    from .evidence import ErrorCount as ErrorCount
    from .evidence import ErrorPatterns as ErrorPatterns
    from .evidence import Evidence as Evidence
    from .evidence import IndependentCounts as IndependentCounts
    from .evidence import LabelPatterns as LabelPatterns
    from .evidence import Note as Note
    from .evidence import Outcomes as Outcomes
    from .evidence import PairedConfusion as PairedConfusion
    from .evidence import PairedTable as PairedTable
    from .evidence import Plan as Plan
    from .evidence import Resamples as Resamples
    from .evidence import Scope as Scope
    from .evidence import ScoreTable as ScoreTable
    from .evidence import StratifiedCount as StratifiedCount
    from .evidence import TrainingSets as TrainingSets
    from .evidence import Unit as Unit
    from .evidence import reports_on as reports_on
    from .gate import Judgement as Judgement
    from .gate import assert_not_worse as assert_not_worse
    from .gate import judge as judge
    from .lab import Calibration as Calibration
    from .lab import calibrate as calibrate
    from .lab import exact_coverage as exact_coverage
    from .methods import find_methods as find_methods
    from .methods import method as method
    from .methods.curves import rank_curves as rank_curves
    from .methods.error_count.posterior import BetaPrior as BetaPrior
    from .methods.error_count.posterior import fit_prior as fit_prior
    from .methods.error_count.posterior import posterior as posterior
    from .methods.multiplicity import adjust as adjust
    from .methods.outcomes.design_effect import design_effect as design_effect
    from .methods.practical import practical_probabilities as practical_probabilities
    from .methods.reliability import reliability as reliability
    from .methods.resamples.heuristics import variance_of_difference as variance_of_difference
    from .methods.resamples.instability import instability as instability
    from .methods.score_table.bayesian import pairwise_probabilities as pairwise_probabilities
    from .methods.score_table.effects import effect_sizes as effect_sizes
    from .methods.score_table.power import power_over_data_sets as power_over_data_sets
    from .methods.selection import misselection_bound as misselection_bound
    from .methods.selection import risk_bound as risk_bound
    from .methods.selection import splitting_advice as splitting_advice
    from .methods.training_sets.components import variance_components as variance_components
    from .metrics import Metric as Metric
    from .planning import Watch as Watch
    from .planning import plan as plan
    from .planning import read_watch as read_watch
    from .predictions import Predictions as Predictions
    from .predictions import Scored as Scored
    from .readers import read_logs as read_logs
    from .readers import read_predictions as read_predictions
    from .readers import read_scores as read_scores
    from .readers import write_every_eval_ever as write_every_eval_ever
    from .report import plots as plots
    from .report import write_report as write_report
    from .results import Adjustment as Adjustment
    from .results import Breakdown as Breakdown
    from .results import Check as Check
    from .results import Comparison as Comparison
    from .results import Estimate as Estimate
    from .results import Hypothesis as Hypothesis
    from .results import Interval as Interval
    from .results import Ranking as Ranking
    from .results import TestResult as TestResult
    from .running import Race as Race
    from .running import race as race
    from .running import read_race as read_race
    from .verbs import breakdown as breakdown
    from .verbs import compare as compare
    from .verbs import converts as converts
    from .verbs import estimate as estimate

__version__ = "0.1.0"

_HOMES = {
    "advice.advising": ("advise",),
    "errors": ("TellapartError",),
    "evidence": (
        "ClassScores",
        "ConfusionMatrix",
        "ErrorCount",
        "ErrorPatterns",
        "Evidence",
        "IndependentCounts",
        "LabelPatterns",
        "Note",
        "Outcomes",
        "PairedConfusion",
        "PairedTable",
        "Plan",
        "Resamples",
        "Scope",
        "ScoreTable",
        "StratifiedCount",
        "TrainingSets",
        "Unit",
        "reports_on",
    ),
    "gate": (
        "Judgement",
        "assert_not_worse",
        "judge",
    ),
    "lab": (
        "Calibration",
        "calibrate",
        "exact_coverage",
    ),
    "methods": (
        "find_methods",
        "method",
    ),
    "methods.curves": ("rank_curves",),
    "methods.error_count.posterior": (
        "BetaPrior",
        "fit_prior",
        "posterior",
    ),
    "methods.multiplicity": ("adjust",),
    "methods.outcomes.design_effect": ("design_effect",),
    "methods.practical": ("practical_probabilities",),
    "methods.reliability": ("reliability",),
    "methods.resamples.heuristics": ("variance_of_difference",),
    "methods.resamples.instability": ("instability",),
    "methods.score_table.bayesian": ("pairwise_probabilities",),
    "methods.score_table.effects": ("effect_sizes",),
    "methods.score_table.power": ("power_over_data_sets",),
    "methods.selection": (
        "misselection_bound",
        "risk_bound",
        "splitting_advice",
    ),
    "methods.training_sets.components": ("variance_components",),
    "metrics": ("Metric",),
    "planning": (
        "Watch",
        "plan",
        "read_watch",
    ),
    "predictions": (
        "Predictions",
        "Scored",
    ),
    "readers": (
        "read_logs",
        "read_predictions",
        "read_scores",
        "write_every_eval_ever",
    ),
    "report": (
        "plots",
        "write_report",
    ),
    "results": (
        "Adjustment",
        "Breakdown",
        "Check",
        "Comparison",
        "Estimate",
        "Hypothesis",
        "Interval",
        "Ranking",
        "TestResult",
    ),
    "running": (
        "Race",
        "race",
        "read_race",
    ),
    "verbs": (
        "breakdown",
        "compare",
        "converts",
        "estimate",
    ),
}

__getattr__, _, __all__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
