"""Results of exhibits that were run: counts of verdicts, deviations with reasons, and the papers' conclusions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..display import Display, Row
from ..figures import count_text
from ..rendering import plain, table_of
from .exhibit import Exhibit
from .run import Run, Scale
from .verdicts import Line, Shown, Verdict, counted

_NOUN, _NOUNS = "printed number or statement", "printed numbers and statements"
LINE_HEAD = ("what", "paper", "ours", "difference", "allowed", "verdict")


def line_cells(line: Line) -> tuple[str, ...]:
    """Return a line as texts, one for each column of `LINE_HEAD`."""
    difference = "" if line.difference is None else f"{line.difference:+.4g}" if abs(line.difference) > 1e-9 else "0"
    allowed = "" if line.tolerance is None else f"{line.tolerance:.3g}"
    return line.what, line.printed, line.ours, difference, allowed, line.verdict


def _shorten_list(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{'; '.join(names[:3])}{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduced:
    """An exhibit with its result and sample sizes.

    Parameters
    ----------
    exhibit, shown
        The exhibit and its result.
    sizes
        The sample sizes here and in the paper, by what is counted; empty if nothing was simulated.
    """

    exhibit: Exhibit
    shown: Shown
    sizes: dict[str, str]

    @property
    def title(self) -> str:
        """The paper, the name of the exhibit and its title."""
        return f"{self.exhibit.source}, {self.exhibit.label}: {self.exhibit.title}"

    def display(self) -> Display:
        """Return how many lines match, a table of the numbers, deviations with reasons, and statements."""
        lines = self.shown.lines
        numbers = [line for line in lines if not line.statement]
        table = table_of(LINE_HEAD, [line_cells(line) for line in numbers]) if numbers else None
        reasons: dict[str, list[str]] = {}
        for line in numbers:
            if line.verdict != "matches":
                reasons.setdefault(line.reason or "No reason is known.", []).append(line.what)
        deviations = [Row("caution", f"{_shorten_list(cells)}: {reason}") for reason, cells in reasons.items()]
        statements = [
            Row(line.verdict, " ".join(filter(None, (f"{line.what}: {line.printed}. Here: {line.ours}.", line.reason))))
            for line in lines
            if line.statement
        ]
        sizes = [Row("data", "; ".join(f"{what}: {size}" for what, size in self.sizes.items()))] if self.sizes else []
        match = self.shown.counts["matches"]
        return Display(
            verdict=self.title,
            figures=f"{match:,} of {count_text(len(lines), 'number or statement', 'numbers and statements')} match",
            blocks=(*([table] if table else []), *deviations, *statements, *sizes, *self.shown.notes),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything except pictures, with all digits."""
        return {
            "paper": self.exhibit.paper,
            "exhibit": self.exhibit.name,
            "title": self.exhibit.title,
            "verdict": self.shown.verdict,
            "counts": self.shown.counts,
            "sizes": self.sizes,
            "lines": [asdict(line) for line in self.shown.lines],
            "notes": list(self.shown.notes),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """Exhibits that were run together.

    Parameters
    ----------
    scale, times, seed
        The sample size and the seed; see `Run`.
    parts
        One result for each exhibit.
    """

    scale: Scale
    times: float | None
    seed: int
    parts: tuple[Reproduced, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines of all exhibits."""
        return tuple(line for part in self.parts for line in part.shown.lines)

    @property
    def counts(self) -> dict[Verdict, int]:
        """The number of lines with each verdict."""
        return counted(line.verdict for line in self.lines)

    @property
    def exhibit_counts(self) -> dict[Verdict, int]:
        """The number of exhibits with each verdict."""
        return counted(part.shown.verdict for part in self.parts)

    @property
    def conclusions(self) -> tuple[tuple[Reproduced, Line], ...]:
        """The papers' conclusions, each with the exhibit that decides it."""
        return tuple((part, line) for part in self.parts for line in part.shown.lines if line.statement)

    @property
    def unexplained(self) -> tuple[tuple[Reproduced, Line], ...]:
        """The deviations without a known reason."""
        return tuple((part, line) for part in self.parts for line in part.shown.unexplained)

    @property
    def words(self) -> str:
        """The numbers that agree, in a sentence or two."""
        match, deviate, unavailable = self.counts.values()
        exhibits = count_text(len(self.parts), "exhibit")
        unexplained = f" ({len(self.unexplained):,} unexplained)" if self.unexplained else ""
        text = (
            f"{match:,} of {count_text(len(self.lines), _NOUN, _NOUNS)}"
            f" in {exhibits} match; {deviate:,} deviate{'s' * (deviate == 1)}{unexplained}, {unavailable:,} not"
            " available."
        )
        if not self.conclusions:
            return text
        hold = sum(line.verdict == "matches" for _, line in self.conclusions)
        return f"{text} {hold:,} of {count_text(len(self.conclusions), 'statement')} hold{'s' * (hold == 1)}."

    def as_dict(self) -> dict[str, Any]:
        """Return everything except pictures, with all digits."""
        return {
            "scale": self.scale,
            "times": self.times,
            "seed": self.seed,
            "counts": self.counts,
            "exhibits": [part.as_dict() for part in self.parts],
        }

    def to_json(self) -> str:
        """Return everything except pictures as JSON, with all digits."""
        return json.dumps(plain(self.as_dict()), indent=2, ensure_ascii=False, allow_nan=False)


def run_exhibits(
    exhibits: Sequence[Exhibit], run: Run, *, after: Callable[[Reproduced], None] | None = None
) -> Reproduction:
    """Return the results of exhibits, run one after the other.

    Parameters
    ----------
    exhibits
        From `find_exhibits`.
    run
        The sample size, seed, number of processes, and store.
    after
        Called with each result as soon as it is available, for example to print it.

    Examples
    --------
    >>> from tellapart.reproduce import find_exhibits
    >>> found = run_exhibits(find_exhibits("mitchell", "table-5.1"), Run(scale="quick"))
    >>> found.counts
    {'matches': 6, 'deviates': 1, 'not available': 0}
    """

    def each() -> Iterator[Reproduced]:
        for exhibit in exhibits:
            run.sizes.clear()
            run.doing = f"{exhibit.paper} {exhibit.name}"
            shown = exhibit.show(run)
            part = Reproduced(exhibit=exhibit, shown=shown, sizes=dict(run.sizes))
            if after is not None:
                after(part)
            yield part

    return Reproduction(scale=run.scale, times=run.times, seed=run.seed, parts=tuple(each()))
