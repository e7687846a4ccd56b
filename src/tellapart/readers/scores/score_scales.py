"""The metric of scores: its direction and its range."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...metrics import canonical_name, direction_of, find_metric
from ...typing_ import FloatArray

_NOT_SCORES = frozenset(  # columns of numbers in a long table that are not scores
    ("time", "seconds", "latency", "rank", "std", "sd", "se", "stderr", "var", "ci", "low", "high", "train")
)


def is_metric(name: str) -> bool:
    """Whether a column of this name holds values of a metric.

    Examples
    --------
    >>> is_metric("test_accuracy"), is_metric("nb"), is_metric("fit_time")
    (True, False, False)
    """
    return _NOT_SCORES.isdisjoint(_split_words(name)) and direction_of(_canonical_name(name)) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreScale:
    """A metric: its name, its direction, and whether its sign has to be changed, as for scikit-learn's neg_…."""

    name: str = "score"
    higher_is_better: bool = True
    turned: bool = False

    @classmethod
    def of(cls, metric: Any, *, higher_is_better: bool | None = None) -> ScoreScale:
        """Return the metric with this name; raise InvalidOption if its name contradicts the direction.

        Examples
        --------
        >>> ScoreScale.of("RMSE").higher_is_better, ScoreScale.of("roc_auc"), ScoreScale.of("neg_log_loss").turned
        (False, ScoreScale(name='auc', higher_is_better=True, turned=False), True)
        """
        if metric is None:
            return cls(higher_is_better=higher_is_better is not False)
        if not isinstance(metric, str) or not metric.strip():
            raise InvalidOption(f"`metric` must be a name, such as 'accuracy', got {metric!r}.")
        turned = _with_dashes(metric).startswith("neg-")
        text = re.sub(r"(?i)^\s*neg[_\- ]", "", metric).strip() if turned else metric.strip()
        name = _canonical_name(text)
        known_direction = direction_of(name)
        direction = True if turned else known_direction
        if None not in (direction, higher_is_better) and direction != higher_is_better:
            raise InvalidOption(
                f"`higher_is_better` must be left out for metric {metric!r}, for which"
                f" {'higher' if direction else 'lower'} is better, or leave `metric` out."
            )
        if turned and known_direction is not False:
            return cls(name=metric.strip())
        higher = higher_is_better is not False if known_direction is None else known_direction
        return cls(name=_name_in_table(text, name), higher_is_better=higher, turned=turned)

    def applied(self, scores: FloatArray) -> FloatArray:
        """Return the scores with the sign of the metric: neg_log_loss as log loss, which is 0 or more."""
        if not self.turned:
            return scores
        if np.nanmax(scores, initial=-np.inf) > 0:
            raise InvalidEvidence(
                f"scores of 'neg_{self.name}' must be 0 or less, got {np.nanmax(scores):g}. If the sign was changed"
                f" already, use metric={self.name!r}."
            )
        return -scores + 0.0

    def named(self, scores: FloatArray) -> str:
        """Return the name for these scores: an error in percent is not a rate between 0 and 1."""
        beyond = self.name == "error" and np.nanmax(scores, initial=0.0) > 1
        return "error in percent" if beyond and np.nanmax(scores) <= 100 else self.name

    def bounds(self, scores: FloatArray) -> tuple[float, float] | None:
        """Return the range of the metric if known; for percentages 0 to 100."""
        ends = _range_of(_canonical_name(self.name))
        if ends is None or (low := np.nanmin(scores, initial=ends[1])) < ends[0]:
            return None
        most = np.nanmax(scores, initial=low)
        if most <= ends[1]:
            return ends if self.name != "error" else None  # an error rate has its range anyway
        return (0.0, 100.0) if ends == (0.0, 1.0) and most <= 100 else None


def _with_dashes(name: str) -> str:
    return name.strip().lower().replace("_", "-").replace(" ", "-")


def _split_words(name: str) -> set[str]:
    return set(re.split(r"[\W_]+", name.lower()))


def _canonical_name(name: str) -> str:
    """Return the canonical name of a metric, without the prefixes of column names."""
    text = _with_dashes(name).removeprefix("test-").removeprefix("mean-test-").removeprefix("mean-")
    return canonical_name(text)


def _range_of(name: str) -> tuple[float, float] | None:
    metric = find_metric(name)
    if metric is None or not np.isfinite(metric.bounds).all() or direction_of(name) is None:
        return None
    return metric.bounds


def _name_in_table(text: str, name: str) -> str:
    """Return the canonical name of a known metric, else the name as written."""
    is_known = find_metric(name) is not None
    return name.replace("-", "_") if is_known else text
