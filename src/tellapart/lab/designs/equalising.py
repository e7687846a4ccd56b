"""Two learners with equalised errors, by damaging the better one (Dietterich 1998, section 6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...display import Display, Row, TextTable
from ...errors import InvalidOption
from ...rendering import Rendered
from ...running.engine import undisturbed
from ...running.learners import fresh
from ...running.progress import progress_bar
from ...typing_ import FloatArray
from ..design import one_number, whole
from ..inducers.damage import Flipped, Weighted, set_to
from .learning import Measure, MeasuredErrors, check_size, training_sizes

_STRONGEST = 1000.0  # weights: all attributes but one count nothing long before


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Equalised(Rendered):
    """The damage of the better learner that equalises the errors, for each size of the training set.

    Parameters
    ----------
    learners
        A and B; the better one of them in a form that can be damaged.
    damaged
        The place of the better one: 0 for A, 1 for B.
    sizes
        The sizes of training sets, from the smallest; the last is that of a whole sample.
    errors
        The mean errors of A and B, undamaged, by learner and size.
    curves
        By size: how much it was damaged, and the mean error that came of it.
    standard_error
        By size: of the difference that is left between both once they are made equal.
    left
        By size: that difference.
    fits
        The number of fits.
    """

    learners: tuple[Any, Any]
    damaged: int
    sizes: tuple[int, ...]
    errors: FloatArray
    curves: tuple[tuple[FloatArray, FloatArray], ...]
    standard_error: FloatArray
    left: FloatArray
    fits: int

    @property
    def gaps(self) -> FloatArray:
        """error(A) − error(B) of the undamaged learners, by size."""
        gaps: FloatArray = self.errors[0] - self.errors[1]
        return gaps

    def share(self, difference: float) -> float:
        """Return λ, a difference as a fraction of the gap at the full size; raise InvalidOption if it is outside."""
        most = float(self.gaps[-1])
        share = 0.0 if difference == 0 else difference / most if most else np.inf
        if not -1e-9 <= share <= 1 + 1e-9:
            low, high = sorted((0.0, most))
            raise InvalidOption(
                f"`difference` must be between {low:.4g} and {high:.4g}, because {'AB'[self.damaged]} can only become"
                f" worse, got {difference:g}."
            )
        return min(max(share, 0.0), 1.0)

    def errors_at(self, size: int, difference: float = 0.0) -> FloatArray:
        """Return the errors of A and B for a training size, with a given difference at the full size.

        The damaged one has the error rate error_worse − λ(error_worse − error_better), with one λ for all sizes.
        """
        check_size(size, self.sizes)
        a, b = (float(np.interp(size, self.sizes, row)) for row in self.errors)
        better, worse = (a, b) if self.damaged == 0 else (b, a)
        target = worse - self.share(difference) * (worse - better)
        return np.array([target, worse] if self.damaged == 0 else [worse, target])

    def setting(self, size: int, difference: float = 0.0) -> float:
        """Return the damage of the better learner for a training size.

        Between two sizes that were measured, it is what lies between their settings.
        """
        check_size(size, self.sizes)
        share = self.share(difference)
        settings_at_size = []
        for index, (settings, errors) in enumerate(self.curves):
            better, worse = self.errors[self.damaged, index], self.errors[1 - self.damaged, index]
            settings_at_size.append(_setting_for_error(worse - share * (worse - better), settings, errors))
        return float(np.interp(size, self.sizes, settings_at_size))

    def at(self, size: int, difference: float = 0.0) -> tuple[Any, Any]:
        """Return copies of A and B for a training size, with a given difference at the full size."""
        pair = [fresh(learner) for learner in self.learners]
        pair[self.damaged] = set_to(self.learners[self.damaged], self.setting(size, difference))
        return pair[0], pair[1]

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # the table has all numbers
        """Return the setting that makes both error rates equal, for each size of the training set."""
        damaged = "AB"[self.damaged]
        setting = "weight\nstrength" if isinstance(self.learners[self.damaged], Weighted) else "flip\nrate"
        lines = [
            [
                f"{size:,}",
                *(f"{error:.4f}" for error in self.errors[:, index]),
                f"{self.setting(size):.4g}",
                f"{self.left[index]:+.5f}",
                f"{self.standard_error[index]:.5f}",
            ]
            for index, size in enumerate(self.sizes)
        ]
        head = ["training\nexamples", "error\nof A", "error\nof B", setting, "remaining\ndifference", "standard\nerror"]
        return Display(
            verdict=f"{damaged} is damaged until both learners have equal error rates",
            blocks=(TextTable(head=head, lines=lines, align="r" * 6), Row("design", f"{self.fits:,} fits")),
        )

    def explanations(self) -> list[tuple[str, str]]:
        """Return what the columns mean."""
        return [
            ("error", "The true error rate of each learner before the damage."),
            ("setting", "Flip rate: probability that a prediction is flipped. Weight strength: of misleading weights."),
            ("remaining", "The difference that is left after the damage, with its standard error."),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return all fields except the learners, at full precision."""
        return {
            "damaged": "AB"[self.damaged],
            "sizes": list(self.sizes),
            "errors": self.errors.tolist(),
            "settings": [self.setting(size) for size in self.sizes],
            "curves": [[part.tolist() for part in curve] for curve in self.curves],
            "left": self.left.tolist(),
            "standard_error": self.standard_error.tolist(),
            "fits": self.fits,
        }

    def __repr__(self) -> str:
        return str(self)


def equalise(
    a: Any,
    b: Any,
    data: Any,
    examples: int = 300,
    *,
    sizes: Sequence[int] | None = None,
    sets: int = 200,
    tested: int = 1000,
    tolerance: float = 0.001,
    step: float = 0.01,
    rng: Any = 0,
    progress: bool | None = None,
) -> Equalised:
    """Return the damage that equalises two learners, for each size of the training set.

    A `Weighted` learner gets bad weights; of any other learner predictions are flipped. Both learners, with every
    degree of damage, use the same training sets and the same test examples, which are not in the training sample.

    Parameters
    ----------
    a, b
        The learners, as for `race`.
    data
        (X, y), of which some rows are the sample and the others the test examples; or a population.
    examples
        The number of examples of a sample.
    sizes
        The sizes of training sets. Default: nine tenths, two thirds and half of the sample. The whole sample is always
        included.
    sets, tested
        The number of training sets of each size, and the number of test examples of each.
    tolerance
        The tolerance for the difference of the two mean errors.
    step
        The largest distance of two neighbouring values of an error curve; between them it is interpolated.
    rng
        A seed or a generator.
    progress
        Whether to show a progress bar. Default: on a terminal only.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> worse = Flipped(GaussianNB(), rate=0.2)
    >>> found = equalise(GaussianNB(), worse, load_iris(return_X_y=True), 60, sets=20, tested=90)
    >>> found.damaged, bool(abs(found.setting(54) - 0.2) < 0.05)
    (0, True)
    """
    lengths = training_sizes(sizes, whole("examples", examples, 4))
    measure = Measure.of(data, examples, sets, tested, rng)
    for name, value in (("tolerance", tolerance), ("step", step)):
        if not one_number(name, value) > 0:
            raise InvalidOption(f"`{name}` must be above 0, got {value!r}.")
    with undisturbed(), progress_bar("sizes", 2 * len(lengths), 0, progress) as advance:
        plain = []
        for size in lengths:
            plain.append(measure({"A": a, "B": b}, size))
            advance(1)
        means = np.array([[measured[name].errors.mean() for measured in plain] for name in "AB"])
        damaged = int(means[0, -1] > means[1, -1])
        learners = [a, b]
        if not isinstance(learners[damaged], Weighted):
            learners[damaged] = Flipped(learners[damaged])
        curves, left, deviation = [], [], []
        for size, measured in zip(lengths, plain, strict=True):
            better, target = measured["AB"[damaged]], measured["BA"[damaged]].errors
            if better.errors.mean() > target.mean() + tolerance:
                raise InvalidOption(
                    f"`sizes` must have the same better learner at every size, got {'AB'[damaged]} at"
                    f" {lengths[-1]} but not"
                    f" at {size}. Use other sizes or other learners."
                )
            if isinstance(learners[damaged], Weighted):
                weak = _Weak(measure, learners[damaged], size, better)
                curve, matched = _by_weights(weak, float(target.mean()), tolerance, step)
            else:
                curve, matched = _by_flips(better, float(target.mean()), tolerance)
            excess = (matched - target) * (1 if damaged == 0 else -1)
            curves.append(curve)
            left.append(excess.mean())
            deviation.append(excess.std(ddof=1) / np.sqrt(excess.size))
            advance(1)
    return Equalised(
        learners=(learners[0], learners[1]),
        damaged=damaged,
        sizes=lengths,
        errors=means,
        curves=tuple(curves),
        standard_error=np.array(deviation),
        left=np.array(left),
        fits=measure.fits,
    )


# --- How much damage it takes -----------------------------------------------------------------------

Curve = tuple[FloatArray, FloatArray]  # settings, from none to what makes the learners equal, and mean errors


def _setting_for_error(target: float, settings: FloatArray, errors: FloatArray) -> float:
    """Return the setting for an error, by a monotone curve through the measurements."""
    from scipy.interpolate import PchipInterpolator

    if settings.size == 1:
        return float(settings[0])
    fine = np.linspace(settings[0], settings[-1], 4001)
    curve = PchipInterpolator(settings, np.maximum.accumulate(errors))(fine)
    return float(np.interp(target, curve, fine))


def _by_flips(undamaged: MeasuredErrors, target: float, tolerance: float) -> tuple[Curve, FloatArray]:
    """Return the error by flip rate, a straight line, and the errors by training set at the target.

    Of what is right every flip makes an error; of what is wrong some flips hit the true class. No more fits are needed.
    """
    errors, mended = undamaged
    first, last = float(errors.mean()), float(1 - mended.mean())
    if target > max(first, last) + tolerance:
        raise InvalidOption(
            f"flipped predictions reach an error rate of at most {max(first, last):.4g}, not {target:.4g}. Use learners"
            " that are better than chance."
        )
    if last <= first:  # flips make nothing worse, and none are needed
        return (np.zeros(1), np.array([first])), errors
    rate = min(max((target - first) / (last - first), 0.0), 1.0)
    return (np.array([0.0, 1.0]), np.array([first, last])), errors + rate * (1 - errors - mended)


class _Weak:
    """Errors by the strength of bad weights, measured on demand and cached."""

    def __init__(self, measure: Measure, learner: Weighted, size: int, undamaged: MeasuredErrors) -> None:
        self.measure, self.learner, self.size = measure, learner, size
        self.start = float(learner.strength)
        self.points = {self.start: undamaged.errors}

    def error(self, strength: float) -> float:
        """Return the mean error."""
        if strength not in self.points:
            measured = self.measure({"it": set_to(self.learner, strength)}, self.size)
            self.points[strength] = measured["it"].errors
        return float(self.points[strength].mean())


def _by_weights(weak: _Weak, target: float, tolerance: float, step: float) -> tuple[Curve, FloatArray]:
    """Return the error by the strength of bad weights, and the errors by training set at the target."""
    error, start, within = weak.error, weak.start, tolerance / 2
    low, high = start, start
    while error(high) < target - within:
        low, high = high, max(2 * high, 0.25)
        if high > _STRONGEST:
            raise InvalidOption(
                f"misleading weights reach an error rate of at most {error(low):.4g}, not {target:.4g}. Give Weighted"
                " another direction, or damage KNeighborsClassifier, whose predictions are flipped."
            )
    best = high
    for number in range(40):
        if abs(error(best) - target) <= within:
            break
        # A straight line, then halves, in turn: the error has steps, and may be flat at one end.
        straight = low + (high - low) * (target - error(low)) / (error(high) - error(low))
        best = straight if number % 2 == 0 else (low + high) / 2
        low, high = (best, high) if error(best) < target else (low, best)
    known = [start, *sorted(point for point in weak.points if start < point < best), best]
    while gaps := [
        pair for pair in pairwise(known) if error(pair[1]) - error(pair[0]) > step and pair[1] - pair[0] > 1e-6
    ]:
        known = sorted({*known, *((first + second) / 2 for first, second in gaps)})
    # What is met to the tolerance is met; before it the error is below.
    settings = [point for point in known if error(point) < min(target, error(best)) and point < best]
    errors = [error(point) for point in settings]
    return (np.array([*settings, best]), np.array([*errors, target])), weak.points[best]
