"""Messages about a wrong command line, in one line: the rule, the value, and the nearest name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches

import click

_MOST_CHOICES = 6  # more are not listed


def describe_usage_error(error: click.ClickException) -> str:
    """Return the message of an error that click raised, as tellapart writes it.

    Examples
    --------
    >>> describe_usage_error(click.NoSuchOption("--lable"))
    'unknown option `--lable`.'
    """
    context = getattr(error, "ctx", None)
    message = error.format_message()
    match error:
        case click.NoSuchOption():
            rule, hint = (
                f"unknown option `{error.option_name}`.",
                _format_hint(context, nearest_names(error.option_name, _option_names(context), 0.7)),
            )
        case click.MissingParameter():
            rule, hint = f"{_name_of(error)} is required.", _format_hint(context)
        case click.BadParameter():
            rule, hint = _describe_bad_value(error), ""
        case click.BadOptionUsage():
            digits = "".join(character for character in message if character.isdigit())
            needs = f"needs {digits} values, separated by spaces" if "arguments" in message else "needs a value"
            takes = "takes no value" if "does not take" in message else needs
            rule, hint = f"`{error.option_name}` {takes}.", _format_hint(context)
        case click.UsageError() if message.startswith("No such command"):
            name = message.split("'")[1]
            near = nearest_names(name, _command_names(context))
            rule, hint = f"unknown command {name!r}.", _format_hint(context, near, quote=repr)
        case click.UsageError() if message.startswith("Got unexpected extra argument"):
            rule, hint = f"unexpected argument {message.partition('(')[2].rstrip('.)')!r}.", _format_hint(context)
        case _:
            rule, hint = message if message.endswith((".", "?")) else f"{message}.", ""
    return f"{rule}{hint}"


def _command_names(context: click.Context | None) -> list[str]:
    """Return the names of all commands."""
    group = None if context is None else context.command
    return group.list_commands(context) if isinstance(group, click.Group) and context is not None else []


def _option_names(context: click.Context | None) -> list[str]:
    """Return the long names of all options of a command."""
    parameters = [] if context is None else context.command.get_params(context)
    return [
        name
        for parameter in parameters
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("--")
    ]


def _describe_bad_value(error: click.BadParameter) -> str:
    """Return the rule for a value, and the value."""
    kind, message = error.param.type if error.param is not None else None, error.message
    value = _quoted_value(message)
    name = _name_of(error)
    if isinstance(kind, click.Choice) and "is not one of" in message:
        choices = list(map(str, kind.choices))
        near = nearest_names(value, choices)
        listed = f" must be one of {', '.join(choices)}" if len(choices) <= _MOST_CHOICES else ""
        hint = f" Did you mean {near[0]!r}?" if near else _format_hint(error.ctx) if not listed else ""
        return f"{name}{listed}, got {value!r}.{hint}" if listed else f"unknown {name} {value!r}.{hint}"
    if "is not in the range" in message:
        number, _, rule = message.rstrip(".").partition(" is not in the range ")
        return f"{name} must be {_describe_range(rule)}, got {number}."
    if "is not a valid" in message:
        return f"{name} must be a {'whole ' * ('integer' in message)}number, got {value!r}.{_percent_hint(value)}"
    return message if "must" in message else f"{name}: {message}"


def _percent_hint(value: str) -> str:
    """Return how a percentage is written; nothing for other texts.

    Examples
    --------
    >>> _percent_hint("1%"), _percent_hint("one")
    (' For 1% use 0.01.', '')
    """
    try:
        return f" For {value} use {float(value[:-1]) / 100:.6g}." if value.endswith("%") else ""
    except ValueError:
        return ""


def _describe_range(rule: str) -> str:
    """Return a range of click in words.

    Examples
    --------
    >>> _describe_range("x>=1"), _describe_range("1<=x<=10000")
    ('1 or more', 'from 1 to 10,000')
    """
    if rule.startswith("x>="):
        return f"{int(rule[3:]):,} or more"
    low, _, high = rule.partition("<=x<=")
    return f"from {int(low):,} to {int(high):,}" if low.isdigit() and high.isdigit() else f"in the range {rule}"


def _quoted_value(message: str) -> str:
    """Return the first quoted text of a message."""
    parts = message.split("'")
    return parts[1] if len(parts) > 2 else message


def _name_of(error: click.BadParameter) -> str:
    """Return the name of the option or argument that has a wrong value."""
    parameter = error.param
    if isinstance(parameter, click.Option):
        return f"`{next((name for name in parameter.opts if name.startswith('--')), parameter.opts[0])}`"
    return (parameter.name or "").upper() if parameter is not None else "the value"


def _format_hint(
    context: click.Context | None, near: Iterable[str] = (), quote: Callable[[str], str] = "`{}`".format
) -> str:
    """Return a suggestion: the nearest name, or the help page."""
    names = list(near)
    if names:
        return f" Did you mean {quote(names[0])}?"
    return f" See `{context.command_path} --help`." if context is not None else ""


def nearest_names(name: str, names: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """Return the nearest of some names, or nothing; one with the same letters in another order comes first.

    Examples
    --------
    >>> nearest_names("--lable", ["--table", "--label"]), nearest_names("mcnemer", ["mcnemar", "tango"])
    (['--label'], ['mcnemar'])
    """
    matches = get_close_matches(name, list(names), 3, cutoff)
    return sorted(matches, key=lambda match: sorted(match) != sorted(name))[:1]


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return " Did you mean 'mcnemar'?", or nothing if no name is near.

    Examples
    --------
    >>> suggestion("mcnemer", ["mcnemar", "tango"])
    " Did you mean 'mcnemar'?"
    """
    return "".join(f" Did you mean {match!r}?" for match in nearest_names(name, names))
