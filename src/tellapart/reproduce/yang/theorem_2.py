"""Yang (2006), Theorem 2: upper bound on the cost of selection, and the actual cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ...report.picture import Picture
from ..drawing import Series, plotted
from ..measured import SURE, Measured
from ..printed import printed
from ..run import Arrays, Cell, Run
from ..verdicts import Line, Shown, claimed
from .discordant_sums import slope_of

_TESTED = (10, 25, 50, 100, 200, 500, 1000, 10_000)
_DISAGREE = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
_GROWING = (100, 400, 1600, 6400)  # training sizes at which the discordant rate is measured


def theorem_2(run: Run) -> Shown:
    """Show the bound on the cost of selection, and the actual cost in the design of Tables 1 to 3."""
    rows = [row for row in printed("yang_tables_1_to_3") if row["table"] == "1" or row["n"] != "100"]
    cells = [{"n1": int(row["n1"]), "n2": int(row["n2"])} for row in rows]
    growing = [{"n1": size, "n2": 400} for size in _GROWING]
    trials = run.size(2000, quick=500, most=20_000, of="samples per size", ours=True)
    measured = run.cells(chosen_once, [*cells, *growing], trials, block=250)
    costs = [_cost_lines(cell, each) for cell, each in zip(cells, measured, strict=False)]
    slope = slope_of(_GROWING, [Measured.mean(each["disagree"]) for each in measured[len(cells) :]])
    return Shown(
        lines=(
            claimed(
                "the bound, Tables 1 to 3",
                "regret of the selected rule ≤ smallest regret + (4 ln n₂ + 3)/(3n₂) + √(2 ln n₂/n₂)·√P(disagree)",
                all(cost["excess"].value - 3 * cost["excess"].error < cost["bound"] for cost in costs),
                "the cost of selection is {:.4f} to {:.4f}, the bound {:.2f} to {:.2f}".format(
                    *(pick(cost["excess"].value for cost in costs) for pick in (min, max)),
                    *(pick(cost["bound"] for cost in costs) for pick in (min, max)),
                ),
            ),
            *_order_lines(slope),
        ),
        pictures=(_draw_bounds(), _draw_costs(cells, costs)),
        tables=(_bound_table(), _looseness_table(cells, costs)),
        notes=(
            "Theorem 2 bounds the cost of selecting by one test set: the expected error of the selected rule minus that"
            " of the better one. The logarithm is natural. Section 2.5 calls it the risk bound of Theorem 1.",
            "For comparison, the cost of selection in the design of Tables 1 to 3, by one splitting; true errors are"
            " exact. The bound is right but far above: it holds for any two classifiers, so it gives the order of the"
            " cost, not its size.",
        ),
    )


def chosen_once(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Return the regrets of both rules and of the one selected by the test set, for one splitting per sample."""
    trained, design = int(cell["n1"]), lab.yang_predictors()
    X, y = design.population.draw((trials,), trained + int(cell["n2"]), rng)  # noqa: N806
    rules = [inducer.fit(X[:, :trained], y[:, :trained]) for inducer in (design.a, design.b)]
    predictions = [rule.predict(X[:, trained:]) for rule in rules]
    errors = [(answer != y[:, trained:]).sum(axis=-1) for answer in predictions]
    regrets = [design.population.regret(rule) for rule in rules]
    return {
        "a": regrets[0],
        "b": regrets[1],
        "chosen": np.where(errors[0] <= errors[1], *regrets),
        "disagree": (predictions[0] != predictions[1]).mean(axis=-1),
    }


def _cost_lines(cell: Cell, measured: Any) -> dict[str, Any]:
    better = "a" if measured["a"].mean() <= measured["b"].mean() else "b"
    discordant_rate = float(measured["disagree"].mean())
    return {
        "regret": float(measured[better].mean()),
        "excess": Measured.mean(measured["chosen"] - measured[better]),
        "disagree": discordant_rate,
        "bound": float(ta.risk_bound(int(cell["n2"]), discordant_rate)),
    }


def _order_lines(slope: Measured) -> list[Line]:
    sizes = 10.0 ** np.arange(2, 9)
    at_worst = ta.risk_bound(sizes, 1.0) * np.sqrt(sizes / np.log(sizes))
    at_best = ta.risk_bound(sizes, 1 / sizes) * sizes / np.log(sizes)
    return [
        claimed(
            "rates S1 and S2",
            "at rates of n^−½ or slower, n₁ and n₂ of the same order suffice for the optimal risk, up to a logarithm",
            bool((np.diff(at_worst) < 0).all()),
            f"for any discordant rate, the excess divided by √(ln n/n) falls from {at_worst[0]:.2f} at n = 100 to"
            f" {at_worst[-1]:.2f} at 10⁸",
        ),
        claimed(
            "rate S3",
            "the bound is of order ln n/n if P(disagree) = O(1/n)",
            bool((np.diff(at_best) < 0).all()),
            f"the excess divided by ln n/n falls from {at_best[0]:.2f} at n = 100 to {at_best[-1]:.2f} at 10⁸",
        ),
        claimed(
            "rate S3, where it occurs",
            "P(disagree) = O(1/n) if both models are correct and one has extra parameters",
            slope.value + SURE * slope.error < -0.75,
            f"for discriminants on two and three predictors it is proportional to n^{slope.value:.2f} (±"
            f" {slope.error:.2f})",
            reason="The distance of the borders of two correct models is of order n^−½, and so is the share of examples"
            " between them; the regret is of order 1/n. The bound is of order n^−¾ √(ln n) here.",
        ),
    ]


def _draw_bounds() -> Picture:
    sizes = np.geomspace(10, 10_000, 60)
    series = [
        Series(f"P(disagree) = {discordant_rate:g}", sizes, ta.risk_bound(sizes, discordant_rate))
        for discordant_rate in (1.0, 0.25, 0.05, 0.01)
    ]
    return plotted(
        "Theorem 2: upper bound on the cost of selection",
        "The bound on the excess regret against test examples on logarithmic axes, one line for each discordant rate:"
        " all fall, and they are lower for smaller discordant rates.",
        series,
        x="test examples n₂",
        y="bound on the excess regret",
        log="xy",
        size=(6.4, 3.6),
    )


def _draw_costs(cells: Sequence[Cell], costs: Sequence[dict[str, Any]]) -> Picture:
    tested = [int(cell["n2"]) for cell in cells]
    order = np.argsort(tested)
    excess = np.array([cost["excess"] for cost in costs])[order]
    return plotted(
        "Theorem 2 and the design of Tables 1 to 3",
        "The cost of selection in the thirteen splittings of Tables 1 to 3, about 0.001, is far below the bound of 0.04"
        " to 0.21.",
        [
            Series("bound", np.array(tested)[order], np.array([cost["bound"] for cost in costs])[order], "points"),
            Series(
                "measured, by one splitting",
                np.array(tested)[order],
                excess[:, 0],
                "points",
                excess[:, 0] - 2 * excess[:, 1],
                excess[:, 0] + 2 * excess[:, 1],
            ),
        ],
        x="test examples n₂",
        y="excess regret",
        log="y",
        size=(6.4, 3.6),
    )


def _bound_table() -> Table:
    rows = [
        (size, *(float(ta.risk_bound(size, discordant_rate).round(5)) for discordant_rate in _DISAGREE))
        for size in _TESTED
    ]
    head = ("n₂", *(f"P(disagree) = {discordant_rate:g}" for discordant_rate in _DISAGREE))
    return Table.of("The bound on the excess regret", head, rows)


def _looseness_table(cells: Sequence[Cell], costs: Sequence[dict[str, Any]]) -> Table:
    rows = [
        (
            f"{cell['n1']}/{cell['n2']}",
            round(cost["disagree"], 4),
            round(cost["regret"], 5),
            round(cost["excess"].value, 5),
            round(cost["excess"].error, 5),
            round(cost["bound"], 4),
        )
        for cell, cost in zip(cells, costs, strict=True)
    ]
    head = ("n₁/n₂", "discordant rate", "smallest regret", "cost of selection", "± standard error", "bound")
    return Table.of("Cost of selection and its bound for the design of Tables 1 to 3, by one splitting", head, rows)
