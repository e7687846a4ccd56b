"""Arguments and options that commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ..errors import InvalidEvidence
from .help_pages import OUTPUT, STATISTICS, GroupedCommand, grouped_option
from .printing import request_output

_Counts = TypeVar("_Counts")
_CELLS = ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right", "counts")


class FilesAndNumbers(GroupedCommand):
    """A command that accepts negative numbers as arguments, which the evidence refuses, but no unknown options."""

    ignore_unknown_options = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Raise NoSuchOption for unknown options."""
        names = [name for parameter in self.get_params(ctx) for name in (*parameter.opts, *parameter.secondary_opts)]
        before = args[: args.index("--")] if "--" in args else args
        for word in before:
            name = word.partition("=")[0]
            if name.startswith("-") and name not in names and name[1:2] not in "0123456789.":
                raise click.NoSuchOption(name, ctx=ctx)
        return super().parse_args(ctx, args)


def as_count(value: str) -> int | float:
    """Return a number as it was written; the evidence checks whether it is a count."""
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    raise click.BadParameter(f"{value!r} is not a valid number.")


def build_counts(make: Callable[..., _Counts], numbers: Iterable[Any], option: str, **settings: Any) -> _Counts:
    """Return counts of the command line as evidence; errors name the option that has them, or the arguments without.

    Examples
    --------
    >>> from tellapart import PairedTable
    >>> build_counts(PairedTable, (20, 25, 10, 45), "--table").examples.item()
    100
    """
    try:
        return make(*numbers, **settings)
    except InvalidEvidence as error:
        errors, trials = (f"{option} E", f"{option} N") if option else ("ERRORS", "TRIALS")
        error.options = dict.fromkeys(_CELLS, option) | {"errors": errors, "trials": trials}
        raise


def as_beta(value: str) -> tuple[float, float] | str:
    """Return (u, v), or the name of a prior for the method to look up."""
    if not any(character.isdigit() for character in value):
        return value
    try:
        u, v = (float(text) for text in value.split(","))
    except ValueError:
        raise click.BadParameter(f"`--prior` must be U,V, such as 0.5,0.5, got {value!r}.") from None
    return u, v


def as_bets(value: str) -> float | tuple[float, float] | str:
    """Return one number, κ of a symmetric Beta prior, or the result of `as_beta`."""
    try:
        return float(value)
    except ValueError:
        return as_beta(value)


def parse_names(_ctx: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> list[str]:
    """Return names between commas, or of a repeated option; raise BadParameter for a value without a name."""
    names = [name.strip() for text in value for name in text.split(",") if name.strip()]
    if value and not names:
        raise click.BadParameter(f"`{parameter.opts[0]}` must be names between commas, got {','.join(value)!r}.")
    return names


def parse_numbers(_ctx: click.Context, parameter: click.Parameter, value: Any) -> list[float] | None:
    """Return numbers between commas, or of a repeated option, None without any; whole numbers stay whole."""
    if not value:
        return None
    texts = (value,) if isinstance(value, str) else value
    message = f"`{parameter.opts[0]}` must be numbers between commas, got {','.join(texts)!r}."
    try:
        numbers = [as_count(number.strip()) for text in texts for number in text.split(",") if number.strip()]
    except click.BadParameter:
        raise click.BadParameter(message) from None
    if not numbers and any(text.strip() for text in texts):  # an empty text means none
        raise click.BadParameter(message)
    return numbers


PRIOR = grouped_option(
    "--prior", type=as_beta, metavar="U,V", section=STATISTICS, rare=True, help="Beta prior. [of the method]"
)
ALTERNATIVE = grouped_option(
    "--alternative",
    type=click.Choice(["two-sided", "greater", "less"]),
    default="two-sided",
    section=STATISTICS,
    rare=True,
    help="two-sided, greater (the error of A exceeds that of B) or less. [two-sided]",
)
HYPOTHESIS = grouped_option(
    "--hypothesis",
    type=click.Choice(["non-inferior", "superior", "equivalent"]),
    section=STATISTICS,
    rare=True,
    help="With --margin: non-inferior, superior or equivalent. [non-inferior]",
)
DIFFERENCES = grouped_option(
    "--difference",
    "differences",
    multiple=True,
    metavar="D,D,...",
    callback=parse_numbers,
    section=STATISTICS,
    help="True differences for power. [0.01,0.02,0.05]",
)
LEVEL = grouped_option("--level", type=float, section=STATISTICS, help="Confidence level, 1 - alpha. [0.95]")
ALPHA = grouped_option(
    "--alpha", type=float, section=STATISTICS, rare=True, help="Significance level, instead of --level. [0.05]"
)


# --- Output -----------------------------------------------------------------------------------------


def _store_request(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keep an option of the output until the answer is printed."""
    if parameter.name == "latex" and value is not None and not context.resilient_parsing:
        from ..gate.outputs import output_file

        output_file(value, "--latex")
    request_output(context, str(parameter.name), value)


def _detail_option(*names: str, **settings: Any) -> Callable[..., Any]:
    return grouped_option(*names, section=OUTPUT, expose_value=False, callback=_store_request, **settings)


_VERBOSE = _detail_option("-v", "--verbose", is_flag=True, help="More numbers: every pair, statistic, checks.")
_EXPLAIN = _detail_option("--explain", is_flag=True, help="How to read the answer, assumptions, references.")
_LATEX = _detail_option("--latex", metavar="FILE", help="Also write a LaTeX table.")
AS_HTML = grouped_option(
    "--html", type=click.Path(), metavar="FILE", section=OUTPUT, help="Also write a self-contained report."
)
AS_JSON = grouped_option("--json", "as_json", is_flag=True, section=OUTPUT, help="Print JSON at full precision.")


def text_options(command: Any) -> Any:
    """Add --verbose, --explain and --json, for a command that writes no report."""
    return _VERBOSE(_EXPLAIN(AS_JSON(command)))


def output_options(command: Any) -> Any:
    """Add the options of the output: --verbose, --explain, --html, --latex and --json."""
    return _VERBOSE(_EXPLAIN(AS_HTML(_LATEX(AS_JSON(command)))))


def plot_option(what: str) -> Callable[..., Any]:
    """Return the option --plot of a command that draws `what`."""
    return grouped_option(
        "--plot",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        section=OUTPUT,
        help=f"Also plot {what} (.png, .svg, .pdf).",
    )


def confidence_options(command: Any) -> Any:
    """Add --level, --alpha and --side."""
    side = grouped_option(
        "--side",
        type=click.Choice(["two", "upper", "lower"]),
        default="two",
        section=STATISTICS,
        help="Two-sided interval, or an upper or lower bound. [two]",
    )
    return LEVEL(ALPHA(side(command)))


def complete_methods(
    *questions: int, every: bool = False, without: Set[str] = frozenset(), **facts: Any
) -> Callable[..., list[str]]:
    """Return a completion of method names for questions with these facts; with `every`, also of the word all."""

    def complete(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        from ..methods import find_methods

        methods = find_methods(**facts)
        able = {method.name for method in methods if not questions or method.question in questions}
        names = sorted(able - without)
        return [name for name in (*names, *["all"] * every) if name.startswith(incomplete)]

    return complete


def complete_data(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the names of built-in data sets, or of files."""
    from .example_data import SETS

    names: list[Any] = [name for name in SETS if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


_PLANS = ("10x10", "5x2", "10-fold", "30x(2/3)", "loo", "632", "nested 20x10", "holdout", "delve 8x200")


def complete_plans(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the names of plans."""
    return [name for name in _PLANS if name.startswith(incomplete)]
