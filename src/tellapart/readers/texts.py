"""Tables in text files: which values are numbers, which are nothing, and which are neither."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InvalidEvidence
from ..predictions.engine import told
from ..predictions.layout import UNREAD
from ..predictions.roles import Roles
from .files import Format, ends_blank, first_bytes, header_names, is_packed, separator_of

_SAMPLE = 10_000  # rows by which the types of a text file's columns are told
# How CSV says that there is nothing: R, Excel, pandas, databases and Python each in its own way.
NOTHING = frozenset(("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"))
_TRUE, _FALSE = ["true", "True", "TRUE"], ["false", "False", "FALSE"]
_EXACT = 2**53  # up to which whole numbers are floats without loss


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFiles:
    """CSV or JSON lines: parts of one table, the types of its columns told by the first rows of each."""

    polars: Any
    kind: Format
    files: tuple[Path, ...]
    schemas: tuple[Any, ...]
    roles: Roles

    @classmethod
    def scanned(cls, polars: Any, kind: Format, files: Sequence[Path], parts: dict[str, Any]) -> TextFiles:
        """Look at the beginning of each file, and refuse those that do not fit together."""
        if kind == "csv":
            files = _with_rows(polars, files)
        schemas = [_scan(polars, kind, file, {}).collect_schema() for file in files]
        roles = [Roles.recognised(schema.names(), **parts) for schema in schemas]
        for file, schema, each in zip(files, schemas, roles, strict=True):
            _refuse_repeated(file, schema.names(), each)
            if set(each.columns) != set(roles[0].columns):
                raise InvalidEvidence(
                    f"{file} has the columns {told(each.columns)}, but {files[0]} {told(roles[0].columns)}."
                )
        return cls(polars=polars, kind=kind, files=tuple(files), schemas=tuple(schemas), roles=roles[0])

    def tables(
        self, *, correct: bool, labels: Iterable[Any] | None, as_written: bool, scored: bool = False
    ) -> tuple[Any, Any]:
        """Return the table with types as its beginning tells them, and one that no later value can surprise.

        The second takes longer, and is for when the first fails. There is none where values are compared as
        they are written. Scores are numbers, whatever the labels are, and however ids are compared.
        """
        pl, roles = self.polars, self.roles
        types = {name: _common(pl, [schema[name] for schema in self.schemas]) for name in roles.columns}
        texts = dict.fromkeys(roles.compared, pl.String)
        if as_written:
            named = (roles.id, roles.epoch, roles.group, roles.cluster, roles.model)
            own = {name: pl.String for name in named if name is not None}
            if not scored:
                return self._together(types | texts | own), None
            types |= own
        nothing = NOTHING - {str(label) for label in labels or ()} if self.kind == "csv" else frozenset(("",))
        if correct:
            whole = self._together(types | texts).with_columns(_emptied(pl, name, nothing) for name in roles.compared)
            late = [name for name in roles.compared if types[name] == pl.String]
            return self._together(types).with_columns(_emptied(pl, name, nothing) for name in late), whole
        values = self._values(types)
        numbers, nothing = self._numbers(types, values, nothing, scored=scored)
        words = [name for name in roles.compared if name not in numbers]
        types |= dict.fromkeys(words, pl.String)
        fast, careful = (
            _with_numbers(
                pl,
                self._together(chosen).with_columns(_emptied(pl, name, nothing) for name in words),
                [name for name in numbers if chosen[name] == pl.String],
                nothing,
            )
            for chosen in (types, types | texts)
        )
        return fast, careful if numbers else None

    def _values(self, types: dict[str, Any]) -> dict[str, set[str]]:
        """Return the texts at the beginning of the columns that are compared, if some are texts."""
        compared = self.roles.compared
        if not any(types[name] == self.polars.String for name in compared):
            return {}
        every = dict.fromkeys(compared, self.polars.String)
        heads = [_scan(self.polars, self.kind, file, every).select(compared).head(_SAMPLE) for file in self.files]
        head = self.polars.concat(heads).collect()
        return {name: {text for text in head[name].unique() if text and text.strip()} for name in compared}

    def _numbers(
        self, types: dict[str, Any], values: dict[str, set[str]], nothing: frozenset[str], *, scored: bool
    ) -> tuple[list[str], frozenset[str]]:
        """Return the columns to be compared as numbers, and what says that there is nothing.

        If the label holds numbers, all do; else none. What is called NA among texts is a label if the label has it.
        """
        label, compared = self.roles.label, self.roles.compared
        read = {name: _numbers_of(self.polars, texts - nothing) for name, texts in values.items()}
        words = {name for name in read if types[name] == self.polars.String and None in read[name].values()}
        if label is None or scored:
            return [name for name in compared if name not in words], nothing
        if label in words or (words and not read[label]):
            nothing -= values[label]
            for name in compared[1:]:
                if types[name] != self.polars.String and values[label].isdisjoint(values[name]):
                    _refuse_strangers(label, values[label] - nothing, name, values[name] - nothing)
            return [], nothing
        for name in sorted(words):
            if not any(number is not None for number in read[name].values()):
                _refuse_strangers(label, values[label] - nothing, name, values[name] - nothing)
        return list(compared), nothing

    def _together(self, types: dict[str, Any]) -> Any:
        """Return all files as one table of these types."""
        scans = []
        for file, schema in zip(self.files, self.schemas, strict=True):
            other = {name: dtype for name, dtype in types.items() if schema[name] != dtype}
            scan = _scan(self.polars, self.kind, file, other)
            if self.kind == "csv" and (is_packed(file) or ends_blank(file)):
                scan = scan.filter(~_blank(self.polars))
            scans.append(scan)
        return scans[0] if len(scans) == 1 else self.polars.concat([scan.select(list(types)) for scan in scans])


def _scan(polars: Any, kind: Format, file: Path, types: dict[str, Any]) -> Any:
    if kind == "jsonl":
        return polars.scan_ndjson(file, infer_schema_length=_SAMPLE, schema_overrides=types)
    header = _unpacked_header(polars, file) if is_packed(file) else None
    separator = separator_of(file, header) or ","
    options = {"infer_schema_length": _SAMPLE, "schema_overrides": types, "with_column_names": header_names}
    return polars.scan_csv(file, separator=separator, **options)


def _with_rows(polars: Any, files: Sequence[Path]) -> list[Path]:
    """Return the files that hold more than a header, by which the types of columns are told; refuse if none does."""
    found = [file for file in files if not _scan(polars, "csv", file, {}).head(1).collect().is_empty()]
    if not found:
        if any(line.strip() for line in first_bytes(files[0]).splitlines()[1:]):
            raise InvalidEvidence(f"{files[0]} has an unclosed quotation mark, so no row can be read. Close it.")
        raise InvalidEvidence(f"{files[0]} has a header, but no rows below it. Was it written to the end?")
    return found


def _unpacked_header(polars: Any, file: Path) -> str:
    whole = {"has_header": False, "separator": "\x01", "quote_char": None, "infer_schema": False}
    return str(polars.scan_csv(file, **whole).head(1).collect().item() or "")


def _refuse_repeated(file: Path, columns: Sequence[str], roles: Roles) -> None:
    """Raise an error if a column with a part occurs twice; polars calls the second by a name of its own."""
    for name in columns:
        first = re.fullmatch(r"(.+)_duplicated_\d+", name)
        if first and first[1] in columns and not {name, first[1]}.isdisjoint(roles.columns):
            raise InvalidEvidence(f"{file} has more than one column {first[1]!r}. Rename all but one.")


def _common(polars: Any, dtypes: Sequence[Any]) -> Any:
    """Return the type that a column can have in all files."""
    if len(set(dtypes)) == 1:
        return dtypes[0]
    if all(dtype.is_integer() for dtype in dtypes):  # of more digits in one file than in another
        return polars.Int128
    return polars.Float64 if all(dtype.is_numeric() for dtype in dtypes) else polars.String


def _blank(polars: Any) -> Any:
    """Return whether a row holds nothing at all: a blank line is no example."""
    texts = polars.selectors.string()
    return polars.all_horizontal((~texts).is_null(), texts.str.strip_chars().fill_null("") == "")


def _emptied(polars: Any, name: str, nothing: Iterable[str]) -> Any:
    """Return a column of texts, null where a text says that there is nothing."""
    return polars.when(~polars.col(name).is_in(sorted(nothing))).then(polars.col(name)).alias(name)


def _numbers_of(polars: Any, texts: Iterable[str]) -> dict[str, float | None]:
    """Return what number each text stands for, if any."""
    table = polars.LazyFrame({"text": list(texts)}, schema={"text": polars.String})
    table = _with_numbers(polars, table.with_columns(number="text"), ["number"], ())
    return dict(table.select("text", "number").collect().iter_rows())


def _refuse_strangers(label: str, here: set[str], name: str, there: set[str]) -> None:
    """Raise an error for values of which none agrees: more likely a mistake than all wrong."""
    if here and there:
        raise InvalidEvidence(
            f"{label} holds values such as {min(here)!r} and {name} such as {min(there)!r}, which never agree. If"
            f" {name} is no model, name those that are: models=[...] (--models); if it holds scores of a class, say so,"
            " scores=True (--metric auc); else convert one to the other, or compare them as they are written: text=True"
            " (--text)."
        )


def _with_numbers(polars: Any, table: Any, names: Sequence[str], nothing: Iterable[str]) -> Any:
    """Return a table with columns of texts as numbers, and beside them what is neither a number nor nothing.

    First what most texts are, then spaces and truth values, in the few that are left: that is several times as fast.
    """
    col, when = polars.col, polars.when

    def exact(text: Any) -> Any:
        value = text.cast(polars.Float64, strict=False)
        return when(value.abs() <= _EXACT).then(value)

    def second_try(rest: Any) -> Any:
        truth = when(rest.is_in(_TRUE)).then(1.0).when(rest.is_in(_FALSE)).then(0.0)
        return polars.coalesce(exact(rest), truth)

    rests = {name: col(UNREAD + name) for name in names}
    empty = sorted({"", *nothing})
    return (
        table.with_columns(col(name).alias(UNREAD + name) for name in names)
        .with_columns(exact(col(name)).alias(name) for name in names)
        .with_columns(when(col(name).is_null()).then(rest.str.strip_chars()) for name, rest in rests.items())
        .with_columns(polars.coalesce(col(name), second_try(rest)).alias(name) for name, rest in rests.items())
        .with_columns(when(col(name).is_null() & ~rest.is_in(empty)).then(rest) for name, rest in rests.items())
    )
