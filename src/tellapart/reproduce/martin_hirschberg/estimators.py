"""Tables 12 and 15 of Martin and Hirschberg (1996): comparisons of 3-NN and 1-NN by estimates from samples."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ...report.blocks import Table
from ...report.picture import Picture
from ..drawing import Series, plotted
from ..measured import Measured
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared
from .samples import (
    CRITICAL,
    ETA,
    INHERENT,
    SIZES,
    Found,
    Key,
    Numbers,
    counted_over,
    difference,
    estimated,
    experiments,
    halved,
    listed,
    spread_of,
    t_of,
)

_ESTIMATORS = ("LOO", "10-CV", "632b", "LOO*")


# --- Table 12 --------------------------------------------------------------------------------------


def table_12(run: Run) -> Shown:
    """Count the decisions by estimates from the samples that differ from those by true errors."""
    estimates = estimated(run)
    rows = printed("martin_hirschberg_table_12")
    marks = {name: _format_marks(estimates, name) for name in _ESTIMATORS}
    samples = len(next(iter(estimates.values()))["TER"])
    return Shown(
        lines=(
            *_count_marks(rows, marks, samples),
            *_consistency_line(rows),
            *_about_the_bootstrap(estimates, marks["632b"], samples),
            *_about_the_others(estimates, marks, samples),
            *_bias_lines(estimates),
        ),
        pictures=(_counts_drawn(rows, marks),),
        tables=(_effective_size_lines(estimates), _chance_lines(rows, marks)),
        notes=(
            "A circle means that a paired t test of the estimates decides differently from that of the true errors"
            " (95%, 19 degrees of freedom): it misses a difference, or finds one that does not exist. A double dagger"
            " means that the estimates have the opposite sign. Table 10 distinguishes the two kinds of circles, and the"
            " counts in the paper's text (13, 15, half, 60%) agree.",
            "Each mark is one experiment. Ours are counts over experiments of 20 samples each, the same samples for"
            " true errors and all estimates, as in the paper. A printed count may differ from ours by 4 to 10 cells of"
            " 40 and still match, so the first twelve lines show little; the conclusions below show more.",
            "632b is 0.368 of the apparent error and 0.632 of the error on the examples left out of a bootstrap sample,"
            " with 100 bootstrap samples. The apparent error of 1-NN is always 0, so 632b is biased in favour of 1-NN.",
            "The signs of 632b are also counted without the column of 0.1%: 632b reverses every sign in favour of 3-NN,"
            " and Table 10 has the wrong sign in that column from 20 examples.",
            "The paper does not define Weiss' LOO*. Here it is leave-one-out limited to the range between 632b and"
            " 2-fold cross-validation repeated 100 times, an unverified interpretation.",
        ),
    )


def _about_the_bootstrap(estimates: Found, marks: Mapping[str, Numbers], samples: int) -> list[Line]:
    """Return the claims about 632b and its decisions."""
    t = [t_of(each["632b"], experiments(samples, index))[0] for index, each in enumerate(estimates.values())]
    share = 100 * float(np.mean([each > 0 for each in t]))
    reverse = counted_over(marks["reversed"], samples)
    wrong = 100 * float((marks["missed"] | marks["false"]).mean())
    return [
        claimed(
            "632b and 1-NN",
            "the 632b rates of 1-NN are always better than those of 3-NN",
            share > 95,
            f"true in {share:.1f}% of our experiments",
        ),
        compared(
            "632b: wrong sign, percent of 40",
            "60",
            100 * float(marks["reversed"].mean()),
            spread=2.5 * reverse["spread"],
            error=2.5 * reverse["error"],
            reason="3-NN is better at 0.1% too, from 20 examples, where Table 10 has the wrong sign: 632b reverses four"
            " more cells.",
        ),
        claimed(
            "632b and significance",
            "632b would have decided wrongly on significance in half of the cases",
            35 < wrong < 65,
            f"in {wrong:.0f}% (required: 35% to 65%)",
        ),
    ]


def _about_the_others(estimates: Found, marks: Mapping[str, Mapping[str, Numbers]], samples: int) -> list[Line]:
    """Return the decisions of the other estimators; differences within their errors contradict no claim."""

    def more(here: Numbers, there: Numbers) -> Measured:
        gap = here.astype(float) - there
        return Measured(float(gap.mean(axis=1).sum()), spread_of(gap.sum(axis=0), samples)["error"])

    wrong = {name: marks[name]["missed"] | marks[name]["false"] for name in _ESTIMATORS}
    count = {name: float(each.mean(axis=1).sum()) for name, each in wrong.items()}
    missed = more(marks["10-CV"]["missed"], marks["LOO"]["missed"])
    best = min(("LOO", "632b", "LOO*"), key=lambda name: count[name])
    rival = min(("LOO", "10-CV"), key=lambda name: count[name])
    closest, star = more(wrong[best], wrong["10-CV"]), more(wrong["LOO*"], wrong[rival])
    false = {name: 100 * _shares_of_false(estimates, name) for name in ("LOO*", "LOO")}
    return [
        claimed(
            "10-CV and LOO",
            "10-CV misses even more differences than LOO",
            missed.not_negative,
            f"more cells of 40: {missed.description}",
            reason="Both miss the same number: for differences of these two rules 10-CV is not more variable than LOO.",
        ),
        claimed(
            "LOO* at N = 10",
            "LOO* finds 1-NN better where true errors, LOO and 10-CV do not",
            false["LOO*"] > false["LOO"],
            f"detected, without a significant difference of true errors, in {false['LOO*']:.0f}% of the experiments; by"
            f" LOO in {false['LOO']:.0f}%",
        ),
        claimed(
            "LOO*: no advantage",
            "LOO* has no advantage over LOO or 10-CV",
            star.not_negative,
            f"wrong decisions of 40 beyond those of {rival}: {star.description}",
        ),
        claimed(
            "10-CV: recommended",
            "10-CV corresponds most closely to the significance of true differences",
            closest.not_negative,
            f"wrong decisions of 40: {listed(count)}; those of {best} minus those of 10-CV: {closest.description}",
            reason="LOO is equally close. By the paper's own marks it is closer: 13 wrong decisions against 16.",
        ),
    ]


def _format_marks(estimates: Found, name: str) -> dict[str, Numbers]:
    """Return whether the estimate misses a difference, finds a false one, or reverses it, by cell and experiment."""
    missed, false, reverse = [], [], []
    for index, each in enumerate(estimates.values()):
        chosen = experiments(len(each["TER"]), index)
        true_t, true_p = t_of(each["TER"], chosen)
        t, p = t_of(each[name], chosen)
        missed.append((true_p < 0.05) & (p >= 0.05))
        false.append((true_p >= 0.05) & (p < 0.05))
        reverse.append(true_t * t < 0)
    return {"missed": np.array(missed), "false": np.array(false), "reversed": np.array(reverse)}


def _printed_marks(rows: Sequence[Mapping[str, str]], name: str) -> dict[str, list[bool]]:
    """Return the printed marks of an estimator by cell; Table 10 distinguishes the circles."""
    true = {
        (row["N"], row["inherent"]): abs(float(row["t"])) > CRITICAL for row in printed("martin_hirschberg_table_10")
    }
    own = [row for row in rows if row["estimator"] == name]
    different = [true.get((row["N"], row["inherent"]), False) for row in own]
    circle = [row["circle"] == "1" for row in own]
    return {
        "missed": [mark and real for mark, real in zip(circle, different, strict=True)],
        "false": [mark and not real for mark, real in zip(circle, different, strict=True)],
        "reversed": [row["dagger"] == "1" for row in own],
    }


def _count_marks(
    rows: Sequence[Mapping[str, str]], marks: Mapping[str, Mapping[str, Numbers]], samples: int
) -> list[Line]:
    descriptions = {
        "missed": "differences missed",
        "false": "false differences found",
        "reversed": "signs reversed",
    }
    sparse = np.array([rate == "0.1" for _ in SIZES for rate in INHERENT])
    columns = [(name, kind) for name in _ESTIMATORS for kind in descriptions]
    lines = []
    for name, kind in columns:
        # 632b reverses every sign in favour of 3-NN, and Table 10 has the wrong sign at 0.1%.
        without = (name, kind) == ("632b", "reversed")
        which = ~sparse if without else np.ones_like(sparse)
        ours = marks[name][kind][which]
        count = np.count_nonzero(np.array(_printed_marks(rows, name)[kind])[which])
        lines.append(
            compared(
                f"{name}: {descriptions[kind]}, of {'35 (without 0.1%)' if without else '40'}",
                str(count),
                float(ours.mean(axis=1).sum()),
                **counted_over(ours, samples),
                among=len(columns),
            )
        )
    return lines


def _consistency_line(rows: Sequence[Mapping[str, str]]) -> list[Line]:
    """Return whether the printed marks agree with Table 10 and the counts in the text, without simulation."""
    sign = {(row["N"], row["inherent"]): float(row["t"]) for row in printed("martin_hirschberg_table_10")}
    own = [row for row in rows if row["estimator"] == "632b"]
    negative = [sign.get((row["N"], row["inherent"]), 0.0) < 0 for row in own]
    daggers = [row["dagger"] == "1" for row in own]
    counts = {name: {kind: sum(each) for kind, each in _printed_marks(rows, name).items()} for name in _ESTIMATORS}
    wrong = counts["632b"]["missed"] + counts["632b"]["false"]
    return [
        compared("printed marks: LOO misses, as the text says", "13", counts["LOO"]["missed"]),
        compared("printed marks: 10-CV misses, as the text says", "15", counts["10-CV"]["missed"]),
        compared("printed marks: 632b has the wrong sign, percent, as the text says", "60", 100 * sum(daggers) / 40),
        claimed(
            "printed marks: 632b wrong on significance",
            "632b is marked as wrong on significance in half of the cases",
            abs(wrong - 20) <= 2,
            f"{wrong} of 40 circles",
        ),
        claimed(
            "printed marks: 632b and Table 10",
            "1-NN is always better by 632b: it is marked wherever 3-NN is better",
            daggers == negative,
            f"daggers in {sum(daggers)} cells, exactly those in which Table 10 favours 3-NN",
        ),
        claimed(
            "printed marks: LOO and Table 10",
            "the circles of LOO mark differences that it misses",
            counts["LOO"]["false"] == 0,
            f"|t| of Table 10 exceeds {CRITICAL} in all {counts['LOO']['missed']} cells",
        ),
    ]


def _bias_of(estimates: Found, name: str) -> tuple[Numbers, Numbers]:
    """Return the mean bias of an estimator over cells in pp, for 3-NN and 1-NN, and its standard error."""
    off = [100 * (each[name] - each["TER"]) for each in estimates.values()]
    errors = [each.std(axis=0, ddof=1) / math.sqrt(len(each)) for each in off]
    return np.mean([each.mean(axis=0) for each in off], axis=0), np.sqrt(np.square(errors).sum(axis=0)) / len(off)


def _bias_lines(estimates: Found) -> list[Line]:
    """Return the claims about the estimators themselves."""
    bias, error = ({name: _bias_of(estimates, name)[index] for name in _ESTIMATORS} for index in (0, 1))
    bias_text = {name: f"{bias[name][0]:.1f} pp for 3-NN and {bias[name][1]:.1f} pp for 1-NN" for name in _ESTIMATORS}
    wider = np.mean(
        [
            difference(each["LOO"]).std() / difference(each["TER"]).std()
            for (_, rate), each in estimates.items()
            if float(rate) < 50
        ]
    )
    return [
        claimed(
            "LOO and the truth",
            "LOO is unbiased, and more variable than the true errors",
            np.abs(bias["LOO"]).max() < 0.5 + 3 * error["LOO"].max() and wider > 1.2,
            f"bias {bias_text['LOO']}; the standard deviation of its differences is {wider:.1f} times that of the true"
            f" ones",
        ),
        claimed(
            "632b and the truth",
            "632b is biased for both rules, and differently",
            bias["632b"].max() < 0 and bias["632b"][1] < bias["632b"][0] - 2,
            f"bias {bias_text['632b']}",
        ),
        claimed(
            "LOO* and the truth",
            "LOO* is approximately unbiased",
            np.abs(bias["LOO*"]).max() < 2,
            f"bias {bias_text['LOO*']} (threshold: 2 pp)",
        ),
    ]


def _effective_size_lines(estimates: Found) -> Table:
    rows = []
    for name in _ESTIMATORS:
        for size in SIZES:
            own = {key: each for key, each in estimates.items() if key[0] == size}
            bias, error = _bias_of(own, name)
            away = np.mean([np.std(difference(each[name]) - difference(each["TER"])) for each in own.values()])
            rows.append((name, size, *map(float, bias), float(error.max()), 100 * float(away)))
    return Table.of(
        "Bias and standard deviation of estimators, in percentage points",
        ("estimator", "N", "bias, 3-NN", "bias, 1-NN", "standard error", "sd of estimated minus true difference"),
        rows,
        note="Means over the eight populations.",
    )


def _shares_of_false(estimates: Found, name: str) -> float:
    """Return how often an estimator finds 1-NN better at 10 examples if the true errors do not differ."""
    shares = []
    for index, rate in enumerate(INHERENT):
        each = estimates[10, rate]
        chosen = experiments(len(each["TER"]), index)
        (_, true_p), (t, p) = t_of(each["TER"], chosen), t_of(each[name], chosen)
        shares.append(((true_p >= 0.05) & (p < 0.05) & (t > 0)).mean())
    return float(np.mean(shares))


def _chance_lines(rows: Sequence[Mapping[str, str]], marks: Mapping[str, Mapping[str, Numbers]]) -> Table:
    texts = []
    for name in _ESTIMATORS:
        own = [row for row in rows if row["estimator"] == name]
        for index, row in enumerate(own):
            mark = "o" * (row["circle"] == "1") + "‡" * (row["dagger"] == "1")
            shares = (float(marks[name][kind][index].mean()) for kind in ("missed", "false", "reversed"))
            texts.append((name, int(row["N"]), f"{row['inherent']}%", mark, *shares))
    return Table.of(
        "Probability of each mark",
        ("estimator", "N", "inherent error", "printed", "missed", "false", "reversed"),
        texts,
        note="o: a circle. Shares of experiments of 20 samples.",
    )


def _counts_drawn(rows: Sequence[Mapping[str, str]], marks: Mapping[str, Mapping[str, Numbers]]) -> Picture:
    kinds = ("missed", "false", "reversed")
    series = []
    at, values = [], []
    for number, kind in enumerate(kinds):
        mean = np.array([marks[name][kind].mean(axis=1).sum() for name in _ESTIMATORS])
        spread = np.array([counted_over(marks[name][kind], ETA)["spread"] for name in _ESTIMATORS])
        places = np.arange(len(_ESTIMATORS))
        low = np.maximum(mean - 2 * spread, 0)
        series.append(Series(kind, places, mean, "bars", low, mean + 2 * spread))
        at += list(places + (number - 1) * 0.8 / 3)
        values += [sum(_printed_marks(rows, name)[kind]) for name in _ESTIMATORS]
    series.append(Series("printed", at, values, "paper"))
    return plotted(
        "Cells of 40 in which estimates mislead",
        "For four estimators, the number of 40 cells in which a paired t test misses a difference of the true errors,"
        " finds a false one, or has the wrong sign, with two standard deviations of one experiment and the printed"
        " counts.",
        series,
        x="estimator",
        y="cells of 40",
        ticks=[(index, name) for index, name in enumerate(_ESTIMATORS)],
    )


# --- Table 15 --------------------------------------------------------------------------------------


def table_15(run: Run) -> Shown:
    """Compare 2-fold cross-validation, repeated 100 times, with the true error of each sample's classifier."""
    halves = halved(run)
    rows = printed("martin_hirschberg_table_15")
    bias = {key: 100 * (each["2-CV*"] - each["TER"]) for key, each in halves.items()}  # by sample and rule, in pp
    lines = []
    for row in rows:
        own = bias[int(row["N"]), row["inherent"]][:, ("3-NN", "1-NN").index(row["learner"])]
        deviation = float(own.std(ddof=1))
        lines.append(
            compared(
                f"{row['learner']}, N = {row['N']}, {row['inherent']}%",
                row["bias"],
                float(own.mean()),
                spread=deviation / math.sqrt(ETA),
                error=deviation / math.sqrt(own.size),
                among=len(rows),
            )
        )
    return Shown(
        lines=(*lines, *_bias_claims(bias)),
        pictures=(_bias_drawn(rows, bias),),
        notes=(
            "2-CV* is the mean of 100 2-fold cross-validations of the same sample; its bias is its mean difference from"
            " the true error of the classifier trained on the whole sample. A printed bias is a mean over 20 samples,"
            " which the tolerance allows for.",
            "Half of 10 examples are 5. One of their classes often has one example or none, and 3-NN then never"
            " predicts it.",
        ),
    )


def _bias_claims(bias: Mapping[Key, Numbers]) -> list[Line]:
    by_size = {size: np.mean([bias[size, rate].mean(axis=0) for rate in INHERENT], axis=0) for size in SIZES}
    differences = {size: np.mean([difference(bias[size, rate]).mean() for rate in INHERENT]) for size in SIZES}
    error = {
        size: math.sqrt(sum(difference(bias[size, rate]).var(ddof=1) / len(bias[size, rate]) for rate in INHERENT)) / 8
        for size in SIZES
    }
    low = {rate: float(bias[10, rate][:, 0].mean()) for rate in ("0.1", "1", "2", "5")}
    size_text = ", ".join(f"N = {size}: {three:.1f} and {one:.1f}" for size, (three, one) in by_size.items())
    return [
        claimed(
            "sample size",
            "2-CV* is biased, more so as the sample size decreases",
            by_size[10].min() > 2 * by_size[30].max() and by_size[10].mean() > by_size[20].mean() > by_size[100].mean(),
            f"mean bias over populations, in pp, of 3-NN and 1-NN: {size_text}",
        ),
        claimed(
            "3-NN at N = 10",
            "the bias of 3-NN at N = 10 is very large, especially when the inherent error is low",
            min(low.values()) > 10 and float(bias[10, "50"][:, 0].mean()) < 10,
            listed({f"{rate}%": each for rate, each in low.items()}) + " pp",
        ),
        claimed(
            "between the rules",
            "the bias of 3-NN differs from that of 1-NN up to N = 20; from N = 30 on they very nearly cancel",
            all(differences[size] > 2 * error[size] for size in (10, 20))
            and all(abs(differences[size]) < 0.5 + 2 * error[size] for size in (30, 50, 100)),
            "bias of 3-NN minus that of 1-NN, mean over populations, in pp: "
            + ", ".join(f"N = {size}: {each:.2f} ± {error[size]:.2f}" for size, each in differences.items()),
        ),
    ]


def _bias_drawn(rows: Sequence[Mapping[str, str]], bias: Mapping[Key, Numbers]) -> Picture:
    places = np.arange(len(INHERENT))
    series = [
        Series(f"{learner}, N = {size}", places, [bias[size, rate][:, column].mean() for rate in INHERENT])
        for size in (10, 20)
        for column, learner in ((0, "3-NN"), (1, "1-NN"))
    ]
    shown = [row for row in rows if row["N"] in {"10", "20"}]
    series.append(
        Series(
            "printed",
            [INHERENT.index(row["inherent"]) for row in shown],
            [float(row["bias"]) for row in shown],
            "paper",
        )
    )
    return plotted(
        "Bias of 2-CV* in small samples",
        "The bias of 2-fold cross-validation, repeated 100 times, by inherent error, for 3-NN and 1-NN at 10 and 20"
        " examples; that of 3-NN at 10 examples is 17 pp if the classes hardly overlap.",
        series,
        x="inherent error",
        y="bias, pp",
        across=(0.0,),
        ticks=[(index, f"{rate}%") for index, rate in enumerate(INHERENT)],
    )
