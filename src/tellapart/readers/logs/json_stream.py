"""JSON of any size, read one element at a time.

The standard decoder reads a value that begins at a position in a text. So a window moves over the file, and holds at
most the largest element of the requested list.
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
_LONGEST_REST = 8  # characters after a number that may still belong to it
_LONGEST_WORD = 12  # characters of -Infinity or an escape, which the end of the window may cut
_DEEPEST = 200  # nested lists and objects
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(strict=False)  # models write control characters into logs


class Window:
    """A text file, of which only the part around the current position is in memory."""

    def __init__(self, stream: IO[bytes], where: object, largest: int | None = None) -> None:
        self.where = where
        self._largest = LARGEST_ELEMENT if largest is None else largest
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._text = ""
        self._position = 0
        self._ended = False

    def peek(self) -> str:
        """Return the next character that is not blank; an empty text at the end."""
        while True:
            match = _BLANK.match(self._text, self._position)
            self._position = match.end() if match else self._position
            if self._position < len(self._text):
                return self._text[self._position]
            if not self._read_more():
                return ""

    def take(self, character: str) -> bool:
        """Consume the next character and return True if it is this one."""
        if self.peek() != character or not character:
            return False
        self._position += 1
        return True

    def expect(self, character: str) -> None:
        """Consume the next character; raise InvalidEvidence if it is another one."""
        if not self.take(character):
            raise self.broken(f"expected {character!r}")

    def value(self) -> Any:
        """Return the value at the current position."""
        if not self.peek():
            raise self.broken("it ends too early")
        while True:
            try:
                parsed, end = _DECODER.raw_decode(self._text, self._position)
            except json.JSONDecodeError as error:
                if self._is_wrong(error) or not self._read_more():
                    raise self.broken(f"{error.msg}") from None
                continue
            except RecursionError:
                raise self.broken("it is nested too deeply") from None
            except ValueError:
                raise self.broken("a number has too many digits") from None
            length = end - self._position
            # A number may continue in the next piece: "1", "1.", "1.5e".
            if isinstance(parsed, int | float) and len(self._text) - end < _LONGEST_REST and self._read_more():
                continue
            self._position += length
            return parsed

    def _is_wrong(self, error: json.JSONDecodeError) -> bool:
        """Whether an error does not depend on the text that follows, as it is far from the end of the window."""
        return error.pos + _LONGEST_WORD < len(self._text) and not error.msg.startswith("Unterminated string")

    def skip(self, depth: int = 0) -> None:
        """Skip the value at the current position; lists and objects one element at a time."""
        if depth > _DEEPEST:
            raise self.broken("it is nested too deeply")
        opening = self.peek()
        if opening not in ("[", "{"):
            self.value()
        elif not self._skipped_at_once():
            self.take(opening)
            self._skip_rest("]" if opening == "[" else "}", depth)

    def _skipped_at_once(self) -> bool:
        """Skip a list or object that is completely in the window, which is ten times as fast as by element."""
        try:
            _, self._position = _DECODER.raw_decode(self._text, self._position)
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
        """Yield the elements of the list at the current position."""
        self.expect("[")
        if self.take("]"):
            return
        while True:
            yield self.value()
            if not self.take(","):
                self.expect("]")
                return

    def members(self) -> Iterator[str]:
        """Yield the keys of the object at the current position; the caller reads or skips each value."""
        self.expect("{")
        if self.take("}"):
            return
        while True:
            key = self.value()
            if not isinstance(key, str):
                raise self.broken("a key is not a text")
            self.expect(":")
            yield key
            if not self.take(","):
                self.expect("}")
                return

    def broken(self, why: str) -> InvalidEvidence:
        """Return the error for a file that is not valid JSON."""
        return InvalidEvidence(f"{self.where} must be complete JSON: {why}. Copy the file again.")

    def _read_more(self) -> bool:
        if self._ended:
            return False
        piece = self._stream.read(
            max(_PIECE, len(self._text) - self._position)
        )  # twice as much each time, if an element is long
        self._ended = not piece
        self._text = self._text[self._position :] + self._decoder.decode(piece, final=self._ended)
        self._position = 0
        if len(self._text) > self._largest:
            raise InvalidEvidence(
                f"elements of {self.where} must be at most {self._largest >> 20} MB, got more. Check that it is a log."
            )
        return bool(piece)


def items(stream: IO[bytes], where: object, *path: str) -> Iterator[Any]:
    """Yield the elements of the list at this path of keys, such as "results", "outputs".

    Examples
    --------
    >>> import io
    >>> list(items(io.BytesIO(b'{"n": 2, "samples": [{"id": 1}, {"id": 2}], "rest": []}'), "a.json", "samples"))
    [{'id': 1}, {'id': 2}]
    """
    yield from _items_at(Window(stream, where), path)


def _items_at(window: Window, path: tuple[str, ...]) -> Iterator[Any]:
    if not path:
        yield from window.elements()
        return
    for key in window.members():
        if key == path[0]:
            yield from _items_at(window, path[1:])
        else:
            window.skip()


def lines(stream: IO[bytes], where: object) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines; blank lines are skipped."""
    for number, line in enumerate(iter(lambda: stream.readline(LARGEST_ELEMENT), b""), start=1):
        if len(line) == LARGEST_ELEMENT:
            raise InvalidEvidence(
                f"lines of {where} must be at most {LARGEST_ELEMENT >> 20} MB, got more. Check that it is a log."
            )
        text = line.decode("utf-8-sig", "replace").strip()
        if not text:
            continue
        try:
            record = _DECODER.decode(text)
        except (ValueError, RecursionError):  # also a number of too many digits
            raise InvalidEvidence(f"{where}: line {number} must be complete JSON. Copy the file again.") from None
        if not isinstance(record, dict):
            raise InvalidEvidence(f"{where}: line {number} must be a JSON object.")
        yield record


def first_keys(start: bytes) -> tuple[str, ...]:
    """Return the keys of the first object in the beginning of a file, as far as it contains them.

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
    position = 1
    try:
        while True:
            position = _skip_blank(text, position)
            if text[position] != '"':
                break
            key, position = _DECODER.raw_decode(text, position)
            keys.append(key)
            position = _skip_blank(text, position)
            if text[position] != ":":
                break
            _, position = _DECODER.raw_decode(text, _skip_blank(text, position + 1))
            position = _skip_blank(text, position)
            if text[position] != ",":
                break
            position += 1
    except (ValueError, IndexError, RecursionError):  # the beginning ends inside a value
        pass
    return tuple(keys)


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position
