"""Exit statuses of all commands but the gate: 0 answered, 2 nothing done, 3 done but an output could not be written."""

import re
from pathlib import Path

import pytest

from tellapart.running.store import RaceStore

COMMANDS = {
    "estimate": "estimate 3 120",
    "compare": "compare predictions.csv --label species --models forest,stump",
    "compare by metric": "compare predictions.csv --label species --models forest,stump --metric kappa",
    "compare scores": "compare benchmark.csv --scores",
    "compare logs": "compare old.eval new.eval",
    "estimate a store": "estimate my.race",
    "plan": "plan --error 0.05 --width 0.02",
    "peek": "peek --examples 50 --disagreement 0.2 --looks 2",
    "calibrate": "calibrate --table 2 5 1 30 --method mcnemar",
    "reproduce": "reproduce mitchell table-5.1",
}
FULL = OSError(28, "No space left on device")


def full(*_args, **_more):
    raise FULL


@pytest.mark.parametrize("line", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.usefixtures("animals")
def test_a_report_that_fails_after_the_answer_is_status_3(run, monkeypatch, line):
    """The disk is full after the work began; the page itself need not be drawn."""
    monkeypatch.setattr("tellapart.report.writing.page_of", lambda *_, **__: None)
    monkeypatch.setattr("tellapart.report.html.render", lambda _: "a page")
    monkeypatch.setattr("tellapart.replacing.os.fsync", full)
    done = run(*line.split(), "--html", "page.html")
    assert done.exit_code == 3, done.stderr
    assert done.stdout
    (message,) = done.stderr.splitlines()
    assert message.startswith("error: the answer was given, but ")
    assert message.endswith("'page.html' cannot be written: No space left on device.")
    assert not Path("page.html").exists()


@pytest.mark.parametrize("line", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("index", ["/proc/page.html", "old.csv/page.html", "nowhere/page.html"])
@pytest.mark.usefixtures("animals")
def test_a_report_that_cannot_be_written_is_refused_before_the_work(refused, line, index):
    """Even root may not write below /proc or below a file."""
    assert f"`--html` must be a file that can be written, got '{index}'" in refused(*line.split(), "--html", index)


@pytest.mark.usefixtures("animals")
def test_markdown_that_fails_after_the_answer_is_status_3(run, refused, monkeypatch):
    words = ["compare", "old.eval", "new.eval", "--markdown"]
    assert "must be a file that can be written, got '/proc/out.md'" in refused(*words, "/proc/out.md")
    done = run(*words, "/dev/full")
    assert (done.exit_code, done.stderr) == (
        3,
        "error: the answer was given, but '/dev/full' cannot be written: No space left on device.\n",
    )
    assert done.stdout
    assert Path("/dev/full").is_char_device()
    monkeypatch.setattr("tellapart.replacing.os.fsync", full)
    done = run("reproduce", "mitchell", "table-5.1", "--markdown", "out.md")
    assert done.exit_code == 3
    assert done.stderr.startswith("error: the answer was given, but ")
    assert "'out.md' cannot be written" in done.stderr


@pytest.mark.usefixtures("animals")
def test_a_figure_that_fails_after_the_answer_is_status_3(run, refused):
    words = ["calibrate", "--table", "2", "5", "1", "30", "--method", "mcnemar", "--plot"]
    for index in ("/proc/figure.png", "nowhere/figure.png", f"{'a' * 300}.png"):
        assert f"`--plot` must be a file that can be written, got '{index}'" in refused(*words, index)
    Path("figure.png").symlink_to("/dev/full")
    done = run(*words, "figure.png")
    assert done.exit_code == 3, done.stderr
    assert "type I error rate" in done.stdout
    assert "the answer was given, but 'figure.png' cannot be written: No space left on device" in done.stderr


@pytest.mark.usefixtures("animals")
def test_a_late_failure_of_a_race_names_its_store(run, monkeypatch):
    learner = "sklearn.naive_bayes.GaussianNB"
    words = ["race", "--data", "iris", "--plan", "holdout", "--learner", learner, "--jobs", "1", "--store", "new.race"]
    begin = RaceStore.begin

    def read_only(store, *args, **more):
        result = begin(store, *args, **more)
        store._base.execute("PRAGMA query_only = 1")
        return result

    with monkeypatch.context() as patched:
        patched.setattr(RaceStore, "begin", read_only)
        done = run(*words)
    monkeypatch.setattr("tellapart.report.writing.page_of", lambda *_, **__: None)
    monkeypatch.setattr("tellapart.report.html.render", lambda _: "a page")
    assert done.exit_code == 3
    assert "`--store` 'new.race' cannot be written: attempt to write a readonly database." in done.stderr
    monkeypatch.setattr("tellapart.replacing.os.fsync", full)
    done = run(*words, "--html", "page.html")
    assert done.exit_code == 3
    assert done.stderr.startswith("error: the race is in 'new.race' and the answer was given, but ")
    assert "'page.html' cannot be written" in done.stderr


def test_a_full_standard_output_is_one_line(shell):
    with Path("/dev/full").open("w") as stream:
        done = shell("estimate", "3", "120", stdout=stream)
    assert (done.returncode, done.stderr) == (
        3,
        "error: standard output cannot be written: No space left on device.\n",
    )


def test_help_lists_the_exit_statuses(run):
    text = run("--help").stdout
    assert "Exit status" in text
    for status in ("0  answered", "2  bad input", "3  answered or stored"):
        assert status in text


@pytest.mark.usefixtures("animals")
def test_a_figure_of_coverage_that_fails_does_not_suppress_the_answer(run, refused, monkeypatch):
    monkeypatch.setattr("tellapart.report.plots.save", full)
    done = run("coverage", "--trials", "10", "--points", "20", "--plot", "coverage.png")
    assert (done.exit_code, bool(done.stdout)) == (3, True)
    assert "the answer was given, but --plot 'coverage.png' was not written" in done.stderr
    assert "`--plot` must end in .png, .svg or .pdf, got ''." in refused("coverage", "--trials", "10", "--plot", "")


# Names that only Python has: keywords with a value, classes, and calls.
PYTHON = re.compile(r"\b[a-z]\w*=['(\w]|\b[A-Z][a-z]+[A-Z]\w+|\w\(\)")
IN_OPTIONS = {
    "compare my.race --learner nb --learner nn --examples 3": "or run `tellapart race --plan holdout`.",
    "compare my.race --learner nb --learner nn --rope 0.01": "Use --method bayesian-correlated-t.",
    "compare benchmark.csv --scores --metric accuracy --lower-is-better": "`--lower-is-better` must be left out",
    "plan --difference 0.1 --power 0.8": "Use --disagreement 0.06, --error-a 0.10 and --error-b 0.09, or a pilot",
    "plan --table 20 25 10 45 --independent --difference 0.1": "Use --error-a 0.10 and --error-b 0.09 instead.",
    "plan benchmark.csv --scores --difference 0.01": "Select two, such as --learner nb --learner svm.",
    "plan predictions.csv --label species --models forest,stump --plan 10x10": "got one of classifiers.",
    "compare predictions.csv --label species --models forest,stump --metric label-balance --positive cat": (
        "Use `tellapart estimate` for each model."
    ),
    "estimate 120 3": "`ERRORS` must be at most `TRIALS`",
    "estimate 0.025 120": "`ERRORS` must be whole numbers",
}


@pytest.mark.usefixtures("animals")
@pytest.mark.parametrize("line", IN_OPTIONS)
def test_errors_name_options_and_not_keywords_of_python(refused, line):
    message = refused(*line.split())
    assert IN_OPTIONS[line] in message
    assert not PYTHON.search(message)


@pytest.mark.usefixtures("animals")
def test_remedies_name_options_and_not_keywords_of_python(run):
    text = " ".join(run("estimate", "my.race", "--learner", "nb").stdout.split())
    assert "Use 10 repeats of 10-fold cross-validation (`tellapart race --plan 10x10`)." in text
    every = run("coverage", "--trials", "5", "--method", "all").stdout
    assert "pool" not in every
    assert not PYTHON.search(every)
