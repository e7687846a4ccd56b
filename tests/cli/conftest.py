"""Two ways to run the command line: in this process, and as a user does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import tellapart
from tellapart.cli import main

BENCHMARK = """dataset,nb,svm,tree
anneal,0.81,0.93,0.97
balance,0.90,0.91,0.78
credit,0.75,0.74,0.71
glass,0.49,0.69,0.66
heart,0.84,0.83,0.78
iris,0.95,0.96,0.94
sonar,0.68,0.77,0.72
vote,0.90,0.95,0.96
wine,0.97,0.98,0.93
zoo,0.94,0.95,0.93
"""
LOGS = Path(__file__).parents[1] / "fixtures" / "logs"


@pytest.fixture
def run():
    """Run a command line in this process; a traceback is a failure."""

    def invoke(*arguments):
        done = CliRunner().invoke(main, arguments)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise AssertionError(f"a traceback: {done.exception!r}") from done.exception
        return done

    return invoke


@pytest.fixture
def refused(run):
    """Run a command line that must be refused, and return its one line on stderr."""

    def invoke(*arguments):
        done = run(*arguments)
        assert done.exit_code == 2
        assert done.stdout == ""
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1
        assert done.stderr.endswith("\n")
        return done.stderr

    return invoke


@pytest.fixture(scope="session")
def small_race(tmp_path_factory):
    """Return the bytes of a store: two learners on iris by 5x2."""
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    from tellapart.running import race

    file = tmp_path_factory.mktemp("race") / "my.race"
    learners = {"nb": GaussianNB(), "nn": KNeighborsClassifier(n_neighbors=1)}
    race(learners, *load_iris(return_X_y=True), plan="5x2", store=file, jobs=1)
    return file.read_bytes()


@pytest.fixture
def animals(tmp_path, monkeypatch, small_race):
    """Work in a folder with the files of the help texts."""
    truth = ["cat", "dog", "fox"] * 8
    forest = [*truth[:-2], "cat", "cat"]
    stump = ["cat"] * 24
    columns = {"row": range(24), "species": truth, "forest": forest, "stump": stump, "site": ["north", "south"] * 12}
    files = {
        "predictions.csv": ("species", "forest", "stump", "site"),
        "old.csv": ("row", "species", "stump"),
        "new.csv": ("row", "species", "forest"),
    }
    for file, names in files.items():
        lines = [names, *zip(*(columns[name] for name in names), strict=True)]
        (tmp_path / file).write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    ill = [index % 3 == 0 for index in range(24)]
    scores = [
        ("ill" if entry else "well", index % 7 / 10 + 0.2 * entry, index % 5 / 10 + 0.3 * entry)
        for index, entry in enumerate(ill)
    ]
    lines = ["label,old,new", *(f"{label},{old:.2f},{new:.2f}" for label, old, new in scores)]
    (tmp_path / "scores.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "my.race").write_bytes(small_race)
    (tmp_path / "races").mkdir()
    for name in ("iris", "plums", "sloes"):
        (tmp_path / "races" / f"{name}.race").write_bytes(small_race)
    (tmp_path / "benchmark.csv").write_text(BENCHMARK)
    for log, file in {"pair/reed": "old", "pair/sedge": "new", "epochs/reed": "run"}.items():
        shutil.copy(LOGS / "inspect" / f"{log}.eval", tmp_path / f"{file}.eval")
    for folder in ("outA", "outB"):
        (samples,) = (LOGS / "lm_eval" / folder).rglob("samples_arith_*.jsonl")
        (tmp_path / folder).mkdir()
        shutil.copy(samples, tmp_path / folder / samples.name.replace("arith", "gsm8k"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def shell():
    """Run `python -m tellapart`, or a line of the shell, in a new process."""

    def start(*arguments, env=None, stdout=subprocess.PIPE, line=None):
        here = {"PYTHONPATH": str(Path(tellapart.__file__).parents[1])}
        return subprocess.run(  # noqa: S603  # our own interpreter and package
            ["/bin/sh", "-c", line] if line else [sys.executable, "-m", "tellapart", *arguments],
            env=os.environ | here | (env or {}),
            stdout=stdout,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    return start
