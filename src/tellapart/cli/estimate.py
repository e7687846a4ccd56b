"""`tellapart estimate`: the error rate or another metric, with an interval."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..evidence import ErrorCount
from ..rendering import plain
from ..results import Estimate
from ..verbs import estimate
from .answer_output import Output, output
from .answer_tables import EstimateTable
from .evidence_files import has_evidence
from .file_reading import (
    LEARNERS,
    column_options,
    count_predictions,
    has_race,
    refuse_columns,
    refuse_learners,
    refuse_races,
)
from .help_pages import STATISTICS, grouped_option
from .log_source import LOG_OPTIONS, LogSource, of_logs
from .metric_options import (
    CONFUSION,
    confusion_from_counts,
    named_rate,
    of_class,
    of_metric,
    refuse_class,
    resolve_metric,
)
from .parameters import (
    PRIOR,
    FilesAndNumbers,
    as_count,
    build_counts,
    complete_methods,
    confidence_options,
    output_options,
)
from .printing import show_result

if TYPE_CHECKING:
    from ..predictions import Tally
    from .metric_options import MetricRequest


@click.command("estimate", cls=FilesAndNumbers, short_help="Estimate the error rate or another metric of each model.")
@click.argument("source", nargs=-1, metavar="[ERRORS TRIALS | FILE...]")
@column_options("Models to evaluate. [all other columns]")
@CONFUSION
@of_logs
@of_metric
@grouped_option(
    "--method",
    metavar="NAME",
    shell_complete=complete_methods(every=True, question=1, gives="interval"),
    section=STATISTICS,
    help="Interval, or all. [recommended for the data]",
)
@confidence_options
@PRIOR
@grouped_option(
    "--pool",
    type=as_count,
    metavar="N",
    section=STATISTICS,
    rare=True,
    help="Size of the pool that the examples were drawn from without replacement.",
)
@LEARNERS
@output_options
def command(
    source: tuple[str, ...],
    confusion: tuple[float, ...] | None,
    method: str | None,
    level: float | None,
    alpha: float | None,
    side: Any,
    prior: Any,
    pool: float | None,
    learners: tuple[str, ...],
    metric: str | None,
    positive: str | None,
    costs: str | None,
    html: str | None,
    as_json: bool,
    **parts: Any,
) -> None:
    """Estimate the error rate or another metric of each model, with a confidence interval.

    Give the numbers ERRORS and TRIALS, or a FILE: predictions (CSV, TSV, Parquet, JSON lines, Arrow), an evaluation
    log (Inspect, lm-eval, promptfoo, ...) or a race store.

    \b
    Examples:
      tellapart estimate 3 120
      tellapart estimate 0 500 --side upper --method clopper-pearson
      tellapart estimate predictions.csv --label species --group site
      tellapart estimate scores.csv --metric auc --positive ill
      tellapart estimate my.race --learner nb
    """
    how = output(as_json=as_json, html=html, method=method, spare=source)
    request: dict[str, Any] = {"level": level, "alpha": alpha, "side": side}
    request |= {name: value for name, value in (("prior", prior), ("pool", pool)) if value is not None}
    log_options = {name: parts.pop(name) for name in LOG_OPTIONS}
    if bool(source) == bool(confusion):
        raise click.UsageError("give exactly one of ERRORS TRIALS, FILE and --confusion.")
    count = as_counts(source) if source else None
    if source and count is None and has_race(source):
        from .race_answers import open_race, show_estimates

        race = open_race(source, parts)
        request |= {"metric": metric, "missing": parts["missing"], "method": method} | of_class(positive, costs)
        show_estimates(race, source[0], learners, how=how, **request)
        return
    if count is None and has_evidence(source):
        from .evidence_files import show_estimates as show_evidence

        show_evidence(
            source,
            learners,
            request | {"method": method, "metric": metric} | of_class(positive, costs),
            {**parts, **log_options},
            how,
        )
        return
    if count is None:
        refuse_races(source)
    logs = LogSource(files=source, log_options=log_options, parts=parts, metric=metric)
    if source and count is None and logs.by_example:
        from .log_answers import show_estimates as show_logs

        if learners or method == "all":
            raise InvalidOption(f"`{'--learner' if learners else '--method all'}` must be left out for logs.")
        refuse_class(positive, costs)
        show_logs(logs, request | {"method": method}, how)
        return
    refuse_learners(learners)
    rate = {} if positive or costs else named_rate(metric, counts=count is not None)
    want = None if rate else resolve_metric(metric, positive, costs)
    request |= rate
    if confusion:
        from .metric_answers import show_counts

        refuse_columns(parts | log_options, "--confusion")
        show_counts(*confusion_from_counts(confusion), want, method, request, how)
        return
    if count is None:
        _from_files(source, parts, want, method, request, how)
        return
    refuse_columns(parts | log_options, " ".join(source))
    if want is not None:
        raise InvalidOption(f"`--metric` {want.metric} needs --confusion TP FN FP TN or a FILE of predictions.")
    _from_count(count, source, method, request, how)


def as_counts(source: tuple[str, ...]) -> ErrorCount | None:
    """Return two numbers as errors and trials; None for files."""
    numbers = [word for word in source if _is_number(word)]
    if len(numbers) < len(source) and not (len(source) == 2 and len(numbers) == 1):
        return None
    if len(source) != 2:
        raise click.UsageError(f"give two numbers, ERRORS and TRIALS, or a FILE, got {' '.join(source)}.")
    for word in source:
        if not _is_number(word):
            raise click.UsageError(f"ERRORS and TRIALS must be numbers, got {word!r}.")
    return build_counts(ErrorCount, map(as_count, source), "")


def _from_count(
    count: ErrorCount, source: tuple[str, ...], method: str | None, request: dict[str, Any], how: Output
) -> None:
    if method == "all":
        _show_all(count, request, as_json=how.as_json)
        return
    answer = estimate(count, method=method, **request)
    default = method is None and request["side"] == "two" and not {"prior", "pool"} & set(request)
    how.show(answer, alternatives=default)
    if how.html:
        from .python_code import write_call, write_program

        line = write_call("ta.estimate", write_call("ta.ErrorCount", *source), method=method, **request)
        how.write(answer, code=write_program([f"print({line})"]))


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _from_files(
    files: tuple[str, ...],
    parts: dict[str, Any],
    want: MetricRequest | None,
    method: str | None,
    request: dict[str, Any],
    how: Output,
) -> None:
    if want is not None:
        from .metric_answers import show_estimates

        show_estimates(files, parts, want, method, request, how)
        return
    if method == "all":
        raise InvalidOption("`--method` all needs one count: ERRORS TRIALS.")
    tally = count_predictions(files, patterns=False, **parts)
    left_out = tally.reasons
    answers = estimate(tally.error_counts(), method=method, **request)
    if tally.groups is None:
        cells: list[tuple[Any, str, Estimate]] = [
            (None, model, answers[index]) for index, model in enumerate(tally.models)
        ]
    else:
        cells = [
            (group, model, answers[row, index])
            for row, group in enumerate(tally.groups)
            for index, model in enumerate(tally.models)
        ]
    if how.as_json:
        entries = [_cell_as_dict(tally.groups is not None, *cell) for cell in cells]
        whole = {"models": entries} | ({"excluded": left_out} if left_out else {})
        click.echo(json.dumps(plain(whole), indent=2, ensure_ascii=False))
    else:
        show_result(EstimateTable(cells, excluded=left_out))
    if how.html:
        _write_report(files, parts, tally, {"method": method, **request}, cells, how)


def _write_report(
    files: tuple[str, ...],
    parts: dict[str, Any],
    tally: Tally,
    request: dict[str, Any],
    cells: list[tuple[Any, str, Estimate]],
    how: Output,
) -> None:
    """Write a report: every model on all examples, and by group if there are groups."""
    from .groups import merge_groups
    from .python_code import write_estimates

    shown: dict[str, Any] = {}
    alone = len(tally.models) == 1
    if tally.groups is not None:
        shown["groups"] = {str(group) if alone else f"{group}: {model}": answer for group, model, answer in cells}
    answers = estimate(merge_groups(tally).error_counts(), **request)
    named = {model: answers[index] for index, model in enumerate(tally.models)}
    if alone:
        shown["title"] = f"How large is the error of {tally.models[0]}?"
    page = named[tally.models[0]] if alone else named
    how.write(page, code=write_estimates(files, parts, request, tally.models), files=files, **shown)


def _cell_as_dict(grouped: bool, group: Any, model: str, answer: Estimate) -> dict[str, Any]:
    return {"model": model} | ({"group": group} if grouped else {}) | answer.as_dict()


def _show_all(count: ErrorCount, request: dict[str, Any], *, as_json: bool) -> None:
    from .all_methods import compute_intervals, show_intervals

    extras: dict[str, Any] = {name: request.pop(name) for name in ("prior", "pool") if name in request}
    answers, left_out = compute_intervals(
        lambda method, **options: estimate(count, method=method.name, **request, **options), extras
    )
    show_intervals(answers, left_out, as_json=as_json)
