"""Elazmeh, Japkowicz and Matwin (2006): conclusions of the text on its 48 classifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ..run import Run
from ..verdicts import Line, Shown, claimed
from .interval import TICKS, letters, matrices, metrics_of, names
from .training import LEARNERS, confident


def claims(run: Run) -> Shown:  # noqa: ARG001
    """Show which conclusions the printed counts support."""
    return Shown(
        lines=(*_about_set_1(), *_about_classes(), *_about_f(), *_about_ticks(), *_about_errors(), *_about_ranks()),
        notes=(
            "Each statement is tested on the 48 printed matrices. A tick only means that the numbers of the two kinds"
            " of error do not differ significantly (Tango, alpha 0.05): neither that there are few errors, nor that"
            " their numbers are equal.",
        ),
    )


def _by_set(values: Any) -> dict[str, dict[str, Any]]:
    """Return values of the 48 rows, by set and classifier."""
    by_set: dict[str, dict[str, Any]] = {}
    for (number, classifier), value in zip(names(), values, strict=True):
        by_set.setdefault(number, {})[classifier] = value.item()
    return by_set


def _figures_text(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.1f}" for name, value in values.items())


def _about_set_1() -> Iterator[Line]:
    matrix = matrices()
    limits = ta.estimate(matrix, metric="label-balance").interval
    wide = _by_set(100 * (limits.high - limits.low))["1"]
    a, b, c, d = letters(matrix)
    ticks, metrics = _by_set(confident(matrix))["1"], {key: _by_set(v)["1"] for key, v in metrics_of(matrix).items()}
    yield claimed(
        "set 1, S: interval",
        "S has the widest interval",
        max(wide, key=wide.__getitem__) == "S",
        f"widths {_figures_text(wide)}",
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
        f" ({100 * metrics['precision']['B']:.1f}) is the second highest",
    )
    yield claimed(
        "set 1, B: errors",
        "that is due to its error on both classes: both b and c are higher",
        b[3] == max(b[:4]) and c[3] == max(c[:4]),
        f"b: {', '.join(map(str, b[:4]))}; c: {', '.join(map(str, c[:4]))} (S, T, F, B)",
        reason="b is the highest of the four, but c is the lowest.",
    )


def _about_classes() -> Iterator[Line]:
    """Yield the claims about sets 5 and 9, which have few positives."""
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
            f"recall {_figures_text({name: 100 * x for name, x in recall[number].items()})};"
            f" of negatives {_figures_text({name: 100 * x for name, x in negative[number].items()})}",
        )
        chosen = [name for name, tick in ticks[number].items() if tick]
        least = min(balance[number], key=balance[number].__getitem__)
        yield claimed(
            f"set {number}: the confident classifier",
            "it has the highest F and the smallest |b - c| / n of its set",
            chosen == [max(f[number], key=f[number].__getitem__)] == [least],
            f"confident: {', '.join(chosen)}; F {_figures_text(f[number])}",
        )
    yield claimed(
        "set 9, S: accuracy",
        "S finds no positive, and its accuracy is high",
        recall["9"]["S"] == 0 and max(accuracy["9"], key=accuracy["9"].__getitem__) == "S",
        f"accuracy {_figures_text(accuracy['9'])}",
    )


def _about_f() -> Iterator[Line]:
    """Yield the claims about F and ticks, set by set."""
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
            reason="The same paragraph says: B with 98.0 has no tick, T with 95.7 has one." if number == "2" else "",
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
    """Yield the claims that ticks come with a higher F and a lower |b - c| / n."""
    matrix = matrices()
    every, distances = confident(matrix), np.abs(matrix.label_against_prediction().difference)
    f, ticks, balance = _by_set(matrix.f1()), _by_set(every), _by_set(distances)
    pairs = [
        (f[number][one] > f[number][two], balance[number][one] < balance[number][two])
        for number in f
        for one in LEARNERS
        for two in LEARNERS
        if ticks[number][one] and not ticks[number][two]
    ]
    higher, lower = (sum(side) for side in zip(*pairs, strict=True))
    smaller = distances[every][:, None] < distances[~every]
    yield claimed(
        "no tick, and F",
        "loss of confidence appears to go with lower F",
        2 * higher > len(pairs),
        f"among pairs with and without a tick in a set, the one with the tick has the higher F in {higher} of"
        f" {len(pairs)}",
    )
    yield claimed(
        "ticks, and |b - c| / n, within a set",
        "Tango produces more confidence for a classifier with lower (b - c) / n",
        lower == len(pairs),
        f"among such pairs in a set, the one with the tick has the lower |b - c| / n in {lower} of {len(pairs)}",
    )
    yield claimed(
        "ticks, and |b - c| / n, over all sets",
        "Tango shows a consistent confidence with lower values of |b - c| / n",
        smaller.all(),
        f"the one with the tick has the lower value in {int(smaller.sum())} of {smaller.size} pairs; B on set 3 has"
        f" {100 * balance['3']['B']:.1f}% and a tick, F on set 9 {100 * balance['9']['F']:.1f}% and no tick",
        reason="The tick depends on (b - c)² / (b + c): the same difference is less significant with many errors, and"
        " more significant on a large test set.",
    )


def _about_errors() -> Iterator[Line]:
    matrix = matrices()
    a, b, c, d = letters(matrix)
    ticks, n = confident(matrix), a + b + c + d
    error = matrix.error_count.rate
    index, other = names().index(("3", "S")), names().index(("2", "B"))
    yield claimed(
        "ticks, and errors",
        "Tango favours lower error on both classes",
        error[ticks].max() < error[~ticks].min(),
        f"S on set 3 is confident with {b[index] + c[index]} errors in {n[index]} examples, B on set 2 is not with"
        f" {b[other] + c[other]} in {n[other]}",
        reason="The test depends only on b - c: with b = c every error rate, on both classes, is called confident.",
    )
    pvalue = ta.compare(matrix.label_against_prediction(), method="tango").pvalue
    yield claimed(
        "without a tick",
        "an interval without 0 means that the difference is statistically insignificant",
        (pvalue[~ticks] >= 0.05).all(),
        f"p is below 0.05 for all {int((pvalue[~ticks] < 0.05).sum())} classifiers without a tick (Tango)",
        reason="The reverse is true: if the interval excludes 0, the test rejects the hypothesis of equal b and c.",
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
        f"T on set 1: lower limit {100 * here.low:.2f}%; {100 * moved.low:.2f}% with all of a moved to d,"
        f" {100 * more.low:.2f}% with 20 of a moved to b",
        reason="Swapped in the appendix; the section on case-control studies is right.",
    )
    broken = (b >= a) | (c >= d)
    yield claimed(
        "assumption: right more often than wrong, on both classes",
        "on each class, errors are fewer than right predictions",
        not broken.any(),
        f"violated by {int(broken.sum())} of 48 classifiers, {int((broken & ticks).sum())} of them confident",
        reason="Some of the paper's own classifiers violate it, and still have ticks.",
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
            f" ({', '.join(losses)}); sign test, one-sided p = {tail:.2f}",
        )
    places = {number: sorted(each.values(), reverse=True).index(each["B"]) + 1 for number, each in accuracy.items()}
    first = [number for number, index in places.items() if index == 1]
    yield claimed(
        "B, trained on balanced data",
        "naive Bayes is expected to perform well when trained on balanced data",
        max(places["11"], places["12"]) <= 2,
        f"among four, its accuracy has rank {places['11']} on set 11 and {places['12']} on set 12, where training is"
        f" balanced; it is the highest on sets {', '.join(first)}, where it is not",
        reason="Balanced training sets do not make it better than the others.",
    )
