"""`tellapart peek`: error rates of interim analyses as text, JSON and a report."""

import io
import json
from contextlib import redirect_stdout

import pytest

import tellapart as ta
from tellapart.cli.peek import _completing_rules
from tellapart.lab import OneRate, PairedOutcomes, peeking

SMALL = ("--examples", "60", "--looks", "6")


def test_the_text_is_that_of_the_python_result_with_the_meaning_of_columns(run):
    done = run("peek", *SMALL, "--disagreement", "0.2", "--difference", "0.1,0.15", "--rule", "mcnemar,one look")
    result = peeking(PairedOutcomes(0.1, 0.1, 0.2, 60), looks=6, differences=[0.1, 0.15], rules=["mcnemar", "one look"])
    assert done.stdout == f"{result}\n"
    assert done.exit_code == 0
    explained = run("peek", *SMALL, "--disagreement", "0.2", "--difference", "0.1", "--rule", "mcnemar", "--explain")
    assert "  type I    How often" in explained.stdout
    assert "  power     How often" in explained.stdout
    assert "  coverage  How often" in explained.stdout


@pytest.mark.parametrize(
    ("words", "design", "options"),
    [
        (["--examples", "60", "--disagreement", "0.2"], PairedOutcomes(0.1, 0.1, 0.2, 60), {}),
        (["--examples", "60", "--disagreement", "0.2", "--error", "0.3"], PairedOutcomes(0.3, 0.3, 0.2, 60), {}),
        (["--table", "5", "6", "6", "43"], ta.PairedTable(5, 6, 6, 43), {}),
        (["--table", "5", "6", "6", "43", "--examples", "120"], PairedOutcomes(11 / 60, 11 / 60, 0.2, 120), {}),
        (["--examples", "60", "--error", "0.2", "--rule", "wilson"], OneRate(0.2, 60), {"rules": ["wilson"]}),
        (
            ["--examples", "60", "--error", "0.2", "--against", "0.1", "--rule", "wilson", "--test", "wilson"],
            OneRate(0.2, 60, 0.1),
            {"rules": ["wilson"]},
        ),
        (
            ["--examples", "60", "--disagreement", "0.2", "--looks", "20,60", "--rule", "mcnemar", "--alpha", "0.1"],
            PairedOutcomes(0.1, 0.1, 0.2, 60),
            {"looks": [20, 60], "rules": ["mcnemar"], "alpha": 0.1},
        ),
        (
            ["--examples", "60", "--disagreement", "0.2", "--rule", "mcnemar-evalue", "--prior", "2", "--level", "0.9"],
            PairedOutcomes(0.1, 0.1, 0.2, 60),
            {"rules": ["mcnemar-evalue"], "prior": 2.0, "level": 0.9},
        ),
        (
            ["--examples", "60", "--error", "0.2", "--rule", "beta", "--prior", "1,3"],
            OneRate(0.2, 60),
            {"rules": ["beta"], "prior": (1.0, 3.0)},
        ),
        (
            ["--examples", "60", "--disagreement", "0.2", "--rule", "mcnemar", "--trials", "500", "--rng", "3"],
            PairedOutcomes(0.1, 0.1, 0.2, 60),
            {"rules": ["mcnemar"], "trials": 500, "rng": 3},
        ),
    ],
)
def test_json_has_all_digits_of_the_python_result(run, words, design, options):
    looks = [] if "--looks" in words else ["--looks", "3"]
    steps = ["--difference", "0.1"]
    result = peeking(design, **{"looks": 3, "differences": [0.1]} | options)
    assert json.loads(run("peek", *words, *looks, *steps, "--json").stdout) == json.loads(result.to_json())


def test_a_report_has_the_plot_the_figures_and_the_command(run, tmp_path):
    page = tmp_path / "peek.html"
    done = run(
        "peek", *SMALL, "--disagreement", "0.2", "--rule", "mcnemar,pocock", "--trials", "100", "--html", str(page)
    )
    assert done.stderr == f"report: {page}\n"
    text = page.read_text(encoding="utf-8")
    assert "<h1>6 looks at p &lt; 0.05 (mcnemar): type I error rate 14.0% (95% CI 7.9% to 22.4%)</h1>" in text
    assert "Cumulative type I error rate" in text
    assert "mean n" in text
    assert "Armitage, P., McPherson" in text
    assert "tellapart peek --examples 60" in text
    code = "lab.peeking(lab.PairedOutcomes(0.1, 0.1, 0.2, 60), looks=6, rules=['mcnemar', 'pocock'], trials=100)"
    assert code in text.replace("&#39;", "'")


def test_the_python_code_in_a_report_gives_the_same_figures(run, tmp_path):
    page = tmp_path / "peek.html"
    done = run("peek", *SMALL, "--error", "0.3", "--against", "0.2", "--rule", "wilson", "--html", str(page))
    text = page.read_text(encoding="utf-8").replace("&#39;", "'")
    (line,) = [line for line in text.splitlines() if "print(lab.peeking(" in line]
    code = "import tellapart.lab as lab\n" + line[line.index("print(") : line.rindex(")") + 1]
    with redirect_stdout(io.StringIO()) as again:
        exec(code, {})  # noqa: S102  # what a reader of the page would run
    assert done.stdout.startswith(again.getvalue().rstrip("\n"))


BAD = [
    ([], "one of --disagreement (two models), --error (one model) and --table is required"),
    (["--disagreement", "0.1"], "--examples is required: the number of examples at the last look"),
    (["--examples", "100", "--disagreement", "1.5"], "`--disagreement` must be a rate between 0 and 1"),
    (["--examples", "100", "--disagreement", "0.5", "--error", "0.1"], "`--disagreement` must be between 0 and 0.2"),
    (["--examples", "-3", "--disagreement", "0.5"], "`--examples` must be a whole number, at least 1"),
    (["--examples", "many", "--disagreement", "0.5"], "`--examples` must be a number, got 'many'"),
    (["--examples", "100", "--disagreement", "0.1", "--against", "0.1"], "--against is the threshold for one model"),
    (["--table", "1", "2", "3", "4", "--error", "0.1"], "--table sets the error and discordant rates"),
    (["--table", "1", "2", "3", "4", "--looks", "11"], "`--looks` must be a number from 1 to 10"),
    (
        ["--examples", "100", "--disagreement", "0.1", "--looks", "x"],
        "`--looks` must be numbers between commas, got 'x'",
    ),
    (
        ["--examples", "100", "--disagreement", "0.1", "--looks", ","],
        "`--looks` must be numbers between commas, got ','",
    ),
    (
        ["--examples", "100", "--disagreement", "0.1", "--looks", "50,20"],
        "`--looks` must be increasing numbers of examples",
    ),
    (["--examples", "100", "--disagreement", "0.1", "--rule", "mcnemr"], "unknown rule 'mcnemr'"),
    (["--examples", "100", "--disagreement", "0.1", "--difference", "0.2"], "`--difference` must be between"),
    (["--examples", "100", "--disagreement", "0.1", "--trials", "0"], "`--trials` must be a whole number"),
    (["--examples", "100", "--disagreement", "0.1", "--html", "peek.pdf"], "`--html` must end in .html"),
    (["--examples", "100", "--error", "0"], "`design` must have a threshold between 0 and 1"),
]


@pytest.mark.parametrize(("words", "text"), BAD, ids=[" ".join(words) or "nothing" for words, _ in BAD])
def test_bad_input_is_one_line_with_a_fix(refused, words, text):
    assert text in refused("peek", *words)


def test_rules_are_completed():
    assert _completing_rules(None, None, "mcnemar-m") == ["mcnemar-mid-p"]
    assert _completing_rules(None, None, "p") == ["pocock", "posterior"]
    assert _completing_rules(None, None, "one") == ["one look"]
