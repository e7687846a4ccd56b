"""Learners by name: unfitted copies of them, and where their randomness enters."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..errors import InvalidOption, import_extra


def by_name(learners: Any) -> dict[str, Any]:
    """Return the learners by name; those handed in without one are named by their class.

    Examples
    --------
    >>> from sklearn.naive_bayes import BernoulliNB, GaussianNB
    >>> list(by_name([GaussianNB(), BernoulliNB(), BernoulliNB(alpha=2)]))
    ['GaussianNB', 'BernoulliNB', 'BernoulliNB 2']
    """
    if isinstance(learners, Mapping):
        named = dict(learners)
    elif _learns(learners):
        named = {type(learners).__name__: learners}
    elif isinstance(learners, Iterable) and not isinstance(learners, str):
        named = {}
        for learner in learners:
            title, often = type(learner).__name__, 1
            while (name := title if often == 1 else f"{title} {often}") in named:
                often += 1
            named[name] = learner
    else:
        raise InvalidOption(f"learners must map names to learners, but is {learners!r}.")
    if not named:
        raise InvalidOption("learners must hold at least one learner, but is empty.")
    for name, learner in named.items():
        if not isinstance(name, str) or not name.strip():
            raise InvalidOption(f"learners must have names, but one is called {name!r}.")
        if isinstance(learner, type):
            raise InvalidOption(f"learner {name!r} is a class. Hand in an object: {learner.__name__}().")
        if not _learns(learner):
            raise InvalidOption(
                f"learner {name!r} must have the methods fit and predict, but is of type {type(learner).__name__}."
            )
        _look_inside(name, learner)
    return named


def _look_inside(name: str, learner: Any) -> None:
    """Refuse a learner that cannot be copied by its parameters."""
    try:
        if hasattr(learner, "get_params"):
            learner.get_params(deep=True)
    except Exception as error:  # a learner's own code runs here
        raise InvalidOption(f"learner {name!r} cannot tell its parameters: {error}") from error


def _learns(thing: Any) -> bool:
    return callable(getattr(thing, "fit", None)) and hasattr(thing, "predict") and not isinstance(thing, type)


def fresh(learner: Any) -> Any:
    """Return an unfitted copy of the learner, which stays as it is."""
    if hasattr(learner, "get_params"):
        return import_extra("sklearn.base", "learn").clone(learner)
    return copy.deepcopy(learner)


def random_parameters(learner: Any, *, fixed_too: bool) -> tuple[str, ...]:
    """Return the names of the parameters, at any depth, that take a seed: those left open, or all of them.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> random_parameters(DecisionTreeClassifier(), fixed_too=False)
    ('random_state',)
    >>> random_parameters(DecisionTreeClassifier(random_state=1), fixed_too=False)
    ()
    """
    if hasattr(learner, "get_params"):
        parameters = learner.get_params(deep=True)
    else:
        parameters = {"random_state": learner.random_state} if hasattr(learner, "random_state") else {}
    return tuple(
        sorted(
            name
            for name, value in parameters.items()
            if name.rpartition("__")[2] == "random_state" and (fixed_too or value is None)
        )
    )


def seeds_of(root: int, learner: str, split: int, seed: int, count: int) -> list[int]:
    """Return seeds that belong to this one fit, whoever runs it and whoever else takes part.

    Examples
    --------
    >>> seeds_of(0, "lr", 3, 0, count=1) == seeds_of(0, "nb", 3, 0, count=1)
    False
    """
    name = np.frombuffer(hashlib.sha256(learner.encode()).digest()[:16], dtype="<u4").tolist()
    words = np.random.SeedSequence([root, *name, split, seed]).generate_state(count)
    return [int(word) >> 1 for word in words]  # 31 bits: some learners take no more
