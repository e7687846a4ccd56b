"""`--metric`: values equal those of scikit-learn, files and counts agree, and bad requests are one line."""

import csv
import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.shell_completion import ShellComplete
from sklearn import metrics

import tellapart as ta
from tellapart.cli import main
from tellapart.cli.metric_options import as_costs
from tellapart.errors import InvalidInput

DATA = Path(__file__).parents[2] / "examples" / "data"
TUMOURS, SCORES = str(DATA / "tumours.csv"), str(DATA / "tumour_scores.csv")
OURS = ["--label", "tumour", "--id", "id"]


def columns(file):
    with Path(file).open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return {name: [row[name] for row in rows] for name in rows[0]}


LABEL_TABLE, SCORE_TABLE = columns(TUMOURS), columns(SCORES)
OF_LABELS = {  # of the class malignant, where it is of one
    "accuracy": metrics.accuracy_score,
    "precision": lambda y, p: metrics.precision_score(y, p, pos_label="malignant"),
    "recall": lambda y, p: metrics.recall_score(y, p, pos_label="malignant"),
    "specificity": lambda y, p: metrics.recall_score(y, p, pos_label="benign"),
    "f1": lambda y, p: metrics.f1_score(y, p, pos_label="malignant"),
    "f2": lambda y, p: metrics.fbeta_score(y, p, beta=2, pos_label="malignant"),
    "jaccard": lambda y, p: metrics.jaccard_score(y, p, pos_label="malignant"),
    "f1_macro": lambda y, p: metrics.f1_score(y, p, average="macro"),
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
}
OF_SCORES = {
    "auc": metrics.roc_auc_score,
    "average_precision": metrics.average_precision_score,
    "log_loss": metrics.log_loss,
    "brier": metrics.brier_score_loss,
}


@pytest.mark.parametrize("metric", OF_LABELS)
def test_a_metric_of_labels_equals_scikit_learn(run, metric):
    document = json.loads(run("estimate", TUMOURS, *OURS, "--metric", metric, "--json").stdout)["models"]
    expected = [OF_LABELS[metric](LABEL_TABLE["tumour"], LABEL_TABLE[model]) for model in ("bayes", "logistic")]
    assert [entry["model"] for entry in document] == ["bayes", "logistic"]
    assert [entry["estimate"] for entry in document] == pytest.approx(expected, rel=1e-12)
    for entry in document:
        assert entry["interval"]["low"] < entry["estimate"] < entry["interval"]["high"]


@pytest.mark.parametrize("metric", OF_SCORES)
def test_a_metric_of_scores_equals_scikit_learn(run, metric):
    document = json.loads(run("estimate", SCORES, *OURS, "--metric", metric, "--json").stdout)["models"]
    truth = np.array(SCORE_TABLE["tumour"]) == "malignant"
    expected = [OF_SCORES[metric](truth, np.array(SCORE_TABLE[model], dtype=float)) for model in ("bayes", "logistic")]
    assert [entry["estimate"] for entry in document] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("file", "metric"), [(TUMOURS, "f1"), (SCORES, "auc")])
def test_two_models_are_compared_as_in_python(run, file, metric):
    result = json.loads(run("compare", file, *OURS, "--metric", metric, "--positive", "malignant", "--json").stdout)
    scored = {"scores": True} if file == SCORES else {}
    predictions = ta.read_predictions(file, label="tumour", id="id", **scored)
    expected = ta.compare(predictions, metric=metric, positive="malignant")
    assert (result["difference"], result["pvalue"]) == (expected.difference, expected.pvalue)
    assert [result["interval"][end] for end in ("low", "high")] == [expected.interval.low, expected.interval.high]


def test_separate_files_and_the_long_layout_give_the_same_answer(run, tmp_path):
    rows = list(
        zip(LABEL_TABLE["id"], LABEL_TABLE["tumour"], LABEL_TABLE["bayes"], LABEL_TABLE["logistic"], strict=True)
    )
    for index, name in ((2, "bayes"), (3, "logistic")):
        lines = ["id,tumour,prediction", *(f"{row[0]},{row[1]},{row[index]}" for row in reversed(rows))]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    long = [
        f"{row[0]},{row[1]},{model},{message}"
        for row in rows
        for model, message in zip(("bayes", "logistic"), row[2:], strict=True)
    ]
    (tmp_path / "long.csv").write_text("\n".join(["id,tumour,model,prediction", *long]))
    request = [*OURS, "--metric", "mcc", "--json"]
    one = json.loads(run("compare", TUMOURS, *request).stdout)
    for files in ([tmp_path / "bayes.csv", tmp_path / "logistic.csv"], [tmp_path / "long.csv"]):
        assert json.loads(run("compare", *map(str, files), *request).stdout) == one


def test_three_models_are_ranked_and_groups_are_printed_separately(run):
    request = ["--label", "digit", "--id", "id"]
    file = str(DATA / "digits.csv")
    ranked = run("compare", file, *request, "--metric", "f1-macro", "--models", "logistic,svm,bayes")
    assert ranked.exit_code == 0
    assert ranked.stdout.index("svm") < ranked.stdout.index("bayes")
    read = columns(file)
    document = run(
        "compare", file, *request, "--models", "logistic,svm", "--metric", "recall", "--positive", "8", "--group", "ink"
    )
    assert "logistic higher by (95% CI)" in document.stdout
    for ink in ("bold", "faint"):
        here = [index for index, entry in enumerate(read["ink"]) if entry == ink]
        truth, message = ([read[name][index] for index in here] for name in ("digit", "svm"))
        recall = metrics.recall_score(truth, message, labels=["8"], average=None)[0]
        (line,) = [line.split() for line in document.stdout.splitlines() if line.split()[:1] == [ink]]
        assert float(line[3]) == pytest.approx(recall, abs=0.0051)


def test_counts_give_the_same_answer_as_the_file(run):
    counts = metrics.confusion_matrix(
        LABEL_TABLE["tumour"], LABEL_TABLE["bayes"]
    ).ravel()  # benign first: tn, fp, fn, tp
    rest, false, missed, result = map(str, counts)
    alone = json.loads(run("estimate", "--confusion", result, missed, false, rest, "--metric", "f1", "--json").stdout)
    assert alone["estimate"] == pytest.approx(OF_LABELS["f1"](LABEL_TABLE["tumour"], LABEL_TABLE["bayes"]))
    cells = [
        sum(
            case == (label, a, b)
            for case in zip(LABEL_TABLE["tumour"], LABEL_TABLE["bayes"], LABEL_TABLE["logistic"], strict=True)
        )
        for label in ("malignant", "benign")
        for a, b in (
            ("malignant", "malignant"),
            ("malignant", "benign"),
            ("benign", "malignant"),
            ("benign", "benign"),
        )
    ]
    both = json.loads(run("compare", "--paired-confusion", *map(str, cells), "--metric", "f1", "--json").stdout)
    file = json.loads(run("compare", TUMOURS, *OURS, "--metric", "f1", "--json").stdout)
    assert both["difference"] == pytest.approx(file["difference"])
    assert both["interval"]["low"] == pytest.approx(file["interval"]["low"])


def test_costs_are_given_in_one_argument_or_in_a_file(run, tmp_path):
    (tmp_path / "costs.csv").write_text("label,benign,malignant\nbenign,0,1\nmalignant,10,0\n")
    line = "malignant>benign=10, benign>malignant=1"
    document = [
        json.loads(run("compare", TUMOURS, *OURS, "--costs", entry, "--json").stdout)
        for entry in (line, str(tmp_path / "costs.csv"))
    ]
    missed, false = ({"bayes": 11, "logistic": 6}, {"bayes": 8, "logistic": 3})
    expected = (10 * (missed["bayes"] - missed["logistic"]) + false["bayes"] - false["logistic"]) / 285
    assert document[0]["difference"] == pytest.approx(expected)
    assert document[0] == document[1]
    assert as_costs('"a,b">c=2') == {("a,b", "c"): 2.0}
    with pytest.raises(InvalidInput, match="not a regular file"):  # which has no end
        as_costs("/dev/zero")


@pytest.mark.parametrize(
    "line",
    [
        f"estimate {TUMOURS} --models bayes --metric f1",
        f"compare {TUMOURS} --metric precision",
        f"compare {SCORES} --metric auc",
        "estimate --confusion 35 5 10 50 --metric balanced-accuracy",
        "compare --paired-confusion 30 5 2 3 4 6 1 49 --metric recall",
    ],
)
def test_all_methods_for_a_metric_are_shown(run, line):
    files = OURS if "--metric" in line and ".csv" in line else []
    done = run(*shlex.split(line), *files, "--method", "all")
    assert done.exit_code == 0
    assert "recommended" in done.stdout


def test_dropped_examples_are_reported(run, tmp_path):
    (tmp_path / "gaps.csv").write_text("label,a,b\n" + "x,x,y\ny,y,x\nx,x,x\ny,y,y\n" * 5 + "x,,x\n")
    file = str(tmp_path / "gaps.csv")
    document = run("compare", file, "--metric", "mcc", "--missing", "drop")
    assert "1 left out (missing prediction of a)" in " ".join(document.stdout.split())
    scores = tmp_path / "scores.csv"
    scores.write_text("label,a,b\n" + "0,0.1,0.2\n1,0.7,0.4\n0,0.6,0.3\n1,0.9,0.8\n" * 5 + "1,,0.5\n")
    document = run("estimate", str(scores), "--metric", "auc", "--missing", "drop")
    assert "1 left out (missing score of a)" in " ".join(document.stdout.split())


def test_an_undefined_metric_of_one_group_does_not_affect_others(run, tmp_path):
    cases = ["x,x", "y,x", "y,y", "x,y"] * 4
    lines = [f"{case},{case[0]},here" for case in cases] + [f"{case[0]},x,{case[2]},there" for case in cases]
    (tmp_path / "groups.csv").write_text("\n".join(["label,a,b,site", *lines]))
    request = (str(tmp_path / "groups.csv"), "--group", "site", "--metric", "precision", "--positive", "y")
    document = {entry["group"]: entry for entry in json.loads(run("compare", *request, "--json").stdout)["groups"]}
    assert document["there"]["pvalue"] is None
    assert document["here"]["adjusted"] == document["here"]["pvalue"]  # a single test needs no adjustment
    assert "undefined" in run("compare", *request).stdout


def test_scores_of_several_classes_have_a_column_each(run, tmp_path):
    draw = np.random.default_rng(3)
    truth = np.repeat(["cat", "dog", "owl"], 20)
    chances = {model: draw.dirichlet([1, 1, 1], size=60).round(3) for model in ("old", "new")}
    names = [f"{model}:{animal}" for model in chances for animal in ("cat", "dog", "owl")]
    rows = np.column_stack([truth, *(table for table in chances.values())])
    (tmp_path / "s.csv").write_text("\n".join([",".join(["label", *names]), *(",".join(row) for row in rows)]))
    document = json.loads(
        run("estimate", str(tmp_path / "s.csv"), "--metric", "auc", "--models", "new", "--json").stdout
    )
    entry = [
        metrics.roc_auc_score(truth == animal, chances["new"][:, index])
        for index, animal in enumerate(np.unique(truth))
    ]
    assert document["models"][0]["estimate"] == pytest.approx(np.mean(entry))


@pytest.mark.usefixtures("animals")
def test_learners_of_a_race_are_compared_by_a_class_or_a_cost(run):
    request = ("compare", "my.race", "--json")
    result = json.loads(run(*request, "--metric", "recall", "--positive", "2").stdout)
    expected = ta.compare(ta.read_race("my.race"), metric="recall", positive=2)
    assert (result["difference"], result["pvalue"]) == (expected.difference, expected.pvalue)
    dear = json.loads(run(*request, "--costs", "1>2=10,2>1=1").stdout)
    assert dear["difference"] != result["difference"]


def test_an_undefined_metric_is_reported_and_null_in_json(run):
    done = run("estimate", "--confusion", "0", "20", "0", "980", "--metric", "precision", "--json")
    document = json.loads(done.stdout)
    assert document["estimate"] is None
    assert any(check["code"] == "TA601" and not check["holds"] for check in document["checks"])


BAD = [  # what, and what it says
    ("estimate {t} --metric recal", "Did you mean 'recall'?"),
    ("compare {t} --metric f1 --positive malign", "`--positive` must be one of 'benign', 'malignant', got 'malign'."),
    ("compare {t} --positive malignant", "`--positive` needs a metric of one class, such as --metric recall."),
    ("compare {t} --metric auc", "`bayes` must hold scores, got texts."),
    ("compare {s} --metric f1", "`bayes` must hold labels like those of `tumour` ('benign'), got 0.0002186."),
    ("compare {t} --metric f1 --costs malignant>benign=1", "`--costs` need --metric cost, got --metric f1."),
    (
        "compare {t} --metric cost",
        "`--costs` is required with --metric cost.",
    ),
    (
        "compare {t} --costs malignant>benign",
        "`--costs` must be LABEL>PREDICTION=COST, such as 'ill>well=10', got 'malignant>benign'.",
    ),
    ("compare {t} --costs ill>benign=2", "labels in `--costs` must be one of 'benign', 'malignant', got 'ill'."),
    ("compare {t} --costs malignant>benign=dear", "`--costs` must be numbers, got malignant>benign=dear."),
    (
        "compare {t} --costs malignant>benign=1,malignant>benign=2",
        "`--costs` must have each mistake once, got 'malignant' predicted as 'benign' twice.",
    ),
    (
        "compare {t} --costs nothing.csv",
        "`--costs` must be a file or LABEL>PREDICTION=COST, such as 'ill>well=10', got 'nothing.csv' (No",
    ),
    ("compare {s} --metric auc --costs malignant>benign=1", "`--costs` must be left out with this metric."),
    (
        "compare {t} --metric f1 --cluster bayes",
        "`--cluster` must be left out with --metric f1, or add --scores if the columns hold such scores.",
    ),
    (
        "compare {s} --metric auc --scores",
        "`--scores` must be left out with --metric auc, which ranks the scores of a class.",
    ),
    ("compare {s} --metric auc --group id", "`--group` must be left out with this metric, which ranks all examples."),
    ("compare {s} --metric auc --examples 3", "`--examples` needs labels."),
    ("compare {t} --metric f1 --correct", "`--correct` must be left out with this metric, which needs labels."),
    ("compare {t} --metric f1 --missing wrong", "`--missing` must be fail or drop with this metric, got wrong."),
    ("compare {t} --metric f1 --models bayes", "two models are required for a comparison, got bayes."),
    ("compare {t} --metric f1 --adjust holm", "`--adjust` needs several models or groups."),
    ("compare {t} --metric f1 --learner nb", "`--learner` needs a race store or a table of scores (--scores)."),
    ("estimate 3 120 --metric f1", "`--metric` f1 needs --confusion TP FN FP TN or a FILE of predictions."),
    ("compare --table 1 2 3 4 --metric f1", "`--metric` f1 needs --paired-confusion or a FILE of predictions."),
    ("compare {t} --metric f1 --margin 3", "`--margin` must be between 0 and 1, got 3"),
    (
        "estimate --confusion 1 2 3 4 --metric f1 --method all --prior 1,1",
        "`--prior` is not an option of any method for this evidence.",
    ),
    ("estimate 3 120 --confusion 1 2 3 4", "give exactly one of ERRORS TRIALS, FILE and --confusion."),
    ("estimate --confusion 1 2 3 -4 --metric f1", "`--confusion` must be whole numbers of 0 or more, got -4"),
    (
        "estimate --confusion 1 2 3 4 --metric auc",
        "`--metric` must be for labels with counts, got auc, which needs scores.",
    ),
    ("estimate --confusion 1 2 3 4 --metric f1 --method tango", "is for label-balance, not for f1"),
    ("estimate {t} --metric f1 --method all", "`--method` all needs one model and no groups."),
]


@pytest.mark.parametrize(("line", "says"), BAD, ids=[line for line, _ in BAD])
def test_bad_requests_are_one_line(refused, line, says):
    words = [word.format(t=TUMOURS, s=SCORES) for word in line.split()]
    ours = [word for word in OURS if "{t}" in line or "{s}" in line]
    if "--group" in words:
        ours = ours[:2]
    assert says in refused(*words, *ours)


ODD = {
    "three.csv": ("label,a,b\n" + "x,x,y\ny,y,z\nz,z,z\n" * 5, "f1", "`--positive` is required by f1 with 3 classes."),
    "scores.csv": ("label,a,b\n" + "0,0.1,0.2\n1,0.8,0.9\n" * 5, "f1", "`a` must hold labels, got 0.1."),
    "logits.csv": ("label,a,b\n" + "0,-3,2\n1,4,9\n" * 5, "log-loss", "must be probabilities from 0 to 1, got -3."),
    "single.csv": ("label,a,b\n" + "1,0.5,0.2\n" * 5, "auc", "two classes or more"),
}


@pytest.mark.parametrize("name", ODD)
def test_a_file_that_does_not_suit_the_metric_is_refused(refused, tmp_path, name):
    text, metric, says = ODD[name]
    (tmp_path / name).write_text(text)
    assert says in refused("compare", str(tmp_path / name), "--metric", metric)


def test_names_of_metrics_are_completed():
    result = ShellComplete(main, {}, "tellapart", "_TELLAPART_COMPLETE").get_completions(["compare", "--metric"], "f1")
    assert [item.value for item in result] == ["f1", "f1-macro", "f1-micro", "f1-weighted"]
