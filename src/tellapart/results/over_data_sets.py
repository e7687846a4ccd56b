"""Several learners over many data sets: who is best, or better than a control, and who is not told apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..evidence import ScoreTable
from ..rendering import level_text, percent, plain_number, pvalue_text, significant
from ..typing_ import FloatArray
from .data_set_clauses import (
    ANY_ONE,
    OVERALL,
    chance_text,
    leading_text,
    margin_of,
    missing_text,
    scale_text,
    wins_text,
)
from .effects import Effects
from .estimate import cautions
from .outlook import Outlook
from .practical import Practical
from .ranking import Ranking, headed, listed
from .telling import excluded_text
from .test_result import TestResult

_OWN = ("nemenyi", "bonferroni-dunn")  # whose p-values allow for their number
_OPEN = 6  # pairs that are not told apart of which the text shows the limits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RankingOverDataSets(Ranking):
    """Who is best of several learners over many data sets, and which of them are told apart.

    Learners stand in the order of their mean ranks, for scores of different data sets are not of one size; `pairs` and
    `adjusted` decide who is told apart. With a `control`, it alone is compared with every other.
    """

    control: str | None = None
    critical: float = np.nan  # the difference of mean ranks that tells two apart, where the method has one

    @property
    def effects(self) -> Effects:
        """Of each pair: who wins where, and how large the difference is."""
        found: Effects = self.note("effect_sizes")
        return found

    @property
    def overall(self) -> Mapping[str, TestResult]:
        """Whether any two learners differ, by the name of the test."""
        found: Mapping[str, TestResult] = self.note("overall_tests", {})
        return found

    @property
    def practical(self) -> Practical | None:
        """How probable it is that either of a pair is better, where the method has a posterior."""
        return self.pairs.practical

    @property
    def outlook(self) -> Outlook | None:
        """What so many data sets can show of a difference that was named."""
        found: Outlook | None = self.note("power")
        return found

    @property
    def table(self) -> ScoreTable:
        """The scores, data sets by learners."""
        return self.evidence  # type: ignore[return-value]  # a ranking over data sets has no other evidence

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The two learners of each pair: A and B of its entry in `pairs`; with a control it is always A."""
        if self.control is None:
            return self.table.pair_names()
        return tuple((self.control, name) for name in self.models if name != self.control)

    @property
    def mean_ranks(self) -> FloatArray:
        """The mean rank of each learner: 1 for one that is the best everywhere."""
        return self.table.mean_ranks

    @property
    def levels(self) -> FloatArray:
        """The mean ranks, by which the learners stand in order."""
        return self.mean_ranks

    @property
    def metric(self) -> str:
        """What the learners are ordered by."""
        return "mean rank"

    @property
    def measure(self) -> str:
        """What the figure of each learner is called."""
        return "mean rank"

    @property
    def rate_spread(self) -> float:
        """The width by which mean ranks are written: that of their own standard error."""
        count, sets = len(self.models), len(self.table.datasets)
        return float(np.sqrt(count * (count + 1) / (6 * sets)))

    # --- Who is told apart --------------------------------------------------------------------------

    @property
    def answer(self) -> str:
        """Who is best (or better than the control), and who is not told apart from it, in one sentence."""
        told = f"; {self.told}" if self.told else ""
        on = self.table.describe().partition(";")[0]
        if self.control is not None:
            return f"{self.beside_control()} over {on} ({self.rule}{told})."
        first = self.best
        rank = self._rate_texts()[self.models.index(first[0])]
        verb = "has" if len(first) == 1 else "share"
        return (
            f"{listed(first)} {verb} the best mean rank ({rank}) of {len(self.models)} learners over {on};"
            f" {self._field()} ({self.rule}{told})."
        )

    def beside_control(self, *, past: bool = False) -> str:
        """Say who is better and who is worse than the control; in the past for a paper."""
        is_, are = ("was", "were") if past else ("is", "are")
        order = self._in_order()
        winner = dict(zip((b for _, b in self.names), self.better, strict=True))
        better = tuple(name for name in order if winner.get(name) == name)
        worse = tuple(name for name in order if winner.get(name) == self.control)
        rest = tuple(name for name in order if name != self.control and winner[name] is None)
        parts = [
            f"{listed(names)} {is_ if len(names) == 1 else are} {how} than the control {self.control}"
            for names, how in ((better, "better"), (worse, "worse"))
            if names
        ]
        if rest:
            who = listed(rest) if parts else f"none of the {len(rest)} others" if len(rest) > 1 else rest[0]
            negated = "" if not parts and len(rest) > 1 else "not "
            verb = is_ if len(rest) == 1 or not negated else are
            parts.append(f"{who} {verb} {negated}told apart from {'it' if parts else f'the control {self.control}'}")
        return "; ".join(parts)

    @property
    def rule(self) -> str:
        """By what two are told apart, and what alpha is the chance of."""
        pairs = len(self.names)
        alpha = f"alpha = {self.alpha:.6g}"
        if self.adjustment == "none":
            return f"{self.method}, {alpha} for each of {pairs} pairs, so that false claims add up"
        by = self.method if self.adjustment in _OWN else f"{self.method}, adjusted by {self.adjustment}"
        if self.adjustment.startswith("benjamini"):
            return f"{by}, {alpha} for the share of false claims among {pairs} pairs"
        return f"{by}, {alpha} for all {pairs} pairs together"

    def _besides(self) -> str:
        return "chosen on these very data sets, the best looks better than it is" if self.control is None else ""

    def _leaves_out(self) -> str:
        return ANY_ONE

    # --- What a reader gets to see --------------------------------------------------------------------

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        letters = [("letters", "learners that share a letter are not told apart, which does not make them equal")]
        return [
            ("best" if self.control is None else "control", self.answer),
            ("seen", self.seen),
            *headed("mean ranks", self._standings()),
            *(letters if self.groups else []),
            *headed("told apart", self._told_apart()),
            *headed("not apart", self._not_apart()),
            *headed("as good", self._as_good()),
            *self._limits_row(),
            *self._overall_row(),
            *([("critical", f"mean ranks {significant(self.critical)} apart")] if np.isfinite(self.critical) else []),
            *([("outlook", self.outlook.words)] if self.outlook else []),
            ("careful", self.limits),
            *cautions(self.checks),
        ]

    @property
    def seen(self) -> str:
        """What the ranking rests on, and which cells are missing."""
        first = f"{len(self.models)} learners, {self.table.describe()}; {scale_text(self.table)}."
        return f"{first}{missing_text(self.table)}{excluded_text(self.excluded)}"

    def _standings(self) -> list[str]:
        ranks = dict(zip(self.models, self._rate_texts(), strict=True))
        letters = {name: self.letters(name) for name in self.models}
        means = dict(zip(self.models, self.table.levels.tolist(), strict=True))
        widths = np.asarray(self.pairs.interval.width, dtype=float)
        least, most = self.table.select(*self.models[:2]).range
        known = widths[widths < most - least]  # limits that are everything earn no digits, and take none away
        spread = float(known.min()) if known.size else 0.01
        wide, wider = (max(map(len, each.values())) for each in (ranks, letters))
        what = "error rate" if self.table.metric.is_rate else self.table.metric.title
        mark = {self.control: ", the control"}
        scores = {
            name: "mean unknown" if np.isnan(mean) else f"mean {what} {self._mean_text(mean, spread)}"
            for name, mean in means.items()
        }
        return [
            f"{ranks[name]:>{wide}}  {f'{letters[name]:<{wider}}  ' * bool(wider)}{name}"
            f" ({scores[name]}{mark.get(name, '')})"
            for name in self._in_order()
        ]

    def _mean_text(self, mean: float, spread: float) -> str:
        return percent(mean, spread) if self.table.metric.is_rate else plain_number(mean, spread)

    def _foremost(self) -> set[str]:
        return set(self.best) if self.control is None else {self.control}

    def _not_apart(self) -> list[str]:
        """Write the pairs with the best (or the control) that are not told apart: by how much they may still differ."""
        first, order = self._foremost(), self._in_order()
        found = [
            pair
            for pair, (names, winner) in enumerate(zip(self.names, self.better, strict=True))
            if winner is None and first & set(names)
        ]
        found.sort(key=lambda pair: sorted(map(order.index, self.names[pair])))
        lines = [self._pair_text(pair, *self.names[pair], None) for pair in found[:_OPEN]]
        more = len(found) - len(lines)
        whom = "the best" if self.control is None else self.control
        return [*lines, *([f"and {more} more from {whom}"] if more else [])]

    def _pair_text(self, pair: int, a: str, b: str, winner: str | None) -> str:
        """Write one pair, as seen by the winner; without one, by whom the difference favours."""
        interval, typical = self.pairs.interval[pair], float(self.pairs.difference[pair])
        ahead = winner or (a if typical < 0 else b)
        behind = a if ahead == b else b
        spread = float(interval.spread(typical))
        sign = 1 if ahead == b else -1
        ends = sorted((sign * float(interval.low), sign * float(interval.high)))
        low, high = (margin_of(self.table, end, spread, unit=False) for end in ends)
        by = margin_of(self.table, abs(typical) if winner is None else sign * typical, spread)
        limits = f"{low} to {high}" if np.isfinite(ends).all() else "limits: anything"
        label = "p" if self.adjustment == "none" else "adjusted p"
        pvalue = self.adjusted_text(pair, label)
        wins = wins_text(self.effects[pair], a, b)
        claim = f"{ahead} beats {behind} by {by}" if winner else f"{ahead} leads {behind} by {by}"
        if np.isnan(typical):
            return f"{a} and {b}: no data set has a score of both"
        if not typical:
            claim = f"{a} and {b} are level"
        return f"{claim} ({limits}; {wins}; {pvalue}{self._probable(pair)})"

    def _probable(self, pair: int) -> str:
        """Return what the posterior says of a pair, where there is one."""
        if self.practical is None:
            return ""
        own = self.practical[pair]
        equal = f", P(practically equal) {chance_text(own.equivalent)}" if own.rope else ""
        return f"; {leading_text(own, *self.names[pair])}{equal}"

    def _as_good(self) -> list[str]:
        """Write the pairs that are as good in practice, each by itself."""
        if self.practical is None or not self.practical.rope:
            return []
        found = np.flatnonzero(np.asarray(self.practical.equivalent) > 1 - self.alpha)
        if not found.size:
            return [
                f"no pair: P(practically equal, within {self.practical.rope:g}) is nowhere beyond {1 - self.alpha:g}"
            ]
        lines = [
            f"{' and '.join(self.names[pair])} in practice: P(practically equal, within {self.practical.rope:g})"
            f" {chance_text(self.practical.equivalent[pair])}"
            for pair in found[:_OPEN]
        ]
        more = f"and {found.size - len(lines)} more; {found.size} of {len(self.names)} pairs in all"
        return lines if found.size == len(lines) else [*lines, more]

    def _limits_row(self) -> list[tuple[str, str]]:
        """Say what the limits are, and who decides where they and the p-values fall apart."""
        interval = self.pairs.interval
        told = np.array([better is not None for better in self.better])
        other = (
            " Where they would decide otherwise, the p-value decides." if np.any(told == interval.contains(0.0)) else ""
        )
        return [("limits", f"in parentheses, {level_text(interval.alpha)} ({interval.method}, each by itself).{other}")]

    def _overall_row(self) -> list[tuple[str, str]]:
        if not self.overall:
            return []
        told = "; ".join(
            f"{OVERALL[name][0]} {significant(float(found.statistic), 4)},"
            f" p = {pvalue_text(float(found.pvalue), self.alpha)}"
            for name, found in self.overall.items()
        )
        return [("overall", f"{told} (do the learners differ at all?)")]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        told = Ranking.as_dict(self)
        for name in ("cochran_q", "optimism"):
            told.pop(name)
        for place, (own, mean) in enumerate(zip(told["models"], self.table.levels.tolist(), strict=True)):
            own.pop("value", None)
            own["mean_rank"], own["mean_score"] = self.mean_ranks[place], mean
        for place, own in enumerate(told["pairs"]):
            own["effects"] = self.effects[place].as_dict()
            if self.practical is not None:
                own["practical"] = self.practical[place].as_dict()
        more = {
            "control": self.control,
            "overall": {
                name: {"statistic": found.statistic, "pvalue": found.pvalue} for name, found in self.overall.items()
            },
            "critical_difference": self.critical,
            "outlook": self.outlook and self.outlook.as_dict(),
            "missing": [list(cell) for cell in self.table.missing],
        }
        words = told.pop("words")
        return told | more | {"words": words}

    def __repr__(self) -> str:
        return str(self)
