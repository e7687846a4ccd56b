"""The one place that meets table engines: any frame in, a lazy narwhals frame inside, Python lists out."""

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

Frame = Any  # a narwhals LazyFrame; its own type would need a parameter that says nothing here
_REASONS = {  # by a sign in the message of an engine
    "invalid utf-8": "it is no UTF-8 text. Save it as UTF-8.",
    "found more fields": "a row has more fields than the header. Put values that hold the separator between quotes.",
}
_ONE_TYPE = (
    " Give each column one type; a text file can be read with text=True (--text), which compares labels as they are"
    " written."
)
# The engines that can hold a dictionary of columns.
_HOLDERS: tuple[Literal["polars", "pyarrow", "pandas"], ...] = ("polars", "pyarrow", "pandas")


class EngineFailed(InvalidEvidence):
    """What an engine could not do with a table, in one line."""

    def __init__(self, why: str, source: str = "the table") -> None:
        super().__init__(why, source)
        self.why, self.source = why, source

    def __str__(self) -> str:
        return f"{self.source} could not be counted: {self.why}"


def as_lazy(frame: Any, what: str = "predictions") -> Frame:
    """Return any table (of `what`) as a lazy narwhals frame: nothing is read and nothing is copied.

    Examples
    --------
    >>> as_lazy({"label": [0, 1], "a": [0, 0]}).collect_schema().names()
    ['label', 'a']
    """
    if isinstance(frame, Mapping):
        return _held(frame).lazy()
    try:
        table = nw.from_native(nw.to_native(frame, pass_through=True))
    except DuplicateError:
        often = [name for name, times in Counter(map(str, _column_names(frame))).items() if times > 1]
        raise InvalidEvidence(
            f"columns must have different names, but {told(often)} occurs more than once. Rename all but one."
        ) from None
    except TypeError:
        raise InvalidEvidence(
            f"{what} must be a table (pandas, polars, pyarrow, DuckDB, Dask or PySpark) or a dictionary of"
            f" columns, but is {type(frame).__name__}. For a file use read_{what}."
        ) from None
    if table.implementation.is_pandas():
        table = _plain_objects(_plain_categories(table))
    elif table.implementation.is_pyarrow():
        table = _plain_arrow(table)
    return table.lazy()


def _column_names(frame: Any) -> Sequence[Any]:
    return frame.column_names if hasattr(frame, "column_names") else list(frame.columns)


def _held(columns: Mapping[str, Any]) -> Any:
    """Put a dictionary of columns into whichever engine is there."""
    engine = next((name for name in _HOLDERS if importlib.util.find_spec(name)), None)
    if engine is None:
        raise MissingExtra(
            "a dictionary of columns needs polars, pyarrow or pandas, and none is installed. Install one with:"
            " pip install 'tellapart[tables]'"
        )
    try:
        return nw.from_dict(dict(columns), backend=engine)
    except Exception as error:
        raise InvalidEvidence(f"these columns do not make a table: {_first_line(error)}.") from error


def _plain_categories(table: Any) -> Any:
    """Take pandas' categories for the values they stand for."""
    native = table.to_native()
    values = {}
    for name, dtype in native.dtypes.items():
        if dtype == "category":
            values[name] = dtype.categories.dtype
            if native[name].hasnans and values[name].kind in "iub":  # whole numbers have no way to be missing
                values[name] = "float64"
    return nw.from_native(native.astype(values)) if values else table


def _plain_objects(table: Any) -> Any:
    """Take pandas' objects that are all numbers, or all truth values, for what they are."""
    native = table.to_native()
    types = {"boolean": "boolean", "integer": "Int64", "floating": "float64", "mixed-integer-float": "float64"}
    plain = {name: types[what] for name, what in _objects(table, list(native.columns)) if what in types}
    return nw.from_native(native.astype(plain)) if plain else table


def _objects(frame: Frame, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield which of these columns of pandas hold objects, and what pandas takes them for."""
    native, pandas = frame.to_native(), frame.implementation.to_native_namespace()
    for name in names:
        if native[name].dtype == object:
            yield name, pandas.api.types.infer_dtype(native[name], skipna=True)


def _plain_arrow(table: Any) -> Any:
    """Take Arrow's dictionaries for the values they stand for, and views of texts for texts."""
    native, arrow = table.to_native(), table.implementation.to_native_namespace()
    for place, each in enumerate(native.schema):
        dtype = each.type.value_type if arrow.types.is_dictionary(each.type) else each.type
        dtype = arrow.string() if arrow.types.is_string_view(dtype) else dtype
        if dtype != each.type:
            native = native.set_column(place, each.name, native.column(place).cast(dtype))
    return nw.from_native(native)


def refuse_mixed(frame: Frame, names: Sequence[str]) -> None:
    """Raise an error if a column that has a part holds values of several kinds, as only pandas' objects can."""
    for name, what in _objects(frame, names) if frame.implementation.is_pandas() else ():
        if what in ("mixed", "mixed-integer"):
            kinds = sorted({type(value).__name__ for value in frame.to_native()[name].dropna()})
            raise InvalidEvidence(f"{name} holds values of several kinds ({', '.join(kinds)}). Convert them to one.")


@contextmanager
def clear_errors(source: str = "the table") -> Iterator[None]:
    """Tell what an engine could not do in one line of our own; each engine has its own tree of errors."""
    try:
        yield
    except EngineFailed as error:
        raise EngineFailed(error.why, source) from error.__cause__
    except (TellapartError, MemoryError):
        raise
    except ImportError as error:
        package = error.name or "pyarrow"
        raise MissingExtra(
            f"this engine hands its counts over by {package}, which is not installed. Install it with:"
            f" pip install {package}"
        ) from error
    except Exception as error:
        raise EngineFailed(reason_of(error, _ONE_TYPE), source) from error


def reason_of(error: Exception, remedy: str = "") -> str:
    """Return in a line what an engine could not do, and what helps; the remedy, where nothing better is known."""
    known = (reason for sign, reason in _REASONS.items() if sign in str(error))
    return next(known, f"{_first_line(error)}.{remedy}")


def with_ordered_texts(frame: Frame) -> Frame:
    """Return the table with texts that have a maximum; pandas before 3 holds them as objects, which have none."""
    if not frame.implementation.is_pandas():
        return frame
    native = frame.to_native()
    texts = [name for name, dtype in frame.collect_schema().items() if dtype == nw.String]
    objects = {name: "string" for name in texts if native[name].dtype == object}
    return nw.from_native(native.astype(objects)).lazy()


def collected(frame: Frame) -> dict[str, list[Any]]:
    """Run the query on its own engine and return its few rows, column by column, as plain Python values."""
    with clear_errors():
        found = fetched(frame).to_dict(as_series=False)
    return {name: [_plain(value) for value in column] for name, column in found.items()}


def fetched(frame: Frame) -> Any:
    """Run the query on its own engine and return all of its rows, as a table in memory."""
    with clear_errors():
        if frame.implementation.is_polars():  # in pieces: what is held at once does not grow with the rows
            return nw.from_native(frame.to_native().collect(engine="streaming"), eager_only=True)
        return frame.collect()


def arrays(table: Any) -> dict[str, np.ndarray]:
    """Return a table in memory as NumPy arrays, one a column; null numbers are NaN, other nulls None."""
    return {name: _as_array(table[name]) for name in table.columns}


def _as_array(column: Any) -> np.ndarray:
    whole = column.dtype == nw.Boolean or column.dtype.is_integer()
    if column.dtype.is_decimal() or (whole and column.null_count()):
        column = column.cast(nw.Float64)
    values: np.ndarray = column.to_numpy()
    if values.dtype == object and column.null_count():
        values = values.copy()
        values[column.is_null().to_numpy()] = None  # pandas has a null that equals nothing
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):  # DuckDB adds up to a wider type
        return int(value) if value == value.to_integral_value() else float(value)
    value = value.item() if hasattr(value, "item") else value
    try:
        return value if value == value else None  # NaN is pandas' word for nothing
    except TypeError:  # as is NA
        return None


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".:")[:300]


def kind(dtype: Any) -> str:
    """Return what a column holds; what differs in kind never agrees. "" where the type does not tell.

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
    """Return a table of these columns alone, by name."""
    return frame.select(*(column.alias(name) for name, column in columns.items()))


def flag(condition: Any) -> Any:
    """Return a condition that is never null: what cannot be told is false."""
    return nw.when(condition).then(nw.lit(True)).otherwise(nw.lit(False))


def sums(
    frame: Frame,
    keys: Sequence[str],
    examples: Mapping[str, Any],
    rows: Mapping[str, Any],
    weight: str | None,
    full: Sequence[str] = (),
) -> dict[str, list[Any]]:
    """Return for how many examples (by weight) or rows each flag holds, by the values of the keys, in one pass.

    Beside them `examples` counts all, `heft` adds up the weights as floats, which do not wrap around, and `gaps`
    counts the nulls in columns that should be `full`. Columns first, then sums: that much every engine can do, at once
    or on a cluster.
    """
    columns = [*keys, *full]
    total = nw.len()
    counted = {name: _countable(frame, each) for name, each in {**examples, **rows}.items()}
    if weight is not None:
        counted |= {name: nw.when(each).then(nw.col(weight)).otherwise(nw.lit(0)) for name, each in examples.items()}
        columns.append(weight)
        total = nw.col(weight).sum()
        if can_wrap(frame.collect_schema()[weight]):
            counted["heft"] = _within(nw.col(weight)).cast(nw.Float64)
    if columns or counted:
        frame = select_columns(frame, {name: nw.col(name) for name in columns} | counted)
    wanted = [total.alias("examples"), *(nw.col(name).sum() for name in counted)]
    wanted += [nw.col(name).count() for name in full]
    if full and weight is not None:
        wanted.append(nw.len().alias("rows"))
    found = collected(frame.group_by(*keys).agg(*wanted) if keys else frame.select(*wanted))
    found |= {name: [_whole(value) for value in found[name]] for name in ("examples", *counted)}
    if sum(found.get("heft", ())) > LARGEST:
        raise InvalidEvidence(f"the weights must add up to at most {LARGEST} (2 to the power of 53), but are more.")
    if full:
        lengths = zip(found.get("rows", found["examples"]), *(found[name] for name in full), strict=True)
        found["gaps"] = [len(full) * every - sum(known) for every, *known in lengths]
    return found


def can_wrap(dtype: Any) -> bool:
    """Whether a column of this type can hold numbers whose sum no integer of the engine holds."""
    return dtype not in (nw.Int8, nw.Int16, nw.Int32, nw.UInt8, nw.UInt16, nw.UInt32)


def _within(weight: Any) -> Any:
    """Return weights that floats hold; others are found by their flag."""
    return nw.when(weight <= LARGEST).then(weight).otherwise(nw.lit(0))


def _countable(frame: Frame, condition: Any) -> Any:
    """Return a condition that adds up; polars and pandas add conditions as they are, and faster."""
    if frame.implementation.is_polars() or frame.implementation.is_pandas():
        return condition
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def _whole(value: Any) -> int:
    return 0 if value is None or math.isinf(value) else int(value)  # weights without end are found by their flag


def told(names: Sequence[Any]) -> str:
    """Return names as a list a reader can follow, the first ones of many."""
    shown = [repr(name) for name in list(names)[:12]]
    return ", ".join(shown) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def part_name(names: Mapping[str, str], part: str) -> str:
    """Return what the user calls a part, and what it is.

    Examples
    --------
    >>> part_name({"label": "truth"}, "label"), part_name({"id": "id"}, "id")
    ('truth (the label)', 'the id')
    """
    name = names.get(part, part)
    what = f"the {part.replace('_', ' ')}"
    return what if name == part else f"{name} ({what})"


def missing(name: object, said: str, there: Sequence[str]) -> InvalidInput:
    """Return the error for a name that is not there: which ones are, and which one may be meant."""
    close = get_close_matches(str(name), there, 1)
    guess = f" Is {close[0]!r} meant?" if close else ""
    return InvalidEvidence(f"{said}, but there is none. There are {told(there)}.{guess}")
