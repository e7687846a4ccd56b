"""`tellapart watch`: batches from files and counts, options that must agree, and a state that no failure damages."""

import gzip
import json
import shlex
import shutil
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tellapart import PairedTable, Watch, read_watch

DAYS = [(3, 9, 2, 86), (2, 14, 3, 81), (1, 8, 4, 87)]
FIXTURES = Path(__file__).parents[1] / "fixtures"
FIRST, SECOND = (list(map(str, day)) for day in DAYS[:2])


def rows(four, rng):
    """Return label, prediction of A and of B, for every example of a table, in some order."""
    kinds = [("x", "y", "y"), ("x", "y", "x"), ("x", "x", "y"), ("x", "x", "x")]
    every = [row for row, count in zip(kinds, four, strict=True) for _ in range(count)]
    return [every[place] for place in rng.permutation(len(every))]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make a folder to work in, with three days of predictions and scores."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    for day, four in enumerate(DAYS, 1):
        found = rows(four, rng)
        first = 1000 * day
        (tmp_path / f"day{day}.csv").write_text("label,old,new\n" + "".join(f"{','.join(row)}\n" for row in found))
        for place, name in ((1, "old"), (2, "new")):
            lines = [f"{first + i},{row[0]},{row[place]}\n" for i, row in enumerate(found)]
            (tmp_path / f"{name}{day}.csv").write_text("row,label,prediction\n" + "".join(lines))
        scores = rng.beta([[5, 7]], 3, size=(100, 2)).round(3)
        (tmp_path / f"scores{day}.csv").write_text("old,new\n" + "".join(f"{a},{b}\n" for a, b in scores))
    return tmp_path


def told(run, *words):
    done = run("watch", *words, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout, parse_constant=pytest.fail)


def of_days(*days, models=("old", "new"), **options):
    watch = Watch.pair(models=models, **options)
    for day in days:
        watch = watch.add(PairedTable(*DAYS[day - 1], models=models))
    return watch


# --- Adding and showing ---


def test_a_state_is_created_extended_and_shown(run, folder):
    first = run("watch", "state.json", "--add", "day1.csv")
    assert first.exit_code == 0
    assert first.stderr == "note: state.json created: old and new, rule mcnemar-evalue, alpha = 0.05\n"
    assert "No significant difference between old and new yet; you may stop or continue" in first.stdout
    second = run("watch", "state.json", "--add", "day2.csv", "--add", "day3.csv")
    assert second.exit_code == 0
    assert second.stderr == ""
    assert "new is more accurate than old (decided at look 2)" in second.stdout
    assert "day3.csv" in second.stdout
    before = (folder / "state.json").read_bytes()
    assert run("watch", "state.json").stdout == second.stdout
    assert (folder / "state.json").read_bytes() == before
    read, wanted = read_watch("state.json"), of_days(1, 2, 3)
    assert read.held.as_dict() == wanted.held.as_dict()
    assert [look.source for look in read.looks] == ["day1.csv", "day2.csv", "day3.csv"]
    assert all(len(look.fingerprint) == 64 for look in read.looks)


@pytest.mark.usefixtures("folder")
def test_json_has_the_present_state(run):
    found = told(run, "state.json", "--add", "day1.csv", "--add", "day2.csv")
    wanted = json.loads(of_days(1, 2).to_json())
    for name in ("watches", "rule", "alpha", "models", "held", "examples", "interval", "decided", "decided_at"):
        assert found[name] == wanted[name]
    assert found["words"].startswith("new is more accurate than old")
    assert told(run, "state.json") == found


@pytest.mark.usefixtures("folder")
def test_two_files_are_joined_under_any_names(run):
    """Files may be named after the day: the first is A, the second B."""
    words = ("--id", "row")
    run("watch", "state.json", "--add", "old1.csv", "--with", "new1.csv", "--models", "old,new", *words)
    found = told(run, "state.json", "--add", "old2.csv", "--with", "new2.csv", *words)
    assert found["held"] == json.loads(of_days(1, 2).to_json())["held"]
    assert found["looks"][1]["source"] == "old2.csv + new2.csv"


def test_files_that_name_their_models_may_come_in_any_order(run, folder):
    for day in (1, 2):
        for name in ("old", "new"):
            text = (folder / f"{name}{day}.csv").read_text().replace("prediction", name)
            (folder / f"{name}{day}.csv").write_text(text)
    run("watch", "state.json", "--add", "old1.csv", "--with", "new1.csv", "--id", "row")
    found = told(run, "state.json", "--add", "new2.csv", "--with", "old2.csv", "--id", "row")
    assert found["held"] == json.loads(of_days(1, 2).to_json())["held"]


@pytest.mark.usefixtures("folder")
def test_counts_need_no_file(run):
    words = ["--table", *FIRST, "--table", *SECOND, "--models", "old,new"]
    found = told(run, "state.json", *words)
    wanted = json.loads(of_days(1, 2).to_json())
    assert (found["held"], found["looks"]) == (wanted["held"], wanted["looks"])
    assert told(run, "other.json", *words[:5])["models"] == ["A", "B"]


@pytest.mark.usefixtures("folder")
def test_looks_can_be_planned(run):
    found = told(run, "state.json", "--table", *FIRST, "--rule", "pocock", "--total", "300", "--alpha", "0.1")
    wanted = of_days(1, models=("A", "B"), rule="pocock", total=300, alpha=0.1)
    assert found["looks"] == json.loads(wanted.to_json())["looks"]
    shown = run("watch", "state.json", "--table", *SECOND, "--table", "1", "8", "4", "187").stdout
    assert shown.startswith("B has a lower error rate than A (decided at look 1)")


@pytest.mark.usefixtures("folder")
def test_an_error_rate_can_be_watched(run):
    assert told(run, "rate.json", "--errors", "3", "400", "--against", "0.05", "--level", "0.9")["decided"] == "below"
    found = told(run, "one.json", "--add", "day1.csv", "--models", "new")
    assert (found["watches"], found["models"], found["held"]) == ("rate", ["new"], {"errors": 5, "trials": 100})
    found = told(run, "one.json", "--add", "day2.csv")  # the state knows which column
    assert found["held"] == {"errors": 10, "trials": 200}


@pytest.mark.usefixtures("folder")
def test_scores_of_one_or_two_models_can_be_watched(run):
    one = told(run, "mean.json", "--add", "scores1.csv", "--score", "new", "--against", "0.5")
    assert (one["watches"], one["decided"], one["held"]["count"]) == ("mean", "above", 100)
    two = told(run, "two.json", "--add", "scores1.csv", "--add", "scores2.csv", "--score", "old,new")
    assert (two["watches"], two["models"], two["decided"]) == ("paired scores", ["old", "new"], "B")
    again = told(run, "two.json", "--add", "scores3.csv")  # the state knows the columns
    a, b = np.concatenate([np.loadtxt(f"scores{day}.csv", delimiter=",", skiprows=1) for day in (1, 2, 3)]).T
    assert abs(again["estimate"] - (b - a).mean()) < 1e-12
    assert read_watch("two.json").held.count == 300
    assert "above" not in again["held"]


@pytest.mark.parametrize("kind", ["tsv", "parquet", "jsonl", "arrow", "stream.arrow", "csv.gz", "blank.csv"])
def test_scores_are_read_from_every_format_in_the_order_of_rows(run, folder, kind):
    table, file = pl.read_csv("scores1.csv"), folder / f"s.{kind}"
    if kind == "tsv":
        table.write_csv(file, separator="\t")
    elif kind == "parquet":
        table.write_parquet(file)
    elif kind == "jsonl":
        table.write_ndjson(file)
    elif kind == "arrow":
        table.write_ipc(file)
    elif kind == "stream.arrow":
        table.write_ipc_stream(file)
    elif kind == "csv.gz":
        file.write_bytes(gzip.compress((folder / "scores1.csv").read_bytes()))
    else:
        file.write_text((folder / "scores1.csv").read_text() + "\n")
    here = told(run, "here.json", "--add", file.name, "--score", "old,new")
    there = told(run, "there.json", "--add", "scores1.csv", "--score", "old,new")
    assert here["interval"] == there["interval"]
    assert here["estimate"] == there["estimate"]


# --- Refusals: one line, status 2, nothing changed ---


def test_a_file_that_was_added_before_is_recognised_under_any_name(run, refused, folder):
    run("watch", "state.json", "--add", "day1.csv")
    shutil.copy("day1.csv", "day9.csv")
    before = (folder / "state.json").read_bytes()
    for words in (["--add", "day1.csv"], ["--add", "day9.csv"], ["--add", "day2.csv", "--add", "day9.csv"]):
        assert "was added before, at look 1 (day1.csv)" in refused("watch", "state.json", *words)
    assert "was added before" in refused("watch", "state.json", "--add", "day2.csv", "--add", "day2.csv")
    assert (folder / "state.json").read_bytes() == before
    assert sorted(file.name for file in folder.iterdir() if file.suffix != ".csv") == ["state.json"]


def test_several_batches_are_added_together_or_not_at_all(run, refused, folder):
    refused("watch", "state.json", "--add", "day1.csv", "--add", "none.csv")
    assert not (folder / "state.json").exists()
    run("watch", "state.json", "--add", "day1.csv")
    before = (folder / "state.json").read_bytes()
    (folder / "bad.csv").write_text("label,old\nx,y\n")
    refused("watch", "state.json", "--add", "day2.csv", "--add", "bad.csv")
    assert (folder / "state.json").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--rule", "pocock", "--total", "500"],
            "`--rule` must be mcnemar-evalue as when 'state.json' was created, got pocock.",
        ),
        (["--total", "500"], "`--total` must be left out as when 'state.json' was created, got 500."),
        (["--alpha", "0.01"], "`--alpha` must be 0.05 as when 'state.json' was created, got 0.01."),
        (["--level", "0.9"], "`--alpha` must be 0.05 as when 'state.json' was created, got 0.09999999999999998."),
        (["--models", "new,old"], "`--models` must be old, new as when 'state.json' was created, got new, old."),
        (["--against", "0.1"], "`--against` must be left out as when 'state.json' was created, got 0.1."),
        (["--prior", "2"], "`--prior` must be 1.0 as when 'state.json' was created, got 2.0."),
        (["--prior", "1,1"], "`--prior` must be a number κ of Beta(κ, κ), 0.1 or more, got (1.0, 1.0)"),
        (["--html", "state.json"], "`--html` must end in .html"),
        (
            ["--errors", "1", "10"],
            "'state.json' is for two models on the same examples, got a batch of the error of one model",
        ),
        (
            ["--add", "scores1.csv", "--score", "old,new"],
            "'state.json' is for two models on the same examples, got a batch of the scores of two models",
        ),
        (["--add", "day2.csv", "--table", "1", "1", "1", "1"], "Use one of --add, --table and --errors."),
        (
            ["--add", "day2.csv", "--with", "new2.csv", "--with", "new3.csv"],
            "`--with` must be given once for each --add, got 2 for 1.",
        ),
        (["--with", "new2.csv"], "`--with` must be given once for each --add, got 1 for 0."),
        (["--add", "old2.csv", "--with", "new2.csv"], "`--id` is required to join 2 files"),
        (["--add", "day2.csv", "--group", "old"], "`--group` must be left out: a watch has one group"),
        (["--table", "1", "1", "1", "1", "--label", "y"], "`--label` is for files, but there is no --add"),
        (["--table", "0", "0", "0", "0"], "at least one example"),
        (["--table", "1", "-1", "0", "0"], "-1"),
        (["--level", "0.9", "--alpha", "0.05"], "`--alpha` must be 1 - level"),
        (["--score", "new"], "`--score` is for files, but there is no --add"),
        (["--wat"], "unknown option `--wat`"),
    ],
)
def test_batches_that_do_not_fit_are_refused(run, refused, folder, words, message):
    run("watch", "state.json", "--add", "day1.csv")
    before = (folder / "state.json").read_bytes()
    assert message in refused("watch", "state.json", *words)
    assert (folder / "state.json").read_bytes() == before


@pytest.mark.usefixtures("folder")
def test_options_equal_to_the_stored_ones_are_accepted(run):
    run("watch", "state.json", "--add", "day1.csv")
    words = ["--rule", "mcnemar-evalue", "--alpha", "0.05", "--models", "old,new", "--prior", "1"]
    assert run("watch", "state.json", "--add", "day2.csv", *words).exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "file not found: 'new.json'"),
        (
            ["--table", "1", "1", "1", "1", "--rule", "pocock"],
            "`--total`, the number of planned examples, is required for --rule pocock",
        ),
        (
            ["--table", "1", "1", "1", "1", "--against", "0.1"],
            "`--against` is not for two models on the same examples, got 0.1. Leave it out.",
        ),
        (
            ["--table", "1", "1", "1", "1", "--rule", "betting"],
            "`--rule` must be one of 'mcnemar-evalue', 'obrien-fleming', 'pocock' for two models, got",
        ),
        (["--errors", "1", "10", "--rule", "pocock"], "`--rule` is not for the error of one model, got pocock"),
        (
            ["--errors", "1", "10", "--models", "a,b"],
            "`--models` must name the models of a watch of the error of one model, got a and b.",
        ),
        (["--add", "day1.csv", "--models", "old,new,label"], "label"),
        (["--add", "many.csv"], "`--models` must name one or two models, got a, b and c"),
        (
            ["--add", "scores1.csv", "--score", "old,new,other"],
            "`--score` must name one column, or two (A and B), of one file",
        ),
        (["--add", "scores1.csv", "--score", "grade"], "has no column 'grade'"),
        (
            ["--add", "day1.csv", "--score", "old"],
            "column 'old' of day1.csv must hold numbers, got 'x' in row 1. Remove rows without a score if",
        ),
        (
            ["--add", "gaps.csv", "--score", "s"],
            "column 's' of gaps.csv must hold numbers, got None in row 2. Remove rows without a score if",
        ),
        (["--add", "large.csv", "--score", "s"], "large.csv: `values` must be from 0 to 1, got 7 (number 2)"),
        (
            ["--add", "scores1.csv", "--score", "old", "--prior", "1"],
            "`--prior` is not for the mean score of one model, got 1.0. Leave it out.",
        ),
        (
            ["--table", "1", "1", "1", "1", "--rule", "pocock", "--total", "9", "--prior", "1"],
            "`--prior` is for mcnemar-evalue and beta-binomial-cs, got --rule pocock.",
        ),
        (["--add", "scores1.csv", "--score", "old", "--label", "y"], "`--label` is for files, but not with --score"),
    ],
)
def test_a_watch_that_cannot_begin_leaves_no_file(refused, folder, words, message):
    (folder / "many.csv").write_text("label,a,b,c\n" + "x,x,y,x\nx,x,x,x\n" * 5)
    (folder / "gaps.csv").write_text("s,t\n0.5,1\n,1\n")
    (folder / "large.csv").write_text("s\n0.5\n7\n")
    assert message in refused("watch", "new.json", *words)
    assert not (folder / "new.json").exists()


def test_a_foreign_file_is_never_overwritten(refused, folder):
    (folder / "notes.json").write_text('{"mine": 1}')
    assert "'notes.json' is not a watch: it is other JSON" in refused("watch", "notes.json", "--add", "day1.csv")
    assert (folder / "notes.json").read_text() == '{"mine": 1}'
    assert "'day1.csv' is not a watch: it is not valid JSON" in refused("watch", "day1.csv")
    assert "is not a file" in refused("watch", str(folder))


def test_a_file_that_changes_while_it_is_read_is_refused(refused, folder, monkeypatch):
    from tellapart.cli import watch

    real = watch.count_predictions

    def slow(files, **parts):
        found = real(files, **parts)
        with (folder / "day1.csv").open("a") as stream:
            stream.write("x,x,x\n")
        return found

    monkeypatch.setattr(watch, "count_predictions", slow)
    assert "day1.csv changed while being read" in refused("watch", "state.json", "--add", "day1.csv")
    assert not (folder / "state.json").exists()


def test_dropped_predictions_are_reported(run, folder):
    (folder / "gaps.csv").write_text((folder / "day1.csv").read_text() + "x,,x\n")
    done = run("watch", "state.json", "--add", "gaps.csv", "--missing", "drop")
    assert "gaps.csv: 1 left out (missing prediction of old)" in done.stderr
    assert read_watch("state.json").examples == 100


@pytest.mark.usefixtures("folder")
def test_the_prior_is_stored(run):
    assert told(run, "state.json", "--add", "day1.csv", "--prior", "3")["prior"] == 3.0
    assert told(run, "state.json", "--add", "day2.csv")["estimate"] == of_days(1, 2).estimate
    assert read_watch("state.json").evalue == of_days(1, 2, prior=3).evalue
    assert told(run, "rate.json", "--errors", "3", "120", "--prior", "jeffreys")["prior"] == [0.5, 0.5]
    assert told(run, "rate.json", "--errors", "3", "120", "--prior", "0.5,0.5", "--batch", "b")["examples"] == 240


def test_a_report_has_the_summary_plot_looks_and_command(run, folder):
    done = run("watch", "state.json", "--add", "day1.csv", "--add", "day2.csv", "--html", "page.html")
    assert done.stderr.endswith("report: page.html\n")
    text = (folder / "page.html").read_text(encoding="utf-8")
    for part in (
        "new is more accurate than old",
        "Difference by look",
        "day2.csv",
        "tellapart watch state.json",
    ):
        assert part in text
    assert "print(ta.read_watch(&#39;state.json&#39;))" in text
    assert read_watch("state.json").looks[1].fingerprint[:16] in text


def test_a_slower_process_adds_to_the_state_of_the_faster_one(run, folder, monkeypatch):
    """Another command has written first: both batches are kept, and none is refused."""
    real, others = Watch.save, [["state.json", "--table", *FIRST, "--models", "old,new"], ["state.json", "--add"]]
    others[1].append("day2.csv")

    def slow(watch, file):
        if others:
            assert run("watch", *others.pop(0)).exit_code == 0
        return real(watch, file)

    monkeypatch.setattr(Watch, "save", slow)
    assert told(run, "state.json", "--add", "day3.csv")["examples"] == 300
    assert {look.source for look in read_watch(folder / "state.json").looks} == {"", "day2.csv", "day3.csv"}


def test_a_slower_process_with_the_same_file_is_refused(run, refused, monkeypatch, folder):
    real, others = Watch.save, [["state.json", "--add", "day1.csv"]]

    def slow(watch, file):
        if others:
            run("watch", *others.pop())
        return real(watch, file)

    monkeypatch.setattr(Watch, "save", slow)
    assert "was added before, at look 1" in refused("watch", "state.json", "--add", "day1.csv")
    assert read_watch(folder / "state.json").examples == 100


@pytest.mark.usefixtures("folder")
def test_the_command_runs_in_a_real_shell(shell):
    first = shell("watch", "state.json", "--add", "day1.csv", "--add", "day2.csv")
    assert (first.returncode, "state.json created" in first.stderr) == (0, True)
    again = shell("watch", "state.json", "--add", "day2.csv", "--json")
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr.count("\n") == 1
    assert len(read_watch("state.json").looks) == 2


# --- Nothing is counted twice, whatever fails ---


@pytest.mark.parametrize("place", ["/proc/page.html", "day1.csv/page.html", "nowhere/page.html"])
def test_a_report_that_cannot_be_written_is_refused_before_anything_is_added(run, refused, folder, place):
    """Even root may not write below /proc or below a file."""
    refused("watch", "state.json", "--table", *FIRST, "--html", place)
    assert not (folder / "state.json").exists()
    run("watch", "state.json", "--table", *FIRST)
    before = (folder / "state.json").read_bytes()
    refused("watch", "state.json", "--table", *SECOND, "--html", place)
    assert (folder / "state.json").read_bytes() == before


def test_a_report_that_fails_late_keeps_the_batch(run, refused, folder, monkeypatch):
    def full(*_args, **_more):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("tellapart.report.writing.replace_file", full)
        done = run("watch", "state.json", "--table", *FIRST, "--html", "page.html")
    assert done.exit_code == 3
    assert "No significant difference" in done.stdout
    said = "the batch is in 'state.json' and must not be added again, but --html 'page.html' was not written"
    assert said in done.stderr
    assert read_watch(folder / "state.json").examples == 100
    refused("watch", "state.json", "--table", *FIRST)  # a repeated command is refused
    assert run("watch", "state.json", "--html", "page.html").exit_code == 0
    assert read_watch(folder / "state.json").examples == 100


def test_a_deleted_folder_is_a_late_failure(run, folder, monkeypatch):
    real = Watch.save
    (folder / "there").mkdir()

    def removing(watch, file):
        (folder / "there").rmdir()
        return real(watch, file)

    monkeypatch.setattr(Watch, "save", removing)
    done = run("watch", "state.json", "--add", "day1.csv", "--html", "there/page.html")
    assert done.exit_code == 3
    assert "the batch is in 'state.json'" in done.stderr
    assert "there is no folder 'there'" in done.stderr


@pytest.mark.usefixtures("folder")
def test_a_full_standard_output_is_reported_with_the_batch(shell):
    with Path("/dev/full").open("w") as full:
        done = shell("watch", "state.json", "--table", *FIRST, stdout=full)
    assert done.returncode == 3
    told = "the batch is in 'state.json' and must not be added again, but standard output cannot be written"
    assert told in done.stderr
    assert read_watch("state.json").examples == 100


def test_a_state_that_cannot_be_written_is_status_2(run, folder, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tellapart.replacing.os.fsync", full)
    done = run("watch", "state.json", "--table", *FIRST)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Nothing was added" in done.stderr
    assert not (folder / "state.json").exists()


@pytest.mark.usefixtures("folder")
def test_a_name_of_a_batch_is_used_once(run, refused):
    assert told(run, "state.json", "--table", *FIRST, "--batch", "monday")["looks"][0]["source"] == "monday"
    for counts in (FIRST, SECOND):
        said = refused("watch", "state.json", "--table", *counts, "--batch", "monday")
        assert "a batch named 'monday' was added before, at look 1. Nothing was added; use another name if" in said
    twice = ["--table", *FIRST, "--batch", "day", "--table", *SECOND, "--batch", "day"]
    assert "'day'" in refused("watch", "s.json", *twice)
    assert not Path("s.json").exists()
    assert told(run, "files.json", "--add", "day2.csv", "--batch", "tuesday")["looks"][0]["name"] == "tuesday"
    assert "'tuesday'" in refused("watch", "files.json", "--add", "day3.csv", "--batch", "tuesday")


def test_a_state_without_names_of_batches_can_be_extended(run, refused, folder):
    """The fixture was written by the last version that stored neither names nor counts."""
    shutil.copy(FIXTURES / "watch" / "before-names.json", folder / "state.json")
    assert read_watch("state.json").evalue == pytest.approx(of_days(1).evalue, rel=1e-12)
    assert told(run, "state.json", "--table", *SECOND)["examples"] == 200
    assert read_watch("state.json").evalue == pytest.approx(of_days(1, 2).evalue, rel=1e-12)
    assert "this batch equals the last one" in refused("watch", "state.json", "--table", *SECOND)


@pytest.mark.parametrize("kind", [("--table", FIRST, SECOND), ("--errors", ("3", "100"), ("4", "100"))])
@pytest.mark.usefixtures("folder")
def test_counts_that_equal_those_added_last_are_a_repeat_unless_they_are_named(run, refused, kind):
    option, one, other = kind
    run("watch", "state.json", option, *one)
    said = refused("watch", "state.json", option, *one)
    assert "this batch equals the last one in 'state.json'" in said
    assert "--batch NAME" in said
    assert told(run, "state.json", option, *one, "--batch", "again")["examples"] == 200
    refused("watch", "state.json", option, *one)
    assert told(run, "state.json", option, *other)["examples"] == 300
    assert told(run, "state.json", option, *one)["examples"] == 400  # no longer the last


@pytest.mark.usefixtures("folder")
def test_a_command_of_several_batches_that_is_repeated_is_refused(run, refused):
    words = ("watch", "state.json", "--table", *FIRST, "--table", *SECOND)
    assert run(*words).exit_code == 0
    assert "these 2 batches equal the last 2 in 'state.json', as if a command was repeated" in refused(*words)
    assert "this batch equals the last one" in refused("watch", "state.json", "--table", *SECOND)
    assert "equals the last one" in refused("watch", "new.json", "--table", *FIRST, "--table", *FIRST)
    assert read_watch("state.json").examples == 200


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--batch", "a"], "`--batch` must be given once for each batch, got 1 for 0."),
        (
            ["--table", *"1111", "--batch", "a", "--batch", "b"],
            "`--batch` must be given once for each batch, got 2 for 1.",
        ),
        (["--table", *"1111", "--batch", " "], "`--batch` must be a name that is not blank"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_names_that_do_not_fit_are_refused(run, refused, words, message):
    run("watch", "state.json", "--table", *FIRST)
    assert message in refused("watch", "state.json", *words)


# --- Streams and names that cannot be written ---


STREAMS = [  # the redirection, the status, and whether the message says that the batch is stored
    (">&-", 0, False),
    ("2>/dev/full", 0, False),
    ("--html page.html 2>/dev/full", 0, False),
    (">/dev/full", 3, True),
    ("--html page.html >/dev/full", 3, True),
    ("--json --html page.html >/dev/full", 3, True),
]


@pytest.mark.parametrize(("ending", "status", "told"), STREAMS, ids=[each[0] for each in STREAMS])
@pytest.mark.usefixtures("folder")
def test_a_batch_is_added_once_if_streams_fail(shell, ending, status, told):
    line = f"{shlex.quote(sys.executable)} -m tellapart watch pair.json --table 1 2 3 40"
    done = shell(line=f"{line} {ending}")
    assert done.returncode == status, done.stderr
    assert ("the batch is in 'pair.json' and must not be added again" in done.stderr) == told
    assert "Traceback" not in done.stderr
    assert len(read_watch("pair.json").looks) == 1
    assert "Nothing was added" in shell(line=line).stderr


@pytest.mark.parametrize("name", ["", " ", "a\udcff"])
@pytest.mark.usefixtures("folder")
def test_the_name_of_a_batch_is_text(refused, name):
    said = refused("watch", "pair.json", "--table", "1", "2", "3", "40", "--batch", name)
    assert "not blank" in said or "UTF-8" in said
    assert not Path("pair.json").exists()


@pytest.mark.usefixtures("folder")
def test_a_file_whose_name_utf8_cannot_write_is_refused(refused):
    Path("p\udcff.csv").write_text("label,a,b\nx,x,y\n")
    assert "Rename the file" in refused("watch", "pair.json", "--add", "p\udcff.csv", "--label", "label")
