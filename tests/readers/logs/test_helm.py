"""Run folders of HELM, against the means that HELM itself computed."""

import json
import shutil
from pathlib import Path

import pytest

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.readers.logs.helm import READER
from tellapart.readers.logs.run import Selection

RUNS = Path(__file__).parents[2] / "fixtures/logs/helm/runs/demo"
STATS = "per_instance_stats.json"


def read(path, **expected):
    (run,) = READER.runs(path, Selection(**expected))
    return run


def own_mean(folder, metric):
    """Return HELM's own number for questions as they were: over trials, of the mean over questions."""
    for stat in json.loads((RUNS / folder / "stats.json").read_text()):
        if stat["name"] == {"name": metric, "split": "test"}:
            return stat["mean"]
    raise KeyError(metric)


@pytest.mark.parametrize(
    ("folder", "metric"),
    [("quiz-alpha", "right"), ("quiz-alpha", "overlap"), ("trials-alpha", "overlap"), ("trials-alpha", "characters")],
)
def test_means_are_helms_own(folder, metric):
    assert read(RUNS / folder, metric=metric).table["score"].mean() == pytest.approx(own_mean(folder, metric))


def test_a_suite_is_its_runs():
    runs = READER.runs(RUNS, Selection(metric="right", task="quiz"))
    assert [(run.model, run.task, run.table.height) for run in runs] == [
        ("demo/alpha", "quiz", 20),
        ("demo/beta", "quiz", 20),
    ]
    with pytest.raises(InvalidOption, match=r"`task` must be one of the tasks in .*demo, got 'moon'"):
        READER.runs(RUNS, Selection(metric="right", task="moon"))
    with pytest.raises(InvalidOption, match=r"`model` must be one of the models in .*demo, got 'demo/gamma'"):
        READER.runs(RUNS, Selection(metric="right", model="demo/gamma"))


def test_arguments_other_than_the_model_make_the_task(tmp_path):
    shutil.copytree(RUNS / "plain-alpha", tmp_path / "run")
    spec = json.loads((tmp_path / "run/run_spec.json").read_text())
    spec["name"] = "mmlu:subject=anatomy,model=demo_alpha,eval_split=test"
    (tmp_path / "run/run_spec.json").write_text(json.dumps(spec))
    assert read(tmp_path / "run", metric="f1_score", task="mmlu").task == "mmlu:subject=anatomy,eval_split=test"


def test_trials_are_repeats():
    table = read(RUNS / "trials-alpha", metric="right").table
    assert sorted(table.select("id", "epoch").rows()) == [(f"id{i}", trial) for i in (3, 4, 5) for trial in (0, 1, 2)]


def test_bent_questions_are_others():
    whole = read(RUNS / "bent-alpha", metric="right")
    bent = read(RUNS / "bent-alpha", metric="right", filter="lowercase")
    assert (whole.table.height, bent.table.height) == (3, 3)
    assert (whole.table["score"].sum(), bent.table["score"].sum()) == (1, 0)
    assert (whole.filter, bent.filter) == ("", "lowercase")
    assert "left out: lowercase" in whole.notes[0]
    assert "epoch" not in whole.table.columns
    with pytest.raises(
        InvalidOption, match=r"`filter` must be one of the perturbations in .*per_instance_stats\.json, got 'typos'"
    ):
        read(RUNS / "bent-alpha", metric="right", filter="typos")


def test_the_questions_words_are_the_proof(tmp_path):
    """The same question has another number where there are examples before it."""
    one = read(RUNS / "bent-alpha", metric="right").table
    other = read(RUNS / "errors-shaky", metric="right").table
    assert one["proof"].to_list() == other["proof"].to_list()[:3]
    shutil.copytree(RUNS / "bent-alpha", tmp_path / "run")
    state = json.loads((tmp_path / "run/scenario_state.json").read_text())
    (tmp_path / "run/scenario_state.json").unlink()
    instances = [each["instance"] for each in state["request_states"]]  # as helm-summarize writes them
    (tmp_path / "run/instances.json").write_text(json.dumps(instances))
    assert read(tmp_path / "run", metric="right").table.equals(one)
    assert "nothing proves" in read(RUNS / "quiz-alpha", metric="right").notes[0]


def test_calls_that_failed_and_scores_never_given():
    run = read(RUNS / "errors-shaky", metric="overlap", columns=("passage_id",))
    assert run.table["score"].to_list() == [None, 0.6667, None, None, None, 1.0]
    assert run.table["error"].to_list() == [None, None, *["the line went dead"] * 2, None, None]
    assert run.table["passage_id"].to_list() == ["Arlen"] * 2 + ["Brook"] * 4
    assert "scored as empty answers and which have no score here: 2" in run.notes[0]
    with pytest.raises(InvalidOption, match=r"in their metadata, got none. They have 'passage_id', 'split'"):
        read(RUNS / "errors-shaky", metric="overlap", columns=("city",))


def test_what_is_no_score_is_not_offered():
    with pytest.raises(
        InvalidOption,
        match=r"`metric` must name one of the metrics in .*per_instance_stats\.json: 'exact_match', 'f1_score'",
    ):
        read(RUNS / "plain-alpha")
    assert read(RUNS / "plain-alpha", metric="exact_match").bounds == (0.0, 1.0)
    tokens = read(RUNS / "plain-alpha", metric="num_prompt_tokens")
    assert tokens.table["score"].to_list() == [86.0]
    assert not read(RUNS / "plain-alpha", metric="inference_runtime").higher_is_better


def test_a_renamed_file_with_fields_nobody_knows(tmp_path, head):
    entries = json.loads((RUNS / "quiz-beta" / STATS).read_text())
    (tmp_path / "numbers.txt").write_text(json.dumps([entry | {"moon": {"full": True}} for entry in entries]))
    assert READER.recognises(head(tmp_path / "numbers.txt"))
    run = read(tmp_path / "numbers.txt", metric="right")
    assert run.table.equals(read(RUNS / "quiz-beta", metric="right").table)
    assert run.model == run.task == ""


def test_cut_short_or_damaged(tmp_path, damaged, refusal):
    for name in (STATS, "scenario_state.json", "run_spec.json"):
        shutil.copytree(RUNS / "bent-alpha", tmp_path / name)
        for text in damaged(RUNS / "bent-alpha" / name, 25):
            (tmp_path / name / name).write_bytes(text)
            message = refusal(read, tmp_path / name, metric="right")
            assert not message or name in message
    (tmp_path / STATS / STATS).write_bytes((RUNS / "bent-alpha" / STATS).read_bytes()[:-200])
    with pytest.raises(
        InvalidEvidence,
        match=r".*per_instance_stats\.json must be complete JSON: Expecting property name enclosed in double quotes",
    ):
        read(tmp_path / STATS, metric="right")
