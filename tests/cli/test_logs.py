"""`tellapart compare` and `estimate` on evaluation logs, and on tables of scores per example."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tellapart.cli import main

LOGS = Path(__file__).parents[1] / "fixtures" / "logs"
PAIR = [str(LOGS / "inspect" / "pair" / f"{name}.eval") for name in ("reed", "sedge")]
OUT = [str(LOGS / "lm_eval" / name) for name in ("outA", "outB")]
AGENTS = [str(LOGS / "swebench" / f"example__agent-{name}.demo-lite.json") for name in "ab"]


def run(*words, status=0):
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == status, result.output
    return result.output if status == 0 else result.stderr


def test_two_logs_are_compared_as_a_paired_table():
    document = json.loads(run("compare", *PAIR, "--json"))
    assert document["method"] == "mcnemar-mid-p"
    assert document["evidence"]["models"] == ["mockllm/reed", "mockllm/sedge"]


def test_clusters_select_a_method_for_clusters():
    document = json.loads(run("compare", *PAIR, "--cluster", "passage_id", "--json"))
    assert document["method"] == "cluster-robust"
    assert document["evidence"]["clustered_by"] == "passage_id"


def test_folders_are_read_with_a_task_and_a_filter():
    document = run("compare", *OUT, "--task", "arith", "--filter", "strict-match")
    assert "McNemar mid-p" in document


def test_several_filters_are_listed_and_one_must_be_chosen():
    message = run("compare", *OUT, "--task", "arith", status=2)
    assert "`--filter` must name one of the filters in" in message


def test_errors_are_handled_by_the_policy():
    message = run("compare", *AGENTS, status=2)
    assert "--errors" in message
    document = json.loads(run("compare", *AGENTS, "--errors", "wrong", "--json"))
    assert all("counted as wrong" in reason for reason in document["excluded"])
    assert any("SWE-bench counts them as not resolved" in note for note in document["notes"])


def test_json_lists_all_examples_that_cannot_be_joined(tmp_path):
    """The text names five; JSON has all."""
    lists = {"error_ids": [], "empty_patch_ids": [], "incomplete_ids": [], "unresolved_ids": [], "schema_version": 2}
    files = []
    for name, ids in (("old", range(8)), ("new", range(7, 9))):
        named = [f"x-{number}" for number in ids]
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(lists | {"submitted_ids": named, "resolved_ids": named}))
    document = json.loads(run("compare", *files, "--missing", "drop", "--json"))
    assert document["unmatched"] == {"old": ["x-8"], "new": [f"x-{number}" for number in range(7)]}


def test_an_empty_file_with_a_log_is_reported(tmp_path):
    empty = tmp_path / "empty.eval"
    empty.touch()
    assert f"{empty} is empty." in run("compare", PAIR[0], empty, status=2)


def test_the_gate_accepts_logs():
    document = json.loads(run("gate", *PAIR, "--margin", "0.1", "--json"))
    assert document["verdict"] == "pass"
    noted = run("gate", *AGENTS, "--errors", "wrong", "--margin", "0.4")
    assert "SWE-bench counts them as not resolved" in " ".join(noted.split())
    message = run("gate", *(str(LOGS / "inspect" / "epochs" / f"{name}.eval") for name in ("reed", "sedge")), status=2)
    assert (
        "outcomes must be right or wrong, one row for each example, to be counted, got 2 examples, 3 repeats" in message
    )


def test_a_method_for_outcomes_can_be_requested():
    document = json.loads(run("compare", *PAIR, "--method", "sign-flip", "--interval", "mean-t", "--json"))
    assert document["method"] == "sign-flip"
    assert json.loads(run("estimate", PAIR[0], "--method", "mean-t", "--json"))["models"][0]["method"] == "mean-t"


def test_bounds_can_be_set_if_a_log_has_none():
    runs = [LOGS / "helm" / "runs" / "demo" / f"quiz-{name}" for name in ("alpha", "beta")]
    document = json.loads(run("compare", *runs, "--metric", "overlap", "--bounds", "0,1", "--json"))
    assert document["evidence"]["bounds"] == [0, 1]
    assert "`--bounds` must be 0 and 1, as reed states for 'match', got (0.0, 2.0)." in run(
        "compare", *PAIR, "--bounds", "0,2", status=2
    )


REPEATED = ("--scores", "--id", "id", "--epoch", "run")


@pytest.fixture
def table(tmp_path):
    """Write a table of graded scores, repeated, in passages and two tasks."""
    lines = ["id,run,passage,task,old,new,third,share"]
    for item in range(24):
        for again in (1, 2):
            old, new = (item * 7 + again) % 5 / 4, (item * 3 + again) % 4 / 3
            values = (item, again, item // 4, item % 2, old, new, 0.5 + item / 100, 1 + item % 3)
            lines.append(",".join(map(str, values)))
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_a_table_of_scores(table):
    common = (table, *REPEATED, "--metric", "f1", "--bounds", "0,1")
    document = json.loads(run("compare", *common, "--models", "old,new", "--json"))
    assert document["method"] == "mean-t"
    assert document["evidence"]["metric"] == "f1"
    assert document["evidence"]["repeats"] == [48, 48]
    clustered = json.loads(run("compare", *common, "--models", "old,new", "--cluster", "passage", "--json"))
    assert clustered["evidence"]["clusters"] == 6
    weighted = json.loads(run("compare", *common, "--models", "old,new", "--sampling-weight", "share", "--json"))
    assert weighted["evidence"]["effective_examples"] < 24
    parted = json.loads(run("compare", *common, "--models", "old,new", "--group", "task", "--json"))
    assert parted["breakdown"]


def test_several_models_are_a_leaderboard(table, tmp_path):
    out = tmp_path / "board.md"
    document = run(
        "compare", table, "--scores", "--id", "id", "--epoch", "run", "--models", "old,new,third", "--markdown", out
    )
    assert "rank" in document
    assert out.read_text().count("|") > 12


def test_every_model_is_estimated(table):
    document = json.loads(
        run("estimate", table, "--scores", "--id", "id", "--epoch", "run", "--models", "old,new", "--json")
    )
    assert [entry["model"] for entry in document["models"]] == ["old", "new"]
    assert run("estimate", PAIR[0]).startswith("mockllm/reed: accuracy ")
    words = ("estimate", table, *REPEATED, "--models", "old", "--group", "task")
    parted = json.loads(run(*words, "--json"))
    assert [entry["group"] for entry in parted["groups"]] == ["0", "1"]
    page = table.parent / "page.html"
    assert "old: mean score" in run(*words, "--html", page)
    assert "outcomes.by_group()" in page.read_text()


def test_repeats_are_aggregated_by_the_named_rule():
    file = LOGS / "inspect" / "epochs" / "reed.eval"
    assert "pass@2" in run("estimate", file, "--repeats", "pass@2")
    assert "pass^2" in run("estimate", file, "--repeats", "pass^2")
    assert "`--repeats` must be mean, pass@K or pass^K, such as pass@5, got 'best'." in run(
        "estimate", file, "--repeats", "best", status=2
    )
    assert "pass@9 needs at least 9 repeats of every example, got 3." in run(
        "estimate", file, "--repeats", "pass@9", status=2
    )


REFUSED = [
    (["compare", *PAIR, "--label", "x"], "`--label` must be left out for logs, which have no such column."),
    (["compare", *PAIR, "--model", "x"], "`--model` must be left out for logs, which have no such column."),
    (["compare", *PAIR, "--task", "nothing"], "nothing"),
    (["compare", *PAIR, "--metric", "nothing"], "nothing"),
    (
        ["compare", *PAIR, "--models", "x,y"],
        "`--models` must name models of the files (mockllm/reed, mockllm/sedge), got 'x'.",
    ),
    (["compare", *PAIR, "--method", "all"], "`--method` must be one method for logs and scores, got all."),
    (
        ["compare", *PAIR, "--examples", "3"],
        "`--examples` must be left out with logs, scores, repeats, clusters and weights.",
    ),
    (["compare", PAIR[0]], "two models are required for a comparison, got mockllm/reed."),
    (["compare", *PAIR, "--adjust", "holm"], "`--adjust` needs several models or groups."),
    (
        ["compare", "--table", "1", "2", "3", "4", "--cluster", "x"],
        "`--cluster` must be left out with --table, which are counts.",
    ),
    (
        ["estimate", "3", "120", "--sampling-weight", "x"],
        "`--sampling-weight` must be left out with 3 120, which are counts.",
    ),
    (
        ["compare", "examples/data/digits.csv", "--task", "x"],
        "`--task` needs an evaluation log, got examples/data/digits.csv.",
    ),
    (
        ["compare", "examples/data/digits.csv", "--bounds", "0,1"],
        "`--metric`, `--bounds` and `--lower-is-better` need scores of examples.",
    ),
    (["compare", "examples/data/digits.csv", "--markdown", "x.md"], "`--markdown` needs logs or a table of examples."),
    (
        ["compare", "examples/data/digits.csv", "--scores", "--correct"],
        "`--correct` must be False with `--scores`, got True.",
    ),
    (["compare", "examples/data/digits.csv", "--errors", "drop"], "`--errors` needs logs or --scores."),
    (
        ["compare", "examples/data/digits.csv", "--scores", "--bounds", "1"],
        "`--bounds` must be two numbers, such as 0,1, got 1.",
    ),
    (["compare", *PAIR, "--markdown", PAIR[0]], "`--markdown` must not replace a file of this command, got"),
    (
        ["compare", *PAIR, "--markdown", "nowhere/x.md"],
        "`--markdown` must be a file that can be written, got 'nowhere/x.md': no such folder.",
    ),
    (["compare", PAIR[0], PAIR[0]], "files must be different, got"),
    (["compare", PAIR[0], "nowhere.eval"], "file not found: nowhere.eval"),
    (["compare", "nowhere.csv", "elsewhere.csv"], "file not found: nowhere.csv"),
    (["compare", PAIR[0], "examples/data/digits.csv"], "files must be all logs or all tables, got the log"),
    (
        ["compare", "examples/logs"],
        "the folder examples/logs must hold logs of one tool, got Inspect and lm-evaluation-harness.",
    ),
    (["gate", PAIR[0]], "a gate compares two models, got only mockllm/reed."),
    (
        ["gate", "examples/data/digits.csv", "--models", "a,b", "--metric", "x"],
        "`--metric` is for evaluation logs, got predictions.",
    ),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_bad_input_is_one_line_and_status_2(words, message, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    document = run(*words, status=2)
    assert message in document
    assert "Traceback" not in document


def test_a_report_has_the_python_code_of_the_same_result(tmp_path, table):
    page = tmp_path / "page.html"
    run("compare", *PAIR, "--cluster", "passage_id", "--html", page)
    assert "ta.read_logs(" in page.read_text()
    run("compare", *OUT, "--task", "arith", "--filter", "strict-match", "--html", page)
    assert page.read_text().count("samples_arith") == 2  # a folder's files have their fingerprints
    run("compare", table, *REPEATED, "--models", "old,new", "--group", "task", "--html", page)
    assert "ta.breakdown(" in page.read_text()
