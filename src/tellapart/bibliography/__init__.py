"""The bibliography: references by key, in one line and as BibTeX.

Methods name the key; documentation, `tellapart methods NAME` and results print the reference.
"""

from __future__ import annotations

from importlib import import_module

from ..errors import InvalidOption
from ..typing_ import nearest_name
from .bibtex_file import ReferenceFile
from .reference import Kind, Reference

__all__ = ["REFERENCES", "Kind", "Reference", "bibtex", "cite", "keyed", "reference_of"]

REFERENCES = ReferenceFile("references.bib")


def cite(reference: str | Reference) -> str:
    """Return a reference in one line, from its key or from a Reference of another package.

    Examples
    --------
    >>> cite("wilson1927")[:19]
    'Wilson, E. B. (1927'
    """
    return str(reference_of(reference))


def keyed(*references: str | Reference) -> dict[str, Reference]:
    """Return references by their keys, each once; a Reference of another package gets a new key.

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
    """Return BibTeX entries of keys, of References of other packages, and of "tellapart" itself.

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
    """Return the reference of a key; a Reference is returned unchanged."""
    if isinstance(reference, Reference):
        return reference
    if reference == "tellapart":
        return _cite_software()
    if reference not in REFERENCES:
        near = nearest_name(reference, REFERENCES)
        raise InvalidOption(
            f"unknown `reference` {reference!r}."
            f" {f'Did you mean {near!r}?' if near else 'Use a key of REFERENCES, or a Reference.'}"
        )
    return REFERENCES[reference]


def _cite_software() -> Reference:
    """Return the reference of this version of tellapart, as in CITATION.cff."""
    version = import_module("tellapart").__version__  # avoids an import cycle
    title, where = "tellapart: statistical comparison of classifiers", f"Version {version}"
    return Reference(authors="The tellapart authors", year=2026, title=title, where=where, kind="misc")
