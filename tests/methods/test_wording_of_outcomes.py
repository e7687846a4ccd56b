"""The texts of methods for outcomes, metrics and training sets: terms of statistics, and a title for every offer."""

import ast
import re
from pathlib import Path

import pytest

import tellapart
from tellapart import find_methods

METHODS = Path(tellapart.__file__).parent / "methods"
KINDS = ("class_scores", "confusion_matrix", "outcomes", "paired_confusion", "training_sets")
MODULES = [
    *(path for kind in KINDS for path in sorted((METHODS / kind).glob("*.py"))),
    *(METHODS / f"{name}.py" for name in ("curves", "reliability", "selection")),
]
OFFERS = [offer for offer in find_methods() if offer.function.__module__.split(".")[2:3][0] in KINDS]
# Phrases that have a plain equivalent: "discordant pairs" for "disagreements", and so on.
HOUSE_WORDS = re.compile(
    r"told apart|disagreements|lone errors?|errs? (?:more )?often|how sure|holds? (?:its|the) (?:level|truth)"
    r"|keeps? its (?:level|word)|false alarms?|cries wolf|claims? (?:what|too)|pays? with|asked for|was meant"
    r"|worth \w+ independent|in effect|(?:belong|go) together|signs? .{0,20}turned|leans? on|hangs? on|rests on"
    r"|looks better than it is|lottery|drawn anew|trained anew|exchanged|is none that is known|and the like|as such"
    r"|nobody|whoever|by itself|all together|is no \w+ of|where nobody|\d+ points\b|\d %",
    re.IGNORECASE,
)


def read_texts(path):
    """Yield the strings, docstrings and comments of a module, with their lines."""
    source = path.read_text()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, " ".join(node.value.split())
    for number, line in enumerate(source.splitlines(), 1):
        if "# " in line:
            yield number, line.partition("# ")[2]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_text_has_a_word_of_the_house(path):
    matches = [
        f"{path.name}:{line}: {match[0]!r}" for line, text in read_texts(path) if (match := HOUSE_WORDS.search(text))
    ]
    assert not matches, "\n".join(matches)


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: f"{offer.evidence.__name__}-{offer.name}-{offer.gives}")
def test_every_offer_has_a_title_a_reason_and_a_docstring(offer):
    assert offer.title
    assert len(offer.title) <= 40
    assert not offer.title.endswith(".")
    assert offer.rationale
    assert not offer.rationale.endswith(".")
    assert re.match(r"(Return|Test|Compare) |[A-Z][\w'-]*(?: |, )", offer.summary)
    assert offer.summary.endswith((".", ").")) or ":" in offer.summary


def test_the_cluster_robust_method_has_its_title_and_source():
    for gives in ("interval", "test"):
        (offer,) = (offer for offer in OFFERS if (offer.name, offer.gives) == ("cluster-robust", gives))
        assert (offer.title, offer.reference) == ("cluster-robust", "pustejovsky2018")
