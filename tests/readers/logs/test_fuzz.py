"""A thousand damaged logs: an answer or one clear error, and no sample that is lost in silence.

Every test has its seed in its name, which repeats it: pytest -m slow tests/readers/logs/test_fuzz.py -k "412-"
"""

import json
import re

import pytest

import tellapart as ta
from tellapart.errors import TellapartError

from .damage import LOGS, SOURCES, damage, members, seeded, write_members

pytestmark = pytest.mark.slow

DAMAGED, LOST = 800, 200  # inputs of each law
TOLD = re.compile("may have been cut short|may have been edited|have a summary and are read|the log has . of . samples")
# Logs that state how many samples they have, or their mean: tables of MLflow and lines of promptfoo state nothing.
SILENT = {"swe-bench-folder", "promptfoo", "promptfoo-errors", "promptfoo-repeats", "lm-eval-lower", "inspect-folder"}
STATING = [source for source in SOURCES if source.name not in SILENT and not source.name.startswith("mlflow")]


def _named_case(seed, sources):
    return pytest.param(seed, sources[seed % len(sources)], id=f"{seed}-{sources[seed % len(sources)].name}")


def _read_content(folder):
    return {path: path.is_dir() or path.read_bytes() for path in folder.rglob("*")}


def _read_answer(result):
    """Ask everything of what was read that a log is read for."""
    outcomes = result.outcome_tally().outcomes
    for model in outcomes.models:
        assert str(ta.estimate(outcomes.select(model)))
    if len(outcomes.models) > 1:
        assert str(ta.compare(outcomes))


def _try_damage(call, *arguments, **options):
    """Return what a call returns, and the message of its error if that is one of ours."""
    try:
        return call(*arguments, **options), None
    except TellapartError as error:
        return None, str(error)


def _assert_clear(message, paths):
    assert message.strip()
    assert len(message.splitlines()) == 1
    assert any(name in message for path in paths for name in (path.name, path.stem))


@pytest.mark.parametrize(("seed", "source"), [_named_case(seed, SOURCES) for seed in range(DAMAGED)])
def test_a_damaged_log_gives_an_answer_or_one_clear_error(seed, source, tmp_path):
    draw, paths = seeded(seed), source.copy(tmp_path)
    damage(draw.choice(sorted(path for path in tmp_path.rglob("*") if path.is_file())), draw)
    options = dict(source.options)
    if draw.random() < 0.3:
        options["errors"] = draw.choice(["wrong", "drop", "fail"])
    if draw.random() < 0.3:
        options["missing"] = draw.choice(["wrong", "drop"])
    before = _read_content(tmp_path)
    result, refusal = _try_damage(ta.read_logs, *paths, **options)
    if refusal is not None:
        _assert_clear(refusal, [*before, *paths])
    else:
        _, refusal = _try_damage(_read_answer, result)  # which is about models and items, whatever files they came from
        assert refusal is None or len(refusal.splitlines()) == 1
    assert _read_content(tmp_path) == before


# --- A sample that is lost ----------------------------------------------------------------------------


def _lose_from_json(file, draw, rows_of, chosen=lambda _: True):
    content = json.loads(file.read_text())
    rows = rows_of(content)
    rows.remove(draw.choice([row for row in rows if chosen(row)]))
    file.write_text(json.dumps(content))


def _lose_from_lines(file, draw, chosen=lambda _: True):
    rows = file.read_text().splitlines(keepends=True)
    places = [index for index, row in enumerate(rows) if chosen(json.loads(row))]
    del rows[draw.choice(places)]
    file.write_text("".join(rows))


def _lose_from_archive(file, draw):
    parts = members(file)
    name = "summaries.json" if "summaries.json" in parts else draw.choice(sorted(n for n in parts if "summaries/" in n))
    rows = json.loads(parts[name])
    rows.pop(draw.randrange(len(rows)))
    write_members(file, parts | {name: json.dumps(rows)})


def _lose_an_instance(file, draw):
    report = json.loads(file.read_text())
    report[draw.choice([key for key in ("resolved_ids", "unresolved_ids", "error_ids") if report[key]])].pop()
    file.write_text(json.dumps(report))


def _list_cases(content):
    run = content.get("testRunData", content)
    return run["testCases"] or run["conversationalTestCases"]


def _lose_a_sample(tool, files, draw, options):
    """Remove one sample that is read from one of the files, and leave what the log states of itself as it was."""
    ends, starts = {"every_eval_ever": ".jsonl"}, {"lm_eval": "samples_", "helm": "per_instance_stats"}
    files = [
        file for file in files if file.name.endswith(ends.get(tool, "")) and file.name.startswith(starts.get(tool, ""))
    ]
    file = draw.choice(files)
    if file.suffix == ".eval":
        _lose_from_archive(file, draw)
    elif tool == "inspect":
        _lose_from_json(file, draw, lambda log: log["samples"])
    elif tool == "lm_eval":
        tasks = {"quiz": "capitals"}  # which is a group
        task, expected = options.get("task", ""), options.get("filter")
        named = [file for file in files if tasks.get(task, task) in file.name]
        _lose_from_lines(max(named), draw, lambda row: expected in (None, row["filter"]))
    elif tool == "openai_evals":
        _lose_from_lines(file, draw, lambda row: row.get("type") in ("match", "metrics"))
    elif tool == "every_eval_ever":
        _lose_from_lines(file, draw)
    elif tool == "swebench":
        _lose_an_instance(file, draw)
    elif tool == "promptfoo":  # whose old statistics leave out what failed
        _lose_from_json(file, draw, lambda log: log["results"]["results"], lambda row: row["success"])
    elif tool == "deepeval":
        _lose_from_json(file, draw, _list_cases)
    else:
        stated = [file for file in files if len([*file.parent.iterdir()]) > 2]  # beside it stand others that count
        _lose_from_json(
            draw.choice(stated), draw, lambda entries: entries, lambda row: _is_read(row, options["metric"])
        )


def _is_read(entry, metric):
    return "perturbation" not in entry and metric in {stat["name"]["name"] for stat in entry["stats"]}


@pytest.mark.parametrize(("seed", "source"), [_named_case(seed, STATING) for seed in range(LOST)])
def test_a_sample_lost_from_a_log_that_counts_them_is_noted_or_refused(seed, source, tmp_path):
    draw, paths = seeded(seed), source.copy(tmp_path)
    options = {"errors": "drop", "missing": "drop"} | source.options
    known = ta.read_logs(*paths, **options).notes
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    _lose_a_sample(files[0].relative_to(tmp_path).parts[0], files, draw, options)
    result, refusal = _try_damage(ta.read_logs, *paths, **options)
    if refusal is not None:
        _assert_clear(refusal, [*files, *paths])
    else:
        assert any(TOLD.search(note) for note in set(result.notes) - set(known))


def test_the_logs_that_are_damaged_are_of_every_tool():
    assert {path.split("/")[0] for source in SOURCES for path in source.paths} == {
        folder.name for folder in LOGS.iterdir() if folder.is_dir()
    }
