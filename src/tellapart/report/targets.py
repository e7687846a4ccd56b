"""Checks of output files before the work begins."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InvalidOption
from ..replacing import folder_trouble


def check_target(file: str | Path, *, in_place: bool = False) -> Path:
    """Return the path of a file to be written, or raise InvalidOption if its folder or its name forbids it.

    With `in_place` a file that is already there is opened and written to, so its folder does not matter.

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
    except (OSError, ValueError) as error:  # the name may be too long or have characters that no name may have
        reason = getattr(error, "strerror", None) or "that is no name for a file"
        raise InvalidOption(f"{str(file)!r} cannot be written: {reason}. Give another name.") from error
    if not has_folder:
        raise InvalidOption(f"{str(file)!r} cannot be written: there is no folder {str(path.parent)!r}. Make it first.")
    if is_folder:
        raise InvalidOption(f"{str(file)!r} cannot be written: it is a folder. Give the name of a file in it.")
    if in_place and path.exists():
        return path
    if not os.access(path.parent, os.W_OK):
        raise InvalidOption(f"{str(file)!r} cannot be written: its folder may not be written to. Take another one.")
    if trouble := folder_trouble(path):
        raise InvalidOption(f"{str(file)!r} cannot be written: {trouble}. Use another path.")
    return path
