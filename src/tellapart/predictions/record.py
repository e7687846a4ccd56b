"""Predictions: a table with the roles of its columns, aggregated into evidence."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self, TypeVar

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ClassScores, ConfusionMatrix, ErrorCount, ErrorPatterns, Outcomes, PairedConfusion, PairedTable
from ..rendering import html_rows
from ..typing_ import one_of
from . import counting, scoring
from .class_scores import ScoreTally, score_tally
from .disagreements import Disagreements, as_limit, disagreements
from .engine import (
    EngineFailed,
    Frame,
    as_lazy,
    describe_role,
    kind,
    quote_names,
    raise_engine_errors,
    refuse_mixed_types,
    unknown_name,
)
from .exactness import refuse_inexact_ids, refuse_inexact_joins
from .layout import EXAMPLE_ROLES, cast_to_common_types, from_long, from_wide, join_by_id, refuse_repeated_ids
from .problems import Missing
from .roles import Roles
from .scoring import Errors, OutcomeTally, Scored
from .tally import CrossTally, Tally

Counted = TypeVar("Counted", Tally, CrossTally, Disagreements, OutcomeTally, ScoreTally)
_IN_MEMORY = "the table"
MOST_MODELS = 62  # the outcomes of which fit one integer


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Predictions:
    """A table of predictions, of any size and on any engine, with the roles of its columns.

    Nothing is read before evidence is requested, such as `paired_table`; then the engine counts the columns that are
    needed, in one pass. Make it by `Predictions.of` from a table, or by `read_predictions` from files.

    With a group column the evidence has one entry for each of its values, in order; `tally` names them.

    Examples
    --------
    >>> predictions = Predictions.of({"label": [0, 1, 1, 0], "a": [0, 1, 0, 0], "b": [0, 1, 1, 0]})
    >>> predictions.paired_table("a", "b")
    PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=3, models=('a', 'b'))
    >>> predictions.error_counts().errors
    array([1, 0])
    """

    frame: Frame  # lazy, a row for each example, columns under internal names (see layout.py)
    models: tuple[str, ...]
    names: Mapping[str, str]  # the user's columns of label, id, group, weight
    correct: bool = False
    labels: tuple[Any, ...] | None = None
    missing: Missing = "fail"
    source: str = _IN_MEMORY  # the name in errors
    scored: Scored | None = None  # the metric of the models' columns, if they hold scores
    errors: Errors | None = None
    notes: tuple[str, ...] = ()  # about the logs it was read from, for readers of the answer
    columns: tuple[str, ...] = ()  # all columns of the user's table, for errors
    sources: Mapping[str, str] = field(default_factory=dict)  # of joined tables: the file of each model, for errors
    # The same with every value read as text first, for values that the engine cannot read; that takes longer.
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
        """Return the predictions in a table of pandas, polars, pyarrow, DuckDB, Dask or PySpark, or in a dictionary.

        Parameters
        ----------
        frame
            Wide: a row for each example and a column for each model. Long: a row for each prediction, with
            the columns `id`, `model` and `prediction` (recognised by these names, or named).
        label
            The column of true labels. Default: one called "label".
        models
            The models. Default: all named columns without another role (long: all values of the model column, in
            alphabetical order, since not every engine keeps the order of rows).
        id
            The column that identifies examples. If named, a repeated id is an error; finding one takes a
            pass of its own, and memory for the ids.
        group
            A column; the counts are taken for each of its values, in the same pass.
        model, prediction
            The columns of the long layout.
        correct
            Whether the models' columns hold 1 (right) or 0 (wrong), or booleans, or the texts true and false.
        weight
            A column of whole numbers up to 2**53: the number of examples that a row stands for.
        labels
            The values that labels and predictions may have; others are treated as missing.
        missing
            How to handle a missing prediction (null, NaN, the empty text): "fail" (an error with the number of them),
            "wrong" (it counts as an error), "drop" (the example is left out for all models, and counted in
            `tally().excluded`). A missing label is never "wrong".
        scores
            Whether the models' columns hold a score for each example, higher being better: True, or the name of the
            score. The evidence is then `outcomes`, as with the roles below.
        epoch
            A column that distinguishes repeats of one example. They are repeats, not examples.
        cluster
            A column of groups of dependent examples, such as the passage that questions are about.
        sampling_weight
            A column of positive numbers: the weight of an example in the mean.
        proof
            A column that must agree for equal ids, such as a hash of the example.
        errors
            How to handle an example without a score: "fail", "wrong" (it counts as the worst score) or "drop" (it is
            left out for all models). Default: "drop" if all models lack the same scores, else "fail".
        """
        names_by_role = {"label": label, "id": id, "group": group, "weight": weight}
        names_by_role |= {"epoch": epoch, "cluster": cluster, "sampling_weight": sampling_weight, "proof": proof}
        if epoch is not None and id is None:
            raise InvalidOption(f"`id` must name the column of examples if there are epochs ({epoch!r}), got none.")
        with raise_engine_errors():
            table = as_lazy(frame)
            columns = table.collect_schema().names()
            roles = Roles.recognise(columns, models=models, model=model, prediction=prediction, **names_by_role)
            refuse_mixed_types(table, roles.columns)
            ours, model_names = from_long(table, roles) if roles.is_long else from_wide(table, roles)
        named_roles = {role: getattr(roles, role) for role in names_by_role}
        return cls(
            frame=ours,
            models=model_names,
            names={role: name for role, name in named_roles.items() if name is not None},
            correct=correct,
            labels=_distinct_labels(labels),
            columns=tuple(map(str, columns)),
            missing=one_of("missing", missing, Missing),
            scored=_as_scored(scores, correct=correct),
            errors=None if errors is None else one_of("errors", errors, Errors),
        )

    @classmethod
    def joined(cls, tables: Mapping[str, Predictions]) -> Self:
        """Return the tables joined by id: predictions for the same examples, by name.

        Ids that are in one table only are missing predictions of the others. A model's name that occurs in several
        tables is replaced by the name of the table (or follows it, if the table has several models).

        Examples
        --------
        >>> old = Predictions.of({"id": [1, 2], "label": ["x", "z"], "prediction": ["x", "x"]}, id="id")
        >>> new = Predictions.of({"id": [2, 1], "label": ["z", "x"], "prediction": ["z", "x"]}, id="id")
        >>> Predictions.joined({"old": old, "new": new}).paired_table()
        PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=1, models=('old', 'new'))
        """
        if len(tables) < 2:
            raise InvalidEvidence(f"`tables` must hold at least two tables, got {len(tables)}.")
        first = next(iter(tables.values()))
        for table in tables.values():
            if "id" not in table.names:
                raise _without_ids(tables)
            if table.policies != first.policies:
                raise InvalidOption("joined tables must agree on `correct`, `labels`, `missing` and `errors`.")
            table.refuse_repeated_ids()
        _same_engine_and_kinds(tables)
        refuse_inexact_joins({name: table.frame for name, table in tables.items()}, ("id", "epoch", *EXAMPLE_ROLES))
        frames = cast_to_common_types([table.frame for table in tables.values()])
        whole, models = frames[0], _distinct_names(tables)
        size = len(first.models)
        for table, frame in zip([*tables.values()][1:], frames[1:], strict=True):
            whole = join_by_id(whole, size, frame, len(table.models))
            size += len(table.models)
        names = {role: name for table in reversed([*tables.values()]) for role, name in table.names.items()}
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
            scored=_shared_score(tables),
            errors=first.errors,
            columns=tuple(dict.fromkeys(name for table in tables.values() for name in table.columns)),
            sources=_sources_of_models(tables, models),
            notes=tuple(dict.fromkeys(note for table in tables.values() for note in table.notes)),
        )

    @property
    def policies(self) -> tuple[Any, ...]:
        """The options that must be equal in tables that are joined."""
        return self.correct, self.labels, self.missing, self.errors, self.scored is None

    @property
    def by_example(self) -> bool:
        """Whether the evidence must be outcomes, because of scores, repeats, clusters or weights."""
        return self.scored is not None or not {"epoch", "cluster", "sampling_weight"}.isdisjoint(self.names)

    def tally(self, *models: str, patterns: bool = True) -> Tally:
        """Return the errors of these models (default: all), counted in one pass, and what was left out.

        Without `patterns` only each model's errors are counted, which is faster for three models and more.
        """
        chosen = self._select_models(models)
        self._refuse_by_example()
        if patterns and len(chosen) > MOST_MODELS:
            raise InvalidOption(
                f"`models` must be at most {MOST_MODELS} to count patterns, got {len(chosen)}. Use"
                f" patterns=False for the"
                " errors of each model."
            )
        return self._count_rows(lambda table: counting.tally(table, chosen, patterns=patterns))

    def cross_tally(self, *models: str) -> CrossTally:
        """Return the predicted labels of these models (default: all) by true label, and what was left out.

        Examples
        --------
        >>> table = Predictions.of({"label": list("xyyz"), "a": list("xyyy"), "b": list("xxyz"), "c": list("xyyz")})
        >>> table.cross_tally().label_patterns().pair("a", "c").by("f1-macro").levels.round(3)
        array([0.6, 1. ])
        """
        chosen = self._select_models(models)
        self._refuse_by_example()
        if self.correct:
            raise InvalidOption("`correct` must be False to count predicted labels, got True. Give columns of labels.")
        return self._count_rows(lambda table: counting.cross_tally(table, chosen))

    def outcome_tally(self, *models: str) -> OutcomeTally:
        """Return the outcomes of these models (default: all) by example, and what was left out or filled in.

        Examples
        --------
        >>> columns = {"id": [1, 1, 2, 2], "epoch": [1, 2, 1, 2], "a": [1, 0, 1, None], "b": [1, 1, 0, 0]}
        >>> table = Predictions.of(columns, id="id", epoch="epoch", models=["a", "b"], scores=True, errors="wrong")
        >>> found = table.outcome_tally()
        >>> found.outcomes.means, found.reasons
        (array([0.5, 0.5]), {'unscored answers of a (2) (counted as wrong)': 1})
        """
        chosen = self._select_models(models)
        return self._ask_engine(lambda table: scoring.outcome_tally(table, chosen))

    def outcomes(self, *models: str) -> Outcomes:
        """Return the outcomes of these models (default: all) by example."""
        return self.outcome_tally(*models).outcomes

    def class_score_tally(self, *models: str, positive: Hashable = None) -> ScoreTally:
        """Return the scores by class of these models (default: all), and what was left out.

        Examples
        --------
        >>> table = Predictions.of({"label": [0, 1, 1], "a": [0.2, 0.7, None], "b": [0.1, 0.4, 0.6]}, missing="drop")
        >>> table.class_score_tally().reasons
        {'missing score of a': 1}
        """
        with raise_engine_errors(self.source):
            self.refuse_repeated_ids()
        return self._ask_engine(lambda table: score_tally(table, models, positive))

    def class_scores(self, *models: str, positive: Hashable = None) -> ClassScores:
        """Return the scores of these models (default: all) for every example.

        The models' columns hold the score of the positive class. With more than two labels there is a column for each
        class, called MODEL:CLASS (or with _ . / - between), unless `positive` names the class of a single one.

        Parameters
        ----------
        models
            The models.
        positive
            The positive class. Default: the last of two labels in order.

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
        """Return the paired table of two models; the only two by default."""
        return self.tally(*self._select_pair(a, b)).paired_table()

    def error_patterns(self) -> ErrorPatterns:
        """Return every pattern of right and wrong among all models."""
        return self.tally().error_patterns()

    def confusion_matrix(self, model: str | None = None) -> ConfusionMatrix:
        """Return the confusion matrix of a model; the only one by default."""
        if model is None and len(self.models) != 1:
            raise InvalidOption(f"`model` must name a model, got None. Choose from {quote_names(self.models)}.")
        return self.cross_tally(*(self.models if model is None else (model,))).confusion_matrix()

    def paired_confusion(self, a: str | None = None, b: str | None = None) -> PairedConfusion:
        """Return the paired confusion matrix of two models; the only two by default."""
        return self.cross_tally(*self._select_pair(a, b)).paired_confusion()

    def disagreements(
        self, a: str | None = None, b: str | None = None, limit: int = 50, *, tally: Tally | None = None
    ) -> Disagreements:
        """Return the first discordant examples of two models, which only one gets right, and their number.

        The rows come from a second, filtered read of at most `limit` rows, whatever the size of the table.

        Parameters
        ----------
        a, b
            The models. Default: the only two.
        limit
            The largest number of rows, from 1 to 10000: the first by id; without ids by the number of the row, or
            (DuckDB, Dask, Spark) by label and predictions.
        tally
            The result of `tally` for this table, if known: then nothing is counted again.

        Examples
        --------
        >>> columns = {"label": [0, 1, 1, 0], "old": [0, 1, 0, 1], "new": [0, 0, 1, 1]}
        >>> print(Predictions.of(columns).disagreements("old", "new"))
        2 discordant examples of old and new
        <BLANKLINE>
          row  label  old  new  right
          2        1    1    0  old
          3        1    0    1  new
        <BLANKLINE>
          data      2 rows shown, by row number
        """
        most, (a, b) = as_limit(limit), self._select_pair(a, b)
        counted = self.tally(a, b) if tally is None else tally
        total = int(counted.paired_table(a, b).disagreements.sum())
        return self._ask_engine(lambda table: disagreements(table, a, b, total, most))

    def _repr_html_(self) -> str:
        columns = [(role, name) for role, name in self.names.items()]
        return html_rows("Predictions", [("models", ", ".join(self.models)), *columns, ("missing", self.missing)])

    def __repr__(self) -> str:
        parts = "".join(f", {role}={name!r}" for role, name in self.names.items())
        return f"Predictions(models={self.models!r}{parts}, missing={self.missing!r})"

    def _count_rows(self, count: Callable[[Predictions], Counted]) -> Counted:
        """Return the counts of this table; raise InvalidEvidence if an id occurs twice."""
        with raise_engine_errors(self.source):
            self.refuse_repeated_ids()
        return self._ask_engine(count)

    def _ask_engine(self, ask: Callable[[Predictions], Counted]) -> Counted:
        """Return the counts of this table; if its engine cannot read it, those of the careful one."""
        with raise_engine_errors(self.source):
            try:
                return ask(self)
            except EngineFailed:
                if self.careful is None:
                    raise
            return ask(self.careful())

    def _select_pair(self, a: str | None, b: str | None) -> tuple[str, str]:
        if a is None and b is None and len(self.models) == 2:
            return self.models[0], self.models[1]
        if a is None or b is None or a == b:
            raise InvalidOption(
                f"`a` and `b` must name two models, got {a!r} and {b!r}. Choose from {quote_names(self.models)}."
            )
        return a, b

    def _select_models(self, models: tuple[str, ...]) -> tuple[str, ...]:
        if not self.models:
            raise InvalidEvidence(
                "the table must have a column of predictions, got none. Name the columns with `models`."
            )
        for name in models:
            if name not in self.models:
                raise unknown_name("models", "models of the table", name, self.models, InvalidOption)
        if len(set(models)) != len(models):
            raise InvalidOption(f"`models` must be different names, got {models!r}.")
        return models or self.models

    def _refuse_by_example(self) -> None:
        """Raise InvalidOption if counts would lose scores, repeats, clusters or weights."""
        if self.by_example:
            what = [role for role in ("epoch", "cluster", "sampling_weight") if role in self.names] or ["score"]
            raise InvalidOption(
                f"counts do not include the {what[0]} of each example. Use outcomes(), or leave it out."
            )

    def refuse_repeated_ids(self) -> None:
        """Raise InvalidEvidence if there are ids, and one occurs more than once or is missing."""
        average_repeats = any(name.startswith(("again", "absent")) for name in self.frame.collect_schema().names())
        if "id" in self.names and not average_repeats:  # rows that were joined by id are checked already
            refuse_inexact_ids(self.frame, self.names)
            refuse_repeated_ids(self.frame, describe_role(self.names, "id"))


def _distinct_labels(labels: Iterable[Hashable] | None) -> tuple[Any, ...] | None:
    if labels is None:
        return None
    values = tuple(labels)
    if len(values) < 2 or len(set(values)) != len(values) or isinstance(labels, str):
        raise InvalidOption(f"`labels` must be two or more different values, got {labels!r}.")
    return values


def _as_scored(scores: Scored | bool | str, *, correct: bool) -> Scored | None:
    if scores is False:
        return None
    if correct:
        raise InvalidOption("`correct` must be False with `scores`, got True. Leave one out.")
    if isinstance(scores, Scored):
        return scores
    if scores is True:
        return Scored()
    if not isinstance(scores, str) or not scores:
        raise InvalidOption(f"`scores` must be True, False or the name of the score, got {scores!r}.")
    return Scored(metric=scores)


def _shared_score(tables: Mapping[str, Predictions]) -> Scored | None:
    """Return the metric of the scores of all tables; raise InvalidOption if they differ."""
    first, scored = next((name, table.scored) for name, table in tables.items())
    for name, table in tables.items():
        here = table.scored
        if scored is None or here is None:  # then none is: the policies are equal
            return None
        if here.metric != scored.metric:
            raise InvalidOption(
                f"all tables must hold the same score, got {scored.metric!r} in {first!r} and"
                f" {here.metric!r} in {name!r}."
                " Choose one that both have with `metric`."
            )
        if here.higher_is_better != scored.higher_is_better:
            raise InvalidOption(
                f"{scored.metric!r} must have one direction, got higher is better in one of {first!r} and {name!r} and"
                " lower in the other. Repeat one run with the same version."
            )
        if here.bounds != scored.bounds:
            if here.bounds and scored.bounds:
                raise InvalidOption(
                    f"{scored.metric!r} must have one scale, got {scored.bounds[0]:g} to"
                    f" {scored.bounds[1]:g} in {first!r}"
                    f" and {here.bounds[0]:g} to {here.bounds[1]:g} in {name!r}. Convert one."
                )
            scored = replace(scored, bounds=None)  # bounds unknown for one are unknown for all
    return scored


def _joined_with_care(tables: Mapping[str, Predictions]) -> Predictions:
    return Predictions.joined({name: table.careful() if table.careful else table for name, table in tables.items()})


def _without_ids(tables: Mapping[str, Predictions]) -> InvalidOption:
    """Return the error for tables without ids, which names the columns that all of them have."""
    first, *others = (table.columns for table in tables.values())
    shared = [name for name in first if all(name in columns for columns in others)]
    which = "both" if len(tables) == 2 else "all"
    columns = f" Columns in {which}: {', '.join(shared)}." if shared else ""
    what = "tables" if any(table.source == _IN_MEMORY for table in tables.values()) else "files"
    return InvalidOption(f"`id` is required to join {len(tables)} {what}.{columns}")


def _sources_of_models(tables: Mapping[str, Predictions], models: Sequence[str]) -> dict[str, str]:
    """Return the file that each model was read from, if it was read from one."""
    files = [table.source for table in tables.values() for _ in table.models]
    return {model: file for model, file in zip(models, files, strict=True) if file != _IN_MEMORY}


def _distinct_names(tables: Mapping[str, Predictions]) -> tuple[str, ...]:
    """Return the models' names; names that occur in several tables are replaced by the table's."""
    often = [name for table in tables.values() for name in table.models]
    names = []
    for title, table in tables.items():
        alone = len(table.models) == 1
        names += [name if often.count(name) == 1 else title if alone else f"{title}/{name}" for name in table.models]
    if len(set(names)) != len(names):
        raise InvalidOption(f"models must have different names, got {quote_names(names)}. Rename the tables.")
    return tuple(names)


def _same_engine_and_kinds(tables: Mapping[str, Predictions]) -> None:
    """Raise InvalidEvidence if the engines of the tables, or the kinds of their columns, differ."""
    engines = {name: str(table.frame.implementation) for name, table in tables.items()}
    if len(set(engines.values())) > 1:
        raise InvalidEvidence(
            f"all tables must be on one engine, got {', '.join(sorted(set(engines.values())))}. Convert one."
        )
    for role in ("id", "epoch", *EXAMPLE_ROLES):
        seen: dict[str, str] = {}
        for name, table in tables.items():
            schema = table.frame.collect_schema()
            if role in schema and kind(schema[role]):
                seen.setdefault(kind(schema[role]), name)
        if len(seen) > 1:
            (here, first), (there, second) = list(seen.items())[:2]
            raise InvalidEvidence(
                f"the {role.replace('_', ' ')} must be of one kind in all tables, got {here} in {first!r}"
                f" and {there} in"
                f" {second!r}. Convert one, or read text files with `text`."
            )
