"""TA727: effective sample size of the draws at least 400."""

import numpy as np

from tellapart import ScoreTable, compare


def analyse(**options):
    """Compare A with B, which is better by about 2 percentage points on nine data sets of ten folds."""
    rng = np.random.default_rng(27)
    gains = rng.normal(rng.normal(0.02, 0.01, (9, 1)), 0.02, (9, 10))
    scores = {"A": np.full((9, 10), 0.8), "B": 0.8 + gains}
    table = ScoreTable.from_scores(scores, metric="accuracy", rho=0.1)
    return compare(table, **{"method": "hierarchical"} | options)


def fails():
    return analyse(draws=320)


def holds():
    return analyse()


def test_more_draws_have_a_larger_effective_sample_size(check):
    few, many = check(fails()).figure, check(holds()).figure
    assert few < 320  # the draws of a chain are correlated
    assert 2000 < many < 10_000


def test_probabilities_vary_between_seeds():
    """The standard error of a probability p from n independent draws is √(p(1 − p)/n), about 0.04 here."""
    result = [float(analyse(draws=160, rng=seed, rope=0.025).test.statistic) for seed in range(8)]
    error = np.sqrt(np.mean(result) * (1 - np.mean(result)) / 160)
    assert 0.5 < np.std(result) / error < 2


def test_the_remedy_needs_no_draws(check, quiet):
    assert "draws=100000" in check(fails()).message
    assert "'random-effects'" in check(fails()).message
    assert quiet(analyse(method="random-effects"))
