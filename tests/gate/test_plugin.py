"""The plugin in a real pytest: what it prints and records, and that it does not interfere with other tests."""

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "gate-in-ci.md").read_text(encoding="utf-8")
RULES = re.search(r"```toml\n(\[tool\.tellapart\.gate\]\n.*?)```", PAGE, re.DOTALL)[1]
RELEASE = re.search(r"```python\n# test_release\.py\n(.*?)```", PAGE, re.DOTALL)[1]
OWN = """
[tool.tellapart.gate.margins]
de = 0.2
"""
SUITE = """
import csv
import random

import pytest
import tellapart as ta

rng = random.Random(9)
OLD = [rng.random() < 0.9 for _ in range(4000)]
NEW = [right if rng.random() > 0.005 else not right for right in OLD]
BAD = [right and rng.random() > 0.2 for right in OLD]


def test_a_pass_by_the_rules(tellapart_gate):
    assert tellapart_gate(OLD, NEW).margin == 0.02


def test_worse(tellapart_gate):
    tellapart_gate(OLD, BAD, names=("old", "new"))


def test_little(tellapart_gate):
    tellapart_gate(OLD[:5], OLD[:5])


def test_little_is_skipped(tellapart_gate):
    tellapart_gate(OLD[:5], OLD[:5], on_little="skip")


def test_twice(tellapart_gate):
    assert tellapart_gate(OLD, NEW, 0.1).margin == 0.1
    found = tellapart_gate(OLD, NEW, groups=["de", "en"] * 2000)
    assert [line.comparison.margin for line in found.groups.values()] == [0.2, 0.02]


def test_files_by_the_rules(tellapart_gate, tmp_path):
    for name, right in (("old", OLD), ("new", NEW)):
        with open(tmp_path / f"{name}.csv", "w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["row", "digit", "prediction"])
            rows.writerows([i, 7, 7 if each else 1] for i, each in enumerate(right))
    assert tellapart_gate(tmp_path / "old.csv", tmp_path / "new.csv", id="row").models == ("old", "new")


def test_without_the_fixture():
    with pytest.raises(AssertionError, match="WORSE: candidate is worse than baseline by more than 1 pp"):
        ta.assert_not_worse(OLD, BAD)
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suite")
    (folder / "pyproject.toml").write_text(RULES + OWN, encoding="utf-8")
    (folder / "test_release.py").write_text(RELEASE, encoding="utf-8")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "test_models.py").write_text(SUITE, encoding="utf-8")
    return folder


def run(folder, *arguments):
    """Run pytest with the installed plugins and without options of other tests."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, *arguments, "-p", "no:cacheprovider", "-p", "no:hypothesispytest"],
        cwd=folder,
        env={**env, "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert not done.stderr, done.stderr
    return done


SUMMARY = """\
test_models.py::test_a_pass_by_the_rules: PASS: candidate is at most 2 pp worse than baseline; ~
test_models.py::test_files_by_the_rules: PASS: new is at most 2 pp worse than old; ~
test_models.py::test_little: NOT ENOUGH EVIDENCE that candidate is at most 2 pp worse than baseline; ~
test_models.py::test_little_is_skipped: NOT ENOUGH EVIDENCE that candidate is at most 2 pp worse than baseline; ~
test_models.py::test_twice: PASS: candidate is at most 10 pp worse than baseline; ~
test_models.py::test_twice: PASS: candidate is at most the group's margin worse than baseline in both groups
test_models.py::test_worse: WORSE: new is worse than old by more than 2 pp; ~
test_release.py::test_the_new_model_is_not_worse: PASS: new is at most 2 pp worse than old; ~
"""


def summary(output):
    """Return the plugin's part of the output; limits of intervals are tested elsewhere."""
    part = re.search(r"^=+ tellapart =+\n(.*?)^=", output, re.MULTILINE | re.DOTALL)[1]
    return re.sub(r"; accuracy .* CI -?\d+\.\d+ to -?\d+\.\d+\), p [=<] 0\.\d+$", "; ~", part, flags=re.MULTILINE)


def test_a_real_run_reports_and_records_every_verdict(suite):
    done = run(suite, "-m", "pytest", "-v", "--junit-xml=junit.xml")
    assert done.returncode == 1
    assert "2 failed, 5 passed, 1 skipped" in done.stdout
    assert summary(done.stdout) == SUMMARY
    # The failure shows the verdict and the line of the test, and no frames of the package.
    assert re.search(r"^E +AssertionError: WORSE: new is worse than old by more than 2 pp", done.stdout, re.MULTILINE)
    assert re.search(r"^E +accuracy .* pp lower", done.stdout, re.MULTILINE)
    assert re.search(r"^E +data +4,000 examples, \d+ discordant: ", done.stdout, re.MULTILINE)
    assert re.search(r"^E +next +133 examples \(128 more\)", done.stdout, re.MULTILINE)
    assert "asserting.py" not in done.stdout
    assert "plugin.py" not in done.stdout

    cases = {case.get("name"): case for case in ET.parse(suite / "junit.xml").iter("testcase")}  # noqa: S314  # our own

    def told(name, what):
        return [each.get("value") for each in cases[name].iter("property") if each.get("name") == f"tellapart.{what}"]

    assert told("test_a_pass_by_the_rules", "verdict") == ["pass"]
    assert told("test_worse", "verdict") == ["worse"]
    assert told("test_little_is_skipped", "verdict") == ["not enough evidence"]
    assert told("test_twice", "verdict") == ["pass", "pass"]
    (words,) = told("test_little", "words")
    assert "5 examples, 0 discordant" in words
    assert "133 examples (128 more)" in words
    assert told("test_worse", "headline")[0].startswith("WORSE: new is worse than old by more than 2 pp")
    assert cases["test_little_is_skipped"].find("skipped").get("message").startswith("NOT ENOUGH EVIDENCE")


def test_verdicts_of_workers_are_collected(suite):
    done = run(suite, "-m", "pytest", "-n", "1", "-q")
    assert "2 failed, 5 passed, 1 skipped" in done.stdout
    assert summary(done.stdout) == SUMMARY


OUT_OF_THE_WAY = """
import sys

import pytest

import tellapart.gate.plugin

heavy = sorted({"numpy", "scipy", "click", "narwhals", "tellapart.gate.judging"} & set(sys.modules))
print("loaded:", heavy)
sys.exit(pytest.main(["-q", "-p", "no:tellapart", "-k", "pass", *sys.argv[1:]]))
"""


def test_the_plugin_loads_nothing_and_can_be_switched_off(suite):
    done = run(suite, "-c", OUT_OF_THE_WAY)
    assert done.stdout.startswith("loaded: []\n")
    assert "fixture 'tellapart_gate' not found" in done.stdout
    assert "= tellapart =" not in done.stdout
    assert re.search(r"^7 deselected,.* 1 error", done.stdout, re.MULTILINE)


def test_the_plugin_is_found_by_its_entry_point():
    (found,) = entry_points(group="pytest11", name="tellapart")
    assert found.value == "tellapart.gate.plugin"


def test_the_plugin_is_imported_once(pytestconfig):
    """With --import-mode=importlib and doctests of modules, it might have been imported twice."""
    import tellapart.gate.plugin as here

    assert pytestconfig.pluginmanager.get_plugin("tellapart") is here
    assert [name for name in sys.modules if name.endswith("gate.plugin")] == ["tellapart.gate.plugin"]
