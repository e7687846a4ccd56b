"""The public names: listed once, loaded when first used, and cheap to import."""

import ast
import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import tellapart

HOUSE = Path(tellapart.__file__).parent
HOMES = {name: module for module, names in tellapart._HOMES.items() for name in names}
ROOMS = (
    *("evidence", "predictions", "results", "methods", "advice", "readers", "running"),
    *("lab", "planning", "report", "gate", "reproduce", "cli"),
)


def python(code, *arguments):
    """Run code in a fresh interpreter and return what it prints as JSON."""
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(  # noqa: S603  # our own interpreter and code
        command, env=os.environ | {"PYTHONPATH": str(HOUSE.parent)}, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_names_are_sorted_and_stated_once():
    assert tellapart.__all__ == sorted(set(tellapart.__all__))


@pytest.mark.parametrize("name", tellapart.__all__)
def test_a_name_leads_to_something_documented(name):
    assert inspect.getdoc(getattr(tellapart, name))


@pytest.mark.parametrize("name", tellapart.__all__)
def test_a_name_is_public_where_it_lives(name):
    home = import_module(f"tellapart.{HOMES[name]}")
    assert getattr(home, name) is getattr(tellapart, name)


def test_dir_lists_the_public_names():
    assert set(dir(tellapart)) == {*tellapart.__all__, "__version__"}


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'tellapart' has no attribute 'guess'"):
        tellapart.guess  # noqa: B018  # looking it up is what fails
    assert not hasattr(tellapart, "guess")


def test_a_star_gives_them_all():
    names = {}
    exec("from tellapart import *", names)  # noqa: S102  # a star is allowed at module level only
    assert set(tellapart.__all__) <= set(names)


def test_type_checkers_see_the_same_names_in_the_same_homes():
    tree = ast.parse((HOUSE / "__init__.py").read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If) and node.test.id == "TYPE_CHECKING")
    seen = {alias.asname: node.module for node in guarded.body for alias in node.names if alias.asname == alias.name}
    assert seen == HOMES


def test_no_public_name_is_taken_for_a_test_or_a_room():
    tests = (name for name in tellapart.__all__ if name.lower().startswith("test"))
    assert not [name for name in tests if getattr(tellapart, name).__test__]
    assert not set(tellapart.__all__) & set(ROOMS)


def test_only_packages_list_their_names():
    listing = {path for path in HOUSE.rglob("*.py") if re.search(r"^__all__\b", path.read_text(encoding="utf-8"), re.M)}
    assert {path for path in listing if path.name != "__init__.py"} == set()


def test_no_file_hides_a_module_of_the_standard_library():
    names = {path.stem for path in HOUSE.glob("*.py")}
    assert names & set(sys.stdlib_module_names) == set()


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((HOUSE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert tellapart.__version__ == project["version"]


def test_types_are_promised():
    assert (HOUSE / "py.typed").exists()


# --- What an import costs ---

LOADED = "import json, sys; print(json.dumps(sorted(sys.modules)))"


def test_importing_loads_nothing_beyond_numpy():
    bare = set(python(f"import numpy, __future__, importlib; {LOADED}"))
    ours = set(python(f"import tellapart; {LOADED}"))
    assert ours - bare <= {"tellapart", "tellapart.lazy_names"}


def test_scipy_comes_with_the_first_method_and_not_with_the_evidence():
    loaded = python(f"import tellapart; tellapart.ErrorCount(3, 120); tellapart.estimate, tellapart.compare; {LOADED}")
    assert not {"scipy", "click", "rich", "narwhals"} & set(loaded)


COMMAND = """
import json, sys
import importlib.metadata, click  # what SciPy and click load is not ours to count
def scan(**_):
    raise SystemExit("entry points were scanned")
importlib.metadata.entry_points = scan
from tellapart.cli import main
main(sys.argv[1:], prog_name="tellapart")
print(json.dumps(sorted(sys.modules)))
"""
HEAVY = {
    *("rich", "narwhals", "pandas", "polars", "pyarrow", "duckdb", "sklearn", "statsmodels"),
    *("scipy.stats", "scipy.optimize", "tellapart.lab", "tellapart.predictions", "tellapart.readers"),
}


@pytest.mark.parametrize(
    "words",
    [
        ["estimate", "3", "120"],
        ["compare", "--table", "20", "25", "10", "45"],
        ["compare", "--table", "20", "25", "10", "45", "--margin", "0.1", "--json"],
        ["compare", "--independent", "30", "100", "20", "100"],
    ],
    ids=" ".join,
)
def test_a_plain_answer_on_the_command_line_loads_no_tables_and_scans_no_entry_points(words):
    loaded = set(python(COMMAND, *words))
    assert f"tellapart.cli.{words[0]}" in loaded
    assert not HEAVY & loaded


ANSWER = """
import tellapart
table = tellapart.PairedTable(20, 25, 10, 45)
str(tellapart.compare(table)), tellapart.compare(table, margin=0.1).to_json()
str(tellapart.compare(tellapart.IndependentCounts.from_counts(30, 100, 20, 100)))
patterns = tellapart.ErrorPatterns.from_codes(("a", "b", "c"), {0: 90, 1: 6, 3: 4})
str(tellapart.compare(patterns))
"""


def test_counts_are_compared_without_a_table_engine_and_without_the_command_line():
    loaded = set(python(f"{ANSWER}\n{LOADED}"))
    assert not (HEAVY | {"click", "tellapart.cli"}) & loaded


def test_methods_are_loaded_with_the_evidence_they_are_for():
    loaded = set(python(f"import tellapart; tellapart.compare(tellapart.PairedTable(1, 2, 3, 4)); {LOADED}"))
    assert "tellapart.methods.paired_table" in loaded
    assert not {"tellapart.methods.error_count", "tellapart.methods.stratified_count"} & loaded
    assumptions = {name for name in loaded if name.endswith(".assumptions")}
    assert assumptions == {"tellapart.methods.assumptions", "tellapart.methods.paired_table.assumptions"}
