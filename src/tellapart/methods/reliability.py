"""Whether probabilities mean what they say: what happened beside what they promised, and what chance explains of it.

A curve alone cannot tell, and the usual error of calibration is above 0 even for perfect probabilities: the shares that
it compares vary by chance. So the bins have limits, the error is rid of what chance adds, and a test needs no bins.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ClassScores, ErrorCount
from ..numerics.distributions import normal_pvalue, ratio
from ..rendering import Tabled, plain_number, pvalue_text, significant
from ..typing_ import BoolArray, FloatArray, IntArray, as_alpha

# Whom the registry has no place for, by key of the bibliography.
SOURCES = {"reliability": ("spiegelhalter1986", "kumar2019", "brocker2012", "wilson1927")}

_MOST = 20  # bins, if nobody says how many
_LEAST = 2  # examples that a bin must have: one alone shows no spread


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReliabilityCurve:
    """How one model's probabilities fit what happened.

    By bin: `counts` examples with the mean probability `promised`, of which the share `happened` came true, and the
    limits `low` and `high` of that share (Wilson's, of each bin by itself). `statistic` and `pvalue` are
    Spiegelhalter's z and its two-sided p-value. `error` is the root mean square of what lies between promised and
    happened, rid of what chance adds to it; `plug_in_error` is the same with that. `impossible` counts examples whose
    truth was given the probability 0.
    """

    model: str
    counts: IntArray
    promised: FloatArray
    happened: FloatArray
    low: FloatArray
    high: FloatArray
    statistic: float
    pvalue: float
    error: float
    plug_in_error: float
    impossible: int = 0

    @property
    def examples(self) -> int:
        """How many examples there are."""
        return int(self.counts.sum())

    @property
    def means(self) -> tuple[float, float]:
        """The mean probability, and the share that came true."""
        shares = self.counts / self.examples
        return float(shares @ self.promised), float(shares @ self.happened)

    def verdict(self, alpha: float = 0.05) -> str:
        """Say what is wrong with the probabilities, as far as it can be seen.

        Examples
        --------
        >>> held = ClassScores.from_scores([0, 1] * 50, np.tile([0.1, 0.4, 0.6, 0.9], 25))
        >>> reliability(held)["A"].verdict()
        'nothing was seen to be wrong with its probabilities (p = 0.2752), which does not show that they are right'
        """
        if self.impossible:
            many = f"{self.impossible} example{'s' * (self.impossible != 1)}"
            return f"its probabilities are wrong: what happened on {many} was given the probability 0"
        if np.isnan(self.pvalue):
            return "nothing can be said of its probabilities: all are 0, 0.5 or 1"
        told = f"(p = {pvalue_text(self.pvalue, alpha)})"
        if self.pvalue >= alpha:
            return (
                f"nothing was seen to be wrong with its probabilities {told}, which does not show that they are right"
            )
        if self.statistic > 0:
            return f"its probabilities are too sure: their squared error is larger than they promise {told}"
        return f"its probabilities are not sure enough: their squared error is smaller than they promise {told}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reliability(Tabled):
    """How the probabilities of one model or several fit what happened: what `reliability` gives."""

    curves: tuple[ReliabilityCurve, ...]
    of: str
    alpha: float = 0.05

    def __iter__(self) -> Iterator[ReliabilityCurve]:
        return iter(self.curves)

    def __getitem__(self, model: str) -> ReliabilityCurve:
        for curve in self.curves:
            if curve.model == model:
                return curve
        raise InvalidOption(f"model must be one of {', '.join(each.model for each in self.curves)}, but is {model!r}.")

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        told = [(each.model, each.verdict(self.alpha)) for each in self.curves]
        return [("probabilities of", f"{self.of}, on {self.curves[0].examples} examples"), *told]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the head of each column, and a line for each model."""
        head = ["model", "promised", "happened", "Spiegelhalter's z", "p", "calibration error", "before debiasing"]
        lines = [
            [
                each.model,
                *(plain_number(value, 2 / np.sqrt(each.examples)) for value in each.means),
                "none" if np.isnan(each.statistic) else f"{each.statistic:.2f}",
                pvalue_text(each.pvalue, self.alpha),
                *(
                    "unknown" if np.isnan(value) else significant(value, 2)
                    for value in (each.error, each.plug_in_error)
                ),
            ]
            for each in self.curves
        ]
        return head, lines

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, every digit kept."""
        return {
            "of": self.of,
            "alpha": self.alpha,
            "curves": {
                each.model: {name: getattr(each, name) for name in each.__slots__ if name != "model"}
                for each in self.curves
            },
        }


def reliability(
    scores: ClassScores, *, positive: Hashable = None, bins: int | None = None, alpha: float = 0.05
) -> Reliability:
    """Say whether each model's probabilities mean what they say.

    Of two classes these are the probabilities of the positive one; of more, those of the class that the model finds the
    most probable, unless one is named. Spiegelhalter's z compares the squared error with what the probabilities
    themselves promise, Σ(y − p)(1 − 2p)/√Σ(1 − 2p)²p(1 − p): above 0 they are too sure, below 0 not sure enough. It
    needs no bins, and it misses errors that make neither of both. The calibration error is by bins of equally many
    examples, √Σ(n_b/n)[(ȳ − p̄)² − ȳ(1 − ȳ)/(n_b − 1)], where the last term is what chance adds on average (Kumar, Liang
    & Ma 2019; Bröcker 2012); where that leaves less than nothing it is 0. What varies within a bin it does not see.

    Parameters
    ----------
    scores
        The probabilities of each model for every example, and the labels.
    positive
        The class whose probabilities are looked at.
    bins
        How many bins, of equally many examples as far as equal probabilities allow; the cube root of the number of
        examples, and at most 20, if left out.
    alpha
        Error probability; the level of the limits of each bin is 1 − alpha.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> chance = rng.random(1000)
    >>> happened = rng.random(1000) < chance
    >>> sure = np.where(chance > 0.5, (1 + chance) / 2, chance / 2)
    >>> found = reliability(ClassScores.from_scores(happened, {"honest": chance, "bold": sure}))
    >>> print(found)
    probabilities of  True, on 1000 examples
    honest            nothing was seen to be wrong with its probabilities (p = 0.639), which does not
                      show that they are right
    bold              its probabilities are too sure: their squared error is larger than they promise (p
                      = 6.27e-31)
    <BLANKLINE>
    model   promised  happened  Spiegelhalter's z  p         calibration error  before debiasing
    honest  0.517     0.523     -0.47              0.639     0                  0.038
    bold    0.522     0.523     11.56              6.27e-31  0.13               0.14
    """
    if not isinstance(scores, ClassScores) or scores.shape:
        raise InvalidOption("reliability is of one ClassScores: ClassScores.from_scores(truth, probabilities), say.")
    held, alpha = scores if positive is None else scores.against_rest(positive), as_alpha(alpha=alpha)
    if not has_probabilities(held):
        raise InvalidEvidence(
            f"reliability is of probabilities, between 0 and 1, but the scores go from {held.scores.min():.6g} to"
            f" {held.scores.max():.6g}. Make probabilities of them first."
        )
    if bins is not None and (isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1):
        raise InvalidOption(f"bins must be a whole number, 1 or more, but is {bins!r}.")
    wanted = min(_MOST, round(held.examples ** (1 / 3))) if bins is None else int(bins)
    curves = tuple(_curve(model, *_promised(held, place), wanted, alpha) for place, model in enumerate(held.models))
    of = "the most probable class" if held.several_classes else str(held.classes[1])
    return Reliability(curves=curves, of=of, alpha=alpha)


def has_probabilities(scores: ClassScores) -> bool:
    """Whether all scores lie between 0 and 1, as probabilities do.

    Examples
    --------
    >>> has_probabilities(ClassScores.from_scores([0, 1], [0.2, 1.0]))
    True
    >>> has_probabilities(ClassScores.from_scores([0, 1], [-1.3, 2.5]))
    False
    """
    return bool(scores.scores.min() >= 0 and scores.scores.max() <= 1)


def _promised(scores: ClassScores, place: int) -> tuple[FloatArray, BoolArray]:
    """Return what a model promised for every example, and whether that happened."""
    if not scores.several_classes:
        return scores.scores[place], scores.labels == 1
    each = scores.scores[place]
    said = each.argmax(axis=-1)
    return each[np.arange(said.size), said], said == scores.labels


def _curve(model: str, chance: FloatArray, happened: BoolArray, bins: int, alpha: float) -> ReliabilityCurve:
    from .error_count.score import wilson

    order = np.argsort(chance, kind="stable")
    starts = _starts(chance[order], bins)
    counts = np.diff(np.append(starts, chance.size))
    hits = np.add.reduceat(happened[order].astype(np.int64), starts)
    promised = np.clip(np.add.reduceat(chance[order], starts) / counts, 0.0, 1.0)
    share, weight = hits / counts, counts / chance.size
    limits = wilson(ErrorCount(hits, counts)).interval(alpha)
    apart = (share - promised) ** 2
    by_chance = ratio(share * (1 - share), counts - 1, empty=np.nan)  # one example shows no spread
    impossible = int(np.count_nonzero(np.where(happened, chance, 1 - chance) == 0))
    statistic, pvalue = _spiegelhalter(chance, happened)
    return ReliabilityCurve(
        model=model,
        counts=counts,
        promised=promised,
        happened=share,
        low=limits.low,
        high=limits.high,
        statistic=statistic,
        pvalue=float(np.finfo(float).tiny) if impossible else pvalue,
        error=float(np.sqrt(np.maximum(weight @ (apart - by_chance), 0.0))),
        plug_in_error=float(np.sqrt(weight @ apart)),
        impossible=impossible,
    )


def _starts(chance: FloatArray, bins: int) -> IntArray:
    """Return where each bin begins: as equal as can be, equal probabilities in one bin, and no bin of one example."""
    n = chance.size
    wanted = np.rint(np.arange(1, bins) * n / bins).astype(np.int64)
    steps = np.flatnonzero(np.diff(chance)) + 1  # where another probability begins
    starts = [0]
    if steps.size:
        after = np.minimum(np.searchsorted(steps, wanted), steps.size - 1)
        before = np.maximum(after - 1, 0)
        nearer = np.where(np.abs(steps[after] - wanted) <= np.abs(steps[before] - wanted), after, before)
        for start in steps[nearer].tolist():
            if start - starts[-1] >= _LEAST and n - start >= _LEAST:
                starts.append(start)
    return np.array(starts)


def _spiegelhalter(chance: FloatArray, happened: BoolArray) -> tuple[float, float]:
    """Return z, by which the squared error exceeds what was promised, and p; NaN where no outcome could tell."""
    weight = 1 - 2 * chance
    excess, variance = (happened - chance) @ weight, (weight**2) @ (chance * (1 - chance))
    if variance <= 0:
        return float("nan"), float("nan")
    z = excess / np.sqrt(variance)
    return float(z), float(normal_pvalue(z, "two-sided"))
