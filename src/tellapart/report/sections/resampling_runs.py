"""Learners: the race that was run, what every split found, and how far the verdict hangs on the splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import singledispatch
from typing import Any

import numpy as np

from ...evidence import Evidence, Resamples, TrainingSets
from ...methods.resamples.instability import instability
from ...rendering import percent, plain_number, pvalue_text, significant
from ...results import Comparison, Estimate, Ranking
from ...results.wording import p_text
from ...typing_ import FloatArray
from ..blocks import Block, Cell, Figure, Section, Table, Text
from .cells import number_cell
from .page_context import PageContext

_ROWS, _CELLS = 1000, 6000  # of a table of runs: thirty replicates of ten folds and more, but not for many learners


# --- The race -------------------------------------------------------------------------------------


def race_sections(context: PageContext) -> Iterator[Section]:
    """Return what was run: learners, fits, how long it took, what failed."""
    race = context.race
    if race is None:
        return
    text = race.as_dict()
    target = len(race.layout.splits) * race.seeds
    rows = [
        (
            each["name"],
            number_cell(each["error"], "" if np.isnan(each["error"]) else percent(each["error"], 0.01)),
            target - each["missing"] - each["failed"],
            each["failed"],
            each["missing"],
            number_cell(each["seconds"], significant(each["seconds"])),
        )
        for each in text["learners"]
    ]
    head = ("learner", "mean error", "fits", "failed", "not run", "seconds")
    blocks: list[Block] = [Table.of("The learners", head, rows, note=f"{race.describe()}.")]
    often = Counter((failure.learner, failure.why) for failure in race.failures)
    if often:
        lines = [(learner, count, why) for (learner, why), count in often.most_common()]
        blocks.append(Table.of("What failed", ("learner", "times", "why"), lines))
    if text["remarks"]:
        blocks.append(Text(paragraphs=tuple(text["remarks"])))
    yield Section(id="race", title="The race", blocks=tuple(blocks))


# --- What the splits found ------------------------------------------------------------------------


def learner_sections(evidence: Evidence, answer: Comparison | Estimate | Ranking) -> Iterator[Section]:
    """Return what every split (or training set) found, and how far the answer depends on them; nothing for others."""
    yield from run_sections(evidence, answer)
    yield from _lottery_sections(answer)
    yield from _component_sections(answer)


@singledispatch
def run_sections(_: Any, __: Any) -> Iterator[Section]:
    """Yield what every run found; nothing for evidence without runs."""
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
    """Return the learners whose splits are shown: those there are, of many the best two."""
    if len(evidence.learners) <= 2:
        return evidence.learners
    order = np.argsort(answer.rates, kind="stable")[:2]
    return tuple(evidence.learners[index] for index in sorted(order))


def _splits_section(evidence: Resamples | TrainingSets, pair: tuple[str, ...], run: str) -> Section:
    from ..plots import splits_picture

    text = f"Of {len(evidence.learners)} learners, the two that did best: {' and '.join(pair)}."
    message = (Text(paragraphs=(text,)),) if len(evidence.learners) > 2 else ()
    picture = splits_picture(evidence.select(*pair))
    blocks = (*message, Figure(picture=picture))
    return Section(id="splits", title=f"{run.capitalize()} by {run}", blocks=blocks)


def _runs_section(evidence: Resamples | TrainingSets, figures: FloatArray, places: list[str]) -> Section:
    """Return the error (or other metric) of every learner on every split; of two learners their difference, too."""
    names = evidence.learners
    more, less = (1, 0) if evidence.metric.higher_is_better else (0, 1)  # what is above 0 speaks for B
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
    kept = f" The first {most} of {total} lines." if total > most else ""
    table = Table.of(f"The {_name_run(evidence)} of every run", head, rows, note=f"{evidence.describe()}.{kept}")
    return Section(id="runs", title="Every run", blocks=(table,), folded=True)


def _name_run(evidence: Resamples | TrainingSets) -> str:
    return "error" if evidence.metric.is_rate else evidence.metric.title


def _ratio_sections(evidence: Resamples, pair: tuple[str, ...]) -> Iterator[Section]:
    """Return how often each training size chooses A, where random splits of several sizes were run (Yang 2006)."""
    random = [scores for scores in (evidence, *evidence.parts.values()) if scores.plan.kind == "random"]
    if len(pair) != 2 or len(random) < 2:
        return
    from ..plots import instability_picture

    result = instability(evidence.select(*pair))
    rows = [
        (
            number_cell(size, significant(float(size))),
            number_cell(share, percent(float(share), 0.04)),
            int(wins),
            int(ties),
            int(losses),
        )
        for size, share, wins, ties, losses in zip(
            result.train, result.share, result.wins, result.ties, result.losses, strict=True
        )
    ]
    a, b = pair
    head = ("trained on", f"{a} chosen (λ)", f"{a} better", "tied", f"{b} better")
    table = Table.of("How often each is chosen", head, rows, note="Ties choose the first.")
    message = Text(paragraphs=(f"{result.verdict[0].upper()}{result.verdict[1:]}.",))
    blocks = (message, Figure(picture=instability_picture(result)), table)
    yield Section(id="ratio", title="Does it depend on the splitting ratio?", blocks=blocks)


def _curve_sections(evidence: Resamples) -> Iterator[Section]:
    """Return the error (or other metric) at smaller shares of the training set, where the race has a learning curve."""
    parts = [evidence, *(scores for name, scores in evidence.parts.items() if name.startswith("train x "))]
    if len(parts) < 2:
        return
    parts.sort(key=lambda scores: float(scores.train.mean()))
    write = percent if evidence.metric.is_rate else plain_number
    rows = [
        [
            number_cell(float(scores.train.mean()), significant(float(scores.train.mean()))),
            *(number_cell(mean, write(mean, 0.01)) for mean in scores.levels.tolist()),
        ]
        for scores in parts
    ]
    table = Table.of(
        f"The mean {_name_run(evidence)}, by the size of the training set", ("trained on", *evidence.learners), rows
    )
    yield Section(id="curve", title="The learning curve", blocks=(table,))


# --- How far it hangs on the splits ---------------------------------------------------------------


def _lottery_sections(answer: Any) -> Iterator[Section]:
    """Return the p-values that other seeds of the splits give, where these were tried."""
    lottery = answer.note("reseeded_pvalues")
    if lottery is None:
        return
    rows = [(index, Cell(pvalue_text(value, answer.alpha), value)) for index, value in enumerate(lottery.tolist(), 1)]
    below = int(np.count_nonzero(lottery < answer.alpha))
    message = (
        f"The same race on the splits of {lottery.size} other seeds: p lies below alpha = {answer.alpha:g} in {below}"
        f" of them, and this one has {p_text(float(answer.pvalue), answer.alpha, answer.simulated)}."
    )
    table = Table.of("p-values by other seeds of the splits", ("seed", "p"), rows)
    yield Section(id="lottery", title="Would other splits say the same?", blocks=(Text(paragraphs=(message,)), table))


def _component_sections(answer: Any) -> Iterator[Section]:
    """Return what makes the loss vary, where that can be told."""
    components = answer.note("variance_components", {})
    if not components:
        return
    total = sum(components.values())
    result = {
        name: value if value > 1e-9 * total else 0.0 for name, value in components.items()
    }  # the rest is rounding
    rows = [
        (name, number_cell(value, significant(value)), number_cell(value / total, f"{100 * value / total:.0f} %"))
        for name, value in result.items()
        if total
    ]
    what = "one loss" if isinstance(answer, Estimate) else "one difference"
    table = Table.of(f"What makes {what} vary", ("source", "variance", "share"), rows)
    yield Section(id="components", title="Where the variance comes from", blocks=(table,))
