"""Run files of deepeval, against the summary that deepeval itself wrote into them."""

import json
from pathlib import Path

import pytest

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.readers.logs import read_logs
from tellapart.readers.logs.deepeval import READER
from tellapart.readers.logs.run import Selection

LOGS = Path(__file__).parents[2] / "fixtures/logs/deepeval"
A, B = LOGS / "runs/test_run_20260102_101500_a.json", LOGS / "runs/test_run_20260102_102300_b.json"


def read(path, **expected):
    (run,) = READER.runs(path, Selection(**expected))
    return run


def content(path):
    result = json.loads(path.read_text())
    return result.get("testRunData", result)


@pytest.mark.parametrize("path", [A, B, *sorted(LOGS.glob("*.json"))], ids=lambda path: path.stem)
def test_scores_are_those_of_the_summary(path):
    for text in content(path)["metricsScores"]:
        run = read(path, metric=text["metric"])
        scores = run.table["score"].drop_nulls().to_list()
        bare = text["metric"] == "Bare"  # without a threshold: has scores, and deepeval counts them as errors
        assert scores == (text["scores"] if not bare else [1.0, 0.0, 1.0, 1.0, 0.5])
        failed = run.table["error"].str.contains("broke").sum() if "error" in run.table.columns else 0
        assert failed == (text["errors"] if not bare else 0)
        assert (run.higher_is_better, run.bounds) == (True, (0.0, 1.0))


def test_success_is_that_of_the_case():
    run = read(B, metric="success")
    assert run.table["score"].sum() == content(B)["testPassed"]
    assert (run.model, run.task, run.metric) == ("demo-large", "deepeval", "success")
    failed = read(LOGS / "errors.json", metric="success").table
    assert failed["score"].to_list() == [None, None, None, 1, 0, 0]


def test_cases_are_joined_by_content_whatever_they_are_called():
    """The cases of `unnamed` are called by their place, those of `latest_test_run` after the test."""
    names = {
        case["name"] for name in ("unnamed", "latest_test_run") for case in content(LOGS / f"{name}.json")["testCases"]
    }
    assert "test_case_0" in names
    assert "test_marbles[0]" in names
    ids = [read(LOGS / f"{name}.json", metric="Exact").table["id"].to_list() for name in ("unnamed", "latest_test_run")]
    assert ids[0] == ids[1][:5] == read(A, metric="Exact").table["id"].to_list()[:5]
    wrong = [
        {case["input"] for case in content(path)["testCases"] if case["actualOutput"] != case["expectedOutput"]}
        for path in (A, B)
    ]
    table = read_logs(A, B, metric="Exact").outcomes().paired_table()
    assert [table.both_wrong, table.only_a_wrong, table.only_b_wrong] == [
        len(wrong[0] & wrong[1]),
        len(wrong[0] - wrong[1]),
        len(wrong[1] - wrong[0]),
    ]


def test_several_metrics_are_to_be_chosen():
    with pytest.raises(
        InvalidOption,
        match=r"`metric` must name one of the metrics in .*test_run_20260102_101500_a\.json: 'Exact', 'Near'",
    ):
        read(A)
    with pytest.raises(
        InvalidOption, match=r"`metric` must be one of the metrics in .*test_run_20260102_101500_a\.json, got 'Rouge'"
    ):
        read(A, metric="Rouge")


def test_the_same_case_again_is_a_repeat():
    run = read(LOGS / "repeats.json", metric="Near")
    assert run.table["id"].n_unique() == 4
    assert run.table["epoch"].to_list() == [1] * 4 + [2] * 4 + [3] * 4
    assert any("repeats of one item" in note for note in run.notes)


def test_a_skipped_case_has_no_score():
    run = read(LOGS / "errors.json", metric="Near")
    assert run.table["error"].to_list() == [None] * 5 + ["the metric skipped the case"]
    assert any("'Near'" in note and ": 1" in note for note in run.notes)


def test_a_test_without_the_metric_is_left_out(tmp_path):
    result = json.loads((LOGS / "latest_test_run.json").read_text())
    result["testRunData"]["testCases"][0]["metricsData"].pop()
    path = tmp_path / "renamed"
    path.write_text(json.dumps(result))
    assert read(path, metric="Near").table.height == 5


def test_verdicts_show_whether_less_is_better(tmp_path):
    """Up to deepeval 4.1 a bias below its threshold passed; nothing else in the file tells."""
    result = content(A)
    for case in result["testCases"]:
        case["metricsData"] = [
            {**each, "name": "Bias", "success": not each["success"]} for each in case["metricsData"][:1]
        ]
    path = tmp_path / "old.json"
    path.write_text(json.dumps(result))
    assert not read(path).higher_is_better
    for case in result["testCases"]:
        del case["metricsData"][0]["threshold"]
    path.write_text(json.dumps(result))
    assert any("no verdict shows" in note for note in read(path).notes)


def test_metadata_are_columns():
    text = [case["metadata"]["passage_id"] for case in content(B)["testCases"]]
    assert read(B, metric="Exact", columns=("passage_id",)).table["passage_id"].to_list() == text
    with pytest.raises(InvalidOption, match="'passage_id'"):
        read(B, metric="Exact", columns=("chapter",))


def test_conversations_and_unfinished_runs():
    talks = read(LOGS / "conversation.json")
    assert (talks.metric, talks.table["score"].to_list()) == ("Ends politely", [1.0, 0.0])
    cut = read(LOGS / "unfinished.json", metric="Exact")
    assert cut.table.height == 4
    assert any("cut short" in note for note in cut.notes)


def test_the_oldest_names_and_unknown_ones(tmp_path):
    """Versions of 2023 called the results metricsMetadata, and a metric's name metric."""
    result = content(A)
    for case in result["testCases"]:
        case["metricsMetadata"] = [{"metric": each.pop("name"), **each} for each in case.pop("metricsData")]
        case["unheard"] = {"of": [1]}
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"unheardOf": [], **result}))
    assert read(path, metric="Near").table.equals(read(A, metric="Near").table)


def test_what_holds_no_scores_is_reported(tmp_path, head):
    path = tmp_path / ".latest_test_run.json"
    path.write_text('{"testRunLink": "somewhere"}')
    assert READER.recognises(head(path))
    with pytest.raises(InvalidEvidence, match="only a link"):
        read(path)
    result = content(A)
    result["testCases"][0]["metricsData"] *= 2
    path.write_text(json.dumps(result))
    with pytest.raises(InvalidEvidence, match="two results of a metric 'Exact'"):
        read(path)


def test_damage_is_reported(tmp_path, damaged, refusal, head):
    path, output = tmp_path / "damaged.json", 0
    for text in damaged(LOGS / "errors.json", copies=25):
        path.write_bytes(text)
        output += bool(refusal(READER.runs, path, Selection(metric="Near")))
        READER.recognises(head(path))
    assert output > 25


def test_a_first_case_longer_than_the_beginning_is_recognised(tmp_path, head):
    file = tmp_path / "log"
    file.write_text(json.dumps({"testCases": [{"name": "a", "input": "long " * 20_000, "actualOutput": "x"}]}))
    assert READER.recognises(head(file))
