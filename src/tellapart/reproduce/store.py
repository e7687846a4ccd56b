"""A file of finished blocks, which are not measured again."""

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

Found = dict[str, NDArray[Any]]  # measured values, by name


class Store:
    """A file of finished blocks, which are not computed again.

    Parameters
    ----------
    path
        The file; created if missing, else extended.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/blocks.sqlite") as store:
    ...     store.put("key", {"rate": np.array([0.5])})
    ...     store.get("key"), store.get("another")
    ({'rate': array([0.5])}, None)
    """

    _MARK = 0x7E11AB  # application id in the header of the file

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            has_folder = self.path.parent.is_dir()
            fresh = not self.path.exists() or not self.path.stat().st_size
        except (OSError, ValueError) as error:  # an invalid name, or one that is too long
            why = getattr(error, "strerror", None) or error
            raise InvalidOption(f"cannot open {path} ({why}). Name another file.") from error
        if not has_folder:
            raise InvalidOption(f"folder not found: {self.path.parent}")
        try:
            self._connection = sqlite3.connect(self.path, isolation_level=None)
        except sqlite3.Error as error:  # such as a folder
            raise InvalidOption(f"cannot open {path} ({error}). Name another file.") from error
        try:
            self._claim_file(fresh)
        except StoreMismatch:
            self.close()
            raise
        except sqlite3.DatabaseError as error:
            self.close()
            raise InvalidInput(f"{path} must be a store of blocks ({error}). Name another file.") from error

    def _claim_file(self, fresh: bool) -> None:
        """Mark a new file as a store; raise StoreMismatch for another program's file."""
        mark = self._connection.execute("PRAGMA application_id").fetchone()[0]
        if not fresh and mark != self._MARK:
            raise StoreMismatch(f"{self.path} must be a store of blocks of exhibits. Name another file.")
        self._connection.execute(f"PRAGMA application_id = {self._MARK}")
        self._connection.execute("CREATE TABLE IF NOT EXISTS blocks (key TEXT PRIMARY KEY, found BLOB NOT NULL)")

    def get(self, key: str) -> Found | None:
        """Return the values stored under a key, if any."""
        with closing(self._connection.execute("SELECT found FROM blocks WHERE key = ?", (key,))) as cursor:
            row = cursor.fetchone()
        if row is None:
            return None
        with np.load(io.BytesIO(row[0]), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}

    def put(self, key: str, blocks: Found) -> None:
        """Write values under a key."""
        file = io.BytesIO()
        np.savez_compressed(file, **blocks)  # type: ignore[arg-type]  # NumPy's stubs know no names
        try:
            self._connection.execute("INSERT OR REPLACE INTO blocks VALUES (?, ?)", (key, file.getvalue()))
        except sqlite3.Error as error:  # such as a full disk
            message = f"cannot write {self.path} ({error}). Finished blocks are kept; free some space and run again."
            raise OutputNotWritten(message) from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
