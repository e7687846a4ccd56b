"""The table of metrics: their names, directions, bounds and formulas.

It is the only definition of a metric in the package. Methods take losses, for which smaller is better; results report
the metric itself. A new metric of counts is one entry of `METRICS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np

from .errors import InvalidOption
from .metric_rules import Average, CellRatio, Kappa, Matthews, Rule, class_share
from .typing_ import FloatArray, IntArray, describe_choice, list_names, nearest_name

Needs = Literal["counts", "scores", "values"]
LEAST_CHANCE = float(np.finfo(float).eps)  # replaces a probability of 0, whose logarithm is infinite


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Metric:
    """A metric of a model.

    Parameters
    ----------
    name
        The canonical name: "f1", "recall-macro", "auc", "rouge".
    title
        The name in results: "error rate", "F1 (spam)", "mean rouge". Default: the name.
    higher_is_better
        The direction. Methods take `loss(value)`, for which smaller is better.
    bounds
        The smallest and the largest value; infinite if unknown.
    needs
        The data it is computed from: "counts" of label and prediction, "scores" by class, or "values" by example, split
        or data set.
    ideal
        The value with loss 0: the loss of F1 is 1 − F1. Only if higher is better.
    is_mean
        Whether it is a mean over examples, as the error rate is.
    is_comparable
        Whether it has a better direction; a label balance has none.
    is_share
        Whether it is a proportion of examples, so that intervals of one proportion apply.
    speaks_of
        For a metric of counts: "all" classes, or one "class".
    has_averages
        For a metric of counts: whether it has averages over classes ("f1-macro").
    aliases
        Other names of the metric.
    as_accuracy
        For the error rate: whether results report 1 − error, the accuracy. Fields and methods use the error rate.
    synonym
        The title of the synonym by which it was requested, such as "sensitivity" of the recall.
    rule
        For a metric of counts: a function from the number of labels and the position of the class to the formula.

    Examples
    --------
    >>> get_metric("sensitivity"), get_metric("neg_log_loss").higher_is_better
    (Metric('recall'), False)
    >>> get_metric("f1").loss(0.25)
    0.75
    """

    name: str
    title: str = ""
    higher_is_better: bool = True
    bounds: tuple[float, float] = (-np.inf, np.inf)
    needs: Needs = "values"
    ideal: float = 0.0
    is_mean: bool = False
    is_comparable: bool = True
    is_share: bool = False
    speaks_of: Literal["all", "class"] = "all"
    has_averages: bool = False
    aliases: tuple[str, ...] = field(default=(), compare=False)
    as_accuracy: bool = field(default=False, compare=False)
    synonym: str = field(default="", compare=False)
    rule: Callable[[int, int], Rule] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name)

    @property
    def is_rate(self) -> bool:
        """Whether it is the error rate."""
        return self.name == "error"

    @property
    def report_title(self) -> str:
        """The title in results: "accuracy" for an error rate that is reported as accuracy."""
        return "accuracy" if self.as_accuracy else self.title

    @property
    def short_title(self) -> str:
        """The title in results, without the class: "AUC" for "AUC (malignant)"."""
        return self.report_title.partition(" (")[0] if self.needs == "scores" else self.report_title

    def report_value(self, value: Any) -> Any:
        """Return the value as results report it.

        Examples
        --------
        >>> ERROR_AS_ACCURACY.report_value(0.25), ERROR.report_value(0.25)
        (0.75, 0.25)
        """
        return 1 - value if self.as_accuracy else value

    @property
    def report_higher_is_better(self) -> bool:
        """The direction as results report it."""
        return self.as_accuracy or self.higher_is_better

    @property
    def is_percentage(self) -> bool:
        """Whether results report it in percent, and its differences in percentage points."""
        return self.name in {"error", "accuracy"}

    @property
    def known_bounds(self) -> tuple[float, float] | None:
        """The bounds; None if neither is known."""
        return self.bounds if np.isfinite(self.bounds).any() else None

    @property
    def base(self) -> str:
        """The name without the averaging: "f1" for "f1-macro"."""
        return split_name(self.name)[0]

    @property
    def difference_bounds(self) -> tuple[float, float]:
        """The bounds of a difference of two values."""
        low, high = self.bounds
        return low - high, high - low

    @property
    def loss_bounds(self) -> tuple[float, float]:
        """The bounds of the loss."""
        low, high = self.bounds
        return (self.ideal - high, self.ideal - low) if self.higher_is_better else (low, high)

    def loss(self, value: Any) -> Any:
        """Return the value as a loss, for which smaller is better."""
        if not self.higher_is_better:
            return value
        return self.ideal - value if self.ideal else -value

    def from_loss(self, loss: Any) -> Any:
        """Return the value of a loss."""
        return self.ideal - loss if self.higher_is_better else loss

    def of_labels(
        self, labels: Sequence[Hashable], *, positive: Hashable = None, costs: Any = None, named: bool = False
    ) -> LabelMetric:
        """Return the metric of counts of these labels.

        Parameters
        ----------
        labels
            The labels.
        positive
            The positive class of precision, recall and similar metrics. Default: the second of two labels.
        costs
            For "cost": a row for each label and a column for each prediction, or a mapping from (label, prediction) to
            costs, 0 by default.
        named
            Whether the title names the class.

        Examples
        --------
        >>> get_metric("recall").of_labels(("cat", "dog", "owl"), positive="dog")
        LabelMetric('recall', 'dog')
        >>> costs = {("yes", "no"): 10, ("no", "yes"): 1}
        >>> get_metric("cost").of_labels(("no", "yes"), costs=costs).of([[90, 5], [1, 4]])
        np.float64(0.15)
        """
        names = tuple(labels)
        if self.rule is None:
            raise InvalidOption(unknown_metric(self.name, needs="counts"))
        if costs is not None and self.name != "cost":
            raise InvalidOption(f"`costs` need metric='cost', got metric={self.name!r}. Leave them out.")
        if positive is not None and self.speaks_of == "all":
            raise InvalidOption(
                f"`positive` needs a metric of one class, got metric={self.name!r} of all classes. Leave it out."
            )
        position = _class_position(positive, names, self.name) if self.speaks_of == "class" else None
        bounds, table = self.bounds, None
        rule = self.rule(len(names), position or 0)
        if self.name == "cost":
            table = _cost_table(costs, names)
            bounds, rule = (float(table.min()), float(table.max())), CellRatio(table, np.ones_like(table))
        elif self.name == "informedness":
            bounds = (-1 / max(len(names) - 1, 1), 1.0)
        facts = {name: getattr(self, name) for name in _SHARED}
        title = f"{self.title} ({names[position]})" if named and position is not None else self.title
        return LabelMetric(
            **facts | {"bounds": bounds, "title": title},
            labels=names,
            positive=position,
            costs=None if table is None else tuple(map(tuple, table.tolist())),
            bound_rule=rule,
        )

    def __repr__(self) -> str:
        return f"Metric({self.name!r})"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LabelMetric(Metric):
    """A metric of counts for given labels, computed from a confusion matrix.

    It is a smooth function of the cell proportions, with value and gradient, which the delta method needs. Arrays of
    matrices are supported.
    """

    labels: tuple[Any, ...] = ()
    positive: int | None = None  # the position of the class; None for a metric of all classes
    costs: tuple[tuple[float, ...], ...] | None = None
    bound_rule: Rule = field(compare=False)

    @property
    def of_class(self) -> str:
        """The positive class as text; empty for a metric of all classes."""
        return "" if self.positive is None else str(self.labels[self.positive])

    @property
    def short_title(self) -> str:
        """The title in results, without the class: "F1"."""
        return self.report_title.removesuffix(f" ({self.of_class})")

    def of(self, counts: Any) -> FloatArray:
        """Return its value for one matrix of counts (or proportions) or for many; NaN if it is undefined.

        Examples
        --------
        >>> get_metric("f1").of_labels(("no", "yes")).of([[50, 10], [5, 35]]).round(4)
        np.float64(0.8235)
        """
        return self.bound_rule.value(np.asarray(counts, dtype=float))

    def slopes(self, counts: Any) -> FloatArray:
        """Return the centred derivatives by the proportion of every cell: [..., label, prediction].

        Their mean, weighted by the proportions, is 0; their standard deviation divided by √n is the standard error of
        the delta method. They are 0 if the metric is undefined.

        Examples
        --------
        >>> counts = np.array([[50, 10], [5, 35]])
        >>> slopes = get_metric("accuracy").of_labels(("no", "yes")).slopes(counts)
        >>> round(float(np.sqrt((counts * slopes**2).sum()) / 100), 4)  # √(0.85·0.15/100)
        0.0357
        """
        cells = np.asarray(counts, dtype=float)
        slopes = self.bound_rule.slopes(cells)
        shares = cells / cells.sum(axis=(-2, -1), keepdims=True)
        centred: FloatArray = slopes - (shares * slopes).sum(axis=(-2, -1), keepdims=True)
        return centred

    def proportion(self, counts: Any) -> tuple[IntArray, IntArray]:
        """Return the successes and the trials of the proportion, as whole numbers.

        Examples
        --------
        >>> get_metric("precision").of_labels(("no", "yes")).proportion([[50, 10], [5, 35]])
        (np.int64(35), np.int64(45))
        """
        if not self.is_share or not isinstance(self.bound_rule, CellRatio):
            raise InvalidOption(f"the metric must be a proportion of examples, got {self.title}. Use method='delta'.")
        cells, sums = np.asarray(counts), (self.bound_rule.hits, self.bound_rule.trials)
        hits, trials = (np.einsum("...ij,ij->...", cells, weights.astype(np.int64))[()] for weights in sums)
        return hits, trials

    def named(self) -> Self:
        """Return the metric with a title that names the class: "F1 (spam)"."""
        title = self.synonym or title_of(self.name)
        return replace(self, title=f"{title} ({self.of_class})") if self.of_class else self

    def __repr__(self) -> str:
        return f"LabelMetric({self.name!r}{f', {self.of_class!r}' if self.of_class else ''})"


_SHARED = (
    "name",
    "higher_is_better",
    "needs",
    "ideal",
    "is_mean",
    "is_comparable",
    "is_share",
    "speaks_of",
    "has_averages",
    "as_accuracy",
    "synonym",
)


# --- The table ------------------------------------------------------------------------------------


def _of_all(rule: Callable[[int], Rule]) -> Callable[[int, int], Rule]:
    return lambda size, _: rule(size)


def _share_wrong(size: int) -> Rule:
    return CellRatio(1 - np.eye(size), np.ones((size, size)))


def _share_right(size: int) -> Rule:
    return CellRatio(np.eye(size), np.ones((size, size)))


def _class_recalls(size: int) -> tuple[CellRatio, ...]:
    return tuple(class_share("recall", size, position) for position in range(size))


def _informedness_rule(size: int) -> Rule:
    return Average(_class_recalls(size), "labelled", size / max(size - 1, 1), -1 / max(size - 1, 1), fewest=2)


def _label_balance(size: int, position: int) -> Rule:
    """Return the rule of P(label = class) − P(prediction = class)."""
    mark = np.arange(size) == position
    return CellRatio(mark[:, None] * 1.0 - mark[None, :], np.ones((size, size)))


def _count_metric(name: str, rule: Callable[[int, int], Rule], **facts: Any) -> Metric:
    up = facts.get("higher_is_better", True)
    bounds = facts.get("bounds", (0.0, 1.0))
    defaults = {"title": name, "bounds": bounds, "needs": "counts", "ideal": 1.0 if up and bounds == (0.0, 1.0) else 0}
    return Metric(name=name, rule=rule, **defaults | facts)


def _of_class(name: str, title: str = "", **facts: Any) -> Metric:
    return _count_metric(
        name,
        lambda size, position: class_share(name, size, position),
        **{"title": title or name, "is_share": True, "speaks_of": "class"} | facts,
    )


def _f_metric(beta: float) -> Metric:
    return _count_metric(
        f"f{beta:g}",
        lambda size, position: class_share("f", size, position, beta),
        title=f"F{beta:g}",
        speaks_of="class",
        has_averages=True,
        aliases=("f-measure", "f-score", "f1-score") if beta == 1 else (),
    )


_SIGNED: dict[str, Any] = {"bounds": (-1.0, 1.0)}
_LESS: dict[str, Any] = {"higher_is_better": False}
_TABLE = (
    _count_metric(
        "error",
        _of_all(_share_wrong),
        title="error rate",
        is_share=True,
        is_mean=True,
        **_LESS,
        aliases=(
            *("zero-one-loss", "error-rate", "err", "misclassification", "misclassification-rate"),
            "classification-error",
        ),
    ),
    _count_metric("accuracy", _of_all(_share_right), is_share=True, is_mean=True, aliases=("accuracy-score",)),
    _count_metric(
        "balanced-accuracy",
        _of_all(lambda size: Average(_class_recalls(size), "labelled")),
        title="balanced accuracy",
        aliases=("balanced-accuracy-score",),
    ),
    _count_metric("informedness", _of_all(_informedness_rule), **_SIGNED, aliases=("youden",)),
    _count_metric("mcc", _of_all(lambda _: Matthews()), title="MCC", **_SIGNED, aliases=("matthews-corrcoef",)),
    _count_metric("kappa", _of_all(lambda _: Kappa()), **_SIGNED, aliases=("cohen-kappa", "cohen-kappa-score")),
    _count_metric(  # with costs, and so bounds, from the caller
        "cost",
        _of_all(_share_wrong),
        title="cost per example",
        bounds=(-np.inf, np.inf),
        **_LESS,
        is_mean=True,
        aliases=("expected-cost",),
    ),
    _count_metric(
        "label-balance", _label_balance, title="label balance", **_SIGNED, speaks_of="class", is_comparable=False
    ),
    _of_class("precision", has_averages=True, aliases=("ppv", "positive-predictive-value", "precision-score")),
    _of_class("recall", has_averages=True, aliases=("sensitivity", "true-positive-rate", "tpr", "recall-score")),
    _of_class("specificity", aliases=("true-negative-rate", "tnr")),
    _of_class("false-positive-rate", "false positive rate", **_LESS, aliases=("fpr",)),
    _of_class("negative-predictive-value", "negative predictive value", aliases=("npv",)),
    _of_class("jaccard", "Jaccard index", has_averages=True, aliases=("iou", "jaccard-score")),
    _f_metric(1),
    Metric(
        name="auc",
        title="AUC",
        needs="scores",
        bounds=(0.0, 1.0),
        ideal=1.0,
        aliases=("roc-auc", "roc-auc-ovr", "roc-auc-score", "auroc"),
    ),
    Metric(
        name="average-precision",
        title="average precision",
        needs="scores",
        bounds=(0.0, 1.0),
        ideal=1.0,
        aliases=("average-precision-score", "ap", "auprc", "pr-auc"),
    ),
    Metric(
        name="log-loss",
        title="log loss",
        needs="scores",
        higher_is_better=False,
        bounds=(0.0, np.inf),
        is_mean=True,
        aliases=("neg-log-loss", "logloss", "cross-entropy"),
    ),
    Metric(
        name="brier",
        title="Brier score",
        needs="scores",
        higher_is_better=False,
        bounds=(0.0, np.inf),
        is_mean=True,
        aliases=("brier-score", "brier-score-loss", "neg-brier-score"),
    ),
    Metric(
        name="auc-ovo",
        title="AUC of pairs of classes",
        needs="scores",
        bounds=(0.0, 1.0),
        ideal=1.0,
        aliases=("roc-auc-ovo",),
    ),
)
METRICS = {metric.name: metric for metric in _TABLE}
ERROR = METRICS["error"]
ERROR_AS_ACCURACY = replace(ERROR, as_accuracy=True)  # for predictions, logs and experiments
LOSS = Metric(name="loss", higher_is_better=False)  # any loss
RANKED = ("auc", "average-precision")  # metrics of the order of scores
SCORED = (*RANKED, "log-loss", "brier")  # every metric that scores by class determine
_ALIASES = {alias: metric.name for metric in _TABLE for alias in metric.aliases}
# Titles of synonyms, which results use in place of the metric's own title; other aliases are spellings of one name.
_SYNONYMS = {
    "auprc": "AUPRC",
    "auroc": "AUROC",
    "cross-entropy": "cross-entropy",
    "fpr": "FPR",
    "iou": "IoU",
    "npv": "NPV",
    "positive-predictive-value": "positive predictive value",
    "ppv": "PPV",
    "pr-auc": "PR AUC",
    "sensitivity": "sensitivity",
    "tnr": "TNR",
    "tpr": "TPR",
    "true-negative-rate": "true negative rate",
    "true-positive-rate": "true positive rate",
    "youden": "Youden's J",
}
_AVERAGES = ("macro", "micro", "weighted")
_F_BETA = re.compile(r"f(?:-?beta-?)?([0-9]+(?:\.[0-9]+)?)(?:-score)?")
# The names of metrics of counts; F-beta is written with its number: f1, f2, f0.5.
COUNTED = (
    *(metric.name for metric in _TABLE if metric.needs == "counts"),
    *(f"{metric.name}-{way}" for metric in _TABLE if metric.has_averages for way in _AVERAGES),
)


# --- By name --------------------------------------------------------------------------------------


def canonical_name(metric: object) -> str:
    """Return the canonical name of a metric, from its name in scikit-learn, R or speech.

    Examples
    --------
    >>> [canonical_name(name) for name in ("Balanced_Accuracy", "f1_macro", "ppv", "F_beta2")]
    ['balanced-accuracy', 'f1-macro', 'precision', 'f2']
    >>> canonical_name("roc_auc"), canonical_name("neg_log_loss")
    ('auc', 'log-loss')
    """
    if isinstance(metric, Metric):
        return metric.name
    if not isinstance(metric, str):
        raise InvalidOption(f"`metric` must be a name, got {metric!r}. For example: metric='f1'.")
    base, way = split_name(_with_dashes(metric))
    base = _ALIASES.get(base, base)
    beta = _F_BETA.fullmatch(base)
    base = f"f{float(beta[1]):g}" if beta else base
    return f"{base}-{way}" if way else base


def _with_dashes(name: str) -> str:
    return name.strip().lower().replace("_", "-").replace(" ", "-")


def split_name(name: str) -> tuple[str, str]:
    """Return the name of a metric without its averaging, and the averaging.

    Examples
    --------
    >>> split_name("f1-macro"), split_name("log-loss")
    (('f1', 'macro'), ('log-loss', ''))
    """
    base, dash, way = name.rpartition("-")
    return (base, way) if dash and way in _AVERAGES else (name, "")


def find_metric(name: object) -> Metric | None:
    """Return the metric of this name, with the title of a synonym if it is one; None if it is unknown.

    Examples
    --------
    >>> find_metric("recall").title, find_metric("Sensitivity").title, find_metric("ppv_macro").title
    ('recall', 'sensitivity', 'macro PPV')
    """
    metric = _find_canonical(canonical_name(name))
    if metric is None or not isinstance(name, str):
        return metric
    base, way = split_name(_with_dashes(name))
    if base not in _SYNONYMS:
        return metric
    title = f"{way} {_SYNONYMS[base]}".strip()
    return replace(metric, title=title, synonym=title)


def _find_canonical(name: str) -> Metric | None:
    base, way = split_name(name)
    metric = METRICS.get(base)
    if metric is None and _F_BETA.fullmatch(base):
        metric = _f_metric(float(base[1:]))
    if metric is None or not way:
        return metric
    return _average_of(metric, way) if metric.has_averages else None


def _average_of(metric: Metric, way: str) -> Metric:
    """Return the average of a metric over the classes: "macro", "weighted" or "micro"."""
    one_label_per_example = way == "micro" and metric.name in {"precision", "recall", "f1"}  # all equal the accuracy

    def rule(size: int, _: int) -> Rule:
        if one_label_per_example:
            return _share_right(size)
        shares: Any = tuple(metric.rule(size, position) for position in range(size))  # type: ignore[misc]
        if way == "micro":
            return CellRatio(sum(share.hits for share in shares), sum(share.trials for share in shares))
        return Average(shares, "weighted" if way == "weighted" else "all")

    facts: dict[str, Any] = {"speaks_of": "all", "has_averages": False, "is_share": one_label_per_example, "rule": rule}
    return replace(metric, name=f"{metric.name}-{way}", title=f"{way} {metric.title}", **facts)


def get_metric(name: object) -> Metric:
    """Return the metric of this name; raise InvalidOption if it is unknown.

    Examples
    --------
    >>> get_metric("f2"), get_metric("matthews_corrcoef").title
    (Metric('f2'), 'MCC')
    """
    metric = find_metric(name)
    if metric is None:
        raise InvalidOption(unknown_metric(name))
    return metric


def title_of(name: str) -> str:
    """Return the title of the metric of this name; the name itself if it is unknown.

    Examples
    --------
    >>> title_of("f1"), title_of("f1-macro"), title_of("mcc"), title_of("cost"), title_of("rouge")
    ('F1', 'macro F1', 'MCC', 'cost per example', 'rouge')
    """
    metric = _find_canonical(name)
    return name if metric is None else metric.title


def is_counted(name: object) -> bool:
    """Return whether the metric of this name is computed from a confusion matrix."""
    metric = find_metric(name)
    return metric is not None and metric.needs == "counts"


def is_scored(name: object) -> bool:
    """Return whether the metric of this name needs scores by class."""
    return canonical_name(name) in SCORED


def unknown_metric(name: object, *, needs: Needs | None = None) -> str:
    """Return the message that a metric is unknown, with the nearest name or where all are listed.

    Examples
    --------
    >>> unknown_metric("recal")
    "unknown `metric` 'recal'. Did you mean 'recall'?"
    """
    names = [*COUNTED, *(() if needs == "counts" else SCORED)]
    canonical = canonical_name(name)
    near = nearest_name(canonical, [*names, *_ALIASES], 0.6)
    if needs == "counts" and _find_canonical(canonical) is not None:
        return f"`metric` must be for labels, got {name!r}, which needs scores. Use metric='f1', for example."
    if near:
        return f"unknown `metric` {name!r}. Did you mean {near!r}?"
    usual = ("accuracy", "error", "f1", "recall", *(("precision", "mcc") if needs == "counts" else ("auc", "log-loss")))
    return f"unknown `metric` {name!r}. Use one of {list_names(usual)}, or another of docs/reference/command-line.md."


# --- Metrics by name only ---------------------------------------------------------------

# Prefixes of names of scores from 0 to 1 for which higher is better.
_SHARES = (
    *("f1", "precision", "recall", "balanced_accuracy", "roc_auc", "average_precision", "jaccard"),
    "top_k_accuracy",
)


def is_share(name: str) -> bool:
    """Return whether a score of this name is from 0 to 1 with higher values better: "recall_at_5", "f1_macro".

    Examples
    --------
    >>> is_share("roc_auc_ovr_weighted"), is_share("r2")
    (True, False)
    """
    return name.startswith(_SHARES)


# Words in the name of a metric that determine its direction.
_LOW_WORDS = frozenset(
    (
        *("error", "errors", "err", "misclassification", "loss", "logloss", "brier", "nll", "ece", "crps", "deviance"),
        *("rmse", "mse", "mae", "mape", "smape", "rmsle", "msle", "perplexity", "ppl", "wer", "cer", "fid"),
        *("regret", "cost", "risk", "seconds", "time", "latency", "rank"),
    )
)
_HIGH_WORDS = frozenset(
    (
        *("accuracy", "acc", "auc", "auroc", "auprc", "f1", "precision", "recall", "mcc", "kappa", "iou", "r2"),
        *("ndcg", "map", "mrr", "bleu", "rouge", "likelihood", "gain", "utility", "reward"),
        *("correlation", "spearman", "pearson"),
    )
)


def direction_of(name: str) -> bool | None:
    """Return whether higher is better, judged by the name of a metric; None if the name does not determine it.

    Examples
    --------
    >>> direction_of("auc"), direction_of("val_rmse"), direction_of("sparkle")
    (True, False, None)
    """
    canonical = canonical_name(name)
    metric = _find_canonical(canonical)
    if metric is not None:
        return metric.higher_is_better if metric.is_comparable else None
    words = set(re.split(r"[\W_]+", canonical))
    low, high = not words.isdisjoint(_LOW_WORDS), not words.isdisjoint(_HIGH_WORDS)
    return None if low == high else high


# --- Labels ---------------------------------------------------------------------------------------


def _class_position(positive: Hashable, labels: tuple[Any, ...], name: str) -> int:
    """Return the position of the positive class."""
    if positive is None:
        if len(labels) != 2:
            raise InvalidOption(
                f"`positive` is required by {name} with {len(labels)} classes. Use one of {list_names(labels)}, or an"
                " average"
                f" such as metric='f1-macro'."
            )
        return 1
    position = find_label(positive, labels)
    if position is None:
        raise InvalidOption(describe_choice("labels in `costs`" if name == "cost" else "positive", positive, labels))
    return position


def find_label(label: Hashable, labels: tuple[Any, ...]) -> int | None:
    """Return the position of a label from its value or its text (as in files and options); None if there is none.

    Examples
    --------
    >>> find_label("1.0", (0, 1)), find_label("true", (False, True)), find_label("spam", ("ham", "egg"))
    (1, 1, None)
    """
    if label in labels:
        return labels.index(label)
    for reading in (str, _read_loosely):
        alike = [position for position, candidate in enumerate(labels) if reading(candidate) == reading(label)]
        if len(alike) == 1:
            return alike[0]
    return None


def _read_loosely(label: Hashable) -> object:
    """Return a number if the text is one, else the text in lower case."""
    text = str(label).strip().casefold()
    try:
        return float(text)
    except ValueError:
        return text


def _cost_table(costs: Any, labels: tuple[Any, ...]) -> FloatArray:
    size = len(labels)
    if costs is None:
        raise InvalidOption(
            "`costs` are required with metric='cost'. Use a mapping from (label, prediction), such as"
            f" {{({labels[-1]!r}, {labels[0]!r}): 10}}, or a row for each label."
        )
    if isinstance(costs, Mapping):
        table = np.zeros((size, size))
        for key, value in costs.items():
            if not (isinstance(key, tuple) and len(key) == 2):
                raise InvalidOption(f"keys of `costs` must be (label, prediction), got {key!r}.")
            if np.ndim(value):
                raise InvalidOption(
                    f"`costs` must be one number for each (label, prediction), got {value!r} for {key!r}."
                )
            table[tuple(_class_position(label, labels, "cost") for label in key)] = _as_numbers(value)
    else:
        table = _as_numbers(costs)
    if not np.isfinite(table).all():
        raise InvalidOption(f"`costs` must be finite numbers, got {costs!r}.")
    if table.size and table.min() == table.max():
        raise InvalidOption(f"`costs` must not all be equal, got {table.min():g} for all.")
    if table.shape != (size, size):
        raise InvalidOption(
            f"`costs` must be {size} rows of {size} numbers for the labels {list_names(labels)}, got shape"
            f" {table.shape}."
        )
    return table


def _as_numbers(costs: Any) -> FloatArray:
    try:
        return np.asarray(costs, dtype=float)
    except (TypeError, ValueError):
        raise InvalidOption(f"`costs` must be numbers, got {costs!r}.") from None
