"""TA517: both errors and successes, so that the likeness within clusters can be seen."""

import numpy as np
import pytest

from tellapart import Outcomes, estimate


def answer_for(errors, method="rao-scott-wilson"):
    scores = [0] * errors + [1] * (60 - errors)
    return estimate(Outcomes.from_scores(scores, clusters=np.arange(60) % 12), method=method)


def fails():
    return answer_for(0)


def holds():
    return answer_for(5)


@pytest.mark.parametrize(("errors", "rarer"), [(0, 0), (1, 1 / 60), (50, 10 / 60), (60, 0)])
def test_the_rarer_of_the_two_is_counted(check, errors, rarer):
    result = check(answer_for(errors))
    assert result.figure == pytest.approx(rarer, abs=1e-12)
    assert result.holds == (0 < errors < 60)


def test_every_cluster_is_one_example_then():
    """The limit for 12 trials, not for 60."""
    assert fails().interval.high > 12 / 60
    assert "each cluster counts as one example" in " ".join(str(fails()).split())


def test_only_more_clusters_help(check, quiet):
    assert check(fails()).remedy == "Add clusters."
    assert answer_for(0, "mean-t").interval.high < fails().interval.high
    assert quiet(answer_for(0, "mean-t"))


def test_only_the_interval_of_one_rate_carries_it(carriers):
    assert carriers == {"rao-scott-wilson"}
