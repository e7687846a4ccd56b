"""TA001, Hodges and Lehmann: n e (1 - e) is at least 10."""

from fractions import Fraction

import pytest

from tellapart import ErrorCount, compare, estimate

NORMAL = {"agresti-coull", "arcsine", "likelihood-ratio", "logit", "wald", "wald-cc", "wilson", "wilson-cc"}


def fails():
    return estimate(ErrorCount(3, 120), method="wilson")


def holds():
    return estimate(ErrorCount(12, 120), method="wilson")


@pytest.mark.parametrize(("errors", "trials"), [(3, 120), (12, 40), (19, 39), (10, 25_000)])
def test_the_figure_is_the_variance_of_the_number_of_errors(check, errors, trials):
    e = Fraction(errors, trials)
    result = check(estimate(ErrorCount(errors, trials), method="wilson"))
    assert result.figure == pytest.approx(float(trials * e * (1 - e)), rel=1e-15)
    assert result.holds == (trials * e * (1 - e) >= 10)


@pytest.mark.parametrize(
    ("errors", "trials"), [(20, 40), (15, 45), (30, 45), (14, 49), (12, 72), (11, 121), (110, 121)]
)
def test_exactly_10_is_enough(check, errors, trials):
    assert errors * (trials - errors) == 10 * trials
    result = check(estimate(ErrorCount(errors, trials), method="wald"))
    assert (result.figure, bool(result.holds)) == (10, True)


@pytest.mark.parametrize(("errors", "trials"), [(19, 39), (11, 120), (10, 25_000)])
def test_a_figure_just_below_is_not_rounded_up(check, errors, trials):
    """10 errors in 25,000 examples have n e (1 - e) = 9.996, and '10, below 10' would be wrong."""
    shown = check(estimate(ErrorCount(errors, trials), method="wilson")).message.split(" = ")[1].split(", below")[0]
    assert float(shown) < 10


def test_the_figure_of_several_entries_is_no_equation(check):
    message = check(estimate(ErrorCount([3, 0], 120), method="wilson")).message
    assert message.startswith("n e (1 - e) down to 0, below 10 (Hodges & Lehmann 1970) in all 2 comparisons: ")


def test_the_remedy_needs_no_normal_approximation(check, quiet):
    message = check(fails()).message
    assert message.startswith("n e (1 - e) = 2.92, below 10 (Hodges & Lehmann 1970): the normal approximation is poor.")
    assert message.endswith("Use method='jeffreys'.")
    assert quiet(estimate(ErrorCount(3, 120), method="jeffreys"))
    assert quiet(compare(ErrorCount(3, 120), against=0.05, method="jeffreys"))


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        ({"method": "wilson", "interval": "jeffreys"}, "Use method='clopper-pearson'."),
        ({"method": "clopper-pearson", "interval": "wilson"}, "Use interval='jeffreys'."),
        ({"method": "wilson"}, "Use method='clopper-pearson' and interval='jeffreys'."),
    ],
)
def test_the_remedy_replaces_what_has_the_check(check, options, remedy):
    assert check(compare(ErrorCount(3, 120), against=0.05, **options)).remedy == remedy


def test_arrays_are_checked_entry_by_entry(check):
    result = check(estimate(ErrorCount([3, 20, 117], [120, 40, 120]), method="wilson"))
    assert result.holds.tolist() == [False, True, False]  # errors and successes count alike
    assert "in 2 of 3 comparisons" in result.message


def test_all_methods_with_a_normal_quantile_have_it(carriers):
    assert carriers == NORMAL
