"""Answers from the store of a race: estimates or comparisons of its learners."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..rendering import plain
from ..verbs import compare, estimate
from .answer_tables import EstimateTable
from .printing import show_result

if TYPE_CHECKING:
    from ..predictions import Disagreements
    from ..running import Race
    from .answer_output import Output


def open_race(files: tuple[str, ...], parts: dict[str, Any]) -> Race:
    """Return the race in a store; raise InvalidOption for options of columns."""
    from ..running import read_race

    conflicts = [name for name, value in parts.items() if value and name != "missing"]
    if conflicts:
        option = "--id" if conflicts[0] == "key" else f"--{conflicts[0]}"
        raise InvalidOption(f"`{option}` must be left out for the race {files[0]}.")
    if len(files) > 1:
        raise InvalidOption(f"a race store must be the only FILE, got {len(files)}. Choose learners by --learner.")
    if parts.get("missing") == "wrong":
        raise InvalidOption("`--missing` must be fail or drop for a race, got wrong.")
    return read_race(files[0])


def compute_race_answer(
    race: Race, learners: tuple[str, ...], *, metric: str | None, missing: str = "fail", **request: Any
) -> Any:
    """Return the estimate of one learner, the comparison of two or the ranking of more."""
    names = learners or race.learners
    settings: dict[str, Any] = {"metric": metric, "missing": missing, **request}
    return (
        estimate(race, learner=names[0], **settings) if len(names) == 1 else compare(race, learners=names, **settings)
    )


def show_comparison(
    race: Race, file: str, learners: tuple[str, ...], *, metric: str | None, missing: str, how: Output, **request: Any
) -> None:
    """Print the comparison of two learners, or the ranking of several."""
    if len(learners or race.learners) < 2:
        only = ", ".join(learners or race.learners)
        raise InvalidOption(f"two learners are required for a comparison, got {only}. Repeat --learner for another.")
    if request["method"] == "all":
        raise InvalidOption("`--method` must be one method for a race, got all.")
    answer = compute_race_answer(race, learners, metric=metric, missing=missing, **request)
    rows = None if how.examples is None else _find_discordant_rows(race, learners or race.learners, how.examples)
    default = not any(request.get(name) for name in ("method", "margin"))
    how.show(answer, rows, alternatives=default and len(learners or race.learners) == 2)
    how.show_rows(rows)
    _write_report(
        how,
        race,
        file,
        answer,
        "ta.compare",
        {"learners": learners or None, "metric": metric, **request},
        missing,
        rows,
    )


def _find_discordant_rows(race: Race, learners: tuple[str, ...], limit: int) -> Disagreements:
    if len(learners) != 2:
        raise InvalidOption(f"`--examples` needs two learners, got {len(learners)}. Use --learner A --learner B.")
    if not race.plan.one_split:
        raise InvalidOption(
            f"`--examples` needs a race of one split, got plan {race.plan.name!r}. Leave it out, or run `tellapart race"
            " --plan holdout`."
        )
    return race.disagreements(*learners, limit=limit)


def _write_report(
    how: Output,
    race: Race,
    file: str,
    answer: Any,
    verb: str,
    request: dict[str, Any],
    missing: str,
    rows: Disagreements | None = None,
) -> None:
    """Write a report of a store, with the lines that read it."""
    if how.html is None:
        return
    from .python_code import write_call, write_program

    open_race = f"race = {write_call('ta.read_race', repr(file))}"
    policy = {} if missing == "fail" else {"missing": missing}
    lines = [open_race, f"print({write_call(verb, 'race', **request, **policy)})"]
    if isinstance(answer, dict):
        call = write_call(verb, "race", "learner=learner", **request, **policy)
        lines = [open_race, f"for learner in {tuple(answer)!r}:", f"    print(learner, {call}, sep='\\n')"]
    how.write(answer, code=write_program(lines), seed=race.settings.get("rng"), race=race, examples=rows)


def show_estimates(
    race: Race, file: str, learners: tuple[str, ...], *, metric: str | None, missing: str, how: Output, **request: Any
) -> None:
    """Print the metric of each learner."""
    if request["method"] == "all":
        raise InvalidOption("`--method` must be one method for a race, got all.")
    names = learners or race.learners
    answers = {name: compute_race_answer(race, (name,), metric=metric, missing=missing, **request) for name in names}
    if how.as_json:
        entries = [{"learner": name} | answer.as_dict() for name, answer in answers.items()]
        click.echo(json.dumps(plain({"plan": race.plan.name, "learners": entries}), indent=2, ensure_ascii=False))
    else:
        show_result(EstimateTable([(None, name, answer) for name, answer in answers.items()], noun="learner"))
    page = answers if len(answers) > 1 else answers[names[0]]
    settings = {"metric": metric, **request} | ({} if len(answers) > 1 else {"learner": names[0]})
    _write_report(how, race, file, page, "ta.estimate", settings, missing)
