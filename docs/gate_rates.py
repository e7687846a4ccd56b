"""The tables on the page of the gate's error rates, from the gate's card.

The page is written by hand but for the lines between two marks, which `docs/generate.py` fills.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tellapart.gate.card import (
    ALPHA,
    ALPHAS,
    BANDS,
    MARGINS,
    METHOD,
    OTHER,
    PROVEN,
    SHARES,
    SIZES,
    WHOLE,
    Largest,
    card,
)

__all__ = ["PAGE", "TABLES", "with_tables"]

PAGE = Path(__file__).parent / "reference" / "gate-error-rates.md"
_BLOCK = re.compile(r"^<!-- (\w+), by docs/generate\.py -->\n.*?^<!-- end of \1 -->$", re.MULTILINE | re.DOTALL)


def with_tables(text: str) -> str:
    """Return the page with the lines between the marks as they should be."""
    return _BLOCK.sub(
        lambda found: "\n".join(
            [f"<!-- {found[1]}, by docs/generate.py -->", *TABLES[found[1]](), f"<!-- end of {found[1]} -->"]
        ),
        text,
    )


def _points(margin: float) -> str:
    return f"{100 * margin:g} point{'s' * (margin != 0.01)}"


def _head(first: str) -> Iterator[str]:
    yield f"| {first} | " + " | ".join(_points(margin) for margin in MARGINS) + " |"
    yield "|---|" + "---:|" * len(MARGINS)


def _found(
    margin: float, *, method: str = METHOD, alpha: float = ALPHA, band: tuple[int, int] = WHOLE, times: int = 1
) -> Largest:
    """Return the row of the card; its disagreements begin at so many times the margin."""
    (row,) = (
        row
        for row in card().largest
        if (row.method, row.alpha, row.margin, (row.first, row.last)) == (method, alpha, margin, band)
        and abs(row.least - times * margin) < 1e-9
    )
    return row


def _by_size(name: str) -> Iterator[str]:
    yield from _head("examples")
    for band in (*BANDS, WHOLE):
        cells = (f"{getattr(_found(margin, band=band), name):.4f}" for margin in MARGINS)
        told = f"{band[0]:,}" if band[0] == band[1] else f"{band[0]:,} to {band[1]:,}"
        yield f"| {told} | {' | '.join(cells)} |"
    where = (getattr(_found(margin), f"{name}_at") for margin in MARGINS)
    yield f"| found at | {' | '.join(f'n = {examples}, {100 * share:.3g} %' for examples, share in where)} |"


def _by_alpha() -> Iterator[str]:
    yield from _head("")
    for alpha in ALPHAS:
        for name, told in (("false_pass", "false pass"), ("false_worse", "false worse")):
            cells = (f"{getattr(_found(margin, alpha=alpha), name):.4f}" for margin in MARGINS)
            yield f"| alpha = {alpha:g}, {told} | {' | '.join(cells)} |"


def _by_method() -> Iterator[str]:
    yield from _head("")
    for method in (METHOD, OTHER):
        for name, told, times in (
            ("false_pass", "false pass", 1),
            ("false_pass", "false pass, disagreement at least twice the margin", 2),
            ("false_worse", "false worse", 1),
            ("false_worse", "false worse, disagreement at least twice the margin", 2),
        ):
            cells = (f"{getattr(_found(margin, method=method, times=times), name):.4f}" for margin in MARGINS)
            yield f"| `{method}`, {told} | {' | '.join(cells)} |"
    yield f"| `{PROVEN}`, false pass and false worse | " + " | ".join("≤ 0.05, by proof" for _ in MARGINS) + " |"
    for method in (METHOD, OTHER, PROVEN):
        cells = (f"{card().equals[method][str(margin)]:.4f}" for margin in MARGINS)
        yield f"| `{method}`, equals pass | {' | '.join(cells)} |"


def _by_margin() -> Iterator[str]:
    rows = {(row.margin, row.examples, row.disagreement): row for row in card().rates}
    for margin in MARGINS:
        yield from (f"A margin of {_points(margin)}:", "")
        head = [*(f"{100 * share:g} % disagree" for share in SHARES), "equals called worse"]
        yield f"| examples | {' | '.join(head)} |"
        yield "|---|" + "---:|" * len(head)
        for examples in SIZES:
            found = [rows[margin, examples, share] for share in SHARES]
            cells = (
                f"{row.passed:.3f} ({row.false_pass:.3f}, {row.false_worse:.3f})"
                if row.false_pass is not None
                else f"{row.passed:.3f}"
                for row in found
            )
            yield f"| {examples:,} | {' | '.join(cells)} | ≤ {max(row.worse for row in found):.4f} |"
        yield from () if margin == MARGINS[-1] else ("",)


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "passes": lambda: _by_size("false_pass"),
    "losses": lambda: _by_size("false_worse"),
    "alphas": _by_alpha,
    "methods": _by_method,
    "margins": _by_margin,
}
