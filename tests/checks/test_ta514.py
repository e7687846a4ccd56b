"""TA514: the cluster means differ."""

import numpy as np
import pytest

from tellapart import Outcomes, compare


def analyse(a, b, clusters, method="cluster-robust", **facts):
    return compare(Outcomes.from_scores(a, b, clusters=clusters, **facts), method=method)


def fails():
    """Compare on passages that all have one question that only B solves."""
    return analyse([1, 0] * 12, [1, 1] * 12, np.repeat(np.arange(12), 2))


def holds():
    return analyse([1, 0] * 12, [1, 1] * 11 + [1, 0], np.repeat(np.arange(12), 2))


@pytest.mark.parametrize("method", ["cluster-robust", "cluster-cr0", "wild-cluster", "yang"])
def test_a_single_cluster_fails(check, method):
    assert not check(analyse([1, 0, 1, 0], [1, 1, 1, 0], [7] * 4, method)).holds


def test_rounding_error_is_not_a_difference(check):
    """The same scores in another order do not add up to the same float."""
    codes = np.repeat(np.arange(12), 3)
    assert not check(analyse([0.1, 0.2, 0.3] * 12, [0.4, 0.5, 0.6] * 12, codes, metric="x")).holds
    assert not check(analyse([0.1, 0.2, 0.3] * 12, [0.3, 0.1, 0.2] * 12, codes, metric="x")).holds


def test_the_interval_has_a_width():
    limits = fails().interval
    assert limits.low < 0.5 < limits.high
    open_ended = analyse([0.1] * 24, [0.2] * 24, np.repeat(np.arange(12), 2), metric="x")
    assert (open_ended.interval.low, open_ended.interval.high) == (-np.inf, np.inf)


def test_the_remedy_is_for_independent_examples(check, quiet):
    assert "method='mean-t'" in check(fails()).message
    assert quiet(analyse([1, 0] * 12, [1, 1] * 12, None, "mean-t"))


def test_every_standard_error_between_clusters_has_the_check(carriers):
    assert {"cluster-robust", "cluster-cr0", "cluster-cr1", "cluster-cr2", "cluster-bootstrap"} <= carriers
