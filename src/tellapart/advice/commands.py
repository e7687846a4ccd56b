"""The command and the lines of Python that follow a recommendation; they run as they are, except for file names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..evidence import Evidence
from .method_choice import MethodChoice
from .questions import read_toml
from .situation import Situation

# Placeholders for learners: classes of the extra that races need.
_LEARNERS = (
    "sklearn.naive_bayes.GaussianNB",
    "sklearn.tree.DecisionTreeClassifier",
    "sklearn.neighbors.KNeighborsClassifier",
    "sklearn.ensemble.RandomForestClassifier",
)
_FEW = 20  # counts that fit in a line
_FILE, _STORE, _SCORES = "predictions.csv --label label", "my.race", "scores.csv --scores"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the evidence was read from: the words of a command line, and an expression of Python."""

    words: str = ""
    code: str = ""
    predictions: bool = False
    counted: bool = False  # whether the predictions are already counted


def format_command(
    choice: MethodChoice, situation: Situation, evidence: Evidence | None, origin: Origin | None = None
) -> str:
    """Return the command line; empty if only Python can do it.

    Examples
    --------
    >>> from tellapart.advice.method_choice import choose_methods
    >>> from tellapart.evidence import PairedTable
    >>> table = PairedTable(20, 25, 10, 45)
    >>> format_command(choose_methods(Situation.of(table), table), Situation.of(table), table)
    'tellapart compare --table 20 25 10 45'
    """
    options = "".join(f" --{name} {value}" for name, value in _options_to_name(choice, situation).items())
    if choice.plan:
        return _format_race(choice, situation, options)
    words = (origin.words if origin is not None else "") or _format_words(evidence, situation)
    return f"tellapart {_verb_of(situation)} {words}{options}" if words else ""


def format_code(
    choice: MethodChoice, situation: Situation, evidence: Evidence | None, origin: Origin | None = None
) -> tuple[str, ...]:
    """Return the lines of Python; `evidence` is the argument of `advise`, unless a line makes it.

    Examples
    --------
    >>> from tellapart.advice.method_choice import choose_methods
    >>> from tellapart.evidence import ErrorCount
    >>> count = ErrorCount(3, 120)
    >>> for line in format_code(choose_methods(Situation.of(count), count), Situation.of(count), count):
    ...     print(line)
    import tellapart as ta
    evidence = ta.ErrorCount(errors=3, trials=120)
    print(ta.estimate(evidence))
    """
    options = _options_to_name(choice, situation)
    keywords = "".join(f", {name}={value if name == 'margin' else repr(value)}" for name, value in options.items())
    several_learners = evidence is not None and evidence.subject == "learner" and len(evidence.models) > 1
    if situation.task == "estimate" and (choice.plan or several_learners):
        keywords = f", learner=evidence.learners[0]{keywords}"
    argument = "evidence"
    if choice.plan:
        seeds = f", seeds={choice.seeds}" if choice.seeds > 1 else ""
        source = f'ta.race(learners, X, y, plan="{choice.plan}"{seeds})'
    else:
        origin = origin or Origin()
        source = origin.code or _format_evidence(evidence, situation)
        if origin.code or not source:
            argument = _argument_of(evidence, situation, origin)
    lines = (f"evidence = {source}",) if source else ()
    return "import tellapart as ta", *lines, f"print(ta.{_verb_of(situation)}({argument}{keywords}))"


def _verb_of(situation: Situation) -> str:
    return "compare" if situation.task == "choose" else "estimate"


def _options_to_name(choice: MethodChoice, situation: Situation) -> dict[str, str]:
    """Return the options that differ from the verb's default."""
    options: dict[str, str] = {}
    if not choice.by_default:
        options["method"] = choice.leading.name
        if choice.interval_option:
            options["interval"] = choice.interval_option
        if choice.adjustment:
            options["adjust"] = choice.adjustment
    if situation.margin is not None and situation.task == "choose" and (situation.models or 2) == 2:
        options["margin"] = f"{situation.margin:g}"
    return options


# --- The evidence -----------------------------------------------------------------------------------


def _format_words(evidence: Evidence | None, situation: Situation) -> str:
    """Return the evidence as words of a command line: counts, the name of a file, or nothing."""
    if evidence is not None:
        template = _templates_of(evidence).get("commands" if evidence.shape else "command", "")
        return template if evidence.shape else template.format_map(evidence.as_dict())
    words = _FILE
    if situation.domains == "many":
        words = _SCORES
    elif situation.task == "estimate" and situation.errors is not None and situation.examples:
        words = f"{situation.errors} {situation.examples}"
    elif situation.task == "choose" and situation.test_sets == "two":
        words = "--independent 30 100 20 100"
    return words


def _format_evidence(evidence: Evidence | None, situation: Situation) -> str:
    """Return the Python expression of the evidence; empty if it does not fit a line."""
    if evidence is None:
        return _format_placeholder(situation)
    template = _templates_of(evidence).get("codes" if evidence.shape else "code", "")
    if not template or np.prod(evidence.shape) > _FEW:
        return ""
    return template.format_map(evidence.as_dict() | {"repr": repr(evidence)})


def _templates_of(evidence: Evidence) -> dict[str, str]:
    templates: dict[str, str] = read_toml("commands.toml").get(type(evidence).__name__, {})
    return templates


def _format_placeholder(situation: Situation) -> str:
    """Return a placeholder for the evidence."""
    if situation.domains == "many":
        return 'ta.read_scores("scores.csv")'
    if situation.task == "choose" and situation.test_sets == "two":
        return "ta.IndependentCounts.from_counts(30, 100, 20, 100)"
    predictions = 'ta.read_predictions("predictions.csv", label="label")'
    if situation.task == "choose":
        return predictions
    if situation.errors is not None and situation.examples:
        return f"ta.ErrorCount(errors={situation.errors}, trials={situation.examples})"
    return f"{predictions}.error_counts()"


def _argument_of(evidence: Evidence | None, situation: Situation, origin: Origin) -> str:
    """Return the argument of the verb."""
    if evidence is None:
        return "evidence"
    if situation.task == "choose" and len(evidence.models) > 2 and evidence.shape and evidence.subject != "learner":
        return "evidence.error_patterns().pairs()" if origin.predictions else "evidence.pairs()"
    if situation.task == "estimate" and origin.predictions:
        return "evidence.outcomes()" if evidence.subject == "model" else "evidence.error_counts()"
    return "evidence.error_patterns()" if origin.counted else "evidence"


def _format_race(choice: MethodChoice, situation: Situation, options: str) -> str:
    """Return the command that runs the race, and a second one if the answer needs options."""
    count = 1 if situation.task == "estimate" else min(situation.models or 2, len(_LEARNERS))
    learners = "".join(f" --learner {name}" for name in _LEARNERS[:count])
    plan = f"'{choice.plan}'" if set(choice.plan) & set(" ()*") else choice.plan
    seeds = f" --seeds {choice.seeds}" if choice.seeds > 1 else ""
    run = f"tellapart race --data data.csv --target label --plan {plan}{seeds}{learners}"
    return f"{run} --store {_STORE} && tellapart compare {_STORE}{options}" if options else run
