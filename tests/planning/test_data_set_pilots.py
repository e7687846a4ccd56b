"""A table of scores as a pilot: its spread is planned for, its mean is not."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart import ScoreTable, plan
from tellapart.errors import InvalidEvidence, InvalidOption

# C4.5 and C4.5 with the parameter m, on 14 data sets (Demsar 2006, table 6).
OLD = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.0, 0.940, 0.619, 0.972, 0.957]
NEW = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.0, 0.962, 0.666, 0.981, 0.978]
PILOT = ScoreTable.from_scores({"C4.5": OLD, "C4.5+m": NEW}, metric="auc")
SD = float(np.std(np.subtract(NEW, OLD), ddof=1))


def t_power(size, difference, sd):
    """Return the power of a two-sided t test at 0.05, by the noncentral t of scipy.stats."""
    beyond, shift = stats.t.ppf(0.975, size - 1), difference / sd * np.sqrt(size)
    return stats.nct.sf(beyond, size - 1, shift) + stats.nct.cdf(-beyond, size - 1, shift)


def test_the_number_of_data_sets_is_that_of_the_spread():
    result = plan(PILOT, difference=0.01, power=0.8)
    assert (result.unit, result.solved, result.method) == ("data sets", "size", "paired-t")
    assert t_power(result.size, 0.01, SD) >= 0.8 > t_power(result.size - 1, 0.01, SD)
    assert "SD from a pilot (14 data sets); its mean difference is not used" in result.words
    same = plan(sd=SD, over="data sets", difference=0.01, power=0.8)
    assert [each.value for each in same.beside] == [each.value for each in result.beside[:2]]


def test_moving_one_learner_changes_nothing():
    """A difference is never taken from a pilot."""
    moved = ScoreTable.from_scores({"C4.5": OLD, "C4.5+m": np.subtract(NEW, 0.3)}, metric="auc")
    one, other = (plan(pilot, difference=0.02) for pilot in (PILOT, moved))
    assert one.size == other.size
    assert [each.value for each in one.beside] == [each.value for each in other.beside]


def test_the_upper_limit_of_the_spread_and_the_drawn_data_sets_stand_beside():
    result = plan(PILOT, difference=0.02, power=0.8)
    text = {each.assuming: each.value for each in result.beside}
    upper = SD * np.sqrt(13 / stats.chi2.ppf(0.05, 13))
    limit = next(name for name in text if "upper limit" in name)
    assert f"({upper:.4g})" in limit
    assert t_power(text[limit], 0.02, upper) >= 0.8 > t_power(text[limit] - 1, 0.02, upper)
    drawn = next(name for name in text if "resampled" in name)
    assert drawn.startswith("for wilcoxon-signed-rank")
    assert 3 <= text[drawn] <= 3 * result.size
    named = plan(PILOT, difference=0.02, power=0.8, method="sign-test")
    assert any(each.assuming.startswith("for sign-test on data sets resampled") for each in named.beside)


def test_what_these_data_sets_would_show():
    result = plan(PILOT)
    assert (result.solved, result.size) == ("difference", 14)
    assert_allclose(t_power(14, result.difference, SD), 0.8, rtol=1e-6)
    assert_allclose(plan(PILOT, data_sets=30, difference=0.01).power, t_power(30, 0.01, SD), rtol=1e-9)
    assert plan(PILOT, margin=0.01).hypothesis == "non-inferior"


def test_scores_need_be_no_rates():
    percent = ScoreTable.from_scores({"C4.5": np.multiply(100, OLD), "C4.5+m": np.multiply(100, NEW)}, metric="percent")
    result, plain = plan(percent, method="wilcoxon-signed-rank"), plan(PILOT, method="wilcoxon-signed-rank")
    assert_allclose(result.difference, 100 * plain.difference, rtol=1e-6)
    assert " pp" not in str(result)
    errors = ScoreTable.from_scores({"A": np.subtract(1, OLD), "B": np.subtract(1, NEW)}, metric="error")
    assert " pp" in str(plan(errors))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: plan(PILOT, sd=0.1, difference=0.01),
            "`sd` and `wins` must not be set with a pilot, which has its own",
        ),
        (
            lambda: plan(PILOT, over="splits", difference=0.01),
            "`over`, `plan` and `training_sets` must not be set with scores of data sets as pilot",
        ),
        (
            lambda: plan(PILOT, plan="10x10", power=0.8),
            "`over`, `plan` and `training_sets` must not be set with scores of data sets as pilot",
        ),
        (lambda: plan(PILOT.pairs(), difference=0.01), r"`evidence` must be one table, got shape \(1,\)"),
        (
            lambda: plan(ScoreTable.from_scores(np.ones((4, 3)).cumsum(axis=0)), difference=0.1),
            r"a plan compares two learners, got 3\. Select two, such as 'A' and 'B'\.",
        ),
        (
            lambda: plan(ScoreTable.from_scores({"a": [1, 2], "b": [2, 3]}), difference=0.1),
            "the differences of a pilot must vary, got one value on 2 data sets",
        ),
        (lambda: plan(PILOT, difference=0.01, examples=100), "`examples` is not a number of data sets"),
    ],
)
def test_what_is_no_pilot(make, message):
    with pytest.raises((InvalidOption, InvalidEvidence), match=message):
        make()
