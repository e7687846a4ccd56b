"""TA516: enough clusters for p to reach alpha."""

import numpy as np
import pytest

from tellapart import Outcomes, compare


def analyse(count, **options):
    """Compare A and B; B is better in every cluster but the last."""
    codes = np.repeat(np.arange(count), 2)
    outcomes = Outcomes.from_scores([0, 1] * count, [1, 1] * (count - 1) + [1, 0], clusters=codes)
    return compare(outcomes, **{"method": "wild-cluster"} | options)


def fails():
    return analyse(5)


def holds():
    return analyse(8)


@pytest.mark.parametrize(
    ("count", "options", "smallest"),
    [(5, {}, 2 / 2**4), (7, {}, 2 / 2**6), (6, {"alternative": "greater"}, 1 / 2**5), (6, {"alpha": 0.001}, 2 / 2**5)],
)
def test_the_figure_is_the_smallest_attainable_p_value(check, count, options, smallest):
    """The last cluster is tied; all others can have the same sign."""
    result = check(analyse(count, **options))
    assert result.figure == -smallest
    assert result.holds == (smallest < options.get("alpha", 0.05))
    assert analyse(count, **options).pvalue >= smallest


def test_the_remedy_depends_on_the_number_of_clusters(check, quiet):
    assert check(fails()).remedy == "Add clusters: at least 6 must differ."
    codes = np.repeat(np.arange(12), 2)
    few = Outcomes.from_scores([0, 1] * 12, [1, 1] * 4 + [0, 1] * 8, clusters=codes)
    assert check(compare(few, method="wild-cluster")).remedy == "Use method='cluster-robust', or add clusters."
    assert quiet(analyse(5, method="cluster-robust"))


def test_only_the_wild_bootstrap_has_the_check(carriers):
    assert carriers == {"wild-cluster"}
