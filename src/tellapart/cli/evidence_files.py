"""Answers from files that a converter of an installed package reads as evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..rendering import plain
from ..verbs import compare, estimate
from .answer_tables import EstimateTable
from .printing import show_result

if TYPE_CHECKING:
    from .answer_output import Output

_TABLES = (".csv", ".tsv", ".parquet", ".arrow", ".feather")  # which no converter reads


def has_evidence(files: tuple[str, ...]) -> bool:
    """Return whether a converter reads one of the files, by its name."""
    others = [file for file in files if Path(file).suffix.lower() not in _TABLES]
    if not others:
        return False
    from ..verbs.dispatch import is_file_of_evidence

    return any(map(is_file_of_evidence, others))


def show_comparison(
    files: tuple[str, ...], learners: tuple[str, ...], request: dict[str, Any], stray: Mapping[str, Any], how: Output
) -> None:
    """Print a comparison or a ranking; options of other sources in `stray` are refused."""
    file = _single_file(files, stray, request["method"], how)
    options = {name: value for name, value in request.items() if value is not None} | _learner_options(learners)
    answer = compare(file, **options)
    how.show(answer)
    _write_report(how, answer, "ta.compare", file, options)


def show_estimates(
    files: tuple[str, ...], learners: tuple[str, ...], request: dict[str, Any], stray: Mapping[str, Any], how: Output
) -> None:
    """Print the metric of each model."""
    from ..verbs.dispatch import as_evidence
    from ..verbs.request import Request

    file = _single_file(files, stray, request["method"], how)
    options = {name: value for name, value in request.items() if value is not None}
    models = learners or as_evidence(file, Request())[0].models
    answers = {model: estimate(file, learner=model, **options) for model in models}
    if how.as_json:
        named = [{"model": model} | answer.as_dict() for model, answer in answers.items()]
        click.echo(json.dumps(plain({"models": named}), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        show_result(EstimateTable([(None, model, answer) for model, answer in answers.items()]))
    _write_report(how, answers, "ta.estimate", file, options)


def _learner_options(learners: tuple[str, ...]) -> dict[str, Any]:
    return {"learners": learners} if learners else {}


def _single_file(files: tuple[str, ...], stray: Mapping[str, Any], method: str | None, how: Output) -> str:
    """Return the one file; raise InvalidOption for options that it excludes."""
    from ..readers.files import files_of

    if len(files) > 1:
        raise InvalidOption(f"{files[0]} must be the only FILE, got {len(files)}.")
    conflicts = [name for name, value in stray.items() if value and not (name == "missing" and value == "fail")]
    if how.examples is not None:
        conflicts.append("examples")
    if conflicts:
        option = conflicts[0].replace("key", "id").replace("_", "-")
        raise InvalidOption(f"`--{option}` must be left out for {files[0]}.")
    if method == "all":
        raise InvalidOption("`--method` must be one method for this file, got all.")
    files_of(files[0])  # raises for a missing file
    return files[0]


def _write_report(how: Output, answer: Any, verb: str, file: str, options: dict[str, Any]) -> None:
    """Write a report, with the lines of Python that give the same answer."""
    if how.html is None:
        return
    from .python_code import write_call, write_program

    lines = [f"print({write_call(verb, repr(file), **options)})"]
    if isinstance(answer, dict):
        call = write_call(verb, repr(file), "learner=model", **options)
        lines = [f"for model in {tuple(answer)!r}:", f"    print(model, {call}, sep='\\n')"]
        answer = answer if len(answer) > 1 else next(iter(answer.values()))
    how.write(answer, code=write_program(lines), files=(file,))
