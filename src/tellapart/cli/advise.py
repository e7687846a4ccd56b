"""`tellapart advise`: the recommended method, and the command to run."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import click

from ..advice.advising import recommend
from ..advice.commands import Origin
from ..advice.questions import Ask
from ..advice.situation import CHOICES, FORMER_VALUES
from ..errors import InvalidOption
from ..evidence import IndependentCounts, PairedTable
from .file_reading import column_options, count_predictions, has_race, name_files, refuse_columns, split_names
from .help_pages import COUNTS, PROBLEM, STATISTICS, grouped_option
from .parameters import FilesAndNumbers, as_count, build_counts, complete_plans, text_options
from .printing import show_result

_EITHER = {"classifier": "subject", "learner": "subject", "estimate": "task", "choose": "task"}
_EITHER |= {"much": "data", "little": "data"}


class _Priority(click.Choice[str]):
    """The values of `--matters`; former ones are accepted."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(FORMER_VALUES.get(str(value).replace(" ", "-"), value), param, ctx)


@click.command("advise", cls=FilesAndNumbers, short_help="Recommend a method for your data, and the command to run.")
@click.argument("source", nargs=-1, metavar="[ERRORS TRIALS | FILE...]")
@column_options("Models; without a FILE their number. [all other columns]")
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
@grouped_option(
    "--domains", type=click.Choice(CHOICES["domains"]), section=PROBLEM, help="Number of data sets: one or many."
)
@grouped_option("--classifier", is_flag=True, section=PROBLEM, help="Trained models that do not change.")
@grouped_option("--learner", is_flag=True, section=PROBLEM, help="Learning algorithms, retrained on new data.")
@grouped_option("--estimate", is_flag=True, section=PROBLEM, help="Goal: the error rate of one.")
@grouped_option("--choose", is_flag=True, section=PROBLEM, help="Goal: a comparison of several.")
@grouped_option("--much", is_flag=True, section=PROBLEM, help="Enough data for a separate test set.")
@grouped_option("--little", is_flag=True, section=PROBLEM, help="All data are needed for training.")
@grouped_option(
    "--test-sets", type=click.Choice(CHOICES["test_sets"]), section=PROBLEM, help="Test sets of two models: one or two."
)
@grouped_option("--plan", metavar="PLAN", shell_complete=complete_plans, section=PROBLEM, help="Resampling plan.")
@grouped_option("--runs", type=int, metavar="N", section=PROBLEM, help="Affordable number of fits of each learner.")
@grouped_option(
    "--convergence",
    type=click.Choice(CHOICES["convergence"]),
    section=PROBLEM,
    rare=True,
    help="Convergence of the learners: slow, parametric or fast.",
)
@grouped_option("--stochastic", is_flag=True, default=None, section=PROBLEM, rare=True, help="A learner is random.")
@grouped_option(
    "--tuning", is_flag=True, default=None, section=PROBLEM, rare=True, help="Settings of one learner are compared."
)
@grouped_option("--examples", type=int, metavar="N", section=PROBLEM, rare=True, help="Size of the test set.")
@grouped_option("--errors", type=int, metavar="N", section=PROBLEM, rare=True, help="Number of errors.")
@grouped_option(
    "--disagreements", type=int, metavar="N", section=PROBLEM, rare=True, help="Number of discordant pairs."
)
@grouped_option(
    "--matters",
    type=_Priority(CHOICES["matters"]),
    section=STATISTICS,
    help="Priority: 'type I error', power or guarantee.",
)
@grouped_option("--margin", type=float, section=STATISTICS, help="Non-inferiority margin: 0.01 is 1 pp.")
@text_options
def command(
    source: tuple[str, ...],
    table: tuple[float, ...] | None,
    independent: tuple[float, ...] | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Recommend a method for your data: which, why, what to avoid, and the command to run.

    Give the numbers ERRORS and TRIALS, a FILE of predictions or a race store, or describe the problem by options. On a
    terminal, the command prompts for missing answers.

    \b
    Examples:
      tellapart advise 3 120
      tellapart advise predictions.csv --label species --models forest,stump
      tellapart advise --table 20 25 10 45 --matters guarantee
      tellapart advise my.race
      tellapart advise --learner --choose --little --runs 10
    """
    parts = {name: options.pop(name) for name in _COLUMNS}
    answers = {name: value for name, value in options.items() if name not in _EITHER}
    answers |= _read_flags({name for name in _EITHER if options[name]})
    if sum(map(bool, (source, table, independent))) > 1:
        raise click.UsageError("give exactly one of FILE, ERRORS TRIALS, --table and --independent.")
    evidence, words = _read_source(source, table, independent, parts, answers)
    recommendation = recommend(evidence, answers, words)
    prompted: set[str] = set()
    while _may_ask() and (
        ask := next((candidate for candidate in recommendation.open if candidate.name not in prompted), None)
    ):
        prompted.add(ask.name)
        answers[ask.name] = _prompt_for_answer(ask)
        recommendation = recommend(evidence, answers, words)
    if not recommendation.complete:
        flags = "; ".join(ask.flag for ask in recommendation.open)
        raise click.UsageError(f"more information is needed: {flags}.")
    if as_json:
        click.echo(recommendation.to_json())
    else:
        show_result(recommendation)


_COLUMNS = (
    "label", "models", "key", "group", "correct", "weight", "labels", "missing", "model", "prediction", "text",
)  # fmt: skip


def _read_flags(flags: set[str]) -> dict[str, str]:
    """Return the answers that are flags; raise InvalidOption for two that exclude each other."""
    answers: dict[str, str] = {}
    for flag, name in _EITHER.items():
        if flag in flags:
            if name in answers:
                raise InvalidOption(f"`--{answers[name]}` and `--{flag}` exclude each other. Use one of them.")
            answers[name] = flag
    return answers


def _read_source(
    source: tuple[str, ...],
    table: tuple[float, ...] | None,
    independent: tuple[float, ...] | None,
    parts: dict[str, Any],
    answers: dict[str, Any],
) -> tuple[Any, Origin | None]:
    """Return the evidence, and where it was read from."""
    from .estimate import as_counts

    count = as_counts(source) if source else None
    if source and count is None:
        if has_race(source):
            from .race_answers import open_race

            return open_race(source, parts), Origin(words=shlex.join(source), code=f"ta.read_race({source[0]!r})")
        words = shlex.join([*source, *_format_options(parts)])
        several = len(source) > 1 and parts["models"] is not None  # of which some are selected
        code = _format_reading(source, parts)
        return count_predictions(source, **parts), Origin(words=words, code=code, predictions=True, counted=several)
    answers["models"] = _as_number(parts.pop("models"))
    refuse_columns(parts, "these")
    if table is not None:
        return build_counts(PairedTable, table, "--table"), None
    if independent:
        return build_counts(IndependentCounts.from_counts, independent, "--independent"), None
    return count, None


def _as_number(models: str | None) -> int | None:
    """Return the number of models; names need a file."""
    if models is None:
        return None
    if not models.strip().isdigit():
        raise InvalidOption(f"`--models` must be a number without a FILE, got {models!r}.")
    return int(models)


def _format_options(parts: dict[str, Any]) -> list[str]:
    """Return the options of a file's columns as words of a command line."""
    words: list[str] = []
    for name, value in parts.items():
        if value and not (name == "missing" and value == "fail"):
            words += [f"--{'id' if name == 'key' else name}", *([] if value is True else [str(value)])]
    return words


def _format_reading(files: tuple[str, ...], parts: dict[str, Any]) -> str:
    """Return the expression that reads the same predictions in Python."""
    keywords_by_name = {"id" if name == "key" else name: value for name, value in parts.items() if value}
    keywords_by_name |= {
        name: split_names(keywords_by_name[name]) for name in ("models", "labels") if name in keywords_by_name
    }
    if keywords_by_name.get("missing") == "fail":
        del keywords_by_name["missing"]
    chosen = keywords_by_name.pop("models", None) if len(files) > 1 else None
    keywords = "".join(f", {name}={value!r}" for name, value in keywords_by_name.items())
    reads = [f"ta.read_predictions({file!r}{keywords})" for file in files]
    if len(files) == 1:
        return reads[0]
    named = ", ".join(f"{name!r}: {read}" for name, read in zip(name_files(files), reads, strict=True))
    return f"ta.Predictions.joined({{{named}}})" + (f".tally(*{chosen!r})" if chosen else "")


# --- Asking ---------------------------------------------------------------------------------------


def _may_ask() -> bool:
    """Whether questions can be asked on a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _prompt_for_answer(ask: Ask) -> Any:
    """Return the answer typed on the terminal; the prompt is on stderr. Enter takes the default, or explains."""
    choices = ", ".join(f"{number} {choice}" for number, choice in enumerate(ask.choices, 1))
    taken = f"; Enter: {ask.default}" if ask.default else "; Enter: explain"
    while True:
        reply = click.prompt(f"{ask.text} [{choices or 'a number'}{taken}]", default="", show_default=False, err=True)
        if not reply.strip() and ask.default:
            return None
        answer = _interpret_reply(ask, reply.strip())
        if answer is not None:
            return answer
        click.echo(ask.why if not reply.strip() else f"{reply!r} is not one of these.", err=True)


def _interpret_reply(ask: Ask, reply: str) -> Any:
    """Return the choice by its number or its first letters, or a number; None for anything else."""
    if not ask.choices:
        return int(reply) if reply.isdigit() and (int(reply) or ask.name == "errors") else None
    if reply.isdigit() and 1 <= int(reply) <= len(ask.choices):
        return ask.choices[int(reply) - 1]
    meant = [choice for choice in ask.choices if reply and choice.startswith(reply.lower())]
    return meant[0] if len(meant) == 1 else None
