"""`tellapart coverage`: the lab's exact figures, as text and as JSON."""

import json

import pytest

from tellapart import ErrorCount, exact_coverage, find_methods

FEW = ["--points", "50"]


def test_the_text_is_the_labs_own(run):
    done = run("coverage", "--trials", "30", "--method", "wald", *FEW)
    assert done.exit_code == 0
    assert done.stdout == f"{exact_coverage('wald', 30, points=50)}\n"


def test_the_default_is_jeffreys(run):
    assert run("coverage", "--trials", "10", *FEW).stdout == f"{exact_coverage('jeffreys', 10, points=50)}\n"


@pytest.mark.parametrize(
    ("flags", "method", "options"),
    [
        (["--method", "wilson"], "wilson", {}),
        (["--level", "0.9"], "jeffreys", {"level": 0.9}),
        (["--alpha", "0.01", "--side", "upper"], "jeffreys", {"alpha": 0.01, "side": "upper"}),
        (["--from", "0.01", "--to", "0.1"], "jeffreys", {"within": (0.01, 0.1)}),
        (["--method", "beta", "--prior", "1,3"], "beta", {"prior": (1, 3)}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_json_is_the_labs_to_the_last_digit(run, flags, method, options):
    done = run("coverage", "--trials", "20", *FEW, *flags, "--json")
    assert done.stdout == exact_coverage(method, 20, points=50, **options).to_json() + "\n"


def test_all_as_json_is_a_list_with_each_once(run):
    told = json.loads(run("coverage", "--trials", "10", "--method", "all", "--prior", "1,3", *FEW, "--json").stdout)
    assert [each["method"] for each in told] == [
        method.name
        for method in find_methods(evidence=ErrorCount, gives="interval")
        if "pool" not in method.required  # its guarantee is over finite pools, and the command knows none
    ]


def test_all_leaves_out_what_needs_a_prior_or_another_level(run):
    told = json.loads(run("coverage", "--trials", "10", "--method", "all", "--level", "0.9", *FEW, "--json").stdout)
    names = {each["method"] for each in told}
    assert "wilson" in names
    assert not names & {"beta", "posterior", "jeffreys-approx", "jeffreys-handbook"}


def test_all_as_a_table_has_a_line_for_each(run):
    lines = run("coverage", "--trials", "10", "--method", "all", *FEW).stdout.splitlines()
    found = exact_coverage("clopper-pearson", 10, points=50)
    (line,) = [line for line in lines if line.split()[:1] == ["clopper-pearson"]]
    assert line.split()[1:3] == [f"{found.mean:.4f}", f"{found.minimum:.4f}"]


BAD = [  # words, what the one line says
    ([], "Missing option '--trials'"),
    (["--trials", "0"], "trials must be a whole number"),
    (["--trials", "-5"], "but is -5"),
    (["--trials", "2.5"], "2.5"),
    (["--trials", "nan"], "nan"),
    (["--trials", "inf"], "inf"),
    (["--trials", "many"], "'many' is not a number"),
    (["--trials", "1e30"], "trials"),
    (["--trials", "1e15"], "trials"),  # more outcomes than any memory holds
    (["--trials", "30", "--method", "nope"], "Choose one of"),
    (["--trials", "30", "--method", "beta"], "prior"),
    (["--trials", "30", "--prior", "1,3"], "prior is no option of method 'jeffreys'"),
    (["--trials", "30", "--method", "beta", "--prior", "0,1"], "`prior` must be Beta(u, v)"),
    (["--trials", "30", "--level", "95"], "For 95 % write 0.95"),
    (["--trials", "30", "--side", "both"], "is not one of"),
    (["--trials", "30", "--from", "0.5", "--to", "0.2"], "0 <= low < high <= 1"),
    (["--trials", "30", "--from", "nan"], "0 <= low < high <= 1"),
    (["--trials", "30", "--to", "50"], "0 <= low < high <= 1"),
    (["--trials", "30", "--points", "0"], "`points` must be a whole number from 1 to 1,000,000, got 0"),
    (["--trials", "30", "--method", "all", "--side", "both"], "is not one of"),
    (["--trials", "30", "--method", "all", "--prior", "nope"], "prior must be one of"),
    (["--trials", "30", "7"], "unexpected extra argument"),
]


@pytest.mark.parametrize(("words", "told"), BAD, ids=[" ".join(words) or "nothing" for words, _ in BAD])
def test_bad_input_is_one_line_that_says_what_to_do(refused, words, told):
    assert told in refused("coverage", *words)
