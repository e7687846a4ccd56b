"""The main job on real data: which classifier, which learner is better, how sure are we, and what is the test worth?

Run by `make demo`. Each step is a command that anybody can type; the reports are in the folder demo/. The data ship
with scikit-learn; nothing is fetched.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import tellapart as ta

FOLDER = Path("demo")
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
STEPS = {
    "Two learners, little data, time for ten fits of each: which method?": "advise --learner --choose --little --runs 10",
    "An old model and a new one read 899 handwritten digits. Is the new one better?": (
        f"compare {FILES} --examples 20 --html {FOLDER}/two-models.html"
    ),
    "What is that test worth on such a table, and what would it have seen?": (
        f"calibrate {FILES} --html {FOLDER}/the-test.html"
    ),
    "Who is best of five, and who is not told apart from the best?": (
        f"compare examples/data/digits.csv --label digit --id id --models logistic,forest,neighbours,svm,bayes"
        f" --html {FOLDER}/five-models.html"
    ),
    "Which of six learners is best at telling tumours apart, if each is trained again and again?": (
        f"race --data breast_cancer --scale --plan 10x10 --store {FOLDER}/tumours.race --html {FOLDER}/six-learners.html "
        + " ".join(f"--learner {name}={learner}" for name, learner in LEARNERS.items())
    ),
    "No error on the first 20 examples: what may you claim?": (
        f"estimate 0 20 --side upper --method clopper-pearson --html {FOLDER}/no-errors.html"
    ),
}


def draw() -> None:
    """Draw the race as one would for a paper: the race is kept, so nothing is fitted again."""
    race = ta.read_race(FOLDER / "tumours.race")
    ta.plots.save(ta.plots.forest(ta.compare(race)), FOLDER / "six-learners.svg")


def main() -> None:
    """Run one command after the other, as you would, and say where the reports are."""
    FOLDER.mkdir(exist_ok=True)
    for title, command in STEPS.items():
        words = shlex.split(command)
        print(f"\n{title}\n{'─' * len(title)}\n$ tellapart {command}\n", flush=True)
        subprocess.run([PROGRAM, *words], check=True)  # noqa: S603  # the words stand above
    draw()
    reports = sorted(FOLDER.glob("*.html"))
    print(f"\n{len(reports)} reports to open in a browser, each one file that needs no network:")
    for report in reports:
        print(f"  {report}")
    print(f"and a picture for a paper, drawn from the race without a fit: {FOLDER / 'six-learners.svg'}")


if __name__ == "__main__":
    main()
