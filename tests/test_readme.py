"""The README tells the truth: its console block is what the command prints, its counts are the registry's."""

import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from tellapart.cli import main
from tellapart.methods import find_methods

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_console_block_is_what_the_command_prints():
    ((command, shown),) = re.findall(r"```console\n\$ tellapart ([^\n]+)\n(.*?)```", README, re.DOTALL)
    assert CliRunner().invoke(main, shlex.split(command)).output == shown


def test_so_many_intervals_are_there():
    (said,) = re.findall(r"\*\*(\d+) intervals for an error rate\*\*", README)
    assert int(said) == len(find_methods(gives="interval", question=1))


def test_the_commands_are_targets_of_the_makefile():
    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
