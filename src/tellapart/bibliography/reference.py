"""A publication, and how it is written: in a line, in short, and as BibTeX."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, get_args

from ..errors import InvalidOption
from ..markup import in_bibtex

Kind = Literal["article", "book", "inproceedings", "misc", "phdthesis", "techreport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One publication.

    Parameters
    ----------
    authors
        Surname, initials, in the order of the publication: "Agresti, A. and Coull, B. A."
    year, title
        When it came out, and what it is called.
    where
        Journal, volume and pages ("Biometrika 26, 404-413"), publisher and edition ("Wiley, 3rd edition"), proceedings
        and volume, report and institution ("Technical Report 96-22, University of California"), "PhD thesis, " and
        school, or "arXiv:" and number.
    kind
        Its kind of BibTeX entry, where that does not show in `where`: a book says so.

    Examples
    --------
    >>> print(Reference(authors="Doe, J.", year=2001, title="On Bayes", where="Biometrika 88, 1-9").bibtex())
    @article{doe2001,
      author = {Doe, J.},
      title = {On {Bayes}},
      year = {2001},
      journal = {Biometrika},
      volume = {88},
      pages = {1--9},
    }
    """

    authors: str
    year: int
    title: str
    where: str
    kind: Kind | None = None

    def __post_init__(self) -> None:
        if self.kind is not None and self.kind not in get_args(Kind):
            raise InvalidOption(f"kind must be one of {', '.join(get_args(Kind))}, or None, but is {self.kind!r}.")

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}). {self.title}. {self.where}."

    @property
    def key(self) -> str:
        """The first author's name and the year, in plain letters."""
        surname = re.split(r",| and | et al", self.authors)[0]
        plain = unicodedata.normalize("NFKD", surname).encode("ascii", "ignore").decode()
        return f"{re.sub('[^a-z0-9]', '', plain.lower()) or 'anonymous'}{self.year}"

    def bibtex(self, key: str | None = None) -> str:
        """Return the entry of a BibTeX file, under this key or one made of first author and year."""
        kind, details = _entry_parts(self)
        fields = {
            "author": " and ".join(map(_bibtex_author, _split_authors(self.authors))),
            "title": _capitals_kept(self.title),
        }
        fields |= {"year": str(self.year)} | {name: in_bibtex(value) for name, value in details.items()}
        if "pages" in fields:
            fields["pages"] = details["pages"].replace("-", "--")
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@{kind}{{{key or self.key},", *lines, "}"])

    @property
    def short(self) -> str:
        """The authors and the year, with "and": "Agresti and Coull 1998"."""
        return self._cite_authors(" and ")

    @property
    def citation(self) -> str:
        """The authors and the year, with "&": "Agresti & Coull 1998".

        Examples
        --------
        >>> authors = "Fagerland, M. W., Lydersen, S. and Laake, P."
        >>> Reference(authors=authors, year=2013, title="Mid-p", where="BMC Med. Res. Methodol. 13, 91").citation
        'Fagerland et al. 2013'
        """
        return self._cite_authors(" & ")

    def _cite_authors(self, joint: str) -> str:
        """Return the surnames of one or two authors, or the first one with "et al.", and the year."""
        surnames = [name.partition(",")[0] for name in _split_authors(self.authors)]
        first = surnames[0] if len(surnames) != 2 or surnames[1] == "others" else joint.join(surnames)
        return f"{first}{' et al.' * (len(surnames) > 2 or surnames[-1] == 'others')} {self.year}"


# How `where` is written. What has a name in a pattern has it in BibTeX; a book has to say that it is one.
_PROCEEDINGS = r"(?P<booktitle>(?:Advances in|Proceedings|(?:\S+ )*Conference)[^,\d]*?)"
_FORMS: tuple[tuple[Kind, str], ...] = (
    ("misc", r"(?P<howpublished>arXiv:(?P<eprint>\S+))"),
    ("phdthesis", r"(?:PhD|[Dd]octoral) (?:thesis|dissertation), (?P<school>.+)"),
    ("techreport", r"(?P<type>(?:Technical|Research) [Rr]eport)(?: (?P<number>\S*\d\S*))?, (?P<institution>.+)"),
    ("inproceedings", rf"{_PROCEEDINGS}(?: (?P<volume>\d+))?(?:, (?P<pages>\d+(?:-\d+)?))?"),
    ("inproceedings", rf"{_PROCEEDINGS}, (?P<series>\D+) (?P<volume>\d+)(?:, (?P<pages>\d+(?:-\d+)?))?"),
    ("article", r"(?P<journal>\D+) (?P<volume>\d+)(?:\((?P<number>\d+)\))?, (?P<pages>\w+(?:-\w+)?)"),
    ("book", r"(?P<series>\D+) (?P<volume>\d+), (?P<publisher>[^,]+)"),
    ("book", r"(?P<publisher>[^,]+), (?P<edition>\d+\w\w) edition"),
    ("book", r"(?P<publisher>[^,]+)(?:, (?P<address>[^,\d]+))?(?:, (?P<note>.*\d.*))?"),
)


def _entry_parts(reference: Reference) -> tuple[Kind, dict[str, str]]:
    """Return the kind of entry, and what `where` says, by the names of BibTeX."""
    for kind, pattern in _FORMS:
        if reference.kind != kind and (reference.kind is not None or kind == "book"):
            continue
        match = re.fullmatch(pattern, reference.where)
        if match:
            parts = {name: value for name, value in match.groupdict().items() if value}
            return kind, parts | ({"archiveprefix": "arXiv"} if "eprint" in parts else {})
    # An entry of its kind must have these; what is not understood is told whole, and nothing is lost.
    needed = {
        "article": "journal",
        "book": "publisher",
        "inproceedings": "booktitle",
        "phdthesis": "school",
        "techreport": "institution",
    }
    kind = reference.kind or "misc"
    return kind, {needed.get(kind, "howpublished"): reference.where}


def _split_authors(authors: str) -> list[str]:
    """Return each author as "Surname, Initials"; "others" stand for who is not named."""
    names = []
    for chunk in re.sub(r",? et al\.?$", " and others", authors).split(" and "):
        parts = [part.strip() for part in chunk.split(", ") if part.strip()]
        while parts:
            paired = len(parts) > 1 and (len(parts) % 2 == 0 or parts[1].endswith("."))
            names.append(", ".join(parts[: 1 + paired]))
            del parts[: 1 + paired]
    return names


def _bibtex_author(name: str) -> str:
    """Return a name as BibTeX takes it; "The R team" is nobody called team."""
    return f"{{{in_bibtex(name)}}}" if name.startswith("The ") else in_bibtex(name)


def _capitals_kept(title: str) -> str:
    """Return a title whose names keep their capitals in styles that would write them small."""

    def kept(match: re.Match[str]) -> str:
        word = match[0]
        small = not any(map(str.isupper, word[match.start() == 0 :]))  # the title's first letter stays as it is anyway
        return in_bibtex(word) if small else f"{{{in_bibtex(word)}}}"

    return re.sub(r"\w[^\s]*\w|\w|[^\w\s]+", kept, title)
