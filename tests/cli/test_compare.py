"""`tellapart compare` from counts: the answers of Python, as text and JSON; bad input is one line."""

import json

import pytest

from tellapart import IndependentCounts, PairedTable, compare, find_methods

TABLE = PairedTable(20, 25, 10, 45)
COUNTS = IndependentCounts.from_counts(30, 100, 20, 100)
FOUR = ["--table", "20", "25", "10", "45"]
TWO_SETS = ["--independent", "30", "100", "20", "100"]
KEYS = {"method", "difference", "interval", "statistic", "pvalue", "better", "words", "checks", "evidence"}


def document(run, *words):
    """Run a command that must succeed, and return its JSON."""
    done = run("compare", *words, "--json")
    assert done.exit_code == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout, parse_constant=pytest.fail)


def of_api(evidence, **options):
    return json.loads(compare(evidence, **options).to_json())


# --- Counts ---


@pytest.mark.parametrize(("words", "evidence"), [(FOUR, TABLE), (TWO_SETS, COUNTS)], ids=["table", "independent"])
def test_the_text_is_that_of_the_python_result(run, words, evidence):
    done = run("compare", *words, "--method", "tango" if evidence is TABLE else "fisher")
    assert done.exit_code == 0
    assert done.stdout == f"{compare(evidence, method='tango' if evidence is TABLE else 'fisher')}\n"


def test_an_answer_is_seven_lines(run):
    lines = run("compare", *FOUR).stdout.splitlines()
    assert len(lines) == 7
    assert lines[0] == "B has a lower error rate than A"
    assert [line[:12].strip() for line in lines[3:]] == ["data", "test", "interval", "scope"]


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (FOUR, "--method mcnemar-unconditional --interval unconditional"),
        (["--table", "0", "3", "1", "1000000"], "--method mcnemar-exact"),
        (TWO_SETS, "--method boschloo"),
        (["--independent", "30", "1000", "20", "1000"], "--method fisher"),
    ],
)
def test_verbose_output_of_a_default_lists_alternatives(run, words, advice):
    assert f"or {advice} " in " ".join(run("compare", *words, "--verbose").stdout.split())
    assert run("compare", *words, *advice.split()).exit_code == 0  # what is offered can be had
    for more in ([], ["--margin", "0.1", "-v"], ["--method", advice.split()[1], "-v"]):
        assert "  or  " not in run("compare", *words, *more).stdout


OPTIONS = [
    ([], {}),
    (["--method", "mcnemar-exact"], {"method": "mcnemar-exact"}),
    (["--method", "bonett-price"], {"method": "bonett-price"}),
    (["--interval", "newcombe-paired"], {"interval": "newcombe-paired"}),
    (["--interval", "odds-exact"], {"interval": "odds-exact"}),
    (["--level", "0.99"], {"level": 0.99}),
    (["--alpha=1e-9"], {"alpha": 1e-9}),
    (["--level", "0.9", "--alpha", "0.1"], {"level": 0.9, "alpha": 0.1}),
    (["--alternative", "greater"], {"alternative": "greater"}),
    (["--alternative", "less"], {"alternative": "less"}),
    (["--margin", "0.01"], {"margin": 0.01}),
    (["--margin", "0.1", "--hypothesis", "superior"], {"margin": 0.1, "hypothesis": "superior"}),
    (["--margin", "0.1", "--hypothesis", "equivalent"], {"margin": 0.1, "hypothesis": "equivalent"}),
    (["--margin", "0.1", "--method", "scas-paired"], {"margin": 0.1, "method": "scas-paired"}),
    (["--looks", "3"], {"looks": 3}),
]


@pytest.mark.parametrize(("flags", "options"), OPTIONS, ids=[" ".join(flags) or "none" for flags, _ in OPTIONS])
def test_options_give_the_same_digits_as_in_python(run, flags, options):
    answer = document(run, *FOUR, *flags)
    assert answer == of_api(TABLE, **options)
    assert set(answer) >= KEYS


@pytest.mark.parametrize("flags", [[], ["--method", "boschloo"], ["--margin", "0.3", "--hypothesis", "equivalent"]])
def test_two_test_sets_have_the_same_keys(run, flags):
    answer = document(run, *TWO_SETS, *flags)
    assert set(answer) >= KEYS
    assert answer["evidence"]["a"] == {"errors": 30, "trials": 100}
    assert answer["words"] == of_api(COUNTS, **_options(flags))["words"]


def _options(flags):
    pairs = dict(zip(flags[::2], flags[1::2], strict=True))
    return {name.strip("-"): float(value) if name == "--margin" else value for name, value in pairs.items()}


def test_json_has_the_four_cells_by_name(run):
    assert document(run, *FOUR)["evidence"] == {
        "both_wrong": 20,
        "only_a_wrong": 25,
        "only_b_wrong": 10,
        "both_right": 45,
        "models": ["A", "B"],
    }


@pytest.mark.parametrize("words", [["--json", *FOUR], [*FOUR, "--json"]])
def test_options_may_precede_or_follow_arguments(run, words):
    assert json.loads(run("compare", *words).stdout)["better"] == "B"


def test_looks_are_reported(run):
    text = " ".join(run("compare", *FOUR, "--looks", "4").stdout.split())
    assert "4 earlier looks at this test set" in text
    assert "p < 0.01 (alpha/5)" in text


# --- All methods ---


@pytest.mark.parametrize(("words", "evidence"), [(FOUR, TABLE), (TWO_SETS, COUNTS)], ids=["table", "independent"])
def test_all_methods_as_json_are_a_list_without_duplicates(run, words, evidence):
    answers = document(run, *words, "--method", "all")
    every = [method for method in find_methods(evidence=type(evidence)) if method.gives in {"test", "interval"}]
    named = [
        (answer["method"] if answer["gives"] == "test" else answer["interval"]["method"], answer["gives"])
        for answer in answers
    ]
    assert named == [(method.name, method.gives) for method in every]
    for method, answer in zip(every, answers, strict=True):
        request = {"method" if method.gives == "test" else "interval": method.name}
        assert answer == of_api(evidence, **request) | {"gives": method.gives}


def test_the_table_of_all_methods_shows_status_and_failed_checks(run):
    text = run("compare", "--table", "0", "4", "0", "36", "--method", "all").stdout
    lines = [line.split() for line in text.splitlines()]
    for method in find_methods(evidence=PairedTable):
        (line,) = [
            line
            for line in lines
            if line[:1] == [method.name]
            and (line[1] in {"difference", "odds", "reduction"}) == (method.gives == "interval")
        ]
        assert ("not" if method.standing == "forbidden" else method.standing) in line
        assert ("TA010" in line) == (method.standing == "forbidden")
    (mcnemar,) = [line for line in lines if line[:1] == ["mcnemar"]]
    assert mcnemar == ["mcnemar", "0.046", "sound", "TA104"]  # χ² = 4 on one degree of freedom


def test_all_names_the_methods_that_take_no_margin(run):
    text = run("compare", *FOUR, "--method", "all", "--margin", "0.1").stdout
    assert "left out  " in text
    assert "mcnemar (test): method 'mcnemar' takes no margin." in text
    assert "odds-exact (interval): " in text
    assert "\n  tango " in text


def test_all_names_the_methods_left_out_as_too_slow(run):
    done = run("compare", "--table", "100", "2500", "2600", "100000", "--method", "all")
    assert done.exit_code == 0
    assert "unconditional (interval): " in done.stdout


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--level", "95"], "use 0.95"),
        (["--level", "0.9", "--alpha", "0.05"], "`--alpha` must be 1 - level, got --level 0.9 and --alpha 0.05."),
        (["--margin", "7"], "`--margin` must be between 0 and 1"),
        (["--hypothesis", "superior"], "`--margin` is required"),
        (["--looks", "-1"], "`--looks` must be a whole number of 0 or more, got -1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_options_that_suit_no_method_are_refused_for_all(refused, flags, words, form):
    assert words in refused("compare", *FOUR, "--method", "all", *flags, *form)


# --- Bad input ---

BAD_COUNTS = [
    ([], "give exactly one of FILE, --table, --independent and --paired-confusion."),
    ([*FOUR, *TWO_SETS], "give exactly one of FILE, --table, --independent and --paired-confusion."),
    (["--table", "1", "2", "3"], "`--table` needs 4 values, separated by spaces."),
    (["--table", "0", "0", "0", "0"], "at least one example"),
    (["--table", "-1", "2", "3", "4"], "`--table` must be whole numbers of 0 or more, got -1."),
    (["--table", "1", "2", "-3", "4"], "`--table` must be whole numbers of 0 or more, got -3."),
    (["--table", "1", "2.5", "3", "4"], "`--table` must be whole numbers of 0 or more, got 2.5."),
    (["--table", "1", "2", "3", "nan"], "`--table` must be whole numbers of 0 or more, got nan."),
    (["--table", "1", "2", "3", "inf"], "`--table` must be at most 2**53, got inf"),
    (["--table", "1", "2", "3", "many"], "`--table` must be a number, got 'many'."),
    (["--table", "1", "2", "3", "9007199254740993"], "2**53"),
    (["--independent", "5", "3", "1", "2"], "`--independent E` must be at most `--independent N`, got 5 of 3"),
    (["--independent", "0", "0", "1", "2"], "`--independent N` must be at least 1, got 0"),
    (["--independent", "-1", "3", "1", "2"], "`--independent E` must be whole numbers of 0 or more, got -1"),
    ([*FOUR, "--method", "nope"], "unknown method 'nope' for PairedTable."),
    ([*FOUR, "--method", "fisher"], "unknown method"),
    ([*TWO_SETS, "--method", "mcnemar"], "unknown method"),
    ([*FOUR, "--interval", "mcnemar"], "gives a test, not an interval"),
    ([*FOUR, "--level", "0.9", "--alpha", "0.05"], "`--alpha` must be 1 - level, got --level 0.9 and --alpha 0.05."),
    ([*FOUR, "--level", "95"], "For 95% use 0.95"),
    ([*FOUR, "--alpha", "0"], "`--alpha` must be between 0 and 1"),
    ([*FOUR, "--margin", "0"], "`--margin` must be between 0 and 1"),
    ([*FOUR, "--margin", "1.5"], "For 1 pp use 0.01"),
    ([*FOUR, "--margin", "nan"], "`--margin` must be between 0 and 1"),
    ([*FOUR, "--margin", "0.1", "--alpha", "0.5"], "`--alpha` must be below 0.5 with a margin"),
    ([*FOUR, "--margin", "0.1", "--alternative", "less"], "`--alternative` must be left out with a margin"),
    ([*FOUR, "--margin", "0.1", "--method", "mcnemar"], "Choose one of: mcnemar-evalue, scas-paired, tango, tango-bcf"),
    (
        [*FOUR, "--margin", "0.1", "--interval", "odds-exact"],
        "`--interval` must be one of the difference with a margin, got 'odds-exact'",
    ),
    ([*FOUR, "--hypothesis", "superior"], "`--margin` is required"),
    (
        [*FOUR, "--hypothesis", "better"],
        "`--hypothesis` must be one of non-inferior, superior, equivalent, got 'better'.",
    ),
    ([*FOUR, "--alternative", "upper"], "`--alternative` must be one of two-sided, greater, less, got 'upper'."),
    ([*FOUR, "--adjust", "holm"], "`--adjust` needs several models or groups."),
    ([*FOUR, "--adjust", "nope"], "unknown `--adjust` 'nope'."),
    ([*FOUR, "--looks", "-1"], "`--looks` must be a whole number of 0 or more, got -1"),
    ([*FOUR, "--looks", "1.5"], "--looks"),
    ([*FOUR, "--label", "species"], "--label"),
    ([*FOUR, "--group", "site"], "--group"),
    ([*FOUR, "--id", "row"], "--id"),
    ([*FOUR, "--correct"], "--correct"),
    ([*FOUR, "--missing", "drop"], "--missing"),
    ([*FOUR, "--colour"], "unknown option `--colour`."),
    ([*FOUR, "--marg", "0.1"], "--margin"),
]


@pytest.mark.parametrize(
    ("words", "message"), BAD_COUNTS, ids=[" ".join(words) or "nothing" for words, _ in BAD_COUNTS]
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_bad_counts_are_one_line_with_a_fix(refused, words, message, form):
    assert message in refused("compare", *form, *words)


def test_contradictory_level_and_alpha_exit_with_2(shell):
    done = shell("compare", *FOUR, "--level", "0.9", "--alpha", "0.05")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
