"""Files that are yet to be written: refused before the work, where it is plain that they cannot be."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InvalidOption

__all__ = ["check_target"]


def check_target(file: str | Path) -> Path:
    """Return the path of a file to be written, or raise InvalidOption if its folder or its name forbids it.

    Examples
    --------
    >>> check_target("nowhere/figure.svg")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: 'nowhere/figure.svg' cannot be written: there is no folder 'nowhere'. Make it first.
    """
    path = Path(file)
    try:
        has_folder, is_folder = path.parent.is_dir(), path.is_dir()
    except OSError as error:  # a name may be too long
        raise InvalidOption(f"{str(file)!r} cannot be written: {error.strerror}.") from error
    if not has_folder:
        raise InvalidOption(f"{str(file)!r} cannot be written: there is no folder {str(path.parent)!r}. Make it first.")
    if not os.access(path.parent, os.W_OK):
        raise InvalidOption(f"{str(file)!r} cannot be written: its folder may not be written to. Take another one.")
    if is_folder:
        raise InvalidOption(f"{str(file)!r} cannot be written: it is a folder. Give the name of a file in it.")
    return path
