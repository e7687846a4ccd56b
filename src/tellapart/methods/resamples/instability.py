"""Whether the choice between two learners depends on the size of the training set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...display import Display, TextTable
from ...errors import InvalidEvidence, InvalidOption
from ...evidence import Resamples, expect
from ...figures import Scale
from ...rendering import Rendered
from ...shaped import Shaped
from ...typing_ import BoolArray, FloatArray, IntArray, as_real
from .moments import preferences
from .required_plans import require_pair


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Instability(Shaped, Rendered):
    """The share of random splits that prefer A, by the size of the training set; sizes along the last dimension.

    `train` is the size of the training set, or its share if the number of examples is unknown. Yang's λ is `share`,
    with ties to A; `strict` counts A's wins alone. `flat` is whether λ varies by at most `tolerance` over all sizes and
    does not cross one half; Yang judges this by eye, and 0.15 is our choice.
    """

    learners: tuple[str, str]
    train: FloatArray
    wins: IntArray
    ties: IntArray
    losses: IntArray
    tolerance: float = 0.15

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the entries, each with all sizes; () for one entry."""
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
        """Whether the choice hardly depends on the size of the training set; False for a single size."""
        share = self.share
        one_sided = (share >= 0.5).all(axis=-1) | (share <= 0.5).all(axis=-1)
        steady = share.max(axis=-1) - share.min(axis=-1) <= self.tolerance + 1e-12  # shares are rounded
        flat: BoolArray = one_sided & steady & (self.train.size > 1)
        return flat

    def __getitem__(self, index: Any) -> Instability:
        if not self.shape:
            raise IndexError("an Instability of one entry cannot be indexed")
        counts = {name: getattr(self, name)[index] for name in ("wins", "ties", "losses")}
        return replace(self, **counts)

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # the table has all numbers
        """Return the verdict, and a table of the splits that prefer either learner, by training set size."""
        if self.shape:
            return Display(verdict=f"No dependence on the training set size in {self.flat.sum()} of {self.flat.size}")
        a, b = self.learners
        percent, count = Scale("percent", 1), Scale("plain", 0)
        lines = [
            [
                percent.value(float(size)) if size < 1 else count.number(float(size)),
                percent.value(float(share)),
                *(count.number(float(number)) for number in numbers),
            ]
            for size, share, *numbers in zip(self.train, self.share, self.wins, self.ties, self.losses, strict=True)
        ]
        head = ["training\nset", f"splits that\nchoose {a}", f"{a} better", "ties", f"{b} better"]
        return Display(verdict=self.verdict, blocks=(TextTable(head=head, lines=lines, align="r" * len(head)),))

    @property
    def verdict(self) -> str:
        """Whether the choice depends on the size of the training set, in words."""
        a, b = self.learners
        if self.train.size == 1:
            return "Unknown dependence on the training set size: only one size (use plan='200x(1/2)' and '200x(4/5)')"
        if self.flat:
            return f"The choice between {a} and {b} hardly depends on the training set size"
        return f"The choice between {a} and {b} depends on the training set size"

    def as_dict(self) -> dict[str, Any]:
        """Return the fields and the shares by name, at full precision."""
        names = ("learners", "train", "wins", "ties", "losses", "share", "strict", "tolerance", "flat")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return f"Instability({', '.join(self.learners)}: {self.train.size} training sizes)"


def instability(resamples: Resamples, *, tolerance: float = 0.15) -> Instability:
    """Return the share of random splits that choose A at each training set size, and whether it is flat.

    If λ, the share of splits that choose A, is stable over a range of training set sizes, training on fewer examples
    than there are is not a serious problem; if it changes quickly, the comparison is unreliable (Yang 2006, section 4).
    Small test sets have many ties, so wins, ties and losses are counted separately.

    Parameters
    ----------
    resamples
        The losses of two learners by random splits; parts with other shares for training are the other sizes.
    tolerance
        The largest range of λ over the sizes that counts as flat.

    Examples
    --------
    >>> few = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(1/2)", examples=100)
    >>> print(instability(few))
    Unknown dependence on the training set size: only one size (use plan='200x(1/2)'
    and '200x(4/5)')
    <BLANKLINE>
      training  splits that
           set     choose A  A better  ties  B better
            50       100.0%         3     1         0
    """
    if not 0 <= as_real(tolerance) <= 1:  # NaN fails this, too
        raise InvalidOption(f"`tolerance` must be a share from 0 to 1, got {tolerance!r}. The default is 0.15.")
    expect(Resamples, resamples, name="resamples")
    require_pair("instability", resamples, least=1)
    random_splits = [splits for splits in (resamples, *resamples.parts.values()) if splits.plan.kind == "random"]
    if not random_splits:
        raise InvalidEvidence(
            f"instability needs random splits, got plan {resamples.plan.name!r}. Use plan=['200x(1/2)', '200x(4/5)']."
        )
    random_splits.sort(key=lambda splits: float(splits.train.mean()))
    signs = [preferences(splits) for splits in random_splits]
    counts = {
        name: np.stack([(sign == value).sum(axis=(-2, -1)) for sign in signs], axis=-1)
        for name, value in (("wins", -1), ("ties", 0), ("losses", 1))
    }
    a, b = resamples.learners
    train = np.array([splits.train.mean() for splits in random_splits])
    return Instability(learners=(a, b), train=train, tolerance=float(tolerance), **counts)
