"""W1: intervals for one error rate, a million at a time and one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.special import betainccinv, betaincinv, ndtri
from statsmodels.stats.proportion import proportion_confint

from contest import Contest
from tellapart import ErrorCount
from tellapart.methods.error_count.exact import clopper_pearson
from tellapart.methods.error_count.posterior_intervals import jeffreys
from tellapart.methods.error_count.wilson_score import wilson

TRIALS = np.random.default_rng(1996).integers(10, 1001, 1_000_000)
ERRORS = np.random.default_rng(1997).integers(0, TRIALS + 1)


def bare_jeffreys(errors: Any, trials: Any) -> object:
    """Call SciPy's inverses once each and nothing else."""
    a, b = errors + 0.5, trials - errors + 0.5
    return betaincinv(a, b, 0.025), betainccinv(a, b, 0.025)


def bare_clopper_pearson(errors: Any, trials: Any) -> object:
    """Call SciPy's inverses once each and nothing else."""
    return betaincinv(errors, trials - errors + 1, 0.025), betainccinv(errors + 1, trials - errors, 0.025)


def bare_wilson(errors: Any, trials: Any) -> object:
    """Write the textbook formula once."""
    z = -ndtri(0.025)
    rate, total = errors / trials, 1 + z * z / trials
    centre = (rate + z * z / (2 * trials)) / total
    reach = z * np.sqrt(rate * (1 - rate) / trials + z * z / (4.0 * trials * trials)) / total
    return centre - reach, centre + reach


def contests() -> Iterator[Contest]:
    """Yield the contests of W1."""
    rivals: tuple[tuple[str, Callable[..., object], str, Callable[..., object]], ...] = (
        ("Jeffreys", jeffreys, "jeffreys", bare_jeffreys),
        ("Clopper-Pearson", clopper_pearson, "beta", bare_clopper_pearson),
        ("Wilson", wilson, "wilson", bare_wilson),
    )
    for title, ours, theirs, bare in rivals:
        quick = title == "Wilson"
        yield Contest(
            title=f"W1 {title}, 10⁶ pairs, evidence built and checked",
            ours=lambda ours=ours: ours(ErrorCount(ERRORS, TRIALS)).interval(),
            peers={
                "statsmodels, arrays": lambda theirs=theirs: proportion_confint(ERRORS, TRIALS, method=theirs),
                "limit: the bare calls": lambda bare=bare: bare(ERRORS, TRIALS),
            },
            faster={} if quick else {"statsmodels, arrays": 3},
            within={"limit: the bare calls": 1.1 if quick else 0.33},
            turns=9 if quick else 3,
        )
        rng = np.random.default_rng(0)
        distinct = rng.permutation(500_000)[:20_000]  # all pairs different: nothing to be saved but the mirror
        sizes = 1000 + distinct // 1000
        wrong = distinct % 1000
        if not quick:
            yield Contest(
                title=f"W1 {title}, 20 000 pairs, all distinct",
                ours=lambda ours=ours, m=wrong, n=sizes: ours(ErrorCount(m, n)).interval(),
                peers={"limit: the bare calls": lambda bare=bare, m=wrong, n=sizes: bare(m, n)},
                within={"limit: the bare calls": 1.15},
            )
    pairs = [(int(m), int(n)) for m, n in zip(ERRORS[:200], TRIALS[:200], strict=True)]
    for title, ours, theirs, _ in rivals:
        yield Contest(
            title=f"W1 {title}, 200 single calls, Python ints to limits",
            ours=lambda ours=ours: [ours(ErrorCount(m, n)).interval() for m, n in pairs],
            peers={
                "statsmodels, scalars": lambda theirs=theirs: [
                    proportion_confint(m, n, method=theirs) for m, n in pairs
                ]
            },
            faster={"statsmodels, scalars": 2},
            size=5,
        )
