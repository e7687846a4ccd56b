"""Which papers there are, and what is in them; a paper is loaded when it is first asked for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from ..errors import InvalidOption
from .exhibit import Exhibit, Paper

# By the name a paper has on the command line, where it is.
PAPERS = {
    "martin-hirschberg": "martin_hirschberg",
    "dietterich": "dietterich",
    "mitchell": "mitchell",
    "yang": "yang",
    "elazmeh": "elazmeh",
}


def load_paper(name: str) -> Paper:
    """Return a paper with all its exhibits.

    Examples
    --------
    >>> load_paper("mitchell").exhibits[0].label
    'Table 5.1'
    """
    if name not in PAPERS:
        near = get_close_matches(name, PAPERS, n=1, cutoff=0.3)
        meant = f" Do you mean {near[0]}?" if near else ""
        raise InvalidOption(f"paper must be one of {', '.join(PAPERS)}, but is {name!r}.{meant}")
    paper: Paper = import_module(f".{PAPERS[name]}", __package__).PAPER
    return paper


def find_exhibits(paper: str | None = None, name: str | None = None) -> tuple[Exhibit, ...]:
    """Return the exhibits of a paper, or of all; or the one of that name.

    Parameters
    ----------
    paper
        "martin-hirschberg", "dietterich", "mitchell", "yang" or "elazmeh"; None for all.
    name
        "table-5", "figure-6", "examples", …; None for all.

    Examples
    --------
    >>> [exhibit.title for exhibit in find_exhibits("mitchell", "table-5.1")]
    ['Values of z for two-sided intervals']
    """
    found = [exhibit for each in (PAPERS if paper is None else [paper]) for exhibit in load_paper(each).exhibits]
    if name is None:
        return tuple(found)
    plain = name.lower().replace(" ", "-").replace("_", "-")
    chosen = tuple(exhibit for exhibit in found if exhibit.name == plain)
    if not chosen:
        known = list(dict.fromkeys(exhibit.name for exhibit in found))
        near = get_close_matches(plain, known, n=1, cutoff=0.6)
        meant = f" Do you mean {near[0]}?" if near else ""
        where = "the papers have" if paper is None else f"paper {paper!r} has"
        raise InvalidOption(f"no exhibit is called {name!r}: {where} {', '.join(known)}.{meant}")
    return chosen
