"""A study: methods, design and conditions of a calibration."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..rendering import plain
from ..typing_ import FloatArray
from .calibration import Calibration
from .design import Design
from .tally import MethodRequest, Tally, tally

_CELLS = 10_000_000  # of a table of outcomes by conditions
_CHOOSES_ONLY = "TA400"  # the check of a rule that chooses and has no p-value
_ELSEWHERE = {"alpha", "side", "alternative"}  # options that a calibration has fields for


def key_of(request: MethodRequest) -> str:
    """Return the key of a method: its name and kind of result."""
    return f"{request.method.name} {request.method.gives}"


@dataclass(frozen=True)
class Study:
    """Methods, design and true differences of a calibration."""

    design: Design
    requests: tuple[MethodRequest, ...]
    differences: FloatArray

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the methods, without duplicates."""
        return tuple(dict.fromkeys(each.method.name for each in self.requests))

    def without(self, names: Collection[str]) -> Study:
        """Return the study without some methods."""
        return replace(self, requests=tuple(each for each in self.requests if each.method.name not in names))

    @cached_property
    def conditions(self) -> list[Design]:
        """Every entry of the design at every difference; the difference varies fastest."""
        if not self.design.movable:
            return [self.design]
        entries: list[Any] = [self.design]
        if self.design.shape:
            entries = [self.design[index] for index in np.ndindex(self.design.shape)]  # type: ignore[index]
        return [entry.at(step) for entry in entries for step in self.differences.tolist()]

    def _true_values(self, request: MethodRequest) -> tuple[FloatArray, FloatArray]:
        """Return the true value of the method's parameter under each condition, and its side of the null hypothesis."""
        truth = np.zeros(len(self.conditions))
        if request.method.gives != "test":  # a test is asked which side of 0 the truth is on, and no more
            view = self.design.view(request.method, request.learners)
            truth = np.array([design.truth_for(view, request.parameter) for design in self.conditions], dtype=float)
        side = np.sign(self.differences) if request.margin is None else request.margin.side(self.differences)
        return truth, np.tile(side, len(truth) // side.size)

    # --- Exactly ----------------------------------------------------------------------------------

    def enumerated(self, progress: bool | None = False) -> dict[str, Tally]:
        """Return the tallies of all methods whose outcomes can be enumerated; random methods are left out."""
        drawing = {each.method.name for each in self.requests if "rng" in each.method.options}
        views: dict[Any, list[MethodRequest]] = {}
        for each in self.requests:
            views.setdefault(self.design.view(each.method, each.learners), []).append(each)
        listed = {view: self._listing_blocks(view, requests) for view, requests in views.items()}
        drawing |= {each.method.name for view in views if not listed[view] for each in views[view]}
        parts: dict[str, list[Tally]] = {}
        for view, requests in views.items():
            targets = [(each, *self._true_values(each)) for each in requests if each.method.name not in drawing]
            for some in listed[view] if targets else ():
                enumeration = self.design.everything(view, self.conditions[some])
                for each, truth, side in targets:
                    resolved = self._resolve_request(each, some.start)
                    counted = tally(
                        resolved, enumeration.evidence, truth[some], side[some], enumeration.probability, progress
                    )
                    parts.setdefault(key_of(each), []).append(counted)
        return _join_conditions(parts)

    def _resolve_request(self, request: MethodRequest, condition: int) -> MethodRequest:
        """Return a method with the options that the design determines under a condition."""
        return replace(request, options=request.options | self.conditions[condition].options(request.method))

    def _listing_blocks(self, view: Any, requests: Sequence[MethodRequest]) -> list[slice]:
        """Return the conditions to enumerate together, to limit memory; none if they cannot be enumerated."""
        number = len(self.conditions)
        # What the design tells a method may differ from entry to entry: those are then listed one by one.
        most = self.differences.size if any(self.design.options(each.method) for each in requests) else number
        step = most
        while step:
            starts = [start for first in range(0, number, most) for start in range(first, first + most, step)]
            slices = [slice(start, min(start + step, start - start % most + most)) for start in starts]
            sizes = (self.design.outcomes(view, self.conditions[some]) for some in slices)  # up to the first too large
            if all(size > 0 and (step == 1 or size * step <= _CELLS) for size in sizes):
                return slices
            step //= 2
        return []

    # --- By simulation ----------------------------------------------------------------------------

    def block(self, number: int, trials: int, seed: int) -> dict[str, Tally]:
        """Return the tallies of one block of trials; methods with the same view share the draws."""
        parts: dict[str, list[Tally]] = {}
        # In an order of their own: in which one the methods were named changes nothing.
        views = sorted({self.design.view(each.method, each.learners) for each in self.requests}, key=repr)
        truths = [self._true_values(each) for each in self.requests]
        for index, design in enumerate(self.conditions):
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, index)))
            evidence = design.draw(views, trials, rng)
            for each, (truth, side) in zip(self.requests, truths, strict=True):
                request = self._resolve_request(each, index)
                if "rng" in each.method.options and "rng" not in each.options:
                    own = np.random.SeedSequence(seed, spawn_key=(number, index, *key_of(each).encode()))
                    request = replace(request, options=request.options | {"rng": np.random.default_rng(own)})
                counted = tally(request, evidence[design.view(each.method, each.learners)], truth[index], side[index])
                parts.setdefault(key_of(each), []).append(counted)
        return _join_conditions(parts)

    # --- What comes of it -------------------------------------------------------------------------

    def result(self, name: str, tallies: Mapping[str, Tally], trials: int = 0, seed: int = 0) -> Calibration:
        """Return the calibration of a method from its tallies; without trials they are exact."""
        shape = (*self.design.shape, self.differences.size)
        requests = [each for each in self.requests if each.method.name == name]
        joined: Tally = {}
        for each in requests:
            joined |= {part: values.reshape(shape + values.shape[1:]) for part, values in tallies[key_of(each)].items()}
        options = {key: value for each in requests for key, value in each.options.items()}
        return Calibration(
            method=name,
            gives=tuple(each.method.gives for each in requests),
            design=self.design,
            alpha=requests[0].alpha,
            side=options.get("side", "two"),
            alternative=options.get("alternative", "two-sided"),
            differences=self.differences,
            simulated=trials,
            tally=joined,
            drawn=((seed, 0, trials),) if trials else (),
            options={name: value for name, value in options.items() if name not in _ELSEWHERE},
            margin=requests[0].margin,
            chooses=any(_CHOOSES_ONLY in {assumption.code for assumption in each.method.assumes} for each in requests),
        )

    def head(self, seed: int) -> dict[str, Any]:
        """Return plain values that identify this study."""
        head: dict[str, Any] = plain(
            {
                "design": self.design.as_dict(),
                "methods": {key_of(each): [each.learners, each.options] for each in self.requests},
                "alpha": self.requests[0].alpha,
                "margin": self.requests[0].margin,
                "differences": self.differences,
                "seed": seed,
                "block": self.design.block,
            }
        )
        return head


def _join_conditions(parts: Mapping[str, Sequence[Tally]]) -> dict[str, Tally]:
    """Return the tallies of several conditions as one."""
    return {key: {name: np.concatenate([one[name] for one in some]) for name in some[0]} for key, some in parts.items()}
