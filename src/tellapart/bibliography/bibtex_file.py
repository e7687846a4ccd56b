"""The references of `references.bib`, read at first use.

The file has the form that `bibtex(*REFERENCES)` prints: a first line, one line for each field, a closing brace. The
parser accepts only this form; anything else is an error that names the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.resources import files
from itertools import accumulate

from .reference import Reference

# The fields of each kind of entry that form `where`, in this order; missing fields are left out.
_WHERE = {
    "article": ("{journal}", " {volume}", "({number})", ", {pages}"),
    "book": ("{series}", " {volume}, ", "{publisher}", ", {edition} edition", ", {address}", ", {note}"),
    "inproceedings": ("{booktitle}", ", {series}", " {volume}", ", {pages}"),
    "misc": ("{howpublished}",),
    "phdthesis": ("PhD thesis, {school}",),
    "techreport": ("{type}", " {number}", ", {institution}"),
}
_REQUIRED = ("author", "title", "year")
_IMPLIED = ("eprint", "archiveprefix")  # contained in `howpublished`


class ReferenceFile(Mapping[str, Reference]):
    """The references of a BibTeX file in this folder, by key; the file is read at first use.

    Examples
    --------
    >>> ReferenceFile("references.bib")["wilson1927"].short
    'Wilson 1927'
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._parsed: dict[str, Reference] = {}  # single references read so far

    @cached_property
    def _all_references(self) -> dict[str, Reference]:
        return parse_bibtex(self._file_text)

    @cached_property
    def _file_text(self) -> str:
        return (files(__package__) / self._name).read_text(encoding="utf-8")

    def __getitem__(self, key: str) -> Reference:
        """Return one reference, without parsing the others."""
        if "_all_references" in self.__dict__:
            return self._all_references[key]
        if key not in self._parsed:
            entry = re.search(rf"^@[a-z]+\{{{re.escape(key)},\n.*?^\}}$", self._file_text, re.MULTILINE | re.DOTALL)
            if entry is None:
                raise KeyError(key)
            self._parsed |= parse_bibtex(entry[0])
        return self._parsed[key]

    def __contains__(self, key: object) -> bool:
        if key in self._parsed:
            return True
        if not isinstance(key, str):
            return False
        return re.search(rf"^@[a-z]+\{{{re.escape(key)},$", self._file_text, re.MULTILINE) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._all_references)

    def __len__(self) -> int:
        return len(self._all_references)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r})"


def parse_bibtex(text: str) -> dict[str, Reference]:
    """Return the references of a file in the form of `bibtex`, by key. Lines that begin with % are comments.

    Examples
    --------
    >>> reference = Reference(authors="Doe, J. and Roe, R.", year=2001, title="On Bayes", where="Biometrika 88, 1-9")
    >>> parse_bibtex(reference.bibtex()) == {"doe2001": reference}
    True
    """
    references: dict[str, Reference] = {}
    fields: dict[str, str] = {}
    kind = key = ""
    for number, line in enumerate([*text.splitlines(), ""], 1):  # an entry without its closing brace fails at the end
        start = re.fullmatch(r"@([a-z]+)\{([a-z]+\d{4}[b-z]?),", line)
        field = re.fullmatch(r"  ([a-z]+) = \{(.+)\},", line)
        try:
            if start and not key:
                kind, key, fields = start[1], start[2], {}
                _check_new(key, references)
            elif field and key:
                _check_new(field[1], fields)
                fields[field[1]] = _read_value(field[2])
            elif line == "}" and key:
                references[key] = _build_reference(kind, fields)
                key = ""
            elif key:
                raise ValueError(f"expected a field such as '  year = {{1998}},' or the closing brace, got {line!r}")
            elif line and not line.startswith("%"):
                raise ValueError(f"expected the beginning of an entry such as '@book{{doe2001,', got {line!r}")
        except ValueError as error:
            raise ValueError(f"bibliography, line {number}{f', entry {key}' if key else ''}: {error}") from None
    return references


def _check_new(name: str, table: Mapping[str, object]) -> None:
    """Raise ValueError if the table has an item of this name."""
    if name in table:
        raise ValueError(f"{name!r} appears twice")


def _read_value(value: str) -> str:
    """Return the text of a field without braces and commands."""
    text = value.replace(r"$\times$", "×")
    depths = list(accumulate({"{": 1, "}": -1}.get(character, 0) for character in text))
    if min(depths) < 0 or depths[-1] != 0:
        raise ValueError(f"the braces of {value!r} do not match")
    if command := re.search(r"[\\$%#~^_&]", text):
        raise ValueError(f"{command[0]!r} in {value!r} is not understood; write the character itself, in UTF-8")
    return re.sub(r"[{}]", "", text)


def _build_reference(kind: str, fields: Mapping[str, str]) -> Reference:
    """Return the reference that an entry of BibTeX describes."""
    if kind not in _WHERE:
        raise ValueError(f"the kind of an entry must be one of {', '.join(_WHERE)}, got {kind!r}")
    parts = {re.findall(r"\w+(?=\})", part)[0]: part for part in _WHERE[kind]}
    if missing := [name for name in _REQUIRED if name not in fields]:
        raise ValueError(f"the field {missing[0]!r} is missing")
    if unknown := [name for name in fields if name not in (*_REQUIRED, *_IMPLIED, *parts)]:
        raise ValueError(f"an entry of this kind has the fields {', '.join((*_REQUIRED, *parts))}, got {unknown[0]!r}")
    values = {name: value.replace("--", "-") if name == "pages" else value for name, value in fields.items()}
    return Reference(
        authors=_join_names(fields["author"].split(" and ")),
        year=int(fields["year"]),
        title=fields["title"],
        where="".join(part.format_map(values) for name, part in parts.items() if name in values),
        kind="book" if kind == "book" else None,  # `where` determines the other kinds
    )


def _join_names(names: list[str]) -> str:
    """Return authors as a citation lists them: "Doe, J., Roe, R. and Poe, E."."""
    *first, last = names
    if last == "others":
        return f"{', '.join(first)} et al."
    return f"{', '.join(first)} and {last}" if first else last
