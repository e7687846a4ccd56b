"""Every function of `ta.plots` draws what it is for, and refuses everything else in one sentence."""

import inspect
from functools import cache

import numpy as np
import pytest

import tellapart as ta
from tellapart import lab
from tellapart.errors import InvalidInput
from tellapart.report import plots

pytest.importorskip("matplotlib")

# Functions of one result; `save` and `statistic_qq` take something else.
DRAWN = [name for name in plots.__all__ if name.endswith(("_picture", "_numbers")) or name == "calibration"]
DRAWN = [name for name in DRAWN if not name.startswith("statistic_qq")]


@cache
def results():
    """Return a small result, or piece of evidence, of every type there is, and what people hand in by mistake."""
    rng = np.random.default_rng(0)
    table = ta.PairedTable(20, 25, 10, 45)
    patterns = ta.ErrorPatterns.from_correct(
        {name: rng.random(100) > rate for name, rate in (("a", 0.1), ("b", 0.2), ("c", 0.4))}
    )
    sets = [f"set {index}" for index in range(12)]
    scores = ta.ScoreTable.from_scores(rng.random((12, 3)), ["a", "b", "c"], sets, metric="accuracy")
    resamples = ta.Resamples.from_scores({name: 0.8 + 0.1 * rng.random((10, 10)) for name in "ab"}, plan="10x10")
    by_class = ta.ClassScores.from_scores(rng.random(60) < 0.5, {name: rng.random(60) for name in "ab"})
    graded = ta.Outcomes.from_scores(rng.random(60), rng.random(60), metric="rouge", groups=np.arange(60) % 3)
    labels = ta.PairedConfusion.from_predictions(*(rng.integers(0, 2, 60) for _ in range(3)))
    estimate, comparison = ta.estimate(ta.ErrorCount(3, 120)), ta.compare(table)
    calibrated, covered = ta.calibrate("tango", table), ta.exact_coverage("wald", 20, points=50)
    looked = lab.peeking(lab.PairedOutcomes(0.1, 0.1, 0.1, 60), looks=2, rules=["mcnemar-mid-p"], differences=[0.05])
    known = [
        *(estimate, comparison, calibrated, covered, looked, table, patterns, scores, resamples, by_class, graded),
        *(labels, comparison.interval, comparison.checks[0], estimate.interval, ta.breakdown(graded)),
        ta.estimate(ta.ErrorCount([3, 4], 120)),
        ta.compare(ta.PairedTable([20, 21], 25, 10, 45)),
        ta.compare(ta.ErrorCount(3, 120), against=0.1),
        ta.compare(patterns),
        ta.compare(scores),
        ta.compare(scores, learners=("a", "b")),
        ta.compare(resamples),
        ta.compare(by_class),
        ta.calibrate(["mcnemar", "tango"], table),
        ta.calibrate("wald", lab.OneRate(np.array([0.1, 0.2]), 50)),
        ta.plan(difference=0.15, disagreement=0.25, method="mcnemar"),
        ta.plan(width=0.1, error=0.2),
        ta.Watch.rate().add(ta.ErrorCount(1, 20)),
        ta.ErrorCount(3, 120),
        ta.IndependentCounts.from_counts(30, 100, 20, 100),
        ta.StratifiedCount([1, 2], [20, 30], [0.5, 0.5]),
        ta.find_methods(name="wilson")[0],
    ]
    mistakes = [None, 3, "wald", np.arange(4.0), object(), int, [], {}, {"a": 3}, [estimate], [covered, calibrated]]
    mixed = [{"a": estimate, "b": comparison}, {"a": estimate}, {"a": comparison}, [covered], [calibrated]]
    return [*known, *mistakes, *mixed]


@pytest.mark.parametrize("name", DRAWN)
def test_what_cannot_be_drawn_is_refused_by_name_and_type_with_who_draws_it(name):
    draw = getattr(plots, name)
    argument = next(iter(inspect.signature(draw).parameters))
    accepted = 0
    for settings in results():
        try:
            draw(settings)
        except InvalidInput as refused:
            text = str(refused)
            assert text.endswith("."), text
            if "must be" in text:
                assert text.startswith(f"`{argument}` must be "), text
                assert "is drawn by ta.plots." in text or "help(ta.plots)" in text or "select(a, b)" in text, text
        else:
            accepted += 1
    assert accepted or name == "instability_picture"  # whose result comes from races


@pytest.mark.parametrize(
    ("draw", "settings", "text"),
    [
        (plots.power, lambda: ta.exact_coverage("wald", 20, points=9), "got Coverage. A Coverage is drawn by"),
        (plots.difference, lambda: ta.estimate(ta.ErrorCount(3, 120)), "got Estimate. An Estimate is drawn by"),
        (plots.coverage, lambda: 3, "got int. For what each function draws see help"),
        (
            plots.estimates,
            lambda: [ta.estimate(ta.ErrorCount(3, 120))],
            "got list of Estimate. For what each function draws see help",
        ),
        (plots.estimate, lambda: ta.estimate(ta.ErrorCount([3, 4], 120)), "of shape (2,). Take one"),
        (plots.roc, lambda: ta.PairedTable(20, 25, 10, 45), "ta.plots.paired_table and ta.plots.posterior"),
    ],
)
def test_the_sentence_says_what_was_given_and_who_draws_it(draw, settings, text):
    with pytest.raises(InvalidInput) as refused:
        draw(settings())
    assert text in str(refused.value)


def test_every_function_that_a_sentence_names_exists():
    from tellapart.report.plots.drawable_types import _DRAWN_BY

    named = {name.partition(",")[0] for names in _DRAWN_BY.values() for name in names}
    assert named <= set(plots.__all__)
