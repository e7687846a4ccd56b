"""`tellapart coverage`: exact coverage as text and JSON."""

import json

import pytest

from tellapart import ErrorCount, exact_coverage, find_methods

FEW = ["--points", "50"]


def test_the_text_is_that_of_the_python_result(run):
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
def test_json_has_all_digits_of_the_python_result(run, flags, method, options):
    done = run("coverage", "--trials", "20", *FEW, *flags, "--json")
    assert done.stdout == exact_coverage(method, 20, points=50, **options).to_json() + "\n"


def test_all_methods_as_json_are_a_list_without_duplicates(run):
    text = json.loads(run("coverage", "--trials", "10", "--method", "all", "--prior", "1,3", *FEW, "--json").stdout)
    assert [each["method"] for each in text] == [
        method.name
        for method in find_methods(evidence=ErrorCount, gives="interval")
        if "pool" not in method.required  # its guarantee is over finite pools, and the command knows none
    ]


def test_all_leaves_out_methods_that_need_a_prior_or_another_level(run):
    text = json.loads(run("coverage", "--trials", "10", "--method", "all", "--level", "0.9", *FEW, "--json").stdout)
    names = {each["method"] for each in text}
    assert "wilson" in names
    assert not names & {"beta", "posterior", "jeffreys-approx", "jeffreys-handbook"}


def test_all_methods_are_a_table_with_one_line_each(run):
    lines = run("coverage", "--trials", "10", "--method", "all", *FEW).stdout.splitlines()
    result = exact_coverage("clopper-pearson", 10, points=50)
    (line,) = [line for line in lines if line.split()[:1] == ["clopper-pearson"]]
    assert line.split()[1:3] == [f"{result.mean:.4f}", f"{result.minimum:.4f}"]


def test_several_methods_are_one_line_each_or_a_list_in_json(run):
    words = ["coverage", "--trials", "10", "--method", "wald,wilson", "--method", "wald", *FEW]
    lines = run(*words).stdout.splitlines()
    assert lines[0] == "0 of 2 intervals cover at least 95% at every error rate"
    assert [line.split()[0] for line in lines[4:6]] == ["wald", "wilson"]
    text = json.loads(run(*words, "--json").stdout)
    assert [each["minimum"] for each in text] == [
        exact_coverage(name, 10, points=50).minimum for name in ("wald", "wilson")
    ]


@pytest.mark.parametrize(("ending", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_a_plot_is_written_in_addition_to_the_text(run, tmp_path, ending, magic):
    pytest.importorskip("matplotlib")
    file = tmp_path / f"coverage.{ending}"
    done = run("coverage", "--trials", "10", "--method", "wald,wilson", *FEW, "--plot", str(file))
    assert done.exit_code == 0
    assert file.read_bytes().startswith(magic)
    assert done.stdout == run("coverage", "--trials", "10", "--method", "wald,wilson", *FEW).stdout


@pytest.mark.parametrize(
    ("methods", "title"),
    [
        ("wilson", "Wilson score covers 95.3% on average at nominal 95%, and 83.5% at worst"),
        ("wald,wilson", "0 of 2 intervals cover at least 95% at every error rate"),
    ],
)
def test_a_report_has_the_python_code_of_the_same_result(run, tmp_path, methods, title):
    pytest.importorskip("matplotlib")
    page = tmp_path / "coverage.html"
    words = ["coverage", "--trials", "10", "--method", methods, *FEW]
    done = run(*words, "--json", "--html", str(page))
    assert done.stdout == run(*words, "--json").stdout
    assert done.stderr == f"report: {page}\n"
    text = page.read_text(encoding="utf-8")
    assert f"<h1>{title}</h1>" in text
    method = "method" if "," in methods else repr(methods)
    code = f"print(ta.exact_coverage({method}, 10, points=50))"
    assert code.replace("&#39;", "'") in text.replace("&#39;", "'")


@pytest.mark.parametrize(
    ("option", "file", "text"),
    [
        ("--plot", "figure.gif", "`--plot` must end in .png, .svg or .pdf"),
        ("--plot", "no/such/folder/figure.png", "`--plot` must be a file that can be written"),
        ("--plot", "folder.svg", "is a directory"),
        ("--html", "page.pdf", "`--html` must end in .html"),
        ("--html", "no/such/folder/page.html", "`--html` must be a file that can be written"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_the_work(refused, tmp_path, monkeypatch, option, file, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.svg").mkdir()
    monkeypatch.setattr("tellapart.cli.coverage.exact_coverage", None)  # a call would fail with another error
    assert text in refused("coverage", "--trials", "10", option, file)


def test_the_plot_and_the_report_must_be_two_files(refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "--html" in refused("coverage", "--trials", "10", "--plot", "x.svg", "--html", "x.svg")


BAD = [  # words, what the one line says
    ([], "`--trials` is required"),
    (["--trials", "0"], "`--trials` must be a whole number"),
    (["--trials", "-5"], "got -5"),
    (["--trials", "2.5"], "2.5"),
    (["--trials", "nan"], "nan"),
    (["--trials", "inf"], "inf"),
    (["--trials", "many"], "`--trials` must be a number, got 'many'"),
    (["--trials", "1e30"], "trials"),
    (["--trials", "1e15"], "trials"),  # more outcomes than any memory holds
    (["--trials", "30", "--method", "nope"], "Choose one of"),
    (["--trials", "30", "--method", ","], "`--method` must be names between commas, got ','"),
    (["--trials", "30", "--method", "\n", "--html", "page.html"], "must be names between commas"),
    (["--trials", "30", "--method", "beta"], "prior"),
    (["--trials", "30", "--prior", "1,3"], "of method 'jeffreys'"),
    (["--trials", "30", "--method", "beta", "--prior", "0,1"], "`--prior` must be Beta(u, v)"),
    (["--trials", "30", "--level", "95"], "For 95% use 0.95"),
    (["--trials", "30", "--side", "both"], "must be one of"),
    (["--trials", "30", "--from", "0.5", "--to", "0.2"], "0 <= from < to <= 1"),
    (["--trials", "30", "--from", "nan"], "0 <= from < to <= 1"),
    (["--trials", "30", "--to", "50"], "0 <= from < to <= 1"),
    (["--trials", "30", "--points", "0"], "`--points` must be a whole number from 1 to 1,000,000, got 0"),
    (["--trials", "30", "--method", "all", "--side", "both"], "must be one of"),
    (["--trials", "30", "--method", "all", "--prior", "nope"], "`--prior` must be one of"),
    (["--trials", "30", "7"], "unexpected argument"),
]


@pytest.mark.parametrize(("words", "text"), BAD, ids=[" ".join(words) or "nothing" for words, _ in BAD])
def test_bad_input_is_one_line_with_a_fix(refused, words, text):
    assert text in refused("coverage", *words)
