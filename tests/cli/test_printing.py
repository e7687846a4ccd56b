"""Colours appear on a terminal only, without NO_COLOR; a pipe gets plain text."""

import os
import re
import sys

import pytest

import tellapart as ta

COMMAND = ("compare", "--table", "20", "25", "10", "45", "--method", "mcnemar")


@pytest.fixture
def terminal(shell):
    """Run a command whose stdout is a terminal, and return its output."""
    if sys.platform == "win32":
        pytest.skip("no pseudoterminals here")
    import pty

    def look(*arguments, **env):
        ours, theirs = pty.openpty()
        environment = {"TERM": "xterm", "COLUMNS": "90", "NO_COLOR": "", **env}
        try:
            done = shell(*arguments, env=environment, stdout=theirs)
            os.close(theirs)
            shown = b""
            while part := _read(ours):
                shown += part
        finally:
            os.close(ours)
        assert done.returncode == 0
        return shown.decode().replace("\r\n", "\n")

    return look


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux says so at the end
        return b""


def test_a_pipe_gets_plain_text(run):
    answer = ta.compare(ta.PairedTable(20, 25, 10, 45), method="mcnemar")
    assert run(*COMMAND).stdout == f"{answer}\n"


def test_a_terminal_shows_a_coloured_verdict_and_yellow_cautions(terminal):
    assert "\x1b[33m  caution   TA104" in terminal("compare", "--table", "3", "4", "1", "92")
    shown = terminal(*COMMAND)
    assert "\x1b[32m\x1b[1mB has a lower error rate than A" in shown
    bare = re.sub(r"\x1b\[[\d;]*m", "", shown)
    answer = ta.compare(ta.PairedTable(20, 25, 10, 45), method="mcnemar")
    assert bare.split() == str(answer).split()


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_color_gives_plain_text(terminal, env):
    answer = ta.compare(ta.PairedTable(20, 25, 10, 45), method="mcnemar")
    assert terminal(*COMMAND, **env) == f"{answer}\n"


def test_json_is_plain_on_a_terminal(terminal):
    answer = ta.compare(ta.PairedTable(20, 25, 10, 45), method="mcnemar")
    assert terminal(*COMMAND, "--json") == f"{answer.to_json()}\n"


@pytest.mark.parametrize(
    "command",
    [
        "compare {} --models {},b",
        "estimate {}",
        "estimate {} --models b --group {}",
        "compare {} --models {},b --examples 3",
        "compare {} --models b,c --group {}",
    ],
)
@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}])
def test_control_characters_in_names_are_removed(terminal, tmp_path, command, env):
    name = "a\x1b]0;owned\x07\x1b[2J\u202eX"
    file = tmp_path / "predictions.csv"
    file.write_text(f"label,{name},b,c\n1,1,0,1\n1,0,0,1\n0,0,0,1\n", encoding="utf-8")
    words = [str(file) if word == "{}" and index == 1 else word.replace("{}", name)
             for index, word in enumerate(command.split())]  # fmt: skip
    shown = terminal(*words, **env)
    assert not {"\x07", "\u202e"} & set(shown)
    assert "\x1b[2J" not in shown
    assert "\x1b]" not in shown
    assert "[2J" in shown or "--group" in command
