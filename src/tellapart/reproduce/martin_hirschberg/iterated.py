"""Figures 14 and 16 of Martin and Hirschberg (1996): cross-validations of one sample, repeated a hundred times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...report.picture import Picture
from ..drawing import Series, plotted
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared
from .samples import (
    CRITICAL,
    ETA,
    INHERENT,
    LARGER,
    Found,
    Key,
    Numbers,
    difference,
    estimated,
    experiments,
    iterated_tens,
    listed,
    one_cell,
    relative,
    rms,
    spread,
    spread_of,
    t_at_100,
)
from .spreads import spreads_drawn

_AT_90 = 1.729  # |t| with 19 degrees of freedom, at 90%


# --- Figure 14 -------------------------------------------------------------------------------------


def figure_14(run: Run) -> Shown:
    """Test single samples by 2-fold cross-validation repeated a hundred times."""
    estimates, shown = estimated(run), one_cell(run, 100, "25")
    larger = {key: estimates[key] for key in LARGER}
    return Shown(
        lines=(
            *_slope_lines(estimates),
            *_decision_lines(larger),
            *_one_cell(shown, run),
        ),
        pictures=(
            _slopes_drawn(estimates),
            spreads_drawn(
                "14b: S(x) of a sample against the spread of its mean",
                "S(x), S(x̄)",
                {key: each["S"] for key, each in larger.items()},
                {key: spread(each["2-CV*"]) for key, each in larger.items()},
                "above the line of equality and parallel to it",
            ),
            _decisions_drawn(larger),
            _one_cell_drawn(shown),
        ),
        notes=(
            "Every sample is split into halves 100 times; x̄ is the mean difference of the 200 tests and S(x) their"
            " standard deviation. A test needs S(x̄), the standard deviation of x̄ from sample to sample, which one"
            " sample does not show. It is only known that S(x)/√100 ≤ S(x̄) ≤ S(x).",
            "S(x) is taken over all 200 tests, as the text says. The bounds would fit a standard deviation over the 100"
            " repetitions, but then the slope is 1.7, far from the printed one.",
            "A decision in Figure 14c is based on one sample: t = 2.293 x̄/S(x), compared with the true difference"
            " divided by its standard deviation, both against 2.093.",
            "For the cell of Figure 14d Table 10 prints −7.3, and −9.0 for 10%; these are other samples. Over many"
            " samples the difference is strongest at 25%, as the paper says here.",
        ),
    )


def _slope_lines(estimates: Found) -> list[Line]:
    samples = len(estimates[30, "1"]["S"])
    slope = _slope_by_experiment(estimates, LARGER, "2-CV*")
    small = {size: _fit_line(estimates, [(size, rate) for rate in INHERENT]) for size in (10, 20)}
    mean, level = _means_and_levels(estimates, LARGER, "2-CV*")
    fit = float(np.corrcoef(mean, level)[0, 1])
    within = int(((level / 10 <= mean) & (mean <= level)).sum())
    k_fold = np.mean([relative(estimates[key]["SS"]) for key in LARGER])
    halves = np.mean([relative(estimates[key]["S"]) for key in LARGER])
    return [
        compared("slope of rms S(x) on S(x̄), N ≥ 30", "2.293", float(slope.mean()), **spread_of(slope, samples)),
        claimed(
            "proportionality",
            "rms S(x) is roughly proportional to S(x̄) for N ≥ 30",
            fit > 0.95,
            f"correlation {fit:.3f} over 24 cells (threshold: 0.95)",
        ),
        claimed("the slope", "the slope is far from √100", slope.mean() < 5, f"{slope.mean():.2f}, not 10"),
        claimed(
            "N ≤ 20",
            "for N ≤ 20 the slope is lower and the intercept is not 0",
            all(line[0] < slope.mean() and line[1] > 0.01 for line in small.values()),
            ", ".join(f"N = {size}: {line[0]:.2f} and {line[1]:.3f}" for size, line in small.items()),
        ),
        claimed("N = 10", "for N = 10 the slope is negative", small[10][0] < 0, f"{small[10][0]:.2f}"),
        claimed(
            "bounds",
            "S(x)/√100 ≤ S(x̄) ≤ S(x)",
            within == len(LARGER),
            f"true in {within} of {len(LARGER)} cells of N ≥ 30; S(x) is {(level / mean).min():.1f} to"
            f" {(level / mean).max():.1f} times S(x̄)",
        ),
        claimed(
            "scatter",
            "S(x) scatters less about its rms than SS of a single 10-CV does (Figure 6b)",
            halves < k_fold,
            f"relative standard deviation {halves:.2f} against {k_fold:.2f}, N ≥ 30",
        ),
    ]


def _decision_lines(larger: Found) -> list[Line]:
    """Return how often one sample agrees with the true errors, by experiments of 20 samples in 24 cells."""
    right, wrong, conspicuous, reverse = (np.zeros(1) for _ in range(4))
    for index, each in enumerate(larger.values()):
        chosen = experiments(len(each["TER"]), index)
        t, true_t = np.abs(each["t"][chosen]), np.abs(_true_t(each["TER"], chosen))
        differs = (t > CRITICAL) != (true_t > CRITICAL)
        glaring = differs & (np.minimum(t, true_t) < _AT_90)
        opposite = difference(each["TER"])[chosen] * difference(each["2-CV*"])[chosen] < 0
        right, wrong = right + (~differs).sum(axis=1), wrong + differs.sum(axis=1)
        conspicuous, reverse = conspicuous + glaring.sum(axis=1), reverse + opposite.sum(axis=1)
    samples = len(next(iter(larger.values()))["TER"])
    percent = 100 * right / (right + wrong)
    return [
        compared(
            "decisions of 24 × 20 samples by t = 2.293 x̄/S(x) that are right, percent",
            "88",
            float(percent.mean()),
            **spread_of(percent, samples),
        ),
        claimed(
            "wrong decisions",
            "most wrong decisions are conspicuous: beyond 95% on one side and below 90% on the other",
            conspicuous.sum() > wrong.sum() / 2,
            f"{100 * conspicuous.sum() / wrong.sum():.0f}% of them",
        ),
        claimed(
            "quadrants",
            "a considerable share of the single samples has the wrong sign",
            reverse.sum() > 0.1 * (right + wrong).sum(),
            f"{100 * reverse.sum() / (right + wrong).sum():.0f}% (threshold: 10%)",
        ),
    ]


def _one_cell(cell: dict[str, Numbers], run: Run) -> list[Line]:
    """Return the results of Figure 14d: 100 examples, inherent error 25%."""
    from scipy.special import stdtr

    every = t_at_100(run)
    t = every["25"]
    level = 2 * float(stdtr(ETA - 1, -6.85))
    truth, x = difference(cell["TER"]), difference(cell["2-CV*"])
    chosen = experiments(len(truth))
    reverse = (truth * x < 0)[chosen].sum(axis=1)
    right = (np.abs(cell["t"][chosen]) > CRITICAL) == (np.abs(_true_t(cell["TER"], chosen)) > CRITICAL)
    percent = 100 * right.mean(axis=1)
    correlation = float(np.corrcoef(truth, x)[0, 1])
    return [
        compared("N = 100, 25%: t of the true errors", "-6.85", float(t.mean()), **spread_of(t, ETA * t.size), among=3),
        claimed(
            "N = 100, 25%: the strongest",
            "the true difference is the most highly significant at N = 100 and 25%",
            min(every, key=lambda rate: every[rate].mean()) == "25",
            f"t on average: {listed({f'{rate}%': each.mean() for rate, each in every.items()})}",
        ),
        claimed(
            "N = 100, 25%: the level",
            "t = -6.85 with 19 degrees of freedom is significant at the 99.9% level at least",
            level < 0.001,
            f"two-sided p = {level:.1e}",
        ),
        compared(
            "N = 100, 25%: signs reversed, of 20",
            "4",
            float(reverse.mean()),
            **spread_of(reverse, truth.size),
            among=3,
        ),
        compared(
            "N = 100, 25%: decisions that are right, percent",
            "65",
            float(percent.mean()),
            **spread_of(percent, truth.size),
            among=3,
        ),
        claimed(
            "N = 100, 25%: correlation",
            "estimated and true difference are very poorly correlated",
            correlation < 0.5,
            f"{correlation:.2f} (threshold: below 0.5)",
        ),
    ]


def _true_t(errors: Numbers, chosen: Numbers) -> Numbers:
    """Return each sample's true difference divided by the sd of its experiment; 0 if all differences are equal."""
    x = difference(errors)[chosen]
    spread = x.std(axis=-1, ddof=1, keepdims=True)
    return np.asarray(np.where(spread > 0, x / np.where(spread > 0, spread, 1.0), 0.0))


# --- Figure 16 -------------------------------------------------------------------------------------


def figure_16(run: Run) -> Shown:
    """Repeat paired 10-fold cross-validation a hundred times, and test for a slope of one."""
    tens, estimates = iterated_tens(run), estimated(run)
    samples = len(tens[30, "1"]["S"])
    slope = _slope_by_experiment(tens, LARGER, "10-CV*")
    error = spread_of(slope, samples)["error"]
    single = np.array([relative(estimates[key]["SS"]) for key in LARGER])
    repeated = np.array([relative(tens[key]["S"]) for key in LARGER])
    halves = np.array([relative(estimates[key]["S"]) for key in LARGER])
    return Shown(
        lines=(
            claimed(
                "slope",
                "S(x) is not S(x̄): the coefficient is not near one",
                slope.mean() - 3 * error > 1.2,
                f"{slope.mean():.2f} ± {error:.2f} (threshold: three standard errors above 1.2)",
            ),
            claimed(
                "scatter",
                "repeating 10-CV does not reduce the scatter of S(x)",
                repeated.mean() > 0.95 * single.mean(),
                f"relative standard deviation {repeated.mean():.2f}; of SS by a single 10-CV {single.mean():.2f}, of"
                f" S(x) by 2-CV* {halves.mean():.2f}",
                reason="It does, by about a fifth, if the scatter is divided by rms S(x) and rms SS; 2-CV* reduces it"
                " more. With 20 samples per cell, a fifth is easy to miss in a plot.",
            ),
        ),
        pictures=(
            spreads_drawn(
                "16: S(x) of a repeated 10-CV against the spread of its mean",
                "S(x), S(x̄)",
                {key: each["S"] for key, each in tens.items()},
                {key: spread(each["10-CV*"]) for key, each in tens.items()},
                "above the line of equality and parallel to it",
            ),
        ),
        notes=(
            "Like Figure 14b, with ten folds instead of two; S(x) is the standard deviation of all 1000 differences of"
            " a sample, each tested on a tenth of it. 30, 50 and 100 examples, 8 populations.",
        ),
    )


# --- What they share -------------------------------------------------------------------------------


def _means_and_levels(estimates: Found, keys: Iterable[Key], name: str) -> tuple[Numbers, Numbers]:
    """Return S(x̄) and rms S(x) of cells, over all samples."""
    chosen = list(keys)
    return np.array([spread(estimates[key][name]) for key in chosen]), np.array(
        [rms(estimates[key]["S"]) for key in chosen]
    )


def _fit_line(estimates: Found, keys: Iterable[Key]) -> tuple[float, float]:
    """Return slope and intercept of rms S(x) on S(x̄)."""
    slope, intercept = np.polyfit(*_means_and_levels(estimates, keys, "2-CV*"), 1)
    return float(slope), float(intercept)


def _slope_by_experiment(estimates: Found, keys: Sequence[Key], name: str) -> Numbers:
    """Return the slope through the origin of rms S(x) on S(x̄), for experiments of 20 samples a cell."""
    above, below = np.zeros(1), np.zeros(1)
    for index, key in enumerate(keys):
        chosen = experiments(len(estimates[key]["S"]), index)
        mean, level = difference(estimates[key][name])[chosen].std(axis=-1, ddof=1), rms(estimates[key]["S"][chosen])
        above, below = above + mean * level, below + mean**2
    return np.asarray(above / below)


def _slopes_drawn(estimates: Found) -> Picture:
    groups = {"N ≥ 30": list(LARGER)} | {f"N = {size}": [(size, rate) for rate in INHERENT] for size in (20, 10)}
    series = []
    for name, keys in groups.items():
        mean, level = _means_and_levels(estimates, keys, "2-CV*")
        series.append(Series(name, mean, level, "points"))
    end = max(_means_and_levels(estimates, LARGER, "2-CV*")[0])
    return plotted(
        "14a: rms S(x) against S(x̄)",
        "Cells of 30 or more examples lie along a line through the origin; those of 20 above it, on a flatter line;"
        " those of 10 far above, on a falling line.",
        [*series, Series("2.293 S(x̄), as printed", [0.0, end], [0.0, 2.293 * end])],
        x="S(x̄)",
        y="rms S(x)",
    )


def _decisions_drawn(larger: Found) -> Picture:
    first = np.arange(ETA)[None]
    size = min(ETA, *(len(each["TER"]) for each in larger.values()))
    true_t = np.concatenate([_true_t(each["TER"], first[:, :size]).ravel() for each in larger.values()])
    t = np.concatenate([each["t"][:size] for each in larger.values()])
    lines = (-CRITICAL, 0.0, CRITICAL)
    return plotted(
        "14c: t of single samples, estimated and true",
        "t = 2.293 x̄/S(x) of 480 samples against the true difference in units of its standard deviation. Many samples"
        " have opposite signs; few exceed 2.093 on both axes.",
        [Series("a sample", true_t, t, "points")],
        x="true difference over its standard deviation",
        y="2.293 x̄/S(x)",
        across=lines,
        upright=lines,
    )


def _one_cell_drawn(cell: dict[str, Numbers]) -> Picture:
    return plotted(
        "14d: differences of 20 samples, N = 100, inherent error 25%",
        "Estimated against true difference of 3-NN and 1-NN in 20 samples by 2-CV*: almost all are below 0, and hardly"
        " correlated.",
        [
            Series(
                "a sample",
                100 * difference(cell["TER"])[:ETA],
                100 * difference(cell["2-CV*"])[:ETA],
                "points",
            )
        ],
        x="true difference, pp",
        y="estimated difference, pp",
        across=(0.0,),
        upright=(0.0,),
    )
