"""Calibration of probabilities: reliability curves, a debiased calibration error, and Spiegelhalter's test.

The plug-in calibration error is above 0 even for calibrated probabilities, because the observed shares vary. So the
bins have confidence limits, the error is debiased, and the test needs no bins.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..display import Display, Row, TextTable
from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ClassScores, ErrorCount
from ..figures import count_text, equation, join_names, pvalue_text
from ..numerics.distributions import normal_pvalue, ratio
from ..rendering import Rendered
from ..typing_ import BoolArray, FloatArray, IntArray, as_alpha

# Keys of the bibliography that no registered method has.
SOURCES = {"reliability": ("spiegelhalter1986", "kumar2019", "brocker2012", "wilson1927")}

_CALIBRATED = "no significant miscalibration"
_MOST = 20  # bins by default
_LEAST = 2  # examples per bin, so that the variance can be estimated


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReliabilityCurve:
    """The reliability curve of one model.

    By bin: the number of examples `counts`, the mean predicted probability `promised`, the observed share `happened`,
    and its confidence limits `low` and `high` (Wilson's, individual). `statistic` and `pvalue` are Spiegelhalter's z
    and its two-sided p-value. `error` is the debiased root mean square difference of predicted and observed shares,
    `plug_in_error` the same without debiasing. `impossible` is the number of examples whose outcome had probability 0.
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
        """The number of examples."""
        return int(self.counts.sum())

    @property
    def means(self) -> tuple[float, float]:
        """The mean predicted probability, and the observed share."""
        shares = self.counts / self.examples
        return float(shares @ self.promised), float(shares @ self.happened)

    def verdict(self, alpha: float = 0.05) -> str:
        """Return how the probabilities are miscalibrated, with the p-value of Spiegelhalter's test.

        Examples
        --------
        >>> scores = ClassScores.from_scores([0, 1] * 50, np.tile([0.1, 0.4, 0.6, 0.9], 25))
        >>> reliability(scores)["A"].verdict()
        'no significant miscalibration (p = 0.28)'
        """
        if self.impossible:
            return f"miscalibrated: probability 0 for the outcome of {count_text(self.impossible, 'example')}"
        if np.isnan(self.pvalue):
            return "not testable: all probabilities are 0, 0.5 or 1"
        pvalue = equation("p", pvalue_text(self.pvalue, alpha))
        return f"{self.describe_calibration(alpha)} ({pvalue})"

    def describe_calibration(self, alpha: float) -> str:
        """Return the conclusion of the test in one or two words."""
        if self.impossible:
            return "miscalibrated"
        if np.isnan(self.pvalue):
            return "not testable"
        if self.pvalue >= alpha:
            return _CALIBRATED
        return "overconfident" if self.statistic > 0 else "underconfident"

    def format_cells(self, alpha: float) -> list[str]:
        """Return the cells of the model's line in a table."""
        decimals = 2 if self.examples < 1000 else 3
        predicted, observed = (f"{value:.{decimals}f}" for value in self.means)
        errors = ("unknown" if np.isnan(value) else f"{value:.3f}" for value in (self.error, self.plug_in_error))
        statistic = "none" if np.isnan(self.statistic) else f"{self.statistic:.2f}"
        return [self.model, predicted, observed, statistic, pvalue_text(self.pvalue, alpha, column=True), *errors]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reliability(Rendered):
    """The calibration of the probabilities of one or more models."""

    curves: tuple[ReliabilityCurve, ...]
    of: str
    alpha: float = 0.05

    def __iter__(self) -> Iterator[ReliabilityCurve]:
        return iter(self.curves)

    def __getitem__(self, model: str) -> ReliabilityCurve:
        for curve in self.curves:
            if curve.model == model:
                return curve
        names = ", ".join(curve.model for curve in self.curves)
        raise InvalidOption(f"`model` must be one of {names}, got {model!r}.")

    def display(self, *, verbose: bool = False) -> Display:
        """Return the models that are miscalibrated, and a table of all; with `verbose` the error before debiasing."""
        head, lines = self.table()
        shown = range(len(head) if verbose else len(head) - 1)
        notes = [curve.describe_calibration(self.alpha) for curve in self.curves]
        cells = [
            [*(line[column] for column in shown), "" if note == _CALIBRATED else note]
            for line, note in zip(lines, notes, strict=True)
        ]
        table = TextTable(
            head=[*(head[column].replace(" ", "\n") for column in shown), ""],
            lines=cells,
            align=f"l{'r' * (len(shown) - 1)}l",
        )
        rows = (
            Row("data", f"{count_text(self.curves[0].examples, 'example')}, probabilities of {self.of}"),
            Row("test", f"Spiegelhalter's z (1986), alpha = {self.alpha:g}"),
            Row("scope", "no significant miscalibration does not demonstrate calibration"),
        )
        return Display(verdict=self._summarize_calibration(), blocks=(table, *rows))

    def rows(self) -> list[tuple[str, str]]:
        """Return the number of examples, and the verdict on each model."""
        data = f"{count_text(self.curves[0].examples, 'example')}, probabilities of {self.of}"
        return [("data", data), *((curve.model, curve.verdict(self.alpha)) for curve in self.curves)]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the head of each column, and the cells of each model."""
        head = ["model", "mean predicted", "mean observed", "z", "p", "calibration error", "before debiasing"]
        return head, [curve.format_cells(self.alpha) for curve in self.curves]

    def _summarize_calibration(self) -> str:
        """Return which models are significantly miscalibrated."""
        wrong = [curve for curve in self.curves if curve.pvalue < self.alpha]
        if len(wrong) == 1:
            return f"{wrong[0].model} is {wrong[0].describe_calibration(self.alpha)}"
        if wrong:
            return f"{join_names(curve.model for curve in wrong)} are miscalibrated"
        testable = any(np.isfinite(curve.pvalue) for curve in self.curves)
        return "No significant miscalibration" if testable else "Calibration cannot be tested"

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, with all digits."""
        return {
            "of": self.of,
            "alpha": self.alpha,
            "curves": {
                curve.model: {name: getattr(curve, name) for name in curve.__slots__ if name != "model"}
                for curve in self.curves
            },
        }


def reliability(
    scores: ClassScores, *, positive: Hashable = None, bins: int | None = None, alpha: float = 0.05
) -> Reliability:
    """Return the calibration of each model's probabilities.

    For two classes it is of the probabilities of the positive one; for more, of the most probable class, unless
    `positive` names one. Spiegelhalter's z compares the squared error with its expectation under calibration: values
    above 0 mean overconfident, below 0 underconfident probabilities. It needs no bins, and does not detect
    miscalibration that leaves the expected squared error unchanged.

    Parameters
    ----------
    scores
        The probabilities of each model for every example, and the labels.
    positive
        The class whose probabilities are examined.
    bins
        Number of bins, of equal size as far as ties allow. Default: the cube root of the number of examples, at most
        20.
    alpha
        Error probability of the test, and of the limits of each bin, whose level is 1 − alpha.

    Notes
    -----
    z = Σ(y − p)(1 − 2p)/√Σ(1 − 2p)²p(1 − p). The calibration error is √Σ(n_b/n)[(ȳ − p̄)² − ȳ(1 − ȳ)/(n_b − 1)] over
    bins of equal size; the last term is the expected contribution of chance (Kumar, Liang & Ma 2019; Bröcker 2012), and
    negative sums count as 0. Variation within bins is ignored.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> probability = rng.random(1000)
    >>> outcome = rng.random(1000) < probability
    >>> extreme = np.where(probability > 0.5, (1 + probability) / 2, probability / 2)
    >>> print(reliability(ClassScores.from_scores(outcome, {"calibrated": probability, "extreme": extreme})))
    extreme is overconfident
    <BLANKLINE>
                       mean      mean                  calibration
      model       predicted  observed      z        p        error
      calibrated      0.517     0.523  -0.47    0.639        0.000
      extreme         0.522     0.523  11.56  < 0.001        0.131  overconfident
    <BLANKLINE>
      data      1,000 examples, probabilities of True
      test      Spiegelhalter's z (1986), alpha = 0.05
      scope     no significant miscalibration does not demonstrate calibration
    """
    if not isinstance(scores, ClassScores) or scores.shape:
        raise InvalidOption("`scores` must be one ClassScores. Use ClassScores.from_scores(truth, probabilities).")
    binary, alpha = scores if positive is None else scores.against_rest(positive), as_alpha(alpha=alpha)
    if not has_probabilities(binary):
        raise InvalidEvidence(
            f"`scores` must be probabilities between 0 and 1, got {binary.scores.min():.6g} to"
            f" {binary.scores.max():.6g}. Convert them to probabilities first."
        )
    if bins is not None and (isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1):
        raise InvalidOption(f"`bins` must be a whole number of 1 or more, got {bins!r}.")
    number = min(_MOST, round(binary.examples ** (1 / 3))) if bins is None else int(bins)
    curves = tuple(
        _compute_curve(model, *_select_probabilities(binary, index), number, alpha)
        for index, model in enumerate(binary.models)
    )
    of = "the most probable class" if binary.several_classes else str(binary.classes[1])
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


def _select_probabilities(scores: ClassScores, index: int) -> tuple[FloatArray, BoolArray]:
    """Return a model's predicted probability for every example, and whether the outcome occurred."""
    if not scores.several_classes:
        return scores.scores[index], scores.labels == 1
    probabilities = scores.scores[index]
    predicted = probabilities.argmax(axis=-1)
    return probabilities[np.arange(predicted.size), predicted], predicted == scores.labels


def _compute_curve(model: str, chance: FloatArray, happened: BoolArray, bins: int, alpha: float) -> ReliabilityCurve:
    from .error_count.wilson_score import wilson

    order = np.argsort(chance, kind="stable")
    starts = _find_bin_starts(chance[order], bins)
    counts = np.diff(np.append(starts, chance.size))
    hits = np.add.reduceat(happened[order].astype(np.int64), starts)
    promised = np.clip(np.add.reduceat(chance[order], starts) / counts, 0.0, 1.0)
    share, weight = hits / counts, counts / chance.size
    limits = wilson(ErrorCount(hits, counts)).interval(alpha)
    squares = (share - promised) ** 2
    by_chance = ratio(share * (1 - share), counts - 1, empty=np.nan)  # one example has no variance estimate
    impossible = int(np.count_nonzero(np.where(happened, chance, 1 - chance) == 0))
    statistic, pvalue = _test_calibration(chance, happened)
    return ReliabilityCurve(
        model=model,
        counts=counts,
        promised=promised,
        happened=share,
        low=limits.low,
        high=limits.high,
        statistic=statistic,
        pvalue=float(np.finfo(float).tiny) if impossible else pvalue,
        error=float(np.sqrt(np.maximum(weight @ (squares - by_chance), 0.0))),
        plug_in_error=float(np.sqrt(weight @ squares)),
        impossible=impossible,
    )


def _find_bin_starts(chance: FloatArray, bins: int) -> IntArray:
    """Return the first index of each bin: of equal size, without splitting ties, and with two or more examples."""
    n = chance.size
    targets = np.rint(np.arange(1, bins) * n / bins).astype(np.int64)
    steps = np.flatnonzero(np.diff(chance)) + 1  # first index of each new probability
    starts = [0]
    if steps.size:
        after = np.minimum(np.searchsorted(steps, targets), steps.size - 1)
        before = np.maximum(after - 1, 0)
        nearer = np.where(np.abs(steps[after] - targets) <= np.abs(steps[before] - targets), after, before)
        for start in steps[nearer].tolist():
            if start - starts[-1] >= _LEAST and n - start >= _LEAST:
                starts.append(start)
    return np.array(starts)


def _test_calibration(chance: FloatArray, happened: BoolArray) -> tuple[float, float]:
    """Return Spiegelhalter's z and its p-value; NaN if the variance of the squared error is 0."""
    weight = 1 - 2 * chance
    excess, variance = (happened - chance) @ weight, (weight**2) @ (chance * (1 - chance))
    if variance <= 0:
        return float("nan"), float("nan")
    z = excess / np.sqrt(variance)
    return float(z), float(normal_pvalue(z, "two-sided"))
