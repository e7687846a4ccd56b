"""From a plan to its splits: which examples are trained on, and which are tested, split by split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence.plan import KNOWN, Plan, as_plan
from ..typing_ import IntArray, as_generator
from .given import Grid, given_splits

_MOST_PLACES = 1_000_000_000  # of examples in all splits together: 8 bytes each, and several races have room for that
_MOST_FITS = 10_000_000


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: arrays have no single ==
class Split:
    """One training set and one test set, as places of examples, and where in a plan they belong.

    Parameters
    ----------
    part
        "" for the plan itself, else what it is laid out for besides: "apparent", "pairs", "train x 0.5".
    replicate, fold
        The place in the part's grid.
    train, test
        The places of the examples; a bootstrap sample has some of them twice.
    """

    part: str
    replicate: int
    fold: int
    train: IntArray
    test: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """All splits of a plan, in the order in which they are run.

    Parameters
    ----------
    plan
        The plan itself.
    splits
        Its own splits and those of its parts.
    plans
        The plan of every part, by its name.

    Examples
    --------
    >>> layout = lay_out("5x2", None, [0, 0, 0, 1, 1, 1, 1, 1])
    >>> layout.plan.name, len(layout.splits), len(layout.splits[0].test)
    ('5x2', 10, 4)
    """

    plan: Plan
    splits: tuple[Split, ...]
    plans: Mapping[str, Plan]

    def places(self, part: str = "") -> list[int]:
        """Return which of the splits belong to a part, in order."""
        return [place for place, split in enumerate(self.splits) if split.part == part]


def lay_out(
    plan: Any,
    X: Any,  # noqa: N803  # scikit-learn's name for it
    y: Any,
    *,
    groups: Any = None,
    stratify: bool = True,
    learning_curve: Sequence[float] = (),
    rng: Any = 0,
) -> Layout:
    """Return the splits of a plan for these examples.

    Parameters
    ----------
    plan
        A plan or its name ("10x10"); several of them, of which the first is the plan and the others are parts;
        a splitter of scikit-learn's kind; or pairs of training and test indices (or masks).
    X
        The examples, for splitters that look at them; may be None else.
    y
        Their labels.
    groups
        What examples belong to the same group; a group is never divided between training and test set.
    stratify
        Whether every set shall have the classes in the same shares, as nearly as can be.
    learning_curve
        At which shares of every training set the plan is repeated, such as (0.5, 0.75).
    rng
        A seed or a generator. Replicates draw from streams of their own: those of "10x10" are the
        first of "20x10".

    Examples
    --------
    >>> layout = lay_out("holdout(3/4)", None, ["a"] * 4 + ["b"] * 4)
    >>> [int(split.train.size) for split in layout.splits]
    [6]
    >>> lay_out([([0, 1], [2, 3]), ([2, 3], [0, 1])], None, [0, 1, 0, 1]).plan.name
    '2-fold'
    """
    examples = Examples.of(X, y, groups, stratify=stratify)
    plans = _listed(plan)
    curve_stream, *streams = as_generator(rng).spawn(1 + len(plans))
    parts: dict[str, Plan] = {}
    splits: list[Split] = []
    for place, (each, stream) in enumerate(zip(plans, streams, strict=True)):
        for name, laid, some in _part(each, examples, stream, first=place == 0):
            if name in parts:  # two plans may both need the same, such as "apparent"
                continue
            parts[name] = laid
            splits += (Split(name, *split) for split in some)
    main = [split for split in splits if not split.part]
    for share, shortened in _curve(main, learning_curve, examples, curve_stream):
        parts[f"train x {share:g}"] = _simply(parts[""], f"train x {share:g}")
        splits += shortened
    return Layout(parts.pop(""), tuple(splits), parts)


def refuse_endless(layout: Layout, *, learners: int, seeds: int) -> None:
    """Refuse more fits than anybody could wait for, or keep.

    Examples
    --------
    >>> refuse_endless(lay_out("2-fold", None, [0, 1, 0, 1]), learners=2, seeds=10**9)
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: a race must have at most 10000000 fits, but 2 learners, 2 splits and 1000000000 seeds make 4000000000. Take fewer.
    """  # noqa: E501  # a message is one line
    fits = learners * len(layout.splits) * seeds
    if fits > _MOST_FITS:
        raise InvalidOption(
            f"a race must have at most {_MOST_FITS} fits, but {learners} learners, {len(layout.splits)} splits and"
            f" {seeds} seeds make {fits}. Take fewer."
        )


# --- What is divided ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """The examples as far as plans need them: how many, of which strata and which groups."""

    X: Any
    y: Any
    count: int
    strata: IntArray  # all 0 if the plan is not stratified
    groups: IntArray | None  # codes
    named_groups: Any  # as they were given

    @classmethod
    def of(cls, X: Any, y: Any, groups: Any, *, stratify: bool) -> Examples:  # noqa: N803
        """Return the examples as codes of label and group."""
        codes = _codes("y", y)
        if codes.size < 2:
            raise InvalidEvidence(f"two examples are the least that can be divided, but y has {codes.size}.")
        together = None if groups is None else _codes("groups", groups)
        if together is not None and together.size != codes.size:
            raise InvalidEvidence(f"groups must be one for each of {codes.size} examples, but are {together.size}.")
        strata = codes if stratify else np.zeros_like(codes)
        return cls(X, y, codes.size, strata, together, groups)

    @property
    def units(self) -> int:
        """How many there are that may be put into different sets."""
        return self.count if self.groups is None else int(self.groups.max()) + 1

    def among(self, places: IntArray) -> Examples:
        """Return some of the examples, as if there were no others."""
        groups = None if self.groups is None else np.unique(self.groups[places], return_inverse=True)[1]
        return Examples(None, None, places.size, self.strata[places], groups, None)


def _codes(name: str, values: Any) -> IntArray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidEvidence(f"{name} must have one value for each example, but has shape {array.shape}.")
    try:
        codes: IntArray = np.unique(array, return_inverse=True)[1].astype(np.int64)
    except TypeError:
        raise InvalidEvidence(f"{name} must hold values of one kind, but they cannot be put in order.") from None
    return codes


def _listed(plan: Any) -> list[Any]:
    """Return the plans that are asked for, the first of them the main one."""
    if isinstance(plan, Plan | str) or hasattr(plan, "split"):
        return [plan]
    if not isinstance(plan, Iterable):
        raise InvalidOption(f"plan must be a name, a splitter or pairs of indices, but is {plan!r}. {KNOWN}")
    given = list(plan)
    if not given:
        raise InvalidOption(f"plan must hold at least one split, but is empty. {KNOWN}")
    named = [isinstance(each, Plan | str) or hasattr(each, "split") for each in given]
    if all(named):
        return given
    if any(named):
        raise InvalidOption("plan must hold names or pairs of indices, but holds both.")
    if len(given) == 2 and all(isinstance(each, np.ndarray) and each.ndim == 1 for each in given):
        given = [tuple(given)]  # one pair, handed in as it is
    return [given]


# --- Parts of a plan ------------------------------------------------------------------------------

Part = tuple[str, Plan, Grid]


def _part(plan: Any, examples: Examples, stream: np.random.Generator, *, first: bool) -> Iterator[Part]:
    """Yield the splits of a plan under its name ("" for the first), and those of what it needs besides."""
    if not isinstance(plan, Plan | str):
        found, grid = given_splits(plan, examples, stream)
        yield "" if first else found.name, found, grid
        return
    laid = as_plan(plan)
    if laid.folds == 0:
        leaves_groups = examples.groups is not None and laid.kind == "k-fold"
        laid = replace(laid, folds=examples.units, name="leave-one-group-out" if leaves_groups else laid.name)
    splits = laid.replicates * max(laid.folds, 1)
    if splits * examples.count > _MOST_PLACES:
        raise InvalidOption(
            f"plan {laid.name!r} has {splits} splits of {examples.count} examples, which no memory holds. Take fewer."
        )
    name = "" if first else str(plan)
    own, besides = stream.spawn(2)
    grid = _GRIDS.get(laid.kind, _nowhere)(laid, examples, own)
    yield name, laid, grid
    inside = f"{name}/" if name else ""
    if laid.kind in {"bootstrap", "loo-star"}:
        yield "apparent", *_apparent(examples)
    if laid.kind == "nested":
        yield f"{inside}pairs", *_pairs(laid, grid)
    elif laid.kind == "halves":
        yield f"{inside}halves", *_halves(laid, examples, besides)
    elif laid.kind == "loo-star":
        for part, child in zip(("632", "2-fold*100"), besides.spawn(2), strict=True):
            other = Plan.parse(part)
            yield f"{inside}{part}", other, _GRIDS[other.kind](other, examples, child)


def _folds(plan: Plan, examples: Examples, stream: np.random.Generator) -> Grid:
    units, of = examples.units, "examples" if examples.groups is None else "groups"
    if units < plan.folds:
        raise InvalidEvidence(
            f"plan {plan.name!r} needs at least {plan.folds} {of}, but there are {units}. Take fewer folds."
        )
    grid: Grid = []
    for replicate, rng in enumerate(stream.spawn(plan.replicates)):
        fold = _assigned(examples, plan.folds, rng)
        for number in range(plan.folds):
            tested = fold == number
            grid.append((replicate, number, np.flatnonzero(~tested), np.flatnonzero(tested)))
    return grid


def _assigned(examples: Examples, folds: int, rng: np.random.Generator) -> IntArray:
    """Return the fold of each example: every stratum dealt out evenly."""
    fold = np.empty(examples.count, dtype=np.int64)
    if examples.groups is None:
        fold[_in_strata(examples.strata, rng)] = np.arange(examples.count) % folds
        return fold
    return _dealt_groups(examples, folds, rng)[examples.groups]


def _in_strata(strata: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the places of all examples in random order, stratum after stratum."""
    order = rng.permutation(strata.size)
    return order[np.argsort(strata[order], kind="stable")]


def _dealt_groups(examples: Examples, folds: int, rng: np.random.Generator) -> IntArray:
    """Return the fold of each group: the largest first, each to the fold that has least of its strata."""
    groups = np.asarray(examples.groups)
    members = np.zeros((examples.units, int(examples.strata.max()) + 1))
    np.add.at(members, (groups, examples.strata), 1)
    sizes = members.sum(axis=1)
    order = rng.permutation(examples.units)
    order = order[np.argsort(-sizes[order], kind="stable")]
    weights = members / np.maximum(members.sum(axis=0), 1) ** 2
    held, size = np.zeros((folds, members.shape[1])), np.zeros(folds)
    fold = np.empty(examples.units, dtype=np.int64)
    for group in order:
        crowded = held @ weights[group]
        least = np.flatnonzero(crowded <= crowded.min() * (1 + 1e-9))
        chosen = least[np.argmin(size[least])]  # so that no fold stays empty
        fold[group] = chosen
        held[chosen] += members[group]
        size[chosen] += sizes[group]
    return fold


def _random(plan: Plan, examples: Examples, stream: np.random.Generator) -> Grid:
    _trainable(plan, examples)
    streams = stream.spawn(plan.folds if plan.kind == "halves" else plan.replicates)
    return [(replicate, 0, *_divided(examples, plan.share, rng)) for replicate, rng in enumerate(streams)]


def _trainable(plan: Plan, examples: Examples) -> None:
    """Refuse a share that leaves nothing to train on or to test."""
    if not 0 < round(plan.share * examples.count) < examples.count or examples.units < 2:
        raise InvalidEvidence(
            f"plan {plan.name!r} leaves nothing to train on or to test of {examples.count} examples. Take another"
            " share."
        )


def _divided(examples: Examples, share: float, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Divide the examples at random: exactly this share for training, or as near to it as groups allow."""
    size = min(max(round(share * examples.count), 1), examples.count - 1)
    trained = np.zeros(examples.count, dtype=bool)
    if examples.groups is None:
        trained[_drawn(examples.strata, size, rng)] = True
    else:
        order = rng.permutation(examples.units)
        reached = np.cumsum(np.bincount(examples.groups)[order])
        taken = 1 + int(np.argmin(np.abs(reached[:-1] - size)))
        trained = np.isin(examples.groups, order[:taken])
    return np.flatnonzero(trained), np.flatnonzero(~trained)


def _drawn(strata: IntArray, size: int, rng: np.random.Generator) -> IntArray:
    """Return the places of exactly so many examples; of each stratum its share, give or take one."""
    order, start = _in_strata(strata, rng), rng.integers(strata.size)
    steps = (np.arange(strata.size + 1) * size + start) // strata.size  # every whole step takes one
    return order[np.diff(steps) > 0]


def _bootstrap(plan: Plan, examples: Examples, stream: np.random.Generator) -> Grid:
    if examples.units < 2:
        raise InvalidEvidence(f"plan {plan.name!r} needs at least two groups, but there is one.")
    return [(replicate, 0, *_sampled(examples, rng)) for replicate, rng in enumerate(stream.spawn(plan.replicates))]


def _sampled(examples: Examples, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Draw as many as there are with replacement (Efron's sample, not stratified); test what was left out."""
    while True:
        drawn = rng.integers(examples.units, size=examples.units)
        often = np.bincount(drawn, minlength=examples.units)
        if (often == 0).any():
            break
    times = often if examples.groups is None else often[examples.groups]
    return np.repeat(np.arange(examples.count), times), np.flatnonzero(times == 0)


def _delve(plan: Plan, examples: Examples, stream: np.random.Generator) -> Grid:
    needed = plan.replicates * plan.size
    if examples.groups is not None:
        raise InvalidOption(f"plan {plan.name!r} has training sets of one size, which groups do not allow.")
    if needed >= examples.count:
        raise InvalidEvidence(
            f"plan {plan.name!r} trains on {needed} examples, which leaves no test set of {examples.count}. Take fewer"
            " or smaller training sets."
        )
    chosen = _drawn(examples.strata, needed, stream)
    rest = np.setdiff1d(np.arange(examples.count), chosen)
    return [(place, 0, np.sort(chosen[place :: plan.replicates]), rest) for place in range(plan.replicates)]


def _everything(plan: Plan, examples: Examples, stream: np.random.Generator) -> Grid:  # noqa: ARG001
    return _apparent(examples)[1]


def _nowhere(plan: Plan, examples: Examples, stream: np.random.Generator) -> Grid:  # noqa: ARG001
    remedy = "plan='holdout' with seeds= repeats a fit" if plan.kind == "seeds" else "call race once for each sample"
    raise InvalidOption(f"plan {plan.name!r} is for scores that were computed elsewhere; {remedy}.")


_GRIDS = {
    "k-fold": _folds,
    "nested": _folds,
    "loo-star": _folds,
    "random": _random,
    "halves": _random,
    "bootstrap": _bootstrap,
    "delve": _delve,
    "apparent": _everything,
}


def _apparent(examples: Examples) -> tuple[Plan, Grid]:
    everything = np.arange(examples.count)
    return Plan.parse("apparent"), [(0, 0, everything, everything)]


def _pairs(plan: Plan, folds: Grid) -> tuple[Plan, Grid]:
    """Return a split for every two folds of a replicate: trained on the others, tested on both.

    One fit serves both inner cross-validations: with fold j for the one inside the training set
    of fold k, and with fold k for that of fold j (Bates, Hastie and Tibshirani's nested scheme).
    """
    if plan.folds < 3:
        raise InvalidOption(
            f"plan {plan.name!r} leaves nothing to train on inside a training set. Take 3 folds or more."
        )
    ones, others = np.triu_indices(plan.folds, 1)
    grid: Grid = []
    for replicate in range(plan.replicates):
        tests = [test for row, _, _, test in folds if row == replicate]
        everything = np.arange(sum(test.size for test in tests))
        for number, (one, other) in enumerate(zip(ones, others, strict=True)):
            both = np.sort(np.concatenate([tests[one], tests[other]]))
            grid.append((replicate, number, np.setdiff1d(everything, both, assume_unique=True), both))
    return Plan("pairs", "splits", plan.replicates, ones.size), grid


def _halves(plan: Plan, examples: Examples, stream: np.random.Generator) -> tuple[Plan, Grid]:
    """Return random splits of each of two halves, again and again."""
    grid: Grid = []
    for replicate, rng in enumerate(stream.spawn(plan.replicates)):
        for half, places in enumerate(_divided(examples, 0.5, rng)):
            inside = examples.among(places)
            _trainable(plan, inside)
            for number in range(plan.folds):
                train, test = _divided(inside, plan.share, rng)
                grid.append((replicate, half * plan.folds + number, places[train], places[test]))
    return Plan("halves", "halves", plan.replicates, 2 * plan.folds, plan.share), grid


# --- Learning curves ------------------------------------------------------------------------------


def _curve(
    main: Sequence[Split], shares: Sequence[float], examples: Examples, stream: np.random.Generator
) -> Iterator[tuple[float, list[Split]]]:
    """Yield the plan at each share of its training sets, the larger holding the smaller, on the same test sets."""
    wanted = [shares] if isinstance(shares, int | float) else list(shares)
    for share in wanted:
        if not (isinstance(share, int | float) and 0 < share < 1):
            raise InvalidOption(f"learning_curve must hold shares between 0 and 1, such as 0.5, but has {share!r}.")
    if not wanted:
        return
    streams, now = stream.spawn(len(main)), [split.train for split in main]
    for share in sorted(set(wanted), reverse=True):
        some = []
        for place, (split, rng) in enumerate(zip(main, streams, strict=True)):
            size = max(round(share * split.train.size), 1)
            now[place] = np.sort(now[place][_drawn(examples.strata[now[place]], size, rng)])
            some.append(Split(f"train x {share:g}", split.replicate, split.fold, now[place], split.test))
        yield share, some


def _simply(plan: Plan, name: str) -> Plan:
    """Return a plan without what it holds besides."""
    if plan.kind == "halves":
        return Plan(name, "random", plan.folds, 1, plan.share)
    kinds: dict[str, Any] = {"nested": "k-fold", "loo-star": "k-fold"}
    return replace(plan, name=name, kind=kinds.get(plan.kind, plan.kind))
