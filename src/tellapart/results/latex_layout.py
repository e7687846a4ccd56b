"""The LaTeX of a table in a paper: a float with a caption and the rules of booktabs; and of the numbers in it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from ..evidence import Evidence
from ..figures import Scale
from ..markup import in_latex, with_minus
from ..metrics import METRICS, Metric

_PVALUE = re.compile(r"\bp (?:\$([<>])\$|(=)) ([\d.]+)")  # in LaTeX
Cells = Sequence[str]  # of one line
MISSING = "--"


def write_table(caption: Sequence[str], head: Cells, *bodies: Sequence[Cells], align: str = "") -> str:
    r"""Return a table; the caption and all cells are LaTeX, and bodies have a rule between them.

    Each text of the caption has its own line of the source. Without `align` the first column is left-aligned and the
    others are centred.

    Examples
    --------
    >>> print(write_table(["Errors."], ["", "new"], [["digits", r"2\%"]]))
    \begin{table}
    \caption{Errors.}
    \begin{tabular}{lc}
    \toprule
     & new \\
    \midrule
    digits & 2\% \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    lines = [rf"\begin{{tabular}}{{{align or 'l' + 'c' * (len(head) - 1)}}}", r"\toprule", _write_line(head)]
    for body in bodies:
        lines += [r"\midrule", *map(_write_line, body)]
    text = "\n".join(filter(None, caption))
    above = [r"\begin{table}", rf"\caption{{{text}}}"]
    return "\n".join([*above, *lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def _write_line(cells: Cells) -> str:
    start = "{}" if cells[0].startswith(("[", "*")) else ""  # which the line break above would take as its option
    return rf"{start}{' & '.join(cells)} \\"


def bold(text: str) -> str:
    r"""Return a text in bold: `\textbf{83.1}`."""
    return rf"\textbf{{{text}}}"


def prose(text: str) -> str:
    r"""Return a text escaped, with minus signs and p-values as mathematics.

    Examples
    --------
    >>> print(prose("2.0 pp (95% CI -0.5 to 4.5), p = 0.12 by mcnemar-mid-p"))
    2.0 pp (95\% CI $-$0.5 to 4.5), $p = 0.12$ by mcnemar-mid-p
    """
    return _PVALUE.sub(r"$p \1\2 \3$", in_latex(with_minus(text)))


def number(text: str) -> str:
    r"""Return a number (with its limits) for a cell.

    Examples
    --------
    >>> print(number("< 0.001"), number("-0.7 (-1.2 to -0.2)"), number("undefined"))
    $<$0.001 $-$0.7 ($-$1.2 to $-$0.2) --
    """
    return MISSING if text in {"undefined", "none"} else prose(text).replace("$<$ ", "$<$").replace("$>$ ", "$>$")


def value_cell(scale: Scale, value: float) -> str:
    """Return a value without its unit, which the head has."""
    return MISSING if math.isnan(value) else number(scale.number(value))


def capitalized(text: str) -> str:
    """Return a text that begins with a capital, as heads and captions do."""
    return text[:1].upper() + text[1:]


def metric_head(evidence: Evidence, unit: str | None = None) -> str:
    r"""Return the metric with its unit: "Accuracy (\%)", "F1"."""
    known = {"percent": "%", "points": "pp", "plain": ""}[evidence.value_kind] if unit is None else unit
    return prose(f"{metric_title(evidence.metric)}{f' ({known})' if known else ''}")


def metric_title(metric: Metric) -> str:
    """Return the title of a metric at the beginning of a text; the user's own names keep their spelling.

    Examples
    --------
    >>> metric_title(METRICS["error"]), metric_title(Metric(name="rmse"))
    ('Error rate', 'rmse')
    """
    return capitalized(metric.report_title) if metric.name in METRICS or metric.name == "score" else metric.report_title


def alpha_text(alpha: float) -> str:
    r"""Return alpha as an equation: "$\alpha = 0.05$"."""
    return rf"$\alpha = {alpha:.6g}$"
