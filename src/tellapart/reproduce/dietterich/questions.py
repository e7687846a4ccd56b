"""Dietterich (1998), sections 1 to 3: nine questions, and five tests for the eighth of them."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from scipy import special

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ..drawing import branches, plotted
from ..lines import Shown, claimed, compared, missing
from ..printed import printed
from ..run import Run
from .measures import rates, series_of
from .paper import PAPER
from .trials import resamples, tried

__all__ = ["NO_LETTER"]

_SAID = {"one": "one domain", "many": "many domains", "much": "much data", "little": "little data"}
NO_LETTER = "No package of the index carries the Letter data under a stated licence."


@PAPER.exhibit("taxonomy", "Figure 1, nine statistical questions and what answers them")
def taxonomy(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn by chance
    """Show that the answers on the way down the tree lead to each of the nine questions."""
    lines, rows, leaves = [], [], []
    for row in printed("dietterich_taxonomy"):
        answers = {name: row[name] for name in ("domains", "subject", "task", "data") if row[name]}
        counsel = ta.advise(**answers)
        question, number = counsel.question, int(row["question"])
        way = ", ".join(f"{name} {answer}" for name, answer in answers.items())
        found = f"question {question.number}: {question.asks}" if question else "no question yet"
        lines.append(claimed(f"question {number}", way, question and question.number == number, found))
        if counsel.recommended is None:
            ours = "none in this version"
            lines.append(missing("question 9, its method", row["answer"], "This version has no method for it."))
        else:
            by = f" by way of question {counsel.by_way_of.number}" if counsel.by_way_of else ""
            ours = f"{counsel.recommended.leading.name}{by}"
        rows.append((number, row["answer"], ours))
        leaves.append((f"question {number}", [_SAID.get(each, each) for each in answers.values()]))
    runs = {number: ta.advise(subject="learner", task="choose", data="little", runs=number) for number in (1, 10)}
    picks = {number: each.recommended.leading.name for number, each in runs.items() if each.recommended}
    return Shown(
        lines=tuple(lines),
        pictures=(
            branches(
                "Nine questions",
                "A tree: one domain or many; classifier or learner; estimate or choose; much data or little. Its leaves"
                " are the questions 1 to 9, of which 8 is boxed: two learners, little data.",
                leaves,
                boxed="question 8",
            ),
        ),
        tables=(Table.of("What answers them", ("question", "in the paper", "ours, if nothing else is known"), rows),),
        notes=(
            "Each line walks down the tree by its answers, as `ta.advise(domains=…, subject=…, task=…, data=…)` does;"
            " question 8 is what the paper is about.",
            f"Where learners can be run once, our advice for question 8 is {picks[1]}, and {picks[10]} where ten runs"
            " can be afforded, as the paper recommends; without such limits it is a test that was found later.",
        ),
    )


@PAPER.exhibit("critical-values", "Critical values of the five tests, and what the fifth makes of its own")
def critical_values(run: Run) -> Shown:
    """Show the critical values, and how often 5x2cv exceeds that of t with 5 degrees of freedom in the ideal case."""
    ours = {
        "McNemar": special.chdtri(1, 0.05),
        "difference of proportions": lab.NormalModel(0.0, 1.0).interval(alpha=0.05)[1],
        "resampled t": special.stdtrit(29, 0.975),
    }
    lines = [
        compared(row["test"], row["value"], float(ours[row["test"]])) for row in printed("dietterich_critical_values")
    ]
    trials = run.size(1000, quick=100_000, of="trials of the ideal case")
    (ideal,) = rates(run, [{"method": "5x2cv-t", "ideal": "5x2"}], trials)
    held = claimed(
        "5x2cv t in the ideal case",
        "approximately a t distribution with 5 degrees of freedom: beyond 2.571 in 5 % of all cases",
        not ideal.surely_below(0.05) and not ideal.surely_above(0.05),
        f"beyond it in {ideal}, for ten independent normal differences",
        reason=(
            "The difference above is one of the two that the first variance below is made of, so large differences come"
            " with large variances. At the point of t with 5 degrees of freedom the true size is 0.028; the paper says"
            " no more than that the tails are conservative."
        ),
    )
    rows = [
        ("10-fold t", "t with 9 degrees of freedom", float(special.stdtrit(9, 0.975))),
        ("5x2cv t", "t with 5 degrees of freedom", float(special.stdtrit(5, 0.975))),
    ]
    return Shown(
        lines=(*lines, held),
        tables=(Table.of("Critical values that the paper does not print", ("test", "distribution", "value"), rows),),
        notes=(
            "The ideal case has what the derivation assumes, and no learner: normal differences, all independent. The"
            " one assumption it cannot have is that the difference above and the variances below are independent.",
        ),
    )


@PAPER.exhibit("fold-correlation", "Section 3.4, are the folds of a cross-validation independent?")
def fold_correlation(run: Run) -> Shown:
    """Measure how the differences on two folds of one cross-validation are correlated, where learners are equal."""
    held = tried(run, "Letter")
    # Two learners, one replicate, ten folds: the evidence of every trial.
    found = lab.fold_correlation(resamples(held.folds[:, :, None], "10-fold"))
    folds = np.arange(300).reshape(10, 30)
    shared = {len(set(np.delete(folds, (i, j), axis=0).ravel())) for i, j in combinations(range(10), 2)}
    told = {pairs: _correlation_test(0.03778, pairs) for pairs in (1000, 45_000)}
    return Shown(
        lines=(
            compared("shared by two training sets, % of the sample", "80", 100 * shared.pop() / 300),
            missing("within a cross-validation", "0.03778", NO_LETTER),
            missing("across independent ones", "-0.00014", NO_LETTER),
            claimed(
                "sign within, digits for Letter",
                "positive",
                found.within > -3 * found.within_error,
                f"{found.within:.4f} (standard error {found.within_error:.4f})",
            ),
            claimed(
                "across, digits for Letter",
                "not significantly different from zero",
                abs(found.across) < 3.3 * found.across_error,
                f"{found.across:.4f} (standard error {found.across_error:.4f})",
            ),
            claimed(
                "the paper's t test of 0.03778",
                "p < 1e-10",
                told[45_000] < 1e-10,
                f"p = {told[45_000]:.1g} if all 45 pairs of folds of 1,000 trials count as independent; one pair a"
                f" trial would give {told[1000]:.2f}",
            ),
        ),
        notes=(
            "A tree and a damaged nearest neighbour, equally good, on 300 digits: the stand-in for Letter. The"
            " correlation is over all pairs of folds; the standard errors take trials, not pairs of folds, for"
            " independent, as the paper's t test did not. A sign is held against the paper only where chance does not"
            " explain it.",
            "Two training sets share 240 of the 300 examples. That is 80 % of the sample, and 89 % of either training"
            " set.",
        ),
    )


def _correlation_test(correlation: float, pairs: int) -> float:
    """Return the two-sided p-value of a correlation by Student's t."""
    t = correlation * math.sqrt((pairs - 2) / (1 - correlation**2))
    return 2 * float(special.stdtr(pairs - 2, -abs(t)))


@PAPER.exhibit("figure-2", "1,000 values of the 5x2cv statistic against t with 5 degrees of freedom")
def figure_2(run: Run) -> Shown:
    """Draw the 5x2cv statistic of equal learners against the distribution that it is claimed to have."""
    held = tried(run, "EXP6")
    values = held.statistic[np.isfinite(held.statistic)]
    # Of absolute values, which a small difference that is left between the learners hardly moves.
    claims = 2 * special.stdtr(5, np.sort(np.abs(values))) - 1
    gap = float(np.max(np.abs(claims - (np.arange(values.size) + 0.5) / values.size)))
    beyond = held.rate("5x2cv-t")
    picture = ta.plots.statistic_qq_picture(values, lambda share: special.stdtrit(5, share), claimed="t with 5 df")
    chance = 1.95 / math.sqrt(values.size)  # Kolmogorov's, at one in a thousand
    return Shown(
        lines=(
            claimed(
                "fit",
                "a fairly good fit to the line y = x",
                gap < 0.05 + chance,
                f"the distribution functions of absolute values are {gap:.3f} apart at most; chance alone makes"
                f" {chance:.3f} of {values.size:,} values",
            ),
            claimed(
                "tails",
                "at the tails somewhat more conservative than it should be",
                not beyond.surely_above(0.05),
                f"beyond 2.571 in {beyond} of all trials, where 0.05 is claimed",
                reason=(
                    "On this task the differences of the two halves of one replication, and of replications, are"
                    " correlated enough to undo what the ideal case has in hand."
                ),
            ),
        ),
        pictures=(picture,),
        notes=(
            f"EXP6 was never published; {held.task.told.partition(' for')[0]} stand in for it: four classes with curved"
            " borders on a square of side 15. C4.5 is replaced by an entropy tree with cost-complexity pruning, and the"
            " nearest neighbour is damaged by bad weights until both err equally often.",
            "A point above the diagonal on the right, or below it on the left, is a value that comes more often than"
            " it should.",
        ),
    )


@PAPER.exhibit("replications", "Section 3.5, five replications of 2-fold cross-validation, fewer and more")
def replications(run: Run) -> Shown:
    """Measure the Type I error of the 5x2cv test with other numbers of replications than five."""
    numbers = (2, 3, 4, 5, 6, 8, 10, 20, 30)
    trials = run.size(1000, quick=40_000, of="trials per number of replications")
    simulated = rates(
        run, [{"method": "5x2cv-t", "options": {"epsilon": 0.1, "plan": f"{number}x2"}} for number in numbers], trials
    )
    ideal = rates(run, [{"method": "5x2cv-t", "ideal": f"{number}x2"} for number in numbers], trials)
    five = numbers.index(5)
    noise = 3.3 * math.sqrt(2 * 0.03 / trials)

    def told(places: range) -> str:
        return "; ".join(f"{numbers[place]}: {simulated[place].value:.4f}" for place in places)

    fewer, more = range(five), range(five + 1, len(numbers))
    return Shown(
        lines=(
            claimed(
                "fewer than five",
                "increased the risk of Type I error",
                all(simulated[place].value > simulated[five].value + noise for place in fewer),
                f"{told(fewer)}; five: {simulated[five].value:.4f}",
                reason=(
                    "The exploratory studies are not described. With simulated learners, and in the ideal case, fewer"
                    " replications make the test more conservative still; what they cost is power."
                ),
            ),
            claimed(
                "more than five",
                "increased the risk of Type I error",
                all(simulated[place].value > simulated[five].value - noise for place in more)
                and simulated[-1].value > simulated[five].value + noise,
                f"{told(more)}; five: {simulated[five].value:.4f}",
            ),
        ),
        pictures=(
            plotted(
                "Type I error of the 5x2cv t test by the number of replications",
                "It rises with the number of replications and stays below the target of 0.05 throughout.",
                [series_of("simulated learners, ε = 0.1", numbers, simulated), series_of("ideal case", numbers, ideal)],
                x="replications of 2-fold cross-validation",
                y="Type I error",
                across=(0.05,),
                log="x",
                ticks=[(number, str(number)) for number in numbers],
            ),
        ),
        notes=(
            "As many replications, as many degrees of freedom. The more variances are averaged, the less the"
            " difference above is a part of what stands below, and the nearer the test comes to its level.",
        ),
    )
