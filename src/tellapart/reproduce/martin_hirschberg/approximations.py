"""Martin and Hirschberg (1996), appendix A.3: approximate formulas for the exact limits, and misprints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

import tellapart as ta

from ...report.blocks import Table
from ..drawing import Series, plotted
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared
from .limits import fitted_grid, limits
from .printed_formulas import handbook_as_printed, inverse_beta

_HANDBOOK = (
    "The handbook has exp(2w) and subtracts 2/(3h); the paper prints exp(w) and adds 2/(3h). With both corrected, the"
    " formula is as accurate as the text says."
)
_CONSTANT = (
    "Two digits are swapped: with 0.273901 instead of 0.237901 the largest deviation is 0.0046 at M = 10, m = 4, as the"
    " text says."
)
_SIGN = "The term in (ln M)² must be added, not subtracted; then the limit is accurate to 0.00005."


def _distance_off(m: Any, n: Any, *, as_printed: bool = False) -> tuple[Any, Any]:
    """Return the distance of the lower and upper limits of the appendix's formulas from the exact ones."""
    count = ta.ErrorCount(m, n)
    near = handbook_as_printed(count) if as_printed else ta.estimate(count, method="jeffreys-handbook").interval
    exact = limits("Jeffreys", m, n)
    return np.abs(near.low - exact[0]), np.abs(near.high - exact[1])


def _worst_error(off: Any, m: Any, n: Any) -> tuple[float, str]:
    index = int(np.argmax(off))
    return float(off[index]), f"M = {n[index]}, m = {m[index]}"


def approximations(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Show the accuracy of the formulas of the appendix, corrected and as printed."""
    return Shown(
        lines=(
            *_approximation_claims(),
            *_find_misprints(),
            _alternative_limit(),
            _mirror_limit(),
            *_incomplete_beta(),
        ),
        pictures=(_draw_limits(),),
        tables=(_variant_table(), _beyond_paper()),
        notes=(
            "Exact limits are quantiles of Jeffreys' Beta distribution. The appendix approximates them by a formula of"
            " Abramowitz and Stegun for 5 < m < M − 5, and by fitted curves for m ≤ 5. We use its grid: M = 10,"
            " 20, …, 200 and m = 0 to M/2.",
            "Three of the printed formulas are wrong, one of them in two places. Each is evaluated as printed; the"
            " claims of accuracy are tested with the corrected formulas, which give the printed deviations at the"
            " printed M and m.",
            "The fitted curves are cubics in ln M for M = 10 to 200 and 95% limits. For larger M they are inaccurate,"
            " as the last table shows. They are no longer needed: exact quantiles take microseconds.",
        ),
    )


def _approximation_claims() -> tuple[Line, ...]:
    m, n = fitted_grid()
    low, high = _distance_off(m, n)
    (upper, above), (lower, below) = _worst_error(high, m, n), _worst_error(low, m, n)
    excess = high - (0.00035 + 0.07 / n)
    over, where = _worst_error(excess, m, n)
    return (
        compared("largest deviation, upper limit", "0.0046", upper),
        claimed("where, upper limit", "M = 10, m = 4", above == "M = 10, m = 4", above),
        claimed(
            "bound, upper limit",
            "below 0.00035 + 0.07/M",
            np.all(excess < 0),
            f"exceeded in {int((excess > 0).sum())} of {m.size:,} cells, by {over:.5f} at {where}",
            reason="It fails in one cell, in the fifth digit; the text says only that it appeared to hold.",
        ),
        compared(
            "largest deviation, lower limit",
            "0.0033",
            lower,
            reason="M and m are right, but the last digit should be 2: 0.0032.",
        ),
        claimed("where, lower limit", "M = 20, m = 5", below == "M = 20, m = 5", below),
        claimed(
            "bound, lower limit",
            "below 0.00078 + 1/M²",
            np.all(low <= 0.00078 + 1.0 / n**2),
            f"in all {m.size:,} cells",
        ),
    )


def _find_misprints() -> tuple[Line, ...]:
    m, n = fitted_grid(20, 6)
    right, wrong = (max(float(end.max()) for end in _distance_off(m, n, as_printed=each)) for each in (False, True))
    few, many = fitted_grid(10, 1, 5)
    constant, index = _worst_error(_distance_off(few, many, as_printed=True)[1], few, many)
    log = math.log(200)
    none = math.exp(0.132893 - 0.539755 * log + 0.093773 * log**2 + 0.00657 * log**3)
    exact = float(limits("Jeffreys", 0, 200)[1])
    return (
        claimed(
            "Abramowitz and Stegun's inverse",
            "very accurate for 5 < m < M − 5",
            right < 0.001,
            f"largest error {right:.5f} with the formula corrected",
        ),
        claimed(
            "the same as printed",
            "τ = a/(a + b exp(ω₂ ∓ ω₁)), ω₂ = (λ + 5/6 + 2/(3h))t",
            wrong < 0.001,
            f"largest error {wrong:.3f}",
            reason=_HANDBOOK,
        ),
        claimed(
            "upper limit of 1 to 5 errors, as printed",
            "A_m = 0.237901 + 0.207148 m − …",
            constant < 0.0047,
            f"largest error {constant:.4f}, at {index}",
            reason=_CONSTANT,
        ),
        claimed(
            "upper limit of no errors, as printed",
            "exp[b₀ − b₁ ln M − b₂ (ln M)² + b₃ (ln M)³], b₂ = −0.093773",
            none < 0.02,
            f"{none:.2f} after no errors in 200 examples; the exact limit is {exact:.5f}",
            reason=_SIGN,
        ),
    )


def _alternative_limit() -> Line:
    """Return equation 3, as printed, compared with Wilson's limits."""
    pairs = np.array([(m, n) for n in range(1, 201) for m in range(n + 1)]).T
    m, n = pairs
    e, z = m / n, 1.959963984540054
    k1 = (1 - 2 * e) * z**2 / (1 + z**2 / n)
    k2 = (z / (2 * (n + z**2))) ** 2 * (1 - 4 * e * (1 - e) * (2 + z**2 / n))
    reach = z * np.sqrt(e * (1 - e) / n + k2)
    wilson = limits("alternative", m, n)
    off = max(np.abs(e + k1 / (2 * n) + side * reach - wilson[end]).max() for end, side in ((0, -1), (1, 1)))
    return claimed("equation 3", "centre e + k₁/(2M), spread s′", off < 1e-12, f"Wilson's score interval, to {off:.1g}")


def _mirror_limit() -> Line:
    m, n = fitted_grid()
    here, there = limits("Jeffreys", m, n), limits("Jeffreys", n - m, n)
    off = float(np.abs(here[0] - (1 - there[1])).max())
    return claimed("mirror image", "lcl(M, m) = 1 − ucl(M, M − m)", off < 1e-12, f"largest difference {off:.1g}")


def _incomplete_beta() -> tuple[Line, ...]:
    """Return whether the authors' series and recurrence for exact limits are right."""
    from scipy.special import betainc, betaln

    m, x = np.arange(11.0)[:, None], np.array([0.05, 0.2, 0.5])
    u, v, i = m + 0.5, 10.5 - m, np.arange(100)[:, None, None]
    terms = np.exp(betaln(u + 1, i + 1) - betaln(u + v, i + 1)) * x ** (i + 1)
    series = x**u * (1 - x) ** v / u * np.exp(-betaln(u, v)) * (1 + terms.sum(axis=0))
    exact = ta.posterior(ta.ErrorCount(m.astype(int), np.full(m.shape, 10))).cdf(x)
    off = float(np.abs(series - exact).max())
    u, v = u + 1, v + 1  # so that u − 1 and v − 1 are valid parameters
    step = float(np.abs(betainc(u, v, x) - x * betainc(u - 1, v, x) - (1 - x) * betainc(u, v - 1, x)).max())
    return (
        claimed(
            "equation 7",
            "a series for I(x, m + 0.5, M − m + 0.5)",
            off < 1e-12,
            f"largest difference {off:.1g}, M = 10",
        ),
        claimed(
            "recurrence",
            "I(x, u, v) = x I(x, u − 1, v) + (1 − x) I(x, u, v − 1)",
            step < 1e-12,
            f"largest difference {step:.1g}",
        ),
    )


def _variant_table() -> Table:
    m, n = fitted_grid(20, 6)
    exact = limits("Jeffreys", m, n)
    by_error: Mapping[tuple[float, float], str] = {
        (1, 1): "as printed",
        (1, -1): "sign corrected",
        (2, 1): "factor corrected",
        (2, -1): "both corrected",
    }
    rows = []
    for (factor, sign), name in by_error.items():
        near = inverse_beta(m, n, 1.96, factor=factor, sign=sign)
        rows.append((name, *(f"{float(np.abs(near[end] - exact[end]).max()):.5f}" for end in (0, 1))))
    head = ("formula", "largest deviation, lower limit", "upper limit")
    return Table.of("The handbook's inverse, M = 20 to 200, 5 < m ≤ M/2", head, rows)


def _beyond_paper() -> Table:
    trials = np.array([10, 100, 200, 1000, 10_000, 100_000])
    near = ta.estimate(ta.ErrorCount(np.zeros_like(trials), trials), method="jeffreys-handbook").interval.high
    exact = limits("Jeffreys", np.zeros_like(trials), trials)[1]
    rows = [(int(n), f"{a:.6f}", f"{b:.6f}") for n, a, b in zip(trials, near, exact, strict=True)]
    return Table.of("The upper limit of no errors beyond M = 200", ("examples", "fitted curve", "exact"), rows)


def _draw_limits() -> Any:
    sizes = np.arange(10, 201, 10)
    values_by_name: dict[str, list[float]] = {"corrected": [], "as printed": []}
    for size in sizes:
        m = np.arange(1, size // 2 + 1)
        for name, as_printed in (("corrected", False), ("as printed", True)):
            values_by_name[name].append(float(_distance_off(m, np.full_like(m, size), as_printed=as_printed)[1].max()))
    series = [Series(f"largest deviation, {name}", sizes, each, "points") for name, each in values_by_name.items()]
    return plotted(
        "Distance of the formulas of appendix A.3 from the exact upper limits",
        "The deviation of the corrected formulas falls from 0.005 at 10 examples to below 0.001 at 200, along the"
        " bound; that of the printed ones is 7 to 70 times as large.",
        [*series, Series("bound, 0.00035 + 0.07/M", sizes, 0.00035 + 0.07 / sizes)],
        x="examples",
        y="deviation, one error or more",
        log="y",
    )
