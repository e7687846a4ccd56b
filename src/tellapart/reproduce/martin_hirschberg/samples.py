"""Populations, samples and estimates of the nearest-neighbour experiments of Martin and Hirschberg (1996).

A cell is a sample size and an inherent error. Results are kept for every sample, so all tables and figures use the same
samples, as in the paper. A is the 3-NN rule and B the 1-NN rule: differences are error(3-NN) − error(1-NN), so a
negative difference means that 3-NN is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

import tellapart as ta
from tellapart import lab

from ..run import Arrays, Cell, Run

Key = tuple[int, str]  # sample size, inherent error in percent as printed
Numbers = NDArray[Any]
Found = dict[Key, dict[str, Numbers]]

SIZES = (10, 20, 30, 50, 100)
INHERENT = ("0.1", "1", "2", "5", "10", "25", "40", "50")
UNEQUAL = INHERENT[:-1]  # at 50% every rule has an error rate of 50%
LARGER: tuple[Key, ...] = tuple((size, inherent) for size in SIZES if size >= 30 for inherent in INHERENT)
ETA = 20  # samples in one of the paper's comparisons
CRITICAL = 2.093  # |t| with 19 degrees of freedom, at 95%
_MANY = 200  # experiments from which a spread is estimated
_LEARNERS = {"3-NN": lab.NearestNeighbours(3), "1-NN": lab.NearestNeighbours(1)}


# --- Measuring -------------------------------------------------------------------------------------


def true_errors(run: Run, sizes: Sequence[int] = SIZES, inherent: Sequence[str] = INHERENT) -> Found:
    """Return the true errors of both rules on many samples, by a formula."""
    samples = _sample_size(run, "samples per cell, true errors", quick=8000)
    cells = [{"N": size, "inherent": rate} for size in sizes for rate in inherent]
    return _by_key(cells, run.cells(measure_true_errors, cells, samples, block=20_000))


def estimated(run: Run) -> Found:
    """Return true errors and resampling estimates of the same samples, in all 40 cells."""
    samples = _sample_size(run, "samples per cell, estimates", quick=50, most=3000)
    cells = [{"N": size, "inherent": rate} for size in SIZES for rate in INHERENT]
    return _by_key(cells, run.cells(measure_estimates, cells, samples, block=200))


def halved(run: Run) -> Found:
    """Return the means of a hundred 2-fold cross-validations; small samples, which vary most, are drawn more often."""
    samples = _sample_size(run, "samples per cell of 10 or 20 examples", quick=400, most=20_000)
    cells = [{"N": size, "inherent": rate} for size in SIZES if size <= 20 for rate in INHERENT]
    return estimated(run) | _by_key(cells, run.cells(measure_halves, cells, samples, block=2000))


def iterated_tens(run: Run) -> Found:
    """Return the results of a hundred 10-fold cross-validations in the 24 cells of 30 examples or more."""
    samples = _sample_size(run, "samples per cell, repeated 10-CV", quick=40, most=2000)
    cells = [{"N": size, "inherent": rate} for size, rate in LARGER]
    return _by_key(cells, run.cells(measure_iterated_tens, cells, samples, block=200))


def one_cell(run: Run, size: int, inherent: str) -> dict[str, Numbers]:
    """Return `estimated` for one cell with more samples, for figures that show single samples."""
    samples = _sample_size(run, "samples of the cell shown", quick=160, most=6000)
    return run.cells(measure_estimates, [{"N": size, "inherent": inherent}], samples, block=200)[0]


def _sample_size(run: Run, what: str, *, quick: int, most: int | None = None) -> int:
    """Return the number of samples, at least that of a quick run, to estimate how experiments vary."""
    size = run.size(ETA, quick=quick, most=most, of=what)
    if size < quick:
        run.sizes[what] = f"{quick:,} (the minimum to estimate how experiments of {ETA} vary)"
    return max(size, quick)


def measure_true_errors(cell: Cell, samples: int, rng: np.random.Generator) -> Arrays:
    """Return the true errors of both rules, trained on samples."""
    return {"TER": _sample_cell(cell, [], samples, rng).true_errors}


def measure_estimates(cell: Cell, samples: int, rng: np.random.Generator) -> Arrays:
    """Return the true errors of both rules, trained on samples, and all resampling estimates."""
    sampled = _sample_cell(cell, ["2x10", "loo-star"], samples, rng)
    twice = sampled.evidence["2x10"]
    # Figure 6a partitions every sample twice, once for each rule; all else uses the first partition for both.
    first = replace(
        twice,
        plan=ta.Plan.parse("10-fold"),
        loss=twice.loss[..., :1, :],
        together=None,
        test=twice.test[:1],
        train=twice.train[:1],
    )
    tens = twice.loss @ (twice.test[0] / cell["N"])  # by sample, rule and partition
    return {
        "TER": sampled.true_errors,
        "LOO": sampled.estimates("loo"),
        "10-CV": tens[..., 0],
        "10-CV apart": np.stack([tens[:, 0, 0], tens[:, 1, 1]], axis=-1),
        "632b": sampled.estimates("632"),
        "LOO*": sampled.estimates("loo-star"),
        "2-CV*": sampled.estimates("iterated-kfold"),
        "SS": _variance_divisor(first, "paired-cv-ss"),
        "S": _variance_divisor(sampled.evidence["2-fold*100"], "iterated-cv-bounds"),
        "t": _find_test("calibrated-t")(sampled.evidence["2-fold*100"]).statistic,
    }


def measure_halves(cell: Cell, samples: int, rng: np.random.Generator) -> Arrays:
    """Return the true errors and the means of a hundred 2-fold cross-validations of samples."""
    sampled = _sample_cell(cell, ["2-fold*100"], samples, rng)
    return {"TER": sampled.true_errors, "2-CV*": sampled.estimates("iterated-kfold")}


def measure_iterated_tens(cell: Cell, samples: int, rng: np.random.Generator) -> Arrays:
    """Return the mean and standard deviation of a hundred paired 10-fold cross-validations of samples."""
    tens = _sample_cell(cell, ["10-fold*100"], samples, rng).evidence["10-fold*100"]
    return {"10-CV*": tens.pooled_losses, "S": _variance_divisor(tens, "iterated-cv-bounds")}


def _sample_cell(cell: Cell, plans: Sequence[str], samples: int, rng: np.random.Generator) -> lab.SampledLearners:
    population = lab.TwoNormals(float(cell["inherent"]) / 100)
    return lab.sample_learners(population, _LEARNERS, cell["N"], plans, samples=samples, rng=rng)


def _by_key(cells: Sequence[Cell], measured: Sequence[dict[str, Numbers]]) -> Found:
    return {(cell["N"], cell["inherent"]): each for cell, each in zip(cells, measured, strict=True)}


def _variance_divisor(resamples: ta.Resamples, method: str) -> Numbers:
    """Return the denominator of a test, SS or S(x): with `against=-1`, t is (difference + 1) divided by it."""
    t = _find_test(method)(resamples, against=-1.0).statistic
    return np.asarray((resamples.difference + 1) / t)


def _find_test(name: str) -> Any:
    (method,) = ta.find_methods(name=name, gives="test", evidence=ta.Resamples)
    return method


# --- Experiments of twenty samples -----------------------------------------------------------------


def experiments(samples: int, seed: int = 0) -> NDArray[np.int64]:
    """Return the indices of the samples of experiments of the paper's size, 20 each, disjoint if there are enough.

    If there are fewer samples, experiments are drawn with replacement. They show how a number of the paper varies; the
    error of our own mean depends on the number of samples.
    """
    if samples >= _MANY * ETA:
        return np.arange(samples // ETA * ETA).reshape(-1, ETA)
    return np.random.default_rng(seed).integers(samples, size=(_MANY, ETA))


class Noise(TypedDict):
    """Standard deviation of a number between experiments of the paper's size, and standard error of our mean."""

    spread: float
    error: float


def noise_of(spread: float, samples: int) -> Noise:
    """Return a standard deviation between experiments, and the standard error of the mean over all samples."""
    return {"spread": spread, "error": spread * (ETA / samples) ** 0.5}


def spread_of(values: Numbers, samples: int) -> Noise:
    """Return the standard deviation of a number between experiments, and the standard error of our mean."""
    return noise_of(float(values.std(ddof=1)), samples)


def counted_over(marks: Numbers, samples: int) -> Noise:
    """Return the standard deviation and error of a count of marks over cells, which are independent."""
    chance = marks.mean(axis=1)
    return noise_of(float((chance * (1 - chance)).sum()) ** 0.5, samples)


def t_of(errors: Numbers, chosen: NDArray[np.int64], method: str = "paired-t") -> tuple[Numbers, Numbers]:
    """Return t and p of the difference in each experiment: `errors` by sample and rule, `chosen` by experiment."""
    loss = np.swapaxes(errors[chosen], -1, -2)[..., None]
    unknown = np.array(np.nan)  # true errors and estimates have no test set
    resamples = ta.Resamples(loss, unknown, unknown, ta.Plan.parse("independent"), tuple(_LEARNERS))
    result = _find_test(method)(resamples)
    return result.statistic, result.pvalue


def t_at_100(run: Run) -> dict[str, Numbers]:
    """Return t of the true errors in experiments of 20 samples of 100 examples, by inherent error."""
    fast = true_errors(run, (100,), UNEQUAL)
    return {rate: t_of(each["TER"], experiments(len(each["TER"])))[0] for (_, rate), each in fast.items()}


def difference(errors: Numbers) -> Numbers:
    """Return error(3-NN) − error(1-NN); 0 if it is a rounding error."""
    differences = errors[..., 0] - errors[..., 1]
    return np.where(np.abs(differences) < 1e-12, 0.0, differences)


def rms(values: Numbers, axis: int = -1) -> Numbers:
    """Return the square root of the mean square."""
    return np.asarray(np.sqrt(np.mean(np.square(values), axis=axis)))


def spread(errors: Numbers) -> float:
    """Return the standard deviation of the difference from sample to sample."""
    return float(difference(errors).std(ddof=1))


def relative(values: Numbers) -> float:
    """Return the standard deviation divided by the root mean square; 0 if all values are 0."""
    level = float(rms(values))
    return float(values.std(ddof=1)) / level if level else 0.0


def listed(values: Mapping[str, float]) -> str:
    """Return a text with numbers by name."""
    return ", ".join(f"{name}: {value:.1f}" for name, value in values.items())
