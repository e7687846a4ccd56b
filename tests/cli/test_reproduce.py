"""`tellapart reproduce`: exit statuses, files, and the same answer with any number of processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tellapart.cli import main
from tellapart.reproduce import PAPERS, find_exhibits


def run(*words):
    return CliRunner().invoke(main, ["reproduce", *words])


def test_the_list_has_every_exhibit():
    done = run("--list")
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())  # long titles are wrapped
    for exhibit in find_exhibits():
        assert f"{exhibit.name} {exhibit.title}" in text


def test_the_list_as_json_has_every_exhibit():
    done = run("mitchell", "--list", "--json")
    assert done.exit_code == 0
    known = [{"paper": each.paper, "exhibit": each.name, "title": each.title} for each in find_exhibits("mitchell")]
    assert json.loads(done.stdout) == known


def test_a_printed_table_is_compared_with_our_values():
    done = run("mitchell", "table-5.1")
    assert done.exit_code == 0
    row = next(line for line in done.stdout.splitlines() if line.strip().startswith("68%"))
    assert row.split() == ["68%", "1.00", "0.9945", "-0.005542", "0.005", "deviates"]
    assert "68.27%" in done.stdout
    assert "6 of 7 printed numbers and statements in 1 exhibit match; 1 deviates, 0 not" in done.stdout


@pytest.mark.parametrize("spelled", ["table-5.1", "Table 5.1", "table_5.1"])
def test_an_exhibit_is_found_by_any_spelling(spelled):
    assert run("mitchell", spelled, "--json").exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mitchel",), "Did you mean 'mitchell'?"),
        (("", "table-5"), "unknown paper ''. Choose from martin-hirschberg"),
        (("mitchell", "table-99"), "unknown exhibit 'table-99'"),
        (("mitchell", "--quick", "--times", "3"), "`--times` and `--quick` exclude"),
        (("mitchell", "--times", "-1"), "`--times` must be greater than 0"),
        (("mitchell", "--jobs", "0"), "jobs"),
        (("mitchell", "--seed", "-4"), "seed"),
        (("mitchell", "--html", "x.pdf"), "`--html` must end in .html"),
        (("mitchell", "--markdown", "x.txt"), "must end in .md"),
        (("mitchell", "--markdown", "nowhere/x.md"), "no such folder"),
        (("mitchell", "--store", "nowhere/x.sqlite"), "folder not found"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, message):
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_store_is_not_overwritten_by_a_report(tmp_path):
    store = tmp_path / "blocks.html"
    done = run("mitchell", "table-5.1", "--store", str(store), "--html", str(store))
    assert done.exit_code == 2
    assert "must not" in done.stderr
    assert not store.exists()


def test_a_report_and_a_summary_are_written(tmp_path):
    page, summary = tmp_path / "page.html", tmp_path / "summary.md"
    done = run("mitchell", "table-5.1", "--html", str(page), "--markdown", str(summary))
    assert done.exit_code == 0
    assert f"report: {page}" in done.stderr
    assert f"summary: {summary}" in done.stderr
    assert "Table 5.1" in page.read_text(encoding="utf-8")
    assert summary.read_text(encoding="utf-8").startswith(
        "# Five papers, reproduced\n\nWritten by `tellapart reproduce"
    )


def test_processes_and_a_store_change_nothing(tmp_path):
    """The same seed gives the same numbers with one process or two, with or without a store."""
    words = [sys.executable, "-m", "tellapart", "reproduce", "mitchell", "central-limit", "--quick", "--json"]
    store = str(tmp_path / "blocks.sqlite")
    answers = []
    for more in ([], ["--jobs", "2", "--store", store], ["--store", store]):
        done = subprocess.run([*words, *more], check=False, capture_output=True, text=True)  # noqa: S603
        assert done.returncode == 0, done.stderr
        answers.append(json.loads(done.stdout))
    assert answers[0] == answers[1] == answers[2]
    assert Path(store).stat().st_size > 0


def test_every_paper_is_listed_in_the_help():
    text = " ".join(run("--help").stdout.split())
    assert all(name in text for name in PAPERS)


@pytest.mark.parametrize(
    ("words", "offered"), [("reproduce mit", "mitchell"), ("reproduce mitchell table-5.", "table-5.1")]
)
def test_names_are_completed(words, offered):
    typed = f"tellapart {words}"
    asked = {"_TELLAPART_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    command = [sys.executable, "-m", "tellapart"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, **asked})  # noqa: S603
    assert f"plain,{offered}" in done.stdout.splitlines()
