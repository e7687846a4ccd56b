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
def test_a_paragraph_is_one_and_gives_alpha_with_every_decision(name):
    result = RESULTS[name]
    for form in ("text", "markdown", "latex"):
        text = result.paragraph(form)
        assert "\n" not in text
        assert text.endswith(".")
        assert "nan" not in text.lower().split()
        assert not re.search(r"  | ,|\(\)|\.\.|;\)", text)
        if "significant" in text:
            assert "alpha" in text


def test_the_facts_of_two_classifiers_on_one_test_set():
    """Rates and difference by hand: 33 and 15 errors in 899, 18 more of one."""
    text = RESULTS["pair"].paragraph("markdown")
    old, new = (f"{100 * errors / 899:.1f}%" for errors in (26 + 7, 8 + 7))
    start = f"On 899 test examples (34 discordant pairs), the error rate was {new} for new and {old} for old: 2.0"
    assert text.startswith(f"{start} percentage points lower (95% CI ")
    assert ", Tango score interval [@tango1998]; McNemar mid-p [@fagerland2013]: p = 0.00" in text
    assert ", two-sided). At alpha = 0.05: new has a lower error rate than old." in text
    assert "The error bars do not account for training-set sampling or randomness in the learner." in text
    assert text.endswith(f"Computed with tellapart {ta.__version__} [@tellapart].")


def test_plain_text_names_authors_and_years():
    text = RESULTS["pair"].paragraph()
    assert "Tango score interval [Tango 1998]" in text
    assert "McNemar mid-p [Fagerland et al. 2013]" in text


def test_latex_has_its_own_signs():
    text = RESULTS["pair"].paragraph("latex")
    assert r"1.7\% for new and 3.7\% for old" in text
    assert r"Tango score interval~\citep{tango1998};" in text


def test_the_difference_is_positive_for_the_leader():
    text = ta.compare(TABLE.swapped()).paragraph()
    assert ": 2.0 percentage points lower (95% CI 0." in text


@pytest.mark.parametrize(
    ("name", "decision"),
    [
        ("non-inferior", "At alpha = 0.05: new is at most 1 pp worse than old (non-inferiority)."),
        ("superior", "not demonstrated: new is better than old by more than 1 pp (superiority)."),
        ("equivalent", "not demonstrated: new and old differ by less than 0.1 pp (equivalence)."),
        ("one-sided", "At alpha = 0.05: new has a lower error rate than old."),
        ("other side", "At alpha = 0.05: old is not significantly better than new."),
        ("few", "At alpha = 0.05: no significant difference between B and A."),
        ("threshold", "At alpha = 0.05: the error rate is significantly below 5%."),
        ("labels", "At alpha = 0.05: no significant difference in how often label and prediction say 'positive'."),
        ("tables", "1 of 2 comparisons is significant at alpha = 0.05"),
        ("looked at", "The test set had been used 3 times before; p-values do not account for it."),
        ("ranking", "3 pairs were significantly different at alpha = 0.05 (max-T, all pairs ["),
        ("ranking", "; simultaneous 95% intervals: max-T, all pairs ["),
        ("by nothing", "], unadjusted; unadjusted 95% intervals: Tango score interval ["),
        ("tables", ", two-sided, Holm-adjusted ["),
        ("learners", "This applies to learners trained on as many examples, not to one trained model."),
        ("learner", "This applies to learners trained on as many examples, not to one trained model."),
    ],
)
def test_a_decision_stands_with_its_alpha_or_margin(name, decision):
    assert decision in RESULTS[name].paragraph()


def test_a_rule_chooses_and_nothing_is_better():
    text = ta.compare(RESAMPLES, method="vote").paragraph()
    assert "A is chosen over B." in text
    assert "better" not in text
    assert "do not account for" not in text  # the interval beside it has error bars, the choice has none


def test_a_method_that_accounts_for_nothing_is_described_so():
    """The resampled t test shrinks with the number of splits: none of the four sources is in its error bars."""
    text = ta.compare(RESAMPLES, method="resampled-t").paragraph()
    sources = "test-set sampling or training-set sampling or randomness in the learner or label noise"
    assert f"The error bars do not account for {sources}." in text


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (ta.estimate(ta.ErrorCount([3], 120)), "1 error rate from 2.5% to 2.5%"),
        (ta.estimate(ta.ErrorCount(3, 120)), "The error rate was 2.5% (95% CI 0.7% to 6.5%) from 3 errors in 120"),
        (ta.compare(ta.ErrorCount([0, 3], 10), against=0.05), "of 2 comparisons"),
        (
            ta.compare(ta.IndependentCounts.from_counts(0, 1, 1, 1)),
            "On 1 test example and 1 other, the error rate was 0.0% for A and 100.0% for B",
        ),
        (ta.estimate(ONE), "; estimated by "),
    ],
)
def test_numbers_and_their_nouns_agree(result, text):
    assert text in result.paragraph()


def test_failed_checks_are_named_with_their_codes_and_without_advice():
    text = RESULTS["few"].paragraph()
    assert "check failed: 5 discordant pairs, fewer than 10" in text.replace("checks failed", "check failed")
    assert "(TA104)" in text
    assert "mcnemar-exact" not in text
    assert "check" not in RESULTS["pair"].paragraph()


def test_the_paragraph_says_that_the_interval_disagrees_with_the_test():
    disagree = replace(RESULTS["pair"], test=TestResult(statistic=np.float64(0), pvalue=np.float64(0.3)))
    assert "The 95% interval excludes 0, the test decides." in disagree.paragraph()


def test_what_was_left_out_is_in_the_paragraph():
    assert "3 left out (no label)." in replace(RESULTS["pair"], excluded={"no label": 3}).paragraph()


def test_a_rule_without_a_p_value_is_described_as_one():
    text = RESULTS["overlap"].paragraph()
    assert ": no p-value" in text
    assert "At alpha = 0.05: B has a lower error rate than A." in text


@pytest.mark.parametrize(
    "name", sorted({method.name for method in find_methods(evidence=ta.PairedTable, gives="test")})
)
def test_every_test_of_two_classifiers_is_cited(name):
    table = ta.PairedTable(7, 26, 8, 150)
    try:
        answer = ta.compare(table, method=name)
    except ta.TellapartError:
        answer = ta.compare(table, method=name, margin=0.01)
    offer = registry.look_up(answer.method, "test", ta.PairedTable)
    assert offer.reference in keys_of(answer)[2]
    assert offer.title in answer.paragraph()


def test_a_reference_of_another_package_gets_a_key_and_an_entry(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    theirs = Reference(authors="Tango, T. and O'Neil, C.", year=1998, title="A {rare} Test", where="Blog & Co")
    known = registry.find_method("mcnemar", "test", ta.PairedTable)

    def plugged(table, *, alternative="two-sided"):
        """Test as McNemar does."""
        return known(table, alternative=alternative)

    facts = {
        name: getattr(known, name) for name in ("gives", "question", "evidence", "standing", "rationale", "partner")
    }
    ta.method(name="plugged", reference=theirs, sources_covered=known.sources_covered, **facts)(plugged)
    answer = ta.compare(TABLE, method="plugged")
    markdown, latex, entries = keys_of(answer)
    assert markdown == latex == entries == {"tango1998", "tango1998b", "tellapart"}
    assert "plugged [Tango and O'Neil 1998]" in answer.paragraph()
    assert r"howpublished = {Blog \& Co}" in answer.bibtex()


def test_a_result_made_by_hand_cites_the_software_alone():
    bare = replace(
        RESULTS["pair"],
        references=(),
        test=replace(RESULTS["pair"].test, reference=""),
        interval=replace(RESULTS["pair"].interval, reference=""),
    )
    assert keys_of(bare)[2] == {"tellapart"}
    assert ", Tango score interval; McNemar mid-p: p" in bare.paragraph()


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


def test_the_layout_follows_the_paragraph():
    paragraph, rest = RESULTS["pair"].to_markdown().split("\n\n", 1)
    assert paragraph == RESULTS["pair"].paragraph("markdown")
    assert rest.startswith("**new has a lower error rate than old**")
    assert "\n\n| | |\n|---|---|\n| data |" in rest


def test_in_latex_the_paragraph_is_a_comment_below_the_table():
    table, paragraph = RESULTS["pair"].to_latex().split("\n% ", 1)
    assert paragraph == RESULTS["pair"].paragraph("latex")
    assert table.startswith("\\begin{table}\n")
    assert table.endswith("\n\\end{table}")


def test_many_models_are_cut_short():
    names = [f"m{index}" for index in range(20)]
    text = ta.compare(
        ta.ErrorPatterns.from_codes(names, {0: 500, **{1 << index: 1 for index in range(20)}})
    ).paragraph()
    assert " and 8 more" in text


def test_an_unknown_form_is_refused():
    with pytest.raises(InvalidOption, match="`form` must be one of 'text', 'markdown', 'latex', got 'html'"):
        RESULTS["pair"].paragraph("html")


def test_a_calibration_gives_the_figures_it_has():
    """Shares by hand from the fields; the method is cited."""
    result = RESULTS["both"]
    text = result.paragraph()
    assert f"rejected a true null hypothesis in {100 * float(result.size.value):.3g}" in text
    assert f"in {100 * float(result.coverage.value.min()):.3g}" in text
    assert "[Tango 1998]" in text
    size = RESULTS["simulated"].size
    figures = re.search(r"([\d.]+)% \(95% CI ([\d.]+)% to ([\d.]+)%\) of cases", RESULTS["simulated"].paragraph())
    assert [float(figure) / 100 for figure in figures.groups()] == pytest.approx(
        [float(size.value), float(size.low), float(size.high)], abs=0.0006
    )


def test_all_keys_are_of_the_bibliography():
    assert {key for name in RESULTS for key in keys_of(RESULTS[name])[2]} <= {*REFERENCES, "tellapart"}
