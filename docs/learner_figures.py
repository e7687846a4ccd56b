"""Measure how often tests of two equal learners reject at alpha = 0.05: `python docs/learner_figures.py`.

It calls the very functions that `compare` calls, on effects that are normal, as the tests suppose. Four tables: the
tests by 5x2cv; quasi-f and its interval by the number of training sets, at the worst of several mixtures of variances;
the two-way bootstrap by the number of seeds; and tests of random splits whose differences are correlated, as those of
overlapping training sets are. A minute.
"""

from __future__ import annotations

from itertools import product

import numpy as np

import tellapart as ta
from tellapart.methods.resamples import corrected_resampled_t, five_by_two_f, five_by_two_t, resampled_t
from tellapart.methods.training_sets import crossed_interval, quasi_f, two_way_bootstrap
from tellapart.types import FloatArray

TRIALS = 20_000
SETS = (2, 3, 4, 5, 8)
ITEMS = 50
# Variance of training sets and of test examples, each for one of what is left: the mean squares' expectations.
MIXTURES = tuple(product((0.0, 0.1, 0.3, 1.0, 10.0), (0.0, 0.5, 3.0)))


def rate(rejected: FloatArray) -> str:
    """Write a share of the trials with its interval."""
    count = ta.ErrorCount(int(np.count_nonzero(rejected)), int(np.size(rejected)))
    limits = ta.estimate(count, method="clopper-pearson").interval
    return f"{count.rate:.4f} ({limits.low:.4f} to {limits.high:.4f})"


def differences(values: FloatArray, plan: str) -> ta.Resamples:
    """Return evidence whose differences are these values."""
    return ta.Resamples.from_scores(
        values, np.zeros_like(values), plan=plan, metric="loss", greater_is_better=False, examples=300
    )


def five_by_two(rng: np.random.Generator) -> None:
    """Ten independent normal differences: the ideal that 5x2cv supposes."""
    held = differences(rng.standard_normal((10 * TRIALS, 10)), "5x2")
    print("5x2cv, ten independent differences: size (95 %, clopper-pearson)")
    for name, test in (("5x2cv-t", five_by_two_t), ("5x2cv-f", five_by_two_f)):
        print(f"{name:>24}  {rate(test(held).pvalue < 0.05)}")
    print(f"{'5x2cv-f beyond 3.025':>24}  {rate(five_by_two_f(held).statistic > 3.025)}")


def overlapping(rng: np.random.Generator) -> None:
    """Differences that are correlated as Nadeau and Bengio suppose: by the share of examples tested."""
    print("\nrandom splits, differences with a correlation of 1/3: size (95 %, clopper-pearson)")
    print("splits  resampled-t                corrected-resampled-t")
    for splits in (10, 30, 100):
        common, own = rng.standard_normal((TRIALS, 1)), rng.standard_normal((TRIALS, splits))
        held = differences(np.sqrt(1 / 3) * common + np.sqrt(2 / 3) * own, f"{splits}x(2/3)")
        sizes = (rate(test(held).pvalue < 0.05) for test in (resampled_t, corrected_resampled_t))
        print(f"{splits:>6}  {'  '.join(sizes)}")


def crossed(rng: np.random.Generator) -> None:
    """Training sets and test examples as crossed random effects on the difference."""
    print(f"\ndisjoint training sets, {ITEMS} test examples, {len(MIXTURES)} mixtures of variances")
    print("training sets  quasi-f: size         crossed-interval: coverage")
    for sets in SETS:
        sizes, covered = [], []
        for of_sets, of_items in MIXTURES:
            noise = rng.standard_normal((TRIALS, sets, ITEMS), dtype=np.float32)
            noise += np.sqrt(of_sets / ITEMS, dtype=np.float32) * rng.standard_normal((TRIALS, sets, 1), np.float32)
            noise += np.sqrt(of_items / sets, dtype=np.float32) * rng.standard_normal((TRIALS, 1, ITEMS), np.float32)
            held = ta.TrainingSets(np.stack([noise, np.zeros_like(noise)], axis=1), metric="loss")
            sizes.append(np.mean(quasi_f(held).pvalue < 0.05))
            covered.append(np.mean(crossed_interval(held).contains(0)))
        print(f"{sets:>13}  {min(sizes):.3f} to {max(sizes):.3f}        {min(covered):.3f} to {max(covered):.3f}")


def seeds(rng: np.random.Generator) -> None:
    """Learners of one error rate whose seeds and examples both matter."""
    print("\nseeds, 100 test examples, 400 trials: size of two-way-bootstrap (95 %, clopper-pearson)")
    for number in (5, 10, 20):
        rejected = []
        for _ in range(400):
            hard = rng.normal(-1, 1, (1, 1, 100)) + rng.normal(0, 0.3, (2, number, 1))
            wrong = rng.random((2, number, 100)) < 1 / (1 + np.exp(-hard))
            held = ta.TrainingSets(wrong, varies="seed")
            rejected.append(two_way_bootstrap(held, resamples=399, rng=rng).pvalue < 0.05)
        print(f"{number:>13}  {rate(np.array(rejected))}")


def main() -> None:
    """Print all four tables."""
    rng = np.random.default_rng(1998)
    five_by_two(rng)
    overlapping(rng)
    crossed(rng)
    seeds(rng)


if __name__ == "__main__":
    main()
