"""Defaults depend on what the evidence is, never on its numbers; advice may look at both."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tellapart
from tellapart import (
    ClassScores,
    ErrorCount,
    IndependentCounts,
    PairedConfusion,
    PairedTable,
    compare,
    estimate,
    find_methods,
)
from tellapart.advice.alternatives import suggest_alternatives
from tellapart.advice.questions import read_toml
from tellapart.advice.rules_of_thumb import OF_EVIDENCE, OF_SITUATION, load_rules
from tellapart.errors import UnknownMethod
from tellapart.methods import Standing
from tellapart.verbs.pipeline import choose, choose_estimator
from tellapart.verbs.request import Request


def choose_interval(evidence, name, options):
    return choose_estimator(evidence, Request(method=name, options=options))[1]


def choose_test(evidence, name, options):
    return choose(evidence, Request(method=name, options=options))[0]


def choose_pair(evidence, method, interval, *, margin=False):
    return choose(evidence, Request(method=method, interval=interval, margin=0.01 if margin else None))


pairs = st.integers(1, 10**6).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


@settings(deadline=None)
@given(pairs)
def test_the_default_does_not_depend_on_the_numbers(pair):
    count = ErrorCount(*pair)
    assert estimate(count).method == "jeffreys"
    assert compare(count, against=0.05).method == "clopper-pearson"


def test_the_default_is_recommended():
    for chosen in (choose_interval, choose_test):
        assert chosen(ErrorCount(3, 120), None, {}).standing == Standing.RECOMMENDED


@pytest.mark.parametrize(
    ("prior", "name"),
    [((1, 3), "beta"), ("majority", "beta"), (np.array([1, 3]), "beta"), (lambda error: 1 - error, "posterior")],
)
def test_a_prior_without_a_method_means_the_posterior_under_it(prior, name):
    for chosen in (choose_interval, choose_test):
        assert chosen(ErrorCount(3, 120), None, {"prior": prior}).name == name


def test_a_name_is_taken_at_its_word():
    assert choose_interval(ErrorCount(3, 120), "wald", {}).name == "wald"
    with pytest.raises(UnknownMethod, match="percentile-of-nobody"):
        choose_pair(TABLE, "percentile-of-nobody", None)


@pytest.mark.parametrize(
    ("errors", "trials", "names"),
    [
        (1, 120, ["mid-p", "clopper-pearson"]),
        (9, 120, ["mid-p", "clopper-pearson"]),
        (10, 120, ["clopper-pearson"]),
        (110, 120, ["clopper-pearson"]),
        (111, 120, ["mid-p", "clopper-pearson"]),  # few successes are as few errors
        ([60, 9], 120, ["mid-p", "clopper-pearson"]),  # one such entry is enough
        ([60, 10], 120, ["clopper-pearson"]),
    ],
)
def test_below_ten_errors_mid_p_is_offered_and_a_guarantee_always(errors, trials, names):
    advice = suggest_alternatives(ErrorCount(errors, trials))
    assert [each.method.name for each in advice] == names
    assert all(each.when for each in advice)


def test_at_no_errors_an_upper_bound_comes_first():
    """The rule of three: at 95 % the bound 1 − 0.05^(1/M) is about 3/M."""
    first, *others = suggest_alternatives(ErrorCount(0, 120))
    assert (first.method.name, first.side) == ("clopper-pearson", "upper")
    assert [advice.side for advice in others] == ["two", "two"]


def test_what_is_offered_exists_and_is_recommended():
    for advice in suggest_alternatives(ErrorCount(3, 120)):
        assert choose_interval(ErrorCount(3, 120), advice.method.name, {}).standing == Standing.RECOMMENDED


def test_where_a_guarantee_is_required_the_method_gives_one():
    guaranteed = [
        advice.method.name for advice in suggest_alternatives(ErrorCount(3, 120)) if "guarantee" in advice.when
    ]
    assert guaranteed
    assert all(choose_interval(ErrorCount(3, 120), name, {}).guarantees for name in guaranteed)


# --- Two classifiers ---

TABLE = PairedTable(20, 25, 10, 45)
COUNTS = IndependentCounts.from_counts(30, 100, 20, 100)


@pytest.mark.parametrize(
    ("evidence", "margin", "test", "interval"),
    [
        (TABLE, False, "mcnemar-mid-p", "tango"),
        (TABLE, True, "tango", "tango"),
        (COUNTS, False, "fisher-mid-p", "miettinen-nurminen"),
        (COUNTS, True, "miettinen-nurminen", "miettinen-nurminen"),
    ],
)
def test_the_default_pair(evidence, margin, test, interval):
    chosen = choose_pair(evidence, None, None, margin=margin)
    assert [method.name for method in chosen] == [test, interval]
    assert [method.gives for method in chosen] == ["test", "interval"]


def test_the_default_pair_is_recommended():
    for evidence in (TABLE, COUNTS):
        assert {method.standing for method in choose_pair(evidence, None, None)} == {Standing.RECOMMENDED}


@pytest.mark.parametrize(
    ("method", "interval", "chosen"),
    [
        ("mcnemar", None, ("mcnemar", "tango")),  # its partner
        ("mcnemar-exact", None, ("mcnemar-exact", "tango")),  # whose partner is of the odds
        ("mcnemar-unconditional", None, ("mcnemar-unconditional", "tango")),  # without one
        ("scas-paired", None, ("scas-paired", "scas-paired")),  # the interval of its name
        ("odds-exact", None, ("mcnemar-exact", "odds-exact")),  # an interval, and the test it belongs to
        ("newcombe-paired", None, ("mcnemar-mid-p", "newcombe-paired")),
        (None, "odds-mid-p", ("mcnemar-mid-p", "odds-mid-p")),
        ("mcnemar", "bonett-price", ("mcnemar", "bonett-price")),
    ],
)
def test_what_was_left_open_is_filled_by_the_partner_then_by_the_default(method, interval, chosen):
    assert tuple(result.name for result in choose_pair(TABLE, method, interval)) == chosen


@pytest.mark.parametrize(
    ("evidence", "test", "interval"),
    [
        (TABLE, "mcnemar-unconditional", "unconditional"),
        (PairedTable(0, 3, 1, 196), "mcnemar-unconditional", "unconditional"),
        (PairedTable(0, 3, 1, 197), "mcnemar-unconditional", None),  # 201 examples are too many for the limits
        (PairedTable(0, 3, 1, 4996), "mcnemar-unconditional", None),
        (PairedTable(0, 3, 1, 4997), "mcnemar-exact", None),
        (PairedTable([0, 0], 3, 1, [10, 10**6]), "mcnemar-exact", None),  # the largest counts
        (IndependentCounts.from_counts(3, 999, 5, 999), "boschloo", None),  # a million tables
        (IndependentCounts.from_counts(3, 1000, 5, 999), "fisher", None),
    ],
)
def test_where_a_guarantee_is_required_one_is_offered_that_can_be_had(evidence, test, interval):
    (advice,) = suggest_alternatives(evidence)
    assert (advice.method.name, advice.interval) == (test, interval or "")
    assert "guarantee" in advice.when
    chosen = choose_pair(evidence, advice.method.name, advice.interval or None)
    assert chosen[0].guarantees
    assert chosen[0].standing in {Standing.RECOMMENDED, Standing.SOUND}


def test_a_guarantee_keeps_its_word_at_the_largest_sizes_it_is_offered_for():
    """What enumerates refuses more; advice must not offer it there."""
    for evidence in (
        PairedTable(0, 3, 1, 196),
        PairedTable(0, 3, 1, 4996),
        IndependentCounts.from_counts(3, 999, 5, 999),
    ):
        (advice,) = suggest_alternatives(evidence)
        assert 0 < compare(evidence, method=advice.method.name).pvalue <= 1


@pytest.mark.parametrize(
    "evidence",
    [
        PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]).by("f1", positive=1),
        ClassScores.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [0.2, 0.3, 0.7, 0.9]),
    ],
    ids=["counts", "scores"],
)
def test_by_a_metric_there_is_nothing_to_consider_besides_the_default(evidence):
    assert suggest_alternatives(evidence) == ()


# --- The tables ---

ENTRIES = [
    (purpose, name, entry)
    for purpose in ("instead", "beside")
    for name, entries in read_toml("alternatives.toml")[purpose].items()
    for entry in entries
]


@pytest.mark.parametrize(("purpose", "name", "entry"), ENTRIES)
def test_every_alternative_is_a_method_that_may_be_used(purpose, name, entry):
    (method,) = find_methods(name=entry["method"], gives=entry["gives"], evidence=getattr(tellapart, entry["evidence"]))
    assert method.standing != Standing.FORBIDDEN
    assert entry["when"]
    assert method.guarantees or not entry.get("guarantee", False)
    by_kind = purpose == "beside" or hasattr(tellapart, name)
    assert set(entry.get("if", ())) <= (OF_EVIDENCE if by_kind else OF_SITUATION).keys()


def test_every_condition_is_used():
    used = {name for *_, entry in ENTRIES for name in entry.get("if", ())}
    used |= {name for rule in load_rules() for name in rule.applies}
    assert used == OF_EVIDENCE.keys() | OF_SITUATION.keys()
