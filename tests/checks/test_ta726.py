"""TA726: the chains of draws agree."""

import numpy as np

from tellapart import ScoreTable, compare


def ask(**options):
    """Compare A with B, who is better by about two points on nine data sets of ten folds."""
    rng = np.random.default_rng(26)
    gains = rng.normal(rng.normal(0.02, 0.01, (9, 1)), 0.02, (9, 10))
    scores = {"A": np.full((9, 10), 0.8), "B": 0.8 + gains}
    table = ScoreTable.from_scores(scores, metric="accuracy", rho=0.1)
    return compare(table, **{"method": "hierarchical"} | options)


def fails():
    """Chains of four draws each."""
    return ask(draws=128)


def holds():
    return ask()


def test_the_draws_behind_the_answer_are_judged(check):
    """Whatever was drawn from these scores before, or by the other of test and interval."""
    few = ask(draws=128)
    assert check(few).figure < -1.01 <= check(ask()).figure <= -0.99
    assert check(ask(draws=128)).figure == check(few).figure == -few.interval.mixing.agreement


def test_draws_of_a_generator_are_those_it_made(check):
    """A generator gives the test and the interval draws of their own: the worse of both are told."""
    result = ask(draws=160, rng=np.random.default_rng(5))
    both = result.test.mixing.agreement, result.interval.mixing.agreement
    assert both[0] != both[1]
    assert check(result).figure == -max(both)


def test_draws_behind_an_interval_or_a_margin_are_judged_as_well(check):
    beside = ask(method="paired-t", interval="hierarchical", draws=128)
    assert check(beside).figure == -beside.interval.mixing.agreement < -1.01
    assert check(ask(margin=0.01, hypothesis="equivalent", draws=128)).figure < -1.01


def test_the_message_has_the_figure_without_its_sign(check):
    assert f"split R-hat {-fails().checks[0].figure:.3g} (limit 1.01" in check(fails()).message


def test_the_way_out_needs_no_draws(check, quiet):
    assert "'random-effects'" in check(fails()).message
    assert quiet(ask(method="random-effects"))


def test_only_who_draws_by_chains_carries_it(carriers):
    assert carriers == {"hierarchical"}
