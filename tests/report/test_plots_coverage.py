"""Coverage and power over the truth: the axis says what is true of the design, and limits are those of the trials."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import tellapart as ta
from tellapart import lab
from tellapart.errors import InvalidOption
from tellapart.report import plots
from tellapart.report.plots.truths import truth_axis
from tellapart.report.writing import page_of

COUNT = ta.ErrorCount(5, 50)
TABLE = ta.PairedTable(10, 25, 10, 255)
RNG = np.random.default_rng(0)
SCORES = ta.ScoreTable.from_scores(
    RNG.random((8, 2)), ["a", "b"], [f"set {index}" for index in range(8)], metric="accuracy"
)
POINTS = "true difference, error(A) − error(B), in pp"

# By hand: what is varied in each design, in the words of its own documentation.
AXES = [
    (lab.OneRate(0.1, 50), "wald", "true error rate, in %"),
    (lab.Pool(20, 100, 10), "hypergeometric", "true error rate, in %"),
    (lab.Strata((0.1, 0.2), (0.5, 0.5), (20, 20)), "stratified-wilson", "true error rate, in %"),
    (lab.PairedOutcomes(0.1, 0.1, 0.1, 50), "wald-paired", POINTS),
    (lab.TwoRates(0.1, 0.1, 50, 50), "wald-independent", POINTS),
    (lab.SimulatedLearners(0.2, examples=40, plan="4-fold"), "corrected-t-interval", POINTS),
    (
        lab.SeveralModels(0.2, 3, 50),
        "cochran-q",
        "true difference, error of the others − error of the last model, in pp",
    ),
    (lab.NormalEffects("10-fold"), "kfold-t", "true difference, loss(A) − loss(B)"),
    (lab.CrossedErrors(0.2, 3, 20), "two-way-bootstrap", POINTS),
    (lab.BinormalScores(30, 30, 0.8), "delong-paired", "true difference, AUC(B) − AUC(A)"),
    (lab.BinormalScores(30, 30, 0.8, models=1), "delong", "true AUC"),
    (lab.ManyDataSets(10), "paired-t", "true difference, loss(A) − loss(B)"),
    (SCORES, "paired-t", "true difference, accuracy(B) − accuracy(A)"),
    (ta.Outcomes.from_scores(*RNG.random((2, 30)), metric="rouge"), "mean-t", "true difference, rouge(B) − rouge(A)"),
    (ta.Outcomes.from_scores(RNG.random(30), metric="rouge"), "mean-t", "true mean rouge"),
]


@pytest.mark.parametrize(("design", "method", "label"), AXES, ids=[label for _, _, label in AXES])
def test_the_axis_is_named_for_what_is_true_of_the_design(design, method, label):
    result = ta.calibrate(method, design, trials=10)
    draw = plots.power if result.coverage is None else plots.coverage
    assert draw(result).get_xlabel().partition("\n")[0] == label
    table = next(block for block in page_of(result).sections[1].blocks if hasattr(block, "head"))
    assert table.head[1].partition(" (")[0] == label.partition(",")[0]


def test_one_classifier_is_drawn_over_its_true_error_rate():
    result = ta.calibrate("wald", COUNT, differences=[0.05, -0.04])
    axes = plots.coverage(result)
    assert_allclose(axes.lines[-1].get_xdata(), [6, 10, 15])  # 5 of 50 is 10%, and four below, and five above
    picture = plots.coverage_picture(result)
    assert picture.numbers.head[1] == "true error rate"
    assert_allclose([row[1] for row in picture.numbers.rows], [0.06, 0.1, 0.15])
    assert "15%" in picture.alt
    assert_allclose(plots.power(ta.calibrate("wilson", COUNT)).lines[-1].get_xdata()[0], 10)


def test_simulated_coverage_has_the_limits_of_clopper_and_pearson_and_says_so():
    result = ta.calibrate("wald", COUNT, trials=200)
    axes = plots.coverage(result)
    assert "95% CI of the simulation, 200 trials" in axes.get_xlabel()
    (band,) = axes.collections
    drawn = band.get_paths()[0].vertices
    evidence = np.round(result.coverage.value[0] * 200)
    exact = stats.binomtest(int(evidence), 200).proportion_ci(0.95, "exact")  # SciPy's
    at_first = drawn[np.isclose(drawn[:, 0], 10), 1]
    assert_allclose([at_first.min(), at_first.max()], exact)


def test_a_single_truth_has_bars_side_by_side():
    result = ta.calibrate(["wald", "wilson"], COUNT, trials=200, differences=[])
    axes = plots.coverage(result)
    assert "bars: 95% CI of the simulation, 200 trials" in axes.get_xlabel()
    bars = [path.vertices for evidence in axes.collections for path in evidence.get_paths()]
    assert len(bars) == 2
    assert bars[0][0, 0] != bars[1][0, 0]
    for bar, each in zip(bars, result, strict=True):
        assert_allclose(bar[:, 1], [each.coverage.low[0], each.coverage.high[0]])
    assert axes.get_xticks().tolist() == [10]


def test_exact_coverage_has_no_limits_and_says_so():
    axes = plots.coverage(ta.calibrate(["wald", "wilson"], COUNT))
    assert not axes.collections
    assert axes.get_xlabel().endswith("\nexact")
    both = plots.coverage(lab.Calibrations((ta.calibrate("wald", COUNT), ta.calibrate("wilson", COUNT, trials=200))))
    assert len(both.collections) == 1
    assert both.get_xlabel().endswith("200 trials; others are exact")


# --- What exact_coverage found --------------------------------------------------------------------


def test_a_sawtooth_is_the_enumerated_coverage_over_the_true_error_rate():
    result = ta.exact_coverage("wald", 30, points=200)
    axes = plots.coverage(result)
    line = max(axes.lines, key=lambda each: len(each.get_xdata()))
    count = np.arange(31)
    rate = count / 30
    half = stats.norm.ppf(0.975) * np.sqrt(rate * (1 - rate) / 30)  # Wald's interval, and binomial sums by SciPy
    true = line.get_xdata() / 100
    inside = (np.clip(rate - half, 0, 1) <= true[:, None]) & (true[:, None] <= np.clip(rate + half, 0, 1))
    assert_allclose(line.get_ydata(), (stats.binom.pmf(count, 30, true[:, None]) * inside).sum(axis=1), atol=1e-12)
    assert axes.get_xlabel().startswith("true error rate, in %\nexact, 30 examples")
    assert axes.get_ylabel() == "coverage (dotted: 0.95)"
    assert 0.95 in [line.get_ydata()[0] for line in axes.lines]


def test_every_curve_has_its_name_its_mean_and_its_minimum():
    result = [ta.exact_coverage(name, 30, points=3000) for name in ("wilson", "clopper-pearson", "jeffreys")]
    axes = plots.coverage(result)
    names = [text.get_text() for text in axes.texts]
    assert names == [f"{each.method}\nmean {each.mean:.3f}, min {each.minimum:.3f}" for each in result]
    marks = [line for line in axes.lines if line.get_marker() == "v"]
    assert_allclose([line.get_ydata()[0] for line in marks], [each.minimum for each in result])
    assert_allclose([line.get_xdata()[0] for line in marks], [100 * each.worst for each in result])
    means = [line for line in axes.lines if line.get_marker() == "D"]
    assert_allclose([line.get_ydata()[0] for line in means], [each.mean for each in result])
    for line, each in zip(axes.lines[1::3], result, strict=True):  # thousands of points are thinned, no peak is lost
        assert len(line.get_xdata()) <= 1000
        assert_allclose([line.get_ydata().min(), line.get_ydata().max()], [each.coverage.min(), each.coverage.max()])


def test_a_minimum_far_below_does_not_squeeze_the_rest():
    axes = plots.coverage(ta.exact_coverage("wald", 30))
    assert_allclose(axes.get_ylim(), (0.7, 1))
    assert "minima below 0.7 at the bottom" in axes.get_xlabel()


def test_test_sets_of_several_sizes_are_named_and_levels_do_not_mix():
    sizes = [ta.exact_coverage("wilson", size, points=50) for size in (20, 50)]
    assert [row[0] for row in plots.coverage_picture(sizes).numbers.rows[::50]] == ["wilson, n = 20", "wilson, n = 50"]
    assert list(plots.coverage_numbers(sizes)) == ["wilson, n = 20", "wilson, n = 50"]
    with pytest.raises(InvalidOption, match=r"`result` must be of one level, got 0\.9 and 0\.95"):
        plots.coverage([sizes[0], ta.exact_coverage("wilson", 20, points=50, level=0.9)])


def test_a_report_about_coverage_has_the_sawtooth_and_a_line_for_each_method():
    result = [ta.exact_coverage(name, 30, points=500) for name in ("wald", "wilson")]
    page = page_of(result)
    assert page.title == "0 of 2 intervals cover at least 95% at every error rate"
    figures = page.sections[1].blocks
    assert figures[0].picture.title == "Exact coverage"
    assert [row[0].text for row in figures[1].rows] == ["wald", "wilson"]
    assert_allclose([row[2].value for row in figures[1].rows], [each.minimum for each in result])
    assert figures[1].rows[0][3].text == "near 0%"
    assert page_of(result[1]).title == result[1].display().verdict
    with pytest.raises(InvalidOption, match="got a list of something else"):
        page_of([result[0], 3])


def test_the_axis_writes_numbers_in_its_unit():
    axis = truth_axis(ta.calibrate("mcnemar", TABLE).design)
    assert (axis.format_value(0.0125), axis.head) == ("1.25 pp", "true difference (pp)")
