"""What stands behind a metric: which label was taken for which, every threshold, and what probabilities are worth."""

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
    """Return what stands behind an answer about a metric; nothing where it is about error rates alone.

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
        yield _question_section(counted=counted)


@singledispatch
def scores_of(_: Any) -> ClassScores | None:
    """Return the scores by class that evidence consists of; None where it holds none."""
    return None


@scores_of.register
def _scores_themselves(scores: ClassScores) -> ClassScores:
    return scores


@singledispatch
def kind_of(_: Any) -> str:
    """Say what was read, for its fingerprint: counts, scores, or the losses of learners.

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
    """Return what learners took for what in the first replicate; nothing where a race is not about labels alone."""
    if race is None or evidence.metric.is_rate or not is_counted(evidence.metric) or race.missing or race.failures:
        return {}
    if any((np.asarray(fit.predictions) < 0).any() for fit in race.fits):  # a label that has no row
        return {}
    result = {name: race.confusion_matrix(name) for name in evidence.models}
    return {name: each[(0,) * len(each.shape)] if each.shape else each for name, each in result.items()}


_FIRST = (
    "Counted in the first replicate of the race, over all of its folds, and so over several classifiers a learner; the"
    " answer above is of every replicate, fold by fold."
)


def _confusion_section(matrices: Mapping[str, ConfusionMatrix], note: str = "") -> Section:
    from ..plots import confusions_picture

    table = _class_table(dict(list(matrices.items())[:_MODELS]))
    blocks: list[Block] = [Figure(picture=confusions_picture(matrices)), table]
    if note:
        blocks.insert(0, Text(paragraphs=(note,)))
    return Section(id="confusions", title="What was taken for what", blocks=tuple(blocks))


def _class_table(matrices: Mapping[str, ConfusionMatrix]) -> Table:
    """Return how much of each label every model found, and how much of what it said was right."""
    first = next(iter(matrices.values()))
    counts = {name: np.asarray(each.counts, dtype=float) for name, each in matrices.items()}
    shares: dict[str, Any] = {}
    with np.errstate(invalid="ignore"):  # of what never occurs there is no share
        for name, cells in counts.items():
            of = f", {name}" if name else ""
            shares[f"recall{of}"] = np.diagonal(cells) / cells.sum(axis=1)
            shares[f"precision{of}"] = np.diagonal(cells) / cells.sum(axis=0)
    examples = first.counts.sum(axis=1).tolist()
    rows = [
        (str(label), examples[index], *(_make_cell(each[index]) for each in shares.values()))
        for index, label in enumerate(first.labels)
    ]
    note = "Recall is the share of a label that was found, precision the share of what was predicted so that is right."
    return Table.of("Label by label", ("label", "examples", *shares), rows, note=note)


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
        text = f"Of {len(scores.classes)} classes, each against all others, the {len(classes)} most frequent are drawn."
        blocks.append(Text(paragraphs=(f"{text} ta.plots.roc(scores, positive=...) draws any other.",)))
    rows = []
    for label in classes:
        result = rank_curves(scores, positive=label)
        blocks += [Figure(picture=roc_picture(result)), Figure(picture=precision_recall_picture(result))]
        rows += [
            (result.positive, each.model, _make_cell(each.auc), _make_cell(each.average_precision)) for each in result
        ]
    blocks.append(Table.of("The areas in figures", ("class", "model", "AUC", "average precision"), rows))
    return Section(id="curves", title="At every threshold", blocks=tuple(blocks))


_BANDS = (
    "Each band holds the whole true curve with its level, so it is wider than limits of one point; for precision it"
    " takes the share of positives for the one seen. Bands that overlap do not tell whether two models differ; the"
    " comparison does."
)


_POOLED = (
    "The probabilities are those of the tested examples of one replicate, and so of several classifiers a learner,"
    " whose thresholds need not mean the same: these curves are for the eye, and their bands take them for one."
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
        Text(paragraphs=(_PROMISES,)),
        Figure(picture=reliability_picture(result)),
        Facts(rows=tuple(result.rows())),
        Table.of("Promised and happened", head, rows, note=_DEBIASED),
    )
    return Section(id="reliability", title="What the probabilities are worth", blocks=blocks)


_PROMISES = (
    "Of the examples that were given a probability of 0.8, eight in ten should come true. Points below the diagonal"
    " promised more than happened, points above it less."
)
_DEBIASED = (
    "Spiegelhalter's z compares the squared error with what the probabilities themselves promise: above 0 they are too"
    " sure, below 0 not sure enough. The calibration error is rid of what chance adds to it; before that, it is above 0"
    " even for perfect probabilities."
)


# --- What nothing here can show -------------------------------------------------------------------


def _question_section(*, counted: bool) -> Section:
    return Section(
        id="chosen",
        title="Was anything chosen on these examples?",
        blocks=(Text(paragraphs=(_THRESHOLD if counted else _RANKED, _INSTEAD)),),
    )


_THRESHOLD = (
    "Labels come from scores by a threshold. If that threshold, or the class that counts as positive, was chosen by"
    " looking at these very examples, the figures above are better than the truth, by how much nothing here can show,"
    " and neither limits nor p-values hold."
)
_RANKED = (
    "What is told here needs no threshold; whoever uses the model needs one. Where a threshold, the class that counts"
    " as positive, or the model itself was chosen by looking at these very examples, its figures are better than the"
    " truth, by how much nothing here can show, and neither limits nor p-values hold."
)
_INSTEAD = (
    "Instead, choose on other examples: on a part of the training set, or by cross-validation inside of it, where the"
    " choice belongs to the training and is made anew in every fold. Write it down, and test once. If it was chosen"
    " here already, a fresh test set tells how good the choice is."
)
