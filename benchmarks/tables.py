"""W6: who was wrong where, from fifty million rows: time beside the engines themselves, and memory.

The clock is compared where engines work with several threads, processor time where NumPy works with one.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from contest import Contest
from tellapart.evidence import PairedTable
from tellapart.readers import read_predictions

ROWS, SOME = 50_000_000, 5_000_000
MODELS = tuple("abcdefghij")
LABEL, A, B = pl.col("label"), pl.col("a"), pl.col("b")


@dataclass(frozen=True)
class Files:
    """The tables of the workload, written once."""

    whole: Path
    tenth: Path
    text: Path
    ten_models: Path


@contextmanager
def written() -> Iterator[Files]:
    """Write the tables to a folder that is gone afterwards: ten classes, errors of 8 percent and more."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = Files(folder / "whole.parquet", folder / "tenth.parquet", folder / "tenth.csv", folder / "ten.parquet")
        ten = _rows(SOME)
        two = ten.select(["label", "a", "b"])
        _write(files.whole, two, ROWS // SOME)
        _write(files.tenth, two, 1)
        _write(files.ten_models, ten, 2)
        pl.DataFrame(two).write_csv(files.text)
        yield files


def _rows(count: int) -> pa.Table:
    rng = np.random.default_rng(2006)
    label = rng.integers(0, 10, count, dtype=np.int8)
    columns = {"label": label}
    for place, model in enumerate(MODELS):
        wrong = rng.integers(0, 100, count, dtype=np.int8) < 8 + place
        columns[model] = np.where(wrong, (label + 1) % 10, label).astype(np.int8)
    return pa.table(columns)


def _write(file: Path, table: pa.Table, times: int) -> None:
    """Write a table several times over, as pyarrow does if nobody tells it otherwise, a million rows a group."""
    with pq.ParquetWriter(file, table.schema) as writer:
        for _ in range(times):
            writer.write_table(table, row_group_size=1_000_000)


def three_sums(table: pl.LazyFrame) -> Any:
    """Count with polars and nothing else: A right, B right, both."""
    right_a, right_b = A == LABEL, B == LABEL
    sums = (right_a.sum().alias("right_a"), right_b.sum().alias("right_b"), (right_a & right_b).sum().alias("both"))
    return table.select(*sums, pl.len()).collect(engine="streaming")


def patterns(table: pl.LazyFrame) -> Any:
    """Count patterns of ten models with polars and nothing else."""
    bits = [
        pl.when(pl.col(name) == LABEL).then(pl.lit(1 << place, pl.Int16)).otherwise(pl.lit(0, pl.Int16))
        for place, name in enumerate(MODELS)
    ]
    return table.group_by(pl.sum_horizontal(bits).alias("code")).agg(pl.len()).collect(engine="streaming")


def masks(frame: pd.DataFrame) -> tuple[int, int, int]:
    """Count with pandas, the table in memory."""
    right_a, right_b = frame["a"] == frame["label"], frame["b"] == frame["label"]
    return int(right_a.sum()), int(right_b.sum()), int((right_a & right_b).sum())


def whole_arrays(label: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[int, int, int]:
    """Count with NumPy, an array of the table's length for each condition."""
    right_a, right_b = a == label, b == label
    return int(right_a.sum()), int(right_b.sum()), int((right_a & right_b).sum())


def contests(files: Files) -> Iterator[Contest]:
    """Yield the contests of W6 that are about time."""

    def read(path: Path) -> Callable[[], object]:
        return lambda: read_predictions(path, label="label").paired_table("a", "b")

    yield Contest(
        title="W6 two models, 50 million rows of Parquet",
        ours=read(files.whole),
        peers={
            "limit: polars, three sums": lambda: three_sums(pl.scan_parquet(files.whole)),
            "pandas read_parquet + masks": lambda: masks(pd.read_parquet(files.whole)),
        },
        within={"limit: polars, three sums": 1.3},
        clock=time.perf_counter,
        faster={"pandas read_parquet + masks": 3},  # bare polars is four to five times as fast as pandas
        turns=15,
    )
    yield Contest(
        title="W6 ten models in one pass, 10 million rows of Parquet",
        ours=lambda: read_predictions(files.ten_models, label="label").error_patterns(),
        peers={"limit: polars, one group-by": lambda: patterns(pl.scan_parquet(files.ten_models))},
        within={"limit: polars, one group-by": 1.3},
        turns=15,
        clock=time.perf_counter,
    )
    yield Contest(
        title="W6 two models, 5 million rows of CSV",
        ours=read(files.text),
        peers={
            "limit: polars, three sums": lambda: three_sums(pl.scan_csv(files.text)),
            "pandas read_csv + masks": lambda: masks(pd.read_csv(files.text)),
        },
        within={"limit: polars, three sums": 1.3},
        clock=time.perf_counter,
        faster={"pandas read_csv + masks": 1.2},
    )
    vectors = [np.tile(pl.read_parquet(files.tenth)[name].to_numpy(), ROWS // SOME) for name in ("label", "a", "b")]
    yield Contest(
        title="W6 two models, 50 million examples in memory",
        ours=lambda: PairedTable.from_predictions(*vectors),
        peers={"NumPy, whole arrays": lambda: whole_arrays(*vectors)},
        within={"NumPy, whole arrays": 0.8},
    )


def memory_is_flat(files: Files, limit: float = 150, growth: float = 1.3) -> bool:
    """Print the peak memory of a process that counts, and return whether it is small and flat in the rows."""
    # The kernel's own mark: what getrusage calls a peak begins with that of the process that started us.
    program = (
        "import pathlib, sys; from tellapart.readers import read_predictions;"
        "read_predictions(sys.argv[1], label='label').paired_table('a', 'b');"
        "marks = dict(line.split(':', 1) for line in pathlib.Path('/proc/self/status').read_text().splitlines());"
        "print(int(marks['VmHWM'].split()[0]) / 1024)"
    )
    few, many = (_median_of_five(program, file) for file in (files.tenth, files.whole))
    good = many <= limit and many <= growth * few
    print(
        f"\nW6 peak memory of a fresh process: {few:.0f} MB for 5 million rows, {many:.0f} MB for 50 million"
        f"   goal: at most {limit:g} MB, and at most {growth:g} of the smaller: {'met' if good else 'MISSED'}"
    )
    return good


def _median_of_five(program: str, file: Path) -> float:
    runs = [
        float(subprocess.run([sys.executable, "-c", program, str(file)], check=True, capture_output=True).stdout)  # noqa: S603  # our own words
        for _ in range(5)
    ]
    return sorted(runs)[2]
