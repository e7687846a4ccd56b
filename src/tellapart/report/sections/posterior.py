"""The posterior distribution of the difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...errors import InvalidInput
from ..blocks import Figure, Section


def posterior_sections(answer: Any) -> Iterator[Section]:
    """Yield the posterior density of the difference; nothing for evidence without a Bayesian model."""
    from ..plots import posterior_picture

    try:
        picture = posterior_picture(answer)
    except InvalidInput:  # two test sets, disjoint training sets, differences that do not vary
        return
    yield Section(id="posterior", title="Posterior distribution", blocks=(Figure(picture=picture),), folded=True)
