"""TA404: every test set belongs to a sample of its own."""

import pytest

from tellapart import Resamples, compare

A, B = [0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.9, 0.65]


def analyse(plan, method="paired-t"):
    more = {"test": 40, "train": 360} if plan == "independent" else {"examples": 400}
    return compare(Resamples.from_scores(A, B, plan=plan, **more), method=method)


def fails():
    return analyse("4-fold")


def holds():
    return analyse("independent")


@pytest.mark.parametrize(
    ("plan", "holds"), [("independent", True), ("4-fold", False), ("2x2", False), ("4x(2/3)", False)]
)
def test_only_separate_samples_are_independent(check, plan, holds):
    assert check(analyse(plan)).holds == holds


def test_the_remedy_corrects_for_the_overlap(check, quiet):
    """Four splits that test a third: the corrected variance is (1/4 + 1/2)/(1/4) = 3 times that of Student's t."""
    assert "method='corrected-resampled-t'" in check(fails()).message
    naive, corrected = (analyse("4x(2/3)", method) for method in ("paired-t", "corrected-resampled-t"))
    assert quiet(corrected)
    assert naive.statistic / corrected.statistic == pytest.approx(3**0.5, rel=1e-10)


def test_only_students_paired_test_has_the_check(carriers):
    assert carriers == {"paired-t"}
