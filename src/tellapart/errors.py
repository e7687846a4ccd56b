"""What can go wrong, as a tree.

TellapartError
├── InvalidInput            (also a ValueError) what was handed in cannot be used
│   ├── InvalidEvidence     counts, labels or predictions that cannot be
│   ├── InvalidOption       a level, side, prior or other option out of its range
│   ├── StoreMismatch       the file of a race holds another race
│   └── UnknownMethod       no method of that name answers this question
├── MissingExtra            (also an ImportError) an optional package is not installed
└── OutputNotWritten        (also an OSError) the work was done, but a file could not be written

Every message names the argument, the value and the remedy, so that the command
line can print it as it is.
"""

from __future__ import annotations

import importlib
from types import ModuleType


class TellapartError(Exception):
    """The root: catch this to catch everything tellapart raises on purpose."""

    options: dict[str, str]  # how the command line calls the keywords in the message, where it raised the error


class InvalidInput(TellapartError, ValueError):
    """What was handed in cannot be used; the message says what to hand in instead."""


class InvalidEvidence(InvalidInput):
    """Counts, labels or predictions that cannot be."""


class InvalidOption(InvalidInput):
    """A level, side, prior or other option out of its range, or one nobody knows."""


class StoreMismatch(InvalidInput):
    """The file of a race holds another race; the message says in what it differs."""


class UnknownMethod(InvalidInput):
    """No method of that name answers this question for this evidence."""


class MissingExtra(TellapartError, ImportError):
    """An optional package is needed here and is not installed."""


class OutputNotWritten(TellapartError, OSError):
    """A file could not be written after the work for it was done; the message says what was done and what was not."""


def import_extra(module: str, extra: str) -> ModuleType:
    """Import an optional module, or say which command installs it.

    Examples
    --------
    >>> import_extra("no_such_module", "plot")
    Traceback (most recent call last):
    ...
    tellapart.errors.MissingExtra: no_such_module is not installed. Install it with: pip install 'tellapart[plot]'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        absent = isinstance(error, ModuleNotFoundError) and error.name == package
        trouble = "is not installed" if absent else f"is installed, but does not load ({error})"
        message = f"{package} {trouble}. Install it with: pip install 'tellapart[{extra}]'"
        raise MissingExtra(message) from error
