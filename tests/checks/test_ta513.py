"""TA513: at least 2 examples in the largest cluster."""

import numpy as np

from tellapart import Outcomes, compare

SCORES = np.random.default_rng(4).integers(0, 2, size=(2, 30))


def analyse(clusters, method="cluster-robust"):
    return compare(Outcomes.from_scores(*SCORES, clusters=clusters), method=method)


def fails():
    return analyse(np.arange(30))


def holds():
    return analyse(np.arange(30) // 2)


def test_the_largest_cluster_is_counted(check):
    assert check(fails()).figure == 1
    assert check(holds()).figure == 2
    assert check(analyse([0, 0, *range(1, 29)])).holds


def test_no_clusters_are_clusters_of_one(check):
    assert not check(analyse(None)).holds


def test_the_remedy_gives_the_same_p_value(check):
    assert "the column may be the wrong one" in check(fails()).message
    assert "method='mean-t'" in check(fails()).message
    plain = compare(Outcomes.from_scores(*SCORES, clusters=np.arange(30)), method="mean-t")
    assert np.isclose(plain.pvalue, fails().pvalue)


def test_every_method_for_clusters_has_the_check(carriers):
    assert {"cluster-robust", "wild-cluster", "yang", "cluster-bootstrap"} < carriers
    assert carriers.isdisjoint({"mean-t", "rao-scott-wilson"})  # they are also for examples without clusters
