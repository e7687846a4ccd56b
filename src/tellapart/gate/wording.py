"""What a judgement says: the verdict first, then the interval and the table, then what would settle it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..display import printable
from ..rendering import points, pvalue_text, significant
from ..results.comparison_clauses import by_how_much, limits_of, margin_text, seen
from ..results.narrate import cautions
from ..results.wording import excluded_text, p_text

if TYPE_CHECKING:
    from .judging import Judgement, Line

HEADLINES = {"pass": "PASS", "worse": "WORSE", "not enough evidence": "NOT ENOUGH EVIDENCE"}
GROUP_HEAD = (
    *("group", "verdict", "examples", "only baseline wrong", "only candidate wrong", "difference"),
    *("interval", "p (not worse)", "adjusted p (worse)", "more examples"),
)
_NAMED = 5  # groups that a sentence names
_ROWS = 20  # groups that have a row of their own
_LATER = "Examples that are added after a look make it another look, which the p-value does not know."


def words_of(found: Judgement) -> str:
    """Return the verdict in words, with the interval and the table.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> words_of(judge(PairedTable(20, 12, 9, 2959))).partition(";")[0]
    'PASS: candidate is at most 1 point worse than baseline (alpha = 0.05)'
    """
    together = found.together
    told = f"{by_how_much(together.comparison)}, {_where(together)}; {_seen(together)}"
    if found.groups:
        told = f"all groups together, which decide nothing: {told}"
    parts = [f"{headline(found)}; {told}.{excluded_text(found.excluded)}", settling(found)]
    return _one_line(" ".join(part for part in parts if part))


def rows_of(found: Judgement) -> list[tuple[str, str]]:
    """Return label and value of each line a reader gets to see."""
    comparison, alone = found.comparison, not found.groups
    told = [
        ("verdict", f"{headline(found)}."),
        *_group_rows(found),
        ("by how much" if alone else "all groups", f"{by_how_much(comparison)}, {_where(found.together)}"),
        *([("how sure", _how_sure(found.together))] * alone),
        ("seen", f"{_seen(found.together)}.{excluded_text(found.excluded)}"),
    ]
    lacking = settling(found)
    if lacking:
        told.append(("to settle it", lacking))
    if lacking and "valid at every look" not in comparison.test.note:
        told.append(("looking again", _LATER))
    told.append(("careful", comparison.limits))
    told += cautions(comparison.checks) if alone else _cautions(found.groups)
    return [(_one_line(label), _one_line(value)) for label, value in told]


def headline(found: Judgement) -> str:
    """Return the verdict and what it is of, in one line.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> headline(judge(PairedTable(5, 2, 1, 92, models=("old", "new"))))
    'NOT ENOUGH EVIDENCE: whether new is at most 1 point worse than old is not settled (alpha = 0.05)'
    """
    baseline, candidate = found.models
    sizes = {line.comparison.margin for line in found.deciding.values()}
    size = margin_text(next(iter(found.deciding.values())).comparison) if len(sizes) == 1 else "the group's margin"
    claim = {
        "pass": f"{candidate} is at most {size} worse than {baseline}",
        "worse": f"{candidate} is worse than {baseline} by more than {size}",
        "not enough evidence": f"whether {candidate} is at most {size} worse than {baseline} is not settled",
    }[found.verdict]
    return _one_line(f"{HEADLINES[found.verdict]}: {claim}{_in_groups(found)} (alpha = {found.alpha:.6g})")


def settling(found: Judgement) -> str:
    """Say how many examples would settle it, were the two equally good; nothing where there is a verdict.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> settling(judge(PairedTable(0, 0, 0, 5))).partition(",")[0]
    'A test set of 268 examples (263 more) would pass with a probability of 80 %'
    """
    if found.verdict != "not enough evidence":
        return ""
    chance = f"with a probability of {100 * found.power:.6g} %"
    if not found.groups:
        return _settling_one(found.together, chance)
    lines = ordered(found.holding_up)
    told = [f"{name} {_needs(line)}" for name, line in lines[:_NAMED]]
    if len(lines) > _NAMED:
        total = "" if found.more is None else f" (all groups need {found.more:,} more examples)"
        told.append(f"as for the other {len(lines) - _NAMED}, JSON tells{total}")
    together = ", and all of them together less often" if len(lines) > 1 else ""
    return (
        f"{'; '.join(told)}. Then each would pass {chance}{together}, if the two were equally good in it (a difference"
        " of 0, not the one observed) and disagreed as often as they do here."
    )


def _settling_one(line: Line, chance: str) -> str:
    as_here = (
        "if the two were equally good (a difference of 0, not the one observed) and disagreed as often as here (on"
        f" {_disagreement(line)} of the examples)"
    )
    if line.more is None:
        return f"Not even a thousand million examples would pass {chance}, {as_here}."
    if line.enough is not None and line.enough <= line.examples:
        return (
            f"Of {line.examples:,} examples {line.enough:,.0f} would have been enough to pass {chance}, {as_here}: that"
            " they did not speaks for a loss, or for bad luck."
        )
    return f"A test set of {line.enough:,.0f} examples ({line.more:,} more) would pass {chance}, {as_here}."


def _needs(line: Line) -> str:
    if line.more is None:
        return "needs more than a thousand million examples"
    if line.enough is not None and line.enough <= line.examples:
        return f"has enough examples ({line.examples:,}; {line.enough:,.0f} are needed) and did not pass"
    return f"needs {line.more:,} more example{'s' * (line.more != 1)} ({line.enough:,.0f} in all)"


def _disagreement(line: Line) -> str:
    table = line.comparison.evidence
    share = table.disagreements / table.examples  # type: ignore[attr-defined]  # a paired table has them
    return f"{significant(100 * float(share), 2)} %" if share else "none"


def _one_line(text: str) -> str:
    """Return a text without line ends: they come from names, and what follows one would read like a line of ours."""
    return printable(text).replace("\n", " ")


def _where(line: Line) -> str:
    """Say where the interval lies, which decides, and why it does not where it does not."""
    comparison, border = line.comparison, f"−{margin_text(line.comparison)}"
    if comparison.interval.low > -comparison.margin:
        stricter = f", but {p_text(float(comparison.pvalue), comparison.alpha)} is not below alpha"
        return f"above {border}{'' if line.verdict == 'pass' else stricter}"
    if comparison.interval.high < -comparison.margin:
        stricter = f", but the adjusted {p_text(line.adjusted, comparison.alpha)} of a loss is not below alpha"
        return f"below {border}{'' if line.verdict == 'worse' else stricter}"
    return f"on both sides of {border}"


def _how_sure(line: Line) -> str:
    comparison, size = line.comparison, margin_text(line.comparison)
    passes, loses = (p_text(float(p), comparison.alpha) for p in (comparison.pvalue, line.worse))
    return f"at most {size} worse: {passes}; worse by more: {loses} ({comparison.method}, one-sided)"


def _seen(line: Line) -> str:
    return f"{seen(line.comparison)}: {line.comparison.evidence.describe()}"


# --- Groups -----------------------------------------------------------------------------------------


def ordered(lines: Mapping[str, Line]) -> list[tuple[str, Line]]:
    """Return names and lines, the worst verdict first, in their order within one."""
    places = {"worse": 0, "not enough evidence": 1, "pass": 2}
    return sorted(lines.items(), key=lambda item: places[item[1].verdict])


def cells_of(name: str, line: Line) -> tuple[str, ...]:
    """Return what a table tells of a group, one text a column of `GROUP_HEAD`."""
    comparison = line.comparison
    table, spread = comparison.evidence, comparison.interval.spread(float(comparison.difference))
    return (
        name,
        line.verdict,
        *(str(count) for count in (table.examples, table.only_a_wrong, table.only_b_wrong)),  # type: ignore[attr-defined]
        points(float(comparison.difference), spread),
        limits_of(comparison),
        pvalue_text(float(comparison.pvalue), comparison.alpha),
        pvalue_text(line.adjusted, comparison.alpha),
        "" if line.enough is None else "more than 1,000,000,000" if line.more is None else f"{line.more:,}",
    )


def _in_groups(found: Judgement) -> str:
    if not found.groups:
        return ""
    if found.passed:
        return f" in every one of {len(found.groups)} groups" if len(found.groups) > 1 else " in the one group there is"
    names = [name for name, line in found.groups.items() if line.verdict == found.verdict]
    return f" in {len(names)} of {len(found.groups)} groups: {_listed(names)}"


def _group_rows(found: Judgement) -> list[tuple[str, str]]:
    lines = ordered(found.groups)
    told = [(f"group {name}", _group_text(line)) for name, line in lines[:_ROWS]]
    return told + ([("", f"and {len(lines) - _ROWS} more groups")] if len(lines) > _ROWS else [])


def _group_text(line: Line) -> str:
    comparison = line.comparison
    difference, limits = cells_of("", line)[5:7]
    sure = p_text(float(comparison.pvalue), comparison.alpha)
    if line.verdict == "worse":
        sure = f"adjusted {p_text(line.adjusted, comparison.alpha)} of a loss"
    needs = f"; {_needs(line)}" if line.enough is not None else ""
    return f"{line.verdict}: {difference} ({limits}), {_where(line)}; {sure}; {seen(comparison)}{needs}"


def _cautions(groups: Mapping[str, Line]) -> list[tuple[str, str]]:
    """Return which checks fail, and in how many of the groups."""
    codes = [
        code for line in groups.values() for code in {each.code for each in line.comparison.checks if not each.holds}
    ]
    return [
        ("caution", f"{code} fails in {codes.count(code)} of {len(groups)} groups; JSON tells where and why")
        for code in sorted(set(codes))
    ]


def _listed(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{rest}"
