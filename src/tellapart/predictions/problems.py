"""Problems of an example: how an error reports them, and which policy for missing predictions settles them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Literal

import narwhals.stable.v2 as nw

from ..errors import InvalidEvidence
from ..figures import count_text, join_names
from .engine import Frame, collect_columns, sum_conditions

Missing = Literal["fail", "wrong", "drop"]
NO_PREDICTION = "no prediction of any model, which shows no difference"
NO_SCORE = "no score of any model, which shows no difference"
UNANSWERED = (NO_PREDICTION, NO_SCORE)  # reasons for which an example does not show which model is better

COUNT, VALUE = "\0count\0", "\0value\0"  # marks in a message, replaced by "3 of 899 examples" and by a value


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A reason why an example cannot be counted unchanged."""

    message: str  # the sentence of an error, with the mark COUNT and perhaps VALUE
    condition: Any  # which examples have the problem; never null
    shown_column: str  # the column of which an error shows a value
    reason: str = ""  # its name in lists of left-out examples
    settled_by: Literal["nothing", "drop", "wrong"] = "nothing"  # "wrong": also settled by "drop"
    remedy: str = ""  # a sentence; where a policy settles the problem, an alternative to it: "`text` to compare texts"
    nulls_of: str | None = None  # the column whose nulls are the whole condition
    model: str = ""  # the column of the model that gave no prediction, if that is the problem

    def is_forbidden(self, missing: Missing) -> bool:
        """Return whether it prevents any count under this policy."""
        return self.settled_by == "nothing" or missing == "fail" or (missing == "wrong" and self.settled_by == "drop")

    def describe(self, count: str, value: Any) -> str:
        """Return the sentence of an error, without its full stop."""
        if VALUE in self.message:
            return self.message.replace(COUNT, count).replace(VALUE, "no value" if value is None else repr(value))
        shown = "" if value is None else f" (first: {_format_value(self.shown_column, value)})"
        return f"{self.message.replace(COUNT, count)}{shown}"


def collect_missing_conditions(problems: Sequence[Problem], models: int) -> dict[int, Any]:
    """Return the condition that a model has no prediction for an example, by the index of the model."""
    by_model = {index: [problem for problem in problems if problem.model == f"m{index}"] for index in range(models)}
    return {index: combine_conditions(some) for index, some in by_model.items() if some}


def combine_conditions(problems: Sequence[Problem]) -> Any:
    """Return the condition that an example has at least one of the problems."""
    return reduce(or_, (problem.condition for problem in problems))


def describe_problems(frame: Frame, problems: Sequence[Problem], *, can_be_wrong: bool) -> InvalidEvidence:
    """Return the error that names the problem, how many examples have it, one of them, and the fix.

    The table is read a second time only here: a table without problems is read once.
    """
    conditions = {f"t{index}": problem.condition for index, problem in enumerate(problems)}
    droppable = [problem for problem in problems if problem.settled_by != "nothing"]
    if droppable:
        conditions["dropped"] = combine_conditions(droppable)
    counts = sum_conditions(frame, [], {}, conditions, None)
    total = counts["examples"][0]
    present = [(problem, counts[f"t{index}"][0]) for index, problem in enumerate(problems) if counts[f"t{index}"][0]]
    first = present[0][0]
    alike = [(problem, often) for problem, often in present if problem.settled_by == first.settled_by]
    sentences = [
        problem.describe(f"{often:,} of {count_text(total, 'example')}", _smallest_value(frame, problem))
        for problem, often in alike
    ]
    if first.settled_by == "nothing":
        remedies = [problem.remedy for problem, _ in alike]
    else:
        kept = total - counts["dropped"][0]
        several = len({problem.model for problem in problems if problem.model}) > 1
        remedies = [_suggest_policy(first, sum(often for _, often in alike), kept, can_be_wrong, several)]
    fix = "".join(f" {remedy}" for remedy in dict.fromkeys(remedies) if remedy)
    return InvalidEvidence(f"{'; '.join(dict.fromkeys(sentences))}.{fix}")


def refuse_all_missing(lacking: int, examples: int, models: Sequence[str]) -> None:
    """Raise InvalidEvidence if no model has a prediction for any example: then "wrong" would count untested models."""
    if not examples or lacking < examples:
        return
    raise InvalidEvidence(
        f"{join_names(models)} must have a prediction for at least one of {count_text(examples, 'example')}, got none."
        " Check the names of the columns, or run the models first."
    )


def _smallest_value(frame: Frame, problem: Problem) -> Any:
    """Return the smallest value shown of the examples that have a problem."""
    smallest = nw.col(problem.shown_column).min().alias("value")
    return collect_columns(frame.filter(problem.condition).select(smallest))["value"][0]


def _format_value(column: str, value: Any) -> str:
    if column != "id":
        return repr(value)
    whole = isinstance(value, float) and value.is_integer()  # pandas joins whole numbers to floats
    return f"id {int(value) if whole else value!r}"


def _suggest_policy(problem: Problem, count: int, kept: int, can_be_wrong: bool, several: bool) -> str:
    """Return the fix that names the policies for missing predictions."""
    options = [f"missing='drop' to {'compare' if several else 'count'} the other {kept:,}"] if kept else []
    if problem.settled_by == "wrong" and can_be_wrong:
        options.append(f"missing='wrong' to count {'it as an error' if count == 1 else 'them as errors'}")
        start = "Use "
    else:
        start = f"Correct {'it' if count == 1 else 'them'}{', or use ' if options or problem.remedy else ''}"
    options += [problem.remedy] if problem.remedy else []
    return f"{start}{', or '.join(options)}."
