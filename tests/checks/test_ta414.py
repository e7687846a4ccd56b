"""TA414: at least 5 runs of each learner."""

import numpy as np
import pytest

from tellapart import Resamples, compare

RUNS = [0.91, 0.90, 0.92, 0.93, 0.89, 0.94]


def analyse(a, b, method="probability-better-run"):
    evidence = Resamples.from_scores(RUNS[:a], [score + 0.02 for score in RUNS[:b]], plan="seeds")
    return compare(evidence, method=method)


def fails():
    return analyse(4, 5)


def holds():
    return analyse(5, 5)


@pytest.mark.parametrize(("a", "b", "figure"), [(4, 5, 4), (5, 4, 4), (5, 6, 5), (6, 5, 5), (3, 3, 3)])
def test_the_fewer_runs_count(check, a, b, figure):
    result = check(analyse(a, b))
    assert (result.figure, bool(result.holds)) == (figure, figure >= 5)


def test_bootstrap_samples_of_few_values_vary_too_little():
    """Over all 27 bootstrap samples of three runs the mean has two thirds of the variance s²/3."""
    runs = np.array(RUNS[:3])
    draws = np.array(np.meshgrid(runs, runs, runs)).reshape(3, -1).mean(axis=0)
    assert draws.var() == pytest.approx(2 / 3 * runs.var(ddof=1) / 3)


def test_the_remedy_accounts_for_the_number_of_runs(check, quiet):
    assert "4 runs of a learner, fewer than 5" in check(fails()).message
    assert "Use more seeds, or method='welch'." in check(fails()).message
    assert quiet(analyse(4, 5, "welch"))


def test_only_the_bootstrap_of_runs_has_the_check(carriers):
    assert carriers == {"probability-better-run"}
