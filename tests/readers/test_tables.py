"""read_predictions: every format, layout and way to be unreadable."""

from __future__ import annotations

import builtins
import gzip
import json
import os
import random
import sys

import pytest

from tellapart.errors import InvalidInput, MissingExtra
from tellapart.predictions import Predictions
from tellapart.readers import read_predictions

polars = pytest.importorskip("polars")

TABLE = {
    "id": list(range(200)),
    "label": [place % 3 for place in range(200)],
    "a": [place % 3 if place % 5 else 0 for place in range(200)],
    "b": [place % 3 if place % 7 else 1 for place in range(200)],
}


def expected(rows=slice(None)):
    """Return the four cells by a loop: both wrong, only A, only B, both right."""
    cells = [0, 0, 0, 0]
    for label, a, b in zip(TABLE["label"][rows], TABLE["a"][rows], TABLE["b"][rows], strict=True):
        cells[0 if a != label != b else 1 if a != label else 2 if b != label else 3] += 1
    return cells


def cells(predictions, *models):
    table = predictions.paired_table(*(models or ("a", "b")))
    return [int(each) for each in (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right)]


WRITERS = {
    "t.csv": lambda frame, file: frame.write_csv(file),
    "t.tsv": lambda frame, file: frame.write_csv(file, separator="\t"),
    "t.TAB": lambda frame, file: frame.write_csv(file, separator="\t"),
    "european.csv": lambda frame, file: frame.write_csv(file, separator=";"),
    "bom.csv": lambda frame, file: frame.write_csv(file, include_bom=True),
    "t.csv.gz": lambda frame, file: file.write_bytes(gzip.compress(frame.write_csv().encode())),
    "t.parquet": lambda frame, file: frame.write_parquet(file),
    "t.pq": lambda frame, file: frame.write_parquet(file),
    "t.jsonl": lambda frame, file: frame.write_ndjson(file),
    "t.ndjson": lambda frame, file: frame.write_ndjson(file),
    "t.arrow": lambda frame, file: frame.write_ipc(file),
    "t.feather": lambda frame, file: frame.write_ipc(file, compression="zstd"),
    # Without a known suffix the content decides.
    "commas.txt": lambda frame, file: frame.write_csv(file),
    "tabs": lambda frame, file: frame.write_csv(file, separator="\t"),
    "objects.log": lambda frame, file: frame.write_ndjson(file),
    "objects.json": lambda frame, file: frame.write_ndjson(file),
    "columns.dat": lambda frame, file: frame.write_parquet(file),
    "batches.bin": lambda frame, file: frame.write_ipc(file),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("texts", [False, True])
def test_every_format_gives_the_same_counts(name, texts, tmp_path):
    frame = polars.DataFrame(TABLE)
    if texts:
        frame = frame.with_columns(
            polars.format("class {}", polars.col(each)).alias(each) for each in ("label", "a", "b")
        )
    WRITERS[name](frame, tmp_path / name)
    assert cells(read_predictions(tmp_path / name, id="id")) == expected()
    assert cells(read_predictions(str(tmp_path / name), label="label", models=["b", "a"]), "b", "a") == [
        expected()[index] for index in (0, 2, 1, 3)
    ]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl", "arrow"])
def test_parts_of_a_table_are_one_table(suffix, tmp_path):
    """A folder, a pattern and a list of files; shards pool."""
    (tmp_path / "shards" / "deep").mkdir(parents=True)
    names = ["shards/0", "shards/1", "shards/deep/2"]
    parts = [slice(0, 50), slice(50, 120), slice(120, 200)]
    files = [tmp_path / f"{name}.{suffix}" for name in names]
    for file, part in zip(files, parts, strict=True):
        WRITERS[f"t.{suffix}"](polars.DataFrame({name: column[part] for name, column in TABLE.items()}), file)
    (tmp_path / "shards" / "README.md").write_text("not a table")
    (tmp_path / "shards" / f".0.{suffix}").write_text("nor is this")
    assert cells(read_predictions(tmp_path / "shards")) == expected()
    assert cells(read_predictions(files)) == expected()
    assert cells(read_predictions(str(tmp_path / "shards" / f"*.{suffix}"))) == expected(slice(0, 120))
    assert cells(read_predictions([tmp_path / "shards" / "deep", files[0]])) == [
        here + there for here, there in zip(expected(parts[0]), expected(parts[2]), strict=True)
    ]
    assert sum(read_predictions(file).paired_table() for file in files).examples == 200


def test_a_pattern_looks_where_we_are(tmp_path, monkeypatch):
    polars.DataFrame(TABLE).write_csv(tmp_path / "x1.csv")
    monkeypatch.chdir(tmp_path)
    assert cells(read_predictions("x?.csv")) == expected()


def test_long_files_and_correctness_files(tmp_path):
    rows = [
        {"id": i, "model": m, "prediction": TABLE[m][i], "label": TABLE["label"][i]} for i in TABLE["id"] for m in "ab"
    ]
    random.Random(0).shuffle(rows)  # noqa: S311  # a test's draws
    (tmp_path / "long.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert cells(read_predictions(tmp_path / "long.jsonl")) == expected()
    right = {m: [g == t for g, t in zip(TABLE[m], TABLE["label"], strict=True)] for m in "ab"}
    lines = [f"{a},{int(b)}" for a, b in zip(right["a"], right["b"], strict=True)]  # True and False, 1 and 0
    (tmp_path / "right.csv").write_text("\n".join(["a,b", *lines]))
    assert cells(read_predictions(tmp_path / "right.csv", correct=True)) == expected()


def test_two_files_join_by_id(tmp_path):
    frame = polars.DataFrame(TABLE)
    frame.select("id", "label", prediction="a").write_csv(tmp_path / "old.csv")
    frame.select("id", "label", prediction="b").reverse().write_csv(tmp_path / "new.csv")
    old, new = (read_predictions(tmp_path / f"{name}.csv", id="id") for name in ("old", "new"))
    assert cells(Predictions.joined({"old": old, "new": new}), "old", "new") == expected()


def test_ids_of_two_kinds_join_as_texts(tmp_path):
    (tmp_path / "old.csv").write_text("id,label,prediction\n1,0,0\n2,1,1\n")
    (tmp_path / "new.csv").write_text("id,label,prediction\n1,0,1\nx2,1,1\n")

    def joined(**options):
        return Predictions.joined(
            {name: read_predictions(tmp_path / f"{name}.csv", id="id", **options) for name in ("old", "new")}
        )

    with pytest.raises(
        InvalidInput, match="the id must be of one kind in all tables, got numbers in 'old' and texts in 'new'"
    ):
        joined()
    assert joined(text=True, missing="drop").tally().errors.tolist() == [0, 1]


def test_columns_of_a_text_file_are_compared_in_one_type(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("label,a,b\n0,0,0.0\n1,?,1.0\n1,1,\n")  # numbers, texts, and numbers with one missing
    assert read_predictions(file, missing="wrong").error_counts().errors.tolist() == [1, 1]  # as numbers
    assert read_predictions(file, text=True, missing="wrong").error_counts().errors.tolist() == [1, 3]
    file.write_text("label,a,b\n0,0,\n1,1,\n")
    assert read_predictions(file, missing="wrong").tally().taken_as_wrong == {"missing prediction of b (every one)": 2}
    file.write_text('label,a,b\n1,True,"1"\n0,False,"0"\n')
    assert read_predictions(file).error_counts().errors.tolist() == [0, 0]


def test_numbers_and_words_never_agree(tmp_path):
    (tmp_path / "t.csv").write_text("label,a\ncat,0\ndog,1\n")
    with pytest.raises(InvalidInput, match=r"`a` must hold labels like those of `label` \('cat'\), got 0"):
        read_predictions(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text("label,a\n0,cat\n1,dog\n")
    with pytest.raises(InvalidInput, match=r"`a` must hold labels like those of `label` \(0\), got 'cat'"):
        read_predictions(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text("label,a\ncat,dog\ndog,eel\n")
    assert read_predictions(tmp_path / "t.csv").error_counts().errors.tolist() == [2]  # words may all be wrong
    (tmp_path / "t.jsonl").write_text('{"label": "cat", "a": 0}\n')
    with pytest.raises(InvalidInput, match=r"`a` must hold labels like those of `label` \('cat'\), got 0"):
        read_predictions(tmp_path / "t.jsonl").error_counts()


def test_shards_may_infer_to_other_types(tmp_path):
    (tmp_path / "1.csv").write_text("label,a,day\n0,0,1\n1,1,1\n")
    (tmp_path / "2.csv").write_text("day,a,label\nmonday,1.0,0\nmonday,,1\n")  # other types, and another order
    tally = read_predictions(tmp_path, group="day", missing="drop").tally()
    assert tally.groups == ("1", "monday")
    assert tally.errors.tolist() == [[0], [1]]
    assert tally.excluded == {"missing prediction of a": 1}
    (tmp_path / "3.csv").write_text("label,a\n0,0\n")
    with pytest.raises(InvalidInput, match="`group` must be a column of the table, got 'day'"):
        read_predictions(tmp_path, group="day")
    (tmp_path / "3.csv").write_text("label,a,b,day\n0,0,0,1\n")
    with pytest.raises(
        InvalidInput,
        match=r"all files must have the same columns, got 'label', 'a', 'day' \(.*1\.csv\) and 'label', 'a',"
        r" 'b', 'day' \(.*3\.csv\)",
    ):
        read_predictions(tmp_path, group="day")


JUNK = "label,m1,m2\n0,0,0.0\n1,1,1\n1,abc,1.0\n0,0,1\n"


def test_a_text_among_numbers_is_never_wrong_in_silence(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text(JUNK)
    with pytest.raises(InvalidInput) as failure:
        read_predictions(file).tally()
    assert str(failure.value) == (
        "`m1` must hold numbers, got 'abc' in 1 of 4 examples. Use missing='drop' to compare the other 3, or"
        " missing='wrong' to count it as an error, or `text` to compare texts."
    )
    wrong = read_predictions(file, missing="wrong").tally()
    assert (wrong.errors.tolist(), wrong.taken_as_wrong) == ([1, 1], {"unknown prediction of m1": 1})  # 1.0 is 1
    dropped = read_predictions(file, missing="drop").tally()
    assert (dropped.errors.tolist(), dropped.excluded) == ([0, 1], {"unknown prediction of m1": 1})
    assert read_predictions(file, models="m2").confusion_matrix().labels == (0, 1)
    assert read_predictions(file, text=True).error_counts().errors.tolist() == [1, 3]
    with pytest.raises(InvalidInput, match="`m1` must hold numbers, got 'abc' in 1 of 4 examples"):
        read_predictions(file).confusion_matrix("m1")
    known = read_predictions(file, labels=["0", "2"], missing="drop").tally("m1")
    assert known.excluded == {"unknown label": 2, "unknown prediction of m1": 2}  # abc, and a 1
    file.write_text("label,a,b\nTrue, true,1\nFalse,abc,0\n")
    assert read_predictions(file, missing="wrong").tally().taken_as_wrong == {"unknown prediction of a": 1}
    file.write_text("label,a\n9007199254740993,9007199254740992\n?,x\n0,0\n")
    assert read_predictions(file).error_counts().errors.tolist() == [2]  # a label of texts: compared as texts


def test_a_text_among_numbers_is_found_in_long_and_joined_tables(tmp_path):
    (tmp_path / "long.csv").write_text("id,model,prediction,label\n1,a,0,0\n1,b,0,0\n2,a,abc,1\n2,b,1.0,1\n")
    tally = read_predictions(tmp_path / "long.csv", missing="drop").tally()
    assert (tally.errors.tolist(), tally.excluded) == ([0, 0], {"unknown prediction of a": 1})
    rows = "".join(f"{index},1,1\n" for index in range(3, 15_000))
    (tmp_path / "old.csv").write_text(f"id,label,prediction\n1,0,0\n2,1,?\n{rows}")
    (tmp_path / "new.csv").write_text(f"id,label,prediction\n1,0,0\n2,1,1\n{rows}15000,1,zz\n15001,x,1\n")
    tables = {name: read_predictions(tmp_path / f"{name}.csv", id="id", missing="drop") for name in ("old", "new")}
    assert Predictions.joined(tables).tally().excluded == {
        "unknown label": 1,
        "id without prediction of old": 2,
        "unknown prediction of old": 1,
        "unknown prediction of new": 1,
    }


def test_ways_to_say_nothing_are_missing_unless_a_label_is_so_called(tmp_path):
    file = tmp_path / "t.csv"
    ways = ["", "NA", "N/A", "NaN", "nan", "null", "None"]
    file.write_text("label,a\n1,1\n" + "".join(f"0,{way}\n" for way in ways))
    assert read_predictions(file, missing="drop").tally().excluded == {"missing prediction of a": len(ways)}
    file.write_text("label,a\ncat,cat\ndog,dog\n" + "".join(f"cat,{way}\n" for way in ways))
    assert read_predictions(file, missing="drop").tally().excluded == {"missing prediction of a": len(ways)}
    assert read_predictions(file, text=True, missing="drop").tally().errors.tolist() == [len(ways) - 1]
    text = read_predictions(file, labels=["cat", "dog", "None"], missing="drop").tally()
    assert (text.errors.tolist(), text.excluded) == ([1], {"missing prediction of a": len(ways) - 1})
    file.write_text("label,a\nNA,NA\ndog,NA\n")
    assert read_predictions(file).error_counts().errors.tolist() == [1]
    file.write_text("label,a,site\n1,1,NA\nNA,1,NA\n")
    tally = read_predictions(file, group="site", missing="drop").tally()
    assert (tally.groups, tally.excluded) == (("NA",), {"missing label": 1})  # a site may be called NA
    file.write_text("a,b\n1,NA\n0.0,True\n")
    assert read_predictions(file, correct=True, missing="drop").tally().excluded == {"missing outcome of b": 1}
    (tmp_path / "t.jsonl").write_text('{"label": "x", "a": "NA"}\n{"label": "x", "a": "x"}\n')
    assert read_predictions(tmp_path / "t.jsonl").error_counts().errors.tolist() == [1]  # JSON has a null of its own


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_late_surprises_are_read_with_care(kind, tmp_path):
    """Types are inferred from the first ten thousand rows; later rows are read all the same."""
    file = tmp_path / f"t.{kind}"

    def written(*late):
        rows = [("1", "1")] * 15_000 + list(late)
        lines = [f'{{"label": {label}, "a": {a}}}' if kind == "jsonl" else f"{label},{a}" for label, a in rows]
        file.write_text("\n".join([*(["label,a"] if kind == "csv" else []), *lines]))
        return file

    assert read_predictions(written(("1", "1.0"), ("2.0", "1"))).error_counts().errors.tolist() == [1]
    assert read_predictions(written(("1", "1.0"), ("2.0", "1"))).confusion_matrix().labels == (1, 2)
    with pytest.raises(InvalidInput, match="`a` must hold numbers, got 'cat' in 1 of 15,001 examples"):
        read_predictions(written(("1", '"cat"'))).error_counts()
    with pytest.raises(InvalidInput, match="`the label` must hold numbers, got 'cat' in 1 of 15,001 examples"):
        read_predictions(written(('"cat"', "1"))).error_counts()
    assert read_predictions(file, text=True).error_counts().errors.tolist() == [1]
    late = written(("0", "1"), ("1", '"TRUE"'), ("1", '"0.0"'))
    assert read_predictions(late, models="a", correct=True).error_counts().errors.tolist() == [1]


def test_late_ids_and_groups_need_to_be_reported(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("label,a,site\n" + "1,1,1\n" * 15_000 + "1,1,x\n")
    with pytest.raises(
        InvalidInput,
        match=r".*t\.csv could not be counted: could not parse `x` as dtype `i64` at column 'site' \(column number 3\)",
    ):
        read_predictions(file, group="site").tally()
    assert read_predictions(file, group="site", text=True).tally().groups == ("1", "x")


def test_a_column_that_occurs_twice_is_refused(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("label,a,a\n1,1,0\n")
    with pytest.raises(InvalidInput, match=r".*t\.csv must have different column names, got 'a' twice"):
        read_predictions(file)
    file.write_text("label,a,note,note\n1,1,0,0\n")
    assert read_predictions(file, models="a").error_counts().errors.tolist() == [0]  # the notes are not needed


def test_a_column_without_a_name_is_no_model(tmp_path):
    file = tmp_path / "t.csv"
    for header in (",label,a,", "Unnamed: 0,label,a,Unnamed: 3"):
        file.write_text(f"{header}\n0,1,1,5\n1,1,1,6\n")
        assert read_predictions(file).models == ("a",)
        with pytest.raises(
            InvalidInput,
            match=r"`models` must be columns of predictions, got .*, which is an index or has an empty header",
        ):
            read_predictions(file, models=["a", header.partition(",")[0]])
    assert read_predictions(file, id="Unnamed: 0").error_counts().errors.tolist() == [0]


@pytest.mark.parametrize("end", ["\n\n", "\n\n\n", "\r\n\r\n", "\n \n"])
def test_a_blank_last_line_is_no_example(end, tmp_path):
    content = f"label,a\n1,1\n0,1{end}"
    (tmp_path / "t.csv").write_bytes(content.encode())
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(content.encode()))
    for name in ("t.csv", "t.csv.gz"):
        tally = read_predictions(tmp_path / name).tally()
        assert (int(tally.examples), tally.errors.tolist()) == (2, [1])


def test_what_is_between_columns_is_seen_in_packed_files(tmp_path):
    for separator in ";\t,":
        file = tmp_path / "t.csv.gz"
        file.write_bytes(gzip.compress("label;a;b\n1;1;0\n".replace(";", separator).encode()))
        assert read_predictions(file).error_counts().errors.tolist() == [0, 1]


@pytest.mark.parametrize("name", ["t.arrow", "t.arrows", "t.bin"])
def test_streams_of_arrow_are_read(name, tmp_path):
    polars.DataFrame(TABLE).write_ipc_stream(tmp_path / name)
    assert cells(read_predictions(tmp_path / name)) == expected()
    polars.DataFrame(TABLE).write_ipc(tmp_path / "other.arrow")
    assert cells(read_predictions([tmp_path / name, tmp_path / "other.arrow"])) == [2 * each for each in expected()]


def test_partitions_are_columns_if_a_part_names_them(tmp_path):
    for site, label in (("x", 1), ("y", 0)):
        folder = tmp_path / "run=7" / f"site={site}"
        folder.mkdir(parents=True)
        polars.DataFrame({"label": [label, 1], "a": [1, 1]}).write_parquet(folder / "part.parquet")
    assert read_predictions(tmp_path).models == ("a",)
    predictions = read_predictions(tmp_path, group="site")
    assert predictions.models == ("a",)
    assert (predictions.tally().groups, predictions.tally().errors.tolist()) == (("x", "y"), [[0], [1]])


def test_a_pipe_cannot_be_scanned(tmp_path):
    pipe = tmp_path / "pipe.csv"
    if hasattr(os, "mkfifo"):  # not on Windows
        os.mkfifo(pipe)
    for source in ("-", *([pipe] if pipe.exists() else [])):
        with pytest.raises(InvalidInput, match=r"must be a file, which can be read more than once, got a pipe"):
            read_predictions(source)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.csv", b"", r"file is empty: .*empty\.csv"),
        ("blank.csv", b"\n \n", r"file is empty: .*blank\.csv"),
        ("header.csv", b"label,a\n", r".*header\.csv must have rows below its header, got none"),
        (
            "junk.parquet",
            b"\x00\x01junk" * 50,
            r"cannot read .*junk\.parquet as parquet: parquet: File out of specification: The file must end"
            r" with PAR1 or PARE",
        ),
        ("junk.arrow", b"\x00\x01junk" * 50, r"cannot read .*junk\.arrow as ipc: out-of-spec: InvalidFooter"),
        (
            "junk.csv",
            b"\xff\xfe\x00\x01junk" * 50,
            r".*junk\.csv must be CSV, TSV, Parquet, JSON lines or Arrow, got bytes that are not text",
        ),
        (
            "junk",
            b"\xff\xfe\x00\x01junk" * 50,
            ".*junk must be CSV, TSV, Parquet, JSON lines or Arrow, got bytes that are not text",
        ),
        ("junk.csv.gz", b"\x1f\x8b\x08junk", r"cannot read .*junk\.csv\.gz as csv: unexpected end of file"),
        (
            "prose.txt",
            b"once upon a time\nthere was\n",
            r".*prose\.txt must be CSV, TSV, Parquet, JSON lines or Arrow, got a first line without comma or tab",
        ),
        (
            "list.json",
            b'[{"label": 1}]',
            r".*list\.json must be CSV, TSV, Parquet, JSON lines or Arrow, got one JSON list",
        ),
        (
            "broken.jsonl",
            b'{"label": 1, "a": 1}\nnot json\n',
            r"cannot read .*broken\.jsonl as jsonl: ExpectedNull at character 0 \('n'\)",
        ),
        ("latin.csv", "label,a\nJosé,José\n".encode("latin-1"), r"latin\.csv .* Save it as UTF-8\.$"),
        ("late.csv", b"label,a\n" + b"x,x\n" * 20_000 + b"x,\xe9\n", r"late\.csv .* Save it as UTF-8\.$"),
        ("ragged.csv", b"label,a\n1,1\n1,2,3\n", r"ragged\.csv .* a row has more fields than the header"),
        ("mac.csv", b"label,a\r1,1\r", r".*mac\.csv must have line ends LF or CR LF, got CR alone"),
        (
            "columns.csv",
            b"lable,a\n1,1\n",
            "`label` must be a column of the table, got 'label'",
        ),
    ],
)
def test_what_cannot_be_read_is_one_clear_error(name, content, message, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInput, match=message) as failure:
        read_predictions(tmp_path / name, label="label").error_counts()
    assert "\n" not in str(failure.value)


def test_what_is_not_there_is_reported(tmp_path):
    with pytest.raises(InvalidInput, match=r"file not found: .*none\.csv"):
        read_predictions(tmp_path / "none.csv")
    with pytest.raises(
        InvalidInput,
        match=r"the folder .* must hold a file of CSV, TSV, Parquet, JSON lines or Arrow, got none",
    ):
        read_predictions(tmp_path)
    with pytest.raises(InvalidInput, match=r"no file matches .*\*\.csv"):
        read_predictions(str(tmp_path / "*.csv"))
    with pytest.raises(InvalidInput, match="at least one file"):
        read_predictions([])
    (tmp_path / "a.csv").write_text("label,a\n1,1\n")
    polars.DataFrame(TABLE).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(
        InvalidInput, match=r"all files must have one format, got csv \(.*a\.csv\) and parquet \(.*b\.parquet\)"
    ):
        read_predictions(tmp_path)


def test_a_file_we_may_not_read_is_reported(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("label,a\n1,1\n")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(InvalidInput, match=r"cannot read .*a\.csv: Permission denied"):
        read_predictions(tmp_path / "a.csv")


def test_without_polars_the_extra_is_named(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("label,a\n1,1\n")
    real = builtins.__import__

    def without(name, *rest, **more):
        if name.partition(".")[0] == "polars":
            raise ModuleNotFoundError("No module named 'polars'", name="polars")
        return real(name, *rest, **more)

    monkeypatch.setitem(sys.modules, "polars", None)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"polars .* pip install 'tellapart\[tables\]'"):
        read_predictions(tmp_path / "a.csv")
