"""Side by side: ours and the peers' in one process, interleaved, best of several turns, as ratios.

Processor time is compared where one thread works (it is steady where the clock is not), the clock where a
whole command runs.
"""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["Contest", "command", "hold"]


@dataclass(frozen=True, kw_only=True)
class Contest:
    """A workload, who does it, and how many times faster (or at most how many times slower) we mean to be."""

    title: str
    ours: Callable[[], object]
    peers: Mapping[str, Callable[[], object]]
    faster: Mapping[str, float] = field(default_factory=dict)  # peer: at least so many times faster
    within: Mapping[str, float] = field(default_factory=dict)  # limit: at most so many times its time
    turns: int = 7
    clock: Callable[[], float] = time.process_time
    size: int = 1  # calls within a turn
    shares: Mapping[str, float] = field(default_factory=dict)  # peer: its part of the work


def command(*words: str) -> Callable[[], object]:
    """Return a contender that runs a whole command."""
    return lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # our own words


def children() -> float:
    """Return the processor time that finished child processes have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def hold(contest: Contest) -> bool:
    """Run the contest, print a line a contender, and return whether the goals were met."""
    contenders: dict[str, Callable[[], object]] = {"tellapart": contest.ours, **contest.peers}
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(contest.turns):
        for name, run in contenders.items():
            start = contest.clock()
            for _ in range(contest.size):
                run()
            taken = (contest.clock() - start) / contest.size / contest.shares.get(name, 1)
            best[name] = min(best[name], taken)
    print(f"\n{contest.title}")
    print(f"  {'tellapart':<34}{_time(best['tellapart']):>12}")
    met = True
    for name in contest.peers:
        ratio = best[name] / best["tellapart"]
        verdict = ""
        if name in contest.faster:
            good = ratio >= contest.faster[name]
            verdict = f"goal: at least {contest.faster[name]:g} times faster: {'met' if good else 'MISSED'}"
            met &= good
        elif name in contest.within:
            good = 1 / ratio <= contest.within[name]
            verdict = f"goal: at most {contest.within[name]:g} of its time: {'met' if good else 'MISSED'}"
            met &= good
        part = "*" if name in contest.shares else " "
        print(f"  {name:<34}{_time(best[name]):>12}{part}  {_ratio(ratio):>8} times ours   {verdict}")
    return met


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 1000 else f"{ratio:.0f}"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def hold_all(contests: Sequence[Contest]) -> int:
    """Hold every contest and return how many missed a goal."""
    missed = sum(not hold(contest) for contest in contests)
    print(f"\n{len(contests) - missed} of {len(contests)} contests met their goals (*: from a part of the work).")
    return missed
