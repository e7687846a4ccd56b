"""Designs written on the command line: parsed, never evaluated."""

from __future__ import annotations

import ast
from inspect import isfunction, signature
from typing import Any

import click

from .. import lab
from ..errors import InvalidOption, TellapartError
from ..figures import join_names
from ..lab import Design

_FORM = "Write for example 'PairedOutcomes(0.1, 0.1, 0.08, 300)'."


def design_from(text: str) -> Design:
    """Return a design from the name it has in `tellapart.lab` and its arguments.

    Arguments are plain values, other names of `tellapart.lab`, and learners by their dotted names.

    Examples
    --------
    >>> design_from("OneRate(0.05, examples=120)").describe()
    'one model, error rate 5%, 120 examples'
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        design = _build_node(tree)
    except (SyntaxError, ValueError) as error:
        if isinstance(error, TellapartError):
            raise
        raise InvalidOption(f"--design must be a name with arguments, got {text!r}. {_FORM}") from None
    except (MemoryError, RecursionError):  # what the parser says of a thousand brackets
        raise InvalidOption(f"--design must have fewer brackets. {_FORM}") from None
    if not isinstance(design, Design):
        raise InvalidOption(f"--design must be a design of tellapart.lab, got {text!r}. {_FORM}")
    return design


def design_of_learners(
    data: str,
    learners: tuple[str, ...],
    *,
    target: str | None,
    ignore: list[str],
    plan: str | None,
    examples: int | None,
    sets: int,
    rng: int,
    as_they_are: bool,
) -> Design:
    """Return the design of two learners of scikit-learn on samples of a data set: made equal, or as they are."""
    from .example_data import read_examples
    from .learner_parsing import learner_from, named_learners

    named = named_learners(learners)
    if len(named) != 2:
        raise InvalidOption(f"--learner must be given twice, got {len(named)} learners.")
    source = read_examples(data, target=target, group=None, ignore=ignore)
    a, b = (source.prepared(learner_from(name, text), scale=None) for name, text in named.items())
    size = min(300, len(source.y) // 2) if examples is None else examples
    design = lab.RealLearners(a, b, (source.X, source.y), examples=size, plan=plan)
    return design.measured(sets=sets, rng=rng) if as_they_are else design.equalised(sets=sets, rng=rng)


def completing_designs(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the names of designs."""
    return [name for name in _design_names() if name.startswith(incomplete)]


def _design_names() -> list[str]:
    """Return the names of designs, without those of their parts."""
    return [name for name in lab.__all__ if _returns_kind(getattr(lab, name), Design)]


def _returns_kind(candidate: Any, *kinds: type) -> bool:
    """Test whether this is a class of such a kind, or a function annotated to return one."""
    if isfunction(candidate):
        candidate = getattr(lab, str(candidate.__annotations__.get("return")), None)
    return isinstance(candidate, type) and issubclass(candidate, kinds) and candidate not in kinds


def _build_node(node: ast.expr) -> Any:
    """Return the value of a part of the text: a plain value, or the result of a call."""
    if isinstance(node, ast.Call):
        return _call_node(node)
    if isinstance(node, ast.Name | ast.Attribute):  # Majority is as good as Majority()
        return _call_node(ast.Call(node, [], []))
    if isinstance(node, ast.Tuple | ast.List) and any(isinstance(part, ast.Call | ast.Name) for part in node.elts):
        return tuple(_build_node(part) for part in node.elts)
    return ast.literal_eval(node)


def _call_node(node: ast.Call) -> Any:
    name = ast.unparse(node.func)
    if isinstance(node.func, ast.Attribute):  # a learner of scikit-learn, as race takes it
        from .learner_parsing import learner_from

        try:
            return learner_from(name, ast.unparse(node))
        except InvalidOption as error:
            raise InvalidOption(f"--design: {str(error).removeprefix('--learner ')}") from error
    known = getattr(lab, name, None) if name in lab.__all__ else None
    if known is None or not _returns_kind(known, Design, lab.Population, lab.Inducer):
        from difflib import get_close_matches

        near = get_close_matches(name, _design_names(), 1, cutoff=0.5)
        guess = f" Did you mean {near[0]!r}?" if near else f" Designs: {join_names(_design_names(), most=99)}."
        raise InvalidOption(f"unknown `--design` {name!r}.{guess}")
    if any(keyword.arg is None for keyword in node.keywords) or any(
        isinstance(part, ast.Starred) for part in node.args
    ):
        raise InvalidOption(f"--design: {name} must have plain arguments, without *. {_FORM}")
    values = [_build_node(part) for part in node.args]
    named = {str(keyword.arg): _build_node(keyword.value) for keyword in node.keywords}
    try:
        signature(known).bind(*values, **named)
    except TypeError as error:
        accepted = ", ".join(signature(known).parameters)
        raise InvalidOption(f"--design: {name} takes {accepted}; {error}.") from None
    return known(*values, **named)
