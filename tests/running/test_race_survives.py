"""Killed workers, a killed driver, hanging learners: finished fits are kept, and the bits are the same."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context

import psutil
import pytest
from sklearn.naive_bayes import GaussianNB

from tellapart.errors import TellapartError
from tellapart.running import race, read_race

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("killed")]

DRIVER = """
import sys, time
from pathlib import Path
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import SGDClassifier
from sklearn.tree import DecisionTreeClassifier
from tellapart.running import race

class Counting(BaseEstimator):
    def __init__(self, log):
        self.log = log
    def fit(self, X, y):
        with Path(self.log).open("a") as file:
            file.write(f"{int(X[:, 0].sum())} {int((X[:, 0] ** 2).sum())}\\n")
        time.sleep(0.04)
        return self
    def predict(self, X):
        return (X[:, 1] > 0).astype(int)

if __name__ == "__main__":
    folder, jobs = Path(sys.argv[1]), int(sys.argv[2])
    rng = np.random.default_rng(1)
    X = np.column_stack([np.arange(40.0), rng.normal(size=(40, 3))])
    y = (X[:, 1] + rng.normal(size=40) > 0).astype(int)
    learners = {"counting": Counting(str(folder / "log")), "tree": DecisionTreeClassifier(max_features=1)}
    learners["sgd"] = SGDClassifier(max_iter=5, tol=None)
    race(learners, X, y, plan="10x2", jobs=jobs, store=folder / "my.race")
"""


@pytest.fixture(autouse=True)
def temporary(monkeypatch, tmp_path_factory):
    """Use another folder for temporary files, which must be empty afterwards."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield
    assert not list(folder.glob("tellapart-*"))


# A fit of the others takes milliseconds, on the busiest machine much less than this; one that hangs takes minutes.
PATIENCE = 10.0
TIMED_OUT = "timed out after 10 s"


def eventually(happens, patience=30.0):
    """Wait until a condition is met, and return its value."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        result = happens()
        if result:
            return result
        time.sleep(0.01)
    raise AssertionError("it never happened")


def kept(path):
    """Return the number of fits in a store, read while another process writes it."""
    try:
        with closing(sqlite3.connect(path)) as base:
            return base.execute("SELECT count(*) FROM fits").fetchone()[0]
    except sqlite3.OperationalError:  # not there yet
        return 0


def start(script, folder, jobs):
    (folder / "temporary").mkdir(exist_ok=True, parents=True)
    surroundings = os.environ | {"TMPDIR": str(folder / "temporary")}
    return subprocess.Popen([sys.executable, str(script), str(folder), str(jobs)], env=surroundings)  # noqa: S603


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Run the driver without interference."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "driver.py").write_text(DRIVER)
    assert start(folder / "driver.py", folder, 1).wait() == 0
    return read_race(folder / "my.race")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_driver_loses_no_finished_fit(tmp_path, undisturbed, bits, jobs):
    script = tmp_path / "driver.py"
    script.write_text(DRIVER)
    disturbed, folder = start(script, tmp_path / "disturbed", jobs), tmp_path / "disturbed"
    eventually(lambda: kept(folder / "my.race") >= 12)
    workers = [
        child for child in psutil.Process(disturbed.pid).children() if "tracker" not in " ".join(child.cmdline())
    ]
    disturbed.kill()
    disturbed.wait()
    finished = {(fit.learner, fit.split) for fit in read_race(folder / "my.race").fits}
    assert 12 <= len(finished) < 60
    assert len(workers) == (0 if jobs == 1 else jobs)
    psutil.wait_procs(workers, timeout=10)
    assert not any(worker.is_running() for worker in workers)  # no worker is left
    eventually(lambda: not list((folder / "temporary").glob("tellapart-*")))
    places = [
        read_race(folder / "my.race").layout.splits[split].train for name, split in finished if name == "counting"
    ]
    ran = [f"{places.sum()} {(places**2).sum()}" for places in places]
    assert start(script, folder, jobs).wait() == 0
    after = Counter((folder / "log").read_text().splitlines())
    assert len(after) == 20
    assert {after[key] for key in ran} == {1}  # what was finished ran once
    assert sum(after.values()) - 20 <= 2 * jobs  # what was under way ran again, at most two for each worker
    whole = read_race(folder / "my.race")
    assert not whole.missing
    assert bits(whole) == bits(undisturbed)


def test_a_second_call_runs_no_fit(odd, data, tmp_path, bits):
    learners = {"counting": odd.Counting(tmp_path / "log"), "nb": GaussianNB()}
    first = race(learners, *data, plan="2x2", jobs=1, store=tmp_path / "my.race")
    again = race(learners, *data, plan="2x2", jobs=2, store=tmp_path / "my.race")
    assert len((tmp_path / "log").read_text().splitlines()) == 4
    assert bits(again) == bits(first) == bits(read_race(tmp_path / "my.race"))


# --- Workers of our own ---------------------------------------------------------------------------


def killer(log, often):
    """Kill the worker that wrote the last line of the log, once the log has this many lines."""

    def kill():
        lines = eventually(lambda: log.exists() and len(lines := log.read_text().splitlines()) >= often and lines)
        os.kill(int(lines[-1].split()[0]), signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def test_a_killed_worker_does_not_change_the_result(odd, data, learners, tmp_path, bits):
    log = tmp_path / "log"
    racing = {"counting": odd.Counting(log, pause=0.1), **learners}
    thread = killer(log, 3)
    evidence = race(racing, *data, plan="3x2", jobs=2)
    thread.join()
    assert not evidence.failures
    assert 6 <= len(log.read_text().splitlines()) <= 8  # the fit it was killed in ran again
    quick = {"counting": odd.Counting(tmp_path / "other"), **learners}
    assert bits(evidence) == bits(race(quick, *data, plan="3x2", jobs=1))


def test_a_fit_that_kills_its_worker_is_reported_and_others_continue(odd, data, tmp_path):
    racing = {"deadly": odd.Misbehaving("die"), "nb": GaussianNB(), "once": odd.Misbehaving("die once", tmp_path / "x")}
    evidence = race(racing, *data, plan="2-fold", jobs=2)
    assert [(failure.learner, failure.why) for failure in evidence.failures] == [("deadly", "its worker died 3 times")]
    assert len(evidence.fits) == 6


def test_a_hanging_fit_is_ended(odd, data):
    evidence = race({"lazy": odd.Misbehaving("hang"), "nb": GaussianNB()}, *data, plan="2-fold", timeout=PATIENCE)
    assert [(failure.learner, failure.why) for failure in evidence.failures] == [("lazy", TIMED_OUT)]
    assert len(evidence.fits) == 4


@pytest.fixture
def interruptible():
    """Restore the default handling of SIGINT, which a shell ignores for processes in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_the_workers_and_keeps_finished_fits(odd, data, tmp_path):
    log = tmp_path / "log"
    racing = {"nb": GaussianNB(), "counting": odd.Counting(log, pause=0.2)}
    timer = threading.Thread(
        target=lambda: (eventually(lambda: kept(tmp_path / "my.race") >= 4), os.kill(os.getpid(), signal.SIGINT))
    )
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        race(racing, *data, plan="10x2", jobs=2, store=tmp_path / "my.race")
    timer.join()
    left = read_race(tmp_path / "my.race")
    assert 4 <= len(left.fits) < 40
    assert left.missing
    pids = {int(line.split()[0]) for line in log.read_text().splitlines()}
    assert not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in pids)


# --- Executors of others --------------------------------------------------------------------------


def test_threads_do_not_wait_for_a_hanging_fit(odd, data):
    pool = ThreadPoolExecutor(1)
    racing = {"lazy": odd.Misbehaving("hang"), "nb": GaussianNB()}
    evidence = race(racing, *data, plan="2-fold", timeout=PATIENCE, executor=pool)
    pool.shutdown(wait=False)
    assert [failure.why for failure in evidence.failures] == [TIMED_OUT]
    assert len(evidence.fits) == 4


def test_a_broken_pool_is_reported_and_the_store_can_be_resumed(odd, data, tmp_path):
    racing = {"nb": GaussianNB(), "deadly": odd.Misbehaving("die once", tmp_path / "died")}
    options = {"plan": "3x2", "store": tmp_path / "my.race"}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        message = "must accept fits, got: .* in the store"
        with pytest.raises(TellapartError, match=message):
            race(racing, *data, executor=pool, **options)
    evidence = race(racing, *data, jobs=1, **options)
    assert not evidence.failures
    assert not evidence.missing


@pytest.fixture(scope="module")
def cluster():
    """Start a real scheduler and two worker processes with nannies."""
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
            ) as local,
            distributed.Client(local) as client,
        ):
            yield client


def test_a_dask_cluster_gives_the_same_bits(cluster, learners, data, bits):
    evidence = race(learners, *data, plan="2x2", executor=cluster.get_executor(retries=3))
    assert bits(evidence) == bits(race(learners, *data, plan="2x2", jobs=1))
    assert bits(race(learners, *data, plan="2x2", executor=cluster)) == bits(evidence)


def test_threads_of_a_dask_worker_take_turns(odd, data, bits):
    distributed = pytest.importorskip("distributed")
    pausing = {"a": odd.Pausing(), "b": odd.Pausing()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"n_workers": 1, "threads_per_worker": 2, "processes": True}
        with (
            distributed.LocalCluster(**options, dashboard_address=None, silence_logs=50) as local,
            distributed.Client(local) as client,
        ):
            evidence = race(pausing, *data, plan="5x2", executor=client)
    assert bits(evidence) == bits(race(pausing, *data, plan="5x2", jobs=1))


def test_a_killed_dask_worker_does_not_change_the_result(cluster, odd, data, learners, tmp_path, bits):
    log = tmp_path / "log"
    racing = {"counting": odd.Counting(log, pause=0.1), **learners}
    thread = killer(log, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        evidence = race(racing, *data, plan="3x2", executor=cluster.get_executor(retries=3))
    thread.join()
    pids = {line.split()[0] for line in log.read_text().splitlines()}
    assert len(pids) >= 2
    assert not evidence.failures
    quick = {"counting": odd.Counting(tmp_path / "other"), **learners}
    assert bits(evidence) == bits(race(quick, *data, plan="3x2", jobs=1))


def test_losing_all_dask_workers_does_not_change_the_result(cluster, odd, data, tmp_path):
    log = tmp_path / "log"

    def kill():
        eventually(lambda: log.exists() and len(log.read_text().splitlines()) >= 3)
        for pid in cluster.run(os.getpid).values():
            os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    evidence = race({"counting": odd.Counting(log, pause=0.1)}, *data, plan="5x2", executor=cluster.get_executor())
    thread.join()
    assert not evidence.failures
    assert len(evidence.fits) == 10


def test_a_fit_that_kills_dask_workers_is_reported_and_others_continue(cluster, odd, data):
    racing = {"deadly": odd.Misbehaving("die"), "nb": GaussianNB()}
    evidence = race(racing, *data, plan="2-fold", executor=cluster.get_executor())
    assert [(failure.learner, failure.why) for failure in evidence.failures] == [
        ("deadly", "its worker died repeatedly")
    ]
    assert len(evidence.fits) == 4


def test_dask_gives_up_a_hanging_fit(cluster, odd, data):
    racing = {"lazy": odd.Misbehaving("hang"), "nb": GaussianNB()}
    evidence = race(racing, *data, plan="2-fold", timeout=PATIENCE, executor=cluster.get_executor())
    assert [failure.why for failure in evidence.failures] == [TIMED_OUT]
