"""Dietterich (1998), sections 4 and 5: simulated learners, and the type I error of five tests on them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import special

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ..drawing import Series, plotted
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared, missing
from .measures import point_errors, rates, series_of

FIVE = {
    "mcnemar-corrected": "McNemar",
    "difference-of-proportions": "proportions",
    "resampled-t": "resampled t",
    "kfold-t": "10-fold t",
    "5x2cv-t": "5x2cv t",
}
EPSILONS = (0.1, 0.2, 0.3, 0.4)
_ONE_SPLIT = ("mcnemar-corrected", "difference-of-proportions", "mcnemar")  # tests of one table
ACCEPTABLE = 0.055  # the target plus a tenth of it, a negligible excess


def figure_3(run: Run) -> Shown:
    """Measure how often trees trained on 100 examples misclassify each example."""
    sets = run.size(1000, quick=200, most=5_000, of="training sets", ours=True)
    (errors,) = run.cells(point_errors, [{"data": "digits", "examples": 100}], sets, block=500)
    wrong, tested = errors["wrong"].sum(axis=0), errors["tested"].sum(axis=0)
    epsilon = np.sort(wrong / tested)
    design = lab.SimulatedLearners.from_rates(epsilon, epsilon, examples=300)
    mean, real = float(design.truth("error")), errors["error"]
    chance = math.sqrt(mean * (1 - mean) / 100)  # sd of the error rate on 100 random examples
    spread = math.sqrt(chance**2 + real.var(ddof=1) * 0.99)
    return Shown(
        lines=(
            missing(
                "the curve of C4.5", "ε(x) of 7,670 examples", "The population is not named, and no value is printed."
            ),
            claimed(
                "ε(x)",
                "ε(x) is the probability that x is misclassified: 0 if never, 1 if always",
                epsilon[0] >= 0 and epsilon[-1] <= 1 and epsilon[-1] > epsilon[0],
                f"from {epsilon[0]:.3f} to {epsilon[-1]:.3f}; median {np.median(epsilon):.3f}",
            ),
            claimed(
                "simulated learner, average",
                "a learner simulated by ε(x) has the same average error rate as the real one",
                abs(mean - real.mean()) < 0.005,
                f"{mean:.4f}, and {real.mean():.4f} for the trees (tolerance: 0.005)",
            ),
            claimed(
                "simulated learner, variation",
                "a learner simulated by ε(x) varies from one random trial to the next to a similar degree",
                spread < 1.5 * chance,
                f"standard deviation {chance:.4f} on 100 test examples, and {spread:.4f} for the trees: a ratio of"
                f" {spread / chance:.2f} (threshold: 1.5)",
            ),
        ),
        pictures=(
            plotted(
                "ε(x) of a tree trained on 100 digits, sorted",
                f"A curve that rises slowly from 0 and steeply towards 1; the mean is {mean:.2f}.",
                [Series("tree", np.arange(1, epsilon.size + 1), epsilon)],
                x="examples, sorted by ε(x)",
                y="ε(x)",
                across=(mean,),
            ),
        ),
        notes=(
            "The paper uses C4.5 and 7,670 examples of a population that it does not name. Here it is the entropy tree"
            f" of scikit-learn on its {epsilon.size:,} digits, with {sets:,} training sets of 100. The thin line is the"
            " mean.",
            "A learner simulated by these rates makes independent errors, so it varies less than a tree, where one bad"
            " training set affects all examples.",
        ),
    )


def figure_4(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn by chance
    """Show the two error rates that are swapped between the halves of the population."""
    design = lab.SimulatedLearners(0.10)
    a, b, shares = design.error_a, design.error_b, design.shares
    totals = [float(shares @ (rate * (1 - rate))) for rate in (a, b)]
    x = np.array([0.0, 50.0, 50.0, 100.0])
    return Shown(
        lines=(
            compared("average error of A", "0.10", float(shares @ a)),
            compared("average error of B", "0.10", float(shares @ b)),
            claimed(
                "two levels",
                "A has the error rate ε/2 on the first half of the population and 3ε/2 on the second, B the reverse",
                sorted(a) == sorted(b) == [0.05, 0.1 * 1.5] and bool(np.all(a == b[::-1])) and set(shares) == {0.5},
                f"A {a[0]:g} and {a[1]:g}, B {b[0]:g} and {b[1]:g}",
            ),
            claimed(
                "variance",
                "each algorithm has the same total variance",
                math.isclose(*totals),
                f"mean of ε(x)(1 − ε(x)): {totals[0]:.5f} and {totals[1]:.5f}",
            ),
            missing(
                "choice of the two levels",
                "these did the best job of maximising variance within and variation between the algorithms",
                "The paper does not state what was measured, and compared with which other values.",
            ),
        ),
        pictures=(
            plotted(
                "Designed ε(x) for an error rate of 0.10",
                "A has an error rate of 0.05 on the first half of the population and 0.15 on the second; B the"
                " reverse.",
                [Series("A", x, a[[0, 0, 1, 1]]), Series("B", x, b[[0, 0, 1, 1]])],
                x="percentage of the population",
                y="ε(x)",
            ),
        ),
        notes=(
            "A sample with more examples of one half favours one of the two learners, although neither is better: a"
            " worst case for tests. (The paper's “first 50 data points” are the first half of the population, whatever"
            " its size.)",
        ),
    )


def figure_5(run: Run) -> Shown:
    """Measure the type I error rates of five tests for simulated learners."""
    trials = run.size(1000, quick=30_000, of="trials per bar")
    names = [*FIVE, "mcnemar"]
    cells = [{"method": name, "options": _simulated_lines(name, epsilon)} for name in names for epsilon in EPSILONS]
    rejection_rates = rates(run, cells, trials)
    size = {name: rejection_rates[4 * index : 4 * index + 4] for index, name in enumerate(names)}
    value = {name: [each.value for each in four] for name, four in size.items()}
    rows = [(name, "simulated", *(round(each, 4) for each in value[name])) for name in names]
    rows += [
        (name, "enumerated", *(round(_exact_size(name, epsilon), 4) for epsilon in EPSILONS)) for name in _ONE_SPLIT
    ]
    return Shown(
        lines=tuple(_of_five_tests(value)),
        pictures=(
            plotted(
                "Type I error, samples of 300",
                "Bars for five tests at four error rates. The resampled t test reaches one third; the test of"
                " proportions is above the line at 0.05, all others are at or below it.",
                [
                    series_of(f"ε = {epsilon}", range(5), [size[name][index] for name in FIVE], "bars")
                    for index, epsilon in enumerate(EPSILONS)
                ],
                x="",
                y="Type I error",
                across=(0.05,),
                ticks=list(enumerate(FIVE.values())),
            ),
        ),
        tables=(Table.of("Type I error by ε", ("test", "how", *map(str, EPSILONS)), rows),),
        notes=(
            "The bars of the paper's figure have no numbers, so its statements about them are compared. Tests on one"
            " split use 100 examples, and their type I error is also enumerated, as for independent examples with the"
            " same probabilities. For the 10-fold test the quality of training sets varies by up to 0.02, equally for"
            " both learners, which cancels in their difference.",
            "The type I error rate of McNemar's test is closer to 0.05 without the correction. These simulations have"
            " no overlapping training sets as in cross-validation, so they underestimate the type I error rate of the"
            " 10-fold test.",
        ),
    )


def _of_five_tests(value: dict[str, list[float]]) -> Iterator[Line]:
    proportions, resampled = value["difference-of-proportions"], value["resampled-t"]
    others = np.max([value[name] for name in FIVE if name != "resampled-t"], axis=0)
    times = float((np.array(resampled) / others).min())
    yield claimed(
        "proportions",
        "the test of proportions exceeds the target value of 0.05",
        min(proportions) > 0.05,
        _state_size(proportions),
    )
    yield claimed(
        "resampled t",
        "the resampled t test exceeds the target value of 0.05, and is much higher than the other tests",
        min(resampled) > 0.05 and times > 1.5,
        f"{_state_size(resampled)}: at least {times:.1f} times the highest of the others (threshold: 1.5)",
    )
    for name in ("mcnemar-corrected", "kfold-t", "5x2cv-t"):
        yield claimed(
            FIVE[name],
            f"{FIVE[name]}: acceptable probability of making a Type I error",
            max(value[name]) < ACCEPTABLE,
            f"{_state_size(value[name])} (threshold: {ACCEPTABLE})",
        )
    yield claimed(
        "proportions by ε",
        "the test of proportions suffers from unrepresentative samples, especially when ε is near 0.5",
        proportions[3] > proportions[2] > max(proportions[:2]),
        f"{_state_size(proportions)} at ε = 0.1, 0.2, 0.3, 0.4",
    )


def _simulated_lines(method: str, epsilon: float) -> dict[str, float]:
    """Return the options of the simulated learners; for the k-fold test, the quality of training sets varies."""
    return {"epsilon": epsilon} | ({"beta": 0.02} if method == "kfold-t" else {})


def _exact_size(method: str, epsilon: float) -> float:
    """Return the exact type I error rate on 100 test examples."""
    error, disagreement = np.asarray(epsilon), np.asarray(lab.SimulatedLearners(epsilon).cells[1:3].sum())
    calibration: Any = ta.calibrate(method, lab.PairedOutcomes(error, error, disagreement, 100), differences=[])
    return float(calibration.size.value)


def _state_size(values: Any) -> str:
    return ", ".join(f"{value:.3f}" for value in values)


def figure_6(run: Run) -> Shown:
    """Measure the Type I error of the resampled t test by splits, and of the k-fold t test by folds."""
    trials = run.size(1000, quick=20_000, of="trials per point")
    splits, folds = (5, 10, 20, 30, 50, 100), (2, 3, 5, 10, 15, 20, 25, 30, 50)
    plans = [("resampled-t", f"{number}x(2/3)") for number in splits] + [
        ("kfold-t", f"{number}-fold") for number in folds
    ]
    rejection_rates = rates(
        run, [{"method": name, "options": {"epsilon": 0.1, "plan": plan}} for name, plan in plans], trials
    )
    resampled, folded = rejection_rates[: len(splits)], rejection_rates[len(splits) :]
    rising = [each.value for each in resampled]
    highest = max(each.value for each in folded)
    return Shown(
        lines=(
            claimed(
                "resampled t",
                "the Type I error of the resampled t test can be increased by increasing the number of splits",
                rising == sorted(rising) and rising[-1] > 3 * rising[0],
                "; ".join(f"{number}: {value:.3f}" for number, value in zip(splits, rising, strict=True)),
            ),
            claimed(
                "cross-validated t",
                "the cross-validated t test does not exhibit this problem",
                highest < ACCEPTABLE + 3.3 * math.sqrt(0.05 / trials),
                "; ".join(f"{number}: {each.value:.3f}" for number, each in zip(folds, folded, strict=True))
                + f" (threshold: {ACCEPTABLE}, plus chance)",
            ),
        ),
        pictures=(
            plotted(
                "Type I error by the number of splits or folds, ε = 0.1",
                "The type I error of the resampled t test rises from 0.05 to above 0.2 at 100 splits; that of the"
                " cross-validated t test stays at 0.05.",
                [
                    series_of("resampled t, by splits", splits, resampled),
                    series_of("k-fold t, by folds", folds, folded),
                ],
                x="splits, or folds",
                y="Type I error",
                across=(0.05,),
                log="x",
                ticks=[(number, str(number)) for number in (2, 5, 10, 20, 50, 100)],
            ),
        ),
        notes=(
            "For the cross-validated test the paper's “number of replications” is the number of folds. All splits use"
            " the same sample, so the t test treats the peculiarities of this sample as a difference between learners:"
            " with enough splits it always rejects.",
            "If two folds have the same difference, the variance is 0; this counts as no rejection.",
        ),
    )


_BY_P = ("difference-of-proportions", "mcnemar-corrected", "mcnemar", "mcnemar-exact", "mcnemar-mid-p")


def examples(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn by chance
    """Show two tables with the same p-value by the test of proportions, but not by McNemar's test."""
    lines: list[Line] = []
    rows: list[tuple[Any, ...]] = []
    for row in printed("dietterich_examples"):
        table = ta.PairedTable(*(int(row[name]) for name in ("n00", "n01", "n10", "n11")))
        p = {name: _pvalue_of(table, name) for name in _BY_P}
        lines += _of_a_table(row, table, p)
        rows.append((row["table"], *p.values()))
    corrected = rows[0][1 + _BY_P.index("mcnemar-corrected")]
    lines.append(
        claimed(
            "corrected proportions",
            "the corrected test of proportions would not have suffered from this problem",
            corrected >= 0.05,
            f"its square is McNemar's statistic: p = {corrected:.4g} for the left table",
        )
    )
    return Shown(
        lines=tuple(lines),
        tables=(Table.of("p-values", ("table", *_BY_P), rows),),
        notes=(
            "For the left table McNemar's test with the correction is not significant at 0.05; without the correction"
            " p = 0.0455. The learners disagree on all examples in the left table, and on a fifth of them in the right"
            " one.",
        ),
    )


def _of_a_table(row: Any, table: ta.PairedTable, p: dict[str, float]) -> Iterator[Line]:
    which, heads, tails = row["table"], int(row["n01"]), int(row["n10"])
    proportions, mcnemar = p["difference-of-proportions"], p["mcnemar-corrected"]
    yield compared(f"{which}, difference in error rates", "0.20", abs(float(table.difference)))
    yield claimed(
        f"{which}, proportions",
        f"{which} table: the test of proportions rejects the null hypothesis, {row['proportions']}",
        proportions < 0.005,
        f"p = {proportions:.4g}",
    )
    significant = row["mcnemar"] != "not significant"
    yield claimed(
        f"{which}, McNemar",
        f"{which} table: McNemar's test finds "
        + (f"an extremely significant difference, {row['mcnemar']}" if significant else "no significant difference"),
        mcnemar < 0.001 if significant else mcnemar >= 0.05,
        f"p = {mcnemar:.4g}, {'below' if significant else 'above'} {0.001 if significant else 0.05}",
    )
    if significant:  # the paper's 20 heads are B's
        heads, tails = tails, heads
    yield claimed(
        f"{which}, coin tosses",
        f"{which} table: McNemar's test asks how probable {heads} heads and {tails} tails are, with a fair coin",
        math.isclose(p["mcnemar-exact"], _coin_tosses(heads, tails)),
        f"this or a more uneven result: p = {_coin_tosses(heads, tails):.4g}; the exact test has p ="
        f" {p['mcnemar-exact']:.4g}",
    )


def _pvalue_of(table: ta.PairedTable, method: str) -> float:
    comparison: Any = ta.compare(table, method=method)
    return float(comparison.pvalue)


def _coin_tosses(heads: int, tails: int) -> float:
    """Return the two-sided probability of this or a more uneven result with a fair coin."""
    return min(1.0, 2 * float(special.bdtr(min(heads, tails), heads + tails, 0.5)))
