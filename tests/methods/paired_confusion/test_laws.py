"""Laws that every method for two classifiers by a metric obeys; run over the registry."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import compare
from tellapart.errors import InvalidOption
from tellapart.evidence import PairedConfusion
from tellapart.methods import find_method, find_methods

METHODS = find_methods(evidence=PairedConfusion)
TESTS = [method for method in METHODS if method.gives == "test"]
INTERVALS = [method for method in METHODS if method.gives == "interval"]
PAIRS = [method for method in TESTS if method.name in {each.name for each in INTERVALS}]
METRICS = ("accuracy", "recall", "precision", "f1", "balanced-accuracy", "mcc", "f1-macro", "cost")
COSTS = {"costs": [[0, 1], [5, 0]]}
laws = settings(derandomize=True, deadline=None, max_examples=10)
cell = st.one_of(st.just(0), st.integers(0, 9), st.integers(0, 10**9))
cubes = st.lists(cell, min_size=8, max_size=8).filter(any)
alphas = st.one_of(st.sampled_from([0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12]), st.floats(1e-12, 0.49))


def every(methods):
    return pytest.mark.parametrize("method", methods, ids=lambda method: f"{method.name}-{method.gives}")


def served(method):
    """Return a metric or two that the method serves."""
    return [metric for metric in METRICS if method.serves(metric)][:3]


def answer_for(counts, metric):
    return PairedConfusion(np.reshape(counts, (-1, 2, 2, 2))).by(metric, **(COSTS if metric == "cost" else {}))


def few(method):
    return {"resamples": 200} if "resamples" in method.options else {}


def opposite(word):
    return {"greater": "less", "less": "greater", "upper": "lower", "lower": "upper"}.get(word, word)


@every(TESTS)
@laws
@given(st.lists(cubes, min_size=1, max_size=4), st.sampled_from(["two-sided", "greater", "less"]), st.data())
def test_a_p_value_is_one_or_says_that_there_is_none(method, counts, alternative, data):
    pair = answer_for(counts, data.draw(st.sampled_from(served(method))))
    result = method(pair, alternative=alternative, **few(method))
    defined = np.isfinite(pair.levels).all(axis=-1)
    assert np.all(np.isnan(result.pvalue) == ~defined)
    assert np.all((result.pvalue[defined] > 0) & (result.pvalue[defined] <= 1))
    if not few(method):  # of other entries, or of others beside them, there are other draws
        one = method(pair[0], alternative=alternative)  # a batch is a loop
        assert_allclose(one.pvalue, result.pvalue[0], rtol=1e-9)
    turned = method(pair.swapped(), alternative=opposite(alternative), **few(method))
    assert_allclose(turned.pvalue, result.pvalue, rtol=1e-6)


@every(INTERVALS)
@laws
@given(st.lists(cubes, min_size=1, max_size=4), alphas, st.sampled_from(["two", "upper", "lower"]), st.data())
def test_an_interval_has_width_and_stays_inside(method, counts, alpha, side, data):
    pair = answer_for(counts, data.draw(st.sampled_from(served(method))))
    alpha = alpha if side == "two" else 0.9 * alpha  # at level ½ a bound is the estimate
    result = method(pair, alpha=alpha, side=side, **few(method))
    least, most = (0, np.inf) if result.parameter == "ratio" else pair.metric.difference_bounds
    assert np.all((result.low >= least) & (result.high <= most) & (result.width > 0))
    lost = np.isnan(pair.difference)
    assert np.all((result.low[lost] == least) & (result.high[lost] == most))
    if result.parameter == "difference":
        turned = method(pair.swapped(), alpha=alpha, side=opposite(side), **few(method))
        assert_allclose([turned.low, turned.high], [-result.high, -result.low], rtol=1e-7, atol=1e-12)
    wider = method(pair, alpha=alpha / 4, side=side, **few(method))
    assert np.all((wider.low <= result.low) & (wider.high >= result.high))


@every(PAIRS)
@laws
@given(cubes, st.floats(-0.4, 0.4), st.booleans(), st.data())
def test_test_and_interval_agree_at_every_level(method, counts, against, one_sided, data):
    pair = answer_for(counts, data.draw(st.sampled_from(served(method))))
    interval = find_method(method.name, "interval", PairedConfusion)
    options = few(method) | ({"against": against} if "against" in method.options else {})
    null = against if "against" in method.options else 1.0  # of a ratio
    alternative, side = ("greater", "lower") if one_sided else ("two-sided", "two")
    (pvalue,) = method(pair, alternative=alternative, **options).pvalue
    if 1e-11 < pvalue < 0.998:
        for factor in (0.999, 1.001):
            result = interval(pair, alpha=pvalue * factor, side=side, **few(method))
            assert result.contains(null) == (factor < 1)


def test_a_limit_that_many_draws_share_is_reached_at_its_own_level():
    """Equal sums of different terms may differ in the last digit: they are one value nevertheless."""
    cells = [2, 2, 2, 0, 0, 4, 2, 1, 0, 0, 0, 2, 3, 0, 1, 0, 0, 1, 2, 0, 3, 2, 1, 0, 1, 0, 1]
    pair = PairedConfusion(np.reshape(cells, (3, 3, 3)))
    limits, test = (find_method("joint-bootstrap", gives, PairedConfusion) for gives in ("interval", "test"))
    result = limits(pair.by("accuracy"), resamples=1000)
    for limit in (result.low, result.high):
        assert_allclose(test(pair.by("accuracy"), against=limit, resamples=1000).pvalue, 0.05, atol=1e-9)


# Both always say the same: nothing but errors, none, few among a billion, one label alone, three examples.
SAME = [
    [0, 0, 0, 9, 0, 0, 0, 0],
    [5, 0, 0, 0, 0, 0, 0, 5],
    [10**9, 0, 0, 3, 4, 0, 0, 10**6],
    [0, 0, 0, 0, 0, 0, 0, 4],
    [0, 0, 0, 2, 0, 0, 0, 1],
]


@every(METHODS)
def test_models_that_say_the_same_are_not_significantly_different(method):
    for metric in served(method):
        pair = answer_for(SAME, metric)
        defined = np.isfinite(pair.difference)
        if method.gives == "test":
            assert np.all(method(pair, **few(method)).pvalue[defined] == 1)
        else:
            result = method(pair, **few(method))
            middle = 1 if result.parameter == "ratio" else 0
            assert np.all((result.low < middle) & (result.high > middle))
            assert result.width[2] < 1e-4


@pytest.mark.parametrize("metric", METRICS)
def test_one_example_and_one_label_leave_much_open(metric):
    for counts in ([0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0]):
        limits = find_method("paired-delta", "interval", PairedConfusion)(answer_for(counts, metric))
        assert limits.width[0] > 0.5
    if metric in {"accuracy", "balanced-accuracy", "f1-macro"}:
        alone = PairedConfusion([[[7]]]).by(metric)
        answer = compare(alone, metric=metric, method="paired-delta")
        assert answer.pvalue == 1
        assert answer.interval.low < 0 < answer.interval.high


def test_a_class_that_one_model_met_once_shows_no_difference():
    """A label that only B ever predicts counts in B's macro F1, and not in A's, as scikit-learn has it.

    Whether A would ever predict it nobody knows: the limits take in both.
    """
    counts = np.zeros((3, 3, 3), dtype=int)
    counts[0, 0, 0], counts[1, 1, 1], counts[0, 0, 2] = 500, 499, 1
    pair = PairedConfusion(counts).by("f1-macro")
    limits = find_method("paired-delta", "interval", PairedConfusion)(pair)
    assert pair.levels.round(3).tolist() == [1.0, 0.666]
    assert limits.contains(pair.difference)
    assert limits.contains(0.0)


@every([method for method in METHODS if method.metrics])
def test_a_metric_that_is_not_served_names_those_who_do(method):
    with pytest.raises(InvalidOption, match=rf"{method.name}.*for mcc.*paired-delta"):
        method(answer_for([9, 1, 2, 3, 2, 1, 2, 9], "mcc"))


@pytest.mark.parametrize("against", [2.0, "much", [0.1, 0.2, 0.3]])
def test_a_margin_is_a_difference_of_the_metric(against):
    pair = answer_for([[9, 1, 2, 3, 2, 1, 2, 9]] * 2, "f1")
    with pytest.raises(InvalidOption, match=r"`against` must be a difference of F1 \(1\)"):
        find_method("paired-delta", "test", PairedConfusion)(pair, against=against)
    with pytest.raises(InvalidOption, match="`added` must be a positive number"):
        find_method("bdeltacost", "test", PairedConfusion)(answer_for([1] * 8, "cost"), added=0)


PREDICTIVE = ["generalized-score", "weighted-generalized-score", "relative-predictive-value"]


@pytest.mark.parametrize("name", PREDICTIVE)
def test_exchanging_a_and_b_leaves_the_last_bit_of_predictive_values(name):
    """Of tables of two labels, 2 in 100 gave another last digit."""
    counts = np.random.default_rng(0).integers(0, 12, size=(2000, 2, 2, 2))
    pair = PairedConfusion(counts).by("precision")
    test = find_method(name, "test", PairedConfusion)
    assert_array_equal(test(pair).pvalue, test(pair.swapped()).pvalue)
