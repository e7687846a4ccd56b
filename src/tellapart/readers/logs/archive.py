"""Members of a zip file as streams: stored, deflated or zstandard; damaged files and zip bombs are refused.

The standard library keeps an object for each member, and a log has one for each sample; it supports zstandard from
Python 3.14. Here only the members to be read are kept, and their content is read on demand.
"""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, NamedTuple

from ...errors import InvalidEvidence, import_extra

MAGIC = b"PK\x03\x04"  # first bytes of a zip file, and of each member
LARGEST = 1 << 33  # bytes: the largest unpacked size of all members read
STEEPEST = 1000  # the largest ratio of unpacked to packed size of a member
_HARMLESS = 1 << 26  # bytes: up to this unpacked size any ratio is accepted
_WIDEST = 1 << 27  # bytes: the largest window of zstandard
_PIECE = 1 << 20

_LOCAL = struct.Struct("<4s5H3L2H")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_LARGE = struct.Struct("<4sQ2H2L4Q4sLQL")  # the end record of a large file, and its locator
_LOCATOR = 56  # offset of the locator
_LONG = 0xFFFFFFFF  # marks a number that is too large for its field
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_METHODS = {_STORED, _DEFLATED, _ZSTANDARD, 20}  # 20 is an earlier code of zstandard


class Member(NamedTuple):
    """The entry of a member in the table of contents."""

    name: str
    method: int
    locked: bool
    checksum: int
    packed: int
    size: int
    offset: int


class Archive:
    """Selected members of a zip file; the last of several with one name, as in any zip file.

    Examples
    --------
    >>> import tempfile, zipfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "a.zip"
    >>> with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as written:
    ...     written.writestr("kept.json", "[1, 2]")
    ...     written.writestr("left.json", "[3]")
    >>> with Archive(path, lambda name: name.startswith("kept")) as archive:
    ...     list(archive.members), archive.open("kept.json").read()
    (['kept.json'], b'[1, 2]')
    """

    def __init__(self, path: Path, keep: Callable[[str], bool]) -> None:
        self.path = path
        self._file = path.open("rb")
        self._whole = self._file.seek(0, os.SEEK_END)
        self._packed = self._unpacked = 0  # packed and declared bytes of the members opened so far
        try:
            self.members = {member.name: member for member in self._read_contents(keep)}
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def open(self, name: str) -> IO[bytes]:
        """Return a member as a stream, which raises InvalidEvidence at its end if the member is damaged."""
        member = self.members[name]
        self._refuse_unreadable(member)
        self._file.seek(member.offset)
        local = self._file.read(_LOCAL.size)
        if len(local) < _LOCAL.size or not local.startswith(MAGIC):
            raise self._broken_archive(f"{name} is not where its table of contents says")
        *_, name_length, extra_length = _LOCAL.unpack(local)
        start = member.offset + _LOCAL.size + name_length + extra_length
        return io.BufferedReader(_Unpacked(_Slice(self._file, start, member.packed), member, self.path), _PIECE)

    def _refuse_unreadable(self, member: Member) -> None:
        """Raise InvalidEvidence for a member that cannot be read, or is implausibly large."""
        what = f"{self.path}: {member.name}"
        if member.locked:
            raise InvalidEvidence(f"{what} must not be encrypted. Decrypt the file first.")
        if member.method not in _METHODS:
            raise InvalidEvidence(
                f"{what} must be stored, deflated or compressed by zstandard, got method {member.method}."
            )
        if member.offset + _LOCAL.size + member.packed > self._whole:
            raise self._broken_archive(f"{member.name} would extend beyond the end of the file")
        self._unpacked += member.size
        if self._unpacked > LARGEST:
            raise InvalidEvidence(
                f"members of {self.path} must unpack to at most {LARGEST >> 30} GB, got"
                f" {self._unpacked / 2**30:.1f} GB."
            )
        if member.size > max(_HARMLESS, STEEPEST * member.packed):
            raise InvalidEvidence(
                f"{what} must unpack to at most {STEEPEST} times its size, got {member.packed} to"
                f" {member.size} bytes: this"
                " is a zip bomb."
            )
        self._packed += member.packed
        if self._packed > self._whole:
            raise InvalidEvidence(f"{what} must not overlap with other members: this is a zip bomb.")

    def _read_contents(self, keep: Callable[[str], bool]) -> list[Member]:
        start, length, shift = self._find_contents()
        self._file.seek(start)
        kept = []
        while length >= _ENTRY.size:
            fixed = self._file.read(_ENTRY.size)
            if len(fixed) < _ENTRY.size or not fixed.startswith(b"PK\x01\x02"):
                raise self._broken_archive("its table of contents is damaged")
            fields = _ENTRY.unpack(fixed)
            flags, method, checksum, packed, size = fields[3], fields[4], fields[7], fields[8], fields[9]
            name_length, extra_length, comment_length, offset = *fields[10:13], fields[16]
            rest = self._file.read(name_length + extra_length + comment_length)
            name = rest[:name_length].decode("utf-8", "replace")
            length -= _ENTRY.size + name_length + extra_length + comment_length
            if keep(name):
                size, packed, offset = _read_long_numbers(
                    rest[name_length : name_length + extra_length], [size, packed, offset]
                )
                kept.append(Member(name, method, bool(flags & 1), checksum, packed, size, offset + shift))
        return kept

    def _find_contents(self) -> tuple[int, int, int]:
        """Return the start and length of the table of contents, and the shift of all offsets."""
        tail_start = max(0, self._whole - _END.size - 0xFFFF)  # a comment may follow the end record
        self._file.seek(tail_start)
        tail = self._file.read()
        end_record = tail.rfind(b"PK\x05\x06")
        if end_record < 0 or len(tail) - end_record < _END.size:
            raise self._broken_archive("the table of contents at its end is missing")
        *_, length, start, _ = _END.unpack_from(tail, end_record)
        end = tail_start + end_record
        self._file.seek(max(0, end - _LARGE.size))
        large = self._file.read(_LARGE.size)
        if len(large) == _LARGE.size and large[_LOCATOR:].startswith(
            b"PK\x06\x07"
        ):  # numbers too large for the end record
            if not large.startswith(b"PK\x06\x06"):
                raise self._broken_archive("the end of its table of contents is damaged")
            length, start = _LARGE.unpack(large)[8:10]
            end -= _LARGE.size
        shift = end - length - start  # not 0 if bytes precede the zip file
        if shift < 0:
            raise self._broken_archive("its table of contents would begin before the file")
        return start + shift, length, shift

    def _broken_archive(self, why: str) -> InvalidEvidence:
        return InvalidEvidence(f"{self.path} must be a complete zip file: {why}. Copy the file again.")


def _read_long_numbers(extra: bytes, numbers: list[int]) -> list[int]:
    """Return size, packed size and offset; those too large for their fields are read from the extra part."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        if kind == 1:
            waiting = [i for i, number in enumerate(numbers) if number == _LONG]
            for i, value in zip(waiting, struct.iter_unpack("<Q", extra[4 : 4 + length // 8 * 8]), strict=False):
                numbers[i] = value[0]
        extra = extra[4 + length :]
    return numbers


class _Slice:
    """A part of a file, from an offset on; several slices can be read in turn."""

    def __init__(self, file: IO[bytes], start: int, length: int) -> None:
        self._file, self._offset, self._end = file, start, start + length

    def read(self, size: int = -1) -> bytes:
        left = self._end - self._offset
        self._file.seek(self._offset)
        piece = self._file.read(left if size < 0 else min(size, left))
        self._offset += len(piece)
        return piece


class _Inflated:
    """The unpacked content of a deflated slice, read on demand."""

    def __init__(self, packed: _Slice) -> None:
        self._packed, self._engine = packed, zlib.decompressobj(-zlib.MAX_WBITS)

    def read(self, size: int) -> bytes:
        while not self._engine.eof:
            piece = self._engine.unconsumed_tail or self._packed.read(_PIECE)
            unpacked = self._engine.decompress(piece, size)
            if unpacked or not piece:
                return unpacked
        return b""


class _Unpacked(io.RawIOBase):
    """The unpacked content of a member, with its length and checksum verified."""

    def __init__(self, packed: _Slice, member: Member, path: Path) -> None:
        self._member, self._path = member, path
        self._length, self._checksum = 0, 0
        self._unpack_errors: tuple[type[Exception], ...] = (zlib.error,)
        self._source: Any = packed
        if member.method == _DEFLATED:
            self._source = _Inflated(packed)
        elif member.method != _STORED:
            zstandard = import_extra("zstandard", "logs")
            self._unpack_errors = (zstandard.ZstdError,)
            engine = zstandard.ZstdDecompressor(max_window_size=_WIDEST)
            self._source = engine.stream_reader(packed, read_across_frames=True, closefd=False)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            piece = self._source.read(len(buffer))
        except self._unpack_errors as error:
            raise self._damaged_member(str(error)) from None
        self._length += len(piece)
        self._checksum = zlib.crc32(piece, self._checksum)
        if self._length > self._member.size:
            raise self._damaged_member(f"it unpacks to more than the {self._member.size} bytes it declares")
        if not piece and (self._length, self._checksum) != (self._member.size, self._member.checksum):
            short = self._length < self._member.size
            raise self._damaged_member("it ends too early" if short else "its checksum differs")
        buffer[: len(piece)] = piece
        return len(piece)

    def _damaged_member(self, why: str) -> InvalidEvidence:
        return InvalidEvidence(f"{self._path}: {self._member.name} must be undamaged: {why}. Copy the file again.")
