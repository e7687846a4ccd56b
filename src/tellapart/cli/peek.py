"""`tellapart peek`: type I error and power of repeated looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click
import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorCount, PairedTable
from ..lab import OneRate, PairedOutcomes, peeking
from .answer_output import output
from .help_pages import DESIGN, RUNNING, STATISTICS, GroupedCommand, grouped_option
from .parameters import (
    ALPHA,
    DIFFERENCES,
    LEVEL,
    as_bets,
    as_count,
    build_counts,
    complete_methods,
    output_options,
    parse_names,
    parse_numbers,
)
from .python_code import write_call, write_program

_PLANNED = ("bonferroni", "obrien-fleming", "pocock", "one look")


def _completing_rules(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    tests = [*complete_methods(gives="test", evidence=PairedTable)(ctx, parameter, incomplete)]
    tests += complete_methods(gives="test", evidence=ErrorCount)(ctx, parameter, incomplete)
    return sorted({*tests, *(name for name in _PLANNED if name.startswith(incomplete))})


@click.command("peek", cls=GroupedCommand, short_help="Show what repeated looks do to type I error and power.")
@grouped_option("--examples", type=as_count, metavar="N", section=DESIGN, help="Examples at the last look.")
@grouped_option("--disagreement", type=float, section=DESIGN, help="Discordant rate of two models.")
@grouped_option(
    "--error",
    type=float,
    section=DESIGN,
    help="True error rate; without --disagreement, of one model tested against a threshold.",
)
@grouped_option("--against", type=float, section=DESIGN, help="Threshold for one model. [its error rate]")
@grouped_option(
    "--table",
    type=as_count,
    nargs=4,
    metavar="N N N N",
    section=DESIGN,
    help="Observed counts instead: both wrong, only A wrong, only B wrong, both right.",
)
@grouped_option(
    "--looks",
    metavar="N|N1,N2,...",
    callback=parse_numbers,
    section=DESIGN,
    help="Number of looks, or the examples at each. [20]",
)
@grouped_option(
    "--rule",
    "rules",
    multiple=True,
    metavar="NAME,...",
    callback=parse_names,
    shell_complete=_completing_rules,
    section=STATISTICS,
    help=f"Tests to repeat at each look, or {', '.join(_PLANNED)}. [usual]",
)
@grouped_option(
    "--test", metavar="NAME", section=STATISTICS, help="Test of 'one look' and bonferroni. [the first rule]"
)
@DIFFERENCES
@LEVEL
@ALPHA
@grouped_option(
    "--prior",
    type=as_bets,
    metavar="K|U,V",
    section=STATISTICS,
    rare=True,
    help="Beta prior of tests that take one: 1, or 0.5,0.5.",
)
@grouped_option("--trials", type=as_count, metavar="N", section=RUNNING, help="Simulate N trials. [exact, if possible]")
@grouped_option("--rng", type=click.IntRange(0), default=0, section=RUNNING, help="Seed of the simulation. [0]")
@output_options
def command(
    examples: float | None,
    disagreement: float | None,
    error: float | None,
    against: float | None,
    table: tuple[float, ...] | None,
    looks: list[float] | None,
    prior: Any,
    html: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Show what repeated looks at a growing test set do to type I error and power.

    A test that is repeated while examples arrive, until p < alpha, rejects a true null hypothesis too often. Rules made
    for repeated looks are shown for comparison. Rates are exact by default.

    \b
    Examples:
      tellapart peek --examples 300 --disagreement 0.1
      tellapart peek --examples 300 --disagreement 0.1 --looks 50,100,200,300
      tellapart peek --table 10 25 10 255 --rule mcnemar-mid-p,mcnemar-evalue
      tellapart peek --examples 500 --error 0.05 --difference 0.02
    """
    shown = output(as_json=as_json, html=html)
    design = _build_design(examples, disagreement, error, against, table)
    sizes = looks[0] if looks is not None and len(looks) == 1 else looks
    options = {"looks": sizes, **options, "rules": options["rules"] or None}
    options |= {} if prior is None else {"prior": prior}
    result = peeking(design, **options)
    shown.show(result)
    shown.write(result, code=_code_lines(design, options), seed=options["rng"] if result.simulated else None)


def _build_design(
    examples: float | None,
    disagreement: float | None,
    error: float | None,
    against: float | None,
    table: tuple[float, ...] | None,
) -> PairedOutcomes | OneRate:
    """Return the design of two models, observed or not, or of one."""
    if table:
        if not (disagreement is None and error is None and against is None):
            raise InvalidOption(
                "--table sets the error and discordant rates. Leave out --disagreement, --error and --against."
            )
        design = PairedOutcomes.from_table(build_counts(PairedTable, table, "--table"))
        return design if examples is None else replace(design, examples=examples)  # type: ignore[arg-type]  # the design checks it
    if disagreement is None and error is None:
        raise click.UsageError("one of --disagreement (two models), --error (one model) and --table is required.")
    if examples is None:
        raise click.UsageError(
            "--examples is required: the number of examples at the last look, such as --examples 1000."
        )
    if disagreement is None:
        return OneRate(error, examples, against)  # type: ignore[arg-type]
    if against is not None:
        raise InvalidOption("--against is the threshold for one model. Leave out --against or --disagreement.")
    if not 0 <= disagreement <= 1:
        raise InvalidOption(
            f"`--disagreement` must be a rate between 0 and 1, got {disagreement:.6g}. For 10% use 0.1."
        )
    mean_error = disagreement / 2 if error is None else error  # the smallest possible: never both wrong
    return PairedOutcomes(mean_error, mean_error, disagreement, examples)  # type: ignore[arg-type]


def _code_lines(design: PairedOutcomes | OneRate, options: dict[str, Any]) -> str:
    """Return the Python code that gives the same result."""
    of_two, of_one = ("error_a", "error_b", "disagreement", "examples"), ("error", "examples", "against")
    values = [getattr(design, name) for name in (of_one if isinstance(design, OneRate) else of_two)]
    numbers = ", ".join(repr(np.asarray(value).item()) for value in values)
    keywords = {name: value for name, value in options.items() if (name, value) != ("rng", 0)}
    call = write_call("lab.peeking", f"lab.{type(design).__name__}({numbers})", **keywords)
    return write_program([f"print({call})"], "tellapart.lab as lab").replace("import tellapart as ta\n", "")
