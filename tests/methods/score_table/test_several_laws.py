"""What all methods for several learners have in common: laws, and answers where there is nothing to compare."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_allclose

from tellapart import ScoreTable
from tellapart.errors import InvalidEvidence
from tellapart.methods import find_methods
from tellapart.methods.score_table.friedman import Ties

METHODS = [each for each in find_methods(evidence=ScoreTable) if each.gives == "pairs" or each.of_several]
COMPLETE = [each for each in METHODS if each.name != "skillings-mack"]
TESTS = [each for each in METHODS if each.gives == "test"]
PAIRS = [each for each in METHODS if each.gives == "pairs"]


def named(methods):
    return pytest.mark.parametrize("method", methods, ids=lambda each: f"{each.name}-{each.gives}")


def table(scores):
    return ScoreTable.from_scores(scores, metric="score")


scores_of_few = arrays(
    float, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5), elements=st.integers(0, 4).map(float)
)


def test_every_omnibus_test_is_there():
    assert [each.name for each in sorted(TESTS, key=lambda test: test.name)] == [
        "aligned-ranks",
        "friedman",
        "friedman-exact",
        "iman-davenport",
        "quade",
        "skillings-mack",
    ]
    assert {each.name for each in PAIRS} >= {"friedman", "nemenyi", "bonferroni-dunn", "quade", "aligned-ranks"}


@named(METHODS)
@given(scores=scores_of_few)
def test_p_values_are_probabilities(method, scores):
    result = method(table(scores))
    assert np.all((result.pvalue > 0) & (result.pvalue <= 1))
    assert not np.isnan(result.statistic).any()


@named(TESTS)
@given(scores=scores_of_few, data=st.data())
def test_the_order_of_learners_and_data_sets_is_of_no_importance(method, scores, data):
    rows, columns = (data.draw(st.permutations(range(side))) for side in scores.shape)
    here, there = method(table(scores)), method(table(scores[np.ix_(rows, columns)]))
    assert_allclose([here.statistic, here.pvalue], [there.statistic, there.pvalue], rtol=1e-9, atol=1e-12)


@named(PAIRS)
@given(scores=scores_of_few)
def test_turning_the_learners_round_turns_the_signs(method, scores):
    here, there = method(table(scores)), method(table(scores[:, ::-1]))
    first, second = np.triu_indices(scores.shape[1], 1)
    last = scores.shape[1] - 1
    index = {pair: number for number, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
    turned = [index[last - b, last - a] for a, b in index]
    assert_allclose(there.statistic[turned], -here.statistic, rtol=1e-9, atol=1e-9)
    assert_allclose(there.pvalue[turned], here.pvalue, rtol=1e-9)
    assert_allclose(there.ranks, here.ranks[::-1], rtol=1e-12)


@named(PAIRS)
def test_a_statistic_is_positive_where_b_is_better(method):
    result = method(table([[0.1, 0.5, 0.9], [0.2, 0.3, 0.4], [0.1, 0.6, 0.7], [0.5, 0.6, 0.9]]))
    assert np.all(result.statistic > 0)
    assert np.all(np.diff(result.ranks) < 0)


@named(METHODS)
def test_many_tables_are_a_loop(method):
    loss = np.random.default_rng(7).integers(0, 6, size=(4, 5, 3, 7, 1)).astype(float)
    tables = ScoreTable(loss, tuple("tuvwxyz"), tuple("ABC"))
    result = method(tables)
    for field in ("statistic", "pvalue"):
        alone = [[getattr(method(one), field) for one in part] for part in tables]
        assert_allclose(getattr(result, field), alone, rtol=1e-9, atol=1e-12)


@named(METHODS)
@pytest.mark.parametrize("shape", [(1, 2), (1, 5), (2, 2), (6, 4)])
def test_identical_learners_do_not_differ(method, shape):
    result = method(table(np.ones(shape)))
    assert_allclose(result.statistic, 0)
    assert_allclose(result.pvalue, 1)


@named(TESTS)
def test_one_data_set_shows_nothing(method):
    """Any order of the learners would have looked as extreme."""
    assert method(table([[1, 2, 3, 4]])).pvalue == 1


@named(METHODS)
def test_monotone_changes_of_scale_do_not_matter_to_ranks(method):
    """Each data set in units of its own; not so for what compares scores across data sets."""
    scores = np.random.default_rng(8).uniform(1, 2, size=(8, 4))
    here, there = method(table(scores)), method(table(np.exp(scores)))
    same = method.name not in {"aligned-ranks", "quade"}
    assert np.allclose(here.statistic, there.statistic) == same


@named(COMPLETE)
def test_missing_cells_are_named_with_the_ways_out(method):
    holes = ScoreTable.from_scores(
        [[1, None, 2], [2, 1, 3], [None, 1, None], [None, 1, 2]], ["lr", "nb", "svm"], ["iris", "wine", "zoo", "car"]
    )
    with pytest.raises(InvalidEvidence) as refusal:
        method(holes)
    assert str(refusal.value).startswith(
        f"method {method.name!r} needs every score, but nb has none on iris, lr has none on zoo, svm has none on zoo"
        " (and 1 more). Use"
    )
    assert "completed()" in str(refusal.value)
    assert "method='skillings-mack'" in str(refusal.value)
    method(holes.completed())


@named(METHODS)
def test_one_learner_is_not_several(method):
    with pytest.raises(InvalidEvidence, match=rf"method '{method.name}' compares learners, got 'nb' alone"):
        method(ScoreTable.from_scores({"nb": [1, 2]}))


@named(METHODS)
def test_lower_is_better_when_that_is_stated(method):
    scores = np.random.default_rng(9).integers(0, 9, size=(6, 4))
    here = method(table(scores))
    there = method(ScoreTable.from_scores(-scores, metric="loss", higher_is_better=False))
    assert_allclose(here.statistic, there.statistic)


@pytest.mark.parametrize("ties", get_args(Ties))
def test_without_ties_there_is_nothing_to_correct(ties):
    scores = np.random.default_rng(10).uniform(size=(12, 5))
    for method in METHODS:
        if "ties" in method.options:
            here, there = method(table(scores)), method(table(scores), ties=ties)
            assert_allclose(here.statistic, there.statistic, rtol=1e-12)
            assert method.note(ties=ties) if callable(method.note) else True
