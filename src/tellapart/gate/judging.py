"""May the candidate take the baseline's place? Pass, worse, or not enough evidence: by the score test, and no luck."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, singledispatch
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..errors import InvalidEvidence, InvalidOption, UnknownMethod
from ..evidence import Evidence, PairedTable, expect
from ..evidence.paired_table import CELLS
from ..methods import Offer, find_method, find_methods
from ..methods.multiplicity import adjust
from ..methods.registry import look_up
from ..planning.options import as_power
from ..planning.settings.pairs import Pairs
from ..planning.settings.regions import Claim
from ..planning.solving import MOST, size_for
from ..rendering import AS_WRONG, Rendered
from ..results import Comparison
from ..typing_ import FloatArray, as_alpha, open_unit
from ..verbs import compare

if TYPE_CHECKING:
    from ..predictions.tally import Tally

Verdict = Literal["pass", "worse", "not enough evidence"]
EXIT_STATUS: dict[Verdict, int] = {"pass": 0, "worse": 1, "not enough evidence": 3}
_NAMES = ("baseline", "candidate")  # what A and B are called if nobody says
_SOLVED = 32  # settings whose size is looked for one by one; of more, disagreement is rounded up to two digits
_FORMULA = 10**6  # examples from which on the normal formula, now right to a thousandth, spares a search of minutes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Line:
    """What was found of one group, or of all examples together."""

    verdict: Verdict
    comparison: Comparison  # is the candidate at most the margin worse? With the interval at 1 − 2·alpha
    worse: float  # the p-value of "worse by more than the margin"
    adjusted: float  # the same, when it has paid for the number of groups (Holm)
    power: float  # of `enough`
    disagreement: float | None = None  # the share of examples that `enough` is told for; None where nothing is lacking

    @property
    def enough(self) -> float | None:
        """So many examples would pass with the power asked for, were the two equal and disagreed as they do here.

        The difference is 0 and never the one observed: power at that would tell the p-value once more. Infinity where a
        thousand million are not enough, None where nothing is lacking. Found when it is first asked for.
        """
        if self.disagreement is None:
            return None
        comparison = self.comparison
        return _size(comparison.method, comparison.alpha, comparison.margin, self.power, self.disagreement)

    @property
    def examples(self) -> int:
        """How many examples there are."""
        return int(self.comparison.evidence.examples)  # type: ignore[attr-defined]  # a paired table has them

    @property
    def more(self) -> int | None:
        """How many examples are lacking; None where there is a verdict, or no number is enough."""
        if self.enough is None or math.isinf(self.enough):
            return None
        return max(int(self.enough) - self.examples, 1)

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        return {
            "verdict": self.verdict,
            "margin": self.comparison.margin,
            "pvalue": self.comparison.pvalue,
            "pvalue_worse": self.worse,
            "adjusted_worse": self.adjusted,
            "enough": self.enough,
            "more": self.more,
            "comparison": self.comparison.as_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Judgement(Rendered):
    """Whether a candidate may take the place of a baseline, and all that this rests on.

    Examples
    --------
    >>> found = judge(PairedTable(20, 12, 9, 2959), margin=0.01)
    >>> found.verdict, found.passed, found.exit_status
    ('pass', True, 0)
    """

    verdict: Verdict
    margin: float
    alpha: float
    power: float  # of the figure `more`
    together: Line  # of all examples; where there are groups it is shown, and decides nothing
    groups: Mapping[str, Line] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether the candidate may ship."""
        return self.verdict == "pass"

    @property
    def exit_status(self) -> int:
        """What the command exits with: 0 pass, 1 worse, 3 not enough evidence."""
        return EXIT_STATUS[self.verdict]

    @property
    def comparison(self) -> Comparison:
        """The comparison of all examples together."""
        return self.together.comparison

    @property
    def method(self) -> str:
        """The test and interval that decide."""
        return self.comparison.method

    @property
    def models(self) -> tuple[str, str]:
        """What baseline and candidate are called."""
        baseline, candidate = self.comparison.evidence.models
        return baseline, candidate

    @property
    def excluded(self) -> Mapping[str, int]:
        """Examples that were left out or counted as wrong, by reason."""
        return self.comparison.excluded

    @property
    def deciding(self) -> Mapping[str, Line]:
        """The lines that decide: the groups, or all examples under the name "all"."""
        return self.groups or {"all": self.together}

    @property
    def holding_up(self) -> Mapping[str, Line]:
        """Of the deciding lines, those that do not pass."""
        return {name: line for name, line in self.deciding.items() if line.verdict != "pass"}

    @property
    def more(self) -> int | None:
        """How many more examples it would take to pass, were the two equally good; over groups, the sum.

        None where there is a verdict, or where a thousand million examples are not enough.
        """
        if self.verdict != "not enough evidence":
            return None
        lacking = [line.more for line in self.holding_up.values()]
        known = [more for more in lacking if more is not None]
        return sum(known) if len(known) == len(lacking) else None

    @property
    def words(self) -> str:
        """The verdict in words, with the interval and the table."""
        from .wording import words_of

        return words_of(self)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        from .wording import rows_of

        return rows_of(self)

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        return {
            "verdict": self.verdict,
            "passed": self.passed,
            "exit_status": self.exit_status,
            "margin": self.margin,
            "alpha": self.alpha,
            "power": self.power,
            "method": self.method,
            "baseline": self.models[0],
            "candidate": self.models[1],
            "more": self.more,
            "words": self.words,
            "excluded": dict(self.excluded),
            "all": self.together.as_dict(),
            "groups": {name: line.as_dict() for name, line in self.groups.items()},
        }

    def to_markdown(self) -> str:
        """Return a comment for a pull request."""
        from .outputs import markdown_of

        return markdown_of(self)

    def __repr__(self) -> str:
        return str(self)


def judge(
    evidence: Any,
    *,
    margin: float = 0.01,
    alpha: float = 0.05,
    method: str | None = None,
    groups: Sequence[Any] | None = None,
    margins: Mapping[str, float] | None = None,
    power: float = 0.8,
) -> Judgement:
    """Judge whether a candidate (B) is at most a margin worse than a baseline (A).

    It passes where the interval of error(A) − error(B) at 1 − 2·alpha lies above −margin, it is worse where the
    interval lies below, and else there is not enough evidence: nothing passes for want of examples. With groups every
    one must pass, each at alpha; one in which it is worse (by Holm over the groups) is enough for "worse", and all
    examples together decide nothing.

    Parameters
    ----------
    evidence
        A `PairedTable`, or one with an entry for each group; or `Predictions` of two models, the baseline first.
    margin
        By how much more often the candidate may err, such as 0.01 for one point.
    alpha
        How often, about, one that is worse by the margin passes (and less often, if it is worse by more); below 0.5.
    method
        A test of the difference that takes a margin and has an interval of its name: "tango" if left out.
    groups
        The names of the table's entries.
    margins
        The margin of a group by its name, where it has one of its own.
    power
        How probable a pass is to be, were the two equally good, for the number of examples that are lacking.

    Examples
    --------
    >>> print(judge(PairedTable(0, 0, 0, 5)).verdict)
    not enough evidence
    >>> judge(PairedTable(0, 0, 0, 5)).more
    263
    >>> found = judge(PairedTable([3, 1], [8, 4], [6, 24], [2983, 271]), groups=["en", "de"])
    >>> {name: line.verdict for name, line in found.groups.items()}
    {'en': 'pass', 'de': 'worse'}
    """
    table, names, excluded, silent = _folded(evidence, groups)
    size, level = open_unit("margin", margin, "For one point write 0.01.", least=0.0), as_alpha(alpha=alpha)
    if level >= 0.5:
        raise InvalidOption(f"alpha must be below 0.5 (the interval has 1 - 2 alpha), but is {level}. Usual is 0.05.")
    bar = _Bar(
        test=_test_of(method),
        alpha=level,
        power=as_power(power, "For four in five write 0.8."),
    )
    own = _own_margins(margins, names, size)
    lines = bar.lines(table, own) if names else []
    (together,) = bar.lines(_whole(table), [size], settled=bool(names))
    verdict = _verdict_of_all(lines or [together])
    if silent and verdict != "worse":
        raise InvalidEvidence(
            f"{silent[0]} has no prediction for any example, and a gate does not pass what was never tried. Is this the"
            " right column? Run the model first."
        )
    return Judgement(
        verdict=verdict,
        margin=size,
        alpha=level,
        power=bar.power,
        together=replace(together, comparison=replace(together.comparison, excluded=excluded)),
        groups=dict(zip(names, lines, strict=True)),
    )


# --- What is judged ---------------------------------------------------------------------------------


def _folded(
    evidence: Any, groups: Sequence[Any] | None
) -> tuple[PairedTable, list[str], dict[str, int], tuple[str, ...]]:
    """Return the tables, the names of their groups if there are any, what was left out, and who answered nothing."""
    excluded: dict[str, int] = {}
    silent: tuple[str, ...] = ()
    counted = _tally_predictions(evidence)
    if counted is not None:
        if groups is not None:
            raise InvalidOption("groups is for tables. Predictions have a group column: Predictions.of(…, group='…').")
        excluded, groups = counted.reasons, counted.groups
        empty = [name for name, size in zip(groups or (), np.atleast_1d(counted.examples), strict=False) if not size]
        if empty:
            raise InvalidEvidence(f"group {str(empty[0])!r} has no example left: all were left out ({excluded}).")
        (evidence, excluded), silent = _answered(counted), counted.silent
    table: PairedTable = expect(PairedTable, evidence)
    if table.event != "wrong":
        raise InvalidEvidence(f"a gate judges errors, but this table counts what is {table.event}.")
    if table.models == ("A", "B"):
        table = replace(table, models=_NAMES)
    return table, _group_names(groups, table.shape), excluded, silent


@singledispatch
def _tally_predictions(data: Any) -> Tally | None:
    """Return what was counted of predictions of two models; None for what is neither."""
    from ..predictions import Predictions, Tally

    if not isinstance(data, Predictions | Tally):
        return None
    if len(data.models) != 2:
        named = ", ".join(map(repr, data.models))
        raise InvalidEvidence(f"a gate judges two models, the baseline first, but there are: {named}. Name two.")
    if isinstance(data, Tally):
        return data
    return data.outcome_tally().counted() if data.by_example else data.tally()


@_tally_predictions.register
def _tally_nothing(_: Evidence) -> None:
    return None


def _answered(counted: Tally) -> tuple[PairedTable, dict[str, int]]:
    """Return the table without the examples that neither model answered, which are no evidence, and the account."""
    from ..predictions.problems import UNANSWERED

    table, excluded = counted.paired_table(), counted.reasons
    never = np.atleast_1d(np.equal(counted.unanswered, counted.examples))
    if never.any():
        where = f"group {str(counted.groups[np.argmax(never)])!r}" if counted.groups else "the test set"
        raise InvalidEvidence(
            f"{where} has no prediction of either model, and a gate does not pass what was never tried. Run the models"
            " on it, or leave it out."
        )
    unanswered = int(np.sum(counted.unanswered))
    if not unanswered:
        return table, excluded
    told = {reason: count for reason, count in excluded.items() if reason.removesuffix(AS_WRONG) not in UNANSWERED}
    if len(told) == 2:  # one reason a model, and these examples are among those of both
        told = {reason: count - unanswered for reason, count in told.items() if count > unanswered}
    left = {"no answer of either model (these are not counted as wrong)": unanswered}
    return replace(table, both_wrong=table.both_wrong - counted.unanswered), left | told


def _group_names(groups: Iterable[Any] | None, shape: tuple[int, ...]) -> list[str]:
    names = [] if groups is None else [str(name) for name in groups]
    if len(shape) > 1 or len(names) != (shape[0] if shape else 0):
        raise InvalidOption(
            f"groups must name every entry of the evidence, whose shape is {shape}, but holds {len(names)} names."
        )
    if len(set(names)) != len(names):
        raise InvalidOption(f"groups must have different names, but {max(names, key=names.count)!r} is there twice.")
    return names


def _own_margins(margins: Mapping[str, float] | None, names: Sequence[str], margin: float) -> list[float]:
    """Return the margin of each group; one for a group that is not there is an error, lest it be missed for ever."""
    if not isinstance(margins or {}, Mapping):
        raise InvalidOption(f"margins must hold margins by group, such as {{'de': 0.02}}, but is {margins!r}.")
    given = {
        str(name): open_unit(f"the margin of group {name!r}", value, "For one point write 0.01.", least=0.0)
        for name, value in (margins or {}).items()
    }
    unknown = [name for name in given if name not in names]
    if unknown:
        there = f"the groups are {', '.join(map(repr, names))}" if names else "no groups are judged"
        raise InvalidOption(
            f"margins has one for group {unknown[0]!r}, but {there}. Correct the name, or leave it out."
        )
    return [given.get(name, margin) for name in names]


def _whole(table: PairedTable) -> PairedTable:
    """Return all groups as one table, in an array of one."""
    cells = (np.atleast_1d(getattr(table, cell)).sum(keepdims=True) for cell in CELLS)
    return PairedTable(*cells, models=table.models)


def _test_of(name: str | None) -> Offer:
    """Return the test that decides, whose interval of the same name decides alike."""
    found = look_up("tango" if name is None else name, "test", PairedTable)
    if found is not None and _can_judge(found):
        return found
    able = [each.name for each in find_methods(gives="test", evidence=PairedTable) if _can_judge(each)]
    trouble = "gives no test of a PairedTable"
    if found is not None or look_up(name, "interval", PairedTable):
        trouble = "has no test of a margin, drawn from nothing but the counts, and an interval that goes with it"
    raise UnknownMethod(f"method {name!r} {trouble}. Choose one of: {', '.join(able)}.")


def _can_judge(test: Offer) -> bool:
    bounds = look_up(test.name, "interval", PairedTable, elsewhere=False)
    # What draws would judge the same examples now this way, now that.
    fixed = bounds is not None and not {"rng", "resamples"} & {*test.options, *bounds.options}
    return fixed and "against" in test.options and bounds is not None and bounds.parameter == "difference"


# --- How it is judged -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bar:
    """What a candidate has to take: the test, its alpha, and the power of the figure of what is lacking."""

    test: Offer
    alpha: float
    power: float

    def lines(self, tables: PairedTable, margins: Sequence[float], *, settled: bool = False) -> list[Line]:
        """Judge every table by its margin; `settled` says that nobody asks what is lacking."""
        found = self._comparisons(tables, margins)
        worse: FloatArray = self.test(tables, against=-np.array(margins), alternative="less").pvalue
        adjusted = adjust(worse, "holm")
        verdicts = [_verdict(each, paid) for each, paid in zip(found, adjusted, strict=True)]
        open_ones = [] if settled else [place for place, verdict in enumerate(verdicts) if verdict == _OPEN]
        shares = _shares({place: found[place] for place in open_ones})
        return [
            Line(
                verdict=verdict,
                comparison=found[place],
                worse=float(worse[place]),
                adjusted=float(adjusted[place]),
                power=self.power,
                disagreement=shares.get(place),
            )
            for place, verdict in enumerate(verdicts)
        ]

    def _comparisons(self, tables: PairedTable, margins: Sequence[float]) -> list[Comparison]:
        """Compare all tables of one margin in one pass."""
        named = {"method": self.test.name, "interval": self.test.name, "alpha": self.alpha}
        by_margin = {size: compare(tables, margin=size, **named) for size in dict.fromkeys(margins)}
        return [by_margin[size][place] for place, size in enumerate(margins)]


def _shares(found: Mapping[int, Comparison]) -> dict[int, float]:
    """Return on what share of the examples the two disagree; of very many tables, rounded up to two digits."""
    shares = {
        place: float(each.evidence.disagreements / each.evidence.examples)  # type: ignore[attr-defined]  # a paired table
        for place, each in found.items()
    }
    if len(set(shares.values())) <= _SOLVED:
        return shares
    return {place: _rounded_up(share) for place, share in shares.items()}


@lru_cache(maxsize=1024)  # groups share them, and what is told is told in several places
def _size(method: str, alpha: float, margin: float, power: float, disagreement: float) -> float:
    test = find_method(method, "test", PairedTable)
    claim = Claim(method=test, alpha=alpha, margin=margin, hypothesis="non-inferior")
    setting = Pairs(claim=claim, disagreement=disagreement)
    formula = setting.approximate(power, 0.0)
    if formula > MOST:
        return math.inf
    if formula > _FORMULA and test.statistic == "z":  # one that holds at every look takes more than the formula knows
        return math.ceil(formula)
    size = size_for(setting, power, 0.0)
    return size if math.isinf(size) else int(size)


_OPEN: Verdict = "not enough evidence"


def _verdict(found: Comparison, worse: float) -> Verdict:
    """Return the verdict on one table.

    Test and interval are one decision in two forms. Where they differ (by rounding at a tie, or a little with an
    e-value, whose bets on one side are not half of those on both), the verdict is neither: what is shown never
    contradicts it, and a tie is no pass.
    """
    border = -found.margin
    if found.rejected and found.interval.low > border:
        return "pass"
    if worse < found.alpha and found.interval.high < border:
        return "worse"
    return _OPEN


def _verdict_of_all(lines: Sequence[Line]) -> Verdict:
    """Pass where all do; worse where one is (by then it has paid for their number); else open."""
    found = {line.verdict for line in lines}
    return "worse" if "worse" in found else "pass" if found == {"pass"} else _OPEN


def _rounded_up(share: float) -> float:
    """Return a share with two digits, not below it."""
    if share == 0:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(share)) - 1)
    return min(math.ceil(share / step - 1e-9) * step, 1.0)
