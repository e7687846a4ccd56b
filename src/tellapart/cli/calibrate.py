"""`tellapart calibrate`: what is a test or an interval really worth, at your own design?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..errors import InvalidInput, InvalidOption
from ..evidence import ErrorCount, IndependentCounts, PairedTable
from ..lab import calibrate
from .estimate import as_counts
from .parameters import (
    ALTERNATIVE,
    DIFFERENCES,
    HYPOTHESIS,
    PRIOR,
    FilesAndNumbers,
    as_count,
    completing,
    completing_data,
    completing_plans,
    listed_names,
    output_options,
    plot_option,
)
from .reading import columns, counted, has_race, refuse_columns
from .reports import late_output, output
from .score_tables import RHO

if TYPE_CHECKING:
    from ..lab import Design

_OF_LEARNERS = ("target", "ignore", "learners", "examples", "plan", "sets", "as_they_are")
_ASKED = ("differences", "level", "alpha", "alternative", "margin", "hypothesis", "rng", "jobs", "store")
_SLOW = {"boschloo", "two-betas", "unconditional"}  # minutes, where all outcomes are listed


def _listed(ctx: click.Context, parameter: click.Parameter, value: str | None) -> list[str]:
    return listed_names(ctx, parameter, (value,) if value else ())


def _designs(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from .designs import completing_designs

    return completing_designs(ctx, parameter, incomplete)


_SECTIONS = {
    "What was observed": "--table --independent --scores --rho",
    "Or a design of which the truth is known": "--design",
    "Or real learners": "--data --target --ignore --learner --examples --plan --sets --as-they-are",
    "What is measured": (
        "--method --difference --level --alpha --alternative --margin --hypothesis --alone --prior --rope"
    ),
    "How": "--trials --rng --jobs --store --plot --html --json --help",
}


class _InSections(FilesAndNumbers):
    """Many options, told in the order in which they are needed; those of files come last."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options section by section."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option) and each.name != "group"]
        left = {each.opts[-1]: record for each in options if (record := each.get_help_record(ctx))}
        for title, names in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([left.pop(name) for name in names.split()])
        with formatter.section("Columns of files"):
            formatter.write_dl(list(left.values()))


@click.command("calibrate", cls=_InSections)
@click.argument("source", nargs=-1, metavar="[ERRORS TRIALS | FILE…]")
@click.option(
    "--table",
    type=as_count,
    nargs=4,
    metavar="BOTH_WRONG ONLY_A_WRONG ONLY_B_WRONG BOTH_RIGHT",
    help="Four counts: two classifiers on one test set.",
)
@click.option(
    "--independent",
    type=as_count,
    nargs=4,
    metavar="E1 N1 E2 N2",
    help="Errors and examples of A, then of B, on two separate test sets.",
)
@click.option(
    "--scores",
    is_flag=True,
    help="FILE is a table of scores of learners on many data sets, or a folder of races; which: --models A,B.",
)
@RHO
@click.option(
    "--design", metavar="NAME(…)", shell_complete=_designs, help="A design of tellapart.lab and its arguments."
)
@click.option(
    "--data",
    metavar="NAME|FILE",
    shell_complete=completing_data,
    help="breast_cancer, digits, iris, wine, or a file with a table.",
)
@click.option("--target", metavar="COL", help="Column of the labels, in a file.")
@click.option("--ignore", metavar="COL,…", callback=_listed, help="Columns that nothing is learned from.")
@click.option("--learner", "learners", multiple=True, metavar="NAME=CLASS", help="A learner; say it twice.")
@click.option("--examples", type=click.IntRange(4), help="How many rows a sample has.  [default: half, up to 300]")
@click.option(
    "--plan", metavar="PLAN", shell_complete=completing_plans, help="How to divide.  [default: as each method wants]"
)
@click.option(
    "--sets",
    type=click.IntRange(2),
    default=200,
    show_default=True,
    help="Training sets that their errors are known by.",
)
@click.option("--as-they-are", is_flag=True, help="Do not damage the better one until both are equally good.")
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME,…|all",
    callback=listed_names,
    shell_complete=completing(every=True),
    help="Methods by name, or all; the usual ones if left out.",
)
@DIFFERENCES
@click.option("--level", type=float, help="1 - alpha, in (0, 1).  [default: 0.95]")
@click.option("--alpha", type=float, help="What tests are asked for: how often they may err where there is nothing.")
@ALTERNATIVE
@click.option("--margin", type=float, help="Measure tests against a margin, such as 0.01 for one point.")
@HYPOTHESIS
@click.option("--alone", is_flag=True, help="Of learners: measure what is said of A alone, not of A against B.")
@PRIOR
@click.option("--rope", type=float, help="Differences of learners that count as none (bayesian-correlated-t).")
@click.option(
    "--trials", type=as_count, metavar="N", help="Simulate so many trials.  [default: enumerate, if possible]"
)
@click.option("--rng", type=click.IntRange(0), default=0, show_default=True, help="Seed of the trials.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes; 1 is this one.")
@click.option("--store", type=click.Path(dir_okay=False), metavar="FILE", help="File that keeps finished trials.")
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
    **given: Any,
) -> None:
    """Measure how often tests err, what they see, and how often intervals hold the truth, at your own design.

    The design is what you observed (counts, or files of predictions as for compare: their number of examples, error
    and disagreement, never their difference), or one of tellapart.lab with its arguments. Outcomes are enumerated where
    they can be listed, and the figures are exact; else trials are simulated, and the figures come with their limits.
    Of a table of scores (--scores) the data sets are drawn again, as if the learners were equally good over them.

    \b
    Examples:
      tellapart calibrate --table 10 25 10 255
      tellapart calibrate --table 10 25 10 255 --method mcnemar-mid-p --difference 0.01,0.03 --plot power.svg
      tellapart calibrate 3 120 --method all --html intervals.html
      tellapart calibrate --independent 30 100 20 100
      tellapart calibrate predictions.csv --label species --models forest,stump
      tellapart calibrate benchmark.csv --scores --models nb,svm --method wilcoxon-signed-rank,sign-test
      tellapart calibrate --design 'PairedOutcomes(0.1, 0.1, disagreement=0.08, examples=300)'
      tellapart calibrate --design 'SimulatedLearners(epsilon=0.1)' --trials 1000
      tellapart calibrate --data iris --learner sklearn.svm.SVC --learner sklearn.svm.LinearSVC --sets 50 --trials 9
    """
    asked = {name: given.pop(name) for name in _ASKED} | {"trials": trials}
    asked |= {"learner": "A"} if alone else {}
    asked |= {name: value for name, value in (("prior", prior), ("rope", rope)) if value is not None}
    if plot is not None:
        from ..report.plots import figure_format

        figure_format(plot)  # nobody waits for trials that cannot be drawn
    how = output(as_json=as_json, html=html, spare=(*source, data, asked["store"], plot))
    of_learners = {name: given.pop(name) for name in _OF_LEARNERS}
    if sum(map(bool, (source, table, independent, design, data))) != 1:
        raise click.UsageError("give one of ERRORS TRIALS, FILE, --table, --independent, --design and --data.")
    if rho is not None and not scores:
        raise InvalidOption("--rho is of the runs on data sets: give a table of scores, and say --scores, too.")
    line = ""
    if scores:
        from ..lab.calibrating import as_design
        from .score_tables import table_of

        _refuse_learners(of_learners)
        observed, line = table_of(source, (), given, rho=rho)
        population: Design = as_design(observed)
    elif data:
        from .designs import design_of_learners

        refuse_columns(given, "--data")
        population = design_of_learners(data, rng=asked["rng"], **of_learners)
    else:
        _refuse_learners(of_learners)
        population = _design(source, table, independent, design, given)
    names, left_out = _chosen(population, methods, asked)
    found = calibrate(names[0] if len(names) == 1 else names or None, population, **asked)
    if as_json:
        click.echo(found.to_json())
    else:
        from .all_methods import show_left_out
        from .calibration_reports import show

        show(found)
        show_left_out(left_out)
    if plot is not None:
        from .calibration_reports import draw

        with late_output(f"--plot {plot!r}"):
            draw(found, asked, plot)
    if html:
        from .calibration_reports import write

        numbers = bool(source) and as_counts(source) is not None
        kinds = {"ErrorCount": source if numbers else (), "PairedTable": table}
        kinds |= {"IndependentCounts.from_counts": independent}
        counts = next((f"ta.{kind}({', '.join(map(str, four))})" for kind, four in kinds.items() if four), "")
        files = () if numbers else source
        write(how, found, names, asked, files=files, parts=given, design=design, counts=counts or line, data=data)


# --- What is asked --------------------------------------------------------------------------------


def _design(
    source: tuple[str, ...],
    table: tuple[float, ...] | None,
    independent: tuple[float, ...] | None,
    design: str | None,
    parts: dict[str, Any],
) -> Design:
    """Return the design: by its name, or as what was observed."""
    from ..lab.calibrating import as_design

    count = as_counts(source) if source else None
    if source and count is None:
        return as_design(_from_files(source, parts))
    refuse_columns(parts, "--design" if design else "--table" if table else "--independent" if independent else "these")
    if design:
        from .designs import design_from

        return design_from(design)
    if count is not None:
        return as_design(count)
    return as_design(PairedTable(*table) if table else IndependentCounts.from_counts(*independent or ()))


def _refuse_learners(of_learners: dict[str, Any]) -> None:
    """Refuse options that speak of learners where there are none."""
    context = click.get_current_context()
    given = [name for name in of_learners if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    if given:
        name = given[0].replace("learners", "learner").replace("_", "-")
        raise InvalidOption(f"--{name} is for real learners. Say which data they learn from: --data NAME or FILE.")


def _from_files(files: tuple[str, ...], parts: dict[str, Any]) -> ErrorCount | PairedTable:
    if has_race(files):
        raise InvalidOption(
            f"{files[0]} is the store of a race, of which nobody knows the truth. Name a design of learners: --design."
        )
    if parts["group"]:
        raise InvalidOption("--group: a design takes one table. Leave --group out.")
    tally = counted(files, **parts)
    if len(tally.models) > 2:
        raise InvalidOption(f"two models make a design, but there are {', '.join(tally.models)}. Say --models A,B.")
    return tally.paired_table() if len(tally.models) == 2 else tally.error_counts()[0]


def _chosen(design: Design, methods: list[str], asked: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the methods to ask (none: the usual ones), and of all that could be meant, why some are left out."""
    from ..methods import find_methods

    every = methods == ["all"]
    if not every and (methods or not getattr(design, "plan", None)):  # a plan that is named may not suit all
        return methods, []
    found, left_out = [], []
    known = dict.fromkeys(each.name for kind in design.evidence for each in find_methods(evidence=kind))
    for name in known if every else design.usual:
        reason = _unable(name, design, asked)
        left_out += [f"{name}: {reason}"] * bool(reason)
        found += [name] * (not reason)
    if not found:
        raise InvalidOption(f"no method has anything to say here. {left_out[0]}")
    return found, left_out


def _unable(name: str, design: Design, asked: dict[str, Any]) -> str:
    """Return why a method has nothing to say of this design, found out by one trial; nothing, if it has."""
    from ..methods import find_methods

    kinds = [each for kind in design.evidence for each in find_methods(name=name, evidence=kind)]
    if asked["trials"] is None and (name in _SLOW or any("rng" in each.options for each in kinds)):
        return "it takes its time for every outcome. Name it, or say --trials 1000."
    known = ("level", "alpha", "alternative", "margin", "hypothesis", "learner", "prior", "rope")
    own = [option for each in kinds for option in each.options]
    taken = {key: asked[key] for key in known if key in asked and (key in own or key not in ("prior", "rope"))}
    try:
        calibrate(name, design, differences=[] if design.movable else None, trials=1, **taken)
    except InvalidInput as reason:
        return str(reason)
    return ""
