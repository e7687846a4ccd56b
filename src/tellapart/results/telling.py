"""What every answer says: one sentence of what was found, one of what that does not mean, and what else there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..evidence import Note
from ..rendering import AS_WRONG, significant
from ..typing_ import SOURCE_WORDS, SOURCES, Source
from .data_set_clauses import ANY_ONE, over_data_sets
from .simulated import Simulated, shown_pvalue


class Answer:
    """An answer in words: a subclass writes the first sentence, and what it does not cover makes the second."""

    __slots__ = ()
    covers: tuple[Source, ...]
    evidence: Any
    notes: tuple[Note, ...]
    scope: str

    def note(self, key: str, default: Any = None) -> Any:
        """Return the value of the note with this key; the default where there is none."""
        return next((note.value for note in self.notes if note.key == key), default)

    @property
    def misses(self) -> tuple[Source, ...]:
        """The sources of variation that its error bars do not allow for."""
        return tuple(source for source in SOURCES if source not in self.covers)

    @property
    def answer(self) -> str:
        """What was found, in one sentence."""
        raise TypeError(f"{type(self).__name__} has no answer")

    @property
    def limits(self) -> str:
        """What the answer does not say, in one sentence: of whom it speaks, and what could have come out otherwise."""
        parts = [self.scope.removesuffix("."), f"it {self._leaves_out()}", self._besides()]
        if not self.scope:
            parts[:2] = [f"This {self._leaves_out()}"]
        return f"{'; '.join(part for part in parts if part)}."

    @property
    def words(self) -> str:
        """The answer, what it does not say, and what else must be said; of many entries a summary."""
        if getattr(self, "shape", ()):
            return self.answer
        return " ".join(part for part in (self.answer, self.limits, self.remarks) if part)

    @property
    def remarks(self) -> str:
        """What else must be said, which only some answers have."""
        return " ".join(part for part in self._also() if part)

    def _leaves_out(self) -> str:
        if over_data_sets(self.evidence):
            return ANY_ONE
        missed = [f"for {SOURCE_WORDS[source]}" for source in self.misses]
        if not missed:
            return "does not speak of other data sets"
        question = 0 if self.evidence.subject == "learner" else self._asked_of_learners()
        retrained = question and "training data" in self.misses
        elsewhere = f" (question {question}, which resampling answers)" if retrained else ""
        return f"does not allow {one_of_many(missed)}{elsewhere}, nor does it speak of other data sets"

    def _asked_of_learners(self) -> int:
        """Return the number of the question that is this one, asked of learners on little data; 0 if there is none."""
        return 8

    def _besides(self) -> str:
        """Return what else belongs in the sentence of limits."""
        return ""

    def _also(self) -> tuple[str, ...]:
        """Return the sentences that come after: what only some answers have to say."""
        return ()

    def _sources(self) -> dict[str, list[Source]]:
        """Return what is covered and what is missed, for JSON."""
        return {"covers": list(self.covers), "misses": list(self.misses)}


def covers_text(covers: tuple[Source, ...]) -> str:
    """Say which sources of variation a method covers, and which it does not.

    Examples
    --------
    >>> covers_text(("test data", "labels"))
    'the choice of test data, label noise; not the choice of training data, randomness in the learner'
    """
    covered = ", ".join(SOURCE_WORDS[source] for source in covers) or "nothing"
    missed = ", ".join(SOURCE_WORDS[source] for source in SOURCES if source not in covers)
    return f"{covered}; not {missed}" if missed else covered


def one_of_many(parts: Sequence[str]) -> str:
    """Write parts as one says them where any of them is meant.

    Examples
    --------
    >>> one_of_many(["for a", "for b", "for c"])
    'for a, for b or for c'
    """
    return " or ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def p_text(pvalue: float, alpha: float, simulated: Simulated | None = None, name: str = "p") -> str:
    """Write a p-value with its name; what is a share of draws may be a bound.

    Examples
    --------
    >>> p_text(0.0304, 0.05), p_text(1e-308, 0.05)
    ('p = 0.0304', 'p below 1e-307')
    >>> p_text(0.001, 0.05, Simulated.of(0.001, draws=999, floor=0.001))
    'p < 0.001 (999 draws)'
    """
    text = shown_pvalue(pvalue, alpha, simulated)
    return f"{name} {text}" if text.startswith(("below", "<")) else f"{name} = {text}"


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
