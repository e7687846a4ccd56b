"""Whether a file is of data sets at all, by what is in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import InvalidInput, import_extra
from ..columns import whole_table
from ..files import clear_paths, files_of, first_bytes, format_of
from .roles import names_data_sets, names_examples

_STORE = b"SQLite format 3\x00"  # how the store of a race begins
_OURS = slice(68, 72)  # where the header of such a file says whose it is
_MARK = b"tell"
_LOOKED_AT = 2_000  # rows by which it is told what a table is of
_LONGEST = 80  # letters that a name may have; a question or a passage has more


def is_race(file: Path) -> bool:
    """Whether a file is the store of a race, or is called so."""
    if not file.is_file():
        return False
    head = first_bytes(file, 100)
    return file.suffix.lower() == ".race" or (head.startswith(_STORE) and head[_OURS] == _MARK)


def races_in(folder: Path) -> list[Path]:
    """Return the stores of races in a folder, in order; what else lies there is let alone."""
    return [file for file in sorted(folder.iterdir()) if not file.name.startswith(".") and is_race(file)]


def holds_races(path: str | Path) -> bool:
    """Whether this is a folder with the stores of races."""
    with clear_paths(path):
        return Path(path).is_dir() and bool(races_in(Path(path)))


def holds_data_sets(path: str | Path, *, all_different: bool = False) -> bool:
    r"""Whether a table of scores has a row for each data set (or each run on one), and not for each example.

    It has if a column is named like a data set and none like an example, or if the first column holds names and is not
    called id, item, question or the like. A folder of races holds data sets, too.

    Parameters
    ----------
    path
        The file or the folder.
    all_different
        Whether, besides, no name may occur twice, as data sets do in runs, and groups of examples.

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
    table = _beginning(Path(path))
    if table is None or not table.columns:
        return False
    columns = [name.strip() for name in table.columns]
    found = names_data_sets(columns)
    if found is None:
        found = columns[0] if _are_names(table.columns[0], table) else None
    elif any(map(names_examples, columns)):
        return False
    return found is not None and not (all_different and _repeats(table, found))


def _beginning(file: Path) -> Any:
    """Return the first rows of a table; None where it cannot be read, which whoever reads it says."""
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


def _repeats(table: Any, name: str) -> bool:
    values = table[next(each for each in table.columns if each.strip() == name)].drop_nulls()
    return bool(values.n_unique() < len(values))
