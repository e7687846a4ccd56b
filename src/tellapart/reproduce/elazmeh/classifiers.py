"""Elazmeh, Japkowicz and Matwin (2006): Tables 5 and 6, 48 classifiers by their printed counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Cell, Table
from ...report.picture import Picture
from ...typing_ import BoolArray, FloatArray
from ..drawing import Series, plotted
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed
from .interval import (
    ASKED,
    METRICS,
    as_said,
    called,
    matrices,
    names,
    percent_line,
    tick_line,
)
from .training import LEARNERS, confident

LABEL = "The first row of set 9 is already S, and the text mentions T on set 9, so this row is T."
THOUSAND = 1000


def table_5(run: Run) -> Shown:  # noqa: ARG001
    """Show the metrics of the 48 classifiers, from the counts that Table 6 prints."""
    matrix = matrices()
    estimates = {key: ta.estimate(matrix, metric=metric) for key, metric in ASKED.items()}
    ticks = confident(matrix)
    lines: list[Line] = []
    agree = 0
    for index, row in enumerate(printed("elazmeh_table_5")):
        what = called(row["set"], row["classifier"])
        for key, (name, _) in METRICS.items():
            value = float(estimates[key].estimate[index])
            lines.append(_metric_line(f"{what}: {name}", row[key], value))
            agree += lines[-1].explained and lines[-1].difference is not None
        lines.append(tick_line(f"{what}: tick", row["tick"], bool(ticks[index])))
    lines.append(as_said("set 9, second row: label", "S", False, "T", reason=LABEL))
    return Shown(
        lines=tuple(lines),
        pictures=(_scores_and_ticks(estimates["f"].estimate, ticks),),
        tables=(_with_limits(estimates),),
        notes=(
            "Computed from the a, b, c and d of Table 6. S, T, F and B are a decision stump, a decision tree, a random"
            " forest and naive Bayes; the tick means that Tango's 95% interval for (b - c) / n includes 0.",
            f"Two accuracies were rounded to two decimals and then to one; with this, {agree} of 240 numbers agree. One"
            " is not defined: S on set 9 predicts no positive.",
            "Not in the paper: a confidence interval for each number.",
        ),
    )


def _metric_line(what: str, digits: str, share: float) -> Line:
    """Return the comparison of a printed percentage with ours, which may be undefined."""
    if np.isfinite(share):
        return percent_line(what, digits, share)
    explanation = "not defined: no example was predicted positive"
    reason = "It is 0 / 0. The paper prints 0.0, as scikit-learn does with zero_division=0."
    return as_said(what, digits, False, explanation, reason=reason)


def _with_limits(estimates: Mapping[str, Any]) -> Table:
    """Return Table 5 with a 95% interval for each number."""

    def cell(answer: Any, index: int) -> Cell:
        low, high = (100 * float(end[index]) for end in (answer.interval.low, answer.interval.high))
        value = 100 * float(answer.estimate[index])
        shown = f"{value:.1f}" if np.isfinite(value) else "not defined"
        return Cell(f"{shown} ({low:.1f} to {high:.1f})", value if np.isfinite(value) else None)

    rows = [(*name, *(cell(estimates[key], index) for key in METRICS)) for index, name in enumerate(names())]
    how = ", ".join(f"{METRICS[key][0]} by {answer.method}" for key, answer in estimates.items())
    head = ("set", "classifier", *(name for name, _ in METRICS.values()))
    return Table.of("Table 5 with 95% intervals", head, rows, f"In percent; {how}.")


def _scores_and_ticks(f: FloatArray, ticks: BoolArray) -> Picture:
    balance = 100 * np.abs(matrices().label_against_prediction().difference)
    return plotted(
        "F does not determine whether a classifier is confident",
        "The 48 classifiers by F and by the absolute difference of their errors. Those with a tick are below 3.5 pp,"
        " with F from 26 to 100; those without are above 1 pp, with F from 0 to 98.",
        [
            Series("with a tick", 100 * f[ticks], balance[ticks], "points"),
            Series("without", 100 * f[~ticks], balance[~ticks], "points"),
        ],
        x="F, %",
        y="|b - c| / n, pp",
    )


def table_6(run: Run) -> Shown:  # noqa: ARG001
    """Show the intervals of the 48 classifiers, and the ticks that remain with more examples."""
    matrix = matrices()
    balance = ta.estimate(matrix, metric="label-balance")
    limits, ticks = balance.interval, confident(matrix)
    lines: list[Line] = []
    agree = 0
    for index, row in enumerate(printed("elazmeh_table_6")):
        what = called(row["set"], row["classifier"])
        for key, share in (("low", limits.low), ("high", limits.high), ("difference", balance.estimate)):
            lines.append(percent_line(f"{what}: {key}", row[key], float(share[index])))
            agree += lines[-1].verdict == "matches" or bool(lines[-1].reason)
        lines.append(tick_line(f"{what}: tick", row["tick"], bool(ticks[index])))
    lines.append(as_said("set 9, second row: label", "S", False, "T", reason=LABEL))
    survive = confident(ta.ConfusionMatrix(THOUSAND * matrix.counts, matrix.labels)) & ticks
    kept = ", ".join(called(*name) for name, still in zip(names(), survive, strict=True) if still)
    lines.append(
        claimed(
            "ticks at a thousand times the examples",
            "Tango gives a consistent notion of confidence",
            survive.sum() == ticks.sum(),
            f"with the same error rates on a thousand times the examples, {survive.sum()} of {ticks.sum()} ticks remain"
            f" ({kept})",
            reason="A tick is not evidence of balance but a lack of evidence against it, which is most likely with a"
            " small test set. It always remains only if b equals c.",
        )
    )
    return Shown(
        lines=tuple(lines),
        pictures=(_interval_table(limits, balance.estimate), _ticks_left(matrix, ticks)),
        tables=(_when_lost(matrix.label_against_prediction(), ticks),),
        notes=(
            "In percent. Tango's interval of label against prediction: b is the number of false negatives, c that of"
            " false positives, n that of all test examples.",
            f"Seven numbers were rounded to two decimals and then to one; with this, {agree} of 144 agree.",
            "Not in the paper: with k times the examples and the same rates the score is multiplied by √k, so a tick is"
            " lost at k = (1.96 / score)².",
        ),
    )


def _interval_table(limits: Any, difference: FloatArray) -> Picture:
    rows, where = printed("elazmeh_table_6"), names()
    offsets = {"S": -0.3, "T": -0.1, "F": 0.1, "B": 0.3}
    series = []
    for classifier, name in LEARNERS.items():
        some = np.array([index for index, (_, each) in enumerate(where) if each == classifier])
        at = np.array([int(where[index][0]) for index in some]) + offsets[classifier]
        low, high = 100 * limits.low[some], 100 * limits.high[some]
        series.append(Series(f"{name} ({classifier})", at, 100 * difference[some], "points", low, high))
    places = [int(number) + offsets[classifier] for number, classifier in where]
    series.append(Series("printed (b - c) / n", places, [float(row["difference"]) for row in rows], "paper"))
    return plotted(
        "Tango's 95% intervals of the 48 classifiers",
        "Four intervals for each of twelve data sets. On sets 1, 11 and 12 most are far below 0, on set 5 above; on"
        " sets 2, 4, 6 and 7 they are short and most include 0.",
        series,
        x="data set",
        y="(b - c) / n, %",
        across=(0.0,),
        ticks=[(number, str(number)) for number in range(1, 13)],
        size=(8.0, 4.0),
    )


def _ticks_left(matrix: ta.ConfusionMatrix, ticks: BoolArray) -> Picture:
    times = np.unique(np.geomspace(1, THOUSAND, 60).round().astype(int))
    left = [int((confident(ta.ConfusionMatrix(k * matrix.counts, matrix.labels)) & ticks).sum()) for k in times]
    return plotted(
        "Remaining ticks with larger test sets",
        f"The number of classifiers with a tick, with the same error rates on k times the examples: {left[0]} at k = 1,"
        f" {left[-1]} at k = 1000.",
        [Series("ticks", times, left, "steps")],
        x="times the examples",
        y="classifiers with a tick",
        log="x",
    )


def _when_lost(table: ta.PairedTable, ticks: BoolArray) -> Table:
    """Return the multiple of the examples at which each tick would be lost."""
    score = np.abs(ta.compare(table, method="tango").statistic)
    z = lab.NormalModel(0.0, 1.0).interval(alpha=0.05)[1]
    rows = []
    for index in np.flatnonzero(ticks):
        times = (z / score[index]) ** 2 if score[index] > 0 else np.inf
        cell_of_times = Cell(f"{times:,.3g}" if np.isfinite(times) else "never", float(times))
        b, c = int(table.only_a_wrong[index]), int(table.only_b_wrong[index])
        rows.append(
            (
                *names()[index],
                b,
                c,
                int(table.examples[index]),
                Cell(f"{score[index]:.3f}", float(score[index])),
                cell_of_times,
            )
        )
    head = ("set", "classifier", "b", "c", "n", "score", "multiple of the examples at which the tick is lost")
    return Table.of("Loss of ticks with more examples", head, rows, "At the same error rates.")
