"""`tellapart race`: fit learners on the splits of a data set, and compare them."""

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
from .answer_output import Output, output
from .help_pages import DATA, RUNNING, STATISTICS, GroupedCommand, grouped_option
from .metric_options import COSTS, POSITIVE, of_class
from .parameters import complete_data, complete_methods, complete_plans, output_options
from .printing import requested_output, show_result

if TYPE_CHECKING:
    from ..running import Race


def _split_fractions(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> list[float]:
    try:
        return [float(number) for number in (value or "").split(",") if number.strip()]
    except ValueError:
        raise click.BadParameter(f"`--learning-curve` must be fractions, such as 0.5,0.75, got {value!r}.") from None


def _split_names(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> list[str]:
    return [name.strip() for name in (value or "").split(",") if name.strip()]


def _complete_metrics(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from ..running.metrics import KNOWN

    return [name for name in KNOWN if name.startswith(incomplete)]


_SETUP = (
    grouped_option(
        "--data",
        metavar="NAME|FILE",
        shell_complete=complete_data,
        section=DATA,
        help="breast_cancer, digits, iris, wine, or a file with a table.",
    ),
    grouped_option("--target", metavar="COL", section=DATA, help="True labels, in a file."),
    grouped_option(
        "--learner",
        "learners",
        multiple=True,
        metavar="[NAME=]CLASS",
        section=DATA,
        help="Learner: a dotted class name with options; repeatable.",
    ),
    grouped_option(
        "--plan",
        "plans",
        multiple=True,
        metavar="PLAN",
        shell_complete=complete_plans,
        section=DATA,
        help="Resampling plan: 10x10, 5x2, 10-fold, loo, 632, ... [10x10]",
    ),
    grouped_option("--group", metavar="COL", section=DATA, help="Groups that stay together in every split."),
    grouped_option(
        "--ignore", metavar="COL,...", callback=_split_names, section=DATA, rare=True, help="Columns to leave out."
    ),
    grouped_option(
        "--seeds",
        type=click.IntRange(1),
        metavar="N",
        section=DATA,
        rare=True,
        help="Fits of each learner on each split, with different seeds. [1]",
    ),
    grouped_option(
        "--learning-curve",
        metavar="0.5,...",
        callback=_split_fractions,
        section=DATA,
        rare=True,
        help="Further fits on these fractions of each training set.",
    ),
    grouped_option("--no-stratify", is_flag=True, section=DATA, rare=True, help="Split without regard to the classes."),
    grouped_option(
        "--scale/--no-scale",
        default=None,
        section=DATA,
        rare=True,
        help="Scale numeric columns. [if there are text columns]",
    ),
    grouped_option("--rng", type=click.IntRange(0), metavar="N", section=DATA, help="Random seed. [0]"),
)


def _setup_options(command: Any) -> Any:
    for option in reversed(_SETUP):
        command = option(command)
    return command


@click.command("race", cls=GroupedCommand, short_help="Fit learners on the splits of a data set, and compare them.")
@_setup_options
@grouped_option(
    "--store",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    section=RUNNING,
    help="Keep every finished fit in this file.",
)
@grouped_option(
    "--resume", type=click.Path(dir_okay=False), metavar="FILE", section=RUNNING, help="Finish the race in this store."
)
@grouped_option("--retry-failed", is_flag=True, section=RUNNING, rare=True, help="Repeat the fits that failed.")
@grouped_option(
    "--jobs", type=click.IntRange(1), metavar="N", section=RUNNING, help="Number of processes. [by the race's size]"
)
@grouped_option(
    "--dask", metavar="ADDRESS", section=RUNNING, rare=True, help="Dask scheduler, such as tcp://host:8786."
)
@grouped_option(
    "--timeout", type=float, metavar="SECONDS", section=RUNNING, rare=True, help="Time limit of each fit. [none]"
)
@grouped_option(
    "--reseeds",
    type=click.IntRange(0),
    metavar="N",
    section=STATISTICS,
    rare=True,
    help="Repeat the race with N other seeds of the splits, and show how p-values vary. [0]",
)
@grouped_option(
    "--metric",
    metavar="NAME",
    shell_complete=_complete_metrics,
    section=STATISTICS,
    help="accuracy, error, f1, auc, log-loss, ... [accuracy]",
)
@POSITIVE
@COSTS
@grouped_option(
    "--method",
    metavar="NAME",
    shell_complete=complete_methods(question=8),
    section=STATISTICS,
    help="Test or interval. [recommended for the plan]",
)
@grouped_option(
    "--missing",
    type=click.Choice(["fail", "drop", "refuse"]),  # "refuse" is a deprecated alias of "fail"
    default="fail",
    metavar="POLICY",
    section=STATISTICS,
    rare=True,
    help="Replicates with a failed fit: fail or drop. [fail]",
)
@output_options
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
    """Fit learners on the splits of a data set, and compare them.

    A learner is a class by its dotted name, with options that are plain values. In a file (CSV, TSV, Parquet, JSON
    lines, Arrow) text columns are one-hot encoded and missing numbers imputed within each training set. Several stores
    in one folder are compared by: tellapart compare FOLDER --scores.

    \b
    Examples:
      tellapart race --data wine --learner sklearn.naive_bayes.GaussianNB \\
        --learner sklearn.tree.DecisionTreeClassifier
      tellapart race --data iris --plan 5x2 --store new.race \\
        --learner nb=sklearn.naive_bayes.GaussianNB \\
        --learner 'svm=sklearn.svm.SVC(C=10)'
      tellapart race --resume new.race
      tellapart race --data predictions.csv --target species --plan holdout \\
        --learner sklearn.naive_bayes.GaussianNB
      tellapart estimate new.race
    """
    if dask and jobs is not None:
        raise InvalidOption("`--jobs` must be left out with --dask, whose scheduler has its own workers.")
    if retry_failed and not (resume or store):
        raise InvalidOption("`--retry-failed` needs a stored race: --resume FILE or --store FILE.")
    how = output(as_json=as_json, html=html, spare=(store, resume, setup["data"]))
    chosen = _stored_setup(resume, store, setup) if resume else _new_setup(setup, store)
    request = {"metric": metric, "missing": missing, "method": method} | of_class(positive, costs)
    request |= {"reseeds": reseeds} if reseeds else {}
    arguments = _race_arguments(chosen)
    _rehearse_race(arguments, request)
    with _connect_executor(dask) as executor:
        from ..running import race

        running = {"retry_failed": retry_failed, "jobs": jobs, "executor": executor, "timeout": timeout}
        finished = race(**arguments, settings=chosen, store=resume or store, **running)
        if resume or store:
            how = replace(how, done=f"the race is in {resume or store!r} and the answer was given")
        answer = _show_answer(finished, request, how)
        if html:
            _write_report(finished, answer, chosen, request, how, typed=setup["data"], store=resume or store)


# --- The setup ------------------------------------------------------------------------------------


def _new_setup(setup: dict[str, Any], store: str | None) -> dict[str, Any]:
    """Return the setup in plain values, as stored."""
    from .learner_parsing import named_learners

    if not setup["data"] or not setup["learners"]:
        raise click.UsageError("`--data` and `--learner` are required, or `--resume FILE`.")
    if store and _scaled_otherwise(store, setup["scale"]):
        raise InvalidOption(f"`--scale` or `--no-scale` must be as in {store}. Choose another store.")
    return setup | {
        "data": _resolve_data(setup["data"]),
        "learners": named_learners(setup["learners"]),
        "plans": list(setup["plans"]) or ["10x10"],
        "seeds": 1 if setup["seeds"] is None else setup["seeds"],
        "rng": 0 if setup["rng"] is None else setup["rng"],
    }


def _resolve_data(data: str) -> str:
    """Return the name of a built-in data set, or the path of a file."""
    from ..readers.files import path_exists
    from .example_data import SETS

    return data if data in SETS or not path_exists(data) else str(Path(data).absolute())


def _scaled_otherwise(store: str, scale: bool | None) -> bool:
    """Return whether the learners of the store have other preprocessing."""
    from ..readers.files import path_exists
    from ..running.store import RaceStore

    if not path_exists(store) or not Path(store).is_file() or not Path(store).stat().st_size:
        return False
    with RaceStore(store, reading=True) as file:
        kept = file.settings
    return "learners" in kept and kept.get("scale") != scale


def _stored_setup(resume: str, store: str | None, setup: dict[str, Any]) -> dict[str, Any]:
    """Return the stored setup, with a new path of the data if there is one."""
    from ..running import read_race

    context = click.get_current_context()
    named = [name for name in setup if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    conflicts = ["store"] * (store is not None) + [name for name in named if name != "data"]
    if conflicts:
        name = {"learners": "learner", "plans": "plan"}.get(conflicts[0], conflicts[0])
        raise InvalidOption(f"`--{name.replace('_', '-')}` must be left out with --resume: it is stored in {resume}.")
    kept = dict(read_race(resume).settings)
    if "learners" not in kept:
        raise InvalidInput(
            f"{resume} was not written by this command. Call race(..., store={resume!r}) with the same arguments."
        )
    return kept | ({"data": _resolve_data(setup["data"])} if setup["data"] else {})


def _race_arguments(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `race`."""
    from .example_data import read_examples
    from .learner_parsing import learner_from

    learners = {name: learner_from(name, text) for name, text in chosen["learners"].items()}
    examples = read_examples(chosen["data"], target=chosen["target"], group=chosen["group"], ignore=chosen["ignore"])
    plans = chosen["plans"]
    return {
        "learners": {name: examples.prepared(learner, scale=chosen["scale"]) for name, learner in learners.items()},
        "X": examples.X,
        "y": examples.y,
        "plan": plans[0] if len(plans) == 1 else plans,
        "groups": examples.groups,
        "stratify": not chosen["no_stratify"],
        "seeds": chosen["seeds"],
        "learning_curve": chosen["learning_curve"],
        "rng": chosen["rng"],
    }


def _rehearse_race(arguments: dict[str, Any], request: dict[str, Any]) -> None:
    """Compute the answer from made-up predictions, so that bad options fail before any fit."""
    from ..running.rehearsal import rehearse
    from .race_answers import compute_race_answer

    if any(request.get(name) for name in ("metric", "positive", "costs", "method", "reseeds")):
        compute_race_answer(rehearse(**arguments), (), **request | ({"reseeds": 1} if "reseeds" in request else {}))


@contextmanager
def _connect_executor(address: str | None) -> Iterator[Any]:
    """Yield a client of the scheduler at this address, or nothing."""
    if address is None:
        yield None
        return
    distributed = import_extra("distributed", "dask")
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InvalidOption(f"`--dask` must be the address of a scheduler, got {address}: {reason}") from error
    with client:
        yield client


# --- The answer -----------------------------------------------------------------------------------


def _show_answer(race: Race, request: dict[str, Any], how: Output) -> Any:
    """Print the answer; JSON with the race, and the reason if there is no answer."""
    from .race_answers import compute_race_answer

    if not how.as_json:
        answer = compute_race_answer(race, (), **request)
        if requested_output("verbose"):
            show_result(race, explain=False)
            click.echo()
        default = len(race.learners) == 2 and request.get("method") is None
        how.show(answer, notes=_reseeded_notes(answer, request), alternatives=default)
        return answer
    document: dict[str, Any] = {"race": race.as_dict()}
    try:
        answer = compute_race_answer(race, (), **request)
        document["answer"] = answer.as_dict()
    except TellapartError as error:
        document["refused"] = str(error)
        raise
    finally:
        click.echo(json.dumps(plain(document), indent=2, ensure_ascii=False))
    return answer


def _reseeded_notes(answer: Any, request: dict[str, Any]) -> list[str]:
    """Return how p-values vary over other seeds of the splits, for --reseeds; --verbose always includes it."""
    if not request.get("reseeds") or requested_output("verbose"):
        return []
    return [row.text for row in answer.display(verbose=True).rows if row.label == "splits"]


def _write_report(
    race: Race,
    answer: Any,
    chosen: dict[str, Any],
    request: dict[str, Any],
    how: Output,
    *,
    typed: str | None,
    store: str | None,
) -> None:
    """Write a report: the answer, what was run, and how to reproduce it."""
    from .example_data import SETS
    from .python_code import write_race

    named = chosen["data"] in SETS
    data: dict[str, str] = {chosen["data"]: "a data set of scikit-learn"} if named else {}
    code = write_race(chosen, store, request, named=named)
    # A resumed race has a path that the command line does not show.
    files = () if named or not typed else (typed,)
    how.write(answer, race=race, code=code, files=files, data=data, seed=chosen["rng"])
