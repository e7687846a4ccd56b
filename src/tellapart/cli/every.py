"""`--method all`: ask every interval, and say which could not answer and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..errors import InvalidOption
from ..evidence import ErrorCount
from ..methods import Method, find_methods
from ..methods.error_count.posterior import as_prior
from ..rendering import Rendered, plain

__all__ = ["ask_every_interval", "show_left_out", "to_json_list"]

Answer = TypeVar("Answer", bound=Rendered)


def ask_every_interval(
    ask: Callable[..., Answer], extras: dict[str, Any]
) -> tuple[list[tuple[Method, Answer]], list[str]]:
    """Return the answers of `ask(method, **options)` with their methods, and why others gave none.

    `extras` are options for those that take them. A method may want a prior, or do only some levels.
    What suits no method at all is an error.
    """
    if "prior" in extras:
        as_prior(extras["prior"])  # a prior that is none is an error, not a reason to leave a method out
    answers, left_out, reasons = [], [], []
    for method in find_methods(evidence=ErrorCount, gives="interval"):
        options = {name: value for name, value in extras.items() if name in method.options}
        try:
            answers.append((method, ask(method, **options)))
        except InvalidOption as reason:
            left_out.append(f"{method.name}: {reason}")
            reasons.append(reason)
    if not answers:
        raise reasons[0]
    return answers, left_out


def to_json_list(answers: list[tuple[Method, Answer]]) -> str:
    """Return the answers as a JSON list, every digit kept."""
    return json.dumps([plain(answer.as_dict()) for _, answer in answers], indent=2, ensure_ascii=False)


def show_left_out(left_out: list[str]) -> None:
    """Print who gave no answer, and why."""
    for line in left_out:
        click.echo(f"left out: {line}")
