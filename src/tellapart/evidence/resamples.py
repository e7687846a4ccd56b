"""How learners did on the test sets of a plan, replicate by replicate and fold by fold."""

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
from ..typing_ import SOURCES, FloatArray, Source
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

# By the kind of plan: the test of two learners, and the estimator of one.
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
# Estimators that take the step from the training sets of the plan to all examples.
_OF_ALL = {"632", "632plus", "nested-cv"}
# What differs from one run to the next, by the kind of plan; with every other plan all sources do.
_SOURCES: dict[str, tuple[Source, ...]] = {
    "apparent": (),  # tested on what was trained on
    "delve": ("training data", "learner"),  # one test set for all
    "seeds": ("learner",),
}
NESTED = (
    "Race by the plan 'nested 200x10' ('nested 20x10' has a tenth of the fits, and a width that still depends on how"
    " the examples were split)."
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Resamples(OfLearners):
    """The loss of each learner on every test set of a plan.

    A loss is what is better when it is smaller: the error rate, or 1 − F1. Where predictions were
    kept, `together` tells what any two learners got wrong on the same examples, and nothing
    else of the predictions is needed. `race(...).resamples()` yields it; `from_scores` takes scores that
    were computed elsewhere.

    Parameters
    ----------
    loss
        By learner, replicate and fold, along the last three dimensions.
    test, train
        The size of each test and training set, by replicate and fold.
    plan
        How the examples were divided.
    learners
        Their names.
    metric
        The metric that the losses stand for, or its name; a name that is not known is that of the loss itself.
    together
        By learner, learner, replicate and fold: the sum over the test set of the product of both
        learners' losses. For right and wrong these are counts of examples that both got wrong, and the
        learner's own errors on the diagonal. None where only scores are known.
    examples
        How many examples there are in all; 0 where this is not known.
    seeds, seed_variance
        Over how many seeds of the learner each loss is a mean, and the variance between them, by learner,
        replicate and fold.
    parts
        Resamples of the same learners that the plan holds besides: "apparent", "out-of-bag", "no-information",
        "inner", "halves", or the plan at a smaller share of the training set ("train x 0.5").
    chosen_from
        Of how many candidates the learners are, if they were chosen by these very losses; else 0.
    missing
        How many replicates were left out, by reason.
    undefined
        How often the metric was not defined on a test set, by learner: precision, say, where nothing was predicted
        positive. What then counts is the loss of a score of 0.

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
                f"loss must have learners, replicates and folds as its last dimensions, for {len(names)} learners, but"
                f" has shape {loss.shape}."
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
            raise InvalidEvidence("test must be what a bootstrap sample left out, but is all examples somewhere.")
        for name, dimensions in (("together", 4), ("seed_variance", 3)):
            part = getattr(self, name)
            if part is not None:
                shape = loss.shape[:-3] + (len(names),) * (dimensions - 2) + grid
                if np.shape(part) != shape:
                    raise InvalidEvidence(f"{name} must have shape {shape}, but has {np.shape(part)}.")
                values = as_floats(name, part)
                if not np.isfinite(values).all():
                    raise InvalidEvidence(f"{name} must be finite, but is not everywhere.")
                self._set_fields(**{name: values})

    def _check_losses(self, loss: FloatArray) -> None:
        """Say what is wrong with losses that are not all between 0 and 1, unless it is right for them."""
        if not _is_complete(loss, ragged=self.plan.kind == "seeds"):
            raise InvalidEvidence("loss must be finite, but is not everywhere. Leave out the splits without a score.")
        known = loss[np.isfinite(loss)]
        if self.bounded and not _are_shares(known):
            outside = known[(known < 0) | (known > 1)][0]
            raise InvalidEvidence(
                f"the loss ({self.metric.name}) must lie between 0 and 1, but has {outside:.6g}. Divide percentages by"
                " 100, or name the metric: metric='neg_log_loss'."
            )

    # --- From what people hold --------------------------------------------------------------------

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
        """Take scores that were computed already, one a split, in the order in which scikit-learn yields splits.

        Parameters
        ----------
        a, b
            The scores of A and B on the same splits; of A alone; or, in place of both, a mapping from
            names to scores. One row, or a row for each replicate; dimensions in front make many entries.
        plan
            "10-fold", "10x10", "5x2", "30x(2/3)", …; "seeds" for runs that differ in the learner's seed alone, and
            "independent" for samples that each have test data of their own.
        metric
            What the scores are; "accuracy" and "error" are of the same kind, one the other's complement.
        higher_is_better
            Whether larger scores are better, for a metric that is not known here.
        learners
            What A and B are called.
        examples
            How many examples there are in all, where methods need it.
        test, train
            The sizes of test and training sets, where the plan does not tell them.

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
        """Take what scikit-learn's `cross_validate` returned for each learner, by name.

        With `return_indices=True` it tells the plan itself; else `plan` must.

        Parameters
        ----------
        results
            By the learner's name, the dictionary that `cross_validate` returned.
        plan
            The plan of the splits, if the indices were not kept.
        score
            Which score, where there are several: the scorer's name.
        metric
            What the score is; the scorer's name, or accuracy, if left out.
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
                "results must be what cross_validate returned by the name of each learner: {'lr': cross_validate(...)}."
            )
        for name, result in results.items():
            if not (isinstance(result, Mapping) and key in result):
                known = sorted(map(str, result)) if isinstance(result, Mapping) else type(result).__name__
                raise InvalidEvidence(f"results[{name!r}] has no {key!r}, but {known}. Say which score: score='f1'.")
        indices = [result["indices"] for result in results.values() if "indices" in result]
        sizes: dict[str, Any] = {}
        if indices:
            for index_set in indices[1:]:
                if not all(map(np.array_equal, indices[0]["test"], index_set["test"])):
                    raise InvalidEvidence("the learners were tested on different splits. Give cross_validate one cv.")
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
            raise InvalidOption("plan must be told ('10-fold'), or call cross_validate with return_indices=True.")
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
        """Take the `cv_results_` of scikit-learn's searches: every candidate is a learner.

        What was chosen by these very scores looks better than it is; the evidence remembers of how many.

        Parameters
        ----------
        cv_results
            A fitted search's `cv_results_`.
        plan
            The plan of the search's `cv`: "5-fold" for cv=5.
        candidates
            Which candidates, by number: `[search.best_index_, 0]`. All of them if left out.
        score
            Which score, where there are several: the scorer's name.
        metric
            What the score is; the scorer's name, or accuracy, if left out.
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
                f"cv_results must be a search's results, but is a {type(cv_results).__name__}. Give search.cv_results_."
            )
        splits = 0
        while f"split{splits}_test_{score}" in cv_results:
            splits += 1
        if not splits or "params" not in cv_results:
            raise InvalidEvidence(f"cv_results has no split0_test_{score}. Give a search's cv_results_, or score='f1'.")
        scores = np.stack([np.asarray(cv_results[f"split{index}_test_{score}"]) for index in range(splits)], axis=-1)
        settings = list(cv_results["params"])
        chosen = as_candidates(candidates, len(settings))
        check_same_resources(cv_results, chosen)
        names = [setting_text(settings[index]) for index in chosen]
        if len(set(names)) != len(names) and "iter" in cv_results:  # a successive halving tries survivors again
            names = [f"{name}, iter={cv_results['iter'][index]}" for name, index in zip(names, chosen, strict=True)]
        rows = dict(zip(names, scores[chosen], strict=True))
        if len(rows) != len(chosen):
            raise InvalidOption(f"candidates must be different, but is {candidates!r}.")
        called = metric or ("accuracy" if score == "score" else score)
        resamples = cls.from_scores(rows, plan=plan, metric=called, **options)
        return replace(resamples, chosen_from=len(settings))

    # --- What may be asked of any evidence --------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of test sets."""
        return self.runs

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of variation that the plan can show."""
        return ONE_TEST_SET if self.plan.one_split else _SOURCES.get(self.plan.kind, SOURCES)

    @property
    def samples_overlap(self) -> bool:
        """Whether the splits draw on the same examples."""
        return self.plan.kind != "independent"

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the method that fits the plan: it depends on the design, never on the scores.

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
        # 5x2cv tests no margin, and has no interval of its own.
        return "corrected-resampled-t" if goal in {"interval", "margin"} and test == "5x2cv-t" else test

    def recommend(self) -> str:
        """Return what to take instead of a method that is forbidden."""
        return "'corrected-resampled-t' compares learners by any splits, 'corrected-t-interval' estimates one"

    def _default_test(self) -> str:
        plan = self.plan
        if plan.kind == "apparent":
            raise InvalidEvidence(
                "learners cannot be compared by their errors on the examples they were trained on. Race by '10x10'."
            )
        if plan.kind == "delve":
            raise InvalidEvidence(
                "disjoint training sets share one test set, which splits do not. Take race.training_sets(), or the"
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
        """Return what the losses answer of the nine questions of `advise`; one split made classifiers."""
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
        """Return which of two classifiers was wrong where, if they come from one split and `together` tells."""
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
        """Return what the answer applies to: which training sets, and which examples."""
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
        """Return under which condition the interval of a method is one."""
        return "these examples were new" if method == "apparent" else ""

    def target(self, method: str = "") -> str:
        """Return whose error is estimated: the trained model, or the learner at which training size."""
        name = self.learners[0]
        if method == "apparent" or self.plan.one_split:
            return f"{name}, trained on this training set"
        size = self._trained_on(method)
        return f"{name}, trained on {size}" if size else f"{name}, at the size of these training sets"

    def _trained_on(self, method: str) -> str:
        """Return on what the learners were trained of which the answer speaks; empty where it is not known."""
        if method == "iterated-kfold" and "2-fold*100" in self.parts:  # by "loo-star" it is one of the parts
            return self.parts["2-fold*100"]._trained_on("")  # noqa: SLF001  # of the same class
        if not self.examples or not np.isfinite(self.train).all():
            return ""
        if self.plan.kind == "bootstrap" and method not in _OF_ALL:
            return f"bootstrap samples of {self.examples} examples"
        size = self.examples if method in _OF_ALL else round(float(np.mean(self.train)))
        return f"{size} examples"

    # --- What methods read ------------------------------------------------------------------------

    @property
    def runs(self) -> int:
        """How many test sets there are in all."""
        return int(self.loss.shape[-1] * self.loss.shape[-2])

    @property
    def losses(self) -> FloatArray:
        """The mean loss of each learner, along the last dimension: every split counts alike."""
        if self.plan.kind == "seeds":
            return np.asarray(np.nanmean(self.loss, axis=(-2, -1)))  # a learner of fewer seeds has no more of them
        return np.asarray(self.loss.mean(axis=(-2, -1)))

    @property
    def pooled_losses(self) -> FloatArray:
        """The mean loss of each learner, along the last dimension: every tested example counts alike."""
        weights = np.where(np.isnan(self.loss), 0.0, self.sizes)  # a learner of fewer seeds has no more of them
        means: FloatArray = (np.nan_to_num(self.loss) * weights).sum(axis=(-2, -1)) / weights.sum(axis=(-2, -1))
        return means

    @property
    def estimated_levels(self) -> FloatArray:
        """The metric of each learner, every tested example counting alike."""
        levels: FloatArray = self.metric.from_loss(self.pooled_losses)
        return levels

    @property
    def pooled(self) -> FloatArray:
        """The loss of one learner, or loss(A) − loss(B) of two: every tested example counts alike.

        Examples
        --------
        >>> Resamples.from_scores([0.5, 1.0], plan="2-fold", test=[[2, 1]], train=[[1, 2]]).pooled.round(3)
        np.float64(0.333)
        """
        losses = self.pooled_losses
        return (losses[..., 0] if self.parameter == "error" else losses[..., 0] - losses[..., 1])[()]

    @property
    def sizes(self) -> FloatArray:
        """How much each test set counts: its size, or alike where not all sizes are known."""
        return self.test if np.isfinite(self.test).all() else np.ones_like(self.test)

    @property
    def squares(self) -> FloatArray:
        """By replicate and fold: the sum over the test set of the squared values; needs predictions."""
        together = self.joint
        own = together[..., 0, 0, :, :]
        if self.parameter == "error":
            return own
        return own + together[..., 1, 1, :, :] - 2 * together[..., 0, 1, :, :]

    @property
    def joint(self) -> FloatArray:
        """What the learners got wrong together, or an error that says what keeps it."""
        if self.together is None:
            raise InvalidEvidence(
                f"this needs what the learners got wrong together, but {self._unlike_a_mean()}."
                if not self.metric.is_mean
                else "this needs what the learners got wrong together, but only scores are known."
                " race(...).resamples() keeps it."
            )
        return self.together

    def _unlike_a_mean(self) -> str:
        return f"the metric {self.metric.name!r} is no mean over examples: take error, cost, log-loss or brier"

    @property
    def ratio(self) -> float:
        """The size of a test set for each example trained on, on average; NaN where it is not known.

        A bootstrap sample is as large as the data, but holds no more than the examples that it did not leave out.
        """
        trained = (self.examples or self.train) - self.test if self.plan.kind == "bootstrap" else self.train
        return float(np.mean(self.test / trained))

    def part(self, name: str) -> Resamples:
        """Return what the plan holds besides, or say which plan keeps it."""
        if name not in self.parts:
            plans = {
                "apparent": "Race by the plan '632' or 'apparent'.",
                "out-of-bag": "Race by the plan '632'.",
                "no-information": "Race by the plan '632'.",
                "inner": NESTED,
                "halves": "Race by the plan 'conservative-z'.",
            }
            if name in _OF_EXAMPLES and not self.metric.is_mean and self.plan.kind == _OF_EXAMPLES[name]:
                raise InvalidEvidence(f"{name!r} is made of the losses of examples, but {self._unlike_a_mean()}.")
            remedy = plans.get(name, "Race by the plan 'loo-star'.")
            raise InvalidEvidence(f"the plan {self.plan.name!r} does not keep {name!r}. {remedy}")
        return self.parts[name]

    def _select_models(self, places: Any, learners: tuple[str, ...]) -> Self:
        kept = self._pick_entries(lambda array, own: _take_learners(array, places, own), learners)
        if np.ndim(places) > 1 or not self.undefined:  # every pair is called A and B
            return kept
        return replace(kept, undefined={name: n for name, n in self.undefined.items() if name in learners})

    def __getitem__(self, index: Any) -> Self:
        if not self.shape:
            raise IndexError("this Resamples holds one entry and has nothing to index")
        shape = self.shape
        return self._pick_entries(lambda array, _: entries(array, index, shape), learners=self.learners)

    def _pick_entries(self, pick: Any, learners: tuple[str, ...]) -> Self:
        """Return the same of other learners or entries; `pick` takes an array and its number of learner dimensions."""
        return replace(
            self,
            loss=pick(self.loss, 1),
            together=None if self.together is None else pick(self.together, 2),
            seed_variance=None if self.seed_variance is None else pick(self.seed_variance, 1),
            learners=learners,
            parts={name: part._pick_entries(pick, learners) for name, part in self.parts.items()},  # noqa: SLF001
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, for JSON; parts, and what is not known, are left out."""
        left = {"parts", "plan"} | {name for name in ("missing", "undefined") if not getattr(self, name)}
        known = {name: plain(value) for name, value in self._iterate_fields() if name not in left and value is not None}
        return {"plan": self.plan.name} | known | {"metric": self.metric.name}

    def __repr__(self) -> str:
        shape = f", shape={self.shape}" if self.shape else ""
        return f"Resamples({', '.join(self.learners)}: {self.metric.name} by {self.plan.name}{shape})"

    def summarize(self) -> str:
        """Return on how many examples, and on how many test sets of which design, an answer depends."""
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
        """The replicates that were left out, and where the metric is undefined."""
        dropped = "".join(f"; {count:,} left out: {reason}" for reason, count in self.missing.items())
        undefined = "".join(
            f"; {self.metric.report_title} of {name} undefined on {count_text(often, 'test set')}, counted as"
            f" {int(not self.metric.higher_is_better)}"
            for name, often in self.undefined.items()
        )
        return f"{dropped}{undefined}"

    def describe(self) -> str:
        """Return what was observed: the splits, what was left out of them, and where the metric is undefined."""
        return f"{self.summarize()}{self.gaps}"


def _take_learners(array: FloatArray, places: Any, dimensions: int) -> FloatArray:
    """Take learners out of the one or two learner dimensions before replicate and fold; pairs lead."""
    chosen = np.asarray(places)
    if dimensions == 1:
        return array[..., chosen, :, :]
    return array[..., chosen[..., :, None], chosen[..., None, :], :, :]


# Parts that are made of the losses of examples, and the kind of plan that has them for such losses.
_OF_EXAMPLES = {"inner": "nested", "out-of-bag": "bootstrap", "no-information": "bootstrap"}


def _whole_number(name: str, value: Any) -> None:
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and value >= 0):
        raise InvalidEvidence(f"{name} must be a whole number, or 0 where it is not known, but is {value!r}.")


def _are_shares(loss: FloatArray) -> bool:
    """Whether all losses lie between 0 and 1; NaN does not."""
    return bool(loss.min() >= -1e-9 and loss.max() <= 1 + 1e-9)


def _is_complete(loss: FloatArray, *, ragged: bool) -> bool:
    """Whether all losses are finite; a learner of fewer seeds may have a row that ends, and only ends, in NaN."""
    if not ragged:
        return bool(np.isfinite(loss).all())
    known = np.isfinite(loss)
    ends = known[..., :1, :].all() and (known[..., 1:, :] <= known[..., :-1, :]).all()
    return bool(ends and (known | np.isnan(loss)).all())


def _of_grid(plan: Plan, grid: tuple[int, ...]) -> Plan:
    """Return the plan with what its name leaves open filled in, or say that the losses follow another."""
    design = replace(plan, replicates=plan.replicates or grid[0], folds=plan.folds or grid[1])
    if design.kind in {"k-fold", "nested"} and (design.replicates, design.folds) != grid:
        raise InvalidEvidence(
            f"plan {plan.name!r} has {design.replicates} replicate(s) of {design.folds} folds, but the losses are of"
            f" {grid[0]} by {grid[1]}."
        )
    return design
