"""True errors of a learner over many training sets, drawn once and cached."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ...evidence import Plan
from ...typing_ import FloatArray, IntArray
from ..inducers.batched import Inducer
from ..inducers.estimator import Estimator
from ..populations.base import Population
from .sample_folding import divided

_SETS = 4000  # training sets of learners whose true error has a formula
_LEAST = 200  # training sets where these are so large, or true errors so slow to count, that 4000 would take minutes
_WORK = 320_000_000  # comparisons of points with training examples; to draw and fit a number takes some twenty
_PORTIONS = 40  # of training sets, each with test examples of its own, where it has none
_TESTED = 2000  # examples of a portion
_MOST_NUMBERS = 1_000_000  # numbers of training sets that are held at once
_SEED = 1998  # the same training sets for every learner, so that differences are sharp


@dataclass(frozen=True)
class Training:
    """A learner, a population and the training sets; identified by `key`."""

    key: str
    size: int  # of the training sets
    pool: int  # of the samples that they are part of
    stratify: bool
    in_portion: int  # how many of them are tested on the same examples; 0: none is, as there is a formula
    population: Population = field(compare=False)
    inducer: Inducer = field(compare=False)


def in_portion(population: Population, inducer: Inducer) -> int:
    """Return the number of training sets to test on the same examples; 0 if the true error has a formula."""
    if isinstance(inducer, Estimator):
        return 5  # each is a fit of its own
    rule = inducer.fit(*population.draw((), 20, np.random.default_rng(_SEED)))
    return 25 if population.how(rule) == "sampled" else 0


@lru_cache(maxsize=256)
def true_errors(training: Training) -> FloatArray:
    """Return true errors for training sets shared by all learners, exact or as means of portions.

    Where a true error has no formula, every portion of training sets is tested on examples of its own, so that the
    spread of the means tells how far their mean is known.
    """
    rng, population = np.random.default_rng(_SEED), training.population
    portions: list[FloatArray] = []
    if training.in_portion:
        for portion in range(_PORTIONS):
            rule = training.inducer.fit(*_draw_training_sets(training, training.in_portion, rng))
            errors = population.true_error(rule, sample=_TESTED, rng=_SEED + portion)
            portions.append(errors.mean(keepdims=True))
    else:
        numbers, points = training.pool * population.attributes, population.points
        # As many for every learner: their errors are taken from each other, set by set.
        sets = min(max(_WORK // max(20 * numbers, points * training.size), _LEAST), _SETS)
        step = max(1, _MOST_NUMBERS // max(numbers, points))
        for start in range(0, sets, step):
            rule = training.inducer.fit(*_draw_training_sets(training, min(step, sets - start), rng))
            portions.append(population.true_error(rule))
    errors = np.concatenate(portions)
    errors.setflags(write=False)  # it is remembered, and shared
    return errors


def _draw_training_sets(training: Training, sets: int, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Draw training sets, as subsets of samples according to a plan."""
    X, y = training.population.draw((sets,), training.pool, rng)  # noqa: N806
    if training.size == training.pool:
        return X, y
    part = Plan("part", "delve", 1, size=training.size)
    ((_, places, _),) = divided(part, y, rng, stratify=training.stratify)
    rows = np.arange(sets)[:, None]
    return X[rows, places[:, 0]], y[rows, places[:, 0]]
