"""From evidence and answers to a recommended method, by Dietterich's taxonomy (1998).

Evidence answers most questions of the taxonomy; `advise` asks for the rest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ..errors import InvalidEvidence, InvalidInput
from ..evidence import ErrorCount, Evidence, Resamples
from ..methods import Offer, find_method
from ..methods.assumptions import Assumption, Context, check_assumptions
from ..methods.selection import SplittingAdvice, splitting_advice
from ..verbs.dispatch import as_evidence, find_converter
from ..verbs.request import Request
from .alternatives import Forbidden, find_alternatives, find_forbidden
from .commands import Origin, format_code, format_command
from .method_choice import MethodChoice, choose_methods
from .questions import ASKS, FOLLOW_UPS, Ask
from .recommendation import AssumptionNote, Recommendation, Step
from .rules_of_thumb import rules_for
from .situation import TAXONOMY, Situation

_PATH = (*TAXONOMY, "test_sets", "models", "runs", "matters", "margin", "plan", "convergence")
_RATES = {"slow": 0.4, "parametric": 0.5, "fast": 1.0}  # regret falls as n to the power of minus this


def advise(evidence: Any = None, /, **answers: Any) -> Recommendation:
    """Return the recommended method for some evidence, alternatives, methods to avoid, and the command to run.

    Parameters
    ----------
    evidence
        Evidence, `Predictions` or a race; or nothing.
    answers
        Facts that the evidence does not determine. The taxonomy: `domains` ("one", "many"), `subject` ("classifier",
        "learner"), `task` ("estimate", "choose"), `data` ("much": a separate test set; "little": all data needed for
        training). Refinements: `models`, `test_sets` ("one", "two"), `examples`, `errors`, `disagreements` (discordant
        pairs), `runs` (affordable fits of each learner), `matters` ("type I error", "power", "guarantee"), `margin`,
        `plan`, `convergence` ("slow", "parametric", "fast"), `stochastic`, `tuning`. An answer that contradicts the
        evidence is an error.

    Returns
    -------
    Recommendation
        With `question`, `recommended`, `alternatives`, `forbidden`, `assumptions`, `rules`, `command` and `code`. While
        a question of the taxonomy is open, `open` lists what to answer, and there is no recommendation.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> advice = advise(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45))
    >>> advice.question.number, advice.recommended.leading.name, advice.recommended.interval.name
    (3, 'mcnemar-mid-p', 'tango')
    >>> advice.command
    'tellapart compare --table 20 25 10 45'
    >>> advise(subject="classifier", task="estimate", data="little").by_way_of.number
    6
    >>> print(advise(subject="classifier", data="much"))
    More information is needed to recommend a method
    <BLANKLINE>
      known     one data set (implied); trained models, a separate test set (you)
      next      An estimate of an error rate, or a comparison? --estimate or --choose
    """
    return recommend(evidence, answers)


def recommend(data: Any, answers: dict[str, Any], origin: Origin | None = None) -> Recommendation:
    """Return the recommendation for evidence and answers; `origin` is the source of the evidence."""
    evidence = _read_evidence(data)
    situation = Situation.of(evidence).answered(**answers)
    path = tuple(_format_step(situation, name) for name in _PATH if getattr(situation, name) is not None)
    if situation.question is None:
        return Recommendation(situation=situation, path=path, open=_open_questions(situation))
    counts_predictions = data is not evidence and callable(getattr(data, "error_counts", None))
    origin = origin or Origin(predictions=counts_predictions)
    evidence = None if evidence is None else _usable_evidence(evidence, situation)
    choice = choose_methods(situation, evidence)
    try:
        assumptions = _check_assumptions(choice, situation, evidence)
    except InvalidInput as reason:  # scores alone may lack what the plan's method needs
        choice, evidence, origin = _repeat_experiment(choice, evidence, reason), None, Origin()
        assumptions = _check_assumptions(choice, situation, evidence)
    return Recommendation(
        situation=situation,
        path=path,
        open=_open_questions(situation),
        recommended=choice,
        alternatives=tuple(find_alternatives(choice.methods, situation, evidence)),
        forbidden=_forbidden_methods(choice, situation),
        assumptions=assumptions,
        rules=rules_for(situation),
        splitting=_advise_splitting(situation),
        command=format_command(choice, situation, evidence, origin),
        code=format_code(choice, situation, evidence, origin),
        models=() if evidence is None or situation.subject == "learner" else tuple(evidence.models),
    )


def _read_evidence(data: Any) -> Evidence | None:
    """Return the evidence in the argument; None for None."""
    if data is None or isinstance(data, Evidence):
        return data
    if find_converter(data) is None:
        raise InvalidEvidence(
            f"`evidence` must be evidence, predictions or a race, got {type(data).__name__}. Or answer by keyword:"
            " advise(subject='learner', task='choose', data='little')."
        )
    return as_evidence(data, Request(missing="drop"))[0]


def _usable_evidence(evidence: Evidence, situation: Situation) -> Evidence | None:
    """Return the evidence for the task; None if it has losses of one split, which do not pair the errors of two."""
    reduced = _reduce_for_task(evidence.traits().get("counts", evidence), situation.task)
    return None if situation.way == 3 and reduced.subject == "learner" else reduced


def _reduce_for_task(evidence: Evidence, task: str | None) -> Evidence:
    """Return counts if they are sufficient; to estimate several classifiers, each is an entry of one count."""
    if task != "estimate" or len(evidence.models) == 1 or evidence.subject == "learner":
        return evidence.reduced()
    if evidence.subject == "model":
        return evidence.select(evidence.models[0]).reduced()
    counts = [evidence.select(model) for model in evidence.models]
    errors, trials = (np.stack([getattr(count, name) for count in counts], axis=-1) for name in ("errors", "trials"))
    return ErrorCount(errors, trials)


def _repeat_experiment(choice: MethodChoice, evidence: Evidence | None, reason: InvalidInput) -> MethodChoice:
    """Return the same choice for a race with the same plan, which stores the data that the scores lack."""
    plan = None if evidence is None else evidence.traits().get("plan")
    if plan is None:
        raise reason
    return replace(choice, plan=plan, why=f"{choice.why}. Repeat the experiment as a race: {str(reason).rstrip('.')}")


def _format_step(situation: Situation, name: str) -> Step:
    value = getattr(situation, name)
    answer = value if isinstance(value, str) else f"{value:g}"
    return Step(topic=name, answer=answer, source=situation.sources.get(name, "you"))


def _open_questions(situation: Situation) -> tuple[Ask, ...]:
    """Return the open questions, the next first: of the taxonomy, or those that refine the recommendation."""
    if situation.way is None:
        return tuple(ASKS[name] for name in TAXONOMY if getattr(situation, name) is None)
    useless = {
        "runs": situation.plan is not None,  # the plan determines the runs
        "test_sets": (situation.models or 2) > 2,
        "errors": "the evidence" in situation.sources.values(),
    }
    names = (name for name in FOLLOW_UPS[str(situation.way)] if getattr(situation, name) is None)
    return tuple(ASKS[name] for name in names if not useless.get(name, False))


def _forbidden_methods(choice: MethodChoice, situation: Situation) -> tuple[Forbidden, ...]:
    """Return the methods to avoid for the evidence, and for splits if there are learners."""
    if situation.way == 6:  # none for the estimate of one learner
        return ()
    gives: Literal["test", "interval"] = "test" if situation.task == "choose" else "interval"
    kinds = dict.fromkeys(method.evidence for method in choice.methods if method.gives != "pairs")
    kinds |= {Resamples: None} if situation.way == 8 else {}
    return tuple(forbidden for kind in kinds for forbidden in find_forbidden(kind, gives, situation.examples))


def _advise_splitting(situation: Situation) -> SplittingAdvice | None:
    """Return how to split the examples, if the convergence of the learners is known."""
    if situation.way != 8 or not (situation.convergence or situation.tuning):
        return None
    return splitting_advice(
        regret_rate=_RATES[situation.convergence or "slow"],
        examples=situation.examples or 0,
        purpose="tune" if situation.tuning else "compare",
    )


# --- What the method assumes ----------------------------------------------------------------------


def _check_assumptions(
    choice: MethodChoice, situation: Situation, evidence: Evidence | None
) -> tuple[AssumptionNote, ...]:
    """Return the assumptions, checked if the method takes this evidence."""
    notes: dict[str, AssumptionNote] = {}
    for methods, examined in _evidence_by_method(choice, situation, evidence):
        assumed = tuple(dict.fromkeys(assumption for method in methods for assumption in method.assumes))
        if examined is None or evidence is None:
            notes |= {
                assumption.code: AssumptionNote(code=assumption.code, requirement=assumption.rule)
                for assumption in assumed
            }
        elif assumed:
            context = _context_of(methods, examined, situation)
            notes |= {
                note.code: note for note in _examine_assumptions(assumed, examined, context, evidence.pair_names())
            }
    return tuple(notes.values())


def _evidence_by_method(
    choice: MethodChoice, situation: Situation, evidence: Evidence | None
) -> list[tuple[tuple[Offer, ...], Evidence | None]]:
    """Return the evidence that each method takes: all pairs, if there are more than two models."""
    methods = choice.methods
    if evidence is None or choice.plan:
        return [(methods, None)]
    if situation.task == "estimate":
        return [(methods, evidence.select(evidence.models[0]) if len(evidence.models) > 1 else evidence)]
    if len(evidence.models) <= 2:
        return [(methods, evidence)]
    pairs = evidence.pairs()
    at_once = tuple(method for method in methods if method.gives == "pairs")
    if at_once and type(pairs) is type(evidence):  # scores of examples are checked with all pairs at once
        return [(methods, None)]
    of_pairs = tuple(method for method in methods if method.gives != "pairs")
    return [(of_pairs, pairs), *([(at_once, evidence)] if at_once else [])]


def _examine_assumptions(
    assumed: tuple[Assumption, ...], evidence: Evidence, context: Context, pairs: tuple[tuple[str, str], ...]
) -> list[AssumptionNote]:
    """Return the outcome of each check; `pairs` are the names of the entries, if these are pairs."""
    checks = (
        replace(check, pairs=pairs) if check.shape == (len(pairs),) else check
        for check in check_assumptions(assumed, evidence, context)
    )
    return [
        AssumptionNote(
            code=check.code, requirement=assumption.rule, holds=bool(np.all(check.holds)), message=check.message
        )
        for assumption, check in zip(assumed, checks, strict=True)
    ]


def _context_of(methods: tuple[Offer, ...], evidence: Evidence, situation: Situation) -> Context:
    """Return the context of checks: the interval, and the learner that the test chooses."""
    bounds = next((method for method in methods if method.gives == "interval"), methods[-1])
    if bounds.gives == "test":
        bounds = find_method(evidence.default("interval"), "interval", type(evidence))
    limits = bounds(evidence, alpha=0.05)
    test = next((method for method in methods if method.gives == "test"), None)
    result = test(evidence) if test is not None and evidence.subject == "learner" else None
    return Context(
        interval=getattr(limits, "interval", limits),
        null=situation.margin or 0.0,
        test=result,
        chooses=None if result is None else result.chooses,
    )
