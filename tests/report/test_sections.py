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
ALWAYS = ["result", "checks", "sources", "methods", "paper", "reproduce"]


def ids(page):
    return [section.id for section in page.sections]


def section(page, name):
    return next(each for each in page.sections if each.id == name)


def blocks(page, kind, name=None):
    selected = page.sections if name is None else [section(page, name)]
    return [block for each in selected for block in each.blocks if isinstance(block, kind)]


def table(page, name):
    return blocks(page, Table, name)[0]


def column(evidence, head):
    """Return what a column is sorted by."""
    index = evidence.head.index(head)
    return [row[index].value for row in evidence.rows]


def texts(evidence, head):
    index = evidence.head.index(head)
    return [row[index].text for row in evidence.rows]


def patterns(models, examples=300, seed=0):
    rng = np.random.default_rng(seed)
    hard = rng.random(examples)
    right = {f"m{index}": hard + 0.3 * rng.random(examples) < 0.9 + 0.01 * index for index in range(models)}
    return ta.ErrorPatterns.from_correct(right)


# --- Two classifiers ------------------------------------------------------------------------------


def test_a_pair_has_its_sections_in_order():
    page = page_of(ta.compare(TABLE))
    assert ids(page) == [
        "result",
        "difference",
        "discordant",
        "posterior",
        "checks",
        "sources",
        "methods",
        "card-mcnemar-mid-p-test",
        "card-tango-interval",
        "paper",
        "reproduce",
    ]
    titles = [section.title for section in page.sections if not section.folded]
    assert titles == [
        "Result",
        "Difference",
        "Discordant examples",
        "Checks",
        "Sources of variation",
        "Methods and references",
        "Reproduce this",
    ]
    assert page.title == "new has a lower error rate than old"


def test_the_verdict_is_the_answer_and_its_limits():
    answer = ta.compare(TABLE)
    page = page_of(answer)
    (verdict,) = blocks(page, Verdict)
    assert isinstance(page.sections[0].blocks[0], Verdict)
    assert (verdict.verdict, verdict.badge) == (answer.display().verdict, "Significant difference")
    assert verdict.scope == dict(answer.display().rows)["scope"]
    assert not verdict.cautions
    alike = page_of(ta.compare(ta.PairedTable(20, 15, 13, 45)))
    assert blocks(alike, Verdict)[0].badge == "No significant difference"
    few = blocks(page_of(ta.compare(ta.PairedTable(20, 3, 1, 45), method="mcnemar")), Verdict)[0]
    assert few.cautions
    assert "caution" not in few.verdict  # it stands above


def test_the_tiles_have_difference_p_value_and_discordant_examples():
    (verdict,) = blocks(page_of(ta.compare(TABLE)), Verdict)
    difference, certainty, data = verdict.tiles
    assert (difference.value, difference.notes) == ("15.0 pp lower", ("95% CI", "3.6 to 26.3"))
    assert (certainty.value, certainty.notes) == ("p = 0.011", ("McNemar mid-p", "alpha = 0.05"))
    assert data.value == "35 discordant"
    assert data.notes == ("25 only old wrong, 10 only new", "of 100 examples")
    assert verdict.figures == "error rate 30.0% vs 45.0%, 100 examples"
    assert_allclose(
        [verdict.interval.estimate, verdict.interval.low, verdict.interval.high], [0.15, 0.03557, 0.26327], atol=5e-5
    )
    assert verdict.interval.caption == "pp in favour of new"


def test_margins_are_marked_in_the_direction_of_the_headline():
    table = ta.PairedTable(11, 4, 22, 862, models=("new", "old"))  # A is better
    (verdict,) = blocks(page_of(ta.compare(table, margin=0.01)), Verdict)
    assert verdict.badge == "Not enough evidence"
    assert verdict.interval.margins == (0.01,)  # a loss of B is an advantage of A
    assert verdict.interval.caption == "pp in favour of new"
    assert verdict.interval.estimate > 0
    better = blocks(page_of(ta.compare(replace(table, only_a_wrong=22, only_b_wrong=4), margin=0.01)), Verdict)[0]
    assert (better.badge, better.interval.margins) == ("Pass", (-0.01,))


def test_the_difference_in_figures_is_that_of_the_answer():
    answer = ta.compare(TABLE)
    result = table(page_of(answer), "difference")
    assert_allclose(column(result, "difference (pp)"), [0.15])  # (25 - 10) / 100
    assert_allclose(column(result, "low"), [answer.interval.low])
    assert_allclose(column(result, "high"), [answer.interval.high])
    assert_allclose(column(result, "p"), [answer.pvalue])
    assert texts(result, "difference (pp)") == ["15.0"]
    assert result.numeric == {0, 1, 2, 3, 4}


def test_the_table_of_two_holds_the_four_counts():
    result = table(page_of(ta.compare(TABLE)), "discordant")
    assert column(result, "examples") == [20, 25, 10, 45]
    assert_allclose(column(result, "share"), [0.2, 0.25, 0.1, 0.45])
    assert [row[0].text for row in result.rows] == [
        "old wrong, new wrong",
        "old wrong, new right",
        "old right, new wrong",
        "old right, new right",
    ]


def test_a_margin_and_a_side_are_reported():
    page = page_of(ta.compare(TABLE, margin=0.01, hypothesis="non-inferior"))
    assert blocks(page, Verdict)[0].badge == "Pass"
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
    result = table(page_of(answer), "difference")
    assert result.head[1:3] == (f"{parameter}, low", f"{parameter}, high")
    assert_allclose(column(result, f"{parameter}, low"), [answer.interval.low])


def test_an_interval_without_end_leaves_the_cell_empty():
    answer = ta.compare(ta.PairedTable(5, 8, 0, 80), interval=_of("odds"))
    assert np.isinf(answer.interval.high)
    result = table(page_of(answer), "difference")
    assert column(result, "odds, high") == [None]


def _of(parameter):
    return next(each.name for each in ta.find_methods(question=3, gives="interval") if each.parameter == parameter)


def test_two_raters_are_not_better_or_worse():
    raters = ta.PairedTable(42, 9, 3, 50, models=("label", "prediction"), event="positive")
    page = page_of(ta.compare(raters))
    assert page.title == "No significant difference in how often label and prediction say 'positive'"
    assert texts(table(page, "discordant"), "outcome")[1] == "label positive, prediction not positive"
    assert "examples" not in ids(page)


def test_two_test_sets_have_counts_and_no_examples():
    counts = ta.IndependentCounts.from_counts(30, 100, 20, 120, models=("old", "new"))
    page = page_of(ta.compare(counts))
    assert "examples" not in ids(page)
    result = table(page, "data")
    assert column(result, "errors") == [30, 20]
    assert column(result, "examples") == [100, 120]
    assert_allclose(column(result, "error rate"), [0.3, 1 / 6])


def test_a_threshold_is_no_pair():
    answer = ta.compare(ta.ErrorCount(3, 120), against=0.05)
    page = page_of(answer)
    assert page.title == "No significant difference between the error rate and 5%"
    assert "discordant" not in ids(page)
    result = table(page, "difference")
    assert_allclose(column(result, "difference (pp)"), [3 / 120 - 0.05])
    assert_allclose(column(result, "error, high"), [answer.interval.high])


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
    assert_allclose(column(board, "accuracy"), 1 - np.array(errors) / 300)
    assert_allclose(column(pairs, "B − A (pp)"), answer.pairs.difference)
    assert_allclose(column(pairs, "adjusted p"), answer.adjusted)
    assert_allclose(column(pairs, "p"), answer.pairs.pvalue)
    assert_allclose(column(pairs, "low"), answer.pairs.interval.low)
    assert [text or None for text in texts(pairs, "better")] == list(answer.better)
    assert len(blocks(page, Figure, "ranking")) == len(blocks(page, Figure, "pairs")) == 1
    assert set(ALWAYS) <= set(ids(page))


def test_a_ranking_has_cochrans_q_and_the_bias_of_its_leader():
    answer = ta.compare(patterns(5))
    (facts,) = blocks(page_of(answer), Facts, "result")
    rows = dict(facts.rows)
    assert f"{float(answer.note('cochran_q').statistic):.1f}" in rows["overall"]
    assert "df = 4" in rows["overall"]
    assert "pp too high" in blocks(page_of(answer), Verdict)[0].scope


def test_the_letters_are_those_of_the_tie_groups():
    answer = ta.compare(patterns(4, examples=2000))
    result = table(page_of(answer), "ranking")
    assert dict(zip([row[0].text for row in result.rows], texts(result, "ties"), strict=True)) == {
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
    result = table(page, "interval")
    assert_allclose(column(result, "error rate"), [0.025])
    assert_allclose(column(result, "high"), [answer.interval.high])
    assert blocks(page, Code, "reproduce")[0].text.endswith("print(ta.estimate(evidence, method='jeffreys'))")


def test_one_sided_limits_stand_where_they_belong():
    upper = table(page_of(ta.estimate(ta.ErrorCount(3, 120), side="upper")), "interval")
    lower = table(page_of(ta.estimate(ta.ErrorCount(3, 120), side="lower")), "interval")
    assert texts(upper, "low") == texts(lower, "high") == [""]
    assert "upper limit" in upper.note
    assert "lower limit" in lower.note
    assert_allclose(column(upper, "high"), [ta.estimate(ta.ErrorCount(3, 120), side="upper").interval.high])


def test_numbers_of_a_column_have_the_same_digits():
    counts = {"a": ta.ErrorCount(2, 1000), "b": ta.ErrorCount(20, 1000), "c": ta.ErrorCount(300, 1000)}
    result = table(page_of({name: ta.estimate(count) for name, count in counts.items()}), "interval")
    for head in ("error rate", "low", "high"):
        assert len({len(text.removesuffix("%").partition(".")[2]) for text in texts(result, head)}) == 1


def test_strata_are_listed():
    counts = ta.StratifiedCount(errors=[2, 10], trials=[100, 50], shares=[0.9, 0.1])
    page = page_of(ta.estimate(counts))
    result = table(page, "strata")
    assert column(result, "errors") == [2, 10]
    assert_allclose(column(result, "error rate"), [0.02, 0.2])
    assert_allclose(column(result, "share of the population"), [0.9, 0.1])
    assert "posterior" not in ids(page)


def test_several_estimates_stand_side_by_side():
    answers = {"old": ta.estimate(ta.ErrorCount(9, 120)), "new": ta.estimate(ta.ErrorCount(3, 120))}
    page = page_of(answers)
    result = table(page, "interval")
    assert texts(result, "model") == ["old", "new"]
    assert_allclose(column(result, "error rate"), [9 / 120, 3 / 120])
    (verdict,) = blocks(page, Verdict)
    assert verdict.verdict == "new has the lowest error rate of 2 estimates"
    assert "individual" in verdict.scope
    assert column(table(page, "reproduce"), "data") == ["old", "new"]
    (references,) = blocks(page, Facts, "methods")
    assert len(references.rows) == 1  # both by the same method


def test_several_estimates_may_have_groups():
    answers = {"old": ta.estimate(ta.ErrorCount(9, 120)), "new": ta.estimate(ta.ErrorCount(3, 120))}
    groups = {f"north: {name}": ta.estimate(ta.ErrorCount(2, 40)) for name in answers}
    assert texts(table(page_of(answers, groups=groups), "groups"), "group") == ["north: old", "north: new"]


def test_checks_of_several_estimates_say_whose_they_are():
    answers = {name: ta.estimate(ta.ErrorCount(3, 120), method="wald") for name in ("old", "new")}
    (checks,) = blocks(page_of(answers), Checks, "checks")
    assert {each.message.partition(": ")[0] for each in checks.checks if not each.holds} == {"old", "new"}


# --- Groups and examples --------------------------------------------------------------------------


def test_groups_are_reported_with_the_adjusted_p_values():
    tables = ta.PairedTable([5, 9], [20, 6], [4, 5], [71, 80], models=("old", "new"))
    result = ta.compare(tables, adjust="holm")
    page = page_of(ta.compare(TABLE), groups={"north": result[0], "south": result[1]})
    evidence = table(page, "groups")
    assert texts(evidence, "group") == ["north", "south"]
    assert_allclose(column(evidence, "difference (pp)"), [0.16, 0.01])  # 20 - 4 and 6 - 5, of 100
    assert_allclose(column(evidence, "p"), result.pvalue)
    assert_allclose(column(evidence, "adjusted p"), result.adjusted)
    assert texts(evidence, "better") == ["new", ""]
    assert "holm" in evidence.note
    assert len(blocks(page, Figure, "groups")) == 1


def test_of_very_many_groups_the_picture_shows_those_that_differ_most():
    sizes = np.arange(1, 501)
    answers = ta.compare(ta.PairedTable(np.full(500, 3), sizes, np.zeros(500, dtype=int), 1000 - sizes))
    groups = {f"group {index}": answers[index] for index in range(500)}
    page = page_of(ta.compare(TABLE), groups=groups)
    assert len(texts(table(page, "groups"), "group")) == 500
    (figure,) = blocks(page, Figure, "groups")
    assert [row[0] for row in figure.picture.numbers.rows] == [f"group {index}" for index in range(440, 500)]
    assert "The figure shows the 60 largest of 500" in blocks(page, Text, "groups")[0].paragraphs[0]
    assert len(render(page).encode()) < 1_000_000


def test_groups_of_several_pairs_name_the_models():
    pairs = {("a", "b"): (9, 3), ("a", "c"): (4, 5)}
    groups = {
        f"{a} and {b}": ta.compare(ta.PairedTable(5, discordant[0], discordant[1], 80, models=(a, b)))
        for (a, b), discordant in pairs.items()
    }
    evidence = table(page_of(ta.compare(TABLE), groups=groups), "groups")
    assert texts(evidence, "A") == ["a", "a"]
    assert texts(evidence, "B") == ["b", "c"]


def test_groups_of_one_classifier_are_error_rates():
    groups = {"north": ta.estimate(ta.ErrorCount(1, 20)), "south": ta.estimate(ta.ErrorCount(5, 50))}
    evidence = table(page_of(ta.estimate(ta.ErrorCount(6, 70)), groups=groups), "groups")
    assert_allclose(column(evidence, "error rate"), [0.05, 0.1])


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


def test_examples_are_shown_on_request_and_else_it_says_how():
    page = page_of(ta.compare(TABLE), examples=disagreements())
    result = blocks(page, Table, "discordant")[1]
    assert result.head == ("row", "label", "old", "new", "right")
    assert column(result, "row") == [10.0, 9.0]  # sorted as numbers are
    assert texts(result, "new") == ["cat", ""]
    assert "35 discordant examples" in result.caption
    (hint,) = blocks(page_of(ta.compare(TABLE)), Text, "discordant")
    assert "--examples 50" in hint.paragraphs[0]


def test_examples_take_no_more_room_than_there_is():
    many = tuple((index, "cat", "x" * 190, "cat", "new") for index in range(5000))
    page = page_of(ta.compare(TABLE), examples=disagreements(lines=many, total=5000))
    result = blocks(page, Table, "discordant")[1]
    shown = len(result.rows)
    assert 1000 < shown < 2000
    assert result.note.startswith(f"The first {shown:,} of 5,000 rows")
    assert len(render(page)) < 1_000_000


def test_no_disagreement_is_stated_in_words():
    page = page_of(ta.compare(TABLE), examples=disagreements(lines=(), total=0))
    assert "0 discordant examples" in blocks(page, Text, "discordant")[0].paragraphs[0]


# --- Methods --------------------------------------------------------------------------------------


def test_methods_have_alternatives_and_methods_to_avoid_from_the_advice():
    advice = ta.advise(TABLE)
    page = page_of(ta.compare(TABLE))
    used, alternatives, avoid = blocks(page, Table, "methods")
    assert texts(used, "method") == ["McNemar mid-p", "Tango score interval"]
    assert texts(used, "source") == ["Fagerland et al. 2013", "Tango 1998"]
    assert texts(alternatives, "name") == [each.method.name for each in advice.alternatives]
    assert not any("{" in text for text in texts(alternatives, "use it"))
    assert set(texts(avoid, "method")) >= {"difference-of-proportions", "interval-overlap"}
    (references,) = blocks(page, Facts, "methods")
    assert any("Tango" in text for _, text in references.rows)


# --- Checks, limits, cards, paper, provenance -----------------------------------------------------


def test_failed_checks_come_first_and_stand_above_the_verdict():
    answer = ta.compare(ta.PairedTable(20, 3, 1, 45), method="mcnemar")
    page = page_of(answer)
    (checks,) = blocks(page, Checks, "checks")
    assert [each.holds for each in checks.checks] == sorted(each.holds for each in checks.checks)
    assert {each.code for each in checks.checks} == {check.code for check in answer.checks}
    failed = [f"{each.code}: {each.message}" for each in checks.checks if not each.holds]
    assert sorted(blocks(page, Verdict)[0].cautions) == sorted(failed)


def test_the_sources_of_variation_are_those_of_the_answer():
    answer = ta.compare(TABLE)
    sources = table(page_of(answer), "sources")
    covered = dict(zip(texts(sources, "source of variation"), texts(sources, "covered"), strict=True))
    assert set(covered) == {"test data", "training data", "learner", "labels", "other data sets"}
    assert {source for source, word in covered.items() if word == "no"} == {*answer.sources_ignored, "other data sets"}
    assert covered["training data"] == "no"


@pytest.mark.parametrize(
    ("answer", "caveat"),
    [
        (ta.compare(TABLE), "need not be large enough to matter"),
        (ta.compare(ta.PairedTable(20, 12, 10, 45)), "does not mean equal"),
        (ta.compare(TABLE, margin=0.01), ""),
        (ta.compare(ta.ErrorCount(3, 120), against=0.05), ""),
        (ta.estimate(ta.ErrorCount(3, 120)), ""),
    ],
)
def test_a_decision_has_its_common_misreading(answer, caveat):
    paragraphs = " ".join(text for block in blocks(page_of(answer), Text, "sources") for text in block.paragraphs)
    assert caveat in paragraphs
    assert bool(paragraphs) == bool(caveat)


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
def test_the_rows_below_the_verdict_are_those_of_the_display(answer):
    (facts,) = blocks(page_of(answer), Facts, "result")
    rows = [(row.label, row.text) for row in answer.display().rows if row.label not in {"caution", "scope"}]
    assert list(facts.rows) == rows


def test_excluded_examples_stand_in_the_data_row():
    answer = replace(ta.compare(TABLE), excluded={"no prediction": 3})
    rows = dict(blocks(page_of(answer), Facts, "result")[0].rows)
    assert "3 left out (no prediction)" in rows["data"]


def test_a_title_of_ones_own_stands_above_the_verdict():
    page = page_of(ta.compare(TABLE), title="Release 7")
    assert (page.title, page.label) == ("Release 7", "Release 7")
    assert page_of(ta.compare(TABLE)).label == ""


def test_the_card_is_that_of_the_method():
    page = page_of(ta.compare(TABLE, method="mcnemar-exact"))
    result = table(page, "card-mcnemar-exact-test")
    assert max(value for value in column(result, "maximum") if value is not None) <= 0.05
    facts = dict(blocks(page, Facts, "card-mcnemar-exact-test")[0].rows)
    assert facts["status"].startswith("sound: ")
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
    text = Provenance(command="tellapart compare a.csv", code="ta.compare(1)", seed=7, data={"a.csv": "SHA-256 12…"})
    page = page_of(ta.compare(TABLE), provenance=text)
    assert [(block.label, block.text) for block in blocks(page, Code, "reproduce")] == [
        ("Command", "tellapart compare a.csv"),
        ("Python", "ta.compare(1)"),
    ]
    versions = dict(blocks(page, Facts, "reproduce")[0].rows)
    assert versions["seed"] == "7"
    assert versions["NumPy"] == np.__version__
    result = table(page, "reproduce")
    assert texts(result, "data") == ["a.csv", "counts"]


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
    result = ta.calibrate("mcnemar-mid-p", TABLE)
    page = page_of(answer, calibration=result)
    evidence = table(page, "calibration")
    assert_allclose(column(evidence, "rejects")[0], result.size.value)
    assert len(blocks(page, Figure, "calibration")) == 2  # p-values and power; a test covers nothing


# --- Calibrations as the answer -------------------------------------------------------------------


def test_pictures_may_be_drawn_of_more_differences_than_the_table_has():
    result = ta.calibrate("mcnemar", TABLE, differences=[0.1])
    finer = ta.calibrate("mcnemar", TABLE, differences=[0.02, 0.04, 0.06, 0.08, 0.1])
    page = page_of(result, calibration=finer)
    assert column(table(page, "figures"), "true difference (pp)") == [0.0, 0.1]
    power = next(each.picture for each in blocks(page, Figure, "figures") if each.picture.title == "Power")
    assert len(power.numbers.rows) == 6
    assert_allclose(finer.power[-1].value, result.power[-1].value)  # the same, where both have it


def test_an_exact_calibration_has_figures_without_limits():
    result = ta.calibrate("mcnemar", TABLE, differences=[0.05, 0.1])
    page = page_of(result)
    assert ids(page)[:3] == ["result", "figures", "design"]
    evidence = table(page, "figures")
    assert_allclose(column(evidence, "true difference (pp)"), [0, 0.05, 0.1])
    assert texts(evidence, "true difference (pp)") == ["0", "5", "10"]
    assert_allclose(column(evidence, "rejects"), [result.size.value, *result.power.value])
    assert "rejects, low" not in evidence.head
    assert "coverage" not in evidence.head
    assert blocks(page, Verdict)[0].verdict == result.display().verdict


def test_a_simulated_calibration_has_limits_and_its_seed():
    result = ta.calibrate(["mcnemar", "tango", "difference-of-proportions"], TABLE, trials=500, rng=3)
    page = page_of(result)
    tests, intervals = blocks(page, Table, "figures")
    assert (tests.caption, intervals.caption) == ("Tests", "Intervals")
    assert len(tests.rows) == 3 * result[0].differences.size
    assert_allclose(column(tests, "rejects, low")[0], result["mcnemar"].size.low)
    assert_allclose(column(intervals, "coverage, high"), result["tango"].coverage.high)
    assert dict(blocks(page, Facts, "design")[0].rows)["seed"] == "3"
    assert len(blocks(page, Figure, "figures")) == 3


def test_a_rule_that_only_chooses_and_an_estimator_have_columns_of_their_own():
    result = ta.calibrate(["vote", "kfold"], SimulatedLearners(0.2, examples=40, plan="4-fold"), trials=40)
    evidence, estimates = blocks(page_of(result), Table, "figures")
    assert {row[0].text for row in evidence.rows} == {"vote"}
    shares = [
        [row[evidence.head.index(name)].value for name in ("selects A", "selects B", "neither")]
        for row in evidence.rows
    ]
    assert_allclose(np.sum(shares, axis=1), 1)
    assert "rejects" not in evidence.head
    assert {row[0].text for row in estimates.rows} == {"kfold"}
    assert_allclose(column(estimates, "RMSE")[0], result["kfold"].rmse[0])
    assert not blocks(page_of(result), Figure, "figures")


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
    assert page.title == blocks(page, Verdict)[0].verdict
    assert texts(table(page, "groups"), "group") == [a]
    assert blocks(page, Table, "discordant")[1].head[2:4] == (a, b)
    assert b in blocks(page, Verdict)[0].verdict
    message = "\n".join(_all_texts(replace(page, sections=page.sections[:4])))
    assert "&lt;" not in message  # only the page contains markup


def _same(first: Page, second: Page):
    """Whether two pages say the same; how a picture is drawn is a function, which is compared by what it draws."""
    return list(_all_texts(first)) == list(_all_texts(second))


@settings(derandomize=True, deadline=None, max_examples=8)
@given(st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(lambda cells: sum(cells) > 0))
def test_every_table_has_a_page_and_twice_the_same(cells):
    answer = ta.compare(ta.PairedTable(*cells))
    first, second = page_of(answer), page_of(ta.compare(ta.PairedTable(*cells)))
    assert _same(first, second)
    evidence = table(first, "discordant")
    assert column(evidence, "examples") == cells


def test_identical_classifiers_and_no_errors_have_a_page():
    assert page_of(ta.compare(ta.PairedTable(0, 0, 0, 5))).sections
    assert page_of(ta.estimate(ta.ErrorCount(0, 5))).sections
    assert page_of(ta.compare(ta.ErrorPatterns.from_correct({"a": [1, 1], "b": [1, 1], "c": [1, 1]}))).sections


# --- Bad input ------------------------------------------------------------------------------------


def test_arrays_of_answers_are_refused():
    many = ta.compare(ta.PairedTable([5, 9], [20, 6], [4, 5], [71, 80]))
    with pytest.raises(InvalidOption, match=r"`answer` must be one answer, got an array of shape \(2,\)"):
        page_of(many)
    with pytest.raises(InvalidOption, match=r"`groups` must have one Comparison or Estimate for 'x'"):
        page_of(many[0], groups={"x": many})


@pytest.mark.parametrize(
    ("answer", "more", "message"),
    [
        (3, {}, "`answer` must be an Estimate, a Comparison.* got int"),
        ({}, {}, "or an empty one"),
        ({"a": 3}, {}, "a mapping of something else"),
        (None, {"calibration": 3}, "`calibration` must be the result of calibrate, got int"),
        (None, {"provenance": "tellapart"}, "`provenance` must be a Provenance, got str"),
        (None, {"groups": {"a": None}}, "`groups` must have one Comparison or Estimate for 'a'"),
    ],
)
def test_what_no_report_is_made_of_is_refused(answer, more, message):
    with pytest.raises(InvalidOption, match=message):
        page_of(ta.compare(TABLE) if answer is None else answer, **more)


def test_groups_are_of_one_kind():
    mixed = {"a": ta.compare(TABLE), "b": ta.estimate(ta.ErrorCount(3, 20))}
    with pytest.raises(InvalidOption, match="all Comparisons or all Estimates"):
        page_of(ta.compare(TABLE), groups=mixed)
