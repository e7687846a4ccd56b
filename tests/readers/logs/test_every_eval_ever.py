"""The shared schema Every Eval Ever: read against the means beside the records, and written and read again."""

import hashlib
import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.readers.logs.every_eval_ever import READER, write_run
from tellapart.readers.logs.run import LogRun, Selection

DATA = Path(__file__).parents[2] / "fixtures/logs/every_eval_ever/data"
MIXED = DATA / "mixed/demo/alder"
# What version 0.3.0 of the schema asks of a record, and all that it allows.
NEEDED = {
    "schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input",
    "answer_attribution", "evaluation",
}  # fmt: skip
ALLOWED = NEEDED | {
    "evaluation_result_id", "sample_hash", "output", "messages", "token_usage", "performance", "error", "metadata",
}  # fmt: skip


def read(path, **expected):
    (run,) = READER.runs(path, Selection(**expected))
    return run


def records(folder):
    (file,) = folder.rglob("*_samples.jsonl")
    return file, [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.parametrize("folder", ["harbours/demo/alder", "harbours/demo/birch", "again", "sums"])
def test_means_are_those_beside_the_records(folder):
    (summary,) = (DATA / folder).rglob("*[!s].json")
    (result,) = json.loads(summary.read_text())["evaluation_results"]
    run = read(DATA / folder)
    assert run.table["score"].mean() == pytest.approx(result["score_details"]["score"])
    assert (run.metric, run.bounds, run.higher_is_better) == ("exact_match", (0.0, 1.0), True)


def test_a_folder_holds_its_models_and_tasks():
    runs = READER.runs(DATA, Selection(metric="exact_match", task="harbours"))
    assert [(run.model, run.task) for run in runs] == [("demo/alder", "harbours"), ("demo/birch", "harbours")]
    one, other = (run.table.sort("id") for run in runs)
    assert one.select("id", "proof").equals(other.select("id", "proof"))
    with pytest.raises(InvalidOption, match=r"`task` must be one of the evaluations in .*data, got 'moon'"):
        READER.runs(DATA, Selection(task="moon"))
    with pytest.raises(InvalidOption, match=r"`model` must be one of the models in .*data, got 'demo/fir'"):
        READER.runs(DATA, Selection(model="demo/fir"))


def test_several_results_of_a_sample():
    with pytest.raises(
        InvalidOption,
        match=r"`metric` must name one of the results in"
        r" .*afea6162-9036-492a-8d9d-570ddd440632_samples\.jsonl \(mixed\): 'overlap', 'right', 'seconds'",
    ):
        read(MIXED)
    overlap, seconds = read(MIXED, metric="overlap", columns=("passage_id",)), read(MIXED, metric="mixed:seconds")
    assert overlap.table["score"].to_list() == [0, 0.125, 0.25, None, 0.5]
    assert overlap.table["error"].to_list()[3] == "Timeout after 30 s"
    assert overlap.table["passage_id"].to_list() == ["Anchor"] * 4 + ["Buoy"]
    assert (seconds.metric, seconds.bounds, seconds.higher_is_better) == ("seconds", None, False)


def test_epochs(tmp_path):
    table = read(DATA / "again").table
    assert sorted(table.select("id", "epoch").rows()) == [
        (f"again-{i}", epoch) for i in range(4) for epoch in (1, 2, 3)
    ]
    _, result = records(DATA / "again")
    lines = [json.dumps({key: value for key, value in one.items() if key != "metadata"}) for one in result]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    run = read(tmp_path / "x.jsonl")  # where nothing tells the repeats apart, they are counted
    assert run.table["epoch"].to_list() == table["epoch"].to_list()
    assert "read as repeats" in run.notes[0]
    (tmp_path / "x.jsonl").write_text("\n".join([*map(json.dumps, result), json.dumps(result[0])]))
    with pytest.raises(InvalidEvidence, match="'again-0' twice in epoch 1"):
        read(tmp_path / "x.jsonl")


def test_the_file_that_sums_up_leads_to_the_records(tmp_path, head):
    (summary,) = MIXED.glob("*[!s].json")
    assert READER.recognises(head(summary))
    assert read(summary, metric="right").table.equals(read(MIXED, metric="right").table)
    shutil.copy(summary, tmp_path)
    with pytest.raises(
        InvalidEvidence,
        match=r"the summary .*afea6162-9036-492a-8d9d-570ddd440632\.json must have its records in the same"
        r" folder \(afea6162-9036-492a-8d9d-570ddd440632_samples\.jsonl\)",
    ):
        read(tmp_path / summary.name)


def test_records_alone_renamed_and_of_other_versions(tmp_path, head):
    _, result = records(DATA / "sums")
    newer = [one | {"schema_version": "0.9.1", "moon": {"full": True}} for one in result]
    older = [
        one | {"schema_version": "instance_level_eval_0.2.0", "sample_id": int(one["sample_id"])}
        | {"input": {"raw": one["input"]["raw"], "reference": one["input"]["reference"][0]}}
        for one in result
    ]  # fmt: skip
    whole = read(DATA / "sums")
    for name, each in (("newer", newer), ("older", older)):
        (tmp_path / name).write_text("\n\n".join(map(json.dumps, each)))
        assert READER.recognises(head(tmp_path / name))
        run = read(tmp_path / name, metric="exact_match")
        assert run.table.equals(whole.table)
        assert run.bounds is None  # nothing beside it says so
    assert "newer than the supported version (0.3.0)" in read(tmp_path / "newer").notes[0]


def test_filters_stand_behind_the_task(tmp_path):
    _, result = records(DATA / "sums")
    lines = [
        json.dumps(one | {"evaluation_name": f"sums/{name}", "evaluation_result_id": f"exact_match,{name}"})
        for name in ("strict", "loose")
        for one in result
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    assert {run.task for run in READER.runs(tmp_path / "x.jsonl", Selection())} == {"sums/strict", "sums/loose"}
    assert read(tmp_path / "x.jsonl", task="sums", filter="strict").task == "sums/strict"
    assert read(tmp_path / "x.jsonl", filter="loose").task == "sums/loose"


def test_levels_that_are_unknown(tmp_path):
    shutil.copytree(DATA / "sums/demo", tmp_path / "demo")
    file, result = records(tmp_path)
    summary = file.with_name(file.name.replace("_samples.jsonl", ".json"))
    text = json.loads(summary.read_text())
    text["evaluation_results"][0]["metric_config"] = {"lower_is_better": False, "score_type": "levels"} | {
        "level_names": ["low", "high"], "has_unknown_level": True,
    }  # fmt: skip
    summary.write_text(json.dumps(text))
    result[1]["evaluation"]["score"] = -1
    file.write_text("\n".join(map(json.dumps, result)))
    table = read(tmp_path).table
    assert table["score"].to_list() == [1, None, 0]
    assert table["error"].to_list() == [None, "its level is unknown", None]


def test_records_that_are_missing(tmp_path):
    shutil.copytree(DATA / "harbours/demo/alder", tmp_path / "alder")
    file, result = records(tmp_path)
    file.write_text("\n".join(map(json.dumps, result[:15])))
    with pytest.raises(
        InvalidEvidence, match=r".*8d7c43cb-ef8d-4297-a36b-20e127f0adee_samples\.jsonl must hold 20 records, got 15"
    ):
        read(tmp_path)
    file.write_text("")
    with pytest.raises(
        InvalidEvidence,
        match=r".*8d7c43cb-ef8d-4297-a36b-20e127f0adee_samples\.jsonl must hold at least one record, got none",
    ):
        read(tmp_path)


def test_cut_short_or_damaged(tmp_path, damaged, refusal):
    shutil.copytree(MIXED, tmp_path / "mixed")
    for name in ("*_samples.jsonl", "*[!s].json"):
        (file,) = (tmp_path / "mixed").glob(name)
        text = file.read_bytes()
        for broken in damaged(file, 40):
            file.write_bytes(broken)
            message = refusal(read, tmp_path / "mixed", metric="overlap")
            assert not message or file.stem.removesuffix("_samples") in message
        file.write_bytes(text)


# --- Writing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("harbours/demo/birch", {"columns": ("passage_id",)}),
        ("mixed", {"metric": "overlap"}),
        ("mixed", {"metric": "seconds"}),
        ("again", {}),
    ],
)
def test_what_is_written_is_read_again(tmp_path, folder, expected):
    run = read(DATA / folder, **expected)
    file = write_run(run, tmp_path, organization="Example", relationship="third_party")
    columns = {"columns": expected["columns"]} if "columns" in expected else {}
    again = read(tmp_path, **columns)
    assert again.table.equals(run.table)
    for name in ("model", "task", "metric", "higher_is_better", "bounds"):
        assert getattr(again, name) == getattr(run, name)
    assert file.parent.relative_to(tmp_path).parts == ("data", run.task, "demo", run.model.partition("/")[2])


def test_records_are_of_the_schema(tmp_path):
    run = read(DATA / "mixed", metric="overlap", columns=("passage_id",))
    file = write_run(run, tmp_path, when=1767000000)
    _, result = records(tmp_path)
    for one in result:
        assert NEEDED <= one.keys() <= ALLOWED
        assert (one["interaction_type"], one["output"]) == ("single_turn", {"raw": []})  # which needs no messages
        assert {type(value) for value in one["evaluation"].values()} == {float, bool}
        assert all(isinstance(value, str) for value in one["metadata"].values())
    assert [one.get("error") for one in result] == [None, None, None, "Timeout after 30 s", None]
    summary = json.loads(file.with_name(file.name.replace("_samples.jsonl", ".json")).read_text())
    detailed = summary["detailed_evaluation_results"]
    assert detailed["checksum"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert detailed["file_path"] == str(file.relative_to(tmp_path))
    assert summary["evaluation_id"] == result[0]["evaluation_id"] == "mixed/demo/alder/1767000000.000000"
    assert summary["evaluation_results"][0]["score_details"]["score"] == pytest.approx((0.125 + 0.25 + 0.5) / 4)
    assert write_run(run, tmp_path, when=1767000000) == file  # the same run is the same file


def test_names_that_no_folder_can_have(tmp_path):
    table = pl.DataFrame({"id": ["a", "b"], "score": [0.5, None]})
    run = LogRun(
        table=table.lazy(), tool="x", model="a:b", task="data", metric="f1", higher_is_better=False, bounds=(0, 1)
    )
    file = write_run(run, tmp_path)
    assert file.parent.relative_to(tmp_path).parts == ("data", "data_", "unknown", "a_b")
    again = read(tmp_path)
    assert (again.model, again.task, again.higher_is_better) == ("unknown/a:b", "data", False)
    assert again.table["error"].to_list() == [None, "no score was given"]
    _, result = records(tmp_path)
    assert result[1]["evaluation"] == {"score": 1.0, "is_correct": False}  # the worst, where less is better


def test_what_cannot_be_written(tmp_path):
    run = read(DATA / "sums")
    with pytest.raises(
        InvalidOption,
        match=r"`relationship` must be one of \('first_party', 'third_party', 'collaborative', 'other'\), got 'friend'",
    ):
        write_run(run, tmp_path, relationship="friend")
    for scores, message in (
        ([], "at least one answer"),
        ([None], "`run` must hold at least one score, got failed answers only"),
    ):
        table = pl.DataFrame({"id": ["a"][: len(scores)], "score": pl.Series(scores, dtype=pl.Float64)})
        with pytest.raises(InvalidEvidence, match=message):
            write_run(LogRun(table=table, tool="x", model="m", task="t", metric="f1"), tmp_path)
    assert not list(tmp_path.iterdir())
    (tmp_path / "taken").write_text("a file")
    table = pl.DataFrame({"id": ["q1"], "score": [1.0]})
    with pytest.raises(InvalidOption, match=r"cannot write to .*taken: Not a directory"):
        write_run(LogRun(table=table, tool="demo", model="us/alder", task="quiz", metric="right"), tmp_path / "taken")
