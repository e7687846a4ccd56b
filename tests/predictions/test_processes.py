"""Engines that run in processes of their own, Dask and Spark: they start once, and go through the checks of all."""

from __future__ import annotations

import logging
import shutil
import warnings

import pytest

from .test_disagreements import finds_what_a_loop_finds
from .test_engines import CHECKS, counts_as_a_loop_does

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("engines")]


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
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # seconds need no tuned code
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


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Dask's, where a port is taken
@pytest.mark.usefixtures("cluster")
def test_dask_on_a_cluster_of_processes():
    pandas, dask = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")

    def frame(columns):
        return dask.from_pandas(pandas.DataFrame(columns), npartitions=2)

    counts_as_a_loop_does(frame, ("grouped", "all at once"))
    for check in CHECKS[1:]:
        check(frame)
    finds_what_a_loop_finds(frame, ("wrong", "no id"), (20,))


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_spark_in_local_mode(spark):
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")

    def frame(columns):
        return spark.createDataFrame(arrow.table(columns))

    counts_as_a_loop_does(frame, ("grouped", "all at once"))
    for check in CHECKS[1:]:
        check(frame)
    finds_what_a_loop_finds(lambda columns: spark.createDataFrame(pandas.DataFrame(columns)), ("weighted",), (20,))
