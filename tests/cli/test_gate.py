"""`tellapart gate`: verdict and exit status; rules, outputs, and failures without a verdict."""

import html
import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

import tellapart as ta
from tellapart.cli import main
from tellapart.display import styled_lines

PASS, WORSE, OPEN = ("20", "12", "9", "2959"), ("5", "2", "47", "966"), ("5", "12", "17", "966")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Work in a folder without rules, outside of a workflow."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.fixture
def files(tmp_path):
    """Write two files of the same examples in different order: 600 of de and 600 of en; new is worse in en."""

    def write(name, wrong, column="prediction", key="id", order=1):
        rows = [(place, place % 2, ("de", "en")[place % 2]) for place in range(1200)][::order]
        lines = [f"{place},{label},{group},{1 - label if place in wrong else label}" for place, label, group in rows]
        Path(tmp_path, name).write_text("\n".join([f"{key},label,lang,{column}", *lines]) + "\n")

    write("old.csv", wrong=range(10))
    write("same.csv", wrong=range(10), order=-1)
    write("new.csv", wrong={*range(10), *range(101, 221, 2)}, order=-1)  # 60 more, all of them en
    write("other.csv", wrong=range(10), key="row")
    return write


def gate(*arguments, **options):
    done = CliRunner().invoke(main, ["gate", *arguments], **options)
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert "Traceback" not in done.output
    return done


# --- The verdict --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "status", "head"),
    [
        (PASS, 0, "PASS: candidate is at most 1 pp worse than baseline\nerror rate "),
        (WORSE, 1, "WORSE: candidate is worse than baseline by more than 1 pp\nerror rate "),
        (OPEN, 3, "NOT ENOUGH EVIDENCE that candidate is at most 1 pp worse than baseline\nerror rate "),
    ],
)
def test_the_verdict_is_the_first_line_and_the_exit_status(table, status, head):
    done = gate("--table", *table)
    assert done.exit_code == status
    assert done.stdout.startswith(head)
    assert done.stderr == ""


def test_the_missing_examples_are_those_for_equal_models():
    text = " ".join(gate("--table", *OPEN).stdout.split())
    found = ta.judge(ta.PairedTable(*map(int, OPEN)))
    assert f"{found.together.enough:,} examples ({found.more:,} more) pass with 80% power if both are equal" in text
    more = " ".join(gate("--table", *OPEN, "--power", "0.95").stdout.split())
    assert "pass with 95% power" in more


def test_two_files_are_joined_by_id(files):
    """Files are joined by the column id; predictions are in the column prediction, and other columns are ignored."""
    done = gate("old.csv", "same.csv")
    assert done.exit_code == 0
    assert "1,200 examples, 0 discordant" in done.stdout
    assert "same is at most 1 pp worse than old" in done.stdout
    files("forest.csv", wrong=range(12), column="forest")
    for models in ("prediction,forest", "forest"):
        named = gate("old.csv", "forest.csv", "--models", models)
        assert named.exit_code == (0 if "," in models else 2)
    files("oak.csv", wrong=range(12), column="forest")
    assert gate("oak.csv", "forest.csv", "--models", "forest").exit_code == 0
    by_row = gate("old.csv", "other.csv", "--group", "lang")
    assert (by_row.exit_code, by_row.stderr.count("\n")) == (2, 1)
    assert "'id'" in by_row.stderr
    files("older.csv", wrong=range(10), key="row")
    assert gate("older.csv", "other.csv", "--group", "lang", "--id", "row").exit_code == 0


@pytest.mark.usefixtures("files")
def test_every_group_must_pass():
    done = gate("old.csv", "new.csv", "--group", "lang")
    assert done.exit_code == 1
    assert done.stdout.startswith("WORSE: new is worse than old by more than 1 pp in 1 of 2 groups: en")
    told = json.loads(gate("old.csv", "new.csv", "--group", "lang", "--json").stdout)
    assert {name: line["verdict"] for name, line in told["groups"].items()} == {"de": "pass", "en": "worse"}


@pytest.mark.usefixtures("files")
def test_a_group_can_have_its_own_margin():
    done = gate("old.csv", "new.csv", "--group", "lang", "--group-margin", "en=0.2", "--json")
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert [line["margin"] for line in told["groups"].values()] == [0.01, 0.2]
    assert told["settings"]["margins"] == {"en": {"value": 0.2, "from": "command line"}}


def test_in_one_file_the_option_models_names_the_baseline_first():
    rows = [f"{place % 2},{place % 2},0" for place in range(100)]  # a stump that always says 0
    Path("both.csv").write_text("\n".join(["label,forest,stump", *rows]) + "\n")
    one = gate("both.csv", "--models", "stump,forest")
    other = gate("both.csv", "--models", "forest,stump")
    assert (one.exit_code, other.exit_code) == (0, 1)
    refused = gate("both.csv")
    assert refused.exit_code == 2
    assert "--models BASELINE,CANDIDATE" in refused.stderr


def test_json_has_all_digits_and_the_source_of_each_setting():
    done = gate("--table", *OPEN, "--margin", "0.02", "--json")
    told = json.loads(done.stdout)
    found = ta.judge(ta.PairedTable(*map(int, OPEN)), margin=0.02)
    assert told["all"]["comparison"]["interval"]["low"] == found.comparison.interval.low
    assert told["settings"]["margin"] == {"value": 0.02, "from": "command line"}
    assert told["settings"]["alpha"] == {"value": 0.05, "from": "default"}
    assert told["rules"] is None
    assert (done.exit_code, told["exit_status"]) == (0, 0)


def test_the_method_can_be_chosen():
    for name in ("scas-paired", "tango-bcf"):
        assert json.loads(gate("--table", *PASS, "--method", name, "--json").stdout)["method"] == name


# --- Rules --------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("files")
def test_options_override_rules():
    Path("pyproject.toml").write_text(
        '[tool.tellapart.gate]\nmargin = 0.3\ngroup = "lang"\nmissing = "drop"\n'
        "[tool.tellapart.gate.margins]\nde = 0.02\n"
    )
    done = gate("old.csv", "new.csv")
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    assert "rules: missing = drop, group = lang, margin = 0.3, margin of de = 0.02 (from pyproject.toml)" in text
    told = json.loads(gate("old.csv", "new.csv", "--margin", "0.01", "--json").stdout)
    assert (told["verdict"], told["rules"]) == ("worse", "pyproject.toml")
    assert told["settings"]["margin"] == {"value": 0.01, "from": "command line"}
    assert told["settings"]["group"] == {"value": "lang", "from": "pyproject.toml"}
    assert [line["margin"] for line in told["groups"].values()] == [0.02, 0.01]
    assert told["settings"]["margins"] == {"de": {"value": 0.02, "from": "pyproject.toml"}}
    typed = " ".join(gate("old.csv", "new.csv", "--group-margin", "de=0.03").stdout.split())
    assert "missing = drop, group = lang, margin = 0.3 (from pyproject.toml)" in typed


@pytest.mark.usefixtures("files")
def test_rules_are_found_in_a_parent_folder_or_by_name(tmp_path, monkeypatch):
    rules = '[tool.tellapart.gate]\nmodels = ["prediction"]\nmargin = 0.2\n'
    Path("release.toml").write_text(rules)
    assert gate("old.csv", "new.csv", "--config", "release.toml").exit_code == 0
    Path("pyproject.toml").write_text(rules)
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    done = gate("../old.csv", "../new.csv", "--json")
    assert (done.exit_code, json.loads(done.stdout)["rules"]) == (0, str(Path("../pyproject.toml")))


def test_rules_about_files_do_not_apply_to_counts():
    Path("pyproject.toml").write_text(
        '[tool.tellapart.gate]\nmargin = 0.02\nlabel = "x"\n[tool.tellapart.gate.margins]\nde = 0.1\n'
    )
    done = gate("--table", *PASS, "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["margin"]) == (0, 0.02)
    assert set(told["settings"]) == {"margin", "alpha", "power", "method"}


@pytest.mark.parametrize(
    ("rules", "told"),
    [("margin = 2", "margin must be between 0 and 1, got 2"), ("margn = 1", "Did you mean 'margin'?")],
)
def test_invalid_rules_are_bad_input(rules, told):
    Path("pyproject.toml").write_text(f"[tool.tellapart.gate]\n{rules}\n")
    done = gate("--table", *PASS)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "pyproject.toml" in done.stderr
    assert told in done.stderr


# --- Outputs ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("files")
def test_all_requested_outputs_are_written(monkeypatch, capsys):
    Path("summary.md").write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    outputs = "--markdown", "gate.md", "--junit", "gate.xml", "--html", "gate.html"
    done = gate("old.csv", "new.csv", "--group", "lang", *outputs)
    assert done.exit_code == 1
    assert Path("gate.md").read_text(encoding="utf-8").startswith("### ✘ WORSE: new is worse than old")
    assert Path("summary.md").read_text(encoding="utf-8").startswith("before\n### ✘ WORSE:")
    assert ET.parse("gate.xml").getroot().get("failures") == "1"  # noqa: S314  # our own file
    page = Path("gate.html").read_text(encoding="utf-8")
    assert "tellapart gate old.csv new.csv --group lang" in page
    code = html.unescape(re.search(r"import tellapart as ta.*?(?=</code>)", page, re.DOTALL)[0])
    exec(code, {})  # noqa: S102  # our own lines
    assert capsys.readouterr().out.startswith("WORSE: new is worse than old")
    assert done.stderr == "report: gate.html\n"


@pytest.mark.parametrize(
    ("outputs", "told"),
    [
        (
            ("--markdown", "no/gate.md"),
            "`--markdown` must be a file that can be written, got 'no/gate.md': no such folder.",
        ),
        (("--junit", "."), "`--junit` must be a file that can be written, got '.': it is a folder."),
        (("--html", "gate.pdf"), "`--html` must end in .html"),
        (("--markdown", "same.csv"), "`--markdown` must be a new file, got 'same.csv', which is an input"),
        (("--markdown", "x", "--junit", "x"), "`--junit` must be a new file, got 'x', which is the file of --markdown"),
    ],
)
@pytest.mark.usefixtures("files")
def test_an_output_that_cannot_be_written_is_refused_before_any_work(outputs, told):
    done = gate("old.csv", "same.csv", "--group", "lang", *outputs)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert told in done.stderr
    assert Path("same.csv").read_text().startswith("id,label")


def test_a_summary_that_cannot_be_written_is_bad_input(monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/summary.md")
    done = gate("--table", *PASS)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "$GITHUB_STEP_SUMMARY` must be a file that can be written, got 'no/summary.md'" in done.stderr


def test_a_verdict_that_could_not_be_written_is_status_4(monkeypatch):
    """The disk is full after the work began."""

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tellapart.replacing.os.fsync", full)
    done = gate("--table", *PASS, "--markdown", "gate.md")
    assert (done.exit_code, done.stdout) == (4, "")
    assert done.stderr.endswith("gate.md' cannot be written: No space left on device.\n")
    assert list(Path().iterdir()) == []


def test_a_summary_is_appended_to(monkeypatch):
    """Other steps of the workflow have written to it."""
    Path("summary.md").write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    done = gate("--table", *PASS, "--markdown", "./summary.md")
    assert (done.exit_code, Path("summary.md").read_text()) == (2, "before\n")
    assert "must be a new file, got 'summary.md', which is $GITHUB_STEP_SUMMARY" in done.stderr


# --- Bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "give BASELINE and CANDIDATE"),
        (("old.csv",), "--models BASELINE,CANDIDATE"),
        (("old.csv", "new.csv", "same.csv"), "give BASELINE and CANDIDATE"),
        (("old.csv", "new.csv", "--table", *PASS), "give BASELINE and CANDIDATE"),
        (("old.csv", "nothing.csv"), "file not found: nothing.csv"),
        (("old.csv", "old.csv"), "files must be different, got old.csv twice"),
        (
            ("old.csv", "new.csv", "--models", "x,y,z"),
            "`--models` must name the column of predictions, or one per file",
        ),
        (
            ("old.csv", "--models", "prediction"),
            "`--models` must name two models, the baseline first, got 'prediction'",
        ),
        (("old.csv", "new.csv", "--models", "x"), "`--models` must be columns of the table, got 'x'"),
        (("old.csv", "new.csv", "--id", "row"), "`--id` must be a column of the table, got 'row'"),
        (
            ("old.csv", "new.csv", "--group", "lang", "--group-margin", "fr=0.1"),
            "`--group-margin` must name groups of the data ('de' and 'en'), got 'fr'",
        ),
        (("old.csv", "new.csv", "--group", "lang", "--group-margin", "de"), "such as de=0.02, got 'de'"),
        (("--table", *PASS, "--label", "x"), "`--label` must be left out with --table"),
        (("--table", *PASS, "--group-margin", "de=0.1"), "`--group-margin` is for files with --group, got --table"),
        (("--table", *PASS, "--margin", "1"), "`--margin` must be between 0 and 1"),
        (("--table", *PASS, "--margin", "x"), "`--margin` must be a number, got 'x'"),
        (("--table", *PASS, "--alpha", "0.5"), "`--alpha` must be below 0.5, got 0.5. Use --alpha 0.05."),
        (("--table", *PASS, "--method", "mcnemar"), "`--method` of a gate must take a margin and have an interval"),
        (("--table", *PASS, "--method", ""), "unknown method ''. Use one of: 'mcnemar-evalue'"),
        (("--table", *PASS, "--marign", "1"), "unknown option `--marign`. Did you mean `--margin`?"),
        (("--table", "1", "2", "3"), "`--table` needs 4 values"),
        (("--table", *PASS, "--config", "no.toml"), "file not found: no.toml"),
    ],
)
@pytest.mark.usefixtures("files")
def test_bad_input_is_one_line_and_status_2(arguments, told):
    done = gate(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert told.lower() in done.stderr.lower()


@pytest.mark.usefixtures("files")
def test_ids_that_do_not_match_are_bad_input(tmp_path):
    lines = Path("same.csv").read_text().splitlines()
    Path(tmp_path, "short.csv").write_text("\n".join(lines[:-3]) + "\n")
    done = gate("old.csv", "short.csv", "--group", "lang")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "short.csv lacks 3 of 1,200 examples" in done.stderr
    kept = gate("old.csv", "short.csv", "--group", "lang", "--missing", "drop")
    assert kept.exit_code == 0
    assert "3 left out (id without prediction of short)" in " ".join(kept.stdout.split())


# --- No verdict ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("a bug\nin two lines"), "no verdict: ValueError: a bug in two lines."),
        (MemoryError(), "no verdict: MemoryError."),
        (RecursionError("deep"), "no verdict: RecursionError: deep."),
        (ImportError("a broken wheel"), "no verdict: ImportError: a broken wheel."),
        (KeyboardInterrupt(), "stopped before there was a verdict."),
        (SystemExit(1), "exited with status 1, without a verdict."),
        (SystemExit(0), "exited with status 0, without a verdict."),
        (SystemExit("words"), "exited with status words, without a verdict."),
        (BrokenPipeError(32, "Broken pipe"), "the output was closed before all of it was written."),
        (OSError(28, "No space"), "no verdict: OSError: [Errno 28] No space."),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_an_unexpected_error_is_one_line_and_status_4(monkeypatch, error, told):
    def fail(*_, **__):
        raise error

    # `judge` is loaded, or what is found is shown: either may fail.
    target = "tellapart.cli.gate.show_result" if isinstance(error, BrokenPipeError) else "tellapart.gate.judge"
    monkeypatch.setattr(target, fail)
    done = gate("--table", *PASS)
    assert done.exit_code == 4
    assert done.stderr.strip() == f"error: {told}"


@pytest.mark.parametrize("returned", [None, True, 2, 7, "0"])
def test_ending_without_a_verdict_is_status_4(monkeypatch, returned):
    monkeypatch.setattr("tellapart.cli.gate._run_gate", lambda *_: type("Found", (), {"exit_status": returned}))
    done = gate("--table", *PASS)
    assert done.exit_code == 4
    assert done.stderr == "error: ended without a verdict.\n"


def test_a_command_that_does_not_load_is_status_4(monkeypatch):
    def broken(name):
        raise ImportError(f"cannot import {name}")

    monkeypatch.setattr("tellapart.cli.import_module", broken)
    done = gate("--table", *PASS)
    assert (done.exit_code, done.stderr) == (
        4,
        "error: no verdict: ImportError: cannot import tellapart.cli.gate.\n",
    )


@pytest.mark.usefixtures("files")
def test_a_reader_that_does_not_load_is_status_4(monkeypatch):
    """The command line is valid, so the status is not 2."""
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    done = gate("old.csv", "new.csv", "--group", "lang")
    assert done.exit_code == 4
    assert done.stderr.startswith("error: polars ")
    assert done.stderr.count("\n") == 1


def test_help_exits_with_0():
    done = gate("--help")
    assert done.exit_code == 0
    assert "0 pass 1 worse 2 bad input 3 not enough evidence 4 unexpected failure" in " ".join(done.stdout.split())


def test_other_commands_keep_their_statuses(monkeypatch):
    monkeypatch.setattr("tellapart.cli.import_module", lambda _: 1 / 0)
    done = CliRunner().invoke(main, ["estimate", "3", "120"])
    assert isinstance(done.exception, ZeroDivisionError)


def test_colours_appear_only_on_a_terminal(monkeypatch):
    assert "\x1b" not in gate("--table", *PASS).output
    tables = {
        name: ta.PairedTable(*map(int, cells)) for name, cells in (("green", PASS), ("red", WORSE), ("yellow", OPEN))
    }
    for colour, table in tables.items():
        assert next(styled_lines(ta.judge(table).display()))[1:] == (colour, True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in gate("--table", *PASS, color=True).output
    assert os.environ["NO_COLOR"] == "1"
