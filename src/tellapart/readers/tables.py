"""Files of predictions, scanned and counted by polars in batches."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
from narwhals.exceptions import DuplicateError, NarwhalsError

from ..errors import InvalidEvidence, InvalidOption, import_extra
from ..predictions import Errors, Missing, Predictions, Scored
from ..predictions.engine import reason_of
from .files import Format, Source, files_of, format_of, is_stream
from .texts import TextFiles


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
    scores: Scored | bool | str = False,
    epoch: str | None = None,
    cluster: str | None = None,
    sampling_weight: str | None = None,
    errors: Errors | None = None,
) -> Predictions:
    r"""Read predictions from CSV, TSV, Parquet, JSON lines or Arrow files of any size.

    Parameters
    ----------
    source
        A file, a folder, a pattern such as "day-*.parquet", or a list of files: parts of one table. A table in memory,
        or a dictionary of columns, is read as `Predictions.of` does.
    label, models, id, group, model, prediction, correct, weight, labels, missing
        The roles of columns, as in `Predictions.of`.
    scores, epoch, cluster, sampling_weight, errors
        The same, for outcomes. Logs of evaluation tools are read by `read_logs`.
    text
        Whether labels and predictions in a text file are compared as text: "1" is then not "1.0",
        and "NA" is a label like others. Ids, epochs, groups and clusters are texts then as well.

    If the labels of a text file are numbers, so are the predictions, and other texts among them are treated
    as missing. In CSV so are the empty cell, NA, N/A, NaN, null and None, unless one of them is a label.
    A folder of partitions, such as site=x/part.parquet, has the partition as a column if a role names it.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "animals.csv")
    ...     _ = file.write_text("label,a,b\ncat,cat,cat\ndog,cat,dog\n")
    ...     read_predictions(file).paired_table("a", "b")
    PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=1, models=('a', 'b'))
    """
    if _is_table(source) and text:
        raise InvalidOption("`text` must be False for a table in memory, got True. Convert its columns to texts.")
    parts: dict[str, Any] = {
        "label": label,
        "models": models if models is None or isinstance(models, str) else tuple(models),
        "id": id,
        "group": group,
        "model": model,
        "prediction": prediction,
        "weight": weight,
        "epoch": epoch,
        "cluster": cluster,
        "sampling_weight": sampling_weight,
    }
    options: dict[str, Any] = {
        "correct": correct,
        "labels": None if labels is None else tuple(labels),
        "missing": missing,
        "scores": scores,
        "errors": errors,
    }
    if _is_table(source):
        return Predictions.of(source, **parts, **options)
    files = files_of(source)
    kind = format_of(files)
    polars = import_extra("polars", "tables")
    title = str(files[0]) if len(files) == 1 else f"{files[0]} (or one of {len(files) - 1} more)"
    careful = None
    try:
        if kind in ("parquet", "ipc"):
            table = _binary_files(polars, kind, files, parts)
        else:
            texts = TextFiles.scan(polars, kind, files, parts)
            parts["models"] = texts.roles.models
            table, with_care = texts.tables(
                correct=correct, labels=options["labels"], as_written=text, scored=scores is not False
            )
            if with_care is not None:
                careful = partial(_with_care, with_care, title, {**parts, **options})
        table.collect_schema()  # so that an error names the file
        predictions = Predictions.of(table, **parts, **options)
    except (polars.exceptions.PolarsError, NarwhalsError, OSError) as error:
        raise InvalidEvidence(f"cannot read {title} as {kind}: {reason_of(error)}") from error
    return replace(predictions, source=title, careful=careful)


def _is_table(source: Any) -> bool:
    """Whether this is a table, not a path or a list of paths: iterating over a table gives the names of its columns."""
    if isinstance(source, str | bytes | os.PathLike | list | tuple):
        return False
    if isinstance(source, Mapping):
        return True
    try:
        frame = nw.from_native(nw.to_native(source, pass_through=True), pass_through=True)
    except DuplicateError:  # only a table can raise this; reading it reports the names
        return True
    return isinstance(frame, nw.DataFrame | nw.LazyFrame)


def _with_care(table: Any, title: str, options: dict[str, Any]) -> Predictions:
    return replace(Predictions.of(table, **options), source=title)


def _binary_files(polars: Any, kind: Format, files: Sequence[Path], parts: dict[str, Any]) -> Any:
    """Return the scan of Parquet or Arrow files; partitions in their paths are columns if a role names them."""
    keys = {key for file in files for key in re.findall(r"([^/\\=]+)=", str(file.parent))}
    models = parts["models"] if isinstance(parts["models"], tuple) else (parts["models"],)
    requested = keys & {*models, *(name for role, name in parts.items() if role != "models")}
    options = {"hive_partitioning": bool(requested), "try_parse_hive_dates": False}
    if kind == "parquet":
        table = polars.scan_parquet(list(files), **options)
    elif any(map(is_stream, files)):  # a stream cannot be scanned, so it is loaded
        scans = [polars.read_ipc_stream(file).lazy() if is_stream(file) else polars.scan_ipc(file) for file in files]
        table = polars.concat(scans)
    else:
        table = polars.scan_ipc(list(files), **options)
    return table.drop(sorted(keys - requested), strict=False) if requested else table
