"""What all answers have: evidence, checks, notes, and what they cover; what they say is derived by the narrator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..evidence import Evidence, Note
from ..typing_ import SOURCES, Source
from . import narrate
from .check import Check
from .paper import Citable, Sentence

if TYPE_CHECKING:
    from ..bibliography import Reference


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Answer(Citable):
    """What was observed, what was concluded from it, and what has to be known to judge that.

    `notes` are what one kind of evidence or one method reports besides: `answer.note("effect_sizes")`.
    """

    evidence: Evidence
    alpha: float = 0.05
    checks: tuple[Check, ...] = ()
    notes: tuple[Note, ...] = ()
    excluded: Mapping[str, int] = field(default_factory=dict)  # examples left out, by reason
    sources_covered: tuple[Source, ...] = ()  # the sources of variation that its error bars allow for
    references: tuple[str | Reference, ...] = ()  # who described the method, the interval and the adjustment

    def note(self, key: str, default: Any = None) -> Any:
        """Return the value of the note with this key; the default where there is none."""
        return next((note.value for note in self.notes if note.key == key), default)

    @property
    def sources_ignored(self) -> tuple[Source, ...]:
        """The sources of variation that its error bars do not allow for."""
        return tuple(source for source in SOURCES if source not in self.sources_covered)

    @property
    def covers(self) -> tuple[Source, ...]:
        """Deprecated alias of `sources_covered`."""
        return self.sources_covered

    @property
    def misses(self) -> tuple[Source, ...]:
        """Deprecated alias of `sources_ignored`."""
        return self.sources_ignored

    @property
    def only_chooses(self) -> bool:
        """Whether the method is a rule that chooses one of two, without a p-value."""
        return False

    @property
    def answer(self) -> str:
        """What was concluded, in one sentence."""
        return narrate.state_conclusion(self)

    @property
    def limits(self) -> str:
        """What the answer does not say, in one sentence: of whom it speaks, and what could have come out otherwise."""
        return narrate.state_limits(self)

    @property
    def words(self) -> str:
        """The answer, what it does not say, and what else must be said; of many entries a summary."""
        return narrate.state_in_words(self)

    @property
    def remarks(self) -> str:
        """What else must be said, which only some answers have."""
        return narrate.state_remarks(self)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        return narrate.list_rows(self)

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        return narrate.collect_values(self)

    def in_print(self) -> Iterator[Sentence]:
        """Return the sentences of the paragraph for a paper."""
        return narrate.write_paragraph(self)

    def __repr__(self) -> str:
        return str(self)
