"""Learners, which are trained anew: from a race, or from how they did on the splits of a plan, to an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..advice import choose_estimator, choose_pair
from ..errors import InvalidOption
from ..evidence import (
    ClassScores,
    ErrorPatterns,
    Outcomes,
    PairedConfusion,
    PairedTable,
    Resamples,
    ScoreTable,
    TrainingSets,
)
from ..methods import Gives, Method, check_options, look_up
from ..methods.assumptions import Context, check_assumptions
from ..methods.multiplicity import adjust as adjusted_pvalues
from ..methods.sources import covered
from ..methods.tie_groups import square, tie_groups
from ..methods.training_sets.components import variance_components
from ..metrics import canonical_name, is_counted, is_scored
from ..results import Comparison, Estimate, Interval, Ranking, TestResult
from ..typing_ import Hypothesis, Side, one_of
from .measured import asked_for
from .pairs import Adjust, as_margin, beyond_margin, border, compared, has_pvalues, paid
from .parts import Asked, cited, limits_of, taken_by, told_of, trusted

Learners = Resamples | TrainingSets
Compared = Learners | ScoreTable
_GIVES: tuple[Gives, ...] = ("test", "interval", "pairs")
_MEANS = ("error", "accuracy", "cost", "log-loss", "brier")  # over examples, so that learners have them as errors


def fold(
    race: Any,
    learners: Sequence[str] | None = None,
    metric: Any = None,
    missing: str = "refuse",
    named: tuple[str | None, ...] = (),
    positive: Any = None,
    costs: Any = None,
) -> Any:
    """Return the evidence that a race (or what was folded from one) holds about these learners.

    One split made classifiers, which were tested on one test set; they are compared as such, unless one of the methods
    `named` is for learners only. Several seeds of them are crossed with the test examples.
    """
    names = () if learners is None else tuple(learners)
    if isinstance(race, Resamples | TrainingSets | ScoreTable):
        if (metric, positive, costs) != (None, None, None) or missing != "refuse":
            raise InvalidOption(
                "metric, positive, costs and missing are for a race, which has kept its predictions; scores have one"
                " metric."
            )
        return race.select(*names) if names else race
    if metric is None and costs is not None:
        metric = "cost"
    if metric is None and positive is not None:
        raise InvalidOption(f"positive={positive!r} is for a metric of one class. Say which: metric='recall', say.")
    told = {name: value for name, value in (("positive", positive), ("costs", costs)) if value is not None}
    if race.plan.kind == "delve" or (race.plan.one_split and race.seeds > 1 and _is_mean(metric)):
        return race.training_sets(*names, metric=metric or "error", missing=missing, **told)
    if race.plan.one_split and race.seeds == 1 and all(name is None or _for_classifiers(name) for name in named):
        held = _of_classifiers(race, names or race.learners, metric, told)
        if held is not None:
            return held
    return race.resamples(*names, metric=metric or "error", missing=missing, **told)


def _of_classifiers(race: Any, names: Sequence[str], metric: Any, told: dict[str, Any]) -> Any:
    """Return what the classifiers of one split did on its test set; None where the losses of learners tell as much."""
    if metric is None:
        return race.error_patterns(*names) if len(names) > 1 else None
    one = len(names) == 1
    if callable(metric) or not (is_counted(metric) or is_scored(metric)) or (one and _is_mean(metric)):
        return None
    if is_scored(metric):
        held = race.class_scores(*names)
    elif one:
        held = race.confusion_matrix(*names)
    else:
        held = race.paired_confusion(*names) if len(names) == 2 else race.label_patterns(*names)
    return asked_for(held, metric, **told)[0]


def _is_mean(metric: Any) -> bool:
    """Whether the metric, or the error if there is none, is a mean over examples."""
    return metric is None or (isinstance(metric, str) and canonical_name(metric) in _MEANS)


def _for_classifiers(name: str) -> bool:
    kinds = (PairedTable, ErrorPatterns, PairedConfusion, ClassScores, Outcomes)
    return any(look_up(name, gives, evidence) is not None for gives in _GIVES for evidence in kinds)


def estimate_learner(
    evidence: Learners, *, method: str | None, alpha: float, level: float | None, side: Side, options: dict[str, Any]
) -> Estimate:
    """Tell how large a learner's error (or another metric) is, and whose that is; `side` is one of the metric."""
    if len(evidence.learners) != 1:
        raise InvalidOption(f"learner must be one of {', '.join(evidence.learners)}: an estimate is of one.")
    point, bounds = choose_estimator(evidence, method)
    used = tuple(each for each in (point, bounds) if each is not None)
    check_options(options, *used)
    limits = limits_of(bounds, evidence, alpha, level, _of_loss(side, evidence), options)  # of the loss, as methods see
    value = evidence.losses[..., 0] if point is None else point(evidence, **taken_by(point, options))
    named = point or bounds
    assumed = tuple(assumption for each in used for assumption in each.assumes)
    checks = (check for each in dict.fromkeys(used) for check in trusted(each, evidence))
    return Estimate(
        method=named.name,
        evidence=evidence,
        estimate=evidence.metric.from_loss(value),
        interval=_of_metric(limits, evidence),
        checks=(*checks, *check_assumptions(assumed, evidence, Context(interval=limits, alpha=alpha))),
        told="; ".join(dict.fromkeys(filter(None, (told_of(each, options) for each in used)))),
        scope=evidence.scope(named.name),
        covers=covered(evidence, bounds),
        cites=cited(*used),
        target=evidence.target(named.name),
        components=_components(evidence),
        unless="were these examples fresh" if named.name == "apparent" else "",
    )


_OTHER: dict[str, Side] = {"upper": "lower", "lower": "upper"}


def _of_loss(side: Side, evidence: Learners) -> Side:
    """Return the side of the loss: where more of a metric is better, its lower bound is an upper bound of the loss."""
    return _OTHER.get(side, side) if evidence.metric.higher_is_better else side


def _of_metric(limits: Interval, evidence: Learners) -> Interval:
    """Return the limits of a loss as those of the metric that it stands for."""
    if not evidence.metric.higher_is_better:
        return limits
    low, high = evidence.metric.from_loss(limits.high), evidence.metric.from_loss(limits.low)
    return replace(limits, low=low, high=high, side=_OTHER.get(limits.side, limits.side))


def compare_learners(
    evidence: Compared,
    asked: Asked,
    *,
    margin: float | None,
    hypothesis: Hypothesis | None,
    adjust: Adjust | None,
    looks: int,
) -> Comparison | Ranking:
    """Compare two learners, or rank several."""
    if len(evidence.learners) < 2:
        raise InvalidOption(f"compare wants two learners or more, but there is only {evidence.learners[0]!r}.")
    if len(evidence.learners) > 2:
        if margin is not None:
            raise InvalidOption("margin is for two learners. Name them: learners=('a', 'b').")
        return _ranked(evidence, asked, adjust, looks)
    if adjust is not None and not evidence.shape:
        raise InvalidOption("adjust is for several comparisons; two learners are one.")
    if margin is None:
        return paid(two_learners(evidence, asked, looks), adjust)
    return paid(_with_margin(evidence, margin, hypothesis or "non-inferior", asked, looks), adjust)


def two_learners(evidence: Compared, asked: Asked, looks: int) -> Comparison:
    """Compare two learners (or every pair, along the shape) by the test and the interval that fit the evidence."""
    test, bounds = choose_pair(evidence, asked.method, asked.interval)
    check_options(asked.options, test, bounds)
    limits = limits_of(bounds, evidence, asked.alpha, asked.level, asked.side, asked.options)
    significance = _tested(test, evidence, asked)
    spoken_for = significance.chooses
    context = Context(interval=limits, null=0.0, alpha=asked.alpha, alternative=asked.alternative, chooses=spoken_for)
    found = _beside(test, evidence, asked)
    return _compared(evidence, test, bounds, significance, context, asked.options, looks=looks, beside=found)


def _with_margin(evidence: Compared, margin: float, hypothesis: Hypothesis, asked: Asked, looks: int) -> Comparison:
    """Test against the margin, one-sided; the interval at 1 − 2·alpha decides alike."""
    size = as_margin(margin, hypothesis, asked, bounded=evidence.bounded)
    test, bounds = choose_pair(evidence, asked.method, asked.interval, margin=True)
    check_options(asked.options, test, bounds)
    limits = limits_of(bounds, evidence, 2 * asked.alpha, None, "two", asked.options)
    significance = beyond_margin(test, evidence, size, hypothesis, asked.options)
    context = Context(interval=limits, null=border(size, hypothesis), alpha=asked.alpha, alternative="greater")
    sided = {"alternative": "two-sided"} if hypothesis == "equivalent" else {}
    facts = {"hypothesis": hypothesis, "margin": size, "looks": looks, **sided}
    return _compared(evidence, test, bounds, significance, context, asked.options, **facts)


def _compared(
    evidence: Compared,
    test: Method,
    bounds: Method,
    significance: TestResult,
    context: Context,
    options: dict[str, Any],
    **more: Any,
) -> Comparison:
    """Put the answer about two learners together, with the difference that the test speaks of."""
    own = {"scope": evidence.scope(test.name), "components": _components(evidence)}
    return compared(evidence, test, bounds, significance, context, options, **own, **more)


def _tested(test: Method, evidence: Compared, asked: Asked) -> TestResult:
    own = {"alpha": asked.alpha} if "alpha" in test.options else {}
    sided = {"alternative": asked.alternative} if "alternative" in test.options else {}
    if not sided and asked.alternative != "two-sided":
        raise InvalidOption(f"method {test.name!r} has no sides. Leave alternative out.")
    found: TestResult = test(evidence, **own, **sided, **taken_by(test, asked.options))
    return found


def _beside(test: Method, evidence: Compared, asked: Asked) -> dict[str, TestResult]:
    """Return what the corrected t says beside 5x2cv, whose verdict hangs on which difference stands on top."""
    if test.name != "5x2cv-t" or evidence.shape:
        return {}
    corrected = look_up("corrected-resampled-t", "test", type(evidence))
    return {} if corrected is None else {corrected.name: _tested(corrected, evidence, replace(asked, options={}))}


def _ranked(evidence: Compared, asked: Asked, adjust: Adjust | None, looks: int) -> Ranking:
    """Compare every two learners, let the p-values pay for their number, and say who is tied with the best."""
    if evidence.shape:
        raise InvalidOption(f"compare ranks one set of learners, but this has shape {evidence.shape}. Go one by one.")
    if asked.alternative != "two-sided":
        raise InvalidOption("alternative is for two learners: among several, who is A is a matter of their order.")
    rule = one_of("adjust", adjust or "holm", Adjust)
    if rule == "max-t":
        raise InvalidOption("adjust='max-t' resamples classifiers on one test set. Take 'holm' for learners.")
    pairs = two_learners(evidence.pairs(), asked, looks)
    has_pvalues(pairs)
    adjusted = adjusted_pvalues(pairs.pvalue, rule)
    apart = square(adjusted < asked.alpha, len(evidence.learners))
    return Ranking(
        method=pairs.method,
        adjustment=rule,
        evidence=evidence,
        pairs=pairs,
        adjusted=adjusted,
        groups=tie_groups(evidence.learners, evidence.losses, apart),
        alpha=asked.alpha,
        checks=pairs.checks,
        told=pairs.told,
        scope=evidence.scope(pairs.method),
        covers=pairs.covers,
        cites=(*pairs.cites, *cited(adjustment=rule)),
        looks=looks,
    )


def _components(evidence: Compared) -> dict[str, float]:
    """Return how much training sets (or splits), test examples and seeds make the loss vary, where that can be told."""
    if isinstance(evidence, ScoreTable):
        return {}
    told = isinstance(evidence, TrainingSets) or (evidence.seeds > 1 and evidence.runs > 1)
    if evidence.shape or not told:
        return {}
    return {name: float(value) for name, value in variance_components(evidence).as_dict().items()}
