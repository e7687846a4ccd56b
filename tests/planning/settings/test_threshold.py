"""The power of tests of one error rate against a threshold, by every count."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom, binomtest

from tellapart.errors import InvalidOption
from tellapart.evidence import ErrorCount
from tellapart.methods import find_methods
from tellapart.planning import plan
from tellapart.planning.settings.regions import Claim
from tellapart.planning.settings.threshold import Threshold

TESTS = [
    result
    for result in find_methods(gives="test", evidence=ErrorCount)
    if result.required == ("against",) and result.name != "logit"
]


@pytest.mark.parametrize("method", TESTS, ids=lambda method: method.name)
def test_matches_every_count(method):
    for n, threshold, error in ((1, 0.5, 0.9), (20, 0.05, 0.0), (60, 0.1, 0.02), (45, 0.4, 0.7)):
        for alternative in ("two-sided", "greater", "less"):
            counts = ErrorCount(np.arange(n + 1), n)
            rejects = method(counts, against=threshold, alternative=alternative).rejected(0.1)
            expected = binom.pmf(counts.errors, n, error)[rejects].sum()
            claim = Claim(method=method, alpha=0.1, threshold=threshold, alternative=alternative)
            assert_allclose(Threshold(claim=claim).power(n, error - threshold), expected, rtol=1e-9, atol=1e-13)


def test_the_exact_test_is_scipys():
    """100 examples, 5 % against a true 12 %: SciPy's one-sided binomial test."""
    rejected = [k for k in range(101) if binomtest(k, 100, 0.05, alternative="greater").pvalue < 0.05]
    result = plan(against=0.05, error=0.12, examples=100, alternative="greater")
    assert_allclose(result.power, binom.pmf(rejected, 100, 0.12).sum(), rtol=1e-10)


@pytest.mark.parametrize(("threshold", "size"), [(0.01, 299), (0.05, 59), (0.001, 2995)])
def test_no_error_at_all_shows_it(threshold, size):
    """The rule of three with all its digits: ln 0.05 / ln(1 − p), rounded up."""
    assert size == math.ceil(math.log(0.05) / math.log(1 - threshold))
    assert plan(against=threshold, error=0.0, power=0.99, alternative="less").size == size


def test_the_size_is_not_a_lucky_one():
    """The power saws with the count that rejects: from this size on it is there, one tooth below it is not."""
    result = plan(against=0.05, error=0.03, power=0.8, alternative="less")
    power = result.setting.power(np.arange(result.size - 1, result.size + 400), -0.02)
    assert power[0] < 0.8 <= power[1:].min()
    assert np.any(np.diff(power) < 0)


def test_words():
    most = max(k for k in range(60) if binom.cdf(k, 700, 0.05) < 0.05)
    assert plan(against=0.05, error=0.03, examples=700, alternative="less").answer.startswith(
        f"700 examples show that the error rate is below 5% with {100 * binom.cdf(most, 700, 0.03):.4g}% power"
    )


def test_a_test_whose_p_value_turns_round_is_refused():
    with pytest.raises(InvalidOption, match="`method` must reject monotonically in the count, got 'logit'"):
        plan(against=0.05, error=0.03, method="logit")
    with pytest.raises(InvalidOption, match="`difference` must be error - against"):
        plan(against=0.05, difference=-0.06, examples=100)
    with pytest.raises(InvalidOption, match="at which the test can show that the error rate is below 5%"):
        plan(against=0.05, error=0.06, alternative="less")
    with pytest.raises(InvalidOption, match="must be error - against"):
        plan(against=0.05, error=0.03, difference=-0.01)
