"""What a log holds, whatever tool wrote it: runs of a model on a task, an answer's score a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import InvalidEvidence, InvalidOption

_SHOWN = 12  # names that an error lists


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which part of a log is meant, and what else of each sample is to be kept."""

    task: str | None = None
    filter: str | None = None
    metric: str | None = None  # the score: a scorer, a metric, a key of a dictionary of scores
    model: str | None = None
    columns: tuple[str, ...] = ()  # metadata of the samples to keep, by name: clusters, groups, weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One model on one task, by one score.

    The table has a row for each answer and the columns

    - `id` (text): what the tool guarantees to name the same item in every run of the task; never a position or a
      number that is drawn anew in each run;
    - `score` (float): null where an answer was not scored, because the sample failed or for any other reason;
    - `epoch` (integer), if items were met several times: ids and epochs together occur once;
    - `error` (text), if the tool tells why an answer has no score: its first line, null elsewhere;
    - `proof` (text), if the tool keeps what shows that two items of one id are the same, such as a hash of the item;
    - and those of `Wanted.columns`, under the names they were asked by.
    """

    table: Any  # a polars frame, lazy or not
    tool: str
    model: str
    task: str
    metric: str
    filter: str = ""
    higher_is_better: bool = True
    bounds: tuple[float, float] | None = None
    version: str = ""  # of the tool or of its format
    notes: tuple[str, ...] = ()  # what a reader of the answer should know: the run was cut short

    def __post_init__(self) -> None:
        for name in ("model", "task", "metric", "filter", "version"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        object.__setattr__(self, "notes", tuple(" ".join(clean(note).splitlines()) for note in self.notes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """How a file begins, by which its format is recognised; of a folder, what is in it."""

    path: Path
    start: bytes = b""
    keys: tuple[str, ...] = ()  # of the first JSON object, as far as its beginning shows them
    names: tuple[str, ...] = ()  # of the files in a folder, with their way from it

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, and not a file."""
        return self.path.is_dir()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How the logs of one tool are recognised and read."""

    name: str  # what --format calls it: "inspect"
    title: str  # what people call it: "Inspect"
    recognises: Callable[[Head], bool]
    runs: Callable[[Path, Wanted], list[Run]]
    """Read all runs of a file (or folder that is recognised) that are wanted: of each model and task there are."""


def choose(what: str, found: Iterable[str], asked: str | None, *, option: str, where: object) -> str:
    """Return the one that was asked for, or the only one there is; else say which there are and how to choose.

    Examples
    --------
    >>> choose("score", ["match"], None, option="metric", where="a.eval")
    'match'
    >>> choose("score", ["match", "f1"], None, option="metric", where="a.eval")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: a.eval has several scores: 'f1', 'match'. Say which one: metric='f1' (--metric f1).
    """
    names = sorted(set(found))
    if asked is not None:
        if asked in names:
            return asked
        raise InvalidOption(f"{where} has no {what} {asked!r}. It has {told(names)}.")
    if len(names) == 1:
        return names[0]
    if not names:
        raise InvalidEvidence(f"{where} has no {what} at all. Was the run scored?")
    raise InvalidOption(
        f"{where} has several {what}s: {told(names)}. Say which one: {option}={names[0]!r} (--{option} {names[0]})."
    )


def clean(text: str) -> str:
    r"""Return a text that any table can hold: JSON may have halves of characters, where a text was cut.

    Examples
    --------
    >>> clean("a \ud83d b")
    'a ? b'
    """
    return text.encode("utf-8", "replace").decode()


def extra_columns(metadata: Sequence[Mapping[str, Any]], wanted: Wanted, where: object) -> dict[str, list[Any]]:
    """Return the wanted columns of the samples' metadata, or say that no sample has one and what they have.

    A name may lead inside: "passage.id" is the id in a sample's passage.
    """
    columns: dict[str, list[Any]] = {}
    for name in wanted.columns:
        values = [inside(each, name) for each in metadata]
        if all(value is None for value in values):
            known = sorted({key for each in metadata[:1000] for key in each})
            raise InvalidOption(f"{where}: no sample has {name!r} among its metadata. They have {told(known)}.")
        columns[name] = of_one_kind(values)
    return columns


def of_one_kind(values: list[Any]) -> list[Any]:
    """Return the values of a column as one kind: numbers that fit, truth values, else text.

    Examples
    --------
    >>> of_one_kind([1, 2.5, None]), of_one_kind([1, "a"])
    ([1.0, 2.5, None], ['1', 'a'])
    """
    kinds = {type(value) for value in values if value is not None}
    fit = all(abs(value) < 2**63 for value in values if isinstance(value, int))
    if fit and (kinds <= {bool} or kinds <= {int}):
        return values
    if fit and kinds <= {float, int}:
        return [None if value is None else float(value) for value in values]
    return [None if value is None else clean(str(value)) for value in values]


def inside(metadata: Mapping[str, Any], name: str) -> Any:
    """Return what stands under a name that may lead inside, as "passage.id" does; None where there is nothing."""
    if name in metadata:
        return metadata[name]
    first, _, rest = name.partition(".")
    inner = metadata.get(first)
    return inside(inner, rest) if rest and isinstance(inner, Mapping) else None


def told(names: Sequence[str]) -> str:
    """Write the names there are; many are cut short."""
    if not names:
        return "none"
    rest = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + rest
