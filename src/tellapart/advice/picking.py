"""Which method for which question, by which plan, and why.

What the verbs would choose by themselves is found by the very functions they use; only where somebody asks for a
guarantee, or cannot train often enough, is something else picked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InvalidEvidence
from ..evidence import (
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    Outcomes,
    PairedTable,
    Resamples,
    ScoreTable,
    StratifiedCount,
    TrainingSets,
)
from ..evidence.plan import as_plan
from ..methods import Offer, find_method
from ..methods.registry import Standing
from ..methods.sources import covered
from ..typing_ import Source
from .choose import advise_comparison, choose_interval, choose_pair
from .learners import choose_estimator, choose_learner_pair
from .rules import FEWEST_FOLDS, HUNDRED_RUNS, TEN_RUNS
from .situation import Situation

_TRUSTED = (Standing.RECOMMENDED, Standing.SOUND)
_CAUTIOUS_RUNS = 315  # fits of the plan "conservative-z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommended:
    """What to use: a test and its interval, or an estimator and its interval; by which plan; and why."""

    test: Offer | None = None
    estimator: Offer | None = None
    interval: Offer
    plan: str = ""  # to race by; empty where what is held will do
    seeds: int = 1
    adjustment: str = ""  # how p-values pay for their number
    by_default: bool = True  # the verbs pick it without being told
    covers: tuple[Source, ...] = ()  # the sources of variation that its error bars allow for
    why: str

    @property
    def leading(self) -> Offer:
        """The method that the result is called by."""
        return self.test or self.estimator or self.interval

    @property
    def methods(self) -> tuple[Offer, ...]:
        """All methods that take part."""
        return tuple(dict.fromkeys(each for each in (self.test, self.estimator, self.interval) if each is not None))

    @property
    def told(self) -> str:
        """All of it in a line."""
        name = self.leading.name
        beside = "" if self.interval.name == name else f" with the interval {self.interval.name}"
        paid = f", adjusted by {self.adjustment}" if self.adjustment else ""
        raced = f", by the plan {self.plan}" if self.plan else ""
        sown = f" with {self.seeds} seeds" if self.seeds > 1 else ""
        return f"{name} ({self.leading.standing}){beside}{paid}{raced}{sown}: {self.why}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        return {
            "method": self.leading.name,
            "gives": self.leading.gives,
            "evidence": self.leading.evidence.__name__,
            "standing": self.leading.standing,
            "interval": self.interval.name,
            "adjustment": self.adjustment,
            "plan": self.plan,
            "seeds": self.seeds,
            "by_default": self.by_default,
            "why": self.why,
        }


def pick(situation: Situation, held: Evidence | None) -> Recommended | None:
    """Return what to use, or None while the question is open.

    Examples
    --------
    >>> pick(Situation.of(PairedTable(20, 25, 10, 45)), PairedTable(20, 25, 10, 45)).leading.name
    'mcnemar-mid-p'
    """
    ways: dict[int | None, Callable[[Situation, Evidence | None], Recommended]] = {
        1: _one_rate,
        3: _classifiers,
        5: _much_data,
        6: _one_learner,
        7: _much_data,
        8: _learners,
        9: _over_data_sets,
    }
    way = ways.get(situation.way)
    if way is None:
        return None
    found = way(situation, held)
    found = replace(found, covers=_covered(found, situation, held))
    if situation.matters != "guarantee" or found.leading.guarantees:
        return found
    return replace(found, why=f"{found.why}; no method here has a proof of its level for this")


def _covered(found: Recommended, situation: Situation, held: Evidence | None) -> tuple[Source, ...]:
    """Return what the error bars will allow for: a point estimate has those of its interval."""
    seen = held
    if found.interval.evidence in {Resamples, TrainingSets} and (found.plan or held is None):
        seen = _stand_in(found.plan, situation)
    bars = (found.interval,) if found.test is None else (found.test, found.interval)
    return covered(_stand_in_pair(situation) if seen is None else seen, *bars)


# --- Classifiers ----------------------------------------------------------------------------------


def _one_rate(situation: Situation, held: Evidence | None) -> Recommended:
    if isinstance(held, Resamples):  # one split, of which only the loss is known
        point, limits = choose_estimator(held.select(held.learners[0]), None)
        return Recommended(estimator=point, interval=limits, why=(point or limits).because)
    counts = held if isinstance(held, ErrorCount | Outcomes | StratifiedCount) else ErrorCount(0, 1)
    if situation.matters == "guarantee" and isinstance(counts, ErrorCount):
        limits = find_method("clopper-pearson", "interval", ErrorCount)
        return Recommended(interval=limits, by_default=False, why=limits.because)
    limits = choose_interval(counts, None, {})
    return Recommended(interval=limits, why=limits.because)


def _classifiers(situation: Situation, held: Evidence | None) -> Recommended:
    several = (situation.models or 2) > 2
    if isinstance(held, Outcomes):
        return _scored(situation, held)
    pair = held if isinstance(held, PairedTable | IndependentCounts) else _stand_in_pair(situation)
    if several and situation.matters == "guarantee":
        test = find_method("mcnemar-exact", "test", PairedTable)
        found = Recommended(
            test=test, interval=choose_pair(pair, test.name, None)[1], by_default=False, why=test.because
        )
        return replace(found, adjustment="holm")
    if situation.matters == "guarantee" and situation.margin is None:
        (advised,) = advise_comparison(pair)
        test, limits = choose_pair(pair, advised.method, advised.interval)
        return Recommended(test=test, interval=limits, by_default=False, why=test.because)
    test, limits = choose_pair(pair, None, None, margin=situation.margin is not None and not several)
    why = test.because
    if several and held is not None and held.shape:  # groups: max-t takes one table
        why = f"every two of them in every group, and the p-values pay for their number; {why}"
        return Recommended(test=test, interval=limits, adjustment="holm", by_default=False, why=why)
    if several:
        limits = find_method("max-t", "pairs", ErrorPatterns)
        why = f"every two of them at once, and the p-values pay for their number; {limits.because}"
    return Recommended(test=test, interval=limits, adjustment="max-t" if several else "", why=why)


def _scored(situation: Situation, held: Outcomes) -> Recommended:
    """Return what tells models apart by the score of each example, which counts cannot carry."""
    several = len(held.models) > 2
    test, limits = choose_pair(held, None, None, margin=situation.margin is not None and not several)
    if not several:
        return Recommended(test=test, interval=limits, why=test.because)
    limits = find_method("max-t", "pairs", Outcomes)
    why = f"every two of them at once, and the p-values pay for their number; {limits.because}"
    return Recommended(test=test, interval=limits, adjustment="max-t", why=why)


def _stand_in_pair(situation: Situation) -> PairedTable | IndependentCounts:
    """Return a pair of that size: advice depends on its kind and size only."""
    size = situation.examples or 1000
    if situation.test_sets == "two":
        return IndependentCounts.from_counts(0, size, 0, size)
    return PairedTable(0, 0, 0, size)


# --- Learners -------------------------------------------------------------------------------------


def _much_data(situation: Situation, held: Evidence | None) -> Recommended:
    plan = "" if held is not None else situation.plan or "delve 8x200"
    sets = held if isinstance(held, TrainingSets) else _stand_in("delve 8x200", situation)
    return _of_learners(situation, sets, plan, "")


def _one_learner(situation: Situation, held: Evidence | None) -> Recommended:
    if isinstance(held, Resamples):
        return _of_learners(situation, held, "", "")
    return _planned(situation, *((situation.plan, "") if situation.plan else _plan_to_estimate(situation)))


def _plan_to_estimate(situation: Situation) -> tuple[str, str]:
    """Return by which plan to estimate, and why: as many runs as can be afforded."""
    plan, why = "10x10", "ten times 10-fold depends little on how the examples were cut"
    if not _affords(situation, FEWEST_FOLDS):
        plan, why = "holdout", "so few runs are for one split: a test set, and one classifier of it"
    elif not _affords(situation, TEN_RUNS):
        plan, why = f"{situation.runs}-fold", "as many folds as there are runs"
    elif not _affords(situation, HUNDRED_RUNS):
        plan, why = "10-fold", "stratified 10-fold cross-validation trains on nine tenths"
    elif situation.matters == "guarantee" and _affords(situation, _CAUTIOUS_RUNS):
        plan, why = "conservative-z", "this is the most cautious there is for one sample"
    return plan, why


def _learners(situation: Situation, held: Evidence | None) -> Recommended:
    if isinstance(held, Resamples):
        return _of_learners(situation, held, "", "")
    plan, why = (situation.plan, "") if situation.plan else _plan_to_choose(situation)
    laid = as_plan(plan, 10)
    if laid.kind == "random" and laid.replicates == 1:
        return _one_split(situation, plan)
    return _planned(situation, plan, why)


def _plan_to_choose(situation: Situation) -> tuple[str, str]:
    """Return by which plan to compare, and why: McNemar for one run, 5x2cv for ten, and ten times 10-fold for more."""
    plan, why = _plan_to_estimate(situation)
    if plan == "10x10":
        why = "it allows for what the splits share, and ten times 10-fold is the most replicable of its kind"
    elif plan == "10-fold" and situation.margin is not None:
        why = "5x2cv knows no margin; the corrected t test over ten folds does"
    elif plan == "10-fold" and situation.matters != "missed differences":
        plan, why = "5x2", "ten runs of each learner suffice; the corrected t is shown beside it"
    elif plan == "10-fold":
        why = "training on nine tenths it finds more than on halves, and the t test is corrected for the overlap"
    return plan, why


def _over_data_sets(situation: Situation, held: Evidence | None) -> Recommended:
    """Return what tells learners apart over many data sets: two by two, whoever else is in the pool."""
    table = held if isinstance(held, ScoreTable) else ScoreTable.from_scores(np.zeros((10, 2)))
    paid = "holm" if (situation.models or 2) > 2 else ""
    if situation.matters == "guarantee":
        test, limits = choose_learner_pair(table, "sign-test", None)
        return Recommended(test=test, interval=limits, adjustment=paid, by_default=False, why=test.because)
    test, limits = choose_learner_pair(table, None, None, margin=situation.margin is not None and not paid)
    return Recommended(test=test, interval=limits, adjustment=paid, why=test.because)


def _one_split(situation: Situation, plan: str) -> Recommended:
    """Return McNemar's test on the classifiers of one split: all that so few runs allow."""
    found = replace(_classifiers(replace(situation, matters=None, test_sets="one"), None), plan=plan)
    why = "who can train only once has one split: this speaks of the two classifiers it makes"
    return replace(found, why=why)


def _planned(situation: Situation, plan: str, why: str) -> Recommended:
    return _of_learners(situation, _stand_in(plan, situation), plan, why)


def _of_learners(situation: Situation, held: Resamples | TrainingSets, plan: str, why: str) -> Recommended:
    """Return what the plan's own default is; a plan whose default is a heuristic is left for another."""
    paid = "holm" if situation.task == "choose" and (situation.models or 2) > 2 else ""
    seeds = 5 if situation.stochastic and plan and (situation.runs or 500) >= 500 else 1
    try:
        found = _by_default(situation, held)
    except InvalidEvidence:  # errors on what was learned from, or disjoint sets taken for splits
        found = None
    if found is None or any(method.standing not in _TRUSTED for method in found):
        name = held.plan.name if isinstance(held, Resamples) else ""
        only = "" if found is None else f": only {found[0].name} is, which is a heuristic"
        return _planned(situation, "10x10", f"nothing sound is to be had by the plan {name}{only}. Race anew")
    first, limits = found
    named = {"test": first} if first.gives == "test" else {"estimator": first if first.gives == "estimate" else None}
    return Recommended(**named, interval=limits, plan=plan, seeds=seeds, adjustment=paid, why=why or first.because)


def _by_default(situation: Situation, held: Resamples | TrainingSets) -> tuple[Offer, Offer]:
    if situation.task == "estimate":
        point, limits = choose_estimator(held.select(held.learners[0]), None)
        return point or limits, limits
    margin = situation.margin is not None and len(held.learners) == 2
    return choose_learner_pair(held, None, None, margin=margin)


def _affords(situation: Situation, runs: int) -> bool:
    return situation.runs is None or situation.runs >= runs


def _stand_in(name: str, situation: Situation) -> Resamples | TrainingSets:
    """Return learners that were never run, by this plan: defaults depend on it, and never on losses."""
    count = 1 if situation.task == "estimate" else 2
    learners = ("A", "B")[:count]
    plan = as_plan(name, 10)
    if plan.kind == "delve":
        return TrainingSets(np.zeros((count, plan.replicates, 5)), learners=learners)
    test = np.array(1.0 if plan.name == "loo" else 10.0)
    return Resamples(np.zeros((count, plan.replicates, plan.folds)), test, np.array(90.0), plan, learners=learners)
