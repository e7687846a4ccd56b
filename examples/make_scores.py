"""Write the files of scores and of labels that the pages on other metrics use: two classifiers of tumours.

Run as `python examples/make_scores.py`; it rewrites examples/data/tumour_scores.csv (the probability of malignant that
each classifier gives) and examples/data/tumours.csv (what each says, by the threshold one half). The data ship with
scikit-learn; half of them are for training, the others for testing.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

FOLDER = Path(__file__).parent / "data"
MODELS = {"bayes": GaussianNB(), "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))}


def write(name: str, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Write a CSV file."""
    with (FOLDER / name).open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(header)
        lines.writerows(rows)


def main() -> None:
    """Train, ask for probabilities, write them and what they say."""
    cells, benign = load_breast_cancer(return_X_y=True)
    malignant = benign == 0
    train, test = train_test_split(np.arange(malignant.size), test_size=0.5, random_state=0, stratify=malignant)
    test = np.sort(test)
    chances = [model.fit(cells[train], malignant[train]).predict_proba(cells[test])[:, 1] for model in MODELS.values()]
    labels = ["malignant" if each else "benign" for each in malignant[test]]
    header = ("id", "tumour", *MODELS)
    scores = [[f"{chance:.4g}" for chance in model] for model in chances]
    said = [["malignant" if chance > 0.5 else "benign" for chance in model] for model in chances]
    FOLDER.mkdir(exist_ok=True)
    write("tumour_scores.csv", header, zip(test, labels, *scores, strict=True))
    write("tumours.csv", header, zip(test, labels, *said, strict=True))


if __name__ == "__main__":
    main()
