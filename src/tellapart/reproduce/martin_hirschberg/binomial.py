"""Martin and Hirschberg (1996), sections 2 and 2.1: the binomial in cross-validation, and the normal in its place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tellapart import lab

from ...report.blocks import Table
from ..drawing import Series, plotted
from ..lines import Shown, claimed, compared
from ..run import Cell, Run

__all__ = ["STANDARD", "chi_square", "figure_1"]

STANDARD = lab.NormalModel(0.0, 1.0)

# --- Section 2: are errors in cross-validation binomial? ------------------------------------------------------------


def _ten_fold_errors(cell: Cell, trials: int, rng: np.random.Generator) -> dict[str, Any]:
    """Collect so many samples whose discriminant has a true error of 0.0203, and count errors in 10-fold CV."""
    found = lab.binomial_check(cell["error"], within=cell["within"], samples=trials, rng=rng)
    return {"observed": found.observed[None], "chi_square": [found.chi_square], "drawn": [found.drawn]}


def chi_square(run: Run) -> Shown:
    """Show how the errors of classifiers of one and the same true error are distributed."""
    from scipy.special import gammaincc

    samples = run.size(1000, quick=2000, of="samples")
    (found,) = run.cells(_ten_fold_errors, [{"error": 0.0203, "within": 0.0001}], samples, block=1000)
    seen, each = found["observed"].sum(axis=0), found["chi_square"]
    kept, df = int(seen.sum()), seen.size - 1
    chance = lab.BinomialModel(100, 0.0203).probability(np.arange(df))
    due = kept * np.append(chance, 1 - chance.sum())
    pooled = float(((seen - due) ** 2 / due).sum())
    pvalue = float(gammaincc(df / 2, pooled / 2))
    mean = float(seen @ np.arange(seen.size) / kept)
    spread, quiet = math.sqrt(2 * df), float(np.mean(each < 14.067))  # of chi-square, and its critical value at 0.05
    printed_bayes = STANDARD.probability(-np.inf, -2.053 / 2)
    lines = (
        compared(
            "chi-square of 1000 samples", "9.05", float(each.mean()), error=spread / each.size**0.5, spread=spread
        ),
        compared("degrees of freedom", "7", df),
        claimed(
            "distance of the class means",
            "2.053 standard deviations, with true errors of 0.0203",
            printed_bayes < 0.0204,
            f"at 2.053 no rule errs less than {printed_bayes:.3f}; at 4.106 the least is"
            f" {STANDARD.probability(-9, -2.053):.4f}",
            reason="2.053 is the distance of each mean from the midpoint between them. The means are 4.107 apart.",
        ),
        claimed(
            "1000 samples",
            "a thousand samples do not differ from the binomial, at alpha = 0.05",
            quiet + 3 * math.sqrt(0.25 / each.size) >= 0.5,
            f"so in {quiet:.0%} of {each.size:,} such experiments",
        ),
        claimed(
            "all samples together",
            "equation 1 describes the errors in 10-fold cross-validation",
            pvalue > 0.001,
            f"{kept:,} samples: chi-square {pooled:.1f}, p {_told(pvalue)}; mean {mean:.3f} errors, binomial"
            f" {due @ np.arange(due.size) / kept:.3f}",
            reason="Near, but not exact: folds train on 90 examples of 100, so that there are a few errors more, and"
            " enough samples show it.",
        ),
    )
    share = Series("binomial", np.arange(seen.size), due / kept, "bars")
    picture = plotted(
        "Errors in 10-fold cross-validation",
        "How often 0 to 6 errors and 7 or more were counted, beside the binomial: the bars are all but equal.",
        [Series("10-fold", np.arange(seen.size), seen / kept, "bars"), share],
        x="errors in 100 examples",
        y="share of samples",
        ticks=[(k, str(k) if k < df else f"{df} or more") for k in range(seen.size)],
    )
    notes = (
        "Samples of 100 from two equally likely normal classes are drawn until enough of them give a classifier (the"
        " midpoint of the class means) whose true error is 0.0203 ± 0.0001"
        f" ({kept / int(found['drawn'].sum()):.0%} of them do). Each is"
        " cross-validated in ten folds, and the numbers of errors are compared with Binomial(100, 0.0203).",
        "A chi-square on 7 degrees of freedom has a mean of 7 and a standard deviation of 3.7; that is what one printed"
        " value is allowed. Ours is the mean over all experiments of 1000 samples.",
        "A test that does not reject has not shown that the binomial holds, only that so many samples do not show the"
        " difference. A million samples do, though the difference is of no practical weight.",
    )
    return Shown(lines=lines, pictures=(picture,), notes=notes)


def _told(pvalue: float) -> str:
    return f"{pvalue:.3f}" if pvalue >= 0.001 else "below 0.001"


# --- Section 2.1: the normal in place of the binomial ---------------------------------------------------------------

_RATE = 0.1  # of errors, in the pictures; the ratios are those of rare errors


def _needed(rule: str, rate: float) -> float:
    """Return the least test set, as a real number, for which a rule of thumb lets the normal pass."""
    spread = rate * (1 - rate)
    return {"Hodges and Lehmann": 10 / spread, "Anderson and Sclove": 5 / rate, "Mendenhall": 4 * spread / rate**2}[
        rule
    ]


def _misfit(trials: int, rate: float) -> tuple[float, float]:
    """Return how far the normal, continuity allowed for, is from P(m ≤ k): at most, and at most in the lower tail."""
    model, k = lab.BinomialModel(trials, rate), np.arange(trials + 1)
    exact = np.cumsum(model.probability(k))
    normal = lab.NormalModel(model.mean, math.sqrt(model.variance))
    off = np.abs(exact - [normal.probability(-np.inf, each + 0.5) for each in k])
    return float(off.max()), float(off[exact <= 0.05].max())


def figure_1(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Show the binomial and the normal where the most liberal and the safest rule begin to allow it."""
    liberal, safe = (math.ceil(_needed(rule, _RATE) + 1e-9) for rule in ("Mendenhall", "Hodges and Lehmann"))
    off = {trials: _misfit(trials, _RATE) for trials in (liberal, safe)}
    rare = 0.001
    safest = _needed("Hodges and Lehmann", rare)
    lines = (
        compared("Hodges and Lehmann's sample, by Anderson's", "2", safest / _needed("Anderson and Sclove", rare)),
        compared("Hodges and Lehmann's sample, by Mendenhall's", "2.5", safest / _needed("Mendenhall", rare)),
        compared("a negative number of errors, one in", "40", 1 / STANDARD.probability(-np.inf, -2), unit=10),
        claimed(
            "overall",
            "the normal is good in an overall sense under either rule",
            max(overall for overall, _ in off.values()) < 0.05,
            f"P(m ≤ k) is off by at most {off[liberal][0]:.3f} at {liberal} examples, {off[safe][0]:.3f} at {safe}",
        ),
        claimed(
            "tail",
            "the conservative rule is better in the critical tail",
            off[safe][1] < off[liberal][1],
            f"below 5 %, off by at most {off[liberal][1]:.4f} at {liberal} examples, {off[safe][1]:.4f} at {safe}",
        ),
    )
    pictures = (
        _curves("a", "the most liberal rule", liberal),
        _curves("b", "the safest rule", safe),
        _tails(liberal, safe),
    )
    rows = [
        (
            f"{rate:g}",
            *(f"{_needed(rule, rate):.0f}" for rule in rules),
            f"{2 / (1 - rate):.2f}",
            f"{2.5 / (1 - rate) ** 2:.2f}",
        )
        for rules in [("Hodges and Lehmann", "Anderson and Sclove", "Mendenhall")]
        for rate in (0.001, 0.01, 0.05, 0.1, 0.2, 0.3)
    ]
    head = (
        "error rate",
        "Hodges and Lehmann",
        "Anderson and Sclove",
        "Mendenhall",
        "first by second",
        "first by third",
    )
    notes = (
        f"The figure's sample size and error rate are not told; ours are an error of {_RATE:g}, and the least test sets"
        f" that Mendenhall's rule (error ± 2 standard deviations inside 0 and 1) and that of Hodges and Lehmann"
        f" (M·e·(1−e) ≥ 10) let pass.",
        "The ratios of the least samples are 2/(1−e) and 2.5/(1−e)²: those of the text hold where errors are rare, as"
        " they are compared here (e = 0.001).",
        "At Mendenhall's limit the mean is two standard deviations above 0, so that the normal gives 0.0228, one in 44,"
        " to fewer errors than none.",
    )
    return Shown(lines=lines, pictures=pictures, tables=(Table.of("Least test sets", head, rows),), notes=notes)


def _curves(part: str, rule: str, trials: int) -> Any:
    model = lab.BinomialModel(trials, _RATE)
    normal = lab.NormalModel(model.mean, math.sqrt(model.variance))
    k, x = np.arange(-3, int(model.mean + 4 * normal.sd)), np.linspace(-3, model.mean + 4 * normal.sd, 200)
    return plotted(
        f"Figure 1{part}: {trials} examples, {rule}",
        f"Bars of the binomial with {trials} examples and an error rate of {_RATE:g}, and the normal curve of the same"
        " mean and variance, which goes on below 0.",
        [Series("binomial", k, model.probability(k), "bars"), Series("normal", x, normal.density(x))],
        x="errors",
        y="probability",
        upright=(-0.5,),
    )


def _tails(*sizes: int) -> Any:
    series = []
    for trials in sizes:
        model = lab.BinomialModel(trials, _RATE)
        normal = lab.NormalModel(model.mean, math.sqrt(model.variance))
        k = np.arange(int(model.mean) + 1)
        z = (k + 0.5 - model.mean) / normal.sd
        series.append(Series(f"binomial, {trials} examples", z, np.cumsum(model.probability(k)), "points"))
    z = np.linspace(-3, 0, 100)
    series.append(Series("normal", z, [STANDARD.probability(-np.inf, each) for each in z]))
    return plotted(
        "Figure 1, the lower tail",
        "P(at most k errors) against how many standard deviations k + 1/2 lies from the mean: with more examples the"
        " points lie nearer to the normal curve.",
        series,
        x="(k + ½ − mean) / standard deviation",
        y="P(at most k errors)",
        log="y",
    )
