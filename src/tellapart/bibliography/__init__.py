"""Every reference once, cited by its key; and as BibTeX.

A method names the key; documentation, `tellapart methods NAME` and results print
what stands here.
"""

from __future__ import annotations

from importlib import import_module

from ..errors import InvalidOption
from .bibtex_file import ReferenceFile
from .reference import Kind, Reference

__all__ = ["REFERENCES", "Kind", "Reference", "bibtex", "cite", "keyed", "reference_of"]

REFERENCES = ReferenceFile("references.bib")


def cite(reference: str | Reference) -> str:
    """Return a reference in one line: one of ours by its key, or one that a package brings along.

    Examples
    --------
    >>> cite("wilson1927")[:19]
    'Wilson, E. B. (1927'
    """
    return str(reference_of(reference))


def keyed(*references: str | Reference) -> dict[str, Reference]:
    """Return references by their keys, each once: ours have them; one that a package brings along gets its own.

    Examples
    --------
    >>> theirs = Reference(authors="Tango, T.", year=1998, title="Another paper", where="Biometrika 85, 1-2")
    >>> list(keyed("tango1998", theirs, "tango1998"))
    ['tango1998', 'tango1998b']
    """
    ours = {entry: key for key, entry in REFERENCES.items()}
    keys: dict[str, Reference] = {}
    for reference in references:
        entry = reference_of(reference)
        if entry in keys.values():
            continue
        key = reference if isinstance(reference, str) else ours.get(entry, "")
        tries = (f"{entry.key}{letter}" for letter in ("", *"bcdefghijklmnopqrstuvwxyz"))
        keys[key or next(candidate for candidate in tries if candidate not in keys and candidate not in REFERENCES)] = (
            entry
        )
    return keys


def bibtex(*references: str | Reference) -> str:
    """Return BibTeX entries: of references by their keys, of those that a package brings along, of "tellapart" itself.

    Examples
    --------
    >>> print(bibtex("agresti1998"))
    @article{agresti1998,
      author = {Agresti, A. and Coull, B. A.},
      title = {Approximate is better than 'exact' for interval estimation of binomial proportions},
      year = {1998},
      journal = {The American Statistician},
      volume = {52},
      pages = {119--126},
    }
    """
    return "\n\n".join(entry.bibtex(key) for key, entry in keyed(*references).items())


def reference_of(reference: str | Reference) -> Reference:
    """Return what a key of the bibliography stands for; a reference is one already."""
    if isinstance(reference, Reference):
        return reference
    if reference == "tellapart":
        return _cite_software()
    if reference not in REFERENCES:
        raise InvalidOption(f"reference must be a key of the bibliography or a Reference, but is {reference!r}.")
    return REFERENCES[reference]


def _cite_software() -> Reference:
    """Return how to cite this very version; CITATION.cff says the same."""
    version = import_module("tellapart").__version__  # an import of the root would be one of the whole house
    title, where = "tellapart: tells classifiers apart", f"Version {version}"
    return Reference(authors="The tellapart authors", year=2026, title=title, where=where, kind="misc")
