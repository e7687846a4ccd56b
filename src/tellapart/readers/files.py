"""Which files are meant, and what they are: by suffix, then by what is in them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from glob import glob
from pathlib import Path
from typing import Literal

from ..errors import InvalidEvidence, InvalidInput

__all__ = ["Format", "Source", "ends_blank", "files_of", "format_of", "is_packed", "is_stream", "separator_of"]

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
    ".arrows": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
}
_PACKED = (".gz", ".zst", ".zlib")
_KNOWN = "CSV, TSV, Parquet, JSON lines or Arrow"
_HEAD = 65_536  # bytes that tell what a file is
_STREAM = b"\xff\xff\xff\xff"  # how Arrow's stream format begins


def files_of(source: Source) -> list[Path]:
    """Return the files that a path, a folder, a pattern or a list of them stands for, in order."""
    if not isinstance(source, str | os.PathLike):
        found = [file for each in source for file in files_of(each)]
        if not found:
            raise InvalidInput("source must name at least one file, but is empty.")
        return found
    path = Path(source)
    if str(source) == "-" or path.is_fifo() or path.is_char_device() or path.is_socket():
        raise InvalidInput(f"{source} is a pipe, and a table is read more than once. Write it to a file first.")
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
    if head.startswith(_STREAM) and known is None:
        return "ipc"
    if b"\x00" in head:
        raise InvalidEvidence(f"{file} is neither {_KNOWN}: it holds bytes that are no text.")
    if b"\r" in head and b"\n" not in head:
        raise InvalidEvidence(f"{file} ends its lines with CR alone. Save it with line ends of today (LF or CR LF).")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if known is None and start.startswith(b"["):
        raise InvalidEvidence(f"{file} is one JSON list. Write one object a line (JSON lines), or use CSV or Parquet.")
    if known is None and start.startswith(b"{"):
        return "jsonl"
    if known is None and separator_of(file, _first_line(head)) is None:
        raise InvalidEvidence(f"{file} is neither {_KNOWN}: its first line has no comma and no tab.")
    return known or "csv"


def _first_bytes(file: Path) -> bytes:
    """Return the beginning of a file, or say that it cannot be read."""
    try:
        with file.open("rb") as stream:
            return stream.read(_HEAD)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}.") from error


def _first_line(head: bytes) -> str:
    return head.partition(b"\n")[0].decode("utf-8", "replace")


def is_packed(file: Path) -> bool:
    """Whether a file has to be unpacked to be read."""
    return file.suffix.lower() in _PACKED


def is_stream(file: Path) -> bool:
    """Whether an Arrow file is of the stream format, which has no table of contents."""
    return _first_bytes(file).startswith(_STREAM)


def ends_blank(file: Path) -> bool:
    """Whether a text file ends with a line that holds nothing."""
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - 256))
        end = stream.read()
    return end[len(end.rstrip()) :].count(b"\n") > 1


def separator_of(file: Path, header: str | None = None) -> str | None:
    """Return what stands between the columns: a tab for TSV, else what the first line has most of."""
    if _suffix(file) in (".tsv", ".tab"):
        return "\t"
    header = _first_line(_first_bytes(file)) if header is None else header
    most = max((",", "\t", ";"), key=header.count)  # a draw goes to the comma
    return most if most in header else None
