"""Reference numbers for comparisons of two learners: 50-digit arithmetic, mlxtend and baycomp.

Writes `learner_pairs.csv` and, for the losses it is of, `learner_pairs_cases.csv` beside this file. It
needs mpmath, mlxtend and baycomp (the tests need none of these), and takes some seconds:

    python tests/references/learner_pairs.py

Every formula is written from its paper, in plain loops over the splits; Student's distribution comes
from the incomplete Beta function, its quantiles from bisection. mlxtend's tests and baycomp's posterior are
called as they are, with estimators that answer with the scores below. Losses are error counts over
the size of the test set; a difference is loss(A) - loss(B).
"""

import csv
import json
from pathlib import Path

import baycomp
import numpy as np
from mlxtend.evaluate import combined_ftest_5x2cv, paired_ttest_5x2cv, paired_ttest_kfold_cv, paired_ttest_resampled
from mpmath import betainc, erfc, inf, mp, mpf, sqrt

mp.dps = 50
HERE = Path(__file__).parent

# name: plan, size of every test set, errors of A, errors of B
CASES = {
    "four splits": ("4x(2/3)", 40, [8, 12, 5, 9], [6, 10, 7, 4]),
    "thirty splits": (
        "30x(2/3)",
        100,
        [
            21,
            25,
            19,
            30,
            24,
            22,
            27,
            18,
            25,
            23,
            20,
            26,
            28,
            19,
            22,
            24,
            25,
            21,
            23,
            27,
            20,
            22,
            26,
            24,
            19,
            23,
            25,
            21,
            28,
            22,
        ],
        [
            19,
            22,
            20,
            25,
            23,
            18,
            25,
            17,
            22,
            24,
            19,
            21,
            27,
            18,
            20,
            23,
            21,
            20,
            23,
            24,
            18,
            22,
            23,
            22,
            19,
            20,
            24,
            20,
            24,
            21,
        ],
    ),
    "ten folds": ("10-fold", 50, [9, 11, 7, 12, 8, 10, 9, 13, 8, 10], [8, 9, 8, 9, 7, 10, 8, 10, 8, 7]),
    "two folds": ("2-fold", 60, [14, 17], [12, 11]),
    "5x2": ("5x2", 80, [20, 23, 18, 21, 25, 19, 22, 20, 24, 21], [17, 22, 16, 20, 20, 19, 18, 20, 21, 16]),
    "3x2": ("3x2", 80, [20, 23, 18, 21, 25, 19], [17, 22, 16, 24, 20, 19]),
    "10x10": (
        "10x10",
        30,
        [(7 * i + i * i // 3) % 9 + 3 for i in range(100)],
        [(5 * i + i * i // 7) % 8 + 3 for i in range(100)],
    ),
    "far apart": ("10-fold", 1000, [301, 299, 300, 302, 298, 300, 301, 299, 300, 300], [1, 2, 0, 1, 1, 0, 2, 1, 1, 1]),
}
ALPHAS = (0.5, 0.05, 1e-3, 1e-12)


def student_above(t, freedom):
    """Return P(T > t), T of Student's distribution; the normal for infinite freedom."""
    if freedom == inf:
        return erfc(t / sqrt(mpf(2))) / 2
    half = betainc(mpf(freedom) / 2, mpf(1) / 2, 0, freedom / (freedom + t * t), regularized=True) / 2
    return half if t >= 0 else 1 - half


def student_quantile(tail, freedom):
    """Return t with P(T > t) = tail < 1/2, by bisection of its logarithm."""
    low, high = mpf(0), mpf(1)
    while student_above(high, freedom) > tail:
        high *= 2
    for _ in range(160):
        middle = (low + high) / 2
        low, high = (middle, high) if student_above(middle, freedom) > tail else (low, middle)
    return low


def moments(values):
    """Return mean and unbiased variance."""
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def two_sided(mean, error, freedom):
    """Return t and its two-sided p-value."""
    t = mean / error
    return t, 2 * student_above(abs(t), freedom)


def formulas(plan, values):
    """Yield the name of a method, its centre, standard error and freedom, where the plan allows it."""
    runs = len(values)
    mean, variance = moments(values)
    folds = int(plan.partition("x")[2]) if plan[-1] in "0123456789" and "x" in plan else None
    folds = int(plan.partition("-")[0]) if plan.endswith("-fold") else folds
    ratio = mpf(1) / 2 if folds is None else mpf(1) / (folds - 1)
    corrected = sqrt(variance * (mpf(1) / runs + ratio))
    yield "corrected-resampled-t", mean, corrected, runs - 1
    yield "resampled-t", mean, sqrt(variance / runs), runs - 1
    yield "kfold-t", mean, sqrt(variance / runs), runs - 1
    yield "paired-t", mean, sqrt(variance / runs), runs - 1
    yield "splitting-se", mean, sqrt(variance / runs), inf
    yield "splitting-sd", mean, sqrt(variance), inf
    if folds is not None:
        yield "corrected-repeated-kfold-t", mean, corrected, runs - 1
        yield "iterated-cv-bounds", mean, sqrt(variance), runs - 1
        yield "calibrated-t", mean, sqrt(variance) / (mpf(2293) / 1000), runs - 1
        if folds == runs:
            yield "paired-cv-ss", mean, sqrt(variance / runs), runs - 1
            yield "single-fold-t", values[0], sqrt(variance), runs - 1
    if folds == 2 and runs > 2:
        spread = sum((values[i] - values[i + 1]) ** 2 / 2 for i in range(0, runs, 2))
        yield "5x2cv-t", values[0], sqrt(spread / (runs // 2)), runs // 2


class Answers:
    """An estimator that answers with the scores it was given, one after the other."""

    _estimator_type = "classifier"

    def __init__(self, scores):
        self.scores = iter(scores)

    def fit(self, *_):
        return self


def answer(estimator, *_):
    """Return the next score."""
    return next(estimator.scores)


def from_mlxtend(name, a, b):
    """Yield what mlxtend's test gives for these accuracies; its difference is accuracy(A) - accuracy(B)."""
    learners = {"estimator1": Answers(a), "estimator2": Answers(b)}
    data = {"X": np.zeros((len(a) * 4, 1)), "y": np.arange(len(a) * 4) % 2, "scoring": answer, "random_seed": 1}
    if name == "5x2":
        yield "5x2cv-t", paired_ttest_5x2cv(**learners, **data)
        learners = {"estimator1": Answers(a), "estimator2": Answers(b)}
        yield "5x2cv-f", combined_ftest_5x2cv(**learners, **data)
    if name == "ten folds":
        yield "kfold-t", paired_ttest_kfold_cv(**learners, **data, cv=10)
    if name == "thirty splits":
        yield "resampled-t", paired_ttest_resampled(**learners, **data, num_rounds=30)


def main():
    rows = []
    for name, (plan, size, a, b) in CASES.items():
        values = [mpf(x - y) / size for x, y in zip(a, b, strict=True)]
        answer_of = {"case": name}
        for method, centre, error, freedom in formulas(plan, values):
            statistic, pvalue = two_sided(centre, error, freedom)
            for alpha in ALPHAS:
                reach = student_quantile(mpf(alpha) / 2, freedom) * error
                result = {"statistic": statistic, "pvalue": pvalue, "low": centre - reach, "high": centre + reach}
                rows.append(answer_of | {"source": "mpmath", "method": method, "alpha": alpha} | result)
        accuracies = [[1 - errors / size for errors in learner] for learner in (a, b)]
        for method, (statistic, pvalue) in from_mlxtend(name, *accuracies):
            sign = 1 if method == "5x2cv-f" else -1
            rows.append(
                answer_of | {"source": "mlxtend", "method": method, "statistic": sign * statistic, "pvalue": pvalue}
            )
        if plan.endswith(("-fold", "x10", "x2")):
            runs = 1 if plan.endswith("-fold") else int(plan.partition("x")[0])
            for rope in (0, 0.01, 0.05):
                # baycomp's left means that its first argument has the larger score: here the larger loss.
                losses = [np.array(learner) / size for learner in (a, b)]
                result = baycomp.CorrelatedTTest.probs(*losses, rope=rope, runs=runs)
                left, right = result[0], result[-1]
                rows.append(
                    answer_of
                    | {"source": "baycomp", "method": "bayesian-correlated-t", "rope": rope}
                    | {"statistic": left, "pvalue": right}
                )
    cases = [
        {"case": name, "plan": plan, "size": size, "a": json.dumps(a), "b": json.dumps(b)}
        for name, (plan, size, a, b) in CASES.items()
    ]
    write("learner_pairs_cases.csv", ["case", "plan", "size", "a", "b"], cases)
    write(
        "learner_pairs.csv", ["source", "method", "case", "alpha", "rope", "statistic", "pvalue", "low", "high"], rows
    )


def write(name, columns, rows):
    """Write rows to a file beside this one, numbers to 18 digits."""
    with (HERE / name).open("w", newline="") as file:
        out = csv.DictWriter(file, columns, lineterminator="\n")
        out.writeheader()
        for row in rows:
            out.writerow({key: mp.nstr(value, 18) if isinstance(value, mpf) else value for key, value in row.items()})


if __name__ == "__main__":
    main()
