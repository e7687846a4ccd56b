"""`tellapart plan`: the sample size for a difference, or the power or difference for a sample size."""

from __future__ import annotations

import shlex
from typing import Any

import click

from ..errors import InvalidOption
from ..evidence import PairedTable
from ..figures import join_names
from .answer_output import Output, output
from .file_reading import (
    columns,
    count_predictions,
    has_race,
    of_race,
    progress,
    refuse_columns,
    refuse_learners,
    split_names,
)
from .help_pages import COUNTS, DATA, DESIGN, SCORES, STATISTICS, grouped_option
from .parameters import (
    ALPHA,
    ALTERNATIVE,
    HYPOTHESIS,
    LEVEL,
    PRIOR,
    FilesAndNumbers,
    as_count,
    build_counts,
    complete_plans,
    output_options,
)

_COLUMN_OPTIONS = (  # options of `columns`; all others are passed on to `plan`
    *("label", "models", "key", "group", "correct", "weight"),
    *("labels", "missing", "model", "prediction", "text"),
)


def as_range(value: str) -> float | tuple[float, float]:
    """Return a rate, or the two ends of a range."""
    try:
        low, *high = (float(part) for part in value.split(":"))
    except ValueError:
        low, high = 0.0, [0.0, 0.0]
    if len(high) > 1:
        raise click.BadParameter(f"`--error` must be a rate or a range, got {value!r}. Use 0.1 or 0.05:0.2.")
    return (low, high[0]) if high else low


def as_epochs(value: str) -> int | tuple[int, int]:
    """Return the number of epochs, or those of A and of B."""
    try:
        a, *b = (int(part) for part in value.split(","))
    except ValueError:
        a, b = 0, [0, 0]
    if len(b) > 1:
        raise click.BadParameter(f"`--epochs` must be a number of epochs, got {value!r}. Use 4, or 4,2 for A and B.")
    return (a, b[0]) if b else a


_GOALS = (
    grouped_option("--examples", type=as_count, metavar="N", section=DESIGN, help="Number of test examples."),
    grouped_option("--difference", type=float, section=DESIGN, help="True difference to detect; 0.01 is 1 pp."),
    grouped_option("--power", type=float, section=DESIGN, help="Power. [0.8, unless computed]"),
    grouped_option("--width", type=float, section=DESIGN, help="Width of an interval instead; 0.04 is 4 pp."),
    grouped_option(
        "--assurance",
        type=float,
        section=DESIGN,
        rare=True,
        help="With --width: probability of at most this width. [mean width]",
    ),
    grouped_option(
        "--side",
        type=click.Choice(["two", "upper", "lower"]),
        section=DESIGN,
        rare=True,
        help="With --width: two, upper or lower. [two]",
    ),
)
_CLASSIFIERS = (
    grouped_option(
        "--disagreement", type=float, section=DESIGN, help="Discordant rate: share that only one model gets right."
    ),
    grouped_option(
        "--error",
        type=as_range,
        metavar="RATE|LOW:HIGH",
        section=DESIGN,
        help="Error rate, or mean of both; a range for --width.",
    ),
    grouped_option("--against", type=float, section=DESIGN, help="Threshold for the error rate of one model."),
    grouped_option("--error-a", type=float, section=DESIGN, rare=True, help="Error rate of A."),
    grouped_option("--error-b", type=float, section=DESIGN, rare=True, help="Error rate of B."),
    grouped_option(
        "--table",
        type=as_count,
        nargs=4,
        metavar="N N N N",
        section=COUNTS,
        help="Pilot: both wrong, only A wrong, only B wrong, both right.",
    ),
    grouped_option("--independent", is_flag=True, section=DESIGN, help="A and B have separate test sets."),
    grouped_option(
        "--ratio", type=float, section=DESIGN, rare=True, help="With --independent: examples of B for each of A. [1]"
    ),
    grouped_option("--cluster-size", type=float, section=DESIGN, rare=True, help="Examples per cluster."),
    grouped_option(
        "--cluster-correlation", type=float, section=DESIGN, rare=True, help="Intraclass correlation, from 0 to 1."
    ),
    grouped_option(
        "--design-effect", type=float, section=DESIGN, rare=True, help="Design effect, instead of cluster options."
    ),
)
_LEARNERS = (
    grouped_option(
        "--sd", type=float, section=DATA, help="Standard deviation of the difference between splits (or --over)."
    ),
    grouped_option(
        "--plan",
        shell_complete=complete_plans,
        section=DATA,
        help="Cross-validation: 10-fold (repeats open), 10x10, 30x(2/3).",
    ),
    grouped_option(
        "--over",
        type=click.Choice(["examples", "training-sets", "data-sets"]),
        section=DATA,
        help="What --sd is over: examples, training-sets or data-sets. [examples]",
    ),
    grouped_option(
        "--training-sets", type=as_count, metavar="N", section=DATA, rare=True, help="Number of training sets."
    ),
    grouped_option("--data-sets", type=as_count, metavar="N", section=DATA, rare=True, help="Number of data sets."),
    grouped_option(
        "--wins", type=float, section=DATA, rare=True, help="Share of data sets that B wins, for the sign test."
    ),
    grouped_option("--sd-a", type=float, section=DATA, rare=True, help="SD of repeated scores of A on one example."),
    grouped_option("--sd-b", type=float, section=DATA, rare=True, help="SD of repeated scores of B on one example."),
    grouped_option(
        "--epochs", type=as_epochs, metavar="K|KA,KB", section=DATA, rare=True, help="Repeats of each example."
    ),
)
_METHOD = (
    grouped_option("--method", metavar="NAME", section=STATISTICS, help="Test or interval. [recommended]"),
    LEVEL,
    ALPHA,
    ALTERNATIVE,
    grouped_option("--margin", type=float, section=STATISTICS, help="Non-inferiority margin; 0.01 is 1 pp."),
    HYPOTHESIS,
    PRIOR,
)


_SCORES = grouped_option(
    "--scores", is_flag=True, section=SCORES, help="FILE is a pilot over data sets: a score table or a folder of races."
)


def _options(command: Any) -> Any:
    for option in reversed((*_GOALS, *_CLASSIFIERS, *_METHOD, *_LEARNERS)):
        command = option(command)
    return command


@click.command("plan", cls=FilesAndNumbers, short_help="Plan a sample size, or the power of one.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@_options
@_SCORES
@columns
@of_race
@output_options
def command(
    files: tuple[str, ...],
    table: tuple[float, ...] | None,
    over: str | None,
    scores: bool,
    learners: tuple[str, ...],
    metric: str | None,
    html: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Plan a sample size, or the power or smallest detectable difference of one.

    Set two of --examples, --difference and --power; the third is computed. FILE is a pilot: predictions of two models,
    a race store, or scores on data sets (--scores). The plan uses its discordant rate, or the standard deviation of its
    difference, but not its observed difference.

    \b
    Examples:
      tellapart plan --difference 0.03 --power 0.8 --disagreement 0.08
      tellapart plan --examples 500 --power 0.8 --disagreement 0.08
      tellapart plan predictions.csv --label species --difference 0.2 \\
        --models forest,stump
      tellapart plan --margin 0.02 --difference 0 --disagreement 0.05
      tellapart plan --plan 10x10 --sd 0.03
    """
    from ..planning import plan

    column_options = {name: options.pop(name) for name in _COLUMN_OPTIONS}
    options["over"] = over and over.replace("-", " ")
    arguments = {name: value for name, value in options.items() if value is not None and value is not False}
    if files and table:
        raise click.UsageError("a pilot is a FILE or --table, not both.")
    how = output(as_json=as_json, html=html, spare=files)
    pilot, lines = _read_pilot(files, table, learners, metric, column_options, scores=scores)
    with progress("planning"):
        planned = plan(*([] if pilot is None else [pilot]), **arguments)
    how.show(planned)
    _write_report(how, planned, files, lines, arguments)


def _read_pilot(
    files: tuple[str, ...],
    table: tuple[float, ...] | None,
    learners: tuple[str, ...],
    metric: str | None,
    column_options: dict[str, Any],
    *,
    scores: bool,
) -> tuple[Any, list[str]]:
    """Return the pilot, or None, and Python code whose last line is the pilot."""
    from .python_code import write_call, write_reading

    if scores:
        from .score_tables import table_of

        pilot, line = table_of(files, learners, column_options, metric=metric)
        if len(pilot.learners) > 2:
            two = " ".join(f"--learner {shlex.quote(name)}" for name in pilot.learners[:2])
            raise InvalidOption(f"a plan compares two learners, got {len(pilot.learners)}. Select two, such as {two}.")
        return pilot, [line]
    if has_race(files):
        from .race_answers import open_race

        race = open_race(files, column_options)
        names = learners or race.learners
        if len(names) != 2:
            raise InvalidOption(f"`--learner` must name two learners, got {len(names)}: {join_names(names)}.")
        race_options: dict[str, Any] = {"metric": metric} if metric else {}
        call = write_call("race.resamples", *map(repr, names), **race_options)
        return race.resamples(*names, **race_options), [f"race = {write_call('ta.read_race', repr(files[0]))}", call]
    refuse_learners(learners, metric)
    if not files:
        refuse_columns(column_options, "a plan without a file")
        if not table:
            return None, []
        return build_counts(PairedTable, table, "--table"), [write_call("ta.PairedTable", *table)]
    if column_options["group"]:
        raise InvalidOption("`--group` must be left out: a plan is for all examples.")
    tally = count_predictions(files, **column_options)
    if len(tally.models) != 2:
        raise InvalidOption(
            f"`--models` must name two models, got {len(tally.models)}: {join_names(tally.models)}. Use --models A,B."
        )
    named = split_names(column_options["models"]) if len(files) > 1 else None
    return tally.paired_table(), [
        *write_reading(files, column_options),
        write_call("predictions.paired_table", *map(repr, named or ())),
    ]


def _write_report(
    how: Output, planned: Any, files: tuple[str, ...], lines: list[str], arguments: dict[str, Any]
) -> None:
    """Write a report of the plan, with Python code for it."""
    if how.html is None:
        return
    from .python_code import write_call, write_program

    *first, pilot = lines or [""]
    call = write_call("ta.plan", *([pilot] if pilot else []), **arguments)
    how.write(planned, code=write_program([*first, f"print({call})"]), files=files)
