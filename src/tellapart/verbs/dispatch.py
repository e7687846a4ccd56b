"""Conversion of data to evidence, by the qualified name of their type, so that no package is imported for it.

An object of another package is supported by a method `__evidence__(request)` on its class, or by
`@converts("package.module.Class")` on a function (data, request) → evidence. A file is supported by its name:
`@converts("*.votes.json")` on a function (path, request) → evidence. Installed packages register converters
through the entry point group `tellapart.evidence`, which is loaded if no other converter fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Evidence
from ..methods import Gives, look_up
from ..metrics import find_metric, unknown_metric
from ..typing_ import describe_choice, list_names
from .request import Request

Converted = tuple[Evidence, Mapping[str, int]]  # the numbers of examples left out, by reason
Converter = Callable[[Any, Request], Any]
_CONVERTERS: dict[str, Converter] = {}
_HEEDING: set[Converter] = set()  # converters that apply the metric and the models of the request


def converts(*names: str, heeds_request: bool = False) -> Callable[[Converter], Converter]:
    """Register a function (data, request) for types of these qualified names, or for files ("*.votes.json").

    The function returns evidence, or evidence and the numbers left out by reason, or anything that can be converted.
    For a file it takes the path. The models and the metric of the request are then applied, unless the function does
    so itself.
    """

    def register(convert: Converter) -> Converter:
        _CONVERTERS.update(dict.fromkeys(names, convert))
        if heeds_request:
            _HEEDING.add(convert)
        return convert

    return register


def as_evidence(data: Any, request: Request) -> Converted:
    """Return the evidence for a request, and the numbers of examples left out, by reason."""
    if isinstance(data, Evidence):
        if request.missing != "fail":
            raise InvalidOption(
                f"`missing` needs predictions or a race, got {type(data).__name__}, which has no missing values. Leave"
                " it out."
            )
        return _select_models(_apply_metric(data, request), request), {}
    convert = find_converter(data)
    if convert is None:
        raise InvalidEvidence(_explain_refusal(data))
    converted = convert(Path(data) if isinstance(data, str) else data, request)
    evidence, reasons = converted if isinstance(converted, tuple) else (converted, {})
    if not isinstance(evidence, Evidence):
        evidence, more = as_evidence(evidence, request)
        return evidence, {**reasons, **more}
    return evidence if convert in _HEEDING else _select_models(_apply_metric(evidence, request), request), reasons


def find_converter(data: Any) -> Converter | None:
    """Return the converter of the data to evidence; None if there is none for their class."""
    method = getattr(type(data), "__evidence__", None)
    if method is not None:
        return method  # type: ignore[no-any-return]
    convert = _find_registered_converter(data)
    if convert is None:
        from ..plugins import load_plugins

        load_plugins("tellapart.evidence")
        convert = _find_registered_converter(data)
    return convert


def _find_registered_converter(data: Any) -> Converter | None:
    if isinstance(data, str | Path):
        return _find_file_converter(Path(data))
    names = (f"{base.__module__}.{base.__qualname__}" for base in type(data).__mro__)
    return next((_CONVERTERS[name] for name in names if name in _CONVERTERS), None)


def _find_file_converter(file: Path) -> Converter | None:
    """Return the converter of files with this name, the longest pattern first."""
    patterns = sorted((name for name in _CONVERTERS if "*" in name), key=len, reverse=True)
    return next((_CONVERTERS[name] for name in patterns if fnmatchcase(file.name, name)), None)


def is_file_of_evidence(file: str | Path) -> bool:
    """Return whether a converter reads files with this name."""
    return find_converter(Path(file)) is not None


def _explain_refusal(data: Any) -> str:
    """Return the message that the data are of no supported type."""
    got = "None" if data is None else type(data).__name__
    return (
        f"`evidence` must be counts, predictions, scores or a race, got {got}. Use PairedTable(...) or"
        " ErrorCount(...) for counts, read_predictions(...) for a file."
    )


# --- Evidence ---------------------------------------------------------------------------


def _apply_metric(evidence: Evidence, request: Request) -> Evidence:
    """Return the evidence about the metric of the request."""
    metric = "cost" if request.metric is None and request.costs is not None else request.metric
    if metric is None and request.positive is None:
        return evidence
    return evidence.by(metric, positive=request.positive, costs=request.costs)


def _select_models(evidence: Evidence, request: Request) -> Evidence:
    """Return the evidence of the models of the request."""
    names = request.learners
    if names is None or names == evidence.models:
        return evidence
    if not set(names) <= set(evidence.models) or len(set(names)) < len(names):
        unknown = [name for name in names if name not in evidence.models]
        if unknown:
            raise InvalidOption(describe_choice("learners", unknown[0], evidence.models))
        raise InvalidOption(f"`learners` must be different names, got {list_names(names)}.")
    return evidence.select(*names)


# --- Predictions --------------------------------------------------------------------------------------


@converts("tellapart.predictions.record.Predictions", heeds_request=True)
def _of_predictions(predictions: Any, request: Request) -> Any:
    """Return the evidence of predictions for a metric: outcomes, counts, or scores by class."""
    name = "cost" if request.metric is None and request.costs is not None else request.metric or "error"
    metric = find_metric(name)
    if request.metric is None and request.positive is not None:
        raise InvalidOption(_NO_METRIC.format(positive=request.positive))
    if request.missing != "fail":
        predictions = replace(predictions, missing=request.missing)
    if metric is not None and metric.needs == "scores":
        if request.costs is not None:
            raise InvalidOption("`costs` need metric='cost' and predicted labels. Leave them out.")
        tally = predictions.class_score_tally(positive=request.positive)
        return tally.scores.by(name), tally.reasons
    scored = predictions.scored
    of_scores = scored is not None and request.metric is not None and find_metric(scored.metric) == metric
    if request.metric is not None and metric is None and not (scored is not None and scored.metric == request.metric):
        raise InvalidOption(unknown_metric(request.metric))
    if metric is None or metric.is_rate or of_scores:
        by_example = predictions.by_example or request.by_example
        tally = predictions.outcome_tally() if by_example else predictions.tally()
        evidence = tally.outcomes if by_example else _of_tally(tally, request)
        return _report_named_rate(evidence, request.metric), tally.reasons
    tally = predictions.cross_tally()
    return _of_tally(tally, request).by(name, positive=request.positive, costs=request.costs), tally.reasons


def _report_named_rate(evidence: Evidence, metric: Any) -> Evidence:
    """Return the evidence, reported as error rate instead of accuracy if the error rate was requested by name."""
    known = find_metric(metric) if isinstance(metric, str) else None
    return evidence.report_as(as_accuracy=False) if known is not None and known.is_rate else evidence


@converts("tellapart.predictions.tally.Tally", "tellapart.predictions.tally.CrossTally", heeds_request=True)
def _of_tally(tally: Any, _: Request) -> Any:
    """Return the counts of one model, of two or of several."""
    by_label = hasattr(tally, "confusion_matrix")
    if len(tally.models) == 1:
        return tally.confusion_matrix() if by_label else tally.error_counts()[..., 0]
    if len(tally.models) == 2:
        return tally.paired_confusion() if by_label else tally.paired_table()
    return tally.label_patterns() if by_label else tally.error_patterns()


@converts("tellapart.predictions.scoring.OutcomeTally", heeds_request=True)
def _of_outcomes(tally: Any, _: Request) -> Any:
    return tally.outcomes, tally.reasons


_NO_METRIC = "`metric` is required with positive={positive!r}. Use metric='recall', for example."

# --- Races --------------------------------------------------------------------------------------------

_OF_CLASSIFIERS = ("PairedTable", "ErrorPatterns", "PairedConfusion", "ClassScores", "Outcomes")
_GIVES: tuple[Gives, ...] = ("test", "interval", "pairs")


@converts("tellapart.running.record.Race", heeds_request=True)
def _of_race(race: Any, request: Request) -> Any:
    """Return the evidence of a race.

    Classifiers from one split are compared on its test set, unless a method for learners is named. Several seeds are
    crossed with the test examples.
    """
    names = request.learners or ()
    metric = "cost" if request.metric is None and request.costs is not None else request.metric
    if metric is None and request.positive is not None:
        raise InvalidOption(_NO_METRIC.format(positive=request.positive))
    more = {name: getattr(request, name) for name in ("positive", "costs") if getattr(request, name) is not None}
    if race.plan.kind == "delve" or (race.plan.one_split and race.seeds > 1 and _is_mean(metric)):
        evidence = race.training_sets(*names, metric=metric or "error", missing=request.missing, **more)
        return _report_named_rate(evidence, metric)
    named = (name for name in (request.method, request.interval) if name is not None)
    if race.plan.one_split and race.seeds == 1 and all(map(_is_for_classifiers, named)):
        evidence = _of_one_split(race, names or race.learners, metric)
        if evidence is not None:
            return evidence.by(metric, **more) if metric is not None else evidence
    evidence = race.resamples(*names, metric=metric or "error", missing=request.missing, **more)
    return _report_named_rate(evidence, metric)


def _of_one_split(race: Any, names: Sequence[str], metric: Any) -> Evidence | None:
    """Return the evidence of the classifiers of one split on its test set; None if losses are sufficient."""
    single, evidence = len(names) == 1, None
    known = find_metric(metric) if isinstance(metric, str) else None
    if metric is None:
        evidence = None if single else race.error_patterns(*names)
    elif known is None or known.name == "auc-ovo" or (single and known.is_mean):
        evidence = None
    elif known.needs == "scores":
        evidence = race.class_scores(*names)
    elif single:
        evidence = race.confusion_matrix(*names)
    else:
        evidence = race.paired_confusion(*names) if len(names) == 2 else race.label_patterns(*names)
    return evidence


def _is_mean(metric: Any) -> bool:
    """Return whether the metric (default: the error rate) is a mean over examples."""
    known = find_metric(metric) if isinstance(metric, str) else None
    return metric is None or (known is not None and known.is_mean)


def _is_for_classifiers(method: str) -> bool:
    from .. import evidence

    kinds = (getattr(evidence, name) for name in _OF_CLASSIFIERS)
    return any(look_up(method, gives, kind) is not None for kind in kinds for gives in _GIVES)
