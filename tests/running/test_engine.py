"""The same race gives the same bits wherever it runs, and no learner can stop it."""

# ruff: noqa: N803, N806  # X is scikit-learn's name for it

import copy
import random
import sys
import types
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
import threadpoolctl
from scipy import sparse, stats
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, RandomizedSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from tellapart.display import Row
from tellapart.errors import InvalidEvidence, InvalidOption, MissingExtra, TellapartError
from tellapart.running import engine, race, read_race
from tellapart.running.learners import random_parameters, seeds_of
from tellapart.running.task import Task, in_time

# --- Where it runs --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alone(learners, data):
    return race(learners, *data, plan="2x2", jobs=1)


def test_every_learner_is_fitted_once_a_split(odd, data, tmp_path):
    log = tmp_path / "log"
    evidence = race({"a": odd.Counting(log), "b": odd.Counting(log)}, *data, plan="5x2", jobs=1)
    assert len(log.read_text().splitlines()) == 20 == len(evidence.fits)
    evidence.resamples("a", "b")
    assert len(log.read_text().splitlines()) == 20


@pytest.fixture(scope="module")
def demanding(odd):
    """Return learners whose results could depend on more than their seed."""
    distribution = stats.loguniform(0.01, 100)  # which holds NumPy's own generator
    return {
        "forest": RandomForestClassifier(16, max_depth=2, n_jobs=4),  # whose threads would add up in any order
        "search": GridSearchCV(odd.Pausing(), {}, cv=2, n_jobs=2),  # whose processes would draw from anywhere
        "haphazard": odd.Haphazard(distribution),
        "random search": RandomizedSearchCV(LogisticRegression(), {"C": distribution}, n_iter=2, cv=2),
    }


def test_two_worker_processes_give_the_same_bits(alone, learners, demanding, odd, data, bits):
    """Parallel learners give the same bits; a learner with the global generator uses that of its process."""
    once, again = (race(demanding, *data, plan="2x2", jobs=1) for _ in range(2))
    assert bits(once) == bits(again)
    there = race(learners | demanding | {"threads": odd.Threads()}, *data, plan="2x2", jobs=2)
    assert not there.failures
    result = bits(there)
    threads = [fit.predictions for fit in there.fits if fit.learner == "threads"]
    assert np.all(np.array(threads) == 1)  # a fit has one
    assert {key: value for key, value in result.items() if key[0] != "threads"} == bits(alone) | bits(once)


def test_threads_give_the_same_bits(alone, learners, data, bits, odd):
    with ThreadPoolExecutor(4) as pool:
        assert bits(race(learners, *data, plan="2x2", executor=pool)) == bits(alone)
        pausing = {"a": odd.Pausing(), "b": odd.Pausing()}  # they would draw each other's numbers
        assert bits(race(pausing, *data, plan="4x2", executor=pool)) == bits(race(pausing, *data, plan="4x2", jobs=1))


def test_changes_by_one_fit_do_not_reach_the_next(odd, data, bits):
    racing, (X, y) = {"careless": odd.Careless(), "sensitive": odd.Sensitive()}, data
    before, filters = np.geterr(), list(warnings.filters)
    evidence = [race(racing, X, y, plan="2x2", jobs=jobs) for jobs in (1, 2)]
    assert bits(evidence[0]) == bits(evidence[1])
    assert not evidence[0].failures
    assert all((fit.predictions == 1).all() for fit in evidence[0].fits if fit.learner == "sensitive")
    assert (np.geterr(), warnings.filters) == (before, filters)
    assert sklearn.get_config()["transform_output"] == "default"


def test_workers_are_configured_as_the_driver_is(data, bits):
    frame = pd.DataFrame(data[0], columns=list("abcd"))
    learner = {"picky": make_pipeline(StandardScaler(), ColumnTransformer([("b", "passthrough", ["b"])]), GaussianNB())}
    with sklearn.config_context(transform_output="pandas"), np.errstate(all="raise"), ThreadPoolExecutor(1) as pool:
        evidence = [
            race(learner, frame, data[1], plan="2-fold", **where)
            for where in ({"jobs": 1}, {"jobs": 2}, {"executor": pool})
        ]
    assert not evidence[0].failures
    assert bits(evidence[0]) == bits(evidence[1]) == bits(evidence[2])


def test_a_process_pool_gives_the_same_bits(alone, learners, data, bits):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert bits(race(learners, *data, plan="2x2", executor=pool)) == bits(alone)


def test_by_default_fits_move_to_other_processes(alone, learners, data, bits, monkeypatch):
    monkeypatch.setattr(engine, "_WORTH_IT", 0.0)
    assert bits(race(learners, *data, plan="2x2")) == bits(alone)


def test_by_default_learners_that_cannot_be_pickled_run_in_this_process(data, monkeypatch):
    monkeypatch.setattr(engine, "_WORTH_IT", 0.0)
    stuck = GaussianNB()
    stuck.held = (number for number in ())  # no generator is ever pickled
    assert not race({"nb": stuck}, *data, plan="2x2").failures
    with pytest.raises(InvalidOption, match=r"learner 'nb' must be picklable for other processes .* jobs=1"):
        race({"nb": stuck}, *data, plan="2x2", jobs=2)


def test_by_default_learners_that_cannot_be_unpickled_run_in_this_process(data, monkeypatch, bits):
    module = types.ModuleType("known_here_only")  # which no other process can import
    module.Here = type("Here", (GaussianNB,), {"__module__": module.__name__})
    monkeypatch.setitem(sys.modules, module.__name__, module)
    learner = {"nb": module.Here()}
    with pytest.raises(InvalidOption, match=r"cannot load the learners or the data .* jobs=1"):
        race(learner, *data, plan="2x2", jobs=2)
    monkeypatch.setattr(engine, "_WORTH_IT", 0.0)
    assert bits(race(learner, *data, plan="2x2")) == bits(race(learner, *data, plan="2x2", jobs=1))


def test_the_seed_determines_the_splits(alone, learners, data, bits):
    assert bits(race(learners, *data, plan="2x2", jobs=1)) == bits(alone)
    assert bits(race(learners, *data, plan="2x2", jobs=1, rng=1)) != bits(alone)
    one, other = (race(learners, *data, plan="2x2", jobs=1, rng=np.random.default_rng(5)) for _ in range(2))
    assert bits(one) == bits(other)


def test_other_learners_do_not_change_a_result(alone, learners, data, bits):
    fewer = race({"tree": learners["tree"], "drawing": learners["drawing"]}, *data, plan="2x2", jobs=1)
    whole = bits(alone)
    assert all(whole[key] == value for key, value in bits(fewer).items())


def test_global_state_is_unchanged(learners, data):
    states = np.random.get_state()[1].tobytes(), random.getstate()  # noqa: NPY002
    threads = [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]
    filters = list(warnings.filters)
    race(learners, *data, plan="2x2", jobs=1)
    assert (np.random.get_state()[1].tobytes(), random.getstate()) == states  # noqa: NPY002
    assert [pool["num_threads"] for pool in threadpoolctl.threadpool_info()] == threads
    assert warnings.filters == filters
    assert not hasattr(learners["nb"], "classes_")
    assert learners["tree"].random_state is None


def test_a_fit_has_one_thread(odd, data):
    with threadpoolctl.threadpool_limits(2):
        evidence = race({"threads": odd.Threads()}, *data, plan="2-fold", jobs=1)
    assert not evidence.failures
    assert all((fit.predictions == 1).all() for fit in evidence.fits)


# --- Seeds ----------------------------------------------------------------------------------------


def test_unset_seeds_are_found_at_any_depth():
    search = GridSearchCV(make_pipeline(StandardScaler(), RandomForestClassifier()), {})
    assert random_parameters(search, fixed_too=False) == ("estimator__randomforestclassifier__random_state",)
    fixed = DecisionTreeClassifier(random_state=3)
    assert random_parameters(fixed, fixed_too=False) == ()
    assert random_parameters(fixed, fixed_too=True) == ("random_state",)


def test_seeds_differ_by_learner_split_and_repetition():
    keys = [(root, name, split, seed) for root in (0, 1) for name in "ab" for split in (0, 1) for seed in (0, 1)]
    assert len({tuple(seeds_of(*key, count=2)) for key in keys}) == len(keys)


class Keeping(BaseEstimator):
    """Predict the seed, and 0 once."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):  # noqa: ARG002
        return self

    def predict(self, X):
        return np.where(np.arange(len(X)) == 0, 0, self.random_state)


def test_a_fixed_seed_is_kept_unless_seeds_are_requested(data):
    X, _ = data
    y = np.arange(40) % 2 * 7  # classes 0 and 7
    once = race({"fixed": Keeping(7), "open": Keeping()}, X, y, plan="2-fold", jobs=1)
    assert (once.fit("fixed", 0).predictions[1:] == 1).all()
    assert (once.fit("open", 0).predictions[1:] == -1).all()
    thrice = race({"fixed": Keeping(7)}, X, y, plan="2-fold", jobs=1, seeds=3)
    assert len(thrice.fits) == 6
    assert (thrice.fit("fixed", 0, 2).predictions[1:] == -1).all()


def test_repeated_fits_differ_by_the_learners_own_randomness(learners, data):
    evidence = race({"tree": learners["tree"], "nb": learners["nb"]}, *data, plan="2-fold", jobs=1, seeds=4)
    trees, steady = (
        {evidence.fit(name, 0, seed).predictions.tobytes() for seed in range(4)} for name in ("tree", "nb")
    )
    assert len(trees) > 1
    assert len(steady) == 1


# --- What goes wrong ------------------------------------------------------------------------------

REASONS = {
    "raise": "ValueError: no wish to learn",
    "exit": "SystemExit: 3",
    "short": "ValueError: predict returned shape (2,) for 20 examples",
    "nan": "ValueError: predict returned 20 missing labels (NaN or None) for 20 examples",
    "none": "ValueError: predict returned 20 missing labels (NaN or None) for 20 examples",
    "unheard of": "ValueError: predict returned labels such as 77, which y does not have (a regressor?)",
    "generator exit": "GeneratorExit",
    "mute": "Mute: no message",
    "address": "ValueError: what is <object object at 0x…>?",
}


@pytest.mark.parametrize("how", REASONS)
def test_a_failed_fit_is_reported_and_the_race_continues(odd, data, how):
    evidence = race({"odd": odd.Misbehaving(how), "nb": GaussianNB()}, *data, plan="2-fold", jobs=1)
    (failure,) = evidence.failures
    assert (failure.learner, failure.why) == ("odd", REASONS[how])
    assert sum(fit.predictions is not None for fit in evidence.fits) == 3


@pytest.mark.parametrize(
    "learner",
    [
        DecisionTreeClassifier(max_depth=2, random_state=0),
        ExtraTreeClassifier(max_depth=2, random_state=0),
        RandomForestClassifier(4, max_depth=2, random_state=0),
        ExtraTreesClassifier(4, max_depth=2, random_state=0),
        KNeighborsClassifier(4),
        KNeighborsClassifier(4, algorithm="brute"),
        KNeighborsClassifier(4, weights="distance"),
    ],
    ids=repr,
)
def test_predictions_from_votes_equal_those_of_the_learner(learner):
    rng = np.random.default_rng(5)
    X, y = rng.integers(4, size=(90, 2)).astype(float), np.array(list("abc"))[rng.integers(3, size=90)]  # many ties
    evidence = race([learner], X, y, plan="3x2", jobs=1)
    for split, fit in zip(evidence.layout.splits, evidence.fits, strict=True):
        theirs = clone(learner).fit(X[split.train], y[split.train]).predict(X[split.test])
        assert np.array_equal(np.array(evidence.classes)[fit.predictions], theirs)


def test_workers_and_threads_report_failures_alike(odd, data):
    summary = REASONS | {"interrupt": "KeyboardInterrupt"}
    racing = {how: odd.Misbehaving(how) for how in summary} | {"nb": GaussianNB()}
    with ThreadPoolExecutor(1) as pool:
        for where in ({"jobs": 2}, {"executor": pool}, {"executor": pool, "timeout": 60}):
            evidence = race(racing, *data, plan="2-fold", **where)
            assert {failure.learner: failure.why for failure in evidence.failures} == summary
            assert sum(fit.predictions is not None for fit in evidence.fits) == len(summary) + 2


def test_an_interrupt_in_this_process_is_raised(odd, data):
    with pytest.raises(KeyboardInterrupt):
        race({"odd": odd.Misbehaving("interrupt")}, *data, plan="2-fold", jobs=1)


def test_a_fit_that_ends_without_a_message_is_not_a_timeout():
    def run():
        raise SystemExit(4)

    assert in_time(run, Task("odd", 0, 0), 60).failure == "SystemExit: 4"


def test_an_unknown_label_is_a_separate_error(odd, data):
    evidence = race({"odd": odd.Misbehaving("unheard of once")}, *data, plan="2-fold", jobs=1)
    assert sorted(int((fit.predictions < 0).sum()) for fit in evidence.fits) == [0, 1]


def test_a_regressor_is_refused(data):
    evidence = race({"linear": LinearRegression()}, *data, plan="2-fold", jobs=1)
    assert [failure.why for failure in evidence.failures] == [
        "ValueError: predict returned numbers, which y does not have (a regressor?)"
    ] * 2


@pytest.mark.parametrize(
    ("how", "why"), [("nan share", "ValueError: predict_proba returned NaN"), ("no shares", "RuntimeError: not today")]
)
def test_broken_probabilities_leave_the_predictions(odd, data, how, why, tmp_path):
    evidence = race({"odd": odd.Misbehaving(how)}, *data, plan="2-fold", jobs=1, store=tmp_path / "my.race")
    for each in (evidence, read_race(tmp_path / "my.race")):
        assert not each.failures
        assert sum(fit.probabilities is None for fit in each.fits) == 1
        assert each.resamples().loss.shape == (1, 1, 2)
        with pytest.raises(InvalidEvidence, match=rf"log-loss needs class probabilities, but odd has none \({why}\)"):
            each.resamples(metric="log_loss")
        assert Row("caution", f"odd returned no probabilities, once: {why}") in each.display().rows


def test_a_class_missing_from_a_training_set_is_left_to_the_learner():
    X = np.arange(12.0).reshape(-1, 1)
    y = np.array(list("aaaabbbbcccc"))
    evidence = race(
        {"nb": GaussianNB()}, X, y, plan=[(np.arange(8), np.arange(8, 12)), (np.arange(4), np.arange(4, 8))]
    )
    missing, alone = evidence.fits
    assert missing.probabilities.shape == (4, 3)
    assert (missing.probabilities[:, 2] == 0).all()
    assert alone.predictions is not None
    stubborn = race({"lr": LogisticRegression()}, X, y, plan=[(np.arange(4), np.arange(4, 8))])
    assert "at least 2 classes" in stubborn.failures[0].why


def test_warnings_of_learners_are_passed_through(data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evidence = race({"lr": LogisticRegression(max_iter=1)}, *data, plan="2-fold", jobs=1)
    assert not evidence.failures


# --- What is handed in ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        lambda X: pd.DataFrame(X, columns=list("abcd")),
        lambda X: pl.DataFrame(X, schema=list("abcd")),
        sparse.csr_matrix,
        sparse.coo_array,
        lambda X: X.tolist(),
        np.asfortranarray,
        lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    ],
    ids=["pandas", "polars", "csr", "coo", "list", "fortran", "strided"],
)
def test_examples_are_accepted_in_any_form(data, form, bits, request):
    X, y = data
    tree = {"tree": DecisionTreeClassifier()}
    plain = race(tree, X, y, plan="2-fold", jobs=1)
    other = race(tree, form(X), y, plan="2-fold", jobs=1)
    assert not other.failures
    if request.node.callspec.id not in {"csr", "coo"}:  # a tree sorts a sparse column otherwise
        assert bits(other) == bits(plain)


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["spam" if i % 2 else "ham" for i in range(40)], ("ham", "spam")),
        (pd.Series(["spam" if i % 2 else "ham" for i in range(40)], dtype="category"), ("ham", "spam")),
        (pd.array([i % 2 for i in range(40)], dtype="Int64"), (0, 1)),
        (pl.Series([bool(i % 2) for i in range(40)]), (False, True)),
        ([float(i % 3) for i in range(40)], (0.0, 1.0, 2.0)),
    ],
    ids=["texts", "category", "nullable", "booleans", "floats"],
)
def test_labels_are_accepted_in_any_form(data, y, classes):
    evidence = race({"tree": DecisionTreeClassifier()}, data[0], y, plan="apparent", jobs=1)
    assert evidence.classes == classes
    (fit,) = evidence.fits
    assert np.array_equal(fit.predictions, evidence.labels)  # a whole tree knows its training set by heart
    assert np.array_equal(fit.probabilities.argmax(axis=1), evidence.labels)


def test_texts_are_accepted_as_examples():
    texts = ["good film", "bad film", "good book", "bad book"] * 4
    learner = make_pipeline(CountVectorizer(), MultinomialNB())
    evidence = race([learner], texts, [text[:3] for text in texts], plan="2-fold", jobs=1)
    assert evidence.learners == ("Pipeline",)
    assert not evidence.failures


@pytest.mark.parametrize(
    "form", [lambda X: X.tolist(), lambda X: np.array([*map(list, X), None], dtype=object)[:-1, None]]
)
def test_a_learner_cannot_change_the_examples(data, form):
    X = form(data[0])
    kept = copy.deepcopy(X)
    evidence = race({"careless": Shifting()}, X, data[1], plan="2-fold", jobs=1)
    assert not evidence.failures
    assert np.array_equal(X, kept)


class Shifting(BaseEstimator):
    """Change the rows of the examples."""

    def fit(self, X, y):
        for row in X:
            (row if isinstance(row, list) else row[0])[1] += 1.0
        self.label = y[0]
        return self

    def predict(self, X):
        self.fit(X, [self.label])
        return np.full(len(X), self.label)


def test_a_column_vector_of_labels_is_accepted(data, bits):
    X, y = data
    for column in (y[:, None], pd.DataFrame({"y": y})):
        assert bits(race([GaussianNB()], X, column, plan="2-fold", jobs=1)) == bits(
            race([GaussianNB()], X, y, plan="2-fold", jobs=1)
        )


def test_continuous_labels_are_refused(data):
    X, _ = data
    with pytest.raises(InvalidEvidence, match=r"`y` must repeat its labels, got each once, such as 0.0.* classes"):
        race([GaussianNB()], X, np.arange(40.0), plan="2-fold", jobs=1)
    ages = np.arange(40) % 25
    evidence = race([DecisionTreeClassifier()], X, ages, plan="2-fold", jobs=1)
    assert evidence.display().rows[-1].text.startswith("y has 25 classes for 40 examples")
    few = race([GaussianNB()], X[:6], [0, 0, 1, 1, 2, 2], plan="2-fold", jobs=1)
    assert not few.failures
    assert not few.remarks


def test_groups_reach_the_splitter(data):
    groups = np.arange(40) // 4
    evidence = race([GaussianNB()], *data, plan=GroupKFold(5), groups=groups, jobs=1)
    for split in evidence.layout.splits:
        assert not set(groups[split.train]) & set(groups[split.test])


class Anything(BaseEstimator):
    """Takes any arguments, so it cannot be copied."""

    def __init__(self, *args):
        self.args = args

    def fit(self, X, y):
        """Learn nothing."""

    def predict(self, X):
        """Say nothing."""


REFUSED = [
    ({"y": [None] + [1] * 39}, "`y` must have no missing labels"),
    ({"y": [0.0, float("nan")] * 20}, "`y` must have no missing labels"),
    ({"y": [1] * 40}, "`y` must have 2 classes or more, got"),
    ({"y": [0, 1] * 5}, "`X` and `y` must have the same length, got 40 rows and 10 labels"),
    ({"y": ["a", 1] * 20}, "`y` must have labels of one kind, got numbers and texts"),
    ({"X": 3}, "`X` must have a row for each example"),
    ({"learners": {}}, "`learners` must have at least one"),
    ({"learners": {"nb": GaussianNB}}, r"learner 'nb' must be an object, got a class. Use GaussianNB\(\)"),
    ({"learners": {"nb": 3}}, "learner 'nb' must have the methods fit and predict"),
    ({"learners": {3: GaussianNB()}}, "the names of `learners` must be nonempty"),
    ({"learners": "nb"}, "`learners` must map names to learners"),
    ({"seeds": 0}, "`seeds` must be a whole number of 1 or more, got 0"),
    ({"jobs": 0}, "`jobs` must be a whole number of 1 or more, got 0"),
    ({"timeout": -1}, "`timeout` must be a number of seconds above 0"),
    ({"timeout": True}, "`timeout` must be a number of seconds above 0"),
    ({"timeout": "5"}, "`timeout` must be a number of seconds above 0"),
    ({"timeout": 1e300}, "`timeout` must be a number of seconds above 0"),
    ({"timeout": float("nan")}, "`timeout` must be a number of seconds above 0"),
    ({"stratify": "no"}, "`stratify` must be True or False, got 'no'"),
    ({"rng": True}, "`rng` must be a seed .* got True"),
    ({"store": 5}, "`store` must be the path of a file, got 5"),
    ({"learners": {"odd": Anything(1)}}, "learner 'odd' must return its parameters.*no varargs"),
    ({"y": ["a"] * 40}, "got 'a' only"),
    ({"executor": 3}, "`executor` must be a concurrent.futures executor"),
    ({"rng": "x"}, "`rng` must be a seed"),
    ({"groups": [1, 2]}, "groups"),
]


@pytest.mark.parametrize(("wrong", "message"), REFUSED)
def test_bad_input_is_refused_with_the_parameter_named(data, wrong, message):
    context = {"learners": {"nb": GaussianNB()}, "X": data[0], "y": data[1], "plan": "2-fold"} | wrong
    with pytest.raises((InvalidEvidence, InvalidOption), match=message):
        race(**context)


@pytest.mark.parametrize("timeout", [float("inf"), np.inf, np.int64(60), np.float32(60), 9e9])
def test_any_positive_number_is_a_time_limit(data, timeout):
    with ThreadPoolExecutor(1) as pool:
        assert not race([GaussianNB()], *data, plan="2-fold", executor=pool, timeout=timeout).failures


def test_an_executor_and_jobs_exclude_each_other(data):
    with ThreadPoolExecutor(1) as pool, pytest.raises(InvalidOption, match="exclude each other"):
        race([GaussianNB()], *data, executor=pool, jobs=2)


def test_without_scikit_learn_the_error_names_the_package(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtra, match=r"sklearn is not installed.*tellapart\[learn\]"):
        race([GaussianNB()], *data)


def test_a_closed_executor_is_reported(data):
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(TellapartError, match=r"must accept fits, got: cannot schedule .* in the store"):
        race([GaussianNB()], *data, plan="2-fold", executor=pool)


def test_the_progress_bar_shows_the_remaining_fits(data, capfd):
    race([GaussianNB()], *data, plan="2-fold", jobs=1, progress=True)
    assert "fits" in capfd.readouterr().err
    race([GaussianNB()], *data, plan="2-fold", jobs=1)
    assert not capfd.readouterr().err


def test_reseeding_equals_a_race_with_another_seed(data, bits):
    evidence = race([GaussianNB()], *data, plan="2x2", jobs=1, rng=4)
    assert bits(evidence.reseed(2)) == bits(race([GaussianNB()], *data, plan="2x2", jobs=1, rng=6))
    assert race([GaussianNB()], *data, plan=[([0, 1, 2, 3], [4, 5])], jobs=1).reseed is None


def test_reseeding_does_not_repeat_the_learning_curve(data, bits):
    evidence = race([GaussianNB()], *data, plan="2x2", jobs=1, learning_curve=(0.5,))
    assert bits(evidence.reseed(2)) == bits(race([GaussianNB()], *data, plan="2x2", jobs=1, rng=2))


def test_a_generator_of_splits_is_consumed_once(data):
    evidence = race([GaussianNB()], *data, plan=KFold(2).split(data[0]), jobs=1)
    assert len(evidence.fits) == 2
    with pytest.raises(InvalidOption, match=r"its splits are fixed.* a named plan"):
        evidence.reseeded(3)


def test_the_generator_of_a_splitter_is_not_advanced(data, bits):
    splitter = StratifiedKFold(2, shuffle=True, random_state=np.random.RandomState(3))
    one, other = (race([GaussianNB()], *data, plan=splitter, jobs=1) for _ in range(2))
    assert bits(one) == bits(other)


def test_a_single_fit_is_accepted(data):
    assert (
        race([GaussianNB()], *data, plan="holdout", jobs=1).describe()
        == "40 examples, 1 random split (67% for training), 1 fit"
    )
