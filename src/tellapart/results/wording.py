"""How figures, names and remarks are written; nothing here knows an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..evidence import Evidence
from ..rendering import AS_WRONG, percent, plain_number, points, pvalue_text, significant
from ..typing_ import SOURCE_WORDS, SOURCES, Source

if TYPE_CHECKING:
    from .simulated import Simulated

# --- Lists ----------------------------------------------------------------------------------------------


def join_alternatives(parts: Sequence[str]) -> str:
    """Write parts as one says them where any of them is meant.

    Examples
    --------
    >>> join_alternatives(["for a", "for b", "for c"])
    'for a, for b or for c'
    """
    return " or ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def listed(names: Sequence[str], most: int = 6) -> str:
    """Write names as one says them; many are cut short."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def count_text(count: float, noun: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> count_text(1, "example"), count_text(0, "error")
    ('1 example', '0 errors')
    """
    return f"{count} {noun}{'s' * bool(count != 1)}"


# --- Figures --------------------------------------------------------------------------------------------


def written(value: float, spread: float, metric: str) -> str:
    """Write an error rate in percent, a difference of rates in points, and any other figure as it is."""
    return {"error": percent, "label-balance": points}.get(metric, plain_number)(value, spread)


def difference_text(value: float, spread: float, metric: str, *, unit: bool = True) -> str:
    """Write a difference: in points of error rates, else as it is.

    Examples
    --------
    >>> difference_text(0.0167, 0.051, "error"), difference_text(0.0167, 0.051, "error", unit=False)
    ('1.7 points', '1.7')
    """
    return points(value, spread, unit=unit) if metric == "error" else plain_number(value, spread)


def level_of(evidence: Evidence) -> str:
    """Return which of several is the best: the lowest or the highest."""
    return "highest" if evidence.metric.higher_is_better else "lowest"


def difference_name(evidence: Evidence, a: str, b: str) -> str:
    """Return which difference is positive where B is better.

    Examples
    --------
    >>> from tellapart import Outcomes
    >>> difference_name(Outcomes.from_scores([0.2, 0.7], [0.3, 0.9], metric="rouge"), "old", "new")
    'rouge(new) − rouge(old)'
    """
    metric = evidence.metric
    more, less = (b, a) if metric.higher_is_better else (a, b)
    return f"{metric.name}({more}) − {metric.name}({less})"


def summarize(evidence: Evidence, worth: float = math.nan, joint: str = " with ") -> str:
    """Return on how many examples an answer rests, and how many independent ones would say as much."""
    if not math.isfinite(worth):
        return evidence.summarize(joint)
    if worth >= evidence.size:  # examples that balance each other, by chance more often than by nature
        return f"{evidence.summarize()}, worth no fewer independent ones"
    return f"{evidence.summarize()}, worth {count_text(round(worth), 'independent example')}"


def balance(evidence: Evidence, value: float, spread: float) -> tuple[str, str] | None:
    """Return how much more or less often a class is predicted than it occurs, and what that is; None otherwise.

    Examples
    --------
    >>> from tellapart import ConfusionMatrix
    >>> matrix = ConfusionMatrix([[21, 26], [22, 129]], ["no", "yes"]).by("label-balance")
    >>> balance(matrix, matrix.value, 0.1)[0]
    'predicts yes 2.0 points more often than it occurs'
    """
    if evidence.metric.name != "label-balance":
        return None
    name = evidence.metric.of_class  # type: ignore[attr-defined]  # which speaks of one class
    more = f"{points(abs(value), spread)} {'less' if value > 0 else 'more'} often than" if value else "as often as"
    return f"predicts {name} {more} it occurs", f"how much more often {name} occurs than it is predicted"


# --- P-values, and what was left out --------------------------------------------------------------------


def shown_pvalue(pvalue: float, alpha: float, simulated: Simulated | None = None) -> str:
    """Write a p-value; what is a share of draws may be a bound.

    Examples
    --------
    >>> from tellapart.results import Simulated
    >>> shown_pvalue(0.0304, 0.05), shown_pvalue(0.001, 0.05, Simulated.of(0.001, draws=999, floor=0.001))
    ('0.0304', '< 0.001 (999 draws)')
    """
    return pvalue_text(pvalue, alpha) if simulated is None else simulated.show(pvalue, alpha)


def p_text(pvalue: float, alpha: float, simulated: Simulated | None = None, name: str = "p") -> str:
    """Write a p-value with its name; what is a share of draws may be a bound.

    Examples
    --------
    >>> from tellapart.results import Simulated
    >>> p_text(0.0304, 0.05), p_text(1e-308, 0.05)
    ('p = 0.0304', 'p below 1e-307')
    >>> p_text(0.001, 0.05, Simulated.of(0.001, draws=999, floor=0.001))
    'p < 0.001 (999 draws)'
    """
    text = shown_pvalue(pvalue, alpha, simulated)
    return f"{name} {text}" if text.startswith(("below", "<")) else f"{name} = {text}"


def excluded_text(excluded: Mapping[str, int]) -> str:
    """Say which examples were left out and which counted as wrong, and why; nothing if there were none."""
    out = "; ".join(f"{reason}: {count}" for reason, count in excluded.items() if not reason.endswith(AS_WRONG))
    wrong = "; ".join(
        f"{reason.removesuffix(AS_WRONG)}: {count}" for reason, count in excluded.items() if reason.endswith(AS_WRONG)
    )
    return (f" Left out: {out}." if out else "") + (f" Counted as wrong: {wrong}." if wrong else "")


def looks_text(looks: int, alpha: float) -> str:
    """Say what earlier looks at the test set mean for the p-value; nothing if there were none."""
    if not looks:
        return ""
    return (
        f"This test set was looked at {count_text(looks, 'time')} before, which the p-value does not know:"
        f" over {looks + 1} looks ask for p below {significant(alpha / (looks + 1))} (alpha/{looks + 1})."
    )


def covers_text(covers: tuple[Source, ...]) -> str:
    """Say which sources of variation a method covers, and which it does not.

    Examples
    --------
    >>> covers_text(("test data", "labels"))
    'the choice of test data, label noise; not the choice of training data, randomness in the learner'
    """
    covered = ", ".join(SOURCE_WORDS[source] for source in covers) or "nothing"
    missed = ", ".join(SOURCE_WORDS[source] for source in SOURCES if source not in covers)
    return f"{covered}; not {missed}" if missed else covered
