"""Numbers in the order of their rows, from a file of any format that predictions come in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, import_extra
from ..predictions.engine import reason_of, told
from ..typing_ import FloatArray
from .files import Format, Source, files_of, format_of, header_names, is_packed, is_stream, separator_of


def read_numbers(source: Source, names: Sequence[str]) -> list[FloatArray]:
    r"""Return columns of numbers, in the order of the rows; a row that lacks one is an error.

    Parameters
    ----------
    source
        A file of CSV, TSV, Parquet, JSON lines or Arrow, a folder, a pattern or a list of them, one after the other.
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
    found: list[list[FloatArray]] = [[] for _ in names]
    for file in files:
        try:
            table = whole_table(polars, kind, file)
        except (polars.exceptions.PolarsError, OSError) as error:
            raise InvalidEvidence(f"{file} cannot be read as {kind}: {reason_of(error)}") from error
        if table.is_empty():
            raise InvalidEvidence(f"{file} has a header, but no rows below it.")
        for place, name in enumerate(names):
            if name not in table.columns:
                raise InvalidEvidence(f"{file} has no column {name!r}, but {told(table.columns)}.")
            found[place].append(_numbers(polars, table[name], file))
    return [np.concatenate(parts) for parts in found]


def whole_table(polars: Any, kind: Format, file: Path, rows: int | None = None) -> Any:
    """Return a file (or its first rows); texts are not yet taken for numbers, and blank lines are no rows."""
    if kind == "parquet":
        return polars.read_parquet(file, hive_partitioning=False, n_rows=rows)
    if kind == "ipc":
        return polars.read_ipc_stream(file, n_rows=rows) if is_stream(file) else polars.read_ipc(file, n_rows=rows)
    if kind == "jsonl":
        return polars.read_ndjson(file, infer_schema_length=None).head(rows or 2**32)
    separator = separator_of(file, "" if is_packed(file) else None) or ","  # of a packed file, its name tells
    whole = polars.read_csv(file, separator=separator, infer_schema=False, n_rows=rows)
    whole.columns = header_names(whole.columns)
    return whole.filter(~polars.all_horizontal(polars.all().is_null()))


def _numbers(polars: Any, column: Any, file: Path) -> FloatArray:
    if not (column.dtype.is_numeric() or column.dtype in (polars.String, polars.Boolean, polars.Null)):
        raise InvalidEvidence(f"column {column.name!r} of {file} must hold numbers, but holds {column.dtype}.")
    texts = column.str.strip_chars() if column.dtype == polars.String else column
    numbers = texts.cast(polars.Float64, strict=False)
    wrong = (numbers.is_null() | numbers.is_nan()).arg_true()
    if len(wrong):
        row = int(wrong[0])
        raise InvalidEvidence(
            f"column {column.name!r} of {file} must hold numbers, but row {row + 1} has {column[row]!r}. Leave examples"
            " without a score out of the file, if that has nothing to do with what their score would be."
        )
    return np.asarray(numbers.to_numpy(), dtype=float)
