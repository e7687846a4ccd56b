"""The texts of methods for learners are in the field's words: titles, reasons, cautions, remedies, documentation."""

import inspect
import re

import pytest

from tellapart import Resamples, ScoreTable, find_methods

OFFERS = [
    offer
    for kind in (Resamples, ScoreTable)
    for offer in find_methods(evidence=kind)
    if offer.function.__module__.startswith("tellapart.")
]
ASSUMPTIONS = {assumption.code: assumption for offer in OFFERS for assumption in offer.assumes}
# Phrases of the house that a statistician would not write.
DIALECT = re.compile(
    r"told apart|disagreement|lone errors|errs more|\d points?\b|how sure|speaks? of|holds the truth"
    r"|false alarm|cries wolf"
    r"|holds its level|keeps its word|pays with|claims too much|asked for|worth \S+ independent|trained anew|lottery"
    r"|(?<!here )is no [a-z]+\b|is none|as such|and the like|besides|nobody|whoever"
    r"|what becomes of|\bexchanged\b|race by the plan"
    r"|nothing shows how far|is everything|stands? (?:in|on top)|\d+x\d+ |Take method"
)


def texts_of_offer(offer):
    notes = [offer.note] if isinstance(offer.note, str) else []
    return [offer.title, offer.rationale, offer.validity, *notes, inspect.getdoc(offer.function).partition(">>>")[0]]


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: f"{offer.name}-{offer.gives}-{offer.evidence.__name__}")
def test_a_method_has_a_title_and_plain_texts(offer):
    assert offer.title
    for text in texts_of_offer(offer):
        assert not DIALECT.search(text.replace("5x2cv", "")), DIALECT.search(text)


@pytest.mark.parametrize("assumption", ASSUMPTIONS.values(), ids=lambda assumption: assumption.code)
def test_a_caution_has_a_short_title_a_consequence_and_a_remedy(assumption):
    assert 1 <= len(assumption.title.split()) <= 4
    assert assumption.so
    if isinstance(assumption.remedy, str):
        assert assumption.remedy.endswith(".")
    wordings = (assumption.violation, assumption.so, assumption.remedy)  # functions, if they depend on the data
    texts = [inspect.getsource(wording) if callable(wording) else wording for wording in wordings]
    for text in (assumption.title, assumption.requirement, assumption.rule, *texts):
        assert not DIALECT.search(text), DIALECT.search(text)


def test_the_titles_that_readers_know():
    titles = {(offer.name, offer.gives): offer.title for offer in OFFERS if offer.evidence is ScoreTable}
    assert titles["wilcoxon-signed-rank", "test"] == "Wilcoxon signed-rank"
    assert titles["wilcoxon-signed-rank", "interval"] == "Hodges & Lehmann"
    (corrected,) = find_methods(name="corrected-repeated-kfold-t", gives="test")
    assert (corrected.title, corrected.reference) == ("corrected t", "bouckaert2004")
