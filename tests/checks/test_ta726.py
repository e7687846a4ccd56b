"""TA726: split R-hat is at most 1.01."""

import numpy as np

from tellapart import ScoreTable, compare


def analyse(**options):
    """Compare A with B, which is better by about 2 percentage points on nine data sets of ten folds."""
    rng = np.random.default_rng(26)
    gains = rng.normal(rng.normal(0.02, 0.01, (9, 1)), 0.02, (9, 10))
    scores = {"A": np.full((9, 10), 0.8), "B": 0.8 + gains}
    table = ScoreTable.from_scores(scores, metric="accuracy", rho=0.1)
    return compare(table, **{"method": "hierarchical"} | options)


def fails():
    """Compare by chains of four draws each."""
    return analyse(draws=128)


def holds():
    return analyse()


def test_the_draws_of_the_result_are_checked(check):
    """Draws of earlier calls do not count."""
    few = analyse(draws=128)
    assert check(few).figure < -1.01 <= check(analyse()).figure <= -0.99
    assert check(analyse(draws=128)).figure == check(few).figure == -few.interval.mixing.agreement


def test_the_worse_of_two_sets_of_draws_counts(check):
    """With a generator, test and interval have different draws; the worse convergence counts."""
    result = analyse(draws=160, rng=np.random.default_rng(5))
    both = result.test.mixing.agreement, result.interval.mixing.agreement
    assert both[0] != both[1]
    assert check(result).figure == -max(both)


def test_draws_for_an_interval_or_a_margin_are_checked(check):
    beside = analyse(method="paired-t", interval="hierarchical", draws=128)
    assert check(beside).figure == -beside.interval.mixing.agreement < -1.01
    assert check(analyse(margin=0.01, hypothesis="equivalent", draws=128)).figure < -1.01


def test_the_message_has_the_figure_without_its_sign(check):
    assert f"split R-hat {-fails().checks[0].figure:.3g} (limit 1.01" in check(fails()).message


def test_the_remedy_needs_no_draws(check, quiet):
    assert "'random-effects'" in check(fails()).message
    assert quiet(analyse(method="random-effects"))


def test_only_the_method_with_chains_has_the_check(carriers):
    assert carriers == {"hierarchical"}
