"""A kind of evidence from another package: one file gives answers with all their features."""

import json
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, multinomial

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidOption, UnknownMethod

TABLES = [(30, 5, 45), (0, 0, 7), (4, 10, 0), (12, 3, 12), (250, 100, 191)]
WINS, TIES = [[0, 30, 20], [45, 0, 25], [50, 44, 0]], [[0, 5, 6], [5, 0, 7], [6, 7, 0]]


@pytest.fixture
def two(prefs):
    return prefs.Preferences(30, 5, 45, ("old", "new"))


@pytest.fixture
def several(prefs):
    return prefs.PreferenceTable(WINS, TIES, ("a", "b", "c"))


# --- Numbers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("counts", TABLES)
def test_the_p_value_is_that_of_a_binomial_test(prefs, counts, alternative):
    a, _, b = counts
    answer = ta.compare(prefs.Preferences(*counts), alternative=alternative)
    assert answer.pvalue == pytest.approx(binomtest(b, a + b, alternative=alternative).pvalue, rel=1e-12)


@pytest.mark.parametrize("counts", TABLES)
def test_the_limits_of_the_difference_are_those_of_decided_comparisons(prefs, counts):
    a, ties, b = counts
    limits = binomtest(b, a + b).proportion_ci(0.9, "exact")
    interval = ta.compare(prefs.Preferences(*counts), level=0.9).interval
    share = (a + b) / (a + ties + b)
    assert [interval.low, interval.high] == pytest.approx([share * (2 * end - 1) for end in limits], rel=1e-12)


@pytest.mark.parametrize("side", ["two", "upper", "lower"])
@pytest.mark.parametrize("counts", TABLES)
def test_the_limits_of_one_model_are_clopper_and_pearsons(prefs, counts, side):
    answer = ta.estimate(prefs.Preferences(*counts), learner="A", side=side)
    way = {"two": "two-sided", "upper": "less", "lower": "greater"}[side]
    limits = binomtest(counts[0], sum(counts), alternative=way).proportion_ci(0.95, "exact")
    assert answer.estimate == counts[0] / sum(counts)
    assert [answer.interval.low, answer.interval.high] == pytest.approx(
        list(limits), rel=1e-10
    )  # SciPy's 1.17 has 12 digits


def test_test_and_interval_agree(prefs):
    for counts in product(range(13), (3,), range(13)):
        answer = ta.compare(prefs.Preferences(*counts))
        assert answer.rejected == (not answer.interval.contains(0.0))


def test_a_margin_is_decided_by_the_test_of_its_border(prefs):
    answer = ta.compare(prefs.Preferences(30, 20, 50), margin=0.1)
    chance = (1 - 0.1 / 0.8) / 2  # that B wins a decided comparison, where it wins 0.1 less often of all
    assert answer.pvalue == pytest.approx(binomtest(50, 80, chance, "greater").pvalue, rel=1e-12)
    assert answer.hypothesis.kind == "non-inferior"
    assert answer.rejected == (answer.interval.low > -0.1)


# --- Two, several, many ---------------------------------------------------------------------------------


def test_swapping_the_models_mirrors_the_answer_to_the_bit(prefs):
    for counts in TABLES:
        table = prefs.Preferences(*counts)
        answer, mirrored = ta.compare(table), ta.compare(table.select("B", "A"))
        assert (mirrored.difference, mirrored.pvalue) == (-answer.difference, answer.pvalue)
        assert (mirrored.interval.low, mirrored.interval.high) == (-answer.interval.high, -answer.interval.low)
        assert {answer.better, mirrored.better} in ({None}, {"A", "B"})


def test_a_batch_equals_a_loop(prefs):
    batch = ta.compare(prefs.Preferences(*np.array(TABLES).T))
    assert batch.shape == (len(TABLES),)
    for counts, entry in zip(TABLES, batch, strict=True):
        alone = ta.compare(prefs.Preferences(*counts))
        for name in ("difference", "pvalue", "better"):
            assert getattr(entry, name) == getattr(alone, name)
        limits = [alone.interval.low, alone.interval.high]
        assert [entry.interval.low, entry.interval.high] == pytest.approx(limits, rel=1e-14)
        assert [check.holds for check in entry.checks] == [check.holds for check in alone.checks]
    adjusted = ta.compare(prefs.Preferences(*np.array(TABLES).T), adjust="holm").adjusted
    assert adjusted == pytest.approx(ta.adjust(batch.pvalue, "holm"))


def test_several_models_are_all_pairs_adjusted_by_holm_and_grouped(several):
    ranking = ta.compare(several)
    alone = [binomtest(WINS[b][a], WINS[a][b] + WINS[b][a]).pvalue for a, b in ((0, 1), (0, 2), (1, 2))]
    assert ranking.pairs.pvalue == pytest.approx(alone, rel=1e-12)
    assert ranking.adjusted == pytest.approx(ta.adjust(alone, "holm"), rel=1e-12)
    assert ranking.adjustment.method == "holm"
    assert ranking.best == ("c",)
    assert [set(group) for group in ranking.groups] == [{"b", "c"}, {"a", "b"}]


def test_two_of_several_are_compared_as_two(several, prefs):
    answer = ta.compare(several, learners=("a", "c"))
    assert answer.evidence.models == ("a", "c")
    assert answer.pvalue == ta.compare(prefs.Preferences(20, 6, 50)).pvalue
    estimate = ta.estimate(several, learner="c")
    assert estimate.estimate == pytest.approx(94 / 152)


def test_comparisons_by_other_raters_are_pooled(two, several, prefs):
    pooled = two + prefs.Preferences(1, 2, 3, two.models)
    assert (pooled.wins_a, pooled.ties, pooled.wins_b) == (31, 7, 48)
    assert (several + several).size == 2 * several.size
    with pytest.raises(TypeError):
        two + prefs.Preferences(1, 2, 3)


# --- Errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"method": "sing-test"}, UnknownMethod, "Did you mean 'sign-test'"),
        ({"interval": "wald"}, UnknownMethod, "Choose one of: exact-share, sign-test"),
        ({"draws": 10}, InvalidOption, "unknown option `draws` of method 'sign-test'"),
        ({"against": 0.1}, InvalidOption, "`against` needs one ErrorCount, as it is a threshold"),
        ({"control": "old"}, InvalidOption, "`control` needs a table of scores on many data sets"),
        ({"metric": "f1"}, InvalidEvidence, "must be 'win-rate', got 'f1'"),
        ({"metric": "win-rte"}, InvalidOption, "win-rte"),
        ({"margin": 1.5}, InvalidOption, "margin"),
        ({"learners": ("old", "newer")}, InvalidOption, "`learners` must be one of 'old', 'new'"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_an_option_that_does_not_apply_is_refused_and_one_that_does_is_named(two, keywords, error, message):
    with pytest.raises(error, match=message):
        ta.compare(two, **keywords)


def test_unsupported_verbs_are_refused_with_the_evidence_named(two, several):
    with pytest.raises(UnknownMethod, match="Choose one of: exact-share, sign-test"):
        ta.estimate(two, learner="old", method="wilson")
    with pytest.raises(InvalidEvidence, match="an estimate needs one model"):
        ta.estimate(two)
    with pytest.raises(InvalidOption, match="holm"):
        ta.compare(several, adjust="max-t")
    with pytest.raises(InvalidEvidence, match="`evidence` must be of a kind that"):
        ta.advise(two)
    with pytest.raises(InvalidEvidence, match=r"PairedTable.*Preferences"):
        ta.plan(two, difference=0.1, power=0.8)


def test_too_few_decided_comparisons_fail_a_check(prefs):
    (check,) = ta.compare(prefs.Preferences(0, 20, 5)).checks
    assert (check.code, bool(check.holds)) == ("PREF1", False)
    assert "Collect more comparisons." in check.message
    undecided = ta.compare(prefs.Preferences(0, 20, 0))
    assert (undecided.pvalue, undecided.interval.low, undecided.interval.high) == (1.0, -1.0, 1.0)


# --- Output ------------------------------------------------------------------------------------


def test_answers_are_worded_by_the_evidence(two, several):
    answer = ta.compare(two)
    assert answer.display().verdict == "No significant difference between new and old"
    assert answer.display().figures.startswith("win rate 0.56 vs 0.38: 0.19 higher (95% CI -0.04 to 0.40), p = ")
    rows = dict(ta.compare(two).display().rows)
    assert rows["data"] == "80 comparisons: new wins 45, 5 ties, old wins 30"
    assert rows["scope"] == "these models, comparisons by raters like these; not other prompts"
    assert answer.words.endswith("Applies to these models on comparisons by raters like these, not to other prompts.")
    assert "error" not in str(answer)
    assert ta.compare(several).display().verdict == "c and b are tied for first of 3 models"
    assert ta.estimate(two, learner="new").words.startswith(
        "new: win rate 0.56 (95% CI 0.45 to 0.67). Applies to this "
    )


def test_details_and_notes_are_printed_on_request(two):
    text = ta.compare(two).explain()
    assert "75 decided" in text
    assert "6.25% of the comparisons" in text
    assert "75 decided" not in str(ta.compare(two))


def test_a_paragraph_cites_the_references_of_the_methods(two, several):
    for answer in (ta.compare(two), ta.compare(several)):
        assert "[Dixon and Mood 1946]" in answer.paragraph()
        assert "@article{dixon1946," in answer.bibtex()
    assert "[@clopper1934]" in ta.estimate(two, learner="old").paragraph("markdown")


def test_json_has_the_fields(two, several):
    answer = json.loads(ta.compare(two).to_json())
    assert answer["evidence"] == {"wins_a": 30, "ties": 5, "wins_b": 45, "models": ["old", "new"]}
    assert answer["interval"]["metric"] == "win-rate"
    assert answer["checks"][0]["code"] == "PREF1"
    assert answer["pvalue"] == ta.compare(two).pvalue
    assert json.loads(ta.compare(several).to_json())["evidence"]["wins"] == WINS
    assert ta.estimate(two, learner="new").as_dict()["target"] == "new"


def test_a_note_comes_with_the_answer(two):
    assert ta.compare(two).note("ties") == pytest.approx(5 / 80)
    assert ta.estimate(two, learner="new").note("ties") == pytest.approx(5 / 80)


def test_a_leaderboard_ranks_the_models(several):
    text = str(ta.compare(several).leaderboard())
    assert text.index("c   ") < text.index("b   ") < text.index("a   ")
    assert "0.618  0.536 to 0.696" in text


def test_evidence_has_a_notebook_representation(two, several):
    assert repr(two) == "Preferences(wins_a=30, ties=5, wins_b=45, models=('old', 'new'))"
    assert "80 comparisons, 5 of them tied" in two._repr_html_()
    assert "232 comparisons" in several._repr_html_()


def test_a_report_is_written_of_every_answer(two, several, prefs, tmp_path):
    answers = {
        "two": ta.compare(two),
        "margin": ta.compare(two, margin=0.1),
        "several": ta.compare(several),
        "one": ta.estimate(two, learner="new"),
        "several estimates": {model: ta.estimate(several, learner=model) for model in several.models},
        "calibration": ta.calibrate("sign-test", prefs.Votes(0.2, 20)),
    }
    for name, answer in answers.items():
        page = ta.write_report(tmp_path / f"{name}.html", answer).read_text("utf-8")
        assert "Sign test" in page or "Clopper-Pearson" in page, name
    assert "win rate" in (tmp_path / "two.html").read_text("utf-8")


# --- Converters ------------------------------------------------------------------------------------


def test_a_counter_is_converted(prefs):
    answer = ta.compare(Counter(A=3, B=9, tie=2))
    assert answer.pvalue == ta.compare(prefs.Preferences(3, 2, 9)).pvalue
    with pytest.raises(InvalidEvidence, match="got 'C'"):
        ta.compare(Counter(A=3, C=9))


def test_an_object_converts_itself(prefs):
    panel = prefs.Panel(["x", "y", "tie", *["y"] * 8], ("x", "y"))
    answer = ta.compare(panel)
    assert answer.evidence.models == ("x", "y")
    assert answer.better == "B"


@pytest.mark.usefixtures("prefs")
def test_a_file_is_read_by_its_name(tmp_path):
    file = tmp_path / "wins.prefs.json"
    file.write_text(json.dumps({"models": ["a", "b", "c"], "wins": WINS, "ties": TIES}), "utf-8")
    assert ta.compare(file).best == ("c",)
    assert ta.compare(str(file), learners=("a", "c")).better == "B"


# --- Simulation --------------------------------------------------------------------------------------------


def test_size_and_coverage_are_those_of_an_enumeration(prefs):
    design = prefs.Votes(tied=0.25, comparisons=12)
    calibration = ta.calibrate("sign-test", design, differences=[0.3])
    assert calibration.trials == "exact"
    for index, gap in enumerate([0.0, 0.3]):
        chances = (0.375 - gap / 2, 0.25, 0.375 + gap / 2)
        rejected = covered = 0.0
        for a, b in product(range(13), range(13)):
            if a + b > 12:
                continue
            chance = multinomial(12, chances).pmf([a, 12 - a - b, b])
            answer = ta.compare(prefs.Preferences(a, 12 - a - b, b))
            rejected += chance * (a + b > 0 and binomtest(b, a + b).pvalue < 0.05)
            covered += chance * bool(answer.interval.low - 1e-12 <= gap <= answer.interval.high + 1e-12)
        share = calibration.power.value[0] if index else calibration.size.value
        assert share == pytest.approx(rejected, rel=1e-9)
        assert calibration.coverage.value[index] == pytest.approx(covered, rel=1e-9)


def test_the_type_one_error_is_near_alpha(prefs):
    exact = ta.calibrate("sign-test", prefs.Votes(0.2, 150)).size.value
    assert 0.035 < exact <= 0.05
    drawn = ta.calibrate("sign-test", prefs.Votes(0.2, 150), trials=5000)
    assert drawn.size.value == pytest.approx(exact, abs=0.012)
    assert ta.calibrate("sign-test", prefs.Votes(0.2, 150), trials=5000).size.value == drawn.size.value
    assert " pp" not in drawn.words


def test_the_interval_of_one_model_covers_as_it_guarantees(prefs):
    calibration = ta.calibrate("exact-share", prefs.Votes(0.2, 40))
    assert np.all(calibration.coverage.value >= 0.95)


def test_methods_are_listed_with_all_others(prefs):
    names = {method.name for method in ta.find_methods(evidence=prefs.Preferences)}
    assert names == {"sign-test", "exact-share"}
