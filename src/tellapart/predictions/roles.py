"""The role of each column: named by the user, or recognised by the name of the column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import InvalidEvidence, InvalidOption
from .engine import quote_names, unknown_name

# How pandas and polars name a column with an empty header, or an index.
_NAMELESS = re.compile(r"(Unnamed: \d+|_duplicated_\d+|__index_level_\d+__)?")
OUTCOME_ROLES = ("epoch", "cluster", "sampling_weight", "proof")  # roles that counts do not use
_LONG = ("id", "model", "prediction")  # columns by whose names a row is one prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The roles of columns in one table.

    Wide: a row is an example, and each of `models` is a column. Long: a row is one prediction, `model`
    and `prediction` are columns, and `models` are values of the first (all of them, if None).
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
    def recognise(
        cls,
        columns: Sequence[str],
        *,
        models: str | Iterable[str] | None = None,
        model: str | None = None,
        prediction: str | None = None,
        **roles: str | None,
    ) -> Roles:
        """Return the roles in a table with these columns; raise InvalidEvidence if one is missing.

        Examples
        --------
        >>> Roles.recognise(["id", "label", "forest", "stump"]).models
        ('forest', 'stump')
        >>> Roles.recognise(["id", "model", "prediction", "label"]).prediction
        'prediction'
        """
        names = None if models is None else (models,) if isinstance(models, str) else tuple(models)
        if names is not None and len(set(names)) != len(names):
            raise InvalidOption(f"`models` must be different names, got {names!r}.")
        by_role = {role: roles.pop(role, None) for role in ("label", "id", "group", "weight", *OUTCOME_ROLES)} | roles
        is_wide = names is not None and set(names) <= set(columns)
        if model is not None or prediction is not None or (set(_LONG) <= set(columns) and not is_wide):
            long = {"id": by_role["id"], "model": model, "prediction": prediction}
            by_role |= {role: name or role for role, name in long.items()}
        if by_role["label"] is None and "label" in columns and "label" not in (*(names or ()), *by_role.values()):
            by_role["label"] = "label"
        _check_columns(by_role, columns)
        if "model" not in by_role:
            names = _select_wide_models(names, columns, {*by_role.values(), "id"})
        return cls(models=names, **by_role)

    @property
    def is_long(self) -> bool:
        """Whether a row is one prediction of one model, and not an example."""
        return self.model is not None

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns with a role."""
        names = (self.id, self.group, self.weight, self.model, *(getattr(self, role) for role in OUTCOME_ROLES))
        return (*self.compared, *(name for name in names if name is not None))

    @property
    def compared(self) -> tuple[str, ...]:
        """The columns whose values are compared with each other."""
        parts = (self.label, *((self.prediction,) if self.is_long else self.models or ()))
        return tuple(name for name in parts if name is not None)


def _check_columns(parts: dict[str, str | None], columns: Sequence[str]) -> None:
    taken: dict[str, str] = {}
    for role, name in parts.items():
        if name is None:
            continue
        if name not in columns:
            raise unknown_name(role, "a column of the table", name, columns)
        if name in taken:
            raise InvalidOption(f"`{role}` and `{taken[name]}` must be different columns, got {name!r} for both.")
        taken[name] = role


def _select_wide_models(
    names: tuple[str, ...] | None, columns: Sequence[str], others: set[str | None]
) -> tuple[str, ...]:
    if names is None:
        strange = [name for name in columns if not isinstance(name, str)]
        if strange:
            raise InvalidEvidence(f"names of columns must be texts, got {strange[0]!r}. Rename it.")
        return tuple(name for name in columns if name not in others and not _NAMELESS.fullmatch(name))
    for name in names:
        if name not in columns:
            raise unknown_name("models", "columns of the table", name, columns)
        if name in others - {"id"}:
            raise InvalidOption(
                f"`models` must be columns of predictions, got {name!r}, which has another role. Choose from"
                f" {quote_names([column for column in columns if column not in others])}."
            )
        if _NAMELESS.fullmatch(name):
            raise InvalidOption(
                f"`models` must be columns of predictions, got {name!r}, which is an index or has an empty"
                f" header. Name it."
            )
    return names
