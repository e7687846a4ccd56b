"""Martin and Hirschberg (1996), section 3: misused standard errors, and the textbook test of two error rates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ..drawing import Series, plotted
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared
from .binomial import STANDARD
from .levels import ACCURACY, LEVELS, SIZES, accuracies, cross_classified, halved
from .limits import limits


def quoted(run: Run) -> Shown:  # noqa: ARG001
    """Show the numbers that the text mentions in passing."""
    from scipy.special import stdtrit

    half_width, se = (0.8 / (math.sqrt(2) * 0.7 / unit) for unit in (_z_value(0.05), 1.0))
    model, k = lab.BinomialModel(100, 0.2), 12
    below = float(np.sum(model.probability(np.arange(k + 1))))
    normal = lab.NormalModel(model.mean, math.sqrt(model.variance)).probability(-np.inf, k + 0.5)
    upside_down = [1 - _z_value(alpha) ** 2 / 2 for alpha in (0.05, 0.1)]
    lines = (
        claimed(
            "58.1 ± 0.7 and 57.3 ± 0.7",
            "on independent data not significant even at the 90% level",
            max(half_width, se) < _z_value(0.1),
            f"Z = {half_width:.2f} if 0.7 is half a 95% interval, {se:.2f} if it is a standard error; 1.64 is needed",
        ),
        compared("correlation that a 1-SE rule assumes, 95%", "0.9", 1 - 1 / (2 * _z_value(0.05) ** 2)),
        compared("correlation that a 1-SE rule assumes, 90%", "0.8", 1 - 1 / (2 * _z_value(0.1) ** 2)),
        claimed(
            "level of a k-SE rule",
            "Z = k √(2(1 − ρ))",
            abs(upside_down[0] - 0.9) < 0.05,
            f"correlations of {upside_down[0]:.2f} and {upside_down[1]:.2f} for the same two levels",
            reason="The root must divide k: Z = k/√(2(1 − ρ)). Only this gives the footnote's own 0.9 and 0.8.",
        ),
        claimed(
            "continuity correction",
            "P{a < m} = Φ((a + 0.5 − Mε)/√(Mε(1 − ε)))",
            abs(1 - below - normal) < 0.01,
            f"M = 100, ε = 0.2, a = 12: Φ = {normal:.4f}, P(m > a) = {1 - below:.4f}, P(m ≤ a) = {below:.4f}",
            reason="It should read P{m ≤ a}; equation 2, which follows from it, is right.",
        ),
        _interval_as_test(),
        compared("overlap of two training sets in 10-fold, %", "89", 100 * 8 / 9),
        compared("critical t, 19 degrees of freedom, 95%", "2.093", float(stdtrit(19, 0.975))),
        compared("critical t, 7 degrees of freedom, 95%", "2.365", float(stdtrit(7, 0.975))),
    )
    notes = (
        "Checking whether one estimate lies within k standard errors of another is a test. Its level depends on the"
        " correlation of the two estimates, which the rule ignores.",
    )
    return Shown(lines=lines, pictures=(_levels_of_rules(),), notes=notes)


def _levels_of_rules() -> Any:
    k_se = np.linspace(0.5, 3, 100)
    series = [
        Series(
            f"correlation {rho:g}",
            k_se,
            [1 - 2 * STANDARD.probability(-np.inf, -k / math.sqrt(2 * (1 - rho))) for k in k_se],
        )
        for rho in (0.0, 0.5, 0.8, 0.9)
    ]
    return plotted(
        "Level of a rule of k standard errors",
        "The level of such a rule rises with k and with the correlation of the two estimates; for 1 standard error it"
        " is 95% only if the correlation is 0.87.",
        series,
        x="k, standard errors",
        y="level",
        across=(0.95,),
        upright=(1.0,),
    )


def _interval_as_test() -> Line:
    """Return the probability that one estimate lies outside the limits of another with the same true error."""
    k, size, rate = np.arange(101), 100, 0.1
    chance = lab.BinomialModel(size, rate).probability(k)
    e, se = k / size, np.sqrt(k * (size - k) / size**3)
    kinds = {kind: limits(kind, k, np.full_like(k, size)) for kind in ("textbook", "Jeffreys")}
    kinds["± 2 SE"] = e - 2 * se, e + 2 * se
    risk = {
        name: float(chance @ ((e < low[:, None]) | (e > high[:, None])) @ chance) for name, (low, high) in kinds.items()
    }
    return claimed(
        "an interval as a test",
        "one estimate outside the 95% limits of the other is not a good test: a high additional Type I risk",
        min(risk.values()) > 0.1,
        f"two independent tests of {size} examples, true error {rate:g} in both: a risk of "
        + ", ".join(f"{each:.3f} ({name})" for name, each in risk.items()),
    )


def _z_value(alpha: float) -> float:
    return STANDARD.interval(alpha=alpha)[1]


_SLIP = (
    "The paper counts half of the pairs with an approximate level in [90, 95) below 90, and half at 95 or more. Counted"
    " like this, our numbers are the printed ones."
)
_SLIP_99 = "The paper counts two of the 14 pairs with an approximate level in [90, 95) at 99 or more."


def table_5(run: Run) -> Shown:
    """Show how the textbook test of two independent error rates differs from the exact one."""
    beyond = (200, 500) if run.scale == "full" else ()
    tables = cross_classified(run, (*SIZES, *beyond))
    ten = tables[10]
    levels = {row: index for index, row in enumerate(LEVELS)}
    upper = [
        compared(
            f"N = 10, approximate {row['approximate']}, exact {row['exact']}",
            row["count"],
            int(ten[levels[row["approximate"]], levels[row["exact"]]]),
            reason=_SLIP_99 if row["approximate"] == LEVELS[3] else _SLIP,
        )
        for row in printed("martin_hirschberg_table_5_n10")
    ]
    lower = []
    for row in printed("martin_hirschberg_table_5_accuracy"):
        ours = accuracies(tables[int(row["N"])])
        lower += [
            compared(f"N = {row['N']}, {name}", row[key], ours[key], reason=_SLIP_99 if key == "99" else _SLIP)
            for key, name in ACCURACY.items()
        ]
    both = {size: accuracies(table) for size, table in tables.items()}
    wrong = {key: round(121 * (1 - both[10][key] / 100)) for key in ("90", "95", "99")}
    text = (
        compared("pairs of m1 and m2, N = 10", "121", int(ten.sum())),
        compared("decisions that differ at 99%, N = 10", "12", wrong["99"], reason=_SLIP_99),
        compared("decisions that differ at 95%, N = 10", "7", wrong["95"], reason=_SLIP),
        compared("decisions that differ at 90%, N = 10", "7", wrong["90"], reason=_SLIP),
    )
    return Shown(
        lines=(*upper, *lower, *text, *_table_5_claims(tables, both)),
        pictures=(_accuracy_picture(both),),
        tables=(_half_split_table(tables), _larger_table(tables)),
        notes=(
            "For all pairs of m1 and m2 errors in N examples each, the level 1 − alpha of the textbook test is compared"
            " with that of the exact one: P(|X1 − X2| ≥ |m1 − m2|) for two binomials with the pooled error rate, ties"
            " included. If neither classifier makes errors, or both make only errors, the level is 0. With this"
            " definition the column sums are the printed ones (71, 4, 22, 24); the row sums are not.",
            "For N = 10 the paper has no pair with an approximate level in [90, 95), but there are 14: (0, 3), (1, 5),"
            " (2, 6), (3, 7), (4, 8), (5, 9), (7, 10) errors and their mirror images. The table on the slip shows that"
            " the printed numbers follow, for all N, if half of these pairs are moved to either side.",
            "Both levels are the same for (m1, m2) and (m2, m1), so counts off the diagonal must be even: the odd"
            " printed counts cannot come from a correct program. The paper's conclusion remains and becomes stronger:"
            " there are no conspicuous errors at all.",
        ),
    )


def _table_5_claims(tables: dict[int, Any], both: dict[int, dict[str, float]]) -> tuple[Line, ...]:
    liberal = sum(int(np.tril(table, -1).sum()) for table in tables.values())
    strict = sum(int(np.triu(table, 1).sum()) for table in tables.values())
    rising = {key: [both[size][key] for size in sorted(both)] for key in ("90", "95", "99")}
    least = min(min(each) for each in rising.values())
    rates = np.linspace(0.02, 0.5, 25)
    size = {n: max(_type_one_rate(float(rate), n, n) for rate in rates) for n in (10, 30, 100)}
    unequal = max(_type_one_rate(float(rate), 10, 100) for rate in rates)
    seen = max(max(each["type_i"], each["type_ii"]) for each in both.values())
    rows = printed("martin_hirschberg_table_5_accuracy")
    return (
        claimed(
            "direction",
            "the levels differ predominantly towards Type I errors",
            liberal > 10 * strict,
            f"the approximate level is in a higher class in {liberal:,} pairs, in a lower one in {strict:,}",
        ),
        claimed(
            "accuracy and sample size",
            "decision accuracy increases with the sample size",
            all(np.all(np.diff(each) >= -1e-9) for each in rising.values()),
            "; ".join(f"{key}%: {', '.join(f'{each:.1f}' for each in sizes_at)}" for key, sizes_at in rising.items()),
            reason="It does at 90% and 99%. At 95% no decision differs for N = 10, so the accuracy falls first.",
        ),
        claimed(
            "conspicuous errors",
            "conspicuous errors are few, and fewer in larger samples",
            all(each["type_i"] == each["type_ii"] == 0 for each in both.values()),
            f"none at any N, so there cannot be fewer: {seen:.2f}% at most",
        ),
        claimed(
            "order of conspicuous errors",
            "their share appears to be of the order 1/N",
            seen > 0,
            "N times the printed share, in percent: "
            + ", ".join(f"{int(row['N']) * float(row['type_i']):.0f} at {row['N']}" for row in rows)
            + "; ours is 0",
            reason="All printed ones are pairs with an approximate level in [90, 95), counted at 95 or more.",
        ),
        claimed("accuracy", "decision accuracy is typically 90% or better", least >= 90, f"{least:.1f}% at least"),
        claimed(
            "Type I risk",
            "the textbook test's risk of a Type I error is slightly above its level",
            0.05 < max(size.values()) < 0.07,
            "at most, over true errors from 0.02 to 0.5, at alpha = 0.05: "
            + ", ".join(f"{each:.3f} for N = {n}" for n, each in size.items()),
        ),
        claimed(
            "unequal sizes",
            "the approximation is poorer where sizes are unequal and one is small",
            unequal > max(size.values()),
            f"risk of up to {unequal:.3f} with 10 and 100 examples",
        ),
    )


def _type_one_rate(rate: float, first: int, second: int) -> float:
    """Return the exact type I error rate of the textbook test at alpha = 0.05."""
    calibration: Any = ta.calibrate("pooled-z", lab.TwoRates(np.array(rate), np.array(rate), first, second))
    return float(calibration.size.value)


def _accuracy_picture(both: dict[int, dict[str, float]]) -> Any:
    sizes = sorted(both)
    ours = [Series(f"{key}% level", sizes, [both[size][key] for size in sizes]) for key in ("90", "95", "99")]
    rows = printed("martin_hirschberg_table_5_accuracy")
    paper = [
        Series(
            "printed, any level" if key == "90" else "",
            [int(row["N"]) for row in rows],
            [float(row[key]) for row in rows],
            "paper",
        )
        for key in ("90", "95", "99")
    ]
    return plotted(
        "Agreement of the textbook test with the exact one",
        "At 90% and 99% decision accuracy rises from 92% at N = 10 to 99% at N = 100; at 95% it falls from 100% to"
        " 96% at N = 20 before it rises. The printed numbers are up to 6 pp lower.",
        [*ours, *paper],
        x="examples in each test set",
        y="decisions that agree, %",
        log="x",
        ticks=[(size, str(size)) for size in sizes],
    )


def _half_split_table(tables: dict[int, Any]) -> Table:
    """Return the printed numbers and those that the assumed slip gives."""
    rows = []
    for row in printed("martin_hirschberg_table_5_accuracy"):
        shares = halved(tables[int(row["N"])])
        rows.append((int(row["N"]), *(text for key in shares for text in (row[key], f"{shares[key]:.2f}"))))
    head = ("N", "90%, printed", "halved", "95%, printed", "halved", "Type I, printed", "halved")
    note = "Halved: of the pairs with an approximate level in [90, 95), half are counted below 90, half at 95 or more."
    return Table.of("The slip that gives the printed numbers", head, rows, note=note)


def _larger_table(tables: dict[int, Any]) -> Table:
    rows = [
        (size, int(tables[size].sum()), *(f"{each:.2f}" for each in accuracies(tables[size]).values()))
        for size in sorted(tables)
    ]
    return Table.of("Enumerated", ("N", "pairs", *ACCURACY.values()), rows, note="In percent of all pairs.")
