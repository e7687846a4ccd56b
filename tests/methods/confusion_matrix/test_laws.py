"""Laws that every interval for a confusion matrix obeys, for every metric it serves; run over the registry."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import ConfusionMatrix, estimate, find_methods
from tellapart.methods.confusion_matrix.balance import tango
from tellapart.methods.paired_table.tango_score import tango as tango_of_pairs

COSTS = {2: [[0, 1], [10, 0]], 3: [[0, 1, 4], [10, 0, 2], [3, 7, 0]]}
INTERVALS = find_methods(gives="interval", evidence=ConfusionMatrix)
DRAWN = {"count-bootstrap", "bcost"}
SLOW = {*DRAWN, "balanced-bayes"}
QUICK = {name: {"resamples": 200} for name in DRAWN}
some = settings(deadline=None, max_examples=10)
ANY = (
    "f1",
    "f0.5",
    "f1-macro",
    "precision-macro",
    "f1-weighted",
    "mcc",
    "kappa",
    "informedness",
    "cost",
    "label-balance",
)
SHARES = ("error", "precision", "recall")  # the others go the same way
ASKED = [
    (method, metric)
    for method in INTERVALS
    for metric in (SHARES if "precision" in method.metrics else method.metrics or ANY)
]
CLOSED = [(method, metric) for method, metric in ASKED if method.name not in SLOW]
each_interval = pytest.mark.parametrize("method", INTERVALS, ids=lambda method: method.name)


def answer_for(counts, metric):
    counts = np.asarray(counts)
    size = counts.shape[-1]
    if metric == "cost":
        return ConfusionMatrix(counts).by("cost", costs=COSTS[size])
    of_one = metric in {"f1", "f0.5", "precision", "recall", "label-balance"}
    return ConfusionMatrix(counts).by(metric, **({"positive": 1} if of_one else {}))


def matrices(size, largest=30):
    cells = st.lists(st.one_of(st.just(0), st.integers(0, largest)), min_size=size**2, max_size=size**2)
    return cells.filter(any).map(lambda result: np.array(result).reshape(size, size))


def assert_honest(method, matrix, **options):
    """Check that an interval lies in the range, holds the value and has width; of nothing it is everything."""
    result = method(matrix, **QUICK.get(method.name, {}), **options)
    least, most = matrix.metric.bounds
    message = f"{method.name} {matrix!r}"
    undefined = np.isnan(matrix.value)
    assert ((least <= result.low) & (result.high <= most)).all(), message
    assert (result.low < result.high).all(), message
    assert (np.where(undefined, result.low, least) == least).all(), message
    assert (np.where(undefined, result.high, most) == most).all(), message
    near = 1e-12 * (most - least)
    assert (undefined | ((result.low <= matrix.value + near) & (result.high >= matrix.value - near))).all(), message


@some
@given(st.one_of(matrices(2), matrices(3, 9)))
def test_an_interval_is_honest_whatever_was_counted(counts):
    for method, metric in ASKED:
        assert_honest(method, answer_for(counts, metric))


EXTREMES = [
    *([[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [0, 1]], [[10**9, 0], [0, 0]]),
    *([[0, 10**9], [10**9, 0]], [[10**9, 0], [0, 10**9]], [[10**9, 1], [0, 1]], [[2**51, 2**51], [2**50, 2**51]]),
]


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-12])
def test_an_interval_is_honest_at_the_extremes(alpha):
    for method, metric in ASKED:
        if method.name not in SLOW or alpha == 0.05:
            assert_honest(method, answer_for(EXTREMES, metric), alpha=alpha)


@some
@given(st.lists(matrices(3, 9), min_size=2, max_size=3))
def test_a_batch_is_a_loop(batch):
    for method, metric in CLOSED:
        whole, singly = method(answer_for(batch, metric)), [method(answer_for(counts, metric)) for counts in batch]
        assert_allclose(whole.low, [each.low for each in singly], rtol=1e-12, atol=1e-14)
        assert_allclose(whole.high, [each.high for each in singly], rtol=1e-12, atol=1e-14)


@some
@given(matrices(2), st.floats(0.001, 0.3), st.floats(1.1, 3))
def test_more_confidence_is_more_width_and_a_bound_spends_all_on_one_side(counts, alpha, factor):
    for method, metric in CLOSED:
        matrix = answer_for(counts, metric)
        wide, narrow = method(matrix, alpha=alpha), method(matrix, alpha=alpha * factor)
        near = 1e-9
        assert wide.low <= narrow.low + near
        assert wide.high >= narrow.high - near
        upper, lower = (method(matrix, alpha=alpha / 2, side=side) for side in ("upper", "lower"))
        assert_allclose([lower.low, upper.high], [wide.low, wide.high], rtol=1e-9, atol=1e-12)
        assert (upper.low, lower.high) == matrix.metric.bounds


@some
@given(matrices(3, 20))
def test_the_order_of_the_labels_makes_no_difference(counts):
    order = [2, 0, 1]
    for method, metric in CLOSED:
        if metric == "cost":
            continue
        here = answer_for(counts, metric)
        index = here.metric.positive
        moved = ConfusionMatrix(counts[np.ix_(order, order)], order)
        there = moved.by(metric, **({} if index is None else {"positive": index}))
        assert_allclose(
            [method(here).low, method(here).high], [method(there).low, method(there).high], rtol=1e-9, atol=1e-12
        )


def test_convolution_obeys_them_too():
    """A batch is a loop, order is nothing, and more confidence is more width: of the one that takes milliseconds."""
    (bayes,) = (method for method in INTERVALS if method.name == "balanced-bayes")
    batch = np.array([[[20, 3, 1], [4, 30, 6], [0, 2, 9]], [[5, 0, 0], [0, 0, 0], [1, 2, 0]]])
    whole = bayes(answer_for(batch, "balanced-accuracy"))
    singly = [bayes(answer_for(counts[np.ix_([2, 0, 1], [2, 0, 1])], "balanced-accuracy")) for counts in batch]
    assert_allclose([whole.low, whole.high], np.transpose([(each.low, each.high) for each in singly]), rtol=1e-9)
    wider = bayes(answer_for(batch, "balanced-accuracy"), alpha=1e-12)
    assert ((wider.low < whole.low) & (wider.high > whole.high)).all()
    upper = bayes(answer_for(batch, "informedness"), side="upper", alpha=0.025)
    assert_allclose(upper.high, 1.5 * whole.high - 0.5, rtol=1e-12)
    assert (upper.low == -0.5).all()


@each_interval
def test_a_verb_asks_for_it(method):
    metric = method.metrics[0] if method.metrics else "mcc"
    options = {"costs": COSTS[2]} if metric == "cost" else {}
    result = estimate(ConfusionMatrix([[50, 10], [5, 35]]), metric=metric, method=method.name, **options)
    assert result.method == method.name
    assert result.interval.low < result.estimate < result.interval.high


def test_label_balance_is_tango_on_label_against_prediction():
    """Elazmeh, Japkowicz and Matwin's use: the same numbers as two raters of the same examples."""
    matrix = ConfusionMatrix([[[21, 26], [22, 129]], [[30, 0], [0, 44]]])
    result, pairs = (
        tango(matrix.by("label-balance")).interval(),
        tango_of_pairs(matrix.label_against_prediction()).interval(),
    )
    assert_array_equal([result.low, result.high], [pairs.low, pairs.high])
    assert_allclose(result.high[1], 1.959964**2 / (74 + 1.959964**2), rtol=1e-6)  # z²/(n + z²) without an error
    three = ConfusionMatrix([[20, 3, 1], [4, 30, 6], [0, 2, 9]])
    merged = ConfusionMatrix([[30, 5], [10, 30]])
    balances = three.by("label-balance", positive=1), merged.by("label-balance")
    assert tango(balances[0]).interval().low == tango(balances[1]).interval().low
