"""Martin and Hirschberg (1996), sections 2.1.1 to 2.2: four kinds of confidence limits for one error rate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tellapart as ta

from ...report.blocks import Table
from ..drawing import Series, plotted
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared
from .binomial import STANDARD

KINDS = {"textbook": "wald-cc", "alternative": "wilson", "approximate Beta": "jeffreys-approx", "Jeffreys": "jeffreys"}


def limits(kind: str, errors: Any, trials: Any) -> tuple[Any, Any]:
    """Return the lower and the upper 95% limits of a kind."""
    options: dict[str, Any] = {"raw": True} if kind == "Jeffreys" else {}  # plain quantiles, also for no errors
    interval = ta.estimate(ta.ErrorCount(errors, trials), method=KINDS[kind], **options).interval
    return interval.low, interval.high


def _every_limit(trials: int) -> tuple[Any, Any]:
    errors = np.arange(trials + 1)
    return errors, np.full_like(errors, trials)


def _largest_distance(kind: str, other: str, trials: int) -> float:
    """Return the largest difference between limits of two kinds, times the number of examples."""
    one, two = (limits(each, *_every_limit(trials)) for each in (kind, other))
    return float(trials * max(np.abs(one[0] - two[0]).max(), np.abs(one[1] - two[1]).max()))


def _limits_picture(title: str, kinds: tuple[str, str], trials: int, seen: str) -> Any:
    errors, many = _every_limit(trials)
    half = errors <= 0.6 * trials
    series = []
    for kind in kinds:
        low, high = limits(kind, errors[half], many[half])
        series += [
            Series(f"{kind}, lower", errors[half] / trials, low),
            Series(f"{kind}, upper", errors[half] / trials, high),
        ]
    alt = f"95% limits against the observed error rate of {trials} examples, {kinds[0]} and {kinds[1]}: {seen}"
    return plotted(
        f"{title}, {trials} examples", alt, series, x="observed error rate", y="limits of the true error", across=(0.0,)
    )


def figure_2(run: Run) -> Shown:  # noqa: ARG001
    """Show the limits of equations 2 and 3."""
    sizes = (1, 2, 5, 10, 20, 50, 100, 200, 1000)
    alternative = [limits("alternative", *_every_limit(size)) for size in sizes]
    textbook = [limits("textbook", *_every_limit(size)) for size in sizes]
    shift = [sum(a) / 2 - sum(t) / 2 for a, t in zip(alternative, textbook, strict=True)]
    upwards = all(np.all(each[: (size + 1) // 2] > 0) for each, size in zip(shift, sizes, strict=True))
    downwards = all(np.all(each[size // 2 + 1 :] < 0) for each, size in zip(shift, sizes, strict=True))
    lowest, highest = min(low.min() for low, _ in alternative), max(high.max() for _, high in alternative)
    times = {size: _largest_distance("textbook", "alternative", size) for size in sizes[3:]}
    outside = 1 - ta.exact_coverage("wald", 100, within=(0.01, 0.1), alpha=2 * STANDARD.probability(2, np.inf)).mean
    lines = (
        claimed(
            "absurd values",
            "the alternative limits never include absurd values",
            lowest >= 0 and highest <= 1,
            f"from {lowest:.3g} to {highest:.3g}, for all numbers of errors in nine sizes from 1 to 1000 examples",
        ),
        claimed(
            "absurd values, textbook",
            "the textbook limits allow negative error rates",
            all((low < 0).any() for low, _ in textbook),
            f"below 0 for {sum(int((low < 0).sum()) for low, _ in textbook)} of the same pairs",
        ),
        claimed(
            "shift",
            "below 50% error the alternative limits are shifted upwards, above downwards",
            upwards and downwards,
            "midpoints are higher for every number of errors below one half, and lower for every one above",
        ),
        _midpoint_and_width(200, 11),
        claimed(
            "order of the difference",
            "the limits differ on the order of 1/M",
            max(times.values()) < 2 * min(times.values()),
            "M times the largest difference: " + ", ".join(f"{each:.1f} at {size}" for size, each in times.items()),
        ),
        claimed(
            "outside ± 2 standard deviations",
            "noticeably more than 5% fall outside e ± 2√(e(1−e)/M)",
            outside > 0.06,
            f"of 100 examples, {100 * outside:.1f}% of the intervals miss a true error from 0.01 to 0.1 (enumerated)",
        ),
    )
    notes = (
        "The textbook limits (equation 2) are Wald's with a continuity correction; the alternative ones (equation 3)"
        " are Wilson's, to the last digit (see the exhibit on approximations). The paper does not state the sample"
        " sizes of the figure; ours are 20 and 100 examples.",
    )
    seen = "for few errors the textbook limits are lower, and the lower limit is below 0."
    pictures = tuple(
        _limits_picture("Textbook and alternative", ("textbook", "alternative"), size, seen) for size in (20, 100)
    )
    return Shown(lines=lines, pictures=pictures, tables=(_coverage_table(),), notes=notes)


def _midpoint_and_width(trials: int, errors: int) -> Line:
    """Return how the two kinds differ for a sample that satisfies even the conservative rule."""
    textbook, alternative = (limits(kind, errors, trials) for kind in ("textbook", "alternative"))
    half = float(textbook[1] - textbook[0]) / 2
    shift = float(sum(alternative) - sum(textbook)) / 2 / half
    width = float(alternative[1] - alternative[0]) / 2 / half
    spread = errors * (trials - errors) / trials
    return claimed(
        "midpoint and width",
        "both differ markedly, even for moderately large samples that meet the conservative rule",
        spread >= 10 and shift > 0.1 and width < 0.98,
        f"{errors} errors in {trials} (M·e(1 − e) = {spread:.1f}): the midpoint is higher by {100 * shift:.0f}% of the"
        f" textbook half-width, the interval narrower by {100 * (1 - width):.0f}%",
    )


def _coverage_table() -> Table:
    """Return the coverage of each kind of 95% limits, which the paper does not give."""
    rows = []
    for kind, name in KINDS.items():
        for size in (20, 50, 100):
            coverage = ta.exact_coverage(name, size, within=(0.01, 0.5), points=500)
            rows.append((kind, size, f"{coverage.mean:.3f}", f"{coverage.minimum:.3f}"))
    head = ("limits", "examples", "mean coverage", "minimum coverage")
    return Table.of("Coverage of 95% limits", head, rows, note="Exact, true errors 0.01 to 0.5.")


def figure_3(run: Run) -> Shown:  # noqa: ARG001
    """Show the posterior distribution of the true error, and its quantiles as limits."""
    grid = np.array([(m, n) for n in range(1, 401) for m in range(n + 1)]).T
    m, n = grid
    after, count = ta.posterior(ta.ErrorCount(m, n)), ta.ErrorCount(m, n)
    mean, rate, plug_in = (m + 0.5) / (n + 1), count.rate, count.rate * (1 - count.rate) / n
    inner = (m > 0) & (m < n)
    mode = np.where(inner, (m - 0.5) / np.maximum(n - 1, 1), m == n)
    low, middle = (rate < 0.1) | (rate > 0.9), (rate > 0.15) & (rate < 0.85) & (n >= 4)
    wide, narrow = after.variance > plug_in, after.variance < plug_in
    one = ta.posterior(ta.ErrorCount(2, 20))
    x = np.linspace(0, 1, 20_001)[1:-1]
    area = float(np.trapezoid(one.density(x), x))
    inverted = area * math.exp(2 * (math.lgamma(2.5) + math.lgamma(18.5) - math.lgamma(21)))
    lines = (
        _coverage_agrees("mean", "(m + 0.5)/(M + 1)", after.mean, mean),
        _coverage_agrees("variance", "μ(1 − μ)/(M + 2)", after.variance, mean * (1 - mean) / (n + 2)),
        _coverage_agrees("mode", "0, (m − 0.5)/(M − 1) or 1", after.mode[n > 1], mode[n > 1]),
        claimed(
            "variance, few errors",
            "σ² exceeds e(1 − e)/M where m/M < 0.1 or > 0.9",
            np.all(wide[low]),
            f"in all {int(low.sum()):,} pairs with M up to 400" if np.all(wide[low]) else "not always",
        ),
        claimed(
            "variance, many errors",
            "σ² is less than e(1 − e)/M where 0.15 < m/M < 0.85, M ≥ 4",
            np.all(narrow[middle]),
            f"in all {int(middle.sum()):,} pairs with M up to 400" if np.all(narrow[middle]) else "not always",
        ),
        claimed(
            "constant of the density",
            "Be(τ, u, v) = Γ(u)Γ(v)/Γ(u + v) τ^(u−1) (1 − τ)^(v−1)",
            abs(inverted - 1) < 0.01,
            f"for 2 errors in 20, the area under it is {inverted:.2g}; under the reciprocal's, {area:.4f}",
            reason="Section 2.2 prints the reciprocal of the constant; appendix A.2 is right.",
        ),
    )
    notes = (
        "The paper does not state the test set of the figure; ours has 20 examples. With Jeffreys' prior, the"
        " posterior of the true error after m errors in M is Beta(m + 1/2, M − m + 1/2). The limits are its 0.025 and"
        " 0.975 quantiles.",
        "The posterior mean is not m/M: after a test without errors the true error is still expected to be above 0."
        " The integrand of equation 4 has N instead of M.",
    )
    return Shown(lines=lines, pictures=(_density_series(), _inversion_table(one)), notes=notes)


def _coverage_agrees(what: str, formula: str, coverage: Any, expected: Any) -> Line:
    off = float(np.abs(coverage - expected).max())
    return claimed(what, formula, off < 1e-12, f"largest difference {off:.1g} for M up to 400, all m")


def _density_series() -> Any:
    x = np.linspace(0.002, 0.8, 400)
    series = [Series(f"{m} errors", x, ta.posterior(ta.ErrorCount(m, 20)).density(x)) for m in (0, 1, 2, 5, 10)]
    series[0] = Series("0 errors", x[4:], series[0].y[4:])  # type: ignore[index]  # unbounded at 0
    alt = "Densities of the true error after 0, 1, 2, 5 and 10 errors in 20: skewed for few errors, symmetric for ten."
    return plotted("Figure 3a: Jeffreys' Beta density, 20 examples", alt, series, x="true error", y="density")


def _inversion_table(after: Any) -> Any:
    x = np.linspace(0, 0.5, 300)
    low, high = after.quantile(0.025), after.quantile(0.975)
    return plotted(
        "Figure 3b: the limits after 2 errors in 20",
        f"The distribution function of the true error; it is 0.025 at {low:.3f} and 0.975 at {high:.3f}.",
        [
            Series("distribution function", x, after.cdf(x)),
            Series("95% limits", [low, high], [0.025, 0.975], "points"),
        ],
        x="true error",
        y="probability below",
        across=(0.025, 0.975),
        upright=(float(low), float(high)),
    )


def fitted_grid(first: int = 10, fewest: int = 0, most: int | None = None) -> tuple[Any, Any]:
    """Return the grid of m and M on which the paper compares approximations: M = 10, 20, …, 200 and m up to M/2."""
    pairs = [(m, n) for n in range(first, 201, 10) for m in range(fewest, (most or n // 2) + 1)]
    errors, trials = np.array(pairs).T
    return errors, trials


def figure_4(run: Run) -> Shown:  # noqa: ARG001
    """Show the limits of equations 3 and 5, and the distance of the latter from the exact ones."""
    m, n = fitted_grid()
    near, exact = limits("approximate Beta", m, n), limits("Jeffreys", m, n)
    off = np.maximum(np.abs(near[0] - exact[0]), np.abs(near[1] - exact[1]))
    worst = int(np.argmax(off))
    index, printed_place = f"M = {n[worst]}, m = {m[worst]}", "M = 10, m = 3"
    at_three = float(off[(n == 10) & (m == 3)][0])
    form = _common_form(m, n)
    same = max(np.abs(np.where(m >= 2, near[side] - form[side], 0)).max() for side in (0, 1))
    times = {size: _largest_distance("alternative", "approximate Beta", size) for size in (10, 20, 50, 100, 200, 1000)}
    few = m < 10
    textbook = limits("textbook", m, n)
    gross = np.maximum(np.abs(textbook[0] - exact[0]), np.abs(textbook[1] - exact[1]))
    lines = (
        compared("largest difference from the exact limits", "0.017", float(off[worst])),
        claimed(
            "where it is largest",
            printed_place,
            index == printed_place,
            f"{index}; at m = 3 it is {at_three:.4f}",
            reason="A slip: the printed size agrees with m = 2; at m = 3 it is about half.",
        ),
        claimed(
            "bound",
            "the difference is below 0.27/M",
            np.all(off < 0.27 / n),
            f"M times the difference is at most {float((off * n).max()):.4f}",
        ),
        claimed(
            "equation 6", "for m ≥ 2 the limits have the common form", same < 1e-12, f"largest difference {same:.1g}"
        ),
        claimed(
            "order of the difference",
            "alternative and approximate Beta limits differ on the order of 1/M",
            max(times.values()) < 2 * min(times.values()),
            "M times the largest difference: " + ", ".join(f"{each:.2f} at {size}" for size, each in times.items()),
        ),
        claimed(
            "fewer than ten errors",
            "the textbook limits are no good approximation; the Beta limits should be used",
            np.all(gross[few] > off[few]),
            f"largest error {float(gross[few].max()):.3f} (textbook) and {float(off[few].max()):.3f} (equation 5); the"
            " latter is closer in every case",
        ),
    )
    seen = "they almost agree; for few errors the upper Beta limit is lower."
    pictures = tuple(
        _limits_picture("Alternative and approximate Beta", ("alternative", "approximate Beta"), size, seen)
        for size in (20, 100)
    )
    notes = (
        "Exact limits are the quantiles of Jeffreys' Beta distribution; the grid is the paper's: M = 10, 20, …, 200"
        " and m = 0 to M/2. The pictures are for 20 and 100 examples; the paper does not state its sizes.",
    )
    return Shown(lines=lines, pictures=pictures, notes=notes)


def _common_form(m: Any, n: Any) -> tuple[Any, Any]:
    """Return e + g/(2M) ± 1.96 s″, equation 6."""
    e = m / n
    middle = e + 2 * (n - 2 * m) * 1.96 * math.sqrt(0.5) / (n + 3) / (2 * n)
    reach = 1.96 * np.sqrt(e * (1 - e) / (n + 2.5))
    return middle - reach, middle + reach
