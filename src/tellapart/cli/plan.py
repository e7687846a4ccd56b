"""`tellapart plan`: how many examples does it take, and what can be seen with those at hand?"""

from __future__ import annotations

import re
from typing import Any

import click

from ..errors import InvalidOption
from ..evidence import PairedTable
from .parameters import ALTERNATIVE, HYPOTHESIS, PRIOR, FilesAndNumbers, as_count, complete_plans, output_options
from .reading import (
    columns,
    count_predictions,
    has_race,
    of_race,
    progress,
    refuse_columns,
    refuse_learners,
    split_names,
)
from .reports import Output, output

_PARTS = (  # what `columns` asks for; all else is handed on to `plan`
    *("label", "models", "key", "group", "correct", "weight"),
    *("labels", "missing", "model", "prediction", "text"),
)


def as_range(value: str) -> float | tuple[float, float]:
    """Return a rate, or two between which it lies."""
    try:
        low, *high = (float(part) for part in value.split(":"))
    except ValueError:
        low, high = 0.0, [0.0, 0.0]
    if len(high) > 1:
        raise click.BadParameter(f"{value!r} is neither a rate nor a range. Write 0.1, or 0.05:0.2.")
    return (low, high[0]) if high else low


def as_epochs(value: str) -> int | tuple[int, int]:
    """Return how often each is asked, or how often A and how often B."""
    try:
        a, *b = (int(part) for part in value.split(","))
    except ValueError:
        a, b = 0, [0, 0]
    if len(b) > 1:
        raise click.BadParameter(f"{value!r} is no number of epochs. Write 4, or 4,2 for four of A and two of B.")
    return (a, b[0]) if b else a


_ASKED = (
    click.option(
        "--examples", type=as_count, metavar="N", help="Number of test examples; left out, it is what is found."
    ),
    click.option("--difference", type=float, help="True difference to be seen, such as 0.01 for one point."),
    click.option("--power", type=float, help="How often it is to be seen.  [default: 0.8, unless it is what is found]"),
    click.option("--width", type=float, help="Instead of these: width of an interval, such as 0.04 for four points."),
    click.option("--assurance", type=float, help="With --width: how often it is to be no wider; else it is the mean."),
    click.option(
        "--side", type=click.Choice(["two", "upper", "lower"]), help="With --width: of an interval or a bound."
    ),
)
_CLASSIFIERS = (
    click.option("--disagreement", type=float, help="Share of examples that only one of the two gets right."),
    click.option(
        "--error",
        type=as_range,
        metavar="RATE|LOW:HIGH",
        help="Error rate, of both; or a range, planned for at its worst.",
    ),
    click.option("--against", type=float, help="A threshold for the error rate of one classifier."),
    click.option("--error-a", type=float, help="Error rate of A."),
    click.option("--error-b", type=float, help="Error rate of B."),
    click.option(
        "--table",
        type=as_count,
        nargs=4,
        metavar="BOTH_WRONG ONLY_A_WRONG ONLY_B_WRONG BOTH_RIGHT",
        help="A pilot as four counts, instead of a file: only its disagreement is used.",
    ),
    click.option("--independent", is_flag=True, help="A and B meet test sets of their own."),
    click.option("--ratio", type=float, help="With --independent: examples of B for each of A.  [default: 1]"),
    click.option("--cluster-size", type=float, help="Examples that go together, such as questions about one text."),
    click.option("--cluster-correlation", type=float, help="How much examples of one cluster are alike, from 0 to 1."),
    click.option("--design-effect", type=float, help="Instead of these: how many examples are worth one."),
)
_LEARNERS = (
    click.option(
        "--sd",
        type=float,
        help="Standard deviation of the difference, from one split (or set, or example) to the next.",
    ),
    click.option(
        "--plan", shell_complete=complete_plans, help="Splits of one data set: 10-fold (how often?), 10x10, 30x(2/3)."
    ),
    click.option(
        "--over",
        type=click.Choice(["examples", "training-sets", "data-sets"]),
        help="What --sd is over, if not splits.  [default: examples]",
    ),
    click.option("--training-sets", type=as_count, metavar="N", help="Number of independent training sets."),
    click.option("--data-sets", type=as_count, metavar="N", help="Number of data sets."),
    click.option("--wins", type=float, help="Share of data sets that B wins: for the sign test."),
    click.option("--sd-a", type=float, help="Standard deviation of A's scores on one example, asked again."),
    click.option("--sd-b", type=float, help="Standard deviation of B's scores on one example, asked again."),
    click.option("--epochs", type=as_epochs, metavar="K|KA,KB", help="How often each example is asked."),
)
_METHOD = (
    click.option("--method", metavar="NAME", help="Test (or interval) by name; advice picks one if left out."),
    click.option("--level", type=float, help="1 - alpha, in (0, 1).  [default: 0.95]"),
    click.option("--alpha", type=float, help="Error probability of the test."),
    ALTERNATIVE,
    click.option("--margin", type=float, help="A difference that would not matter, such as 0.01 for one point."),
    HYPOTHESIS,
    PRIOR,
)


_SCORES = click.option(
    "--scores", is_flag=True, help="FILE is a pilot over many data sets: a table of scores, or a folder of races."
)


def _options(command: Any) -> Any:
    for option in reversed((*_ASKED, *_CLASSIFIERS, *_METHOD, *_LEARNERS)):
        command = option(command)
    return command


@click.command("plan", cls=FilesAndNumbers)
@click.argument("files", nargs=-1, metavar="[FILE]…")
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
    **given: Any,
) -> None:
    """Tell how many examples it takes to see a difference, or what can be seen with those at hand.

    Of --examples, --difference and --power give two: the third is found. Nothing is ever planned for a difference
    that was observed. FILE is a pilot: predictions of two models, the store of a race of two learners, or their scores
    on many data sets (--scores). Only how often they disagree, or how much their difference varies, is taken from it.

    \b
    Examples:
      tellapart plan --difference 0.03 --power 0.8 --disagreement 0.08
      tellapart plan --examples 500 --power 0.8 --disagreement 0.08
      tellapart plan --examples 500 --difference 0.03 --disagreement 0.08
      tellapart plan --difference 0.05 --power 0.8 --error 0.1
      tellapart plan --difference 0.1 --power 0.8 --table 10 12 8 170
      tellapart plan predictions.csv --label species --models forest,stump --difference 0.2 --power 0.8
      tellapart plan --margin 0.02 --difference 0 --power 0.8 --disagreement 0.05
      tellapart plan --error-a 0.4 --error-b 0.2 --power 0.8 --independent
      tellapart plan --difference 0.03 --power 0.8 --disagreement 0.08 --cluster-size 5 --cluster-correlation 0.3
      tellapart plan --width 0.1 --error 0.05:0.2
      tellapart plan --against 0.05 --error 0.03 --power 0.8 --alternative less
      tellapart plan --plan 10-fold --sd 0.03 --difference 0.03 --power 0.8
      tellapart plan --plan 10x10 --sd 0.03 --power 0.8
      tellapart plan my.race --learner nb --learner nn --difference 0.05 --power 0.8
      tellapart plan benchmark.csv --scores --learner nb --learner svm --difference 0.01 --power 0.8
      tellapart plan --over data-sets --sd 0.04 --difference 0.02 --power 0.8
      tellapart plan --wins 0.7 --power 0.8
      tellapart plan --sd 0.4 --sd-a 0.2 --sd-b 0.2 --epochs 4 --difference 0.03 --power 0.8
    """
    from ..planning import plan

    parts = {name: given.pop(name) for name in _PARTS}
    given["over"] = over and over.replace("-", " ")
    told = {name: value for name, value in given.items() if value is not None and value is not False}
    if files and table:
        raise click.UsageError("a pilot is a FILE or a --table, not both.")
    how = output(as_json=as_json, html=html, spare=files)
    pilot, lines = _pilot(files, table, learners, metric, parts, scores=scores)
    try:
        with progress("planning"):
            found = plan(*([] if pilot is None else [pilot]), **told)
    except InvalidOption as error:
        raise InvalidOption(_as_typed(str(error), tuple(given))) from error
    how.show(found)
    _write(how, found, files, lines, told)


def _as_typed(message: str, names: tuple[str, ...]) -> str:
    """Return a message with Python's keywords as they are typed here: error_a=0.1 is --error-a 0.1.

    Examples
    --------
    >>> _as_typed("write error_a=0.1, or plan='10x10'; else leave power= out.", ("error_a", "plan", "power"))
    'write --error-a 0.1, or --plan 10x10; else leave --power out.'
    """

    def typed(found: re.Match[str]) -> str:
        name, value = found.group(1).replace("_", "-"), (found.group(2) or "").strip("'")
        return f"--{name} {value}" if value not in {"", "True"} else f"--{name}"

    return re.sub(rf"\b({'|'.join(names)})=(?!=)('[^']*'|\w[\w.]*\w|\w)?", typed, message)


def _pilot(
    files: tuple[str, ...],
    table: tuple[float, ...] | None,
    learners: tuple[str, ...],
    metric: str | None,
    parts: dict[str, Any],
    *,
    scores: bool,
) -> tuple[Any, list[str]]:
    """Return the pilot, if there is one, and the lines of Python that end in it."""
    from .python_code import write_call, write_reading

    if scores:
        from .score_tables import table_of

        pilot, line = table_of(files, learners, parts, metric=metric)
        return pilot, [line]
    if has_race(files):
        from .race_answers import open_race

        race = open_race(files, parts)
        names = learners or race.learners
        if len(names) != 2:
            raise InvalidOption(f"a plan is for two learners, but there are {', '.join(names)}. Name two: --learner A.")
        options: dict[str, Any] = {"metric": metric} if metric else {}
        call = write_call("race.resamples", *map(repr, names), **options)
        return race.resamples(*names, **options), [f"race = {write_call('ta.read_race', repr(files[0]))}", call]
    refuse_learners(learners, metric)
    if not files:
        refuse_columns(parts, "a plan's figures")
        return (PairedTable(*table), [write_call("ta.PairedTable", *table)]) if table else (None, [])
    if parts["group"]:
        raise InvalidOption("--group: a plan is for all examples together. Leave it out.")
    tally = count_predictions(files, **parts)
    if len(tally.models) != 2:
        raise InvalidOption(
            f"a plan is for two models, but there are {', '.join(tally.models)}. Name two: --models A,B."
        )
    named = split_names(parts["models"]) if len(files) > 1 else None
    return tally.paired_table(), [
        *write_reading(files, parts),
        write_call("predictions.paired_table", *map(repr, named or ())),
    ]


def _write(how: Output, found: Any, files: tuple[str, ...], lines: list[str], told: dict[str, Any]) -> None:
    """Write a page about the plan, with the lines that make it again."""
    if how.html is None:
        return
    from .python_code import write_call, write_program

    *first, pilot = lines or [""]
    call = write_call("ta.plan", *([pilot] if pilot else []), **told)
    how.write(found, code=write_program([*first, f"print({call})"]), files=files)
