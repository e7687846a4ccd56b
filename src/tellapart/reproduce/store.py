"""A file of what was measured: whatever is in it is not measured again."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidOption, OutputNotWritten, StoreMismatch

Found = dict[str, NDArray[Any]]  # what was measured, by name


class Store:
    """A file of finished blocks: what is in it is not computed again.

    Parameters
    ----------
    path
        Where; made if it is not there, added to if it is.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/blocks.sqlite") as store:
    ...     store.put("key", {"rate": np.array([0.5])})
    ...     store.get("key"), store.get("another")
    ({'rate': array([0.5])}, None)
    """

    _MARK = 0x7E11AB  # in the file's head: ours, and no other program's

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            has_folder = self.path.parent.is_dir()
            fresh = not self.path.exists() or not self.path.stat().st_size
        except (OSError, ValueError) as error:  # a name may be too long, or hold what no name may
            why = getattr(error, "strerror", None) or error
            raise InvalidOption(f"{str(path)!r} cannot be opened ({why}). Name another file.") from error
        if not has_folder:
            raise InvalidOption(f"{str(path)!r} cannot be written: there is no folder {str(self.path.parent)!r}.")
        try:
            self._connection = sqlite3.connect(self.path, isolation_level=None)
        except sqlite3.Error as error:  # a folder, say
            raise InvalidOption(f"{str(path)!r} cannot be opened ({error}). Name another file.") from error
        try:
            self._open(fresh)
        except StoreMismatch:
            self.close()
            raise
        except sqlite3.DatabaseError as error:
            self.close()
            raise InvalidInput(f"{str(path)!r} is no store of blocks ({error}). Name another file.") from error

    def _open(self, fresh: bool) -> None:
        """Make the file one of ours if it is new, and refuse somebody else's."""
        mark = self._connection.execute("PRAGMA application_id").fetchone()[0]
        if not fresh and mark != self._MARK:
            raise StoreMismatch(f"{str(self.path)!r} is not a store of blocks of exhibits. Name another file.")
        self._connection.execute(f"PRAGMA application_id = {self._MARK}")
        self._connection.execute("CREATE TABLE IF NOT EXISTS blocks (key TEXT PRIMARY KEY, found BLOB NOT NULL)")

    def get(self, key: str) -> Found | None:
        """Return what was found under a key, if it is there."""
        with closing(self._connection.execute("SELECT found FROM blocks WHERE key = ?", (key,))) as cursor:
            row = cursor.fetchone()
        if row is None:
            return None
        with np.load(io.BytesIO(row[0]), allow_pickle=False) as held:
            return {name: held[name] for name in held.files}

    def put(self, key: str, found: Found) -> None:
        """Keep what was found, for good."""
        file = io.BytesIO()
        np.savez_compressed(file, **found)  # type: ignore[arg-type]  # NumPy's stubs know no names
        try:
            self._connection.execute("INSERT OR REPLACE INTO blocks VALUES (?, ?)", (key, file.getvalue()))
        except sqlite3.Error as error:  # the disk is full, say
            told = f"{str(self.path)!r} cannot be written ({error}). What is in it is kept: make room, and run again."
            raise OutputNotWritten(told) from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
