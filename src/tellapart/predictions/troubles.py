"""What can be wrong with an example, how it is told, and whose business it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Literal

import narwhals.stable.v2 as nw

from ..errors import InvalidEvidence
from ..evidence.base import plural
from .engine import Frame, collected, sums

Missing = Literal["fail", "wrong", "drop"]
NOBODY = "no prediction of any model, which shows no difference"
NO_SCORE = "no score of any model, which shows no difference"
UNANSWERED = (NOBODY, NO_SCORE)  # reasons for which an example says nothing about which model is better

_AT_THE_COMMAND_LINE = "(at the command line: --missing)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something that keeps an example from being counted as it stands."""

    reason: str = ""  # what an account of the examples left out calls it
    said: str  # the sentence of an error: {} is how many
    holds: Any  # the condition, never null
    shows: str  # the column of which an error shows a value
    of: Literal["table", "truth", "prediction"] = "table"  # nothing helps; it can be left out; or counted as wrong
    remedy: str = ""
    gap_in: str | None = None  # the column whose nulls are all there is to it
    model: str = ""  # the column of the model that gave no prediction, where that is the trouble

    def forbids(self, missing: Missing) -> bool:
        """Whether no count can be given under this policy."""
        return self.of == "table" or missing == "fail" or (missing == "wrong" and self.of == "truth")


def lacks_prediction(troubles: Sequence[Trouble], models: int) -> dict[int, Any]:
    """Return by place of a model the condition that it has no prediction for an example, if that can be."""
    own = {place: [each for each in troubles if each.model == f"m{place}"] for place in range(models)}
    return {place: any_of(found) for place, found in own.items() if found}


def any_of(troubles: Sequence[Trouble]) -> Any:
    """Return the condition that at least one of them is there."""
    return reduce(or_, (each.holds for each in troubles))


def refused(frame: Frame, troubles: Sequence[Trouble], *, can_be_wrong: bool) -> InvalidEvidence:
    """Return the error that says what is wrong, how often, where for example, and what to do.

    Only now is the table asked a second time: one in order is passed over once.
    """
    found = sums(frame, [], {}, {f"t{place}": each.holds for place, each in enumerate(troubles)}, None)
    counts = [found[f"t{place}"][0] for place in range(len(troubles))]
    met = [(each, count) for each, count in zip(troubles, counts, strict=True) if count]
    first = met[0][0]
    worst = [(each, count) for each, count in met if each.of == first.of]
    parts = [plural(count, "example").join(each.said.rsplit("{}", 1)) for each, count in worst]
    least = collected(frame.filter(first.holds).select(nw.col(first.shows).min().alias("value")))["value"][0]
    shown = f" (such as {_shown(first.shows, least)})" if least is not None else ""
    rest = "".join(f"; {part}" for part in parts[1:])
    more = "".join(dict.fromkeys(each.remedy for each, _ in worst))
    return InvalidEvidence(f"{parts[0]}{shown}{rest}.{_remedy(first, can_be_wrong)}{more}")


def refuse_all_missing(lacking: int, examples: int, models: Sequence[str]) -> None:
    """Raise an error if no model has a prediction for any example: what is counted as wrong then was never tried."""
    if not examples or lacking < examples:
        return
    whose = f"{models[0]} has" if len(models) == 1 else f"none of {', '.join(models)} has"
    none = "no prediction" if len(models) == 1 else "a prediction"
    raise InvalidEvidence(
        f"{whose} {none} for any of {plural(examples, 'example')}, so missing='wrong' would count every one as an"
        " error of all. Is this the right column? Run the models first, or leave such examples out: missing='drop'"
        f" {_AT_THE_COMMAND_LINE}."
    )


def _shown(column: str, value: Any) -> str:
    if column != "id":
        return repr(value)
    return f"id {int(value) if isinstance(value, float) and value.is_integer() else value!r}"  # pandas joins to floats


def _remedy(trouble: Trouble, can_be_wrong: bool) -> str:
    if trouble.of == "table":
        return ""
    drop = "missing='drop' leaves such examples out"
    if trouble.of == "truth" or not can_be_wrong:
        return f" Fill them in; {drop} {_AT_THE_COMMAND_LINE}."
    return f" Decide: missing='wrong' counts them as errors, {drop} {_AT_THE_COMMAND_LINE}."
