"""Every exit status of `tellapart gate`, from a real shell."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = r"""
set -m  # jobs in the background can be interrupted, as those at a terminal can
said() { echo "$1 $?" >> statuses; }

tellapart gate old.csv new.csv --margin 0.05 --json > first.json; said pass
tellapart gate old.csv new.csv --margin 0.05 --json > second.json; said again
tellapart gate --table 20 2 90 2888 > worse.txt; said worse
tellapart gate --table 0 0 0 5 > little.txt; said little
tellapart gate --tabel 20 12 9 2959 2> option.txt; said option
tellapart gate old.csv no-such-file.csv 2> missing.txt; said missing
tellapart gate old.csv other.csv 2> ids.txt; said ids
PYTHONPATH=broken tellapart gate --table 20 12 9 2959 2> broken.txt; said unexpected
tellapart gate --table 20 12 9 2959 --markdown /dev/full > /dev/null 2> full.txt; said full
tellapart gate --table 20 12 9 2959 --json >&- 2> closed.txt; said closed

# Its output is a pipe that is full, so it waits; that the Markdown was read says that it has come so far.
mkfifo full told
for signal in INT TERM; do
  exec 3<> full
  dd if=/dev/zero of=full oflag=nonblock bs=4096 2> /dev/null
  tellapart gate --table 20 12 9 2959 --markdown told >&3 2> "$signal.txt" & gate=$!
  cat told > /dev/null
  kill -"$signal" "$gate"
  wait "$gate"; said "$signal"
  exec 3>&-
done
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Run the script once, in a folder with predictions and a NumPy that does not load."""
    if sys.platform != "linux":
        pytest.skip("the script fills a pipe as Linux does")
    folder = tmp_path_factory.mktemp("shell")
    rng = np.random.default_rng(4)
    for name, first in (("old", 0), ("new", 0), ("other", 5000)):
        lines = [f"{first + i},eel,{'eel' if rng.random() < 0.97 else 'cat'}" for i in range(1500)]
        (folder / f"{name}.csv").write_text("\n".join(["id,label,prediction", *lines]) + "\n", encoding="utf-8")
    (folder / "broken" / "numpy").mkdir(parents=True)
    (folder / "broken" / "numpy" / "__init__.py").write_text("raise RuntimeError('a broken wheel')\n")
    bin_ = Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "PYTHONIOENCODING": "utf-8"}
    env.pop("GITHUB_STEP_SUMMARY", None)
    subprocess.run(["bash", "-c", SCRIPT], cwd=folder, env=env, check=True, timeout=120, capture_output=True)  # noqa: S603, S607
    return folder


def statuses(folder):
    return dict(line.split() for line in (folder / "statuses").read_text().splitlines())


def test_every_exit_status_occurs(folder):
    assert statuses(folder) == {
        "pass": "0",
        "again": "0",
        "worse": "1",
        "little": "3",
        "option": "2",
        "missing": "2",
        "ids": "2",
        "unexpected": "4",
        "full": "4",
        "closed": "4",
        "INT": "4",
        "TERM": "4",
    }


def test_the_same_input_gives_the_same_bytes(folder):
    first = (folder / "first.json").read_bytes()
    assert first == (folder / "second.json").read_bytes()
    assert json.loads(first)["verdict"] == "pass"


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("option", "error: unknown option `--tabel`. Did you mean `--table`?"),
        ("missing", "error: file not found: no-such-file.csv"),
        ("ids", "error: old.csv lacks 1,500 of "),
        ("broken", "error: no verdict: RuntimeError: a broken wheel."),
        ("full", "error: '/dev/full' cannot be written: No space left on device."),
        ("closed", "error: the output was closed before all of it was written."),
        ("INT", "error: stopped before there was a verdict."),
        ("TERM", "error: stopped before there was a verdict."),
    ],
)
def test_output_without_a_verdict_is_one_line(folder, name, begins):
    text = (folder / f"{name}.txt").read_text(encoding="utf-8")
    (line,) = text.strip().splitlines()
    assert line.startswith(begins)


def test_verdicts_begin_with_the_verdict(folder):
    assert (folder / "worse.txt").read_text(encoding="utf-8").startswith("WORSE: candidate is worse than baseline")
    assert (folder / "little.txt").read_text(encoding="utf-8").startswith("NOT ENOUGH EVIDENCE that candidate")
