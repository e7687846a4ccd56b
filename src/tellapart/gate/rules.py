"""The rules of a gate, kept with the project: `[tool.tellapart.gate]` of pyproject.toml."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, InvalidOption
from ..typing_ import open_unit

_SECTION = "tool.tellapart.gate"
_FILE = "pyproject.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a project says of its gate, by the names of the command's options."""

    file: str = ""  # where it stands, as seen from here; nothing where there are no rules
    values: Mapping[str, Any] = field(default_factory=dict)
    margins: Mapping[str, float] = field(default_factory=dict)  # of groups that have one of their own


def find_rules(start: Path | None = None) -> Rules:
    r"""Return the rules of the nearest pyproject.toml that has any, from a folder (this one) upwards; else none.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "pyproject.toml").write_text("[tool.tellapart.gate]\nmargin = 0.02\n")
    ...     find_rules(Path(folder)).values
    {'margin': 0.02}
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        file = folder / _FILE
        rules = _rules_of(file) if _is_there(file) else None
        if rules is not None:
            return rules
    return Rules()


def read_rules(file: str | Path) -> Rules:
    """Return the rules of a file that was named: it must have some."""
    path = Path(file)
    if not _is_there(path):
        raise InvalidInput(f"the rules {str(file)!r} are not there. Is the path right?")
    rules = _rules_of(path)
    if rules is None:
        raise InvalidInput(f"{str(file)!r} has no rules: a section [{_SECTION}] is needed.")
    return rules


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError) as error:  # a folder that may not be looked into, a name that is none
        raise InvalidInput(f"the rules {_shown(path)!r} cannot be read: {error}.") from error


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            return tomllib.load(stream)
    except OSError as error:
        raise InvalidInput(f"the rules {_shown(path)!r} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{_shown(path)!r} is not TOML: {error}. Correct it: it may hold rules.") from error


def _rules_of(path: Path) -> Rules | None:
    """Return the rules of a file; None where it has no section of that name, nor of one that is nearly right."""
    tools = _parsed(path).get("tool")
    ours = tools.get("tellapart") if isinstance(tools, dict) else None
    if not isinstance(ours, dict):
        return None
    if "gate" in ours:
        return _checked(_shown(path), ours["gate"])
    near = get_close_matches("gate", ours, 1)
    if near:
        raise InvalidOption(f"{_shown(path)}: nobody reads [tool.tellapart.{near[0]}]. Is [{_SECTION}] meant?")
    return None


def _checked(file: str, section: Any) -> Rules:
    if not isinstance(section, dict):
        raise InvalidOption(f"{file}: [{_SECTION}] must be a section with keys, but is {section!r}.")
    values: dict[str, Any] = {}
    for key, value in section.items():
        if key == "margins":
            continue
        if key not in KEYS:
            near = get_close_matches(key, [*KEYS, "margins"], 1)
            remedy = f"Is {near[0]!r} meant?" if near else f"There are {', '.join([*KEYS, 'margins'])}."
            raise InvalidOption(f"{file}: [{_SECTION}] has no key {key!r} (here {value!r}). {remedy}")
        values[key] = KEYS[key](f"{file}: [{_SECTION}] {key}", value)
    return Rules(file=file, values=values, margins=_margins(file, section.get("margins", {})))


def _margins(file: str, section: Any) -> dict[str, float]:
    if not isinstance(section, dict):
        raise InvalidOption(
            f"{file}: [{_SECTION}] margins must be a section with a line for each group, such as de = 0.02, but is"
            f" {section!r}. For all groups write margin."
        )
    return {name: _share(f"{file}: [{_SECTION}.margins] {name}", value) for name, value in section.items()}


def _shown(path: Path) -> str:
    """Return a path as seen from here, which says nothing of the machine."""
    try:
        return os.path.relpath(path)
    except ValueError:  # on another drive
        return str(path)


# --- What a key may hold ----------------------------------------------------------------------------


def _share(name: str, value: Any) -> float:
    number = None if isinstance(value, bool) else value
    return open_unit(name, number if isinstance(number, int | float) else value, "For 1 pp use 0.01.", least=0.0)


def _alpha(name: str, value: Any) -> float:
    number = _share(name, value)
    if number >= 0.5:
        raise InvalidOption(f"{name} must be below 0.5, but is {number}. Usual is 0.05.")
    return number


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidOption(f"{name} must be a text, but is {value!r}. Put it in quotes.")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidOption(f"{name} must be true or false, but is {value!r}.")
    return value


def _texts(name: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
        raise InvalidOption(f'{name} must be a list of texts, such as ["old", "new"], but is {value!r}.')
    return list(value)


def _models(name: str, value: Any) -> list[str]:
    names = _texts(name, value)
    if len(names) not in {1, 2}:  # one, where both files call their column so
        raise InvalidOption(f"{name} must be two names, the baseline first, but is {value!r}.")
    return names


def _missing(name: str, value: Any) -> str:
    if value not in ("fail", "wrong", "drop"):
        raise InvalidOption(f"{name} must be 'fail', 'wrong' or 'drop', but is {value!r}.")
    return str(value)


KEYS: dict[str, Callable[[str, Any], Any]] = {
    "margin": _share,
    "alpha": _alpha,
    "power": _share,
    "method": _text,
    "label": _text,
    "models": _models,
    "id": _text,
    "group": _text,
    "correct": _flag,
    "weight": _text,
    "labels": _texts,
    "missing": _missing,
    "model": _text,
    "prediction": _text,
    "text": _flag,
    "task": _text,
    "filter": _text,
    "metric": _text,
    "format": _text,
    "errors": _missing,
}
