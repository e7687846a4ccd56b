"""What became of exhibits that were run: counts of verdicts, what deviates and why, conclusions that survive."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..rendering import plain
from .exhibit import Exhibit
from .lines import Line, Shown, Verdict, counted
from .run import Run, Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduced:
    """An exhibit, what it came to here, and at which sizes.

    Parameters
    ----------
    exhibit, shown
        What was run, and what it shows.
    sizes
        What was counted, and how many were taken where the paper took how many; empty where nothing was drawn.
    """

    exhibit: Exhibit
    shown: Shown
    sizes: dict[str, str]

    @property
    def title(self) -> str:
        """The paper, the exhibit and what it shows."""
        return f"{self.exhibit.source}, {self.exhibit.label}: {self.exhibit.title}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything but pictures, every digit kept."""
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
        How large, and from which seed; see `Run`.
    parts
        One an exhibit.
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
        """How many lines there are of each verdict."""
        return counted(line.verdict for line in self.lines)

    @property
    def exhibit_counts(self) -> dict[Verdict, int]:
        """How many exhibits there are of each verdict."""
        return counted(part.shown.verdict for part in self.parts)

    @property
    def conclusions(self) -> tuple[tuple[Reproduced, Line], ...]:
        """What the papers conclude, each with the exhibit that decides it."""
        return tuple((part, line) for part in self.parts for line in part.shown.lines if line.statement)

    @property
    def unexplained(self) -> tuple[tuple[Reproduced, Line], ...]:
        """What deviates, and nobody knows why."""
        return tuple((part, line) for part in self.parts for line in part.shown.unexplained)

    @property
    def words(self) -> str:
        """How much agrees, in a sentence or two."""
        match, deviate, lost = self.counts.values()
        exhibits = "exhibit" if len(self.parts) == 1 else "exhibits"
        told = f"Of {len(self.lines):,} printed numbers and statements in {len(self.parts):,} {exhibits}, {match:,}"
        told += f" {'matches' if match == 1 else 'match'}, {deviate:,} {'deviates' if deviate == 1 else 'deviate'}"
        if self.unexplained:
            told += f" ({len(self.unexplained):,} for no known reason)"
        told += f" and {lost:,} cannot be had."
        hold = sum(line.verdict == "matches" for _, line in self.conclusions)
        if not self.conclusions:
            return told
        number = len(self.conclusions)
        held = "The statement" if number == 1 else f"Of the {number:,} statements among them {hold:,}"
        return f"{told} {held} {'holds' if hold == 1 else 'does not hold' if number == 1 else 'hold'}."

    def as_dict(self) -> dict[str, Any]:
        """Return everything but pictures, every digit kept."""
        return {
            "scale": self.scale,
            "times": self.times,
            "seed": self.seed,
            "counts": self.counts,
            "exhibits": [part.as_dict() for part in self.parts],
        }

    def to_json(self) -> str:
        """Return everything but pictures as JSON, every digit kept."""
        return json.dumps(plain(self.as_dict()), indent=2, ensure_ascii=False, allow_nan=False)


def run_exhibits(
    exhibits: Sequence[Exhibit], run: Run, *, after: Callable[[Reproduced], None] | None = None
) -> Reproduction:
    """Run exhibits one after the other, and return what became of them.

    Parameters
    ----------
    exhibits
        From `find_exhibits`.
    run
        How large, from which seed, on how many processes, with which store.
    after
        Called with each as soon as it is there: to print it, say.

    Examples
    --------
    >>> from tellapart.reproduce import find_exhibits
    >>> found = run_exhibits(find_exhibits("mitchell", "table-5.1"), Run(scale="quick"))
    >>> found.counts
    {'matches': 6, 'deviates': 1, 'cannot be had': 0}
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
