"""Dietterich (1998), sections 6 to 8: real learners with equal and different errors, and the conclusions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ..drawing import Series, plotted
from ..measured import Measured
from ..run import Arrays, Cell, Run
from ..verdicts import Line, Shown, claimed, missing
from .measures import rates, series_of
from .questions import NO_LETTER
from .trials import FOUR, PLANS, TASKS, Rate, Tried, resamples, tree, tried

_REGIONS = ((0.05, 0.15), (0.25, 0.75), (0.0, 1.0))  # errors of A on the halves of a population; B has them reversed
_SOUND = ("mcnemar-corrected", "difference-of-proportions", "5x2cv-t")  # acceptable in Figure 7
_CLOSE = "The two are close. Which one is better depends on learners and data, and ours are replacements."
_STAND_INS = (
    "C4.5 is replaced by scikit-learn's entropy tree (leaves of two or more, cost-complexity pruning of 0.02), EXP6 by"
    " four classes with curved borders, Letter by the digits of scikit-learn. Every trial has 300 examples, with random"
    " splits: a third of them for testing, ten folds, and five times two halves.",
)


def figure_7(run: Run) -> Shown:
    """Measure the type I error rates of four tests."""
    by_task = {name: tried(run, name) for name in TASKS}
    return Shown(
        lines=tuple(_of_four_tests(list(by_task.values()))),
        pictures=(
            plotted(
                "Type I error for learners with equal errors",
                "Bars for four tests on three tasks, with 95% limits, and a line at 0.05.",
                [
                    series_of(each.task.description, range(4), [each.rate(test) for test in FOUR], "bars")
                    for each in by_task.values()
                ],
                x="",
                y="Type I error",
                across=(0.05,),
                ticks=list(enumerate(FOUR.values())),
            ),
        ),
        tables=(_equality_figure(by_task),),
        notes=(
            *_STAND_INS,
            "On the first two tasks the nearest neighbour is the better learner and gets bad weights; on Pima it is the"
            " tree, and some of its predictions are flipped. The amount of damage depends on the size of the training"
            " set. A statement fails only if chance (one in a thousand) cannot explain our result: rates that are “not"
            " significantly different from 0.05” neither confirm nor contradict it.",
        ),
    )


def _of_four_tests(tasks: list[Tried]) -> Iterator[Line]:
    size = {test: [each.rate(test) for each in tasks] for test in FOUR}
    rates_text = {
        test: "; ".join(f"{each.task.description}: {each.rate(test).against(0.05)}" for each in tasks) for test in FOUR
    }
    yield claimed(
        "10-fold t",
        "the 10-fold t test is the only one whose Type I error exceeds 0.05",
        not any(rate.surely_below(0.05) for rate in size["kfold-t"]),
        rates_text["kfold-t"],
    )
    for test in _SOUND:
        yield claimed(
            FOUR[test],
            f"{FOUR[test]}: excellent Type I error, not above 0.05",
            not any(rate.surely_above(0.05) for rate in size[test]),
            rates_text[test],
        )
    highest = max(size["kfold-t"], key=lambda rate: rate.value)
    yield claimed(
        "10-fold t, how much",
        "the Type I error of the 10-fold t test is elevated, as much as twice the target level",
        not any(rate.surely_above(0.10) for rate in size["kfold-t"]),
        f"at most {highest.against(0.10)}",
    )


def _equality_figure(by_task: dict[str, Tried]) -> Table:
    """Return the errors of the equalised learners in the trials."""
    rows = [
        (
            each.task.description,
            plan,
            size,
            *(round(float(part), 4) for part in (*each.measured[index, 0], each.left_error[index])),
        )
        for each in by_task.values()
        for index, (plan, size) in enumerate(PLANS.items())
    ]
    head = ("task", "plan", "training set", "error of the tree", "of the neighbour", "standard error of the difference")
    return Table.of("Errors of the equalised learners", head, rows)


def figure_8(run: Run) -> Shown:
    """Draw the target and actual errors of the damaged nearest neighbour by the size of the training set."""
    trials_of_task = tried(run, "Letter")
    shares = trials_of_task.task.shares
    # By the size of the training set: 5x2cv, one split, ten folds.
    order = np.argsort(list(PLANS.values()))
    sizes = np.array(list(PLANS.values()))[order]
    rates_at_points = trials_of_task.measured[order, :, 1]
    # The fraction of the gap between the errors of the tree and the undamaged neighbour, in the same trials.
    worse, better = trials_of_task.measured[order, :1, 0], rates_at_points[:, -1:]
    off = float(np.max(np.abs((worse - rates_at_points) / (worse - better) - np.array(shares))))
    chance = 3 * math.sqrt(0.2 / (100 * trials_of_task.trials)) / abs(trials_of_task.gap)  # of errors in one split
    return Shown(
        lines=(
            claimed(
                "curves for fixed λ",
                "damaged NN lies at a fixed fraction of the way between the curves of C4.5 and of undamaged NN",
                off < 0.1 + chance,
                f"in the trials the largest distance from the fraction λ is {off:.3f}, over all sizes (tolerance: 0.1,"
                f" and {chance:.3f} for chance)",
            ),
        ),
        pictures=(
            plotted(
                "Learning curves on digits, for Letter",
                "Errors by the size of the training set: the tree is highest, the undamaged nearest neighbour lowest,"
                " and between them are curves for fixed fractions of the gap; the errors of the trials lie on them.",
                [
                    *(Series(f"λ = {share:g}", trials_of_task.sizes, trials_of_task.target(share)) for share in shares),
                    Series("in the trials", np.repeat(sizes, len(shares)), rates_at_points.ravel(), "points"),
                ],
                x="training examples",
                y="error",
                size=(6.4, 3.8),
                beside=True,
            ),
        ),
        notes=(
            "λ = 0 is the error of the tree, λ = 1 that of the undamaged nearest neighbour. The lines are the targets"
            " of the bad weights, the marks the errors of the damaged learner in the trials of Figure 10: in halves"
            " (150), in one split (200) and in ten folds (270).",
            *_STAND_INS[:1],
        ),
    )


def _power_figure(run: Run, name: str, about: str) -> tuple[Tried, list[Line], Any]:
    """Return the trials of a task, the claims about all three tasks, and the power curves."""
    trials_of_task = tried(run, name)
    mean = _mean_power(trials_of_task)
    text = "mean power " + ", ".join(f"{FOUR[test]} {value:.3f}" for test, value in mean.items())
    best = max(_SOUND, key=lambda test: mean[test])
    times = mean["kfold-t"] / mean[best]
    rival = max((test for test in _SOUND if test != "5x2cv-t"), key=lambda test: mean[test])
    ahead = _is_ahead(trials_of_task, "5x2cv-t", rival)
    lines = [
        claimed(
            "10-fold t",
            "the 10-fold t test is much more powerful than the other three",
            times > 1.2,
            f"{text}: {times:.2f} times the next (threshold: 1.2)",
        ),
        claimed(
            "5x2cv t",
            "of the tests with acceptable Type I error, the 5x2cv t test is the most powerful",
            ahead.not_negative,
            f"advantage over the next, {FOUR[rival]}: {ahead.description}",
            reason=_CLOSE,
        ),
    ]
    x = trials_of_task.points
    picture = plotted(
        f"Power on {trials_of_task.task.description}",
        about,
        [series_of(FOUR[test], x, [trials_of_task.rate(test, index) for index in range(x.size)]) for test in FOUR],
        x="difference after training on 300 examples, in percentage points",
        y="power",
        across=(0.05,),
    )
    return trials_of_task, lines, picture


def _mean_power(trials_of_task: Tried) -> dict[str, float]:
    """Return the mean power of each test over all differences."""
    return {test: float(trials_of_task.rejected[test][1:].mean()) / trials_of_task.trials for test in FOUR}


def _is_ahead(trials_of_task: Tried, test: str, other: str) -> Measured:
    """Return the difference in mean power of two tests on the same trials, with an upper bound of its error."""
    mean = _mean_power(trials_of_task)
    # An upper bound: as if the two never rejected together; all differences use the same examples.
    return Measured(mean[test] - mean[other], math.sqrt((mean[test] + mean[other]) / trials_of_task.trials))


_ABOUT = "Four curves that rise with the difference of the learners; that of the 10-fold t test is the highest."
_READ = (
    "At a difference of 0 the curves show the type I error. The horizontal axis is the difference of learners trained"
    " on all 300 examples; every plan has the same fraction of the gap between the undamaged learners.",
    "Mean power is over all differences shown. The error of a difference of means is an upper bound: in the same trials"
    " it is smaller.",
)


def figure_9(run: Run) -> Shown:
    """Draw the power of four tests by the difference of the learners, on curved regions."""
    _, lines, picture = _power_figure(run, "EXP6", _ABOUT)
    return Shown(lines=tuple(lines), pictures=(picture,), notes=(*_STAND_INS, *_READ))


def figure_10(run: Run) -> Shown:
    """Draw the power of four tests by the difference of the learners, on digits."""
    trials_of_task, lines, picture = _power_figure(run, "Letter", _ABOUT)
    ten = {
        test: float(np.interp(10, trials_of_task.points, trials_of_task.rejected[test])) / trials_of_task.trials
        for test in _SOUND
    }
    error = math.sqrt(0.25 / trials_of_task.trials)
    text = ", ".join(f"{FOUR[test]} {value:.2f}" for test, value in ten.items())
    lost = missing(
        "power at 10 pp",
        "10 percentage points are detected about one third of the time",
        f"{NO_LETTER} The power depends on the data. On digits it is {text} (± {error:.2f}).",
    )
    return Shown(lines=(*lines, lost), pictures=(picture,), notes=(*_STAND_INS, *_READ))


def figure_11(run: Run) -> Shown:
    """Draw the power of four tests by the difference of the learners, on Pima."""
    _, lines, picture = _power_figure(run, "Pima", _ABOUT)
    return Shown(lines=tuple(lines), pictures=(picture,), notes=(*_STAND_INS, *_READ))


# --- Discussion -------------------------------------------------------------------------------------


def swinging(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Count the rejections of 5x2cv for learners whose error rates vary between replications."""
    levels = rng.choice(cell["levels"], (trials, 2, 5, 1))
    if cell["alike"]:
        levels[:, 1] = levels[:, 0]
    if "first" in cell:
        levels[:, :, 0] = cell["first"]
    wrong = rng.binomial(150, np.broadcast_to(levels, (trials, 2, 5, 2)))
    comparison: Any = ta.compare(resamples(wrong / 150, "5x2"), method="5x2cv-t")
    return {"rejected": [(comparison.pvalue <= 0.05).sum()]}


def discussion(run: Run) -> Shown:
    """Show constructed cases in which the 5x2cv test and the test of proportions fail and McNemar's test does not."""
    trials = run.size(1000, quick=20_000, of="trials per construction", ours=True)
    regions = [{"error_a": list(pair), "error_b": list(pair[::-1])} for pair in _REGIONS]
    both = ("difference-of-proportions", "mcnemar-corrected")
    rejection_rates = rates(run, [{"method": name, "options": each} for name in both for each in regions], trials)
    proportions, mcnemar = rejection_rates[:3], rejection_rates[3:]
    tasks = [tried(run, name) for name in TASKS]
    seen = [each.rate("mcnemar-corrected") for each in tasks]
    highest = max((*mcnemar, *seen), key=lambda rate: rate.value)
    fits = {plan: _count_fits(plan) for plan in ("5x2", "holdout")}
    return Shown(
        lines=(
            claimed(
                "McNemar",
                "the Type I error of McNemar's test never once exceeded the target level",
                not any(rate.surely_above(0.05) for rate in (*mcnemar, *seen)),
                f"at most {highest.against(0.05)}, in three constructions and three tasks",
            ),
            *_of_swings(run, trials),
            claimed(
                "proportions",
                "the test of proportions fails where regions of poor performance differ and errors are close to 0.5",
                proportions[1].surely_above(0.05) and proportions[2].surely_above(0.05),
                "; ".join(
                    f"errors {a:g} and {b:g} on the halves: {rate}"
                    for (a, b), rate in zip(_REGIONS, proportions, strict=True)
                ),
            ),
            *_of_power(tasks),
            claimed(
                "cost",
                "5x2cv is ten times more expensive than McNemar's test",
                fits["5x2"] == 10 * fits["holdout"],
                f"{fits['5x2']} fits of two learners against {fits['holdout']}",
            ),
        ),
        tables=(
            Table.of(
                "Type I error for two learners with errors on opposite halves of the population",
                ("errors of A on the halves", *both),
                [
                    (f"{a:g} and {b:g}", round(one.value, 4), round(other.value, 4))
                    for (a, b), one, other in zip(_REGIONS, proportions, mcnemar, strict=True)
                ],
            ),
        ),
        notes=(
            "The paper recommends 5x2cv if learners can be run ten times, McNemar's test if they can be run once, the"
            " 10-fold t test if a type II error is worse than a type I error, and never the resampled t test or the"
            " uncorrected test of proportions.",
            "If the error of a learner changes between 0.1 and 0.9 from replication to replication, but is the same in"
            " both halves, the denominator of the 5x2cv statistic does not show it: each variance there is that of the"
            " two halves of one replication.",
        ),
    )


def _of_swings(run: Run, trials: int) -> Iterator[Line]:
    ends = {"levels": [0.1, 0.9]}
    cells: list[Cell] = [
        {"levels": [0.1, 0.5, 0.9], "alike": True},
        ends | {"alike": True, "first": 0.5},
        ends | {"alike": False},
    ]
    alike, first, differing = (
        Rate(int(each["rejected"].sum()), trials) for each in run.cells(swinging, cells, trials, block=100_000)
    )
    yield claimed(
        "5x2cv t, error rates of 0.1 or 0.9",
        "5x2cv fails if error rates vary wildly between replications",
        differing.surely_above(0.05),
        f"rejection rate {differing} if the two error rates vary independently and are equal on average",
    )
    yield claimed(
        "5x2cv t, error rates vary together",
        "5x2cv fails there even when the difference in error rates is unchanged",
        alike.surely_above(0.05),
        f"rejection rate {alike}; {first} with error rates of 0.5 in the first replication and 0.1 or 0.9 in the"
        f" others",
        reason="The experiment is not described. If the error rates vary together, the variance of their difference"
        " changes between replications, but too little to matter on average; the test rejects too often if the first"
        " replication, which gives the numerator, has the largest variance.",
    )


def _of_power(tasks: list[Tried]) -> Iterator[Line]:
    ahead = {each.task.description: _is_ahead(each, "5x2cv-t", "mcnemar-corrected") for each in tasks}
    behind = {
        each.task.description: _is_ahead(each, "mcnemar-corrected", "difference-of-proportions") for each in tasks
    }
    yield claimed(
        "5x2cv t and McNemar, power",
        "5x2cv and McNemar's test have similar power, 5x2cv slightly more",
        all(each.not_negative and each.value < 0.1 for each in ahead.values()),
        "; ".join(f"{name}: {each.description}" for name, each in ahead.items()) + " (threshold: 0.1)",
        reason=_CLOSE,
    )
    yield claimed(
        "proportions, power",
        "the test of proportions has low power",
        all(each.not_negative for each in behind.values()),
        "McNemar's test has more power by " + "; ".join(f"{name}: {each.description}" for name, each in behind.items()),
    )


def _count_fits(plan: str) -> int:
    """Return the number of fits of two learners under a plan."""
    X, y = lab.CurvedRegions().draw((), 60, 0)  # noqa: N806
    race = ta.race({"tree": tree(), "near": lab.Weighted()}, X, y, plan=plan, jobs=1, progress=False)
    return len(race.fits)
