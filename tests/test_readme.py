"""The README tells the truth: its console blocks are what the commands print, its counts are the registry's."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tellapart.cli import main
from tellapart.evidence import (
    ClassScores,
    ConfusionMatrix,
    ErrorCount,
    IndependentCounts,
    Outcomes,
    PairedConfusion,
    PairedTable,
    Resamples,
    ScoreTable,
    StratifiedCount,
)
from tellapart.methods import find_methods

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ tellapart ((?:[^\n]*\\\n)*[^\n]+)\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("command", "shown"), CONSOLE, ids=lambda text: text.split()[0])
def test_a_console_block_is_what_the_command_prints(command, shown, monkeypatch):
    monkeypatch.chdir(ROOT)
    output = CliRunner().invoke(main, shlex.split(command.replace("\\\n", " "))).output
    assert output == shown


def test_it_fits_three_screens():
    assert len(README.splitlines()) <= 120


def test_it_leads_with_a_comparison():
    assert CONSOLE[0][0].startswith("compare ")


def test_so_many_methods_are_there():
    (count,) = re.findall(r"\*\*One error rate\*\*: (\d+) intervals", README)
    of_errors = [
        method for kind in (ErrorCount, StratifiedCount) for method in find_methods(gives="interval", evidence=kind)
    ]
    assert int(count) == len(of_errors)
    (count,) = re.findall(r"(\d+) intervals for one model", README)
    assert int(count) == len(find_methods(gives="interval", evidence=ConfusionMatrix))
    counts = re.findall(r"(\d+) tests and (\d+) intervals", README)
    kinds = (PairedTable, IndependentCounts, Resamples, ScoreTable, PairedConfusion, ClassScores, Outcomes)
    for evidence, (tests, intervals) in zip(kinds, counts, strict=True):
        assert int(tests) == len(find_methods(gives="test", evidence=evidence))
        assert int(intervals) == len(find_methods(gives="interval", evidence=evidence))


def test_so_many_estimators_are_there():
    (count,) = re.findall(r"(\d+) estimators", README)
    of_learners = [method for method in find_methods(gives="estimate") if method.evidence is not Outcomes]
    assert int(count) == len(of_learners)


def test_the_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
