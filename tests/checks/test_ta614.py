"""TA614: so many disagreements on the class can reach alpha, by mcnemar-mid-p."""

import pytest

from tellapart import PairedConfusion, compare


def answer_for(disagreements, **options):
    pair = PairedConfusion([[[50, 9], [9, 5]], [[20, 0], [disagreements, 30]]])
    return compare(pair, metric="recall", method="mcnemar-mid-p", **options)


def fails():
    return answer_for(3)


def holds():
    return answer_for(8)


@pytest.mark.parametrize("disagreements", [0, 3, 4, 5, 6])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_it_fails_where_no_outcome_could_reject(check, disagreements, alternative):
    """All of them on one side have that p-value; the disagreements on the other class do not help."""
    answer = answer_for(disagreements, alternative=alternative)
    sides = 2 if alternative == "two-sided" else 1
    smallest = min(sides * 0.5 * 0.5**disagreements, 1)
    assert -check(answer).figure == pytest.approx(smallest)
    assert answer.pvalue == pytest.approx(max(smallest, float(disagreements == 0 and sides == 2)))
    assert bool(check(answer).holds) == (smallest < 0.05)


def test_only_the_test_of_this_name_carries_it(check, carriers):
    assert "the smallest p-value attainable with these discordant pairs of the class" in check(fails()).message
    assert carriers == {"mcnemar-mid-p"}
