"""From an answer to a report: one self-contained file that can be sent, printed and kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

from ..errors import InvalidOption, import_extra
from ..evidence import ClassScores, ErrorCount
from ..lab import Calibration, Calibrations, Peeking
from ..metrics import is_scored
from ..planning import Planned, Watch
from ..replacing import replace_file
from ..results import Breakdown, Comparison, Coverage, Estimate, Ranking, RankingOverDataSets
from ..results.sentences import seen
from .blocks import Page, Section
from .provenance import Provenance
from .sections.calibrations import calibration_answer_sections, each_of
from .sections.common import Given
from .sections.comparisons import comparison_sections
from .sections.coverages import coverage_sections
from .sections.estimates import estimate_sections, estimates_sections
from .sections.peeking import peeking_sections
from .sections.plans import plan_sections, plan_title
from .sections.rankings import ranking_sections
from .sections.score_tables import score_table_sections
from .sections.watches import watch_sections, watch_title
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
    """Write a report about an answer: one HTML file that needs no other and no network.

    The same answer gives the same file, to the byte: there is no date in it.

    Parameters
    ----------
    file
        Where to, ending in .html; the folder must be there. A file of that name is replaced, once the new one is
        complete.
    answer
        An `Estimate`, `Comparison`, `Ranking`, `Breakdown`, `Calibration`, `Calibrations`, `Peeking`, `Planned` or
        `Watch`; a `Coverage`, or a list of them at one level; estimates by name; or a `Race`, whose learners are
        compared (or estimated, if there is but one).
    race
        The race that the answer comes from, to tell what was run.
    groups
        By the name of each group, its own comparison or estimate; or what `breakdown` said.
    examples
        Where the two disagree, from `Predictions.disagreements`.
    calibration
        What `calibrate` found at this very design; beside an answer that is a calibration, the same at more
        differences, which pictures are drawn of.
    scores
        The scores behind the answer, for an ROC curve, a precision-recall curve and, of probabilities, what they are
        worth; an answer about an AUC has them, and one from a race about probabilities.
    provenance
        The command or the lines that gave the answer, its seed, and fingerprints of the data.
    title
        The page's title; one is made up if it is left out.

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
    """Return where a report goes, or say why it cannot be written there, or what is not installed.

    Commands ask this before they begin what takes long.

    Examples
    --------
    >>> report_file("report.pdf")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: 'report.pdf' cannot be written: a report is HTML. Give a name that ends in .html.
    """
    if Path(file).suffix.lower() not in {".html", ".htm"}:
        raise InvalidOption(f"{str(file)!r} cannot be written: a report is HTML. Give a name that ends in .html.")
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
    """Return what a report says, as plain blocks; takes what `write_report` takes.

    Examples
    --------
    >>> import tellapart as ta
    >>> page = page_of(ta.estimate(ta.ErrorCount(3, 120)))
    >>> page.title, page.sections[0].id
    ('How large is the error?', 'verdict')
    """
    answer, race = _of_race(answer, race)
    if isinstance(answer, Breakdown) and groups is None:
        answer, groups = answer.overall, answer
    _check_parts(answer, groups, calibration, provenance, scores)
    scores = _scores_of(answer, race) if scores is None else scores
    given = Given(
        race=race,
        groups=groups,
        examples=examples,
        calibration=calibration,
        scores=scores,
        provenance=provenance or Provenance(),
    )
    composed = _over_data_sets if hasattr(getattr(answer, "evidence", None), "datasets") else _composed
    called, about, sections = composed(answer, given)
    return Page(title=title or called, subtitle=about, sections=tuple(sections))


def _of_race(answer: Any, race: Any) -> tuple[Any, Any]:
    """Return the answer that a race gives, where it is a race that was handed in."""
    from ..running import Race

    if not isinstance(answer, Race):
        return answer, race
    from ..verbs import compare, estimate

    return (estimate(answer) if len(answer.learners) == 1 else compare(answer)), answer


def _scores_of(answer: Any, race: Any) -> ClassScores | None:
    """Return the probabilities behind an answer from a race that is about them; None where it is about labels."""
    evidence = getattr(answer, "evidence", None)
    if race is None or evidence is None or isinstance(evidence, ClassScores) or race.missing or race.failures:
        return None
    if not is_scored(evidence.metric):
        return None
    found: ClassScores = race.class_scores(*evidence.models)
    return found


def _composed(answer: Any, given: Given) -> tuple[str, str, Iterable[Section]]:
    """Return title, subtitle and sections by the kind of the answer."""
    match answer:
        case Estimate():
            called = answer.evidence.metric.title
            told = called if called != "error rate" else "error"
            return f"How large is the {told}?", answer.evidence.describe(), estimate_sections(answer, given)
        case Comparison() if isinstance(answer.evidence, ErrorCount):
            told = f"Is the error below {100 * float(answer.against):.6g} %?"
            return told, answer.evidence.describe(), comparison_sections(answer, given)
        case Comparison():
            a, b = answer.evidence.models
            event = getattr(answer.evidence, "event", "wrong")
            a, b = _short(a), _short(b)
            told = f"{a} or {b}?" if event == "wrong" else f"Are {a} and {b} {event} equally often?"
            counted = (
                len(answer.evidence.models) == 2
                and answer.evidence.subject != "learner"
                and answer.evidence.unit.name == "example"
            )
            about = seen(answer, ", ") if counted else answer.evidence.describe()
            return told, about, comparison_sections(answer, given)
        case Ranking():
            noun = "learners" if hasattr(answer.evidence, "learners") else "models"
            return f"Which of {len(answer.models)} {noun}?", _names(answer.models), ranking_sections(answer, given)
        case Calibration() | Calibrations() | Coverage() | list() | tuple() | Peeking() | Planned() | Watch():
            return _of_design(answer, given)
        case _:
            first = next(iter(answer.values()))
            what = first.evidence.metric.title
            noun = "learners" if hasattr(first.evidence, "learners") else "models"
            told = f"{len(answer)} error rates" if what == "error rate" else f"The {what} of {len(answer)} {noun}"
            return told, _names(tuple(map(str, answer))), estimates_sections(answer, given)


def _over_data_sets(answer: Comparison | RankingOverDataSets, given: Given) -> tuple[str, str, Iterable[Section]]:
    """Return title, subtitle and sections of what was said of learners over many data sets."""
    sections, seen_there = score_table_sections(answer, given), answer.evidence.describe()
    if isinstance(answer, Comparison):
        a, b = map(_short, answer.evidence.models)
        return f"{a} or {b}?", f"Over {seen_there}", sections
    beside = f"Better than {_short(answer.control)}?" if answer.control is not None else ""
    return beside or f"Which of {len(answer.models)} learners?", f"{_names(answer.models)}; {seen_there}", sections


def _of_design(
    found: Calibration | Calibrations | Coverage | list[Coverage] | tuple[Coverage, ...] | Peeking | Planned | Watch,
    given: Given,
) -> tuple[str, str, Iterable[Section]]:
    """Return title, subtitle and sections of what the lab found, or of what is planned or watched."""
    if isinstance(found, Coverage | list | tuple):
        return _of_coverage((found,) if isinstance(found, Coverage) else tuple(found), given)
    if isinstance(found, Watch):
        return watch_title(found), dict(found.rows()).get("seen", ""), watch_sections(found, given)
    if isinstance(found, Planned):
        return plan_title(found), found.about, plan_sections(found, given)
    if isinstance(found, Peeking):
        return "What looking early does", found.design.describe(), peeking_sections(found, given)
    each = each_of(found)
    called = f"How {each[0].method} behaves" if len(each) == 1 else f"How {len(each)} methods behave"
    return called, each[0].design.describe(), calibration_answer_sections(found, given)


def _of_coverage(found: tuple[Coverage, ...], given: Given) -> tuple[str, str, Iterable[Section]]:
    """Return title, subtitle and sections of the exact coverage of intervals."""
    methods = tuple(dict.fromkeys(each.method for each in found))
    sizes = sorted({each.trials for each in found})
    called = f"the {methods[0]} interval holds" if len(methods) == 1 else f"{len(methods)} intervals hold"
    about = f"One error rate, {' or '.join(f'{size:,}' for size in sizes)} examples: {_names(methods)}"
    return f"How often {called} the truth", about, coverage_sections(found, given)


def _names(names: tuple[str, ...], room: int = 120) -> str:
    """Return names between commas, as many as a subtitle has room for."""
    ends = accumulate(len(_short(name)) + 2 for name in names)
    shown = max(1, sum(end <= room for end in ends))
    return ", ".join(map(_short, names[:shown])) + (f" and {len(names) - shown} more" if len(names) > shown else "")


def _short(name: str, most: int = 60) -> str:
    """Return a name that has room in a title; the page tells it in full."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


# --- Bad input ------------------------------------------------------------------------------------

_ANSWERS = (
    "an Estimate, a Comparison, a Ranking, a Breakdown, a Calibration, a Peeking, a Planned, a Watch, a Race, a"
    " Coverage, a list of Coverages, or a mapping from names to Estimates"
)


def _check_kind(answer: Any) -> None:
    """Refuse an answer that no report can be made of."""
    if isinstance(answer, Mapping):
        if not answer or not all(isinstance(each, Estimate) and not each.shape for each in answer.values()):
            raise InvalidOption(f"answer must be {_ANSWERS}, but is a mapping that holds something else, or nothing.")
    elif isinstance(answer, list | tuple):
        if not answer or not all(isinstance(each, Coverage) for each in answer):
            raise InvalidOption(f"answer must be {_ANSWERS}, but is a list that holds something else, or nothing.")
    elif not isinstance(
        answer, Estimate | Comparison | Ranking | Calibration | Calibrations | Coverage | Peeking | Planned | Watch
    ):
        raise InvalidOption(f"answer must be {_ANSWERS}, but is {type(answer).__name__}.")


def _check_parts(answer: Any, groups: Any, calibration: Any, provenance: Any, scores: Any) -> None:
    """Refuse what no report can be made of, before any work."""
    _check_kind(answer)
    for each in each_of(answer) if isinstance(answer, Calibrations) else (answer,):
        if getattr(each, "shape", ()):
            raise InvalidOption(
                f"a report is about one answer, but this one has the shape {each.shape}. Take one entry, answer[0], or"
                " hand the others over by name: groups={'name': answer[0], …}."
            )
    parts = groups.answers if isinstance(groups, Breakdown) else groups or {}
    for name, each in parts.items():
        if not isinstance(each, Comparison | Estimate) or each.shape:
            raise InvalidOption(f"groups[{name!r}] must be one Comparison or Estimate, but is {type(each).__name__}.")
    if len({type(each) for each in parts.values()}) > 1:
        raise InvalidOption("groups must be all comparisons or all estimates, but some are one and some the other.")
    if not (calibration is None or isinstance(calibration, Calibration | Calibrations)):
        raise InvalidOption(f"calibration must be what calibrate gave, but is {type(calibration).__name__}.")
    if not (scores is None or (isinstance(scores, ClassScores) and not scores.shape)):
        raise InvalidOption(f"scores must be one ClassScores, but is {type(scores).__name__}.")
    if not (provenance is None or isinstance(provenance, Provenance)):
        raise InvalidOption(f"provenance must be a Provenance(command=…), but is {type(provenance).__name__}.")
