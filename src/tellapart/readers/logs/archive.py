"""Members of a zip file as streams: stored, deflated or packed by zstandard; ruins and bombs are refused.

The standard library holds an object for each member, of which a log has one a sample, and knows zstandard from Python
3.14 on. Here only the members that will be read are held, and of their content no more than is asked for.
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

MAGIC = b"PK\x03\x04"  # how a zip file, and each member in it, begins
LARGEST = 1 << 33  # bytes that all members read together may unpack to
STEEPEST = 1000  # times its own size that a member may unpack to, when that is
_HARMLESS = 1 << 26  # more bytes than these
_WIDEST = 1 << 27  # bytes that zstandard may look back
_PIECE = 1 << 20

_LOCAL = struct.Struct("<4s5H3L2H")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_LARGE = struct.Struct("<4sQ2H2L4Q4sLQL")  # the end of a large file, and the record that says where it is
_LOCATOR = 56  # where in it that record begins
_LONG = 0xFFFFFFFF  # stands where a number is too long for its field
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_METHODS = {_STORED, _DEFLATED, _ZSTANDARD, 20}  # zstandard was 20 for a while


class Member(NamedTuple):
    """Where a member lies, and what the table of contents says of it."""

    name: str
    method: int
    locked: bool
    checksum: int
    packed: int
    size: int
    place: int


class Archive:
    """The members of a zip file that are asked for; of several of one name the last, as in any zip file.

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
        self._packed = self._unpacked = 0  # bytes that the members opened so far take, and declare
        try:
            self.members = {member.name: member for member in self._contents(keep)}
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def open(self, name: str) -> IO[bytes]:
        """Return a member as a stream, which tells at its end if it was damaged."""
        member = self.members[name]
        self._admit(member)
        self._file.seek(member.place)
        local = self._file.read(_LOCAL.size)
        if len(local) < _LOCAL.size or not local.startswith(MAGIC):
            raise self._ruined(f"{name} is not where its table of contents says")
        *_, name_length, extra_length = _LOCAL.unpack(local)
        start = member.place + _LOCAL.size + name_length + extra_length
        return io.BufferedReader(_Unpacked(_Slice(self._file, start, member.packed), member, self.path), _PIECE)

    def _admit(self, member: Member) -> None:
        """Refuse what cannot be read, and what unpacks to more than anybody would write."""
        what = f"{self.path}: {member.name}"
        if member.locked:
            raise InvalidEvidence(f"{what} is encrypted. Unlock the file first.")
        if member.method not in _METHODS:
            raise InvalidEvidence(
                f"{what} is packed by method {member.method}, and only stored, deflate and zstandard are read."
            )
        if member.place + _LOCAL.size + member.packed > self._whole:
            raise self._ruined(f"{member.name} would go on behind its end")
        self._unpacked += member.size
        if self._unpacked > LARGEST:
            raise InvalidEvidence(
                f"{what} would unpack to {self._unpacked / 2**30:.1f} GB with what was read before it, and at most "
                f"{LARGEST >> 30} GB are read."
            )
        if member.size > max(_HARMLESS, STEEPEST * member.packed):
            raise InvalidEvidence(
                f"{what} would unpack from {member.packed} to {member.size} bytes, more than {STEEPEST} times its "
                "size: this is a bomb, and no log."
            )
        self._packed += member.packed
        if self._packed > self._whole:
            raise InvalidEvidence(f"{what} shares its bytes with other members: this is a bomb, and no log.")

    def _contents(self, keep: Callable[[str], bool]) -> list[Member]:
        start, length, shift = self._table()
        self._file.seek(start)
        kept = []
        while length >= _ENTRY.size:
            fixed = self._file.read(_ENTRY.size)
            if len(fixed) < _ENTRY.size or not fixed.startswith(b"PK\x01\x02"):
                raise self._ruined("its table of contents is damaged")
            fields = _ENTRY.unpack(fixed)
            flags, method, checksum, packed, size = fields[3], fields[4], fields[7], fields[8], fields[9]
            name_length, extra_length, comment_length, place = *fields[10:13], fields[16]
            rest = self._file.read(name_length + extra_length + comment_length)
            name = rest[:name_length].decode("utf-8", "replace")
            length -= _ENTRY.size + name_length + extra_length + comment_length
            if keep(name):
                size, packed, place = _long(rest[name_length : name_length + extra_length], [size, packed, place])
                kept.append(Member(name, method, bool(flags & 1), checksum, packed, size, place + shift))
        return kept

    def _table(self) -> tuple[int, int, int]:
        """Return where the table of contents begins, its length, and by how much all places are shifted."""
        tail_start = max(0, self._whole - _END.size - 0xFFFF)  # behind the end stands a comment, at most
        self._file.seek(tail_start)
        tail = self._file.read()
        found = tail.rfind(b"PK\x05\x06")
        if found < 0 or len(tail) - found < _END.size:
            raise self._ruined("the table of contents that stands at its end is missing")
        *_, length, start, _ = _END.unpack_from(tail, found)
        end = tail_start + found
        self._file.seek(max(0, end - _LARGE.size))
        large = self._file.read(_LARGE.size)
        if len(large) == _LARGE.size and large[_LOCATOR:].startswith(b"PK\x06\x07"):  # numbers too long for the end
            if not large.startswith(b"PK\x06\x06"):
                raise self._ruined("the end of its table of contents is damaged")
            length, start = _LARGE.unpack(large)[8:10]
            end -= _LARGE.size
        shift = end - length - start  # of a file that something was put before
        if shift < 0:
            raise self._ruined("its table of contents would begin before the file")
        return start + shift, length, shift

    def _ruined(self, why: str) -> InvalidEvidence:
        return InvalidEvidence(
            f"{self.path} is no whole zip file: {why}. Was it cut short, or is it still being written?"
        )


def _long(extra: bytes, numbers: list[int]) -> list[int]:
    """Return size, packed size and place, of which those too long for their field stand in the extra part."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        if kind == 1:
            waiting = [i for i, number in enumerate(numbers) if number == _LONG]
            for i, value in zip(waiting, struct.iter_unpack("<Q", extra[4 : 4 + length // 8 * 8]), strict=False):
                numbers[i] = value[0]
        extra = extra[4 + length :]
    return numbers


class _Slice:
    """The bytes of a file from a place on, so many and no more; several slices may be read in turn."""

    def __init__(self, file: IO[bytes], start: int, length: int) -> None:
        self._file, self._place, self._end = file, start, start + length

    def read(self, size: int = -1) -> bytes:
        left = self._end - self._place
        self._file.seek(self._place)
        piece = self._file.read(left if size < 0 else min(size, left))
        self._place += len(piece)
        return piece


class _Inflated:
    """What a deflated slice unpacks to, as much at a time as is asked for."""

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
    """A member unpacked, its length and checksum held against what the table of contents says."""

    def __init__(self, packed: _Slice, member: Member, path: Path) -> None:
        self._member, self._path = member, path
        self._length, self._checksum = 0, 0
        self._trouble: tuple[type[Exception], ...] = (zlib.error,)
        self._source: Any = packed
        if member.method == _DEFLATED:
            self._source = _Inflated(packed)
        elif member.method != _STORED:
            zstandard = import_extra("zstandard", "logs")
            self._trouble = (zstandard.ZstdError,)
            engine = zstandard.ZstdDecompressor(max_window_size=_WIDEST)
            self._source = engine.stream_reader(packed, read_across_frames=True, closefd=False)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            piece = self._source.read(len(buffer))
        except self._trouble as error:
            raise self._damaged(str(error)) from None
        self._length += len(piece)
        self._checksum = zlib.crc32(piece, self._checksum)
        if self._length > self._member.size:
            raise self._damaged(f"it unpacks to more than the {self._member.size} bytes it declares")
        if not piece and (self._length, self._checksum) != (self._member.size, self._member.checksum):
            short = self._length < self._member.size
            raise self._damaged("it ends too early" if short else "its checksum is another")
        buffer[: len(piece)] = piece
        return len(piece)

    def _damaged(self, why: str) -> InvalidEvidence:
        return InvalidEvidence(f"{self._path}: {self._member.name} is damaged: {why}. Copy the file again.")
