"""The picture and the page of stopping rules show the figures of the result."""

import pytest

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.lab import OneRate, PairedOutcomes, peeking
from tellapart.report import page_of
from tellapart.report.html import render

RULES = ["mcnemar-mid-p", "obrien-fleming", "one look"]


@pytest.fixture(scope="module")
def exact():
    return peeking(PairedOutcomes(0.2, 0.2, 0.2, 100), looks=5, rules=RULES, differences=[0.1])


@pytest.fixture(scope="module")
def simulated():
    return peeking(OneRate(0.2, 120), looks=120, rules=["wilson"], differences=[], trials=200)


def test_lines_begin_at_nothing_and_end_at_the_false_alarms(exact):
    axes = ta.plots.peeking(exact)
    lines = [line for line in axes.lines if len(line.get_xdata()) == 6]
    assert len(lines) == 3
    for line, each in zip(lines, exact, strict=True):
        assert line.get_xdata().tolist() == [0, 20, 40, 60, 80, 100]
        assert line.get_ydata()[0] == 0
        assert line.get_ydata()[1:].tolist() == each.by_look.value[0].tolist()
        assert line.get_drawstyle() == "steps-post"
    assert [text.get_text() for text in axes.texts] == RULES
    assert axes.get_ylabel() == "type I error rate so far (dotted: 0.05)"
    assert axes.get_ylim()[1] > max(each.type_i_error.value for each in exact)


def test_alpha_is_marked_where_no_test_comes_near_it():
    result = peeking(PairedOutcomes(0.2, 0.2, 0.0, 100), looks=5, rules=["mcnemar"], differences=[])
    axes = ta.plots.peeking(result)
    assert axes.get_ylim()[1] > 0.05
    assert any(set(line.get_ydata()) == {0.05} for line in axes.lines)


def test_what_was_simulated_has_a_band_and_many_looks_are_a_line(simulated):
    axes = ta.plots.peeking(simulated)
    assert len(axes.collections) == 1
    assert axes.lines[-1].get_drawstyle() == "default"


def test_the_picture_tells_its_numbers_and_its_words(exact):
    picture = ta.plots.peeking_picture(exact)
    assert picture.numbers.head == ("rule", "examples", "type I error rate", "low", "high")
    assert len(picture.numbers.rows) == 15
    rule, examples, value, low, high = picture.numbers.rows[4]
    assert (rule, examples, value) == ("mcnemar-mid-p", 100, exact[0].type_i_error.value)
    assert low == high == value
    assert "nominal 0.05" in picture.alt
    assert "one look: " in picture.alt


def test_the_axes_may_be_somebody_elses(exact):
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    assert ta.plots.peeking(exact, ax=axes) is axes


def test_only_what_the_lab_found_is_drawn():
    with pytest.raises(InvalidOption, match=r"`result` must be the result of lab\.peeking, got str"):
        ta.plots.peeking("found")


def test_the_page_has_words_picture_table_and_the_way_back(exact):
    page = page_of(exact)
    assert [section.id for section in page.sections] == ["result", "figures", "design", "methods", "reproduce"]
    assert page.title == page.sections[0].blocks[0].verdict == exact.display().verdict
    table, evidence = page.sections[1].blocks[1:]
    assert table.head == ("rule", "true difference (pp)", "rejects", "wrong sign", "mean n")
    assert evidence.head == ("rule", "true difference (pp)", "coverage")
    assert len(table.rows) == 6
    assert table.rows[0][2].value == exact[0].type_i_error.value
    assert table.rows[1][3].value == exact[0].wrong.value[0]
    assert table.rows[1][4].value == exact[0].examples[1]
    first = next(each for each in exact if each.coverage is not None)
    assert evidence.rows[1][2].value == first.coverage.value[1]
    assert "<svg" in render(page)


def test_a_page_of_trials_has_limits_and_no_empty_column(simulated):
    table, evidence = page_of(simulated).sections[1].blocks[1:]
    assert table.head == (*("rule", "true error rate (%)", "rejects", "rejects, low", "rejects, high", "mean n"),)
    assert evidence.head == ("rule", "true error rate (%)", "coverage", "coverage, low", "coverage, high")
    assert "Clopper-Pearson" in table.note


def test_one_classifier_is_reported_by_its_true_error_rate():
    result = peeking(OneRate(0.1, 40), looks=2, rules=["one look"], differences=[0.05])
    table = page_of(result).sections[1].blocks[1]
    assert table.head[1] == "true error rate (%)"
    assert [row[1].text for row in table.rows] == ["10", "15"]


def test_limits_are_named_below_the_picture(exact, simulated):
    assert ta.plots.peeking(exact).get_xlabel() == "examples\nexact"
    text = ta.plots.peeking(simulated).get_xlabel()
    assert text == f"examples\nshaded: 95% CI of the simulation, {simulated.simulated:,} trials"
