"""Which files are meant, and what they are: by suffix, then by what is in them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from glob import glob
from pathlib import Path
from typing import Literal

from ..errors import InvalidEvidence, InvalidInput

__all__ = ["Format", "Source", "files_of", "format_of", "separator_of"]

Format = Literal["csv", "parquet", "jsonl", "ipc"]
Source = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

_SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".arrow": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
}
_PACKED = (".gz", ".zst", ".zlib")
_KNOWN = "CSV, TSV, Parquet, JSON lines or Arrow"
_HEAD = 65_536  # bytes that tell what a file is


def files_of(source: Source) -> list[Path]:
    """Return the files that a path, a folder, a pattern or a list of them stands for, in order."""
    if not isinstance(source, str | os.PathLike):
        found = [file for each in source for file in files_of(each)]
        if not found:
            raise InvalidInput("source must name at least one file, but is empty.")
        return found
    path = Path(source)
    if path.is_dir():
        inside = (file for file in path.rglob("*") if not file.name.startswith((".", "_")))  # as engines hide theirs
        found = sorted(file for file in inside if file.is_file() and _suffix(file) in _SUFFIXES)
        if not found:
            raise InvalidInput(f"{path} is a folder without a file of {_KNOWN}.")
    elif path.is_file():
        found = [path]
    elif any(sign in str(source) for sign in "*?["):
        # Path.glob would find hidden files, too.
        found = sorted(file for file in map(Path, glob(str(source), recursive=True)) if file.is_file())  # noqa: PTH207
        if not found:
            raise InvalidInput(f"{source} matches no file.")
    else:
        raise InvalidInput(f"{source} is not there. Is the path right?")
    return found


def format_of(files: Iterable[Path]) -> Format:
    """Return the one format of all these files."""
    kinds: dict[Format, Path] = {}
    for file in files:
        kinds.setdefault(_format(file), file)
    if len(kinds) > 1:
        (here, first), (there, second) = list(kinds.items())[:2]
        raise InvalidInput(f"files must be of one format, but {first} is {here} and {second} {there}.")
    return next(iter(kinds))


def _suffix(file: Path) -> str:
    suffixes = [suffix.lower() for suffix in file.suffixes]
    return (suffixes[-2] if len(suffixes) > 1 and suffixes[-1] in _PACKED else suffixes[-1]) if suffixes else ""


def _format(file: Path) -> Format:
    head = _first_bytes(file)
    if not head.strip():
        raise InvalidEvidence(f"{file} is empty.")
    known = _SUFFIXES.get(_suffix(file))
    if known in ("parquet", "ipc") or (known is not None and file.suffix.lower() in _PACKED):
        return known
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"ARROW1"):
        return "ipc"
    if b"\x00" in head:
        raise InvalidEvidence(f"{file} is neither {_KNOWN}: it holds bytes that are no text.")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if known is None and start.startswith(b"["):
        raise InvalidEvidence(f"{file} is one JSON list. Write one object a line (JSON lines), or use CSV or Parquet.")
    if known is None and start.startswith(b"{"):
        return "jsonl"
    if known is None and separator_of(file) is None:
        raise InvalidEvidence(f"{file} is neither {_KNOWN}: its first line has no comma and no tab.")
    return known or "csv"


def _first_bytes(file: Path) -> bytes:
    """Return the beginning of a file, or say that it cannot be read."""
    try:
        with file.open("rb") as stream:
            return stream.read(_HEAD)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}.") from error


def separator_of(file: Path) -> str | None:
    """Return what stands between the columns: a tab for TSV, else what the first line has most of."""
    if _suffix(file) in (".tsv", ".tab"):
        return "\t"
    if file.suffix.lower() in _PACKED:
        return ","
    header = _first_bytes(file).partition(b"\n")[0].decode("utf-8", "replace")
    most = max((",", "\t", ";"), key=header.count)  # a draw goes to the comma
    return most if most in header else None
