"""TA405: no example is in two test sets."""

import pytest

from tellapart import Resamples, compare

A, B = [0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.9, 0.65]


def analyse(plan, method="kfold-t"):
    more = {"test": 40, "train": 360} if plan == "independent" else {"examples": 400}
    return compare(Resamples.from_scores(A, B, plan=plan, **more), method=method)


def fails():
    return analyse("2x2")


def holds():
    return analyse("4-fold")


@pytest.mark.parametrize(
    ("plan", "times"),
    [
        ("4-fold", 1),
        ("2x2", 2),  # once in each replicate
        ("4x(2/3)", 4),  # random splits may all draw it
        ("independent", 1),
    ],
)
def test_the_figure_is_the_number_of_test_sets_of_an_example(check, plan, times):
    assert check(analyse(plan)).figure == -times
    assert check(analyse(plan)).holds == (times == 1)


def test_the_message_has_the_figure_without_its_minus(check):
    assert "an example may be in 2 test sets" in check(fails()).message


def test_the_remedy_corrects_for_the_overlap(check, quiet):
    assert "method='corrected-repeated-kfold-t'" in check(fails()).message
    answer = analyse("2x2", "corrected-resampled-t")
    assert quiet(answer)
    assert answer.pvalue > analyse("2x2").pvalue


def test_only_the_k_fold_t_test_has_the_check(carriers):
    assert carriers == {"kfold-t"}
