"""Plans for a test: of two classifiers, on one test set or on one each, and of one against a threshold."""

from __future__ import annotations

import math
from dataclasses import replace

from ..errors import InvalidOption
from ..evidence import ErrorCount, Evidence, IndependentCounts, PairedTable
from ..methods import Offer, check_options, find_method, find_methods
from ..verbs.pipeline import choose
from ..verbs.request import Request
from .known_rates import Errors, Guess, KnownErrors, pool_pilot_errors, resolve_discordance
from .plan_target import PlanTarget, solve_plan
from .planned import AlternativePlan, Planned
from .settings.pairs import PairedSetting
from .settings.regions import Claim
from .settings.threshold import Threshold
from .settings.two_sets import TwoSets
from .solving import MOST, difference_for

_QUICK = 100_000  # examples up to which the other tests are planned for, too


def plan_pairs(
    target: PlanTarget, *, method: str | None, table: PairedTable | None, disagreement: float | None, errors: Errors
) -> Planned:
    """Return the plan for two classifiers on one test set."""
    test = _resolve_test(PairedTable(0, 0, 0, 1), method, target)
    known = resolve_discordance(target, table, disagreement, errors)
    _check_difference(target.difference, known.first.disagreement)

    def build_plan(guess: Guess, by: Offer = test) -> Planned:
        setting = PairedSetting(claim=_build_claim(target, by), disagreement=guess.disagreement)
        references = tuple(dict.fromkeys((by.reference, "connor1987")))
        name = "normal formula" if target.margin else "Connor's normal formula"
        return solve_plan(setting, target, method=by.name, formula_name=name, references=references)

    planned = build_plan(known.first)
    alternatives = [AlternativePlan.from_plan(guess.assuming, build_plan(guess)) for guess in known.others]
    if method is None and target.hypothesis == "different" and planned.reached and planned.size <= _QUICK:
        tests = (find_method(name, "test", PairedTable) for name in ("mcnemar-exact", "mcnemar"))
        alternatives += [AlternativePlan.from_plan(f"for {by.name}", build_plan(known.first, by)) for by in tests]
    return replace(
        planned,
        alternatives=tuple(alternatives),
        cautions=(*known.cautions, *_warn_of_observed_difference(target, table), *_warn_of_forbidden_method(test)),
        notes=(*known.notes, *_note_clusters(target)),
        power_notes=_note_thinning(planned),
    )


def plan_two_sets(
    target: PlanTarget, *, method: str | None, counts: IndependentCounts | None, errors: Errors, ratio: float
) -> Planned:
    """Return the plan for two classifiers on a test set each."""
    test = _resolve_test(IndependentCounts.from_counts(0, 1, 0, 1), method, target)
    known = KnownErrors(errors) if counts is None else pool_pilot_errors(counts, errors)

    def build_plan(by: Offer, errors: Errors = known.first) -> Planned:
        error, share = _choose_fixed_rate(errors, target.difference)
        setting = TwoSets(claim=_build_claim(target, by), error=error, share=share, ratio=ratio)
        if target.difference is not None:
            _check_difference_of_sets(target.difference, setting)
        corrected = ", corrected for continuity" * setting.corrected
        name = "normal formula" if target.margin else f"Fleiss's normal formula{corrected}"
        references = tuple(dict.fromkeys((by.reference, "fleiss1980")))
        return solve_plan(
            setting, target, method=by.name, sided=not setting.symmetric, formula_name=name, references=references
        )

    planned = build_plan(test)
    alternatives = [AlternativePlan.from_plan(assuming, build_plan(test, errors)) for assuming, errors in known.others]
    alternatives += _solve_opposite_side(planned, target, f"if {target.models[1]} is the worse of the two")
    if method is None and target.hypothesis == "different" and planned.reached and planned.size <= _QUICK:
        tests = (find_method(name, "test", IndependentCounts) for name in ("fisher", "pooled-z"))
        alternatives += [AlternativePlan.from_plan(f"for {by.name}", build_plan(by)) for by in tests]
    return replace(
        planned,
        alternatives=tuple(alternatives),
        cautions=(*known.cautions, *_warn_of_observed_difference(target, counts), *_warn_of_forbidden_method(test)),
        notes=known.notes,
        power_notes=_note_thinning(planned),
    )


def plan_threshold(target: PlanTarget, *, method: str | None, against: float) -> Planned:
    """Return the plan for one classifier and a threshold."""
    test = find_method(method or ErrorCount(0, 1).default("test", target.options), "test", ErrorCount)
    if test.name == "logit":  # its p-value increases again if nearly all are wrong
        raise InvalidOption(
            "`method` must reject monotonically in the count, got 'logit'. Use method='clopper-pearson'."
        )
    check_options(target.options, test)
    if target.difference is not None and not 0 <= against + target.difference <= 1:
        raise InvalidOption(
            f"`difference` must be error - against with an error rate from 0 to 1, got {target.difference:g} with"
            f" against={against:g}."
        )
    claim = Claim(
        method=test,
        alpha=target.alpha,
        alternative=target.alternative,
        threshold=against,
        options={name: value for name, value in target.options.items() if name in test.options},
    )
    side = {"two-sided": "not", "greater": "above", "less": "below"}[target.alternative]
    digits = 6 if target.difference is not None else 3  # a given difference is written as given
    planned = solve_plan(
        Threshold(claim=claim),
        target,
        method=test.name,
        shows=f"that the error rate is {side} {100 * against:.4g}%",
        truth=lambda difference: f"it is {100 * (against + difference):.{digits}g}%",
        quantity="error - against",
        formula_name="normal formula",
        references=(test.reference,),
    )
    opposite = _solve_opposite_side(
        planned, target, "if it is below the threshold" if against < 0.5 else "if it is above"
    )
    return replace(planned, alternatives=tuple(opposite), cautions=_warn_of_forbidden_method(test))


def _build_claim(target: PlanTarget, test: Offer) -> Claim:
    return Claim(
        method=test,
        alpha=target.alpha,
        alternative=target.alternative,
        margin=target.margin,
        hypothesis=target.hypothesis,
        options={name: value for name, value in target.options.items() if name in test.options},
    )


def _resolve_test(like: Evidence, name: str | None, target: PlanTarget) -> Offer:
    """Return the test, by default that of `compare`; raise InvalidOption if it cannot be planned for."""
    margin = target.hypothesis != "different"
    test, _ = choose(like, Request(method=name, margin=0.01 if margin else None))
    problem = _find_problem(test)
    if problem:
        offers = find_methods(gives="test", evidence=type(like))
        able = [
            offer.name for offer in offers if not _find_problem(offer) and (not margin or "against" in offer.options)
        ]
        raise InvalidOption(
            f"`method` of a plan must not be {test.name!r}, which {problem}. Use one of: {', '.join(able)}."
        )
    check_options(target.options, test)
    return test


def _find_problem(test: Offer) -> str:
    """Return why a test cannot be planned for; nothing if it can."""
    if test.evidence is PairedTable and test.reads == "cells":
        return "needs the number of examples that both get wrong"
    return _TOO_SLOW if test.name in {"mcnemar-unconditional", "barnard", "boschloo", "two-betas"} else ""


_TOO_SLOW = "takes minutes, because it enumerates all tables"


def _check_difference(difference: float | None, disagreement: float) -> None:
    if difference is not None and abs(difference) > disagreement + 1e-9:
        raise InvalidOption(
            f"`difference` must be at most the discordant rate ({disagreement:.4g}), got {difference:g}. For 1 pp use"
            " 0.01."
        )


def _check_difference_of_sets(difference: float, setting: TwoSets) -> None:
    low, high = sorted(setting.ends)
    if not low - 1e-9 <= difference <= high + 1e-9:
        raise InvalidOption(
            f"`difference` must be from {low + 0.0:.4g} to {high:.4g} with an error rate of {setting.error:.4g}, got"
            f" {difference:g}."
        )


def _choose_fixed_rate(errors: Errors, difference: float | None) -> tuple[float, float]:
    """Return the error rate that stays fixed when the difference changes, and the share of the change that A takes."""
    if errors.mean is not None:
        return errors.mean, 0.5
    if errors.a is not None:
        if errors.b is not None and difference is None:
            raise InvalidOption(
                "`error_a` and `error_b` determine the difference. Leave one of them out to compute it."
            )
        return errors.a, 0.0
    if errors.b is not None:
        return errors.b, 1.0
    raise InvalidOption(
        "the error rates are required. Use error=0.1 (the mean of both), error_a=0.1 or error_b=0.1, or a pilot of"
        " two test sets."
    )


def _solve_opposite_side(planned: Planned, target: PlanTarget, assuming: str) -> list[AlternativePlan]:
    """Return the smallest detectable difference on the other side, if a two-sided test is not symmetric."""
    setting = planned.setting
    if planned.solved != "difference" or target.alternative != "two-sided" or target.hypothesis != "different":
        return []
    if not isinstance(setting, TwoSets | Threshold) or (isinstance(setting, TwoSets) and setting.symmetric):
        return []
    far = min(setting.ends) if setting.most > 0 else max(setting.ends)
    opposite = difference_for(
        setting, target.clusters.effective_sample_size(int(planned.size)), planned.target, most=far
    )
    return [AlternativePlan(assuming, opposite)]


def _warn_of_observed_difference(target: PlanTarget, pilot: PairedTable | IndependentCounts | None) -> tuple[str, ...]:
    """Return a caution if the difference is the observed difference of the pilot."""
    if pilot is None or not target.difference or abs(abs(float(pilot.difference)) - abs(target.difference)) > 1e-9:
        return ()
    return (
        "the difference equals that of the pilot: power at an observed difference repeats its p-value. Plan for a"
        " difference that would matter.",
    )


def _note_thinning(planned: Planned) -> tuple[str, ...]:
    """Return a note if not every outcome was enumerated."""
    setting, size = planned.setting, int(min(planned.size / planned.design_effect, MOST))
    if isinstance(setting, PairedSetting):
        thinned = setting.thinned(size)
    elif isinstance(setting, TwoSets) and not math.isnan(planned.difference):
        thinned = setting.thinned(size, planned.difference)
    else:
        thinned = False
    return ("a sample of the outcomes enumerated, accurate to about 0.002%",) if thinned else ()


def _warn_of_forbidden_method(test: Offer) -> tuple[str, ...]:
    return (f"{test.display_title} is invalid: {test.rationale}.",) if test.standing == "forbidden" else ()


def _note_clusters(target: PlanTarget) -> tuple[str, ...]:
    if target.clusters.effect == 1:
        return ()
    return ("the design effect is that of the differences of a pair, which are mostly less correlated than the errors",)
