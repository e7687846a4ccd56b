"""From logs to predictions: which runs are meant, how they are joined, and what is refused."""

import json
import os
import shutil
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from tellapart import compare, read_logs
from tellapart.errors import InvalidEvidence, InvalidInput, InvalidOption

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"
REED, SEDGE = (LOGS / "inspect" / "pair" / f"{name}.eval" for name in ("reed", "sedge"))
OUT = [LOGS / "lm_eval" / name for name in ("outA", "outB")]
AGENTS = [LOGS / "swebench" / f"example__agent-{name}.demo-lite.json" for name in "ab"]


def report(folder, name, resolved, unresolved=(), **rest):
    """Write a report as SWE-bench does, and return its file."""
    lists = {"resolved_ids": [*resolved], "unresolved_ids": [*unresolved], "error_ids": [], "empty_patch_ids": []}
    lists |= {"incomplete_ids": [], "schema_version": 2} | rest
    every = sorted({each for values in lists.values() if isinstance(values, list) for each in values})
    file = folder / f"{name}.json"
    file.write_text(json.dumps({"submitted_ids": every, "completed_ids": every} | lists))
    return file


def test_two_runs_are_a_pair_by_the_models_names():
    evidence = read_logs(REED, SEDGE)
    assert evidence.models == ("mockllm/reed", "mockllm/sedge")
    assert evidence.outcomes().countable


def test_the_same_model_twice_goes_by_the_file(tmp_path):
    shutil.copy(REED, tmp_path / "again.eval")
    assert read_logs(REED, tmp_path / "again.eval").models == ("reed", "again")


def test_logs_that_are_called_the_same_go_by_their_folders(tmp_path):
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        shutil.copy(REED, tmp_path / name / "run.eval")
    assert read_logs(tmp_path / "x" / "run.eval", tmp_path / "y" / "run.eval").models == ("x/run", "y/run")


def test_several_tasks_are_groups_with_items_of_their_own():
    evidence = read_logs(*OUT, filter="strict-match", metric="exact_match", task="arith").outcomes()
    assert evidence.groups is None
    both = read_logs(*OUT, task="capitals_north", metric="acc").outcomes()
    with pytest.raises(
        InvalidOption,
        match=r"`filter` must name one of the filters in .*samples_arith_2026-01-05T09-01-00\.250125\.jsonl"
        r" \(task 'arith'\): 'flexible-extract', 'strict-match'",
    ):
        read_logs(*OUT)
    assert both.examples > 0


def test_runs_of_different_tasks_are_no_pair(tmp_path):
    """Where items are called by numbers, runs of two tasks would join by accident."""
    old, new = report(tmp_path, "old", ["x-1", "x-2"]), report(tmp_path, "new", ["y-1"])
    with pytest.raises(InvalidEvidence, match="share no example"):
        read_logs(old, new).outcomes()
    arith = next(OUT[0].rglob("samples_arith_*.jsonl"))
    north = next(OUT[1].rglob("samples_capitals_north_*.jsonl"))
    with pytest.raises(
        (InvalidEvidence, InvalidOption),
        match=r"`metric` must name one of the scores in"
        r" .*samples_capitals_north_2026-01-05T09-02-00\.250125\.jsonl \(task 'capitals_north'\): 'acc', 'acc_norm'",
    ):
        read_logs(arith, north, filter="strict-match").outcomes()


def test_errors_of_one_run_decide_nothing_by_default(tmp_path):
    old = report(tmp_path, "old", ["x-1"], ["x-3"], error_ids=["x-2"])
    new = report(tmp_path, "new", ["x-1", "x-2"], ["x-3"])
    with pytest.raises(InvalidEvidence, match=r"unscored answers of .*old.* \(x-2\): 1 example"):
        read_logs(old, new).outcomes()
    wrong = read_logs(old, new, errors="wrong").outcome_tally()
    assert wrong.outcomes.paired_table().disagreements == 1
    assert read_logs(old, new, errors="drop").outcomes().examples == 2


def test_a_pair_compares_like_its_table():
    answer = compare(read_logs(*AGENTS, errors="wrong"))
    table = read_logs(*AGENTS, errors="wrong").outcomes().paired_table()
    assert_allclose(answer.pvalue, compare(table).pvalue)


def test_a_folder_of_logs_is_every_run_in_it(tmp_path):
    for name, right in (("a", ["x-1"]), ("b", ["x-1", "x-2"]), ("c", [])):
        report(tmp_path, name, right, [each for each in ("x-1", "x-2") if each not in right])
    (tmp_path / "notes.txt").write_text("nothing")
    assert len(read_logs(tmp_path).models) == 3


def test_a_format_may_be_reported_and_must_fit(tmp_path):
    file = report(tmp_path, "old", ["x-1"])
    assert read_logs(file, format="swe-bench").outcomes().examples == 1
    with pytest.raises(InvalidEvidence):
        read_logs(file, format="inspect")
    with pytest.raises(InvalidOption, match="`format` must be a known format, got 'csv'"):
        read_logs(file, format="csv")


def test_a_task_may_be_a_cluster():
    assert read_logs(REED, SEDGE, cluster="task").outcomes().cluster_count == 1


def test_bounds_are_reported_where_the_log_has_none():
    runs = [LOGS / "mlflow" / name for name in "ab"]
    assert read_logs(*runs, metric="overlap").outcomes().metric.known_bounds is None
    assert read_logs(*runs, metric="overlap", bounds=(0, 1)).outcomes().metric.bounds == (0, 1)
    with pytest.raises(
        InvalidOption, match=r"`bounds` must be 0 and 1, as reed states for 'match', got \(0\.0, 5\.0\)"
    ):
        read_logs(REED, bounds=(0, 5))


def test_what_is_no_log_is_reported(tmp_path):
    plain = tmp_path / "plain.csv"
    plain.write_text("label,a\n1,1\n")
    with pytest.raises(
        InvalidEvidence,
        match=r".*plain\.csv must be a log of a known tool \(inspect, lm-eval, promptfoo, deepeval,"
        r" openai-evals, helm, swe-bench, mlflow, every-eval-ever\)",
    ):
        read_logs(plain)
    with pytest.raises(InvalidEvidence, match=r"the folder .* must hold a log of a known tool, got none"):
        read_logs(tmp_path)
    for missing in (None, "inspect"):
        with pytest.raises(InvalidInput, match=r"file not found: .*nowhere\.eval"):
            read_logs(tmp_path / "nowhere.eval", format=missing)
    with pytest.raises(InvalidInput, match="at least one log"):
        read_logs()


def test_a_model_may_be_chosen_and_must_be_there():
    with pytest.raises(InvalidOption, match=r"`model` must be one of the models in .*reed\.eval, got 'nobody'"):
        read_logs(REED, model="nobody")
    assert read_logs(REED, model="mockllm/reed").models == ("mockllm/reed",)


def test_clusters_come_from_the_metadata():
    evidence = read_logs(REED, SEDGE, cluster="passage_id").outcomes()
    assert evidence.clustered_by == "passage_id"
    assert 1 < evidence.cluster_count < evidence.examples
    with pytest.raises(InvalidOption, match=r"samples of .*reed\.eval must have 'nothing' in their metadata, got none"):
        read_logs(REED, cluster="nothing")


def test_a_folder_may_be_reported_the_format_of_its_logs(tmp_path):
    shutil.copy(LOGS / "promptfoo" / "a.jsonl", tmp_path / "a.jsonl")
    report(tmp_path, "other", ["x-1"])
    assert len(read_logs(tmp_path, format="promptfoo").models) == 1
    with pytest.raises(InvalidEvidence, match=r"the folder .* must hold a log of deepeval, got none"):
        read_logs(tmp_path, format="deepeval")


def test_what_is_no_file_or_empty_is_reported(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match=r".*pipe must be a file or a folder"):
        read_logs(tmp_path / "pipe")
    (tmp_path / "empty.eval").touch()
    with pytest.raises(InvalidEvidence, match=r"file is empty: .*empty\.eval"):
        read_logs(tmp_path / "empty.eval")


@pytest.mark.parametrize("name", ["id", "score", "epoch", "error", "proof", "filter"])
def test_metadata_are_not_mistaken_for_columns_of_the_run(name):
    with pytest.raises(InvalidOption, match=f"metadata fields must not be named 'id', 'epoch', .*, got '{name}'"):
        read_logs(REED, cluster=name)


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"\r\n"])
@pytest.mark.parametrize("name", ["promptfoo/grid.json", "promptfoo/a.jsonl", "openai_evals/a.jsonl"])
def test_a_mark_of_the_encoding_and_windows_line_ends_do_not_matter(tmp_path, name, before):
    plain = read_logs(LOGS / name).outcomes()
    file = tmp_path / "log"
    file.write_bytes(before + (LOGS / name).read_bytes().replace(b"\n", b"\r\n"))
    assert read_logs(file).outcomes().scores.tolist() == plain.scores.tolist()


def test_lower_may_be_better():
    here, there = (read_logs(REED, higher_is_better=higher).outcomes() for higher in (True, False))
    assert_allclose(here.scores, 1 - there.scores)  # right and wrong change places


def test_an_item_that_is_nested_too_deeply_is_refused_by_the_name_of_its_file(monkeypatch):
    """An item without a name is identified by its JSON; the depth at which that fails depends on Python."""

    def write(*_, **__):
        raise RecursionError

    file = LOGS / "deepeval/conversation.json"
    monkeypatch.setattr("tellapart.readers.logs.run_rows.json.dumps", write)
    with pytest.raises(InvalidEvidence, match=r"items of .*conversation\.json must not be nested so deeply"):
        read_logs(file)


@pytest.mark.parametrize("missing", ["fail", "drop"])
def test_ids_and_models_of_several_lines_are_reported_in_one(tmp_path, missing):
    """A case of deepeval is called by how its input begins, which may be a poem."""
    files = []
    for name, requested in (("a", "roses\nare red"), ("b", "violets\r\nare blue")):
        run = json.loads((LOGS / "deepeval/unnamed.json").read_text())
        run["hyperparameters"] = {"model": f"demo\n{name}"}
        for index, case in enumerate(run["testCases"]):
            case["input"] = f"{requested} {index}"
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(run))
    with pytest.raises(InvalidEvidence, match="demo a and demo b share no example") as caught:
        read_logs(*files, missing=missing).outcome_tally()
    assert len(str(caught.value).splitlines()) == 1
