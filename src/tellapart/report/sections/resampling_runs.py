"""Experiments with learners: fits, results by split, learning curves, and sensitivity to the splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import singledispatch
from typing import Any

import numpy as np

from ...evidence import Evidence, Resamples, TrainingSets
from ...figures import pvalue_text
from ...methods.resamples.instability import instability
from ...rendering import significant
from ...results import Comparison, Estimate, Ranking
from ...results.wording import p_text
from ...typing_ import FloatArray
from ..blocks import Block, Cell, Figure, Section, Table, Text
from .cells import number_cell, percent_text
from .page_context import PageContext

_ROWS, _CELLS = 1000, 6000  # of a table of runs: thirty replicates of ten folds and more, but not for many learners


# --- The experiment -------------------------------------------------------------------------------


def race_sections(context: PageContext) -> Iterator[Section]:
    """Yield learners, fits, times and failures of an experiment."""
    race = context.race
    if race is None:
        return
    summary = race.as_dict()
    splits = len(race.layout.splits) * race.seeds
    rows = [
        (
            each["name"],
            number_cell(each["error"], "" if np.isnan(each["error"]) else percent_text(each["error"])),
            splits - each["missing"] - each["failed"],
            each["failed"],
            each["missing"],
            number_cell(each["seconds"], significant(each["seconds"])),
        )
        for each in summary["learners"]
    ]
    head = ("learner", "mean error", "fits", "failed", "not run", "seconds")
    blocks: list[Block] = [Table.of("Learners", head, rows, note=f"{race.describe()}.")]
    often = Counter((failure.learner, failure.why) for failure in race.failures)
    if often:
        lines = [(learner, count, why) for (learner, why), count in often.most_common()]
        blocks.append(Table.of("Failed fits", ("learner", "times", "reason"), lines))
    if summary["remarks"]:
        blocks.append(Text(paragraphs=tuple(summary["remarks"])))
    yield Section(id="race", title="Experiment", blocks=tuple(blocks))


# --- Results by split -----------------------------------------------------------------------------


def learner_sections(evidence: Evidence, answer: Comparison | Estimate | Ranking) -> Iterator[Section]:
    """Yield the results by split (or training set) and the sensitivity to the splits; nothing for other evidence."""
    yield from run_sections(evidence, answer)
    yield from _split_sensitivity_sections(answer)
    yield from _component_sections(answer)


@singledispatch
def run_sections(_: Any, __: Any) -> Iterator[Section]:
    """Yield the result of each run; nothing for evidence without runs."""
    yield from ()


@run_sections.register
def _run_sections_of_resamples(evidence: Resamples, answer: Any) -> Iterator[Section]:
    pair = _first_two(evidence, answer)
    yield _splits_section(evidence, pair, {"seeds": "run", "independent": "sample"}.get(evidence.plan.kind, "split"))
    figures = evidence.metric.from_loss(evidence.loss)
    yield _runs_section(evidence, figures, ["replicate"] + ["fold"] * (figures.shape[-1] > 1))
    yield from _ratio_sections(evidence, pair)
    yield from _curve_sections(evidence)


@run_sections.register
def _run_sections_of_training_sets(evidence: TrainingSets, answer: Any) -> Iterator[Section]:
    yield _splits_section(evidence, _first_two(evidence, answer), str(evidence.varies))
    figures = evidence.metric.from_loss(evidence.loss.mean(axis=-1)[..., None])  # by learner and training set
    yield _runs_section(evidence, figures, [str(evidence.varies)])


def _first_two(evidence: Resamples | TrainingSets, answer: Any) -> tuple[str, ...]:
    """Return the two learners whose splits are drawn: the best two of several."""
    if len(evidence.learners) <= 2:
        return evidence.learners
    order = np.argsort(answer.rates, kind="stable")[:2]
    return tuple(evidence.learners[index] for index in sorted(order))


def _splits_section(evidence: Resamples | TrainingSets, pair: tuple[str, ...], run: str) -> Section:
    from ..plots import splits_picture

    note = f"The best two of {len(evidence.learners)} learners: {' and '.join(pair)}."
    notes = (Text(paragraphs=(note,)),) if len(evidence.learners) > 2 else ()
    picture = splits_picture(evidence.select(*pair))
    blocks = (*notes, Figure(picture=picture))
    return Section(id="splits", title=f"Results by {run}", blocks=blocks)


def _runs_section(evidence: Resamples | TrainingSets, figures: FloatArray, places: list[str]) -> Section:
    """Return the metric of each learner on each split, and of two learners their difference."""
    names = evidence.learners
    more, less = (1, 0) if evidence.metric.higher_is_better else (0, 1)  # positive: B is better
    head = [*places, *names, *([f"{names[more]} − {names[less]}"] if len(names) == 2 else [])]
    most, rows = min(_ROWS, _CELLS // len(head)), list[list[Any]]()
    for replicate, fold in np.ndindex(*figures.shape[-2:]):
        if len(rows) == most:
            break
        result = figures[:, replicate, fold].tolist()
        result += [result[more] - result[less]] if len(names) == 2 else []
        where = [replicate + 1] + [fold + 1] * (len(places) == 2)
        rows.append([*where, *(Cell("") if np.isnan(each) else Cell(f"{each:.4f}", each) for each in result)])
    total = int(np.prod(figures.shape[-2:]))
    kept = f" The first {most:,} of {total:,} lines." if total > most else ""
    table = Table.of(f"{_name_run(evidence)} of each run", head, rows, note=f"{evidence.describe()}.{kept}")
    return Section(id="runs", title="All runs", blocks=(table,), folded=True)


def _name_run(evidence: Resamples | TrainingSets) -> str:
    return "error rate" if evidence.metric.is_rate else evidence.metric.title


def _mean_cell(evidence: Resamples, mean: float) -> Cell:
    return number_cell(mean, percent_text(mean) if evidence.metric.is_rate else f"{mean:.4g}")


def _ratio_sections(evidence: Resamples, pair: tuple[str, ...]) -> Iterator[Section]:
    """Yield how often each training size selects A, for random splits of several sizes (Yang 2006)."""
    random = [scores for scores in (evidence, *evidence.parts.values()) if scores.plan.kind == "random"]
    if len(pair) != 2 or len(random) < 2:
        return
    from ..plots import instability_picture

    result = instability(evidence.select(*pair))
    rows = [
        (
            number_cell(size, significant(float(size))),
            number_cell(share, percent_text(float(share))),
            int(wins),
            int(ties),
            int(losses),
        )
        for size, share, wins, ties, losses in zip(
            result.train, result.share, result.wins, result.ties, result.losses, strict=True
        )
    ]
    a, b = pair
    head = ("trained on", f"{a} selected (λ)", f"{a} better", "tied", f"{b} better")
    table = Table.of("Selection by training size", head, rows, note="Ties select the first.")
    message = Text(paragraphs=(f"{result.verdict[0].upper()}{result.verdict[1:]}.",))
    blocks = (message, Figure(picture=instability_picture(result)), table)
    yield Section(id="ratio", title="Sensitivity to the training size", blocks=blocks)


def _curve_sections(evidence: Resamples) -> Iterator[Section]:
    """Yield the metric by the size of the training set, if the experiment has a learning curve."""
    parts = [evidence, *(scores for name, scores in evidence.parts.items() if name.startswith("train x "))]
    if len(parts) < 2:
        return
    parts.sort(key=lambda scores: float(scores.train.mean()))
    rows = [
        [
            number_cell(float(scores.train.mean()), significant(float(scores.train.mean()))),
            *(_mean_cell(evidence, mean) for mean in scores.levels.tolist()),
        ]
        for scores in parts
    ]
    table = Table.of(
        f"Mean {_name_run(evidence)} by the size of the training set", ("trained on", *evidence.learners), rows
    )
    yield Section(id="curve", title="Learning curve", blocks=(table,))


# --- Sensitivity to the splits --------------------------------------------------------------------


def _split_sensitivity_sections(answer: Any) -> Iterator[Section]:
    """Yield the p-values of the same experiment with other seeds of the splits, if there are any."""
    pvalues = answer.note("reseeded_pvalues")
    if pvalues is None:
        return
    rows = [(index, Cell(pvalue_text(value, answer.alpha), value)) for index, value in enumerate(pvalues.tolist(), 1)]
    below = int(np.count_nonzero(pvalues < answer.alpha))
    message = (
        f"The same experiment with {pvalues.size} other seeds of the splits: p is below alpha = {answer.alpha:g} in"
        f" {below} of them. The reported seed has {p_text(float(answer.pvalue), answer.alpha, answer.simulated)}."
    )
    table = Table.of("p-values by seed of the splits", ("seed", "p"), rows)
    yield Section(id="seeds", title="Split-to-split variability", blocks=(Text(paragraphs=(message,)), table))


def _component_sections(answer: Any) -> Iterator[Section]:
    """Yield the variance components of the loss, if they can be estimated."""
    components = answer.note("variance_components", {})
    if not components:
        return
    total = sum(components.values())
    result = {
        name: value if value > 1e-9 * total else 0.0 for name, value in components.items()
    }  # the rest is rounding
    rows = [
        (name, number_cell(value, significant(value)), number_cell(value / total, percent_text(value / total, 0)))
        for name, value in result.items()
        if total
    ]
    quantity = "one loss" if isinstance(answer, Estimate) else "one difference"
    table = Table.of(f"Variance components of {quantity}", ("source", "variance", "share"), rows)
    yield Section(id="components", title="Variance components", blocks=(table,))
