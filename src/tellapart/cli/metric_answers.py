"""Answers by other metrics than the error rate, from files of predictions or scores, or from counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..rendering import plain
from ..verbs import compare, estimate
from .answer_tables import EstimateCell, EstimateTable
from .file_reading import ADD_A_MODEL, collect_class_scores, count_labels, find_discordant_rows, progress
from .printing import show_result

if TYPE_CHECKING:
    from ..evidence import ClassScores
    from ..results import Comparison, Ranking
    from .answer_output import Output
    from .metric_options import MetricRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class _MetricEvidence:
    """The evidence of a metric in files: of each model, and of all models together."""

    models: tuple[str, ...]
    by_model: Mapping[str, Any]  # evidence of each model; with an entry for each group
    whole: Any  # evidence of all models; None for one
    groups: tuple[Any, ...] | None
    reasons: dict[str, int]
    scores: ClassScores | None = None  # for the curves of a report

    @property
    def together(self) -> _MetricEvidence:
        """The same with all groups merged."""
        if self.groups is None:
            return self
        return replace(
            self,
            groups=None,
            by_model={
                model: replace(evidence, counts=evidence.counts.sum(axis=0))
                for model, evidence in self.by_model.items()
            },
            whole=self.whole and replace(self.whole, counts=self.whole.counts.sum(axis=0)),
        )


def _read_evidence(files: tuple[str, ...], parts: dict[str, Any], want: MetricRequest) -> _MetricEvidence:
    """Return the evidence that the metric needs, in one pass over the files."""
    if want.of_scores:
        if want.costs is not None:
            raise InvalidOption("`--costs` must be left out with this metric. Use --metric cost.")
        tally_of_scores = collect_class_scores(files, want.positive, **parts)
        evidence: Any = tally_of_scores.scores.by(want.metric)
        by_model = {model: evidence.select(model) for model in evidence.models}
        return _MetricEvidence(
            models=evidence.models,
            by_model=by_model,
            whole=evidence,
            groups=None,
            reasons=tally_of_scores.reasons,
            scores=tally_of_scores.scores,
        )
    tally = count_labels(files, **parts)
    options = {name: value for name, value in want.options.items() if value is not None}
    whole = tally.label_patterns().by(**options) if len(tally.models) > 1 else None
    by_model = {model: tally.confusion_matrix(model).by(**options) for model in tally.models}
    return _MetricEvidence(
        models=tally.models, by_model=by_model, whole=whole, groups=tally.groups, reasons=tally.reasons
    )


# --- Each model by itself -----------------------------------------------------------------------------


def show_estimates(
    files: tuple[str, ...],
    parts: dict[str, Any],
    want: MetricRequest,
    method: str | None,
    request: dict[str, Any],
    how: Output,
) -> None:
    """Print the metric of every model, and of every group if there are groups."""
    data = _read_evidence(files, parts, want)
    if method == "all":
        if len(data.models) > 1 or data.groups is not None:
            raise InvalidOption("`--method` all needs one model and no groups. Use --models A.")
        show_all_intervals(data.by_model[data.models[0]], request, as_json=how.as_json)
        return
    cells = _estimate_cells(data, {"method": method, **request})
    grouped = data.groups is not None
    if how.as_json:
        entries = [
            {"model": model} | ({"group": group} if grouped else {}) | answer.as_dict()
            for group, model, answer in cells
        ]
        whole = {"models": entries} | ({"excluded": data.reasons} if data.reasons else {})
        click.echo(json.dumps(plain(whole), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        show_result(EstimateTable(cells, excluded=data.reasons))
    if how.html:
        _write_estimates(files, parts, want, {"method": method, **request}, data, cells, how)


def _estimate_cells(data: _MetricEvidence, request: dict[str, Any]) -> list[EstimateCell]:
    answers = {model: estimate(evidence, **request) for model, evidence in data.by_model.items()}
    if data.groups is None:
        return [(None, model, answer) for model, answer in answers.items()]
    return [(group, model, answers[model][index]) for index, group in enumerate(data.groups) for model in data.models]


def _write_estimates(
    files: tuple[str, ...],
    parts: dict[str, Any],
    want: MetricRequest,
    request: dict[str, Any],
    data: _MetricEvidence,
    cells: list[EstimateCell],
    how: Output,
) -> None:
    """Write a report: every model on all examples, and by group if there are groups."""
    from .python_code import write_metric_estimates

    alone = len(data.models) == 1
    shown: dict[str, Any] = {}
    if data.groups is not None:
        shown["groups"] = {str(group) if alone else f"{group}: {model}": answer for group, model, answer in cells}
    if data.scores is not None:
        shown["scores"] = data.scores
    named = {model: answer for _, model, answer in _estimate_cells(data.together, request)}
    page = named[data.models[0]] if alone else named
    if alone:
        shown["title"] = f"How large is the {named[data.models[0]].evidence.metric.report_title} of {data.models[0]}?"
    code = write_metric_estimates(files, parts, {**want.options, **request}, data.models, of_scores=want.of_scores)
    how.write(page, code=code, files=files, **shown)


def show_all_intervals(evidence: Any, request: dict[str, Any], *, as_json: bool) -> None:
    """Print the interval of one model's metric by every method."""
    from .all_methods import compute_intervals, show_intervals

    extras: dict[str, Any] = {name: request.pop(name) for name in ("prior", "pool") if name in request}
    answers, left_out = compute_intervals(
        lambda method, **options: estimate(evidence, method=method.name, **request, **options), extras, evidence
    )
    show_intervals(answers, left_out, as_json=as_json)


# --- Two models, or several -----------------------------------------------------------------------------


def show_comparison(
    files: tuple[str, ...],
    parts: dict[str, Any],
    want: MetricRequest,
    method: str | None,
    adjust: str | None,
    request: dict[str, Any],
    how: Output,
) -> None:
    """Print a comparison by the metric, a ranking of several models, or a line for each group."""
    data = _read_evidence(files, parts, want)
    several = len(data.models) > 2
    if len(data.models) < 2:
        raise InvalidOption(f"two models are required for a comparison, got {', '.join(data.models)}. {ADD_A_MODEL}")
    if adjust and not several and data.groups is None:
        raise InvalidOption("`--adjust` needs several models or groups. Leave it out for one comparison.")
    if several and (request["hypothesis"] or request["margin"] is not None):
        raise InvalidOption(f"`--margin` needs two models, got {len(data.models)}. Use --models A,B.")
    if method == "all" and (several or data.groups is not None):
        raise InvalidOption("`--method` all needs two models and no groups. Use --models A,B.")
    rows = _find_discordant_rows(files, parts, want, data, how)
    shown: dict[str, Any] = {} if data.scores is None else {"scores": data.scores}
    if method == "all":
        from .all_methods import show_every_pair

        show_every_pair(_pair_or_all(data), request, data.reasons, as_json=how.as_json)
        return
    settings = {"method": method, **request}
    answer: Any = None
    if data.groups is None:
        answer = _compare_models(data, settings | ({"adjust": adjust} if several else {}))
        how.show(answer, rows)
        how.show_rows(rows)
    else:
        from .groups import show_groups

        shown["groups"] = show_groups(data.whole, data.groups, data.reasons, method, adjust, request, rows, how=how)
        if how.html:
            answer = _compare_models(data.together, settings | ({"adjust": adjust} if several else {}))
    if how.html:
        from .python_code import write_metric_comparison

        settings = {**want.options, "method": method, "adjust": adjust, **request}
        code = write_metric_comparison(
            files, parts, settings, models=data.models, of_scores=want.of_scores, examples=how.examples
        )
        how.write(answer, code=code, files=files, examples=rows, **shown)


def _compare_models(data: _MetricEvidence, request: dict[str, Any]) -> Comparison | Ranking:
    with progress("comparing"):
        answer: Comparison | Ranking = replace(compare(_pair_or_all(data), **request), excluded=data.reasons)
    return answer


def _pair_or_all(data: _MetricEvidence) -> Any:
    """Return the evidence of two models, or of all models."""
    return data.whole if data.scores is not None or len(data.models) > 2 else data.whole.pair(*data.models)


def _find_discordant_rows(
    files: tuple[str, ...], parts: dict[str, Any], want: MetricRequest, data: _MetricEvidence, how: Output
) -> Any:
    """Return the examples that only one of two models gets right, for --examples."""
    if how.examples is None:
        return None
    if want.of_scores:
        raise InvalidOption("`--examples` needs labels. Leave it out for metrics of scores.")
    if len(data.models) > 2:
        raise InvalidOption(f"`--examples` needs two models, got {len(data.models)}. Use --models A,B.")
    return find_discordant_rows(files, data.models, how.examples, **parts)


# --- Counts alone ---------------------------------------------------------------------------------------


def show_counts(
    evidence: Any, code: str, want: MetricRequest | None, method: str | None, request: dict[str, Any], how: Output
) -> None:
    """Print the answer from counts of one or two models; `code` is their Python expression."""
    if want is not None and want.of_scores:
        raise InvalidOption(
            f"`--metric` must be for labels with counts, got {want.metric}, which needs scores. Use a FILE with scores."
        )
    measured = {} if want is None else {name: value for name, value in want.options.items() if value is not None}
    pair = len(evidence.models) == 2
    if method == "all":
        metric_evidence = evidence.by(**measured) if measured else evidence
        if pair:
            from .all_methods import show_every_pair

            show_every_pair(metric_evidence, request, {}, as_json=how.as_json)
        else:
            show_all_intervals(metric_evidence, request, as_json=how.as_json)
        return
    verb, name = (compare, "ta.compare") if pair else (estimate, "ta.estimate")
    answer = verb(evidence, method=method, **measured, **request)
    how.show(answer)
    if how.html:
        from .python_code import write_call, write_program

        how.write(
            answer, code=write_program([f"print({write_call(name, code, method=method, **measured, **request)})"])
        )
