"""Words that advice and the pages of methods share: names of methods in a sentence, and sources of variation."""

from __future__ import annotations

from collections.abc import Sequence

from ..methods import Offer
from ..typing_ import Source

# Surnames that stand in the possessive before the rest of a method's name: "McNemar's mid-p test".
_POSSESSIVE = ("McNemar", "Fisher", "Boschloo", "Barnard", "Cochran", "Welch", "Student", "Yang", "Obuchowski")
_KINDS = ("test", "interval", "sequence", "estimate", "estimator", "bootstrap", "factor", "rule", "Q")


def describe_method(method: Offer) -> str:
    """Return the name of a method in a sentence, without an article.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> describe_method(find_method("mcnemar-mid-p", "test", PairedTable))
    "McNemar's mid-p test"
    >>> describe_method(find_method("tango", "interval", PairedTable))
    'Tango score interval'
    >>> describe_method(find_method("mcnemar-corrected", "test", PairedTable))
    "McNemar's chi-square test, continuity-corrected"
    """
    title = method.display_title
    name, comma, variant = title.partition(", ")
    first, _, rest = name.partition(" ")
    kinds = (*_KINDS, "pairs") if method.gives == "pairs" else _KINDS
    words = {word.removesuffix("s") for word in title.replace(",", "").split()}
    named = title.endswith(kinds) or not {kind.removesuffix("s") for kind in kinds}.isdisjoint(words)
    if first in _POSSESSIVE and method.gives == "test":
        name = f"{first}'s {rest}".rstrip()
    kind = "" if named else f" {'comparisons' if method.gives == 'pairs' else method.gives}"
    return f"{name}{kind}{comma}{variant}"


def describe_sources(covered: Sequence[Source]) -> str:
    """Return which sources of variation a method accounts for, and which not.

    Examples
    --------
    >>> describe_sources(("test data", "labels"))
    'test-set sampling and label noise; not retraining'
    >>> describe_sources(("test data", "training data", "learner", "labels"))
    'test-set sampling, retraining and label noise'
    """
    test, training, learner, labels = (name in covered for name in ("test data", "training data", "learner", "labels"))
    parts = ["test-set sampling"] * test
    if training and learner:
        parts.append("retraining")
    else:
        parts += ["training-set sampling"] * training + ["randomness of the learner"] * learner
    parts += ["label noise"] * labels
    missing = ["test-set sampling"] * (not test)
    if not training and not learner:
        missing.append("retraining")
    else:
        missing += ["training-set sampling"] * (not training) + ["randomness of the learner"] * (not learner)
    text = " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]])) or "none of the sources of variation"
    return f"{text}; not {' or '.join(missing)}" if missing else text
