"""The words of the field, everywhere: no phrase of the house's old dialect in docs, help, errors or docstrings."""

import ast
import re
from pathlib import Path

import pytest
from tests.glossary import find_phrases

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "changelog.d").glob("*.md"))
)
MODULES = sorted((ROOT / "src" / "tellapart").rglob("*.py")) + sorted((ROOT / "src" / "tellapart").rglob("*.toml"))


def prose_of_page(text):
    """Return a page without code: identifiers and options keep their names."""
    text = re.sub(r"^```(?:python|py|sh|toml|yaml|json|html|latex).*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`|https?://\S+|\]\([^)]*\)|--[a-z-]+", "", text)


def prose_of_module(text):
    """Return the strings and docstrings of a module that are sentences, without code and names of parameters."""
    strings = [
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]
    prose = re.sub(r"^( *)\w+(?:, \w+)*\n(?=\1    \S)", "", "\n".join(strings), flags=re.M)
    return re.sub(r"`[^`\n]*`|>>> .*|\.\.\. .*|--[a-z-]+|\w+=\S*|https?://\S+", "", prose)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_uses_the_words_of_the_field(path):
    assert find_phrases(prose_of_page(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_uses_the_words_of_the_field(path):
    text = path.read_text(encoding="utf-8")
    prose = prose_of_module(text) if path.suffix == ".py" else re.sub(r"`[^`\n]*`|--[a-z-]+", "", text)
    assert find_phrases(prose) == []
