"""JSON of any size, an element at a time: only what is looked at is held.

The standard decoder reads a value that begins at a place in a text. So a window moves over the file, and holds no
more than the largest element of the list that is asked for.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, Any

from ...errors import InvalidEvidence

_PIECE = 1 << 20  # bytes read at a time
LARGEST_ELEMENT = 1 << 28  # characters of one element, above which a file is refused
_LONGEST_REST = 8  # characters behind a number that may still belong to it
_LONGEST_WORD = 12  # characters of -Infinity, or of an escaped character: one may be cut by the end of the window
_DEEPEST = 200  # lists and objects in each other
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(strict=False)  # logs hold control characters that models wrote


class Window:
    """A text file, of which the part around the present place is held."""

    def __init__(self, stream: IO[bytes], where: object, largest: int | None = None) -> None:
        self.where = where
        self._largest = LARGEST_ELEMENT if largest is None else largest
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._text = ""
        self._place = 0
        self._ended = False

    def peek(self) -> str:
        """Return the next character that is not blank; the empty text at the end."""
        while True:
            match = _BLANK.match(self._text, self._place)
            self._place = match.end() if match else self._place
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._more():
                return ""

    def take(self, wanted: str) -> bool:
        """Move behind the next character if it is this one."""
        if self.peek() != wanted or not wanted:
            return False
        self._place += 1
        return True

    def expect(self, wanted: str) -> None:
        """Move behind the next character, which must be this one."""
        if not self.take(wanted):
            raise self.broken(f"{wanted!r} was expected")

    def value(self) -> Any:
        """Return the value that begins here, whole."""
        if not self.peek():
            raise self.broken("it ends too early")
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._place)
            except json.JSONDecodeError as error:
                if self._is_wrong(error) or not self._more():
                    raise self.broken(f"{error.msg}") from None
                continue
            except RecursionError:
                raise self.broken("it is nested too deeply") from None
            except ValueError:
                raise self.broken("a number has too many digits") from None
            length = end - self._place
            # A number may go on in the next piece: "1", "1.", "1.5e".
            if isinstance(found, int | float) and len(self._text) - end < _LONGEST_REST and self._more():
                continue
            self._place += length
            return found

    def _is_wrong(self, error: json.JSONDecodeError) -> bool:
        """Whether an error is one whatever follows: it stands before the end of what is held."""
        return error.pos + _LONGEST_WORD < len(self._text) and not error.msg.startswith("Unterminated string")

    def skip(self, depth: int = 0) -> None:
        """Move behind the value that begins here; of a list or an object an element at a time."""
        if depth > _DEEPEST:
            raise self.broken("it is nested too deeply")
        opening = self.peek()
        if opening not in ("[", "{"):
            self.value()
        elif not self._skipped_at_once():
            self.take(opening)
            self._skip_rest("]" if opening == "[" else "}", depth)

    def _skipped_at_once(self) -> bool:
        """Move behind a list or an object that is held whole, which is ten times as fast as by its elements."""
        try:
            _, self._place = _DECODER.raw_decode(self._text, self._place)
        except (ValueError, RecursionError):  # also a number of too many digits
            return False
        return True

    def _skip_rest(self, closing: str, depth: int) -> None:
        if self.take(closing):
            return
        while True:
            if closing == "}":
                self.value()
                self.expect(":")
            self.skip(depth + 1)
            if not self.take(","):
                self.expect(closing)
                return

    def elements(self) -> Iterator[Any]:
        """Yield the elements of the list that begins here, one after the other."""
        self.expect("[")
        if self.take("]"):
            return
        while True:
            yield self.value()
            if not self.take(","):
                self.expect("]")
                return

    def members(self) -> Iterator[str]:
        """Yield the keys of the object that begins here; before the next, its value must be taken or skipped."""
        self.expect("{")
        if self.take("}"):
            return
        while True:
            key = self.value()
            if not isinstance(key, str):
                raise self.broken("a key is no text")
            self.expect(":")
            yield key
            if not self.take(","):
                self.expect("}")
                return

    def broken(self, why: str) -> InvalidEvidence:
        """Return the error for a file that is not what it should be."""
        return InvalidEvidence(f"{self.where} is no whole JSON: {why}. Was it cut short, or is it still being written?")

    def _more(self) -> bool:
        if self._ended:
            return False
        piece = self._stream.read(max(_PIECE, len(self._text) - self._place))  # twice as much each time an element asks
        self._ended = not piece
        self._text = self._text[self._place :] + self._decoder.decode(piece, final=self._ended)
        self._place = 0
        if len(self._text) > self._largest:
            raise InvalidEvidence(f"{self.where} has an element of more than {self._largest >> 20} MB. Is it a log?")
        return bool(piece)


def items(stream: IO[bytes], where: object, *path: str) -> Iterator[Any]:
    """Yield the elements of the list at this path of keys, such as "results", "outputs", one after the other.

    Examples
    --------
    >>> import io
    >>> list(items(io.BytesIO(b'{"n": 2, "samples": [{"id": 1}, {"id": 2}], "rest": []}'), "a.json", "samples"))
    [{'id': 1}, {'id': 2}]
    """
    yield from _items(Window(stream, where), path)


def _items(window: Window, path: tuple[str, ...]) -> Iterator[Any]:
    if not path:
        yield from window.elements()
        return
    for key in window.members():
        if key == path[0]:
            yield from _items(window, path[1:])
        else:
            window.skip()


def lines(stream: IO[bytes], where: object) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines; blank lines are passed over."""
    for number, line in enumerate(iter(lambda: stream.readline(LARGEST_ELEMENT), b""), start=1):
        if len(line) == LARGEST_ELEMENT:
            raise InvalidEvidence(f"{where} has a line of more than {LARGEST_ELEMENT >> 20} MB. Is it a log?")
        text = line.decode("utf-8-sig", "replace").strip()
        if not text:
            continue
        try:
            found = _DECODER.decode(text)
        except (ValueError, RecursionError):  # also a number of too many digits
            raise InvalidEvidence(
                f"{where}, line {number}, is no JSON. Was the file cut short, or is it still being written?"
            ) from None
        if not isinstance(found, dict):
            raise InvalidEvidence(f"{where}, line {number}, is no JSON object.")
        yield found


def first_keys(start: bytes) -> tuple[str, ...]:
    """Return the keys of the first object in a file's beginning, as far as that reaches.

    Examples
    --------
    >>> first_keys(b'{"version": 2, "eval": {"task": "x"}, "samples": [{"id"')
    ('version', 'eval', 'samples')
    """
    text = start.decode("utf-8-sig", "replace").lstrip()
    if text.startswith("["):
        text = text[1:].lstrip()
    if not text.startswith("{"):
        return ()
    keys: list[str] = []
    place = 1
    try:
        while True:
            place = _blank(text, place)
            if text[place] != '"':
                break
            key, place = _DECODER.raw_decode(text, place)
            keys.append(key)
            place = _blank(text, place)
            if text[place] != ":":
                break
            _, place = _DECODER.raw_decode(text, _blank(text, place + 1))
            place = _blank(text, place)
            if text[place] != ",":
                break
            place += 1
    except (ValueError, IndexError, RecursionError):  # the beginning ends inside a value
        pass
    return tuple(keys)


def _blank(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return match.end() if match else place
