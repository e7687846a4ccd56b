"""Losses of learners on the test sets of a cross-validation design, by replicate and fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence, InvalidOption
from ..figures import count_text
from ..metrics import ERROR, Metric
from ..rendering import plain
from ..shaped import entries
from ..typing_ import SOURCES, FloatArray, Source, list_names
from .base import ONE_TEST_SET, RETRAINING, SAME_SOURCE, TRAITS_OF_CLASSIFIERS, Scope
from .of_learners import OfLearners, as_floats, as_metric_of_losses, as_names, check_bounds, named_scores
from .paired_table import PairedTable
from .plan import Plan, as_plan, recognise
from .scores import (
    arrange_scores,
    as_candidates,
    as_loss,
    as_scores,
    as_sizes,
    check_same_plan,
    check_same_resources,
    leaves_one_out,
    setting_text,
    sizes_of,
)

# The default test of two learners and the default estimator of one, by the kind of plan.
_TESTS = {
    "random": "corrected-resampled-t",
    "bootstrap": "corrected-resampled-t",
    "nested": "nested-cv",
    "halves": "conservative-z",
    "loo-star": "cv-wald",
    "independent": "paired-t",
    "seeds": "welch",
    "splits": "corrected-resampled-t",
}
_ESTIMATORS = {
    "bootstrap": "632plus",
    "nested": "nested-cv",
    "halves": "conservative-z",
    "loo-star": "loo-star",
    "apparent": "apparent",
}
# Estimators of the error of a learner trained on all examples.
_OF_ALL = {"632", "632plus", "nested-cv"}
# The sources of variation between runs, by the kind of plan; with all other plans all sources vary.
_SOURCES: dict[str, tuple[Source, ...]] = {
    "apparent": (),  # tested on the training examples
    "delve": ("training data", "learner"),  # one test set for all
    "seeds": ("learner",),
}
NESTED = (
    "Use plan='nested 200x10', or 'nested 20x10' for a tenth of the fits and an interval that varies with the splits."
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Resamples(OfLearners):
    """The loss of each learner on every test set of a plan.

    Smaller losses are better: the error rate, or 1 − F1. If predictions are available, `together` holds the
    errors that two learners have in common. `race(...).resamples()` returns this evidence; `from_scores` takes
    scores that were computed elsewhere.

    Parameters
    ----------
    loss
        By learner, replicate and fold, along the last three dimensions.
    test, train
        The size of each test and training set, by replicate and fold.
    plan
        The cross-validation design.
    learners
        Their names.
    metric
        The metric that the losses represent, or its name; an unknown name is that of the loss itself.
    together
        By learner, learner, replicate and fold: the sum over the test set of the product of both
        learners' losses. For right and wrong these are counts of examples that both got wrong, with the
        learner's errors on the diagonal. None if only scores are available.
    examples
        The total number of examples; 0 if it is unknown.
    seeds, seed_variance
        The number of seeds over which each loss is a mean, and the variance between them, by learner,
        replicate and fold.
    parts
        Further resamples of the same learners that the plan includes: "apparent", "out-of-bag", "no-information",
        "inner", "halves", or the plan at a smaller share of the training set ("train x 0.5").
    chosen_from
        The number of candidates, if the learners were selected by these losses; else 0.
    missing
        The number of replicates that were left out, by reason.
    undefined
        The number of test sets on which the metric is undefined, by learner (precision without a positive prediction,
        for example). They have the loss of a score of 0.

    Examples
    --------
    >>> resamples = Resamples.from_scores([0.90, 0.95, 0.85], [0.80, 0.90, 0.85], plan="3-fold")
    >>> resamples.values.round(3)
    array([[-0.1 , -0.05,  0.  ]])
    >>> resamples.difference.round(3)
    np.float64(-0.05)
    """

    loss: FloatArray
    test: FloatArray
    train: FloatArray
    plan: Plan
    learners: tuple[str, ...] = ("A", "B")
    metric: Metric = ERROR
    together: FloatArray | None = None
    examples: int = 0
    seeds: int = 1
    seed_variance: FloatArray | None = None
    parts: Mapping[str, Resamples] = field(default_factory=dict)
    chosen_from: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    undefined: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        loss, names = as_floats("loss", self.loss), as_names(self.learners)
        if loss.ndim < 3 or loss.shape[-3] != len(names) or 0 in loss.shape:
            raise InvalidEvidence(
                f"`loss` must have learners, replicates and folds as last dimensions, {len(names)} learners, got shape"
                f" {loss.shape}."
            )
        grid = loss.shape[-2:]
        self._set_fields(metric=as_metric_of_losses(self.metric))
        _whole_number("examples", self.examples)
        self._set_fields(plan=_of_grid(as_plan(self.plan), grid))
        if not (self.bounded and _are_shares(loss)):
            self._check_losses(loss)
            check_bounds(self.metric, loss)
        sizes = {name: as_sizes(name, getattr(self, name), grid) for name in ("test", "train")}
        self._set_fields(loss=loss, learners=names, **sizes)
        if self.plan.kind == "bootstrap" and np.any(self.test >= (self.examples or self.train)):
            raise InvalidEvidence("`test` must be the examples that a bootstrap sample left out, got all examples.")
        for name, dimensions in (("together", 4), ("seed_variance", 3)):
            part = getattr(self, name)
            if part is not None:
                shape = loss.shape[:-3] + (len(names),) * (dimensions - 2) + grid
                if np.shape(part) != shape:
                    raise InvalidEvidence(f"`{name}` must have shape {shape}, got {np.shape(part)}.")
                values = as_floats(name, part)
                if not np.isfinite(values).all():
                    raise InvalidEvidence(f"`{name}` must be finite, got {values[~np.isfinite(values)][0]}.")
                self._set_fields(**{name: values})

    def _check_losses(self, loss: FloatArray) -> None:
        """Raise InvalidEvidence if losses are not finite, or outside the bounds of their metric."""
        if not _is_complete(loss, ragged=self.plan.kind == "seeds"):
            raise InvalidEvidence(
                f"`loss` must be finite, got {loss[~np.isfinite(loss)][0]}. Leave out the splits without a score."
            )
        known = loss[np.isfinite(loss)]
        if self.bounded and not _are_shares(known):
            outside = known[(known < 0) | (known > 1)][0]
            raise InvalidEvidence(
                f"`loss` ({self.metric.name}) must be from 0 to 1, got {outside:.6g}. Divide percentages by 100, or"
                " name"
                " the metric."
            )

    # --- From scores and from scikit-learn --------------------------------------------------------------------

    @classmethod
    def from_scores(
        cls,
        a: ArrayLike | Mapping[str, ArrayLike],
        b: ArrayLike | None = None,
        *,
        plan: Plan | str,
        metric: str = "accuracy",
        higher_is_better: bool | None = None,
        learners: Sequence[str] | None = None,
        examples: int = 0,
        test: ArrayLike | None = None,
        train: ArrayLike | None = None,
    ) -> Self:
        """Return the evidence from scores, one per split, in the order in which scikit-learn yields splits.

        Parameters
        ----------
        a, b
            The scores of A and B on the same splits; of A alone; or, in place of both, a mapping from
            names to scores. One row, or a row for each replicate; leading dimensions make many entries.
        plan
            "10-fold", "10x10", "5x2", "30x(2/3)", …; "seeds" for runs that differ only in the learner's seed, and
            "independent" for samples with separate test data.
        metric
            The name of the metric; "accuracy" is the complement of "error".
        higher_is_better
            Whether larger scores are better, for an unknown metric.
        learners
            The names of A and B.
        examples
            The total number of examples, which some methods need.
        test, train
            The sizes of test and training sets, if the plan does not determine them.

        Examples
        --------
        >>> Resamples.from_scores({"lr": [0.9, 0.8], "nb": [0.7, 0.8]}, plan="2-fold").losses.round(2)
        array([0.15, 0.25])
        """
        named = named_scores(a, b, learners, "learner")
        names, rows = tuple(named), [as_scores(name, row) for name, row in named.items()]
        _whole_number("examples", examples)
        design, grid = arrange_scores(plan, rows, names)
        loss, called = as_loss(np.stack(grid, axis=-3), metric, higher_is_better)
        if leaves_one_out(plan, design, examples) and test is None:
            test, train, examples = 1, design.folds - 1, design.folds
        sizes = sizes_of(design, examples, test, train)
        resamples = cls(
            loss=loss, test=sizes[0], train=sizes[1], plan=design, learners=names, metric=called, examples=examples
        )
        if called.is_rate and (resamples.test == 1).all() and np.isin(loss, (0, 1)).all():
            return replace(resamples, together=loss[..., :, None, :, :] * loss[..., None, :, :, :])
        return resamples

    @classmethod
    def from_cross_validate(
        cls,
        results: Mapping[str, Any],
        *,
        plan: Plan | str | None = None,
        score: str = "score",
        metric: str | None = None,
        **options: Any,
    ) -> Self:
        """Return the evidence from the results of scikit-learn's `cross_validate`, by learner.

        With `return_indices=True` the plan is recognised; else `plan` is required.

        Parameters
        ----------
        results
            The dictionary that `cross_validate` returned, by learner.
        plan
            The plan of the splits, if the indices are not available.
        score
            The scorer's name, if there are several.
        metric
            The name of the metric. Default: the scorer's name, or accuracy.
        options
            As for `from_scores`.

        Examples
        --------
        >>> lr, nb = {"test_score": [0.9, 0.8]}, {"test_score": [0.7, 0.8]}
        >>> Resamples.from_cross_validate({"lr": lr, "nb": nb}, plan="2-fold").difference.round(3)
        np.float64(-0.1)
        """
        key = f"test_{score}"
        if not isinstance(results, Mapping) or key in results:
            raise InvalidEvidence(
                "`results` must be a mapping from names to results, such as {'lr': cross_validate(...)}."
            )
        for name, result in results.items():
            if not (isinstance(result, Mapping) and key in result):
                keys = list_names(sorted(map(str, result))) if isinstance(result, Mapping) else type(result).__name__
                raise InvalidEvidence(
                    f"`results[{name!r}]` must have {key!r}, got {keys}. Name the scorer with `score`."
                )
        indices = [result["indices"] for result in results.values() if "indices" in result]
        sizes: dict[str, Any] = {}
        if indices:
            for index_set in indices[1:]:
                if not all(map(np.array_equal, indices[0]["test"], index_set["test"])):
                    raise InvalidEvidence(
                        "the learners must be tested on the same splits, got different indices. Pass the same cv to"
                        " cross_validate."
                    )
            tests, trains = indices[0]["test"], indices[0]["train"]
            recognised = recognise(trains, tests)
            shape, examples = (
                (recognised.replicates, recognised.folds),
                np.unique(np.concatenate([*tests, *trains])).size,
            )
            if plan is not None:
                check_same_plan(as_plan(plan, len(tests)), recognised, examples)
            plan = recognised if plan is None else replace(recognised, name=str(plan))
            sizes = {
                "test": np.reshape([len(part) for part in tests], shape),
                "train": np.reshape([len(part) for part in trains], shape),
                "examples": examples,
            }
        if plan is None:
            raise InvalidOption("`plan` is required without indices. Use plan='10-fold', or return_indices=True.")
        rows = {name: result[key] for name, result in results.items()}
        called = metric or ("accuracy" if score == "score" else score)
        return cls.from_scores(rows, plan=plan, metric=called, **sizes | options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        *,
        plan: Plan | str,
        candidates: Sequence[int] | None = None,
        score: str = "score",
        metric: str | None = None,
        **options: Any,
    ) -> Self:
        """Return the evidence from the `cv_results_` of scikit-learn's searches: every candidate is a learner.

        The score of a selected candidate is biased upwards (winner's curse); the number of candidates is kept.

        Parameters
        ----------
        cv_results
            A fitted search's `cv_results_`.
        plan
            The plan of the search's `cv`: "5-fold" for cv=5.
        candidates
            The candidates to compare, by number: `[search.best_index_, 0]`. Default: all.
        score
            The scorer's name, if there are several.
        metric
            The name of the metric. Default: the scorer's name, or accuracy.
        options
            As for `from_scores`.

        Examples
        --------
        >>> scores = {"split0_test_score": [0.8, 0.9], "split1_test_score": [0.7, 0.8]}
        >>> resamples = Resamples.from_cv_results({"params": [{"k": 1}, {"k": 3}], **scores}, plan="2-fold")
        >>> resamples.learners, resamples.chosen_from
        (('k=1', 'k=3'), 2)
        """
        if not isinstance(cv_results, Mapping):
            raise InvalidEvidence(
                f"`cv_results` must be the results of a search, got {type(cv_results).__name__}. Use"
                " search.cv_results_."
            )
        splits = 0
        while f"split{splits}_test_{score}" in cv_results:
            splits += 1
        if not splits or "params" not in cv_results:
            raise InvalidEvidence(
                f"`cv_results` must have 'split0_test_{score}', got none. Use search.cv_results_, or name the scorer"
                " with `score`."
            )
        scores = np.stack([np.asarray(cv_results[f"split{index}_test_{score}"]) for index in range(splits)], axis=-1)
        settings = list(cv_results["params"])
        chosen = as_candidates(candidates, len(settings))
        check_same_resources(cv_results, chosen)
        names = [setting_text(settings[index]) for index in chosen]
        if len(set(names)) != len(names) and "iter" in cv_results:  # successive halving repeats candidates
            names = [f"{name}, iter={cv_results['iter'][index]}" for name, index in zip(names, chosen, strict=True)]
        rows = dict(zip(names, scores[chosen], strict=True))
        if len(rows) != len(chosen):
            raise InvalidOption(f"`candidates` must be different, got {candidates!r}.")
        called = metric or ("accuracy" if score == "score" else score)
        resamples = cls.from_scores(rows, plan=plan, metric=called, **options)
        return replace(resamples, chosen_from=len(settings))

    # --- The protocol of evidence --------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of test sets."""
        return self.runs

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of variation between the runs of the plan."""
        return ONE_TEST_SET if self.plan.one_split else _SOURCES.get(self.plan.kind, SOURCES)

    @property
    def samples_overlap(self) -> bool:
        """Whether the splits draw on the same examples."""
        return self.plan.kind != "independent"

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the default method for the plan; it does not depend on the scores.

        Examples
        --------
        >>> Resamples.from_scores([0.9] * 100, [0.8] * 100, plan="10x10").default("test")
        'corrected-repeated-kfold-t'
        >>> Resamples.from_scores([0.9] * 10, [0.8] * 10, plan="5x2").default("test")
        '5x2cv-t'
        >>> Resamples.from_scores([0.9] * 10, plan="10-fold").default("estimate")
        'kfold'
        """
        if goal == "adjust":
            return "holm"
        if goal == "estimate":
            return self._default_estimator()
        if goal == "interval" and len(self.learners) == 1:
            return "cv-wald" if self.leaves_one_out else "corrected-t-interval"
        test = self._default_test()
        # The 5x2cv test takes no margin and has no interval.
        return "corrected-resampled-t" if goal in {"interval", "margin"} and test == "5x2cv-t" else test

    def recommend(self, gives: str = "") -> str:
        """Return which methods to use instead of an unsuitable one, as a sentence."""
        return (
            "Use method='corrected-resampled-t' to compare learners, or method='corrected-t-interval' to estimate one."
        )

    def _default_test(self) -> str:
        plan = self.plan
        if plan.kind == "apparent":
            raise InvalidEvidence(
                "`plan` must have separate test sets to compare learners, got 'apparent'. Use plan='10x10'."
            )
        if plan.kind == "delve":
            raise InvalidEvidence(
                f"`plan` must be one of splits, got {plan.name!r} with one test set. Use race.training_sets(), or the"
                " race."
            )
        if plan.kind != "k-fold":
            return "mcnemar-on-cv" if plan.one_split else _TESTS[plan.kind]
        if self.leaves_one_out:
            return "cv-wald"
        if (plan.replicates, plan.folds) == (5, 2):
            return "5x2cv-t"
        return "corrected-repeated-kfold-t" if plan.replicates > 1 else "corrected-resampled-t"

    def _default_estimator(self) -> str:
        plan = self.plan
        if plan.kind == "k-fold":
            if self.leaves_one_out:
                return "loo"
            if "*" in plan.name:  # "2-fold*100", Martin and Hirschberg's 2-CV*
                return "iterated-kfold"
            return "repeated-kfold" if plan.replicates > 1 else "kfold"
        return "holdout" if plan.one_split else _ESTIMATORS.get(plan.kind, "corrected-t-interval")

    @property
    def leaves_one_out(self) -> bool:
        """Whether every test set is one example."""
        return self.plan.kind == "k-fold" and bool((self.test == 1).all())

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the losses determine; one split is about classifiers."""
        count, one_split = len(self.learners), self.plan.one_split
        table = self._table_of_one_split()
        if table is not None:
            return table.traits() | {"counts": table}
        known = {"task": "choose" if count > 1 else "estimate", "models": count, "plan": self.plan.name}
        known |= {"examples": self.examples} if self.examples else {}
        if one_split:
            return TRAITS_OF_CLASSIFIERS | known | ({"test_sets": "one"} if count > 1 else {})
        known |= {"stochastic": True} if self.seeds > 1 or self.plan.kind == "seeds" else {}
        return {"domains": "one", "subject": "learner", "data": "little"} | known

    def _table_of_one_split(self) -> PairedTable | None:
        """Return the paired table of two classifiers, if they come from one split and `together` is available."""
        kept = self.plan.one_split and len(self.learners) == 2 and self.metric.name == "error"
        if not kept or self.together is None:
            return None
        both, a, b = (self.together[..., i, j, 0, 0].round().astype(np.int64) for i, j in ((0, 1), (0, 0), (1, 1)))
        examples = np.int64(self.test[0, 0])
        return PairedTable(
            both,
            a - both,
            b - both,
            examples - a - b + both,
            models=(self.learners[0], self.learners[1]),
            as_accuracy=self.metric.as_accuracy,
        )

    def scope(self, method: str = "") -> Scope:
        """Return the scope of the answer."""
        several = len(self.learners) > 1
        if method == "apparent":
            return Scope("the training examples", exclusion="new data")
        if self.plan.one_split:
            return Scope("these trained models" if several else "this trained model", SAME_SOURCE, RETRAINING)
        if self.plan.kind == "seeds":
            return Scope("retraining with other seeds on this training set", exclusion="other training sets")
        size = self._trained_on(method) or "as many examples"
        return Scope(f"learners trained on {size}", exclusion="one trained model")

    def condition(self, method: str = "") -> str:
        """Return the condition under which the interval of a method is valid."""
        return "these examples were new" if method == "apparent" else ""

    def target(self, method: str = "") -> str:
        """Return the subject of the estimate: the trained model, or the learner with its training size."""
        name = self.learners[0]
        if method == "apparent" or self.plan.one_split:
            return f"{name}, trained on this training set"
        size = self._trained_on(method)
        return f"{name}, trained on {size}" if size else f"{name}, at the size of these training sets"

    def _trained_on(self, method: str) -> str:
        """Return the training sets that the answer applies to; empty if their size is unknown."""
        if method == "iterated-kfold" and "2-fold*100" in self.parts:  # a part of the plan "loo-star"
            return self.parts["2-fold*100"]._trained_on("")  # noqa: SLF001  # the same class
        if not self.examples or not np.isfinite(self.train).all():
            return ""
        if self.plan.kind == "bootstrap" and method not in _OF_ALL:
            return f"bootstrap samples of {self.examples} examples"
        size = self.examples if method in _OF_ALL else round(float(np.mean(self.train)))
        return f"{size} examples"

    # --- Figures for methods ------------------------------------------------------------------------

    @property
    def runs(self) -> int:
        """The total number of test sets."""
        return int(self.loss.shape[-1] * self.loss.shape[-2])

    @property
    def losses(self) -> FloatArray:
        """The mean loss of each learner over splits, along the last dimension."""
        if self.plan.kind == "seeds":
            return np.asarray(np.nanmean(self.loss, axis=(-2, -1)))  # NaN if a learner has fewer seeds
        return np.asarray(self.loss.mean(axis=(-2, -1)))

    @property
    def pooled_losses(self) -> FloatArray:
        """The mean loss of each learner over tested examples, along the last dimension."""
        weights = np.where(np.isnan(self.loss), 0.0, self.sizes)  # NaN if a learner has fewer seeds
        means: FloatArray = (np.nan_to_num(self.loss) * weights).sum(axis=(-2, -1)) / weights.sum(axis=(-2, -1))
        return means

    @property
    def estimated_levels(self) -> FloatArray:
        """The metric of each learner, with equal weight for every tested example."""
        levels: FloatArray = self.metric.from_loss(self.pooled_losses)
        return levels

    @property
    def pooled(self) -> FloatArray:
        """The loss of one learner, or loss(A) − loss(B) of two, averaged over tested examples.

        Examples
        --------
        >>> Resamples.from_scores([0.5, 1.0], plan="2-fold", test=[[2, 1]], train=[[1, 2]]).pooled.round(3)
        np.float64(0.333)
        """
        losses = self.pooled_losses
        return (losses[..., 0] if self.parameter == "error" else losses[..., 0] - losses[..., 1])[()]

    @property
    def sizes(self) -> FloatArray:
        """The weight of each test set: its size, or 1 if not all sizes are known."""
        return self.test if np.isfinite(self.test).all() else np.ones_like(self.test)

    @property
    def squares(self) -> FloatArray:
        """The sum over the test set of the squared values, by replicate and fold; needs predictions."""
        together = self.joint
        squares = together[..., 0, 0, :, :]
        if self.parameter == "error":
            return squares
        return squares + together[..., 1, 1, :, :] - 2 * together[..., 0, 1, :, :]

    @property
    def joint(self) -> FloatArray:
        """The field `together`; raises InvalidEvidence if it is not available."""
        if self.together is None:
            raise InvalidEvidence(
                f"the method needs losses by example: {self._unlike_a_mean()}"
                if not self.metric.is_mean
                else "the method needs losses by example, got scores by split. Use race(...).resamples()."
            )
        return self.together

    def _unlike_a_mean(self) -> str:
        return f"`metric` must be a mean over examples, got {self.metric.name!r}. Use error, cost, log-loss or brier."

    @property
    def ratio(self) -> float:
        """The mean ratio of test to training size; NaN if it is unknown.

        The training size of a bootstrap sample is its number of different examples.
        """
        trained = (self.examples or self.train) - self.test if self.plan.kind == "bootstrap" else self.train
        return float(np.mean(self.test / trained))

    def part(self, name: str) -> Resamples:
        """Return a further part of the plan; raise InvalidEvidence if the plan does not include it."""
        if name not in self.parts:
            plans = {
                "apparent": "Use plan='632' or plan='apparent'.",
                "out-of-bag": "Use plan='632'.",
                "no-information": "Use plan='632'.",
                "inner": NESTED,
                "halves": "Use plan='conservative-z'.",
            }
            if name in _OF_EXAMPLES and not self.metric.is_mean and self.plan.kind == _OF_EXAMPLES[name]:
                raise InvalidEvidence(f"{name!r} needs losses by example: {self._unlike_a_mean()}")
            remedy = plans.get(name, "Use plan='loo-star'.")
            raise InvalidEvidence(f"`plan` must include {name!r}, got {self.plan.name!r}. {remedy}")
        return self.parts[name]

    def _select_models(self, positions: Any, learners: tuple[str, ...]) -> Self:
        kept = self._pick_entries(lambda array, dimensions: _take_learners(array, positions, dimensions), learners)
        if np.ndim(positions) > 1 or not self.undefined:  # all pairs are named A and B
            return kept
        return replace(kept, undefined={name: n for name, n in self.undefined.items() if name in learners})

    def __getitem__(self, index: Any) -> Self:
        if not self.shape:
            raise IndexError("this Resamples is a single entry and cannot be indexed.")
        shape = self.shape
        return self._pick_entries(lambda array, _: entries(array, index, shape), learners=self.learners)

    def _pick_entries(self, pick: Any, learners: tuple[str, ...]) -> Self:
        """Return the evidence of some learners or entries; `pick` takes an array and its learner dimensions."""
        return replace(
            self,
            loss=pick(self.loss, 1),
            together=None if self.together is None else pick(self.together, 2),
            seed_variance=None if self.seed_variance is None else pick(self.seed_variance, 1),
            learners=learners,
            parts={name: part._pick_entries(pick, learners) for name, part in self.parts.items()},  # noqa: SLF001
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, for JSON, without parts and unknown values."""
        left = {"parts", "plan"} | {name for name in ("missing", "undefined") if not getattr(self, name)}
        known = {name: plain(value) for name, value in self._iterate_fields() if name not in left and value is not None}
        return {"plan": self.plan.name} | known | {"metric": self.metric.name}

    def __repr__(self) -> str:
        shape = f", shape={self.shape}" if self.shape else ""
        return f"Resamples({', '.join(self.learners)}: {self.metric.name} by {self.plan.name}{shape})"

    def summarize(self) -> str:
        """Return the number of examples, and the design with its number of test sets."""
        counts = np.isfinite(self.loss).reshape(-1, len(self.learners), self.runs)[0].sum(axis=-1).tolist()
        runs = " and ".join(f"{count:,}" for count in counts) if len(set(counts)) > 1 else f"{self.runs:,}"
        examples = f"{count_text(self.examples, 'example')}, " if self.examples else ""
        if self.plan.one_split and np.isfinite(self.test).all():
            return f"{examples}one split, {count_text(int(self.test.item()), 'test example')}"
        if self.plan.kind in {"seeds", "independent"}:
            return f"{examples}{runs} {'seeds' if self.plan.kind == 'seeds' else 'independent samples'}"
        return f"{examples}{self.plan.description}{'' if self.plan.counts_runs else f', {runs} test sets'}"

    def data_row(self, lead: int = 0) -> str:
        """Return examples, design and the number of fits.

        Examples
        --------
        >>> resamples = Resamples.from_scores([0.90, 0.95, 0.85], [0.80, 0.90, 0.85], plan="3-fold", examples=90)
        >>> resamples.data_row()
        '90 examples, 3-fold cross-validation, 6 fits'
        """
        fits = self.runs * self.seeds * len(self.learners)
        return f"{self.summarize()}, {count_text(fits, 'fit')}{self.gaps}"

    @property
    def gaps(self) -> str:
        """The replicates that were left out, and the test sets on which the metric is undefined."""
        dropped = "".join(f"; {count:,} left out: {reason}" for reason, count in self.missing.items())
        undefined = "".join(
            f"; {self.metric.report_title} of {name} undefined on {count_text(often, 'test set')}, counted as"
            f" {int(not self.metric.higher_is_better)}"
            for name, often in self.undefined.items()
        )
        return f"{dropped}{undefined}"

    def describe(self) -> str:
        """Return a description of the splits, those left out, and those on which the metric is undefined."""
        return f"{self.summarize()}{self.gaps}"


def _take_learners(array: FloatArray, positions: Any, dimensions: int) -> FloatArray:
    """Return the entries of learners from the one or two learner dimensions before replicate and fold."""
    chosen = np.asarray(positions)
    if dimensions == 1:
        return array[..., chosen, :, :]
    return array[..., chosen[..., :, None], chosen[..., None, :], :, :]


# Parts that need losses by example, and the kind of plan that includes them.
_OF_EXAMPLES = {"inner": "nested", "out-of-bag": "bootstrap", "no-information": "bootstrap"}


def _whole_number(name: str, value: Any) -> None:
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and value >= 0):
        raise InvalidEvidence(f"`{name}` must be a whole number, 0 if unknown, got {value!r}.")


def _are_shares(loss: FloatArray) -> bool:
    """Return whether all losses are from 0 to 1; false for NaN."""
    return bool(loss.min() >= -1e-9 and loss.max() <= 1 + 1e-9)


def _is_complete(loss: FloatArray, *, ragged: bool) -> bool:
    """Return whether all losses are finite, but for NaN at the end of the row of a learner with fewer seeds."""
    if not ragged:
        return bool(np.isfinite(loss).all())
    known = np.isfinite(loss)
    ends = known[..., :1, :].all() and (known[..., 1:, :] <= known[..., :-1, :]).all()
    return bool(ends and (known | np.isnan(loss)).all())


def _of_grid(plan: Plan, grid: tuple[int, ...]) -> Plan:
    """Return the plan with its number of runs; raise InvalidEvidence if the losses follow another plan."""
    design = replace(plan, replicates=plan.replicates or grid[0], folds=plan.folds or grid[1])
    if design.kind in {"k-fold", "nested"} and (design.replicates, design.folds) != grid:
        raise InvalidEvidence(
            f"`loss` must have {design.replicates} replicates of {design.folds} folds for plan {plan.name!r}, got"
            f" {grid[0]}"
            f" of {grid[1]}."
        )
    return design
