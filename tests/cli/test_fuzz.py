"""Two thousand random command lines: every one ends in a documented way.

A documented exit status, an answer or one line of error, valid JSON, no warning, and no changed file that the line does
not name. To repeat one seed: `pytest -m slow tests/cli/test_fuzz.py -k seed7-`.
"""

import json
import re
import shlex
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

from tellapart.cli import COMMANDS, main

from .command_lines import WEIGHTS, fill, line_of, outputs_of, parts_of

LINES = 100  # of each seed
STATUSES = {"gate": {0, 1, 2, 3, 4}, "reproduce": {0, 1, 2, 3}}
NO_NUMBER = re.compile(r"(?<![\w./-])(nan|None|[+-]?inf)(?![\w-])")
TIMES = re.compile(r"\d[\d.e-]* s\b|\"seconds\": [\d.e-]+")  # of the fits of a race
INNARDS = re.compile(r"Traceback|\bnp\.\w+\(|object at 0x|<class ")


class Folder:
    """A folder of files of many kinds, which is restored after each line."""

    def __init__(self, path):
        self.path = path
        self.before = self.contents()

    def contents(self):
        """Return the bytes of every file."""
        return {str(file.relative_to(self.path)): file.read_bytes() for file in self.path.rglob("*") if file.is_file()}

    def changed(self):
        """Return the names of files that were changed, created or removed, and restore the folder."""
        after = self.contents()
        names = {name for name in after.keys() | self.before.keys() if after.get(name) != self.before.get(name)}
        for name in names:
            if name in self.before:
                (self.path / name).write_bytes(self.before[name])
            else:
                (self.path / name).unlink()
        return names


def answered(line):
    """Run a line and return its result and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        done = CliRunner().invoke(main, line, prog_name="tellapart")
    return done, [f"{entry.category.__name__}: {entry.message}" for entry in caught]


def faults(line, done, warned, changed):
    """Return the rules that the result breaks."""
    status, command = done.exit_code, line[0]
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        yield f"an exception: {done.exception!r}"
        return
    if status not in STATUSES.get(command, {0, 2, 3}):
        yield f"exit status {status}"
    if warned:
        yield f"a warning: {warned[0]}"
    if INNARDS.search(done.output):
        yield f"what is inside shows: {INNARDS.search(done.output)[0]}"
    if status == 2:
        yield from _refused(line, done, changed)
    elif status == 4:
        if "cannot be written" not in done.stderr:
            yield "status 4, though nothing failed to be written"
    elif not done.stdout:
        yield "no answer"
    elif status != 3 or command == "gate":
        yield from _describe_run(line, done)
    if changed - {str(Path(name)) for name in outputs_of(line)}:
        yield f"files were changed that nobody named: {sorted(changed)}"


def _refused(line, done, changed):
    if line[0] == "race" and done.stdout.startswith("{"):
        return  # it was run and kept, and then its fits had failed
    if done.stdout:
        yield "refused, and yet something on stdout"
    message = done.stderr.splitlines()
    if not message or not all(entry.startswith(("error: ", "note: ")) for entry in message):
        yield "not one line that says why it was refused"
    if changed:
        yield f"refused, and yet files were changed: {sorted(changed)}"


def _describe_run(line, done):
    if line[0] == "methods" or done.stdout.startswith("Usage: "):
        return  # cards and help texts are prose
    texts = [done.stdout]
    if ("--json",) in parts_of(line):
        try:
            texts = _values(json.loads(done.stdout, parse_constant=_no_constant))
        except ValueError as error:
            yield f"no JSON: {error}"
    typed = " ".join(line)
    for result in (entry for text in texts for entry in NO_NUMBER.finditer(text)):
        if result[1].strip("+-") not in typed:
            yield f"no number: {result.string[max(0, result.start() - 40) : result.end() + 20]!r}"
            return


def _values(document):
    """Return every text in JSON except the names of fields."""
    if isinstance(document, dict | list):
        return [
            text for entry in (document.values() if isinstance(document, dict) else document) for text in _values(entry)
        ]
    return [document] if isinstance(document, str) else []


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


@pytest.fixture
def folder(animals):
    """Return a folder with the files of the help texts, and invalid ones."""
    fill(animals)
    return Folder(animals)


def test_every_command_is_drawn():
    assert set(WEIGHTS) == set(COMMANDS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20), ids="seed{}-".format)
def test_every_random_command_line_ends_with_a_documented_status(seed, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    broken, fine = [], 0
    for index in range(LINES):
        line = line_of(seed, index)
        done, warned = answered(line)
        result = list(faults(line, done, warned, folder.changed()))
        if index % 10 == 0 and not result:
            again, _ = answered(line)
            folder.changed()
            if TIMES.sub("", again.stdout) != TIMES.sub("", done.stdout) or again.exit_code != done.exit_code:
                result.append("another answer at the second time")
        broken += [f"tellapart {shlex.join(line)}\n    {'; '.join(result)}"] if result else []
        fine += done.exit_code == 0
    assert not broken, "\n".join(broken)
    assert fine > LINES / 6  # enough of the lines must be valid
