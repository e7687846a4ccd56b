"""`tellapart race` and answers from its store: those of Python; files of every format; bad input is one line."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from types import SimpleNamespace

import click
import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from tellapart import compare, estimate
from tellapart.cli import example_data, main
from tellapart.cli.learner_parsing import learner_from
from tellapart.errors import InvalidInput
from tellapart.running import race, read_race
from tellapart.running.rehearsal import rehearse

NB, TREE = "sklearn.naive_bayes.GaussianNB", "sklearn.tree.DecisionTreeClassifier"
TWO = ["--learner", f"nb={NB}", "--learner", f"tree={TREE}(max_depth=2)"]
IRIS = ["race", "--data", "iris", "--plan", "5x2", "--jobs", "1", *TWO]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def document(run, *words):
    done = run(*words, "--json")
    assert done.exit_code == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout, parse_constant=pytest.fail)


def of_api(answer):
    return json.loads(answer.to_json())


def by_hand(plan="5x2", **options):
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    return race(learners, *load_iris(return_X_y=True), plan=plan, jobs=1, **options)


# --- The answer is the API's ---


def test_two_learners_are_compared(run):
    evidence = by_hand()
    answer = document(run, *IRIS)
    assert answer["answer"] == of_api(compare(evidence))
    assert [entry["error"] for entry in answer["race"]["learners"]] == evidence.resamples().losses.tolist()
    text = run(*IRIS).stdout
    assert text == f"{compare(evidence)}\n"
    verbose = run(*IRIS, "--verbose").stdout
    assert verbose.startswith("nb, tree: 150 examples, 5 repeats of 2-fold cross-validation, 20 fits\n")
    assert "--method corrected-resampled-t for" in verbose
    assert "--method corrected-repeated-kfold-t with --plan 10x10 for" in verbose


def test_one_learner_is_estimated_and_three_are_ranked(run):
    one = document(run, "race", "--data", "wine", "--plan", "5-fold", "--learner", NB)
    evidence = race({"GaussianNB": GaussianNB()}, *load_wine(return_X_y=True), plan="5-fold")
    assert one["answer"] == of_api(estimate(evidence, learner="GaussianNB"))
    three = document(run, *IRIS, "--learner", "nn=sklearn.neighbors.KNeighborsClassifier")
    assert len(three["answer"]["pairs"]) == 3


def test_method_metric_and_setup_are_passed_on(run):
    words = ["--rng", "7", "--no-stratify", "--seeds", "2", "--learning-curve", "0.5,0.75"]
    answer = document(run, *IRIS, *words, "--metric", "f1_macro", "--method", "corrected-resampled-t")
    evidence = by_hand(rng=7, stratify=False, seeds=2, learning_curve=(0.5, 0.75))
    assert answer["answer"] == of_api(compare(evidence, metric="f1_macro", method="corrected-resampled-t"))
    assert answer["race"]["splits"] == 30


@pytest.mark.parametrize("metric", ["precision-macro", "mcc", "log-loss"])
@pytest.mark.usefixtures("here")
def test_two_learners_of_one_test_set_are_compared_by_a_metric(run, metric):
    words = ["race", "--data", "iris", "--plan", "holdout", *IRIS[IRIS.index("--learner") :], "--metric", metric]
    for done in (run(*words, "--store", "one.race"), run("compare", "one.race", "--metric", metric)):
        assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.usefixtures("here")
def test_further_plans_are_parts_of_the_store(run):
    document(run, *IRIS, "--plan", "apparent", "--store", "two.race")
    assert list(read_race("two.race").resamples().parts) == ["apparent"]


def test_scaling_is_a_step_of_every_fit(run):
    words = ["race", "--data", "wine", "--plan", "2x3", "--learner", "nn=sklearn.neighbors.KNeighborsClassifier"]
    wine = load_wine(return_X_y=True)
    plain = race({"nn": KNeighborsClassifier()}, *wine, plan="2x3")
    scaled = race({"nn": make_pipeline(StandardScaler(), KNeighborsClassifier())}, *wine, plan="2x3")
    assert document(run, *words)["answer"] == of_api(estimate(plain))
    assert document(run, *words, "--scale")["answer"] == of_api(estimate(scaled))


def test_p_values_of_other_splits_are_shown(run):
    assert "other seeds of the splits" in run(*IRIS, "--reseeds", "3").stdout


def test_the_command_runs_in_its_own_process(shell, here):
    done = shell(*IRIS, "--store", "my.race")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{compare(by_hand())}\n"
    assert (here / "my.race").exists()


# --- Learners are parsed, never evaluated ---


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x=os.system('ls')", "--learner x: options must be written option=value, got 'ls'."),
        ("x=os.system", "--learner x: os.system must be a class with the methods fit and predict."),
        (
            f"x={TREE}(max_depth=__import__('os').getpid())",
            "--learner x: max_depth must be a plain value (number, text, True, None, tuple, list, dict), got",
        ),
        (
            f"x={TREE}(max_depth=1+1)",
            "--learner x: max_depth must be a plain value (number, text, True, None, tuple, list, dict), got 1 + 1.",
        ),
        (
            f"x={TREE}(**{{'max_depth': 1}})",
            "--learner x: options must be written option=value, got **{'max_depth': 1}.",
        ),
        (f"x={TREE}(depth=1)", "does not take these options"),
        (f"x={TREE}(", "--learner x must be Python, got"),
        (f"x={TREE}()()", "--learner x must begin with a dotted name, got"),
        ("x=[1][0].y", "--learner x must begin with a dotted name, got"),
        ("x=GaussianNB", "--learner x must begin with a dotted name, got"),
        ("x=sklearn.nowhere.GaussianNB", "sklearn.nowhere cannot be imported"),
        ("x=sklearn.naive_bayes.GausianNB", "Did you mean GaussianNB?"),
        (
            "x=sklearn.preprocessing.StandardScaler",
            "--learner x: sklearn.preprocessing.StandardScaler must be a class with the methods fit and predict.",
        ),
        ("x=", "--learner must have a class, got 'x='."),
        (f"={NB}", "--learner must have a name, got '=sklearn.naive_bayes.GaussianNB'."),
        (
            f"x={TREE}(class_weight={{[]: 1}})",
            "--learner x: class_weight must be a plain value (number, text, True, None, tuple, list, dict), got",
        ),
        (f"x={TREE}(max_depth=1, max_depth=2)", "--learner x: options must be unique, got max_depth twice."),
        (f"x={TREE}(max_depth={'(' * 300}1{')' * 300})", "--learner x must be Python, got"),
        (f"x={TREE}(max_depth={'-' * 20000}1)", "is nested too deeply"),
        ("x=" + ".".join("a" * 5000), "is nested too deeply"),
        ("x=raising.Learner", "raising cannot be imported: RuntimeError: no"),
        ("x=leaving.Learner", "leaving cannot be imported: SystemExit: 3"),
        ("x=picky.Learner(size=1)", "picky.Learner does not take these options: KeyError: 'size'"),
    ],
)
def test_an_invalid_learner_is_refused_with_the_invalid_part(refused, here, monkeypatch, text, words):
    monkeypatch.syspath_prepend(here)
    (here / "raising.py").write_text("raise RuntimeError('no')")
    (here / "leaving.py").write_text("import sys; sys.exit(3)")
    (here / "picky.py").write_text(
        "class Learner:\n"
        "    def __init__(self, size): raise KeyError('size')\n"
        "    def fit(self, X, y): pass\n"
        "    def predict(self, X): pass\n"
    )
    message = refused("race", "--data", "iris", "--learner", text)
    assert "--learner" in message
    assert words in message


def test_options_are_plain_values():
    text = "sklearn.linear_model.LogisticRegression(C=0.5, class_weight={'a': 1, 'b': -2.5}, fit_intercept=False)"
    learner = learner_from("lr", text)
    assert isinstance(learner, LogisticRegression)
    assert (learner.C, learner.class_weight, learner.fit_intercept) == (0.5, {"a": 1, "b": -2.5}, False)


def test_two_learners_with_one_name_are_refused(refused):
    assert "--learner names must be unique, got GaussianNB twice." in refused(
        "race", "--data", "iris", "--learner", NB, "--learner", NB
    )


# --- Files ---


@pytest.fixture
def mixed(here):
    """Write a table with numbers, texts, gaps, a date and a group."""
    rng = np.random.default_rng(3)
    height = rng.normal(170, 10, 90).round(1)
    colour = rng.choice(["red", "green", "blue"], 90)
    label = np.where(height + 8 * (colour == "red") + rng.normal(0, 5, 90) > 172, "tall", "short")
    table = pl.DataFrame(
        {
            "height": [None if index % 10 == 0 else value for index, value in enumerate(height.tolist())],
            "colour": [None if index % 15 == 0 else value for index, value in enumerate(colour.tolist())],
            "member": (np.arange(90) % 2 == 0).tolist(),
            "family": (np.arange(90) // 3).tolist(),
            "size": label.tolist(),
        }
    )
    table.write_csv(here / "people.csv")
    table.write_parquet(here / "people.parquet")
    table.write_ndjson(here / "people.jsonl")
    table.write_ipc(here / "people.arrow")
    table.write_csv(here / "people.tsv", separator="\t")
    return table


PEOPLE = [
    "--target",
    "size",
    "--group",
    "family",
    "--plan",
    "3x3",
    "--learner",
    "sklearn.linear_model.LogisticRegression",
]


@pytest.mark.usefixtures("mixed")
def test_every_format_gives_the_same_race(run):
    answers = [
        document(run, "race", "--data", f"people.{end}", *PEOPLE)["answer"]
        for end in ("csv", "parquet", "jsonl", "arrow", "tsv")
    ]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["estimate"] < 0.35  # half of them are tall


def test_columns_are_encoded_for_learners(mixed):
    evidence = example_data.read_examples("people.csv", target="size", group="family", ignore=())
    assert evidence.X.shape == (90, 3)
    assert evidence.words == (1,)
    assert evidence.groups.tolist() == mixed["family"].to_list()
    assert set(evidence.y.tolist()) == {"short", "tall"}
    learner = evidence.prepared(LogisticRegression(), scale=None)
    learner.fit(evidence.X, evidence.y)
    assert learner[-1].n_features_in_ == 4 + 2  # three colours and none, height and member
    seen = learner[:-1].transform(evidence.X)
    assert np.isin(seen[:, :4], [0, 1]).all()
    np.testing.assert_allclose(seen[:, 4:].mean(axis=0), 0, atol=1e-12)  # scaled, as there are columns of text
    raw = evidence.prepared(GaussianNB(), scale=False).fit(evidence.X, evidence.y)[:-1].transform(evidence.X)
    gaps = np.isnan(evidence.X[:, 0])
    np.testing.assert_allclose(raw[gaps, 4], np.median(evidence.X[~gaps, 0]))
    new = evidence.X[:1].copy()
    new[0, 1] = 99  # a colour that was never seen
    assert learner[:-1].transform(new)[0, :4].sum() == 0


@pytest.mark.usefixtures("here")
def test_numeric_columns_are_passed_unchanged(mixed):
    mixed.select("member", "family", "size").write_csv("numbers.csv")
    evidence = example_data.read_examples("numbers.csv", target="size", group=None, ignore=())
    learner = GaussianNB()
    assert evidence.prepared(learner, scale=None) is learner
    assert len(evidence.prepared(learner, scale=True)) == 2


def test_columns_can_be_ignored(run, mixed):
    mixed.with_columns(pl.lit("2020-01-01").str.to_date().alias("when")).write_parquet("dated.parquet")
    evidence = example_data.read_examples("dated.parquet", target="size", group=None, ignore=["when", "family"])
    assert evidence.X.shape == (90, 3)
    words = ["race", "--data", "dated.parquet", *PEOPLE, "--ignore", "when,colour"]
    assert run(*words).exit_code == 0


def test_a_column_of_unique_texts_gives_a_note(run, mixed):
    mixed.with_columns(pl.Series("name", [f"person {index}" for index in range(90)])).write_csv("named.csv")
    done = run("race", "--data", "named.csv", *PEOPLE)
    assert done.exit_code == 0
    assert done.stderr == (
        "note: column 'name' has 90 different texts in 90 rows. If it is a name, leave it out: --ignore name.\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--data", "people.csv"], "`--target` is required for a file: the column of the labels."),
        (["--data", "people.csv", "--target", "siez"], "`--target` must be a column of"),
        (
            ["--data", "people.csv", "--target", "height"],
            "`--target` must have no empty cells, got 9 of 90 rows in column 'height' of",
        ),
        (
            ["--data", "people.csv", "--target", "size", "--group", "colour"],
            "`--group` must have no empty cells, got 6 of 90 rows in column 'colour' of",
        ),
        (["--data", "people.csv", "--target", "size", "--ignore", "colour,x"], "`--ignore` must be a column of"),
        (["--data", "dated.parquet", "--target", "size"], "--ignore when"),
        (["--data", "gone.csv", "--target", "size"], "file not found: gone.csv"),
        (
            ["--data", "irs", "--target", "size"],
            "`--data` must be breast_cancer, digits, iris, wine or a file, got 'irs'. Did you mean 'iris'?",
        ),
        (["--data", "iris", "--target", "size"], "`--target` must be left out for the built-in data set iris."),
        (["--data", "alone.csv", "--target", "size"], "no column to learn from"),
        (["--data", "people.csv", "--target", "person"], "`--target` must be classes, got column 'person' of"),
    ],
)
def test_an_unsuitable_table_is_refused(refused, mixed, words, message):
    mixed.with_columns(pl.lit("2020-01-01").str.to_date().alias("when")).write_parquet("dated.parquet")
    if "person" in words:
        mixed.with_columns(pl.Series("person", range(90))).write_csv("people.csv")
    mixed.select("size").with_columns(pl.col("size")).write_parquet("alone.parquet")
    words = [word.replace("alone.csv", "alone.parquet") for word in words]
    assert message in refused("race", *words, "--learner", NB)


# --- Stores ---


def lose(file, fits):
    """Remove fits from a store, as if they had not been run."""
    with closing(sqlite3.connect(file)) as base, base:
        base.execute("DELETE FROM fits WHERE rowid IN (SELECT rowid FROM fits ORDER BY rowid DESC LIMIT ?)", (fits,))


@pytest.mark.usefixtures("here")
def test_an_interrupted_race_is_resumed(run):
    whole = document(run, *IRIS, "--store", "my.race")
    lose("my.race", 7)
    assert len(read_race("my.race").missing) == 7
    again = document(run, "race", "--resume", "my.race")
    assert again["answer"] == whole["answer"]
    assert not read_race("my.race").missing
    assert document(run, *IRIS, "--store", "my.race")["answer"] == whole["answer"]  # the same words do the same


@pytest.mark.usefixtures("here")
def test_a_bundled_data_set_can_be_named_when_resuming(run):
    whole = document(run, *IRIS, "--store", "my.race")
    lose("my.race", 2)
    assert document(run, "race", "--resume", "my.race", "--data", "iris")["answer"] == whole["answer"]


@pytest.mark.usefixtures("here")
def test_all_learners_of_a_store_are_resumed(run, refused):
    document(run, *IRIS, "--store", "my.race")
    third = ["race", "--data", "iris", "--plan", "5x2", "--learner", "nn=sklearn.neighbors.KNeighborsClassifier"]
    document(run, *third, "--store", "my.race")
    lose("my.race", 12)
    assert len(document(run, "race", "--resume", "my.race")["race"]["learners"]) == 3
    assert not read_race("my.race").missing
    assert "`--scale` or `--no-scale` must be as in my.race." in refused(*third, "--store", "my.race", "--scale")


@pytest.mark.usefixtures("here")
def test_an_incomplete_store_is_reported(run, refused):
    run(*IRIS, "--store", "my.race")
    lose("my.race", 1)
    assert "1 fit missing: tree was not run (replicate 5, fold 2)." in refused("compare", "my.race")
    assert document(run, "compare", "my.race", "--missing", "drop")["evidence"]["missing"] == {"tree was not run": 1}


def test_changed_data_are_refused(run, refused, mixed):
    run("race", "--data", "people.csv", *PEOPLE, "--store", "my.race")
    lose("my.race", 2)
    mixed.with_columns(pl.col("height") + 1).write_csv("people.csv")
    assert "X has other values" in refused("race", "--resume", "my.race")


@pytest.mark.usefixtures("mixed")
def test_moved_data_are_read_from_the_given_path(run, here):
    whole = document(run, "race", "--data", "people.csv", *PEOPLE, "--store", "my.race")
    (here / "people.csv").rename(here / "moved.csv")
    lose("my.race", 2)
    assert run("race", "--resume", "my.race").exit_code == 2
    assert document(run, "race", "--resume", "my.race", "--data", "moved.csv")["answer"] == whole["answer"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "`--data` and `--learner` are required, or `--resume FILE`."),
        (["--data", "iris"], "`--data` and `--learner` are required, or `--resume FILE`."),
        (["--resume", "my.race", "--plan", "5x2"], "`--plan` must be left out with --resume: it is stored in my.race."),
        (
            ["--resume", "my.race", "--learner", NB],
            "`--learner` must be left out with --resume: it is stored in my.race.",
        ),
        (
            ["--resume", "my.race", "--no-stratify"],
            "`--no-stratify` must be left out with --resume: it is stored in my.race.",
        ),
        (
            ["--resume", "my.race", "--store", "other.race"],
            "`--store` must be left out with --resume: it is stored in my.race.",
        ),
        (["--resume", "my.race"], "my.race was not written by this command."),
        (["--resume", "gone.race"], "`--store` must be an existing file, got a missing file: 'gone.race'."),
        (["--resume", "predictions.csv"], "`--store` must be the file of an experiment, got 'predictions.csv'."),
        (["--data", "iris", "--learner", NB, "--plan", "five"], "unknown `--plan` 'five'."),
        (["--data", "iris", "--learner", NB, "--plan", "500-fold"], "at least 500 examples"),
        (
            ["--data", "iris", "--learner", NB, "--learning-curve", "half"],
            "`--learning-curve` must be fractions, such as 0.5,0.75, got 'half'.",
        ),
        (["--data", "iris", "--learner", NB, "--seeds", "0"], "`--seeds` must be 1 or more, got 0."),
        (["--data", "iris", "--learner", NB, "--rng", "-1"], "--rng"),
        (["--data", "iris", "--learner", NB, "--jobs", "0"], "--jobs"),
        (
            ["--data", "iris", "--learner", NB, "--timeout", "nan"],
            "`--timeout` must be a number of seconds above 0, got nan.",
        ),
        (
            ["--data", "iris", "--learner", NB, "--retry-failed"],
            "`--retry-failed` needs a stored race: --resume FILE or --store FILE.",
        ),
        (
            ["--data", "iris", "--learner", NB, "--dask", "tcp://x:1", "--jobs", "2"],
            "`--jobs` must be left out with --dask, whose scheduler has its own workers.",
        ),
        (["--resume", "my.race", "--rng", "0"], "`--rng` must be left out with --resume: it is stored in my.race."),
        (["--resume", "my.race", "--no-scale"], "`--scale` must be left out with --resume: it is stored in my.race."),
        (
            ["--data", "iris", "--learner", NB, "--store", "predictions.csv"],
            "`--store` must be the file of an experiment, got 'predictions.csv'.",
        ),
        (["--data", "iris", "--learner", NB, "--store", "my.race"], "my.race"),  # another race
    ],
)
@pytest.mark.usefixtures("animals")
def test_bad_input_is_one_line(refused, words, message):
    assert message in refused("race", *words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--metric", "f1x"], "unknown `--metric` 'f1x'."),
        (["--metric", "f1"], "`--positive` is required by f1 with 3 classes."),
        (["--metric", "log_loss", "--learner", "svm=sklearn.svm.LinearSVC"], "log-loss needs class probabilities"),
        (["--method", "no-such-method"], "no-such-method"),
        (["--method", "mcnemar"], "mcnemar"),
        (["--plan", "3x3", "--method", "5x2cv-f"], "5x2cv-f"),
        (["--reseeds", "-1"], "--reseeds"),
        (
            ["--reseeds", "2", "--learner", "nn=sklearn.neighbors.KNeighborsClassifier"],
            "`--reseeds` needs two learners, got",
        ),
        (["--missing", "wrong"], "--missing"),
    ],
)
def test_requests_that_cannot_be_answered_are_refused_before_any_fit(refused, monkeypatch, words, message):
    monkeypatch.setattr("tellapart.running.race", lambda *_, **__: pytest.fail("it was run"))
    context = [word for word in IRIS if "--plan" not in words or word not in {"--plan", "5x2"}]
    assert message in refused(*context, *words)


@pytest.mark.parametrize("plan", ["5x2", "632*5", "nested 2x3", "holdout", "loo", "delve 2x20", "apparent"])
@pytest.mark.parametrize("metric", [None, "log_loss", "f1_macro", "roc_auc_ovr"])
def test_a_rehearsal_refuses_exactly_what_the_race_refuses(plan, metric):
    iris = dict(zip("Xy", load_iris(return_X_y=True), strict=True))
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}

    def trouble(evidence):
        try:
            compare(evidence, metric=metric)
        except InvalidInput as error:
            return str(error)

    assert trouble(rehearse(learners, **iris, plan=plan)) == trouble(race(learners, **iris, plan=plan, jobs=1))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--plan", "1000000000x10"),
            "`--plan` '1000000000x10' must fit in memory, got 10,000,000,000 splits of 150 examples.",
        ),
        (
            ("--plan", "632*1000000000"),
            "`--plan` '632*1000000000' must fit in memory, got 1,000,000,000 splits of 150 examples.",
        ),
        (("--plan", "9" * 30 + "x(2/3)"), "splits of 150 examples"),
        (
            ("--plan", "holdout", "--seeds", "9223372036854775807"),
            "an experiment must have at most 10,000,000 fits, got",
        ),
        (
            ("--plan", "5x2", "--seeds", "1000000", "--metric", "mcc"),
            "an experiment must have at most 10,000,000 fits, got",
        ),
    ],
)
def test_a_race_that_exceeds_memory_is_refused(refused, words, message):
    assert message in refused("race", "--data", "iris", "--jobs", "1", *TWO, *words)


def test_a_time_limit_can_be_switched_off(run):
    assert run(*IRIS, "--timeout", "inf").exit_code == 0


@pytest.mark.usefixtures("here")
def test_failed_replicates_can_be_dropped(run):
    table = pl.DataFrame({"x": list(range(30)), "y": ["a"] * 28 + ["b"] * 2})
    table.write_csv("rare.csv")
    words = ["race", "--data", "rare.csv", "--target", "y", "--plan", "20x(1/2)", "--no-stratify", "--jobs", "1"]
    words += ["--learner", "sklearn.linear_model.LogisticRegression"]  # which wants to see both classes
    assert "failed: ValueError" in run(*words).stderr
    assert sum(document(run, *words, "--missing", "drop")["answer"]["evidence"]["missing"].values()) > 0


@pytest.mark.usefixtures("here")
def test_a_failed_learner_is_named_and_others_are_answered(run):
    words = [*IRIS, "--learner", "nn=sklearn.neighbors.KNeighborsClassifier(n_neighbors=1000)", "--store", "my.race"]
    done = run(*words, "--json")
    assert done.exit_code == 2
    assert "nn failed" in done.stderr
    answer = json.loads(done.stdout)
    assert "nn failed" in answer["refused"]
    assert [entry["failed"] for entry in answer["race"]["learners"]] == [0, 0, 10]
    assert document(run, "compare", "my.race", "--learner", "nb", "--learner", "tree") == of_api(compare(by_hand()))


def test_a_scheduler_runs_the_fits(run, refused, monkeypatch):
    """The client is a stub: connecting is up to Dask."""

    class Client(ThreadPoolExecutor):
        def __init__(self, address, timeout):
            assert timeout
            if address == "tcp://nowhere:1":
                raise OSError("Timed out\nmore")
            super().__init__(2)

    monkeypatch.setattr("tellapart.cli.race.import_extra", lambda *_: SimpleNamespace(Client=Client))
    words = [word for word in IRIS if word not in {"--jobs", "1"}]
    assert document(run, *words, "--dask", "tcp://here:8786")["answer"] == of_api(compare(by_hand()))
    assert "`--dask` must be the address of a scheduler, got tcp://nowhere:1: Timed out" in refused(
        *words, "--dask", "tcp://nowhere:1"
    )
    assert "`--jobs` must be left out with --dask, whose scheduler has its own workers." in refused(
        *IRIS, "--dask", "tcp://here:8786"
    )


# --- estimate and compare ---


@pytest.mark.usefixtures("animals")
def test_a_store_answers_as_the_race_does(run, refused):
    evidence = read_race("my.race")
    assert document(run, "compare", "my.race") == of_api(compare(evidence))
    swapped = ["--learner", "nn", "--learner", "nb", "--method", "corrected-resampled-t", "--metric", "log_loss"]
    assert document(run, "compare", "my.race", *swapped) == of_api(
        compare(evidence, learners=["nn", "nb"], method="corrected-resampled-t", metric="log_loss")
    )
    assert run("compare", "my.race").stdout == f"{compare(evidence)}\n"
    assert "--method corrected-resampled-t for" in run("compare", "my.race", "-v").stdout
    assert "--method corrected-resampled-t for" not in run("compare", "my.race", "--method", "5x2cv-f", "-v").stdout
    assert document(run, "compare", "my.race", "--margin", "0.1") == of_api(compare(evidence, margin=0.1))
    practical = compare(evidence, method="bayesian-correlated-t", rope=0.05)
    assert document(run, "compare", "my.race", "--method", "bayesian-correlated-t", "--rope", "0.05") == of_api(
        practical
    )
    assert "Use --method bayesian-correlated-t." in refused("compare", "my.race", "--rope", "0.05")
    table = ("compare", "--table", "1", "2", "3", "4")
    assert "`--rope` needs learners: a race or --scores." in refused(*table, "--rope", "0.05")
    entry = document(run, "estimate", "my.race", "--level", "0.9")
    assert [part["learner"] for part in entry["learners"]] == ["nb", "nn"]
    assert entry["learners"][1]["estimate"] == float(estimate(evidence, learner="nn", level=0.9).estimate)
    text = run("estimate", "my.race").stdout
    assert text.startswith("Accuracy of 2 learners\n")
    assert "nn" in text
    alone = estimate(evidence, learner="nn")
    assert run("estimate", "my.race", "--learner", "nn").stdout.splitlines()[0] == str(alone).splitlines()[0]
    balanced = run("estimate", "my.race", "--learner", "nn", "--metric", "balanced_accuracy").stdout
    assert balanced.startswith("nn, trained on 75 examples: balanced accuracy ")


def test_names_are_completed():
    command = main.commands["race"] if hasattr(main, "commands") and main.commands else main.get_command(None, "race")
    options = {parameter.name: parameter for parameter in command.params}
    context = click.Context(command, help_option_names=["-h", "--help"])

    def words(name, begun):
        return [item.value for item in options[name].shell_complete(context, begun)]

    assert words("data", "w") == ["wine"]
    assert words("plans", "5") == ["5x2"]
    assert "f1-macro" in words("metric", "f1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", "my.race", "--label", "species"], "`--label` must be left out for the race my.race."),
        (["estimate", "my.race", "--id", "row"], "`--id` must be left out for the race my.race."),
        (["compare", "my.race", "predictions.csv"], "a race store must be the only FILE, got 2."),
        (["compare", "my.race", "--missing", "wrong"], "`--missing` must be fail or drop for a race, got wrong."),
        (["compare", "my.race", "--learner", "nb"], "two learners are required for a comparison, got nb."),
        (["compare", "my.race", "--learner", "nb", "--learner", "nm"], "unknown learner 'nm'."),
        (["compare", "my.race", "--method", "all"], "`--method` must be one method for a race, got all."),
        (["estimate", "my.race", "--method", "all"], "`--method` must be one method for a race, got all."),
        (["compare", "my.race", "--metric", "f1"], "f1-macro"),
        (["compare", "my.race", "--method", "no-such-method"], "no-such-method"),
        (
            ["compare", "predictions.csv", "--learner", "nb"],
            "`--learner` needs a race store or a table of scores (--scores).",
        ),
    ],
)
@pytest.mark.usefixtures("animals")
def test_requests_that_a_store_cannot_answer_are_refused(refused, words, message):
    assert message in refused(*words)
