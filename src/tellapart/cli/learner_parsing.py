"""Learners on a command line, which are parsed and never evaluated."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import Any

from ..errors import InvalidOption

_FORM = "Write NAME=package.module.Class or NAME='package.module.Class(option=value)'."


def named_learners(texts: tuple[str, ...]) -> dict[str, str]:
    """Return the text of each learner by its name; the default name is that of the class.

    Examples
    --------
    >>> named_learners(("nn=sklearn.neighbors.KNeighborsClassifier(n_neighbors=1)", "sklearn.naive_bayes.GaussianNB"))
    {'nn': 'sklearn.neighbors.KNeighborsClassifier(n_neighbors=1)', 'GaussianNB': 'sklearn.naive_bayes.GaussianNB'}
    """
    named: dict[str, str] = {}
    for text in texts:
        before, equals, after = text.partition("=")
        has_name = bool(equals) and "(" not in before  # otherwise the sign belongs to an option
        written = (after if has_name else text).strip()
        name = before.strip() if has_name else written.partition("(")[0].rpartition(".")[2].strip()
        if not (name and written):
            raise InvalidOption(f"--learner must have a {'class' if name else 'name'}, got {text!r}. {_FORM}")
        if name in named:
            raise InvalidOption(f"--learner names must be unique, got {name} twice.")
        named[name] = written
    return named


def learner_from(name: str, text: str) -> Any:
    """Return a learner from a dotted name and options that are plain values.

    Examples
    --------
    >>> learner_from("nn", "sklearn.neighbors.KNeighborsClassifier(n_neighbors=1)")
    KNeighborsClassifier(n_neighbors=1)
    """
    try:
        path, options = _parse_learner(name, text)
    except (MemoryError, RecursionError):  # raised by the parser for deep nesting
        raise InvalidOption(f"--learner {name} is nested too deeply. {_FORM}") from None
    learner_class = _import_class(name, path)
    if not (
        isinstance(learner_class, type)
        and all(callable(getattr(learner_class, name_of_method, None)) for name_of_method in ("fit", "predict"))
    ):
        raise InvalidOption(f"--learner {name}: {path} must be a class with the methods fit and predict.")
    try:
        learner = learner_class(**options)
    except (Exception, SystemExit) as error:  # code of the learner
        raise InvalidOption(
            f"--learner {name}: {path} does not take these options: {_describe_error(error)}"
        ) from error
    return learner


def _parse_learner(name: str, text: str) -> tuple[str, dict[str, Any]]:
    """Return the dotted name and the options in the text of a learner."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        raise InvalidOption(f"--learner {name} must be Python, got {text!r}. {_FORM}") from None
    call = tree if isinstance(tree, ast.Call) else None
    path = _dotted_name(call.func if call else tree)
    if path is None or "." not in path:
        raise InvalidOption(f"--learner {name} must begin with a dotted name, got {text!r}. {_FORM}")
    options: dict[str, Any] = {}
    if call and call.args:
        raise InvalidOption(f"--learner {name}: options must be written option=value, got {ast.unparse(call.args[0])}.")
    for keyword in call.keywords if call else ():
        written = ast.unparse(keyword.value)
        if keyword.arg is None:
            raise InvalidOption(f"--learner {name}: options must be written option=value, got **{written}.")
        if keyword.arg in options:
            raise InvalidOption(f"--learner {name}: options must be unique, got {keyword.arg} twice.")
        try:
            options[keyword.arg] = ast.literal_eval(keyword.value)
        except (SyntaxError, TypeError, ValueError):  # a list as the key of a dictionary is a TypeError
            raise InvalidOption(
                f"--learner {name}: {keyword.arg} must be a plain value (number, text, True, None, tuple, list, dict),"
                f" got {written}."
            ) from None
    return path, options


def _dotted_name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    inner = _dotted_name(node.value) if isinstance(node, ast.Attribute) else None
    return f"{inner}.{node.attr}" if inner and isinstance(node, ast.Attribute) else None


def _import_class(name: str, path: str) -> Any:
    module, _, last = path.rpartition(".")
    try:
        home = import_module(module)
    except (Exception, SystemExit) as error:  # its own code runs here
        raise InvalidOption(f"--learner {name}: {module} cannot be imported: {_describe_error(error)}.") from error
    if not hasattr(home, last):
        from difflib import get_close_matches

        near = get_close_matches(last, dir(home), 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise InvalidOption(f"--learner {name}: {module} has no {last}.{hint}")
    return getattr(home, last)


def _describe_error(error: BaseException) -> str:
    return str(error) if isinstance(error, ImportError | TypeError | ValueError) else f"{type(error).__name__}: {error}"
