"""Printed output of stopping rules: verdict on repeated testing, table of rules, meaning of the columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..display import Block, Display, Row, TextTable
from ..evidence import ErrorCount
from ..figures import count_text, join_names
from .designs.paired import PairedOutcomes
from .designs.rates import OneRate
from .estimated_share import Share
from .rate_text import rate_text, share_text, significant_text

if TYPE_CHECKING:
    from ..typing_ import IntArray
    from .stopping import Peeking, Stopping


def display_peeking(peeking: Peeking, *, verbose: bool = False) -> Display:
    """Return the verdict on repeated testing, one line for each rule, and the design."""
    blocks: list[Block] = [_rules_table(peeking)]
    if verbose:
        blocks.append(_detailed_table(peeking))
    blocks.append(Row("design", _describe_design(peeking, verbose=verbose)))
    if any(rule.coverage is not None for rule in peeking):
        blocks.append(Row("coverage", "probability that the intervals of all looks contain the truth"))
    return Display(verdict=_verdict_line(peeking), blocks=tuple(blocks))


def _verdict_line(peeking: Peeking) -> str:
    """Return the type I error rate of the naive rule with repeated looks, or of each rule if there is none."""
    looks, naive = peeking.looks.size, _first_naive(peeking)
    if naive is None:
        rates = [f"{rule.rule} {_rate_of(rule)}" for rule in peeking]
        return f"Type I error rate over {count_text(looks, 'look')}: {join_names(rates)}"
    bounds = f"{count_text(looks, 'look')} at p < {peeking.alpha:g}"
    single = next((rule for rule in peeking if rule.rule == "one look"), None)
    if single is None or looks == 1:
        return f"{bounds} ({naive.rule}): type I error rate {_rate_of(naive)}"
    before, after = float(single.type_i_error.value), float(naive.type_i_error.value)
    verb = "raise" if after > before else "leave"
    change = f"from {_rate_of(single)} to" if after > before else f"at {_rate_of(single)}, not above:"
    return f"{bounds} {verb} the type I error rate {change} {_rate_of(naive)}"


def _first_naive(peeking: Peeking) -> Stopping | None:
    return next((rule for rule in peeking if rule.naive), None)


def _rate_of(rule: Stopping) -> str:
    """Return the type I error rate in percent, with its 95% limits if it was simulated."""
    share = rule.type_i_error
    rate = _percent_text(float(share.value))
    return (
        f"{rate} (95% CI {_percent_text(float(share.low))} to {_percent_text(float(share.high))})"
        if share.trials
        else rate
    )


def _percent_text(rate: float) -> str:
    return rate_text(rate) if rate < 0.01 or rate >= 0.9995 else f"{100 * rate:.1f}%"


def _level_of(rule: Stopping) -> str:
    """Return "liberal" for a rule whose type I error rate is significantly above alpha."""
    ratio = float(rule.type_i_error.low) / rule.alpha
    return "liberal" if ratio > 1.7 else "slightly liberal" if ratio > 1.2 else ""


# --- Tables ---------------------------------------------------------------------------------------


def _rules_table(peeking: Peeking) -> TextTable:
    """Return a line for each rule: type I error rate, power, mean number of examples, and coverage of its intervals."""
    effects = [f"{significant_text(100 * effect)} pp" for effect in peeking.effects.tolist()]
    columns = [("type I\nerror", [_share_cell(rule.type_i_error) for rule in peeking])]
    for index, effect in enumerate(effects):
        columns.append((f"power\nat {effect}", [_share_cell(rule.power[index]) for rule in peeking]))
    if effects:
        index = _informative_effect(peeking)
        head = "mean n\n" if len(effects) == 1 else f"mean n\nat {effects[index]}"
        columns.append((head, [f"{rule.examples[1 + index]:,.0f}" for rule in peeking]))
    if any(rule.coverage is not None for rule in peeking):
        columns.append(("coverage\n", [_lowest_coverage(rule) for rule in peeking]))
    levels = [_level_of(rule) for rule in peeking]
    if any(levels):
        columns.append(("", levels))
    lines = [list(line) for line in zip(peeking.rules, *(cells for _, cells in columns), strict=True)]
    align = "l" + "".join("r" if head else "l" for head, _ in columns)
    return TextTable(head=["stopping rule\n", *(head for head, _ in columns)], lines=lines, align=align)


def _detailed_table(peeking: Peeking) -> TextTable:
    """Return a line for each rule and true difference."""
    lines = []
    for rule in peeking:
        for index, difference in enumerate(peeking.differences.tolist()):
            wrong = rule.wrong[index - 1] if index else None
            coverage = "" if rule.coverage is None else _share_cell(rule.coverage[index])
            lines.append(
                [
                    rule.rule,
                    f"{significant_text(100 * difference)} pp",
                    _share_cell(rule.by_look[index, -1]),
                    _limits_cell(rule.by_look[index, -1]),
                    "" if wrong is None else _share_cell(wrong),
                    f"{rule.examples[index]:,.1f}",
                    coverage,
                ]
            )
    head = ["stopping rule", "difference", "rejects", "95% CI", "wrong\nsign", "mean n", "coverage"]
    used = [column for column in range(len(head)) if any(line[column] for line in lines)]
    return TextTable(
        head=[head[column] for column in used],
        lines=[[line[column] for column in used] for line in lines],
        align="l" + "r" * (len(used) - 1),
    )


def _informative_effect(peeking: Peeking) -> int:
    """Return the index of the difference at which the best valid rule has a power nearest to 80%."""
    valid = [rule for rule in peeking if not _level_of(rule)] or list(peeking)
    best = np.clip(np.max([rule.power.value for rule in valid], axis=0), 1e-15, 1 - 1e-15)
    return int(np.argmin(np.abs(np.log(best / (1 - best)) - np.log(4))))


def _share_cell(share: Share) -> str:
    return _number_cell(float(share.value)) if np.isfinite(share.value) else ""


def _limits_cell(share: Share) -> str:
    return f"{_number_cell(float(share.low))} to {_number_cell(float(share.high))}" if share.trials else ""


def _number_cell(value: float) -> str:
    return f"{value:.4f}" if value == 0 or value >= 1e-4 else f"{value:.1e}"


def _lowest_coverage(rule: Stopping) -> str:
    """Return the coverage of the intervals of all looks, at the difference where it is smallest."""
    if rule.coverage is None or np.isnan(rule.coverage.value).all():
        return ""
    return _share_cell(rule.coverage[int(np.nanargmin(rule.coverage.value))])


# --- The design -----------------------------------------------------------------------------------


def _describe_design(peeking: Peeking, *, verbose: bool) -> str:
    design = peeking.design
    population = design.describe_population() if isinstance(design, PairedOutcomes | OneRate) else design.describe()
    how = "exact"
    if peeking.simulated:
        how = count_text(peeking.simulated, "simulated trial")
        how += "" if verbose else "; -v adds 95% confidence intervals"
    return f"{population}; {_describe_looks(peeking.looks)}; {how}"


def _describe_looks(looks: IntArray) -> str:
    """Return a description of the looks.

    Examples
    --------
    >>> [_describe_looks(np.array(looks)) for looks in ([50, 100, 150, 200], [50, 200], [1])]
    ['looks every 50 examples up to 200', 'looks after 50 and 200 examples', 'one look after 1 example']
    """
    if looks.size == 1:
        return f"one look after {count_text(int(looks[0]), 'example')}"
    steps = np.diff(looks, prepend=0)
    if looks.size > 2 and np.all(steps == steps[0]):
        return f"looks every {count_text(int(steps[0]), 'example')} up to {looks[-1]:,}"
    if looks.size > 4:
        return f"{looks.size} looks, after {looks[0]:,}, {looks[1]:,}, ..., {looks[-1]:,} examples"
    return f"looks after {join_names(f'{size:,}' for size in looks.tolist())} examples"


# --- In sentences ---------------------------------------------------------------------------------


def describe_peeking(peeking: Peeking) -> str:
    """Return a summary in two sentences."""
    return " ".join(_describe_sentences(peeking))


def _describe_sentences(peeking: Peeking) -> Iterator[str]:
    null = "the models are equally good"
    if peeking.design.evidence == (ErrorCount,):
        null = f"the error rate is {rate_text(float(peeking.design.at(0.0).truth('error')))}"
    rates = [
        f"{rule.rule}{' rejects' * (not index)} with probability {_rate_of(rule)}" for index, rule in enumerate(peeking)
    ]
    looks = count_text(peeking.looks.size, "look")
    yield f"If {null}, over {looks} at alpha = {peeking.alpha:g}, {join_names(rates, most=99)}."
    valid = [rule for rule in peeking if not _level_of(rule)]
    if valid and peeking.effects.size:
        index = _informative_effect(peeking)
        difference = f"{significant_text(100 * abs(float(peeking.effects[index])))} pp"
        powers = [
            f"{rule.rule} {share_text(rule.power[index])} (mean {rule.examples[1 + index]:,.0f} examples)"
            for rule in valid
        ]
        yield f"Power at a true difference of {difference}: {join_names(powers, most=99)}."


def explain_peeking(peeking: Peeking) -> list[tuple[str, str]]:
    """Return what each column means, and the figures in sentences."""
    meanings = [
        (
            "type I",
            "How often a rule rejects at any look if the null hypothesis is true. Liberal: the rate, or its lower 95%"
            f" limit if simulated, is above 1.7 alpha; slightly liberal: above 1.2 alpha. Nominal: {peeking.alpha:g}.",
        )
    ]
    if peeking.effects.size:
        meanings += [
            ("power", "How often a rule rejects at any look if the true difference is the one above the column."),
            ("mean n", "The mean number of examples when the rule stops, at the latest at the last look."),
        ]
    if any(rule.coverage is not None for rule in peeking):
        meanings.append(
            (
                "coverage",
                "How often the intervals of all looks contain the true value; of several true differences, the"
                " minimum.",
            )
        )
    meanings.append(
        (
            "rules",
            "A test by its name: rejects at the first look with p < alpha. bonferroni: alpha divided by the number of"
            " looks. obrien-fleming and pocock: group-sequential boundaries that spend alpha (Lan & DeMets 1983)."
            " one look: the test at the last look only. mcnemar-evalue and beta-binomial-cs: valid at any"
            " stopping time.",
        )
    )
    return [*meanings, ("summary", peeking.words)]
