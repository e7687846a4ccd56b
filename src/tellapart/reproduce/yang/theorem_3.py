"""Yang (2006), Theorem 3: discordant pairs needed for a normal approximation, and two intervals compared with one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ...report.picture import Picture
from ..drawing import Series, plotted
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared
from .discordant_sums import sum_of_discordant_errors

_EXAMPLES = 400  # test examples, if coverage is enumerated
_COUNTS = (1, 2, 4, 10, 15, 48, 100, 2304)  # numbers of discordant pairs
_MODERN = 0.4748  # Shevtsova's (2011) constant; the paper uses 6


def theorem_3(run: Run) -> Shown:  # noqa: ARG001  # all is exact
    """Show the number of discordant pairs for a normal approximation: paper's bound, modern bound, and exact."""
    away = {count: (_normal_distance(count, 0.5), _normal_distance(count, 0.9)) for count in _COUNTS}
    return Shown(
        lines=(*_third_moments(), *_normal_lines(away), *_rule_lines(), *_two_intervals()),
        pictures=(_distance_table(away), _sizes_picture()),
        tables=(_approximation_table(away), _normal_quantiles()),
        notes=(
            "W is 1 for “only 1 wrong”, −1 for “only 2 wrong”, else 0; D is the number of discordant pairs. In Theorem"
            " 3 n₂·P(disagree) grows; D estimates that number (the end of the proof says P(disagree) itself).",
            "The largest distance between the distribution of the standardised sum of W and the normal one is exact,"
            " with D expected discordant pairs among 10,000 examples, divided evenly or 9 : 1. The paper's bound is"
            " 12/√D: the constant is 6, the third moment has a factor 2, and (1 − |p − q|)^(−3/2) is dropped. With"
            " today's constant 0.4748 and the factor 2, D = 15 keeps the error below 0.25; with the exact moments of"
            " equally good classifiers, D = 4 is enough.",
            "A distance below 0.25 says little about an interval. The last columns therefore give the type I error rate"
            " of the 95% interval W̄ ± 1.96 sd/√n₂ given D discordant pairs among 400 examples: 12.5% at D = 4, where"
            " 4 : 0 is enough to reject, and at most 8% for D from 10 to 100.",
        ),
    )


def _third_moments() -> list[Line]:
    share = np.linspace(0, 1, 101)
    p, q = (each.ravel() for each in np.meshgrid(share, share))
    kept = (p + q <= 1) & (p + q > 0)
    p, q = p[kept], q[kept]
    mean, rest = p - q, 1 - p - q
    second = p * (1 - mean) ** 2 + q * (1 + mean) ** 2 + rest * mean**2
    written = p * (1 - mean) ** 2 + q * (1 - mean) ** 2 + rest * mean**2
    third = p * (1 - mean) ** 3 + q * (1 + mean) ** 3 + rest * np.abs(mean) ** 3
    remainder = (p + q) - 3 * rest * mean**2 - mean**4 + rest * np.abs(mean) ** 3
    spread = (second > 1e-12) & (np.abs(mean) < 1 - 1e-12)
    bound = 2 / (np.sqrt(p + q)[spread] * (1 - np.abs(mean)[spread]) ** 1.5)
    off = float(np.abs(written - ((p + q) - mean**2)).max())
    return [
        claimed(
            "second moment",
            "E|W − EW|² = p|1 − (p − q)|² + q|1 − (p − q)|² + (1 − p − q)|p − q|² = (p + q) − (p − q)²",
            off < 1e-12,
            f"largest error {off:.2f} as printed; right with q|−1 − (p − q)|²",
            reason="A sign is missing in the second term; the result (p + q) − (p − q)² is right.",
        ),
        claimed(
            "second moment, result",
            "E|W − EW|² = (p + q) − (p − q)²",
            np.allclose(second, (p + q) - mean**2),
            f"for all {p.size:,} pairs p, q",
        ),
        claimed(
            "third moment",
            "E|W − EW|³ = (p + q) − 3(1 − p − q)(p − q)² − (p − q)⁴ + (1 − p − q)|p − q|³",
            np.allclose(third, remainder),
            f"for all {p.size:,} pairs p, q",
        ),
        claimed(
            "ratio of moments",
            "the ratio of moments is at most 2/((p + q)^½ (1 − |p − q|)^(3/2))",
            bool((third[spread] / second[spread] ** 1.5 <= bound * (1 + 1e-9)).all()),
            f"the ratio is at most {float((third[spread] / second[spread] ** 1.5 / bound).max()):.2f} of the bound",
        ),
    ]


def _normal_distance(count: int, share: float) -> float:
    """Return the largest distance of the standardised sum of W from normal, with 10,000 examples."""
    from scipy.special import ndtr

    examples = 10_000
    p, q = share * count / examples, (1 - share) * count / examples
    chance = sum_of_discordant_errors(p, q, examples)
    reached = np.cumsum(chance)
    z = (np.arange(-examples, examples + 1) - examples * (p - q)) / math.sqrt(examples * (p + q - (p - q) ** 2))
    normal = ndtr(z)
    return float(max(np.abs(reached - normal).max(), np.abs(reached - chance - normal).max()))


def _declare_better(count: int) -> float:
    """Return the type I error rate of the 95% interval, given the number of discordant pairs."""
    discordant = np.arange(count + 1)
    rest = _EXAMPLES - count
    tables = ta.PairedTable(
        np.full(count + 1, rest // 5), discordant, count - discordant, np.full(count + 1, rest - rest // 5)
    )
    limits = ta.compare(tables, interval="yang-paired").interval
    wrong = (np.asarray(limits.low) > 0) | (np.asarray(limits.high) < 0)
    return float(np.asarray(lab.BinomialModel(count, 0.5).probability(discordant))[wrong].sum())


def _normal_lines(away: dict[int, tuple[float, float]]) -> list[Line]:
    even = [away[count][0] for count in _COUNTS]
    return [
        compared("D for an error below 25%, printed as 48²", "2304", (6 * 2 / 0.25) ** 2),
        claimed(
            "Theorem 3",
            "the distance of W̄ from a normal distribution goes to 0 as n₂·P(disagree) grows",
            bool((np.diff(even) < 0).all()),
            f"{away[4][0]:.3f} at D = 4, {away[10][0]:.3f} at 10, {away[15][0]:.3f} at 15, {away[2304][0]:.4f} at 2304",
        ),
        claimed(
            "48² is conservative",
            "48² is based on an upper bound, and thus conservative",
            all(max(each) < 12 / math.sqrt(count) for count, each in away.items()),
            f"the bound is 0.25 at D = 2304, the distance {away[2304][0]:.4f}; it is below 0.25 from D = 1"
            f" ({away[1][0]:.2f})",
        ),
    ]


def _rule_lines() -> list[Line]:
    sizes = {count: _declare_better(count) for count in range(4, 101)}
    later = max(size for count, size in sizes.items() if count >= 10)
    four = ta.PairedTable(80, 0, 4, 316)
    limits = ta.compare(four, interval="yang-paired").interval
    exact = float(ta.compare(four, method="mcnemar-exact").pvalue)
    return [
        claimed(
            "D = 4",
            "a claim by D as small as 4 is highly questionable",
            sizes[4] > 0.1,
            f"with 4 discordant pairs of equally good classifiers the 95% interval excludes 0 in {100 * sizes[4]:.1f}%"
            " of cases",
        ),
        claimed(
            "D ≥ 10",
            "a larger threshold for D, say 10, is more reasonable",
            later < 0.1,
            f"{100 * sizes[10]:.1f}% at D = 10, at most {100 * later:.1f}% for D from 10 to 100",
        ),
        claimed(
            "remark 2",
            "if D is small, the interval may exclude 0 without the stated confidence",
            not limits.low <= 0 <= limits.high and exact > 0.05,
            f"4 : 0 among 400: {limits.low:.4f} to {limits.high:.4f}, but the exact McNemar test has p = {exact:.3f}",
        ),
    ]


def _two_intervals() -> list[Line]:
    design = _equally_good(0.2, 0.1)
    both: Any = ta.calibrate("two-intervals", design, differences=[0.05], trials=5000)
    one: Any = ta.calibrate("yang-paired", design, differences=[0.05])
    seen: Any = ta.calibrate("mcnemar", design, differences=[0.05])
    discordant = np.arange(1, 60)
    ratios = [_ratio_lines(ta.PairedTable(170, int(few), int(few), 230 - 2 * int(few))) for few in discordant]
    least = min(
        _ratio_lines(ta.PairedTable(i, j, k, 12 - i - j - k))
        for i in range(13)
        for j in range(13 - i)
        for k in range(13 - i - j)
        if j + k > 0 and 12 * (j + k) > (j - k) ** 2
    )
    size, power, reached = (float(np.ravel(each.value)[0]) for each in (both.size, both.power, seen.power))
    return [
        claimed(
            "two intervals, type I error",
            "two intervals have an asymptotic type I error of at most α",
            size <= 0.05,
            f"{100 * size:.2f}% at α = 5%, equal errors of 0.2, discordant rate 0.1, 400 examples (one interval:"
            f" {100 * (1 - float(np.ravel(one.coverage.value)[0])):.1f}%)",
        ),
        claimed(
            "two intervals, power",
            "two intervals should not be used for comparing classifiers, due to their low power",
            power < reached / 2,
            f"the power for a difference of 5 pp is {100 * power:.1f}%, that of McNemar's test {100 * reached:.0f}%",
        ),
        claimed(
            "two intervals, ratio",
            "(√v₁ + √v₂)/√v is never below 1",
            least >= 1 - 1e-12,
            f"at least {least:.3f}, over all tables of 12 examples",
        ),
        claimed(
            "two intervals, no limit",
            "(√v₁ + √v₂)/√v can be arbitrarily large",
            ratios[0] > 10 and bool((np.diff(ratios) < 0).all()),
            f"{ratios[-1]:.1f} with 118 discordant pairs of 400, {ratios[0]:.1f} with 2",
        ),
    ]


def _ratio_lines(table: ta.PairedTable) -> float:
    """Return the length of two intervals divided by that of one interval for the difference."""
    rate = float(table.difference)
    paired = math.sqrt((float(table.disagreements) / float(table.examples) - rate**2) / float(table.examples))
    return float(table.count_a.standard_error + table.count_b.standard_error) / paired


def _approximation_table(away: dict[int, tuple[float, float]]) -> Table:
    rows = []
    for count in _COUNTS:
        enumerable = count < _EXAMPLES
        rows.append(
            (
                count,
                round(12 / math.sqrt(count), 3),
                round(2 * _MODERN / math.sqrt(count), 3),
                round(_MODERN / math.sqrt(count), 3),
                round(away[count][0], 4),
                round(away[count][1], 4),
                round(_declare_better(count), 4) if enumerable else None,
                round(_coverage_of(count), 4) if enumerable else None,
            )
        )
    head = (
        "D",
        "bound, constant 6",
        "bound, 0.4748",
        "bound, 0.4748, exact moments",
        "distance, even",
        "distance, 9 : 1",
        "type I error, given D",
        "coverage, D expected",
    )
    return Table.of("Accuracy of the normal approximation by the number of discordant pairs", head, rows)


def _coverage_of(count: int) -> float:
    """Return the coverage of the 95% interval if the true value is 0, for an expected number of discordant pairs."""
    calibration: Any = ta.calibrate("yang-paired", _equally_good(0.4, count / _EXAMPLES), differences=[])
    return float(np.ravel(calibration.coverage.value)[0])


def _equally_good(error: float, disagreement: float) -> lab.PairedOutcomes:
    return lab.PairedOutcomes(np.asarray(error), np.asarray(error), np.asarray(disagreement), _EXAMPLES)


def _normal_quantiles() -> Table:
    normal = lab.NormalModel(0.0, 1.0)
    rows = [
        (f"{alpha:g}", *(round(float(normal.interval(alpha=part)[1]), 6) for part in (alpha / 2, alpha)))
        for alpha in (0.10, 0.05, 0.01)
    ]
    return Table.of(
        "Quantiles of the two methods", ("α", "two intervals, z(α/4)", "interval of the difference, z(α/2)"), rows
    )


def _distance_table(away: dict[int, tuple[float, float]]) -> Picture:
    counts = np.array(_COUNTS, dtype=float)
    return plotted(
        "Theorem 3: distance from the normal distribution",
        "Largest distance between the distribution of the standardised sum of W and the normal one against the number"
        " of discordant pairs, on logarithmic axes: the paper's bound is about sixty times the true distance.",
        [
            Series("the paper's bound, 12/√D", counts, 12 / np.sqrt(counts)),
            Series("constant 0.4748, factor 2", counts, 2 * _MODERN / np.sqrt(counts)),
            Series("distance, discordant errors 1 : 1", counts, [away[count][0] for count in _COUNTS], "points"),
            Series("distance, discordant errors 9 : 1", counts, [away[count][1] for count in _COUNTS], "points"),
        ],
        x="discordant pairs D",
        y="distance",
        across=(0.25,),
        upright=(10,),
        log="xy",
        size=(6.4, 3.8),
    )


def _sizes_picture() -> Picture:
    counts = np.arange(1, 61)
    return plotted(
        "Type I error rate, given D",
        "Share of tables in which the 95% interval excludes 0, by the number of discordant pairs: 12.5% at D = 4, then"
        " oscillating between 1.5% and 8% around 5%.",
        [Series("95% interval W̄ ± 1.96 sd/√n₂", counts, [_declare_better(int(count)) for count in counts], "steps")],
        x="discordant pairs D, of 400 examples",
        y="type I error rate",
        across=(0.05,),
        upright=(10,),
    )
