"""Several answers of one command as one display: of several models, of groups, by all methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..display import Block, Display, Row, TextTable
from ..figures import Scale, count_text, level_text, scale_of, short_names
from ..rendering import Rendered
from ..results.comparison_text import superior_text
from ..results.comparison_text import verdict as verdict_of
from ..results.estimate_text import value_text
from ..results.oriented import direction_text
from ..results.wording import (
    data_text,
    excluded_text,
    interval_limits,
    method_text,
    shown_pvalue,
    value_scale,
)

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..methods import Offer
    from ..results import Comparison, Estimate
    from ..results.check import Check

_PLURALS = {"this trained model": "these trained models", "this model": "these models"}
_MOST_NAMES = 4  # models or groups that a caution lists

EstimateCell = tuple[Any, str, "Estimate"]  # group (or None), model, answer


class EstimateTable(Rendered):
    """The metric of several models, in every group if there are groups; the full answer for a single model.

    Parameters
    ----------
    cells
        Group (None without groups), model and answer of each line.
    noun
        "model" or "learner".
    excluded
        How many examples were left out, by reason.
    notes
        Notes about the files, one sentence each.
    """

    __slots__ = ("cells", "excluded", "notes", "noun")

    def __init__(
        self,
        cells: Sequence[EstimateCell],
        noun: str = "model",
        excluded: Mapping[str, int] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.cells, self.noun = tuple(cells), noun
        self.excluded, self.notes = dict(excluded or {}), tuple(notes)

    def display(self, *, verbose: bool = False) -> Display:
        """Return the one answer with the name of its model, or a table."""
        if len(self.cells) > 1:
            return self._display_table(verbose=verbose)
        ((group, model, answer),) = self.cells
        page = add_notes(
            replace(answer, excluded=self.excluded or answer.excluded).display(verbose=verbose), self.notes
        )
        name = ", ".join(str(name_part) for name_part in (group, short_names([model])[model]) if name_part is not None)
        return (
            page
            if page.verdict.startswith((f"{name}: ", f"{name}, "))
            else replace(page, verdict=f"{name}: {page.verdict}")
        )

    def explanations(self) -> list[tuple[str, str]]:
        """Return how to read the first answer."""
        return self.cells[0][2].explanations()

    def _display_table(self, *, verbose: bool) -> Display:
        answers = [answer for _, _, answer in self.cells]
        first = answers[0]
        grouped = any(group is not None for group, _, _ in self.cells)
        title = first.evidence.metric.report_title
        models = dict.fromkeys(model for _, model, _ in self.cells)
        groups = dict.fromkeys(group for group, _, _ in self.cells)
        verdict = f"{title[0].upper()}{title[1:]} of {count_text(len(models), self.noun)}"
        verdict += f" in {count_text(len(groups), 'group')}" if grouped else ""
        names = [
            ", ".join(str(name_part) for name_part in (group, model) if name_part is not None)
            for group, model, _ in self.cells
        ]
        methods = dict.fromkeys(answer.interval.method for answer in answers)
        intervals = {
            name: next(answer.interval for answer in answers if answer.interval.method == name) for name in methods
        }
        named = " or ".join(
            method_text(interval.title or name, interval.reference) for name, interval in intervals.items()
        )
        blocks: list[Block] = [self._make_table(list(models), grouped=grouped, verbose=verbose)]
        blocks += summarize_cautions(zip(names, (answer.checks for answer in answers), strict=True))
        data = "; ".join([*([excluded_text(self.excluded).removeprefix("; ")] if self.excluded else []), *self.notes])
        blocks += [Row("data", data)] if data else []
        blocks.append(Row("interval", f"{named}, one {self.noun} at a time"))
        scope = first.evidence.scope(first.method)
        if len(models) > 1:
            scope = scope._replace(subject=_PLURALS.get(scope.subject, scope.subject))
        blocks.append(Row("scope", scope.row))
        blocks.append(Row("next", "Intervals do not test the difference; use `tellapart compare`."))
        return Display(verdict=verdict, blocks=tuple(blocks))

    def _make_table(self, models: list[str], *, grouped: bool, verbose: bool) -> TextTable:
        short, first = short_names(models), self.cells[0][2]
        sizes = [np.max(answer.evidence.size) for _, _, answer in self.cells]
        scale = _common_scale([answer for _, _, answer in self.cells])
        counted = verbose and all(hasattr(answer.evidence, "errors") for _, _, answer in self.cells)
        limits = f"{level_text(first.interval.alpha)} {_SIDES[first.interval.side]}"
        unit = f"{first.evidence.unit.name}s"
        head = [
            *["group"] * grouped,
            self.noun,
            *["errors"] * counted,
            unit,
            first.evidence.metric.report_title,
            limits,
        ]
        lines = []
        for (group, model, answer), size in zip(self.cells, sizes, strict=True):
            value = float(answer.evidence.metric.report_value(answer.value))
            counts = [f"{int(answer.evidence.errors):,}"] if counted else []  # type: ignore[attr-defined]  # it has errors
            lines.append(
                [
                    *([str(group)] if grouped else []),
                    short[model],
                    *counts,
                    f"{int(size):,}",
                    "undefined" if np.isnan(value) else scale.value(value),
                    _limits_text(answer, scale),
                ]
            )
        return TextTable(head=head, lines=lines, align="l" * (1 + grouped) + "r" * (len(head) - 1 - grouped))


_SIDES = {"two": "CI", "upper": "upper bound", "lower": "lower bound"}


def _common_scale(answers: Sequence[Estimate]) -> Scale:
    """Return the scale of all values, with the decimals of a typical interval."""
    widths = np.array([float(answer.interval.width) for answer in answers])
    usual = widths[np.isfinite(widths) & (widths > 0)]
    return scale_of(answers[0].evidence.value_kind, float(np.median(usual)) / 2 if usual.size else 1.0)


def _limits_text(answer: Estimate, scale: Scale) -> str:
    """Return both limits, or the single limit of a bound."""
    low, high = interval_limits(answer.evidence, answer.interval)
    if answer.interval.side == "two":
        return scale.range(low, high)
    return scale.number(low if np.isfinite(low) and low > 0 else high)


# --- Groups -------------------------------------------------------------------------------------------


class GroupTable(Rendered):
    """The comparisons of models in every group.

    Parameters
    ----------
    answers
        All comparisons at once, with their adjusted p-values.
    cells
        The group and the comparison of each line.
    """

    __slots__ = ("answers", "cells", "excluded")

    def __init__(
        self, answers: Comparison, cells: Sequence[tuple[Any, Comparison]], excluded: Mapping[str, int]
    ) -> None:
        self.answers, self.cells, self.excluded = answers, tuple(cells), dict(excluded)

    def display(self, *, verbose: bool = False) -> Display:
        """Return a line for every group and pair of models, with rows for the data and methods."""
        page = self.answers.display(verbose=verbose)
        groups = dict.fromkeys(group for group, _ in self.cells)
        sizes = {group: int(np.max(answer.evidence.size)) for group, answer in self.cells}
        data = f"{count_text(sum(sizes.values()), 'example')} in {count_text(len(groups), 'group')}"
        data += excluded_text(self.excluded)
        rows = [Row("data", data) if row.label == "data" else row for row in page.rows]
        verdict = page.verdict.replace(verdict_of(self.answers), self._verdict(len(groups)), 1)
        return replace(page, verdict=verdict, blocks=(self._make_table(), *rows))

    def _verdict(self, groups: int) -> str:
        """Return in how many groups which of two models is better; of more models, how many comparisons are."""
        answers = [answer for _, answer in self.cells]
        first = answers[0]
        plain = first.hypothesis.kind == "different" and first.alternative == "two-sided"
        if len({answer.evidence.models for answer in answers}) > 1 or not plain or first.evidence.event != "wrong":
            return verdict_of(self.answers)
        names = dict(zip("AB", short_names(first.evidence.models).values(), strict=True))
        wins = Counter(str(answer.better) for answer in answers if answer.better is not None)
        if not wins:
            return f"No significant difference between {names['A']} and {names['B']} in any of {groups:,} groups"
        (best, count), *rest = wins.most_common()
        winning = next(answer for answer in answers if answer.better == best)
        other = names["B" if best == "A" else "A"]
        verdict = f"{names[best]} {superior_text(winning)} {other} in {count:,} of {groups:,} groups"
        return f"{verdict}, {other} is better in {rest[0][1]:,}" if rest else verdict

    def explanations(self) -> list[tuple[str, str]]:
        """Return how to read the first comparison."""
        return self.cells[0][1].explanations()

    def _make_table(self) -> TextTable:
        """Return the table; that of many pairs has no room for the values of both and the unadjusted p-value."""
        first = self.cells[0][1]
        pairs = dict.fromkeys(answer.evidence.models for _, answer in self.cells)
        several = len(pairs) > 1
        ahead = sum(float(answer.difference) for _, answer in self.cells if np.isfinite(answer.difference))
        lead = int(ahead >= 0)
        short = short_names(dict.fromkeys(model for pair in pairs for model in pair))
        limits = f"{level_text(first.interval.alpha)} {_SIDES[first.interval.side]}"
        names = ("A", "B") if several else tuple(short[model] for model in first.evidence.models)
        ahead_by = f"{names[lead]} {direction_text(first.evidence.metric)} by"
        if first.interval.parameter == "difference":
            ahead_by += f" ({limits})"
        adjusted = any(answer.adjusted is not None for _, answer in self.cells)
        pvalues = ["p"] * (not several or not adjusted) + ["adj. p"] * adjusted
        of_margin = first.hypothesis.kind != "different"
        outcome = first.hypothesis.kind if of_margin else "better"
        head = ["group", *(["A", "B", "examples"] if several else ["examples", *names]), ahead_by, *pvalues, outcome]
        gap = self._common_scale()
        lines = [self._make_line(group, answer, lead, short, gap, several=several) for group, answer in self.cells]
        align = f"{'lllr' if several else 'lrrr'}l{'r' * len(pvalues)}l"
        if not any(line[-1] for line in lines):  # no significant comparison
            head, lines, align = head[:-1], [line[:-1] for line in lines], align[:-1]
        return TextTable(head=head, lines=lines, align=align)

    def _common_scale(self) -> Scale:
        """Return the scale of all differences, with the decimals of a typical interval."""
        widths = np.array([answer.interval.spread(float(answer.difference)) for _, answer in self.cells], dtype=float)
        usual = widths[np.isfinite(widths) & (widths > 0)]
        kind = self.cells[0][1].evidence.difference_kind
        return scale_of(kind, float(np.median(usual)) / 2 if usual.size else 1.0)

    def _make_line(
        self, group: Any, answer: Comparison, lead: int, short: dict[str, str], gap: Scale, *, several: bool
    ) -> list[str]:
        evidence, interval = answer.evidence, answer.interval
        sign = 1 if lead else -1
        difference = float(answer.difference)
        ends = sorted((sign * float(interval.low), sign * float(interval.high)))
        scale = Scale(evidence.value_kind, gap.decimals)
        values = [_value_text(scale, float(evidence.metric.report_value(level))) for level in evidence.levels.tolist()]
        text = (
            "undefined"
            if np.isnan(difference)
            else f"{gap.value(sign * difference)} ({_range_text(gap, ends, interval)})"
        )
        if interval.parameter != "difference":
            text = gap.value(sign * difference)
        if answer.hypothesis.kind != "different":
            outcome = "demonstrated" if answer.rejected else "inconclusive"
        else:
            outcome = {"A": short[evidence.models[0]], "B": short[evidence.models[1]]}.get(str(answer.better), "")
        pvalues = []
        if not several or answer.adjusted is None:
            pvalues.append(shown_pvalue(float(answer.pvalue), answer.alpha, answer.simulated, column=True))
        if answer.adjusted is not None:
            pvalues.append(shown_pvalue(float(answer.adjusted), answer.alpha, answer.adjusted_simulated, column=True))
        return [
            str(group),
            *([short[model] for model in evidence.models] if several else []),
            f"{int(np.max(evidence.size)):,}",
            *([] if several else values),
            text,
            *pvalues,
            outcome,
        ]


def _value_text(scale: Scale, value: float) -> str:
    return "undefined" if np.isnan(value) else scale.value(value)


def _range_text(gap: Scale, ends: Sequence[float], interval: Any) -> str:
    if interval.side == "two":
        return gap.range(*ends)
    return gap.number(next((end for end in ends if np.isfinite(end)), ends[0]))


# --- All methods --------------------------------------------------------------------------------------


class IntervalTable(Rendered):
    """The interval of one model's metric by every method, and why others gave none."""

    __slots__ = ("answers", "left_out")

    def __init__(self, answers: Sequence[tuple[Offer, Estimate]], left_out: Sequence[str]) -> None:
        self.answers, self.left_out = tuple(answers), tuple(left_out)

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # every line has the same cells
        """Return a line for each method."""
        first = self.answers[0][1]
        kind = _SIDES[first.interval.side]
        verdict = f"{value_text(first).rpartition(' (')[0]}: {count_text(len(self.answers), 'interval')}"
        head = ["method", f"{level_text(first.interval.alpha)} {kind}", "low", "high", "status", "caution"]
        lines = [
            [
                method.name,
                _shown_limits(answer),
                *_six_decimals(answer),
                _status_of(method),
                _failed_codes(answer.checks),
            ]
            for method, answer in self.answers
        ]
        blocks: tuple[Block, ...] = (
            TextTable(head=head, lines=lines, align="lrrrll"),
            Row("data", data_text(first.evidence, first.excluded)),
            *_list_left_out(self.left_out),
        )
        return Display(verdict=verdict, blocks=blocks)


def _shown_limits(answer: Estimate) -> str:
    """Return the limits with the decimals of the interval."""
    return _limits_text(answer, value_scale(answer.evidence, answer.interval, float(answer.value)))


def _six_decimals(answer: Estimate) -> list[str]:
    return [f"{float(limit):.6f}" for limit in interval_limits(answer.evidence, answer.interval)]


class ComparisonTable(Rendered):
    """The comparison of two models by every test and every interval, and why other methods gave none."""

    __slots__ = ("answers", "default", "left_out")

    def __init__(
        self, default: Comparison, answers: Sequence[tuple[Offer, Comparison]], left_out: Sequence[str]
    ) -> None:
        self.default, self.answers, self.left_out = default, tuple(answers), tuple(left_out)

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # every line has the same cells
        """Return a table of tests and one of intervals, below the answer by default."""
        page = self.default.display()
        tests = [(offer, answer) for offer, answer in self.answers if offer.gives == "test"]
        intervals = [(offer, answer) for offer, answer in self.answers if offer.gives == "interval"]
        blocks: list[Block] = []
        if tests:
            lines = [
                [
                    offer.name,
                    shown_pvalue(float(answer.pvalue), answer.alpha, answer.simulated, column=True),
                    _status_of(offer),
                    _failed_codes(answer.checks, offer),
                ]
                for offer, answer in tests
            ]
            blocks.append(TextTable(head=["test", "p", "status", "caution"], lines=lines, align="lrll"))
        if intervals:
            level = level_text(intervals[0][1].interval.alpha)
            lines = [
                [
                    offer.name,
                    answer.interval.parameter,
                    _oriented_limits(answer),
                    _status_of(offer),
                    _failed_codes(answer.checks, offer),
                ]
                for offer, answer in intervals
            ]
            head = ["interval", "parameter", f"{level} CI", "status", "caution"]
            blocks.append(TextTable(head=head, lines=lines, align="llrll"))
        blocks += [row for row in page.rows if row.label in {"caution", "data", "scope"}]
        return replace(page, blocks=(*blocks, *_list_left_out(self.left_out)))

    def explanations(self) -> list[tuple[str, str]]:
        """Return how to read the answer by default."""
        return self.default.explanations()


def _oriented_limits(answer: Comparison) -> str:
    """Return the limits of an interval; for a difference in the direction of the leader."""
    from ..results.comparison_text import limits_clause
    from ..results.oriented import orient

    text = limits_clause(answer, orient(answer)).strip("()")
    return text.rpartition(" CI ")[2] if " CI " in text else text


def _status_of(offer: Offer) -> str:
    from .method_pages import status_text

    return status_text(offer)


def _failed_codes(checks: Sequence[Check], offer: Offer | None = None) -> str:
    """Return the codes of the checks that fail; with an offer, only of its own assumptions."""
    failed = {check.code for check in checks if not np.all(check.holds)}
    if offer is not None:
        failed &= {assumption.code for assumption in offer.assumes} | (
            {"TA010"} if str(offer.standing) == "forbidden" else set()
        )
    return " ".join(sorted(failed))


def _list_left_out(reasons: Sequence[str]) -> Iterator[Row]:
    if reasons:
        yield Row("left out", "\n".join(reasons))


# --- Rows ---------------------------------------------------------------------------------------------


def summarize_cautions(checks_by_name: Iterable[tuple[str, Sequence[Check]]]) -> Iterator[Row]:
    """Yield a row for each check that fails, with the models or groups in which it does."""
    failed: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    for name, checks in checks_by_name:
        for check in checks:
            if not np.all(check.holds):
                failed.setdefault(check.code, []).append(name)
                titles[check.code] = check.title or "check fails"
    for code, names in failed.items():
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        yield Row("caution", f"{code}: {titles[code]} ({', '.join(names[:_MOST_NAMES])}{more})")


def add_notes(page: Display, notes: Sequence[str]) -> Display:
    """Return a display with further lines in its data row."""
    if not notes:
        return page
    text = "\n".join(notes)
    labels = [row.label for row in page.rows]
    if "data" not in labels:
        return replace(page, blocks=(*page.blocks, Row("data", text)))
    blocks = tuple(
        Row(block.label, f"{block.text}\n{text}") if isinstance(block, Row) and block.label == "data" else block
        for block in page.blocks
    )
    return replace(page, blocks=blocks)


def add_alternatives(page: Display, evidence: Evidence) -> Display:
    """Return a display with a row of alternatives to the default method, above its scope."""
    from ..advice.alternatives import suggest_alternatives

    texts = [alternative.options for alternative in suggest_alternatives(evidence)]
    if not texts:
        return page
    blocks = list(page.blocks)
    for index, block in enumerate(blocks):
        if isinstance(block, Row) and block.label == "or":
            blocks[index] = Row("or", "\n".join([block.text, *texts]))
            return replace(page, blocks=tuple(blocks))
    scope = [index for index, block in enumerate(blocks) if isinstance(block, Row) and block.label == "scope"]
    blocks.insert(scope[0] if scope else len(blocks), Row("or", "\n".join(texts)))
    return replace(page, blocks=tuple(blocks))
