"""`tellapart coverage`: how often does an interval hold the truth, exactly?"""

from __future__ import annotations

from typing import Any

import click

from ..evidence import ErrorCount
from ..lab import exact_coverage
from .parameters import AS_JSON, PRIOR, as_count, completing, confidence
from .printing import show_result

__all__ = ["command"]


@click.command("coverage")
@click.option("--trials", type=as_count, metavar="N", required=True, help="Number of test examples.")
@click.option(
    "--method",
    metavar="NAME|all",
    default="jeffreys",
    show_default=True,
    shell_complete=completing(every=True, evidence=ErrorCount, gives="interval"),
    help="Interval by name, or all.",
)
@confidence
@click.option("--from", "low", type=float, default=0.0, show_default=True, help="Smallest true error to look at.")
@click.option("--to", "high", type=float, default=1.0, show_default=True, help="Largest true error to look at.")
@click.option(
    "--points",
    type=int,
    default=4000,
    show_default=True,
    help="True errors in that range for mean and width.",
)
@PRIOR
@AS_JSON
def command(
    trials: float,
    method: str,
    level: float | None,
    alpha: float | None,
    side: Any,
    low: float,
    high: float,
    points: int,
    prior: Any,
    as_json: bool,
) -> None:
    """Print the exact coverage of an interval, by enumeration of every outcome.

    \b
    Examples:
      tellapart coverage --trials 120 --method wald
      tellapart coverage --trials 30 --method all --to 0.1
    """
    asked: dict[str, Any] = {
        "within": (low, high),
        "points": points,
        "level": level,
        "alpha": alpha,
        "side": side,
    }
    if method != "all":
        options = {} if prior is None else {"prior": prior}
        answer = exact_coverage(method, trials, **asked, **options)
        if as_json:
            click.echo(answer.to_json())
        else:
            show_result(answer)
        return
    from .every import ask_every_interval, show_left_out, to_json_list

    answers, left_out = ask_every_interval(
        lambda method, **options: exact_coverage(method, trials, **asked, **options),
        {} if prior is None else {"prior": prior},
    )
    if as_json:
        click.echo(to_json_list(answers))
        return
    from .tables import show_table

    rows = [
        (
            found.method,
            f"{found.mean:.4f}",
            f"{found.minimum:.4f}",
            found.place.removeprefix("next to a true error of ").removeprefix("as the true error goes "),
            f"{found.mean_width:.4f}",
        )
        for _, found in answers
    ]
    numbers = ("mean", "minimum", "where", "width")
    show_table(("method", *numbers), rows, numbers)
    show_left_out(left_out)
