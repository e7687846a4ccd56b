"""Sources that are no paths, files of nothing but a header, names in quotes, and paths that cannot be."""

import gzip
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tellapart import read_predictions, read_race, read_scores, read_watch
from tellapart.errors import InvalidEvidence, InvalidInput, InvalidOption
from tellapart.readers.columns import read_numbers
from tellapart.readers.files import files_inside, files_of

COLUMNS = {"label": ["x", "y", "y"], "a": ["x", "x", "y"], "b": ["x", "y", "y"]}


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_a_table_is_taken_as_predictions_of_takes_it(make):
    """Counted by hand: only a is wrong, once."""
    table = read_predictions(make(COLUMNS)).paired_table("a", "b")
    assert (table.only_a_wrong, table.only_b_wrong, table.both_right) == (1, 0, 2)
    with pytest.raises(InvalidOption, match="`text` must be False for a table in memory, got True"):
        read_predictions(make(COLUMNS), text=True)


def test_a_table_with_a_column_twice_says_so():
    frame = pd.DataFrame([["x", "x", "y"]], columns=["label", "a", "a"])
    with pytest.raises(InvalidInput, match="columns must have different names, got 'a' more than once"):
        read_predictions(frame)


@pytest.mark.parametrize("source", [5, None, b"x.csv", 2.5])
def test_what_is_neither_path_nor_table_is_refused(source):
    with pytest.raises(InvalidInput, match="`source` must be a path or a list of paths, got"):
        read_predictions(source)


# --- Headers ---


def test_a_file_of_a_header_says_so(tmp_path):
    file = tmp_path / "h.csv"
    file.write_text("id,label,prediction\n")
    with pytest.raises(InvalidInput, match=r".*h\.csv must have rows below its header, got none"):
        read_predictions(file, id="id")
    with pytest.raises(InvalidInput, match=r".*h\.csv must have rows below its header, got none"):
        read_numbers(file, ["prediction"])
    (tmp_path / "h.csv.gz").write_bytes(gzip.compress(file.read_bytes()))
    with pytest.raises(InvalidInput, match=r".*h\.csv\.gz must have rows below its header, got none"):
        read_predictions(tmp_path / "h.csv.gz")


def test_a_part_without_rows_changes_no_types(tmp_path):
    (tmp_path / "1.csv").write_text("id,label,a\n1,0,0\n2,1,0\n")
    (tmp_path / "2.csv").write_text("id,label,a\n")
    (tmp_path / "3.csv").write_text("id,label,a\n3,1,1.0\n")
    assert read_predictions(tmp_path, id="id").error_counts().errors == 1


QUOTED = '"true ""label""","a ""quoted"" name","b, c"\nx,x,y\ny,x,y\n'


@pytest.mark.parametrize("packed", [False, True])
def test_quotes_in_a_header_are_read_as_csv_has_them(tmp_path, packed):
    """RFC 4180, section 2.7: a quote inside quotes is doubled. Python's csv module reads it so."""
    file = tmp_path / ("q.csv.gz" if packed else "q.csv")
    file.write_bytes(gzip.compress(QUOTED.encode()) if packed else QUOTED.encode())
    result = read_predictions(file, label='true "label"')
    assert result.models == ('a "quoted" name', "b, c")
    assert result.error_counts().errors.tolist() == [1, 1]
    assert read_predictions(file, label='true "label"', models='a "quoted" name', text=True).error_counts().errors == 1


def test_quotes_in_the_header_of_scores(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text('dataset,"the ""old"" one",new\niris,0.9,0.8\nwine,0.7,0.6\nzoo,0.5,0.6\n')
    assert read_scores(file).learners == ('the "old" one', "new")
    assert read_numbers(file, ['the "old" one'])[0].tolist() == [0.9, 0.7, 0.5]


# --- Paths ---


@pytest.mark.parametrize("name", ["a" * 300, f"{'a' * 300}.csv", f"folder/{'b' * 400}", "a\0b"])
@pytest.mark.parametrize("read", [read_predictions, read_scores, read_race, read_watch, files_of])
def test_a_name_that_no_file_can_have_is_one_error(read, name):
    with pytest.raises(InvalidInput) as caught:
        read(name)
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be_looked_into_is_refused(tmp_path, monkeypatch):
    (tmp_path / "inside").mkdir()
    (tmp_path / "x.csv").write_text("label,a\nx,x\n")

    def walk(folder, onerror):
        onerror(PermissionError(13, "Permission denied", str(Path(folder, "inside"))))
        yield

    monkeypatch.setattr("tellapart.readers.files.os.walk", walk)
    with pytest.raises(InvalidInput, match=r"cannot read .*inside: Permission denied"):
        read_predictions(tmp_path)


def test_a_folder_of_everything_is_refused(tmp_path, monkeypatch):
    for index in range(4):
        (tmp_path / f"{index}.csv").write_text("label,a\nx,x\n")
    monkeypatch.setattr("tellapart.readers.files._MOST_INSIDE", 3)
    with pytest.raises(InvalidInput, match=r".* must hold at most 3 files, got more"):
        read_predictions(tmp_path)


def test_links_to_folders_are_not_followed(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.csv").write_text("label,a\nx,x\n")
    (tmp_path / "a" / "round").symlink_to(tmp_path)
    assert [file.name for file in files_inside(tmp_path)] == ["x.csv"]


def test_an_open_quotation_mark_is_reported_from_a_file_without_rows(tmp_path):
    (tmp_path / "open.csv").write_text('id,la"bel,a,b\n' + "1,x,x,y\n" * 10)
    with pytest.raises(InvalidEvidence, match=r".*open\.csv must have closed quotation marks, got an open one"):
        read_predictions(tmp_path / "open.csv").error_counts()
