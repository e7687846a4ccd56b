"""Pictures of results: they show the result's own numbers, mark what decides, and take names for text."""

import re
from functools import cache
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.testing import assert_allclose
from scipy.stats import beta

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.figures import precise_pvalue_text as pvalue_text
from tellapart.methods import find_method
from tellapart.methods.cards import card
from tellapart.methods.resamples.instability import Instability
from tellapart.report.picture import drawn
from tellapart.report.plots.labels import show_name
from tellapart.report.style import COLOURS, THEMED

plots = ta.plots
LONG = ("gradient_boosting_500_trees_depth_6_seed1", "gradient_boosting_500_trees_depth_6_seed2")
NASTY = ("$x$ and $y$", r"<b>a_b^2</b> & 100% \alpha")
TABLE = ta.PairedTable(20, 25, 10, 45, models=("tree", "forest"))
RNG = np.random.default_rng(0)


def patterns(names, examples=400):
    """Return errors of models that get worse one by one, on examples that are hard for all."""
    rng = np.random.default_rng(1)
    hard = rng.random(examples)
    steps = np.linspace(0.1, 0.35, len(names))
    return ta.ErrorPatterns.from_correct(
        {name: (hard + rng.random(examples)) / 2 > step for name, step in zip(names, steps, strict=True)}
    )


def race(names, plan="10x10", shape=(10, 10), **options):
    """Return scores of two learners."""
    rng = np.random.default_rng(2)
    scores = {
        name: np.clip(0.9 - 0.01 * index + 0.03 * rng.standard_normal(shape), 0, 1) for index, name in enumerate(names)
    }
    return ta.Resamples.from_scores(scores, plan=plan, **options)


def choices(names):
    """Return how often splits chose, at three sizes of the training set (docs/how-to/splitting-ratio.md)."""
    counts = {"wins": [47, 48, 38], "ties": [5, 6, 15], "losses": [8, 6, 7]}
    evidence = {name: np.array(values) for name, values in counts.items()}
    return Instability(learners=names, train=np.array([284.0, 379.0, 512.0]), **evidence)


@cache
def scores(names):
    """Return graded scores of two models on 90 examples in three groups."""
    rng = np.random.default_rng(0)
    old = rng.beta(5, 2, 90)
    new = np.clip(old + rng.normal(0.03, 0.1, 90), 0, 1)
    return ta.Outcomes.from_scores(old, new, metric="rouge", bounds=(0, 1), models=names, groups=np.arange(90) % 3)


@cache
def chances(names):
    """Return probabilities of two models, of which one is too sure."""
    rng = np.random.default_rng(4)
    chance = rng.random(80)
    evidence = {names[0]: chance, names[1]: np.clip(1.6 * chance - 0.3, 0.01, 0.99)}
    return ta.ClassScores.from_scores(rng.random(80) < chance, evidence)


@cache
def confused(names, labels):
    """Return what two models took so many labels for."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, labels, 900)
    predictions = [np.where(rng.random(900) < share, (truth + 1) % labels, truth) for share in (0.3, 0.1)]
    called = np.array([f"label {index} of {names[0]}" for index in range(labels)])
    return ta.PairedConfusion.from_predictions(called[truth], *(called[each] for each in predictions), models=names)


def pictures(a, b):
    """Return every picture of results, of models with these names."""
    table = ta.PairedTable(20, 25, 10, 45, models=(a, b))
    rates = {a: ta.estimate(ta.ErrorCount(3, 120)), b: ta.estimate(ta.ErrorCount(0, 12))}
    ranking = ta.compare(patterns((a, b, "third")))
    return {
        "difference": plots.difference_picture(ta.compare(table)),
        "difference with a margin": plots.difference_picture(ta.compare(table, margin=0.02, hypothesis="equivalent")),
        "difference, not worse": plots.difference_picture(ta.compare(table, margin=0.05, hypothesis="non-inferior")),
        "estimate": plots.estimate_picture(ta.estimate(ta.ErrorCount(3, 120)), name=a),
        "estimates": plots.estimates_picture(rates),
        "paired_table": plots.paired_table_picture(table),
        "forest": plots.forest_picture(ranking),
        "tie_groups": plots.tie_groups_picture(ranking),
        "groups": plots.groups_picture({a: ta.compare(table), "day": ta.compare(table.swapped())}),
        "groups of rates": plots.groups_picture(rates),
        "splits": plots.splits_picture(race((a, b))),
        "instability": plots.instability_picture(choices((a, b))),
        "posterior": plots.posterior_picture(table),
        "posterior with a rope": plots.posterior_picture(race((a, b)), rope=0.01),
        "posterior of a rate": plots.posterior_picture(ta.ErrorCount(3, 120)),
        "spread": plots.spread_picture(scores((a, b))),
        "spread of few values": plots.spread_picture(
            ta.Outcomes.from_scores([1, 0, 1, 1], [1, 1, 0, 1], models=(a, b))
        ),
        "groups of scores": plots.groups_picture(ta.breakdown(scores((a, b))).answers),
        "difference of scores": plots.difference_picture(ta.compare(scores((a, b)))),
        "roc": plots.roc_picture(chances((a, b))),
        "precision_recall": plots.precision_recall_picture(chances((a, b))),
        "reliability": plots.reliability_picture(chances((a, b))),
        "confusions": plots.confusions_picture(confused((a, b), 2)),
        "confusions of many labels": plots.confusions_picture(confused((a, b), 12)),
        "card": plots.card_picture(ta.compare(table)),
        "pvalues": plots.pvalues_picture(ta.calibrate(["mcnemar", "mcnemar-exact"], table)),
    }


known_pictures = cache(pictures)  # to look at one of them, all are made
made_anew = cache(pictures)  # the same once more, by itself
NAMES = [*known_pictures("tree", "forest")]


def words(axes):
    """Return all that is written, with where it stands."""
    figure = axes.figure
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    unseen = {label for axis in (axes.xaxis, axes.yaxis) for label in beyond(axis)}
    texts = [
        text for text in axes.findobj(Text) if text.get_visible() and text.get_text().strip() and text not in unseen
    ]
    return [(text.get_text(), text.get_window_extent(renderer), text) for text in texts]


def beyond(axis):
    """Return the labels of ticks that lie beyond the ends of an axis, which are not drawn."""
    low, high = sorted(axis.get_view_interval())
    room = 1e-9 * (high - low)
    return [tick.label1 for tick in axis.get_major_ticks() if not low - room <= tick.get_loc() <= high + room]


def covering(axes):
    """Return pairs of texts that cover each other, and texts that leave the figure."""
    # The box of an annotation with a line reaches to the end of the line.
    boxes = [(word, Text.get_window_extent(text), text) for word, _, text in words(axes)]
    whole = axes.figure.bbox
    over = [
        (one, other)
        for (one, box, _), (other, its, _) in combinations(boxes, 2)
        if min(box.x1, its.x1) - max(box.x0, its.x0) > 1 and min(box.y1, its.y1) - max(box.y0, its.y0) > 1.5
    ]
    outside = [word for word, box, _ in boxes if box.x0 < whole.x0 - 1 or box.x1 > whole.x1 + 1]
    return over, outside


# --- Every picture ---


@pytest.mark.parametrize("names", [("tree", "forest"), LONG, NASTY], ids=["short", "long", "nasty"])
def test_no_word_covers_another_and_none_leaves_the_figure(names):
    for kind, picture in pictures(*names).items():
        assert (kind, *covering(drawn(picture))) == (kind, [], [])


def test_many_models_with_long_names_find_room():
    names = tuple(f"gradient_boosting_{index:02d}_trees_depth_6_seed1" for index in range(12))
    ranking = ta.compare(patterns(names))
    rates = {name: ta.estimate(ta.ErrorCount(3 * index, 120)) for index, name in enumerate(names)}
    for picture in (plots.forest_picture(ranking), plots.tie_groups_picture(ranking), plots.estimates_picture(rates)):
        assert covering(drawn(picture)) == ([], [])


@pytest.mark.parametrize("kind", NAMES)
def test_names_are_text_on_axes_of_others_after_our_style_has_ended(kind, tmp_path):
    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.add_subplot()
    assert drawn(known_pictures(*NASTY)[kind], axes) is axes
    with mpl.rc_context({"svg.fonttype": "none"}):
        figure.savefig(tmp_path / "figure.svg")
    written = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert "mathtext" not in written
    assert "<b>" not in written
    if kind not in {"posterior of a rate", "card", "pvalues"}:
        assert "$x$ and $y$" in written


@pytest.mark.parametrize("kind", NAMES)
def test_only_colours_that_a_page_can_replace(kind, tmp_path):
    axes = drawn(known_pictures("tree", "forest")[kind])
    plots.save(axes, tmp_path / "figure.svg")
    written = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    known = set(THEMED)
    assert set(re.findall(r"#[0-9a-f]{6}\b", written)) <= known


@pytest.mark.parametrize("kind", NAMES)
def test_the_same_picture_is_the_same_file_and_has_its_words_and_numbers(kind, tmp_path):
    for file, made in (("one.svg", made_anew), ("two.svg", known_pictures)):
        plots.save(drawn(made("tree", "forest")[kind]), tmp_path / file)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    picture = known_pictures("tree", "forest")[kind]
    assert picture.title
    assert re.search(r"\d", picture.alt)
    assert picture.numbers.rows
    assert {len(row) for row in picture.numbers.rows} == {len(picture.numbers.head)}
    if kind not in {"posterior of a rate", "card", "pvalues"}:
        assert "tree" in picture.alt


def test_nothing_stays_in_the_settings_of_matplotlib():
    before = dict(mpl.rcParams)
    for picture in pictures("tree", "forest").values():
        drawn(picture)
    assert dict(mpl.rcParams) == before


def test_axes_given_are_used_and_their_title_is_kept():
    axes = Figure().add_subplot()
    axes.set_title("mine")
    assert plots.difference(ta.compare(TABLE), ax=axes) is axes
    assert (axes.get_title(), axes.get_title(loc="left")) == ("mine", "")


def test_a_part_of_a_larger_figure_is_drawn_and_saved(tmp_path):
    parts = Figure(figsize=(8, 6)).subfigures(2, 1)
    axes = plots.tie_groups(ta.compare(patterns(("a", "b", "c"))), ax=parts[0].add_subplot())
    plots.save(axes, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 1000


# --- The difference ---


def lines_at(axes):
    """Return where upright lines stand."""
    return sorted(
        {line.get_xdata()[0] for line in axes.lines if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2}
    )


def test_the_difference_and_its_limits_are_those_of_the_answer():
    answer = ta.compare(TABLE)
    row = dict(
        zip(
            plots.difference_picture(answer).numbers.head, plots.difference_picture(answer).numbers.rows[0], strict=True
        )
    )
    assert (row["A"], row["B"], row["difference"]) == ("tree", "forest", 0.15)
    assert (row["low"], row["high"], row["p-value"]) == (answer.interval.low, answer.interval.high, answer.pvalue)
    axes = plots.difference(answer)
    limits = next(line for line in axes.lines if len(set(line.get_xdata())) == 2)
    assert_allclose(limits.get_xdata(), [100 * answer.interval.low, 100 * answer.interval.high])
    assert lines_at(axes) == [0]


@pytest.mark.parametrize(
    ("hypothesis", "marks"), [("equivalent", [-2, 0, 2]), ("non-inferior", [-2, 0]), ("superior", [0, 2])]
)
def test_zero_and_the_margin_are_marked(hypothesis, marks):
    axes = plots.difference(ta.compare(TABLE, margin=0.02, hypothesis=hypothesis))
    assert_allclose(lines_at(axes), marks)
    low, high = axes.get_xlim()
    assert low < min(marks)
    assert high > max(marks)


def test_left_of_zero_a_is_better_and_right_of_it_b():
    placed = {word: box.x0 for word, box, _ in words(plots.difference(ta.compare(TABLE)))}
    assert placed["← tree better"] < placed["forest better →"]


def test_an_open_limit_is_an_arrow_to_the_end_of_the_axis():
    axes = plots.difference(ta.compare(TABLE, alternative="greater"))
    assert [line.get_marker() for line in axes.lines if line.get_marker() in {"<", ">"}] == [">"]
    arrow = next(line for line in axes.lines if line.get_marker() == ">")
    assert arrow.get_xdata()[0] == axes.get_xlim()[1]
    assert axes.get_xlim()[1] < 50  # the range ends at 100 points, which says nothing


def test_odds_have_one_for_their_middle():
    answer = ta.compare(TABLE, interval="odds-exact")
    axes = plots.difference(answer)
    assert (axes.get_xscale(), lines_at(axes)) == ("log", [1])
    assert plots.difference_picture(answer).numbers.rows[0][2] == 2.5  # 25 only-A-wrong for each 10 only-B-wrong
    endless = ta.compare(ta.PairedTable(5, 3, 0, 88), interval="odds-exact")
    assert ">" in [line.get_marker() for line in plots.difference(endless).lines]


def test_a_rate_stands_beside_its_threshold():
    answer = ta.compare(ta.ErrorCount(3, 120), against=0.05)
    axes = plots.difference(answer)
    assert_allclose(lines_at(axes), [5])
    assert plots.difference_picture(answer).numbers.rows[0][0] == pytest.approx(3 / 120)
    assert "2.5%" in plots.difference_picture(answer).alt


@pytest.mark.parametrize(
    "table",
    [ta.PairedTable(5, 0, 0, 95), ta.PairedTable(0, 1, 0, 0), ta.PairedTable(10**8, 10**6, 10**6 + 4000, 9 * 10**8)],
)
def test_odd_tables_are_drawn(table):
    for draw in (lambda: plots.difference_picture(ta.compare(table)), lambda: plots.paired_table_picture(table)):
        assert covering(drawn(draw())) == ([], [])


# --- Tables, rates, groups ---


def test_areas_are_as_large_as_counts():
    bars = plots.paired_table(TABLE).patches
    assert_allclose([bar.get_width() for bar in bars], [0.45, 0.25, 0.10, 0.20, 25 / 35, 10 / 35])
    assert [row[1] for row in plots.paired_table_picture(TABLE).numbers.rows] == [45, 25, 10, 20]


def test_without_disagreements_the_picture_says_so():
    axes = plots.paired_table(ta.PairedTable(5, 0, 0, 95))
    assert any("no discordant examples" in word for word, *_ in words(axes))


def test_rates_have_their_own_limits_and_begin_at_zero():
    result = {"a": ta.estimate(ta.ErrorCount(3, 120)), "b": ta.estimate(ta.ErrorCount(9, 120), side="upper")}
    picture = plots.estimates_picture(result)
    assert [row[1:4] for row in picture.numbers.rows] == [
        (each.estimate, each.interval.low, each.interval.high) for each in result.values()
    ]
    axes = drawn(picture)
    assert axes.get_xlim()[0] == 0
    assert "<" in [line.get_marker() for line in axes.lines]


def test_rates_that_are_known_well_are_drawn_close_up():
    low, high = plots.estimate(ta.estimate(ta.ErrorCount(5 * 10**7, 10**9))).get_xlim()
    assert 4.99 < low < high < 5.01


def test_groups_of_one_pair_name_it_and_those_of_several_do_not():
    pair = ta.compare(ta.PairedTable(20, 25, 10, 45, models=("old", "new")))
    other = ta.compare(ta.PairedTable(20, 25, 10, 45, models=("old", "tree")))
    for groups, left, what in (
        ({"day": pair, "night": pair}, "← old better", "error(old) − error(new), in pp"),
        ({"day: old or new": pair, "day: old or tree": other}, "← A better", "error(A) − error(B), in pp"),
    ):
        axes = plots.groups(groups)
        assert left in [text.get_text() for text in axes.texts]
        assert axes.get_xlabel().startswith(what)


def test_groups_are_of_one_kind():
    rate, pair = ta.estimate(ta.ErrorCount(3, 120)), ta.compare(TABLE)
    assert [row[0] for row in plots.groups_picture({"day": pair, "night": pair}).numbers.rows] == ["day", "night"]
    for wrong in ({}, {"day": rate, "night": pair}, [rate], {"day": ta.compare(ta.ErrorCount(3, 120), against=0.1)}):
        with pytest.raises(InvalidOption, match="mapping from names"):
            plots.groups_picture(wrong)


# --- Several models ---


def test_a_forest_is_seen_by_the_better_one_and_marks_the_significant_pairs_that_the_ranking_does():
    ranking = ta.compare(patterns(tuple("abcde")))
    rows = plots.forest_picture(ranking).numbers.rows
    winners = dict(zip(map(frozenset, ranking.names), ranking.better, strict=True))
    differences = [row[2] for row in rows]
    assert len(rows) == 10
    assert differences == sorted(differences, reverse=True)
    for worse, better, difference, low, high, _, adjusted, text in rows:
        assert low <= difference <= high
        assert text == (adjusted < ranking.alpha) == (winners[frozenset((worse, better))] == better)
    rates = dict(zip(ranking.models, ranking.rates, strict=True))
    assert_allclose(differences, [rates[row[0]] - rates[row[1]] for row in rows])


def test_many_pairs_are_counted_in_words_and_those_with_the_best_are_drawn():
    ranking = ta.compare(patterns([f"m{index}" for index in range(20)]))
    picture = plots.forest_picture(ranking, most=25)
    assert len(picture.numbers.rows) == 25
    assert "165 more pairs not drawn" in drawn(picture).get_xlabel()
    assert sum(ranking.best[0] in row[:2] for row in picture.numbers.rows) == 19
    with pytest.raises(InvalidOption, match="`most` must be a whole number"):
        plots.forest(ranking, most=0)


def test_bars_join_ties():
    ranking = ta.compare(patterns(tuple("abcde")))
    axes = plots.tie_groups(ranking)
    rows = plots.tie_groups_picture(ranking).numbers.rows
    order = [row[0] for row in rows]
    assert [row[1] for row in rows] == sorted(ranking.rates)
    bars = [tuple(line.get_ydata()) for line in axes.lines if line.get_marker() == "o" and line.get_xdata()[0] == 1]
    joined = [group for group in ranking.groups if len(group) > 1]
    assert [sorted(order.index(name) for name in group) for group in joined] == [
        list(places) for places in bars if len(places) > 1
    ]


# --- Learners ---


def test_every_split_is_a_point_and_every_replicate_has_its_mean():
    evidence = race(("lda", "bayes"))
    axes = plots.splits(evidence)
    points = next(line for line in axes.lines if line.get_marker() == "o")
    assert_allclose(np.sort(points.get_ydata()), np.sort(100 * evidence.values.ravel()))
    means = [line.get_ydata()[0] for line in axes.lines if len(line.get_xdata()) == 2 and line.get_linewidth() == 2.2]
    assert_allclose(means, 100 * evidence.values.mean(axis=-1))
    rows = plots.splits_picture(evidence).numbers.rows
    assert rows[13] == (2, 4, evidence.values[1, 3])
    assert plots.splits_picture(evidence).numbers.head == ("replicate", "fold", "lda − bayes")


@pytest.mark.parametrize(
    ("evidence", "counts"),
    [
        (race(("a", "b"), "10-fold", 10), "fold"),
        (race(("a", "b"), "30x(2/3)", 30), "split"),
        (race(("a", "b"), "seeds", 5), "seed"),
        (ta.TrainingSets((RNG.random((2, 8, 50)) < 0.1).astype(float), learners=("a", "b")), "training set"),
        (ta.Resamples.from_scores([0.9], [0.8], plan="holdout", examples=90), "split"),
        (ta.Resamples.from_scores([0.9, 0.9], [0.9, 0.9], plan="2-fold"), "fold"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_one_replicate_is_drawn_by_fold_and_training_sets_by_training_set(evidence, counts):
    picture = plots.splits_picture(evidence)
    assert drawn(picture).get_xlabel() == counts
    values = evidence.values.mean(axis=-1) if counts == "training set" else evidence.values.ravel()
    assert_allclose([row[-1] for row in picture.numbers.rows], values)


def test_learners_are_chosen_by_name_from_evidence_and_from_a_race():
    from sklearn.dummy import DummyClassifier
    from sklearn.tree import DecisionTreeClassifier

    points, labels = RNG.random((60, 2)), RNG.integers(0, 2, 60)
    run = ta.race({"dummy": DummyClassifier(), "tree": DecisionTreeClassifier()}, points, labels, plan="5-fold")
    one, other = plots.splits_picture(run, "tree", "dummy"), plots.splits_picture(run.resamples(), "tree", "dummy")
    assert one.numbers == other.numbers
    assert_allclose([row[-1] for row in one.numbers.rows], [-row[-1] for row in plots.splits_picture(run).numbers.rows])
    assert plots.splits_picture(run, "tree").numbers.head == ("fold", "tree")
    with pytest.raises(InvalidOption, match="Race, Resamples or TrainingSets"):
        plots.splits(3)


def test_wins_ties_and_losses_are_stacked_and_the_line_is_lambda():
    axes = plots.instability(choices(("lda", "bayes")))
    heights = np.array([bar.get_height() for bar in axes.patches[:9]]).reshape(3, 3)
    assert_allclose(heights[:, 0], [100 * 47 / 60, 100 * 5 / 60, 100 * 8 / 60])
    assert_allclose(heights.sum(axis=0), 100)
    line = next(line for line in axes.lines if line.get_marker() == "D")
    assert_allclose(line.get_ydata(), [100 * 52 / 60, 100 * 54 / 60, 100 * 53 / 60])
    assert [row[1:4] for row in plots.instability_picture(choices(("a", "b"))).numbers.rows][2] == (38, 15, 7)


# --- Posteriors ---


def test_the_density_of_a_rate_is_that_of_the_beta_distribution():
    rows = np.array(plots.posterior_picture(ta.ErrorCount(3, 120)).numbers.rows)
    known = beta(3.5, 117.5)
    inside = rows[:, 1] > 1
    assert_allclose(rows[inside, 1], known.pdf(rows[inside, 0]), rtol=2e-3)
    assert_allclose(rows[inside, 2], known.cdf(rows[inside, 0]), atol=1e-4)


def test_the_density_of_a_difference_is_that_of_draws_from_the_posterior():
    rows = np.array(plots.posterior_picture(TABLE).numbers.rows)
    cells = np.random.default_rng(0).dirichlet([20.5, 25.5, 10.5, 45.5], size=400_000)
    drawn_values = np.sort(cells[:, 1] - cells[:, 2])
    shares = np.searchsorted(drawn_values, rows[:, 0]) / drawn_values.size
    assert_allclose(rows[:, 2], shares, atol=0.004)  # five standard errors
    counts = ta.IndependentCounts.from_counts(30, 100, 20, 100)
    rows = np.array(plots.posterior_picture(counts).numbers.rows)
    rng = np.random.default_rng(0)
    drawn_values = np.sort(rng.beta(30.5, 70.5, 400_000) - rng.beta(20.5, 80.5, 400_000))
    assert_allclose(rows[:, 2], np.searchsorted(drawn_values, rows[:, 0]) / 400_000, atol=0.004)


def test_probabilities_are_those_of_the_methods():
    assert "P(forest better) = 0.995" in plots.posterior_picture(TABLE).alt  # tellapart.methods: dirichlet
    evidence = race(("lda", "bayes"))
    result = ta.practical_probabilities(evidence, rope=0.01)
    alt = plots.posterior_picture(evidence, rope=0.01).alt
    assert f"P(lda better) = {pvalue_text(result.a_better)}," in alt
    assert f"P(equivalent, within 1 pp) = {float(result.equivalent):.3f}," in alt
    assert_allclose(lines_at(plots.posterior(evidence, rope=0.01)), [-1, 0, 1])


def test_a_threshold_parts_the_posterior():
    answer = ta.compare(ta.ErrorCount(3, 120), against=0.05)
    share = beta(3.5, 117.5).cdf(0.05)
    assert f"P(below 5%) = {share:.3f}" in plots.posterior_picture(answer).alt
    assert_allclose(lines_at(plots.posterior(answer)), [5])


def test_what_has_no_posterior_is_refused():
    flat = ta.Resamples.from_scores([0.9, 0.9], [0.9, 0.9], plan="2-fold")
    for wrong, text in [
        ((flat,), "no spread"),
        ((patterns(("a", "b", "c")),), "`known` must be an ErrorCount"),
        ((ta.estimate(ta.ErrorCount(3, 120), method="beta", prior=(1, 3.67)),), "is required for an answer by"),
        ((ta.ErrorCount([3, 4], 120),), "Index them"),
    ]:
        with pytest.raises(InvalidOption, match=text):
            plots.posterior(*wrong)
    with pytest.raises(InvalidOption, match="`rope` applies to a difference only"):
        plots.posterior(ta.ErrorCount(3, 120), rope=0.01)
    with pytest.raises(InvalidOption, match="`prior` applies to one error rate"):
        plots.posterior(TABLE, prior=(1, 1))
    with pytest.raises(InvalidOption, match="`rope` must be"):
        plots.posterior(TABLE, rope=-1)


# --- Cards ---


@pytest.mark.parametrize(
    ("name", "gives", "evidence", "kind"),
    [("mcnemar", "test", ta.PairedTable, "size"), ("wald", "interval", ta.ErrorCount, "coverage")],
)
def test_a_card_shows_what_was_measured_beside_what_is_promised(name, gives, evidence, kind):
    known = find_method(name, gives, evidence)
    data = card(known)
    picture = plots.card_picture(known)
    measured = {(getattr(row, kind).mean, getattr(row, kind).extreme) for row in data.entries}
    assert {row[1:3] for row in picture.numbers.rows} == measured
    assert {"size": 0.05, "coverage": 0.95}[kind] in lines_at(drawn(picture))
    assert covering(plots.card(data)) == ([], [])
    assert "more rows not drawn" in plots.card(known, most=2).get_xlabel()


def test_who_was_never_measured_has_no_card():
    with pytest.raises(InvalidOption, match="`method` must be an Offer"):
        plots.card("mcnemar")
    with pytest.raises(InvalidOption, match="must have measured error rates"):
        plots.card(find_method("loo", "estimate", ta.Resamples))


# --- Small things ---


def test_a_long_name_keeps_both_ends_and_a_strange_one_one_line():
    name = show_name("a" * 30 + "b" * 30)
    assert (len(name), name[0], name[-1]) == (40, "a", "b")
    assert show_name("two\nlines\x00") == "two lines"


def test_colours_differ_in_grey():
    def grey(colour):
        red, green, blue = (int(colour[index : index + 2], 16) for index in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    assert abs(grey(COLOURS[0]) - grey(COLOURS[1])) > 15  # and the second kind is hatched


def test_one_thing_is_drawn_at_a_time():
    many = ta.compare(ta.PairedTable([20, 21], 25, 10, 45))
    for draw, wrong in (
        (plots.difference, many),
        (plots.paired_table, ta.PairedTable([20, 21], 25, 10, 45)),
        (plots.estimate, 3),
        (plots.estimates, {}),
        (plots.forest, many),
        (plots.tie_groups, many),
        (plots.instability, 3),
    ):
        with pytest.raises(InvalidOption):
            draw(wrong)


def test_other_losses_are_drawn_in_their_own_unit():
    scores = {name: -np.random.default_rng(index).random(10) for index, name in enumerate(("lda", "bayes", "tree"))}
    evidence = ta.Resamples.from_scores(scores, plan="10-fold", metric="neg_log_loss")
    pair = ta.compare(evidence.select("lda", "bayes"))
    axes = plots.difference(pair)
    assert axes.get_xlabel().startswith("log-loss(lda) − log-loss(bayes)")
    limits = next(line for line in axes.lines if len(set(line.get_xdata())) == 2)
    assert_allclose(limits.get_xdata(), [pair.interval.low, pair.interval.high])
    assert plots.estimate(ta.estimate(evidence.select("lda"))).get_title(loc="left") == "Log loss"
    assert "in log loss" in plots.forest(ta.compare(evidence)).get_xlabel()


def test_words_that_cover_each_other_are_found():
    axes = Figure().add_subplot()
    for word in ("one", "other"):
        axes.text(0.5, 0.5, word)
    assert covering(axes)[0] == [("one", "other")]
