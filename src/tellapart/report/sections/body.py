"""What every page about an answer has below its figures, in one order: data, groups, runs, cards and checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...methods import Offer
from ...results import Comparison, Estimate, Ranking
from ..blocks import Section
from .common import Given, card_sections, check_section, limits_section, paper_section, reproduce_section
from .data import data_sections
from .learners import learner_sections, race_sections
from .measured import kind_of, measured_sections
from .outcomes import with_groups
from .parts import (
    alternatives_section,
    calibration_sections,
    examples_sections,
    group_sections,
    posterior_sections,
)


def body_sections(
    answer: Estimate | Comparison | Ranking, given: Given, methods: Iterable[Offer | None]
) -> Iterator[Section]:
    """Yield the sections that follow the verdict and the figures of an answer."""
    evidence = answer.evidence
    yield from data_sections(evidence)
    yield from measured_sections(evidence, given)
    yield from group_sections(with_groups(answer, given))
    yield from examples_sections(evidence, given)
    yield from race_sections(given)
    yield from learner_sections(evidence, answer)
    yield from posterior_sections(answer)
    yield from card_sections(methods)
    yield from calibration_sections(given)
    yield check_section(answer.checks)
    yield limits_section(answer)
    yield alternatives_section(answer)
    yield paper_section(answer)
    yield reproduce_section(answer, given, {kind_of(evidence): evidence})
