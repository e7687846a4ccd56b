"""Test whether errors in cross-validation are binomial (Martin and Hirschberg 1996, section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...display import Display, Row, TextTable
from ...errors import InvalidOption
from ...figures import equation, precise_pvalue_text, pvalue_text
from ...rendering import Rendered
from ...typing_ import FloatArray, IntArray, as_generator
from ..design import one_rate, whole
from ..inducers.batched import Discriminant, Inducer, as_inducer
from ..models import binomial_probability
from .base import Population
from .normals import TwoNormals

_BLOCK = 5_000  # samples that are drawn at once
_MOST = 1_000  # blocks until we give up

_ALPHA = 0.05  # of the verdict


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BinomialCheck(Rendered):
    """Observed and binomial distribution of errors in cross-validation, with a chi-square test.

    The last of the counts is of so many errors or more. `drawn` tells how many samples were looked at to find enough
    whose classifier has the right true error.

    Examples
    --------
    >>> check = binomial_check(samples=100)
    >>> check.observed.sum(), check.observed.size
    (np.int64(100), 8)
    """

    observed: IntArray
    expected: FloatArray
    chi_square: float
    pvalue: float
    drawn: int

    @property
    def df(self) -> int:
        """Degrees of freedom: the number of counts minus 1."""
        return self.observed.size - 1

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # the table has all numbers
        """Return whether the numbers of errors are binomial, the test, and the observed and expected counts."""
        differs = "differ significantly" if self.pvalue < _ALPHA else "do not differ significantly"
        last = len(self.observed) - 1
        lines = [
            [f"{cell}{' or more' * (cell == last)}", f"{seen:,}", f"{due:,.1f}"]
            for cell, (seen, due) in enumerate(zip(self.observed, self.expected, strict=True))
        ]
        test = f"chi-square {self.chi_square:.2f}, {self.df} degrees of freedom"
        return Display(
            verdict=f"The numbers of errors {differs} from the binomial distribution",
            figures=f"{test}, {equation('p', pvalue_text(self.pvalue, _ALPHA))}",
            blocks=(
                TextTable(head=["errors", "samples", "expected"], lines=lines, align="rrr"),
                Row("test", f"Pearson chi-square, p = {precise_pvalue_text(self.pvalue, _ALPHA)}, alpha = {_ALPHA}"),
            ),
        )


def binomial_check(
    error: float = 0.0203,
    *,
    within: float = 0.0001,
    samples: int = 1000,
    examples: int = 100,
    folds: int = 10,
    population: Population | None = None,
    inducer: Inducer | None = None,
    cells: int = 8,
    rng: Any = 0,
) -> BinomialCheck:
    """Return the test of the number of errors in cross-validation against the binomial.

    Samples are drawn until enough of them give a classifier whose true error is the one wanted. Each is
    cross-validated, and the numbers of errors are compared with Binomial(examples, error) by chi-square.

    Parameters
    ----------
    error, within
        The true error that is wanted, and how far from it a classifier's may be.
    samples
        The number of classifiers.
    examples, folds
        The size of the samples, and by how many folds they are cross-validated.
    population, inducer
        Unless named, two normal classes 4.107 standard deviations apart, and the midpoint of the class means.
    cells
        The number of cells of the histogram of errors, the last one open: 0 to 6, and 7 or more.

    Examples
    --------
    >>> check = binomial_check(samples=200, rng=1)
    >>> check.df, check.pvalue > 0.01
    (7, True)
    """
    from scipy.special import gammaincc, ndtr

    error, within = one_rate("error", error), one_rate("within", within)
    samples, examples, cells = whole("samples", samples), whole("examples", examples, 2), whole("cells", cells, 2)
    chance = binomial_probability(np.arange(min(cells, examples + 1) - 1), examples, error)
    expected = samples * np.append(chance, 1 - chance.sum())
    if expected.size < cells or not expected.min() > 1e-6 * samples:  # nothing is compared where nothing is expected
        raise InvalidOption(
            f"`cells` must be fewer, got {cells}: with an error rate of {error:g} some have less than one sample in a"
            " million."
        )
    if not 2 <= whole("folds", folds, 2) <= examples:
        raise InvalidOption(f"`folds` must be 2 to {examples}, the number of examples, got {folds}.")
    population = TwoNormals(float(ndtr(-4.107 / 2))) if population is None else population
    if not isinstance(population, Population):
        raise InvalidOption(f"`population` must be one of tellapart.lab, such as TwoNormals(0.1), got {population!r}.")
    inducer = Discriminant(shares=False) if inducer is None else as_inducer("inducer", inducer)
    generator, counts, drawn, kept = as_generator(rng), [], 0, 0
    while kept < samples:
        if drawn >= _MOST * _BLOCK:
            raise InvalidOption(
                f"only {kept} of {drawn} samples have an error within {within:g} of {error:g}. Use a larger"
                " `within`, or an"
                " `error` that is more frequent for this learner."
            )
        X, y = population.draw((_BLOCK,), examples, generator)  # noqa: N806
        near = np.flatnonzero(np.abs(population.true_error(inducer.fit(X, y)) - error) <= within)[: samples - kept]
        drawn += _BLOCK if kept + near.size < samples else int(near[-1]) + 1
        kept += near.size
        counts.append(_cross_validated(inducer, X[near], y[near], folds))
    observed = np.bincount(np.minimum(np.concatenate(counts), cells - 1), minlength=cells)
    chi_square = float(((observed - expected) ** 2 / expected).sum())
    return BinomialCheck(
        observed=observed,
        expected=expected,
        chi_square=chi_square,
        pvalue=float(gammaincc((cells - 1) / 2, chi_square / 2)),
        drawn=drawn,
    )


def _cross_validated(inducer: Inducer, X: FloatArray, y: IntArray, folds: int) -> IntArray:  # noqa: N803
    """Return the number of errors in each sample; the examples are independent, so folds may be consecutive."""
    errors = np.zeros(len(y), dtype=np.int64)
    if len(y):
        for fold in np.array_split(np.arange(y.shape[1]), folds):
            rest = np.delete(np.arange(y.shape[1]), fold)
            predicted = inducer.fit(X[:, rest], y[:, rest]).predict(X[:, fold])
            errors += np.count_nonzero(predicted != y[:, fold], axis=-1)
    return errors
