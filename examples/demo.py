"""The main commands on real data: comparisons of models and learners, with reports.

Run by `make demo`, or as `python examples/demo.py [FOLDER]` from the root of the repository. Each step is a
command of tellapart. The reports are written to demo/ by default. The data ship with scikit-learn, the scores over many
data sets are in examples/data; nothing is downloaded.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import tellapart as ta

PROGRAM = Path(sys.executable).with_name("tellapart")
FILES = "examples/data/old.csv examples/data/new.csv --label digit --id id"
LEARNERS = {
    "logistic": "sklearn.linear_model.LogisticRegression",
    "svm": "sklearn.svm.SVC",
    "neighbours": "sklearn.neighbors.KNeighborsClassifier",
    "discriminant": "sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
    "bayes": "sklearn.naive_bayes.GaussianNB",
    "tree": "sklearn.tree.DecisionTreeClassifier",
}
STEPS = {  # {} is the folder
    "Two models classified the same 899 handwritten digits. Which method compares them?": (f"advise {FILES}"),
    "Is the new model better, and by how much? Which digits do the models classify differently?": (
        f"compare {FILES} --examples 20 --html {{}}/two-models.html"
    ),
    "What are the type I error rate and the power of that test for these data?": (
        f"calibrate {FILES} --html {{}}/the-test.html"
    ),
    "Is the new model at most 0.5 pp worse, so that it may be released?": (
        f"gate {FILES} --margin 0.005 --html {{}}/may-it-ship.html"
    ),
    "How many digits must the next test set have to detect a difference of 1 pp?": (
        f"plan {FILES} --difference 0.01 --power 0.8 --html {{}}/next-test-set.html"
    ),
    "Which of five models is best, and which are tied with it?": (
        "compare examples/data/digits.csv --label digit --id id --models logistic,forest,neighbours,svm,bayes"
        " --html {}/five-models.html"
    ),
    "Which of two models has the higher F1 for malignant tumours?": (
        "compare examples/data/tumours.csv --label tumour --id id --metric f1 --positive malignant"
        " --html {}/tumours.html"
    ),
    "Which has the higher AUC? ROC, precision-recall and calibration curves are in the report.": (
        "compare examples/data/tumour_scores.csv --label tumour --id id --metric auc --positive malignant"
        " --html {}/tumour-scores.html"
    ),
    "Which of six learners classifies tumours best, by 10 repeats of 10-fold cross-validation?": (
        "race --data breast_cancer --scale --plan 10x10 --store {}/tumours.race --html {}/six-learners.html "
        + " ".join(f"--learner {name}={learner}" for name, learner in LEARNERS.items())
    ),
    "Which of six learners is best over 18 data sets?": (
        "compare examples/data/benchmark.csv --scores --rho 0.1 --difference 0.05 --html {}/many-data-sets.html"
    ),
    "No errors on 20 examples: what is the upper bound of the error rate?": (
        "estimate 0 20 --side upper --method clopper-pearson --html {}/no-errors.html"
    ),
}


def draw(race: Path, picture: Path) -> None:
    """Draw a figure for a paper from the stored race, without fitting again."""
    ta.plots.save(ta.plots.forest(ta.compare(ta.read_race(race))), picture)


def main(folder: Path) -> None:
    """Run the commands and list the reports."""
    folder.mkdir(exist_ok=True)
    for title, step in STEPS.items():
        command = step.replace("{}", shlex.quote(str(folder)))
        print(f"\n{title}\n{'─' * len(title)}\n$ tellapart {command}\n", flush=True)
        subprocess.run([PROGRAM, *shlex.split(command)], check=True)  # noqa: S603  # the words stand above
    picture = folder / "six-learners.svg"
    draw(folder / "tumours.race", picture)
    reports = sorted(folder.glob("*.html"))
    print(f"\n{len(reports)} reports, self-contained HTML files:")
    for report in reports:
        print(f"  {report}")
    print(f"figure for a paper, from the stored race: {picture}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
