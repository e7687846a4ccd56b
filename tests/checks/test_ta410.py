"""TA410: the pooled disagreements could reach alpha."""

import pytest

from tellapart import Resamples, compare


def answer_for(disagreements, method="mcnemar-on-cv", **options):
    """Twenty examples, tested one by one; A alone was wrong on so many of them."""
    a = [0] * disagreements + [1] * (20 - disagreements)
    return compare(Resamples.from_scores(a, [1] * 19 + [0], plan="loo"), method=method, **options)


def fails():
    return answer_for(3)


def holds():
    return answer_for(4)


@pytest.mark.parametrize("disagreements", range(8))
def test_the_figure_is_the_smallest_mid_p_value(check, disagreements):
    """B is wrong on one other example, so D is one more; all on one side would have 2·½·2^-D."""
    best = 0.5 ** (disagreements + 1)
    result = check(answer_for(disagreements))
    assert (result.figure, bool(result.holds)) == (-best, best < 0.05)


def test_one_side_needs_one_disagreement_fewer(check):
    assert not check(answer_for(3)).holds
    assert check(answer_for(3, alternative="greater")).holds
    assert not check(answer_for(2, alternative="greater")).holds


def test_at_alpha_itself_nothing_is_rejected(check):
    assert not check(answer_for(3, alpha=2**-4)).holds
    assert check(answer_for(4, alpha=2**-4)).holds


def test_the_message_shows_the_p_value_without_a_minus(check):
    assert "the test cannot reject" in check(fails()).message
    assert "discordant pairs is 0.0625, not below alpha" in check(fails()).message


def test_the_way_out_judges_by_the_splits(check, quiet):
    assert check(fails()).remedy == "Test more examples."
    evidence = Resamples.from_scores([0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.9, 0.65], plan="2x2", examples=400)
    assert quiet(compare(evidence, method="corrected-repeated-kfold-t"))


def test_counts_over_all_test_sets_carry_it(carriers):
    assert carriers == {"mcnemar-on-cv", "two-se"}
