"""A study: which methods are asked about which design, under which conditions, and what comes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..rendering import plain
from ..types import FloatArray
from .calibration import Calibration
from .design import Design
from .tally import Asked, Tally, tally

__all__ = ["Study", "key_of"]

_CELLS = 10_000_000  # of a table of outcomes by conditions


def key_of(asked: Asked) -> str:
    """Return what tells a method from others: its name and what it gives."""
    return f"{asked.method.name} {asked.method.gives}"


@dataclass(frozen=True)
class Study:
    """Who is asked, about what, at which differences."""

    design: Design
    asked: tuple[Asked, ...]
    differences: FloatArray

    @property
    def names(self) -> tuple[str, ...]:
        """The methods, each once."""
        return tuple(dict.fromkeys(each.method.name for each in self.asked))

    def without(self, names: Collection[str]) -> Study:
        """Return the study of the other methods."""
        return replace(self, asked=tuple(each for each in self.asked if each.method.name not in names))

    @cached_property
    def conditions(self) -> list[Design]:
        """Every entry of the design at every difference; differences run fastest."""
        if not self.design.movable:
            return [self.design]
        entries: list[Any] = [self.design]
        if self.design.shape:
            entries = [self.design[index] for index in np.ndindex(self.design.shape)]  # type: ignore[index]
        return [entry.at(step) for entry in entries for step in self.differences.tolist()]

    def _truths(self, asked: Asked) -> tuple[FloatArray, FloatArray]:
        """Return what is true of the method's parameter under each condition, and which side of 0 it is on."""
        truth = np.array([float(design.truth(asked.parameter)) for design in self.conditions])
        return truth, np.sign(np.tile(self.differences, truth.size // self.differences.size))

    # --- Exactly ----------------------------------------------------------------------------------

    def enumerated(self) -> dict[str, Tally]:
        """Return the tallies of all methods whose outcomes can be listed; one that draws itself is left out."""
        drawing = {each.method.name for each in self.asked if "rng" in each.method.options}
        views: dict[Any, list[Asked]] = {}
        for each in self.asked:
            views.setdefault(self.design.view(each.method, each.learners), []).append(each)
        listed = {view: self._listed(view) for view in views}
        drawing |= {each.method.name for view in views if not listed[view] for each in views[view]}
        parts: dict[str, list[Tally]] = {}
        for view, those in views.items():
            wanted = [(each, *self._truths(each)) for each in those if each.method.name not in drawing]
            for some in listed[view] if wanted else ():
                found = self.design.everything(view, self.conditions[some])
                assert found is not None  # noqa: S101  # `_listed` has looked
                for each, truth, side in wanted:
                    counted = tally(each, found.evidence, truth[some], side[some], found.probability)
                    parts.setdefault(key_of(each), []).append(counted)
        return _joined(parts)

    def _listed(self, view: Any) -> list[slice]:
        """Return which conditions to list together, so that the tables stay small; none if they cannot be listed."""
        number = len(self.conditions)
        step = number
        while step:
            slices = [slice(start, start + step) for start in range(0, number, step)]
            sizes = [self.design.outcomes(view, self.conditions[some]) for some in slices]
            if all(size > 0 and size * step <= _CELLS for size in sizes) or (step == 1 and min(sizes) > 0):
                return slices
            step //= 2
        return []

    # --- By simulation ----------------------------------------------------------------------------

    def block(self, number: int, trials: int, seed: int) -> dict[str, Tally]:
        """Return the tallies of one block of trials; methods that look at the same share what is drawn."""
        parts: dict[str, list[Tally]] = {}
        views = list(dict.fromkeys(self.design.view(each.method, each.learners) for each in self.asked))
        truths = [self._truths(each) for each in self.asked]
        for place, design in enumerate(self.conditions):
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, place)))
            evidence = design.draw(views, trials, rng)
            for each, (truth, side) in zip(self.asked, truths, strict=True):
                drawing = "rng" in each.method.options and "rng" not in each.options
                asked = replace(each, options=each.options | {"rng": rng}) if drawing else each
                counted = tally(asked, evidence[design.view(each.method, each.learners)], truth[place], side[place])
                parts.setdefault(key_of(each), []).append(counted)
        return _joined(parts)

    # --- What comes of it -------------------------------------------------------------------------

    def result(self, name: str, found: Mapping[str, Tally], trials: int = 0, seed: int = 0) -> Calibration:
        """Put the tallies of all that goes by a name together; no trials: they are exact."""
        shape = (*self.design.shape, self.differences.size)
        asked = [each for each in self.asked if each.method.name == name]
        joined: Tally = {}
        for each in asked:
            joined |= {part: values.reshape(shape + values.shape[1:]) for part, values in found[key_of(each)].items()}
        options = {key: value for each in asked for key, value in each.options.items()}
        return Calibration(
            method=name,
            gives=tuple(each.method.gives for each in asked),
            design=self.design,
            alpha=asked[0].alpha,
            side=options.pop("side", "two"),
            alternative=options.pop("alternative", "two-sided"),
            differences=self.differences,
            simulated=trials,
            tally=joined,
            drawn=((seed, 0, trials),) if trials else (),
            options=options,
        )

    def head(self, seed: int) -> dict[str, Any]:
        """Return what tells this study from another, in plain values."""
        told: dict[str, Any] = plain(
            {
                "design": self.design.as_dict(),
                "methods": [[each.method.name, each.method.gives, each.learners, each.options] for each in self.asked],
                "alpha": self.asked[0].alpha,
                "differences": self.differences,
                "seed": seed,
                "block": self.design.block,
            }
        )
        return told


def _joined(parts: Mapping[str, Sequence[Tally]]) -> dict[str, Tally]:
    """Put conditions that were looked at one after the other side by side."""
    return {key: {name: np.concatenate([one[name] for one in some]) for name in some[0]} for key, some in parts.items()}
