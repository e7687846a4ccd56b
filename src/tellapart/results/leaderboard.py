"""Models from the best to the worst, each with the ranks that the comparisons leave open to it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ..markup import in_latex, in_markdown
from ..rendering import Tabled, folded, level_text
from ..typing_ import FloatArray
from .interval import Interval
from .ranking_clauses import level_spread, observed, state_rule
from .wording import written

if TYPE_CHECKING:
    from .ranking import Ranking


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Leaderboard(Tabled):
    """Models from the best to the worst.

    `ranks` are the best and the worst place that are left open to each: the best is one behind all that are told
    apart from it as better, the worst one ahead of all that are told apart as worse. Two models share
    one of the `letters` exactly where they are not told apart. `interval` is of each figure by itself.
    """

    models: tuple[str, ...]
    ranks: tuple[tuple[int, int], ...]
    levels: FloatArray
    letters: tuple[str, ...]
    measure: str  # what the levels are: "error rate", "mean rouge"
    metric: str
    noun: str  # what is ranked: "model", "learner"
    seen: str
    rule: str  # by what two are told apart
    spread: float  # the width that all levels are written by
    interval: Interval | None = None

    def rows(self) -> list[tuple[str, str]]:
        """Return what all lines have in common."""
        limits = f"; limits: {self.interval.kind_text()}, each by itself" if self.interval is not None else ""
        return [("leaderboard", f"{self.seen.rstrip('.')}{limits}")]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the head of each column, and a line for each model."""
        limits = [] if self.interval is None else [f"{level_text(self.interval.alpha)} limits"]
        head = ["rank", self.noun, self.measure, *limits, "tied"]
        lines = [
            [
                self.rank_text(place),
                name,
                written(float(self.levels[place]), self.spread, self.metric),
                *([] if self.interval is None else [self.interval[place].limits_text(spread=self.spread)]),
                self.letters[place],
            ]
            for place, name in enumerate(self.models)
        ]
        return head, lines

    def rank_text(self, place: int) -> str:
        """Write the ranks that are left open to one model: "2", or "1-3"."""
        first, last = self.ranks[place]
        return str(first) if first == last else f"{first}-{last}"

    @property
    def note(self) -> str:
        """What a tie and a rank mean, for the line under the table."""
        return (
            f"{self.noun.capitalize()}s that share a letter are tied: not told apart ({self.rule}), which does not make"
            " them equal. Ranks are the places that this leaves open."
        )

    def __str__(self) -> str:
        return f"{Tabled.__str__(self)}\n\n{folded('', self.note)}"

    def __repr__(self) -> str:
        return str(self)

    def to_markdown(self) -> str:
        """Return a Markdown table, with what ties and ranks mean below it."""
        return f"{Tabled.to_markdown(self)}\n\n{in_markdown(self.note)}"

    def to_latex(self) -> str:
        r"""Return a LaTeX tabular, and below it what ties and ranks mean."""
        return f"{Tabled.to_latex(self)}\n\n{in_latex(self.note)}"

    def _repr_html_(self) -> str:
        return f'{Tabled._repr_html_(self)}<p class="tellapart">{escape(self.note)}</p>'

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        return {
            "measure": self.measure,
            "metric": self.metric,
            "rule": self.rule,
            "models": [
                {
                    "name": name,
                    "rank": list(self.ranks[place]),
                    "level": self.levels[place],
                    **({} if self.interval is None else {"interval": self.interval[place].as_dict()}),
                    "groups": self.letters[place],
                }
                for place, name in enumerate(self.models)
            ],
        }


def leaderboard_of(ranking: Ranking) -> Leaderboard:
    """Return the leaderboard of a ranking."""
    order = np.argsort(ranking.rates, kind="stable")
    names = tuple(ranking.models[place] for place in order)
    better, worse = dict.fromkeys(names, 0), dict.fromkeys(names, 0)  # how many are told apart from it, as such
    for pair, winner in zip(ranking.names, ranking.better, strict=True):
        if winner is not None:
            loser = pair[0] if winner == pair[1] else pair[1]
            better[loser] += 1
            worse[winner] += 1
    intervals = ranking.note("own_intervals")
    return Leaderboard(
        models=names,
        ranks=tuple((1 + better[name], len(names) - worse[name]) for name in names),
        levels=ranking.levels[order],
        letters=tuple(map(ranking.letters, names)),
        measure=ranking.measure,
        metric=ranking.metric,
        noun=ranking.noun,
        seen=observed(ranking),
        rule=state_rule(ranking),
        spread=level_spread(ranking),
        interval=None if intervals is None else intervals[order],
    )
