"""The files that a path stands for, and their format: by suffix, then by content."""

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
_HEAD = 65_536  # bytes by which a format is recognised
_MOST_INSIDE = 200_000  # files searched in a folder; the root of a file system has more
_STREAM = b"\xff\xff\xff\xff"  # how Arrow's stream format begins


def files_of(source: Source) -> list[Path]:
    """Return the files that a path, folder, pattern or list stands for, in order."""
    if not isinstance(source, str | os.PathLike):
        if not isinstance(source, Iterable) or isinstance(source, bytes):
            raise InvalidInput(f"`source` must be a path or a list of paths, got {type(source).__name__}.")
        files = [file for entry in source for file in files_of(entry)]
        if not files:
            raise InvalidInput("`source` must name at least one file, got none.")
        return files
    with raise_path_errors(source):
        files = _files_of_path(source)
    for file in files:
        try:
            str(file).encode()
        except UnicodeEncodeError:  # libraries that read tables accept no other names
            raise InvalidInput(f"the name of a file must be valid UTF-8, got {str(file)!r}. Rename the file.") from None
    return files


@contextmanager
def raise_path_errors(name: object) -> Iterator[None]:
    """Raise InvalidInput for any error of the system: a name too long or invalid, or a lack of permission."""
    try:
        yield
    except TellapartError:
        raise
    except OSError as error:
        raise InvalidInput(f"cannot read {error.filename or name}: {error.strerror or error}.") from error
    except ValueError as error:  # a character that is not allowed in names
        raise InvalidInput(f"{str(name)!r} is not a valid name of a file ({error}).") from error


def path_exists(name: str | os.PathLike[str]) -> bool:
    """Whether a file or a folder exists; raise InvalidInput for an invalid name."""
    with raise_path_errors(name):
        try:
            Path(name).stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
    return True


def files_inside(folder: Path) -> Iterator[Path]:
    """Yield all files in a folder and below, without following links to folders; raise InvalidInput if unreadable."""

    def stop(error: OSError) -> None:
        raise InvalidInput(f"cannot read {error.filename or folder}: {error.strerror or error}.") from error

    count = 0
    for directory, folders, names in os.walk(folder, onerror=stop):
        count += len(folders) + len(names)
        if count > _MOST_INSIDE:
            raise InvalidInput(
                f"{folder} must hold at most {_MOST_INSIDE:,} files, got more. Name a smaller folder, or files."
            )
        yield from (file for file in (Path(directory, name) for name in names) if os.path.isfile(file))  # noqa: PTH113  # never raises


def _files_of_path(source: str | os.PathLike[str]) -> list[Path]:
    path = Path(source)
    if str(source) == "-" or path.is_fifo() or path.is_char_device() or path.is_socket():
        raise InvalidInput(
            f"{source} must be a file, which can be read more than once, got a pipe. Write it to a file first."
        )
    if path.is_dir():
        inside = (file for file in files_inside(path) if not file.name.startswith((".", "_")))  # as table engines do
        files = sorted(file for file in inside if _suffix_of(file) in _SUFFIXES)
        if not files:
            raise InvalidInput(f"the folder {path} must hold a file of {_KNOWN}, got none.")
    elif path.is_file():
        files = [path]
    elif any(sign in str(source) for sign in "*?["):
        # Path.glob would also find hidden files.
        files = sorted(file for file in map(Path, glob(str(source), recursive=True)) if file.is_file())  # noqa: PTH207
        if not files:
            raise InvalidInput(f"no file matches {source}")
    else:
        raise InvalidInput(f"file not found: {source}")
    return files


def format_of(files: Iterable[Path]) -> Format:
    """Return the one format of all these files."""
    kinds: dict[Format, Path] = {}
    for file in files:
        kinds.setdefault(_format_of_file(file), file)
    if len(kinds) > 1:
        (here, first), (there, second) = list(kinds.items())[:2]
        raise InvalidInput(f"all files must have one format, got {here} ({first}) and {there} ({second}).")
    return next(iter(kinds))


def _suffix_of(file: Path) -> str:
    suffixes = [suffix.lower() for suffix in file.suffixes]
    return (suffixes[-2] if len(suffixes) > 1 and suffixes[-1] in _PACKED else suffixes[-1]) if suffixes else ""


def _format_of_file(file: Path) -> Format:
    head = first_bytes(file)
    if not head.strip():
        raise InvalidEvidence(f"file is empty: {file}")
    by_suffix = _SUFFIXES.get(_suffix_of(file))
    if by_suffix in ("parquet", "ipc") or (by_suffix is not None and file.suffix.lower() in _PACKED):
        return by_suffix
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"ARROW1"):
        return "ipc"
    if head.startswith(_STREAM) and by_suffix is None:
        return "ipc"
    if b"\x00" in head:
        raise InvalidEvidence(f"{file} must be {_KNOWN}, got bytes that are not text.")
    if b"\r" in head and b"\n" not in head:
        raise InvalidEvidence(f"{file} must have line ends LF or CR LF, got CR alone. Save it again.")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if by_suffix is None and start.startswith(b"["):
        raise InvalidEvidence(f"{file} must be {_KNOWN}, got one JSON list. Write one object in each line.")
    if by_suffix is None and start.startswith(b"{"):
        return "jsonl"
    if by_suffix is None and separator_of(file, _first_line(head)) is None:
        raise InvalidEvidence(f"{file} must be {_KNOWN}, got a first line without comma or tab.")
    return by_suffix or "csv"


def first_bytes(file: Path, count: int = _HEAD) -> bytes:
    """Return the beginning of a file; raise InvalidInput if it cannot be read.

    Files of size 0 are not opened: some system files, such as /proc/kmsg, block the reader.
    """
    with raise_path_errors(file):
        if not file.stat().st_size:
            return b""
        with file.open("rb") as stream:
            return stream.read(count)


def _first_line(head: bytes) -> str:
    return head.partition(b"\n")[0].decode("utf-8", "replace")


def header_names(names: Iterable[str]) -> list[str]:
    """Return the names in the header of a CSV file; polars leaves quotes within quotes doubled."""
    return [name.replace('""', '"') for name in names]


def is_packed(file: Path) -> bool:
    """Whether a file is compressed."""
    return file.suffix.lower() in _PACKED


def is_stream(file: Path) -> bool:
    """Whether an Arrow file has the stream format, which has no index."""
    return first_bytes(file).startswith(_STREAM)


def ends_blank(file: Path) -> bool:
    """Whether a text file ends with a blank line."""
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - 256))
        end = stream.read()
    return end[len(end.rstrip()) :].count(b"\n") > 1


def separator_of(file: Path, header: str | None = None) -> str | None:
    """Return the separator of columns: a tab for TSV, else the most frequent candidate in the first line."""
    if _suffix_of(file) in (".tsv", ".tab"):
        return "\t"
    header = _first_line(first_bytes(file)) if header is None else header
    most = max((",", "\t", ";"), key=header.count)  # ties go to the comma
    return most if most in header else None
