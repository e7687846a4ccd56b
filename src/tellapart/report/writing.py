"""Reports: one self-contained HTML file for each answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch
from pathlib import Path
from typing import Any

from ..errors import InvalidOption, import_extra
from ..evidence import ClassScores, is_one
from ..lab import Calibration, Calibrations, Peeking
from ..metrics import is_scored
from ..planning import Planned, Watch
from ..replacing import replace_file
from ..results import Breakdown, Comparison, Coverage, Estimate, Ranking
from .blocks import Page, Section, Verdict
from .provenance import Provenance
from .sections.calibrations import calibration_answer_sections, each_of
from .sections.classes_and_curves import scores_of
from .sections.comparisons import comparison_sections
from .sections.coverages import coverage_sections
from .sections.estimates import estimate_sections, estimates_sections
from .sections.page_context import PageContext
from .sections.peeking import peeking_sections
from .sections.planned_sizes import plan_sections
from .sections.rankings import ranking_sections
from .sections.score_tables import score_table_sections
from .sections.watches import watch_sections
from .targets import check_target


def write_report(
    file: str | Path,
    answer: Any,
    *,
    race: Any = None,
    groups: Mapping[str, Comparison | Estimate] | Breakdown | None = None,
    examples: Any = None,
    calibration: Calibration | Calibrations | None = None,
    scores: ClassScores | None = None,
    provenance: Provenance | None = None,
    title: str = "",
) -> Path:
    """Write a report about an answer as one self-contained HTML file.

    The same answer gives the same file, to the byte: it has no date.

    Parameters
    ----------
    file
        A path that ends in .html, in an existing folder. An existing file is replaced once the new one is complete.
    answer
        An `Estimate`, `Comparison`, `Ranking`, `Breakdown`, `Calibration`, `Calibrations`, `Peeking`, `Planned` or
        `Watch`; a `Coverage`, or a list of them at one level; estimates by name; or a `Race`, whose learners are
        compared (estimated, if there is only one).
    race
        The experiment of the answer, which adds a section about its fits.
    groups
        By the name of each group, a comparison or an estimate; or the result of `breakdown`.
    examples
        Discordant examples, from `Predictions.disagreements`.
    calibration
        Result of `calibrate` at this design; for an answer that is a calibration, the same at more differences, for the
        pictures.
    scores
        The scores behind the answer, for ROC and precision-recall curves and, for probabilities, a calibration plot. An
        answer about an AUC has them, and so has one from an experiment about probabilities.
    provenance
        The command or the code of the answer, its seed, and fingerprints of the data.
    title
        The page's title, in a small line above the result; left out, the verdict is the title.

    Examples
    --------
    >>> import tempfile
    >>> import tellapart as ta
    >>> table = ta.PairedTable(20, 25, 10, 45, models=("old", "new"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(f"{folder}/report.html", ta.compare(table)).name
    'report.html'
    """
    target = report_file(file)
    page = page_of(
        answer,
        race=race,
        groups=groups,
        examples=examples,
        calibration=calibration,
        scores=scores,
        provenance=provenance,
        title=title,
    )
    return write_page(target, page)


def write_page(file: str | Path, page: Page) -> Path:
    """Write any page as one HTML file; see `write_report` for pages about answers.

    Examples
    --------
    >>> import tempfile
    >>> from tellapart.report.blocks import Text
    >>> section = Section(id="all", title="All", blocks=(Text(paragraphs=("Nothing new.",)),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_page(f"{folder}/page.html", Page(title="News", subtitle="", sections=(section,))).name
    'page.html'
    """
    from .html import render

    target = report_file(file)
    replace_file(target, render(page))
    return target


def report_file(file: str | Path) -> Path:
    """Return the path of a report; raise InvalidOption if it cannot be written or a package is missing.

    Commands call this before long computations.

    Examples
    --------
    >>> report_file("report.pdf")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: 'report.pdf' must end in .html: a report is HTML.
    """
    if not isinstance(file, str | Path):
        kind = type(file).__name__
        raise InvalidOption(f"`file` must be a path, got {kind}. Use write_report('report.html', result).")
    if Path(file).suffix.lower() not in {".html", ".htm"}:
        raise InvalidOption(f"{str(file)!r} must end in .html: a report is HTML.")
    path = check_target(file)
    for module in ("jinja2", "matplotlib"):
        import_extra(module, "plot")
    return path


def page_of(
    answer: Any,
    *,
    race: Any = None,
    groups: Mapping[str, Comparison | Estimate] | Breakdown | None = None,
    examples: Any = None,
    calibration: Calibration | Calibrations | None = None,
    scores: ClassScores | None = None,
    provenance: Provenance | None = None,
    title: str = "",
) -> Page:
    """Return a report as plain blocks; the arguments are those of `write_report`.

    Examples
    --------
    >>> import tellapart as ta
    >>> page = page_of(ta.estimate(ta.ErrorCount(3, 120)))
    >>> page.sections[0].title
    'Result'
    """
    answer, race = _of_race(answer, race)
    if isinstance(answer, Breakdown) and groups is None:
        answer, groups = answer.overall, answer
    _check_parts(answer, groups, calibration, provenance, scores)
    scores = _scores_of(answer, race) if scores is None else scores
    context = PageContext(
        race=race,
        groups=groups,
        examples=examples,
        calibration=calibration,
        scores=scores,
        provenance=provenance or Provenance(),
    )
    sections = tuple(compose_sections(answer, context))
    return Page(title=title or _title_of(sections), label=title, sections=sections)


def _title_of(sections: tuple[Section, ...]) -> str:
    """Return the verdict, which a browser shows as the title of the page."""
    verdicts = (block.verdict for section in sections for block in section.blocks if isinstance(block, Verdict))
    return next(verdicts, "") or "tellapart report"


def _of_race(answer: Any, race: Any) -> tuple[Any, Any]:
    """Return the answer of an experiment and the experiment; any other answer unchanged."""
    from ..running import Race

    if not isinstance(answer, Race):
        return answer, race
    from ..verbs import compare, estimate

    return (estimate(answer) if len(answer.learners) == 1 else compare(answer)), answer


def _scores_of(answer: Any, race: Any) -> ClassScores | None:
    """Return the probabilities behind an answer from an experiment about probabilities, else None."""
    evidence = getattr(answer, "evidence", None)
    if race is None or evidence is None or scores_of(evidence) is not None or not is_scored(evidence.metric):
        return None
    scores: ClassScores | None = None if race.missing or race.failures else race.class_scores(*evidence.models)
    return scores


# --- The sections, by the type of the answer -------------------------------------------------------


@singledispatch
def compose_sections(answer: Any, _: PageContext) -> Iterable[Section]:
    """Return the sections of a page; every type of answer registers its own."""
    raise _wrong_kind(answer)


compose_sections.register(Estimate, estimate_sections)
compose_sections.register(Mapping, estimates_sections)
compose_sections.register(Coverage, lambda coverage, context: coverage_sections((coverage,), context))
compose_sections.register(list, lambda coverages, context: coverage_sections(tuple(coverages), context))
compose_sections.register(tuple, coverage_sections)
compose_sections.register(Watch, watch_sections)
compose_sections.register(Planned, plan_sections)
compose_sections.register(Peeking, peeking_sections)
compose_sections.register(Calibration, calibration_answer_sections)
compose_sections.register(Calibrations, calibration_answer_sections)


@compose_sections.register
def _compose_comparison(answer: Comparison, context: PageContext) -> Iterable[Section]:
    over_data_sets = answer.evidence.unit.name == "data set"
    return (score_table_sections if over_data_sets else comparison_sections)(answer, context)


@compose_sections.register
def _compose_ranking(answer: Ranking, context: PageContext) -> Iterable[Section]:
    over_data_sets = answer.evidence.unit.name == "data set"
    return (score_table_sections if over_data_sets else ranking_sections)(answer, context)


# --- Bad input ------------------------------------------------------------------------------------

_ANSWERS = (
    "an Estimate, a Comparison, a Ranking, a Breakdown, a Calibration, a Peeking, a Planned, a Watch, a Race, a"
    " Coverage, a list of Coverages, or a mapping from names to Estimates"
)


def _check_kind(answer: Any) -> None:
    """Raise InvalidOption if no report can be made of an answer."""
    if isinstance(answer, Mapping):
        if not answer or not all(isinstance(each, Estimate) and not each.shape for each in answer.values()):
            raise InvalidOption(f"`answer` must be {_ANSWERS}, got a mapping of something else, or an empty one.")
    elif isinstance(answer, list | tuple):
        if not answer or not all(isinstance(each, Coverage) for each in answer):
            raise InvalidOption(f"`answer` must be {_ANSWERS}, got a list of something else, or an empty one.")
    elif compose_sections.dispatch(type(answer)) is compose_sections.dispatch(object):
        raise _wrong_kind(answer)


def _wrong_kind(answer: Any) -> InvalidOption:
    return InvalidOption(f"`answer` must be {_ANSWERS}, got {type(answer).__name__}.")


def _check_parts(answer: Any, groups: Any, calibration: Any, provenance: Any, scores: Any) -> None:
    """Raise InvalidOption if no report can be made, before any work."""
    _check_kind(answer)
    for each in each_of(answer) if isinstance(answer, Calibrations) else (answer,):
        if getattr(each, "shape", ()):
            raise InvalidOption(
                f"`answer` must be one answer, got an array of shape {each.shape}. Take one entry, answer[0], and the"
                " others as groups={'name': answer[1]}."
            )
    parts = groups.answers if isinstance(groups, Breakdown) else groups or {}
    for name, each in parts.items():
        if not isinstance(each, Comparison | Estimate) or each.shape:
            raise InvalidOption(
                f"`groups` must have one Comparison or Estimate for {name!r}, got {type(each).__name__}."
            )
    if len({type(each) for each in parts.values()}) > 1:
        raise InvalidOption("`groups` must be all Comparisons or all Estimates, got both.")
    if not (calibration is None or isinstance(calibration, Calibration | Calibrations)):
        raise InvalidOption(f"`calibration` must be the result of calibrate, got {type(calibration).__name__}.")
    if not (scores is None or is_one(scores, ClassScores)):
        raise InvalidOption(f"`scores` must be one ClassScores, got {type(scores).__name__}.")
    if not (provenance is None or isinstance(provenance, Provenance)):
        raise InvalidOption(f"`provenance` must be a Provenance, got {type(provenance).__name__}.")
