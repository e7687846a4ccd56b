"""`tellapart coverage`: the exact coverage of intervals for one error rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..evidence import ErrorCount
from ..lab import exact_coverage
from ..methods import find_method
from .answer_output import Output, check_plot, late_output, output
from .help_pages import DESIGN, STATISTICS, GroupedCommand, grouped_option
from .parameters import PRIOR, as_count, complete_methods, confidence_options, output_options, parse_names, plot_option

if TYPE_CHECKING:
    from ..methods import Offer
    from ..results import Coverage


@click.command("coverage", cls=GroupedCommand, short_help="Compute the exact coverage of intervals for an error rate.")
@grouped_option("--trials", type=as_count, metavar="N", required=True, section=DESIGN, help="Test examples.")
@grouped_option("--from", "low", type=float, default=0.0, section=DESIGN, help="Smallest true error rate. [0]")
@grouped_option("--to", "high", type=float, default=1.0, section=DESIGN, help="Largest true error rate. [1]")
@grouped_option(
    "--points",
    type=int,
    default=4000,
    section=DESIGN,
    rare=True,
    help="Error rates in that range for mean and width. [4000]",
)
@grouped_option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME,...",
    default=["jeffreys"],
    callback=parse_names,
    shell_complete=complete_methods(every=True, evidence=ErrorCount, gives="interval"),
    section=STATISTICS,
    help="Intervals by name, or all. [jeffreys]",
)
@confidence_options
@PRIOR
@plot_option("coverage over the true error rate")
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
    """Compute the exact coverage of intervals by enumeration of all outcomes.

    \b
    Examples:
      tellapart coverage --trials 120 --method wald
      tellapart coverage --trials 30 --method all --to 0.1
      tellapart coverage --trials 50 --method wald,wilson --plot coverage.svg
      tellapart coverage --trials 120 --method jeffreys --html coverage.html
    """
    if plot is not None:
        check_plot(plot)  # before the work
    if not 0 <= low < high <= 1:
        raise InvalidOption(f"--from and --to must be error rates, 0 <= from < to <= 1, got {low:g} and {high:g}.")
    shown = output(as_json=as_json, html=html, spare=(plot,))
    settings: dict[str, Any] = {
        "within": (low, high),
        "points": points,
        "level": level,
        "alpha": alpha,
        "side": side,
    }
    options = {} if prior is None else {"prior": prior}
    answers, left_out = _compute_coverages(methods, trials, settings, options)
    coverages = [coverage for _, coverage in answers]
    if len(methods) == 1 and methods != ["all"]:
        shown.show(coverages[0])
    else:
        _show_several(shown, answers, left_out)
    if plot is not None:
        from ..report.plots import coverage, save

        with late_output(f"--plot {plot!r}"):
            save(coverage(coverages), plot)
    if html:
        _write_report(shown, coverages, trials, settings, options)


def _compute_coverages(
    methods: list[str], trials: float, settings: dict[str, Any], options: dict[str, Any]
) -> tuple[list[tuple[Offer, Any]], list[str]]:
    """Return the coverage of the methods named, or of all that apply, and why others are left out."""
    if methods != ["all"]:
        offers = [find_method(name, "interval", ErrorCount) for name in dict.fromkeys(methods)]
        return [(method, exact_coverage(method, trials, **settings, **options)) for method in offers], []
    from .all_methods import compute_intervals

    return compute_intervals(lambda method, **extra: exact_coverage(method, trials, **settings, **extra), options)


def _show_several(shown: Output, answers: list[tuple[Offer, Any]], left_out: list[str]) -> None:
    """Print a line for each method."""
    from ..results.coverage import Coverages
    from .all_methods import show_left_out, to_json_list

    if shown.as_json:
        click.echo(to_json_list(answers))
        return
    shown.show(Coverages(each=tuple(coverage for _, coverage in answers)))
    show_left_out(left_out)


def _write_report(
    shown: Output, coverages: list[Coverage], trials: float, settings: dict[str, Any], options: dict[str, Any]
) -> None:
    """Write the page, with the Python code that gives the same result."""
    from ..methods import find_methods
    from .python_code import write_coverage

    names = [coverage.method for coverage in coverages]
    offers = [method for name in names for method in find_methods(name=name, evidence=ErrorCount, gives="interval")]
    defaults = {"within": (0.0, 1.0), "points": 4000}
    keywords = {name: value for name, value in (settings | options).items() if defaults.get(name) != value}
    uniform = all(option in method.options for option in options for method in offers)  # one call serves them all
    draws = any("rng" in method.options for method in offers)
    code = write_coverage(names, trials, keywords) if uniform else ""
    shown.write(coverages[0] if len(coverages) == 1 else coverages, code=code, seed=0 if draws else None)
