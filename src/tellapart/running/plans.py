"""From a cross-validation design to its splits: the training and test examples of each split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence.plan import Plan, as_plan
from ..figures import count_text
from ..typing_ import IntArray, as_generator
from .explicit_splits import Grid, read_explicit_splits

_MOST_INDICES = 1_000_000_000  # of examples in all splits together: 8 bytes each, and several races have room for that
_MOST_FITS = 10_000_000


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: arrays have no single ==
class Split:
    """One training set and one test set, as indices of examples, and their position in a design.

    Parameters
    ----------
    part
        "" for the design itself, otherwise an additional part of it: "apparent", "pairs", "train x 0.5".
    replicate, fold
        The position in the grid of the part.
    train, test
        The indices of the examples; a bootstrap sample has some of them twice.
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
        """Return the indices of the splits of a part, in order."""
        return [index for index, split in enumerate(self.splits) if split.part == part]


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
        A plan or its name ("10x10" is 10 repeats of 10-fold cross-validation); several, of which the first is the
        main plan; a scikit-learn splitter; or pairs of training and test indices (or masks).
    X
        The examples, for splitters that use them; otherwise may be None.
    y
        Their labels.
    groups
        The group of each example; a group is never divided between training and test set.
    stratify
        Whether all sets have the same class shares, as nearly as possible.
    learning_curve
        Shares of the training sets at which the plan is repeated, such as (0.5, 0.75).
    rng
        A seed or a generator. Replicates have independent streams: those of "10x10" are the first of "20x10".

    Examples
    --------
    >>> layout = lay_out("holdout(3/4)", None, ["a"] * 4 + ["b"] * 4)
    >>> [int(split.train.size) for split in layout.splits]
    [6]
    >>> lay_out([([0, 1], [2, 3]), ([2, 3], [0, 1])], None, [0, 1, 0, 1]).plan.name
    '2-fold'
    """
    examples = StratifiedExamples.of(X, y, groups, stratify=stratify)
    plans = _list_plans(plan)
    curve_stream, *streams = as_generator(rng).spawn(1 + len(plans))
    parts: dict[str, Plan] = {}
    splits: list[Split] = []
    for index, (entry, stream) in enumerate(zip(plans, streams, strict=True)):
        for name, laid, grid in _lay_out_parts(entry, examples, stream, first=index == 0):
            if name in parts:  # two plans may both need the same, such as "apparent"
                continue
            parts[name] = laid
            splits += (Split(name, *split) for split in grid)
    main = [split for split in splits if not split.part]
    for share, shortened in _lay_out_learning_curve(main, learning_curve, examples, curve_stream):
        parts[f"train x {share:g}"] = _without_parts(parts[""], f"train x {share:g}")
        splits += shortened
    return Layout(parts.pop(""), tuple(splits), parts)


def refuse_endless(layout: Layout, *, learners: int, seeds: int) -> None:
    """Raise InvalidOption if there are too many fits.

    Examples
    --------
    >>> refuse_endless(lay_out("2-fold", None, [0, 1, 0, 1]), learners=2, seeds=10**9)
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: an experiment must have at most 10,000,000 fits, got 4,000,000,000 (2 learners, 2 \
splits, 1,000,000,000 seeds). Use fewer.
    """
    fits = learners * len(layout.splits) * seeds
    if fits > _MOST_FITS:
        raise InvalidOption(
            f"an experiment must have at most {_MOST_FITS:,} fits, got {fits:,} ({count_text(learners, 'learner')},"
            f" {count_text(len(layout.splits), 'split')}, {count_text(seeds, 'seed')}). Use fewer."
        )


# --- The examples ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class StratifiedExamples:
    """The number of examples, their strata and their groups."""

    X: Any
    y: Any
    count: int
    strata: IntArray  # all 0 if the plan is not stratified
    groups: IntArray | None  # codes
    named_groups: Any  # with their own names

    @classmethod
    def of(cls, X: Any, y: Any, groups: Any, *, stratify: bool) -> StratifiedExamples:  # noqa: N803
        """Return the examples as codes of label and group."""
        codes = _encode_values("y", y)
        if codes.size < 2:
            raise InvalidEvidence(f"`y` must have 2 examples or more, got {codes.size}.")
        group_codes = None if groups is None else _encode_values("groups", groups)
        if group_codes is not None and group_codes.size != codes.size:
            raise InvalidEvidence(
                f"`groups` must have one value for each of {codes.size:,} examples, got {group_codes.size:,}."
            )
        strata = codes if stratify else np.zeros_like(codes)
        return cls(X, y, codes.size, strata, group_codes, groups)

    @property
    def units(self) -> int:
        """The number of examples or groups that may be in different sets."""
        return self.count if self.groups is None else int(self.groups.max()) + 1

    def among(self, places: IntArray) -> StratifiedExamples:
        """Return the examples at some indices."""
        groups = None if self.groups is None else np.unique(self.groups[places], return_inverse=True)[1]
        return StratifiedExamples(None, None, places.size, self.strata[places], groups, None)


def _encode_values(name: str, values: Any) -> IntArray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidEvidence(f"`{name}` must have one value for each example, got shape {array.shape}.")
    try:
        codes: IntArray = np.unique(array, return_inverse=True)[1].astype(np.int64)
    except TypeError:
        raise InvalidEvidence(f"`{name}` must have values of one type, got values that cannot be sorted.") from None
    return codes


def _list_plans(plan: Any) -> list[Any]:
    """Return the requested plans, the main one first."""
    if isinstance(plan, Plan | str) or hasattr(plan, "split"):
        return [plan]
    if not isinstance(plan, Iterable):
        raise InvalidOption(f"`plan` must be a name, a splitter or pairs of indices, got {plan!r}. Use plan='10x10'.")
    entries = list(plan)
    if not entries:
        raise InvalidOption("`plan` must have at least one split, got none. Use plan='10x10'.")
    named = [isinstance(entry, Plan | str) or hasattr(entry, "split") for entry in entries]
    if all(named):
        return entries
    if any(named):
        raise InvalidOption("`plan` must be names or pairs of indices, got both. Use one of them.")
    if len(entries) == 2 and all(isinstance(entry, np.ndarray) and entry.ndim == 1 for entry in entries):
        entries = [tuple(entries)]  # a single pair
    return [entries]


# --- Parts of a plan ------------------------------------------------------------------------------

Part = tuple[str, Plan, Grid]


def _lay_out_parts(
    plan: Any, examples: StratifiedExamples, stream: np.random.Generator, *, first: bool
) -> Iterator[Part]:
    """Yield the splits of a plan under its name ("" for the main one), and those of its parts."""
    if not isinstance(plan, Plan | str):
        design, grid = read_explicit_splits(plan, examples, stream)
        yield "" if first else design.name, design, grid
        return
    laid = as_plan(plan)
    if laid.folds == 0:
        leaves_groups = examples.groups is not None and laid.kind == "k-fold"
        laid = replace(laid, folds=examples.units, name="leave-one-group-out" if leaves_groups else laid.name)
    splits = laid.replicates * max(laid.folds, 1)
    if splits * examples.count > _MOST_INDICES:
        raise InvalidOption(
            f"`plan` {laid.name!r} must fit in memory, got {splits:,} splits of {examples.count:,} examples. Use fewer."
        )
    name = "" if first else str(plan)
    main_stream, part_stream = stream.spawn(2)
    grid = _GRIDS.get(laid.kind, _refuse_unsplittable)(laid, examples, main_stream)
    yield name, laid, grid
    inside = f"{name}/" if name else ""
    if laid.kind in {"bootstrap", "loo-star"}:
        yield "apparent", *_train_on_all(examples)
    if laid.kind == "nested":
        yield f"{inside}pairs", *_lay_out_pairs_of_folds(laid, grid)
    elif laid.kind == "halves":
        yield f"{inside}halves", *_lay_out_halves(laid, examples, part_stream)
    elif laid.kind == "loo-star":
        for part, child in zip(("632", "2-fold*100"), part_stream.spawn(2), strict=True):
            inner_plan = Plan.parse(part)
            yield f"{inside}{part}", inner_plan, _GRIDS[inner_plan.kind](inner_plan, examples, child)


def _lay_out_folds(plan: Plan, examples: StratifiedExamples, stream: np.random.Generator) -> Grid:
    units, of = examples.units, "examples" if examples.groups is None else "groups"
    if units < plan.folds:
        raise InvalidEvidence(f"`plan` {plan.name!r} needs at least {plan.folds} {of}, got {units}. Use fewer folds.")
    grid: Grid = []
    for replicate, rng in enumerate(stream.spawn(plan.replicates)):
        fold = _assign_folds(examples, plan.folds, rng)
        for number in range(plan.folds):
            tested = fold == number
            grid.append((replicate, number, np.flatnonzero(~tested), np.flatnonzero(tested)))
    return grid


def _assign_folds(examples: StratifiedExamples, folds: int, rng: np.random.Generator) -> IntArray:
    """Return the fold of each example, strata divided evenly."""
    fold = np.empty(examples.count, dtype=np.int64)
    if examples.groups is None:
        fold[_shuffle_within_strata(examples.strata, rng)] = np.arange(examples.count) % folds
        return fold
    return _deal_groups_out(examples, folds, rng)[examples.groups]


def _shuffle_within_strata(strata: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the indices of all examples in random order, stratum after stratum."""
    order = rng.permutation(strata.size)
    return order[np.argsort(strata[order], kind="stable")]


def _deal_groups_out(examples: StratifiedExamples, folds: int, rng: np.random.Generator) -> IntArray:
    """Return the fold of each group: the largest first, each in the fold with the fewest examples of its strata."""
    groups = np.asarray(examples.groups)
    members = np.zeros((examples.units, int(examples.strata.max()) + 1))
    np.add.at(members, (groups, examples.strata), 1)
    sizes = members.sum(axis=1)
    order = rng.permutation(examples.units)
    order = order[np.argsort(-sizes[order], kind="stable")]
    weights = members / np.maximum(members.sum(axis=0), 1) ** 2
    filled, size = np.zeros((folds, members.shape[1])), np.zeros(folds)
    fold = np.empty(examples.units, dtype=np.int64)
    for group in order:
        crowded = filled @ weights[group]
        least = np.flatnonzero(crowded <= crowded.min() * (1 + 1e-9))
        chosen = least[np.argmin(size[least])]  # so that no fold stays empty
        fold[group] = chosen
        filled[chosen] += members[group]
        size[chosen] += sizes[group]
    return fold


def _lay_out_random_splits(plan: Plan, examples: StratifiedExamples, stream: np.random.Generator) -> Grid:
    _refuse_empty_sets(plan, examples)
    streams = stream.spawn(plan.folds if plan.kind == "halves" else plan.replicates)
    return [(replicate, 0, *_divide_at_random(examples, plan.share, rng)) for replicate, rng in enumerate(streams)]


def _refuse_empty_sets(plan: Plan, examples: StratifiedExamples) -> None:
    """Raise InvalidEvidence if a share leaves an empty training or test set."""
    if not 0 < round(plan.share * examples.count) < examples.count or examples.units < 2:
        raise InvalidEvidence(
            f"`plan` {plan.name!r} leaves an empty training or test set of {examples.count:,} examples. Use another"
            " share."
        )


def _divide_at_random(
    examples: StratifiedExamples, share: float, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Return random training and test indices: exactly this share for training, or as close as groups allow."""
    size = min(max(round(share * examples.count), 1), examples.count - 1)
    trained = np.zeros(examples.count, dtype=bool)
    if examples.groups is None:
        trained[_draw_stratified(examples.strata, size, rng)] = True
    else:
        order = rng.permutation(examples.units)
        reached = np.cumsum(np.bincount(examples.groups)[order])
        taken = 1 + int(np.argmin(np.abs(reached[:-1] - size)))
        trained = np.isin(examples.groups, order[:taken])
    return np.flatnonzero(trained), np.flatnonzero(~trained)


def _draw_stratified(strata: IntArray, size: int, rng: np.random.Generator) -> IntArray:
    """Return the indices of exactly so many examples; of each stratum its share, rounded."""
    order, start = _shuffle_within_strata(strata, rng), rng.integers(strata.size)
    steps = (np.arange(strata.size + 1) * size + start) // strata.size  # every whole step takes one
    return order[np.diff(steps) > 0]


def _lay_out_bootstrap(plan: Plan, examples: StratifiedExamples, stream: np.random.Generator) -> Grid:
    if examples.units < 2:
        raise InvalidEvidence(f"`plan` {plan.name!r} needs at least 2 groups, got 1.")
    return [
        (replicate, 0, *_draw_bootstrap_sample(examples, rng))
        for replicate, rng in enumerate(stream.spawn(plan.replicates))
    ]


def _draw_bootstrap_sample(examples: StratifiedExamples, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Return a bootstrap sample (Efron's, not stratified), and the examples left out for testing."""
    while True:
        drawn = rng.integers(examples.units, size=examples.units)
        often = np.bincount(drawn, minlength=examples.units)
        if (often == 0).any():
            break
    times = often if examples.groups is None else often[examples.groups]
    return np.repeat(np.arange(examples.count), times), np.flatnonzero(times == 0)


def _lay_out_delve(plan: Plan, examples: StratifiedExamples, stream: np.random.Generator) -> Grid:
    needed = plan.replicates * plan.size
    if examples.groups is not None:
        raise InvalidOption(
            f"`plan` {plan.name!r} has training sets of equal size and takes no groups. Use plan='10x10'."
        )
    if needed >= examples.count:
        raise InvalidEvidence(
            f"`plan` {plan.name!r} needs more than {needed:,} examples, got {examples.count:,}. Use fewer or smaller"
            " training sets."
        )
    chosen = _draw_stratified(examples.strata, needed, stream)
    rest = np.setdiff1d(np.arange(examples.count), chosen)
    return [(index, 0, np.sort(chosen[index :: plan.replicates]), rest) for index in range(plan.replicates)]


def _lay_out_apparent(plan: Plan, examples: StratifiedExamples, stream: np.random.Generator) -> Grid:  # noqa: ARG001
    return _train_on_all(examples)[1]


def _refuse_unsplittable(plan: Plan, examples: StratifiedExamples, stream: np.random.Generator) -> Grid:  # noqa: ARG001
    remedy = "Use plan='holdout' with several seeds" if plan.kind == "seeds" else "Run race once for each sample"
    raise InvalidOption(f"`plan` must divide the examples, got {plan.name!r}, which is for existing scores. {remedy}.")


_GRIDS = {
    "k-fold": _lay_out_folds,
    "nested": _lay_out_folds,
    "loo-star": _lay_out_folds,
    "random": _lay_out_random_splits,
    "halves": _lay_out_random_splits,
    "bootstrap": _lay_out_bootstrap,
    "delve": _lay_out_delve,
    "apparent": _lay_out_apparent,
}


def _train_on_all(examples: StratifiedExamples) -> tuple[Plan, Grid]:
    everything = np.arange(examples.count)
    return Plan.parse("apparent"), [(0, 0, everything, everything)]


def _lay_out_pairs_of_folds(plan: Plan, folds: Grid) -> tuple[Plan, Grid]:
    """Return a split for every two folds of a replicate: trained on the others, tested on both.

    Each fit is part of two inner cross-validations: that of the training set of fold k with test fold j, and that of
    fold j with test fold k (the nested scheme of Bates, Hastie and Tibshirani 2024).
    """
    if plan.folds < 3:
        raise InvalidOption(
            f"`plan` {plan.name!r} must have 3 folds or more, got {plan.folds}. Use plan='nested 20x10'."
        )
    first_folds, second_folds = np.triu_indices(plan.folds, 1)
    grid: Grid = []
    for replicate in range(plan.replicates):
        tests = [test for row, _, _, test in folds if row == replicate]
        everything = np.arange(sum(test.size for test in tests))
        for number, (fold_a, fold_b) in enumerate(zip(first_folds, second_folds, strict=True)):
            both = np.sort(np.concatenate([tests[fold_a], tests[fold_b]]))
            grid.append((replicate, number, np.setdiff1d(everything, both, assume_unique=True), both))
    return Plan("pairs", "splits", plan.replicates, first_folds.size), grid


def _lay_out_halves(plan: Plan, examples: StratifiedExamples, stream: np.random.Generator) -> tuple[Plan, Grid]:
    """Return repeated random splits of each of two halves."""
    grid: Grid = []
    for replicate, rng in enumerate(stream.spawn(plan.replicates)):
        for half, places in enumerate(_divide_at_random(examples, 0.5, rng)):
            inside = examples.among(places)
            _refuse_empty_sets(plan, inside)
            for number in range(plan.folds):
                train, test = _divide_at_random(inside, plan.share, rng)
                grid.append((replicate, half * plan.folds + number, places[train], places[test]))
    return Plan("halves", "halves", plan.replicates, 2 * plan.folds, plan.share), grid


# --- Learning curves ------------------------------------------------------------------------------


def _lay_out_learning_curve(
    main: Sequence[Split], shares: Sequence[float], examples: StratifiedExamples, stream: np.random.Generator
) -> Iterator[tuple[float, list[Split]]]:
    """Yield the design at each share of its training sets, which are nested, on the same test sets."""
    requested = [shares] if isinstance(shares, int | float) else list(shares)
    for share in requested:
        if not (isinstance(share, int | float) and 0 < share < 1):
            raise InvalidOption(f"`learning_curve` must have shares between 0 and 1, got {share!r}. For half use 0.5.")
    if not requested:
        return
    streams, now = stream.spawn(len(main)), [split.train for split in main]
    for share in sorted(set(requested), reverse=True):
        shortened = []
        for index, (split, rng) in enumerate(zip(main, streams, strict=True)):
            size = max(round(share * split.train.size), 1)
            now[index] = np.sort(now[index][_draw_stratified(examples.strata[now[index]], size, rng)])
            shortened.append(Split(f"train x {share:g}", split.replicate, split.fold, now[index], split.test))
        yield share, shortened


def _without_parts(plan: Plan, name: str) -> Plan:
    """Return a plan without its parts."""
    if plan.kind == "halves":
        return Plan(name, "random", plan.folds, 1, plan.share)
    kinds: dict[str, Any] = {"nested": "k-fold", "loo-star": "k-fold"}
    return replace(plan, name=name, kind=kinds.get(plan.kind, plan.kind))
