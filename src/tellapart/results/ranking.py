"""Several models: who is best, and who cannot be told from the best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np

from ..typing_ import FloatArray
from .answer import Answer
from .comparison import Adjustment, Comparison

if TYPE_CHECKING:
    from .leaderboard import Leaderboard


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ranking(Answer):
    """Who is best of several models, which of them are told apart, and what the choice of the best costs.

    `pairs` compares every two models, in the order of `names`; its `adjustment` decides. Two models share one of the
    `groups` exactly where they are not told apart. With a `control`, it alone is compared with every other.
    """

    method: str
    pairs: Comparison
    groups: tuple[tuple[str, ...], ...] = ()
    control: str | None = None

    def __post_init__(self) -> None:
        pairs, order = self.names, tuple(self.in_order())
        named = (
            replace(check, pairs=pairs, order=order) if check.shape == (len(pairs),) else check for check in self.checks
        )
        object.__setattr__(self, "checks", tuple(named))

    @property
    def models(self) -> tuple[str, ...]:
        """The models, as the evidence has them."""
        return self.evidence.models

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The two models of each pair: A and B of its entry in `pairs`; with a control it is always A."""
        return self.evidence.pair_names(self.control)

    @property
    def adjustment(self) -> Adjustment:
        """The p-values of all pairs taken together, which decide, and by which rule."""
        return self.pairs.adjustment or Adjustment(method="none", pvalue=self.pairs.pvalue)

    @property
    def adjusted(self) -> FloatArray:
        """The p-values that decide, in the order of `names`."""
        return self.adjustment.pvalue

    @property
    def rates(self) -> FloatArray:
        """What the models are ordered by: the error rate or another loss; the smallest is the best."""
        return self.evidence.rank_by

    @property
    def levels(self) -> FloatArray:
        """The figure of each model as it is told: its error rate or mean score, another metric, or its mean rank."""
        return self.evidence.rank_levels

    @property
    def metric(self) -> str:
        """What the models are ranked by: "error" for right and wrong, else the name of the metric."""
        return self.evidence.rank_metric.name

    @property
    def measure(self) -> str:
        """What the figure of each model is called: "error rate", "mean rouge", "mean rank"."""
        return self.evidence.rank_metric.title

    @property
    def noun(self) -> str:
        """What is ranked: models, or learners."""
        return "learner" if self.evidence.subject == "learner" else "model"

    @property
    def best(self) -> tuple[str, ...]:
        """The model with the fewest errors, or the best mean score; more than one where they tie exactly."""
        rates = np.asarray(self.rates, dtype=float)
        rounding = 1e-12 * np.nanmax(np.abs(rates))  # by which the means of equal scores may differ
        return tuple(self.models[index] for index in np.flatnonzero(rates <= np.nanmin(rates) + rounding))

    @property
    def better(self) -> tuple[str | None, ...]:
        """The name of the better model of each pair that is told apart, else None."""
        decided = np.asarray(self.adjusted) < self.alpha  # NaN decides nothing
        return tuple(
            {"A": a, "B": b}.get(leader) if significant else None
            for (a, b), leader, significant in zip(self.names, self.pairs.leader, decided, strict=True)
        )

    @property
    def contenders(self) -> tuple[str, ...]:
        """The others that are not told apart from the best (from none of them, if they tie), best first."""
        winner = dict(zip(map(frozenset, self.names), self.better, strict=True))
        first = self.best
        others = (name for name in self.in_order() if name not in first)
        return tuple(name for name in others if not any(winner[frozenset((name, best))] for best in first))

    def in_order(self) -> list[str]:
        """Return the models from the best to the worst."""
        return [self.models[index] for index in np.argsort(self.rates, kind="stable")]

    def letters(self, model: str) -> str:
        """Return the letters of the groups that a model is in: a for the first, a1 for the 27th."""
        indices = (index for index, group in enumerate(self.groups) if model in group)
        return "".join(f"{ascii_lowercase[index % 26]}{index // 26 or ''}" for index in indices)

    def leaderboard(self) -> Leaderboard:
        """Return the models from the best to the worst, with the ranks that are left open to each.

        Examples
        --------
        >>> import tellapart as ta
        >>> patterns = ta.ErrorPatterns.from_codes(["a", "b", "c"], {0: 150, 1: 24, 2: 9, 3: 12, 4: 2, 7: 20})
        >>> ta.compare(patterns).leaderboard().lines()[0]
        ['1', 'c', '10.1%', '6.7 to 14.7', 'a']
        """
        from .leaderboard import leaderboard_of

        return leaderboard_of(self)
