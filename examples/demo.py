"""The main job on real data: how large is the error of these classifiers, and is it below five percent?

Run by `make demo`. The data ship with scikit-learn; nothing is fetched.
"""

from __future__ import annotations

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tellapart as ta

LEARNERS = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "nearest neighbour": make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=1)),
    "naive Bayes": GaussianNB(),
}


def heading(text: str) -> None:
    """Print a line that stands out."""
    print(f"\n{text}\n{'─' * len(text)}")


def main() -> None:
    """Train, test, and answer."""
    data = load_breast_cancer()
    x_train, x_test, y_train, y_test = train_test_split(
        data.data, data.target, test_size=0.5, random_state=0, stratify=data.target
    )
    print(f"Breast cancer data: {len(y_train)} examples to learn from, {len(y_test)} to test on.")
    counts = {}
    for name, learner in LEARNERS.items():
        predictions = learner.fit(x_train, y_train).predict(x_test)
        counts[name] = ta.ErrorCount.from_predictions(y_test, predictions)
        heading(f"How large is the true error of {name}?")
        print(ta.estimate(counts[name]))
    best = min(counts, key=lambda name: counts[name].rate)
    heading(f"Is the error of {best} below 5 %?")
    print(ta.compare(counts[best], against=0.05, alternative="less"))
    heading("And what would the textbook have said?")
    print(ta.estimate(counts[best], method="wald"))
    heading("How much is each worth, at this number of examples and errors below 10 %?")
    for method in ("jeffreys", "wald"):
        print(ta.exact_coverage(method, len(y_test), within=(0, 0.1)).words)
    print("\nNext: tellapart estimate 3 120  ·  tellapart methods  ·  tellapart coverage --trials 120 --method wald")


if __name__ == "__main__":
    main()
