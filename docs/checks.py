"""The facts on the pages of checks: the requirement, the limit, its source, and the methods that make the assumption.

The rest of a page is written by hand. `docs/generate.py` fills the lines between two marks from the registry, so that
a page lists exactly the methods that make the assumption.
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
UNSUITABLE = "TA010"  # the one check without an assumption: of every method with the status "do not use"
BEGIN, END = "<!-- facts, by docs/generate.py -->", "<!-- end of facts -->"
_FACTS = re.compile(rf"^{BEGIN}\n.*?^{END}$", re.MULTILINE | re.DOTALL)


def _assumptions() -> dict[str, Assumption]:
    """Return the assumptions of all methods by code."""
    return {assumption.code: assumption for method in ta.find_methods() for assumption in method.assumes}


def codes() -> list[str]:
    """Return every code that a result can have, in order."""
    return sorted({*_assumptions(), UNSUITABLE})


def carriers(code: str) -> list[Offer]:
    """Return the package's own methods that have a check; no plugin's."""
    methods = (method for method in ta.find_methods() if method.function.__module__.startswith("tellapart."))
    if code == UNSUITABLE:
        return [method for method in methods if method.standing == Standing.FORBIDDEN]
    return [method for method in methods if code in {assumption.code for assumption in method.assumes}]


def with_facts(code: str, text: str) -> str:
    """Return the page of a check with up-to-date facts between the marks."""
    facts = "\n".join(_write_rows(code))
    return _FACTS.sub(lambda _: f"{BEGIN}\n{facts}\n{END}", text)


def _write_rows(code: str) -> Iterator[str]:
    """Return the rows of the table of facts."""
    yield from ("| | |", "|---|---|")
    if code == UNSUITABLE:
        yield "| caution | unsuitable method |"
        yield "| requirement | the method has a status other than *do not use* |"
        yield "| passes if | never: only methods with the status *do not use* have this check |"
    else:
        assumption = _assumptions()[code]
        yield f"| caution | {assumption.title} |"
        yield f"| requirement | {assumption.rule} |"
        yield f"| passes if | {_describe_limit(assumption)} |"
        if assumption.reference:
            yield f"| source | {cite(assumption.reference)} |"
    methods = carriers(code)
    for evidence in dict.fromkeys(method.evidence for method in methods):
        of_evidence = [method for method in methods if method.evidence is evidence]
        yield f"| methods for `{evidence.__name__}` | {', '.join(_link_methods(of_evidence))} |"


def _describe_limit(assumption: Assumption) -> str:
    """Return the condition on the figure of a check in words."""
    if assumption.bound == "alpha":
        return f"the smallest attainable p-value is {'below' if assumption.strict else 'at most'} alpha"
    if "{" not in assumption.requirement and assumption.bound == "at least 1":
        return "the requirement is met (the figure is at least 1)"
    if assumption.negated:
        return f"the figure is {assumption.bound} (stored with a minus sign in `figure`)"
    return f"the figure is {assumption.bound}"


def _link_methods(methods: Iterable[Offer]) -> Iterator[str]:
    """Return each name with a link, and whether the test or the interval of that name has the check."""
    kinds: dict[str, list[str]] = {}
    for method in methods:
        kinds.setdefault(method.name, []).append(method.gives)
    for name in sorted(kinds):
        yield f"[{name}](../methods/{name}.md) ({', '.join(kinds[name])})"
