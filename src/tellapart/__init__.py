"""tellapart tells classifiers apart: how large is the true error, is B really better than A, how sure are we?

>>> import tellapart as ta
>>> print(ta.estimate(ta.ErrorCount(3, 120)).interval)
interval  0.7 % to 6.5 % (95 %, two-sided, jeffreys)
>>> table = ta.PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
>>> ta.compare(table).better
'B'

The public names are listed in `__all__` and loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .advice import advise_comparison as advise_comparison
    from .advice import advise_interval as advise_interval
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
    from .evidence import ScoreTable as ScoreTable
    from .evidence import StratifiedCount as StratifiedCount
    from .evidence import TrainingSets as TrainingSets
    from .evidence import Unit as Unit
    from .evidence import reports_on as reports_on
    from .gate import assert_not_worse as assert_not_worse
    from .gate import judge as judge
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
    from .running import Race as Race
    from .running import race as race
    from .running import read_race as read_race
    from .verbs import breakdown as breakdown
    from .verbs import compare as compare
    from .verbs import converts as converts
    from .verbs import estimate as estimate

__version__ = "0.1.0"

_HOMES = {
    "BetaPrior": "methods.error_count.posterior",
    "ClassScores": "evidence",
    "ConfusionMatrix": "evidence",
    "ErrorCount": "evidence",
    "ErrorPatterns": "evidence",
    "Evidence": "evidence",
    "IndependentCounts": "evidence",
    "LabelPatterns": "evidence",
    "Metric": "metrics",
    "Note": "evidence",
    "Outcomes": "evidence",
    "PairedConfusion": "evidence",
    "PairedTable": "evidence",
    "Plan": "evidence",
    "Predictions": "predictions",
    "Race": "running",
    "Resamples": "evidence",
    "ScoreTable": "evidence",
    "Scored": "predictions",
    "StratifiedCount": "evidence",
    "TellapartError": "errors",
    "TrainingSets": "evidence",
    "Unit": "evidence",
    "Watch": "planning",
    "adjust": "methods.multiplicity",
    "advise": "advice.advising",
    "advise_comparison": "advice",
    "advise_interval": "advice",
    "assert_not_worse": "gate",
    "breakdown": "verbs",
    "calibrate": "lab",
    "compare": "verbs",
    "converts": "verbs",
    "design_effect": "methods.outcomes.design_effect",
    "effect_sizes": "methods.score_table.effects",
    "estimate": "verbs",
    "exact_coverage": "lab",
    "find_methods": "methods",
    "fit_prior": "methods.error_count.posterior",
    "instability": "methods.resamples.instability",
    "judge": "gate",
    "method": "methods",
    "misselection_bound": "methods.selection",
    "pairwise_probabilities": "methods.score_table.bayesian",
    "plan": "planning",
    "plots": "report",
    "posterior": "methods.error_count.posterior",
    "power_over_data_sets": "methods.score_table.power",
    "practical_probabilities": "methods.practical",
    "race": "running",
    "rank_curves": "methods.curves",
    "read_logs": "readers",
    "read_predictions": "readers",
    "read_race": "running",
    "read_scores": "readers",
    "read_watch": "planning",
    "reliability": "methods.reliability",
    "reports_on": "evidence",
    "risk_bound": "methods.selection",
    "splitting_advice": "methods.selection",
    "variance_components": "methods.training_sets.components",
    "variance_of_difference": "methods.resamples.heuristics",
    "write_every_eval_ever": "readers",
    "write_report": "report",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # one list of names is enough


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tellapart' has no attribute {name!r}")
    return getattr(import_module(f"tellapart.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
