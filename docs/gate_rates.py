"""The tables on the page of the gate's error rates, from the gate's card.

`docs/generate.py` fills the lines between two marks; the rest of the page is written by hand.
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
    """Return the page with the present tables between the marks."""
    return _BLOCK.sub(
        lambda match: "\n".join(
            [f"<!-- {match[1]}, by docs/generate.py -->", *TABLES[match[1]](), f"<!-- end of {match[1]} -->"]
        ),
        text,
    )


def _margin_text(margin: float) -> str:
    return f"{100 * margin:g} pp"


def _head(first: str) -> Iterator[str]:
    yield f"| {first} | " + " | ".join(f"margin {_margin_text(margin)}" for margin in MARGINS) + " |"
    yield "|---|" + "---:|" * len(MARGINS)


def _select_row(
    margin: float, *, method: str = METHOD, alpha: float = ALPHA, band: tuple[int, int] = WHOLE, times: int = 1
) -> Largest:
    """Return the row of the card for discordant rates from so many times the margin."""
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
        cells = (f"{getattr(_select_row(margin, band=band), name):.4f}" for margin in MARGINS)
        label = f"{band[0]:,}" if band[0] == band[1] else f"{band[0]:,} to {band[1]:,}"
        yield f"| {label} | {' | '.join(cells)} |"
    places = (getattr(_select_row(margin), f"{name}_at") for margin in MARGINS)
    cells = (f"n = {examples}, {100 * rate:.3g}%" for examples, rate in places)
    yield f"| attained at n, discordant rate | {' | '.join(cells)} |"


def _by_alpha() -> Iterator[str]:
    yield from _head("")
    for alpha in ALPHAS:
        for name, label in (("false_pass", "false pass"), ("false_worse", "false worse")):
            cells = (f"{getattr(_select_row(margin, alpha=alpha), name):.4f}" for margin in MARGINS)
            yield f"| alpha = {alpha:g}, {label} | {' | '.join(cells)} |"


def _by_method() -> Iterator[str]:
    yield from _head("")
    for method in (METHOD, OTHER):
        for name, label, times in (
            ("false_pass", "false pass", 1),
            ("false_pass", "false pass, discordant rate at least twice the margin", 2),
            ("false_worse", "false worse", 1),
            ("false_worse", "false worse, discordant rate at least twice the margin", 2),
        ):
            cells = (f"{getattr(_select_row(margin, method=method, times=times), name):.4f}" for margin in MARGINS)
            yield f"| `{method}`, {label} | {' | '.join(cells)} |"
    yield f"| `{PROVEN}`, false pass and false worse | " + " | ".join("≤ 0.05, by proof" for _ in MARGINS) + " |"
    for method in (METHOD, OTHER, PROVEN):
        cells = (f"{card().equals[method][str(margin)]:.4f}" for margin in MARGINS)
        yield f"| `{method}`, equal models pass | {' | '.join(cells)} |"


def _by_margin() -> Iterator[str]:
    rows = {(row.margin, row.examples, row.disagreement): row for row in card().rates}
    for margin in MARGINS:
        yield from (f"Margin {_margin_text(margin)}, by discordant rate:", "")
        head = [*(f"{100 * rate:g}%" for rate in SHARES), "equal models called worse"]
        yield f"| examples | {' | '.join(head)} |"
        yield "|---|" + "---:|" * len(head)
        for examples in SIZES:
            selected = [rows[margin, examples, rate] for rate in SHARES]
            cells = (
                f"{row.passed:.3f} ({row.false_pass:.3f}, {row.false_worse:.3f})"
                if row.false_pass is not None
                else f"{row.passed:.3f}"
                for row in selected
            )
            yield f"| {examples:,} | {' | '.join(cells)} | ≤ {max(row.worse for row in selected):.4f} |"
        yield from () if margin == MARGINS[-1] else ("",)


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "passes": lambda: _by_size("false_pass"),
    "losses": lambda: _by_size("false_worse"),
    "alphas": _by_alpha,
    "methods": _by_method,
    "margins": _by_margin,
}
