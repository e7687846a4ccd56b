"""Which files are meant, and what they are: by suffix, then by what is in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Literal

from ..errors import InvalidEvidence, InvalidInput, TellapartError

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
_MOST_INSIDE = 200_000  # files to look through in a folder; the root of a machine has more
_STREAM = b"\xff\xff\xff\xff"  # how Arrow's stream format begins


def files_of(source: Source) -> list[Path]:
    """Return the files that a path, a folder, a pattern or a list of them stands for, in order."""
    if not isinstance(source, str | os.PathLike):
        if not isinstance(source, Iterable) or isinstance(source, bytes):
            raise InvalidInput(f"source must be a path, or a list of paths, but is {type(source).__name__}.")
        found = [file for each in source for file in files_of(each)]
        if not found:
            raise InvalidInput("source must name at least one file, but is empty.")
        return found
    with clear_paths(source):
        found = _files_of_path(source)
    for file in found:
        try:
            str(file).encode()
        except UnicodeEncodeError:  # the readers of tables take no other names
            raise InvalidInput(f"the name of {str(file)!r} is not valid UTF-8. Rename the file.") from None
    return found


@contextmanager
def clear_paths(name: object) -> Iterator[None]:
    """Tell in one line what the system has against a path: a name that is too long, or none, or closed to us."""
    try:
        yield
    except TellapartError:
        raise
    except OSError as error:
        raise InvalidInput(f"{error.filename or name} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:  # a name with a character that no name may have
        raise InvalidInput(f"{str(name)!r} is no name for a file ({error}).") from error


def is_there(name: str | os.PathLike[str]) -> bool:
    """Whether a file or a folder is there; a name that no file can have is refused."""
    with clear_paths(name):
        try:
            Path(name).stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
    return True


def files_inside(folder: Path) -> Iterator[Path]:
    """Yield all files in a folder and in those below it, but not behind links to folders; refuse one it cannot read."""

    def stop(error: OSError) -> None:
        raise InvalidInput(f"{error.filename or folder} cannot be read: {error.strerror or error}.") from error

    count = 0
    for place, folders, names in os.walk(folder, onerror=stop):
        count += len(folders) + len(names)
        if count > _MOST_INSIDE:
            raise InvalidInput(f"{folder} holds more than {_MOST_INSIDE:,} files. Name a smaller folder, or the files.")
        yield from (file for file in (Path(place, name) for name in names) if os.path.isfile(file))  # noqa: PTH113  # never an error


def _files_of_path(source: str | os.PathLike[str]) -> list[Path]:
    path = Path(source)
    if str(source) == "-" or path.is_fifo() or path.is_char_device() or path.is_socket():
        raise InvalidInput(f"{source} is a pipe, and a table is read more than once. Write it to a file first.")
    if path.is_dir():
        inside = (file for file in files_inside(path) if not file.name.startswith((".", "_")))  # as engines hide theirs
        found = sorted(file for file in inside if _suffix(file) in _SUFFIXES)
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
    head = first_bytes(file)
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


def first_bytes(file: Path, count: int = _HEAD) -> bytes:
    """Return the beginning of a file, or say that it cannot be read.

    What says that it is empty is not opened: some files of the system, such as /proc/kmsg, keep a reader waiting.
    """
    with clear_paths(file):
        if not file.stat().st_size:
            return b""
        with file.open("rb") as stream:
            return stream.read(count)


def _first_line(head: bytes) -> str:
    return head.partition(b"\n")[0].decode("utf-8", "replace")


def header_names(names: Iterable[str]) -> list[str]:
    """Return the names in the header of a CSV file, in which polars leaves a quote inside quotes doubled."""
    return [name.replace('""', '"') for name in names]


def is_packed(file: Path) -> bool:
    """Whether a file has to be unpacked to be read."""
    return file.suffix.lower() in _PACKED


def is_stream(file: Path) -> bool:
    """Whether an Arrow file is of the stream format, which has no table of contents."""
    return first_bytes(file).startswith(_STREAM)


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
    header = _first_line(first_bytes(file)) if header is None else header
    most = max((",", "\t", ";"), key=header.count)  # a draw goes to the comma
    return most if most in header else None
