"""W2, W3 and W4: McNemar's tests, Tango's interval and the paired bootstrap, in batches and one by one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from mlxtend.evaluate import mcnemar as their_mcnemar
from scipy.optimize import brentq
from scipy.optimize.elementwise import find_root
from scipy.special import bdtr, chdtrc, ndtri
from scipy.stats import bootstrap
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from contest import Contest
from tellapart import PairedTable
from tellapart.methods.paired_table.bootstrap import percentile
from tellapart.methods.paired_table.mcnemar import mcnemar, mcnemar_corrected, mcnemar_exact, mcnemar_mid_p
from tellapart.methods.paired_table.tango_score import tango

CELLS = np.random.default_rng(1998).multinomial(300, [0.10, 0.08, 0.05, 0.77], size=1_000_000)
TABLES = PairedTable(*CELLS.T)
SAMPLE = [row.reshape(2, 2) for row in CELLS[:1000]]
Z = -float(ndtri(0.025))


def contests() -> Iterator[Contest]:
    """Yield the contests of W2, W3 and W4."""
    yield from _mcnemar()
    yield from _tango()
    yield from _bootstrap()


def _mcnemar() -> Iterator[Contest]:
    b, c = TABLES.only_a_wrong, TABLES.only_b_wrong
    fewer, both = np.minimum(b, c), b + c
    square = (b - c) ** 2 / np.maximum(both, 1)
    bare: dict[str, Callable[[], object]] = {
        "exact": lambda: np.minimum(2 * bdtr(fewer, both, 0.5), 1),
        "mid-p": lambda: 2 * bdtr(fewer, both, 0.5) - bdtr(fewer, both, 0.5) + bdtr(fewer - 1, both, 0.5),
        "chi-square": lambda: chdtrc(1, square),
        "chi-square, corrected": lambda: chdtrc(1, square),
    }
    forms: tuple[tuple[str, Callable[..., object], dict[str, bool]], ...] = (
        ("exact", mcnemar_exact, {"exact": True}),
        ("mid-p", mcnemar_mid_p, {"exact": True}),  # no peer has it: their exact test stands in
        ("chi-square", mcnemar, {"exact": False, "correction": False}),
        ("chi-square, corrected", mcnemar_corrected, {"exact": False, "correction": True}),
    )
    for title, ours, options in forms:
        theirs = {"exact": options["exact"], "corrected": options.get("correction", True)}
        goal = 3000 if options["exact"] else 1000
        yield Contest(
            title=f"W2 McNemar {title}, 10⁶ tables of 300 examples",
            ours=lambda ours=ours: ours(TABLES),
            peers={
                "statsmodels, a loop": lambda options=options: [statsmodels_mcnemar(row, **options) for row in SAMPLE],
                "mlxtend, a loop": lambda theirs=theirs: [their_mcnemar(row, **theirs) for row in SAMPLE],
                "limit: the bare call": bare[title],
            },
            shares={"statsmodels, a loop": 1 / 1000, "mlxtend, a loop": 1 / 1000},
            faster={"statsmodels, a loop": goal, "mlxtend, a loop": goal},
            within={"limit: the bare call": 0.06},
            turns=5,
        )
    rows = [tuple(int(cell) for cell in row) for row in CELLS[:200]]
    squares = [np.array(row).reshape(2, 2) for row in rows]
    for title, ours, options in forms[:3]:
        yield Contest(
            title=f"W2 McNemar {title}, 200 single calls, Python ints to p-value",
            ours=lambda ours=ours: [ours(PairedTable(*row)) for row in rows],
            peers={
                "statsmodels, single calls": lambda options=options: [
                    statsmodels_mcnemar(row, **options) for row in squares
                ]
            },
            faster={"statsmodels, single calls": 1},
            size=5,
        )


def _score(delta: Any, b: Any, c: Any, n: Any) -> Any:
    """Write Tango's score as the paper has it."""
    middle = -b - c + (2 * n - b + c) * delta
    q = (np.sqrt(middle * middle + 8 * n * c * delta * (1 - delta)) - middle) / (4 * n)
    return (b - c - n * delta) / np.sqrt(n * (2 * q + delta * (1 - delta)))


def _by_brentq(rows: list[tuple[int, ...]]) -> object:
    limits = []
    for b, c, n in rows:
        end = 1 - 1e-9
        limits.append(brentq(lambda x, b=b, c=c, n=n: _score(x, b, c, n) - Z, -end, (b - c) / n - 1e-9))
        limits.append(brentq(lambda x, b=b, c=c, n=n: _score(x, b, c, n) + Z, (b - c) / n + 1e-9, end))
    return limits


def _by_newton(b: Any, c: Any, n: Any) -> object:
    """Take six bare steps of Newton's from Wald's limits, and check nothing."""
    b, c, n = b.astype(float), c.astype(float), n.astype(float)
    both = []
    for sign in (1, -1):
        x = (b - c) / n + sign * Z * np.sqrt(b + c + 1) / n
        for _ in range(6):
            middle = -b - c + (2 * n - b + c) * x
            root = np.sqrt(middle * middle + 8 * n * c * x * (1 - x))
            q = (root - middle) / (4 * n)
            slope = 2 * (c * (1 - 2 * x) - (2 * n - b + c) * q) / root + 1 - 2 * x
            spread = np.sqrt(n * (2 * q + x * (1 - x)))
            apart = b - c - n * x
            x = x + (apart / spread + sign * Z) / (n / spread + apart * n * slope / (2 * spread**3))
        both.append(x)
    return both


def _tango() -> Iterator[Contest]:
    rng = np.random.default_rng(1999)
    cells = rng.multinomial(200, [0.10, 0.08, 0.05, 0.77], size=100_000)
    cells = cells[cells[:, 1] + cells[:, 2] > 0]
    repeated = PairedTable(*cells.T)
    rows = [(int(row[1]), int(row[2]), 200) for row in cells[:200]]
    b, c, n = (cell.astype(float) for cell in (repeated.only_a_wrong, repeated.only_b_wrong, repeated.examples))

    def by_find_root() -> object:
        middle = (b - c) / n
        end = np.full(b.size, 1 - 1e-9)
        low = find_root(lambda x, *cells: _score(x, *cells) - Z, (-end, middle - 1e-9), args=(b, c, n))
        return low, find_root(lambda x, *cells: _score(x, *cells) + Z, (middle + 1e-9, end), args=(b, c, n))

    yield Contest(
        title="W3 Tango's interval, 10⁵ tables of 200 examples",
        ours=lambda: tango(repeated).interval(),
        peers={
            "scipy brentq, a loop": lambda: _by_brentq(rows),
            "scipy find_root, arrays": by_find_root,
            "limit: six bare Newton steps": lambda: _by_newton(b, c, n),
        },
        shares={"scipy brentq, a loop": 200 / len(cells)},
        faster={"scipy brentq, a loop": 250, "scipy find_root, arrays": 10},
        within={"limit: six bare Newton steps": 0.25},
        turns=5,
    )
    size = rng.integers(1000, 10_000_000, 100_000)
    apart = rng.binomial(size, 0.1)
    lone = rng.binomial(apart, 0.52)
    distinct = PairedTable(0, lone, apart - lone, size - apart)
    yield Contest(
        title="W3 Tango's interval, 10⁵ tables, all distinct",
        ours=lambda: tango(distinct).interval(),
        peers={"limit: six bare Newton steps": lambda: _by_newton(lone, apart - lone, size)},
        within={"limit: six bare Newton steps": 1.3},
    )


def _bootstrap() -> Iterator[Contest]:
    rng = np.random.default_rng(2000)
    right_a, right_b = rng.random(1_000_000) < 0.9, rng.random(1_000_000) < 0.91
    few = right_a[:10_000], right_b[:10_000]
    differences = right_b.astype(float) - right_a

    def theirs() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return bootstrap(
                (differences,), np.mean, n_resamples=20, method="percentile", rng=np.random.default_rng(0), batch=1
            )

    def bare() -> object:
        shares = np.bincount(2 * right_a + right_b, minlength=4) / right_a.size
        drawn = np.random.default_rng(0).multinomial(right_a.size, shares, size=10_000)
        return np.quantile((drawn[:, 1] - drawn[:, 2]) / right_a.size, [0.025, 0.975])

    yield Contest(
        title="W4 paired bootstrap of 10⁶ examples, 10⁴ resamples, from correctness to limits",
        ours=lambda: percentile(PairedTable.from_correct(right_a, right_b)),
        peers={"scipy.stats.bootstrap": theirs, "limit: count and one multinomial": bare},
        shares={"scipy.stats.bootstrap": 20 / 10_000},
        faster={"scipy.stats.bootstrap": 10_000},
        within={"limit: count and one multinomial": 1.3},
        turns=5,
    )
    yield Contest(
        title="W4 paired bootstrap, 10⁴ resamples, flat in the number of examples",
        ours=lambda: percentile(PairedTable.from_correct(right_a, right_b)),
        peers={"the same with 10⁴ examples": lambda: percentile(PairedTable.from_correct(*few))},
        within={"the same with 10⁴ examples": 2},
        turns=9,
    )
