"""`tellapart completion`: completion of names and options in a shell."""

from __future__ import annotations

import click

from .help_pages import GroupedCommand


@click.command("completion", cls=GroupedCommand, short_help="Print the shell completion script.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="bash|zsh|fish")
def command(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Examples:
      eval "$(tellapart completion bash)"
      tellapart completion fish > ~/.config/fish/completions/tellapart.fish
    """
    from click.shell_completion import get_completion_class

    from . import main

    script = get_completion_class(shell)
    if script is None:  # click has these three
        raise click.UsageError(f"`SHELL` must be bash, zsh or fish, got {shell!r}.")
    click.echo(script(main, {}, "tellapart", "_TELLAPART_COMPLETE").source())
