"""ap-logit against its formula, and stratified-bootstrap against scikit-learn on examples drawn one by one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, logit
from sklearn.metrics import average_precision_score, roc_auc_score

from tellapart import ClassScores
from tellapart.errors import InvalidOption
from tellapart.methods.class_scores.delong import delong_paired
from tellapart.methods.class_scores.newcombe import newcombe_auc
from tellapart.methods.class_scores.precision import ap_logit
from tellapart.methods.class_scores.stratified_resampling import (
    _Ordered,
    resampled_error,
    stratified_bootstrap,
)

RNG = np.random.default_rng(0)
TRUTH = np.repeat([0, 1], [80, 40])
SCORES = (RNG.normal(size=(2, 120)) + TRUTH).round(1)
HELD = ClassScores.from_scores(TRUTH, *SCORES)
PRECISION = HELD.by("average-precision")
Z = 1.959963984540054


def test_limits_of_an_average_precision_are_boyds():
    """Boyd, Eng and Page (2013): logit θ ∓ z/√(mθ(1 − θ)), m positives."""
    theta = average_precision_score(TRUTH, SCORES[0])
    limits = ap_logit(PRECISION.select("A"))
    reach = Z / np.sqrt(40 * theta * (1 - theta))
    assert_allclose([limits.low, limits.high], expit(logit(theta) + reach * np.array([-1, 1])), rtol=1e-12)
    perfect = ap_logit(ClassScores.from_scores(TRUTH, np.arange(120.0), metric="average-precision"))
    assert_allclose(
        [perfect.low, perfect.high], [0.025 ** (1 / 40), 1], rtol=1e-12
    )  # Clopper and Pearson's of 40 of 40


@pytest.mark.parametrize("ties", [False, True], ids=["apart", "tied"])
def test_weighed_areas_are_those_of_examples_written_out(ties):
    """Drawn twice is written twice, and not drawn is left out."""
    scores = SCORES if ties else RNG.normal(size=(2, 120))
    times = np.random.default_rng(3).integers(0, 3, size=(4, 120)).astype(float)
    for ranked, theirs in ((True, roc_auc_score), (False, average_precision_score)):
        ours = _Ordered(TRUTH == 1, scores, ranked=ranked).drawn(times)
        for draw, often in enumerate(times.astype(int)):
            expected = [theirs(np.repeat(TRUTH, often), np.repeat(row, often)) for row in scores]
            assert_allclose(ours[draw], expected, rtol=1e-12)


def precision_of(truth, scores):
    """Give the mean of the precision at every positive, thresholds gone through one by one."""
    reached = scores[:, None] >= scores[truth == 1]
    return np.mean((reached & (truth == 1)[:, None]).sum(axis=0) / reached.sum(axis=0))


def test_the_spread_is_that_of_a_loop_over_draws():
    """Indices drawn inside either class; the spread of 3,000 draws has an error of 1.5 %, on either side."""
    rng = np.random.default_rng(11)
    zeros, ones = np.flatnonzero(TRUTH == 0), np.flatnonzero(TRUTH == 1)
    result = []
    for _ in range(3000):
        drawn = np.r_[rng.choice(zeros, 80), rng.choice(ones, 40)]
        a, b = (precision_of(TRUTH[drawn], row[drawn]) for row in SCORES)
        result.append(b - a)
    expected = np.std(result, ddof=1) * np.sqrt(40 / 39)
    assert resampled_error(PRECISION, 3000, 0) == pytest.approx(expected, rel=0.07)


def test_of_areas_the_spread_is_near_delongs():
    ours, theirs = stratified_bootstrap(HELD, resamples=4000).interval(), delong_paired(HELD).interval()
    assert_allclose([ours.low, ours.high], [theirs.low, theirs.high], atol=0.01)


def test_test_and_interval_agree_and_draw_the_same():
    limits = stratified_bootstrap(PRECISION, resamples=300).interval(alpha=0.1)
    for end, way in ((limits.low, "greater"), (limits.high, "less")):
        result = stratified_bootstrap(PRECISION, resamples=300).test(float(end), way)
        assert result.pvalue == pytest.approx(0.05, rel=1e-9)
    assert stratified_bootstrap(PRECISION, resamples=300, rng=1).test().pvalue != result.pvalue
    with pytest.raises(InvalidOption, match="`resamples` must be 2 or more"):
        stratified_bootstrap(PRECISION, resamples=1).test()


def test_where_nothing_varies_there_is_still_a_width():
    perfect = ClassScores.from_scores(TRUTH, np.arange(120.0), np.arange(120.0) ** 3)
    one = perfect.select("A")
    for evidence, other in (
        (one, newcombe_auc(one)),
        (one.by("average-precision"), ap_logit(one.by("average-precision"))),
    ):
        limits = stratified_bootstrap(evidence, resamples=50).interval()
        assert (limits.low, limits.high) == (other.low, other.high)
    for evidence in (perfect, perfect.by("average-precision")):
        limits = stratified_bootstrap(evidence, resamples=50).interval()
        assert limits.low == -limits.high < -0.05
        assert stratified_bootstrap(evidence, resamples=50).test().pvalue == 1


def test_many_entries_and_several_classes():
    rng = np.random.default_rng(9)
    many = ClassScores(np.arange(40) % 2, rng.normal(size=(3, 2, 40)).round(1), (0, 1), metric="average-precision")
    whole = stratified_bootstrap(many, resamples=60).test()
    assert_allclose(whole.pvalue, [stratified_bootstrap(each, resamples=60).test().pvalue for each in many], rtol=1e-10)
    chances = rng.dirichlet([1, 1, 1], size=(2, 60))
    evidence = ClassScores.from_scores(np.arange(60) % 3, *chances)
    theirs = delong_paired(evidence).interval()
    ours = stratified_bootstrap(evidence, resamples=2000).interval()
    assert_allclose([ours.low, ours.high], [theirs.low, theirs.high], atol=0.03)
