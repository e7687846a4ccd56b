"""`tellapart methods`: what could answer, whether to trust it, and who described it."""

import json

import pytest

from tellapart.advice import QUESTIONS
from tellapart.bibliography import cite
from tellapart.methods import find_methods

METHODS = find_methods()


def test_the_list_names_every_method_with_standing_and_reason(run):
    text = run("methods").stdout
    for method in METHODS:
        assert any(
            method.name in line and method.gives in line and method.standing in line and method.rationale in line
            for line in text.splitlines()
        )


def test_the_list_as_json_is_every_method_in_the_registrys_order(run):
    told = json.loads(run("methods", "--json").stdout)
    assert [(each["name"], each["gives"], each["evidence"]) for each in told] == [
        (method.name, method.gives, method.evidence.__name__) for method in METHODS
    ]


def test_a_name_and_what_it_gives_from_what_is_one_method():
    assert len({(method.name, method.gives, method.evidence) for method in METHODS}) == len(METHODS)


@pytest.mark.parametrize(
    "method", METHODS, ids=lambda method: f"{method.name}-{method.gives}-{method.evidence.__name__}"
)
def test_json_tells_all_about_a_method(run, method):
    key = (method.name, method.gives, method.evidence.__name__)
    every = json.loads(run("methods", method.name, "--json").stdout)
    (told,) = [each for each in every if (each["name"], each["gives"], each["evidence"]) == key]
    assert told["question"] == method.question
    assert told["partner"] == method.partner
    assert told["guarantees"] is method.guarantees
    assert (told["standing"], told["because"], told["holds"]) == (method.standing, method.rationale, method.holds)
    assert told["reference"] == cite(method.reference)
    assert [each["code"] for each in told["assumes"]] == [assumption.code for assumption in method.assumes]
    assert told["options"] == list(method.options)
    assert told["covers"] == list(method.sources_covered)
    assert told["summary"] == method.summary


@pytest.mark.parametrize(
    ("name", "covers"),
    [
        ("5x2cv-t", "the choice of test data, the choice of training data, randomness in the learner, label noise"),
        ("mcnemar", "the choice of test data, label noise; not the choice of training data, randomness in the learner"),
        (
            "splitting-se",
            "nothing; not the choice of test data, the choice of training data, randomness in the learner",
        ),
    ],
)
def test_a_name_prints_which_sources_of_variation_it_covers(run, name, covers):
    """Dietterich (1998, section 1) names four; Yang (2006) on splittings."""
    assert f"covers     {covers}" in run("methods", name).stdout


def test_a_name_prints_promise_standing_checks_and_reference(run):
    """Wilson's paper: Journal of the American Statistical Association 22 (1927)."""
    text = run("methods", "wilson").stdout
    assert "wilson (interval from ErrorCount)" in text
    assert "wilson (test from ErrorCount)" in text
    assert "recommended" in text
    assert "TA001" in text
    assert QUESTIONS[1].asks in text
    assert "Wilson, E. B. (1927)" in text
    assert "22, 209-212" in text
    assert "Parameters\n" not in text
    assert ">>>" not in text
    assert "{figure}" not in text


@pytest.mark.parametrize("method", METHODS, ids=lambda method: f"{method.name}-{method.gives}")
def test_every_card_says_what_it_needs_and_whether_to_trust_it(run, method):
    text = run("methods", method.name).stdout
    assert f"{method.name} ({method.gives} from {method.evidence.__name__})" in text
    assert f"standing   {method.standing}: {method.rationale}" in text
    assert f"reference  {cite(method.reference)}" in text
    assert all(f"assumes    {assumption.code}: " in text for assumption in method.assumes)
    assert not [mark for mark in ("{figure}", "{size}", ">>>", "Parameters\n") if mark in text]


def test_one_name_may_answer_from_several_kinds_of_evidence(run):
    """k-SE rules were used for one test set and for two."""
    text = run("methods", "k-se").stdout
    assert "k-se (test from PairedTable)" in text
    assert "k-se (test from IndependentCounts)" in text


def test_the_third_question_has_the_default_test_and_interval(run):
    told = json.loads(run("methods", "--question", "3", "--json").stdout)
    assert {each["question"] for each in told} == {3}
    assert {"mcnemar-mid-p", "tango", "fisher-mid-p", "miettinen-nurminen", "max-t"} <= {each["name"] for each in told}


def test_a_question_narrows_the_list(run):
    told = json.loads(run("methods", "--question", "1", "--json").stdout)
    assert {each["question"] for each in told} == {1}
    assert json.loads(run("methods", "wald", "--question", "1", "--json").stdout)


@pytest.mark.parametrize("number", ["0", "10", "-1"])
def test_a_question_that_is_none_of_the_nine_is_refused(refused, number):
    assert "from 1 to 9" in refused("methods", "--question", number)


def test_a_question_that_is_no_number_is_refused(refused):
    assert "--question" in refused("methods", "--question", "first")


@pytest.mark.parametrize(
    ("name", "near"), [("wilsn", "wilson"), ("clopper", "clopper-pearson"), ("jefreys", "jeffreys")]
)
def test_an_unknown_name_is_told_the_nearest(refused, name, near):
    assert f"no method '{name}'. Did you mean '{near}'?" in refused("methods", name)


def test_a_name_like_no_other_points_to_the_list(refused):
    line = refused("methods", "xyzzy")
    assert "Did you mean" not in line
    assert "'tellapart methods' lists them all" in line


def test_a_name_that_answers_another_question_is_not_called_unknown(refused):
    line = refused("methods", "wald", "--question", "2")
    assert "Did you mean 'wald'" not in line
    assert "question" in line


@pytest.mark.parametrize("name", ["tango", "corrected-resampled-t", "max-t"])
def test_a_name_prints_its_card_and_the_command_that_makes_it(run, name):
    text = run("methods", name).stdout
    told = json.loads(run("methods", name, "--json").stdout)
    for method in told:
        assert method["card"]["command"] in text
        assert f"measured   at alpha = {method['card']['alpha']}" in text
        figure = "coverage" if method["gives"] == "interval" else "size"
        means = [row[figure]["mean"] for row in method["card"]["rows"]]
        assert all((f"{mean:.4f}" if mean >= 1e-4 or mean == 0 else f"{mean:.1e}") in text for mean in means)


def test_an_estimate_has_no_card_and_the_list_leaves_them_out(run):
    (told,) = [each for each in json.loads(run("methods", "kfold", "--json").stdout) if each["gives"] == "estimate"]
    assert told["card"] is None
    assert "card" not in json.loads(run("methods", "--json").stdout)[0]
