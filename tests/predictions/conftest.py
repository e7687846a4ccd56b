"""The same rows on every engine: the real ones, each as its users have it."""

from __future__ import annotations

import logging
import shutil
import warnings

import pytest


@pytest.fixture(scope="module")
def cluster():
    """Start a Dask cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with (
        distributed.LocalCluster(**settings, dashboard_address=None, silence_logs=logging.CRITICAL) as local,
        distributed.Client(local) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def spark():
    """Start Spark in local mode: a Java process of its own."""
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Spark runs on Java, and there is none")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.driver.host": "localhost",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.log.level": "OFF",
    }
    builder = sql.SparkSession.builder.master("local[1]").appName("tellapart")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Spark's own, on the versions of what it uses
        session = builder.getOrCreate()
        yield session
        session.stop()


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
