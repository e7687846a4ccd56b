"""Preferences: how often raters prefer A, neither, or B. A kind of evidence from another package, in one file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scipy.stats import multinomial

from tellapart import Evidence, Metric, Note, Scope, Unit, converts, reports_on
from tellapart.bibliography import Reference
from tellapart.errors import InvalidEvidence
from tellapart.lab import Design
from tellapart.lab.design import Everything
from tellapart.methods import Tails, interval, procedure
from tellapart.methods.assumptions import all_one_way, can_reject
from tellapart.methods.limits import as_interval
from tellapart.numerics.distributions import beta_high, probability_at_least, tail
from tellapart.results import Interval

WIN_RATE = Metric(name="win-rate", title="win rate", higher_is_better=True, bounds=(0.0, 1.0), ideal=1.0)
SIGN_TEST = Reference(
    authors="Dixon, W. J. and Mood, A. M.", year=1946, title="The statistical sign test", where="JASA 41, 557-566"
)


# --- Two models, or one ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Preferences(Evidence):
    """Wins of A, ties, and wins of B over paired comparisons by raters; of one model its wins, ties and losses."""

    wins_a: Any
    ties: Any
    wins_b: Any
    models: tuple[str, ...] = ("A", "B")  # type: ignore[assignment]
    subject: ClassVar = "model"
    unit: ClassVar = Unit("comparison", "panel")
    metric: ClassVar = WIN_RATE  # type: ignore[assignment]
    accepts: ClassVar = frozenset({"margin", "hypothesis", "looks"})
    defaults: ClassVar = {"interval": "sign-test", "test": "sign-test", "margin": "sign-test"}
    _leader = "wins_a"

    def __post_init__(self) -> None:
        names = ("wins_a", "ties", "wins_b")
        counts = np.broadcast_arrays(*(_as_counts(name, getattr(self, name)) for name in names))
        if np.min(sum(counts)) < 1:
            raise InvalidEvidence("`wins_a`, `ties` and `wins_b` must add up to at least 1, got 0. Leave it out.")
        for name, count in zip(names, counts, strict=True):
            object.__setattr__(self, name, count[()])

    @property
    def size(self) -> Any:
        """The number of comparisons."""
        return self.wins_a + self.ties + self.wins_b

    @property
    def decided(self) -> Any:
        """The number of comparisons that were no ties."""
        return self.wins_a + self.wins_b

    @property
    def levels(self) -> Any:
        """The share of comparisons that each model wins."""
        wins = np.stack([self.wins_a, self.wins_b], axis=-1)[..., : len(self.models)]
        return wins / np.asarray(self.size)[..., None]

    @property
    def difference(self) -> Any:
        """loss(A) − loss(B): the share that B wins less the share that A wins."""
        return (self.wins_b - self.wins_a) / self.size

    def select(self, *models: str) -> Preferences:
        """Return one of the two, or both in this order."""
        wins = dict(zip(self.models, (self.wins_a, self.wins_b), strict=False))
        for name in models:
            if name not in wins:
                raise InvalidEvidence(f"`models` must be among {', '.join(wins)}, got {name!r}.")
        if len(models) == 1:
            return Preferences(wins[models[0]], self.ties, self.decided - wins[models[0]], models)
        return Preferences(wins[models[0]], self.ties, wins[models[1]], models)

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the method: of one model the limits of its share."""
        return "exact-share" if len(self.models) == 1 else Evidence.default(self, goal, options)

    def __add__(self, other: object) -> Preferences:
        """Pool comparisons by other raters."""
        if not isinstance(other, Preferences) or other.models != self.models:
            return NotImplemented
        counts = (self.wins_a + other.wins_a, self.ties + other.ties, self.wins_b + other.wins_b)
        return Preferences(*counts, self.models)

    def describe(self) -> str:
        """Return what was observed."""
        if self.shape:
            return f"{np.size(self.size)} sets of comparisons"
        return f"{self.size} comparisons, {self.ties} of them tied"

    def data_row(self, lead: int = 0) -> str:
        """Return the row of counts, the wins of the leading model first."""
        if self.shape or len(self.models) == 1:
            return self.describe()
        wins = [f"{model} wins {count}" for model, count in zip(self.models, (self.wins_a, self.wins_b), strict=True)]
        return f"{self.size} comparisons: {wins[lead]}, {self.ties} ties, {wins[1 - lead]}"

    def details(self) -> str:
        """Return how many comparisons were decided."""
        return "" if self.shape else f"{self.decided} decided"

    def scope(self, method: str = "") -> Scope:  # noqa: ARG002  # the same for all methods
        """Return what the answer applies to."""
        return _scope_of(self.models)


def _scope_of(models: tuple[str, ...]) -> Scope:
    return Scope(
        "these models" if len(models) > 1 else "this model", "comparisons by raters like these", "other prompts"
    )


@reports_on(Preferences)
def report_ties(preferences: Preferences, _: Any) -> Iterator[Note]:
    """Report how often the raters could not decide."""
    share = float(preferences.ties / preferences.size)
    yield Note(key="ties", label="ties", text=f"{100 * share:.3g}% of the comparisons", value=share)


CAN_REJECT = can_reject(
    "PREF1",
    all_one_way(lambda preferences, _: preferences.decided),
    "decided comparisons",
    "Collect more comparisons.",
)


@procedure(
    name="sign-test",
    title="Sign test",
    question=3,
    evidence=Preferences,
    standing="sound",
    rationale="exact, conditional on the number of decided comparisons",
    reference=SIGN_TEST,
    parameter="difference",
    interval={"reference": "clopper1934"},
    test={"statistic": "wins of B", "assumes": (CAN_REJECT,)},
)
def compare_signs(preferences: Preferences) -> Tails:
    """Return the exact sign test of the decided comparisons, and Clopper and Pearson's limits on its scale."""
    a, b, n, share = preferences.wins_a, preferences.wins_b, preferences.decided, _share_decided(preferences)

    def tails(null: Any) -> tuple[Any, Any]:
        chance = np.clip((1 + null / share) / 2, 0.0, 1.0)  # that B wins a decided comparison
        return probability_at_least(a, n, 1 - chance), probability_at_least(b, n, chance)

    def invert(tail: float) -> tuple[Any, Any]:
        return -share * (2 * _upper_limit(a, n, tail) - 1), share * (2 * _upper_limit(b, n, tail) - 1)

    return Tails(tails, invert, statistic=lambda _: np.asarray(b, dtype=float)[()])


@interval(
    name="exact-share",
    title="Clopper-Pearson",
    question=1,
    evidence=Preferences,
    standing="sound",
    rationale="coverage is at least nominal",
    reference="clopper1934",
    guarantees=True,
)
def limit_share(preferences: Preferences, *, alpha: float = 0.05, side: Any = "two") -> Interval:
    """Return Clopper and Pearson's limits for the share of comparisons that one model wins."""
    spent, wins, n = tail(alpha, side), preferences.wins_a, preferences.size
    return as_interval("exact-share", (1 - _upper_limit(n - wins, n, spent), _upper_limit(wins, n, spent)), alpha, side)


def _share_decided(preferences: Preferences) -> Any:
    """Return the share of comparisons that were decided; 1 if none was, so that the interval is as wide as possible."""
    return np.where(preferences.decided > 0, preferences.decided / preferences.size, 1.0)


def _upper_limit(count: Any, n: Any, probability: float) -> Any:
    """Return the share at which this count or a smaller one has this probability."""
    return np.where(count < n, beta_high(count + 1.0, np.maximum(n - count, 1), probability), 1.0)


def _as_counts(name: str, value: Any) -> Any:
    counts = np.asarray(value)
    if counts.dtype.kind not in "iu" or np.any(counts < 0):
        raise InvalidEvidence(f"`{name}` must be whole numbers of 0 or more, got {value!r}.")
    return counts.astype(np.int64)


# --- Several models -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PreferenceTable(Evidence):
    """How often each model was preferred to each other: `wins[i, j]` of i over j, and `ties[i, j]`."""

    wins: Any
    ties: Any
    models: tuple[str, ...]  # type: ignore[assignment]
    subject: ClassVar = "model"
    unit: ClassVar = Preferences.unit
    metric: ClassVar = WIN_RATE  # type: ignore[assignment]
    accepts: ClassVar = frozenset({"looks"})
    defaults: ClassVar = Preferences.defaults | {"adjust": "holm"}

    def __post_init__(self) -> None:
        for name in ("wins", "ties"):
            counts = _as_counts(name, getattr(self, name))
            if counts.shape != (len(self.models),) * 2:
                raise InvalidEvidence(f"`{name}` must have a row and a column for each model, got {counts.shape}.")
            object.__setattr__(self, name, counts)
        if np.any(self.ties != self.ties.T) or np.any(np.diagonal(self.wins + self.ties)):
            raise InvalidEvidence("`ties` must be symmetric, and diagonals must be 0.")

    @property
    def shape(self) -> tuple[int, ...]:
        """One table."""
        return ()

    @property
    def size(self) -> Any:
        """The number of comparisons."""
        return self.wins.sum() + self.ties.sum() // 2

    @property
    def levels(self) -> Any:
        """The share of its comparisons that each model wins."""
        return self.singles().levels[..., 0]

    def singles(self) -> Preferences:
        """Return the wins, ties and losses of each model."""
        return Preferences(self.wins.sum(axis=1), self.ties.sum(axis=1), self.wins.sum(axis=0), ("A",))

    def select(self, *models: str) -> Evidence:
        """Return one model against all others, two models, or the table of several."""
        unknown = [name for name in models if name not in self.models]
        if unknown:
            raise InvalidEvidence(f"`models` must be among {', '.join(self.models)}, got {unknown[0]!r}.")
        index = [self.models.index(name) for name in models]
        if len(models) == 1:
            single = self.singles()[index[0]]
            return Preferences(single.wins_a, single.ties, single.wins_b, models)
        if len(models) == 2:
            a, b = index
            return Preferences(self.wins[a, b], self.ties[a, b], self.wins[b, a], models)
        return PreferenceTable(self.wins[np.ix_(index, index)], self.ties[np.ix_(index, index)], models)

    def pairs(self, control: str | None = None) -> Preferences:
        """Return every two models, along a dimension of their own."""
        names = self.pair_names(control)
        a, b = np.array([[self.models.index(name) for name in pair] for pair in names]).T
        return Preferences(self.wins[a, b], self.ties[a, b], self.wins[b, a])

    def reduced(self) -> Evidence:
        """Return the table of two models as Preferences."""
        return self.select(*self.models) if len(self.models) == 2 else self

    def __add__(self, other: object) -> PreferenceTable:
        """Pool comparisons by other raters."""
        if not isinstance(other, PreferenceTable) or other.models != self.models:
            return NotImplemented
        return PreferenceTable(self.wins + other.wins, self.ties + other.ties, self.models)

    def describe(self) -> str:
        """Return what was observed."""
        return f"{self.size} comparisons"

    def scope(self, method: str = "") -> Scope:  # noqa: ARG002  # the same for all methods
        """Return what the answer applies to."""
        return _scope_of(self.models)


# --- Converters ------------------------------------------------------------------------------------


@converts("collections.Counter")
def convert_votes(votes: Any, _: Any) -> Preferences:
    """Return votes that were counted by name: "A", "tie" and "B"."""
    unknown = sorted(set(votes) - {"A", "tie", "B"})
    if unknown:
        raise InvalidEvidence(f"`votes` must be 'A', 'tie' or 'B', got {unknown[0]!r}.")
    return Preferences(votes["A"], votes["tie"], votes["B"])


@converts("*.prefs.json")
def read_preferences(file: Path, _: Any) -> Evidence:
    """Return a file with `models`, `wins` and `ties`."""
    content = json.loads(file.read_text("utf-8"))
    return PreferenceTable(content["wins"], content["ties"], tuple(content["models"]))


@dataclass(frozen=True)
class Panel:
    """A panel of raters, vote by vote: an object of another package."""

    votes: Sequence[str]
    models: tuple[str, str]

    def __evidence__(self, _: Any) -> Preferences:
        a, b = (sum(vote == name for vote in self.votes) for name in self.models)
        return Preferences(a, len(self.votes) - a - b, b, self.models)


# --- Simulation --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Votes(Design):
    """A number of independent comparisons, of which a share is tied."""

    tied: float
    comparisons: int
    gap: float = 0.0
    evidence: ClassVar = (Preferences,)
    in_points: ClassVar = False  # type: ignore[assignment]
    difference_name: ClassVar = "win-rate(B) − win-rate(A)"  # type: ignore[assignment]
    usual: ClassVar = ("sign-test",)

    @property
    def grid(self) -> tuple[float, ...]:
        """The differences at which power is measured."""
        return (0.1, 0.2)

    @property
    def chances(self) -> tuple[float, float, float]:
        """The probabilities that A wins, of a tie, and that B wins."""
        decided = 1 - self.tied
        return (decided - self.gap) / 2, self.tied, (decided + self.gap) / 2

    def at(self, difference: float) -> Votes:
        """Return the design with this difference between the win rates."""
        return Votes(self.tied, self.comparisons, difference)

    def truth(self, parameter: str) -> Any:
        """Return the difference, or how often A wins."""
        return np.asarray({"difference": self.gap, "error": self.chances[0]}[parameter])

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Return the outcomes of this many panels."""
        return dict.fromkeys(views, Preferences(*rng.multinomial(self.comparisons, self.chances, trials).T))

    def outcomes(self, view: Any, conditions: Sequence[Any]) -> int:  # noqa: ARG002  # the same for all
        """Return how many outcomes there are."""
        return (self.comparisons + 1) * (self.comparisons + 2) // 2

    def everything(self, view: Any, conditions: Sequence[Any]) -> Everything:  # noqa: ARG002
        """Return all outcomes and their probabilities."""
        a, b = np.divmod(np.arange((self.comparisons + 1) ** 2), self.comparisons + 1)
        a, b = a[a + b <= self.comparisons], b[a + b <= self.comparisons]
        counts = np.stack([a, self.comparisons - a - b, b], axis=-1)
        chance = [multinomial(self.comparisons, design.chances).pmf(counts) for design in conditions]
        return Everything(Preferences(*counts.T), np.stack(chance, axis=-1))

    def describe(self) -> str:
        """Return what is collected."""
        return f"{self.comparisons} comparisons of two models, {100 * self.tied:g}% of them tied"
