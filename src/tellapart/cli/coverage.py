"""`tellapart coverage`: how often does an interval hold the truth, exactly?"""

from __future__ import annotations

import json
from typing import Any

import click

from ..errors import InvalidOption
from ..lab import exact_coverage
from ..methods import find_methods
from ..rendering import plain
from .parameters import AS_JSON, PRIOR, as_count, complete_intervals, confidence

__all__ = ["command"]


@click.command("coverage")
@click.option("--trials", type=as_count, metavar="N", required=True, help="Number of test examples.")
@click.option(
    "--method",
    metavar="NAME|all",
    default="jeffreys",
    show_default=True,
    shell_complete=complete_intervals,
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
        click.echo(answer.to_json() if as_json else answer)
        return
    answers = list(_each(trials, asked, prior))
    if as_json:
        click.echo(json.dumps([plain(answer.as_dict()) for answer in answers], indent=2, ensure_ascii=False))
        return
    from .tables import show_table

    rows = [
        (
            each.method,
            f"{each.mean:.4f}",
            f"{each.minimum:.4f}",
            each.place.removeprefix("next to a true error of ").removeprefix("as the true error goes "),
            f"{each.mean_width:.4f}",
        )
        for each in answers
    ]
    numbers = ("mean", "minimum", "where", "width")
    show_table(("method", *numbers), rows, numbers)


def _each(trials: float, asked: dict[str, Any], prior: Any) -> Any:
    for method in find_methods(gives="interval", question=1):
        options = {"prior": prior} if prior is not None and "prior" in method.options else {}
        if set(method.required) - set(options):
            continue
        try:
            yield exact_coverage(method, trials, **asked, **options)
        except InvalidOption:
            if method.name.startswith("jeffreys-"):  # fitted for 95 % only
                continue
            raise
