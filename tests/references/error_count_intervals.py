"""Reference numbers for the intervals of one error rate, in 70-digit arithmetic.

Writes `error_count_intervals.csv` beside this file: for many methods, counts and levels, the
limits of the confidence interval for the error rate after `errors` errors in `trials` trials, to
20 significant digits. It needs mpmath and nothing else, and takes about a minute:

    python tests/references/error_count_intervals.py

Nothing here is fast or clever on purpose. The incomplete Beta function is one continued fraction,
every root is found by Newton's steps on a log scale, and all of it is independent of the package.
Before it writes, the script recomputes limits printed in the literature and stops if one differs.

A level is the binary number that the float is, so alpha = 1 - level is exact. A one-sided bound
spends all of alpha on its side; its other end is the end of the range, 0 or 1.

With `sign` -1 a function gives the lower limit, with +1 the upper. `tail` is the part of alpha
spent on that side, and z the normal quantile that leaves `tail` above it. A rate is carried as its
log odds where it is solved for, so that neither x nor 1 - x is ever a small difference.
"""

import csv
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 70

ENOUGH = mpf(10) ** -45  # relative error at which the continued fraction stops
CLOSE = mpf(10) ** -23  # a residual from which one more Newton step is exact to 45 digits
DIGITS = 20

Bound = Callable[[int, int, mpf, int], mpf]  # errors, trials, tail, sign
Ends = tuple[mpf, mpf]


# --- Roots, the normal quantile and the incomplete Beta function ---------------------------------


def root(function: Callable, start: mpf, below: mpf = mp.ninf, above: mpf = mp.inf) -> mpf:
    """Solve function = 0 where it crosses from negative to positive; it returns value and slope.

    Newton's steps, and a bisection where a step would leave the bracket found so far.
    """
    point = start
    for _ in range(1000):
        value, slope = function(point)
        if value < 0:
            below = point
        else:
            above = point
        step = -value / slope if slope > 0 else mp.inf
        if abs(value) < CLOSE:
            return point + step
        point += step
        if not below < point < above:
            point = (below + above) / 2
    raise ArithmeticError(f"no root found from {start}")


@cache
def normal_quantile(tail: mpf) -> mpf:
    """Return the z that leaves `tail` above it."""
    if tail == mpf(1) / 2:
        return mpf(0)
    return mp.sqrt(2) * mp.erfinv(1 - 2 * tail)


def rate(logit: mpf) -> mpf:
    """Return the rate of these log odds."""
    return 1 / (1 + mp.exp(-logit))


@cache
def log_beta(a: mpf, b: mpf) -> mpf:
    """Return the logarithm of the Beta function."""
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def continued_fraction(a: mpf, b: mpf, x: mpf) -> mpf:
    """Return I(x; a, b) a B(a, b) / (x^a (1-x)^b), by the modified Lentz method.

    The fraction is Abramowitz and Stegun's 26.5.8, two of its steps in each turn.
    """
    c = mpf(1)
    d = 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for j in range(1, 10**6):
        even = j * (b - j) * x / ((a + 2 * j - 1) * (a + 2 * j))
        c, d = 1 + even / c, 1 / (1 + even * d)
        fraction *= c * d
        odd = -(a + j) * (a + b + j) * x / ((a + 2 * j) * (a + 2 * j + 1))
        c, d = 1 + odd / c, 1 / (1 + odd * d)
        fraction *= c * d
        if abs(c * d - 1) < ENOUGH:
            return fraction
    raise ArithmeticError(f"the continued fraction does not converge at {a}, {b}, {x}")


def beta_density(a: mpf, b: mpf, logit: mpf) -> mpf:
    """Return the density of the log odds of a Beta(a, b) variable: x^a (1-x)^b / B(a, b)."""
    return mp.exp(a * mp.log(rate(logit)) + b * mp.log(rate(-logit)) - log_beta(a, b))


def beta_below(a: mpf, b: mpf, logit: mpf) -> mpf:
    """Return the probability that a Beta(a, b) variable lies below, on the side that converges."""
    density = beta_density(a, b, logit)
    if rate(logit) < (a + 1) / (a + b + 2):
        return density * continued_fraction(a, b, rate(logit)) / a
    return 1 - density * continued_fraction(b, a, rate(-logit)) / b


@cache
def beta_logit(a: mpf, b: mpf, tail: mpf) -> mpf:
    """Return the log odds below which Beta(a, b) has probability `tail`, which is at most 1/2."""
    z = normal_quantile(tail)
    start = mp.log(a / b) - z * mp.sqrt(1 / a + 1 / b)
    if a > 1 and b > 1:  # Abramowitz and Stegun 26.5.22, to begin with
        ra, rb = 1 / (2 * a - 1), 1 / (2 * b - 1)
        h, curve = 2 / (ra + rb), (z**2 - 3) / 6
        w = z * mp.sqrt(h + curve) / h - (rb - ra) * (curve + mpf(5) / 6 - 2 / (3 * h))
        start = mp.log(a / b) - 2 * w

    def excess(logit: mpf) -> Ends:
        below = beta_below(a, b, logit)
        return mp.log(below / tail), beta_density(a, b, logit) / below

    return root(excess, start)


def beta_quantile(a: mpf, b: mpf, tail: mpf, sign: int) -> mpf:
    """Return the quantile with probability `tail` below (sign -1) or above it (sign +1)."""
    if sign < 0:
        return rate(beta_logit(mpf(a), mpf(b), tail))
    return rate(-beta_logit(mpf(b), mpf(a), tail))


# --- Methods that work out one limit at a time ---------------------------------------------------


def exact_ends(bound: Bound) -> Bound:
    """Make the lower limit 0 when nothing was wrong, and the upper 1 when everything was."""

    def bounded(errors: int, trials: int, tail: mpf, sign: int) -> mpf:
        if sign < 0 and errors == 0:
            return mpf(0)
        if sign > 0 and errors == trials:
            return mpf(1)
        return bound(errors, trials, tail, sign)

    return bounded


def posterior(u: float, v: float) -> Bound:
    """Quantiles of the posterior under the prior Beta(u, v)."""

    def bound(errors: int, trials: int, tail: mpf, sign: int) -> mpf:
        return beta_quantile(errors + mpf(u), trials - errors + mpf(v), tail, sign)

    return bound


@exact_ends
def clopper_pearson(errors: int, trials: int, tail: mpf, sign: int) -> mpf:
    """Quantiles of Beta(m, M-m+1) and Beta(m+1, M-m)."""
    if sign < 0:
        return beta_quantile(errors, trials - errors + 1, tail, sign)
    return beta_quantile(errors + 1, trials - errors, tail, sign)


@exact_ends
def mid_p(errors: int, trials: int, tail: mpf, sign: int) -> mpf:
    """Solve P(X > m) + P(X = m)/2 = tail; the upper limit is the mirror image."""
    if sign > 0:
        return 1 - mid_p(trials - errors, trials, tail, -1)
    if errors == trials:
        return (2 * tail) ** (mpf(1) / trials)
    shape = mpf(errors), mpf(trials - errors)

    def excess(logit: mpf) -> Ends:
        # x^m (1-x)^(M-m)/B(m, M-m) turns into P(X = m), and into both densities, by a factor.
        common = beta_density(*shape, logit)
        exactly = common * trials / (shape[0] * shape[1])
        above = beta_below(shape[0] + 1, shape[1], logit) + exactly / 2
        slope = common * (rate(logit) * trials / shape[0] + rate(-logit) * trials / shape[1]) / 2
        return mp.log(above / tail), slope / above

    return rate(root(excess, beta_logit(shape[0] + mpf(1) / 2, shape[1] + mpf(1) / 2, tail)))


def level_logit(p: mpf, q: mpf, drop: mpf, sign: int) -> mpf:
    """Return the log odds where p log x + q log(1-x) lies `drop` below its largest value."""
    if sign > 0:
        return -level_logit(q, p, drop, -1)
    top = mp.log(p / q)
    largest = p * mp.log(rate(top)) + q * mp.log(rate(-top))

    def excess(logit: mpf) -> Ends:
        here = p * mp.log(rate(logit)) + q * mp.log(rate(-logit))
        return here - largest + drop, p * rate(-logit) - q * rate(logit)

    return root(excess, top - mp.sqrt(2 * drop * (1 / p + 1 / q)))


@exact_ends
def likelihood_ratio(errors: int, trials: int, tail: mpf, sign: int) -> mpf:
    """Solve 2 log LR = z^2."""
    drop = normal_quantile(tail) ** 2 / 2
    if drop == 0:
        return mpf(errors) / trials
    if errors == 0:
        return -mp.expm1(-drop / trials)
    if errors == trials:
        return mp.exp(-drop / trials)
    return rate(level_logit(mpf(errors), mpf(trials - errors), drop, sign))


# --- Closed forms in z ---------------------------------------------------------------------------


def wilson(m: int, trials: int, z: mpf, sign: int) -> mpf:
    """Invert the score test."""
    root_term = mp.sqrt(mpf(m) * (trials - m) / trials + z**2 / 4)
    return (m + z**2 / 2 + sign * z * root_term) / (trials + z**2)


def wilson_cc(m: int, trials: int, z: mpf, sign: int) -> mpf:
    """Invert the score test with continuity correction (Newcombe 1998)."""
    p, n = mpf(m) / trials, mpf(trials)
    root_term = mp.sqrt(z**2 + sign * 2 - 1 / n + 4 * p * (n * (1 - p) - sign))
    return (2 * n * p + z**2 + sign * (1 + z * root_term)) / (2 * (n + z**2))


def agresti_coull(m: int, trials: int, z: mpf, sign: int) -> mpf:
    """Wald after z^2/2 more errors and as many successes, clipped."""
    n = trials + z**2
    p = (m + z**2 / 2) / n
    return min(max(p + sign * z * mp.sqrt(p * (1 - p) / n), mpf(0)), mpf(1))


def arcsine(m: int, trials: int, z: mpf, sign: int) -> mpf:
    """Anscombe's transformation, its angle clipped."""
    angle = mp.asin(mp.sqrt((m + mpf(3) / 8) / (trials + mpf(3) / 4)))
    angle += sign * z / (2 * mp.sqrt(trials))
    return mp.sin(min(max(angle, mpf(0)), mp.pi / 2)) ** 2


def logit(m: int, trials: int, z: mpf, sign: int) -> mpf:
    """Wald on the log odds, where there are any."""
    spread = mp.sqrt(mpf(trials) / (mpf(m) * (trials - m)))
    return rate(mp.log(mpf(m) / (trials - m)) + sign * z * spread)


def wald(m: int, trials: int, z: mpf, sign: int) -> mpf:
    """Give the textbook limits, which may leave [0, 1]."""
    p = mpf(m) / trials
    return p + sign * z * mp.sqrt(p * (1 - p) / trials)


def wald_cc(m: int, trials: int, z: mpf, sign: int) -> mpf:
    """Give the textbook limits with continuity correction, which may leave [0, 1]."""
    return wald(m, trials, z, sign) + sign * mpf(1) / (2 * trials)


def in_tail(formula: Callable[[int, int, mpf, int], mpf]) -> Bound:
    """Let a formula in z be asked by its tail."""

    def bound(errors: int, trials: int, tail: mpf, sign: int) -> mpf:
        return formula(errors, trials, normal_quantile(tail), sign)

    return bound


def logit_or_exact(errors: int, trials: int, tail: mpf, sign: int) -> mpf:
    """Return the `logit` limits, or those of `clopper_pearson` where the log odds are infinite."""
    if errors in (0, trials):
        return clopper_pearson(errors, trials, tail, sign)
    return in_tail(logit)(errors, trials, tail, sign)


# --- Methods that are two-sided by nature --------------------------------------------------------


def at_least(k: int, trials: int, at: mpf) -> Ends:
    """Return P(X >= k) at these log odds, and its slope."""
    if k <= 0:
        return mpf(1), mpf(0)
    shape = mpf(k), mpf(trials - k + 1)
    return beta_below(*shape, at), beta_density(*shape, at)


def at_most(k: int, trials: int, at: mpf) -> Ends:
    """Return P(X <= k) at these log odds, and its slope."""
    if k < 0:
        return mpf(0), mpf(0)
    probability, slope = at_least(trials - k, trials, -at)
    return probability, -slope


def blaker_low(errors: int, trials: int, alpha: mpf) -> mpf:
    """Return the least p whose acceptability exceeds alpha.

    Left of the estimate the acceptability is P(X >= m) plus P(X <= k) for the largest k with
    P(X <= k) <= P(X >= m). It jumps up to 2 P(X >= m) wherever a further k is let in, and falls
    and rises between the jumps at most once. So the first jump that ends above alpha is the one
    of the least k with P(X <= k) > alpha/2 at `exact`, where P(X >= m) = alpha/2. What is sought
    is that jump, or a point shortly before it, if the acceptability rises above alpha there.
    """
    if errors == 0:
        return mpf(0)
    exact = beta_logit(mpf(errors), mpf(trials - errors + 1), alpha / 2)
    p = rate(exact)
    guess = trials * p - normal_quantile(alpha / 2) * mp.sqrt(trials * p * (1 - p))
    k = min(max(int(mp.floor(guess)), 0), errors - 1)
    enough = alpha / 2 * (1 - ENOUGH)  # a tie is the jump itself
    while k > 0 and at_most(k - 1, trials, exact)[0] >= enough:
        k -= 1
    while at_most(k, trials, exact)[0] < enough:
        k += 1

    def jump(logit: mpf) -> Ends:
        above, rise = at_least(errors, trials, logit)
        below, fall = at_most(k, trials, logit)
        return mp.log(above / below), rise / above - fall / below

    def before(logit: mpf) -> Ends:
        above, rise = at_least(errors, trials, logit)
        below, fall = at_most(k - 1, trials, logit)
        return mp.log((above + below) / alpha), (rise + fall) / (above + below)

    at_jump = root(jump, exact)
    if before(at_jump)[0] > 0:
        return rate(root(before, at_jump, below=exact))
    return rate(at_jump)


def blaker(errors: int, trials: int, alpha: mpf) -> Ends:
    """Return the hull of the rates whose acceptability exceeds alpha."""
    return blaker_low(errors, trials, alpha), 1 - blaker_low(trials - errors, trials, alpha)


def shortest(prior: mpf) -> Callable[[int, int, mpf], Ends]:
    """Return the rates of highest posterior density under the prior Beta(prior, prior)."""

    def interval(errors: int, trials: int, alpha: mpf) -> Ends:
        a, b = errors + prior, trials - errors + prior
        if a <= 1:  # the density only falls
            return mpf(0), beta_quantile(a, b, alpha, +1)
        if b <= 1:  # the density only rises
            return beta_quantile(a, b, alpha, -1), mpf(1)

        def ends(drop: mpf) -> Ends:
            return level_logit(a - 1, b - 1, drop, -1), level_logit(a - 1, b - 1, drop, +1)

        def excess(drop: mpf) -> Ends:
            low, high = ends(drop)
            outside = beta_below(a, b, low) + beta_below(b, a, -high)
            loss = sum(beta_density(a, b, end) / abs((a - 1) * rate(-end) - (b - 1) * rate(end)) for end in (low, high))
            return mp.log(alpha / outside), loss / outside

        start = normal_quantile(alpha / 2) ** 2 / 2
        low, high = ends(root(excess, start, below=mpf(0)))
        return rate(low), rate(high)

    return interval


# --- Martin and Hirschberg's approximations to the Jeffreys limits -------------------------------


def mirrored(ends: Ends) -> Ends:
    """Exchange errors and successes."""
    return 1 - ends[1], 1 - ends[0]


def jeffreys_approx(m: int, trials: int) -> Ends:
    """Martin and Hirschberg 1996, Equation 5, for 95 %."""
    if 2 * m > trials:
        return mirrored(jeffreys_approx(trials - m, trials))
    z, p = mpf("1.96"), mpf(m) / trials
    shift = z * mp.sqrt(mpf(1) / 2) / (trials + 3)
    centre = shift + (1 - 2 * shift) * p
    half_width = centre if m <= 1 else z / mp.sqrt(trials + mpf(5) / 2) * mp.sqrt(p * (1 - p))
    return centre - half_width, centre + half_width


def jeffreys_handbook(m: int, trials: int, z: mpf) -> Ends:
    """Martin and Hirschberg 1996, Appendix A.3, its misprints corrected.

    Abramowitz and Stegun's 26.5.22 away from the ends; fitted to 95 % and 10 to 200 trials there.
    """
    if 5 < m < trials - 5:
        a, b = m + mpf(1) / 2, trials - m + mpf(1) / 2
        h = mpf(4) * m * (trials - m) / trials
        curve = (z**2 - 3) / 6
        w1 = z * mp.sqrt(h + curve) / h
        w2 = (curve + mpf(5) / 6 - 2 / (3 * h)) * mpf(trials - 2 * m) / (2 * m * (trials - m))
        return a / (a + b * mp.exp(2 * (w2 + w1))), a / (a + b * mp.exp(2 * (w2 - w1)))
    if m > 5:
        return mirrored(jeffreys_handbook(trials - m, trials, z))
    log = mp.log(trials)
    if m == 0:
        high = cubic("0.132893", "-0.539755", "-0.093773", "0.00657", at=log)
        return mpf(0), mp.exp(high)
    low = mpf("-2.03763") + mpf("1.874143") * mp.log(m) - (1 + mpf("0.01545") * m) * log
    high = cubic(
        cubic("0.273901", "0.207148", "-0.05118", "0.002488", at=m),
        -(mpf("0.500124") - mpf("0.148240") * m),
        -(mpf("0.099266") + mpf("0.032337") * m),
        mpf("0.006670") + mpf("0.002430") * m,
        at=log,
    )
    return mp.exp(low), mp.exp(high)


def cubic(*coefficients: mpf | str, at: mpf) -> mpf:
    """Return the polynomial with these coefficients, the constant first."""
    return sum(mpf(coefficient) * at**power for power, coefficient in enumerate(coefficients))


# --- The table -----------------------------------------------------------------------------------

BOUNDS: dict[str, Bound] = {
    "jeffreys": exact_ends(posterior(0.5, 0.5)),
    "mid-p": mid_p,
    "clopper-pearson": clopper_pearson,
    "jeffreys-raw": posterior(0.5, 0.5),
    "uniform": exact_ends(posterior(1, 1)),
    "beta-1-3.67": exact_ends(posterior(1, 3.67)),
    "wilson": exact_ends(in_tail(wilson)),
    "wilson-cc": exact_ends(in_tail(wilson_cc)),
    "agresti-coull": in_tail(agresti_coull),
    "likelihood-ratio": likelihood_ratio,
    "arcsine": exact_ends(in_tail(arcsine)),
    "logit": logit_or_exact,
    "wald": in_tail(wald),
    "wald-cc": in_tail(wald_cc),
}
INTERVALS: dict[str, Callable[[int, int, mpf], Ends]] = {
    "blaker": blaker,
    "hpd-jeffreys": shortest(mpf(1) / 2),
    "hpd-uniform": shortest(mpf(1)),
}

TRIALS = (1, 2, 5, 10, 29, 120, 1000, 10**9)
LEVELS = (0.5, 0.9, 0.95, 0.99, 1 - 1e-12)
FEW_TRIALS = (1, 5, 29, 1000, 10**9)
FEW_LEVELS = (0.5, 0.95, 1 - 1e-12)
IN_FULL = ("jeffreys", "mid-p", "clopper-pearson")

# Limits printed in the literature, 95 %, two-sided; None where none is printed.
PUBLISHED = (
    # Newcombe 1998, Table I
    ("wilson", 15, 148, "0.0624", "0.1605"),
    ("clopper-pearson", 15, 148, "0.0578", "0.1617"),
    ("mid-p", 15, 148, "0.0601", "0.1581"),
    ("likelihood-ratio", 15, 148, "0.0596", "0.1567"),
    ("wilson", 0, 20, None, "0.1611"),
    ("clopper-pearson", 0, 20, None, "0.1684"),
    ("mid-p", 0, 20, None, "0.1391"),
    ("likelihood-ratio", 0, 20, None, "0.0916"),
    ("wilson", 1, 29, "0.0061", "0.1718"),
    ("clopper-pearson", 1, 29, "0.0009", "0.1776"),
    # Ligarden et al. 2010, the example in Fagerland, Lydersen and Laake 2017, Chapter 2
    ("clopper-pearson", 13, 16, "0.5435", "0.9595"),
    ("mid-p", 13, 16, "0.5699", "0.9500"),
    ("jeffreys", 13, 16, "0.5792", "0.9442"),
    ("wilson", 13, 16, "0.5699", "0.9341"),
    ("wilson-cc", 13, 16, "0.5369", "0.9503"),
    ("likelihood-ratio", 13, 16, "0.5828", "0.9497"),
)


def interval(method: str, errors: int, trials: int, level: float, side: str) -> Ends:
    """Return the interval of one method; jeffreys-approx and jeffreys-handbook are two-sided."""
    alpha = 1 - mpf(level)
    if method == "jeffreys-approx":
        return jeffreys_approx(errors, trials)
    if method == "jeffreys-handbook":
        return jeffreys_handbook(errors, trials, normal_quantile(alpha / 2))
    if method in INTERVALS:
        return INTERVALS[method](errors, trials, alpha)
    bound = BOUNDS[method]
    if side == "upper":
        return mpf(0), bound(errors, trials, alpha, +1)
    if side == "lower":
        return bound(errors, trials, alpha, -1), mpf(1)
    return bound(errors, trials, alpha / 2, -1), bound(errors, trials, alpha / 2, +1)


def counts(trials: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Give the pairs of errors and trials: the ends, a few errors, a tenth and a half."""
    for n in trials:
        for errors in sorted({0, 1, 2, 3, n // 10, n // 2, n - 1, n}):
            if errors <= n:
                yield errors, n


def handbook_questions() -> Iterator[tuple[int, int, float]]:
    """Give 95 % wherever the fit holds, and the other levels wherever it is not needed."""
    for n in (10, 20, 29, 120, 200):
        for errors in sorted({0, 1, 2, 3, 4, 5, 6, n // 2, n - 6, n - 5, n - 1, n}):
            yield errors, n, 0.95
    for n, level in product((29, 120, 200, 1000, 10**9), LEVELS):
        for errors in sorted({6, n // 10, n // 2, n - 6} if n <= 200 else {n // 10, n // 2}):
            if 5 < errors < n - 5 and (level != 0.95 or n > 200):
                yield errors, n, level


def questions() -> Iterator[tuple[str, int, int, float, str]]:
    """Give what to ask: method, errors, trials, level and side."""
    for method in BOUNDS:
        full = method in IN_FULL
        for errors, n in counts(TRIALS if full else FEW_TRIALS):
            for level in LEVELS if full else FEW_LEVELS:
                yield method, errors, n, level, "two"
            for level, side in product(FEW_LEVELS, ("upper", "lower")):
                yield method, errors, n, level, side
    for method in INTERVALS:
        for (errors, n), level in product(counts(TRIALS), LEVELS):
            yield method, errors, n, level, "two"
    for errors, n in counts(TRIALS[:-1]):
        yield "jeffreys-approx", errors, n, 0.95, "two"
    for errors, n, level in handbook_questions():
        yield "jeffreys-handbook", errors, n, level, "two"


def check_published() -> None:
    """Stop if a limit differs from the printed one in the last of its four decimals."""
    for method, errors, trials, *printed in PUBLISHED:
        limits = interval(method, errors, trials, 0.95, "two")
        for ours, theirs in zip(limits, printed, strict=True):
            if theirs is not None and abs(ours - mpf(theirs)) > mpf("0.00005"):
                raise ArithmeticError(f"{method} of {errors}/{trials}: {ours}, printed {theirs}")


def main() -> None:
    """Check the published limits, then write the table."""
    check_published()
    with Path(__file__).with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["method", "errors", "trials", "level", "side", "low", "high"])
        for method, errors, trials, level, side in questions():
            low, high = interval(method, errors, trials, level, side)
            limits = mp.nstr(low, DIGITS), mp.nstr(high, DIGITS)
            writer.writerow([method, errors, trials, repr(level), side, *limits])


if __name__ == "__main__":
    main()
