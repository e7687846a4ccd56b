"""Logs of OpenAI evals, against the report that the tool itself wrote into them."""

import json
from pathlib import Path

import pytest

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.readers.logs import read_logs
from tellapart.readers.logs.openai_evals import READER
from tellapart.readers.logs.run import Selection

LOGS = Path(__file__).parents[2] / "fixtures/logs/openai_evals"
REPORTED = [
    (path, metric)
    for path in sorted(LOGS.glob("*.jsonl"))
    for line in path.read_text().splitlines()
    if line.startswith('{"final_report"')
    for metric in sorted(json.loads(line)["final_report"].keys() & {"accuracy", "f1_score", "score"})
]


def read(path, **expected):
    (run,) = READER.runs(path, Selection(**expected))
    return run


def events(name):
    return [json.loads(line) for line in (LOGS / name).read_text().splitlines()]


@pytest.mark.parametrize(("path", "metric"), REPORTED, ids=lambda part: getattr(part, "stem", part))
def test_means_are_those_of_the_report(path, metric):
    (report,) = (line["final_report"] for line in events(path.name) if "final_report" in line)
    run = read(path, metric=metric)
    assert run.table["score"].mean() == pytest.approx(report[metric])
    assert run.bounds == (None if metric == "score" else (0.0, 1.0))


def test_what_the_run_was():
    run = read(LOGS / "a.jsonl")
    assert (run.model, run.task, run.metric) == ("demo/small", "marbles.dev.v0", "accuracy")
    assert run.table["id"].n_unique() == 24
    assert not run.notes
    assert read(LOGS / "a.jsonl", task="marbles").task == "marbles.dev.v0"
    with pytest.raises(InvalidOption, match=r"`task` must be one of the tasks in .*a\.jsonl, got 'pebbles'"):
        read(LOGS / "a.jsonl", task="pebbles")


def test_samples_are_joined_by_id():
    wrong = [
        {line["sample_id"] for line in events(name) if line.get("type") == "match" and not line["data"]["correct"]}
        for name in ("a.jsonl", "b.jsonl")
    ]
    table = read_logs(LOGS / "a.jsonl", LOGS / "b.jsonl").outcomes().paired_table()
    assert [table.both_wrong, table.only_a_wrong, table.only_b_wrong] == [
        len(wrong[0] & wrong[1]),
        len(wrong[0] - wrong[1]),
        len(wrong[1] - wrong[0]),
    ]
    assert read_logs(LOGS / "a.jsonl", LOGS / "subset.jsonl", missing="drop").outcomes().examples == 6


def test_an_id_of_another_question_is_found_out():
    """The data file was edited between the runs: marbles.dev.0 is another question."""
    with pytest.raises(
        InvalidEvidence,
        match=r"the runs must be on the same items, but the proof of one id differs for 10 of 24 examples"
        r" \(first: id 'marbles\.dev\.0'\)",
    ):
        read_logs(LOGS / "b.jsonl", LOGS / "reordered.jsonl", missing="drop").outcomes()


def test_where_nothing_is_expected_the_prompt_is_the_proof(tmp_path):
    run = read(LOGS / "graded.jsonl")
    assert run.table["proof"].n_unique() == 6
    path = tmp_path / "other"
    path.write_text((LOGS / "graded.jsonl").read_text().replace("Box 2 holds 6", "Box 2 holds 60"))
    with pytest.raises(
        InvalidEvidence,
        match=r"the runs must be on the same items, but the proof of one id differs for 3 of 6 examples"
        r" \(first: id 'marbles-graded\.dev\.3'\)",
    ):
        read_logs(LOGS / "graded.jsonl", path).outcomes()


def test_several_scores_are_to_be_chosen():
    with pytest.raises(
        InvalidOption, match=r"`metric` must name one of the scores in .*fuzzy_a\.jsonl: 'accuracy', 'f1_score'"
    ):
        read(LOGS / "fuzzy_a.jsonl")
    with pytest.raises(InvalidEvidence, match=r".*ungraded\.jsonl must have a score, got none"):
        read(LOGS / "ungraded.jsonl")


def test_several_matches_are_repeats():
    run = read(LOGS / "attempts.jsonl")
    assert run.table["id"].n_unique() == 6
    assert sorted(run.table["epoch"].to_list()) == [1] * 6 + [2] * 6 + [3] * 4
    assert any("repeats of one item" in note for note in run.notes)
    assert any("samples with scores and errors" in note and ": 2" in note for note in run.notes)


def test_what_has_no_score(tmp_path):
    """A sample with only an error, and one with only the model's answer."""
    lines = events("a.jsonl")
    first, second = (line["sample_id"] for line in lines if line.get("type") == "match" and line["event_id"] < 4)
    kept = [line for line in lines if line.get("type") != "match" or line["sample_id"] not in (first, second)]
    kept += [{"sample_id": first, "type": "error", "data": {"type": "ValueError", "message": "broke\nat line 3"}}]
    path = tmp_path / "log"
    path.write_text("".join(json.dumps(line) + "\n" for line in kept))
    run = read(path)
    table = {name: (score, error) for name, score, error in run.table.select("id", "score", "error").iter_rows()}
    assert (table[first], table[second]) == ((None, "broke"), (None, None))
    assert any("no score" in note and ": 2" in note for note in run.notes)
    # What is known of the others still shows that the items are the same.
    assert read_logs(path, LOGS / "b.jsonl", errors="wrong").outcomes().examples == 24
    with pytest.raises(
        InvalidEvidence,
        match=r"the runs must be on the same items, but the proof of one id differs for 10 of 24 examples"
        r" \(first: id 'marbles\.dev\.0'\)",
    ):
        read_logs(path, LOGS / "reordered.jsonl", missing="drop", errors="drop").outcomes()


def test_an_unfinished_run_and_an_unread_judge_are_reported():
    run = read(LOGS / "unfinished.jsonl")
    assert run.table.height == 9
    assert any("no final report" in note for note in run.notes)
    assert any("could not be read" in note and ": 2" in note for note in read(LOGS / "graded.jsonl").notes)


def test_columns_come_from_the_events(tmp_path):
    """Raw samples are among the events of version 0.1; extras of a match in every version."""
    lines = events("a.jsonl")
    raw = [
        {"sample_id": f"marbles.dev.{index}", "type": "raw_sample", "data": {"passage_id": f"box-{index // 3}"}}
        for index in range(24)
    ]
    path = tmp_path / "log"
    path.write_text("".join(json.dumps(line) + "\n" for line in (*lines, *raw)))
    table = read(path, columns=("passage_id",)).table
    assert table.filter(table["id"] == "marbles.dev.7")["passage_id"].to_list() == ["box-2"]
    with pytest.raises(InvalidOption, match="'expected'"):
        read(LOGS / "a.jsonl", columns=("passage_id",))


def test_the_first_version_names_a_model(tmp_path):
    """Version 0.1 wrote model_name, where later ones write completion_fns; a newer one may write more."""
    text = (
        (LOGS / "a.jsonl").read_text().replace('"completion_fns": ["demo/small"]', '"model_name": "demo", "new": [1]')
    )
    path = tmp_path / "log"
    path.write_text(text)
    assert read(path).model == "demo"


def test_two_runs_in_a_file_are_refused(tmp_path):
    path = tmp_path / "log"
    path.write_text((LOGS / "a.jsonl").read_text() + (LOGS / "b.jsonl").read_text())
    with pytest.raises(InvalidEvidence, match="more than one run"):
        read(path)


def test_damage_is_reported(tmp_path, damaged, refusal, head):
    path, output = tmp_path / "damaged", 0
    for text in damaged(LOGS / "attempts.jsonl", copies=25):
        path.write_bytes(text)
        output += bool(refusal(READER.runs, path, Selection()))
        READER.recognises(head(path))
    assert output > 25
