"""Write the prediction files of the tutorial: five classifiers on the handwritten digits that ship with scikit-learn.

Run as `python examples/make_predictions.py`; it rewrites examples/data/. Half of the digits are for training, the
others for testing. `old.csv` and `new.csv` hold one model each, as two evaluation jobs would leave them (in another
order, so they are joined by id); `digits.csv` holds five models side by side.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

FOLDER = Path(__file__).parent / "data"
MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "forest": RandomForestClassifier(n_estimators=200, random_state=0),
    "neighbours": KNeighborsClassifier(n_neighbors=3),
    "svm": SVC(),
    "bayes": GaussianNB(),
}
OLD, NEW = "logistic", "svm"


def write(name: str, columns: dict[str, Any], order: np.ndarray) -> None:
    """Write columns of one length to a CSV file, in this order of rows."""
    with (FOLDER / name).open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(columns)
        rows.writerows(zip(*(np.asarray(column)[order] for column in columns.values()), strict=True))


def main() -> None:
    """Train, predict, write."""
    images, digits = load_digits(return_X_y=True)
    examples = np.arange(digits.size)
    train, test = train_test_split(examples, test_size=0.5, random_state=0, stratify=digits)
    test = np.sort(test)
    predictions = {
        name: model.fit(images[train], digits[train]).predict(images[test]) for name, model in MODELS.items()
    }
    ink = np.where(images[test].mean(axis=1) < np.median(images.mean(axis=1)), "faint", "bold")
    FOLDER.mkdir(exist_ok=True)
    here, shuffled = np.arange(test.size), np.random.default_rng(0).permutation(test.size)
    write("old.csv", {"id": test, "digit": digits[test], "prediction": predictions[OLD]}, here)
    write("new.csv", {"id": test, "digit": digits[test], "prediction": predictions[NEW]}, shuffled)
    write("digits.csv", {"id": test, "digit": digits[test], "ink": ink, **predictions}, here)


if __name__ == "__main__":
    main()
