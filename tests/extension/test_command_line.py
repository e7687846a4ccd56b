"""The command line with a kind of evidence of an installed package: entry point and file name lead to it."""

import json
import sys

import pytest
from click.testing import CliRunner

from tellapart.cli import main

CONTENT = {
    "models": ["a", "b", "c"],
    "wins": [[0, 30, 20], [45, 0, 25], [50, 44, 0]],
    "ties": [[0, 5, 6], [5, 0, 7], [6, 7, 0]],
}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wins.prefs.json").write_text(json.dumps(CONTENT), "utf-8")
    return "wins.prefs.json"


@pytest.fixture
def run(installed):  # noqa: ARG001  # what is installed
    def call(*words, status=0):
        done = CliRunner().invoke(main, list(words), prog_name="tellapart")
        assert done.exit_code == status, done.output
        return done.output

    return call


def test_several_models_are_ranked(run, file):
    assert "preferences" not in sys.modules
    output = run("compare", file)
    assert output.startswith("c and b are tied for first of 3 models\n")
    assert "0.618" in output
    assert "preferences" in sys.modules


def test_two_models_are_compared(run, file):
    output = run("compare", file, "--learner", "a", "--learner", "c", "--json")
    assert json.loads(output)["better_model"] == "c"
    assert "at most 0.1" in run("compare", file, "--learner", "a", "--learner", "b", "--margin", "0.1")


def test_every_model_is_estimated(run, file):
    assert "Clopper-Pearson" in run("estimate", file)
    assert [model["model"] for model in json.loads(run("estimate", file, "--json"))["models"]] == CONTENT["models"]
    (model,) = json.loads(run("estimate", file, "--learner", "b", "--json"))["models"]
    assert model["model"] == "b"


def test_a_page_is_written_with_the_lines_that_give_the_same(run, file, tmp_path):
    run("compare", file, "--html", "page.html", "--adjust", "bonferroni")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "ta.compare(&#39;wins.prefs.json&#39;, adjust=&#39;bonferroni&#39;)" in page
    run("estimate", file, "--html", "estimates.html")
    assert "Clopper-Pearson" in (tmp_path / "estimates.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--label", "species"], "`--label` must be left out for wins.prefs.json"),
        (["--rope", "0.1"], "`--rope` must be left out for wins.prefs.json"),
        (["--method", "all"], "`--method` must be one method"),
        (["--method", "sing-test"], "Did you mean 'sign-test'"),
        (["--metric", "f1"], "must be 'win-rate', got 'f1'"),
        (["other.csv"], "wins.prefs.json must be the only FILE"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_option_that_does_not_apply_is_refused(run, file, words, message):
    assert message in " ".join(run("compare", file, *words, status=2).split())


def test_a_missing_file_is_refused(run):
    assert "absent.prefs.json" in run("compare", "absent.prefs.json", status=2)


def test_without_the_package_the_file_is_read_as_any_other(file):
    done = CliRunner().invoke(main, ["compare", file], prog_name="tellapart")
    assert done.exit_code == 2


def test_methods_of_the_package_are_listed(run):
    assert "exact-share" in run("methods")


def test_a_package_that_does_not_load_is_named(run, file, monkeypatch):
    from importlib.metadata import EntryPoint

    broken = EntryPoint(name="broken", value="no_such_module", group="tellapart.evidence")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [broken])
    assert "the evidence of package 'no_such_module' cannot be loaded" in run("compare", file, status=2)
