"""Effect sizes of two learners over many data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..rendering import Rendered
from ..shaped import Shaped
from ..typing_ import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Effects(Shaped, Rendered):
    """Wins and ties of two learners over data sets, and the size of the difference.

    `superiority` is the share of data sets on which B wins, ties counted half: 0.5 if neither is ahead.
    `rank_biserial` is (W₊ − W₋)/(W₊ + W₋) of Wilcoxon's rank sums: from −1 (A wins everywhere) to 1 (B does).
    `typical` is the pseudomedian of loss(A) − loss(B) (Hodges and Lehmann); positive: B is better.

    Examples
    --------
    >>> import numpy as np
    >>> counts = {"a_wins": np.int64(3), "ties": np.int64(2), "b_wins": np.int64(9)}
    >>> print(Effects(**counts, superiority=np.float64(5 / 7), rank_biserial=np.float64(0.6), typical=np.float64(0.02)))
      wins      A 3, ties 2, B 9
      effect    B wins 71.4% of the data sets; rank-biserial correlation 0.6; typical
                difference 0.02
    """

    a_wins: IntArray
    ties: IntArray
    b_wins: IntArray
    superiority: FloatArray
    rank_biserial: FloatArray
    typical: FloatArray
    rope: float = 0.0  # differences up to this size count as ties
    _leader = "superiority"

    def rows(self) -> list[tuple[str, str]]:
        """Return label and text of each row."""
        if self.shape:
            return [("effect", f"effect sizes of {self.superiority.size:,} pairs")]
        within = f" (within {self.rope:g})" if self.rope else ""
        return [
            ("wins", f"A {int(self.a_wins)}, ties {int(self.ties)}{within}, B {int(self.b_wins)}"),
            (
                "effect",
                f"B wins {100 * float(self.superiority):.3g}% of the data sets; rank-biserial correlation"
                f" {float(self.rank_biserial):.3g}; typical difference {float(self.typical):.3g}",
            ),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, with all digits."""
        names = ("a_wins", "ties", "b_wins", "superiority", "rank_biserial", "typical")
        return {name: getattr(self, name) for name in names} | ({"rope": self.rope} if self.rope else {})

    def __repr__(self) -> str:
        return f"Effects({', '.join(f'{label}={value}' for label, value in self.rows())})"
