"""Reports about learners: every plan has a page, and its tables hold what the splits found."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import tellapart as ta
from tellapart.report.blocks import Facts, Figure, Table, Text, Verdict
from tellapart.report.html import render
from tellapart.report.writing import page_of

X, Y = load_iris(return_X_y=True)
TWO = {"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}


class Breaks(DummyClassifier):
    """Cannot be fitted."""

    def fit(self, X, y, sample_weight=None):  # noqa: ARG002, N803
        raise ValueError("no <b>such</b> thing")


def ids(page):
    return [section.id for section in page.sections]


def blocks(page, kind, name):
    section = next(each for each in page.sections if each.id == name)
    return [block for block in section.blocks if isinstance(block, kind)]


def table(page, name):
    return blocks(page, Table, name)[0]


def column(evidence, head):
    index = evidence.head.index(head)
    return [row[index].value for row in evidence.rows]


@pytest.mark.parametrize(
    "plan",
    [
        "5x2",
        "4-fold",
        "2x3",
        "6x(2/3)",
        "loo",
        "632*8",
        "nested 2x3",
        "conservative-z 2x3(0.8)",
        "delve 3x30",
        "holdout",
    ],
)
def test_races_by_every_plan_have_a_page(plan):
    race = ta.race(TWO, X, Y, plan=plan, jobs=1)
    answer = ta.compare(race)
    page = page_of(race)
    assert {"result", "difference", "race", "checks", "sources", "methods", "paper", "reproduce"} <= set(ids(page))
    assert blocks(page, Verdict, "result")[0].scope == dict(answer.display().rows)["scope"]
    assert ("splits" in ids(page)) == (plan != "holdout")
    assert ("discordant" in ids(page)) == (plan == "holdout")  # one split makes classifiers, which meet one test set
    assert "examples" not in ids(page)
    assert_allclose(column(table(page, "difference"), "p")[0], answer.pvalue)


def test_a_page_of_one_learner_is_an_estimate():
    race = ta.race({"nb": GaussianNB()}, X, Y, plan="4-fold", jobs=1)
    page = page_of(race)
    assert page.title.startswith("nb, trained on 112 examples: accuracy 96.0%")
    assert {"interval", "race", "splits"} <= set(ids(page))
    assert_allclose(column(table(page, "interval"), "accuracy"), [1 - ta.estimate(race).estimate])


def test_every_run_is_in_the_table_of_splits():
    race = ta.race(TWO, X, Y, plan="5x2", jobs=1)
    evidence = race.resamples()
    result = table(page_of(race), "runs")
    assert result.head == ("replicate", "fold", "nb", "nn", "nb − nn")
    assert_allclose(column(result, "nb"), evidence.loss[0].ravel())
    assert_allclose(column(result, "nn"), evidence.loss[1].ravel())
    assert_allclose(column(result, "nb − nn"), (evidence.loss[0] - evidence.loss[1]).ravel())
    assert column(result, "replicate") == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    beside = table(page_of(race), "difference")
    assert [row[-1].text for row in beside.rows] == ["5x2cv t", "corrected t"]


def test_disjoint_training_sets_are_listed():
    race = ta.race(TWO, X, Y, plan="delve 3x30", jobs=1)
    page = page_of(race)
    result = table(page, "runs")
    assert result.head == ("training set", "nb", "nn", "nb − nn")
    assert_allclose(column(result, "nn"), race.training_sets().loss[1].mean(axis=-1))
    shares = column(table(page, "components"), "share")
    assert_allclose(sum(shares), 1)


def test_what_was_run_is_reported_with_what_failed():
    race = ta.race({"nb": GaussianNB(), "bad": Breaks(), "nn": KNeighborsClassifier(1)}, X, Y, plan="3-fold", jobs=1)
    page = page_of(ta.compare(race, learners=("nb", "nn")), race=race)
    result, failed = blocks(page, Table, "race")
    assert column(result, "fits") == [3, 0, 3]
    assert column(result, "failed") == [0, 3, 0]
    assert_allclose(column(result, "mean error")[0], race.as_dict()["learners"][0]["error"])
    assert_allclose(column(result, "seconds"), list(race.seconds.values()))
    assert [cell.text for cell in failed.rows[0]][:2] == ["bad", "3"]
    assert "no <b>such</b> thing" in failed.rows[0][2].text


def test_several_splitting_ratios_show_who_is_chosen():
    race = ta.race(TWO, X, Y, plan=["12x(1/2)", "12x(4/5)"], jobs=1)
    page = page_of(race)
    lam = ta.instability(race.resamples("nb", "nn"))
    result = table(page, "ratio")
    assert_allclose(column(result, "trained on"), lam.train)
    assert_allclose(column(result, "nb selected (λ)"), lam.share)
    assert [sum(counts) for counts in zip(*(column(result, head) for head in result.head[2:]), strict=True)] == [12, 12]
    assert len(blocks(page, Figure, "ratio")) == 1
    assert "depends on the training set size" in blocks(page, Text, "ratio")[0].paragraphs[0]


def test_one_ratio_shows_nothing_of_that():
    assert "ratio" not in ids(page_of(ta.race(TWO, X, Y, plan="6x(2/3)", jobs=1)))


def test_a_learning_curve_is_reported_by_size():
    race = ta.race(TWO, X, Y, plan="5-fold", learning_curve=(0.5,), jobs=1)
    result = table(page_of(race), "curve")
    assert_allclose(column(result, "trained on"), [60, 120])
    assert_allclose(column(result, "nb")[1], race.resamples().losses[0])


def test_other_seeds_of_the_splits_are_listed():
    race = ta.race(TWO, X, Y, plan="3-fold", jobs=1)
    answer = ta.compare(race, reseeds=4)
    page = page_of(answer, race=race)
    assert_allclose(column(table(page, "seeds"), "p"), answer.note("reseeded_pvalues"))
    below = int((answer.note("reseeded_pvalues") < 0.05).sum())
    assert f"{below} of them" in blocks(page, Text, "seeds")[0].paragraphs[0]


def test_seeds_have_their_share_of_the_variance():
    race = ta.race(TWO, X, Y, plan="3-fold", seeds=2, jobs=1)
    answer = ta.compare(race)
    page = page_of(race)
    assert column(table(page, "components"), "source") == list(answer.note("variance_components"))
    assert_allclose(column(table(page, "components"), "variance"), list(answer.note("variance_components").values()))


def test_runs_that_differ_in_their_seed_may_be_of_two_numbers():
    evidence = ta.Resamples.from_scores({"a": [0.9, 0.8, 0.85], "b": [0.7, 0.75]}, plan="seeds")
    result = table(page_of(ta.compare(evidence)), "runs")
    assert column(result, "b")[2] is None


def test_several_learners_are_ranked_and_the_best_two_drawn():
    learners = TWO | {"none": DummyClassifier()}
    race = ta.race(learners, X, Y, plan="5x2", jobs=1)
    answer = ta.compare(race)
    page = page_of(race)
    assert page.title == "nb and nn are tied for first of 3 learners"
    board = table(page, "ranking")
    assert board.head == ("learner", "rank", "accuracy", "ties")
    assert_allclose(column(board, "accuracy"), 1 - np.sort(answer.rates))
    assert blocks(page, Text, "splits")[0].paragraphs[0].endswith("nb and nn.")
    assert table(page, "runs").head == ("replicate", "fold", "nb", "nn", "none")
    assert "overall" not in dict(blocks(page, Facts, "result")[0].rows)  # no Cochran's Q of learners


def test_a_race_queried_for_probabilities_brings_their_curves():
    race = ta.race(TWO, X, Y, plan="4-fold", jobs=1)
    result = {section.id: section for section in page_of(ta.compare(race, metric="auc"), race=race).sections}
    assert "several trained models per learner" in result["curves"].blocks[0].paragraphs[1]
    (areas,) = (block for block in result["curves"].blocks if isinstance(block, Table))
    models = {row[1].text for row in areas.rows}
    assert models == set(TWO)


def test_a_race_queried_for_labels_brings_its_confusion_matrices_and_asks_for_the_threshold():
    race = ta.race(TWO, X, Y, plan="2x4-fold", jobs=1)
    result = {section.id: section for section in page_of(ta.compare(race, metric="f1-macro"), race=race).sections}
    assert "curves" not in result
    assert "chosen" in result
    assert "first replicate" in result["confusions"].blocks[0].paragraphs[0]
    (by_label,) = (block for block in result["confusions"].blocks if isinstance(block, Table))
    assert sum(row[1].value for row in by_label.rows) == Y.size  # each example once
    name = next(iter(TWO))
    cells = race.confusion_matrix(name).counts[0]
    assert_allclose([row[2].value for row in by_label.rows], np.diagonal(cells) / cells.sum(axis=1))
    assert "confusions" not in {section.id for section in page_of(ta.compare(race), race=race).sections}


def test_another_metric_is_no_percentage():
    race = ta.race(TWO, X, Y, plan="4-fold", jobs=1)
    answer = ta.compare(race, metric="log_loss")
    result = table(page_of(answer, race=race), "difference")
    assert result.head[0] == "difference"
    assert_allclose(column(result, "difference"), [answer.difference])
    curve = ta.compare(ta.race(TWO | {"none": DummyClassifier()}, X, Y, plan="4-fold", jobs=1), metric="log_loss")
    assert table(page_of(curve), "ranking").head[2] == "log loss"


def test_of_a_metric_that_is_better_when_it_is_higher_all_figures_are_those_of_the_metric():
    scores = {"old": [0.7, 0.8, 0.75, 0.72, 0.69], "new": [0.8, 0.82, 0.7, 0.9, 0.81]}
    evidence = ta.Resamples.from_scores(scores, plan="5-fold", metric="f1", examples=100)
    page = page_of(ta.compare(evidence))
    runs = table(page, "runs")
    assert runs.caption == "F1 of each run"
    assert_allclose(column(runs, "old"), scores["old"])
    assert_allclose(column(runs, "new − old"), np.subtract(scores["new"], scores["old"]))
    picture = blocks(page, Figure, "splits")[0].picture
    assert picture.alt.startswith("Difference of F1, new − old, on 5 folds: from -0.05")
    assert_allclose([row[-1] for row in picture.numbers.rows], np.subtract(scores["new"], scores["old"]))
    assert "f1(new) − f1(old)" in blocks(page, Figure, "posterior")[0].picture.alt
    assert ta.plots.splits(evidence).get_ylabel() == "f1(B) − f1(A)"
    one = page_of(ta.estimate(evidence.select("old")))
    assert "F1 0.732" in one.title
    assert_allclose(column(table(one, "interval"), "F1"), [np.mean(scores["old"])])
    alone = ta.plots.splits(evidence, "old")
    assert alone.get_ylabel() == "F1"
    assert_allclose(alone.lines[2].get_ydata(), scores["old"])
    left, right = ta.plots.estimate(ta.estimate(evidence.select("old"))).get_xlim()
    assert 0 < left < 0.7 < right <= 1
    ranked = page_of(ta.compare(ta.Resamples.from_scores(scores | {"c": [0.5] * 5}, plan="5-fold", metric="f1")))
    assert "B − A" in table(ranked, "pairs").head


def test_many_runs_are_cut_short():
    rng = np.random.default_rng(0)
    evidence = ta.Resamples.from_scores(rng.random(1200), rng.random(1200), plan="120x10")
    result = table(page_of(ta.compare(evidence)), "runs")
    assert len(result.rows) == 1000
    assert result.note.endswith("The first 1,000 of 1,200 lines.")
    many = {f"learner {index}": rng.random(1200) for index in range(12)}
    page = page_of(ta.compare(ta.Resamples.from_scores(many, plan="120x10")))
    assert len(table(page, "runs").rows) == 6000 // 14  # replicate, fold and twelve learners
    assert len(render(page)) < 1_000_000


def test_estimates_of_every_learner_go_together():
    race = ta.race(TWO, X, Y, plan="4-fold", jobs=1)
    answers = {name: ta.estimate(race, learner=name) for name in race.learners}
    page = page_of(answers, race=race)
    assert [row[0].text for row in table(page, "interval").rows] == ["nb", "nn"]
    assert "race" in ids(page)
