"""`tellapart compare --scores` over many data sets: the answers of Python; bad requests are one line."""

import json
from html import unescape

import pytest

import tellapart as ta

TWO = ("--learner", "nb", "--learner", "svm")


@pytest.fixture(autouse=True)
def folder(animals):
    return animals


def request(run, *words):
    done = run("compare", *words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def document(run, *words):
    return json.loads(request(run, *words, "--json"))


def of_api(answer):
    return json.loads(answer.to_json())


# --- The same as in Python ---


@pytest.mark.parametrize(
    ("words", "reading", "asking"),
    [
        ((), {}, {}),
        (("--control", "nb"), {}, {"control": "nb"}),
        (TWO, {"learners": ["nb", "svm"]}, {}),
        ((*TWO, "--metric", "error", "--alternative", "less"), {"learners": TWO[1::2], "metric": "error"}, "less"),
        (("--lower-is-better", "--method", "sign-test", "--adjust", "finner"), {"higher_is_better": False}, "finner"),
        ((*TWO, "--method", "paired-t", "--margin", "0.05"), {"learners": TWO[1::2]}, {"margin": 0.05}),
        (("--method", "friedman", "--dataset", "dataset", "--bounds", "0,1"), {"bounds": (0, 1)}, "friedman"),
        ((*TWO, "--difference", "0.02", "--level", "0.9"), {"learners": TWO[1::2]}, {"difference": 0.02, "level": 0.9}),
    ],
)
def test_a_command_answers_as_python_does(run, words, reading, asking):
    names = {
        "less": {"alternative": "less"},
        "finner": {"method": "sign-test", "adjust": "finner"},
        "friedman": {"method": "friedman"},
    }
    asking = names[asking] if isinstance(asking, str) else asking
    asking |= {"method": "paired-t"} if "paired-t" in words else {}
    table = ta.read_scores("benchmark.csv", **reading)
    assert document(run, "benchmark.csv", "--scores", *words) == of_api(ta.compare(table, **asking))


def test_a_rope_alone_selects_the_bayesian_signed_rank_test(run):
    answer = document(run, "benchmark.csv", "--scores", *TWO, "--rope", "0.01")
    assert answer["method"] == "bayesian-signed-rank"


def test_the_models_are_the_learners_if_every_row_is_a_data_set(run, folder):
    assert document(run, "benchmark.csv", "--scores", "--models", "nb,svm") == document(
        run, "benchmark.csv", "--scores", *TWO
    )
    (folder / "mixed.csv").write_text("task,old,new\na,0.1,0.3\na,0.2,0.2\nb,0.3,0.5\nb,0.4,0.3\n")
    assert "examples" in request(run, "mixed.csv", "--scores", "--models", "old,new")
    assert "data set" in request(run, "mixed.csv", "--scores")


def test_a_long_table_with_runs(run, folder):
    rows = [
        f"{data},{who},{fold},{0.7 + 0.01 * ((len(who) * index + fold) % 7)}"
        for index, data in enumerate(["a", "b", "c", "d", "e"])
        for who in ("nb", "tree")
        for fold in range(3)
    ]
    (folder / "long.csv").write_text("\n".join(["problem,model,fold,accuracy", *rows]))
    answer = document(run, "long.csv", "--scores", "--rho", "0.333", "--method", "random-effects")
    assert answer["evidence"]["rho"] == [0.333] * 5
    assert answer["evidence"]["metric"] == "accuracy"
    assert answer["method"] == "random-effects"


def test_a_folder_of_races(run):
    answer = document(run, "races", "--scores", "--metric", "f1-macro")
    assert answer["evidence"]["datasets"] == ["iris", "plums", "sloes"]
    assert answer["evidence"]["metric"] == "f1-macro"
    assert answer == of_api(ta.compare(ta.read_scores("races", metric="f1-macro")))
    assert document(run, "races", "--scores", "--missing", "drop")["evidence"]["metric"] == "error"


def test_verbose_output_of_a_default_lists_alternatives(run):
    words = ("benchmark.csv", "--scores", *TWO)
    assert "  or  " in request(run, *words, "-v")
    assert "--method sign-test" in request(run, *words, "-v")
    for more in ((), ("--method", "sign-test", "-v"), ("--rope", "0.01", "-v")):
        assert "--method sign-test" not in request(run, *words, *more)


def test_an_assumed_direction_of_the_metric_is_reported(run):
    assert "assumed: higher scores are better" in request(run, "benchmark.csv", "--scores", *TWO)
    for words in (("--metric", "accuracy"), ("--lower-is-better",), ("--json",)):
        assert "assumed: " not in request(run, "benchmark.csv", "--scores", *TWO, *words)


def test_a_report_has_the_python_code_of_the_same_result(run, folder):
    request(run, "races", "--scores", "--control", "nb", "--metric", "accuracy", "--html", "page.html")
    page = unescape((folder / "page.html").read_text())
    assert "table = ta.read_scores('races', metric='accuracy')" in page
    assert "print(ta.compare(table, control='nb'))" in page
    assert "races/iris.race" in page


# --- By example, as before ---


@pytest.mark.parametrize(
    "words",
    [
        ("--id", "item"),
        ("--cluster", "dataset", "--models", "old,new"),
        ("--group", "dataset", "--models", "old,new"),
    ],
)
def test_options_of_examples_mean_a_row_for_each_example(run, folder, words):
    lines = [f"{row},{'abcd'[row % 4]},{row % 5 / 4},{row % 3 / 2}" for row in range(40)]
    (folder / "graded.csv").write_text("\n".join(["item,dataset,old,new", *lines]))
    extra = ("--models", "old,new") if "--models" not in words else ()
    assert "examples" in request(run, "graded.csv", "--scores", *words, *extra)


# --- Bad requests ---

REFUSED = [
    (
        ["benchmark.csv", "--scores", "--method", "all"],
        "`--method` must be one method for scores of data sets, got all.",
    ),
    (["benchmark.csv", "--scores", "--examples", "3"], "`--examples` must be left out with scores of data sets."),
    (["benchmark.csv", "--scores", "--markdown", "x.md"], "`--markdown` needs logs or a table of examples."),
    (["benchmark.csv", "--scores", "--missing", "wrong"], "`--missing` must be fail or drop for scores, got wrong."),
    (["benchmark.csv", "--scores", "--missing", "drop"], "`--missing` is supported for races only, got 'drop'."),
    (["benchmark.csv", "--scores", "--positive", "x"], "`--positive` is supported for races only, got 'x'."),
    (
        ["benchmark.csv", "--scores", "--control", "nobody"],
        "`--control` must be one of 'nb', 'svm', 'tree', got 'nobody'.",
    ),
    (
        ["benchmark.csv", "--scores", "--learner", "nb", "--learner", "rf"],
        "`--learner` must be columns of the table, got 'rf'.",
    ),
    (["benchmark.csv", "--scores", "--learner", "nb"], "at least two learners are needed, got nb."),
    (["benchmark.csv", "--scores", "--dataset", "data"], "`--dataset` must be a column of the table, got 'data'."),
    (
        ["benchmark.csv", "--scores", "--dataset", "dataset", "--id", "nb"],
        "`--id` must be left out with --dataset, which is for data sets.",
    ),
    (["benchmark.csv", "--scores", "--method", "nope"], "nope"),
    (["benchmark.csv", "--scores", "--method", "mcnemar"], "mcnemar"),
    (
        ["benchmark.csv", "--scores", "--rope", "0.01", "--method", "sign-test"],
        "method 'sign-test' does not accept `--rope`.",
    ),
    (["benchmark.csv", "--scores", *TWO, "--rope", "1e308"], "`--rope` must be a size from 1e-50 to 1e50, got 1e+308."),
    (
        ["benchmark.csv", "--scores", "--metric", "accuracy", "--lower-is-better"],
        "`--lower-is-better` must be left out for metric 'accuracy', for which higher is better",
    ),
    (["benchmark.csv", "--scores", "--rho", "2", *TWO], "`--rho` must be a correlation"),
    (["benchmark.csv", "--scores", "--margin", "0.01"], "`--margin` needs two learners, got 3."),
    (
        ["benchmark.csv", "scores.csv", "--scores", "--dataset", "dataset"],
        "scores of data sets must be in one FILE, got 2.",
    ),
    (["benchmark.csv", "--control", "nb"], "`--control` needs scores of data sets."),
    (["benchmark.csv"], "If it holds scores of data sets: tellapart compare benchmark.csv --scores"),
    (
        ["benchmark.csv", "--scores", "--method", "bonferroni-dunn"],
        "`--control` is required by method 'bonferroni-dunn'.",
    ),
    (
        ["benchmark.csv", "--scores", "--method", "nemenyi", *TWO],
        "method 'nemenyi' needs three learners or more, got two.",
    ),
    (
        ["benchmark.csv", "--scores", "--method", "nemenyi", "--control", "nb"],
        "`--method` must take a control, got 'nemenyi'",
    ),
    (
        ["benchmark.csv", "--scores", "--bounds", "0,0.5"],
        "`--bounds` must include all scores (0.49 to 0.98), got 0 and 0.5.",
    ),
    (["benchmark.csv", "--rho", "0"], "`--rho` needs scores of data sets."),
    (
        ["scores.csv", "--scores", "--control", "old"],
        "`--dataset` is required with --control: no column of scores.csv names data sets.",
    ),
    (
        ["scores.csv", "--scores", "--learner", "old"],
        "`--dataset` is required with --learner: no column of scores.csv names data sets.",
    ),
    (["races"], "`--scores` is required for a folder of races, got races."),
    (
        ["races", "--scores", "--label", "x"],
        "`--label` must be left out with a folder of races, which is for data sets.",
    ),
    (["races", "--scores", "--metric", "nope"], "unknown `--metric` 'nope'."),
    (["my.race", "--scores"], "`--scores` needs many data sets, got the race of one, my.race."),
    (["my.race", "--control", "nb"], "`--control` needs many data sets, got the race of one, my.race."),
    (
        ["--table", "1", "2", "3", "4", "--control", "nb"],
        "`--control` must be left out with --table, which are counts.",
    ),
    (["nowhere.csv", "--scores", "--dataset", "x"], "file not found: nowhere.csv"),
]


@pytest.mark.parametrize(("words", "why"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_bad_requests_are_one_line(refused, words, why):
    assert why in refused("compare", *words)


def test_other_commands_do_not_take_a_table_of_data_sets(refused):
    assert "dataset" in refused("estimate", "benchmark.csv", "--scores")
    refused("gate", "benchmark.csv", "benchmark.csv", "--id", "dataset")


@pytest.mark.parametrize("words", [("estimate", "races"), ("estimate", "races", "--scores"), ("advise", "races")])
def test_a_folder_of_races_is_refused_with_the_right_command(refused, words):
    assert "races is a folder of races." in refused(*words)
    assert "tellapart compare races --scores" in refused(*words)
