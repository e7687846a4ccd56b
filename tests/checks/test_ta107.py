"""TA107: lone errors bound the odds."""

import numpy as np
import pytest

from tellapart import PairedTable, compare


def fails():
    return compare(PairedTable(3, 4, 0, 33), interval="odds-mid-p")


def holds():
    return compare(PairedTable(3, 4, 1, 32), interval="odds-mid-p")


@pytest.mark.parametrize("interval", ["odds-exact", "odds-mid-p"])
@pytest.mark.parametrize(("a", "b", "holds"), [(0, 0, False), (4, 0, False), (0, 4, True), (3, 1, True)])
def test_a_lone_error_of_b_bounds_them_from_above(check, interval, a, b, holds):
    answer = compare(PairedTable(4, a, b, 40), interval=interval)
    assert (check(answer).figure, bool(check(answer).holds)) == (b, holds)
    assert np.isinf(answer.interval.high) != holds


def test_of_a_lower_bound_any_disagreement_is_enough(check):
    options = {"interval": "odds-exact", "alternative": "greater"}
    assert check(compare(PairedTable(4, 3, 0, 40), **options)).holds
    assert check(compare(PairedTable(4, 3, 0, 40), **options)).figure == 3
    assert not check(compare(PairedTable(4, 0, 0, 40), **options)).holds


def test_the_way_out_has_both_ends(check, quiet):
    assert check(fails()).remedy == "Use interval='unconditional' for the difference."
    for name in ("tango", "unconditional"):
        answer = compare(PairedTable(3, 4, 0, 33), interval=name)
        assert quiet(answer)
        assert -1 < answer.interval.low < answer.interval.high < 1


def test_many_are_looked_at_one_by_one(check, carriers):
    interval = check(compare(PairedTable(4, [4, 3], [0, 1], 40), interval="odds-mid-p"))
    assert interval.holds.tolist() == [False, True]
    assert carriers == {"odds-exact", "odds-mid-p"}
