"""A file that finished trials are written to, so that none is simulated twice.

The first line says what is measured; each line after it holds the tally of one block of trials. Lines are only ever
added. A line that was cut off when the program was ended is not counted, and its block is drawn again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidInput, StoreMismatch
from .tally import Tally

__all__ = ["Ledger"]

Tallies = dict[str, Tally]  # by method and what it gives


class Ledger:
    """The blocks of trials in a file, by their number and how many trials they hold."""

    def __init__(self, path: str | Path, head: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.blocks: dict[tuple[int, int], Tallies] = {}
        wanted = json.loads(json.dumps(head))
        if not self.path.exists() or self.path.stat().st_size == 0:
            self._write({"tellapart": "calibration", **wanted})
            return
        found, *lines = self._lines()
        if not isinstance(found, dict) or found.pop("tellapart", None) != "calibration":
            raise StoreMismatch(f"store {str(self.path)!r} holds no calibration. Name another file.")
        if found != wanted:
            changed = sorted(name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name))
            raise StoreMismatch(
                f"store {str(self.path)!r} holds the calibration of something else: it differs in"
                f" {', '.join(changed)}. Name another file."
            )
        for line in lines:
            tallies = {
                name: {part: np.array(values) for part, values in parts.items()}
                for name, parts in line["tallies"].items()
            }
            self.blocks[line["block"], line["trials"]] = tallies

    def _lines(self) -> list[Any]:
        text = self.path.read_text(encoding="utf-8", errors="replace")
        parts = text.split("\n")
        if parts[-1]:  # cut off: what follows must not be glued to it
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\n")
        found = []
        for number, part in enumerate(parts):
            if not part:
                continue
            try:
                found.append(json.loads(part))
            except json.JSONDecodeError:
                if not found:
                    raise StoreMismatch(f"store {str(self.path)!r} holds no calibration. Name another file.") from None
                if number < len(parts) - 2 and not self._was_cut(part):
                    raise InvalidInput(f"store {str(self.path)!r} is damaged in line {number + 1}.") from None
        return found

    @staticmethod
    def _was_cut(part: str) -> bool:
        return part.startswith('{"block"') and not part.endswith("}}}")

    def keep(self, block: int, trials: int, tallies: Tallies) -> None:
        """Add a block, at once and for good."""
        self.blocks[block, trials] = tallies
        plain = {name: {part: values.tolist() for part, values in parts.items()} for name, parts in tallies.items()}
        self._write({"block": block, "trials": trials, "tallies": plain})

    def _write(self, line: Mapping[str, Any]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InvalidInput(f"store {str(self.path)!r} cannot be written: {error.strerror}.") from error
