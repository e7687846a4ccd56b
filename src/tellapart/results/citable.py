"""A paragraph ready for a paper, with citations, and their BibTeX entries.

Sentences consist of text and citations. Text, including the names of models, is escaped when the form (plain, Markdown
or LaTeX) is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..markup import in_latex, in_markdown
from ..rendering import Rendered
from ..typing_ import one_of

if TYPE_CHECKING:
    from ..bibliography import Reference

Form = Literal["text", "markdown", "latex"]


class Cited(NamedTuple):
    """A citation: keys of the bibliography, or references of another package."""

    references: tuple[str | Reference, ...]


Sentence = Sequence[str | Cited]


class Citable(Rendered):
    """A result that can be written up: a paragraph with citations, and their BibTeX entries."""

    __slots__ = ()

    def in_print(self) -> Iterator[Sentence]:
        """Return the sentences of the paragraph."""
        raise TypeError(f"{type(self).__name__} has no paragraph")

    def paragraph(self, form: Form = "text") -> str:
        r"""Return a paragraph for a paper.

        Parameters
        ----------
        form
            "text", "markdown" (citations as pandoc and Quarto read them: [@tango1998]) or "latex" (\citep{tango1998}).
        """
        from ..bibliography import keyed

        one_of("form", form, Form)
        sentences = list(self.in_print())
        keys = {reference: key for key, reference in keyed(*_collect_references(sentences)).items()}
        return " ".join(_write_sentence(sentence, keys, form) for sentence in sentences)

    def to_markdown(self) -> str:
        """Return the paragraph and a two-column table, in Markdown."""
        return f"{self.paragraph('markdown')}\n\n{super().to_markdown()}"

    def to_latex(self) -> str:
        r"""Return tables in LaTeX (they need the package booktabs); below them the paragraph, as a comment."""
        return f"{super().to_latex()}\n% {self.paragraph('latex')}"

    def bibtex(self) -> str:
        """Return the BibTeX entries of the references that the paragraph cites."""
        from ..bibliography import bibtex

        return bibtex(*_collect_references(self.in_print()))


def _collect_references(sentences: Iterable[Sentence]) -> list[str | Reference]:
    pieces = (piece for sentence in sentences for piece in sentence)
    return [reference for piece in pieces if isinstance(piece, Cited) for reference in piece.references]


def _write_sentence(sentence: Sentence, keys: dict[Reference, str], form: Form) -> str:
    """Return a sentence in this form; a citation stays with the word before it."""
    from ..bibliography import reference_of

    write = {"text": _in_one_line, "markdown": in_markdown, "latex": in_latex}[form]
    text = ""
    for piece in sentence:
        if not isinstance(piece, Cited):
            text += write(piece)
        elif piece.references:
            references = dict.fromkeys(map(reference_of, piece.references))
            names = [reference.short if form == "text" else keys[reference] for reference in references]
            text += {
                "text": f" [{'; '.join(names)}]",
                "markdown": f" [{'; '.join(f'@{name}' for name in names)}]",
                "latex": rf"~\citep{{{','.join(names)}}}",
            }[form]
    return text


def _in_one_line(text: str) -> str:
    return text.replace("\n", " ")


def software_in_print() -> Iterator[Sentence]:
    """Return the sentence that names the software."""
    from ..bibliography import reference_of

    version = reference_of("tellapart").where.removeprefix("Version ")
    yield (f"Computed with tellapart {version}", Cited(("tellapart",)), ".")


def listed(parts: Sequence[str]) -> str:
    """Return parts as a sentence lists them: "a, b and c"."""
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)
