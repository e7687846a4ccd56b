"""Pictures of calibrations: they show the measured numbers, name every line, and can be read without colours."""

import re
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import t

from tellapart import ErrorCount, PairedTable, calibrate
from tellapart.errors import InvalidOption
from tellapart.lab import Calibrations, Learners, NearestNeighbours, PairedOutcomes, TwoNormals
from tellapart.report import plots
from tellapart.report.plots.labels import space_out

TABLE = PairedTable(10, 25, 10, 255)
FOUND = calibrate(None, TABLE)
DRAWN = calibrate(["mcnemar", "mcnemar-exact"], TABLE, trials=2000)
TESTS = ["mcnemar-mid-p", "mcnemar", "mcnemar-exact", "mcnemar-corrected", "difference-of-proportions", "tango"]


def names_in(axes):
    """Return the names beside the lines, and how high each stands."""
    return {text.get_text(): text.xyann[1] for text in axes.texts if hasattr(text, "xyann")}


# --- The numbers ---


def test_qq_numbers_are_the_distribution_of_the_p_values():
    curve = plots.qq_numbers(FOUND)["mcnemar"]
    assert_allclose(curve.x, FOUND["mcnemar"].quantiles[0])
    assert_allclose(curve.y, FOUND["mcnemar"].quantiles[1])
    assert (curve.trials, plots.qq_numbers(DRAWN)["mcnemar"].trials) == (0, 2000)


def test_limits_are_those_of_a_share_of_so_many_trials():
    curve = plots.qq_numbers(DRAWN)["mcnemar"]
    middle = np.searchsorted(curve.x, 0.5)
    share = curve.y[middle]
    assert_allclose(curve.high[middle] - share, 1.96 * np.sqrt(share * (1 - share) / 2000))


def test_power_begins_with_the_size():
    curve = plots.power_numbers(FOUND)["tango"]
    assert_allclose(curve.x, [0, 0.01, 0.02, 0.05])
    assert_allclose(curve.y, [FOUND["tango"].size.value, *FOUND["tango"].power.value])
    assert set(plots.power_numbers(FOUND)) == set(TESTS)


def test_differences_are_drawn_in_order():
    curve = plots.power_numbers(calibrate("mcnemar", TABLE, differences=[0.05, -0.05, 0.02]))["mcnemar"]
    assert_allclose(curve.x, [-0.05, 0, 0.02, 0.05])
    assert_allclose(curve.y[0], curve.y[-1])  # the test is symmetric


def test_coverage_is_of_intervals_only():
    assert set(plots.coverage_numbers(FOUND)) == {"tango", "bonett-price", "wald-paired"}


def test_quantiles_of_a_statistic_that_is_what_it_claims():
    values = t(5).ppf((np.arange(1000) + 0.5) / 1000)
    curve = plots.statistic_qq_numbers(np.random.default_rng(0).permutation(values), t(5).ppf)
    assert_allclose(curve.x, curve.y)
    with pytest.raises(InvalidOption, match="at least 2 finite numbers"):
        plots.statistic_qq_numbers([1.0, np.nan], t(5).ppf)


def test_what_was_not_measured_is_not_drawn():
    interval = calibrate("bonett-price", TABLE)
    for draw in (plots.pvalues, plots.power):
        with pytest.raises(InvalidOption, match="nothing to draw"):
            draw(interval)
    with pytest.raises(InvalidOption, match="no interval"):
        plots.coverage(calibrate("mcnemar", TABLE))
    with pytest.raises(InvalidOption, match="no test at a difference other than 0"):
        plots.power(calibrate("mcnemar", TABLE, differences=[]))
    with pytest.raises(InvalidOption, match=r"`result` must be the result of calibrate.*got list of int"):
        plots.pvalues([3])
    with pytest.raises(InvalidOption, match="must have one design"):
        plots.pvalues(calibrate("mcnemar", PairedOutcomes([0.1, 0.2], [0.1, 0.2], 0.1, 50)))


# --- The figures ---


def test_every_line_has_a_name_that_covers_no_other():
    for draw in (plots.pvalues, plots.power):
        heights = names_in(draw(FOUND))
        assert set(heights) == set(TESTS)
        gaps = np.diff(sorted(heights.values()))
        assert gaps.min() > 0.05  # of the panel, about 8 points of type


def test_many_names_find_room():
    many = Calibrations(FOUND.each * 4)  # six tests, four times
    assert plots.power(many).figure.get_size_inches()[1] > 5


@pytest.mark.parametrize(
    "target", [[0.5], [0.5, 0.5, 0.5], [0.99, 1.0, 0.2, 0.21], [0.0, 0.0], list(np.linspace(0, 1, 9))]
)
def test_names_stand_near_their_lines_in_the_same_order_without_overlap(target):
    result = space_out(np.array(target), 0.1)
    assert np.all(np.diff(result[np.argsort(target, kind="stable")]) >= 0.1 - 1e-12)
    assert result.min() >= 0
    assert result.max() <= 1 + 1e-12


def test_a_name_that_has_room_stands_beside_its_line():
    assert_allclose(space_out(np.array([0.01, 0.02, 0.6]), 0.1), [0.0, 0.1, 0.6])


def test_lines_differ_without_colour_and_keep_their_look_in_every_panel():
    figure = plots.calibration(DRAWN)
    looks = [(line.get_color(), line.get_linestyle()) for line in figure.axes[0].lines[2:4]]
    assert len({dashes for _, dashes in looks}) == 2
    tango = plots.calibration([FOUND["mcnemar"], FOUND["tango"]])
    qq, power, coverage = tango.axes[:3]
    assert qq.lines[3].get_color() == power.lines[2].get_color() == coverage.lines[1].get_color()


def test_only_what_there_is_gets_a_panel():
    assert [axes.get_title(loc="left") for axes in plots.calibration(calibrate("bonett-price", TABLE)).axes] == [
        "Coverage"
    ]
    one = plots.calibration(calibrate(None, ErrorCount(3, 120)))
    assert [axes.get_title(loc="left") for axes in one.axes][:3] == [
        "p-values under the null hypothesis",
        "Power",
        "Coverage",
    ]


def test_a_design_without_a_null_hypothesis_is_drawn_at_its_own_difference():
    design = Learners(TwoNormals(0.1), NearestNeighbours(1), NearestNeighbours(3), examples=30)
    figure = plots.calibration(calibrate("kfold-t", design, trials=20))
    assert "Power" in [axes.get_title(loc="left") for axes in figure.axes]


def test_words_stay_words_and_the_same_figure_is_the_same_file(tmp_path):
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        plots.save(plots.calibration(FOUND), file)
    assert files[0].read_bytes() == files[1].read_bytes()
    words = re.findall(r"<text [^>]*>([^<]+)</text>", files[0].read_text(encoding="utf-8"))
    assert {"mcnemar-exact", "liberal", "probability of a p-value as small"} <= set(words)


def test_a_file_that_cannot_be_is_refused(tmp_path):
    with pytest.raises(InvalidOption, match=r"must end in \.png, \.svg, \.pdf"):
        plots.save(plots.pvalues(FOUND), tmp_path / "figure.jpeg")
    with pytest.raises(InvalidOption, match="cannot be written: there is no folder"):
        plots.save(plots.pvalues(FOUND), tmp_path / "nowhere" / "figure.png")
    (tmp_path / "figure.png").mkdir()
    with pytest.raises(InvalidOption, match="cannot be written: it is a folder"):
        plots.save(plots.pvalues(FOUND), tmp_path / "figure.png")


def test_no_window_and_no_global_figure():
    code = (
        "import sys, tellapart as ta; plots = ta.plots; assert 'matplotlib' not in sys.modules;"
        "plots.pvalues(ta.calibrate('mcnemar', ta.PairedTable(10, 25, 10, 255)));"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  # our own interpreter and code
