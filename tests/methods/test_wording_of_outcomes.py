"""No module of the methods for outcomes, metrics and training sets has a phrase of the glossary's left column."""

import ast
import importlib.util
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
SPEC = importlib.util.spec_from_file_location("glossary", Path(__file__).parents[1] / "glossary.py")
GLOSSARY = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(GLOSSARY)


def read_texts(path):
    """Yield the strings, docstrings and comments of a module, with their lines."""
    source = path.read_text()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not node.value.isidentifier():
            yield node.lineno, " ".join(node.value.split())
    for number, line in enumerate(source.splitlines(), 1):
        if "# " in line:
            yield number, line.partition("# ")[2]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_text_has_a_phrase_of_the_glossary(path):
    matches = [
        f"{path.name}:{line}: {match!r}"
        for line, text in read_texts(path)
        for match in GLOSSARY.find_phrases(text)
        if (path.stem, match) != ("selection", "disagreement")  # the name of an argument
    ]
    assert not matches, "\n".join(matches)


def test_the_cluster_robust_method_has_its_title_and_source():
    for gives in ("interval", "test"):
        (offer,) = (offer for offer in OFFERS if (offer.name, offer.gives) == ("cluster-robust", gives))
        assert (offer.title, offer.reference) == ("cluster-robust", "pustejovsky2018")
