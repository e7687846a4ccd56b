"""Atomic writing of files."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from .errors import OutputNotWritten


def folder_trouble(target: Path) -> str:
    """Return why `replace_file` cannot write this file, determined by a trial; empty if it can.

    Permissions are not sufficient: a file system may be read-only, or full.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     folder_trouble(Path(folder) / "note.md"), list(Path(folder).iterdir())
    ('', [])
    """
    try:
        with suppress(FileNotFoundError):
            target.stat()  # a name may be too long
        trial = _part_beside(target)
        trial.touch(exist_ok=False)
        trial.unlink()
    except OSError as error:
        return error.strerror or str(error)
    except ValueError:
        return "the name is not valid"
    return ""


def replace_file(target: Path, text: str) -> None:
    """Write a file atomically: an older version stays until the new one is complete.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     replace_file(Path(folder) / "note.md", "Done.")
    ...     (Path(folder) / "note.md").read_text()
    'Done.'
    """
    part = _part_beside(target)
    try:
        try:
            with part.open("x", encoding="utf-8", newline="\n") as stream:
                if target.exists():  # keep the permissions of the old file
                    part.chmod(target.stat().st_mode & 0o777)
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())  # the content must reach the disk before the name
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise OutputNotWritten(f"{str(target)!r} cannot be written: {error.strerror}.") from error
    except UnicodeEncodeError as error:
        odd = text[error.start]  # a surrogate, from a name that was not UTF-8
        raise OutputNotWritten(f"{str(target)!r} cannot be written: {odd!r} is not valid UTF-8.") from error


def _part_beside(target: Path) -> Path:
    """Return an unpredictable name in the same folder, at which no link can exist."""
    return target.with_name(f".{secrets.token_hex(8)}.part")
