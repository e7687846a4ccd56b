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
    """Settings of a project's gate, by the names of the command's options."""

    file: str = ""  # path of the file, relative to this folder; empty without rules
    values: Mapping[str, Any] = field(default_factory=dict)
    margins: Mapping[str, float] = field(default_factory=dict)  # by group


def find_rules(start: Path | None = None) -> Rules:
    r"""Return the rules of the nearest pyproject.toml with rules, from a folder (default: this one) upwards.

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
        rules = _extract_rules(file) if _file_exists(file) else None
        if rules is not None:
            return rules
    return Rules()


def read_rules(file: str | Path) -> Rules:
    """Return the rules of a file; raise InvalidInput if it has none."""
    path = Path(file)
    if not _file_exists(path):
        raise InvalidInput(f"file not found: {file!s}")
    rules = _extract_rules(path)
    if rules is None:
        raise InvalidInput(f"{file!s} has no section [{_SECTION}]. Add it, or name another file.")
    return rules


def _file_exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError) as error:  # a folder without permission, an invalid name
        raise InvalidInput(f"cannot read {_relative_path(path)}: {error}.") from error


def _parse_toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            return tomllib.load(stream)
    except OSError as error:
        raise InvalidInput(f"cannot read {_relative_path(path)}: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{_relative_path(path)} is not valid TOML: {error}.") from error


def _extract_rules(path: Path) -> Rules | None:
    """Return the rules of a file; None without the section. Raise InvalidOption for a section with a similar name."""
    tools = _parse_toml(path).get("tool")
    ours = tools.get("tellapart") if isinstance(tools, dict) else None
    if not isinstance(ours, dict):
        return None
    if "gate" in ours:
        return _validate_section(_relative_path(path), ours["gate"])
    near = get_close_matches("gate", ours, 1)
    if near:
        raise InvalidOption(
            f"{_relative_path(path)}: unknown section [tool.tellapart.{near[0]}]. Did you mean [{_SECTION}]?"
        )
    return None


def _validate_section(file: str, section: Any) -> Rules:
    if not isinstance(section, dict):
        raise InvalidOption(f"{file}: [{_SECTION}] must be a section with keys, got {section!r}.")
    values: dict[str, Any] = {}
    for key, value in section.items():
        if key == "margins":
            continue
        if key not in KEYS:
            near = get_close_matches(key, [*KEYS, "margins"], 1)
            fix = f"Did you mean {near[0]!r}?" if near else f"Use one of: {', '.join([*KEYS, 'margins'])}."
            raise InvalidOption(f"{file}: [{_SECTION}] unknown key {key!r}. {fix}")
        values[key] = KEYS[key](f"{file}: [{_SECTION}] {key}", value)
    return Rules(file=file, values=values, margins=_validate_margins(file, section.get("margins", {})))


def _validate_margins(file: str, section: Any) -> dict[str, float]:
    if not isinstance(section, dict):
        raise InvalidOption(
            f"{file}: [{_SECTION}] margins must be a section with lines such as de = 0.02, got {section!r}. For all"
            " groups use margin."
        )
    return {name: _check_fraction(f"{file}: [{_SECTION}.margins] {name}", value) for name, value in section.items()}


def _relative_path(path: Path) -> str:
    """Return a path relative to this folder."""
    try:
        return os.path.relpath(path)
    except ValueError:  # on another drive
        return str(path)


# --- Values ----------------------------------------------------------------------------


def _check_fraction(name: str, value: Any) -> float:
    number = None if isinstance(value, bool) else value
    return open_unit(name, number if isinstance(number, int | float) else value, "For 1 pp use 0.01.", least=0.0)


def _check_alpha(name: str, value: Any) -> float:
    number = _check_fraction(name, value)
    if number >= 0.5:
        raise InvalidOption(f"{name} must be below 0.5, got {number:g}. Use 0.05.")
    return number


def _check_text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidOption(f"{name} must be a string, got {value!r}. Put it in quotes.")
    return value


def _check_flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidOption(f"{name} must be true or false, got {value!r}.")
    return value


def _check_texts(name: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) and text for text in value):
        raise InvalidOption(f'{name} must be a list of strings such as ["old", "new"], got {value!r}.')
    return list(value)


def _check_models(name: str, value: Any) -> list[str]:
    names = _check_texts(name, value)
    if len(names) not in {1, 2}:  # one name if the column is the same in both files
        raise InvalidOption(f"{name} must be two names, the baseline first, got {value!r}.")
    return names


def _check_policy(name: str, value: Any) -> str:
    if value not in ("fail", "wrong", "drop"):
        raise InvalidOption(f"{name} must be 'fail', 'wrong' or 'drop', got {value!r}.")
    return str(value)


KEYS: dict[str, Callable[[str, Any], Any]] = {
    "margin": _check_fraction,
    "alpha": _check_alpha,
    "power": _check_fraction,
    "method": _check_text,
    "label": _check_text,
    "models": _check_models,
    "id": _check_text,
    "group": _check_text,
    "correct": _check_flag,
    "weight": _check_text,
    "labels": _check_texts,
    "missing": _check_policy,
    "model": _check_text,
    "prediction": _check_text,
    "text": _check_flag,
    "task": _check_text,
    "filter": _check_text,
    "metric": _check_text,
    "format": _check_text,
    "errors": _check_policy,
}
