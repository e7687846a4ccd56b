"""The wording of reports and pictures: no phrase of the glossary's left column."""

import importlib.util
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "src" / "tellapart" / "report").rglob("*.py"))
# Names of arguments and attributes, points of a plot, and typographic points.
ALLOWED = re.compile(
    r"disagreements?\b|[\"'.`]points\b|points\"|typographic points|offset points"
    r"|\b(?:all|filled|of the|draw|up to which) points|\bpoints(?=: significant| of| are)|\bPoints of a line",
    re.IGNORECASE,
)


def load_glossary():
    spec = importlib.util.spec_from_file_location("glossary", ROOT / "tests" / "glossary.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


find_phrases = load_glossary().find_phrases


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_text_has_a_phrase_of_the_glossary(file):
    tokens = tokenize.generate_tokens(io.StringIO(file.read_text(encoding="utf-8")).readline)
    texts = [token.string for token in tokens if token.type in {tokenize.STRING, tokenize.COMMENT}]
    lines = [line for text in texts for line in text.split("\n")]
    assert [line for line in lines if find_phrases(ALLOWED.sub("", line))] == []
