"""The main job on real data: which classifier, which learner is better, how sure are we, and what is the test worth?

Run by `make demo`, or as `python examples/demo.py [FOLDER]` from the root of the repository. Each step is a command
that anybody can type; the reports are in the folder demo/, or in the one named. The data ship with scikit-learn, and
the scores over many data sets lie in examples/data; nothing is fetched.
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
    "An old model and a new one read the same 899 handwritten digits. Which method tells them apart?": (
        f"advise {FILES}"
    ),
    "Is the new one better, by how much, and how sure are we? And which digits do they read differently?": (
        f"compare {FILES} --examples 20 --html {{}}/two-models.html"
    ),
    "What is that test worth on such a table: how often does it err, and what does it see?": (
        f"calibrate {FILES} --html {{}}/the-test.html"
    ),
    "May the new one ship, if half a point worse would not matter?": (
        f"gate {FILES} --margin 0.005 --html {{}}/may-it-ship.html"
    ),
    "How many digits does the next test set need, to show a difference of one point?": (
        f"plan {FILES} --difference 0.01 --power 0.8 --html {{}}/next-test-set.html"
    ),
    "Who is best of five models, and who is not told apart from the best?": (
        "compare examples/data/digits.csv --label digit --id id --models logistic,forest,neighbours,svm,bayes"
        " --html {}/five-models.html"
    ),
    "Two models tell tumours apart. Which finds the malignant ones better, false alarms counted, too?": (
        "compare examples/data/tumours.csv --label tumour --id id --metric f1 --positive malignant"
        " --html {}/tumours.html"
    ),
    "And by their scores, whatever the threshold? ROC, precision-recall and calibration curves are in the report.": (
        "compare examples/data/tumour_scores.csv --label tumour --id id --metric auc --positive malignant"
        " --html {}/tumour-scores.html"
    ),
    "Which of six learners is best at telling tumours apart, if each is trained a hundred times?": (
        "race --data breast_cancer --scale --plan 10x10 --store {}/tumours.race --html {}/six-learners.html "
        + " ".join(f"--learner {name}={learner}" for name, learner in LEARNERS.items())
    ),
    "And on data sets to come? Six learners on 18 of them: who is best, and who is not told apart from the best?": (
        "compare examples/data/benchmark.csv --scores --rho 0.1 --difference 0.05 --html {}/many-data-sets.html"
    ),
    "No error on the first 20 examples: what may you claim?": (
        "estimate 0 20 --side upper --method clopper-pearson --html {}/no-errors.html"
    ),
}


def draw(race: Path, picture: Path) -> None:
    """Draw the race as one would for a paper: it is kept, so nothing is fitted again."""
    ta.plots.save(ta.plots.forest(ta.compare(ta.read_race(race))), picture)


def main(folder: Path) -> None:
    """Run one command after the other, as you would, and say where the reports are."""
    folder.mkdir(exist_ok=True)
    for title, step in STEPS.items():
        command = step.replace("{}", shlex.quote(str(folder)))
        print(f"\n{title}\n{'─' * len(title)}\n$ tellapart {command}\n", flush=True)
        subprocess.run([PROGRAM, *shlex.split(command)], check=True)  # noqa: S603  # the words stand above
    picture = folder / "six-learners.svg"
    draw(folder / "tumours.race", picture)
    reports = sorted(folder.glob("*.html"))
    print(f"\n{len(reports)} reports to open in a browser, each one file that needs no network:")
    for report in reports:
        print(f"  {report}")
    print(f"and a picture for a paper, drawn from the race without a fit: {picture}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
