"""The main job on real data: which classifier, which learner is better, how sure are we, and how large are the errors?

Run by `make demo`. The data ship with scikit-learn; nothing is fetched.
"""

from __future__ import annotations

import csv
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any

from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import tellapart as ta

READERS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "svm": SVC(),
    "neighbours": KNeighborsClassifier(n_neighbors=3),
}
DOCTOR = make_pipeline(StandardScaler(), LogisticRegression())
DOCTORS = {
    "logistic": DOCTOR,
    "discriminant": LinearDiscriminantAnalysis(),
    "neighbour": make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=1)),
    "bayes": GaussianNB(),
}


def heading(text: str) -> None:
    """Print a line that stands out."""
    print(f"\n{text}\n{'─' * len(text)}")


def trained(data: Any, learners: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Train on half of the data, and return labels and predictions on the other."""
    x_train, x_test, y_train, y_test = train_test_split(
        data.data, data.target, test_size=0.5, random_state=0, stratify=data.target
    )
    return y_test, {name: learner.fit(x_train, y_train).predict(x_test) for name, learner in learners.items()}


def write(file: Path, labels: Any, predictions: dict[str, Any]) -> None:
    """Write predictions as an evaluation job would: a row for each example, a column for each model."""
    with file.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "digit", *predictions])
        rows.writerows(zip(range(len(labels)), labels, *predictions.values(), strict=True))


def compare_readers() -> None:
    """Which of three models reads handwritten digits best? From a file of predictions."""
    labels, predictions = trained(load_digits(), READERS)
    with TemporaryDirectory() as folder:
        file = Path(folder, "digits.csv")
        write(file, labels, predictions)
        read = ta.read_predictions(file, label="digit", id="id")
        table, patterns = read.paired_table("logistic", "svm"), read.error_patterns()
    heading(f"Which of two models reads {len(labels)} handwritten digits better?")
    print(ta.compare(table))
    heading("What is that test worth on such a table, and what would it have seen?")
    print(ta.calibrate("mcnemar-mid-p", table))
    heading("Is the support vector machine at most half a point worse than nearest neighbours?")
    print(ta.compare(patterns.pair("neighbours", "svm"), margin=0.005))
    heading("And who is best of all three?")
    print(ta.compare(patterns))


def judge_doctor() -> None:
    """How large is the error of one classifier, and is it below five percent?"""
    labels, predictions = trained(load_breast_cancer(), {"doctor": DOCTOR})
    count = ta.ErrorCount.from_predictions(labels, predictions["doctor"])
    heading(f"How large is the error of logistic regression on {len(labels)} patients with a tumour?")
    print(ta.estimate(count))
    heading("Is it below 5 %?")
    print(ta.compare(count, against=0.05, alternative="less"))


def race_doctors() -> None:
    """Which of four learners is best, if each is trained again and again?"""
    data = load_breast_cancer()
    race = ta.race(DOCTORS, data.data, data.target, plan="5x10")
    heading(f"Which of {len(DOCTORS)} learners is best at telling tumours apart? {len(race.fits)} fits, every one kept")
    ranking = ta.compare(race)
    print(f"{race}\n\n{ranking}")
    heading("How large is the error of the discriminant analysis, if it is trained anew?")
    print(ta.estimate(race, learner="discriminant"))
    heading("And the race in words, for a colleague")
    print(fill(ranking.words, 100))


def explain() -> None:
    """How good are such intervals, and what does the textbook's do?"""
    heading("Perfect on the first 20 examples: what may you claim?")
    perfect = ta.ErrorCount(errors=0, trials=20)
    for method in ("wald", "jeffreys", "clopper-pearson"):
        answer = ta.estimate(perfect, method=method, side="upper")
        print(f"{method:<16} {answer.interval.limits_text()}")
    heading("And how often is each right? Exact coverage at 20 examples, true errors below 0.1")
    for method in ("wald", "jeffreys", "clopper-pearson"):
        found = ta.exact_coverage(method, 20, within=(0, 0.1))
        print(f"{method:<16} mean {found.mean:.3f}, at worst {found.minimum:.3f}")


def main() -> None:
    """Train, test, and answer."""
    compare_readers()
    judge_doctor()
    race_doctors()
    explain()
    print(
        "\nNext: tellapart compare --table 20 25 10 45  ·  tellapart calibrate --table 20 25 10 45  ·  tellapart --help"
    )


if __name__ == "__main__":
    main()
