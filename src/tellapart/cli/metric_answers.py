"""Answers by other metrics than the error rate: from files of predictions or scores, or from counts alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..rendering import plain
from ..verbs import compare, estimate
from .answer_tables import EstimateTable
from .printing import show_result
from .reading import class_scored, cross_counted, disagreeing, progress

if TYPE_CHECKING:
    from ..evidence import ClassScores
    from ..results import Comparison, Estimate, Ranking
    from .metrics import Wanted
    from .reports import Output

Cell = tuple[Any, str, "Estimate"]  # group, model, answer


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What files hold for a metric: by model, and of all models together."""

    models: tuple[str, ...]
    each: Mapping[str, Any]  # evidence of one model; with groups, an entry for each
    whole: Any  # evidence of all of them; None where there is one
    groups: tuple[Any, ...] | None
    reasons: dict[str, int]
    scores: ClassScores | None = None  # of which a page draws curves

    @property
    def together(self) -> _Read:
        """The same with all groups as one."""
        if self.groups is None:
            return self
        return replace(
            self,
            groups=None,
            each={model: replace(held, counts=held.counts.sum(axis=0)) for model, held in self.each.items()},
            whole=self.whole and replace(self.whole, counts=self.whole.counts.sum(axis=0)),
        )


def _read(files: tuple[str, ...], parts: dict[str, Any], want: Wanted) -> _Read:
    """Count, or collect, what the metric needs, in one pass over the files."""
    if want.of_scores:
        if want.costs is not None:
            raise InvalidOption("`--costs` must be left out with this metric. Use --metric cost.")
        found = class_scored(files, want.positive, **parts)
        held: Any = found.scores.by(want.metric)
        each = {model: held.select(model) for model in held.models}
        return _Read(models=held.models, each=each, whole=held, groups=None, reasons=found.reasons, scores=found.scores)
    tally = cross_counted(files, **parts)
    told = {name: value for name, value in want.asked.items() if value is not None}
    whole = tally.label_patterns().by(**told) if len(tally.models) > 1 else None
    each = {model: tally.confusion_matrix(model).by(**told) for model in tally.models}
    return _Read(models=tally.models, each=each, whole=whole, groups=tally.groups, reasons=tally.reasons)


# --- Each model by itself -----------------------------------------------------------------------------


def show_estimates(
    files: tuple[str, ...], parts: dict[str, Any], want: Wanted, method: str | None, asked: dict[str, Any], how: Output
) -> None:
    """Tell how large the metric of every model is, and in every group where there are groups."""
    held = _read(files, parts, want)
    if method == "all":
        if len(held.models) > 1 or held.groups is not None:
            raise InvalidOption("`--method` all needs one model and no groups. Use --models A.")
        show_all_intervals(held.each[held.models[0]], asked, as_json=how.as_json)
        return
    cells = _estimated(held, {"method": method, **asked})
    grouped = held.groups is not None
    if how.as_json:
        told = [
            {"model": model} | ({"group": group} if grouped else {}) | each.as_dict() for group, model, each in cells
        ]
        whole = {"models": told} | ({"excluded": held.reasons} if held.reasons else {})
        click.echo(json.dumps(plain(whole), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        show_result(EstimateTable(cells, excluded=held.reasons))
    if how.html:
        _write_estimates(files, parts, want, {"method": method, **asked}, held, cells, how)


def _estimated(held: _Read, asked: dict[str, Any]) -> list[Cell]:
    answers = {model: estimate(each, **asked) for model, each in held.each.items()}
    if held.groups is None:
        return [(None, model, answer) for model, answer in answers.items()]
    return [(group, model, answers[model][place]) for place, group in enumerate(held.groups) for model in held.models]


def _write_estimates(
    files: tuple[str, ...],
    parts: dict[str, Any],
    want: Wanted,
    asked: dict[str, Any],
    held: _Read,
    cells: list[Cell],
    how: Output,
) -> None:
    """Write a page: every model on all examples, and by group where that was asked."""
    from .python_code import write_metric_estimates

    alone = len(held.models) == 1
    shown: dict[str, Any] = {}
    if held.groups is not None:
        shown["groups"] = {str(group) if alone else f"{group}: {model}": each for group, model, each in cells}
    if held.scores is not None:
        shown["scores"] = held.scores
    named = {model: each for _, model, each in _estimated(held.together, asked)}
    answer = named[held.models[0]] if alone else named
    if alone:
        shown["title"] = f"How large is the {named[held.models[0]].evidence.metric.report_title} of {held.models[0]}?"
    code = write_metric_estimates(files, parts, {**want.asked, **asked}, held.models, of_scores=want.of_scores)
    how.write(answer, code=code, files=files, **shown)


def show_all_intervals(evidence: Any, asked: dict[str, Any], *, as_json: bool) -> None:
    """Print every interval there is for one model's metric."""
    from .all_methods import compute_intervals, show_intervals

    extras: dict[str, Any] = {name: asked.pop(name) for name in ("prior", "pool") if name in asked}
    answers, left_out = compute_intervals(
        lambda method, **options: estimate(evidence, method=method.name, **asked, **options), extras, evidence
    )
    show_intervals(answers, left_out, as_json=as_json)


# --- Two models, or several -----------------------------------------------------------------------------


def show_comparison(
    files: tuple[str, ...],
    parts: dict[str, Any],
    want: Wanted,
    method: str | None,
    adjust: str | None,
    asked: dict[str, Any],
    how: Output,
) -> None:
    """Compare the models by the metric and print who is better; several as a ranking, groups one by one."""
    held = _read(files, parts, want)
    several = len(held.models) > 2
    if len(held.models) < 2:
        raise InvalidOption(f"two models are required for a comparison, got {', '.join(held.models)}.")
    if adjust and not several and held.groups is None:
        raise InvalidOption("`--adjust` needs several models or groups. Leave it out for one comparison.")
    if several and (asked["hypothesis"] or asked["margin"] is not None):
        raise InvalidOption(f"`--margin` needs two models, got {len(held.models)}. Use --models A,B.")
    if method == "all" and (several or held.groups is not None):
        raise InvalidOption("`--method` all needs two models and no groups. Use --models A,B.")
    rows = _rows(files, parts, want, held, how)
    shown: dict[str, Any] = {} if held.scores is None else {"scores": held.scores}
    if method == "all":
        from .all_methods import show_every_pair

        show_every_pair(_pair_or_all(held), asked, held.reasons, as_json=how.as_json)
        return
    told = {"method": method, **asked}
    answer: Any = None
    if held.groups is None:
        answer = _compared(held, told | ({"adjust": adjust} if several else {}))
        how.show(answer, rows)
        how.show_rows(rows)
    else:
        from .groups import show_groups

        shown["groups"] = show_groups(held.whole, held.groups, held.reasons, method, adjust, asked, rows, how=how)
        if how.html:
            answer = _compared(held.together, told | ({"adjust": adjust} if several else {}))
    if how.html:
        from .python_code import write_metric_comparison

        told = {**want.asked, "method": method, "adjust": adjust, **asked}
        code = write_metric_comparison(
            files, parts, told, models=held.models, of_scores=want.of_scores, examples=how.examples
        )
        how.write(answer, code=code, files=files, examples=rows, **shown)


def _compared(held: _Read, asked: dict[str, Any]) -> Comparison | Ranking:
    with progress("comparing"):
        answer: Comparison | Ranking = replace(compare(_pair_or_all(held), **asked), excluded=held.reasons)
    return answer


def _pair_or_all(held: _Read) -> Any:
    """Return the evidence of two models, or of all."""
    return held.whole if held.scores is not None or len(held.models) > 2 else held.whole.pair(*held.models)


def _rows(files: tuple[str, ...], parts: dict[str, Any], want: Wanted, held: _Read, how: Output) -> Any:
    """Return examples that only one of the two models gets right, where they were asked for."""
    if how.examples is None:
        return None
    if want.of_scores:
        raise InvalidOption("`--examples` needs labels. Leave it out for metrics of scores.")
    if len(held.models) > 2:
        raise InvalidOption(f"`--examples` needs two models, got {len(held.models)}. Use --models A,B.")
    return disagreeing(files, held.models, how.examples, **parts)


# --- Counts alone ---------------------------------------------------------------------------------------


def show_counts(
    evidence: Any, told: str, want: Wanted | None, method: str | None, asked: dict[str, Any], how: Output
) -> None:
    """Answer from the counts of one model or of two; `told` is how they are written in Python."""
    measured = {} if want is None else {name: value for name, value in want.asked.items() if value is not None}
    pair = len(evidence.models) == 2
    if method == "all":
        held = evidence.by(**measured) if measured else evidence
        if pair:
            from .all_methods import show_every_pair

            show_every_pair(held, asked, {}, as_json=how.as_json)
        else:
            show_all_intervals(held, asked, as_json=how.as_json)
        return
    verb, name = (compare, "ta.compare") if pair else (estimate, "ta.estimate")
    answer = verb(evidence, method=method, **measured, **asked)
    how.show(answer)
    if how.html:
        from .python_code import write_call, write_program

        how.write(answer, code=write_program([f"print({write_call(name, told, method=method, **measured, **asked)})"]))
