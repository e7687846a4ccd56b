"""TA109: each model is sometimes right and sometimes wrong."""

import pytest

from tellapart import PairedTable, compare


def fails():
    return compare(PairedTable(0, 12, 0, 88), method="two-intervals")


def holds():
    return compare(PairedTable(5, 25, 10, 60), method="two-intervals")


@pytest.mark.parametrize(
    ("four", "figure"),
    [((0, 25, 0, 75), 0), ((20, 25, 0, 0), 0), ((5, 25, 10, 60), 15), ((1, 25, 0, 74), 1), ((30, 9, 60, 1), 10)],
)
def test_the_rarest_outcome_of_either_counts(check, four, figure):
    both, a, b, right = four
    assert figure == min(both + a, both + b, right + a, right + b)
    interval = check(compare(PairedTable(*four), method="two-intervals"))
    assert (interval.figure, bool(interval.holds)) == (figure, figure >= 1)


def test_the_remedy_uses_the_discordant_pairs_alone(check, quiet):
    assert "its own interval has width 0. Use method='mcnemar-mid-p'." in check(fails()).message
    answer = compare(PairedTable(0, 12, 0, 88), method="mcnemar-mid-p")
    assert quiet(answer)
    assert answer.pvalue == pytest.approx(0.5**12, rel=1e-10)


def test_arrays_are_checked_entry_by_entry(check, carriers):
    interval = check(compare(PairedTable([0, 5], 25, [0, 10], [75, 60]), method="two-intervals"))
    assert interval.holds.tolist() == [False, True]
    assert carriers == {"two-intervals"}
