"""Tables in text files: which values are numbers, which are missing, and which are neither."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InvalidEvidence
from ..predictions.engine import quote_names
from ..predictions.layout import UNREAD
from ..predictions.roles import Roles
from .files import Format, ends_blank, first_bytes, header_names, is_packed, separator_of

_SAMPLE = 10_000  # rows from which the types of columns are inferred
# Missing values in CSV, as R, Excel, pandas, databases and Python write them.
NOTHING = frozenset(("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"))
_TRUE, _FALSE = ["true", "True", "TRUE"], ["false", "False", "FALSE"]
_EXACT = 2**53  # up to which floats represent every whole number


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFiles:
    """CSV or JSON lines: parts of one table, with column types inferred from the first rows of each."""

    polars: Any
    kind: Format
    files: tuple[Path, ...]
    schemas: tuple[Any, ...]
    roles: Roles

    @classmethod
    def scan(cls, polars: Any, kind: Format, files: Sequence[Path], parts: dict[str, Any]) -> TextFiles:
        """Return the files with inferred types; raise InvalidEvidence if their columns differ."""
        if kind == "csv":
            files = _keep_filled_files(polars, files)
        schemas = [_scan_file(polars, kind, file, {}).collect_schema() for file in files]
        roles = [Roles.recognise(schema.names(), **parts) for schema in schemas]
        for file, schema, file_roles in zip(files, schemas, roles, strict=True):
            _refuse_repeated(file, schema.names(), file_roles)
            if set(file_roles.columns) != set(roles[0].columns):
                raise InvalidEvidence(
                    f"all files must have the same columns, got {quote_names(roles[0].columns)} ({files[0]}) and"
                    f" {quote_names(file_roles.columns)} ({file})."
                )
        return cls(polars=polars, kind=kind, files=tuple(files), schemas=tuple(schemas), roles=roles[0])

    def tables(
        self, *, correct: bool, labels: Iterable[Any] | None, as_written: bool, scored: bool = False
    ) -> tuple[Any, Any]:
        """Return the table with inferred types, and a careful one that reads any later value.

        The second takes longer, and is used when the first fails. It is None if values are compared as text. Scores are
        numbers, whatever the labels are, and however ids are compared.
        """
        pl, roles = self.polars, self.roles
        types = {name: _common_type(pl, [schema[name] for schema in self.schemas]) for name in roles.columns}
        texts = dict.fromkeys(roles.compared, pl.String)
        if as_written:
            named = (roles.id, roles.epoch, roles.group, roles.cluster, roles.model)
            identifying = {name: pl.String for name in named if name is not None}
            if not scored:
                return self._concatenate(types | texts | identifying), None
            types |= identifying
        nothing = NOTHING - {str(label) for label in labels or ()} if self.kind == "csv" else frozenset(("",))
        if correct:
            whole = self._concatenate(types | texts).with_columns(
                _null_if_missing(pl, name, nothing) for name in roles.compared
            )
            late = [name for name in roles.compared if types[name] == pl.String]
            return self._concatenate(types).with_columns(_null_if_missing(pl, name, nothing) for name in late), whole
        values = self._read_first_texts(types)
        numbers, nothing = self._find_numbers(types, values, nothing, scored=scored)
        words = [name for name in roles.compared if name not in numbers]
        types |= dict.fromkeys(words, pl.String)
        fast, careful = (
            _with_numbers(
                pl,
                self._concatenate(chosen).with_columns(_null_if_missing(pl, name, nothing) for name in words),
                [name for name in numbers if chosen[name] == pl.String],
                nothing,
            )
            for chosen in (types, types | texts)
        )
        return fast, careful if numbers else None

    def _read_first_texts(self, types: dict[str, Any]) -> dict[str, set[str]]:
        """Return the different texts in the first rows of the compared columns, if any of these holds texts."""
        compared = self.roles.compared
        if not any(types[name] == self.polars.String for name in compared):
            return {}
        every = dict.fromkeys(compared, self.polars.String)
        heads = [_scan_file(self.polars, self.kind, file, every).select(compared).head(_SAMPLE) for file in self.files]
        head = self.polars.concat(heads).collect()
        return {name: {text for text in head[name].unique() if text and text.strip()} for name in compared}

    def _find_numbers(
        self, types: dict[str, Any], values: dict[str, set[str]], nothing: frozenset[str], *, scored: bool
    ) -> tuple[list[str], frozenset[str]]:
        """Return the columns to be compared as numbers, and the texts that mean a missing value.

        If the label holds numbers, all columns do; else none. A text such as NA is a label if the label column has it.
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

    def _concatenate(self, types: dict[str, Any]) -> Any:
        """Return all files as one table of these types."""
        scans = []
        for file, schema in zip(self.files, self.schemas, strict=True):
            overrides = {name: dtype for name, dtype in types.items() if schema[name] != dtype}
            scan = _scan_file(self.polars, self.kind, file, overrides)
            if self.kind == "csv" and (is_packed(file) or ends_blank(file)):
                scan = scan.filter(~_blank_row(self.polars))
            scans.append(scan)
        return scans[0] if len(scans) == 1 else self.polars.concat([scan.select(list(types)) for scan in scans])


def _scan_file(polars: Any, kind: Format, file: Path, types: dict[str, Any]) -> Any:
    if kind == "jsonl":
        return polars.scan_ndjson(file, infer_schema_length=_SAMPLE, schema_overrides=types)
    header = _unpacked_header(polars, file) if is_packed(file) else None
    separator = separator_of(file, header) or ","
    options = {"infer_schema_length": _SAMPLE, "schema_overrides": types, "with_column_names": header_names}
    return polars.scan_csv(file, separator=separator, **options)


def _keep_filled_files(polars: Any, files: Sequence[Path]) -> list[Path]:
    """Return the files with rows, from which types are inferred; raise InvalidEvidence if none has any."""
    filled = [file for file in files if not _scan_file(polars, "csv", file, {}).head(1).collect().is_empty()]
    if not filled:
        if any(line.strip() for line in first_bytes(files[0]).splitlines()[1:]):
            raise InvalidEvidence(f"{files[0]} must have closed quotation marks, got an open one. Close it.")
        raise InvalidEvidence(f"{files[0]} must have rows below its header, got none.")
    return filled


def _unpacked_header(polars: Any, file: Path) -> str:
    whole = {"has_header": False, "separator": "\x01", "quote_char": None, "infer_schema": False}
    return str(polars.scan_csv(file, **whole).head(1).collect().item() or "")


def _refuse_repeated(file: Path, columns: Sequence[str], roles: Roles) -> None:
    """Raise InvalidEvidence if a column with a role occurs twice; polars renames the second one."""
    for name in columns:
        first = re.fullmatch(r"(.+)_duplicated_\d+", name)
        if first and first[1] in columns and not {name, first[1]}.isdisjoint(roles.columns):
            raise InvalidEvidence(f"{file} must have different column names, got {first[1]!r} twice. Rename one.")


def _common_type(polars: Any, dtypes: Sequence[Any]) -> Any:
    """Return the type that a column can have in all files."""
    if len(set(dtypes)) == 1:
        return dtypes[0]
    if all(dtype.is_integer() for dtype in dtypes):  # more digits in one file than in another
        return polars.Int128
    return polars.Float64 if all(dtype.is_numeric() for dtype in dtypes) else polars.String


def _blank_row(polars: Any) -> Any:
    """Return the condition that all cells of a row are empty: a blank line is not an example."""
    texts = polars.selectors.string()
    return polars.all_horizontal((~texts).is_null(), texts.str.strip_chars().fill_null("") == "")


def _null_if_missing(polars: Any, name: str, nothing: Iterable[str]) -> Any:
    """Return a column of texts, null for texts that mean a missing value."""
    return polars.when(~polars.col(name).is_in(sorted(nothing))).then(polars.col(name)).alias(name)


def _numbers_of(polars: Any, texts: Iterable[str]) -> dict[str, float | None]:
    """Return the number that each text stands for, if any."""
    table = polars.LazyFrame({"text": list(texts)}, schema={"text": polars.String})
    table = _with_numbers(polars, table.with_columns(number="text"), ["number"], ())
    return dict(table.select("text", "number").collect().iter_rows())


def _refuse_strangers(label: str, here: set[str], name: str, there: set[str]) -> None:
    """Raise InvalidEvidence if no value agrees with a label: a mistake is more likely than a useless model."""
    if not here or not there:
        return
    shown, number = min(there), _as_float(min(there))
    if number is not None and _as_float(min(here)) is None:
        fix = "For probabilities use metric='auc'."
    else:
        fix = "If it is not a model, name the models with `models`; else convert it, or compare texts with `text`."
    raise InvalidEvidence(
        f"`{name}` must hold labels like those of `{label}` ({_as_written(min(here))}), got {_as_written(shown)}. {fix}"
    )


def _as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _as_written(text: str) -> str:
    """Return a number as it is written, and other texts in quotes."""
    return repr(text) if _as_float(text) is None else text.strip()


def _with_numbers(polars: Any, table: Any, names: Sequence[str], nothing: Iterable[str]) -> Any:
    """Return a table with columns of texts as numbers, and columns of the texts that are neither numbers nor missing.

    Plain numbers are read first, then spaces and booleans in the remaining texts, which is several times as fast.
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
