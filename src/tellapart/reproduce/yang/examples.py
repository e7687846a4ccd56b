"""Yang (2006), sections 2.1 and 2.3: the discordant rate of two rules, and the test set needed to compare them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ...report.picture import Picture
from ..drawing import Series, plotted
from ..measured import SURE, Measured
from ..run import Arrays, Cell, Run
from ..verdicts import Line, Shown, claimed
from .discordant_sums import right_choice, slope_of

_WHOLE = 3_000_000_000  # examples, so many that all shares are almost whole numbers
_POPULATION = lab.TwoNormals(0.25)
_TRAINED = (50, 200, 800, 3200)
_SIZES = (100, 1000, 10_000)


def examples(run: Run) -> Shown:
    """Show the toy example after Definition 1, the extreme example of section 2.1, and Examples 1 to 3."""
    trials = run.size(2000, quick=400, most=10_000, of="samples per size, Example 3", ours=True)
    measured = run.cells(learnt, [{"trained": size} for size in _TRAINED], trials, block=100)
    lines, table_3 = _example_3(measured)
    chances = {name: [chance(size, power) for size in _SIZES] for name, chance, power in _WAYS}
    return Shown(
        lines=(*_toy_examples(), *_example_1(), *_example_2(), *lines),
        pictures=(_count_ways(chances), _draw_rates(measured)),
        tables=(_corrected_rates(chances), table_3),
        notes=(
            "R, the essential error probability difference, is the difference of two error rates divided by the"
            " probability that the two rules disagree: the share of the discordant examples that does not cancel out. A"
            " test set of size n₂ is consistent in selection if n₂·difference·R grows without limit.",
            "Examples 1 and 2 are computed exactly: error rates and discordant rate from f, the probability of class 1,"
            " and the selection from the distribution of the number of discordant errors; ties are broken at random."
            " Example 1 is corrected by f = 0.3 instead of ½, Example 2 by an f of 0.9 on the region where the rules"
            " disagree. For comparison there are two normal classes (Bayes error 0.25), where f is ½ at the border, as"
            " for every continuous f.",
            "Example 3 is tested on the same normal classes. Their log odds are linear, so the logistic model is"
            " correct. Logistic regression is compared with k nearest neighbours, k = n^(4/5)/2, which replace the"
            " adaptive splines of the paper; true errors are exact. One half of each sample is for training, the other"
            " for testing. (The paper reports no simulation here.)",
            "With equal halves the probability of selecting logistic regression does not approach 1 as samples grow:"
            " with regret of order n^−0.8 and a discordant rate of order n^−0.4, the test set has to grow faster than"
            " the training set to the power 1.2.",
        ),
    )


# --- Rules with random labels ---------------------------------------------------------------------


def _drawn_labels(f: float, says_1: float, other_says_1: float) -> ta.PairedTable:
    """Return the four counts of two rules that predict 1 at random."""
    a, b = f * (1 - says_1) + (1 - f) * says_1, f * (1 - other_says_1) + (1 - f) * other_says_1
    both = f * (1 - says_1) * (1 - other_says_1) + (1 - f) * says_1 * other_says_1
    cells = np.rint(_WHOLE * np.array([both, a - both, b - both, 1 - a - b + both])).astype(int)
    return ta.PairedTable(*cells.tolist())


def _toy_examples() -> list[Line]:
    sizes = np.array([10, 100, 1000])
    labelled = [_drawn_labels(1 / 3, 1 / n, 2 / n) for n in sizes]
    regrets = np.array([[float(each.count_a.rate), float(each.count_b.rate)] for each in labelled]) - 1 / 3
    scaled = regrets * sizes[:, None]
    coins = _drawn_labels(0.5, 0.5, 0.5)
    best = min(0.5, float(coins.count_a.rate))
    return [
        claimed(
            "toy example, better",
            "f = ⅓, δ₁ predicts 1 with probability 1/n and δ₂ with 2/n: δ₁ is asymptotically better",
            np.allclose(regrets[:, 1] / regrets[:, 0], 2, atol=2e-3),
            "regrets 1/(3n) and 2/(3n): a ratio of 2 at every n",
        ),
        claimed(
            "toy example, rates",
            "the convergence rates of these δ₁ and δ₂ are the same",
            np.allclose(scaled, [1 / 3, 2 / 3], atol=1e-3),
            f"n times the regret is {scaled[-1, 0]:.3f} and {scaled[-1, 1]:.3f} at n = 1000",
        ),
        claimed(
            "extreme example",
            "f = ½, random labels: both regrets are 0, they disagree with probability ½, R = 0",
            best == 0.5 and coins.disagreements == _WHOLE // 2 and coins.essential_difference == 0,
            f"errors {coins.count_a.rate:g} and {coins.count_b.rate:g}, discordant rate"
            f" {coins.disagreements / _WHOLE:g}, R = {coins.essential_difference:g}",
        ),
    ]


def _example_1() -> list[Line]:
    steps = (0.1, 0.01, 0.001)
    printed = [_drawn_labels(0.5, 0.5, 0.5 - step) for step in steps]
    discordant_rates = [each.disagreements / _WHOLE for each in printed]
    essential = [float(each.essential_difference) for each in printed]
    chances = [right_choice(0.0, 0.5, n) for n in (100, 10_000)]
    return [
        claimed(
            "example 1, Bayes rule",
            "Example 1: with f = ½, always predicting 1 is a Bayes rule",
            float(_drawn_labels(0.5, 1.0, 0.5).count_a.rate) == 0.5,
            "its error is ½, and no rule has a smaller one",
        ),
        claimed(
            "example 1, discordant rate",
            "Example 1: P(disagree) is of order 1",
            np.allclose(discordant_rates, 0.5),
            f"{discordant_rates[0]:g} at ε = 0.1, {discordant_rates[-1]:g} at ε = 0.001",
        ),
        claimed(
            "example 1, R",
            "Example 1: R is of order |ε|",
            min(essential) > 0,
            f"R = {essential[0]:g} at ε = 0.1, 0.01 and 0.001",
            reason="With f = ½ every rule has error ½, so the difference and R are 0 for every ε. For a fixed f other"
            " than ½, R is 2|ε||1 − 2f|: 0.8|ε| at f = 0.3.",
        ),
        claimed(
            "example 1, test set",
            "Example 1: n₂/n₁ → ∞ is needed, and ensures consistency in selection",
            chances[-1] > 0.99,
            f"selected with probability {chances[0]:g} by 100 and {chances[-1]:g} by 10,000 test examples",
            reason="With f = ½ neither rule is better, so there is no better rule to select. With f = 0.3 and ε = n₁^−½"
            " the condition is right: see the table of corrected examples.",
        ),
    ]


# --- Nested regions -------------------------------------------------------------------------------


def _nested_rules(share: float) -> float:
    """Return the difference of the errors of the Bayes rule and a rule with a shifted border, by the share between."""
    from scipy.special import ndtr

    border = np.linspace(0, 2, 20_001)
    middle = _POPULATION.means[:, 0]
    between = (_POPULATION.shares * (ndtr(border[:, None] - middle) - ndtr(-middle))).sum(axis=1)
    at = float(np.interp(share, between, border))
    shy = lab.Linear(np.array([1.0]), np.asarray(-at))
    return float(_POPULATION.true_error(shy)) - _POPULATION.bayes_error


def _example_2() -> list[Line]:
    shares = (0.1, 0.01, 0.001)
    lost = [_nested_rules(share) for share in shares]
    essential = [each / share for each, share in zip(lost, shares, strict=True)]
    chances = [_right_nested(n, 0.75) for n in _SIZES]
    sure = [_right_sharp(n, 0.75) for n in _SIZES]
    return [
        claimed(
            "example 2, difference",
            "Example 2: CPER(δ₂) − CPER(δ₁) = P(A)",
            np.allclose(lost, shares),
            f"{lost[0]:.4f} at P(A) = 0.1, {lost[-1]:.2g} at P(A) = 0.001",
            reason="It is the integral of 2f − 1 over A, which is P(A) only if f = 1 on A.",
        ),
        claimed(
            "example 2, R",
            "Example 2: R is of order 1",
            essential[-1] > essential[0] / 2,
            f"R = {essential[0]:.3f}, {essential[1]:.4f}, {essential[2]:.5f} at P(A) = 0.1, 0.01, 0.001",
            reason="R is the mean of 2f − 1 over A. It is of order 1 only if f stays away from ½ on A, which is"
            " impossible for a continuous f if A shrinks to the border.",
        ),
        claimed(
            "example 2, test set",
            "Example 2: P(A) of order n₁^−½ needs only n₂²/n₁ → ∞",
            chances[-1] > chances[0] + 0.01,
            f"n₂ = n₁^¾ selects the better rule with probability {chances[0]:.3f} at n₁ = 100, {chances[-1]:.3f} at"
            f" 10,000",
            reason="True if f is 0.9 on A: "
            f"{sure[0]:.3f}, then {sure[-1]:.3f}. If f is ½ at the border, the difference is of order P(A)², and n₂"
            " has to grow faster than n₁^(3/2).",
        ),
    ]


def _right_labels(trained: int, power: float) -> float:
    """Return the probability of the right selection in Example 1 with f = 0.3, ε = n₁^−½, and n₂ = n₁^power."""
    return right_choice(0.4 * trained**-0.5, 0.5, round(trained**power))


def _right_sharp(trained: int, power: float) -> float:
    """Return the probability of the right selection in Example 2 with f = 0.9 on A, and P(A) = n₁^−½."""
    share = trained**-0.5
    return right_choice(0.8 * share, share, round(trained**power))


def _right_nested(trained: int, power: float) -> float:
    """Return the probability of the right selection in Example 2 with two normal classes, f = ½ at the border."""
    share = trained**-0.5
    return right_choice(_nested_rules(share), share, round(trained**power))


_WAYS: tuple[tuple[str, Any, float], ...] = (
    ("random labels, f = 0.3; n₂ = n₁", _right_labels, 1.0),
    ("random labels, f = 0.3; n₂ = n₁^1.25", _right_labels, 1.25),
    ("nested, f = 0.9 between; n₂ = n₁^0.75", _right_sharp, 0.75),
    ("nested, f = ½ at the border; n₂ = n₁^0.75", _right_nested, 0.75),
    ("nested, f = ½ at the border; n₂ = n₁", _right_nested, 1.0),
)


def _corrected_rates(chances: dict[str, list[float]]) -> Table:
    rows = [(name, *(round(chance, 4) for chance in each)) for name, each in chances.items()]
    head = ("rules and test set", *(f"n₁ = {size:,}" for size in _SIZES))
    return Table.of("Examples 1 and 2 corrected: probability of selecting the better rule", head, rows)


def _count_ways(chances: dict[str, list[float]]) -> Picture:
    return plotted(
        "Examples 1 and 2, corrected: selection with more data",
        "Probability of selecting the better of two rules against the size of the training set. With random labels it"
        " is constant if the test set is as large as the training set, and rises with a larger one. With nested regions"
        " it rises quickly if f is 0.9 between them, and falls to one half if f is one half at the border.",
        [Series(name, _SIZES, each) for name, each in chances.items()],
        x="training examples n₁",
        y="probability of the right selection",
        across=(0.5,),
        log="x",
        size=(8.0, 3.6),
        beside=True,
    )


# --- Logistic regression and a smoother -----------------------------------------------------------


def learnt(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Train and test a logistic regression and nearest neighbours on halves of samples; return regrets and choices."""
    trained = int(cell["trained"])
    X, y = _POPULATION.draw((trials,), 2 * trained, rng)  # noqa: N806
    # This number of neighbours balances bias and variance for an f with two derivatives; odd, to avoid ties.
    inducers = lab.Logistic(), lab.NearestNeighbours(round(0.5 * trained**0.8) // 2 * 2 + 1)
    rules = [inducer.fit(X[:, :trained], y[:, :trained]) for inducer in inducers]
    predictions = [rule.predict(X[:, trained:]) for rule in rules]
    errors = [(answer != y[:, trained:]).sum(axis=-1) for answer in predictions]
    return {
        "logistic": _POPULATION.regret(rules[0]),
        "neighbours": _POPULATION.regret(rules[1]),
        "disagree": (predictions[0] != predictions[1]).mean(axis=-1),
        "chosen": (np.sign(errors[1] - errors[0]) + 1) / 2,
    }


def _example_3(measured: list[Any]) -> tuple[list[Line], Table]:
    means = {name: [Measured.mean(each[name]) for each in measured] for name in measured[0]}
    slope = {name: slope_of(_TRAINED, means[name]) for name in ("logistic", "neighbours", "disagree")}
    classes = [(smooth, order) for smooth in range(1, 6) for order in range(1, 11)]
    rates = [smooth / (2 * smooth + order) for smooth, order in classes]
    advice = partial(ta.splitting_advice, disagreement_rate=0.0)
    off = SURE * slope["logistic"].error + 0.1  # the asymptotic order is not reached at 50 examples
    lines = [
        claimed(
            "example 3, logistic",
            "Example 3: the plug-in rule of logistic regression has regret of order 1/n",
            abs(slope["logistic"].value + 1) < off,
            f"regret is proportional to n^{slope['logistic'].value:.2f} (± {slope['logistic'].error:.2f})",
        ),
        claimed(
            "example 3, other f",
            "Example 3: if f is not monotone, the regret of logistic regression does not converge",
            _least_regret() > 0.1,
            f"f = ½ − 0.4 cos 2πx on [0, 1]: the smallest regret of a half-line is {_least_regret():.3f}",
        ),
        claimed(
            "example 3, minimax rates",
            "Example 3: the minimax rates n^(−α/(2α+r)) of Sobolev classes are all slower than n^−½",
            max(rates) < 0.5,
            f"exponents from {min(rates):.3f} to {max(rates):.3f} for α = 1 to 5, r = 1 to 10",
        ),
        claimed(
            "example 3, regret of the smoother rule",
            "Example 3: the adaptive rule has q = n^(−α/(2α+r)) also if the logistic model is correct",
            slope["neighbours"].value + SURE * slope["neighbours"].error > -0.5,
            "that is slower than n^−½; the regret of nearest neighbours, the replacement, is proportional to"
            f" n^{slope['neighbours'].value:.2f} (± {slope['neighbours'].error:.2f}), the discordant rate to"
            f" n^{slope['disagree'].value:.2f}",
            reason="The minimax rate is that of the worst f of the class. For one logistic f, which crosses ½ with a"
            " positive slope, regret is of the order of the squared error of the estimate of f: n^−0.8 for two"
            " derivatives.",
        ),
        claimed(
            "example 3, test set",
            "Example 3: for these rates, n₁ and n₂ of the same order suffice",
            all(advice(regret_rate=rate).fixed_ratio for rate in rates),
            f"n₂ has to grow faster than n₁^{2 * max(rates):.2f} at most",
        ),
        claimed(
            "section 2.1, half and half",
            "2β − η < 1 allows n₁ of the order of n₂",
            advice(regret_rate=0.4).fixed_ratio and advice(regret_rate=0.45).fixed_ratio,
            "β = 0.40, η = 0: n₂ has to grow faster than n₁^0.8",
        ),
        claimed(
            "section 2.1, a quarter",
            "a quarter for evaluation does not work for regrets of order n^−½ or better",
            not advice(regret_rate=0.5).fixed_ratio and not advice(regret_rate=0.8).fixed_ratio,
            "β = ½, η = 0: n₂ has to grow faster than n₁",
        ),
    ]
    rows = [
        (f"{2 * size:,}", *(float(f"{means[name][index].value:.4g}") for name in means))
        for index, size in enumerate(_TRAINED)
    ]
    advised = ta.splitting_advice(regret_rate=0.8, disagreement_rate=0.4)
    head = ("examples", "regret of logistic", "regret of neighbours", "discordant rate", "logistic selected")
    return lines, Table.of(
        "Example 3: logistic regression against nearest neighbours, half and half",
        head,
        rows,
        note=f"Ties count half. With β = 0.8 and η = 0.4 the advice is: {advised.words}",
    )


def _least_regret() -> float:
    """Return the smallest regret of a half-line, or of a constant label, for f = ½ − 0.4 cos 2πx on [0, 1]."""
    step = 1 / 4000
    f = 0.5 - 0.4 * np.cos(2 * np.pi * np.arange(step / 2, 1, step))
    # By the end of the half-line: the error of predicting 1 below and 0 above; the opposite rule has 1 minus that.
    error = (np.append(0, np.cumsum(1 - f)) + np.append(np.cumsum(f[::-1])[::-1], 0)) * step
    return min(float(error.min()), 1 - float(error.max())) - float(np.minimum(f, 1 - f).mean())


def _draw_rates(measured: list[Any]) -> Picture:
    names = {"neighbours": "k nearest neighbours", "logistic": "logistic regression"}
    series = []
    for name, title in names.items():
        means = [Measured.mean(each[name]) for each in measured]
        value, error = np.array(means).T
        series.append(Series(title, _TRAINED, value, "points", value - 2 * error, value + 2 * error))
    first = Measured.mean(measured[0]["neighbours"]).value
    size = np.array(_TRAINED)
    series.append(Series("slope −2/5, minimax for α = 2, r = 1", size, first * (size / size[0]) ** -0.4))
    series.append(Series("slope −4/5", size, first * (size / size[0]) ** -0.8))
    return plotted(
        "Example 3: convergence of two rules to the Bayes error",
        "Regret against training examples on logarithmic axes: that of logistic regression falls as 1/n, that of"
        " nearest neighbours as n to the power −0.8, faster than the minimax rate of the class.",
        series,
        x="training examples",
        y="regret",
        log="xy",
        size=(6.4, 3.8),
    )
