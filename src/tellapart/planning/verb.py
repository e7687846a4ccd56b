"""How many examples does it take? The one question of a plan, in all its forms."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidOption
from ..evidence import Plan
from ..typing_ import Alternative, Hypothesis, Side, as_alpha, one_of, open_unit
from .known_rates import as_rate
from .learner_options import Over, Varying
from .options import (
    Given,
    as_assurance,
    as_clusters,
    as_difference,
    as_examples,
    as_pilot,
    as_power,
    as_ratio,
    completed,
    completed_for_learners,
    same_difference,
    with_margin,
)
from .planned import Planned
from .power_plans import plan_pairs, plan_threshold, plan_two_sets
from .wanted import Wanted
from .width_plans import Asked, as_range, plan_pair_width, plan_two_sets_width, plan_width


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
    """Tell how many examples it takes to see a difference, or what can be seen with those at hand.

    Of examples, power and difference two are given, and the third is found: by enumeration of all that can come
    out, for the very test that will be used. A difference is never taken from data.

    Parameters
    ----------
    evidence
        A pilot. Of a `PairedTable` (or `Predictions` of two models) only the disagreement is used, of
        `IndependentCounts` the errors of both together, of an `ErrorCount` its rate; of learners, a race,
        `Resamples` or (over data sets) a `ScoreTable`, how much their difference varies. Without anything else the
        smallest difference is found that the examples (or data sets) of the table would show.
    examples
        How many test examples there are or will be; with independent test sets, for A.
    power
        How often the difference is to be seen, such as 0.8 (the default where it is not what is asked for).
    difference
        error(A) − error(B), as it would be worth seeing: 0.01 for one point. With a margin 0 is the default.
    width
        Instead of these: how wide an interval may be.
    disagreement
        On which share of the examples only one of two classifiers is right.
    error, error_a, error_b
        Error rates: of one classifier (or a range of them, planned for at its worst), of both on average, of A, of B.
    against
        A threshold that the error rate of one classifier is held against; the difference is error − against.
    margin, hypothesis
        As for `compare`: what would not matter, and what is to be shown of it.
    method
        The test, or for a width the interval; as `compare` and `estimate` would choose, if left out.
    alternative
        "two-sided", "greater" (B is to be better) or "less".
    side
        Of an interval: "two", or "upper" or "lower" for the distance of a bound from the truth.
    level, alpha
        What the test rejects at, or the level of the interval.
    assurance
        With a width: how often the interval is to be no wider; on average it is so wide, if left out. 1 is for all
        that can come out.
    independent, ratio
        Whether A and B have a test set each, and how many examples B has for each of A's.
    cluster_size, cluster_correlation, design_effect
        For examples that go together: how many do, and how alike they are within a cluster; or how many of them
        are worth one.
    sd, sd_a, sd_b, epochs, over, plan, training_sets, data_sets, wins
        For learners and for scores: `Varying` says what each is.
    options
        What the test or interval takes besides.

    Examples
    --------
    >>> import tellapart as ta
    >>> plan(difference=0.01, disagreement=0.06).size
    4688
    >>> found = plan(ta.PairedTable(20, 25, 10, 945))  # which difference would these 1000 examples show?
    >>> round(found.difference, 3)
    0.016
    >>> plan(margin=0.01, disagreement=0.0).size  # no disagreement at all, to show at most one point worse
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
    wanted = Wanted(
        size=as_examples(examples),
        power=None if power is None else as_power(power),
        difference=as_difference(difference),
        alpha=as_alpha(level, alpha),
        alternative=one_of("alternative", alternative, Alternative),
        clusters=as_clusters(cluster_size, cluster_correlation, design_effect),
        options=options,
    )
    pilot, wanted = as_pilot(evidence, with_margin(wanted, margin, hypothesis, level))
    given = Given(
        pilot=pilot,
        width=None if width is None else open_unit("width", width, "For four points write 0.04."),
        disagreement=None if disagreement is None else as_rate("disagreement", disagreement),
        error=None if error is None else as_range(error),
        error_a=None if error_a is None else as_rate("error_a", error_a),
        error_b=None if error_b is None else as_rate("error_b", error_b),
        against=None if against is None else open_unit("against", against, "For five percent write 0.05."),
        side=one_of("side", side, Side),
        assurance=as_assurance(assurance),
        independent=bool(independent) or (pilot is not None and pilot.test_sets == 2),
        ratio=as_ratio(ratio),
    )
    if varying.given or (pilot is not None and pilot.subject == "learner"):
        return _of_learners(given, completed_for_learners(wanted, varying), varying, method)
    given.refuse_strangers()
    if given.against is not None:
        return _of_threshold(given, wanted, method)
    return _of_width(given, wanted, method) if given.for_width(wanted) else _of_comparison(given, wanted, method)


# --- The four questions ---------------------------------------------------------------------------


def _of_threshold(given: Given, wanted: Wanted, method: str | None) -> Planned:
    if given.pilot is not None:
        raise InvalidOption(
            "a threshold is planned for at a true error that you name, not at an observed one. Write error=0.03."
        )
    if wanted.hypothesis != "different":
        raise InvalidOption("margin and hypothesis are for two classifiers. A threshold is against=0.05.")
    assert given.against is not None  # noqa: S101  # who asks has looked
    rate = given.errors.mean
    if rate is not None:
        wanted = same_difference(wanted, round(rate - given.against, 15), "error - against")
    wanted = completed(wanted)
    return plan_threshold(wanted, method=method, against=given.against)


def _of_width(given: Given, wanted: Wanted, method: str | None) -> Planned:
    if wanted.power is not None or wanted.hypothesis != "different" or wanted.alternative != "two-sided":
        raise InvalidOption(
            "a width is of an interval; power, margin, hypothesis and alternative are for a test. For a bound write"
            " side='upper', for how often assurance=0.9."
        )
    asked = Asked(given.width, given.side, given.assurance)
    if not given.of_two:
        if wanted.difference is not None:
            raise InvalidOption("difference is of two classifiers, of whom a width needs disagreement= to be known.")
        return plan_width(wanted, asked, method=method, count=given.pilot, error=given.error)
    wanted = same_difference(wanted, given.errors.difference, "error_a - error_b")
    if given.independent:
        return plan_two_sets_width(
            wanted, asked, method=method, counts=given.pilot, errors=given.errors, ratio=given.ratio
        )
    shares = {"table": given.pilot, "disagreement": given.disagreement, "errors": given.errors}
    return plan_pair_width(wanted, asked, method=method, **shares)


def _of_comparison(given: Given, wanted: Wanted, method: str | None) -> Planned:
    if given.pilot is not None and len(given.pilot.models) == 1:
        raise InvalidOption(
            "an ErrorCount is a pilot for a width: write width=0.05. For two models give a PairedTable."
        )
    wanted = same_difference(wanted, given.errors.difference, "error_a - error_b")
    wanted = completed(wanted, None if given.independent else given.pilot)
    if given.independent:
        return plan_two_sets(wanted, method=method, counts=given.pilot, errors=given.errors, ratio=given.ratio)
    shares = {"table": given.pilot, "disagreement": given.disagreement, "errors": given.errors}
    return plan_pairs(wanted, method=method, **shares)


def _of_learners(given: Given, wanted: Wanted, varying: Varying, method: str | None) -> Planned:
    from .learner_plans import plan_learners  # classifiers are no reason to load what learners need

    told = ("width", "disagreement", "error", "error_a", "error_b", "against", "assurance")
    for name in told:
        if getattr(given, name) is not None:
            raise InvalidOption(
                f"{name} is for classifiers on a test set, and this is a plan by how much scores vary. Leave it out."
            )
    if given.independent or given.side != "two":
        raise InvalidOption("independent and side are for classifiers on a test set. Leave them out.")
    return plan_learners(wanted, varying, method=method, pilot=given.pilot)
