"""Which column plays which part, told by name or recognised by it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import InvalidEvidence, InvalidOption
from .engine import missing, told

# What pandas and polars call a column whose header is empty, or that was an index.
_NAMELESS = re.compile(r"(Unnamed: \d+|_duplicated_\d+|__index_level_\d+__)?")
OF_OUTCOMES = ("epoch", "cluster", "sampling_weight", "proof")  # parts that counts have no use for
_LONG = ("id", "model", "prediction")  # columns that by their names alone say that a row is one prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The parts that columns play in one table.

    Wide: a row is an example, and each of `models` is a column. Long: a row is one prediction, `model`
    and `prediction` are columns, and `models` are values of the first (all that occur, if None).
    """

    label: str | None
    models: tuple[str, ...] | None
    id: str | None = None
    group: str | None = None
    weight: str | None = None
    epoch: str | None = None
    cluster: str | None = None
    sampling_weight: str | None = None
    proof: str | None = None
    model: str | None = None
    prediction: str | None = None

    @classmethod
    def recognised(
        cls,
        columns: Sequence[str],
        *,
        models: str | Iterable[str] | None = None,
        model: str | None = None,
        prediction: str | None = None,
        **parts: str | None,
    ) -> Roles:
        """Return the roles in a table with these columns, or say which column is not there; `parts` are other fields.

        Examples
        --------
        >>> Roles.recognised(["id", "label", "forest", "stump"]).models
        ('forest', 'stump')
        >>> Roles.recognised(["id", "model", "prediction", "label"]).prediction
        'prediction'
        """
        names = None if models is None else (models,) if isinstance(models, str) else tuple(models)
        if names is not None and len(set(names)) != len(names):
            raise InvalidOption(f"models must be different names, but is {names!r}.")
        told_parts = {part: parts.pop(part, None) for part in ("label", "id", "group", "weight", *OF_OUTCOMES)} | parts
        is_wide = names is not None and set(names) <= set(columns)
        if model is not None or prediction is not None or (set(_LONG) <= set(columns) and not is_wide):
            long = {"id": told_parts["id"], "model": model, "prediction": prediction}
            told_parts |= {part: name or part for part, name in long.items()}
        if told_parts["label"] is None and "label" in columns and "label" not in (*(names or ()), *told_parts.values()):
            told_parts["label"] = "label"
        _all_there(told_parts, columns)
        if "model" not in told_parts:
            names = _wide_models(names, columns, {*told_parts.values(), "id"})
        return cls(models=names, **told_parts)

    @property
    def is_long(self) -> bool:
        """Whether a row is one prediction of one model, and not an example."""
        return self.model is not None

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that play a part."""
        own = (self.id, self.group, self.weight, self.model, *(getattr(self, part) for part in OF_OUTCOMES))
        return (*self.compared, *(name for name in own if name is not None))

    @property
    def compared(self) -> tuple[str, ...]:
        """The columns whose values are compared with each other."""
        parts = (self.label, *((self.prediction,) if self.is_long else self.models or ()))
        return tuple(name for name in parts if name is not None)


def _all_there(parts: dict[str, str | None], columns: Sequence[str]) -> None:
    taken: dict[str, str] = {}
    for role, name in parts.items():
        if name is None:
            continue
        if name not in columns:
            raise missing(name, f"{role} names the column {name!r}", columns)
        if name in taken:
            raise InvalidOption(f"{role} and {taken[name]} must be two columns, but both are {name!r}.")
        taken[name] = role


def _wide_models(names: tuple[str, ...] | None, columns: Sequence[str], others: set[str | None]) -> tuple[str, ...]:
    if names is None:
        strange = [name for name in columns if not isinstance(name, str)]
        if strange:
            raise InvalidEvidence(f"columns must have texts for names, but there is {strange[0]!r}. Rename it.")
        return tuple(name for name in columns if name not in others and not _NAMELESS.fullmatch(name))
    for name in names:
        if name not in columns:
            raise missing(name, f"models names the column {name!r}", columns)
        if name in others - {"id"}:
            raise InvalidOption(
                f"models must name columns of predictions, but {name!r} has another part. The models may be"
                f" {told([each for each in columns if each not in others])}."
            )
        if _NAMELESS.fullmatch(name):
            raise InvalidOption(
                f"models must name columns of predictions, but {name!r} has no name of its own: it is an index, or its"
                " header is empty. Give it one."
            )
    return names
