"""By how much two errors differ, and how odd that would be if they were equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..evidence import ErrorCount, Evidence, PairedTable
from ..rendering import AS_WRONG, Rendered, level_text, percent, plain_number, points, pvalue_text, significant
from ..shaped import Shaped
from ..types import Alternative, BoolArray, FloatArray, Hypothesis
from .check import Check
from .estimate import cautions, components_row
from .interval import Interval
from .significance import Significance

__all__ = ["Comparison", "excluded_text", "looks_text"]

# What an interval is of, and the value that means "no difference".
_NULL = {"difference": 0.0, "reduction": 0.0, "odds": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Shaped, Rendered):
    """By how much error(A) exceeds error(B), and how odd that would be if they were equal.

    Against a threshold, A is the classifier and B the threshold; the interval is that of the
    classifier's error. With a margin the test is of the `hypothesis` named, and the interval is
    the one that decides it, at 1 − 2·alpha.
    """

    method: str
    evidence: Evidence
    difference: FloatArray
    interval: Interval
    significance: Significance
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "different"
    margin: float = np.nan
    against: FloatArray | float = np.nan
    checks: tuple[Check, ...] = ()
    told: str = ""  # what the test wants said of itself: the prior
    measures: str = ""  # what its statistic is
    interval_told: str = ""  # what the interval wants said of itself, where it is another method's
    scope: str = ""
    looks: int = 0  # how often this test set was looked at before
    adjusted: FloatArray | None = None  # p-values that pay for their number, which decide
    adjustment: str = ""  # by which rule, and over how many
    excluded: Mapping[str, int] = field(default_factory=dict)  # examples left out, by reason
    beside: Mapping[str, Significance] = field(default_factory=dict)  # what other tests say of the same evidence
    lottery: FloatArray | None = None  # the p-values that other seeds of the splits give
    components: Mapping[str, float] = field(default_factory=dict)  # what makes the difference vary, and how much
    _leader = "difference"

    @property
    def statistic(self) -> FloatArray:
        """The test's statistic."""
        return self.significance.statistic

    @property
    def pvalue(self) -> FloatArray:
        """The test's p-value."""
        return self.significance.pvalue

    @property
    def rejected(self) -> BoolArray:
        """Whether the test rejects at alpha: with a margin, whether the hypothesis is shown.

        Where p-values were adjusted for their number, the adjusted ones decide.
        """
        return self.significance.rejected(self.alpha) if self.adjusted is None else self.adjusted < self.alpha

    @property
    def leader(self) -> Any:
        """Say for whom the test speaks, whether it rejects or not: "A" or "B"; None where it speaks for neither."""
        spoken_for = self.significance.chooses
        if spoken_for is None:
            spoken_for = np.sign(self.difference)
            if self.alternative != "two-sided":  # what is tested is told, whatever was found
                spoken_for = np.full(self.shape, -1 if self.alternative == "less" else 1)
        found: Any = np.full(self.shape, None, dtype=object)
        found[np.broadcast_to(spoken_for, self.shape) < 0] = "A"
        found[np.broadcast_to(spoken_for, self.shape) > 0] = "B"
        return found.item() if not self.shape else found

    @property
    def better(self) -> Any:
        """Say "A" or "B" where the test rejects at alpha, else None; an array of them for many entries.

        That B is not worse by more than a margin, or equivalent, does not say who is better, nor does a
        comparison of something else than errors: None.
        """
        winner: Any = np.asarray(self.leader, dtype=object).copy()
        undecided = self.hypothesis in {"non-inferior", "equivalent"} or self._event() != "wrong"
        winner[~self.rejected | undecided] = None  # NaN decides nothing
        return winner.item() if not self.shape else winner

    @property
    def words(self) -> str:
        """The answer in a few sentences: who is better, by how much, how sure we are, and what it does not say."""
        if self.shape:
            called = int(np.count_nonzero(self.rejected))
            sided = {"two-sided": "differ", "greater": "have a better B", "less": "have a better A"}
            verb = f"are shown to be {self.hypothesis}"
            if self.hypothesis == "different":
                verb = "differ" if isinstance(self.evidence, ErrorCount) else sided[self.alternative]
            rule = f"adjusted by {self.adjustment}" if self.adjustment else "each by itself"
            return f"{called} of {self.difference.size} {verb} ({self.method}, alpha = {self.alpha:.6g}, {rule})."
        return " ".join(part for part in (self._answer(), self._contradiction(), *self._careful()) if part)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        if self.shape:
            first = [("comparisons", str(self.difference.size)), ("in words", self.words)]
        elif isinstance(self.evidence, ErrorCount):
            first = [
                ("error rate", f"{self._rate_text()}  ({self.evidence.describe()})"),
                ("against", _threshold(self.against)),
                ("interval", f"{self._limits_text()}  ({self.interval.kind_text()})"),
                ("p-value", f"{pvalue_text(float(self.pvalue), self.alpha)}  ({self.method}, {self.alternative})"),
                ("in words", self.words),
            ]
        else:
            careful = " ".join(part for part in (self._contradiction(), *self._careful()) if part)
            first = [
                (self._first_label(), self._verdict()),
                ("by how much", self._how_much()),
                ("how sure", self._how_sure()),
                *self._beside_row(),
                *self._lottery_row(),
                *components_row(self.components),
                ("seen", f"{self._examples()}{self.evidence.describe()}.{excluded_text(self.excluded)}"),
                ("careful", careful),
            ]
        return [*first, *cautions(self.checks)]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        plain: dict[str, Any] = {
            "method": self.method,
            "difference": self.difference,
            "interval": self.interval.as_dict(),
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "alternative": self.alternative,
            "alpha": self.alpha,
        }
        if self.adjusted is not None:
            plain |= {"adjusted": self.adjusted, "adjustment": self.adjustment}
        if isinstance(self.evidence, ErrorCount):
            plain["against"] = self.against
        else:
            plain |= {"hypothesis": self.hypothesis, "margin": self.margin, "looks": self.looks}
            if isinstance(self.evidence, PairedTable):
                plain["disagreements"] = self.evidence.disagreements
                plain["essential_difference"] = self.evidence.essential_difference
            if self.hypothesis != "different":
                plain["shown"] = self.rejected
            if self.excluded:
                plain["excluded"] = dict(self.excluded)
            if self.beside:
                plain["beside"] = {
                    name: {"statistic": found.statistic, "pvalue": found.pvalue} for name, found in self.beside.items()
                }
            if self.lottery is not None:
                plain["lottery"] = self.lottery
            if self.components:
                plain["components"] = dict(self.components)
        return plain | {
            "better": self.better,
            **self._better_model(),
            "evidence": self.evidence.as_dict(),
            "checks": [check.as_dict() for check in self.checks],
            "words": self.words,
        }

    def _better_model(self) -> dict[str, str | None]:
        """Return who is better by name: "B" may be called A."""
        if self.shape or isinstance(self.evidence, ErrorCount):
            return {}
        a, b = self._names()
        return {"better_model": {"A": a, "B": b, None: None}[self.better]}

    def __repr__(self) -> str:
        return str(self)

    # --- One classifier against a threshold ----------------------------------------------------

    def _answer(self) -> str:
        if not isinstance(self.evidence, ErrorCount):
            return f"{self._verdict()} {self._how_much()}; {self._how_sure()}."
        verdict = {None: "is not told apart from", "A": "is below", "B": "is above"}[self.better]
        limit = "interval is" if self.interval.side == "two" else "bound is"
        whose = "" if self.interval.method == self.method else f" ({self.interval.method})"
        told = f", {self.told}" if self.told else ""
        return (
            f"The error of {self._rate_text()} ({self.evidence.describe()})"
            f" {verdict} {_threshold(self.against)} at alpha = {self.alpha:.6g}"
            f" ({_p(float(self.pvalue), self.alpha)}, {self.method}, {self.alternative}{told});"
            f" the {level_text(self.interval.alpha)} {limit} {self._limits_text()}{whose}."
        )

    def _rate_text(self) -> str:
        return percent(float(self.difference + self.against), float(self.interval.width), float(self.against))

    def _limits_text(self) -> str:
        apart_from = self.against if isinstance(self.evidence, ErrorCount) else self._borders()[0]
        return self.interval.limits_text(apart_from=float(apart_from))

    # --- Two classifiers -----------------------------------------------------------------------

    def _names(self) -> tuple[str, str]:
        names: tuple[str, str] = self.evidence.models  # type: ignore[attr-defined]  # evidence of two has them
        return names

    def _first_label(self) -> str:
        return "better" if self.hypothesis == "different" and self._event() == "wrong" else "verdict"

    def _event(self) -> str:
        return getattr(self.evidence, "event", "wrong")

    def _only_chooses(self) -> bool:
        return self.significance.chooses is not None and bool(np.isnan(self.pvalue).all())

    def _metric(self) -> str:
        return getattr(self.evidence, "metric", "error")

    def _learners(self) -> bool:
        """Whether this is about learners, which are trained anew, and not about classifiers."""
        return hasattr(self.evidence, "learners")

    def _rates(self) -> tuple[float, float]:
        if self._learners():
            pooled = self.significance.estimate is not None  # the test counts every example alike
            a, b = (self.evidence.pooled_losses if pooled else self.evidence.losses).tolist()  # type: ignore[attr-defined]
            return a, b
        return float(self.evidence.count_a.rate), float(self.evidence.count_b.rate)  # type: ignore[attr-defined]

    def _verdict(self) -> str:
        a, b = self._names()
        rejected = bool(self.rejected)
        # A rule without a p-value has its own bar, not alpha.
        where = f"by the rule {self.method}" if np.isnan(self.pvalue) else f"at alpha = {self.alpha:.6g}"
        if self.hypothesis != "different":
            size = f"{100 * self.margin:.6g} point{'s' * (self.margin != 0.01)}"
            if self._metric() != "error":
                size = f"{self.margin:.6g} ({self._metric()})"
            claim = {
                "non-inferior": f"{b} is at most {size} worse than {a}",
                "superior": f"{b} is better than {a} by more than {size}",
                "equivalent": f"{a} and {b} differ by at most {size}",
            }[self.hypothesis]
            if self._event() != "wrong":
                claim = {
                    "non-inferior": f"{b} is {self._event()} at most {size} more often than {a}",
                    "superior": f"{a} is {self._event()} more than {size} more often than {b}",
                    "equivalent": f"{a} and {b} differ by at most {size} in how often they are {self._event()}",
                }[self.hypothesis]
            return f"{claim}: {'shown' if rejected else 'not shown'} {where}."
        if not rejected and self.alternative != "two-sided" and self._event() == "wrong":
            hoped, other = (b, a) if self.alternative == "greater" else (a, b)
            return f"{hoped} is not shown to be better than {other} {where}."
        if not rejected:
            return f"{a} and {b} are not told apart {where}."
        if self.better is None:
            return f"{a} and {b} differ in how often they are {self._event()} {where}."
        winner, loser = (a, b) if self.better == "A" else (b, a)
        called, against = "is better than", ""
        if self._only_chooses():
            called = "is chosen over"
        elif (self.difference > 0) == (self.better == "A"):  # the one difference that a test puts on top may be odd
            called, against = "is called better than", ", against the mean of all differences"
        return f"{winner} {called} {loser} {where}{against}."

    def _how_much(self) -> str:
        a, b = self._names()
        interval = self.interval
        known = interval.parameter == "difference" and np.isfinite(interval.width)
        spread = float(interval.width) if known else abs(float(self.difference))
        what = {
            "difference": f"{self._loss_of(a)} − {self._loss_of(b)}" if self._event() == "wrong" else f"{a} − {b}",
            "odds": f"lone errors of {a} for each of {b}",
            "reduction": f"share of {a}'s errors that {b} avoids",
        }[interval.parameter]
        told = f": {self.interval_told}" if self.interval_told else ""
        return f"{self._claim(spread)}; {what}: {self._limits_text()} ({interval.kind_text()}{told})"

    def _claim(self, spread: float) -> str:
        """Say who errs more often, and how often each does."""
        names, rates = self._names(), self._rates()
        if self.difference < 0:
            names, rates = names[::-1], rates[::-1]
        (more, less), apart = names, abs(float(self.difference))
        if self._metric() != "error":
            values = " against ".join(plain_number(rate, spread) for rate in rates)
            if not apart:
                return f"{more} and {less} have the same {self._metric()} ({plain_number(rates[0], spread)})"
            return f"the {self._metric()} of {more} is {plain_number(apart, spread)} above that of {less} ({values})"
        err, errs = ("err", "errs") if self._event() == "wrong" else (f"are {self._event()}", f"is {self._event()}")
        if not apart:
            return f"{more} and {less} {err} equally often ({percent(rates[0], spread)})"
        values = " against ".join(percent(rate, spread) for rate in rates)
        return f"{more} {errs} {points(apart, spread)} more often than {less} ({values})"

    def _loss_of(self, name: str) -> str:
        return f"error({name})" if self._metric() == "error" else f"loss({name})"

    def _how_sure(self) -> str:
        pvalue = float(self.pvalue)
        told = f", {self.told}" if self.told else ""
        by = f"({self.method}, {self._asked()}{told})"
        if np.isnan(pvalue):
            verdict = f"it {'calls' if self.rejected else 'does not call'} them different"
            if self._only_chooses():
                winner = {"A": self._names()[0], "B": self._names()[1], None: "neither"}[self.better]
                verdict = f"it chooses {winner}"
            return f"no p-value: {self.method} is a rule, and {verdict} ({self.told})"
        if self.measures.startswith("P("):
            return f"{self.measures} = {pvalue_text(float(self.statistic))}; {_p(pvalue, self.alpha)} {by}"
        if self.adjusted is not None:
            paid = _p(float(self.adjusted), self.alpha)
            return f"{paid} adjusted by {self.adjustment} ({_p(pvalue, self.alpha)} by itself; {by[1:]}"
        if self.hypothesis != "different":
            return f"{_p(pvalue, self.alpha)} {by}"
        flat = np.isinf(self.statistic) and pvalue == 1  # a t test whose differences are all the same
        if flat or self.difference == 0:
            silence = "nothing shows how far this difference is to be trusted" if flat else "nothing speaks for either"
            return f"{_p(pvalue, self.alpha)} {by}: {silence}"
        did = "erred" if self._event() == "wrong" else f"were {self._event()}"
        equal = f"{did} equally often" if self._metric() == "error" else "were equal"
        share = _share(pvalue, "race" if self._learners() else "test set")
        return (
            f"{_p(pvalue, self.alpha)} {by}: if they {equal}, {share} would show"
            f" {'as large a difference' if self.alternative == 'two-sided' else 'this or more'}"
        )

    def _beside_row(self) -> list[tuple[str, str]]:
        told = "; ".join(f"{_p(float(found.pvalue), self.alpha)} ({name})" for name, found in self.beside.items())
        return [("beside", f"other tests of the same splits: {told}")] if told else []

    def _lottery_row(self) -> list[tuple[str, str]]:
        """Say how much the p-value owes to the seed of the splits."""
        if self.lottery is None:
            return []
        low, middle, high = np.quantile(self.lottery, (0.0, 0.5, 1.0), method="inverted_cdf").tolist()
        below = int(np.count_nonzero(self.lottery < self.alpha))
        least, half, most = (pvalue_text(value, self.alpha) for value in (low, middle, high))
        return [
            (
                "other splits",
                f"over {self.lottery.size} other seeds of the splits p runs from {least} to {most}, half of them at"
                f" most {half}; {below} below {self.alpha:.6g}",
            )
        ]

    def _asked(self) -> str:
        if self.hypothesis != "different":
            return "one-sided" if self.hypothesis != "equivalent" else "two one-sided tests"
        a, b = self._names()
        return {"two-sided": "two-sided", "greater": f"is {b} better?", "less": f"is {a} better?"}[self.alternative]

    def _examples(self) -> str:
        if self._learners():
            return ""
        a, b = self.evidence.count_a.trials, self.evidence.count_b.trials  # type: ignore[attr-defined]
        if not isinstance(self.evidence, PairedTable):
            return f"{a} examples and {b} others. "
        apart = self.evidence.disagreements  # Yang: always report D
        return f"{a} example{'s' * bool(a != 1)}, {apart} disagreement{'s' * bool(apart != 1)}. "

    def _borders(self) -> tuple[float, ...]:
        """Return the values of the interval's parameter at which its verdict changes."""
        if isinstance(self.evidence, ErrorCount):
            return (float(self.against),)
        null = _NULL[self.interval.parameter]
        return {
            "different": (null,),
            "non-inferior": (-self.margin,),
            "superior": (self.margin,),
            "equivalent": (-self.margin, self.margin),
        }[self.hypothesis]

    def _contradiction(self) -> str:
        """Say who decides where test and interval fall apart; a rule that chooses always does."""
        if self._only_chooses():
            return ""
        borders = self._borders()
        if self.hypothesis == "different":
            decided = not self.interval.contains(borders[0])
        else:
            decided = bool(self.interval.low > borders[0])
            decided &= self.hypothesis != "equivalent" or bool(self.interval.high < borders[-1])
        alone = bool(self.significance.rejected(self.alpha))
        if self.adjusted is not None and alone != bool(self.rejected):
            return "The interval is not adjusted for the number of comparisons."
        if alone == decided:
            return ""
        return f"The interval ({self.interval.method}) would decide otherwise; the test decides."

    def _careful(self) -> tuple[str, ...]:
        return looks_text(self.looks, self.alpha), self.scope


def excluded_text(excluded: Mapping[str, int]) -> str:
    """Say which examples were left out and which counted as wrong, and why; nothing if there were none."""
    out = "; ".join(f"{reason}: {count}" for reason, count in excluded.items() if not reason.endswith(AS_WRONG))
    wrong = "; ".join(
        f"{reason.removesuffix(AS_WRONG)}: {count}" for reason, count in excluded.items() if reason.endswith(AS_WRONG)
    )
    return (f" Left out: {out}." if out else "") + (f" Counted as wrong: {wrong}." if wrong else "")


def looks_text(looks: int, alpha: float) -> str:
    """Say what earlier looks at the test set mean for the p-value; nothing if there were none."""
    if not looks:
        return ""
    return (
        f"This test set was looked at {looks} time{'s' * (looks != 1)} before, which the p-value does not know:"
        f" over {looks + 1} looks ask for p below {significant(alpha / (looks + 1))} (alpha/{looks + 1})."
    )


def _p(pvalue: float, alpha: float) -> str:
    text = pvalue_text(pvalue, alpha)
    return f"p {text}" if text.startswith("below") else f"p = {text}"


def _threshold(against: FloatArray | float) -> str:
    return f"{100 * float(against):.6g} %"


def _share(pvalue: float, what: str) -> str:
    """Write a probability as a share of test sets (or races), which people can picture."""
    if pvalue >= 0.995:
        return f"nearly all {what}s"
    if pvalue >= 0.01:
        return f"{100 * pvalue:.2g} % of {what}s"
    return f"1 {what} in {float(f'{1 / pvalue:.2g}'):.0f}" if pvalue > 1e-9 else f"next to no {what}"
