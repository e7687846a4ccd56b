"""Which of the four sources of variation an answer allows for: what its methods look at, and its evidence shows.

A method registers what its error bars can allow for. A source that stands still in the evidence (one training set, one
test set) no method sees.
"""

from __future__ import annotations

from ..evidence import Evidence
from ..typing_ import SOURCES, Source
from .registry import Offer


def covered(evidence: Evidence, *methods: Offer) -> tuple[Source, ...]:
    """Return the sources of variation that all the methods cover and that the evidence lets them see.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> covered(PairedTable(20, 25, 10, 45), find_method("mcnemar", "test", PairedTable))
    ('test data', 'labels')
    """
    seen = set(evidence.sources).intersection(*(method.covers for method in methods))
    # A t test for samples that share nothing allows for nothing where they share their examples.
    plan = getattr(evidence, "plan", None)
    if plan and plan.kind != "independent":
        from .resamples.assumptions import INDEPENDENT_SAMPLES

        if any(INDEPENDENT_SAMPLES in method.assumes for method in methods):
            seen = set()
    return tuple(source for source in SOURCES if source in seen)
