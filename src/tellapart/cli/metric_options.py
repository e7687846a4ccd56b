"""`--metric`, `--positive` and `--costs`: the metric and its class."""

from __future__ import annotations

import csv
import errno
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidInput, InvalidOption
from .help_pages import COUNTS, STATISTICS, grouped_option
from .parameters import as_count, build_counts

if TYPE_CHECKING:
    from ..evidence import ConfusionMatrix, PairedConfusion

CLASSES = ("negative", "positive")  # names of the classes of counts


def _complete_metrics(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the names of metrics."""
    from ..metrics import COUNTED, SCORED

    return [name for name in sorted((*COUNTED, *SCORED)) if name.startswith(incomplete)]


METRIC = grouped_option(
    "--metric",
    metavar="NAME",
    shell_complete=_complete_metrics,
    section=STATISTICS,
    help="accuracy, error, f1, auc, log-loss, ... [by input]",
)
POSITIVE = grouped_option(
    "--positive", metavar="LABEL", section=STATISTICS, rare=True, help="Positive class of precision, recall, F1, AUC."
)
COSTS = grouped_option(
    "--costs",
    metavar="COSTS",
    section=STATISTICS,
    rare=True,
    help="Cost of each mistake: 'ill>well=10,well>ill=1', or a CSV file with a row per label.",
)


def of_metric(command: Any) -> Any:
    """Add the options of the metric."""
    return METRIC(POSITIVE(COSTS(command)))


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRequest:
    """The requested metric, with its class and costs."""

    metric: str
    positive: str | None = None
    costs: dict[tuple[str, str], float] | None = None

    @property
    def of_scores(self) -> bool:
        """Whether the metric needs class scores instead of labels."""
        from ..metrics import is_scored

        return is_scored(self.metric)

    @property
    def options(self) -> dict[str, Any]:
        """The keywords of the verbs."""
        return {"metric": self.metric, "positive": self.positive, "costs": self.costs}


def resolve_metric(metric: str | None, positive: str | None, costs: str | None) -> MetricRequest | None:
    """Return the requested metric; None for the error rate.

    Examples
    --------
    >>> resolve_metric("f1", "spam", None)
    MetricRequest(metric='f1', positive='spam', costs=None)
    >>> resolve_metric(None, None, "ill>well=10").metric
    'cost'
    """
    if metric is None and costs is None:
        if positive is not None:
            raise InvalidOption("`--positive` needs a metric of one class, such as --metric recall.")
        return None
    from ..metrics import canonical_name, is_counted, is_scored, unknown_metric

    if metric is not None and positive is None and costs is None and canonical_name(metric) == "error":
        return None
    if metric is not None and not (is_counted(metric) or is_scored(metric)):
        raise InvalidOption(unknown_metric(canonical_name(metric)))
    if costs is None and metric is not None and canonical_name(metric) == "cost":
        raise InvalidOption("`--costs` is required with --metric cost. For example --costs 'ill>well=10'.")
    table = None if costs is None else as_costs(costs)
    return MetricRequest(metric="cost" if metric is None else metric, positive=positive, costs=table)


def named_rate(metric: str | None, *, counts: bool = False) -> dict[str, Any]:
    """Return the error rate as a keyword of the verbs if it was requested by name; for counts also the accuracy.

    Examples
    --------
    >>> named_rate("error_rate"), named_rate("accuracy", counts=True), named_rate("accuracy"), named_rate(None)
    ({'metric': 'error'}, {'metric': 'accuracy'}, {}, {})
    """
    from ..metrics import canonical_name

    name = "" if metric is None else canonical_name(metric)
    return {"metric": name} if name == "error" or (counts and name == "accuracy") else {}


def of_class(positive: str | None, costs: str | None) -> dict[str, Any]:
    """Return the class and the costs as keywords of the verbs."""
    options = {"positive": positive, "costs": None if costs is None else as_costs(costs)}
    return {name: value for name, value in options.items() if value is not None}


def refuse_class(positive: str | None, costs: str | None) -> None:
    """Raise InvalidOption for a class or costs with values of examples."""
    if positive is not None or costs is not None:
        name = "positive" if positive is not None else "costs"
        raise InvalidOption(f"`--{name}` must be left out for logs and with --scores; it needs labels.")


def as_costs(text: str) -> dict[tuple[str, str], float]:
    """Return the cost of each label and prediction, from a text or a CSV file.

    Examples
    --------
    >>> as_costs("ill>well=10, well>ill=1")
    {('ill', 'well'): 10.0, ('well', 'ill'): 1.0}
    """
    if ">" not in text or os.path.exists(text):  # noqa: PTH110  # a text may be no name for a file
        return _costs_in(Path(text))
    costs: dict[tuple[str, str], float] = {}
    try:
        parts = next(csv.reader([text], skipinitialspace=True))
    except csv.Error:
        raise InvalidOption(f"`--costs` must be on one line, got {text!r}.") from None
    for entry in parts:
        names, equals, cost = entry.rpartition("=")
        label, arrow, prediction = (word.strip() for word in names.partition(">"))
        if not (equals and arrow and label and prediction):
            raise InvalidOption(f"`--costs` must be LABEL>PREDICTION=COST, such as 'ill>well=10', got {entry!r}.")
        if (label, prediction) in costs:
            raise InvalidOption(
                f"`--costs` must have each mistake once, got {label!r} predicted as {prediction!r} twice."
            )
        costs[label, prediction] = _parse_cost(cost, entry)
    return costs


def _costs_in(file: Path) -> dict[tuple[str, str], float]:
    """Return the costs in a CSV file: predictions in the first row, labels in the first column."""
    try:
        if file.exists() and not file.is_file():  # a device may be endless
            raise OSError(errno.EINVAL, "not a regular file")
        lines = list(csv.reader(file.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "not a table of UTF-8 text"
        raise InvalidInput(
            f"`--costs` must be a file or LABEL>PREDICTION=COST, such as 'ill>well=10', got {str(file)!r} ({why})."
        ) from None
    rows = [[cell.strip() for cell in line] for line in lines if any(cell.strip() for cell in line)]
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows) or len(rows[0]) < 2:
        raise InvalidInput(f"`--costs` must be a table with a column per prediction and a row per label, got {file}.")
    _, *predictions = rows[0]
    labels = [row[0] for row in rows[1:]]
    for names in (predictions, labels):
        often = [name for name in names if names.count(name) > 1]
        if often:
            raise InvalidInput(f"`--costs` must name each label once, got {often[0]!r} twice in {file}.")
    return {
        (label, prediction): _parse_cost(cell, f"{cell!r} in {file}")
        for label, (_, *cells) in zip(labels, rows[1:], strict=True)
        for prediction, cell in zip(predictions, cells, strict=True)
    }


def _parse_cost(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidOption(f"`--costs` must be numbers, got {where}.") from None


# --- Counts alone -------------------------------------------------------------------------------------

CONFUSION = grouped_option(
    "--confusion",
    type=as_count,
    nargs=4,
    metavar="TP FN FP TN",
    section=COUNTS,
    help="True positives, false negatives, false positives, true negatives.",
)
PAIRED_CONFUSION = grouped_option(
    "--paired-confusion",
    type=as_count,
    nargs=8,
    metavar="N...",
    section=COUNTS,
    rare=True,
    help="Positive examples that both, only A, only B and neither call positive; then the same for negative examples.",
)


def confusion_from_counts(counts: tuple[float, ...]) -> tuple[ConfusionMatrix, str]:
    """Return the confusion matrix of four counts (TP, FN, FP, TN), and its Python expression.

    Examples
    --------
    >>> confusion_from_counts((35, 5, 10, 50))[1]
    "ta.ConfusionMatrix([[50, 10], [5, 35]], ('negative', 'positive'))"
    """
    from ..evidence import ConfusionMatrix

    hits, missed, false, rest = counts
    cells = [[rest, false], [missed, hits]]
    return build_counts(ConfusionMatrix, (cells, CLASSES), "--confusion"), f"ta.ConfusionMatrix({cells}, {CLASSES})"


def paired_confusion_from_counts(counts: tuple[float, ...]) -> tuple[PairedConfusion, str]:
    """Return the paired confusion of eight counts, and its Python expression.

    Examples
    --------
    >>> both, _ = paired_confusion_from_counts((30, 5, 2, 3, 4, 6, 1, 49))
    >>> both.by("recall").levels.tolist()
    [0.875, 0.8]
    """
    from ..evidence import PairedConfusion

    sides = [[[neither, b], [a, both]] for both, a, b, neither in (counts[4:], counts[:4])]
    evidence = build_counts(PairedConfusion, (sides, CLASSES), "--paired-confusion")
    return evidence, f"ta.PairedConfusion({sides}, {CLASSES})"
