"""What a confusion matrix determines: precision, recall, F, Matthews' correlation, costs and the like.

A measure is a smooth function of the shares of label and prediction. It knows its value, how it changes with every
share (which is all that the delta method wants), and between what it lies; one pass serves any number of matrices.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from ..errors import InvalidOption
from ..typing_ import FloatArray, IntArray
from .measure_rules import Average, Kappa, Matthews, Rule, Share, class_sums


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Measure:
    """One number that a confusion matrix determines.

    Parameters
    ----------
    name
        What it is called: "f1", "recall", "precision-macro", "mcc", "cost".
    title
        What a reader gets to see: "F1", "Matthews' correlation".
    labels
        What the rows and columns of the matrix are called.
    positive
        The place of the class it speaks of; None where it speaks of all.
    higher_is_better
        Whether more of it is better.
    range
        Between what it lies.
    rule
        How it follows from the cells.
    costs
        What every label taken for every prediction costs, where it is a cost.
    """

    name: str
    title: str
    labels: tuple[Any, ...]
    higher_is_better: bool
    range: tuple[float, float]
    rule: Rule
    positive: int | None = None
    costs: FloatArray | None = None

    @property
    def of_class(self) -> str:
        """The class it speaks of, as text; nothing where it speaks of all."""
        return "" if self.positive is None else str(self.labels[self.positive])

    @property
    def is_proportion(self) -> bool:
        """Whether it is a share of examples of some kind, so that the intervals of one rate are its own."""
        return self.name in _PROPORTIONS

    @property
    def base(self) -> str:
        """The name without what says how classes are averaged: "f1" of "f1-macro"."""
        return self.name.removesuffix("-macro").removesuffix("-micro").removesuffix("-weighted")

    def of(self, counts: Any) -> FloatArray:
        """Return its value on one matrix of counts (or of shares) or on many; NaN where it is not defined.

        Examples
        --------
        >>> as_measure("f1", ("no", "yes")).of([[50, 10], [5, 35]]).round(4)
        np.float64(0.8235)
        """
        return self.rule.value(np.asarray(counts, dtype=float))

    def slopes(self, counts: Any) -> FloatArray:
        """Return how it changes with the share of every cell: [..., label, prediction].

        They are centred: weighted by the shares they add up to 0. Divided by √n their spread is the standard error of
        the delta method. Where the measure is not defined they are 0.

        Examples
        --------
        >>> counts = np.array([[50, 10], [5, 35]])
        >>> slopes = as_measure("accuracy", ("no", "yes")).slopes(counts)
        >>> round(float(np.sqrt((counts * slopes**2).sum()) / 100), 4)  # √(0.85·0.15/100)
        0.0357
        """
        cells = np.asarray(counts, dtype=float)
        found = self.rule.slopes(cells)
        shares = cells / cells.sum(axis=(-2, -1), keepdims=True)
        centred: FloatArray = found - (shares * found).sum(axis=(-2, -1), keepdims=True)
        return centred

    def proportion(self, counts: Any) -> tuple[IntArray, IntArray]:
        """Return the successes and the trials of which it is the share, as whole numbers.

        Examples
        --------
        >>> as_measure("precision", ("no", "yes")).proportion([[50, 10], [5, 35]])
        (np.int64(35), np.int64(45))
        """
        if not self.is_proportion or not isinstance(self.rule, Share):
            raise InvalidOption(f"{self.title} is no share of examples of one kind.")
        cells, sums = np.asarray(counts), (self.rule.hits, self.rule.trials)
        hits, trials = (np.einsum("...ij,ij->...", cells, weights.astype(np.int64))[()] for weights in sums)
        return hits, trials

    def __repr__(self) -> str:
        return f"Measure({self.name}{f', {self.of_class!r}' if self.of_class else ''})"


# --- By name --------------------------------------------------------------------------------------

_PROPORTIONS = (
    "accuracy",
    "error",
    "precision",
    "recall",
    "specificity",
    "false-positive-rate",
    "negative-predictive-value",
    "jaccard",
    "precision-micro",
    "recall-micro",
    "f1-micro",
)
_TITLES = {
    "negative-predictive-value": "negative predictive value",
    "false-positive-rate": "false positive rate",
    "balanced-accuracy": "balanced accuracy",
    "mcc": "MCC",
    "kappa": "kappa",
    "jaccard": "Jaccard index",
    "cost": "cost per example",
    "error": "error rate",
    "label-balance": "label balance",
}
_WAYS = ("macro", "micro", "weighted")
_OF_ONE_CLASS = ("precision", "recall", "specificity", "false-positive-rate", "negative-predictive-value", "jaccard")
_AVERAGED = ("precision", "recall", "jaccard")  # and F; of the others nobody takes averages
_OF_ALL = ("error", "accuracy", "balanced-accuracy", "informedness", "mcc", "kappa", "cost", "label-balance")
_F = re.compile(r"f(?:-?beta-?)?([0-9]+(?:\.[0-9]+)?)(?:-score)?")
# All names there are; F-beta is written with its number: f1, f2, f0.5.
COUNTED = (*_OF_ALL, *_OF_ONE_CLASS, "f1", *(f"{base}-{way}" for base in (*_AVERAGED, "f1") for way in _WAYS))

# What others call the same.
_ALIASES = {
    "sensitivity": "recall",
    "true-positive-rate": "recall",
    "tpr": "recall",
    "ppv": "precision",
    "positive-predictive-value": "precision",
    "npv": "negative-predictive-value",
    "true-negative-rate": "specificity",
    "tnr": "specificity",
    "fpr": "false-positive-rate",
    "matthews-corrcoef": "mcc",
    "cohen-kappa": "kappa",
    "cohen-kappa-score": "kappa",
    "youden": "informedness",
    "zero-one-loss": "error",
    "expected-cost": "cost",
    "f-measure": "f1",
    "f-score": "f1",
    "iou": "jaccard",
    # scikit-learn's functions
    **{f"{name}-score": name for name in ("accuracy", "balanced-accuracy", "precision", "recall", "jaccard")},
}


def canonical(metric: object) -> str:
    """Return the name a metric goes by here, whatever scikit-learn or people write: "matthews_corrcoef" is "mcc".

    Examples
    --------
    >>> canonical("Balanced_Accuracy"), canonical("f1_macro"), canonical("ppv"), canonical("f_beta2")
    ('balanced-accuracy', 'f1-macro', 'precision', 'f2')
    """
    if not isinstance(metric, str):
        raise InvalidOption(f"metric must be a name, such as 'f1', but is {metric!r}.")
    name = metric.strip().lower().replace("_", "-").replace(" ", "-")
    base, dash, way = name.rpartition("-")
    base, way = (base, way) if way in _WAYS and dash else (name, "")
    base = _ALIASES.get(base, base)
    found = _F.fullmatch(base)
    base = f"f{float(found[1]):g}" if found else base
    return f"{base}-{way}" if way else base


def is_counted(metric: object) -> bool:
    """Whether a confusion matrix determines a metric of this name."""
    name = canonical(metric)
    base, _, way = name.rpartition("-")
    return name in COUNTED or _F.fullmatch(base if way in _WAYS else name) is not None


def as_measure(
    metric: str,
    labels: Sequence[Hashable],
    *,
    positive: Hashable = None,
    costs: Any = None,
) -> Measure:
    """Return the measure of that name for these labels.

    Parameters
    ----------
    metric
        "error", "accuracy", "precision", "recall", "specificity", "false-positive-rate", "f1" (or with another beta
        "f2", "f0.5"), "jaccard", "balanced-accuracy", "informedness", "mcc", "kappa", "cost", "label-balance";
        precision, recall, F and jaccard also with "-macro", "-micro" or "-weighted".
    labels
        The labels there are.
    positive
        The class that precision, recall and the like speak of; of two labels the second, if left out.
    costs
        Of "cost": a row for each label and a column for each prediction, or a mapping from (label, prediction) to
        what that costs, 0 where it says nothing.

    Examples
    --------
    >>> as_measure("recall", ("cat", "dog", "owl"), positive="dog")
    Measure(recall, 'dog')
    >>> as_measure("cost", ("no", "yes"), costs={("yes", "no"): 10, ("no", "yes"): 1}).of([[90, 5], [1, 4]])
    np.float64(0.15)
    """
    names, name = tuple(labels), canonical(metric)
    base, _, way = name.rpartition("-")
    base, way = (base, way) if way in _WAYS else (name, "")
    beta = _F.fullmatch(base)
    if not is_counted(name):
        raise InvalidOption(_unknown(metric))
    if costs is not None and name != "cost":
        raise InvalidOption(f"costs are for metric='cost', not for {name!r}. Leave them out, or ask for the cost.")
    of_one = base in _OF_ONE_CLASS or beta is not None or name == "label-balance"
    if positive is not None and (way or not of_one):
        raise InvalidOption(f"{name} speaks of all classes: positive={positive!r} has no place in it. Leave it out.")
    place = _place(positive, names, name) if of_one and not way else None
    facts: dict[str, Any] = {"name": name, "labels": names, "positive": place, "range": (0.0, 1.0)}
    facts |= {"title": title_of(name), "higher_is_better": base not in _WORSE}
    if name == "cost":
        table = _cost_table(costs, names)
        facts |= {"range": (float(table.min()), float(table.max())), "costs": table}
        return Measure(**facts, rule=Share(table, np.ones_like(table)))
    if name in _SIGNED:
        facts["range"] = (-1 / max(len(names) - 1, 1), 1.0) if name == "informedness" else (-1.0, 1.0)
    rule = _of_all(name, len(names)) if place is None and not way else _of_classes(base, way, len(names), place, beta)
    return Measure(**facts, rule=rule)


def title_of(name: str) -> str:
    """Return what a reader gets to see of a measure's name.

    Examples
    --------
    >>> title_of("f1"), title_of("f1-macro"), title_of("mcc"), title_of("cost")
    ('F1', 'macro F1', 'MCC', 'cost per example')
    """
    base, _, way = name.rpartition("-")
    base, way = (base, way) if way in _WAYS else (name, "")
    title = _TITLES.get(base, base.upper() if _F.fullmatch(base) else base)
    return f"{way} {title}" if way else title


def _of_all(name: str, size: int) -> Rule:
    """Return what speaks of all classes at once."""
    right, every = np.eye(size), np.ones((size, size))
    recalls = tuple(class_sums("recall", size, place) for place in range(size))
    rules: dict[str, Callable[[], Rule]] = {
        "error": lambda: Share(1 - right, every),
        "accuracy": lambda: Share(right, every),
        "balanced-accuracy": lambda: Average(recalls, "labelled"),
        "informedness": lambda: Average(recalls, "labelled", size / max(size - 1, 1), -1 / max(size - 1, 1), fewest=2),
        "mcc": Matthews,
        "kappa": Kappa,
    }
    return rules[name]()


def _of_classes(base: str, way: str, size: int, place: int | None, beta: re.Match[str] | None) -> Rule:
    """Return what a class has, or the classes have on average or together."""
    if base == "label-balance":  # how much oftener the class is the label than the prediction
        one = np.arange(size) == place
        return Share(one[:, None] * 1.0 - one[None, :], np.ones((size, size)))
    name, number = ("f", float(beta[1])) if beta else (base, 1.0)
    shares = tuple(class_sums(name, size, each, number) for each in range(size))
    if way == "micro" and base in {"precision", "recall", "f1"}:  # with one label an example all are the accuracy
        return _of_all("accuracy", size)
    if way == "micro":
        return Share(sum(share.hits for share in shares), sum(share.trials for share in shares))  # type: ignore[arg-type]
    if way:
        return Average(shares, "weighted" if way == "weighted" else "all")
    return shares[place or 0]


_SIGNED = ("informedness", "mcc", "kappa", "label-balance")  # which may be below 0
_WORSE = ("error", "false-positive-rate", "cost")  # of which less is better


def _unknown(metric: object) -> str:
    near = get_close_matches(canonical(metric), [*COUNTED, *_ALIASES], 1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return (
        f"metric must be one of {', '.join(sorted({*_OF_ALL, *_OF_ONE_CLASS, 'f1'}))} (precision, recall, f1 and"
        f" jaccard also with -macro, -micro or -weighted), but is {metric!r}.{guess}"
    )


def _place(positive: Hashable, labels: tuple[Any, ...], name: str) -> int:
    """Return the place of the class that a measure speaks of."""
    listed = ", ".join(map(repr, labels))
    if positive is None:
        if len(labels) != 2:
            raise InvalidOption(
                f"{name} speaks of one class of {listed}: say which, positive=... (--positive), or take"
                " an average over the classes, such as f1-macro."
            )
        return 1
    place = place_like(positive, labels)
    if place is None:
        what = "labels in costs" if name == "cost" else "positive"
        raise InvalidOption(f"{what} must be one of {listed}, but {'one ' * (name == 'cost')}is {positive!r}.")
    return place


def place_like(label: Hashable, labels: tuple[Any, ...]) -> int | None:
    """Return the place of a label told by its value or its text, as a file or a command line has it; or None.

    Examples
    --------
    >>> place_like("1.0", (0, 1)), place_like("true", (False, True)), place_like("spam", ("ham", "egg"))
    (1, 1, None)
    """
    if label in labels:
        return labels.index(label)
    for told in (str, _loosely):
        alike = [place for place, each in enumerate(labels) if told(each) == told(label)]
        if len(alike) == 1:
            return alike[0]
    return None


def _loosely(label: Hashable) -> object:
    """Return a number for what reads as one, and a text without its capitals for anything else."""
    text = str(label).strip().casefold()
    try:
        return float(text)
    except ValueError:
        return text


def _cost_table(costs: Any, labels: tuple[Any, ...]) -> FloatArray:
    size, listed = len(labels), ", ".join(map(repr, labels))
    if costs is None:
        raise InvalidOption(
            "metric='cost' needs costs=: a row for each label and a column for each prediction, or a mapping such as"
            f" {{({labels[-1]!r}, {labels[0]!r}): 10}}."
        )
    if isinstance(costs, Mapping):
        table = np.zeros((size, size))
        for key, value in costs.items():
            if not (isinstance(key, tuple) and len(key) == 2):
                raise InvalidOption(f"costs must go by (label, prediction), but has {key!r}.")
            if np.ndim(value):
                raise InvalidOption(f"costs must be a number for each (label, prediction), but {key!r} has {value!r}.")
            table[tuple(_place(label, labels, "cost") for label in key)] = _numbers(value)
    else:
        table = _numbers(costs)
    if not np.isfinite(table).all():
        raise InvalidOption(f"costs must be finite numbers, but is {costs!r}.")
    if table.size and table.min() == table.max():
        raise InvalidOption(f"costs must differ somewhere, but all are {table.min():g}.")
    if table.shape != (size, size):
        raise InvalidOption(
            f"costs must be {size} rows of {size} numbers, for the labels {listed}, but has shape {table.shape}."
        )
    return table


def _numbers(costs: Any) -> FloatArray:
    try:
        return np.asarray(costs, dtype=float)
    except (TypeError, ValueError):
        raise InvalidOption(f"costs must be numbers, but is {costs!r}.") from None
