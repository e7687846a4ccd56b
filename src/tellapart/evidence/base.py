"""What all evidence has in common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, ClassVar, TypeVar

from ..errors import InvalidEvidence
from ..rendering import html_fields, html_table, plain
from ..shaped import Shaped
from ..typing_ import FloatArray

Table = tuple[str, list[str], list[list[str]]]  # caption, head, lines


class Evidence(Shaped):
    """All that a method needs and nothing else: a small frozen value, checked once, when it is made."""

    __slots__ = ()

    of_one_test_set: ClassVar[bool] = False  # it shows what one test set makes vary, and nothing else

    def describe(self) -> str:
        """Say in words what was observed."""
        raise TypeError(f"{type(self).__name__} does not describe itself")

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, for JSON."""
        return {name: _unpacked(value) for name, value in self._fields() if (name, value) not in _ASSUMED[1:]}

    def __repr__(self) -> str:
        if self.shape:
            return f"{type(self).__name__}(shape={self.shape})"
        told = ((name, value) for name, value in self._fields() if (name, value) not in _ASSUMED)
        inside = ", ".join(f"{name}={_shown(value)!r}" for name, value in told)
        return f"{type(self).__name__}({inside})"

    def _repr_html_(self) -> str:
        table = None if self.shape else self._table()
        if table is None:
            return html_fields(self, ("seen", self.describe()))
        return html_table(*table)

    def _table(self) -> Table | None:
        """Return caption, head and lines of the table that a notebook shows of one entry; None for its fields."""
        return None

    def _fields(self) -> Iterator[tuple[str, Any]]:
        return ((field.name, getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]  # every evidence is a dataclass


class Measured(Evidence):
    """Evidence of a metric that need not be the error rate, and of which more may be better.

    Methods see losses, which are better when they are smaller; readers see the metric as it is.
    """

    __slots__ = ()

    @property
    def metric(self) -> str:
        """What is measured: "error", "f1", "auc", or what scores are called."""
        raise TypeError(f"{type(self).__name__} does not say what it measures")

    @property
    def measured(self) -> str:
        """The metric that a reader sees, also where the evidence is of losses that stand for it."""
        return self.metric

    @property
    def title(self) -> str:
        """What one number about a model is called in a sentence: "error rate", "F1 (spam)", "mean rouge"."""
        return "error rate" if self.right_or_wrong else self.metric

    @property
    def right_or_wrong(self) -> bool:
        """Whether everything is told as error rates."""
        return self.metric == "error"

    @property
    def higher_is_better(self) -> bool:
        """Whether more of it is better."""
        raise TypeError(f"{type(self).__name__} does not say which way is better")

    @property
    def means(self) -> FloatArray:
        """The metric of each model, along the last dimension, as a reader knows it."""
        raise TypeError(f"{type(self).__name__} has no metric of each model")


_ASSUMED = (("models", ("A", "B")), ("event", "wrong"), ("measure", None))  # what goes without saying


def _shown(value: Any) -> Any:
    return value if isinstance(value, Evidence | tuple) else plain(value)


def _unpacked(value: Any) -> Any:
    return value.as_dict() if isinstance(value, Evidence) else plain(value)


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
    """Return `value` if it is evidence of this kind (or one of the others), else say how to make it so."""
    if not isinstance(value, (kind, *others)):
        wanted = f"{kind.__name__}({', '.join(field.name for field in fields(kind))})"  # type: ignore[arg-type]
        names = " or ".join(each.__name__ for each in (kind, *others))
        article = "an" if names[0] in "AEIOU" else "a"
        remedy = _FOLD.get(type(value).__name__, f"Write {wanted}.")
        raise InvalidEvidence(f"evidence must be {article} {names}, but is {type(value).__name__}. {remedy}")
    return value  # type: ignore[return-value]


def as_pair_of_names(models: object) -> tuple[str, str]:
    """Return what A and B are called, or say that two different names are wanted."""
    if not (isinstance(models, tuple | list) and len(models) == 2 and all(isinstance(name, str) for name in models)):
        raise InvalidEvidence(f"models must be two names, such as ('forest', 'stump'), but is {models!r}.")
    if models[0] == models[1]:
        raise InvalidEvidence(f"models must be two different names, but both are {models[0]!r}.")
    return models[0], models[1]


Names = TypeVar("Names", bound=tuple[Any, ...])


def same(what: str, here: Names, there: Names) -> Names:
    """Return the names of models (or labels, or shares of strata) if both have the same, else refuse to pool them."""
    if here != there:
        raise InvalidEvidence(
            f"only counts of the same {what} add up, but here they are {', '.join(map(str, here))} and there"
            f" {', '.join(map(str, there))}."
        )
    return here
