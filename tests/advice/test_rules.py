"""Every rule of the five documents is there, says who stated it, and is cited where it belongs."""

import csv
import itertools
from pathlib import Path

import pytest

from tellapart import ConfusionMatrix, ErrorCount, IndependentCounts, PairedTable, Resamples
from tellapart.advice.advising import advise
from tellapart.advice.rules_of_thumb import OF_SITUATION, load_rules, rules_for
from tellapart.advice.situation import Situation
from tellapart.bibliography import REFERENCES

ROOT = Path(__file__).parents[2]
with (ROOT / "docs" / "inventory.csv").open(encoding="utf-8", newline="") as file:
    INVENTORY = {row["id"]: row for row in csv.DictReader(file)}
RULES = load_rules()

# The rows of kind "rule or criterion" in the list of all that the documents describe, and the caution with S1-27.
ROWS = {
    "martin1996": ("S0-04", "S0-15", "S0-19", "S0-20", "S0-30", "S0-34", "S0-35", "S0-36"),
    "dietterich1998": ("S1-01", "S1-02", "S1-27", "S1-29", "S1-30"),
    "mitchell1997": ("S2-05", "S2-12"),
    "yang2006": ("S3-04", "S3-05", "S3-10", "S3-11", "S3-15", "S3-17"),
    "elazmeh2006": ("S4-07", "S4-08"),
}
ALL = [(source, row) for source, rows in ROWS.items() for row in rows]


def cited(*evidence, **answers):
    """Return the rows of the rules that the recommendation cites."""
    return {rule.row for rule in advise(*evidence, **answers).rules}


@pytest.mark.parametrize(("source", "row"), ALL)
def test_every_row_that_is_a_rule_has_one(source, row):
    own = [rule for rule in RULES if rule.row.rstrip("abcdef") == row]
    assert own
    assert row in INVENTORY
    assert {rule.source for rule in own} == {source}


def test_no_rule_is_of_another_row():
    assert {rule.row.rstrip("abcdef") for rule in RULES} == {row for _, row in ALL}
    assert len({rule.row for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.row)
def test_a_rule_says_who_stated_it_and_what_is_known_since(rule):
    assert rule.says
    assert not rule.says.endswith(".")
    assert rule.source in REFERENCES
    assert bool(rule.superseded) == bool(rule.since)
    assert rule.since in {*REFERENCES, ""}
    assert REFERENCES[rule.source].short in rule.text
    assert set(rule.as_dict()) == {"row", "kind", "says", "source", "superseded", "since"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.row)
def test_the_conditions_of_a_rule_are_known(rule):
    assert set(rule.applies) <= OF_SITUATION.keys()


def situations():
    """Yield what people may say, and counts that they may hold."""
    for subject, task, data in itertools.product(("classifier", "learner"), ("estimate", "choose"), ("much", "little")):
        for more in ({}, {"runs": 1}, {"matters": "power"}, {"tuning": True}):
            yield None, {"subject": subject, "task": task, "data": data, **more}
    yield None, {"subject": "learner", "task": "choose", "data": "little", "models": 3}
    yield None, {"domains": "many"}
    yield ErrorCount(3, 120), {}
    yield ConfusionMatrix([[40, 3], [5, 52]]), {}
    yield IndependentCounts.from_counts(30, 100, 20, 100), {}


def test_every_rule_is_cited_by_somebodys_counsel():
    result = set().union(*(cited(evidence, **answers) for evidence, answers in situations()))
    assert result == {rule.row for rule in RULES}


def test_nothing_is_cited_while_the_question_is_open():
    assert rules_for(Situation()) == ()
    assert advise(subject="learner").rules == ()


def test_below_ten_errors_beta_limits():
    """Martin and Hirschberg, section 6, recommendation 1."""
    assert "S0-36a" in cited(ErrorCount(9, 120))
    assert "S0-36a" not in cited(ErrorCount(10, 120))


def test_small_and_large_rates_have_too_small_a_variance():
    assert "S0-15" in cited(ErrorCount(11, 120))
    assert "S0-15" in cited(ErrorCount(110, 120))
    assert "S0-15" not in cited(ErrorCount(30, 120))


@pytest.mark.parametrize(
    ("evidence", "answers"),
    [
        (PairedTable(20, 25, 10, 45), {}),
        (IndependentCounts.from_counts(30, 100, 20, 100), {}),
        (None, {"subject": "learner", "task": "choose", "data": "little"}),
        (None, {"subject": "classifier", "task": "choose", "data": "little"}),
        (None, {"subject": "learner", "task": "choose", "data": "much"}),
    ],
)
def test_whoever_chooses_is_reported_not_to_look_at_overlapping_intervals(evidence, answers):
    assert {"S0-20", "S0-36b", "S0-35"} <= cited(evidence, **answers)


def test_one_run_is_for_mcnemar_and_ten_are_for_5x2cv():
    """Dietterich, section 8."""
    learners = {"subject": "learner", "task": "choose", "data": "little"}
    assert "S1-30a" in cited(**learners, runs=1)
    assert "S1-30b" not in cited(**learners, runs=1)
    assert "S1-30b" in cited(**learners, runs=10)
    assert "S1-30a" not in cited(**learners, runs=10)
    assert {"S1-30c", "S1-30e"} <= cited(**learners)  # never the resampled t; caution with the folds' t


def test_where_missing_a_difference_is_worse_the_t_test_over_folds_is_named():
    """Dietterich, section 7: high power, "in those cases where Type II error is more important"."""
    learners = {"subject": "learner", "task": "choose", "data": "little"}
    assert "S1-30f" in cited(**learners, matters="power")
    assert "S1-30f" not in cited(**learners, matters="type I error")


def test_two_proportions_are_for_two_test_sets_only():
    assert "S1-30d" in cited(PairedTable(20, 25, 10, 45))
    rules = cited(IndependentCounts.from_counts(30, 100, 20, 100))
    assert "S1-30d" not in rules
    assert "S0-36c" in rules  # where the textbook's test is accurate enough


def test_disagreements_are_to_be_reported():
    """Yang, section 3.1: D of at least 10."""
    assert "S3-17" in cited(PairedTable(90, 2, 2, 6))
    assert "S3-17" not in cited(ErrorCount(3, 120))


def test_a_single_sample_is_contingent_and_several_are_not():
    one = Resamples.from_scores([0.9] * 10, [0.8] * 10, plan="10-fold")
    several = Resamples.from_scores([0.9, 0.95, 0.85], [0.8, 0.9, 0.85], plan="independent")
    assert {"S0-36f", "S0-34", "S0-30"} <= cited(one)
    assert "S0-36f" not in cited(several)
    assert "S0-36d" in cited(several)


def test_the_tick_of_balanced_errors_is_spoken_of_where_there_are_labels():
    assert {"S4-07", "S4-08"} <= cited(ConfusionMatrix([[154, 114], [102, 398]]))
    assert not {"S4-07", "S4-08"} & cited(ErrorCount(216, 768))


def test_tuning_is_another_matter():
    learners = {"subject": "learner", "task": "choose", "data": "little"}
    assert "S3-11b" in cited(**learners, tuning=True)
    assert {"S3-04", "S3-05", "S3-11a"} <= cited(**learners)
    assert not {"S3-04", "S3-05", "S3-11a"} & cited(**learners, tuning=True)


def test_three_candidates_have_a_rule_of_their_own():
    learners = {"subject": "learner", "task": "choose", "data": "little"}
    assert "S3-10" in cited(**learners, models=3)
    assert "S3-10" not in cited(**learners, models=2)
