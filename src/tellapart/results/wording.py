"""The text of methods, p-values, cautions and left-out examples, for any kind of answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..display import Row
from ..evidence import Evidence
from ..figures import (
    CountedAsWrong,
    Scale,
    count_text,
    equation,
    join_names,
    precise_pvalue_text,
    pvalue_text,
    scale_of,
)
from ..typing_ import SOURCE_WORDS, SOURCES, Source

if TYPE_CHECKING:
    from ..bibliography import Reference
    from .check import Check
    from .interval import Interval
    from .power_projection import PowerProjection
    from .simulated import Simulated
    from .test_result import TestResult

# --- Methods --------------------------------------------------------------------------------------------


def cite(reference: str | Reference | None) -> str:
    """Return authors and year of a reference: "Martin & Hirschberg 1996"; empty if there is none.

    Examples
    --------
    >>> cite("martin1996"), cite(None)
    ('Martin & Hirschberg 1996', '')
    """
    if not reference:
        return ""
    from ..bibliography import reference_of

    return reference_of(reference).short.replace(" and ", " & ")


def note_beside_title(result: Interval | TestResult) -> str:
    """Return the note on a method that its title does not contain: the prior, whether it is a heuristic."""
    return result.note if result.note not in result.title else ""


def method_text(title: str, reference: str | Reference | None, *, compact: bool = False) -> str:
    """Return a method as a row names it, with its source; authors that the title names are not repeated.

    Examples
    --------
    >>> method_text("Tango score interval", "tango1998"), method_text("Hodges & Lehmann", "hodges1963")
    ('Tango score interval (Tango 1998)', 'Hodges & Lehmann (1963)')
    >>> method_text("Wilcoxon signed-rank", "wilcoxon1945", compact=True)
    'Wilcoxon signed-rank (1945)'
    """
    source = cite(reference)
    authors, _, year = source.rpartition(" ")
    if not source or source == title:
        return title
    named = title == authors or (compact and title.startswith(authors.partition(" ")[0]))
    return f"{title} ({year if named else source})"


def margin_test_title(title: str, kind: str) -> str:
    """Return the title of a test of a margin: that of the method, and "non-inferiority" or another kind.

    Examples
    --------
    >>> margin_test_title("Tango score test", "non-inferiority"), margin_test_title("sign test", "equivalence")
    ('Tango non-inferiority', 'sign test of equivalence')
    >>> margin_test_title("Student's t", "superiority")
    "Student's t superiority"
    """
    if title.endswith(" test") and title[0].islower():
        return f"{title} of {kind}"
    return f"{re.sub(r'(?: score)?(?: test| interval)?$', '', title)} {kind}"


def adjustment_text(rule: str, reference: str | Reference | None = None) -> str:
    """Return a rule of adjustment as a row names it.

    Examples
    --------
    >>> adjustment_text("holm", "holm1979"), adjustment_text("benjamini-hochberg")
    ('Holm-adjusted (1979)', 'Benjamini-Hochberg-adjusted')
    """
    name = "-".join(part.capitalize() for part in rule.split("-"))
    year = cite(reference).rpartition(" ")[2]
    return f"{name}-adjusted{f' ({year})' if year else ''}"


# --- P-values -------------------------------------------------------------------------------------------


def shown_pvalue(pvalue: float, alpha: float, simulated: Simulated | None = None, *, column: bool = False) -> str:
    """Return a p-value for line 2 or a column; a share of draws may be a bound.

    Examples
    --------
    >>> from tellapart.results import Simulated
    >>> shown_pvalue(0.0304, 0.05), shown_pvalue(0.002, 0.05, Simulated.of(0.002, draws=499, floor=0.002))
    ('0.030', '< 0.002')
    """
    if simulated is not None and simulated.bounds(pvalue) and simulated.floor > 0:
        return simulated.bound_text() if float(simulated.floor) >= 0.001 else pvalue_text(pvalue, alpha)
    return pvalue_text(pvalue, alpha, column=column)


def p_text(pvalue: float, alpha: float, simulated: Simulated | None = None, name: str = "p") -> str:
    """Return a p-value for line 2, with its name.

    Examples
    --------
    >>> p_text(0.0304, 0.05), p_text(1e-308, 0.05)
    ('p = 0.030', 'p < 0.001')
    """
    return equation(name, shown_pvalue(pvalue, alpha, simulated))


def precise_p_text(pvalue: float, alpha: float, simulated: Simulated | None = None, name: str = "p") -> str:
    """Return a p-value with three significant digits and its name; a bound with the number of draws.

    Examples
    --------
    >>> from tellapart.results import Simulated
    >>> precise_p_text(0.000311, 0.05), precise_p_text(0.001, 0.05, Simulated.of(0.001, draws=999, floor=0.001))
    ('p = 0.000311', 'p < 0.001 (999 draws)')
    """
    if simulated is not None and simulated.bounds(pvalue):
        return equation(name, f"{simulated.bound_text()} ({int(simulated.draws):,} draws)")
    return equation(name, precise_pvalue_text(pvalue, alpha))


def probability_text(probability: Any) -> str:
    """Return a posterior probability, never as 0 or 1, which draws cannot distinguish from values near them.

    Examples
    --------
    >>> probability_text(0.98312), probability_text(0.99999)
    ('0.983', '> 0.999')
    """
    chance = float(probability)
    if chance < 0.001:
        return "< 0.001"
    return "> 0.999" if chance > 0.999 else f"{chance:.3f}"


# --- Figures --------------------------------------------------------------------------------------------


def value_scale(evidence: Evidence, interval: Interval, value: float) -> Scale:
    """Return the scale of the metric of one model with this interval."""
    kind, ends = evidence.value_kind, (float(interval.low), float(interval.high))
    return scale_of(kind, interval.spread(value) / 2, ends=ends, apart_from=(0.0, 1.0) if kind == "percent" else (0.0,))


def interval_limits(evidence: Evidence, interval: Interval) -> tuple[float, float]:
    """Return the limits of one model's metric as reported: for an accuracy, 1 − those of the error."""
    low, high = float(interval.low), float(interval.high)
    metric = evidence.metric
    return (metric.report_value(high), metric.report_value(low)) if metric.as_accuracy else (low, high)


def difference_name(evidence: Evidence, a: str, b: str) -> str:
    """Return the difference that is positive if B is better.

    Examples
    --------
    >>> from tellapart import Outcomes
    >>> difference_name(Outcomes.from_scores([0.2, 0.7], [0.3, 0.9], metric="rouge"), "old", "new")
    'rouge(new) − rouge(old)'
    """
    metric = evidence.metric
    more, less = (b, a) if metric.report_higher_is_better else (a, b)
    name = "accuracy" if metric.as_accuracy else metric.name
    return f"{name}({more}) − {name}({less})"


# --- Rows -----------------------------------------------------------------------------------------------


def caution_rows(checks: Sequence[Check]) -> Iterator[Row]:
    """Yield a row for every check that fails."""
    yield from (Row("caution", f"{check.code}: {check.message}") for check in checks if not np.all(check.holds))


def with_cautions(verdict: str, checks: Sequence[Check]) -> str:
    """Return the verdict with the titles of the checks that fail."""
    titles = list(dict.fromkeys(check.title or check.code for check in checks if not np.all(check.holds)))
    if not titles:
        return verdict
    return f"{verdict} (caution{'s' * (len(titles) > 1)}: {join_names(titles, most=3)})"


def data_text(evidence: Evidence, excluded: Mapping[str, int], effective_size: float = np.nan, lead: int = 0) -> str:
    """Return the data row: the observations, the effective sample size, and left-out examples."""
    effective = f", effective sample size {effective_size:,.0f}" if np.isfinite(effective_size) else ""
    return f"{evidence.data_row(lead)}{effective}{excluded_text(excluded)}"


def excluded_text(excluded: Mapping[str, int]) -> str:
    """Return the examples that were left out or counted as wrong, as clauses after semicolons.

    Examples
    --------
    >>> excluded_text({"no prediction": 3}), excluded_text({})
    ('; 3 left out (no prediction)', '')
    """
    texts = [
        f"; {count:,} counted as wrong ({reason.reason})"
        if isinstance(reason, CountedAsWrong)
        else f"; {count:,} left out ({reason})"
        for reason, count in excluded.items()
    ]
    return "".join(texts)


def power_rows(power: PowerProjection | None) -> Iterator[Row]:
    """Yield the power at the difference that the caller named; nothing if none was named."""
    if power is not None:
        yield Row("power", power.words)


def looks_rows(looks: int, alpha: float) -> Iterator[Row]:
    """Yield the caution about earlier looks at the test set."""
    if looks:
        yield Row(
            "caution",
            f"{count_text(looks, 'earlier look')} at this test set: the type I error rate is above alpha. Over"
            f" {looks + 1} looks, require p < {alpha / (looks + 1):.3g} (alpha/{looks + 1}).",
        )


def sources_text(sources: tuple[Source, ...]) -> str:
    """Return which sources of variation a method accounts for, and which it does not.

    Examples
    --------
    >>> sources_text(("test data", "labels"))
    'test-set sampling and label noise; not training-set sampling or randomness in the learner'
    """
    if not sources:
        return "none of the four sources of variation"
    covered = join_names(SOURCE_WORDS[source] for source in sources)
    missed = [SOURCE_WORDS[source] for source in SOURCES if source not in sources]
    return f"{covered}; not {' or '.join(missed)}" if missed else covered


# --- Numbers and sources as text ------------------------------------------------------------------------


def covers_text(sources: tuple[Source, ...]) -> str:
    """Return the text of `sources_text`."""
    return sources_text(sources)


def looks_text(looks: int, alpha: float) -> str:
    """Return the caution about earlier looks as a text."""
    return "".join(row.text for row in looks_rows(looks, alpha))


def level_of(evidence: Evidence) -> str:
    """Return the direction of the best value: "lowest" or "highest"."""
    return "highest" if evidence.metric.report_higher_is_better else "lowest"


def written(value: float, spread: float, metric: str) -> str:
    """Return a value with the digits that suit an interval of this width."""
    return scale_of("percent" if metric in {"error", "accuracy"} else "plain", spread / 2).value(value)


def difference_text(value: float, spread: float, metric: str, *, unit: bool = True) -> str:
    """Return a difference with the digits that suit an interval of this width."""
    scale = scale_of("points" if metric in {"error", "accuracy"} else "plain", spread / 2)
    return scale.value(value) if unit else scale.number(value)
