"""The base class of answers: evidence, checks, notes and sources of variation. The narrator writes their text."""

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
    """An answer with its evidence, checks and notes.

    `notes` are additional figures of a kind of evidence or of a method: `answer.note("effect_sizes")`.
    """

    evidence: Evidence
    alpha: float = 0.05
    checks: tuple[Check, ...] = ()
    notes: tuple[Note, ...] = ()
    excluded: Mapping[str, int] = field(default_factory=dict)  # examples left out, by reason
    sources_covered: tuple[Source, ...] = ()  # the sources of variation that its interval accounts for
    references: tuple[str | Reference, ...] = ()  # the sources of the method, the interval and the adjustment

    def note(self, key: str, default: Any = None) -> Any:
        """Return the value of the note with this key, or the default."""
        return next((note.value for note in self.notes if note.key == key), default)

    @property
    def sources_ignored(self) -> tuple[Source, ...]:
        """The sources of variation that its interval does not account for."""
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
        """The scope of the answer, as a sentence."""
        return self.evidence.scope(getattr(self, "method", "")).sentence

    @property
    def remarks(self) -> str:
        """Deprecated: always empty."""
        return ""

    @property
    def words(self) -> str:
        """The verdict with its figures and its scope, as sentences."""
        return narrate.state_in_words(self)

    def display(self, *, verbose: bool = False) -> Display:
        """Return the layout: verdict, figures, rows and tables; with `verbose` more numbers."""
        return narrate.display(self, verbose=verbose)

    def to_latex(self) -> str:
        r"""Return a table for a paper (it needs the package booktabs); below it the paragraph, as a comment."""
        return f"{narrate.write_latex(self)}\n% {self.paragraph('latex')}"

    def _repr_html_(self) -> str:
        return self.display().to_html(picture=narrate.draw_interval(self))

    def explanations(self) -> list[tuple[str, str]]:
        """Return the labels and sentences of `explain`: how to read the answer, assumptions, sources, references."""
        return narrate.explanations(self)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and text of each row, including those of `verbose`."""
        return [(row.label, row.text) for row in self.display(verbose=True).rows]

    def as_dict(self) -> dict[str, Any]:
        """Return all values by name, with all digits."""
        return narrate.collect_values(self)

    def in_print(self) -> Iterator[Sentence]:
        """Return the sentences of the paragraph for a paper."""
        return narrate.write_paragraph(self)

    def __repr__(self) -> str:
        return str(self)
