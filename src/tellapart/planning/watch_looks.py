"""What a rule says at one look: the estimate, between which limits the truth lies, and whether that decides."""

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
Held = PairedTable | ErrorCount | Bets
Prior = float | tuple[float, float] | None  # κ of Beta(κ, κ), (u, v), or nothing to choose

PLANNED = get_args(Spending)
# By what is watched: the rules there are, the default first.
RULES: dict[Watched, tuple[str, ...]] = {
    "pair": ("mcnemar-evalue", *PLANNED),
    "rate": ("beta-binomial-cs",),
    "mean": ("betting",),
    "paired scores": ("betting",),
}
# By what is watched, where that is counted: the batch, an example of it, and its counts.
COUNTED: dict[Watched, tuple[type[PairedTable | ErrorCount], str, tuple[str, ...]]] = {
    "pair": (PairedTable, "PairedTable(20, 25, 10, 45)", CELLS),
    "rate": (ErrorCount, "ErrorCount(3, 120)", ("errors", "trials")),
}
_SIDES = ("below", "above")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look: what there was, and what the rule made of it. What a rule does not have is NaN."""

    examples: int  # so far
    estimate: float  # the difference (error of A − error of B, or score of B − score of A), the error or the mean
    low: float = math.nan
    high: float = math.nan
    evalue: float = math.nan
    z: float = math.nan
    boundary: float = math.nan  # infinite where a look may not decide
    decides: str = ""  # "A" or "B", or "below" or "above" the threshold
    late: bool = False  # after the end of the plan
    source: str = ""
    fingerprint: str = ""
    when: str = ""
    name: str = ""  # that no other batch has
    counts: tuple[int, ...] = ()  # of this batch alone, by which a repeat is noticed; none of scores

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def rule_for(watched: Watched, rule: str | None) -> str:
    """Return the rule, or the default."""
    known = RULES[one_of("watches", watched, Watched)]
    rule = known[0] if rule is None else rule
    if rule not in known:
        noun = {"pair": "two models", "rate": "an error rate"}.get(watched, "scores")
        raise InvalidOption(f"rule must be one of {', '.join(map(repr, known))} for {noun}, but is {rule!r}.")
    return rule


def total_for(rule: str, total: Any) -> int | None:
    """Return the number of examples planned; planned looks need it, and no other rule takes one."""
    if total is None:
        if rule in PLANNED:
            raise InvalidOption(f"rule {rule!r} needs the number of examples planned in all: total=5000.")
        return None
    if rule not in PLANNED:
        raise InvalidOption(f"total is for planned looks ({' and '.join(PLANNED)}); rule {rule!r} needs no plan.")
    if isinstance(total, bool) or not isinstance(total, int | np.integer) or not 1 <= total <= 2**53:
        raise InvalidOption(f"total must be a whole number of examples, 1 or more, but is {total!r}.")
    return int(total)


def prior_for(rule: str, prior: Any) -> Prior:
    """Return what the bets of a rule come from, or the default; other rules leave nothing to choose."""
    if rule == "mcnemar-evalue":
        return as_kappa(1.0 if prior is None else prior)
    if rule == "beta-binomial-cs":
        return as_bets(JEFFREYS if prior is None else prior)
    if prior is not None:
        raise InvalidOption(f"prior is of what mcnemar-evalue and beta-binomial-cs bet; rule {rule!r} takes none.")
    return None


def sources_of(rule: str) -> tuple[str, ...]:
    """Return keys of who described a rule; of planned looks also of their limits (chapter 9 of the book)."""
    if rule in PLANNED:
        return (*SOURCES[rule], "jennison2000")
    return (SOURCE,) if rule == "betting" else tuple(str(each.reference) for each in find_methods(name=rule))


def examples_of(held: Held | None) -> int:
    """Return how many examples are held."""
    return 0 if held is None else int(held.size)


def pooled(watched: Watched, held: Held | None, batch: Any, models: tuple[str, ...], alpha: float) -> Held:
    """Return what is there after one more batch, or say what a batch must be."""
    if watched in ("mean", "paired scores"):
        bets = held if isinstance(held, Bets) else Bets.begin(alpha=alpha)
        return bets.after(as_unit_values(batch) if watched == "mean" else halved(batch))
    kind, example, _ = COUNTED[watched]
    if not is_one(batch, kind):
        problem = f"one of shape {batch.shape}" if isinstance(batch, kind) else f"a {type(batch).__name__}"
        raise InvalidEvidence(f"a batch must be one {kind.__name__}, such as {example}, but is {problem}.")
    if watched == "pair" and (batch.models != models or batch.event != "wrong"):
        told = f"models={models!r}" if batch.event == "wrong" else "event='wrong'"
        raise InvalidEvidence(
            f"this watch is of the errors of {' and '.join(models)}, but the batch is of {batch.models[0]} and"
            f" {batch.models[1]}, how often they are {batch.event}. If it is the same, say so: {told}."
        )
    before: Any = held
    return batch if before is None else before + batch


def looked(watch: Watch, held: Held) -> Look:
    """Return what the rule of a watch says of what is there now."""
    looks: dict[Watched, Callable[[Any, Watch], Look]] = {"pair": _look_at_pair, "rate": _look_at_rate}
    return looks.get(watch.watches, _look_at_scores)(held, watch)


def _look_at_pair(table: PairedTable, watch: Watch) -> Look:
    if watch.total is None:
        return _of_pair(table, watch)
    before = [look.examples for look in watch.looks if not look.late]
    return _by_plan(table, one_of("rule", watch.rule, Spending), watch.alpha, watch.total, before)


def _look_at_rate(count: ErrorCount, watch: Watch) -> Look:
    limits = find_method(watch.rule, "interval", ErrorCount)(count, alpha=watch.alpha, prior=watch.prior)
    return _told_apart(int(count.trials), float(count.rate), float(limits.low), float(limits.high), watch.against)


def _look_at_scores(bets: Bets, watch: Watch) -> Look:
    interval = bets.interval()
    low, high = (math.nan, math.nan) if interval is None else (float(interval.low), float(interval.high))
    if watch.watches == "mean":
        return _told_apart(bets.count, bets.mean, low, high, watch.against)
    return _told_apart(bets.count, 2 * bets.mean - 1, 2 * low - 1, 2 * high - 1, 0.0, ("A", "B"))


def _told_apart(
    examples: int, estimate: float, low: float, high: float, against: float | None, names: Sequence[str] = _SIDES
) -> Look:
    """Return a look that decides where its interval leaves the threshold outside; what is above is called so."""
    decides = ""
    if against is not None:
        decides = names[0] if high < against else names[1] if low > against else ""
    return Look(examples=examples, estimate=estimate, low=low, high=high, decides=decides)


def _of_pair(table: PairedTable, watch: Watch) -> Look:
    """Return a look that decides where the e-value reaches 1/alpha."""
    evalue = float(find_method(watch.rule, "test", PairedTable)(table, prior=watch.prior).statistic)
    limits = find_method(watch.rule, "interval", PairedTable)(table, alpha=watch.alpha, prior=watch.prior)
    return Look(
        examples=int(table.examples),
        estimate=float(table.difference),
        low=float(limits.low),
        high=float(limits.high),
        evalue=evalue,
        decides=_better(table) if evalue >= 1 / watch.alpha else "",
    )


def _by_plan(table: PairedTable, spending: Spending, alpha: float, total: int, before: list[int]) -> Look:
    """Return a look that decides where McNemar's z is beyond its boundary.

    The limits are those of the score test at the boundary (a repeated confidence interval: Jennison and Turnbull), so
    they leave 0 outside where z is beyond it.
    """
    examples, estimate = int(table.examples), float(table.difference)
    if before and before[-1] >= total:
        return Look(examples=examples, estimate=estimate, late=True)
    from scipy.special import ndtr

    seen = np.array([*before, examples], dtype=float)
    fractions = np.minimum(seen / total, 1.0)
    boundary = float(spending_boundaries(fractions, alpha=alpha, spending=spending, information=seen)[-1])
    apart = int(table.disagreements)
    z = float(table.only_a_wrong - table.only_b_wrong) / math.sqrt(apart) if apart else 0.0
    nominal = 2 * float(ndtr(-boundary))
    low, high = -1.0, 1.0
    if nominal > 0:
        limits = find_method("tango", "interval", PairedTable)(table, alpha=nominal)
        low, high = float(limits.low), float(limits.high)
    return Look(
        examples=examples,
        estimate=estimate,
        low=low,
        high=high,
        z=z,
        boundary=boundary,
        decides=_better(table) if abs(z) >= boundary else "",
    )


def _better(table: PairedTable) -> str:
    return "B" if table.only_a_wrong > table.only_b_wrong else "A"
