"""Dietterich (1998), sections 6 to 8: real learners made equal and less than equal, and what is concluded."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ..drawing import Series, plotted
from ..lines import Line, Shown, claimed, missing
from ..run import Arrays, Cell, Run
from .measures import rates
from .paper import PAPER
from .questions import NO_LETTER
from .trials import FOUR, PLANS, TASKS, Rate, Tried, resamples, tree, tried

__all__: list[str] = []

_SOUND = ("mcnemar-corrected", "difference-of-proportions", "5x2cv-t")  # acceptable in Figure 7
_STAND_INS = (
    "C4.5 is replaced by scikit-learn's entropy tree (leaves of two or more, cost-complexity pruning of 0.02), EXP6 by"
    " four classes with curved borders, Letter by the digits of scikit-learn. Every trial is 300 examples: a third of"
    " them to test on, ten folds, and five times two halves, as they fall.",
)


@PAPER.exhibit("figure-7", "Type I error of four tests on real learners made equal")
def figure_7(run: Run) -> Shown:
    """Measure how often four tests tell learners apart that err equally often."""
    held = {name: tried(run, name) for name in TASKS}
    size = {test: [each.rate(test) for each in held.values()] for test in FOUR}
    told = {
        test: "; ".join(f"{task.task.told}: {rate}" for task, rate in zip(held.values(), found, strict=True))
        for test, found in size.items()
    }
    lines = [
        claimed(
            FOUR[test],
            "at or below 0.05 on all three tasks",
            not any(rate.surely_above(0.05) for rate in size[test]),
            told[test],
        )
        for test in _SOUND
    ]
    return Shown(
        lines=(
            claimed(
                "10-fold t",
                "the only test whose Type I error exceeds 0.05",
                not any(rate.surely_below(0.05) for rate in size["kfold-t"]),
                told["kfold-t"],
            ),
            *lines,
            claimed(
                "10-fold t, how much",
                "as much as twice the target level",
                not any(rate.surely_above(0.10) for rate in size["kfold-t"]),
                "at most " + str(max(size["kfold-t"], key=lambda rate: rate.value)),
            ),
        ),
        pictures=(
            plotted(
                "Type I error on learners made equal",
                "Bars for four tests on three tasks, with 95 % limits, and a line at 0.05.",
                [
                    Series(
                        each.task.told,
                        range(4),
                        [each.rate(test).value for test in FOUR],
                        "bars",
                        *np.transpose([each.rate(test).limits() for test in FOUR]),
                    )
                    for each in held.values()
                ],
                x="",
                y="Type I error",
                across=(0.05,),
                ticks=list(enumerate(FOUR.values())),
            ),
        ),
        tables=(_equality(held),),
        notes=(
            *_STAND_INS,
            "On the first two tasks the nearest neighbour is the better learner and gets bad weights, on Pima the tree,"
            " some of whose predictions are flipped; each as much as the size of the training set asks for. A statement"
            " is held against the paper only where chance (one in a thousand) does not explain what is found.",
        ),
    )


def _equality(held: dict[str, Tried]) -> Table:
    """Return how equal the learners were in the trials, where they were to be."""
    rows = [
        (
            each.task.told,
            plan,
            size,
            *(round(float(part), 4) for part in (*each.measured[place, 0], each.left_error[place])),
        )
        for each in held.values()
        for place, (plan, size) in enumerate(PLANS.items())
    ]
    head = ("task", "plan", "training set", "error of the tree", "of the neighbour", "standard error of the difference")
    return Table.of("How equal the learners are", head, rows)


@PAPER.exhibit("figure-8", "Learning curves between the tree and the nearest neighbour")
def figure_8(run: Run) -> Shown:
    """Draw the errors that the damaged nearest neighbour was to have by the size of the training set, and has."""
    held = tried(run, "Letter")
    shares = held.task.shares
    # By the size of the training set: 5x2cv, one split, ten folds.
    order = np.argsort(list(PLANS.values()))
    sizes = np.array(list(PLANS.values()))[order]
    found = held.measured[order, :, 1]
    # The part of the way from the tree's error to that of the undamaged neighbour, in the very same trials.
    worse, better = held.measured[order, :1, 0], found[:, -1:]
    off = float(np.max(np.abs((worse - found) / (worse - better) - np.array(shares))))
    chance = 3 * math.sqrt(0.2 / (100 * held.trials)) / abs(held.gap)  # of errors in one split
    return Shown(
        lines=(
            claimed(
                "curves for fixed λ",
                "positioned at a fixed fraction of the way between the curves of C4.5 and of undamaged NN",
                off < 0.1 + chance,
                f"in the trials none is farther than {off:.3f} from its fraction λ, at any size",
            ),
        ),
        pictures=(
            plotted(
                "Learning curves on digits, for Letter",
                "Errors by the size of the training set: the tree on top, the undamaged nearest neighbour at the"
                " bottom, and between them curves for fixed parts of the gap; the trials' errors lie on them.",
                [
                    *(Series(f"λ = {share:g}", held.sizes, held.target(share)) for share in shares),
                    Series("in the trials", np.repeat(sizes, len(shares)), found.ravel(), "points"),
                ],
                x="training examples",
                y="error",
                size=(6.4, 3.8),
                beside=True,
            ),
        ),
        notes=(
            "λ = 0 is the error of the tree, λ = 1 that of the undamaged nearest neighbour. The lines are what bad"
            " weights were set to reach, the points the errors of the damaged learner in the trials of Figure 10:"
            " in halves (150), in one split (200) and in ten folds (270).",
            *_STAND_INS[:1],
        ),
    )


def _power(run: Run, name: str, about: str) -> tuple[Tried, list[Line], Any]:
    """Return the trials of a task, what is claimed of all three, and the power curves."""
    held = tried(run, name)
    mean = {test: float(held.rejected[test][1:].mean()) / held.trials for test in FOUR}
    # Of a mean of so many shares, whose trials are the same examples: at most that of one share.
    noise = 3.3 * math.sqrt(0.25 / held.trials)
    told = "mean power " + "; ".join(f"{FOUR[test]}: {value:.3f}" for test, value in mean.items())
    best = max(mean[test] for test in _SOUND)
    lines = [
        claimed("10-fold t", "much more powerful than the other three tests", mean["kfold-t"] > best, told),
        claimed(
            "5x2cv t",
            "the most powerful of those with acceptable Type I error",
            mean["5x2cv-t"] > best - noise,
            told,
        ),
    ]
    x = held.points
    picture = plotted(
        f"Power on {held.task.told}",
        about,
        [
            Series(
                FOUR[test],
                x,
                held.rejected[test] / held.trials,
                "line",
                *np.transpose([held.rate(test, place).limits() for place in range(x.size)]),
            )
            for test in FOUR
        ],
        x="difference after training on 300 examples, in percentage points",
        y="power",
        across=(0.05,),
    )
    return held, lines, picture


_ABOUT = "Four curves that rise with the difference of the learners; that of the 10-fold t test lies above the others."
_READ = (
    "At a difference of 0 the curves show the Type I error. The horizontal axis is the difference of learners trained"
    " on all 300 examples; in every plan the same part of the gap between the undamaged learners is open.",
    "The paper finds 5x2cv slightly more powerful than McNemar's test. In a thousand trials and more it is so here on"
    " curved regions; on digits and Pima neither is ahead.",
)


@PAPER.exhibit("figure-9", "Power of four tests on EXP6")
def figure_9(run: Run) -> Shown:
    """Draw the power of four tests by how much the learners differ, on curved regions."""
    _, lines, picture = _power(run, "EXP6", _ABOUT)
    return Shown(lines=tuple(lines), pictures=(picture,), notes=(*_STAND_INS, *_READ))


@PAPER.exhibit("figure-10", "Power of four tests on Letter")
def figure_10(run: Run) -> Shown:
    """Draw the power of four tests by how much the learners differ, on digits."""
    held, lines, picture = _power(run, "Letter", _ABOUT)
    ten = {test: float(np.interp(10, held.points, held.rejected[test])) / held.trials for test in _SOUND}
    told = ", ".join(f"{FOUR[test]} {value:.2f}" for test, value in ten.items())
    lost = missing("power at 10 points", "about one third of the time", f"{NO_LETTER} On digits it is: {told}.")
    return Shown(lines=(*lines, lost), pictures=(picture,), notes=(*_STAND_INS, *_READ))


@PAPER.exhibit("figure-11", "Power of four tests on Pima")
def figure_11(run: Run) -> Shown:
    """Draw the power of four tests by how much the learners differ, on Pima."""
    _, lines, picture = _power(run, "Pima", _ABOUT)
    return Shown(lines=tuple(lines), pictures=(picture,), notes=(*_STAND_INS, *_READ))


# --- Discussion -------------------------------------------------------------------------------------


def swinging(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Count how often 5x2cv tells learners apart whose error rates swing from replication to replication."""
    levels = rng.choice(cell["levels"], (trials, 2, 5, 1))
    if cell["alike"]:
        levels[:, 1] = levels[:, 0]
    if "first" in cell:
        levels[:, :, 0] = cell["first"]
    wrong = rng.binomial(150, np.broadcast_to(levels, (trials, 2, 5, 2)))
    found: Any = ta.compare(resamples(wrong / 150, "5x2"), method="5x2cv-t")
    return {"rejected": [(found.pvalue <= 0.05).sum()]}


@PAPER.exhibit("discussion", "Sections 7 and 8, when tests are fooled, and what they cost")
def discussion(run: Run) -> Shown:
    """Show by construction where the 5x2cv and the proportions test fail, and that McNemar's does not."""
    trials = run.size(1000, quick=20_000, of="trials per construction")
    ends = {"levels": [0.1, 0.9]}
    cells: list[Cell] = [
        {"levels": [0.1, 0.5, 0.9], "alike": True},
        ends | {"alike": True, "first": 0.5},
        ends | {"alike": False},
    ]
    alike, first, apart = (
        Rate(int(each["rejected"].sum()), trials) for each in run.cells(swinging, cells, trials, block=100_000)
    )
    regions = [
        {"error_a": list(pair), "error_b": list(pair[::-1])} for pair in ((0.05, 0.15), (0.25, 0.75), (0.0, 1.0))
    ]
    both = ("difference-of-proportions", "mcnemar-corrected")
    found = rates(run, [{"method": name, "options": each} for name in both for each in regions], trials)
    proportions, mcnemar = found[:3], found[3:]
    seen = [tried(run, name).rate("mcnemar-corrected") for name in TASKS]
    runs = {plan: _fits(plan) for plan in ("5x2", "holdout")}
    return Shown(
        lines=(
            claimed(
                "McNemar",
                "never once exceeded the target level",
                not any(rate.surely_above(0.05) for rate in (*mcnemar, *seen)),
                "at most " + str(max((*mcnemar, *seen), key=lambda rate: rate.value)),
            ),
            claimed(
                "5x2cv t, error rates swing between 0.1 and 0.9",
                "fooled where they vary wildly over replications",
                apart.surely_above(0.05),
                f"rejects in {apart} where both learners swing, each on its own, and neither is better on average",
            ),
            claimed(
                "5x2cv t, both learners swing alike",
                "fooled even when the difference in error rates is unchanged",
                alike.surely_above(0.05),
                f"rejects in {alike}; in {first} of those whose first replication errs at 0.5 and the others at 0.1 or"
                " 0.9",
                reason=(
                    "The experiment is not described. Where both learners swing alike, the variance of their difference"
                    " changes from one replication to the next, but hardly enough to matter on average; the test is"
                    " fooled where the first, whose difference stands above, has the largest variance."
                ),
            ),
            claimed(
                "proportions",
                "fooled where regions of poor performance differ and error rates are close to 0.5",
                proportions[1].surely_above(0.05) and proportions[2].surely_above(0.05),
                "; ".join(
                    f"errors {a:g} and {b:g} on the halves: {rate}"
                    for (a, b), rate in zip(((0.05, 0.15), (0.25, 0.75), (0, 1)), proportions, strict=True)
                ),
            ),
            claimed(
                "cost",
                "5x2cv is ten times more expensive than McNemar's test",
                runs["5x2"] == 10 * runs["holdout"],
                f"{runs['5x2']} fits, and {runs['holdout']}",
            ),
        ),
        tables=(
            Table.of(
                "Two learners that err on opposite halves of the population: Type I error",
                ("errors of A on the halves", *both),
                [
                    (f"{each['error_a'][0]:g} and {each['error_a'][1]:g}", round(one.value, 4), round(other.value, 4))
                    for each, one, other in zip(regions, proportions, mcnemar, strict=True)
                ],
            ),
        ),
        notes=(
            "The paper recommends 5x2cv where learners can be run ten times and McNemar's test where they can be run"
            " once, never the resampled t test nor the uncorrected test of proportions, and the 10-fold t test where a"
            " missed difference is worse than a false alarm.",
            "A learner whose error swings between 0.1 and 0.9 with the training set, alike in both halves of a"
            " replication, leaves no trace in the variances below: they see the halves of one replication only.",
        ),
    )


def _fits(plan: str) -> int:
    """Return how many fits two learners take by a plan."""
    X, y = lab.CurvedRegions().draw((), 60, 0)  # noqa: N806
    held = ta.race({"tree": tree(), "near": lab.Weighted()}, X, y, plan=plan, jobs=1, progress=False)
    return len(held.fits)
