"""The border of the e-value test by a polynomial: where the test itself begins to reject, and few tables asked."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.evidence import PairedTable
from tellapart.gate import judge
from tellapart.methods import find_method
from tellapart.methods.paired_table import anytime
from tellapart.methods.paired_table.anytime import evalue_border, mcnemar_evalue
from tellapart.planning.settings import borders
from tellapart.planning.settings.pairs import PairedSetting
from tellapart.planning.settings.regions import Claim, region_of

EVALUE = find_method("mcnemar-evalue", "test", PairedTable)


def claim_of(hypothesis="non-inferior", margin=0.01, **options):
    return Claim(method=EVALUE, margin=margin, hypothesis=hypothesis, options=options)


@pytest.fixture
def condition(monkeypatch):
    """Count the tables whose wealth is computed."""
    counted = []

    def counting(b, *rest, one_way=anytime.one_way):
        counted.append(b.size)
        return one_way(b, *rest)

    monkeypatch.setattr(anytime, "one_way", counting)
    return counted


@pytest.mark.parametrize("options", [{}, {"prior": 0.5}])
@pytest.mark.parametrize("hypothesis", ["non-inferior", "superior", "equivalent"])
@pytest.mark.parametrize(("sizes", "share"), [([3000, 3010], 0.2), ([35_494], 0.18), ([400_000], 0.02)])
def test_the_test_rejects_from_the_border_on_and_not_before(sizes, share, hypothesis, options, condition):
    """The definition: the first count at which the registered test rejects, asked on either side of the border."""
    claim = claim_of(hypothesis, margin=0.004 if share < 0.1 else 0.01, **options)
    counts = PairedSetting(claim=claim, disagreement=share)._spread_counts(sizes)
    significant, n = counts.count, np.array(sizes)[counts.index]

    def tables(count, index):
        return PairedTable(np.zeros_like(count), count, significant[index] - count, n[index] - significant[index])

    region, every = region_of(claim, tables, significant), np.arange(significant.size)
    assert sum(condition) < 2000 + significant.size / 10  # a search would ask a dozen of each
    for against, alternative, side in claim.parts:
        first = region.high if side > 0 else region.low
        before = first - side
        assert np.all(claim.shown(tables(np.clip(first, 0, significant), every), against, alternative, side))
        inside = (before >= 0) & (before <= significant)
        assert not np.any(
            claim.shown(tables(np.clip(before, 0, significant), every), against, alternative, side) & inside
        )


@pytest.mark.parametrize(("discordant", "examples", "null"), [(40, 200, -0.01), (500, 4000, -0.02), (60, 90, 0.1)])
def test_at_the_border_the_bets_have_won_one_over_alpha(discordant, examples, null):
    """The mixture of bets by mpmath's quadrature, at a real number of lone errors."""
    result = evalue_border(np.array([float(discordant)]), np.array([float(examples)]), against=null, alpha=0.05)[0]
    with mpmath.workdps(30):
        d, b = mpmath.mpf(null), mpmath.mpf(float(result))
        cut = (1 + d) / 2  # no bet at all

        def wealth(u):
            won = (2 * u / (1 + d)) ** b * (2 * (1 - u) / (1 - d)) ** (discordant - b)
            return won * ((1 + d - 2 * u * d) / (1 - d * d)) ** (examples - discordant)

        points = [cut, cut + (1 - cut) / 8, cut + (1 - cut) / 3, 1]
        assert abs(mpmath.quad(wealth, points) / (1 - cut) - 20) < 1e-5


def test_without_a_border_every_test_set_is_tested_as_before(monkeypatch):
    """Powers are those of the search over all counts, to the last bit."""
    setting = PairedSetting(claim=claim_of(margin=0.03), disagreement=0.18)
    quick = setting.power([700, 2500, 9000], 0.0)
    monkeypatch.setattr(borders, "_ENOUGH", 10**9)
    assert_array_equal(quick, setting.power([700, 2500, 9000], 0.0))


def test_a_gate_by_e_values_asks_few_tables(condition):
    """50 examples; 35,494 is the number that the search over all counts of all sizes finds, in 14 seconds."""
    result = judge(PairedTable(1, 5, 4, 40), method="mcnemar-evalue")
    assert result.together.enough == 35_494
    assert sum(condition) < 20_000


def test_a_border_where_all_discordant_errors_are_not_enough_is_infinite():
    """Three lone errors win 2·2³ ∫u³ du over (½, 1) = 3.75 at most, which is below 20."""
    assert np.isinf(evalue_border(np.array([3.0]), np.array([9.0]), against=0.0, alpha=0.05))[0]
    assert_allclose(mcnemar_evalue(PairedTable(0, 3, 0, 6)).test(0.0, "greater").pvalue, 1 / 3.75)
