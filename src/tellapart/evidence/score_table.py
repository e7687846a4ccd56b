"""How learners did on many data sets: a table of scores, data sets by learners."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..figures import count_text
from ..metrics import Metric
from ..rendering import plain
from ..typing_ import SOURCES, BoolArray, FloatArray, IntArray
from .base import Scope, Table, Unit, positions_of
from .of_learners import OfLearners, as_floats, as_metric_of_losses, as_names, check_bounds
from .score_cells import as_datasets, as_rho, by_data_set, letters, ranked, share_tested

if TYPE_CHECKING:
    from .resamples import Resamples

_DIGITS = 13  # to which scores are compared: 0.888 − 0.882 and 0.006 are one difference, which floats do not know
_LEAST = -307  # the exponent of the smallest float that has all digits
_TENS = np.array([float(f"1e{power}") for power in range(309)])


_LISTED = 6  # cells that a sentence can name
_SCORE = Metric(name="score")
_MEAN_RANK = Metric(name="mean rank", higher_is_better=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class ScoreTable(OfLearners):
    """The loss of each learner on each of many data sets, in one run or several.

    Every data set counts once, however large it is. A cell that is missing is NaN; two learners are compared on the
    data sets that both have a score on, and every answer says which were left out. `from_scores` takes scores of which
    more is better (or less), `from_resamples` what races left, and `read_scores` files.

    Parameters
    ----------
    loss
        By learner, data set and run, along the last three dimensions; NaN where a run (or the whole cell) is missing.
        Run by run, all learners met the same split.
    datasets, learners
        Their names.
    metric
        The metric that the losses stand for, or its name; a name that is not known is that of the loss itself.
    rho
        How the runs of one data set go together, by data set: the share of the examples that a run tested, which is 0.1
        for 10-fold cross-validation; 0 for runs that share nothing. NaN where nobody has told.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92], "tree": [0.85, 0.7, 0.9]}, metric="accuracy")
    >>> table.differences, table.wins
    (array([ 0.04,  0.  , -0.02]), (np.int64(1), np.int64(1), np.int64(1)))
    """

    loss: FloatArray
    datasets: tuple[str, ...]
    learners: tuple[str, ...] = ("A", "B")
    metric: Metric = _SCORE
    rho: FloatArray | None = None
    unit: ClassVar = Unit("data set", "benchmark")
    deep = ("loss",)
    accepts: ClassVar = frozenset({"margin", "hypothesis", "looks", "control", "difference"})
    question: ClassVar = 9
    sources_covered: ClassVar = (
        SOURCES  # every data set brings its own test data, training data and runs of the learner
    )
    defaults: ClassVar = {
        "interval": "wilcoxon-signed-rank",
        "test": "wilcoxon-signed-rank",
        "margin": "wilcoxon-signed-rank",
        "adjust": "holm",
    }

    def __post_init__(self) -> None:
        loss, names = as_floats("loss", self.loss), as_names(self.learners)
        datasets = as_datasets(self.datasets)
        if loss.ndim < 3 or loss.shape[-3:-1] != (len(names), len(datasets)) or 0 in loss.shape:
            raise InvalidEvidence(
                f"loss must have learners, data sets and runs as its last dimensions, for {len(names)} learners and"
                f" {len(datasets)} data sets, but has shape {loss.shape}."
            )
        if np.isinf(loss).any():
            raise InvalidEvidence("scores must be finite, but one is infinite. Leave the cell empty if it is missing.")
        self._set_fields(metric=as_metric_of_losses(self.metric))
        if self.metric.is_rate and (np.nanmin(loss, initial=0.0) < 0 or np.nanmax(loss, initial=0.0) > 1):
            raise InvalidEvidence(
                "metric 'error' is a share from 0 to 1, but a score is outside. Divide percents by 100, or name the"
                " metric."
            )
        empty = np.isnan(loss).all(axis=(-2, -1))
        if empty.any():
            who = names[int(np.argwhere(empty)[0][-1])]
            raise InvalidEvidence(f"learner {who!r} has no score on any data set. Leave it out.")
        check_bounds(self.metric, loss)
        self._set_fields(loss=loss, datasets=datasets, learners=names, rho=as_rho(self.rho, len(datasets)))

    # --- Where it comes from ------------------------------------------------------------------------

    @classmethod
    def from_scores(
        cls,
        scores: Any,
        learners: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
        *,
        metric: str = "score",
        higher_is_better: bool = True,
        bounds: tuple[float, float] | None = None,
        rho: Any = None,
    ) -> Self:
        """Return the table of scores that were computed elsewhere.

        Parameters
        ----------
        scores
            By data set and learner, or by data set, learner and run; or by the name of the learner, a list with one
            score (or a list of runs) for each data set. NaN (or None) where there is none.
        learners, datasets
            Their names; letters and numbers, if left out.
        metric, higher_is_better
            What the scores are, and which way is better. Errors ("error") are always better when there are fewer.
        bounds
            Between what scores lie, such as (0, 1).
        rho
            How the runs of a data set go together: 0.1 for 10-fold cross-validation, 0 for runs that share nothing; one
            number, or one for each data set.

        Examples
        --------
        >>> table = ScoreTable.from_scores([[0.9, 0.8], [0.7, 0.75]], ["svm", "nb"], ["iris", "wine"])
        >>> table.describe(), table.levels.tolist()
        ('2 data sets', [0.8, 0.775])
        """
        if isinstance(scores, Mapping):
            if learners is not None and tuple(learners) != tuple(scores):
                raise InvalidEvidence("learners are the names that the scores have. Leave learners out.")
            learners, scores = tuple(scores), by_data_set(scores)
        values = as_floats("scores", scores)
        if values.ndim == 2:
            values = values[..., None]
        if values.ndim != 3:
            raise InvalidEvidence(
                "scores must be by data set and learner, or by data set, learner and run, but has shape"
                f" {values.shape}."
            )
        many, count = values.shape[:2]
        up = bool(higher_is_better) and metric != "error"
        called = "error" if metric == "error" else as_metric_of_losses(metric, higher_is_better=up, bounds=bounds)
        return cls(
            loss=np.moveaxis(-values if up else values, 1, 0),
            datasets=tuple(str(1 + index) for index in range(many)) if datasets is None else tuple(datasets),
            learners=tuple(letters(count)) if learners is None else tuple(learners),
            metric=as_metric_of_losses(called),
            rho=rho,
        )

    @classmethod
    def from_resamples(cls, resamples: Mapping[str, Resamples]) -> Self:
        """Return the table of what learners did on the splits of several data sets, by name of the data set.

        Learners that were not tried on one of them have no score there. How the splits of a data set go together is
        known from the sizes of its training and test sets.

        Examples
        --------
        >>> from tellapart import Resamples
        >>> resamples = Resamples.from_scores([0.9, 0.8], [0.7, 0.9], plan="2-fold", examples=100)
        >>> table = ScoreTable.from_resamples({"iris": resamples, "wine": resamples})
        >>> table.describe(), table.rho
        ('2 data sets; 2 runs each', array([0.5, 0.5]))
        """
        if not isinstance(resamples, Mapping) or not resamples:
            raise InvalidEvidence("resamples must be given by the name of their data set, as {'iris': resamples, …}.")
        first = next(iter(resamples.values()))
        learners = tuple(dict.fromkeys(name for evidence in resamples.values() for name in evidence.learners))
        for name, evidence in resamples.items():
            if evidence.shape or evidence.metric.title != first.metric.title:
                raise InvalidEvidence(
                    f"all data sets must be of one metric, but {name!r} is of {evidence.metric.name!r} and another of"
                    f" {first.metric.name!r}."
                )
        most = max(evidence.runs for evidence in resamples.values())
        loss = np.full((len(learners), len(resamples), most), np.nan)
        for column, evidence in enumerate(resamples.values()):
            rows = [learners.index(name) for name in evidence.learners]
            loss[rows, column, : evidence.runs] = evidence.loss.reshape(len(rows), -1)
        rho = np.array([share_tested(evidence) for evidence in resamples.values()])
        return cls(loss, tuple(resamples), learners, metric=first.metric, rho=rho)

    # --- What methods see -----------------------------------------------------------------------------

    @property
    def cells(self) -> FloatArray:
        """The mean loss over runs, by data set and learner; NaN where there is none. Equal means are equal floats."""
        return self.worth(self._whole_steps)

    @property
    def _step_exponent(self) -> IntArray:
        """The power of ten to which losses are compared: the 13th digit of the largest."""
        largest = np.fmax.reduce(np.abs(self.loss), axis=(-3, -2, -1))  # which looks past NaN
        with np.errstate(divide="ignore"):
            exponent = np.where(largest > 0, np.ceil(np.log10(largest)), 0.0)
        # Of numbers so small that floats have fewer digits, fewer are compared.
        power: IntArray = np.maximum(exponent - _DIGITS, _LEAST).astype(np.int64)
        return power

    @property
    def _step_size(self) -> FloatArray:
        """The step to which losses are compared."""
        return self.worth(np.ones(self.shape))

    def worth(self, steps: FloatArray) -> FloatArray:
        """Return what so many steps are in units of the loss, to the last digit as it would be written.

        Powers of ten have no last digit as floats, their inverses do: a step is divided by, and never multiplied with,
        where it is less than 1.

        Examples
        --------
        >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 16.0], "tree": [0.85, 0.7, 0.0]})
        >>> whole, step = table.steps()
        >>> table.worth(whole), whole[2] * step
        (array([  0.04,   0.  , -16.  ]), np.float64(-15.999999999999998))
        """
        steps = np.asarray(steps)
        exponent = np.reshape(self._step_exponent, self.shape + (1,) * (steps.ndim - len(self.shape)))
        value: FloatArray = steps * _TENS[np.maximum(exponent, 0)] / _TENS[np.maximum(-exponent, 0)]
        return value

    @property
    def _run_means(self) -> FloatArray:
        """The mean loss over the runs there are, by learner and data set."""
        if self.loss.shape[-1] == 1:
            return self.loss[..., 0]
        return _mean_of(np.nansum(self.loss, axis=-1), np.count_nonzero(~np.isnan(self.loss), axis=-1))

    @property
    def _whole_steps(self) -> FloatArray:
        """The cells in whole steps, by data set and learner: their differences are exact."""
        return np.round(np.swapaxes(self._run_means, -1, -2) / self._step_size[..., None, None])

    @property
    def known(self) -> BoolArray:
        """Which cells there are, by data set and learner."""
        return np.swapaxes(~np.isnan(self.loss).all(axis=-1), -1, -2)

    @property
    def differences(self) -> FloatArray:
        """The loss(A) − loss(B) of two learners by data set, ties exact; NaN where one of them has no score.

        Positive: B is better there.
        """
        return self.worth(self.steps()[0])

    def steps(self, against: float = 0.0) -> tuple[FloatArray, FloatArray]:
        """Return loss(A) − loss(B) − against by data set in whole steps, and the size of a step.

        Whole numbers are equal, opposite or 0 where the scores as they are written are: ranks see ties where they are.

        Examples
        --------
        >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92], "tree": [0.85, 0.7, 0.9]}, metric="accuracy")
        >>> whole, step = table.steps(against=0.01)
        >>> (whole * step).round(4)
        array([ 0.03, -0.01, -0.03])
        """
        if len(self.learners) != 2:
            raise InvalidEvidence(
                f"two learners are wanted, but these are {', '.join(self.learners)}. Take them out by select(a, b)."
            )
        unit = self._step_size
        means = self._run_means / unit[..., None, None]
        np.round(means, out=means)
        whole = means[..., 0, :] - means[..., 1, :]
        if against:
            with np.errstate(over="ignore"):  # beyond all differences, however far
                whole = whole - np.round(against / unit)[..., None]
        return whole, unit

    @property
    def resolution(self) -> FloatArray:
        """The smallest step between two different scores (means over runs); 0 where all are the same."""
        whole = np.sort(self._whole_steps.reshape(*self.shape, -1), axis=-1)
        gaps = np.diff(whole, axis=-1)
        least = np.min(np.where(gaps > 0, gaps, np.inf), axis=-1, initial=np.inf)
        return self.worth(np.where(np.isfinite(least), least, 0.0))[()]

    @property
    def wins(self) -> tuple[IntArray, IntArray, IntArray]:
        """On how many data sets A is better, neither is, and B is."""
        differences = self.differences
        a, tied, b = (
            np.count_nonzero(which, axis=-1) for which in (differences < 0, differences == 0, differences > 0)
        )
        return np.asarray(a)[()], np.asarray(tied)[()], np.asarray(b)[()]

    @property
    def compared(self) -> IntArray:
        """On how many data sets all of the learners have a score."""
        return np.asarray(np.count_nonzero(self.known.all(axis=-1), axis=-1))[()]

    @property
    def runs(self) -> IntArray:
        """How many runs there are of all learners together, by data set."""
        together = ~np.isnan(self.loss).any(axis=-3)
        return np.asarray(np.count_nonzero(together, axis=-1))[()]

    @property
    def ranks(self) -> FloatArray:
        """The place of each learner by data set and learner, 1 for the best; learners that tie share theirs.

        Where k of all L learners have a score, their places are spread over 1 to L alike, so that a missing rival
        is no gain.
        """
        places = ranked(self._whole_steps)
        count = np.count_nonzero(self.known, axis=-1, keepdims=True)
        total = len(self.learners)
        scaled = (places - 0.5) * np.divide(total, count, where=count > 0, out=np.ones(count.shape)) + 0.5
        return np.where(count == total, places, scaled)

    @property
    def mean_ranks(self) -> FloatArray:
        """The mean place of each learner over the data sets it has a score on."""
        ranks = self.ranks
        mean: FloatArray = np.nansum(ranks, axis=-2) / np.count_nonzero(~np.isnan(ranks), axis=-2)
        return mean

    @property
    def rank_by(self) -> FloatArray:
        """The mean ranks, which order a ranking: scores of different data sets are of different size."""
        return self.mean_ranks

    @property
    def rank_metric(self) -> Metric:
        """What a ranking shows of each learner: its mean rank."""
        return _MEAN_RANK

    @property
    def rank_levels(self) -> FloatArray:
        """The mean ranks."""
        return self.mean_ranks

    @property
    def rank_spread(self) -> float:
        """The standard error of a mean rank."""
        count = len(self.learners)
        return float(np.sqrt(count * (count + 1) / (6 * len(self.datasets))))

    @property
    def losses(self) -> FloatArray:
        """The mean loss of each learner over the data sets that all have a score on; NaN if there is none."""
        cells, common = self.cells, np.asarray(self.known.all(axis=-1))
        total = np.where(common[..., None], cells, 0.0).sum(axis=-2)
        return _mean_of(total, np.expand_dims(np.count_nonzero(common, axis=-1), -1))

    @property
    def difference(self) -> FloatArray:
        """The mean of loss(A) − loss(B) over the data sets that both have a score on; positive: B is better."""
        return _mean_of(np.nansum(self.differences, axis=-1), self.compared)[()]

    @property
    def complete(self) -> bool:
        """Whether every learner has a score on every data set."""
        return bool(self.known.all())

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The cells without a score, as data set and learner; of one table."""
        return tuple((self.datasets[row], self.learners[column]) for row, column in np.argwhere(~self.known))

    def completed(self) -> Self:
        """Return the data sets that all learners have a score on."""
        common = np.flatnonzero(self.known.all(axis=-1))
        if self.shape or not common.size:
            raise InvalidEvidence("there is no data set that every learner has a score on. Leave out a learner.")
        return self.only(*(self.datasets[index] for index in common))

    def only(self, *datasets: str) -> Self:
        """Return these data sets, in this order.

        Examples
        --------
        >>> table = ScoreTable.from_scores([[0.9, 0.8], [0.7, 0.75]], ["svm", "nb"], ["iris", "wine"])
        >>> table.only("wine").differences
        array([0.05])
        """
        places = positions_of(datasets, self.datasets, "data set")
        rho = None if self.rho is None else self.rho[places]
        return replace(self, loss=self.loss[..., places, :], datasets=datasets, rho=rho)

    def runs_of(self, name: str, rho: float | None = None) -> FloatArray:
        """Return how the runs of each data set go together, or say that method `name` has to know it."""
        known = self.rho if rho is None else as_rho(rho, len(self.datasets))
        if known is None or np.isnan(known).any():
            raise InvalidOption(
                f"method {name!r} has to know how the runs of a data set go together: rho=0.1 for 10-fold"
                " cross-validation (the share of the examples that a run tests), rho=0 for runs that share nothing."
            )
        return known

    # --- What readers see -----------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of data sets."""
        return len(self.datasets)

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the method; a region of practical equivalence wants a posterior."""
        if goal == "estimate":
            raise InvalidEvidence(
                "an error is of one data set, but this table is of many. Compare its learners, or estimate each data"
                " set by itself."
            )
        return "bayesian-signed-rank" if goal == "test" and "rope" in (options or {}) else self.defaults[goal]

    def traits(self) -> dict[str, Any]:
        """Return what the table answers of the nine questions of `advise`."""
        return {"domains": "many", "subject": "learner", "task": "choose", "models": len(self.learners)}

    def recommend(self) -> str:
        """Return what to take instead of a method that is forbidden: nothing is named."""
        return ""

    def scope(self, method: str = "") -> Scope:
        """Return what the answer applies to."""
        return Scope("data sets like these, equally weighted", exclusion="any single data set")

    @property
    def value_kind(self) -> Literal["plain"]:
        """How scores are written: on the scale they came in."""
        return "plain"

    def summarize(self) -> str:
        """Return on how many data sets an answer depends, and how many scores are missing."""
        count = len(self.datasets)
        datasets = count_text(count, "data set")
        common = count if self.shape else int(self.compared)
        if common < count and len(self.learners) == 2:
            return f"{common:,} of {datasets} ({count - common:,} without a score of both)"
        return datasets if common == count else f"{datasets} ({count_text(len(self.missing), 'cell')} without a score)"

    def data_row(self, lead: int = 0) -> str:
        """Return the metric, how many runs there are on each data set; of two learners also how many data sets."""
        most = self.loss.shape[-1]
        runs = "" if most == 1 else f", {'' if self.runs.min() == most else 'up to '}{most} runs per data set"
        count = f", {self.summarize()}" if len(self.learners) <= 2 or self.missing else ""
        return f"{self.metric.report_title}{count}{runs}{self.gaps}"

    def describe(self) -> str:
        """Return what was observed: the data sets, and how many runs there are on each."""
        most = self.loss.shape[-1]
        if self.shape or most == 1:
            return self.summarize()
        return f"{self.summarize()}, {'' if self.runs.min() == most else 'up to '}{most} runs per data set"

    def figures(self) -> dict[str, Any]:
        """Return the cells without a score, which a ranking tells."""
        return {"missing": [list(cell) for cell in self.missing]} if len(self.learners) > 2 else {}

    @property
    def gaps(self) -> str:
        """Which cells have no score."""
        cells = self.missing
        if not cells:
            return ""
        named = ", ".join(f"{learner} on {dataset}" for dataset, learner in cells[:_LISTED])
        more = f" and {len(cells) - _LISTED:,} more" if len(cells) > _LISTED else ""
        return f"; no score of {named}{more}"

    def as_dict(self) -> dict[str, Any]:
        """Return what was observed by name, for JSON: scores as they were given, by data set, learner and run."""
        scores = np.swapaxes(self.metric.from_loss(self.loss), -3, -2) + 0.0
        single = scores.shape[-1] == 1
        values = {
            "metric": self.metric.name,
            "higher_is_better": self.metric.higher_is_better,
            "learners": list(self.learners),
            "datasets": list(self.datasets),
            "scores": plain(scores[..., 0] if single else scores),
        }
        return values if self.rho is None else values | {"rho": plain(self.rho)}

    def __repr__(self) -> str:
        if self.shape:
            return f"ScoreTable(shape={self.shape})"
        return f"ScoreTable({', '.join(self.learners)}: {self.describe()})"

    def _notebook_table(self) -> Table:
        cells = self.metric.from_loss(self.cells)
        lines = [
            [name, *("" if math.isnan(cell) else f"{cell:.6g}" for cell in row)]
            for name, row in zip(self.datasets, cells.tolist(), strict=True)
        ]
        return f"ScoreTable: {self.metric.title}, {self.describe()}", ["data set", *self.learners], lines

    def _select_models(self, places: Any, learners: tuple[str, ...]) -> Self:
        return replace(self, loss=self.loss[..., places, :, :], learners=learners)


def _mean_of(total: FloatArray, count: IntArray) -> FloatArray:
    """Return the mean of so many values that add up to this; NaN where there is none."""
    mean: FloatArray = np.divide(total, count, where=count > 0, out=np.full(np.shape(total), np.nan))
    return mean
