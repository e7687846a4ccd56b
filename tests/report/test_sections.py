"""What a report says: every kind of answer has its sections, and tables hold the answer's own numbers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.lab import SimulatedLearners
from tellapart.predictions.disagreements import Disagreements
from tellapart.report.blocks import Checks, Code, Facts, Figure, Page, Table, Text, Verdict
from tellapart.report.html import render
from tellapart.report.provenance import Provenance
from tellapart.report.writing import page_of

NASTY = "<script>alert(1)</script>", "$x$ & [red] a|b_c"
TABLE = ta.PairedTable(20, 25, 10, 45, models=("old", "new"))
ALWAYS = ["verdict", "checks", "limits", "alternatives", "paper", "reproduce"]


def ids(page):
    return [section.id for section in page.sections]


def section(page, name):
    return next(each for each in page.sections if each.id == name)


def blocks(page, kind, name=None):
    those = page.sections if name is None else [section(page, name)]
    return [block for each in those for block in each.blocks if isinstance(block, kind)]


def table(page, name):
    return blocks(page, Table, name)[0]


def column(held, head):
    """Return what a column is sorted by."""
    place = held.head.index(head)
    return [row[place].value for row in held.rows]


def texts(held, head):
    place = held.head.index(head)
    return [row[place].text for row in held.rows]


def patterns(models, examples=300, seed=0):
    rng = np.random.default_rng(seed)
    hard = rng.random(examples)
    right = {f"m{place}": hard + 0.3 * rng.random(examples) < 0.9 + 0.01 * place for place in range(models)}
    return ta.ErrorPatterns.from_correct(right)


# --- Two classifiers ------------------------------------------------------------------------------


def test_a_pair_has_its_sections_in_order():
    page = page_of(ta.compare(TABLE))
    assert ids(page) == [
        "verdict",
        "difference",
        "table",
        "examples",
        "posterior",
        "card-mcnemar-mid-p-test",
        "card-tango-interval",
        "checks",
        "limits",
        "alternatives",
        "paper",
        "reproduce",
    ]
    assert page.title == "old or new?"


def test_the_verdict_is_the_answer_and_its_limits():
    answer = ta.compare(TABLE)
    page = page_of(answer)
    (verdict,) = blocks(page, Verdict)
    assert isinstance(page.sections[0].blocks[0], Verdict)
    assert (verdict.answer, verdict.limits, verdict.tone) == (answer.answer, answer.limits, "told apart")
    alike = page_of(ta.compare(ta.PairedTable(20, 15, 13, 45)))
    assert blocks(alike, Verdict)[0].tone == "not told apart"
    few = page_of(ta.compare(ta.PairedTable(20, 3, 1, 45), method="mcnemar"))
    assert blocks(few, Verdict)[0].tone == "caution"


def test_the_difference_in_figures_is_that_of_the_answer():
    answer = ta.compare(TABLE)
    found = table(page_of(answer), "difference")
    assert_allclose(column(found, "difference (points)"), [0.15])  # (25 - 10) / 100
    assert_allclose(column(found, "from"), [answer.interval.low])
    assert_allclose(column(found, "to"), [answer.interval.high])
    assert_allclose(column(found, "p"), [answer.pvalue])
    assert texts(found, "difference (points)") == ["15.0"]
    assert found.numeric == {0, 1, 2, 3, 4}


def test_the_table_of_two_holds_the_four_counts():
    found = table(page_of(ta.compare(TABLE)), "table")
    assert column(found, "examples") == [20, 25, 10, 45]
    assert_allclose(column(found, "share"), [0.2, 0.25, 0.1, 0.45])
    assert [row[0].text for row in found.rows] == [
        "old wrong, new wrong",
        "old wrong, new right",
        "old right, new wrong",
        "old right, new right",
    ]


def test_a_margin_and_a_side_are_told():
    page = page_of(ta.compare(TABLE, margin=0.01, hypothesis="non-inferior"))
    assert blocks(page, Verdict)[0].tone == "plain"  # not worse is not told apart
    assert "margin 0.01" in table(page, "difference").note
    assert "non-inferior" in table(page, "difference").note
    assert "margin=0.01" in blocks(page, Code, "reproduce")[0].text
    page = page_of(ta.compare(TABLE, alternative="greater"))
    assert "greater" in table(page, "difference").note
    assert "alternative='greater'" in blocks(page, Code, "reproduce")[0].text


@pytest.mark.parametrize(("interval", "parameter"), [("odds-mid-p", "odds"), ("reduction", "reduction")])
def test_an_interval_of_something_else_says_of_what(interval, parameter):
    known = {each.name for each in ta.find_methods(question=3, gives="interval") if each.parameter == parameter}
    name = interval if interval in known else sorted(known)[0]
    answer = ta.compare(TABLE, interval=name)
    found = table(page_of(answer), "difference")
    assert found.head[1:3] == (f"{parameter}, from", f"{parameter}, to")
    assert_allclose(column(found, f"{parameter}, from"), [answer.interval.low])


def test_an_interval_without_end_leaves_the_cell_empty():
    answer = ta.compare(ta.PairedTable(5, 8, 0, 80), interval=_of("odds"))
    assert np.isinf(answer.interval.high)
    found = table(page_of(answer), "difference")
    assert column(found, "odds, to") == [None]


def _of(parameter):
    return next(each.name for each in ta.find_methods(question=3, gives="interval") if each.parameter == parameter)


def test_two_raters_are_not_better_or_worse():
    raters = ta.PairedTable(42, 9, 3, 50, models=("label", "prediction"), event="positive")
    page = page_of(ta.compare(raters))
    assert page.title == "Are label and prediction positive equally often?"
    assert section(page, "table").title == "Who was positive where"
    assert texts(table(page, "table"), "outcome")[1] == "label positive, prediction not positive"
    assert "examples" not in ids(page)


def test_two_test_sets_have_counts_and_no_examples():
    counts = ta.IndependentCounts.from_counts(30, 100, 20, 120, models=("old", "new"))
    page = page_of(ta.compare(counts))
    assert "examples" not in ids(page)
    found = table(page, "table")
    assert column(found, "errors") == [30, 20]
    assert column(found, "examples") == [100, 120]
    assert_allclose(column(found, "error rate"), [0.3, 1 / 6])


def test_a_threshold_is_no_pair():
    answer = ta.compare(ta.ErrorCount(3, 120), against=0.05)
    page = page_of(answer)
    assert page.title == "Is the error below 5 %?"
    assert "table" not in ids(page)
    found = table(page, "difference")
    assert_allclose(column(found, "difference (points)"), [3 / 120 - 0.05])
    assert_allclose(column(found, "error, to"), [answer.interval.high])


# --- Several --------------------------------------------------------------------------------------


@pytest.mark.parametrize("models", [3, 6, 30])
def test_a_ranking_has_every_model_and_every_pair(models):
    answer = ta.compare(patterns(models), adjust="holm")
    page = page_of(answer)
    board, pairs = table(page, "ranking"), table(page, "pairs")
    assert len(board.rows) == models
    assert len(pairs.rows) == models * (models - 1) // 2
    errors = column(board, "errors")
    assert errors == sorted(errors)
    assert_allclose(column(board, "error rate"), np.array(errors) / 300)
    assert_allclose(column(pairs, "A − B (points)"), answer.pairs.difference)
    assert_allclose(column(pairs, "adjusted p"), answer.adjusted)
    assert_allclose(column(pairs, "p"), answer.pairs.pvalue)
    assert_allclose(column(pairs, "from"), answer.pairs.interval.low)
    assert [text or None for text in texts(pairs, "better")] == list(answer.better)
    assert len(blocks(page, Figure, "ranking")) == len(blocks(page, Figure, "pairs")) == 1
    assert set(ALWAYS) <= set(ids(page))


def test_a_ranking_tells_cochrans_q_and_the_winners_luck():
    answer = ta.compare(patterns(5))
    (facts,) = blocks(page_of(answer), Facts, "ranking")
    told = dict(facts.rows)
    assert f"{float(answer.note('cochran_q').statistic):.4g}" in told["Cochran's Q"]
    assert "4 degrees of freedom" in told["Cochran's Q"]
    assert f"{100 * answer.note('optimism'):.2g} points" in told["the winner's luck"]


def test_the_letters_are_those_of_the_tie_groups():
    answer = ta.compare(patterns(4, examples=2000))
    found = table(page_of(answer), "ranking")
    assert dict(zip([row[0].text for row in found.rows], texts(found, "letters"), strict=True)) == {
        model: answer.letters(model) for model in answer.models
    }


def test_a_check_that_fails_for_some_pairs_names_them():
    right = np.arange(400) % 3 > 0
    nearly = right.copy()
    nearly[:4] = ~nearly[:4]
    other = np.arange(400) % 5 > 0
    answer = ta.compare(ta.ErrorPatterns.from_correct({"a": right, "b": nearly, "c": other}), adjust="holm")
    (checks,) = blocks(page_of(answer), Checks, "checks")
    failed = [each for each in checks.checks if not each.holds]
    assert failed
    assert checks.checks[: len(failed)] == tuple(failed)  # what failed comes first
    assert any("a and b" in each.message for each in failed)
    assert not any("a and c" in each.message for each in failed)


# --- One error rate, and several ------------------------------------------------------------------


def test_an_estimate_has_its_interval_and_its_posterior():
    answer = ta.estimate(ta.ErrorCount(3, 120))
    page = page_of(answer)
    assert {"interval", "posterior", "card-jeffreys-interval", *ALWAYS} <= set(ids(page))
    found = table(page, "interval")
    assert_allclose(column(found, "error rate"), [0.025])
    assert_allclose(column(found, "to"), [answer.interval.high])
    assert blocks(page, Code, "reproduce")[0].text.endswith("print(ta.estimate(evidence, method='jeffreys'))")


def test_one_sided_limits_stand_where_they_belong():
    upper = table(page_of(ta.estimate(ta.ErrorCount(3, 120), side="upper")), "interval")
    lower = table(page_of(ta.estimate(ta.ErrorCount(3, 120), side="lower")), "interval")
    assert texts(upper, "from") == texts(lower, "to") == [""]
    assert "upper bound" in upper.note
    assert "lower bound" in lower.note
    assert_allclose(column(upper, "to"), [ta.estimate(ta.ErrorCount(3, 120), side="upper").interval.high])


def test_numbers_of_a_column_have_the_same_digits():
    counts = {"a": ta.ErrorCount(2, 1000), "b": ta.ErrorCount(20, 1000), "c": ta.ErrorCount(300, 1000)}
    found = table(page_of({name: ta.estimate(count) for name, count in counts.items()}), "interval")
    for head in ("error rate", "from", "to"):
        assert len({len(text.removesuffix(" %").partition(".")[2]) for text in texts(found, head)}) == 1


def test_strata_are_told_one_by_one():
    counts = ta.StratifiedCount(errors=[2, 10], trials=[100, 50], shares=[0.9, 0.1])
    page = page_of(ta.estimate(counts))
    found = table(page, "strata")
    assert column(found, "errors") == [2, 10]
    assert_allclose(column(found, "error rate"), [0.02, 0.2])
    assert_allclose(column(found, "share of the population"), [0.9, 0.1])
    assert "posterior" not in ids(page)


def test_several_estimates_stand_side_by_side():
    answers = {"old": ta.estimate(ta.ErrorCount(9, 120)), "new": ta.estimate(ta.ErrorCount(3, 120))}
    page = page_of(answers)
    found = table(page, "interval")
    assert texts(found, "model") == ["old", "new"]
    assert_allclose(column(found, "error rate"), [9 / 120, 3 / 120])
    (verdict,) = blocks(page, Verdict)
    assert verdict.answer.startswith("new has the lowest of 2 estimates.")
    assert "does not say that any two are told apart" in verdict.limits
    assert column(table(page, "reproduce"), "data") == ["old", "new"]
    references = blocks(page, Facts, "reproduce")[1].rows
    assert len(references) == 1  # both by the same method


def test_several_estimates_may_have_groups():
    answers = {"old": ta.estimate(ta.ErrorCount(9, 120)), "new": ta.estimate(ta.ErrorCount(3, 120))}
    groups = {f"north: {name}": ta.estimate(ta.ErrorCount(2, 40)) for name in answers}
    assert texts(table(page_of(answers, groups=groups), "groups"), "group") == ["north: old", "north: new"]


def test_checks_of_several_estimates_say_whose_they_are():
    answers = {name: ta.estimate(ta.ErrorCount(3, 120), method="wald") for name in ("old", "new")}
    (checks,) = blocks(page_of(answers), Checks, "checks")
    assert {each.message.partition(": ")[0] for each in checks.checks if not each.holds} == {"old", "new"}


# --- Groups and examples --------------------------------------------------------------------------


def test_groups_are_told_with_the_p_values_that_pay_for_their_number():
    tables = ta.PairedTable([5, 9], [20, 6], [4, 5], [71, 80], models=("old", "new"))
    found = ta.compare(tables, adjust="holm")
    page = page_of(ta.compare(TABLE), groups={"north": found[0], "south": found[1]})
    held = table(page, "groups")
    assert texts(held, "group") == ["north", "south"]
    assert_allclose(column(held, "difference (points)"), [0.16, 0.01])  # 20 - 4 and 6 - 5, of 100
    assert_allclose(column(held, "p"), found.pvalue)
    assert_allclose(column(held, "adjusted p"), found.adjusted)
    assert texts(held, "better") == ["new", ""]
    assert "holm" in held.note
    assert len(blocks(page, Figure, "groups")) == 1


def test_of_very_many_groups_the_picture_shows_those_that_differ_most():
    sizes = np.arange(1, 501)
    answers = ta.compare(ta.PairedTable(np.full(500, 3), sizes, np.zeros(500, dtype=int), 1000 - sizes))
    groups = {f"group {place}": answers[place] for place in range(500)}
    page = page_of(ta.compare(TABLE), groups=groups)
    assert len(texts(table(page, "groups"), "group")) == 500
    (figure,) = blocks(page, Figure, "groups")
    assert [row[0] for row in figure.picture.numbers.rows] == [f"group {place}" for place in range(440, 500)]
    assert "Of 500, the picture shows the 60" in blocks(page, Text, "groups")[0].paragraphs[0]
    assert len(render(page).encode()) < 1_000_000


def test_groups_of_several_pairs_name_the_models():
    pairs = {("a", "b"): (9, 3), ("a", "c"): (4, 5)}
    groups = {
        f"{a} and {b}": ta.compare(ta.PairedTable(5, lone[0], lone[1], 80, models=(a, b)))
        for (a, b), lone in pairs.items()
    }
    held = table(page_of(ta.compare(TABLE), groups=groups), "groups")
    assert texts(held, "A") == ["a", "a"]
    assert texts(held, "B") == ["b", "c"]


def test_groups_of_one_classifier_are_error_rates():
    groups = {"north": ta.estimate(ta.ErrorCount(1, 20)), "south": ta.estimate(ta.ErrorCount(5, 50))}
    held = table(page_of(ta.estimate(ta.ErrorCount(6, 70)), groups=groups), "groups")
    assert_allclose(column(held, "error rate"), [0.05, 0.1])


def disagreements(models=("old", "new"), **more):
    facts = {
        "models": models,
        "columns": {"id": "row", "label": "label", "a": models[0], "b": models[1], "right": "right"},
        "lines": ((10, "cat", "dog", "cat", models[1]), (9, "dog", "dog", None, models[0])),
        "total": 35,
        "order": "id",
        "engine": "polars",
    }
    return Disagreements(**facts | more)


def test_examples_are_shown_when_asked_for_and_else_it_is_said_how():
    page = page_of(ta.compare(TABLE), examples=disagreements())
    found = table(page, "examples")
    assert found.head == ("row", "label", "old", "new", "right")
    assert column(found, "row") == [10.0, 9.0]  # sorted as numbers are
    assert texts(found, "new") == ["cat", ""]
    assert "35 examples" in found.caption
    (hint,) = blocks(page_of(ta.compare(TABLE)), Text, "examples")
    assert "--examples 50" in hint.paragraphs[0]


def test_examples_take_no_more_room_than_there_is():
    many = tuple((place, "cat", "x" * 190, "cat", "new") for place in range(5000))
    page = page_of(ta.compare(TABLE), examples=disagreements(lines=many, total=5000))
    found = table(page, "examples")
    shown = len(found.rows)
    assert 1000 < shown < 2000
    assert found.note.startswith(f"The first {shown} of 5000 rows")
    assert len(render(page)) < 1_000_000


def test_no_disagreement_is_said_in_words():
    page = page_of(ta.compare(TABLE), examples=disagreements(lines=(), total=0))
    assert blocks(page, Text, "examples")[0].paragraphs[0].endswith("on 0 examples.")


# --- What else could have been asked --------------------------------------------------------------


def test_what_else_could_have_been_asked_is_advice_on_the_same_evidence():
    counsel = ta.advise(TABLE)
    page = page_of(ta.compare(TABLE))
    facts = dict(blocks(page, Facts, "alternatives")[0].rows)
    assert facts["question"] == f"3. {counsel.question.asks}"
    assert facts["recommended"].startswith("mcnemar-mid-p (recommended) with the interval tango")
    others, never, rules = blocks(page, Table, "alternatives")
    assert texts(rules, "rule") == [rule.says for rule in counsel.rules]
    assert texts(others, "method") == [each.method.name for each in counsel.alternatives]
    assert set(texts(never, "method")) >= {"difference-of-proportions", "interval-overlap"}
    threshold = page_of(ta.compare(ta.ErrorCount(3, 120), against=0.05))
    assert "recommended" not in dict(blocks(threshold, Facts, "alternatives")[0].rows)


# --- Checks, limits, cards, paper, provenance -----------------------------------------------------


def test_what_failed_is_told_first_and_again_among_the_facts():
    answer = ta.compare(ta.PairedTable(20, 3, 1, 45), method="mcnemar")
    page = page_of(answer)
    (checks,) = blocks(page, Checks, "checks")
    assert [each.holds for each in checks.checks] == sorted(each.holds for each in checks.checks)
    assert {each.code for each in checks.checks} == {check.code for check in answer.checks}
    failed = next(each for each in checks.checks if not each.holds)
    facts = dict(blocks(page, Facts, "verdict")[0].rows)
    assert facts["caution"] == f"{failed.code}: {failed.message}"


def test_the_sources_of_variation_are_those_of_the_answer():
    answer = ta.compare(TABLE)
    found = table(page_of(answer), "limits")
    said = dict(zip(texts(found, "source of variation"), texts(found, "allowed for"), strict=True))
    assert set(said) == {"test data", "training data", "learner", "labels", "other data sets"}
    assert {source for source, word in said.items() if word == "no"} == {*answer.sources_ignored, "other data sets"}
    assert said["training data"] == "no"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (ta.compare(TABLE), "does not say that it matters"),
        (ta.compare(ta.PairedTable(20, 12, 10, 45)), "does not say that there is none"),
        (ta.compare(TABLE, margin=0.01), ""),
        (ta.compare(ta.ErrorCount(3, 120), against=0.05), ""),
        (ta.estimate(ta.ErrorCount(3, 120)), ""),
    ],
)
def test_limits_add_to_the_verdict_what_it_is_mistaken_for(answer, says):
    page = page_of(answer)
    told = " ".join(text for block in blocks(page, Text, "limits") for text in block.paragraphs)
    assert says in told
    assert bool(told) == bool(says)
    assert answer.limits not in told


@pytest.mark.parametrize(
    "answer",
    [
        ta.compare(TABLE),
        ta.compare(TABLE, margin=0.01),
        ta.compare(ta.ErrorCount(3, 120), against=0.05),
        ta.estimate(ta.ErrorCount(3, 120)),
        ta.compare(patterns(4)),
    ],
)
def test_facts_say_nothing_that_the_verdict_has_said(answer):
    page = page_of(answer)
    (verdict,) = blocks(page, Verdict, "verdict")
    for facts in blocks(page, Facts, "verdict"):
        assert facts.rows
        assert not [value for _, value in facts.rows if value.rstrip(".") in verdict.answer]


def test_what_a_p_value_means_is_told_beside_the_verdict():
    facts = dict(blocks(page_of(ta.compare(TABLE)), Facts, "verdict")[0].rows)
    assert set(facts) == {"how sure"}
    assert facts["how sure"].startswith("if they erred equally often, ")


def test_examples_that_were_left_out_are_told_beside_the_verdict():
    answer = replace(ta.compare(TABLE), excluded={"no prediction": 3})
    facts = dict(blocks(page_of(answer), Facts, "verdict")[0].rows)
    assert facts["examples"] == "Left out: no prediction: 3."


def test_the_subtitle_says_on_what_it_rests():
    assert page_of(ta.compare(TABLE)).subtitle == "100 examples, 35 disagreements"
    named = {f"{place}{'m' * 58}": ta.estimate(ta.ErrorCount(place, 120)) for place in range(9)}
    first, second, *_ = named
    assert page_of(named).subtitle == f"{first} and 8 more"  # two would take more than 120 characters
    assert page_of({"a": named[first], "b": named[second]}).subtitle == "a, b"


def test_a_long_name_is_short_in_the_title_alone():
    name = "n" * 300
    page = page_of(ta.compare(replace(TABLE, models=("old", name))))
    assert page.title == f"old or {'n' * 59}…?"
    assert name in blocks(page, Verdict, "verdict")[0].answer


def test_the_card_is_that_of_the_method():
    page = page_of(ta.compare(TABLE, method="mcnemar-exact"))
    found = table(page, "card-mcnemar-exact-test")
    assert max(value for value in column(found, "largest") if value is not None) <= 0.05
    facts = dict(blocks(page, Facts, "card-mcnemar-exact-test")[0].rows)
    assert facts["standing"].startswith("sound: ")
    assert section(page, "card-mcnemar-exact-test").folded


def test_a_method_without_a_card_has_no_section_of_it(monkeypatch):
    monkeypatch.setattr("tellapart.report.sections.methods_and_references.card", lambda _: None)
    assert not [name for name in ids(page_of(ta.compare(TABLE))) if name.startswith("card")]


def test_what_a_paper_needs_is_there_to_be_copied():
    answer = ta.compare(TABLE)
    codes = {block.language: block.text for block in blocks(page_of(answer), Code, "paper")}
    assert codes == {"markdown": answer.to_markdown(), "latex": answer.to_latex(), "bibtex": answer.bibtex()}
    assert "@article{tango1998" in codes["bibtex"]


def test_the_way_back_has_command_seed_versions_and_fingerprints():
    told = Provenance(command="tellapart compare a.csv", code="ta.compare(1)", seed=7, data={"a.csv": "SHA-256 12…"})
    page = page_of(ta.compare(TABLE), provenance=told)
    assert [(block.label, block.text) for block in blocks(page, Code, "reproduce")] == [
        ("Command", "tellapart compare a.csv"),
        ("Python", "ta.compare(1)"),
    ]
    versions = dict(blocks(page, Facts, "reproduce")[0].rows)
    assert versions["seed"] == "7"
    assert versions["NumPy"] == np.__version__
    found = table(page, "reproduce")
    assert texts(found, "data") == ["a.csv", "counts"]
    references = blocks(page, Facts, "reproduce")[1].rows
    assert any("Tango" in text for _, text in references)


def test_the_lines_give_the_answer_again():
    for answer in (
        ta.compare(TABLE, alpha=0.01, interval="bonett-price"),
        ta.compare(TABLE, margin=0.02, hypothesis="equivalent"),
        ta.compare(ta.ErrorCount(3, 120), against=0.05, alternative="less"),
        ta.compare(ta.IndependentCounts.from_counts(30, 100, 20, 120, models=("x", "y"))),
    ):
        lines = blocks(page_of(answer), Code, "reproduce")[0].text
        names = {}
        exec(lines.replace("print(", "again = (", 1), names)  # noqa: S102  # our own lines
        assert_allclose(names["again"].pvalue, answer.pvalue)
        assert_allclose(names["again"].interval.low, answer.interval.low)


def test_lines_that_would_give_another_answer_are_left_out():
    answer = ta.estimate(ta.ErrorCount(3, 120), method="beta", prior=(2, 9))
    assert not blocks(page_of(answer), Code, "reproduce")
    answer = ta.compare(TABLE, method="dirichlet", kappa=3.0)
    assert not blocks(page_of(answer), Code, "reproduce")
    several = ta.compare(ta.PairedTable([5, 9], [20, 6], [4, 5], [71, 80]), adjust="holm")
    assert not blocks(page_of(several[0]), Code, "reproduce")


def test_a_calibration_of_this_design_has_its_own_section():
    answer = ta.compare(TABLE)
    found = ta.calibrate("mcnemar-mid-p", TABLE)
    page = page_of(answer, calibration=found)
    held = table(page, "calibration")
    assert_allclose(column(held, "rejects")[0], found.size.value)
    assert len(blocks(page, Figure, "calibration")) == 2  # p-values and power; a test covers nothing


# --- Calibrations as the answer -------------------------------------------------------------------


def test_pictures_may_be_drawn_of_more_differences_than_the_table_has():
    found = ta.calibrate("mcnemar", TABLE, differences=[0.1])
    finer = ta.calibrate("mcnemar", TABLE, differences=[0.02, 0.04, 0.06, 0.08, 0.1])
    page = page_of(found, calibration=finer)
    assert column(table(page, "figures"), "true difference (points)") == [0.0, 0.1]
    power = next(each.picture for each in blocks(page, Figure, "figures") if each.picture.title == "Power")
    assert len(power.numbers.rows) == 6
    assert_allclose(finer.power[-1].value, found.power[-1].value)  # the same, where both have it


def test_an_exact_calibration_has_figures_without_limits():
    found = ta.calibrate("mcnemar", TABLE, differences=[0.05, 0.1])
    page = page_of(found)
    assert ids(page)[:3] == ["verdict", "figures", "design"]
    held = table(page, "figures")
    assert_allclose(column(held, "true difference (points)"), [0, 0.05, 0.1])
    assert texts(held, "true difference (points)") == ["0", "5", "10"]
    assert_allclose(column(held, "rejects"), [found.size.value, *found.power.value])
    assert "rejects, from" not in held.head
    assert "covers" not in held.head
    assert "it keeps its word" in blocks(page, Verdict)[0].answer


def test_a_simulated_calibration_has_limits_and_its_seed():
    found = ta.calibrate(["mcnemar", "tango", "difference-of-proportions"], TABLE, trials=500, rng=3)
    page = page_of(found)
    tests, intervals = blocks(page, Table, "figures")
    assert (tests.caption, intervals.caption) == ("Tests", "Intervals")
    assert len(tests.rows) == 3 * found[0].differences.size
    assert_allclose(column(tests, "rejects, from")[0], found["mcnemar"].size.low)
    assert_allclose(column(intervals, "covers, to"), found["tango"].coverage.high)
    assert dict(blocks(page, Facts, "design")[0].rows)["seed"] == "3"
    assert len(blocks(page, Figure, "figures")) == 3


def test_a_rule_that_only_chooses_and_an_estimator_have_columns_of_their_own():
    found = ta.calibrate(["vote", "kfold"], SimulatedLearners(0.2, examples=40, plan="4-fold"), trials=40)
    held, estimates = blocks(page_of(found), Table, "figures")
    assert {row[0].text for row in held.rows} == {"vote"}
    shares = [[row[held.head.index(name)].value for name in ("chooses A", "chooses B", "neither")] for row in held.rows]
    assert_allclose(np.sum(shares, axis=1), 1)
    assert "rejects" not in held.head
    assert {row[0].text for row in estimates.rows} == {"kfold"}
    assert_allclose(column(estimates, "root mean square")[0], found["kfold"].rmse[0])
    assert not blocks(page_of(found), Figure, "figures")


def test_many_methods_are_sorted_by_whether_they_keep_their_word():
    page = page_of(ta.calibrate(None, ta.PairedTable(10, 25, 10, 255)))
    said = blocks(page, Verdict)[0].answer
    assert said.startswith("8 methods at one design: ")
    assert "tango (it keeps its word)" in said


# --- Whatever a model is called, and whatever comes twice -----------------------------------------


def _all_texts(value):
    """Return every string in a page."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _all_texts(each)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _all_texts(getattr(value, name))


def test_names_are_text_and_stay_what_they_are():
    a, b = NASTY
    answer = ta.compare(ta.PairedTable(20, 25, 10, 45, models=(a, b)))
    groups = {a: answer}
    page = page_of(answer, groups=groups, examples=disagreements(models=NASTY))
    assert page.title == f"{a} or {b}?"
    assert texts(table(page, "groups"), "group") == [a]
    assert table(page, "examples").head[2:4] == (a, b)
    assert a in blocks(page, Verdict)[0].answer
    said = "\n".join(_all_texts(replace(page, sections=page.sections[:4])))
    assert "&lt;" not in said  # nobody but the page knows markup


def _same(first: Page, second: Page):
    """Whether two pages say the same; how a picture is drawn is a function, which is compared by what it draws."""
    return list(_all_texts(first)) == list(_all_texts(second))


@settings(derandomize=True, deadline=None, max_examples=8)
@given(st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(lambda cells: sum(cells) > 0))
def test_every_table_has_a_page_and_twice_the_same(cells):
    answer = ta.compare(ta.PairedTable(*cells))
    first, second = page_of(answer), page_of(ta.compare(ta.PairedTable(*cells)))
    assert _same(first, second)
    held = table(first, "table")
    assert column(held, "examples") == cells


def test_identical_classifiers_and_no_errors_have_a_page():
    assert page_of(ta.compare(ta.PairedTable(0, 0, 0, 5))).sections
    assert page_of(ta.estimate(ta.ErrorCount(0, 5))).sections
    assert page_of(ta.compare(ta.ErrorPatterns.from_correct({"a": [1, 1], "b": [1, 1], "c": [1, 1]}))).sections


# --- Bad input ------------------------------------------------------------------------------------


def test_arrays_of_answers_are_refused():
    many = ta.compare(ta.PairedTable([5, 9], [20, 6], [4, 5], [71, 80]))
    with pytest.raises(InvalidOption, match=r"about one answer, but this one has the shape \(2,\)"):
        page_of(many)
    with pytest.raises(InvalidOption, match=r"groups\['x'\] must be one Comparison or Estimate"):
        page_of(many[0], groups={"x": many})


@pytest.mark.parametrize(
    ("answer", "more", "message"),
    [
        (3, {}, "answer must be an Estimate, a Comparison.* but is int"),
        ({}, {}, "or nothing"),
        ({"a": 3}, {}, "holds something else"),
        (None, {"calibration": 3}, "calibration must be what calibrate gave, but is int"),
        (None, {"provenance": "tellapart"}, "provenance must be a Provenance.* but is str"),
        (None, {"groups": {"a": None}}, r"groups\['a'\] must be one"),
    ],
)
def test_what_no_report_is_made_of_is_refused(answer, more, message):
    with pytest.raises(InvalidOption, match=message):
        page_of(ta.compare(TABLE) if answer is None else answer, **more)


def test_groups_are_of_one_kind():
    mixed = {"a": ta.compare(TABLE), "b": ta.estimate(ta.ErrorCount(3, 20))}
    with pytest.raises(InvalidOption, match="all comparisons or all estimates"):
        page_of(ta.compare(TABLE), groups=mixed)
