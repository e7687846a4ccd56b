"""Arguments and options that commands share."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

import click
from click.shell_completion import CompletionItem


class FilesAndNumbers(click.Command):
    """Let -3 through to the evidence, which says what is wrong with it; refuse other unknown options."""

    ignore_unknown_options = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse what looks like an option and is none."""
        known = [name for parameter in self.get_params(ctx) for name in parameter.opts]
        before = args[: args.index("--")] if "--" in args else args
        for word in before:
            name = word.partition("=")[0]
            if name.startswith("-") and name not in known and name[1:2] not in "0123456789.":
                from difflib import get_close_matches

                raise click.NoSuchOption(name, possibilities=get_close_matches(name, known), ctx=ctx)
        return super().parse_args(ctx, args)


def as_count(value: str) -> int | float:
    """Return a number as it was written; whether it is a count is the evidence's to say."""
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    raise click.BadParameter(f"{value!r} is not a number. Write a count, such as 3.")


def as_beta(value: str) -> tuple[float, float] | str:
    """Return (u, v), or the name of a prior for the method to look up."""
    if not any(character.isdigit() for character in value):
        return value
    try:
        u, v = (float(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a pair U,V. Write for example 0.5,0.5.") from None
    return u, v


def as_bets(value: str) -> float | tuple[float, float] | str:
    """Return one number, κ of a Beta prior that leans to neither side, or what `as_beta` does."""
    try:
        return float(value)
    except ValueError:
        return as_beta(value)


def listed_names(_ctx: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> list[str]:
    """Return names between commas, or said again; refuse a value without a name."""
    names = [part.strip() for text in value for part in text.split(",") if part.strip()]
    if value and not names:
        raise click.BadParameter(f"{','.join(value)!r} holds no name. Write names between commas.")
    return names


def listed_numbers(_ctx: click.Context, _parameter: click.Parameter, value: Any) -> list[float] | None:
    """Return numbers between commas, or said again, and None where nothing is said; whole numbers stay so."""
    if not value:
        return None
    texts = (value,) if isinstance(value, str) else value
    message = f"{','.join(texts)!r} is not a list of numbers. Write numbers between commas."
    try:
        numbers = [as_count(part.strip()) for text in texts for part in text.split(",") if part.strip()]
    except click.BadParameter:
        raise click.BadParameter(message) from None
    if not numbers and any(text.strip() for text in texts):  # an empty text says that there are none
        raise click.BadParameter(message)
    return numbers


PRIOR = click.option("--prior", type=as_beta, metavar="U,V", help="Beta prior for methods that take one, as 0.5,0.5.")
ALTERNATIVE = click.option(
    "--alternative",
    type=click.Choice(["two-sided", "greater", "less"]),
    default="two-sided",
    show_default=True,
    help="greater: the error of A exceeds that of B (B is better).",
)
HYPOTHESIS = click.option(
    "--hypothesis",
    type=click.Choice(["non-inferior", "superior", "equivalent"]),
    help="What is to be shown of the margin.  [default: non-inferior]",
)
DIFFERENCES = click.option(
    "--difference",
    "differences",
    multiple=True,
    metavar="0.01,…",
    callback=listed_numbers,
    help="True differences at which power is measured.  [default: one, two and five points]",
)
AS_HTML = click.option(
    "--html", type=click.Path(), metavar="OUT", help="Write a report, too: one HTML file that needs no other."
)


def plot_option(what: str) -> Callable[..., Any]:
    """Return the option --plot of a command that draws so and so."""
    return click.option(
        "--plot", type=click.Path(dir_okay=False), metavar="FILE", help=f"Draw {what}: .png, .svg, .pdf."
    )


AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, every digit kept.")


def confidence(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --level and --alpha (one number told two ways) and --side."""
    side = click.option(
        "--side",
        type=click.Choice(["two", "upper", "lower"]),
        default="two",
        show_default=True,
        help="Both limits, or a bound on one side.",
    )
    alpha = click.option(
        "--alpha", type=float, help="Error probability, 1 - level; keeps the digits of a level near 1."
    )
    level = click.option("--level", type=float, help="Confidence level in (0, 1).  [default: 0.95]")
    return level(alpha(side(command)))


def completing(
    *questions: int, every: bool = False, without: Set[str] = frozenset(), **facts: Any
) -> Callable[..., list[str]]:
    """Return what completes the names of methods for questions with these facts; with `every`, the word all as well."""

    def complete(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        from ..methods import find_methods

        found = find_methods(**facts)
        able = {method.name for method in found if not questions or method.question in questions}
        names = sorted(able - without)
        return [name for name in (*names, *["all"] * every) if name.startswith(incomplete)]

    return complete


def completing_data(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the names of data sets that come along; else of files."""
    from .examples import SETS

    found: list[Any] = [name for name in SETS if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


_PLANS = ("10x10", "5x2", "10-fold", "30x(2/3)", "loo", "632", "nested 20x10", "holdout", "delve 8x200")


def completing_plans(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the names of plans."""
    return [name for name in _PLANS if name.startswith(incomplete)]
