"""TA110: enough discordant pairs for the mid-p test to reach alpha."""

import pytest

from tellapart import PairedTable, compare


def answer_of(a, b=0, **options):
    return compare(PairedTable(9, a, b, 90), method="mcnemar-mid-p", **options)


def fails():
    return answer_of(4)


def holds():
    return answer_of(5)


CAN_REJECT = [  # alternative, alpha, the fewest discordant pairs for which p may be below alpha
    ("two-sided", 0.05, 5),  # 2·2^-5/2 = 0.031, 2·2^-4/2 = 0.0625
    ("greater", 0.05, 4),  # 2^-4/2
    ("two-sided", 1e-6, 20),  # 2^-19 = 1.9e-6, 2^-20 = 9.5e-7
    ("two-sided", 2**-5, 6),  # at alpha itself nothing is rejected
]


@pytest.mark.parametrize(("alternative", "alpha", "fewest"), CAN_REJECT)
def test_it_holds_if_the_most_extreme_outcome_is_rejected(check, alternative, alpha, fewest):
    for discordant in range(fewest - 3, fewest + 3):
        answer = answer_of(discordant, alternative=alternative, alpha=alpha)
        assert check(answer).holds == answer.rejected == (discordant >= fewest)


def test_the_other_direction_needs_as_many(check):
    for discordant in range(7):
        answer = answer_of(0, discordant, alternative="less")
        assert check(answer).holds == answer.rejected == (discordant >= 4)


def test_the_figure_is_half_that_of_the_exact_test(check):
    for discordant in range(1, 8):
        assert check(answer_of(discordant)).figure == -(0.5**discordant)
    assert check(answer_of(0)).figure == -1


def test_the_message_shows_the_p_value_without_a_minus(check):
    assert "is 0.0625, not below alpha: the test cannot reject." in check(fails()).message
    assert check(fails()).remedy == "Test more examples: the test needs at least 5 discordant pairs."


def test_without_discordant_pairs_p_is_1_and_one_remedy_asks_for_examples(check):
    answer = answer_of(0)
    assert check(answer).message == (
        "p is always 1 with so few discordant pairs: the test cannot reject. Test more examples: the test needs at"
        " least 5 discordant pairs."
    )
    (of_interval,) = (each for each in answer.checks if each.code == "TA104")
    assert of_interval.remedy == "Use interval='unconditional'."


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(answer_of([4, 5])).holds.tolist() == [False, True]
    assert carriers == {"mcnemar-mid-p"}
