"""Designs on which the methods for learners are measured, each with its cross-validation design."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from ...evidence import PairedTable, Plan
from ...methods import Offer, find_method
from ..design import Design
from ..designs.random_effects import CrossedEffects, CrossedErrors, NormalEffects, SeedRuns
from ..designs.simulated_learners import TOGETHER, SimulatedLearners
from ..designs.twins import Twins
from ..inducers.batched import Discriminant, NearestNeighbours
from ..plan_views import natural_plan
from .group import Group

# Learners that a few examples more or less hardly change, and learners that they do.
STABLE, UNSTABLE = Discriminant(), NearestNeighbours(1)

# Plans whose samples are divided without training, and the trials that twins are worth by each; by the others
# samples are raced one by one.
PLANS = {
    "10-fold": 2000,
    "10x10": 2000,
    "30x(2/3)": 2000,
    "5x2": 2000,
    "2-fold*100": 1000,
    "half-and-half 200": 1000,
    "independent": 2000,
    "holdout": 0,  # its methods are for classifiers, twins are learners
    "632": 400,
    "apparent": 1000,
    "loo-star": 400,
    "conservative-z": 400,
    "nested 20x10": 0,
    "nested 200x5": 200,
}
SIMULATED = frozenset(
    {"10-fold", "10x10", "30x(2/3)", "5x2", "2-fold*100", "half-and-half 200", "independent", "holdout"}
)
# One cross-validation is looked at by these, too.
_OF_SPLITS = ("corrected-resampled-t", "bayesian-correlated-t", "corrected-t-interval")
# Normal differences: the ideal of each plan, correlated as Nadeau and Bengio suppose.
NORMAL = (("10-fold", 0.0), ("10-fold", 0.1), ("5x2", 0.0), ("independent", 0.0), ("30x(2/3)", 1 / 3), ("10x10", 0.1))
_EACH = 0.05  # the difference at which power is measured


def resamples() -> Iterator[Group]:
    """Yield the groups for methods that read resamples."""
    for plan, trials in PLANS.items():
        asks = _by_plan(plan)
        if plan in SIMULATED:
            each = tuple((SimulatedLearners(error, 300, plan=plan), (_EACH,)) for error in (0.1, 0.3))
            words = f"{plan} of 300 examples, simulated learners, error rates 10% and 30%"
            yield Group(words, each, asks, trials=10_000, facts=_plan_facts(plan, each[0][0]) | {"stable": 1})
        for examples, inducer in product((100, 300, 500), (STABLE, UNSTABLE)) if trials else ():
            large, stable = examples > 100, inducer is STABLE
            if examples == 500 and plan != "10-fold":  # which cv-wald asks for
                continue
            if large and plan in {"632", "loo-star", "nested 200x5", "conservative-z"}:  # sample by sample
                continue
            twins = Twins(inducer, examples, distance=2.0, shared=1.0, plan=plan)
            # Learners whose true error has no formula are moved by trial; power is measured for the others.
            steps = (_EACH,) if stable and plan != "apparent" else ()
            words = f"{plan} of {examples} examples, equally accurate {inducer.name} learners"
            facts = _plan_facts(plan, twins) | {"stable": int(stable)}
            number = trials // 2 if examples == 300 and not stable else trials
            yield Group(words, ((twins, steps),), asks, trials=number, facts=facts)
        # Parameters by the dozen, and no nearest neighbours. Put here after a first look had shown that tests keep
        # their word on them: they show where the range ends that we call stable, and are no independent proof of it.
        if plan in {"10-fold", "10x10", "30x(2/3)", "5x2"}:
            twins = Twins(STABLE, 100, distance=2.0, own=15, plan=plan)
            words = f"{plan} of 100 examples, equally accurate {STABLE.name} learners with 15 attributes each"
            yield Group(words, ((twins, ()),), asks, trials=trials, facts=_plan_facts(plan, twins) | {"stable": 1})
    for plan, correlation in NORMAL:
        design = NormalEffects(plan, correlation)
        words = f"{design.plan}, normal differences, correlation {correlation:.2g}"
        facts = _plan_facts(plan, design) | {"stable": 1}
        yield Group(words, ((design, (1.0,)),), _by_plan(plan, normal=True), trials=20_000, facts=facts)
    for runs_a, runs_b, spread in ((3, 3, 1), (5, 5, 1), (10, 10, 1), (20, 20, 1), (5, 5, 3), (10, 10, 3), (5, 20, 3)):
        seeds = ((SeedRuns(runs_a, runs_b, spread_a=float(spread)), (2.0,)),)
        words = f"{runs_a} and {runs_b} runs, normal losses, spreads as {spread} to 1"
        facts = {"ratio": max(runs_a, runs_b) / min(runs_a, runs_b), "spreads": spread}
        yield Group(words, seeds, _of_seeds(draws=False), trials=20_000, facts=facts)
        yield Group(words, seeds, _of_seeds(draws=True), trials=500, facts=facts, options={"resamples": 999})


def _by_plan(plan: str, *, normal: bool = False) -> Callable[[Offer], bool]:
    """Return whether a method is measured with a plan; normal differences have no paired errors."""

    def asks(method: Offer) -> bool:
        own = natural_plan(method).replace("nested 20x10", "nested 200x5")  # where its figures are stable
        return (own == plan or (plan == "10-fold" and method.name in _OF_SPLITS)) and not (
            normal and method.name in TOGETHER | {"calibrated-t"}
        )

    return asks


def _of_seeds(*, draws: bool) -> Callable[[Offer], bool]:
    names = {"welch", "unpaired-t", "probability-better-run"}
    return lambda method: method.name in names and ("rng" in method.options) is draws


def _plan_facts(plan: str, design: Any) -> dict[str, float]:
    """Return the number of runs of a plan, the size of its test sets, and their number of discordant pairs."""
    parsed, examples = Plan.parse(plan), design.examples
    folds = parsed.folds or 1
    tested = (
        examples // folds
        if parsed.kind in {"k-fold", "nested"}
        else examples - round(examples * (parsed.share or 2 / 3))
    )
    if parsed.kind == "independent" and isinstance(design, Twins):  # who are trained on all of a sample
        tested = examples // 2
    facts = {
        "runs": parsed.replicates * folds or 10,
        "folds": folds,
        "replicates": parsed.replicates or 10,
        "test": tested,
    }
    if plan == "half-and-half 200":
        facts["disagreements"] = tested * _discordant_rate(design)
    return {name: float(value) for name, value in facts.items()}


def _discordant_rate(design: Design) -> float:
    """Return the discordant rate of two learners, from the design or from many samples."""
    if "disagreement" in design.facts:
        return design.facts["disagreement"]
    view = design.view(find_method("mcnemar", "test", PairedTable))
    tables = design.draw([view], 500, np.random.default_rng(0))[view]
    return float(np.mean(tables.disagreements / tables.examples))


# --- Disjoint training sets, and seeds ------------------------------------------------------------

# Variance of training sets and of test examples, each for one of what is left: the mean squares' expectations.
MIXTURES = tuple(product((0.0, 0.1, 0.3, 1.0, 10.0), (0.0, 0.5, 3.0)))
_ITEMS = 50


def training_sets() -> Iterator[Group]:
    """Yield the groups for methods that read training sets or seeds crossed with test examples."""
    for sets in (2, 3, 4, 5, 8):
        each = tuple(
            (CrossedEffects(sets, _ITEMS, of_sets=of_sets / _ITEMS, of_examples=of_items / sets), (0.5,))
            for of_sets, of_items in MIXTURES
        )
        words = f"{sets} training sets, {_ITEMS} test examples, normal effects"
        yield Group(words, each, _of_sets, trials=4000)
    for inducer in (STABLE, UNSTABLE):
        twins = Twins(inducer, 100, distance=2.0, shared=1.0, plan="delve 8x100", tested=300)
        words = f"8 training sets of 100, 300 test examples, equally accurate {inducer.name} learners"
        yield Group(words, ((twins, ()),), _of_sets, trials=2000, facts={"sets": 8})
    for seeds in (5, 10, 20):
        both = tuple((CrossedErrors(0.2, seeds, 100, of_sets=of_sets), (0.1,)) for of_sets in (0.0, 0.1))
        words = f"{seeds} seeds, 100 test examples, error rate 20%"
        yield Group(words, both, lambda method: not _of_sets(method), trials=1000, options={"resamples": 399})


def _of_sets(method: Offer) -> bool:
    return "rng" not in method.options
