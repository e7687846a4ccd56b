"""Training sets: every classifier meets every test example, and pairs come out in order."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import TrainingSets

WRONG = np.random.default_rng(0).random((3, 4, 9)) < 0.4
SETS = TrainingSets(WRONG, learners=("x", "y", "z"), trained_on=50)


def test_losses_and_differences():
    assert_allclose(SETS.losses, WRONG.mean(axis=(1, 2)))
    assert SETS.select("z", "y").difference == pytest.approx(WRONG[2].mean() - WRONG[1].mean())
    assert_array_equal(SETS.select("z", "y").values, WRONG[2] * 1.0 - WRONG[1])
    assert_array_equal(SETS.select("y").values, WRONG[1])


def test_every_pair_at_once():
    pairs = SETS.pairs()
    assert pairs.shape == (3,)
    for index, (a, b) in enumerate(SETS.pair_names()):
        assert_array_equal(pairs[index].values, SETS.select(a, b).values)


def test_it_describes_itself():
    assert (SETS.sets, SETS.examples) == (4, 9)
    assert SETS.describe() == "4 disjoint training sets of 50 examples, 9 test examples"
    seeds = TrainingSets(WRONG, learners=("x", "y", "z"), varies="seed")
    assert seeds.describe() == "4 seeds, 9 test examples"
    assert SETS.as_dict()["loss"] == WRONG.mean(axis=-1).tolist()


@pytest.mark.parametrize(
    ("fields", "trouble"),
    [
        ({"loss": WRONG}, "`loss` must have 2 learners, training sets and test examples as last dimensions"),
        (
            {"loss": [[0, 1]], "learners": ("x",)},
            "`loss` must have 1 learner, training sets and test examples as last dimensions",
        ),
        ({"loss": WRONG * 2.0, "learners": ("x", "y", "z")}, r"`loss` must be from 0 \(right\) to 1 \(wrong\)"),
        ({"loss": np.where(WRONG, np.nan, 0.0), "learners": ("x", "y", "z")}, "must be finite"),
        (
            {"loss": WRONG, "learners": ("x", "y", "z"), "varies": "moon"},
            "`varies` must be one of 'training set', 'seed'",
        ),
        ({"loss": [["a"]], "learners": ("x",)}, "`loss` must be numbers"),
        (
            {"loss": None, "learners": ("x",)},
            "`loss` must have 1 learner, training sets and test examples as last dimensions",
        ),
        ({"loss": WRONG[:2], "learners": "ab"}, "`learners` must be a list of names"),
        ({"loss": WRONG[:2], "learners": None}, "`learners` must be a list of names"),
        ({"loss": WRONG[:2], "learners": ("x", "x")}, "must be different names"),
        ({"loss": WRONG[:2], "metric": None}, "`metric` must be a name"),
        ({"loss": WRONG[:2], "seed_variance": np.zeros(7)}, r"`seed_variance` must be finite and of shape \(2, 4\)"),
        ({"loss": WRONG[:2], "seed_variance": "none"}, "`seed_variance` must be numbers"),
    ],
)
def test_bad_outcomes_are_refused_with_a_fix(fields, trouble):
    with pytest.raises((InvalidEvidence, InvalidOption), match=trouble):
        TrainingSets(**fields)


def test_a_learner_that_is_not_there():
    with pytest.raises(InvalidEvidence, match="`learner` must be one of 'x', 'y', 'z'"):
        SETS.select("w")
    for bad in ((), ("x", "x")):
        with pytest.raises(InvalidEvidence, match="must be different names"):
            SETS.select(*bad)


@pytest.mark.parametrize(
    ("metric", "one", "two"),
    [
        ("error", (0, 1), (-1, 1)),
        ("f1", (0, 1), (-1, 1)),
        ("log_loss", (0, np.inf), (-np.inf, np.inf)),
        ("brier", (0, np.inf), (-np.inf, np.inf)),
        ("cost", (-np.inf, np.inf), (-np.inf, np.inf)),
    ],
)
def test_where_losses_and_differences_end(metric, one, two):
    sets = TrainingSets(WRONG, learners=("x", "y", "z"), metric=metric)
    assert sets.select("x").range == one
    assert sets.select("x", "y").range == two
