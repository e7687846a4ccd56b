"""Reference numbers for two error rates on two test sets, in exact fractions and 40-digit arithmetic.

Writes `independent_counts.csv` beside this file: limits of the difference (value 1 is the lower, 2 the
upper) and p-values (value 1 is the p-value, 2 the statistic where one is given), to 20 digits. It
needs mpmath and nothing else, and takes about three minutes:

    python tests/references/independent_counts.py

Nothing here is fast or clever on purpose, and nothing is shared with the package. The likeliest rates
of a given difference are found by bisecting the slope of the likelihood, a limit by bisecting the
score; hypergeometric probabilities are whole binomial coefficients; the worst common error rate is
looked for on a fine grid and then by thirds. Before it writes, the script recomputes numbers
printed in the literature and stops if one differs.
"""

import csv
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 40
DIGITS = 20


@cache
def quantile(tail: mpf) -> mpf:
    """Return the z that leaves `tail` above it."""
    return mp.sqrt(2) * mp.erfinv(1 - 2 * tail)


def bisect(positive_below, low: mpf, high: mpf, steps: int = 200) -> mpf:
    """Return where a falling function crosses 0."""
    for _ in range(steps):
        middle = (low + high) / 2
        if positive_below(middle) > 0:
            low = middle
        else:
            high = middle
        if high - low <= mpf(10) ** -36 * abs(low):
            break
    return (low + high) / 2


# --- Score, square-and-add, and textbook limits ---------------------------------------------------


def likeliest(x: int, n: int, y: int, m: int, delta: mpf) -> tuple[mpf, mpf]:
    """Return the likeliest rates that differ by delta >= 0: the second, and one minus the first."""

    def slope(low: mpf) -> mpf:
        first = low + delta
        total = mpf(0)
        for wrong, size, rate in ((x, n, first), (y, m, low)):
            total += (wrong / rate if wrong else 0) - ((size - wrong) / (1 - rate) if wrong < size else 0)
        return total

    top = 1 - delta
    tiny = mpf(10) ** -60
    if slope(tiny * top) <= 0:
        return mpf(0), top
    # From the nearer end, so that a small rate keeps its digits.
    if slope(top / 2) <= 0:
        low = mp.exp(bisect(lambda log: slope(mp.exp(log)), mp.log(tiny * top), mp.log(top / 2)))
        return low, top - low
    if y == m and x == n:
        return top, mpf(0)
    if slope(top * (1 - mpf(10) ** -38)) >= 0:
        return top, mpf(0)
    high = mp.exp(bisect(lambda log: -slope(top - mp.exp(log)), mp.log(mpf(10) ** -37 * top), mp.log(top / 2)))
    return top - high, high


def score(x: int, n: int, y: int, m: int, delta: mpf, *, corrected: bool) -> mpf:
    """Return (d - delta) / sqrt(V), with N/(N-1) if corrected."""
    if delta < 0:
        return -score(y, m, x, n, -delta, corrected=corrected)
    discordant = mpf(x) / n - mpf(y) / m
    second, other = likeliest(x, n, y, m, delta)
    variance = (1 - other) * other / n + second * (1 - second) / m
    if corrected:
        variance *= mpf(n + m) / (n + m - 1)
    if discordant == delta:
        return mpf(0)
    return (discordant - delta) / mp.sqrt(variance) if variance else mp.sign(discordant - delta) * mp.inf


def score_limit(x: int, n: int, y: int, m: int, z: mpf, *, corrected: bool) -> mpf:
    """Return the lower limit: the delta below d whose score is z."""
    discordant = mpf(x) / n - mpf(y) / m
    if discordant == -1:
        return mpf(-1)
    # In the distance from d, on the scale of its logarithm.
    gap = bisect(
        lambda log: z - score(x, n, y, m, discordant - mp.exp(log), corrected=corrected),
        mp.log(mpf(10) ** -18),
        mp.log(discordant + 1),
        130,
    )
    return discordant - mp.exp(gap)


def score_interval(x: int, n: int, y: int, m: int, z: mpf, *, corrected: bool) -> tuple[mpf, mpf]:
    """Return both limits."""
    return score_limit(x, n, y, m, z, corrected=corrected), -score_limit(y, m, x, n, z, corrected=corrected)


def wilson(x: mpf, n: int, z: mpf, sign: int) -> mpf:
    """Return a root of (x/n - p)^2 = z^2 p(1-p)/n."""
    return (x + z**2 / 2 + sign * z * mp.sqrt(x * (n - x) / n + z**2 / 4)) / (n + z**2)


def newcombe(x: int, n: int, y: int, m: int, z: mpf, *, half: mpf) -> tuple[mpf, mpf]:
    """Square and add; `half` is the correction for continuity."""

    def ends(wrong: int, size: int) -> tuple[mpf, mpf]:
        low = mpf(0) if wrong == 0 else wilson(wrong - half, size, z, -1)
        high = mpf(1) if wrong == size else wilson(wrong + half, size, z, +1)
        return low, high

    (l1, u1), (l2, u2) = ends(x, n), ends(y, m)
    e1, e2 = mpf(x) / n, mpf(y) / m
    return e1 - e2 - mp.hypot(e1 - l1, u2 - e2), e1 - e2 + mp.hypot(u1 - e1, e2 - l2)


def agresti_caffo(x: int, n: int, y: int, m: int, z: mpf) -> tuple[mpf, mpf]:
    """One error and one success more in each test set."""
    low, high = wald(x + 1, n + 2, y + 1, m + 2, z)
    return max(low, mpf(-1)), min(high, mpf(1))


def wald(x: int, n: int, y: int, m: int, z: mpf) -> tuple[mpf, mpf]:
    """Mitchell's 5.13."""
    e1, e2 = mpf(x) / n, mpf(y) / m
    reach = z * mp.sqrt(e1 * (1 - e1) / n + e2 * (1 - e2) / m)
    return e1 - e2 - reach, e1 - e2 + reach


INTERVALS = {
    "miettinen-nurminen": lambda *table: score_interval(*table, corrected=True),
    "mee": lambda *table: score_interval(*table, corrected=False),
    "newcombe": lambda *table: newcombe(*table, half=mpf(0)),
    "newcombe-cc": lambda *table: newcombe(*table, half=mpf(1) / 2),
    "agresti-caffo": agresti_caffo,
    "wald-independent": wald,
}


# --- Fisher's test ---------------------------------------------------------------------------------


def hypergeometric(n: int, m: int, total: int) -> tuple[int, list[int]]:
    """Return the smallest possible count of A's errors, and how many ways each one has."""
    least, most = max(0, total - m), min(n, total)
    return least, [comb(n, k) * comb(m, total - k) for k in range(least, most + 1)]


def fisher(x: int, n: int, y: int, m: int, alternative: str, *, mid: bool) -> Fraction:
    """Return the p-value by whole numbers."""
    least, ways = hypergeometric(n, m, x + y)
    seen = ways[x - least]
    if alternative == "two-sided":
        less, same = sum(w for w in ways if w < seen), sum(w for w in ways if w == seen)
        if seen == max(ways):
            return Fraction(1)
    else:
        less = sum(ways[x - least + 1 :]) if alternative == "greater" else sum(ways[: x - least])
        same = seen
    return Fraction(2 * less + (1 if mid else 2) * same, 2 * sum(ways))


def fisher_by_neighbours(x: int, n: int, y: int, m: int) -> tuple[mpf, mpf]:
    """Return the two-sided p-value and the probability of what was seen, for sizes that comb cannot hold."""
    total = x + y

    def log(k: int) -> mpf:
        def ways(a: int, b: int) -> mpf:
            return mp.loggamma(a + 1) - mp.loggamma(b + 1) - mp.loggamma(a - b + 1)

        return ways(n, k) + ways(m, total - k) - ways(n + m, total)

    def tail(k: int, step: int) -> mpf:
        term, result = mp.exp(log(k)), mpf(0)
        while term > result * mpf(10) ** -25:
            result += term
            if step > 0:
                term = term * (n - k) * (total - k) / ((k + 1) * mpf(m - total + k + 1))
            else:
                term = term * k * (m - total + k) / ((n - k + 1) * mpf(total - k + 1))
            k += step
        return result

    step = 1 if x * (n + m) > n * total else -1
    seen = log(x)
    centre = n * total // (n + m) + (1 if step < 0 else 0)
    near, far = 0, n + m
    while far - near > 1:  # the first count on the other side that is as unlikely
        middle = (near + far) // 2
        k = centre - step * middle
        if k < max(0, total - m) or k > min(n, total) or log(k) <= seen + mpf(10) ** -28:
            far = middle
        else:
            near = middle
    return tail(x, step) + tail(centre - step * far, -step), mp.exp(seen)


def to_mp(value: Fraction) -> mpf:
    """Return a fraction as a number of 40 digits."""
    return mpf(value.numerator) / value.denominator


# --- All outcomes ----------------------------------------------------------------------------------


def largest(region: list[tuple[int, int]], n: int, m: int) -> mpf:
    """Return the largest probability of the outcomes over all common error rates."""
    ways = [0] * (n + m + 1)
    for k, other in region:
        ways[k + other] += comb(n, k) * comb(m, other)

    def probability(p: mpf) -> mpf:
        return sum(w * p**t * (1 - p) ** (n + m - t) for t, w in enumerate(ways) if w)

    grid = [mpf(i) / 2000 for i in range(2001)]
    best = max(range(2001), key=lambda i: probability(grid[i]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, 2000)]
    for _ in range(120):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        if probability(one) < probability(two):
            low = one
        else:
            high = two
    return max(probability(low), probability(high), probability(grid[best]))


def outcomes(n: int, m: int) -> list[tuple[int, int]]:
    """Return every pair of error counts."""
    return list(product(range(n + 1), range(m + 1)))


def boschloo(x: int, n: int, y: int, m: int) -> mpf:
    """Return twice the smaller one-sided p-value, at most 1."""

    @cache
    def tail(k: int, other: int, alternative: str) -> Fraction:
        return fisher(k, n, other, m, alternative, mid=False)

    if x * m == y * n:
        return mpf(1)
    sides = (
        largest([(k, o) for k, o in outcomes(n, m) if tail(k, o, side) <= tail(x, y, side)], n, m)
        for side in ("greater", "less")
    )
    return min(2 * min(sides), mpf(1))


def barnard(x: int, n: int, y: int, m: int) -> mpf:
    """Return the largest probability of so large a pooled z, by its exact square."""

    def square(k: int, other: int) -> Fraction:
        total = k + other
        if total in (0, n + m):
            return Fraction(0)
        return Fraction((k * m - other * n) ** 2, total * (n + m - total))

    return largest([(k, o) for k, o in outcomes(n, m) if square(k, o) >= square(x, y)], n, m)


def plug_in(x: int, n: int, y: int, m: int) -> Fraction:
    """Return Martin and Hirschberg's exact level, at the pooled error rate."""
    pooled = Fraction(x + y, n + m)
    seen = abs(x * m - y * n)
    return sum(
        comb(n, k) * comb(m, o) * pooled ** (k + o) * (1 - pooled) ** (n + m - k - o)
        for k, o in outcomes(n, m)
        if abs(k * m - o * n) >= seen
    )


# --- Two Betas -------------------------------------------------------------------------------------


def exceeds(x: int, n: int, y: int, m: int, by: mpf) -> mpf:
    """Return P(theta1 > theta2 + by) under Jeffreys' priors."""
    half = mpf(1) / 2
    a, b, c, e = x + half, n - x + half, y + half, m - y + half

    def integrand(rate: mpf) -> mpf:
        if rate + by <= 0:
            above = mpf(1)
        elif rate + by >= 1:
            above = mpf(0)
        else:
            above = mp.betainc(a, b, rate + by, 1, regularized=True)
        return rate ** (c - 1) * (1 - rate) ** (e - 1) / mp.beta(c, e) * above

    centre, spread = c / (c + e), mp.sqrt(c * e / (c + e + 1)) / (c + e)
    cuts = {mpf(0), mpf(1), -by, 1 - by, *(centre + step * spread for step in range(-12, 13, 2))}
    return mp.quad(integrand, sorted(cut for cut in cuts if 0 <= cut <= 1))


# --- What is written -------------------------------------------------------------------------------

TABLES = [
    (5, 56, 0, 29),
    (56, 70, 48, 80),
    (9, 10, 3, 10),
    (7, 34, 1, 34),
    (0, 16, 15, 72),
    (3, 100, 8, 100),
    (10, 100, 20, 100),
    (0, 100, 0, 100),
    (0, 10, 0, 200),
    (29, 29, 29, 29),
    (10, 10, 0, 20),
    (0, 1, 1, 1),
    (1, 1, 0, 5),
    (1, 2, 3, 7),
    (250, 1000, 200, 900),
]
HUGE = [
    (0, 10**9, 0, 10**9),
    (3, 10**9, 9, 10**9),
    (0, 10**9, 12, 10**8),
    (300_000_000, 10**9, 300_050_000, 10**9),
    (10**9 - 4, 10**9, 10**9, 10**9),
    (5, 20, 400_000_000, 10**9),
]
SMALL = [(3, 4, 1, 4), (9, 10, 3, 10), (7, 12, 1, 12), (3, 3, 0, 3), (0, 5, 4, 9), (2, 6, 8, 9), (5, 11, 2, 8)]
ALPHAS = ("0.5", "0.1", "0.05", "0.001", "1e-12")


def rows():
    """Yield kind, method, the table, alpha or margin, side or alternative, and two values."""
    for table in TABLES + HUGE:
        for alpha in ALPHAS:
            z = quantile(mpf(float(alpha)) / 2)
            for name, interval in INTERVALS.items():
                yield "interval", name, *table, alpha, "two", *interval(*table, z)
        for against in ("-0.1", "0.01", "0.3"):
            for name in ("miettinen-nurminen", "mee"):
                z = score(*table, mpf(float(against)), corrected=name != "mee")
                yield "test", name, *table, against, "greater", mp.erfc(z / mp.sqrt(2)) / 2, z
    yield from fisher_rows()
    yield from enumerated_rows()
    yield from posterior_rows()


def fisher_rows():
    """Yield p-values of Fisher's test and its mid-p form."""
    for table in [*TABLES, *SMALL, (3, 10**9, 9, 10**9), (0, 10**9, 12, 10**8), (900, 2000, 820, 1900)]:
        for alternative, mid in product(("two-sided", "greater", "less"), (False, True)):
            value = fisher(*table, alternative, mid=mid)
            name = "fisher-mid-p" if mid else "fisher"
            yield "test", name, *table, "", alternative, to_mp(value), ""
    for table in [(300_000_000, 10**9, 300_050_000, 10**9), (300_000_000, 10**9, 300_500_000, 10**9)]:
        value, seen = fisher_by_neighbours(*table)
        yield "test", "fisher", *table, "", "two-sided", value, ""
        # Equal sizes: as many errors of B as now of A are just as likely.
        yield "test", "fisher-mid-p", *table, "", "two-sided", value - seen, ""


def enumerated_rows():
    """Yield p-values of the tests that go through all outcomes."""
    for table in SMALL:
        yield "test", "boschloo", *table, "", "two-sided", boschloo(*table), ""
        yield "test", "barnard", *table, "", "two-sided", barnard(*table), ""
    for table in [*SMALL, (3, 10, 0, 10), (5, 30, 12, 40)]:
        value = plug_in(*table)
        yield "test", "martin-hirschberg-exact", *table, "", "two-sided", to_mp(value), ""


def posterior_rows():
    """Yield probabilities of two Beta variables."""
    mp.dps = 25
    for table in [(30, 100, 20, 100), (0, 10, 5, 50), (0, 30, 0, 30), (9, 10, 3, 10), (10, 10, 0, 20), (4, 400, 1, 7)]:
        x, n, y, m = table
        yield "test", "two-betas", *table, "", "greater", exceeds(y, m, x, n, mpf(0)), exceeds(*table, mpf(0))
        for by in ("-0.15", "-0.01", "0.02", "0.4"):
            value = exceeds(*table, mpf(float(by)))
            if value > mpf(10) ** -12:  # the digits of less would need a quadrature that is relative
                yield "posterior", "two-betas", *table, by, "", value, ""


def agrees(result: mpf, printed: str) -> None:
    """Stop if a number rounds otherwise than it is printed."""
    places = len(printed.partition(".")[2])
    if abs(result - mpf(printed)) > mpf(10) ** -places * mpf("0.51"):
        raise SystemExit(f"{mp.nstr(result, 8)} is printed as {printed}")


def check() -> None:
    """Recompute what was published."""
    z = quantile(mpf("0.025"))
    for name, table, low, high in [
        ("miettinen-nurminen", (5, 56, 0, 29), "-0.0326", "0.1933"),  # Newcombe 1998
        ("mee", (5, 56, 0, 29), "-0.0313", "0.1926"),
        ("newcombe", (5, 56, 0, 29), "-0.0381", "0.1926"),
        ("miettinen-nurminen", (56, 70, 48, 80), "0.0528", "0.3382"),
        ("newcombe-cc", (56, 70, 48, 80), "0.0428", "0.3422"),
        ("agresti-caffo", (7, 34, 1, 34), "0.0116", "0.3217"),  # Fagerland, Lydersen and Laake 2015 (Perondi)
        ("miettinen-nurminen", (0, 16, 15, 72), "-0.3164", "-0.0056"),  # the same (Ritland)
    ]:
        interval = INTERVALS[name](*table, z)
        agrees(interval[0], low)
        agrees(interval[1], high)
    agrees(to_mp(fisher(0, 16, 15, 72, "two-sided", mid=False)), "0.06287")
    agrees(to_mp(fisher(0, 16, 15, 72, "two-sided", mid=True)), "0.04466")
    agrees(barnard(3, 4, 1, 4), "0.28906")  # Suissa and Shuster 1985 (the lady tasting tea)


if __name__ == "__main__":
    check()
    with Path(__file__).with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kind", "method", "errors_a", "trials_a", "errors_b", "trials_b", "at", "side", "one", "two"])
        for *facts, one, two in rows():
            numbers = [mp.nstr(value, DIGITS) if value != "" else "" for value in (one, two)]
            writer.writerow([*facts, *numbers])
