"""`tellapart reproduce`: the five papers again, table by table and figure by figure."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..rendering import folded
from .help_pages import GroupedCommand
from .parameters import AS_JSON
from .printing import remark
from .reports import late_output, output, typed

if TYPE_CHECKING:
    from ..reproduce import Exhibit, Reproduced, Reproduction


def _papers(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:  # noqa: ARG001  # click's
    from ..reproduce import PAPERS

    return [name for name in PAPERS if name.startswith(begun)]


def _exhibits(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:  # noqa: ARG001  # click's
    from ..reproduce import find_exhibits

    return [each.name for each in find_exhibits(context.params.get("paper")) if each.name.startswith(begun)]


@click.command("reproduce", cls=GroupedCommand)
@click.argument("paper", required=False, shell_complete=_papers)
@click.argument("exhibit", required=False, shell_complete=_exhibits)
@click.option("--quick", "scale", flag_value="quick", help="A look in two minutes, by few trials.")
@click.option(
    "--full",
    "scale",
    flag_value="full",
    help="A thousand times the papers' sample sizes, or near it.",
)
@click.option("--times", type=float, metavar="N", help="Another multiple of the papers' sample sizes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random numbers.")
@click.option("--jobs", type=int, default=1, show_default=True, metavar="N", help="Number of processes.")
@click.option("--store", metavar="FILE", help="Keep what is finished here; run again, only the rest is computed.")
@click.option("--html", metavar="OUT", help="Write a page with every table and figure to this file.")
@click.option("--markdown", metavar="OUT", help="Write a summary in Markdown to this file.")
@click.option("--list", "listed", is_flag=True, help="Say what there is, and compute nothing.")
@AS_JSON
def command(
    paper: str | None,
    exhibit: str | None,
    scale: str | None,
    times: float | None,
    seed: int,
    jobs: int,
    store: str | None,
    html: str | None,
    markdown: str | None,
    listed: bool,
    as_json: bool,
) -> None:
    """Print what the five papers print, with ours beside it.

    PAPER is martin-hirschberg, dietterich, mitchell, yang or elazmeh; EXHIBIT a table, figure or example of it. Left
    out, all are run, by the papers' own sample sizes. Each number has the difference and what is allowed for, and
    matches, deviates (with the reason) or cannot be had. Exit status 1: something deviates, and nobody knows why.

    \b
    Examples:
      tellapart reproduce --list
      tellapart reproduce mitchell table-5.6
      tellapart reproduce elazmeh table-6 --html tango.html
    """
    from ..reproduce import Run, Store, find_exhibits, run_exhibits

    chosen = find_exhibits(paper, exhibit)
    if listed:
        _show_list(chosen, as_json=as_json)
        return
    if scale and times is not None:
        raise InvalidOption(f"--times and --{scale} are two sizes. Leave one out.")
    out = output(as_json=as_json, html=html, spare=(store, markdown))
    target = None if markdown is None else _markdown_file(markdown, store)
    with Store(store) if store else nullcontext() as kept:
        sized: dict[str, Any] = {"scale": scale or "paper", "times": times, "seed": seed, "jobs": jobs, "store": kept}
        found = run_exhibits(chosen, Run(**sized), after=None if as_json else _show)
    if as_json:
        click.echo(found.to_json())
    else:
        click.echo(folded("", found.words))
    _write(found, out.html, target)
    if found.unexplained:
        sys.exit(1)


def _show_list(exhibits: tuple[Exhibit, ...], *, as_json: bool) -> None:
    from .tables import show_table

    if as_json:
        told = [{"paper": each.paper, "exhibit": each.name, "title": each.title} for each in exhibits]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    show_table(("paper", "exhibit", "what it shows"), [(each.paper, each.name, each.title) for each in exhibits])


def _show(part: Reproduced) -> None:
    """Print an exhibit as soon as it is there."""
    from ..reproduce.page import LINE_HEAD, line_cells
    from .tables import show_table

    click.echo(folded("", part.title))
    for what, size in part.sizes.items():
        click.echo(f"{what}: {size}")
    for note in part.shown.notes:
        click.echo(folded("", note))
    numbers = [line for line in part.shown.lines if not line.statement]
    if numbers:
        show_table(LINE_HEAD, [line_cells(line) for line in numbers], LINE_HEAD[3:5])
    reasons: dict[str, list[str]] = {}
    for line in numbers:
        if line.verdict != "matches":
            reasons.setdefault(line.reason or "nobody knows why.", []).append(line.what)
    for reason, where in reasons.items():
        more = f" and {len(where) - 3} more" if len(where) > 3 else ""
        click.echo(folded("", f"{'; '.join(where[:3])}{more}: {reason}"))
    for line in part.shown.lines:
        if line.statement:
            found = f"{line.what}: {line.printed}. Here: {line.ours}."
            click.echo(folded(f"{line.verdict:<9} ", f"{found} {line.reason}" if line.reason else found))
    click.echo()


def _markdown_file(name: str, store: str | None) -> Path:
    """Return where the summary goes, or say now why it cannot be written."""
    from ..gate.outputs import output_file

    path = output_file(name, "--markdown")
    if path.suffix.lower() != ".md":
        raise InvalidOption(f"--markdown {name!r} cannot be written: give a name that ends in .md.")
    if store and path.resolve() == Path(store).resolve():
        raise InvalidOption(f"--markdown {name} would replace a file that this command needs. Take another name.")
    return path


def _write(found: Reproduction, html: str | None, markdown: Path | None) -> None:
    """Write the page and the summary where they were asked for, and say on stderr where they are."""
    from ..reproduce.page import markdown_of, page_of

    if html is not None:
        from ..report.writing import write_page

        with late_output(f"--html {html!r}"):
            write_page(html, page_of(found, command=typed()))
        remark(f"report: {html}")
    if markdown is not None:
        from ..replacing import replace_file

        today = datetime.now(UTC).date().isoformat()
        with late_output(f"--markdown {str(markdown)!r}"):
            replace_file(markdown, markdown_of(found, date=today, command=typed()))
        remark(f"summary: {markdown}")
