"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from .errors import InvalidOption

__all__ = ["replace_file"]


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
    part = target.with_name(f".{secrets.token_hex(8)}.part")  # a name that nobody can have put a link at
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
        raise InvalidOption(f"{str(target)!r} cannot be written: {error.strerror}.") from error
