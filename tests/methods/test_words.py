"""The words of every method and of every assumption: a title, and terms that a statistician would search for."""

import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest

from tellapart import find_methods

TESTS = Path(__file__).parents[1]
KINDS = {
    *("ErrorCount", "ErrorPatterns", "IndependentCounts", "PairedTable", "StratifiedCount"),
    *("ClassScores", "ConfusionMatrix", "Outcomes", "PairedConfusion", "TrainingSets"),
}
OFFERS = [offer for offer in find_methods() if offer.function.__module__.startswith("tellapart.")]
ASSUMPTIONS = {assumption.code: assumption for offer in OFFERS for assumption in offer.assumes}
CODES = sorted({*ASSUMPTIONS, "TA010"})


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


find_phrases = load(TESTS / "glossary.py").find_phrases


@cache
def failed_check(code):
    """Return the check of this code where it fails, as its test file states it."""
    answer = load(TESTS / "checks" / f"test_{code.lower()}.py").fails()
    return next(check for check in answer.checks if check.code == code)


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: f"{offer.evidence.__name__}-{offer.name}-{offer.gives}")
def test_an_offer_has_a_title_and_speaks_plainly(offer):
    assert offer.title
    assert offer.title != offer.name or offer.name == "cluster-robust"  # what it is known by
    assert len(offer.title) <= 44  # with its citation it fits a row of 80 columns
    note = offer.note if isinstance(offer.note, str) else ""
    texts = (
        offer.title,
        offer.rationale,
        offer.validity,
        offer.statistic or "",
        note,
        offer.summary,
        offer.description,
    )
    assert [find_phrases(text) for text in texts] == [[]] * len(texts)
    assert offer.summary.endswith(".")
    assert not offer.rationale.endswith(".")


@pytest.mark.parametrize("code", CODES)
def test_an_assumption_has_a_title_and_speaks_plainly(code):
    check = failed_check(code)
    assert 2 <= len(check.title.split()) <= 4
    assert check.so
    assert check.remedy.endswith(".")
    assert check.remedy[0].isupper() or check.remedy[0] == "'"
    texts = [check.title, check.violation, check.so, check.remedy, check.requirement]
    texts += [ASSUMPTIONS[code].rule] if code in ASSUMPTIONS else []
    assert [find_phrases(text) for text in texts] == [[]] * len(texts)
    assert not re.search(r"[<>≥≤]", check.violation)
