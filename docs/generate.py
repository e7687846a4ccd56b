"""Write the reference pages of the methods from the registry: `python docs/generate.py`.

It also runs the commands in the console blocks of all other pages and puts in what they print.
With `--check` nothing is written; the exit status is 1 where a page is missing, out of date or
left over. Every figure comes from the functions that the command line calls, so each page shows
the command that prints it.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from inspect import getdoc, signature
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import tellapart as ta
from tellapart.advice import QUESTIONS
from tellapart.bibliography import cite
from tellapart.cli import main as command_line
from tellapart.methods import Method, Standing

DOCS = Path(__file__).parent
FOLDER = DOCS / "reference" / "methods"
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRIALS = (5, 10, 30, 100, 1000)
FITTED_TRIALS = (10, 30, 100)  # for formulas fitted for 10 to 200 trials
PRIOR = (1, 3.67)  # shown where a method cannot do without one
PROMISING = (Standing.RECOMMENDED, Standing.SOUND)

# What an option means, unless the method's own docstring says it.
OPTIONS = {
    "alpha": "Error probability; the level is 1 − alpha. `estimate` and `compare` take `level=` as well.",
    "side": '"two", "upper" (an upper bound) or "lower".',
    "against": "The threshold, an error rate strictly between 0 and 1.",
    "alternative": '"two-sided", "less" (the error is below the threshold) or "greater".',
    "prior": "What was held likely before: (u, v) for Beta(u, v), a name, what `fit_prior` returned, or a density.",
    "raw": "Leave the quantiles as they are, without 0 below no errors and 1 above no successes.",
    "as_printed": "Compute what the report prints, misprints included.",
}


def methods() -> dict[str, dict[str, Method]]:
    """Return the package's own methods by name and by what they give; no plugin's."""
    found: dict[str, dict[str, Method]] = {}
    for method in ta.find_methods():
        if method.function.__module__.startswith("tellapart."):
            found.setdefault(method.name, {})[method.gives] = method
    return found


def page(name: str) -> str:
    """Return the page of one method."""
    kinds = methods()[name]
    interval = kinds["interval"]
    lines = [
        f"# {name}",
        "",
        f"{' and '.join(kinds).capitalize()} for question {interval.question}:"
        f" *{QUESTIONS[interval.question].asks}* [All methods](index.md).",
        *(line for method in kinds.values() for line in _facts(method, kinds)),
        *_examples(interval, "test" in kinds),
        *_coverage(interval),
        "## References",
        "",
        *(f"- {reference}" for reference in dict.fromkeys(cite(method.reference) for method in kinds.values())),
    ]
    return "\n".join(lines) + "\n"


def index() -> str:
    """Return the table of all methods."""
    command = f"tellapart coverage --trials 100 --method all --to 0.1 --prior {_prior_text()}"
    lines = [
        "# Methods for one error rate",
        "",
        "Every interval and test by name, best standing first. *Recommended* and *sound* are earned by exact",
        "coverage; *heuristic* methods are approximations, and the result says so; *forbidden* ones are kept because",
        "papers report them, and a result carries the reason ([TA010](../checks.md#ta010)).",
        "",
        "The figures are the exact coverage at 95 %, for 100 trials and true errors below 0.1: the mean, the minimum",
        "and the expected width. The level is kept on average where the mean is 0.95, and always where the minimum is.",
        "The last column is the standing of the test against a threshold of the same name, earned by its exact size.",
        f"Methods that need a prior have Beta({PRIOR[0]}, {PRIOR[1]}).",
        "",
        "```sh",
        command,
        "```",
        "",
        "| interval | standing | mean | minimum | width | because | test |",
        "|---|---|---:|---:|---:|---|---|",
    ]
    for name, kinds in methods().items():
        interval = kinds["interval"]
        found = ta.exact_coverage(interval, 100, within=(0, 0.1), **_needed(interval))
        test = kinds["test"].standing if "test" in kinds else "none"
        lines.append(
            f"| [{name}]({name}.md) | {interval.standing} | {found.mean:.4f} | {found.minimum:.4f} |"
            f" {found.mean_width:.4f} | {_cell(interval.because)} | {test} |"
        )
    return "\n".join(lines) + "\n"


def with_output(text: str) -> str:
    """Return a page whose console blocks show what their commands print now."""

    def session(block: re.Match[str]) -> str:
        commands = re.findall(r"^\$ (tellapart .+)$", block[1], re.MULTILINE)
        return "```console\n" + "".join(f"$ {command}\n{printed(command)}" for command in commands) + "```"

    return CONSOLE.sub(session, text)


def printed(command: str) -> str:
    """Return what a command prints, without the blanks at the ends of lines."""
    output = CliRunner().invoke(command_line, shlex.split(command)[1:], prog_name="tellapart", terminal_width=80).output
    return "".join(f"{line.rstrip()}\n" for line in output.splitlines())


def same(shown: str, wanted: str) -> bool:
    """Whether two pages agree, up to digits (the eleventh and on) that differ from one processor to the next."""
    first, second = (re.sub(r"\d+\.\d{11,}", lambda found: f"{float(found[0]):.10g}", text) for text in (shown, wanted))
    return first == second


def pages() -> Iterator[tuple[Path, str]]:
    """Return every file and what it should hold."""
    yield FOLDER / "index.md", index()
    for name in methods():
        yield FOLDER / f"{name}.md", page(name)
    for path in sorted(DOCS.rglob("*.md")):
        if path.parent != FOLDER:
            yield path, with_output(path.read_text(encoding="utf-8"))


def _facts(method: Method, kinds: dict[str, Method]) -> Iterator[str]:
    """Return what the registry and the docstring say of one function."""
    text, _ = _docstring(method)
    told = {option: what for kind in kinds.values() for option, what in _docstring(kind)[1].items()}
    yield from ("", f"## The {method.gives}", "", text, "", "| | |", "|---|---|")
    yield f"| standing | **{method.standing}**: {_cell(method.because)} |"
    if method.standing in PROMISING or method.holds != Method.__dataclass_fields__["holds"].default:
        yield f"| holds for | {_cell(method.holds)} |"
    yield f"| {'decides as' if method.gives == 'test' else 'goes with'} | {_partner(method, kinds)} |"
    if method.gives == "interval":
        yield f"| guarantee | {'coverage never below the level, by proof' if method.guarantees else 'none'} |"
        yield f"| limits in [0, 1] | {'always' if method.within else 'not always: they are not cut off'} |"
        yield f"| errors and successes exchanged | {'the mirror image' if method.symmetric else 'another answer'} |"
    yield f"| function | `{method.function.__module__}.{method.function.__name__}` |"
    yield from ("", "Options, by keyword:", "")
    for option in method.options:
        default = signature(method.function).parameters[option].default
        shown = f"`{option}`" if option in method.required else f"`{option}={default!r}`"
        yield f"- {shown}: {told.get(option) or OPTIONS[option]}"
    if method.standing == Standing.FORBIDDEN or method.assumes:
        yield from ("", "Checks:", "")
    if method.standing == Standing.FORBIDDEN:
        yield "- [TA010](../checks.md#ta010): the method is fit for use. It is not, so this one always fails."
    for assumption in method.assumes:
        yield f"- [{assumption.code}](../checks.md#{assumption.code.lower()}): {assumption.needs.format(figure='…')}"


def _partner(method: Method, kinds: dict[str, Method]) -> str:
    other = "test" if method.gives == "interval" else "interval"
    if method.partner:
        return f"the {other} [{method.partner}]({method.partner}.md)"
    return f"the {other} of this name" if other in kinds else f"no {other} of this name"


def _docstring(method: Method) -> tuple[str, dict[str, str]]:
    """Return the text before the first section, and what the section on parameters says of each."""
    head, *rest = re.split(r"\n(\w+)\n-{4,}\n", getdoc(method.function) or "")
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    found = re.findall(r"^(\w+)\n((?: {4}.+\n?)+)", sections.get("Parameters", ""), re.MULTILINE)
    return head.strip(), {name: " ".join(text.split()) for name, text in found}


def _examples(interval: Method, has_test: bool) -> Iterator[str]:
    options = _needed(interval)
    told = "".join(f", {name}={value!r}" for name, value in options.items())
    count = ta.ErrorCount(3, 120)
    answer = ta.estimate(count, method=interval.name, **options)
    yield from ("", "## Examples", "", "```console")
    yield f"$ tellapart estimate 3 120 --method {interval.name}{_flag(interval)}"
    yield from (str(answer), "```", "", "```python", ">>> import tellapart as ta")
    yield f'>>> print(ta.estimate(ta.ErrorCount(3, 120), method="{interval.name}"{told}).interval)'
    yield str(answer.interval)
    if has_test:
        pvalue = round(float(ta.compare(count, against=0.08, method=interval.name, **options).pvalue), 4)
        yield f'>>> test = ta.compare(ta.ErrorCount(3, 120), against=0.08, method="{interval.name}"{told})'
        yield from (">>> round(float(test.pvalue), 4)", str(pvalue))
    yield from ("", "```", "")


def _coverage(interval: Method) -> Iterator[str]:
    """Return the table of exact coverage, each row with the command that prints it."""
    fitted = "10 to 200 trials" in interval.holds
    yield from ("## Exact coverage at 95 %", "")
    yield "By enumeration of every outcome, over all true errors and over those below 0.1; nothing is simulated."
    if fitted:
        yield "For the numbers of trials the formula was fitted for."
    if _needed(interval):
        yield f"Under the prior Beta({PRIOR[0]}, {PRIOR[1]}); another prior has other figures."
    yield from ("", "| trials | true errors | mean | minimum | expected width | printed by |")
    yield "|---:|---|---:|---:|---:|---|"
    for trials in FITTED_TRIALS if fitted else TRIALS:
        for to in (1, 0.1):
            found = ta.exact_coverage(interval, trials, within=(0, to), **_needed(interval))
            command = f"tellapart coverage --trials {trials} --method {interval.name}{' --to 0.1' * (to < 1)}"
            yield (
                f"| {trials} | {'below 0.1' if to < 1 else 'all'} | {found.mean:.4f} | {found.minimum:.4f}"
                f" | {found.mean_width:.4f} | `{command}{_flag(interval)}` |"
            )
    yield ""


def _needed(method: Method) -> dict[str, Any]:
    return {"prior": PRIOR} if "prior" in method.required else {}


def _flag(method: Method) -> str:
    return f" --prior {_prior_text()}" if _needed(method) else ""


def _prior_text() -> str:
    return ",".join(f"{value:g}" for value in PRIOR)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def main(arguments: list[str]) -> int:
    """Write the pages, or check them; return the exit status."""
    checking = arguments == ["--check"]
    if arguments and not checking:
        sys.stderr.write(f"docs/generate.py takes --check or nothing, but got {' '.join(arguments)}.\n")
        return 2
    wanted = dict(pages())
    left_over = set(FOLDER.glob("*.md")) - set(wanted)
    stale = [path for path, text in wanted.items() if not path.exists() or not same(path.read_text("utf-8"), text)]
    for path in (*stale, *left_over):
        fate = "out of date" if checking else "removed" if path in left_over else "written"
        sys.stdout.write(f"{fate}: {path.name}\n")
    if checking:
        return int(bool(stale or left_over))
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
    for path in left_over:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
