"""`assert_not_worse`: silent if a candidate passes, an error with the verdict if not."""

import traceback
from unittest import SkipTest

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidInput, InvalidOption
from tellapart.gate.asserting import summarize_in_one_line

RNG = np.random.default_rng(9)
LABELS = RNG.choice(["cat", "dog", "eel"], 2000)
OLD = np.where(RNG.random(2000) < 0.9, LABELS, "none")
NEW = np.where(RNG.random(2000) < 0.01, "none", OLD)  # a point worse, at most
BAD = np.where(RNG.random(2000) < 0.2, "none", OLD)
RIGHT, ALMOST, WRONG = OLD == LABELS, NEW == LABELS, BAD == LABELS


def test_a_pass_is_silent_and_returns_the_judgement():
    found = ta.assert_not_worse(RIGHT, ALMOST, 0.02)
    assert found.passed
    assert found.as_dict() == ta.judge(ta.PairedTable.from_correct(RIGHT, ALMOST), margin=0.02).as_dict()


@pytest.mark.parametrize(
    "held",
    [
        (RIGHT.tolist(), ALMOST.tolist()),
        (RIGHT.astype(int), ALMOST.astype(float)),
        (pd.Series(RIGHT), pd.Series(ALMOST, index=range(2000, 4000))),
        (RIGHT.astype(object), ALMOST.astype(np.uint8)),
    ],
    ids=["lists", "numbers", "pandas", "objects"],
)
def test_right_and_wrong_are_accepted_in_any_form(held):
    assert ta.assert_not_worse(*held, 0.02).words == ta.assert_not_worse(RIGHT, ALMOST, 0.02).words


@pytest.mark.parametrize(
    "convert", [np.asarray, list, pd.Series, pd.Categorical], ids=["array", "list", "pandas", "kinds"]
)
def test_predictions_with_labels_are_counted_like_right_and_wrong(convert):
    found = ta.assert_not_worse(convert(OLD), convert(NEW), 0.02, labels=convert(LABELS))
    assert found.words == ta.assert_not_worse(RIGHT, ALMOST, 0.02).words


def test_a_worse_candidate_is_an_assertion_error_in_words():
    with pytest.raises(AssertionError) as caught:
        ta.assert_not_worse(RIGHT, WRONG, names=("old", "new"))
    found = ta.judge(ta.PairedTable.from_correct(RIGHT, WRONG, models=("old", "new")))
    lost = int((RIGHT & ~WRONG).sum())
    message = str(caught.value)
    assert message == str(found)
    assert message.startswith("WORSE: new is worse than old by more than 1 pp\naccuracy ")
    assert f" {lost} only old right" in message
    assert "the 90% CI of the loss lies above it" in message
    assert summarize_in_one_line(found) == "; ".join(message.splitlines()[:2])


def test_five_agreeing_examples_do_not_pass():
    """A bootstrap interval would have width 0 and pass."""
    with pytest.raises(AssertionError, match=r"NOT ENOUGH EVIDENCE(.|\n)*  268 examples \(263 more\)"):
        ta.assert_not_worse([1] * 5, [1] * 5)
    with pytest.raises(SkipTest, match="NOT ENOUGH EVIDENCE that candidate is at most 1 pp worse"):
        ta.assert_not_worse([1] * 5, [1] * 5, on_little="skip")
    found = ta.assert_not_worse([1] * 5, [1] * 5, on_little="pass")
    assert (found.verdict, found.passed) == ("not enough evidence", False)


@pytest.mark.parametrize("on_little", ["skip", "pass"])
def test_a_worse_candidate_fails_whatever_the_policy_for_little_evidence(on_little):
    with pytest.raises(AssertionError, match="WORSE"):
        ta.assert_not_worse(RIGHT, WRONG, on_little=on_little)


def test_groups_are_printed_one_line_each():
    groups = np.where(np.arange(2000) % 4 == 0, "de", "en")
    mixed = np.where(groups == "de", WRONG, RIGHT)
    with pytest.raises(AssertionError) as caught:
        ta.assert_not_worse(RIGHT, mixed, 0.05, groups=groups)
    message = str(caught.value)
    assert message.startswith("WORSE: candidate is worse than baseline by more than 5 pp in 1 of 2 groups: de")
    lines = [line.split()[:3] for line in message.splitlines()]
    assert ["de", "worse", "500"] in lines
    assert ["en", "pass", "1,500"] in lines
    tables = {name: ta.PairedTable.from_correct(RIGHT[groups == name], mixed[groups == name]) for name in ("de", "en")}
    found = ta.assert_not_worse(RIGHT, RIGHT, 0.05, groups=groups, margins={"de": 0.2})
    assert {name: line.examples for name, line in found.groups.items()} == {"de": 500, "en": 1500}
    assert [line.comparison.margin for line in found.groups.values()] == [0.2, 0.05]
    assert f"{sum(table.disagreements for table in tables.values())} discordant" in " ".join(message.split())


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from("xyz")), min_size=1, max_size=60))
def test_the_table_is_that_of_a_loop(rows):
    """The counts are those of a loop over examples."""
    old, new, groups = map(list, zip(*rows, strict=True))
    found = ta.assert_not_worse(old, new, 0.9, groups=groups, on_little="pass")
    for name, line in found.groups.items():
        own = [(a, b) for a, b, group in rows if group == name]
        cells = line.comparison.evidence.as_dict()
        assert cells["both_wrong"] == own.count((False, False))
        assert cells["only_a_wrong"] == own.count((False, True))
        assert cells["only_b_wrong"] == own.count((True, False))
        assert cells["both_right"] == own.count((True, True))
    assert set(found.groups) == set(groups)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write two files of the same examples in different orders."""
    folder = tmp_path_factory.mktemp("files")
    rows = np.arange(2000)
    language = np.where(rows % 2, "en", "de")
    for name, predicted in (("old", OLD), ("new", NEW)):
        order = RNG.permutation(2000)
        whole = pd.DataFrame({"row": rows, "species": LABELS, "language": language, "prediction": predicted})
        whole.iloc[order].to_csv(folder / f"{name}.csv", index=False)
    return folder


READING = {"id": "row", "label": "species"}


def test_files_are_joined_by_id(files):
    found = ta.assert_not_worse(str(files / "old.csv"), files / "new.csv", 0.02, group="language", **READING)
    assert sorted(found.groups) == ["de", "en"]
    assert found.models == ("old", "new")
    read = [ta.read_predictions(files / name, group="language", **READING) for name in ("old.csv", "new.csv")]
    assert ta.assert_not_worse(*read, 0.02, names=("old", "new")).words == found.words
    plain = [ta.read_predictions(files / name, models="prediction", **READING) for name in ("old.csv", "new.csv")]
    assert ta.assert_not_worse(*plain, 0.02).words == ta.assert_not_worse(RIGHT, ALMOST, 0.02).words


def test_the_column_of_predictions_is_found_among_others(files):
    """The column is called `prediction`, or named for both files or for each."""
    expected = ta.assert_not_worse(RIGHT, ALMOST, 0.02, names=("old", "new")).words
    for models in (None, "prediction", ["prediction"], ["prediction", "prediction"]):
        found = ta.assert_not_worse(files / "old.csv", files / "new.csv", 0.02, models=models, **READING)
        assert found.words == expected
    with pytest.raises(InvalidOption, match="`models` must name the column of predictions, or one per file"):
        ta.assert_not_worse(files / "old.csv", files / "new.csv", models=["a", "b", "c"], **READING)
    with pytest.raises(InvalidInput, match="'language'"):
        ta.assert_not_worse(files / "old.csv", files / "new.csv", models="language", **{**READING, "group": "language"})


def test_files_with_one_name_are_distinguished_by_their_folders(files):
    (files / "later").mkdir()
    copy = files / "later" / "old.csv"
    copy.write_bytes((files / "new.csv").read_bytes())
    found = ta.assert_not_worse(files / "old.csv", copy, 0.02, group="language", **READING)
    assert found.models == (str(files / "old.csv"), str(copy))


def test_the_two_names_must_differ(files):
    old, new = files / "old.csv", files / "new.csv"
    for candidate, names in ((old, None), (new, ("x", "x")), (new, ("x",)), (new, "xy")):
        with pytest.raises(InvalidOption, match="`names` must be two different names"):
            ta.assert_not_worse(old, candidate, names=names, models="prediction", **READING)


@pytest.mark.parametrize(
    ("baseline", "candidate", "options", "error", "message"),
    [
        ([1, 0], [1, 0, 1], {}, InvalidEvidence, "`baseline` and `candidate` must hold the same .* got 2 and 3"),
        ([1, 0], [1, np.nan], {}, InvalidEvidence, "`candidate` must have no missing labels"),
        ([1, 0.5], [1, 0], {}, InvalidEvidence, r"must be right \(True or 1\) or wrong \(False or 0\)"),
        (["a", "b"], ["a", "b"], {}, InvalidEvidence, "For predictions add labels="),
        (["a", "b"], ["a", "b"], {"labels": ["a"]}, InvalidEvidence, "must hold labels of the same examples"),
        ([], [], {}, InvalidEvidence, "`baseline` must hold at least one label"),
        ([[1, 0]], [[1, 0]], {}, InvalidEvidence, "`baseline` must be a vector of labels"),
        ([1, 0], [1, 0], {"groups": ["x"]}, InvalidEvidence, "must hold the same .* got 2 and 1"),
        ([1, 0], [1, 0], {"groups": ["x", None]}, InvalidEvidence, "`groups` must have no missing labels"),
        ([1, 0], [1, 0], {"margin": 1}, InvalidOption, "`margin` .* For 1 pp use 0.01"),
        ([1, 0], [1, 0], {"alpha": 0.5}, InvalidOption, "`alpha` must be below 0.5, got 0.5. Use alpha=0.05."),
        ([1, 0], [1, 0], {"on_little": "ship"}, InvalidOption, "`on_little` must be .* got 'ship'"),
        ([1, 0], [1, 0], {"method": "mcnemar"}, InvalidInput, "tango"),
        ([1, 0], [1, 0], {"label": "y"}, InvalidOption, "`label` is for files, got arrays. Leave it out"),
        ("old.csv", [1, 0], {}, InvalidInput, "must both be arrays, both files, or both predictions"),
        ("old.csv", "new.csv", {"groups": ["x"]}, InvalidOption, "`groups` is for arrays, got files"),
        ("no-such-file.csv", "new.csv", {}, InvalidInput, "file not found: no-such-file.csv"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_a_fix(baseline, candidate, options, error, message):
    """Bad input is not an AssertionError, which would say that the candidate is worse."""
    with pytest.raises(error, match=message):
        ta.assert_not_worse(baseline, candidate, **options)


def test_options_of_files_are_refused_for_predictions(files):
    read = [ta.read_predictions(files / name, models="prediction", **READING) for name in ("old.csv", "new.csv")]
    for options, name in (({"label": "y"}, "label"), ({"labels": ["cat"]}, "labels")):
        with pytest.raises(InvalidOption, match=f"^`{name}` is for files, got Predictions"):
            ta.assert_not_worse(*read, **options)


def test_the_frames_inside_are_hidden_from_a_tests_reader():
    try:
        ta.assert_not_worse(RIGHT, WRONG)
    except AssertionError as error:
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    assert len(frames) == 3
    assert all(frame.f_locals.get("__tracebackhide__") for frame in frames[1:])
