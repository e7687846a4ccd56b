"""`tellapart compare`: which model is better, by how much, how surely."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from ..errors import InvalidOption
from ..evidence import Evidence, IndependentCounts, PairedTable
from ..results import Comparison, Ranking
from ..verbs import Adjust, compare
from .answer_output import Output, output
from .evidence_files import has_evidence
from .file_reading import (
    ADD_A_MODEL,
    LEARNERS,
    columns,
    count_predictions,
    find_discordant_rows,
    has_race,
    progress,
    refuse_columns,
    refuse_learners,
)
from .help_pages import COUNTS, OUTPUT, STATISTICS, grouped_option
from .log_source import LOG_OPTIONS, LogSource, of_logs
from .metric_options import (
    PAIRED_CONFUSION,
    named_rate,
    of_class,
    of_metric,
    paired_confusion_from_counts,
    refuse_class,
    resolve_metric,
)
from .parameters import (
    ALPHA,
    ALTERNATIVE,
    HYPOTHESIS,
    LEVEL,
    FilesAndNumbers,
    as_count,
    build_counts,
    complete_methods,
    output_options,
)
from .score_tables import OF_DATA_SETS, of_data_sets, over_data_sets, refuse_one_race
from .score_tables import show_comparison as show_scores

if TYPE_CHECKING:
    from ..predictions import Disagreements, Tally
    from .metric_options import MetricRequest

ADJUSTMENTS = get_args(Adjust)


@click.command(
    "compare", cls=FilesAndNumbers, short_help="Compare two or more models: which is better, and by how much."
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@columns
@grouped_option(
    "--table",
    type=as_count,
    nargs=4,
    metavar="N N N N",
    section=COUNTS,
    help="Both wrong, only A wrong, only B wrong, both right.",
)
@grouped_option(
    "--independent",
    type=as_count,
    nargs=4,
    metavar="E N E N",
    section=COUNTS,
    help="Errors and examples of A, then B; two test sets.",
)
@PAIRED_CONFUSION
@of_logs
@of_metric
@grouped_option("--margin", type=float, section=STATISTICS, help="Non-inferiority margin: 0.01 is 1 pp.")
@HYPOTHESIS
@grouped_option(
    "--method",
    metavar="NAME",
    shell_complete=complete_methods(3, 9, every=True, without={"cochran-q"}),
    section=STATISTICS,
    help="Test or interval. [recommended for the data]",
)
@grouped_option(
    "--interval",
    metavar="NAME",
    shell_complete=complete_methods(3, 9, gives="interval"),
    section=STATISTICS,
    rare=True,
    help="Interval beside the test. [that of the test]",
)
@LEVEL
@ALPHA
@ALTERNATIVE
@grouped_option(
    "--adjust",
    type=click.Choice(ADJUSTMENTS),
    metavar="NAME",
    section=STATISTICS,
    help="Multiple-comparison adjustment. [by method]",
)
@grouped_option(
    "--looks",
    type=int,
    default=0,
    section=STATISTICS,
    rare=True,
    help="Earlier uses of this test set to choose models. [0]",
)
@grouped_option(
    "--rope",
    type=float,
    section=STATISTICS,
    rare=True,
    help="Region of practical equivalence of learners, such as 0.01; selects a Bayesian test.",
)
@of_data_sets
@LEARNERS
@output_options
@grouped_option(
    "--markdown", type=click.Path(), metavar="FILE", section=OUTPUT, rare=True, help="Also write Markdown (logs)."
)
@grouped_option(
    "--examples",
    type=click.IntRange(1, 10_000),
    metavar="N",
    section=OUTPUT,
    rare=True,
    help="Also list up to N discordant examples.",
)
def command(
    files: tuple[str, ...],
    table: tuple[float, ...] | None,
    independent: tuple[float, ...] | None,
    paired_confusion: tuple[float, ...] | None,
    method: str | None,
    adjust: str | None,
    looks: int,
    rope: float | None,
    examples: int | None,
    learners: tuple[str, ...],
    metric: str | None,
    positive: str | None,
    costs: str | None,
    markdown: str | None,
    html: str | None,
    as_json: bool,
    **parts: Any,
) -> None:
    """Compare two or more models: which is better, by how much, how surely.

    FILE is a table of predictions (CSV, TSV, Parquet, JSON lines, Arrow), an evaluation log (Inspect, lm-eval,
    promptfoo, ...), a race store, or a table of scores (--scores).

    \b
    Examples:
      tellapart compare old.csv new.csv --label species --id row
      tellapart compare predictions.csv --label species --models forest,stump
      tellapart compare old.eval new.eval --cluster passage_id
      tellapart compare benchmark.csv --scores
      tellapart compare --table 20 25 10 45
    """
    names = ("interval", "level", "alpha", "alternative", "margin", "hypothesis")
    request = {name: parts.pop(name) for name in names} | {"looks": looks}
    log_options = {name: parts.pop(name) for name in LOG_OPTIONS}
    table_options = {name: parts.pop(name) for name in OF_DATA_SETS}
    if sum(map(bool, (files, table, independent, paired_confusion))) != 1:
        raise click.UsageError("give exactly one of FILE, --table, --independent and --paired-confusion.")
    how = output(as_json=as_json, html=html, method=method, examples=examples, spare=files)
    if has_race(files):
        from .race_answers import open_race, show_comparison

        refuse_one_race(files[0], table_options, scores=log_options["scores"])
        request |= {"method": method} | ({"adjust": adjust} if adjust else {})
        request |= {} if rope is None else {"rope": rope}
        request |= of_class(positive, costs)
        race = open_race(files, parts)
        show_comparison(race, files[0], learners, metric=metric, missing=parts["missing"], how=how, **request)
        return
    if has_evidence(files):
        from .evidence_files import show_comparison as show_evidence

        ways = {name: table_options.pop(name) for name in ("control", "difference")}
        ways |= request | {"method": method, "adjust": adjust, "metric": metric} | of_class(positive, costs)
        show_evidence(
            files, learners, ways, {**parts, **log_options, **table_options, "rope": rope, "markdown": markdown}, how
        )
        return
    source = LogSource(files=files, log_options=log_options, parts=parts, metric=metric)
    if files and over_data_sets(source, table_options, learners):
        ways = request | {"method": method, "adjust": adjust, "rope": rope}
        show_scores(source, table_options | of_class(positive, costs), ways, how, learners=learners, markdown=markdown)
        return
    if files and source.by_example:
        from .log_answers import show_comparison as show_logs

        _refuse_of_counts(learners, rope, examples, method)
        refuse_class(positive, costs)
        show_logs(source, request | {"method": method, "adjust": adjust}, how, _markdown_file(markdown, (*files, html)))
        return
    if markdown is not None:
        raise InvalidOption("`--markdown` needs logs or a table of examples. Use --html.")
    refuse_learners(learners)
    if rope is not None:
        raise InvalidOption(
            "`--rope` needs learners: a race or --scores. For trained models use --margin 0.01 --hypothesis equivalent."
        )
    counts = {"--table": table, "--independent": independent, "--paired-confusion": paired_confusion}
    rate = {} if positive or costs else named_rate(metric, counts=bool(table or independent))
    want = None if rate else resolve_metric(metric, positive, costs)
    request |= rate
    if files:
        _from_files(files, want, method, adjust, request, parts, how)
        return
    kind = next(name for name, value in counts.items() if value)
    refuse_columns(parts | log_options | {name: value is not None for name, value in table_options.items()}, kind)
    if examples is not None:
        raise InvalidOption("`--examples` needs a FILE of predictions. Leave it out for counts.")
    if adjust:
        raise InvalidOption("`--adjust` needs several models or groups. Leave it out for one comparison.")
    _from_counts(kind, counts[kind] or (), want, method, request, how)


def _from_counts(
    kind: str,
    counts: tuple[float, ...],
    want: MetricRequest | None,
    method: str | None,
    request: dict[str, Any],
    how: Output,
) -> None:
    if kind == "--paired-confusion":
        from .metric_answers import show_counts

        show_counts(*paired_confusion_from_counts(counts), want, method, request, how)
        return
    if want is not None:
        raise InvalidOption(f"`--metric` {want.metric} needs --paired-confusion or a FILE of predictions.")
    make: Any = PairedTable if kind == "--table" else IndependentCounts.from_counts
    evidence = build_counts(make, counts, kind)
    answer = _show_one(evidence, method, request, {}, how)
    if how.html:
        from .python_code import write_call, write_program

        made = "ta.PairedTable" if kind == "--table" else "ta.IndependentCounts.from_counts"
        line = write_call("ta.compare", write_call(made, *counts), method=method, **request)
        how.write(answer, code=write_program([f"print({line})"]))


def _refuse_of_counts(learners: tuple[str, ...], rope: float | None, examples: int | None, method: str | None) -> None:
    """Raise InvalidOption for options of counts or learners with values of examples."""
    stray = {"--learner": learners, "--rope": rope is not None, "--examples": examples is not None}
    for name, is_given in stray.items():
        if is_given:
            raise InvalidOption(f"`{name}` must be left out with logs, scores, repeats, clusters and weights.")
    if method == "all":
        raise InvalidOption("`--method` must be one method for logs and scores, got all.")


def _markdown_file(target: str | None, spare: tuple[str | None, ...]) -> Path | None:
    """Return the file of --markdown; raise InvalidOption if it cannot be written."""
    if target is None:
        return None
    from ..gate.outputs import output_file

    path = output_file(target, "--markdown")
    if path.resolve() in {Path(name).resolve() for name in spare if name}:
        raise InvalidOption(f"`--markdown` must not replace a file of this command, got {target}. Choose another name.")
    return path


def _from_files(
    files: tuple[str, ...],
    want: MetricRequest | None,
    method: str | None,
    adjust: str | None,
    request: dict[str, Any],
    parts: dict[str, Any],
    how: Output,
) -> None:
    if want is not None:
        from .metric_answers import show_comparison

        show_comparison(files, parts, want, method, adjust, request, how)
        return
    tally = count_predictions(files, **parts)
    if len(tally.models) < 2:
        raise InvalidOption(f"two models are required for a comparison, got {', '.join(tally.models)}. {ADD_A_MODEL}")
    rows = None
    if how.examples is not None:
        if len(tally.models) > 2:
            raise InvalidOption(f"`--examples` needs two models, got {len(tally.models)}. Use --models A,B.")
        rows = find_discordant_rows(files, tally.models, how.examples, tally, **parts)
    answer: Any
    groups = None
    if tally.groups is not None:
        from .groups import merge_groups, show_groups

        # A report begins with all examples together; the terminal shows the groups.
        adjustment = adjust if len(tally.models) > 2 else None
        answer = _compare_or_rank(merge_groups(tally), method, adjustment, request) if how.html else None
        patterns = tally.error_patterns()
        groups = show_groups(patterns, tally.groups, tally.reasons, method, adjust, request, rows, how=how)
    elif len(tally.models) == 2:
        if adjust:
            raise InvalidOption("`--adjust` needs several models or groups. Leave it out for one comparison.")
        answer = _show_one(tally.paired_table(), method, request, tally.reasons, how, rows)
    else:
        answer = _compare_or_rank(tally, method, adjust, request)
        how.show(answer)
    if how.html:
        from .python_code import write_comparison

        settings = {"method": method, "adjust": adjust, **request}
        code = write_comparison(files, parts, settings, models=tally.models, examples=how.examples)
        how.write(answer, code=code, files=files, groups=groups, examples=rows)


def _compare_or_rank(
    tally: Tally, method: str | None, adjust: str | None, request: dict[str, Any]
) -> Comparison | Ranking:
    """Return the comparison of two models, or the ranking of several."""
    if len(tally.models) == 2:
        return replace(compare(tally.paired_table(), method=method, **request), excluded=tally.reasons)
    if method == "all":
        raise InvalidOption(f"`--method` all needs two models, got {len(tally.models)}. Use --models A,B.")
    if request["hypothesis"] or request["margin"] is not None:
        raise InvalidOption(f"`--margin` needs two models, got {len(tally.models)}. Use --models A,B.")
    with progress("comparing every two models"):
        ranking = compare(tally.error_patterns(), method=method, adjust=adjust, **request)
    return replace(ranking, excluded=tally.reasons)


def _show_one(
    evidence: Evidence,
    method: str | None,
    request: dict[str, Any],
    left_out: dict[str, int],
    how: Output,
    rows: Disagreements | None = None,
) -> Comparison | None:
    if method == "all":
        from .all_methods import show_every_pair

        show_every_pair(evidence, request, left_out, as_json=how.as_json)
        return None
    answer = replace(compare(evidence, method=method, **request), excluded=left_out)
    how.show(answer, rows, alternatives=method is None and request["margin"] is None)
    how.show_rows(rows)
    return answer
