"""Pictures of learners over many data sets: bars join exactly the ties, and no word covers another."""

import csv
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.report.picture import drawn
from tellapart.report.plots.labels import show_distinct_names
from tellapart.report.plots.triangles import _CORNERS, _GRID, _is_small
from tellapart.report.style import THEMED

plots = ta.plots
NASTY = ("$x$ and $y$", r"<b>a_b^2</b> & 100% \alpha", "third")
DRAWS = 500


@cache
def demsar():
    """Return the AUC of four learners on 14 data sets (Demšar 2006, table 6)."""
    file = Path(__file__).parents[1] / "methods" / "score_table" / "demsar2006.csv"
    with file.open(encoding="utf-8") as lines:
        (_, *learners), *rows = csv.reader(lines)
    scores = [[float(cell) for cell in row[1:]] for row in rows]
    return ta.ScoreTable.from_scores(scores, learners, [row[0] for row in rows], metric="AUC")


@cache
def several(count, datasets=30, long=False, step=0.003):
    """Return learners that get worse one by one, on data sets of different difficulty."""
    rng = np.random.default_rng(count)
    level = rng.uniform(0.6, 0.9, (datasets, 1))
    scores = level + 0.02 * rng.standard_normal((datasets, count)) - step * np.arange(count)
    called = "gradient_boosting_{:02d}_trees_depth_6_seed1" if long else "svm {:02d}"
    return ta.ScoreTable.from_scores(scores, [called.format(index) for index in range(count)], metric="accuracy")


def level_ones(count):
    """Return learners of which every two have the same mean rank: each is as often before as behind another."""
    rows = [np.roll(np.arange(count), index) for index in range(count)]
    names = [f"a_learner_with_a_rather_long_name_{index:02d}" for index in range(count)]
    return ta.ScoreTable.from_scores(np.array(rows, dtype=float), names)


def inside(x, span):
    return span[0] <= x <= span[1]


def covering(axes):
    """Return texts that cover each other, and texts that leave the figure."""
    axes.figure.draw_without_rendering()
    beyond = [tick.label1 for tick in axes.xaxis.get_major_ticks() if not inside(tick.get_loc(), axes.get_xlim())]
    every = [text for text in axes.findobj(Text) if text.get_visible() and text.get_text().strip()]
    shown = [text for text in every if text not in beyond]
    words = [text.get_text() for text in shown]
    left, low, right, high = np.array([Text.get_window_extent(text).extents for text in shown]).T
    across = np.minimum(right, right[:, None]) - np.maximum(left, left[:, None]) > 1
    down = np.minimum(high, high[:, None]) - np.maximum(low, low[:, None]) > 1.5
    over = [(words[one], words[other]) for one, other in np.argwhere(np.triu(across & down, 1))]
    whole = axes.figure.bbox
    return over, [words[index] for index in np.flatnonzero((left < whole.x0 - 1) | (right > whole.x1 + 1))]


# --- The critical-difference diagram ---


def bars(axes):
    """Return where each bar begins and ends, and the dots on it."""
    thick = [line for line in axes.lines if line.get_linewidth() == 2.6]
    result = []
    for bar in thick:
        y = bar.get_ydata()[0]
        dots = [line for line in axes.lines if line.get_marker() == "o" and set(line.get_ydata()) == {y}]
        mine = [dot.get_xdata() for dot in dots if dot.get_xdata()[0] == bar.get_xdata()[0]]
        result.append((bar.get_xdata()[0], bar.get_xdata()[-1], np.array(mine[0])))
    return result


def uprights(axes, count):
    """Return where the line of each learner goes down, best first."""
    lines = [line for line in axes.lines if len(line.get_xdata()) == 4 and line.get_marker() == "None"]
    assert len(lines) == count
    return np.array([line.get_xdata()[1] for line in lines])


@pytest.mark.parametrize(
    ("table", "options"),
    [
        (demsar(), {"method": "nemenyi"}),
        (several(9), {}),
        (several(40, long=True), {}),
        (level_ones(40), {"method": "nemenyi", "interval": "sign-test"}),
        (several(12, long=True), {"control": "gradient_boosting_03_trees_depth_6_seed1"}),
        (demsar(), {"method": "bonferroni-dunn", "control": "C4.5"}),
    ],
    ids=["four", "nine", "forty", "forty level", "control", "control with a critical difference"],
)
def test_no_label_covers_another_and_no_dot_another(table, options):
    axes = plots.critical_difference(ta.compare(table, **options))
    assert covering(axes) == ([], [])
    x = axes.transData.transform([(x, 0) for x in uprights(axes, len(table.learners))])[:, 0] * 72 / axes.figure.dpi
    assert np.diff(x).min() > 3.5  # points, which a dot is wide


def test_bars_join_exactly_the_ties():
    ranking = ta.compare(several(24))
    axes, picture = plots.critical_difference(ranking), plots.critical_difference_picture(ranking)
    names = [row[0] for row in picture.numbers.rows]
    places = uprights(axes, 24)
    joined = [{names[np.flatnonzero(places == x)[0]] for x in dots} for _, _, dots in bars(axes)]
    assert sorted(map(sorted, joined)) == sorted(sorted(group) for group in ranking.groups if len(group) > 1)
    assert all(low == dots.min() and high == dots.max() for low, high, dots in bars(axes))


def test_a_bar_has_no_dot_where_it_passes_one_that_is_significantly_different():
    ranking = ta.compare(several(3))
    best, middle, last = (row[0] for row in plots.critical_difference_picture(ranking).numbers.rows)
    axes = plots.critical_difference(replace(ranking, groups=((best, last), (middle,))))
    ((low, high, dots),) = bars(axes)
    places = uprights(axes, 3)
    assert (low, high) == (places[0], places[2])
    assert dots.tolist() == [places[0], places[2]]


def test_the_critical_difference_is_that_of_demsar():
    """2.569 · sqrt(4·5/(6·14)) = 1.25 for Nemenyi's test of four learners on 14 data sets (Demšar 2006)."""
    ranking = ta.compare(demsar(), method="nemenyi")
    axes = plots.critical_difference(ranking)
    ends = [line.get_xdata() for line in axes.lines if line.get_linewidth() == 1.6]
    assert_allclose(ends[0], [1, 1 + 2.569 * np.sqrt(20 / 84)], atol=5e-4)
    assert "critical difference 1.25" in [text.get_text() for text in axes.texts]
    assert not any("critical" in text.get_text() for text in plots.critical_difference(ta.compare(demsar())).texts)


def test_a_control_is_marked_and_those_significantly_different_from_it():
    ranking = ta.compare(demsar(), control="C4.5")
    picture = plots.critical_difference_picture(ranking)
    text = {name: verdict for name, _, verdict in picture.numbers.rows}
    decided = {b: winner is not None for (_, b), winner in zip(ranking.names, ranking.better, strict=True)}
    assert text == {"C4.5": ""} | {name: "yes" if significant else "no" for name, significant in decided.items()}
    axes = drawn(picture)
    assert [line.get_marker() for line in axes.lines].count("D") == 1
    (bar,) = bars(axes)
    assert len(bar[2]) == 1 + sum(not significant for significant in decided.values())


def test_mean_ranks_are_reported_in_words_and_numbers():
    """Mean ranks of mid-ranks: 3.143, 2.000, 2.893 and 1.964 but for the tie of voting (Demšar 2006, table 6)."""
    picture = plots.critical_difference_picture(ta.compare(demsar()))
    ranks = {name: rank for name, rank, _ in picture.numbers.rows}
    assert_allclose([ranks["C4.5"], ranks["C4.5+m"]], [3.143, 2.000], atol=5e-4)
    assert_allclose([ranks["C4.5+cf"], ranks["C4.5+m+cf"]], [2.893, 1.964], atol=0.04)
    assert picture.alt.startswith("4 learners by their mean rank, 1 is best: C4.5+m+cf 1.93; C4.5+m 2.00;")
    assert "alpha = 0.05): " in picture.alt


def test_names_that_are_cut_stay_different():
    names = [f"a_very_long_common_beginning_{index:03d}_and_a_long_common_end" for index in range(40)]
    short = show_distinct_names(names, 20)
    assert len(set(short)) == 40
    assert max(map(len, short)) <= 20
    same_start = show_distinct_names(["x" * 60 + "a" * index + "b" * 60 for index in range(1, 4)], 20)
    assert len(set(same_start)) == 3


# --- Every two of them ---


@pytest.mark.parametrize("count", [3, 8, 12, 17, 40])
def test_cells_say_what_they_have_room_for(count):
    ranking = ta.compare(several(count, long=count == 8, datasets=12))
    matrix = plots.comparison_matrix(ranking)
    assert covering(matrix) == ([], [])
    words = [text.get_text() for text in matrix.texts]
    pairs = count * (count - 1)
    assert sum(bool(re.fullmatch(r"\d+/\d+/\d+", word)) for word in words) == (pairs if count <= 12 else 0)
    assert sum(word.startswith("p ") for word in words) == (pairs if count <= 8 else 0)
    if count in {12, 17}:
        chances = plots.pairwise_probabilities(ranking, resamples=100)
        assert covering(chances) == ([], [])
        written = [text.get_text() for text in chances.texts if re.fullmatch(r"[<>]?[01]?\.\d\d", text.get_text())]
        assert len(written) == (pairs if count <= 16 else 0)


def test_the_matrix_counts_wins_and_takes_means():
    """Wins, ties and losses and the mean difference, counted from the published scores by themselves."""
    table = demsar()
    rows = {row[:2]: row[2:] for row in plots.comparison_matrix_picture(ta.compare(table)).numbers.rows}
    scores = dict(zip(table.learners, (table.metric.from_loss(table.cells)).T, strict=True))
    for (row, column), (mean, wins, ties, losses, *_) in rows.items():
        significant = np.round(scores[row] - scores[column], 9)
        assert (wins, ties, losses) == ((significant > 0).sum(), (significant == 0).sum(), (significant < 0).sum())
        assert_allclose(mean, significant.mean(), atol=1e-12)
    assert [row for row, _ in rows] == ["C4.5+m+cf"] * 3 + ["C4.5+m"] * 2 + ["C4.5+cf"]


def test_a_control_has_pvalues_of_its_own_pairs_alone():
    ranking = ta.compare(demsar(), control="C4.5")
    rows = plots.comparison_matrix_picture(ranking).numbers.rows
    assert {row[:2] for row in rows if row[6] is not None} == {(b, "C4.5") for b in ("C4.5+m+cf", "C4.5+m", "C4.5+cf")}


def test_probabilities_are_those_of_the_method_best_first():
    table = several(4)
    result = ta.pairwise_probabilities(table, method="bayesian-sign")
    index = table.learners.index
    for row, column, p, q in plots.pairwise_probabilities_picture(table, method="bayesian-sign").numbers.rows:
        assert_allclose([p, q], [result[index(row), index(column)], result[index(column), index(row)]], rtol=1e-9)
        assert table.mean_ranks[index(row)] <= table.mean_ranks[index(column)]


# --- Two of them ---


def test_data_sets_stand_in_order_and_what_is_missing_is_stated():
    scores = {"old": [0.5, 0.7, 0.6, None, 0.9], "new": [0.6, 0.7, 0.5, 0.8, 0.91]}
    table = ta.ScoreTable.from_scores(scores, datasets=["v", "w", "x", "y", "z"])
    picture = plots.dataset_differences_picture(ta.compare(table), rope=0.05)
    assert [row[0] for row in picture.numbers.rows] == ["v", "z", "w", "x"]
    assert_allclose([row[-1] for row in picture.numbers.rows], [0.1, 0.01, 0, -0.1], atol=1e-12)
    assert "new is better on 2, old on 1, equal on 1." in picture.alt
    assert picture.alt.endswith("Shaded: within 0.05. 1 without both scores is left out.")
    axes = drawn(picture)
    assert covering(axes) == ([], [])
    assert [line.get_marker() for line in axes.lines].count(">") == 1  # four data sets leave the limits open
    upright = {line.get_xdata()[0] for line in axes.lines if len(set(line.get_xdata())) == 1}
    assert {0.0, 0.05, -0.05} <= upright


def test_very_many_data_sets_have_no_names_but_all_their_numbers():
    table = several(2, datasets=150)
    picture = plots.dataset_differences_picture(table)
    assert len(picture.numbers.rows) == 150
    assert len(drawn(picture).texts) == 2  # who is better on which side


def test_every_draw_lies_in_its_small_triangle():
    draws = np.random.default_rng(0).dirichlet([0.7, 0.7, 0.7], 300)
    for draw in draws:
        small = _is_small(np.minimum((_GRID * draw).astype(int), _GRID - 1))
        parts = np.linalg.solve(small.T, draw)  # barycentric: the draw is a mean of the corners
        assert (parts > -1e-9).all()
        assert parts.sum() == pytest.approx(1)
    assert_allclose(np.linalg.norm(_CORNERS - np.roll(_CORNERS, 1, axis=0), axis=1), 1)


def test_the_corners_have_the_probabilities_of_the_answer():
    answer = ta.compare(demsar().select("C4.5", "C4.5+m"), rope=0.01, resamples=2000)
    picture = plots.posterior_triangle_picture(answer, resamples=DRAWS)
    practical = answer.test.practical
    assert [row[1] for row in picture.numbers.rows] == [practical.a_better, practical.equivalent, practical.b_better]
    drawn_here = plots.posterior_triangle_picture(answer.evidence, rope=0.01, resamples=20_000)
    # Benavoli et al.'s signed-rank test, drawn twice: shares of draws differ by their standard error alone.
    assert_allclose([row[1] for row in drawn_here.numbers.rows], [row[1] for row in picture.numbers.rows], atol=0.05)
    axes = drawn(picture)
    assert covering(axes) == ([], [])
    dashed = [line for line in axes.lines if line.get_linestyle() == "--" or line.is_dashed()]
    assert len(dashed) == 3


# --- All of them ---


@cache
def pictures(names):
    """Return every picture, of learners with these names."""
    scores = np.random.default_rng(3).random((9, 3)) / 10 + [0.8, 0.75, 0.7]
    table = ta.ScoreTable.from_scores(scores, list(names), [f"{names[0]} {index}" for index in range(9)])
    ranking, two = ta.compare(table), table.select(*names[:2])
    return {
        "critical_difference": plots.critical_difference_picture(ranking),
        "control": plots.critical_difference_picture(ta.compare(table, control=names[0])),
        "comparison_matrix": plots.comparison_matrix_picture(ranking),
        "pairwise_probabilities": plots.pairwise_probabilities_picture(ranking, resamples=DRAWS),
        "dataset_differences": plots.dataset_differences_picture(ta.compare(two)),
        "posterior_triangle": plots.posterior_triangle_picture(two, resamples=DRAWS),
    }


def test_names_are_text_colours_are_those_of_the_page_and_the_same_picture_is_the_same_file(tmp_path):
    for kind, picture in pictures(NASTY).items():
        axes = drawn(picture)
        plots.save(axes, tmp_path / "one.svg")
        plots.save(drawn(picture), tmp_path / "two.svg")
        assert (kind, *covering(axes)) == (kind, [], [])
        written = (tmp_path / "one.svg").read_text(encoding="utf-8")
        assert written == (tmp_path / "two.svg").read_text(encoding="utf-8")
        assert "mathtext" not in written
        assert "<b>" not in written
        assert "$x$ and $y$" in written
        assert set(re.findall(r"#[0-9a-f]{6}\b", written)) <= set(THEMED)
        assert "$x$ and $y$" in picture.alt
        assert {len(row) for row in picture.numbers.rows} == {len(picture.numbers.head)}


def test_axes_of_others_are_used_and_names_are_text_there_after_our_style_has_ended(tmp_path):
    figure = Figure(figsize=(9, 16), layout="constrained")
    for axes, picture in zip(figure.subplots(3, 2).flat, pictures(NASTY).values(), strict=True):
        assert drawn(picture, axes) is axes
    figure.savefig(tmp_path / "figure.svg")
    assert "mathtext" not in (tmp_path / "figure.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("draw", "what", "message"),
    [
        (plots.critical_difference, ta.compare(ta.PairedTable(1, 2, 3, 4)), "for a ScoreTable, got Comparison"),
        (plots.comparison_matrix, demsar(), "got ScoreTable"),
        (plots.pairwise_probabilities, "scores", "one ScoreTable of two learners or more"),
        (plots.dataset_differences, demsar(), r"select\(a, b\)"),
        (plots.posterior_triangle, demsar(), r"select\(a, b\)"),
    ],
    ids=["ranks", "matrix", "probabilities", "differences", "triangle"],
)
def test_what_cannot_be_drawn_is_refused_with_the_remedy(draw, what, message):
    with pytest.raises(InvalidOption, match=message):
        draw(what)


def test_a_rope_must_be_a_size():
    two = demsar().select("C4.5", "C4.5+m")
    with pytest.raises(InvalidOption, match="`rope` must be a number above 0, got 0"):
        plots.posterior_triangle(two, rope=0)
    with pytest.raises(InvalidOption, match="`rope` must be a number of 0 or more, got -1"):
        plots.dataset_differences(two, rope=-1)
