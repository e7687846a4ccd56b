"""Reports as files: whole or not at all, the same twice, small, and refused before any work where they cannot be."""

import hashlib
import os
import stat
import subprocess
import sys

import numpy as np
import pytest

import tellapart as ta
from tellapart.errors import InvalidOption, MissingExtra, OutputNotWritten
from tellapart.report.provenance import Provenance, fingerprint_of, fingerprint_of_file, versions
from tellapart.report.writing import page_of, report_file, write_report

TABLE = ta.PairedTable(20, 25, 10, 45, models=("old", "<script>alert(1)</script>"))


def ranking(models):
    rng = np.random.default_rng(1)
    hard = rng.random(1000)
    right = {f"model {index}": hard + 0.3 * rng.random(1000) < 0.9 + 0.01 * index for index in range(models)}
    return ta.compare(ta.ErrorPatterns.from_correct(right), adjust="holm")


# --- The file -------------------------------------------------------------------------------------


def test_the_same_answer_gives_the_same_bytes(tmp_path):
    first = ta.write_report(tmp_path / "first.html", ta.compare(TABLE))
    second = ta.write_report(str(tmp_path / "second.htm"), ta.compare(TABLE))
    assert first.read_bytes() == second.read_bytes()
    assert first == tmp_path / "first.html"


def test_another_process_writes_the_same_bytes(tmp_path):
    code = (
        "import sys, tellapart as ta; table = ta.PairedTable(20, 25, 10, 45, models=('old', 'new'));"
        " ta.write_report(sys.argv[1], ta.compare(table))"
    )
    digests = set()
    for seed in ("1", "2"):
        file = tmp_path / f"{seed}.html"
        command = [sys.executable, "-c", code, str(file)]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": seed})  # noqa: S603  # our own code
        digests.add(hashlib.sha256(file.read_bytes()).hexdigest())
    assert len(digests) == 1


def test_names_are_text(tmp_path):
    text = write_report(tmp_path / "report.html", ta.compare(TABLE)).read_text(encoding="utf-8")
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert str(tmp_path) not in text


def test_a_title_of_ones_own():
    assert page_of(ta.compare(TABLE), title="Spring models").title == "Spring models"


def test_many_models_stay_small(tmp_path):
    file = write_report(tmp_path / "report.html", ranking(30))
    assert 100_000 < file.stat().st_size < 1_000_000


def test_many_methods_stay_small(tmp_path):
    names = [each.name for each in ta.find_methods(evidence=ta.PairedTable, gives="test")]
    result = ta.calibrate(names, ta.PairedTable(10, 25, 10, 255), trials=100)
    assert write_report(tmp_path / "report.html", result).stat().st_size < 1_000_000


def test_nothing_is_left_behind_and_an_old_report_stays_if_a_new_one_fails(tmp_path, monkeypatch):
    file = tmp_path / "report.html"
    file.write_text("old", encoding="utf-8")

    def full(*_args, **_more):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("pathlib.Path.replace", full)
        with pytest.raises(OutputNotWritten, match="cannot be written: No space left on device"):
            write_report(file, ta.estimate(ta.ErrorCount(3, 120)))
    assert file.read_text(encoding="utf-8") == "old"
    write_report(file, ta.estimate(ta.ErrorCount(3, 120)))
    assert file.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


# --- Refused before any work ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("report.pdf", r"must end in \.html: a report is HTML"),
        ("report", "a report is HTML"),
        ("none/report.html", "there is no folder .*none'. Make it first"),
        ("folder.html", "it is a folder"),
        (f"{'long' * 100}.html", "File name too long"),
    ],
)
def test_a_place_that_cannot_be_is_refused(tmp_path, name, message):
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(InvalidOption, match=message):
        report_file(tmp_path / name)
    with pytest.raises(InvalidOption, match=message):
        write_report(tmp_path / name, "no answer, which would be told later")


def test_a_folder_that_may_not_be_written_to_is_refused_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda index, mode: not (index == tmp_path and mode == os.W_OK))
    with pytest.raises(InvalidOption, match="its folder may not be written to"):
        report_file(tmp_path / "report.html")


def test_a_page_that_few_may_read_stays_so_and_a_link_leads_nowhere_else(tmp_path):
    private, linked, other = (tmp_path / f"{name}.html" for name in ("private", "linked", "other"))
    private.touch(mode=0o600)
    other.write_text("somebody else's")
    linked.symlink_to(other)
    for file in (private, linked):
        write_report(file, ta.estimate(ta.ErrorCount(3, 120)))
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert other.read_text() == "somebody else's"
    assert not linked.is_symlink()


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_what_is_not_installed_is_named(tmp_path, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"{package} .*pip install 'tellapart\[plot\]'"):
        report_file(tmp_path / "report.html")


def test_importing_the_room_loads_no_extra():
    code = "import sys, tellapart.report.writing; print('matplotlib' in sys.modules, 'jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603
    assert done.stdout.split() == ["False", "False"]


# --- Provenance -----------------------------------------------------------------------------------


def test_versions_are_those_that_are_loaded():
    result = versions()
    assert result["tellapart"] == ta.__version__
    assert result["Python"] == ".".join(map(str, sys.version_info[:3]))
    assert result["NumPy"] == np.__version__
    assert ("polars" in result) == ("polars" in sys.modules)


def test_fingerprints_identify_evidence():
    same = ta.PairedTable(20, 25, 10, 45), ta.PairedTable(20, 25, 10, 45)
    assert fingerprint_of(same[0]) == fingerprint_of(same[1])
    others = {fingerprint_of(each) for each in (*same, same[0].swapped(), ta.ErrorCount(3, 120), TABLE)}
    assert len(others) == 4
    by_hand = hashlib.sha256(b'{"errors": 3, "trials": 120}').hexdigest()[:16]
    assert fingerprint_of(ta.ErrorCount(3, 120)) == by_hand


def test_the_fingerprint_of_a_race_is_that_of_labels_and_predictions():
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB

    data, y = load_iris(return_X_y=True)
    first, second = (ta.race({"nb": GaussianNB()}, data, y, plan="3-fold", jobs=1) for _ in range(2))
    assert first.seconds != second.seconds
    assert fingerprint_of(first) == fingerprint_of(second)
    assert fingerprint_of(ta.race({"nb": GaussianNB()}, data, y, plan="3-fold", rng=1, jobs=1)) != fingerprint_of(first)


def test_the_fingerprint_of_a_file_is_its_sha256(tmp_path):
    file = tmp_path / "data.csv"
    file.write_bytes(b"a,b\n" * 500_000)
    digest = hashlib.sha256(b"a,b\n" * 500_000).hexdigest()
    assert fingerprint_of_file(file) == f"SHA-256 {digest[:16]}…, 2,000,000 bytes"


def test_a_fingerprint_is_of_evidence_or_of_a_race():
    with pytest.raises(InvalidOption, match="must be evidence or a race, got int"):
        fingerprint_of(3)


def test_provenance_is_a_plain_value():
    assert Provenance() == Provenance(command="", code="", seed=None, data={})
