"""Exit status 4 for a gate without a verdict, for any reason.

A pipeline reads 0 as "ship" and 1 as "worse". Python exits with 1 for every unexpected error, and with 0 without one.
So only a verdict may end a gate with 0 or 1. This module loads the standard library only, so that a broken package
cannot disable it.
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
    """The reader has closed the pipe; click would exit with 1."""


class _Terminated(BaseException):
    """SIGTERM was received; no `except Exception` catches it."""


def asks_gate(words: Sequence[str] | None) -> bool:
    """Return whether the first word of a command line is gate.

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
    """Return the status, and a message for an unexpected one."""
    try:
        status = run()
        if sys.stdout is not None:  # as if it was closed by the parent process
            sys.stdout.flush()  # an output that fails must fail before the verdict counts
    except BaseException as error:  # anything else is not a verdict
        bad_input = isinstance(error, SystemExit) and error.code == _USAGE
        return (_USAGE, "") if bad_input else (UNEXPECTED, _describe_failure(error))
    if type(status) is int and status in _VERDICTS | {UNEXPECTED}:  # 4 if a message was printed
        return status, ""
    return UNEXPECTED, "ended without a verdict."


def _describe_failure(error: BaseException) -> str:
    """Return the failure in one line."""
    stopped = KeyboardInterrupt, _Terminated
    if isinstance(error, stopped) or isinstance(error.__cause__, stopped):  # click replaces it
        return _STOPPED
    if isinstance(error, BrokenPipeError | ReaderLeft):
        drop_output()
        return "the output was closed before all of it was written."
    if isinstance(error, OSError):
        drop_output()
    if isinstance(error, SystemExit):  # raised by another package
        return f"exited with status {error.code}, without a verdict."
    return _describe_error(error)


def give_up(error: BaseException) -> NoReturn:
    """Exit if the command line cannot be loaded: a gate with one line and 4, other commands as Python does."""
    if not asks_gate(None):
        raise error
    _write_line(_describe_error(error))
    sys.exit(UNEXPECTED)


def _describe_error(error: BaseException) -> str:
    """Return the type and the message of an error in one line."""
    try:
        message = " ".join(str(error).split())
    except Exception:  # an error without a message
        message = ""
    kind = type(error).__name__
    return f"no verdict: {kind}{f': {message}' if message else ''}."


@contextmanager
def _on_termination() -> Iterator[None]:
    """Let SIGTERM end the work as Ctrl-C does; by default the process would end without a message."""
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
    """Write a line to stderr, if that is open."""
    shown = "".join(character if character.isprintable() else " " for character in trouble)
    with suppress(Exception):
        sys.stderr.write(f"error: {shown}\n")
        sys.stderr.flush()


def drop_output(stream: TextIO | None = None) -> None:
    """Discard the rest of stdout, or another stream: flushing it would fail and change the status."""
    with suppress(Exception):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())
