"""TA103: the interval of a paired difference has a width."""

import pytest

from tellapart import PairedTable, compare


def fails():
    return compare(PairedTable(3, 0, 0, 37), interval="wald-paired")


def holds():
    return compare(PairedTable(3, 2, 1, 34), interval="wald-paired")


@pytest.mark.parametrize("interval", ["wald-paired", "yang-paired", "percentile", "bca-bootstrap"])
@pytest.mark.parametrize(("four", "fails"), [((3, 0, 0, 97), True), ((0, 40, 0, 0), True), ((5, 25, 10, 60), False)])
def test_if_all_examples_have_the_same_outcome_the_width_is_0(check, interval, four, fails):
    answer = compare(PairedTable(*four), interval=interval)
    assert (answer.interval.width == 0) == fails
    assert check(answer).holds != fails


def test_the_figure_is_the_width(check):
    """For b = 2, c = 1, n = 40: 2·z·√(b + c − (b−c)²/n)/n."""
    width = 2 * 1.959963984540054 * (3 - 1 / 40) ** 0.5 / 40
    assert check(holds()).figure == pytest.approx(width, rel=1e-12)


def test_the_remedy_has_a_width(check, quiet):
    assert check(fails()).remedy == "Use interval='unconditional' for the difference."
    for name in ("tango", "bonett-price", "unconditional", "newcombe-paired"):
        answer = compare(PairedTable(3, 0, 0, 37), interval=name)
        assert quiet(answer)
        assert answer.interval.low < 0 < answer.interval.high


def test_arrays_are_checked_entry_by_entry(check, carriers):
    large = compare(PairedTable(3, 0, 0, 237), interval="wald-paired")
    assert check(large).remedy == "Use interval='newcombe-paired' for the difference."
    tables = PairedTable([3, 3], [0, 2], [0, 1], [37, 34])
    assert check(compare(tables, interval="wald-paired")).holds.tolist() == [False, True]
    assert carriers == {"wald-paired", "yang-paired", "percentile", "bca-bootstrap"}
