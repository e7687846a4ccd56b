"""TA108: both models make errors, so the ratio of error rates is bounded."""

import pytest

from tellapart import PairedTable, compare


def fails():
    return compare(PairedTable(0, 12, 0, 88), interval="reduction-score")


def holds():
    return compare(PairedTable(1, 11, 0, 88), interval="reduction-score")


@pytest.mark.parametrize(
    ("four", "figure"),
    [((0, 5, 0, 95), 0), ((0, 0, 5, 95), 0), ((0, 0, 0, 9), 0), ((1, 5, 0, 94), 1), ((2, 5, 3, 90), 5)],
)
def test_one_error_of_each_is_enough(check, four, figure):
    """A's errors are "both wrong" plus "only A wrong", B's are "both wrong" plus "only B wrong"."""
    interval = check(compare(PairedTable(*four), interval="reduction-score"))
    assert figure == min(four[0] + four[1], four[0] + four[2])
    assert (interval.figure, bool(interval.holds)) == (figure, figure >= 1)


def test_the_remedy_has_both_limits(check, quiet):
    assert check(fails()).remedy == "Use interval='tango' for the difference."
    assert check(holds()).message == "both models make errors, the better one 1"
    answer = compare(PairedTable(0, 12, 0, 88), interval="tango")
    assert quiet(answer)
    assert 0 < answer.interval.low < 0.12 < answer.interval.high < 1


def test_arrays_are_checked_entry_by_entry(check, carriers):
    interval = check(compare(PairedTable([0, 1], 5, 0, 95), interval="reduction-score"))
    assert interval.holds.tolist() == [False, True]
    assert carriers == {"reduction-score"}
