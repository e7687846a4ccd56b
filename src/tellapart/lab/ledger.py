"""File of finished trials, so that none is simulated twice.

The first line says what is measured; each line after it holds the tally of one block of trials, or the sum of the first
so many. A line that was cut off when the program was ended is not counted, and its block is drawn again. Lines are
added, and now and then the first blocks are summed up, so that the file stays small however many trials there are.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidInput, InvalidOption, OutputNotWritten, StoreMismatch
from ..typing_ import FloatArray
from .tally import Tally

Tallies = dict[str, Tally]  # by method and what it gives


_CURVE = "pvalues"  # the one part of a tally that is long: written as the steps it takes, most of which are none


class Ledger:
    """The blocks of trials in a file, by number and size, and the sum of the first ones."""

    def __init__(self, path: str | Path, head: Mapping[str, Any]) -> None:
        if not isinstance(path, str | os.PathLike) or not str(path):
            raise InvalidOption(f"`store` must be the path of a file, got {path!r}.")
        self.path = Path(path)
        self.blocks: dict[tuple[int, int], Tallies] = {}
        self.summed: tuple[int, Tallies] = 0, {}  # how many full blocks, and what they add up to
        self._first = first = json.dumps({"tellapart": "calibration", **head})
        text = self._read_text()
        if text != first and first.startswith(text):  # new, or ended while it was begun
            self._append_text(first[len(text) :])
            return
        lines = text.split("\n")
        self._check_head(lines[0], json.loads(first))
        if lines[-1]:  # cut off: what follows must not be glued to it
            self._append_text("")
        for number, line in enumerate(lines[1:], start=2):
            if line:
                self._take_line(line, number)

    def _read_text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8", errors="replace") if self.path.exists() else ""
        except (OSError, ValueError) as error:  # a name may hold what no name may
            why = getattr(error, "strerror", None) or error
            raise InvalidInput(f"store {str(self.path)!r} cannot be read: {why}.") from error

    def _check_head(self, line: str, expected: dict[str, Any]) -> None:
        """Raise StoreMismatch if a file is not a calibration, or one of another study."""
        try:
            head = json.loads(line)
        except json.JSONDecodeError:
            head = None
        if not isinstance(head, dict) or head.get("tellapart") != "calibration":
            raise StoreMismatch(f"store {str(self.path)!r} is not a store of calibrations. Name another file.")
        changed = sorted(name for name in head.keys() | expected.keys() if head.get(name) != expected.get(name))
        if changed:
            raise StoreMismatch(
                f"store {str(self.path)!r} belongs to another calibration: it differs in {', '.join(changed)}."
                " Name another file."
            )

    def _take_line(self, line: str, number: int) -> None:
        try:
            record = json.loads(line)
            tallies = {
                name: {part: _unpack_values(part, values) for part, values in parts.items()}
                for name, parts in record["tallies"].items()
            }
            if record["trials"] is None:
                self.summed = record["block"], tallies
            else:
                self.blocks[record["block"], record["trials"]] = tallies
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            if isinstance(error, json.JSONDecodeError) and _was_cut(line):
                return
            message = f"store {str(self.path)!r} is damaged in line {number}. Remove that line, or name another file."
            raise InvalidInput(message) from None

    def keep(self, block: int, trials: int, tallies: Tallies) -> None:
        """Add a block and write it to the file immediately."""
        if block >= self.summed[0]:  # others are part of the sum already
            self.blocks[block, trials] = tallies
            self._append_late(_format_block(block, trials, tallies))

    def sum_up(self, number: int, total: Tallies) -> None:
        """Replace the lines of the first blocks by their sum, atomically."""
        if number <= self.summed[0]:
            return
        self.summed = number, total
        self.blocks = {key: tallies for key, tallies in self.blocks.items() if key[0] >= number}
        lines = [
            self._first,
            _format_block(number, None, total),
            *(_format_block(*key, each) for key, each in self.blocks.items()),
        ]
        self._append_late("\n".join(lines), anew=True)

    def _append_late(self, text: str, *, anew: bool = False) -> None:
        """Write to the file; raise OutputNotWritten if it fails, as trials have been run."""
        try:
            self._append_text(text, anew=anew)
        except InvalidInput as error:
            remedy = "Finished trials are kept. Free some space and run again with the same store."
            raise OutputNotWritten(f"{error} {remedy}") from error

    def _append_text(self, text: str, *, anew: bool = False) -> None:
        target = self.path.with_name(f"{self.path.name}.{os.getpid()}") if anew else self.path
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with target.open("w" if anew else "a", encoding="utf-8") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
            if anew:
                target.replace(self.path)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise InvalidInput(f"store {str(self.path)!r} cannot be written: {why}.") from error


def _format_block(block: int, trials: int | None, tallies: Tallies) -> str:
    """Return a block as a line of text; without trials, the sum of several blocks."""
    plain = {
        name: {part: _pack_values(part, values) for part, values in each.items()} for name, each in tallies.items()
    }
    return json.dumps({"block": block, "trials": trials, "tallies": plain})


def _pack_values(part: str, values: FloatArray) -> list[Any]:
    if part != _CURVE:
        return list(values.tolist())
    steps = np.diff(values, prepend=0.0).astype(np.int64)  # numbers of trials
    return [[values.shape[-1], *(np.stack([places := np.flatnonzero(row), row[places]]).tolist())] for row in steps]


def _unpack_values(part: str, values: list[Any]) -> FloatArray:
    if part != _CURVE:
        return np.array(values, dtype=float)
    steps = np.zeros((len(values), values[0][0]))
    for row, (_, places, counts) in zip(steps, values, strict=True):
        row[places] = counts
    return np.cumsum(steps, axis=1)


def _was_cut(line: str) -> bool:
    """Return whether this is an incomplete line of a block."""
    return line[:8] == '{"block"'[: len(line)] and not line.endswith("}}}")
