"""From what somebody holds, or says, to what they should do: a walk through the nine questions.

Evidence tells most of the taxonomy by what it is; `advise` asks for the rest, and never for more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InvalidInput
from ..evidence import ErrorPatterns, Evidence, Outcomes, PairedTable, Resamples, ScoreTable, TrainingSets
from ..methods import Offer, find_method
from ..methods.assumptions import Assumption, Context, check_assumptions
from ..methods.selection import SplittingAdvice, splitting_advice
from .beside import alternatives_to
from .counsel import Ask, Counsel, Needed, Step
from .holding import collected, folded_evidence
from .lines import Origin, code_for, command_for
from .picking import Recommended, pick
from .refused import Forbidden, Wanted, forbidden_for
from .rules import rules_for
from .situation import CHOICES, TAXONOMY, Situation

_ASKS = {
    ask.name: ask
    for ask in (
        Ask(
            name="domains",
            text="Is it about one data set (one domain), or about many?",
            flag="--domains one|many",
            why="A learner that is better on one data set need not be so on others; to say that it is takes many.",
            choices=CHOICES["domains"],
        ),
        Ask(
            name="subject",
            text="Is it about a classifier, which is there and does not change, or about a learner, which makes one?",
            flag="--classifier or --learner",
            why="A test set judges a classifier. A learner has to be trained again, to see how what it makes varies.",
            choices=CHOICES["subject"],
        ),
        Ask(
            name="task",
            text="Do you want an estimate of how often it errs, or to choose between several?",
            flag="--estimate or --choose",
            why="An interval of each error is no test of two: whoever wants to choose compares the two directly.",
            choices=CHOICES["task"],
        ),
        Ask(
            name="data",
            text="Is there much data, enough to set a test set aside, or so little that all is needed for training?",
            flag="--much or --little",
            why="With a test set to spare, counts will do. Without one, examples are trained on and tested in turn.",
            choices=CHOICES["data"],
        ),
        Ask(
            name="test_sets",
            text="Did both meet one test set, or two of their own?",
            flag="--test-sets one|two",
            why="Errors on the same examples go together, and a test that knows it sees more.",
            choices=CHOICES["test_sets"],
            default="one",
        ),
        Ask(
            name="models",
            text="How many are to be compared?",
            flag="--models N",
            why="More than two are many comparisons, and their p-values have to pay for it.",
            default="2",
        ),
        Ask(
            name="runs",
            text="How often can each learner be trained?",
            flag="--runs N",
            why="Once is for one split, ten times for 5x2 or 10-fold, a hundred times for ten times 10-fold.",
            default="100 or more",
        ),
        Ask(
            name="matters",
            text="Which matters more: no false alarms, no missed differences, or is a guarantee asked for?",
            flag="--matters 'false alarms'|'missed differences'|guarantee",
            why="Tests differ in how they trade the one for the other, and few of them have a proof.",
            choices=CHOICES["matters"],
            default="false alarms",
        ),
        Ask(
            name="convergence",
            text="How fast do the learners approach the best there is: slowly, as parametric models do, or fast?",
            flag="--convergence slow|parametric|fast",
            why="The faster they improve, the larger a share of the examples it takes to tell them apart.",
            choices=CHOICES["convergence"],
            default="not known",
        ),
        Ask(
            name="errors",
            text="How many errors were made on the test set?",
            flag="--errors N",
            why="With fewer than ten, normal approximations fail.",
            default="not known",
        ),
    )
}
_FOLLOW_UPS = {
    1: ("errors",),
    3: ("test_sets", "models", "matters"),
    5: (),
    6: ("runs",),
    7: ("models",),
    8: ("runs", "models", "matters", "convergence"),
    9: ("models", "matters"),
}
_ON_THE_WAY = (*TAXONOMY, "test_sets", "models", "runs", "matters", "margin", "plan", "convergence")
_RATES = {"slow": 0.4, "parametric": 0.5, "fast": 1.0}  # how regrets fall: n to the minus this


def advise(held: Any = None, /, **answers: Any) -> Counsel:
    """Tell which of the nine questions this is, what answers it, what does not, and what to run.

    Parameters
    ----------
    held
        What there is: evidence, `Predictions` or a race; or nothing.
    answers
        What the evidence cannot tell. The taxonomy: domains ("one", "many"), subject ("classifier", "learner"), task
        ("estimate", "choose"), data ("much", "little"). And what sharpens the advice: models, test_sets ("one", "two"),
        examples, errors, disagreements, runs (how often each learner can be trained), matters ("false alarms",
        "missed differences", "guarantee"), margin, plan, convergence ("slow", "parametric", "fast"),
        stochastic, tuning. One that contradicts the evidence is an error.

    Returns
    -------
    Counsel
        With `question`, `recommended`, `alternatives`, `forbidden`, `assumptions`, `rules`, `command` and `code`. Where
        a question of the taxonomy is open, `open` says what to answer, and there is no recommendation yet.

    Examples
    --------
    >>> counsel = advise(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45))
    >>> counsel.question.number, counsel.recommended.leading.name, counsel.recommended.interval.name
    (3, 'mcnemar-mid-p', 'tango')
    >>> counsel.command
    'tellapart compare --table 20 25 10 45'
    >>> advise(subject="classifier", task="estimate", data="little").by_way_of.number
    6
    >>> print(advise(subject="classifier", data="much"))
    so far  one domain (what was said before); a classifier, much data (you)
    open    Do you want an estimate of how often it errs, or to choose between several? --estimate or
            --choose
    """
    return counsel_for(held, answers)


def counsel_for(held: Any, answers: dict[str, Any], source: Origin | None = None) -> Counsel:
    """Return the counsel for what is held and answered; `source` is where it was read from."""
    table = hasattr(held, "tally") or hasattr(held, "reasons")
    held = collected(held)  # counted once
    situation = Situation.of(held).answered(**answers)
    path = tuple(_step(situation, name) for name in _ON_THE_WAY if getattr(situation, name) is not None)
    if situation.question is None:
        return Counsel(situation=situation, path=path, open=_open(situation))
    kept = _usable(folded_evidence(held, situation.task), situation)
    recommended = pick(situation, kept)
    try:
        needed = _needed(recommended, situation, kept)
    except InvalidInput as reason:  # bare scores may lack what the plan's method looks at
        recommended, kept, source = _raced_anew(recommended, kept, reason), None, None
        needed = _needed(recommended, situation, kept)
    return Counsel(
        situation=situation,
        path=path,
        open=_open(situation),
        recommended=recommended,
        alternatives=tuple(alternatives_to(recommended, situation, kept)),
        forbidden=_forbidden(recommended, situation),
        assumptions=needed,
        rules=rules_for(situation),
        splitting=_splitting(situation),
        command=command_for(recommended, situation, kept, source),
        code=code_for(recommended, situation, kept, source or Origin(table=table)),
    )


def _raced_anew(recommended: Recommended | None, kept: Any, reason: InvalidInput) -> Recommended | None:
    """Return the same by a race of the same plan, which keeps what these scores do not."""
    if recommended is None or not isinstance(kept, Resamples):
        raise reason
    why = f"{recommended.why}. It is to be raced anew: {str(reason).rstrip('.')}"
    return replace(recommended, plan=kept.plan.name, why=why)


def _usable(kept: Evidence | None, situation: Situation) -> Evidence | None:
    """Return the evidence, or None: losses of one split do not tell where two classifiers were wrong."""
    return None if situation.way == 3 and isinstance(kept, Resamples) else kept


def _step(situation: Situation, name: str) -> Step:
    value = getattr(situation, name)
    told = situation.told.get(name, "you")
    return Step(asked=name, answer=value if isinstance(value, str) else f"{value:g}", told_by=told)


def _open(situation: Situation) -> tuple[Ask, ...]:
    """Return what is still to be answered, the next first: of the taxonomy, or what would sharpen the advice."""
    if situation.way is None:
        return tuple(_ASKS[name] for name in TAXONOMY if getattr(situation, name) is None)
    names = _FOLLOW_UPS[situation.way]
    held = "the evidence" in situation.told.values()
    raced = situation.plan is not None  # by so many runs, then
    useless = {"runs": raced, "test_sets": (situation.models or 2) > 2, "errors": held}
    return tuple(_ASKS[name] for name in names if getattr(situation, name) is None and not useless.get(name, False))


def _forbidden(recommended: Recommended | None, situation: Situation) -> tuple[Forbidden, ...]:
    """Return what not to use: of the evidence at hand, and of the splits where there are learners."""
    if recommended is None:
        return ()
    wanted: Wanted = "test" if situation.task == "choose" else "interval"
    kinds = dict.fromkeys(method.evidence for method in recommended.methods if method.evidence is not ErrorPatterns)
    if situation.way == 8:
        kinds |= {Resamples: None}
    if situation.way == 6:  # an estimate of one learner has heuristics only
        kinds = {}
    return tuple(each for kind in kinds for each in forbidden_for(kind, wanted, situation.examples))


def _splitting(situation: Situation) -> SplittingAdvice | None:
    """Return how to divide the examples, where the speed of the learners is known."""
    if situation.way != 8 or not (situation.convergence or situation.tuning):
        return None
    rate = _RATES[situation.convergence or "slow"]
    purpose = "tune" if situation.tuning else "compare"
    return splitting_advice(regret_rate=rate, examples=situation.examples or 0, purpose=purpose)  # type: ignore[arg-type]


# --- What the method assumes ----------------------------------------------------------------------


def _needed(recommended: Recommended | None, situation: Situation, kept: Evidence | None) -> tuple[Needed, ...]:
    """Return the assumptions; where the evidence is what the method takes, examined by it."""
    if recommended is None:
        return ()
    needed: list[Needed] = []
    for methods, evidence in _examined(recommended, situation, kept):
        assumed = tuple(dict.fromkeys(each for method in methods for each in method.assumes))
        if evidence is None:
            needed += _stated(assumed)
        else:
            names = tuple(f"{a} and {b}" for a, b in (() if kept is None else kept.pair_names()))
            needed += _checked(assumed, methods, evidence, situation, names)
    return tuple({each.code: each for each in needed}.values())


def _examined(
    recommended: Recommended, situation: Situation, kept: Evidence | None
) -> list[tuple[tuple[Offer, ...], Evidence | None]]:
    """Return which methods look at which evidence: every pair, where there are more than two."""
    methods = recommended.methods
    if kept is None or recommended.plan:
        return [(methods, None)]
    if isinstance(kept, Outcomes) and len(kept.models) > 2:  # whose pairs have no evidence of their own
        return [(methods, None)]
    if isinstance(kept, ErrorPatterns):
        pairs = tuple(method for method in methods if method.evidence is PairedTable)
        whole = tuple(method for method in methods if method.evidence is ErrorPatterns)
        return [(pairs, kept.pairs()), *([(whole, kept)] if whole else [])]
    if isinstance(kept, Resamples | ScoreTable | TrainingSets):
        if situation.task == "estimate":
            return [(methods, kept.select(kept.learners[0]))]
        return [(methods, kept if len(kept.learners) == 2 else kept.pairs())]
    return [(methods, kept)]


def _stated(assumed: tuple[Assumption, ...]) -> list[Needed]:
    return [Needed(code=each.code, needs=each.rule) for each in assumed]


def _checked(
    assumed: tuple[Assumption, ...],
    methods: tuple[Offer, ...],
    evidence: Evidence,
    situation: Situation,
    names: tuple[str, ...],
) -> list[Needed]:
    """Return what came out for this evidence; `names` are those of its entries, where they are pairs."""
    if not assumed:
        return []
    found = check_assumptions(assumed, evidence, _context_of(methods, evidence, situation))
    checks = [replace(check, names=names) if check.shape == (len(names),) else check for check in found]
    return [
        Needed(code=check.code, needs=each.rule, holds=bool(np.all(check.holds)), message=check.message)
        for each, check in zip(assumed, checks, strict=True)
    ]


def _context_of(methods: tuple[Offer, ...], evidence: Evidence, situation: Situation) -> Context:
    """Return what assumptions may look at besides the evidence: the limits, and whom the test speaks for."""
    limits = next((method for method in methods if method.gives == "interval"), None)
    if limits is None:
        limits = find_method("tango", "interval", PairedTable) if isinstance(evidence, PairedTable) else methods[-1]
    found = limits(evidence, alpha=0.05)
    test = next((method for method in methods if method.gives == "test"), None)
    learners = isinstance(evidence, Resamples | ScoreTable | TrainingSets)
    tested = test(evidence) if test is not None and learners else None
    return Context(
        interval=getattr(found, "interval", found),
        null=situation.margin or 0.0,
        test=tested,
        chooses=None if tested is None else tested.chooses,
    )
