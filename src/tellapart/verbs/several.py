"""Several classifiers on one test set: every two of them, and who is tied with the best."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ClassScores, ErrorPatterns, LabelPatterns, Outcomes
from ..methods import find_method, look_up
from ..methods.assumptions import Context, check_assumptions
from ..methods.error_patterns.optimism import winner_optimism
from ..methods.multiplicity import adjust as adjusted_pvalues
from ..methods.tie_groups import square, tie_groups
from ..results import Interval, Ranking
from ..typing_ import one_of
from .pairs import Adjust, has_pvalues, pair
from .parts import SEVERAL_SCOPE, Asked, cited, in_metric, taken_by

_Several = ErrorPatterns | Outcomes | LabelPatterns | ClassScores


def several(held: _Several, adjustment: Adjust | None, asked: Asked, looks: int) -> Ranking:
    """Compare every two classifiers, let the p-values pay for their number, and say who is tied with the best."""
    asked, name = _agreed(held, adjustment, asked)
    drawn = _draws(held, asked.options)
    others = {option: value for option, value in asked.options.items() if option not in drawn}
    pairs = pair(_pairs(held), replace(asked, options=others), looks)
    has_pvalues(pairs)
    if name == "max-t":
        simultaneous = find_method("max-t", "pairs", type(held))
        found = simultaneous(held, alpha=asked.alpha, alternative=asked.alternative, **drawn)
        adjusted = np.maximum(found.pvalue, pairs.pvalue)  # another test's: never more certain than the pair alone
        if asked.interval is None:  # limits that all hold at once
            pairs = replace(pairs, interval=in_metric(found.interval, held), cites=pairs.cites[:1])
        cites = tuple(dict.fromkeys((*pairs.cites, *cited(simultaneous))))
        assumed, simulated = simultaneous.assumes, found.simulated
    else:
        assumed, simulated = (), None  # of the adjustments none asks for anything that could be seen
        adjusted = adjusted_pvalues(pairs.pvalue, name)
        cites = (*pairs.cites, *cited(adjustment=name))
    omnibus = look_up("cochran-q", "test", type(held), elsewhere=False)  # of right and wrong alone
    context = Context(interval=pairs.interval, alpha=asked.alpha, alternative=asked.alternative)
    assumed = (*(omnibus.assumes if omnibus else ()), *assumed)
    return Ranking(
        method=pairs.method,
        adjustment=name,
        evidence=held,
        pairs=pairs,
        adjusted=adjusted,
        simulated=simulated,
        groups=tie_groups(held.models, held.rank_by, square(adjusted < asked.alpha, len(held.models))),
        omnibus=omnibus(held) if omnibus else None,
        alpha=asked.alpha,
        checks=(*pairs.checks, *check_assumptions(assumed, held, context)),
        told=pairs.told,
        covers=pairs.covers,
        cites=cites,
        looks=looks,
        **_of_each(held, asked.alpha, drawn),
    )


def _draws(held: _Several, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that max-t takes; a metric that it is not for leaves them to the pairs."""
    simultaneous = look_up("max-t", "pairs", type(held), elsewhere=False)
    return taken_by(simultaneous, options) if simultaneous else {}


def _agreed(held: Any, adjustment: Adjust | None, asked: Asked) -> tuple[Asked, Adjust]:
    """Return what is asked of every pair, and how p-values pay for their number; refuse what several cannot answer."""
    if held.shape:
        raise InvalidOption(f"compare ranks one test set, but this has shape {held.shape}. Go one by one.")
    if asked.alternative != "two-sided":
        raise InvalidOption("alternative is for two classifiers: among several, who is A is a matter of their order.")
    if asked.method == "max-t":
        if adjustment not in {None, "max-t"}:
            raise InvalidOption(f"method='max-t' and adjust={adjustment!r} contradict each other. Give one of them.")
        asked, adjustment = replace(asked, method=None), "max-t"
    if asked.method == "cochran-q":
        raise InvalidOption("method 'cochran-q' tells no two apart; every ranking has it as `omnibus`. Leave it out.")
    if asked.method == "macro-average":
        raise InvalidOption("method 'macro-average' is for two models at a time. Take them out by select(a, b).")
    by_metric = isinstance(held, LabelPatterns | ClassScores)
    name: Adjust = one_of("adjust", adjustment or ("holm" if by_metric else "max-t"), Adjust)
    if by_metric:
        _refuse_by_metric(held, name)
    return asked, name


def _refuse_by_metric(held: LabelPatterns | ClassScores, adjustment: Adjust) -> None:
    """Refuse what a ranking by another metric than errors cannot say."""
    if adjustment == "max-t":
        raise InvalidOption(
            f"max-t is for error rates and mean scores, not for {held.metric.name}. Take adjust='holm', which needs"
            " nothing but the p-values."
        )
    if np.isnan(held.levels).all():
        raise InvalidEvidence(
            f"the {held.metric.title} of no model is defined on these examples. Ask for another metric."
        )


def _pairs(held: _Several) -> Any:
    if isinstance(held, ErrorPatterns):
        return held.pairs()
    if isinstance(held, LabelPatterns):
        return held.pairs()
    if isinstance(held, ClassScores):
        places = np.stack(np.triu_indices(len(held.models), 1), axis=-1)
        return replace(held, scores=held.scores[places], models=("A", "B"))
    from .outcomes import every_pair

    return every_pair(held)


def _of_each(held: _Several, alpha: float, drawn: dict[str, Any]) -> dict[str, Any]:
    """Return the limits of each by itself, how lucky the best of them is, and of whom all this speaks."""
    from .estimating import estimate

    if isinstance(held, ErrorPatterns):
        limits: Interval = estimate(held.error_counts, alpha=alpha).interval
        return {"each": limits, "optimism": winner_optimism(held, **drawn), "scope": SEVERAL_SCOPE}
    if isinstance(held, LabelPatterns):
        from ..methods.winners import metric_winner_optimism

        limits = estimate(held.confusions, alpha=alpha).interval
        return {"each": limits, "optimism": metric_winner_optimism(held), "scope": SEVERAL_SCOPE}
    found = [estimate(held.select(name), alpha=alpha).interval for name in held.models]
    low, high = (np.array([getattr(each, end) for each in found]) for end in ("low", "high"))
    limits = replace(found[0], low=low, high=high)
    if isinstance(held, ClassScores):
        from ..methods.winners import metric_winner_optimism

        return {"each": limits, "optimism": metric_winner_optimism(held), "scope": SEVERAL_SCOPE}
    from ..methods.outcomes.winner import mean_winner_optimism
    from .outcomes import scope_of_outcomes

    return {"each": limits, "optimism": mean_winner_optimism(held, **drawn), "scope": scope_of_outcomes(held)}
