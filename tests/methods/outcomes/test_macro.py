"""macro-average against Welch's test, matrices written down here, and what its error must not hold."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart import Outcomes, compare
from tellapart.errors import InvalidEvidence
from tellapart.methods.outcomes.macro import macro_average, macro_moments
from tellapart.methods.outcomes.mean import mean_t
from tellapart.methods.outcomes.sandwich import cluster_cr2

GROUPS = np.repeat(["es", "fi", "ko"], [5, 12, 20])


def one(values, **more):
    return Outcomes.from_scores(values, **{"metric": "rouge"} | more)


@pytest.fixture
def values():
    return np.random.default_rng(0).normal(np.repeat([0.0, 3.0, 9.0], [5, 12, 20]), 1)


def test_two_groups_are_welchs_test(values):
    """The mean of two groups' means is 0 where that of the first is minus that of the second."""
    x, y = values[:5], values[5:17]
    outcomes = one(np.concatenate([x, y]), groups=GROUPS[:17])
    theirs = stats.ttest_ind(x, -y, equal_var=False)
    ours = macro_average(outcomes).test()
    assert_allclose([ours.statistic, ours.pvalue], [theirs.statistic, theirs.pvalue], rtol=1e-12)
    limits = macro_average(outcomes).interval(alpha=0.1)
    assert_allclose(2 * np.array([limits.low, limits.high]), theirs.confidence_interval(0.9), rtol=1e-12)


def test_one_group_is_the_mean_of_all(values):
    alone = one(values, groups=np.zeros(37, dtype=int))
    assert_allclose(macro_average(alone).interval().low, mean_t(alone).interval().low, rtol=1e-12)
    clustered = one(values, groups=np.zeros(37, dtype=int), clusters=np.arange(37) // 3)
    assert_allclose(macro_average(clustered).interval().low, cluster_cr2(clustered).interval().low, rtol=1e-9)


def test_differences_between_groups_are_not_in_its_error(values):
    """Weights of 1/n in each group give the same mean, and an error that groups as far apart as these swell."""
    outcomes = one(values, groups=GROUPS)
    sizes = np.array([np.sum(name == GROUPS) for name in GROUPS])
    weighted = one(values, weights=1 / sizes)
    assert_allclose(
        macro_average(outcomes).location, np.mean([values[name == GROUPS].mean() for name in ("es", "fi", "ko")])
    )
    assert_allclose(macro_average(outcomes).location, weighted.shares @ values)
    assert mean_t(weighted).interval().width > 3 * macro_average(outcomes).interval().width
    moved = one(values + 5.0 * (GROUPS == "ko"), groups=GROUPS)
    assert_allclose(macro_moments(moved).error, macro_moments(outcomes).error, rtol=1e-12)


def test_clusters_in_several_groups_add_up_over_them():
    """By matrices: every cluster's part of the mean of means, with CR2's factor of its group, squared as a whole."""
    rng = np.random.default_rng(1)
    groups, clusters = rng.integers(3, size=60), rng.integers(8, size=60)
    x = rng.normal(size=60) + rng.normal(size=8)[clusters]
    total = np.zeros(8)
    for group in range(3):
        inside = groups == group
        n, distance = inside.sum(), np.where(inside, x - x[inside].mean(), 0)
        sizes = np.bincount(clusters[inside], minlength=8)
        total += np.bincount(clusters, distance, minlength=8) / n / 3 / np.sqrt(1 - sizes / n)
    result = macro_moments(one(x, groups=groups, clusters=clusters))
    assert_allclose(result.error, np.sqrt(np.sum(total**2)), rtol=1e-12)
    assert result.freedom <= 7


def test_a_group_of_one_is_taken_at_its_worst(values):
    """A coin with the ends of the range for its sides has a quarter of the squared range for its variance."""
    groups = np.array(["es"] + ["fi"] * 36)
    bounded = one(values, groups=groups, bounds=(-10, 20))
    other = np.var(values[1:], ddof=1) / 36
    assert_allclose(macro_moments(bounded).error, np.sqrt(30**2 / 4 + other) / 2, rtol=1e-12)
    limits, answer = (
        macro_average(one(values, groups=groups)).interval(),
        macro_average(one(values, groups=groups)).test(),
    )
    assert (limits.low, limits.high, answer.pvalue) == (-np.inf, np.inf, 1)
    assert "TA506" in str(compare(Outcomes.from_scores(values, 0 * values, groups=groups), method="macro-average"))


def test_no_group_varies():
    """As many examples as the smallest group has, of which all but the first repeat it."""
    outcomes = one([0.5] * 21 + [0.7] * 30, groups=[0] * 21 + [1] * 30, bounds=(0, 1))
    limits = macro_average(outcomes).interval()
    hidden = 1 - 0.025**0.05
    assert_allclose([limits.low, limits.high], [0.6 - 0.6 * hidden, 0.6 + 0.4 * hidden], rtol=1e-12)


def test_many_are_a_loop_over_one_and_verbs_tell_its_own_difference():
    rng = np.random.default_rng(2)
    outcomes = Outcomes(rng.normal(size=(3, 2, 37)), groups=GROUPS, clusters=np.arange(37) // 2)
    limits, answer = macro_average(outcomes).interval(), macro_average(outcomes).test()
    for index in range(3):
        assert_allclose(macro_average(outcomes[index]).interval().high, limits.high[index], rtol=1e-12)
        assert_allclose(compare(outcomes[index], method="macro-average").difference, answer.estimate[index], rtol=1e-12)


def test_without_groups_it_says_what_to_do(values):
    with pytest.raises(InvalidEvidence, match=r"'macro-average' needs groups.*`groups`"):
        macro_average(one(values)).test()
