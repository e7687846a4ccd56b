"""Which method for which question, by which resampling plan, and why.

Defaults come from the functions that the verbs use themselves. A guarantee, or few affordable fits, lead to another
choice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InvalidEvidence
from ..evidence import (
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    PairedTable,
    Resamples,
    ScoreTable,
    TrainingSets,
)
from ..evidence.plan import as_plan
from ..methods import Offer, look_up
from ..methods.registry import Standing, covered
from ..typing_ import Source
from ..verbs.pipeline import choose, choose_estimator
from ..verbs.request import Request
from .alternatives import find_guarantee
from .method_names import describe_method
from .situation import FEWEST_FOLDS, HUNDRED_RUNS, TEN_RUNS, Situation

_TRUSTED = (Standing.RECOMMENDED, Standing.SOUND)
_CAUTIOUS_RUNS = 315  # fits of the plan "conservative-z"


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodChoice:
    """The recommended test and interval, or estimator and interval; the plan; and why."""

    test: Offer | None = None
    estimator: Offer | None = None
    interval: Offer
    interval_option: str = ""  # if it differs from the default of the test
    plan: str = ""  # of a race; empty if the evidence is enough
    seeds: int = 1
    adjustment: str = ""  # of p-values for multiple comparisons
    by_default: bool = True  # whether the verbs choose it without options
    sources_covered: tuple[Source, ...] = ()  # the sources of variation that its interval accounts for
    why: str = ""

    @property
    def leading(self) -> Offer:
        """The method that the result is named after."""
        return self.test or self.estimator or self.interval

    @property
    def methods(self) -> tuple[Offer, ...]:
        """Test, estimator and interval, each once."""
        parts = (self.test, self.estimator, self.interval)
        return tuple(dict.fromkeys(method for method in parts if method is not None))

    @property
    def headline(self) -> str:
        """The method, its interval, the adjustment and the plan, by the names that papers use."""
        name = describe_method(self.leading)
        text = name if "'s " in name else f"the {name}"
        if self.interval.gives == "pairs":
            text += f" with {self.interval.display_title.removesuffix(', all pairs')} over all pairs"
        elif self.interval.name != self.leading.name:
            text += f" with the {describe_method(self.interval)}"
        if self.adjustment and self.interval.gives != "pairs":
            text += f", {self.adjustment.capitalize()}-adjusted"
        plan = f" over {as_plan(self.plan, 10).description}" if self.plan else ""
        seeds = f" and {self.seeds} seeds" if self.seeds > 1 else ""
        return f"{text}{plan}{seeds}"

    @property
    def text(self) -> str:
        """All of it in a line."""
        name = self.leading.name
        interval = "" if self.interval.name == name else f" with the interval {self.interval.name}"
        adjusted = f", adjusted by {self.adjustment}" if self.adjustment else ""
        by_plan = f", by the plan {self.plan}" if self.plan else ""
        seeds = f" with {self.seeds} seeds" if self.seeds > 1 else ""
        return f"{name} ({self.leading.standing}){interval}{adjusted}{by_plan}{seeds}: {self.why}"

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


def choose_methods(situation: Situation, evidence: Evidence | None) -> MethodChoice:
    """Return the methods for a known question.

    Examples
    --------
    >>> choose_methods(Situation.of(PairedTable(20, 25, 10, 45)), PairedTable(20, 25, 10, 45)).leading.name
    'mcnemar-mid-p'
    """
    if evidence is not None:
        choice = _choose_for(situation, evidence)
    elif situation.way in {5, 6, 7, 8}:
        choice = _choose_by_plan(situation, *_choose_plan(situation))
    else:
        choice = _choose_for(situation, _imagine_classifiers_or_scores(situation))
    if situation.matters != "guarantee" or choice.leading.guarantees:
        return choice
    return replace(choice, why=f"{choice.why}; no method here has a guaranteed type I error rate")


# --- By the evidence --------------------------------------------------------------------------------


def _choose_for(situation: Situation, evidence: Evidence, plan: str = "", why: str = "") -> MethodChoice:
    """Return a guaranteed method if one is needed and available, else the default of the evidence."""
    guaranteed = _choose_guarantee(situation, evidence) if situation.matters == "guarantee" else None
    choice = guaranteed or _choose_default(situation, evidence)
    if choice is None or (evidence.subject == "learner" and any(m.standing not in _TRUSTED for m in choice.methods)):
        only = "" if choice is None else f" ({choice.leading.name} is a heuristic)"
        why = f"no sound method takes the plan {situation.plan or ''}{only}; repeat the experiment with 10x10"
        return _choose_by_plan(situation, "10x10", why)
    choice = replace(choice, why=why or choice.leading.rationale)
    if situation.task == "choose" and (situation.models or 2) > 2:
        choice = _adjust_for_several(choice, evidence)
    seeds = 5 if situation.stochastic and plan and (situation.runs or 500) >= 500 else 1
    bars = (choice.interval,) if choice.test is None else (choice.test, choice.interval)
    return replace(choice, plan=plan, seeds=seeds, sources_covered=covered(evidence, *bars))


def _choose_default(situation: Situation, evidence: Evidence) -> MethodChoice | None:
    """Return the default; None for errors on training data, and for disjoint sets taken as splits."""
    try:
        if situation.task == "choose":
            margin = situation.margin if len(evidence.models) == 2 else None
            test, interval = choose(_pairs_of(evidence), Request(margin=margin))
            return MethodChoice(test=test, interval=interval)
        single = evidence.select(evidence.models[0]) if len(evidence.models) > 1 else evidence
        estimator, interval = choose_estimator(single, Request())
    except InvalidEvidence:
        if evidence.subject != "learner":
            raise
        return None
    # The estimate of a classifier is the metric itself.
    return MethodChoice(estimator=estimator if evidence.subject == "learner" else None, interval=interval)


def _choose_guarantee(situation: Situation, evidence: Evidence) -> MethodChoice | None:
    """Return a method with a guaranteed type I error rate, if there is one that takes the margin."""
    guarantee = find_guarantee(evidence)
    if guarantee is None:
        return None
    method = guarantee.method
    if method.gives == "interval":
        return MethodChoice(interval=method, by_default=False)
    if situation.margin is not None and len(evidence.models) == 2 and "against" not in method.options:
        return None
    request = Request(method=method.name, interval=guarantee.interval or None)
    test, interval = choose(_pairs_of(evidence), request)
    return MethodChoice(test=test, interval=interval, interval_option=guarantee.interval, by_default=False)


def _pairs_of(evidence: Evidence) -> Evidence:
    return evidence.pairs() if len(evidence.models) > 2 else evidence


def _adjust_for_several(choice: MethodChoice, evidence: Evidence) -> MethodChoice:
    """Return the choice for all pairs of several models, with simultaneous intervals if there are any."""
    adjustment = evidence.default("adjust")
    at_once = look_up(adjustment, "pairs", type(evidence))
    if at_once is None:
        return replace(choice, adjustment=adjustment)
    if not choice.by_default:
        return replace(choice, adjustment="holm")
    if evidence.shape:  # groups: max-t takes one table
        why = "all pairs in every group, with p-values adjusted for multiple comparisons"
        return replace(choice, adjustment="holm", by_default=False, why=why)
    why = "all pairs at once, with p-values adjusted for multiple comparisons"
    return replace(choice, interval=at_once, adjustment=adjustment, why=why)


# --- By a plan, without evidence --------------------------------------------------------------------


def _choose_by_plan(situation: Situation, plan: str, why: str) -> MethodChoice:
    """Return the default of a plan; one split makes classifiers, which are compared as such."""
    design = as_plan(plan, 10)
    if situation.task == "choose" and design.kind == "random" and design.replicates == 1:
        alone = replace(situation, matters=None, test_sets="one", stochastic=False)
        why = "with one fit there is one split: the answer applies to the two classifiers it produces"
        return replace(_choose_for(alone, _imagine_classifiers(alone), plan), why=why)
    return _choose_for(situation, _imagine_learners(situation, plan), plan, why)


def _choose_plan(situation: Situation) -> tuple[str, str]:
    """Return the plan of a race and why: the named one, or one with as many fits as affordable."""
    if situation.way in {5, 7}:
        return situation.plan or "delve 8x200", ""
    if situation.plan:
        return situation.plan, ""
    return _choose_plan_to_estimate(situation) if situation.way == 6 else _choose_plan_to_compare(situation)


def _choose_plan_to_estimate(situation: Situation) -> tuple[str, str]:
    plan, why = "10x10", "10 repeats of 10-fold depend little on the split"
    if not _affords_runs(situation, FEWEST_FOLDS):
        plan, why = "holdout", "with few fits, use one split: a training set and a test set"
    elif not _affords_runs(situation, TEN_RUNS):
        plan, why = f"{situation.runs}-fold", "as many folds as affordable fits"
    elif not _affords_runs(situation, HUNDRED_RUNS):
        plan, why = "10-fold", "stratified 10-fold cross-validation trains on 90% of the examples"
    elif situation.matters == "guarantee" and _affords_runs(situation, _CAUTIOUS_RUNS):
        plan, why = "conservative-z", "the most conservative method for one sample"
    return plan, why


def _choose_plan_to_compare(situation: Situation) -> tuple[str, str]:
    """Return the plan: one split for McNemar's test, 5x2cv for 10 fits, 10 repeats of 10-fold for more."""
    plan, why = _choose_plan_to_estimate(situation)
    if plan == "10x10":
        why = "it accounts for overlapping splits and is the most replicable of its kind"
    elif plan == "10-fold" and situation.margin is not None:
        why = "5x2cv takes no margin; the corrected t test over 10 folds does"
    elif plan == "10-fold" and situation.matters != "power":
        plan, why = "5x2", "10 fits of each learner are enough"
    elif plan == "10-fold":
        why = "training on 90% has more power than on halves, and the t test is corrected for the overlap"
    return plan, why


def _affords_runs(situation: Situation, runs: int) -> bool:
    return situation.runs is None or situation.runs >= runs


# --- Evidence of a design without data: defaults depend on the design, never on the numbers ----------


def _imagine_classifiers_or_scores(situation: Situation) -> Evidence:
    if situation.way == 9:
        return ScoreTable.from_scores(np.zeros((10, 2)))
    return ErrorCount(0, 1) if situation.way == 1 else _imagine_classifiers(situation)


def _imagine_classifiers(situation: Situation) -> Evidence:
    """Return classifiers on test sets of that size."""
    size = situation.examples or 1000
    if (situation.models or 2) > 2:
        return ErrorPatterns(("A", "B", "C"), [[False, False, False]], [size])
    if situation.test_sets == "two":
        return IndependentCounts.from_counts(0, size, 0, size)
    return PairedTable(0, 0, 0, size)


def _imagine_learners(situation: Situation, name: str) -> Evidence:
    """Return learners raced by this plan."""
    learners = ("A", "B")[: 1 if situation.task == "estimate" else 2]
    plan = as_plan(name, 10)
    if plan.kind == "delve":
        return TrainingSets(np.zeros((len(learners), plan.replicates, 5)), learners=learners)
    losses, test = np.zeros((len(learners), plan.replicates, plan.folds)), np.array(1.0 if plan.name == "loo" else 10.0)
    return Resamples(losses, test, np.array(90.0), plan, learners=learners)
