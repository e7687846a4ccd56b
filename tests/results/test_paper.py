"""A paragraph for a paper: its facts, its citations, and every name as it is."""

import re
from dataclasses import replace

import numpy as np
import pytest
from markdown_it import MarkdownIt

import tellapart as ta
from tellapart.bibliography import REFERENCES, Reference
from tellapart.errors import InvalidOption
from tellapart.lab import PairedOutcomes
from tellapart.methods import find_methods, registry
from tellapart.results import TestResult

TABLE = ta.PairedTable(both_wrong=7, only_a_wrong=26, only_b_wrong=8, both_right=858, models=("old", "new"))
PATTERNS = ta.ErrorPatterns.from_codes(["a", "b", "c"], {0: 60, 1: 22, 2: 11, 6: 4, 7: 13})
RESAMPLES = ta.Resamples.from_scores([0.95, 0.94, 0.96, 0.93], [0.9, 0.92, 0.91, 0.89], plan="4-fold")
ONE = ta.Resamples.from_scores([0.95, 0.94, 0.96, 0.93], plan="4-fold")
SCORES = ta.Outcomes.from_scores(
    dict(zip(("old", "new", "mid"), np.random.default_rng(0).beta(5, 2, (3, 50)), strict=True)),
    metric="rouge",
    clusters=np.arange(50) // 2,
)
ODD = ("<script>alert(1)</script>", "a_b & $x$ [red]|{}")

RESULTS = {
    "pair": ta.compare(TABLE),
    "one-sided": ta.compare(TABLE, alternative="greater"),
    "other side": ta.compare(TABLE, alternative="less"),
    "non-inferior": ta.compare(TABLE, margin=0.01),
    "superior": ta.compare(TABLE, margin=0.01, hypothesis="superior"),
    "equivalent": ta.compare(TABLE, margin=0.001, hypothesis="equivalent"),
    "odds": ta.compare(TABLE, interval="odds-exact"),
    "reduction": ta.compare(TABLE, interval="reduction-score"),
    "looked at": ta.compare(TABLE, looks=3),
    "few": ta.compare(ta.PairedTable(3, 4, 1, 60), method="mcnemar"),
    "equal": ta.compare(ta.PairedTable(3, 0, 0, 60)),
    "posterior": ta.compare(ta.IndependentCounts.from_counts(30, 100, 20, 100), method="probability-better"),
    "overlap": ta.compare(ta.IndependentCounts.from_counts(30, 100, 10, 100), method="interval-overlap"),
    "two test sets": ta.compare(ta.IndependentCounts.from_counts(30, 100, 20, 100)),
    "labels": ta.compare(ta.ConfusionMatrix([[21, 26], [22, 129]]).label_against_prediction()),
    "threshold": ta.compare(ta.ErrorCount(3, 240), against=0.05, alternative="less"),
    "tables": ta.compare(ta.PairedTable([3, 4], [5, 30], [6, 7], [50, 70]), adjust="holm"),
    "one of them": ta.compare(ta.PairedTable([3, 4], [5, 30], [6, 7], [50, 70]), adjust="holm")[1],
    "learners": ta.compare(RESAMPLES),
    "a margin of learners": ta.compare(RESAMPLES, margin=0.01),
    "estimate": ta.estimate(ta.ErrorCount(3, 120)),
    "bound": ta.estimate(ta.ErrorCount(3, 120), side="upper"),
    "estimates": ta.estimate(ta.ErrorCount([3, 4], 120)),
    "strata": ta.estimate(ta.StratifiedCount([2, 10], [100, 50], [0.9, 0.1])),
    "learner": ta.estimate(ONE),
    "ranking": ta.compare(PATTERNS),
    "by holm": ta.compare(PATTERNS, adjust="holm"),
    "by nothing": ta.compare(PATTERNS, adjust="none"),
    "by rate": ta.compare(PATTERNS, adjust="benjamini-hochberg", method="mcnemar-exact"),
    "scores": ta.compare(SCORES.select("old", "new")),
    "mean score": ta.estimate(SCORES.select("old")),
    "ranking by scores": ta.compare(SCORES),
    "test": ta.calibrate("mcnemar", ta.PairedTable(1, 20, 3, 300)),
    "both": ta.calibrate("tango", ta.PairedTable(1, 20, 3, 300)),
    "simulated": ta.calibrate("mcnemar", ta.PairedTable(1, 20, 3, 300), trials=1000),
    "designs": ta.calibrate("mcnemar", PairedOutcomes([0.1, 0.2], [0.1, 0.2], disagreement=0.05, examples=100)),
}


def keys_of(result):
    """Return the keys that each form of a result cites, and those that its BibTeX has."""
    markdown = [key for group in re.findall(r" \[(@[^\]]*)\]", result.to_markdown()) for key in group.split("; ")]
    latex = [key for group in re.findall(r"\\citep\{([^}]*)\}", result.to_latex()) for key in group.split(",")]
    entries = re.findall(r"^@\w+\{(.*),$", result.bibtex(), re.MULTILINE)
    assert all(key.startswith("@") for key in markdown)
    assert len(entries) == len(set(entries))
    return {key[1:] for key in markdown}, set(latex), set(entries)


@pytest.mark.parametrize("name", RESULTS)
def test_every_citation_has_its_entry_and_every_entry_its_citation(name):
    result = RESULTS[name]
    markdown, latex, entries = keys_of(result)
    assert markdown == latex == entries
    own = getattr(result, "adjustment", "") == "max-t"  # its statistic decides, and not that of the pairs' test
    assert entries >= {"tellapart", *getattr(result, "cites", ())[own:]}
    assert len(entries) > 1


@pytest.mark.parametrize("name", RESULTS)
def test_a_paragraph_is_one_and_names_methods_and_never_speaks_of_significance_alone(name):
    result = RESULTS[name]
    for form in ("text", "markdown", "latex"):
        told = result.paragraph(form)
        assert "\n" not in told
        assert told.endswith(".")
        assert "significant" not in told
        assert "nan" not in told.lower().split()
        assert not re.search(r"  | ,|\(\)|\.\.|;\)", told)
    by_its_draws = isinstance(result, ta.Ranking) and result.adjustment.method == "max-t"
    decides = "max-t" if by_its_draws else result.method
    assert decides in result.paragraph()


def test_the_facts_of_two_classifiers_on_one_test_set():
    """Rates and difference by hand: 33 and 15 errors in 899, 18 apart."""
    told = RESULTS["pair"].paragraph("markdown")
    old, new = (f"{100 * errors / 899:.2f} %" for errors in (26 + 7, 8 + 7))
    assert told.startswith(f"On 899 test examples, old erred on {old} and new on {new}; the difference error(old)")
    assert " − error(new) was 2.00 percentage points (95 % interval " in told
    assert ", by tango [@tango1998]; p = " in told
    assert " by the test mcnemar-mid-p [@fagerland2013], two-sided; 34 disagreements)." in told
    assert " At alpha = 0.05, new was better than old." in told
    assert "tested as trained: the choice of training data and randomness in the learner are not part of" in told
    assert told.endswith(f"Computed with tellapart {ta.__version__} [@tellapart].")


def test_plain_text_names_authors_and_years():
    told = RESULTS["pair"].paragraph()
    assert "tango [Tango 1998]" in told
    assert "mcnemar-mid-p [Fagerland et al. 2013]" in told


def test_latex_has_its_own_signs():
    told = RESULTS["pair"].paragraph("latex")
    assert r"3.67 \% and new on 1.67 \%" in told
    assert r"error(old) $-$ error(new)" in told
    assert r"by tango~\citep{tango1998};" in told


def test_negative_figures_have_a_minus():
    told = ta.compare(TABLE.swapped()).paragraph()
    assert "was −2.00 percentage points (95 % interval −" in told


@pytest.mark.parametrize(
    ("name", "decision"),
    [
        ("non-inferior", "At alpha = 0.05, it was shown that new is at most 1 percentage point worse than old"),
        ("superior", "it was not shown that new is better than old by more than 1 percentage point"),
        ("equivalent", "it was not shown that old and new differ by at most 0.1 percentage points"),
        ("one-sided", "At alpha = 0.05, new was better than old."),
        ("other side", "At alpha = 0.05, old was not shown to be better than new."),
        ("few", "At alpha = 0.05, A and B were not told apart."),
        ("threshold", "At alpha = 0.05, the error was below the threshold."),
        ("labels", "At alpha = 0.05, label and prediction were not told apart."),
        ("tables", "Of 2 comparisons, 1 showed a difference at alpha = 0.05"),
        ("looked at", "This test set had been looked at 3 times before"),
        ("ranking", "At alpha = 0.05 for all 3 pairs together (max-t ["),
        ("ranking", ", two-sided; 95 % intervals, all together: max-t ["),
        ("by nothing", "At alpha = 0.05 for each of 3 pairs"),
        ("by nothing", "95 % intervals, each by itself: tango ["),
        ("tables", "], two-sided, adjusted by holm over 2 comparisons ["),
        ("learners", "learners trained on as many examples from where these came from"),
        ("learners", "; nothing is said of other data sets."),
        ("learner", "Nothing is said of other data sets."),
        ("simulated", "1,000 trials were simulated"),
        ("test", "every outcome was enumerated"),
    ],
)
def test_a_decision_is_told_with_its_bar(name, decision):
    assert decision in RESULTS[name].paragraph()


def test_a_rule_chooses_and_finds_nothing_better():
    told = ta.compare(RESAMPLES, method="vote").paragraph()
    assert "By the rule vote, A was chosen over B." in told
    assert "better" not in told
    assert "not part of this uncertainty" not in told  # the interval beside it has error bars, the choice has none


def test_what_allows_for_nothing_is_told_so():
    """The resampled t test shrinks with the number of splits: none of the four sources is in its error bars."""
    told = ta.compare(RESAMPLES, method="resampled-t").paragraph()
    sources = "The choice of test data, the choice of training data, randomness in the learner and label noise are not"
    assert f"{sources} part of this uncertainty." in told


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (ta.estimate(ta.ErrorCount([3], 120)), "1 estimate of the error rate ran from"),
        (ta.estimate(ta.ErrorCount([3, 4], 120)), "The classifiers were tested as trained"),
        (ta.estimate(ta.ErrorCount(3, 120)), "The classifier was tested as trained"),
        (ta.compare(ta.ErrorCount([0, 3], 10), against=0.05), "showed a difference from a threshold of 5 % at"),
        (ta.compare(ta.ErrorCount(9, 10), against=0.05, alternative="less"), "the error was not shown to be below the"),
        (
            ta.compare(ta.IndependentCounts.from_counts(0, 1, 1, 1)),
            "On 1 test example A erred on 0 %, and on 1 other B",
        ),
        (ta.estimate(ONE), "; estimated by kfold ["),
    ],
)
def test_numbers_and_their_nouns_agree(result, told):
    assert told in result.paragraph()


def test_failed_checks_are_told_with_their_codes_and_without_advice():
    told = RESULTS["few"].paragraph()
    assert "This check failed: 5 disagreements < 10" in told
    assert "(TA104)" in told
    assert "mcnemar-exact" not in told
    assert "check" not in RESULTS["pair"].paragraph()


def test_who_decides_is_told_where_test_and_interval_fall_apart():
    disagree = replace(RESULTS["pair"], test=TestResult(statistic=np.float64(0), pvalue=np.float64(0.3)))
    assert "would decide otherwise; the test decides." in disagree.paragraph()


def test_what_was_left_out_is_told():
    assert "Left out: no label: 3." in replace(RESULTS["pair"], excluded={"no label": 3}).paragraph()


def test_a_rule_without_a_p_value_is_told_as_one():
    told = RESULTS["overlap"].paragraph()
    assert "no p-value: interval-overlap" in told
    assert "By the rule interval-overlap, B was better than A." in told


@pytest.mark.parametrize(
    "name", sorted({method.name for method in find_methods(evidence=ta.PairedTable, gives="test")})
)
def test_every_test_of_two_classifiers_is_cited(name):
    table = ta.PairedTable(7, 26, 8, 150)
    try:
        answer = ta.compare(table, method=name)
    except ta.TellapartError:
        answer = ta.compare(table, method=name, margin=0.01)
    found = registry.look_up(answer.method, "test", ta.PairedTable)
    assert found.reference in keys_of(answer)[2]
    assert found.name in answer.paragraph()


def test_a_reference_of_another_package_gets_a_key_and_an_entry(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    theirs = Reference(authors="Tango, T. and O'Neil, C.", year=1998, title="A {rare} Test", where="Blog & Co")
    known = registry.find_method("mcnemar", "test", ta.PairedTable)

    def plugged(table, *, alternative="two-sided"):
        """Test as McNemar does."""
        return known(table, alternative=alternative)

    facts = {name: getattr(known, name) for name in ("gives", "question", "evidence", "standing", "because", "partner")}
    ta.method(name="plugged", reference=theirs, sources_covered=known.sources_covered, **facts)(plugged)
    answer = ta.compare(TABLE, method="plugged")
    markdown, latex, entries = keys_of(answer)
    assert markdown == latex == entries == {"tango1998", "tango1998b", "tellapart"}
    assert "plugged [Tango and O'Neil 1998]" in answer.paragraph()
    assert r"howpublished = {Blog \& Co}" in answer.bibtex()


def test_a_result_made_by_hand_cites_nobody_but_the_software():
    bare = replace(RESULTS["pair"], references=(), sources_covered=())
    assert keys_of(bare)[2] == {"tellapart"}
    assert "by tango; p" in bare.paragraph()


@pytest.mark.parametrize("name", ["pair", "non-inferior", "ranking", "by holm", "learners"])
def test_names_are_shown_as_they_are(name):
    renamed = {
        "pair": lambda: ta.compare(ta.PairedTable(7, 26, 8, 858, models=ODD)),
        "non-inferior": lambda: ta.compare(ta.PairedTable(7, 26, 8, 858, models=ODD), margin=0.01),
        "ranking": lambda: ta.compare(ta.ErrorPatterns.from_codes([*ODD, "c"], {0: 60, 1: 22, 6: 1, 7: 13})),
        "by holm": lambda: ta.compare(ta.ErrorPatterns.from_codes([*ODD, "c"], {0: 60, 1: 22, 6: 1}), adjust="holm"),
        "learners": lambda: ta.compare(replace(RESAMPLES, learners=ODD)),
    }[name]()
    assert all(odd in renamed.paragraph() for odd in ODD)
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(renamed.to_markdown())
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "a_b &amp; $x$ [red]|{}" in page
    latex = renamed.to_latex()
    assert r"a\_b \& \$x\$ [red]\textbar{}\{\}" in latex
    assert "$<$script$>$alert(1)$<$/script$>$" in latex


def test_the_table_of_rows_follows_the_paragraph():
    paragraph, table = RESULTS["pair"].to_markdown().split("\n\n")
    assert paragraph == RESULTS["pair"].paragraph("markdown")
    assert table.splitlines()[:2] == ["| | |", "|---|---|"]
    paragraph, table = RESULTS["pair"].to_latex().split("\n\n")
    assert paragraph == RESULTS["pair"].paragraph("latex")
    assert table.startswith(r"\begin{tabular}{ll}")


def test_many_models_are_cut_short():
    names = [f"m{place}" for place in range(20)]
    told = ta.compare(
        ta.ErrorPatterns.from_codes(names, {0: 500, **{1 << place: 1 for place in range(20)}})
    ).paragraph()
    assert " and 8 more" in told


def test_an_unknown_form_is_refused():
    with pytest.raises(InvalidOption, match="form must be one of 'text', 'markdown', 'latex', but is 'html'"):
        RESULTS["pair"].paragraph("html")


def test_a_calibration_gives_the_figures_it_has():
    """Shares by hand from the fields; the method is cited."""
    found = RESULTS["both"]
    told = found.paragraph()
    assert f"rejected a true null hypothesis in {100 * float(found.size.value):.3g} % of cases at alpha = 0.05" in told
    assert f"held the truth in {100 * float(found.coverage.value.min()):.3g} % of cases at worst" in told
    assert "tango [Tango 1998]" in told
    limits = RESULTS["simulated"].size
    assert f"(95 % interval {100 * float(limits.low):.3g} to {100 * float(limits.high):.3g} %)" in (
        RESULTS["simulated"].paragraph()
    )


def test_all_keys_are_of_the_bibliography():
    assert {key for name in RESULTS for key in keys_of(RESULTS[name])[2]} <= {*REFERENCES, "tellapart"}
