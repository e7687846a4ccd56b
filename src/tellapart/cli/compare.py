"""`tellapart compare`: which classifier is better, by how much, and how sure are we?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from ..errors import InvalidInput, InvalidOption
from ..evidence import Evidence, IndependentCounts, PairedTable
from ..rendering import folded, plain, pvalue_text
from ..results import Comparison, Ranking
from ..results.comparison import excluded_text
from ..verbs import Adjust, compare
from .log_source import OWN, LogSource, of_logs
from .parameters import ALTERNATIVE, AS_HTML, AS_JSON, HYPOTHESIS, FilesAndNumbers, as_count, completing
from .reading import columns, counted, disagreeing, has_race, of_race, progress, refuse_columns, refuse_learners
from .reports import Output, output

if TYPE_CHECKING:
    from ..predictions import Disagreements, Tally

__all__ = ["command"]

ADJUSTMENTS = get_args(Adjust)


@click.command("compare", cls=FilesAndNumbers)
@click.argument("files", nargs=-1, metavar="[FILE]…")
@columns
@click.option(
    "--table",
    type=as_count,
    nargs=4,
    metavar="BOTH_WRONG ONLY_A_WRONG ONLY_B_WRONG BOTH_RIGHT",
    help="Four counts instead of a file: two classifiers on one test set.",
)
@click.option(
    "--independent",
    type=as_count,
    nargs=4,
    metavar="E1 N1 E2 N2",
    help="Errors and examples of A, then of B, on two separate test sets.",
)
@click.option(
    "--method",
    metavar="NAME|all",
    shell_complete=completing(every=True, without={"cochran-q"}, question=3),
    help="Test (or interval) by name, or all; advice picks one if left out.",
)
@click.option(
    "--interval",
    metavar="NAME",
    shell_complete=completing(question=3, gives="interval"),
    help="Interval to show beside the test.",
)
@click.option("--level", type=float, help="1 - alpha, in (0, 1).  [default: 0.95]")
@click.option("--alpha", type=float, help="Error probability; with a margin the interval has 1 - 2 alpha.")
@ALTERNATIVE
@click.option("--margin", type=float, help="A difference that would not matter, such as 0.01 for one point.")
@HYPOTHESIS
@click.option(
    "--adjust", type=click.Choice(ADJUSTMENTS), help="How p-values of several comparisons pay for their number."
)
@click.option("--looks", type=int, default=0, help="How often this test set was looked at before.")
@click.option("--rope", type=float, help="Differences of learners that count as none (bayesian-correlated-t).")
@click.option(
    "--examples",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Show up to N examples that only one of two models gets right: from files.",
)
@of_logs
@of_race
@click.option("--markdown", type=click.Path(), metavar="OUT", help="Of logs: write Markdown, too; several as a board.")
@AS_HTML
@AS_JSON
def command(
    files: tuple[str, ...],
    table: tuple[float, ...] | None,
    independent: tuple[float, ...] | None,
    method: str | None,
    adjust: str | None,
    looks: int,
    rope: float | None,
    examples: int | None,
    learners: tuple[str, ...],
    metric: str | None,
    markdown: str | None,
    html: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Tell which of two (or more) classifiers is better, from files of predictions, evaluation logs or counts.

    FILE is CSV, TSV, Parquet, JSON lines or Arrow, with a row for each example, a column of labels and a column
    for each model; two files are joined by --id. In a comparison A is the first model and B the second.
    FILE may be a log (or a folder of logs) of Inspect, lm-evaluation-harness, promptfoo, MLflow, OpenAI evals, HELM,
    SWE-bench, deepeval or every_eval_ever: runs are joined by what the tool calls the same item.
    FILE may be the store of a race: its learners are compared then, by the race's plan.

    \b
    Examples:
      tellapart compare predictions.csv --label species --models forest,stump
      tellapart compare old.csv new.csv --label species --id row
      tellapart compare old.csv new.csv --label species --id row --examples 50 --html report.html
      tellapart compare old.eval new.eval --errors wrong --cluster passage_id
      tellapart compare outA/ outB/ --task gsm8k --filter strict-match
      tellapart compare --table 20 25 10 45
      tellapart compare --table 3 10 12 975 --margin 0.01
      tellapart compare --independent 30 100 20 100
      tellapart compare my.race --learner nb --learner nn --method corrected-resampled-t
    """
    names = ("interval", "level", "alpha", "alternative", "margin", "hypothesis")
    asked = {name: given.pop(name) for name in names} | {"looks": looks}
    own = {name: given.pop(name) for name in OWN}
    if sum(map(bool, (files, table, independent))) != 1:
        raise click.UsageError("give one of FILE, --table and --independent.")
    how = output(as_json=as_json, html=html, method=method, examples=examples, spare=files)
    if has_race(files):
        from .stores import opened, show_comparison

        asked |= {"method": method} | ({"adjust": adjust} if adjust else {})
        asked |= {} if rope is None else {"rope": rope}
        race = opened(files, given)
        show_comparison(race, files[0], learners, metric=metric, missing=given["missing"], how=how, **asked)
        return
    source = LogSource(files=files, own=own, parts=given, metric=metric)
    if files and source.by_example:
        from .logs import show_comparison as show_logs

        _refuse_of_counts(learners, rope, examples, method)
        show_logs(source, asked | {"method": method, "adjust": adjust}, how, _markdown_file(markdown, (*files, html)))
        return
    if markdown is not None:
        raise InvalidOption("--markdown is for logs, and for tables by example. Leave it out, or write --html.")
    refuse_learners(learners, metric)
    if rope is not None:
        raise InvalidOption(
            "--rope is for learners of a race. For classifiers say --margin 0.01 --hypothesis equivalent."
        )
    if files:
        _from_files(files, method, adjust, asked, given, how)
        return
    refuse_columns(given | own, "--table" if table else "--independent")
    if examples is not None:
        raise InvalidOption("--examples: counts hold no examples. Give the FILE that they were counted from.")
    if adjust:
        raise InvalidOption("--adjust is for several classifiers or groups; two counts are one comparison.")
    evidence = PairedTable(*table) if table else IndependentCounts.from_counts(*independent or ())
    answer = _show_one(evidence, method, asked, {}, how)
    if html:
        from .lines import calling, whole

        kind = "ta.PairedTable" if table else "ta.IndependentCounts.from_counts"
        line = calling("ta.compare", calling(kind, *(table or independent or ())), method=method, **asked)
        how.write(answer, code=whole([f"print({line})"]))


def _refuse_of_counts(learners: tuple[str, ...], rope: float | None, examples: int | None, method: str | None) -> None:
    """Refuse what goes with counts or learners, where every example counts by itself."""
    given = {"--learner": learners, "--rope": rope is not None, "--examples": examples is not None}
    for name, is_given in given.items():
        if is_given:
            raise InvalidOption(f"{name} does not go with logs, nor with scores, repeats, clusters or weights.")
    if method == "all":
        raise InvalidOption("--method all is for tables of right and wrong. Name a method, or leave it out.")


def _markdown_file(target: str | None, spare: tuple[str | None, ...]) -> Path | None:
    """Return where Markdown goes, or say before the work why it cannot go there."""
    if target is None:
        return None
    from ..gate.outputs import output_file

    path = output_file(target, "--markdown")
    if path.resolve() in {Path(name).resolve() for name in spare if name}:
        raise InvalidOption(f"--markdown {target} would replace a file that this command needs. Take another name.")
    return path


def _from_files(
    files: tuple[str, ...],
    method: str | None,
    adjust: str | None,
    asked: dict[str, Any],
    parts: dict[str, Any],
    how: Output,
) -> None:
    tally = counted(files, **parts)
    if len(tally.models) < 2:
        raise InvalidOption(f"two models are needed to compare, but there is only {', '.join(tally.models)}.")
    rows = None
    if how.examples is not None:
        if len(tally.models) > 2:
            raise InvalidOption(
                f"--examples shows where two of {', '.join(tally.models)} disagree; name two: --models A,B."
            )
        rows = disagreeing(files, tally, how.examples, **parts)
    answer: Any
    groups = None
    if tally.groups is not None:
        from .groups import show_groups, together

        # A page begins with all examples together; on the terminal, groups are what was asked for.
        own = adjust if len(tally.models) > 2 else None
        answer = _ranked_or_told_apart(together(tally), method, own, asked) if how.html else None
        groups = show_groups(tally, method, adjust, asked, rows, how=how)
    elif len(tally.models) == 2:
        if adjust:
            raise InvalidOption("--adjust is for several classifiers or groups; two models are one comparison.")
        answer = _show_one(tally.paired_table(), method, asked, tally.reasons, how, rows)
    else:
        answer = _ranked_or_told_apart(tally, method, adjust, asked)
        how.show(answer)
    if how.html:
        from .lines import comparing

        told = {"method": method, "adjust": adjust, **asked}
        code = comparing(files, parts, told, models=tally.models, examples=how.examples)
        how.write(answer, code=code, files=files, groups=groups, examples=rows)


def _ranked_or_told_apart(
    tally: Tally, method: str | None, adjust: str | None, asked: dict[str, Any]
) -> Comparison | Ranking:
    """Return how two models compare, or how several rank."""
    if len(tally.models) == 2:
        return replace(compare(tally.paired_table(), method=method, **asked), excluded=tally.reasons)
    if method == "all":
        raise InvalidOption("--method all is for two models. Name them: --models A,B.")
    if asked["hypothesis"] or asked["margin"] is not None:
        raise InvalidOption("--margin is for two models. Name them: --models A,B.")
    with progress("comparing every two models"):
        ranking = compare(tally.error_patterns(), method=method, adjust=adjust, **asked)
    return replace(ranking, excluded=tally.reasons)


def _show_one(
    evidence: Evidence,
    method: str | None,
    asked: dict[str, Any],
    left_out: dict[str, int],
    how: Output,
    rows: Disagreements | None = None,
) -> Comparison | None:
    if method == "all":
        if asked["interval"] is not None:
            raise InvalidOption("--method all shows every interval. Leave --interval out.")
        _show_all(evidence, asked, left_out, as_json=how.as_json)
        return None
    answer = replace(compare(evidence, method=method, **asked), excluded=left_out)
    how.show(answer, rows)
    if not how.as_json and method is None and asked["margin"] is None:
        from .stores import show_advice

        show_advice(evidence)
    how.show_rows(rows)
    return answer


def _show_all(evidence: Evidence, asked: dict[str, Any], dropped: dict[str, int], *, as_json: bool) -> None:
    """Ask every test and every interval there is for such evidence."""
    from ..methods import find_methods

    compare(evidence, **asked)  # what is wrong whatever the method is an error, not a reason to leave one out
    answers, left_out = [], []
    for found in find_methods(evidence=type(evidence)):
        named = {"method": found.name} if found.gives == "test" else {"interval": found.name}
        try:
            answers.append((found, replace(compare(evidence, **asked | named), excluded=dropped)))
        except InvalidInput as reason:
            left_out.append((found.name, found.gives, reason))
    if as_json:
        told = [plain(answer.as_dict()) | {"gives": found.gives} for found, answer in answers]
        silent = [{"method": name, "gives": gives, "left_out": str(reason)} for name, gives, reason in left_out]
        click.echo(json.dumps([*told, *silent], indent=2, ensure_ascii=False))
        return
    from .every import show_left_out
    from .tables import show_table

    click.echo(folded("", f"{evidence.describe()}.{excluded_text(dropped)}"))
    for gives, headers in (("test", ("test", "p")), ("interval", ("interval", "of", "limits"))):
        rows = [(found, answer) for found, answer in answers if found.gives == gives]
        show_table(
            (*headers, "standing", "failed checks"),
            [(*_cells(found, answer), found.standing, _failed(found, answer)) for found, answer in rows],
            numbers=("p",),
        )
    show_left_out([f"{name} ({gives}): {reason}" for name, gives, reason in left_out])


def _cells(found: Any, answer: Comparison) -> tuple[str, ...]:
    if found.gives == "test":
        return found.name, pvalue_text(float(answer.pvalue), answer.alpha)
    limits = answer.interval.limits_text(spread=answer.interval.spread(float(answer.difference)))
    return found.name, answer.interval.parameter, limits


def _failed(found: Any, answer: Comparison) -> str:
    own = {assumption.code for assumption in found.assumes} | ({"TA010"} if found.standing == "forbidden" else set())
    return " ".join(sorted({check.code for check in answer.checks if not check.holds and check.code in own}))
