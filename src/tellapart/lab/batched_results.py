"""Results of a method computed in batches, with a progress bar if they take long."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from ..results import Interval, MeanRanks, Pairs, TestResult

_FIRST = 32  # entries of the first batch, which shows how long one takes
_LONG = 3.0  # seconds after which a progress bar is worth showing
_OF_TESTS = ("statistic", "pvalue", "rejects", "chooses", "estimate")


def joined(answers: list[Any], together: Callable[..., Any] = np.stack) -> Any:
    """Return the results of single entries (or of batches, with `np.concatenate`) as one."""
    first = answers[0]

    def all_of(name: str) -> Any:
        return together([np.asarray(getattr(result, name)) for result in answers])

    if isinstance(first, TestResult):
        return TestResult(**{name: all_of(name) for name in _OF_TESTS if getattr(first, name) is not None})
    if isinstance(first, Interval):
        return replace(first, low=all_of("low"), high=all_of("high"))
    if isinstance(first, Pairs):
        limits = joined([result.interval for result in answers], together)
        fields = {name: all_of(name) for name in ("statistic", "pvalue")}
        return Pairs(**fields, critical=first.critical, interval=limits)
    if isinstance(first, MeanRanks):
        return replace(first, **{name: all_of(name) for name in ("ranks", "statistic", "pvalue")})
    return together([np.asarray(result) for result in answers])


def seen(progress: bool | None) -> bool:
    """Return whether to show a progress bar; by default, on a terminal only."""
    return sys.stderr.isatty() if progress is None else bool(progress)


def patiently(function: Callable[[Any], Any], evidence: Any, what: str, progress: bool | None) -> Any:
    """Return the results of all entries, computed in batches with a progress bar if they take long."""
    if not seen(progress) or evidence.shape[0] <= _FIRST:
        return function(evidence)
    number = evidence.shape[0]
    began = perf_counter()
    batches = [function(evidence[:_FIRST])]
    seconds = (perf_counter() - began) / _FIRST
    if seconds * number < _LONG:
        return joined([*batches, function(evidence[_FIRST:])], np.concatenate)
    from ..running.progress import progress_bar

    with progress_bar(f"outcomes, {what}", number, _FIRST, progress) as advance:
        done = _FIRST
        while done < number:
            began, batch = (
                perf_counter(),
                evidence[done : done + max(_FIRST, int(1 / seconds))],
            )  # about a second's work
            batches.append(function(batch))
            done += batch.shape[0]
            seconds = (perf_counter() - began) / batch.shape[0]
            advance(batch.shape[0])
    return joined(batches, np.concatenate)
