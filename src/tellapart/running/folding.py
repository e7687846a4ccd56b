"""From finished fits to evidence: losses by learner, replicate and fold, and their joint sums."""

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
from ..figures import count_text, join_names
from ..typing_ import BoolArray, FloatArray, IntArray
from .fit import Fit
from .metrics import Answers, TestSetLoss

if TYPE_CHECKING:
    from .record import Race

Missing = Literal["fail", "refuse", "drop"]  # "refuse" is a deprecated alias of "fail"


@dataclass(frozen=True, slots=True, eq=False)
class Folding:
    """The fits of some learners, for one metric."""

    race: Race
    learners: tuple[str, ...]
    loss: TestSetLoss
    missing: Missing = "fail"

    # --- Resamples ------------------------------------------------------------------------------

    def resamples(self) -> Resamples:
        """Return the losses of the design, with all its parts."""
        self.refuse_what_is_missing(range(len(self.race.layout.splits)))
        main, used = self._with_parts("")
        if main is None:
            _, reasons = self._find_whole_replicates(self._grid_of_part(""))
            reasons_text = "; ".join(f"{count}: {reason}" for reason, count in reasons.items())
            raise InvalidEvidence(
                f"at least one replicate must be complete for {join_names(self.learners)}, got none ({reasons_text})."
                " Finish the experiment, or leave out the learner that fails."
            )
        parts = dict(main.parts)
        for name in self.race.layout.plans:
            if name not in used:
                losses, inside = self._with_parts(name)
                used |= inside
                parts |= {} if losses is None else {name: losses}
        return replace(main, parts=parts)

    def _with_parts(self, name: str) -> tuple[Resamples | None, set[str]]:
        """Return a part with the parts derived from its raw ones, and the names of these."""
        plan, inside = self._plan_of_part(name), f"{name}/" if name else ""
        grid = self._grid_of_part(name)
        rows, reasons = self._find_whole_replicates(grid)
        parts: dict[str, Resamples | None] = {}
        used: set[str] = set()
        if plan.kind == "nested" and f"{inside}pairs" in self.race.layout.plans:
            pairs = self._grid_of_part(f"{inside}pairs")
            both, reasons_inside = self._find_whole_replicates(pairs)
            rows, reasons = rows & both, reasons + reasons_inside
            used = {f"{inside}pairs"}
            if rows.any() and self.loss.cost is not None:
                parts["inner"] = self._fold_inner_losses(plan, grid[rows], pairs[rows])
        if not rows.any():
            return None, used
        main = self._fold_losses(plan, grid, rows, reasons)
        if plan.kind == "bootstrap" and "apparent" in self.race.layout.plans:
            parts["apparent"] = self._with_parts("apparent")[0]
            if self.loss.cost is not None:
                parts["out-of-bag"] = self._out_of_bag(plan, grid[rows].ravel())
                if parts["apparent"] is not None:
                    parts["no-information"] = self._no_information(self.loss.cost)
        elif plan.kind == "halves" and f"{inside}halves" in self.race.layout.plans:
            used = {f"{inside}halves"}
            parts["halves"] = self._fold_halves(f"{inside}halves")
        elif plan.kind == "loo-star":
            for name_inside in ("632", "2-fold*100"):
                parts[name_inside], _ = self._with_parts(f"{inside}{name_inside}")
                used.add(f"{inside}{name_inside}")
        return replace(main, parts={key: losses for key, losses in parts.items() if losses is not None}), used

    def _fold_losses(self, plan: Plan, grid: IntArray, rows: BoolArray, reasons: Counter[str]) -> Resamples:
        """Return the losses of one part on the complete replicates."""
        kept = grid[rows]
        learner_count, shape = len(self.learners), kept.shape
        loss, spread = np.empty((learner_count, kept.size)), np.zeros((learner_count, kept.size))
        undefined = np.zeros(learner_count, dtype=np.int64)
        together = None if self.loss.cost is None else np.empty((learner_count, learner_count, kept.size))
        for index, split in enumerate(kept.flat):
            if together is None:
                seeds = self._losses_of_test_set(int(split))
                gone = np.isnan(seeds)
                undefined += gone.sum(axis=1)
                seeds = np.where(gone, self.loss.instead, seeds)
            else:
                costs = self._losses_per_example(int(split))
                seeds, mean = costs.mean(axis=-1), costs.mean(axis=1)
                together[..., index] = mean @ mean.T
            loss[:, index] = seeds.mean(axis=1)
            if self.race.seeds > 1:
                spread[:, index] = seeds.var(axis=1, ddof=1)
        if np.isfinite(self.loss.instead) and (undefined == kept.size * self.race.seeds).all():
            raise InvalidEvidence(
                f"{self.loss.metric.name} of {join_names(self.learners)} must be defined on some test set. Use larger"
                " or stratified test sets, or another metric."
            )
        splits = [self.race.layout.splits[split] for split in kept.flat]
        return Resamples(
            loss=loss.reshape(learner_count, *shape),
            test=np.reshape([split.test.size for split in splits], shape),
            train=np.reshape([split.train.size for split in splits], shape),
            plan=replace(plan, replicates=len(kept)) if plan.replicates == len(grid) else plan,
            learners=self.learners,
            metric=self.loss.metric,
            together=None if together is None else together.reshape(learner_count, learner_count, *shape),
            examples=self.race.labels.size,
            seeds=self.race.seeds,
            seed_variance=spread.reshape(learner_count, *shape) if self.race.seeds > 1 else None,
            missing=dict(reasons),
            undefined={name: int(often) for name, often in zip(self.learners, undefined, strict=True) if often},
        )

    def _as_part(
        self, name: str, loss: FloatArray, test: FloatArray, train: FloatArray, together: FloatArray | None = None
    ) -> Resamples:
        """Return a part whose losses are not means over the test set of one split."""
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
        """Return the mean out-of-bag loss of each example (Efron's leave-one-out bootstrap)."""
        sums, often = np.zeros((len(self.learners), self.race.labels.size)), np.zeros(self.race.labels.size)
        for split in splits:
            test = self.race.layout.splits[split].test
            sums[:, test] += self._losses_per_example(int(split)).mean(axis=1)
            often[test] += 1
        left_out = often > 0
        loss = sums[:, left_out] / often[left_out]
        train = np.mean([self.race.layout.splits[split].train.size for split in splits])
        shape = (1, int(left_out.sum()))
        return self._as_part(
            f"{plan.name} out-of-bag",
            loss[:, None],
            np.ones(shape),
            np.full(shape, train),
            (loss[:, None] * loss)[:, :, None],
        )

    def _no_information(self, costs: Callable[[Answers], FloatArray]) -> Resamples:
        """Return the loss if labels and predictions were independent (Efron and Tibshirani's γ)."""
        shares = np.bincount(self.race.labels, minlength=len(self.race.classes)) / self.race.labels.size
        split, loss = int(self._grid_of_part("apparent")[0, 0]), np.empty(len(self.learners))
        for index, learner in enumerate(self.learners):
            by_class = [costs(self._as_answers(fit)).mean(axis=0) for fit in self._list_fits(learner, split)]
            loss[index] = np.mean(by_class, axis=0) @ shares
        size = np.array([[float(self.race.labels.size)]])
        return self._as_part("no-information", loss[:, None, None], size, size)

    def _fold_inner_losses(self, plan: Plan, outer: IntArray, pairs: IntArray) -> Resamples:
        """Return the losses of the cross-validation inside each fold's training set, pooled over its examples."""
        learner_count, shape = len(self.learners), outer.shape
        sums, together = np.zeros((learner_count, *shape)), np.zeros((learner_count, learner_count, *shape))
        tests, trains = np.zeros(shape), np.zeros(shape)
        fold_of = np.empty(self.race.labels.size, dtype=np.int64)
        first_folds, second_folds = np.triu_indices(shape[1], 1)
        for row in range(shape[0]):
            for fold, split in enumerate(outer[row]):
                fold_of[self.race.layout.splits[split].test] = fold
            for fold_a, fold_b, split in zip(first_folds, second_folds, pairs[row], strict=True):
                laid = self.race.layout.splits[split]
                costs = self._losses_per_example(int(split)).mean(axis=1)
                for tested, left_out in ((fold_a, fold_b), (fold_b, fold_a)):
                    tested_costs = costs[:, fold_of[laid.test] == tested]
                    sums[:, row, left_out] += tested_costs.sum(axis=1)
                    together[:, :, row, left_out] += tested_costs @ tested_costs.T
                    tests[row, left_out] += tested_costs.shape[1]
                    trains[row, left_out] += laid.train.size / (shape[1] - 1)
        return self._as_part(f"{plan.name} inner", sums / tests, tests, trains, together)

    def _fold_halves(self, name: str) -> Resamples | None:
        """Return the mean loss of each half over its own splits."""
        grid = self._grid_of_part(name)
        rows, reasons = self._find_whole_replicates(grid)
        if not rows.any():
            return None
        raw = self._fold_losses(self._plan_of_part(name), grid, rows, reasons)

        def mean(array: FloatArray) -> FloatArray:
            halved: FloatArray = array.reshape(*array.shape[:-1], 2, -1).mean(axis=-1)
            return halved

        losses = self._as_part(name, mean(raw.loss), mean(raw.test), mean(raw.train))
        return replace(losses, missing=raw.missing)

    # --- TrainingSets ---------------------------------------------------------------------------

    def training_sets(self, varies: Literal["training set", "seed"]) -> TrainingSets:
        """Return the loss of every test example after every training set, or after every seed of one."""
        grid = self._grid_of_part("")
        self.refuse_what_is_missing(grid.ravel())
        rows, _ = self._find_whole_replicates(grid)
        if not rows.any():
            raise InvalidEvidence("a training set must have a fit of every learner, got none. Finish the experiment.")
        costs = np.stack(
            [self._losses_per_example(int(split)) for split in grid[rows, 0]], axis=1
        )  # learner, set, seed, item
        by_seed = costs.mean(axis=-1)
        several_seeds = self.race.seeds > 1 and varies == "training set"
        return TrainingSets(
            loss=costs[:, 0] if varies == "seed" else costs.mean(axis=2),
            learners=self.learners,
            trained_on=self.race.layout.splits[grid[0, 0]].train.size,
            varies=varies,
            seeds=self.race.seeds if several_seeds else 1,
            seed_variance=by_seed.var(axis=-1, ddof=1) if several_seeds else None,
            metric=self.loss.metric,
        )

    # --- ClassScores ----------------------------------------------------------------------------

    def class_scores(self) -> ClassScores:
        """Return the probabilities of the first replicate and seed, in the order of the examples."""
        indices = self._grid_of_part("")[0]
        self.refuse_what_is_missing(indices)
        tested = np.concatenate([self.race.layout.splits[index].test for index in indices])
        rows = [
            np.concatenate([self._as_answers(self._list_fits(learner, int(index))[0]).chances for index in indices])
            for learner in self.learners
        ]
        order = np.argsort(tested, kind="stable")
        chances, classes = np.stack(rows)[:, order], self.race.classes
        scores = chances[..., 1] if len(classes) == 2 else chances
        return ClassScores(self.race.labels[tested[order]], scores, classes, self.learners)

    # --- Fits and parts -------------------------------------------------------------------------

    def _plan_of_part(self, part: str) -> Plan:
        return self.race.layout.plans[part] if part else self.race.layout.plan

    def _grid_of_part(self, part: str) -> IntArray:
        """Return the indices of the splits of a part by replicate and fold."""
        indices = self.race.layout.places(part)
        replicates = 1 + max(self.race.layout.splits[index].replicate for index in indices)
        return np.reshape(indices, (replicates, -1))

    def _find_whole_replicates(self, grid: IntArray) -> tuple[BoolArray, Counter[str]]:
        """Return which replicates are complete for the learners, and why the others are not."""
        whole, reasons = np.ones(len(grid), dtype=bool), Counter[str]()
        for row, splits in enumerate(grid):
            problem = next((each for split in splits for each in self._find_problems(int(split))), None)
            if problem is not None:
                whole[row] = False
                reasons[f"{problem[0]} {problem[1]}"] += 1
        return whole, reasons

    def _find_problems(self, split: int) -> list[tuple[str, str]]:
        """Return the learners without predictions on a split, and why."""
        problems = []
        for learner in self.learners:
            for seed in range(self.race.seeds):
                fit = self.race.fit(learner, split, seed)
                if fit is None or fit.failure is not None:
                    problems.append((learner, "was not run" if fit is None else f"failed: {fit.failure}"))
                    break
        return problems

    def refuse_what_is_missing(self, splits: Iterable[int] | IntArray) -> None:
        """Raise InvalidEvidence if fits are missing, unless they may be dropped."""
        if self.missing == "drop":
            return
        lacks = [(split, *problem) for split in splits for problem in self._find_problems(int(split))]
        if not lacks:
            return
        splits_by_reason: dict[str, list[int]] = {}
        for split, learner, why in lacks:
            splits_by_reason.setdefault(f"{learner} {why}", []).append(int(split))
        reasons = [
            f"{reason} ({self.race.where(where[0])}{f' and {len(where) - 1} more' * (len(where) > 1)})"
            for reason, where in splits_by_reason.items()
        ]
        reasons_text = "; ".join(reasons[:3])
        more = f"; and {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
        unrun = any(why == "was not run" for *_, why in lacks)
        remedy = "Finish the experiment" if unrun else "Leave the learner out"
        raise InvalidEvidence(
            f"{count_text(len(lacks), 'fit')} missing: {reasons_text}{more}. {remedy}, or use missing='drop' to leave"
            " out these replicates."
        )

    def _list_fits(self, learner: str, split: int) -> list[Fit]:
        fits = [self.race.fit(learner, split, seed) for seed in range(self.race.seeds)]
        return [fit for fit in fits if fit is not None]

    def _as_answers(self, fit: Fit) -> Answers:
        if fit.predictions is None:  # missing fits were refused, or left out
            raise InvalidEvidence(f"{fit.learner} must have predictions, got none ({self.race.where(fit.split)}).")
        if self.loss.probable and fit.probabilities is None:
            why = f" ({fit.no_probabilities})" if fit.no_probabilities else ""
            raise InvalidEvidence(
                f"{self.loss.metric.name} needs class probabilities, but {fit.learner} has none{why}. Use another"
                " metric, or leave the learner out."
            )
        truth = self.race.labels[self.race.layout.splits[fit.split].test]
        return Answers(truth, fit.predictions, fit.probabilities, self.race.classes)

    def _losses_per_example(self, split: int) -> FloatArray:
        """Return the loss by learner, seed and test example."""
        ask = self.loss.per_example
        return np.array(
            [[self._evaluate_fit(ask, fit) for fit in self._list_fits(learner, split)] for learner in self.learners]
        )

    def _losses_of_test_set(self, split: int) -> FloatArray:
        """Return the loss on a whole test set, by learner and seed."""
        ask = self.loss.whole
        return np.array(
            [[self._evaluate_fit(ask, fit) for fit in self._list_fits(learner, split)] for learner in self.learners]
        )

    def _evaluate_fit(self, ask: Callable[[Answers], Any], fit: Fit) -> Any:
        """Return the loss of a fit, or raise InvalidEvidence with its learner and split."""
        answers = self._as_answers(fit)
        try:
            return ask(answers)
        except InvalidEvidence as error:
            raise InvalidEvidence(f"{fit.learner} ({self.race.where(fit.split)}): {error}") from error
