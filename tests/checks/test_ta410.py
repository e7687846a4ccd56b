"""TA410: enough discordant pairs for p to reach alpha."""

import pytest

from tellapart import Resamples, compare


def analyse(discordant, method="mcnemar-on-cv", **options):
    """Leave-one-out with twenty examples; only A was wrong on the first ones, only B on the last."""
    a = [0] * discordant + [1] * (20 - discordant)
    return compare(Resamples.from_scores(a, [1] * 19 + [0], plan="loo"), method=method, **options)


def fails():
    return analyse(3)


def holds():
    return analyse(4)


@pytest.mark.parametrize("discordant", range(8))
def test_the_figure_is_the_smallest_mid_p_value(check, discordant):
    """B is wrong on one other example, so D is larger by one; the smallest mid-p value is 2·½·2^-D."""
    best = 0.5 ** (discordant + 1)
    result = check(analyse(discordant))
    assert (result.figure, bool(result.holds)) == (-best, best < 0.05)


def test_a_one_sided_test_needs_one_pair_fewer(check):
    assert not check(analyse(3)).holds
    assert check(analyse(3, alternative="greater")).holds
    assert not check(analyse(2, alternative="greater")).holds


def test_at_alpha_itself_nothing_is_rejected(check):
    assert not check(analyse(3, alpha=2**-4)).holds
    assert check(analyse(4, alpha=2**-4)).holds


def test_the_message_shows_the_p_value_without_its_minus(check):
    assert "the test cannot reject" in check(fails()).message
    assert "discordant pairs is 0.0625, not below alpha" in check(fails()).message


def test_the_remedy_compares_the_splits(check, quiet):
    assert check(fails()).remedy == "Test more examples."
    evidence = Resamples.from_scores([0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.9, 0.65], plan="2x2", examples=400)
    assert quiet(compare(evidence, method="corrected-repeated-kfold-t"))


def test_tests_of_pooled_counts_have_the_check(carriers):
    assert carriers == {"mcnemar-on-cv", "two-se"}
