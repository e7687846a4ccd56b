"""TA105: enough discordant pairs for the exact test to reach alpha."""

import pytest

from tellapart import PairedTable, compare


def answer_of(discordant, **options):
    return compare(PairedTable(9, discordant, 0, 90), method="mcnemar-exact", **options)


def fails():
    return answer_of(5)


def holds():
    return answer_of(6)


CAN_REJECT = [  # alternative, alpha, the fewest discordant pairs for which p may be below alpha
    ("two-sided", 0.05, 6),  # 2·2^-6 = 0.031, 2·2^-5 = 0.0625
    ("greater", 0.05, 5),  # 2^-5 = 0.031, 2^-4 = 0.0625
    ("two-sided", 2**-5, 7),  # at alpha itself nothing is rejected
    ("two-sided", 0.01, 8),  # 2·2^-8 = 0.0078
]


@pytest.mark.parametrize(("alternative", "alpha", "fewest"), CAN_REJECT)
def test_it_holds_if_the_most_extreme_outcome_is_rejected(check, alternative, alpha, fewest):
    for discordant in range(fewest + 3):
        answer = answer_of(discordant, alternative=alternative, alpha=alpha)
        assert check(answer).holds == answer.rejected == (discordant >= fewest)


def test_the_figure_is_the_smallest_attainable_p_value(check):
    for discordant in range(8):
        best = min(1, 2 * 0.5**discordant)
        assert check(answer_of(discordant)).figure == -best
        assert answer_of(discordant).pvalue == pytest.approx(best)  # all in one direction


def test_the_direction_does_not_matter(check):
    other = compare(PairedTable(9, 0, 5, 90), method="mcnemar-exact")
    assert check(other).figure == check(fails()).figure


def test_the_message_shows_the_p_value_without_a_minus(check):
    assert "is 0.0625, not below alpha: the test cannot reject." in check(fails()).message
    assert "0.0312, is below alpha" in check(holds()).message


def test_mid_p_is_named_only_if_it_can_reject(check):
    assert check(fails()).remedy == "Use method='mcnemar-mid-p', or test more examples."
    assert compare(PairedTable(9, 5, 0, 90), method="mcnemar-mid-p").rejected
    assert check(answer_of(4)).remedy == "Test more examples: the test needs at least 6 discordant pairs."
    assert check(answer_of(4, alpha=0.01)).remedy == "Test more examples: the test needs at least 8 discordant pairs."


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(answer_of([5, 6])).holds.tolist() == [False, True]
    assert carriers == {"mcnemar-exact"}
