"""One error rate, or several: how large, and how sure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ...methods import Offer, look_up
from ...results import Estimate
from ...results.scored import level_of
from ..blocks import Block, Figure, Section, Verdict
from .body import body_sections
from .common import Given, card_sections, checks_of_several, limits_section, reproduce_section, verdict_section
from .learners import race_sections
from .measured import measured_sections
from .parts import calibration_sections, estimates_table, figure_of_many, group_sections


def estimate_sections(answer: Estimate, given: Given) -> Iterator[Section]:
    """Return all sections about one error rate."""
    yield verdict_section(answer, leave_out=("interval",))
    yield _interval_section(answer)
    yield from body_sections(answer, given, methods_of(answer))


def methods_of(answer: Estimate) -> tuple[Offer | None, ...]:
    """Return the interval of an estimate, as the registry has it; an estimator has no card."""
    return (look_up(answer.interval.method, "interval", type(answer.evidence)),)


def _interval_section(answer: Estimate) -> Section:
    from ..plots import estimate_picture

    what = answer.evidence.metric.title
    name = answer.evidence.models[0] if answer.evidence.models != ("A",) else what
    table = estimates_table({name: answer}, "of")
    scored = answer.interval.metric != "error"
    title = f"The {what} and its interval" if scored else "The error and its interval"
    return Section(id="interval", title=title, blocks=(Figure(picture=estimate_picture(answer)), table))


# --- Several --------------------------------------------------------------------------------------


def estimates_sections(answers: Mapping[str, Estimate], given: Given) -> Iterator[Section]:
    """Return the sections about several error rates, each by itself."""
    from ..plots import estimates_picture

    first = next(iter(answers.values()))
    what = first.evidence.metric.title
    failed = any(not check.holds for each in answers.values() for check in each.checks)
    verdict = Verdict(
        answer=_best_of(answers),
        limits="Each estimate stands by itself: this does not say that any two are told apart. Compare them for that.",
        tone="caution" if failed else "plain",
    )
    table: Block = estimates_table(answers, "learner" if first.evidence.subject == "learner" else "model")
    yield Section(id="verdict", title="The answer", blocks=(verdict,))
    yield Section(
        id="interval",
        title="The errors and their intervals" if what == "error rate" else f"The {what} of each, with its interval",
        blocks=(*figure_of_many(answers, estimates_picture, "err most"), table),
    )
    yield from measured_sections({name: each.evidence for name, each in answers.items()}, given)
    yield from group_sections(given)
    yield from race_sections(given)
    yield from card_sections(method for each in answers.values() for method in methods_of(each))
    yield from calibration_sections(given)
    yield checks_of_several(answers)
    yield limits_section(first)
    evidence = {str(name): each.evidence for name, each in answers.items()}
    yield reproduce_section(answers, given, evidence)


def _best_of(answers: Mapping[str, Estimate]) -> str:
    """Say which of several estimates is the best, and how large that is."""
    known = {name: float(each.estimate) for name, each in answers.items() if not np.isnan(each.estimate)}
    if not known:
        return f"None of {len(answers)} estimates is defined. {next(iter(answers.values())).answer}"
    level = level_of(answers[next(iter(known))].evidence)
    best = (max if level == "highest" else min)(known, key=known.__getitem__)
    return f"{best} has the {level} of {len(answers)} estimates. {answers[best].answer}"
