"""Yang (2006), Tables 1 to 3: more observations can make the selection of a classifier worse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ...report.picture import Picture
from ..drawing import Series, plotted
from ..measured import Measured
from ..printed import printed
from ..run import Arrays, Cell, Run
from ..verdicts import Line, Shown, claimed, compared

_SPLITTINGS = 100
_REPLICATIONS = 1000
_SHARES = (70, 75, 80, 85, 90)  # of the test set in Table 3, in %
_HIGH = (
    "The printed numbers of this table are too high, by about 0.02 on average at n = 300 to 900, or three standard"
    " errors of their mean; those of Tables 1 and 3 are not. The cause is not known; the conclusions do not depend on"
    " it."
)


def table_1(run: Run) -> Shown:
    """Show how often the right predictors are selected if additions are halved between training and test set."""
    rows, measured = _measure_selection(run, "1")
    drop = measured[0]["mean"].less(measured[-1]["mean"])
    return Shown(
        lines=(
            *_probability_lines(rows, measured),
            claimed(
                "more data",
                "with more observations in both parts, the ability to detect the better classifier is decreased",
                drop.not_negative,
                f"from n = 100 to n = 900 the probability falls by {drop.description}",
            ),
        ),
        pictures=(_draw_probabilities("1", rows, measured),),
        tables=(_other_rules(rows, measured),),
        notes=(
            *_table_notes(run),
            "The third predictor is useless, and does less harm with a larger training set: the difference to be"
            " detected shrinks faster than the test set grows. This is the cross-validation paradox.",
        ),
    )


def table_2(run: Run) -> Shown:
    """Show how often the right predictors are selected with 30% for training and 70% for testing."""
    rows, measured = _measure_selection(run, "2")
    _, (halved,) = _measure_selection(run, "1", largest=True)
    gain = measured[-1]["mean"].less(halved["mean"])
    grown = [each["mean"] for each in measured[1:]]
    error = float(np.sqrt(sum(each.error**2 for each in grown))) / 4
    spread = float(np.sqrt(sum(_draw_choice(each) ** 2 for each in grown))) / 4
    together = f"{np.mean([float(row['probability']) for row in rows[1:]]):.4f}"
    ours = float(np.mean([each.value for each in grown]))
    return Shown(
        lines=(
            *_probability_lines(rows, measured, reasons=dict.fromkeys(("300", "700", "900"), _HIGH)),
            compared(
                "mean of the printed n = 300 to 900",
                together,
                ours,
                error=error,
                spread=spread,
                unit=0.0005,
                reason=_HIGH,
            ),
            claimed(
                "constant ratio",
                "a constant ratio of 30/70 improves on the equal splitting of additions (Table 1)",
                gain.not_negative,
                f"at n = 900 the probability exceeds that of Table 1 by {gain.description}",
            ),
        ),
        pictures=(_draw_probabilities("2", rows, measured),),
        tables=(_other_rules(rows, measured),),
        notes=_table_notes(run),
    )


def table_3(run: Run) -> Shown:
    """Show how often the right predictors are selected if the share of the test set grows from 70% to 90%."""
    rows, measured = _measure_selection(run, "3")
    _, (constant,) = _measure_selection(run, "2", largest=True)
    gain, rise = measured[-1]["mean"].less(constant["mean"]), measured[-1]["mean"].less(measured[0]["mean"])
    shares = [100 * int(row["n2"]) / int(row["n"]) for row in rows]
    return Shown(
        lines=(
            *_probability_lines(rows, measured),
            claimed(
                "shares",
                "70%, 75%, 80%, 85% and 90% evaluate",
                np.allclose(shares, _SHARES),
                _format_percent(shares),
            ),
            claimed(
                "larger share",
                "a larger share for evaluation does even better than a constant ratio (Table 2)",
                gain.not_negative,
                f"at n = 900 the probability exceeds that of Table 2 by {gain.description}",
            ),
            claimed(
                "more data",
                "a larger share for evaluation does a better job with more observations",
                rise.not_negative,
                f"from n = 100 to n = 900 the probability rises by {rise.description}",
            ),
            claimed(
                "text",
                "the probability of selecting the better classifier reaches 97.5%",
                rows[-1]["probability"] == "0.975",
                f"the table prints {rows[-1]['probability']}; ours is {measured[-1]['mean'].value:.4f}",
                reason="The table prints 0.976: the last digit is wrong in the text or in the table.",
            ),
        ),
        pictures=(_draw_probabilities("3", rows, measured),),
        tables=(_other_rules(rows, measured),),
        notes=_table_notes(run),
    )


# --- Tables 1 to 3 --------------------------------------------------------------------------------


def selected(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Return which of two discriminants each rule selects: mean error over splittings, votes, or one splitting."""
    n, trained = int(cell["n"]), int(cell["n1"])
    design = lab.yang_predictors(n, f"{_SPLITTINGS}x({trained}/{n})")
    by_mean, by_vote = (ta.find_methods(name=name, gives="test")[0] for name in ("mean-error-choice", "vote"))
    view = design.view(by_mean)
    samples = design.draw([view], trials, rng)[view]
    votes = by_vote(samples, ties="first")
    # A single splitting selects the first with a probability equal to its share of votes.
    return {"mean": by_mean(samples).chooses < 0, "vote": votes.chooses < 0, "one": votes.statistic}


def _measure_selection(run: Run, table: str, *, largest: bool = False) -> tuple[list[Any], list[dict[str, Measured]]]:
    """Return the printed rows of a table, or the last one, and how often each rule selects the first classifier."""
    rows = [row for row in printed("yang_tables_1_to_3") if row["table"] == table][-1 if largest else 0 :]
    trials = run.size(_REPLICATIONS, quick=70, most=6000, of="replications per cell")
    cells = [{"n": int(row["n"]), "n1": int(row["n1"])} for row in rows]
    measured = run.cells(selected, cells, trials, block=250)
    shares = [{name: Measured.share(each[name]) for name in ("mean", "vote")} for each in measured]
    return rows, [share | {"one": Measured.mean(each["one"])} for share, each in zip(shares, measured, strict=True)]


def _format_percent(shares: Sequence[float]) -> str:
    return ", ".join(f"{share:g}%" for share in shares)


def _draw_choice(share: Measured) -> float:
    """Return the standard deviation of a share of a thousand replications, if the probability is near ours."""
    near = min(max(share.value, share.error), 1 - share.error)
    return float(np.sqrt(near * (1 - near) / _REPLICATIONS))


def _probability_lines(
    rows: Sequence[Any], measured: Sequence[Any], reasons: dict[str, str] | None = None
) -> list[Line]:
    return [
        compared(
            f"n = {row['n']} ({row['n1']}/{row['n2']})",
            row["probability"],
            each["mean"].value,
            error=each["mean"].error,
            spread=_draw_choice(each["mean"]),
            among=len(rows),
            reason=(reasons or {}).get(row["n"], ""),
        )
        for row, each in zip(rows, measured, strict=True)
    ]


def _draw_probabilities(table: str, rows: Sequence[Any], measured: Sequence[dict[str, Measured]]) -> Picture:
    n = [int(row["n"]) for row in rows]
    named = {"vote": "votes of the splittings", "mean": "mean error over the splittings", "one": "one splitting"}
    series = []
    for name, title in named.items():
        value, error = np.array([each[name] for each in measured]).T
        band = (value - 2 * error, np.minimum(value + 2 * error, 1)) if name == "mean" else ()
        series.append(Series(title, n, value, "line", *band))
    series.append(Series("printed", n, [float(row["probability"]) for row in rows], "paper"))
    return plotted(
        f"Table {table}: how often the better classifier is selected",
        "Probability of selecting the discriminant on two predictors against the sample size, by three rules; the"
        " printed numbers are close to the rule of the mean error.",
        series,
        x="examples",
        y="share that selects the better",
        size=(7.6, 3.6),
        beside=True,
    )


def _other_rules(rows: Sequence[Any], measured: Sequence[dict[str, Measured]]) -> Table:
    lines = [
        (
            f"{row['n']} ({row['n1']}/{row['n2']})",
            *(round(each[name].value, 4) for name in ("mean", "vote", "one")),
            round(each["mean"].error, 4),
        )
        for row, each in zip(rows, measured, strict=True)
    ]
    head = ("n (n₁/n₂)", "mean error", "votes", "one splitting", "± standard error of the first")
    return Table.of("How often the better classifier is selected, by three rules", head, lines, note="Ties select it.")


def _table_notes(run: Run) -> tuple[str, ...]:
    trials = run.sizes["replications per cell"].split(" ", 1)[0]
    return (
        "Exactly two of five examples are of class 1. The class means differ by 0.4 and 0.3 standard deviations in two"
        " predictors, and not in the third. Fisher's discriminant on the first two is compared with that on all three,"
        " by the mean error over 100 random splittings; equal means select the first. Splittings are drawn from the"
        " whole sample, not batch by batch, without a noticeable difference.",
        f"{trials} samples of each size were drawn. Votes of splittings, ties to the first (section 2.2), select the"
        " better one more often if test sets are small and ties frequent; a single splitting selects it much less"
        " often. The printed numbers are those of the mean error.",
    )
