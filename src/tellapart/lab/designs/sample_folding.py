"""From samples to evidence: splitting, training and testing of many samples at once.

The losses are those that `race` would find on the same splits. Plans whose evidence has parts (a bootstrap beside the
apparent error, a cross-validation inside another) are laid out and folded by the race's own code, sample by sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import InvalidOption
from ...evidence import PairedTable, Plan, Resamples, TrainingSets
from ...running.fit import Fit
from ...running.plans import lay_out
from ...running.record import Race
from ...typing_ import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from ..inducers.batched import Inducer
    from ..populations.base import Population

_NAMES = ("A", "B")
PARTS = ("bootstrap", "apparent", "nested", "halves", "loo-star")  # plans that a race folds, sample by sample


class Losses(NamedTuple):
    """The losses on the splits of many samples, and the sizes of the sets."""

    wrong: list[BoolArray]  # of each group of splits: learner, sample, split, test example
    grid: list[IntArray]  # of each group, the places of its splits in a grid of replicates by folds
    shape: tuple[int, int]  # replicates, folds
    test: FloatArray
    train: FloatArray

    def resamples(self, plan: Plan, examples: int, names: Sequence[str] = _NAMES) -> Resamples:
        """Return the losses by learner, repeat and fold, and the joint errors of learners."""
        learners, trials = self.wrong[0].shape[:2]
        runs = self.shape[0] * self.shape[1]
        together = np.empty((trials, learners, learners, runs))
        for wrong, places in zip(self.wrong, self.grid, strict=True):
            for one in range(learners):
                for other in range(one, learners):
                    both = wrong[one] if one == other else wrong[one] & wrong[other]
                    together[:, one, other, places] = together[:, other, one, places] = both.sum(axis=-1)
        together = together.reshape(trials, learners, learners, *self.shape)
        own = np.einsum("tiirk->tirk", together)
        return Resamples(
            loss=own / self.test,
            test=self.test,
            train=self.train,
            plan=plan,
            learners=tuple(names[:learners]),
            together=together,
            examples=examples,
        )

    def paired_table(self) -> PairedTable:
        """Return the paired table of the only test set."""
        a, b = self.wrong[0][:, :, 0]
        only_a, only_b, both = (some.sum(axis=-1) for some in (a & ~b, b & ~a, a & b))
        return PairedTable(both, only_a, only_b, a.shape[-1] - both - only_a - only_b)

    def training_sets(self) -> TrainingSets:
        """Return the loss on every test example for every training set."""
        wrong = np.moveaxis(self.wrong[0], 0, 1).astype(float)
        return TrainingSets(wrong, learners=_NAMES[: wrong.shape[1]], trained_on=int(self.train[0, 0]))


# --- Which examples are trained on ----------------------------------------------------------------


def with_folds(plan: Plan, examples: int) -> Plan:
    """Return a plan with the number of folds filled in by the number of examples, if it is open."""
    return plan if plan.folds else replace(plan, folds=examples)


def sizes(plan: Plan, examples: int) -> IntArray:
    """Return the sizes of the training sets; raise InvalidOption if the plan has none.

    A bootstrap and the apparent error estimate the error after training on all examples, and a nested cross-validation
    is corrected for that size.

    Examples
    --------
    >>> sizes(Plan.parse("3-fold"), 100)
    array([66, 67, 67])
    >>> sizes(Plan.parse("632"), 100)
    array([100])
    """
    counts = np.array([examples])
    if plan.kind == "k-fold":
        folds = plan.folds or examples
        tested = (examples - np.arange(folds) + folds - 1) // folds
        counts = examples - tested
        if folds > examples:
            raise InvalidOption(f"plan {plan.name!r} needs at least {folds} examples, got {examples}.")
    elif plan.kind in {"random", "halves"}:
        counts = np.array([round(plan.share * examples)])
    elif plan.kind == "delve":
        counts = np.array([plan.size])
    elif plan.kind in {"seeds", "splits"}:
        raise InvalidOption(f"plan {plan.name!r} has no training sets to draw. Use another plan.")
    if counts.min() < 1 or (plan.kind in {"random", "halves"} and counts.max() >= examples):
        raise InvalidOption(f"plan {plan.name!r} leaves no training or no test set of {examples} examples.")
    return counts


Group = tuple[IntArray, IntArray, IntArray]  # places in the grid; training and test examples by sample and split


def divided(plan: Plan, y: IntArray, rng: np.random.Generator, *, stratify: bool) -> Iterator[Group]:
    """Yield the training and test examples of many samples, grouped by equal sizes.

    Examples
    --------
    >>> groups = divided(Plan.parse("5x2"), np.zeros((3, 10), dtype=int), np.random.default_rng(0), stratify=False)
    >>> [(places.tolist(), train.shape, test.shape) for places, train, test in groups]
    [([0, 2, 4, 6, 8], (3, 5, 5), (3, 5, 5)), ([1, 3, 5, 7, 9], (3, 5, 5), (3, 5, 5))]
    """
    examples = y.shape[-1]
    places = np.arange(examples)
    if plan.kind == "k-fold":
        order = _shuffle_examples(y, plan.replicates, rng, stratify=stratify)
        for fold in range(plan.folds):
            grid = np.arange(plan.replicates) * plan.folds + fold
            yield grid, order[..., places % plan.folds != fold], order[..., fold :: plan.folds]
    elif plan.kind == "random":
        order, trained = _draw_orders(y, plan.replicates, int(sizes(plan, examples)[0]), rng, stratify=stratify)
        yield np.arange(plan.replicates), order[..., :trained], order[..., trained:]
    else:
        order, trained = _draw_orders(y, 1, plan.replicates * plan.size, rng, stratify=stratify)
        train = order[:, 0, :trained].reshape(len(y), plan.size, plan.replicates).swapaxes(1, 2)
        test = np.broadcast_to(order[..., trained:], (*train.shape[:2], examples - trained))
        yield np.arange(plan.replicates), train, test


def _shuffle_examples(y: IntArray, times: int, rng: np.random.Generator, *, stratify: bool) -> IntArray:
    """Return random permutations of the examples of each sample, stratified by class."""
    shape = (len(y), times, y.shape[-1])
    if not stratify:
        return rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    return np.argsort(y[:, None, :] + rng.random(shape), axis=-1)


def _draw_orders(
    y: IntArray, times: int, size: int, rng: np.random.Generator, *, stratify: bool
) -> tuple[IntArray, int]:
    """Return permutations whose first examples are a random, if requested stratified, sample."""
    order, examples = _shuffle_examples(y, times, rng, stratify=stratify), y.shape[-1]
    if stratify:
        start = rng.integers(examples, size=(len(y), times, 1))
        steps = (np.arange(examples + 1) * size + start) // examples  # every whole step takes one
        taken = np.diff(steps, axis=-1) > 0
        order = np.take_along_axis(order, np.argsort(~taken, axis=-1, kind="stable"), axis=-1)
    return order, size


# --- Training and testing -------------------------------------------------------------------------


def losses_of(
    inducers: Sequence[Inducer],
    X: FloatArray,  # noqa: N803
    y: IntArray,
    groups: Iterator[Group],
    grid: tuple[int, int],
) -> Losses:
    """Return the losses of every learner trained on every training set.

    `X` and `y` hold samples along their first dimension.
    """
    wrong, places, test, train = [], [], np.empty(grid), np.empty(grid)
    offset = (np.arange(len(y)) * y.shape[-1])[:, None, None]
    flat_x, flat_y = X.reshape(-1, X.shape[-1]), y.reshape(-1)
    for where, trained, tested in groups:
        known, seen = trained + offset, tested + offset
        learnt, labels = flat_x.take(known, axis=0), flat_y.take(known)
        test_rows, truth = flat_x.take(seen, axis=0), flat_y.take(seen)
        wrong.append(np.stack([inducer.fit(learnt, labels).predict(test_rows) != truth for inducer in inducers]))
        places.append(where)
        test.flat[where], train.flat[where] = tested.shape[-1], trained.shape[-1]
    return Losses(wrong, places, grid, test, train)


def fresh(inducers: Sequence[Inducer], train: Any, test: Any) -> Losses:
    """Return the losses on sets drawn for each round, by sample and round."""
    (X, y), (seen, truth) = train, test  # noqa: N806
    wrong = np.stack([inducer.fit(X, y).predict(seen) != truth for inducer in inducers])
    grid = (y.shape[1], 1)
    return Losses([wrong], [np.arange(y.shape[1])], grid, np.full(grid, truth.shape[-1]), np.full(grid, y.shape[-1]))


def true_scores(
    inducers: Sequence[Inducer], population: Population, shape: tuple[int, int], examples: int, rng: np.random.Generator
) -> Resamples:
    """Return the true errors as losses for training sets drawn for each round, by sample and round."""
    X, y = population.draw(shape, examples, rng)  # noqa: N806
    loss = np.stack([population.true_error(inducer.fit(X, y)) for inducer in inducers], axis=1)[..., None]
    learners = _NAMES[: len(inducers)]
    test, train = np.array(np.nan), np.array(float(examples))  # no test set, but the population
    return Resamples(loss, test, train, Plan.parse("independent"), learners)


# --- Plans whose evidence has parts ---------------------------------------------------------------


def raced(
    inducers: Sequence[Inducer],
    X: FloatArray,  # noqa: N803
    y: IntArray,
    plan: Plan,
    classes: int,
    rng: np.random.Generator,
    *,
    stratify: bool,
) -> Resamples:
    """Return the results of a plan on each sample; training sets of one size are fitted together."""
    layout = lay_out(plan, None, y, stratify=stratify, rng=rng)
    by_size: dict[int, list[int]] = {}
    for index, split in enumerate(layout.splits):
        by_size.setdefault(split.train.size, []).append(index)
    fits: list[Fit] = []
    for places in by_size.values():
        splits = [layout.splits[index] for index in places]
        train = np.stack([split.train for split in splits])
        test = np.zeros((len(splits), max(split.test.size for split in splits)), dtype=np.int64)
        for row, split in enumerate(splits):
            test[row, : split.test.size] = split.test
        for name, inducer in zip(_NAMES, inducers, strict=False):
            predictions = inducer.fit(X[train], y[train]).predict(X[test])
            fits += (
                Fit(name, index, 0, predictions[row, : split.test.size], None, 0.0, None)
                for row, (index, split) in enumerate(zip(places, splits, strict=True))
            )
    return Race(_NAMES[: len(inducers)], layout, y, tuple(range(classes)), fits).resamples()


def stacked(resamples: list[Resamples]) -> Resamples | list[Resamples]:
    """Return the evidence of single samples as one if their sets have the same sizes, else the list.

    Examples
    --------
    >>> one = Resamples.from_scores([0.9, 0.8], plan="2-fold", examples=20)
    >>> stacked([one, one, one]).shape
    (3,)
    """
    first = resamples[0]
    if not all(_same_layout(first, other) for other in resamples[1:]):
        return resamples
    parts: dict[str, Resamples] = {}
    for name in first.parts:
        part = stacked([each.parts[name] for each in resamples])
        if isinstance(part, list):
            return resamples
        parts[name] = part
    together = None if first.together is None else np.stack([each.joint for each in resamples])
    return replace(first, loss=np.stack([each.loss for each in resamples]), together=together, parts=parts)


def _same_layout(one: Resamples, other: Resamples) -> bool:
    """Return whether two have the same plan, sizes and parts."""
    same = one.plan == other.plan and one.parts.keys() == other.parts.keys()
    return bool(same and np.array_equal(one.test, other.test) and np.array_equal(one.train, other.train))
