"""Models from the best to the worst, each with its possible ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..display import Display, Row, TextTable
from ..evidence import Evidence
from ..figures import Scale, level_text, short_names
from ..rendering import Rendered
from ..typing_ import FloatArray
from .interval import Interval
from .ranking_text import level_scale, rank_text, ranks_of, test_text, verdict
from .wording import data_text, interval_limits, method_text

if TYPE_CHECKING:
    from .ranking import Ranking


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Leaderboard(Rendered):
    """Models from the best to the worst.

    `ranks` are the best and the worst possible rank of each model: the best is one after all significantly better
    models, the worst one before all significantly worse ones. Two models share one of the `letters` exactly if they are
    tied. `interval` has the individual intervals of the models.
    """

    models: tuple[str, ...]
    ranks: tuple[tuple[int, int], ...]
    levels: FloatArray
    letters: tuple[str, ...]
    evidence: Evidence
    noun: str  # "model" or "learner"
    headline: str
    data: str
    rule: str  # test, adjustment and alpha
    scale: Scale
    interval: Interval | None = None

    @property
    def measure(self) -> str:
        """The title of the levels: "error rate", "mean rouge"."""
        return self.evidence.rank_metric.title

    @property
    def spread(self) -> float:
        """The width that determines the digits of the levels."""
        return 4 * 10.0**-self.scale.decimals

    @property
    def note(self) -> str:
        """The meaning of the letters."""
        return "Models that share a letter are tied."

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.evidence.rank_metric.name

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # the table is all there is
        """Return the verdict, and a line for each model."""
        limits = [] if self.interval is None else [f"{level_text(self.interval.alpha)} CI"]
        interval = self.interval
        methods = [] if interval is None else [method_text(interval.title or interval.method, interval.reference)]
        head = ["rank", self.noun, self.evidence.rank_metric.report_title, *limits, "tied"]
        return Display(
            verdict=self.headline,
            blocks=(
                TextTable(head=head, lines=self.lines(), align="llr" + "r" * len(limits) + "l"),
                Row("data", self.data),
                Row("test", f"{self.rule}; models that share a letter are tied"),
                *(Row("interval", f"{method}, one model at a time") for method in methods),
            ),
        )

    def to_latex(self) -> str:
        """Return a table for a paper; it needs the package booktabs."""
        from .ranking_latex import write_leaderboard

        return write_leaderboard(self)

    def lines(self) -> list[list[str]]:
        """Return the cells of each line: rank, name, metric, interval, and the letters of ties."""
        short, metric = short_names(self.models), self.evidence.rank_metric
        return [
            [
                self.rank_text(index),
                short[name],
                self.scale.value(float(metric.report_value(self.levels[index]))),
                *self._interval_cell(index),
                self.letters[index],
            ]
            for index, name in enumerate(self.models)
        ]

    def _interval_cell(self, index: int) -> list[str]:
        if self.interval is None:
            return []
        return [self.scale.range(*interval_limits(self.evidence, self.interval[index]))]

    def rank_text(self, index: int) -> str:
        """Return the possible ranks of one model: "2", or "1-3"."""
        return rank_text(self.ranks[index])

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, with all digits."""
        return {
            "measure": self.measure,
            "metric": self.metric,
            "rule": self.rule,
            "models": [
                {
                    "name": name,
                    "rank": list(self.ranks[index]),
                    "level": self.levels[index],
                    **({} if self.interval is None else {"interval": self.interval[index].as_dict()}),
                    "groups": self.letters[index],
                }
                for index, name in enumerate(self.models)
            ],
        }

    def __repr__(self) -> str:
        return str(self)


def leaderboard_of(ranking: Ranking) -> Leaderboard:
    """Return the leaderboard of a ranking."""
    order = np.argsort(ranking.rates, kind="stable")
    names = tuple(ranking.models[index] for index in order)
    ranks, intervals = ranks_of(ranking), ranking.note("own_intervals")
    scale = level_scale(ranking)
    if ranking.evidence.rank_metric.name != ranking.evidence.metric.name:  # mean ranks
        scale = Scale("plain", 2)
    return Leaderboard(
        models=names,
        ranks=tuple(ranks[name] for name in names),
        levels=ranking.levels[order],
        letters=tuple(map(ranking.letters, names)),
        evidence=ranking.evidence,
        noun=ranking.noun,
        headline=verdict(ranking),
        data=data_text(ranking.evidence, ranking.excluded, ranking.note("effective_size", np.nan)),
        rule=test_text(ranking),
        scale=scale,
        interval=None if intervals is None else intervals[order],
    )
