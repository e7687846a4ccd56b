"""Cells are measured once, on any worker, and finished blocks are kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import numpy as np
import pytest

from tellapart.errors import InvalidInput, InvalidOption, TellapartError
from tellapart.reproduce import Run, Store

CELLS = [{"p": 0.2, "n": 50}, {"p": 0.7, "n": 30}]
CALLS: list[tuple[float, int]] = []


def successes(cell, trials, rng):
    CALLS.append((cell["p"], trials))
    return {"rate": rng.binomial(cell["n"], cell["p"], size=trials) / cell["n"], "blocks": [1]}


def ends_early(cell, trials, rng):
    if cell["p"] > 0.5:
        raise KeyboardInterrupt
    return successes(cell, trials, rng)


@pytest.fixture(autouse=True)
def _no_calls():
    CALLS.clear()


def test_every_cell_has_all_its_trials():
    result = Run().cells(successes, CELLS, 2500, block=1000)
    assert [part["rate"].shape for part in result] == [(2500,), (2500,)]
    assert [part["blocks"].sum() for part in result] == [3, 3]
    for cell, part in zip(CELLS, result, strict=True):
        se = np.sqrt(cell["p"] * (1 - cell["p"]) / cell["n"] / 2500)
        assert abs(part["rate"].mean() - cell["p"]) < 5 * se


def test_what_is_drawn_depends_on_the_cell_the_block_and_the_seed_alone():
    both = Run().cells(successes, CELLS, 40, block=10)
    alone = Run().cells(successes, CELLS[1:], 40, block=10)
    np.testing.assert_array_equal(both[1]["rate"], alone[0]["rate"])
    other = Run(seed=1).cells(successes, CELLS, 40, block=10)
    assert (other[0]["rate"] != both[0]["rate"]).any()
    assert (both[0]["rate"][:10] != both[0]["rate"][10:20]).any()


def np_normal(cell, trials, rng):
    return {"value": rng.normal(cell["p"], size=trials)}


def test_a_run_measures_nothing_twice():
    run = Run()
    first = run.cells(successes, CELLS, 20, block=10)
    assert len(CALLS) == 4
    again = run.cells(successes, CELLS, 20, block=10)
    assert len(CALLS) == 4
    np.testing.assert_array_equal(first[0]["rate"], again[0]["rate"])


def test_what_was_finished_is_not_measured_again(tmp_path):
    with Store(tmp_path / "blocks.sqlite") as store:
        first = Run(store=store).cells(successes, CELLS[:1], 20, block=10)
    CALLS.clear()
    with Store(tmp_path / "blocks.sqlite") as store:
        result = Run(store=store).cells(successes, CELLS, 30, block=10)
    assert CALLS == [(0.2, 10), (0.7, 10), (0.7, 10), (0.7, 10)]  # more trials of the first, all of the second
    np.testing.assert_array_equal(result[0]["rate"][:20], first[0]["rate"])


def test_stopped_in_the_middle_it_goes_on_from_there(tmp_path):
    with Store(tmp_path / "blocks.sqlite") as store, pytest.raises(KeyboardInterrupt):
        Run(store=store).cells(ends_early, CELLS, 20, block=10)
    with closing(sqlite3.connect(tmp_path / "blocks.sqlite")) as file:
        assert file.execute("SELECT COUNT(*) FROM blocks").fetchone() == (2,)


def test_another_seed_or_measure_is_another_block(tmp_path):
    with Store(tmp_path / "blocks.sqlite") as store:
        Run(store=store).cells(successes, CELLS[:1], 10)
        Run(store=store, seed=3).cells(successes, CELLS[:1], 10)
        Run(store=store).cells(np_normal, CELLS[:1], 10)
        assert len(CALLS) == 2
    with closing(sqlite3.connect(tmp_path / "blocks.sqlite")) as file:
        assert file.execute("SELECT COUNT(*) FROM blocks").fetchone() == (3,)


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"SQLite format 3\0 but not quite"])
def test_a_file_of_something_else_is_not_touched(tmp_path, content):
    (tmp_path / "data.csv").write_bytes(content)
    with pytest.raises(InvalidInput, match=r"data\.csv"):
        Store(tmp_path / "data.csv")
    assert (tmp_path / "data.csv").read_bytes() == content


def test_a_database_of_something_else_is_not_touched(tmp_path):
    with closing(sqlite3.connect(tmp_path / "race.sqlite")) as file:
        file.execute("CREATE TABLE fits (a)")
    before = (tmp_path / "race.sqlite").read_bytes()
    with pytest.raises(InvalidInput, match=r".*race\.sqlite must be a store of blocks of exhibits"):
        Store(tmp_path / "race.sqlite")
    assert (tmp_path / "race.sqlite").read_bytes() == before


def test_a_folder_is_no_store(tmp_path):
    with pytest.raises(
        InvalidOption, match=r"cannot open .*test_a_folder_is_no_store0 \(unable to open database file\)"
    ):
        Store(tmp_path)


def test_a_store_that_cannot_be_written_says_so(tmp_path):
    with Store(tmp_path / "blocks.sqlite") as store:
        store._connection.execute("PRAGMA query_only = ON")
        with pytest.raises(
            TellapartError, match=r"cannot write .*blocks\.sqlite \(attempt to write a readonly database\)"
        ):
            store.put("key", {"rate": np.zeros(1)})


def test_a_store_needs_its_folder(tmp_path):
    with pytest.raises(InvalidOption, match=r"folder not found: .*nowhere"):
        Store(tmp_path / "nowhere" / "blocks.sqlite")


@pytest.mark.parametrize(
    ("scale", "times", "size"), [("quick", None, 7), ("paper", None, 100), ("full", None, 5000), ("paper", 2.5, 250)]
)
def test_sizes(scale, times, size):
    run = Run(scale=scale, times=times)
    assert run.size(100, quick=7, most=5000, of="samples") == size
    assert run.sizes["samples"].startswith(f"{size:,} (")


def test_what_is_reported_of_a_size():
    run = Run(scale="full")
    run.size(20, quick=4, of="samples")
    run.size(20, quick=4, most=20, of="cut")
    run.size(20, quick=4, of="draws", ours=True)
    run.size(20, quick=4, most=20, of="cut draws", ours=True)
    assert run.sizes == {
        "samples": "20,000 (1,000 times the paper's 20)",
        "cut": "20 (as many as the paper's 20)",
        "draws": "20,000 (1,000 times 20, a size of our own: the paper has none)",
        "cut draws": "20 (a size of our own: the paper has none)",
    }


def test_a_multiple_that_was_requested_is_not_cut():
    assert Run(times=1000).size(100, quick=7, most=5000) == 100_000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "huge"}, "huge"),
        ({"times": 0}, "`times` must be greater than 0, got 0"),
        ({"times": float("nan")}, "times"),
        ({"jobs": 0}, "jobs"),
        ({"jobs": True}, "jobs"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_sizes_are_refused(options, message):
    with pytest.raises(InvalidOption, match=message):
        Run(**options)
