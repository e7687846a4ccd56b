"""`tellapart calibrate`: type I error, power and coverage of methods for your own design."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..errors import InvalidInput, InvalidOption
from ..evidence import ErrorCount, IndependentCounts, PairedTable
from ..figures import join_names
from ..lab import calibrate
from .answer_output import check_plot, late_output, output
from .estimate import as_counts
from .file_reading import columns, count_predictions, has_race, refuse_columns
from .help_pages import COUNTS, DATA, DESIGN, RUNNING, SCORES, STATISTICS, grouped_option
from .parameters import (
    ALPHA,
    ALTERNATIVE,
    DIFFERENCES,
    HYPOTHESIS,
    LEVEL,
    PRIOR,
    FilesAndNumbers,
    as_count,
    build_counts,
    complete_data,
    complete_methods,
    complete_plans,
    output_options,
    parse_names,
    plot_option,
)
from .score_tables import RHO

if TYPE_CHECKING:
    from ..lab import Design

_LEARNER_OPTIONS = ("target", "ignore", "learners", "examples", "plan", "sets", "as_they_are")
_SETTINGS = ("differences", "level", "alpha", "alternative", "margin", "hypothesis", "rng", "jobs", "store")
_SLOW = {"boschloo", "two-betas", "unconditional"}  # minutes, if all outcomes are enumerated


def _split_names(ctx: click.Context, parameter: click.Parameter, value: str | None) -> list[str]:
    return parse_names(ctx, parameter, (value,) if value else ())


def _complete_designs(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from .designs import completing_designs

    return completing_designs(ctx, parameter, incomplete)


@click.command("calibrate", cls=FilesAndNumbers, short_help="Measure type I error, power and coverage for your design.")
@click.argument("source", nargs=-1, metavar="[ERRORS TRIALS | FILE...]")
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
    "--scores",
    is_flag=True,
    section=SCORES,
    help="FILE is a table of scores of data sets, or a folder of races.",
)
@RHO
@grouped_option(
    "--design",
    metavar="NAME(...)",
    shell_complete=_complete_designs,
    section=DESIGN,
    help="Design of tellapart.lab with its arguments, such as 'OneRate(0.05, 120)'.",
)
@grouped_option(
    "--data",
    metavar="NAME",
    shell_complete=complete_data,
    section=DATA,
    help="breast_cancer, digits, iris, wine, or a file.",
)
@grouped_option("--target", metavar="COL", section=DATA, help="Column of labels, in a file.")
@grouped_option(
    "--ignore", metavar="COL,...", callback=_split_names, section=DATA, rare=True, help="Columns to leave out."
)
@grouped_option(
    "--learner", "learners", multiple=True, metavar="NAME=CLASS", section=DATA, help="Learner; give it twice."
)
@grouped_option(
    "--examples",
    type=click.IntRange(4),
    section=DATA,
    rare=True,
    help="Rows per sample. [half of them, at most 300]",
)
@grouped_option(
    "--plan",
    metavar="PLAN",
    shell_complete=complete_plans,
    section=DATA,
    help="Cross-validation design. [by method]",
)
@grouped_option(
    "--sets",
    type=click.IntRange(2),
    default=200,
    section=DATA,
    rare=True,
    help="Training sets to measure the true errors on. [200]",
)
@grouped_option(
    "--as-they-are",
    is_flag=True,
    section=DATA,
    rare=True,
    help="Do not damage the better learner until both are equally good.",
)
@grouped_option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME,...",
    callback=parse_names,
    shell_complete=complete_methods(every=True),
    section=STATISTICS,
    help="Methods by name, or all. [usual ones]",
)
@DIFFERENCES
@LEVEL
@ALPHA
@ALTERNATIVE
@grouped_option("--margin", type=float, section=STATISTICS, rare=True, help="Margin of the tests: 0.01 is 1 pp.")
@HYPOTHESIS
@grouped_option(
    "--alone",
    is_flag=True,
    section=STATISTICS,
    rare=True,
    help="Learners: methods for A alone instead of A against B.",
)
@PRIOR
@grouped_option(
    "--rope",
    type=float,
    section=STATISTICS,
    rare=True,
    help="Region of practical equivalence (bayesian-correlated-t).",
)
@grouped_option("--trials", type=as_count, metavar="N", section=RUNNING, help="Simulate N trials. [exact, if possible]")
@grouped_option("--rng", type=click.IntRange(0), default=0, section=RUNNING, help="Seed of the simulation. [0]")
@grouped_option("--jobs", type=click.IntRange(1), default=1, section=RUNNING, rare=True, help="Processes. [1]")
@grouped_option(
    "--store", type=click.Path(dir_okay=False), metavar="FILE", section=RUNNING, help="File to keep finished trials in."
)
@plot_option("p-values, power and coverage")
@columns
@output_options
def command(
    source: tuple[str, ...],
    table: tuple[float, ...] | None,
    independent: tuple[float, ...] | None,
    scores: bool,
    rho: float | None,
    design: str | None,
    data: str | None,
    methods: list[str],
    prior: Any,
    rope: float | None,
    alone: bool,
    trials: float | None,
    plot: str | None,
    html: str | None,
    as_json: bool,
    **parts: Any,
) -> None:
    """Measure type I error, power and coverage of methods for your own design.

    The design is what you observed (the number of examples, the error rates and the discordant rate of counts or
    prediction files, but not their difference), or a design of tellapart.lab. Rates are exact if all outcomes can be
    enumerated, else simulated. With --scores, data sets are resampled under the null hypothesis.

    \b
    Examples:
      tellapart calibrate --table 10 25 10 255
      tellapart calibrate 3 120 --method all
      tellapart calibrate predictions.csv --label species --models forest,stump
      tellapart calibrate --design 'SimulatedLearners(epsilon=0.1)' --trials 1000
      tellapart calibrate --data iris --learner sklearn.svm.SVC \\
        --learner sklearn.svm.LinearSVC --sets 50 --trials 9
    """
    settings = {name: parts.pop(name) for name in _SETTINGS} | {"trials": trials}
    settings |= {"learner": "A"} if alone else {}
    settings |= {name: value for name, value in (("prior", prior), ("rope", rope)) if value is not None}
    if plot is not None:
        check_plot(plot)  # before the trials
    shown = output(as_json=as_json, html=html, spare=(*source, data, settings["store"], plot))
    learner_options = {name: parts.pop(name) for name in _LEARNER_OPTIONS}
    if sum(map(bool, (source, table, independent, design, data))) != 1:
        raise click.UsageError(
            "exactly one of ERRORS TRIALS, FILE, --table, --independent, --design and --data is required."
        )
    if rho is not None and not scores:
        raise InvalidOption("--rho applies to runs on data sets. Give a table of scores with --scores.")
    line = ""
    if scores:
        from ..lab.calibrating import as_design
        from .score_tables import table_of

        _refuse_learners(learner_options)
        observed, line = table_of(source, (), parts, rho=rho)
        population: Design = as_design(observed)
    elif data:
        from .designs import design_of_learners

        refuse_columns(parts, "--data")
        population = design_of_learners(data, rng=settings["rng"], **learner_options)
    else:
        _refuse_learners(learner_options)
        population = _build_design(source, table, independent, design, parts)
    names, left_out = _select_methods(population, methods, settings)
    result = calibrate(names[0] if len(names) == 1 else names or None, population, **settings)
    shown.show(result)
    if not as_json:
        from .all_methods import show_left_out

        show_left_out(left_out)
    if plot is not None:
        from .calibration_reports import draw_calibration

        with late_output(f"--plot {plot!r}"):
            draw_calibration(result, settings, plot)
    if html:
        from .calibration_reports import write_report

        is_count = bool(source) and as_counts(source) is not None
        kinds = {"ErrorCount": source if is_count else (), "PairedTable": table}
        kinds |= {"IndependentCounts.from_counts": independent}
        counts = next((f"ta.{kind}({', '.join(map(str, numbers))})" for kind, numbers in kinds.items() if numbers), "")
        files = () if is_count else source
        write_report(
            shown, result, names, settings, files=files, parts=parts, design=design, counts=counts or line, data=data
        )


# --- The design and the methods --------------------------------------------------------------------------------


def _build_design(
    source: tuple[str, ...],
    table: tuple[float, ...] | None,
    independent: tuple[float, ...] | None,
    design: str | None,
    parts: dict[str, Any],
) -> Design:
    """Return the design of the name, or of what was observed."""
    from ..lab.calibrating import as_design

    count = as_counts(source) if source else None
    if source and count is None:
        return as_design(_read_evidence(source, parts))
    refuse_columns(parts, "--design" if design else "--table" if table else "--independent" if independent else "these")
    if design:
        from .designs import design_from

        return design_from(design)
    if count is not None:
        return as_design(count)
    if table:
        return as_design(build_counts(PairedTable, table, "--table"))
    return as_design(build_counts(IndependentCounts.from_counts, independent or (), "--independent"))


def _refuse_learners(learner_options: dict[str, Any]) -> None:
    """Raise if options of learners are set without data."""
    context = click.get_current_context()
    used = [name for name in learner_options if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    if used:
        name = used[0].replace("learners", "learner").replace("_", "-")
        raise InvalidOption(f"--{name} applies to learners. Name their data: --data iris, or a file.")


def _read_evidence(files: tuple[str, ...], parts: dict[str, Any]) -> ErrorCount | PairedTable:
    if has_race(files):
        raise InvalidOption(
            f"{files[0]} is the store of a race, and its true errors are unknown. Name a design of learners: --design."
        )
    if parts["group"]:
        raise InvalidOption("--group does not apply: a design needs one table. Leave out --group.")
    tally = count_predictions(files, **parts)
    if len(tally.models) > 2:
        raise InvalidOption(
            f"a design needs two models, got {len(tally.models)}: {join_names(tally.models)}. Use --models A,B."
        )
    return tally.paired_table() if len(tally.models) == 2 else tally.error_counts()[0]


def _select_methods(design: Design, methods: list[str], settings: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the methods to measure (none: the usual ones), and why others are left out."""
    from ..methods import find_methods

    every = methods == ["all"]
    if not every and (methods or not getattr(design, "plan", None)):  # a named plan may not suit all
        return methods, []
    selected, left_out = [], []
    names = dict.fromkeys(method.name for kind in design.evidence for method in find_methods(evidence=kind))
    for name in names if every else design.usual:
        reason = _exclusion_reason(name, design, settings)
        left_out += [f"{name}: {reason}"] * bool(reason)
        selected += [name] * (not reason)
    if not selected:
        raise InvalidOption(f"no method applies to this design. {left_out[0]}")
    return selected, left_out


def _exclusion_reason(name: str, design: Design, settings: dict[str, Any]) -> str:
    """Return why a method does not apply to this design, after one trial; an empty text if it does."""
    from ..methods import find_methods

    offers = [method for kind in design.evidence for method in find_methods(name=name, evidence=kind)]
    if settings["trials"] is None and (name in _SLOW or any("rng" in method.options for method in offers)):
        return "slow for every outcome. Name it, or use --trials 1000."
    shared = ("level", "alpha", "alternative", "margin", "hypothesis", "learner", "prior", "rope")
    accepted = [option for method in offers for option in method.options]
    options = {
        key: settings[key] for key in shared if key in settings and (key in accepted or key not in ("prior", "rope"))
    }
    try:
        calibrate(name, design, differences=[] if design.movable else None, trials=1, **options)
    except InvalidInput as reason:
        return str(reason)
    return ""
