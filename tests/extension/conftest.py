"""A package from outside: what its import registers is removed after each test."""

import sys
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tellapart import plugins
from tellapart.evidence import base
from tellapart.methods import registry
from tellapart.verbs import dispatch

HERE = Path(__file__).parent
collect_ignore = ["preferences.py"]  # collecting its doctests would register its methods for all tests


@contextmanager
def restored():
    """Run with a module that can be imported like a plug-in, and remove afterwards what it registered."""
    sys.path.insert(0, str(HERE))
    plugins.load_plugins.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(HERE))
        sys.modules.pop("preferences", None)
        plugins.load_plugins.cache_clear()
        _drop(registry._REGISTERED, lambda key, _: any(map(_is_from_outside, key)))
        _drop(dispatch._CONVERTERS, lambda _, convert: _is_from_outside(convert))
        _drop(base._REPORTS, lambda kind, _: _is_from_outside(kind))


def _drop(table, condition):
    for key in [key for key, value in table.items() if condition(key, value)]:
        del table[key]


def _is_from_outside(thing):
    return getattr(thing, "__module__", "") == "preferences"


@pytest.fixture(scope="module")
def prefs():
    """Return the module with the kind of evidence, imported."""
    with restored():
        yield import_module("preferences")


@pytest.fixture
def installed(monkeypatch):
    """Name the same module by an entry point, without importing it."""
    point = EntryPoint(name="preferences", value="preferences", group="tellapart.evidence")
    with restored():
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point] if group == point.group else [])
        yield
