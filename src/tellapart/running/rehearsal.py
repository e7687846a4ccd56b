"""An experiment without fits, to validate a request before the learners are run."""

from __future__ import annotations

from typing import Any

import numpy as np

from .fit import Fit
from .plans import lay_out, refuse_endless
from .record import Race


def rehearse(learners: Any, X: Any, y: Any, *, seeds: int = 1, rng: int = 0, **options: Any) -> Race:  # noqa: N803
    """Return the experiment that `race` would run, with predictions drawn from the labels.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> rehearse({"nb": GaussianNB()}, [[0], [1], [2], [3]], [0, 1, 0, 1], plan="2-fold")
    Race(nb: 2-fold on 4 examples, 2 fits)
    """
    layout = lay_out(options.pop("plan"), X, y, rng=np.random.default_rng(rng), **options)
    refuse_endless(layout, learners=len(learners), seeds=seeds)
    classes, labels = np.unique(y, return_inverse=True)
    drawn = np.random.default_rng(rng)
    fits = []
    for name, learner in learners.items():
        gives = hasattr(learner, "predict_proba")
        for index, split in enumerate(layout.splits):
            for seed in range(seeds):
                size = split.test.size
                shares = drawn.dirichlet(np.ones(classes.size), size) if gives else None
                fits.append(Fit(name, index, seed, drawn.choice(labels, size), shares, 0.0, None))
    rehearsal: Race = Race(tuple(learners), layout, labels, tuple(classes.tolist()), fits, seeds, lambda _: rehearsal)
    return rehearsal
