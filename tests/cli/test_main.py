"""The command line as a whole: help, version, completion, exit statuses, pipes."""

import itertools
import os
import re
import shlex

import pytest
from click.shell_completion import ShellComplete

import tellapart
from tellapart import ClassScores, ErrorCount, IndependentCounts, Outcomes, PairedConfusion, PairedTable, ScoreTable
from tellapart.cli import COMMANDS, main
from tellapart.methods import find_methods


def completions(*words, incomplete=""):
    return [
        item.value
        for item in ShellComplete(main, {}, "tellapart", "_TELLAPART_COMPLETE").get_completions([*words], incomplete)
    ]


# --- Help and version ---


def test_version(run):
    done = run("--version")
    assert (done.exit_code, done.stdout) == (0, f"tellapart, version {tellapart.__version__}\n")


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize(
    "command", [(), *((name,) for name in COMMANDS)], ids=lambda words: " ".join(words) or "tellapart"
)
def test_help_has_an_example(run, command, flag):
    done = run(*command, flag)
    assert done.exit_code == 0
    assert done.stderr == ""
    assert "Example" in done.stdout
    assert f"\n  {' '.join(('tellapart', *command))}" in done.stdout.replace('eval "$(', "")
    assert "\\b" not in done.stdout
    assert "\b" not in done.stdout


@pytest.mark.usefixtures("animals")
@pytest.mark.parametrize(
    "command", [(), *((name,) for name in COMMANDS)], ids=lambda words: " ".join(words) or "tellapart"
)
def test_the_examples_of_a_help_text_are_separate_lines_that_work(run, command):
    text = run(*command, "--help").stdout.replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines()]
    examples = [line.partition(" > ")[0] for line in lines if line.startswith("tellapart ")]
    assert examples or command == ("completion",)
    for line in examples:
        done = run(*shlex.split(line)[1:])
        assert done.exit_code == 0, done.stderr
        assert done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_on_a_screen_and_no_option_takes_more_than_two_lines(run, command):
    lines = run(command, "--help").stdout.splitlines()
    assert len(lines) <= 62
    assert all(len(line) <= 80 for line in lines)
    wrapped = [line.startswith(" " * 20) for line in lines]
    assert not any(first and second for first, second in itertools.pairwise(wrapped))


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (
            "compare",
            "--label --models --id --group --correct --weight --missing --table --independent --method --interval"
            " --level --alpha --alternative --margin --hypothesis --adjust --looks --rope --learner --metric --scores"
            " --dataset --control --rho --difference --json --latex --explain",
        ),
        (
            "estimate",
            "--label --models --id --group --correct --weight --missing --method --level --alpha --side --learner"
            " --metric --json",
        ),
        (
            "race",
            "--data --target --learner --plan --group --ignore --seeds --learning-curve --no-stratify --scale --rng"
            " --store --resume --retry-failed --jobs --dask --timeout --reseeds --metric --method --json",
        ),
    ],
)
def test_all_options_are_under_help_all(run, command, options):
    text = run(command, "--help-all").stdout
    for option in options.split():
        assert re.search(rf"\n  (-\w, )?{option}[ /\n]", text)
    assert len(text.splitlines()) > len(run(command, "--help").stdout.splitlines())


def test_summaries_of_commands_are_not_cut(run):
    assert "..." not in run("--help").stdout.partition("Commands:")[2]


def test_every_command_is_listed_with_a_summary(run):
    text = run("--help").stdout
    assert all(f"\n  {name} " in text for name in COMMANDS)


def test_without_arguments_the_help_is_shown_and_the_status_is_2(run, shell):
    for done, status in ((run(), "exit_code"), (shell(), "returncode")):
        assert getattr(done, status) == 2
        assert done.stdout.startswith("Usage: tellapart")
        assert done.stderr == ""


@pytest.mark.parametrize("words", [["nope"], ["--nope"], ["estimat", "3", "120"]])
def test_unknown_commands_and_options_point_to_help(refused, words):
    assert words[0] in refused(*words)
    assert "See `tellapart --help`." in refused(*words) or "Did you mean" in refused(*words)


# --- A process of its own ---


def test_an_answer_is_on_stdout_and_nothing_on_stderr(shell):
    done = shell("estimate", "3", "120")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "3 errors in 120 examples" in done.stdout
    assert "Jeffreys" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["estimate", "120", "3"],
        ["estimate", "3", "120", "--level", "95"],
        ["estimate", "3"],
        ["methods", "nope"],
        ["coverage", "--trials", "30", "--method", "beta"],
        ["compare"],
        ["compare", "nope.csv"],
        ["compare", "--table", "0", "0", "0", "0"],
        ["compare", "--table", "1", "2", "3", "4", "--method", "nope"],
        ["nope"],
    ],
    ids=" ".join,
)
def test_bad_input_is_status_2_and_one_line_without_a_traceback(shell, words):
    done = shell(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        "estimate 3 120",
        "estimate 3 120 --method all",
        "compare --table 20 25 10 45",
        "coverage --trials 20",
        "calibrate 3 120",
        "plan --difference 0.02 --disagreement 0.06",
        "peek --examples 30 --disagreement 0.1",
        "gate --table 20 25 10 45",
        "watch nowhere.json --table 1 2 3 4",
    ],
)
def test_an_alpha_that_cannot_be_halved_is_refused_by_every_command(refused, words):
    message = refused(*shlex.split(words), "--alpha", "5e-324")
    assert "`--alpha` must be at least 1e-300, got 5e-324." in message


@pytest.mark.parametrize("points", [10**9, 2**63 - 1, 2**63])
def test_too_many_points_are_refused(refused, points):
    message = refused("coverage", "--trials", "20", "--points", str(points))
    assert f"must be a whole number from 1 to 1,000,000, got {points}." in message


@pytest.mark.parametrize("prior", ["1e308,1e308", "1e17,1", "1,5e-324"])
def test_a_prior_that_is_too_strong_or_too_weak_is_refused(refused, prior):
    assert "`--prior` must be Beta(u," in refused("estimate", "3", "120", "--method", "beta", "--prior", prior)


@pytest.mark.parametrize(
    "words",
    [
        ["estimate", "3", "120"],
        ["estimate", "3", "120", "--method", "all", "--json"],
        ["compare", "--table", "20", "25", "10", "45"],
        ["methods"],
        ["--help"],
        [],
    ],
    ids=lambda words: " ".join(words) or "no arguments",
)
def test_a_closed_pipe_gives_no_traceback(shell, words):
    """As with `tellapart … | head -1`, but the pipe is closed for certain."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = shell(*words, stdout=writer)
    finally:
        os.close(writer)
    assert done.stderr == ""
    assert done.returncode in {1, 2}


@pytest.mark.parametrize(
    "words",
    [
        ["estimate", "3", "120", "--method", "wald"],
        ["methods", "wald"],
        ["compare", "--table", "0", "4", "3", "93", "--interval", "wald-paired"],
    ],
    ids=" ".join,
)
def test_a_terminal_with_few_characters_gets_an_answer(shell, words):
    """Windows encodes pipes as cp1252, which lacks √, ≥ and −."""
    done = shell(*words, env={"PYTHONIOENCODING": "cp1252"})
    assert done.returncode == 0
    assert done.stderr == ""
    assert "wald" in done.stdout


@pytest.mark.parametrize("words", [["estimate", "3", "120"], ["compare", "--table", "1", "2", "3", "4"]], ids=" ".join)
def test_an_interrupt_is_one_line(run, monkeypatch, words):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"tellapart.cli.{words[0]}.{words[0]}", interrupted)
    done = run(*words)
    assert done.exit_code == 130
    assert done.stdout == ""
    assert done.stderr.strip() == "error: stopped before it was done."


# --- Completion ---


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(run, name):
    done = run("completion", name)
    assert done.exit_code == 0
    assert f"_TELLAPART_COMPLETE={name}_complete" in done.stdout


def test_completion_for_another_shell_lists_the_three(refused):
    assert all(name in refused("completion", "tcsh") for name in ("bash", "zsh", "fish"))
    assert "SHELL is required" in refused("completion")


def test_the_shell_completes_method_names(shell):
    request = {
        "_TELLAPART_COMPLETE": "bash_complete",
        "COMP_WORDS": "tellapart estimate 3 120 --method wil",
        "COMP_CWORD": "5",
    }
    done = shell(env=request)
    assert done.returncode == 0
    assert done.stdout.split() == ["plain,wilson", "plain,wilson-cc"]


def test_commands_and_options_are_completed():
    assert completions(incomplete="e") == ["estimate"]
    assert "--method" in completions("estimate", incomplete="--m")


@pytest.mark.parametrize(("command", "facts"), [("estimate", {"question": 1}), ("coverage", {"evidence": ErrorCount})])
def test_estimate_completes_every_interval_of_one_model_and_all(command, facts):
    offered = completions(command, "--method")
    assert offered == [*sorted({method.name for method in find_methods(gives="interval", **facts)}), "all"]


def test_compare_completes_every_test_and_interval_and_all():
    offered = completions("compare", "--method")
    kinds = (PairedTable, IndependentCounts, Outcomes, PairedConfusion, ClassScores)
    able = {method.name for kind in kinds for method in find_methods(evidence=kind, question=3)}
    able |= {method.name for method in find_methods(evidence=ScoreTable, question=9)}
    assert able | {"max-t", "all"} == set(offered)
    assert offered[-1] == "all"
    assert completions("compare", "--method", incomplete="mcnemar-m") == ["mcnemar-mid-p"]
    assert completions("compare", "--method", incomplete="all") == ["all"]


def test_choices_and_intervals_of_compare_are_completed():
    assert completions("compare", "--hypothesis") == ["non-inferior", "superior", "equivalent"]
    assert completions("compare", "--alternative") == ["two-sided", "greater", "less"]
    assert completions("compare", "--missing") == ["fail", "wrong", "drop"]
    assert "benjamini-yekutieli" in completions("compare", "--adjust", incomplete="benja")
    assert {"--margin", "--method", "--models", "--missing"} <= set(completions("compare", incomplete="--m"))
    assert "tango" in completions("compare", "--interval", incomplete="tan")


def test_files_are_completed_by_the_shell():
    """An incomplete name is not an error during completion."""
    assert completions("compare", incomplete="pred") == []


def test_methods_completes_every_name():
    assert set(completions("methods")) == {method.name for method in find_methods()}
