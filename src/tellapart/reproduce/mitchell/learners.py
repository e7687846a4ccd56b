"""Mitchell (1997), section 5.6 and the exercises: learners compared by k folds, and Student's t."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...errors import import_extra
from ...report.blocks import Table
from ...report.picture import Picture
from ..drawing import Series, plotted
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared
from .one_rate import ENOUGH
from .samples import spread, unpaired

_EXAMPLES, _TESTED = 300, 30  # ten folds then have test sets of 30, as the book requires
_LEARNERS: dict[str, lab.Inducer] = {"1-NN": lab.NearestNeighbours(1), "discriminant": lab.Discriminant()}
_METHODS = {"k-fold": "kfold-t", "fresh": "paired-t", "random": "resampled-t"}


# --- Table 5.5 ----------------------------------------------------------------------------------------


def _intervals(cell: Mapping[str, Any], trials: int, rng: np.random.Generator) -> dict[str, Any]:
    """Return how often interval 5.17 contains the true differences of twins."""
    twins = lab.Twins(_LEARNERS[cell["learner"]], _EXAMPLES, distance=1.5)
    train, test = _divide_examples(cell, twins.population, trials, rng)
    rules = [learner.fit(*train) for learner in (twins.a, twins.b)]
    loss = np.stack([(rule.predict(test[0]) != test[1]).mean(axis=-1) for rule in rules], axis=1)
    folds = cell["procedure"] == "k-fold"
    sizes = np.array(_TESTED), np.array(_EXAMPLES - _TESTED)
    resamples = ta.Resamples(loss[:, :, None, :] if folds else loss[..., None], *sizes, _plan_of(cell))
    interval = _compare_pair(resamples, _METHODS[cell["procedure"]]).interval
    # For twins, 5.14 is 0. The training sets of the rounds are subsets of D0, a sample of all subsets of 5.16.
    true_difference = (twins.population.true_error(rules[0]) - twins.population.true_error(rules[1])).mean(axis=-1)
    expected, of_subsets = ((interval.low <= each) & (each <= interval.high) for each in (0.0, true_difference))
    deltas = loss[:, 0] - loss[:, 1]
    sums = {
        "trials": trials,
        "expected": expected.sum(),
        "given": of_subsets.sum(),
        "given alone": (of_subsets & ~expected).sum(),
        "expected alone": (expected & ~of_subsets).sum(),
        "width": interval.width.sum(),
        "square": (deltas.mean(axis=1) ** 2).sum(),
        "estimated": (deltas.var(axis=1, ddof=1) / cell["rounds"]).sum(),
    }
    return {name: [float(value)] for name, value in sums.items()}


def _compare_pair(resamples: ta.Resamples, method: str, level: float = 0.95) -> Any:
    """Return the comparison of two learners."""
    return ta.compare(resamples, method=method, level=level)


def _plan_of(cell: Mapping[str, Any]) -> ta.Plan:
    names = {"k-fold": f"{cell['rounds']}-fold", "fresh": "independent", "random": f"{cell['rounds']}x(9/10)"}
    return ta.Plan.parse(names[cell["procedure"]])


def _divide_examples(
    cell: Mapping[str, Any], population: lab.Population, trials: int, rng: np.random.Generator
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return training and test sets by trial and round: from one sample per trial, or new ones in every round."""
    rounds = cell["rounds"]
    if cell["procedure"] == "fresh":
        X, y = population.draw((trials, rounds), _EXAMPLES, rng)  # noqa: N806
        return (X[:, :, _TESTED:], y[:, :, _TESTED:]), (X[:, :, :_TESTED], y[:, :, :_TESTED])
    X, y = population.draw((trials,), _EXAMPLES, rng)  # noqa: N806
    if cell["procedure"] == "k-fold":
        order = rng.permuted(np.tile(np.arange(_EXAMPLES), (trials, 1)), axis=1)
        turned = np.stack([np.roll(order, _TESTED * fold, axis=1) for fold in range(rounds)], axis=1)
    else:
        turned = rng.permuted(np.tile(np.arange(_EXAMPLES), (trials, rounds, 1)), axis=2)
    chosen = np.arange(trials)[:, None, None]
    test, train = turned[..., :_TESTED], turned[..., _TESTED:]
    return (X[chosen, train], y[chosen, train]), (X[chosen, test], y[chosen, test])


class _Coverage:
    """Coverage of two differences by an interval, and its width."""

    def __init__(self, measured: Mapping[str, Any]) -> None:
        self.sums = {name: float(np.sum(values)) for name, values in measured.items()}
        self.trials = self.sums["trials"]
        self.expected, self.given, self.width = (
            self.sums[name] / self.trials for name in ("expected", "given", "width")
        )
        self.ratio = math.sqrt(self.sums["square"] / self.sums["estimated"])

    def error(self, share: float) -> float:
        """Return the standard error of a share."""
        return math.sqrt(share * (1 - share) / self.trials)

    @property
    def gap(self) -> tuple[float, float]:
        """The coverage of 5.16 minus that of 5.14, on the same samples, and its standard error."""
        more, less = (self.sums[f"{name} alone"] / self.trials for name in ("given", "expected"))
        return more - less, math.sqrt(max(more + less - (more - less) ** 2, 1e-12) / self.trials)


_Coverages = Mapping[tuple[str, int, str], _Coverage]


def _measure_coverage(
    run: Run, requests: Sequence[tuple[str, int, str]], trials: int, block: int
) -> dict[Any, _Coverage]:
    cells = [{"procedure": procedure, "rounds": rounds, "learner": learner} for procedure, rounds, learner in requests]
    measured = run.cells(_intervals, cells, trials, block=block)
    return {where: _Coverage(each) for where, each in zip(requests, measured, strict=True)}


def _fold_requests(run: Run, *targets: tuple[str, int, str]) -> dict[Any, _Coverage]:
    """Return the coverage of procedures of ten rounds."""
    return _measure_coverage(
        run, targets, run.size(2000, quick=1500, most=30_000, of="samples per procedure", ours=True), 500
    )


def table_5_5(run: Run) -> Shown:
    """Run the procedure on real data, and on samples with a known true difference."""
    coverages: dict[Any, _Coverage] = _fold_requests(
        run, *((procedure, 10, learner) for learner in _LEARNERS for procedure in ("k-fold", "fresh"))
    )
    splits = run.size(200, quick=100, most=4000, of="samples per number of random test sets", ours=True)
    coverages |= _measure_coverage(run, [("random", rounds, "1-NN") for rounds in (10, 30, 100)], splits, 50)
    real, table = _on_real_data(run)
    head = ("procedure", "rounds", "learner", "covers 5.14", "covers 5.16", "mean width", "sd of δ̄ / s")
    rows = [
        (*where, f"{each.expected:.4f}", f"{each.given:.4f}", f"{each.width:.4f}", f"{each.ratio:.3f}")
        for where, each in coverages.items()
    ]
    return Shown(
        lines=(*real, *_of_folds(coverages), *_of_fresh_sets(coverages), *_of_random_sets(coverages)),
        pictures=(_draw_coverage(coverages),),
        tables=(table, Table.of("Coverage of the 95% interval 5.17", head, rows)),
        notes=(
            "On real data the procedure is ta.compare(ta.race(learners, X, y, plan='10-fold').resamples(),"
            " method='kfold-t'): the breast cancer data of scikit-learn, a decision tree and naive Bayes.",
            "Coverage is measured on samples of 300 from a known population, with twins: the same learner twice, on"
            " attributes that separate the classes equally well. Their expected difference 5.14 is 0; the difference"
            " 5.16, given the 300 examples, is that of the true errors of the classifiers trained in the procedure.",
            "1-NN depends strongly on its training set, the linear discriminant hardly at all. So 5.16 varies about"
            " 5.14 for 1-NN and is almost equal to 5.14 for the discriminant: the learner decides whether the interval"
            " for 5.16 also covers 5.14.",
            "The test sets of k folds are disjoint, but the training sets overlap, and the test examples of one fold"
            " are training examples of the others: the δ are not independent. Nadeau and Bengio's correction"
            " (corrected-resampled-t, the default here) widens the interval accordingly.",
        ),
    )


def _on_real_data(run: Run) -> tuple[list[Line], Table]:
    """Run Table 5.5 once, and compare its steps with plain arithmetic."""
    data, bayes, tree = (import_extra(f"sklearn.{name}", "learn") for name in ("datasets", "naive_bayes", "tree"))
    X, y = data.load_breast_cancer(return_X_y=True)  # noqa: N806
    learners = {"tree": tree.DecisionTreeClassifier(), "bayes": bayes.GaussianNB()}
    resamples = ta.race(learners, X, y, plan="10-fold", rng=run.seed, progress=False).resamples()
    answer = _compare_pair(resamples, "kfold-t")
    losses = resamples.loss[:, 0]
    delta = losses[0] - losses[1]
    mean, s = delta.mean(), math.sqrt(((delta - delta.mean()) ** 2).sum() / 90)
    half = _student_quantile(9, 0.95) * s
    paired, unpaired = (spread(each) for each in _on_all_folds(resamples))
    rows = [(fold + 1, int(resamples.test[0, fold]), *losses[:, fold], delta[fold]) for fold in range(10)]
    lines = [
        claimed(
            "T5.1 on breast cancer data",
            "δ̄ is the mean of the k differences",
            math.isclose(float(answer.difference), mean, abs_tol=1e-12),
            f"{mean:+.4f} by the sum, {float(answer.difference):+.4f} by ta.compare",
        ),
        claimed(
            "5.17 and 5.18 on breast cancer data",
            "the interval is δ̄ ± t s, with k − 1 degrees of freedom",
            np.allclose([answer.interval.low, answer.interval.high], [mean - half, mean + half], atol=1e-12),
            f"{mean - half:+.4f} to {mean + half:+.4f} by the sum, {float(answer.interval.low):+.4f} to"
            f" {float(answer.interval.high):+.4f} by method kfold-t",
        ),
        claimed(
            "k disjoint subsets",
            "the k subsets are disjoint and have at least 30 examples each",
            resamples.test.min() >= 30 and resamples.test.sum() == len(y),
            f"{resamples.test.min():.0f} or {resamples.test.max():.0f} each, {resamples.test.sum():.0f} in total",
        ),
        claimed(
            "paired tests",
            "paired tests typically produce tighter intervals than separate test sets",
            paired < unpaired,
            f"tree and Bayes on all 569 examples: standard error {paired:.4f} paired, {unpaired:.4f} by 5.12",
        ),
    ]
    return lines, Table.of("Table 5.5, run once", ("fold", "examples", "tree", "bayes", "δ"), rows)


def _on_all_folds(resamples: ta.Resamples) -> tuple[Any, Any]:
    """Return the intervals for the two errors on all examples: paired, and as if on two samples."""
    both = np.asarray(resamples.together)[:, :, 0].sum(axis=-1).astype(int)
    right = int(resamples.test.sum()) - both[0, 0] - both[1, 1] + both[0, 1]
    table = ta.PairedTable(both[0, 1], both[0, 0] - both[0, 1], both[1, 1] - both[0, 1], right)
    return ta.compare(table, method="wald-paired").interval, unpaired(table)


def _of_folds(coverages: _Coverages) -> Iterator[Line]:
    for learner in _LEARNERS:
        near = coverages["k-fold", 10, learner]
        yield claimed(
            f"interval 5.17, {learner}",
            f"5.17 is an approximate N% interval for 5.16: {learner}",
            near.given + 2 * near.error(near.given) >= ENOUGH,
            f"coverage of 5.16: {near.given:.4f} (standard error {near.error(near.given):.4f}; threshold: {ENOUGH})",
            reason="The δ are not independent: the training sets overlap, and neighbours are tested by each other. So s"
            " is too small.",
        )
    unstable = coverages["k-fold", 10, "1-NN"]
    gap, error = unstable.gap
    yield claimed(
        "5.16, not 5.14",
        "δ̄ is more appropriately an estimate of 5.16 than of 5.14",
        gap > 2 * error,
        f"1-NN, coverage of 5.16: {unstable.given:.4f}, of 5.14: {unstable.expected:.4f} (difference {gap:.4f},"
        f" standard error {error:.4f})",
    )
    yield claimed(
        "independence",
        "the δ are not independent of one another",
        unstable.ratio > 1 + 2 / math.sqrt(2 * unstable.trials),
        f"1-NN: the standard deviation of δ̄ is {unstable.ratio:.2f} times s",
    )


def _of_fresh_sets(coverages: _Coverages) -> Iterator[Line]:
    for learner in _LEARNERS:
        near = coverages["fresh", 10, learner]
        error = near.error(0.95)
        yield claimed(
            f"idealised method, {learner}",
            f"new training and test sets in each round justify interval 5.17 for 5.14: {learner}",
            near.expected + 2 * error >= ENOUGH,
            f"coverage of 5.14: {near.expected:.4f} (standard error {error:.4f}; threshold: {ENOUGH}); the standard"
            f" deviation of δ̄ is {near.ratio:.2f} times s",
        )


def _of_random_sets(coverages: _Coverages) -> Iterator[Line]:
    chain = [coverages["random", rounds, "1-NN"] for rounds in (10, 30, 100)]
    widths = ", ".join(f"{each.width:.4f}" for each in chain)
    yield claimed(
        "random test sets, width",
        "random test sets can be repeated to shrink the interval to the desired width",
        all(later.width < 0.75 * before.width for before, later in pairwise(chain)),
        f"1-NN: mean width {widths} at 10, 30 and 100 test sets",
    )
    chain_text = ", ".join(f"{each.expected:.3f}" for each in chain)
    last = chain[-1].given
    yield claimed(
        "random test sets, coverage",
        "with random test sets, too, 5.17 is an approximate confidence interval",
        last + 2 * chain[-1].error(last) >= ENOUGH,
        "1-NN, coverage of 5.16: " + ", ".join(f"{each.given:.3f}" for each in chain) + f"; of 5.14: {chain_text}"
        f" (threshold: {ENOUGH})",
        reason="The 300 examples are all the information; drawing from them repeatedly adds none, but the interval"
        " treats every test set as new data. The text warns that these test sets are not independent.",
    )


def _draw_coverage(coverages: _Coverages) -> Picture:
    shares = {"5.14, over all samples": "expected", "5.16, given this one": "given"}
    names = {"k-fold": "10 folds", "fresh": "10 new sets", "random": "{} random"}
    ticks = [
        (index, f"{names[procedure].format(rounds)}\n{learner}")
        for index, (procedure, rounds, learner) in enumerate(coverages)
    ]
    series = []
    for shift, (name, field) in zip((-0.12, 0.12), shares.items(), strict=True):
        y = np.array([getattr(each, field) for each in coverages.values()])
        reach = 1.96 * np.array([each.error(getattr(each, field)) for each in coverages.values()])
        series.append(Series(name, np.arange(y.size) + shift, y, "points", y - reach, np.minimum(y + reach, 1.0)))
    return plotted(
        "Coverage of the difference by the 95% interval 5.17",
        "Coverage by procedure and learner: near 0.95 for new sets and for folds of the discriminant, below 0.9 for"
        " folds of 1-NN, and lower with more random test sets.",
        series,
        x="",
        y="coverage",
        across=(0.95,),
        ticks=ticks,
        size=(7.6, 3.4),
    )


# --- Table 5.6 ----------------------------------------------------------------------------------------


def _student_quantile(df: int, level: float) -> float:
    """Return the t value that method kfold-t uses: half of its interval, in standard errors."""
    values = np.where(np.arange(df + 1) % 2, 1.0, -1.0)
    resamples = ta.Resamples.from_scores(
        values, np.zeros(df + 1), plan=f"{df + 1}-fold", metric="neg_loss", higher_is_better=True
    )
    standard_error = float(values.std(ddof=1)) / math.sqrt(df + 1)
    return float(_compare_pair(resamples, "kfold-t", level).interval.width) / 2 / standard_error


def table_5_6(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Derive Student's t from the intervals of method kfold-t, by degrees of freedom and level."""
    rows = printed("mitchell_table_5.6")
    normal = lab.NormalModel(0.0, 1.0)
    critical = {
        (row["df"], row["level"]): normal.interval(alpha=1 - int(row["level"]) / 100)[1]
        if row["df"] == "inf"
        else _student_quantile(int(row["df"]), int(row["level"]) / 100)
        for row in rows
    }
    lines = [
        compared(
            f"ν = {row['df'].replace('inf', '∞')}, {row['level']}%",
            row["t"],
            critical[row["df"], row["level"]],
            reason="2.84534 rounds to 2.85; the other 27 values agree.",
        )
        for row in rows
    ]
    off = [abs(_student_quantile(df, 0.95) - critical["inf", "95"]) for df in (30, 120, 100_000)]
    finite = [row for row in rows if row["df"] != "inf"]
    freedom = [2, 3, 4, 5, 7, 10, 14, 20, 30, 50, 80, 120]
    return Shown(
        lines=(
            *lines,
            claimed(
                "ν → ∞",
                "t approaches z",
                off[0] > off[1] > off[2] and off[2] < 1e-4,
                f"95%: {off[0]:.4f}, {off[1]:.4f} and {off[2]:.6f} above z at ν = 30, 120 and 100,000",
            ),
        ),
        pictures=(
            plotted(
                "Student's t by degrees of freedom",
                "Four curves, one for each level, that fall towards z, and the printed values on them.",
                [
                    *(
                        Series(f"{level}%", freedom, [_student_quantile(df, level / 100) for df in freedom])
                        for level in (90, 95, 98, 99)
                    ),
                    Series("printed", [int(row["df"]) for row in finite], [float(row["t"]) for row in finite], "paper"),
                ],
                x="degrees of freedom ν",
                y="t",
                log="x",
                ticks=[(df, str(df)) for df in (2, 5, 10, 20, 30, 120)],
            ),
        ),
        notes=(
            "A value is half the width of the kfold-t interval of k = ν + 1 differences, divided by their standard"
            " error 5.18; for ν = ∞ it is that of the normal curve.",
        ),
    )


# --- Exercises ----------------------------------------------------------------------------------------


def exercises(run: Run) -> Shown:
    """Answer the exercises, and compare each number with a calculation by hand."""
    return Shown(
        lines=(*_of_one_rate(), *_of_a_width(), *_of_two_rates(), _of_the_target(run)),
        notes=(
            "The book prints no answers. The paper's number is here a calculation by hand from formula 5.9, 5.1 or 5.12"
            " and the z values of Table 5.1, with the digits that these allow.",
            "Exercise 5.4: among sizes from 300 to 500 and all possible observed error rates between 0.2 and 0.6, the"
            " smallest size from which every interval is narrower than 0.1. By hand, the widest interval is at 0.5, and"
            " n > (2 · 1.96 · 0.5 / 0.1)² = 384.16.",
            "Exercise 5.6: 5.17 measures the variation of the δ for training sets drawn from D₀. Another D₀ would shift"
            " all δ, which none of them shows, but 5.14 is an expectation over D₀. Measured with 1-NN, as in Table"
            " 5.5.",
        ),
    )


def _of_one_rate() -> Iterator[Line]:
    large, small = ta.ErrorCount(300, 1000), ta.ErrorCount(12, 40)
    yield compared("5.1: sd = √(0.3 · 0.7 / 1000)", "0.0145", float(large.standard_error))
    ratio = float(small.standard_error / large.standard_error)
    yield compared("5.1: ratio to the sd of 12 errors in 40, √(1000/40)", "5.000", ratio)
    count = ta.ErrorCount(17, 100)
    interval = ta.estimate(count, method="wald", level=0.95).interval
    yield compared("5.2: sd = √(0.17 · 0.83 / 100)", "0.0376", float(count.standard_error))
    yield compared("5.2: lower end, 0.17 − 1.96 sd", "0.096", float(interval.low))
    yield compared("5.2: upper end, 0.17 + 1.96 sd", "0.244", float(interval.high))
    count = ta.ErrorCount(10, 65)
    interval = ta.estimate(count, method="wald", level=0.90).interval
    yield compared("5.3: lower end of the 90% interval, 10/65 − 1.64 sd", "0.080", float(interval.low))
    yield compared("5.3: upper end of the 90% interval, 10/65 + 1.64 sd", "0.227", float(interval.high))
    for level, z, value in ((0.95, "1.64", "0.227"), (0.90, "1.28", "0.211")):
        bound = ta.estimate(count, method="wald", level=level, side="upper").interval
        yield compared(f"5.3: one-sided {100 * level:.0f}% bound, 10/65 + {z} sd", value, float(bound.high))


def _of_a_width() -> Iterator[Line]:
    trials, errors = np.meshgrid(np.arange(300, 501), np.arange(301), indexing="ij")
    counts = ta.ErrorCount(errors, trials)
    rate = counts.rate
    width = np.where((rate >= 0.2) & (rate <= 0.6), ta.estimate(counts, method="wald", level=0.95).interval.width, 0.0)
    too_wide = trials[:, 0][width.max(axis=1) >= 0.1]
    yield compared("5.4: smallest n with a 95% interval narrower than 0.1", "385", float(too_wide.max() + 1))


def _of_two_rates() -> Iterator[Line]:
    counts = ta.IndependentCounts.from_counts(30, 100, 20, 100)
    ends = [
        ta.compare(counts, method="wald-independent", level=level, alternative=alternative).interval
        for level, alternative in ((0.90, "less"), (0.90, "greater"), (0.80, "two-sided"))
    ]
    upper, lower, both = ends
    yield compared("5.5: 90% upper bound, 0.10 + 1.28 · 0.0608", "0.178", float(upper.high))
    yield compared("5.5: 90% lower bound, 0.10 − 1.28 · 0.0608", "0.022", float(lower.low))
    yield claimed(
        "5.5: in general",
        "the N% bounds are the ends of the two-sided (2N − 100)% interval",
        np.allclose([upper.high, lower.low], [both.high, both.low]),
        f"N = 90: {float(lower.low):.4f} and {float(upper.high):.4f}; two-sided 80%: {float(both.low):.4f} to"
        f" {float(both.high):.4f}",
    )


def _of_the_target(run: Run) -> Line:
    near = _fold_requests(run, ("k-fold", 10, "1-NN"))["k-fold", 10, "1-NN"]
    gap, error = near.gap
    return claimed(
        "5.6: why 5.16 and not 5.14",
        "5.17 applies to 5.16, and not to 5.14",
        gap > 2 * error,
        f"coverage of 5.16: {near.given:.4f}, of 5.14: {near.expected:.4f} (difference {gap:.4f}, standard error"
        f" {error:.4f})",
    )
