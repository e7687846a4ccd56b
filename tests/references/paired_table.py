"""Reference numbers for two classifiers on one test set, in 70-digit arithmetic.

Writes `paired_table_intervals.csv` and `paired_table_tests.csv` beside this file, to 20 significant
digits. It needs mpmath and the functions of `error_count_intervals.py` (the incomplete Beta function,
Wilson's, Clopper and Pearson's and the mid-p limits), and takes about two minutes:

    python tests/references/paired_table.py

Nothing here is fast or clever on purpose: score intervals are found by bisection, the constrained
estimate of the ratio from the likelihood itself, the unconditional test by a fine grid and a golden
section over exact fractions. All of it is independent of the package. Before it writes, the script
recomputes numbers printed in the literature and stops if one differs.

A table is (both wrong, only A wrong, only B wrong, both right), and the difference error(A) - error(B).
`alpha` is the binary number that the float is. With `sign` -1 a function gives the lower limit, with
+1 the upper; z is the normal quantile that leaves the part of alpha spent on that side above it.
"""

import csv
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from pathlib import Path

from error_count_intervals import beta_below, clopper_pearson, mid_p, normal_quantile, wilson
from mpmath import mp, mpf

DIGITS = 20
Table = tuple[int, int, int, int]
Bound = Callable[[Table, mpf, int], mpf]  # table, tail, sign


class NotDefinedHere(Exception):
    """The paper gives no such form, or it is 0/0: no row is written."""


def normal_above(z: mpf) -> mpf:
    """Return the probability of a standard normal variable above z."""
    return mp.erfc(z / mp.sqrt(2)) / 2


def bisect(falling: Callable[[mpf], mpf], low: mpf, high: mpf) -> mpf:
    """Return where a function crosses from positive to negative, to 55 digits."""
    while high - low > mpf(10) ** -55 * max(abs(low), abs(high)) and high - low > mpf(10) ** -90:
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


# --- Scores of the difference --------------------------------------------------------------------


def constrained(table: Table, delta: mpf) -> mpf:
    """Return the estimate of P(only B wrong) where the difference is delta (Tango 1998)."""
    _, b, c, _ = table
    n = sum(table)
    w = -b - c + (2 * n - b + c) * delta
    return (mp.sqrt(w**2 + 8 * n * c * delta * (1 - delta)) - w) / (4 * n)


def tango_score(table: Table, delta: mpf) -> mpf:
    """Return the score at delta; where nothing is left over nothing, it is 0."""
    _, b, c, _ = table
    n = sum(table)
    above = b - c - n * delta
    below = n * (2 * constrained(table, delta) + delta * (1 - delta))
    if abs(above) < mpf(10) ** -60:
        return mpf(0)
    return above / mp.sqrt(below) if below > 0 else mp.sign(above) * mp.inf


def corrected_score(table: Table, delta: mpf) -> mpf:
    """Return Tango's score with the variance times n/(n-1)."""
    n = sum(table)
    return mpf(0) if n == 1 else tango_score(table, delta) * mp.sqrt(mpf(n - 1) / n)


def skewness(table: Table, delta: mpf) -> mpf:
    """Return mu3 / (6 V^1.5) of the mean of W in {1, 0, -1} under the constrained estimate."""
    n = sum(table)
    minus = constrained(table, delta)
    plus = minus + delta
    variance = (2 * minus + delta * (1 - delta)) / (n - 1)
    third = (plus * (1 - delta) ** 3 - minus * (1 + delta) ** 3 - (1 - plus - minus) * delta**3) / mpf(n) ** 2
    return third / (6 * variance ** mpf(1.5)) if variance > 0 else mpf(0)


def scas_score(table: Table, delta: mpf) -> mpf:
    """Return the score corrected for skewness: s x^2 + x = Z + s (Laud 2017, 2025)."""
    z = corrected_score(table, delta)
    if sum(table) == 1 or not mp.isfinite(z):
        return z
    s = skewness(table, delta)
    if s == 0:
        return z
    inside = 1 + 4 * s * (s + z)
    if inside < 0:
        return -1 / (2 * s)
    return 2 * (s + z) / (1 + mp.sqrt(inside))  # (-1 + root)/(2 s), without the difference


def inverted(score: Callable[[Table, mpf], mpf]) -> Bound:
    """Return the difference at which the score is z (lower limit) or -z (upper).

    Every score falls in delta, with one exception: without disagreements the skewness-corrected one
    jumps up at 0, so each limit is sought on its own side.
    """

    def bound(table: Table, tail: mpf, sign: int) -> mpf:
        a, b, c, d = table
        n = sum(table)
        if sign < 0:  # the mirror image
            return -bound((a, c, b, d), tail, +1)
        if b == n or (n == 1 and score is not tango_score):
            return mpf(1)
        z = normal_quantile(tail)
        if z == 0 and (b == c or score is not scas_score):
            return mpf(b - c) / n
        low = mpf(0) if b == c == 0 else mpf(-1)
        return bisect(lambda delta: score(table, delta) + z, low, mpf(1))

    return bound


# --- Closed forms for the difference -------------------------------------------------------------


def phi(table: Table) -> mpf:
    """Return the correlation of the errors with Newcombe's correction (1998, method 10)."""
    a, b, c, d = table
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    discordant = mpf(a * d - b * c)
    if margins == 0:
        return mpf(0)
    if discordant >= 0:
        discordant = max(discordant - mpf(sum(table)) / 2, mpf(0))
    return discordant / mp.sqrt(margins)


def newcombe(table: Table, z: mpf, sign: int) -> mpf:
    """Square and add the distances to Wilson's limits."""
    a, b, c, _ = table
    n = sum(table)
    first = abs(wilson(a + b, n, z, sign) - mpf(a + b) / n)
    second = abs(wilson(a + c, n, z, -sign) - mpf(a + c) / n)
    return mpf(b - c) / n + sign * mp.sqrt(first**2 - 2 * phi(table) * first * second + second**2)


def bonett_price(table: Table, z: mpf, sign: int) -> mpf:
    """Laplace's rule on the two kinds of disagreement, then Wald."""
    _, b, c, _ = table
    n = sum(table) + 2
    p, q = mpf(b + 1) / n, mpf(c + 1) / n
    return p - q + sign * z * mp.sqrt((p + q - (p - q) ** 2) / n)


def wald(table: Table, z: mpf, sign: int) -> mpf:
    """Mean of W and its plug-in standard error; the cells may be halves."""
    _, b, c, _ = table
    n = sum(table)
    return (b - c) / mpf(n) + sign * z * mp.sqrt(b + c - mpf(b - c) ** 2 / n) / n


def agresti_min(table: Table, z: mpf, sign: int) -> mpf:
    """Wald after one half more in each cell."""
    return wald(tuple(cell + mpf(1) / 2 for cell in table), z, sign)


def in_tail(formula: Callable[[Table, mpf, int], mpf]) -> Bound:
    """Let a formula in z be asked by its tail, and cut its limits off at -1 and 1."""

    def bound(table: Table, tail: mpf, sign: int) -> mpf:
        return min(max(formula(table, normal_quantile(tail), sign), mpf(-1)), mpf(1))

    return bound


# --- Odds and reduction --------------------------------------------------------------------------


def odds(limit: Callable[[int, int, mpf, int], mpf]) -> Bound:
    """Turn limits of the share of A among lone errors into limits of its odds."""

    def bound(table: Table, tail: mpf, sign: int) -> mpf:
        _, b, c, _ = table
        if (sign < 0 and b == 0) or (sign > 0 and c == 0):
            return mpf(0) if sign < 0 else mp.inf
        if sign > 0:  # from the small side: 1 - p would lose the digits
            return 1 / bound((0, c, b, 0), tail, -1)
        share = limit(b, b + c, tail, sign)
        return share / (1 - share)

    return bound


def lone_errors(table: Table, ratio: mpf) -> mpf:
    """Return n times the likeliest P(only A) + P(only B) where error(B) = ratio error(A).

    The share of the table where both are right stays as observed. The rest, r11 + r10 + r01 = 1, has
    one degree of freedom u = r10 left: r01 = (u + ratio - 1)/ratio, r11 = (1 - (1 + ratio) u)/ratio.
    The derivative of the log likelihood, times its denominators, is a quadratic in u.
    """
    both, only_a, only_b, _ = table
    m = both + only_a + only_b
    two = -(1 + ratio) * m
    one = (1 - ratio**2) * (both + only_a) + only_a + only_b
    u = (-one - mp.sqrt(max(one**2 - 4 * two * only_a * (ratio - 1), mpf(0)))) / (2 * two)
    u = min(max(u, 1 - ratio, mpf(0)), 1 / (1 + ratio))
    return m * (u + (u + ratio - 1) / ratio)


def likeliest(table: Table, ratio: mpf) -> mpf:
    """Return the same by looking for the largest likelihood, without any algebra on it."""
    both, only_a, only_b, _ = table
    low, high = max(1 - ratio, mpf(0)), 1 / (1 + ratio)

    def likelihood(u: mpf) -> mpf:
        cells = ((both, 1 - (1 + ratio) * u), (only_a, u), (only_b, u + ratio - 1))
        return sum(count * mp.log(p) for count, p in cells if count)

    section = (mp.sqrt(5) - 1) / 2
    while high - low > mpf(10) ** -30:
        left, right = high - section * (high - low), low + section * (high - low)
        if likelihood(left) > likelihood(right):
            high = right
        else:
            low = left
    u = (low + high) / 2
    return (both + only_a + only_b) * (u + (u + ratio - 1) / ratio)


def ratio_score(table: Table, ratio: mpf) -> mpf:
    """Return (x_B - ratio x_A) over its standard error: Var = n ratio (p10 + p01)."""
    both, only_a, only_b, _ = table
    above = both + only_b - ratio * (both + only_a)
    below = ratio * lone_errors(table, ratio)
    if above == 0:
        return mpf(0)
    return above / mp.sqrt(below) if below > 0 else mp.sign(above) * mp.inf


def reduction(table: Table, tail: mpf, sign: int) -> mpf:
    """Return 1 - error(B)/error(A) at which the score of the ratio is z or -z."""
    both, only_a, only_b, _ = table
    if sign < 0 and both + only_a == 0:
        return mp.ninf
    if sign > 0 and both + only_b == 0:
        return mpf(1)
    z = -sign * normal_quantile(tail)  # the ratio's upper limit is the reduction's lower
    if z == 0:
        return 1 - mpf(both + only_b) / (both + only_a) if both + only_a else mp.ninf
    low = high = mpf(0)  # logarithms of the ratio
    while ratio_score(table, mp.exp(low)) <= -z:
        low -= 1 + abs(low)
    while ratio_score(table, mp.exp(high)) >= -z:
        high += 1 + abs(high)
    return -mp.expm1(bisect(lambda log: ratio_score(table, mp.exp(log)) + z, low, high))


# --- Tests ---------------------------------------------------------------------------------------

ALTERNATIVES = ("two-sided", "greater", "less")
Answer = tuple[mpf | None, mpf]  # statistic, p-value


def normal_pvalue(z: mpf, alternative: str) -> mpf:
    """Return the p-value of a z that is large where error(A) exceeds error(B)."""
    if alternative == "two-sided":
        return 2 * normal_above(abs(z))
    return normal_above(z if alternative == "greater" else -z)


def signed_root(table: Table, correction: int = 0) -> mpf:
    """Return (b - c)/sqrt(b + c), its size lessened by the correction but never below 0."""
    _, b, c, _ = table
    if b + c == 0:
        return mpf(0)
    return mp.sign(b - c) * max(abs(b - c) - correction, 0) / mp.sqrt(b + c)


def mcnemar(table: Table, alternative: str) -> Answer:
    """Uncorrected."""
    z = signed_root(table)
    return z**2, normal_pvalue(z, alternative)


def mcnemar_corrected(table: Table, alternative: str) -> Answer:
    """Corrected for continuity, but never beyond 0."""
    z = signed_root(table, 1)
    return z**2, normal_pvalue(z, alternative)


def mcnemar_printed(table: Table, alternative: str) -> Answer:
    """Dietterich's form: (|b - c| - 1)^2/(b + c), whatever b - c is; two-sided."""
    _, b, c, _ = table
    if alternative != "two-sided" or b + c == 0:
        raise NotDefinedHere
    square = mpf((abs(b - c) - 1) ** 2) / (b + c)
    return square, normal_pvalue(mp.sqrt(square), alternative)


@cache
def tails(b: int, c: int) -> tuple[mpf, mpf, mpf]:
    """Return P(X < b), P(X = b) and P(X > b) of b + c tosses of a fair coin."""
    n = b + c
    if n <= 2000:
        weights = [comb(n, k) for k in range(n + 1)]
        parts = sum(weights[:b]), weights[b], sum(weights[b + 1 :])
        return tuple(mpf(part) / mpf(2) ** n for part in parts)
    exactly = mp.exp(mp.loggamma(n + 1) - mp.loggamma(b + 1) - mp.loggamma(c + 1) - n * mp.log(2))
    above = beta_below(mpf(b + 1), mpf(c), mpf(0)) if c else mpf(0)
    below = beta_below(mpf(c + 1), mpf(b), mpf(0)) if b else mpf(0)
    return below, exactly, above


def mcnemar_exact(table: Table, alternative: str) -> Answer:
    """Count the tosses at least as far out."""
    _, b, c, _ = table
    below, exactly, above = tails(b, c)
    one = {"greater": above + exactly, "less": below + exactly}
    return None, min(2 * min(one.values()), mpf(1)) if alternative == "two-sided" else one[alternative]


def mcnemar_mid_p(table: Table, alternative: str) -> Answer:
    """Count half of what is exactly as far out."""
    _, b, c, _ = table
    below, exactly, above = tails(b, c)
    one = {"greater": above + exactly / 2, "less": below + exactly / 2}
    return None, 2 * min(one.values()) if alternative == "two-sided" else one[alternative]


def mcnemar_unconditional(table: Table, alternative: str) -> Answer:
    """Take the largest probability, over the disagreement rate, of a root at least as far out.

    How far out (b - c)/sqrt(b + c) is, is compared in whole numbers, so no tie is missed.
    """
    _, b, c, _ = table
    n, seen = sum(table), b + c

    def squared(only_a: int, only_b: int) -> Fraction:
        """Return the signed square of the root."""
        discordant = only_a - only_b
        return Fraction(discordant * abs(discordant), only_a + only_b) if discordant else Fraction(0)

    def as_far(only_a: int, only_b: int) -> bool:
        here, there = squared(only_a, only_b), squared(b, c)
        if alternative == "two-sided":
            return abs(here) >= abs(there)
        return here >= there if alternative == "greater" else here <= there

    if alternative == "two-sided" and (seen == 0 or b == c):
        return None, mpf(1)
    shares = [mpf(sum(comb(t, k) for k in range(t + 1) if as_far(k, t - k))) / 2**t for t in range(n + 1)]

    def probability(theta: mpf) -> mpf:
        return sum(comb(n, t) * theta**t * (1 - theta) ** (n - t) * share for t, share in enumerate(shares) if share)

    steps = 400
    grid = [probability(mpf(k) / steps) for k in range(steps + 1)]
    best = max(range(steps + 1), key=grid.__getitem__)
    low, high = mpf(max(best - 1, 0)) / steps, mpf(min(best + 1, steps)) / steps
    section = (mp.sqrt(5) - 1) / 2
    while high - low > mpf(10) ** -14:  # a maximum is flat: this gives it to 25 digits
        left, right = high - section * (high - low), low + section * (high - low)
        if probability(left) > probability(right):
            high = right
        else:
            low = left
    return None, max(grid[0], grid[-1], probability((low + high) / 2))


def proportions(*, paired: bool, correction: int) -> Callable[[Table, str], Answer]:
    """Return Dietterich's z: the difference over the standard error of two samples, or of pairs."""

    def test(table: Table, alternative: str) -> Answer:
        a, b, c, _ = table
        n = sum(table)
        if paired:
            z = signed_root(table, correction)
        else:
            p = mpf(2 * a + b + c) / (2 * n)
            discordant = mp.sign(b - c) * mpf(max(abs(b - c) - correction, 0)) / n
            z = discordant / mp.sqrt(2 * p * (1 - p) / n) if discordant else mpf(0)
        return z, normal_pvalue(z, alternative)

    return test


def two_se(table: Table, alternative: str) -> Answer:
    """Divide by the standard error of one error rate, which is that of the difference at correlation 1/2."""
    a, b, c, _ = table
    n = sum(table)
    p = mpf(2 * a + b + c) / (2 * n)
    z = mpf(b - c) / n / mp.sqrt(p * (1 - p) / n) if b != c else mpf(0)
    return abs(z), normal_pvalue(z, alternative)


def two_intervals(table: Table, alternative: str) -> Answer:
    """Yang's comparison of two intervals, each at half of alpha; two-sided."""
    a, b, c, _ = table
    n = sum(table)
    p, q = mpf(a + b) / n, mpf(a + c) / n
    if alternative != "two-sided" or n in (b, c):
        raise NotDefinedHere
    z = abs(p - q) * mp.sqrt(n) / (mp.sqrt(p * (1 - p)) + mp.sqrt(q * (1 - q))) if b != c else mpf(0)
    return None, min(4 * normal_above(z), mpf(1))


def dirichlet(kappa: mpf) -> Callable[[Table, str], Answer]:
    """Return P(Beta(b + kappa, c + kappa) > 1/2), and the tails."""

    def test(table: Table, alternative: str) -> Answer:
        _, b, c, _ = table
        better = beta_below(c + kappa, b + kappa, mpf(0))
        one = {"greater": beta_below(b + kappa, c + kappa, mpf(0)), "less": better}
        return better, 2 * min(one.values()) if alternative == "two-sided" else one[alternative]

    return test


def against(score: Callable[[Table, mpf], mpf], null: float) -> Callable[[Table, str], Answer]:
    """Test whether the difference is the one named."""

    def test(table: Table, alternative: str) -> Answer:
        z = score(table, mpf(null))
        return z, normal_pvalue(z, alternative)

    return test


# --- The tables ----------------------------------------------------------------------------------

BOUNDS: dict[str, Bound] = {
    "tango": inverted(tango_score),
    "tango-bcf": inverted(corrected_score),
    "scas-paired": inverted(scas_score),
    "newcombe-paired": in_tail(newcombe),
    "bonett-price": in_tail(bonett_price),
    "agresti-min": in_tail(agresti_min),
    "wald-paired": in_tail(wald),
    "odds-exact": odds(clopper_pearson),
    "odds-mid-p": odds(mid_p),
    "reduction-score": reduction,
}
RANGES = {"odds-exact": (mpf(0), mp.inf), "odds-mid-p": (mpf(0), mp.inf), "reduction-score": (mp.ninf, mpf(1))}
NULLS = (0.0, -0.1, 0.06, -0.01, 0.45)
SCORES = {"tango": tango_score, "tango-bcf": corrected_score, "scas-paired": scas_score}
TESTS: dict[str, Callable[[Table, str], Answer]] = {
    "mcnemar": mcnemar,
    "mcnemar-corrected": mcnemar_corrected,
    "mcnemar_as_printed": mcnemar_printed,
    "mcnemar-exact": mcnemar_exact,
    "mcnemar-mid-p": mcnemar_mid_p,
    "mcnemar-unconditional": mcnemar_unconditional,
    "difference-of-proportions": proportions(paired=False, correction=0),
    "proportions_as_printed variance='independent'": proportions(paired=False, correction=1),
    "proportions_as_printed continuity=False": proportions(paired=True, correction=0),
    "proportions_as_printed": proportions(paired=True, correction=1),
    "two-se": two_se,
    "two-intervals": two_intervals,
    "dirichlet": dirichlet(mpf(1) / 2),
    "dirichlet kappa=1.0": dirichlet(mpf(1)),
    "dirichlet kappa=0.01": dirichlet(mpf(0.01)),
    **{f"{name} against={null!r}": against(SCORES[name], null) for name, null in product(SCORES, NULLS)},
}

CELLS = ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right")
BILLION = 10**9
SMALL: tuple[Table, ...] = (
    (0, 0, 0, 1),
    (1, 0, 0, 0),
    (0, 1, 0, 0),
    (0, 0, 1, 0),
    (0, 1, 1, 0),
    (0, 0, 2, 3),
    (3, 0, 0, 7),
    (0, 10, 0, 0),
    (0, 0, 10, 0),
    (2, 8, 0, 0),
    (1, 0, 3, 6),
    (0, 5, 5, 0),
    (8, 3, 1, 2),
    (1, 1, 7, 12),
    (4, 9, 3, 16),
    (43, 0, 1, 0),
    (20, 12, 2, 16),
)
MEDIUM: tuple[Table, ...] = (
    (53, 16, 8, 9),
    (20, 25, 10, 45),
    (0, 40, 60, 0),
    (40, 0, 20, 40),
    (0, 0, 0, 100),
    (50, 0, 0, 50),
    (59, 6, 16, 80),
    (100, 300, 250, 350),
    (10, 1, 0, 989),
    (446, 5, 16, 690),
)
LARGE: tuple[Table, ...] = (
    (0, 0, 0, BILLION),
    (BILLION // 2, 0, 0, BILLION // 2),
    (0, BILLION, 0, 0),
    (0, 0, 1, BILLION - 1),
    (3, 5, 0, BILLION - 8),
    (10**8, 30_000, 29_000, 9 * 10**8 - 59_000),
    (2 * 10**8, 3 * 10**8, 3 * 10**8, 2 * 10**8),
    (2 * 10**8, 3 * 10**8, 3 * 10**8 - 10**5, 2 * 10**8 + 10**5),
    (1, 10**6, 10**6 + 3000, BILLION - 2_003_001),
)
SIDES = ("upper", "lower")
ALPHAS = (0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12)

# Limits printed in the literature: method, table, alpha, limits. Bentur and others 2009 by Fagerland,
# Lydersen and Laake 2014 and by the documentation of the R package ratesci 1.1 (which prints four
# decimals); Tango 1998; Agresti and Min 2005; Newcombe 1998; Tang and others 2003 and DelRocco and
# others 2023 (their ratio is ours with A and B exchanged: 1 - limit).
PUBLISHED = (
    ("tango", (1, 1, 7, 12), 0.05, "-0.5172", "-0.0260"),
    ("tango-bcf", (1, 1, 7, 12), 0.05, "-0.5226", "-0.0183"),
    ("scas-paired", (1, 1, 7, 12), 0.05, "-0.5281", "-0.0184"),
    ("newcombe-paired", (1, 1, 7, 12), 0.05, "-0.5069", "-0.0256"),
    ("wald-paired", (1, 1, 7, 12), 0.05, "-0.5197", "-0.0517"),
    ("agresti-min", (1, 1, 7, 12), 0.05, "-0.4932", "-0.0285"),
    ("bonett-price", (1, 1, 7, 12), 0.05, "-0.5084", "-0.0134"),
    ("odds-mid-p", (1, 1, 7, 12), 0.05, "0.006", "0.924"),
    ("odds-exact", (1, 1, 7, 12), 0.05, "0.003", "1.112"),
    ("tango", (4, 9, 3, 16), 0.05, "-0.027", "0.390"),
    ("tango", (43, 0, 1, 0), 0.10, "-0.096", "0.037"),
    ("tango", (53, 16, 8, 9), 0.05, "-0.020", "0.207"),
    ("newcombe-paired", (20, 12, 2, 16), 0.05, "0.0562", "0.3292"),
    ("tango", (8, 3, 1, 2), 0.05, "-0.1670", "0.4327"),
    ("newcombe-paired", (8, 3, 1, 2), 0.05, "-0.1574", "0.4136"),
    ("tango", (7, 25, 2, 68), 0.05, "0.139", "0.321"),
    ("reduction-score", (1, 7, 1, 12), 0.05, "0.0931", "0.9347"),
    ("reduction-score", (446, 16, 5, 690), 0.10, "0.008", "0.042"),
    ("reduction-score", (43, 1, 0, 0), 0.10, "-0.039", "0.096"),
)


def interval(method: str, table: Table, alpha: float, side: str) -> tuple[mpf, mpf]:
    """Return both limits; a one-sided interval ends where the parameter's range does."""
    bound, (least, most) = BOUNDS[method], RANGES.get(method, (mpf(-1), mpf(1)))
    tail = mpf(alpha) if side != "two" else mpf(alpha) / 2
    return (
        least if side == "upper" else bound(table, tail, -1),
        most if side == "lower" else bound(table, tail, +1),
    )


def interval_questions() -> Iterator[tuple[str, Table, float, str]]:
    """Give what to ask: method, table, alpha and side."""
    for method, table in product(BOUNDS, SMALL + MEDIUM + LARGE):
        for alpha in ALPHAS:
            yield method, table, alpha, "two"
        for alpha, side in product((0.05, 1e-12) if without_median(method, table) else (0.5, 0.05, 1e-12), SIDES):
            yield method, table, alpha, side


def without_median(method: str, table: Table) -> bool:
    """Whether a bound at level 1/2 is no number worth a reference: at an end of the range, or 0 divided by 0."""
    _, b, c, _ = table
    if method == "odds-mid-p":
        return b == 0 or c == 0
    return (method == "scas-paired" and b == c == 0) or (method.endswith(("-bcf", "scas-paired")) and sum(table) == 1)


def test_answers() -> Iterator[tuple[str, Table, str, Answer]]:
    """Give test, table, alternative and answer."""
    for name, table, alternative in product(TESTS, SMALL + MEDIUM + LARGE, ALTERNATIVES):
        if name == "mcnemar-unconditional" and sum(table) > 60:
            continue
        try:
            yield name, table, alternative, TESTS[name](table, alternative)
        except NotDefinedHere:
            continue


def check_published() -> None:
    """Stop if a limit differs from the printed one in its last decimal, or two ways to a number do."""
    for method, table, alpha, *printed in PUBLISHED:
        for ours, theirs in zip(interval(method, table, alpha, "two"), printed, strict=True):
            if abs(ours - mpf(theirs)) > mpf("0.5001") * mpf(10) ** -len(theirs.partition(".")[2]):
                raise ArithmeticError(f"{method} of {table}: {ours}, printed {theirs}")
    for table, ratio in product(((1, 7, 1, 12), (8, 1, 3, 2), (5, 0, 2, 9), (5, 0, 0, 9)), ("0.3", "0.9", "1.2", "5")):
        if abs(lone_errors(table, mpf(ratio)) - likeliest(table, mpf(ratio))) > mpf(10) ** -25:
            raise ArithmeticError(f"the constrained estimate of {table} at {ratio}")
    if abs(mcnemar_unconditional((1, 1, 7, 12), "two-sided")[1] - mpf("0.0353160272")) > mpf(10) ** -10:
        raise ArithmeticError("the unconditional test of Bentur and others")


def text(number: mpf | None) -> str:
    """Write all digits; nothing where there is no number."""
    return "" if number is None else mp.nstr(number, DIGITS).replace("+inf", "inf")


def main() -> None:
    """Check the published numbers, then write both tables."""
    check_published()
    here = Path(__file__)
    with here.with_name("paired_table_intervals.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["method", *CELLS, "alpha", "side", "low", "high"])
        for method, table, alpha, side in interval_questions():
            writer.writerow([method, *table, repr(alpha), side, *map(text, interval(method, table, alpha, side))])
    with here.with_name("paired_table_tests.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["method", *CELLS, "alternative", "statistic", "pvalue"])
        for name, table, alternative, (statistic, pvalue) in test_answers():
            writer.writerow([name, *table, alternative, text(statistic), text(pvalue)])


if __name__ == "__main__":
    main()
