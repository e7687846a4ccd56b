"""Splits obey their plans: partitions, strata, groups, and replicates that further ones do not change."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import model_selection as skl

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence.plan import Plan
from tellapart.running.plans import lay_out

Y = np.repeat([0, 1, 2], [31, 20, 9])
GROUPS = np.arange(60) // 4  # 15 groups of 4, some of them of two classes


def main(layout):
    return part(layout, "")


def part(layout, name):
    return [split for split in layout.splits if split.part == name]


def same(here, there):
    return len(here) == len(there) and all(
        np.array_equal(a.train, b.train) and np.array_equal(a.test, b.test) for a, b in zip(here, there, strict=True)
    )


labels = st.lists(st.integers(0, 4), min_size=12, max_size=80).map(np.array)
laws = settings(derandomize=True, deadline=None, max_examples=12)


# --- k folds ---


@laws
@given(labels, st.integers(2, 10), st.integers(1, 3), st.booleans())
def test_folds_are_a_stratified_partition(y, folds, replicates, stratify):
    layout = lay_out(f"{replicates}x{folds}", None, y, stratify=stratify)
    splits = main(layout)
    assert [(s.replicate, s.fold) for s in splits] == [(r, k) for r in range(replicates) for k in range(folds)]
    for replicate in range(replicates):
        tests = [s.test for s in splits if s.replicate == replicate]
        assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(y.size))
        sizes = [test.size for test in tests]
        assert max(sizes) - min(sizes) <= 1
        if stratify:
            counts = np.array([np.bincount(y[test], minlength=5) for test in tests])
            assert (counts.max(axis=0) - counts.min(axis=0)).max() <= 1
    for s in splits:
        assert np.array_equal(np.union1d(s.train, s.test), np.arange(y.size))
        assert s.train.size + s.test.size == y.size


@pytest.mark.parametrize(
    ("few", "many"),
    [("10x5", "20x5"), ("10x(2/3)", "30x(2/3)"), ("632*10", "632*25"), ("nested 2x5", "nested 4x5")],
)
def test_more_replicates_begin_with_the_same(few, many):
    here, there = lay_out(few, None, Y, rng=7), lay_out(many, None, Y, rng=7)
    count = len(main(here))
    assert same(main(here), main(there)[:count])
    if few.startswith("nested"):
        assert same(part(here, "pairs"), part(there, "pairs")[: len(part(here, "pairs"))])


def test_the_seed_determines_the_plan():
    plans = ["5x2", "632*5", "30x(2/3)", "conservative-z 2x3(0.9)", "delve 3x10"]
    for plan in plans:
        assert same(lay_out(plan, None, Y, rng=3).splits, lay_out(plan, None, Y, rng=3).splits)
        assert not same(lay_out(plan, None, Y, rng=3).splits, lay_out(plan, None, Y, rng=4).splits)


def test_further_plans_and_a_learning_curve_do_not_change_the_plan():
    alone = lay_out("5x2", None, Y)
    assert same(main(alone), main(lay_out(["5x2", "632*5"], None, Y)))
    assert same(main(alone), main(lay_out("5x2", None, Y, learning_curve=(0.5,))))


def test_leaving_one_out_tests_each_example_once():
    layout = lay_out("loo", None, Y)
    assert (layout.plan.name, layout.plan.folds) == ("loo", 60)
    assert sorted(s.test[0] for s in main(layout)) == list(range(60))
    assert {s.test.size for s in main(layout)} == {1}


def test_a_class_smaller_than_the_number_of_folds_is_spread_over_folds():
    y = np.repeat([0, 1], [57, 3])
    counts = [np.count_nonzero(y[s.test]) for s in main(lay_out("10-fold", None, y))]
    assert sorted(counts) == [0] * 7 + [1] * 3


def test_labels_may_be_texts():
    assert len(lay_out("2-fold", None, ["cat", "dog"] * 4).splits) == 2


# --- Random splits ---


@laws
@given(labels, st.sampled_from(["1/2", "2/3", "0.9", "1/10"]))
def test_random_splits_have_the_exact_share_in_total_and_by_class(y, share):
    layout = lay_out(f"6x({share})", None, y)
    size = round(layout.plan.share * y.size)
    for s in main(layout):
        assert s.train.size == size
        assert np.array_equal(np.sort(np.concatenate([s.train, s.test])), np.arange(y.size))
        expected = np.bincount(y, minlength=5) * size / y.size
        assert np.abs(np.bincount(y[s.train], minlength=5) - expected).max() < 1


def test_every_example_is_equally_likely_in_the_training_set():
    """Each of 60 examples is in 2/3 of 3000 training sets, give or take five standard deviations."""
    often = np.zeros(60)
    for s in main(lay_out("3000x(2/3)", None, Y)):
        often[s.train] += 1
    assert np.abs(often - 2000).max() < 5 * np.sqrt(3000 * 2 / 9)


def test_bootstrap_samples_are_drawn_with_replacement():
    """An example of n = 60 is left out with probability (1 − 1/60)^60."""
    layout = lay_out("632*2000", None, Y)
    left_out = np.array([s.test.size for s in main(layout)])
    expected = 60 * (1 - 1 / 60) ** 60
    assert abs(left_out.mean() - expected) < 5 * left_out.std() / np.sqrt(2000)
    for s in main(layout)[:50]:
        assert s.train.size == 60
        assert np.array_equal(np.union1d(s.train, s.test), np.arange(60))
        assert not np.intersect1d(s.train, s.test).size
    [apparent] = part(layout, "apparent")
    assert np.array_equal(apparent.train, apparent.test)
    assert layout.plans["apparent"].kind == "apparent"


def test_a_bootstrap_sample_without_test_examples_is_redrawn():
    assert all(s.test.size for s in main(lay_out("632*200", None, [0, 1])))


@laws
@given(labels)
def test_delve_has_disjoint_training_sets_and_one_test_set(y):
    layout = lay_out("delve 3x3", None, y)
    splits = main(layout)
    trained = np.concatenate([s.train for s in splits])
    assert [s.train.size for s in splits] == [3, 3, 3]
    assert np.unique(trained).size == 9
    for s in splits:
        assert np.array_equal(s.test, np.setdiff1d(np.arange(y.size), trained))
    counts = np.array([np.bincount(y[s.train], minlength=5) for s in splits])
    assert (counts.max(axis=0) - counts.min(axis=0)).max() <= 1


# --- Plans with parts ---


def test_nested_plans_have_a_fit_for_every_pair_of_folds():
    layout = lay_out("nested 2x5", None, Y)
    outer, pairs = main(layout), part(layout, "pairs")
    assert len(outer) == 10
    assert len(pairs) == 2 * 10
    for replicate in range(2):
        tests = [s.test for s in outer if s.replicate == replicate]
        target = [np.union1d(tests[j], tests[k]) for j in range(5) for k in range(j + 1, 5)]
        result = [s for s in pairs if s.replicate == replicate]
        assert all(np.array_equal(s.test, both) for s, both in zip(result, target, strict=True))
        assert all(np.array_equal(s.train, np.setdiff1d(np.arange(60), s.test)) for s in result)


def test_halves_are_disjoint_and_split_separately():
    layout = lay_out("conservative-z 3x4(0.8)", None, Y)
    assert [(s.replicate, s.fold, s.train.size) for s in main(layout)] == [(r, 0, 48) for r in range(4)]
    halves = part(layout, "halves")
    assert [(s.replicate, s.fold) for s in halves] == [(r, f) for r in range(3) for f in range(8)]
    for replicate in range(3):
        sets = [np.union1d(s.train, s.test) for s in halves if s.replicate == replicate]
        assert all(np.array_equal(each, sets[0]) for each in sets[:4])
        assert all(np.array_equal(each, sets[4]) for each in sets[4:])
        assert np.array_equal(np.sort(np.concatenate([sets[0], sets[4]])), np.arange(60))
        assert not np.array_equal(halves[0].test, halves[1].test)
    assert {s.train.size for s in halves} == {24}


def test_loo_star_holds_the_bootstrap_and_iterated_halves():
    layout = lay_out("loo-star", None, Y)
    assert list(layout.plans) == ["apparent", "632", "2-fold*100"]
    assert [len(part(layout, name)) for name in ("", "apparent", "632", "2-fold*100")] == [60, 1, 100, 200]


def test_several_plans_are_parts_by_their_names():
    layout = lay_out(["2x5", "632*5", "loo", "apparent", "nested 1x3"], None, Y)
    assert layout.plan.name == "2x5"
    assert list(layout.plans) == ["632*5", "apparent", "loo", "nested 1x3", "nested 1x3/pairs"]
    assert len(part(layout, "nested 1x3/pairs")) == 3
    assert list(lay_out(["5x2", "632"], None, Y).plans) == ["632", "apparent"]  # as it was written


def test_training_sets_of_a_learning_curve_are_nested():
    layout = lay_out("2x3", None, Y, learning_curve=(0.25, 0.5))
    assert list(layout.plans) == ["train x 0.5", "train x 0.25"]
    assert layout.plans["train x 0.5"].kind == "k-fold"
    for whole, half, quarter in zip(*(part(layout, p) for p in ("", "train x 0.5", "train x 0.25")), strict=True):
        assert np.array_equal(whole.test, quarter.test)
        assert (half.train.size, quarter.train.size) == (20, 10)
        assert np.isin(quarter.train, half.train).all()
        assert np.isin(half.train, whole.train).all()
        assert np.abs(np.bincount(Y[half.train]) - np.bincount(Y[whole.train]) / 2).max() < 1


# --- Groups ---


@pytest.mark.parametrize("plan", ["3x5", "6x(2/3)", "632*8", "nested 1x4", "conservative-z 2x3(0.8)", "loo"])
@pytest.mark.parametrize("stratify", [True, False])
def test_groups_are_not_split(plan, stratify):
    layout = lay_out(plan, None, Y, groups=GROUPS, stratify=stratify)
    for s in layout.splits:
        if s.part != "apparent":
            assert s.test.size
            assert not np.intersect1d(GROUPS[s.train], GROUPS[s.test]).size


def test_leaving_one_out_of_groups_leaves_out_groups():
    layout = lay_out("loo", None, Y, groups=GROUPS)
    assert (layout.plan.name, len(layout.splits)) == ("leave-one-group-out", 15)


@laws
@given(st.lists(st.integers(0, 11), min_size=30, max_size=90), st.integers(0, 9))
def test_no_fold_of_groups_is_empty(groups, seed):
    y = np.arange(len(groups)) % 2
    folds = min(4, len(set(groups)))
    if folds < 2:
        return
    sizes = [s.test.size for s in main(lay_out(f"{folds}-fold", None, y, groups=groups, rng=seed))]
    assert min(sizes) > 0
    assert sum(sizes) == y.size


def test_grouped_folds_are_as_balanced_as_in_scikit_learn():
    rng = np.random.default_rng(5)
    groups = rng.integers(0, 40, 400)
    y = rng.integers(0, 2, 400)
    ours = [np.bincount(y[s.test], minlength=2) for s in main(lay_out("5-fold", None, y, groups=groups))]
    theirs = [
        np.bincount(y[test], minlength=2)
        for _, test in skl.StratifiedGroupKFold(5, shuffle=True, random_state=0).split(y, y, groups)
    ]
    assert np.ptp(ours, axis=0).max() <= np.ptp(theirs, axis=0).max() + 3


# --- Splitters and indices ---


@pytest.mark.parametrize(
    ("splitter", "kind", "shape"),
    [
        (skl.KFold(5), "k-fold", (1, 5)),
        (skl.StratifiedKFold(4, shuffle=True), "k-fold", (1, 4)),
        (skl.GroupKFold(3), "k-fold", (1, 3)),
        (skl.StratifiedGroupKFold(3, shuffle=True), "k-fold", (1, 3)),
        (skl.RepeatedStratifiedKFold(n_splits=2, n_repeats=5), "k-fold", (5, 2)),
        (skl.RepeatedKFold(n_splits=3, n_repeats=2), "k-fold", (2, 3)),
        (skl.ShuffleSplit(7, test_size=0.3), "random", (7, 1)),
        (skl.StratifiedShuffleSplit(7, test_size=0.3), "random", (7, 1)),
        (skl.LeaveOneOut(), "k-fold", (1, 60)),
        (skl.LeaveOneGroupOut(), "k-fold", (1, 15)),
        (skl.PredefinedSplit(np.arange(60) % 3), "k-fold", (1, 3)),
        (skl.TimeSeriesSplit(4), "splits", (4, 1)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_splitters_of_scikit_learn_are_used_unchanged(splitter, kind, shape):
    groups = GROUPS if "Group" in type(splitter).__name__ else None
    layout = lay_out(splitter, np.zeros((60, 2)), Y, groups=groups, rng=2)
    assert layout.plan.kind == kind
    assert (layout.plan.replicates, layout.plan.folds) == shape
    assert [(s.replicate, s.fold) for s in layout.splits] == [(r, f) for r in range(shape[0]) for f in range(shape[1])]
    again = lay_out(splitter, np.zeros((60, 2)), Y, groups=groups, rng=2)
    assert same(layout.splits, again.splits)  # a splitter without a seed gets one of ours
    assert getattr(splitter, "random_state", None) is None  # and stays as it is


def test_a_splitter_with_a_seed_keeps_it():
    splitter = skl.StratifiedKFold(3, shuffle=True, random_state=42)
    result = [s.test.tolist() for s in lay_out(splitter, None, Y, rng=9).splits]
    assert result == [test.tolist() for _, test in splitter.split(np.zeros((60, 1)), Y)]


def test_leave_one_out_by_a_splitter_is_named_loo():
    assert lay_out(skl.LeaveOneOut(), None, Y).plan.name == "loo"


def test_pairs_of_indices_masks_and_generators_are_accepted():
    train, test = np.arange(40), np.arange(40, 60)
    mask = np.arange(60) < 40
    for plan in ([(train, test)], [(mask, ~mask)], iter([(train.tolist(), test.tolist())]), (train, test)):
        layout = lay_out(plan, None, Y)
        [split] = layout.splits
        assert layout.plan.kind == "random"
        assert np.array_equal(split.train, train)
        assert np.array_equal(split.test, test)


def test_training_and_testing_on_all_examples_is_the_apparent_error():
    assert lay_out([(np.arange(60), np.arange(60))], None, Y).plan.kind == "apparent"


# --- What cannot be ---


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ([([0, 1], [1, 2])], "example 1 in both"),
        ([([0, 1], [60])], "got 60."),
        ([([0, -1], [5])], "got -1."),
        ([([0, 1], [])], "got no test example"),
        ([([], [1])], "got no training example"),
        ([([0.5], [1])], "got type float64"),
        ([([True, False], [False, True])], "a mask of 2 entries"),
        ([([[0, 1]], [2])], "shape (1, 2)"),
        ([1, 2, 3], "pair of training and test indices"),
        ([([0], [1], [2])], "pair of training and test indices"),
        ([], "at least one split"),
        (["5x2", ([0], [1])], "got both"),
        (5, "a name, a splitter or pairs"),
        ("seeds", "existing scores"),
        ("independent", "existing scores"),
        ("nested 2x2", "3 folds or more"),
        ("five by two", "unknown `plan`"),
        (skl.StratifiedKFold(40), "StratifiedKFold cannot split"),
    ],
    ids=str,
)
def test_an_invalid_plan_is_refused_with_the_reason(plan, words):
    with pytest.raises(InvalidOption) as text:
        lay_out(plan, None, Y)
    assert words in str(text.value)


@pytest.mark.parametrize(
    ("plan", "options", "words"),
    [
        ("100-fold", {}, "at least 100 examples, got 60"),
        ("20-fold", {"groups": GROUPS}, "at least 20 groups, got 15"),
        ("delve 6x10", {}, "more than 60 examples, got 60"),
        ("5x(0.999)", {}, "an empty training or test set of 60"),
        ("632", {"groups": np.zeros(60)}, "at least 2 groups"),
        ("5x2", {"groups": [1, 2]}, "one value for each of 60 examples"),
    ],
)
def test_too_few_examples_for_a_plan_are_refused(plan, options, words):
    with pytest.raises(InvalidEvidence) as text:
        lay_out(plan, None, Y, **options)
    assert words in str(text.value)


def test_other_bad_input_is_refused():
    with pytest.raises(InvalidOption, match="must accept groups, got KFold"):
        lay_out(skl.KFold(3), None, Y, groups=GROUPS)
    with pytest.raises(InvalidOption, match="split 0 of plan must not divide a group"):
        lay_out([([0, 1], [2, 40])], None, Y, groups=GROUPS)
    with pytest.raises(InvalidEvidence, match="shape"):
        lay_out("5x2", None, [[0, 1], [1, 0]])
    with pytest.raises(InvalidEvidence, match="cannot be sorted"):
        lay_out("5x2", None, np.array(["a", 1, None], dtype=object))
    with pytest.raises(InvalidEvidence, match="2 examples or more"):
        lay_out("5x2", None, [1])
    with pytest.raises(InvalidOption, match=r"shares between 0 and 1.*1\.5"):
        lay_out("5x2", None, Y, learning_curve=[0.5, 1.5])
    with pytest.raises(InvalidOption, match="takes no groups"):
        lay_out("delve 2x5", None, Y, groups=GROUPS)
    with pytest.raises(InvalidOption, match="`rng` must be a seed"):
        lay_out("5x2", None, Y, rng="now")


def test_a_plan_equals_the_plan_of_its_name():
    assert same(lay_out(Plan.parse("5x2"), None, Y).splits, lay_out("5x2", None, Y).splits)
