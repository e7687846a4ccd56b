"""The rejection border of a slow test: computed at some nodes, and interpolated by a polynomial.

The smallest count at which a test rejects is the next whole number above a real border. That border is a smooth
function of the number of discordant pairs and of the sample size, so a polynomial through a few values gives the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...evidence import PairedTable
from ...methods.paired_table.anytime import as_kappa, evalue_border
from ...typing_ import Alternative, FloatArray

_NODES = (16, 4)  # nodes by number of discordant pairs, and by size
_ENOUGH = 128  # number of tables from which on a polynomial is faster than the test itself
_ACCURATE = 1e-6  # largest error of the polynomial between its nodes


def real_border(
    name: str, evidence: PairedTable, against: float, alternative: Alternative, alpha: float, options: Mapping[str, Any]
) -> FloatArray | None:
    """Return the real count from which on a one-sided test rejects, by the discordant pairs and size of each table.

    It counts the discordant errors of A, or of B if the alternative is "less". None if the border of the test cannot be
    computed or is not smooth here; then the test itself is used for every table.
    """
    if name != "mcnemar-evalue" or alternative == "two-sided":
        return None
    if evidence.disagreements.size < _ENOUGH:
        return None
    null, prior = against if alternative == "greater" else -against, as_kappa(options.get("prior", 1.0))

    def border(discordant_errors: FloatArray, examples: FloatArray) -> FloatArray:
        return evalue_border(discordant_errors, examples, against=null, alpha=alpha, prior=prior)

    return _interpolated(border, evidence.disagreements.astype(float), evidence.examples.astype(float))


def _interpolated(
    function: Callable[[FloatArray, FloatArray], FloatArray], x: FloatArray, y: FloatArray
) -> FloatArray | None:
    """Return values of a smooth function by Chebyshev polynomials; None if they are inaccurate between nodes."""
    from numpy.polynomial.chebyshev import chebpts1, chebval, chebvander, chebvander2d

    (least, most), (first, last) = (x.min(), x.max()), (y.min(), y.max())
    if not least > 0 or least == most:
        return None
    nodes = (_NODES[0], _NODES[1] if last > first else 1)
    across, along = (points.ravel() for points in np.meshgrid(*(chebpts1(count) for count in nodes), indexing="ij"))

    def scaled(unit: FloatArray, low: float, high: float) -> FloatArray:
        return np.asarray((low + high) / 2 + unit * (high - low) / 2)

    values = function(scaled(across, least, most), scaled(along, first, last))
    if not np.all(np.isfinite(values)):
        return None
    degrees = [count - 1 for count in nodes]
    weights = np.linalg.solve(chebvander2d(across, along, degrees), values).reshape(nodes)

    def polynomial(unit_x: FloatArray, unit_y: FloatArray) -> FloatArray:
        return np.asarray(chebval(unit_x, weights @ chebvander(unit_y, degrees[1]).T, tensor=False))

    between = np.cos(np.pi * np.arange(nodes[0] + 1) / nodes[0])  # halfway between the nodes, and at both ends
    other = np.resize([-1.0, 0.5, 1.0], between.size)
    missed = polynomial(between, other) - function(scaled(between, least, most), scaled(other, first, last))
    if not np.max(np.abs(missed)) < _ACCURATE:  # infinite without a border
        return None
    return polynomial(2 * (x - least) / (most - least) - 1, 2 * (y - first) / max(last - first, 1.0) - 1)
