"""`tellapart methods`: what could answer, and whether to trust it."""

from __future__ import annotations

import json
from typing import Any

import click

from ..advice import QUESTIONS
from ..bibliography import cite
from ..errors import UnknownMethod
from ..methods import Offer, find_methods
from ..methods.cards import card
from ..results.wording import covers_text
from .help_pages import GroupedCommand
from .parameters import AS_JSON, completing


@click.command("methods", cls=GroupedCommand)
@click.argument("name", required=False, shell_complete=completing())
@click.option("--question", type=int, help="Only those for this question, 1 to 9.")
@AS_JSON
def command(name: str | None, question: int | None, as_json: bool) -> None:
    """List the methods with their standing, or tell all about NAME.

    \b
    Examples:
      tellapart methods
      tellapart methods jeffreys
      tellapart methods --question 1 --json
    """
    found = find_methods(name=name, question=question)
    if name and not found:
        raise UnknownMethod(_why_none(name, question))
    if question and not found and not as_json:
        raise UnknownMethod(f"no method answers question {question} yet: {QUESTIONS[question].asks}")
    if as_json:
        told = [_as_dict(method) | (_measured(method) if name else {}) for method in found]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    elif name:
        click.echo("\n\n".join(_told(method) for method in found))
    else:
        from .tables import show_table

        show_table(
            ("method", "gives", "from", "question", "standing", "because"),
            [
                (each.name, each.gives, each.evidence.__name__, str(each.question), each.standing, each.rationale)
                for each in found
            ],
        )


def _why_none(name: str, question: int | None) -> str:
    from difflib import get_close_matches

    answers = sorted({method.question for method in find_methods(name=name)})
    if answers:
        return f"method {name!r} answers question {', '.join(map(str, answers))}, not {question}."
    near = get_close_matches(name, {method.name for method in find_methods()}, 1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return f"there is no method {name!r}.{guess} 'tellapart methods' lists them all."


def _as_dict(method: Offer) -> dict[str, Any]:
    return {
        "name": method.name,
        "gives": method.gives,
        "question": method.question,
        "evidence": method.evidence.__name__,
        "standing": method.standing,
        "because": method.rationale,
        "holds": method.validity,
        "covers": list(method.sources_covered),
        "guarantees": method.guarantees,
        "partner": method.partner,
        "assumes": [{"code": assumption.code, "needs": assumption.rule} for assumption in method.assumes],
        "options": list(method.options),
        "reference": cite(method.reference),
        "summary": method.summary,
    }


def _measured(method: Offer) -> dict[str, Any]:
    """Return the card of a method; of all methods they would be a thousand rows."""
    found = card(method)
    return {"card": found and found.as_dict()}


def _told(method: Offer) -> str:
    """Return all about a method: what it is for, whether to trust it, and what was measured."""
    lines = [
        f"{method.name} ({method.gives} from {method.evidence.__name__})",
        "",
        method.description,
        "",
        f"question   {method.question}: {QUESTIONS[method.question].asks}",
        f"standing   {method.standing}: {method.rationale}",
        *([f"holds for  {method.validity}"] if method.standing in {"recommended", "sound"} else []),
        f"covers     {covers_text(method.sources_covered)}",
        *(f"assumes    {assumption.code}: {assumption.rule}" for assumption in method.assumes),
        f"options    {', '.join(method.options)}",
        f"reference  {cite(method.reference)}",
    ]
    measured = card(method)
    if measured is not None:
        lines += [f"measured   at alpha = {measured.alpha:g}, by {measured.command}", str(measured)]
    return "\n".join(lines)
