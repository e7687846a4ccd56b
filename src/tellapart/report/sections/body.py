"""The sections below the figures of an answer, in one order: data, groups, runs, checks, sources, methods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...methods import Offer
from ...results import Comparison, Estimate, Ranking
from ..blocks import Section
from .calibrations import calibration_sections
from .checks_and_sources import checks_section, sources_section
from .classes_and_curves import kind_of, measured_sections
from .data import data_sections
from .discordant_examples import examples_sections
from .groups import group_sections
from .methods_and_references import card_sections, methods_section, paper_section
from .outcomes import with_groups
from .page_context import PageContext
from .posterior import posterior_sections
from .reproduction import reproduce_section
from .resampling_runs import learner_sections, race_sections


def body_sections(
    answer: Estimate | Comparison | Ranking, context: PageContext, methods: Iterable[Offer | None]
) -> Iterator[Section]:
    """Yield the sections that follow the verdict and the figures of an answer."""
    evidence, used = answer.evidence, tuple(methods)
    yield from data_sections(evidence, context)
    yield from measured_sections(evidence, context)
    yield from group_sections(with_groups(answer, context))
    yield from examples_sections(evidence, context)
    yield from race_sections(context)
    yield from learner_sections(evidence, answer)
    yield from posterior_sections(answer)
    yield checks_section(answer.checks)
    yield sources_section(answer)
    yield from calibration_sections(context)
    yield methods_section(answer, used)
    yield from card_sections(used)
    yield paper_section(answer)
    yield reproduce_section(answer, context, {kind_of(evidence): evidence})
