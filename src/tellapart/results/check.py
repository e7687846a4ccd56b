"""The result of the check of an assumption."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..figures import join_names
from ..rendering import html_rows, significant
from ..shaped import Shaped
from ..typing_ import BoolArray, FloatArray, IntArray

_NAMED = 5  # most entries that a failed check names
# A figure, at most two adjectives, and a plural: "{figure} effective discordant pairs"; not "{figure} of the classes".
_COUNTED = re.compile(r"(\{(?:figure|size)\} (?:(?!(?:of|in|between)\b)\w+ ){0,2}?(?!times\b)\w{2,}[^s\W])s\b")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Check(Shaped):
    """Whether an assumption holds, the figure that decides it, and a remedy.

    `requirement` states the assumption and `violation` its failure, both with the figure as {figure} or its absolute
    value as {size}; `so` is the consequence of the violation, and `remedy`, a sentence, helps with these data. The
    assumption holds if the figure reaches the threshold (or exceeds it, if `strict`). If the figure is infinite, `moot`
    says why the question does not arise. If the entries are pairs of models, `pairs` are their names, which are listed
    in the `order` of the models.
    """

    code: str
    requirement: str
    violation: str
    remedy: str
    figure: FloatArray
    threshold: float
    strict: bool = False
    negated: bool = False  # whether the figure is minus a size that must not be too large
    title: str = ""  # the violation in two or three words
    so: str = ""  # the consequence of the violation
    moot: str = ""
    adjusts: bool = False  # whether its figure is a p-value that is adjusted for the number of comparisons
    pairs: tuple[tuple[str, str], ...] = ()
    order: tuple[str, ...] = ()  # the models, the leader first
    _leader = "figure"

    @property
    def holds(self) -> BoolArray:
        """Whether the assumption holds, by entry."""
        return self.figure > self.threshold if self.strict else self.figure >= self.threshold

    @property
    def message(self) -> str:
        """The statement, with the remedy if the check fails; for several entries, those of the worst."""
        return self.statement if np.all(self.holds) else f"{self.statement}. {self.remedy}"

    @property
    def statement(self) -> str:
        """The requirement or the violation with its figure, without the remedy."""
        if self.shape:
            return self._state_several()
        if self.moot and np.isinf(self.figure) and self.holds:
            return self.moot
        return self.state(self.figure_text())

    def state(self, figure: str, where: str = "") -> str:
        """Return the requirement, or the violation and its consequence."""
        sentence = self.requirement if np.all(self.holds) else self.violation
        size = figure.replace(" -", " ").removeprefix("-")  # but not the minus of an exponent
        if size.rpartition(" ")[2] == "1":
            sentence = _COUNTED.sub(r"\1", sentence)
        if " " in size:  # "n e (1 - e) down to 2.92"
            sentence = sentence.replace("= {figure}", "{figure}")
        so = f": {self.so}" if self.so and not np.all(self.holds) else ""
        return f"{sentence.format(figure=figure, size=size)}{where}{so}"

    def _state_several(self) -> str:
        """Return the statement for several entries: the worst figure, and the entries that fail."""
        holds, figures = np.ravel(self.holds), np.ravel(self.figure)
        if not holds.size:
            return f"nothing to check: {self.code}"
        failed = np.flatnonzero(~holds)
        shown = failed if failed.size else np.arange(holds.size)
        lowest = np.nan_to_num(figures[shown], nan=-np.inf)
        worst = replace(self, figure=figures[shown[np.argmin(lowest)]], pairs=())
        if not failed.size:
            return worst.statement
        several = lowest.min() < lowest.max()
        known = several and np.isfinite(worst.figure)
        bound = "" if not known else "up to " if self.negated else "down to "
        return worst.state(f"{bound}{worst.figure_text()}", f" {self._name_failing_entries(failed)}")

    def _name_failing_entries(self, failed: IntArray) -> str:
        """Return the names of the failed entries: all, the pairs of some models, or some entries and their number."""
        count, noun = self.holds.size, "pairs" if len(self.pairs) == self.holds.size else "comparisons"
        if noun == "comparisons":
            return f"in {failed.size:,} of {count:,} {noun}" if failed.size < count else f"in all {count:,} {noun}"
        order = {name: position for position, name in enumerate(self.order)}
        pairs = [sorted(self.pairs[index], key=lambda name: order.get(name, 0)) for index in failed]
        models = sorted(dict.fromkeys(name for pair in pairs for name in pair), key=lambda name: order.get(name, 0))
        if len(pairs) == 1:
            return f"for {join_names(pairs[0])}"
        if len(pairs) == count:
            return f"in all {count} pairs"
        if len(pairs) == len(models) * (len(models) - 1) // 2 and len(models) <= _NAMED:
            return f"in the {len(pairs)} pairs of {join_names(models)}"
        named = [join_names(pair) for pair in pairs[: _NAMED - 2]]
        more = f" and {len(pairs) - len(named)} more" if len(pairs) > len(named) else ""
        return f"in {len(pairs)} of {count} pairs ({', '.join(named)}{more})"

    def figure_text(self) -> str:
        """Return the figure, with enough digits that rounding does not move it to the other side of the threshold."""
        if np.isinf(self.figure):
            return "∞" if self.figure > 0 else "-∞"
        if np.isnan(self.figure):
            return "undefined"
        for digits in range(3, 18):
            text = significant(float(self.figure), digits)
            shown = float(text) > self.threshold if self.strict else float(text) >= self.threshold
            if shown == self.holds:
                break
        return text

    def _repr_html_(self) -> str:
        return html_rows("Check", [(self.code, self.message), ("holds", "yes" if np.all(self.holds) else "no")])

    def as_dict(self) -> dict[str, Any]:
        """Return code, verdict and message, for JSON."""
        return {"code": self.code, "title": self.title, "holds": self.holds, "message": self.message}
