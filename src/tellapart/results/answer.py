"""What all answers have: evidence, checks, notes, and what they cover; what they say is derived by the narrator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..display import Display
from ..evidence import Evidence, Note
from ..typing_ import SOURCES, Source
from . import narrate
from .check import Check
from .citable import Citable, Sentence

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
        """The verdict with its figures, as a sentence."""
        return f"{narrate.state_verdict(self)}."

    @property
    def limits(self) -> str:
        """What the answer applies to, as a sentence."""
        return self.evidence.scope(getattr(self, "method", "")).sentence

    @property
    def remarks(self) -> str:
        """Nothing."""
        return ""

    @property
    def words(self) -> str:
        """The verdict with its figures, and what it applies to, as sentences."""
        return narrate.state_in_words(self)

    def display(self, *, verbose: bool = False) -> Display:
        """Return what is printed: verdict, figures, rows and tables; with `verbose` more numbers."""
        return narrate.display(self, verbose=verbose)

    def _repr_html_(self) -> str:
        return self.display().to_html(picture=narrate.draw_interval(self))

    def explanations(self) -> list[tuple[str, str]]:
        """Return label and sentences of what `explain` adds: how to read it, assumptions, sources, references."""
        return narrate.explanations(self)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and text of each row, with those that `verbose` adds."""
        return [(row.label, row.text) for row in self.display(verbose=True).rows]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        return narrate.collect_values(self)

    def in_print(self) -> Iterator[Sentence]:
        """Return the sentences of the paragraph for a paper."""
        return narrate.write_paragraph(self)

    def __repr__(self) -> str:
        return str(self)
