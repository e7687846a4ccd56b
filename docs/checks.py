"""The facts on the pages of checks: what is needed, from which figure on, who said so, and which methods carry it.

A page is written by hand but for the lines between two marks, which `docs/generate.py` fills from the registry, so
that a page cannot name a method that no longer has the check, or leave out one that has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import tellapart as ta
from tellapart.bibliography import cite
from tellapart.methods import Offer, Standing
from tellapart.methods.assumptions import Assumption

__all__ = ["FOLDER", "carriers", "codes", "with_facts"]

FOLDER = Path(__file__).parent / "reference" / "checks"
FORBIDDEN = "TA010"  # the one check that no assumption states: every forbidden method carries it
BEGIN, END = "<!-- facts, by docs/generate.py -->", "<!-- end of facts -->"
_FACTS = re.compile(rf"^{BEGIN}\n.*?^{END}$", re.MULTILINE | re.DOTALL)


def _assumptions() -> dict[str, Assumption]:
    """Return the assumptions of all methods by code."""
    return {assumption.code: assumption for method in ta.find_methods() for assumption in method.assumes}


def codes() -> list[str]:
    """Return every code that a result can carry, in order."""
    return sorted({*_assumptions(), FORBIDDEN})


def carriers(code: str) -> list[Offer]:
    """Return the package's own methods that carry a check; no plugin's."""
    own = (method for method in ta.find_methods() if method.function.__module__.startswith("tellapart."))
    if code == FORBIDDEN:
        return [method for method in own if method.standing == Standing.FORBIDDEN]
    return [method for method in own if code in {assumption.code for assumption in method.assumes}]


def with_facts(code: str, text: str) -> str:
    """Return the page of a check with the lines between the marks as they should be."""
    facts = "\n".join(_facts(code))
    return _FACTS.sub(lambda _: f"{BEGIN}\n{facts}\n{END}", text)


def _facts(code: str) -> Iterator[str]:
    yield from ("| | |", "|---|---|")
    if code == FORBIDDEN:
        yield "| needs | the method is fit for use |"
        yield "| holds | never: only methods that are not fit carry it |"
    else:
        assumption = _assumptions()[code]
        yield f"| needs | {assumption.rule} |"
        yield f"| holds | where the figure is {'above' if assumption.strict else 'at least'} {_bound(assumption)} |"
        if assumption.reference:
            yield f"| set by | {cite(assumption.reference)} |"
    found = carriers(code)
    for evidence in dict.fromkeys(method.evidence for method in found):
        own = [method for method in found if method.evidence is evidence]
        yield f"| carried, for `{evidence.__name__}`, by | {', '.join(_names(own))} |"


def _bound(assumption: Assumption) -> str:
    return "−alpha" if callable(assumption.threshold) else f"{assumption.threshold:g}".replace("-", "−")


def _names(own: Iterable[Offer]) -> Iterator[str]:
    """Return each name with a link, and what of that name carries the check."""
    kinds: dict[str, list[str]] = {}
    for method in own:
        kinds.setdefault(method.name, []).append(method.gives)
    for name in sorted(kinds):
        yield f"[{name}](../methods/{name}.md) ({', '.join(kinds[name])})"
