"""The paired bootstrap against its exact distribution and against scipy.stats.bootstrap on the examples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import bootstrap, multinomial

from tellapart import PairedTable
from tellapart.errors import InvalidOption
from tellapart.methods import find_method
from tellapart.methods.paired_table import bootstrap as ours
from tellapart.methods.paired_table.bootstrap import _jackknife_acceleration, percentile, resampled_differences

TABLE = PairedTable(20, 25, 10, 45)
W = np.repeat([1, -1, 0], [25, 10, 65])  # the same examples, one by one


def test_resampled_discordant_errors_are_multinomial():
    """Six examples, two lone errors of A, one of B: each difference has its probability, within 5 standard errors."""
    exact = {}
    for b in range(7):
        for c in range(7 - b):
            chance = multinomial.pmf([b, c, 6 - b - c], 6, [2 / 6, 1 / 6, 3 / 6])
            exact[b - c] = exact.get(b - c, 0.0) + chance
    drawn = np.rint(6 * resampled_differences(PairedTable(0, 2, 1, 3), resamples=200_000, rng=1)).astype(int)
    for difference, chance in exact.items():
        seen = np.mean(drawn == difference)
        assert abs(seen - chance) < 5 * np.sqrt(chance * (1 - chance) / 200_000) + 1e-9


@pytest.mark.parametrize(("name", "theirs"), [("percentile", "percentile"), ("bca-bootstrap", "BCa")])
def test_scipy_finds_the_same_limits_from_the_examples(name, theirs):
    """Both draw; a limit of 20 000 resamples is good to about 0.003."""
    interval = find_method(name, "interval", PairedTable)(TABLE, resamples=20_000, rng=3)
    expected = bootstrap(
        (W,), np.mean, n_resamples=20_000, method=theirs, rng=np.random.default_rng(4), batch=500
    ).confidence_interval
    assert_allclose([interval.low, interval.high], [expected.low, expected.high], rtol=0, atol=0.012)


@pytest.mark.parametrize("name", ["percentile", "bca-bootstrap"])
def test_the_seed_decides_and_zero_is_the_default(name):
    method = find_method(name, "interval", PairedTable)
    first, again, other = method(TABLE), method(TABLE, rng=0), method(TABLE, rng=5)
    assert (first.low, first.high) == (again.low, again.high)
    assert abs(first.low - other.low) < 0.03


@pytest.mark.parametrize("name", ["percentile", "bca-bootstrap"])
def test_without_disagreements_every_resample_is_the_same(name):
    interval = find_method(name, "interval", PairedTable)(PairedTable(5, 0, 0, 5))
    assert (interval.low, interval.high) == (0, 0)


@pytest.mark.parametrize("resamples", [0, -1, 2.5, "many"])
def test_a_number_of_resamples_that_is_none_is_refused(resamples):
    with pytest.raises(InvalidOption, match="resamples"):
        find_method("percentile", "interval", PairedTable)(TABLE, resamples=resamples)


@pytest.mark.parametrize("cells", [(20, 25, 10, 45), (0, 7, 1, 92), (3, 0, 5, 12)])
def test_the_acceleration_is_that_of_the_jackknife(cells):
    """Efron's a = Σ(m − θ₍ᵢ₎)³ / 6(Σ(m − θ₍ᵢ₎)²)^1.5, every example left out in turn."""
    table = PairedTable(*cells)
    w = np.repeat([0, 1, -1, 0], cells).astype(float)
    left_out = (w.sum() - w) / (w.size - 1)
    discordant = left_out.mean() - left_out
    assert_allclose(
        _jackknife_acceleration(table), (discordant**3).sum() / (6 * (discordant**2).sum() ** 1.5), rtol=1e-10
    )


def test_limits_beyond_what_was_drawn_are_refused():
    with pytest.raises(InvalidOption, match=r"`resamples` must be at least 4000 for"):
        percentile(PairedTable(20, 25, 10, 45), alpha=0.0005, resamples=100)


def test_many_tables_are_drawn_in_pieces(monkeypatch):
    monkeypatch.setattr(ours, "_DRAWN", 3000)
    tables = PairedTable(np.full((4, 3), 20), 25, 10, 45)
    limits = percentile(tables, resamples=1000)
    assert limits.shape == (4, 3)
    assert np.all((limits.low > 0) & (limits.low < 0.1) & (limits.high > 0.2) & (limits.high < 0.3))
