"""TA104, Yang: at least ten discordant pairs."""

import re

import pytest
from scipy.stats import binom, norm

from tellapart import PairedTable, compare
from tellapart.gate import judge


def fails():
    return compare(PairedTable(0, 4, 3, 93), method="mcnemar")


def holds():
    return compare(PairedTable(0, 6, 4, 90), method="mcnemar")


@pytest.mark.parametrize(
    "options", [{"method": "mcnemar"}, {"method": "tango"}, {}, {"margin": 0.1}, {"method": "mcnemar-exact"}]
)
@pytest.mark.parametrize(("discordant", "holds"), [(0, False), (9, False), (10, True), (11, True)])
def test_ten_are_enough_in_either_direction(check, options, discordant, holds):
    """The default interval, Tango's, has the check beside any test."""
    for four in ((3, discordant, 0, 80), (3, 0, discordant, 80)):
        result = check(compare(PairedTable(*four), **options))
        assert (result.figure, bool(result.holds)) == (discordant, holds)


@pytest.mark.parametrize(
    "options", [{"method": "mcnemar-exact", "interval": "bonett-price"}, {"interval": "newcombe-paired"}]
)
def test_exact_and_adjusted_methods_do_not_have_this_check(code, options):
    assert code not in {check.code for check in compare(PairedTable(0, 4, 3, 93), **options).checks}


def test_the_normal_approximation_is_poor_for_four_pairs_in_one_direction():
    """The z statistic is 2 and p = 0.046, but the exact probability of 4:0 or 0:4 is 1/8."""
    answer, exact = (compare(PairedTable(0, 4, 0, 96), method=name) for name in ("mcnemar", "mcnemar-exact"))
    assert answer.pvalue == pytest.approx(2 * norm.sf(2), rel=1e-10)
    assert exact.pvalue == pytest.approx(2 * binom.pmf(0, 4, 0.5), rel=1e-12)


def test_the_remedy_does_not_have_this_check(check, quiet):
    assert check(fails()).message == (
        "7 discordant pairs, fewer than 10 (Yang 2006): the test and the interval are unreliable."
        " Use method='mcnemar-mid-p' and interval='unconditional', or test more examples."
    )
    assert check(compare(PairedTable(3, 4, 1, 92))).message == (
        "5 discordant pairs, fewer than 10 (Yang 2006): the interval is unreliable."
        " Use interval='unconditional', or test more examples."
    )
    assert quiet(compare(PairedTable(3, 4, 1, 92), interval="unconditional"))
    assert quiet(compare(PairedTable(0, 4, 3, 13), method="mcnemar-exact", interval="unconditional"))


@pytest.mark.parametrize(
    ("four", "options", "remedy"),
    [
        ((3, 4, 1, 192), {}, "Use interval='unconditional', or test more examples."),
        ((3, 4, 1, 193), {}, "Use interval='newcombe-paired', or test more examples."),
        (
            (3, 4, 1, 92),
            {"method": "mcnemar", "interval": "bonett-price"},
            "Use method='mcnemar-mid-p', or test more examples.",
        ),
        ((3, 4, 0, 92), {"method": "mcnemar"}, "Test more examples."),  # four pairs: no test can reject
        ((3, 4, 1, 92), {"margin": 0.1}, "Test more examples."),  # mid-p has no margin
    ],
)
def test_the_remedy_helps_with_these_data(check, quiet, four, options, remedy):
    table = PairedTable(*four)
    assert check(compare(table, **options)).remedy == remedy
    named = dict(re.findall(r"(method|interval)='([^']*)'", remedy))
    if named:
        answer = compare(table, **options | named)
        assert quiet(answer)
        assert {each.code for each in answer.checks if not each.holds} == set()


def test_one_pair_is_singular(check):
    assert check(compare(PairedTable(3, 1, 0, 92))).message.startswith("1 discordant pair, fewer than 10")
    judgement = judge(PairedTable(0, 1, 0, 99), margin=0.05)  # an entry of an array
    assert check(judgement.together.comparison).message.startswith("1 discordant pair, fewer than 10")


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(compare(PairedTable(3, [9, 10], 0, 80))).holds.tolist() == [False, True]
    assert {"mcnemar", "tango", "wald-paired"} < carriers
    assert not {"mcnemar-exact", "mcnemar-mid-p", "unconditional", "bonett-price"} & carriers
