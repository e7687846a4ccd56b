"""estimate and compare: what is chosen, what is refused, what is checked, and how it is told."""

import json
import re
from html import unescape

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import BetaPrior, ErrorCount, compare, estimate, find_methods
from tellapart.errors import InvalidEvidence, InvalidOption, UnknownMethod
from tellapart.results import Comparison, Estimate

INTERVALS = find_methods(evidence=ErrorCount, gives="interval")
TESTS = find_methods(evidence=ErrorCount, gives="test")
FORBIDDEN = [method for method in INTERVALS if method.standing == "forbidden"]
COUNT = ErrorCount(3, 120)


def by_name(method):
    return method.name


def needs_of(method):
    """Return the options that a method cannot do without."""
    return {name: value for name, value in {"prior": (1, 3), "pool": 10**12}.items() if name in method.required}


def verdicts(errors, trials, method="wilson", **options):
    """Whether each check holds, by its code."""
    return {
        check.code: bool(check.holds) for check in estimate(ErrorCount(errors, trials), method=method, **options).checks
    }


def figure(code, errors, trials, method="wilson"):
    checks = estimate(ErrorCount(errors, trials), method=method).checks
    return next(float(check.figure) for check in checks if check.code == code)


def failed(result):
    return {check.code: check.message for check in result.checks if not np.all(check.holds)}


def one_line(text):
    return " ".join(text.split())


# --- What is chosen ---


def test_the_default_is_jeffreys_interval_and_the_exact_test():
    answer = estimate(COUNT)
    assert isinstance(answer, Estimate)
    assert answer.method == answer.interval.method == "jeffreys"
    assert isinstance(compare(COUNT, against=0.05), Comparison)
    assert compare(COUNT, against=0.05).method == compare(COUNT, against=0.05).interval.method == "clopper-pearson"


@pytest.mark.parametrize(
    ("prior", "method", "text"),
    [
        ((1, 3), "beta", "prior Beta(1, 3)"),
        ([0.5, 0.5], "beta", "prior Beta(1/2, 1/2)"),
        (BetaPrior(2, 5), "beta", "prior Beta(2, 5)"),
        ("error-rates", "beta", "prior Beta(1, 3.67)"),  # Martin and Hirschberg 1996, appendix A.4
        (lambda error: 1 - error, "posterior", "prior given as a function"),
    ],
)
def test_a_prior_alone_means_the_posterior_and_the_interval_row_names_it(prior, method, text):
    assert estimate(COUNT, prior=prior).method == method
    assert text in " ".join(str(estimate(COUNT, prior=prior)).split())
    assert compare(COUNT, against=0.05, prior=prior).method == method
    assert text in " ".join(str(compare(COUNT, against=0.05, prior=prior)).split())


@pytest.mark.parametrize("method", INTERVALS, ids=by_name)
def test_the_estimate_is_errors_per_trial_whatever_the_interval(method):
    answer = estimate(ErrorCount(12, 40), method=method.name, **needs_of(method))
    assert answer.estimate == 12 / 40
    assert answer.method == answer.interval.method == method.name


@pytest.mark.parametrize("method", TESTS, ids=by_name)
def test_beside_a_test_stands_the_interval_of_its_name(method):
    answer = compare(ErrorCount(12, 40), against=0.2, method=method.name, **needs_of(method))
    assert answer.method == answer.interval.method == method.name


def test_an_interval_of_another_name_may_stand_beside_a_test():
    answer = compare(COUNT, against=0.05, method="mid-p", interval="wilson")
    assert (answer.method, answer.interval.method) == ("mid-p", "wilson")
    assert_allclose(answer.interval.low, estimate(COUNT, method="wilson").interval.low)
    assert "TA001" in failed(answer)  # the interval's assumptions are examined, too


# --- Level and side ---


def test_alpha_and_level_say_the_same():
    for one in (estimate(COUNT, level=0.99), estimate(COUNT, alpha=0.01, level=0.99)):
        assert_allclose(one.interval.high, estimate(COUNT, alpha=0.01).interval.high, rtol=1e-12)


def test_alpha_keeps_the_digits_that_a_level_near_1_has_lost():
    assert estimate(COUNT, alpha=1e-12).interval.alpha == 1e-12
    assert "1 - 1e-12" in estimate(COUNT, alpha=1e-12).words


@pytest.mark.parametrize("level", [0.3, 0.9, 0.95, 0.999])
def test_a_level_comes_back_as_it_was_given(level):
    assert estimate(COUNT, level=level).interval.level == level
    assert compare(COUNT, against=0.05, level=level).interval.level == level


def test_contradicting_level_and_alpha_are_refused():
    for ask in (estimate, lambda count, **note: compare(count, against=0.05, **note)):
        with pytest.raises(InvalidOption, match="`alpha` must be 1 - level"):
            ask(COUNT, level=0.95, alpha=0.01)
        with pytest.raises(InvalidOption, match=r"got 95. For 95% use 0.95"):
            ask(COUNT, level=95)


@pytest.mark.parametrize("method", INTERVALS, ids=by_name)
def test_a_bound_ends_where_error_rates_end(method):
    request = {"method": method.name, "alpha": 0.025, **needs_of(method)}
    upper, lower = (estimate(COUNT, side=side, **request).interval for side in ("upper", "lower"))
    assert (upper.low, lower.high) == (0, 1)
    assert (upper.side, lower.side) == ("upper", "lower")


@pytest.mark.parametrize(("alternative", "side"), [("two-sided", "two"), ("less", "upper"), ("greater", "lower")])
def test_the_alternative_picks_the_side_of_the_interval(alternative, side):
    assert compare(COUNT, against=0.05, alternative=alternative).interval.side == side


# --- What is refused ---


@pytest.mark.parametrize("name", ["nope", "Jeffreys", "", 3, ["wald"]])
def test_an_unknown_method_lists_those_that_could_answer(name):
    with pytest.raises(UnknownMethod) as caught:
        estimate(COUNT, method=name)
    assert f"unknown method {name!r}" in str(caught.value)
    assert (
        "wald" in str(caught.value)
        or f"one of the {len(INTERVALS)}" in str(caught.value)
        or "Did you mean" in str(caught.value)
    )


@pytest.mark.parametrize("name", ["nope", ""])
def test_an_unknown_interval_beside_a_test_is_refused(name):
    with pytest.raises(UnknownMethod, match="unknown method"):
        compare(COUNT, against=0.05, interval=name)


def test_the_name_of_an_interval_without_a_test_goes_with_the_default_test():
    answer = compare(COUNT, against=0.05, method="percentile")
    assert (answer.interval.method, answer.method) == ("percentile", compare(COUNT, against=0.05).method)


def test_a_name_that_is_neither_lists_the_tests():
    with pytest.raises(UnknownMethod) as caught:
        compare(COUNT, against=0.05, method="nope")
    assert f"Choose one of the {len(TESTS)} that `tellapart methods` lists" in str(caught.value)


@pytest.mark.parametrize(("method", "known"), [("jeffreys", "raw, "), ("wald", ""), ("beta-binomial-cs", "prior, ")])
def test_an_unknown_option_lists_the_known_ones(method, known):
    with pytest.raises(InvalidOption) as caught:
        estimate(COUNT, method=method, colour="red")
    assert f"unknown option `colour` of method '{method}'. Choose one of: {known}level, alpha." in str(caught.value)


def test_an_unknown_option_of_test_and_interval_names_each_method_once():
    with pytest.raises(InvalidOption, match=r"unknown option `colour` of method 'jeffreys'\. Choose one of: raw"):
        compare(COUNT, against=0.05, method="jeffreys", colour="red")


@pytest.mark.parametrize("stranger", ["against", "alternative", "margin"])
def test_options_of_comparisons_are_none_of_estimates(stranger):
    with pytest.raises(InvalidOption, match=f"^unknown option `{stranger}`"):
        estimate(COUNT, **{stranger: 0.05})


def test_the_side_of_a_comparison_is_refused_by_its_alternative():
    with pytest.raises(InvalidOption, match=r"side.*alternative"):
        compare(COUNT, against=0.05, side="upper")


@pytest.mark.parametrize("method", ["beta", "posterior"])
def test_a_missing_prior_is_required(method):
    with pytest.raises(InvalidOption, match=rf"`prior` is required by method '{method}'.*use prior=\(0.5, 0.5\)"):
        estimate(COUNT, method=method)
    with pytest.raises(InvalidOption, match=rf"`prior` is required by method '{method}'"):
        compare(COUNT, against=0.05, method=method)


@pytest.mark.parametrize("prior", [(0, 1), (1, -1), (np.nan, 1), (1, np.inf), (1, 2, 3), 5, None, "nope", ("a", "b")])
def test_a_prior_that_is_none_is_refused(prior):
    with pytest.raises(InvalidOption, match=r"^`?prior`? must be"):
        estimate(COUNT, prior=prior)


def test_a_missing_threshold_is_required():
    with pytest.raises(InvalidOption, match="`against` is required to compare one error count with a threshold"):
        compare(COUNT)


@pytest.mark.parametrize("against", [0, 1, 5, -0.1, np.nan, np.inf, True, "0.05", "x", [0.05, 0.1], 1j])
@pytest.mark.parametrize("method", ["jeffreys", "wilson", "blaker"])
def test_a_threshold_that_is_no_error_rate_is_refused(method, against):
    with pytest.raises(InvalidOption, match="`against` must be"):
        compare(COUNT, against=against, method=method)


def test_thresholds_must_be_one_or_one_for_each_count():
    with pytest.raises(InvalidOption, match="`against` must be an error rate, or one for each entry"):
        compare(ErrorCount([3, 0, 60], 120), against=[0.05, 0.1])


@pytest.mark.parametrize("stranger", [3, (3, 120), None, "3 of 120", np.array([3, 120])])
def test_what_is_no_evidence_is_refused_what_to_write(stranger):
    kind = "None" if stranger is None else type(stranger).__name__
    for ask in (estimate, lambda what: compare(what, against=0.05)):
        with pytest.raises(InvalidEvidence, match=rf", got {kind}\. Use PairedTable\(\.\.\.\) or ErrorCount"):
            ask(stranger)


@pytest.mark.parametrize(("option", "value"), [("side", "up"), ("side", None), ("side", 2)])
def test_a_side_that_is_none_lists_the_three(option, value):
    with pytest.raises(InvalidOption, match="`side` must be one of 'two', 'upper', 'lower'"):
        estimate(COUNT, **{option: value})


def test_an_alternative_that_is_none_lists_the_three():
    with pytest.raises(InvalidOption, match="`alternative` must be one of 'two-sided', 'greater', 'less'"):
        compare(COUNT, against=0.05, alternative="upper")


def test_options_go_by_keyword():
    with pytest.raises(TypeError):
        estimate(COUNT, "wald")


# --- Who is better ---


@pytest.mark.parametrize(
    ("errors", "trials", "alternative", "better"),
    [
        (0, 500, "two-sided", "A"),
        (60, 120, "two-sided", "B"),
        (6, 120, "two-sided", None),
        (0, 500, "less", "A"),
        (0, 500, "greater", None),
        (60, 120, "greater", "B"),
        (60, 120, "less", None),
    ],
)
@pytest.mark.parametrize("method", ["jeffreys", "clopper-pearson", "wilson", "mid-p"])
def test_better_is_who_the_test_says(method, errors, trials, alternative, better):
    """A is the classifier and B the threshold, here 0.05, which nobody takes for 0 of 500 or 60 of 120."""
    assert compare(ErrorCount(errors, trials), against=0.05, method=method, alternative=alternative).better == better


def test_59_without_an_error_show_less_than_five_percent():
    """0.95^59 = 0.0485 < 0.05 < 0.0510 = 0.95^58."""
    none = compare(ErrorCount(0, [58, 59]), against=0.05, method="clopper-pearson", alternative="less")
    every = compare(ErrorCount([58, 59], [58, 59]), against=0.95, method="clopper-pearson", alternative="greater")
    assert_allclose([none.pvalue, every.pvalue], [[0.95**58, 0.95**59]] * 2, rtol=1e-12)
    assert none.better.tolist() == [None, "A"]
    assert every.better.tolist() == [None, "B"]


def test_the_difference_is_error_minus_threshold():
    answer = compare(ErrorCount([3, 60], 120), against=0.05)
    assert_allclose(answer.difference, [0.025 - 0.05, 0.5 - 0.05])


@pytest.mark.parametrize(
    "against", [(0.05, 0.1, 0.2), [0.05, 0.1, 0.2], np.array([0.05, 0.1, 0.2])], ids=["tuple", "list", "array"]
)
def test_each_count_may_have_its_threshold(against):
    answer = compare(ErrorCount([0, 12, 60], 120), against=against)
    assert answer.better.tolist() == ["A", None, "B"]
    assert answer[1].against == 0.1
    assert "10%" in answer[1].words
    assert json.loads(answer.to_json())["against"] == [0.05, 0.1, 0.2]


@pytest.mark.parametrize(
    ("method", "interval", "better"), [("jeffreys", "wald", None), ("wald", "clopper-pearson", "A")]
)
def test_the_interval_row_says_that_the_test_decides_if_they_contradict(method, interval, better):
    """At 0 of 20, Wald takes the error for known; Clopper and Pearson's upper limit is 1 − 0.025^(1/20) = 0.168."""
    answer = compare(ErrorCount(0, 20), against=0.05, method=method, interval=interval)
    assert answer.better == better
    assert " the threshold, the test decides" in " ".join(str(answer).split())


@pytest.mark.parametrize("method", ["jeffreys", "clopper-pearson", "mid-p", "wilson"])
def test_test_and_interval_of_one_name_do_not_contradict(method):
    answer = compare(ErrorCount(np.arange(41), 40), against=0.1, method=method)
    assert not [str(entry) for entry in answer if "the test decides" in str(entry)]


# --- Many counts at once ---


@pytest.mark.parametrize("method", ["jeffreys", "wald", "logit", "blaker"])
def test_a_batch_is_a_loop(method):
    counts = ErrorCount([[0, 1, 12], [20, 39, 40]], 40)
    answer = estimate(counts, method=method)
    assert answer.shape == (2, 3)
    for index in np.ndindex(2, 3):
        alone = estimate(counts[index], method=method)
        assert_allclose(
            [answer[index].interval.low, answer[index].interval.high], [alone.interval.low, alone.interval.high]
        )
        assert failed(answer[index]) == failed(alone)
        assert answer[index].words == alone.words


def test_checks_of_many_have_the_shape_of_the_counts():
    checks = estimate(ErrorCount([[0, 12], [20, 1]], 40), method="wald").checks
    assert {check.shape for check in checks} == {(2, 2)}


# --- Checks: the criteria for the normal approximation, with figures computed by hand ---


def test_mitchells_example_by_all_five_criteria():
    """12 of 40: n·e·(1−e) = 40·0.3·0.7 = 8.4 is enough for Mitchell and not for Hodges & Lehmann."""
    assert verdicts(12, 40) == {
        "TA001": False,
        "TA002": True,
        "TA003": True,
        "TA004": True,
        "TA005": True,
        "TA007": True,
    }
    assert_allclose([figure("TA001", 12, 40), figure("TA005", 12, 40)], 8.4, rtol=1e-12)
    assert (figure("TA002", 12, 40), figure("TA004", 12, 40)) == (12, 40)
    assert_allclose(figure("TA003", 12, 40), 0.3 - 2 * (0.21 / 40) ** 0.5, rtol=1e-12)
    message = failed(estimate(ErrorCount(12, 40), method="wilson"))["TA001"]
    assert "8.4, below 10" in message
    assert "Hodges & Lehmann" in message


def test_how_far_something_leaves_is_refused_without_a_minus_sign():
    answer = estimate(ErrorCount(3, 120), method="wald")
    assert not [message for message in failed(answer).values() if "by -" in message]


@pytest.mark.parametrize("method", INTERVALS, ids=by_name)
@pytest.mark.parametrize("side", ["two", "upper"])
def test_every_failed_check_is_shown_everywhere_and_names_another_method(method, side):
    names = {other.name for other in INTERVALS} - {method.name}
    counts = ErrorCount([0, 2, 500], [20, 500, 500])
    for count in (counts, *counts):
        answer = estimate(
            count, method=method.name, side=side, alpha=0.05 if side == "two" else 0.025, **needs_of(method)
        )
        html, note = unescape(answer._repr_html_()), json.loads(answer.to_json())
        for code, message in failed(answer).items():
            assert any(re.search(rf"(?<![\w-]){name}(?![\w-])", message) for name in names), message
            assert f"{code}: {message}" in one_line(str(answer))
            assert f"| caution | {code}: {message} |" in answer.to_markdown()
            assert f"{code}: {message}" in html
            assert code in answer.to_latex()
            assert {"code": code, "message": message} in [
                {"code": check["code"], "message": check["message"]}
                for check in note["checks"]
                if not np.all(check["holds"])
            ]


def test_checks_are_examined_once_each():
    codes = [check.code for check in compare(COUNT, against=0.05, method="wilson", interval="wilson-cc").checks]
    assert len(codes) == len(set(codes))


# --- Never a Python warning, and no NaN where an answer exists (pytest makes an error of each warning) ---

NASTY = ErrorCount(
    [0, 1, 0, 1, 2, 0, 1, 20, 39, 40, 0, 3, 10**9], [1, 1, 2, 2, 2, 40, 40, 40, 40, 40, 10**9, 10**9, 10**9]
)


@pytest.mark.parametrize("method", INTERVALS, ids=by_name)
@pytest.mark.parametrize("side", ["two", "upper", "lower"])
def test_no_count_makes_an_interval_warn(method, side):
    answer = estimate(NASTY, method=method.name, side=side, alpha=0.05 if side == "two" else 0.025, **needs_of(method))
    assert np.all(np.isfinite(answer.interval.low))
    assert np.all(np.isfinite(answer.interval.high))
    for entry in answer:
        assert str(entry)
        assert json.loads(entry.to_json())


@pytest.mark.parametrize("method", TESTS, ids=by_name)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_no_count_makes_a_test_warn(method, alternative):
    answer = compare(NASTY, against=0.05, method=method.name, alternative=alternative, **needs_of(method))
    assert np.all((answer.pvalue > 0) & (answer.pvalue <= 1))
    for entry in answer:
        assert str(entry)
        assert json.loads(entry.to_json())


def test_the_evidence_comes_back_with_the_answer():
    answer = estimate(ErrorCount([3, 0], 120))
    assert_array_equal(answer.evidence.errors, [3, 0])
    assert compare(COUNT, against=0.05).evidence is COUNT


def test_the_summary_ends_with_the_scope():
    for answer in (estimate(COUNT), compare(COUNT, against=0.05)):
        assert answer.words.endswith("Applies to this trained model on data from the same source, not to retraining.")


@pytest.mark.parametrize("name", ["uniform", "wald-cc", "jeffreys-approx", "jeffreys-handbook"])
def test_a_heuristic_says_that_it_is_one_and_why(name):
    (method,) = find_methods(name=name, gives="interval")
    assert f"heuristic ({method.rationale})" in " ".join(estimate(ErrorCount(30, 120), method=name).explain().split())
    assert "heuristic" not in estimate(ErrorCount(30, 120)).explain()
