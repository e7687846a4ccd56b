"""Confusion matrices, ROC and precision-recall curves, and the calibration of probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import singledispatch
from typing import Any

import numpy as np

from ...evidence import ClassScores, ConfusionMatrix, Outcomes
from ...evidence.of_learners import OfLearners
from ...methods.curves import rank_curves
from ...methods.reliability import has_probabilities, reliability
from ...metrics import is_counted
from ..blocks import Block, Cell, Facts, Figure, Section, Table, Text
from .cells import number_cell
from .page_context import PageContext

_CLASSES = 3  # of several, whose curves a page has room for
_MODELS = 4  # whose shares a table has room for


def measured_sections(evidence: Any, context: PageContext) -> Iterator[Section]:
    """Yield confusion matrices, curves and calibration of the evidence; nothing for error rates.

    `evidence` is that of the answer or, of several answers, a mapping from names to theirs.
    """
    from ..plots.matrices import find_matrices

    first = next(iter(evidence.values())) if isinstance(evidence, Mapping) else evidence
    labels = _labels_of_race(first, context.race)
    matrices = labels or find_matrices(evidence)
    counted = matrices is not None
    scores = scores_of(first) if context.scores is None else context.scores
    if matrices is not None:
        yield _confusion_section(matrices, note=_FIRST if labels else "")
    if scores is not None:
        yield from _score_sections(scores, pooled=context.race is not None and not context.race.plan.one_split)
    if counted or scores is not None:
        yield _selection_section(counted=counted)


@singledispatch
def scores_of(_: Any) -> ClassScores | None:
    """Return the scores by class of the evidence; None if it has none."""
    return None


@scores_of.register
def _scores_themselves(scores: ClassScores) -> ClassScores:
    return scores


@singledispatch
def kind_of(_: Any) -> str:
    """Return what the fingerprint of evidence is of: counts, scores, or the losses of learners.

    Examples
    --------
    >>> kind_of(ConfusionMatrix([[50, 10], [5, 35]])), kind_of(Outcomes.from_scores([0.2, 0.7]))
    ('counts', 'scores')
    """
    return "counts"


@kind_of.register
def _kind_of_scores(_: Outcomes | ClassScores) -> str:
    return "scores"


@kind_of.register
def _kind_of_learners(evidence: OfLearners) -> str:
    return "scores by data set" if evidence.unit.name == "data set" else "losses"


# --- Labels ---------------------------------------------------------------------------------------


def _labels_of_race(evidence: Any, race: Any) -> dict[str, ConfusionMatrix]:
    """Return the confusion matrices of the first replicate; nothing for experiments about scores."""
    if race is None or evidence.metric.is_rate or not is_counted(evidence.metric) or race.missing or race.failures:
        return {}
    if any((np.asarray(fit.predictions) < 0).any() for fit in race.fits):  # a label that has no row
        return {}
    result = {name: race.confusion_matrix(name) for name in evidence.models}
    return {name: each[(0,) * len(each.shape)] if each.shape else each for name, each in result.items()}


_FIRST = (
    "Counts of the first replicate, over all of its folds, and so over several trained models per learner. The result"
    " uses all replicates and folds."
)


def _confusion_section(matrices: Mapping[str, ConfusionMatrix], note: str = "") -> Section:
    from ..plots import confusions_picture

    table = _class_table(dict(list(matrices.items())[:_MODELS]))
    blocks: list[Block] = [Figure(picture=confusions_picture(matrices)), table]
    if note:
        blocks.insert(0, Text(paragraphs=(note,)))
    return Section(id="confusions", title="Confusion matrices", blocks=tuple(blocks))


def _class_table(matrices: Mapping[str, ConfusionMatrix]) -> Table:
    """Return recall and precision of each label and model."""
    first = next(iter(matrices.values()))
    counts = {name: np.asarray(each.counts, dtype=float) for name, each in matrices.items()}
    shares: dict[str, Any] = {}
    with np.errstate(invalid="ignore"):  # a label without examples has no share
        for name, cells in counts.items():
            of = f", {name}" if name else ""
            shares[f"recall{of}"] = np.diagonal(cells) / cells.sum(axis=1)
            shares[f"precision{of}"] = np.diagonal(cells) / cells.sum(axis=0)
    examples = first.counts.sum(axis=1).tolist()
    rows = [
        (str(label), examples[index], *(_make_cell(each[index]) for each in shares.values()))
        for index, label in enumerate(first.labels)
    ]
    note = "Recall: share of a label that is predicted so. Precision: share of a prediction that is right."
    return Table.of("Recall and precision by label", ("label", "examples", *shares), rows, note=note)


def _make_cell(value: float) -> Cell:
    return number_cell(value, f"{value:.4g}")


# --- Scores ---------------------------------------------------------------------------------------


def _score_sections(scores: ClassScores, *, pooled: bool) -> Iterator[Section]:
    shown = _drawn_classes(scores)
    if shown:
        yield _curves_section(scores, shown, pooled=pooled)
    if has_probabilities(scores):
        yield _reliability_section(scores)


def _drawn_classes(scores: ClassScores) -> list[Any]:
    """Return the classes whose curves are drawn: the positive one of two, the most frequent of more."""
    counts = scores.class_counts
    if not scores.several_classes:
        return [scores.classes[1]] if counts.all() else []
    order = np.argsort(-counts, kind="stable")
    return [scores.classes[index] for index in order[:_CLASSES] if 0 < counts[index] < scores.examples]


def _curves_section(scores: ClassScores, classes: list[Any], *, pooled: bool) -> Section:
    from ..plots import precision_recall_picture, roc_picture

    blocks: list[Block] = [Text(paragraphs=(_BANDS, _POOLED) if pooled else (_BANDS,))]
    if len(classes) < len(scores.classes) - 1:
        text = f"One class against all others, for the {len(classes)} most frequent of {len(scores.classes)} classes."
        blocks.append(Text(paragraphs=(f"{text} For another class use ta.plots.roc(scores, positive=...).",)))
    rows = []
    for label in classes:
        result = rank_curves(scores, positive=label)
        blocks += [Figure(picture=roc_picture(result)), Figure(picture=precision_recall_picture(result))]
        rows += [
            (result.positive, each.model, _make_cell(each.auc), _make_cell(each.average_precision)) for each in result
        ]
    blocks.append(Table.of("Areas under the curves", ("class", "model", "AUC", "average precision"), rows))
    return Section(id="curves", title="ROC and precision-recall curves", blocks=tuple(blocks))


_BANDS = (
    "Bands are simultaneous: they contain the whole true curve with the stated confidence, so they are wider than"
    " intervals at one threshold. The band of the precision takes the observed share of positives as known. Whether two"
    " bands overlap does not test the difference of two models."
)


_POOLED = (
    "The scores are those of one replicate, and so of several trained models per learner, whose thresholds may differ:"
    " the curves are descriptive."
)


def _reliability_section(scores: ClassScores) -> Section:
    from ..plots import reliability_picture

    result = reliability(scores)
    head, lines = result.table()
    values = [(*each.means, each.statistic, each.pvalue, each.error, each.plug_in_error) for each in result]
    rows = [
        (line[0], *(number_cell(value, text) for value, text in zip(row, line[1:], strict=True)))
        for line, row in zip(lines, values, strict=True)
    ]
    blocks = (
        Text(paragraphs=(_CALIBRATED,)),
        Figure(picture=reliability_picture(result)),
        Facts(rows=tuple(result.rows())),
        Table.of("Calibration in numbers", head, rows, note=_CALIBRATION_NOTE),
    )
    return Section(id="reliability", title="Calibration of probabilities", blocks=blocks)


_CALIBRATED = (
    "Probabilities are calibrated if the event occurs in 80% of the examples with probability 0.8. Below the diagonal"
    " the predicted probabilities are too high, above it too low."
)
_CALIBRATION_NOTE = (
    "Spiegelhalter's z compares the squared error with its expectation under calibration: positive if probabilities are"
    " overconfident, negative if underconfident. The calibration error is corrected for its bias; uncorrected, it is"
    " positive even for calibrated probabilities."
)


# --- Selection of thresholds ----------------------------------------------------------------------


def _selection_section(*, counted: bool) -> Section:
    return Section(
        id="chosen",
        title="Threshold selection",
        blocks=(Text(paragraphs=(_THRESHOLD if counted else _RANKED, _INSTEAD)),),
    )


_THRESHOLD = (
    "Labels come from scores by a threshold. If the threshold, or the positive class, was selected on these test"
    " examples, the estimates are optimistic by an unknown amount, and intervals and p-values are not valid."
)
_RANKED = (
    "These results need no threshold, but an application does. If the threshold, the positive class or the model was"
    " selected on these test examples, its estimates are optimistic by an unknown amount, and intervals and p-values"
    " are not valid."
)
_INSTEAD = (
    "Select on other examples: on part of the training set, or by nested cross-validation. Write the choice down before"
    " you test once. If it was already made on these examples, evaluate it on a new test set."
)
