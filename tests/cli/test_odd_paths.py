"""Invalid paths and names: one line and exit status 2, from every command that takes one."""

import pytest
from click.testing import CliRunner

from tellapart.cli import main

LONG = "a" * 300
NB = "sklearn.naive_bayes.GaussianNB"
LINES = [
    ["estimate", LONG],
    ["compare", "old.csv", LONG],
    ["compare", LONG, "--scores"],
    ["compare", LONG, LONG, "--format", "inspect"],
    ["watch", "s.json", "--add", LONG],
    ["watch", "s.json", "--add", "old.csv", "--with", LONG, "--id", "row"],
    ["watch", LONG, "--table", "1", "2", "3", "4"],
    ["gate", LONG, "new.csv"],
    ["gate", "old.csv", LONG],
    ["gate", "--table", "1", "2", "3", "4", "--config", LONG],
    ["gate", "--table", "1", "2", "3", "4", "--junit", LONG],
    ["calibrate", LONG],
    ["calibrate", "3", "120", "--trials", "20", "--store", LONG],
    ["plan", LONG],
    ["advise", LONG],
    ["race", "--data", LONG, "--target", "a", "--learner", NB],
    ["race", "--data", "iris", "--learner", NB, "--store", LONG],
    ["race", "--resume", LONG],
    ["reproduce", "mitchell", "table-5.1", "--store", LONG],
    ["reproduce", "mitchell", "table-5.1", "--markdown", f"{LONG}.md"],
    ["compare", "predictions.csv", "--metric", "cost", "--costs", LONG],
]


def refused(*words):
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    return line


@pytest.mark.parametrize("words", LINES, ids=lambda words: " ".join(words).replace(LONG, "LONG"))
@pytest.mark.usefixtures("animals")
def test_a_name_of_300_letters_is_one_line(words):
    assert "File name too long" in refused(*words)


@pytest.mark.parametrize(
    "words",
    [
        ["estimate", "/proc"],
        ["compare", "old.csv", "/proc"],
        ["gate", "/proc", "/proc"],
        ["watch", "s.json", "--add", "/proc"],
        ["calibrate", "/proc"],
        ["compare", "/proc", "--scores"],
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("animals")
def test_a_folder_with_too_many_files_is_one_line(words, monkeypatch):
    """Like the root folder of a machine; the limit is lowered to a thousand files."""
    monkeypatch.setattr("tellapart.readers.files._MOST_INSIDE", 1000)
    assert "/proc" in refused(*words)


@pytest.mark.parametrize("option", ["--models", "--labels"])
@pytest.mark.parametrize("text", ["a\nb", "a\rb", "a\r\nb,c"])
@pytest.mark.usefixtures("animals")
def test_a_newline_in_a_name_is_one_line(option, text):
    for command in (
        ["estimate", "predictions.csv"],
        ["gate", "old.csv", "new.csv"],
        ["watch", "s", "--add", "old.csv"],
    ):
        assert "names must be on one line, got" in refused(*command, option, text)


def test_a_name_with_a_newline_can_be_quoted(tmp_path):
    file = tmp_path / "p.csv"
    file.write_text('label,"a\nb"\nx,x\ny,x\n')
    done = CliRunner().invoke(main, ["estimate", str(file), "--models", '"a\nb"'])
    assert done.exit_code == 0, done.stderr
    assert "1 error in 2 examples" in done.stdout


def test_costs_with_a_newline_are_one_line():
    words = ["compare", "--table", "1", "2", "3", "4", "--metric", "cost", "--costs", "a>b=1\nb>a=2"]
    assert "--costs" in refused(*words)


def test_a_gate_without_labels_lists_the_columns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.csv").write_text("id,species,forest\n1,x,x\n2,y,y\n")
    (tmp_path / "new.csv").write_text("id,species,stump\n1,x,x\n2,y,x\n")
    message = refused("gate", "old.csv", "new.csv")
    assert "`--label` must name the column of true labels." in message
    assert "old/species" not in message


def test_a_gate_on_a_file_without_rows_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.csv").write_text("id,label,prediction\n1,x,x\n")
    (tmp_path / "new.csv").write_text("id,label,prediction\n")
    assert "new.csv must have rows below its header, got none." in refused("gate", "old.csv", "new.csv")
