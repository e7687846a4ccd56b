"""The papers and their exhibits; a paper is loaded on first use."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from ..errors import InvalidOption
from .exhibit import Exhibit, Paper

# Package of each paper, by its name on the command line.
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
        fix = f"Did you mean {near[0]!r}?" if near else f"Choose from {', '.join(PAPERS)}."
        raise InvalidOption(f"unknown paper {name!r}. {fix}")
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
    exhibits = [
        exhibit for paper_name in (PAPERS if paper is None else [paper]) for exhibit in load_paper(paper_name).exhibits
    ]
    if name is None:
        return tuple(exhibits)
    plain = name.lower().replace(" ", "-").replace("_", "-")
    chosen = tuple(exhibit for exhibit in exhibits if exhibit.name == plain)
    if not chosen:
        names = list(dict.fromkeys(exhibit.name for exhibit in exhibits))
        near = get_close_matches(plain, names, n=1, cutoff=0.6)
        fix = f"Did you mean {near[0]!r}?" if near else "List all exhibits with `tellapart reproduce --list`."
        raise InvalidOption(f"unknown exhibit {name!r}. {fix}")
    return chosen
