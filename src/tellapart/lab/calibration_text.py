"""What a calibration says: its words, its rows, and its line in a table of several methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..evidence import ErrorCount, ErrorPatterns
from ..rendering import level_text, plain_number, significant
from .estimated_share import Share
from .oscillation import kept_on_average

if TYPE_CHECKING:
    from .calibration import Calibration

_LIMITS = {"two": "interval", "upper": "upper bound", "lower": "lower bound"}


# --- Words ----------------------------------------------------------------------------------------


def words_of(found: Calibration) -> str:
    """Say in a sentence or two what the figures mean."""
    if found.shape:
        return f"{int(np.prod(found.shape))} designs; take one of them, by its index, for its words."
    said = [_choice_in_words(found)] if found.chooses else [_size_in_words(found), _power_in_words(found)]
    said.append(_coverage_in_words(found, named=not any(said)))
    if found.bias is not None and found.rmse is not None:
        whose = "Its estimate" if any(said) else f"The estimate of {found.method}"
        off = f"{100 * float(found.bias[0]):+.2f} points", f"{100 * float(found.rmse[0]):.2f}"
        if not found.design.in_points:
            off = f"{float(found.bias[0]):+.3g}", f"{float(found.rmse[0]):.3g}"
        said.append(f"{whose} is off by {off[0]} on average, by {off[1]} in the root mean square.")
    return " ".join(part for part in said if part)


def _size_in_words(found: Calibration) -> str:
    if found.size is None:
        return ""
    null, claim = _null_and_claim(found)
    promise = "it is a rule that promises no rate"
    if not found.rule:
        promise = f"{_percent_of(found.alpha)} was asked for: {found.verdict}"
    said = f"{found.method} says {claim} {_percent(found.size)} of the time{_between(found.size)}"
    return f"If {null}, {said}; {promise}.{_oscillation_in_words(found)}"


def _oscillation_in_words(found: Calibration) -> str:
    """Say what the coverage is on average, where that is what the method promises and this true error is below it."""
    if found.verdict != _ON_AVERAGE or (average := kept_on_average(found)) is None:
        return ""
    return (
        " Counts are whole, so its coverage oscillates with the true error:"
        f" {_percent_of(average.coverage)} on average over {average.over}."
    )


def _choice_in_words(found: Calibration) -> str:
    """Say whom a rule chooses that claims nothing."""
    if found.chosen is None:
        return ""
    said = []
    for place, step in enumerate(found.differences.tolist()):
        who = {-1: "A is better by", 0: "A and B are equally good", 1: "B is better by"}[int(np.sign(step))]
        each = [f"{whom} {_percent(share[place])}" for whom, share in found.chosen.items()]
        it = "it" if place else found.method
        said.append(f"{f'{who} {_apart(found, abs(step))}' if step else who}, {it} chooses {_listed(each)} of the time")
    return f"If {'; if '.join(said)}."


def _null_and_claim(found: Calibration) -> tuple[str, str]:
    """Return what is true under the null hypothesis, and what a test that rejects says."""
    if found.margin is not None:
        far = _apart(found, found.margin.size)
        return {
            "non-inferior": (f"B is worse by {far}", "that it is not as much worse"),
            "superior": (f"B is better by {far}", "that it is better by more"),
            "equivalent": (f"B is worse by {far}", "that the two are closer"),
        }[found.margin.hypothesis]
    if _of_one(found):
        claims = {"two-sided": "otherwise", "greater": "that it is higher", "less": "that it is lower"}
        return f"the true error is {_percent_of(float(found.design.at(0.0).truth('error')))}", claims[found.alternative]
    several = found.design.evidence == (ErrorPatterns,) or len(getattr(found.design, "names", ())) > 2
    if several or "pairs" in found.gives:
        return "all are equally good", "otherwise of some two" if "pairs" in found.gives else "otherwise"
    claims = {"two-sided": "otherwise", "greater": "that B is better", "less": "that A is better"}
    return "A and B are equally good", claims[found.alternative]


def _power_in_words(found: Calibration) -> str:
    if found.power is None or not found.effects.size:
        return ""
    either = found.alternative == "two-sided" and found.margin is None  # then the side of a difference does not matter
    steps = np.abs(found.effects) if either and np.unique(np.sign(found.effects)).size == 1 else found.effects
    seen = [f"of {_apart(found, step)} in {_percent(share)}" for step, share in zip(steps, found.power, strict=True)]
    who = found.method if found.size is None else "It"
    return f"{who} {'sees' if either else 'says so at'} a difference {_listed(seen)} of all cases."


def _coverage_in_words(found: Calibration, *, named: bool) -> str:
    if found.coverage is None:
        return ""
    limits = f"{level_text(found.alpha)} {_LIMITS[found.side]}"
    limits = f"The {limits} of {found.method}" if named else f"Its {limits}"
    worst = _worst(found.coverage)
    if worst is None:
        return f"{limits} has nothing to hold: what it is of is undefined here."
    share = found.coverage[worst]
    where = f", {_where(found, found.differences[worst])}" if worst else ""
    least = " at worst" if found.differences.size > 1 else ""
    return f"{limits} holds the truth {_percent(share)} of the time{least}{_between(share)}{where}."


def _where(found: Calibration, step: float) -> str:
    """Say at which truth something was measured: a difference of two, or the value of the only model."""
    if not found.design.value_name:
        return f"at a difference of {_apart(found, step)}"
    truth = float(found.design.at(step).truth("error"))
    return (
        f"at a true {found.design.value_name} of {_percent_of(truth) if found.design.in_points else significant(truth)}"
    )


def _of_one(found: Calibration) -> bool:
    """Whether this is about one classifier and a threshold, not about two."""
    return found.design.evidence == (ErrorCount,)


def _worst(coverage: Share) -> int | None:
    """Return where the coverage is smallest; None if it is undefined everywhere."""
    return None if np.isnan(coverage.value).all() else int(np.nanargmin(coverage.value))


_ON_AVERAGE = "its level holds on average over true errors, not at this one"


def verdict_of(found: Calibration) -> str | None:
    """Say whether a test keeps its word, as far as the trials tell; None for what gave none: no p-value, no test."""
    size, alpha = found.size, found.alpha
    if size is None or size.shape or found.rule:
        return None
    if float(size.low) > 1.2 * alpha:
        if kept_on_average(found) is not None:
            return _ON_AVERAGE
        return "it claims too much" if float(size.low) > 1.7 * alpha else "it claims somewhat too much"
    if float(size.high) < 0.5 * alpha:
        return "it is cautious, and pays with power"
    if float(size.high) > 1.7 * alpha:
        return "too few trials to tell"
    return "it keeps its word" if float(size.high) <= 1.2 * alpha else "as far as these trials tell, it keeps its word"


def _between(share: Share) -> str:
    """Say how sure a share is that was counted."""
    if not share.trials:
        return ""
    return f" ({_percent_of(float(share.low)).removesuffix(' %')} to {_percent_of(float(share.high))})"


def _percent(share: Share) -> str:
    return _percent_of(float(share.value))


def _percent_of(value: float) -> str:
    if 0.9995 <= value < 1:
        return "just below 100 %"
    return f"{100 * value:.2g} %" if value < 0.0995 else f"{100 * value:.3g} %"


def _apart(found: Calibration, step: float) -> str:
    """Write a difference: in points where it is of error rates."""
    if not found.design.in_points:
        return significant(step)
    text = significant(100 * step)
    return f"{text} point" if text in ("1", "-1") else f"{text} points"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


# --- Rows -----------------------------------------------------------------------------------------


def rows_of(found: Calibration) -> list[tuple[str, str]]:
    """Return label and value of each line a reader gets to see."""
    rows = [("method", found.method), ("design", found.design.describe()), ("how", how_in_words(found))]
    if found.margin is not None:
        rows.append(("to be shown", f"{found.margin.hypothesis}, margin {found.margin.size:g}"))
    elif found.alternative != "two-sided":
        rows.append(("alternative", found.alternative))
    if found.shape:
        return [*rows, *((column.head, text) for column, text in _figures(found).items()), ("in words", found.words)]
    rows.extend(_choices(found) if found.chooses else _decisions(found))
    if found.coverage is not None:
        for place, step in enumerate(found.differences):
            rows.append((f"coverage at {step:g}", f"{found.coverage[place]}; {_width(found, place)}"))
    if found.bias is not None and found.rmse is not None:
        rows.append(("bias", f"{float(found.bias[0]):+.5f}; root mean square {float(found.rmse[0]):.5f}"))
    return [*rows, ("in words", found.words)]


def _choices(found: Calibration) -> list[tuple[str, str]]:
    """Return a line for each difference: how often A, B and neither are chosen."""
    if found.chosen is None:
        return []
    each = [
        ", ".join(f"{whom} {share[place]}" for whom, share in found.chosen.items())
        for place in range(found.differences.size)
    ]
    return [(f"chosen at {step:g}", told) for step, told in zip(found.differences, each, strict=True)]


def _decisions(found: Calibration) -> list[tuple[str, str]]:
    """Return the lines of a test: its size, and its power at each difference."""
    rows = []
    if found.size is not None:
        rows.append(("size" if found.rule else f"size at {found.alpha:g}", str(found.size)))
    if found.undefined is not None and found.undefined.value[0] > 1e-9 and not found.rule:
        rows.append(("no p-value", str(found.undefined[0])))
    if found.power is not None:
        for place, step in enumerate(found.effects):
            wrong = None if found.sign_errors is None else found.sign_errors[place]
            signs = "" if wrong is None or not wrong.value > 0 else f"; wrongly {wrong}"
            rows.append((f"power at {step:g}", f"{found.power[place]}{signs}"))
    return rows


def how_in_words(found: Calibration) -> str:
    """Say whether the figures are exact, or how many trials they come from."""
    return f"{found.simulated:,} trials simulated" if found.simulated else "exact: every outcome enumerated"


def _width(found: Calibration, place: int) -> str:
    width, bounded = float(found.width[place]), float(found.bounded[place].value)  # type: ignore[index]
    if np.isnan(width):
        return "without end"
    among = "" if bounded > 1 - 1e-9 else f" of the {_percent_of(bounded)} that end"
    return f"mean width {plain_number(width, width / 10)}{among}"


# --- Side by side ---------------------------------------------------------------------------------


class Column(NamedTuple):
    """A column of figures: what was measured, and where."""

    figure: str
    at: str = ""

    @property
    def head(self) -> str:
        """What stands above the column."""
        return f"{self.figure} {self.at}".rstrip()


_FIGURES = ("size", "power", "chosen", "coverage", "width", "bias", "rmse")


def columns_of(
    calibrations: Sequence[Calibration], figures: Sequence[str] = _FIGURES
) -> tuple[list[str], list[list[str]]]:
    """Return the head of a table and a line for each method; columns that nobody fills are left out."""
    cells = [_figures(calibration) for calibration in calibrations]
    columns = list(dict.fromkeys(column for row in cells for column in row if column.figure in figures))
    columns.sort(key=lambda column: _FIGURES.index(column.figure))
    lines = [
        [calibration.method, *(row.get(column, "") for column in columns)]
        for calibration, row in zip(calibrations, cells, strict=True)
    ]
    return ["method", *(column.head for column in columns)], lines


def _figures(found: Calibration) -> dict[Column, str]:
    """Return the figures of a method by their columns, each in a few digits."""
    cells: dict[Column, str] = {}
    if found.chooses and found.chosen is not None:
        for place, step in enumerate(found.differences):
            each = ", ".join(f"{whom} {_range(share.value[..., place])}" for whom, share in found.chosen.items())
            cells[Column("chosen", f"at {step:g}")] = each
    if found.size is not None and not found.chooses:
        cells[Column("size", f"at {found.alpha:g}")] = _cell(found.size, limits=True)
    if found.power is not None and not found.chooses:
        cells |= {Column("power", f"at {step:g}"): _cell(found.power[..., at]) for at, step in enumerate(found.effects)}
    if found.coverage is not None and found.width is not None:
        cells[Column("coverage", "at worst" if found.differences.size > 1 else "")] = _cell(_lowest(found), limits=True)
        cells[Column("width")] = _range(found.width[..., 0])
    if found.bias is not None and found.rmse is not None:
        cells[Column("bias")] = _range(found.bias[..., 0], "+")
        cells[Column("rmse")] = _range(found.rmse[..., 0])
    return cells


def _lowest(found: Calibration) -> Share:
    """Return the smallest coverage over the differences, of each design."""
    assert found.coverage is not None  # noqa: S101  # who asks has looked
    values = found.coverage.value
    known = np.where(np.isnan(values), np.inf, values).min(axis=-1)
    return Share(np.where(np.isinf(known), np.nan, known)[()], found.coverage.trials)


def _cell(share: Share, *, limits: bool = False) -> str:
    if share.shape or not share.trials or not limits:
        return _range(share.value)
    return f"{share.value:.4f} ({share.low:.4f} to {share.high:.4f})"


def _range(values: np.ndarray | np.floating, sign: str = "") -> str:
    known = np.atleast_1d(values)[np.isfinite(np.atleast_1d(values))]
    if not known.size:
        return "undefined"
    least, most = (
        f"{limit:{sign}.4f}" if limit == 0 or abs(limit) >= 1e-4 else f"{limit:{sign}.1e}"
        for limit in (known.min(), known.max())
    )
    return least if least == most else f"{least} to {most}"
