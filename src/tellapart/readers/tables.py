"""Files of predictions: scanned, never loaded, and counted by polars in pieces."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

from narwhals.exceptions import NarwhalsError

from ..errors import InvalidEvidence, import_extra
from ..predictions import Missing, Predictions
from ..predictions.engine import told
from ..predictions.roles import Roles
from .files import Format, Source, files_of, format_of, separator_of

__all__ = ["read_predictions"]

_SAMPLE = 10_000  # rows by which the types of a text file's columns are told


def read_predictions(
    source: Source,
    *,
    label: str | None = None,
    models: str | Iterable[str] | None = None,
    id: str | None = None,  # noqa: A002  # the name users give it
    group: str | None = None,
    model: str | None = None,
    prediction: str | None = None,
    correct: bool = False,
    weight: str | None = None,
    labels: Iterable[Hashable] | None = None,
    missing: Missing = "fail",
    text: bool = False,
) -> Predictions:
    r"""Read predictions from CSV, TSV, Parquet, JSON lines or Arrow files of any size.

    Parameters
    ----------
    source
        A file, a folder, a pattern such as "day-*.parquet", or a list of them: parts of one table.
    label, models, id, group, model, prediction, correct, weight, labels, missing
        The parts that columns play, as in `Predictions.of`.
    text
        Whether labels and predictions in a text file are compared as they are written: "1" is then not "1.0".

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "animals.csv")
    ...     _ = file.write_text("label,a,b\ncat,cat,cat\ndog,cat,dog\n")
    ...     read_predictions(file).paired_table("a", "b")
    PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=1, models=('a', 'b'))
    """
    files = files_of(source)
    kind = format_of(files)
    polars = import_extra("polars", "tables")
    parts: dict[str, Any] = {
        "label": label,
        "models": models if models is None or isinstance(models, str) else tuple(models),
        "id": id,
        "group": group,
        "model": model,
        "prediction": prediction,
        "weight": weight,
    }
    try:
        if kind == "parquet":
            table = polars.scan_parquet(list(files), hive_partitioning=False)
        elif kind == "ipc":
            table = polars.scan_ipc(list(files), hive_partitioning=False)
        else:
            table = _text_files(polars, kind, files, parts, compared=not correct, as_written=text)
        table.collect_schema()  # a file that cannot be read is told by its name
        return Predictions.of(table, **parts, correct=correct, labels=labels, missing=missing)
    except (polars.exceptions.PolarsError, NarwhalsError, OSError) as error:
        names = str(files[0]) if len(files) == 1 else f"{files[0]} (or one of {len(files) - 1} more)"
        why = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        raise InvalidEvidence(f"{names} cannot be read as {kind}: {why}.") from error


def _text_files(
    polars: Any, kind: Format, files: Sequence[Path], parts: dict[str, Any], *, compared: bool, as_written: bool
) -> Any:
    """Scan CSV or JSON lines with types that fit together: over all files, and over the columns to be compared."""
    scans = [_scan(polars, kind, file, {}) for file in files]
    schemas = [scan.collect_schema() for scan in scans]
    roles = [Roles.recognised(schema.names(), **parts) for schema in schemas]
    columns = roles[0].columns
    for file, each in zip(files, roles, strict=True):
        if set(each.columns) != set(columns):
            raise InvalidEvidence(f"{file} has the columns {told(each.columns)}, but {files[0]} {told(columns)}.")
    types = {name: _common(polars, [schema[name] for schema in schemas]) for name in columns}
    if as_written:
        types |= dict.fromkeys(roles[0].compared, polars.String)
    elif compared and roles[0].label is not None:
        types |= _compared_types(polars, kind, files, {name: types[name] for name in roles[0].compared})
    for place, (file, schema) in enumerate(zip(files, schemas, strict=True)):
        other = {name: dtype for name, dtype in types.items() if schema[name] != dtype}
        if other:
            scans[place] = _scan(polars, kind, file, other)
    return scans[0] if len(scans) == 1 else polars.concat([scan.select(columns) for scan in scans])


def _scan(polars: Any, kind: Format, file: Path, types: dict[str, Any]) -> Any:
    if kind == "jsonl":
        return polars.scan_ndjson(file, infer_schema_length=_SAMPLE, schema_overrides=types)
    separator = separator_of(file) or ","
    return polars.scan_csv(file, separator=separator, infer_schema_length=_SAMPLE, schema_overrides=types)


def _common(polars: Any, dtypes: Sequence[Any]) -> Any:
    """Return the type that a column can have in all files."""
    if len(set(dtypes)) == 1:
        return dtypes[0]
    return polars.Float64 if all(dtype.is_numeric() for dtype in dtypes) else polars.String


def _compared_types(polars: Any, kind: Format, files: Sequence[Path], types: dict[str, Any]) -> dict[str, Any]:
    """Return texts for all if one is text: 0 and 1 beside 0, 1 and "?" are texts as well.

    Numbers beside words are more likely a mistake than a comparison in which everything is wrong.
    """
    texts = [name for name, dtype in types.items() if dtype == polars.String]
    if not texts or len(texts) == len(types):
        return {}
    every = dict.fromkeys(types, polars.String)
    head = _scan(polars, kind, files[0], every).select(list(types)).head(_SAMPLE).collect()
    values = {name: set(head[name].drop_nulls().to_list()) - {""} for name in types}
    first, *others = types  # the label and the predictions
    for name in others:
        if values[first] and values[name] and values[first].isdisjoint(values[name]):
            raise InvalidEvidence(
                f"{first} holds values such as {min(values[first])!r} and {name} such as {min(values[name])!r}, which"
                f" never agree. If {name} is no model, name those that are: models=[...] (--models); else convert one"
                " to the other, or compare them as they are written: text=True."
            )
    return every
