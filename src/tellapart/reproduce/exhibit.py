"""A paper and its exhibits: tables, figures, examples and experiments, each a function that shows it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..bibliography import Reference, reference_of
from .lines import Shown

if TYPE_CHECKING:
    from .run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """A table, figure, example or experiment of a paper.

    Parameters
    ----------
    paper, cites
        The name of the paper it is in, and its reference: a key of the bibliography, or a `Reference`.
    name
        What it is called on the command line: "table-5", "figure-6".
    title
        What it shows, in a few words.
    show
        Computes it: `show(run)` gives a `Shown`.
    """

    paper: str
    cites: str | Reference
    name: str
    title: str
    show: Callable[[Run], Shown]

    @property
    def label(self) -> str:
        """What it is called in a sentence: "Table 5"."""
        return self.name.replace("-", " ").capitalize()

    @property
    def source(self) -> str:
        """The paper as one says it: "Yang 2006"."""
        return reference_of(self.cites).short


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A publication, and what of it is reproduced, in the order in which it is told.

    Parameters
    ----------
    name
        What it is called on the command line: "dietterich".
    cites
        Its key in the bibliography, or a `Reference` of one's own.
    about
        What it is about, in a sentence.

    Examples
    --------
    >>> from tellapart.reproduce import compared
    >>> paper = Paper(name="mitchell", cites="mitchell1997", about="Chapter 5 of a textbook.")
    >>> @paper.exhibit("table-5.1", "Two-sided z values")
    ... def table_5_1(run):
    ...     return Shown(lines=(compared("95 %", "1.96", 1.959964),))
    >>> [exhibit.label for exhibit in paper.exhibits]
    ['Table 5.1']
    """

    name: str
    cites: str | Reference
    about: str
    exhibits: list[Exhibit] = field(default_factory=list)

    def exhibit(self, name: str, title: str) -> Callable[[Callable[[Run], Shown]], Callable[[Run], Shown]]:
        """Register the function below as what shows a table, a figure or an example of this paper."""

        def register(show: Callable[[Run], Shown]) -> Callable[[Run], Shown]:
            self.exhibits.append(Exhibit(paper=self.name, cites=self.cites, name=name, title=title, show=show))
            return show

        return register
