"""Results of promptfoo: JSON (streamed) and JSON lines.

A file is a grid of tests by columns, each column a provider and a prompt: a model here. promptfoo names no test: the
number of a test is its place, and with `--repeat` each repeat has a number of its own. So a test is known by its
variables, and tests with the same variables and assertions are repeats of one item. What failed has no score here,
though promptfoo writes a 0 for it; nor has a test that asserts nothing, which it writes a 1 for.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import InvalidEvidence
from ...predictions.engine import quote_names
from .json_stream import Window, lines
from .run import Head, LogRun, Reader, Selection, choose
from .run_rows import WHOLE, RunRows, as_list, as_object, as_score, fingerprint, first_line, keep_metadata
from .stated import as_count, as_mean, note_count, note_mean

_KNOWN_VERSION = 3  # of the format, since the end of 2024; 2 had no columns' numbers and no test cases
_GRID = re.compile(rb'\s*\{\s*("evalId"\s*:\s*("[^"]*"|null)\s*,\s*)?"results"\s*:\s*\{\s*"version"\s*:\s*\d')
_ROW = (b'"promptIdx":', b'"testIdx":', b'"namedScores":')
_LONG_ROW = re.compile(  # how one begins: when the run is finished, and while it runs
    rb'\{"cost":[^,]*,"(?:error":"|gradingResult":\{)|\{"provider":\{"id":"[^"]*".*?\},"prompt":\{"raw":', re.DOTALL
)
_START = 60_000  # bytes: a beginning of this length may end within the first row
_PASS, _SCORE = "pass", "score"  # scores of every answer, in addition to those that assertions name
_ERROR = 2  # a failureReason; 1 is a failed assertion, 0 none
_NOTHING_ASSERTED = "No assertions"
_SCRIPTS = ("javascript", "python", "ruby", "webhook")  # assertions that may name scores in their own way
_RELATIVE = ("select-best", "max-score")
_BROKE = ("Custom function threw error", "Python code execution failed", "Ruby code execution failed")
_LONGEST_LABEL, _SHOWN = 60, 40  # characters of a prompt in the name of a model, and of a variable in that of an item
_TASK = "promptfoo"  # it has none
_MOST_SCORES = 1000  # names of scores, above which a file is refused

_SEEN = {  # facts to note
    "failed": "answers that failed have no score here: {}; promptfoo's pass rate counts them as failed tests",
    "judge": "answers without a score because the judge failed: {}; promptfoo counts them as failed tests",
    "nothing asserted": "answers without a score because their tests assert nothing: {}; promptfoo passes them",
    "broke": "assertions that broke: {}; they count as failed, as they do for promptfoo",
    "relative": "an assertion compares the columns of the file: the verdict on one model depends on the others",
}

Test = Mapping[str, Any]


def _recognises_log(head: Head) -> bool:
    if head.is_folder:
        return False
    first = head.start.lstrip().split(b"\n", 1)[0]
    if len(first) >= _START:
        return bool(_LONG_ROW.match(first) or _GRID.match(head.start))
    return bool(_GRID.match(head.start)) or (first.startswith(b"{") and all(key in first for key in _ROW))


@dataclass(slots=True)
class _Answer:
    """The data kept of one cell of the grid."""

    index: int  # of its test in the file
    item: str  # a hash of the test's variables
    test: str  # a hash of what it asserts
    title: str
    score: float | None
    error: str | None
    proof: str | None
    metadata: Mapping[str, Any]


@dataclass(slots=True)
class _Grid:
    """The data kept of a file, by column."""

    where: Path
    selection: Selection
    columns: dict[Any, list[_Answer]] = field(default_factory=dict)
    labels: dict[Any, tuple[str, str]] = field(default_factory=dict)  # provider and prompt of each column
    names: set[str] = field(default_factory=set)  # of scores
    about: dict[str, Any] = field(default_factory=dict)
    seen: dict[Any, Counter[str]] = field(default_factory=dict)  # by column: the facts to note, and their counts
    elsewhere: set[str] = field(default_factory=set)  # items that were graded, but not by the score that is meant
    passed: Counter[Any] = field(default_factory=Counter)  # by column: answers that passed
    total: dict[Any, float] = field(default_factory=dict)  # by column: all scores together
    test_numbers: dict[Any, set[int]] = field(default_factory=dict)  # by column: the numbers of the tests that were met
    unnumbered: Counter[Any] = field(default_factory=Counter)  # by column: answers without such a number

    @property
    def metric(self) -> str:
        return self.selection.metric or _PASS

    def add(self, row: Mapping[str, Any]) -> None:
        """Add one answer, if it has the selected score."""
        test = as_object(row.get("testCase"))
        named = as_object(row.get("namedScores"))
        self.names |= named.keys()
        if len(self.names) > _MOST_SCORES:
            raise InvalidEvidence(
                f"{self.where} has more than {_MOST_SCORES} names of scores. Check that it was written by promptfoo."
            )
        provider, prompt = (
            _format_label(row.get("provider"), "label", "id"),
            _format_label(row.get("prompt"), "label", "display"),
        )
        column = row["promptIdx"] if isinstance(row.get("promptIdx"), int) else (provider, prompt)
        self.labels.setdefault(column, (provider, prompt))
        answers = self.columns.setdefault(column, [])
        self._count_answer(row, column)
        item, title = self._name_item(row, test)
        graded = self._grade_answer(row, named, test, self.seen.setdefault(column, Counter()))
        if graded is None:
            self.elsewhere.add(item)
            return
        score, error = graded
        answers.append(
            _Answer(
                index=row["testIdx"] if isinstance(row.get("testIdx"), int) else len(answers),
                item=item,
                test=fingerprint(test.get("description"), test.get("assert"), test.get("threshold")),
                title=" ".join(title[:_SHOWN].split()),
                score=score,
                error=error,
                proof=fingerprint(item, *self._judged_by(test)) if test else None,
                metadata=self._kept_metadata(row, test, whole=len(answers) < WHOLE),
            )
        )

    def _count_answer(self, row: Mapping[str, Any], column: Any) -> None:
        """Count an answer; a column has one answer for each test, with repeats as separate tests."""
        number, met = row.get("testIdx"), self.test_numbers.setdefault(column, set())
        self.passed[column] += row.get("success") is True
        self.total[column] = self.total.get(column, 0.0) + (as_mean(row.get("score")) or 0.0)
        if not isinstance(number, int):
            self.unnumbered[column] += 1
        elif number in met and isinstance(column, int):
            raise InvalidEvidence(
                f"{self.where} has two answers of column {column} to test {number}.  Keep the rows of one."
            )
        else:
            met.add(number)

    def answered(self, column: Any) -> int:
        """Return how many answers of a column the file has."""
        return len(self.test_numbers[column]) + self.unnumbered[column]

    def _kept_metadata(self, row: Mapping[str, Any], test: Test, *, whole: bool) -> Mapping[str, Any]:
        """Return the metadata of an answer; fields of the test take precedence over those of the run."""
        if not self.selection.columns:
            return {}
        metadata = {
            "description": test.get("description"),
            **as_object(row.get("metadata")),
            **as_object(test.get("metadata")),
        }
        return keep_metadata(metadata, self.selection, whole=whole)

    def _name_item(self, row: Mapping[str, Any], test: Test) -> tuple[str, str]:
        """Return the identity of a test in every run, and its title."""
        variables = test.get("vars") or row.get("vars")
        if isinstance(variables, dict) and variables:
            longest = max((str(value) for _, value in sorted(variables.items())), key=len)
            return fingerprint(variables), longest
        described = test.get("description") or row.get("description")
        if described:
            return fingerprint("described", described), str(described)
        raise InvalidEvidence(
            f"{self.where}: test {row.get('testIdx')} has neither variables nor a description, and nothing else names"
            " it in another run. Was PROMPTFOO_STRIP_TEST_VARS set? Run it without."
        )

    def _judged_by(self, test: Test) -> tuple[Any, ...]:
        """Return the assertions of the selected score: with others it would be another score."""
        if self.metric in (_PASS, _SCORE):
            return test.get("assert"), test.get("threshold")
        return ([assertion for assertion in _list_assertions(test) if assertion.get("metric") == self.metric],)

    def _grade_answer(
        self, row: Mapping[str, Any], named: Mapping[str, Any], test: Test, seen: Counter[str]
    ) -> tuple[float | None, str | None] | None:
        """Return the score of an answer and why it has none; None where the test has no such score."""
        grading, metric = as_object(row.get("gradingResult")), self.metric
        general = metric in (_PASS, _SCORE)
        if _has_failed(row, grading):
            if not general and not _may_have(test, metric):
                return None
            seen["failed"] += 1
            return None, first_line(row.get("error"))
        if not general and metric not in named:
            # An answer without an output failed its test, but was not graded.
            empty = not grading and row.get("error") and _may_have(test, metric)
            return (None, first_line(row["error"])) if empty else None
        if grading.get("reason") == _NOTHING_ASSERTED and not grading.get("componentResults"):
            seen["nothing asserted"] += 1
            return None, "the test asserts nothing"
        for component in _list_components(grading):
            assertion = as_object(component.get("assertion"))
            if general or assertion.get("metric") == metric:
                if as_object(component.get("metadata")).get("graderError") is True:
                    seen["judge"] += 1
                    return None, f"the judge failed: {first_line(component.get('reason') or '')}"
                seen["broke"] += str(component.get("reason")).startswith(_BROKE)
                seen["relative"] += assertion.get("type") in _RELATIVE
        value = row.get("success") if metric == _PASS else row.get("score") if metric == _SCORE else named[metric]
        return as_score(value, f"{self.where}, test {row.get('testIdx')}: {metric}"), None


def _has_failed(row: Mapping[str, Any], grading: Mapping[str, Any]) -> bool:
    """Whether the provider failed, or the grading as a whole; the old format has no reason, but then no grading."""
    if "failureReason" in row:
        return bool(row["failureReason"] == _ERROR)
    return bool(row.get("error")) and not grading


def _list_components(grading: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the results of the assertions, also of those in sets."""
    for component in as_list(grading.get("componentResults")):
        if isinstance(component, dict):
            yield component
            yield from _list_components(component)


def _list_assertions(test: Test) -> Iterator[Mapping[str, Any]]:
    for assertion in as_list(test.get("assert")):
        if isinstance(assertion, dict):
            yield assertion
            yield from _list_assertions(assertion)


def _may_have(test: Test, metric: str) -> bool:
    """Whether a test that failed would have had a score of this name, as far as its assertions show."""
    asserted = list(_list_assertions(test))
    return not asserted or any(
        assertion.get("metric") == metric or "{{" in str(assertion.get("metric")) or assertion.get("type") in _SCRIPTS
        for assertion in asserted
    )


def _format_label(value: Any, *keys: str) -> str:
    """Return what a provider or prompt is called: in one line, cut short."""
    if isinstance(value, dict):
        value = next((value[key] for key in (*keys, "raw") if value.get(key)), "")
    text = " ".join(str(value or "").split())
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


# --- The file -----------------------------------------------------------------------------------------


def _read_runs(path: Path, selection: Selection) -> list[LogRun]:
    grid = _Grid(where=path, selection=selection)
    with path.open("rb") as stream:
        start = stream.read(4096).removeprefix(codecs.BOM_UTF8)
        stream.seek(0)
        if _GRID.match(start):
            _read_grid(Window(stream, path), grid)
        else:
            for row in lines(stream, path):
                if not {"provider", "success", "score"} <= row.keys():
                    raise InvalidEvidence(f"{path} must hold results of promptfoo in each line.")
                grid.add(row)
    if not grid.columns:
        raise InvalidEvidence(f"{path} holds no results. Finish the run first.")
    choose("score", {_PASS, _SCORE} | grid.names, grid.metric, option="metric", where=path)
    choose("task", [_TASK], selection.task, option="task", where=path)
    return [_build_run(grid, column, model) for column, model in _name_models(grid).items() if grid.columns[column]]


def _read_grid(window: Window, grid: _Grid) -> None:
    for key in window.members():
        if key == "results":
            for inner in window.members():
                if inner == "results":
                    for row in window.elements():
                        grid.add(as_object(row))
                elif inner in ("version", "stats", "prompts"):
                    grid.about[inner] = window.value()
                else:
                    window.skip()
        elif key == "metadata":
            grid.about = as_object(window.value()) | grid.about
        else:
            window.skip()


def _name_models(grid: _Grid) -> dict[Any, str]:
    """Return the name of each column: its provider, and its prompt if there are several."""
    several = len({prompt for _, prompt in grid.labels.values()}) > 1
    models: dict[Any, str] = {}
    often: Counter[str] = Counter()
    numbered = all(isinstance(column, int) for column in grid.columns)
    for column in sorted(grid.columns) if numbered else grid.columns:
        provider, prompt = grid.labels[column]
        name = f"{provider} / {prompt}" if several else provider
        often[name] += 1
        models[column] = name if often[name] == 1 else f"{name} ({often[name]})"
    return models


def _build_run(grid: _Grid, column: Any, model: str) -> LogRun:
    answers = sorted(grid.columns[column], key=lambda answer: answer.index)
    scored = {
        answer.item for column_answers in grid.columns.values() for answer in column_answers if answer.error is None
    }
    tests_by_item: dict[str, set[str]] = {}
    for answer in answers:
        tests_by_item.setdefault(answer.item, set()).add(answer.test)
    never = grid.elsewhere - scored
    rows = RunRows(grid.selection, grid.where)
    for answer in answers:
        if answer.error is not None and answer.item in never:
            continue  # the same test has no such score where it did not fail
        # Tests with the same variables that assert different things are not repeats of one.
        item = answer.item if len(tests_by_item[answer.item]) == 1 else fingerprint(answer.item, answer.test)
        rows.add(
            f"{answer.title} [{item[:16]}]",
            answer.score,
            error=answer.error,
            proof=answer.proof,
            metadata=answer.metadata,
        )
    if not len(rows):
        raise InvalidEvidence(f"{grid.where} has no answer of {model!r} with a score {grid.metric!r}.")
    return LogRun(
        table=rows.table(),
        tool="promptfoo",
        model=model,
        task=_TASK,
        metric=grid.metric,
        bounds=(0.0, 1.0) if grid.metric == _PASS else None,  # an assertion may give any number
        version=str(grid.about.get("promptfooVersion") or grid.about.get("version") or ""),
        notes=(*_collect_notes(grid, grid.seen[column], repeated=rows.counted), *_find_contradictions(grid, column)),
    )


def _collect_notes(grid: _Grid, seen: Counter[str], *, repeated: bool) -> Iterator[str]:
    version = grid.about.get("version")
    if isinstance(version, int) and version > _KNOWN_VERSION:
        yield f"its results have version {version}, newer than the supported version ({_KNOWN_VERSION})"
    if grid.selection.metric is None and grid.names:
        others = quote_names(sorted({_SCORE} | grid.names))
        yield f"the score is whether a test passed; others are {others} (metric=, --metric)"
    if repeated:
        yield "tests with the same variables and assertions are repeats of one item"
    for what, words in _SEEN.items():
        if seen[what]:
            yield words.format(seen[what])


def _find_contradictions(grid: _Grid, column: Any) -> Iterator[str]:
    """Yield notes on statements about the answers of a column, or of all, that those read contradict."""
    prompts, stats = as_list(grid.about.get("prompts")), as_object(grid.about.get("stats"))
    metrics = as_object(as_object(prompts[column]).get("metrics")) if column in range(len(prompts)) else {}
    counts = [as_count(metrics.get(f"test{kind}Count")) for kind in ("Pass", "Fail", "Error")]
    noted = []
    if None not in counts:
        noted = [
            *note_count("the summary of this column is of", sum(filter(None, counts)), grid.answered(column), "answers")
        ]
        noted += [
            *note_count("the summary of this column is of", counts[0], grid.passed[column], "answers that passed")
        ]
        together, answers = as_mean(metrics.get("score")), grid.answered(column)
        if grid.metric == _SCORE and together is not None and answers:
            noted += note_mean("the summary of this column", _SCORE, together / answers, grid.total[column] / answers)
    else:
        kinds = [as_count(stats.get(kind)) for kind in ("successes", "failures", "errors")]
        if None not in kinds:  # the old format counts no errors
            there = sum(map(grid.answered, grid.columns))
            noted = [*note_count("the statistics are of", sum(filter(None, kinds)), there, "answers")]
        noted += [*note_count("the statistics are of", kinds[0], grid.passed.total(), "answers that passed")]
    numbers = grid.test_numbers[column]
    most = 1 + max((max(met) for met in grid.test_numbers.values() if met), default=-1)
    if not noted and numbers and most > len(numbers):
        noted = [*note_count("the numbering implies", most, len(numbers), "answers of this column")]
    yield from noted[:1]


READER = Reader(name="promptfoo", title="promptfoo", recognises=_recognises_log, runs=_read_runs)
