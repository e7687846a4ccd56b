"""Answers from logs of evaluation tools, and from tables with values of examples."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..rendering import plain
from ..verbs import breakdown, compare, estimate
from .answer_tables import EstimateTable
from .file_reading import progress
from .log_source import LogSource
from .printing import remark, requested_output, show_result

if TYPE_CHECKING:
    from ..evidence import Outcomes
    from ..predictions import OutcomeTally
    from ..results import Estimate
    from .answer_output import Output


def show_comparison(source: LogSource, request: dict[str, Any], how: Output, markdown: Path | None) -> None:
    """Print a comparison, a ranking of several models, or a breakdown by task."""
    tally = source.tally()
    outcomes = source.of_repeats(tally.outcomes)
    several, adjust = len(outcomes.models) > 2, request.pop("adjust", None)
    if len(outcomes.models) < 2:
        raise InvalidOption(
            f"two models are required for a comparison, got {outcomes.models[0]}. Add the log of another."
        )
    if adjust and not several and outcomes.groups is None:
        raise InvalidOption("`--adjust` needs several models or groups. Leave it out for one comparison.")
    if several and (request["hypothesis"] or request["margin"] is not None):
        raise InvalidOption(f"`--margin` needs two models, got {len(outcomes.models)}. Use --models A,B.")
    adjustment = {"adjust": adjust} if adjust else {}
    whole = request | (adjustment if several else {})
    with progress("comparing"):
        answer = replace(compare(outcomes, **whole), excluded=tally.reasons)
        parted = None if outcomes.groups is None or several else breakdown(outcomes, **request, **adjustment)
    _show_answer(answer, parted, tally, how)
    if markdown is not None:
        _write_markdown(markdown, answer, parted)
    if how.html:
        from .python_code import write_call, write_program

        lines = [*source.reading(outcomes.models), f"print({write_call('ta.compare', 'outcomes', **whole)})"]
        shown: dict[str, Any] = {}
        if parted is not None:
            lines.append(f"print({write_call('ta.breakdown', 'outcomes', **request, **adjustment)})")
            shown["groups"] = parted
        how.write(answer, code=write_program(lines), files=source.files, **shown)


def _show_answer(answer: Any, parted: Any, tally: OutcomeTally, how: Output) -> None:
    if how.as_json:
        document = answer.as_dict()
        document |= {} if parted is None else {"breakdown": parted.as_dict()}
        document |= _describe_joins(tally)
        click.echo(json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False))
        return
    notes = list(tally.notes)
    if parted is None or requested_output("verbose"):
        how.show(answer, notes=notes if parted is None else ())
    if parted is not None:
        if requested_output("verbose"):
            click.echo()
        how.show(parted, notes=notes)


def _describe_joins(tally: OutcomeTally) -> dict[str, Any]:
    """Return the JSON about the logs: ids without a match, and notes."""
    account = {"unmatched": {model: list(ids) for model, ids in tally.unmatched.items()}, "notes": list(tally.notes)}
    return {name: value for name, value in account.items() if value}


def _write_markdown(target: Path, answer: Any, parted: Any) -> None:
    from ..gate.outputs import write_output
    from .answer_output import late_output

    texts = [answer_part.to_markdown() for answer_part in (answer, parted) if answer_part is not None]
    with late_output(f"--markdown {str(target)!r}"):
        write_output(target, "\n\n".join(texts) + "\n")
    remark(f"markdown: {target}")


# --- Each model by itself -----------------------------------------------------------------------------


def show_estimates(source: LogSource, request: dict[str, Any], how: Output) -> None:
    """Print the accuracy (or the mean score) of every model, and of every group if there are groups."""
    tally = source.tally()
    outcomes = source.of_repeats(tally.outcomes)
    answers = {model: estimate(outcomes.select(model), **request) for model in outcomes.models}
    groups = _by_group(outcomes, request)
    if how.as_json:
        _print_json(answers, groups, tally)
    else:
        cells = [(None, model, answer) for model, answer in answers.items()]
        notes = list(tally.notes)
        show_result(EstimateTable(cells, excluded=tally.reasons, notes=() if groups else notes))
        if groups:
            click.echo()
            show_result(EstimateTable(groups, notes=notes))
    if how.html:
        from .python_code import write_call, write_program

        call = write_call("ta.estimate", "outcomes.select(model)", **request)
        lines = [f"for model in {outcomes.models!r}:", f"    print(model, {call}, sep='\\n')"]
        shown: dict[str, Any] = {}
        if groups:
            by_group = write_call("ta.estimate", "subset.select(model)", **request)
            lines += ["    for group, subset in outcomes.by_group():", f"        print(group, {by_group}, sep='\\n')"]
            alone = len(answers) == 1
            shown["groups"] = {group if alone else f"{group}: {model}": answer for group, model, answer in groups}
        page = answers if len(answers) > 1 else next(iter(answers.values()))
        how.write(page, code=write_program([*source.reading(outcomes.models), *lines]), files=source.files, **shown)


def _by_group(outcomes: Outcomes, request: dict[str, Any]) -> list[tuple[str, str, Estimate]]:
    if outcomes.groups is None:
        return []
    return [
        (group, model, estimate(subset.select(model), **request))
        for group, subset in outcomes.by_group()
        for model in outcomes.models
    ]


def _print_json(answers: dict[str, Estimate], groups: list[tuple[str, str, Estimate]], tally: OutcomeTally) -> None:
    document: dict[str, Any] = {"models": [{"model": model} | answer.as_dict() for model, answer in answers.items()]}
    document |= {"groups": [{"group": name, "model": model} | answer.as_dict() for name, model, answer in groups]}
    document |= {"excluded": tally.reasons, **_describe_joins(tally)}
    document = {name: value for name, value in document.items() if value}
    click.echo(json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False))
