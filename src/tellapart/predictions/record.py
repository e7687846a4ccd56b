"""Predictions: a table and the parts its columns play, which folds itself into evidence."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self, TypeVar

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ClassScores, ConfusionMatrix, ErrorCount, ErrorPatterns, Outcomes, PairedConfusion, PairedTable
from ..rendering import html_rows
from ..typing_ import one_of
from . import folding, scoring
from .class_scores import ScoreTally, score_tally
from .disagreements import Disagreements, as_limit, disagreements
from .engine import EngineFailed, Frame, as_lazy, clear_errors, kind, part_name, refuse_mixed, told
from .exactness import refuse_inexact_ids, refuse_inexact_joins
from .layout import PARTS, join_by_id, of_one_type, refuse_repeated_ids, spread, wide
from .roles import Roles
from .scoring import Errors, OutcomeTally, Scored
from .tally import CrossTally, Tally
from .troubles import Missing

Found = TypeVar("Found", Tally, CrossTally, Disagreements, OutcomeTally, ScoreTally)
MOST_MODELS = 62  # whose outcomes fit one integer


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Predictions:
    """A table of predictions, of any size and on any engine, with the parts its columns play.

    Nothing is read before a fold, such as `paired_table`; then its engine counts, in one pass, the columns
    that the fold needs. Make it by `Predictions.of` from a table, or by `read_predictions` from files.

    With a group column every fold has one entry for each of its values, in order; `tally` tells them.

    Examples
    --------
    >>> predictions = Predictions.of({"label": [0, 1, 1, 0], "a": [0, 1, 0, 0], "b": [0, 1, 1, 0]})
    >>> predictions.paired_table("a", "b")
    PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=3, models=('a', 'b'))
    >>> predictions.error_counts().errors
    array([1, 0])
    """

    frame: Frame  # lazy, a row for each example, columns under our own names (see layout.py)
    models: tuple[str, ...]
    names: Mapping[str, str]  # what the user calls label, id, group, weight
    correct: bool = False
    labels: tuple[Any, ...] | None = None
    missing: Missing = "fail"
    source: str = "the table"  # what errors call it
    scored: Scored | None = None  # what the numbers in the models' columns are, where they are scores
    errors: Errors | None = None
    notes: tuple[str, ...] = ()  # what the logs it was read from want said
    columns: tuple[str, ...] = ()  # all that the user's table has, for errors to name
    # The same with every value read with care, for when the engine stumbles over one; that takes longer.
    careful: Callable[[], Predictions] | None = None

    @classmethod
    def of(
        cls,
        frame: Any,
        *,
        label: str | None = None,
        models: str | Iterable[str] | None = None,
        id: str | None = None,  # noqa: A002  # the name users give it
        group: str | None = None,
        model: str | None = None,
        prediction: str | None = None,
        correct: bool = False,
        weight: str | None = None,
        labels: Iterable[Hashable] | None = None,
        missing: Missing = "fail",
        scores: Scored | bool | str = False,
        epoch: str | None = None,
        cluster: str | None = None,
        sampling_weight: str | None = None,
        proof: str | None = None,
        errors: Errors | None = None,
    ) -> Self:
        """Take a table of pandas, polars, pyarrow, DuckDB, Dask or PySpark, or a dictionary of columns.

        Parameters
        ----------
        frame
            Wide: a row for each example and a column for each model. Long: a row for each prediction, with
            the columns `id`, `model` and `prediction` (recognised by these names, or told).
        label
            The column of true labels; one called "label", if left out.
        models
            The models; if left out, all columns that have a name and no other part (long: all that occur,
            in alphabetical order, since not every engine keeps an order of rows).
        id
            The column that tells examples apart. If given, a repeated id is an error; finding one takes a
            pass of its own, and memory for the ids.
        group
            A column for whose every value the counts are taken apart, in the same pass.
        model, prediction
            The columns of the long layout.
        correct
            Whether the models' columns say if each was right: booleans, 0 and 1, or the texts true and false.
        weight
            A column of whole numbers up to 2**53: how many examples a row stands for.
        labels
            The values that labels and predictions may have; others are treated as missing.
        missing
            What becomes of a prediction that is not there (null, NaN, the empty text): "fail" (an error that
            says how many there are), "wrong" (it counts as an error), "drop" (the example is left out for all
            models, and counted in `tally().excluded`). A label that is not there is never "wrong".
        scores
            Whether the models' columns hold a score of each example, higher being better: True, or what the score is
            called. They fold into `outcomes`; so do the parts below.
        epoch
            A column that tells repeats of one example apart. They are repeats, not examples.
        cluster
            A column that says which examples belong together, such as the passage that questions are about.
        sampling_weight
            A column of positive numbers: how much an example counts in the mean.
        proof
            A column that must agree where ids do, such as a hash of the example.
        errors
            What becomes of an example without a score, where there are scores: "fail", "wrong" (it counts as the worst
            score) or "drop" (it is left out for all models). If left out: as "drop" where all models share them, else
            as "fail".
        """
        told_parts = {"label": label, "id": id, "group": group, "weight": weight}
        told_parts |= {"epoch": epoch, "cluster": cluster, "sampling_weight": sampling_weight, "proof": proof}
        if epoch is not None and id is None:
            raise InvalidOption(
                f"epoch={epoch!r} tells repeats of one example apart; say which column names it: id='...' (--id)."
            )
        with clear_errors():
            table = as_lazy(frame)
            columns = table.collect_schema().names()
            roles = Roles.recognised(columns, models=models, model=model, prediction=prediction, **told_parts)
            refuse_mixed(table, roles.columns)
            ours, found = spread(table, roles) if roles.is_long else wide(table, roles)
        parts = {part: getattr(roles, part) for part in told_parts}
        return cls(
            frame=ours,
            models=found,
            names={part: name for part, name in parts.items() if name is not None},
            correct=correct,
            labels=_different(labels),
            columns=tuple(map(str, columns)),
            missing=one_of("missing", missing, Missing),
            scored=_as_scored(scores, correct=correct),
            errors=None if errors is None else one_of("errors", errors, Errors),
        )

    @classmethod
    def joined(cls, tables: Mapping[str, Predictions]) -> Self:
        """Join tables of the same examples by id: each name and its predictions.

        Ids that are in one table only are missing predictions of the others. A model's name that several
        tables have becomes the name of the table (and stays behind it, where the table has more models).

        Examples
        --------
        >>> old = Predictions.of({"id": [1, 2], "label": ["x", "z"], "prediction": ["x", "x"]}, id="id")
        >>> new = Predictions.of({"id": [2, 1], "label": ["z", "x"], "prediction": ["z", "x"]}, id="id")
        >>> Predictions.joined({"old": old, "new": new}).paired_table()
        PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=1, models=('old', 'new'))
        """
        if len(tables) < 2:
            raise InvalidEvidence(f"tables must be at least two, but there is {len(tables)}.")
        first = next(iter(tables.values()))
        for name, table in tables.items():
            if "id" not in table.names:
                raise InvalidOption(
                    f"tables are joined by id, but {name!r} has none. Say which column it is: id='...'."
                )
            if table.policies != first.policies:
                raise InvalidOption("tables that are joined must agree on correct=, labels=, missing= and errors=.")
            table.refuse_repeated_ids()
        _same_engine_and_kinds(tables)
        refuse_inexact_joins({name: table.frame for name, table in tables.items()}, ("id", "epoch", *PARTS))
        frames = of_one_type([table.frame for table in tables.values()])
        whole, models = frames[0], _telling_names(tables)
        size = len(first.models)
        for table, frame in zip([*tables.values()][1:], frames[1:], strict=True):
            whole = join_by_id(whole, size, frame, len(table.models))
            size += len(table.models)
        names = {part: name for table in reversed([*tables.values()]) for part, name in table.names.items()}
        careful = None
        if any(table.careful for table in tables.values()):
            careful = partial(_joined_with_care, tables)
        return cls(
            frame=whole,
            models=models,
            names=names,
            correct=first.correct,
            labels=first.labels,
            missing=first.missing,
            careful=careful,
            scored=_one_score(tables),
            errors=first.errors,
            columns=tuple(dict.fromkeys(name for table in tables.values() for name in table.columns)),
            notes=tuple(dict.fromkeys(note for table in tables.values() for note in table.notes)),
        )

    @property
    def policies(self) -> tuple[Any, ...]:
        """What tables must agree on to be joined."""
        return self.correct, self.labels, self.missing, self.errors, self.scored is None

    @property
    def by_example(self) -> bool:
        """Whether counts cannot carry what is told: scores, repeats, clusters or weights. It folds into outcomes."""
        return self.scored is not None or not {"epoch", "cluster", "sampling_weight"}.isdisjoint(self.names)

    def tally(self, *models: str, patterns: bool = True) -> Tally:
        """Count in one pass who of these models (all, if left out) was wrong where, and what was left out.

        Without `patterns` only each model's errors are counted, which is faster for three models and more.
        """
        chosen = self._chosen(models)
        self._refuse_by_example()
        if patterns and len(chosen) > MOST_MODELS:
            raise InvalidOption(
                f"patterns are counted for at most {MOST_MODELS} models, but these are {len(chosen)}. Choose some, or"
                " say patterns=False for the errors of each."
            )
        return self._counted(lambda table: folding.tally(table, chosen, patterns=patterns))

    def cross_tally(self, *models: str) -> CrossTally:
        """Count in one pass which label these models (all, if left out) took for which, and what was left out.

        Examples
        --------
        >>> table = Predictions.of({"label": list("xyyz"), "a": list("xyyy"), "b": list("xxyz"), "c": list("xyyz")})
        >>> table.cross_tally().label_patterns().pair("a", "c").by("f1-macro").levels.round(3)
        array([0.6, 1. ])
        """
        chosen = self._chosen(models)
        self._refuse_by_example()
        if self.correct:
            raise InvalidOption("correct=True tells right from wrong, but not which label was taken for which.")
        return self._counted(lambda table: folding.cross_tally(table, chosen))

    def outcome_tally(self, *models: str) -> OutcomeTally:
        """Collect what every example gave of these models (all, if left out), and what was left out or filled in.

        Examples
        --------
        >>> columns = {"id": [1, 1, 2, 2], "epoch": [1, 2, 1, 2], "a": [1, 0, 1, None], "b": [1, 1, 0, 0]}
        >>> table = Predictions.of(columns, id="id", epoch="epoch", models=["a", "b"], scores=True, errors="wrong")
        >>> found = table.outcome_tally()
        >>> found.outcomes.means, found.reasons
        (array([0.5, 0.5]), {'unscored answers of a (2) (counted as wrong)': 1})
        """
        chosen = self._chosen(models)
        return self._found(lambda table: scoring.outcome_tally(table, chosen))

    def outcomes(self, *models: str) -> Outcomes:
        """Return what every example gave of these models (all, if left out)."""
        return self.outcome_tally(*models).outcomes

    def class_score_tally(self, *models: str, positive: Hashable = None) -> ScoreTally:
        """Collect the scores that these models (all, if left out) gave, and what was left out.

        Examples
        --------
        >>> table = Predictions.of({"label": [0, 1, 1], "a": [0.2, 0.7, None], "b": [0.1, 0.4, 0.6]}, missing="drop")
        >>> table.class_score_tally().reasons
        {'missing score of a': 1}
        """
        with clear_errors(self.source):
            self.refuse_repeated_ids()
        return self._found(lambda table: score_tally(table, models, positive))

    def class_scores(self, *models: str, positive: Hashable = None) -> ClassScores:
        """Return the scores that these models (all, if left out) gave to every example.

        The models' columns hold the score of the positive class. With more than two labels there is a column for each
        class, called MODEL:CLASS (or with _ . / - between), unless `positive` says of which class a single one is.

        Parameters
        ----------
        models
            The models.
        positive
            The class that is looked for; of two labels the last in order, if left out.

        Examples
        --------
        >>> columns = {"label": ["ham", "spam", "ham"], "old": [0.4, 0.3, 0.2], "new": [0.3, 0.6, 0.1]}
        >>> Predictions.of(columns).class_scores()
        ClassScores(old, new: auc, 3 examples, 1 of them spam)
        """
        return self.class_score_tally(*models, positive=positive).scores

    def error_counts(self) -> ErrorCount:
        """Return the errors of each model, along the last dimension."""
        return self.tally(patterns=False).error_counts()

    def paired_table(self, a: str | None = None, b: str | None = None) -> PairedTable:
        """Return who of two models was wrong where; the only two, if left out."""
        return self.tally(*self._pair(a, b)).paired_table()

    def error_patterns(self) -> ErrorPatterns:
        """Return every pattern of right and wrong among all models."""
        return self.tally().error_patterns()

    def confusion_matrix(self, model: str | None = None) -> ConfusionMatrix:
        """Return which label a model took for which; the only model, if left out."""
        if model is None and len(self.models) != 1:
            raise InvalidOption(f"say which model is meant: one of {told(self.models)}.")
        return self.cross_tally(*(self.models if model is None else (model,))).confusion_matrix()

    def paired_confusion(self, a: str | None = None, b: str | None = None) -> PairedConfusion:
        """Return which label two models took for which; the only two, if left out."""
        return self.cross_tally(*self._pair(a, b)).paired_confusion()

    def disagreements(
        self, a: str | None = None, b: str | None = None, limit: int = 50, *, tally: Tally | None = None
    ) -> Disagreements:
        """Return the first examples that only one of two models gets right, and how many there are.

        The rows are found by a second, filtered read: what is handed over is `limit` rows, whatever the table's size.

        Parameters
        ----------
        a, b
            The models; the only two, if left out.
        limit
            How many rows at most, from 1 to 10000: the first by id; where there is none by the number of the row, or
            (DuckDB, Dask, Spark) by label and predictions.
        tally
            What `tally` has counted of this table, if it was asked before: nothing is counted again then.

        Examples
        --------
        >>> columns = {"label": [0, 1, 1, 0], "old": [0, 1, 0, 1], "new": [0, 0, 1, 1]}
        >>> print(Predictions.of(columns).disagreements("old", "new"))
        they disagree  only one of old and new is right on 2 examples; 2 rows shown, by row number
        <BLANKLINE>
        row  label  old  new  right
        2    1      1    0    old
        3    1      0    1    new
        """
        most, (a, b) = as_limit(limit), self._pair(a, b)
        counted = self.tally(a, b) if tally is None else tally
        total = int(counted.paired_table(a, b).disagreements.sum())
        return self._found(lambda table: disagreements(table, a, b, total, most))

    def _repr_html_(self) -> str:
        columns = [(part, name) for part, name in self.names.items()]
        return html_rows("Predictions", [("models", ", ".join(self.models)), *columns, ("missing", self.missing)])

    def __repr__(self) -> str:
        parts = "".join(f", {part}={name!r}" for part, name in self.names.items())
        return f"Predictions(models={self.models!r}{parts}, missing={self.missing!r})"

    def _counted(self, count: Callable[[Predictions], Found]) -> Found:
        """Return the counts of this table, in which no id occurs twice."""
        with clear_errors(self.source):
            self.refuse_repeated_ids()
        return self._found(count)

    def _found(self, ask: Callable[[Predictions], Found]) -> Found:
        """Return what this table says; what the one read with care says, if its engine cannot read this one."""
        with clear_errors(self.source):
            try:
                return ask(self)
            except EngineFailed:
                if self.careful is None:
                    raise
            return ask(self.careful())

    def _pair(self, a: str | None, b: str | None) -> tuple[str, str]:
        if a is None and b is None and len(self.models) == 2:
            return self.models[0], self.models[1]
        if a is None or b is None or a == b:
            raise InvalidOption(f"say which two models are meant: two of {told(self.models)}.")
        return a, b

    def _chosen(self, models: tuple[str, ...]) -> tuple[str, ...]:
        if not self.models:
            raise InvalidEvidence("the table has no column of predictions. Say which ones are: models=[...].")
        for name in models:
            if name not in self.models:
                raise InvalidOption(f"model must be one of {told(self.models)}, but is {name!r}.")
        if len(set(models)) != len(models):
            raise InvalidOption(f"models must be different, but are {models!r}.")
        return models or self.models

    def _refuse_by_example(self) -> None:
        """Refuse to count where counts would lose what matters."""
        if self.by_example:
            what = [part for part in ("epoch", "cluster", "sampling_weight") if part in self.names] or ["score"]
            raise InvalidOption(f"counts cannot carry the {what[0]} of each example. Take outcomes(), or leave it out.")

    def refuse_repeated_ids(self) -> None:
        """Raise an error if an id is declared and occurs more than once, or is missing."""
        put_together = any(name.startswith(("again", "absent")) for name in self.frame.collect_schema().names())
        if "id" in self.names and not put_together:  # where rows were put together by id, this was seen on the way
            refuse_inexact_ids(self.frame, self.names)
            refuse_repeated_ids(self.frame, part_name(self.names, "id"))


def _different(labels: Iterable[Hashable] | None) -> tuple[Any, ...] | None:
    if labels is None:
        return None
    known = tuple(labels)
    if len(known) < 2 or len(set(known)) != len(known) or isinstance(labels, str):
        raise InvalidOption(f"labels must be two or more different values, but is {labels!r}.")
    return known


def _as_scored(scores: Scored | bool | str, *, correct: bool) -> Scored | None:
    if scores is False:
        return None
    if correct:
        raise InvalidOption("scores and correct cannot both be: columns say how good or whether right. Leave one out.")
    if isinstance(scores, Scored):
        return scores
    if scores is True:
        return Scored()
    if not isinstance(scores, str) or not scores:
        raise InvalidOption(f"scores must be True, False or what the score is called, but is {scores!r}.")
    return Scored(metric=scores)


def _one_score(tables: Mapping[str, Predictions]) -> Scored | None:
    """Return what the scores of all tables are, or refuse to compare different ones."""
    first, found = next((name, table.scored) for name, table in tables.items())
    for name, table in tables.items():
        here = table.scored
        if found is None or here is None:  # all are, or none is: the policies agree
            return None
        if here.metric != found.metric:
            raise InvalidOption(
                f"scores must be of one kind to be compared, but are {found.metric!r} in {first!r} and {here.metric!r}"
                f" in {name!r}. Choose one that both have: metric='...' (--metric)."
            )
        if here.higher_is_better != found.higher_is_better:
            raise InvalidOption(
                f"{found.metric!r} is better the higher it is in one of {first!r} and {name!r}, and the lower in the"
                " other. Were they made by different versions? Make one run anew."
            )
        if here.bounds != found.bounds:
            if here.bounds and found.bounds:
                raise InvalidOption(
                    f"{found.metric!r} is on different scales: from {found.bounds[0]:g} to {found.bounds[1]:g} in"
                    f" {first!r} and from {here.bounds[0]:g} to {here.bounds[1]:g} in {name!r}. Convert one."
                )
            found = replace(found, bounds=None)  # what is not known of one is not known of all
    return found


def _joined_with_care(tables: Mapping[str, Predictions]) -> Predictions:
    return Predictions.joined({name: table.careful() if table.careful else table for name, table in tables.items()})


def _telling_names(tables: Mapping[str, Predictions]) -> tuple[str, ...]:
    """Return the models' names, those that several tables have told apart by the table's."""
    often = [name for table in tables.values() for name in table.models]
    names = []
    for title, table in tables.items():
        alone = len(table.models) == 1
        names += [name if often.count(name) == 1 else title if alone else f"{title}/{name}" for name in table.models]
    if len(set(names)) != len(names):
        raise InvalidOption(f"models must have different names, but are {told(names)}. Name the tables otherwise.")
    return tuple(names)


def _same_engine_and_kinds(tables: Mapping[str, Predictions]) -> None:
    """Refuse tables that cannot be joined because their engines, or what their columns hold, differ."""
    engines = {name: str(table.frame.implementation) for name, table in tables.items()}
    if len(set(engines.values())) > 1:
        raise InvalidEvidence(
            f"tables are joined on one engine, but these are on {told(sorted(set(engines.values())))}. Convert one."
        )
    for part in ("id", "epoch", *PARTS):
        seen: dict[str, str] = {}
        for name, table in tables.items():
            schema = table.frame.collect_schema()
            if part in schema and kind(schema[part]):
                seen.setdefault(kind(schema[part]), name)
        if len(seen) > 1:
            (here, first), (there, second) = list(seen.items())[:2]
            raise InvalidEvidence(
                f"the {part.replace('_', ' ')} holds {here} in {first!r} and {there} in {second!r}, which never agree."
                " Convert one to the other; a text file can be read with text=True (--text)."
            )
