"""`tellapart methods`: the list, and a page for each method."""

import json

import pytest

from tellapart.bibliography import cite
from tellapart.methods import find_methods

METHODS = find_methods()


def test_the_list_names_every_method_with_its_status(run):
    lines = run("methods").stdout.splitlines()
    for method in METHODS:
        status = "do not use" if method.standing == "forbidden" else method.standing
        assert any(line.split()[:1] == [method.name] and method.gives in line and status in line for line in lines)


def test_the_verbose_list_has_the_reason_of_every_status(run):
    text = " ".join(run("methods", "--verbose").stdout.split())
    assert all(method.rationale in text for method in METHODS)


def test_the_list_may_be_of_one_kind_of_evidence(run, refused):
    text = run("methods", "--from", "ErrorCount").stdout
    assert "jeffreys" in text
    assert "mcnemar" not in text
    assert "Did you mean 'ErrorCount'?" in refused("methods", "--from", "ErrorCounts")


def test_the_list_as_json_is_every_method_in_the_registrys_order(run):
    document = json.loads(run("methods", "--json").stdout)
    assert [(entry["name"], entry["gives"], entry["evidence"]) for entry in document] == [
        (method.name, method.gives, method.evidence.__name__) for method in METHODS
    ]


def test_a_name_and_what_it_gives_from_what_is_one_method():
    assert len({(method.name, method.gives, method.evidence) for method in METHODS}) == len(METHODS)


@pytest.mark.parametrize(
    "method", METHODS, ids=lambda method: f"{method.name}-{method.gives}-{method.evidence.__name__}"
)
def test_json_has_all_facts_of_a_method(run, method):
    key = (method.name, method.gives, method.evidence.__name__)
    every = json.loads(run("methods", method.name, "--json").stdout)
    (document,) = [entry for entry in every if (entry["name"], entry["gives"], entry["evidence"]) == key]
    assert document["question"] == method.question
    assert document["partner"] == method.partner
    assert document["guarantees"] is method.guarantees
    assert (document["standing"], document["because"], document["holds"]) == (
        method.standing,
        method.rationale,
        method.validity,
    )
    assert document["reference"] == cite(method.reference)
    assert [entry["code"] for entry in document["assumes"]] == [assumption.code for assumption in method.assumes]
    assert document["options"] == list(method.options)
    assert document["covers"] == document["sources_covered"] == list(method.sources_covered)
    assert document["title"] == method.display_title
    assert document["summary"] == method.summary


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("5x2cv-t", "test-set sampling, retraining and label noise"),
        ("mcnemar", "test-set sampling and label noise; not retraining"),
        ("splitting-se", "none of the sources of variation; not test-set sampling or retraining"),
    ],
)
def test_a_name_prints_which_sources_of_variation_it_covers(run, name, scope):
    """Dietterich (1998, section 1) names four; Yang (2006) on splittings."""
    assert f"scope {scope}" in " ".join(run("methods", name).stdout.split())


def test_a_name_prints_status_checks_and_reference(run):
    """Wilson's paper: Journal of the American Statistical Association 22 (1927)."""
    text = run("methods", "wilson", "--from", "ErrorCount").stdout
    assert text.startswith("wilson: ")
    assert "(recommended)" in text.splitlines()[0]
    assert "TA001" in text
    assert "Wilson (1927), J. Am. Stat. Assoc. 22, 209-212" in text
    assert not [mark for mark in ("Parameters\n", ">>>", "{figure}") if mark in text]


@pytest.mark.parametrize("name", sorted({method.name for method in METHODS}))
def test_every_page_fits_a_screen(run, name):
    lines = run("methods", name).stdout.splitlines()
    assert len(lines) <= 25
    assert not [mark for mark in ("{figure}", "{size}", ">>>", "Parameters\n") if mark in "\n".join(lines)]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: f"{method.name}-{method.gives}")
def test_the_explanation_has_assumptions_status_and_reference(run, method):
    text = " ".join(run("methods", method.name, "--from", method.evidence.__name__, "--explain").stdout.split())
    status = "do not use" if method.standing == "forbidden" else method.standing
    assert f"{method.gives} {status}: {' '.join(method.rationale.split())}" in text
    assert cite(method.reference) in text
    assert all(f"{assumption.code}: {' '.join(assumption.rule.split())}" in text for assumption in method.assumes)


@pytest.mark.parametrize("name", sorted({method.name for method in METHODS if method.standing == "forbidden"}))
def test_a_method_not_to_use_has_the_reason_on_its_page(run, name):
    text = " ".join(run("methods", name).stdout.split())
    reasons = {" ".join(method.rationale.split()) for method in METHODS if method.name == name}
    assert any(f"why do not use: {reason}" in text for reason in reasons)


def test_a_page_without_a_table_names_no_design_and_no_page_to_see(run):
    lines = run("methods", "posterior").stdout.splitlines()
    assert lines[-1].strip() == "Measured error rates: --explain. Also an interval: --explain."
    assert not [line for line in lines if "see also" in line]


def test_the_kind_of_a_method_stands_before_its_variant(run):
    assert run("methods", "mcnemar-corrected").stdout.startswith(
        "mcnemar-corrected: McNemar's chi-square test, continuity-corrected (heuristic)"
    )
    assert run("methods", "two-intervals").stdout.startswith("two-intervals: two Bonferroni intervals (heuristic)")


def test_formulas_and_numbers_have_no_broken_characters():
    texts = [method.description for method in METHODS]
    assert not [text for text in texts if "\N{COMBINING DOUBLE OVERLINE}" in text or "Up to 5000" in text]


def test_one_name_may_answer_from_several_kinds_of_evidence(run):
    """k-SE rules were used for one test set and for two."""
    assert "--from IndependentCounts" in run("methods", "k-se").stdout
    assert "independent examples" in run("methods", "k-se", "--from", "IndependentCounts").stdout


def test_the_third_question_has_the_default_test_and_interval(run):
    document = json.loads(run("methods", "--question", "3", "--json").stdout)
    assert {entry["question"] for entry in document} == {3}
    assert {"mcnemar-mid-p", "tango", "fisher-mid-p", "miettinen-nurminen", "max-t"} <= {
        entry["name"] for entry in document
    }


def test_a_question_narrows_the_list(run):
    document = json.loads(run("methods", "--question", "1", "--json").stdout)
    assert {entry["question"] for entry in document} == {1}
    assert json.loads(run("methods", "wald", "--question", "1", "--json").stdout)


@pytest.mark.parametrize("number", ["0", "10", "-1"])
def test_a_question_outside_one_to_nine_is_refused(refused, number):
    assert "from 1 to 9" in refused("methods", "--question", number)


def test_a_question_that_is_not_a_number_is_refused(refused):
    assert "--question" in refused("methods", "--question", "first")


@pytest.mark.parametrize(
    ("name", "near"), [("wilsn", "wilson"), ("clopper", "clopper-pearson"), ("jefreys", "jeffreys")]
)
def test_an_unknown_name_suggests_the_nearest(refused, name, near):
    assert f"unknown method '{name}'. Did you mean '{near}'?" in refused("methods", name)


def test_an_unknown_name_without_a_near_one_points_to_the_list(refused):
    line = refused("methods", "xyzzy")
    assert "Did you mean" not in line
    assert "See `tellapart methods`." in line


def test_a_name_that_answers_another_question_is_not_called_unknown(refused):
    line = refused("methods", "wald", "--question", "2")
    assert "Did you mean 'wald'" not in line
    assert "question" in line


@pytest.mark.parametrize("name", ["tango", "corrected-resampled-t", "max-t"])
def test_a_name_prints_its_card_and_the_command_that_makes_it(run, name):
    document = json.loads(run("methods", name, "--json").stdout)
    for method in document:
        text = run("methods", name, "--from", method["evidence"], "--explain").stdout
        assert method["card"]["command"] in " ".join(text.split())
        assert f"measured at alpha = {method['card']['alpha']}" in text
        figure = "coverage" if method["gives"] == "interval" else "size"
        means = [row[figure]["mean"] for row in method["card"]["rows"]]
        assert all((f"{mean:.4f}" if mean >= 1e-4 or mean == 0 else f"{mean:.1e}") in text for mean in means)


def test_an_estimate_has_no_card_and_the_list_leaves_them_out(run):
    (document,) = [
        entry for entry in json.loads(run("methods", "kfold", "--json").stdout) if entry["gives"] == "estimate"
    ]
    assert document["card"] is None
    assert "card" not in json.loads(run("methods", "--json").stdout)[0]
