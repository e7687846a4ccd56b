"""`tellapart peek`: what does looking early do to the figures?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click
import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorCount, PairedTable
from ..lab import OneRate, PairedOutcomes, Peeking, peeking
from ..rendering import folded
from .help_pages import GroupedCommand
from .parameters import DIFFERENCES, as_bets, as_count, completing, listed_names, listed_numbers, output_options
from .python_code import write_call, write_program
from .reports import output

_PLANNED = ("bonferroni", "obrien-fleming", "pocock", "one look")


def _completing_rules(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    tests = [*completing(gives="test", evidence=PairedTable)(ctx, parameter, incomplete)]
    tests += completing(gives="test", evidence=ErrorCount)(ctx, parameter, incomplete)
    return sorted({*tests, *(name for name in _PLANNED if name.startswith(incomplete))})


@click.command("peek", cls=GroupedCommand)
@click.option("--examples", type=as_count, metavar="N", help="How many examples there are at the last look.")
@click.option("--disagreement", type=float, help="How often one of two classifiers is right and the other wrong.")
@click.option(
    "--error",
    type=float,
    help="True error; without --disagreement, of one classifier that is tested against a threshold.",
)
@click.option("--against", type=float, help="The threshold for one classifier.  [default: its true error]")
@click.option(
    "--table",
    type=as_count,
    nargs=4,
    metavar="BOTH_WRONG ONLY_A_WRONG ONLY_B_WRONG BOTH_RIGHT",
    help="Take size, errors and disagreement from what was observed.",
)
@click.option(
    "--looks",
    metavar="N|N1,N2,…",
    callback=listed_numbers,
    help="How many looks, or after how many examples.  [default: 20, or as many as there are examples]",
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="NAME,…",
    callback=listed_names,
    shell_complete=_completing_rules,
    help=f"A test that is asked at every look, or {', '.join(_PLANNED)}.  [default: the usual ones]",
)
@click.option("--test", metavar="NAME", help="The test of 'one look' and bonferroni.  [default: the first rule]")
@DIFFERENCES
@click.option("--level", type=float, help="1 - alpha, in (0, 1).  [default: 0.95]")
@click.option("--alpha", type=float, help="How often a rule may decide where there is nothing to find.")
@click.option("--prior", type=as_bets, metavar="K|U,V", help="Beta prior for tests that take one, as 1 or 0.5,0.5.")
@click.option("--trials", type=as_count, metavar="N", help="Simulate so many trials.  [default: exact, if possible]")
@click.option("--rng", type=click.IntRange(0), default=0, show_default=True, help="Seed of the trials.")
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
    **asked: Any,
) -> None:
    """Show what looking while examples arrive does: false alarms, power, examples at the stop, limits that held.

    Whoever looks at a p-value again and again and stops when it is small errs more often than it says. This follows
    every course that the counts may take, and shows the naive way beside rules that were made for looking.

    \b
    Examples:
      tellapart peek --examples 300 --disagreement 0.1
      tellapart peek --examples 300 --disagreement 0.1 --looks 50,100,200,300 --difference 0.05 --html peek.html
      tellapart peek --table 10 25 10 255 --rule mcnemar-mid-p,mcnemar-evalue
      tellapart peek --examples 500 --error 0.05 --difference 0.02
    """
    how = output(as_json=as_json, html=html)
    design = _design(examples, disagreement, error, against, table)
    looked = looks[0] if looks is not None and len(looks) == 1 else looks
    asked = {"looks": looked, **asked, "rules": asked["rules"] or None}
    asked |= {} if prior is None else {"prior": prior}
    found = peeking(design, **asked)
    how.show(found)
    if not as_json:
        _explain(found)
    how.write(found, code=_lines(design, asked), seed=asked["rng"] if found.simulated else None)


def _design(
    examples: float | None,
    disagreement: float | None,
    error: float | None,
    against: float | None,
    table: tuple[float, ...] | None,
) -> PairedOutcomes | OneRate:
    """Return the design: two classifiers, observed or not, or one."""
    if table:
        if not (disagreement is None and error is None and against is None):
            raise InvalidOption("--table tells errors and disagreement. Leave --disagreement, --error, --against out.")
        design = PairedOutcomes.from_table(PairedTable(*table))
        return design if examples is None else replace(design, examples=examples)  # type: ignore[arg-type]  # it says what is wrong with it
    if disagreement is None and error is None:
        raise click.UsageError("say --disagreement for two classifiers, --error for one, or --table.")
    if examples is None:
        raise click.UsageError("say how many examples there are at the last look: --examples 1000.")
    if disagreement is None:
        return OneRate(error, examples, against)  # type: ignore[arg-type]
    if against is not None:
        raise InvalidOption("--against is a threshold for one classifier. Leave out --against, or --disagreement.")
    middle = disagreement / 2 if error is None else error  # at least: never wrong together
    return PairedOutcomes(middle, middle, disagreement, examples)  # type: ignore[arg-type]


def _explain(found: Peeking) -> None:
    """Say what the columns mean, to who has never met them."""
    told = [
        ("false alarms", f"how often it ever decides where there is nothing to find; {found.alpha:g} was asked for")
    ]
    if found.effects.size:
        text = "how often it ever sees a true difference (0.01 is one point), and after how many examples on average"
        told.append(("power", text))
    if any(each.held is not None for each in found):
        text = "how often the limits that go with the rule hold the truth at every look, where they do so least often"
        told.append(("held", text))
    click.echo()
    for label, value in told:
        click.echo(folded(f"{label:<14}", value))


def _lines(design: PairedOutcomes | OneRate, asked: dict[str, Any]) -> str:
    """Return the lines that find the same again."""
    of_two, of_one = ("error_a", "error_b", "disagreement", "examples"), ("error", "examples", "against")
    parts = [getattr(design, name) for name in (of_one if isinstance(design, OneRate) else of_two)]
    numbers = ", ".join(repr(np.asarray(part).item()) for part in parts)
    own = {name: value for name, value in asked.items() if (name, value) != ("rng", 0)}
    call = write_call("lab.peeking", f"lab.{type(design).__name__}({numbers})", **own)
    return write_program([f"print({call})"], "tellapart.lab as lab").replace("import tellapart as ta\n", "")
