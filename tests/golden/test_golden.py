"""What is printed, word by word: each file holds a command (or lines of Python) and the output that belongs to it.

A file begins with "$ tellapart …" (a line that ends with a backslash goes on) or with lines of Python that begin with
">>> "; what follows is the output, with "[exit N]" as its last line if the status is not 0. Commands run in a folder
that has the repository's `examples` and the files of `tests/golden/data`; several commands run one after the other.
"""

import contextlib
import io
import shlex
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FILES = sorted(HERE.glob("*.txt"))


def parts_of(text):
    """Return the input lines and the expected output, in turns."""
    parts, lines = [], text.splitlines()
    index = 0
    while index < len(lines):
        source = []
        while index < len(lines) and (
            lines[index].startswith(("$ ", ">>> ")) or (source and source[-1].endswith("\\"))
        ):
            source.append(lines[index])
            index += 1
        output = []
        while index < len(lines) and not lines[index].startswith(("$ ", ">>> ")):
            output.append(lines[index])
            index += 1
        parts.append((source, "\n".join(output).rstrip()))
    return parts


def run_command(source):
    """Return what a command prints to stdout and stderr, and its status."""
    from tellapart.cli import main

    line = " ".join(part.removesuffix("\\").strip() for part in source).removeprefix("$ ")
    name, *words = shlex.split(line)
    assert name == "tellapart"
    stream, status = io.StringIO(), 0
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        try:
            main(words)
        except SystemExit as left:
            status = left.code or 0
    output = "\n".join(text.rstrip() for text in stream.getvalue().splitlines())
    return f"{output}\n[exit {status}]" if status else output


def run_python(source):
    """Return what lines of Python print; the value of the last is printed, too, if it is one."""
    import tellapart

    names, stream = {"ta": tellapart}, io.StringIO()
    with contextlib.redirect_stdout(stream):
        for line in source:
            code = line.removeprefix(">>> ")
            try:
                compiled = compile(code, "golden", "eval")
            except SyntaxError:
                exec(code, names)  # noqa: S102  # our own files
                continue
            value = eval(compiled, names)  # noqa: S307  # our own files
            if value is not None:
                print(value if isinstance(value, str) else repr(value))  # noqa: T201
    return stream.getvalue().rstrip()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_output_is_as_written(path, request, tmp_path, monkeypatch):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for file in (HERE / "data").glob("*"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    result = []
    for source, _ in (parts := parts_of(path.read_text(encoding="utf-8"))):
        run = run_python if source[0].startswith(">>> ") else run_command
        result.append((source, run(source)))
    if request.config.getoption("--update"):
        text = "\n".join("\n".join([*source, output]) for source, output in result)
        path.write_text(f"{text}\n", encoding="utf-8")
    assert [output for _, output in result] == [output for _, output in parts]
