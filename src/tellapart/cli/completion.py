"""`tellapart completion`: names and options at the press of a key."""

from __future__ import annotations

import click

from .help_pages import GroupedCommand


@click.command("completion", cls=GroupedCommand)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Example (bash, for the shell you are in):
      eval "$(tellapart completion bash)"
    """
    from click.shell_completion import get_completion_class

    from . import main

    script = get_completion_class(shell)
    if script is None:  # click knows these three
        raise click.UsageError(f"there is no completion for {shell}.")
    click.echo(script(main, {}, "tellapart", "_TELLAPART_COMPLETE").source())
