"""From finished fits to evidence: losses by learner, replicate and fold, and what learners lose together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..errors import InvalidEvidence
from ..evidence.class_scores import ClassScores
from ..evidence.plan import Plan
from ..evidence.resamples import Resamples
from ..evidence.training_sets import TrainingSets
from ..typing_ import BoolArray, FloatArray, IntArray
from .fit import Fit
from .metrics import Answers, TestSetLoss

if TYPE_CHECKING:
    from .record import Race

Missing = Literal["refuse", "drop"]


@dataclass(frozen=True, slots=True, eq=False)
class Folding:
    """The fits of some learners, asked for one metric."""

    race: Race
    learners: tuple[str, ...]
    loss: TestSetLoss
    missing: Missing = "refuse"

    # --- Resamples ------------------------------------------------------------------------------

    def resamples(self) -> Resamples:
        """Return the plan's losses, and as parts all that it holds besides."""
        self.refuse_what_is_missing(range(len(self.race.layout.splits)))
        main, used = self._with_parts("")
        if main is None:
            told = "; ".join(f"{count}: {reason}" for reason, count in self._kept(self._grid(""))[1].items())
            raise InvalidEvidence(
                f"no replicate of {self.race.plan.name} is whole for {', '.join(self.learners)} ({told}). Run the"
                " race to its end, leave out the learner that fails, or repeat the plan."
            )
        parts = dict(main.parts)
        for name in self.race.layout.plans:
            if name not in used:
                part, inside = self._with_parts(name)
                used |= inside
                parts |= {} if part is None else {name: part}
        return replace(main, parts=parts)

    def _with_parts(self, name: str) -> tuple[Resamples | None, set[str]]:
        """Return a part with what is derived from its raw parts, and the names of those."""
        plan, inside = self._plan(name), f"{name}/" if name else ""
        grid = self._grid(name)
        rows, reasons = self._kept(grid)
        parts: dict[str, Resamples | None] = {}
        used: set[str] = set()
        if plan.kind == "nested" and f"{inside}pairs" in self.race.layout.plans:
            pairs = self._grid(f"{inside}pairs")
            both, others = self._kept(pairs)
            rows, reasons = rows & both, reasons + others
            used = {f"{inside}pairs"}
            if rows.any() and self.loss.each is not None:
                parts["inner"] = self._inner(plan, grid[rows], pairs[rows])
        if not rows.any():
            return None, used
        main = self._folded(plan, grid, rows, reasons)
        if plan.kind == "bootstrap" and "apparent" in self.race.layout.plans:
            parts["apparent"] = self._with_parts("apparent")[0]
            if self.loss.each is not None:
                parts["out-of-bag"] = self._out_of_bag(plan, grid[rows].ravel())
                if parts["apparent"] is not None:
                    parts["no-information"] = self._no_information(self.loss.each)
        elif plan.kind == "halves" and f"{inside}halves" in self.race.layout.plans:
            used = {f"{inside}halves"}
            parts["halves"] = self._halves(f"{inside}halves")
        elif plan.kind == "loo-star":
            for other in ("632", "2-fold*100"):
                parts[other], _ = self._with_parts(f"{inside}{other}")
                used.add(f"{inside}{other}")
        return replace(main, parts={key: part for key, part in parts.items() if part is not None}), used

    def _folded(self, plan: Plan, grid: IntArray, rows: BoolArray, reasons: Counter[str]) -> Resamples:
        """Return the losses of one part on the replicates that are whole."""
        kept = grid[rows]
        many, shape = len(self.learners), kept.shape
        loss, spread = np.empty((many, kept.size)), np.zeros((many, kept.size))
        undefined = np.zeros(many, dtype=np.int64)
        together = None if self.loss.each is None else np.empty((many, many, kept.size))
        for place, split in enumerate(kept.flat):
            if together is None:
                seeds = self._wholes(int(split))
                gone = np.isnan(seeds)
                undefined += gone.sum(axis=1)
                seeds = np.where(gone, self.loss.instead, seeds)
            else:
                each = self._per_example(int(split))
                seeds, mean = each.mean(axis=-1), each.mean(axis=1)
                together[..., place] = mean @ mean.T
            loss[:, place] = seeds.mean(axis=1)
            if self.race.seeds > 1:
                spread[:, place] = seeds.var(axis=1, ddof=1)
        if np.isfinite(self.loss.instead) and (undefined == kept.size * self.race.seeds).all():
            raise InvalidEvidence(
                f"{self.loss.metric.name} of {', '.join(self.learners)} is not defined on any test set. Take larger"
                " test sets, keep them stratified, leave the learner out, or choose another metric."
            )
        splits = [self.race.layout.splits[split] for split in kept.flat]
        return Resamples(
            loss=loss.reshape(many, *shape),
            test=np.reshape([split.test.size for split in splits], shape),
            train=np.reshape([split.train.size for split in splits], shape),
            plan=replace(plan, replicates=len(kept)) if plan.replicates == len(grid) else plan,
            learners=self.learners,
            metric=self.loss.metric,
            together=None if together is None else together.reshape(many, many, *shape),
            examples=self.race.labels.size,
            seeds=self.race.seeds,
            seed_variance=spread.reshape(many, *shape) if self.race.seeds > 1 else None,
            missing=dict(reasons),
            undefined={name: int(often) for name, often in zip(self.learners, undefined, strict=True) if often},
        )

    def _derived(
        self, name: str, loss: FloatArray, test: FloatArray, train: FloatArray, together: FloatArray | None = None
    ) -> Resamples:
        """Return a part that is no mean over one split's test set."""
        return Resamples(
            loss=loss,
            test=test,
            train=train,
            plan=Plan(name, "splits", loss.shape[-2], loss.shape[-1]),
            learners=self.learners,
            metric=self.loss.metric,
            together=together,
            examples=self.race.labels.size,
            seeds=self.race.seeds,
        )

    def _out_of_bag(self, plan: Plan, splits: IntArray) -> Resamples:
        """Return each example's mean loss over the samples that left it out (Efron's leave-one-out bootstrap)."""
        sums, often = np.zeros((len(self.learners), self.race.labels.size)), np.zeros(self.race.labels.size)
        for split in splits:
            test = self.race.layout.splits[split].test
            sums[:, test] += self._per_example(int(split)).mean(axis=1)
            often[test] += 1
        there = often > 0
        loss = sums[:, there] / often[there]
        train = np.mean([self.race.layout.splits[split].train.size for split in splits])
        shape = (1, int(there.sum()))
        return self._derived(
            f"{plan.name} out-of-bag",
            loss[:, None],
            np.ones(shape),
            np.full(shape, train),
            (loss[:, None] * loss)[:, :, None],
        )

    def _no_information(self, costs: Callable[[Answers], FloatArray]) -> Resamples:
        """Return the loss if labels and predictions had nothing to do with each other (Efron and Tibshirani's γ)."""
        shares = np.bincount(self.race.labels, minlength=len(self.race.classes)) / self.race.labels.size
        split, loss = int(self._grid("apparent")[0, 0]), np.empty(len(self.learners))
        for place, learner in enumerate(self.learners):
            by_class = [costs(self._answers(fit)).mean(axis=0) for fit in self._fits(learner, split)]
            loss[place] = np.mean(by_class, axis=0) @ shares
        size = np.array([[float(self.race.labels.size)]])
        return self._derived("no-information", loss[:, None, None], size, size)

    def _inner(self, plan: Plan, outer: IntArray, pairs: IntArray) -> Resamples:
        """Return what the cross-validation inside each fold's training set gives, pooled over its examples."""
        many, shape = len(self.learners), outer.shape
        sums, together = np.zeros((many, *shape)), np.zeros((many, many, *shape))
        tests, trains = np.zeros(shape), np.zeros(shape)
        fold_of = np.empty(self.race.labels.size, dtype=np.int64)
        ones, others = np.triu_indices(shape[1], 1)
        for row in range(shape[0]):
            for fold, split in enumerate(outer[row]):
                fold_of[self.race.layout.splits[split].test] = fold
            for one, other, split in zip(ones, others, pairs[row], strict=True):
                laid = self.race.layout.splits[split]
                each = self._per_example(int(split)).mean(axis=1)
                for tested, left_out in ((one, other), (other, one)):
                    some = each[:, fold_of[laid.test] == tested]
                    sums[:, row, left_out] += some.sum(axis=1)
                    together[:, :, row, left_out] += some @ some.T
                    tests[row, left_out] += some.shape[1]
                    trains[row, left_out] += laid.train.size / (shape[1] - 1)
        return self._derived(f"{plan.name} inner", sums / tests, tests, trains, together)

    def _halves(self, name: str) -> Resamples | None:
        """Return the mean loss of each half over its own splits."""
        grid = self._grid(name)
        rows, reasons = self._kept(grid)
        if not rows.any():
            return None
        raw = self._folded(self._plan(name), grid, rows, reasons)

        def mean(array: FloatArray) -> FloatArray:
            halved: FloatArray = array.reshape(*array.shape[:-1], 2, -1).mean(axis=-1)
            return halved

        found = self._derived(name, mean(raw.loss), mean(raw.test), mean(raw.train))
        return replace(found, missing=raw.missing)

    # --- TrainingSets ---------------------------------------------------------------------------

    def training_sets(self, varies: Literal["training set", "seed"]) -> TrainingSets:
        """Return the loss of every test example after every training set, or after every seed of one."""
        grid = self._grid("")
        self.refuse_what_is_missing(grid.ravel())
        rows, _ = self._kept(grid)
        if not rows.any():
            raise InvalidEvidence("no training set has a fit of every learner that is asked for.")
        each = np.stack([self._per_example(int(split)) for split in grid[rows, 0]], axis=1)  # learner, set, seed, item
        by_seed = each.mean(axis=-1)
        many = self.race.seeds > 1 and varies == "training set"
        return TrainingSets(
            loss=each[:, 0] if varies == "seed" else each.mean(axis=2),
            learners=self.learners,
            trained_on=self.race.layout.splits[grid[0, 0]].train.size,
            varies=varies,
            seeds=self.race.seeds if many else 1,
            seed_variance=by_seed.var(axis=-1, ddof=1) if many else None,
            metric=self.loss.metric,
        )

    # --- ClassScores ----------------------------------------------------------------------------

    def class_scores(self) -> ClassScores:
        """Return the probabilities of the first replicate and seed, in the order of the examples."""
        places = self._grid("")[0]
        self.refuse_what_is_missing(places)
        tested = np.concatenate([self.race.layout.splits[place].test for place in places])
        rows = [
            np.concatenate([self._answers(self._fits(learner, int(place))[0]).chances for place in places])
            for learner in self.learners
        ]
        order = np.argsort(tested, kind="stable")
        chances, classes = np.stack(rows)[:, order], self.race.classes
        scores = chances[..., 1] if len(classes) == 2 else chances
        return ClassScores(self.race.labels[tested[order]], scores, classes, self.learners)

    # --- What there is --------------------------------------------------------------------------

    def _plan(self, part: str) -> Plan:
        return self.race.layout.plans[part] if part else self.race.layout.plan

    def _grid(self, part: str) -> IntArray:
        """Return the places of a part's splits by replicate and fold."""
        places = self.race.layout.places(part)
        replicates = 1 + max(self.race.layout.splits[place].replicate for place in places)
        return np.reshape(places, (replicates, -1))

    def _kept(self, grid: IntArray) -> tuple[BoolArray, Counter[str]]:
        """Return which replicates are whole for the learners asked for, and why the others are not."""
        whole, reasons = np.ones(len(grid), dtype=bool), Counter[str]()
        for row, splits in enumerate(grid):
            trouble = next((told for split in splits for told in self._troubles(int(split))), None)
            if trouble is not None:
                whole[row] = False
                reasons[f"{trouble[0]} {trouble[1]}"] += 1
        return whole, reasons

    def _troubles(self, split: int) -> list[tuple[str, str]]:
        """Return which learners have no predictions on a split, and why."""
        found = []
        for learner in self.learners:
            for seed in range(self.race.seeds):
                fit = self.race.fit(learner, split, seed)
                if fit is None or fit.failure is not None:
                    found.append((learner, "was not run" if fit is None else f"failed: {fit.failure}"))
                    break
        return found

    def refuse_what_is_missing(self, splits: Iterable[int] | IntArray) -> None:
        """Raise one error that tells which fits are not there, unless they may be dropped."""
        if self.missing == "drop":
            return
        lacks = [(split, *told) for split in splits for told in self._troubles(int(split))]
        if not lacks:
            return
        places: dict[str, list[int]] = {}
        for split, learner, why in lacks:
            places.setdefault(f"{learner} {why}", []).append(int(split))
        reasons = [
            f"{reason} ({self.race.where(where[0])}{f' and {len(where) - 1} more' * (len(where) > 1)})"
            for reason, where in places.items()
        ]
        told = "; ".join(reasons[:3])
        more = f"; and {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
        fits = "fit is" if len(lacks) == 1 else "fits are"
        unrun = any(why == "was not run" for *_, why in lacks)
        remedy = "Run the race to its end, leave the learner out" if unrun else "Leave the learner out, mend it"
        raise InvalidEvidence(
            f"{len(lacks)} {fits} not there: {told}{more}. {remedy}, or say missing='drop' to do without"
            " these replicates."
        )

    def _fits(self, learner: str, split: int) -> list[Fit]:
        found = [self.race.fit(learner, split, seed) for seed in range(self.race.seeds)]
        return [fit for fit in found if fit is not None]

    def _answers(self, fit: Fit) -> Answers:
        if fit.predictions is None:  # what is missing was refused, or left out
            raise InvalidEvidence(f"{fit.learner} has no predictions ({self.race.where(fit.split)}).")
        if self.loss.probable and fit.probabilities is None:
            why = f" ({fit.no_probabilities})" if fit.no_probabilities else ""
            raise InvalidEvidence(
                f"{self.loss.metric.name} needs class probabilities, but {fit.learner} gives none{why}. Leave it out,"
                " or choose another metric."
            )
        truth = self.race.labels[self.race.layout.splits[fit.split].test]
        return Answers(truth, fit.predictions, fit.probabilities, self.race.classes)

    def _per_example(self, split: int) -> FloatArray:
        """Return the loss by learner, seed and test example."""
        ask = self.loss.per_example
        return np.array([[self._asked(ask, fit) for fit in self._fits(learner, split)] for learner in self.learners])

    def _wholes(self, split: int) -> FloatArray:
        """Return the loss on a whole test set, by learner and seed."""
        ask = self.loss.whole
        return np.array([[self._asked(ask, fit) for fit in self._fits(learner, split)] for learner in self.learners])

    def _asked(self, ask: Callable[[Answers], Any], fit: Fit) -> Any:
        """Return what is asked of a fit, or say of which it cannot be told."""
        answers = self._answers(fit)
        try:
            return ask(answers)
        except InvalidEvidence as error:
            raise InvalidEvidence(f"{fit.learner} ({self.race.where(fit.split)}): {error}") from error
