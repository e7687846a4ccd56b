"""The few types that signatures share, and the one spelling of a confidence level."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidOption

# A field holds an array of entries, or one entry as a NumPy scalar. A scalar does all that an array
# does, so both go by the array's type; NumPy has no name for "either".
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

# Arithmetic works alike on a Python number, a NumPy scalar and an array, of counts or of floats.
Numbers = Any

Side = Literal["two", "upper", "lower"]
Alternative = Literal["two-sided", "greater", "less"]
Hypothesis = Literal["different", "non-inferior", "superior", "equivalent"]
Adjustment = Literal[  # how p-values allow for their number
    "holm",
    "hochberg",
    "hommel",
    "finner",
    "shaffer",
    "bergmann-hommel",
    "benjamini-hochberg",
    "benjamini-yekutieli",
    "bonferroni",
    "none",
]

# What makes an observed error, or a difference of two, vary (Dietterich 1998, section 1).
Source = Literal["test data", "training data", "learner", "labels"]
SOURCES: tuple[Source, ...] = get_args(Source)
SOURCE_WORDS: dict[Source, str] = {
    "test data": "test-set sampling",
    "training data": "training-set sampling",
    "learner": "randomness in the learner",
    "labels": "label noise",  # random classification error
}


def one_of(name: str, value: Any, kind: Any) -> Any:
    """Return `value` if the literal type `kind` has it, else say what it may be.

    Examples
    --------
    >>> one_of("side", "two", Side)
    'two'
    """
    allowed = kind.__args__  # this is asked at every call of every method
    if not (isinstance(value, str) and value in allowed):
        raise InvalidOption(f"{name} must be one of {', '.join(map(repr, allowed))}, but is {value!r}.")
    return value


def as_generator(rng: Any) -> np.random.Generator:
    """Return NumPy's generator for a seed or a generator, or say what either is.

    Examples
    --------
    >>> int(as_generator(0).integers(10))
    8
    """
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InvalidOption(f"rng must be a seed (a whole number, 0 or more) or a generator, but is {rng!r}.") from None


def as_resamples(resamples: Any) -> int:
    """Return how often to draw anew, or say what such a number is."""
    if isinstance(resamples, bool) or not isinstance(resamples, int | np.integer) or not 1 <= resamples <= 10**7:
        raise InvalidOption(f"resamples must be a whole number from 1 to ten million, but is {resamples!r}.")
    return int(resamples)


# Half of such a number, or its share of many comparisons, is still one that has a logarithm.
SMALLEST, COMPLEMENT = 1e-300, 2.0**-52


def open_unit(name: str, value: Any, remedy: str, *, least: float = SMALLEST) -> float:
    """Return `value` as a float strictly between 0 and 1, or say what to write instead.

    Where 1 − value is used, too, `COMPLEMENT` is the least for which that is below 1.
    """
    number = float(value) if type(value) is float or is_real(value) else np.nan
    if not 0 < number < 1:  # NaN fails this, too
        raise InvalidOption(f"{name} must lie strictly between 0 and 1, but is {value!r}. {remedy}")
    if number < least:
        raise InvalidOption(f"{name} must be at least {least:g}, got {value!r}. {remedy}")
    return number


def is_real(value: Any) -> bool:
    """Return whether `value` is one real number: no truth value, no text, no list of numbers, ragged or not.

    Examples
    --------
    >>> is_real(0.05), is_real([1, [2]]), is_real("0.05"), is_real(True)
    (True, False, False, False)
    """
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):  # rows of different lengths, or what refuses to be an array
        return False
    return array.ndim == 0 and array.dtype.kind in "iuf"


def as_real(value: Any) -> float:
    """Return one number as a float: NaN for what is none, and infinity for a whole number that no float holds.

    Examples
    --------
    >>> as_real(3), as_real(10**400), as_real("3"), as_real(True)
    (3.0, inf, nan, nan)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


LEAST_SIZE, LARGEST_SIZE = 1e-50, 1e50  # of differences and spreads: their quotients have squares


def as_alpha(level: float | None = None, alpha: float | None = None) -> float:
    """Return the error probability told by `level` or by `alpha`; 0.05 if neither is given.

    They are one number told two ways. A level close to 1 has lost digits of its
    alpha (1 − 10⁻¹² as a float has lost four), so `alpha` is there to keep them.

    Examples
    --------
    >>> as_alpha(alpha=1e-12)
    1e-12
    >>> as_alpha(level=0.75)
    0.25
    >>> as_alpha(level=95)
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: level must lie strictly between 0 and 1, but is 95. For 95 % write 0.95.
    """
    if level is not None:
        level = open_unit("level", level, _percent_remedy(level), least=COMPLEMENT)
    if alpha is not None:
        alpha = open_unit("alpha", alpha, "For a 95 % interval write alpha=0.05.")
    if level is None:
        return 0.05 if alpha is None else alpha
    if alpha is not None and abs((1 - level) - alpha) > np.finfo(float).eps:
        raise InvalidOption(
            f"level={level!r} and alpha={alpha!r} contradict each other (alpha is 1 - level). Give one of them."
        )
    return 1 - level if alpha is None else alpha


def _percent_remedy(level: Any) -> str:
    if isinstance(level, int | float) and 1 < level < 100:
        return f"For {level:g} % write {level / 100:g}."
    return "For 95 % write 0.95."
