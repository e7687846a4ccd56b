"""How methods behave: designs of which the truth is known, and what methods make of them.

`calibrate` measures size, power and coverage at a design; `exact_coverage` that of an interval for one rate over a
range of true errors. The names are loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .binomial_counts import BinomialCheck as BinomialCheck
    from .binomial_counts import binomial_check as binomial_check
    from .calibrating import calibrate as calibrate
    from .calibration import Calibration as Calibration
    from .calibration import Calibrations as Calibrations
    from .classifiers import Cells as Cells
    from .classifiers import Classifier as Classifier
    from .classifiers import Constant as Constant
    from .classifiers import Linear as Linear
    from .coverage import exact_coverage as exact_coverage
    from .damage import Flipped as Flipped
    from .damage import Weighted as Weighted
    from .dependent import ClusteredOutcomes as ClusteredOutcomes
    from .design import Design as Design
    from .effects import CrossedEffects as CrossedEffects
    from .effects import CrossedErrors as CrossedErrors
    from .effects import NormalEffects as NormalEffects
    from .effects import SeedRuns as SeedRuns
    from .equalising import Equalised as Equalised
    from .equalising import equalise as equalise
    from .estimator import Estimator as Estimator
    from .inducers import Discriminant as Discriminant
    from .inducers import Inducer as Inducer
    from .inducers import Logistic as Logistic
    from .inducers import Majority as Majority
    from .inducers import NearestNeighbours as NearestNeighbours
    from .learners import Learners as Learners
    from .learning import LearningCurves as LearningCurves
    from .learning import learning_curves as learning_curves
    from .majority import class_number_share as class_number_share
    from .majority import majority_bound as majority_bound
    from .majority import majority_error as majority_error
    from .majority import typical_majority_error as typical_majority_error
    from .models import BinomialModel as BinomialModel
    from .models import Moments as Moments
    from .models import NormalModel as NormalModel
    from .models import moments as moments
    from .more_populations import CurvedRegions as CurvedRegions
    from .more_populations import NoisyLabels as NoisyLabels
    from .more_populations import Rows as Rows
    from .outcomes import OneRate as OneRate
    from .outcomes import PairedOutcomes as PairedOutcomes
    from .outcomes import TwoRates as TwoRates
    from .population import ExpectedError as ExpectedError
    from .population import Population as Population
    from .populations import LogisticModel as LogisticModel
    from .populations import NormalClasses as NormalClasses
    from .populations import TwoNormals as TwoNormals
    from .real import FoldCorrelation as FoldCorrelation
    from .real import RealLearners as RealLearners
    from .real import fold_correlation as fold_correlation
    from .several import Pool as Pool
    from .several import SeveralModels as SeveralModels
    from .several import Strata as Strata
    from .several import average_coverage as average_coverage
    from .share import Share as Share
    from .simulated import SimulatedLearners as SimulatedLearners
    from .twins import Twins as Twins
    from .yang import yang_logistic as yang_logistic
    from .yang import yang_predictors as yang_predictors

_HOMES = {
    "BinomialCheck": "binomial_counts",
    "BinomialModel": "models",
    "Calibration": "calibration",
    "Calibrations": "calibration",
    "Cells": "classifiers",
    "Classifier": "classifiers",
    "ClusteredOutcomes": "dependent",
    "Constant": "classifiers",
    "CrossedEffects": "effects",
    "CrossedErrors": "effects",
    "CurvedRegions": "more_populations",
    "Design": "design",
    "Discriminant": "inducers",
    "Equalised": "equalising",
    "Estimator": "estimator",
    "ExpectedError": "population",
    "Flipped": "damage",
    "FoldCorrelation": "real",
    "Inducer": "inducers",
    "Learners": "learners",
    "LearningCurves": "learning",
    "Linear": "classifiers",
    "Logistic": "inducers",
    "LogisticModel": "populations",
    "Majority": "inducers",
    "Moments": "models",
    "NearestNeighbours": "inducers",
    "NoisyLabels": "more_populations",
    "NormalClasses": "populations",
    "NormalEffects": "effects",
    "NormalModel": "models",
    "OneRate": "outcomes",
    "PairedOutcomes": "outcomes",
    "Pool": "several",
    "Population": "population",
    "RealLearners": "real",
    "Rows": "more_populations",
    "SeedRuns": "effects",
    "SeveralModels": "several",
    "Share": "share",
    "SimulatedLearners": "simulated",
    "Strata": "several",
    "Twins": "twins",
    "TwoNormals": "populations",
    "TwoRates": "outcomes",
    "Weighted": "damage",
    "average_coverage": "several",
    "binomial_check": "binomial_counts",
    "calibrate": "calibrating",
    "class_number_share": "majority",
    "equalise": "equalising",
    "exact_coverage": "coverage",
    "fold_correlation": "real",
    "learning_curves": "learning",
    "majority_bound": "majority",
    "majority_error": "majority",
    "moments": "models",
    "typical_majority_error": "majority",
    "yang_logistic": "yang",
    "yang_predictors": "yang",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # a test compares it with what is imported above


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
