"""Non-inferiority of a candidate to a baseline: pass, worse, or not enough evidence, by the score test."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache, singledispatch
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..display import Display
from ..errors import InvalidEvidence, InvalidOption, UnknownMethod
from ..evidence import Evidence, PairedTable, expect
from ..evidence.paired_table import CELLS
from ..figures import CountedAsWrong, join_names
from ..methods import Offer, find_method, find_methods
from ..methods.multiplicity import adjust
from ..methods.registry import look_up
from ..planning.options import as_power
from ..planning.settings.pairs import PairedSetting
from ..planning.settings.regions import Claim
from ..planning.solving import MOST, size_for
from ..rendering import Rendered
from ..results import Comparison
from ..typing_ import FloatArray, as_alpha, nearest_name, open_unit
from ..verbs import compare

if TYPE_CHECKING:
    from ..predictions.tally import Tally

Verdict = Literal["pass", "worse", "not enough evidence"]
EXIT_STATUS: dict[Verdict, int] = {"pass": 0, "worse": 1, "not enough evidence": 3}
MARGIN_FIX = "For 1 pp use 0.01."
_NAMES = ("baseline", "candidate")  # default names of A and B
_MOST_SOLVED = 32  # discordant rates whose sample size is found exactly; more of them are rounded up to two digits
_FORMULA_FROM = 10**6  # examples from which the normal formula, accurate to 0.1% there, replaces a search of minutes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupJudgement:
    """The verdict on one group, or on all examples together, with the figures behind it."""

    verdict: Verdict
    comparison: Comparison  # non-inferiority at the margin, with the interval at 1 − 2·alpha
    worse: float  # p-value of the test that the candidate is worse by more than the margin
    adjusted: float  # the same, Holm-adjusted for the number of groups
    power: float  # of `enough`
    disagreement: float | None = None  # discordant rate that `enough` assumes; None if there is a verdict

    @property
    def enough(self) -> float | None:
        """Number of examples that pass with the requested power if both models are equal.

        It assumes the discordant rate of the data and a difference of 0, because power at the observed difference
        repeats the p-value. Infinite if more than 10**9 examples are needed, None if there is a verdict.
        """
        if self.disagreement is None:
            return None
        comparison = self.comparison
        return _find_required_size(
            comparison.method, comparison.alpha, comparison.margin, self.power, self.disagreement
        )

    @property
    def examples(self) -> int:
        """Number of examples."""
        return int(self.comparison.evidence.examples)  # type: ignore[attr-defined]  # a paired table has them

    @property
    def more(self) -> int | None:
        """Number of examples still needed; None if there is a verdict, or if no number up to 10**9 is enough."""
        if self.enough is None or math.isinf(self.enough):
            return None
        return max(int(self.enough) - self.examples, 1)

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, at full precision."""
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
    """The verdict of a gate: whether a candidate is at most a margin worse than a baseline.

    Examples
    --------
    >>> judgement = judge(PairedTable(20, 12, 9, 2959), margin=0.01)
    >>> judgement.verdict, judgement.passed, judgement.exit_status
    ('pass', True, 0)
    """

    verdict: Verdict
    margin: float
    alpha: float
    power: float  # assumed by `more`
    together: GroupJudgement  # all examples; with groups it is reported and does not decide
    groups: Mapping[str, GroupJudgement] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether the verdict is "pass"."""
        return self.verdict == "pass"

    @property
    def exit_status(self) -> int:
        """Exit status of the command: 0 pass, 1 worse, 3 not enough evidence."""
        return EXIT_STATUS[self.verdict]

    @property
    def comparison(self) -> Comparison:
        """The comparison of all examples together."""
        return self.together.comparison

    @property
    def method(self) -> str:
        """Name of the test and of the interval that decide."""
        return self.comparison.method

    @property
    def test(self) -> Offer:
        """The test that decides."""
        return find_method(self.method, "test", PairedTable)

    @property
    def models(self) -> tuple[str, str]:
        """Names of baseline and candidate."""
        baseline, candidate = self.comparison.evidence.models
        return baseline, candidate

    @property
    def excluded(self) -> Mapping[str, int]:
        """Number of examples left out or counted as wrong, by reason."""
        return self.comparison.excluded

    @property
    def deciding(self) -> Mapping[str, GroupJudgement]:
        """The judgements that decide: one per group, or all examples under the name "all"."""
        return self.groups or {"all": self.together}

    @property
    def holding_up(self) -> Mapping[str, GroupJudgement]:
        """The deciding judgements that do not pass."""
        return {name: line for name, line in self.deciding.items() if line.verdict != "pass"}

    @property
    def more(self) -> int | None:
        """Number of additional examples needed to pass if both models are equal; the sum over groups.

        None if there is a verdict, or if more than 10**9 examples are needed.
        """
        if self.verdict != "not enough evidence":
            return None
        needs = [line.more for line in self.holding_up.values()]
        finite = [more for more in needs if more is not None]
        return sum(finite) if len(finite) == len(needs) else None

    @property
    def words(self) -> str:
        """The verdict, figures, data and scope, in sentences."""
        from .wording import summarize_judgement

        return summarize_judgement(self)

    def display(self, *, verbose: bool = False) -> Display:
        """Return what is printed; with `verbose` also the four cells, both tests and the checks that hold."""
        from .wording import build_display

        return build_display(self, verbose=verbose)

    def explanations(self) -> list[tuple[str, str]]:
        """Return label and sentences: what the verdict shows, and what the figures assume."""
        from .wording import explain_judgement

        return list(explain_judgement(self))

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, at full precision."""
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
        """Return Markdown for a pull request."""
        from .outputs import format_markdown

        return format_markdown(self)

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
    """Test whether a candidate (B) is at most a margin worse than a baseline (A).

    The candidate passes if the interval of error(A) − error(B) at level 1 − 2·alpha lies above −margin, and is worse if
    the interval lies below. Otherwise there is not enough evidence, so few examples never pass. With groups, every
    group must pass at alpha; the verdict is "worse" if the candidate is worse in any group (Holm-adjusted). All
    examples together do not decide then.

    Parameters
    ----------
    evidence
        A `PairedTable`, or one with an entry for each group; or `Predictions` of two models, the baseline first.
    margin
        Non-inferiority margin: the largest acceptable loss; 0.01 is 1 percentage point.
    alpha
        Significance level, below 0.5: about the probability that a candidate worse by the margin passes.
    method
        Test of the difference that takes a margin and has an interval of the same name. Default: "tango".
    groups
        Names of the table's entries.
    margins
        Margins by group name, for groups with a different margin.
    power
        Probability of a pass, if both models are equal, for the number of examples still needed.

    Examples
    --------
    >>> print(judge(PairedTable(0, 0, 0, 5)).verdict)
    not enough evidence
    >>> judge(PairedTable(0, 0, 0, 5)).more
    263
    >>> judgement = judge(PairedTable([3, 1], [8, 4], [6, 24], [2983, 271]), groups=["en", "de"])
    >>> {name: line.verdict for name, line in judgement.groups.items()}
    {'en': 'pass', 'de': 'worse'}
    """
    table, names, excluded, silent = _tabulate_evidence(evidence, groups)
    size, level = open_unit("margin", margin, MARGIN_FIX, least=0.0), as_alpha(alpha=alpha)
    if level >= 0.5:
        raise InvalidOption(f"`alpha` must be below 0.5, got {level:g}. Use alpha=0.05.")
    criterion = _Criterion(test=_resolve_test(method), alpha=level, power=as_power(power))
    group_margins = _resolve_margins(margins, names, size)
    lines = criterion.judge_tables(table, group_margins) if names else []
    (together,) = criterion.judge_tables(_pool_groups(table), [size], decided=bool(names))
    verdict = _combine_verdicts(lines or [together])
    if silent and verdict != "worse":
        raise InvalidEvidence(f"predictions of {silent[0]} are missing for all examples. Run the model first.")
    return Judgement(
        verdict=verdict,
        margin=size,
        alpha=level,
        power=criterion.power,
        together=replace(together, comparison=replace(together.comparison, excluded=excluded)),
        groups=dict(zip(names, lines, strict=True)),
    )


# --- Evidence ---------------------------------------------------------------------------------------


def _tabulate_evidence(
    evidence: Any, groups: Sequence[Any] | None
) -> tuple[PairedTable, list[str], dict[str, int], tuple[str, ...]]:
    """Return the tables, the group names, what was left out, and the models without any prediction."""
    excluded: dict[str, int] = {}
    silent: tuple[str, ...] = ()
    tally = _tally_predictions(evidence)
    if tally is not None:
        if groups is not None:
            raise InvalidOption(
                "`groups` is for tables, got predictions. Name their column when reading: group='site'."
            )
        excluded, groups = tally.reasons, tally.groups
        empty = [name for name, size in zip(groups or (), np.atleast_1d(tally.examples), strict=False) if not size]
        if empty:
            raise InvalidEvidence(f"group {str(empty[0])!r} has no examples left: all were left out ({excluded}).")
        (evidence, excluded), silent = _drop_unanswered(tally), tally.silent
    table: PairedTable = expect(PairedTable, evidence)
    if table.event != "wrong":
        raise InvalidEvidence(f"`evidence` of a gate must count errors, got counts of {table.event!r}.")
    if table.models == ("A", "B"):
        table = replace(table, models=_NAMES)
    return table, _check_group_names(groups, table.shape), excluded, silent


@singledispatch
def _tally_predictions(data: Any) -> Tally | None:
    """Return the counts of the predictions of two models; None if the data are no predictions."""
    from ..predictions import Predictions, Tally

    if not isinstance(data, Predictions | Tally):
        return None
    if len(data.models) != 2:
        names = ", ".join(map(repr, data.models))
        raise InvalidEvidence(f"a gate compares two models, the baseline first, got {len(data.models)}: {names}.")
    if isinstance(data, Tally):
        return data
    return data.outcome_tally().counted() if data.by_example else data.tally()


@_tally_predictions.register
def _leave_evidence(_: Evidence) -> None:
    return None


def _drop_unanswered(tally: Tally) -> tuple[PairedTable, dict[str, int]]:
    """Return the table without the examples that neither model answered, and what was left out."""
    from ..predictions.problems import UNANSWERED

    table, excluded = tally.paired_table(), tally.reasons
    never = np.atleast_1d(np.equal(tally.unanswered, tally.examples))
    if never.any():
        where = f"group {str(tally.groups[np.argmax(never)])!r}" if tally.groups else "the test set"
        raise InvalidEvidence(f"{where} has no prediction of either model. Run the models on it, or leave it out.")
    unanswered = int(np.sum(tally.unanswered))
    if not unanswered:
        return table, excluded
    plain = {reason: reason.reason if isinstance(reason, CountedAsWrong) else reason for reason in excluded}
    rest = {reason: count for reason, count in excluded.items() if plain[reason] not in UNANSWERED}
    if len(rest) == 2:  # one reason per model; the unanswered examples are in both counts
        rest = {reason: count - unanswered for reason, count in rest.items() if count > unanswered}
    neither = {"no answer of either model (these are not counted as wrong)": unanswered}
    return replace(table, both_wrong=table.both_wrong - tally.unanswered), neither | rest


def _check_group_names(groups: Iterable[Any] | None, shape: tuple[int, ...]) -> list[str]:
    names = [] if groups is None else [str(name) for name in groups]
    if len(shape) > 1 or len(names) != (shape[0] if shape else 0):
        raise InvalidOption(f"`groups` must name each entry of the evidence (shape {shape}), got {len(names)} names.")
    if len(set(names)) != len(names):
        raise InvalidOption(f"`groups` must be different names, got {max(names, key=names.count)!r} twice.")
    return names


def _resolve_margins(margins: Mapping[str, float] | None, names: Sequence[str], margin: float) -> list[float]:
    """Return the margin of each group; raise InvalidOption if one is for an unknown group."""
    if not isinstance(margins or {}, Mapping):
        raise InvalidOption(f"`margins` must be margins by group, such as {{'de': 0.02}}, got {margins!r}.")
    by_group = {
        str(name): open_unit(f"`margins` of {str(name)!r}", value, MARGIN_FIX, least=0.0)
        for name, value in (margins or {}).items()
    }
    unknown = [name for name in by_group if name not in names]
    if unknown:
        groups = join_names(map(repr, names)) if names else "none"
        near = nearest_name(unknown[0], names)
        raise InvalidOption(
            f"`margins` must name groups of the data ({groups}), got {unknown[0]!r}."
            f" {f'Did you mean {near!r}?' if near else 'Leave it out.'}"
        )
    return [by_group.get(name, margin) for name in names]


def _pool_groups(table: PairedTable) -> PairedTable:
    """Return all groups as one table, in an array with one entry."""
    cells = (np.atleast_1d(getattr(table, cell)).sum(keepdims=True) for cell in CELLS)
    return PairedTable(*cells, models=table.models, as_accuracy=table.as_accuracy)


def _resolve_test(name: str | None) -> Offer:
    """Return the test that decides, which has an interval of the same name."""
    test = look_up("tango" if name is None else name, "test", PairedTable)
    if test is not None and _can_judge(test):
        return test
    able = [offer.name for offer in find_methods(gives="test", evidence=PairedTable) if _can_judge(offer)]
    choices = ", ".join(map(repr, able))
    if test is not None or look_up(name, "interval", PairedTable):
        raise UnknownMethod(
            f"`method` of a gate must take a margin and have an interval, got {name!r}. Use one of: {choices}."
        )
    near = get_close_matches(str(name), able, 1)
    raise UnknownMethod(
        f"unknown method {name!r}. {f'Did you mean {near[0]!r}?' if near else f'Use one of: {choices}.'}"
    )


def _can_judge(test: Offer) -> bool:
    interval = look_up(test.name, "interval", PairedTable, elsewhere=False)
    if interval is None or interval.parameter != "difference" or "against" not in test.options:
        return False
    return not {"rng", "resamples"} & {*test.options, *interval.options}  # the verdict must not depend on a seed


# --- Decision ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Criterion:
    """The test, its alpha, and the power that the sample size still needed is for."""

    test: Offer
    alpha: float
    power: float

    def judge_tables(
        self, tables: PairedTable, margins: Sequence[float], *, decided: bool = False
    ) -> list[GroupJudgement]:
        """Return the judgement of each table at its margin; without sample sizes if `decided`."""
        comparisons = self._compare_tables(tables, margins)
        worse: FloatArray = self.test(tables, against=-np.array(margins), alternative="less").pvalue
        adjusted = adjust(worse, "holm")
        verdicts = [_decide_verdict(comparison, p) for comparison, p in zip(comparisons, adjusted, strict=True)]
        undecided = [] if decided else [index for index, verdict in enumerate(verdicts) if verdict == _OPEN]
        rates = _discordant_rates({index: comparisons[index] for index in undecided})
        return [
            GroupJudgement(
                verdict=verdict,
                comparison=comparisons[index],
                worse=float(worse[index]),
                adjusted=float(adjusted[index]),
                power=self.power,
                disagreement=rates.get(index),
            )
            for index, verdict in enumerate(verdicts)
        ]

    def _compare_tables(self, tables: PairedTable, margins: Sequence[float]) -> list[Comparison]:
        """Return a comparison per table; all tables of one margin are compared in one call."""
        options = {"method": self.test.name, "interval": self.test.name, "alpha": self.alpha}
        by_margin = {size: compare(tables, margin=size, **options) for size in dict.fromkeys(margins)}
        return [by_margin[size][index] for index, size in enumerate(margins)]


def _discordant_rates(comparisons: Mapping[int, Comparison]) -> dict[int, float]:
    """Return the discordant rate of each table; many different ones are rounded up to two digits."""
    rates = {
        index: float(comparison.evidence.disagreements / comparison.evidence.examples)  # type: ignore[attr-defined]  # a paired table
        for index, comparison in comparisons.items()
    }
    if len(set(rates.values())) <= _MOST_SOLVED:
        return rates
    return {index: _round_up_rate(rate) for index, rate in rates.items()}


@lru_cache(maxsize=1024)  # groups share sizes, and a size is printed in several places
def _find_required_size(method: str, alpha: float, margin: float, power: float, disagreement: float) -> float:
    test = find_method(method, "test", PairedTable)
    claim = Claim(method=test, alpha=alpha, margin=margin, hypothesis="non-inferior")
    setting = PairedSetting(claim=claim, disagreement=disagreement)
    formula = setting.approximate(power, 0.0)
    if formula > MOST:
        return math.inf
    if formula > _FORMULA_FROM and test.statistic == "z":  # e-values need more than the formula says
        return math.ceil(formula)
    size = size_for(setting, power, 0.0)
    return size if math.isinf(size) else int(size)


_OPEN: Verdict = "not enough evidence"


def _decide_verdict(comparison: Comparison, worse: float) -> Verdict:
    """Return the verdict on one table.

    Test and interval must agree. If they differ (by rounding at a tie, or slightly for an e-value, whose one-sided bets
    are not half of the two-sided ones), there is no verdict, so what is printed never contradicts it.
    """
    border = -comparison.margin
    if comparison.rejected and comparison.interval.low > border:
        return "pass"
    if worse < comparison.alpha and comparison.interval.high < border:
        return "worse"
    return _OPEN


def _combine_verdicts(lines: Sequence[GroupJudgement]) -> Verdict:
    """Return "pass" if all pass, "worse" if any is worse (after Holm's adjustment)."""
    verdicts = {line.verdict for line in lines}
    return "worse" if "worse" in verdicts else "pass" if verdicts == {"pass"} else _OPEN


def _round_up_rate(rate: float) -> float:
    """Return a rate rounded up to two digits."""
    if rate == 0:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(rate)) - 1)
    return min(math.ceil(rate / step - 1e-9) * step, 1.0)
