"""Tables of MLflow, against the means that MLflow itself told."""

import json
import math
from pathlib import Path

import pytest

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.readers.logs.mlflow import READER
from tellapart.readers.logs.run import Selection

LOGS = Path(__file__).parents[2] / "fixtures/logs/mlflow"
MEANS = json.loads((LOGS / "metrics.json").read_text())


def read(path, **expected):
    (run,) = READER.runs(path, Selection(**expected))
    return run


@pytest.mark.parametrize(
    ("run", "metric"), [(run, name.removesuffix("/mean")) for run, names in MEANS.items() for name in names]
)
def test_means_are_mlflows_own(run, metric):
    """MLflow, too, leaves out of a mean what has no score."""
    path = LOGS / f"{run}.json" if run.startswith("genai") else LOGS / run / "eval_results_table.json"
    assert read(path, metric=metric).table["score"].mean() == pytest.approx(MEANS[run][f"{metric}/mean"])


def test_rows_are_joined_by_the_data_sets_own_id():
    a, b = (read(LOGS / name, metric="right").table for name in ("a", "b"))
    assert a["id"].to_list() != b["id"].to_list()  # other orders
    assert a.sort("id").select("id", "proof").equals(b.sort("id").select("id", "proof"))
    run = read(LOGS / "a", metric="right/v1/score", columns=("passage_id",))
    assert (run.model, run.metric, run.table["passage_id"].n_unique()) == ("a", "right/v1", 6)


def test_without_an_id_by_what_was_requested():
    run = read(LOGS / "plain", metric="overlap")
    assert run.table["epoch"].to_list() == [1, 1, 1, 1, 1, 2]
    assert run.table["id"].n_unique() == 5
    assert run.table["score"].to_list() == [1, None, 0, 0.6667, 1, 1]
    assert "joined by the text of the question" in run.notes[0]
    a, b = (read(LOGS / f"genai-{name}.json", metric="right").table for name in ("a", "b"))
    assert set(a["id"]) == set(b["id"])
    assert a["id"][0] == "The Alder has 2 bridges; 2 more are built. How many?"


def test_a_store_of_files_says_what_a_run_is_called(tmp_path, head):
    for name, title in (("1f", "swift\n"), ("2e", "slow\n")):
        (tmp_path / f"0/{name}/artifacts").mkdir(parents=True)
        (tmp_path / f"0/{name}/tags").mkdir()
        (tmp_path / f"0/{name}/tags/mlflow.runName").write_text(title)
        table = (LOGS / "a/eval_results_table.json").read_text()
        (tmp_path / f"0/{name}/artifacts/eval_results_table.json").write_text(table)
    assert READER.recognises(head(tmp_path))
    assert [run.model for run in READER.runs(tmp_path, Selection(metric="right"))] == ["swift", "slow"]
    (tmp_path / "0/2e/tags/mlflow.runName").write_text("swift")
    assert [run.model for run in READER.runs(tmp_path, Selection(metric="right"))] == [
        "0/1f/artifacts",
        "0/2e/artifacts",
    ]


def test_one_table_in_many_forms(tmp_path, head):
    """As pandas writes it: as records, as lines, split, by column."""
    rows = json.loads((LOGS / "genai-a.json").read_text())
    columns = list(rows[0])
    forms = {
        "lines": "\n".join(map(json.dumps, rows)),
        "split": json.dumps({"columns": columns, "index": [*range(12)], "data": [[*row.values()] for row in rows]}),
        "columns": json.dumps({name: {str(i): row[name] for i, row in enumerate(rows)} for name in columns}),
    }
    whole = read(LOGS / "genai-a.json", metric="overlap", columns=("passage_id",)).table
    for name, text in forms.items():
        (tmp_path / name).write_text(text)
        assert READER.recognises(head(tmp_path / name)), name
        assert read(tmp_path / name, metric="overlap", columns=("passage_id",)).table.equals(whole), name
    short = read(LOGS / "genai-split.json", metric="overlap", columns=("passage_id",)).table
    assert short.equals(whole.head(3))


def test_traces_themselves(head):
    assert READER.recognises(head(LOGS / "genai-traces.json"))
    whole = read(LOGS / "genai-a.json", metric="overlap").table
    assert read(LOGS / "genai-traces.json", metric="overlap").table.equals(whole.head(4))


def test_the_first_span_has_the_whole_request(tmp_path):
    trace = json.loads((LOGS / "genai-traces.json").read_text())[0]
    long = "How many " + "very " * 400 + "long boats?"
    trace["info"]["request_preview"] = json.dumps({"question": long})[:1000]
    trace["data"]["spans"] = [
        {"parent_span_id": "7", "attributes": {"mlflow.spanInputs": '"inner"'}},
        {"parent_span_id": None, "attributes": {"mlflow.spanInputs": json.dumps({"question": long})}},
    ]
    (tmp_path / "traces").write_text(json.dumps([trace]))
    name = read(tmp_path / "traces", metric="right").table["id"][0]
    assert name.startswith("How many very very")
    assert len(name) < 80
    trace["data"]["spans"][1]["attributes"]["mlflow.spanInputs"] = json.dumps({"question": long + " "})
    (tmp_path / "traces").write_text(json.dumps([trace]))
    assert read(tmp_path / "traces", metric="right").table["id"][0] != name


def test_a_call_that_failed_has_no_score_though_mlflow_gives_one():
    run = read(LOGS / "genai-errors.jsonl", metric="right")
    assert run.table["score"].to_list() == [1, 1, 0, None, 1, 0]
    assert run.table["error"][3] == "the call ended in state ERROR"
    assert "MLflow scored 1 of them" in run.notes[1]
    lost = read(LOGS / "genai-errors.jsonl", metric="overlap").table
    assert lost["error"].to_list()[2:4] == ["no words to count", "the call ended in state ERROR"]


def test_words_and_what_is_expected():
    assert read(LOGS / "genai-b.json", metric="polite").table["score"].unique().sort().to_list() == [0, 1]
    for name in ("genai-a.json", "genai-traces.json"):  # the truth is no score
        with pytest.raises(
            InvalidOption,
            match=r"`metric` must name one of the scores in .*genai-(a|traces)\.json: 'overlap', 'polite', 'right'",
        ):
            read(LOGS / name)
    with pytest.raises(InvalidOption, match=r"must name one of the scores in .*: 'overlap', 'right/v1'"):
        read(LOGS / "a")


def test_known_metrics(tmp_path):
    columns = [
        "inputs",
        "outputs",
        "token_count",
        "latency",
        "toxicity/v1/score",
        "answer_similarity/v1/score",
        "x/score",
    ]
    rows = [["a?", "b", 7, 0.5, 0.1, 4, "good"], ["c?", "d", 8, 0.25, math.nan, 5, "bad"]]
    (tmp_path / "table").write_text(json.dumps({"columns": columns, "data": rows}))
    grade, toxic, slow = (
        read(tmp_path / "table", metric=name) for name in ("answer_similarity", "toxicity", "latency")
    )
    assert (grade.bounds, grade.higher_is_better) == ((1.0, 5.0), True)
    assert (toxic.bounds, toxic.higher_is_better) == ((0.0, 1.0), False)
    assert (slow.table["score"].to_list(), slow.higher_is_better) == ([0.5, 0.25], False)
    assert grade.table["id"].to_list() == ["a?", "c?"]  # not the answers
    assert toxic.table["score"].to_list() == [0.1, None]
    with pytest.raises(InvalidEvidence, match=r".*table: x of row 1 must be a number or a boolean, got 'good'"):
        read(tmp_path / "table", metric="x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"columns": ["outputs", "x/score"], "data": [["a", 1]]}',
            r".*table\.json must have a column of" r" questions, got none",
        ),
        ('{"columns": ["q", "a", "x/score"], "data": [["a", 1]]}', "has not the 3 columns"),
        ('{"columns": ["q", "a", "x/score"], "data": []}', "holds no row"),
        (
            '[{"trace_id": "tr-1", "x/value": 1}]',
            r".*table\.json must have a column 'request', as the ids of" r" traces are random in each run",
        ),
        ('[{"trace_id": "tr-1", "x/value": 1, "request": "q"}, 7]', r".*table\.json: rows must be objects"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, text, message):
    (tmp_path / "table.json").write_text(text)
    with pytest.raises(InvalidEvidence, match=message):
        read(tmp_path / "table.json")


def test_cut_short_or_damaged(tmp_path, damaged, refusal):
    for name in ("a/eval_results_table.json", "genai-errors.jsonl", "genai-traces.json"):
        for text in damaged(LOGS / name, 25):
            (tmp_path / "table.json").write_bytes(text)
            message = refusal(read, tmp_path / "table.json", metric="overlap")
            assert not message or "table.json" in message
        (tmp_path / "table.json").write_bytes((LOGS / name).read_bytes()[:-20])
        with pytest.raises(InvalidEvidence, match=r".*table\.json must be complete JSON: "):
            read(tmp_path / "table.json", metric="overlap")


def test_ids_are_the_same_however_pandas_wrote_them(tmp_path):
    file = tmp_path / "eval_results_table.json"

    def table(*ids):
        rows = [[name, "why?", "so", 1.0] for name in ids]
        file.write_text(json.dumps({"columns": ["id", "question", "outputs", "right/score"], "data": rows}))
        return file

    assert read(table(1, 2.0)).table["id"].to_list() == ["1", "2"]
    with pytest.raises(InvalidEvidence, match="row 2 has no 'id'"):
        read(table(1, None))
