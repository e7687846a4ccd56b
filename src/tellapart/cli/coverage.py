"""`tellapart coverage`: how often does an interval hold the truth, exactly?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..evidence import ErrorCount
from ..lab import exact_coverage
from ..methods import find_method
from .help_pages import GroupedCommand
from .parameters import PRIOR, as_count, completing, confidence, listed_names, output_options, plot_option
from .reports import Output, late_output, output

if TYPE_CHECKING:
    from ..methods import Offer
    from ..results import Coverage


@click.command("coverage", cls=GroupedCommand)
@click.option("--trials", type=as_count, metavar="N", required=True, help="Number of test examples.")
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME,…|all",
    default=["jeffreys"],
    show_default=True,
    callback=listed_names,
    shell_complete=completing(every=True, evidence=ErrorCount, gives="interval"),
    help="Intervals by name, or all.",
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
@plot_option("coverage over the true error")
@output_options
def command(
    trials: float,
    methods: list[str],
    level: float | None,
    alpha: float | None,
    side: Any,
    low: float,
    high: float,
    points: int,
    prior: Any,
    plot: str | None,
    html: str | None,
    as_json: bool,
) -> None:
    """Print the exact coverage of intervals, by enumeration of every outcome.

    \b
    Examples:
      tellapart coverage --trials 120 --method wald
      tellapart coverage --trials 30 --method all --to 0.1
      tellapart coverage --trials 50 --method wald,wilson --plot coverage.svg
      tellapart coverage --trials 120 --method jeffreys --html coverage.html
    """
    if plot is not None:
        from ..report.plots import figure_format

        figure_format(plot)  # nobody waits for what cannot be drawn
    how = output(as_json=as_json, html=html, spare=(plot,))
    asked: dict[str, Any] = {
        "within": (low, high),
        "points": points,
        "level": level,
        "alpha": alpha,
        "side": side,
    }
    options = {} if prior is None else {"prior": prior}
    answers, left_out = _ask(methods, trials, asked, options)
    found = [answer for _, answer in answers]
    if len(methods) == 1 and methods != ["all"]:
        how.show(found[0])
    else:
        _show_several(how, answers, left_out)
    if plot is not None:
        from ..report.plots import coverage, save

        with late_output(f"--plot {plot!r}"):
            save(coverage(found), plot)
    if html:
        _write(how, found, trials, asked, options)


def _ask(
    methods: list[str], trials: float, asked: dict[str, Any], options: dict[str, Any]
) -> tuple[list[tuple[Offer, Any]], list[str]]:
    """Return the coverage of the methods named, or of all that can be asked, and why others are left out."""
    if methods != ["all"]:
        found = [find_method(name, "interval", ErrorCount) for name in dict.fromkeys(methods)]
        return [(method, exact_coverage(method, trials, **asked, **options)) for method in found], []
    from .all_methods import compute_intervals

    return compute_intervals(lambda method, **own: exact_coverage(method, trials, **asked, **own), options)


def _show_several(how: Output, answers: list[tuple[Offer, Any]], left_out: list[str]) -> None:
    """Print a line for each method."""
    from .all_methods import show_left_out, to_json_list
    from .tables import show_table

    if how.as_json:
        click.echo(to_json_list(answers))
        return
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


def _write(how: Output, found: list[Coverage], trials: float, asked: dict[str, Any], options: dict[str, Any]) -> None:
    """Write the page, with the lines that find the same."""
    from ..methods import find_methods
    from .python_code import write_coverage

    names = [each.method for each in found]
    known = [method for name in names for method in find_methods(name=name, evidence=ErrorCount, gives="interval")]
    usual = {"within": (0.0, 1.0), "points": 4000}  # what need not be said
    said = {name: value for name, value in (asked | options).items() if usual.get(name) != value}
    alike = all(option in method.options for option in options for method in known)  # else no one call asks them all
    draws = any("rng" in method.options for method in known)
    code = write_coverage(names, trials, said) if alike else ""
    how.write(found[0] if len(found) == 1 else found, code=code, seed=0 if draws else None)
