"""Learners on many samples: against loops over scikit-learn on the same examples, and by the laws of resampling."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import Plan, Resamples
from tellapart.lab import (
    Discriminant,
    Majority,
    NearestNeighbours,
    NormalClasses,
    TwoNormals,
    sample_learners,
    sampling,
)

PAIR = {"3-NN": NearestNeighbours(3), "1-NN": NearestNeighbours(1)}
PLANE = NormalClasses((0.0, 0.0), (1.5, 1.0))


class Fixed(TwoNormals):
    """The same samples at every draw, so that others can be trained on them."""

    def draw(self, shape, examples, rng):  # noqa: ARG002
        return TwoNormals.draw(self, shape, examples, np.random.default_rng(7))


def examples_of(population, samples, examples):
    return population.draw((samples,), examples, None)


def neighbours(k):
    return KNeighborsClassifier(k, algorithm="brute")


def test_leave_one_out_and_the_apparent_error_are_scikit_learns():
    population = Fixed(0.25)
    result = sample_learners(population, PAIR, 15, ["loo", "apparent"], samples=3)
    for sample, (X, y) in enumerate(zip(*examples_of(population, 3, 15), strict=True)):  # noqa: N806
        for index, k in enumerate((3, 1)):
            left_out = cross_val_predict(neighbours(k), X, y, cv=LeaveOneOut())
            assert_allclose(result.estimates("loo")[sample, index], np.mean(left_out != y))
            seen = neighbours(k).fit(X, y).predict(X)
            assert_allclose(result.estimates("apparent")[sample, index], np.mean(seen != y))


def test_the_bootstrap_follows_its_definition():
    """.632 by a loop over the very bootstrap samples: every example's mean loss over those without it, averaged."""
    population, samples, size = Fixed(0.25), 2, 12
    result = sample_learners(population, PAIR, size, ["632*25"], samples=samples, rng=5)
    seed = int(np.random.default_rng(5).integers(2**63))
    stream = np.random.default_rng([seed, crc32(b"632*25")])
    bags, out = sampling._draw_bootstrap((samples, 25), size, stream)
    for sample, (X, y) in enumerate(zip(*examples_of(population, samples, size), strict=True)):  # noqa: N806
        for index, k in enumerate((3, 1)):
            losses = [[] for _ in range(size)]
            for bag in bags[sample]:
                # Of copies of one example any may be asked: they lie at the same place and have the same label.
                wrong = neighbours(k).fit(X[bag], y[bag]).predict(X) != y
                for example in set(range(size)) - set(bag):
                    losses[example].append(wrong[example])
            out_of_bag = np.mean([np.mean(each) for each in losses])
            apparent = np.mean(neighbours(k).fit(X, y).predict(X) != y)
            ours = result.estimates("632", plan="632*25")[sample, index]
            assert_allclose(ours, 0.368 * apparent + 0.632 * out_of_bag)
    assert_array_equal(out, [[[n not in bag for n in range(size)] for bag in each] for each in bags])


def test_loo_star_is_leave_one_out_between_the_two_others():
    result = sample_learners(TwoNormals(0.1), PAIR, 16, ["loo-star"], samples=50)
    assert list(result.evidence) == ["loo", "apparent", "632*100", "2-fold*100", "loo-star"]
    three = [result.estimates(name) for name in ("loo", "632", "iterated-kfold")]
    assert_allclose(result.estimates("loo-star"), np.median(three, axis=0))
    assert (result.estimates("loo-star") != result.estimates("loo")).any()


def test_true_errors_are_those_of_the_classifiers_of_all_examples():
    population = Fixed(0.1)
    result = sample_learners(population, PAIR, 30, samples=40)
    X, y = examples_of(population, 40, 30)  # noqa: N806
    assert result.evidence == {}
    for index, inducer in enumerate(PAIR.values()):
        assert_allclose(result.true_errors[:, index], population.true_error(inducer.fit(X, y)))


def test_cross_validation_knows_its_sizes_and_the_learners_share_their_splits():
    result = sample_learners(PLANE, {"a": Discriminant(), "b": Discriminant()}, 23, ["2x5", "30x(2/3)"], samples=9)
    folds = result.evidence["2x5"]
    assert folds.shape == (9,)
    assert folds.examples == 23
    assert_array_equal(folds.test, [[5, 5, 5, 4, 4]] * 2)
    for evidence in result.evidence.values():
        assert_array_equal(evidence.loss[:, 0], evidence.loss[:, 1])  # the same learner twice
    assert_allclose(result.estimates("repeated-kfold", plan="2x5"), folds.pooled_losses)


def test_a_plan_has_random_numbers_of_its_own():
    alone = sample_learners(TwoNormals(0.1), PAIR, 20, ["10-fold"], samples=20, rng=3)
    among = sample_learners(TwoNormals(0.1), PAIR, 20, ["632", "10-fold", "2-fold*100"], samples=20, rng=3)
    assert_array_equal(alone.evidence["10-fold"].loss, among.evidence["10-fold"].loss)
    assert_array_equal(alone.true_errors, among.true_errors)
    other = sample_learners(TwoNormals(0.1), PAIR, 20, samples=20, rng=4)
    assert (alone.true_errors != other.true_errors).any()


def test_portions_are_put_together(monkeypatch):
    whole = sample_learners(Fixed(0.1), PAIR, 20, ["loo-star"], samples=25)
    monkeypatch.setattr(sampling, "_MOST_NUMBERS", 10_000)  # five samples at a time
    parts = sample_learners(Fixed(0.1), PAIR, 20, ["loo-star"], samples=25)
    assert_array_equal(parts.true_errors, whole.true_errors)
    for name in ("loo", "apparent"):  # which draw nothing
        assert_array_equal(parts.estimates(name), whole.estimates(name))
    bag = parts.evidence["632*100"]
    assert bag.shape == (25,)
    assert bag.part("out-of-bag").shape == (25,)
    assert_allclose(bag.test.mean(), 20 * (1 - 1 / 20) ** 20, rtol=0.05)


def test_examples_that_no_bootstrap_sample_left_out_do_not_count():
    result = sample_learners(TwoNormals(0.25), [NearestNeighbours(1)], 8, ["632*2"], samples=200, rng=1)
    seed = int(np.random.default_rng(1).integers(2**63))
    _, out = sampling._draw_bootstrap((200, 2), 8, np.random.default_rng([seed, crc32(b"632*2")]))
    ever = out.any(axis=1)
    assert not ever.all()
    bag = result.evidence["632*2"]
    discordant = bag.part("out-of-bag").loss[:, 0, 0]
    assert_allclose(
        result.estimates("oob", plan="632*2")[:, 0],
        [row[known].mean() for row, known in zip(discordant, ever, strict=True)],
    )


def test_any_number_of_learners_and_their_own_names():
    result = sample_learners(PLANE, [Majority(), Discriminant(), NearestNeighbours(1)], 20, ["5-fold"], samples=10)
    assert result.learners == ("Majority", "discriminant", "1-NN") == result.evidence["5-fold"].learners
    assert result.estimates("kfold", plan="5-fold").shape == result.true_errors.shape == (10, 3)
    assert repr(result) == "SampledLearners(Majority, discriminant, 1-NN: 10 samples by 5-fold)"


def test_stratified_folds_have_the_classes_of_the_sample():
    """The errors of a majority rule are the smaller class, of which every fold has its share, up to one example."""
    evidence = sample_learners(TwoNormals(0.1), [Majority()], 40, ["4-fold"], samples=50, stratify=True).evidence[
        "4-fold"
    ]
    errors = evidence.loss[:, 0, 0] * 10
    assert (errors.max(axis=-1) - errors.min(axis=-1)).max() <= 1 + 1e-9


@pytest.mark.parametrize(
    ("population", "inducers", "size", "plans", "says"),
    [
        ("normals", PAIR, 20, [], "`population` must be one of tellapart.lab"),
        (TwoNormals(0.1), [], 20, [], "`inducers` must be at least one learner"),
        (TwoNormals(0.1), 3, 20, [], "`inducers` must be a dictionary or a sequence of learners"),
        (TwoNormals(0.1), ["1-NN"], 20, [], "`inducers` must be a learner of tellapart.lab"),
        (TwoNormals(0.1), [NearestNeighbours(1)] * 2, 20, [], "with different names"),
        (TwoNormals(0.1), PAIR, 1, [], "`examples` must be"),
        (TwoNormals(0.1), PAIR, 20, ["nested 20x10"], "`plans` must be cross-validations"),
        (TwoNormals(0.1), PAIR, 20, ["independent"], "`plans` must be cross-validations"),
        (TwoNormals(0.1), PAIR, 20, ["delve 2x5"], "`plans` must be cross-validations"),
        (TwoNormals(0.1), PAIR, 8, ["10-fold"], "needs at least 10 examples"),
    ],
)
def test_what_cannot_be_drawn_is_reported(population, inducers, size, plans, says):
    with pytest.raises(InvalidOption, match=says):
        sample_learners(population, inducers, size, plans, samples=5)


def test_a_plan_that_was_not_drawn_is_reported():
    result = sample_learners(TwoNormals(0.1), PAIR, 20, ["5-fold"], samples=5)
    with pytest.raises(InvalidOption, match="needs the plan '10-fold', got 5-fold"):
        result.estimates("kfold")
    with pytest.raises(InvalidEvidence, match="needs leave-one-out cross-validation"):
        result.estimates("loo", plan="5-fold")


def test_evidence_is_what_methods_read():
    result = sample_learners(TwoNormals(0.1), PAIR, 20, ["632", "loo-star"], samples=4)
    for name, evidence in result.evidence.items():
        assert isinstance(evidence, Resamples)
        assert evidence.plan.name == Plan.parse(name).name
        assert evidence[2].shape == ()
        assert evidence.select("1-NN").learners == ("1-NN",)
