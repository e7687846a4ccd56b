"""Whether a file holds scores by data set, recognised by its content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import InvalidInput, import_extra
from ..columns import whole_table
from ..files import files_of, first_bytes, format_of, raise_path_errors
from .roles import names_data_sets, names_examples

_STORE = b"SQLite format 3\x00"  # first bytes of the store of a race
_APPLICATION_ID = slice(68, 72)  # bytes of the header with the application id
_MARK = b"tell"
_LOOKED_AT = 2_000  # rows by which a table is recognised
_LONGEST = 80  # characters of a name; a question or a passage has more


def is_race(file: Path) -> bool:
    """Whether a file is the store of a race, by content or suffix."""
    if not file.is_file():
        return False
    head = first_bytes(file, 100)
    return file.suffix.lower() == ".race" or (head.startswith(_STORE) and head[_APPLICATION_ID] == _MARK)


def races_in(folder: Path) -> list[Path]:
    """Return the stores of races in a folder, in order; other files are ignored."""
    return [file for file in sorted(folder.iterdir()) if not file.name.startswith(".") and is_race(file)]


def holds_races(path: str | Path) -> bool:
    """Whether this is a folder with stores of races."""
    with raise_path_errors(path):
        return Path(path).is_dir() and bool(races_in(Path(path)))


def holds_data_sets(path: str | Path, *, all_different: bool = False) -> bool:
    r"""Whether a table of scores has a row for each data set (or each run on one), and not for each example.

    It has if a column is named like a data set and none like an example, or if the first column holds names and is not
    called id, item or question. A folder of races holds data sets as well.

    Parameters
    ----------
    path
        The file or the folder.
    all_different
        Whether, in addition, no name may occur twice, as data sets with runs and groups of examples do.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "scores.csv")
    ...     _ = file.write_text("id,old,new\n1,0.5,0.7\n")
    ...     by_example = holds_data_sets(file)
    ...     _ = file.write_text("dataset,nb,tree\niris,0.95,0.94\n")
    ...     by_example, holds_data_sets(file)
    (False, True)
    """
    if holds_races(path):
        return True
    if not Path(path).is_file():
        return False
    table = _read_first_rows(Path(path))
    if table is None or not table.columns:
        return False
    columns = [name.strip() for name in table.columns]
    datasets = names_data_sets(columns)
    if datasets is None:
        datasets = columns[0] if _are_names(table.columns[0], table) else None
    elif any(map(names_examples, columns)):
        return False
    return datasets is not None and not (all_different and _has_repeats(table, datasets))


def _read_first_rows(file: Path) -> Any:
    """Return the first rows of a table; None if it cannot be read, which reading it will report."""
    polars = import_extra("polars", "tables")
    try:
        return whole_table(polars, format_of(files_of(file)), file, rows=_LOOKED_AT)
    except (polars.exceptions.PolarsError, OSError, InvalidInput):
        return None


def _are_names(name: str, table: Any) -> bool:
    """Whether the first column holds texts that could be the names of data sets."""
    column = table[name]
    if names_examples(name, first=True) or not str(column.dtype).startswith("String"):
        return False
    texts = [text.strip() for text in column.drop_nulls().to_list()]
    return any(not _is_number(text) for text in texts) and all(len(text) <= _LONGEST for text in texts)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _has_repeats(table: Any, name: str) -> bool:
    values = table[next(column for column in table.columns if column.strip() == name)].drop_nulls()
    return bool(values.n_unique() < len(values))
