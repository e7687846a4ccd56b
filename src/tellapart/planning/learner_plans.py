"""Plans for learners and for graded scores: the number of replicates, training sets, data sets or examples.

The tests compare the mean difference with its variability, so a plan needs a standard deviation: from experience, or
from a pilot, whose mean difference is never used.
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
from .learner_options import Varying, as_whole, check_varying, resolve_over
from .learner_pilots import LearnerPilot, describe_pilot, plan_at_upper_limit, read_pilot, split_alike
from .plan_target import PlanTarget, solve_plan
from .plan_wording import format_amount
from .planned import AlternativePlan, Planned
from .settings.mean_differences import Means, SignedRanks, Wins
from .settings.regions import Claim
from .solving import MOST, difference_for

_FOLDS = (2, 5, 10, 20)


def plan_learners(target: PlanTarget, varying: Varying, *, method: str | None = None, pilot: Any = None) -> Planned:
    """Return the plan for a test of the mean difference.

    Parameters
    ----------
    target
        Two of size, power and difference, and the hypothesis.
    varying
        The standard deviation of the differences, and the units it refers to.
    method
        The test. Default: by the units.
    pilot
        A `Resamples`, a race or a `ScoreTable` of two learners, for the standard deviation.

    Examples
    --------
    >>> plan_learners(PlanTarget(difference=0.02, power=0.8), Varying(sd=0.05, over="training sets")).size
    52
    """
    pilot_facts, varying = read_pilot(pilot, varying, target)
    over = resolve_over(varying)
    check_varying(target, varying, over, rates=pilot_facts is None or pilot_facts.metric == "error")
    if over == "splits":
        return _plan_splits(target, varying, method, pilot_facts)
    if over == "data sets":
        return _plan_data_sets(target, varying, method, pilot_facts, pilot)
    if over == "training sets":
        return _plan_training_sets(target, varying, method, pilot_facts)
    return _plan_examples(target, varying, method)


def _build_claim(target: PlanTarget, name: str) -> Claim:
    return Claim(
        method=find_method(name, "test", Resamples),
        alpha=target.alpha,
        alternative=target.alternative,
        margin=target.margin,
        hypothesis=target.hypothesis,
    )


def _resolve_method(method: str | None, known: tuple[str, ...], over: str) -> str:
    """Return the test, by default the first that can be planned for."""
    if method is None:
        return known[0]
    if method not in known:
        why = f", which {_UNABLE[method]}" if method in _UNABLE else ""
        raise InvalidOption(
            f"`method` of a plan for {over} must be {' or '.join(map(repr, known))}, got {method!r}{why}."
        )
    return method


_UNABLE = {
    "5x2cv-t": "has no formula for its power",
    "5x2cv-f": "has no formula for its power",
    "resampled-t": "is invalid: with enough splits it rejects for any difference",
    "kfold-t": "is invalid: it ignores that training sets overlap",
}


# --- Splits of one data set -----------------------------------------------------------------------


def _plan_splits(target: PlanTarget, varying: Varying, method: str | None, pilot_facts: LearnerPilot | None) -> Planned:
    assert varying.plan is not None and varying.sd is not None  # noqa: S101, PT018  # checked by `resolve_over`
    plan = as_plan(varying.plan)
    if plan.kind not in {"k-fold", "random"} or plan.folds == 0:
        raise InvalidOption(
            f"`plan` must have a fixed ratio of test to training size, got {plan.name!r}. Use plan='10-fold',"
            " plan='10x10' or plan='30x(2/3)'."
        )
    both = target.power is not None and target.difference is not None
    if varying.repeated and both:
        scheme = f"{plan.folds}-fold" if plan.kind == "k-fold" else f"holdout({plan.share:.3g})"
        raise InvalidOption(
            f"`plan` must leave the number of replicates open if power and difference are set, got {plan.name!r}. Use"
            f" plan={scheme!r}, or leave one of them out."
        )
    target = replace(target, size=None if both else plan.replicates)
    repeated = plan.kind == "k-fold"
    known = ("corrected-repeated-kfold-t", "corrected-resampled-t") if repeated else ("corrected-resampled-t",)
    name = _resolve_method(method, known, "splits")
    splits = f"{plan.folds}-fold cross-validation" if repeated else f"random splits ({plan.share:.3g} for training)"
    points = pilot_facts is None or pilot_facts.metric == "error"
    about = f"two learners, one data set, {splits}, SD of the difference {{}}"

    def build_plan(sd: float, folds: int = plan.folds) -> Planned:
        setting = Means(
            claim=_build_claim(target, name),
            sd=sd,
            unit="replicates",
            about=about.format(format_amount(sd, points)),
            folds=folds,
            ratio=1 / (folds - 1) if repeated else plan.ratio,
            bounded=points,
        )
        references = (setting.claim.method.reference, *(["nadeau2003"] if repeated else []))
        return solve_plan(setting, target, method=name, formula_name=_NORMAL, points=points, references=references)

    planned = build_plan(varying.sd)
    alternatives = plan_at_upper_limit(pilot_facts, build_plan, points)
    if repeated and (pilot_facts is None or split_alike(pilot_facts, plan)):
        # Fewer folds have larger test sets, on which differences vary less.
        scaled = {folds: varying.sd * math.sqrt(folds / plan.folds) for folds in _FOLDS if folds != plan.folds}
        scaled = {folds: sd for folds, sd in scaled.items() if sd <= 1 or not points}
        for folds, sd in scaled.items():
            assumption = " (variance inverse to the test set size)" if folds == max(scaled) else ""
            alternatives.append(AlternativePlan.from_plan(f"with {folds} folds{assumption}", build_plan(sd, folds)))
    return replace(
        planned,
        alternatives=tuple(alternatives),
        notes=describe_pilot(pilot_facts, plan),
        power_notes=_note_ceiling(planned, points),
    )


_NORMAL = "normal formula"


def _note_ceiling(planned: Planned, points: bool) -> tuple[str, ...]:
    """Return notes about the largest power with any number of replicates, as training sets overlap."""
    setting: Any = planned.setting
    if planned.solved == "power":
        ever = float(setting.power(MOST, planned.difference))
        return (f"at most {100 * ever:.4g}% with any number of replicates, as training sets overlap",)
    ever = difference_for(setting, MOST, planned.target)
    if math.isnan(ever):
        return ("no number of replicates is enough for any difference, as training sets overlap",)
    least = {"different": "below", "equivalent": "above"}.get(planned.hypothesis, "below")
    size = format_amount(abs(ever) if planned.hypothesis in {"different", "equivalent"} else ever, points)
    return (f"no number of replicates is enough for a difference {least} {size}, as training sets overlap",)


# --- Training sets, data sets, examples -----------------------------------------------------------


def _plan_training_sets(
    target: PlanTarget, varying: Varying, method: str | None, pilot_facts: LearnerPilot | None
) -> Planned:
    assert varying.sd is not None  # noqa: S101  # checked by `check_varying`
    name = _resolve_method(method, ("paired-t",), "training sets")
    points = pilot_facts is None or pilot_facts.metric == "error"
    target = replace(target, size=_as_size("training_sets", varying.training_sets))

    def build_plan(sd: float) -> Planned:
        about = f"two learners, independent training and test sets, SD of the difference {format_amount(sd, points)}"
        setting = Means(claim=_build_claim(target, name), sd=sd, unit="training sets", about=about, bounded=points)
        return _solve_student(setting, target, name, points=points)

    planned = build_plan(varying.sd)
    return replace(
        planned,
        alternatives=tuple(plan_at_upper_limit(pilot_facts, build_plan, points)),
        notes=describe_pilot(pilot_facts, Plan.parse("independent")),
    )


def _solve_student(setting: Means, target: PlanTarget, name: str, **facts: Any) -> Planned:
    references = facts.pop("references", (setting.claim.method.reference,))
    return solve_plan(setting, target, method=name, formula_name=_NORMAL, references=references, **facts)


def _as_size(name: str, value: int | None) -> int | None:
    return None if value is None else as_whole(name, value)


def _plan_data_sets(
    target: PlanTarget, varying: Varying, method: str | None, pilot_facts: LearnerPilot | None = None, pilot: Any = None
) -> Planned:
    target = replace(target, size=_as_size("data_sets", varying.data_sets))
    if varying.wins is not None:
        return _plan_wins(target, varying.wins, method)
    assert varying.sd is not None  # noqa: S101  # checked by `check_varying`
    known = ("paired-t", "wilcoxon-signed-rank", "sign-test")
    name = _resolve_method(method, known, "data sets")
    points = pilot_facts is None or pilot_facts.metric == "error"

    def build_plan(by: str, sd: float) -> Planned:
        options: dict[str, Any] = {
            "alpha": target.alpha,
            "alternative": target.alternative,
            "bounded": points,
            "sd": sd,
        }
        about = f"two learners, several data sets, SD of the difference {format_amount(sd, points)}"
        if by == "paired-t":
            setting = Means(claim=_build_claim(target, by), sd=sd, unit="data sets", about=about, bounded=points)
            return _solve_student(setting, target, by, references=("demsar2006",), points=points)
        _check_no_margin(by, target.hypothesis)
        if by == "sign-test":
            return solve_plan(Wins(about=about, **options), target, method=by, points=points, **_NOETHER)
        return solve_plan(SignedRanks(about=about, **options), target, method=by, points=points, **_NOETHER)

    sd = varying.sd
    planned = build_plan(name, sd)
    others = [test for test in known if test != name] if target.hypothesis == "different" else []
    alternatives = [AlternativePlan.from_plan(f"for {test}", build_plan(test, sd)) for test in others]
    if pilot_facts is None:
        return replace(planned, alternatives=tuple(alternatives))
    from .data_set_pilots import describe_table, plan_by_resampling

    alternatives += [
        *plan_by_resampling(pilot, planned, method or _DEFAULT_TEST),
        *plan_at_upper_limit(pilot_facts, lambda upper: build_plan(name, upper), points),
    ]
    return replace(planned, alternatives=tuple(alternatives), notes=describe_table(pilot_facts))


_DEFAULT_TEST = "wilcoxon-signed-rank"  # of `compare` for a table of scores
_NOETHER: dict[str, Any] = {"formula_name": "Noether's normal formula", "references": ("noether1987", "demsar2006")}


def _plan_wins(target: PlanTarget, wins: Any, method: str | None) -> Planned:
    name = _resolve_method(method, ("sign-test",), "wins")
    _check_no_margin(name, target.hypothesis)
    if target.difference is not None:
        raise InvalidOption(
            "`difference` must not be set with wins, which is the difference of a sign test. Leave it out."
        )
    if isinstance(wins, bool) or not isinstance(wins, int | float) or not 0 <= wins <= 1 or wins == 0.5:
        raise InvalidOption(
            f"`wins` must be a probability other than 0.5, got {wins!r}. If B wins on 7 of 10 data sets use 0.7."
        )
    target = replace(target, difference=2 * float(wins) - 1)
    setting = Wins(
        about="two learners, several data sets, only wins and losses counted",
        alpha=target.alpha,
        alternative=target.alternative,
    )

    def truth(difference: float) -> str:
        who, share = target.models[difference > 0], (1 + abs(difference)) / 2
        return f"{who} wins on {100 * share:.4g}% of data sets"

    who = {"two-sided": "one", "greater": target.models[1], "less": target.models[0]}[target.alternative]
    shows = f"that {who} wins more often"
    quantity = "P(B wins) - P(A wins)"
    return solve_plan(setting, target, method=name, shows=shows, truth=truth, quantity=quantity, **_NOETHER)


def _check_no_margin(name: str, hypothesis: Hypothesis) -> None:
    if hypothesis != "different":
        raise InvalidOption(
            f"`method` of a plan with a margin must be 'paired-t', got {name!r}. Use method='paired-t', or no margin."
        )


def _plan_examples(target: PlanTarget, varying: Varying, method: str | None) -> Planned:
    name = _resolve_method(method, ("paired-t",), "scores of examples")
    assert varying.sd is not None  # noqa: S101  # checked by `check_varying`
    epochs = _resolve_epochs(varying)
    between, within = varying.sd**2, [(sd or 0.0) ** 2 for sd in (varying.sd_a, varying.sd_b)]

    def build_plan(times: tuple[float, float]) -> Planned:
        variance = between + sum(part / count for part, count in zip(within, times, strict=True))
        if not variance > 0:
            raise InvalidOption("one of `sd`, `sd_a` and `sd_b` must be above 0, got 0 for all.")
        total = math.sqrt(variance)
        repeats = f", {_describe_epochs(epochs)}" if epochs else ""
        about = f"scores of two models on the same examples, SD of the difference {total:.4g}{repeats}"
        setting = Means(claim=_build_claim(target, name), sd=total, unit="examples", about=about, bounded=False)
        return _solve_student(setting, target, name, points=False, references=("miller2024",))

    planned = build_plan(epochs or (1, 1))
    alternatives = []
    if epochs and between:
        fewest = [AlternativePlan.from_plan("with 1 epoch", build_plan((1, 1)))] if epochs != (1, 1) else []
        most = AlternativePlan.from_plan("with any number of epochs", build_plan((math.inf, math.inf)))
        alternatives = [*fewest, most]
    return replace(planned, alternatives=tuple(alternatives))


def _resolve_epochs(varying: Varying) -> tuple[int, int] | None:
    """Return the epochs of A and B; None if the variance within examples is not given."""
    if varying.sd_a is None and varying.sd_b is None:
        if varying.epochs is not None:
            raise InvalidOption(
                "`epochs` requires sd_a and sd_b, the standard deviations of repeated scores of one example."
            )
        return None
    pair = (
        varying.epochs if isinstance(varying.epochs, tuple) else (1 if varying.epochs is None else varying.epochs,) * 2
    )
    if len(pair) != 2:
        raise InvalidOption(f"`epochs` must be one number, or one for A and one for B, got {varying.epochs!r}.")
    return as_whole("epochs", pair[0], 1), as_whole("epochs", pair[1], 1)


def _describe_epochs(epochs: tuple[int, int]) -> str:
    a, b = epochs
    return f"{a} epoch{'s' * (a > 1)}" if a == b else f"{a} epochs of A and {b} of B"
