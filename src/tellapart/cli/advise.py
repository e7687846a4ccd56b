"""`tellapart advise`: which method for what you hold, and what to run."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import click

from ..advice.advising import recommend
from ..advice.commands import Origin
from ..advice.questions import Ask
from ..advice.situation import CHOICES
from ..errors import InvalidOption
from ..evidence import IndependentCounts, PairedTable
from .parameters import AS_JSON, FilesAndNumbers, as_count, completing_plans
from .reading import columns, counted, has_race, listed, refuse_columns, stems

_EITHER = {"classifier": "subject", "learner": "subject", "estimate": "task", "choose": "task"}
_EITHER |= {"much": "data", "little": "data"}


@click.command("advise", cls=FilesAndNumbers)
@click.argument("source", nargs=-1, metavar="[ERRORS TRIALS | FILE…]")
@columns
@click.option("--table", type=as_count, nargs=4, metavar="BOTH_WRONG ONLY_A ONLY_B BOTH_RIGHT", help="Four counts.")
@click.option("--independent", type=as_count, nargs=4, metavar="E1 N1 E2 N2", help="Two test sets.")
@click.option("--domains", type=click.Choice(CHOICES["domains"]), help="One data set, or many.")
@click.option("--classifier", is_flag=True, help="It is about classifiers, which are there and do not change.")
@click.option("--learner", is_flag=True, help="It is about learners, which are trained anew.")
@click.option("--estimate", is_flag=True, help="How often does it err?")
@click.option("--choose", is_flag=True, help="Which of them is better?")
@click.option("--much", is_flag=True, help="There is data for a separate test set.")
@click.option("--little", is_flag=True, help="All data are needed for training.")
@click.option("--test-sets", type=click.Choice(CHOICES["test_sets"]), help="Of two classifiers: the same, or two.")
@click.option("--runs", type=int, metavar="N", help="How often each learner can be trained.")
@click.option("--matters", type=click.Choice(CHOICES["matters"]), help="Which error is worse, or a guarantee.")
@click.option("--margin", type=float, help="A difference that would not matter, such as 0.01 for one point.")
@click.option("--plan", metavar="PLAN", shell_complete=completing_plans, help="How the examples are divided.")
@click.option("--convergence", type=click.Choice(CHOICES["convergence"]), help="How fast the learners improve.")
@click.option("--examples", type=int, metavar="N", help="How many examples the test set has.")
@click.option("--errors", type=int, metavar="N", help="How many of them were classified wrongly.")
@click.option("--disagreements", type=int, metavar="N", help="On how many of them two classifiers disagree.")
@click.option("--stochastic", is_flag=True, default=None, help="A learner differs from run to run.")
@click.option("--tuning", is_flag=True, default=None, help="A good setting of one learner is sought.")
@AS_JSON
def command(
    source: tuple[str, ...],
    table: tuple[float, ...] | None,
    independent: tuple[float, ...] | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Tell which method to use, why, what not to use, and the command to run.

    Hand in what you hold, ERRORS among TRIALS, a FILE of predictions or the store of a race; or nothing, and answer by
    options. On a terminal, what is open is asked. Without a FILE, --models is how many there are.

    \b
    Examples:
      tellapart advise 3 120
      tellapart advise predictions.csv --label species --models forest,stump
      tellapart advise --table 20 25 10 45 --matters guarantee
      tellapart advise my.race
      tellapart advise --learner --choose --little --runs 10
      tellapart advise --domains many
    """
    parts = {name: given.pop(name) for name in _COLUMNS}
    answers = {name: value for name, value in given.items() if name not in _EITHER}
    answers |= _either({name for name in _EITHER if given[name]})
    if sum(map(bool, (source, table, independent))) > 1:
        raise click.UsageError("give one of FILE, ERRORS and TRIALS, --table and --independent.")
    held, words = _held(source, table, independent, parts, answers)
    recommendation = recommend(held, answers, words)
    asked: set[str] = set()
    while _may_ask() and (ask := next((each for each in recommendation.open if each.name not in asked), None)):
        asked.add(ask.name)
        answers[ask.name] = _asked(ask)
        recommendation = recommend(held, answers, words)
    if not recommendation.complete:
        flags = "; ".join(ask.flag for ask in recommendation.open)
        raise click.UsageError(f"{recommendation.open[0].text} Say {flags}.")
    click.echo(recommendation.to_json() if as_json else recommendation)


_COLUMNS = (
    "label", "models", "key", "group", "correct", "weight", "labels", "missing", "model", "prediction", "text",
)  # fmt: skip


def _either(said: set[str]) -> dict[str, str]:
    """Return the answers that are flags, of which two exclude each other."""
    answers: dict[str, str] = {}
    for flag, name in _EITHER.items():
        if flag in said:
            if name in answers:
                raise InvalidOption(f"--{answers[name]} and --{flag} exclude each other. Say one of them.")
            answers[name] = flag
    return answers


def _held(
    source: tuple[str, ...],
    table: tuple[float, ...] | None,
    independent: tuple[float, ...] | None,
    parts: dict[str, Any],
    answers: dict[str, Any],
) -> tuple[Any, Origin | None]:
    """Return what was handed in, and where it was read from."""
    from .estimate import as_counts

    count = as_counts(source) if source else None
    if source and count is None:
        if has_race(source):
            from .stores import opened

            return opened(source, parts), Origin(words=shlex.join(source), code=f"ta.read_race({source[0]!r})")
        words = shlex.join([*source, *_options(parts)])
        several = len(source) > 1 and parts["models"] is not None  # of which some are meant
        code = _reading(source, parts)
        return counted(source, **parts), Origin(words=words, code=code, predictions=True, counted=several)
    answers["models"] = _as_number(parts.pop("models"))
    refuse_columns(parts, "these")
    if table is not None:
        return PairedTable(*table), None
    return (IndependentCounts.from_counts(*independent) if independent else count), None


def _as_number(models: str | None) -> int | None:
    """Return how many models there are; names are for files."""
    if models is None:
        return None
    if not models.strip().isdigit():
        raise InvalidOption(f"--models must be a number where no FILE is given, but is {models!r}.")
    return int(models)


def _options(parts: dict[str, Any]) -> list[str]:
    """Return the options that say how a file is to be read, as they were given."""
    words: list[str] = []
    for name, value in parts.items():
        if value and not (name == "missing" and value == "fail"):
            words += [f"--{'id' if name == 'key' else name}", *([] if value is True else [str(value)])]
    return words


def _reading(files: tuple[str, ...], parts: dict[str, Any]) -> str:
    """Return the expression that reads the same predictions in Python."""
    said = {"id" if name == "key" else name: value for name, value in parts.items() if value}
    said |= {name: listed(said[name]) for name in ("models", "labels") if name in said}
    if said.get("missing") == "fail":
        del said["missing"]
    chosen = said.pop("models", None) if len(files) > 1 else None
    keywords = "".join(f", {name}={value!r}" for name, value in said.items())
    reads = [f"ta.read_predictions({file!r}{keywords})" for file in files]
    if len(files) == 1:
        return reads[0]
    named = ", ".join(f"{name!r}: {read}" for name, read in zip(stems(files), reads, strict=True))
    return f"ta.Predictions.joined({{{named}}})" + (f".tally(*{chosen!r})" if chosen else "")


# --- Asking ---------------------------------------------------------------------------------------


def _may_ask() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _asked(ask: Ask) -> Any:
    """Ask on the terminal, on stderr for the answer goes to stdout; Enter takes the default, or explains."""
    choices = ", ".join(f"{place} {choice}" for place, choice in enumerate(ask.choices, 1))
    taken = f"; Enter: {ask.default}" if ask.default else "; Enter: why this is asked"
    while True:
        said = click.prompt(f"{ask.text} [{choices or 'a number'}{taken}]", default="", show_default=False, err=True)
        if not said.strip() and ask.default:
            return None
        answer = _understood(ask, said.strip())
        if answer is not None:
            return answer
        click.echo(ask.why if not said.strip() else f"{said!r} is none of these.", err=True)


def _understood(ask: Ask, said: str) -> Any:
    """Return the answer by its number, its beginning or as a number; None where it is none."""
    if not ask.choices:
        return int(said) if said.isdigit() and (int(said) or ask.name == "errors") else None
    if said.isdigit() and 1 <= int(said) <= len(ask.choices):
        return ask.choices[int(said) - 1]
    meant = [choice for choice in ask.choices if said and choice.startswith(said.lower())]
    return meant[0] if len(meant) == 1 else None
