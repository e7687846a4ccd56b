"""The numbers printed in the papers: one small table in each file, with all printed digits."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def printed(name: str) -> tuple[Mapping[str, str], ...]:
    """Return the rows of a printed table, as texts by the heads of their columns.

    Parameters
    ----------
    name
        The paper and the table: "mitchell_table_5.1".

    Examples
    --------
    >>> [row["z"] for row in printed("mitchell_table_5.1")]
    ['0.67', '1.00', '1.28', '1.64', '1.96', '2.33', '2.58']
    """
    text = (files(__package__) / "printed" / f"{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))
