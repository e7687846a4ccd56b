"""TA727: the draws are worth enough independent ones."""

import numpy as np

from tellapart import ScoreTable, compare


def ask(**options):
    """Compare A with B, who is better by about two points on nine data sets of ten folds."""
    rng = np.random.default_rng(27)
    gains = rng.normal(rng.normal(0.02, 0.01, (9, 1)), 0.02, (9, 10))
    scores = {"A": np.full((9, 10), 0.8), "B": 0.8 + gains}
    table = ScoreTable.from_scores(scores, metric="accuracy", rho=0.1)
    return compare(table, **{"method": "hierarchical"} | options)


def fails():
    return ask(draws=320)


def holds():
    return ask()


def test_more_draws_are_worth_more(check):
    few, many = check(fails()).figure, check(holds()).figure
    assert few < 320  # draws of a chain that remember one another a little
    assert 2000 < many < 10_000


def test_a_seed_gives_visibly_other_probabilities_where_it_fails():
    """The standard error of a probability p by n independent draws is √(p(1 − p)/n), some 0.04 here."""
    result = [float(ask(draws=160, rng=seed, rope=0.025).test.statistic) for seed in range(8)]
    error = np.sqrt(np.mean(result) * (1 - np.mean(result)) / 160)
    assert 0.5 < np.std(result) / error < 2


def test_the_way_out_needs_no_draws(check, quiet):
    assert "draws=100000" in check(fails()).message
    assert "'random-effects'" in check(fails()).message
    assert quiet(ask(method="random-effects"))
