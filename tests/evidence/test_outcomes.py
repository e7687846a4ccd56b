"""Outcomes: what every example gave, against sums written out by hand and by the standard library."""

import itertools
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import Outcomes, PairedTable
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence.repeated import chance_of_all, chance_of_any


def test_right_and_wrong_are_reported_as_errors():
    outcomes = Outcomes.from_scores([1, 0, 1, 0], [1, 1, 1, 0])
    assert outcomes.metric.name == "error"
    assert outcomes.metric.bounds == (0.0, 1.0)
    assert_array_equal(outcomes.levels, [0.5, 0.25])
    assert outcomes.difference == 0.25  # positive: B is better
    assert outcomes.countable


def test_scores_point_the_same_way_whichever_is_better():
    higher = Outcomes.from_scores([0.2, 0.4], [0.6, 0.4], metric="f1")
    lower = Outcomes.from_scores([0.6, 0.4], [0.2, 0.4], metric="ter", higher_is_better=False)
    assert_allclose([higher.difference, lower.difference], 0.2)
    assert_allclose(higher.means, [0.3, 0.5])


def test_one_model_is_reported_by_its_own_scores():
    outcomes = Outcomes.from_scores([0.2, 0.4], metric="f1", bounds=(0, 1))
    assert_array_equal(outcomes.values, [0.2, 0.4])
    assert outcomes.range == (0.0, 1.0)
    assert outcomes.parameter == "error"
    wrong = Outcomes.from_scores([1, 0, 0])
    assert_array_equal(wrong.values, [0, 1, 1])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_counts_are_those_of_vectors(pairs):
    a, b = zip(*pairs, strict=True)
    outcomes = Outcomes.from_scores(a, b)
    table = outcomes.paired_table()
    expected = PairedTable(
        *(sum(each == cell for each in pairs) for cell in ((False, False), (False, True), (True, False), (True, True)))
    )
    assert table.as_dict() == expected.as_dict()
    assert_allclose(outcomes.difference, table.difference, atol=1e-15)
    assert outcomes.error_patterns().pair("A", "B").as_dict() == table.as_dict()
    assert_array_equal(outcomes.error_counts().errors, [table.count_a.errors, table.count_b.errors])


def test_repeats_of_an_example_are_one_example():
    rows = [[1, 0, 1], [0, 0, np.nan], [1, 1, 1]]
    outcomes = Outcomes.from_scores({"a": rows})
    assert outcomes.examples == 3
    assert not outcomes.countable
    assert_allclose(outcomes.scores[0], [2 / 3, 0, 1])
    assert outcomes.repeats.tolist() == [[3, 2, 3]]
    assert_allclose(outcomes.within[0], [2 / 3, 0, 0])  # (1/3)² + (2/3)² + (1/3)²
    with pytest.raises(InvalidEvidence, match="counts need one right or wrong answer per example"):
        outcomes.error_counts()


def test_chances_of_tries_are_those_of_every_choice():
    """pass@k and pass^k against all ways to choose k answers of n."""
    for right in range(6):
        answers = [1] * right + [0] * (5 - right)
        for tries in range(1, 6):
            chosen = list(itertools.combinations(answers, tries))
            got = [chance(np.array(float(right)), np.array(5), tries) for chance in (chance_of_any, chance_of_all)]
            assert_allclose(got, [fmean(max(each) for each in chosen), fmean(min(each) for each in chosen)], atol=1e-15)


def test_tries_need_as_many_repeats():
    outcomes = Outcomes.from_scores([[1, 0, 1], [0, 0, 1]], [[1, 1, 1], [0, 1, 0]])
    assert outcomes.pass_at(2).metric.name == "pass@2"
    assert outcomes.pass_all(2).metric.name == "pass^2"
    assert_allclose(outcomes.pass_at(1).means, 1 - outcomes.levels)
    with pytest.raises(InvalidOption, match="pass@4 needs at least 4 repeats of every example"):
        outcomes.pass_at(4)
    with pytest.raises(InvalidEvidence, match=r"pass@1 needs right \(1\) and wrong \(0\)"):
        Outcomes.from_scores([0.5], metric="f1").pass_at(1)


def test_weights_are_shares_and_an_effective_size():
    outcomes = Outcomes.from_scores([0.0, 1.0, 0.5], metric="f1", weights=[1, 1, 2])
    assert_allclose(outcomes.means, [0.5])
    assert_allclose(outcomes.effective_examples, 16 / 6)  # Kish: (1 + 1 + 2)²/(1 + 1 + 4)


def test_groups_and_clusters_keep_their_labels():
    outcomes = Outcomes.from_scores(
        [1, 0, 1, 1], [1, 1, 0, 1], groups=["b", "a", "b", "a"], clusters=[7, 7, 9, 9], clustered_by="passage"
    )
    assert outcomes.group_names == ("a", "b")
    assert outcomes.cluster_count == 2
    parts = dict(outcomes.by_group())
    assert_array_equal(parts["a"].scores, [[0, 1], [1, 1]])
    assert_array_equal(parts["b"].clusters, [0, 1])
    assert outcomes.describe() == "4 examples in 2 clusters (passage), 2 groups"


def test_many_entries_are_each_as_they_were():
    scores = np.random.default_rng(1).random((3, 2, 5))
    many = Outcomes(scores, metric="f1")
    assert many.shape == (3,)
    assert_allclose(many.difference, [Outcomes(each, metric="f1").difference for each in scores])
    assert_allclose(many[1].means, scores[1].mean(axis=-1))


def test_exchanging_the_models_flips_the_sign():
    outcomes = Outcomes.from_scores([[1, 0], [0, 0]], [[1, 1], [1, 0]], models=["old", "new"])
    there = outcomes.swapped()
    assert there.models == ("new", "old")
    assert there.difference == -outcomes.difference
    assert_array_equal(there.within, outcomes.within[::-1])


BAD = [
    (lambda: Outcomes.from_scores([1, 2], [1]), "all scores must be of the same examples in the same order"),
    (lambda: Outcomes.from_scores([[1], [np.nan]]), "the scores of A must include every example"),
    (lambda: Outcomes.from_scores([np.inf, 0]), "must be finite"),
    (
        lambda: Outcomes.from_scores([1e308, 0], [-1e308, 0]),
        r"the scores of A must be finite and at most 1e\+300 in absolute value",
    ),
    (lambda: Outcomes(np.array([[1e308, 0.0]]), models=("A",)), r"`scores` must be at most 1e\+300 in absolute value"),
    (lambda: Outcomes.from_scores([[1e200, 0], [1, 2]]), "the repeats of A must have finite squared deviations"),
    (lambda: Outcomes.from_scores(["x", "y"]), "must be numbers"),
    (
        lambda: Outcomes.from_scores([0.5, 7], metric="f1", bounds=(0, 1)),
        "`scores` of f1 must be from 0 to 1",
    ),
    (
        lambda: Outcomes.from_scores([0.5, 1], metric="f1", bounds=(1, 0)),
        "`bounds` must be the smallest and the largest possible score",
    ),
    (lambda: Outcomes.from_scores([1, 0], clusters=[1, 2, 3]), "`clusters` must be a label for each of 2 examples"),
    (lambda: Outcomes.from_scores([1, 0], clusters=[1, np.nan]), "`clusters` must have no missing label"),
    (
        lambda: Outcomes.from_scores([1, 0], weights=[1, 0]),
        "`weights` must be one positive number for each of 2 examples",
    ),
    (lambda: Outcomes.from_scores([0.5], metric="error"), "must be right"),
    (lambda: Outcomes.from_scores({}), "`a` must hold the scores of at least one model"),
    (lambda: Outcomes.from_scores([1], [0]).select("C"), "`model` must be one of 'A', 'B'"),
    (lambda: next(Outcomes.from_scores([1]).by_group()), "`groups` must be known for a breakdown"),
    (lambda: Outcomes.from_scores({"a": [1], "b": [1], "c": [0]}).values, "the method needs one or two models"),
    (lambda: Outcomes(np.zeros((3, 4))), "`scores` must have models and examples as last dimensions, 2 models"),
]


@pytest.mark.parametrize(("make", "message"), BAD)
def test_bad_input_is_reported(make, message):
    with pytest.raises((InvalidEvidence, InvalidOption), match=message):
        make()


def test_what_is_kept_for_json_is_short():
    outcomes = Outcomes.from_scores(
        [[1, 0], [0, 1]], [[1, 1], [1, 1]], clusters=["x", "y"], weights=[1, 3], groups=[0, 1]
    )
    values = outcomes.as_dict()
    assert values["clusters"] == 2
    assert values["repeats"] == [4, 4]
    assert values["groups"] == {"0": 1, "1": 1}
    assert values["means"] == pytest.approx([0.5, 1.0])
