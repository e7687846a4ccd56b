"""TA107: enough discordant pairs for a bound of the odds ratio."""

import numpy as np
import pytest

from tellapart import PairedTable, compare


def fails():
    return compare(PairedTable(3, 4, 0, 33), interval="odds-mid-p")


def holds():
    return compare(PairedTable(3, 4, 1, 32), interval="odds-mid-p")


@pytest.mark.parametrize("interval", ["odds-exact", "odds-mid-p"])
@pytest.mark.parametrize(("a", "b", "holds"), [(0, 0, False), (4, 0, False), (0, 4, True), (3, 1, True)])
def test_one_example_that_only_b_got_wrong_gives_an_upper_bound(check, interval, a, b, holds):
    answer = compare(PairedTable(4, a, b, 40), interval=interval)
    assert (check(answer).figure, bool(check(answer).holds)) == (b, holds)
    assert np.isinf(answer.interval.high) != holds


def test_any_discordant_pair_gives_a_lower_bound(check):
    options = {"interval": "odds-exact", "alternative": "greater"}
    assert check(compare(PairedTable(4, 3, 0, 40), **options)).holds
    assert check(compare(PairedTable(4, 3, 0, 40), **options)).figure == 3
    assert not check(compare(PairedTable(4, 0, 0, 40), **options)).holds


def test_the_number_of_pairs_is_not_an_apposition(check):
    assert check(holds()).message == "enough discordant pairs to bound the odds ratio (1, at least 1 needed)"


def test_the_remedy_has_both_limits(check, quiet):
    assert check(fails()).remedy == "Use interval='unconditional' for the difference."
    for name in ("tango", "unconditional"):
        answer = compare(PairedTable(3, 4, 0, 33), interval=name)
        assert quiet(answer)
        assert -1 < answer.interval.low < answer.interval.high < 1


def test_arrays_are_checked_entry_by_entry(check, carriers):
    interval = check(compare(PairedTable(4, [4, 3], [0, 1], 40), interval="odds-mid-p"))
    assert interval.holds.tolist() == [False, True]
    assert carriers == {"odds-exact", "odds-mid-p"}
