"""Martin and Hirschberg (1996), sections 2 and 2.1: errors in cross-validation, and the normal approximation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tellapart import lab

from ...report.blocks import Table
from ..drawing import Series, plotted
from ..run import Cell, Run
from ..verdicts import Line, Shown, claimed, compared

STANDARD = lab.NormalModel(0.0, 1.0)

# --- Section 2: are errors in cross-validation binomial? ------------------------------------------------------------


def _ten_fold_errors(cell: Cell, trials: int, rng: np.random.Generator) -> dict[str, Any]:
    """Return the errors in 10-fold cross-validation of samples whose discriminant has a true error of 0.0203."""
    check = lab.binomial_check(cell["error"], within=cell["within"], samples=trials, rng=rng)
    return {"observed": check.observed[None], "chi_square": [check.chi_square], "drawn": [check.drawn]}


def chi_square(run: Run) -> Shown:
    """Show the distribution of the errors of classifiers with the same true error."""
    samples = run.size(1000, quick=2000, of="samples")
    (errors,) = run.cells(_ten_fold_errors, [{"error": 0.0203, "within": 0.0001}], samples, block=1000)
    seen, each = errors["observed"].sum(axis=0), errors["chi_square"]
    kept, df = int(seen.sum()), seen.size - 1
    chance = lab.BinomialModel(100, 0.0203).probability(np.arange(df))
    due = kept * np.append(chance, 1 - chance.sum())
    spread = math.sqrt(2 * df)  # of chi-square
    picture = plotted(
        "Errors in 10-fold cross-validation",
        "Observed shares of 0 to 6 errors and of 7 or more, next to the binomial: the bars are almost equal.",
        [
            Series("10-fold", np.arange(seen.size), seen / kept, "bars"),
            Series("binomial", np.arange(seen.size), due / kept, "bars"),
        ],
        x="errors in 100 examples",
        y="share of samples",
        ticks=[(k, str(k) if k < df else f"{df} or more") for k in range(seen.size)],
    )
    return Shown(
        lines=(
            compared(
                "chi-square of 1000 samples", "9.05", float(each.mean()), error=spread / each.size**0.5, spread=spread
            ),
            compared("degrees of freedom", "7", df),
            *_binomial_claims(each, seen, due),
        ),
        pictures=(picture,),
        notes=(
            "Samples of 100 examples from two equally likely normal classes are drawn until enough of them give a"
            " classifier (the midpoint of the class means) with a true error of 0.0203 ± 0.0001"
            f" ({100 * kept / int(errors['drawn'].sum()):.0f}% of them do). Each sample is cross-validated in ten"
            " folds, and the numbers of errors are compared with Binomial(100, 0.0203).",
            "Chi-square with 7 degrees of freedom has a mean of 7 and a standard deviation of 3.7. The tolerance of the"
            " one printed value allows for this, so nearly any value would match. Ours is the mean over experiments of"
            " 1000 samples.",
            "A test that does not reject does not show that the errors are binomial, only that 1000 samples do not"
            " detect the difference. A million samples do, although the difference has no practical importance.",
        ),
    )


def _binomial_claims(each: Any, seen: Any, due: Any) -> tuple[Line, ...]:
    """Return what the text concludes, from the chi-squares of experiments and from all samples together."""
    from scipy.special import gammaincc

    df, kept, errors = seen.size - 1, int(seen.sum()), np.arange(seen.size)
    pooled = float(((seen - due) ** 2 / due).sum())
    pvalue, level = (float(gammaincc(df / 2, value / 2)) for value in (pooled, 9.05))
    best = STANDARD.probability(-np.inf, -2.053 / 2)
    return (
        claimed(
            "distance of the class means",
            "2.053 standard deviations, with true errors of 0.0203",
            best < 0.0204,
            f"at 2.053 the smallest error rate is {best:.3f}; at 4.106 it is {STANDARD.probability(-9, -2.053):.4f}",
            reason="2.053 is the distance of each mean from the midpoint between them. The means are 4.107 apart.",
        ),
        claimed(
            "level of the printed chi-square",
            "9.05 with 7 degrees of freedom is not statistically significant",
            level > 0.05,
            f"p = {level:.3f}; {int((each < 14.067).sum()):,} of our {each.size:,} experiments are not significant"
            " either (alpha = 0.05)",
        ),
        claimed(
            "all samples together",
            "equation 1 describes the errors in 10-fold cross-validation",
            pvalue > 0.001,
            f"{'not contradicted' if pvalue > 0.001 else 'contradicted'} by {kept:,} samples: chi-square {pooled:.1f},"
            f" p {f'{pvalue:.3f}' if pvalue >= 0.001 else 'below 0.001'}; mean {seen @ errors / kept:.3f} errors,"
            f" binomial {due @ errors / kept:.3f}",
            reason="The binomial is close but not exact: each fold trains on 90 of the 100 examples, so there are"
            " slightly more errors, and this many samples detect them.",
        ),
    )


# --- Section 2.1: the normal approximation of the binomial ----------------------------------------------------------

_RATE = 0.1  # the error rate in the pictures
_RARE = 0.001  # an error rate for which the ratios of the text hold


# By author: the rule, and the smallest test set that satisfies it, as a real number.
_RULES: dict[str, tuple[str, Callable[[float], float]]] = {
    "Hodges and Lehmann": ("M·e(1 − e) ≥ 10", lambda rate: 10 / (rate * (1 - rate))),
    "Anderson and Sclove": ("M·e ≥ 5 and M(1 − e) ≥ 5", lambda rate: 5 / rate),
    "Mendenhall": ("0 < e ± 2√(e(1 − e)/M) < 1", lambda rate: 4 * (1 - rate) / rate),
}


def _needed_size(rule: str, rate: float) -> float:
    return _RULES[rule][1](rate)


def _misfit_line(trials: int, rate: float) -> tuple[float, float]:
    """Return the largest error of the continuity-corrected normal for P(m ≤ k), overall and in the lower tail."""
    model, k = lab.BinomialModel(trials, rate), np.arange(trials + 1)
    exact = np.cumsum(model.probability(k))
    normal = lab.NormalModel(model.mean, math.sqrt(model.variance))
    off = np.abs(exact - [normal.probability(-np.inf, each + 0.5) for each in k])
    return float(off.max()), float(off[exact <= 0.05].max())


def figure_1(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Show the binomial and the normal at the smallest samples that the most liberal and the safest rule allow."""
    least = {rule: math.ceil(_needed_size(rule, _RATE) - 1e-9) for rule in _RULES}
    least["Mendenhall"] += 1  # its limit, 36 examples, does not pass
    off = {rule: _misfit_line(trials, _RATE) for rule, trials in least.items()}
    liberal, safe = off["Mendenhall"], off["Hodges and Lehmann"]
    safest = _needed_size("Hodges and Lehmann", _RARE)
    rules = (
        claimed(
            f"rule of {rule}",
            f"the normal is valid if {condition}",
            off[rule][0] < 0.05,
            f"at e = {_RATE:g}, satisfied from {trials} examples; the error of P(m ≤ k) is then at most"
            f" {off[rule][0]:.3f}",
        )
        for (rule, (condition, _)), trials in zip(_RULES.items(), least.values(), strict=True)
    )
    lines = (
        *rules,
        compared(
            "Hodges and Lehmann's sample, by Anderson's", "2", safest / _needed_size("Anderson and Sclove", _RARE)
        ),
        compared("Hodges and Lehmann's sample, by Mendenhall's", "2.5", safest / _needed_size("Mendenhall", _RARE)),
        compared("a negative number of errors, one in", "40", 1 / STANDARD.probability(-np.inf, -2), unit=10),
        claimed(
            "overall",
            "the normal is good in an overall sense under either rule",
            max(liberal[0], safe[0]) < 0.05,
            f"the error of P(m ≤ k) is at most {liberal[0]:.3f} under the liberal rule, {safe[0]:.3f} under the other",
        ),
        claimed(
            "tail",
            "the conservative rule is better in the critical tail",
            safe[1] < liberal[1],
            f"if P(m ≤ k) is 0.05 or less, its error is at most {safe[1]:.4f}, under the liberal rule {liberal[1]:.4f}",
        ),
    )
    sizes = least["Mendenhall"], least["Hodges and Lehmann"]
    notes = (
        "The paper does not state the sample size and error rate of the figure. Ours are an error rate of"
        f" {_RATE:g} and the smallest test sets that satisfy Mendenhall's rule (the most liberal one) and that of"
        " Hodges and Lehmann. Valid means here that no P(m ≤ k) is wrong by 0.05.",
        "The ratios of the smallest samples are 2/(1 − e) and 2.5/(1 − e)². Those of the text hold for rare errors,"
        f" as compared here (e = {_RARE:g}).",
        "At Mendenhall's limit the mean is two standard deviations above 0, so the normal gives a negative number of"
        " errors a probability of 0.0228, one in 44.",
    )
    pictures = (_draw_curves("a", "the most liberal rule", sizes[0]), _draw_curves("b", "the safest rule", sizes[1]))
    return Shown(
        lines=lines, pictures=(*pictures, _tail_probabilities(*sizes)), tables=(_least_test_sets(),), notes=notes
    )


def _least_test_sets() -> Table:
    rows = [
        (
            f"{rate:g}",
            *(f"{_needed_size(rule, rate):.0f}" for rule in _RULES),
            f"{2 / (1 - rate):.2f}",
            f"{2.5 / (1 - rate) ** 2:.2f}",
        )
        for rate in (0.001, 0.01, 0.05, 0.1, 0.2, 0.3)
    ]
    return Table.of("Smallest test sets", ("error rate", *_RULES, "first by second", "first by third"), rows)


def _draw_curves(part: str, rule: str, trials: int) -> Any:
    model = lab.BinomialModel(trials, _RATE)
    normal = lab.NormalModel(model.mean, math.sqrt(model.variance))
    k, x = np.arange(-3, int(model.mean + 4 * normal.sd)), np.linspace(-3, model.mean + 4 * normal.sd, 200)
    return plotted(
        f"Figure 1{part}: {trials} examples, {rule}",
        f"Bars of the binomial with {trials} examples and an error rate of {_RATE:g}, and the normal curve with the"
        " same mean and variance, which extends below 0.",
        [Series("binomial", k, model.probability(k), "bars"), Series("normal", x, normal.density(x))],
        x="errors",
        y="probability",
        upright=(-0.5,),
    )


def _tail_probabilities(*sizes: int) -> Any:
    series = []
    for trials in sizes:
        model = lab.BinomialModel(trials, _RATE)
        normal = lab.NormalModel(model.mean, math.sqrt(model.variance))
        k = np.arange(int(model.mean) + 1)
        z = (k + 0.5 - model.mean) / normal.sd
        near = z > -2.6  # beyond, the probabilities are negligible
        below = np.cumsum(model.probability(k))
        series.append(Series(f"binomial, {trials} examples", z[near], below[near], "points"))
    z = np.linspace(-2.6, 0.1, 100)
    series.append(Series("normal", z, [STANDARD.probability(-np.inf, each) for each in z]))
    return plotted(
        "Figure 1, the lower tail",
        "P(at most k errors) against the distance of k + 1/2 from the mean in standard deviations. In the lower tail"
        " the probabilities lie below the normal curve, further below with fewer examples.",
        series,
        x="(k + ½ − mean) / standard deviation",
        y="P(at most k errors)",
        log="y",
    )
