"""From what users hold to evidence: the only place that looks at types, by name, so that none is imported for it.

An object of another package joins in either of two ways: a method `__evidence__(request)` on its class, or
`@converts("package.module.Class")` on a function (data, request) → evidence. A file joins by its name:
`@converts("*.votes.json")` on a function (path, request) → evidence. Packages that are installed register theirs
through the entry point group `tellapart.evidence`, which is looked up where nothing else knows the data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Evidence
from ..methods import Gives, look_up
from ..metrics import find_metric, unknown_metric
from .request import Request

Converted = tuple[Evidence, Mapping[str, int]]  # and what was left out, by reason
Converter = Callable[[Any, Request], Any]
_CONVERTERS: dict[str, Converter] = {}
_HEEDING: set[Converter] = set()  # those whose evidence is of the metric and the models of the request


def converts(*names: str, heeds_request: bool = False) -> Callable[[Converter], Converter]:
    """Register a function (data, request) for types of these qualified names, or for files ("*.votes.json").

    It returns evidence, or evidence and what was left out by reason, or something else that can be converted. Of a
    file it takes the path. Evidence is then reduced to the models and asked for the metric of the request, unless the
    function heeds these itself.
    """

    def register(convert: Converter) -> Converter:
        _CONVERTERS.update(dict.fromkeys(names, convert))
        if heeds_request:
            _HEEDING.add(convert)
        return convert

    return register


def as_evidence(data: Any, request: Request) -> Converted:
    """Return the evidence that the data hold for a request, and what was left out of it."""
    if isinstance(data, Evidence):
        if request.missing != "refuse":
            raise InvalidOption("missing is for a race of learners, which knows what failed. Leave it out.")
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
    """Return what turns the data into evidence; None where nothing is registered for their class."""
    own = getattr(type(data), "__evidence__", None)
    if own is not None:
        return own  # type: ignore[no-any-return]
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
    """Return what reads files of such a name, the longest pattern first."""
    patterns = sorted((name for name in _CONVERTERS if "*" in name), key=len, reverse=True)
    return next((_CONVERTERS[name] for name in patterns if fnmatchcase(file.name, name)), None)


def is_file_of_evidence(file: str | Path) -> bool:
    """Test whether a converter, of an installed package perhaps, reads files of such a name."""
    return find_converter(Path(file)) is not None


def _explain_refusal(data: Any) -> str:
    """Return the message that nobody knows how to read this."""
    return (
        f"evidence must be counts, predictions, a race or the like, but is {type(data).__name__}. Write"
        " PairedTable(both_wrong, only_a_wrong, only_b_wrong, both_right) or ErrorCount(errors, trials) for counts, and"
        " read_predictions(file) for a table of predictions."
    )


# --- Evidence that is there ---------------------------------------------------------------------------


def _apply_metric(evidence: Evidence, request: Request) -> Evidence:
    """Return the evidence, asked for the metric of the request."""
    metric = "cost" if request.metric is None and request.costs is not None else request.metric
    if metric is None and request.positive is None:
        return evidence
    return evidence.by(metric, positive=request.positive, costs=request.costs)


def _select_models(evidence: Evidence, request: Request) -> Evidence:
    """Return the evidence of the models that are named."""
    names = request.learners
    if names is None or names == evidence.models:
        return evidence
    if not set(names) <= set(evidence.models) or len(set(names)) < len(names):
        raise InvalidOption(f"learners must be some of {', '.join(evidence.models)}, each once, but are {names!r}.")
    return evidence.select(*names)


# --- Predictions --------------------------------------------------------------------------------------


@converts("tellapart.predictions.record.Predictions", heeds_request=True)
def _of_predictions(predictions: Any, request: Request) -> Any:
    """Return what predictions hold for a metric: outcomes, joint counts of labels, or scores of classes."""
    metric = find_metric("cost" if request.metric is None and request.costs is not None else request.metric or "error")
    if request.metric is None and request.positive is not None:
        raise InvalidOption(_NO_METRIC.format(positive=request.positive))
    if metric is not None and metric.needs == "scores":
        if request.costs is not None:
            raise InvalidOption("costs are for metric='cost', of labels. Leave them out.")
        tally = predictions.class_score_tally(positive=request.positive)
        return tally.scores.by(metric.name), tally.reasons
    scored = predictions.scored
    of_scores = scored is not None and request.metric is not None and find_metric(scored.metric) == metric
    if request.metric is not None and metric is None and not (scored is not None and scored.metric == request.metric):
        raise InvalidOption(unknown_metric(request.metric))
    if metric is None or metric.is_rate or of_scores:
        if predictions.by_example or request.by_example:
            tally = predictions.outcome_tally()
            return tally.outcomes, tally.reasons
        tally = predictions.tally()
        return _of_tally(tally, request), tally.reasons
    tally = predictions.cross_tally()
    return _of_tally(tally, request).by(metric.name, positive=request.positive, costs=request.costs), tally.reasons


@converts("tellapart.predictions.tally.Tally", "tellapart.predictions.tally.CrossTally", heeds_request=True)
def _of_tally(tally: Any, _: Request) -> Any:
    """Return what was counted of one model, of two or of several."""
    by_label = hasattr(tally, "confusion_matrix")
    if len(tally.models) == 1:
        return tally.confusion_matrix() if by_label else tally.error_counts()[..., 0]
    if len(tally.models) == 2:
        return tally.paired_confusion() if by_label else tally.paired_table()
    return tally.label_patterns() if by_label else tally.error_patterns()


@converts("tellapart.predictions.scoring.OutcomeTally", heeds_request=True)
def _of_outcomes(tally: Any, _: Request) -> Any:
    return tally.outcomes, tally.reasons


_NO_METRIC = "positive={positive!r} is for a metric of one class. Say which: metric='recall', say."

# --- Races --------------------------------------------------------------------------------------------

_OF_CLASSIFIERS = ("PairedTable", "ErrorPatterns", "PairedConfusion", "ClassScores", "Outcomes")
_GIVES: tuple[Gives, ...] = ("test", "interval", "pairs")


@converts("tellapart.running.record.Race", heeds_request=True)
def _of_race(race: Any, request: Request) -> Any:
    """Return what a race holds about its learners.

    One split made classifiers, which were tested on one test set; they are compared as such, unless a method is named
    that is for learners only. Several seeds of them are crossed with the test examples.
    """
    names = request.learners or ()
    metric = "cost" if request.metric is None and request.costs is not None else request.metric
    if metric is None and request.positive is not None:
        raise InvalidOption(_NO_METRIC.format(positive=request.positive))
    more = {name: getattr(request, name) for name in ("positive", "costs") if getattr(request, name) is not None}
    if race.plan.kind == "delve" or (race.plan.one_split and race.seeds > 1 and _is_mean(metric)):
        return race.training_sets(*names, metric=metric or "error", missing=request.missing, **more)
    named = (name for name in (request.method, request.interval) if name is not None)
    if race.plan.one_split and race.seeds == 1 and all(map(_is_for_classifiers, named)):
        evidence = _of_one_split(race, names or race.learners, metric)
        if evidence is not None:
            return evidence.by(metric, **more) if metric is not None else evidence
    return race.resamples(*names, metric=metric or "error", missing=request.missing, **more)


def _of_one_split(race: Any, names: Sequence[str], metric: Any) -> Evidence | None:
    """Return what the classifiers of one split did on its test set; None where the losses of learners say as much."""
    one, evidence = len(names) == 1, None
    known = find_metric(metric) if isinstance(metric, str) else None
    if metric is None:
        evidence = None if one else race.error_patterns(*names)
    elif known is None or known.name == "auc-ovo" or (one and known.is_mean):
        evidence = None
    elif known.needs == "scores":
        evidence = race.class_scores(*names)
    elif one:
        evidence = race.confusion_matrix(*names)
    else:
        evidence = race.paired_confusion(*names) if len(names) == 2 else race.label_patterns(*names)
    return evidence


def _is_mean(metric: Any) -> bool:
    """Whether the metric, or the error if there is none, is a mean over examples."""
    known = find_metric(metric) if isinstance(metric, str) else None
    return metric is None or (known is not None and known.is_mean)


def _is_for_classifiers(method: str) -> bool:
    from .. import evidence

    kinds = (getattr(evidence, name) for name in _OF_CLASSIFIERS)
    return any(look_up(method, gives, kind) is not None for kind in kinds for gives in _GIVES)
