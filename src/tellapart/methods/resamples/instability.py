"""Whether the choice between two learners depends on how many examples they are trained on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import Resamples
from ...rendering import Rendered, significant
from ...shaped import Shaped
from ...typing_ import BoolArray, FloatArray, IntArray, as_real
from .moments import preferences
from .required_plans import require_pair


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Instability(Shaped, Rendered):
    """How often random splits preferred A, by the size of the training set; sizes along the last dimension.

    `train` is the size of the training set, or its share where the number of examples is not known. Yang's λ is
    `share`, with ties to A; `strict` counts A's wins alone. `flat` says whether λ moves by no more than
    `tolerance` over all sizes and never crosses one half; Yang leaves "flat" to the eye, and 0.15 is our choice.
    """

    learners: tuple[str, str]
    train: FloatArray
    wins: IntArray
    ties: IntArray
    losses: IntArray
    tolerance: float = 0.15

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the entries, each of which has all sizes; () for one entry."""
        return self.wins.shape[:-1]

    @property
    def share(self) -> FloatArray:
        """Yang's λ: the share of splits that choose A, with ties to A."""
        return np.asarray((self.wins + self.ties) / (self.wins + self.ties + self.losses))

    @property
    def strict(self) -> FloatArray:
        """The share of splits in which A did better than B."""
        return np.asarray(self.wins / (self.wins + self.ties + self.losses))

    @property
    def flat(self) -> BoolArray:
        """Whether the choice hardly depends on the size of the training set; one size does not show it."""
        share = self.share
        one_sided = (share >= 0.5).all(axis=-1) | (share <= 0.5).all(axis=-1)
        still = share.max(axis=-1) - share.min(axis=-1) <= self.tolerance + 1e-12  # shares are rounded
        flat: BoolArray = one_sided & still & (self.train.size > 1)
        return flat

    def __getitem__(self, index: Any) -> Instability:
        if not self.shape:
            raise IndexError("this Instability holds one entry and has nothing to index")
        counts = {name: getattr(self, name)[index] for name in ("wins", "ties", "losses")}
        return replace(self, **counts)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        if self.shape:
            return [("entries", f"{self.flat.size}, of which {int(self.flat.sum())} flat")]
        a = self.learners[0]
        rows = []
        for size, share, *counts in zip(self.train, self.share, self.wins, self.ties, self.losses, strict=True):
            won, tied, lost = counts
            chosen = f"{a} chosen in {100 * share:.1f} % ({won} won, {tied} tied, {lost} lost)"
            rows.append((f"trained on {significant(float(size))}", chosen))
        return [*rows, ("verdict", self.verdict)]

    @property
    def verdict(self) -> str:
        """Whether the choice depends on the size of the training set, in words."""
        a, b = self.learners
        if self.train.size == 1:
            return "one size tells nothing of this: race by several, such as '200x(1/2)' and '200x(4/5)'"
        if self.flat:
            return f"flat: the choice between {a} and {b} hardly depends on the size of the training set"
        return f"not flat: which of {a} and {b} is chosen depends on the size of the training set; trust neither"

    def as_dict(self) -> dict[str, Any]:
        """Return the fields and what follows from them by name, every digit kept."""
        names = ("learners", "train", "wins", "ties", "losses", "share", "strict", "tolerance", "flat")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return f"Instability({', '.join(self.learners)}: {self.train.size} training sizes)"


def instability(resamples: Resamples, *, tolerance: float = 0.15) -> Instability:
    """Tell how often random splits choose A at each size of the training set, and whether this is flat.

    If λ, the share of splittings that choose A, is stable over a range of training sizes, training on fewer
    examples than there are is no serious problem; if it changes quickly, the comparison is not to be
    relied on (Yang 2006, section 4). Where test sets are small, ties are many, and who gets them decides:
    so wins, ties and losses are kept apart.

    Parameters
    ----------
    resamples
        The losses of two learners by random splits; parts of that kind, with other shares for training,
        are the other sizes.
    tolerance
        By how much λ may differ between sizes and still be called flat.

    Examples
    --------
    >>> few = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(1/2)", examples=100)
    >>> print(instability(few))
    trained on 50  A chosen in 100.0 % (3 won, 1 tied, 0 lost)
    verdict        one size tells nothing of this: race by several, such as '200x(1/2)' and '200x(4/5)'
    """
    if not 0 <= as_real(tolerance) <= 1:  # NaN fails this, too
        raise InvalidOption(f"tolerance must be a share from 0 to 1, but is {tolerance!r}.")
    require_pair("instability", resamples, least=1)
    plans = [part for part in (resamples, *resamples.parts.values()) if part.plan.kind == "random"]
    if not plans:
        raise InvalidEvidence(
            f"instability needs random splits, but the plan is {resamples.plan.name!r}. Race by several shares, such as"
            " '200x(1/2)' and '200x(4/5)'."
        )
    plans.sort(key=lambda part: float(part.train.mean()))
    signs = [preferences(part) for part in plans]
    counts = {
        name: np.stack([(sign == value).sum(axis=(-2, -1)) for sign in signs], axis=-1)
        for name, value in (("wins", -1), ("ties", 0), ("losses", 1))
    }
    a, b = resamples.learners
    train = np.array([part.train.mean() for part in plans])
    return Instability(learners=(a, b), train=train, tolerance=float(tolerance), **counts)
