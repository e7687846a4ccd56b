"""What can go wrong is a tree, and a missing extra says which command installs it."""

import re
import sys

import pytest

import tellapart
from tellapart import errors
from tellapart.errors import MissingExtra, TellapartError, import_extra

CLASSES = [thing for thing in vars(errors).values() if isinstance(thing, type) and issubclass(thing, TellapartError)]


def drawn():
    """Read the tree in the docstring: each class with the one it hangs from, and what else it is."""
    parents, result = {-1: None}, {}
    for line in errors.__doc__.splitlines():
        match = re.match(r"^([│├└─ ]*)([A-Z]\w+)(?: +\(also an? (\w+)\))?", line)
        if not match or not hasattr(errors, match[2]):
            continue
        depth = len(match[1]) // 4
        parents[depth] = match[2]
        result[match[2]] = (parents[depth - 1], match[3])
    return result


def test_the_docstring_draws_every_class():
    assert set(drawn()) == {each.__name__ for each in CLASSES}


def test_the_docstring_draws_the_tree_as_it_is():
    for name, (parent, also) in drawn().items():
        bases = [base.__name__ for base in getattr(errors, name).__bases__]
        assert bases == [parent or "Exception", *([also] if also else [])]


def test_catching_the_root_catches_all():
    assert tellapart.TellapartError is TellapartError
    assert all(issubclass(each, TellapartError) for each in CLASSES)


def test_every_class_says_what_it_means():
    assert all(each.__doc__ for each in CLASSES)


def test_an_extra_that_is_there_is_the_module():
    assert import_extra("json", "plot") is sys.modules["json"]


@pytest.mark.parametrize("module", ["no_such_package", "no_such_package.part"])
def test_an_extra_that_is_missing_names_the_command(module):
    with pytest.raises(MissingExtra) as caught:
        import_extra(module, "plot")
    assert str(caught.value) == "no_such_package is not installed. Install it with: pip install 'tellapart[plot]'"
    assert isinstance(caught.value, ImportError)


def test_a_package_that_is_there_but_broken_is_not_called_missing(tmp_path, monkeypatch):
    (tmp_path / "broken_extra.py").write_text("from json import no_such_name\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError) as caught:
        import_extra("broken_extra", "plot")
    assert "no_such_name" in str(caught.value)
