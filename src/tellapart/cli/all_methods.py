"""`--method all`: ask every test and interval, and say which could not answer and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from ..errors import InvalidInput, InvalidOption
from ..evidence import ErrorCount, Evidence
from ..methods import Offer, find_methods
from ..methods.error_count.posterior import as_prior
from ..rendering import folded, plain
from ..results import Comparison, Estimate, shown_pvalue
from ..results.wording import excluded_text
from ..verbs import compare


def ask_every_interval(
    ask: Callable[..., Any], extras: dict[str, Any], evidence: Evidence | None = None
) -> tuple[list[tuple[Offer, Any]], list[str]]:
    """Return the answers of `ask(method, **options)` with their methods, and why others gave none.

    `extras` are options for those that take them. A method may want a prior, or do only some levels.
    What suits no method at all is an error. Of `evidence` that is no error count, the methods for its metric are asked.
    """
    if "prior" in extras:
        as_prior(extras["prior"])  # a prior that is none is an error, not a reason to leave a method out
    answers, left_out, reasons = [], [], []
    asked = _serving(evidence, gives="interval")
    for name in extras:
        if not any(name in method.options for method in asked):
            raise InvalidOption(f"--{name} is no option of any method for this. Leave it out.")
    for method in asked:
        options = {name: value for name, value in extras.items() if name in method.options}
        try:
            answers.append((method, ask(method, **options)))
        except InvalidInput as reason:
            left_out.append(f"{method.name}: {reason}")
            reasons.append(reason)
    if not answers:
        raise reasons[0]
    return answers, left_out


def _serving(evidence: Evidence | None, **facts: Any) -> list[Offer]:
    """Return the methods for such evidence, and for the metric it is asked for."""
    kind = ErrorCount if evidence is None else type(evidence)
    metric = "error" if evidence is None else evidence.metric.name
    return [method for method in find_methods(evidence=kind, **facts) if method.serves(metric)]


def to_json_list(answers: list[tuple[Offer, Any]]) -> str:
    """Return the answers as a JSON list, every digit kept."""
    return json.dumps([plain(answer.as_dict()) for _, answer in answers], indent=2, ensure_ascii=False)


def show_left_out(left_out: list[str]) -> None:
    """Print who gave no answer, and why."""
    for line in left_out:
        click.echo(f"left out: {line}")


def show_intervals(answers: list[tuple[Offer, Estimate]], left_out: list[str], *, as_json: bool) -> None:
    """Print the interval of every method, one below the other."""
    if as_json:
        click.echo(to_json_list(answers))
        return
    from .tables import show_table

    label, value = answers[0][1].rows()[0]
    click.echo(f"{label}  {value}")
    show_table(
        ("method", "interval", "low", "high", "standing", "failed checks"),
        [
            (
                method.name,
                answer.interval.limits_text(),
                f"{answer.interval.low:.6f}",
                f"{answer.interval.high:.6f}",
                method.standing,
                " ".join(check.code for check in answer.checks if not check.holds),
            )
            for method, answer in answers
        ],
        numbers=("low", "high"),
    )
    show_left_out(left_out)


# --- Two classifiers ------------------------------------------------------------------------------------


def show_every_pair(evidence: Evidence, asked: dict[str, Any], dropped: dict[str, int], *, as_json: bool) -> None:
    """Ask every test and every interval there is for two classifiers, and print them."""
    if asked["interval"] is not None:
        raise InvalidOption("--method all shows every interval. Leave --interval out.")
    compare(evidence, **asked)  # what is wrong whatever the method is an error, not a reason to leave one out
    answers, left_out = [], []
    for found in _serving(evidence):
        if found.gives not in ("test", "interval") or found.question == 1:  # which is of one model
            continue
        named = {"method": found.name} if found.gives == "test" else {"interval": found.name}
        try:
            answers.append((found, replace(compare(evidence, **asked | named), excluded=dropped)))
        except InvalidInput as reason:
            left_out.append((found.name, found.gives, reason))
    if as_json:
        told = [plain(answer.as_dict()) | {"gives": found.gives} for found, answer in answers]
        silent = [{"method": name, "gives": gives, "left_out": str(reason)} for name, gives, reason in left_out]
        click.echo(json.dumps([*told, *silent], indent=2, ensure_ascii=False))
        return
    from .tables import show_table

    click.echo(folded("", f"{evidence.describe()}.{excluded_text(dropped)}"))
    for gives, headers in (("test", ("test", "p")), ("interval", ("interval", "of", "limits"))):
        rows = [(found, answer) for found, answer in answers if found.gives == gives]
        show_table(
            (*headers, "standing", "failed checks"),
            [(*_cells(found, answer), found.standing, _failed(found, answer)) for found, answer in rows],
            numbers=("p",),
        )
    show_left_out([f"{name} ({gives}): {reason}" for name, gives, reason in left_out])


def _cells(found: Any, answer: Comparison) -> tuple[str, ...]:
    if found.gives == "test":
        return found.name, shown_pvalue(float(answer.pvalue), answer.alpha, answer.simulated)
    limits = answer.interval.limits_text(spread=answer.interval.spread(float(answer.difference)))
    return found.name, answer.interval.parameter, limits


def _failed(found: Any, answer: Comparison) -> str:
    own = {assumption.code for assumption in found.assumes} | ({"TA010"} if found.standing == "forbidden" else set())
    return " ".join(sorted({check.code for check in answer.checks if not check.holds and check.code in own}))
