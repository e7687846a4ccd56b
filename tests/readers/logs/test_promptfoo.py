"""Results of promptfoo, against what promptfoo itself counted, and against its rows read plainly."""

import json
from pathlib import Path

import pytest

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.readers.logs import read_logs
from tellapart.readers.logs.promptfoo import READER
from tellapart.readers.logs.run import Selection

LOGS = Path(__file__).parents[2] / "fixtures/logs/promptfoo"


def read(path, **expected):
    (run,) = READER.runs(path, Selection(**expected))
    return run


def rows(name):
    return [json.loads(line) for line in (LOGS / name).read_text().splitlines()]


def changed(folder, name, change):
    """Write a copy of a file of lines, in which each row was changed."""
    result = rows(name)
    for row in result:
        change(row)
    path = folder / "copy.txt"
    path.write_text("".join(json.dumps(row) + "\n" for row in result))
    return path


def test_columns_are_models_with_the_totals_of_promptfoo():
    text = json.loads((LOGS / "grid.json").read_text())["results"]["prompts"]
    by = {
        metric: READER.runs(LOGS / "grid.json", Selection(metric=metric)) for metric in (None, "score", "exact", "near")
    }
    names = ["demo-small / {{question}}", "demo-small / brief", "demo-large / {{question}}", "demo-large / brief"]
    for index, column in enumerate(text):
        metrics = column["metrics"]
        passed, scored, *named = (by[metric][index] for metric in by)
        assert (passed.model, passed.metric, passed.bounds) == (names[index], "pass", (0.0, 1.0))
        assert passed.table["score"].sum() == metrics["testPassCount"]
        assert passed.table.height == metrics["testPassCount"] + metrics["testFailCount"]
        assert scored.table["score"].sum() == pytest.approx(metrics["score"])
        for run, name in zip(named, ("exact", "near"), strict=True):
            mean = metrics["namedScores"][name] / metrics["namedScoreWeights"][name]
            assert run.table["score"].mean() == pytest.approx(mean)
            assert (run.bounds, run.version) == (None, "0.123.1")


def test_tests_are_joined_by_their_variables_whatever_their_order():
    wrong = [{row["vars"]["question"] for row in rows(name) if not row["success"]} for name in ("a.jsonl", "b.jsonl")]
    table = read_logs(LOGS / "a.jsonl", LOGS / "b.jsonl").outcomes().paired_table()
    assert table.both_wrong == len(wrong[0] & wrong[1])
    assert table.only_a_wrong == len(wrong[0] - wrong[1])
    assert table.only_b_wrong == len(wrong[1] - wrong[0])
    assert table.both_right == 12 - len(wrong[0] | wrong[1])


def test_repeats_are_of_one_item():
    """With --repeat each answer has a testIdx of its own: six of them, of two tests."""
    run = read(LOGS / "repeats.jsonl")
    assert len({row["testIdx"] for row in rows("repeats.jsonl")}) == 6
    assert run.table["id"].n_unique() == 2
    assert run.table["epoch"].to_list() == [1, 2, 3, 1, 2, 3]
    assert any("repeats of one item" in note for note in run.notes)


def test_the_same_variables_with_other_assertions_are_another_item():
    table = read(LOGS / "twins.jsonl", metric="score").table
    assert table["id"].n_unique() == 2
    assert table["epoch"].to_list() == [1, 2, 1, 2]
    assert table["score"].to_list() == [0.0, 0.0, 0.5, 0.5]


def test_what_failed_has_no_score():
    run = read(LOGS / "errors.jsonl")
    # throws, tells an error, no output, assertion throws, judge fails, nothing asserted, all is well
    assert run.table["score"].to_list() == [None, None, 0, 0, None, None, 1]
    assert run.table["error"].to_list() == [
        "Error: the scripted model is not there",
        "the scripted model is too busy",
        None,
        None,
        "the judge failed: the scripted judge is not there",
        "the test asserts nothing",
        None,
    ]
    message = "; ".join(run.notes)
    for words in ("failed have no score here: 2", "judge failed: 1", "assert nothing: 1", "broke: 1"):
        assert words in message


def test_a_named_score_is_of_the_tests_that_have_it():
    run = read(LOGS / "errors.jsonl", metric="exact")
    assert run.table["score"].to_list() == [None, None, None, 1, 1, 1]  # the one without assertions is left out
    assert read(LOGS / "errors.jsonl", metric="extra").table.height == 1
    with pytest.raises(InvalidOption, match=r"`metric` must be one of the scores in .*errors\.jsonl, got 'rouge'"):
        read(LOGS / "errors.jsonl", metric="rouge")


def test_tests_that_nothing_names_are_refused(tmp_path):
    with pytest.raises(InvalidEvidence, match="PROMPTFOO_STRIP_TEST_VARS"):
        read(LOGS / "stripped.jsonl")
    described = changed(
        tmp_path, "stripped.jsonl", lambda row: row["testCase"].update(description=f"test {row['testIdx']}")
    )
    assert read(described).table["id"].n_unique() == 3


def test_another_assertion_makes_another_score(tmp_path):
    def change(row):
        row["testCase"]["assert"].append({"type": "contains", "value": "1"})

    other = changed(tmp_path, "b.jsonl", change)
    with pytest.raises(
        InvalidEvidence,
        match=r"the runs must be on the same items, but the proof of one id differs for 12 of 12 examples"
        r" \(first: id 'Box 1 holds 5 marbles",
    ):
        read_logs(LOGS / "a.jsonl", other).outcomes()
    assert read_logs(LOGS / "a.jsonl", other, metric="exact").outcomes().examples == 12


def test_metadata_are_columns():
    table = read(LOGS / "a.jsonl", columns=("passage_id",)).table
    assert table["passage_id"].to_list() == [row["testCase"]["metadata"]["passage_id"] for row in rows("a.jsonl")]
    with pytest.raises(InvalidOption, match="'passage_id'"):
        read(LOGS / "a.jsonl", columns=("chapter",))


def test_the_old_format():
    first, second = READER.runs(LOGS / "old.json", Selection())
    assert [first.model, second.model] == ["scripted / {{question}}", "scripted / Briefly: {{question}}"]
    for run in (first, second):
        assert sorted(run.table["score"].to_list(), key=str) == [1.0, None]
        assert run.version == "2"


def test_newer_and_unfinished_files(tmp_path):
    grid = json.loads((LOGS / "grid.json").read_text())
    grid["results"]["version"] = 9
    grid["results"]["results"][0]["unheard"] = {"of": [1]}
    newer = tmp_path / "newer"
    newer.write_text(json.dumps({"evalId": None, **grid}))
    assert any("version 9, newer" in note for note in READER.runs(newer, Selection())[0].notes)
    whole, cut = read(LOGS / "a.jsonl").table, read(LOGS / "unfinished.jsonl").table
    assert cut["id"].to_list() == whole["id"].to_list()[:3]


def test_providers_of_one_name_are_distinguished(tmp_path):
    def change(row):
        row["promptIdx"] = row["testIdx"] % 2
        row["provider"] = "demo"

    first, second = READER.runs(changed(tmp_path, "a.jsonl", change), Selection())
    assert (first.model, second.model) == ("demo", "demo (2)")


@pytest.mark.parametrize("name", ["errors.jsonl", "grid.json"])
def test_damage_is_reported(name, tmp_path, damaged, refusal, head):
    path, output = tmp_path / name, 0
    for text in damaged(LOGS / name, copies=25):
        path.write_bytes(text)
        output += bool(refusal(READER.runs, path, Selection()))
        READER.recognises(head(path))
    assert output > 25


@pytest.mark.parametrize(
    ("part", "name"), [("gradingResult", "reason"), ("prompt", "raw"), ("testCase", "description")]
)
def test_a_first_row_longer_than_the_beginning_is_recognised(tmp_path, head, part, name):
    row = json.loads((LOGS / "a.jsonl").read_text().splitlines()[0])
    row[part][name] = "long " * 20_000
    file = tmp_path / "log"
    file.write_text(json.dumps(row, separators=(",", ":")) + "\n")
    assert READER.recognises(head(file))
    file.write_text(json.dumps({"prompt": "long " * 20_000, "score": 1}) + "\n")  # a plain table
    assert not READER.recognises(head(file))


def test_half_a_character_is_no_trouble(tmp_path):
    """JavaScript cuts texts between the halves of a character."""
    file = tmp_path / "log"
    file.write_text((LOGS / "a.jsonl").read_text().replace('"question":"Box', '"question":"\\ud83d'))
    (run,) = READER.runs(file, Selection())
    assert "?" in run.table["id"][0]
