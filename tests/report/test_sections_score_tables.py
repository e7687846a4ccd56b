"""Reports about learners over many data sets: scores, ranks, pairs, and what "over these data sets" means."""

import numpy as np
import pytest

import tellapart as ta
from tellapart.report import page_of
from tellapart.report.blocks import Figure, Table
from tellapart.report.html import render

SCORES = {
    "old": [0.81, 0.70, 0.92, 0.60, 0.55, 0.77, 0.83, 0.90],
    "new": [0.85, 0.70, 0.93, 0.70, 0.60, 0.80, 0.86, 0.89],
    "odd": [0.60, None, 0.90, 0.50, 0.70, 0.70, 0.71, 0.73],
}
DATASETS = ["iris", "wine", "glass", "yeast", "ecoli", "vote", "heart", "zoo"]


def make_scores(*learners):
    scores = {name: SCORES[name] for name in learners or SCORES}
    return ta.ScoreTable.from_scores(scores, datasets=DATASETS, metric="accuracy")


@pytest.fixture(scope="module")
def several():
    return page_of(ta.compare(make_scores()))


def section(page, name):
    return next(each for each in page.sections if each.id == name)


def table(page, caption):
    tables = [block for each in page.sections for block in each.blocks if isinstance(block, Table)]
    return next(each for each in tables if each.caption == caption)


def rows(result):
    return [[cell.text for cell in row] for row in result.rows]


def pictures(page):
    return [block.picture.title for each in page.sections for block in each.blocks if isinstance(block, Figure)]


def test_two_learners_have_their_difference_on_every_data_set():
    answer = ta.compare(make_scores("old", "new"))
    page = page_of(answer)
    assert page.title == "new has a higher accuracy than old"
    ids = ["result", "difference", "datasets", "scores", "checks", "sources", "population", "methods", "paper"]
    assert [each.id for each in page.sections if not each.id.startswith("card-")] == [*ids, "reproduce"]
    assert page.sections[0].blocks[0].tiles[2].value == "8 data sets"
    assert answer.better == "B"
    assert pictures(page)[:2] == ["Difference", "Difference by data set"]
    wins = table(page, "Wins and effect sizes")
    assert wins.head[:3] == ("old wins", "ties", "new wins")
    assert rows(wins)[0][:3] == ["1", "1", "6"]  # zoo, wine, and the rest
    assert rows(wins)[0][3] == "0.812"  # (6 + 1/2) / 8


def test_a_rope_adds_the_triangle_and_a_named_difference_how_many_data_sets():
    page = page_of(ta.compare(make_scores("old", "new"), rope=0.02, resamples=500, difference=0.02))
    assert section(page, "triangle").blocks[0].picture.numbers.rows[1][0] == "practically equal"
    assert rows(table(page, "Wins and effect sizes"))[0][:3] == ["0", "3", "5"]
    message = section(page, "outlook").blocks[0].paragraphs[0]
    assert message.startswith("Power 26% at a typical difference of 0.02 with 8 data sets")
    assert "specified difference" in message


def test_scores_have_their_best_in_bold_and_what_is_missing_is_marked_and_reported(several):
    result = table(several, "Scores")
    assert result.head == ("data set", "old", "new", "odd")
    lines = {row[0].text: row[1:] for row in result.rows}
    assert [cell.text for cell in lines["wine"]] == ["0.70", "0.70", "missing"]
    assert [cell.strong for cell in lines["wine"]] == [True, True, False]  # a tie has two of the best
    assert [cell.strong for cell in lines["ecoli"]] == [False, False, True]
    assert result.numeric == {1, 2, 3}
    assert "no score of odd on wine" in result.note
    html = render(several)
    assert "<strong>0.93</strong>" in html
    assert ">missing</td>" in html


def test_learners_stand_by_their_mean_rank_with_how_often_each_is_best(several):
    result = table(several, "Learners")
    assert result.head == ("learner", "mean rank", "mean accuracy", "best on", "ties")
    assert [row[0] for row in rows(result)] == ["new", "old", "odd"]
    assert [row[3] for row in rows(result)] == ["6", "2", "1"]
    # Without wine, which has no score of odd: the means of the other seven.
    means = {name: np.mean([score for score, name_of in zip(SCORES[name], DATASETS, strict=True) if name_of != "wine"])
             for name in SCORES}  # fmt: skip
    assert [float(row[2]) for row in rows(result)] == pytest.approx([means[row[0]] for row in rows(result)], abs=5e-5)
    assert "over the 7 data sets with scores of all" in result.note


def test_every_pair_has_its_wins_effect_and_pvalues(several):
    answer = ta.compare(make_scores())
    result = table(several, "Pairs in numbers")
    index = {head: position for position, head in enumerate(result.head)}
    line = next(row for row in result.rows if (row[0].text, row[1].text) == ("old", "new"))
    assert line[index["W/T/L of A"]].text == "1/1/6"
    assert line[index["adjusted p"]].value == pytest.approx(float(answer.adjusted[0]))
    assert line[index["rank-biserial"]].value == pytest.approx(float(answer.note("effect_sizes").rank_biserial[0]))
    titles = ["Mean ranks with ties", "Pairwise comparison matrix", "Posterior probabilities of pairs"]
    assert pictures(several)[:3] == titles
    assert "depend on which other learners were compared" in section(several, "pairs").blocks[0].paragraphs[1]


def test_a_control_is_named_and_those_significantly_different_from_it():
    complete = make_scores().completed()
    page = page_of(ta.compare(complete, control="old"))
    assert page.title.startswith("No significant difference between old (control)")
    result = table(page, "Learners")
    assert result.head[-1] == "different from old"
    assert {row[0]: row[-1] for row in rows(result)}["old"] == "control"
    assert len(table(page, "Pairs in numbers").rows) == 2


@pytest.mark.parametrize("method", ["nemenyi", "friedman"])
def test_mean_rank_methods_say_that_the_others_matter(method):
    page = page_of(ta.compare(make_scores().completed(), method=method))
    assert "depends on the other learners in the table" in section(page, "pairs").blocks[0].paragraphs[1]
    tests = [row[0] for row in rows(table(page, "Overall tests"))]
    assert len(tests) >= 2


def test_it_is_stated_what_over_these_data_sets_means(several):
    text = dict(section(several, "population").blocks[0].rows)
    assert "each of the 8 data sets counts once" in text["weights"]
    assert "the next data set of this kind" in text["applies to"]
    limits = section(several, "sources").blocks[-1]
    assert [row[2] for row in rows(limits)][-2:] == ["yes", "no"]


def test_errors_are_reported_in_percent_and_runs_by_their_mean():
    rng = np.random.default_rng(0)
    errors = np.clip(0.2 + 0.05 * rng.standard_normal((6, 2, 3)), 0, 1)
    page = page_of(ta.compare(ta.ScoreTable.from_scores(errors, ["a", "b"], metric="error", rho=0.1)))
    result = table(page, "Scores")
    assert result.rows[0][1].value == pytest.approx(100 * errors[0, 0].mean())
    assert result.note.startswith("Error rate (%), lower is better; the best of each data set is bold; means over runs")


def test_learners_without_a_data_set_in_common_get_a_page_that_says_so():
    table_of_two = ta.ScoreTable.from_scores({"a": [0.5, None], "b": [None, 0.6]})
    page = page_of(ta.compare(table_of_two))
    assert "Difference by data set" not in pictures(page)
    assert [row[1:] for row in rows(table(page, "Scores"))] == [["0.5", "missing"], ["missing", "0.6"]]


def test_the_same_answer_gives_the_same_page(several):
    assert render(several) == render(page_of(ta.compare(make_scores())))
