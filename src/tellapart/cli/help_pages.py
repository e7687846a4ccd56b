"""Help pages: a summary, examples, then options in groups; rare options only under --help-all."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

_WIDTH = 80
_PROSE = 78  # columns of a paragraph
_NAMES = 24  # columns of option names; a longer name has a line of its own
_MORE = f"{__name__}.more"  # set in the context where rare options are shown, too

COLUMNS = "Columns"
COUNTS = "Counts instead of files"
LOGS = "Logs"
SCORES = "Scores of data sets"
DATA = "Data and learners"
DESIGN = "Design"
PROBLEM = "Problem"
STATISTICS = "Statistics"
RUNNING = "Running"
OUTPUT = "Output"
_ORDER = (COUNTS, PROBLEM, DATA, DESIGN, COLUMNS, LOGS, SCORES, STATISTICS, RUNNING, OUTPUT)
_FILES_FIRST = (COLUMNS, *(section for section in _ORDER if section != COLUMNS))


class GroupedOption(click.Option):
    """An option with its group on the help page, and whether it is rare."""

    def __init__(self, *arguments: Any, section: str = STATISTICS, rare: bool = False, **settings: Any) -> None:
        self.section, self.rare = section, rare
        super().__init__(*arguments, **settings)


def grouped_option(*names: str, section: str, rare: bool = False, **settings: Any) -> Callable[..., Any]:
    """Return a decorator that adds an option in a group of the help page."""
    return click.option(*names, cls=GroupedOption, section=section, rare=rare, **settings)


def _show_all(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        context.meta[_MORE] = True
        click.echo(context.get_help())
        context.exit()


class GroupedCommand(click.Command):
    """A command whose help page has groups of options."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        everything = GroupedOption(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            section=OUTPUT,
            help="Show all options.",
        )
        self.params.append(everything)

    def get_help(self, ctx: click.Context) -> str:
        """Return the help page."""
        return "\n".join(_format_page(self, ctx)).rstrip()


class CommandList(click.Group):
    """A group of commands whose help page has the summary of each in full."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the help page."""
        blocks = list(_divide_paragraphs(self.help or ""))
        lines = [f"Usage: tellapart {' '.join(self.collect_usage_pieces(ctx))}", ""]
        lines += _format_blocks(text for text in blocks if not _is_epilogue(text))
        summaries = {
            name: command.get_short_help_str(200)
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None
        }
        lines += ["Commands:", *_format_entries(summaries, max(map(len, summaries)) + 2), ""]
        options = {
            record[0]: record[1] for parameter in self.get_params(ctx) if (record := parameter.get_help_record(ctx))
        }
        lines += ["Options:", *_format_entries(options, max(map(len, options)) + 2), ""]
        lines += _format_blocks(text for text in blocks if _is_epilogue(text))
        return "\n".join(lines).rstrip()


def _format_page(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the lines of a help page."""
    blocks = list(_divide_paragraphs(command.help or ""))
    yield f"Usage: tellapart {command.name} {' '.join(command.collect_usage_pieces(context))}"
    yield ""
    yield from _format_blocks(text for text in blocks if not _is_epilogue(text))
    more = bool(context.meta.get(_MORE))
    sections = _options_by_section(command, more=more)
    names = [len(name) for entries in sections.values() for name in entries]
    width = min(max(names, default=0), _NAMES) + 2
    for section, entries in sections.items():
        yield f"{section}:"
        yield from _format_entries(entries, max(width, 23))
        yield ""
    yield from _format_blocks(text for text in blocks if _is_epilogue(text))


def _options_by_section(command: click.Command, *, more: bool) -> dict[str, dict[str, str]]:
    """Return the text of each option by section and name; rare options with `more`."""
    sections: dict[str, dict[str, str]] = {}
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    has_rare = any(getattr(parameter, "rare", False) for parameter in options)
    for parameter in options:
        hidden = parameter.hidden or (getattr(parameter, "rare", False) and not more)
        if hidden or (parameter.name == "help_all" and (more or not has_rare)):
            continue
        section = getattr(parameter, "section", STATISTICS)
        sections.setdefault(section, {})[_format_name(parameter)] = parameter.help or ""
    order = _FILES_FIRST if any(isinstance(parameter, click.Argument) for parameter in command.params) else _ORDER
    ordered = [name for name in order if name in sections]
    return {name: sections[name] for name in [*[name for name in sections if name not in order], *ordered]}


def _format_name(parameter: click.Option) -> str:
    """Return the names of an option and the type of its value."""
    short = [name for name in parameter.opts if not name.startswith("--")]
    long = [name for name in parameter.opts if name.startswith("--")]
    names = ", ".join([*short, "/".join([*long, *parameter.secondary_opts])])
    if parameter.is_flag or parameter.count:
        return names
    metavar = parameter.metavar or ("NAME" if isinstance(parameter.type, click.Choice) else parameter.type.name.upper())
    return f"{names} {_TYPES.get(metavar, metavar)}"


_TYPES = {"INTEGER": "N", "INTEGER RANGE": "N", "FILENAME": "FILE", "PATH": "FILE"}


def _format_entries(entries: Mapping[str, str], width: int) -> Iterator[str]:
    """Yield names and their texts, in two columns."""
    for name, text in entries.items():
        margin = " " * (2 + width)
        label = f"  {name:<{width}}"
        if len(name) > width - 2:
            yield f"  {name}"
            label = margin
        yield from textwrap.wrap(
            text, _WIDTH, initial_indent=label, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
        ) or [label.rstrip()]


def _divide_paragraphs(text: str) -> Iterator[str]:
    r"""Yield the paragraphs of a docstring; those after a line \b keep their lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        yield paragraph.removeprefix("\b\n") if paragraph.startswith("\b") else " ".join(paragraph.split())


def _is_epilogue(text: str) -> bool:
    """Return whether a block belongs below the options, as exit statuses do."""
    return text.startswith("Exit status")


def _format_blocks(blocks: Any) -> Iterator[str]:
    """Yield the lines of paragraphs, indented, and of blocks that keep theirs."""
    for text in blocks:
        if "\n" in text:
            yield from text.split("\n")
        else:
            yield from textwrap.wrap(text, _PROSE, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        yield ""
