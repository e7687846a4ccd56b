"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from .errors import OutputNotWritten


def folder_trouble(target: Path) -> str:
    """Return why `replace_file` could not write a file at this place, found out by a trial; nothing if it could.

    Permissions alone do not tell: a file system may be read-only, or have no room for new files.

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
        return "that is no name for a file"
    return ""


def replace_file(target: Path, text: str) -> None:
    """Write a file as a whole or not at all: nobody opens half a report, and an old one stays until then.

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
                if target.exists():  # whoever could not read the old page cannot read the new one
                    part.chmod(target.stat().st_mode & 0o777)
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())  # a name must not reach the disk before what it names
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise OutputNotWritten(f"{str(target)!r} cannot be written: {error.strerror}.") from error
    except UnicodeEncodeError as error:
        odd = text[error.start]  # half a character, from a name that was no UTF-8
        raise OutputNotWritten(f"{str(target)!r} cannot be written: {odd!r} is not valid UTF-8.") from error


def _part_beside(target: Path) -> Path:
    """Return a name in the same folder that nobody can have put a link at."""
    return target.with_name(f".{secrets.token_hex(8)}.part")
