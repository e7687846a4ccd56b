"""What nobody answered is no evidence: counted as wrong for all, it is told, and alone it is refused."""

import pytest
from click.testing import CliRunner

from tellapart import judge
from tellapart.cli import main
from tellapart.errors import InvalidEvidence
from tellapart.predictions import Predictions
from tellapart.predictions.problems import NO_PREDICTION

LABELS = ["x"] * 4
BLANK, SOME = [None] * 4, ["x", "y", None, None]


def run(*words):
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize("columns", [{"a": BLANK}, {"a": BLANK, "b": BLANK}, {"a": BLANK, "b": BLANK, "c": BLANK}])
@pytest.mark.parametrize("parts", [{}, {"cluster": "site"}])
def test_a_table_without_a_prediction_is_refused(columns, parts):
    table = Predictions.of(
        {"label": LABELS, "site": list("uvuv"), **columns}, models=list(columns), missing="wrong", **parts
    )
    with pytest.raises(
        InvalidEvidence, match=r"must have a prediction for at least one of 4 examples, got none.* run the models first"
    ):
        table.outcomes() if parts else table.tally()


@pytest.mark.parametrize("more", [{}, {"c": SOME}])
@pytest.mark.parametrize("parts", [{}, {"cluster": "site"}])
def test_examples_that_nobody_answered_are_reported(more, parts):
    """Counted by hand: the last two of the four examples."""
    columns = {"a": SOME, "b": ["y", "x", None, None], **more}
    table = Predictions.of(
        {"label": LABELS, "site": list("uvuv"), **columns}, models=list(columns), missing="wrong", **parts
    )
    tally = table.outcome_tally() if parts else table.tally()
    assert tally.taken_as_wrong[NO_PREDICTION] == 2
    assert f"{NO_PREDICTION} (counted as wrong)" in tally.reasons


def test_a_model_without_a_prediction_is_an_answer_that_says_so():
    tally = Predictions.of({"label": LABELS, "a": BLANK, "b": ["x"] * 4}, missing="wrong").tally()
    assert tally.errors.tolist() == [4, 0]
    assert tally.taken_as_wrong == {"missing prediction of a (every one)": 4}


def test_a_gate_does_not_pass_a_group_that_nobody_answered():
    columns = {"label": ["x"] * 600, "a": ["x"] * 300 + [None] * 300, "b": ["x"] * 300 + [None] * 300}
    table = Predictions.of({**columns, "site": ["u"] * 300 + ["v"] * 300}, group="site", missing="wrong")
    assert table.tally().unanswered.tolist() == [0, 300]
    with pytest.raises(InvalidEvidence, match="group 'v' has no prediction of either model"):
        judge(table)


def test_a_gate_judges_without_the_examples_that_nobody_answered():
    """One answer in 600 rows is one example, whatever the 599 others are counted as."""
    columns = {"id": range(600), "label": ["x"] * 600, "a": ["x", *[None] * 599], "b": ["x", *[None] * 599]}
    result = judge(Predictions.of(columns, models=["a", "b"], id="id", missing="wrong"))
    assert result.verdict == "not enough evidence"
    assert result.together.comparison.evidence.examples == 1
    assert result.excluded["no answer of either model (these are not counted as wrong)"] == 599
    alone = judge(Predictions.of({name: list(column)[:1] for name, column in columns.items()}, id="id"))
    assert result.together.comparison.pvalue == alone.together.comparison.pvalue


def test_unanswered_examples_are_counted_by_group_whatever_the_number_of_models():
    """Counted by hand."""
    columns = {"label": ["x"] * 5, "a": [None, "x", None, None, "x"], "b": [None, None, None, "y", "x"]}
    table = Predictions.of({**columns, "site": list("uuuvv")}, group="site", missing="wrong")
    assert table.tally().unanswered.tolist() == [2, 0]
    assert Predictions.of(columns, missing="wrong").tally().unanswered == 2
    three = Predictions.of({**columns, "c": columns["a"], "site": list("uuuvv")}, group="site", missing="wrong")
    assert three.tally().unanswered.tolist() == [2, 0]
    assert three.tally().silent == ()
    by_example = Predictions.of({**columns, "site": list("uuuvv")}, cluster="site", missing="wrong").outcome_tally()
    assert by_example.unanswered.tolist() == [[True, False, True, True, False], [True, True, True, False, False]]


@pytest.mark.parametrize("silent", ["old", "new"])
def test_a_gate_does_not_pass_a_model_without_an_answer(silent):
    """Both are wrong everywhere: one because it says so, the other because it was never run."""
    columns = {"old": ["y"] * 600, "new": ["y"] * 600} | {silent: [None] * 600}
    table = Predictions.of({"label": ["x"] * 600, **columns}, models=["old", "new"], missing="wrong")
    assert table.tally().silent == (silent,)
    with pytest.raises(InvalidEvidence, match=f"predictions of {silent} are missing for all examples"):
        judge(table)


@pytest.mark.parametrize(
    ("old", "new", "status", "message"),
    [
        ("", "", 2, "old and new must have a prediction for at least one of 600 examples, got none"),
        ("x", "x", 0, "PASS"),
        ("", "x", 2, "predictions of old are missing for all examples"),
        ("x", "", 1, "600 counted as wrong (missing prediction of new (every one))"),
    ],
)
def test_a_gate_on_blank_files(tmp_path, monkeypatch, old, new, status, message):
    monkeypatch.chdir(tmp_path)
    for name, value in (("old", old), ("new", new)):
        lines = "".join(f"{index},x,{value}\n" for index in range(600))
        (tmp_path / f"{name}.csv").write_text(f"id,label,prediction\n{lines}")
    done = run("gate", "old.csv", "new.csv", "--missing", "wrong")
    assert done.exit_code == status
    assert message in " ".join((done.stdout + done.stderr).split())


# --- Scores that are not there ---


def scores(folder, *rows):
    text = "id,old,new,site\n" + "".join(f"{index},{row}\n" for index, row in enumerate(rows))
    (folder / "scores.csv").write_text(text)
    return ("scores.csv", "--scores", "--id", "id", "--models", "old,new", "--bounds", "0,1", "--errors", "wrong")


def test_no_leaderboard_of_runs_that_all_failed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = scores(tmp_path, ",,u", ",,v", ",,v")
    for command in ("compare", "estimate"):
        done = run(command, *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "at least one of 3 samples must have a score, got none of all 2 models" in done.stderr
        assert "Run the evaluation again" in done.stderr
    done = run("estimate", *words, "--models", "old")
    assert "at least one of 3 samples must have a score, got none of old" in done.stderr


def test_one_run_that_failed_is_an_answer_with_a_note(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("compare", *scores(tmp_path, ",1,u", ",0,v", ",1,v"))
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    assert "all 3 samples of old failed and count as wrong" in text


def test_samples_that_failed_for_all_are_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("compare", *scores(tmp_path, "1,1,u", ",,v", "0,1,v"))
    assert done.exit_code == 0
    assert "1 counted as wrong (no score of any model, which shows no difference)" in " ".join(done.stdout.split())
    scores(tmp_path, *["1,1,u"] * 3, *[",,v"] * 300)
    done = run("gate", "scores.csv", "--id", "id", "--models", "old,new", "--correct", "--missing", "wrong")
    assert (done.exit_code, "3 examples" in " ".join(done.stdout.split())) == (3, True)
    scores(tmp_path, *["1,1,u"] * 300, *[",,v"] * 300)
    words = ("scores.csv", "--id", "id", "--models", "old,new", "--correct", "--missing", "wrong", "--group", "site")
    done = run("gate", *words)
    assert done.exit_code == 2
    assert "group 'v' has no prediction of either model" in done.stderr
