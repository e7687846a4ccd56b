"""Logs that contradict themselves: a sample is lost, or changed, and what the log states of itself stays as it was.

The fixtures are what the tools themselves wrote, counts and means included: each test removes or changes one sample of
such a log, so the number stated is the tool's and the number read is one less, by construction.
"""

import json
import shutil
import zipfile

import pytest

from tellapart.errors import InvalidEvidence
from tellapart.readers.logs.log_reading import read_logs, runs_of
from tellapart.readers.logs.run import Selection

from .damage import LOGS, SOURCES, members

SWE = LOGS / "swebench/example__agent-a.demo-lite.json"
HELM = LOGS / "helm/runs/demo"


def notes(path, **expected):
    (run, *_) = runs_of(path, None, Selection(**expected))
    return run.notes


def edited(source, target, change):
    """Write a JSON file as it is but for one change."""
    content = json.loads(source.read_text())
    change(content)
    target.write_text(json.dumps(content))
    return target


def edited_log(source, target, change):
    """Write a log of Inspect, its members stored, as it is but for one change."""
    parts = {name: json.loads(content) for name, content in members(source).items()}
    change(parts)
    with zipfile.ZipFile(target, "w") as file:
        for name, content in parts.items():
            file.writestr(name, json.dumps(content))
    return target


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_what_the_tools_wrote_contradicts_nothing(source):
    result = read_logs(*(LOGS / path for path in source.paths), **source.options)
    message = "; ".join(result.notes)
    for word in (
        "may have been cut short",
        "may hold samples",
        "may have been edited",
        "checksum",
        "are in the log again",
    ):
        assert word not in message


# --- Inspect ------------------------------------------------------------------------------------------


def test_inspect_a_summary_that_is_missing(tmp_path):
    """The header says 24 samples, and lists their ids."""
    lost = {}

    def change(parts):
        lost.update(parts["summaries.json"].pop(3))
        parts.pop(f"samples/{lost['id']}_epoch_1.json")

    message = notes(edited_log(LOGS / "inspect/pair/reed.eval", tmp_path / "a.eval", change))
    assert message == (
        f"the header states 24 samples, and the log has 23: it may have been cut short (missing: {lost['id']!r})",
    )


def test_inspect_a_sample_without_a_summary(tmp_path):
    path = edited_log(
        LOGS / "inspect/pair/reed.eval", tmp_path / "a.eval", lambda parts: parts["summaries.json"].pop(3)
    )
    assert "of 24 samples in the log, 23 have a summary and are read" in notes(path)


def test_inspect_json_a_sample_that_is_missing(tmp_path):
    path = edited(LOGS / "inspect/json/reed.json", tmp_path / "a.json", lambda log: log["samples"].pop())
    assert "the header states 3 samples, and the log has 2" in notes(path)[0]


def test_inspect_a_sample_of_another_name(tmp_path):
    path = edited(LOGS / "inspect/json/reed.json", tmp_path / "a.json", lambda log: log["samples"][0].update(id="moon"))
    assert notes(path) == ("the header lists samples that the log does not have: 'ferry-all'",)


def test_inspect_a_score_that_was_changed(tmp_path):
    """Inspect's own accuracy is 2 of 3; of the samples read, 1 of 3 is right."""

    def change(log):
        right = next(each for each in log["samples"] if each["scores"]["match"]["value"] == "C")
        right["scores"]["match"]["value"] = "I"

    (message,) = notes(edited(LOGS / "inspect/json/reed.json", tmp_path / "a.json", change))
    assert "gives 'match accuracy' as 0.666667, and the mean of the samples read is 0.333333" in message


def test_inspect_an_epoch_that_is_missing_and_one_that_is_there_twice(tmp_path):
    source = LOGS / "inspect/epochs/reed.eval"
    path = edited_log(source, tmp_path / "a.eval", lambda parts: parts["summaries.json"].pop())
    assert "the header states 6 samples, and the log has 5" in "; ".join(notes(path))

    def double(parts):
        parts["summaries.json"][5] = parts["summaries.json"][4]

    message = "; ".join(notes(edited_log(source, tmp_path / "b.eval", double)))
    assert "samples that are in the log again, of which the last is read: 1" in message
    assert "the header states 6 samples, and the log has 5" in message


@pytest.mark.parametrize("epoch", [None, "2", 1.5, -1, 2**63, 10**400, float("nan"), [1], True])
def test_inspect_an_epoch_that_is_no_number(tmp_path, epoch):
    """It was taken for the first, so that one of two samples counted for both."""
    path = edited(
        LOGS / "inspect/json/reed.json", tmp_path / "a.json", lambda log: log["samples"][0].update(epoch=epoch)
    )
    with pytest.raises(InvalidEvidence, match=r"a\.json: epoch of sample 'ferry-all' must be a whole number, got"):
        notes(path)


@pytest.mark.parametrize(("name", "there"), [("cancelled.eval", 2), ("started.eval", 1)])
def test_inspect_a_run_that_was_not_finished_is_read(tmp_path, name, there):
    def change(parts):
        part = "summaries.json" if "summaries.json" in parts else next(key for key in parts if "summaries" in key)
        parts[part].pop()

    (message, *_) = notes(edited_log(LOGS / "inspect" / name, tmp_path / "a.eval", change))
    assert f"the log has {there} of 4 samples" in message


# --- SWE-bench ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["submitted", "completed", "resolved", "unresolved"])
@pytest.mark.parametrize("way", ["lost", "counted"])
def test_swe_bench_a_list_and_its_count(tmp_path, kind, way):
    """The harness writes len(ids) beside ids (make_run_report of swebench): one of them was changed."""
    stated = json.loads(SWE.read_text())[f"{kind}_instances"]

    def change(report):
        if way == "lost":
            report[f"{kind}_ids"].pop()
        else:
            report[f"{kind}_instances"] += 1

    listed, message = (stated - 1, stated) if way == "lost" else (stated, stated + 1)
    path = edited(SWE, tmp_path / "a.json", change)
    with pytest.raises(InvalidEvidence) as caught:
        read_logs(path)
    assert f"a.json: {kind}_ids must list {message} instances, as {kind}_instances states, got {listed}." in str(
        caught.value
    )


def test_swe_bench_an_instance_lost_with_its_count(tmp_path):
    """An edit that forgot the total, and the list of what was handed in."""
    total, lost = json.loads(SWE.read_text())["total_instances"], []

    def change(report):
        lost.append(report["unresolved_ids"].pop())
        report["unresolved_instances"] -= 1

    message = "; ".join(notes(edited(SWE, tmp_path / "a.json", change)))
    assert f"the report is on {total} instances, and the log has {total - 1}: it may have been cut short" in message
    assert f"submitted instances that the report omits: 1 ({lost[0]!r})" in message


def test_swe_bench_a_result_of_what_was_never_handed_in(tmp_path):
    def change(report):
        report["submitted_ids"].remove(report["resolved_ids"][0])
        report["submitted_instances"] -= 1

    assert "instances with a result that were not submitted: 1" in "; ".join(
        notes(edited(SWE, tmp_path / "a.json", change))
    )


def test_swe_bench_an_instance_twice_in_a_list(tmp_path):
    def change(report):
        report["resolved_ids"].append(report["resolved_ids"][0])
        report["resolved_instances"] += 1

    with pytest.raises(
        InvalidEvidence, match=r".*a\.json must report each instance once, got 'demo__abacus-101' twice"
    ):
        notes(edited(SWE, tmp_path / "a.json", change))


# --- lm-evaluation-harness ----------------------------------------------------------------------------


def lm_eval(tmp_path, change):
    folder = shutil.copytree(LOGS / "lm_eval/outA/demo__alder", tmp_path / "demo__alder")
    (path,) = folder.glob("samples_capitals_north_*")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return notes(path, metric="acc")


def test_lm_eval_more_samples_than_the_results_are_of(tmp_path):
    (message,) = lm_eval(tmp_path, lambda rows: rows.append(rows[0] | {"doc_id": 99}))
    assert message == "the results are of 4 samples, and the log has 5: it may hold samples of another run"


def test_lm_eval_a_score_that_was_changed(tmp_path):
    """The harness's acc is 3 of 4; one more is made wrong."""
    (message,) = lm_eval(tmp_path, lambda rows: next(row for row in rows if row["acc"] == 1).update(acc=0.0))
    assert "the results file gives 'acc' as 0.75, and the mean of the samples read is 0.5" in message


def test_lm_eval_a_score_of_a_metric_that_is_a_function(tmp_path):
    """The harness writes the source of such a function in place of its name; its mean is 2/3 by the filter 'first'."""
    folder = shutil.copytree(LOGS / "lm_eval/repeats/demo__alder", tmp_path / "demo__alder")
    (path,) = folder.glob("samples_*")
    expected = {"metric": "share", "filter": "first"}
    assert not any("the mean of the samples" in note for note in notes(path, **expected))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    row = next(row for row in rows if row["filter"] == "first" and row["share"] == 1)
    row["share"] = 0.0
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert any(
        "gives 'share' as 0.666667, and the mean of the samples read is" in note for note in notes(path, **expected)
    )


@pytest.mark.parametrize("name", ["x", "", 2**63])
def test_lm_eval_documents_of_one_name_that_is_no_small_number(tmp_path, name):
    """Only ids that are numbers were compared, of one file."""
    with pytest.raises(InvalidEvidence, match=r"samples_capitals_north.* has several samples of document"):
        lm_eval(tmp_path, lambda rows: [row.update(doc_id=name) for row in rows])


# --- promptfoo ----------------------------------------------------------------------------------------


def test_promptfoo_an_answer_that_is_missing(tmp_path):
    """Each column of the grid has two tests, as its own metrics say."""
    path = edited(LOGS / "promptfoo/grid.json", tmp_path / "a.json", lambda log: log["results"]["results"].pop())
    message = [run.notes for run in runs_of(path, None, Selection())]
    note = "the summary of this column is of 2 answers, and the log has 1: it may have been cut short"
    assert [note in each for each in message] == [False, True, False, False]


def test_promptfoo_statistics_of_all_columns(tmp_path):
    def change(log):
        log["results"]["results"].pop()
        for prompt in log["results"]["prompts"]:
            prompt.pop("metrics")

    path = edited(LOGS / "promptfoo/grid.json", tmp_path / "a.json", change)
    assert "the statistics are of 8 answers, and the log has 7: it may have been cut short" in notes(path)
    old = edited(LOGS / "promptfoo/old.json", tmp_path / "b.json", lambda log: log["results"]["results"].pop())
    assert "the statistics are of 2 answers that passed, and the log has 1" in "; ".join(notes(old))


def test_promptfoo_a_score_that_was_changed(tmp_path):
    """The summary of the first column has 4/3 for both answers together."""
    path = edited(
        LOGS / "promptfoo/grid.json", tmp_path / "a.json", lambda log: log["results"]["results"][0].update(score=1.0)
    )
    message = [run.notes for run in runs_of(path, None, Selection(metric="score"))]
    note = "the summary of this column gives 'score' as 0.666667, and the mean of the samples read is 1"
    assert [note in "; ".join(each) for each in message] == [True, False, False, False]
    intact = [run.notes for run in runs_of(LOGS / "promptfoo/grid.json", None, Selection(metric="score"))]
    assert not any("the mean of the samples read" in "; ".join(each) for each in intact)


def test_promptfoo_a_verdict_that_was_changed(tmp_path):
    def change(log):
        row = next(row for row in log["results"]["results"] if row["promptIdx"] == 0 and row["success"])
        row["success"] = False

    path = edited(LOGS / "promptfoo/grid.json", tmp_path / "a.json", change)
    assert "is of 1 answers that passed, and the log has 0" in "; ".join(notes(path))


def test_promptfoo_lines_that_are_missing_or_there_twice(tmp_path):
    """The tests are numbered from 0, and each repeat has a number of its own."""
    rows = (LOGS / "promptfoo/a.jsonl").read_text().splitlines(keepends=True)
    path = tmp_path / "a.jsonl"
    path.write_text("".join(rows[:4] + rows[5:]))
    assert (
        "the numbering implies 12 answers of this column, and the log has 11: it may have been cut short"
        in "; ".join(notes(path))
    )
    path.write_text("".join([*rows, rows[3]]))
    with pytest.raises(InvalidEvidence, match=r"a\.jsonl has two answers of column 0 to test 3"):
        notes(path)


# --- OpenAI evals -------------------------------------------------------------------------------------


def evals(tmp_path, change, name="a.jsonl"):
    rows = [json.loads(line) for line in (LOGS / "openai_evals" / name).read_text().splitlines()]
    rows = change(rows)
    (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return "; ".join(notes(tmp_path / name))


def test_openai_evals_events_that_are_missing(tmp_path):
    """The recorder numbers events by len(events): 48 of them, two a sample."""
    message = evals(tmp_path, lambda rows: [row for row in rows if row.get("sample_id") != "marbles.dev.15"])
    assert "the numbering implies 48 events, and the log has 46: it may have been cut short" in message


def test_openai_evals_the_last_sample_is_missing(tmp_path):
    """No number shows it, but the accuracy does: 16 of 24, and of the 23 that are left 16, as the last was wrong."""
    message = evals(tmp_path, lambda rows: rows[:-2])
    assert "the final report gives 'accuracy' as 0.666667, and the mean of the samples read is 0.695652" in message


def test_openai_evals_answers_of_the_judge(tmp_path):
    message = evals(tmp_path, lambda rows: rows[:-1], "graded.jsonl")
    assert "the final report is of 6 answers of the judge, and the log has 5" in message


def test_openai_evals_an_event_that_is_there_twice(tmp_path):
    with pytest.raises(InvalidEvidence, match=r"a\.jsonl has event 47 twice"):
        evals(tmp_path, lambda rows: [*rows, rows[-1]])


# --- HELM ---------------------------------------------------------------------------------------------


def helm(tmp_path, name, change, file="per_instance_stats.json", **expected):
    folder = shutil.copytree(HELM / name, tmp_path / name)
    edited(folder / file, folder / file, change)
    return "; ".join(notes(folder, **expected))


def test_helm_a_question_without_numbers(tmp_path):
    message = helm(tmp_path, "errors-shaky", lambda entries: entries.pop(4), metric="right")
    assert (
        "scenario_state.json is of 6 answers, and the log has 5: it may have been cut short (missing: 'id4')" in message
    )


def test_helm_numbers_without_a_question(tmp_path):
    def change(state):
        state["request_states"].pop(4)

    message = helm(tmp_path, "errors-shaky", change, "scenario_state.json", metric="right")
    assert "scenario_state.json has no answer to 1 of the questions that have scores: 'id4'" in message


def test_helm_another_mean_than_its_own(tmp_path):
    """14 of 20 are right, says HELM; the first question, which is right, is removed: 13 of 19."""
    message = helm(tmp_path, "quiz-alpha", lambda entries: entries.pop(0), metric="right")
    assert "stats.json gives 'right' as 0.7, and the mean of the samples read is 0.684211" in message


def test_helm_the_number_of_questions(tmp_path):
    """As HELM's own metrics write it: a stat for each split, of the instances of a trial."""

    def change(stats):
        stats.append({"name": {"name": "num_instances", "split": "test"}, "count": 1, "sum": 21, "mean": 21.0})

    message = helm(tmp_path, "quiz-alpha", change, "stats.json", metric="right")
    assert "stats.json is of 21 questions, and the log has 20: it may have been cut short" in message


def test_helm_two_values_for_one_question(tmp_path):
    def change(entries):
        entries.append(json.loads(json.dumps(entries[0])))
        entries[-1]["stats"][0]["mean"] = 0.0

    with pytest.raises(
        InvalidEvidence, match=r"per_instance_stats\.json gives two values of 'right' for 'id0': 1 and 0"
    ):
        helm(tmp_path, "quiz-alpha", change, metric="right")


@pytest.mark.parametrize("trial", [2**63, 2**31, -1, None, "1", 0.5, float("inf"), [0], True])
def test_helm_a_trial_that_is_no_small_number(tmp_path, trial):
    """2**63 ended in an OverflowError; what was no number at all was taken for 0."""
    with pytest.raises(
        InvalidEvidence, match=r"per_instance_stats\.json: train_trial_index of 'id3' must be a whole number"
    ):
        helm(tmp_path, "trials-alpha", lambda entries: entries[0].update(train_trial_index=trial), metric="right")


# --- deepeval -----------------------------------------------------------------------------------------


def test_deepeval_a_case_that_is_missing(tmp_path):
    source = LOGS / "deepeval/runs/test_run_20260102_101500_a.json"
    path = edited(source, tmp_path / "a.json", lambda log: log["testCases"].pop())
    message = "the summary is of 24 test cases, and the log has 23: it may have been cut short"
    assert notes(path, metric="Exact") == (message,)


def test_deepeval_a_result_that_is_missing(tmp_path):
    source = LOGS / "deepeval/runs/test_run_20260102_101500_a.json"
    path = edited(source, tmp_path / "a.json", lambda log: log["testCases"][3]["metricsData"].pop(0))
    assert "the summary is of 24 results of 'Exact', and the log has 23" in "; ".join(notes(path, metric="Exact"))


def _changed_verdict(log):
    """Make the first case wrong: the summary has the passes as they were."""
    case = log["testCases"][0]
    case["success"] = False
    case["metricsData"][0] |= {"success": False, "score": 0.0}


@pytest.mark.parametrize(
    ("change", "metric", "message"),
    [
        (_changed_verdict, "Exact", "the summary is of 5 results of 'Exact' that passed, and the log has 4"),
        (_changed_verdict, "success", "the summary is of 5 cases that passed, and the log has 4"),
        (
            lambda log: log["testCases"][2]["metricsData"][1].update(score=0.75),
            "Near",
            "the summary gives 'Near' as 0.916667, and the mean of the samples read is 0.958333",
        ),
        (
            lambda log: log["metricsScores"][0].update(scores=[]),
            "Exact",
            "the summary lists 0 scores of 'Exact', and the log has 6",
        ),
    ],
)
def test_deepeval_results_that_were_changed(tmp_path, change, metric, message):
    """The run passed 5 of 6 by Exact, and its scores of Near are five times 1 and one 0.5."""
    source = LOGS / "deepeval/latest_test_run.json"
    assert message not in "; ".join(notes(source, metric=metric))
    path = edited(source, tmp_path / "a.json", lambda log: change(log["testRunData"]))
    assert message in "; ".join(notes(path, metric=metric))


# --- MLflow -------------------------------------------------------------------------------------------


def test_mlflow_another_mean_than_was_logged(tmp_path):
    """A store of files keeps "time value step" in metrics/<name>; the value is what MLflow computed (metrics.json)."""
    folder = tmp_path / "0/run"
    (folder / "artifacts").mkdir(parents=True)
    (folder / "metrics/right/v1").mkdir(parents=True)
    logged = json.loads((LOGS / "mlflow/metrics.json").read_text())["a"]["right/v1/mean"]
    (folder / "metrics/right/v1/mean").write_text(f"1767603960000 {logged} 0\n")
    table = folder / "artifacts/eval_results_table.json"
    shutil.copy(LOGS / "mlflow/a/eval_results_table.json", table)
    assert not any("right/v1/mean" in note for note in notes(table, metric="right"))
    edited(table, table, lambda content: content["data"].pop())
    assert "the run's metric right/v1/mean gives 'right/v1' as 0.583333" in "; ".join(notes(table, metric="right"))


def test_mlflow_an_index_of_another_length(tmp_path):
    def change(content):
        content["index"] = list(range(len(content["data"]) + 1))

    path = edited(LOGS / "mlflow/a/eval_results_table.json", tmp_path / "eval_results_table.json", change)
    with pytest.raises(InvalidEvidence, match=r"eval_results_table\.json has 24 rows, and an index of 25"):
        notes(path, metric="right")


def test_mlflow_a_column_that_lacks_a_row(tmp_path):
    """Rows were those of the first column, and a row that this lacks was lost in silence."""
    rows = json.loads((LOGS / "mlflow/genai-a.json").read_text())
    columns = {key: {str(index): row.get(key) for index, row in enumerate(rows)} for key in rows[0]}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(columns))
    assert len(runs_of(path, None, Selection(metric="right"))[0].table) == len(rows)
    for column, values in columns.items():
        if column.endswith("/value") or column == "request":
            short = columns | {column: {key: value for key, value in values.items() if key != "3"}}
            path.write_text(json.dumps(short))
            with pytest.raises(InvalidEvidence, match=r"a\.json: row '3' is not in every column"):
                notes(path, metric="right")


# --- Every Eval Ever ----------------------------------------------------------------------------------


def every_eval_ever(tmp_path, change):
    folder = shutil.copytree(LOGS / "every_eval_ever/data/harbours/demo/alder", tmp_path / "alder")
    (path,) = folder.glob("*.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return "; ".join(notes(folder))


def test_every_eval_ever_more_records_than_there_should_be(tmp_path):
    with pytest.raises(
        InvalidEvidence, match=r".*8d7c43cb-ef8d-4297-a36b-20e127f0adee_samples\.jsonl must hold 20 records, got 21"
    ):
        every_eval_ever(tmp_path, lambda rows: rows.append(rows[0] | {"sample_id": "moon"}))


def test_every_eval_ever_records_that_were_changed(tmp_path):
    """12 of 20 are right, says the summary; one of them is made wrong."""

    def change(rows):
        next(row for row in rows if row["evaluation"]["score"] == 1)["evaluation"]["score"] = 0

    assert "as 0.6, and the mean of the samples read is 0.55" in every_eval_ever(tmp_path, change)


def test_every_eval_ever_another_checksum(tmp_path):
    message = every_eval_ever(tmp_path, lambda rows: rows[0].update(sample_id="moon"))
    assert "do not have the checksum that the summary gives" in message


# --- What is said stays one line ----------------------------------------------------------------------


def test_a_note_and_an_error_are_one_line_whatever_names_they_hold(tmp_path):
    def bend(entries):
        entries.append(entries[0] | {"perturbation": {"name": "upside\ndown"}})

    message = helm(tmp_path, "quiz-alpha", bend, metric="right")
    assert "left out: upside down" in message

    def rename(log):
        log["testCases"][0]["metricsData"][0] |= {"name": "two\nlines", "score": "much"}

    path = edited(LOGS / "deepeval/unnamed.json", tmp_path / "a.json", rename)
    with pytest.raises(
        InvalidEvidence, match=r".*a\.json, case 'test_case_0': two lines must be a number or a boolean, got 'much'"
    ):
        notes(path)
