"""Rates that a plan assumes: error rates, the discordant rate, or those of a pilot."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorCount, IndependentCounts, PairedTable
from ..figures import count_text
from ..methods import find_method
from ..typing_ import show_value
from .plan_target import PlanTarget

_PILOT_ALPHA = 0.05  # alternative: the 95% upper limit of a pilot's rate
_ROUNDING = 1e-9  # 0.1 − 0.09 differs from 0.01 in the last digit


class Errors(NamedTuple):
    """The known error rates of A and B, or their mean."""

    a: float | None = None
    b: float | None = None
    mean: float | None = None

    @property
    def known(self) -> bool:
        """Whether any rate is known."""
        return any(value is not None for value in self)

    @property
    def difference(self) -> float | None:
        """Difference of the two error rates, if both are known."""
        return None if self.a is None or self.b is None else round(self.a - self.b, 15)

    def both(self, difference: float | None) -> tuple[float, float]:
        """Return both error rates; one rate and the difference give the other.

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
            raise InvalidOption(
                "two error rates are required. Use error_a=0.10 error_b=0.09, or one of them and a difference."
            )
        for name, value in (("A", a), ("B", b)):
            if not -_ROUNDING <= value <= 1 + _ROUNDING:
                raise InvalidOption(
                    f"the error rate of {name} must be between 0 and 1, got {value:.6g}. Use a smaller difference."
                )
        return min(max(a, 0.0), 1.0), min(max(b, 0.0), 1.0)


class Guess(NamedTuple):
    """A discordant rate to plan for, and the assumption behind it."""

    disagreement: float
    assuming: str = ""


class KnownDiscordance(NamedTuple):
    """The discordant rate that is planned for, alternatives, cautions and notes."""

    first: Guess
    others: tuple[Guess, ...] = ()
    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class KnownErrors(NamedTuple):
    """The error rates that are planned for, alternatives, cautions and notes: two models, one test set each."""

    first: Errors
    others: tuple[tuple[str, Errors], ...] = ()
    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def resolve_discordance(
    target: PlanTarget, table: PairedTable | None, disagreement: float | None, errors: Errors
) -> KnownDiscordance:
    """Return the discordant rate of two classifiers: the option, that of a pilot, or the bound by the error rates."""
    if table is not None:
        if disagreement is not None or errors.known:
            raise InvalidOption(
                "`disagreement` and error rates must not be set with a pilot, which has its own. Leave them out."
            )
        return _discordance_of_pilot(table)
    if disagreement is not None:
        if errors.known and (target.difference is not None or errors.difference is not None):
            _check_discordance(disagreement, *errors.both(target.difference))
        return KnownDiscordance(Guess(disagreement))
    if not errors.known:
        raise InvalidOption(
            "the discordant rate is required. Use disagreement=0.06, error_a=0.10 and error_b=0.09, or a pilot:"
            " predictions or counts of two models."
        )
    return _bound_discordance(errors, target.difference)


def pool_pilot_errors(counts: IndependentCounts, errors: Errors) -> KnownErrors:
    """Return the mean error rate of a pilot; its difference is not used."""
    if counts.shape:
        raise InvalidOption(f"`evidence` must be one pair of counts, got {counts.a.errors.size}. Plan for one of them.")
    if errors.known:
        raise InvalidOption("error rates must not be set with a pilot, which has its own. Leave them out.")
    pooled = ErrorCount(int(counts.a.errors + counts.b.errors), int(counts.a.trials + counts.b.trials))
    upper = _upper_limit(pooled)
    if not pooled.errors:
        note = f"no errors in the pilot ({pooled.describe()}): planned for its 95% upper limit"
        return KnownErrors(Errors(mean=upper), notes=(note,))
    note = f"error rate from a pilot ({pooled.describe()}, both together); its difference is not used"
    largest = f"at the pilot's 95% upper limit of the error rate ({100 * upper:.3g}%)", Errors(mean=upper)
    return KnownErrors(Errors(mean=float(pooled.rate)), (largest,), notes=(note,))


def _upper_limit(count: ErrorCount) -> float:
    bound = find_method("clopper-pearson", "interval", ErrorCount)
    return float(bound(count, alpha=_PILOT_ALPHA, side="upper").high)


def _discordance_of_pilot(table: PairedTable) -> KnownDiscordance:
    if table.shape:
        raise InvalidOption(f"`evidence` must be one table, got {table.both_wrong.size}. Plan for one of them.")
    discordant, examples = int(table.disagreements), int(table.examples)
    upper = _upper_limit(ErrorCount(discordant, examples))
    share = f"{discordant:,} of {count_text(examples, 'example')}"
    if not discordant:
        return KnownDiscordance(
            Guess(upper),
            notes=(f"no discordant pairs in the pilot ({share}): planned for its 95% upper limit",),
        )
    note = f"discordant rate from a pilot ({share}, 95% upper limit {100 * upper:.3g}%); its difference is not used"
    largest = Guess(upper, f"at the pilot's 95% upper limit of the discordant rate ({100 * upper:.3g}%)")
    return KnownDiscordance(Guess(discordant / examples), (largest,), notes=(note,))


def _bound_discordance(errors: Errors, difference: float | None) -> KnownDiscordance:
    """Return the range of discordant rates that two error rates allow: the largest if no errors coincide."""
    if difference is None and errors.mean is not None:
        guesses = [(2 * min(errors.mean, 1 - errors.mean), ""), (2 * errors.mean * (1 - errors.mean), _INDEPENDENT)]
    else:
        a, b = errors.both(difference)
        least = "at the smallest possible discordant rate"
        guesses = [(_largest_discordance(a, b), ""), (a * (1 - b) + b * (1 - a), _INDEPENDENT), (abs(a - b), least)]
    first, *others = (Guess(value, f"{text} ({100 * value:.4g}%)") for value, text in guesses)
    caution = (
        "the discordant rate is unknown: planned for the largest possible one. A pilot or a smaller discordant rate"
        " needs fewer examples."
    )
    return KnownDiscordance(first, tuple(others), (caution,))


_INDEPENDENT = "at the discordant rate of independent errors"


def _largest_discordance(a: float, b: float) -> float:
    return a + b - 2 * max(0.0, a + b - 1)


def _check_discordance(disagreement: float, a: float, b: float) -> None:
    if not abs(a - b) - _ROUNDING <= disagreement <= _largest_discordance(a, b) + _ROUNDING:
        raise InvalidOption(
            f"`disagreement` must be from {abs(a - b):.4g} to {_largest_discordance(a, b):.4g} with these error rates,"
            f" got {disagreement:g}."
        )


def as_rate(name: str, value: Any) -> float:
    """Return a rate; raise InvalidOption if it is not between 0 and 1."""
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not (is_number and 0 <= value <= 1):  # NaN fails this, too
        raise InvalidOption(f"`{name}` must be between 0 and 1, got {show_value(value)}. For 1% use 0.01.")
    return float(value)
