"""How often tests for two classifiers reject, and how often intervals cover: exactly, by enumeration.

Every table that a test set of a given size could give is handed to the registered function in one call; a true
model says how probable each is. Nothing is simulated. `python docs/generate.py --figures NAME` prints the figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln

import tellapart as ta
from tellapart.methods import Method

ALPHA = 0.05
# True models for one test set: how often two classifiers disagree, how many of their agreements are wrong,
# and the share of the disagreements that one of them wins on balance.
DISAGREEMENT = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
WRONG_TOGETHER = (0.05, 0.2, 0.5)
LEAN = (0.0, 0.25, 0.5, 0.9)
# True models for two test sets.
COMMON_ERROR = tuple(np.arange(1, 51) / 100)
ERRORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)

EXAMPLES = (20, 50)
TEST_SETS = ((20, 20), (50, 50), (20, 100))
# What is slow at such sizes: the bootstrap, quadrature, and enumeration inside an enumeration.
SLOW = {
    ("bca-bootstrap", "interval"),
    ("percentile", "interval"),
    ("unconditional", "interval"),
    ("two-betas", "interval"),
    ("boschloo", "test"),
}
SLOWER_BY_SIZE = {"mcnemar-unconditional", "barnard", "two-betas"}  # shown at the smallest size only


class Figures(NamedTuple):
    """What one method does at one size: of a test its size, of an interval its coverage and width."""

    examples: str
    mean: float
    extreme: float  # the largest size, or the smallest coverage
    where: str
    width: float


class _Design(NamedTuple):
    """All outcomes of a design, and their probability under each of several true models."""

    evidence: Any
    probability: np.ndarray  # outcome by model
    truth: dict[str, np.ndarray]  # by parameter, a value for each model
    names: tuple[str, ...]


def can_enumerate(method: Method) -> bool:
    """Whether there are exact figures for such a method."""
    return method.evidence in (ta.PairedTable, ta.IndependentCounts) and (method.name, method.gives) not in SLOW


def designs(method: Method) -> tuple[Any, ...]:
    """Return the sizes a method is looked at."""
    sizes: tuple[Any, ...] = EXAMPLES if method.evidence is ta.PairedTable else TEST_SETS
    return sizes[:1] if method.name in SLOWER_BY_SIZE else sizes


@cache
def figures(method: Method, size: Any) -> Figures:
    """Return the exact size (tests) or coverage (intervals) of a method at one size."""
    paired = method.evidence is ta.PairedTable
    design = (_paired if paired else _two_sets)(size, equal=method.gives == "test")
    examples = str(size) if paired else f"{size[0]} and {size[1]}"
    if method.gives == "test":
        rejected = np.asarray(method(design.evidence).rejected(ALPHA), dtype=float)
        chance = rejected @ design.probability
        worst, width = _first(chance, chance.max()), np.nan
    else:
        limits, truth = method(design.evidence, alpha=ALPHA), design.truth[method.parameter]
        low, high = limits.low[:, None] - 1e-12, limits.high[:, None] + 1e-12
        chance = (((low <= truth) & (truth <= high)) * design.probability).sum(axis=0)
        worst = _first(chance, chance.min())
        width = float((limits.width @ design.probability).mean()) if method.parameter == "difference" else np.nan
    return Figures(examples, float(chance.mean()), float(chance[worst]), design.names[worst], width)


def rows(method: Method) -> Iterator[str]:
    """Return a Markdown table of the figures."""
    if method.gives == "test":
        yield from ("| examples | mean size | largest size | largest at |", "|---|---:|---:|---|")
    else:
        yield from ("| examples | mean coverage | minimum | minimum at | expected width |", "|---|---:|---:|---|---:|")
    for size in designs(method):
        found = figures(method, size)
        width = "" if method.gives == "test" else f" {found.width:.4f} |" if found.width == found.width else " – |"
        yield f"| {found.examples} | {found.mean:.4f} | {found.extreme:.4f} | {found.where} |{width}"


def told(method: Method) -> str:
    """Say which true models the figures are for."""
    models = {
        (ta.PairedTable, "test"): "classifiers that err equally often: they disagree on 2 to 80 % of the examples, and"
        " 5, 20 or 50 % of those they agree on are wrong",
        (ta.PairedTable, "interval"): "classifiers that disagree on 2 to 80 % of the examples, of which one wins none,"
        " 25, 50 or 90 % on balance; 5, 20 or 50 % of those they agree on are wrong",
        (ta.IndependentCounts, "test"): "classifiers with the same true error, of 1 to 50 %",
        (ta.IndependentCounts, "interval"): "every two true errors among 1, 2, 5, 10, 20, 30 and 50 %",
    }
    return f"By enumeration of every outcome, for {models[method.evidence, method.gives]}."


def _first(chance: np.ndarray, extreme: float) -> int:
    """Return the first model at the extreme, up to digits that processors disagree on."""
    return int(np.flatnonzero(np.abs(chance - extreme) < 1e-9)[0])


@cache
def _paired(examples: int, *, equal: bool) -> _Design:
    together, only_a, only_b = np.indices((examples + 1,) * 3).reshape(3, -1)
    cells = np.stack([together, only_a, only_b, examples - together - only_a - only_b])
    cells = cells[:, cells[3] >= 0]
    leans = LEAN[:1] if equal else LEAN
    models = [(disagree, wrong, lean) for disagree in DISAGREEMENT for wrong in WRONG_TOGETHER for lean in leans]
    disagree, wrong, lean = np.array(models).T
    a, b = disagree * (1 + lean) / 2, disagree * (1 - lean) / 2
    shares = np.stack([(1 - disagree) * wrong, a, b, (1 - disagree) * (1 - wrong)])
    names = tuple(
        f"{100 * each:g} % disagreement, {100 * share:g} % wrong together"
        + ("" if equal else f", difference {each * by:.3g}")
        for each, share, by in models
    )
    truth = {"difference": a - b, "odds": a / b, "reduction": 1 - (shares[0] + b) / (shares[0] + a)}
    return _Design(ta.PairedTable(*cells), _multinomial(cells, shares), truth, names)


@cache
def _two_sets(sizes: tuple[int, int], *, equal: bool) -> _Design:
    errors = np.indices((sizes[0] + 1, sizes[1] + 1)).reshape(2, -1)
    models = [(each, each) for each in COMMON_ERROR] if equal else [(a, b) for a in ERRORS for b in ERRORS]
    truth = np.array(models).T
    probability = np.ones((errors.shape[1], len(models)))
    for each, size, true in zip(errors, sizes, truth, strict=True):
        probability *= _multinomial(np.stack([each, size - each]), np.stack([true, 1 - true]))
    names = tuple(
        f"errors of {100 * a:g} % and {100 * b:g} %" if a != b else f"an error of {100 * a:g} %" for a, b in models
    )
    counts = ta.IndependentCounts(ta.ErrorCount(errors[0], sizes[0]), ta.ErrorCount(errors[1], sizes[1]))
    return _Design(counts, probability, {"difference": truth[0] - truth[1]}, names)


def _multinomial(cells: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the probability of each outcome (a column of cells) under each model (a column of shares)."""
    ways = gammaln(cells.sum(axis=0) + 1) - gammaln(cells + 1).sum(axis=0)
    return np.exp(ways[:, None] + cells.T @ np.log(shares))
