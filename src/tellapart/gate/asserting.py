"""The gate as an assertion for test suites: silent if the candidate passes, an AssertionError with reasons if not."""

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
from ..typing_ import one_of
from .judging import Judgement, judge
from .wording import format_figures, state_verdict

if TYPE_CHECKING:
    from ..predictions import Predictions

OnLittle = Literal["fail", "skip", "pass"]
_NAMES = ("baseline", "candidate")
_FOR_PREDICTIONS = "For predictions add labels=[...]"


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
    """Raise AssertionError unless a candidate is at most a margin worse than a baseline.

    There are three verdicts: pass, worse, and not enough evidence. Only a pass is silent.

    Parameters
    ----------
    baseline, candidate
        For the same examples in the same order: whether each was right (booleans, or 1 and 0) or, with `labels`, the
        predictions. Or files of predictions, or `Predictions`, which are joined by id.
    margin
        Non-inferiority margin: the largest acceptable loss; 0.01 is 1 percentage point.
    alpha
        Significance level, below 0.5: about the probability that a candidate worse by the margin passes.
    labels
        True labels, for predictions; for files, the set of labels.
    groups
        Group of each example: every group must pass. For files name a column: `group="language"`.
    margins, method, power
        As for `judge`: margins by group, the test, and the power that the sample size still needed is for.
    names
        Names of the two models. Default: "baseline" and "candidate", or the names of the files.
    on_little
        What to do if there is not enough evidence: "fail", "skip" the test, or "pass" silently.
    reading
        For files: options of `read_predictions`, such as `label="species"`. The files are joined by the column "id"
        (or `id="row"`); the predictions are in the column "prediction", in the only column left, or in `models="svm"`.

    Returns
    -------
    Judgement
        The verdict and its figures.

    Raises
    ------
    AssertionError
        If the candidate is worse, or there is not enough evidence.

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
    options = {"margin": margin, "alpha": alpha, "margins": margins, "method": method, "power": power}
    judgement = judge_inputs(baseline, candidate, labels=labels, groups=groups, names=names, options=options, **reading)
    raise_unless_passed(judgement, on_little)
    return judgement


def raise_unless_passed(judgement: Judgement, on_little: OnLittle = "fail") -> None:
    """Raise AssertionError, or SkipTest, for a judgement that does not pass."""
    __tracebackhide__ = True
    one_of("on_little", on_little, OnLittle)
    if judgement.verdict == "worse" or (judgement.verdict == "not enough evidence" and on_little == "fail"):
        raise AssertionError(str(judgement))
    if judgement.verdict == "not enough evidence" and on_little == "skip":
        raise SkipTest(judgement.words)


def summarize_in_one_line(judgement: Judgement) -> str:
    """Return the verdict, and the figures if there are no groups.

    Examples
    --------
    >>> summarize_in_one_line(judge(PairedTable(20, 12, 9, 2959))).partition(": 0.10")[0]
    'PASS: candidate is at most 1 pp worse than baseline; error rate 0.97% vs 1.07%'
    """
    verdict = state_verdict(judgement)
    return verdict if judgement.groups else f"{verdict}; {format_figures(judgement)}"


# --- Inputs -----------------------------------------------------------------------------------------


def judge_inputs(
    baseline: Any,
    candidate: Any,
    *,
    options: Mapping[str, Any],
    labels: Any = None,
    groups: Any = None,
    names: tuple[str, str] | None = None,
    **reading: Any,
) -> Judgement:
    """Return the judgement of the inputs of `assert_not_worse`; `options` are those of `judge`.

    Examples
    --------
    >>> judgement = judge_inputs([1, 0, 0], [1, 1, 0], groups=["en", "en", "de"], options={"margin": 0.02})
    >>> sorted(judgement.groups), judgement.verdict
    (['de', 'en'], 'not enough evidence')
    """
    if are_files(baseline) != are_files(candidate) or _are_predictions(baseline) != _are_predictions(candidate):
        raise InvalidInput("`baseline` and `candidate` must both be arrays, both files, or both predictions.")
    if not are_files(baseline) and not _are_predictions(baseline):
        _refuse_reading_options(reading, "arrays")
        table, group_names = _count_outcomes(baseline, candidate, labels, groups, names or _NAMES)
        return judge(table, groups=group_names, **options)
    if groups is not None:
        raise InvalidOption("`groups` is for arrays, got files. Name their column: group='language'.")
    if are_files(baseline):
        models = names or _name_by_file(baseline, candidate)
        return judge(_read_files(baseline, candidate, models, {**reading, "labels": labels}), **options)
    _refuse_reading_options(reading if labels is None else {"labels": labels}, "Predictions")
    return judge(_join_predictions(baseline, candidate, names or _NAMES), **options)


def are_files(value: Any) -> bool:
    """Return whether a value is the path of a file.

    Examples
    --------
    >>> are_files("old.csv"), are_files([True, False])
    (True, False)
    """
    return isinstance(value, str | PathLike)


def _are_predictions(value: Any) -> bool:
    return hasattr(value, "tally")


def _refuse_reading_options(reading: dict[str, Any], inputs: str) -> None:
    if reading:
        raise InvalidOption(f"`{next(iter(reading))}` is for files, got {inputs}. Leave it out.")


def _name_by_file(baseline: Any, candidate: Any) -> tuple[str, str]:
    """Return a name for each file: its stem, or its whole path if the stems are the same."""
    old, new = Path(baseline), Path(candidate)
    return (old.stem, new.stem) if old.stem != new.stem else (str(old), str(new))


def _read_files(baseline: Any, candidate: Any, names: tuple[str, str], reading: dict[str, Any]) -> Predictions:
    """Return the predictions of two files, joined by id; `models` names the column of both, or of each."""
    models = reading.pop("models", None)
    columns = [models] if models is None or isinstance(models, str) else list(models)
    if len(columns) not in {1, 2}:
        raise InvalidOption(f"`models` must name the column of predictions, or one per file, got {models!r}.")
    from ..readers import read_predictions

    options = {"id": "id", **reading}
    old, new = (
        read_predictions(file, models=find_prediction_column(file, options) if column is None else column, **options)
        for file, column in zip((baseline, candidate), columns if len(columns) == 2 else columns * 2, strict=True)
    )
    return _join_predictions(old, new, names)


def find_prediction_column(file: str | PathLike[str], reading: Mapping[str, Any]) -> str | None:
    r"""Return "prediction" if a file has that column, else None (the only column without another role).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "old.csv").write_text("id,label,prediction,site\n1,cat,dog,north\n")
    ...     find_prediction_column(f"{folder}/old.csv", {"id": "id"})
    'prediction'
    """
    from ..readers import read_predictions

    if reading.get("model") is not None or reading.get("prediction") is not None:  # a row for each model
        return None
    try:
        read_predictions(file, models="prediction", **reading)
    except InvalidInput:  # no such column; any other problem is reported when the file is read again
        return None
    return "prediction"


def _join_predictions(baseline: Predictions, candidate: Predictions, names: tuple[str, str]) -> Predictions:
    from ..predictions import Predictions

    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise InvalidOption(f"`names` must be two different names, such as ('old', 'new'), got {names!r}.")
    return Predictions.joined(dict(zip(names, (baseline, candidate), strict=True)))


def _count_outcomes(
    baseline: Any, candidate: Any, labels: Any, groups: Any, names: tuple[str, str]
) -> tuple[PairedTable, list[str] | None]:
    """Return the paired table, with one entry per group if there are groups, and their names."""
    if labels is not None:
        true, a, b = matching_labels({"labels": labels, "baseline": baseline, "candidate": candidate})
        right_a, right_b = a == true, b == true
    else:
        right_a, right_b = (
            as_outcomes(name, value, remedy=_FOR_PREDICTIONS)
            for name, value in (("baseline", baseline), ("candidate", candidate))
        )
    _require_same_size("baseline", right_a, "candidate", right_b)
    if groups is None:
        return PairedTable.from_correct(right_a, right_b, models=names), None
    labels_of_groups = as_labels("groups", groups)
    _require_same_size("baseline", right_a, "groups", labels_of_groups)
    group_names, index = np.unique(np.array([str(name) for name in labels_of_groups]), return_inverse=True)
    cells = np.bincount(4 * index + 2 * right_a + right_b, minlength=4 * group_names.size).reshape(-1, 4)
    return PairedTable(*cells.T, models=names, as_accuracy=True), group_names.tolist()


def _require_same_size(name_a: str, a: np.ndarray, name_b: str, b: np.ndarray) -> None:
    if a.shape != b.shape:
        raise InvalidEvidence(
            f"`{name_a}` and `{name_b}` must hold the same examples in the same order, got {a.size} and {b.size}."
        )
