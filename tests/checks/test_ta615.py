"""TA615: the models agree on at least 20% of the class."""

import pytest

from tellapart import PairedConfusion, compare


def analyse(agreed, metric="recall", method="mcnemar-mid-p"):
    pair = PairedConfusion([[[500, 9], [9, 5]], [[0, 45], [45, agreed]]])
    return compare(pair, metric=metric, method=method)


def fails():
    return analyse(10)


def holds():
    return analyse(90)


@pytest.mark.parametrize(("agreed", "holds"), [(0, False), (22, False), (23, True)])
def test_a_fifth_of_the_class_is_enough(check, agreed, holds):
    result = check(analyse(agreed))
    assert result.figure == pytest.approx(agreed / (agreed + 90))
    assert bool(result.holds) == holds


def test_the_other_class_and_the_exact_test_have_no_such_problem(check, quiet, carriers):
    assert check(analyse(10, "specificity")).holds
    assert "Use method='mcnemar-exact'." in check(fails()).message
    assert quiet(analyse(10, method="mcnemar-exact"))
    assert carriers == {"mcnemar-mid-p"}
