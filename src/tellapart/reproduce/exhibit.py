"""A paper and its exhibits: tables, figures, examples and experiments, each reproduced by a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..bibliography import Reference, reference_of
from .verdicts import Shown

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
        Its name on the command line: "table-5", "figure-6".
    title
        Its title, in a few words.
    show
        The function that computes it: `show(run)` returns a `Shown`.
    """

    paper: str
    cites: str | Reference
    name: str
    title: str
    show: Callable[[Run], Shown]

    @property
    def label(self) -> str:
        """The name in a sentence: "Table 5"."""
        return self.name.replace("-", " ").capitalize()

    @property
    def source(self) -> str:
        """The short citation of the paper: "Yang 2006"."""
        return reference_of(self.cites).short


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A publication and its reproduced exhibits, in order.

    Parameters
    ----------
    name
        Its name on the command line: "dietterich".
    cites
        Its key in the bibliography, or a `Reference`.
    about
        Its subject, in a sentence.

    Examples
    --------
    >>> from tellapart.reproduce import compared
    >>> paper = Paper(name="mitchell", cites="mitchell1997", about="Chapter 5 of a textbook.")
    >>> @paper.exhibit("table-5.1", "Two-sided z values")
    ... def table_5_1(run):
    ...     return Shown(lines=(compared("95%", "1.96", 1.959964),))
    >>> [exhibit.label for exhibit in paper.exhibits]
    ['Table 5.1']
    """

    name: str
    cites: str | Reference
    about: str
    exhibits: list[Exhibit] = field(default_factory=list)

    def exhibit(self, name: str, title: str) -> Callable[[Callable[[Run], Shown]], Callable[[Run], Shown]]:
        """Return a decorator that registers the function of a table, figure or example of this paper."""

        def register(show: Callable[[Run], Shown]) -> Callable[[Run], Shown]:
            self.exhibits.append(Exhibit(paper=self.name, cites=self.cites, name=name, title=title, show=show))
            return show

        return register
