"""TA613: enough discordant pairs of the class for p to reach alpha (exact test)."""

import pytest

from tellapart import PairedConfusion, compare


def analyse(discordant, **options):
    pair = PairedConfusion([[[50, 9], [9, 5]], [[20, 0], [discordant, 30]]])
    return compare(pair, metric="recall", method="mcnemar-exact", **options)


def fails():
    return analyse(3)


def holds():
    return analyse(8)


@pytest.mark.parametrize("discordant", [0, 3, 4, 5, 6])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_it_fails_if_no_outcome_rejects(check, discordant, alternative):
    """All discordant pairs of the class favour one model, which gives the smallest p; other classes do not count."""
    answer = analyse(discordant, alternative=alternative)
    sides = 2 if alternative == "two-sided" else 1
    smallest = min(sides * 1.0 * 0.5**discordant, 1)
    assert -check(answer).figure == pytest.approx(smallest)
    assert answer.pvalue == pytest.approx(max(smallest, float(discordant == 0 and sides == 2)))
    assert bool(check(answer).holds) == (smallest < 0.05)


def test_only_this_test_has_the_check(check, carriers):
    assert "the smallest p-value attainable with these discordant pairs of the class" in check(fails()).message
    assert carriers == {"mcnemar-exact"}
