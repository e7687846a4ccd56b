"""TA105: the exact test could reject at all."""

import pytest

from tellapart import PairedTable, compare


def answer_of(disagreements, **options):
    return compare(PairedTable(9, disagreements, 0, 90), method="mcnemar-exact", **options)


def fails():
    return answer_of(5)


def holds():
    return answer_of(6)


CAN_REJECT = [  # alternative, alpha, the fewest disagreements at which p may fall below alpha
    ("two-sided", 0.05, 6),  # 2·2^-6 = 0.031, 2·2^-5 = 0.0625
    ("greater", 0.05, 5),  # 2^-5 = 0.031, 2^-4 = 0.0625
    ("two-sided", 2**-5, 7),  # at alpha itself nothing is rejected
    ("two-sided", 0.01, 8),  # 2·2^-8 = 0.0078
]


@pytest.mark.parametrize(("alternative", "alpha", "fewest"), CAN_REJECT)
def test_it_holds_just_where_the_clearest_outcome_is_rejected(check, alternative, alpha, fewest):
    for disagreements in range(fewest + 3):
        answer = answer_of(disagreements, alternative=alternative, alpha=alpha)
        assert check(answer).holds == answer.rejected == (disagreements >= fewest)


def test_the_figure_is_the_smallest_p_value_there_is(check):
    for disagreements in range(8):
        best = min(1, 2 * 0.5**disagreements)
        assert check(answer_of(disagreements)).figure == -best
        assert answer_of(disagreements).pvalue == pytest.approx(best)  # all on one side


def test_sides_are_alike(check):
    """The figure knows D alone."""
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


def test_many_are_looked_at_one_by_one(check, carriers):
    assert check(answer_of([5, 6])).holds.tolist() == [False, True]
    assert carriers == {"mcnemar-exact"}
