"""Reports and pictures of metrics: who was taken for whom, every threshold, what probabilities are worth."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import precision_score, recall_score, roc_auc_score

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.report import plots
from tellapart.report.blocks import Code, Facts, Figure, Table, Text
from tellapart.report.picture import drawn
from tellapart.report.provenance import fingerprint_of
from tellapart.report.writing import page_of

RNG = np.random.default_rng(11)
TRUE = np.where(RNG.random(150) < 0.3, "spam", "ham")
OLD = 1 / (1 + np.exp(-RNG.normal(2.0 * (TRUE == "spam") - 1, 1.0)))
NEW = np.clip(OLD + 0.3 * (TRUE == "spam") - 0.1, 0.01, 0.99)
SCORES = ta.ClassScores.from_scores(TRUE, {"old": OLD, "new": NEW})
SAID = {name: np.where(each > 0.5, "spam", "ham") for name, each in (("old", OLD), ("new", NEW))}
BOTH = ta.PairedConfusion.from_predictions(TRUE, *SAID.values(), models=("old", "new"))
SEVERAL = ta.LabelPatterns.from_predictions(TRUE, SAID | {"never": np.full(150, "ham")})


def sections(page):
    return {section.id: section for section in page.sections}


def blocks(section, kind):
    return [block for block in section.blocks if isinstance(block, kind)]


# --- Pages ---


def test_a_page_on_counts_shows_the_matrices_and_asks_about_the_threshold():
    page = page_of(ta.compare(BOTH, metric="f1", positive="spam"))
    result = sections(page)
    assert list(result)[:4] == ["result", "difference", "confusions", "chosen"]
    assert "150 examples" in result["result"].blocks[0].figures
    (table,) = blocks(result["confusions"], Table)
    assert table.head == ("label", "examples", "recall, old", "precision, old", "recall, new", "precision, new")
    shares = [(recall_score, "old"), (precision_score, "old"), (recall_score, "new"), (precision_score, "new")]
    expected = [rule(TRUE, SAID[name], pos_label="spam") for rule, name in shares]
    assert_allclose([cell.value for cell in table.rows[1][2:]], expected)
    (text,) = blocks(result["chosen"], Text)
    assert "threshold" in text.paragraphs[0]
    assert "new test set" in text.paragraphs[1]
    lines = {block.label: block.text for block in blocks(result["reproduce"], Code)}["Python"]
    names: dict = {}
    exec(lines.replace("print", "answer ="), names)  # noqa: S102  # our own lines
    assert_allclose(names["answer"].pvalue, ta.compare(BOTH, metric="f1", positive="spam").pvalue)


def test_a_page_on_one_metric_is_named_by_it():
    page = page_of(ta.estimate(BOTH.confusion_a, metric="recall", positive="spam"))
    assert page.title.startswith("recall (spam)")
    assert sections(page)["interval"].title == "Recall (spam)"
    (figure,) = blocks(sections(page)["interval"], Figure)
    axes = drawn(figure.picture)
    assert axes.get_xlabel().startswith("recall (spam) (95% CI")
    assert axes.get_xlim()[1] <= 1


def test_what_is_not_defined_has_a_page_and_no_share():
    never = SEVERAL.confusion("never")
    page = page_of(ta.estimate(never, metric="precision", positive="spam"))
    (table,) = blocks(sections(page)["confusions"], Table)
    assert (table.rows[1][3].text, table.rows[0][3].value) == ("", np.mean(TRUE == "ham"))
    result = {name: ta.estimate(SEVERAL.confusion(name), metric="precision") for name in SEVERAL.models}
    several = page_of(result)
    best = max(("old", "new"), key=lambda name: precision_score(TRUE, SAID[name], pos_label="spam"))
    assert several.title == f"{best} has the highest precision (spam) of 3 estimates"
    none = page_of({"a": result["never"], "b": result["never"]})
    assert none.title == "None of 2 estimates is defined"


def test_scores_bring_their_curves_and_what_their_probabilities_are_worth():
    page = page_of(ta.compare(SCORES, metric="brier"), scores=SCORES)
    result = sections(page)
    assert {"examples-spread", "curves", "reliability", "chosen"} <= set(result)
    (areas,) = blocks(result["curves"], Table)
    assert_allclose([row[2].value for row in areas.rows], [roc_auc_score(TRUE == "spam", each) for each in (OLD, NEW)])
    (facts,) = blocks(result["reliability"], Facts)
    assert facts.rows[0] == ("data", "150 examples, probabilities of spam")
    assert "need no threshold" in blocks(result["chosen"], Text)[0].paragraphs[0]
    prints = {row[0].text for row in blocks(result["reproduce"], Table)[-1].rows}
    assert {"scores", "scores by class"} <= prints
    with pytest.raises(InvalidOption, match="`scores` must be one ClassScores, got list"):
        page_of(ta.compare(SCORES, metric="brier"), scores=[0.1])


def test_an_answer_about_an_area_has_its_scores():
    result = sections(page_of(ta.compare(SCORES)))
    assert list(result)[:5] == ["result", "difference", "curves", "reliability", "chosen"]
    ranks = ta.ClassScores.from_scores(TRUE, {"old": 10 * OLD, "new": 10 * NEW})
    assert "reliability" not in sections(page_of(ta.compare(ranks)))  # which are no probabilities


def test_of_many_classes_the_most_frequent_are_drawn():
    labels = np.repeat(np.arange(6), [5, 40, 30, 20, 10, 15])
    chances = RNG.dirichlet(np.ones(6), labels.size)
    evidence = ta.ClassScores.from_scores(labels, {"old": chances, "new": chances[::-1]})
    result = sections(page_of(ta.compare(evidence, metric="log-loss"), scores=evidence))
    (areas,) = blocks(result["curves"], Table)
    assert [row[0].text for row in areas.rows[::2]] == ["1", "2", "3"]
    assert len(blocks(result["curves"], Figure)) == 6
    assert "the 3 most frequent of 6 classes" in blocks(result["curves"], Text)[1].paragraphs[0]
    lacking = ta.ClassScores.from_scores([0, 0], [0.2, 0.3], classes=[0, 1])
    alone = sections(page_of(ta.estimate(lacking, metric="brier"), scores=lacking))
    assert "curves" not in alone
    assert "reliability" in alone


def test_several_models_are_ranked_beside_their_matrices():
    page = page_of(ta.compare(SEVERAL, metric="recall", positive="spam"))
    picture = blocks(sections(page)["confusions"], Figure)[0].picture
    assert {row[0] for row in picture.numbers.rows} == {"old", "new", "never"}
    assert page.title == sections(page)["result"].blocks[0].verdict


def test_other_scores_have_another_fingerprint():
    turned = ta.ClassScores.from_scores(TRUE, {"old": OLD[::-1], "new": NEW})
    assert fingerprint_of(turned) != fingerprint_of(SCORES)


# --- Pictures ---


def test_curves_lie_in_their_bands_and_have_their_numbers():
    for picture in (plots.roc_picture(SCORES), plots.precision_recall_picture(SCORES)):
        rows = picture.numbers.rows
        assert {row[0] for row in rows} == {"old", "new"}
        assert all(low <= value <= high and low < high for *_, value, low, high in rows)
        assert [row[1] for row in rows].count(None) == 2  # nothing is positive above all scores
    axes = plots.roc(SCORES)
    assert [round(line.get_ydata()[-1], 6) for line in axes.lines if line.get_linewidth() == 1.7][::2] == [1, 1]
    assert any(text.get_text().startswith("AUC ") for text in axes.texts)
    result = ta.rank_curves(SCORES)
    assert plots.roc_picture(result).numbers == plots.roc_picture(SCORES).numbers


def test_of_very_many_models_the_best_are_drawn():
    evidence = ta.ClassScores.from_scores(TRUE, {f"m{index}": OLD + index * RNG.random(150) for index in range(11)})
    picture = plots.roc_picture(evidence)
    assert len({row[0] for row in picture.numbers.rows}) == 8
    assert "The best 8 of 11 models are drawn." in picture.alt
    assert not drawn(picture).collections  # bands would cover each other


def test_reliability_is_drawn_close_up_where_probabilities_are_small():
    rare = ta.ClassScores.from_scores(np.arange(400) % 40 == 0, np.linspace(0.001, 0.05, 400))
    low, high = plots.reliability(rare).get_xlim()
    assert low == 0
    assert 0.05 < high < 0.4
    picture = plots.reliability_picture(rare, bins=4)
    assert [row[1] for row in picture.numbers.rows] == [100] * 4


def test_confusions_hold_every_example_and_pool_what_cannot_be_read():
    picture = plots.confusions_picture(BOTH)
    assert sum(row[3] for row in picture.numbers.rows) == 300
    wrong = int(BOTH.confusion_a.error_count.errors)
    assert f"old: {wrong} of 150 wrong" in picture.alt
    assert {"ham", "spam"} <= {text.get_text() for text in drawn(picture).texts}
    labels = np.arange(40)
    many = ta.ConfusionMatrix(np.diag(np.full(40, 5)) + np.diag(np.arange(39), k=1), [f"l{index}" for index in labels])
    rows = plots.confusions_picture(many).numbers.rows
    assert sum(row[3] for row in rows) == many.counts.sum()
    assert len({row[1] for row in rows}) == 30
    assert rows[-1][:3] == ("", "11 others", "11 others")
    big = plots.confusions(ta.ConfusionMatrix([[10**9, 12345], [7, 10**6]]))
    assert {"1G", "12.3k", "7", "1M"} <= {text.get_text() for text in big.texts}


def test_what_cannot_be_drawn_is_reported():
    with pytest.raises(InvalidOption, match="of the same labels"):
        plots.confusions({"a": BOTH.confusion_a, "b": ta.ConfusionMatrix([[1, 2], [3, 4]])})
    with pytest.raises(InvalidOption, match="got PairedTable"):
        plots.confusions(BOTH.paired_table())
    with pytest.raises(InvalidOption, match="got an array of them"):
        plots.confusions(ta.ConfusionMatrix([[[1, 2], [3, 4]]] * 2))


def test_a_ratio_is_drawn_about_one_and_a_balance_in_points():
    ratio = ta.compare(BOTH, metric="precision", positive="spam", interval="relative-predictive-value")
    picture = plots.difference_picture(ratio)
    a, b = (precision_score(TRUE, each, pos_label="spam") for each in SAID.values())
    assert_allclose(picture.numbers.rows[0][2], b / a)
    axes = drawn(picture)
    assert axes.get_xscale() == "log"
    assert axes.get_xlabel().startswith("precision(new) / precision(old)")
    balance = ta.estimate(BOTH.confusion_a, metric="label-balance", positive="spam")
    assert plots.estimate(balance).get_xlabel().startswith("label balance (spam) in pp")
