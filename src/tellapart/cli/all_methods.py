"""`--method all`: every test and interval, and why some gave no answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from ..display import Display, Row
from ..errors import InvalidInput, InvalidOption
from ..evidence import ErrorCount, Evidence
from ..methods import Offer, find_methods
from ..methods.error_count.posterior import as_prior
from ..rendering import plain
from ..results import Estimate
from ..verbs import compare
from .answer_tables import ComparisonTable, IntervalTable
from .printing import options_of, show_display, show_result


def compute_intervals(
    compute: Callable[..., Any], extras: dict[str, Any], evidence: Evidence | None = None
) -> tuple[list[tuple[Offer, Any]], list[str]]:
    """Return the answers of `compute(method, **options)` with their methods, and why others gave none.

    `extras` are options for the methods that take them. A method may need a prior, or have only some levels; options
    that no method takes are an error. `evidence` selects the methods for its metric, if it is not an error count.
    """
    if "prior" in extras:
        as_prior(extras["prior"])  # raises, instead of leaving methods out
    answers, left_out, reasons = [], [], []
    methods = [method for method in _find_serving_methods(evidence, gives="interval") if not _lacks_option(method)]
    for name in extras:
        if not any(name in method.options for method in methods):
            raise InvalidOption(f"`--{name}` is not an option of any method for this evidence. Leave it out.")
    for method in methods:
        options = {name: value for name, value in extras.items() if name in method.options}
        try:
            answers.append((method, compute(method, **options)))
        except InvalidInput as reason:
            left_out.append(f"{method.name}: {reason}")
            reasons.append(reason)
    if not answers:
        raise reasons[0]
    return answers, left_out


def _lacks_option(method: Offer) -> bool:
    """Return whether a method requires an option that the command does not have, such as the size of a pool."""
    context = click.get_current_context(silent=True)
    return context is not None and not set(method.required) - {"against"} <= options_of(context.command).keys()


def _find_serving_methods(evidence: Evidence | None, **facts: Any) -> list[Offer]:
    """Return the methods for such evidence and its metric."""
    kind = ErrorCount if evidence is None else type(evidence)
    metric = "error" if evidence is None else evidence.metric.name
    return [method for method in find_methods(evidence=kind, **facts) if method.serves(metric)]


def to_json_list(answers: list[tuple[Offer, Any]]) -> str:
    """Return the answers as a JSON list at full precision."""
    return json.dumps([plain(answer.as_dict()) for _, answer in answers], indent=2, ensure_ascii=False)


def show_left_out(left_out: list[str]) -> None:
    """Print why some methods gave no answer."""
    if left_out:
        click.echo()
        show_display(Display(verdict="", blocks=(Row("left out", "\n".join(left_out)),)))


def show_intervals(answers: list[tuple[Offer, Estimate]], left_out: list[str], *, as_json: bool) -> None:
    """Print the interval of every method."""
    if as_json:
        click.echo(to_json_list(answers))
    else:
        show_result(IntervalTable(answers, left_out))


# --- Two classifiers ------------------------------------------------------------------------------------


def show_every_pair(evidence: Evidence, request: dict[str, Any], excluded: dict[str, int], *, as_json: bool) -> None:
    """Print every test and every interval of two classifiers."""
    if request["interval"] is not None:
        raise InvalidOption("`--interval` must be left out with --method all, which shows every interval.")
    default = replace(compare(evidence, **request), excluded=excluded)  # raises for what is wrong with any method
    answers, left_out = [], []
    for offer in _find_serving_methods(evidence):
        if offer.gives not in ("test", "interval") or offer.question == 1:  # which is of one model
            continue
        named = {"method": offer.name} if offer.gives == "test" else {"interval": offer.name}
        try:
            answers.append((offer, replace(compare(evidence, **request | named), excluded=excluded)))
        except InvalidInput as reason:
            left_out.append((offer.name, offer.gives, reason))
    if as_json:
        entries = [plain(answer.as_dict()) | {"gives": offer.gives} for offer, answer in answers]
        missing = [{"method": name, "gives": gives, "left_out": str(reason)} for name, gives, reason in left_out]
        click.echo(json.dumps([*entries, *missing], indent=2, ensure_ascii=False))
        return
    reasons = [f"{name} ({gives}): {reason}" for name, gives, reason in left_out]
    show_result(ComparisonTable(default, answers, reasons))
