"""The protocol of evidence: what every kind answers about itself, so that callers need not know the kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from itertools import combinations
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeGuard, TypeVar

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..metrics import ERROR, ERROR_AS_ACCURACY, Metric, canonical_name, find_metric, unknown_metric
from ..rendering import html_fields, html_table, plain
from ..shaped import Shaped, entries
from ..typing_ import SOURCES, Alternative, FloatArray, Numbers, Source, describe_choice, list_names, quote_name
from .validation import of_one_shape

Table = tuple[str, list[str], list[list[str]]]  # caption, head, lines
# The source of variation that every method for one test set accounts for: the sampling of that set, not of training
# sets (Dietterich 1998, section 1).
ONE_TEST_SET: tuple[Source, ...] = ("test data", "labels")
# The answers to the questions of `advise` that all evidence about classifiers shares.
TRAITS_OF_CLASSIFIERS = {"domains": "one", "subject": "classifier", "data": "much"}


class Unit(NamedTuple):
    """The sampled unit, and the name of one replication of the whole sample."""

    name: str  # "example", "split", "data set"
    replication: str  # "test set", "experiment", "benchmark"


class Scope(NamedTuple):
    """The population that an answer applies to, and the one thing that people wrongly assume it covers.

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
    """The method, its options and the result, on which notes can depend."""

    method: str  # the test, or the estimator
    named: bool  # whether the caller named it
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    hypothesis: str = "different"
    own_estimate: bool = False  # whether the test estimates another difference than the evidence's
    difference: float | None = None  # the smallest relevant difference, as the caller specifies
    test: str = ""  # of the pairs, where there are several models
    control: str | None = None
    comparisons: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None  # what the test returned


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """An additional figure of an answer: a key for programs, a label and text for readers."""

    key: str
    label: str
    text: str
    value: Any = None


class Evidence(Shaped):
    """Observations as a small frozen value that is validated once.

    A kind must define `models`, `levels`, `size` and `describe()`, and its default methods; if it has two models or
    more also `select` and `pairs`. The other members have defaults that fit one test set.
    """

    __slots__ = ()
    subject: ClassVar[str] = "classifier"  # the compared things: "classifier", "learner" or "model"
    unit: ClassVar[Unit] = Unit("example", "test set")
    accepts: ClassVar[frozenset[str]] = frozenset()  # of the optional keywords of the verbs
    defaults: ClassVar[Mapping[str, str]] = {}  # the method for each goal: "interval", "test", "margin", "adjust"
    resampling_has_width: ClassVar[bool] = True  # whether a resampled interval always has a positive width
    sees_losses: ClassVar[bool] = False  # whether methods for one model return losses, not the metric
    level_name: ClassVar[str] = "value"  # what the metric of one model is: a "value", or the "mean" over examples
    averaging: ClassVar[str] = ""  # how a test with its own estimate averages: begins a sentence
    as_accuracy: bool = False  # whether counts of errors are reported as accuracy
    event = "wrong"  # what is counted
    test_sets: ClassVar[int] = 1  # on how many sets of examples the models were tested
    sources_covered: ClassVar[tuple[Source, ...] | None] = ONE_TEST_SET  # what its methods account for by default
    question: ClassVar[int | None] = None  # the question of the guide that its methods answer by default
    deep: ClassVar[tuple[str, ...]] = ()  # the fields with more dimensions than the entries
    noun: ClassVar[str] = "model"  # what errors call a named item

    # --- Identity -----------------------------------------------------------------------------------

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in the order of `levels`."""
        return ("A",)

    @property
    def metric(self) -> Metric:
        """The metric that was measured."""
        return ERROR_AS_ACCURACY if self.as_accuracy else ERROR

    @property
    def size(self) -> Numbers:
        """The number of units."""
        raise TypeError(f"{type(self).__name__} must define `size`.")

    def describe(self) -> str:
        """Return a description of the observations, as the end of a phrase "on …"."""
        raise TypeError(f"{type(self).__name__} must define `describe()`.")

    def data_row(self, lead: int = 0) -> str:
        """Return the data row of an answer; `lead` is the index of the leading model of two."""
        return self.describe()

    def details(self) -> str:
        """Return the counts behind the data row in full; empty if there are none."""
        return ""

    # --- Figures ------------------------------------------------------------------------------------

    @property
    def levels(self) -> FloatArray:
        """The metric of each model, along the last dimension."""
        raise TypeError(f"{type(self).__name__} must define `levels`.")

    @property
    def value(self) -> FloatArray:
        """The metric of one model."""
        return np.asarray(self.levels)[..., 0][()]

    @property
    def difference(self) -> FloatArray:
        """loss(A) − loss(B); positive: B is better."""
        self.require_two("difference")
        losses = self.metric.loss(self.levels)
        return (losses[..., 0] - losses[..., 1])[()]  # type: ignore[no-any-return]

    def require_two(self, what: str) -> None:
        """Raise InvalidEvidence if there are not two models."""
        if len(self.models) != 2:
            raise InvalidEvidence(
                f"{quote_name(what)} needs two {self.noun}s, got {list_names(self.models)}. Use select(a, b)."
            )

    @property
    def quantity(self) -> FloatArray:
        """The parameter of intervals and tests: the level of one model, or the difference of two."""
        return self.value if len(self.models) == 1 else self.difference

    @property
    def rank_by(self) -> FloatArray:
        """The figures that order a ranking, the smallest first."""
        losses: FloatArray = self.metric.loss(self.levels)
        return losses

    @property
    def rank_metric(self) -> Metric:
        """The metric that a ranking shows."""
        return self.metric

    @property
    def rank_levels(self) -> FloatArray:
        """The figures that a ranking shows, in the order of `models`."""
        return self.levels

    @property
    def rank_spread(self) -> float | None:
        """The width of an interval of these figures, which decides their digits; None if the answer has one."""
        return None

    @property
    def estimated_levels(self) -> FloatArray:
        """The levels as a test with its own estimate averages them."""
        return self.levels

    @property
    def counted_errors(self) -> Any:
        """The errors and trials of each model, along the last dimension; None if they are not counted."""
        return None

    @property
    def test_sizes(self) -> tuple[Numbers, ...]:
        """The number of units of each test set: one for all models, or one for each of them."""
        return (self.size,)

    def figures(self) -> dict[str, Any]:
        """Return the figures that JSON adds to a comparison, by name."""
        return {}

    @property
    def gaps(self) -> str:
        """The missing observations, to be appended to the data row; empty if there are none."""
        return ""

    @property
    def value_kind(self) -> Literal["percent", "points", "plain"]:
        """The kind of scale for values of the metric: "percent", "points" or "plain"."""
        return "percent" if self.metric.is_percentage else "plain"

    @property
    def difference_kind(self) -> Literal["points", "plain"]:
        """The kind of scale for differences of the metric: "percent", "points" or "plain"."""
        return "plain" if self.value_kind == "plain" else "points"

    # --- Parts --------------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Self:
        if not self.deep or not self.shape:
            return Shaped.__getitem__(self, index)
        shape = self.shape
        return replace(self, **self._pick_fields(lambda array: entries(array, index, shape), *self.deep))  # type: ignore[type-var]

    def _pick_fields(self, pick: Callable[[Any], Any], *names: str) -> dict[str, Any]:
        """Return the picked entries of each of these fields that is not None, by name."""
        arrays = {name: getattr(self, name) for name in names}
        return {name: pick(array) for name, array in arrays.items() if array is not None}

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups (tasks, languages) of the units; empty if there are none."""
        return ()

    def by_group(self) -> Iterator[tuple[str, Evidence]]:
        """Yield each group's name and evidence."""
        raise InvalidEvidence(f"{type(self).__name__} has no groups. Use Outcomes.from_scores(a, b, groups=...).")

    def ungrouped(self) -> Evidence:
        """Return the evidence without its groups."""
        return self

    def select(self, *models: str) -> Evidence:
        """Return the evidence of these models, in this order."""
        raise InvalidEvidence(
            f"{type(self).__name__} has one model and cannot select {list_names(models)}. Leave the names out."
        )

    def singles(self) -> Evidence | None:
        """Return all models as entries along one dimension; None if they must be selected one at a time."""
        return None

    def pairs(self, control: str | None = None) -> Evidence:
        """Return all pairs of models (or all pairs with the control), along one dimension."""
        raise InvalidEvidence(
            f"`pairs` needs three models or more, got a {type(self).__name__} of {len(self.models)}. Use compare() for"
            " two."
        )

    def pair_names(self, control: str | None = None) -> tuple[tuple[str, str], ...]:
        """Return the names of the pairs, in the order of `pairs`."""
        if control is None:
            return tuple(combinations(self.models, 2))
        return tuple((control, name) for name in self.models if name != control)

    def by(self, metric: Any, *, positive: Any = None, costs: Any = None) -> Evidence:
        """Return the evidence about another metric; raise if it has only one."""
        kind, name = type(self).__name__, canonical_name(metric) if metric is not None else None
        if name is None and positive is not None:
            raise InvalidOption(f"`metric` is required with positive={positive!r}. Use metric='recall', for example.")
        if positive is not None or costs is not None:
            raise InvalidOption(
                f"`positive` and `costs` need labels, which {kind} does not have. Use a ConfusionMatrix or a"
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
        """Return the evidence, reported as accuracy or as error rate."""
        names = {field.name for field in fields(self)}  # type: ignore[arg-type]  # every evidence is a dataclass
        if "as_accuracy" in names:
            return replace(self, as_accuracy=as_accuracy)  # type: ignore[type-var]  # every evidence is a dataclass
        if "metric" in names:
            return replace(self, metric=replace(self.metric, as_accuracy=as_accuracy))  # type: ignore[type-var]  # as above
        if as_accuracy:
            raise InvalidEvidence(f"`metric` of {type(self).__name__} must be 'error', got 'accuracy'.")
        return self

    def reduced(self) -> Evidence:
        """Return the sufficient statistic: counts, if they hold all the information."""
        return self

    # --- Inference ----------------------------------------------------------------------------------

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the default method for a goal ("interval", "test", …); it depends on the design, not on the data."""
        return self.defaults[goal if goal in self.defaults or goal != "estimate" else "interval"]

    def recommend(self, gives: str = "") -> str:
        """Return which defaults to use instead of an unsuitable method, as a sentence; empty if there are none.

        With `gives`, "test" or "interval", only the default of that kind.
        """
        test, interval = self.defaults.get("test"), self.defaults.get("interval")
        if "against" in self.accepts and test and interval:  # `method` names the interval of an estimate
            return f"Use method={interval!r} for an interval, or method={test!r} for a test."
        choices = {"test": ("method", test), "interval": ("interval", interval)}
        wanted = [choices[gives]] if gives in choices else choices.values()
        options = [f"{name}={value!r}" for name, value in wanted if value]
        return f"Use {' or '.join(options)}." if options else ""

    @property
    def reason_for_two(self) -> str:
        """The error for a comparison of one model."""
        return (
            f"`evidence` must have two models to compare, got a {type(self).__name__} of {self.models[0]!r}. Pass both"
            " models,"
            " or use estimate()."
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
        """A limitation that no figure shows, as a sentence; empty if there is none."""
        return ""

    @property
    def reasons_undefined(self) -> dict[str, str]:
        """Why the metric is undefined, by model; empty if it is defined for all."""
        return {}

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the evidence determines, by name.

        "counts" holds the counts that advice uses in place of the evidence, if there are any.
        """
        raise InvalidEvidence(
            f"`evidence` must be of a kind that advise() covers, got {type(self).__name__}. Use compare() or"
            " estimate()."
        )

    def scope(self, method: str = "") -> Scope:
        """Return the scope of the answer."""
        several, noun = len(self.models) > 1, f"trained {self.subject if self.subject != 'classifier' else 'model'}"
        return Scope(f"{'these' if several else 'this'} {noun}{'s' * several}", SAME_SOURCE, RETRAINING)

    def condition(self, method: str = "") -> str:
        """Return the condition under which the interval of a method is valid, as the end of "if …"; empty if none."""
        return ""

    def target(self, method: str = "") -> str:
        """Return the subject of the estimate; empty if the model has no name."""
        return "" if self.models == ("A",) else self.models[0]

    def notes(self, context: AnswerContext) -> Iterator[Note]:
        """Yield additional figures of an answer: effect sizes, variance components, effective sample size."""
        for kind in type(self).__mro__:
            for report in _REPORTS.get(kind, ()):
                yield from report(self, context)

    def content(self) -> tuple[dict[str, Any], tuple[np.ndarray | None, ...]]:
        """Return the plain fields and arrays that identify the evidence."""
        return self.as_dict(), ()

    # --- Output -------------------------------------------------------------------------------------

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
        """Return caption, head and lines of the table that a notebook shows for one entry; None to show the fields."""
        return None

    def _table_of(self, levels: FloatArray, what: str) -> Table:
        """Return a table with a line for each model and its level."""
        lines = [[name, f"{level:.6g}"] for name, level in zip(self.models, levels.tolist(), strict=True)]
        return f"{type(self).__name__}: {self.describe()}", [self.noun, what], lines

    def _set_fields(self, **values: Any) -> None:
        """Set fields of the frozen instance; only for `__init__` and `__post_init__`."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _iterate_fields(self) -> Iterator[tuple[str, Any]]:
        return ((field.name, getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]  # every evidence is a dataclass


class Pooled(Evidence):
    """Counts of disjoint examples, which can be added; a kind names the fields to add."""

    __slots__ = ()
    summed: ClassVar[tuple[str, ...]] = ()
    this_and_that: ClassVar[tuple[str, ...]] = ()  # how errors refer to the two summands

    def __add__(self, other: object) -> Self:
        """Return the counts of both sets of examples, which must be disjoint (shards, days, machines)."""
        if not isinstance(other, type(self)):
            return NotImplemented
        same("models", self.models, other.models)
        self._refuse_unlike(other)
        if self.this_and_that:
            leaders = (getattr(counts, self.summed[0]) for counts in (self, other))
            of_one_shape(dict(zip(self.this_and_that, leaders, strict=True)))
        return self._pool_counts(other)

    def __radd__(self, other: object) -> Self:
        """Return the counts themselves if added to 0, with which `sum` begins."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def _refuse_unlike(self, other: Self) -> None:
        """Raise InvalidEvidence if the counts cannot be added for another reason than the models."""

    def _pool_counts(self, other: Self) -> Self:
        return replace(self, **{name: getattr(self, name) + getattr(other, name) for name in self.summed})  # type: ignore[type-var]


class OfTwo(Pooled):
    """Counts of two classifiers, A and B; a kind defines the evidence about each of them."""

    __slots__ = ()
    models: tuple[str, str]
    accepts: ClassVar = frozenset({"margin", "hypothesis", "looks"})
    question: ClassVar = 3

    @property
    def sides(self) -> tuple[Evidence, Evidence]:
        """The evidence about A, and about B."""
        raise TypeError(f"{type(self).__name__} must define `sides`.")

    @property
    def levels(self) -> FloatArray:
        """The metric of A and of B, along the last dimension; NaN if it is undefined."""
        return np.stack([side.value for side in self.sides], axis=-1)

    def select(self, *models: str) -> Evidence:
        """Return the evidence about one of the two, or about both in this order."""
        positions = positions_of(models, self.models)
        if len(positions) == 1:
            return self.sides[positions[0]]
        return self if positions == [0, 1] else self.swapped()

    def swapped(self) -> Self:
        """Return the evidence with A and B swapped."""
        raise TypeError(f"{type(self).__name__} must define `swapped()`.")


Reports = Callable[[Any, AnswerContext], Iterator[Note]]
_REPORTS: dict[type, list[Reports]] = {}


def reports_on(kind: type[Evidence]) -> Callable[[Reports], Reports]:
    """Register a function (evidence, context) that yields notes for this kind of evidence."""

    def register(report: Reports) -> Reports:
        _REPORTS.setdefault(kind, []).append(report)
        return report

    return register


# Values that representations leave out; JSON keeps the names of two models.
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
        raise InvalidEvidence(describe_choice("control", control, models))
    first = models.index(control)
    return np.array([[first, other] for other in range(len(models)) if other != first])


def positions_of(names: tuple[str, ...], models: tuple[str, ...], noun: str = "model") -> list[int]:
    """Return the positions of the named models; raise InvalidEvidence if a name is unknown.

    Examples
    --------
    >>> positions_of(("b", "a"), ("a", "b", "c"))
    [1, 0]
    """
    for name in names:
        if name not in models:
            raise InvalidEvidence(describe_choice(noun, name, models))
    return [models.index(name) for name in names]


# How to get evidence from an object that contains it.
_FOLD = {
    "Predictions": "Use its paired_table(a, b) or error_patterns() to compare, error_counts() to estimate.",
    "ConfusionMatrix": "Use its error_count, or label_against_prediction() to compare both kinds of error.",
    "PairedTable": "Use its count_a or count_b, or compare it.",
    "IndependentCounts": "Use its a or b, or compare it.",
    "ErrorPatterns": "Use its error_counts, or compare it.",
}
_COUNTS = ("ErrorCount", "PairedTable")  # what `_FOLD` gives
_OPTIONAL = ("as_accuracy", "models", "event")  # fields that a call need not name

Kind = TypeVar("Kind", bound=Evidence)


def expect(kind: type[Kind], value: object, *others: type[Evidence], name: str = "evidence") -> Kind:
    """Return `value`; raise InvalidEvidence if it is not evidence of this kind or one of the others."""
    if not isinstance(value, (kind, *others)):
        required = (field for field in fields(kind) if field.default is MISSING)  # type: ignore[arg-type]
        parameters = (field.name for field in required if field.name not in _OPTIONAL)
        from_scores = hasattr(kind, "from_scores")
        call = f"{kind.__name__}.from_scores(...)" if from_scores else f"{kind.__name__}({', '.join(parameters)})"
        *most, last = (
            f"{'an' if accepted.__name__[0] in 'AEIOU' else 'a'} {accepted.__name__}" for accepted in (kind, *others)
        )
        kinds = f"{', '.join(most)} or {last}" if most else last
        remedy = _FOLD.get(type(value).__name__, "") if kind.__name__ in _COUNTS else ""
        got = "None" if value is None else type(value).__name__
        raise InvalidEvidence(f"`{name}` must be {kinds}, got {got}. {remedy or f'Use {call}.'}")
    return value  # type: ignore[return-value]


def is_one(value: object, kind: type[Kind]) -> TypeGuard[Kind]:
    """Return whether an argument is a single entry of evidence of this kind."""
    return isinstance(value, kind) and not value.shape


def as_pair_of_names(models: object) -> tuple[str, str]:
    """Return the names of A and B; raise InvalidEvidence if they are not two different names."""
    models = models.tolist() if isinstance(models, np.ndarray) else models
    if models == ("A", "B"):  # the common case, at a fraction of the cost
        return ("A", "B")
    if not (isinstance(models, tuple | list) and len(models) == 2 and all(isinstance(name, str) for name in models)):
        raise InvalidEvidence(f"`models` must be two names, got {models!r}. For example: ('forest', 'stump').")
    if models[0] == models[1]:
        raise InvalidEvidence(f"`models` must be two different names, got {models[0]!r} twice.")
    return models[0], models[1]


def as_one_name(models: object) -> tuple[str]:
    """Return the name of the one model as a tuple; raise InvalidEvidence if it is not one name."""
    models = models.tolist() if isinstance(models, np.ndarray) else models
    if not (isinstance(models, tuple | list) and len(models) == 1 and isinstance(models[0], str)):
        raise InvalidEvidence(f"`models` must be a tuple of one name, got {models!r}. For example: ('forest',).")
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
    """Return the names of two models in reverse order; the default names A and B stay, as they are positions."""
    return models if models == ("A", "B") else models[::-1]  # type: ignore[return-value]  # a pair stays one


def same(what: str, here: Names, there: Names) -> Names:
    """Return the models (or labels, or shares); raise InvalidEvidence if they differ between the two."""
    if here != there:
        raise InvalidEvidence(
            f"`{what}` must be the same in counts that are added, got {list_names(here)} and {list_names(there)}."
        )
    return here
