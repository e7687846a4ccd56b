"""Reports of SWE-bench, against the counts that the harness itself wrote into them."""

import json
import shutil
from pathlib import Path

import pytest

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.readers.logs.run import Selection
from tellapart.readers.logs.swe_bench import READER

LOGS = Path(__file__).parents[2] / "fixtures/logs/swebench"
REPORTS = sorted(path.relative_to(LOGS) for path in LOGS.rglob("example__*.json"))
ALL = LOGS / "reports-errors/example__agent-c.demo-errors.json"


def read(path, **expected):
    (run,) = READER.runs(path, Selection(**expected))
    return run


@pytest.mark.parametrize("name", REPORTS, ids=str)
def test_counts_are_those_of_the_harness(name):
    report, run = json.loads((LOGS / name).read_text()), read(LOGS / name)
    table = run.table
    assert table.height == report["total_instances"] == table["id"].n_unique()
    assert table["score"].sum() == report["resolved_instances"]
    assert table["score"].null_count() == report["error_instances"] + len(report["incomplete_ids"])
    zeros = table.filter(table["score"] == 0)["id"].to_list()
    assert sorted(zeros) == sorted(report["unresolved_ids"] + report["empty_patch_ids"])
    assert (run.model, run.bounds, run.higher_is_better) == (name.stem, (0.0, 1.0), True)


def test_every_fate_is_reported():
    run = read(ALL)
    table = run.table.sort("id")
    assert table["score"].to_list() == [1, 0, 0, 0, 0, None, None, None]
    assert table["error"].to_list()[5:] == ["the harness could not judge it"] * 2 + ["not submitted"]
    message = "; ".join(run.notes)
    assert "empty patches, which count as not resolved: 1" in message
    assert "2 that the harness could not judge, 1 not submitted" in message
    assert "attributes to the machine: 1" in message


def test_the_repository_is_there_as_a_cluster():
    table = read(LOGS / "example__agent-a.demo-lite.json", columns=("repo",)).table
    assert table["repo"].n_unique() == 5
    with pytest.raises(InvalidOption, match="'repo'"):
        read(ALL, columns=("language",))


def test_reports_on_single_instances(head):
    folder = LOGS / "logs/run_evaluation/demo-errors"
    assert READER.recognises(head(folder))
    assert not READER.recognises(head(LOGS))  # where the report on all of them lies beside, and says more
    run = read(folder)
    whole = dict(read(ALL).table.select("id", "score").iter_rows())
    assert run.model == "example__agent-c"
    assert all(whole[name] == score for name, score in run.table.select("id", "score").iter_rows())
    assert run.table["score"].to_list() == [1, 0, 0, 0, None]


def test_an_instance_without_a_report_failed(tmp_path):
    shutil.copytree(LOGS / "logs/run_evaluation/demo-errors", tmp_path / "run")
    (tmp_path / "run/example__agent-c/demo__abacus-102/report.json").unlink()
    table = read(tmp_path / "run").table
    lost = table.filter(table["id"] == "demo__abacus-102")
    assert lost["score"].to_list() == [None]
    assert lost["error"].to_list() == ["the harness wrote no report"]


def test_reports_of_other_versions(tmp_path, head):
    report = json.loads(ALL.read_text())
    older = {key: value for key, value in report.items() if "failure" not in key}  # as 2.0 to 4.1 wrote it
    newer = report | {"schema_version": 3, "moon": [1]}
    for name, each in (("older", older), ("newer", newer)):
        (tmp_path / name).write_text(json.dumps(each))
        assert READER.recognises(head(tmp_path / name))
        assert read(tmp_path / name).table.equals(read(ALL).table)
    assert "version 3, newer than the supported version" in read(tmp_path / "newer").notes[0]
    first = {
        "no_generation": ["x-3"],
        "generated": ["x-1", "x-2", "x-4"],
        "with_logs": ["x-1", "x-2"],
        "resolved": ["x-1"],
    }
    (tmp_path / "first").write_text(json.dumps(first))
    assert READER.recognises(head(tmp_path / "first"))
    assert dict(read(tmp_path / "first").table.select("id", "score").iter_rows()) == {
        "x-1": 1, "x-2": 0, "x-3": 0, "x-4": None,
    }  # fmt: skip


def test_a_leaderboards_list_is_not_enough(tmp_path, head):
    (tmp_path / "results.json").write_text(json.dumps({"no_generation": [], "no_logs": [], "resolved": ["x-1"]}))
    assert READER.recognises(head(tmp_path / "results.json"))
    with pytest.raises(InvalidEvidence, match=r".*results\.json must list all instances, got the resolved ones only"):
        read(tmp_path / "results.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"unresolved_ids": ["demo__abacus-101"]},
            r".*report\.json must report each instance once, got 'demo__abacus-101' twice",
        ),
        ({"resolved_ids": "demo__abacus-101"}, "must be a list of instance ids"),
        ({"error_ids": [7]}, "must be a list of instance ids"),
        (
            {key: [] for key in ("resolved_ids", "unresolved_ids", "empty_patch_ids", "error_ids", "incomplete_ids")},
            r".*report\.json must report at least one instance, got none",
        ),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, change, message):
    (tmp_path / "report.json").write_text(json.dumps(json.loads(ALL.read_text()) | change))
    with pytest.raises(InvalidEvidence, match=message):
        read(tmp_path / "report.json")


def test_cut_short_or_damaged(tmp_path, damaged, refusal):
    for text in damaged(ALL):
        (tmp_path / "report.json").write_bytes(text)
        message = refusal(read, tmp_path / "report.json")
        assert not message or "report.json" in message
    (tmp_path / "report.json").write_bytes(ALL.read_bytes()[:-20])
    with pytest.raises(InvalidEvidence, match=r".*report\.json must be complete JSON: Unterminated string starting at"):
        read(tmp_path / "report.json")


def test_what_there_is_not():
    with pytest.raises(
        InvalidOption, match=r"`task` must be one of the tasks in .*example__agent-c\.demo-errors\.json, got 'lite'"
    ):
        read(ALL, task="lite")
    with pytest.raises(
        InvalidOption, match=r"`metric` must be one of the scores in .*example__agent-c\.demo-errors\.json, got 'f1'"
    ):
        read(ALL, metric="f1")
