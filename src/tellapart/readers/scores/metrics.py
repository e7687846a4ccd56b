"""What scores are of: which way is better, and between what they lie."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...metrics import canonical_name, direction_of, find_metric
from ...typing_ import FloatArray

_ASIDE = frozenset(  # what stands beside the scores of a long table, and is none
    ("time", "seconds", "latency", "rank", "std", "sd", "se", "stderr", "var", "ci", "low", "high", "train")
)


def is_metric(name: str) -> bool:
    """Whether a column of this name holds values of a metric.

    Examples
    --------
    >>> is_metric("test_accuracy"), is_metric("nb"), is_metric("fit_time")
    (True, False, False)
    """
    return _ASIDE.isdisjoint(_words(name)) and direction_of(_plain(name)) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A metric: its name, which way is better, and whether values are to be turned, as scikit-learn's neg_… are."""

    name: str = "score"
    higher_is_better: bool = True
    turned: bool = False

    @classmethod
    def of(cls, metric: Any, *, higher_is_better: bool | None = None) -> Scale:
        """Return what a metric of this name is, or raise InvalidOption if its name contradicts the direction.

        Examples
        --------
        >>> Scale.of("RMSE").higher_is_better, Scale.of("roc_auc"), Scale.of("neg_log_loss").turned
        (False, Scale(name='auc', higher_is_better=True, turned=False), True)
        """
        if metric is None:
            return cls(higher_is_better=higher_is_better is not False)
        if not isinstance(metric, str) or not metric.strip():
            raise InvalidOption(f"metric must be a name, such as 'accuracy', but is {metric!r}.")
        turned = _dashed(metric).startswith("neg-")
        text = re.sub(r"(?i)^\s*neg[_\- ]", "", metric).strip() if turned else metric.strip()
        name = _plain(text)
        known = direction_of(name)
        direction = True if turned else known
        if None not in (direction, higher_is_better) and direction != higher_is_better:
            option = "higher_is_better=True" if higher_is_better else "higher_is_better=False (--lower-is-better)"
            raise InvalidOption(
                f"{option} contradicts metric {metric!r}, of which {'more' if direction else 'less'} is better."
                " Leave one of them out."
            )
        if turned and known is not False:
            return cls(name=metric.strip())
        higher = higher_is_better is not False if known is None else known
        return cls(name=_called(text, name), higher_is_better=higher, turned=turned)

    def applied(self, scores: FloatArray) -> FloatArray:
        """Return the scores as the metric has them: neg_log_loss as log loss, which is 0 or more."""
        if not self.turned:
            return scores
        if np.nanmax(scores, initial=-np.inf) > 0:
            raise InvalidEvidence(
                f"metric 'neg_{self.name}' is never above 0, but a score is {np.nanmax(scores):g}. If the sign was"
                f" turned already, say metric={self.name!r}."
            )
        return -scores + 0.0

    def named(self, scores: FloatArray) -> str:
        """Return the name for these scores: an error that is told in percent is no share."""
        beyond = self.name == "error" and np.nanmax(scores, initial=0.0) > 1
        return "error in percent" if beyond and np.nanmax(scores) <= 100 else self.name

    def bounds(self, scores: FloatArray) -> tuple[float, float] | None:
        """Return between what the scores lie, as far as the name of the metric tells: of percentages, 0 to 100."""
        ends = _range(_plain(self.name))
        if ends is None or (low := np.nanmin(scores, initial=ends[1])) < ends[0]:
            return None
        most = np.nanmax(scores, initial=low)
        if most <= ends[1]:
            return ends if self.name != "error" else None  # which says so itself
        return (0.0, 100.0) if ends == (0.0, 1.0) and most <= 100 else None


def _dashed(name: str) -> str:
    return name.strip().lower().replace("_", "-").replace(" ", "-")


def _words(name: str) -> set[str]:
    return set(re.split(r"[\W_]+", name.lower()))


def _plain(name: str) -> str:
    """Return the name that a metric goes by here, without what else a column of it may be called."""
    text = _dashed(name).removeprefix("test-").removeprefix("mean-test-").removeprefix("mean-")
    return canonical_name(text)


def _range(name: str) -> tuple[float, float] | None:
    metric = find_metric(name)
    if metric is None or not np.isfinite(metric.bounds).all() or direction_of(name) is None:
        return None
    return metric.bounds


def _called(text: str, name: str) -> str:
    """Return what the table calls it: by the name that is known here, else as it was written."""
    known = find_metric(name) is not None
    return name.replace("-", "_") if known else text
