"""Which of Dietterich's four sources of variation each method covers, and what the evidence lets it see."""

import numpy as np
import pytest

import tellapart as ta
from tellapart.evidence import ErrorCount, Evidence
from tellapart.methods import Standing, find_method, find_methods, method
from tellapart.methods.registry import _REGISTERED, covered
from tellapart.typing_ import SOURCE_WORDS, SOURCES

METHODS = find_methods()
TEST_SET = ("test data", "labels")
TRAINED = (ta.Resamples, ta.ScoreTable, ta.TrainingSets)
each_method = pytest.mark.parametrize(
    "entry", METHODS, ids=lambda entry: f"{entry.name}-{entry.gives}-{entry.evidence.__name__}"
)
FACTS = {
    "name": "on-trial",
    "gives": "interval",
    "question": 8,
    "evidence": ta.Resamples,
    "standing": Standing.HEURISTIC,
    "rationale": "it is on trial",
    "reference": "wilson1927",
}


def on_trial(evidence):
    """Say nothing."""


@pytest.fixture
def registry():
    """Let a test register, and take out what it has put in."""
    before = dict(_REGISTERED)
    yield _REGISTERED
    _REGISTERED.clear()
    _REGISTERED.update(before)


def scores(plan, runs=4, learners=("A", "B")):
    drawn = np.random.default_rng(1998).uniform(0.7, 0.9, (len(learners), runs))
    return ta.Resamples.from_scores(dict(zip(learners, drawn.tolist(), strict=True)), plan=plan)


def test_the_four_sources_in_the_papers_order():
    """Dietterich 1998, section 1: test data, training data, internal randomness, random classification error."""
    assert SOURCES == ("test data", "training data", "learner", "labels")
    assert tuple(SOURCE_WORDS) == SOURCES


@each_method
def test_every_method_says_what_it_covers(entry):
    assert entry.sources_covered == tuple(source for source in SOURCES if source in entry.sources_covered)


@each_method
def test_a_method_of_one_test_set_covers_that_and_no_more(entry):
    """Training-data variation and internal randomness want several runs of the learner (Dietterich 1998, section 1)."""
    if entry.evidence not in TRAINED:
        assert entry.sources_covered == TEST_SET


@each_method
def test_test_data_and_labels_go_together(entry):
    """Both are a matter of "the size of the test set and the consequences of changes in the test set" (the same)."""
    assert ("test data" in entry.sources_covered) == ("labels" in entry.sources_covered)


@each_method
def test_only_who_runs_the_learner_again_sees_how_training_sets_vary(entry):
    if "training data" in entry.sources_covered:
        assert "learner" in entry.sources_covered
        assert entry.standing != Standing.FORBIDDEN


@pytest.mark.parametrize(
    ("name", "evidence", "missed"),
    [
        # "it does not directly measure variability due to the choice of the training set or the internal randomness"
        ("mcnemar", ta.PairedTable, ("training data", "learner")),
        # "the test shares the drawbacks of McNemar's test"
        ("difference-of-proportions", ta.PairedTable, ("training data", "learner")),
        # "the test sets in the trials overlap (and the training sets in the trials overlap as well)"
        ("resampled-t", ta.Resamples, SOURCES),
        # "each test set is independent of the others. However, [...] the training sets overlap"
        ("kfold-t", ta.Resamples, ("training data",)),
        # "in the 2-fold case, the training sets are completely non-overlapping", and so are the test sets
        ("5x2cv-t", ta.Resamples, ()),
        # an analysis of variance with terms for the training set and for each test example (question 7)
        ("quasi-f", ta.TrainingSets, ()),
        # Yang 2006: the standard error over splittings goes to 0 with their number
        ("splitting-se", ta.Resamples, SOURCES),
        # Nadeau and Bengio 2003: the variance over test and training sets that overlap
        ("corrected-resampled-t", ta.Resamples, ()),
    ],
)
def test_what_the_papers_say_of_each(name, evidence, missed):
    covers = find_method(name, "test", evidence).sources_covered
    assert tuple(source for source in SOURCES if source not in covers) == missed


def test_seeds_alone_show_the_learners_randomness_alone():
    for name in ("welch", "unpaired-t", "probability-better-run"):
        assert find_method(name, "test", ta.Resamples).sources_covered == ("learner",)


def test_a_method_of_learners_must_say_what_it_covers(registry):
    with pytest.raises(ValueError, match="on-trial covers None; it must be a tuple of some of"):
        method(**FACTS)(on_trial)
    method(**FACTS, sources_covered=("learner",))(on_trial)
    assert registry[ta.Resamples, "on-trial"].offers["interval"].sources_covered == ("learner",)


def test_a_method_of_one_test_set_need_not(registry):
    method(**FACTS | {"evidence": ErrorCount})(on_trial)
    assert registry[ErrorCount, "on-trial"].offers["interval"].sources_covered == TEST_SET


@pytest.mark.parametrize("covers", [("labels", "test data"), ("weather",), ["test data"], "test data"])
def test_what_is_no_source_is_refused(registry, covers):
    with pytest.raises(ValueError, match="in this order"):
        method(**FACTS, sources_covered=covers)(on_trial)
    assert (ta.Resamples, "on-trial") not in registry


def test_a_kind_of_evidence_has_default_sources_for_its_methods(registry):
    class Examples(Evidence):
        pass

    class Elsewhere(Evidence):
        sources_covered = None

    method(**FACTS | {"evidence": Examples})(on_trial)
    assert registry[Examples, "on-trial"].offers["interval"].sources_covered == TEST_SET

    with pytest.raises(ValueError, match="covers None"):
        method(**FACTS | {"evidence": Elsewhere})(on_trial)
    assert (Elsewhere, "on-trial") not in registry


# --- What the evidence lets a method see ------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "runs", "seen"),
    [
        ("4-fold", 4, SOURCES),
        ("2x2", 4, SOURCES),
        ("4x(2/3)", 4, SOURCES),
        ("632*4", 4, SOURCES),
        ("independent", 4, SOURCES),
        ("holdout", 1, TEST_SET),
        ("seeds", 4, ("learner",)),
        ("apparent", 1, ()),
    ],
)
def test_what_a_plan_lets_a_method_see(plan, runs, seen):
    assert covered(scores(plan, runs), find_method("corrected-resampled-t", "test", ta.Resamples)) == seen


@pytest.mark.parametrize("plan", ["4-fold", "4x(2/3)", "632*4"])
def test_a_t_test_for_samples_that_share_nothing_covers_nothing_where_they_do(plan):
    plain = find_method("paired-t", "test", ta.Resamples)
    assert covered(scores("independent"), plain) == SOURCES
    assert covered(scores(plan), plain) == ()


@pytest.mark.parametrize(
    ("varies", "sets", "seen"),
    [
        ("training set", 3, SOURCES),
        ("seed", 3, ("test data", "learner", "labels")),
        ("training set", 1, TEST_SET),
        ("seed", 1, TEST_SET),
    ],
)
def test_crossed_sets_show_what_they_vary(varies, sets, seen):
    loss = np.random.default_rng(1998).integers(0, 2, (2, sets, 40))
    sample = ta.TrainingSets(loss, varies=varies)
    assert covered(sample, find_method("two-way-bootstrap", "test", ta.TrainingSets)) == seen


def test_of_two_methods_what_both_cover_counts():
    sample = scores("4-fold")
    strict, blind = (find_method(name, "test", ta.Resamples) for name in ("corrected-resampled-t", "kfold-t"))
    assert covered(sample, strict, blind) == ("test data", "learner", "labels")
    assert ta.compare(sample, method="kfold-t", interval="corrected-resampled-t").sources_ignored == ("training data",)
    assert ta.compare(sample, method="vote").sources_covered == ()  # a choice has no error bars


@pytest.mark.parametrize("entry", [each for each in METHODS if each.gives == "test"], ids=lambda each: each.name)
def test_the_result_never_claims_more_than_the_method(entry):
    """On evidence of its own kind, through the verb or by the rule alone."""
    if entry.evidence is ta.PairedTable:
        options = {"prior": (0.5, 0.5)} if "prior" in entry.required else {}
        answer = ta.compare(ta.PairedTable(20, 25, 10, 45), method=entry.name, **options)
        assert answer.sources_covered == TEST_SET
        assert answer.sources_ignored == ("training data", "learner")
    elif entry.evidence is ta.Resamples:
        for plan, runs in (("2x2", 4), ("4x(2/3)", 4), ("holdout", 1), ("seeds", 4)):
            assert set(covered(scores(plan, runs), entry)) <= set(entry.sources_covered)
    else:
        assert entry.sources_covered in (TEST_SET, SOURCES)
