"""`tellapart reproduce`: the tables and figures of five papers."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..display import Display, TextTable
from ..errors import InvalidOption
from .answer_output import late_output, output, typed
from .help_pages import OUTPUT, RUNNING, GroupedCommand, grouped_option
from .parameters import AS_JSON
from .printing import remark, show_display

if TYPE_CHECKING:
    from ..reproduce import Exhibit, Reproduced, Reproduction


def _complete_papers(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:  # noqa: ARG001  # click's
    from ..reproduce import PAPERS

    return [name for name in PAPERS if name.startswith(begun)]


def _complete_exhibits(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:  # noqa: ARG001  # click's
    from ..reproduce import find_exhibits

    return [exhibit.name for exhibit in find_exhibits(context.params.get("paper")) if exhibit.name.startswith(begun)]


@click.command("reproduce", cls=GroupedCommand, short_help="Reproduce the tables and figures of five papers.")
@click.argument("paper", required=False, shell_complete=_complete_papers)
@click.argument("exhibit", required=False, shell_complete=_complete_exhibits)
@grouped_option("--quick", "scale", flag_value="quick", section=RUNNING, help="Few trials; two minutes.")
@grouped_option(
    "--full",
    "scale",
    flag_value="full",
    section=RUNNING,
    help="A thousand times the papers' sample sizes, if feasible.",
)
@grouped_option(
    "--times", type=float, metavar="N", section=RUNNING, help="Another multiple of the papers' sample sizes."
)
@grouped_option("--seed", type=int, default=0, metavar="N", section=RUNNING, help="Random seed. [0]")
@grouped_option("--jobs", type=int, default=1, metavar="N", section=RUNNING, help="Number of processes. [1]")
@grouped_option("--store", metavar="FILE", section=RUNNING, help="Keep finished blocks; a second run adds the rest.")
@grouped_option("--list", "listed", is_flag=True, section=OUTPUT, help="List the exhibits without computing them.")
@grouped_option("--html", metavar="FILE", section=OUTPUT, help="Also write a page with every table and figure.")
@grouped_option("--markdown", metavar="FILE", section=OUTPUT, help="Also write a summary in Markdown.")
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
    """Reproduce the numbers of five papers.

    PAPER is martin-hirschberg, dietterich, mitchell, yang or elazmeh; EXHIBIT a table, figure or example of it.
    Default: all, with the papers' sample sizes. Each number matches, deviates (with the reason) or is not available.

    \b
    Examples:
      tellapart reproduce --list
      tellapart reproduce mitchell table-5.6
      tellapart reproduce elazmeh table-6 --html tango.html

    \b
    Exit status:
      0  every deviation has a known reason
      1  a deviation without a known reason
    """
    from ..reproduce import Run, Store, find_exhibits, run_exhibits

    chosen = find_exhibits(paper, exhibit)
    if listed:
        _show_list(chosen, as_json=as_json)
        return
    if scale and times is not None:
        raise InvalidOption(f"`--times` and `--{scale}` exclude each other. Leave one out.")
    out = output(as_json=as_json, html=html, spare=(store, markdown))
    target = None if markdown is None else _markdown_file(markdown, store)
    with Store(store) if store else nullcontext() as kept:
        sized: dict[str, Any] = {"scale": scale or "paper", "times": times, "seed": seed, "jobs": jobs, "store": kept}
        result = run_exhibits(chosen, Run(**sized), after=None if as_json else _show_exhibit)
    if as_json:
        click.echo(result.to_json())
    else:
        show_display(Display(verdict=result.words))
    _write_files(result, out.html, target)
    if result.unexplained:
        sys.exit(1)


def _show_list(exhibits: tuple[Exhibit, ...], *, as_json: bool) -> None:
    if as_json:
        entries = [{"paper": exhibit.paper, "exhibit": exhibit.name, "title": exhibit.title} for exhibit in exhibits]
        click.echo(json.dumps(entries, indent=2, ensure_ascii=False))
        return
    lines = [[exhibit.paper, exhibit.name, exhibit.title] for exhibit in exhibits]
    show_display(Display(verdict="", blocks=(TextTable(head=["paper", "exhibit", "title"], lines=lines, align="lll"),)))


def _show_exhibit(part: Reproduced) -> None:
    """Print an exhibit as soon as it is finished."""
    show_display(part.display())
    click.echo()


def _markdown_file(name: str, store: str | None) -> Path:
    """Return the file of the summary; raise InvalidOption if it cannot be written."""
    from ..gate.outputs import output_file

    path = output_file(name, "--markdown")
    if path.suffix.lower() != ".md":
        raise InvalidOption(f"`--markdown` must end in .md, got {name!r}.")
    if store and path.resolve() == Path(store).resolve():
        raise InvalidOption(f"`--markdown` must not be the store, got {name!r}. Choose another name.")
    return path


def _write_files(result: Reproduction, html: str | None, markdown: Path | None) -> None:
    """Write the requested page and summary, and note their paths on stderr."""
    from ..reproduce.page import markdown_of, page_of

    if html is not None:
        from ..report.writing import write_page

        with late_output(f"--html {html!r}"):
            write_page(html, page_of(result, command=typed()))
        remark(f"report: {html}")
    if markdown is not None:
        from ..replacing import replace_file

        today = datetime.now(UTC).date().isoformat()
        with late_output(f"--markdown {str(markdown)!r}"):
            replace_file(markdown, markdown_of(result, date=today, command=typed()))
        remark(f"summary: {markdown}")
