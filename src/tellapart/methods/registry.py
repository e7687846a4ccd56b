"""Registry of methods by evidence and name, with the facts about each offer: an estimate, interval or test.

`@procedure` registers a function that returns a pivot, with all offers that follow from it, such as interval and test;
`@interval`, `@test`, `@estimator` and `@simultaneous` register functions with one offer, as does `@method(gives=...)`,
which is meant for other packages. Common facts are stated once, and `interval={...}`, `test={...}` state those that
differ. Advice, documentation, command line and tests read the offers with `find_methods`.

The methods for a kind of evidence are in the package of its name (`PairedTable`: `methods/paired_table`). A package may
import the modules that most answers need; the others are loaded when an unknown name is requested, so all offers of one
name must be in one module. Other packages add methods through the entry point group `tellapart.methods`: each entry
names a module (or an object in one) that registers them on import. Entry points are read only when a name is unknown
here or when all methods are listed.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, get_args

from ..errors import InvalidOption, UnknownMethod
from ..evidence import Evidence, base
from ..typing_ import SOURCES, Source, nearest_name, one_of
from .assumptions import Assumption
from .pivots import Pivot

if TYPE_CHECKING:
    from ..bibliography import Reference

Gives = Literal["estimate", "interval", "test", "pairs"]
Function = TypeVar("Function", bound=Callable[..., Any])
Parameters = ParamSpec("Parameters")
Fit = TypeVar("Fit", bound=Pivot)
ONE_TEST_SET = base.ONE_TEST_SET
EVERY_SOURCE = SOURCES  # learners were retrained on different data and tested on different data
# Facts that apply to one kind of offer only, with their defaults; they are None for all other offers.
_APPLIES: dict[Gives, dict[str, Any]] = {
    "estimate": {},
    "interval": {"parameter": "error", "monotone": True, "within": True},
    "test": {"statistic": ""},
    "pairs": {"statistic": ""},
}
# The arguments of a pivot for each kind of offer.
_QUESTIONS: dict[Gives, tuple[str, ...]] = {"interval": ("alpha", "side"), "test": ("against", "alternative")}
# The default null value of tests by a pivot; an error rate has none.
_NULLS = {"difference": 0.0, "reduction": 0.0, "odds": 1.0, "ratio": 1.0}


class Standing(StrEnum):
    """The status of a method; `FORBIDDEN` is printed as "do not use"."""

    RECOMMENDED = "recommended"
    SOUND = "sound"
    HEURISTIC = "heuristic"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An estimate, interval or test that a method offers, and the facts about it; inapplicable facts are None."""

    name: str
    gives: Gives
    question: int
    evidence: type[Evidence]
    standing: Standing
    rationale: str  # the reason for its standing
    reference: str | Reference  # the key of its bibliography entry, or an entry
    function: Callable[..., Any]
    title: str = ""  # the title in output: "McNemar mid-p", "Tango score interval". Default: the name
    sources_covered: tuple[
        Source, ...
    ] = ()  # the sources of variation that its standard error or null distribution accounts for
    assumes: tuple[Assumption, ...] = ()
    needs_independent_samples: bool = False  # if samples share examples, it accounts for no source of variation
    partner: str | None = None  # the test or interval of another name that agrees with this one
    validity: str = "every number of examples"  # the range in which the bounds of its standing hold
    where: Mapping[str, tuple[float, float]] = field(default_factory=dict, hash=False)  # `validity` in figures
    symmetric: bool = True  # swapping errors and successes mirrors the result
    guarantees: bool = False  # its level is guaranteed everywhere
    note: Callable[..., str] | str = ""  # a note of results, such as the prior; a function of the options
    metrics: tuple[str, ...] = ()  # the metrics that it supports; empty for all
    of_several: bool = False  # a test of whether any two of several models differ
    reported: bool = False  # such a test, if every ranking reports it
    only_two: bool = False  # a test that cannot compare all pairs of several models, as of a mean over groups
    pairs: str = ""  # for such a test: the name of the method for all pairs, if it differs
    of_ranks: bool = False  # for a method that compares all pairs at once: by mean ranks
    allows_for_number: bool = False  # for such a method: its p-values are adjusted for the number of pairs
    needs_control: bool = False  # for such a method: it compares every model with one control
    location: Callable[[Any], Any] | None = None  # a point estimate of its own: a median
    centre: str = "on average"  # the phrase for the difference of an interval: "at the median"
    reads: Literal["cells"] | None = None  # for a paired table: all four cells, not only b, c and n
    parameter: str | None = (
        None  # the parameter of an interval: error, difference, odds (ratio of discordant counts), reduction, ratio
    )
    monotone: bool | None = None  # more errors never lower a limit
    within: bool | None = None  # its limits stay in the range of the parameter
    statistic: str | None = None  # the name of a test's statistic: "chi-square", "z", "P(B better)"
    pivotal: bool = False  # its function returns a pivot
    null: float | None = None  # the default null value of a test by a pivot; None: it is required
    unheeded: tuple[str, ...] = ()  # options of its function without effect on this offer

    def serves(self, metric: str) -> bool:
        """Return whether it supports this metric."""
        return not self.metrics or metric in self.metrics

    def __call__(self, evidence: Evidence, **options: Any) -> Any:
        """Return the estimate, interval, test result or pairs from the evidence."""
        if not self.pivotal:
            return self.function(evidence, **options)
        question = {name: options.pop(name) for name in _QUESTIONS.get(self.gives, ()) if name in options}
        return self.read(self.function(evidence, **options), **question)

    def fit(self, evidence: Evidence, options: Mapping[str, Any]) -> Pivot:
        """Return the pivot of all offers of the method; options that its function does not accept are ignored.

        Examples
        --------
        >>> from tellapart.evidence import ErrorCount
        >>> interval, test = (find_method("wilson", gives, ErrorCount) for gives in ("interval", "test"))
        >>> pivot = interval.fit(ErrorCount(3, 120), {})
        >>> interval.read(pivot).high.round(4), test.read(pivot, against=0.08, alternative="less").pvalue.round(4)
        (np.float64(0.0709), np.float64(0.0132))
        """
        keywords = _keyword_defaults(self.function)
        pivot: Pivot = self.function(evidence, **{name: value for name, value in options.items() if name in keywords})
        return pivot

    def read(self, pivot: Any, **question: Any) -> Any:
        """Return this offer from a pivot: an interval, the result of a test, or the point estimate."""
        if self.gives == "interval":
            return pivot.interval(**question)
        if self.gives == "test":
            null = question["against"] if self.null is None else question.get("against", self.null)
            return pivot.test(null, question.get("alternative", "two-sided"))
        return pivot.estimate if pivot.location is None else pivot.location

    @property
    def defaults(self) -> Mapping[str, Any]:
        """The accepted keywords with their defaults; `inspect.Parameter.empty` if there is none."""
        return _offer_defaults(self.function, self.gives if self.pivotal else None, self.null, self.unheeded)

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the accepted keywords."""
        return tuple(self.defaults)

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the required keywords."""
        return tuple(name for name, default in self.defaults.items() if default is inspect.Parameter.empty)

    @property
    def takes_null(self) -> bool:
        """Whether a test accepts a null value: a threshold, or a margin."""
        return "against" in self.defaults

    @property
    def takes_side(self) -> bool:
        """Whether a test can be one-sided."""
        return "alternative" in self.defaults

    @property
    def display_title(self) -> str:
        """The title of the method, or its name."""
        return self.title or self.name

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def description(self) -> str:
        """The text of its docstring before the first section, and the notes."""
        text, *sections = re.split(r"\n\n?(\w+)\n-{4,}\n", inspect.getdoc(self.function) or "")
        notes = dict(zip(sections[::2], sections[1::2], strict=True)).get("Notes", "")
        return f"{text.strip()}\n\n{notes.strip()}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """The method of one name for one kind of evidence, with its offers."""

    name: str
    evidence: type[Evidence]
    offers: Mapping[Gives, Offer]


# --- Registering -----------------------------------------------------------------------------------


def method(**facts: Any) -> Callable[[Function], Function]:
    """Register the function below under `name` for what it `gives`, and return it.

    Keywords are the facts of `Offer`; inapplicable ones are ignored. A second method of the same name, or an unknown
    `gives`, raises ValueError; an unknown reference raises an error only when it is cited, so that registration does
    not read the bibliography. The sources of variation and the question are by default those of the kind of evidence
    (mostly `ONE_TEST_SET`). With `metrics`, the function refuses evidence with any other metric.
    """

    def register(function: Function) -> Function:
        registered = _serve_metrics(function, facts, facts["gives"]) if facts.get("metrics") else function
        _add_offer(_make_offer(function=registered, **facts))
        return registered

    return register


def interval(**facts: Any) -> Callable[[Function], Function]:
    """Register a function (evidence, alpha=, side=) → Interval under `name`."""
    return method(gives="interval", **facts)


def test(**facts: Any) -> Callable[[Function], Function]:
    """Register a function (evidence, alternative=) → TestResult under `name`; it may take a null value, `against=`."""
    return method(gives="test", **facts)


test.__test__ = False  # type: ignore[attr-defined]  # its name must not make pytest collect it


def estimator(**facts: Any) -> Callable[[Function], Function]:
    """Register a function of the evidence that returns a point estimate under `name`."""
    return method(gives="estimate", **facts)


def simultaneous(**facts: Any) -> Callable[[Function], Function]:
    """Register a function that compares all pairs of several models at once under `name`."""
    return method(gives="pairs", **facts)


_NOTHING: Mapping[str, Any] = {}


def procedure(
    *,
    offers: tuple[Gives, ...] = ("interval", "test"),
    estimate: Mapping[str, Any] = _NOTHING,
    interval: Mapping[str, Any] = _NOTHING,
    test: Mapping[str, Any] = _NOTHING,
    **facts: Any,
) -> Callable[[Callable[Parameters, Fit]], Callable[Parameters, Fit]]:
    """Register a function of the evidence that returns a pivot, under `name` for all that follows from the pivot.

    `estimate`, `interval` and `test` state the facts that differ among the `offers`. The returned pivot has the name of
    the method and its parameter.
    """

    def register(function: Callable[Parameters, Fit]) -> Callable[Parameters, Fit]:
        function = _serve_metrics(function, facts) if facts.get("metrics") else function
        name, parameter = facts["name"], (facts | {**interval}).get("parameter", _APPLIES["interval"]["parameter"])

        @wraps(function)
        def named(*evidence: Parameters.args, **options: Parameters.kwargs) -> Fit:
            pivot = function(*evidence, **options)
            pivot.method, pivot.parameter = name, pivot.own_parameter or parameter
            return pivot

        facts_of_offer = {"estimate": estimate, "interval": interval, "test": test}
        for gives in offers:
            null = {"null": _NULLS.get(parameter)} if gives == "test" else {}
            _add_offer(
                _make_offer(function=named, gives=gives, pivotal=True, **{**null, **facts, **facts_of_offer[gives]})
            )
        return named

    return register


def _serve_metrics(function: Function, facts: Mapping[str, Any], gives: Gives | None = None) -> Function:
    """Return the function with a check that it supports the metric of the evidence."""

    @wraps(function)
    def serving(evidence: Any, **options: Any) -> Any:
        refuse_metric(facts["name"], gives, evidence)
        return function(evidence, **options)

    return serving  # type: ignore[return-value]


def _make_offer(**facts: Any) -> Offer:
    """Return an offer with the facts that apply to it."""
    name, gives = facts["name"], facts["gives"]
    if gives not in _APPLIES:
        raise ValueError(f"{name} gives {gives!r}; it must be one of {', '.join(get_args(Gives))}")
    foreign = {fact for of_others in _APPLIES.values() for fact in of_others} - _APPLIES[gives].keys()
    applying = {fact: value for fact, value in facts.items() if fact not in foreign}
    of_kind = {"question": facts["evidence"].question} if facts["evidence"].question else {}
    return Offer(**_APPLIES[gives] | of_kind | {"sources_covered": _covered_sources(facts)} | applying)


def _covered_sources(facts: Mapping[str, Any]) -> tuple[Source, ...]:
    """Return the sources of variation that a method covers; raise ValueError if they are not stated."""
    covers = facts.get("sources_covered", facts["evidence"].sources_covered)
    if covers is None or covers != tuple(source for source in SOURCES if source in covers):
        raise ValueError(f"{facts['name']} covers {covers!r}; it must be a tuple of some of {SOURCES}, in this order")
    return tuple(covers)


def _add_offer(offer: Offer) -> None:
    """Add an offer to its method, unless another function has its name."""
    key = (offer.evidence, offer.name)
    others = _REGISTERED[key].offers if key in _REGISTERED else {}
    if offer.gives in others and not _same_definition(others[offer.gives].function, offer.function):
        raise ValueError(
            f"{offer.name} ({offer.gives}) is registered twice, the second time by {offer.function.__module__}"
        )
    _REGISTERED[key] = Method(name=offer.name, evidence=offer.evidence, offers={**others, offer.gives: offer})


def _same_definition(first: Callable[..., Any], second: Callable[..., Any]) -> bool:
    """Return whether two functions are the same definition, from a module that was loaded again."""
    return (first.__module__, first.__qualname__) == (second.__module__, second.__qualname__)


def covered(evidence: Evidence, *methods: Offer) -> tuple[Source, ...]:
    """Return the sources of variation that all the methods account for and that vary in the evidence.

    A source that does not vary (one training set, one test set) is not covered by any method.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> covered(PairedTable(20, 25, 10, 45), find_method("mcnemar", "test", PairedTable))
    ('test data', 'labels')
    """
    if evidence.samples_overlap and any(method.needs_independent_samples for method in methods):
        return ()
    seen = set(evidence.sources).intersection(*(method.sources_covered for method in methods))
    return tuple(source for source in SOURCES if source in seen)


# --- Finding ---------------------------------------------------------------------------------------


def get_method(name: str | None, evidence: type[Evidence]) -> Method | None:
    """Return the method of this name for this kind of evidence, or None.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> sorted(get_method("tango", PairedTable).offers), sorted(get_method("mcnemar", PairedTable).offers)
    (['interval', 'test'], ['test'])
    """
    if not isinstance(name, str):
        return None
    if not _load_name(name, evidence):
        _load_entry_points()
    return _REGISTERED.get((evidence, name))


def look_up(name: str | None, gives: Gives, evidence: type[Evidence], *, elsewhere: bool = True) -> Offer | None:
    """Return the offer of this kind by the method of this name, or None.

    With `elsewhere=False` other packages are not searched: finding them takes longer than most answers.
    """
    if not isinstance(name, str):
        return None
    _load_name(name, evidence)
    offer = _find_offer(name, gives, evidence)
    if offer is None and elsewhere:
        _load_entry_points()
        offer = _find_offer(name, gives, evidence)
    return offer


def known_methods(gives: Gives, evidence: type[Evidence]) -> tuple[Offer, ...]:
    """Return the methods of this package with this offer for this evidence; other kinds of evidence are not loaded."""
    _load_methods(evidence)
    of_kind = (method for (kind, _), method in _REGISTERED.items() if kind is evidence)
    return tuple(method.offers[gives] for method in of_kind if gives in method.offers)


def _find_offer(name: str, gives: Gives, evidence: type[Evidence]) -> Offer | None:
    method = _REGISTERED.get((evidence, name))
    return None if method is None else method.offers.get(gives)


def find_method(name: str, gives: Gives, evidence: type[Evidence]) -> Offer:
    """Return the offer of this kind by the method of this name; raise UnknownMethod if there is none.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> find_method("wilson", "interval", ErrorCount).standing.value
    'recommended'
    """
    offer = look_up(name, gives, evidence)
    if offer is None:
        _load_methods(evidence)
        raise UnknownMethod(_describe_unknown_method(name, gives, evidence))
    return offer


def find_methods(
    *,
    name: str | None = None,
    question: int | None = None,
    gives: Gives | None = None,
    evidence: type[Evidence] | None = None,
    standing: str | None = None,
) -> tuple[Offer, ...]:
    """Return the offers of all methods, best standing first.

    Every argument narrows the list.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> [offer.name for offer in find_methods(evidence=ErrorCount, gives="interval", standing="recommended")]
    ['beta-binomial-cs', 'clopper-pearson', 'jeffreys', 'mid-p', 'wilson']
    """
    if question is not None and question not in range(1, 10):
        raise InvalidOption(f"`question` must be a number from 1 to 9, got {question!r}.")
    if gives is not None:
        one_of("gives", gives, Gives)
    if standing is not None and standing not in tuple(Standing):
        raise InvalidOption(f"`standing` must be one of {', '.join(Standing)}, got {standing!r}.")
    if evidence is None:
        _load_every_kind()
    else:
        _load_methods(evidence)
    _load_entry_points()
    stated = {"name": name, "question": question, "gives": gives, "evidence": evidence, "standing": standing}
    facts = {fact: value for fact, value in stated.items() if value is not None}
    offers = (offer for method in _REGISTERED.values() for offer in method.offers.values())
    matching = [offer for offer in offers if all(getattr(offer, fact) == value for fact, value in facts.items())]
    return tuple(
        sorted(
            matching,
            key=lambda offer: (
                offer.question,
                offer.gives,
                tuple(Standing).index(offer.standing),
                offer.name,
                offer.evidence.__name__,  # independent of the order of loading
            ),
        )
    )


def check_options(options: Collection[str], *methods: Offer, spoken_for: Collection[str] = ()) -> None:
    """Raise InvalidOption if no method accepts an option, or if an option that a method requires is missing.

    `spoken_for` are the options that the caller sets.
    """
    reserved = {"alpha", "side", "against", "alternative", "hypothesis", "margin", *spoken_for}
    for option in options:
        if option in reserved or not any(option in method.options for method in methods):
            raise InvalidOption(_describe_unknown_option(option, methods, reserved))
    for method in methods:
        for name in method.required:
            if name not in options and name not in reserved:
                raise InvalidOption(
                    f"`{name}` is required by method {method.name!r}. {_EXAMPLES.get(name, '')}".rstrip()
                )


def _describe_unknown_option(option: str, methods: tuple[Offer, ...], reserved: Collection[str]) -> str:
    """Return that no method accepts an option, with the nearest name or those that are accepted."""
    accepted = sorted({name for method in methods for name in method.options} - set(reserved))
    near = _SYNONYMS.get(option) or nearest_name(option, [*accepted, "level", "alpha"])
    if near and near != option:
        return f"unknown option `{option}`. Did you mean `{near}`?"
    names = " and ".join(dict.fromkeys(repr(method.name) for method in methods))
    return f"unknown option `{option}` of method {names}. Choose one of: {', '.join([*accepted, 'level', 'alpha'])}."


def refuse_metric(name: str, gives: Gives | None, evidence: Any) -> None:
    """Raise InvalidOption if the method of this name does not support the metric; the message names methods that do.

    The suggested methods have the same offer, or all offers of this method if `gives` is None.

    Examples
    --------
    >>> from tellapart.evidence import ConfusionMatrix
    >>> refuse_metric("f1-wilson", "interval", ConfusionMatrix([[50, 10], [5, 35]]).by("f1"))
    >>> refuse_metric("f1-wilson", "interval", ConfusionMatrix([[50, 10], [5, 35]]).by("mcc"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: method 'f1-wilson' is for f1, not for mcc. Choose one of: ...
    """
    kind, metric = type(evidence), evidence.metric.name
    method = get_method(name, kind)
    offers = {} if method is None else {goal: offer for goal, offer in method.offers.items() if gives in {None, goal}}
    refused = next((offer for offer in offers.values() if not offer.serves(metric)), None)
    if refused is None:
        return
    candidates = (candidate for candidate in find_methods(evidence=kind) if candidate.gives in offers)
    able = dict.fromkeys(candidate.name for candidate in candidates if candidate.serves(metric))
    raise InvalidOption(
        f"method {name!r} is for {', '.join(refused.metrics)}, not for {metric}. {list_methods(list(able))}"
    )


# Examples of required options.
_EXAMPLES = {
    "prior": "For Jeffreys' prior use prior=(0.5, 0.5).",
    "pool": "If the examples were drawn from 10,000, use pool=10000.",
}
# Names that other packages have for common options.
_SYNONYMS = {
    "confidence": "level",
    "confidence_level": "level",
    "conf_level": "level",
    "significance": "alpha",
    "sided": "alternative",
    "tails": "alternative",
    "n_resamples": "resamples",
    "n_boot": "resamples",
    "seed": "rng",
    "random_state": "rng",
    "delta": "margin",
}
_GOALS = {"estimate": "an estimate", "interval": "an interval", "test": "a test", "pairs": "all pairs"}
_MOST_LISTED = 6  # choices in an error message
_REGISTERED: dict[tuple[type[Evidence], str], Method] = {}


def _load_name(name: str, evidence: type[Evidence]) -> bool:
    """Import the module of a method for a kind of evidence, if it is ours, and return whether the method is known."""
    key = (evidence, name)
    if key not in _REGISTERED and _is_ours(evidence):
        _load_home(evidence.__name__)
    if key not in _REGISTERED:
        _load_methods(evidence)
    return key in _REGISTERED


def _load_methods(evidence: type[Evidence]) -> None:
    """Import the methods for a kind of evidence, without those of other packages."""
    if _is_ours(evidence):
        _load_package(evidence.__name__)


def _is_ours(evidence: type[Evidence]) -> bool:
    return evidence.__module__.startswith(f"{_ROOT}.")


@cache
def _load_every_kind() -> None:
    from .. import evidence

    for name in evidence.__all__:
        _load_package(name)


@cache
def _load_home(evidence: str) -> ModuleType | None:
    """Import the package with the methods for a kind of evidence, if it has one, without its other modules."""
    home = f"{__package__}.{snake_case(evidence)}"
    return None if find_spec(home) is None else import_module(home)


@cache
def _load_package(evidence: str) -> None:
    """Import all modules of the package with the methods for a kind of evidence, if it has one."""
    package = _load_home(evidence)
    if package is None:
        return
    from pkgutil import iter_modules  # slow to import, and rarely needed

    for module in iter_modules(getattr(package, "__path__", ())):
        import_module(f"{package.__name__}.{module.name}")


def snake_case(name: str) -> str:
    """Return the name of a class in snake case, as for modules.

    Examples
    --------
    >>> snake_case("PairedTable")
    'paired_table'
    """
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


_ROOT = __name__.partition(".")[0]


def _load_entry_points() -> None:
    from ..plugins import load_plugins

    load_plugins("tellapart.methods")
    load_plugins("tellapart.evidence")  # these modules may register methods


def _describe_unknown_method(name: str, gives: Gives, evidence: type[Evidence]) -> str:
    """Return why there is no such method, with the nearest name or what to use instead."""
    offers = [
        offer for method in _REGISTERED.values() if method.evidence is evidence for offer in method.offers.values()
    ]
    others = sorted({offer.gives for offer in offers if offer.name == name})
    names = sorted(offer.name for offer in offers if offer.gives == gives)
    if others:
        offered, requested = " and ".join(map(_GOALS.__getitem__, others)), _GOALS[gives]
        return f"method {name!r} gives {offered}, not {requested}. {list_methods(names)}"
    if near := nearest_name(name, names):
        return f"unknown method {name!r}. Did you mean {near!r}?"
    return f"unknown method {name!r} for {evidence.__name__}. {list_methods(names)}"


def list_methods(names: list[str]) -> str:
    """Return the choices as a sentence; for many, the command that lists them."""
    if len(names) > _MOST_LISTED:
        return f"Choose one of the {len(names)} that `tellapart methods` lists."
    return f"Choose one of: {', '.join(names)}."


@cache
def _keyword_defaults(function: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the keywords of a function with their defaults."""
    parameters = inspect.signature(function).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


@cache
def _offer_defaults(
    function: Callable[..., Any], gives: Gives | None, null: float | None, unheeded: tuple[str, ...]
) -> Mapping[str, Any]:
    """Return the keywords of an offer with their defaults: those of its function, and of the pivot."""
    keywords, missing = _keyword_defaults(function), inspect.Parameter.empty
    if gives is None:
        return keywords
    keywords = {name: default for name, default in keywords.items() if name not in unheeded}
    of_pivot: dict[Gives, dict[str, Any]] = {
        "interval": {"alpha": 0.05, "side": "two"},
        "test": {"against": missing if null is None else null, "alternative": "two-sided"},
    }
    first = {name: default for name, default in keywords.items() if default is missing}
    return first | of_pivot.get(gives, {}) | keywords
