"""Learners by name: unfitted copies, random parameters and seeds."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..errors import InvalidOption, import_extra


def by_name(learners: Any) -> dict[str, Any]:
    """Return the learners by name; those without a name get that of their class.

    Examples
    --------
    >>> from sklearn.naive_bayes import BernoulliNB, GaussianNB
    >>> list(by_name([GaussianNB(), BernoulliNB(), BernoulliNB(alpha=2)]))
    ['GaussianNB', 'BernoulliNB', 'BernoulliNB 2']
    """
    if isinstance(learners, Mapping):
        named = dict(learners)
    elif _is_fittable(learners):
        named = {type(learners).__name__: learners}
    elif isinstance(learners, Iterable) and not isinstance(learners, str):
        named = {}
        for learner in learners:
            title, often = type(learner).__name__, 1
            while (name := title if often == 1 else f"{title} {often}") in named:
                often += 1
            named[name] = learner
    else:
        raise InvalidOption(f"`learners` must map names to learners, got {learners!r}. Use {{'name': learner}}.")
    if not named:
        raise InvalidOption("`learners` must have at least one learner, got none.")
    for name, learner in named.items():
        if not isinstance(name, str) or not name.strip():
            raise InvalidOption(f"the names of `learners` must be nonempty text, got {name!r}.")
        if isinstance(learner, type):
            raise InvalidOption(f"learner {name!r} must be an object, got a class. Use {learner.__name__}().")
        if not _is_fittable(learner):
            raise InvalidOption(
                f"learner {name!r} must have the methods fit and predict, got type {type(learner).__name__}."
            )
        _look_inside(name, learner)
    return named


def _look_inside(name: str, learner: Any) -> None:
    """Raise InvalidOption if a learner cannot return its parameters, by which it is copied."""
    try:
        if hasattr(learner, "get_params"):
            learner.get_params(deep=True)
    except Exception as error:  # a learner's own code runs here
        raise InvalidOption(f"learner {name!r} must return its parameters, but get_params fails: {error}") from error


def _is_fittable(learner: Any) -> bool:
    return callable(getattr(learner, "fit", None)) and hasattr(learner, "predict") and not isinstance(learner, type)


def fresh(learner: Any) -> Any:
    """Return an unfitted copy of the learner."""
    if hasattr(learner, "get_params"):
        return import_extra("sklearn.base", "learn").clone(learner)
    return copy.deepcopy(learner)


def random_parameters(learner: Any, *, fixed_too: bool) -> tuple[str, ...]:
    """Return the names of the parameters, at any depth, that take a seed: those that are None, or all of them.

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
    """Return the seeds of one fit, which depend neither on the engine nor on the other learners.

    Examples
    --------
    >>> seeds_of(0, "lr", 3, 0, count=1) == seeds_of(0, "nb", 3, 0, count=1)
    False
    """
    name = np.frombuffer(hashlib.sha256(learner.encode()).digest()[:16], dtype="<u4").tolist()
    words = np.random.SeedSequence([root, *name, split, seed]).generate_state(count)
    return [int(word) >> 1 for word in words]  # 31 bits, the most that some learners accept
