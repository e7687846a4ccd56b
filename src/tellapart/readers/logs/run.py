"""The content of a log of any tool: runs of a model on a task, with a row for each score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import InvalidEvidence, InvalidOption
from ...predictions.engine import quote_names, unknown_name
from ...typing_ import nearest_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The part of a log to read, and the metadata of samples to keep."""

    task: str | None = None
    filter: str | None = None
    metric: str | None = None  # the score: a scorer, a metric, a key of a dictionary of scores
    model: str | None = None
    columns: tuple[str, ...] = ()  # metadata of the samples to keep, by name: clusters, groups, weights


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRun:
    """One model on one task, by one score.

    The table has a row for each answer and the columns

    - `id` (text): a name that the tool guarantees for the same item in every run of the task; never a position or a
      random number;
    - `score` (float): null for an answer without a score, because the sample failed or for another reason;
    - `epoch` (integer), if items are repeated: a pair of id and epoch occurs once;
    - `error` (text), if the tool states why an answer has no score: its first line, else null;
    - `proof` (text), if the tool keeps evidence that two items of one id are the same, such as a hash of the item;
    - and those of `Selection.columns`, under the requested names.
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
    notes: tuple[str, ...] = ()  # for readers of the answer: the run was cut short

    def __post_init__(self) -> None:
        for name in ("model", "task", "metric", "filter", "version"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        object.__setattr__(self, "notes", tuple(" ".join(clean(note).splitlines()) for note in self.notes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The beginning of a file, or the names in a folder, by which a format is recognised."""

    path: Path
    start: bytes = b""
    keys: tuple[str, ...] = ()  # of the first JSON object, as far as the beginning contains them
    names: tuple[str, ...] = ()  # of the files in a folder, as relative paths

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.path.is_dir()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """The functions that recognise and read the logs of one tool."""

    name: str  # the value of --format: "inspect"
    title: str  # for messages: "Inspect"
    recognises: Callable[[Head], bool]
    runs: Callable[[Path, Selection], list[LogRun]]
    """Returns the selected runs of a file (or recognised folder): one for each model and task."""


def choose(what: str, available: Iterable[str], requested: str | None, *, option: str, where: object) -> str:
    """Return the requested name, or the only one; raise InvalidOption that lists the names otherwise.

    Examples
    --------
    >>> choose("score", ["match"], None, option="metric", where="a.eval")
    'match'
    >>> choose("score", ["match", "f1"], None, option="metric", where="a.eval")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: `metric` must name one of the scores in a.eval: 'f1', 'match'.
    """
    names = sorted(set(available))
    if requested is not None:
        if requested in names:
            return requested
        raise unknown_name(option, f"one of the {what}s in {where}", requested, names, InvalidOption)
    if len(names) == 1:
        return names[0]
    if not names:
        raise InvalidEvidence(f"{where} must have a {what}, got none. Score the run first.")
    raise InvalidOption(f"`{option}` must name one of the {what}s in {where}: {quote_names(names)}.")


def clean(text: str) -> str:
    r"""Return a text that any table can hold: in JSON a text may be cut within a character.

    Examples
    --------
    >>> clean("a \ud83d b")
    'a ? b'
    """
    return text.encode("utf-8", "replace").decode()


def extra_columns(metadata: Sequence[Mapping[str, Any]], selection: Selection, where: object) -> dict[str, list[Any]]:
    """Return the selected columns of the samples' metadata; raise InvalidOption if no sample has one.

    A name may be a path: "passage.id" is the id in a sample's passage.
    """
    columns: dict[str, list[Any]] = {}
    for name in selection.columns:
        values = [inside(sample, name) for sample in metadata]
        if all(value is None for value in values):
            names = sorted({key for sample in metadata[:1000] for key in sample})
            near = nearest_name(name, names)
            raise InvalidOption(
                f"samples of {where} must have {name!r} in their metadata, got none. They have {quote_names(names)}."
                f"{f' Did you mean {near!r}?' if near else ''}"
            )
        columns[name] = of_one_kind(values)
    return columns


def of_one_kind(values: list[Any]) -> list[Any]:
    """Return the values of a column with one type: booleans, integers or floats, else texts.

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
    """Return the value of a name that may be a path, such as "passage.id"; None if there is none."""
    if name in metadata:
        return metadata[name]
    first, _, rest = name.partition(".")
    inner = metadata.get(first)
    return inside(inner, rest) if rest and isinstance(inner, Mapping) else None
