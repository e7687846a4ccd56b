"""A population with noisy labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...typing_ import FloatArray, IntArray, as_generator
from ..design import one_rate
from .base import SAMPLE, Population, SampledError


@dataclass(frozen=True, slots=True, repr=False)
class NoisyLabels(Population):
    """A population with randomly wrong labels at a given rate.

    A wrong label is any other class, all alike (Dietterich 1998, the fourth source of variation).

    Examples
    --------
    >>> from tellapart.lab import TwoNormals
    >>> round(NoisyLabels(TwoNormals(0.10), 0.05).bayes_error, 12)  # 0.1 × 0.95 + 0.9 × 0.05
    0.14
    """

    population: Population
    rate: float

    def __post_init__(self) -> None:
        if not isinstance(self.population, Population) or self.population.classes < 2:
            raise InvalidOption(
                "`population` must be one of tellapart.lab with two classes or more, such as TwoNormals(0.1), got"
                f" {self.population!r}."
            )
        noise, most = one_rate("rate", self.rate), 1 - 1 / self.population.classes
        if noise > most:
            raise InvalidOption(
                f"`rate` must be at most {most:.4g}, at which labels of {self.population.classes} classes are"
                f" random, got {noise:g}."
            )
        object.__setattr__(self, "rate", noise)

    @property
    def attributes(self) -> int:
        """Number of attributes of an example."""
        return self.population.attributes

    @property
    def classes(self) -> int:
        """Number of classes."""
        return self.population.classes

    @property
    def points(self) -> int:
        """Number of inputs over which true errors are summed, as in the clean population."""
        return self.population.points

    @property
    def bayes_error(self) -> float:
        """The Bayes error, with the Bayes rule of the clean population."""
        return float(self._noisy_error(self.population.bayes_error))

    def _noisy_error(self, error: Any) -> Any:
        """Return the error on noisy labels of a rule with a given error on clean labels."""
        return (1 - error) * self.rate + error * (1 - self.rate / (self.classes - 1))

    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples, some labels changed."""
        generator = as_generator(rng)
        X, y = self.population.draw(shape, examples, generator)  # noqa: N806
        wrong = generator.random(y.shape) < self.rate
        return X, (y + wrong * generator.integers(1, self.classes, size=y.shape)) % self.classes

    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return the probability of each label at X (..., attributes)."""
        clean = self.population.posterior(X)
        return clean * (1 - self.rate) + (1 - clean) * self.rate / (self.classes - 1)

    def sampled_error(self, classifier: Any, *, sample: int = SAMPLE, rng: Any = 0) -> SampledError:
        """Return the error on noisy labels, computed from an estimate on clean labels."""
        clean = self.population.sampled_error(classifier, sample=sample, rng=rng)
        return SampledError(
            self._noisy_error(clean.error), clean.se * (1 - self.rate * self.classes / (self.classes - 1))
        )

    def true_error(self, classifier: Any, *, sample: int = SAMPLE, rng: Any = 0) -> FloatArray:
        """Return the error on noisy labels, computed from that on clean labels."""
        return self._noisy_error(self.population.true_error(classifier, sample=sample, rng=rng))  # type: ignore[no-any-return]

    def how(self, classifier: Any) -> str:
        """Return how the true error of such a classifier is computed: as in the clean population."""
        return self.population.how(classifier)

    def describe(self) -> str:
        """Return a description of the population."""
        return f"{self.population.describe()}; label noise {100 * self.rate:.4g}%"

    def as_dict(self) -> dict[str, Any]:
        """Return the clean population and the rate."""
        return {"population": "NoisyLabels", "clean": self.population.as_dict(), "rate": self.rate}
