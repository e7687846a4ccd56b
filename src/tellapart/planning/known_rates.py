"""What is known before the data are there: error rates, how often two disagree, or a pilot that shows it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorCount, IndependentCounts, PairedTable
from ..methods import find_method
from .wanted import Wanted

_SURE = 0.05  # a pilot's disagreement is planned for at this limit, too
_ROUNDING = 1e-9  # 0.1 − 0.09 is not 0.01 to the last digit


class Errors(NamedTuple):
    """The error rates of A and B, as far as they are given, or what both err on average."""

    a: float | None = None
    b: float | None = None
    mean: float | None = None

    @property
    def given(self) -> bool:
        """Whether any is."""
        return any(value is not None for value in self)

    @property
    def difference(self) -> float | None:
        """What two error rates say of the difference."""
        return None if self.a is None or self.b is None else round(self.a - self.b, 15)

    def both(self, difference: float | None) -> tuple[float, float]:
        """Return both error rates; the difference makes two of one.

        Examples
        --------
        >>> Errors(mean=0.5).both(0.25)
        (0.625, 0.375)
        """
        a, b, step = self.a, self.b, difference
        if step is not None and self.mean is not None:
            a, b = self.mean + step / 2, self.mean - step / 2
        elif step is not None:
            a, b = a if a is not None or b is None else b + step, b if b is not None or a is None else a - step
        if a is None or b is None:
            raise InvalidOption("two error rates are needed: write error_a=0.10, error_b=0.09, or difference= and one.")
        for name, value in (("A", a), ("B", b)):
            if not -_ROUNDING <= value <= 1 + _ROUNDING:
                raise InvalidOption(
                    f"the error rate of {name} must be between 0 and 1, but would be {value:.6g}. Write another"
                    " difference=."
                )
        return min(max(a, 0.0), 1.0), min(max(b, 0.0), 1.0)


class Guess(NamedTuple):
    """A disagreement to plan for, and what is assumed by it."""

    disagreement: float
    assuming: str = ""


class Known(NamedTuple):
    """The disagreement that is planned for, others to show beside it, and what is to be said of them."""

    first: Guess
    others: tuple[Guess, ...] = ()
    notes: tuple[str, ...] = ()


class KnownErrors(NamedTuple):
    """The same of the error rates of two classifiers on a test set each."""

    first: Errors
    others: tuple[tuple[str, Errors], ...] = ()
    notes: tuple[str, ...] = ()


def disagreements(wanted: Wanted, table: PairedTable | None, disagreement: float | None, errors: Errors) -> Known:
    """Return how often two classifiers may disagree, by what is known of them."""
    if table is not None:
        if disagreement is not None or errors.given:
            raise InvalidOption(
                "a pilot says how often the two disagree. Leave it out, or leave disagreement= and error rates out."
            )
        return _of_pilot(table)
    if disagreement is not None:
        if errors.given and (wanted.difference is not None or errors.difference is not None):
            _within(disagreement, *errors.both(wanted.difference))
        return Known(Guess(disagreement))
    if not errors.given:
        raise InvalidOption(
            "how often the two disagree has to be known: write disagreement=0.06 (the share of examples that only one"
            " of them gets right), error rates (error_a=0.10, error_b=0.09), or give a pilot: a PairedTable, or"
            " predictions of two models."
        )
    return _of_errors(errors, wanted.difference)


def errors_of_pilot(counts: IndependentCounts, errors: Errors) -> KnownErrors:
    """Return how often two classifiers err on average, by a pilot; the difference that it shows is not looked at."""
    if counts.shape:
        raise InvalidOption(f"a pilot is one pair of counts, but this holds {counts.a.errors.size}. Plan for one.")
    if errors.given:
        raise InvalidOption("a pilot says how often the two err. Leave it out, or leave the error rates out.")
    pooled = ErrorCount(int(counts.a.errors + counts.b.errors), int(counts.a.trials + counts.b.trials))
    upper = _upper(pooled)
    if not pooled.errors:
        note = f"The pilot shows no error ({pooled.describe()}); planned is for the most it leaves possible (95 %)."
        return KnownErrors(Errors(mean=upper), notes=(note,))
    note = (
        f"How often the two err is taken from a pilot ({pooled.describe()}, of both together); the difference that it"
        " shows is not looked at."
    )
    most = f"at the pilot's 95 % upper limit of the error rate ({100 * upper:.3g} %)", Errors(mean=upper)
    return KnownErrors(Errors(mean=float(pooled.rate)), (most,), (note,))


def _upper(count: ErrorCount) -> float:
    bound = find_method("clopper-pearson", "interval", ErrorCount)
    return float(bound(count, alpha=_SURE, side="upper").high)


def _of_pilot(table: PairedTable) -> Known:
    if table.shape:
        raise InvalidOption(f"a pilot is one table, but this holds {table.both_wrong.size}. Plan for one of them.")
    apart, examples = int(table.disagreements), int(table.examples)
    upper = _upper(ErrorCount(apart, examples))
    seen = f"{apart:,} of {examples:,} example{'s' * (examples != 1)}"
    if not apart:
        return Known(
            Guess(upper),
            notes=(f"The pilot shows no disagreement ({seen}); planned is for the most it leaves possible (95 %).",),
        )
    note = (
        f"How often the two disagree is taken from a pilot ({seen}), which leaves up to {100 * upper:.3g} % possible"
        " (95 %); the difference that it shows is not looked at."
    )
    most = Guess(upper, f"at the pilot's 95 % upper limit of the disagreement ({100 * upper:.3g} %)")
    return Known(Guess(apart / examples), (most,), (note,))


def _of_errors(errors: Errors, difference: float | None) -> Known:
    """Return the range that two error rates leave: at most the errors never coincide, at least all that can do."""
    if difference is None and errors.mean is not None:
        guesses = [(2 * min(errors.mean, 1 - errors.mean), ""), (2 * errors.mean * (1 - errors.mean), _INDEPENDENT)]
    else:
        a, b = errors.both(difference)
        least = "if they disagreed as little as they can"
        guesses = [(_most(a, b), ""), (a * (1 - b) + b * (1 - a), _INDEPENDENT), (abs(a - b), least)]
    first, *others = (Guess(value, f"{text} (disagreement {100 * value:.4g} %)") for value, text in guesses)
    note = (
        "Error rates do not say how often the two disagree; planned is for the most they can. A pilot, or"
        " disagreement=, may save most of it."
    )
    return Known(first, tuple(others), (note,))


_INDEPENDENT = "if their errors were independent"


def _most(a: float, b: float) -> float:
    return a + b - 2 * max(0.0, a + b - 1)


def _within(disagreement: float, a: float, b: float) -> None:
    if not abs(a - b) - _ROUNDING <= disagreement <= _most(a, b) + _ROUNDING:
        raise InvalidOption(
            f"disagreement must be from {abs(a - b):.4g} to {_most(a, b):.4g} with these error rates, but is"
            f" {disagreement:g}. Leave it or the error rates out."
        )


def as_rate(name: str, value: Any) -> float:
    """Return a rate, or say what one is."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not (number and 0 <= value <= 1):  # NaN fails this, too
        raise InvalidOption(f"{name} must be a rate between 0 and 1, but is {value!r}. For one percent write 0.01.")
    return float(value)
