"""The protocol of evidence: what others may ask of it, so that nobody has to ask of which kind it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeGuard, TypeVar

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..metrics import ERROR, ERROR_AS_ACCURACY, Metric, canonical_name, find_metric, unknown_metric
from ..rendering import html_fields, html_table, plain
from ..shaped import Shaped, entries
from ..typing_ import SOURCES, Alternative, FloatArray, Numbers, Source
from .validation import of_one_shape

Table = tuple[str, list[str], list[list[str]]]  # caption, head, lines
# What every method of one test set covers: it looks at the size of that set, and at nothing else that could
# have come out differently (Dietterich 1998, section 1).
ONE_TEST_SET: tuple[Source, ...] = ("test data", "labels")
# What all evidence about classifiers answers of the nine questions of `advise`.
TRAITS_OF_CLASSIFIERS = {"domains": "one", "subject": "classifier", "data": "much"}


class Unit(NamedTuple):
    """What was drawn, and what drawing all of it again would be called."""

    name: str  # "example", "split", "data set"
    replication: str  # "test set", "race", "benchmark"


class Scope(NamedTuple):
    """What an answer applies to, and the one thing that people wrongly assume it covers.

    Examples
    --------
    >>> scope = Scope("these trained models", "data from the same source", "retraining")
    >>> scope.row
    'these trained models, data from the same source; not retraining'
    >>> scope.sentence
    'Applies to these trained models on data from the same source, not to retraining.'
    """

    subject: str
    source: str = ""
    exclusion: str = ""

    @property
    def row(self) -> str:
        """The scope in one line."""
        source = f", {self.source}" if self.source else ""
        return f"{self.subject}{source}{f'; not {self.exclusion}' if self.exclusion else ''}"

    @property
    def sentence(self) -> str:
        """The scope as a sentence."""
        source = f" on {self.source}" if self.source else ""
        return f"Applies to {self.subject}{source}{f', not to {self.exclusion}' if self.exclusion else ''}."


DATA_WIDTH = 68  # columns of a data row on a terminal
SAME_SOURCE, RETRAINING = "data from the same source", "retraining"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerContext:
    """What is known of an answer when notes are added to it."""

    method: str  # the test, or the estimator
    named: bool  # whether the caller named it
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    hypothesis: str = "different"
    own_estimate: bool = False  # whether the test speaks of a difference of its own, not of the evidence's
    difference: float | None = None  # that would matter, as the caller says
    test: str = ""  # of the pairs, where there are several models
    control: str | None = None
    comparisons: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None  # what the test returned


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that an answer reports besides: a key for programs, a label and text for readers."""

    key: str
    label: str
    text: str
    value: Any = None


class Evidence(Shaped):
    """What was observed, as a small frozen value that is validated once and answers for itself.

    A kind has to say its `models`, `levels`, `size` and `describe()`, and the methods it takes by default; of two
    models or more also `select` and `pairs`. The rest has defaults that fit one test set.
    """

    __slots__ = ()
    subject: ClassVar[str] = "classifier"  # what is compared: a "classifier", a "learner" or a "model"
    unit: ClassVar[Unit] = Unit("example", "test set")
    accepts: ClassVar[frozenset[str]] = frozenset()  # of the optional keywords of the verbs
    defaults: ClassVar[Mapping[str, str]] = {}  # the method for each goal: "interval", "test", "margin", "adjust"
    resampling_has_width: ClassVar[bool] = True  # whether resampled limits differ whatever was drawn
    sees_losses: ClassVar[bool] = False  # whether methods for one model return losses, not the metric
    level_name: ClassVar[str] = "value"  # what the metric of one model is: a "value", or the "mean" over examples
    averaging: ClassVar[str] = ""  # a sentence: how a test averages that has an estimate different from the evidence's
    as_accuracy: bool = False  # of counts of errors: whether readers see the accuracy
    event = "wrong"  # what is counted, unless two raters say something else
    test_sets: ClassVar[int] = 1  # on how many sets of examples the models were tested
    sources_covered: ClassVar[tuple[Source, ...] | None] = ONE_TEST_SET  # what its methods cover, if they do not say so
    question: ClassVar[int | None] = None  # of the nine, which its methods answer, if they do not say so
    deep: ClassVar[tuple[str, ...]] = ()  # the fields with dimensions of their own behind those of the entries
    noun: ClassVar[str] = "model"  # what errors call that which has a name

    # --- Identity -----------------------------------------------------------------------------------

    @property
    def models(self) -> tuple[str, ...]:
        """The names, in the order of `levels`."""
        return ("A",)

    @property
    def metric(self) -> Metric:
        """What was measured."""
        return ERROR_AS_ACCURACY if self.as_accuracy else ERROR

    @property
    def size(self) -> Numbers:
        """The number of units."""
        raise TypeError(f"{type(self).__name__} does not say its size")

    def describe(self) -> str:
        """Return what was observed, as the end of "on …"."""
        raise TypeError(f"{type(self).__name__} does not describe itself")

    def data_row(self, lead: int = 0) -> str:
        """Return the row of an answer that says what was observed; `lead` is the model that leads of two."""
        return self.describe()

    def details(self) -> str:
        """Return the counts behind the data row, in full; empty where there are none."""
        return ""

    # --- Figures ------------------------------------------------------------------------------------

    @property
    def levels(self) -> FloatArray:
        """The metric of each model, along the last dimension, as a reader knows it."""
        raise TypeError(f"{type(self).__name__} has no metric of each model")

    @property
    def value(self) -> FloatArray:
        """What is estimated of one model: its metric."""
        return np.asarray(self.levels)[..., 0][()]

    @property
    def difference(self) -> FloatArray:
        """loss(A) − loss(B); positive: B is better."""
        self.require_two("difference")
        losses = self.metric.loss(self.levels)
        return (losses[..., 0] - losses[..., 1])[()]  # type: ignore[no-any-return]

    def require_two(self, what: str) -> None:
        """Raise InvalidEvidence if what is asked needs two models, and these are fewer or more."""
        if len(self.models) != 2:
            raise InvalidEvidence(f"{what} is of two {self.noun}s, but these are {', '.join(self.models)}.")

    @property
    def quantity(self) -> FloatArray:
        """What intervals and tests are of: the level of one model, or the difference of two."""
        return self.value if len(self.models) == 1 else self.difference

    @property
    def rank_by(self) -> FloatArray:
        """The figures that order a ranking, the smallest first."""
        losses: FloatArray = self.metric.loss(self.levels)
        return losses

    @property
    def rank_metric(self) -> Metric:
        """What a ranking shows of each model."""
        return self.metric

    @property
    def rank_levels(self) -> FloatArray:
        """The figures that a ranking shows, in the order of `models`."""
        return self.levels

    @property
    def rank_spread(self) -> float | None:
        """The width of an interval of these figures, which decides their digits; None to take it from the answer."""
        return None

    @property
    def estimated_levels(self) -> FloatArray:
        """The levels as a test averages them that has an estimate of its own."""
        return self.levels

    @property
    def counted_errors(self) -> Any:
        """The errors and trials of each model, along the last dimension; None where these are not counted."""
        return None

    @property
    def test_sizes(self) -> tuple[Numbers, ...]:
        """The number of units of each test set: one for all models, or one for each of them."""
        return (self.size,)

    def figures(self) -> dict[str, Any]:
        """Return what JSON tells of the evidence beside a comparison, by name."""
        return {}

    @property
    def gaps(self) -> str:
        """What is missing, as what follows the data row after a semicolon; empty where nothing is."""
        return ""

    @property
    def value_kind(self) -> Literal["percent", "points", "plain"]:
        """How values of the metric are written."""
        return "percent" if self.metric.is_percentage else "plain"

    @property
    def difference_kind(self) -> Literal["points", "plain"]:
        """How differences of the metric are written."""
        return "plain" if self.value_kind == "plain" else "points"

    # --- Parts --------------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Self:
        if not self.deep or not self.shape:
            return Shaped.__getitem__(self, index)
        shape = self.shape
        return replace(self, **self._pick_fields(lambda array: entries(array, index, shape), *self.deep))  # type: ignore[type-var]

    def _pick_fields(self, pick: Callable[[Any], Any], *names: str) -> dict[str, Any]:
        """Return what is picked from each of these fields that is not None, by name."""
        arrays = {name: getattr(self, name) for name in names}
        return {name: pick(array) for name, array in arrays.items() if array is not None}

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups (tasks, languages) that the units belong to; empty where none are known."""
        return ()

    def by_group(self) -> Iterator[tuple[str, Evidence]]:
        """Yield each group's name and what is known of it."""
        raise InvalidEvidence(
            f"{type(self).__name__} knows no groups. Give outcomes: Outcomes.from_scores(a, b, groups=...)."
        )

    def ungrouped(self) -> Evidence:
        """Return the same without its groups."""
        return self

    def select(self, *models: str) -> Evidence:
        """Return what is known of these models, in this order."""
        raise InvalidEvidence(f"{type(self).__name__} cannot be reduced to {', '.join(models)}.")

    def singles(self) -> Evidence | None:
        """Return every model by itself, along a dimension of its own; None where they have to be taken one by one."""
        return None

    def pairs(self, control: str | None = None) -> Evidence:
        """Return every two models (or each other one against the control), along a dimension of their own."""
        raise InvalidEvidence(f"{type(self).__name__} holds fewer than three models.")

    def pair_names(self, control: str | None = None) -> tuple[tuple[str, str], ...]:
        """Return the names of the pairs, in the order of `pairs`."""
        if control is None:
            return tuple(combinations(self.models, 2))
        return tuple((control, name) for name in self.models if name != control)

    def by(self, metric: Any, *, positive: Any = None, costs: Any = None) -> Evidence:
        """Return the evidence about another metric, or raise if it has one alone."""
        kind, name = type(self).__name__, canonical_name(metric) if metric is not None else None
        if name is None and positive is not None:
            raise InvalidOption(f"positive={positive!r} is for a metric of one class. Say which: metric='recall', say.")
        if positive is not None or costs is not None:
            raise InvalidOption(
                f"positive and costs are for labels, of which {kind} knows nothing. Give a ConfusionMatrix, or a"
                " PairedConfusion."
            )
        if self.metric.is_rate and name in {"error", "accuracy"}:
            return self.report_as(as_accuracy=name == "accuracy")
        if name == canonical_name(self.metric.name):
            return self
        known = find_metric(metric)
        if known is None:
            raise InvalidOption(unknown_metric(metric))
        need = "ClassScores" if known.needs == "scores" else "a ConfusionMatrix, or a PairedConfusion of two models"
        raise InvalidEvidence(f"`metric` of {kind} must be {self.metric.name!r}, got {name!r}. For that, use {need}.")

    def report_as(self, *, as_accuracy: bool) -> Self:
        """Return the same errors, reported as accuracy or as error rate."""
        names = {field.name for field in fields(self)}  # type: ignore[arg-type]  # every evidence is a dataclass
        if "as_accuracy" in names:
            return replace(self, as_accuracy=as_accuracy)  # type: ignore[type-var]  # every evidence is a dataclass
        if "metric" in names:
            return replace(self, metric=replace(self.metric, as_accuracy=as_accuracy))  # type: ignore[type-var]  # as above
        if as_accuracy:
            raise InvalidEvidence(f"`metric` of {type(self).__name__} must be 'error', got 'accuracy'.")
        return self

    def reduced(self) -> Evidence:
        """Return the sufficient statistic: counts, where they say all there is."""
        return self

    # --- Inference ----------------------------------------------------------------------------------

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the method for a goal ("interval", "test", "margin", …): by design, never by the numbers."""
        return self.defaults[goal if goal in self.defaults or goal != "estimate" else "interval"]

    def recommend(self) -> str:
        """Return what to take instead of a method that is forbidden; empty where there is nothing to name."""
        goals = [(goal, self.defaults[goal]) for goal in ("test", "interval") if goal in self.defaults]
        if "against" in self.accepts:  # of one model the interval comes first
            goals.reverse()
        verbs = (" is", *[""] * len(goals))
        return ", ".join(f"'{name}'{verb} the default {goal}" for (goal, name), verb in zip(goals, verbs, strict=False))

    @property
    def reason_for_two(self) -> str:
        """Return why one model alone is not compared, and what to do instead."""
        return (
            f"compare wants two models, but this {type(self).__name__} is of {self.models[0]!r} alone. Give both, or"
            " estimate(evidence, metric=...) and look on which side of a threshold its interval lies."
        )

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of variation that the evidence can show; its methods may cover fewer."""
        return SOURCES

    @property
    def samples_overlap(self) -> bool:
        """Whether learners were trained and tested on samples that share examples."""
        return False

    @property
    def caveat(self) -> str:
        """What no figure can show, as a sentence; empty where there is nothing."""
        return ""

    @property
    def reasons_undefined(self) -> dict[str, str]:
        """Why the metric is not defined, by model; empty where it is for all."""
        return {}

    def traits(self) -> dict[str, Any]:
        """Return what the evidence answers of the nine questions of `advise`, by the names of the answers.

        Under "counts" stand the counts that advice looks at in its place, where there are such.
        """
        raise InvalidEvidence(f"advise knows no question that {type(self).__name__} is for.")

    def scope(self, method: str = "") -> Scope:
        """Return what the answer applies to."""
        several, noun = len(self.models) > 1, f"trained {self.subject if self.subject != 'classifier' else 'model'}"
        return Scope(f"{'these' if several else 'this'} {noun}{'s' * several}", SAME_SOURCE, RETRAINING)

    def condition(self, method: str = "") -> str:
        """Return under which condition the interval of a method is one, as what follows "if"; empty without any."""
        return ""

    def target(self, method: str = "") -> str:
        """Return whose metric an estimate is of; empty where that goes without saying."""
        return "" if self.models == ("A",) else self.models[0]

    def notes(self, context: AnswerContext) -> Iterator[Note]:
        """Yield what an answer reports besides: effect sizes, variance components, effective sample size."""
        for kind in type(self).__mro__:
            for report in _REPORTS.get(kind, ()):
                yield from report(self, context)

    def content(self) -> tuple[dict[str, Any], tuple[np.ndarray | None, ...]]:
        """Return all that tells this evidence from any other: plain fields, and arrays."""
        return self.as_dict(), ()

    # --- How it is shown ----------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, for JSON."""
        return {
            name: _field_as_plain(value) for name, value in self._iterate_fields() if (name, value) not in _ASSUMED[1:]
        }

    def __repr__(self) -> str:
        if self.shape:
            return f"{type(self).__name__}(shape={self.shape})"
        shown = ((name, value) for name, value in self._iterate_fields() if (name, value) not in _ASSUMED)
        inside = ", ".join(f"{name}={_field_as_shown(value)!r}" for name, value in shown)
        return f"{type(self).__name__}({inside})"

    def _repr_html_(self) -> str:
        table = None if self.shape else self._notebook_table()
        if table is None:
            return html_fields(self, ("seen", self.describe()))
        return html_table(*table)

    def _notebook_table(self) -> Table | None:
        """Return caption, head and lines of the table that a notebook shows of one entry; None for its fields."""
        return None

    def _table_of(self, levels: FloatArray, what: str) -> Table:
        """Return the table that has a line for the level of each model."""
        lines = [[name, f"{level:.6g}"] for name, level in zip(self.models, levels.tolist(), strict=True)]
        return f"{type(self).__name__}: {self.describe()}", [self.noun, what], lines

    def _set_fields(self, **values: Any) -> None:
        """Set fields, which nothing but their own `__init__` may."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _iterate_fields(self) -> Iterator[tuple[str, Any]]:
        return ((field.name, getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]  # every evidence is a dataclass


class Pooled(Evidence):
    """Counts of examples, which add up exactly where no example is in both; a kind says which fields."""

    __slots__ = ()
    summed: ClassVar[tuple[str, ...]] = ()
    this_and_that: ClassVar[tuple[str, ...]] = ()  # what errors call two whose shapes must fit

    def __add__(self, other: object) -> Self:
        """Pool disjoint examples: shards, days and machines add up exactly."""
        if not isinstance(other, type(self)):
            return NotImplemented
        same("models", self.models, other.models)
        self._refuse_unlike(other)
        if self.this_and_that:
            leaders = (getattr(counts, self.summed[0]) for counts in (self, other))
            of_one_shape(dict(zip(self.this_and_that, leaders, strict=True)))
        return self._pool_counts(other)

    def __radd__(self, other: object) -> Self:
        """Let `sum` begin at 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def _refuse_unlike(self, other: Self) -> None:
        """Raise InvalidEvidence if these are not counts of the same, besides the models."""

    def _pool_counts(self, other: Self) -> Self:
        return replace(self, **{name: getattr(self, name) + getattr(other, name) for name in self.summed})  # type: ignore[type-var]


class OfTwo(Pooled):
    """Counts of two classifiers, A and B; a kind says what is known of each of them."""

    __slots__ = ()
    models: tuple[str, str]
    accepts: ClassVar = frozenset({"margin", "hypothesis", "looks"})
    question: ClassVar = 3

    @property
    def sides(self) -> tuple[Evidence, Evidence]:
        """What is known of A alone, and of B alone."""
        raise TypeError(f"{type(self).__name__} does not say what is known of either model")

    @property
    def levels(self) -> FloatArray:
        """The metric of A and of B, along the last dimension; NaN where it is not defined."""
        return np.stack([side.value for side in self.sides], axis=-1)

    def select(self, *models: str) -> Evidence:
        """Return what is known of one of the two, or of both in this order."""
        positions = positions_of(models, self.models)
        if len(positions) == 1:
            return self.sides[positions[0]]
        return self if positions == [0, 1] else self.swapped()

    def swapped(self) -> Self:
        """Return the same with A and B exchanged."""
        raise TypeError(f"{type(self).__name__} does not say what it is with A and B exchanged")


Reports = Callable[[Any, AnswerContext], Iterator[Note]]
_REPORTS: dict[type, list[Reports]] = {}


def reports_on(kind: type[Evidence]) -> Callable[[Reports], Reports]:
    """Register a function (evidence, context) that yields notes for this kind of evidence."""

    def register(report: Reports) -> Reports:
        _REPORTS.setdefault(kind, []).append(report)
        return report

    return register


# What goes without saying; JSON names the models all the same where there are two.
_ASSUMED = (
    ("models", ("A", "B")),
    *(("models", ("A",)), ("event", "wrong"), ("measure", None), ("as_accuracy", False), ("as_accuracy", True)),
)


def _field_as_shown(value: Any) -> Any:
    return value if isinstance(value, Evidence | tuple) else plain(value)


def _field_as_plain(value: Any) -> Any:
    return value.as_dict() if isinstance(value, Evidence) else plain(value)


# --- Names --------------------------------------------------------------------------------------------


def pair_index(models: tuple[str, ...], control: str | None = None) -> np.ndarray:
    """Return the positions of A and B of every pair, or of every pair with the control as A.

    Examples
    --------
    >>> pair_index(("a", "b", "c")).tolist(), pair_index(("a", "b", "c"), control="b").tolist()
    ([[0, 1], [0, 2], [1, 2]], [[1, 0], [1, 2]])
    """
    if control is None:
        return np.stack(np.triu_indices(len(models), 1), axis=-1)
    if control not in models:
        raise InvalidEvidence(f"control must be one of {', '.join(models)}, but is {control!r}.")
    first = models.index(control)
    return np.array([[first, other] for other in range(len(models)) if other != first])


def positions_of(names: tuple[str, ...], models: tuple[str, ...], noun: str = "model") -> list[int]:
    """Return where the models that are named stand, or raise InvalidEvidence if one is not there.

    Examples
    --------
    >>> positions_of(("b", "a"), ("a", "b", "c"))
    [1, 0]
    """
    for name in names:
        if name not in models:
            raise InvalidEvidence(f"{noun} must be one of {', '.join(models)}, but is {name!r}.")
    return [models.index(name) for name in names]


# Who holds such evidence without being it, and where.
_FOLD = {
    "Predictions": "Fold it: paired_table(a, b) or error_patterns() to compare, error_counts() to estimate.",
    "ConfusionMatrix": "Take its error_count, or label_against_prediction() to compare both kinds of error.",
    "PairedTable": "Take its count_a or count_b, or compare it.",
    "IndependentCounts": "Take its a or b, or compare it.",
    "ErrorPatterns": "Take its error_counts, or compare it.",
}

Kind = TypeVar("Kind", bound=Evidence)


def expect(kind: type[Kind], value: object, *others: type[Evidence]) -> Kind:
    """Return `value` if it is evidence of this kind (or one of the others), else raise InvalidEvidence."""
    if not isinstance(value, (kind, *others)):
        names = (field.name for field in fields(kind) if field.name != "as_accuracy")  # type: ignore[arg-type]
        call = f"{kind.__name__}({', '.join(names)})"
        kinds = " or ".join(accepted.__name__ for accepted in (kind, *others))
        article = "an" if kinds[0] in "AEIOU" else "a"
        remedy = _FOLD.get(type(value).__name__, f"Write {call}.")
        raise InvalidEvidence(f"`evidence` must be {article} {kinds}, got {type(value).__name__}. {remedy}")
    return value  # type: ignore[return-value]


def is_one(value: object, kind: type[Kind]) -> TypeGuard[Kind]:
    """Return whether an argument is one entry of evidence of this kind, and no array of them."""
    return isinstance(value, kind) and not value.shape


def as_pair_of_names(models: object) -> tuple[str, str]:
    """Return what A and B are called, or raise InvalidEvidence if these are not two different names."""
    models = models.tolist() if isinstance(models, np.ndarray) else models
    if models == ("A", "B"):  # the common case, at a fraction of the cost
        return ("A", "B")
    if not (isinstance(models, tuple | list) and len(models) == 2 and all(isinstance(name, str) for name in models)):
        raise InvalidEvidence(f"models must be two names, such as ('forest', 'stump'), but is {models!r}.")
    if models[0] == models[1]:
        raise InvalidEvidence(f"models must be two different names, but both are {models[0]!r}.")
    return models[0], models[1]


def as_one_name(models: object) -> tuple[str]:
    """Return what the one model is called, or raise InvalidEvidence if this is not the name of one."""
    models = models.tolist() if isinstance(models, np.ndarray) else models
    if not (isinstance(models, tuple | list) and len(models) == 1 and isinstance(models[0], str)):
        raise InvalidEvidence(f"models must be one name, such as ('forest',), but is {models!r}.")
    return (models[0],)


def plural(count: Any, noun: str) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> plural(1, "example"), plural(3, "example")
    ('1 example', '3 examples')
    """
    return f"{count} {noun}{'s' * bool(count != 1)}"


Names = TypeVar("Names", bound=tuple[Any, ...])


def swap_names(models: Names) -> Names:
    """Return the names of two models that are exchanged; A and B are not names, but places."""
    return models if models == ("A", "B") else models[::-1]  # type: ignore[return-value]  # a pair stays one


def same(what: str, here: Names, there: Names) -> Names:
    """Return the names of models (or labels, or shares of strata) if both have the same, else refuse to pool them."""
    if here != there:
        raise InvalidEvidence(
            f"only counts of the same {what} add up, but here they are {', '.join(map(str, here))} and there"
            f" {', '.join(map(str, there))}."
        )
    return here
