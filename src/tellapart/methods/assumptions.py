"""What methods assume, stated once: the figure, the threshold, and where to go otherwise.

A method lists its assumptions in `@method(assumes=...)`; the verbs examine them, so no
author can forget to, and the lab's million calls pay nothing. Codes TA0xx speak of one
error rate, TA1xx of two classifiers on one test set, TA2xx of two test sets, TA3xx of several
classifiers. A code once given keeps its meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..evidence import Evidence
from ..results import Check, Interval
from ..types import Alternative, FloatArray, Numbers

__all__ = [
    "ANDERSON_SCLOVE",
    "BOTH_ERR",
    "BOTH_SETS_LARGE",
    "CAN_REJECT_EXACT",
    "CAN_REJECT_MID_P",
    "DIFFERENCE_HAS_WIDTH",
    "DIFFERENCE_INSIDE_RANGE",
    "DISAGREEMENTS_OF_EVERY_PAIR",
    "ENOUGH_DISAGREEMENTS",
    "FITTED_RANGE",
    "HAS_WIDTH",
    "HODGES_LEHMANN",
    "INFORMATIVE_EXAMPLES",
    "INSIDE_RANGE",
    "INTERIOR",
    "MENDENHALL",
    "MITCHELL_PRODUCT",
    "MITCHELL_SIZE",
    "NORMAL_APPROXIMATION",
    "ROOM_AT_THRESHOLD",
    "SIZES_ALIKE",
    "SOME_AGREEMENT",
    "SOME_DISAGREEMENT",
    "SPREAD_IN_BOTH",
    "SPREAD_SEEN",
    "STRATA_HAVE_ROOM",
    "STRATA_HAVE_SPREAD",
    "STRATA_HAVE_WIDTH",
    "TWO_SETS_HAVE_WIDTH",
    "TWO_SIDED",
    "WHOLE_POOL",
    "Assumption",
    "Given",
    "examine",
    "trust",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is known besides the evidence when an assumption is examined."""

    interval: Interval
    against: FloatArray | float = np.nan  # the threshold, if there is one
    alpha: float = 0.05
    alternative: Alternative = "two-sided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """An assumption with a figure that tells whether it holds: at least (or above) a threshold."""

    code: str
    needs: str
    broken: str
    otherwise: str
    figure: Callable[[Any, Given], Any]
    threshold: float
    strict: bool = False
    source: str | None = None  # the bibliography key of whoever set the threshold

    def check(self, evidence: Evidence, given: Given) -> Check:
        """Examine every entry of the evidence at once."""
        figure = np.broadcast_to(np.asarray(self.figure(evidence, given), dtype=float), evidence.shape)[()]
        return Check(
            code=self.code,
            needs=self.needs,
            broken=self.broken,
            otherwise=self.otherwise,
            figure=figure,
            threshold=self.threshold,
            strict=self.strict,
        )


def examine(assumptions: tuple[Assumption, ...], evidence: Evidence, given: Given) -> tuple[Check, ...]:
    """Examine each assumption once, in the order given."""
    return tuple(assumption.check(evidence, given) for assumption in dict.fromkeys(assumptions))


# Where to go instead of a forbidden method.
_DEFAULTS = {
    "ErrorCount": "'jeffreys' is the default interval, 'clopper-pearson' the default test",
    "StratifiedCount": "'stratified-wilson' is the default interval",
    "PairedTable": "'mcnemar-mid-p' is the default test, 'tango' the default interval",
    "IndependentCounts": "'fisher-mid-p' is the default test, 'miettinen-nurminen' the default interval",
}


def trust(name: str, standing: str, because: str, evidence: Evidence) -> tuple[Check, ...]:
    """Return a failed check that carries the reason of a forbidden method; nothing for the others."""
    if standing != "forbidden":
        return ()
    reason = because.replace("{", "{{").replace("}", "}}")
    return (
        Check(
            code="TA010",
            needs="the method is fit for use",
            broken=f"'{name}' is forbidden: {reason}",
            otherwise=_DEFAULTS.get(type(evidence).__name__, "leave method= out for the default"),
            figure=np.zeros(evidence.shape)[()],
            threshold=1,
        ),
    )


_USE_BETA = "method='jeffreys' needs no normal approximation"


def _mendenhall(count: Any, _: Given) -> Numbers:
    """Return how far ε ± 2s stays inside (0, 1)."""
    reach = 2 * count.standard_error
    return np.minimum(count.rate - reach, 1 - count.rate - reach)


HODGES_LEHMANN = Assumption(
    code="TA001",
    needs="M·e·(1−e) = {figure} ≥ 10 (Hodges and Lehmann)",
    broken="M·e·(1−e) = {figure} < 10: the normal approximation is poor here (Hodges and Lehmann)",
    otherwise=_USE_BETA,
    figure=lambda count, _: count.errors * (count.successes / count.trials),
    threshold=10,
    source="hodges1970",
)
ANDERSON_SCLOVE = Assumption(
    code="TA002",
    needs="the rarer of errors and successes = {figure} ≥ 5 (Anderson and Sclove)",
    broken="the rarer of errors and successes = {figure} < 5: the normal approximation is poor here"
    " (Anderson and Sclove)",
    otherwise=_USE_BETA,
    figure=lambda count, _: np.minimum(count.errors, count.successes),
    threshold=5,
    source="anderson1986",
)
MENDENHALL = Assumption(
    code="TA003",
    needs="e ± 2√(e(1−e)/M) stays {figure} inside (0, 1) (Mendenhall and others)",
    broken="e ± 2√(e(1−e)/M) does not stay inside (0, 1): the normal approximation is poor here"
    " (Mendenhall and others)",
    otherwise=_USE_BETA,
    figure=_mendenhall,
    threshold=0,
    strict=True,
    source="mendenhall1990",
)
MITCHELL_SIZE = Assumption(
    code="TA004",
    needs="{figure} trials ≥ 30 (Mitchell)",
    broken="{figure} trials < 30: too few for the normal approximation (Mitchell)",
    otherwise=_USE_BETA,
    figure=lambda count, _: count.trials,
    threshold=30,
    source="mitchell1997",
)
MITCHELL_PRODUCT = Assumption(
    code="TA005",
    needs="n·e·(1−e) = {figure} ≥ 5 (Mitchell)",
    broken="n·e·(1−e) = {figure} < 5: the normal approximation is poor here (Mitchell)",
    otherwise=_USE_BETA,
    figure=lambda count, _: count.errors * (count.successes / count.trials),
    threshold=5,
    source="mitchell1997",
)
INSIDE_RANGE = Assumption(
    code="TA006",
    needs="the limits lie in [0, 1]",
    broken="the limits leave [0, 1] by {size}: no error rate is there",
    otherwise="method='wilson' stays inside",
    figure=lambda _, given: np.minimum(given.interval.low, 1 - given.interval.high),
    threshold=0,
)
HAS_WIDTH = Assumption(
    code="TA007",
    needs="the limits differ, by {figure}",
    broken="the interval has no width, as if the error were known exactly",
    otherwise="method='jeffreys' stays honest at no errors and at nothing but errors",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)
# On every method that puts a normal quantile where the binomial has none.
NORMAL_APPROXIMATION = (
    HODGES_LEHMANN,
    ANDERSON_SCLOVE,
    MENDENHALL,
    MITCHELL_SIZE,
    MITCHELL_PRODUCT,
    HAS_WIDTH,
)

TWO_SIDED = Assumption(
    code="TA008",
    needs="both limits were asked for",
    broken="this construction has no one-sided form, so the bound is another method's",
    otherwise="it is that of clopper-pearson for 'blaker', the posterior quantile for 'hpd-…'",
    figure=lambda _, given: given.interval.side == "two",
    threshold=1,
)
INTERIOR = Assumption(
    code="TA009",
    needs="both errors and successes were seen",
    broken="the log odds of all or nothing are infinite, so these limits are Clopper and Pearson's",
    otherwise="method='clopper-pearson' gives the same, 'jeffreys' the default",
    figure=lambda count, _: np.minimum(count.errors, count.successes),
    threshold=1,
)
FITTED_RANGE = Assumption(
    code="TA011",
    needs="the number of trials lies in the range the formula was fitted for",
    broken="the formula for up to five errors (or successes) was fitted for 10 to 200 trials, and this is outside",
    otherwise="method='jeffreys' is what it approximates, at any size",
    figure=lambda count, _: (
        (np.minimum(count.errors, count.successes) > 5) | ((count.trials >= 10) & (count.trials <= 200))
    ),
    threshold=1,
    source="martin1996",
)
ROOM_AT_THRESHOLD = Assumption(
    code="TA012",
    needs="M·p·(1−p) = {figure} ≥ 10 at the threshold p",
    broken="M·p·(1−p) = {figure} < 10 at the threshold p: this test may reject far more often than alpha says",
    otherwise="method='clopper-pearson' (the default) keeps its level everywhere",
    figure=lambda count, given: count.trials * given.against * (1 - given.against),
    threshold=10,
)

WHOLE_POOL = Assumption(
    code="TA013",
    needs="part of the pool is untested, so the limits differ, by {figure}",
    broken="the pool was tested to the last example, or so nearly that no other error rate of it is left to"
    " consider: the interval has no width because the error in the pool is known",
    otherwise="for examples from beyond the pool leave pool= out and use method='clopper-pearson'",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)


def _fewest(strata: Any, _: Given) -> Numbers:
    """Return the fewest errors or successes in any stratum that has a share."""
    fewest = np.minimum(strata.errors, strata.trials - strata.errors)
    return np.where(strata.shares > 0, fewest, np.max(strata.trials)).min(axis=-1)


def _with_spread(strata: Any, _: Given) -> Numbers:
    return ((strata.errors > 0) & (strata.errors < strata.trials) & (strata.shares > 0)).sum(axis=-1)


STRATA_HAVE_SPREAD = Assumption(
    code="TA014",
    needs="{figure} strata had both errors and successes",
    broken="no stratum had both errors and successes, so Yan and Su's common quantile is 0/0 and the strata's limits"
    " were squared and added instead",
    otherwise="more examples per stratum would tell more; 'stratified-normal' would claim to know the error exactly",
    figure=_with_spread,
    threshold=1,
)
STRATA_HAVE_ROOM = Assumption(
    code="TA015",
    needs="the rarer of errors and successes is {figure} ≥ 5 in every stratum",
    broken="the rarer of errors and successes is {figure} < 5 in some stratum: the normal approximation is poor here",
    otherwise="method='stratified-wilson' keeps near its level",
    figure=_fewest,
    threshold=5,
)
STRATA_HAVE_WIDTH = Assumption(
    code="TA016",
    needs="the limits differ, by {figure}",
    broken="the interval has no width, as if the error were known exactly",
    otherwise="method='stratified-wilson' stays honest where strata have no errors or nothing but errors",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)

DIFFERENCE_HAS_WIDTH = Assumption(
    code="TA103",
    needs="the limits differ, by {figure}",
    broken="the interval has no width, as if the difference were known exactly",
    otherwise="interval='tango' stays honest where nobody disagrees",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)
ENOUGH_DISAGREEMENTS = Assumption(
    code="TA104",
    needs="{figure} disagreements ≥ 10 (Yang)",
    broken="{figure} disagreements < 10: too few for a normal approximation of the difference (Yang)",
    otherwise="method='mcnemar-exact' holds its level at any size, interval='unconditional' up to 200 examples",
    figure=lambda table, _: table.disagreements,
    threshold=10,
    source="yang2006",
)


def _smallest_pvalue(table: Any, given: Given, observed: float) -> Numbers:
    """Return the p-value if all disagreements went one way, whose probability counts as much as `observed`."""
    sides = 2 if given.alternative == "two-sided" else 1
    return np.minimum(sides * observed * np.exp2(-np.minimum(table.disagreements, 1000.0)), 1)


CAN_REJECT_EXACT = Assumption(
    code="TA105",
    needs="an outcome at this number of disagreements could reach alpha, with {figure} to spare",
    broken="no outcome at so few disagreements could reach alpha: the smallest possible p-value is {size} above it",
    otherwise="more examples on which the two disagree are needed, whatever the test",
    figure=lambda table, given: given.alpha - _smallest_pvalue(table, given, 1.0),
    threshold=0,
    strict=True,
)
CAN_REJECT_MID_P = replace(
    CAN_REJECT_EXACT, code="TA110", figure=lambda table, given: given.alpha - _smallest_pvalue(table, given, 0.5)
)
SOME_AGREEMENT = Assumption(
    code="TA106",
    needs="the two agree on {figure} of the examples ≥ 0.2",
    broken="the two agree on only {figure} of the examples (< 0.2): there mid-p may reject up to 1.3 times too often",
    otherwise="method='mcnemar-exact' or 'mcnemar-unconditional' holds its level everywhere",
    figure=lambda table, _: 1 - table.disagreements / table.examples,
    threshold=0.2,
)
SOME_DISAGREEMENT = Assumption(
    code="TA107",
    needs="the two disagree somewhere ({figure} times)",
    broken="the two never disagree, so nothing is known of the odds between them and every value is left standing",
    otherwise="interval='tango' bounds the difference all the same",
    figure=lambda table, _: table.disagreements,
    threshold=1,
)
SPREAD_IN_BOTH = Assumption(
    code="TA109",
    needs="each of the two was both right and wrong (the rarer outcome {figure} times)",
    broken="one of the two was always right or always wrong, so its own interval has no width and decides nothing",
    otherwise="method='mcnemar-mid-p' looks at the disagreements alone",
    figure=lambda table, _: np.minimum(
        np.minimum(table.count_a.errors, table.count_a.successes),
        np.minimum(table.count_b.errors, table.count_b.successes),
    ),
    threshold=1,
)
BOTH_ERR = Assumption(
    code="TA108",
    needs="each of the two errs somewhere (the better one {figure} times)",
    broken="one of the two made no error, so the ratio of their error rates has no bound on one side",
    otherwise="interval='tango' bounds the difference all the same",
    figure=lambda table, _: np.minimum(table.count_a.errors, table.count_b.errors),
    threshold=1,
)


def _informative(patterns: Any, _: Given) -> Numbers:
    """Return the examples where the models do not all agree, times the models."""
    each = patterns.wrong.sum(axis=-1)
    models = len(patterns.models)
    return models * (patterns.counts @ ((each > 0) & (each < models)).astype(np.int64))


INFORMATIVE_EXAMPLES = Assumption(
    code="TA301",
    needs="examples on which the models do not all agree, times models = {figure} ≥ 24 (Tate and Brown)",
    broken="examples on which the models do not all agree, times models = {figure} < 24: the chi-square"
    " approximation of Cochran's Q is poor here (Tate and Brown)",
    otherwise="look at the pairs: method='mcnemar-exact' with adjust='holm' holds its level at any size",
    figure=_informative,
    threshold=24,
    source="tate1970",
)
DISAGREEMENTS_OF_EVERY_PAIR = Assumption(
    code="TA302",
    needs="any two models disagree on {figure} examples or more, which is at least 10",
    broken="two of the models disagree on only {figure} examples: below 10, 'max-t' seldom tells such a pair apart, and"
    " with fewer than 50 examples it may claim a little too much (up to 1.5 times alpha)",
    otherwise="more examples would help; method='mcnemar-exact' with adjust='holm' guarantees its level at any size",
    figure=lambda patterns, _: patterns.tables().disagreements.min(axis=-1),
    threshold=10,
)


def _mitchell_products(counts: Any, _: Given) -> Numbers:
    """Return the smaller n·e·(1−e) of the two test sets."""
    a, b = counts.a, counts.b
    return np.minimum(a.errors * (a.successes / a.trials), b.errors * (b.successes / b.trials))


SIZES_ALIKE = Assumption(
    code="TA201",
    needs="the smaller test set has {figure} of the larger one's examples ≥ 0.5",
    broken="the smaller test set has only {figure} of the larger one's examples (< 0.5): this test may reject twice"
    " as often as alpha says",
    otherwise="method='fisher-mid-p' stays near its level, 'boschloo' and 'fisher' keep it",
    figure=lambda counts, _: (
        np.minimum(counts.a.trials, counts.b.trials) / np.maximum(counts.a.trials, counts.b.trials)
    ),
    threshold=0.5,
)
BOTH_SETS_LARGE = Assumption(
    code="TA202",
    needs="n·e·(1−e) = {figure} ≥ 5 in both test sets (Mitchell)",
    broken="n·e·(1−e) = {figure} < 5 in a test set: the normal approximation is poor here (Mitchell)",
    otherwise="method='fisher-mid-p' and interval='miettinen-nurminen' need no such number",
    figure=_mitchell_products,
    threshold=5,
    source="mitchell1997",
)
DIFFERENCE_INSIDE_RANGE = Assumption(
    code="TA203",
    needs="the limits lie in [−1, 1]",
    broken="the limits leave [−1, 1] by {size}: no difference is there",
    otherwise="interval='miettinen-nurminen' stays inside",
    figure=lambda _, given: np.minimum(1 + given.interval.low, 1 - given.interval.high),
    threshold=0,
)
TWO_SETS_HAVE_WIDTH = Assumption(
    code="TA204",
    needs="the limits differ, by {figure}",
    broken="the interval has no width, as if the difference were known exactly",
    otherwise="interval='miettinen-nurminen' stays honest where nobody errs",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)
SPREAD_SEEN = Assumption(
    code="TA205",
    needs="the difference has a standard error, {figure}",
    broken="each classifier was always right or always wrong: the standard error is 0, and any difference is"
    " infinitely many of them",
    otherwise="method='fisher-mid-p' needs no standard error",
    figure=lambda counts, _: np.hypot(counts.a.standard_error, counts.b.standard_error),
    threshold=0,
    strict=True,
)
