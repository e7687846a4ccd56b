"""Every reference once, complete, and cited by somebody."""

import re
import unicodedata
from pathlib import Path

import pytest

import tellapart
from tellapart.bibliography import REFERENCES, cite
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
    told = re.sub(r"\W", "", surname).lower() + str(entry.year)
    assert re.fullmatch(told + "[b-z]?", key)  # a letter for the second of a year


@pytest.mark.parametrize("key", REFERENCES)
def test_a_citation_is_one_line(key):
    entry = REFERENCES[key]
    assert cite(key) == f"{entry.authors} ({entry.year}). {entry.title}. {entry.where}."
    assert "\n" not in cite(key)


def test_keys_are_in_order():
    assert list(REFERENCES) == sorted(REFERENCES)


@pytest.mark.parametrize("key", REFERENCES)
def test_an_entry_is_cited_by_key_outside_the_bibliography(key):
    assert SOURCES.count(f'"{key}"') > 1


def test_whoever_a_method_cites_is_there():
    assert {method.reference for method in find_methods()} <= set(REFERENCES)


def test_whoever_set_a_threshold_is_there():
    sources = {assumption.source for method in find_methods() for assumption in method.assumes}
    assert sources - {None} <= set(REFERENCES)
