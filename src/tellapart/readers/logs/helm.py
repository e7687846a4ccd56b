"""Run folders of HELM: what each question gave, in per_instance_stats.json.

A question's id counts the questions of the scenario; its text, in scenario_state.json or instances.json beside, proves
that two runs mean the same by it. A question may be asked several times: with other examples in the prompt
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
from .rows import WHOLE, Rows, as_object, as_score, asked_for, fingerprint, first_line
from .run import Head, Reader, Run, Wanted, choose
from .stated import as_count, as_mean, note_count, note_mean

_STATS, _SPEC, _STATE, _INSTANCES = "per_instance_stats.json", "run_spec.json", "scenario_state.json", "instances.json"
_KEYS = {"instance_id", "train_trial_index", "stats"}
_AS_IT_WAS = "original"  # what filter= calls questions that are not bent
_MODEL = re.compile(r"(?:^|,)model(?:_deployment)?=[^,]*")
# Numbers that HELM keeps of every answer, which are no scores: not offered, but read if asked for.
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

Place = tuple[str, str]  # a question: its id, and how it is bent


def _recognises(head: Head) -> bool:
    if head.is_folder:
        return any(PurePath(name).name == _STATS for name in head.names)
    return head.start.lstrip().startswith(b"[") and set(head.keys) >= _KEYS


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spec:
    """Which run a file is of, as far as its folder says."""

    file: Path
    model: str = ""
    task: str = ""


def _runs(path: Path, wanted: Wanted) -> list[Run]:
    specs = [_spec(file) for file in (sorted(path.rglob(_STATS)) if path.is_dir() else [path])]
    for what, asked in (("task", wanted.task), ("model", wanted.model)):
        kept = [spec for spec in specs if asked is None or _is(asked, getattr(spec, what))]
        if not kept:
            choose(what, [getattr(spec, what) for spec in specs], asked, option=what, where=path)
        specs = kept
    return [_run(spec, wanted) for spec in specs]


def _is(asked: str, name: str) -> bool:
    """Whether a task or model is the one asked for; "mmlu" is every subject of it."""
    return asked in (name, name.partition(":")[0])


def _spec(file: Path) -> _Spec:
    beside = file.with_name(_SPEC)
    if not beside.is_file():
        return _Spec(file=file)
    with beside.open("rb") as stream:
        spec = Window(stream, beside).value()
    adapter = spec.get("adapter_spec") if isinstance(spec, dict) else None
    if not isinstance(adapter, dict):
        raise InvalidEvidence(f"{beside} does not say how the run was made. Is it of HELM?")
    scenario, _, rest = str(spec.get("name", "")).partition(":")
    rest = _MODEL.sub("", rest).lstrip(",")
    return _Spec(file=file, model=str(adapter.get("model") or ""), task=f"{scenario}:{rest}" if rest else scenario)


def _run(spec: _Spec, wanted: Wanted) -> Run:
    stats = _Stats(spec.file, wanted)
    metric = stats.choose_metric()
    bent = stats.choose_bent()
    questions = _questions(spec.file, wanted)
    rows = Rows(wanted, spec.file)
    for place, trial, score in stats.of(metric, bent):
        rows.add(
            place[0],
            score,
            epoch=trial,
            error=questions.failed.get((*place, trial)),
            proof=questions.proofs.get(place),
            metadata=questions.metadata.get(place),
        )
    lower = bool(_LOWER_IS_BETTER.fullmatch(metric))
    return Run(
        table=rows.table(),
        tool="HELM",
        model=spec.model,
        task=spec.task,
        metric=metric,
        filter="" if bent == _AS_IT_WAS else bent,
        higher_is_better=not lower,
        bounds=(0.0, 1.0) if _BETWEEN_0_AND_1.fullmatch(metric) else None,
        notes=(*_notes(spec, stats, questions, bent), *_contradictions(spec.file, stats, questions, metric, bent)),
    )


def _notes(spec: _Spec, stats: _Stats, questions: _Questions, bent: str) -> Iterator[str]:
    others = sorted({place[1] for place, _ in stats.rows} - {bent})
    if others:
        yield f"questions in other forms are left out: {', '.join(others)} (filter=, --filter)"
    if not questions.proofs:
        yield (
            f"nothing proves that the ids mean the same questions as in another run: {_STATE} is not beside"
            f" {spec.file.name}"
        )
    lost = sum(place[1] == bent for *place, _ in questions.failed)
    if lost:
        yield f"calls that failed, which HELM scored as empty answers, and which have no score here: {lost}"


def _contradictions(file: Path, stats: _Stats, questions: _Questions, metric: str, bent: str) -> Iterator[str]:
    """Say what HELM wrote beside the numbers of the questions that these do not bear out."""
    there = {(place, trial) for place, trial in stats.rows if place[1] == bent}
    asked = {(place, trial) for place, trial in questions.asked if place[1] == bent}
    noted = []
    if asked - there:
        missing = {place[0] for place, _ in asked - there}
        noted = [*note_count(f"{_STATE} is of", len(asked | there), len(there), "answers", missing)]
    elif questions.asked and there - asked:
        name = min(place[0] for place, _ in there - asked)
        noted = [f"{_STATE} has no answer to {len(there - asked)} of the questions that have scores: {name!r}"]
    if not noted:  # every trial asks every question
        every = {place for place, _ in there}, {trial for _, trial in there}
        lacking = {place[0] for place in every[0] for trial in every[1] if (place, trial) not in there}
        whole = len(every[0]) * len(every[1])
        noted = [*note_count(f"{len(every[1])} trials make", whole, len(there), "answers", lacking)]
    if bent == _AS_IT_WAS and not noted:
        yield from _other_totals(file, stats, metric, there, failed=bool(questions.failed))
    yield from noted


def _other_totals(
    file: Path, stats: _Stats, metric: str, there: set[tuple[Place, int]], *, failed: bool
) -> Iterator[str]:
    """Say that stats.json beside has another number of questions, or another mean: over trials, of their means."""
    totals = _totals(file.with_name(_TOTALS))
    counts, means = totals.get(_INSTANCES_COUNTED, []), totals.get(metric, [])
    if counts and None not in counts:
        questions = len({place for place, _ in there})
        noted = [*note_count(f"{_TOTALS} is of", sum(filter(None, counts)), questions, "questions")]
        if noted:
            yield from noted
            return
    if failed or len(means) != 1:  # HELM scores what failed as an empty answer
        return
    trials: dict[int, list[float]] = {}
    for _, trial, score in stats.of(metric, _AS_IT_WAS):
        if score is not None:
            trials.setdefault(trial, []).append(score)
    if trials:
        mean = fmean(fmean(scores) for scores in trials.values())
        yield from note_mean(_TOTALS, metric, means[0], mean)


def _totals(file: Path) -> dict[str, list[float | None]]:
    """Return the means over all questions as they were, by metric: one for each split."""
    found: dict[str, list[float | None]] = {}
    if not file.is_file():
        return found
    with file.open("rb") as stream:
        for stat in items(stream, file):
            name = as_object(as_object(stat).get("name"))
            if isinstance(name.get("name"), str) and name.keys() <= {"name", "split"}:
                found.setdefault(name["name"], []).append(as_mean(stat.get("mean")))
    return found


class _Stats:
    """The numbers of a run: of each question and trial a row, of each metric the rows that have it."""

    def __init__(self, file: Path, wanted: Wanted) -> None:
        self.file, self.wanted = file, wanted
        self.rows: dict[tuple[Place, int], int] = {}
        self.found: dict[str, tuple[array[int], array[float]]] = {}
        with file.open("rb") as stream:
            for entry in items(stream, file):
                self._add(entry)

    def _add(self, entry: Any) -> None:
        """Keep one entry; of a question there is one for every metric object of the run."""
        if not isinstance(entry, dict) or not entry.keys() >= _KEYS or not isinstance(entry["stats"], list):
            raise InvalidEvidence(f"{self.file}: entry {len(self.rows) + 1} is no question's. Is it of HELM?")
        place = (str(entry["instance_id"]), _bent(entry))
        trial = as_count(entry["train_trial_index"])
        if trial is None or trial >= _MOST_TRIALS:
            raise InvalidEvidence(
                f"{self.file}: train_trial_index of {place[0]!r} must be a whole number from 0 to {_MOST_TRIALS - 1},"
                f" got {str(entry['train_trial_index'])[:60]!r}. Copy the file again, or run the evaluation again."
            )
        row = self.rows.setdefault((place, trial), len(self.rows))
        for stat in entry["stats"]:
            name = stat["name"].get("name") if isinstance(stat, dict) and isinstance(stat.get("name"), dict) else None
            if not isinstance(name, str):
                raise InvalidEvidence(f"{self.file}: a number of {place[0]!r} has no name. Is it of HELM?")
            if name != self.wanted.metric and _ABOUT_THE_ANSWER.fullmatch(name):
                continue
            value = _mean(stat, f"{self.file}: {name} of {place[0]!r}")
            if name not in self.found and len(self.found) == _MOST_METRICS:
                raise InvalidEvidence(f"{self.file} has more than {_MOST_METRICS} metrics. Is it of HELM?")
            rows, values = self.found.setdefault(name, (array("q"), array("d")))
            if value is not None:
                rows.append(row)
                values.append(value)

    def choose_metric(self) -> str:
        """Return the metric that is meant."""
        return choose("metric", self.found, self.wanted.metric, option="metric", where=self.file)

    def choose_bent(self) -> str:
        """Return in which form the questions are meant: as they were, if there are such and nothing is said."""
        forms = {place[1] for place, _ in self.rows}
        asked = self.wanted.filter
        if asked is None and _AS_IT_WAS in forms:
            return _AS_IT_WAS
        return choose("perturbation", forms, asked, option="filter", where=self.file)

    def of(self, metric: str, bent: str) -> Iterator[tuple[Place, int, float | None]]:
        """Yield the questions in this form, and what the metric gave: None where it gave nothing."""
        scores: dict[int, float] = {}
        for row, score in zip(*self.found[metric], strict=True):
            if scores.setdefault(row, score) != score:
                name = next(place[0] for (place, _), each in self.rows.items() if each == row)
                raise InvalidEvidence(
                    f"{self.file} gives two values of {metric!r} for {name!r}: {scores[row]:g} and {score:g}. Were two"
                    " runs written into one file? Keep the entries of one."
                )
        for (place, trial), row in self.rows.items():
            if place[1] == bent:
                yield place, trial, scores.get(row)


def _mean(stat: Mapping[str, Any], what: str) -> float | None:
    """Return a number's mean; one that was never given has none."""
    return as_score(stat.get("mean"), what) if stat.get("count") else None


def _bent(holder: Mapping[str, Any]) -> str:
    """Return the name of the form in which a question is asked."""
    how = holder.get("perturbation")
    if not isinstance(how, dict):
        return _AS_IT_WAS
    seed = how.get("seed")
    return str(how.get("name")) if seed is None else f"{how.get('name')} (seed {seed})"


@dataclass(frozen=True, slots=True)
class _Questions:
    """What is known of the questions themselves."""

    wanted: Wanted
    proofs: dict[Place, str] = field(default_factory=dict)
    metadata: dict[Place, Mapping[str, Any]] = field(default_factory=dict)
    failed: dict[tuple[str, str, int], str] = field(default_factory=dict)
    asked: set[tuple[Place, int]] = field(default_factory=set)  # questions and trials, as far as the state lists them

    def add(self, instance: Any) -> Place:
        """Keep of a question what shows which one it is."""
        if not isinstance(instance, dict) or not isinstance(instance.get("input"), dict):
            raise TypeError("a question has no input")
        place = (str(instance.get("id")), _bent(instance))
        if place not in self.proofs:
            given = instance["input"]
            outputs = [(each.get("output") or {}).get("text") for each in instance.get("references") or ()]
            self.proofs[place] = fingerprint(given.get("text"), given.get("messages"), outputs)
            about = {key: instance[key] for key in ("split", "sub_split") if key in instance}
            more = instance.get("extra_data")
            about |= more if isinstance(more, dict) else {}
            self.metadata[place] = asked_for(about, self.wanted, whole=len(self.metadata) < WHOLE)
        return place


def _questions(file: Path, wanted: Wanted) -> _Questions:
    """Return the questions of a run, from what HELM wrote beside its numbers."""
    questions = _Questions(wanted)
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
            for asked in items(stream, where, "request_states"):
                place = questions.add(asked.get("instance"))
                result = asked.get("result") or {}
                trial = asked.get("train_trial_index", 0)
                questions.asked.add((place, trial))
                if result.get("success") is False:
                    questions.failed[*place, trial] = first_line(result.get("error") or "the call failed")
    except (AttributeError, TypeError) as error:
        raise InvalidEvidence(f"{where} is not as HELM writes it: {error}.") from None
    return questions


READER = Reader(name="helm", title="HELM", recognises=_recognises, runs=_runs)
