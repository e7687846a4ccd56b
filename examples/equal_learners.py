"""How often do tests find a difference between real learners that are equally good? After Dietterich (1998), section 6.

A decision tree and the nearest neighbour are made equally good by bad weights in the distance, for each size of the
training set. Then four tests are asked whether they differ: where they do not, and where a quarter, half and all of
the gap between the undamaged learners is left open. The data are generated; 200 trials take some minutes.
"""

from __future__ import annotations

import argparse

from sklearn.tree import DecisionTreeClassifier

from tellapart.lab import CurvedRegions, RealLearners, Weighted, calibrate, equalise, fold_correlation

SHARES = (0.25, 0.5, 1.0)


def main() -> None:
    """Make the learners equal; measure size, power, and the correlation of folds."""
    parser = argparse.ArgumentParser(description="Size and power of four tests on real learners made equal.")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--sets", type=int, default=200, help="training sets that errors are averaged over")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    tree, near, population = (
        DecisionTreeClassifier(criterion="entropy"),
        Weighted(direction=(1.0, 0.0)),
        CurvedRegions(),
    )
    equal = equalise(tree, near, population, 300, sets=given.sets)
    print(equal, "\n")
    gap = float(equal.gaps[-1])
    print("Error of the nearest neighbour, damaged less and less, by the size of the training set:")
    for share in (0.0, *SHARES):
        errors = "  ".join(f"{size}: {equal.errors_at(size, share * gap)[1]:.4f}" for size in equal.sizes)
        print(f"λ = {share:<4}  {errors}")
    design = RealLearners(tree, near, population, examples=300, known=equal)
    print("\nSize and power, by the difference after training on 300 examples:")
    found = calibrate(None, design, trials=given.trials, differences=[share * gap for share in SHARES], jobs=given.jobs)
    print(found, "\n\nDifferences of two folds of ten:")
    print(fold_correlation(design, given.trials))


if __name__ == "__main__":
    main()
