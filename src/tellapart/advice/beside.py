"""What to consider besides the recommended method, and when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..evidence import (
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    Outcomes,
    PairedTable,
    Resamples,
    ScoreTable,
    StratifiedCount,
    TrainingSets,
)
from ..methods import Gives, Offer, find_method
from .picking import Recommended
from .situation import Situation


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A method worth considering instead, and when."""

    method: Offer
    when: str
    plan: str = ""

    @property
    def told(self) -> str:
        """All of it in a line."""
        raced = f", by the plan {self.plan}" if self.plan else ""
        return f"{self.method.name} ({self.method.standing} {self.method.gives}){raced}: if {self.when}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        named = {"method": self.method.name, "gives": self.method.gives, "standing": self.method.standing}
        return named | {"plan": self.plan, "when": self.when}


_Beside = tuple[str, Gives, type[Evidence], str, str]  # name, what it gives, from what, by which plan, when
_RATE: tuple[_Beside, ...] = (
    (
        "mid-p",
        "interval",
        ErrorCount,
        "",
        "errors are fewer than ten, and the lowest coverage matters more than the mean",
    ),
    ("clopper-pearson", "interval", ErrorCount, "", "a guarantee is asked for"),
    ("wilson", "interval", ErrorCount, "", "a closed form is wanted"),
    ("beta", "interval", ErrorCount, "", "a prior is known: prior=(u, v)"),
    ("hypergeometric", "interval", ErrorCount, "", "the examples were drawn from a finite pool: pool=10000"),
    (
        "clopper-pearson",
        "test",
        ErrorCount,
        "",
        "the error is to be held against a threshold: compare(count, against=0.05)",
    ),
)
_ONE_SET: tuple[_Beside, ...] = (
    ("mcnemar-mid-p", "test", PairedTable, "", "level and power are to be in balance"),
    ("mcnemar-unconditional", "test", PairedTable, "", "a guarantee is asked for, and there are up to 5000 examples"),
    ("mcnemar-exact", "test", PairedTable, "", "a guarantee is asked for, whatever the size"),
    ("mcnemar", "test", PairedTable, "", "missing a difference is worse than a level slightly above alpha"),
    ("dirichlet", "test", PairedTable, "", "the probability that B is better is wanted"),
    ("tango", "test", PairedTable, "", "B only has to be not worse: margin=0.01"),
    ("bonett-price", "interval", PairedTable, "", "a closed form is wanted"),
)
_SEVERAL: tuple[_Beside, ...] = (
    ("max-t", "pairs", ErrorPatterns, "", "limits are to hold for all differences at once"),
    ("mcnemar-exact", "test", PairedTable, "", "a guarantee is asked for: with adjust='holm'"),
    ("cochran-q", "test", ErrorPatterns, "", "one p-value for all of them will do"),
)
_TWO_SETS: tuple[_Beside, ...] = (
    ("fisher-mid-p", "test", IndependentCounts, "", "level and power are to be in balance"),
    ("boschloo", "test", IndependentCounts, "", "a guarantee is asked for, and the sets are small"),
    ("fisher", "test", IndependentCounts, "", "a guarantee is asked for, whatever the size"),
    ("pooled-z", "test", IndependentCounts, "", "the textbook's test is wanted, and the sets are of like size"),
    ("miettinen-nurminen", "test", IndependentCounts, "", "B only has to be not worse: margin=0.01"),
    ("newcombe", "interval", IndependentCounts, "", "a closed form is wanted"),
)
_SCORED: tuple[_Beside, ...] = (
    ("sign-flip", "test", Outcomes, "", "scores are far from normal, or few"),
    ("bca-bootstrap", "interval", Outcomes, "", "scores are skewed, and one limit may be farther than the other"),
)
_CLUSTERED: tuple[_Beside, ...] = (
    ("wild-cluster", "test", Outcomes, "", "there are fewer than some 20 clusters, of unequal sizes"),
    ("cluster-bootstrap", "interval", Outcomes, "", "scores are skewed, and there are 20 clusters or more"),
)
_CLUSTERED_PAIRS: tuple[_Beside, ...] = (
    ("yang", "test", Outcomes, "", "right and wrong of clusters are to be told apart as McNemar's test does"),
    ("obuchowski", "test", Outcomes, "", "the test that papers on clustered pairs report is wanted"),
)
_GROUPED: tuple[_Beside, ...] = (
    ("macro-average", "test", Outcomes, "", "every group is to count the same, however many examples it has"),
)
_LEARNER: tuple[_Beside, ...] = (
    ("repeated-kfold", "estimate", Resamples, "10x10", "a hundred runs are affordable"),
    ("kfold", "estimate", Resamples, "10-fold", "ten runs are affordable"),
    ("holdout", "estimate", Resamples, "holdout", "one run is all there is"),
    ("nested-cv", "estimate", Resamples, "nested 20x10", "two thousand runs are affordable"),
    ("conservative-z", "estimate", Resamples, "conservative-z", "the most cautious answer is asked for"),
    ("loo", "estimate", Resamples, "loo", "there are few examples, and the learner is quick and hardly moved by one"),
    ("632plus", "estimate", Resamples, "632", "there are very few examples, and a point estimate will do"),
)
_LEARNERS: tuple[_Beside, ...] = (
    ("corrected-repeated-kfold-t", "test", Resamples, "10x10", "a hundred runs of each are affordable"),
    ("5x2cv-t", "test", Resamples, "5x2", "ten runs of each are affordable"),
    ("corrected-resampled-t", "test", Resamples, "10-fold", "ten runs are affordable, and are to be trained on more"),
    ("mcnemar-mid-p", "test", PairedTable, "holdout", "one run of each is all there is"),
    ("bayesian-correlated-t", "test", Resamples, "10x10", "'as good in practice' should be sayable: rope=0.01"),
    ("conservative-z", "test", Resamples, "conservative-z", "the most cautious answer is asked for"),
    ("paired-t", "test", Resamples, "", "there are several independent samples, each with test data of its own"),
    ("kfold-t", "test", Resamples, "10-fold", "a missed difference is the worse error, and false alarms are forgiven"),
)
_MUCH_ONE: tuple[_Beside, ...] = (
    ("repeated-kfold", "estimate", Resamples, "10x10", "the data do not suffice for disjoint training sets"),
)
_MUCH: tuple[_Beside, ...] = (
    ("two-way-bootstrap", "test", TrainingSets, "", "there is one training set, and the learners' seeds vary"),
    ("paired-t", "test", Resamples, "", "every training set has a test set of its own"),
    ("corrected-repeated-kfold-t", "test", Resamples, "10x10", "the data do not suffice for disjoint training sets"),
)
_MANY: tuple[_Beside, ...] = (
    ("sign-test", "test", ScoreTable, "", "a guarantee is asked for, or only who wins can be trusted"),
    ("hierarchical", "test", ScoreTable, "", "each data set has several runs, whose spread should count"),
    ("random-effects", "test", ScoreTable, "", "each data set has several runs, and no prior is wanted"),
    ("bayesian-signed-rank", "test", ScoreTable, "", "'as good in practice' should be sayable: rope=0.01"),
    ("skillings-mack", "test", ScoreTable, "", "one p-value for all learners is wanted, and cells are missing"),
    ("friedman", "test", ScoreTable, "", "one p-value for all learners is wanted"),
)


def alternatives_to(
    recommended: Recommended | None, situation: Situation, held: Evidence | None
) -> Iterator[Alternative]:
    """Yield what to consider besides, in order of need.

    Examples
    --------
    >>> from tellapart.advice.picking import pick
    >>> situation = Situation.of(None).answered(subject="learner", task="estimate", data="little")
    >>> [each.method.name for each in alternatives_to(pick(situation, None), situation, None)]
    ['kfold', 'holdout', 'nested-cv', 'conservative-z', 'loo', '632plus']
    """
    if recommended is None or isinstance(held, StratifiedCount):
        return
    used = {(method.name, method.gives) for method in recommended.methods}
    known = tuple(_scored(held)) if isinstance(held, Outcomes) else _beside(situation)
    for name, gives, kind, plan, when in known:
        if (name, gives) not in used:
            yield Alternative(method=find_method(name, gives, kind), when=when, plan=plan)


def _scored(outcomes: Outcomes) -> Iterator[_Beside]:
    """Yield what to consider for the score of each example, by how the examples hang together."""
    of_two = len(outcomes.models) == 2
    for beside in _SCORED if outcomes.clusters is None else _CLUSTERED:
        if beside[1] == "interval" or of_two:
            yield beside
    if of_two and outcomes.clusters is not None and outcomes.metric.is_rate and not outcomes.repeated:
        yield from _CLUSTERED_PAIRS
    if of_two and outcomes.groups is not None:
        yield from _GROUPED


def _beside(situation: Situation) -> tuple[_Beside, ...]:
    if situation.way == 3:
        if situation.test_sets == "two":
            return _TWO_SETS
        return _SEVERAL if (situation.models or 2) > 2 else _ONE_SET
    if situation.way == 1:
        return tuple(_rated(situation.errors))
    return {5: _MUCH_ONE, 6: _LEARNER, 7: _MUCH, 8: _LEARNERS, 9: _MANY}[situation.way or 0]


def _rated(errors: int | None) -> Iterator[_Beside]:
    """Yield what to consider for one rate, by how many errors were seen."""
    if errors == 0:
        bound = "no errors were seen: with side='upper' it says all there is, about 3/M at 95 %"
        yield "clopper-pearson", "interval", ErrorCount, "", bound
    for beside in _RATE:
        if not ((errors == 0 and beside[:2] == _RATE[1][:2]) or ((errors or 0) >= 10 and beside[0] == "mid-p")):
            yield beside
