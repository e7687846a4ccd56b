"""Limits for one error rate in 10⁹ to 10¹⁵ trials, from their definitions, in 80-digit arithmetic.

This program knows nothing of tellapart. The incomplete Beta function is summed as a power series where one of its
parameters is small, else integrated by Gauss-Legendre panels of one standard deviation on the scale of the log odds.
Writes `large_counts.csv` beside this file, needs mpmath and nothing else, and takes about a quarter of an hour:

    python tests/references/large_counts.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from mpmath import calculus, mp, mpf

mp.dps = 80
_NODES = calculus.quadrature.GaussLegendre(mp).calc_nodes(4, 200)  # 24 of them
_FEW = 2000

Ends = tuple[mpf, mpf]


def log_front(a: mpf, b: mpf, x: mpf) -> mpf:
    """Return the logarithm of x^a (1−x)^b / B(a, b)."""
    return a * mp.log(x) + b * mp.log1p(-x) - (mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b))


def series(a: mpf, b: mpf, x: mpf) -> mpf:
    """Return P(Beta(a, b) ≤ x) as front/a · Σ (a+b)_k/(a+1)_k x^k, all of whose terms are positive."""
    term = total = mpf(1)
    k = 0
    while k < 5 or term > total * mpf(10) ** -78:
        term *= (a + b + k) / (a + 1 + k) * x
        total += term
        k += 1
    return mp.exp(log_front(a, b, x)) / a * total


def panels(a: mpf, b: mpf, x: mpf) -> mpf:
    """Return P(Beta(a, b) ≤ x) by quadrature downwards from x."""
    spread, centre, right = mp.sqrt((a + b) / (a * b)), mp.log(a / b), mp.log(x / (1 - x))
    constant = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    total = mpf(0)
    while True:
        part = mpf(0)
        for node, weight in _NODES:
            theta = right + spread * (node - 1) / 2
            part += weight * mp.exp(-a * mp.log1p(mp.exp(-theta)) - b * mp.log1p(mp.exp(theta)) - constant)
        total += part * spread / 2
        right -= spread
        if right < centre and part * spread < total * mpf(10) ** -28:
            return total


def below(a: mpf, b: mpf, x: mpf) -> mpf:
    """Return P(Beta(a, b) ≤ x)."""
    if a <= _FEW or b <= _FEW:
        return series(a, b, x) if x < 0.5 else 1 - series(b, a, 1 - x)
    return panels(a, b, x) if x < a / (a + b) else 1 - panels(b, a, 1 - x)


def above(a: mpf, b: mpf, x: mpf) -> mpf:
    """Return P(Beta(a, b) > x)."""
    return below(b, a, 1 - x)


def solved(tail: Callable[[mpf], mpf], low: mpf, high: mpf) -> mpf:
    """Return where a function of x changes its sign, halving the bracket on the scale of log x, then by secants."""
    bottom, top = mp.log(low), mp.log(high)
    at_bottom, at_top = tail(low), tail(high)
    assert at_bottom * at_top < 0
    for _ in range(300):
        # Illinois' rule: a secant that halves the value of the end that stays.
        middle = (bottom * at_top - top * at_bottom) / (at_top - at_bottom)
        value = tail(mp.exp(middle))
        if value * at_top < 0:
            bottom, at_bottom = top, at_top
        else:
            at_bottom /= 2
        top, at_top = middle, value
        if abs(top - bottom) < mpf(10) ** -30 * max(1, abs(top)) or abs(value) < mpf(10) ** -32:
            return mp.exp(middle)
    raise ArithmeticError("no root found")


def bracket(a: mpf, b: mpf) -> Ends:
    """Return two error rates between which all quantiles of interest lie."""
    mean, spread = a / (a + b), mp.sqrt(a * b / (a + b) ** 3)
    low, reach = mean - 9 * spread, 40 if a < 5 else 20 if a < 50 else 10
    return (low if low > mean / 2 else mean * mpf(10) ** -25), mean + reach * spread


def low_quantile(a: mpf, b: mpf, probability: mpf) -> mpf:
    """Return x with P(Beta(a, b) ≤ x) = probability."""
    return solved(lambda x: mp.log(below(a, b, x) / probability), *bracket(a, b))


def high_quantile(a: mpf, b: mpf, probability: mpf) -> mpf:
    """Return x with P(Beta(a, b) > x) = probability."""
    return solved(lambda x: mp.log(above(a, b, x) / probability), *bracket(a, b))


def beta(prior: mpf, m: int, n: int, alpha: mpf) -> Ends:
    """Return the posterior quantiles under Beta(prior, prior)."""
    a, b = m + prior, n - m + prior
    return low_quantile(a, b, alpha / 2), high_quantile(a, b, alpha / 2)


def clopper_pearson(m: int, n: int, alpha: mpf) -> Ends:
    """Return the limits that exact binomial tails of α/2 do not reject."""
    return low_quantile(mpf(m), mpf(n - m + 1), alpha / 2), high_quantile(mpf(m + 1), mpf(n - m), alpha / 2)


def mid_p(m: int, n: int, alpha: mpf) -> Ends:
    """Return the limits at which half the probability of m and all beyond it make α/2."""
    ends = bracket(mpf(m), mpf(n - m + 1))[0], bracket(mpf(m + 1), mpf(n - m))[1]

    def at_least(p: mpf) -> mpf:
        return (below(mpf(m), mpf(n - m + 1), p) + below(mpf(m + 1), mpf(n - m), p)) / 2

    def at_most(p: mpf) -> mpf:
        return (above(mpf(m), mpf(n - m + 1), p) + above(mpf(m + 1), mpf(n - m), p)) / 2

    return tuple(solved(lambda p, f=f: mp.log(f(p) / (alpha / 2)), *ends) for f in (at_least, at_most))


def shortest(prior: mpf, m: int, n: int, alpha: mpf) -> Ends:
    """Return the two points of equal density, around the mode, that leave α outside."""
    a, b = m + prior, n - m + prior
    mode = (a - 1) / (a + b - 2)
    ends, spread = bracket(a, b), mp.sqrt(a * b / (a + b) ** 3)

    def twin(low: mpf) -> mpf:
        def drop(x: mpf) -> mpf:
            return (a - 1) * mp.log(x / low) + (b - 1) * (mp.log1p(-x) - mp.log1p(-low))

        return solved(drop, mode * (1 + (mode - low) / mode / 10**6), ends[1] * 2 if a < 50 else ends[1] + 20 * spread)

    def excess(low: mpf) -> mpf:
        return mp.log((below(a, b, low) + above(a, b, twin(low))) / alpha)

    nearest = mode - spread * mpf(10) ** -5 if mode > spread * mpf(10) ** -4 else mode * (1 - mpf(10) ** -5)
    lowest = ends[0] if a < 3 or a > 50 else mode / 1000
    low = solved(excess, lowest, nearest)
    return low, twin(low)


def blaker(m: int, n: int, alpha: mpf) -> Ends:
    """Return the hull of the p whose acceptability exceeds α, for so few errors that n is all but infinite."""
    return blaker_low(m, n, alpha), blaker_high(m, n, alpha)


def at_most(k: int, n: int, p: mpf) -> mpf:
    """Return P(X ≤ k) for a binomial X."""
    return mpf(0) if k < 0 else above(mpf(k + 1), mpf(n - k), p)


def at_least(k: int, n: int, p: mpf) -> mpf:
    """Return P(X ≥ k) for a binomial X."""
    return mpf(1) if k <= 0 else below(mpf(k), mpf(n - k + 1), p)


def acceptability(m: int, n: int, p: mpf) -> mpf:
    """Return the smaller tail at m and the largest opposite tail that does not exceed it (Blaker 2000)."""
    lower, upper = at_most(m, n, p), at_least(m, n, p)
    if upper < lower:
        k = 0
        while at_most(k, n, p) <= upper:
            k += 1
        return upper + at_most(k - 1, n, p)
    k = m
    while at_least(k, n, p) > lower:
        k += 1
    return lower + at_least(k, n, p)


def first_accepted(m: int, n: int, alpha: mpf, outside: mpf, step: mpf) -> mpf:
    """Return the first p inwards from a point outside whose acceptability exceeds α: by steps, then by halving."""
    p = outside
    while acceptability(m, n, p) <= alpha:
        p *= step
    inside, outside = p, p / step
    while abs(inside - outside) > mpf(10) ** -22 * inside:
        middle = (inside + outside) / 2
        if acceptability(m, n, middle) <= alpha:
            outside = middle
        else:
            inside = middle
    return inside


def blaker_low(m: int, n: int, alpha: mpf) -> mpf:
    """Return the lower limit, looked for upwards from Clopper and Pearson's in steps of a five-hundredth."""
    return first_accepted(m, n, alpha, clopper_pearson(m, n, alpha)[0] * mpf("0.999"), mpf("1.002"))


def blaker_high(m: int, n: int, alpha: mpf) -> mpf:
    """Return the upper limit, looked for downwards from Clopper and Pearson's in steps of a five-hundredth."""
    return first_accepted(m, n, alpha, clopper_pearson(m, n, alpha)[1] * mpf("1.001"), 1 / mpf("1.002"))


METHODS: dict[str, Callable[[int, int, mpf], Ends]] = {
    "clopper-pearson": clopper_pearson,
    "jeffreys": lambda m, n, alpha: beta(mpf("0.5"), m, n, alpha),
    "uniform": lambda m, n, alpha: beta(mpf(1), m, n, alpha),
    "mid-p": mid_p,
    "hpd-jeffreys": lambda m, n, alpha: shortest(mpf("0.5"), m, n, alpha),
    "hpd-uniform": lambda m, n, alpha: shortest(mpf(1), m, n, alpha),
    "blaker": blaker,
}


def questions() -> Iterator[tuple[str, int, int, str]]:
    """Give method, errors, trials and alpha."""
    for method in METHODS:
        few, nested = method == "blaker", method.startswith("hpd")  # slow to find: not all of them
        for n in (10**9, 10**12) if nested else (10**11, 10**15) if few else (10**9, 10**11, 10**12, 10**15):
            for m in (1, 7) if few else (1, 7, n // 4, n // 2) if nested else (1, 7, 1000, n // 4, n // 2):
                for alpha in ("1e-12", "0.05", "0.5", "0.999"):
                    yield method, m, n, alpha


def main() -> None:
    """Write all of them."""
    with Path(__file__).with_suffix(".csv").open("w", encoding="utf-8") as file:
        file.write("method,errors,trials,alpha,low,high\n")
        for method, m, n, alpha in questions():
            ends = (mp.nstr(end, 25) for end in METHODS[method](m, n, mpf(alpha)))
            file.write(",".join([method, str(m), str(n), alpha, *ends]) + "\n")


if __name__ == "__main__":
    main()
