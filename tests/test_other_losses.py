"""Log loss and squared error, of one classifier and of two: t intervals of means, against SciPy and statsmodels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from statsmodels.stats.weightstats import DescrStatsW

import tellapart as ta
from tellapart.metrics import canonical_name

X, Y = load_breast_cancer(return_X_y=True)
TRAIN, TEST = np.arange(0, 569, 2), np.arange(1, 569, 2)
LEARNERS = {"bayes": GaussianNB(var_smoothing=0.1), "logistic": make_pipeline(StandardScaler(), LogisticRegression())}
EACH = {  # what one example costs, by the chance of its label and by that of class 1
    "log-loss": lambda chance: -np.log(np.where(Y[TEST] == 1, chance, 1 - chance)),
    "brier": lambda chance: (chance - Y[TEST]) ** 2,
}


@pytest.fixture(scope="module")
def chances():
    return {name: model.fit(X[TRAIN], Y[TRAIN]).predict_proba(X[TEST])[:, 1] for name, model in LEARNERS.items()}


@pytest.mark.parametrize("metric", EACH)
@pytest.mark.parametrize("level", [0.95, 0.99])
def test_the_mean_loss_of_one_classifier_has_students_interval(chances, metric, level):
    """Question 1 of another loss: a normal or t interval of the mean (Dietterich 1998, section 2)."""
    losses = EACH[metric](chances["logistic"])
    answer = ta.estimate(ta.ClassScores.from_scores(Y[TEST], chances["logistic"]), metric=metric, level=level)
    limits = answer.interval
    assert answer.method == "mean-t"
    assert_allclose(answer.estimate, losses.mean())
    assert_allclose([limits.low, limits.high], DescrStatsW(losses).tconfint_mean(1 - level), rtol=1e-9)


@pytest.mark.parametrize("metric", EACH)
def test_the_mean_difference_of_two_classifiers_has_the_paired_t_test(chances, metric):
    """Question 3 of another loss."""
    a, b = (EACH[metric](each) for each in chances.values())
    answer = ta.compare(ta.ClassScores.from_scores(Y[TEST], chances), metric=metric)
    expected = stats.ttest_rel(a, b)
    assert answer.method == "mean-t"
    assert_allclose(answer.difference, np.mean(a - b))
    assert_allclose(answer.pvalue, expected.pvalue, rtol=1e-9)
    limits = expected.confidence_interval(0.95)
    assert_allclose([answer.interval.low, answer.interval.high], [limits.low, limits.high], rtol=1e-9)
    assert (answer.evidence.metric.name, answer.better) == (
        canonical_name(metric),
        "B" if expected.pvalue < 0.05 else None,
    )


def test_a_race_of_one_split_asks_the_same_of_its_test_set(chances):
    race = ta.race(LEARNERS, X, Y, plan=[(TRAIN, TEST)], jobs=1, progress=False)
    answer = ta.compare(race, metric="log_loss")
    expected = ta.compare(ta.ClassScores.from_scores(Y[TEST], chances), metric="log-loss")
    assert_allclose([answer.pvalue, answer.difference], [expected.pvalue, expected.difference])
    one = ta.estimate(race, learner="logistic", metric="brier")
    limits = DescrStatsW(EACH["brier"](chances["logistic"])).tconfint_mean()
    assert one.method == "holdout"
    assert_allclose([one.interval.low, one.interval.high], limits, rtol=1e-9)
