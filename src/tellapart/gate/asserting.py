"""The gate as one line of a test suite: say nothing where a candidate passes, and why where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from unittest import SkipTest

import numpy as np

from ..errors import InvalidEvidence, InvalidInput, InvalidOption
from ..evidence import PairedTable
from ..evidence.validation import as_labels, as_outcomes, matching_labels
from ..rendering import folded
from ..results.comparison_clauses import limits_of
from ..typing_ import one_of
from .judging import Judgement, judge
from .wording import headline

if TYPE_CHECKING:
    from ..predictions import Predictions

OnLittle = Literal["fail", "skip", "pass"]
_NAMES = ("baseline", "candidate")
_FOR_PREDICTIONS = "If these are predictions, give the true labels, too: labels=…"


def assert_not_worse(
    baseline: Any,
    candidate: Any,
    margin: float = 0.01,
    *,
    alpha: float = 0.05,
    labels: Any = None,
    groups: Any = None,
    margins: Mapping[str, float] | None = None,
    method: str | None = None,
    power: float = 0.8,
    names: tuple[str, str] | None = None,
    on_little: OnLittle = "fail",
    **reading: Any,
) -> Judgement:
    """Assert that a candidate is at most a margin worse than a baseline; the error says why, in words.

    Three things can be found: it passes, it is worse, or there is not enough evidence. Only the first is silent.

    Parameters
    ----------
    baseline, candidate
        Of the same examples in the same order: whether each was right (booleans, or 1 and 0), or, with `labels`, what
        was predicted. Or files of predictions, or `Predictions`, which are joined by id.
    margin
        By how much more often the candidate may err, such as 0.01 for one point.
    alpha
        How often, about, one that is worse by the margin passes (and less often, if it is worse by more); below 0.5.
    labels
        The true labels, where predictions are given; of files, the labels there are.
    groups
        The group of each example: every group must pass. Files have a column: `group="language"`.
    margins, method, power
        As `judge` takes them: margins by group, the test, and how probable a pass is to be for the number of examples
        that are lacking.
    names
        What the two are called: "baseline" and "candidate" if left out; files by their own names.
    on_little
        What to do where there is not enough evidence: "fail", or "skip" the test (as `unittest` and pytest know it), or
        "pass" in silence, which five examples would do.
    reading
        For files: how `read_predictions` is to read both, such as `label="species"`; they are joined by the column
        "id", or `id="row"`, and the column of predictions is "prediction", or the one that is left, or `models="svm"`.

    Returns
    -------
    Judgement
        What was found.

    Raises
    ------
    AssertionError
        Where the candidate is worse, or there is not enough evidence.

    Examples
    --------
    >>> old = [True] * 985 + [False] * 15
    >>> new = [True] * 990 + [False] * 10
    >>> assert_not_worse(old, new).verdict
    'pass'
    >>> assert_not_worse(old[:20], new[:20], on_little="pass").verdict
    'not enough evidence'
    """
    __tracebackhide__ = True  # a test's reader has no use for these lines
    bar = {"margin": margin, "alpha": alpha, "margins": margins, "method": method, "power": power}
    found = weigh(baseline, candidate, labels=labels, groups=groups, names=names, bar=bar, **reading)
    settle(found, on_little)
    return found


def settle(found: Judgement, on_little: OnLittle = "fail") -> None:
    """Raise what a judgement asks for: nothing, where it passes."""
    __tracebackhide__ = True
    one_of("on_little", on_little, OnLittle)
    if found.verdict == "worse" or (found.verdict == "not enough evidence" and on_little == "fail"):
        raise AssertionError(message_of(found))
    if found.verdict == "not enough evidence" and on_little == "skip":
        raise SkipTest(found.words)


def message_of(found: Judgement) -> str:
    r"""Return the verdict, and below it the interval, the table and a line for each group.

    Examples
    --------
    >>> print(message_of(judge(PairedTable(20, 12, 60, 2908, models=("old", "new")))).partition("\n")[0])
    WORSE: new is worse than old by more than 1 point (alpha = 0.05).
    """
    (_, verdict), *rows = found.rows()
    indent = max(len(label) for label, _ in rows) + 2
    return "\n".join([verdict, *(folded(f"{label:<{indent}}", value) for label, value in rows)])


def headline_of(found: Judgement) -> str:
    """Return the verdict in one line, with the interval that decides where it is one.

    Examples
    --------
    >>> headline_of(judge(PairedTable(20, 12, 9, 2959)))
    'PASS: candidate is at most 1 point worse than baseline (alpha = 0.05); -0.16 to 0.37 points'
    """
    return headline(found) if found.groups else f"{headline(found)}; {limits_of(found.comparison)}"


# --- What is held -----------------------------------------------------------------------------------


def weigh(
    baseline: Any,
    candidate: Any,
    *,
    bar: Mapping[str, Any],
    labels: Any = None,
    groups: Any = None,
    names: tuple[str, str] | None = None,
    **reading: Any,
) -> Judgement:
    """Judge what `assert_not_worse` takes, and raise nothing; `bar` is what `judge` takes besides evidence and groups.

    Examples
    --------
    >>> found = weigh([1, 0, 0], [1, 1, 0], groups=["en", "en", "de"], bar={"margin": 0.02})
    >>> sorted(found.groups), found.verdict
    (['de', 'en'], 'not enough evidence')
    """
    if are_files(baseline) != are_files(candidate) or _are_read(baseline) != _are_read(candidate):
        raise InvalidInput("baseline and candidate must both be arrays, or files, or predictions. Read both alike.")
    if not are_files(baseline) and not _are_read(baseline):
        _refuse(reading, "arrays")
        table, held = _counted(baseline, candidate, labels, groups, names or _NAMES)
        return judge(table, groups=held, **bar)
    if groups is not None:
        raise InvalidOption("groups is for arrays. Say which column of the files it is: group='…'.")
    if are_files(baseline):
        called = names or _stems(baseline, candidate)
        return judge(_joined(baseline, candidate, called, {**reading, "labels": labels}), **bar)
    _refuse(reading if labels is None else {"labels": labels}, "predictions that were read already")
    return judge(_together(baseline, candidate, names or _NAMES), **bar)


def are_files(given: Any) -> bool:
    """Whether this is the path of a file.

    Examples
    --------
    >>> are_files("old.csv"), are_files([True, False])
    (True, False)
    """
    return isinstance(given, str | PathLike)


def _are_read(given: Any) -> bool:
    return hasattr(given, "tally")


def _refuse(reading: dict[str, Any], these: str) -> None:
    if reading:
        name = next(iter(reading))
        raise InvalidOption(f"{name} is for files, but these are {these}. Leave it out, or correct its name.")


def _stems(baseline: Any, candidate: Any) -> tuple[str, str]:
    """Return a short name for each file: its own without the ending, or all of it where these are alike."""
    old, new = Path(baseline), Path(candidate)
    return (old.stem, new.stem) if old.stem != new.stem else (str(old), str(new))


def _joined(baseline: Any, candidate: Any, names: tuple[str, str], reading: dict[str, Any]) -> Predictions:
    """Read two files and join them by id; `models` names the column of predictions, in both or in each."""
    models = reading.pop("models", None)
    columns = [models] if models is None or isinstance(models, str) else list(models)
    if len(columns) not in {1, 2}:
        raise InvalidOption(f"models must name the column of predictions in each file, but is {models!r}.")
    from ..readers import read_predictions

    own = {"id": "id", **reading}
    old, new = (
        read_predictions(file, models=usual_column(file, own) if column is None else column, **own)
        for file, column in zip((baseline, candidate), columns if len(columns) == 2 else columns * 2, strict=True)
    )
    return _together(old, new, names)


def usual_column(file: str | PathLike[str], reading: Mapping[str, Any]) -> str | None:
    r"""Return "prediction" where a file has a column so called; None stands for the one that has no other part.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "old.csv").write_text("id,label,prediction,site\n1,cat,dog,north\n")
    ...     usual_column(f"{folder}/old.csv", {"id": "id"})
    'prediction'
    """
    from ..readers import read_predictions

    if reading.get("model") is not None or reading.get("prediction") is not None:  # a row for each model
        return None
    try:
        read_predictions(file, models="prediction", **reading)
    except InvalidInput:  # no such column, or something worse, which is told when the file is read for good
        return None
    return "prediction"


def _together(baseline: Predictions, candidate: Predictions, names: tuple[str, str]) -> Predictions:
    from ..predictions import Predictions

    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise InvalidOption(f"names must be two different ones, such as ('old', 'new'), but is {names!r}.")
    return Predictions.joined(dict(zip(names, (baseline, candidate), strict=True)))


def _counted(
    baseline: Any, candidate: Any, labels: Any, groups: Any, names: tuple[str, str]
) -> tuple[PairedTable, list[str] | None]:
    """Count who was wrong where, group by group if there are any."""
    if labels is not None:
        true, a, b = matching_labels({"labels": labels, "baseline": baseline, "candidate": candidate})
        right_a, right_b = a == true, b == true
    else:
        right_a, right_b = (
            as_outcomes(name, value, remedy=_FOR_PREDICTIONS)
            for name, value in (("baseline", baseline), ("candidate", candidate))
        )
    _same_examples("baseline", right_a, "candidate", right_b)
    if groups is None:
        return PairedTable.from_correct(right_a, right_b, models=names), None
    each = as_labels("groups", groups)
    _same_examples("baseline", right_a, "groups", each)
    found, which = np.unique(np.array([str(name) for name in each]), return_inverse=True)
    cells = np.bincount(4 * which + 2 * right_a + right_b, minlength=4 * found.size).reshape(-1, 4)
    both_wrong, only_a_wrong, only_b_wrong, both_right = cells.T
    return PairedTable(both_wrong, only_a_wrong, only_b_wrong, both_right, models=names), found.tolist()


def _same_examples(name: str, one: np.ndarray, other_name: str, other: np.ndarray) -> None:
    if one.shape != other.shape:
        raise InvalidEvidence(
            f"{name} has {one.size} examples and {other_name} {other.size}. They must speak of the same examples, in"
            " the same order."
        )
