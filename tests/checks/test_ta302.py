"""TA302: any two models have at least 10 discordant pairs."""

import pytest

from tellapart import ErrorPatterns, compare

MODELS = ["a", "b", "c"]


def answer_of(codes, **options):
    return compare(ErrorPatterns.from_codes(MODELS, codes), **options)


def fails():
    return answer_of({0: 90, 1: 4, 2: 2, 7: 4})


def holds():
    return answer_of({0: 60, 1: 12, 2: 8, 4: 9, 7: 11})


@pytest.mark.parametrize(
    ("codes", "figure"),
    [
        ({0: 90, 1: 4, 2: 2, 7: 4}, 2),  # only b was wrong on 2 examples: the pair of b and c
        ({0: 50, 1: 5, 2: 5, 4: 5}, 10),
        ({0: 50, 1: 5, 2: 5, 4: 4}, 9),
        ({0: 50, 3: 5, 5: 5, 6: 5}, 10),
    ],
)
def test_ten_in_the_pair_with_the_fewest_are_enough(check, codes, figure):
    discordant = [
        sum(count for pattern, count in codes.items() if (pattern >> i & 1) != (pattern >> j & 1))
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    assert min(discordant) == figure
    assert (check(answer_of(codes)).figure, bool(check(answer_of(codes)).holds)) == (figure, figure >= 10)


def test_the_remedy_does_not_have_this_check(check, quiet):
    assert "two models have 2 discordant pairs, fewer than 10" in check(fails()).message
    assert check(fails()).remedy == "Test more examples."
    assert quiet(answer_of({0: 90, 1: 4, 2: 2, 7: 4}, method="mcnemar-exact", adjust="holm"))


def test_only_max_t_has_this_check(carriers):
    assert carriers == {"max-t"}
