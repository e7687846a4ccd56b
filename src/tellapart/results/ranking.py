"""The ranking of several models, with ties."""

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
    """The ranking of several models, with comparisons of all pairs and the selection bias of the best.

    `pairs` compares all pairs of models, in the order of `names`; its `adjustment` decides. Two models share one of the
    `groups` exactly if they do not differ significantly. With a `control`, only pairs with it are compared.
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
        """The models, in the order of the evidence."""
        return self.evidence.models

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The two models of each pair: A and B of its entry in `pairs`; with a control it is always A."""
        return self.evidence.pair_names(self.control)

    @property
    def adjustment(self) -> Adjustment:
        """The adjusted p-values of all pairs, which decide, with their rule."""
        return self.pairs.adjustment or Adjustment(method="none", pvalue=self.pairs.pvalue)

    @property
    def adjusted(self) -> FloatArray:
        """The p-values that decide, in the order of `names`."""
        return self.adjustment.pvalue

    @property
    def rates(self) -> FloatArray:
        """The figures that order the models: the error rate or another loss; the smallest is the best."""
        return self.evidence.rank_by

    @property
    def levels(self) -> FloatArray:
        """The reported figure of each model: its error rate or mean score, another metric, or its mean rank."""
        return self.evidence.rank_levels

    @property
    def metric(self) -> str:
        """The name of the metric of the ranking: "error" for right and wrong."""
        return self.evidence.rank_metric.name

    @property
    def measure(self) -> str:
        """The title of the figures: "error rate", "mean rouge", "mean rank"."""
        return self.evidence.rank_metric.title

    @property
    def noun(self) -> str:
        """The noun for the ranked items: "model" or "learner"."""
        return "learner" if self.evidence.subject == "learner" else "model"

    @property
    def best(self) -> tuple[str, ...]:
        """The model with the fewest errors, or the best mean score; several if they are exactly equal."""
        rates = np.asarray(self.rates, dtype=float)
        rounding = 1e-12 * np.nanmax(np.abs(rates))  # rounding error of means of equal scores
        return tuple(self.models[index] for index in np.flatnonzero(rates <= np.nanmin(rates) + rounding))

    @property
    def better(self) -> tuple[str | None, ...]:
        """The name of the better model of each pair with a significant difference, else None."""
        decided = np.asarray(self.adjusted) < self.alpha  # NaN is not significant
        return tuple(
            {"A": a, "B": b}.get(leader) if significant else None
            for (a, b), leader, significant in zip(self.names, self.pairs.leader, decided, strict=True)
        )

    @property
    def contenders(self) -> tuple[str, ...]:
        """The models that do not differ significantly from the best (or from any of several best), in order."""
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
        """Return the models from the best to the worst, each with its possible ranks.

        Examples
        --------
        >>> import tellapart as ta
        >>> patterns = ta.ErrorPatterns.from_codes(["a", "b", "c"], {0: 150, 1: 24, 2: 9, 3: 12, 4: 2, 7: 20})
        >>> ta.compare(patterns).leaderboard().lines()[0]
        ['1', 'c', '10.1%', '6.7 to 14.7', 'a']
        """
        from .leaderboard import leaderboard_of

        return leaderboard_of(self)
