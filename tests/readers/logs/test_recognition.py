"""Every log is recognised by its content as what it is, whatever it is called, and nothing else is taken for a log."""

import shutil
from pathlib import Path

import pytest

from tellapart.readers.logs import FORMATS, recognise

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"
DATA = Path(__file__).parents[3] / "examples" / "data"

# One file (or folder) of every kind that a tool writes.
KNOWN = {
    "inspect": ["inspect/pair/reed.eval", "inspect/json/reed.json", "inspect/started.eval"],
    "lm-eval": ["lm_eval/outA", "lm_eval/outA/demo__alder/samples_arith_2026-01-05T09-01-00.250125.jsonl"],
    "promptfoo": ["promptfoo/a.jsonl", "promptfoo/grid.json"],
    "deepeval": ["deepeval/latest_test_run.json"],
    "openai-evals": ["openai_evals/a.jsonl"],
    "helm": ["helm/runs"],
    "swe-bench": ["swebench/example__agent-a.demo-lite.json"],
    "mlflow": ["mlflow/genai-a.json", "mlflow/a/eval_results_table.json"],
    "every-eval-ever": ["every_eval_ever/data"],
}
CASES = [(name, path) for name, paths in KNOWN.items() for path in paths]


def test_every_format_has_a_case():
    assert set(KNOWN) == set(FORMATS)


@pytest.mark.parametrize(("name", "path"), CASES)
def test_a_log_is_recognised(name, path):
    result = recognise(LOGS / path)
    assert result is not None
    assert result.name == name


@pytest.mark.parametrize(("name", "path"), [case for case in CASES if (LOGS / case[1]).is_file()])
def test_a_renamed_log_is_recognised(name, path, tmp_path):
    there = tmp_path / "renamed.txt"
    shutil.copy(LOGS / path, there)
    result = recognise(there)
    assert result is not None
    assert result.name == name


PLAIN = {
    "wide.jsonl": '{"id": 1, "label": "cat", "a": "cat", "b": "dog"}\n',
    "long.jsonl": '{"id": 1, "model": "a", "prediction": "x", "label": "x"}\n',
    "scores.jsonl": '{"id": "q1", "model": "a", "score": 0.5, "metric": "f1"}\n',
    "list.json": '[{"id": 1, "score": 1}]',
    "results.json": '{"results": [1, 2], "scores": {}}',
    "empty.json": "{}",
    "nothing.txt": "",
    "words.txt": "label,a,b\ncat,cat,dog\n",
    "fake.eval": "PK\x03\x04 and nothing that follows",
}


@pytest.mark.parametrize("name", PLAIN)
def test_plain_tables_and_other_files_are_no_logs(name, tmp_path):
    file = tmp_path / name
    file.write_text(PLAIN[name])
    assert recognise(file) is None


def test_the_examples_of_tables_are_no_logs():
    assert [file.name for file in sorted(DATA.iterdir()) if recognise(file) is not None] == []
