"""The command and the lines of Python that do what was advised; they run as they stand, but for names of files."""

from __future__ import annotations

from dataclasses import dataclass

from ..evidence import (
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    Outcomes,
    PairedTable,
    Resamples,
    ScoreTable,
    StratifiedCount,
    TrainingSets,
)
from .picking import Recommended
from .situation import Situation

# Stand-ins for learners: classes that are there with the extra that races need.
_LEARNERS = (
    "sklearn.naive_bayes.GaussianNB",
    "sklearn.tree.DecisionTreeClassifier",
    "sklearn.neighbors.KNeighborsClassifier",
    "sklearn.ensemble.RandomForestClassifier",
)
_FEW = 20  # counts that fit in a line
# What no command takes as it is.
_NO_COMMAND = (Outcomes, Resamples, ScoreTable, TrainingSets, StratifiedCount)
_FILE, _STORE, _SCORES = "predictions.csv --label label", "my.race", "scores.csv --scores"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the evidence was read from: the words of a command line, and an expression of Python."""

    words: str = ""
    made: str = ""
    table: bool = False  # of predictions
    counted: bool = False  # which it has been already


def command_for(
    recommended: Recommended | None, situation: Situation, held: Evidence | None, source: Origin | None = None
) -> str:
    """Return the command line that does it; empty where only Python can.

    Examples
    --------
    >>> from tellapart.advice.picking import pick
    >>> table = PairedTable(20, 25, 10, 45)
    >>> command_for(pick(Situation.of(table), table), Situation.of(table), table)
    'tellapart compare --table 20 25 10 45'
    """
    if recommended is None:
        return ""
    verb = "compare" if situation.task == "choose" else "estimate"
    options = _options(recommended, situation)
    if recommended.plan:
        return _race(recommended, situation, options)
    if source is not None and source.words:
        return f"tellapart {verb} {source.words}{options}"
    counts = _counts(held, situation)
    return f"tellapart {verb} {counts}{options}" if counts else ""


def _counts(held: Evidence | None, situation: Situation) -> str:
    """Return the evidence as a command line writes it: counts, a file to put in, or nothing where neither will do."""
    told = _FILE
    if held is None:
        if situation.domains == "many":
            told = _SCORES
        elif situation.task == "estimate" and situation.errors is not None and situation.examples:
            told = f"{situation.errors} {situation.examples}"
        elif situation.task == "choose" and situation.test_sets == "two":
            told = "--independent 30 100 20 100"
    elif isinstance(held, _NO_COMMAND):
        told = ""
    elif held.shape:
        grouped = {PairedTable: f"{_FILE} --group group", ErrorPatterns: f"{_FILE} --group group"}
        told = grouped.get(type(held), _FILE if isinstance(held, ErrorCount) else "")
    else:
        match held:
            case ErrorCount():
                told = f"{held.errors} {held.trials}"
            case PairedTable():
                cells = (held.both_wrong, held.only_a_wrong, held.only_b_wrong, held.both_right)
                told = f"--table {' '.join(map(str, cells))}"
            case IndependentCounts():
                told = f"--independent {' '.join(map(str, _four(held)))}"
    return told


def _four(held: IndependentCounts) -> tuple[int, ...]:
    return int(held.a.errors), int(held.a.trials), int(held.b.errors), int(held.b.trials)


def code_for(
    recommended: Recommended | None, situation: Situation, held: Evidence | None, source: Origin | None = None
) -> tuple[str, ...]:
    """Return the lines of Python that do it; `held` in them is what was handed in, unless a line makes it.

    Examples
    --------
    >>> from tellapart.advice.picking import pick
    >>> count = ErrorCount(3, 120)
    >>> for line in code_for(pick(Situation.of(count), count), Situation.of(count), count):
    ...     print(line)
    import tellapart as ta
    held = ta.ErrorCount(errors=3, trials=120)
    print(ta.estimate(held))
    """
    if recommended is None:
        return ()
    verb = "compare" if situation.task == "choose" else "estimate"
    keywords = _keywords(recommended, situation)
    if recommended.plan:
        seeds = f", seeds={recommended.seeds}" if recommended.seeds > 1 else ""
        made = f'held = ta.race(learners, X, y, plan="{recommended.plan}"{seeds})'
        of = ", learner=held.learners[0]" if verb == "estimate" else ""
        return "import tellapart as ta", made, f"print(ta.{verb}(held{of}{keywords}))"
    several = held is not None and hasattr(held, "learners") and len(held.learners) > 1
    of = ", learner=held.learners[0]" if verb == "estimate" and several else ""
    made, what = _made(situation, held, source or Origin())
    lines = (f"held = {made}",) if made else ()
    return "import tellapart as ta", *lines, f"print(ta.{verb}({what}{of}{keywords}))"


def _made(situation: Situation, held: Evidence | None, source: Origin) -> tuple[str, str]:
    """Return what makes the evidence, where a line can say it, and what is then asked about."""
    what = "held"
    if isinstance(held, ErrorPatterns) and held.shape:
        what = "held.error_patterns().pairs()" if source.table else "held.pairs()"
    elif source.table and situation.task == "estimate":
        what = "held.outcomes()" if isinstance(held, Outcomes) else "held.error_counts()"
    elif source.counted:
        what = "held.error_patterns()"
    if source.made:
        return source.made, what
    literal = ""
    match held:
        case None:
            literal = _placeholder(situation)
        case ErrorCount() if held.shape and held.errors.size <= _FEW:
            literal = f"ta.ErrorCount({held.errors.tolist()}, {held.trials.tolist()})"
        case IndependentCounts() if not held.shape:
            literal = f"ta.IndependentCounts.from_counts{_four(held)}"
        case ErrorCount() | PairedTable() | StratifiedCount() if not held.shape:
            literal = f"ta.{held!r}"
    return literal, "held" if literal else what


def _placeholder(situation: Situation) -> str:
    """Return evidence to put in one's own place of."""
    if situation.domains == "many":
        return 'ta.read_scores("scores.csv")'
    if situation.task == "choose" and situation.test_sets == "two":
        return "ta.IndependentCounts.from_counts(30, 100, 20, 100)"
    read = 'ta.read_predictions("predictions.csv", label="label")'
    if situation.task == "choose":
        return read
    if situation.errors is not None and situation.examples:
        return f"ta.ErrorCount(errors={situation.errors}, trials={situation.examples})"
    return f"{read}.error_counts()"


def _race(recommended: Recommended, situation: Situation, options: str) -> str:
    """Return the command that runs the race, and where it takes another one to answer, that as well."""
    count = 1 if situation.task == "estimate" else min(situation.models or 2, len(_LEARNERS))
    learners = "".join(f" --learner {name}" for name in _LEARNERS[:count])
    plan = f"'{recommended.plan}'" if set(recommended.plan) & set(" ()*") else recommended.plan
    seeds = f" --seeds {recommended.seeds}" if recommended.seeds > 1 else ""
    run = f"tellapart race --data data.csv --target label --plan {plan}{seeds}{learners}"
    return f"{run} --store {_STORE} && tellapart compare {_STORE}{options}" if options else run


def _options(recommended: Recommended, situation: Situation) -> str:
    said = [f" --{name} {value}" for name, value in _asked(recommended, situation).items()]
    return "".join(said)


def _keywords(recommended: Recommended, situation: Situation) -> str:
    said = _asked(recommended, situation)
    return "".join(f", {name}={value if name == 'margin' else repr(value)}" for name, value in said.items())


def _asked(recommended: Recommended, situation: Situation) -> dict[str, str]:
    """Return what has to be said besides, for the verb does not choose it by itself."""
    said: dict[str, str] = {}
    if not recommended.by_default:
        said["method"] = recommended.leading.name
        if recommended.test is not None and recommended.interval.name == "unconditional":
            said["interval"] = recommended.interval.name
        if recommended.adjustment:
            said["adjust"] = recommended.adjustment
    if situation.margin is not None and situation.task == "choose" and (situation.models or 2) == 2:
        said["margin"] = f"{situation.margin:g}"
    return said
