"""Mitchell (1997), sections 5.2 and 5.3: one error rate and its normal approximation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ...report.picture import Picture
from ..drawing import Series, plotted
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared

ENOUGH = 0.925  # coverage required of an approximate 95% interval: the miss rate may be 7.5% instead of 5%


def table_5_1(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Show the half-widths of central intervals of the normal distribution, in standard deviations."""
    normal = lab.NormalModel(0.0, 1.0)
    return Shown(
        lines=tuple(
            compared(
                f"{row['level']}%",
                row["z"],
                normal.interval(alpha=1 - int(row["level"]) / 100)[1],
                reason="1.00 is the value for 68.27%; that for 68% is 0.9945.",
            )
            for row in printed("mitchell_table_5.1")
        )
    )


# --- Worked examples ----------------------------------------------------------------------------------


def examples(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Compute every worked example of the text."""
    ours = _one_rate() | _two_rates()
    numbers = [
        compared(f"{row['section']}: {row['example']}, {row['quantity']}", row["value"], ours[row["name"]])
        for row in printed("mitchell_examples")
    ]
    return Shown(
        lines=(*numbers, *_interval_assertions(ours)),
        notes=(
            "One classifier is ta.estimate(ta.ErrorCount(12, 40), method='wald'), two on separate test sets are"
            " ta.compare(ta.IndependentCounts.from_counts(30, 100, 20, 100), method='wald-independent'). The square"
            " root in interval 5.13 covers both terms, as in the variance 5.12.",
            "The thresholds of the rules of thumb are the smallest values for which the checks TA004 and TA005 hold.",
            "The text calls 0.95 the probability that the first has a higher error rate. After one observed difference"
            " this is a posterior probability under a flat prior for the true difference. The opposite hypothesis is"
            f" not quite rejected at 0.05: the one-sided p is {ours['pvalue']:.4f}, because 1.64 is rounded from"
            " 1.6440, and 0.05 needs 1.6449.",
        ),
    )


def _one_rate() -> dict[str, float]:
    """Return our numbers for 12 errors in 40, and for the rules of thumb."""
    count, model = ta.ErrorCount(12, 40), lab.BinomialModel(40, 0.3)
    wide, narrow = (ta.estimate(count, method="wald", level=level).interval for level in (0.95, 0.68))
    upper = ta.estimate(count, method="wald", level=0.975, side="upper").interval
    tried = ta.ErrorCount(np.arange(5, 51) // 2, np.arange(5, 51))  # half of the examples wrong
    holds = {check.code: check.holds for check in ta.estimate(tried, method="wald").checks}
    product = tried.trials * tried.rate * (1 - tried.rate)
    return {
        "rate": float(count.rate),
        "half-95": float(wide.width) / 2,
        "half-68": float(narrow.width) / 2,
        "trials": float(tried.trials[holds["TA004"]].min()),
        "product": float(product[holds["TA005"]].min()),
        "mean": lab.moments([1, 2], [0.7, 0.3]).mean,
        "variance": model.variance,
        "sd": math.sqrt(model.variance),
        "sd-of-rate": float(count.standard_error),
        "upper": float(upper.high),
    }


def _two_rates() -> dict[str, float]:
    """Return our numbers for 30 and 20 errors in 100 each."""
    counts, normal = ta.IndependentCounts.from_counts(30, 100, 20, 100), lab.NormalModel(0.0, 1.0)
    comparison = ta.compare(counts, method="probability-better", interval="wald-independent", alternative="greater")
    two_sided = ta.compare(counts, method="probability-better", interval="wald-independent").interval
    sd = float(two_sided.width) / (2 * normal.interval(alpha=0.05)[1])
    return {
        "difference": float(counts.difference),
        "sd-of-difference": sd,
        "z": float(counts.difference) / sd,
        "two-sided": normal.probability(-1.64, 1.64),
        "one-sided": normal.probability(-math.inf, 1.64),
        "probability": float(comparison.statistic),
        "pvalue": float(comparison.pvalue),
    }


def _interval_assertions(ours: dict[str, float]) -> tuple[Line, ...]:
    """Return the assertions of the text about the two examples."""
    mode = float(ta.posterior(ta.ErrorCount(12, 40), prior=(1, 1)).mode)
    covered = _holds_line("wald", 40, 0.3)
    return (
        claimed(
            "5.2.2: the most probable true error",
            "given no other information, the most probable true error is the sample error",
            abs(mode - 0.3) < 1e-12,
            f"after 12 errors in 40 and a flat prior the mode is {mode:.2f}",
        ),
        claimed(
            "5.2.2: 40 new examples, repeatedly",
            "approximately 95% of such intervals contain the true error",
            covered >= ENOUGH,
            f"{covered:.4f} of all samples of 40 at a true error of 0.30, exact (threshold: {ENOUGH}); of Wilson's"
            f" intervals {_holds_line('wilson', 40, 0.3):.4f}",
        ),
        claimed(
            "5.2.2: 68% and 95%",
            "the 68% interval is smaller than the 95% interval",
            ours["half-68"] < ours["half-95"],
            f"half widths of {ours['half-68']:.4f} and {ours['half-95']:.4f}",
        ),
    )


def _holds_line(method: str, trials: int, error: float) -> float:
    """Return the exact coverage of a 95% interval at a true error."""
    model, errors = lab.BinomialModel(trials, error), np.arange(trials + 1)
    interval = ta.estimate(ta.ErrorCount(errors, trials), method=method).interval
    return float(model.probability(errors) @ ((interval.low <= error) & (error <= interval.high)))


# --- Distributions ------------------------------------------------------------------------------------


def distance(trials: int, error: float) -> float:
    """Return the largest distance of a binomial distribution function from the normal with its mean and variance.

    Examples
    --------
    >>> round(distance(40, 0.3), 3)
    0.077
    """
    from scipy.special import ndtr

    model, errors = lab.BinomialModel(trials, error), np.arange(trials + 1)
    reached = np.cumsum(model.probability(errors))
    normal = ndtr((errors - model.mean) / math.sqrt(model.variance))
    before = np.concatenate([[0.0], reached[:-1]])  # the largest distance is at the bottom or top of a step
    return float(np.maximum(abs(reached - normal), abs(before - normal)).max())


def table_5_2(run: Run) -> Shown:
    """Show every term of Table 5.2 for 40 examples and a true error of 0.3."""
    return Shown(
        lines=(*_of_variables(np.random.default_rng(run.seed)), *_of_estimators()),
        notes=(
            "Each term is shown with its public name in tellapart, computed for 40 examples and a true error of 0.3.",
        ),
    )


def _of_variables(rng: np.random.Generator) -> Iterator[Line]:
    """Yield the terms about random variables."""
    model, errors = lab.BinomialModel(40, 0.3), np.arange(41)
    chances = model.probability(errors)
    drawn = lab.OneRate(np.array(0.3), 40).draw((None,), 100, rng)[None].errors
    yield claimed(
        "random variable",
        "a random variable is the name of an experiment with a probabilistic outcome",
        len(set(drawn.tolist())) > 5,
        f"lab.OneRate.draw: 100 samples of 40 have {drawn.min()} to {drawn.max()} errors",
    )
    yield claimed(
        "probability distribution",
        "a probability distribution specifies Pr(Y = y) for each y",
        np.all(chances >= 0) and math.isclose(chances.sum(), 1.0),
        f"lab.BinomialModel.probability: of 0 to 40 errors; the sum is {chances.sum():.12g}",
    )
    moments = lab.moments(errors, chances)
    yield claimed(
        "expected value",
        "the mean is Σ y Pr(Y = y)",
        math.isclose(moments.mean, 12),
        f"lab.moments(…).mean: {moments.mean:.6g}",
    )
    yield claimed(
        "variance",
        "the variance is E[(Y − μ)²]",
        math.isclose(moments.variance, 8.4),
        f"lab.moments(…).variance: {moments.variance:.6g}",
    )
    yield claimed(
        "standard deviation",
        "the standard deviation is the square root of the variance",
        math.isclose(moments.sd, math.sqrt(8.4)),
        f"lab.moments(…).sd: {moments.sd:.6g}",
    )
    tossed = math.comb(40, 12) * 0.3**12 * 0.7**28
    yield claimed(
        "Binomial distribution",
        "the Binomial distribution gives the probability of r heads in n tosses",
        math.isclose(chances[12], tossed),
        f"lab.BinomialModel: Pr(12) = {chances[12]:.6f}; by factorials {tossed:.6f}",
    )
    normal = lab.NormalModel(12.0, math.sqrt(8.4))
    area, heights = normal.probability(-math.inf, math.inf), normal.density([11, 12, 13])
    yield claimed(
        "Normal distribution",
        "the Normal distribution is bell-shaped",
        math.isclose(area, 1) and math.isclose(heights[0], heights[2]) and heights[1] > heights[0],
        f"lab.NormalModel: {heights[0]:.4f}, {heights[1]:.4f}, {heights[2]:.4f} at 11, 12 and 13; area {area:g}",
    )
    far = [distance(n, 0.3) for n in (40, 400, 4000)]
    yield claimed(
        "Central Limit Theorem",
        "sums of many become approximately normal",
        far[0] > far[1] > far[2],
        f"exhibit central-limit; here the distance is {far[0]:.3f}, {far[1]:.3f}, {far[2]:.3f} at n = 40, 400 and 4000",
    )


def _of_estimators() -> Iterator[Line]:
    """Yield the terms about estimators."""
    model, count = lab.BinomialModel(40, 0.3), ta.ErrorCount(12, 40)
    estimate = float(ta.estimate(count).estimate)
    yield claimed(
        "estimator",
        "an estimator is a random variable that estimates some parameter p",
        math.isclose(estimate, float(count.rate)) and math.isclose(estimate, 0.3),
        f"ErrorCount.rate, estimate(…).estimate: {estimate:g} after 12 errors in 40",
    )
    bias, shifted = model.bias(lambda seen: seen.rate), model.bias(lambda seen: (seen.errors + 1) / (seen.trials + 2))
    yield claimed(
        "estimation bias",
        "the estimation bias is E[Y] − p; of an unbiased estimator it is zero",
        abs(bias) < 1e-12 and math.isclose(shifted, (1 - 2 * 0.3) / 42),
        f"lab.BinomialModel.bias: {abs(bias):.4f} of r/n; {shifted:+.4f} of (r + 1)/(n + 2)",
    )
    surely, textbook = _holds_line("clopper-pearson", 40, 0.3), _holds_line("wald", 40, 0.3)
    yield claimed(
        "N% confidence interval",
        "a confidence interval includes p with probability N%",
        surely >= 0.95,
        f"estimate(…).interval, exact_coverage: 95% intervals include 0.3 in {surely:.4f} (clopper-pearson, which"
        f" guarantees 95%) or {textbook:.4f} (wald, the textbook's) of all samples",
    )


def table_5_3(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Draw the binomial distribution, and compare its moments with the formulas."""
    model, errors = lab.BinomialModel(40, 0.3), np.arange(41)
    chances = model.probability(errors)
    moments = lab.moments(errors, chances)
    sizes = (10, 20, 24, 40, 100, 400, 4000)
    far = {n: distance(n, 0.3) for n in sizes}
    rows = [
        (n, f"{0.21 * n:.1f}", "yes" if 0.21 * n >= 5 else "no", f"{far[n]:.4f}", f"{_holds_line('wald', n, 0.3):.4f}")
        for n in sizes
    ]
    by_hand = [math.comb(40, r) * 0.3**r * 0.7 ** (40 - r) for r in errors.tolist()]
    return Shown(
        lines=(
            claimed(
                "probability",
                "Pr(X = r) = n! / (r! (n - r)!) p^r (1 - p)^(n - r)",
                np.allclose(chances, by_hand, rtol=1e-12, atol=0),
                f"at all r from 0 to 40; at 12 it is {by_hand[12]:.6f}",
            ),
            claimed("mean", "E[X] = np", math.isclose(moments.mean, 12), f"Σ r P(r) = {moments.mean:.10g}, np = 12"),
            claimed(
                "variance",
                "Var(X) = np(1 - p)",
                math.isclose(moments.variance, 8.4),
                f"Σ (r - 12)² P(r) = {moments.variance:.10g}, np(1 - p) = 8.4",
            ),
            claimed(
                "standard deviation",
                "σ = √(np(1 - p))",
                math.isclose(moments.sd, math.sqrt(8.4)),
                f"{moments.sd:.6f}",
            ),
            claimed(
                "normal shape",
                "a binomial of large n is closely approximated by a normal of the same mean and variance",
                all(far[n] > far[m] for n, m in pairwise(sizes)) and far[4000] < 0.01,
                f"the distribution functions differ by {far[40]:.3f} at n = 40, {far[4000]:.4f} at 4000",
            ),
        ),
        pictures=(_draw_bars(model),),
        tables=(_sizes_table(rows),),
        notes=(
            "The moments are sums over all 41 outcomes, not the formulas.",
            "For p = 0.3 the rule np(1 − p) ≥ 5 holds from 24 examples. There is no change at that size: the distance"
            " to the normal curve falls as 1/√n below and above it, and the coverage of the textbook's 95% interval"
            " oscillates.",
        ),
    )


def _draw_bars(model: lab.BinomialModel) -> Picture:
    errors, curve = np.arange(41), np.linspace(0, 40, 401)
    normal = lab.NormalModel(model.mean, math.sqrt(model.variance))
    return plotted(
        "Binomial distribution for n = 40, p = 0.3",
        "Bars that rise to 0.137 at 12 errors and then fall, with a normal curve close to their tops.",
        [
            Series("binomial, n = 40, p = 0.3", errors, model.probability(errors), "bars"),
            Series("normal of the same mean and variance", curve, normal.density(curve)),
        ],
        x="number of errors r",
        y="P(r)",
    )


def table_5_4(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Draw the normal curve, and compare its moments and areas with sums over a fine grid."""
    normal = lab.NormalModel(0.0, 1.0)
    x, step = np.linspace(-10, 10, 200_001, retstep=True)
    weight = normal.density(x) * step
    mean, variance = float(weight @ x), float(weight @ x**2)
    inside = (x >= -1) & (x <= 2)
    area = float(weight[inside].sum() - (weight[inside][0] + weight[inside][-1]) / 2)
    exact, shown = normal.probability(-1, 2), np.linspace(-4, 4, 321)
    by_hand = np.exp(-(shown**2) / 2) / math.sqrt(2 * math.pi)
    return Shown(
        lines=(
            claimed(
                "density",
                "p(x) = exp(-((x - μ) / σ)² / 2) / √(2πσ²)",
                np.allclose(normal.density(shown), by_hand, rtol=1e-12, atol=0),
                f"at {shown.size} values from -4 to 4; at 0 it is {by_hand.max():.6f}",
            ),
            claimed(
                "interval",
                "Pr(a < X < b) is the integral of p(x) from a to b",
                abs(area - exact) < 1e-9,
                f"from -1 to 2: {exact:.9f}; the sum under the density {area:.9f}",
            ),
            claimed("mean", "E[X] = μ", abs(mean) < 1e-9, f"∫ x p(x) dx = {abs(mean):.6f} for μ = 0"),
            claimed("variance", "Var(X) = σ²", abs(variance - 1) < 1e-9, f"∫ x² p(x) dx = {variance:.6f} for σ = 1"),
            claimed("standard deviation", "σ_X = σ", abs(math.sqrt(variance) - 1) < 1e-9, f"{math.sqrt(variance):.6f}"),
        ),
        pictures=(
            plotted(
                "Normal distribution with mean 0 and standard deviation 1",
                "A bell curve from -4 to 4 with a height of 0.399 at 0.",
                [Series("normal density", shown, normal.density(shown))],
                x="x",
                y="p(x)",
            ),
        ),
        notes=(
            "The density is summed over a grid of 200,001 values from −10 to 10; probabilities come from"
            " lab.NormalModel.",
        ),
    )


def figure_5_1(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Draw 80% between two bounds and 90% below one, and compare one-sided with two-sided confidence."""
    normal = lab.NormalModel(0.0, 1.0)
    (low, high), upper = normal.interval(alpha=0.2), normal.interval(alpha=0.1, side="upper")[1]
    right, left = normal.probability(high, math.inf), normal.probability(-math.inf, low)
    two, one = ta.estimate(ta.ErrorCount(12, 40), method="wald", level=0.95).interval, 0.975
    bound = ta.estimate(ta.ErrorCount(12, 40), method="wald", level=one, side="upper").interval
    return Shown(
        lines=(
            compared("(a) lower end of the two-sided 80% interval", "-1.28", low),
            compared("(a) upper end of the two-sided 80% interval", "1.28", high),
            compared("(a) percent to the right of it", "10", 100 * right),
            compared("(a) percent to the left of it", "10", 100 * left),
            compared("(b) end of the one-sided 90% interval", "1.28", upper),
            claimed(
                "one side of a two-sided interval",
                "a 100(1 - α)% interval [L, U] gives a 100(1 - α/2)% bound U",
                math.isclose(two.high, bound.high),
                f"12 errors in 40: 95% from {two.low:.3f} to {two.high:.3f}; 97.5% up to {bound.high:.3f}",
            ),
            claimed(
                "twice the confidence",
                "the one-sided bound has twice the confidence of the two-sided interval",
                math.isclose(one, 2 * 0.95),
                "97.5% instead of 95%, 90% instead of 80%",
                reason="Confidence does not double (it cannot exceed 100%); the error probability is halved, from 5%"
                " to 2.5%.",
            ),
        ),
        pictures=(
            _shade_tail("(a) With 80% probability between -1.28 and 1.28", low, high, "80%"),
            _shade_tail("(b) With 90% probability below 1.28", -4.0, upper, "90%"),
        ),
    )


def _shade_tail(title: str, low: float, high: float, share: str) -> Picture:
    """Return a normal curve with the area between two values filled."""
    normal = lab.NormalModel(0.0, 1.0)
    within, all_of_it = np.linspace(low, high, 201), np.linspace(-4, 4, 321)
    return plotted(
        title,
        f"A bell curve; the area from {'the left end' if low <= -4 else f'{low:.2f}'} to {high:.2f} is filled.",
        [
            Series("normal density", all_of_it, normal.density(all_of_it)),
            Series(f"{share} of the area", within, normal.density(within), "area"),
        ],
        x="standard deviations from the mean",
        y="density",
        size=(6.4, 2.6),
    )


def _sizes_table(rows: Sequence[tuple[object, ...]]) -> Table:
    head = ("n", "np(1 - p)", "the rule holds", "distance to the normal", "coverage of the 95% interval")
    return Table.of("Normal approximation of the binomial, p = 0.3", head, rows, note="Exact: all outcomes enumerated.")
