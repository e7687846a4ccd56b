"""One metric of one model, or of several models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ...display import Display, Row
from ...methods import Offer, look_up
from ...results import Estimate
from ..blocks import Block, Figure, Section
from .body import body_sections
from .calibrations import calibration_sections
from .checks_and_sources import checks_of_several, sources_section
from .classes_and_curves import measured_sections
from .groups import estimates_table, figure_of_many, group_sections
from .headline import answer_section, result_section
from .methods_and_references import card_sections, references_sections
from .page_context import PageContext
from .reproduction import reproduce_section
from .resampling_runs import race_sections


def estimate_sections(answer: Estimate, context: PageContext) -> Iterator[Section]:
    """Return all sections about one estimate."""
    yield answer_section(answer)
    yield _interval_section(answer)
    yield from body_sections(answer, context, methods_of(answer))


def methods_of(answer: Estimate) -> tuple[Offer | None, ...]:
    """Return the interval of an estimate, as the registry has it; an estimator has no card."""
    return (look_up(answer.interval.method, "interval", type(answer.evidence)),)


def _interval_section(answer: Estimate) -> Section:
    from ..plots import estimate_picture

    title = answer.evidence.metric.report_title
    name = answer.evidence.models[0] if answer.evidence.models != ("A",) else title
    table = estimates_table({name: answer}, "of")
    return Section(
        id="interval", title=f"{title[:1].upper()}{title[1:]}", blocks=(Figure(picture=estimate_picture(answer)), table)
    )


# --- Several --------------------------------------------------------------------------------------


def estimates_sections(answers: Mapping[str, Estimate], context: PageContext) -> Iterator[Section]:
    """Return the sections about several individual estimates."""
    from ..plots import estimates_picture

    first = next(iter(answers.values()))
    title = first.evidence.metric.report_title
    table: Block = estimates_table(answers, "learner" if first.evidence.subject == "learner" else "model")
    yield result_section(_summarize_answers(answers))
    yield Section(
        id="interval",
        title=f"{title[:1].upper()}{title[1:]} of each",
        blocks=(*figure_of_many(answers, estimates_picture), table),
    )
    yield from measured_sections({name: each.evidence for name, each in answers.items()}, context)
    yield from group_sections(context)
    yield from race_sections(context)
    yield checks_of_several(answers)
    yield sources_section(first)
    yield from calibration_sections(context)
    yield from references_sections(*answers.values())
    yield from card_sections(method for answer in answers.values() for method in methods_of(answer))
    evidence = {str(name): answer.evidence for name, answer in answers.items()}
    yield reproduce_section(answers, context, evidence)


def _summarize_answers(answers: Mapping[str, Estimate]) -> Display:
    """Return which of several estimates is the best, how large it is, and every check that fails."""
    known = {name: float(answer.estimate) for name, answer in answers.items() if not np.isnan(answer.estimate)}
    first = next(iter(answers.values()))
    title = first.evidence.metric.report_title
    cautions = {
        text: None for answer in answers.values() for label, text in answer.display().rows if label == "caution"
    }
    scope = Row("scope", "estimates are individual; overlapping intervals do not test a difference (use `compare`)")
    rows = (*(Row("caution", text) for text in cautions), scope)
    if not known:
        return Display(verdict=f"None of {len(answers)} estimates is defined", blocks=rows)
    higher = first.evidence.metric.higher_is_better
    best = (max if higher else min)(known, key=known.__getitem__)
    level = "highest" if first.evidence.metric.report_higher_is_better else "lowest"
    verdict = f"{best} has the {level} {title} of {len(answers)} estimates"
    shown = answers[best].display()
    return Display(verdict=verdict, figures=shown.figures or shown.verdict, blocks=rows)
