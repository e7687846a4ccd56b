"""Group by group: what every task, language or kind of example says, and all of them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rendering import Tabled, level_text
from .comparison import Comparison
from .comparison_clauses import levels_of, limits_of, verdict
from .estimate import Estimate
from .wording import difference_text, shown_pvalue, written

_TOGETHER = ("macro average", "all examples")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Breakdown(Tabled):
    """What `compare` (or `estimate`) says of every group, and of all groups together, in two ways.

    In the `macro` average every group counts the same; in `overall` every example does, so that large groups
    count more. The p-values of the groups are adjusted for their number.
    """

    groups: Mapping[str, Comparison | Estimate]
    macro: Comparison | Estimate
    overall: Comparison | Estimate
    sizes: tuple[int, ...]  # how many examples each group has
    adjustment: str = ""  # how the groups' p-values pay for their number

    @property
    def answers(self) -> dict[str, Comparison | Estimate]:
        """Every group's answer by its name, then both that speak of all groups."""
        found = dict(self.groups)
        for name, answer in zip(_TOGETHER, (self.macro, self.overall), strict=True):
            found[f"{name} " if name in found else name] = answer  # a group may be called that
        return found

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The groups in which the two models are told apart."""
        return tuple(name for name, each in self.groups.items() if isinstance(each, Comparison) and each.rejected)

    def rows(self) -> list[tuple[str, str]]:
        """Return what the table says in short, and what to beware of."""
        many, total = len(self.groups), sum(self.sizes)
        rows = [("groups", f"{many} group{'s' * (many != 1)}, {total} example{'s' * (total != 1)}")]
        if isinstance(self.overall, Comparison):
            paid = f", p adjusted by {self.adjustment}" if self.adjustment else ", each by itself"
            rule = f"alpha = {self.overall.alpha:.6g}{paid}"
            rows.append(("told apart", f"The two are told apart in {len(self.told_apart)} of {many} groups ({rule})"))
        for name, kind, answer in zip(_TOGETHER, ("group", "example"), (self.macro, self.overall), strict=True):
            rows.append((name, f"Every {kind} counting alike, {_in_short(answer)}"))
        return [*rows, *self._cautions()]

    def _cautions(self) -> list[tuple[str, str]]:
        """Return in which groups checks fail, by their codes."""
        failed: dict[str, list[str]] = {}
        for name, answer in self.answers.items():
            for check in answer.checks:
                if not check.holds:
                    failed.setdefault(check.code, []).append(name.rstrip())
        return [("caution", f"{code} fails in {', '.join(dict.fromkeys(where))}") for code, where in failed.items()]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the head of each column, and a line for each group, for their average and for all examples."""
        answers, sizes = self.answers, (*self.sizes, None, sum(self.sizes))
        spread = _spread(answers.values())
        lines = [
            [name, "" if size is None else str(size), *_cells(answer, spread, adjusted=bool(self.adjustment))]
            for (name, answer), size in zip(answers.items(), sizes, strict=True)
        ]
        limits = f"{level_text(self.overall.interval.alpha)} limits"
        if isinstance(self.overall, Estimate):
            return ["group", "examples", self.overall.evidence.metric.title, limits], lines
        unit = " (points)" if self.overall.interval.metric == "error" else ""
        paid = ["adjusted p"] if self.adjustment else []
        models = self.overall.evidence.models
        return ["group", "examples", *models, f"difference{unit}", limits, "p", *paid, "better"], lines

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        return {
            "adjustment": self.adjustment,
            "groups": [
                {"group": name, "examples": size, **answer.as_dict()}
                for (name, answer), size in zip(self.groups.items(), self.sizes, strict=True)
            ],
            "macro_average": self.macro.as_dict(),
            "all_examples": self.overall.as_dict(),
        }

    def __repr__(self) -> str:
        return str(self)


def _in_short(answer: Comparison | Estimate) -> str:
    if isinstance(answer, Estimate):
        value, metric = float(answer.estimate), answer.interval.metric
        figure = written(value, answer.interval.spread(value), metric)
        what = answer.evidence.metric.title
        return f"the {what} is {figure}, {answer.interval.limits_text()} ({answer.interval.kind_text()})"
    apart = _difference(answer, answer.interval.spread(float(answer.difference)), unit=True)
    return f"{verdict(answer)}; {apart}, {limits_of(answer)} ({answer.method})"


def _cells(answer: Comparison | Estimate, spread: float, *, adjusted: bool) -> list[str]:
    """Return what the table says of one group."""
    metric, interval = answer.interval.metric, answer.interval
    if isinstance(answer, Estimate):
        return [written(float(answer.estimate), spread, metric), interval.limits_text(spread=spread)]
    a, b = answer.evidence.models
    return [
        *(written(level, spread, metric) for level in levels_of(answer)),
        _difference(answer, spread),
        interval.limits_text(spread=spread, unit=False),
        shown_pvalue(float(answer.pvalue), answer.alpha, answer.simulated),
        *([] if not adjusted else [_adjusted_text(answer)]),
        {"A": a, "B": b, None: ""}[answer.better],
    ]


def _adjusted_text(answer: Comparison) -> str:
    if answer.adjusted is None:
        return ""
    return shown_pvalue(float(answer.adjusted), answer.alpha, answer.adjusted_simulated)


def _difference(answer: Comparison, spread: float, *, unit: bool = False) -> str:
    return difference_text(float(answer.difference), spread, answer.interval.metric, unit=unit)


def _spread(answers: Any) -> float:
    """Return the width by which all figures are written alike: the middle one."""
    widths = np.array([float(answer.interval.width) for answer in answers])
    known = widths[np.isfinite(widths) & (widths > 0)]
    return float(np.median(known)) if known.size else 1.0
