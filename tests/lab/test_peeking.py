"""peeking: against every path by itself, published figures, trials, calibrate, and its own laws."""

import itertools
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import comb, factorial, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import ndtri

import tellapart as ta
from tellapart import lab
from tellapart.display import TextTable
from tellapart.errors import InvalidInput, InvalidOption, UnknownMethod
from tellapart.lab import OneRate, PairedOutcomes, count_paths, peeking
from tellapart.methods import find_method

laws = settings(derandomize=True, deadline=None, max_examples=15)
SMALL = PairedOutcomes(0.35, 0.2, 0.45, 7)


# --- Every path by itself -------------------------------------------------------------------------


def every_path(chances, looks, decide):
    """Follow each sequence of examples; return the probability of stopping by (look, sign), and the mean number then.

    `chances` are those of each kind of example; `decide` takes how many there were of each, and the place of the look.
    """
    stopped, examples = Counter(), 0.0
    for path in itertools.product(range(len(chances)), repeat=looks[-1]):
        chance, end = 1.0, looks[-1]
        for kind in path:
            chance *= chances[kind]
        for index, size in enumerate(looks):
            seen = Counter(path[:size])
            sign = decide([seen[kind] for kind in range(len(chances))], index)
            if sign:
                stopped[index, sign], end = stopped[index, sign] + chance, size
                break
        examples += chance * end
    return stopped, examples


def mid_p(b, c):
    """Twice the tail of a fair coin, the outcome itself counted half."""
    n, fewer = b + c, min(b, c)
    if b == c:
        return Fraction(1)
    return 2 * Fraction(sum(comb(n, k) for k in range(fewer)), 2**n) + Fraction(comb(n, fewer), 2**n)


def evalue(b, c):
    """2^(b+c) B(b+1, c+1): the wealth of who bets on a coin with a flat prior."""
    return Fraction(2 ** (b + c) * factorial(b) * factorial(c), factorial(b + c + 1))


def by(pvalue, level):
    """Decide for the lower error rate if p is below a level, which may differ between looks."""

    def decide(counts, index):
        b, c = counts[0], counts[1]
        bound = level[index] if isinstance(level, list) else level
        return (1 if b > c else -1) if pvalue(b, c) < bound else 0

    return decide


def chances_at(step, design=SMALL):
    """Only A wrong, only B wrong, and the rest."""
    a, b = (design.disagreement + step) / 2, (design.disagreement - step) / 2
    return [a, b, 1 - a - b]


RULES = {
    "mcnemar-mid-p": by(mid_p, 0.3),
    "mcnemar-evalue": by(lambda b, c: 1 / evalue(b, c), 0.3),
    "one look": by(mid_p, [0.0] * 6 + [0.3]),
    "bonferroni": by(mid_p, 0.3 / 7),
}


def assert_same(measured_peeking, index, expected, looks):
    stopped, examples = expected
    assert_allclose(
        measured_peeking.stopped[index],
        [[stopped[look, sign] for sign in (-1, 1)] for look in range(len(looks))],
        atol=1e-14,
    )
    assert_allclose(measured_peeking.examples[index], examples, rtol=1e-12)


def table_of(measured_peeking):
    return next(block for block in measured_peeking.display().blocks if isinstance(block, TextTable))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("step", [0.0, -0.3])
def test_every_example_is_looked_at_as_every_path_says(rule, step):
    measured_peeking = peeking(SMALL, looks=7, rules=[rule], differences=[step] if step else [], alpha=0.3)
    assert measured_peeking.trials == "exact"
    assert_same(
        measured_peeking[rule],
        len(measured_peeking.differences) - 1,
        every_path(chances_at(step), range(1, 8), RULES[rule]),
        range(7),
    )


def test_looks_of_unequal_distance_are_those_of_every_path():
    measured_peeking = peeking(SMALL, looks=[2, 5, 7], rules=["mcnemar-mid-p"], differences=[0.2], alpha=0.3)[0]
    assert_same(measured_peeking, 1, every_path(chances_at(0.2), [2, 5, 7], RULES["mcnemar-mid-p"]), range(3))


def test_limits_miss_the_truth_as_often_as_on_every_path():
    tango = find_method("tango", "test", ta.PairedTable)

    def missed(counts, _index):
        b, c, rest = counts
        return int(tango(ta.PairedTable(0, b, c, rest), against=0.15).pvalue < 0.3)

    measured_peeking = peeking(
        SMALL, looks=6, rules=["tango", "mcnemar", "mcnemar-mid-p"], differences=[0.15], alpha=0.3
    )
    lost, _ = every_path(chances_at(0.15), measured_peeking.looks, missed)
    for rule in measured_peeking:  # compare shows tango's limits beside all three
        assert_allclose(rule.coverage.value[1], 1 - sum(lost.values()), rtol=1e-12)
        assert_allclose(rule.coverage.value[0], 1 - measured_peeking["tango"].type_i_error.value, rtol=1e-12)


def test_one_error_is_looked_at_as_every_path_says():
    def against(threshold):
        def decide(counts, _index):
            n = sum(counts)
            z = (counts[0] - n * threshold) / sqrt(n * threshold * (1 - threshold))
            return 0 if abs(z) <= -ndtri(0.1) else int(np.sign(z))

        return decide

    measured_peeking = peeking(OneRate(0.3, 9), looks=9, rules=["wilson"], differences=[0.2], alpha=0.2)[0]
    assert_same(measured_peeking, 0, every_path([0.3, 0.7], range(1, 10), against(0.3)), range(9))
    assert_same(measured_peeking, 1, every_path([0.5, 0.5], range(1, 10), against(0.3)), range(9))
    lost, _ = every_path([0.5, 0.5], range(1, 10), against(0.5))
    assert_allclose(measured_peeking.coverage.value[1], 1 - sum(lost.values()), rtol=1e-12)


@pytest.mark.parametrize("few", [0, 10**9])
def test_one_example_after_the_other_is_a_transform_of_them_all(monkeypatch, few):
    usual = peeking(PairedOutcomes(0.1, 0.1, 0.15, 120), looks=[30, 34, 75, 120], rules=["mcnemar-mid-p", "tango"])
    monkeypatch.setattr(count_paths, "_FEW", few)
    measured_peeking = peeking(
        PairedOutcomes(0.1, 0.1, 0.15, 120), looks=[30, 34, 75, 120], rules=["mcnemar-mid-p", "tango"]
    )
    for here, there in zip(usual, measured_peeking, strict=True):
        assert_allclose(here.stopped, there.stopped, atol=1e-14)
        assert_allclose(here.by_look.value, there.by_look.value, rtol=1e-11, atol=1e-14)


# --- Against others -------------------------------------------------------------------------------


@pytest.mark.parametrize(("looks", "published"), [(2, 0.083), (5, 0.142), (20, 0.248)])
def test_looking_again_errs_as_often_as_armitage_mcpherson_and_rowe_say(looks, published):
    """Their Table 2 (1969): repeated two-sided normal tests at 5%; 800 discordant pairs are nearly normal."""
    measured_peeking = peeking(PairedOutcomes(0.3, 0.3, 0.4, 2000), looks=looks, rules="mcnemar", differences=[])[0]
    assert_allclose(measured_peeking.type_i_error.value, published, atol=0.002)


@pytest.mark.parametrize("rule", ["mcnemar-mid-p", "mcnemar-exact", "tango", "mcnemar-evalue"])
def test_one_look_is_what_calibrate_measures(rule):
    design = PairedOutcomes(0.12, 0.12, 0.1, 250)
    measured_peeking = peeking(design, looks=1, rules=[rule], differences=[0.02, -0.05])[0]
    known = ta.calibrate(find_method(rule, "test", ta.PairedTable), design, differences=[0.02, -0.05])
    assert_allclose(measured_peeking.type_i_error.value, known.size.value, rtol=1e-10)
    assert_allclose(measured_peeking.power.value, known.power.value, rtol=1e-10)
    assert_allclose(measured_peeking.wrong.value, known.sign_errors.value, rtol=1e-8, atol=1e-15)
    assert_allclose(measured_peeking.examples, 250)


@pytest.mark.parametrize(
    ("design", "rules"),
    [
        (PairedOutcomes(0.12, 0.12, 0.1, 200), ["mcnemar-mid-p", "tango", "pocock", "one look"]),
        (OneRate(0.1, 200), ["clopper-pearson", "wilson", "obrien-fleming"]),
    ],
)
def test_trials_agree_with_what_is_exact(design, rules):
    exact = peeking(design, looks=8, rules=rules, differences=[0.04])
    measured_peeking = peeking(design, looks=8, rules=rules, differences=[0.04], trials=10_000)
    assert measured_peeking.trials == 10_000
    for here, there in zip(exact, measured_peeking, strict=True):
        p = here.by_look.value
        assert np.all(np.abs(there.by_look.value - p) < 4.5 * np.sqrt(p * (1 - p) / 10_000) + 1e-9)
        assert_allclose(there.examples, here.examples, atol=4.5 * 200 / np.sqrt(10_000))
        if here.coverage is not None:
            assert_allclose(there.coverage.value, here.coverage.value, atol=4.5 * 0.5 / np.sqrt(10_000))
        assert there.type_i_error.low <= there.type_i_error.value <= there.type_i_error.high


# --- What the rules promise -----------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-12])
@pytest.mark.parametrize("disagreement", [0.05, 1.0])
def test_an_evalue_may_be_looked_at_after_every_example(alpha, disagreement):
    design = PairedOutcomes(0.5, 0.5, disagreement, 120)
    measured_peeking = peeking(design, looks=120, rules=["mcnemar-evalue"], differences=[], alpha=alpha)[0]
    assert measured_peeking.type_i_error.value <= alpha
    if disagreement == 1.0 and alpha == 0.05:  # it is no empty promise
        assert measured_peeking.type_i_error.value > alpha / 4


@pytest.mark.parametrize("prior", [0.5, 5.0])
def test_an_evalue_keeps_its_word_with_any_prior(prior):
    design = PairedOutcomes(0.3, 0.3, 0.5, 80)
    measured_peeking = peeking(design, looks=80, rules=["mcnemar-evalue"], differences=[], prior=prior)[0]
    assert measured_peeking.type_i_error.value <= 0.05


def test_a_confidence_sequence_of_the_difference_holds_it_throughout():
    measured_peeking = peeking(
        PairedOutcomes(0.3, 0.3, 0.3, 50), looks=50, rules=["mcnemar-evalue"], differences=[-0.2, 0.29]
    )
    assert np.all(measured_peeking[0].coverage.value >= 0.95)
    assert measured_peeking[0].coverage.shape == (3,)


def test_a_confidence_sequence_of_an_error_holds_it_throughout():
    rules = ["beta-binomial-cs", "wilson"]
    measured_peeking = peeking(OneRate(0.1, 300), looks=300, rules=rules, differences=[-0.08, 0.4])
    assert np.all(measured_peeking["beta-binomial-cs"].coverage.value >= 0.95)
    assert measured_peeking["beta-binomial-cs"].type_i_error.value <= 0.05
    assert np.all(
        measured_peeking["wilson"].coverage.value < 0.75
    )  # an interval for one look is none for three hundred


@pytest.mark.parametrize("rule", ["obrien-fleming", "pocock"])
@pytest.mark.parametrize("design", [PairedOutcomes(0.3, 0.3, 0.4, 2000), OneRate(0.3, 2000)], ids=["pairs", "one"])
def test_planned_looks_spend_what_they_may(design, rule):
    measured_peeking = peeking(design, looks=10, rules=[rule], differences=[])[0]
    assert_allclose(measured_peeking.type_i_error.value, 0.05, atol=0.003)
    assert_allclose(measured_peeking.coverage.value, 1 - measured_peeking.type_i_error.value)


def test_rules_come_in_the_order_that_is_known_of_them():
    """One look has the most power; anytime-valid tests lose power, planned looks lose less."""
    measured_peeking = peeking(PairedOutcomes(0.1, 0.1, 0.1, 400), differences=[0.05])
    power = {each.rule: float(each.power.value[0]) for each in measured_peeking}
    assert power["one look"] > power["obrien-fleming"] > power["pocock"] > power["mcnemar-evalue"]
    assert power["mcnemar-evalue"] > power["bonferroni"] - 0.1
    assert measured_peeking["one look"].examples.tolist() == [400, 400]
    assert measured_peeking["pocock"].examples[1] < measured_peeking["obrien-fleming"].examples[1] < 400
    assert measured_peeking["mcnemar-mid-p"].type_i_error.value > 3 * 0.05
    assert [each.rule for each in measured_peeking if each.naive] == ["mcnemar-mid-p"]


# --- Laws -----------------------------------------------------------------------------------------

shapes = st.tuples(st.integers(5, 60), st.floats(0.05, 0.9), st.floats(0.02, 0.4), st.integers(1, 5))


@laws
@given(shapes)
def test_exchanging_a_and_b_exchanges_the_sides(shape):
    examples, disagreement, alpha, looks = shape
    design, step = PairedOutcomes(0.5, 0.5, disagreement, examples), disagreement / 3
    measured_peeking = peeking(
        design, looks=looks, rules=["mcnemar-mid-p", "tango"], differences=[step, -step], alpha=alpha
    )
    for each in measured_peeking:
        assert_allclose(each.stopped[1], each.stopped[2][:, ::-1], atol=1e-13)
        assert_allclose(each.stopped[0], each.stopped[0][:, ::-1], atol=1e-13)
    assert_allclose(
        measured_peeking["tango"].coverage.value[1], measured_peeking["tango"].coverage.value[2], atol=1e-12
    )


@laws
@given(shapes)
def test_more_looks_raise_more_false_alarms_and_a_larger_alpha_does(shape):
    examples, disagreement, alpha, looks = shape
    design = PairedOutcomes(0.5, 0.5, disagreement, examples)

    def alarms(looks, alpha):
        return peeking(design, looks=looks, rules=["mcnemar-mid-p"], differences=[], alpha=alpha)[0]

    measured_peeking = alarms(looks, alpha)
    more = alarms(sorted({*measured_peeking.looks.tolist(), *range(1, examples + 1, 2), examples}), alpha)
    assert more.type_i_error.value >= measured_peeking.type_i_error.value - 1e-13
    assert more.examples[0] <= measured_peeking.examples[0] + 1e-9
    assert alarms(looks, alpha / 2).type_i_error.value <= measured_peeking.type_i_error.value + 1e-13
    assert np.all(np.diff(measured_peeking.by_look.value) >= -1e-15)
    assert 0 <= measured_peeking.by_look.value.min() <= measured_peeking.by_look.value.max() <= 1


# --- Extremes -------------------------------------------------------------------------------------


def test_classifiers_that_never_disagree_are_never_significantly_different():
    measured_peeking = peeking(PairedOutcomes(0.1, 0.1, 0.0, 50), looks=5, differences=[])
    assert all(each.type_i_error.value == 0 for each in measured_peeking)
    assert all(each.examples[0] == 50 for each in measured_peeking)


def test_classifiers_that_always_disagree_are_significantly_different_for_certain():
    measured_peeking = peeking(PairedOutcomes(0.5, 0.5, 1.0, 50), looks=5, differences=[1.0, -1.0])
    for each in measured_peeking:
        assert_allclose(each.power.value, 1.0)
        assert_allclose(each.wrong.value, 0.0)
        assert each.coverage is None or np.isnan(each.coverage.value[1:]).all()  # no limit lies beyond 1
    assert "coverage\n" in table_of(measured_peeking).head


def test_one_example_is_one_look():
    measured_peeking = peeking(PairedOutcomes(0.2, 0.2, 0.3, 1), looks=1, differences=[])
    assert all(each.type_i_error.value == 0 for each in measured_peeking)
    assert peeking(OneRate(0.2, 1), looks=1, differences=[]).looks.tolist() == [1]
    assert "one look after 1 example" in " ".join(str(measured_peeking).split())


def test_where_nobody_says_how_often_it_is_twenty_times_or_after_every_example():
    few, many = (peeking(OneRate(0.2, examples), rules=["wilson"], differences=[]) for examples in (7, 100))
    assert few.looks.tolist() == list(range(1, 8))
    assert many.looks.tolist() == list(range(5, 101, 5))


def test_an_error_at_the_end_of_its_range_has_no_limits_to_be_held():
    measured_peeking = peeking(OneRate(0.2, 30), looks=3, rules=["wilson"], differences=[-0.2, 0.8])[0]
    assert np.isnan(measured_peeking.coverage.value).tolist() == [False, True, True]
    assert_allclose(measured_peeking.power.value, 1.0)


def test_what_is_too_much_to_be_listed_is_simulated():
    measured_peeking = peeking(
        PairedOutcomes(0.1, 0.1, 0.1, 10**9), looks=5, rules=["mcnemar", "pocock"], differences=[1e-5]
    )
    assert measured_peeking.trials == 10_000
    assert 0.12 < measured_peeking["mcnemar"].type_i_error.value < 0.165  # 0.142 (Armitage, McPherson and Rowe)
    assert "10,000 simulated trials" in str(measured_peeking)


def test_who_reads_all_cells_is_simulated():
    measured_peeking = peeking(
        PairedOutcomes(0.3, 0.3, 0.2, 50), looks=2, rules=["two-intervals", "one look"], trials=None
    )
    assert measured_peeking.trials == 10_000
    again = peeking(PairedOutcomes(0.3, 0.3, 0.2, 50), looks=2, rules=["two-intervals", "one look"], rng=0)
    assert again.to_json() == measured_peeking.to_json()
    other = peeking(PairedOutcomes(0.3, 0.3, 0.2, 50), looks=2, rules=["two-intervals", "one look"], rng=1)
    assert other.to_json() != measured_peeking.to_json()


def test_trials_beyond_a_block_are_drawn_too():
    measured_peeking = peeking(
        PairedOutcomes(0.3, 0.3, 0.2, 20), looks=1, rules=["mcnemar"], differences=[], trials=150_000
    )
    exact = peeking(PairedOutcomes(0.3, 0.3, 0.2, 20), looks=1, rules=["mcnemar"], differences=[])
    assert measured_peeking[0].type_i_error.low < exact[0].type_i_error.value < measured_peeking[0].type_i_error.high


# --- What it says ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def measured_peeking():
    return peeking(ta.PairedTable(10, 15, 15, 260), looks=10, differences=[0.05])


def test_what_was_observed_is_a_design_without_its_difference(measured_peeking):
    assert measured_peeking.design.examples == 300
    assert measured_peeking.design.error_a == measured_peeking.design.error_b
    lopsided = peeking(ta.PairedTable(10, 30, 0, 260), looks=10, differences=[0.05])
    assert_allclose(lopsided[0].stopped, measured_peeking[0].stopped)


def test_the_words_tell_a_newcomer(measured_peeking):
    first = 100 * measured_peeking["mcnemar-mid-p"].type_i_error.value
    rates, powers = measured_peeking.words.split("Power at a true difference of 5 pp: ")
    assert rates.startswith(
        "If the models are equally good, over 10 looks at alpha = 0.05, mcnemar-mid-p rejects with probability"
        f" {first:.1f}%, "
    )
    assert "mcnemar-mid-p" not in powers  # liberal: its power is not comparable
    one = peeking(OneRate(0.1, 50), looks=1, rules=["wilson"], differences=[])
    assert one.words.startswith(
        "If the error rate is 10%, over 1 look at alpha = 0.05, wilson rejects with probability "
    )
    planned = peeking(OneRate(0.1, 50), looks=2, rules=["pocock"], differences=[])
    assert planned.words.startswith(
        "If the error rate is 10%, over 2 looks at alpha = 0.05, pocock rejects with probability "
    )


def test_text_json_markdown_latex_and_html_have_every_rule(measured_peeking):
    message = json.loads(measured_peeking.to_json())
    assert [each["rule"] for each in message["rules"]] == list(measured_peeking.rules)
    assert message["rules"][0]["type_i_error"]["value"] == measured_peeking[0].type_i_error.value
    assert message["rules"][0]["false_alarms"] == message["rules"][0]["type_i_error"]  # the key of earlier versions
    assert message["looks"] == list(range(30, 301, 30))
    assert message["trials"] == "exact"
    assert message["words"] == measured_peeking.words
    for text in (
        str(measured_peeking),
        repr(measured_peeking),
        measured_peeking.to_markdown(),
        measured_peeking.to_latex(),
        measured_peeking._repr_html_(),
    ):
        assert all(rule in text for rule in measured_peeking.rules)
        assert f"{measured_peeking['pocock'].type_i_error.value:.4f}" in text
    assert "up to 300; exact" in " ".join(str(measured_peeking).split())
    assert "looks every 30 examples up to 300" in " ".join(str(measured_peeking).split())
    assert (
        repr(measured_peeking["one look"])
        == f"<one look: type I error rate {measured_peeking['one look'].type_i_error}>"
    )
    assert len(measured_peeking) == 6


def test_who_described_it_is_cited(measured_peeking):
    assert measured_peeking.references[0] == "armitage1969"
    assert {"lan1983", "fagerland2013"} <= set(measured_peeking.references)


def test_columns_that_nobody_fills_are_left_out():
    shown = peeking(PairedOutcomes(0.1, 0.1, 0.1, 60), looks=2, rules=["mcnemar-mid-p"], differences=[])
    assert table_of(shown).head == ["stopping rule\n", "type I\nerror", "coverage\n"]
    assert "looks after 30 and 60 examples" in " ".join(str(shown).split())
    unknown = replace(shown, each=(replace(shown[0], not_covered=None),))
    assert table_of(unknown).head == ["stopping rule\n", "type I\nerror"]
    assert not {"held", "coverage"} & unknown.as_dict()["rules"][0].keys()


def test_one_look_is_at_the_test_that_others_look_at_often():
    design = PairedOutcomes(0.1, 0.1, 0.1, 60)
    assert peeking(design, looks=2, rules=["pocock", "mcnemar", "one look"], differences=[])[2].method == "mcnemar"
    assert peeking(design, looks=2, rules=["pocock", "one look"], differences=[])[1].method == "mcnemar-mid-p"
    options = peeking(design, looks=2, rules=["mcnemar", "bonferroni"], test="tango", differences=[])
    assert options["bonferroni"].method == "tango"
    assert peeking(OneRate(0.1, 60), looks=2, rules=["bonferroni"], differences=[])[0].method == "clopper-pearson"


def test_names_are_those_of_the_lab():
    assert lab.peeking is peeking
    assert isinstance(peeking(OneRate(0.1, 5), looks=1, rules="wilson", differences=[]), lab.Peeking)


# --- Bad input ------------------------------------------------------------------------------------

DESIGN = PairedOutcomes(0.1, 0.1, 0.1, 100)
BAD = [
    ({"looks": 0}, "`looks` must be a number from 1 to 100"),
    ({"looks": 101}, "`looks` must be a number from 1 to 100"),
    ({"looks": 2.5}, "`looks` must be a number"),
    ({"looks": "many"}, "`looks` must be a number"),
    ({"looks": [[1], [2, 3]]}, "`looks` must be a number"),
    ({"looks": []}, "`looks` must be a number"),
    ({"looks": [50, 50, 100]}, "`looks` must be increasing numbers of examples"),
    ({"looks": [0, 100]}, "`looks` must be increasing numbers of examples"),
    ({"looks": [50, 90]}, "that end at 100"),
    ({"rules": []}, "`rules` must be names"),
    ({"rules": [3]}, "`rules` must be names"),
    ({"rules": ["mcnemar", "mcnemar"]}, "`rules` must be different"),
    ({"rules": ["mcnemr"]}, "unknown rule 'mcnemr' for PairedTable. Did you mean 'mcnemar'?"),
    ({"rules": ["wilson"]}, "unknown rule 'wilson'"),
    ({"test": "tangoo"}, "unknown rule 'tangoo'"),
    ({"differences": [0.0]}, "`differences` must be different numbers other than 0"),
    ({"differences": ["x"]}, "`differences` must be different numbers"),
    ({"differences": 0.1}, "`differences` must be different numbers"),
    ({"differences": [0.2]}, "`difference` must be between -0.1 and 0.1"),
    ({"alpha": 0}, "`alpha` must be between 0 and 1"),
    ({"level": 95}, "For 95% use 0.95"),
    ({"trials": 0}, "`trials` must be a whole number"),
    ({"trials": 1.5}, "`trials` must be a whole number"),
    ({"rng": -1}, "`rng` must be a seed"),
    ({"rules": ["mcnemar"], "prior": 1}, "unknown option `prior` of method 'mcnemar'"),
]


@pytest.mark.parametrize(("options", "text"), BAD, ids=[str(options) for options, _ in BAD])
def test_bad_input_is_reported_with_the_way_out(options, text):
    with pytest.raises((InvalidOption, UnknownMethod)) as caught:
        peeking(DESIGN, **options)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("design", "text"),
    [
        (lab.TwoRates(0.1, 0.1, 50, 50), "`design` must be PairedOutcomes or OneRate"),
        (3, "`design` must be a design of tellapart.lab"),
        (PairedOutcomes([0.1, 0.2], 0.1, 0.15, 50), r"`design` must be one design, got an array of shape \(2,\)"),
        (OneRate(0.0, 50), "`design` must have a threshold between 0 and 1"),
    ],
)
def test_other_designs_are_refused(design, text):
    with pytest.raises(InvalidInput, match=text):
        peeking(design)


def test_a_rule_that_is_not_there_is_reported(measured_peeking):
    with pytest.raises(InvalidOption, match="`rule` must be one of mcnemar-mid-p, "):
        measured_peeking["tango"]
    assert measured_peeking[0] is measured_peeking["mcnemar-mid-p"]


def test_old_names_are_aliases(measured_peeking):
    rule = measured_peeking["one look"]
    assert rule.false_alarms.value == rule.type_i_error.value
    assert_allclose(rule.held.value, rule.coverage.value)
    assert rule.missed is rule.not_covered
