"""Learners on many samples of a population: true errors and resampling estimates on each.

A calibration asks how often a method is right. Here the samples themselves are kept, one entry of evidence each, so
that an estimate can be laid beside the truth that it estimates: the true error of the classifier of this very sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np

from ..errors import InvalidOption
from ..evidence import Plan, Resamples
from ..methods import find_method
from ..typing_ import BoolArray, FloatArray, IntArray, as_generator
from .design import flag, whole
from .designs.sample_folding import divided, losses_of, sizes, with_folds
from .inducers.batched import Inducer, as_inducer
from .plan_views import natural_plan
from .populations.base import Population

_MOST_NUMBERS = 3_000_000  # numbers of training sets that are held at once
_KINDS = ("k-fold", "random", "bootstrap", "apparent", "loo-star")
_PARTS = ("loo", "apparent", "632*100", "2-fold*100")  # what the plan "loo-star" is made of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SampledLearners:
    """Results of learners on many samples.

    Parameters
    ----------
    learners
        Their names.
    true_errors
        By sample and learner: the error on the whole population of what was learnt from all examples of the sample.
    evidence
        By the name of the plan, the `Resamples` of all samples, an entry each; the learners share their splits.

    Examples
    --------
    >>> from tellapart.lab import NearestNeighbours, TwoNormals
    >>> pair = {"1-NN": NearestNeighbours(1), "3-NN": NearestNeighbours(3)}
    >>> found = sample_learners(TwoNormals(0.1), pair, 30, ["loo", "10-fold"], samples=500)
    >>> found.evidence["10-fold"].shape, found.estimates("kfold").shape
    ((500,), (500, 2))
    """

    learners: tuple[str, ...]
    true_errors: FloatArray
    evidence: Mapping[str, Resamples]

    def estimates(self, method: str, *, plan: str | None = None, **options: Any) -> FloatArray:
        """Return a method's estimates of the error, by sample and learner.

        Parameters
        ----------
        method
            Its name: "loo", "kfold", "632", …
        plan
            The plan that it reads; the one that it was made for, if left out.
        options
            The method's own.
        """
        offer = find_method(method, "estimate", Resamples)
        name = Plan.parse(plan or natural_plan(offer)).name
        if name not in self.evidence:
            raise InvalidOption(
                f"method {method!r} needs the plan {name!r}, got {', '.join(self.evidence) or 'none'}. Name one of"
                " these as `plan`."
            )
        evidence = self.evidence[name]
        return np.stack([offer(evidence.select(learner), **options) for learner in self.learners], axis=-1)

    def __repr__(self) -> str:
        plans = ", ".join(self.evidence)
        return f"SampledLearners({', '.join(self.learners)}: {len(self.true_errors)} samples by {plans})"


def sample_learners(
    population: Population,
    inducers: Mapping[str, Inducer] | Sequence[Inducer],
    examples: int,
    plans: Sequence[str] = (),
    *,
    samples: int = 1000,
    stratify: bool = False,
    rng: Any = 0,
) -> SampledLearners:
    """Return true errors and resampling evidence of learners on samples of a population.

    Every plan has its own random numbers, which do not depend on the other plans.

    Parameters
    ----------
    population
        The population of examples.
    inducers
        The learners by name, or a sequence of learners with their own names.
    examples
        The number of examples of a sample.
    plans
        The splits of each sample: "loo", "10-fold", "2-fold*100", "632", "apparent", "30x(2/3)", …; "loo-star" includes
        its parts ("loo", "apparent", "632*100", "2-fold*100") at no cost.
    samples
        The number of samples.
    stratify
        Whether folds and random splits have the class shares of the sample, as far as possible.
    rng
        A seed, or a NumPy generator.

    Examples
    --------
    The apparent error of the nearest neighbour is 0, and .632 gives it a weight of more than one third:

    >>> from tellapart.lab import NearestNeighbours, TwoNormals
    >>> found = sample_learners(TwoNormals(0.25), [NearestNeighbours(1)], 50, ["632", "10-fold"], samples=500)
    >>> bias = {name: found.estimates(name) - found.true_errors for name in ("kfold", "632")}
    >>> bool(abs(bias["kfold"].mean()) < 0.01), bool(bias["632"].mean() < -0.05)
    (True, True)
    """
    if not isinstance(population, Population):
        raise InvalidOption(f"`population` must be one of tellapart.lab, such as TwoNormals(0.1), got {population!r}.")
    named = inducers if isinstance(inducers, Mapping) else {each.name: each for each in _name_learners(inducers)}
    learners = {name: as_inducer(f"inducers[{name!r}]", each) for name, each in named.items()}
    if not learners or len(learners) < len(inducers):
        raise InvalidOption(
            "`inducers` must be at least one learner, with different names. Use a dictionary: {'a': …}."
        )
    examples, samples = whole("examples", examples, 2), whole("samples", samples)
    stratify = flag("stratify", stratify)
    parsed_plans = [_resolve_plan(name, examples) for name in plans]
    seed = int(as_generator(rng).integers(2**63))
    X, y = population.draw((samples,), examples, np.random.default_rng(seed))  # noqa: N806
    sampled = _DrawnSamples(population, learners, X, y, seed, stratify)
    evidence: dict[str, Resamples] = {}
    for plan in parsed_plans:
        for name in _PARTS if plan.kind == "loo-star" else (plan.name,):
            if name not in evidence:
                evidence[name] = sampled.resamples(_resolve_plan(name, examples))
        if plan.kind == "loo-star":
            evidence[plan.name] = _loo_star(plan, evidence)
    return SampledLearners(learners=tuple(learners), true_errors=sampled.true_errors(), evidence=evidence)


def _name_learners(inducers: Any) -> list[Inducer]:
    try:
        learners = list(inducers)
    except TypeError:
        raise InvalidOption(f"`inducers` must be a dictionary or a sequence of learners, got {inducers!r}.") from None
    return [as_inducer("inducers", each) for each in learners]


def _resolve_plan(name: str, examples: int) -> Plan:
    """Return a plan with its number of folds filled in; raise InvalidOption if it cannot be drawn."""
    plan = Plan.parse(name)
    if plan.kind not in _KINDS:
        raise InvalidOption(
            f"`plans` must be cross-validations ('10-fold', 'loo', '2-fold*100'), random splits ('30x(2/3)'), '632',"
            f" 'apparent' or 'loo-star', got {name!r}."
        )
    if plan.kind in {"k-fold", "random"}:
        sizes(plan, examples)  # which says if there are too few examples
    return with_folds(plan, examples)


# --- Training on parts of samples -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _DrawnSamples:
    """Samples, and the learners to be trained on them."""

    population: Population
    learners: Mapping[str, Inducer]
    X: FloatArray
    y: IntArray
    seed: int
    stratify: bool

    def true_errors(self) -> FloatArray:
        """Return the true errors by sample and learner, a portion at a time."""
        errors = []
        for some in self._sample_portions(max(self.population.points, self.y.shape[-1] * self.X.shape[-1])):
            fitted = (each.fit(self.X[some], self.y[some]) for each in self.learners.values())
            errors.append(np.stack([self.population.true_error(each) for each in fitted], axis=-1))
        return np.concatenate(errors)

    def resamples(self, plan: Plan) -> Resamples:
        """Return the resamples of a plan on all samples."""
        rng = np.random.default_rng([self.seed, crc32(plan.name.encode())])
        make: Callable[[slice, Plan, np.random.Generator], Resamples] = {
            "apparent": self._apparent_resamples,
            "bootstrap": self._bootstrap_resamples,
        }.get(plan.kind, self._fold_resamples)
        numbers = plan.replicates * max(self.y.shape[-1] * self.X.shape[-1], 4 * plan.folds)
        return _join_portions([make(some, plan, rng) for some in self._sample_portions(numbers)])

    def _sample_portions(self, each: int) -> Iterator[slice]:
        """Yield the samples in portions that limit memory."""
        step = max(1, _MOST_NUMBERS // max(each, 1))
        for start in range(0, len(self.y), step):
            yield slice(start, min(start + step, len(self.y)))

    def _fold_resamples(self, some: slice, plan: Plan, rng: np.random.Generator) -> Resamples:
        X, y = self.X[some], self.y[some]  # noqa: N806
        groups = divided(plan, y, rng, stratify=self.stratify)
        losses = losses_of(list(self.learners.values()), X, y, groups, (plan.replicates, plan.folds))
        return losses.resamples(plan, y.shape[-1], tuple(self.learners))

    def _apparent_resamples(self, some: slice, plan: Plan, rng: np.random.Generator) -> Resamples:  # noqa: ARG002
        X, y = self.X[some], self.y[some]  # noqa: N806
        wrong = np.stack([each.fit(X, y).predict(X) != y for each in self.learners.values()], axis=1)
        both = np.einsum("sin,sjn->sij", wrong, wrong, dtype=float)
        size = np.array([[float(y.shape[-1])]])
        return self._make_resamples(plan, wrong.mean(axis=-1)[..., None, None], size, size, both[..., None, None])

    def _bootstrap_resamples(self, some: slice, plan: Plan, rng: np.random.Generator) -> Resamples:
        """Return the resamples of bootstrap training sets, tested on the examples left out."""
        X, y = self.X[some], self.y[some]  # noqa: N806
        drawn, out = _draw_bootstrap((*y.shape[:1], plan.replicates), y.shape[-1], rng)
        rows = np.arange(len(y))[:, None, None]
        known, labels = X[rows, drawn], y[rows, drawn]
        inputs, truth = X[:, None], y[:, None]
        wrong = np.stack([each.fit(known, labels).predict(inputs) != truth for each in self.learners.values()], axis=1)
        wrong &= out[:, None]
        left = out.sum(axis=-1)  # by sample and replicate
        loss = wrong.sum(axis=-1) / left[:, None]
        # Evidence has one size for a test set, whatever the entry, so that it is the average here.
        test, train = left.mean(axis=0)[:, None], np.full((plan.replicates, 1), float(y.shape[-1]))
        parts = {
            "apparent": self._apparent_resamples(some, Plan.parse("apparent"), rng),
            "out-of-bag": self._left_out(wrong, out),
        }
        return replace(self._make_resamples(plan, loss[..., None], test, train, None), parts=parts)

    def _left_out(self, wrong: BoolArray, out: BoolArray) -> Resamples:
        """Return each example's mean loss over the bootstrap samples without it."""
        often = out.sum(axis=1)[:, None]
        loss = wrong.sum(axis=2) / np.maximum(often, 1)
        # An example that was never left out is unknown: the mean of the others stands for it, and changes nothing.
        known = loss.sum(axis=-1, keepdims=True) / (often > 0).sum(axis=-1, keepdims=True)
        loss = np.where(often > 0, loss, known)[..., None, :]
        one = np.ones((1, out.shape[-1]))
        plan = Plan(f"632*{out.shape[1]} out-of-bag", "splits", 1, out.shape[-1])
        return self._make_resamples(plan, loss, one, one * out.shape[-1], loss[:, :, None] * loss[:, None])

    def _make_resamples(self, plan: Plan, loss: Any, test: FloatArray, train: FloatArray, together: Any) -> Resamples:
        names = tuple(self.learners)
        return Resamples(loss, test, train, plan, names, together=together, examples=self.y.shape[-1])


def _draw_bootstrap(shape: tuple[int, int], examples: int, rng: np.random.Generator) -> tuple[IntArray, BoolArray]:
    """Return bootstrap samples and the examples left out, at least one, as in a race."""
    drawn = rng.integers(examples, size=(*shape, examples))
    out = np.ones((*shape, examples), dtype=bool)
    np.put_along_axis(out, drawn, values=False, axis=-1)
    while not (some := out.any(axis=-1)).all():
        again = rng.integers(examples, size=(int((~some).sum()), examples))
        drawn[~some] = again
        there = np.ones(again.shape, dtype=bool)
        np.put_along_axis(there, again, values=False, axis=-1)
        out[~some] = there
    return drawn, out


def _loo_star(plan: Plan, evidence: Mapping[str, Resamples]) -> Resamples:
    """Return leave-one-out, bootstrap and repeated halves as parts of the plan "loo-star"."""
    parts = {"apparent": "apparent", "632": "632*100", "2-fold*100": "2-fold*100"}
    return replace(evidence["loo"], plan=plan, parts={part: evidence[name] for part, name in parts.items()})


def _join_portions(resamples: Sequence[Resamples]) -> Resamples:
    """Return the entries of several portions as one."""
    first = resamples[0]
    if len(resamples) == 1:
        return first
    share = np.array([len(each.loss) for each in resamples]) / sum(len(each.loss) for each in resamples)
    joint = [each.together for each in resamples if each.together is not None]
    return replace(
        first,
        loss=np.concatenate([each.loss for each in resamples]),
        test=np.tensordot(share, np.stack([each.test for each in resamples]), axes=1),
        together=np.concatenate(joint) if joint else None,
        parts={name: _join_portions([each.parts[name] for each in resamples]) for name in first.parts},
    )
