"""Planning for learners, and for graded scores: how many replicates, training sets, data sets or examples?

All of them judge the mean of differences by how much these vary, so all start from a standard deviation: from
experience, or from a pilot, whose mean is never looked at.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ..errors import InvalidOption
from ..evidence import Resamples
from ..evidence.plan import Plan, as_plan
from ..methods import find_method
from ..typing_ import Hypothesis
from .learner_options import Varying, as_whole, check_varying, over_what
from .learner_pilots import Held, at_upper_limit, of_pilot, pilot_in_words, split_alike
from .planned import Aside, Planned, amount
from .settings.mean_differences import Means, SignedRanks, Wins
from .settings.regions import Claim
from .solving import MOST, difference_for
from .wanted import Wanted, answer

_FOLDS = (2, 5, 10, 20)


def plan_learners(wanted: Wanted, varying: Varying, *, method: str | None = None, pilot: Any = None) -> Planned:
    """Return the plan for whatever is judged by the mean of differences.

    Parameters
    ----------
    wanted
        What was given of size, power and difference.
    varying
        How much the differences vary, and from what to what.
    method
        The test; by what varies, if left out.
    pilot
        A `Resamples`, a race or a `ScoreTable` of two learners, to take the standard deviation from.

    Examples
    --------
    >>> plan_learners(Wanted(difference=0.02, power=0.8), Varying(sd=0.05, over="training sets")).size
    52
    """
    held, varying = of_pilot(pilot, varying, wanted)
    over = over_what(varying)
    check_varying(wanted, varying, over, rates=held is None or held.metric == "error")
    if over == "splits":
        return _plan_splits(wanted, varying, method, held)
    if over == "data sets":
        return _plan_data_sets(wanted, varying, method, held, pilot)
    if over == "training sets":
        return _plan_training_sets(wanted, varying, method, held)
    return _plan_examples(wanted, varying, method)


def _claim(wanted: Wanted, name: str) -> Claim:
    return Claim(
        method=find_method(name, "test", Resamples),
        alpha=wanted.alpha,
        alternative=wanted.alternative,
        margin=wanted.margin,
        hypothesis=wanted.hypothesis,
    )


def _named(method: str | None, known: tuple[str, ...], over: str) -> str:
    """Return the test, the first of those that can be planned for if none was named."""
    if method is None:
        return known[0]
    if method not in known:
        why = _UNABLE.get(method, f"is none that a plan for {over} knows")
        raise InvalidOption(f"method {method!r} {why}. Choose one of: {', '.join(known)}.")
    return method


_UNABLE = {
    "5x2cv-t": "puts one of ten differences over the spread of all, and its power has no formula that holds",
    "5x2cv-f": "has no formula for its power that holds, as its numerator and denominator share their differences",
    "resampled-t": "is forbidden: enough splits would show any difference",
    "kfold-t": "takes overlapping training sets for independent ones, so that its power would be that of a false claim",
}


# --- Splits of one data set -----------------------------------------------------------------------


def _plan_splits(wanted: Wanted, varying: Varying, method: str | None, held: Held | None) -> Planned:
    assert varying.plan is not None and varying.sd is not None  # noqa: S101, PT018  # `over_what` has looked
    plan = as_plan(varying.plan)
    if plan.kind not in {"k-fold", "random"} or plan.folds == 0:
        raise InvalidOption(
            f"plan {plan.name!r} cannot be planned for: the corrected t test needs splits whose test and training sets"
            " have sizes in a fixed ratio. Write '10-fold', '10x10' or '30x(2/3)', or 'independent'."
        )
    both = wanted.power is not None and wanted.difference is not None
    if varying.repeated and both:
        scheme = f"{plan.folds}-fold" if plan.kind == "k-fold" else f"holdout({plan.share:.3g})"
        raise InvalidOption(
            f"plan={plan.name!r} says how many replicates there are, and power and difference are given, too. For the"
            f" number of replicates write plan={scheme!r}; else leave power= or difference= out."
        )
    wanted = replace(wanted, size=None if both else plan.replicates)
    repeated = plan.kind == "k-fold"
    known = ("corrected-repeated-kfold-t", "corrected-resampled-t") if repeated else ("corrected-resampled-t",)
    name = _named(method, known, "splits")
    how = f"{plan.folds}-fold cross-validations" if repeated else f"random splits ({plan.share:.3g} for training)"
    points = held is None or held.metric == "error"
    about = f"two learners on one data set, by {how}, whose difference on a test set has a standard deviation of {{}}"

    def planned(sd: float, folds: int = plan.folds) -> Planned:
        setting = Means(
            claim=_claim(wanted, name),
            sd=sd,
            unit="replicates",
            about=about.format(amount(sd, points)),
            folds=folds,
            ratio=1 / (folds - 1) if repeated else plan.ratio,
            bounded=points,
        )
        references = (setting.claim.method.reference, *(["nadeau2003"] if repeated else []))
        return answer(setting, wanted, method=name, formula_name=_NORMAL, points=points, references=references)

    found = planned(varying.sd)
    asides = at_upper_limit(held, planned, points)
    if repeated and (held is None or split_alike(held, plan)):
        # Fewer folds have larger test sets, on which differences vary less.
        scaled = {folds: varying.sd * math.sqrt(folds / plan.folds) for folds in _FOLDS if folds != plan.folds}
        asides += [
            Aside.of(f"with {folds} folds, if sd² is inverse to the test sets' size", planned(sd, folds))
            for folds, sd in scaled.items()
            if sd <= 1 or not points
        ]
    told = pilot_in_words(held, plan)
    return replace(found, beside=tuple(asides), notes=(*_ceiling(found, points), *told, _AS_NORMAL))


_NORMAL = "normal formula"
_AS_NORMAL = "Power is that of the noncentral t, as if differences were normal."


def _ceiling(found: Planned, points: bool) -> tuple[str, ...]:
    """Say what no number of replicates can do: training sets overlap, however often the data are split."""
    setting: Any = found.setting
    why = "The training sets of all splits overlap, and more replicates do not help with that:"
    if found.solved == "power":
        ever = float(setting.power(MOST, found.difference))
        return (f"{why} with endlessly many the power would be {100 * ever:.4g} %.",)
    ever = difference_for(setting, MOST, found.target)
    if math.isnan(ever):
        return (f"{why} no number of them shows any difference so often.",)
    least = {"different": "below", "equivalent": "above"}.get(found.hypothesis, "below")
    told = amount(abs(ever) if found.hypothesis in {"different", "equivalent"} else ever, points)
    return (f"{why} no number of them shows it so often at a true difference {least} {told}.",)


# --- Training sets, data sets, examples -----------------------------------------------------------


def _plan_training_sets(wanted: Wanted, varying: Varying, method: str | None, held: Held | None) -> Planned:
    assert varying.sd is not None  # noqa: S101  # `check_varying` has looked
    name = _named(method, ("paired-t",), "training sets")
    points = held is None or held.metric == "error"
    wanted = replace(wanted, size=_size("training_sets", varying.training_sets))

    def planned(sd: float) -> Planned:
        about = (
            "two learners on independent training sets, each with test data of its own, whose difference varies by"
            f" {amount(sd, points)} (standard deviation) from one to the next"
        )
        setting = Means(claim=_claim(wanted, name), sd=sd, unit="training sets", about=about, bounded=points)
        return _student(setting, wanted, name, points=points)

    found = planned(varying.sd)
    told = pilot_in_words(held, Plan.parse("independent"))
    return replace(found, beside=tuple(at_upper_limit(held, planned, points)), notes=(*told, _AS_NORMAL))


def _student(setting: Means, wanted: Wanted, name: str, **facts: Any) -> Planned:
    references = facts.pop("references", (setting.claim.method.reference,))
    return answer(setting, wanted, method=name, formula_name=_NORMAL, references=references, **facts)


def _size(name: str, value: int | None) -> int | None:
    return None if value is None else as_whole(name, value)


def _plan_data_sets(
    wanted: Wanted, varying: Varying, method: str | None, held: Held | None = None, pilot: Any = None
) -> Planned:
    wanted = replace(wanted, size=_size("data_sets", varying.data_sets))
    if varying.wins is not None:
        return _plan_wins(wanted, varying.wins, method)
    assert varying.sd is not None  # noqa: S101  # `check_varying` has looked
    known = ("paired-t", "wilcoxon-signed-rank", "sign-test")
    name = _named(method, known, "data sets")
    points = held is None or held.metric == "error"

    def planned(by: str, sd: float) -> Planned:
        asked: dict[str, Any] = {"alpha": wanted.alpha, "alternative": wanted.alternative, "bounded": points, "sd": sd}
        about = (
            f"two learners over data sets, whose difference varies by {amount(sd, points)} (standard deviation) between"
            " them"
        )
        if by == "paired-t":
            setting = Means(claim=_claim(wanted, by), sd=sd, unit="data sets", about=about, bounded=points)
            return _student(setting, wanted, by, notes=(_AS_NORMAL,), references=("demsar2006",), points=points)
        _refuse_margin(by, wanted.hypothesis)
        if by == "sign-test":
            return answer(Wins(about=about, **asked), wanted, method=by, notes=(_SIGNS,), points=points, **_NOETHER)
        return answer(SignedRanks(about=about, **asked), wanted, method=by, notes=(_RANKS,), points=points, **_NOETHER)

    sd = varying.sd
    found = planned(name, sd)
    others = [each for each in known if each != name] if wanted.hypothesis == "different" else []
    beside = [Aside.of(f"by {each}", planned(each, sd)) for each in others]
    if held is None:
        return replace(found, beside=tuple(beside))
    from .data_set_pilots import by_drawing, table_in_words

    beside += [
        *by_drawing(pilot, found, method or _COMPARED),
        *at_upper_limit(held, lambda upper: planned(name, upper), points),
    ]
    return replace(found, beside=tuple(beside), notes=(*table_in_words(held), *found.notes))


_COMPARED = "wilcoxon-signed-rank"  # the test that a table of scores is compared by, unless another is named
_NOETHER: dict[str, Any] = {"formula_name": "Noether's normal formula", "references": ("noether1987", "demsar2006")}
_SIGNS = "Power is exact if differences are normal and no data set is tied."
_RANKS = "Power is Noether's approximation, for differences that are normal."


def _plan_wins(wanted: Wanted, wins: Any, method: str | None) -> Planned:
    name = _named(method, ("sign-test",), "wins")
    _refuse_margin(name, wanted.hypothesis)
    if wanted.difference is not None:
        raise InvalidOption("wins= is the difference of a sign test. Leave difference= out.")
    if isinstance(wins, bool) or not isinstance(wins, int | float) or not 0 <= wins <= 1 or wins == 0.5:
        raise InvalidOption(
            f"wins must be a probability, not one half, but is {wins!r}. If B wins on 7 of 10 data sets write 0.7."
        )
    wanted = replace(wanted, difference=2 * float(wins) - 1)
    setting = Wins(
        about="two learners over data sets, of which only counts who wins (ties left out): the difference is how much"
        " more often one of them does",
        alpha=wanted.alpha,
        alternative=wanted.alternative,
    )

    def truth(difference: float) -> str:
        who, share = wanted.models[difference > 0], (1 + abs(difference)) / 2
        return f"{who} wins on {100 * share:.4g} % of all data sets there are"

    who = {"two-sided": "one", "greater": wanted.models[1], "less": wanted.models[0]}[wanted.alternative]
    shows = f"that {who} wins more often"
    of = "how much more often B wins than A"
    return answer(setting, wanted, method=name, shows=shows, truth=truth, of=of, notes=("Power is exact.",), **_NOETHER)


def _refuse_margin(name: str, hypothesis: Hypothesis) -> None:
    if hypothesis != "different":
        raise InvalidOption(
            f"method {name!r} is planned without a margin. Take method='paired-t', or leave margin= out."
        )


def _plan_examples(wanted: Wanted, varying: Varying, method: str | None) -> Planned:
    name = _named(method, ("paired-t",), "scores of examples")
    assert varying.sd is not None  # noqa: S101  # `check_varying` has looked
    epochs = _epochs(varying)
    between, within = varying.sd**2, [(each or 0.0) ** 2 for each in (varying.sd_a, varying.sd_b)]

    def planned(times: tuple[float, float]) -> Planned:
        variance = between + sum(each / count for each, count in zip(within, times, strict=True))
        if not variance > 0:
            raise InvalidOption("sd, sd_a and sd_b are all 0: then nothing varies, and there is nothing to plan.")
        total = math.sqrt(variance)
        asked = f", with {_times(epochs)}" if epochs else ""
        about = (
            "the scores of two models on the same examples, whose difference varies by"
            f" {total:.4g} (standard deviation) from one to the next{asked}"
        )
        setting = Means(claim=_claim(wanted, name), sd=total, unit="examples", about=about, bounded=False)
        return _student(setting, wanted, name, points=False, references=("miller2024",))

    found = planned(epochs or (1, 1))
    asides = []
    if epochs and between:
        asides = [Aside.of("with endlessly many epochs", planned((math.inf, math.inf)))]
        asides = ([Aside.of("with 1 epoch", planned((1, 1)))] if epochs != (1, 1) else []) + asides
    return replace(found, beside=tuple(asides), notes=(_AS_NORMAL,))


def _epochs(varying: Varying) -> tuple[int, int] | None:
    """Return how often A and B are asked; nothing where nobody said how much their scores vary on one example."""
    if varying.sd_a is None and varying.sd_b is None:
        if varying.epochs is not None:
            raise InvalidOption("epochs= needs sd_a= and sd_b=: by how much scores vary on one example.")
        return None
    pair = (
        varying.epochs if isinstance(varying.epochs, tuple) else (1 if varying.epochs is None else varying.epochs,) * 2
    )
    if len(pair) != 2:
        raise InvalidOption(f"epochs must be a number, or one for A and one for B, but is {varying.epochs!r}.")
    return as_whole("epochs", pair[0], 1), as_whole("epochs", pair[1], 1)


def _times(epochs: tuple[int, int]) -> str:
    a, b = epochs
    return f"{a} epoch{'s' * (a > 1)}" if a == b else f"{a} epochs of A and {b} of B"
