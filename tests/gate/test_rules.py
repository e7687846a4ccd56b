"""`[tool.tellapart.gate]`: where it is searched, its keys, and the errors for invalid ones."""

from pathlib import Path

import pytest

from tellapart.errors import InvalidInput, InvalidOption
from tellapart.gate.rules import KEYS, Rules, find_rules, read_rules

ALL = """
[tool.other]
margin = 7

[tool.tellapart.gate]
margin = 0.02
alpha = 0.01
power = 0.9
method = "scas-paired"
label = "truth"
models = ["old", "new"]
id = "row"
group = "site"
correct = false
weight = "times"
labels = ["cat", "dog"]
missing = "drop"
model = "who"
prediction = "said"
text = true
task = "gsm8k"
filter = "strict-match"
metric = "exact_match"
format = "lm-eval"
errors = "wrong"

[tool.tellapart.gate.margins]
north = 0.03
"far south" = 0.005
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Work in a subfolder of one in which rules can be written."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)

    def write(text, where=tmp_path, name="pyproject.toml"):
        (where / name).write_text(text)
        return where / name

    return write


def test_every_key_is_read(project):
    project(ALL)
    rules = find_rules()
    assert set(rules.values) == set(KEYS)
    assert (rules.values["margin"], rules.values["models"], rules.values["text"]) == (0.02, ["old", "new"], True)
    assert rules.margins == {"north": 0.03, "far south": 0.005}
    assert rules.file == str(Path("../../pyproject.toml"))


def test_without_rules_the_defaults_apply(project):
    project("[project]\nname = 'x'\n")
    assert find_rules() == Rules()


def test_the_nearest_file_with_rules_applies(project, tmp_path):
    project("[tool.tellapart.gate]\nmargin = 0.02\n")
    project("[tool.tellapart]\n", where=tmp_path / "a")
    assert find_rules().values == {"margin": 0.02}
    project("[tool.tellapart.gate]\nmargin = 0.03\n", where=tmp_path / "a" / "b")
    assert find_rules().values == {"margin": 0.03}
    assert find_rules(tmp_path).values == {"margin": 0.02}


def test_a_named_file_is_read(project, tmp_path):
    file = project("[tool.tellapart.gate]\nalpha = 0.1\n", name="release.toml")
    assert read_rules(file).values == {"alpha": 0.1}
    with pytest.raises(InvalidInput, match="has no section"):
        read_rules(project("[tool.ruff]\n"))
    with pytest.raises(InvalidInput, match="file not found"):
        read_rules(tmp_path / "nothing.toml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("margn = 0.01", "[tool.tellapart.gate] unknown key 'margn'. Did you mean 'margin'?"),
        ("colour = 'red'", "unknown key 'colour'. Use one of: margin, alpha"),
        ("margin = 1", "[tool.tellapart.gate] margin must be between 0 and 1, got 1. For 1 pp use"),
        ("margin = '0.01'", "margin must be between 0 and 1, got '0.01'"),
        ("margin = true", "margin must be between 0 and 1, got True"),
        ("margin = nan", "margin must be between 0 and 1, got nan"),
        ("alpha = 0.5", "alpha must be below 0.5, got 0.5"),
        ("power = 0", "power must be between"),
        ("label = 3", "label must be a string, got 3. Put it in quotes"),
        ("id = ''", "id must be a string, got ''"),
        ("models = 'old,new'", 'models must be a list of strings such as ["old", "new"], got'),
        ("models = []", "models must be two names, the baseline first, got []"),
        ("models = ['x', 'y', 'z']", "models must be two names"),
        ("labels = [1, 2]", "labels must be a list of strings"),
        ("correct = 1", "correct must be true or false, got 1"),
        ("missing = 'no'", "missing must be 'fail', 'wrong' or 'drop', got 'no'"),
        ("missing = []", "missing must be 'fail', 'wrong' or 'drop', got []"),
        ("margins = 0.1", "margins must be a section with lines such as de = 0.02, got 0.1"),
        ("margins = {de = 2}", "[tool.tellapart.gate.margins] de must be between 0 and 1, got 2"),
    ],
)
def test_an_invalid_rule_is_reported_with_file_key_value_and_fix(project, text, told):
    project(f"[tool.tellapart.gate]\n{text}\n", where=Path())
    with pytest.raises(InvalidOption) as raised:
        find_rules()
    assert str(raised.value).startswith("pyproject.toml: ")
    assert told in str(raised.value)


@pytest.mark.parametrize("name", ["gates", "Gate", "gte"])
def test_a_misspelt_section_is_reported(project, name):
    project(f"[tool.tellapart.{name}]\nmargin = 0.5\n", where=Path())
    with pytest.raises(InvalidOption) as raised:
        find_rules()
    assert str(raised.value) == (
        f"pyproject.toml: unknown section [tool.tellapart.{name}]. Did you mean [tool.tellapart.gate]?"
    )


def test_a_section_that_is_not_a_table_is_refused(project):
    project("[tool.tellapart]\ngate = 3\n")
    with pytest.raises(InvalidOption, match="must be a section with keys, got 3"):
        find_rules()
    project("tool = 3\n")
    assert find_rules() == Rules()


@pytest.mark.parametrize("content", [b"[tool.tellapart.gate\n", b"\xff\xfe"])
def test_invalid_toml_is_reported(project, content, tmp_path):
    project("").write_bytes(content)
    with pytest.raises(InvalidInput, match="is not valid TOML"):
        find_rules()
    with pytest.raises(InvalidInput, match="is not valid TOML"):
        read_rules(tmp_path / "pyproject.toml")
