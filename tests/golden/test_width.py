"""Output fits a terminal of 80 columns: every command, in its usual calls, and all the help."""

import contextlib
import io
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from tellapart.cli import main
from tellapart.methods import find_methods

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
COLUMNS = 80
SVM_BAYES = "examples/data/digits.csv --label digit --id id --models svm,bayes"
LEARNERS = " ".join(
    f"--learner {name}=sklearn.{path}"
    for name, path in {
        "lda": "discriminant_analysis.LinearDiscriminantAnalysis",
        "bayes": "naive_bayes.GaussianNB",
    }.items()
)
# Each is run as it is, with --verbose and with --explain.
CALLS = f"""
advise examples/data/old.csv examples/data/new.csv --label digit --id id
advise --domains many --learner --choose
calibrate --table 20 25 10 45
calibrate 3 120
compare --table 20 25 10 45
compare --table 20 25 10 45 --margin 0.05
compare --independent 3 120 9 130
compare examples/data/old.csv examples/data/new.csv --label digit --id id
compare six.csv --label digit --id id
compare {SVM_BAYES} --group ink
compare examples/data/digits.csv --label digit --id id --group ink
compare examples/data/tumours.csv --label tumour --id id --metric f1
compare examples/data/tumour_scores.csv --label tumour --id id --metric auc
compare examples/data/benchmark.csv --scores
compare examples/data/benchmark.csv --scores --control svm
compare examples/data/benchmark.csv --scores --learner svm --learner bayes
compare examples/logs/reed.eval examples/logs/sedge.eval --cluster passage_id
compare examples/logs/outA examples/logs/outB --filter strict-match
compare examples/logs/agent-a.json examples/logs/agent-b.json --errors wrong
coverage --trials 120 --method wald
coverage --trials 30 --method wald,wilson,clopper-pearson
estimate 3 120
estimate six.csv --label digit --id id
estimate examples/data/digits.csv --label digit --id id --models svm,bayes --group ink
estimate examples/logs/reed.eval
gate examples/data/old.csv examples/data/new.csv --label digit --margin 0.01
gate --table 20 9 12 459 --margin 0.01
gate examples/data/digits.csv --label digit --id id --models svm,bayes --group ink --margin 0.02
methods
methods mcnemar-mid-p
peek --examples 1000 --disagreement 0.1 --difference 0.03
plan --difference 0.03 --power 0.8 --disagreement 0.08
plan --over data-sets --sd 0.04 --difference 0.02 --power 0.8
race --data wine --plan 5-fold {LEARNERS}
watch pair.json --models old,new --table 3 9 2 286
watch pair.json --table 2 14 3 281
watch pair.json
"""
# Each is run as it is.
OTHER_CALLS = f"""
--help
compare --table 20 25 10 45 --method all
compare --independent 3 120 9 130 --method all
compare {SVM_BAYES} --method all
compare {SVM_BAYES} --examples 10
estimate 3 120 --method all
calibrate --table 20 25 10 45 --method all
coverage --trials 30 --method all
reproduce --list
reproduce mitchell --list
reproduce mitchell table-5.2
reproduce elazmeh table-6
"""
NAMES = [name for name in main.list_commands(click.Context(main)) if name != "completion"]  # which prints a program


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Run in a folder with the example files, in a terminal of 80 columns."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for file in (HERE / "data").glob("*"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(COLUMNS))


def too_long(*words):
    """Return the lines of a command's output that are too long."""
    stream, notes, status = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(notes):
        try:
            main(list(words))
        except SystemExit as left:
            status = left.code or 0
    assert status != 2, notes.getvalue()
    lines = stream.getvalue().splitlines()
    assert lines
    return [line for line in lines if len(line) > COLUMNS]


def calls_of(text):
    return text.strip().splitlines()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("more", ["", "--verbose", "--explain"])
@pytest.mark.parametrize("command", sorted({call.split()[0] for call in calls_of(CALLS)}))
def test_answers_fit_a_terminal(command, more):
    for call in calls_of(CALLS):
        if call.split()[0] == command:
            assert too_long(*shlex.split(call), *more.split()) == [], call


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("call", calls_of(OTHER_CALLS))
def test_tables_and_lists_fit_a_terminal(call):
    assert too_long(*shlex.split(call)) == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", NAMES)
def test_help_fits_a_terminal(command):
    assert too_long(command, "--help") == too_long(command, "--help-all") == []


def test_every_command_is_called():
    assert {call.split()[0] for call in [*calls_of(CALLS), *calls_of(OTHER_CALLS)]} >= set(NAMES)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("more", ["", "--explain"])
def test_the_page_of_every_method_fits_a_terminal(more):
    long = {method.name: too_long("methods", method.name, *more.split()) for method in find_methods()}
    assert {name: lines for name, lines in long.items() if lines} == {}


@pytest.mark.usefixtures("folder")
def test_the_commands_of_the_readme_fit_a_terminal():
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    commands = re.findall(r"^\$ tellapart (.*)$", text, re.MULTILINE)
    assert commands
    assert [too_long(*shlex.split(command)) for command in commands] == [[]] * len(commands)


@pytest.mark.parametrize("path", sorted(HERE.glob("*.txt")), ids=lambda path: path.stem)
def test_golden_output_fits_a_terminal(path):
    """Errors and notes are one line whatever their length; HTML and LaTeX are not read on a terminal."""
    lines = path.read_text(encoding="utf-8").splitlines()
    other = re.compile(r"\$ |>>> |error: |note: |\s*<|.*[\\&]|%")
    assert [line for line in lines if len(line) > COLUMNS and not other.match(line)] == []
