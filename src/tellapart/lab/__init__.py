"""Simulation and exact enumeration: type I error, power and coverage of methods for designs with a known truth.

`calibrate` measures type I error, power and coverage for a design; `exact_coverage` the coverage of an interval for one
error rate over a range of true rates; `peeking` what repeated looks at a growing test set do to them. Names are loaded
when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .calibrating import calibrate as calibrate
    from .calibration import Calibration as Calibration
    from .calibration import Calibrations as Calibrations
    from .coverage_enumeration import exact_coverage as exact_coverage
    from .design import Design as Design
    from .designs.binormal import BinormalScores as BinormalScores
    from .designs.confused import ConfusedLabels as ConfusedLabels
    from .designs.confused_pairs import ConfusedPairs as ConfusedPairs
    from .designs.data_sets import ManyDataSets as ManyDataSets
    from .designs.dependent import ClusteredOutcomes as ClusteredOutcomes
    from .designs.equalising import Equalised as Equalised
    from .designs.equalising import equalise as equalise
    from .designs.learner_populations import Learners as Learners
    from .designs.learning import LearningCurves as LearningCurves
    from .designs.learning import learning_curves as learning_curves
    from .designs.observed_data_sets import ObservedDataSets as ObservedDataSets
    from .designs.paired import PairedOutcomes as PairedOutcomes
    from .designs.random_effects import CrossedEffects as CrossedEffects
    from .designs.random_effects import CrossedErrors as CrossedErrors
    from .designs.random_effects import NormalEffects as NormalEffects
    from .designs.random_effects import SeedRuns as SeedRuns
    from .designs.rates import OneRate as OneRate
    from .designs.rates import TwoRates as TwoRates
    from .designs.real import FoldCorrelation as FoldCorrelation
    from .designs.real import RealLearners as RealLearners
    from .designs.real import fold_correlation as fold_correlation
    from .designs.scored_examples import ScoredExamples as ScoredExamples
    from .designs.several import Pool as Pool
    from .designs.several import SeveralModels as SeveralModels
    from .designs.several import Strata as Strata
    from .designs.several import average_coverage as average_coverage
    from .designs.simulated_learners import SimulatedLearners as SimulatedLearners
    from .designs.twins import Twins as Twins
    from .designs.yang import yang_logistic as yang_logistic
    from .designs.yang import yang_predictors as yang_predictors
    from .estimated_share import Share as Share
    from .inducers.batched import Discriminant as Discriminant
    from .inducers.batched import Inducer as Inducer
    from .inducers.batched import Logistic as Logistic
    from .inducers.batched import Majority as Majority
    from .inducers.batched import NearestNeighbours as NearestNeighbours
    from .inducers.classifiers import Cells as Cells
    from .inducers.classifiers import Classifier as Classifier
    from .inducers.classifiers import Constant as Constant
    from .inducers.classifiers import Linear as Linear
    from .inducers.damage import Flipped as Flipped
    from .inducers.damage import Weighted as Weighted
    from .inducers.estimator import Estimator as Estimator
    from .inducers.majority import class_number_share as class_number_share
    from .inducers.majority import majority_bound as majority_bound
    from .inducers.majority import majority_error as majority_error
    from .inducers.majority import typical_majority_error as typical_majority_error
    from .inducers.nominal_trees import NominalRule as NominalRule
    from .inducers.nominal_trees import NominalTree as NominalTree
    from .models import BinomialModel as BinomialModel
    from .models import Moments as Moments
    from .models import NormalModel as NormalModel
    from .models import moments as moments
    from .populations.base import ExpectedError as ExpectedError
    from .populations.base import Population as Population
    from .populations.binomial_counts import BinomialCheck as BinomialCheck
    from .populations.binomial_counts import binomial_check as binomial_check
    from .populations.curved import CurvedRegions as CurvedRegions
    from .populations.lenses import ContactLenses as ContactLenses
    from .populations.noise import NoisyLabels as NoisyLabels
    from .populations.normals import LogisticModel as LogisticModel
    from .populations.normals import NormalClasses as NormalClasses
    from .populations.normals import TwoNormals as TwoNormals
    from .populations.table_rows import Rows as Rows
    from .sampling import SampledLearners as SampledLearners
    from .sampling import sample_learners as sample_learners
    from .sequential_testing import peeking as peeking
    from .stopping import Peeking as Peeking

_HOMES = {
    "calibrating": ("calibrate",),
    "calibration": (
        "Calibration",
        "Calibrations",
    ),
    "coverage_enumeration": ("exact_coverage",),
    "design": ("Design",),
    "designs.binormal": ("BinormalScores",),
    "designs.confused": ("ConfusedLabels",),
    "designs.confused_pairs": ("ConfusedPairs",),
    "designs.data_sets": ("ManyDataSets",),
    "designs.dependent": ("ClusteredOutcomes",),
    "designs.random_effects": (
        "CrossedEffects",
        "CrossedErrors",
        "NormalEffects",
        "SeedRuns",
    ),
    "designs.equalising": (
        "Equalised",
        "equalise",
    ),
    "designs.learner_populations": ("Learners",),
    "designs.learning": (
        "LearningCurves",
        "learning_curves",
    ),
    "designs.observed_data_sets": ("ObservedDataSets",),
    "designs.paired": ("PairedOutcomes",),
    "designs.rates": (
        "OneRate",
        "TwoRates",
    ),
    "designs.real": (
        "FoldCorrelation",
        "RealLearners",
        "fold_correlation",
    ),
    "designs.scored_examples": ("ScoredExamples",),
    "designs.several": (
        "Pool",
        "SeveralModels",
        "Strata",
        "average_coverage",
    ),
    "designs.simulated_learners": ("SimulatedLearners",),
    "designs.twins": ("Twins",),
    "designs.yang": (
        "yang_logistic",
        "yang_predictors",
    ),
    "inducers.batched": (
        "Discriminant",
        "Inducer",
        "Logistic",
        "Majority",
        "NearestNeighbours",
    ),
    "inducers.classifiers": (
        "Cells",
        "Classifier",
        "Constant",
        "Linear",
    ),
    "inducers.damage": (
        "Flipped",
        "Weighted",
    ),
    "inducers.estimator": ("Estimator",),
    "inducers.majority": (
        "class_number_share",
        "majority_bound",
        "majority_error",
        "typical_majority_error",
    ),
    "inducers.nominal_trees": (
        "NominalRule",
        "NominalTree",
    ),
    "sequential_testing": ("peeking",),
    "models": (
        "BinomialModel",
        "Moments",
        "NormalModel",
        "moments",
    ),
    "populations.base": (
        "ExpectedError",
        "Population",
    ),
    "populations.binomial_counts": (
        "BinomialCheck",
        "binomial_check",
    ),
    "populations.curved": ("CurvedRegions",),
    "populations.lenses": ("ContactLenses",),
    "populations.noise": ("NoisyLabels",),
    "populations.normals": (
        "LogisticModel",
        "NormalClasses",
        "TwoNormals",
    ),
    "populations.table_rows": ("Rows",),
    "sampling": (
        "SampledLearners",
        "sample_learners",
    ),
    "estimated_share": ("Share",),
    "stopping": ("Peeking",),
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
