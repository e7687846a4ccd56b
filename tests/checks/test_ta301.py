"""TA301, Tate and Brown: discordant examples times models is at least 24."""

import pytest

from tellapart import ErrorPatterns, compare

MODELS = ["a", "b", "c"]


def answer_of(codes, **options):
    return compare(ErrorPatterns.from_codes(MODELS, codes), **options)


def fails():
    return answer_of({0: 90, 1: 4, 2: 2, 7: 4})


def holds():
    return answer_of({0: 88, 1: 4, 2: 2, 4: 2, 7: 4})


@pytest.mark.parametrize(
    ("codes", "figure"),
    [
        ({0: 90, 1: 4, 2: 2, 7: 4}, 18),  # all right (0) and all wrong (7) are not discordant
        ({0: 88, 1: 4, 2: 2, 4: 2, 7: 4}, 24),
        ({0: 50, 3: 4, 5: 4}, 24),  # two of three wrong count like one
        ({0: 50, 3: 4, 5: 3}, 21),
    ],
)
def test_24_outcomes_are_enough(check, codes, figure):
    assert figure == 3 * sum(count for pattern, count in codes.items() if pattern not in (0, 7))
    assert (check(answer_of(codes)).figure, bool(check(answer_of(codes)).holds)) == (figure, figure >= 24)


def test_q_has_few_values_with_few_outcomes(check):
    """Six examples with one model wrong: Q = (a² + b² + c²)/2 - 6 for a + b + c = 6."""
    assert fails().note("cochran_q").statistic == pytest.approx((4**2 + 2**2 + 0) / 2 - 6)
    assert "Cochran's Q is poor" in check(fails()).message


def test_the_remedy_compares_the_pairs_if_that_can_reject(check):
    """4 against 2, 4 against 0 and 2 against 0 discordant pairs, by exact binomials, adjusted by Holm."""
    assert check(fails()).remedy == "Test more examples."  # 6 pairs cannot be significant at 0.05 / 3
    seven = answer_of({0: 90, 1: 7})
    assert check(seven).remedy == "Use method='mcnemar-exact' and adjust='holm', or test more examples."
    assert answer_of({0: 90, 1: 7}, method="mcnemar-exact", adjust="holm").pairs.rejected.any()
    answer = answer_of({0: 90, 1: 4, 2: 2, 7: 4}, method="mcnemar-exact", adjust="holm")
    assert answer.pairs.pvalue.tolist() == pytest.approx([2 * 22 / 64, 2 / 16, 2 / 4])


def test_only_cochrans_q_has_this_check(carriers):
    assert carriers == {"cochran-q"}
