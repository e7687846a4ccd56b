"""Plans for a test: of two classifiers, on one test set or on one each, and of one against a threshold."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from ..errors import InvalidOption
from ..evidence import ErrorCount, Evidence, IndependentCounts, PairedTable
from ..methods import Offer, check_options, find_method, find_methods
from ..verbs.pipeline import choose
from ..verbs.request import Request
from .known_rates import Errors, Guess, KnownErrors, disagreements, errors_of_pilot
from .planned import Aside, Planned
from .settings.pairs import Pairs
from .settings.regions import Claim
from .settings.threshold import Threshold
from .settings.two_sets import TwoSets
from .solving import MOST, difference_for
from .wanted import Wanted, answer, true

_QUICK = 100_000  # examples up to which the other tests are planned for, too


def plan_pairs(
    wanted: Wanted, *, method: str | None, table: PairedTable | None, disagreement: float | None, errors: Errors
) -> Planned:
    """Return the plan for two classifiers on one test set."""
    test = _test(PairedTable(0, 0, 0, 1), method, wanted)
    known = disagreements(wanted, table, disagreement, errors)
    _possible(wanted.difference, known.first.disagreement)

    def planned(guess: Guess, by: Offer = test) -> Planned:
        setting = Pairs(claim=_claim(wanted, by), disagreement=guess.disagreement)
        references = tuple(dict.fromkeys((by.reference, "connor1987")))
        name = "normal formula" if wanted.margin else "Connor's normal formula"
        return answer(setting, wanted, method=by.name, formula_name=name, references=references)

    found = planned(known.first)
    asides = [Aside.of(guess.assuming, planned(guess)) for guess in known.others]
    if method is None and wanted.hypothesis == "different" and found.reached and found.size <= _QUICK:
        tests = (find_method(name, "test", PairedTable) for name in ("mcnemar-exact", "mcnemar"))
        asides += [Aside.of(f"by {by.name}", planned(known.first, by)) for by in tests]
    notes = (*known.notes, *_as_observed(wanted, table), *_of_clusters(wanted), *_thinned(found), *_forbidden(test))
    return replace(found, beside=tuple(asides), notes=notes)


def plan_two_sets(
    wanted: Wanted, *, method: str | None, counts: IndependentCounts | None, errors: Errors, ratio: float
) -> Planned:
    """Return the plan for two classifiers on a test set each."""
    test = _test(IndependentCounts.from_counts(0, 1, 0, 1), method, wanted)
    known = KnownErrors(errors) if counts is None else errors_of_pilot(counts, errors)

    def planned(by: Offer, errors: Errors = known.first) -> Planned:
        error, share = _anchor(errors, wanted.difference)
        setting = TwoSets(claim=_claim(wanted, by), error=error, share=share, ratio=ratio)
        if wanted.difference is not None:
            _possible_apart(wanted.difference, setting)
        corrected = ", corrected for continuity" * setting.corrected
        name = "normal formula" if wanted.margin else f"Fleiss's normal formula{corrected}"
        references = tuple(dict.fromkeys((by.reference, "fleiss1980")))
        truth = None if setting.symmetric else partial(true, wanted, sided=True)
        return answer(setting, wanted, method=by.name, truth=truth, formula_name=name, references=references)

    found = planned(test)
    asides = [Aside.of(told, planned(test, errors)) for told, errors in known.others]
    asides += _other_side(found, wanted, f"if {wanted.models[1]} is the worse of the two")
    if method is None and wanted.hypothesis == "different" and found.reached and found.size <= _QUICK:
        tests = (find_method(name, "test", IndependentCounts) for name in ("fisher", "pooled-z"))
        asides += [Aside.of(f"by {by.name}", planned(by)) for by in tests]
    notes = (*known.notes, *_as_observed(wanted, counts), *_thinned(found), *_forbidden(test))
    return replace(found, beside=tuple(asides), notes=notes)


def plan_threshold(wanted: Wanted, *, method: str | None, against: float) -> Planned:
    """Return the plan for one classifier that is held against a threshold."""
    test = find_method(method or ErrorCount(0, 1).default("test", wanted.options), "test", ErrorCount)
    if test.name == "logit":  # its p-value goes up again where nearly all are wrong
        raise InvalidOption("method 'logit' may reject at one count and not at the next. Take 'clopper-pearson'.")
    check_options(wanted.options, test)
    if wanted.difference is not None and not 0 <= against + wanted.difference <= 1:
        raise InvalidOption(
            f"difference={wanted.difference:g} from {against:g} is no error rate: it is error - against, such as -0.02."
        )
    claim = Claim(
        method=test,
        alpha=wanted.alpha,
        alternative=wanted.alternative,
        threshold=against,
        options={name: value for name, value in wanted.options.items() if name in test.options},
    )
    side = {"two-sided": "not", "greater": "above", "less": "below"}[wanted.alternative]
    digits = 6 if wanted.difference is not None else 3  # what was given is told as it was
    found = answer(
        Threshold(claim=claim),
        wanted,
        method=test.name,
        shows=f"that the error is {side} {100 * against:.4g} %",
        truth=lambda difference: f"it really is {100 * (against + difference):.{digits}g} %",
        of="error - against",
        formula_name="normal formula",
        references=(test.reference,),
    )
    beside = _other_side(found, wanted, "if it is below the threshold" if against < 0.5 else "if it is above it")
    return replace(found, beside=tuple(beside), notes=_forbidden(test))


def _claim(wanted: Wanted, test: Offer) -> Claim:
    return Claim(
        method=test,
        alpha=wanted.alpha,
        alternative=wanted.alternative,
        margin=wanted.margin,
        hypothesis=wanted.hypothesis,
        options={name: value for name, value in wanted.options.items() if name in test.options},
    )


def _test(like: Evidence, name: str | None, wanted: Wanted) -> Offer:
    """Return the test that is planned for, as `compare` would choose it; some cannot be planned for."""
    margin = wanted.hypothesis != "different"
    test, _ = choose(like, Request(method=name, margin=0.01 if margin else None))
    trouble = _trouble(test)
    if trouble:
        every = find_methods(gives="test", evidence=type(like))
        able = (found.name for found in every if not _trouble(found) and (not margin or "against" in found.options))
        raise InvalidOption(f"method {test.name!r} {trouble}. Choose one of: {', '.join(able)}.")
    check_options(wanted.options, test)
    return test


def _trouble(test: Offer) -> str:
    """Say why a test cannot be planned for; nothing if it can."""
    if test.evidence is PairedTable and test.reads == "cells":
        return "needs to know on how many examples both are wrong, and a plan knows on how many they disagree"
    return _TOO_SLOW if test.name in {"mcnemar-unconditional", "barnard", "boschloo", "two-betas"} else ""


_TOO_SLOW = "takes minutes to plan for, as it looks at every table that there can be"


def _possible(difference: float | None, disagreement: float) -> None:
    if difference is not None and abs(difference) > disagreement + 1e-9:
        raise InvalidOption(
            f"difference={difference:g} cannot be where two disagree on {disagreement:.4g} of the examples: errors"
            " differ by that at most. Plan for a smaller difference (for one point write 0.01), or write a larger"
            " disagreement=."
        )


def _possible_apart(difference: float, setting: TwoSets) -> None:
    low, high = sorted(setting.ends)
    if not low - 1e-9 <= difference <= high + 1e-9:
        raise InvalidOption(
            f"difference={difference:g} cannot be with an error rate of {setting.error:.4g}: it lies between"
            f" {low + 0.0:.4g} and {high:.4g}, as error rates lie between 0 and 1. Write a smaller one, or other rates."
        )


def _anchor(errors: Errors, difference: float | None) -> tuple[float, float]:
    """Return the error rate that stays as it is when the difference changes, and how much of the change A takes."""
    if errors.mean is not None:
        return errors.mean, 0.5
    if errors.a is not None:
        if errors.b is not None and difference is None:
            raise InvalidOption("two error rates say the difference. Leave one of them out to find it.")
        return errors.a, 0.0
    if errors.b is not None:
        return errors.b, 1.0
    raise InvalidOption(
        "how often the two err has to be known: write error=0.1 (of both, on average), error_a=0.1 or error_b=0.1, or"
        " give a pilot IndependentCounts."
    )


def _other_side(found: Planned, wanted: Wanted, assuming: str) -> list[Aside]:
    """Return the smallest difference that shows on the other side, where a test looks both ways and they differ."""
    setting = found.setting
    if found.solved != "difference" or wanted.alternative != "two-sided" or wanted.hypothesis != "different":
        return []
    if not isinstance(setting, TwoSets | Threshold) or (isinstance(setting, TwoSets) and setting.symmetric):
        return []
    far = min(setting.ends) if setting.most > 0 else max(setting.ends)
    other = difference_for(setting, wanted.clusters.worth(int(found.size)), found.target, most=far)
    return [Aside(assuming, other)]


def _as_observed(wanted: Wanted, pilot: PairedTable | IndependentCounts | None) -> tuple[str, ...]:
    """Warn where the difference that was named is the very one that the pilot shows."""
    if pilot is None or not wanted.difference or abs(abs(float(pilot.difference)) - abs(wanted.difference)) > 1e-9:
        return ()
    return (
        "This difference is just the one that the pilot shows: a power at an observed difference says no more than its"
        " p-value does. Plan for a difference that would matter.",
    )


def _thinned(found: Planned) -> tuple[str, ...]:
    """Say so where not every outcome was looked at."""
    setting, size = found.setting, int(min(found.size / found.design_effect, MOST))
    if isinstance(setting, Pairs):
        thinned = setting.thinned(size)
    elif isinstance(setting, TwoSets) and not math.isnan(found.difference):
        thinned = setting.thinned(size, found.difference)
    else:
        thinned = False
    return ("Of so many outcomes every so many-th was looked at: power is right to about 0.002 %.",) if thinned else ()


def _forbidden(test: Offer) -> tuple[str, ...]:
    return (f"Method {test.name} is forbidden: {test.rationale}.",) if test.standing == "forbidden" else ()


def _of_clusters(wanted: Wanted) -> tuple[str, ...]:
    if wanted.clusters.effect == 1:
        return ()
    return ("Of a pair it is the differences that go together within clusters, mostly less than the errors do.",)
