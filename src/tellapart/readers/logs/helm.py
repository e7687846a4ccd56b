"""Run folders of HELM: what each question gave, in per_instance_stats.json.

The id of a question is its number in the scenario; its text (scenario_state.json or instances.json) proves that it is
the same. A question may occur several times: with other examples in the prompt
(train_trial_index), which are repeats, and bent (perturbations), which are other questions under the same id: these are
chosen by filter=, and those that are as they were are read if nothing is said.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from statistics import fmean
from typing import Any

from ...errors import InvalidEvidence
from .json_stream import Window, items
from .run import Head, LogRun, Reader, Selection, choose
from .run_rows import WHOLE, RunRows, as_object, as_score, fingerprint, first_line, keep_metadata
from .stated import as_count, as_mean, note_count, note_mean

_STATS, _SPEC, _STATE, _INSTANCES = "per_instance_stats.json", "run_spec.json", "scenario_state.json", "instances.json"
_KEYS = {"instance_id", "train_trial_index", "stats"}
_ORIGINAL = "original"  # what filter= calls questions that are not bent
_MODEL = re.compile(r"(?:^|,)model(?:_deployment)?=[^,]*")
# Numbers of every answer that are not scores: not listed, but read on request.
_ABOUT_THE_ANSWER = re.compile(
    r"(?:max_)?num_.*|finish_reason_.*|inference_.*|training_.*|.*_runtime|batch_size|max_prob|logprob|prompt_truncated"
    r"|estimated_num_tokens_cost|predicted_index"
)
_BETWEEN_0_AND_1 = re.compile(
    r"(?:quasi_)?(?:prefix_|leave_articles_)?exact_match(?:@\d+)?|f1_score(?:@\d+)?|rouge_(?:1|2|l)|bleu_[14]"
    r"|ifeval_strict_accuracy|math_equiv(?:_chain_of_thought)?|chain_of_thought_correctness|omni_math_accuracy"
)
_LOWER_IS_BETTER = re.compile(
    r"perplexity|bits_per_byte|.*ece_\d+_bin|(?:expected_)?max_toxicity(?:_probability)?|toxic_frac|error_rate"
    r"|(?:chinese_)?(?:cer|mer|wer)_score|absolute_value_difference|bbq_metric_.*_bias|.*_runtime|training_.*"
    r"|longest_common_prefix_length|edit_similarity"
)
_MOST_METRICS = 1000
_MOST_TRIALS = 1 << 31
_TOTALS, _INSTANCES_COUNTED = "stats.json", "num_instances"

Question = tuple[str, str]  # a question: its id, and how it is bent


def _recognises_log(head: Head) -> bool:
    if head.is_folder:
        return any(PurePath(name).name == _STATS for name in head.names)
    return head.start.lstrip().startswith(b"[") and set(head.keys) >= _KEYS


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spec:
    """The run of a file, as far as its folder names it."""

    file: Path
    model: str = ""
    task: str = ""


def _read_runs(path: Path, selection: Selection) -> list[LogRun]:
    specs = [_read_spec(file) for file in (sorted(path.rglob(_STATS)) if path.is_dir() else [path])]
    for what, requested in (("task", selection.task), ("model", selection.model)):
        kept = [spec for spec in specs if requested is None or _matches_name(requested, getattr(spec, what))]
        if not kept:
            choose(what, [getattr(spec, what) for spec in specs], requested, option=what, where=path)
        specs = kept
    return [_build_run(spec, selection) for spec in specs]


def _matches_name(requested: str, name: str) -> bool:
    """Whether a task or model is selected; "mmlu" selects every subject of it."""
    return requested in (name, name.partition(":")[0])


def _read_spec(file: Path) -> _Spec:
    beside = file.with_name(_SPEC)
    if not beside.is_file():
        return _Spec(file=file)
    with beside.open("rb") as stream:
        spec = Window(stream, beside).value()
    adapter = spec.get("adapter_spec") if isinstance(spec, dict) else None
    if not isinstance(adapter, dict):
        raise InvalidEvidence(f"{beside} must hold an adapter_spec. Check that it was written by HELM.")
    scenario, _, rest = str(spec.get("name", "")).partition(":")
    rest = _MODEL.sub("", rest).lstrip(",")
    return _Spec(file=file, model=str(adapter.get("model") or ""), task=f"{scenario}:{rest}" if rest else scenario)


def _build_run(spec: _Spec, selection: Selection) -> LogRun:
    stats = _Stats(spec.file, selection)
    metric = stats.choose_metric()
    form = stats.choose_form()
    questions = _read_questions(spec.file, selection)
    rows = RunRows(selection, spec.file)
    for question, trial, score in stats.of(metric, form):
        rows.add(
            question[0],
            score,
            epoch=trial,
            error=questions.failed.get((*question, trial)),
            proof=questions.proofs.get(question),
            metadata=questions.metadata.get(question),
        )
    lower = bool(_LOWER_IS_BETTER.fullmatch(metric))
    return LogRun(
        table=rows.table(),
        tool="HELM",
        model=spec.model,
        task=spec.task,
        metric=metric,
        filter="" if form == _ORIGINAL else form,
        higher_is_better=not lower,
        bounds=(0.0, 1.0) if _BETWEEN_0_AND_1.fullmatch(metric) else None,
        notes=(
            *_collect_notes(spec, stats, questions, form),
            *_find_contradictions(spec.file, stats, questions, metric, form),
        ),
    )


def _collect_notes(spec: _Spec, stats: _Stats, questions: _Questions, form: str) -> Iterator[str]:
    others = sorted({question[1] for question, _ in stats.rows} - {form})
    if others:
        yield f"questions in other forms are left out: {', '.join(others)} (filter=, --filter)"
    if not questions.proofs:
        yield (
            f"without {_STATE} nothing proves that ids are the same questions as in another run: it is missing next to"
            f" {spec.file.name}"
        )
    lost = sum(question[1] == form for *question, _ in questions.failed)
    if lost:
        yield f"failed calls, which HELM scored as empty answers and which have no score here: {lost}"


def _find_contradictions(file: Path, stats: _Stats, all_questions: _Questions, metric: str, form: str) -> Iterator[str]:
    """Yield notes on other files of HELM that contradict the numbers of the questions."""
    there = {(question, trial) for question, trial in stats.rows if question[1] == form}
    listed = {(question, trial) for question, trial in all_questions.listed if question[1] == form}
    noted = []
    if listed - there:
        missing = {question[0] for question, _ in listed - there}
        noted = [*note_count(f"{_STATE} is of", len(listed | there), len(there), "answers", missing)]
    elif all_questions.listed and there - listed:
        name = min(question[0] for question, _ in there - listed)
        noted = [f"{_STATE} has no answer to {len(there - listed)} of the questions that have scores: {name!r}"]
    if not noted:  # every trial asks every question
        every = {question for question, _ in there}, {trial for _, trial in there}
        lacking = {question[0] for question in every[0] for trial in every[1] if (question, trial) not in there}
        whole = len(every[0]) * len(every[1])
        noted = [*note_count(f"{len(every[1])} trials make", whole, len(there), "answers", lacking)]
    if form == _ORIGINAL and not noted:
        yield from _other_totals(file, stats, metric, there, failed=bool(all_questions.failed))
    yield from noted


def _other_totals(
    file: Path, stats: _Stats, metric: str, there: set[tuple[Question, int]], *, failed: bool
) -> Iterator[str]:
    """Yield notes if stats.json states another number of questions, or another mean of the means of trials."""
    totals = _read_totals(file.with_name(_TOTALS))
    counts, means = totals.get(_INSTANCES_COUNTED, []), totals.get(metric, [])
    if counts and None not in counts:
        questions = len({question for question, _ in there})
        noted = [*note_count(f"{_TOTALS} is of", sum(filter(None, counts)), questions, "questions")]
        if noted:
            yield from noted
            return
    if failed or len(means) != 1:  # HELM scores what failed as an empty answer
        return
    trials: dict[int, list[float]] = {}
    for _, trial, score in stats.of(metric, _ORIGINAL):
        if score is not None:
            trials.setdefault(trial, []).append(score)
    if trials:
        mean = fmean(fmean(scores) for scores in trials.values())
        yield from note_mean(_TOTALS, metric, means[0], mean)


def _read_totals(file: Path) -> dict[str, list[float | None]]:
    """Return the means over all original questions, by metric: one for each split."""
    totals: dict[str, list[float | None]] = {}
    if not file.is_file():
        return totals
    with file.open("rb") as stream:
        for stat in items(stream, file):
            name = as_object(as_object(stat).get("name"))
            if isinstance(name.get("name"), str) and name.keys() <= {"name", "split"}:
                totals.setdefault(name["name"], []).append(as_mean(stat.get("mean")))
    return totals


class _Stats:
    """The numbers of a run: a row for each question and trial, and for each metric its rows and values."""

    def __init__(self, file: Path, selection: Selection) -> None:
        self.file, self.selection = file, selection
        self.rows: dict[tuple[Question, int], int] = {}
        self.by_metric: dict[str, tuple[array[int], array[float]]] = {}
        with file.open("rb") as stream:
            for entry in items(stream, file):
                self._add_entry(entry)

    def _add_entry(self, entry: Any) -> None:
        """Add one entry; each question has one for every metric object of the run."""
        if not isinstance(entry, dict) or not entry.keys() >= _KEYS or not isinstance(entry["stats"], list):
            raise InvalidEvidence(
                f"{self.file}: entry {len(self.rows) + 1} must be that of a question. Check that it was"
                f" written by HELM."
            )
        question = (str(entry["instance_id"]), _name_form(entry))
        trial = as_count(entry["train_trial_index"])
        if trial is None or trial >= _MOST_TRIALS:
            raise InvalidEvidence(
                f"{self.file}: train_trial_index of {question[0]!r} must be a whole number from 0 to"
                f" {_MOST_TRIALS - 1},"
                f" got {str(entry['train_trial_index'])[:60]!r}. Copy the file again, or run the evaluation again."
            )
        row = self.rows.setdefault((question, trial), len(self.rows))
        for stat in entry["stats"]:
            name = stat["name"].get("name") if isinstance(stat, dict) and isinstance(stat.get("name"), dict) else None
            if not isinstance(name, str):
                raise InvalidEvidence(
                    f"{self.file}: a number of {question[0]!r} has no name. Check that it was written by HELM."
                )
            if name != self.selection.metric and _ABOUT_THE_ANSWER.fullmatch(name):
                continue
            value = _mean_of_stat(stat, f"{self.file}: {name} of {question[0]!r}")
            if name not in self.by_metric and len(self.by_metric) == _MOST_METRICS:
                raise InvalidEvidence(
                    f"{self.file} has more than {_MOST_METRICS} metrics. Check that it was written by HELM."
                )
            rows, values = self.by_metric.setdefault(name, (array("q"), array("d")))
            if value is not None:
                rows.append(row)
                values.append(value)

    def choose_metric(self) -> str:
        """Return the selected metric."""
        return choose("metric", self.by_metric, self.selection.metric, option="metric", where=self.file)

    def choose_form(self) -> str:
        """Return the selected form of the questions; by default the original one, if there is one."""
        forms = {question[1] for question, _ in self.rows}
        requested = self.selection.filter
        if requested is None and _ORIGINAL in forms:
            return _ORIGINAL
        return choose("perturbation", forms, requested, option="filter", where=self.file)

    def of(self, metric: str, form: str) -> Iterator[tuple[Question, int, float | None]]:
        """Yield the questions in this form with their trials and scores; a missing score is None."""
        scores: dict[int, float] = {}
        for row, score in zip(*self.by_metric[metric], strict=True):
            if scores.setdefault(row, score) != score:
                name = next(question[0] for (question, _), other_row in self.rows.items() if other_row == row)
                raise InvalidEvidence(
                    f"{self.file} gives two values of {metric!r} for {name!r}: {scores[row]:g} and"
                    f" {score:g}. Keep the entries of one."
                )
        for (question, trial), row in self.rows.items():
            if question[1] == form:
                yield question, trial, scores.get(row)


def _mean_of_stat(stat: Mapping[str, Any], what: str) -> float | None:
    """Return the mean of a number; None if its count is 0."""
    return as_score(stat.get("mean"), what) if stat.get("count") else None


def _name_form(holder: Mapping[str, Any]) -> str:
    """Return the name of the form of a question."""
    how = holder.get("perturbation")
    if not isinstance(how, dict):
        return _ORIGINAL
    seed = how.get("seed")
    return str(how.get("name")) if seed is None else f"{how.get('name')} (seed {seed})"


@dataclass(frozen=True, slots=True)
class _Questions:
    """Proofs, metadata and failures of the questions."""

    selection: Selection
    proofs: dict[Question, str] = field(default_factory=dict)
    metadata: dict[Question, Mapping[str, Any]] = field(default_factory=dict)
    failed: dict[tuple[str, str, int], str] = field(default_factory=dict)
    listed: set[tuple[Question, int]] = field(
        default_factory=set
    )  # questions and trials, as far as the state lists them

    def add(self, instance: Any) -> Question:
        """Add the data that identify a question."""
        if not isinstance(instance, dict) or not isinstance(instance.get("input"), dict):
            raise TypeError("a question has no input")
        question = (str(instance.get("id")), _name_form(instance))
        if question not in self.proofs:
            content = instance["input"]
            outputs = [(reference.get("output") or {}).get("text") for reference in instance.get("references") or ()]
            self.proofs[question] = fingerprint(content.get("text"), content.get("messages"), outputs)
            about = {key: instance[key] for key in ("split", "sub_split") if key in instance}
            more = instance.get("extra_data")
            about |= more if isinstance(more, dict) else {}
            self.metadata[question] = keep_metadata(about, self.selection, whole=len(self.metadata) < WHOLE)
        return question


def _read_questions(file: Path, selection: Selection) -> _Questions:
    """Return the questions of a run, from the files next to its numbers."""
    questions = _Questions(selection)
    state, instances = file.with_name(_STATE), file.with_name(_INSTANCES)
    where = state if state.is_file() else instances
    if not where.is_file():
        return questions
    try:
        with where.open("rb") as stream:
            if where == instances:
                for instance in items(stream, where):
                    questions.add(instance)
                return questions
            for state_entry in items(stream, where, "request_states"):
                question = questions.add(state_entry.get("instance"))
                result = state_entry.get("result") or {}
                trial = state_entry.get("train_trial_index", 0)
                questions.listed.add((question, trial))
                if result.get("success") is False:
                    questions.failed[*question, trial] = first_line(result.get("error") or "the call failed")
    except (AttributeError, TypeError) as error:
        raise InvalidEvidence(f"{where} is not as HELM writes it: {error}.") from None
    return questions


READER = Reader(name="helm", title="HELM", recognises=_recognises_log, runs=_read_runs)
