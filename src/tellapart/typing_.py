"""Types that signatures share, and checks of common parameters."""

from __future__ import annotations

import math
from collections.abc import Iterable
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
Adjustment = Literal[  # how p-values are adjusted for multiple comparisons
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
    """Return `value`; raise InvalidOption if the literal type `kind` does not have it.

    Examples
    --------
    >>> one_of("side", "two", Side)
    'two'
    """
    allowed = kind.__args__  # a lookup that every call of every method makes
    if not (isinstance(value, str) and value in allowed):
        raise InvalidOption(describe_choice(name, value, allowed))
    return value


_MOST_LISTED = 6  # choices that an error lists


def list_names(names: Iterable[Any]) -> str:
    """Return names as an error lists them: up to six, or the first five and how many more there are.

    Examples
    --------
    >>> list_names(["forest", "stump"]), list_names(range(9))
    ("'forest', 'stump'", '0, 1, 2, 3, 4 and 4 more')
    """
    texts = list(map(repr, names))
    if len(texts) <= _MOST_LISTED:
        return ", ".join(texts)
    return f"{', '.join(texts[: _MOST_LISTED - 1])} and {len(texts) - _MOST_LISTED + 1:,} more"


def nearest_name(value: object, names: Iterable[Any], cutoff: float = 0.75) -> str:
    """Return the name that is spelled most like this one, or an empty text if none is near.

    Examples
    --------
    >>> nearest_name("mcnemer", ["mcnemar", "tango"]), nearest_name("x", ["mcnemar"])
    ('mcnemar', '')
    """
    from difflib import get_close_matches  # noqa: PLC0415  # needed for errors only

    return next(iter(get_close_matches(value, [*map(str, names)], 1, cutoff)), "") if isinstance(value, str) else ""


def describe_choice(name: str, value: object, choices: Iterable[Any], fix: str = "") -> str:
    """Return the message that a value is not one of the choices, with the nearest one or a fix.

    Examples
    --------
    >>> describe_choice("side", "uper", ["two", "upper", "lower"])
    "`side` must be one of 'two', 'upper', 'lower', got 'uper'. Did you mean 'upper'?"
    """
    names = list(choices)
    near = nearest_name(value, names)
    fix = f"Did you mean {near!r}?" if near and near != value else fix
    return f"{quote_name(name)} must be one of {list_names(names)}, got {value!r}. {fix}".rstrip()


def as_generator(rng: Any) -> np.random.Generator:
    """Return NumPy's generator for a seed or a generator; raise InvalidOption for anything else.

    Examples
    --------
    >>> int(as_generator(0).integers(10))
    8
    """
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InvalidOption(f"`rng` must be a seed (a whole number, 0 or more) or a generator, got {rng!r}.") from None


def as_resamples(resamples: Any) -> int:
    """Return the number of resamples; raise InvalidOption if it is not a whole number from 1 to 10**7."""
    if isinstance(resamples, bool) or not isinstance(resamples, int | np.integer) or not 1 <= resamples <= 10**7:
        raise InvalidOption(f"`resamples` must be a whole number from 1 to 10,000,000, got {show_value(resamples)}.")
    return int(resamples)


# Half of this number, or this number divided by many comparisons, still has a logarithm.
SMALLEST, COMPLEMENT = 1e-300, 2.0**-52


def open_unit(name: str, value: Any, remedy: str, *, least: float = SMALLEST) -> float:
    """Return `value` as a float; raise InvalidOption if it is not strictly between 0 and 1.

    If 1 − value is used too, pass `COMPLEMENT` as the least value: 1 minus it is below 1.
    """
    number = float(value) if type(value) is float or is_real(value) else np.nan
    if not 0 < number < 1:  # NaN fails this comparison
        raise InvalidOption(f"{quote_name(name)} must be between 0 and 1, got {show_value(value)}. {remedy}")
    if number < least:
        raise InvalidOption(f"{quote_name(name)} must be at least {least:g}, got {show_value(value)}. {remedy}")
    return number


def quote_name(name: str) -> str:
    """Return the name of a parameter in backticks, which the command line turns into its option.

    Other texts are returned unchanged.

    Examples
    --------
    >>> quote_name("margin"), quote_name("pyproject.toml: margin")
    ('`margin`', 'pyproject.toml: margin')
    """
    return f"`{name}`" if name.isidentifier() else name


def show_value(value: Any) -> str:
    """Return a value as an error message shows it: whole floats without a decimal point.

    Examples
    --------
    >>> show_value(1.0), show_value(0.5), show_value("1")
    ('1', '0.5', "'1'")
    """
    short = f"{value:g}" if isinstance(value, float) else ""
    exact = short == "nan" or (short != "" and float(short) == value and len(short) < len(repr(value)))
    return short if exact else repr(value)


def is_real(value: Any) -> bool:
    """Return whether `value` is one real number: not a bool, a string or a list.

    Examples
    --------
    >>> is_real(0.05), is_real([1, [2]]), is_real("0.05"), is_real(True)
    (True, False, False, False)
    """
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):  # rows of different lengths, or an object that is not array-like
        return False
    return array.ndim == 0 and array.dtype.kind in "iuf"


def as_real(value: Any) -> float:
    """Return a number as a float: NaN if it is not a number, infinity if it is too large for a float.

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
    """Return the error probability alpha = 1 − level; 0.05 by default.

    If the level is close to 1, 1 − level has few correct digits (four are lost at 1 − 10⁻¹²); use `alpha` there.

    Examples
    --------
    >>> as_alpha(alpha=1e-12)
    1e-12
    >>> as_alpha(level=0.75)
    0.25
    >>> as_alpha(level=95)
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: `level` must be between 0 and 1, got 95. For 95% use 0.95.
    """
    if level is not None:
        level = open_unit("level", level, _percent_remedy(level), least=COMPLEMENT)
    if alpha is not None:
        alpha = open_unit("alpha", alpha, "For a 95% interval use alpha=0.05.")
    if level is None:
        return 0.05 if alpha is None else alpha
    if alpha is not None and abs((1 - level) - alpha) > np.finfo(float).eps:
        raise InvalidOption(f"`alpha` must be 1 - level, got level={level!r} and alpha={alpha!r}. Use one of them.")
    return 1 - level if alpha is None else alpha


def _percent_remedy(level: Any) -> str:
    if isinstance(level, int | float) and 1 < level < 100:
        return f"For {level:g}% use {level / 100:g}."
    return "For 95% use 0.95."
