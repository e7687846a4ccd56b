"""A table of scores of learners on many data sets."""

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
from ..typing_ import SOURCES, BoolArray, FloatArray, IntArray, list_names
from .base import Scope, Table, Unit, positions_of
from .of_learners import OfLearners, as_floats, as_metric_of_losses, as_names, check_bounds
from .score_cells import as_datasets, as_rho, by_data_set, letters, ranked, share_tested

if TYPE_CHECKING:
    from .resamples import Resamples

_DIGITS = 13  # to which scores are compared, so that 0.888 − 0.882 equals 0.006
_LEAST = -307  # the exponent of the smallest float with full precision
_TENS = np.array([float(f"1e{power}") for power in range(309)])


_LISTED = 6  # cells without a score that a sentence names
_SCORE = Metric(name="score")
_MEAN_RANK = Metric(name="mean rank", higher_is_better=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class ScoreTable(OfLearners):
    """The loss of each learner on each of many data sets, in one run or several.

    All data sets have equal weight. A missing cell is NaN; two learners are compared on the data sets with a score of
    both, and every answer reports the others. `from_scores` takes arrays of scores, `from_resamples` the results of
    cross-validation, and `read_scores` files.

    Parameters
    ----------
    loss
        By learner, data set and run, along the last three dimensions; NaN for a missing run or cell.
        All learners have the same split in a run.
    datasets, learners
        Their names.
    metric
        The metric that the losses represent, or its name; an unknown name is that of the loss itself.
    rho
        The correlation of the runs of a data set, by data set: the fraction of examples in a test set, 0.1 for 10-fold
        cross-validation; 0 for independent runs. NaN if it is unknown.

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
    sources_covered: ClassVar = SOURCES  # test data, training data and learner runs differ between data sets
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
                f"`loss` must have {count_text(len(names), 'learner')}, {count_text(len(datasets), 'data set')} and"
                f" runs as last dimensions, got shape {loss.shape}."
            )
        if np.isinf(loss).any():
            raise InvalidEvidence(
                "`scores` must be finite, got an infinite one. Leave the cell empty if it is missing."
            )
        self._set_fields(metric=as_metric_of_losses(self.metric))
        if self.metric.is_rate and (np.nanmin(loss, initial=0.0) < 0 or np.nanmax(loss, initial=0.0) > 1):
            raise InvalidEvidence(
                f"`scores` of metric 'error' must be from 0 to 1, got"
                f" {(np.nanmin(loss) if np.nanmin(loss) < 0 else np.nanmax(loss)):.6g}. Divide percentages by 100, or"
                " name"
                " the metric."
            )
        empty = np.isnan(loss).all(axis=(-2, -1))
        if empty.any():
            who = names[int(np.argwhere(empty)[0][-1])]
            raise InvalidEvidence(f"every learner must have a score on a data set, got none for {who!r}. Leave it out.")
        check_bounds(self.metric, loss)
        self._set_fields(loss=loss, datasets=datasets, learners=names, rho=as_rho(self.rho, len(datasets)))

    # --- From scores and from resamples ------------------------------------------------------------------------

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
        """Return the table from scores that were computed elsewhere.

        Parameters
        ----------
        scores
            By data set and learner, or by data set, learner and run; or by the name of the learner, a list with one
            score (or a list of runs) for each data set. NaN (or None) for a missing one.
        learners, datasets
            Their names. Default: letters and numbers.
        metric, higher_is_better
            The name and direction of the metric. For "error" lower is always better.
        bounds
            The bounds of the scores, such as (0, 1).
        rho
            The correlation of the runs of a data set: 0.1 for 10-fold cross-validation, 0 for independent runs; one
            number, or one for each data set.

        Examples
        --------
        >>> table = ScoreTable.from_scores([[0.9, 0.8], [0.7, 0.75]], ["svm", "nb"], ["iris", "wine"])
        >>> table.describe(), table.levels.tolist()
        ('2 data sets', [0.8, 0.775])
        """
        if isinstance(scores, Mapping):
            if learners is not None and tuple(learners) != tuple(scores):
                raise InvalidEvidence("`learners` must be the keys of `scores`, got other names. Leave `learners` out.")
            learners, scores = tuple(scores), by_data_set(scores)
        values = as_floats("scores", scores)
        if values.ndim == 2:
            values = values[..., None]
        if values.ndim != 3:
            raise InvalidEvidence(
                f"`scores` must be by data set and learner, or by data set, learner and run, got shape {values.shape}."
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
        """Return the table of the losses of learners on the splits of several data sets, by name of the data set.

        A learner without results on a data set has no score there. The correlation of the runs of a data set is
        the fraction of examples in its test sets.

        Examples
        --------
        >>> from tellapart import Resamples
        >>> resamples = Resamples.from_scores([0.9, 0.8], [0.7, 0.9], plan="2-fold", examples=100)
        >>> table = ScoreTable.from_resamples({"iris": resamples, "wine": resamples})
        >>> table.describe(), table.rho
        ('2 data sets, 2 runs per data set', array([0.5, 0.5]))
        """
        if not isinstance(resamples, Mapping) or not resamples:
            raise InvalidEvidence(
                "`resamples` must be a mapping from data sets to Resamples, such as {'iris': resamples}."
            )
        first = next(iter(resamples.values()))
        learners = tuple(dict.fromkeys(name for evidence in resamples.values() for name in evidence.learners))
        for name, evidence in resamples.items():
            if evidence.shape or evidence.metric.title != first.metric.title:
                raise InvalidEvidence(
                    f"all data sets must have the same metric, got {evidence.metric.name!r} for {name!r} and"
                    f" {first.metric.name!r} for another."
                )
        most = max(evidence.runs for evidence in resamples.values())
        loss = np.full((len(learners), len(resamples), most), np.nan)
        for column, evidence in enumerate(resamples.values()):
            rows = [learners.index(name) for name in evidence.learners]
            loss[rows, column, : evidence.runs] = evidence.loss.reshape(len(rows), -1)
        rho = np.array([share_tested(evidence) for evidence in resamples.values()])
        return cls(loss, tuple(resamples), learners, metric=first.metric, rho=rho)

    # --- Figures for methods -----------------------------------------------------------------------------

    @property
    def cells(self) -> FloatArray:
        """The mean loss over runs, by data set and learner; NaN without runs. Equal means are equal floats."""
        return self.worth(self._whole_steps)

    @property
    def _step_exponent(self) -> IntArray:
        """The power of ten to which losses are compared: the 13th digit of the largest."""
        largest = np.fmax.reduce(np.abs(self.loss), axis=(-3, -2, -1))  # fmax ignores NaN
        with np.errstate(divide="ignore"):
            exponent = np.where(largest > 0, np.ceil(np.log10(largest)), 0.0)
        # Fewer digits are compared for numbers so small that floats have fewer.
        power: IntArray = np.maximum(exponent - _DIGITS, _LEAST).astype(np.int64)
        return power

    @property
    def _step_size(self) -> FloatArray:
        """The step to which losses are compared."""
        return self.worth(np.ones(self.shape))

    def worth(self, steps: FloatArray) -> FloatArray:
        """Return steps in units of the loss, as the floats nearest to their decimal values.

        Negative powers of ten are not exact as floats, but their inverses are: steps below 1 are divided by them.

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
        """The mean loss over the runs, by learner and data set."""
        if self.loss.shape[-1] == 1:
            return self.loss[..., 0]
        return _mean_of(np.nansum(self.loss, axis=-1), np.count_nonzero(~np.isnan(self.loss), axis=-1))

    @property
    def _whole_steps(self) -> FloatArray:
        """The cells in whole steps, by data set and learner: their differences are exact."""
        return np.round(np.swapaxes(self._run_means, -1, -2) / self._step_size[..., None, None])

    @property
    def known(self) -> BoolArray:
        """Which cells have a score, by data set and learner."""
        return np.swapaxes(~np.isnan(self.loss).all(axis=-1), -1, -2)

    @property
    def differences(self) -> FloatArray:
        """loss(A) − loss(B) of two learners by data set, with exact ties; NaN if a score is missing.

        Positive: B is better on that data set.
        """
        return self.worth(self.steps()[0])

    def steps(self, against: float = 0.0) -> tuple[FloatArray, FloatArray]:
        """Return loss(A) − loss(B) − against by data set in whole steps, and the size of a step.

        In whole steps differences of decimal scores are exact, so that ranks have the right ties.

        Examples
        --------
        >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92], "tree": [0.85, 0.7, 0.9]}, metric="accuracy")
        >>> whole, step = table.steps(against=0.01)
        >>> (whole * step).round(4)
        array([ 0.03, -0.01, -0.03])
        """
        if len(self.learners) != 2:
            raise InvalidEvidence(f"differences need two learners, got {list_names(self.learners)}. Use select(a, b).")
        unit = self._step_size
        means = self._run_means / unit[..., None, None]
        np.round(means, out=means)
        whole = means[..., 0, :] - means[..., 1, :]
        if against:
            with np.errstate(over="ignore"):  # larger than all differences
                whole = whole - np.round(against / unit)[..., None]
        return whole, unit

    @property
    def resolution(self) -> FloatArray:
        """The smallest difference between two scores (means over runs); 0 if all are equal."""
        whole = np.sort(self._whole_steps.reshape(*self.shape, -1), axis=-1)
        gaps = np.diff(whole, axis=-1)
        least = np.min(np.where(gaps > 0, gaps, np.inf), axis=-1, initial=np.inf)
        return self.worth(np.where(np.isfinite(least), least, 0.0))[()]

    @property
    def wins(self) -> tuple[IntArray, IntArray, IntArray]:
        """The numbers of data sets on which A is better, neither is, and B is."""
        differences = self.differences
        a, tied, b = (
            np.count_nonzero(which, axis=-1) for which in (differences < 0, differences == 0, differences > 0)
        )
        return np.asarray(a)[()], np.asarray(tied)[()], np.asarray(b)[()]

    @property
    def compared(self) -> IntArray:
        """The number of data sets on which all learners have a score."""
        return np.asarray(np.count_nonzero(self.known.all(axis=-1), axis=-1))[()]

    @property
    def runs(self) -> IntArray:
        """The number of runs that all learners have in common, by data set."""
        together = ~np.isnan(self.loss).any(axis=-3)
        return np.asarray(np.count_nonzero(together, axis=-1))[()]

    @property
    def ranks(self) -> FloatArray:
        """The midranks by data set and learner, 1 for the best.

        If k of all L learners have a score, their ranks are spread evenly over 1 to L, so that learners gain nothing
        from a missing competitor.
        """
        ranks = ranked(self._whole_steps)
        count = np.count_nonzero(self.known, axis=-1, keepdims=True)
        total = len(self.learners)
        scaled = (ranks - 0.5) * np.divide(total, count, where=count > 0, out=np.ones(count.shape)) + 0.5
        return np.where(count == total, ranks, scaled)

    @property
    def mean_ranks(self) -> FloatArray:
        """The mean rank of each learner over the data sets on which it has a score."""
        ranks = self.ranks
        mean: FloatArray = np.nansum(ranks, axis=-2) / np.count_nonzero(~np.isnan(ranks), axis=-2)
        return mean

    @property
    def rank_by(self) -> FloatArray:
        """The mean ranks, which order a ranking, as scores of different data sets are not comparable."""
        return self.mean_ranks

    @property
    def rank_metric(self) -> Metric:
        """The metric that a ranking shows: the mean rank."""
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
        """The mean loss of each learner over the data sets on which all have a score; NaN if there are none."""
        cells, common = self.cells, np.asarray(self.known.all(axis=-1))
        total = np.where(common[..., None], cells, 0.0).sum(axis=-2)
        return _mean_of(total, np.expand_dims(np.count_nonzero(common, axis=-1), -1))

    @property
    def difference(self) -> FloatArray:
        """The mean of loss(A) − loss(B) over the data sets on which both have a score; positive: B is better."""
        return _mean_of(np.nansum(self.differences, axis=-1), self.compared)[()]

    @property
    def complete(self) -> bool:
        """Whether every learner has a score on every data set."""
        return bool(self.known.all())

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The cells without a score, as data set and learner, of one table."""
        return tuple((self.datasets[row], self.learners[column]) for row, column in np.argwhere(~self.known))

    def completed(self) -> Self:
        """Return the table of the data sets on which all learners have a score."""
        common = np.flatnonzero(self.known.all(axis=-1))
        if self.shape or not common.size:
            raise InvalidEvidence(
                "at least one data set must have a score of every learner, got none. Leave out a learner."
            )
        return self.only(*(self.datasets[index] for index in common))

    def only(self, *datasets: str) -> Self:
        """Return the table of these data sets, in this order.

        Examples
        --------
        >>> table = ScoreTable.from_scores([[0.9, 0.8], [0.7, 0.75]], ["svm", "nb"], ["iris", "wine"])
        >>> table.only("wine").differences
        array([0.05])
        """
        positions = positions_of(datasets, self.datasets, "data set")
        rho = None if self.rho is None else self.rho[positions]
        return replace(self, loss=self.loss[..., positions, :], datasets=datasets, rho=rho)

    def runs_of(self, name: str, rho: float | None = None) -> FloatArray:
        """Return the correlation of the runs of each data set; raise InvalidOption if it is unknown."""
        known = self.rho if rho is None else as_rho(rho, len(self.datasets))
        if known is None or np.isnan(known).any():
            raise InvalidOption(
                f"`rho`, the correlation of runs, is required by method {name!r}. Use rho=0.1 for 10-fold"
                " cross-validation,"
                " rho=0 for independent runs."
            )
        return known

    # --- The protocol of evidence -----------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of data sets."""
        return len(self.datasets)

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the default method: a posterior if there is a region of practical equivalence."""
        if goal == "estimate":
            raise InvalidEvidence(
                f"an estimate needs one data set, got a table of {len(self.datasets)}. Compare the learners, or"
                " estimate each"
                " data set separately."
            )
        return "bayesian-signed-rank" if goal == "test" and "rope" in (options or {}) else self.defaults[goal]

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the table determines."""
        return {"domains": "many", "subject": "learner", "task": "choose", "models": len(self.learners)}

    def recommend(self, gives: str = "") -> str:
        """Return no recommendation."""
        return ""

    def scope(self, method: str = "") -> Scope:
        """Return the scope of the answer."""
        return Scope("data sets like these, equally weighted", exclusion="any single data set")

    @property
    def value_kind(self) -> Literal["plain"]:
        """The kind of scale for scores: their original one."""
        return "plain"

    def summarize(self) -> str:
        """Return the number of data sets, and how many scores are missing."""
        count = len(self.datasets)
        datasets = count_text(count, "data set")
        common = count if self.shape else int(self.compared)
        if common < count and len(self.learners) == 2:
            return f"{common:,} of {datasets} ({count - common:,} without a score of both)"
        return datasets if common == count else f"{datasets} ({count_text(len(self.missing), 'cell')} without a score)"

    def data_row(self, lead: int = 0) -> str:
        """Return the metric and the number of runs; for two learners also the number of data sets."""
        most = self.loss.shape[-1]
        runs = "" if most == 1 else f", {'' if self.runs.min() == most else 'up to '}{most} runs per data set"
        count = f", {self.summarize()}" if len(self.learners) <= 2 or self.missing else ""
        return f"{self.metric.report_title}{count}{runs}{self.gaps}"

    def describe(self) -> str:
        """Return a description of the data sets, and the number of runs on each."""
        most = self.loss.shape[-1]
        if self.shape or most == 1:
            return self.summarize()
        return f"{self.summarize()}, {'' if self.runs.min() == most else 'up to '}{most} runs per data set"

    def figures(self) -> dict[str, Any]:
        """Return the cells without a score, for a ranking."""
        return {"missing": [list(cell) for cell in self.missing]} if len(self.learners) > 2 else {}

    @property
    def gaps(self) -> str:
        """The cells without a score."""
        cells = self.missing
        if not cells:
            return ""
        named = ", ".join(f"{learner} on {dataset}" for dataset, learner in cells[:_LISTED])
        more = f" and {len(cells) - _LISTED:,} more" if len(cells) > _LISTED else ""
        return f"; no score of {named}{more}"

    def as_dict(self) -> dict[str, Any]:
        """Return the evidence by name, for JSON: the scores by data set, learner and run."""
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

    def _select_models(self, positions: Any, learners: tuple[str, ...]) -> Self:
        return replace(self, loss=self.loss[..., positions, :, :], learners=learners)


def _mean_of(total: FloatArray, count: IntArray) -> FloatArray:
    """Return total / count; NaN if the count is 0."""
    mean: FloatArray = np.divide(total, count, where=count > 0, out=np.full(np.shape(total), np.nan))
    return mean
