"""Who can answer what: every method with its facts, found by name or by question.

A method's facts stand on its function, in `@method(...)`; advice, documentation,
the command line and the tests read them here. Modules of methods are loaded when
their evidence is first met. Other packages add methods through the entry point
group `tellapart.methods`: each entry names a module (or an object in one) whose
import registers them. Entry points are looked up only when a name is unknown here
or when all methods are listed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Any, Literal, TypeVar, get_args

from ..bibliography import Reference
from ..errors import InvalidOption, TellapartError, UnknownMethod
from ..evidence import (
    ConfusionMatrix,
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    PairedConfusion,
    PairedTable,
    StratifiedCount,
)
from ..typing_ import SOURCES, Source, one_of
from .assumptions import Assumption

Gives = Literal["estimate", "interval", "test", "pairs"]
Function = TypeVar("Function", bound=Callable[..., Any])
# What every method of one test set covers: it looks at the size of that set, and at nothing else that could
# have come out differently (Dietterich 1998, section 1).
ONE_TEST_SET: tuple[Source, ...] = ("test data", "labels")
EVERY_SOURCE = SOURCES  # learners were trained anew on data that differed, and tested on data that differed
_OF_TEST_SETS = (
    ConfusionMatrix,
    ErrorCount,
    ErrorPatterns,
    IndependentCounts,
    PairedConfusion,
    PairedTable,
    StratifiedCount,
)


class Standing(StrEnum):
    """Whether to trust a method."""

    RECOMMENDED = "recommended"
    SOUND = "sound"
    HEURISTIC = "heuristic"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A function from evidence to one thing, and the facts about it."""

    name: str
    gives: Gives
    question: int
    evidence: type[Evidence]
    standing: Standing
    because: str  # why it has this standing
    reference: str | Reference  # the key of its bibliography entry, or an entry of its own
    function: Callable[..., Any]
    covers: tuple[Source, ...] = ()  # the sources of variation that its standard error or null distribution allows for
    assumes: tuple[Assumption, ...] = ()
    partner: str | None = None  # the test or interval of another name that decides as this one does
    holds: str = "every number of examples"  # where it keeps what its standing promises
    symmetric: bool = True  # errors and successes may be exchanged
    monotone: bool = True  # more errors never lower a limit
    within: bool = True  # its limits stay in the parameter's range
    guarantees: bool = False  # its level holds everywhere, by proof
    told: Callable[..., str] | str = ""  # what a result must say of it, given its options
    parameter: str = "error"  # what an interval is of: error, difference, odds (of lone errors) or reduction
    statistic: str = ""  # what a test's statistic is: "chi-square", "z", "P(B better)"
    reads: Literal["cells", "lone errors"] = "lone errors"  # of a paired table: all four cells, or only b, c and n
    where: Mapping[str, tuple[float, float]] = field(default_factory=dict, hash=False)  # `holds` in figures
    of_several: bool = False  # a test of whether any two of several models differ
    reported: bool = False  # such a test that every ranking reports
    only_two: bool = False  # a test that cannot be one of several pairs, such as of a mean over groups
    pairs: str = ""  # of such a test: the name of the method that compares every two, where it is another
    of_ranks: bool = False  # of a method that compares all pairs at once: by mean ranks
    allows_for_number: bool = False  # of such a method: its p-values allow for the number of pairs
    needs_control: bool = False  # of such a method: it compares every model with one
    location: Callable[[Any], Any] | None = None  # the point estimate, where it is not the evidence's own: a median
    metrics: tuple[str, ...] = ()  # of evidence that is asked for a metric: which it serves; all, if there are none

    def serves(self, metric: str) -> bool:
        """Whether it answers for this metric."""
        return not self.metrics or metric in self.metrics

    def __call__(self, evidence: Evidence, **options: Any) -> Any:
        """Call the function with the evidence."""
        return self.function(evidence, **options)

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the keywords it takes."""
        return _keywords(self.function)

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the keywords it cannot do without."""
        return _required(self.function)

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]


def method(**facts: Any) -> Callable[[Function], Function]:
    """Register the function below under `name` and what it `gives`, and return it unchanged.

    Takes the facts of `Method` by keyword. A name that is taken or an unknown kind of answer is a programming
    error and told as such; a reference that the bibliography lacks is one where it is cited, so that registering
    reads no bibliography. A method of one test set covers `ONE_TEST_SET` unless it says otherwise; any other has
    to say what it covers.
    """

    def register(function: Function) -> Function:
        entry = Method(function=function, **{"covers": _covered(facts)} | facts)
        key = (entry.name, entry.gives, entry.evidence)
        if entry.gives not in get_args(Gives):
            raise ValueError(f"{entry.name} gives {entry.gives!r}; it must be one of {', '.join(get_args(Gives))}")
        known = _REGISTERED.get(key)
        if known and (known.function.__module__, known.function.__qualname__) != (
            function.__module__,
            function.__qualname__,
        ):
            raise ValueError(
                f"{entry.name} ({entry.gives}) is registered twice, the second time by {function.__module__}"
            )
        _REGISTERED[key] = entry
        return function

    return register


def _covered(facts: Mapping[str, Any]) -> tuple[Source, ...]:
    """Return the sources of variation that a method covers, or say that it must name them."""
    default = ONE_TEST_SET if facts["evidence"] in _OF_TEST_SETS else None
    covers = facts.get("covers", default)
    if covers is None or covers != tuple(source for source in SOURCES if source in covers):
        raise ValueError(f"{facts['name']} covers {covers!r}; it must be a tuple of some of {SOURCES}, in this order")
    return tuple(covers)


def look_up(name: str | None, gives: Gives, evidence: type[Evidence], *, elsewhere: bool = True) -> Method | None:
    """Return the method of that name which gives this from such evidence, or None.

    With `elsewhere=False` other packages are not searched: finding them takes longer than most answers.
    """
    _load(evidence)
    found = _REGISTERED.get((name, gives, evidence)) if isinstance(name, str) else None
    if found is None and elsewhere and isinstance(name, str):
        _load_entry_points()
        found = _REGISTERED.get((name, gives, evidence))
    return found


def known_methods(gives: Gives, evidence: type[Evidence]) -> tuple[Method, ...]:
    """Return the methods of this package that give this from such evidence; other kinds of evidence are not loaded."""
    _load(evidence)
    return tuple(method for method in _REGISTERED.values() if (method.gives, method.evidence) == (gives, evidence))


def find_method(name: str, gives: Gives, evidence: type[Evidence]) -> Method:
    """Return the method of that name which gives this from such evidence.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> find_method("wilson", "interval", ErrorCount).standing.value
    'recommended'
    """
    found = look_up(name, gives, evidence)
    if found is None:
        raise UnknownMethod(_unknown(name, gives, evidence))
    return found


def find_methods(
    *,
    name: str | None = None,
    question: int | None = None,
    gives: Gives | None = None,
    evidence: type[Evidence] | None = None,
    standing: str | None = None,
) -> tuple[Method, ...]:
    """Return what could answer, best standing first; every argument narrows the list.

    Examples
    --------
    >>> [found.name for found in find_methods(evidence=ErrorCount, gives="interval", standing="recommended")]
    ['beta-binomial-cs', 'clopper-pearson', 'jeffreys', 'mid-p', 'wilson']
    """
    if question is not None and question not in range(1, 10):
        raise InvalidOption(f"question must be a number from 1 to 9, but is {question!r}.")
    if gives is not None:
        one_of("gives", gives, Gives)
    if standing is not None and standing not in tuple(Standing):
        raise InvalidOption(f"standing must be one of {', '.join(Standing)}, but is {standing!r}.")
    for module in _MODULES.values():
        import_module(module)
    _load_entry_points()
    wanted = {"name": name, "question": question, "gives": gives, "evidence": evidence, "standing": standing}
    asked = {fact: value for fact, value in wanted.items() if value is not None}
    found = [
        entry for entry in _REGISTERED.values() if all(getattr(entry, fact) == value for fact, value in asked.items())
    ]
    return tuple(
        sorted(
            found,
            key=lambda entry: (
                entry.question,
                entry.gives,
                tuple(Standing).index(entry.standing),
                entry.name,
                entry.evidence.__name__,  # whatever was loaded first
            ),
        )
    )


def check_options(options: Collection[str], *methods: Method, spoken_for: Collection[str] = ()) -> None:
    """Refuse an option that none of the methods knows, and miss none that one of them needs.

    `spoken_for` are those that the caller fills in itself.
    """
    spoken = {"alpha", "side", "against", "alternative", "hypothesis", "margin", *spoken_for}
    for option in options:
        if option in spoken or not any(option in method.options for method in methods):
            known = sorted({name for method in methods for name in method.options} - spoken)
            names = " and ".join(dict.fromkeys(repr(method.name) for method in methods))
            takes = f"takes {', '.join(known)}" if known else "takes none"
            raise InvalidOption(f"{option} is no option of method {names}, which {takes} besides level and alpha.")
    for method in methods:
        for name in method.required:
            if name not in options and name not in spoken:
                way = _NEEDED.get(name, f"write {name}=…")
                raise InvalidOption(f"method {method.name!r} needs {name}=. {way}")


def refuse_metric(name: str, gives: Gives, evidence: Any) -> None:
    """Refuse evidence that is asked for a metric which the method of this name does not serve; say which methods do.

    Examples
    --------
    >>> from tellapart.evidence import ConfusionMatrix
    >>> refuse_metric("f1-wilson", "interval", ConfusionMatrix([[50, 10], [5, 35]]).by("f1"))
    >>> refuse_metric("f1-wilson", "interval", ConfusionMatrix([[50, 10], [5, 35]]).by("mcc"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: method 'f1-wilson' is for f1, not for mcc. Choose one of: ...
    """
    kind = type(evidence)
    found = look_up(name, gives, kind, elsewhere=False)
    if found is None or found.serves(evidence.metric.name):
        return
    able = (each.name for each in find_methods(gives=gives, evidence=kind) if each.serves(evidence.metric.name))
    raise InvalidOption(
        f"method {name!r} is for {', '.join(found.metrics)}, not for {evidence.metric.name}. Choose one of:"
        f" {', '.join(able)}."
    )


# How to give an option that a method cannot do without.
_NEEDED = {
    "prior": "For Jeffreys' write prior=(0.5, 0.5), at the command line --prior 0.5,0.5.",
    "pool": "Write pool=10000 if the examples were drawn from 10000, at the command line --pool 10000.",
}
# Evidence by name, and the module whose import registers the methods for it.
_MODULES = {
    "ClassScores": "tellapart.methods.class_scores",
    "ConfusionMatrix": "tellapart.methods.confusion_matrix",
    "ErrorCount": "tellapart.methods.error_count",
    "ErrorPatterns": "tellapart.methods.error_patterns",
    "IndependentCounts": "tellapart.methods.independent_counts",
    "Outcomes": "tellapart.methods.outcomes",
    "PairedConfusion": "tellapart.methods.paired_confusion",
    "PairedTable": "tellapart.methods.paired_table",
    "Resamples": "tellapart.methods.resamples",
    "ScoreTable": "tellapart.methods.score_table",
    "StratifiedCount": "tellapart.methods.stratified_count",
    "TrainingSets": "tellapart.methods.training_sets",
}
_REGISTERED: dict[tuple[str, str, type[Evidence]], Method] = {}


def _load(evidence: type[Evidence]) -> None:
    module = _MODULES.get(evidence.__name__)
    if module:
        import_module(module)


@cache
def _load_entry_points() -> None:
    from importlib.metadata import entry_points  # slow to load, and seldom needed

    for point in entry_points(group="tellapart.methods"):
        try:
            point.load()
        except Exception as error:  # whatever another package does wrong, say whose it is
            package = point.dist.name if point.dist else point.value
            message = f"the methods of package {package!r} do not load ({error!r}). Repair or uninstall it."
            raise TellapartError(message) from error


def _unknown(name: str, gives: Gives, evidence: type[Evidence]) -> str:
    known = sorted(entry.name for entry in _REGISTERED.values() if (entry.gives, entry.evidence) == (gives, evidence))
    article = "an" if gives[0] in "aeiou" else "a"
    message = f"method {name!r} gives no {gives} from {evidence.__name__}. Choose one of: {', '.join(known)}."
    others = sorted(
        {entry.gives for entry in _REGISTERED.values() if entry.name == name and entry.evidence is evidence}
    )
    if others:
        message = (
            f"method {name!r} gives {' and '.join(others)}, not {article} {gives}. Choose one of: {', '.join(known)}."
        )
    return message


@cache
def _keywords(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(_keyword_parameters(function))


@cache
def _required(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(_keyword_parameters(function, required=True))


def _keyword_parameters(function: Callable[..., Any], *, required: bool = False) -> Iterator[str]:
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not (required and parameter.default is not parameter.empty):
            yield parameter.name
