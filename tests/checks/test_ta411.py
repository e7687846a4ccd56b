"""TA411: the learners were not selected by these scores."""

from dataclasses import replace

import pytest

from tellapart import Resamples, compare, find_methods

SEARCH = {
    "params": [{"C": 1}, {"C": 10}, {"C": 100}],
    "split0_test_score": [0.90, 0.91, 0.92],
    "split1_test_score": [0.88, 0.90, 0.91],
}
SPLITS = Resamples.from_scores([0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.9, 0.65], plan="4-fold", examples=400)


def fails():
    return compare(Resamples.from_cv_results(SEARCH, plan="2-fold", candidates=[2, 0]))


def holds():
    return compare(SPLITS)


def test_a_search_knows_how_many_candidates_there_were(check):
    assert check(fails()).figure == -3
    assert "selected among 3 candidates" in check(fails()).message


@pytest.mark.parametrize(("candidates", "holds"), [(0, True), (1, True), (2, False), (24, False)])
def test_one_candidate_is_no_selection(check, candidates, holds):
    assert check(compare(replace(SPLITS, chosen_from=candidates))).holds == holds


def test_the_remedy_runs_the_whole_search(check, quiet):
    message = check(fails()).message
    assert "Compare them on new examples, or run the experiment on the whole search" in message
    fresh = Resamples.from_scores([0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.9, 0.65], plan="2x2", examples=400)
    assert quiet(compare(fresh, method="corrected-repeated-kfold-t"))


def test_every_comparison_of_learners_has_the_check(carriers):
    every = find_methods(evidence=Resamples, question=8)
    assert {method.name for method in every} - {
        "conservative-z",
        "nested-cv",
    } <= carriers  # their intervals are of one learner
    assert {"kfold", "corrected-t-interval", "nested-cv"} < carriers  # estimates of one learner, too
