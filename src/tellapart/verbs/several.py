"""Several classifiers on one test set: every two of them, and who is tied with the best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorPatterns
from ..methods import find_method
from ..methods.assumptions import Given, examine
from ..methods.error_patterns import square, tie_groups, winner_optimism
from ..methods.multiplicity import adjust as adjusted_pvalues
from ..results import Ranking
from ..types import one_of
from .pairs import Adjust, has_pvalues, pair
from .parts import SEVERAL_SCOPE, Asked, cited, taken_by

__all__ = ["several"]


def several(patterns: ErrorPatterns, adjustment: Adjust | None, asked: Asked, looks: int) -> Ranking:
    """Compare every two classifiers, let the p-values pay for their number, and say who is tied with the best."""
    if patterns.shape:
        raise InvalidOption(f"compare ranks one table of patterns, but this has shape {patterns.shape}. Go one by one.")
    if asked.alternative != "two-sided":
        raise InvalidOption("alternative is for two classifiers: among several, who is A is a matter of their order.")
    if asked.method == "max-t":
        if adjustment not in {None, "max-t"}:
            raise InvalidOption(f"method='max-t' and adjust={adjustment!r} contradict each other. Give one of them.")
        asked, adjustment = replace(asked, method=None), "max-t"
    if asked.method == "cochran-q":
        raise InvalidOption("method 'cochran-q' tells no two apart; every ranking has it as `omnibus`. Leave it out.")
    name = one_of("adjust", adjustment or "max-t", Adjust)
    simultaneous = find_method("max-t", "pairs", ErrorPatterns)
    drawn = taken_by(simultaneous, asked.options)
    others = {option: value for option, value in asked.options.items() if option not in drawn}
    pairs = pair(patterns.tables(), replace(asked, options=others), looks)
    has_pvalues(pairs)
    if name == "max-t":
        found = simultaneous(patterns, alpha=asked.alpha, alternative=asked.alternative, **drawn)
        adjusted = np.maximum(found.pvalue, pairs.pvalue)  # another test's: never more certain than the pair alone
        if asked.interval is None:  # limits that all hold at once
            pairs = replace(pairs, interval=found.interval, cites=pairs.cites[:1])
        cites = tuple(dict.fromkeys((*pairs.cites, *cited(simultaneous))))
    else:
        adjusted = adjusted_pvalues(pairs.pvalue, name)
        cites = (*pairs.cites, *cited(adjustment=name))
    omnibus = find_method("cochran-q", "test", ErrorPatterns)
    given = Given(interval=pairs.interval, alpha=asked.alpha, alternative=asked.alternative)
    assumed = (*omnibus.assumes, *(simultaneous.assumes if name == "max-t" else ()))
    apart = square(adjusted < asked.alpha, len(patterns.models))
    return Ranking(
        method=pairs.method,
        adjustment=name,
        evidence=patterns,
        pairs=pairs,
        adjusted=adjusted,
        groups=tie_groups(patterns.models, patterns.rates, apart),
        optimism=winner_optimism(patterns, **drawn),
        omnibus=omnibus(patterns),
        alpha=asked.alpha,
        checks=(*pairs.checks, *examine(assumed, patterns, given)),
        told=pairs.told,
        scope=SEVERAL_SCOPE,
        covers=pairs.covers,
        cites=cites,
        looks=looks,
    )
