"""A million samples of lm-evaluation-harness: time beside bare parsers of the same file, and memory.

The file has rows of a kilobyte, a gigabyte in all, of which little is needed. Engines with several threads are
compared by the clock.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl

from contest import Contest, hold_all
from tellapart.readers.logs import read_logs

MANY, FEW = 1_000_000, 100_000
NEEDED = ("doc_id", "doc_hash", "filter", "exact_match")
QUESTION = "Shelf %d holds red cups and blue cups, more of them than anybody can count. How many are there in all? "


@dataclass(frozen=True)
class Files:
    """Logs in the harness's format, written once."""

    many: Path
    few: Path


@contextmanager
def written() -> Iterator[Files]:
    """Write the logs to a folder that is gone afterwards: four answers of five are right."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = Files(folder / "many.jsonl", folder / "few.jsonl")
        _write(files.many, MANY)
        _write(files.few, FEW)
        yield files


def _write(file: Path, count: int) -> None:
    right = np.random.default_rng(2021).random(count) < 0.8
    with file.open("w", encoding="utf-8") as stream:
        for number in range(count):
            question, digest = 2 * QUESTION % (number, number), f"{number * 2_654_435_761 % 2**64:016x}" * 4
            row = {
                "doc_id": number,
                "doc": {"question": question, "answer": "12", "shelf": number // 4},
                "target": "12",
                "arguments": {"gen_args_0": {"arg_0": f"Question: {question}\nAnswer:", "arg_1": {"until": ["\n\n"]}}},
                "resps": [["Red and blue together are twelve cups. #### 12"]],
                "filtered_resps": ["12"],
                "filter": "strict-match",
                "metrics": ["exact_match"],
                "doc_hash": digest,
                "prompt_hash": digest,
                "target_hash": digest,
                "exact_match": float(right[number]),
            }
            stream.write(json.dumps(row) + "\n")


def with_orjson(file: Path) -> object:
    """Parse every row with orjson and keep what is needed."""
    import orjson  # noqa: PLC0415  # where it is installed

    with file.open("rb") as stream:
        return [tuple(row[name] for name in NEEDED) for row in map(orjson.loads, stream)]


def contests(files: Files) -> Iterator[Contest]:
    """Yield the contest that is about time."""
    peers: dict[str, Callable[[], object]] = {
        "limit: polars, whole rows": lambda: pl.scan_ndjson(files.many).collect(engine="streaming"),
        "limit: polars, four columns": lambda: pl.scan_ndjson(files.many).select(NEEDED).collect(engine="streaming"),
    }
    if find_spec("orjson"):
        peers["limit: orjson, whole rows"] = lambda: with_orjson(files.many)
    yield Contest(
        title="a million samples of lm-evaluation-harness, from the file to the outcomes",
        ours=lambda: read_logs(files.many).outcomes(),
        peers=peers,
        within=dict.fromkeys(peers, 1.5),
        clock=time.perf_counter,
        turns=3,
    )


def memory_is_flat(files: Files, most: float = 100) -> bool:
    """Print the peak memory of a process that reads, and return whether each sample more costs little.

    What must grow with the samples is the answer: an id, a proof and a score of each, 40 bytes.
    """
    read = (
        "import pathlib, sys; from tellapart.readers.logs import lm_eval, run;"
        "lm_eval.READER.runs(pathlib.Path(sys.argv[1]), run.Selection());"
    )
    whole = "import sys; from tellapart.readers.logs import read_logs; read_logs(sys.argv[1]).outcomes();"
    few, many = _peak(read, files.few), _peak(read, files.many)
    each = (many - few) * 2**20 / (MANY - FEW)
    good = each <= most
    print(
        f"\npeak memory of a fresh process that reads a log: {few:.0f} MB for 100 thousand samples"
        f" ({_size(files.few)} MB), {many:.0f} MB for a million ({_size(files.many)} MB): {each:.0f} bytes a sample"
        f"   goal: at most {most:g}: {'met' if good else 'MISSED'}"
    )
    few, many = _peak(whole, files.few), _peak(whole, files.many)
    print(f"and up to the outcomes: {few:.0f} MB, {many:.0f} MB")
    return good


def _size(file: Path) -> int:
    return round(file.stat().st_size / 2**20)


def _peak(program: str, file: Path) -> float:
    # The kernel's own mark: what getrusage calls a peak begins with that of the process that started us.
    program += (
        "import pathlib;"
        "marks = dict(line.split(':', 1) for line in pathlib.Path('/proc/self/status').read_text().splitlines());"
        "print(int(marks['VmHWM'].split()[0]) / 1024)"
    )
    runs = [
        float(subprocess.run([sys.executable, "-c", program, str(file)], check=True, capture_output=True).stdout)  # noqa: S603  # our own words
        for _ in range(3)
    ]
    return sorted(runs)[1]


if __name__ == "__main__":
    with written() as logs:
        flat = memory_is_flat(logs)
        sys.exit(min(hold_all(list(contests(logs))) + (not flat), 1))
