"""Printed output of calibrations: verdict on the first method, tables of all methods, meaning of the columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..display import WIDTH, Block, Display, Row, TextTable
from ..figures import count_text, join_names, level_text
from ..methods import look_up
from .calibration_text import bias_texts, null_text, worst_of
from .estimated_share import Share
from .rate_text import difference_text, rate_text

if TYPE_CHECKING:
    from ..typing_ import FloatArray
    from .calibration import Calibration

_VERDICTS = {
    "valid": "holds its level here",
    "likely valid": "appears to hold its level here",
    "conservative": "is conservative here",
    "slightly liberal": "is slightly liberal here",
    "liberal": "is liberal here",
    "valid on average": "is valid on average over error rates, but not at this one",
    "too few trials": "cannot be judged from so few trials",
}
_SHORT_LEVELS = {
    "conservative": "conserv.",
    "slightly liberal": "sl. liberal",
    "likely valid": "likely",
    "valid on average": "on average",
    "too few trials": "unclear",
}
_HYPOTHESES = {"non-inferior": "non-inferiority", "superior": "superiority", "equivalent": "equivalence"}

Column = tuple[str, list[str]]  # its head, and a cell for each line


def display_calibrations(calibrations: Sequence[Calibration], *, verbose: bool = False) -> Display:
    """Return the verdict on the first test (or method), the tables of all methods, and the design."""
    tables = [*_main_tables(calibrations)]
    if verbose:
        tables += _detailed_tables(calibrations)
    rows = [Row(*row) for row in _support_rows(calibrations, verbose=verbose)]
    blocks: tuple[Block, ...] = (*tables, *rows)
    return Display(verdict=_verdict_line(calibrations), blocks=blocks)


def describe_trials(calibrations: Sequence[Calibration]) -> str:
    """Return whether the figures are exact, or the number of trials, with exceptions by name."""
    methods: dict[str, list[str]] = {}
    for calibration in calibrations:
        trials = calibration.simulated
        how = f"{count_text(trials, 'simulated trial')}" if trials else "exact: all outcomes enumerated"
        methods.setdefault(how, []).append(calibration.method)
    usual = max(methods, key=lambda how: len(methods[how]))
    exceptions = [f"{join_names(names)}: {how}" for how, names in methods.items() if how != usual]
    return "; ".join([usual, *exceptions])


def condition_rows(calibration: Calibration) -> list[tuple[str, str]]:
    """Return the margin or the one-sided alternative, if the tests have one."""
    if calibration.margin is not None:
        size = difference_text(calibration.design, calibration.margin.size)
        return [("margin", f"{size}, {_HYPOTHESES[calibration.margin.hypothesis]}")]
    return [] if calibration.alternative == "two-sided" else [("test", f"one-sided, {calibration.alternative}")]


def _support_rows(calibrations: Sequence[Calibration], *, verbose: bool) -> Iterator[tuple[str, str]]:
    first = calibrations[0]
    yield from condition_rows(first)
    how = describe_trials(calibrations)
    if not verbose and any(calibration.simulated for calibration in calibrations):
        how += "; -v adds 95% confidence intervals"
    if first.differences.size > 1 and any(calibration.coverage is not None for calibration in calibrations):
        how += "; coverage is the minimum"
    yield "design", f"{first.design.describe()}\n{how}"


# --- The verdict ----------------------------------------------------------------------------------


def _verdict_line(calibrations: Sequence[Calibration]) -> str:
    """Return the verdict on the first test; without a test, on the first method."""
    tests = [each for each in calibrations if each.size is not None and not each.chooses]
    calibration = tests[0] if tests else calibrations[0]
    title = _title_of(calibration).removesuffix(" interval")
    if calibration.chooses and calibration.chosen is not None:
        first = {model: Share(share.value[..., 0], share.trials) for model, share in calibration.chosen.items()}
        choices = [f"{model} with probability {_rate_range(share)}" for model, share in first.items()]
        return (
            f"{title} chooses {join_names(choices)} if {null_text(calibration) if not calibration.shape else 'equal'}"
        )
    if calibration.size is not None:
        return _size_verdict(calibration, title)
    if calibration.coverage is not None:
        return _coverage_verdict(calibration, title)
    if calibration.power is not None and calibration.effects.size:
        difference = difference_text(calibration.design, float(calibration.effects[0]))
        return (
            f"{title} rejects with probability {_rate_range(calibration.power[..., 0])} at a difference of {difference}"
        )
    if calibration.bias is not None and not calibration.shape:
        bias, error = bias_texts(calibration)
        return f"{title} has a bias of {bias} and a root mean squared error of {error}"
    return title


def _size_verdict(calibration: Calibration, title: str) -> str:
    size = calibration.size
    assert size is not None  # noqa: S101  # the caller has checked
    if calibration.shape:
        rate = f"type I error rate {_number_range(size.value)} at alpha = {calibration.alpha:g}"
        return f"{title}: {rate} over {int(np.prod(calibration.shape))} designs"
    rate = f"{_short_number(float(size.value))}{_interval_text(size)}"
    if calibration.rule:
        return f"{title} rejects a true null hypothesis with probability {rate}: a rule without a nominal level"
    verdict = _VERDICTS[calibration.verdict or "valid"]
    return f"{title} {verdict}: type I error rate {rate} at alpha = {calibration.alpha:g}"


def _coverage_verdict(calibration: Calibration, title: str) -> str:
    coverage = calibration.coverage
    assert coverage is not None  # noqa: S101  # the caller has checked
    name, nominal = title, level_text(calibration.alpha)
    if np.isnan(coverage.value).all():
        return f"The coverage of {name} is undefined here: so is the true value"
    least = "at least " if calibration.differences.size > 1 else ""
    if calibration.shape:
        designs = int(np.prod(calibration.shape))
        return f"{name} covers {_rate_range(_lowest_coverage(calibration))} at nominal {nominal} over {designs} designs"
    share = coverage[worst_of(coverage)]
    rate = rate_text(float(share.value))
    if share.trials:
        rate += f" (95% CI {rate_text(float(share.low))} to {rate_text(float(share.high))})"
    return f"{name} covers {least if rate[0] != '>' else ''}{rate} here at nominal {nominal}"


def _title_of(calibration: Calibration) -> str:
    """Return the display title of a method, of the test if its type I error rate was measured."""
    first = "test" if calibration.size is not None else "interval"
    for gives in sorted(calibration.gives, key=lambda gives: gives != first):
        for evidence in calibration.design.evidence:
            method = look_up(calibration.method, gives, evidence)  # type: ignore[arg-type]
            if method is not None and method.title:
                return method.title
    return calibration.method


def _short_number(value: float) -> str:
    return f"{value:#.2g}" if 1e-4 <= value < 0.9995 else f"{value:.4g}"


def _interval_text(share: Share) -> str:
    if not share.trials:
        return ""
    return f" (95% CI {_short_number(float(share.low))} to {_short_number(float(share.high))})"


def _rate_range(share: Share) -> str:
    values = np.atleast_1d(share.value)
    least, most = rate_text(float(np.nanmin(values))), rate_text(float(np.nanmax(values)))
    return least if least == most else f"{least} to {most}"


# --- Tables ---------------------------------------------------------------------------------------


def _main_tables(calibrations: Sequence[Calibration]) -> Iterator[TextTable]:
    """Yield tables of tests, of intervals and estimates, and of selection rules."""
    tests = [each for each in calibrations if not each.chooses and each.power is not None]
    if tests:
        names, columns = [each.method for each in tests], [*_test_columns(tests)]
        table = _table_of("test", names, columns)
        if _table_width(table) > WIDTH:
            columns = [(head, [_SHORT_LEVELS.get(cell, cell) for cell in cells]) for head, cells in columns]
            table = _table_of("test", names, columns)
        yield table
    intervals = [each for each in calibrations if each.coverage is not None or each.bias is not None]
    if intervals:
        kind = "interval" if any(each.coverage is not None for each in intervals) else "estimate"
        yield _table_of(kind, [each.method for each in intervals], [*_interval_columns(intervals)])
    rules = [each for each in calibrations if each.chooses and each.chosen is not None]
    if rules:
        yield _choice_table(rules)


def _test_columns(tests: Sequence[Calibration]) -> Iterator[Column]:
    design, effects = tests[0].design, tests[0].effects
    if any(each.size is not None for each in tests):
        yield "type I\nerror", [_share_cell(each.size) for each in tests]
    for index, effect in enumerate(effects.tolist()):
        powers = [None if each.power is None else each.power[..., index] for each in tests]
        yield f"{difference_text(design, effect)}\npower", [_share_cell(power) for power in powers]
    if effects.size and any(each.sign_errors is not None for each in tests):
        nearest = int(np.abs(effects).argmin())
        wrong = [None if each.sign_errors is None else each.sign_errors[..., nearest] for each in tests]
        yield "wrong\nsign", [_share_cell(share) for share in wrong]
    if any(each.verdict for each in tests):
        yield "level", [each.verdict or "" for each in tests]


def _interval_columns(intervals: Sequence[Calibration]) -> Iterator[Column]:
    if any(each.coverage is not None for each in intervals):
        lowest = [None if each.coverage is None else _lowest_coverage(each) for each in intervals]
        yield "coverage", [_share_cell(share) for share in lowest]
        yield "width", ["" if each.width is None else _width_cell(each.width[..., 0]) for each in intervals]
        finite = [None if each.bounded is None else each.bounded[..., 0] for each in intervals]
        if any(share is not None and np.min(share.value) < 1 - 1e-9 for share in finite):
            yield "finite", [_share_cell(share) for share in finite]
    if any(each.bias is not None for each in intervals):
        yield "bias", ["" if each.bias is None else _number_range(each.bias[..., 0], "+") for each in intervals]
        yield "RMSE", ["" if each.rmse is None else _number_range(each.rmse[..., 0]) for each in intervals]


def _choice_table(rules: Sequence[Calibration]) -> TextTable:
    """Return the probabilities of selecting A, B and neither, one line for each true difference."""
    lines = []
    for rule in rules:
        for index, step in enumerate(rule.differences.tolist()):
            shares = [] if rule.chosen is None else [_share_cell(share[..., index]) for share in rule.chosen.values()]
            lines.append([rule.method, difference_text(rule.design, step), *shares])
    return TextTable(head=["rule\n", "true\ndifference", "A", "B", "neither"], lines=lines, align="lrrrr")


def _detailed_tables(calibrations: Sequence[Calibration]) -> Iterator[TextTable]:
    """Yield the figures of each method at each true difference, with 95% limits if trials were simulated."""
    tests = [each for each in calibrations if not each.chooses and each.power is not None]
    heads = ["test", "difference", "rejects", "95% CI", "wrong sign", "no p-value"]
    yield from _nonempty_table(heads, [line for test in tests for line in _test_lines(test)])
    intervals = [each for each in calibrations if each.coverage is not None]
    heads = ["interval", "difference", "coverage", "95% CI", "too high", "too low", "width"]
    yield from _nonempty_table(heads, [line for interval in intervals for line in _interval_lines(interval)])


def _test_lines(test: Calibration) -> Iterator[list[str]]:
    size, power, wrong, undefined = test.size, test.power, test.sign_errors, test.undefined
    nulls = int(size is not None)
    for index, step in enumerate(test.differences.tolist()):
        share = size if index < nulls else None if power is None else power[..., index - nulls]
        sign = None if index < nulls or wrong is None else wrong[..., index - nulls]
        missing = None if undefined is None else undefined[..., index]
        cells = (_share_cell(share), _limits_cell(share), _share_cell(sign), _positive_cell(missing))
        yield [test.method, difference_text(test.design, step), *cells]


def _interval_lines(interval: Calibration) -> Iterator[list[str]]:
    for index, step in enumerate(interval.differences.tolist()):
        share = None if interval.coverage is None else interval.coverage[..., index]
        misses = [
            _share_cell(None if side is None else side[..., index]) for side in (interval.too_high, interval.too_low)
        ]
        width = "" if interval.width is None else _width_cell(interval.width[..., index])
        cells = (_share_cell(share), _limits_cell(share), *misses, width)
        yield [interval.method, difference_text(interval.design, step), *cells]


def _nonempty_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[TextTable]:
    """Yield a table without the columns that have no cells, if there is any line."""
    used = [index for index in range(len(head)) if any(line[index] for line in lines)]
    if lines:
        yield TextTable(
            head=[head[index] for index in used],
            lines=[[line[index] for index in used] for line in lines],
            align="l" + "r" * (len(used) - 1),
        )


def _table_of(kind: str, names: Sequence[str], columns: Sequence[Column]) -> TextTable:
    lines = [list(line) for line in zip(names, *(cells for _, cells in columns), strict=True)]
    heads = [head for head, _ in columns]
    return TextTable(
        head=[f"{kind}\n" if any("\n" in head for head in heads) else kind, *heads],
        lines=lines,
        align="l" + "".join("l" if head == "level" else "r" for head in heads),
    )


def _table_width(table: TextTable) -> int:
    """Return the width of the table in characters."""
    heads = [max(map(len, head.split("\n"))) for head in table.head]
    widths = [max(head, *map(len, cells)) for head, *cells in zip(heads, *table.lines, strict=True)]
    return int(2 * len(widths) + sum(widths))


def _lowest_coverage(calibration: Calibration) -> Share:
    """Return the smallest coverage over the differences, of each design."""
    assert calibration.coverage is not None  # noqa: S101  # callers have checked
    values = calibration.coverage.value
    lowest = np.where(np.isnan(values), np.inf, values).min(axis=-1)
    return Share(np.where(np.isinf(lowest), np.nan, lowest)[()], calibration.coverage.trials)


def _share_cell(share: Share | None) -> str:
    return "" if share is None else _number_range(share.value)


def _positive_cell(share: Share | None) -> str:
    return "" if share is None or not np.any(share.value > 1e-9) else _share_cell(share)


def _limits_cell(share: Share | None) -> str:
    if share is None or not share.trials or share.shape or np.isnan(share.value):
        return ""
    return f"{_number_range(share.low)} to {_number_range(share.high)}"


def _width_cell(width: FloatArray) -> str:
    return "unbounded" if np.isnan(width).all() else _number_range(width)


def _number_range(values: FloatArray, sign: str = "") -> str:
    """Return a number with four decimals, or the range of several designs."""
    finite = np.atleast_1d(values)[np.isfinite(np.atleast_1d(values))]
    if not finite.size:
        return "undefined"
    least, most = (
        f"{limit:{sign}.4f}" if limit == 0 or abs(limit) >= 1e-4 else f"{limit:{sign}.1e}"
        for limit in (finite.min(), finite.max())
    )
    return least if least == most else f"{least} to {most}"


# --- What the columns mean ------------------------------------------------------------------------


def explain_calibrations(calibrations: Sequence[Calibration]) -> list[tuple[str, str]]:
    """Return what each column means, and the figures of the first method in sentences."""
    first = calibrations[0]
    level = level_text(first.alpha)
    columns: list[tuple[str, Callable[[Calibration], object], str]] = [
        (
            "type I",
            lambda each: each.size,
            f"The type I error rate: how often a test rejects a true null hypothesis. Nominal: {first.alpha:g}.",
        ),
        (
            "power",
            lambda each: each.effects.size and each.power,
            "How often a test rejects if the true difference is the one above the column.",
        ),
        (
            "wrong sign",
            lambda each: each.effects.size and each.sign_errors,
            "How often a test rejects in favour of the worse model (type S error), at the smallest difference shown.",
        ),
        (
            "level",
            lambda each: each.verdict,
            "Valid: type I error rate up to 1.2 alpha. Slightly liberal: up to 1.7 alpha. Liberal: above. Conservative:"
            " below 0.5 alpha, so with less power than alpha allows. On average: the coverage of the interval is"
            " nominal on average over error rates, but not at this one. Simulated rates are judged by their 95%"
            " limits.",
        ),
        (
            "coverage",
            lambda each: each.coverage,
            "How often an interval contains the true value; of several true differences, the minimum. Nominal:"
            f" {level}.",
        ),
        ("width", lambda each: each.width is not None, "The mean width of the intervals with two finite ends."),
        ("bias", lambda each: each.bias is not None, "The mean error of the estimate; RMSE, its root mean square."),
        ("rule", lambda each: each.chooses, "How often a rule that tests nothing chooses A, B or neither."),
    ]
    meanings = [(label, text) for label, has, text in columns if any(_is_present(has(each)) for each in calibrations)]
    return [*meanings, ("summary", first.words)]


def _is_present(value: object) -> bool:
    return value is not None and (not isinstance(value, int | str) or bool(value))
