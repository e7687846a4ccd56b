"""Planning and watching: the exact power of a paired test, and what one more batch costs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import bdtr
from scipy.stats import multinomial

from contest import Contest
from tellapart import PairedTable, Watch, plan

EXAMPLES, DISAGREEMENT, DIFFERENCE = 1000, 0.1, 0.03


def contests() -> Iterator[Contest]:
    """Yield the contests: no peer plans for pairs, so what one would write by hand stands in."""
    yield Contest(
        title=f"power of the exact McNemar test at {EXAMPLES} examples, unconditional",
        ours=lambda: (
            plan(examples=EXAMPLES, difference=DIFFERENCE, disagreement=DISAGREEMENT, method="mcnemar-exact").power
        ),
        peers={"SciPy, all tables": _enumerated},
        faster={"SciPy, all tables": 5},
    )
    few, many = (Watch.pair().add(PairedTable(5 * k, 12 * k, 11 * k, 972 * k)) for k in (1, 10**6))
    batch = PairedTable(3, 5, 6, 86)
    yield Contest(
        title="one more batch of 100 examples, after a thousand million",
        ours=lambda: many.add(batch),
        peers={"ours, after a thousand": lambda: few.add(batch)},
        within={"ours, after a thousand": 2},
    )


def _enumerated() -> float:
    """Sum over every table that the multinomial can give, as a loop-free script would."""
    both = np.arange(EXAMPLES + 1)
    only_a, only_b = (part.ravel() for part in np.meshgrid(both, both, indexing="ij"))
    possible = only_a + only_b <= EXAMPLES
    b, c = only_a[possible], only_b[possible]
    chance = multinomial(EXAMPLES, [(DISAGREEMENT + s * DIFFERENCE) / 2 for s in (1, -1)] + [1 - DISAGREEMENT]).pmf(
        np.stack([b, c, EXAMPLES - b - c], axis=-1)
    )
    return float(chance[np.minimum(2 * bdtr(np.minimum(b, c), b + c, 0.5), 1) < 0.05].sum())
