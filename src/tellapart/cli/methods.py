"""`tellapart methods`: all methods with their status, or one of them in detail."""

from __future__ import annotations

import json
from typing import Any

import click

from ..advice import QUESTIONS
from ..bibliography import cite
from ..errors import UnknownMethod
from ..methods import Offer, find_methods
from ..methods.cards import card
from .help_pages import STATISTICS, GroupedCommand, grouped_option
from .parameters import complete_methods, text_options
from .printing import show_result


def _complete_kinds(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    names = sorted({method.evidence.__name__ for method in find_methods()})
    return [name for name in names if name.startswith(incomplete)]


@click.command("methods", cls=GroupedCommand, short_help="List the methods, or describe one.")
@click.argument("name", required=False, shell_complete=complete_methods(), metavar="[NAME]")
@grouped_option(
    "--from",
    "kind",
    metavar="KIND",
    shell_complete=_complete_kinds,
    section=STATISTICS,
    help="Only for this kind of evidence, such as PairedTable.",
)
@grouped_option(
    "--question",
    type=click.IntRange(1, 9),
    metavar="N",
    section=STATISTICS,
    rare=True,
    help="Only for this question of Dietterich's taxonomy (1998), 1 to 9.",
)
@text_options
def command(name: str | None, kind: str | None, question: int | None, as_json: bool) -> None:
    """List the methods with their status, or describe the method NAME.

    The status is recommended, sound, heuristic or "do not use".

    \b
    Examples:
      tellapart methods
      tellapart methods mcnemar-mid-p
      tellapart methods tango --from PairedTable --explain
      tellapart methods --from ErrorCount
      tellapart methods jeffreys --json
    """
    methods = find_methods(name=name, question=question)
    if name and not methods:
        raise UnknownMethod(_describe_unknown(name, question))
    if question and not methods and not as_json:
        raise UnknownMethod(f"there is no method for question {question}: {QUESTIONS[question].asks}")
    offers = _select_kind(methods, kind)
    if as_json:
        entries = [_as_dict(method) | (_card_as_dict(method) if name else {}) for method in offers]
        click.echo(json.dumps(entries, indent=2, ensure_ascii=False))
        return
    from .method_pages import MethodList, MethodPage, order_offers

    if not name:
        show_result(MethodList(offers))
        return
    first, *others = order_offers(offers)
    shown = [offer for offer in (first, *others) if offer.evidence is first.evidence]
    kinds = dict.fromkeys(offer.evidence.__name__ for offer in others if offer.evidence is not first.evidence)
    show_result(MethodPage(shown, kinds))


def _select_kind(methods: Any, kind: str | None) -> list[Offer]:
    """Return the methods of one kind of evidence; all, if none is named."""
    selected = [method for method in methods if kind is None or method.evidence.__name__ == kind]
    if methods and not selected:
        from .usage_errors import suggestion

        names = list(dict.fromkeys(method.evidence.__name__ for method in methods))
        hint = suggestion(str(kind), names) or f" There is {', '.join(names)}."
        raise UnknownMethod(f"unknown `--from` {kind!r}.{hint}")
    return selected


def _describe_unknown(name: str, question: int | None) -> str:
    from .usage_errors import suggestion

    questions = sorted({method.question for method in find_methods(name=name)})
    if questions:
        return f"`--question` must be {' or '.join(map(str, questions))} for method {name!r}, got {question}."
    hint = suggestion(name, {method.name for method in find_methods()})
    return f"unknown method {name!r}.{hint or ' See `tellapart methods`.'}"


def _as_dict(method: Offer) -> dict[str, Any]:
    return {
        "name": method.name,
        "title": method.display_title,
        "gives": method.gives,
        "question": method.question,
        "evidence": method.evidence.__name__,
        "standing": method.standing,
        "because": method.rationale,
        "rationale": method.rationale,
        "holds": method.validity,
        "validity": method.validity,
        "covers": list(method.sources_covered),
        "sources_covered": list(method.sources_covered),
        "guarantees": method.guarantees,
        "partner": method.partner,
        "assumes": [
            {"code": assumption.code, "needs": assumption.rule, "requirement": assumption.rule}
            for assumption in method.assumes
        ],
        "options": list(method.options),
        "reference": cite(method.reference),
        "summary": method.summary,
    }


def _card_as_dict(method: Offer) -> dict[str, Any]:
    """Return the measured error rates of a method; those of all methods would be a thousand rows."""
    measured = card(method)
    return {"card": measured and measured.as_dict()}
