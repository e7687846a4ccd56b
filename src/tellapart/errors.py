"""The exceptions, as a tree.

TellapartError
├── InvalidInput            (also a ValueError) an invalid argument
│   ├── InvalidEvidence     invalid counts, labels or predictions
│   ├── InvalidOption       an invalid value of an option, or an unknown option
│   ├── StoreMismatch       the file of a race contains another race
│   └── UnknownMethod       no method of this name for this evidence and purpose
├── MissingExtra            (also an ImportError) an optional package is not installed
└── OutputNotWritten        (also an OSError) a file could not be written after the work was done

Every message names the argument, the rule, the value and the fix. The command line prints it with its own options.
"""

from __future__ import annotations

import importlib
from types import ModuleType


class TellapartError(Exception):
    """The base class of all exceptions of tellapart."""

    options: dict[str, str]  # the command line's options for the keywords in the message


class InvalidInput(TellapartError, ValueError):
    """An invalid argument; the message names the fix."""


class InvalidEvidence(InvalidInput):
    """Invalid counts, labels or predictions."""


class InvalidOption(InvalidInput):
    """An invalid value of an option, or an unknown option."""


class StoreMismatch(InvalidInput):
    """The file of a race contains another race; the message names the difference."""


class UnknownMethod(InvalidInput):
    """No method of this name for this evidence and purpose."""


class MissingExtra(TellapartError, ImportError):
    """A required optional package is not installed."""


class OutputNotWritten(TellapartError, OSError):
    """A file could not be written after the work was done; the message names what was done."""


def import_extra(module: str, extra: str) -> ModuleType:
    """Return an optional module; raise MissingExtra with the command that installs it.

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
