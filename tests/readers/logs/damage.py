"""Logs to damage, and ways to damage them that a seed repeats: bytes, lines, JSON values, members, names of files."""

import json
import random
import shutil
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

zstandard = pytest.importorskip("zstandard")

LOGS = Path(__file__).parents[2] / "fixtures/logs"
_DEPTHS = {f"<a value that is nested {depth} deep>": depth for depth in (150, 400, 900, 980, 5000, 100_000)}
ODD = [None, True, False, 0, -1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, 5e-324, float("nan")]
ODD += [
    float("inf"),
    float("-inf"),
    "",
    " ",
    "\ud800",
    "a\nb\r\tc\0d",
    "NaN",
    "7",
    "../x",
    "x" * 70_000,
    [],
    {},
    [None],
]
ODD += [[[]], {"": None}, {"name": []}, ["a", 1, None, {}], *_DEPTHS]


@dataclass(frozen=True)
class Source:
    """Logs that are read together, and how."""

    name: str
    paths: tuple[str, ...]  # what is read
    options: dict = field(default_factory=dict)
    copied: tuple[str, ...] = ()  # what is copied, where that is more

    def copy(self, folder):
        """Copy the logs into a folder and return what is to be read."""
        for index in self.copied or self.paths:
            target = folder / index
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (LOGS / index).is_dir() else shutil.copy)(LOGS / index, target)
        return [folder / path for path in self.paths]


def _read_source(name, *paths, copied=(), **options):
    return Source(name, paths, options, copied)


_OUT = ("lm_eval/outA/demo__alder", "lm_eval/outB/demo__birch")
_HELM = "helm/runs/demo"
_EEE = "every_eval_ever/data"
SOURCES = [
    _read_source("inspect", "inspect/pair/reed.eval", "inspect/pair/sedge.eval"),
    _read_source("inspect-deflate", "inspect/deflate/reed.eval", "inspect/deflate/sedge.eval"),
    _read_source("inspect-json", "inspect/json/reed.json", "inspect/json/sedge.json"),
    _read_source("inspect-epochs", "inspect/epochs/reed.eval", "inspect/epochs/sedge.eval"),
    _read_source("inspect-errors", "inspect/errors.eval", errors="wrong"),
    _read_source("inspect-cancelled", "inspect/cancelled.eval", errors="drop"),
    _read_source("inspect-started", "inspect/started.eval"),
    _read_source("inspect-scorers", "inspect/scorers.eval", metric="style/clear"),
    _read_source("inspect-chunked", "inspect/chunked.eval"),
    _read_source("inspect-folder", "inspect/folder", model="mockllm/reed"),
    _read_source("inspect-cluster", "inspect/pair/reed.eval", "inspect/pair/sedge.eval", cluster="passage_id"),
    _read_source("lm-eval", *_OUT, task="arith", filter="strict-match"),
    _read_source("lm-eval-quiz", *_OUT, task="quiz", metric="acc"),
    _read_source("lm-eval-graded", "lm_eval/graded/demo__alder", "lm_eval/graded/demo__birch", metric="off_by"),
    _read_source("lm-eval-repeats", "lm_eval/repeats/demo__alder", filter="all", metric="share"),
    _read_source("lm-eval-sums", "lm_eval/sums/plain/demo__alder"),
    _read_source("lm-eval-lower", "lm_eval/lower/demo__alder", task="last_word", metric="acc"),
    _read_source("promptfoo", "promptfoo/a.jsonl", "promptfoo/b.jsonl"),
    _read_source("promptfoo-grid", "promptfoo/grid.json", metric="near"),
    _read_source("promptfoo-errors", "promptfoo/errors.jsonl", errors="wrong"),
    _read_source("promptfoo-repeats", "promptfoo/repeats.jsonl"),
    _read_source("promptfoo-old", "promptfoo/old.json", errors="wrong"),
    _read_source(
        "deepeval", *(f"deepeval/runs/test_run_20260102_10{time}.json" for time in ("1500_a", "2300_b")), metric="Exact"
    ),
    _read_source("deepeval-errors", "deepeval/errors.json", metric="Breaks", errors="drop"),
    _read_source("deepeval-latest", "deepeval/latest_test_run.json", metric="Near"),
    _read_source("deepeval-repeats", "deepeval/repeats.json", metric="Exact"),
    _read_source("deepeval-conversation", "deepeval/conversation.json"),
    _read_source("openai-evals", "openai_evals/a.jsonl", "openai_evals/b.jsonl"),
    _read_source("openai-evals-fuzzy", "openai_evals/fuzzy_a.jsonl", "openai_evals/fuzzy_b.jsonl", metric="f1_score"),
    _read_source("openai-evals-graded", "openai_evals/graded.jsonl"),
    _read_source("openai-evals-attempts", "openai_evals/attempts.jsonl"),
    _read_source("helm", f"{_HELM}/quiz-alpha", f"{_HELM}/quiz-beta", metric="right"),
    _read_source("helm-trials", f"{_HELM}/trials-alpha", metric="overlap"),
    _read_source("helm-bent", f"{_HELM}/bent-alpha", metric="right"),
    _read_source("helm-errors", f"{_HELM}/errors-shaky", metric="right", errors="wrong", cluster="passage_id"),
    _read_source("swe-bench", *(f"swebench/example__agent-{agent}.demo-lite.json" for agent in "ab")),
    _read_source("swe-bench-errors", "swebench/reports-errors/example__agent-c.demo-errors.json", errors="wrong"),
    _read_source("swe-bench-folder", "swebench/logs/run_evaluation/demo-errors", errors="drop"),
    _read_source("mlflow", "mlflow/a/eval_results_table.json", "mlflow/b/eval_results_table.json", metric="right"),
    _read_source("mlflow-genai", "mlflow/genai-a.json", "mlflow/genai-b.json", metric="overlap", errors="drop"),
    _read_source("mlflow-split", "mlflow/genai-split.json", metric="right"),
    _read_source("mlflow-traces", "mlflow/genai-traces.json", metric="right"),
    _read_source("mlflow-errors", "mlflow/genai-errors.jsonl", metric="right", errors="drop"),
    _read_source("every-eval-ever", f"{_EEE}/harbours/demo/alder", f"{_EEE}/harbours/demo/birch"),
    _read_source("every-eval-ever-mixed", f"{_EEE}/mixed", metric="right", errors="drop"),
    _read_source("every-eval-ever-again", f"{_EEE}/again"),
    _read_source("every-eval-ever-sums", f"{_EEE}/sums"),
]


def damage(file, draw):
    """Damage one file in one way, and say in which."""
    ways = [*_OF_BYTES, *_OF_FILES]
    if file.suffix == ".eval":
        ways += [*_OF_ZIP, *_OF_MEMBERS * 3]
    else:
        ways += _OF_JSON * 3
    way = draw.choice(ways)
    way(file, draw)
    return way.__name__


# --- Bytes --------------------------------------------------------------------------------------------


def cut_short(file, draw):
    file.write_bytes(file.read_bytes()[: draw.randrange(file.stat().st_size + 1)])


def flip_a_byte(file, draw):
    content = bytearray(file.read_bytes() or b" ")
    content[draw.randrange(len(content))] ^= draw.randrange(1, 256)
    file.write_bytes(content)


def cut_out(file, draw):
    content = file.read_bytes()
    start = draw.randrange(len(content) + 1)
    file.write_bytes(content[:start] + content[start + draw.randrange(1, 200) :])


def write_twice(file, draw):
    content = file.read_bytes()
    start = draw.randrange(len(content) + 1)
    end = start + draw.randrange(1, 400)
    file.write_bytes(content[:end] + content[start:])


def insert_bytes(file, draw):
    content, index = file.read_bytes(), draw.randrange(file.stat().st_size + 1)
    file.write_bytes(content[:index] + draw.randbytes(draw.randrange(1, 20)) + content[index:])


def insert_a_token(file, draw):
    content, index = file.read_bytes(), draw.randrange(file.stat().st_size + 1)
    token = draw.choice(
        [b"null", b"NaN", b"{", b"}", b"[", b"]", b",", b'"', b"\\", b"\0", b"\xff", b"1e999", b"9" * 5000]
    )
    file.write_bytes(content[:index] + token + content[index:])


def write_in_another_encoding(file, draw):
    text = file.read_bytes().decode("utf-8", "replace")
    file.write_bytes(text.encode(draw.choice(["utf-16", "utf-32", "latin-1", "utf-8-sig", "cp1252"]), "replace"))


def lose_a_line(file, draw):
    _with_lines(file, lambda rows: rows.pop(draw.randrange(len(rows))))


def double_a_line(file, draw):
    _with_lines(file, lambda rows: rows.insert(draw.randrange(len(rows)), draw.choice(rows)))


def shuffle_the_lines(file, draw):
    _with_lines(file, draw.shuffle)


def _with_lines(file, change):
    rows = file.read_bytes().splitlines(keepends=True)
    if rows:
        change(rows)
    file.write_bytes(b"".join(rows))


# --- Files --------------------------------------------------------------------------------------------


def empty(file, draw):
    file.write_bytes(draw.choice([b"", b"\n", b" ", b"null", b"[]", b"{}", b"\xef\xbb\xbf", b'""', b"0"]))


def rename(file, draw):
    file.rename(file.with_name(draw.choice(["renamed", "a.json", f"{file.stem}", f"{file.name}.bak", "ä ö.jsonl"])))


def remove(file, _):
    file.unlink()


def become_another_log(file, draw):
    other = draw.choice([path for path in sorted(LOGS.rglob("*")) if path.suffix in (".json", ".jsonl", ".eval")])
    file.write_bytes(other.read_bytes())


def become_a_folder(file, _):
    file.unlink()
    file.mkdir()


# --- JSON ---------------------------------------------------------------------------------------------


def replace_a_value(document, draw):
    holder, key = _choose_anywhere(document, draw)
    holder[key] = draw.choice(ODD)


def drop_a_value(document, draw):
    holder, key = _choose_anywhere(document, draw)
    del holder[key]


def swap_two_values(document, draw):
    (one, here), (other, there) = _choose_anywhere(document, draw), _choose_anywhere(document, draw)
    one[here], other[there] = other[there], one[here]  # one may come to hold the other: json refuses that


def rename_a_key(document, draw):
    holder, key = _choose_anywhere(document, draw, kinds=(dict,))
    holder[draw.choice(["", "x", key.upper(), *holder])] = holder.pop(key)


def double_an_element(document, draw):
    holder, key = _choose_anywhere(document, draw, kinds=(list,))
    holder.insert(draw.randrange(len(holder) + 1), holder[key])


def drop_an_element(document, draw):
    holder, key = _choose_anywhere(document, draw, kinds=(list,))
    del holder[key]


def shuffle_a_list(document, draw):
    holder, _ = _choose_anywhere(document, draw, kinds=(list,))
    draw.shuffle(holder)


def replace_one_name_everywhere(document, draw):
    """Give every value under one name the same odd value."""
    _, name = _choose_anywhere(document, draw, kinds=(dict,))
    value = draw.choice(ODD)
    for holder, key in _find_places(document):
        if key == name:
            holder[key] = value


def _find_places(document):
    """Yield every place in a document: what holds a value, and under which key."""
    waiting = [document]
    while waiting:
        holder = waiting.pop()
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])


def _choose_anywhere(document, draw, kinds=(dict, list)):
    """Return one place in a document: any depth as likely as another, so that the few values on top are met."""
    result = [(holder, key) for holder, key in _find_places(document) if isinstance(holder, kinds)]
    if not result:
        raise LookupError
    holder = document
    for _ in range(draw.randrange(1, 9)):
        if not holder or not isinstance(holder, dict | list):
            break
        key = draw.choice(list(holder)) if isinstance(holder, dict) else draw.randrange(len(holder))
        if isinstance(holder, kinds) and draw.random() < 0.4:
            return holder, key
        holder = holder[key]
    return draw.choice(result)


def _write_members(document):
    """Return a document as JSON, with values that are nested more deeply than json would write."""
    text = json.dumps(document)
    for token, depth in _DEPTHS.items():
        text = text.replace(json.dumps(token), '{"a":[' * (depth // 2) + "]}" * (depth // 2))
    return text


def _of_document(change):
    def way(file, draw):
        content = file.read_bytes()
        if not content.strip():
            return
        if file.suffix == ".jsonl":
            document = [json.loads(line) for line in content.splitlines()]
            _change_member(change, document, draw)
            file.write_text("\n".join(map(_write_members, document)) + "\n")
        else:
            document = json.loads(content)
            _change_member(change, document, draw)
            file.write_text(_write_members(document))

    way.__name__ = change.__name__
    return way


def _change_member(change, document, draw):
    try:
        change(document, draw)
        json.dumps(document)
    except (LookupError, ValueError):  # nothing to change, or a value that holds itself
        if isinstance(document, dict | list):
            document.clear()


_CHANGES = [replace_a_value] * 4 + [drop_a_value, swap_two_values, rename_a_key, double_an_element, drop_an_element]
_CHANGES += [shuffle_a_list, replace_one_name_everywhere, replace_one_name_everywhere]


# --- Members of a zip file ----------------------------------------------------------------------------


def members(file):
    """Return the members of a log of Inspect, each unpacked whole."""
    out = {}
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.compress_type != 93:
                out[info.filename] = archive.read(info)
                continue
            with file.open("rb") as raw:
                raw.seek(info.header_offset + 26)
                names = int.from_bytes(raw.read(2), "little") + int.from_bytes(raw.read(2), "little")
                raw.seek(names, 1)
                packed = raw.read(info.compress_size)
            out[info.filename] = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    return out


def write_members(file, parts):
    """Write the members as a zip file, all stored."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def _of_member(change):
    def way(file, draw):
        parts = members(file)
        known = [name for name in parts if name in ("header.json", "summaries.json") or "_journal" in name]
        name = draw.choice(known)
        document = json.loads(parts[name])
        _change_member(change, document, draw)
        parts[name] = _write_members(document)
        write_members(file, parts)

    way.__name__ = change.__name__
    return way


def rename_a_member(file, draw):
    parts = members(file)
    name = draw.choice(list(parts))
    write_members(
        file, {(draw.choice(["x", "header.json", name[1:]]) if key == name else key): parts[key] for key in parts}
    )


def drop_a_member(file, draw):
    parts = members(file)
    parts.pop(draw.choice(list(parts)))
    write_members(file, parts)


def break_a_member(file, draw):
    parts = members(file)
    name = draw.choice(list(parts))
    content = parts[name]
    parts[name] = draw.choice([b"", content[: len(content) // 2], b"\xff" + content, b"null", b"[" * 100_000])
    write_members(file, parts)


def break_the_table_of_contents(file, draw):
    content = bytearray(file.read_bytes())
    start = content.rfind(b"PK\x01\x02")
    start = content.find(b"PK\x01\x02", draw.randrange(start))
    content[min(start + draw.randrange(46), len(content) - 1)] = draw.choice([0, 1, 127, 255])
    file.write_bytes(content)


_OF_BYTES = [cut_short, flip_a_byte, cut_out, write_twice, insert_bytes, insert_a_token, write_in_another_encoding]
_OF_BYTES += [lose_a_line, double_a_line, shuffle_the_lines]
_OF_FILES = [empty, rename, remove, become_another_log, become_a_folder]
_OF_JSON = [_of_document(change) for change in _CHANGES]
_OF_ZIP = [rename_a_member, drop_a_member, break_a_member, break_the_table_of_contents]
_OF_MEMBERS = [_of_member(change) for change in _CHANGES]


def seeded(number):
    """Return draws that a number repeats."""
    return random.Random(number)  # noqa: S311  # damage is no secret
