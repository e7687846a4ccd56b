"""`tellapart advise`: its prompts, refused input, and recommended commands that run."""

import json
import re
import shlex
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

import tellapart.cli.advise as asking
from tellapart.cli import main

LEARNERS = ("--learner", "--choose", "--little")


@pytest.fixture
def talk(monkeypatch):
    """Run the command as on a terminal, with these answers typed."""
    monkeypatch.setattr(asking, "_may_ask", lambda: True)

    def invoke(*arguments, typed):
        return CliRunner().invoke(main, ["advise", *arguments], input="".join(f"{line}\n" for line in typed))

    return invoke


@pytest.mark.parametrize(
    ("arguments", "number", "method"),
    [
        (("3", "120"), 1, "jeffreys"),
        (("--table", "20", "25", "10", "45"), 3, "mcnemar-mid-p"),
        (("--independent", "30", "100", "20", "100"), 3, "fisher-mid-p"),
        (("--classifier", "--estimate", "--much", "--errors", "3", "--examples", "120"), 1, "jeffreys"),
        (("--classifier", "--estimate", "--little"), 2, "repeated-kfold"),
        (("--classifier", "--choose", "--much", "--test-sets", "two"), 3, "fisher-mid-p"),
        (("--classifier", "--choose", "--little"), 4, "corrected-repeated-kfold-t"),
        (("--learner", "--estimate", "--much"), 5, "crossed-interval"),
        (("--learner", "--estimate", "--little", "--runs", "10"), 6, "kfold"),
        (("--learner", "--choose", "--much", "--models", "3"), 7, "quasi-f"),
        ((*LEARNERS, "--runs", "1"), 8, "mcnemar-mid-p"),
        ((*LEARNERS, "--runs", "10"), 8, "5x2cv-t"),
        ((*LEARNERS, "--plan", "30x(2/3)"), 8, "corrected-resampled-t"),
        (("--domains", "many"), 9, "wilcoxon-signed-rank"),
    ],
)
def test_all_answers_can_be_given_as_options(run, arguments, number, method):
    done = run("advise", *arguments, "--json")
    assert done.exit_code == 0
    document = json.loads(done.stdout)
    assert document["question"]["number"] == number
    assert (document["recommended"] and document["recommended"]["method"]) == method
    shown = " ".join(run("advise", *arguments, "--explain").stdout.split())
    assert document["question"]["asks"] in shown
    assert not re.search(r"question \d", shown)


@pytest.mark.usefixtures("animals")
@pytest.mark.parametrize(
    ("arguments", "number", "command"),
    [
        (("predictions.csv", "--label", "species", "--models", "forest,stump"), 3, "compare"),
        (("predictions.csv", "--label", "species", "--models", "forest"), 1, "estimate"),
        (("predictions.csv", "--label", "species", "--models", "forest,stump", "--estimate"), 1, "estimate"),
        (("old.csv", "new.csv", "--label", "species", "--id", "row"), 3, "compare"),
        (("my.race",), 8, "compare"),
        (("my.race", "--estimate"), 6, "estimate"),
    ],
)
def test_the_command_for_a_file_runs(run, arguments, number, command):
    document = json.loads(run("advise", *arguments, "--json").stdout)
    assert document["question"]["number"] == number
    program, *words = shlex.split(document["command"])
    assert (program, words[0]) == ("tellapart", command)
    answer = run(*words, "--json")
    assert answer.exit_code == 0
    result = json.loads(answer.stdout)
    if "models" in result and isinstance(result["models"][0], dict):
        result = result["models"][0]
    elif "learners" in result:
        result = result["learners"][0]
    assert result["method"] == document["recommended"]["method"]


@pytest.mark.usefixtures("animals")
@pytest.mark.parametrize(
    "arguments",
    [
        ("predictions.csv", "--label", "species", "--models", "forest,stump"),
        ("predictions.csv", "--label", "species", "--models", "forest,stump", "--estimate"),
        ("predictions.csv", "--label", "species", "--models", "forest,stump", "--group", "site"),
        ("predictions.csv", "--label", "species", "--models", "stump", "--missing", "wrong"),
        ("old.csv", "new.csv", "--label", "species", "--id", "row"),
        ("old.csv", "new.csv", "--label", "species", "--id", "row", "--models", "forest,stump"),
        ("old.csv", "new.csv", "--label", "species", "--id", "row", "--models", "forest"),
        ("my.race",),
        ("my.race", "--estimate"),
    ],
)
def test_the_lines_of_python_for_a_file_run(run, arguments):
    document = json.loads(run("advise", *arguments, "--json").stdout)
    *lines, last = document["code"]
    space = {}
    exec("\n".join(lines), space)  # noqa: S102  # the lines are ours
    assert eval(last[len("print(") : -1], space).method == document["recommended"]["method"]  # noqa: S307


@pytest.mark.usefixtures("animals")
def test_three_models_in_groups(run):
    lines = ["row,label,a,b,c,site\n"]
    lines += [f"{row},{row % 2},{row % 3 % 2},{row % 5 % 2},{(row + 1) % 2},{'ns'[row % 4 < 2]}\n" for row in range(60)]
    Path("three.csv").write_text("".join(lines))
    document = json.loads(run("advise", "three.csv", "--models", "a,b,c", "--group", "site", "--json").stdout)
    assert (document["recommended"]["method"], document["recommended"]["adjustment"]) == ("mcnemar-mid-p", "holm")
    _, *words = shlex.split(document["command"])
    assert run(*words).exit_code == 0
    space = {}
    exec("\n".join(document["code"][:-1]), space)  # noqa: S102
    assert eval(document["code"][-1][len("print(") : -1], space).shape == (2, 3)  # noqa: S307


@pytest.mark.parametrize("evidence", [("3", "120"), ("--table", "20", "25", "10", "45")])
@pytest.mark.parametrize("more", [(), ("--matters", "guarantee")])
def test_the_command_for_counts_runs(run, evidence, more):
    document = json.loads(run("advise", *evidence, *more, "--json").stdout)
    _, *words = shlex.split(document["command"])
    assert json.loads(run(*words, "--json").stdout)["method"] == document["recommended"]["method"]


# --- Refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--domains one|many; --classifier or --learner; --estimate or --choose; --much or --little."),
        (("--classifier",), "--estimate or --choose; --much or --little."),
        (("--learner", "--choose"), "--domains one|many; --much or --little."),
        (("--classifier", "--learner"), "`--classifier` and `--learner` exclude each other."),
        (("--estimate", "--choose"), "`--estimate` and `--choose` exclude each other."),
        (("--domains", "few"), "`--domains` must be one of one, many, got 'few'."),
        ((*LEARNERS, "--runs", "0"), "`--runs` must be a whole number of 1 or more, got 0."),
        ((*LEARNERS, "--margin", "2"), "`--margin` must be between 0 and 1, got 2.0."),
        ((*LEARNERS, "--models", "a,b"), "`--models` must be a number without a FILE, got 'a,b'."),
        ((*LEARNERS, "--plan", "often"), "unknown `--plan` 'often'."),
        (("3", "120", "--learner"), "`subject` must be 'classifier' for this evidence, got 'learner'."),
        (("3", "120", "--label", "y"), "`--label` must be left out with these, which are counts."),
        (
            ("3", "120", "--table", "1", "2", "3", "4"),
            "give exactly one of FILE, ERRORS TRIALS, --table and --independent.",
        ),
        (("3",), "give two numbers, ERRORS and TRIALS, or a FILE, got 3."),
        (("130", "120"), "`ERRORS` must be at most `TRIALS`, got 130 of 120"),
        (("no-such-file.csv",), "no-such-file.csv"),
        (("--learning",), "unknown option `--learning`. Did you mean `--learner`?"),
    ],
)
def test_bad_input_is_one_line(refused, arguments, message):
    assert message in refused("advise", *arguments)


@pytest.mark.usefixtures("animals")
def test_a_file_that_contradicts_the_answers(refused):
    assert "`subject` must be 'learner' for this evidence" in refused("advise", "my.race", "--classifier")
    assert "`--plan` must be '5x2' for this evidence" in refused("advise", "my.race", "--plan", "10x10")


# --- Asking ---------------------------------------------------------------------------------------


def test_open_questions_are_prompted_in_turn(talk):
    """Answers may be a number, a word or its beginning; Enter accepts the default."""
    done = talk(typed=["1", "learner", "ch", "lit", "10", "", "", ""])
    assert done.exit_code == 0
    assert "Use the 5x2cv t test" in done.stdout
    assert done.stderr.count("[") == 8
    assert "A trained classifier that does not change" in done.stderr
    assert "A trained classifier" not in done.stdout  # what is piped is the answer


def test_many_data_sets_need_the_number_of_learners_and_the_priority(talk):
    done = talk(typed=["many", "", ""])
    assert done.exit_code == 0
    assert "many data sets" in done.stdout
    assert "Use the Wilcoxon signed-rank test" in done.stdout


def test_enter_without_a_default_explains_the_question(talk):
    done = talk("--estimate", "--much", typed=["", "dog", "2"])
    assert done.exit_code == 0
    assert "A test set evaluates a classifier." in done.stderr
    assert "'dog' is not one of these." in done.stderr
    assert "Use the two-way random-effects interval" in done.stdout


def test_a_number_is_prompted_for_until_it_is_valid(talk):
    done = talk("--classifier", "--estimate", "--much", typed=["few", "0"])
    assert "'few' is not one of these." in done.stderr
    assert "if there are no errors" in done.stdout
    done = talk(*LEARNERS, "--json", typed=["0", "1", "3", "", ""])
    document = json.loads(done.stdout)
    assert (document["recommended"]["method"], document["recommended"]["adjustment"]) == ("mcnemar-mid-p", "max-t")


def test_evidence_leaves_only_the_questions_it_cannot_answer(talk):
    done = talk("--table", "20", "25", "10", "45", typed=["guarantee"])
    assert done.stderr.count("[") == 1
    assert "Use the unconditional McNemar test" in done.stdout


def test_an_interrupted_dialogue_exits_with_130(talk):
    done = talk(typed=["1"])
    assert done.exit_code == 130
    assert "stopped before it was done" in done.stderr


def test_without_a_terminal_no_question_is_prompted(run):
    assert run("advise", "--table", "20", "25", "10", "45").exit_code == 0


def test_the_command_and_its_choices_are_completed():
    def offered(words, incomplete):
        shell = ShellComplete(main, {}, "tellapart", "_TELLAPART_COMPLETE")
        return [item.value for item in shell.get_completions(words, incomplete)]

    assert "advise" in offered([], "ad")
    assert offered(["advise", "--matters"], "") == ["type I error", "power", "guarantee"]
    assert "--convergence" in offered(["advise"], "--con")
    assert "10x10" in offered(["advise", "--plan"], "10")


@pytest.mark.usefixtures("animals")
@pytest.mark.parametrize("more", [("--runs", "1"), ("--runs", "10"), ("--runs", "5", "--margin", "0.05")])
def test_the_recommended_race_runs(run, more):
    """The file is named like the placeholder."""
    from sklearn.datasets import load_iris

    table = load_iris(as_frame=True).frame.rename(columns={"target": "label"})
    table.to_csv("data.csv", index=False)
    document = json.loads(run("advise", *LEARNERS, *more, "--json").stdout)
    Path("my.race").unlink()
    for command in document["command"].split(" && "):
        _, *words = shlex.split(command)
        done = run(*words, "--json", *(["--jobs", "1"] if words[0] == "race" else []))
        assert done.exit_code == 0, done.stderr
    assert f'"method": "{document["recommended"]["method"]}"' in done.stdout
