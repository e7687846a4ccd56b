"""Measure what no enumeration reaches: `python docs/simulated_figures.py` prints the figures that max-t's page tells.

Models that are equally good and err independently: any pair told apart is a false claim. Beside it, which share
of the winner's true optimism `winner_optimism` finds. A quarter of a minute.
"""

from __future__ import annotations

import numpy as np

import tellapart as ta
from tellapart.methods.error_patterns import max_t, winner_optimism

TABLES, RESAMPLES = 1000, 399
DESIGNS = ((5, 5, 0.5), (10, 5, 0.5), (20, 6, 0.5), (30, 6, 0.5), (50, 6, 0.5), (200, 6, 0.2), (1000, 4, 0.1))


def main() -> None:
    """Print a line a design: false claims with their interval, and the share of the optimism that is found."""
    rng = np.random.default_rng(2006)
    print("examples  models  error  any false claim (95 %, clopper-pearson)  optimism found")
    for examples, models, error in DESIGNS:
        claims, found, true = 0, 0.0, 0.0
        for _ in range(TABLES):
            right = rng.random((models, examples)) >= error
            patterns = ta.ErrorPatterns.from_correct({f"m{place}": each for place, each in enumerate(right)})
            claims += bool((max_t(patterns, resamples=RESAMPLES, rng=rng).pvalue < 0.05).any())
            found += winner_optimism(patterns, resamples=RESAMPLES, rng=rng)
            true += error - patterns.rates.min()
        limits = ta.estimate(ta.ErrorCount(claims, TABLES), method="clopper-pearson").interval
        span = f"{claims / TABLES:.3f} ({limits.low:.3f} to {limits.high:.3f})"
        print(f"{examples:>8}  {models:>6}  {error:>5}  {span:<41}  {found / true:.2f}")


if __name__ == "__main__":
    main()
