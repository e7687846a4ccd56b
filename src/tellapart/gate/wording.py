"""The text of a gate's judgement: the verdict, the figures, the margin, and the sample size that is still needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..bibliography import reference_of
from ..display import INDENT, LABEL, WIDTH, Block, Display, Row, TextTable, Tone
from ..figures import (
    Scale,
    count_text,
    equation,
    join_names,
    level_text,
    precise_pvalue_text,
    pvalue_text,
    scale_of,
    short_names,
)
from ..results.oriented import leading_position, orient
from ..results.wording import excluded_text, margin_test_title
from ..text_layout import printable

if TYPE_CHECKING:
    from ..evidence import PairedTable
    from ..results import Check, Comparison
    from .judging import GroupJudgement, Judgement, Verdict

HEADLINES: dict[Verdict, str] = {"pass": "PASS", "worse": "WORSE", "not enough evidence": "NOT ENOUGH EVIDENCE"}
GROUP_HEAD = ("group", "verdict", "examples", "margin", "loss", "CI of the loss", "p", "adj. p (worse)", "needed")
_TONES: dict[Verdict, Tone] = {"pass": "good", "worse": "bad", "not enough evidence": "open"}
_ORDER: dict[Verdict, int] = {"worse": 0, "not enough evidence": 1, "pass": 2}
_SCOPE = "these trained models, data from the same source; not retraining"
_SCOPE_SENTENCE = "Applies to these trained models on data from the same source, not to retraining"
_NAMED_GROUPS = 3  # groups that a sentence names
_SHOWN_GROUPS = 20  # groups that have a line in the terminal
_ROOM = WIDTH - INDENT - LABEL  # columns of a row's text


# --- The whole ----------------------------------------------------------------------------------------


def build_display(judgement: Judgement, *, verbose: bool = False) -> Display:
    """Return what is printed: the verdict, the figures, one line per group, then the margin, data, test and scope."""
    verdict = state_verdict(judgement, verbose=verbose)
    titles = list(dict.fromkeys(title for title, *_ in _failed_checks(judgement)))
    return Display(
        verdict=f"{verdict} (caution: {join_names(titles)})" if titles else verdict,
        figures=format_figures(judgement),
        blocks=tuple(_list_blocks(judgement, verbose=verbose)),
        tone=_TONES[judgement.verdict],
    )


def summarize_judgement(judgement: Judgement) -> str:
    """Return the verdict, the figures, the data and what is needed, as sentences in one line.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> summarize_judgement(judge(PairedTable(20, 12, 9, 2959))).partition(";")[0]
    'PASS: candidate is at most 1 pp worse than baseline'
    """
    parts = (
        "; ".join(filter(None, (state_verdict(judgement), format_figures(judgement).replace(": ", ", ", 1)))),
        f"All groups: {_format_difference(judgement.together).replace(': ', ', ', 1)}; does not decide"
        if judgement.groups
        else "",
        format_data(judgement).rstrip("."),
        format_next_step(judgement).rstrip("."),
        _SCOPE_SENTENCE,
    )
    return in_one_line(". ".join(filter(None, parts)) + ".")


def explain_judgement(judgement: Judgement) -> Iterator[tuple[str, str]]:
    """Yield label and sentences: how to read each row."""
    level, alpha = level_text(judgement.comparison.interval.alpha), f"{judgement.alpha:.6g}"
    yield "verdict", VERDICT_MEANINGS[judgement.verdict]
    yield (
        "margin",
        f"The candidate passes if the {level} confidence interval of its loss lies below the margin, and is worse if it"
        f" lies above. A candidate that is worse by exactly the margin passes with probability {alpha}, about, and less"
        " often if it is worse by more.",
    )
    if judgement.groups:
        yield (
            "groups",
            f"Each group must pass at alpha = {alpha}; no adjustment is needed for that (intersection-union test). A"
            " group is worse if its Holm-adjusted p-value is below alpha. All groups together do not decide.",
        )
    if judgement.verdict == "not enough evidence":
        yield (
            "next",
            "The sample size assumes that both models have the same error rate and the discordant rate of these data."
            " It does not use the observed difference, because power at the observed difference repeats the p-value.",
        )
    yield "scope", judgement.comparison.evidence.scope().sentence
    yield "test", str(reference_of(judgement.comparison.test.reference or "tango1998"))


VERDICT_MEANINGS: dict[Verdict, str] = {
    "pass": "PASS shows that the candidate is not worse by more than the margin. It does not show that it is better, or"
    " as good.",
    "worse": "WORSE shows that the candidate loses more than the margin. The interval says how much; the test does not"
    " say why.",
    "not enough evidence": "NOT ENOUGH EVIDENCE shows neither that the candidate is worse by more than the margin nor"
    " that it is not.",
}


def _list_blocks(judgement: Judgement, *, verbose: bool) -> Iterator[Block]:
    for *_, text in _failed_checks(judgement):
        yield Row("caution", text)
    if judgement.groups:
        yield build_group_table(judgement.groups, most=_SHOWN_GROUPS)
        if len(judgement.groups) > _SHOWN_GROUPS:
            yield f"and {len(judgement.groups) - _SHOWN_GROUPS:,} more groups (--json lists all)"
    yield Row("margin", in_one_line(format_margin(judgement)))
    data, test = [in_one_line(format_data(judgement))], [format_test(judgement)]
    if verbose:
        table = _table_of(judgement.together)
        data.append(f"both wrong {table.both_wrong:,}, both right {table.both_right:,}")
        test.append(_format_both_tests(judgement))
        checks = () if judgement.groups else judgement.comparison.checks
        test += [f"{check.code} holds: {check.statement}" for check in checks if check.holds]
    yield Row("data", "\n".join(data))
    yield Row("test", "\n".join(test))
    if judgement.groups:
        yield Row("overall", f"{_format_difference(judgement.together)}; does not decide")
    if judgement.verdict == "not enough evidence":
        yield Row("next", in_one_line(format_next_step(judgement)))
    yield Row("scope", _SCOPE)


def in_one_line(text: str) -> str:
    """Return a text without line ends, which names from files may hold."""
    return " ".join(printable(text).split("\n"))


# --- Verdict ------------------------------------------------------------------------------------------


def state_verdict(judgement: Judgement, *, verbose: bool = True) -> str:
    """Return the verdict in one line; names are shortened unless `verbose`.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> state_verdict(judge(PairedTable(5, 2, 1, 92, models=("old", "new"))))
    'NOT ENOUGH EVIDENCE that new is at most 1 pp worse than old'
    """
    baseline, candidate = judgement.models if verbose else short_names(judgement.models).values()
    margins = {line.comparison.margin for line in judgement.deciding.values()}
    size = points_text(margins.pop()) if len(margins) == 1 else "the group's margin"
    claim = {
        "pass": f": {candidate} is at most {size} worse than {baseline}",
        "worse": f": {candidate} is worse than {baseline} by more than {size}",
        "not enough evidence": f" that {candidate} is at most {size} worse than {baseline}",
    }[judgement.verdict]
    return in_one_line(f"{HEADLINES[judgement.verdict]}{claim}{_name_groups(judgement)}")


def points_text(size: float) -> str:
    """Return a margin in percentage points, with the digits it was given with.

    Examples
    --------
    >>> points_text(0.01), points_text(0.0125)
    ('1 pp', '1.25 pp')
    """
    return f"{100 * size:.6g} pp"


def _name_groups(judgement: Judgement) -> str:
    groups = judgement.groups
    if not groups:
        return ""
    if judgement.passed:
        number = {1: "the one group", 2: "both groups"}.get(len(groups), f"all {len(groups)} groups")
        return f" in {number}"
    names = [name for name, line in groups.items() if line.verdict == judgement.verdict]
    return f" in {len(names)} of {count_text(len(groups), 'group')}: {join_names(names, most=_NAMED_GROUPS)}"


# --- Figures ------------------------------------------------------------------------------------------


def format_figures(judgement: Judgement) -> str:
    """Return metric, candidate vs baseline, difference, interval and p-value; nothing with groups."""
    return "" if judgement.groups else format_group_figures(judgement.together)


def format_group_figures(line: GroupJudgement) -> str:
    """Return metric, candidate vs baseline, difference, interval and p-value of a group, or of all examples."""
    pvalue = line.worse if line.verdict == "worse" else float(line.comparison.pvalue)
    return f"{_format_difference(line)}, {equation('p', pvalue_text(pvalue, line.comparison.alpha))}"


def format_values(comparison: Comparison) -> str:
    """Return "accuracy 98.3% vs 96.3%": the candidate first."""
    return f"{comparison.evidence.metric.short_title} {orient(comparison, first=1).values_text}"


def _format_difference(line: GroupJudgement) -> str:
    """Return "accuracy 98.3% vs 96.3%: 2.0 pp higher (90% CI 1.1 to 3.0)": the candidate first."""
    comparison = line.comparison
    lead = orient(comparison, first=1)
    return f"{format_values(comparison)}: {lead.size_text} {lead.limits_text(comparison.interval)}"


def loss_scale(comparison: Comparison) -> Scale:
    """Return how differences are written: no limit looks as if it were 0 or the margin."""
    interval = comparison.interval
    limits = (-float(interval.high), -float(interval.low))
    return scale_of("points", float(interval.width) / 2, ends=limits, apart_from=(0.0, float(comparison.margin)))


def format_loss(comparison: Comparison, scale: Scale) -> tuple[str, str]:
    """Return error(candidate) − error(baseline) and its interval, in pp without the unit; positive is a loss."""
    interval = comparison.interval
    return scale.number(-float(comparison.difference)), scale.range(-float(interval.high), -float(interval.low))


# --- Rows ---------------------------------------------------------------------------------------------


def format_margin(judgement: Judgement) -> str:
    """Return the margin, and where the interval of the loss lies."""
    if judgement.groups:
        margins = dict.fromkeys(line.comparison.margin for line in judgement.groups.values())
        sizes = join_names([points_text(size) for size in margins], most=_NAMED_GROUPS)
        return f"{sizes} of loss; every group must pass"
    line = judgement.together
    comparison = line.comparison
    size = Scale("points", max(loss_scale(comparison).decimals, _count_decimals(100 * comparison.margin)))
    return f"{size.value(comparison.margin)}; {locate_interval(line)}"


def _count_decimals(value: float) -> int:
    return len(f"{value:.6g}".partition(".")[2]) if abs(value) >= 1e-4 else 0


def locate_interval(line: GroupJudgement) -> str:
    """Return where the interval of the loss lies, and why that does not decide if it does not."""
    comparison = line.comparison
    interval, alpha = f"the {level_text(comparison.interval.alpha)} CI", comparison.alpha
    if comparison.interval.low > -comparison.margin:
        if line.verdict == "pass":
            return f"a loss that large lies outside {interval}"
        pvalue = equation("p", precise_pvalue_text(float(comparison.pvalue), alpha))
        return f"{interval} excludes a loss that large, but {pvalue} is not below alpha"
    if comparison.interval.high < -comparison.margin:
        if line.verdict == "worse":
            return f"{interval} of the loss lies above it"
        pvalue = equation("adjusted p", precise_pvalue_text(line.adjusted, alpha))
        return f"{interval} of the loss lies above it, but {pvalue} is not below alpha"
    return f"{interval} of the loss includes it"


def format_data(judgement: Judgement) -> str:
    """Return the number of examples and discordant pairs, the larger count first, and what was left out."""
    evidence, excluded = judgement.together.comparison.evidence, excluded_text(judgement.excluded)
    if judgement.groups:
        table = _table_of(judgement.together)
        examples, groups = count_text(int(table.examples), "example"), count_text(len(judgement.groups), "group")
        return f"{examples} in {groups}, {int(table.disagreements):,} discordant{excluded}"
    return f"{evidence.data_row(leading_position(judgement.together.comparison, ahead=True))}{excluded}"


def format_test(judgement: Judgement) -> str:
    """Return the test, its reference, p-value and alpha; with groups the adjustment."""
    line = judgement.together
    alpha = f"alpha = {judgement.alpha:.6g}"
    if judgement.groups:
        name = _name_test(judgement, "non-inferiority")
        count = count_text(len(judgement.groups), "group")
        return f"{name}, {alpha} in each group; losses Holm-adjusted over {count}"
    worse = line.verdict == "worse"
    pvalue = line.worse if worse else float(line.comparison.pvalue)
    name = _name_test(judgement, "inferiority" if worse else "non-inferiority")
    return f"{name}: {equation('p', precise_pvalue_text(pvalue, judgement.alpha))}, {alpha}"


def _name_test(judgement: Judgement, kind: str) -> str:
    offer = judgement.test
    reference = reference_of(offer.reference).citation if offer.reference else ""
    return f"{margin_test_title(offer.display_title, kind)}{f' ({reference})' if reference else ''}"


def _format_both_tests(judgement: Judgement) -> str:
    line = judgement.together
    passes, loses = (
        equation("p", precise_pvalue_text(pvalue, judgement.alpha))
        for pvalue in (float(line.comparison.pvalue), line.worse)
    )
    return f"{judgement.method}, one-sided: non-inferiority {passes}, inferiority {loses}"


def format_next_step(judgement: Judgement) -> str:
    """Return the sample size that a gate still needs; nothing if there is a verdict.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> format_next_step(judge(PairedTable(0, 0, 0, 5))).partition(".")[0]
    '268 examples (263 more) pass with 80% power if both are equal'
    """
    if judgement.verdict != "not enough evidence":
        return ""
    power = f"{100 * judgement.power:.6g}% power"
    text = _format_group_needs(judgement, power) if judgement.groups else _format_need(judgement.together, power)
    if judgement.test.statistic == "e-value":  # more data may be added at any time
        return text
    return f"{text} Do not add data and retest; use `tellapart watch`."


def _format_need(line: GroupJudgement, power: str) -> str:
    if line.more is None:
        return f"More than 1,000,000,000 examples are needed to pass with {power} if both are equal."
    if line.enough is not None and line.enough <= line.examples:
        return (
            f"{line.enough:,.0f} of these {line.examples:,} examples pass with {power} if both are equal; the candidate"
            " may be worse."
        )
    return f"{line.enough:,.0f} examples ({line.more:,} more) pass with {power} if both are equal."


def _format_group_needs(judgement: Judgement, power: str) -> str:
    lines = sort_by_verdict(judgement.holding_up)
    texts = [f"{name} needs {_format_needed(line)}" for name, line in lines[:_NAMED_GROUPS]]
    if len(lines) > _NAMED_GROUPS:
        total = "" if judgement.more is None else f" (all groups: {judgement.more:,} more examples)"
        texts.append(f"{len(lines) - _NAMED_GROUPS} other groups need more, too{total}")
    return f"{'; '.join(texts)}. Then each passes with {power} if both are equal in it."


def _format_needed(line: GroupJudgement) -> str:
    if line.more is None:
        return "more than 1,000,000,000 examples"
    if line.enough is not None and line.enough <= line.examples:
        return f"no more examples in theory ({line.enough:,.0f} of {line.examples:,}), but did not pass"
    return f"{line.more:,} more examples ({line.enough:,.0f} in all)"


# --- Checks -------------------------------------------------------------------------------------------


def _failed_checks(judgement: Judgement) -> list[tuple[str, str]]:
    """Return title and text of each check that fails; of groups, in which of them."""
    if not judgement.groups:
        failed = [check for check in judgement.comparison.checks if not check.holds]
        return [(check.title or check.code, f"{check.code}: {check.message}") for check in failed]
    failures: dict[str, list[tuple[str, Check]]] = {}
    for name, line in judgement.groups.items():
        for check in line.comparison.checks:
            if not check.holds:
                failures.setdefault(check.code, []).append((name, check))
    texts = []
    for code, failing in sorted(failures.items()):
        names, check = [name for name, _ in failing], failing[0][1]
        title = check.title or code
        where = f"in {len(names)} of {len(judgement.groups)} groups ({join_names(names, most=_NAMED_GROUPS)})"
        texts.append((title, in_one_line(f"{code}: {title} {where}. {check.remedy}")))
    return texts


# --- Groups -------------------------------------------------------------------------------------------


def sort_by_verdict(lines: Mapping[str, GroupJudgement]) -> list[tuple[str, GroupJudgement]]:
    """Return names and lines, the worst verdict first, in their order within one."""
    return sorted(lines.items(), key=lambda item: _ORDER[item[1].verdict])


def column_scale(groups: Mapping[str, GroupJudgement]) -> Scale:
    """Return how the losses of all groups are written: with one number of decimals."""
    return max((loss_scale(line.comparison) for line in groups.values()), key=lambda scale: scale.decimals)


def format_group_cells(name: str, line: GroupJudgement, scale: Scale) -> tuple[str, ...]:
    """Return the cells of a group, one for each column of `GROUP_HEAD`."""
    comparison = line.comparison
    loss, limits = format_loss(comparison, scale)
    needed = "" if line.enough is None else "> 1,000,000,000" if line.more is None else f"{line.more:,}"
    return (
        in_one_line(name),
        line.verdict,
        f"{line.examples:,}",
        f"{100 * comparison.margin:.6g}",
        loss,
        limits,
        pvalue_text(float(comparison.pvalue), comparison.alpha, column=True),
        pvalue_text(line.adjusted, comparison.alpha, column=True),
        needed,
    )


def build_group_table(groups: Mapping[str, GroupJudgement], most: int) -> TextTable:
    """Return one line per group for the terminal, the worst verdict first; columns without any entry are left out."""
    scale = column_scale(groups)
    lines = [format_group_cells(name, line, scale) for name, line in sort_by_verdict(groups)[:most]]
    level = level_text(next(iter(groups.values())).comparison.interval.alpha)
    head = ["group", "verdict", "examples", "margin\n(pp)", "loss\n(pp)", f"{level} CI", "p", "adj. p\n(worse)", "more"]
    names = short_names([line[0] for line in lines], most=16)
    verdicts = {"not enough evidence": "open"}
    cells = [[names[line[0]], verdicts.get(line[1], line[1]), *line[2:]] for line in lines]
    shown = [index for index in range(len(head)) if any(line[index] for line in cells)]
    return TextTable(
        head=[head[index] for index in shown],
        lines=[[line[index] for index in shown] for line in cells],
        align="".join("ll"[index] if index < 2 else "r" for index in shown),
    )


def _table_of(line: GroupJudgement) -> PairedTable:
    table: PairedTable = line.comparison.evidence  # type: ignore[assignment]  # a gate compares paired tables
    return table
