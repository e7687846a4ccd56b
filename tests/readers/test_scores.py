"""read_scores: tables wide and long, races, results of scikit-learn, and what is refused by a line that says why."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal, assert_equal

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidInput, InvalidOption
from tellapart.readers.scores import holds_data_sets, holds_races

WIDE = "dataset,nb,tree,svm\niris,0.95,0.94,0.96\nwine,0.97,,0.98\nzoo,0.9,0.93,-\n"
NAN = float("nan")


@pytest.fixture
def written(tmp_path):
    def write(text, name="scores.csv", encoding="utf-8"):
        file = tmp_path / name
        file.write_bytes(text.encode(encoding) if isinstance(text, str) else text)
        return file

    return write


def scores_of(table):
    """Return the scores by data set, learner and run, as they were given."""
    return np.swapaxes(table.metric.from_loss(table.loss), 0, 1) + 0.0


# --- Wide ---


def test_a_wide_table(written):
    table = ta.read_scores(written(WIDE), metric="accuracy")
    assert table.learners == ("nb", "tree", "svm")
    assert table.datasets == ("iris", "wine", "zoo")
    assert_equal(scores_of(table)[..., 0], [[0.95, 0.94, 0.96], [0.97, NAN, 0.98], [0.9, 0.93, NAN]])
    assert table.missing == (("wine", "tree"), ("zoo", "svm"))
    assert (table.metric.name, table.metric.higher_is_better) == ("accuracy", True)


@pytest.mark.parametrize("nothing", ["", "NaN", "nan", "None", "NA", "n/a", "N/A", "-", "–", "?", " ", "null", "n.a."])
def test_a_cell_that_says_nothing_is_missing(written, nothing):
    table = ta.read_scores(written(f"dataset,nb,tree\niris,0.9,{nothing}\nwine,0.8,0.7\n"))
    assert table.missing == (("iris", "tree"),)


@pytest.mark.parametrize(
    ("text", "name", "encoding"),
    [
        (WIDE, "scores.csv", "utf-8-sig"),  # Excel's mark at the beginning
        (WIDE.replace("\n", "\r\n"), "scores.csv", "utf-8"),
        (WIDE.replace("\n", "\n\n") + "\n\n", "scores.csv", "utf-8"),
        (WIDE.replace(",", "\t"), "scores.tsv", "utf-8"),
        (WIDE.replace(",", ";"), "scores.csv", "utf-8"),
        (WIDE.replace("\n", ",\n"), "scores.csv", "utf-8"),  # a separator at the end of every line
        (WIDE.replace(",", " , "), "scores.csv", "utf-8"),
        (WIDE.replace("dataset", ""), "scores.csv", "utf-8"),  # an index of pandas
        (WIDE.replace("dataset", "Data Set"), "scores.csv", "utf-8"),
        (WIDE.replace("dataset", "name of the problem"), "scores.csv", "utf-8"),  # the first column holds texts
    ],
    ids=["bom", "crlf", "blank", "tsv", "semicolon", "trailing", "spaces", "nameless", "words", "texts"],
)
def test_however_it_is_written_it_is_the_same_table(written, text, name, encoding):
    table = ta.read_scores(written(text, name, encoding))
    assert table.learners == ("nb", "tree", "svm")
    assert table.datasets == ("iris", "wine", "zoo")
    assert_equal(table.loss, ta.read_scores(written(WIDE)).loss)


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "jsonl"])
def test_other_formats(tmp_path, suffix):
    frame = pl.DataFrame({"dataset": ["iris", "wine"], "nb": [0.9, None], "tree": [0.8, 0.7]})
    file = tmp_path / f"scores.{suffix}"
    {"parquet": frame.write_parquet, "arrow": frame.write_ipc, "jsonl": frame.write_ndjson}[suffix](file)
    table = ta.read_scores(file)
    assert table.datasets == ("iris", "wine")
    assert_equal(scores_of(table)[..., 0], [[0.9, 0.8], [NAN, 0.7]])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table, dict])
def test_frames(make):
    columns = {"benchmark": [31, 3], "nb": [0.9, 0.8], "tree": [1, 0]}
    table = ta.read_scores(make(columns))
    assert table.datasets == ("31", "3")  # OpenML's numbers are names
    assert_equal(scores_of(table)[..., 0], [[0.9, 1], [0.8, 0]])


def test_an_index_of_pandas_is_a_column():
    columns = {"nb": [0.9, 0.8], "tree": [0.7, 0.6]}
    for index in (["iris", "wine"], pd.Index(["iris", "wine"], name="problem")):
        assert ta.read_scores(pd.DataFrame(columns, index=index)).datasets == ("iris", "wine")
    with pytest.raises(InvalidEvidence, match="`dataset` must name the column of data sets, which is not recognised"):
        ta.read_scores(pd.DataFrame(columns))


def test_a_data_set_on_several_rows_has_runs(written):
    table = ta.read_scores(written("dataset,nb,tree\niris,1,2\niris,3,\nwine,5,6\nwine,7,8\n"))
    assert_equal(scores_of(table), [[[1, 3], [2, NAN]], [[5, 7], [6, 8]]])
    labelled = ta.read_scores(written("dataset,fold,nb,tree\niris,b,1,2\nwine,b,5,6\niris,a,3,4\n"))
    assert labelled.learners == ("nb", "tree")
    assert_equal(scores_of(labelled), [[[1, 3], [2, 4]], [[5, NAN], [6, NAN]]])


@pytest.mark.parametrize("byte_order_mark", ["", "\ufeff"])
def test_decimal_commas_are_read_where_all_numbers_have_them(written, byte_order_mark):
    table = ta.read_scores(written(f"{byte_order_mark}dataset;nb;tree\na, b;0,95;,5\nwine;1;-1,234\n"))
    assert table.datasets == ("a, b", "wine")
    assert_equal(scores_of(table)[..., 0], [[0.95, 0.5], [1, -1.234]])
    quoted = ta.read_scores(written('dataset,nb,tree\niris,"0,95","0,9"\n'))
    assert_equal(scores_of(quoted)[..., 0], [[0.95, 0.9]])


def test_bounds_that_scores_exceed_are_refused_in_their_own_units(written):
    with pytest.raises(InvalidOption, match=r"`bounds` must include all scores \(0\.2 to 0\.9\), got 0 and 0\.5"):
        ta.read_scores(written("dataset,nb,tree\niris,0.9,0.2\n"), bounds=(0, 0.5))


def test_learners_are_chosen_in_order(written):
    file = written(WIDE.replace("nb", "instances"))
    assert ta.read_scores(file, learners=["svm", "tree"]).learners == ("svm", "tree")
    with pytest.raises(
        InvalidEvidence, match="`learners` must be named if other columns hold numbers, such as 'instances'"
    ):
        ta.read_scores(file)
    with pytest.raises(InvalidEvidence, match="`learners` must be columns of the table, got 'svn'"):
        ta.read_scores(file, learners=["tree", "svn"])


def test_an_index_that_was_written_is_no_learner(written):
    table = ta.read_scores(written(",dataset,nb,tree\n0,iris,0.9,0.8\n1,wine,0.8,0.7\n"))
    assert table.learners == ("nb", "tree")


# --- Long ---

LONG = [("iris", "nb", 1, 0.9), ("iris", "svm", 1, 0.8), ("wine", "svm", 1, 0.6), ("wine", "nb", 1, 0.7)]


def long(rows=LONG, names=("dataset", "learner", "run", "score")):
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


@pytest.mark.parametrize(
    "names",
    [
        ("dataset", "learner", "run", "score"),
        ("Task", "Model", "fold", "value"),
        ("problem", "Algorithm", "seed", "accuracy"),
        ("data_set", "classifier", "repeat", "test_score"),
        ("domain", "method", "split", "f1_macro"),
        ("benchmark", "estimator", "Run", "result"),
    ],
)
def test_a_long_table_is_known_by_its_names(names):
    table = ta.read_scores(long(names=names))
    assert (table.datasets, table.learners) == (("iris", "wine"), ("nb", "svm"))
    assert_equal(scores_of(table)[..., 0], [[0.9, 0.8], [0.7, 0.6]])


def test_a_long_table_by_names_of_ones_own():
    rows = long(names=("where", "who", "when", "how"))
    text = {"dataset": "where", "learner": "who", "score": "how"}
    table = ta.read_scores(rows, **text, run="when", learners=["svm", "nb"])
    assert table.learners == ("svm", "nb")
    assert_equal(scores_of(table)[..., 0], [[0.8, 0.9], [0.6, 0.7]])
    with pytest.raises(InvalidEvidence, match="`run` must be a column of the table, got 'whem'"):
        ta.read_scores(rows, **text, run="whem")
    with pytest.raises(InvalidEvidence, match="`learners` must be names in the column 'who', got 'rf'"):
        ta.read_scores(rows, **text, learners=["nb", "rf"])


def test_a_data_set_that_none_of_the_learners_was_tried_on_stays():
    table = ta.read_scores(long([*LONG, ("zoo", "tree", 1, 0.5)]), learners=["svm", "nb"])
    assert table.datasets == ("iris", "wine", "zoo")
    assert_equal(scores_of(table)[..., 0], [[0.8, 0.9], [0.6, 0.7], [NAN, NAN]])
    assert "2 of 3 data sets" in table.describe()


def test_runs_go_together_by_their_names_whatever_the_order():
    rows = [
        ("iris", "nb", "a", 1.0),
        ("iris", "nb", "b", 2.0),
        ("iris", "svm", "b", 4.0),
        ("iris", "svm", "a", 3.0),
        ("wine", "svm", "b", 6.0),
        ("wine", "nb", "b", 5.0),
    ]
    table = ta.read_scores(long(rows))
    assert_equal(scores_of(table), [[[1, 2], [3, 4]], [[5, NAN], [6, NAN]]])
    assert_array_equal(table.runs, [2, 1])


def test_several_columns_may_identify_runs():
    rows = [("iris", who, repeat, fold, 1.0) for who in ("nb", "svm") for repeat in (0, 1) for fold in (0, 1, 2)]
    table = ta.read_scores(long(rows, ("dataset", "model", "repeat", "fold", "score")))
    assert table.loss.shape == (2, 1, 6)
    with pytest.raises(
        InvalidEvidence,
        match="the table must have one score for each run, got several for dataset iris, model nb, fold 0",
    ):
        ta.read_scores(long(rows, ("dataset", "model", "repeat", "fold", "score")), run="fold")


def test_scores_without_runs_are_runs_if_every_cell_has_as_many():
    twice = [row for row in LONG for _ in range(2)]
    names = ("dataset", "learner", "note", "score")
    assert ta.read_scores(long(twice, names)).loss.shape == (2, 2, 2)
    with pytest.raises(
        InvalidEvidence,
        match="the table must have equally many scores for each learner and data set, got 2 for nb on iris"
        " and 1 for svm on iris",
    ):
        ta.read_scores(long([LONG[0], *LONG], names))


def test_one_of_several_metrics():
    columns = long() | {"f1": [0.5, 0.6, 0.7, 0.8], "fit_time": [1, 2, 3, 4]}
    with pytest.raises(
        InvalidEvidence, match="`score` must name the column of scores, got several candidates: 'score', 'f1'"
    ):
        ta.read_scores(columns)
    table = ta.read_scores(columns, metric="f1")
    assert_equal(scores_of(table)[0, :, 0], [0.5, 0.6])
    tidy = long([(*row[:2], metric, value) for row in LONG for metric, value in (("auc", row[3]), ("rmse", 1.0))])
    tidy["metric"] = tidy.pop("run")
    with pytest.raises(
        InvalidEvidence, match="`metric` must name one of the metrics in column 'metric': 'auc', 'rmse'"
    ):
        ta.read_scores(tidy)
    assert not ta.read_scores(tidy, metric="RMSE").metric.higher_is_better


# --- Which way is better ---


@pytest.mark.parametrize(
    ("metric", "name", "higher"),
    [
        (None, "score", True),
        ("accuracy", "accuracy", True),
        ("AUROC", "auc", True),
        ("r2", "r2", True),
        ("my score", "my score", True),
        ("error", "error", False),
        ("Error Rate", "error", False),
        ("log loss", "log-loss", False),
        ("brier_score_loss", "brier", False),
        ("mean_squared_error", "mean_squared_error", False),
        ("MAE", "MAE", False),
        ("cost", "cost", False),
        ("false-positive-rate", "false-positive-rate", False),
    ],
)
def test_the_name_of_a_metric_tells_which_way_is_better(metric, name, higher):
    table = ta.read_scores({"dataset": ["a", "b"], "nb": [0.1, 0.2], "svm": [0.3, 0.4]}, metric=metric)
    assert (table.metric.name, table.metric.higher_is_better) == (name, higher)
    assert_equal(scores_of(table)[..., 0], [[0.1, 0.3], [0.2, 0.4]])


def test_a_metric_of_ones_own_may_be_better_when_lower():
    columns = {"dataset": ["a", "b"], "nb": [0.1, 0.2], "svm": [0.3, 0.4]}
    assert not ta.read_scores(columns, metric="badness", higher_is_better=False).metric.higher_is_better
    assert not ta.read_scores(columns, metric="error", higher_is_better=False).metric.higher_is_better
    for metric in ("accuracy", "neg_log_loss"):
        with pytest.raises(
            InvalidOption, match=f"`higher_is_better` must be left out for metric '{metric}', for which higher"
        ):
            ta.read_scores(columns, metric=metric, higher_is_better=False)
    with pytest.raises(InvalidOption, match="`higher_is_better` must be left out for metric 'error', for which lower"):
        ta.read_scores(columns, metric="error", higher_is_better=True)


def test_scikit_learns_negative_losses_are_losses():
    columns = {"dataset": ["a", "b"], "nb": [-0.5, -0.25], "svm": [-1.0, 0.0]}
    table = ta.read_scores(columns, metric="neg_log_loss")
    assert (table.metric.name, table.metric.higher_is_better) == ("log-loss", False)
    assert_equal(scores_of(table)[..., 0], [[0.5, 1.0], [0.25, 0.0]])
    with pytest.raises(InvalidEvidence, match=r"scores of 'neg_log_loss' must be 0 or less, got 0\.5"):
        ta.read_scores(columns | {"nb": [0.5, 0.2]}, metric="neg_log_loss")


def test_percentages_stay_what_they_are():
    columns = {"dataset": ["a", "b"], "nb": [91.0, 82.5], "svm": [100.0, 0.5]}
    accuracy = ta.read_scores(columns, metric="accuracy")
    assert_equal(scores_of(accuracy)[..., 0], [[91, 100], [82.5, 0.5]])
    assert accuracy.range == (-100.0, 100.0)
    error = ta.read_scores(columns, metric="error")
    assert (error.metric.name, error.metric.higher_is_better) == ("error in percent", False)
    shares = {"dataset": ["a"], "nb": [0.9], "svm": [0.8]}
    assert ta.read_scores(shares, metric="accuracy").range == (-1.0, 1.0)
    assert ta.read_scores(shares, bounds=(0, 2)).range == (-2.0, 2.0)


# --- Races and resamples ---


@pytest.fixture(scope="module")
def races():
    from sklearn.datasets import load_iris, load_wine
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    data = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
    return {name: ta.race(learners, *each, plan="3-fold", jobs=1) for name, each in data.items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with two stores, one of which has a learner less."""
    from sklearn.datasets import load_iris, load_wine
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    path = tmp_path_factory.mktemp("races")
    nb, tree = GaussianNB(), DecisionTreeClassifier(max_depth=2)
    ta.race({"nb": nb, "tree": tree}, *load_wine(return_X_y=True), plan="3-fold", store=path / "wine.race", jobs=1)
    ta.race({"nb": nb}, *load_iris(return_X_y=True), plan="3-fold", store=path / "iris.store", jobs=1)
    (path / "README.txt").write_text("not a race")
    return path


def test_races_by_data_set(races):
    table = ta.read_scores(races)
    assert (table.datasets, table.learners, table.metric.name) == (("iris", "wine"), ("nb", "tree"), "error")
    assert_equal(table.loss[:, 0], races["iris"].resamples().loss[:, 0])
    assert_equal(table.rho, [1 / 3, 1 / 3])
    evidence = ta.read_scores({name: race.resamples(metric="f1-macro") for name, race in races.items()})
    direct = ta.read_scores(races, metric="f1-macro", learners=["tree", "nb"])
    assert evidence.metric.name == direct.metric.name == "f1-macro"
    assert_equal(direct.loss, evidence.loss[::-1])
    assert_equal(ta.read_scores(races, rho=0.2).rho, [0.2, 0.2])
    assert ta.read_scores(list(races.values())).datasets == ("1", "2")


def test_a_folder_of_races_is_named_by_its_files(folder):
    assert holds_races(folder)
    table = ta.read_scores(folder)
    assert table.datasets == ("iris", "wine")
    assert table.missing == (("iris", "tree"),)
    assert ta.read_scores(folder / "wine.race").datasets == ("wine",)
    assert ta.read_scores([folder / "wine.race"]).datasets == ("wine",)


def test_what_races_refuse(races, folder, tmp_path):
    with pytest.raises(InvalidInput, match=r"the folder .* must hold a store of a race, got none"):
        ta.read_scores(tmp_path)
    with pytest.raises(InvalidOption, match="`dataset` is not supported for races, got 'x'"):
        ta.read_scores(folder, dataset="x")
    with pytest.raises(InvalidOption, match="unknown `metric` 'nope'"):
        ta.read_scores(folder, metric="nope")
    with pytest.raises(InvalidEvidence, match="'wine' must be a race like the others"):
        ta.read_scores(races | {"wine": 3})
    with pytest.raises(InvalidOption, match="`metric` must be 'error' for the resamples of 'iris', got 'auc'"):
        ta.read_scores({name: race.resamples() for name, race in races.items()}, metric="auc")
    with pytest.raises(InvalidEvidence, match="at least two learners are needed, got nb"):
        ta.read_scores(folder, learners=["nb"])
    with pytest.raises(InvalidOption, match="`positive` is supported for races only, got 'x'"):
        ta.read_scores({"dataset": ["a"], "nb": [1]}, positive="x")
    (tmp_path / "broken.race").write_text("nothing")
    with pytest.raises(InvalidEvidence, match="data set 'broken': `store` must be"):
        ta.read_scores(tmp_path)


def test_a_learner_that_failed_on_a_data_set(races):
    from dataclasses import replace

    race = races["iris"]
    failed = [replace(fit, predictions=None, probabilities=None, failure="no memory") for fit in race.fits]
    gone = [bad if fit.learner == "tree" else fit for fit, bad in zip(race.fits, failed, strict=True)]
    broken = races | {"iris": replace(race, fits=gone)}
    with pytest.raises(InvalidEvidence, match=r"data set 'iris': .*no memory.*missing='drop'"):
        ta.read_scores(broken)
    assert ta.read_scores(broken, missing="drop").missing == (("iris", "tree"),)


# --- scikit-learn ---


def test_what_cross_validate_returned():
    from sklearn.datasets import load_iris
    from sklearn.model_selection import cross_validate
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    x, y = load_iris(return_X_y=True)
    options = {"cv": 5, "scoring": ["accuracy", "neg_log_loss"], "return_indices": True}
    results = {
        "iris": {
            "nb": cross_validate(GaussianNB(), x, y, **options),
            "tree": cross_validate(DecisionTreeClassifier(max_depth=2), x, y, **options),
        }
    }
    table = ta.read_scores(results, metric="accuracy")
    assert_equal(scores_of(table)[0, 0], results["iris"]["nb"]["test_accuracy"])
    assert_equal(table.rho, [0.2])
    losses = ta.read_scores(results, metric="neg_log_loss")
    assert_equal(losses.loss[1, 0], -results["iris"]["tree"]["test_neg_log_loss"])
    with pytest.raises(
        InvalidEvidence, match="`metric` must name one of the metrics of nb on iris: 'accuracy', 'neg_log_loss'"
    ):
        ta.read_scores(results)
    with pytest.raises(
        InvalidEvidence, match="`metric` must name one of the metrics of nb on iris: 'accuracy', 'neg_log_loss'"
    ):
        ta.read_scores(results, metric="f1")


def test_the_best_candidate_of_a_search():
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=3)
    search.fit(*load_iris(return_X_y=True))
    settings = {"iris": {"fitted": search, "results": search.cv_results_, "listed": [0.5, 0.5, 0.5]}}
    table = ta.read_scores(settings)
    expected = [search.cv_results_[f"split{fold}_test_score"][search.best_index_] for fold in range(3)]
    assert_equal(scores_of(table)[0], [expected, expected, [0.5] * 3])
    assert np.mean(expected) == search.best_score_


def test_plain_scores_by_data_set_and_learner():
    table = ta.read_scores({"iris": {"nb": 0.9, "svm": 0.8}, "wine": {"svm": [0.7, 0.6], "nb": None}}, rho=0.1)
    assert_equal(scores_of(table), [[[0.9, NAN], [0.8, NAN]], [[NAN, NAN], [0.7, 0.6]]])
    for results, why in [
        ({"iris": {"nb": {"fit_time": [1]}, "svm": 1}}, "nb on iris must hold scores, got none"),
        ({"iris": {"nb": 1}, "wine": 3}, "'wine' must have results by learner"),
        ({"iris": {"nb": 1}}, "at least two learners are needed, got nb"),
        (
            {"iris": {"nb": {"test_auc": [1]}, "svm": {"test_f1": [1]}}},
            "all results must have one metric, got 'auc', 'f1'",
        ),
        ({"iris": {"nb": {"test_auc": [1]}, "svm": "x"}}, "must be numbers"),
    ]:
        with pytest.raises(InvalidEvidence, match=why):
            ta.read_scores(results)


# --- What is refused ---


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "dataset;nb;tree\niris;0,95;0.94\n",
            r".*scores\.csv: column 'nb' must hold numbers, got '0,95' in row 1 \(iris\)",
        ),
        (
            "dataset;nb;tree\niris;1,950;2,940\n",
            r".*scores\.csv: column 'nb' must hold numbers, got '1,950' in row 1 \(iris\)",
        ),
        (
            "dataset|nb|tree\niris|1|2\n",
            r".*scores\.csv must have columns of scores in addition to 'dataset\|nb\|tree', got none",
        ),
        (
            "dataset,nb,tree\niris,1,2\nwine,3,4\niris,1,2\n",
            r".*scores\.csv must have equally many rows for each data set, got 2 for iris and 1 for wine",
        ),
        ("dataset,nb,tree\niris,0,95,0,94\n", "more fields than the header.*decimal comma"),
        (
            "dataset,nb,tree\niris,1,1\nwine,good,1\n",
            r".*scores\.csv: column 'nb' must hold numbers, got 'good' in row 2 \(wine\)",
        ),
        (
            "dataset,nb,tree\niris,95%,94%\n",
            r".*scores\.csv: column 'nb' must hold numbers, got '95%' in row 1 \(iris\)",
        ),
        ("dataset,nb,tree\niris,95±2,94±1\n", "without its spread"),
        ("dataset,nb,tree\niris,inf,1\n", r".*scores\.csv: column 'nb' must hold numbers, got 'inf' in row 1 \(iris\)"),
        ("dataset,nb,tree\n,0.9,1\n", r".*scores\.csv: column 'dataset' must hold names, got an empty cell in row 1"),
        ("dataset,nb\niris,0.9\n", "at least two learners are needed, got nb"),
        ("dataset\niris\n", "must have columns of scores in addition to 'dataset', got none"),
        ("dataset,nb,tree\n", r".*scores\.csv must have rows below its header, got none"),
        ("dataset,nb,nb\niris,1,1\n", r".*scores\.csv must have different column names, got 'nb' twice"),
        ("dataset,nb,tree\niris,1,1\nAverage,1,1\n", r"rows of .*scores\.csv must be data sets, got 'Average'"),
        ("dataset,nb,tree\niris,,1\n", "every learner must have a score on a data set"),
        ("dataset,nb,tree\niris,a,b\n", r".*scores\.csv: column 'nb' must hold numbers, got 'a' in row 1 \(iris\)"),
        ("algorithm,iris,wine\nnb,0.9,0.8\n", r"rows must be data sets, got learners \(column 'algorithm'\)"),
        ("id,nb,tree\n1,0.9,0.8\n", "`dataset` must name the column of data sets, which is not recognised"),
        (
            "dataset,model,score\niris,nb,good\n",
            r".*scores\.csv: column 'score' must hold numbers, got 'good' in row 1 \(iris\)",
        ),
        ("dataset,model,kind\niris,nb,good\n", "`score` must name the column of scores"),
        (
            "dataset,model,split,score\niris,nb,train,1\niris,nb,test,1\n",
            r"column 'split' of .*scores\.csv must hold runs, got train, test",
        ),
        (
            "dataset,fold,nb,svm\niris,1,1,1\niris,1,2,2\n",
            r".*scores\.csv must have one row for each run, got several for dataset iris, fold 1",
        ),
        ("", "is empty"),
    ],
)
def test_bad_tables_are_refused_with_a_fix(written, text, why):
    file = written(text)
    with pytest.raises(InvalidEvidence, match=why) as output:
        ta.read_scores(file)
    assert "pandas" not in str(output.value)


def test_other_things_are_no_scores():
    for source, why in [
        (
            np.eye(2),
            r"`scores` must be a table \(pandas, polars, pyarrow, DuckDB, Dask or PySpark\) or a dictionary"
            r" of columns, got ndarray",
        ),
        (
            None,
            r"`scores` must be a table \(pandas, polars, pyarrow, DuckDB, Dask or PySpark\) or a dictionary"
            r" of columns, got NoneType",
        ),
        ([1, 2], "`source` must be a file, a table or races, got a list of other values"),
        ({}, "`source` must hold at least one data set, got none"),
        (
            {"dataset": ["a", "b"], "nb": [1]},
            r"columns must be lists of equal length, but dataset has shape \(2,\), nb has shape \(1,\)",
        ),
        (
            {"dataset": ["a"], "nb": [True], "svm": [False]},
            r"the table: column 'nb' must hold numbers, got True in row 1 \(a\)",
        ),
    ]:
        with pytest.raises(InvalidEvidence, match=why):
            ta.read_scores(source)
    with pytest.raises(InvalidInput, match=r"file not found: nowhere\.csv"):
        ta.read_scores("nowhere.csv")
    with pytest.raises(InvalidOption, match="`metric` must be a name"):
        ta.read_scores({"dataset": ["a"], "nb": [1], "svm": [1]}, metric=3)
    with pytest.raises(InvalidOption, match="`run` and `dataset` must be different columns, got 'run' for both"):
        ta.read_scores(long(), dataset="run", run="run")


# --- Of data sets, or of examples? ---


@pytest.mark.parametrize(
    ("text", "of_data_sets"),
    [
        (WIDE, True),
        (WIDE.replace("dataset", "Problem"), True),
        (WIDE.replace("dataset", ""), True),
        (WIDE.replace("dataset", "anything"), True),
        ("dataset,model,accuracy\niris,nb,0.9\n", True),
        ("task,nb,svm\n3,0.9,0.8\n", True),
        ("id,old,new\n1,0.5,0.7\n", False),
        ("id,old,new\na,0.5,0.7\n", False),
        ("question,old,new\nwhy?,0.5,0.7\n", False),
        ("prompt_id,dataset,old,new\n1,iris,0.5,0.7\n", False),
        ("old,new\n0.5,0.7\n", False),
        ("label,old,new\nill,0.5,0.7\n", False),
        (f"text,old,new\n{'a long passage ' * 9},0.5,0.7\n", False),
        ("", False),
    ],
)
def test_what_a_table_is_of_is_reported_by_its_first_rows(written, text, of_data_sets):
    assert holds_data_sets(written(text)) is of_data_sets


def test_names_that_must_be_different(written, tmp_path):
    twice = written("dataset,nb,svm\niris,1,2\niris,1,2\n")
    assert holds_data_sets(twice)
    assert not holds_data_sets(twice, all_different=True)
    assert holds_data_sets(written(WIDE), all_different=True)
    assert not holds_data_sets(tmp_path)
    lines = "\n".join(json.dumps({"dataset": name, "nb": 1}) for name in "ab")
    assert holds_data_sets(written(lines, "scores.jsonl"))


@pytest.mark.parametrize("nested", [["x"], {"a": 1}], ids=["list", "record"])
@pytest.mark.parametrize("column", ["dataset", "learner", "score"])
def test_lists_and_records_are_neither_names_nor_scores(written, nested, column):
    rows = [{"dataset": name, "learner": who, "score": 0.5} | {column: nested} for name in "ab" for who in ("nb", "nn")]
    file = written("\n".join(map(json.dumps, rows)), "scores.jsonl")
    frame = pl.DataFrame(rows)
    for source in (file, frame, frame.to_pandas()):
        with pytest.raises(InvalidEvidence, match=f"column '{column}'"):
            ta.read_scores(source, dataset="dataset", learner="learner", score="score")


def test_the_policy_for_missing_scores_has_an_old_spelling():
    table = {"dataset": ["a", "b"], "nb": [0.1, 0.2], "svm": [0.3, 0.4]}
    for policy in ("fail", "refuse"):
        assert ta.read_scores(table, missing=policy).datasets == ("a", "b")
    with pytest.raises(InvalidOption, match="`missing` must be one of"):
        ta.read_scores(table, missing="wrong")
