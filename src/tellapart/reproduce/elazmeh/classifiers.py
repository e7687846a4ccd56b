"""Elazmeh, Japkowicz and Matwin (2006): 48 classifiers by their printed counts, and what the text makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Cell, Table
from ...report.picture import Picture
from ...types import BoolArray, FloatArray
from ..drawing import Series, plotted
from ..lines import Line, Shown, claimed
from ..printed import printed
from ..run import Run
from .interval import (
    METRICS,
    TICKS,
    as_said,
    called,
    letters,
    matrices,
    metrics_of,
    names,
    percent_line,
    tick_line,
)
from .training import LEARNERS, confident

__all__ = ["claims", "table_5", "table_6"]

LABEL = "The first row of set 9 is S already, and the text speaks of T on set 9: it is T."
THOUSAND = 1000


# --- Tables 5 and 6, from the printed counts ------------------------------------------------------


def table_5(run: Run) -> Shown:  # noqa: ARG001
    """Show the metrics of the 48 classifiers, from the counts that Table 6 prints."""
    matrix = matrices()
    metrics, ticks = metrics_of(matrix), confident(matrix)
    lines: list[Line] = []
    agree = 0
    for place, row in enumerate(printed("elazmeh_table_5")):
        what = called(row["set"], row["classifier"])
        for key, (name, _) in METRICS.items():
            lines.append(percent_line(f"{what}: {name}", row[key], float(metrics[key][place])))
            agree += lines[-1].verdict == "matches" or bool(lines[-1].reason)
        lines.append(tick_line(f"{what}: tick", row["tick"], bool(ticks[place])))
    lines.append(as_said("set 9, second row: label", "S", False, "T", reason=LABEL))
    return Shown(
        lines=tuple(lines),
        pictures=(_scores_and_ticks(metrics["f"], ticks),),
        notes=(
            "Computed from the a, b, c and d of Table 6. S, T, F and B are a decision stump, a decision tree, a random"
            " forest and naive Bayes; the tick means that Tango's 95 % interval for (b - c) / n includes 0.",
            f"Two accuracies were rounded to two decimals and then to one; with that, {agree} of 240 numbers agree.",
        ),
    )


def _scores_and_ticks(f: FloatArray, ticks: BoolArray) -> Picture:
    balance = 100 * np.abs(matrices().label_against_prediction().difference)
    return plotted(
        "No value of F makes a classifier confident",
        "The 48 classifiers by F and by the absolute difference of their errors. Those with a tick lie below 3.5"
        " points, at F from 26 to 100; those without above 1 point, at F from 0 to 98.",
        [
            Series("with a tick", 100 * f[ticks], balance[ticks], "points"),
            Series("without", 100 * f[~ticks], balance[~ticks], "points"),
        ],
        x="F, %",
        y="|b - c| / n, points",
    )


def table_6(run: Run) -> Shown:  # noqa: ARG001
    """Show the intervals of the 48 classifiers, and what becomes of ticks with more examples."""
    matrix = matrices()
    table = matrix.label_against_prediction()
    limits, ticks = ta.compare(table, interval="tango").interval, confident(matrix)
    lines: list[Line] = []
    agree = 0
    for place, row in enumerate(printed("elazmeh_table_6")):
        what = called(row["set"], row["classifier"])
        for key, share in (("low", limits.low), ("high", limits.high), ("difference", table.difference)):
            lines.append(percent_line(f"{what}: {key}", row[key], float(share[place])))
            agree += lines[-1].verdict == "matches" or bool(lines[-1].reason)
        lines.append(tick_line(f"{what}: tick", row["tick"], bool(ticks[place])))
    lines.append(as_said("set 9, second row: label", "S", False, "T", reason=LABEL))
    survive = confident(ta.ConfusionMatrix(THOUSAND * matrix.counts, matrix.labels)) & ticks
    kept = ", ".join(called(*name) for name, still in zip(names(), survive, strict=True) if still)
    lines.append(
        claimed(
            "ticks at a thousand times the examples",
            "Tango gives a consistent notion of confidence",
            survive.sum() == ticks.sum(),
            f"with the same error rates on a thousand times the examples, {survive.sum()} of {ticks.sum()} ticks are"
            f" left ({kept})",
            reason="A tick is no evidence of balance, but a lack of evidence against it, and a small test set is the"
            " surest way to it: only where b equals c does it stay.",
        )
    )
    return Shown(
        lines=tuple(lines),
        pictures=(_intervals(limits, table.difference), _ticks_left(matrix, ticks)),
        tables=(_when_lost(table, ticks),),
        notes=(
            "In percent. Tango's interval of label against prediction: b are the positives that were missed, c the"
            " negatives that were taken for positive, n all examples that were tested.",
            f"Seven numbers were rounded to two decimals and then to one; with that, {agree} of 144 agree.",
            "Beyond the paper: at k times the examples and the same rates the score grows by the root of k, so that a"
            " tick is lost at k = (1.96 / score)².",
        ),
    )


def _intervals(limits: Any, difference: FloatArray) -> Picture:
    rows, where = printed("elazmeh_table_6"), names()
    offsets = {"S": -0.3, "T": -0.1, "F": 0.1, "B": 0.3}
    series = []
    for classifier, name in LEARNERS.items():
        some = np.array([place for place, (_, each) in enumerate(where) if each == classifier])
        at = np.array([int(where[place][0]) for place in some]) + offsets[classifier]
        low, high = 100 * limits.low[some], 100 * limits.high[some]
        series.append(Series(f"{name} ({classifier})", at, 100 * difference[some], "points", low, high))
    places = [int(number) + offsets[classifier] for number, classifier in where]
    series.append(Series("printed (b - c) / n", places, [float(row["difference"]) for row in rows], "paper"))
    return plotted(
        "Tango's 95 % intervals of the 48 classifiers",
        "Four intervals for each of twelve data sets. On sets 1, 11 and 12 most lie far below 0, on set 5 above; on"
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
        "How many ticks are left when the test sets grow",
        f"The number of classifiers with a tick, at the same error rates on k times the examples: {left[0]} at k = 1,"
        f" {left[-1]} at k = 1000.",
        [Series("ticks", times, left, "steps")],
        x="times the examples",
        y="classifiers with a tick",
        log="x",
    )


def _when_lost(table: ta.PairedTable, ticks: BoolArray) -> Table:
    """Return at how many times the examples each tick would be lost."""
    score = np.abs(ta.compare(table, method="tango").statistic)
    z = lab.NormalModel(0.0, 1.0).interval(alpha=0.05)[1]
    rows = []
    for place in np.flatnonzero(ticks):
        times = (z / score[place]) ** 2 if score[place] > 0 else np.inf
        told = Cell(f"{times:,.3g}" if np.isfinite(times) else "never", float(times))
        b, c = int(table.only_a_wrong[place]), int(table.only_b_wrong[place])
        rows.append(
            (*names()[place], b, c, int(table.examples[place]), Cell(f"{score[place]:.3f}", float(score[place])), told)
        )
    head = ("set", "classifier", "b", "c", "n", "score", "the tick is lost at so many times the examples")
    return Table.of("Ticks, and when they would be lost", head, rows, "At the same error rates.")


# --- What the text says ---------------------------------------------------------------------------


def claims(run: Run) -> Shown:  # noqa: ARG001
    """Show which conclusions the printed counts bear out."""
    return Shown(
        lines=(*_about_set_1(), *_about_classes(), *_about_f(), *_about_ticks(), *_about_errors(), *_about_ranks()),
        notes=(
            "Each statement is held against the 48 printed matrices. A tick says that the numbers of the two kinds of"
            " error do not differ significantly (Tango, alpha 0.05), and no more: neither that there are few errors,"
            " nor that their numbers are equal.",
        ),
    )


def _by_set(values: Any) -> dict[str, dict[str, Any]]:
    """Return values of the 48 rows, by set and classifier."""
    found: dict[str, dict[str, Any]] = {}
    for (number, classifier), value in zip(names(), values, strict=True):
        found.setdefault(number, {})[classifier] = value.item()
    return found


def _told(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.1f}" for name, value in values.items())


def _about_set_1() -> Iterator[Line]:
    matrix = matrices()
    limits = ta.compare(matrix.label_against_prediction(), interval="tango").interval
    wide = _by_set(100 * (limits.high - limits.low))["1"]
    a, b, c, d = letters(matrix)
    ticks, metrics = _by_set(confident(matrix))["1"], {key: _by_set(v)["1"] for key, v in metrics_of(matrix).items()}
    yield claimed(
        "set 1, S: interval",
        "S has the widest interval",
        max(wide, key=wide.__getitem__) == "S",
        f"widths {_told(wide)}",
        reason="It is the narrowest: all errors of S are of one kind. But it is the farthest from 0.",
    )
    yield claimed(
        "set 1, S: predictions",
        "S predicts the positive class for all examples",
        b[0] == d[0] == 0,
        f"(a, b, c, d) = ({a[0]}, {b[0]}, {c[0]}, {d[0]})",
    )
    yield claimed(
        "set 1, T: tick",
        "T is the confident classifier",
        [name for name, tick in ticks.items() if tick] == ["T"],
        f"confident: {', '.join(name for name, tick in ticks.items() if tick)}",
    )
    least = all(
        min(metrics[key], key=metrics[key].__getitem__) == "B" for key in ("accuracy", "recall", "fp_rate", "f")
    )
    yield claimed(
        "set 1, B: scores",
        "B has a much lower FP rate, and lower scores",
        least,
        "accuracy, recall, FP rate and F of B are the lowest of the four; its precision"
        f" ({100 * metrics['precision']['B']:.1f}) is the second best",
    )
    yield claimed(
        "set 1, B: errors",
        "that is due to its error on both classes: both b and c are higher",
        b[3] == max(b[:4]) and c[3] == max(c[:4]),
        f"b: {', '.join(map(str, b[:4]))}; c: {', '.join(map(str, c[:4]))} (S, T, F, B)",
        reason="b is the highest of the four, but c is the lowest.",
    )


def _about_classes() -> Iterator[Line]:
    """Yield what is said of sets 5 and 9, with few positives."""
    matrix = matrices()
    a, b, c, d = letters(matrix)
    f, ticks, accuracy = (_by_set(each) for each in (100 * matrix.f1(), confident(matrix), 100 * matrix.accuracy))
    recall, negative = _by_set(a / (a + b)), _by_set(d / (c + d))
    balance = _by_set(np.abs(matrix.label_against_prediction().difference))
    for number in ("5", "9"):
        worse = [name for name in LEARNERS if recall[number][name] < negative[number][name]]
        yield claimed(
            f"set {number}: the two classes",
            "all four do better on the negative class",
            len(worse) == 4,
            f"recall {_told({name: 100 * x for name, x in recall[number].items()})};"
            f" of negatives {_told({name: 100 * x for name, x in negative[number].items()})}",
        )
        chosen = [name for name, tick in ticks[number].items() if tick]
        least = min(balance[number], key=balance[number].__getitem__)
        yield claimed(
            f"set {number}: the confident one",
            "it has the highest F and the least |b - c| / n of its set",
            chosen == [max(f[number], key=f[number].__getitem__)] == [least],
            f"confident: {', '.join(chosen)}; F {_told(f[number])}",
        )
    yield claimed(
        "set 9, S: accuracy",
        "S finds no positive, and its accuracy is high",
        recall["9"]["S"] == 0 and max(accuracy["9"], key=accuracy["9"].__getitem__) == "S",
        f"accuracy {_told(accuracy['9'])}",
    )


def _about_f() -> Iterator[Line]:
    """Yield what is said of F and ticks, set by set."""
    matrix = matrices()
    f, ticks = _by_set(100 * matrix.f1()), _by_set(confident(matrix))
    best = {number: max(scores, key=scores.__getitem__) for number, scores in f.items()}
    for number in ("2", "4", "6", "7", "8", "10"):
        winner = best[number]
        yield claimed(
            f"set {number}: the highest F",
            "the highest F is confident",
            ticks[number][winner],
            f"{winner}, F {f[number][winner]:.1f}, {TICKS[ticks[number][winner]]}",
            reason="The same paragraph says so: B with 98.0 has no tick, T with 95.7 has one." if number == "2" else "",
        )
    yield claimed(
        "sets 3 and 10",
        "F of 80.2 (T, 3) is confident, 86.2 (F, 10) is not",
        ticks["3"]["T"] and not ticks["10"]["F"],
        f"T: {f['3']['T']:.1f}, {TICKS[ticks['3']['T']]}; F: {f['10']['F']:.1f}, {TICKS[ticks['10']['F']]}",
    )
    yield claimed(
        "set 2, T and B",
        "F of 95.7 (T) is confident, 98 (B) is not",
        ticks["2"]["T"] and not ticks["2"]["B"],
        f"T: {f['2']['T']:.1f}, {TICKS[ticks['2']['T']]}; B: {f['2']['B']:.1f}, {TICKS[ticks['2']['B']]}",
    )


def _about_ticks() -> Iterator[Line]:
    """Yield what a tick is said to go with: a higher F, and a lower |b - c| / n."""
    matrix = matrices()
    every, apart = confident(matrix), np.abs(matrix.label_against_prediction().difference)
    f, ticks, balance = _by_set(matrix.f1()), _by_set(every), _by_set(apart)
    pairs = [
        (f[number][one] > f[number][two], balance[number][one] < balance[number][two])
        for number in f
        for one in LEARNERS
        for two in LEARNERS
        if ticks[number][one] and not ticks[number][two]
    ]
    higher, lower = (sum(side) for side in zip(*pairs, strict=True))
    smaller = apart[every][:, None] < apart[~every]
    yield claimed(
        "no tick, and F",
        "loss of confidence appears to go with lower F",
        2 * higher > len(pairs),
        f"of two in a set, one with a tick and one without, the former has the higher F in {higher} of {len(pairs)}",
    )
    yield claimed(
        "ticks, and |b - c| / n, within a set",
        "Tango produces more confidence for a classifier with lower (b - c) / n",
        lower == len(pairs),
        f"of two in a set, the one with a tick has the lower |b - c| / n in {lower} of {len(pairs)}",
    )
    yield claimed(
        "ticks, and |b - c| / n, over all sets",
        "Tango shows a consistent confidence with lower values of |b - c| / n",
        smaller.all(),
        f"the one with a tick has the lower value in {int(smaller.sum())} of {smaller.size} pairs; B on set 3 has"
        f" {100 * balance['3']['B']:.1f} % and a tick, F on set 9 {100 * balance['9']['F']:.1f} % and none",
        reason="What decides is (b - c)² / (b + c): the same difference weighs less among many errors, and more"
        " on a large test set.",
    )


def _about_errors() -> Iterator[Line]:
    matrix = matrices()
    a, b, c, d = letters(matrix)
    ticks, n = confident(matrix), a + b + c + d
    error = matrix.error_count.rate
    place, other = names().index(("3", "S")), names().index(("2", "B"))
    yield claimed(
        "ticks, and errors",
        "Tango favours lower error on both classes",
        error[ticks].max() < error[~ticks].min(),
        f"S on set 3 is confident with {b[place] + c[place]} errors among {n[place]}, B on set 2 is not with"
        f" {b[other] + c[other]} among {n[other]}",
        reason="The test sees b - c alone: with b = c any error rate, on both classes, is called confident.",
    )
    pvalue = ta.compare(matrix.label_against_prediction(), method="tango").pvalue
    yield claimed(
        "without a tick",
        "an interval without 0 means that the difference is statistically insignificant",
        (pvalue[~ticks] >= 0.05).all(),
        f"p is below 0.05 for all {int((pvalue[~ticks] < 0.05).sum())} classifiers without a tick (Tango)",
        reason="It is the other way round: where the interval leaves out 0, the test rejects that b and c are alike.",
    )
    first = names().index(("1", "T"))
    here, moved, more = (
        ta.compare(ta.PairedTable(*cells), interval="tango").interval
        for cells in (
            (a[first], b[first], c[first], d[first]),
            (0, b[first], c[first], a[first] + d[first]),
            (a[first] - 20, b[first] + 20, c[first], d[first]),
        )
    )
    yield claimed(
        "which pairs inform",
        "a and d are the informative, discordant pairs, b and c the uninformative, concordant ones",
        here.low != moved.low and here.low == more.low,
        f"T on set 1: lower limit {100 * here.low:.2f} %; {100 * moved.low:.2f} % with all of a moved to d,"
        f" {100 * more.low:.2f} % with 20 of a moved to b",
        reason="Exchanged in the appendix; the section on case-control studies has it right.",
    )
    broken = (b >= a) | (c >= d)
    yield claimed(
        "assumption: right more often than wrong, on both classes",
        "on each class, errors are fewer than right predictions",
        not broken.any(),
        f"not so for {int(broken.sum())} of 48 classifiers, {int((broken & ticks).sum())} of them confident",
        reason="The paper's own classifiers break it, and get ticks nevertheless.",
    )


def _about_ranks() -> Iterator[Line]:
    accuracy = _by_set(100 * matrices().accuracy)
    for worse, better, statement in (
        ("S", "T", "a stump is expected to perform particularly worse than a tree"),
        ("T", "F", "a random forest is expected to outperform a single tree"),
    ):
        wins = [number for number, each in accuracy.items() if each[better] > each[worse]]
        losses = [number for number, each in accuracy.items() if each[better] < each[worse]]
        decided = len(wins) + len(losses)
        tail = lab.BinomialModel(decided, 0.5).probability(np.arange(len(wins), decided + 1)).sum()
        yield claimed(
            f"{worse} against {better}",
            statement,
            len(wins) > len(losses),
            f"{better} has the higher accuracy on {len(wins)} of 12 sets, {worse} on {len(losses)}"
            f" ({', '.join(losses)}); if neither were better, as many or more would be in {100 * tail:.0f} % of cases",
        )
    places = {number: sorted(each.values(), reverse=True).index(each["B"]) + 1 for number, each in accuracy.items()}
    first = [number for number, place in places.items() if place == 1]
    yield claimed(
        "B, trained on balanced data",
        "naive Bayes is expected to perform well when trained on balanced data",
        max(places["11"], places["12"]) <= 2,
        f"of four, its accuracy is number {places['11']} on set 11 and {places['12']} on set 12, where training is"
        f" balanced; it is the highest on sets {', '.join(first)}, where it is not",
        reason="Balanced training sets do not make it better than the others.",
    )
