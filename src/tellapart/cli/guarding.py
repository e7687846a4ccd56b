"""What happens to a gate that reaches no verdict: exit status 4, whatever the reason.

A pipeline reads 0 as "ship" and 1 as "worse". Python itself exits with 1 for every error that nobody foresaw, and with
0 where nothing was said. So nothing but a verdict leaves a gate with either. Only the standard library is loaded here:
what guards must not depend on what may be broken.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn, TextIO

UNEXPECTED = 4
_USAGE = 2
_VERDICTS = frozenset({0, 1, 3})
_STOPPED = "stopped before there was a verdict."


class ReaderLeft(Exception):
    """Nobody reads the output any more. click would make an exit with 1 of a broken pipe."""


class _Terminated(BaseException):
    """SIGTERM came; no `except Exception` on the way takes it for an error of its own."""


def asks_gate(words: Sequence[str] | None) -> bool:
    """Whether a command line asks for the gate: its first word does.

    Examples
    --------
    >>> asks_gate(["gate", "old.csv", "new.csv"]), asks_gate(["compare", "gate"])
    (True, False)
    """
    arguments = sys.argv[1:] if words is None else words
    return next((word for word in arguments if not word.startswith("-")), None) == "gate"


def guarded(run: Callable[[], Any]) -> NoReturn:
    """Run a gate and exit: with the status of its verdict, with 2 for bad input, else with 4 and one line on stderr."""
    try:
        with _on_termination():
            status, trouble = _run_guarded(run)
    except (_Terminated, KeyboardInterrupt):
        status, trouble = UNEXPECTED, _STOPPED
    if trouble:
        _write_line(trouble)
    sys.exit(status)


def _run_guarded(run: Callable[[], Any]) -> tuple[int, str]:
    """Return the status, and what is to be said of one that nobody foresaw."""
    try:
        status = run()
        if sys.stdout is not None:  # it is, where it was closed from the start
            sys.stdout.flush()  # what cannot be written now would else be found out after the verdict
    except BaseException as error:  # whatever it is, it is no verdict
        bad_input = isinstance(error, SystemExit) and error.code == _USAGE
        return (_USAGE, "") if bad_input else (UNEXPECTED, _describe_failure(error))
    if type(status) is int and status in _VERDICTS | {UNEXPECTED}:  # the last where all has been said
        return status, ""
    return UNEXPECTED, "ended without a verdict."


def _describe_failure(error: BaseException) -> str:
    """Return what went wrong, in one line."""
    stopped = KeyboardInterrupt, _Terminated
    if isinstance(error, stopped) or isinstance(error.__cause__, stopped):  # click makes an error of its own of one
        return _STOPPED
    if isinstance(error, BrokenPipeError | ReaderLeft):
        drop_output()
        return "the reader of the output has left before all was written."
    if isinstance(error, OSError):
        drop_output()
    if isinstance(error, SystemExit):  # by something that was loaded
        return f"left with status {error.code} and no verdict."
    return _describe_error(error)


def give_up(error: BaseException) -> NoReturn:
    """Leave before there is anything to run: a gate with one line and 4, another command as Python does."""
    if not asks_gate(None):
        raise error
    _write_line(_describe_error(error))
    sys.exit(UNEXPECTED)


def _describe_error(error: BaseException) -> str:
    """Return what went wrong in one line: its kind, and what it says."""
    try:
        message = " ".join(str(error).split())
    except Exception:  # an error that cannot even say what it is
        message = ""
    kind = type(error).__name__
    return f"no verdict: {kind}{f': {message}' if message else ''}."


@contextmanager
def _on_termination() -> Iterator[None]:
    """Let SIGTERM end the work as Ctrl-C does; its default would end the process without a word."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _write_line(trouble: str) -> None:
    """Say it on stderr; where nobody listens, the status says it."""
    shown = "".join(character if character.isprintable() else " " for character in trouble)
    with suppress(Exception):
        sys.stderr.write(f"tellapart: {shown}\n")
        sys.stderr.flush()


def drop_output(stream: TextIO | None = None) -> None:
    """Send what is left in stdout, or another stream, nowhere: Python would flush it, fail, and change the status."""
    with suppress(Exception):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())
