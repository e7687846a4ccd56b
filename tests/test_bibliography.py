"""Every reference once, complete, and cited by somebody; and BibTeX that a strict reader takes."""

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tellapart
from tellapart.bibliography import REFERENCES, Reference, bibtex, cite, keyed
from tellapart.bibliography.bibtex_file import parse_bibtex
from tellapart.errors import InvalidOption
from tellapart.methods import find_methods

SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in Path(tellapart.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("key", REFERENCES)
def test_an_entry_is_complete(key):
    entry = REFERENCES[key]
    assert all(text and text == text.strip() and not text.endswith(".") for text in (entry.title, entry.where))
    assert 1700 < entry.year < 2100
    assert re.fullmatch(r"[A-Z].*\.", entry.authors)


@pytest.mark.parametrize("key", REFERENCES)
def test_a_key_is_the_first_author_and_the_year(key):
    entry = REFERENCES[key]
    surname = unicodedata.normalize("NFKD", entry.authors.partition(",")[0]).encode("ascii", "ignore").decode()
    values = re.sub(r"\W", "", surname).lower() + str(entry.year)
    assert re.fullmatch(values + "[b-z]?", key)  # a letter for the second of a year


@pytest.mark.parametrize("key", REFERENCES)
def test_a_citation_is_one_line(key):
    entry = REFERENCES[key]
    assert cite(key) == f"{entry.authors} ({entry.year}). {entry.title}. {entry.where}."
    assert "\n" not in cite(key)


def test_keys_are_in_order():
    assert list(REFERENCES) == sorted(REFERENCES)


@pytest.mark.parametrize("key", REFERENCES)
def test_an_entry_is_cited_by_key_outside_the_bibliography(key):
    assert f'"{key}"' in SOURCES


def test_whoever_a_method_cites_is_there():
    unknown = [method for method in find_methods() if method.reference not in REFERENCES]
    assert not unknown, [f"{method.name} cites {method.reference!r}" for method in unknown]


def test_whoever_set_a_threshold_is_there():
    sources = {assumption.reference for method in find_methods() for assumption in method.assumes}
    assert sources - {None} <= set(REFERENCES)


# --- The file --------------------------------------------------------------------------------------

FILE = (Path(tellapart.__file__).parent / "bibliography" / "references.bib").read_text(encoding="utf-8")


def test_the_file_is_what_we_print_but_for_comments():
    lines = [line for line in FILE.splitlines() if not line.startswith("%")]
    assert "\n".join(lines).strip() == bibtex(*REFERENCES)


def test_an_answer_does_not_read_the_file():
    code = """if True:
        import tellapart as ta
        from tellapart.bibliography import REFERENCES
        answer = ta.compare(ta.PairedTable(11, 22, 4, 862))
        str(answer), answer.as_dict(), ta.estimate(ta.ErrorCount(3, 120))
        assert "_all_references" not in vars(REFERENCES)
        assert len(REFERENCES) > 100 and "_all_references" in vars(REFERENCES)
    """
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  # our own interpreter and code


ENTRY = """\
@article{doe2001,
  author = {Doe, J. and Roe, R. and others},
  title = {On 2 $\\times$ 2 tables of {Bayes}},
  year = {2001},
  journal = {Biometrika},
  volume = {88},
  pages = {1--9},
}
"""


def test_an_entry_is_read_as_it_is_cited():
    assert {key: str(entry) for key, entry in parse_bibtex("% as printed\n\n" + ENTRY).items()} == {
        "doe2001": "Doe, J., Roe, R. et al. (2001). On 2 × 2 tables of Bayes. Biometrika 88, 1-9."
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("@article{doe2001,", "@article{Doe,", "line 1: expected the beginning of an entry .*, got '@article{Doe,'"),
        ("  year = {2001},\n", "  year = 2001,\n", "line 4, entry doe2001: expected a field .*, got '  year = 2001,'"),
        ("  year = {2001},\n", "  year = {MMI},\n", "line 8, entry doe2001: .*'MMI'"),
        ("  year = {2001},\n", "", "line 7, entry doe2001: the field 'year' is missing"),
        ("  year = {2001},\n", "  year = {2001},\n" * 2, "line 5, entry doe2001: 'year' appears twice"),
        ("journal", "school", "line 8, entry doe2001: an entry of this kind has the fields .*, got 'school'"),
        ("@article", "@blog", "line 8, entry doe2001: the kind of an entry must be one of article, book.*, got 'blog'"),
        ("{Bayes}", "{Bayes", "line 3, entry doe2001: the braces of .* do not match"),
        ("{Bayes}", "}Bayes{", "line 3, entry doe2001: the braces of .* do not match"),
        ("$\\times$", "$\\pm$", r"line 3, entry doe2001: '\$' in .* is not understood; write the character itself"),
        ("  pages = {1--9},\n}", "  pages = {1--9},", "line 8, entry doe2001: expected a field .*, got ''"),
        ("9},\n}\n", "9},\n}\n" + ENTRY, "line 9, entry doe2001: 'doe2001' appears twice"),
    ],
)
def test_what_we_do_not_write_is_an_error_that_names_the_line(old, new, message):
    assert old in ENTRY
    with pytest.raises(ValueError, match="bibliography, " + message):
        parse_bibtex(ENTRY.replace(old, new, 1))


# --- BibTeX ---------------------------------------------------------------------------------------

REQUIRED = {  # by the manual of BibTeX (Patashnik 1988, section 3.1)
    "article": {"author", "title", "journal", "year"},
    "book": {"author", "title", "publisher", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "misc": {"author", "title", "howpublished", "year"},
    "phdthesis": {"author", "title", "school", "year"},
    "techreport": {"author", "title", "institution", "year"},
}


def read_bibtex(text):
    """Return the entries of a file as BibTeX reads it: braces counted, whatever stands before them."""
    entries, position = [], 0
    while position < len(text):
        entry = re.compile(r"\s*@([a-z]+)\{([^\s,{}@\\%#\"'=~]+),\s*").match(text, position)
        assert entry, f"no entry begins at {text[position : position + 40]!r}"
        kind, key, position, fields = entry[1], entry[2], entry.end(), {}
        while text[position] != "}":
            name = re.compile(r"([a-z]+) = \{").match(text, position)
            assert name, f"no field begins at {text[position : position + 40]!r}"
            assert name[1] not in fields
            depth, start = 1, name.end()
            position = start
            while depth:
                depth += {"{": 1, "}": -1}.get(text[position], 0)
                position += 1
            fields[name[1]] = text[start : position - 1]
            after = re.compile(r",\s*").match(text, position)
            assert after
            position = after.end()
        entries.append((kind, key, fields))
        position = re.compile(r"\}\s*").match(text, position).end()
    return entries


def names_in(authors):
    """Count authors as they are written: every surname is followed by initials."""
    return len(re.findall(r", (?:[A-Z]\.[ -]?)+", authors)) + authors.endswith("et al.")


ENTRIES = {key: (kind, fields) for kind, key, fields in read_bibtex(bibtex(*REFERENCES))}


def test_every_reference_is_an_entry_under_its_key():
    assert list(ENTRIES) == list(REFERENCES)


@pytest.mark.parametrize("key", REFERENCES)
def test_an_entry_has_what_its_kind_must_have(key):
    kind, fields = ENTRIES[key]
    assert set(fields) >= REQUIRED[kind]
    assert all(fields.values())
    assert fields["year"] == str(REFERENCES[key].year)
    assert fields["author"].count(" and ") + 1 == names_in(REFERENCES[key].authors)
    assert kind != "misc" or fields["archiveprefix"] == "arXiv"  # all else is understood
    if kind == "article":
        assert re.fullmatch(r"\d+", fields["volume"])
        assert re.fullmatch(r"\d+(--\d+)?", fields["pages"])


@pytest.mark.parametrize("key", REFERENCES)
def test_an_entry_loses_nothing_of_where_it_was_published(key):
    _, fields = ENTRIES[key]
    values = " ".join(value.replace("--", "-") for value in fields.values())
    implied = {"edition", "arXiv", "PhD", "thesis"}  # by the kind of entry
    assert set(re.findall(r"\w+", REFERENCES[key].where)) - implied <= set(re.findall(r"\w+", values))


@pytest.mark.parametrize("key", REFERENCES)
def test_capitals_of_a_title_stand_in_braces(key):
    """Styles that write titles small leave the first letter, and what stands in braces (BibTeX manual, section 3.2)."""
    title = ENTRIES[key][1]["title"]
    bare = re.sub(r"\{[^{}]*\}", "", title)
    assert bare[1:] == bare[1:].lower()
    assert re.sub(r"[{}]", "", title).replace(r"$\times$", "×") == REFERENCES[key].title


@pytest.mark.parametrize(
    ("where", "kind", "fields"),
    [
        ("Biometrika 34(2), 28-35", "article", {"volume": "34", "number": "2", "pages": "28--35"}),
        ("PhD thesis, University of Toronto", "phdthesis", {"school": "University of Toronto"}),
        ("Technical Report, Xerox PARC", "techreport", {"institution": "Xerox PARC"}),
        ("Proceedings of the 3rd Meeting", "misc", {"howpublished": "Proceedings of the 3rd Meeting"}),
        ("https://example.org/a_b", "misc", {"howpublished": r"https://example.org/a\_b"}),
    ],
)
def test_what_others_write_is_understood_or_reported_whole(where, kind, fields):
    [(entry, key, values)] = read_bibtex(Reference(authors="Doe, J.", year=2001, title="On it", where=where).bibtex())
    assert (entry, key) == (kind, "doe2001")
    assert fields.items() <= values.items()


@pytest.mark.parametrize(
    ("authors", "message", "short"),
    [
        ("Agresti, A. and Coull, B. A.", "Agresti, A. and Coull, B. A.", "Agresti and Coull 2001"),
        (
            "Brown, L. D., Cai, T. T. and DasGupta, A.",
            "Brown, L. D. and Cai, T. T. and DasGupta, A.",
            "Brown et al. 2001",
        ),
        ("Bouthillier, X. et al.", "Bouthillier, X. and others", "Bouthillier et al. 2001"),
        ("Doe, Jane", "Doe, Jane", "Doe 2001"),
        ("Jane Doe and John Roe", "Jane Doe and John Roe", "Jane Doe and John Roe 2001"),
        ("The R team", "{The R team}", "The R team 2001"),
    ],
)
def test_authors_are_separated(authors, message, short):
    theirs = Reference(authors=authors, year=2001, title="On it", where="Biometrika 1, 2-3")
    assert read_bibtex(theirs.bibtex())[0][2]["author"] == message
    assert theirs.short == short
    assert theirs.citation == short.replace(" and ", " & ")


def test_two_of_one_name_and_year_get_two_keys_and_one_reference_one():
    theirs = [Reference(authors="Tango, T.", year=1998, title=title, where="Here 1, 2-3") for title in ("One", "Two")]
    entry = keyed("tango1998", theirs[0], theirs[1], theirs[0], REFERENCES["tango1998"])
    assert list(entry) == ["tango1998", "tango1998b", "tango1998c"]
    assert len({key for _, key, _ in read_bibtex(bibtex("tango1998", *theirs))}) == 3


def test_a_key_is_made_of_plain_letters():
    theirs = Reference(authors="Müller-Lüdenscheidt, H.", year=1978, title="Die Ente", where="Bad 1, 2-3")
    assert theirs.key == "mullerludenscheidt1978"
    assert Reference(authors="李", year=1978, title="Die Ente", where="Bad 1, 2-3").key == "anonymous1978"


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.text(min_size=1), st.text(st.sampled_from('{}\\%$&#_~^"@, aA\n'), min_size=1), st.text(min_size=1))
def test_whatever_others_write_is_one_entry(authors, title, where):
    theirs = Reference(authors=f"Doe, {authors}", year=2001, title=title, where=where)
    [(_, key, fields)] = read_bibtex(theirs.bibtex("key"))
    assert key == "key"
    assert fields["year"] == "2001"


def test_the_software_cites_itself_as_its_citation_file_says():
    file = (Path(tellapart.__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8")
    values = dict(re.findall(r"^(?:  - )?([a-z-]+): \"?(.*?)\"?$", file, re.MULTILINE))
    [(kind, key, fields)] = read_bibtex(bibtex("tellapart"))
    assert (kind, key) == ("misc", "tellapart")
    assert fields["title"] == values["title"]
    assert fields["author"] == f"{{{values['name']}}}"
    assert fields["year"] == values["date-released"][:4]
    assert fields["howpublished"] == f"Version {values['version']}" == f"Version {tellapart.__version__}"


def test_an_unknown_key_or_kind_is_an_error():
    with pytest.raises(InvalidOption, match="unknown `reference` 'nobody1900'"):
        bibtex("nobody1900")
    with pytest.raises(InvalidOption, match="`kind` must be one of 'article', 'book'"):
        Reference(authors="Doe, J.", year=2001, title="On it", where="Here", kind="blog")
