"""Sample-size planning: the verb `plan` in all its forms."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidOption
from ..evidence import Plan
from ..typing_ import Alternative, Hypothesis, Side, as_alpha, one_of, open_unit
from .known_rates import as_rate
from .learner_options import Over, Varying
from .options import (
    ClassifierOptions,
    as_assurance,
    as_clusters,
    as_difference,
    as_examples,
    as_pilot,
    as_power,
    as_ratio,
    complete_learner_target,
    complete_target,
    set_difference,
    with_margin,
)
from .plan_target import PlanTarget
from .planned import Planned
from .power_plans import plan_pairs, plan_threshold, plan_two_sets
from .width_plans import WidthRequest, as_range, plan_pair_width, plan_two_sets_width, plan_width


def plan(
    evidence: Any = None,
    *,
    examples: int | None = None,
    power: float | None = None,
    difference: float | None = None,
    width: float | None = None,
    disagreement: float | None = None,
    error: float | tuple[float, float] | None = None,
    error_a: float | None = None,
    error_b: float | None = None,
    against: float | None = None,
    margin: float | None = None,
    hypothesis: Hypothesis | None = None,
    method: str | None = None,
    alternative: Alternative = "two-sided",
    side: Side = "two",
    level: float | None = None,
    alpha: float | None = None,
    assurance: float | None = None,
    independent: bool = False,
    ratio: float = 1.0,
    cluster_size: float | None = None,
    cluster_correlation: float | None = None,
    design_effect: float | None = None,
    sd: float | None = None,
    sd_a: float | None = None,
    sd_b: float | None = None,
    epochs: int | tuple[int, int] | None = None,
    over: Over | None = None,
    plan: Plan | str | None = None,
    training_sets: int | None = None,
    data_sets: int | None = None,
    wins: float | None = None,
    **options: Any,
) -> Planned:
    """Return the sample size, the power or the smallest detectable difference of a test, or the width of an interval.

    Set two of examples, power and difference: the third is computed by enumeration of all outcomes, for the test that
    will be used. A difference is never taken from data.

    Parameters
    ----------
    evidence
        A pilot. Only its nuisance rates are used: the discordant rate of a `PairedTable` (or `Predictions` of two
        models), the pooled error rate of `IndependentCounts`, the rate of an `ErrorCount`; for learners the standard
        deviation of a race, `Resamples` or (over data sets) a `ScoreTable`. With a pilot alone the result is the
        smallest difference that its examples detect.
    examples
        Number of test examples; for independent test sets that of A.
    power
        Power, such as 0.8 (the default unless it is computed).
    difference
        error(A) − error(B) that would matter: 0.01 is 1 percentage point. With a margin the default is 0.
    width
        Width of an interval, instead of these.
    disagreement
        Discordant rate: the share of examples that only one of two classifiers gets right.
    error, error_a, error_b
        Error rates: of one classifier (or a range, planned for at its worst), the mean of both, of A, of B.
    against
        Threshold for the error rate of one classifier; the difference is error − against.
    margin, hypothesis
        As for `compare`: the margin, and "non-inferior", "superior" or "equivalent".
    method
        The test, or for a width the interval. Default: that of `compare` or `estimate`.
    alternative
        "two-sided", "greater" (B is better) or "less".
    side
        Of an interval: "two", or "upper" or "lower" for the distance of a bound from the true value.
    level, alpha
        Significance level of the test, or level of the interval.
    assurance
        With a width: probability that the interval is no wider. Default: the mean width. 1 is for all outcomes.
    independent, ratio
        Whether A and B have separate test sets, and the number of examples of B for each of A.
    cluster_size, cluster_correlation, design_effect
        For clustered examples: examples per cluster and their intraclass correlation, or the design effect.
    sd, sd_a, sd_b, epochs, over, plan, training_sets, data_sets, wins
        For learners and for scores: see `Varying`.
    options
        Further options of the test or interval.

    Examples
    --------
    >>> import tellapart as ta
    >>> plan(difference=0.01, disagreement=0.06).size
    4688
    >>> planned = plan(ta.PairedTable(20, 25, 10, 945))  # the smallest difference that 1000 examples detect
    >>> round(planned.difference, 3)
    0.016
    >>> plan(margin=0.01, disagreement=0.0).size  # no discordant pairs, non-inferior by 1 pp
    268
    >>> plan(width=0.1, error=(0.2, 0.6), method="wald").size
    384
    >>> round(plan(examples=1000, difference=0.02, disagreement=0.06).power, 2)
    0.74
    """
    varying = Varying(
        sd=sd,
        sd_a=sd_a,
        sd_b=sd_b,
        epochs=epochs,
        over=over,
        plan=plan,
        training_sets=training_sets,
        data_sets=data_sets,
        wins=wins,
    )
    target = PlanTarget(
        size=as_examples(examples),
        power=None if power is None else as_power(power),
        difference=as_difference(difference),
        alpha=as_alpha(level, alpha),
        alternative=one_of("alternative", alternative, Alternative),
        clusters=as_clusters(cluster_size, cluster_correlation, design_effect),
        options=options,
    )
    pilot, target = as_pilot(evidence, with_margin(target, margin, hypothesis, level))
    settings = ClassifierOptions(
        pilot=pilot,
        width=None if width is None else open_unit("width", width, "For 4 pp use 0.04."),
        disagreement=None if disagreement is None else as_rate("disagreement", disagreement),
        error=None if error is None else as_range(error),
        error_a=None if error_a is None else as_rate("error_a", error_a),
        error_b=None if error_b is None else as_rate("error_b", error_b),
        against=None if against is None else open_unit("against", against, "For 5% use 0.05."),
        side=one_of("side", side, Side),
        assurance=as_assurance(assurance),
        independent=bool(independent) or (pilot is not None and pilot.test_sets == 2),
        ratio=as_ratio(ratio),
    )
    if varying.is_set or (pilot is not None and pilot.subject == "learner"):
        return _plan_learners(settings, complete_learner_target(target, varying), varying, method)
    settings.check_combination()
    if settings.against is not None:
        return _plan_threshold(settings, target, method)
    return (
        _plan_width(settings, target, method)
        if settings.for_width(target)
        else _plan_comparison(settings, target, method)
    )


# --- Kinds of plans -------------------------------------------------------------------------------


def _plan_threshold(settings: ClassifierOptions, target: PlanTarget, method: str | None) -> Planned:
    if settings.pilot is not None:
        raise InvalidOption(
            "`against` must not be combined with a pilot: the error rate must be assumed, not observed. Use error=0.03."
        )
    if target.hypothesis != "different":
        raise InvalidOption("`margin` and `hypothesis` are for two classifiers, got one. Leave them out.")
    assert settings.against is not None  # noqa: S101  # checked by the caller
    rate = settings.errors.mean
    if rate is not None:
        target = set_difference(target, round(rate - settings.against, 15), "error - against")
    target = complete_target(target)
    return plan_threshold(target, method=method, against=settings.against)


def _plan_width(settings: ClassifierOptions, target: PlanTarget, method: str | None) -> Planned:
    if target.power is not None or target.hypothesis != "different" or target.alternative != "two-sided":
        raise InvalidOption(
            "`power`, `margin`, `hypothesis` and `alternative` are for tests, got a width. For a bound use"
            " side='upper'."
        )
    request = WidthRequest(settings.width, settings.side, settings.assurance)
    if not settings.of_two:
        if target.difference is not None:
            raise InvalidOption("`disagreement` is required for the width of a difference. Use disagreement=0.1.")
        return plan_width(target, request, method=method, count=settings.pilot, error=settings.error)
    target = set_difference(target, settings.errors.difference, "error_a - error_b")
    if settings.independent:
        return plan_two_sets_width(
            target, request, method=method, counts=settings.pilot, errors=settings.errors, ratio=settings.ratio
        )
    shares = {"table": settings.pilot, "disagreement": settings.disagreement, "errors": settings.errors}
    return plan_pair_width(target, request, method=method, **shares)


def _plan_comparison(settings: ClassifierOptions, target: PlanTarget, method: str | None) -> Planned:
    if settings.pilot is not None and len(settings.pilot.models) == 1:
        raise InvalidOption(
            "the pilot of a comparison must have two models, got one. Use predictions or counts of both, or width=0.05"
            " for one model."
        )
    target = set_difference(target, settings.errors.difference, "error_a - error_b")
    target = complete_target(target, None if settings.independent else settings.pilot)
    if settings.independent:
        return plan_two_sets(target, method=method, counts=settings.pilot, errors=settings.errors, ratio=settings.ratio)
    shares = {"table": settings.pilot, "disagreement": settings.disagreement, "errors": settings.errors}
    return plan_pairs(target, method=method, **shares)


def _plan_learners(settings: ClassifierOptions, target: PlanTarget, varying: Varying, method: str | None) -> Planned:
    from .learner_plans import plan_learners  # slow import

    names = ("width", "disagreement", "error", "error_a", "error_b", "against", "assurance")
    for name in names:
        if getattr(settings, name) is not None:
            raise InvalidOption(f"`{name}` is for classifiers on a test set, got a plan for learners. Leave it out.")
    if settings.independent or settings.side != "two":
        raise InvalidOption(
            "`independent` and `side` are for classifiers on a test set, got a plan for learners. Leave them out."
        )
    return plan_learners(target, varying, method=method, pilot=settings.pilot)
