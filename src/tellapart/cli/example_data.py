"""Examples for a race: a built-in data set or a file, and the preprocessing of a learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidInput, InvalidOption, import_extra
from ..readers.files import files_of, format_of, header_names, is_stream, path_exists, separator_of
from ..typing_ import FloatArray, nearest_name
from .printing import remark

SETS = ("breast_cancer", "digits", "iris", "wine")
_NOTHING = ["", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None", "?"]


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Numbers by example and column; `words` are the columns whose numbers are codes of texts."""

    X: FloatArray
    y: np.ndarray[Any, Any]
    groups: np.ndarray[Any, Any] | None = None
    words: tuple[int, ...] = ()

    def prepared(self, learner: Any, *, scale: bool | None) -> Any:
        """Return the learner behind its preprocessing, which is refitted in every split.

        Texts are one-hot encoded and missing numbers imputed by the median; numbers are scaled if there are text
        columns, unless `scale` decides.
        """
        numbers = [column for column in range(self.X.shape[1]) if column not in self.words]
        scaled = bool(self.words) if scale is None else scale
        gaps = bool(np.isnan(self.X[:, numbers]).any())
        steps = self._preparation_steps(gaps=gaps, scaled=scaled)
        pipeline, compose = (import_extra(f"sklearn.{step}", "learn") for step in ("pipeline", "compose"))
        if not self.words:
            return pipeline.make_pipeline(*steps, learner) if steps else learner
        encoder = import_extra("sklearn.preprocessing", "learn").OneHotEncoder(
            handle_unknown="ignore", sparse_output=False
        )
        columns = [("texts", encoder, list(self.words))]
        if numbers:
            columns.append(("numbers", pipeline.make_pipeline(*steps) if steps else "passthrough", numbers))
        return pipeline.make_pipeline(compose.ColumnTransformer(columns), learner)

    @staticmethod
    def _preparation_steps(*, gaps: bool, scaled: bool) -> list[Any]:
        steps = []
        if gaps:
            impute = import_extra("sklearn.impute", "learn")
            steps.append(impute.SimpleImputer(strategy="median", keep_empty_features=True))
        if scaled:
            steps.append(import_extra("sklearn.preprocessing", "learn").StandardScaler())
        return steps


def read_examples(data: str, *, target: str | None, group: str | None, ignore: Sequence[str]) -> Examples:
    """Return a data set of scikit-learn by its name, or the table in a file.

    Examples
    --------
    >>> read_examples("iris", target=None, group=None, ignore=()).X.shape
    (150, 4)
    """
    if data in SETS:
        for option, value in (("--target", target), ("--group", group), ("--ignore", ignore)):
            if value:
                raise InvalidOption(f"`{option}` must be left out for the built-in data set {data}.")
        sets = import_extra("sklearn.datasets", "learn")
        return Examples(*getattr(sets, f"load_{data}")(return_X_y=True))
    if not path_exists(data) and not Path(data).suffix:
        near = nearest_name(data, SETS)
        fix = f" Did you mean {near!r}?" if near else ""
        raise InvalidOption(f"`--data` must be {', '.join(SETS)} or a file, got {data!r}.{fix}")
    if target is None:
        raise InvalidOption("`--target` is required for a file: the column of the labels.")
    return _split_table(_read_table(data), data, target, group, ignore)


def _read_table(data: str) -> Any:
    polars = import_extra("polars", "tables")
    files = files_of(data)
    kind = format_of(files)
    try:
        if kind == "csv":
            parts = [
                polars.read_csv(
                    file, separator=separator_of(file) or ",", infer_schema_length=None, null_values=_NOTHING
                )
                for file in files
            ]
            for table in parts:
                table.columns = header_names(table.columns)
        elif kind == "ipc":
            parts = [polars.read_ipc_stream(file) if is_stream(file) else polars.read_ipc(file) for file in files]
        else:
            parts = [polars.read_parquet(file) if kind == "parquet" else polars.read_ndjson(file) for file in files]
        return polars.concat(parts, how="vertical_relaxed")
    except (polars.exceptions.PolarsError, OSError) as error:
        raise InvalidInput(f"{data} cannot be read as {kind}: {str(error).splitlines()[0]}") from error


def _split_table(table: Any, data: str, target: str, group: str | None, ignore: Sequence[str]) -> Examples:
    for option, name in (("--target", target), ("--group", group), *(("--ignore", name) for name in ignore)):
        if name is not None and name not in table.columns:
            raise InvalidOption(f"`{option}` must be a column of {data} ({', '.join(table.columns)}), got {name!r}.")
    parts = {"--target": target} | ({"--group": group} if group else {})
    for option, name in parts.items():
        absent = table[name].null_count()
        if absent:
            raise InvalidInput(
                f"`{option}` must have no empty cells, got {absent} of {table.height} rows in column {name!r} of"
                f" {data}."
            )
    rest = [name for name in table.columns if name not in {target, group, *ignore}]
    if not rest or not table.height:
        raise InvalidInput(f"{data} has no {'rows' if rest else 'column to learn from'}.")
    columns, words = [], []
    for index, name in enumerate(rest):
        values, text = _encode_column(table[name], data)
        columns.append(values)
        words += [index] * text
    groups = table[group].to_numpy() if group else None
    return Examples(np.column_stack(columns), _read_labels(table[target], data), groups, tuple(words))


def _read_labels(column: Any, data: str) -> np.ndarray[Any, Any]:
    """Return labels as numbers or texts; raise InvalidInput for measurements and names."""
    polars = import_extra("polars", "tables")
    different = column.n_unique()
    if column.len() > 20 and different > column.len() / 2:
        raise InvalidInput(
            f"`--target` must be classes, got column {column.name!r} of {data} with {different} different values in"
            f" {column.len()} rows. Bin the numbers, or choose another column."
        )
    if column.dtype.is_numeric() or column.dtype == polars.Boolean:
        return np.asarray(column.to_numpy())
    return np.asarray(column.cast(polars.String).to_list())


def _encode_column(column: Any, data: str) -> tuple[FloatArray, bool]:
    """Return a column as numbers, and whether they are codes of texts; an empty cell has its own code."""
    polars = import_extra("polars", "tables")
    kind = column.dtype
    if kind.is_numeric() or kind in (polars.Boolean, polars.Null):
        return np.asarray(column.cast(polars.Float64).to_numpy(), dtype=float), False
    if kind in (polars.String, polars.Categorical, polars.Enum):
        texts = np.asarray(column.cast(polars.String).fill_null("").to_list())
        different, codes = np.unique(texts, return_inverse=True)
        if different.size > max(20, texts.size / 2):
            remark(
                f"note: column {column.name!r} has {different.size} different texts in {texts.size} rows. If it is"
                f" a name, leave it out: --ignore {column.name}."
            )
        return codes.astype(float), True
    raise InvalidInput(
        f"column {column.name!r} of {data} must hold numbers or texts, got {kind}. Use --ignore {column.name}."
    )
