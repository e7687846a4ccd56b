"""LaTeX tables of answers: what a paper needs, balanced and escaped, whatever the names are."""

import re

import numpy as np
import pytest

import tellapart as ta

TABLE = ta.PairedTable(7, 26, 8, 858, models=("old", "new"))
PATTERNS = ta.ErrorPatterns.from_codes(["forest", "svm", "stump"], {0: 800, 2: 10, 4: 90, 6: 30, 7: 70})
RACE = ta.Resamples.from_scores(
    {"tree": [0.95, 0.94, 0.96, 0.93], "net": [0.9, 0.92, 0.91, 0.89], "nb": [0.8, 0.9, 0.85, 0.7]}, plan="4-fold"
)
RUNS = {  # three data sets, two runs of each
    "svm": [[0.90, 0.94], [0.70, 0.72], [0.81, 0.79]],
    "nb": [[0.85, 0.83], [0.74, 0.74], [0.60, 0.64]],
    "tree": [[0.80, 0.84], [0.60, 0.62], [0.51, 0.59]],
}
NAMES = ["iris", "wine", "pima"]
SCORES = ta.ScoreTable.from_scores(RUNS, datasets=NAMES, metric="accuracy", rho=0.1)
MANY = ta.ScoreTable.from_scores(np.random.default_rng(0).normal([0, 1, 5], size=(12, 3)), ["a", "b", "c"])
ODD = ("[red] a_b & $x$", "50% {#~^}\\")

ANSWERS = {
    "two models": ta.compare(TABLE),
    "a margin": ta.compare(TABLE, margin=0.01),
    "one-sided": ta.compare(TABLE, alternative="greater"),
    "a posterior": ta.compare(TABLE, method="dirichlet"),
    "an e-value": ta.compare(TABLE, method="mcnemar-evalue"),
    "no p-value": ta.compare(ta.IndependentCounts.from_counts(30, 100, 10, 100), method="interval-overlap"),
    "odds": ta.compare(TABLE, interval="odds-mid-p"),
    "undefined": ta.compare(ta.PairedConfusion.from_predictions([0, 1], [0, 0], [0, 1]), metric="precision"),
    "a threshold": ta.compare(ta.ErrorCount(3, 120), against=0.05),
    "many": ta.compare(ta.PairedTable([3, 4], [5, 30], [6, 7], [50, 70]), adjust="holm"),
    "an estimate": ta.estimate(ta.ErrorCount(3, 120)),
    "a bound": ta.estimate(ta.ErrorCount(0, 59), side="upper"),
    "estimates": ta.estimate(ta.ErrorCount([3, 4], 120)),
    "a ranking": ta.compare(PATTERNS),
    "a leaderboard": ta.compare(PATTERNS).leaderboard(),
    "learners": ta.compare(RACE),
    "scores": ta.compare(SCORES),
    "scores of two": ta.compare(SCORES.select("svm", "nb")),
    "a control": ta.compare(MANY, control="b"),
    "a posterior of many": ta.compare(MANY, method="bayesian-signed-rank"),
    "odd names": ta.compare(ta.PairedTable(7, 26, 8, 858, models=ODD)),
    "odd learners": ta.compare(ta.ScoreTable.from_scores({"[a]": [1, 2, 3], ODD[0]: [2, 3, 5], ODD[1]: [3, 5, 4]})),
}


def rows_of(latex):
    """Return the cells of each line between the rules, by their first cell."""
    lines = re.findall(r"^(?:\{\})?(.*) \\\\$", latex, re.MULTILINE)
    return {cells[0]: cells[1:] for cells in (re.split(r"(?<!\\) ?& ?", line) for line in lines)}


@pytest.mark.parametrize("name", ANSWERS)
def test_braces_and_environments_are_balanced_and_lines_are_full(name):
    latex = re.sub(r"^% .*\Z", "", ANSWERS[name].to_latex(), flags=re.MULTILINE)
    bare = re.sub(r"\\[\\{}%&$#_]", "", latex)  # escaped signs, and the ends of lines
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    assert not re.search("[%#~^](?!\\\\d?dagger)", bare)
    opened = []
    for kind, environment in re.findall(r"\\(begin|end)\{(\w+)\}", latex):
        assert kind == "begin" or opened.pop() == environment
        if kind == "begin":
            opened.append(environment)
    assert not opened
    for align in re.findall(r"\\begin\{tabular\}\{(\w+)\}", latex):
        assert {len(cells) + 1 for cells in rows_of(latex).values()} == {len(align)}


@pytest.mark.parametrize("name", sorted(set(ANSWERS) - {"many", "estimates"}))
def test_an_answer_is_one_float_with_the_rules_of_booktabs(name):
    latex = ANSWERS[name].to_latex()
    assert latex.startswith("\\begin{table}\n\\caption{")
    for part in ("\\begin{tabular}", "\\toprule", "\\bottomrule", "\\end{table}"):
        assert latex.count(part) == 1
    assert "undefined" not in latex.partition("\\toprule")[2].partition("\\bottomrule")[0]


def test_two_models_have_their_metric_and_the_difference_is_in_the_caption():
    """15 and 33 errors in 899."""
    latex = ANSWERS["two models"].to_latex()
    assert rows_of(latex) == {
        "Model": [r"Error rate (\%)"],
        "new": [rf"\textbf{{{100 * 15 / 899:.1f}}}"],
        "old": [f"{100 * 33 / 899:.1f}"],
    }
    assert "new has a lower error rate than old: 2.0 pp lower (95\\% CI 0.8 to 3.4), $p = 0.002$\n" in latex
    assert "(McNemar mid-p, $\\alpha = 0.05$; interval: Tango score interval)." in latex


def test_a_loser_or_a_tie_has_nothing_in_bold():
    assert "\\textbf" not in ta.compare(ta.PairedTable(7, 10, 8, 875)).to_latex()


def test_a_leaderboard_has_ranks_intervals_differences_and_p_values():
    """7, 11 and 19 errors in 100."""
    rows = rows_of(ANSWERS["a ranking"].to_latex())
    assert rows["Rank"] == ["Model", r"Error rate (\%)", r"95\% CI", "Behind by (pp)", "Adjusted $p$"]
    assert rows["1"][:2] == ["forest", "7.0"]
    assert rows["1"][3:] == ["", ""]
    assert rows["3"][:2] + rows["3"][3:] == ["stump", "19.0", "12.0", "$<$0.001"]
    tied = rows_of(ta.compare(ta.ErrorPatterns.from_codes(list("abc"), {0: 60, 1: 3, 2: 4, 4: 5})).to_latex())
    assert "1--3" in tied


def test_scores_are_means_with_the_sd_of_runs():
    """By hand: 0.90 and 0.94 have mean 0.92 and SD 0.04/√2 = 0.028."""
    rows = rows_of(ANSWERS["scores"].to_latex())
    assert rows[""] == ["svm", "nb", "tree"]
    assert rows["iris"][:2] == [r"$\mathbf{92.0} \pm 2.8$", r"$84.0 \pm 1.4$"]
    assert rows["wine"][:2] == [r"$71.0 \pm 1.4$", r"$\mathbf{74.0} \pm 0.0$"]
    assert rows["Mean"] == [r"\textbf{81.0}", "73.3", "66.0"]
    assert rows["Mean rank"] == [r"\textbf{1.33}", "1.67", "3.00"]
    assert rows["svm W/T/L"] == ["--", "2/0/1", "3/0/0"]


def test_scores_without_runs_have_no_sd():
    single = {name: [runs[0] for runs in scores] for name, scores in RUNS.items()}
    latex = ta.compare(ta.ScoreTable.from_scores(single, datasets=NAMES, metric="accuracy")).to_latex()
    assert r"\caption{Accuracy (\%). Bold: best." in latex
    assert "\\pm" not in latex
    assert rows_of(latex)["iris"] == [r"\textbf{90.0}", "85.0", "80.0"]


def test_scores_that_are_no_proportions_keep_their_scale():
    scores = {"a": [12.5, 30.0, 7.25], "b": [13.5, 31.0, 9.25], "c": [14.5, 33.0, 8.25]}
    table = ta.ScoreTable.from_scores(scores, metric="rmse", higher_is_better=False)
    latex = ta.compare(table).to_latex()
    assert r"\caption{rmse, lower is better. Bold: best." in latex
    assert [float(re.sub(r"[^\d.]", "", cell)) for cell in rows_of(latex)["1"]] == [12.5, 13.5, 14.5]
    percentages = ta.ScoreTable.from_scores({"a": [81.5, 92.5], "b": [80.5, 90.0]}, metric="accuracy")
    assert "81.5" in rows_of(ta.compare(percentages).to_latex())["1"][0]


def test_a_missing_score_is_two_dashes_and_the_means_say_so():
    runs = {**RUNS, "nb": [RUNS["nb"][0], [np.nan, np.nan], [0.60, np.nan]]}
    latex = ta.compare(ta.ScoreTable.from_scores(runs, datasets=NAMES, metric="accuracy")).to_latex()
    rows = rows_of(latex)
    assert rows["wine"][rows[""].index("nb")] == "--"
    assert rows["pima"][rows[""].index("nb")] == "60.0"  # one run has no SD
    assert "SD of up to 2 runs" in latex
    assert "--: no score; means over the 2 data sets with all scores." in latex


def test_learners_that_differ_from_the_control_are_marked():
    """12 data sets, on which c is far above b, and b above a by one SD."""
    latex = ANSWERS["a control"].to_latex()
    head = rows_of(latex)[""]
    assert r"c$^\ddagger$" in head
    assert r"$^\ddagger$: better than b over the 12 data sets" in latex
    assert ("$^\\dagger$" in latex) == (ANSWERS["a control"].better[0] == "b")


def test_names_are_escaped_and_a_bracket_is_no_option_of_the_line_above():
    latex = ANSWERS["odd names"].to_latex()
    assert r"{}[red] a\_b \& \$x\$ &" in latex
    assert r"50\% \{\#\textasciitilde{}\textasciicircum{}\}\textbackslash{} &" in latex
    assert r"{\}" not in latex


def test_long_names_are_shortened():
    long = ta.PairedTable(7, 26, 8, 858, models=("gradient-boosting-learning-rate-0.05", "new"))
    assert r"gradient-boo\ldots{}g-rate-0.05" in rows_of(ta.compare(long).to_latex())


@pytest.mark.parametrize("name", [name for name in ANSWERS if name != "a leaderboard"])
def test_failed_checks_are_in_the_file(name):
    answer = ANSWERS[name]
    latex = answer.to_latex()
    for check in answer.checks:
        assert np.all(check.holds) or f"({check.code})" in latex
