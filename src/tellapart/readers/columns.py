"""Columns of numbers from a file of any format of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, import_extra
from ..predictions.engine import quote_names, reason_of
from ..typing_ import FloatArray
from .files import Format, Source, files_of, format_of, header_names, is_packed, is_stream, separator_of


def read_numbers(source: Source, names: Sequence[str]) -> list[FloatArray]:
    r"""Return columns of numbers, in the order of the rows; raise InvalidEvidence if a row lacks one.

    Parameters
    ----------
    source
        A file of CSV, TSV, Parquet, JSON lines or Arrow, or a folder, pattern or list of files, read in order.
    names
        The columns.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "scores.csv")
    ...     _ = file.write_text("id,score\n1,0.5\n2,1\n")
    ...     read_numbers(file, ["score"])
    [array([0.5, 1. ])]
    """
    files = files_of(source)
    kind = format_of(files)
    polars = import_extra("polars", "tables")
    columns: list[list[FloatArray]] = [[] for _ in names]
    for file in files:
        try:
            table = whole_table(polars, kind, file)
        except (polars.exceptions.PolarsError, OSError) as error:
            raise InvalidEvidence(f"cannot read {file} as {kind}: {reason_of(error)}") from error
        if table.is_empty():
            raise InvalidEvidence(f"{file} must have rows below its header, got none.")
        for index, name in enumerate(names):
            if name not in table.columns:
                raise InvalidEvidence(f"{file} has no column {name!r}. Columns: {quote_names(table.columns)}.")
            columns[index].append(_as_numbers(polars, table[name], file))
    return [np.concatenate(parts) for parts in columns]


def whole_table(polars: Any, kind: Format, file: Path, rows: int | None = None) -> Any:
    """Return the rows of a file (or the first ones), with texts not yet read as numbers, without blank lines."""
    if kind == "parquet":
        return polars.read_parquet(file, hive_partitioning=False, n_rows=rows)
    if kind == "ipc":
        return polars.read_ipc_stream(file, n_rows=rows) if is_stream(file) else polars.read_ipc(file, n_rows=rows)
    if kind == "jsonl":
        return polars.read_ndjson(file, infer_schema_length=None).head(rows or 2**32)
    separator = (
        separator_of(file, "" if is_packed(file) else None) or ","
    )  # the separator of a packed file follows from its name
    whole = polars.read_csv(file, separator=separator, infer_schema=False, n_rows=rows)
    whole.columns = header_names(whole.columns)
    return whole.filter(~polars.all_horizontal(polars.all().is_null()))


def _as_numbers(polars: Any, column: Any, file: Path) -> FloatArray:
    if not (column.dtype.is_numeric() or column.dtype in (polars.String, polars.Boolean, polars.Null)):
        raise InvalidEvidence(f"column {column.name!r} of {file} must hold numbers, got {column.dtype}.")
    texts = column.str.strip_chars() if column.dtype == polars.String else column
    numbers = texts.cast(polars.Float64, strict=False)
    wrong = (numbers.is_null() | numbers.is_nan()).arg_true()
    if len(wrong):
        row = int(wrong[0])
        raise InvalidEvidence(
            f"column {column.name!r} of {file} must hold numbers, got {column[row]!r} in row {row + 1}."
            f" Remove rows without"
            " a score if they are missing at random."
        )
    return np.asarray(numbers.to_numpy(), dtype=float)
