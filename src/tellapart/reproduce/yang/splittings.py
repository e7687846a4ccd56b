"""Yang (2006), sections 3.3 and 4: standard errors over splittings, and stability of the selection."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...report.blocks import Table
from ...report.picture import Picture
from ...typing_ import FloatArray
from ..drawing import Series, plotted
from ..measured import SURE, Measured
from ..printed import printed
from ..run import Arrays, Cell, Run
from ..verdicts import Line, Shown, claimed, compared

_EXAMPLES = 100
_REPLICATIONS = _SPLITTINGS = 200  # of Table 4
_INTERVALS = ("mean-se-w", "splitting-sd", "splitting-se")

# --- Table 4 --------------------------------------------------------------------------------------

_NAMES = {
    "EW_single": "E W̄",
    "EW_avg": "E W̿",
    "sd_W_single": "sd(W̄)",
    "sd_W_avg": "sd(W̿)",
    "E_sd_split": "E sd_split",
    "E_se_split": "E se_split",
    "E_se_W": "E se_W",
    "sd_of_se_W": "sd of se_W",
    "E_se_W_avg": "E of the mean se_W",
    "sd_of_se_W_avg": "sd of the mean se_W",
}
_SWAPPED = (
    "The two numbers in parentheses are swapped: se_W of one splitting varies more than the mean of 200, as in all"
    " other rows."
)
_REASONS = {
    (25, "E_se_split"): "It should be E sd_split/√200, which is 0.052/14.14 = 0.0037 with the printed numbers.",
    (50, "E_se_split"): "It should be E sd_split/√200, which is 0.044/14.14 = 0.0031 with the printed numbers.",
    (75, "sd_of_se_W"): _SWAPPED,
    (75, "sd_of_se_W_avg"): _SWAPPED,
}


def table_4(run: Run) -> Shown:
    """Compare standard errors of the difference between a discriminant and a support vector machine."""
    splittings = {"quick": 14, "paper": _SPLITTINGS, "full": 25}[run.scale]
    trials = run.size(_REPLICATIONS, quick=40, most=1200, of="replications per row")
    sets = run.size(_REPLICATIONS, quick=20, most=1000, of="training sets of all 100")
    rows = printed("yang_table_4")
    tested = [75, 50, 25, 10]
    measured = run.cells(split, [{"n2": each, "splittings": splittings} for each in tested], trials, block=20)
    (whole,) = run.cells(trained_on_all, [{"examples": _EXAMPLES}], sets, block=20)
    columns = {n2: _table_columns(each, splittings) for n2, each in zip(tested, measured, strict=True)}
    lines = [
        compared(
            f"n2 = {row['n2']}, {_NAMES[row['quantity']]}",
            row["value"],
            ours.value,
            error=ours.error,
            spread=spread,
            among=len(rows),
            reason=_REASONS.get((int(row["n2"]), row["quantity"]), ""),
        )
        for row in rows
        for ours, spread in [columns[int(row["n2"])][row["quantity"]]]
    ]
    covers = {n2: _coverage_of(each) for n2, each in zip(tested, measured, strict=True)}
    return Shown(
        lines=(*lines, *_on_all(whole), *_find_misprints(rows), *_statement_lines(columns, covers)),
        pictures=(_draw_uncertainty(rows, columns),),
        tables=(_coverage_table(columns, covers, splittings),),
        notes=(
            "Three standard normal predictors, log odds 1 + 0.2x₁ + 0.2x₂ + 3x₃, 100 examples. A is Fisher's"
            " discriminant, B a support vector machine (radial kernel, cost 1, γ = 1/3, scaled inputs: the defaults of"
            " the paper's R package, here from scikit-learn); W is error(A) − error(B).",
            f"Both learners were tested on {splittings} random splittings of each of {trials:,} samples. Each of these"
            " is a single splitting, so E W̄ and E W̿ are the same number here. The variance of the mean of 200"
            " splittings is that of the mean of fewer minus the variance between splittings times (1/fewer − 1/200),"
            " which is exact.",
            "se_W is the standard error within a test set, used by the rule for a single splitting; the interval"
            " mean-se-w uses its mean over splittings. The standard deviation and standard error of the splittings"
            " (splitting-sd, splitting-se) measure differences between splittings of one sample. The coverage table"
            " shows which of the three intervals are valid with this number of splittings.",
        ),
    )


def split(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Return moments over splittings and limits of intervals for both learners, one row per sample."""
    n2 = int(cell["n2"])
    design = lab.yang_logistic(_EXAMPLES, f"{cell['splittings']}x({_EXAMPLES - n2}/{_EXAMPLES})")
    methods = [ta.find_methods(name=name, gives="interval")[0] for name in _INTERVALS]
    view = design.view(methods[0])
    samples = design.draw([view], trials, rng)[view]
    w = samples.values[..., 0]  # sample by splitting
    se = np.sqrt(np.maximum(samples.squares[..., 0] / n2 - w**2, 0) / (n2 - 1))
    results: dict[str, Any] = {}
    for name, values in (("w", w), ("se", se)):
        results |= {f"{name}{power}": (values**power).mean(axis=-1) for power in (1, 2, 3, 4)}
        results[f"{name}_var"] = values.var(axis=-1, ddof=1)
    for method in methods:
        limits = method(samples)
        results |= {f"{method.name} low": limits.low, f"{method.name} high": limits.high}
    return results


def trained_on_all(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Return the true difference of the errors of both learners, trained on all examples, and its standard error."""
    design = lab.yang_logistic(int(cell["examples"]))
    X, y = design.population.draw((trials,), design.examples, rng)  # noqa: N806
    machine = design.population.sampled_error(design.b.fit(X, y), sample=5_000, rng=rng)
    return {"difference": design.population.true_error(design.a.fit(X, y)) - machine.error, "noise": machine.se}


def _table_columns(measured: Any, splittings: int) -> dict[str, tuple[Measured, float]]:
    """Return the columns of a row: our value with its error, and the sd of one result of the paper's size."""
    extra = 1 / splittings - 1 / _SPLITTINGS
    columns = {}
    for name, mean, sd in (("w", "EW", "sd_W"), ("se", "E_se_W", "sd_of_se_W")):
        own, squares, ends = (
            measured[f"{name}1"],
            measured[f"{name}2"],
            ("_single", "_avg") if name == "w" else ("", "_avg"),
        )
        centre = float(own.mean())
        single = _root_error(squares - 2 * centre * own + centre**2)
        average = _root_error((own - centre) ** 2 * own.size / (own.size - 1) - measured[f"{name}_var"] * extra)
        m4 = (
            float((measured[f"{name}4"] - 4 * centre * measured[f"{name}3"] + 6 * centre**2 * squares).mean())
            - 3 * centre**4
        )
        scatter = math.sqrt(max(m4 - single.value**4, 0) / _REPLICATIONS) / (2 * max(single.value, 1e-9))
        for end, each, drawn in ((ends[0], single, scatter), (ends[1], average, average.value / 20)):
            columns[mean + end] = Measured.mean(own), each.value / math.sqrt(_REPLICATIONS)
            columns[sd + end] = each, drawn
    columns["E_sd_split"], columns["E_se_split"] = _of_splittings(measured["w_var"], splittings)
    return columns


def _root_error(values: FloatArray) -> Measured:
    """Return the square root of the mean of variance estimates, one for each sample."""
    variance = Measured.mean(values)
    size = math.sqrt(max(variance.value, 0.0))
    return Measured(size, variance.error / (2 * max(size, math.sqrt(variance.error))))


def _of_splittings(variances: FloatArray, splittings: int) -> tuple[tuple[Measured, float], tuple[Measured, float]]:
    """Return the mean standard deviation of 200 splittings, and their standard error."""
    # The standard deviation of few normal values is too small by this factor on average.
    mean = Measured.mean(np.sqrt(variances) * (1 + 1 / (4 * splittings - 4) - 1 / (4 * _SPLITTINGS - 4)))
    between = float(np.var(np.sqrt(variances), ddof=1)) - mean.value**2 / (2 * splittings - 2)
    spread = math.sqrt((max(between, 0.0) + mean.value**2 / (2 * _SPLITTINGS - 2)) / _REPLICATIONS)
    fewer = math.sqrt(_SPLITTINGS)
    return (mean, spread), (Measured(mean.value / fewer, mean.error / fewer), spread / fewer)


def _coverage_of(measured: Any) -> dict[str, Measured]:
    """Return the coverage of each interval for the expected difference with training sets of this size."""
    truth = float(measured["w1"].mean())
    holds = {name: (measured[f"{name} low"] <= truth) & (truth <= measured[f"{name} high"]) for name in _INTERVALS}
    return {name: Measured.share(each) for name, each in holds.items()}


def _on_all(measured: Any) -> list[Line]:
    """Return the comparison with the printed numbers for learners trained on all 100 examples."""
    own = measured["difference"]
    mean, sd = (
        Measured.mean(own),
        _root_error((own - own.mean()) ** 2 * own.size / (own.size - 1) - measured["noise"] ** 2),
    )
    of = math.sqrt(_REPLICATIONS)
    return [
        compared("trained on all 100, mean of W̄", "-0.0155", mean.value, error=mean.error, spread=sd.value / of),
        compared("trained on all 100, sd of W̄", "0.011", sd.value, error=sd.error, spread=sd.value / of / math.sqrt(2)),
    ]


def _find_misprints(rows: Sequence[Any]) -> list[Line]:
    """Compare the printed standard errors of splittings with the printed standard deviations."""
    table = {(int(row["n2"]), row["quantity"]): row["value"] for row in rows}
    lines = [_compare_pairs(table)]
    for n2 in (75, 50, 25, 10):
        sd, se = table[n2, "E_sd_split"], table[n2, "E_se_split"]
        low, high = ((float(sd) + half) / math.sqrt(_SPLITTINGS) for half in (-0.0005, 0.0005))
        lines.append(
            claimed(
                f"n2 = {n2}, se_split by sd_split",
                f"sd_split {sd} and se_split {se} of 200 splittings",
                low - 5e-5 <= float(se) <= high + 5e-5,
                f"sd_split/√200 is {low:.5f} to {high:.5f}",
                reason=_REASONS.get((n2, "E_se_split"), ""),
            )
        )
    return lines


def _compare_pairs(table: dict[tuple[int, str], str]) -> Line:
    """Compare printed numbers that should be equal, allowing for the error of 200 replications."""
    differing = [
        (abs(float(table[n2, one]) - float(table[n2, other])), float(table[n2, spread]) / math.sqrt(_REPLICATIONS))
        for n2 in (75, 50, 25, 10)
        for one, other, spread in (("EW_single", "EW_avg", "sd_W_single"), ("E_se_W", "E_se_W_avg", "sd_of_se_W"))
    ]
    worst = max(gap / error for gap, error in differing if gap)
    return claimed(
        "single and averaged, means",
        "E W̄ and E W̿ are very close (they should be the same), and E se_W is similar to the mean se_W",
        all(gap <= SURE * error + 0.001 for gap, error in differing),
        f"the printed ones differ by at most {max(gap for gap, _ in differing):.3f}, or {worst:.1f} standard errors",
    )


def _statement_lines(columns: Any, covers: dict[int, dict[str, Measured]]) -> list[Line]:
    def value(n2: int, name: str) -> Measured:
        measured: Measured = columns[n2][name][0]
        return measured

    def together(name: str, *sizes: int) -> float:
        """Return the root of the sum of squares over several rows; single rows are too uncertain with few samples."""
        return math.hypot(*(value(n2, name).value for n2 in sizes or columns))

    spread = max(together("sd_W_avg"), 1e-9)
    ratio, ratio_single = together("sd_W_single") / spread, together("E_se_W") / together("sd_W_single")
    wide, narrow, inside = (together(name) / spread for name in ("E_sd_split", "E_se_split", "E_se_W_avg"))
    shrinks = value(10, "EW_avg").less(value(75, "EW_avg"))  # both are negative
    single, average = (value(10, name).less(value(75, name)) for name in ("sd_W_single", "sd_W_avg"))
    large, small = (together("EW_avg", *sizes) / together("sd_W_avg", *sizes) for sizes in ((75, 50), (25, 10)))
    coverages = [covers[n2]["mean-se-w"] for n2 in columns]
    return [
        claimed(
            "single and averaged",
            "the standard deviation of a single splitting is about two times larger than that of the average",
            1.5 < ratio < 2.5,
            f"sd(W̄) is {ratio:.1f} times sd(W̿), all rows together",
            reason="In the table it is 4.5, 3.7, 3.1 and 3.6 times larger.",
        ),
        claimed(
            "several splittings",
            "averaging over several splittings improves the accuracy of the estimate",
            ratio > 1,
            f"sd(W̿) is {1 / ratio:.2f} times sd(W̄), all rows together",
        ),
        claimed(
            "smaller n2, difference",
            "E W̿ decreases (in size) as n2 decreases",
            shrinks.not_negative,
            f"from n2 = 75 to 10 by {shrinks.description}",
        ),
        claimed(
            "smaller n2, spread",
            "the standard deviation of W̄ increases as n2 decreases",
            single.not_negative and average.not_negative,
            f"from n2 = 75 to 10 that of W̄ by {single.description}; that of W̿ by {average.description}",
        ),
        claimed(
            "choice of n2",
            "for this example n2 large (50 or 75) is better than small",
            large > small,
            f"|E W̿|/sd(W̿) is {large:.2g} for n2 = 75 and 50 together, {small:.2g} for 25 and 10",
        ),
        claimed(
            "splitting sd and se",
            "the splittings' standard deviation and standard error are inappropriate as measures of uncertainty",
            wide > 2 and narrow < 0.5,
            f"sd_split is {wide:.1f} times sd(W̿), se_split {narrow:.2f} times, all rows together",
        ),
        claimed(
            "se_W against sd(W̄)",
            "se_W is much larger than the actual standard deviation of W̄",
            ratio_single > 1.5,
            f"it is {ratio_single:.2f} times sd(W̄), but {inside:.1f} times sd(W̿), all rows together",
            reason="A bar is missing in the text: se_W is much larger than the standard deviation of the average W̿,"
            " and smaller than that of the single W̄ (0.039 and 0.050 in the first row).",
        ),
        claimed(
            "se_W against the others",
            "se_W is better than the splittings' standard deviation or standard error",
            inside < min(wide, 1 / narrow),
            f"se_W is {inside:.1f} times sd(W̿), sd_split {wide:.1f} times, se_split {narrow:.2f} times",
        ),
        claimed(
            "interval by se_W",
            "although conservative, se_W at least yields a valid confidence interval",
            all(each.value >= 0.95 - SURE * each.error for each in coverages),
            f"coverage of W̿ ± 1.96 mean se_W for E W̿: {', '.join(f'{100 * each.value:.3g}%' for each in coverages)}",
        ),
    ]


def _draw_uncertainty(rows: Sequence[Any], columns: Any) -> Picture:
    shown = {
        "sd_W_avg": "true sd between samples",
        "E_se_W_avg": "se_W, within test sets",
        "E_sd_split": "sd between splittings",
        "E_se_split": "se of 200 splittings",
    }
    sizes = list(columns)
    series = [Series(title, sizes, [columns[n2][name][0].value for n2 in sizes]) for name, title in shown.items()]
    marks = [row for row in rows if row["quantity"] in shown]
    x, y = [float(row["n2"]) for row in marks], [float(row["value"]) for row in marks]
    return plotted(
        "Table 4: standard deviation of the mean difference, and three estimates of it",
        "Standard deviation of the mean over splittings against the size of the test set. The mean standard error"
        " within test sets and the standard deviation of splittings are far above it, the standard error of splittings"
        " is below it; hollow marks are the printed numbers.",
        [*series, Series("printed", x, y, "paper")],
        x="test examples n₂, of 100",
        y="standard deviation",
        size=(7.6, 3.6),
        beside=True,
    )


def _coverage_table(columns: Any, covers: dict[int, dict[str, Measured]], splittings: int) -> Table:
    normal, rows = lab.NormalModel(0.0, 1.0), []
    for n2, each in columns.items():
        spread = each["sd_W_avg"][0].value
        reach = normal.interval()[1] * each["E_se_split"][0].value / max(spread, 1e-9)
        rows.append(
            (
                n2,
                round(spread, 4),
                *(round(covers[n2][name].value, 3) for name in _INTERVALS),
                round(max(measured.error for measured in covers[n2].values()), 3),
                round(normal.probability(-reach, reach), 2),
            )
        )
    head = ("n₂", "sd(W̿)", *_INTERVALS, "± standard error, at most", "splitting-se of 200, approximately")
    return Table.of(
        f"Coverage of 95% intervals for E W̿, with {splittings} splittings",
        head,
        rows,
        note="More splittings do not change the width of the first two, but make the third as narrow as desired: the"
        " last column gives its coverage for 200, by a normal approximation.",
    )


# --- Table 5 --------------------------------------------------------------------------------------

_OF_ONE = 500  # splittings of the paper's one data set
_PER_SET = {"quick": 10, "paper": _OF_ONE, "full": 50}


def table_5(run: Run) -> Shown:
    """Show how often the discriminant is selected by the size of the training set, over many data sets."""
    rows = printed("yang_table_5")
    sizes = [int(row["n1"]) for row in rows]
    splittings = _PER_SET[run.scale]
    sets = run.size(20, quick=24, most=240, of="data sets", ours=True)
    (measured,) = run.cells(chosen, [{"sizes": sizes, "splittings": splittings}], sets, block=4)
    wins, ties, losses = (measured[name].mean(axis=0) / splittings for name in ("wins", "ties", "losses"))
    share = (measured["wins"] + measured["ties"]) / splittings
    mean, noise = share.mean(axis=0), (share * (1 - share)).mean(axis=0) * splittings / (splittings - 1)
    between = np.sqrt(np.maximum(share.var(axis=0, ddof=1) - noise * (1 / splittings - 1 / _OF_ONE), 0))
    lines = [
        compared(
            f"n1 = {row['n1']}",
            row["share"],
            100 * mean[index],
            error=100 * share[:, index].std(ddof=1) / math.sqrt(sets),
            spread=100 * between[index],
            among=len(rows),
        )
        for index, row in enumerate(rows)
    ]
    printed_shares = np.array([float(row["share"]) for row in rows]) / 100
    decided = wins / np.maximum(wins + losses, 1e-12)
    flat = Measured.share(measured["flat"])
    return Shown(
        lines=(
            *lines,
            claimed(
                "stability",
                "for this data set there is little sequential instability in selection",
                np.ptp(printed_shares) <= 0.15 and printed_shares.min() > 0.5,
                f"the range of the printed λ over all sizes is {100 * np.ptp(printed_shares):.1f} pp, that of the mean"
                f" over {sets} data sets {100 * np.ptp(mean):.0f} pp",
            ),
            claimed(
                "preference",
                "LDA is strongly preferred",
                (mean > 0.5).all() and (decided > 0.5).all(),
                f"it wins {100 * decided.min():.0f}% to {100 * decided.max():.0f}% of the splittings without ties",
            ),
        ),
        pictures=(_selection_shares(rows, mean, between, wins),),
        tables=(_choice_outcomes(sizes, wins, ties, losses, mean, between),),
        notes=(
            "λ is the share of random splittings of one sample of 100 that select the discriminant rather than the"
            " support vector machine; the design is that of Table 4. The paper's sample was not published. The printed"
            " numbers, from one sample, are compared with the mean over samples, and the tolerance allows for the"
            " variation between samples.",
            f"{sets} samples, {splittings} splittings of each at every size; the standard deviation between samples is"
            f" that of 500 splittings. In {100 * flat.value:.0f}% of the samples the range of λ is at most 15 pp and on"
            " one side of 50%, including the noise of this number of splittings: the printed sample is unusually"
            " stable.",
            "Ties count for the discriminant; only this gives the printed numbers. At n₁ = 95 five examples are tested,"
            " and most splittings are ties: λ rises at the end because of ties, not because of a stronger preference."
            " Wins, ties and losses are therefore counted separately.",
        ),
    )


def chosen(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Return wins, ties and losses of the discriminant over splittings of samples at several training sizes."""
    designs = [lab.yang_logistic(_EXAMPLES, f"{cell['splittings']}x({size}/{_EXAMPLES})") for size in cell["sizes"]]
    method = ta.find_methods(name="vote", gives="test")[0]
    views = [design.view(method) for design in designs]
    samples = designs[0].draw(views, trials, rng)  # the same samples for all sizes
    first, *others = (samples[view] for view in views)
    instability = ta.instability(replace(first, parts={each.plan.name: each for each in others}))
    return {"wins": instability.wins, "ties": instability.ties, "losses": instability.losses, "flat": instability.flat}


def _selection_shares(rows: Sequence[Any], mean: FloatArray, between: FloatArray, wins: FloatArray) -> Picture:
    sizes = [int(row["n1"]) for row in rows]
    return plotted(
        "Table 5: how often splittings select the discriminant",
        "Share of splittings in favour of the discriminant by the size of the training set: with ties"
        f" {100 * mean[0]:.0f}% at first and {100 * mean[-1]:.0f}% at last, with a band of one standard deviation"
        f" between samples; without ties it falls from {100 * wins[0]:.0f}% to {100 * wins[-1]:.0f}%. Hollow marks are"
        " the printed numbers.",
        [
            Series("with ties, ± 1 sd between samples", sizes, 100 * mean, "line", *_tolerance_band(mean, between)),
            Series("wins only", sizes, 100 * wins),
            Series("printed", sizes, [float(row["share"]) for row in rows], "paper"),
        ],
        x="training examples n₁, of 100",
        y="discriminant selected, %",
        across=(50,),
        size=(6.4, 3.6),
    )


def _tolerance_band(mean: FloatArray, between: FloatArray) -> tuple[FloatArray, FloatArray]:
    return 100 * (mean - between), np.minimum(100 * (mean + between), 100)


def _choice_outcomes(sizes: Sequence[int], *columns: FloatArray) -> Table:
    rows = [(size, *(round(100 * float(column[index]), 1) for column in columns)) for index, size in enumerate(sizes)]
    head = ("n₁", "wins, %", "ties, %", "losses, %", "λ, %", "sd of λ between samples")
    return Table.of("Wins, ties and losses of the discriminant", head, rows)
