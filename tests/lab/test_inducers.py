"""The batched learners against scikit-learn's, against brute force, and their laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from scipy.optimize import linprog
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from statsmodels.api import Logit

from tellapart.errors import InvalidOption
from tellapart.lab import Cells, Constant, Discriminant, Linear, Logistic, Majority, NearestNeighbours
from tellapart.lab.inducers.classifiers import Neighbours, Scores

laws = settings(derandomize=True, deadline=None, max_examples=12)


def drawn(seed, shape, attributes, classes=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=shape)
    y[..., :classes] = np.arange(classes)  # no class is missing
    return rng.normal(size=(*shape, attributes)) + 0.7 * y[..., None], y


@pytest.mark.parametrize("attributes", [1, 2, 5])
@pytest.mark.parametrize("classes", [2, 4])
def test_discriminant_of_equal_classes_is_scikit_learns(attributes, classes):
    """With equal priors it does not matter by what the covariance is divided (scikit-learn: by the examples)."""
    x, y = drawn(attributes * classes, (6, 40), attributes, classes)
    options, _ = drawn(99, (6, 200), attributes, classes)
    message = Discriminant(shares=False).fit(x, y).predict(options)
    for i in range(6):
        theirs = LinearDiscriminantAnalysis(solver="svd", priors=np.full(classes, 1 / classes)).fit(x[i], y[i])
        assert_array_equal(message[i], theirs.predict(options[i]))


@pytest.mark.parametrize("attributes", [1, 2, 5])
@pytest.mark.parametrize("classes", [2, 4])
def test_discriminant_is_bayes_rule_of_fitted_normals(attributes, classes):
    """SciPy's densities with the pooled covariance of MASS (divided by examples − classes) and the shares as priors."""
    x, y = drawn(attributes * classes, (6, 40), attributes, classes)
    options, _ = drawn(99, (6, 200), attributes, classes)
    ours = Discriminant().fit(x, y)
    message = ours.predict(options)
    for i in range(6):
        groups = [x[i, y[i] == label] for label in range(classes)]
        pooled = sum((len(group) - 1) * np.atleast_2d(np.cov(group.T)) for group in groups) / (40 - classes)
        logs = np.stack(
            [
                np.log(len(group) / 40) + stats.multivariate_normal(group.mean(0), pooled).logpdf(options[i])
                for group in groups
            ]
        )
        assert_array_equal(message[i], logs.argmax(axis=0))
        if classes == 2:
            assert_allclose(ours.score(options)[i], logs[1] - logs[0], rtol=1e-8, atol=1e-9)


def test_discriminant_of_some_columns():
    """Yang (2006): learner 1 does not use the third predictor."""
    x, y = drawn(3, (5, 60), 3)
    rule = Discriminant((0, 1)).fit(x, y)
    assert_array_equal(rule.weights[:, 2], 0)
    assert_array_equal(rule.predict(x), Discriminant().fit(x[..., :2], y).predict(x[..., :2]))


def test_the_midpoint_of_the_class_means():
    """Martin and Hirschberg's discriminant: whichever way round the classes lie."""
    x, y = drawn(5, (50, 30), 1)
    rule = Discriminant(shares=False).fit(x, y)
    for i in range(50):
        means = [x[i, y[i] == label, 0].mean() for label in (0, 1)]
        assert_allclose(-rule.offset[i] / rule.weights[i, 0], np.mean(means), rtol=1e-10)
        assert (rule.weights[i, 0] > 0) == (means[1] > means[0])


@pytest.mark.parametrize("columns", [None, (0, 2)])
def test_logistic_is_that_of_statsmodels(columns):
    x, y = drawn(31, (6, 60), 3)
    x = x * [1, 100, 0.01] + [5, 0, 0]  # units do not matter
    rule = Logistic(columns).fit(x, y)
    seen = list(columns or range(3))
    for i in range(6):
        theirs = Logit(y[i], np.column_stack([np.ones(60), x[i][:, seen]])).fit(
            disp=False, method="newton", maxiter=100
        )
        assert_allclose(rule.weights[i, seen], theirs.params[1:], rtol=1e-4)
        assert_allclose(rule.offset[i], theirs.params[0], rtol=1e-4, atol=1e-4)


def test_logistic_parts_what_a_plane_can_part():
    """A linear programme tells which samples can be; on these no error is made, and all coefficients are finite."""
    x, y = drawn(32, (80, 8), 3)
    rule = Logistic().fit(x, y)
    wrong = (rule.predict(x) != y).sum(axis=-1)
    assert np.isfinite(rule.weights).all()
    parted = [
        linprog(
            np.zeros(4),
            A_ub=-(2 * y[i] - 1)[:, None] * np.column_stack([np.ones(8), x[i]]),
            b_ub=-np.ones(8),
            bounds=(None, None),
        ).success
        for i in range(80)
    ]
    assert 10 < sum(parted) < 80
    assert_array_equal(wrong[parted], 0)
    one = Logistic().fit(x[:2], [[1] * 8, [0] * 8])
    assert_array_equal(one.predict(x[0]), [[1] * 8, [0] * 8])


@pytest.mark.parametrize("k", [1, 3, 4])
@pytest.mark.parametrize("attributes", [1, 3])
@pytest.mark.parametrize("classes", [2, 4])
def test_neighbours_are_scikit_learns(k, attributes, classes):
    x, y = drawn(k + attributes + classes, (5, 30), attributes, classes)
    options, _ = drawn(98, (5, 100), attributes)
    rule = NearestNeighbours(k).fit(x, y)
    assert isinstance(rule, Cells if attributes == 1 else Neighbours)
    message = rule.predict(options)
    for i in range(5):
        assert_array_equal(message[i], KNeighborsClassifier(k).fit(x[i], y[i]).predict(options[i]))


def test_weights_and_columns_of_neighbours():
    """Dietterich (1998) damages nearest neighbours by bad weights; scikit-learn takes them as a metric's."""
    x, y = drawn(8, (4, 40), 3)
    options, _ = drawn(9, (4, 80), 3)
    message = NearestNeighbours(3, weights=(1, 0.1, 5)).fit(x, y).predict(options)
    two = NearestNeighbours(1, attributes=(0, 2)).fit(x, y).predict(options)
    one = NearestNeighbours(1, attributes=(2,)).fit(x, y)
    for i in range(4):
        theirs = KNeighborsClassifier(3, metric="minkowski", metric_params={"w": np.array([1, 0.1, 5])})
        assert_array_equal(message[i], theirs.fit(x[i], y[i]).predict(options[i]))
        theirs = KNeighborsClassifier(1).fit(x[i][:, [0, 2]], y[i])
        assert_array_equal(two[i], theirs.predict(options[i][:, [0, 2]]))
        theirs = KNeighborsClassifier(1).fit(x[i][:, [2]], y[i])
        assert_array_equal(one.predict(options)[i], theirs.predict(options[i][:, [2]]))


def test_cuts_lie_where_a_window_gives_way_to_the_next():
    rule = NearestNeighbours(3).fit([[5.0], [1.0], [2.0], [8.0], [3.0]], [1, 0, 0, 1, 1])
    assert_array_equal(rule.cuts, [(1 + 5) / 2, (2 + 8) / 2])
    assert_array_equal(rule.labels, [0, 1, 1])


def test_more_neighbours_than_examples_are_all_of_them():
    rule = NearestNeighbours(9).fit([[1.0], [2.0], [3.0]], [1, 0, 1])
    assert rule.cuts.shape == (0,)
    assert_array_equal(rule.predict([[-5.0], [5.0]]), [1, 1])
    assert_array_equal(NearestNeighbours(9).fit([[1.0, 0], [2.0, 0], [3.0, 0]], [1, 0, 1]).predict([[9.0, 9]]), [1])


@pytest.mark.parametrize(
    "inducer",
    [Majority(), NearestNeighbours(1), NearestNeighbours(3), Discriminant(), Discriminant(shares=False), Logistic()],
    ids=str,
)
@pytest.mark.parametrize("attributes", [1, 2])
def test_a_batch_is_a_loop(inducer, attributes):
    x, y = drawn(11, (2, 3, 15), attributes)
    options, _ = drawn(12, (2, 3, 20), attributes)
    rule = inducer.fit(x, y)
    message, same = rule.predict(options), rule.predict(options[0, 0])
    assert rule.shape == (2, 3)
    assert message.shape == same.shape == (2, 3, 20)
    assert message.dtype == np.int64
    for i in np.ndindex(2, 3):
        alone = inducer.fit(x[i], y[i])
        assert alone.shape == ()
        assert_array_equal(message[i], alone.predict(options[i]))
        assert_array_equal(same[i], alone.predict(options[0, 0]))


def test_what_is_compared_at_once_changes_nothing(monkeypatch):
    x, y = drawn(13, (4, 20), 2)
    options, _ = drawn(14, (4, 30), 2)
    rules = [NearestNeighbours(3).fit(x, y), NearestNeighbours(3, attributes=(1,)).fit(x, y)]
    at_once = [rule.predict(options) for rule in rules]
    monkeypatch.setattr("tellapart.lab.inducers.classifiers._AT_ONCE", 50)
    for rule, message in zip(rules, at_once, strict=True):
        assert_array_equal(rule.predict(options), message)


@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 2)), min_size=1, max_size=12),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
@laws
def test_the_order_of_examples_changes_nothing(sample, k, random):
    """Not even where values are equal."""
    shuffled = random.sample(sample, len(sample))
    options = np.linspace(-5, 5, 41)[:, None]
    for inducer in (NearestNeighbours(k), Discriminant(), Majority()):
        message = [
            inducer.fit(np.array([[x] for x, _ in each], dtype=float), [label for _, label in each]).predict(options)
            for each in (sample, shuffled)
        ]
        assert_array_equal(*message)


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=8),
    st.booleans(),
)
@laws
def test_the_worst_sample_gives_a_classifier(sample, shares):
    """Missing classes, one example, attributes that do not vary: a label that is in the sample, never NaN."""
    x, y = np.array([row[:2] for row in sample], dtype=float), np.array([row[2] for row in sample])
    options = np.random.default_rng(0).normal(size=(20, 2))
    for inducer in (Discriminant(shares=shares), Discriminant(0, shares=shares), NearestNeighbours(3), Majority()):
        rule = inducer.fit(x, y)
        assert set(rule.predict(options)) <= set(y)
        if isinstance(rule, Linear):
            assert np.isfinite(rule.weights).all()
            assert np.isfinite(rule.offset).all()


def test_a_sample_of_one_class_among_others():
    x = np.array([[[0.0], [1.0], [2.0]], [[0.0], [1.0], [2.0]]])
    rule = Discriminant().fit(x, [[1, 1, 1], [0, 0, 1]])
    assert_array_equal(rule.predict([[-9.0], [9.0]]), [[1, 1], [0, 1]])


def test_attributes_without_spread_within_classes_decide():
    """The first attribute tells the classes apart without fail, the second is noise; both covariances are singular."""
    x = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 4.0], [1.0, 1.5], [1.0, 3.0], [1.0, 5.0]])
    rule = Discriminant().fit(x, [0, 0, 0, 1, 1, 1])
    assert_array_equal(rule.predict([[0.1, 9.0], [0.9, -9.0]]), [0, 1])
    twins = Discriminant().fit(np.repeat(x[:, 1:], 2, axis=1), [0, 0, 0, 1, 1, 1])  # the same attribute twice
    once = Discriminant().fit(x[:, 1:], [0, 0, 0, 1, 1, 1])
    options = np.linspace(0, 6, 50)[:, None]
    assert_array_equal(twins.predict(np.repeat(options, 2, axis=1)), once.predict(options))


def test_two_examples_part_at_their_midpoint():
    """There is no variance to divide by."""
    rule = Discriminant().fit([[1.0], [4.0]], [0, 1])
    assert_allclose(-rule.offset / rule.weights[0], 2.5)


def test_where_examples_of_both_classes_lie_the_smallest_label_is_stated():
    """Of whatever sign they are, and whatever their last bits."""
    x = np.concatenate([np.arange(-30, 31) / 10, np.arange(-30, 31) / 10])[:, None]
    y = np.repeat([1, 0], 61)
    assert_array_equal(NearestNeighbours(1).fit(x, y).predict(x), 0)
    assert_array_equal(NearestNeighbours(1).fit(np.repeat(x, 2, axis=1), y[::-1]).predict(np.repeat(x, 2, axis=1)), 0)


@pytest.mark.parametrize("cuts", [0, 1, 2, 199, 200, 201, 255, 256, 1000])
def test_many_cuts_are_searched_as_few_are_compared(cuts):
    """Against NumPy's search, row by row; cuts themselves belong to the cell below."""
    rng = np.random.default_rng(cuts)
    at = np.sort(rng.integers(300, size=(3, cuts)).astype(float), axis=-1)
    labels = rng.integers(5, size=(3, cuts + 1))
    options = rng.integers(-1, 302, size=(2, 3, 50)).astype(float)
    message = Cells(at, labels).predict(options[..., None])
    for i in range(2):
        for j in range(3):
            assert_array_equal(message[i, j], labels[j, np.searchsorted(at[j], options[i, j], side="left")])


def test_majority_of_equals_is_the_smallest_label():
    rule = Majority().fit(np.zeros((3, 4, 1)), [[1, 0, 1, 0], [2, 2, 1, 1], [2, 2, 2, 0]])
    assert isinstance(rule, Constant)
    assert_array_equal(rule.label, [0, 1, 2])
    assert_array_equal(NearestNeighbours(2).fit([[0.0], [1.0]], [1, 0]).predict([[0.5]]), [0])


def test_scores_and_planes_agree():
    """A third class that is far away changes nothing between the first two."""
    x, y = drawn(21, (30,), 2)
    plane = Discriminant(shares=False).fit(x, y)
    options = np.random.default_rng(1).normal(size=(200, 2))
    both = Scores(np.stack([np.zeros(2), plane.weights]), np.array([0.0, plane.offset]))
    assert_array_equal(both.predict(options), plane.predict(options))


@pytest.mark.parametrize(
    "call",
    [
        lambda: NearestNeighbours(0),
        lambda: NearestNeighbours(1.5),
        lambda: NearestNeighbours(1, weights=(1, -1)),
        lambda: NearestNeighbours(1, weights=(1, 2, 3)).fit(np.zeros((4, 2)), [0, 1, 0, 1]),
        lambda: Discriminant(attributes=()),
        lambda: Discriminant(attributes=(0, 0)),
        lambda: Discriminant(attributes=(2,)).fit(np.zeros((4, 2)), [0, 1, 0, 1]),
        lambda: Logistic().fit(np.zeros((3, 2)), [0, 1, 2]),
        lambda: Majority().fit(np.zeros(4), [0, 1, 0, 1]),
        lambda: Majority().fit(np.zeros((4, 1)), [0, 1, 0]),
        lambda: Majority().fit(np.zeros((0, 1)), []),
        lambda: NearestNeighbours(1).fit([[np.nan], [1.0]], [0, 1]),
        lambda: Majority().fit(np.zeros((2, 1)), ["a", "b"]),
        lambda: Majority().fit(np.zeros((2, 1)), [0, -1]),
        lambda: Majority().fit([["a"], ["b"]], [0, 1]),
        lambda: NearestNeighbours(weights=3),
        lambda: NearestNeighbours(weights="ab"),
        lambda: Discriminant(shares="no"),
    ],
)
def test_what_cannot_be(call):
    with pytest.raises(InvalidOption):
        call()


def test_names_and_parameters():
    assert [inducer.name for inducer in (NearestNeighbours(3), Discriminant(), Logistic(), Majority())] == [
        "3-NN",
        "discriminant",
        "logistic",
        "Majority",
    ]
    assert Discriminant((0, 1)).as_dict() == {"inducer": "Discriminant", "attributes": [0, 1], "shares": True}
