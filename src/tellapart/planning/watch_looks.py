"""The interim analyses of a watch: estimate, interval and decision of each rule after a batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ErrorCount, PairedTable, is_one
from ..evidence.paired_table import CELLS
from ..methods import find_method, find_methods
from ..methods.betting import SOURCE, Bets, as_unit_values, halved
from ..methods.error_count.anytime import JEFFREYS, as_bets
from ..methods.paired_table.anytime import as_kappa
from ..methods.spending import SOURCES, Spending, spending_boundaries
from ..typing_ import one_of

if TYPE_CHECKING:
    from .watching import Watch

Watched = Literal["pair", "rate", "mean", "paired scores"]
WatchedEvidence = PairedTable | ErrorCount | Bets
Prior = float | tuple[float, float] | None  # κ of Beta(κ, κ), (u, v), or None for rules without a prior

PLANNED = get_args(Spending)
# The rules for each kind of watch, the default first.
RULES: dict[Watched, tuple[str, ...]] = {
    "pair": ("mcnemar-evalue", *PLANNED),
    "rate": ("beta-binomial-cs",),
    "mean": ("betting",),
    "paired scores": ("betting",),
}
# For each kind of watch of counts: the class of a batch, an example, and its counts.
COUNTED: dict[Watched, tuple[type[PairedTable | ErrorCount], str, tuple[str, ...]]] = {
    "pair": (PairedTable, "PairedTable(20, 25, 10, 45)", CELLS),
    "rate": (ErrorCount, "ErrorCount(3, 120)", ("errors", "trials")),
}
_SIDES = ("below", "above")


@dataclass(frozen=True, slots=True, kw_only=True)
class InterimAnalysis:
    """One look: examples so far, estimate, interval and decision; NaN for figures that the rule does not have."""

    examples: int  # so far
    estimate: float  # the difference (error of A − error of B, or score of B − score of A), the error or the mean
    low: float = math.nan
    high: float = math.nan
    evalue: float = math.nan
    z: float = math.nan
    boundary: float = math.nan  # infinite if no decision is possible at this look
    decides: str = ""  # "A" or "B", or "below" or "above" the threshold
    late: bool = False  # after the end of the plan
    source: str = ""
    fingerprint: str = ""
    when: str = ""
    name: str = ""  # unique among the batches
    counts: tuple[int, ...] = ()  # of this batch only, to detect repeats; none for scores

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def rule_for(watched: Watched, rule: str | None) -> str:
    """Return the rule, or the default; raise InvalidOption for a rule of another kind of watch."""
    known = RULES[one_of("watches", watched, Watched)]
    rule = known[0] if rule is None else rule
    if rule not in known:
        noun = {"pair": "two models", "rate": "an error rate"}.get(watched, "scores")
        raise InvalidOption(f"`rule` must be one of {', '.join(map(repr, known))} for {noun}, got {rule!r}.")
    return rule


def total_for(rule: str, total: Any) -> int | None:
    """Return the number of planned examples; raise InvalidOption if it is missing or not accepted."""
    if total is None:
        if rule in PLANNED:
            raise InvalidOption(
                f"`total`, the number of planned examples, is required for rule={rule!r}. Use total=5000."
            )
        return None
    if rule not in PLANNED:
        raise InvalidOption(f"`total` is for {' and '.join(PLANNED)}, got rule={rule!r}. Leave it out.")
    if isinstance(total, bool) or not isinstance(total, int | np.integer) or not 1 <= total <= 2**53:
        raise InvalidOption(f"`total` must be a whole number of 1 or more, got {total!r}.")
    return int(total)


def prior_for(rule: str, prior: Any) -> Prior:
    """Return the prior of a rule, or its default; None for rules without a prior."""
    if rule == "mcnemar-evalue":
        return as_kappa(1.0 if prior is None else prior)
    if rule == "beta-binomial-cs":
        return as_bets(JEFFREYS if prior is None else prior)
    if prior is not None:
        raise InvalidOption(f"`prior` is for mcnemar-evalue and beta-binomial-cs, got rule={rule!r}. Leave it out.")
    return None


def sources_of(rule: str) -> tuple[str, ...]:
    """Return the reference keys of a rule; for planned looks also of the repeated intervals (chapter 9 of the book)."""
    if rule in PLANNED:
        return (*SOURCES[rule], "jennison2000")
    return (SOURCE,) if rule == "betting" else tuple(str(offer.reference) for offer in find_methods(name=rule))


def count_examples(evidence: WatchedEvidence | None) -> int:
    """Return the number of examples."""
    return 0 if evidence is None else int(evidence.size)


def add_batch(
    watched: Watched, evidence: WatchedEvidence | None, batch: Any, models: tuple[str, ...], alpha: float
) -> WatchedEvidence:
    """Return the evidence with one more batch; raise InvalidEvidence if the batch is of another kind."""
    if watched in ("mean", "paired scores"):
        bets = evidence if isinstance(evidence, Bets) else Bets.begin(alpha=alpha)
        return bets.after(as_unit_values(batch) if watched == "mean" else halved(batch))
    kind, example, _ = COUNTED[watched]
    if not is_one(batch, kind):
        problem = f"one of shape {batch.shape}" if isinstance(batch, kind) else type(batch).__name__
        raise InvalidEvidence(f"`batch` must be one {kind.__name__}, such as {example}, got {problem}.")
    if watched == "pair" and (batch.models != models or batch.event != "wrong"):
        fix = f"models={models!r}" if batch.event == "wrong" else "event='wrong'"
        raise InvalidEvidence(
            f"`batch` must count the errors of {' and '.join(models)}, got {batch.models[0]} and {batch.models[1]}"
            f" ({batch.event}). If they are the same, use {fix}."
        )
    before: Any = evidence
    return batch if before is None else before + batch


def analyse_evidence(watch: Watch, evidence: WatchedEvidence) -> InterimAnalysis:
    """Return the interim analysis of the evidence by the rule of a watch."""
    analyses: dict[Watched, Callable[[Any, Watch], InterimAnalysis]] = {"pair": _analyse_pair, "rate": _analyse_rate}
    return analyses.get(watch.watches, _analyse_scores)(evidence, watch)


def _analyse_pair(table: PairedTable, watch: Watch) -> InterimAnalysis:
    if watch.total is None:
        return _analyse_by_evalue(table, watch)
    before = [look.examples for look in watch.looks if not look.late]
    return _analyse_by_boundary(table, one_of("rule", watch.rule, Spending), watch.alpha, watch.total, before)


def _analyse_rate(count: ErrorCount, watch: Watch) -> InterimAnalysis:
    limits = find_method(watch.rule, "interval", ErrorCount)(count, alpha=watch.alpha, prior=watch.prior)
    return _decide_by_interval(
        int(count.trials), float(count.rate), float(limits.low), float(limits.high), watch.against
    )


def _analyse_scores(bets: Bets, watch: Watch) -> InterimAnalysis:
    interval = bets.interval()
    low, high = (math.nan, math.nan) if interval is None else (float(interval.low), float(interval.high))
    if watch.watches == "mean":
        return _decide_by_interval(bets.count, bets.mean, low, high, watch.against)
    return _decide_by_interval(bets.count, 2 * bets.mean - 1, 2 * low - 1, 2 * high - 1, 0.0, ("A", "B"))


def _decide_by_interval(
    examples: int, estimate: float, low: float, high: float, against: float | None, names: Sequence[str] = _SIDES
) -> InterimAnalysis:
    """Return an analysis that decides if the interval excludes the threshold."""
    decides = ""
    if against is not None:
        decides = names[0] if high < against else names[1] if low > against else ""
    return InterimAnalysis(examples=examples, estimate=estimate, low=low, high=high, decides=decides)


def _analyse_by_evalue(table: PairedTable, watch: Watch) -> InterimAnalysis:
    """Return an analysis that decides if the e-value reaches 1/alpha."""
    evalue = float(find_method(watch.rule, "test", PairedTable)(table, prior=watch.prior).statistic)
    limits = find_method(watch.rule, "interval", PairedTable)(table, alpha=watch.alpha, prior=watch.prior)
    return InterimAnalysis(
        examples=int(table.examples),
        estimate=float(table.difference),
        low=float(limits.low),
        high=float(limits.high),
        evalue=evalue,
        decides=_name_better(table) if evalue >= 1 / watch.alpha else "",
    )


def _analyse_by_boundary(
    table: PairedTable, spending: Spending, alpha: float, total: int, before: list[int]
) -> InterimAnalysis:
    """Return an analysis that decides if McNemar's z exceeds its boundary.

    The limits are those of the score test at the boundary (a repeated confidence interval: Jennison and Turnbull), so
    they exclude 0 if z exceeds the boundary.
    """
    examples, estimate = int(table.examples), float(table.difference)
    if before and before[-1] >= total:
        return InterimAnalysis(examples=examples, estimate=estimate, late=True)
    from scipy.special import ndtr

    information = np.array([*before, examples], dtype=float)
    fractions = np.minimum(information / total, 1.0)
    boundary = float(spending_boundaries(fractions, alpha=alpha, spending=spending, information=information)[-1])
    discordant = int(table.disagreements)
    z = float(table.only_a_wrong - table.only_b_wrong) / math.sqrt(discordant) if discordant else 0.0
    nominal = 2 * float(ndtr(-boundary))
    low, high = -1.0, 1.0
    if nominal > 0:
        limits = find_method("tango", "interval", PairedTable)(table, alpha=nominal)
        low, high = float(limits.low), float(limits.high)
    return InterimAnalysis(
        examples=examples,
        estimate=estimate,
        low=low,
        high=high,
        z=z,
        boundary=boundary,
        decides=_name_better(table) if abs(z) >= boundary else "",
    )


def _name_better(table: PairedTable) -> str:
    return "B" if table.only_a_wrong > table.only_b_wrong else "A"
