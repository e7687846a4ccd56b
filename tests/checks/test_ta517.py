"""TA517: there are both errors and correct answers."""

import numpy as np
import pytest

from tellapart import Outcomes, estimate


def analyse(errors, method="rao-scott-wilson"):
    scores = [0] * errors + [1] * (60 - errors)
    return estimate(Outcomes.from_scores(scores, clusters=np.arange(60) % 12), method=method)


def fails():
    return analyse(0)


def holds():
    return analyse(5)


@pytest.mark.parametrize(("errors", "rarer"), [(0, 0), (1, 1 / 60), (50, 10 / 60), (60, 0)])
def test_the_figure_is_the_share_of_the_rarer_outcome(check, errors, rarer):
    result = check(analyse(errors))
    assert result.figure == pytest.approx(rarer, abs=1e-12)
    assert result.holds == (0 < errors < 60)


def test_every_cluster_counts_as_one_example():
    """The limit for 12 trials, not for 60."""
    assert fails().interval.high > 12 / 60
    assert "each cluster counts as one example" in " ".join(str(fails()).split())


def test_only_more_clusters_help(check, quiet):
    assert check(fails()).remedy == "Add clusters."
    assert analyse(0, "mean-t").interval.high < fails().interval.high
    assert quiet(analyse(0, "mean-t"))


def test_only_the_interval_of_one_rate_has_the_check(carriers):
    assert carriers == {"rao-scott-wilson"}
