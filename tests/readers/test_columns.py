"""Columns of numbers: in the order of the rows, over several files, and one clear error for what is no number."""

import polars as pl
import pytest
from numpy.testing import assert_array_equal

from tellapart.errors import InvalidEvidence, InvalidInput
from tellapart.readers.columns import read_numbers


def test_files_of_a_folder_come_one_after_the_other(tmp_path):
    for day in (2, 1):
        (tmp_path / f"day{day}.csv").write_text(f"note,score,other\nx, {day} ,0.5\ny,0.25,1e-1\n")
    score, other = read_numbers(tmp_path, ["score", "other"])
    assert_array_equal(score, [1, 0.25, 2, 0.25])
    assert_array_equal(other, [0.5, 0.1, 0.5, 0.1])
    assert_array_equal(read_numbers([tmp_path / "day2.csv"], ["score"])[0], [2, 0.25])


def test_booleans_and_whole_numbers_are_numbers(tmp_path):
    pl.DataFrame({"a": [True, False], "b": [3, 4]}).write_parquet(tmp_path / "t.parquet")
    a, b = read_numbers(tmp_path / "t.parquet", ["a", "b"])
    assert_array_equal(a, [1, 0])
    assert_array_equal(b, [3, 4])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"s": [0.5, None]}, r"column 's' of .*t\.parquet must hold numbers, got None in row 2"),
        ({"s": [0.5, float("nan")]}, r"column 's' of .*t\.parquet must hold numbers, got nan in row 2"),
        ({"s": ["0.5", "high"]}, r"column 's' of .*t\.parquet must hold numbers, got 'high' in row 2"),
        ({"s": [[0.5], [0.6]]}, r"column 's' of .*t\.parquet must hold numbers, got List\(Float64\)"),
        ({"t": [0.5]}, "has no column 's'"),
    ],
)
def test_what_is_no_number_is_reported(tmp_path, columns, message):
    pl.DataFrame(columns).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InvalidEvidence, match=message):
        read_numbers(tmp_path / "t.parquet", ["s"])


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "t.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(
        InvalidEvidence,
        match=r"cannot read .*t\.parquet as parquet: parquet: File out of specification: The file must end"
        r" with PAR1 or PARE",
    ):
        read_numbers(tmp_path / "t.parquet", ["s"])
    with pytest.raises(InvalidInput, match=r"file not found: .*none\.csv"):
        read_numbers(tmp_path / "none.csv", ["s"])
