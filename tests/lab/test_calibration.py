"""What calibrate gives back: shares and how sure they are, sums, words, tables, and refusals."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import tellapart as ta
from tellapart.display import TextTable
from tellapart.errors import InvalidInput, InvalidOption, UnknownMethod
from tellapart.evidence import ErrorCount, IndependentCounts, PairedTable
from tellapart.lab import (
    ClusteredOutcomes,
    CrossedEffects,
    CrossedErrors,
    NormalEffects,
    OneRate,
    PairedOutcomes,
    Pool,
    ScoredExamples,
    SeedRuns,
    SeveralModels,
    Share,
    SimulatedLearners,
    Strata,
    TwoRates,
)
from tellapart.methods import find_method

laws = settings(derandomize=True, deadline=None, max_examples=10)
DESIGN = PairedOutcomes(0.1, 0.1, 0.1, 50)
TABLE = PairedTable(10, 25, 10, 255)


# --- Shares -----------------------------------------------------------------------------------------------------------


def test_a_counted_share_has_clopper_and_pearsons_limits():
    """31 of 1000: the quantiles of Beta(31, 970) and Beta(32, 969), by SciPy."""
    share = Share(np.float64(0.031), 1000)
    assert_allclose(
        [share.low, share.high], [stats.beta.ppf(0.025, 31, 970), stats.beta.ppf(0.975, 32, 969)], rtol=1e-9
    )
    assert str(share) == "0.0310 (0.0212 to 0.0437)"
    never, always = Share(np.float64(0.0), 10), Share(np.float64(1.0), 10)
    assert (never.low, always.high) == (0, 1)
    assert_allclose([never.high, always.low], [1 - 0.025**0.1, 0.025**0.1])


def test_an_exact_share_is_its_own_limits():
    share = Share(np.array([0.25, 2e-7]))
    assert share.low is share.value
    assert str(share) == "2 shares from 2.0e-07 to 0.2500"
    assert str(share[1]) == "2.0e-07 (exact)"
    assert share.interval.low is share.value


def test_an_undefined_share_is_undefined():
    share = Share(np.array([np.nan, 0.5]), 10)
    assert np.isnan([share.low[0], share.high[0]]).all()
    assert_allclose(share.high[1], 1 - share.low[1])
    assert str(share[0]) == "undefined"
    assert str(Share(np.array([np.nan]))) == "undefined"
    assert str(share) == "2 shares from 0.5000 to 0.5000"


# --- More trials ------------------------------------------------------------------------------------------------------

FIGURES = ("size", "power", "sign_errors", "undefined", "coverage", "too_high", "too_low")


def figures(result):
    return {name: getattr(result, name).value for name in FIGURES} | {"width": result.width}


@laws
@given(st.lists(st.integers(1, 400), min_size=3, max_size=3))
def test_runs_add_up(sizes):
    """The sum of runs is the run of all their trials, in any order and however they are bracketed."""
    one, two, three = (
        ta.calibrate("tango", DESIGN, trials=size, differences=[0.05], rng=index) for index, size in enumerate(sizes)
    )
    total = one + two + three
    assert total.trials == sum(sizes)
    for other in (one + (two + three), three + one + two):
        assert other.drawn == total.drawn
        for name, value in figures(total).items():
            assert_allclose(figures(other)[name], value, rtol=1e-12)
    by_hand = sum(result.size.value * result.trials for result in (one, two, three)) / sum(sizes)
    assert_allclose(total.size.value, by_hand)


def test_what_does_not_add_up():
    one = ta.calibrate("tango", DESIGN, trials=100)
    others = {
        "both calibrations contain the same trials": ta.calibrate("tango", DESIGN, trials=50),
        "same method": ta.calibrate("mcnemar", DESIGN, trials=50, rng=1),
        "same alpha": ta.calibrate("tango", DESIGN, trials=50, rng=1, alpha=0.1),
        "same side": ta.calibrate("tango", DESIGN, trials=50, rng=1, alternative="less"),
        "same gives": ta.calibrate("tango", DESIGN, trials=50, rng=1, margin=0.01),
        "same design and differences": ta.calibrate("tango", PairedOutcomes(0.1, 0.1, 0.1, 51), trials=50, rng=1),
        "same design and differences to be added": ta.calibrate("tango", DESIGN, trials=50, rng=1, differences=[0.03]),
        "an exact one needs no more trials": ta.calibrate("tango", DESIGN),
    }
    for message, other in others.items():
        with pytest.raises(InvalidInput, match=message):
            _ = one + other
    with pytest.raises(InvalidInput, match="exact"):
        _ = ta.calibrate("tango", DESIGN) + ta.calibrate("tango", DESIGN)
    with pytest.raises(InvalidInput, match="same options"):
        _ = ta.calibrate("k-se", DESIGN, trials=9) + ta.calibrate("k-se", DESIGN, trials=9, rng=1, k=2)
    with pytest.raises(InvalidInput, match="same margin"):
        _ = ta.calibrate("tango", DESIGN, trials=9, margin=0.01) + ta.calibrate(
            "tango", DESIGN, trials=9, margin=0.01, hypothesis="equivalent", rng=1
        )
    with pytest.raises(TypeError):
        _ = one + 1


def test_several_methods_add_up():
    names = ["mcnemar", "tango"]
    one, two = (ta.calibrate(names, DESIGN, trials=200, rng=seed) for seed in (0, 1))
    total = one + two
    assert total.methods == ("mcnemar", "tango")
    assert total["tango"].trials == 400
    assert_allclose(total[0].size.value, (one[0].size.value + two[0].size.value) / 2)
    with pytest.raises(InvalidInput, match="same methods"):
        _ = one + ta.calibrate(names[::-1], DESIGN, trials=200, rng=2)
    with pytest.raises(TypeError):
        _ = one + 1
    with pytest.raises(InvalidOption, match="`method` must be one of mcnemar, tango, got 'wald'"):
        _ = one["wald"]
    assert len(one) == len(list(one)) == 2


def test_thresholds_of_several_designs_add_up():
    design = OneRate([0.1, 0.2], 30)
    total = ta.calibrate("wilson", design, trials=50) + ta.calibrate("wilson", design, trials=50, rng=1)
    assert total.size.shape == (2,)
    assert total[1].trials == 100


# --- Words ------------------------------------------------------------------------------------------------------------


def tables_of(result, *, verbose=False):
    return [block for block in result.display(verbose=verbose).blocks if isinstance(block, TextTable)]


def words(*args, **options):
    return ta.calibrate(*args, **options).words


def test_words_of_two_classifiers():
    assert words("mcnemar-mid-p", TABLE) == (
        "If A and B are equally good, mcnemar-mid-p rejects with probability 4.7% at alpha = 0.05: valid. Its power is"
        " 7.5% at a difference of 1 pp, 16.5% at 2 pp and 72.5% at 5 pp."
    )
    assert "rejects in favour of A" in words("mcnemar", DESIGN, alternative="less")
    assert " at a difference of -1 pp" in words("mcnemar", DESIGN, alternative="less")
    assert "rejects in favour of B" in words("mcnemar", DESIGN, alternative="greater")
    assert words("bonett-price", DESIGN, differences=[]).startswith(
        "The 95% interval of bonett-price contains the true value"
    )
    assert "at least" not in words("bonett-price", DESIGN, differences=[])
    assert "Its 95% lower bound contains" in words("tango", DESIGN, alternative="greater")
    assert ("Its 1 - 1e-12 interval contains the true value with probability > 99.9%") in words(
        "tango", DESIGN, alpha=1e-12
    )


def test_words_of_one_classifier_speak_of_no_other():
    message = words("wilson", OneRate(0.05, 120))
    assert message.startswith("If the error rate is 5%, wilson rejects with probability 5.4% at alpha = 0.05")
    for alternative, claim in [
        ("greater", "rejects for a higher error rate"),
        ("less", "rejects for a lower error rate"),
    ]:
        assert claim in words("wilson", OneRate(0.05, 120), alternative=alternative)
    result = ta.calibrate("wilson", OneRate(0.05, 120))
    assert " A " not in str(result)
    assert " B " not in str(result)
    assert result.chosen is None


@pytest.mark.parametrize(
    ("hypothesis", "message"),
    [
        ("non-inferior", "If B is worse by 1 pp, tango claims non-inferiority with probability"),
        ("superior", "If B is better by 1 pp, tango claims superiority with probability"),
        ("equivalent", "If B is worse by 1 pp, tango claims equivalence with probability"),
    ],
)
def test_words_of_margins(hypothesis, message):
    result = ta.calibrate("tango", DESIGN, margin=0.01, hypothesis=hypothesis)
    assert result.words.startswith(message)
    assert (
        "margin    1 pp,"
        f" {({'superior': 'superiority', 'equivalent': 'equivalence'}).get(hypothesis, 'non-inferiority')}"
    ) in str(result)
    assert result.as_dict()["hypothesis"] == hypothesis
    assert result.coverage is None


def test_words_of_trials_say_how_sure_they_are():
    result = ta.calibrate("mcnemar", DESIGN, trials=2000)
    low, high = 100 * result.size.low, 100 * result.size.high
    assert f"(95% CI {low:.2g} to {high:.2g})" in result.words
    assert "2,000 simulated trials" in str(result)
    assert f"{result.size.value:.4f}  {result.size.low:.4f} to {result.size.high:.4f}" in result.explain()


@pytest.mark.parametrize(
    ("method", "design", "verdict"),
    [
        ("mcnemar-mid-p", TABLE, "valid"),
        ("mcnemar-exact", DESIGN, "conservative"),
        ("difference-of-proportions", PairedOutcomes(0.4, 0.4, 0.76, 50), "liberal"),
        ("pooled-z", TwoRates(0.02, 0.02, 20, 200), "slightly liberal"),
    ],
)
def test_verdicts(method, design, verdict):
    result = ta.calibrate(method, design)
    assert result.verdict == verdict
    assert f"at alpha = 0.05: {verdict}." in result.words


def test_coverage_that_oscillates_is_judged_by_its_average():
    """3 of 120: Jeffreys' interval misses 2.5% in 8% of samples, but its average coverage reaches the level.

    A low point of its saw-tooth (Brown, Cai and DasGupta 2001); the average is summed over outcomes here.
    """
    result = ta.calibrate("jeffreys", OneRate(0.025, 120))
    outcomes, errors = np.arange(121), np.linspace(0, 0.1, 2001)[1:, None]
    limits = ta.estimate(ta.ErrorCount(outcomes, 120)).interval
    evidence = (limits.low <= errors) & (errors <= limits.high)
    average = (stats.binom.pmf(outcomes, 120, errors) * evidence).sum(axis=1).mean()
    assert average > 0.95
    assert result.verdict == "valid on average"
    assert (
        f"oscillates with the error rate: {100 * average:.3g}% on average over error rates up to 10%."
    ) in result.words
    mirrored = ta.calibrate("jeffreys", OneRate(0.975, 120))
    assert (mirrored.verdict, "on average over error rates from 90% on" in mirrored.words) == (result.verdict, True)


@pytest.mark.parametrize(
    ("method", "error", "examples", "verdict"),
    [
        ("wald", 0.025, 120, "liberal"),  # status "do not use": no guarantee
        ("uniform", 0.3, 60, "slightly liberal"),  # a heuristic
        ("clopper-pearson", 0.025, 120, "conservative"),  # guaranteed at each true error
        ("wilson", 0.3, 60, "valid on average"),
        ("jeffreys", 0.3, 60, "valid"),
    ],
)
def test_only_methods_that_promise_an_average_are_judged_by_it(method, error, examples, verdict):
    result = ta.calibrate(method, OneRate(error, examples))
    assert result.verdict == verdict
    assert ("oscillates" in result.words) == ("on average" in verdict)


def test_a_handful_of_trials_tells_nothing():
    """No rejection in ten trials is compatible with a rate of 0.31 (Clopper and Pearson: 1 − 0.025^(1/10))."""
    assert ta.calibrate("mcnemar", TABLE, trials=10, differences=[]).verdict == "too few trials"


def test_words_of_several_designs():
    result = ta.calibrate("tango", PairedOutcomes([0.1, 0.2], 0.15, 0.1, 50))
    assert result.words == "2 designs. Select one by its index for a summary."
    assert "discordant rate 10%, 50" in str(result)
    assert result[1].words.startswith("If A and B")
    assert result.verdict is None


# --- Rows and tables --------------------------------------------------------------------------------------------------


def test_rows_of_one():
    result = ta.calibrate("tango", TABLE)
    rows = dict(result.rows())
    assert list(rows) == ["design", "how"]
    assert rows["how"] == "exact: all outcomes enumerated"
    *_, tests, intervals = tables_of(result, verbose=True)
    assert intervals.head == ["interval", "difference", "coverage", "too high", "too low", "width"]
    assert intervals.lines[-1][1] == "5 pp"
    assert intervals.lines[-1][2].startswith("0.95")
    assert intervals.lines[-1][-1] == "0.0789"
    assert tests.head[-1] == "wrong sign"
    assert float(tests.lines[1][-1]) > 0


def test_several_methods_are_a_table():
    result = ta.calibrate(["mcnemar", "tango", "bonett-price"], DESIGN, differences=[0.05])
    tests, intervals = tables_of(result)
    assert tests.head == ["test\n", "type I\nerror", "5 pp\npower", "wrong\nsign", "level"]
    assert [line[0] for line in tests.lines] == ["mcnemar", "tango"]  # a test has no coverage
    assert intervals.head == ["interval", "coverage", "width"]
    assert [line[0] for line in intervals.lines] == ["tango", "bonett-price"]  # an interval has no type I error
    lines = [line for line in str(result).splitlines() if "0.0473" in line]
    assert len({line.index("0.0473") for line in lines}) == 1  # columns stand under each other
    assert len(lines) == 2
    assert r"\begin{tabular}{lrrrl}" in result.to_latex()
    assert r"mcnemar & 0.0473" in result.to_latex()
    html = re.sub(' style="[^"]*"', "", result._repr_html_())
    assert "<td>mcnemar</td><td>0.0473</td>" in html
    assert repr(result) == str(result)


def test_tables_of_trials_and_of_several_designs():
    drawn = ta.calibrate(["mcnemar", "tango"], DESIGN, trials=500, differences=[])
    assert " to " in tables_of(drawn, verbose=True)[-2].lines[0][3]
    several = ta.calibrate(["mcnemar", "odds-exact"], PairedOutcomes([0.1, 0.0], [0.1, 0.0], [0.1, 0.0], 50))
    tests = tables_of(several)[0]
    assert dict(zip(tests.head, tests.lines[0], strict=True))["type I\nerror"] == "0.0000 to 0.0473"
    assert "undefined" not in str(several[1])
    mixed = ta.calibrate(["mcnemar", "percentile"], DESIGN, differences=[], resamples=40)
    assert "exact" in mixed.rows()[1][1]
    assert "10,000 simulated trials" in mixed.rows()[1][1]


@pytest.mark.parametrize("trials", [None, 300])
def test_json_keeps_every_digit(trials):
    result = ta.calibrate("tango", TABLE, trials=trials)
    text = json.loads(result.to_json())
    for name in FIGURES:
        assert text[name]["value"] == getattr(result, name).value.tolist()
        assert text[name]["low"] == np.asarray(getattr(result, name).low).tolist()
    assert text["width"] == result.width.tolist()
    assert text["trials"] == result.trials
    design = result.design
    assert text["design"] == {
        "design": "PairedOutcomes",
        "error_a": float(design.error_a),
        "error_b": float(design.error_b),
        "disagreement": 35 / 300,
        "examples": 300,
    }
    several = json.loads(ta.calibrate(["tango", "mcnemar"], TABLE, trials=trials).to_json())
    assert several["calibrations"][0] == text


# --- Refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (("mcnemer", DESIGN), {}, UnknownMethod, "unknown method 'mcnemer'. Did you mean 'mcnemar'"),
        (("pooled-z", DESIGN), {}, UnknownMethod, "needs IndependentCounts, not PairedTable"),
        (("", DESIGN), {}, UnknownMethod, "unknown method ''"),
        ((5, DESIGN), {}, InvalidOption, "`methods` must be a name or a list of names, such as .* got 5"),
        (([["tango"]], DESIGN), {}, InvalidOption, "`methods` must be a name or a list of names"),
        (([], DESIGN), {}, InvalidOption, "`methods` must name at least one method, got none"),
        ((["tango", "tango"], DESIGN), {}, InvalidOption, "`methods` must be different, got tango, tango"),
        (("tango", 5), {}, InvalidOption, "`design` must be a design of tellapart.lab, such as .* got int"),
        (("tango", PairedOutcomes), {}, InvalidOption, "`design` must be a design of tellapart.lab"),
        (("tango", PairedTable([1, 2], 1, 1, 1)), {}, InvalidOption, r"Take one of them: table\[0\]"),
        (("wilson", ErrorCount([1, 2], 5)), {}, InvalidOption, r"Take one of them: counts\[0\]"),
        (
            ("fisher", IndependentCounts(ErrorCount([1, 2], 5), ErrorCount([1, 2], 5))),
            {},
            InvalidOption,
            r"Take one of them: counts\[0\]",
        ),
        (
            ("tango", DESIGN),
            {"differences": [0.5]},
            InvalidOption,
            "`difference` must be between -0.1 and 0.1",
        ),
        (
            ("tango", DESIGN),
            {"differences": [np.nan]},
            InvalidOption,
            "`differences` must be different numbers other than 0",
        ),
        (("tango", DESIGN), {"differences": [0.0]}, InvalidOption, "The null hypothesis, 0, is always measured"),
        (("tango", DESIGN), {"differences": [0.01, 0.01]}, InvalidOption, "`differences` must be different numbers"),
        (("tango", DESIGN), {"differences": 0.05}, InvalidOption, "`differences` must be different numbers"),
        (("tango", DESIGN), {"differences": "0.05"}, InvalidOption, "`differences` must be different numbers"),
        (("tango", DESIGN), {"differences": [True]}, InvalidOption, "`differences` must be different numbers"),
        (("tango", DESIGN), {"trials": 0}, InvalidOption, "`trials` must be a whole number from 1 .* got 0"),
        (("tango", DESIGN), {"trials": 1.5}, InvalidOption, "`trials` must be .* got 1.5"),
        (("tango", DESIGN), {"trials": True}, InvalidOption, "`trials` must be .* got True"),
        (
            ("tango", DESIGN),
            {"trials": 10**12},
            InvalidOption,
            ("`trials` must be a whole number from 1 to 10,000,000,000"),
        ),
        (("tango", DESIGN), {"alpha": 1.5}, InvalidOption, "`alpha` must be between 0 and 1, got 1.5"),
        (("tango", DESIGN), {"level": 95}, InvalidOption, "For 95% use 0.95"),
        (("tango", DESIGN), {"level": 0.9, "alpha": 0.05}, InvalidOption, "`alpha` must be 1 - level"),
        (("tango", DESIGN), {"alternative": "bigger"}, InvalidOption, "`alternative` must be one of"),
        (("tango", DESIGN), {"learner": "Z"}, InvalidOption, "`learner` must be 'A' or None, got 'Z'"),
        (("tango", DESIGN), {"learner": "A"}, UnknownMethod, "compares two models. Leave out `learner`"),
        (("tango", DESIGN), {"nonsense": 3}, InvalidOption, "unknown option `nonsense` of method 'tango'"),
        (("tango", DESIGN), {"against": 0.3}, InvalidOption, "unknown option `against` of method 'tango'"),
        (("wilson", OneRate(0.1, 20)), {"against": 0.3}, InvalidOption, "unknown option `against` of method 'wilson'"),
        (("beta", OneRate(0.1, 20)), {}, InvalidOption, "`prior` is required by method 'beta'"),
        (("tango", DESIGN), {"rng": -1}, InvalidOption, "`rng` must be a seed .* got -1"),
        (("tango", DESIGN), {"rng": None}, InvalidOption, "`rng` must be a seed .* got None"),
        (("tango", DESIGN), {"rng": True}, InvalidOption, "`rng` must be a seed .* got True"),
        (("tango", DESIGN), {"jobs": 0}, InvalidOption, "`jobs` must be a whole number, at least 1, got 0"),
        (("tango", DESIGN), {"jobs": 1.5}, InvalidOption, "`jobs` must be a whole number"),
        (
            ("tango", DESIGN),
            {"executor": 5},
            InvalidOption,
            ("`executor` must be an executor like those of concurrent.futures"),
        ),
        (("tango", DESIGN), {"margin": 0.0}, InvalidOption, "`margin` must be between 0 and 1"),
        (("tango", DESIGN), {"margin": 0.2}, InvalidOption, "`difference` must be between -0.1 and 0.1"),
        (
            ("tango", DESIGN),
            {"margin": 0.01, "alternative": "less"},
            InvalidOption,
            "`alternative` must be left out with a margin",
        ),
        (
            ("tango", DESIGN),
            {"margin": 0.01, "alpha": 0.6},
            InvalidOption,
            r"`alpha` must be below 0\.5 with a margin, as the interval has level 1 - 2 alpha",
        ),
        (("tango", DESIGN), {"margin": 0.01, "hypothesis": "better"}, InvalidOption, "`hypothesis` must be one of"),
        (
            ("tango", DESIGN),
            {"margin": 0.01, "differences": [-0.01]},
            InvalidOption,
            "The null hypothesis, -0.01, is always",
        ),
        (("tango", DESIGN), {"hypothesis": "superior"}, InvalidOption, "needs a margin. Use margin=0.01"),
        (("mcnemar", DESIGN), {"margin": 0.01}, UnknownMethod, "'mcnemar' has no test against a margin"),
        (("wilson", OneRate(0.1, 20)), {"margin": 0.01}, UnknownMethod, "'wilson' has no test against a margin"),
        (("bonett-price", DESIGN), {"margin": 0.01}, UnknownMethod, "'bonett-price' has no test against a margin"),
        (
            (find_method("wilson", "test", ErrorCount), OneRate(0.0, 20)),
            {},
            InvalidOption,
            "`design` must have a threshold between 0 and 1 to be tested",
        ),
        (
            (find_method("wilson", "test", ErrorCount), DESIGN),
            {},
            UnknownMethod,
            "needs ErrorCount, which this design does not produce",
        ),
    ],
)
def test_invalid_requests_are_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        ta.calibrate(*arguments, **options)


def test_p_values_of_an_interval():
    with pytest.raises(InvalidOption, match=r"'bonett-price' has no p-values. It gives: interval"):
        _ = ta.calibrate("bonett-price", DESIGN).quantiles


# --- Rules that promise nothing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["k-se", "interval-overlap"])
def test_a_rule_without_p_values_is_not_held_to_an_alpha(method):
    result = ta.calibrate(method, DESIGN)
    assert result.rule
    assert result.verdict is None
    assert "alpha" not in result.words
    assert "a rule without a nominal level" in result.words
    assert "at alpha" not in str(result)
    assert not ta.calibrate("mcnemar", DESIGN).rule


@pytest.mark.parametrize("method", ["vote", "mean-error-choice", "holdout-choice"])
def test_a_choice_tells_whom_it_chooses(method):
    design = SimulatedLearners(0.2, examples=60, plan="holdout" if method == "holdout-choice" else "10-fold")
    result = ta.calibrate(method, design, trials=60, differences=[-0.1, 0.1])
    assert result.chooses
    each = np.array([share.value for share in result.chosen.values()])
    assert_allclose(each.sum(axis=0), 1)
    assert not ((each > 0) & (each < 1 / 60 - 1e-9)).any()  # no share of 60 trials is what rounding left over
    (choices,) = (table for table in tables_of(result) if table.head[0] == "rule\n")
    assert [line[1] for line in choices.lines] == ["0 pp", "-10 pp", "10 pp"]
    assert_allclose([[float(cell) for cell in line[2:]] for line in choices.lines], each.T, atol=5e-5)
    assert result.words.startswith(f"If A and B are equally good, {method} chooses A with probability ")
    assert "if A is better by 10 pp, it chooses" in result.words
    tables = tables_of(ta.calibrate([method], design, trials=60, differences=[]))
    assert "rule\n" in [table.head[0] for table in tables]
    assert not any("power" in head or "type I" in head for table in tables for head in table.head)


def test_a_test_of_all_models_speaks_for_none_of_them():
    result = ta.calibrate(["cochran-q", "max-t"], SeveralModels(0.2, 3, 50, 0.5), trials=50, differences=[0.1])
    for each in result:
        assert each.chosen is None
        assert each.too_high is None  # limits of several pairs may miss on both sides at once
        assert each.words.startswith("If all models are equally good")
        assert str(each)
    assert result["cochran-q"].sign_errors is None
    assert result["max-t"].sign_errors is not None


@pytest.mark.parametrize(
    "design",
    [
        PairedOutcomes(np.linspace(0.1, 0.2, 1000), 0.1, 0.2, 50),
        OneRate(np.linspace(0, 0.1, 1000), 50),
        SeveralModels(0.2, 3, 50),
        Strata((0.1, 0.2), (0.5, 0.5), (10, 10)),
        Pool(3, 20, 10),
        NormalEffects("5x2"),
        SeedRuns(5, 5),
        CrossedEffects(5, 5),
        CrossedErrors(0.1, 5, 5),
        ClusteredOutcomes(0.1, 0.1, 0.1, 5, 5, 0.5),
        ScoredExamples(50, "skewed", clusters=10, correlation=0.2, repeats=3, within=0.5),
    ],
)
def test_a_design_is_reported_in_a_line(design):
    assert repr(design) == f"<{type(design).__name__}: {design.describe()}>"
    assert len(repr(design)) < 200
