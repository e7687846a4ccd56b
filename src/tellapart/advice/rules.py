"""The rules of thumb that the five documents state, each where it applies, and what is known better since.

A rule names its row of the inventory; a letter follows where a row holds several. Rules are cited, not obeyed: where
something newer supersedes one, the methods recommended here follow the newer, and the rule says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..bibliography import REFERENCES
from .situation import Situation

Kind = Literal["+", "!", "."]  # do, beware, know


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule, who stated it, where it applies and what supersedes it.

    Examples
    --------
    >>> rule = next(each for each in RULES if each.row == "S1-30a")
    >>> print(rule.says)
    If each learner can be trained only once, use McNemar's test on one split
    >>> rule.applies(Situation(domains="one", subject="learner", task="choose", data="little", runs=1))
    True
    """

    row: str
    says: str
    source: str  # the key of its bibliography entry
    kind: Kind
    applies: Callable[[Situation], bool]
    superseded: str = ""  # what is known since
    since: str = ""  # and by whom, a key

    @property
    def told(self) -> str:
        """The rule in a line, with who said it and what is known since."""
        said = f"{self.says} ({REFERENCES[self.source].short})"
        return f"{said}. Since then: {self.superseded} ({REFERENCES[self.since].short})" if self.superseded else said

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name; references in full."""
        told = {"row": self.row, "kind": self.kind, "says": self.says, "source": str(REFERENCES[self.source])}
        return told | {"superseded": self.superseded, "since": str(REFERENCES[self.since]) if self.since else ""}


def rules_for(situation: Situation) -> tuple[Rule, ...]:
    """Return the rules that apply, in the order of the documents; none while the question is open.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> [rule.row for rule in rules_for(Situation.of(ErrorCount(3, 120)))]
    ['S0-04', 'S0-15', 'S0-19', 'S0-36a', 'S1-01', 'S1-02', 'S2-05', 'S2-12']
    """
    return tuple(rule for rule in RULES if rule.applies(situation)) if situation.question else ()


def _rate(situation: Situation) -> bool:
    return situation.way == 1 and not situation.scored


def _estimating(situation: Situation) -> bool:
    return situation.task == "estimate"


def _choosing(situation: Situation) -> bool:
    return situation.task == "choose" and situation.domains == "one"


def _splits(situation: Situation) -> bool:
    return situation.way in {6, 8}


def _learners(situation: Situation) -> bool:
    return situation.way == 8


def _samples(situation: Situation) -> bool:
    return situation.plan == "independent"


def _together(situation: Situation) -> bool:
    """Whether two classifiers meet one test set, on which each is right or wrong."""
    if situation.scored:
        return False
    return (situation.way == 3 and situation.test_sets != "two") or (_learners(situation) and _few(situation))


def _few(situation: Situation) -> bool:
    """Whether there are too few runs for folds."""
    return situation.runs is not None and situation.runs < FEWEST_FOLDS


FEWEST_FOLDS = 5  # below so many runs one split says more than folds do
TEN_RUNS, HUNDRED_RUNS = 10, 100

RULES = (
    Rule(
        row="S0-04",
        kind="!",
        source="martin1996",
        says="Never use the textbook limits without a check: M·e·(1−e) at least 10 is the safest in the tail, five"
        " errors and five successes, or two standard errors inside 0 to 1, are laxer",
        applies=_rate,
        superseded="even where the checks hold, the textbook limits cover too little at some error rates; the limits"
        " recommended here need no check",
        since="brown2001",
    ),
    Rule(
        row="S0-15",
        kind=".",
        source="martin1996",
        says="Below 10 % errors, or above 90 %, the plug-in variance e·(1−e)/M is too small beside the variance of"
        " Jeffreys' posterior",
        applies=lambda s: _rate(s) and (s.rate is None or not 0.1 <= s.rate <= 0.9),
    ),
    Rule(
        row="S0-19",
        kind="+",
        source="martin1996",
        says="Always name the interval's method, and its prior if it has one",
        applies=_estimating,
    ),
    Rule(
        row="S0-20",
        kind="!",
        source="martin1996",
        says="Never decide by whether two intervals overlap, or by so many standard errors: the variance is the wrong"
        " one. One standard error may do inside the pruning of a tree, and nowhere else",
        applies=_choosing,
    ),
    Rule(
        row="S0-30",
        kind="!",
        source="martin1996",
        says="Raising the bar, from 2.0 to 2.5 standard errors, makes no test: what passes it is apparently different,"
        " without a level",
        applies=_learners,
        superseded="the variance can be corrected for what the splits share, and then there is a level to name",
        since="nadeau2003",
    ),
    Rule(
        row="S0-34",
        kind="!",
        source="martin1996",
        says="If the data set is taken for the population, call the claim contingent, and state what it rests on",
        applies=_splits,
    ),
    Rule(
        row="S0-35",
        kind=".",
        source="martin1996",
        says="alpha is how often a difference is found where there is none (Type I); a difference missed is Type II;"
        " that this verdict is wrong has another probability than either",
        applies=_choosing,
    ),
    Rule(
        row="S0-36a",
        kind="+",
        source="martin1996",
        says="With fewer than ten errors use limits of the Beta distribution",
        applies=lambda s: _rate(s) and (s.errors is None or s.errors < 10),
        superseded="limits of that kind are good at any number of errors, with the ends set to 0 and 1 where there are"
        " no errors, or no successes",
        since="brown2001",
    ),
    Rule(
        row="S0-36b",
        kind="!",
        source="martin1996",
        says="An interval of one error rate is no test of two, not even by Beta limits",
        applies=_choosing,
    ),
    Rule(
        row="S0-36c",
        kind="+",
        source="martin1996",
        says="For two independent rates the textbook's pooled test is accurate enough",
        applies=lambda s: s.way == 3 and s.test_sets == "two",
        superseded="where the sizes differ much it rejects too often, as the lab measures; Fisher's test by mid-p keeps"
        " closer to its level",
        since="lancaster1961",
    ),
    Rule(
        row="S0-36d",
        kind="+",
        source="martin1996",
        says="Compare learners by a paired t test over several independent samples, each with 10-fold cross-validation",
        applies=_learners,
        superseded="who has one sample can use the t test that is corrected for what its splits share",
        since="nadeau2003",
    ),
    Rule(
        row="S0-36e",
        kind="!",
        source="martin1996",
        says="Not .632, nor iterated 2-fold cross-validation: they are biased, and not alike for all learners; LOO* is"
        " not worth its cost",
        applies=_splits,
        superseded=".632+ mends what .632 does to learners that learn by heart",
        since="efron1997",
    ),
    Rule(
        row="S0-36f",
        kind="!",
        source="martin1996",
        says="From a single sample make no claim that one learner is better: it is contingent on that sample, and may"
        " have the wrong sign",
        applies=lambda s: _learners(s) and not _samples(s),
        superseded="corrected for what its splits share, ten times 10-fold on one sample is fairly replicable",
        since="bouckaert2004",
    ),
    Rule(
        row="S1-01",
        kind=".",
        source="dietterich1998",
        says="Ask first which of nine questions it is: one domain or many, a classifier or a learner, an estimate or a"
        " choice, much data or little",
        applies=lambda s: s.question is not None,
    ),
    Rule(
        row="S1-02",
        kind=".",
        source="dietterich1998",
        says="Four things make an experiment vary: the test data, the training data, the learner's own randomness and"
        " wrong labels; a test allows for some of them and not for others",
        applies=lambda s: s.question is not None,
    ),
    Rule(
        row="S1-27",
        kind="!",
        source="dietterich1998",
        says="Over many domains the sign test and Wilcoxon's signed ranks leave out how sure the comparison on each"
        " domain is",
        applies=lambda s: s.question == 9,
        superseded="with several runs of each data set a hierarchical model takes it into account",
        since="corani2017",
    ),
    Rule(
        row="S1-29",
        kind="+",
        source="dietterich1998",
        says="Check that error changes smoothly with the size of the training set, by resampling at smaller sizes, too",
        applies=_splits,
    ),
    Rule(
        row="S1-30a",
        kind="+",
        source="dietterich1998",
        says="If each learner can be trained only once, use McNemar's test on one split",
        applies=lambda s: _learners(s) and _few(s),
        superseded="by mid-p it needs no continuity correction, and finds more",
        since="fagerland2013",
    ),
    Rule(
        row="S1-30b",
        kind="+",
        source="dietterich1998",
        says="If each can be trained ten times, use 5x2cv",
        applies=lambda s: _learners(s) and (s.runs is None or s.runs >= TEN_RUNS),
        superseded="who can train a hundred times gets a more replicable answer by ten times 10-fold with the"
        " corrected t test",
        since="bouckaert2004",
    ),
    Rule(
        row="S1-30c",
        kind="!",
        source="dietterich1998",
        says="Never use the resampled t test: it finds differences where there are none",
        applies=_learners,
    ),
    Rule(
        row="S1-30d",
        kind="!",
        source="dietterich1998",
        says="Never test two proportions as if the two had met different examples",
        applies=_together,
    ),
    Rule(
        row="S1-30e",
        kind="!",
        source="dietterich1998",
        says="Be cautious with the t test over the folds of one cross-validation: its level may be twice what it says",
        applies=_learners,
        superseded="the corrected t test takes the same folds, and allows for what their training sets share",
        since="nadeau2003",
    ),
    Rule(
        row="S1-30f",
        kind="+",
        source="dietterich1998",
        says="If missing a difference is worse than a false alarm, the t test over ten folds has the most power",
        applies=lambda s: _learners(s) and s.matters == "missed differences",
        superseded="the corrected t test over repeated folds has power without so many false alarms",
        since="bouckaert2004",
    ),
    Rule(
        row="S2-05",
        kind="+",
        source="mitchell1997",
        says="The normal interval wants 30 examples, better n·e·(1−e) of 5; below that use the exact binomial",
        applies=_rate,
        superseded="no such size is safe at every error rate; the limits recommended here need none",
        since="brown2001",
    ),
    Rule(
        row="S2-12",
        kind="+",
        source="mitchell1997",
        says="Four steps lead to any interval: name the parameter, choose an estimator, find its distribution, cut off"
        " its tails",
        applies=_estimating,
    ),
    Rule(
        row="S3-04",
        kind="+",
        source="yang2006",
        says="Splits choose the better learner in the end if the training set grows, and the test set so fast that it"
        " tells their ever smaller regrets apart on the examples where they disagree",
        applies=lambda s: _learners(s) and not s.tuning,
    ),
    Rule(
        row="S3-05",
        kind="+",
        source="yang2006",
        says="Half for training and half for testing will do if regrets fall slower than n^-1/2, or if learners come"
        " to agree quickly enough; else the test set must outgrow the training set; to outgrow its square is enough if"
        " regrets fall no faster than 1/n",
        applies=lambda s: _learners(s) and not s.tuning,
    ),
    Rule(
        row="S3-10",
        kind=".",
        source="yang2006",
        says="With three candidates or more the test set must be large enough to tell the best from each of the others",
        applies=lambda s: _learners(s) and (s.models or 0) > 2,
    ),
    Rule(
        row="S3-11a",
        kind="+",
        source="yang2006",
        says="The customary quarter for testing is too little where learners approach the best as fast as n^-1/2; with"
        " few examples and accurate learners a third or a half may do better",
        applies=lambda s: _learners(s) and not s.tuning,
    ),
    Rule(
        row="S3-11b",
        kind="+",
        source="yang2006",
        says="To tune one learner is not to compare two: there a small test share will do, and leave-one-out may",
        applies=lambda s: _learners(s) and s.tuning,
    ),
    Rule(
        row="S3-15",
        kind=".",
        source="yang2006",
        says="Train the chosen learner on all examples; there is hardly any theory of what that gains",
        applies=_learners,
    ),
    Rule(
        row="S3-17",
        kind="+",
        source="yang2006",
        says="Report on how many examples the two disagree: with fewer than 10 a normal interval of the difference is"
        " not to be trusted (a proof would ask for 48²)",
        applies=_together,
        superseded="Tango's interval needs no such number; the disagreements are reported all the same",
        since="tango1998",
    ),
    Rule(
        row="S4-07",
        kind="!",
        source="elazmeh2006",
        says="A classifier whose errors of both kinds balance (Tango's interval of their difference holds 0) is called"
        " confident; that is blind to how many errors there are",
        applies=lambda s: s.labels,
    ),
    Rule(
        row="S4-08",
        kind=".",
        source="elazmeh2006",
        says="That interval wants data like those to come, and predictions that go with the labels; what was classified"
        " rightly tells it nothing",
        applies=lambda s: s.labels,
    ),
)
