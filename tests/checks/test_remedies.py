"""The remedies of checks for outcomes and metrics: the method they name serves the data and does not fail the check."""

import importlib.util
import re
import textwrap
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tellapart import Estimate, Outcomes, compare, estimate
from tellapart.methods.outcomes.clusters import name_clusters
from tellapart.methods.registry import find_method

HERE = Path(__file__).parent
CODES = [path.stem.removeprefix("test_").upper() for path in sorted(HERE.glob("test_ta[56]*.py"))]
# The remedy names a method for another metric than the one that was asked for.
OTHER_METRIC = {"TA603", "TA607", "TA612"}


@cache
def failing_answer(code):
    path = HERE / f"test_{code.lower()}.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.fails()


def failed_check(code):
    (check,) = (check for check in failing_answer(code).checks if check.code == code)
    return check


@pytest.mark.parametrize("code", CODES)
def test_a_caution_has_title_figure_consequence_and_remedy(code):
    check = failed_check(code)
    assert not check.holds
    assert 1 <= len(check.title.split()) <= 6
    assert check.so
    assert re.fullmatch(r"[A-Z].*\.", check.remedy)
    assert check.message == f"{check.statement}. {check.remedy}"
    assert not re.search(r"[{}…]|-\d", check.message.replace("2-3", ""))
    assert len(textwrap.wrap(f"{code}: {check.message}", 68)) <= 3  # below the label of a row


@pytest.mark.parametrize("code", [code for code in CODES if code not in OTHER_METRIC])
def test_the_method_that_a_remedy_names_answers_without_the_same_caution(code):
    answer, remedy = failing_answer(code), failed_check(code).remedy
    for keyword, name in re.findall(r"\b(method|interval)='([\w-]+)'", remedy):
        gives = "interval" if keyword == "interval" or isinstance(answer, Estimate) else "test"
        offer = find_method(name, gives, type(answer.evidence))
        assert code not in {assumption.code for assumption in offer.assumes}
    options = dict(re.findall(r"\b(method|interval|adjust)='([\w-]+)'", remedy))
    if options:
        verb = estimate if isinstance(answer, Estimate) else compare
        verb(answer.evidence, **options)


@pytest.mark.parametrize(
    ("column", "unit"),
    [
        ("passage_id", "passages"),
        ("passage", "passages"),
        ("storyId", "stories"),
        ("batch", "batches"),
        ("cluster", "clusters"),
        ("c2", "clusters"),
        ("subjects", "clusters"),
        ("grp", "clusters"),
        ("child", "clusters"),
    ],
)
def test_clusters_are_called_what_their_column_is_called(column, unit):
    assert name_clusters(Outcomes.from_scores([1, 0], clusters=[1, 2], clustered_by=column)) == unit


def test_few_clusters_read_as_specified():
    scores = np.random.default_rng(1).integers(0, 2, size=(2, 24))
    outcomes = Outcomes.from_scores(*scores, clusters=np.arange(24) // 3, clustered_by="passage_id")
    (check,) = (check for check in compare(outcomes).checks if check.code == "TA510")
    assert check.message == (
        "8 effective clusters, fewer than 10: the test may reject 2-3 times too often."
        " Add passages, or use method='wild-cluster'."
    )


def test_a_remedy_is_not_repeated_once_it_is_followed():
    scores = np.random.default_rng(1).integers(0, 2, size=(2, 24))
    outcomes = Outcomes.from_scores(*scores, clusters=np.arange(24) // 3)
    answer = compare(outcomes, method="wild-cluster")
    (check,) = (check for check in answer.checks if check.code == "TA510")
    assert check.remedy == "Add clusters."  # the interval is still that of eight clusters
