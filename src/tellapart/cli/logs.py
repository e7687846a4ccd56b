"""Answers from logs of evaluation tools, and from tables whose every example counts by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..rendering import folded, plain
from ..results.comparison import excluded_text
from ..verbs import breakdown, compare, estimate
from .log_source import LogSource
from .reading import progress

if TYPE_CHECKING:
    from ..predictions import OutcomeTally
    from .reports import Output

__all__ = ["show_comparison", "show_estimates"]


def show_comparison(source: LogSource, asked: dict[str, Any], how: Output, markdown: str | None) -> None:
    """Compare the models and print who is better; several models as a leaderboard, several tasks one by one."""
    tally = source.tally()
    outcomes = source.of_repeats(tally.outcomes)
    tally = replace(tally, outcomes=outcomes)
    several, adjust = len(outcomes.models) > 2, asked.pop("adjust", None)
    if len(outcomes.models) < 2:
        raise InvalidOption(f"two models are needed to compare, but there is only {outcomes.models[0]}.")
    if adjust and not several and outcomes.groups is None:
        raise InvalidOption("--adjust is for several models or groups; two models are one comparison.")
    if several and (asked["hypothesis"] or asked["margin"] is not None):
        raise InvalidOption("--margin is for two models. Name them: --models A,B.")
    paid = {"adjust": adjust} if adjust else {}
    whole = asked | (paid if several else {})
    with progress("comparing"):
        answer = replace(compare(tally.evidence, **whole), excluded=tally.reasons)
        parted = None if outcomes.groups is None or several else breakdown(outcomes, **asked, **paid)
    _show(answer, parted, tally, how)
    if markdown is not None:
        _write_markdown(markdown, answer, parted)
    if how.html:
        from .lines import calling
        from .lines import whole as written

        lines = [*source.reading(outcomes.models), f"print({calling('ta.compare', 'outcomes', **whole)})"]
        shown: dict[str, Any] = {}
        if parted is not None:
            lines.append(f"print({calling('ta.breakdown', 'outcomes', **asked, **paid)})")
            shown["groups"] = parted
        how.write(answer, code=written(lines), files=source.files, **shown)


def _show(answer: Any, parted: Any, tally: OutcomeTally, how: Output) -> None:
    if how.as_json:
        told = answer.as_dict()
        told |= {} if parted is None else {"breakdown": parted.as_dict()}
        told |= {"notes": list(tally.notes)} if tally.notes else {}
        click.echo(json.dumps(plain(told), indent=2, ensure_ascii=False, allow_nan=False))
        return
    board = answer.leaderboard() if hasattr(answer, "leaderboard") else None
    for place, part in enumerate(part for part in (board, answer, parted) if part is not None):
        if place:
            click.echo()
        how.show(part)
    _show_notes(tally)


def _show_notes(tally: OutcomeTally) -> None:
    for note in tally.notes:
        click.echo(folded(f"{'note':<12}", note))


def _write_markdown(target: str, answer: Any, parted: Any) -> None:
    from ..replacing import replace_file

    first = answer.leaderboard() if hasattr(answer, "leaderboard") else answer
    texts = [part.to_markdown() for part in (first, parted) if part is not None]
    replace_file(Path(target), "\n\n".join(texts) + "\n")
    click.echo(f"markdown: {target}", err=True)


def show_estimates(source: LogSource, asked: dict[str, Any], how: Output) -> None:
    """Tell how large the error (or the mean score) of every model is."""
    tally = source.tally()
    outcomes = source.of_repeats(tally.outcomes)
    alone = {model: outcomes.select(model) for model in outcomes.models}
    answers = {
        model: estimate(own.error_counts()[0] if own.countable else own, **asked) for model, own in alone.items()
    }
    if how.as_json:
        told: dict[str, Any] = {"models": [{"model": model} | each.as_dict() for model, each in answers.items()]}
        told |= {"excluded": tally.reasons} if tally.reasons else {}
        told |= {"notes": list(tally.notes)} if tally.notes else {}
        click.echo(json.dumps(plain(told), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        for model, answer in answers.items():
            click.echo(f"{'model':<12}{model}")
            how.show(answer)
        left_out = excluded_text(tally.reasons).strip()
        if left_out:
            click.echo(folded(f"{'left out':<12}", left_out))
        _show_notes(tally)
    if how.html:
        from .lines import calling, whole

        call = calling("ta.estimate", "outcomes.select(model)", **asked)
        lines = [f"for model in {outcomes.models!r}:", f"    print(model, {call}, sep='\\n')"]
        page = answers if len(answers) > 1 else next(iter(answers.values()))
        how.write(page, code=whole([*source.reading(outcomes.models), *lines]), files=source.files)
