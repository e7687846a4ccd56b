"""`tellapart estimate`: the answers of Python, as text and JSON; bad input is one line."""

import json
from dataclasses import replace

import pytest

from tellapart import ErrorCount, estimate, find_methods

INTERVALS = find_methods(evidence=ErrorCount, gives="interval")
WITHOUT_POOL = [method for method in INTERVALS if "pool" not in method.required]


# --- The answer ---


def test_the_text_is_that_of_the_python_result(run):
    done = run("estimate", "3", "120", "--method", "mid-p")
    assert done.exit_code == 0
    assert done.stdout == f"{estimate(ErrorCount(3, 120), method='mid-p')}\n"


def test_verbose_output_of_a_default_lists_alternatives(run):
    assert run("estimate", "3", "120").stdout == f"{estimate(ErrorCount(3, 120))}\n"
    assert "--method mid-p" in run("estimate", "3", "120", "-v").stdout
    assert "--method mid-p" not in run("estimate", "30", "120", "-v").stdout
    assert "  or  " not in run("estimate", "3", "120", "--method", "jeffreys", "-v").stdout


def test_json_has_the_documented_fields(run):
    document = json.loads(run("estimate", "3", "120", "--method", "wald", "--json").stdout)
    assert {"method", "estimate", "interval", "evidence", "checks", "words"} <= set(document)
    assert {"low", "high", "level", "side"} <= set(document["interval"])
    assert document["evidence"] == {"errors": 3, "trials": 120}
    assert document["estimate"] == 0.025
    assert document["checks"]
    assert all(set(check) >= {"code", "holds", "message"} for check in document["checks"])
    assert all(type(check["holds"]) is bool for check in document["checks"])


@pytest.mark.parametrize("method", WITHOUT_POOL, ids=lambda method: method.name)
def test_json_has_all_digits_of_the_python_result(run, method):
    prior = {"prior": (1.0, 3.0)} if "prior" in method.required else {}
    flags = ["--prior", "1,3"] if prior else []
    done = run("estimate", "3", "120", "--method", method.name, *flags, "--json")
    assert done.exit_code == 0
    assert done.stdout == estimate(ErrorCount(3, 120), method=method.name, **prior).to_json() + "\n"


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--level", "0.99"], {"level": 0.99}),
        (["--level=0.9"], {"level": 0.9}),
        (["--alpha", "1e-12"], {"alpha": 1e-12}),
        (["--level", "0.9", "--alpha", "0.1"], {"level": 0.9, "alpha": 0.1}),
        (["--side", "upper"], {"side": "upper"}),
        (["--side", "lower", "--method", "mid-p"], {"side": "lower", "method": "mid-p"}),
        (["--prior", "0.5,0.5"], {"prior": (0.5, 0.5)}),
        (["--pool", "1000"], {"pool": 1000}),
        (["--prior", "majority"], {"prior": "majority"}),
        (["--prior", "1, 3.67", "--method", "posterior"], {"prior": (1, 3.67), "method": "posterior"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_are_those_of_python(run, flags, options):
    done = run("estimate", "3", "120", *flags, "--json")
    assert json.loads(done.stdout) == json.loads(estimate(ErrorCount(3, 120), **options).to_json())


@pytest.mark.parametrize("words", [["--json", "3", "120"], ["3", "--json", "120"], ["3", "120", "--json"]])
def test_options_may_precede_or_follow_arguments(run, words):
    assert json.loads(run("estimate", *words).stdout)["estimate"] == 0.025


def test_whole_numbers_may_be_written_as_floats(run):
    assert "1,000 errors in 10,000 examples" in run("estimate", "1e3", "10000.0").stdout


# --- All methods ---


def test_all_methods_as_json_are_a_list_without_duplicates(run):
    document = json.loads(run("estimate", "3", "120", "--method", "all", "--prior", "1,3", "--json").stdout)
    assert [answer["method"] for answer in document] == [method.name for method in WITHOUT_POOL]


def test_each_method_of_all_gives_its_own_answer(run):
    document = json.loads(run("estimate", "3", "120", "--method", "all", "--json").stdout)
    assert [answer["method"] for answer in document] == [method.name for method in INTERVALS if not method.required]
    for answer in document:
        assert answer == json.loads(estimate(ErrorCount(3, 120), method=answer["method"]).to_json())


def test_the_table_of_all_methods_shows_status_and_failed_checks(run):
    lines = run("estimate", "3", "120", "--method", "all").stdout.splitlines()
    for method in INTERVALS:
        if not method.required:
            (line,) = [line for line in lines if line.split()[:1] == [method.name]]
            assert ("do not use" if method.standing == "forbidden" else method.standing) in line
    (first,) = [index for index, line in enumerate(lines) if line.split()[:1] == ["wald"]]
    cell = " ".join(lines[first : lines.index("", first)])  # the last line of the table, which may be wrapped
    assert {"TA006", "TA010"} <= set(cell.split())
    assert [line for line in lines if line.startswith("  left out  beta:")]


def test_all_names_the_methods_without_this_level(run):
    done = run("estimate", "3", "120", "--method", "all", "--level", "0.9")
    assert done.exit_code == 0
    assert "jeffreys-approx: " in done.stdout


@pytest.mark.parametrize(
    ("flags", "document"),
    [
        (["--side", "up"], "`--side` must be one of two, upper, lower, got 'up'."),
        (["--level", "95"], "use 0.95"),
        (
            ["--prior", "nope"],
            "`--prior` must be one of jeffreys, uniform, error-rates, majority, a pair (u, v) or a density, got",
        ),
        (["--prior", "0,1"], "`--prior` must be Beta(u, v), both numbers of at least 1e-300, got u ="),
        (["--level", "0.95", "--alpha", "0.01"], "`--alpha` must be 1 - level, got --level 0.95 and --alpha 0.01."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_options_that_suit_no_method_are_refused_for_all(refused, flags, document, form):
    assert document in refused("estimate", "3", "120", "--method", "all", *flags, *form)


# --- Files ---


def as_accuracy(evidence):
    """Return evidence that is reported as accuracy, like that of files."""
    return replace(evidence, as_accuracy=True)


def document(run, *words):
    """Run a command that must succeed, and return its JSON."""
    done = run("estimate", *words, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout, parse_constant=pytest.fail)


FILE = ("predictions.csv", "--label", "species")  # forest has 2 errors in 24 (a dog and a fox), stump 16


@pytest.mark.usefixtures("animals")
def test_one_model_of_a_file_has_the_full_answer(run):
    done = run("estimate", *FILE, "--models", "forest")
    assert done.exit_code == 0
    assert done.stdout.startswith("forest: accuracy 91.7% (95% CI 75.9% to 98.2%)\n")
    assert "2 errors in 24 examples" in done.stdout


@pytest.mark.usefixtures("animals")
def test_every_model_of_a_file_has_its_answer(run):
    answer = document(run, *FILE, "--models", "forest,stump", "--method", "wilson", "--level", "0.9")
    assert [entry["model"] for entry in answer["models"]] == ["forest", "stump"]
    for entry, errors in zip(answer["models"], (2, 16), strict=True):
        count = as_accuracy(ErrorCount(errors, 24))
        alone = json.loads(estimate(count, method="wilson", level=0.9).to_json())
        assert {name: entry[name] for name in alone} == alone
    assert "excluded" not in answer


@pytest.mark.usefixtures("animals")
def test_a_table_has_a_line_for_each_model_and_points_to_compare(run):
    text = run("estimate", *FILE, "--models", "forest,stump").stdout
    assert text.startswith("Accuracy of 2 models\n")
    assert "use `tellapart compare`" in text
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line.split()}
    assert lines["forest"][1:5] == ["24", "91.7%", "75.9", "to"]
    assert lines["stump"][1:5] == ["24", "33.3%", "17.2", "to"]


@pytest.mark.usefixtures("animals")
def test_groups_of_a_file_are_printed_one_line_each(run):
    """The last two examples are forest's errors: one in the north, one in the south."""
    answer = document(run, *FILE, "--models", "forest,stump", "--group", "site")
    assert [(entry["group"], entry["model"], entry["evidence"]) for entry in answer["models"]] == [
        ("north", "forest", {"errors": 1, "trials": 12}),
        ("north", "stump", {"errors": 8, "trials": 12}),
        ("south", "forest", {"errors": 1, "trials": 12}),
        ("south", "stump", {"errors": 8, "trials": 12}),
    ]
    text = run("estimate", *FILE, "--models", "forest", "--group", "site").stdout
    assert (
        len([line for line in text.splitlines() if line.split()[:2] in (["north", "forest"], ["south", "forest"])]) == 2
    )


def test_dropped_examples_are_counted(run, animals):
    (animals / "gaps.csv").write_text("label,a,b\nx,x,\ny,y,y\nx,,x\n,x,x\n")
    left_out = {"missing label": 1, "missing prediction of a": 1, "missing prediction of b": 1}
    answer = document(run, "gaps.csv", "--missing", "drop")
    assert answer["excluded"] == left_out
    assert [entry["evidence"] for entry in answer["models"]] == [{"errors": 0, "trials": 1}] * 2
    text = run("estimate", "gaps.csv", "--missing", "drop").stdout
    assert all(f"{count} left out ({reason})" in " ".join(text.split()) for reason, count in left_out.items())


def test_correctness_weights_and_two_files_work_as_for_compare(run, animals):
    (animals / "right.csv").write_text("a,times\n1,5\n0,2\n")
    assert document(run, "right.csv", "--correct", "--weight", "times")["models"][0]["evidence"] == {
        "errors": 2,
        "trials": 7,
    }
    answer = document(run, "old.csv", "new.csv", "--label", "species", "--id", "row")
    assert [(entry["model"], entry["evidence"]["errors"]) for entry in answer["models"]] == [
        ("stump", 16),
        ("forest", 2),
    ]


BAD_FILES = [
    (["nope.csv"], "file not found: nope.csv"),
    (["predictions.csv"], "`--label` must name the column of true labels."),
    (["predictions.csv", "--label", "specis"], "`--label` must be a column of the table, got 'specis'."),
    ([*FILE, "--models", "forrest"], "`--models` must be columns of the table, got 'forrest'."),
    ([*FILE, "--method", "all"], "`--method` all needs one count: ERRORS TRIALS."),
    ([*FILE, "--models", "forest", "--method", "tango"], "method 'tango' gives no interval from ErrorCount"),
    ([*FILE, "--models", "forest", "--level", "95"], "use 0.95"),
    (["old.csv", "new.csv", "--label", "species"], "`--id` is required to join 2 files."),
]


@pytest.mark.usefixtures("animals")
@pytest.mark.parametrize(("words", "message"), BAD_FILES, ids=[" ".join(words) for words, _ in BAD_FILES])
def test_a_bad_file_is_one_line_with_a_fix(refused, words, message):
    assert message in refused("estimate", *words)
    assert refused("estimate", *words) == refused("estimate", *words, "--json")


# --- Bad input ---

BAD = [  # words, what the one line says
    (["5", "3"], "`ERRORS` must be at most `TRIALS`, got 5 of 3"),
    (["-3", "120"], "`ERRORS` must be whole numbers of 0 or more, got -3"),
    (["3", "-120"], "`TRIALS` must be whole numbers of 0 or more, got -120"),
    (["--", "-3", "120"], "`ERRORS` must be whole numbers of 0 or more, got -3"),
    (["0.5", "120"], "0.5"),
    (["3", "120.5"], "120.5"),
    (["nan", "120"], "nan"),
    (["3", "nan"], "nan"),
    (["inf", "120"], "inf"),
    (["3", "0"], "`TRIALS` must be at least 1, got 0"),
    (["0", "0"], "`TRIALS` must be at least 1, got 0"),
    (["three", "120"], "ERRORS and TRIALS must be numbers, got 'three'."),
    (["3", ""], "ERRORS and TRIALS must be numbers, got ''."),
    (["9007199254740993", "9007199254740993"], "2**53"),
    (["1180591620717411303424", "1180591620717411303424"], "2**53"),
    ([], "give exactly one of ERRORS TRIALS, FILE and --confusion."),
    (["3"], "give two numbers, ERRORS and TRIALS, or a FILE, got"),
    (["3", "120", "7"], "give two numbers, ERRORS and TRIALS, or a FILE, got"),
    (["3", "120", "--label", "species"], "`--label` must be left out with 3 120, which are counts."),
    (["3", "120", "--group", "site"], "`--group` must be left out with 3 120, which are counts."),
    (["3", "120", "--id", "row"], "`--id` must be left out with 3 120, which are counts."),
    (["3", "120", "--missing", "drop"], "`--missing` must be left out with 3 120, which are counts."),
    (["3", "predictions.csv"], "ERRORS and TRIALS must be numbers, got 'predictions.csv'."),
    (["3", "120", "--pool", "100"], "pool"),
    (["3", "120", "--pool", "many"], "`--pool` must be a number, got 'many'."),
    (["3", "120", "--level", "95"], "For 95% use 0.95"),
    (["3", "120", "--level", "1"], "`--level` must be between 0 and 1"),
    (["3", "120", "--level", "0"], "`--level` must be between 0 and 1"),
    (["3", "120", "--level", "nan"], "`--level` must be between 0 and 1"),
    (["3", "120", "--level", "-0.5"], "`--level` must be between 0 and 1"),
    (["3", "120", "--level", "high"], "--level"),
    (["3", "120", "--level"], "--level"),
    (["3", "120", "--alpha", "5"], "`--alpha` must be between 0 and 1"),
    (
        ["3", "120", "--level", "0.95", "--alpha", "0.01"],
        "`--alpha` must be 1 - level, got --level 0.95 and --alpha 0.01.",
    ),
    (["3", "120", "--side", "both"], "`--side` must be one of two, upper, lower, got 'both'."),
    (["3", "120", "--method", "nope"], "unknown method 'nope'"),
    (["3", "120", "--method", ""], "unknown method ''"),
    (["3", "120", "--method", "beta"], "prior"),
    (
        ["3", "120", "--method", "jeffreys-approx", "--level", "0.9"],
        "method 'jeffreys-approx' must have level 0.95 two-sided or 0.975 one-sided, got alpha = 0.1, side 'two'.",
    ),
    (
        ["3", "120", "--method", "wald", "--prior", "1,1"],
        "method 'wald' does not accept `--prior`. Choose one of: beta, beta-binomial-cs, posterior.",
    ),
    (["3", "120", "--prior", "1"], "`--prior` must be U,V, such as 0.5,0.5, got"),
    (["3", "120", "--prior", "1,2,3"], "`--prior` must be U,V, such as 0.5,0.5, got"),
    (["3", "120", "--prior", "0,1"], "`--prior` must be Beta(u, v), both numbers of at least 1e-300, got u ="),
    (["3", "120", "--prior", "-1,1"], "`--prior` must be Beta(u, v), both numbers of at least 1e-300, got u ="),
    (["3", "120", "--prior", "inf,1"], "`--prior` must be Beta(u, v), both numbers of at least 1e-300, got u ="),
    (
        ["3", "120", "--prior", "nan,nan"],
        "`--prior` must be one of jeffreys, uniform, error-rates, majority, a pair (u, v) or a density, got 'nan,nan'.",
    ),
    (
        ["3", "120", "--prior", "nope"],
        "`--prior` must be one of jeffreys, uniform, error-rates, majority, a pair (u, v) or a density, got 'nope'.",
    ),
    (["3", "120", "--colour"], "unknown option"),
    (["3", "120", "-j"], "unknown option"),
    (["3", "120", "--jso"], "unknown option"),
]


@pytest.mark.parametrize(("words", "document"), BAD, ids=[" ".join(words) or "nothing" for words, _ in BAD])
def test_bad_input_is_one_line_with_a_fix(refused, words, document):
    assert document in refused("estimate", *words)


@pytest.mark.parametrize("words", [["5", "3"], ["3", "120", "--level", "95"]])
def test_bad_input_is_the_same_line_with_json(refused, words):
    assert refused("estimate", *words) == refused("estimate", *words, "--json")


def test_a_required_prior_is_requested_in_the_syntax_of_the_command_line(refused):
    assert "--prior 0.5,0.5" in refused("estimate", "3", "120", "--method", "beta")
