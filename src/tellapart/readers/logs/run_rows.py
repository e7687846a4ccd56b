"""The rows of a run while its log is read, as short columns."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from ...errors import InvalidEvidence, import_extra
from .run import Selection, clean, extra_columns

WHOLE = 100  # samples of which all metadata is kept, so that an error can list the fields
_LONGEST_LINE = 200


class RunRows:
    """The samples of one run, in the order of the log."""

    def __init__(self, selection: Selection, where: object) -> None:
        self.counted = False  # whether repeats of an item were numbered by counting
        self._selection, self._where = selection, where
        self._ids: list[str] = []
        self._epochs: list[int | None] = []
        self._scores: list[float | None] = []
        self._errors: list[str | None] = []
        self._proofs: list[str | None] = []
        self._metadata: list[Mapping[str, Any]] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(
        self,
        name: str,
        score: float | None,
        *,
        epoch: int | None = None,
        error: str | None = None,
        proof: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        """Add one answer; a failed one has no score, whatever the tool wrote."""
        self._ids.append(clean(name))
        self._epochs.append(epoch)
        self._scores.append(None if error is not None else score)
        self._errors.append(error)
        self._proofs.append(proof)
        if self._selection.columns:
            self._metadata.append(keep_metadata(metadata or {}, self._selection, whole=len(self._metadata) < WHOLE))

    def table(self) -> Any:
        """Return the table of a run, without empty columns."""
        polars = import_extra("polars", "tables")
        columns: dict[str, Any] = {"id": self._ids, "score": self._scores}
        epochs = self._number_epochs()
        if epochs is not None:
            columns["epoch"] = epochs
        if any(error is not None for error in self._errors):
            columns["error"] = self._errors
        if any(proof is not None for proof in self._proofs):  # a failed sample may have none
            columns["proof"] = self._proofs
        if self._selection.columns:
            columns |= extra_columns(self._metadata, self._selection, self._where)
        types = {"id": polars.String, "score": polars.Float64, "epoch": polars.Int64}
        return polars.DataFrame(columns, schema_overrides={name: types[name] for name in types.keys() & columns.keys()})

    def _number_epochs(self) -> list[int] | None:
        """Return the epoch of each row: as in the log, else by counting; None if no item is repeated."""
        if all(epoch is not None for epoch in self._epochs) and len(set(self._epochs)) > 1:
            met: set[tuple[str, int | None]] = set()
            for pair in zip(self._ids, self._epochs, strict=True):
                if pair in met:
                    raise InvalidEvidence(f"{self._where} has {pair[0]!r} twice in epoch {pair[1]}. Keep one of each.")
                met.add(pair)
            return [epoch for epoch in self._epochs if epoch is not None]
        often: dict[str, int] = {}
        numbers = []
        for name in self._ids:
            often[name] = often.get(name, 0) + 1
            numbers.append(often[name])
        self.counted = len(often) < len(numbers)
        return numbers if self.counted else None


def keep_metadata(metadata: Mapping[str, Any], selection: Selection, *, whole: bool = False) -> dict[str, Any]:
    """Return the selected metadata of a sample, or all of it.

    Examples
    --------
    >>> keep_metadata({"passage": {"id": 7}, "text": "a long one"}, Selection(columns=("passage.id",)))
    {'passage': {'id': 7}}
    """
    roots = {name.partition(".")[0] for name in selection.columns}.union(selection.columns)
    return {key: value for key, value in metadata.items() if whole or key in roots}


def as_object(value: Any) -> dict[str, Any]:
    """Return an object of JSON; an empty one for any other value.

    Examples
    --------
    >>> as_object({"a": 1}), as_object("a")
    ({'a': 1}, {})
    """
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list of JSON; an empty one for any other value.

    Examples
    --------
    >>> as_list([1]), as_list(None)
    ([1], [])
    """
    return value if isinstance(value, list) else []


def as_score(value: Any, what: str) -> float | None:
    """Return a score as a number, None if missing; raise InvalidEvidence if it is not a score.

    Examples
    --------
    >>> as_score(True, "right"), as_score(0.25, "overlap"), as_score(None, "overlap"), as_score(float("nan"), "overlap")
    (1.0, 0.25, None, None)
    """
    if value is None:
        return None
    what = " ".join(what.splitlines())  # a metric's name may have several
    if not isinstance(value, int | float):
        raise InvalidEvidence(f"{what} must be a number or a boolean, got {str(value)[:60]!r}.")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number):
        raise InvalidEvidence(f"{what} must be finite, got {str(value)[:60]}.")
    return None if math.isnan(number) else number


def fingerprint(*parts: Any) -> str:
    """Return a hash of the content of an item, which two items share only if they are the same.

    Examples
    --------
    >>> fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1}) != fingerprint({"a": 1})
    True
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def first_line(text: object) -> str:
    r"""Return the first line of an error, cut short; a default text for an empty error.

    Examples
    --------
    >>> first_line("Timeout after 30 s\nTraceback ..."), first_line("")
    ('Timeout after 30 s', 'an error without a message')
    """
    lines = str(text).strip().splitlines()
    return clean(lines[0][:_LONGEST_LINE]) if lines else "an error without a message"
