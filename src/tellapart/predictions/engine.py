"""The only module that uses table engines: any frame in, a lazy narwhals frame inside, Python lists out."""

from __future__ import annotations

import importlib.util
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from ..errors import InvalidEvidence, InvalidInput, MissingExtra, TellapartError
from ..evidence.validation import LARGEST

Frame = Any  # a narwhals LazyFrame, whose type parameter would carry no information here
_MOST_NAMES = 12  # names that an error lists
_REASONS = {  # by a text in the message of an engine
    "invalid utf-8": "it is not UTF-8 text. Save it as UTF-8.",
    "found more fields": "a row has more fields than the header. Quote values that contain the separator.",
}
_ONE_TYPE = " Give each column one type, or read text files with `text`."
# Engines that make a table from a dictionary of columns, in order of preference.
_DICTIONARY_ENGINES: tuple[Literal["polars", "pyarrow", "pandas"], ...] = ("polars", "pyarrow", "pandas")


class EngineFailed(InvalidEvidence):
    """An engine could not process a table; the message is one line."""

    def __init__(self, why: str, source: str = "the table") -> None:
        super().__init__(why, source)
        self.why, self.source = why, source

    def __str__(self) -> str:
        return f"{self.source} could not be counted: {self.why}"


def as_lazy(frame: Any, what: str = "predictions") -> Frame:
    """Return any table (of `what`) as a lazy narwhals frame, without reading or copying it.

    Examples
    --------
    >>> as_lazy({"label": [0, 1], "a": [0, 0]}).collect_schema().names()
    ['label', 'a']
    """
    if isinstance(frame, Mapping):
        return _table_of_columns(frame).lazy()
    try:
        table = nw.from_native(nw.to_native(frame, pass_through=True))
    except DuplicateError:
        often = [name for name, times in Counter(map(str, _column_names(frame))).items() if times > 1]
        raise InvalidEvidence(
            f"columns must have different names, got {quote_names(often)} more than once. Rename all but one."
        ) from None
    except TypeError:
        raise InvalidEvidence(
            f"`{what}` must be a table (pandas, polars, pyarrow, DuckDB, Dask or PySpark) or a dictionary of"
            f" columns, got {type(frame).__name__}. For a file use read_{what}."
        ) from None
    if table.implementation.is_pandas():
        table = _convert_objects(_replace_categories(table))
    elif table.implementation.is_pyarrow():
        table = _replace_dictionaries(table)
    return table.lazy()


def _column_names(frame: Any) -> Sequence[Any]:
    return frame.column_names if hasattr(frame, "column_names") else list(frame.columns)


def _table_of_columns(columns: Mapping[str, Any]) -> Any:
    """Return a dictionary of columns as a table of the first engine that is installed."""
    engine = next((name for name in _DICTIONARY_ENGINES if importlib.util.find_spec(name)), None)
    if engine is None:
        raise MissingExtra(
            "polars, pyarrow or pandas must be installed to read a dictionary of columns. Use pip install"
            " 'tellapart[tables]'."
        )
    try:
        return nw.from_dict(dict(columns), backend=engine)
    except Exception as error:
        raise InvalidEvidence(f"the columns must make a table, got an error: {_first_line(error)}.") from error


def _replace_categories(table: Any) -> Any:
    """Return a table of pandas with categories replaced by their values."""
    native = table.to_native()
    values = {}
    for name, dtype in native.dtypes.items():
        if dtype == "category":
            values[name] = dtype.categories.dtype
            if native[name].hasnans and values[name].kind in "iub":  # a column of integers cannot hold a missing value
                values[name] = "float64"
    return nw.from_native(native.astype(values)) if values else table


def _convert_objects(table: Any) -> Any:
    """Return a table of pandas with columns of objects that are all numbers, or all booleans, converted."""
    native = table.to_native()
    types = {"boolean": "boolean", "integer": "Int64", "floating": "float64", "mixed-integer-float": "float64"}
    plain = {name: types[what] for name, what in _find_object_columns(table, list(native.columns)) if what in types}
    return nw.from_native(native.astype(plain)) if plain else table


def _find_object_columns(frame: Frame, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield which of these columns of pandas hold objects, and the type that pandas infers."""
    native, pandas = frame.to_native(), frame.implementation.to_native_namespace()
    for name in names:
        if native[name].dtype == object:
            yield name, pandas.api.types.infer_dtype(native[name], skipna=True)


def _replace_dictionaries(table: Any) -> Any:
    """Return a table of Arrow with dictionaries replaced by their values, and text views by texts."""
    native, arrow = table.to_native(), table.implementation.to_native_namespace()
    for index, field in enumerate(native.schema):
        dtype = field.type.value_type if arrow.types.is_dictionary(field.type) else field.type
        dtype = arrow.string() if arrow.types.is_string_view(dtype) else dtype
        if dtype != field.type:
            native = native.set_column(index, field.name, native.column(index).cast(dtype))
    return nw.from_native(native)


def refuse_mixed_types(frame: Frame, names: Sequence[str]) -> None:
    """Raise InvalidEvidence if a used column holds values of several types, as only pandas' objects can."""
    for name, what in _find_object_columns(frame, names) if frame.implementation.is_pandas() else ():
        if what in ("mixed", "mixed-integer"):
            kinds = sorted({type(value).__name__ for value in frame.to_native()[name].dropna()})
            raise InvalidEvidence(
                f"`{name}` must hold values of one type, got {', '.join(kinds)}. Convert them to one."
            )


@contextmanager
def raise_engine_errors(source: str = "the table") -> Iterator[None]:
    """Raise EngineFailed for any error of an engine: each engine has its own exception classes."""
    try:
        yield
    except EngineFailed as error:
        raise EngineFailed(error.why, source) from error.__cause__
    except (TellapartError, MemoryError):
        raise
    except ImportError as error:
        package = error.name or "pyarrow"
        raise MissingExtra(
            f"{package} must be installed to read counts from this engine. Use pip install {package}."
        ) from error
    except Exception as error:
        raise EngineFailed(reason_of(error, _ONE_TYPE), source) from error


def reason_of(error: Exception, remedy: str = "") -> str:
    """Return in one line why an engine failed, and the fix; `remedy` if no better one is known."""
    reasons = (reason for sign, reason in _REASONS.items() if sign in str(error))
    return next(reasons, f"{_first_line(error)}.{remedy}")


def with_ordered_texts(frame: Frame) -> Frame:
    """Return the table with texts that have a maximum; pandas before 3 stores them as objects, which have none."""
    if not frame.implementation.is_pandas():
        return frame
    native = frame.to_native()
    texts = [name for name, dtype in frame.collect_schema().items() if dtype == nw.String]
    objects = {name: "string" for name in texts if native[name].dtype == object}
    return nw.from_native(native.astype(objects)).lazy()


def collect_columns(frame: Frame) -> dict[str, list[Any]]:
    """Return the few rows of a query, run on its own engine, column by column, as plain Python values."""
    with raise_engine_errors():
        columns = fetch_rows(frame).to_dict(as_series=False)
    return {name: [_as_plain_value(value) for value in column] for name, column in columns.items()}


def fetch_rows(frame: Frame) -> Any:
    """Return all rows of a query, run on its own engine, as a table in memory."""
    with raise_engine_errors():
        if frame.implementation.is_polars():  # in batches, so that memory does not grow with the rows
            return nw.from_native(frame.to_native().collect(engine="streaming"), eager_only=True)
        return frame.collect()


def as_arrays(table: Any) -> dict[str, np.ndarray]:
    """Return a table in memory as NumPy arrays by column; null numbers are NaN, other nulls None."""
    return {name: _as_array(table[name]) for name in table.columns}


def _as_array(column: Any) -> np.ndarray:
    whole = column.dtype == nw.Boolean or column.dtype.is_integer()
    if column.dtype.is_decimal() or (whole and column.null_count()):
        column = column.cast(nw.Float64)
    values: np.ndarray = column.to_numpy()
    if values.dtype == object and column.null_count():
        values = values.copy()
        values[column.is_null().to_numpy()] = None  # pandas has a null that does not equal itself
    return values


def _as_plain_value(value: Any) -> Any:
    if isinstance(value, Decimal):  # DuckDB returns sums in a wider type
        return int(value) if value == value.to_integral_value() else float(value)
    value = value.item() if hasattr(value, "item") else value
    try:
        return value if value == value else None  # pandas writes missing values as NaN
    except TypeError:  # or as NA, which has no truth value
        return None


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".:")[:300]


def kind(dtype: Any) -> str:
    """Return the kind of values of a column, such as "numbers"; values of two kinds are never equal. "" if unknown.

    Examples
    --------
    >>> kind(nw.Int8()), kind(nw.Boolean()), kind(nw.Categorical())
    ('numbers', 'numbers', 'texts')
    """
    if dtype.is_numeric() or dtype == nw.Boolean:
        return "numbers"
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return "texts"
    return "" if dtype in (nw.Object, nw.Unknown) else f"{str(dtype).partition('(')[0].lower()}s"


def select_columns(frame: Frame, columns: Mapping[str, Any]) -> Frame:
    """Return a table of only these columns, by name."""
    return frame.select(*(column.alias(name) for name, column in columns.items()))


def flag(condition: Any) -> Any:
    """Return a condition that is never null: unknown becomes false."""
    return nw.when(condition).then(nw.lit(True)).otherwise(nw.lit(False))


def sum_conditions(
    frame: Frame,
    keys: Sequence[str],
    examples: Mapping[str, Any],
    rows: Mapping[str, Any],
    weight: str | None,
    full: Sequence[str] = (),
) -> dict[str, list[Any]]:
    """Return the number of examples (by weight) or rows that meet each condition, by the values of the keys.

    In addition `examples` counts all, `heft` is the sum of the weights as floats, which do not wrap around, and `gaps`
    counts the nulls in columns that should be `full`. Columns first, then sums: every engine can do that, also on a
    cluster.
    """
    columns = [*keys, *full]
    total = nw.len()
    counted = {name: _as_countable(frame, condition) for name, condition in {**examples, **rows}.items()}
    if weight is not None:
        counted |= {
            name: nw.when(condition).then(nw.col(weight)).otherwise(nw.lit(0)) for name, condition in examples.items()
        }
        columns.append(weight)
        total = nw.col(weight).sum()
        if can_wrap(frame.collect_schema()[weight]):
            counted["heft"] = _limit_weights(nw.col(weight)).cast(nw.Float64)
    if columns or counted:
        frame = select_columns(frame, {name: nw.col(name) for name in columns} | counted)
    aggregates = [total.alias("examples"), *(nw.col(name).sum() for name in counted)]
    aggregates += [nw.col(name).count() for name in full]
    if full and weight is not None:
        aggregates.append(nw.len().alias("rows"))
    totals = collect_columns(frame.group_by(*keys).agg(*aggregates) if keys else frame.select(*aggregates))
    totals |= {name: [_as_whole_number(value) for value in totals[name]] for name in ("examples", *counted)}
    if sum(totals.get("heft", ())) > LARGEST:
        raise InvalidEvidence(f"the weights must add up to at most 2**53 ({LARGEST}), got more. Use smaller weights.")
    if full:
        lengths = zip(totals.get("rows", totals["examples"]), *(totals[name] for name in full), strict=True)
        totals["gaps"] = [len(full) * every - sum(filled) for every, *filled in lengths]
    return totals


def can_wrap(dtype: Any) -> bool:
    """Whether a sum of numbers of this type can exceed the integers of the engine."""
    return dtype not in (nw.Int8, nw.Int16, nw.Int32, nw.UInt8, nw.UInt16, nw.UInt32)


def _limit_weights(weight: Any) -> Any:
    """Return weights that floats represent; a condition finds the others."""
    return nw.when(weight <= LARGEST).then(weight).otherwise(nw.lit(0))


def _as_countable(frame: Frame, condition: Any) -> Any:
    """Return a condition that can be summed; polars and pandas sum conditions directly, and faster."""
    if frame.implementation.is_polars() or frame.implementation.is_pandas():
        return condition
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def _as_whole_number(value: Any) -> int:
    return 0 if value is None or math.isinf(value) else int(value)  # a condition finds infinite weights


def quote_names(names: Sequence[Any]) -> str:
    """Return names in quotes, separated by commas; a long list is cut.

    Examples
    --------
    >>> quote_names(["old", "new"]), quote_names([])
    ("'old', 'new'", 'none')
    """
    shown = ", ".join(repr(name) for name in list(names)[:_MOST_NAMES]) or "none"
    return f"{shown} and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else shown


def describe_role(names: Mapping[str, str], role: str) -> str:
    """Return the name of the column with a role, and the role.

    Examples
    --------
    >>> describe_role({"label": "truth"}, "label"), describe_role({"id": "id"}, "id")
    ('truth (the label)', 'the id')
    """
    name = names.get(role, role)
    what = f"the {role.replace('_', ' ')}"
    return what if name == role else f"{name} ({what})"


def unknown_name(
    parameter: str,
    rule: str,
    name: object,
    choices: Sequence[str],
    error: type[InvalidInput] = InvalidEvidence,
) -> InvalidInput:
    """Return the error for a name that is not one of the choices, with the nearest one, or else all of them.

    Examples
    --------
    >>> print(unknown_name("label", "a column of the table", "spezies", ["id", "species"]))
    `label` must be a column of the table, got 'spezies'. Did you mean 'species'?
    >>> print(unknown_name("label", "a column of the table", "y", ["id", "species"]))
    `label` must be a column of the table, got 'y'. Choose from 'id', 'species'.
    """
    close = get_close_matches(str(name), list(map(str, choices)), 1)
    fix = f"Did you mean {close[0]!r}?" if close else f"Choose from {quote_names(choices)}."
    return error(f"`{parameter}` must be {rule}, got {name!r}. {fix}")
