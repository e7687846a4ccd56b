"""Several models on one test set: who is best, and who cannot be told from the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from string import ascii_lowercase
from typing import Any

import numpy as np

from ..bibliography import Reference
from ..evidence import ErrorPatterns, Evidence, Note, Outcomes
from ..rendering import level_text, pvalue_text, significant
from ..typing_ import FloatArray, Source
from .check import Check
from .comparison import Comparison
from .estimate import cautions
from .in_print import ranking_in_print
from .interval import Interval
from .leaderboard import Leaderboard, leaderboard_of
from .paper import Citable, Sentence
from .scored import difference_text, level_of, written
from .simulated import Simulated, after_adjustment, bounds_in_dict
from .telling import Answer, excluded_text, looks_text, p_text
from .test_result import TestResult

_LISTED = 12  # pairs that the text shows; the fields hold all of them


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ranking(Answer, Citable):
    """Who is best of several models, which of them are told apart, and what the choice of the best costs.

    `pairs` compares every two models by `method`, in the order of `names`; `adjusted` are their
    p-values with all pairs taken together, by `adjustment`. These decide. Two models share one of
    the `groups` exactly where they are not told apart. `optimism` is by how much the best of them
    looks better than it is, for having been chosen on these examples.
    """

    method: str
    adjustment: str
    evidence: Evidence  # patterns of errors or scores on one test set, or how learners did on the splits of a plan
    pairs: Comparison
    adjusted: FloatArray
    groups: tuple[tuple[str, ...], ...]
    alpha: float = 0.05
    checks: tuple[Check, ...] = ()
    told: str = ""  # what the methods want said of themselves
    scope: str = ""  # what no figure can show
    looks: int = 0  # how often this test set was looked at before
    excluded: Mapping[str, int] = field(default_factory=dict)  # examples left out, by reason
    notes: tuple[Note, ...] = ()  # what one kind of evidence reports besides
    covers: tuple[Source, ...] = ()  # what its error bars allow for
    cites: tuple[str | Reference, ...] = ()  # who described the test, the interval and the adjustment
    each: Interval | None = None  # the limits of each model's own error rate or mean score, where they are known
    simulated: Simulated | None = None  # how small the adjusted p-values can be, where the adjustment draws

    def __post_init__(self) -> None:
        names = tuple(f"{a} and {b}" for a, b in self.names)
        named = (replace(check, names=names) if check.shape == (len(names),) else check for check in self.checks)
        object.__setattr__(self, "checks", tuple(named))

    @property
    def optimism(self) -> float:
        """By how much the best looks better than it is, for having been chosen on these examples."""
        return float(self.note("optimism", np.nan))

    @property
    def omnibus(self) -> TestResult | None:
        """Whether any two models differ, by Cochran's Q."""
        found: TestResult | None = self.note("cochran_q")
        return found

    @property
    def models(self) -> tuple[str, ...]:
        """The models, as the evidence has them."""
        models: tuple[str, ...] = self.evidence.models
        return models

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The two models of each pair: A and B of its entry in `pairs`."""
        return self.evidence.pair_names()

    @property
    def adjusted_simulated(self) -> Simulated | None:
        """How small an adjusted p-value the draws of the test, or of the adjustment, can give."""
        return self.simulated or after_adjustment(self.pairs.simulated, self.pairs.pvalue, self.adjusted)

    def adjusted_text(self, pair: int, name: str = "p") -> str:
        """Write the adjusted p-value of a pair with its name."""
        simulated = self.adjusted_simulated
        own = None if simulated is None else simulated[pair]
        return p_text(float(self.adjusted[pair]), self.alpha, own, name)

    @property
    def rates(self) -> FloatArray:
        """The error rate (or other loss) of each model: the smallest is the best."""
        return self.evidence.rank_by

    @property
    def levels(self) -> FloatArray:
        """The figure of each model as it is told: its error rate or mean score, or another metric."""
        return self.evidence.levels

    @property
    def best(self) -> tuple[str, ...]:
        """The model with the fewest errors, or the best mean score; more than one where they tie exactly."""
        rates = np.asarray(self.rates, dtype=float)
        rounding = 1e-12 * np.nanmax(np.abs(rates))  # by which the means of equal scores may differ
        return tuple(self.models[place] for place in np.flatnonzero(rates <= np.nanmin(rates) + rounding))

    @property
    def better(self) -> tuple[str | None, ...]:
        """The name of the better model of each pair that is told apart, else None."""
        told = np.asarray(self.adjusted) < self.alpha  # NaN decides nothing
        return tuple(
            {"A": a, "B": b}.get(leader) if apart else None
            for (a, b), leader, apart in zip(self.names, self.pairs.leader, told, strict=True)
        )

    @property
    def contenders(self) -> tuple[str, ...]:
        """The others that are not told apart from the best (from none of them, if they tie), best first."""
        winner = dict(zip(map(frozenset, self.names), self.better, strict=True))
        first = self.best
        others = (name for name in self._in_order() if name not in first)
        return tuple(name for name in others if not any(winner[frozenset((name, best))] for best in first))

    def letters(self, model: str) -> str:
        """Return the letters of the groups that a model is in: a for the first, a1 for the 27th."""
        places = (place for place, group in enumerate(self.groups) if model in group)
        return "".join(f"{ascii_lowercase[place % 26]}{place // 26 or ''}" for place in places)

    def _in_order(self) -> list[str]:
        return [self.models[place] for place in np.argsort(self.rates, kind="stable")]

    def leaderboard(self) -> Leaderboard:
        """Return the models from the best to the worst, with the ranks that are left open to each.

        Examples
        --------
        >>> import tellapart as ta
        >>> patterns = ta.ErrorPatterns.from_codes(["a", "b", "c"], {0: 150, 1: 24, 2: 9, 3: 12, 4: 2, 7: 20})
        >>> print(ta.compare(patterns).leaderboard().table()[1][0])
        ['1', 'c', '10.1 %', '6.7 % to 14.7 %', 'a']
        """
        return leaderboard_of(self)

    @property
    def answer(self) -> str:
        """Who is best, who is not told apart from it, by what and on what, in one sentence."""
        first = self.best
        place = self.models.index(first[0])
        rate = self._rate_texts()[place]
        if isinstance(self.evidence, ErrorPatterns):
            count = self.evidence.error_counts
            rate = f"{rate}, {count.errors[place]} of {count.trials[place]}"
        verb = "has" if len(first) == 1 else "share"
        told = f"; {self.told}" if self.told else ""
        return (
            f"{listed(first)} {verb} the {level_of(self.evidence)} {self.measure} ({rate}) {self._among()};"
            f" {self._field()} ({self.rule}{told})."
        )

    def _among(self) -> str:
        seen = self.evidence.describe().partition(";")[0]
        if isinstance(self.evidence, ErrorPatterns):
            return f"of {seen}"
        return f"of {len(self.models)} {self.noun}s on {seen}"

    @property
    def metric(self) -> str:
        """What the models are ranked by: "error" for right and wrong, else the name of the metric."""
        return self.evidence.metric.name

    @property
    def measure(self) -> str:
        """What the figure of each model is called: "error rate", "mean rouge"."""
        return self.evidence.metric.title

    @property
    def noun(self) -> str:
        """What is ranked: models, or learners."""
        return "learner" if self.evidence.subject == "learner" else "model"

    def _also(self) -> tuple[str, ...]:
        return (looks_text(self.looks, self.alpha),)

    def _field(self) -> str:
        first, tied = self.best, self.contenders
        others, it = len(self.models) - len(first), "it" if len(first) == 1 else "them"
        if not others:
            return f"no {self.noun} is told apart from another"
        if not tied:
            who = f"the other {self.noun} is" if others == 1 else f"all {others} others are"
            return f"{who} told apart from {it}, as worse"
        if len(tied) == others:
            who = f"the other, {tied[0]}, is" if others == 1 else f"none of the {others} others is"
            return f"{who} {'not ' * (others == 1)}told apart from {it}"
        verb, rest = "is" if len(tied) == 1 else "are", others - len(tied)
        remain = "one is" if rest == 1 else f"{rest} are"
        return (
            f"of the {others} others, {listed(tied)} {verb} not told apart from {it}, and the other {remain}, as worse"
        )

    @property
    def rule(self) -> str:
        """By what two are told apart, and what alpha is the chance of."""
        pairs = len(self.models) * (len(self.models) - 1) // 2
        alpha = f"alpha = {self.alpha:.6g}"
        if pairs == 1:
            return f"{self._by()}, {alpha}"
        if self.adjustment == "none":
            return f"{self._by()}, {alpha} for each of {pairs} pairs, so that false claims add up"
        if self.adjustment.startswith("benjamini"):
            return f"{self._by()}, {alpha} for the share of false claims among {pairs} pairs"
        return f"{self._by()}, {alpha} for all {pairs} pairs together"

    def _by(self) -> str:
        if self.adjustment in {"none", "max-t"}:  # max-t has a statistic of its own
            return self.method if self.adjustment == "none" else "max-t"
        return f"{self.method}, adjusted by {self.adjustment}"

    def _besides(self) -> str:
        """Say how lucky the best may be, for having been chosen by what it is judged by."""
        if self.evidence.subject == "learner":
            what = "error" if self.metric == "error" else self.measure
            chosen = "chosen by these very splits, the best looks better than it is"
            return f"{chosen}, so estimate its {what} on fresh examples"
        looks, is_ = ("looks", "it is") if len(self.best) == 1 else ("look", "they are")
        first = f"chosen on these very examples, the best of {len(self.models)} {looks}"
        return f"{first} {self.luck} better than {is_}" if self.optimism > 0 else ""

    @property
    def luck(self) -> str:
        """By how much the best looks better than it is, in points or in units of the score."""
        if self.metric != "error":
            return f"about {significant(self.optimism, 2)} ({self.metric})"
        size = f"about {significant(100 * self.optimism, 2)}" if self.optimism > 1e-4 else "less than 0.01"
        return f"{size} points"

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        return [
            ("best", self.answer),
            ("seen", self.seen),
            *headed(self._standing_label(), self._standings()),
            ("letters", f"{self.noun}s that share a letter are not told apart ({self.rule})"),
            *headed("told apart", self._told_apart()),
            *self._limits_row(),
            *self._omnibus_row(),
            ("careful", " ".join(part for part in (*self._also(), self.limits) if part)),
            *cautions(self.checks),
        ]

    def _standing_label(self) -> str:
        return "error rates" if self.metric == "error" else self.measure

    @property
    def seen(self) -> str:
        """What the ranking rests on, and what was left out."""
        if self.evidence.subject == "learner":
            return f"{len(self.models)} learners, {self.evidence.describe()}.{excluded_text(self.excluded)}"
        if not isinstance(self.evidence, ErrorPatterns):
            return f"{len(self.models)} models on {self.evidence.describe()}.{excluded_text(self.excluded)}"
        n = self.evidence.examples
        return f"{len(self.models)} models on {n} example{'s' * bool(n != 1)}.{excluded_text(self.excluded)}"

    @property
    def rate_spread(self) -> float:
        """The width by whose digits all error rates are written alike: that of the least certain one, or of a pair."""
        rates = np.abs(np.asarray(self.rates, dtype=float))
        if isinstance(self.evidence, ErrorPatterns):
            n = float(self.evidence.examples)
            middle = (rates * n + 1) / (n + 2)  # no errors are no certainty
            return 4 * float(np.sqrt(middle * (1 - middle) / n).max())
        own = self.each if self.each is not None else self.pairs.interval
        widths = np.asarray(own.width, dtype=float)
        known = widths[np.isfinite(widths)]
        return float(known.min() if known.size else rates.max())

    def _rate_texts(self) -> list[str]:
        spread, metric = self.rate_spread, self.metric
        return [written(level, spread, metric) for level in self.levels.tolist()]

    def _standings(self) -> list[str]:
        texts = dict(zip(self.models, self._rate_texts(), strict=True))
        errors = dict.fromkeys(self.models, "")
        if isinstance(self.evidence, ErrorPatterns):
            counts = zip(self.models, self.evidence.error_counts.errors.tolist(), strict=True)
            errors = {model: f" ({count} error{'s' * (count != 1)})" for model, count in counts}
        letters = {model: self.letters(model) for model in self.models}
        wide, wider = (max(map(len, each.values())) for each in (texts, letters))
        return [
            f"{texts[model]:>{wide}}  {letters[model]:<{wider}}  {model}{errors[model]}" for model in self._in_order()
        ]

    def _told_apart(self) -> list[str]:
        """Write the pairs that are told apart, in the order of the leaderboard; of many, those with the best."""
        place = {name: position for position, name in enumerate(self._in_order())}
        first, names, better = self._foremost(), self.names, self.better
        told = [pair for pair, winner in enumerate(better) if winner is not None]
        told.sort(key=lambda pair: sorted(place[name] for name in names[pair]))
        if not told:
            return ["no" if len(names) == 1 else f"none of {len(names)} pairs"]
        shown = told if len(told) <= _LISTED else [pair for pair in told if first & set(names[pair])]
        lines = [self._pair_text(pair, *names[pair], better[pair]) for pair in shown[:_LISTED]]
        more = f"and {len(told) - len(lines)} more; {len(told)} of {len(names)} pairs in all"
        return lines if len(lines) == len(told) else [*lines, more]

    def _foremost(self) -> set[str]:
        """Return whose pairs are shown, where there are too many to show all."""
        return set(self.best)

    def _pair_text(self, pair: int, a: str, b: str, winner: str | None) -> str:
        """Write one pair that is told apart, as seen by the winner."""
        interval, size = self.pairs.interval[pair], abs(float(self.pairs.difference[pair]))
        loser = a if winner == b else b
        if interval.parameter == "difference":
            spread = float(interval.width)
            low, high = (interval.low, interval.high) if winner == b else (-interval.high, -interval.low)
            least, most = (difference_text(float(limit), spread, interval.metric, unit=False) for limit in (low, high))
            by = difference_text(size, spread, interval.metric)
            limits = f"{least} to {most}" if interval.side == "two" else f"at least {least}"
        else:
            by, limits = difference_text(size, size, interval.metric), f"{interval.parameter}: {interval.limits_text()}"
        label = "p" if self.adjustment == "none" or len(self.models) == 2 else "adjusted p"
        return f"{winner} beats {loser} by {by} ({limits}; {self.adjusted_text(pair, label)})"

    def _limits_row(self) -> list[tuple[str, str]]:
        """Say what the limits are; where they hold 0 beside a pair that is told apart, who decides."""
        told = np.array([better is not None for better in self.better])
        if not told.any():
            return []
        interval = self.pairs.interval
        null = 1.0 if interval.parameter in {"odds", "ratio"} else 0.0
        each = "" if len(self.models) == 2 else ", all together" if interval.method == "max-t" else ", each by itself"
        held = f" Where they hold {null:g}, the p-value decides." if np.any(told & interval.contains(null)) else ""
        return [("limits", f"in parentheses, {level_text(interval.alpha)} ({interval.method}{each}).{held}")]

    def _omnibus_row(self) -> list[tuple[str, str]]:
        if self.omnibus is None:
            return []
        freedom = len(self.models) - 1
        degrees = f"{freedom} degree{'s' * (freedom > 1)} of freedom"
        pvalue = pvalue_text(float(self.omnibus.pvalue), self.alpha)
        statistic = significant(float(self.omnibus.statistic), 4)
        return [("Cochran's Q", f"{statistic} on {degrees}, p = {pvalue} (do the models differ at all?)")]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        counted = isinstance(self.evidence, ErrorPatterns)
        errors = self.evidence.error_counts.errors if isinstance(self.evidence, ErrorPatterns) else self.rates
        named = "rate"
        if self.metric != "error":
            named = "mean" if isinstance(self.evidence, Outcomes) else "value"
        return {
            "method": self.method,
            "adjustment": self.adjustment,
            "alpha": self.alpha,
            "looks": self.looks,
            "models": [
                {
                    "name": name,
                    **({"errors": count} if counted else {}),
                    named: level,
                    **self._own_limits(place),
                    "groups": self.letters(name),
                }
                for place, (name, count, level) in enumerate(zip(self.models, errors, self.levels, strict=True))
            ],
            "pairs": [
                {
                    "a": a,
                    "b": b,
                    "difference": self.pairs.difference[place],
                    "interval": self.pairs.interval[place].as_dict(),
                    "statistic": self.pairs.statistic[place],
                    "pvalue": self.pairs.pvalue[place],
                    "adjusted": self.adjusted[place],
                    **self._bounds(place),
                    "better": better,
                    **self._pair_evidence(place, a, b),
                }
                for place, ((a, b), better) in enumerate(zip(self.names, self.better, strict=True))
            ],
            "groups": [list(group) for group in self.groups],
            "best": list(self.best),
            "optimism": self.optimism,
            "cochran_q": self.omnibus and {"statistic": self.omnibus.statistic, "pvalue": self.omnibus.pvalue},
            "checks": [check.as_dict() for check in self.checks],
            **self._sources(),
            **({"excluded": dict(self.excluded)} if self.excluded else {}),
            "evidence": self.evidence.as_dict(),
            "words": self.words,
        }

    def _bounds(self, place: int) -> dict[str, Any]:
        """Return how many draws are behind the p-values of a pair, and which of them are bounds."""
        own, paid = self.pairs.simulated, self.adjusted_simulated
        return {
            **({} if own is None else bounds_in_dict(own[place], self.pairs.pvalue[place])),
            **({} if paid is None else bounds_in_dict(paid[place], self.adjusted[place], "adjusted")),
        }

    def _own_limits(self, place: int) -> dict[str, Any]:
        return {} if self.each is None else {"interval": self.each[place].as_dict()}

    def _pair_evidence(self, place: int, a: str, b: str) -> dict[str, Any]:
        """Return a pair's own table; learners have all there is in the evidence of all."""
        if not isinstance(self.evidence, ErrorPatterns):
            return {}
        return {"evidence": replace(self.pairs[place].evidence, models=(a, b)).as_dict()}  # type: ignore[type-var]

    def in_print(self) -> Iterator[Sentence]:
        """Return the sentences of the paragraph for a paper."""
        return ranking_in_print(self)

    def __repr__(self) -> str:
        return str(self)


def headed(label: str, lines: list[str]) -> list[tuple[str, str]]:
    """Return a row for each line, the first with the label."""
    return [(label if place == 0 else "", line) for place, line in enumerate(lines)]


def listed(names: tuple[str, ...], most: int = 6) -> str:
    """Write names as one says them; many are cut short."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
