"""Results by group (task, language or kind of example), and over all groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..display import Block, Display, Row, TextTable
from ..figures import Scale, count_text, level_text, scale_of, short_names
from ..rendering import Rendered
from .comparison import Comparison
from .comparison_text import pair_figures, test_text, tone
from .comparison_text import verdict as pair_verdict
from .estimate import Estimate
from .estimate_text import value_text
from .oriented import direction_text, leading_position
from .wording import adjustment_text, interval_limits, method_text, shown_pvalue

_TOGETHER = ("macro average", "all examples")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Breakdown(Rendered):
    """The comparison (or estimate) in every group, with two results over all groups.

    In the `macro` average every group has the same weight; in `overall` every example has, so that large groups weigh
    more. The p-values of the groups are adjusted for multiple comparisons.
    """

    groups: Mapping[str, Comparison | Estimate]
    macro: Comparison | Estimate
    overall: Comparison | Estimate
    sizes: tuple[int, ...]  # the number of examples of each group
    adjustment: str = ""  # how the groups' p-values are adjusted for multiple comparisons

    @property
    def answers(self) -> dict[str, Comparison | Estimate]:
        """The answers by name: those of all groups, then the two over all groups."""
        answers = dict(self.groups)
        for name, answer in zip(_TOGETHER, (self.macro, self.overall), strict=True):
            answers[f"{name} " if name in answers else name] = answer  # a group may have this name
        return answers

    @property
    def significant(self) -> tuple[str, ...]:
        """The groups in which the two models differ significantly."""
        return tuple(name for name, answer in self.groups.items() if isinstance(answer, Comparison) and answer.rejected)

    @property
    def told_apart(self) -> tuple[str, ...]:
        """Deprecated alias of `significant`."""
        return self.significant

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # the table is all there is
        """Return the answer over all examples, a line for every group, and the methods."""
        overall = self.overall
        blocks: tuple[Block, ...] = (self._table_of_groups(), *self._caution_rows(), *self._data_and_method_rows())
        if isinstance(overall, Estimate):
            return Display(verdict=value_text(overall), blocks=blocks)
        return Display(verdict=pair_verdict(overall), figures=pair_figures(overall), blocks=blocks, tone=tone(overall))

    def _data_and_method_rows(self) -> Iterator[Row]:
        overall, many = self.overall, len(self.groups)
        groups = f"{count_text(sum(self.sizes), 'example')} in {count_text(many, 'group')}"
        if isinstance(overall, Comparison):
            significant = len(self.significant)
            rule = adjustment_text(self.adjustment) if self.adjustment else "unadjusted"
            yield Row("data", f"{groups}; significant in {significant} of {many} ({rule})")
            yield Row("test", test_text(overall))
        else:
            yield Row("data", groups)
        interval = overall.interval
        yield Row("interval", f"{method_text(interval.title or interval.method, interval.reference)}, unadjusted")
        yield Row("scope", f"{overall.evidence.scope(overall.method).row}; macro average: equal weight per group")

    def _caution_rows(self) -> Iterator[Row]:
        """Yield the failed checks, with the groups in which they fail."""
        failed: dict[str, list[str]] = {}
        titles: dict[str, str] = {}
        for name, answer in self.answers.items():
            for check in answer.checks:
                if not check.holds:
                    failed.setdefault(check.code, []).append(name.rstrip())
                    titles[check.code] = check.title
        for code, where in failed.items():
            groups = list(dict.fromkeys(where))
            shown = ", ".join(groups[:4]) + (f" and {len(groups) - 4} more" if len(groups) > 4 else "")
            yield Row("caution", f"{code}: {titles[code] or 'check fails'} in {shown}")

    def _table_of_groups(self) -> TextTable:
        """Return a line for each group, for their macro average and for all examples."""
        sizes = (*self.sizes, None, sum(self.sizes))
        lines = [
            [name.rstrip(), "" if size is None else f"{size:,}", *self._cells_of_answer(answer)]
            for (name, answer), size in zip(self.answers.items(), sizes, strict=True)
        ]
        limits = f"{level_text(self.overall.interval.alpha)} CI"
        if isinstance(self.overall, Estimate):
            head = ["group", "examples", self.overall.evidence.metric.report_title, limits]
            return TextTable(head=head, lines=lines, align="lrrr")
        adjusted = ["adj. p"] if self.adjustment else []
        lead = self._leading_model
        name = short_names(self.overall.evidence.models)[lead]
        ahead = f"{name} {direction_text(self.overall.evidence.metric)} by ({limits})"
        head = ["group", "examples", *short_names(self.overall.evidence.models).values(), ahead, "p", *adjusted]
        return TextTable(head=head, lines=lines, align="lrrrl" + "r" * (1 + len(adjusted)))

    @property
    def _leading_model(self) -> str:
        """The model that leads over all examples."""
        overall = self.overall
        return overall.evidence.models[leading_position(overall) if isinstance(overall, Comparison) else 0]

    def _typical_scales(self) -> tuple[Scale, Scale]:
        """Return the scales of values and differences in the table, with the decimals of a typical interval."""
        evidence = self.overall.evidence
        widths = np.array([float(answer.interval.width) for answer in self.answers.values()])
        known = widths[np.isfinite(widths) & (widths > 0)]
        half = float(np.median(known)) / 2 if known.size else 1.0
        scale = scale_of(evidence.value_kind, half)
        return scale, Scale(evidence.difference_kind, scale.decimals)

    def _cells_of_answer(self, answer: Comparison | Estimate) -> list[str]:
        scale, gap = self._typical_scales()
        metric, interval = answer.evidence.metric, answer.interval
        if isinstance(answer, Estimate):
            value = float(metric.report_value(answer.value))
            return [scale.value(value), scale.range(*interval_limits(answer.evidence, interval))]
        levels = answer.evidence.levels if answer.test.estimate is None else answer.evidence.estimated_levels
        sign = 1 if self._leading_model == answer.evidence.models[1] else -1
        ends = sorted((sign * float(interval.low), sign * float(interval.high)))
        adjusted = answer.adjusted
        return [
            *(scale.value(float(metric.report_value(level))) for level in levels.tolist()),
            f"{gap.value(sign * float(answer.difference))} ({gap.range(*ends)})",
            shown_pvalue(float(answer.pvalue), answer.alpha, answer.simulated, column=True),
            *([] if not self.adjustment else [_adjusted_text(answer) if adjusted is not None else ""]),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return all values by name, with all digits."""
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


def _adjusted_text(answer: Comparison) -> str:
    return shown_pvalue(float(answer.adjusted), answer.alpha, answer.adjusted_simulated, column=True)  # type: ignore[arg-type]
