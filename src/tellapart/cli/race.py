"""`tellapart race`: fit learners over a plan, keep every prediction, and say who is better."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..errors import InvalidInput, InvalidOption, TellapartError, import_extra
from ..rendering import plain
from .metrics import COSTS, POSITIVE, of_class
from .parameters import AS_HTML, AS_JSON, completing, completing_data, completing_plans
from .printing import show_result
from .reports import Output, output

if TYPE_CHECKING:
    from ..running import Race


def _shares(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> list[float]:
    try:
        return [float(part) for part in (value or "").split(",") if part.strip()]
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a list of shares. Write for example 0.5,0.75.") from None


def _names(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> list[str]:
    return [part.strip() for part in (value or "").split(",") if part.strip()]


def _metrics(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from ..running.metrics import KNOWN

    return [name for name in KNOWN if name.startswith(incomplete)]


_SETUP = (
    click.option(
        "--data",
        metavar="NAME|FILE",
        shell_complete=completing_data,
        help="breast_cancer, digits, iris, wine, or a file with a table.",
    ),
    click.option("--target", metavar="COL", help="Column of the labels, in a file."),
    click.option("--learner", "learners", multiple=True, metavar="NAME=CLASS", help="A learner; say it for each."),
    click.option(
        "--plan",
        "plans",
        multiple=True,
        metavar="PLAN",
        shell_complete=completing_plans,
        help="How to divide.  [default: 10x10]",
    ),
    click.option("--group", metavar="COL", help="Column of groups that are never divided."),
    click.option("--ignore", metavar="COL,…", callback=_names, help="Columns that nothing is learned from."),
    click.option(
        "--seeds", type=click.IntRange(1), help="Fits of each learner on each split, with other seeds.  [default: 1]"
    ),
    click.option("--learning-curve", metavar="0.5,…", callback=_shares, help="Shares of the training sets, besides."),
    click.option("--no-stratify", is_flag=True, help="Divide without regard to the classes."),
    click.option("--scale/--no-scale", default=None, help="Scale numbers.  [default: where texts stand beside them]"),
    click.option("--rng", type=click.IntRange(0), help="Seed of all that is drawn.  [default: 0]"),
)


def _setup(command: Any) -> Any:
    for option in reversed(_SETUP):
        command = option(command)
    return command


@click.command("race")
@_setup
@click.option("--store", type=click.Path(dir_okay=False), help="File that keeps every finished fit.")
@click.option("--resume", type=click.Path(dir_okay=False), metavar="FILE", help="Finish the race in this store.")
@click.option("--retry-failed", is_flag=True, help="Run the fits again that failed before.")
@click.option("--jobs", type=click.IntRange(1), help="Processes; 1 is this one.  [default: as the race needs]")
@click.option("--dask", metavar="ADDRESS", help="A Dask scheduler to run the fits on, such as tcp://host:8786.")
@click.option("--timeout", type=float, metavar="SECONDS", help="After how long a fit is given up.")
@click.option(
    "--reseeds",
    type=click.IntRange(0),
    help="Race again over so many other seeds of the splits, kept nowhere, and show how p-values vary.",
)
@click.option(
    "--metric",
    shell_complete=_metrics,
    help="What to compare by: error, f1, mcc, cost, auc, log-loss, …  [default: error]",
)
@POSITIVE
@COSTS
@click.option(
    "--missing",
    type=click.Choice(["refuse", "drop"]),
    default="refuse",
    show_default=True,
    help="What becomes of replicates of which a fit failed.",
)
@click.option(
    "--method",
    metavar="NAME",
    shell_complete=completing(question=8),
    help="Test or interval by name; advice picks one if left out.",
)
@AS_HTML
@AS_JSON
def command(
    store: str | None,
    resume: str | None,
    retry_failed: bool,
    jobs: int | None,
    dask: str | None,
    timeout: float | None,
    reseeds: int | None,
    metric: str | None,
    positive: str | None,
    costs: str | None,
    missing: str,
    method: str | None,
    html: str | None,
    as_json: bool,
    **setup: Any,
) -> None:
    """Fit learners on every split of a plan, keep every prediction, and tell who is better.

    A learner is a class by its dotted name, with options that are plain values. A file is CSV, TSV, Parquet, JSON
    lines or Arrow: texts become indicators and missing numbers the median, within each training set. Plans:
    10x10, 5x2, 10-fold, 30x(2/3), loo, 632, nested 20x10, holdout, delve 8x200; say --plan again for parts. What a
    store holds is told again by tellapart estimate FILE and tellapart compare FILE. Races of the same learners on
    several data sets go into one folder, a store for each (--store races/iris.race): tellapart compare races --scores
    tells who is better over these data sets.

    \b
    Examples:
      tellapart race --data wine --learner sklearn.naive_bayes.GaussianNB --learner sklearn.tree.DecisionTreeClassifier
      tellapart race --data iris --plan 5x2 --store new.race --learner 'svm=sklearn.svm.SVC(C=10)' --html race.html
      tellapart race --resume new.race
      tellapart race --data predictions.csv --target species --plan holdout --learner sklearn.naive_bayes.GaussianNB
      tellapart estimate new.race
    """
    if dask and jobs is not None:
        raise InvalidOption("--dask and --jobs exclude each other: the scheduler knows how many workers it has.")
    if retry_failed and not (resume or store):
        raise InvalidOption("--retry-failed is for a race that was kept. Say which: --resume FILE or --store FILE.")
    how = output(as_json=as_json, html=html, spare=(store, resume, setup["data"]))
    chosen = _resumed(resume, store, setup) if resume else _begun(setup, store)
    asked = {"metric": metric, "missing": missing, "method": method} | of_class(positive, costs)
    asked |= {"reseeds": reseeds} if reseeds else {}
    arguments = _arguments(chosen)
    _rehearse(arguments, asked)
    with _executor(dask) as executor:
        from ..running import race

        running = {"retry_failed": retry_failed, "jobs": jobs, "executor": executor, "timeout": timeout}
        held = race(**arguments, settings=chosen, store=resume or store, **running)
        if resume or store:
            how = replace(how, done=f"the race is in {resume or store!r} and the answer was given")
        answer = _show(held, asked, how)
        if html:
            _write(held, answer, chosen, asked, how, typed=setup["data"], store=resume or store)


# --- What is to be run ----------------------------------------------------------------------------


def _begun(setup: dict[str, Any], store: str | None) -> dict[str, Any]:
    """Return the setup in plain values, as a store keeps it."""
    from .learners import named_learners

    if not setup["data"] or not setup["learners"]:
        raise click.UsageError("give --data and at least one --learner, or --resume FILE.")
    if store and _scaled_otherwise(store, setup["scale"]):
        raise InvalidOption(f"--scale or --no-scale must be as for the learners in {store}. Take another store.")
    return setup | {
        "data": _found(setup["data"]),
        "learners": named_learners(setup["learners"]),
        "plans": list(setup["plans"]) or ["10x10"],
        "seeds": 1 if setup["seeds"] is None else setup["seeds"],
        "rng": 0 if setup["rng"] is None else setup["rng"],
    }


def _found(data: str) -> str:
    """Return the name of a data set that comes along, or where a file is."""
    from ..readers.files import path_exists
    from .examples import SETS

    return data if data in SETS or not path_exists(data) else str(Path(data).absolute())


def _scaled_otherwise(store: str, scale: bool | None) -> bool:
    """Whether the store has learners that were prepared in another way."""
    from ..readers.files import path_exists
    from ..running.store import Store

    if not path_exists(store) or not Path(store).is_file() or not Path(store).stat().st_size:
        return False
    with Store(store, reading=True) as file:
        kept = file.settings
    return "learners" in kept and kept.get("scale") != scale


def _resumed(resume: str, store: str | None, setup: dict[str, Any]) -> dict[str, Any]:
    """Return the setup that the store was begun with; where the data are now may be told anew."""
    from ..running import read_race

    context = click.get_current_context()
    named = [name for name in setup if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    given = ["store"] * (store is not None) + [name for name in named if name != "data"]
    if given:
        name = {"learners": "learner", "plans": "plan"}.get(given[0], given[0])
        raise InvalidOption(f"--{name.replace('_', '-')} is kept in {resume}. Leave it out with --resume.")
    kept = dict(read_race(resume).settings)
    if "learners" not in kept:
        raise InvalidInput(
            f"{resume} was not begun by this command. Call race(..., store={resume!r}) again with the same arguments."
        )
    return kept | ({"data": _found(setup["data"])} if setup["data"] else {})


def _arguments(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return what `race` is called with."""
    from .examples import read_examples
    from .learners import learner_from

    learners = {name: learner_from(name, text) for name, text in chosen["learners"].items()}
    examples = read_examples(chosen["data"], target=chosen["target"], group=chosen["group"], ignore=chosen["ignore"])
    plans = chosen["plans"]
    return {
        "learners": {name: examples.prepared(each, scale=chosen["scale"]) for name, each in learners.items()},
        "X": examples.X,
        "y": examples.y,
        "plan": plans[0] if len(plans) == 1 else plans,
        "groups": examples.groups,
        "stratify": not chosen["no_stratify"],
        "seeds": chosen["seeds"],
        "learning_curve": chosen["learning_curve"],
        "rng": chosen["rng"],
    }


def _rehearse(arguments: dict[str, Any], asked: dict[str, Any]) -> None:
    """Ask of made-up predictions what will be asked of the race, so that nobody waits for fits that answer nothing."""
    from ..running.rehearsal import rehearse
    from .stores import answer_of

    if any(asked.get(name) for name in ("metric", "positive", "costs", "method", "reseeds")):
        answer_of(rehearse(**arguments), (), **asked | ({"reseeds": 1} if "reseeds" in asked else {}))


@contextmanager
def _executor(address: str | None) -> Iterator[Any]:
    """Yield a client of the scheduler at this address, or nothing."""
    if address is None:
        yield None
        return
    distributed = import_extra("distributed", "dask")
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InvalidOption(f"--dask: there is no scheduler at {address}: {reason}") from error
    with client:
        yield client


# --- What came of it ------------------------------------------------------------------------------


def _show(race: Race, asked: dict[str, Any], how: Output) -> Any:
    """Print the race, then what it says of its learners; where that cannot be said, why, after the race."""
    from .stores import answer_of, show_advice

    if not how.as_json:
        show_result(race)
        click.echo()
        answer = answer_of(race, (), **asked)
        show_result(answer)
        if len(race.learners) == 2 and asked.get("method") is None:
            show_advice(answer.evidence)
        return answer
    told: dict[str, Any] = {"race": race.as_dict()}
    try:
        answer = answer_of(race, (), **asked)
        told["answer"] = answer.as_dict()
    except TellapartError as error:
        told["refused"] = str(error)
        raise
    finally:
        click.echo(json.dumps(plain(told), indent=2, ensure_ascii=False))
    return answer


def _write(
    race: Race,
    answer: Any,
    chosen: dict[str, Any],
    asked: dict[str, Any],
    how: Output,
    *,
    typed: str | None,
    store: str | None,
) -> None:
    """Write a page: the answer, what was run, and how to have it again."""
    from .examples import SETS
    from .lines import racing

    named = chosen["data"] in SETS
    data: dict[str, str] = {chosen["data"]: "a data set of scikit-learn"} if named else {}
    code = racing(chosen, store, asked, named=named)
    # A resumed race knows where its file was; whoever reads the page was not told that.
    files = () if named or not typed else (typed,)
    how.write(answer, race=race, code=code, files=files, data=data, seed=chosen["rng"])
