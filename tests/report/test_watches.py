"""The picture and the page of a watch: they show its looks, and where it was decided."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.report import page_of
from tellapart.report.html import render

NAMES = ("old", "<new>")
LATE = [(0, 10, 5, 485), (0, 9, 6, 485), (0, 90, 0, 10)]


def watched(tables, **options):
    watch = ta.Watch.pair(models=NAMES, **options)
    for index, four in enumerate(tables, 1):
        watch = watch.add(ta.PairedTable(*four, models=NAMES), source=f"day {index}", fingerprint=f"{index:064d}")
    return watch


@pytest.fixture(scope="module")
def decided():
    return watched([(3, 9, 2, 286), (2, 14, 3, 281), (2, 8, 7, 283)])


def test_the_picture_has_every_look_its_limits_and_the_decision(decided):
    axes = ta.plots.watch(decided)
    points = [line for line in axes.lines if line.get_marker() == "o"]
    assert points[0].get_xdata().tolist() == [300, 600, 900]
    assert_allclose(points[0].get_ydata(), [100 * look.estimate for look in decided.looks])
    bars = next(each for each in axes.collections if len(each.get_paths()) == 3)
    ends = np.array([path.vertices[:, 1] for path in bars.get_paths()])
    assert_allclose(ends, [[100 * look.low, 100 * look.high] for look in decided.looks])
    assert points[1].get_xdata() == [600]  # the look that decided
    description = {text.get_text() for text in axes.texts}
    assert description == {"decided at look 2", "↑ <new> is better", "↓ old is better"}
    assert axes.get_ylabel() == "error(old) − error(<new>), in pp"


def test_its_numbers_are_those_of_the_looks_and_what_they_have_in_common(decided):
    picture = ta.plots.watch_picture(decided)
    assert [row[:5] for row in picture.numbers.rows] == [
        (index, look.examples, look.estimate, look.low, look.high) for index, look in enumerate(decided.looks, 1)
    ]
    assert picture.numbers.rows[-1][5:7] == (decided.intersection.low, decided.intersection.high)
    assert decided.words in picture.alt


def test_looks_after_the_plan_are_not_drawn_and_its_end_is():
    axes = ta.plots.watch(watched(LATE, rule="pocock", total=1000))
    assert next(line for line in axes.lines if line.get_marker() == "o").get_xdata().tolist() == [500, 1000]
    assert any(list(line.get_xdata()) == [1000, 1000] for line in axes.lines)
    assert "dotted: 1,000 planned" in axes.get_xlabel()


def test_where_nothing_is_left_in_common_nothing_is_drawn_of_it():
    broken = watched([(0, 40, 0, 60), (0, 0, 400, 100)])
    assert np.isnan(ta.plots.watch_picture(broken).numbers.rows[1][5:7]).all()
    assert page_of(broken).sections[0].blocks[0].cautions


def test_many_looks_are_a_band_and_early_ones_may_run_beyond_the_axis():
    watch = ta.Watch.rate(against=0.05)
    for _ in range(60):
        watch = watch.add(ta.ErrorCount(1, 20))
    axes = ta.plots.watch(watch)
    assert len(axes.collections) == 1
    assert axes.get_ylim()[1] < 100 * watch.looks[0].high
    assert {text.get_text() for text in axes.texts} == {"↑ above the threshold", "↓ below the threshold"}


@pytest.mark.parametrize(
    ("watch", "title", "label"),
    [
        (ta.Watch.rate().add(ta.ErrorCount(0, 1)), "Error by look", "error rate, in %"),
        (ta.Watch.mean().add([0.0]), "Mean by look", "mean score"),
        (ta.Watch.paired_scores().add([0.1]), "Difference by look", "score(B) − score(A)"),
    ],
)
def test_one_look_of_every_kind(watch, title, label):
    axes = ta.plots.watch(watch)
    assert (axes.get_title(loc="left"), axes.get_ylabel()) == (title, label)
    assert "<svg" in render(page_of(watch))


def test_what_cannot_be_drawn_is_reported():
    with pytest.raises(InvalidOption, match="`watched` must be a Watch, got str"):
        ta.plots.watch("state.json")
    with pytest.raises(InvalidOption, match="must have at least one look"):
        ta.plots.watch(ta.Watch.pair())


def test_the_page_says_where_things_stand_and_shows_every_look(decided):
    page = page_of(decided)
    assert page.title == decided.display().verdict
    assert [section.id for section in page.sections if not section.id.startswith("card-")] == [
        *("result", "looks", "methods", "reproduce"),
    ]
    verdict = page.sections[0].blocks[0]
    assert verdict.badge == "Significant difference"
    assert verdict.verdict.startswith("<new> has a lower error rate than old (decided at look 2)")
    table = page.sections[1].blocks[2]
    assert [row[0].value for row in table.rows] == [1, 2, 3]
    assert [row[-2].text for row in table.rows] == ["", "<new>", ""]
    assert {0, 1, 2, 3, 4, 5} == table.numeric
    text = render(page)
    assert "&lt;new&gt;" in text
    assert "<new>" not in text
    assert "look 3: day 3" in text
    assert "Robbins, H." in text


def test_a_page_of_one_model_before_the_first_look():
    page = page_of(ta.Watch.rate())
    assert page.title == "No examples yet"
    assert page.sections[0].blocks[0].badge == ""
    assert "looks" not in [section.id for section in page.sections]


def test_a_page_of_a_plan_says_that_it_must_be_kept():
    planned = page_of(watched([*LATE[:2], (0, 1, 0, 0)], rule="obrien-fleming", total=1000))
    assert "if the planned looks are kept" in planned.sections[1].blocks[1].paragraphs[0]
    early = page_of(watched([(0, 1, 0, 0)], rule="obrien-fleming", total=10_000)).sections[1].blocks[2]
    assert early.rows[0][4].text == ""  # no boundary yet
    large = page_of(watched([(10**8, 2 * 10**8, 10**8, 6 * 10**8)])).sections[1].blocks[2]
    assert large.rows[0][3].text == "above 1e+300"
    assert large.rows[0][3].value > 1e300
