"""ScoreTable: what it keeps, what it refuses, and that equal differences are equal."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import rankdata

from tellapart import Resamples, ScoreTable
from tellapart.errors import InvalidEvidence, InvalidOption

NAN = float("nan")


def table(scores, **named):
    return ScoreTable.from_scores(scores, **named)


def test_scores_of_which_more_is_better_become_losses_and_are_reported_as_they_were():
    score_table = table([[0.9, 0.8], [0.7, 0.75]], learners=["svm", "nb"], datasets=["iris", "wine"], metric="accuracy")
    assert (score_table.metric.name, score_table.metric.title, score_table.metric.higher_is_better) == (
        "accuracy",
        "accuracy",
        True,
    )
    assert_allclose(score_table.levels, [0.8, 0.775])
    assert_allclose(score_table.differences, [-0.1, 0.05])  # positive: B is better
    assert score_table.as_dict()["scores"] == [[0.9, 0.8], [0.7, 0.75]]


def test_errors_are_better_when_there_are_fewer_whatever_is_stated():
    score_table = table([[0.1, 0.2]], metric="error", higher_is_better=True)
    assert score_table.metric.is_rate
    assert_allclose(score_table.differences, [-0.1])
    assert not table([[1.5, 2.0]], metric="rmse", higher_is_better=False).metric.higher_is_better


def test_differences_that_are_equal_on_paper_are_equal():
    """0.888 − 0.882 is not 0.006 in floats, nor 0.3 − 0.1 what 0.9 − 0.7 is."""
    score_table = table([[0.882, 0.888], [0.0, 0.006], [0.1, 0.3], [0.7, 0.9]])
    first, second, third, fourth = score_table.differences
    assert 0.888 - 0.882 != 0.006
    assert 0.3 - 0.1 != 0.9 - 0.7
    assert (first, third) == (second, fourth)


@given(arrays(float, (5, 2), elements=st.integers(0, 1000)), st.sampled_from([1e-9, 1e-3, 1.0, 1e6]))
def test_ties_do_not_depend_on_the_unit(whole, unit):
    exact = whole[:, 1] - whole[:, 0]
    score_table = table(whole * unit).differences
    assert_array_equal(np.sign(score_table), np.sign(exact))
    assert_array_equal(np.abs(score_table)[:, None] == np.abs(score_table), np.abs(exact)[:, None] == np.abs(exact))


def test_the_mean_of_runs_is_what_counts_and_unequal_runs_are_filled():
    score_table = table({"a": [[0.5, 0.7], [0.9]], "b": [[0.6], [0.8, 0.6, 0.7]]})
    assert score_table.loss.shape == (2, 2, 3)
    assert_allclose(-score_table.cells, [[0.6, 0.6], [0.9, 0.7]])
    assert_array_equal(score_table.runs, [1, 1])  # of both, on the same split
    assert score_table.describe() == "2 data sets, up to 3 runs per data set"


def test_a_missing_cell_is_kept_and_reported():
    score_table = table([[0.9, NAN, 0.8], [0.7, 0.6, 0.5]], learners=["a", "b", "c"], datasets=["x", "y"])
    assert score_table.missing == (("x", "b"),)
    assert score_table.describe() == "2 data sets (1 cell without a score)"
    assert score_table.select("a", "b").describe() == "1 of 2 data sets (1 without a score of both)"
    assert np.isnan(score_table.select("a", "b").differences[0])
    assert score_table.completed().datasets == ("y",)
    assert_allclose(score_table.losses, [-0.7, -0.6, -0.5])  # of what all have a score on
    assert score_table.select("a", "b").wins == (1, 0, 0)


@given(arrays(float, (6, 4), elements=st.integers(0, 5)))
def test_ranks_are_mid_ranks_the_best_first(whole):
    assert_allclose(table(whole).ranks, rankdata(-whole, axis=1))
    assert_allclose(table(whole, higher_is_better=False).mean_ranks, rankdata(whole, axis=1).mean(axis=0))


def test_a_missing_rival_is_no_gain():
    """Of four learners the second of two stands as the last quarter does: at (2 − ½)·4/2 + ½ = 3.5."""
    score_table = table([[0.9, 0.8, NAN, NAN], [0.9, 0.8, 0.7, 0.6]])
    assert_allclose(score_table.ranks[0, :2], [1.5, 3.5])
    assert_allclose(score_table.ranks[1], [1, 2, 3, 4])


def test_every_pair_and_those_with_a_control():
    score_table = table([[0.9, 0.8, 0.7], [0.7, 0.75, 0.6]], learners=["a", "b", "c"])
    assert score_table.pair_names() == (("a", "b"), ("a", "c"), ("b", "c"))
    pairs = score_table.pairs()
    assert pairs.shape == (3,)
    for index, names in enumerate(score_table.pair_names()):
        assert_array_equal(pairs[index].differences, score_table.select(*names).differences)
    assert_array_equal(score_table.pairs("b")[1].differences, score_table.select("b", "c").differences)


def test_races_know_how_their_splits_go_together():
    first = Resamples.from_scores([0.9, 0.8, 0.7], [0.7, 0.9, 0.8], plan="3-fold", examples=90)
    other = Resamples.from_scores([0.9, 0.8], [0.7, 0.9], plan="2-fold", examples=60)
    score_table = ScoreTable.from_resamples({"x": first, "y": other})
    assert_allclose(score_table.rho, [1 / 3, 1 / 2])
    assert_array_equal(score_table.runs, [3, 2])
    assert_allclose(score_table.difference, np.mean([first.difference, other.difference]))
    assert_allclose(ScoreTable.from_resamples({"x": first}).runs_of("any", rho=0.2), [0.2])


def test_a_learner_that_was_not_raced_everywhere_has_no_score_there():
    both = Resamples.from_scores([0.9, 0.8], [0.7, 0.9], plan="2-fold")
    score_table = ScoreTable.from_resamples({"x": both, "y": both.select("A")})
    assert score_table.missing == (("y", "B"),)


def test_json_has_every_digit_and_makes_the_table_again():
    score_table = table([[[0.1, 0.2], [0.3, NAN]], [[0.5, 1 / 3], [0.7, 0.8]]], metric="f1", rho=0.1)
    values = json.loads(json.dumps(score_table.as_dict()))
    again = table(
        np.array(values["scores"], dtype=float), learners=values["learners"], datasets=values["datasets"], metric="f1"
    )
    assert_array_equal(again.loss, score_table.loss)
    assert values["rho"] == [0.1, 0.1]


def test_a_notebook_shows_the_scores_by_data_set():
    html = table([[0.9, NAN], [0.5, 0.6]], learners=["a<b", "c"], datasets=["iris", "wine"])._repr_html_()
    assert "a&lt;b" in html
    assert "iris" in html
    assert "0.9" in html


BAD = [
    ({"scores": [[0.9, "x"]]}, "`scores` must be numbers"),
    ({"scores": [0.9, 0.8]}, "by data set and learner"),
    ({"scores": [[0.9, float("inf")]]}, "must be finite"),
    ({"scores": [[0.9, NAN], [0.7, NAN]]}, "every learner must have a score on a data set"),
    ({"scores": [[50, 40]], "metric": "error"}, "`scores` of metric 'error' must be from 0 to 1"),
    ({"scores": [[0.9, 0.8]], "datasets": ["x", "y"]}, "1 data sets|2 data sets"),
    ({"scores": [[0.9, 0.8], [0.7, 0.6]], "datasets": ["x", "x"]}, "`datasets` must be different names"),
    ({"scores": [[0.9, 0.8]], "learners": ["a", "a"]}, "different names"),
    ({"scores": {"a": [1, 2], "b": [1]}}, r"every learner must have one score \(or NaN\) for each data set"),
    (
        {"scores": [[0.9, 0.8]], "rho": 1.0},
        "`rho` must be a correlation from 0 to below 1, or one for each of 1 data sets",
    ),
    (
        {"scores": [[0.9, 0.8]], "rho": [0.1, 0.2]},
        "`rho` must be a correlation from 0 to below 1, or one for each of 1 data sets",
    ),
    ({"scores": [[0.9, 1.8]], "bounds": (0, 1)}, r"`bounds` must contain all losses, from -1\.8 to -0\.9"),
]


@pytest.mark.parametrize(("fields", "message"), BAD)
def test_what_is_no_table_is_refused_with_the_remedy(fields, message):
    with pytest.raises(InvalidEvidence, match=message):
        ScoreTable.from_scores(**fields)


def test_how_runs_go_together_has_to_be_known():
    with pytest.raises(InvalidOption, match=r"rho=0\.1 for 10-fold"):
        table([[0.9, 0.8]]).runs_of("hierarchical")


def test_only_and_select_say_what_there_is():
    score_table = table([[0.9, 0.8, 0.7]], datasets=["iris"])
    with pytest.raises(InvalidEvidence, match="data set must be one of 'iris'"):
        score_table.only("wine")
    with pytest.raises(InvalidEvidence, match="differences need two learners"):
        _ = score_table.differences
    with pytest.raises(InvalidEvidence, match="at least one data set must have a score of every learner"):
        table([[NAN, 0.8], [0.7, NAN]]).completed()


def test_resamples_of_different_metrics_do_not_go_together():
    error = Resamples.from_scores([0.9, 0.8], plan="2-fold")
    with pytest.raises(InvalidEvidence, match="all data sets must have the same metric"):
        ScoreTable.from_resamples({"x": error, "y": Resamples.from_scores([0.9, 0.8], plan="2-fold", metric="f1")})
    with pytest.raises(
        InvalidEvidence,
        match=r"`resamples` must be a mapping from data sets to Resamples, such as \{'iris': resamples\}",
    ):
        ScoreTable.from_resamples({})


@pytest.mark.parametrize("unit", [1e-300, 1e-310, 5e-324, 1e300])
def test_scores_at_the_ends_of_what_floats_hold_are_compared_without_a_warning(unit):
    table = ScoreTable.from_scores(np.array([[3.0, 1.0], [1.0, 1.0], [2.0, 5.0]]) * unit)
    whole, step = table.steps()
    assert 0 < step < np.inf
    assert whole[1] == 0
    assert (table.steps(against=1e300)[0] < 0).all() or unit == 1e300
    assert np.isfinite(table.differences).all()
