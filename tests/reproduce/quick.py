"""A quick run of a paper, and what is asserted of each: which numbers and statements match, and which do not."""

from __future__ import annotations

from functools import cache

from tellapart.reproduce import Run, Shown, find_exhibits

QUICK = Run(scale="quick")  # one for all exhibits, which share what is measured


@cache
def shown(paper: str, name: str) -> Shown:
    """Return what an exhibit comes to in a quick run."""
    (exhibit,) = find_exhibits(paper, name)
    return exhibit.show(QUICK)


def check(result: Shown, deviates: set[str], missing: set[str] = frozenset()) -> None:
    """Assert every verdict, a reason for every deviation, and unique names of lines."""
    names = [line.what for line in result.lines]
    assert len(set(names)) == len(names)
    assert {line.what for line in result.lines if line.verdict == "deviates"} == set(deviates)
    assert {line.what for line in result.lines if line.verdict == "not available"} == set(missing)
    assert not result.unexplained
