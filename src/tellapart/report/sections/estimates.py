"""One error rate, or several: how large, and how sure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ...evidence import Outcomes, Resamples, StratifiedCount, TrainingSets
from ...methods import Offer, look_up
from ...results import Estimate
from ...results.scored import level_of
from ..blocks import Block, Figure, Section, Table, Verdict
from .common import (
    Given,
    card_sections,
    check_section,
    checks_of_several,
    limits_section,
    number_cell,
    paper_section,
    reproduce_section,
    verdict_section,
)
from .learners import learner_sections, race_sections
from .measured import kind_of, measured_sections
from .outcomes import outcomes_section, with_groups
from .parts import (
    alternatives_section,
    calibration_sections,
    estimates_table,
    figure_of_many,
    group_sections,
    posterior_sections,
)


def estimate_sections(answer: Estimate, given: Given) -> Iterator[Section]:
    """Return all sections about one error rate."""
    evidence = answer.evidence
    yield verdict_section(answer, leave_out=("interval",))
    yield _interval_section(answer)
    if isinstance(evidence, StratifiedCount):
        yield _strata_section(evidence)
    if isinstance(evidence, Outcomes):
        yield outcomes_section(evidence)
    yield from measured_sections(evidence, given)
    yield from group_sections(with_groups(answer, given))
    yield from race_sections(given)
    yield from learner_sections(evidence, answer)
    yield from posterior_sections(answer)
    yield from card_sections(methods_of(answer))
    yield from calibration_sections(given)
    yield check_section(answer.checks)
    yield limits_section(answer)
    yield alternatives_section(answer)
    yield paper_section(answer)
    yield reproduce_section(answer, given, {kind_of(evidence): evidence})


def _of_learner(answer: Estimate) -> bool:
    return isinstance(answer.evidence, Resamples | TrainingSets)


def methods_of(answer: Estimate) -> tuple[Offer | None, ...]:
    """Return the interval of an estimate, as the registry has it; an estimator has no card."""
    return (look_up(answer.interval.method, "interval", type(answer.evidence)),)


def _interval_section(answer: Estimate) -> Section:
    from ..plots import estimate_picture

    what = answer.evidence.metric.title
    name = getattr(answer.evidence, "learners", getattr(answer.evidence, "models", (what,)))[0]
    table = estimates_table({name: answer}, "of")
    scored = answer.interval.metric != "error"
    title = f"The {what} and its interval" if scored else "The error and its interval"
    return Section(id="interval", title=title, blocks=(Figure(picture=estimate_picture(answer)), table))


def _strata_section(counts: StratifiedCount) -> Section:
    rows = [
        (
            place,
            int(errors),
            int(trials),
            number_cell(errors / trials, f"{100 * errors / trials:.2f} %"),
            number_cell(share, f"{100 * share:.4g} %"),
        )
        for place, (errors, trials, share) in enumerate(
            zip(counts.errors, counts.trials, counts.shares, strict=True), 1
        )
    ]
    head = ("stratum", "errors", "examples", "error rate", "share of the population")
    return Section(id="strata", title="Stratum by stratum", blocks=(Table.of("The strata", head, rows),))


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
    table: Block = estimates_table(answers, "learner" if _of_learner(first) else "model")
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
