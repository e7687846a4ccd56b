"""A store keeps a race to the last bit, refuses another race, and has plain values only."""

# ruff: noqa: N803, N806  # X is scikit-learn's name for it

import copy
import functools
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from tellapart.errors import InvalidInput, StoreMismatch
from tellapart.running import race, read_race
from tellapart.running.fingerprints import changes, of_data, of_learner


@pytest.fixture
def store(tmp_path):
    return tmp_path / "my.race"


@pytest.fixture
def run(data, store):
    """Run a race of two fast learners, with the given changes."""

    def run(**changed):
        context = {"learners": {"nb": GaussianNB(), "nn": KNeighborsClassifier(3)}, "X": data[0], "y": data[1]}
        return race(**(context | {"plan": "2x2", "jobs": 1, "store": store} | changed))

    return run


# --- What is kept ---------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", ["2x2", "632*5", "nested 2x3", "conservative-z 2x2(0.9)", "delve 2x9", "loo"])
def test_a_stored_race_is_read_unchanged(run, store, bits, plan):
    evidence = run(plan=plan)
    read = read_race(store)
    assert bits(read) == bits(evidence)
    assert (read.learners, read.classes, read.seeds) == (evidence.learners, evidence.classes, evidence.seeds)
    assert (str(read.plan), read.plan.kind, read.plan.folds) == (
        str(evidence.plan),
        evidence.plan.kind,
        evidence.plan.folds,
    )
    assert {name: str(each) for name, each in read.layout.plans.items()} == {
        name: str(each) for name, each in evidence.layout.plans.items()
    }
    assert np.array_equal(read.labels, evidence.labels)
    for one, other in zip(read.layout.splits, evidence.layout.splits, strict=True):
        assert (one.part, one.replicate, one.fold) == (other.part, other.replicate, other.fold)
        assert np.array_equal(one.train, other.train)
        assert np.array_equal(one.test, other.test)


def test_failures_labels_and_seeds_are_kept(run, store, odd, bits):
    names = np.array(["yes", "no"] * 20)
    evidence = run(learners={"odd": odd.Misbehaving("raise"), "tree": DecisionTreeClassifier()}, y=names, seeds=2)
    read = read_race(store)
    assert bits(read) == bits(evidence)
    assert read.classes == ("no", "yes")
    assert read.failures == evidence.failures != ()


def test_a_store_has_settings_and_versions(run, store):
    run(settings={"data": "iris", "scale": True})
    assert read_race(store).settings == {"data": "iris", "scale": True}
    assert run().settings == {"data": "iris", "scale": True}
    with closing(sqlite3.connect(store)) as base:
        versions = json.loads(base.execute("SELECT versions FROM runs").fetchone()[0])
        assert base.execute("SELECT count(DISTINCT run) FROM fits").fetchone()[0] == 1
    assert versions["numpy"] == np.__version__


def test_a_store_has_no_pickles(run, store, learners):
    run(learners=learners)
    with closing(sqlite3.connect(store)) as base:
        for (table,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in base.execute(f"SELECT * FROM {table}"):  # noqa: S608
                for value in row:
                    assert not (isinstance(value, bytes) and value.startswith(b"\x80"))


def test_learners_can_be_added_or_left_out(run, store, odd, tmp_path):
    log = tmp_path / "log"
    run(learners={"counting": odd.Counting(log)})
    run(learners={"counting": odd.Counting(log), "nb": GaussianNB()})
    assert len(log.read_text().splitlines()) == 4
    assert run(learners={"nb": GaussianNB()}).learners == ("nb",)
    assert read_race(store).learners == ("counting", "nb")


def test_failed_fits_are_not_repeated_by_default(run, odd, tmp_path):
    learners = {"moody": odd.Misbehaving("raise once", tmp_path / "log"), "nb": GaussianNB()}
    assert [failure.why for failure in run(learners=learners).failures] == ["ValueError: not today"]
    assert len(run(learners=learners).failures) == 1
    assert not run(learners=learners, retry_failed=True).failures


def test_settings_are_plain_values(run):
    with pytest.raises(InvalidInput, match="`settings` must have plain JSON values"):
        run(settings={"when": object()})


def test_a_damaged_file_is_reported(run, store):
    run(plan="20x2")
    content = bytearray(store.read_bytes())
    content[4096:] = b"?" * (len(content) - 4096)
    store.write_bytes(content)
    with pytest.raises(InvalidInput, match="is damaged"):
        read_race(store)


@pytest.mark.parametrize("where", [b"CREATE TABLE meta", b"CREATE TABLE fits", b"splits", b"versions", b"GaussianNB"])
def test_damaged_text_is_reported(run, store, where):
    """Bytes that are not UTF-8; the message of SQLite about them is not UTF-8 either."""
    run()
    content = store.read_bytes()
    assert where in content
    store.write_bytes(content.replace(where, b"\xff\xfe" + where[2:]))
    with pytest.raises(InvalidInput, match=r"store.* is damaged .* Use another file"):
        read_race(store)


def _read_or_refuse(store, content):
    store.write_bytes(content)
    try:
        read_race(store)
    except InvalidInput as error:
        assert "\n" not in str(error)  # noqa: PT017  # most damage is invisible
        return 1
    return 0


def _damaged(content, rng, times):
    """Yield copies with changed bytes, changed runs of bytes, or a missing end."""
    for index in range(times):
        changed = bytearray(content)
        if index % 4 == 3:
            changed = changed[: rng.integers(len(content))]
        for _ in range(int(rng.integers(1, 4))):
            start = int(rng.integers(len(content)))
            length = 1 if index % 2 else int(rng.integers(1, 2000))
            changed[start : start + length] = rng.bytes(length)
        yield bytes(changed)


def test_any_damage_is_one_kind_of_error(run, store):
    run()
    content = store.read_bytes()
    refused = [_read_or_refuse(store, each) for each in _damaged(content, np.random.default_rng(1), 60)]
    assert sum(refused) > 0


@pytest.mark.slow
def test_any_damage_is_one_kind_of_error_at_length(run, store):
    run()
    content = store.read_bytes()
    refused = [_read_or_refuse(store, each) for each in _damaged(content, np.random.default_rng(2), 3000)]
    assert sum(refused) > 0


DAMAGE = [
    "UPDATE splits SET train = x'00ff'",
    "UPDATE splits SET train = 'abc'",
    "UPDATE meta SET value = '{' WHERE name = 'classes'",
    "UPDATE meta SET value = '[0]' WHERE name = 'classes'",
    "DELETE FROM meta",
    "DELETE FROM splits",
    "DELETE FROM data",
    "UPDATE data SET codes = x'789c030000000001'",
    "UPDATE fits SET predictions = x'7f7f'",
    "UPDATE fits SET predictions = NULL",
    "UPDATE fits SET probabilities = x'00'",
    "UPDATE fits SET dtype = 'O'",
    "UPDATE fits SET split = 99 WHERE split = 0",
    "UPDATE learners SET fingerprint = 'nonsense'",
    "UPDATE plan SET plan = '{}'",
    "UPDATE runs SET versions = '['",
    "DROP TABLE splits",
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_modified_store_is_reported(run, store, damage):
    run()
    with closing(sqlite3.connect(store)) as base:
        base.execute(damage)
        base.commit()
    with pytest.raises(InvalidInput, match=r"store.* (is damaged|cannot be used)"):
        read_race(store)
    if "runs" not in damage:  # these are but remarked on
        with pytest.raises(InvalidInput, match=r"store.* (is damaged|cannot be used)"):
            run()


def test_a_truncated_file_is_reported(run, store):
    run()
    content = store.read_bytes()
    store.write_bytes(content[: len(content) // 2])
    for look in (run, lambda: read_race(store)):
        with pytest.raises(InvalidInput, match=r"is damaged|cannot be used"):
            look()


def test_a_full_disk_is_reported(run, monkeypatch):
    connect = sqlite3.connect

    def small(*words, **options):
        base = connect(*words, **options)
        base.execute("PRAGMA max_page_count = 3")
        return base

    monkeypatch.setattr("sqlite3.connect", small)
    with pytest.raises(InvalidInput, match="cannot be used: database or disk is full"):
        run()


def test_a_store_is_one_file_and_reading_leaves_nothing(run, store):
    run()
    assert [each.name for each in store.parent.iterdir()] == ["my.race"]
    read_race(store)
    assert [each.name for each in store.parent.iterdir()] == ["my.race"]
    with closing(sqlite3.connect(store)) as base:  # as if its writer had been stopped
        base.execute("PRAGMA journal_mode = WAL")
    read_race(store)
    assert [each.name for each in store.parent.iterdir()] == ["my.race"]


def test_settings_of_several_runs_are_kept(run, store):
    run(settings={"learners": {"nb": "a"}, "scale": 1})
    evidence = run(learners={"tree": DecisionTreeClassifier()}, settings={"learners": {"tree": "b"}, "scale": 2})
    assert evidence.settings == read_race(store).settings == {"learners": {"nb": "a", "tree": "b"}, "scale": 2}


def test_other_versions_give_a_note(run, store):
    run()
    with closing(sqlite3.connect(store)) as base:
        (text,) = base.execute("SELECT versions FROM runs").fetchone()
        assert {"scipy", "joblib", "scikit-learn"} <= set(json.loads(text))
        base.execute("UPDATE runs SET versions = ?", (json.dumps(json.loads(text) | {"scipy": "0.1"}),))
        base.commit()
    assert read_race(store).remarks == ()
    evidence = run(learners={"tree": DecisionTreeClassifier()})
    assert evidence.remarks == read_race(store).remarks
    assert evidence.remarks[0].startswith("the fits have different versions: scipy 0.1 and ")
    assert evidence.display().rows[-1].label == "caution"


def test_a_read_only_store_can_be_read(run, store, bits):
    evidence = run()
    store.chmod(0o400)
    store.parent.chmod(0o500)
    try:
        assert bits(read_race(store)) == bits(evidence)
    finally:
        store.parent.chmod(0o700)


# --- What is refused ------------------------------------------------------------------------------


def other(y):
    changed = np.array(y)
    changed[0] = 1 - changed[0]
    return changed


CHANGES = [
    ("learners", {"nn": KNeighborsClassifier(5)}, "learner 'nn': n_neighbors was 3 and is 5"),
    ("learners", {"nb": LogisticRegression()}, "learner 'nb': class was sklearn.naive_bayes.GaussianNB and is sklearn"),
    ("plan", "5x2", "plan was 2x2 and is 5x2"),
    ("stratify", False, "plan 2x2 has other splits"),
    ("rng", 1, "rng was 0 and is 1"),
    ("seeds", 2, "seeds was 1 and is 2"),
    ("X", lambda X: X + 1e-12, "X has other values"),
    ("X", lambda X: X[:, :3], r"X.shape\[1\] was 4 and is 3"),
    ("y", other, "y has other values"),
    ("y", lambda y: y + 1, r"y.classes\[0\] was 0 and is 1"),
    ("y", lambda y: y.astype(float), "y.kind was int and is float"),
    ("y", lambda y: y.astype(bool), "y.kind was int and is bool"),
]


@pytest.mark.parametrize(("argument", "change", "message"), CHANGES)
def test_another_race_is_refused_with_the_difference_named(run, store, data, argument, change, message):
    run()
    changed = change(data[argument == "y"]) if argument in {"X", "y"} else change
    kept = store.read_bytes()
    with pytest.raises(
        StoreMismatch, match=rf"must have the same experiment, got another: .*{message}.* delete this one"
    ):
        run(**{argument: changed})
    assert store.read_bytes() == kept


def test_the_column_that_changed_is_named(run, data):
    frame = pd.DataFrame(data[0], columns=["id", "age", "height", "weight"])
    run(X=frame)
    with pytest.raises(StoreMismatch, match=r"got another: X.columns.age has other values. Use"):
        run(X=frame.assign(age=frame["age"] * 2))


def test_without_a_seed_the_stored_seed_is_used(run, bits):
    evidence = run(rng=5)
    assert bits(run(rng=None)) == bits(evidence)


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"\x00" * 4096])
def test_a_file_that_is_not_a_race_is_refused(run, store, content):
    store.write_bytes(content)
    with pytest.raises(InvalidInput, match="must be the file of an experiment"):
        run()
    with pytest.raises(InvalidInput, match="must be the file of an experiment"):
        read_race(store)
    assert store.read_bytes() == content


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_a_database_of_another_program_is_not_changed(run, store, journal):
    with closing(sqlite3.connect(store)) as base:
        base.execute(f"PRAGMA journal_mode = {journal}")
        base.execute("CREATE TABLE mine (x)")
    kept = store.read_bytes()
    with pytest.raises(InvalidInput, match="must be the file of an experiment"):
        run()
    with pytest.raises(InvalidInput, match="must be the file of an experiment"):
        read_race(store)
    assert store.read_bytes() == kept
    assert [each.name for each in store.parent.iterdir()] == ["my.race"]


def test_a_newer_format_is_reported(run, store):
    run()
    with closing(sqlite3.connect(store)) as base:
        base.execute("PRAGMA user_version = 99")
    with pytest.raises(InvalidInput, match="format 1 or older, got 99"):
        read_race(store)


def test_invalid_paths_are_reported(run, tmp_path):
    with pytest.raises(InvalidInput, match="got a directory"):
        run(store=tmp_path)
    with pytest.raises(InvalidInput, match="cannot be opened"):
        run(store=tmp_path / "nowhere" / "my.race")
    with pytest.raises(InvalidInput, match="got a missing file"):
        read_race(tmp_path / "nowhere.race")


def test_an_empty_file_becomes_a_race(run, store):
    store.touch()
    assert not run().missing


def test_two_processes_may_share_a_store(store, bits, tmp_path):
    script = tmp_path / "shared.py"
    script.write_text(
        "import sys, numpy as np\n"
        "from sklearn.tree import DecisionTreeClassifier\n"
        "from tellapart.running import race\n"
        "X = np.random.default_rng(0).normal(size=(40, 3))\n"
        "y = np.arange(40) % 2\n"
        "race({'tree': DecisionTreeClassifier(max_features=1)}, X, y, plan='20x2', jobs=1, store=sys.argv[1])\n"
    )
    both = [subprocess.Popen([sys.executable, str(script), str(store)]) for _ in range(2)]  # noqa: S603
    assert [process.wait() for process in both] == [0, 0]
    with closing(sqlite3.connect(store)) as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    X = np.random.default_rng(0).normal(size=(40, 3))
    tree = {"tree": DecisionTreeClassifier(max_features=1)}
    assert bits(read_race(store)) == bits(race(tree, X, np.arange(40) % 2, plan="20x2", jobs=1))


# --- Fingerprints ---------------------------------------------------------------------------------


class Addressed:
    """An object whose repr has its address."""

    def __init__(self, size=3):
        self.size = size
        self.itself = self
        self.inner = functools.partial(np.add, 1)


def test_memory_addresses_do_not_change_a_fingerprint():
    assert repr(Addressed()) != repr(Addressed())
    assert of_learner(Addressed()) == of_learner(Addressed())
    assert changes(of_learner(Addressed()), of_learner(Addressed(4))) == ["size was 3 and is 4"]


def double(x):
    return 2 * x


def first(columns):
    return lambda x: x[:, :columns]


def scripted(body):
    """Return a function of a script with the given body."""
    result = {"__name__": "__main__"}
    exec(f"k = 1\ndef f(x): return {body}", result)  # noqa: S102
    return result["f"]


def with_global(value):
    result = {"__name__": "__main__"}
    exec(f"k = {value}\ndef f(x): return x[:, :k]", result)  # noqa: S102
    return result["f"]


TOLD_APART = [
    (RandomForestClassifier(max_features=1), RandomForestClassifier(max_features=1.0)),
    (LogisticRegression(fit_intercept=True), LogisticRegression(fit_intercept=1)),
    (FunctionTransformer(first(1)), FunctionTransformer(first(2))),
    (FunctionTransformer(lambda x, k=1: x[:, :k]), FunctionTransformer(lambda x, k=2: x[:, :k])),
    (FunctionTransformer(lambda x, *, k=1: x[:, :k]), FunctionTransformer(lambda x, *, k=2: x[:, :k])),
    (FunctionTransformer(scripted("x + 1")), FunctionTransformer(scripted("x + 2"))),
    (FunctionTransformer(with_global(1)), FunctionTransformer(with_global(2))),
    (GaussianNB(), GaussianNB(var_smoothing=1e-8)),
    (GaussianNB(priors=[0.5, 0.5]), GaussianNB(priors=np.array([0.5, 0.5]))),
    (make_pipeline(StandardScaler(), GaussianNB()), make_pipeline(GaussianNB())),
    (FunctionTransformer(double), FunctionTransformer(np.log1p)),
    (FunctionTransformer(lambda x: x), FunctionTransformer(lambda x: x + 1)),
    (FunctionTransformer(functools.partial(double, x=1)), FunctionTransformer(functools.partial(double, x=2))),
    (DecisionTreeClassifier(class_weight={0: 1, 1: 2}), DecisionTreeClassifier(class_weight={0: 1, 1: 3})),
    (DecisionTreeClassifier(random_state=np.random.RandomState(0)), DecisionTreeClassifier(random_state=0)),
    (VotingClassifier([("a", GaussianNB())]), VotingClassifier([("a", GaussianNB(var_smoothing=1))])),
    (KNeighborsClassifier(metric_params={"V": np.ones(3)}), KNeighborsClassifier(metric_params={"V": np.zeros(3)})),
]


@pytest.mark.parametrize(("one", "two"), TOLD_APART)
def test_fingerprints_differ_exactly_if_learners_differ(one, two):
    assert changes(of_learner(one), of_learner(two))
    assert not changes(of_learner(one), of_learner(copy.deepcopy(one)))
    assert json.loads(json.dumps(of_learner(one))) == of_learner(one)


def test_a_parameter_deep_inside_is_named():
    old, new = (make_pipeline(StandardScaler(), LogisticRegression(C=C)) for C in (1.0, 10.0))
    assert changes(of_learner(old), of_learner(new)) == ["logisticregression__C was 1.0 and is 10.0"]


def test_recursive_functions_and_modules_have_fingerprints():
    def again(x):
        return again(x) if x else np

    learner = FunctionTransformer(again)
    learner.module = np
    assert of_learner(learner) == of_learner(learner)
    assert json.dumps(of_learner(SimpleNamespace(np=np))).count('"module": "numpy"') == 1


def test_a_distribution_can_be_resumed_in_another_process(store):
    """Distributions of SciPy refer to NumPy's global generator, whose state differs between processes."""
    code = (
        "import sys, numpy as np, scipy.stats as stats\n"
        "from sklearn.linear_model import LogisticRegression\n"
        "from sklearn.model_selection import RandomizedSearchCV\n"
        "from tellapart.running import race\n"
        "search = RandomizedSearchCV(LogisticRegression(), {'C': stats.loguniform(0.01, 100)}, n_iter=2, cv=2)\n"
        "X = np.random.default_rng(0).normal(size=(40, 3))\n"
        "np.random.rand(3)\n"
        "race({'search': search}, X, np.arange(40) % 2, plan='2-fold', jobs=1, store=sys.argv[1])\n"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code, str(store)], check=True)  # noqa: S603


def test_a_fingerprint_is_the_same_in_another_process():
    code = (
        "import json, numpy as np\n"
        "from sklearn.tree import DecisionTreeClassifier\n"
        "from tellapart.running.fingerprints import of_learner\n"
        "learner = DecisionTreeClassifier(class_weight={'b': 1, 'a': 2}, max_features=np.float64(0.5))\n"
        "learner.extra = {'x', 'y', 'z'}\n"
        "print(json.dumps([of_learner(learner), of_learner(type('Bare', (), {'__init__': lambda s: None})())]))"
    )
    command = [sys.executable, "-c", code]
    printed = {subprocess.run(command, check=True, capture_output=True).stdout for _ in range(2)}  # noqa: S603
    assert len(printed) == 1


@pytest.mark.parametrize("change", [lambda X: X[:-1], lambda X: X.T.copy(), lambda X: X + 1e-9])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, pd.DataFrame, lambda X: X.tolist()])
def test_other_data_have_another_fingerprint(data, form, change):
    X = data[0]
    assert of_data(form(X)) == of_data(form(X.copy())) != of_data(form(change(X)))


def test_texts_have_fingerprints_too():
    frames = [pd.DataFrame({"name": ["a", None, "c"], "when": pd.to_datetime(["2020-01-01"] * 3)}) for _ in range(2)]
    assert of_data(frames[0]) == of_data(frames[1])
    assert of_data(["a", "b"]) != of_data(["a", "c"])


@pytest.mark.parametrize("change", ["delete from learners", "update learners set name = x'41' where place = 1"])
def test_a_store_without_names_of_learners_is_refused(tmp_path, data, learners, change):
    race(learners, *data, plan="2-fold", store=tmp_path / "my.race")
    with sqlite3.connect(tmp_path / "my.race") as base:
        base.execute("pragma foreign_keys = off")
        base.execute(change)
    base.close()
    with pytest.raises(InvalidInput, match="is damaged"):
        read_race(tmp_path / "my.race")
