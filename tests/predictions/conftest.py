"""The same rows on every engine: the real ones, each as its users have it."""

from __future__ import annotations

import pytest


@pytest.fixture(params=("dictionary", "polars", "polars lazy", "pandas", "pyarrow", "duckdb"))
def engine(request):
    """Return a function that puts columns into a table of an engine."""
    if request.param == "dictionary":
        return dict
    if request.param.startswith("polars"):
        polars = pytest.importorskip("polars")
        return polars.LazyFrame if request.param.endswith("lazy") else polars.DataFrame
    if request.param == "pandas":
        return pytest.importorskip("pandas").DataFrame
    arrow = pytest.importorskip("pyarrow")
    if request.param == "pyarrow":
        return arrow.table
    duckdb = pytest.importorskip("duckdb")
    return lambda columns: duckdb.from_arrow(arrow.table(columns))
