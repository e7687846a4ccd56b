"""TA015: at least 5 errors and 5 successes in every stratum."""

import pytest

from tellapart import StratifiedCount, estimate


def answer_of(errors, trials=(100, 50), shares=(0.9, 0.1)):
    return estimate(StratifiedCount(errors, trials, shares), method="stratified-normal")


def fails():
    return answer_of([4, 10])


def holds():
    return answer_of([5, 10])


@pytest.mark.parametrize(
    ("errors", "figure"), [([5, 10], 5), ([4, 10], 4), ([10, 4], 4), ([96, 10], 4), ([50, 45], 5), ([0, 0], 0)]
)
def test_the_rarest_outcome_of_any_stratum_counts(check, errors, figure):
    assert check(answer_of(errors)).figure == figure
    assert check(answer_of(errors)).holds == (figure >= 5)


def test_a_stratum_with_a_share_of_0_is_ignored(check):
    assert check(answer_of([10, 0], shares=(1.0, 0.0))).holds


def test_the_remedy_has_no_minimum(check, quiet):
    assert "a stratum has 4 errors or successes, fewer than 5" in check(fails()).message
    assert "method='stratified-wilson'" in check(fails()).message
    assert quiet(estimate(StratifiedCount([4, 10], [100, 50], [0.9, 0.1]), method="stratified-wilson"))


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(answer_of([[4, 10], [5, 10]], trials=[[100, 50], [100, 50]])).holds.tolist() == [False, True]
    assert carriers == {"stratified-normal"}
