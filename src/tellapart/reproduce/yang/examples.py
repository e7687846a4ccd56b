"""Yang (2006), sections 2.1 and 2.3: what two rules that disagree often, or seldom, have to do with the test set."""

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

_WHOLE = 3_000_000_000  # examples of which shares are whole numbers, or next to it
_POPULATION = lab.TwoNormals(0.25)
_TRAINED = (50, 200, 800, 3200)
_SIZES = (100, 1000, 10_000)


def examples(run: Run) -> Shown:
    """Show the toy example after Definition 1, the extreme one of section 2.1, and Examples 1 to 3."""
    trials = run.size(2000, quick=400, most=10_000, of="samples per size, Example 3", ours=True)
    measured = run.cells(learnt, [{"trained": size} for size in _TRAINED], trials, block=100)
    lines, table_3 = _example_3(measured)
    chances = {name: [chance(size, power) for size in _SIZES] for name, chance, power in _WAYS}
    return Shown(
        lines=(*_toy_examples(), *_example_1(), *_example_2(), *lines),
        pictures=(_count_ways(chances), _draw_rates(measured)),
        tables=(_corrected_rates(chances), table_3),
        notes=(
            "R, the essential error probability difference, is the difference of two error rates over the probability"
            " that the two rules disagree: of the discordant examples, the share that does not cancel"
            " out. A test set of n₂ finds the better rule in the end if n₂·difference·R grows without limit.",
            "Examples 1 and 2 are computed exactly: error rates and disagreement from f, the probability of class 1,"
            " and the choice from the distribution of the number of discordant errors; equal numbers are"
            " decided by a coin."
            " Example 1 is put right by f = 0.3 in place of ½, Example 2 by an f that is 0.9 where the rules disagree;"
            " beside it stand two normal classes (Bayes error 0.25), where f is ½ at the border, as it always is where"
            " f is continuous.",
            "Example 3 is looked at on the same normal classes, whose log odds are linear, so that the logistic model"
            " holds: logistic regression against k nearest neighbours with k = n^(4/5)/2, which stand in for the"
            " adaptive splines of the paper; true errors are exact. Half of each sample trained the rules and half"
            " tested them. (The paper tells of no simulation here.)",
            "Half and half does not bring the choice of logistic regression nearer to certainty as samples grow: with"
            " regret of order n^−0.8 and disagreement of order n^−0.4, the test set has to outgrow the training set to"
            " the power 1.2.",
        ),
    )


# --- Rules that draw labels -----------------------------------------------------------------------


def _drawn_labels(f: float, says_1: float, other_says_1: float) -> ta.PairedTable:
    """Return who is wrong where of very many examples, if two rules say 1 by chance, whatever they look at."""
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
            "f = ⅓, 1 said with probability 1/n by δ₁ and 2/n by δ₂: δ₁ is asymptotically better",
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
            "f = ½, labels by coins: both regrets are 0, they disagree with probability ½, R = 0",
            best == 0.5 and coins.disagreements == _WHOLE // 2 and coins.essential_difference == 0,
            f"errors {coins.count_a.rate:g} and {coins.count_b.rate:g}, disagreement"
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
            "Example 1: with f = ½, always to say 1 is a Bayes rule",
            float(_drawn_labels(0.5, 1.0, 0.5).count_a.rate) == 0.5,
            "its error is ½, and no rule has less",
        ),
        claimed(
            "example 1, disagreement",
            "Example 1: P(disagree) is of order 1",
            np.allclose(discordant_rates, 0.5),
            f"{discordant_rates[0]:g} at ε = 0.1, {discordant_rates[-1]:g} at ε = 0.001",
        ),
        claimed(
            "example 1, R",
            "Example 1: R is of order |ε|",
            min(essential) > 0,
            f"R = {essential[0]:g} at ε = 0.1, 0.01 and 0.001",
            reason="With f = ½ every rule has error ½, so that the difference and R are 0 whatever ε is. R is 2|ε||1 −"
            " 2f| with a fixed f other than ½: 0.8|ε| at f = 0.3.",
        ),
        claimed(
            "example 1, test set",
            "Example 1: n₂/n₁ → ∞ is needed, and ensures consistency in selection",
            chances[-1] > 0.99,
            f"chosen with probability {chances[0]:g} by 100 and {chances[-1]:g} by 10,000 test examples",
            reason="Neither rule is better where f = ½, so that there is nothing to be found. With f = 0.3 and ε ="
            " n₁^−½ the condition is right: see the table of corrected examples.",
        ),
    ]


# --- Nested regions -------------------------------------------------------------------------------


def _nested_rules(share: float) -> float:
    """Return the difference of the errors where the bolder rule is Bayes', and that share lies between the borders."""
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
            reason="It is the integral of 2f − 1 over A, and P(A) only where f = 1 there.",
        ),
        claimed(
            "example 2, R",
            "Example 2: R is of order 1",
            essential[-1] > essential[0] / 2,
            f"R = {essential[0]:.3f}, {essential[1]:.4f}, {essential[2]:.5f} at P(A) = 0.1, 0.01, 0.001",
            reason="R is the mean of 2f − 1 over A. It is of order 1 only if f stays away from ½ there, which a"
            " continuous f does not where A shrinks to the border.",
        ),
        claimed(
            "example 2, test set",
            "Example 2: P(A) of order n₁^−½ needs only n₂²/n₁ → ∞",
            chances[-1] > chances[0] + 0.01,
            f"n₂ = n₁^¾ chooses rightly with probability {chances[0]:.3f} at n₁ = 100, {chances[-1]:.3f} at 10,000",
            reason="Right where f is 0.9 on A: "
            f"{sure[0]:.3f}, then {sure[-1]:.3f}. Where f is ½ at the border the difference is of order P(A)², and n₂"
            " has to outgrow n₁^(3/2).",
        ),
    ]


def _right_labels(trained: int, power: float) -> float:
    """Return how surely Example 1, with f = 0.3 and ε = n₁^−½, is decided by n₁^power test examples."""
    return right_choice(0.4 * trained**-0.5, 0.5, round(trained**power))


def _right_sharp(trained: int, power: float) -> float:
    """Return the same of Example 2, with f = 0.9 where the rules disagree, which has probability n₁^−½."""
    share = trained**-0.5
    return right_choice(0.8 * share, share, round(trained**power))


def _right_nested(trained: int, power: float) -> float:
    """Return the same of Example 2 with two normal classes, where f is ½ at the border."""
    share = trained**-0.5
    return right_choice(_nested_rules(share), share, round(trained**power))


_WAYS: tuple[tuple[str, Any, float], ...] = (
    ("labels by chance, f = 0.3; n₂ = n₁", _right_labels, 1.0),
    ("labels by chance, f = 0.3; n₂ = n₁^1.25", _right_labels, 1.25),
    ("nested, f = 0.9 between; n₂ = n₁^0.75", _right_sharp, 0.75),
    ("nested, f = ½ at the border; n₂ = n₁^0.75", _right_nested, 0.75),
    ("nested, f = ½ at the border; n₂ = n₁", _right_nested, 1.0),
)


def _corrected_rates(chances: dict[str, list[float]]) -> Table:
    rows = [(name, *(round(chance, 4) for chance in each)) for name, each in chances.items()]
    head = ("rules and test set", *(f"n₁ = {size:,}" for size in _SIZES))
    return Table.of("Examples 1 and 2 corrected: the probability of choosing the better rule", head, rows)


def _count_ways(chances: dict[str, list[float]]) -> Picture:
    return plotted(
        "Examples 1 and 2, corrected: does more data find the better rule?",
        "Probability of choosing the better of two rules against the size of the training set. It stays where it is"
        " with labels by chance and a test set as large as the training set, rises with a larger one, rises quickly"
        " for nested regions where f is 0.9 between them, and falls to one half where f is one half at the border.",
        [Series(name, _SIZES, each) for name, each in chances.items()],
        x="training examples n₁",
        y="right choice, probability",
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
    # As many neighbours as balance bias and variance for an f with two derivatives; odd, so that no vote is a tie.
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
    off = SURE * slope["logistic"].error + 0.1  # the order is reached in the end, not at 50 examples
    lines = [
        claimed(
            "example 3, logistic",
            "Example 3: the plug-in rule of logistic regression has regret of order 1/n",
            abs(slope["logistic"].value + 1) < off,
            f"regret goes as n^{slope['logistic'].value:.2f} (± {slope['logistic'].error:.2f})",
        ),
        claimed(
            "example 3, other f",
            "Example 3: where f is not monotone, the regret of logistic regression does not converge at all",
            _least_regret() > 0.1,
            f"f = ½ − 0.4 cos 2πx on [0, 1]: no half-line has regret below {_least_regret():.3f}",
        ),
        claimed(
            "example 3, minimax rates",
            "Example 3: the minimax rates n^(−α/(2α+r)) of Sobolev classes are all slower than n^−½",
            max(rates) < 0.5,
            f"exponents from {min(rates):.3f} to {max(rates):.3f} for α = 1 to 5, r = 1 to 10",
        ),
        claimed(
            "example 3, regret of the smoother rule",
            "Example 3: the adaptive rule has q = n^(−α/(2α+r)) also where the logistic model holds",
            slope["neighbours"].value + SURE * slope["neighbours"].error > -0.5,
            "that is slower than n^−½; regret of nearest neighbours, the stand-in, goes as"
            f" n^{slope['neighbours'].value:.2f} (± {slope['neighbours'].error:.2f}), disagreement as"
            f" n^{slope['disagree'].value:.2f}",
            reason="The minimax rate is that of the worst f of the class. At one logistic f, which crosses ½ with a"
            " slope, regret is of the order of the squared error of the estimate of f: n^−0.8 for two derivatives.",
        ),
        claimed(
            "example 3, test set",
            "Example 3: for these rates, n₁ and n₂ of the same order suffice",
            all(advice(regret_rate=rate).fixed_ratio for rate in rates),
            f"n₂ has to outgrow n₁^{2 * max(rates):.2f} at most",
        ),
        claimed(
            "section 2.1, half and half",
            "2β − η < 1 allows n₁ of the order of n₂",
            advice(regret_rate=0.4).fixed_ratio and advice(regret_rate=0.45).fixed_ratio,
            "β = 0.40, η = 0: n₂ has to outgrow n₁^0.8",
        ),
        claimed(
            "section 2.1, a quarter",
            "a quarter for evaluation does not work for regrets of order n^−½ or better",
            not advice(regret_rate=0.5).fixed_ratio and not advice(regret_rate=0.8).fixed_ratio,
            "β = ½, η = 0: n₂ has to outgrow n₁ itself",
        ),
    ]
    rows = [
        (f"{2 * size:,}", *(float(f"{means[name][index].value:.4g}") for name in means))
        for index, size in enumerate(_TRAINED)
    ]
    advised = ta.splitting_advice(regret_rate=0.8, disagreement_rate=0.4)
    head = ("examples", "regret of logistic", "regret of neighbours", "disagreement", "logistic chosen")
    return lines, Table.of(
        "Example 3: logistic regression against nearest neighbours, half and half",
        head,
        rows,
        note=f"Ties count half. With β = 0.8 and η = 0.4 the advice is: {advised.words}",
    )


def _least_regret() -> float:
    """Return the least regret of a half-line, or of one label for all, where f is ½ − 0.4 cos 2πx on [0, 1]."""
    step = 1 / 4000
    f = 0.5 - 0.4 * np.cos(2 * np.pi * np.arange(step / 2, 1, step))
    # By where the half-line ends: the error of saying 1 below, and 0 above; to say the opposite errs elsewhere.
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
        "Example 3: how fast two rules approach the Bayes error",
        "Regret against training examples on logarithmic axes: that of logistic regression falls as 1/n, that of"
        " nearest neighbours as n to the power −0.8, faster than the minimax rate of the class.",
        series,
        x="training examples",
        y="regret",
        log="xy",
        size=(6.4, 3.8),
    )
