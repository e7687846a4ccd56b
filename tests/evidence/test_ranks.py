"""Areas, placements and average precision from one sort, against pairs counted one by one and against scikit-learn."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import rankdata
from sklearn.metrics import average_precision_score, roc_auc_score

from tellapart.evidence.ranks import area, areas, areas_of_classes, average_precision, midranks, misplacements


def wins(one, other):
    return Fraction(int(one > other) * 2 + int(one == other), 2)


def by_pairs(truth, scores):
    """Placements in fractions: every positive beside every negative, no sorting, no floats."""
    return [
        sum((wins(mine, its) if truth[i] else wins(its, mine)) for j, its in enumerate(scores) if truth[i] != truth[j])
        for i, mine in enumerate(scores)
    ]


def delong_by_pairs(truth, rows):
    """DeLong's areas and covariance in fractions, as the paper writes them: S10/m + S01/n."""
    m, n = sum(truth), len(truth) - sum(truth)
    placed = [by_pairs(truth, row) for row in rows]
    means = [sum(v for v, t in zip(each, truth, strict=True) if t) / (m * n) for each in placed]

    def part(one, other, kind, own, others):
        dots = [
            (a / others - means[one]) * (b / others - means[other])
            for a, b, t in zip(placed[one], placed[other], truth, strict=True)
            if t == kind
        ]
        return sum(dots) / (own - 1) / own

    many = range(len(rows))
    return means, [[part(i, j, 1, m, n) + part(i, j, 0, n, m) for j in many] for i in many]


@st.composite
def ranked(draw, models=2):
    """Labels with two of each class or more, and scores with many ties."""
    size = draw(st.integers(4, 14))
    truth = [0, 0, 1, 1, *draw(st.lists(st.integers(0, 1), min_size=size - 4, max_size=size - 4))]
    scores = draw(hnp.arrays(np.int64, (models, size), elements=st.integers(-3, 6)))
    return np.array(truth), scores.astype(float)


@given(ranked())
def test_areas_and_covariance_are_those_of_all_pairs(drawn):
    truth, scores = drawn
    means, covariance = delong_by_pairs(truth.tolist(), scores.astype(int).tolist())
    result = areas(truth == 1, scores)
    assert_allclose(result.means, np.array(means, dtype=float), rtol=1e-15)
    assert_allclose(result.covariance, np.array(covariance, dtype=float), rtol=1e-12, atol=1e-16)
    others = np.where(truth == 1, (truth == 0).sum(), truth.sum())
    right = others - misplacements(truth == 1, scores[0])
    assert_array_equal(right, np.array(by_pairs(truth, scores[0]), dtype=float))
    distance = np.array(by_pairs(truth, scores[0])) != np.array(by_pairs(truth, scores[1]))
    assert result.differing == distance.sum()


@given(ranked())
def test_areas_are_scikit_learns(drawn):
    truth, scores = drawn
    assert area(truth == 1, scores[0]) == pytest.approx(roc_auc_score(truth, scores[0]), rel=1e-14)
    expected = [average_precision_score(truth, row) for row in scores]
    assert_allclose(average_precision(truth == 1, scores), expected, rtol=1e-14)
    assert_array_equal(midranks(scores), rankdata(scores, axis=-1))


def test_many_rows_are_a_loop_over_rows():
    """Entries are laid end to end, in several chunks, some with ties and some without."""
    rng = np.random.default_rng(3)
    truth = np.arange(700) % 5 == 0
    scores = rng.normal(size=(900, 2, 700))
    scores[::2] = scores[::2].round(1)
    for function in (area, average_precision, misplacements, midranks):
        call = function if function is midranks else lambda rows, function=function: function(truth, rows)
        assert_array_equal(call(scores)[451], [call(row) for row in scores[451]])
        assert_array_equal(call(scores)[-1], [call(row) for row in scores[-1]])


def test_the_mean_over_classes_is_scikit_learns_and_its_variance_that_of_the_influence():
    """Of two classes, told twice, it is DeLong's; of three the mean is scikit-learn's one against the rest."""
    rng = np.random.default_rng(5)
    truth = np.repeat([0, 1, 2], [30, 12, 25])
    chances = rng.dirichlet([1, 1, 1], size=(2, 67)).round(2)
    chances[..., 2] = 1 - chances[..., 0] - chances[..., 1]
    result = areas_of_classes(truth, chances)
    expected = [roc_auc_score(truth, each, multi_class="ovr") for each in chances]
    assert_allclose(result.means, expected, rtol=1e-14)
    # The influence of an example, by leaving it out: a jackknife is near the covariance, whatever the algebra.
    left = np.array(
        [areas_of_classes(np.delete(truth, i), np.delete(chances, i, axis=1)).means for i in range(truth.size)]
    )
    jackknife = np.cov(left.T) * (truth.size - 1) ** 2 / truth.size
    assert_allclose(result.covariance, jackknife, rtol=0.1)
    two, first = np.minimum(truth, 1), chances[..., 0]
    twice = areas_of_classes(two, np.stack([first, -first], axis=-1))
    assert_allclose(twice.covariance, areas(two == 1, -first).covariance, rtol=1e-12)


def test_large_sets_keep_their_digits():
    """A million examples of which all but a few are ranked rightly: nothing cancels."""
    truth = np.arange(10**6) >= 600_000
    scores = np.arange(10**6, dtype=float)
    scores[[0, 999_999]] = scores[[999_999, 0]]
    result = areas(truth, scores[None])
    # The lowest negative scores above all positives, the highest positive below all negatives.
    wrong = 400_000 + 600_000 - 1
    assert 1 - result.means[0] == pytest.approx(wrong / (400_000 * 600_000), rel=1e-10)
    m, n = 400_000, 600_000

    def spread(own, others):
        """Give the variance of placements in fractions: one example of the class has lost all, the others one."""
        values, times = [Fraction(0), Fraction(others - 1, others)], [1, own - 1]
        mean = sum(v * t for v, t in zip(values, times, strict=True)) / own
        return sum(t * (v - mean) ** 2 for v, t in zip(values, times, strict=True)) / (own - 1) / own

    assert result.covariance[0, 0] == pytest.approx(float(spread(m, n) + spread(n, m)), rel=1e-11)


def test_long_rows_are_gone_through_in_pieces_that_no_group_of_ties_crosses():
    """Fifty thousand scores in seven steps, in fifty and in as many as there are."""
    rng = np.random.default_rng(4)
    truth = rng.random(50_000) < 0.3
    exact = rng.normal(size=50_000) + truth
    for scores in (exact.round(0), exact.round(1), exact):
        ranks, own = rankdata(scores), np.empty(50_000)
        for kind in (True, False):
            own[truth == kind] = rankdata(scores[truth == kind])
        below = ranks - own  # of the other class, ties counting half
        expected = np.where(truth, (~truth).sum() - below, below)
        assert_array_equal(misplacements(truth, scores), expected)
        assert area(truth, scores) == pytest.approx(roc_auc_score(truth, scores), rel=1e-13)
        assert average_precision(truth, scores) == pytest.approx(average_precision_score(truth, scores), rel=1e-12)


def test_areas_near_0_keep_their_digits():
    """Scores turned round have the same variance, though next to all pairs are wrong."""
    truth = np.arange(400_000) >= 250_000
    scores = np.arange(400_000.0)
    scores[[0, 399_999]] = scores[[399_999, 0]]
    both = areas(truth, np.stack([scores, -scores]))
    assert both.means[1] < 1e-4
    assert_allclose(both.covariance, both.covariance[0, 0] * np.array([[1, -1], [-1, 1]]), rtol=1e-11)
