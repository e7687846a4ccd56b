"""By how much two errors differ, and how odd that would be if they were equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bibliography import Reference
from ..evidence import ErrorCount, Evidence, Note, PairedTable
from ..shaped import Shaped
from ..typing_ import Alternative, BoolArray, FloatArray, Hypothesis, Source
from . import sentences
from .check import Check
from .data_set_clauses import effect_text, missing_text, over_data_sets, practical_text, scale_text
from .effects import Effects
from .estimate import cautions, components_row
from .in_print import comparison_in_print
from .interval import Interval
from .outlook import Outlook
from .paper import Citable, Sentence
from .practical import Practical
from .simulated import Simulated, after_adjustment, bounds_in_dict, shown_pvalue
from .telling import Answer, excluded_text, looks_text, p_text
from .test_result import TestResult


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Answer, Shaped, Citable):
    """By how much error(A) exceeds error(B), and how odd that would be if they were equal.

    Against a threshold, A is the classifier and B the threshold; the interval is that of the
    classifier's error. With a margin the test is of the `hypothesis` named, and the interval is
    the one that decides it, at 1 − 2·alpha.
    """

    method: str
    evidence: Evidence
    difference: FloatArray
    interval: Interval
    significance: TestResult
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "different"
    margin: float = np.nan
    against: FloatArray | float = np.nan
    checks: tuple[Check, ...] = ()
    told: str = ""  # what the test wants said of itself: the prior
    measures: str = ""  # what its statistic is
    forbidden: bool = False  # whether the test is: then its p-value is no share of test sets
    interval_told: str = ""  # what the interval wants said of itself, where it is another method's
    scope: str = ""
    looks: int = 0  # how often this test set was looked at before
    adjusted: FloatArray | None = None  # p-values that pay for their number, which decide
    adjustment: str = ""  # by which rule, and over how many
    excluded: Mapping[str, int] = field(default_factory=dict)  # examples left out, by reason
    notes: tuple[Note, ...] = ()  # what one kind of evidence reports besides
    covers: tuple[Source, ...] = ()  # what its error bars allow for
    cites: tuple[str | Reference, ...] = ()  # who described the test, the interval and the adjustment
    _leader = "difference"

    @property
    def beside(self) -> Mapping[str, TestResult]:
        """What other tests say of the same evidence."""
        found: Mapping[str, TestResult] = self.note("other_tests", {})
        return found

    @property
    def lottery(self) -> FloatArray | None:
        """The p-values that other seeds of the splits give."""
        found: FloatArray | None = self.note("reseeded_pvalues")
        return found

    @property
    def components(self) -> Mapping[str, float]:
        """What makes the difference vary, and how much."""
        found: Mapping[str, float] = self.note("variance_components", {})
        return found

    @property
    def worth(self) -> float:
        """How many independent examples would say as much, where these are not."""
        return float(self.note("effective_size", np.nan))

    @property
    def removable(self) -> float:
        """The share of the mean's variance that ever more repeats would remove."""
        return float(self.note("repeat_variance_share", np.nan))

    @property
    def effects(self) -> Effects | None:
        """Over many data sets: who wins where, and how large the difference is."""
        found: Effects | None = self.note("effect_sizes")
        return found

    @property
    def outlook(self) -> Outlook | None:
        """What so many data sets can show of a difference that was named."""
        found: Outlook | None = self.note("power")
        return found

    @property
    def statistic(self) -> FloatArray:
        """The test's statistic."""
        return self.significance.statistic

    @property
    def pvalue(self) -> FloatArray:
        """The test's p-value."""
        return self.significance.pvalue

    @property
    def simulated(self) -> Simulated | None:
        """How small a p-value its draws can give, where it is a share of draws."""
        return self.significance.simulated

    @property
    def adjusted_simulated(self) -> Simulated | None:
        """The same for the adjusted p-value."""
        return after_adjustment(self.simulated, self.pvalue, self.adjusted)

    @property
    def practical(self) -> Practical | None:
        """The probabilities that A is better, that neither is in practice and that B is, where there is a posterior."""
        return self.significance.practical

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
        undecided = self.hypothesis in {"non-inferior", "equivalent"} or sentences.event_of(self) != "wrong"
        winner[~self.rejected | undecided] = None  # NaN decides nothing
        return winner.item() if not self.shape else winner

    @property
    def answer(self) -> str:
        """Who is better, by how much, how sure we are and on what, in one sentence."""
        if self.shape:
            return sentences.over_all(self)
        if isinstance(self.evidence, ErrorCount):
            return sentences.about_threshold(self)
        then = ":" if self.hypothesis == "different" else ";"  # what is shown of a margin has a colon of its own
        return (
            f"{sentences.verdict(self)}{then} on {sentences.seen(self)}, {sentences.by_how_much(self)};"
            f" {sentences.how_sure(self)}."
        )

    def _asked_of_learners(self) -> int:
        if isinstance(self.evidence, ErrorCount):
            return 6
        return 8 if sentences.event_of(self) == "wrong" else 0

    def _besides(self) -> str:
        return self.evidence.caveat

    def _also(self) -> tuple[str, ...]:
        return sentences.contradiction(self), looks_text(self.looks, self.alpha)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        if self.shape:
            first = [("comparisons", str(self.difference.size)), ("in words", self.words)]
        elif isinstance(self.evidence, ErrorCount):
            first = [
                ("error rate", f"{sentences.rate_of(self)}  ({self.evidence.describe()})"),
                ("against", sentences.threshold_text(self)),
                ("interval", f"{sentences.limits_of(self)}  ({self.interval.kind_text()})"),
                (
                    "p-value",
                    f"{shown_pvalue(float(self.pvalue), self.alpha, self.simulated)}"
                    f"  ({self.method}, {sentences.asked(self)})",
                ),
                ("in words", self.words),
            ]
        else:
            first = self._rows_of_two()
        return [*first, *cautions(self.checks)]

    def _rows_of_two(self) -> list[tuple[str, str]]:
        asks_who = self.hypothesis == "different" and sentences.event_of(self) == "wrong"
        meaning, lottery = sentences.what_p_means(self), sentences.lottery_text(self)
        seen = self.evidence.describe()
        details = self.evidence.summarize_models()
        if details:  # who was wrong where, behind how many there were
            joint = ", " if self.evidence.metric.is_rate else " with "
            seen = f"{sentences.seen(self, joint)}. {details}"
        elif self.evidence.subject != "learner":
            seen = sentences.seen(self)
        unit = "split" if self.evidence.subject == "learner" else "example"
        drawn = "data sets" if over_data_sets(self.evidence) else f"{unit}s"
        missing = ""
        if over_data_sets(self.evidence):
            seen, missing = f"{seen}; {scale_text(self.evidence)}", missing_text(self.evidence)
        beside = "; ".join(
            f"{p_text(float(found.pvalue), self.alpha, found.simulated)} ({name})"
            for name, found in self.beside.items()
        )
        return [
            ("better" if asks_who else "verdict", f"{sentences.verdict(self)}."),
            ("by how much", sentences.by_how_much(self)),
            ("how sure", f"{sentences.how_sure(self)}{f': {meaning}' if meaning else ''}"),
            *self._of_data_sets(),
            *([("beside", f"other tests of the same {drawn}: {beside}")] if beside else []),
            *([("other splits", lottery)] if lottery else []),
            *components_row(self.components, of="difference", removable=self.removable),
            ("seen", f"{seen}.{missing}{excluded_text(self.excluded)}"),
            ("careful", " ".join(part for part in (*self._also(), self.limits) if part)),
        ]

    def _of_data_sets(self) -> list[tuple[str, str]]:
        """Return the rows that only a comparison over data sets, or one by a posterior, has."""
        names = sentences.names_of(self)
        return [
            *(
                [("in practice", practical_text(self.practical, *names, self.alpha))]
                if self.practical is not None and (self.practical.rope or not over_data_sets(self.evidence))
                else []
            ),
            *([("effect", effect_text(self.effects, *names))] if self.effects is not None else []),
            *([("outlook", self.outlook.words)] if self.outlook is not None else []),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        plain: dict[str, Any] = {
            "method": self.method,
            "difference": self.difference,
            "interval": self.interval.as_dict(),
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            **bounds_in_dict(self.simulated, self.pvalue),
            "alternative": self.alternative,
            "alpha": self.alpha,
        }
        if self.adjusted is not None:
            bound = bounds_in_dict(self.adjusted_simulated, self.adjusted, "adjusted")
            plain |= {"adjusted": self.adjusted, **bound, "adjustment": self.adjustment}
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
                    name: {
                        "statistic": found.statistic,
                        "pvalue": found.pvalue,
                        **bounds_in_dict(found.simulated, found.pvalue),
                    }
                    for name, found in self.beside.items()
                }
            if self.lottery is not None:
                plain["lottery"] = self.lottery
            if self.components:
                plain["components"] = dict(self.components)
            more = {"practical": self.practical, "effects": self.effects, "outlook": self.outlook}
            plain |= {name: part.as_dict() for name, part in more.items() if part is not None}
            known = {"removable": self.removable, "worth": self.worth}
            plain |= {name: value for name, value in known.items() if not np.isnan(value)}
        return plain | {
            **self._sources(),
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
        a, b = sentences.names_of(self)
        return {"better_model": {"A": a, "B": b, None: None}[self.better]}

    def in_print(self) -> Iterator[Sentence]:
        """Return the sentences of the paragraph for a paper."""
        return comparison_in_print(self)

    def __repr__(self) -> str:
        return str(self)
