"""Which test, estimator and interval fit the plan by which learners were tried, unless one is named."""

from __future__ import annotations

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Resamples, ScoreTable, TrainingSets
from ..methods import Gives, Offer, find_method, find_methods, look_up
from .choose import Advice

Learners = Resamples | TrainingSets | ScoreTable
_ESTIMATING: tuple[Gives, ...] = ("estimate", "interval")

# By the kind of plan: the test of two learners, and the estimator of one.
_TESTS = {
    "random": "corrected-resampled-t",
    "bootstrap": "corrected-resampled-t",
    "nested": "nested-cv",
    "halves": "conservative-z",
    "loo-star": "cv-wald",
    "independent": "paired-t",
    "seeds": "welch",
    "splits": "corrected-resampled-t",
}
_ESTIMATORS = {
    "bootstrap": "632plus",
    "nested": "nested-cv",
    "halves": "conservative-z",
    "loo-star": "loo-star",
    "apparent": "apparent",
}


def default_test(evidence: Learners) -> str:
    """Return the test that fits the plan: it depends on the design, never on the scores.

    Examples
    --------
    >>> default_test(Resamples.from_scores([0.9] * 100, [0.8] * 100, plan="10x10"))
    'corrected-repeated-kfold-t'
    >>> default_test(Resamples.from_scores([0.9] * 10, [0.8] * 10, plan="5x2"))
    '5x2cv-t'
    """
    if isinstance(evidence, ScoreTable):
        return "wilcoxon-signed-rank"
    if isinstance(evidence, TrainingSets):
        return "quasi-f" if evidence.varies == "training set" else "two-way-bootstrap"
    plan = evidence.plan
    if plan.kind == "apparent":
        raise InvalidEvidence(
            "learners cannot be compared by their errors on the examples they were trained on. Race by '10x10'."
        )
    if plan.kind == "delve":
        raise InvalidEvidence(
            "disjoint training sets share one test set, which splits do not. Take race.training_sets(), or the race."
        )
    if plan.kind != "k-fold":
        return "mcnemar-on-cv" if plan.one_split else _TESTS[plan.kind]
    if _leaves_one_out(evidence):
        return "cv-wald"
    if (plan.replicates, plan.folds) == (5, 2):
        return "5x2cv-t"
    return "corrected-repeated-kfold-t" if plan.replicates > 1 else "corrected-resampled-t"


def default_estimator(evidence: Learners) -> str:
    """Return the estimator of a learner's error that fits the plan.

    Examples
    --------
    >>> default_estimator(Resamples.from_scores([0.9] * 10, plan="10-fold"))
    'kfold'
    """
    if isinstance(evidence, ScoreTable):
        raise InvalidEvidence(
            "an error is of one data set, but this table is of many. Compare its learners, or estimate each data set by"
            " itself."
        )
    if isinstance(evidence, TrainingSets):
        return "crossed-interval"
    plan = evidence.plan
    if plan.kind == "k-fold":
        if _leaves_one_out(evidence):
            return "loo"
        if "*" in plan.name:  # "2-fold*100", Martin and Hirschberg's 2-CV*
            return "iterated-kfold"
        return "repeated-kfold" if plan.replicates > 1 else "kfold"
    return "holdout" if plan.one_split else _ESTIMATORS.get(plan.kind, "corrected-t-interval")


def advise_learners(evidence: Learners) -> tuple[Advice, ...]:
    """Return what to consider besides the default for two learners: what is less of a lottery comes first.

    Bouckaert and Frank (2004) measured how often a test decides alike on other splits of the same data: ten times
    10-fold with the corrected t was the most replicable.

    Examples
    --------
    >>> held = Resamples.from_scores([0.9] * 10, [0.8] * 10, plan="5x2")
    >>> [(advice.method, advice.plan) for advice in advise_learners(held)]
    [('corrected-resampled-t', None), ('corrected-repeated-kfold-t', '10x10')]
    """
    if isinstance(evidence, ScoreTable):
        return _over_data_sets(evidence)
    if isinstance(evidence, TrainingSets):
        return ()
    test = default_test(evidence)
    steady = Advice(
        method="corrected-repeated-kfold-t",
        plan="10x10",
        when="the answer should depend less on how the examples were cut: the most replicable of the split-based tests",
    )
    if test == "5x2cv-t":
        top = "the verdict should not hang on which of the ten differences stands on top"
        return Advice(method="corrected-resampled-t", when=top), steady
    if test == "corrected-resampled-t" and evidence.plan.kind == "k-fold":
        return (steady,)
    if test != "corrected-repeated-kfold-t":
        return ()
    cautious = "the most cautious answer is asked for, and three times the fits are no trouble"
    practical = "'as good in practice' should be sayable: with rope=0.01 one point is no difference"
    return (
        Advice(method="bayesian-correlated-t", when=practical),
        Advice(method="conservative-z", plan="conservative-z", when=cautious),
    )


def _over_data_sets(table: ScoreTable) -> tuple[Advice, ...]:
    """Return what to consider besides Wilcoxon's test for learners over many data sets."""
    several = len(table.learners) > 2
    practical = Advice(
        method="bayesian-signed-rank",
        when="'as good in practice' should be sayable: with a rope of 0.01 (rope=, --rope) a difference of 0.01 is"
        " none",
    )
    lopsided = Advice(method="sign-test", when="differences lean to one side, or only who wins can be trusted")
    known = table.rho is not None and bool((table.runs > 1).all())
    uncertain = "the uncertainty of each data set's own comparison should count, which the runs show"
    shrunk = (Advice(method="hierarchical", when=uncertain),) if known and not several else ()
    pooled = (Advice(method="random-effects", when=f"{uncertain}; without a prior"),) if known else ()
    return *shrunk, *pooled, practical, lopsided


def choose_learner_pair(
    evidence: Learners, method: str | None, interval: str | None, *, margin: bool = False
) -> tuple[Offer, Offer]:
    """Return test and interval for two learners: what was named, its partner, then what fits the plan."""
    kind = type(evidence)
    limits = look_up(method, "interval", kind) if method is not None else None
    test = look_up(method, "test", kind) if method is not None else None
    if method is not None and test is None and limits is None:
        find_method(method, "test", kind)  # says what there is
    if test is None:
        if limits is not None and interval not in {None, method}:
            raise InvalidOption(f"method={method!r} and interval={interval!r} are two intervals. Give one of them.")
        interval = method if interval is None else interval
        named = look_up(limits.partner, "test", kind) if limits is not None else None
        default = default_test(evidence)
        default = "corrected-resampled-t" if margin and default == "5x2cv-t" else default  # which tests no other margin
        test = named or find_method(default, "test", kind)
    if margin and "against" not in test.options:
        able = (found.name for found in find_methods(gives="test", evidence=kind) if "against" in found.options)
        raise InvalidOption(f"method {test.name!r} takes no margin. Choose one of: {', '.join(able)}.")
    if interval is None:
        found = (look_up(name, "interval", kind, elsewhere=False) for name in (test.name, test.partner))
        partner = next((each for each in found if each), None)
        interval = partner.name if partner else _default_interval(evidence)
    return test, find_method(interval, "interval", kind)


def choose_estimator(evidence: Learners, method: str | None) -> tuple[Offer | None, Offer]:
    """Return estimator and interval for one learner; without an estimator of that name the mean loss is it."""
    kind = type(evidence)
    name = default_estimator(evidence) if method is None else method
    point, limits = look_up(name, "estimate", kind), look_up(name, "interval", kind)
    if point is None and limits is None:
        able = {found.name for gives in _ESTIMATING for found in find_methods(gives=gives, evidence=kind)}
        raise InvalidOption(f"method {name!r} estimates no learner's error. Choose one of: {', '.join(sorted(able))}.")
    if limits is None:
        partner = point.partner if point is not None and point.partner else _default_interval(evidence)
        limits = find_method(partner, "interval", kind)
    return point, limits


def _default_interval(evidence: Learners) -> str:
    """Return the interval that goes with the plan's own test, or estimator."""
    if isinstance(evidence, TrainingSets):
        return "crossed-interval"
    if len(evidence.learners) == 1:
        return "cv-wald" if _leaves_one_out(evidence) else "corrected-t-interval"
    test = default_test(evidence)
    return "corrected-resampled-t" if test == "5x2cv-t" else test


def _leaves_one_out(evidence: Learners) -> bool:
    """Whether every test set is one example."""
    return isinstance(evidence, Resamples) and evidence.plan.kind == "k-fold" and bool((evidence.test == 1).all())
