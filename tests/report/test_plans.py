"""Pictures and pages of plans: the exact power, what was planned marked on it, and other assumptions beside."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.planning.learner_options import Varying
from tellapart.planning.learner_plans import plan_learners
from tellapart.planning.plan_target import PlanTarget
from tellapart.report import plots, write_report
from tellapart.report.blocks import Figure, Table, Verdict
from tellapart.report.provenance import Provenance
from tellapart.report.writing import page_of

PAIR = ta.plan(difference=0.1, disagreement=0.2, power=0.8, method="mcnemar")
NEVER = plan_learners(PlanTarget(difference=0.02, power=0.8), Varying(sd=0.05, plan="10-fold"))
SEEN = plan_learners(PlanTarget(power=0.8), Varying(sd=0.05, plan="10x10"))


def lines_of(picture):
    """Return the numbers behind a picture, line by line."""
    result = {}
    for name, x, y in picture.numbers.rows:
        result.setdefault(name, []).append((x, y))
    return {name: np.array(points).T for name, points in result.items()}


# --- Pictures -------------------------------------------------------------------------------------


def test_the_line_is_the_exact_power():
    lines = lines_of(plots.power_curve_picture(PAIR))
    sizes, power = lines["as planned"]
    assert_allclose(power, PAIR.setting.power(sizes.astype(int), 0.1))
    assert PAIR.size in sizes or sizes.min() < PAIR.size < sizes.max()
    assert (sizes == np.rint(sizes)).all()


def test_the_formula_stands_beside():
    """Connor: the formula's power is 80% at its own sample size."""
    sizes, power = lines_of(plots.power_curve_picture(PAIR))["Connor's normal formula"]
    assert_allclose(np.interp(PAIR.formula, sizes, power), 0.8, atol=0.002)


def test_what_was_planned_is_marked_and_stated():
    axes = plots.power_curve(PAIR)
    description = [text.get_text() for text in axes.texts]
    assert f"{PAIR.size} examples: {100 * PAIR.power:.3g}%" in description
    marked = [line for line in axes.lines if line.get_marker() == "o"]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in marked] == [(PAIR.size, PAIR.power)]
    assert axes.get_xlabel() == "number of examples"
    assert "dotted: 80%" in axes.get_ylabel()
    assert f"{PAIR.size} give" in plots.power_curve_picture(PAIR).alt


def test_other_assumptions_have_lines_of_their_own():
    lines = lines_of(plots.power_curve_picture(SEEN))
    assert any("variance inverse to the test set size" in name for name in lines)
    drawn = [line for line in plots.power_curve(SEEN).lines if line.get_marker() == "None"]
    assert len({line.get_color() for line in drawn}) > 3
    names = [text.get_text().replace("\n", " ") for text in plots.power_curve(SEEN).get_legend().get_texts()]
    assert set(lines) <= set(names)  # distinct without colours


def test_power_by_difference_begins_at_alpha_and_marks_the_smallest_that_shows():
    differences, power = lines_of(plots.power_curve_picture(SEEN, over="difference"))["as planned"]
    assert differences[0] == 0
    assert_allclose(power[0], 0.05)
    assert_allclose(np.interp(SEEN.difference, differences, power), 0.8, atol=0.002)
    axes = plots.power_curve(SEEN, over="difference")
    assert any("4.92 pp: 80%" in text.get_text() for text in axes.texts)


def test_a_ceiling_is_drawn():
    """Nadeau and Bengio's variance never falls below sd²/9 with ten folds."""
    z = 0.02 / (0.05 / 3)
    ever = norm.sf(norm.isf(0.025) - z) + norm.cdf(-norm.isf(0.025) - z)
    axes = plots.power_curve(NEVER)
    assert any(f"at most {100 * ever:.3g}%" == text.get_text() for text in axes.texts)
    assert "the power is not reached" in plots.power_curve_picture(NEVER).alt
    with pytest.raises(InvalidOption, match="for a curve over differences"):
        plots.power_curve(NEVER, over="difference")


def test_equivalence_peaks_where_both_are_equal():
    result = plan_learners(
        PlanTarget(power=0.8, hypothesis="equivalent", margin=0.01), Varying(sd=0.05, training_sets=400)
    )
    differences, power = lines_of(plots.power_curve_picture(result, over="difference"))["as planned"]
    assert_allclose(power, power[::-1], atol=1e-9)
    assert_allclose(differences[power.argmax()], 0, atol=1e-12)


def test_widths_fall_by_size_and_the_planned_one_is_marked():
    result = ta.plan(width=0.2, error=0.2)
    sizes, widths = lines_of(plots.width_curve_picture(result))["as planned"]
    assert_allclose(np.interp(result.size, sizes, widths), result.width, rtol=0.01)
    assert (np.diff(widths) < 0).all()
    axes = plots.width_curve(result)
    assert any(text.get_text().startswith(f"{result.size} examples: ") for text in axes.texts)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("number of examples", "width, in pp")
    assert [section.id for section in page_of(result).sections][:2] == ["result", "curves"]
    with pytest.raises(InvalidOption, match="width_curve"):
        plots.power_curve(result)


def test_what_a_difference_is_of_is_stated():
    wins = ta.plan(wins=0.7, data_sets=20)
    threshold = ta.plan(against=0.2, error=0.1, alternative="less", method="clopper-pearson")
    labels = [plots.power_curve(each, over="difference").get_xlabel() for each in (wins, threshold, PAIR)]
    assert labels == [
        "P(B wins) − P(A wins), in pp",
        "true error − threshold, in pp",
        "true difference A − B, in pp",
    ]


def test_clusters_are_worth_less():
    """With a design effect of 2, so many examples have the power of half as many."""
    result = ta.plan(difference=0.1, disagreement=0.2, power=0.8, method="mcnemar", design_effect=2)
    sizes, power = lines_of(plots.power_curve_picture(result))["as planned"]
    assert_allclose(power, PAIR.setting.power((sizes // 2).astype(int), 0.1))


def test_what_is_no_plan_is_refused():
    for draw in (plots.power_curve, plots.width_curve):
        with pytest.raises(InvalidOption, match="`planned` must be the result of plan"):
            draw(3)
    with pytest.raises(InvalidOption, match="power_curve"):
        plots.width_curve(PAIR)
    alike = ta.plan(margin=0.1, disagreement=0.0)
    with pytest.raises(InvalidOption, match="discordant rate above 0"):
        plots.power_curve(alike, over="difference")
    assert len(blocks(page_of(alike), Figure)) == 1
    with pytest.raises(InvalidOption, match="`over` must be one of"):
        plots.power_curve(PAIR, over="moons")


# --- Pages ----------------------------------------------------------------------------------------


def blocks(page, kind):
    return [block for section in page.sections for block in section.blocks if isinstance(block, kind)]


def test_a_page_has_the_answer_the_pictures_and_what_else_could_be():
    page = page_of(SEEN)
    assert [section.id for section in page.sections] == [
        "result",
        "curves",
        "assumptions",
        "methods",
        "paper",
        "reproduce",
    ]
    assert page.title == blocks(page, Verdict)[0].verdict == SEEN.display().verdict
    assert len(blocks(page, Figure)) == 2
    table = blocks(page, Table)[0]
    assert table.head == ("assumption", "difference (pp)")
    assert [row[1].value for row in table.rows] == [SEEN.difference, *(aside.value for aside in SEEN.beside)]


def test_a_page_warns_where_no_number_is_enough():
    page = page_of(NEVER)
    assert page.title == NEVER.display().verdict
    assert "not reached" in [row[1].text for row in blocks(page, Table)[0].rows]
    assert len(blocks(page, Figure)) == 1


def test_the_page_is_written(tmp_path):
    description = Provenance(command="tellapart plan --difference 0.1 --power 0.8 --disagreement 0.2")
    text = write_report(tmp_path / "plan.html", PAIR, provenance=description).read_text(encoding="utf-8")
    assert PAIR.display().verdict in text
    assert description.command in text
    assert "Connor" in text
    assert math.isfinite(PAIR.size)
