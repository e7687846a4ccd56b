"""Figures 6 and 7 of Martin and Hirschberg (1996): a difference and its standard deviation, from one sample."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..drawing import Series, plotted
from ..measured import Measured
from ..run import Run
from ..verdicts import Line, Shown, claimed, compared
from .samples import (
    CRITICAL,
    ETA,
    SIZES,
    Found,
    Key,
    Numbers,
    difference,
    estimated,
    experiments,
    listed,
    one_cell,
    relative,
    rms,
    spread,
    spread_of,
    t_at_100,
)
from .spreads import spreads_drawn

# --- Figure 6 --------------------------------------------------------------------------------------


def figure_6(run: Run) -> Shown:
    """Compare two standard errors from one sample with the standard deviation over many samples."""
    every = estimated(run)
    # A few samples of well-separated classes may have no errors, and then nothing can be compared.
    estimates = {key: each for key, each in every.items() if spread(each["10-CV apart"]) * spread(each["10-CV"]) > 0}
    unpaired_spreads = {key: spread(each["10-CV apart"]) for key, each in estimates.items()}
    paired = {key: spread(each["10-CV"]) for key, each in estimates.items()}
    se = {key: _binomial_error(each["10-CV apart"], key[0]) for key, each in estimates.items()}
    ss = {key: each["SS"] for key, each in estimates.items()}
    power, factor, fit = _power_function(list(unpaired_spreads.values()), [float(rms(each)) for each in se.values()])
    curve = np.geomspace(min(unpaired_spreads.values()), max(unpaired_spreads.values()), 60)
    return Shown(
        lines=(
            *_claims_on_se(estimates, unpaired_spreads, se, fit),
            *_claims_on_ss(unpaired_spreads, paired, se, ss),
            *_heuristic_lines(every),
        ),
        pictures=(
            spreads_drawn(
                "6a: SE of a sample against s(x)",
                "SE, s(x)",
                se,
                unpaired_spreads,
                "above the line of equality on the left and below it on the right",
                [Series(f"{factor:.2f} s(x)^{power:.2f}", curve, factor * curve**power)],
            ),
            spreads_drawn(
                "6b: SS of a sample against s(x)", "SS, s(x)", ss, paired, "slightly below the line of equality"
            ),
        ),
        notes=(
            "In each of 40 cells (5 sample sizes, 8 populations; 20 samples each in the paper) the errors of 1-NN and"
            " 3-NN are estimated by 10-fold cross-validation. x is the difference of the two estimates and s(x) its"
            " standard deviation from sample to sample: the correct denominator of a test of x, which one sample cannot"
            " show.",
            "SE² = e(1 − e)/N, with e the mean of both estimates, is the estimate of the ±2-SE rule; each of the two"
            " rules has its own partition (Figure 6a). SS is the weighted standard deviation of the differences in the"
            " ten folds of one partition for both (Figure 6b). m_j in its formula is the size of fold j.",
            "The text on s1² + s3² − s1·s3 contradicts itself: if the sum is too small, 0.76 of s²(x), subtracting a"
            " larger multiple of s1·s3 makes it worse; and 1.25 means a correlation of 0.625, not 0.375. Both readings"
            " are shown. If the ratio is inverted and the coefficient kept, everything agrees.",
            "s² is a variance between samples whose classifiers also differ in their true errors; e(1 − e)/N is that of"
            " classifiers with the same true error.",
        ),
    )


def _claims_on_se(
    estimates: Found, unpaired_spreads: dict[Key, float], se: dict[Key, Numbers], fit: float
) -> list[Line]:
    s, level = np.array(list(unpaired_spreads.values())), np.array([float(rms(each)) for each in se.values()])
    ratio = math.sqrt((level**2).sum() / (s**2).sum())
    below = int((level < s).sum())
    grows = float(np.corrcoef(s - level, level)[0, 1])
    about = {key: float(((each - rms(each)) ** 2).mean()) for key, each in se.items()}
    varies = [float(np.mean([about[key] for key in about if key[0] == size])) for size in SIZES]
    exponent = float(np.polyfit(np.log(SIZES), np.log(varies), 1)[0])
    null = np.concatenate(
        [np.abs(difference(estimates[size, "50"]["10-CV apart"])) > 2 * se[size, "50"] for size in SIZES]
    )
    risk, error = float(null.mean()), float(null.std() / math.sqrt(null.size))
    largest = [key for key in unpaired_spreads if key[1] in {"40", "50"}]
    high = float(np.mean([rms(se[key]) / unpaired_spreads[key] for key in largest]))
    some = [key for key in unpaired_spreads if key[0] > 10 and 1 <= float(key[1]) <= 10]
    middle = float(np.mean([rms(se[key]) / unpaired_spreads[key] for key in some]))
    return [
        claimed(
            "bias of SE",
            "SE is optimistic: rms SE lies below s(x)",
            ratio < 1 and high < 1,
            f"{ratio:.2f} of s(x) over all cells, {high:.2f} at 40% and 50%, but {middle:.2f} at 1% to 10% with 20"
            f" or more examples; below s(x) in {below} of {len(se)} cells",
        ),
        claimed(
            "size of the bias",
            "the bias s(x) − rms SE grows with SE",
            grows > 0.3,
            f"the correlation over cells is {grows:.2f}",
        ),
        claimed(
            "power function",
            "a power function of s(x) fits rms SE well",
            fit > 0.9,
            f"a line through the logarithms explains {100 * fit:.0f}% of the variance",
        ),
        claimed(
            "±2 SE as a test",
            "the ±2-SE rule has a risk of Type I errors well above 0.05",
            risk > 0.05 + 2 * error,
            f"{risk:.3f} ± {error:.3f} at 50%, where the rules are equally good (threshold: 0.05 + two standard"
            f" errors)",
        ),
        claimed(
            "scatter of SE",
            "the variance of SE about rms SE is proportional to 1/N",
            abs(exponent + 1) < 0.4,
            f"it falls as N^{exponent:.2f}",
            reason="The standard deviation falls as 1/N, not the variance. SE² is e(1 − e)/N, and e varies by about SE,"
            " so SE varies by about (1 − 2e)/(2N).",
        ),
    ]


def _claims_on_ss(
    unpaired_spreads: dict[Key, float], paired: dict[Key, float], se: dict[Key, Numbers], ss: dict[Key, Numbers]
) -> list[Line]:
    se_ratio = {key: float(rms(se[key])) / unpaired_spreads[key] for key in se}
    ss_ratio = {key: float(rms(ss[key])) / paired[key] for key in ss}
    closer = sum(abs(ss_ratio[key] - 1) < abs(se_ratio[key] - 1) for key in se)
    level = math.sqrt(sum(float(rms(ss[key])) ** 2 for key in ss) / sum(each**2 for each in paired.values()))
    other = math.sqrt(sum(float(rms(se[key])) ** 2 for key in se) / sum(each**2 for each in unpaired_spreads.values()))
    more = sum(relative(ss[key]) > relative(se[key]) for key in se)
    return [
        claimed(
            "bias of SS",
            "SS is less biased than SE",
            closer > 2 / 3 * len(se) and level > other,
            f"rms SS is closer to s(x) in {closer} of {len(se)} cells; over all cells it is {level:.2f} of s(x), and"
            f" rms SE {other:.2f}",
            reason="Over all cells both are too small by about the same factor, and SE is closer in at least as many"
            " cells. SS is more uniform: about 0.8 of s(x) in nearly every cell, because folds share eight ninths of"
            " their training sets.",
        ),
        claimed(
            "SS is low",
            "SS is biased nonetheless, towards too small a spread",
            level < 0.95,
            f"rms SS is {level:.2f} of s(x) over all cells, and below it in"
            f" {sum(each < 1 for each in ss_ratio.values())} of {len(ss)}",
        ),
        claimed(
            "scatter of SS",
            "SS is more variable than SE",
            more > 3 / 4 * len(se),
            f"its relative standard deviation is larger in {more} of {len(se)} cells; on average"
            f" {np.mean([relative(each) for each in ss.values()]):.2f} against"
            f" {np.mean([relative(each) for each in se.values()]):.2f}",
        ),
    ]


def _heuristic_lines(estimates: Found) -> list[Line]:
    """Return the correlation of the two estimates, averaged over cells, by experiments of 20 samples."""
    ratios, correlations, times = [], [], []
    for index, ((size, _), each) in enumerate(estimates.items()):
        own = each["10-CV apart"][experiments(len(each["TER"]), index)]
        one, three = own[..., 1].std(axis=-1, ddof=1), own[..., 0].std(axis=-1, ddof=1)
        x = difference(own).var(axis=-1, ddof=1)
        known = (one > 0) & (three > 0)  # 20 samples without errors have no correlation
        one, three, x = (np.where(known, value, np.nan) for value in (one, three, x))
        ratios.append(x / (one**2 + three**2 - one * three))
        correlations.append((one**2 + three**2 - x) / (2 * one * three))
        times.append((one**2 + three**2) / 2 / rms(_binomial_error(own, size)) ** 2)
    samples = len(next(iter(estimates.values()))["TER"])
    ratio, correlation = np.nanmean(ratios, axis=0), np.nanmean(correlations, axis=0)
    turned = "Taken literally, the text asks for the opposite of its own result. The correlation of the estimates is"
    numbers = (
        ("s1² + s3² − s1·s3, over s²(x)", "0.76", 1 / ratio, f"{turned} above 0.5, so this sum is too large."),
        ("inverted: s²(x) over s1² + s3² − s1·s3", "0.76", ratio, ""),
        ("coefficient of s1·s3 that makes it unbiased", "1.25", 2 * correlation, ""),
        ("correlation that makes it unbiased", "0.375", correlation, f"{turned} above 0.6; 1.25 means 0.625."),
    )
    supposed = claimed(
        "assumption of the ±2-SE rule",
        "s² = e(1 − e)/N and a correlation of 0.5, which is reasonable, but optimistic: it is less",
        correlation.mean() < 0.5,
        f"the correlation is {correlation.mean():.2f}, and s² {np.nanmean(times):.1f} times e(1 − e)/N, on average",
        reason="With this correlation the rule would be conservative. SE is too small because of e(1 − e)/N.",
    )
    return [
        supposed,
        *(
            compared(what, text, float(ours.mean()), **spread_of(ours, samples), among=len(numbers), reason=reason)
            for what, text, ours, reason in numbers
        ),
    ]


def _binomial_error(errors: Numbers, size: int) -> Numbers:
    """Return SE of each sample, √(e(1 − e)/N), where e is the mean of both estimates."""
    mean = errors.mean(axis=-1)
    return np.asarray(np.sqrt(mean * (1 - mean) / size))


def _power_function(x: Sequence[float], y: Sequence[float]) -> tuple[float, float, float]:
    """Return exponent and factor of a power function fitted to logarithms, and R²."""
    power, offset = np.polyfit(np.log(x), np.log(y), 1)
    return float(power), float(np.exp(offset)), float(np.corrcoef(np.log(x), np.log(y))[0, 1] ** 2)


# --- Figure 7 --------------------------------------------------------------------------------------


def figure_7(run: Run) -> Shown:
    """Compare the estimated difference of one sample with the true difference of its two classifiers."""
    estimates = one_cell(run, 100, "40")
    truth = difference(estimates["TER"])
    x = {name: difference(estimates[name]) for name in ("LOO", "LOO*", "10-CV")}
    return Shown(
        lines=(
            *_true_difference(run),
            *_count_untrustworthy(truth, x),
            *_star_series(truth, x, estimates["LOO*"]),
            _ten_fold_series(truth, x),
        ),
        pictures=(
            plotted(
                "Differences of 20 samples, N = 100, inherent error 40%",
                "Estimated against true difference of 3-NN and 1-NN in 20 samples: leave-one-out and LOO* vary widely,"
                " with no visible slope.",
                [Series(name, 100 * truth[:ETA], 100 * x[name][:ETA], "points") for name in ("LOO", "LOO*")],
                x="true difference, pp",
                y="estimated difference, pp",
                across=(0.0,),
                upright=(0.0,),
                beside=True,
            ),
        ),
        notes=(
            "Each mark is one sample of 100 examples: the horizontal axis is the true error of its 3-NN classifier less"
            " that of its 1-NN classifier, the vertical axis an estimate of this difference from the sample. In the"
            " upper left and lower right quadrants the estimate favours the wrong rule.",
            "Poorly correlated means a correlation below 0.5, apt to have the wrong sign more than one time in ten."
            " LOO* is our interpretation (see Table 12).",
        ),
    )


def _true_difference(run: Run) -> list[Line]:
    t = t_at_100(run)
    return [
        claimed(
            "the true difference",
            "the true difference at N = 100 and 40% is negative and significant at the 95% level",
            t["40"].mean() < -CRITICAL,
            f"t over 20 samples is {t['40'].mean():.1f} on average, beyond −{CRITICAL} in"
            f" {100 * (t['40'] < -CRITICAL).mean():.0f}% of the experiments",
        ),
        claimed(
            "the strongest",
            "the true difference is strongest at 40%",
            min(t, key=lambda rate: t[rate].mean()) == "40",
            f"t on average: {listed({f'{rate}%': each.mean() for rate, each in t.items()})}",
            reason="The paper's own Table 10 disagrees: −9.0 at 10% and −7.3 at 25%, but −3.5 at 40%.",
        ),
    ]


def _count_untrustworthy(truth: Numbers, x: dict[str, Numbers]) -> list[Line]:
    correlation = {name: float(np.corrcoef(each, truth)[0, 1]) for name, each in x.items()}
    reverse = {name: 100 * float((each * truth < 0).mean()) for name, each in x.items()}
    return [
        claimed(
            "correlation",
            "estimated and true difference are poorly correlated",
            max(correlation.values()) < 0.5,
            ", ".join(f"{name} {value:.2f}" for name, value in correlation.items()),
        ),
        claimed(
            "signs",
            "the estimated difference is apt to have the wrong sign",
            min(reverse.values()) > 10,
            f"reversed in {', '.join(f'{value:.0f}% ({name})' for name, value in reverse.items())} of {truth.size:,}"
            " samples",
        ),
    ]


def _star_series(truth: Numbers, x: dict[str, Numbers], errors: Numbers) -> list[Line]:
    """Return the claims about LOO*: its standard deviation, signs and size, and SE as an estimate of its variance."""
    spread = {name: float(each.std(ddof=1)) for name, each in x.items()}
    off = {name: float(rms(each - truth)) for name, each in x.items()}
    fewer = Measured.mean(100.0 * ((x["LOO"] * truth < 0).astype(float) - (x["LOO*"] * truth < 0)))
    se = float(rms(_binomial_error(errors, 100))) / spread["LOO*"]
    away = Measured(abs(se - 1) - 0.1, se / math.sqrt(2 * truth.size))
    return [
        claimed(
            "LOO* and spread",
            "LOO* is less variable than LOO",
            spread["LOO*"] < spread["LOO"],
            f"standard deviation {spread['LOO*']:.3f} against {spread['LOO']:.3f}; that of the true difference is"
            f" {truth.std(ddof=1):.3f}",
        ),
        claimed(
            "LOO* and signs",
            "LOO* is less likely to reverse the sign than LOO",
            fewer.not_negative,
            f"LOO reverses more signs, in pp: {fewer.description}",
        ),
        claimed(
            "LOO* and size",
            "LOO* is less likely to be grossly wrong as to the magnitude than LOO or 10-CV",
            off["LOO*"] < min(off["LOO"], off["10-CV"]),
            "root mean square of estimated minus true difference: "
            + ", ".join(f"{value:.3f} ({name})" for name, value in off.items()),
        ),
        claimed(
            "SE and LOO*",
            "SE is not an appropriate estimate of the variance of LOO*",
            away.not_negative,
            f"rms SE is {se:.2f} ± {away.error:.2f} of the standard deviation (threshold: 0.1 away from 1, within the"
            " error); the footnote omits the square root of SE",
        ),
    ]


def _ten_fold_series(truth: Numbers, x: dict[str, Numbers]) -> Line:
    """Return how 10-CV compares with LOO; as they are close, only four standard errors count as a contradiction."""
    spread = {name: float(each.std(ddof=1)) for name, each in x.items()}
    correlation = {name: float(np.corrcoef(each, truth)[0, 1]) for name, each in x.items()}
    gap = _variance_gap(x["10-CV"], x["LOO"])
    verdict = "shown" if gap > 4 else "not contradicted" if gap > -4 else "contradicted"
    return claimed(
        "10-CV and LOO",
        "10-CV is even more variable than LOO, and less correlated with the truth",
        gap > -4,
        f"{verdict} by {truth.size:,} samples: standard deviation {spread['10-CV']:.4f} against {spread['LOO']:.4f} (z"
        f" = {gap:.1f}); correlation {correlation['10-CV']:.2f} against {correlation['LOO']:.2f}",
        reason="For this difference of two rules it is slightly less variable. The paper had 20 samples.",
    )


def _variance_gap(one: Numbers, other: Numbers) -> float:
    """Return the difference of two variances from the same samples, in standard errors."""
    gap = (one - one.mean()) ** 2 - (other - other.mean()) ** 2
    return float(gap.mean() / (gap.std(ddof=1) / math.sqrt(gap.size)))
