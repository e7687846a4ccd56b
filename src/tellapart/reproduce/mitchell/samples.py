"""Mitchell (1997), sections 5.4 and 5.5: the central limit theorem, and one sample for two classifiers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ...report.picture import Picture
from ...typing_ import FloatArray
from ..drawing import Series, plotted
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed
from .one_rate import ENOUGH

_Z = 1.959963984540054  # of 95%, two-sided


# --- Theorem 5.1 --------------------------------------------------------------------------------------

# Mean and standard deviation of one draw, by name. The names are part of the random seeds, so this one keeps its space.
_TWO_PERCENT = f"{2} % wrong"
_DRAWS = {
    "uniform": (0.5, math.sqrt(1 / 12)),
    "exponential": (1.0, 1.0),
    "lognormal": (math.exp(0.5), math.sqrt(math.exp(2) - math.e)),
    _TWO_PERCENT: (0.02, math.sqrt(0.02 * 0.98)),
}
_TITLES = {_TWO_PERCENT: "2% wrong"}
_SIZES = (1, 5, 30, 100)
_LOW, _HIGH, _BINS = -5.0, 10.0, 1500  # standardised means are counted in bins of width 0.01
_TAIL = 0.025  # of a normal curve beyond 1.96, on either side


def _standardised_means(cell: Mapping[str, Any], trials: int, rng: np.random.Generator) -> dict[str, Any]:
    """Return counts of standardised means of n draws."""
    n, shape = cell["n"], (trials, cell["n"])
    draw: dict[str, Callable[[], FloatArray]] = {
        "uniform": lambda: rng.random(shape).mean(axis=1),
        "exponential": lambda: rng.standard_exponential(shape).mean(axis=1),
        "lognormal": lambda: rng.lognormal(size=shape).mean(axis=1),
        _TWO_PERCENT: lambda: rng.binomial(n, 0.02, trials) / n,  # the mean of n values of 0 or 1
    }
    mean, sd = _DRAWS[cell["draws"]]
    z = (draw[cell["draws"]]() - mean) / (sd / math.sqrt(n))
    places = np.clip(np.ceil((z - _LOW) / (_HIGH - _LOW) * _BINS), 0, _BINS + 1).astype(np.int64)
    return {
        "counts": np.bincount(places, minlength=_BINS + 2)[None],
        "sums": [[trials, (z < -_Z).sum(), (z > _Z).sum(), z.sum(), (z**2).sum(), (z**4).sum()]],
    }


def central_limit(run: Run) -> Shown:
    """Compare means of n values from four distributions with the normal distribution."""
    trials = run.size(20_000, quick=20_000, most=3_000_000, of="means per cell", ours=True)
    designs = [(draws, n) for draws in _DRAWS for n in _SIZES]
    cells = [{"draws": draws, "n": n} for draws, n in designs]
    measured = run.cells(_standardised_means, cells, trials, block=20_000)
    nearness = {
        where: _Nearness(each["counts"].sum(axis=0), each["sums"].sum(axis=0))
        for where, each in zip(designs, measured, strict=True)
    }
    rows = [
        (_title(draws), n, *(f"{each:.4f}" for each in (near.distance, near.low, near.high, near.low + near.high)))
        for (draws, n), near in nearness.items()
    ]
    head = ("draws", "n", "distance", "below −1.96", "above 1.96", "outside")
    return Shown(
        lines=(*_theorem_lines(nearness), *_rule_of_thirty(nearness), *_rule_lines()),
        pictures=(_draw_histograms(nearness), _distance_table(nearness), _coverage_of()),
        tables=(Table.of("Distance of a mean from normal", head, rows, note="Normal: 0, 0.025, 0.025, 0.05."),),
        notes=(
            "The standardised mean of n draws is compared with the normal distribution: by the largest distance of the"
            " distribution functions (Kolmogorov's) and by the probability outside ± 1.96. The exponential and the"
            " lognormal have a skewness of 2 and 6.2; the last distribution is right or wrong, with an error rate of"
            " 2%.",
            "The theorem holds for all of them. The rule of thumb does not follow from it: the remaining skewness at"
            " n = 30 depends on that of one draw. The total of 5% outside may still be right, because one tail is too"
            " small and the other too large; one-sided bounds are then wrong.",
            "For error rates all outcomes are enumerated. The interval 5.1 also replaces the true rate by the observed"
            " one, which has a larger effect: with no observed errors its width is 0.",
        ),
    )


class _Nearness:
    """Summary of standardised means: tails, moments and distance from normal."""

    def __init__(self, counts: FloatArray, sums: FloatArray) -> None:
        from scipy.special import ndtr

        self.trials = float(sums[0])
        self.low, self.high = (float(each) / self.trials for each in sums[1:3])
        self.mean, square, fourth = (float(each) / self.trials for each in sums[3:])
        self.sd = math.sqrt(square - self.mean**2)
        self.sd_error = math.sqrt(max(fourth - square**2, 0.0) / self.trials) / (2 * self.sd)
        self.edges = np.linspace(_LOW, _HIGH, _BINS + 1)
        self.distance = float(abs(np.cumsum(counts)[:-1] / self.trials - ndtr(self.edges)).max())
        self.density = counts[1:-1].reshape(-1, 20).sum(axis=1) / self.trials / (20 * (_HIGH - _LOW) / _BINS)


_Found = Mapping[tuple[str, int], _Nearness]


def _theorem_lines(nearness: _Found) -> Iterator[Line]:
    """Yield the claims of Theorem 5.1, one line for each distribution."""
    for draws in _DRAWS:
        steps = [nearness[draws, n] for n in _SIZES]
        noise = 1.63 / math.sqrt(steps[0].trials)  # exceeded by a normal sample with probability 0.01
        yield claimed(
            f"Theorem 5.1, {_title(draws)}",
            f"means of n draws approach a normal distribution, whatever the draws are: {_title(draws)}",
            steps[-1].distance < max(steps[0].distance / 2, noise),
            "distance " + ", ".join(f"{near.distance:.4f}" for near in steps) + " at n = 1, 5, 30, 100 (threshold at"
            f" 100: half of the first, or {noise:.4f}, the chance limit)",
        )
    worst = max(nearness.values(), key=lambda near: abs(near.mean))
    yield claimed(
        "Theorem 5.1, mean",
        "the mean of the means approaches μ",
        all(abs(near.mean) * math.sqrt(near.trials) < 4 for near in nearness.values()),
        f"it is μ at every n: it differs by at most {abs(worst.mean):.4f} of σ/√n (chance limit:"
        f" {4 / math.sqrt(worst.trials):.4f})",
    )
    nearest = [nearness[draws, n] for draws in _DRAWS for n in (30, 100)]
    yield claimed(
        "Theorem 5.1, standard deviation",
        "the standard deviation of the means approaches σ/√n",
        all(abs(near.sd - 1) < 4 * near.sd_error for near in nearest),
        f"it is σ/√n at every n: the ratio is {min(near.sd for near in nearest):.4f} to"
        f" {max(near.sd for near in nearest):.4f} at n = 30 and 100",
    )


def _rule_of_thirty(nearness: _Found) -> Iterator[Line]:
    """Yield whether thirty draws are enough, one line for each distribution."""
    for draws in _DRAWS:
        near = nearness[draws, 30]
        error = math.sqrt(_TAIL * (1 - _TAIL) / near.trials)
        yield claimed(
            f"n ≥ 30, {_title(draws)}",
            f"the normal approximation can be used when n ≥ 30: {_title(draws)}",
            all(abs(tail - _TAIL) < _TAIL / 2 + 3.3 * error for tail in (near.low, near.high)),
            f"{near.low:.4f} below −1.96 and {near.high:.4f} above 1.96 at n = 30 (standard error {error:.4f}); for a"
            f" normal distribution each is {_TAIL:g} (tolerance: half of it)",
            reason="The mean of thirty draws from such a skewed distribution, or with 0.6 expected errors, is still"
            " skewed: it is hardly ever below −1.96.",
        )


def _rule_lines() -> Iterator[Line]:
    """Yield the exact coverage of the interval 5.1 under the two rules of thumb."""
    edge = (1 - math.sqrt(1 - 20 / 30)) / 2  # where n p (1 − p) is 5 at n = 30
    everywhere, inside = (ta.exact_coverage("wald", 30, within=each) for each in ((0.01, 0.99), (edge, 1 - edge)))
    yield claimed(
        "interval 5.1, n ≥ 30",
        "interval 5.1 is very good as long as n ≥ 30",
        everywhere.minimum >= ENOUGH,
        f"at n = 30 the minimum coverage of the 95% interval for true errors from 0.01 to 0.99 is"
        f" {everywhere.minimum:.3f}, at {everywhere.worst:.3f} (threshold: {ENOUGH})",
        reason="If few errors are expected, there are often none, and then the width of the interval is 0, whatever n"
        " is. Section 5.2.2 adds that the error should not be too close to 0 or 1.",
    )
    yield claimed(
        "interval 5.1, n p(1 − p) ≥ 5",
        "interval 5.1 is very good as long as n p(1 − p) ≥ 5",
        inside.minimum >= ENOUGH,
        f"at n = 30, from {edge:.3f} to {1 - edge:.3f}: minimum coverage {inside.minimum:.3f}, mean {inside.mean:.3f}"
        f" (threshold: {ENOUGH})",
        reason="At the limit of the rule the coverage is 6 pp too low, also for larger n: the interval does not account"
        " for skewness. Wilson's and Jeffreys' intervals do.",
    )
    yield claimed(
        "n e(1 − e) ≥ 5",
        "n e(1 − e) ≥ 5 is a more accurate rule of thumb",
        inside.minimum > everywhere.minimum,
        f"minimum coverage {inside.minimum:.3f}, against {everywhere.minimum:.3f} with n ≥ 30 alone",
    )


def _title(draws: str) -> str:
    return _TITLES.get(draws, draws)


def _draw_histograms(nearness: _Found) -> Picture:
    middle = (np.linspace(_LOW, _HIGH, _BINS // 20 + 1)[:-1] + np.linspace(_LOW, _HIGH, _BINS // 20 + 1)[1:]) / 2
    shown = (middle > -3.2) & (middle < 4.2)
    normal = np.linspace(-3.2, 4.2, 200)
    return plotted(
        "Means of exponential draws become normal",
        "Histograms of standardised means of 1, 5, 30 and 100 exponential draws, and the normal curve: that of 1 is"
        " the exponential distribution, that of 100 almost the normal curve.",
        [
            *(Series(f"n = {n}", middle[shown], nearness["exponential", n].density[shown], "steps") for n in _SIZES),
            Series("normal", normal, lab.NormalModel(0.0, 1.0).density(normal)),
        ],
        x="mean, in standard deviations from its expectation",
        y="density",
    )


def _distance_table(nearness: _Found) -> Picture:
    return plotted(
        "Distance of a mean of n draws from normal",
        "Distance between the distribution functions by n, for four distributions: all fall, from different levels.",
        [Series(_title(draws), _SIZES, [nearness[draws, n].distance for n in _SIZES]) for draws in _DRAWS],
        x="draws n",
        y="largest distance",
        log="xy",
        upright=(30,),
        ticks=[(n, str(n)) for n in _SIZES],
        beside=True,
    )


def _coverage_of() -> Picture:
    edge = (1 - math.sqrt(1 - 20 / 30)) / 2
    wald, wilson = (ta.exact_coverage(name, 30, points=600) for name in ("wald", "wilson"))
    return plotted(
        "Coverage of 95% intervals, n = 30",
        "Coverage by true error: that of the textbook's interval falls to 0 near 0 and 1, that of Wilson's stays near"
        " 0.95; between 0.21 and 0.79, where n p(1 − p) is at least 5, the textbook's is between 0.89 and 0.96.",
        [
            Series("interval 5.1 (wald)", wald.error, wald.coverage),
            Series("wilson", wilson.error, wilson.coverage),
        ],
        x="true error",
        y="coverage",
        across=(0.95,),
        upright=(edge, 1 - edge),
    )


# --- One sample for two classifiers -------------------------------------------------------------------


def independence(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Test the interval for two samples on one sample that both classifiers were tested on."""
    tables = {
        row["table"]: ta.PairedTable(*(int(row[cell]) for cell in ("n00", "n01", "n10", "n11")))
        for row in printed("dietterich_examples")
    }
    unpaired_spreads = {name: spread(unpaired(table)) for name, table in tables.items()}
    paired = {name: spread(ta.compare(table, method="wald-paired").interval) for name, table in tables.items()}
    covered = {name: _covered_share(table) for name, table in tables.items()}
    reason = (
        "A counterexample: each classifier is wrong where the other is right, so that the errors are negatively"
        " correlated, and the difference varies more than on two samples. The interval is conservative only if the"
        " errors are positively correlated."
    )
    statement = "on one sample, interval 5.13 is generally overly conservative, but still correct"
    return Shown(
        lines=tuple(
            claimed(
                f"{name} table of Dietterich (1998)",
                statement,
                unpaired_spreads[name] >= paired[name] and covered[name] >= 0.95,
                f"standard deviation {unpaired_spreads[name]:.4f} by 5.12, {paired[name]:.4f} in truth; coverage of"
                f" the 95% interval {covered[name]:.4f}",
                reason=reason,
            )
            for name in tables
        ),
        pictures=(_by_disagreement(),),
        notes=(
            "Both of Dietterich's tables have 40 and 60 errors in 100 examples, so interval 5.13 is the same. In the"
            " left one the classifiers disagree on every example, in the right one on 20. Coverage is exact, with the"
            " shares of the table as true probabilities.",
            "The variance of the difference is that of 5.12 minus twice the covariance of the two errors. Methods for a"
            " PairedTable (tango, the default) estimate the covariance from the data and need no assumption about it.",
        ),
    )


def unpaired(table: Any) -> Any:
    """Return interval 5.13, which treats the two counts of one sample as those of two samples.

    Examples
    --------
    >>> unpaired(ta.PairedTable(40, 0, 20, 40)).width.round(4)
    np.float64(0.2716)
    """
    return ta.compare(ta.IndependentCounts(table.count_a, table.count_b), method="wald-independent").interval


def spread(interval: Any) -> Any:
    """Return the standard deviation implied by a 95% interval.

    Examples
    --------
    >>> spread(unpaired(ta.PairedTable(40, 0, 20, 40))).round(4)
    np.float64(0.0693)
    """
    return interval.width / (2 * _Z)


def _covered_share(table: ta.PairedTable) -> float:
    """Return the exact coverage of interval 5.13 if the table's shares are the true probabilities."""
    share = table.disagreements / table.examples
    design = lab.PairedOutcomes(table.count_a.rate, table.count_b.rate, share, int(table.examples))
    (four_cells,) = ta.find_methods(name="difference-of-proportions")  # which looks at all four, as 5.13 does
    outcomes, probability = design.everything(design.view(four_cells), [design])
    interval = unpaired(outcomes)
    return float(probability[:, 0] @ ((interval.low <= table.difference) & (table.difference <= interval.high)))


def _by_disagreement() -> Picture:
    both = np.arange(41)  # from Dietterich's left table to the right one
    table = ta.PairedTable(both, 40 - both, 60 - both, both)
    share = table.disagreements / table.examples
    return plotted(
        "Two samples, or one: 40 and 60 errors in 100",
        "Standard deviation of the difference by discordant rate: constant at 0.069 for two samples, rising from 0.040"
        " to 0.098 for one; the lines cross at 0.52, where the errors are independent.",
        [
            Series("by 5.12, as if on two samples", share, spread(unpaired(table))),
            Series("paired", share, spread(ta.compare(table, method="wald-paired").interval)),
        ],
        x="discordant rate",
        y="standard deviation",
    )
