"""TA414: each learner has five runs."""

import numpy as np
import pytest

from tellapart import Resamples, compare

RUNS = [0.91, 0.90, 0.92, 0.93, 0.89, 0.94]


def answer_for(a, b, method="probability-better-run"):
    evidence = Resamples.from_scores(RUNS[:a], [score + 0.02 for score in RUNS[:b]], plan="seeds")
    return compare(evidence, method=method)


def fails():
    return answer_for(4, 5)


def holds():
    return answer_for(5, 5)


@pytest.mark.parametrize(("a", "b", "figure"), [(4, 5, 4), (5, 4, 4), (5, 6, 5), (6, 5, 5), (3, 3, 3)])
def test_the_fewer_runs_count(check, a, b, figure):
    result = check(answer_for(a, b))
    assert (result.figure, bool(result.holds)) == (figure, figure >= 5)


def test_few_values_drawn_anew_vary_too_little():
    """Of all 27 draws of three runs, the mean varies by two thirds of s²/3."""
    runs = np.array(RUNS[:3])
    draws = np.array(np.meshgrid(runs, runs, runs)).reshape(3, -1).mean(axis=0)
    assert draws.var() == pytest.approx(2 / 3 * runs.var(ddof=1) / 3)


def test_the_way_out_allows_for_their_number(check, quiet):
    assert "4 runs of a learner, fewer than 5" in check(fails()).message
    assert "Use more seeds, or method='welch'." in check(fails()).message
    assert quiet(answer_for(4, 5, "welch"))


def test_only_the_bootstrap_of_runs_carries_it(carriers):
    assert carriers == {"probability-better-run"}
