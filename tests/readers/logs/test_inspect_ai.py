"""Logs that Inspect wrote: scores against its own results, its traps, and files that are ruined or changed.

What Inspect itself computed stands in header.json (means) and reductions.json (each sample's score as a number); both
are unpacked here by zipfile and zstandard, beside the reader.
"""

import json
import shutil
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from tellapart.errors import InvalidEvidence, InvalidInput, InvalidOption
from tellapart.readers.logs.inspect_ai import READER
from tellapart.readers.logs.json_stream import first_keys
from tellapart.readers.logs.run import Head, Selection

polars = pytest.importorskip("polars")
zstandard = pytest.importorskip("zstandard")

LOGS = Path(__file__).parents[2] / "fixtures/logs/inspect"
FOLDER = sorted((LOGS / "folder").iterdir())
SCORED = ["pair/reed.eval", "pair/sedge.eval", "json/reed.json", "json/sedge.json", "deflate/reed.eval", "errors.eval"]
SCORED += ["deflate/sedge.eval", "epochs/reed.eval", "epochs/sedge.eval", "edited.eval", "chunked.eval"]


def members(path):
    """Return the members of a log, each unpacked whole."""
    out = {}
    with zipfile.ZipFile(path) as file:
        for info in file.infolist():
            if info.compress_type != 93:
                out[info.filename] = file.read(info)
                continue
            with path.open("rb") as raw:
                raw.seek(info.header_offset + 26)
                names = int.from_bytes(raw.read(2), "little") + int.from_bytes(raw.read(2), "little")
                raw.seek(names, 1)
                packed = raw.read(info.compress_size)
            out[info.filename] = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    return out


def reported(path):
    """Return what Inspect says of the run: its results and the reductions."""
    if path.suffix == ".json":
        log = json.loads(path.read_text())
        return log["results"], log["reductions"]
    parts = members(path)
    return json.loads(parts["header.json"])["results"], json.loads(parts["reductions.json"])


def rewritten(path, change, source="pair/reed.eval"):
    """Write the log with its members changed, all stored."""
    parts = {name: json.loads(content) for name, content in members(LOGS / source).items()}
    change(parts)
    with zipfile.ZipFile(path, "w") as file:
        for name, content in parts.items():
            file.writestr(name, json.dumps(content))
    return path


def only(path, **expected):
    (run,) = READER.runs(path, Selection(**expected))
    return run


def recognised(path):
    start = path.read_bytes()[: 1 << 16]
    return READER.recognises(Head(path=path, start=start, keys=first_keys(start)))


@pytest.mark.parametrize("name", SCORED)
def test_means_are_those_that_inspect_reports(name):
    run = only(LOGS / name)
    score = reported(LOGS / name)[0]["scores"][0]
    assert run.table["score"].mean() == pytest.approx(score["metrics"]["accuracy"]["value"], abs=1e-12)
    assert (run.task, run.metric, run.bounds, run.higher_is_better) == ("counting", score["name"], (0, 1), True)
    assert run.model == ("mockllm/sedge" if "sedge" in name else "mockllm/reed")
    assert run.version == ("0.3.100" if "deflate" in name else "0.3.285")


@pytest.mark.parametrize("name", ["pair/sedge.eval", "json/reed.json", "deflate/reed.eval"])
def test_scores_of_the_samples_are_those_that_inspect_reduced(name):
    table = only(LOGS / name).table
    (reduction,) = reported(LOGS / name)[1]
    assert dict(zip(table["id"], table["score"], strict=True)) == {
        each["sample_id"]: each["value"] for each in reduction["samples"]
    }


@pytest.mark.parametrize("metric", ["letter", "closeness", "exact", "style/clear", "style/brief", "match"])
def test_each_of_several_scores_can_be_chosen(metric):
    results = {f"{s['scorer']}/{s['name']}": s["metrics"] for s in reported(LOGS / "scorers.eval")[0]["scores"]}
    (reported_mean, *_) = results[metric if "/" in metric else f"{metric}/{metric}"].values()
    run = only(LOGS / "scorers.eval", metric=metric)
    assert run.table["score"].mean() == pytest.approx(reported_mean["value"], abs=1e-12)
    assert run.metric == metric
    assert run.bounds == (None if metric in {"closeness", "style/clear", "style/brief"} else (0, 1))


def test_several_scores_are_listed_and_a_list_is_no_score():
    with pytest.raises(
        InvalidOption,
        match=r"`metric` must name one of the scores in .*scorers\.eval: 'closeness', 'exact', 'letter',"
        r" 'match', 'style/brief', 'style/clear'",
    ):
        only(LOGS / "scorers.eval")
    with pytest.raises(InvalidOption, match=r"`metric` must be one of the scores in .*scorers\.eval, got 'style'"):
        only(LOGS / "scorers.eval", metric="style")
    with pytest.raises(InvalidEvidence, match=r"'digits' is '\[6, 0\]' \(sample 'ferry-more'\), and only numbers"):
        only(LOGS / "scorers.eval", metric="digits")
    assert only(LOGS / "scorers.eval", metric="clear").metric == "style/clear"  # as Inspect's results call it


def test_epochs_are_repeats_of_a_sample():
    table = only(LOGS / "epochs/reed.eval").table
    assert sorted(zip(table["id"], table["epoch"], strict=True)) == [
        (name, epoch) for name in ("ferry-all", "ferry-more") for epoch in (1, 2, 3)
    ]
    means = {each["sample_id"]: each["value"] for each in reported(LOGS / "epochs/reed.eval")[1][0]["samples"]}
    assert dict(table.group_by("id").agg(polars.col("score").mean()).iter_rows()) == pytest.approx(means)
    assert "epoch" not in only(LOGS / "pair/reed.eval").table.columns


def test_what_inspect_leaves_out_of_its_mean_is_a_row_without_a_score():
    results = reported(LOGS / "errors.eval")[0]
    run = only(LOGS / "errors.eval")
    left_out = run.table.filter(run.table["score"].is_null())
    assert run.table.height == results["total_samples"] == 9
    assert run.table.height - left_out.height == results["scores"][0]["scored_samples"] == 5
    assert dict(left_out.select("id", "error").iter_rows()) == {
        "ferry-more": "RuntimeError('the model is not at home')",  # the model failed
        "baker-all": "ValueError(\"invalid literal for int() with base 10: 'many'\")",  # the scorer failed
        "baker-more": None,  # the scorer gave nothing
        "choir-all": "grader_failed",  # the score is NaN, on purpose
    }
    assert run.table.filter(run.table["score"].is_not_null())["error"].null_count() == 5
    assert run.notes == ("Inspect excludes 4 of 9 samples from its own mean: 2 failed, 2 were not scored",)


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("started.eval", "not finished (status 'started'): the log has 2 of 4 samples"),
        ("deflate/started.eval", "not finished (status 'started'): the log has 2 of 4 samples"),
        ("cancelled.eval", "not finished (status 'cancelled'): the log has 3 of 4 samples"),
        ("failed.eval", "not finished (status 'error'): the log has 4 of 4 samples"),
        ("edited.eval", "some samples were declared invalid after the run"),
    ],
)
def test_what_is_odd_about_a_run_is_noted(name, note):
    assert any(note in each for each in only(LOGS / name).notes)


def test_a_run_without_its_samples_says_so():
    with pytest.raises(InvalidEvidence, match=r"holds no samples.*log_samples=False"):
        only(LOGS / "nosamples.eval")


def test_metadata_become_columns():
    table = only(LOGS / "pair/reed.eval", columns=("passage_id", "kind")).table
    assert [f"{a}-{b}" for a, b in zip(table["passage_id"], table["kind"], strict=True)] == table["id"].to_list()
    inner = only(LOGS / "scorers.eval", metric="match", columns=("nested.page",)).table
    assert inner["nested.page"].to_list() == [3, None, None, None]
    with pytest.raises(InvalidOption, match=r"samples of .*reed\.eval must have 'topic' in their metadata, got none"):
        only(LOGS / "pair/reed.eval", columns=("topic",))


@pytest.mark.parametrize("column", ["note", "table"])
def test_metadata_that_the_summaries_cut_are_no_columns(column):
    with pytest.raises(InvalidOption, match=f"'{column}' of sample 'ferry-more' is too long"):
        only(LOGS / "scorers.eval", metric="match", columns=(column,))


def test_a_proof_identifies_questions_but_not_runs():
    proofs = [dict(only(LOGS / name).table.select("id", "proof").iter_rows()) for name in SCORED]
    every = {key: {each[key] for each in proofs if key in each} for each in proofs for key in each}
    assert all(len(result) == 1 for result in every.values())  # .eval, .json, both versions, both models
    assert len({proof for result in every.values() for proof in result}) == len(every) == 24


def test_a_proof_is_the_same_from_a_sample_and_from_its_summary(tmp_path):
    """A summary cuts texts at 5120 characters and names an image; ids of messages are drawn anew in each run."""
    tail = "...\n(content truncated)"
    whole = [{"type": "text", "text": "t" * 6000}, {"type": "image", "image": "data:..."}]
    thin = [{"type": "text", "text": "t" * 5120 + tail}, {"type": "text", "text": "(Image)"}]
    requested = {
        "a": ("x" * 6000, "x" * 5120 + tail),
        "b": ([{"id": "1", "role": "user", "content": whole}], [{"id": "2", "role": "user", "content": thin}]),
        "c": ([{"role": "user", "content": "y" * 5121}], [{"role": "user", "content": "y" * 5120 + tail}]),
    }
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
    result = []
    for side in (0, 1):
        samples = [
            {"id": key, "input": texts[side], "scores": {"s": {"value": "C"}}} for key, texts in requested.items()
        ]
        (tmp_path / "log.json").write_text(json.dumps({**header, "samples": samples}))
        result.append(only(tmp_path / "log.json").table["proof"].to_list())
    assert result[0] == result[1]
    assert len(set(result[0])) == 3


def test_every_kind_of_value_counts_as_inspect_counts_it(tmp_path):
    """As Inspect's value_to_float has it; NaN and null are no score."""
    values = {
        "C": 1,
        "P": 0.5,
        "I": 0,
        "N": 0,
        True: 1,
        False: 0,
        "yes": 1,
        "No": 0,
        "TRUE": 1,
        0.25: 0.25,
        -3: -3,
        "7": 7,
    }
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
    samples = [
        {"id": index, "input": "", "scores": {"s": {"value": value}}}
        for index, value in enumerate([*values, float("nan"), None])
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**header, "samples": samples}))
    run = only(path)
    assert run.table["score"].to_list() == [*values.values(), None, None]
    assert run.bounds is None
    for bad in ("c", "maybe", "nan", float("inf"), 10**400, [1]):
        path.write_text(json.dumps({**header, "samples": [*samples, {"id": "z", "scores": {"s": {"value": bad}}}]}))
        with pytest.raises(InvalidEvidence, match=r"\(sample 'z'\), and only numbers"):
            only(path)


def test_logs_are_recognised_by_content(tmp_path):
    logs = [path for path in LOGS.rglob("*") if path.suffix in {".eval", ".json"}]
    assert len(logs) == 20
    assert all(recognised(shutil.copy(path, tmp_path / "renamed.txt")) for path in logs)
    first = only(shutil.copy(LOGS / "pair/reed.eval", tmp_path / "renamed.json")).table
    assert first.equals(only(LOGS / "pair/reed.eval").table)
    turned = rewritten(
        tmp_path / "turned", lambda parts: parts.update({"_journal/start.json": parts.pop("_journal/start.json")})
    )
    assert recognised(turned)  # its members in another order
    assert only(turned).table.equals(first)


@pytest.mark.parametrize(
    "text",
    [
        '{"id": 1, "label": 0}\n',
        "id,a\n1,2\n",
        '{"version": 2, "status": "x"}',
        '{"eval": {"task": 1}}',
        "PK\x03\x04",
        "",
    ],
)
def test_other_files_are_not_taken_for_logs(tmp_path, text):
    (tmp_path / "a").write_text(text)
    with zipfile.ZipFile(tmp_path / "b", "w") as file:
        file.writestr("header.json", "{}")
    assert not recognised(tmp_path / "a")
    assert not recognised(tmp_path / "b")


def test_a_newer_version_with_unknown_fields_is_read_and_noted(tmp_path):
    def change(parts):
        parts["header.json"] |= {"version": 3, "mood": {"good": [1]}}
        parts["summaries.json"] = [{"mood": None, **row, "later": [row]} for row in parts["summaries.json"]]

    newer = only(rewritten(tmp_path / "newer", change))
    assert newer.table.equals(only(LOGS / "pair/reed.eval").table)
    assert newer.notes == ("its format has version 3, newer than the 2 that is known",)


def test_a_sample_that_was_run_again_counts_once_the_last_time(tmp_path):
    def change(parts):
        again = {**parts["summaries.json"][2], "scores": {"match": {"value": "P"}}}
        parts["summaries.json"].append(again)

    table = only(rewritten(tmp_path / "again", change)).table
    assert table.height == 24
    assert table.filter(table["id"] == "ferry-half")["score"].item() == 0.5


def test_a_sample_that_failed_and_was_scored_keeps_its_score(tmp_path):
    def change(parts):
        parts["summaries.json"][0]["error"] = "TimeoutError()\nat line 3"

    run = only(rewritten(tmp_path / "a", change))
    assert run.table["score"].null_count() == 0
    assert run.notes == ("1 samples failed, but have scores",)


def test_a_run_in_which_everything_failed_has_rows_without_scores(tmp_path):
    def change(parts):
        parts["summaries.json"] = [{**row, "scores": {}, "error": "x"} for row in parts["summaries.json"]]

    run = only(rewritten(tmp_path / "a", change))
    assert (run.metric, run.table["score"].null_count(), set(run.table["error"])) == ("match", 24, {"x"})


def test_a_folder_holds_runs_of_several_tasks_and_models(tmp_path):
    names = tuple(path.name for path in FOLDER)
    assert READER.recognises(Head(path=LOGS / "folder", names=names))
    result = {(run.task, run.model) for run in READER.runs(LOGS / "folder", Selection())}
    assert result == {("counting", "mockllm/reed"), ("counting", "mockllm/sedge"), ("capitals", "mockllm/reed")}
    assert only(LOGS / "folder", task="capitals").table["id"].to_list() == ["1", "2", "3"]
    assert only(LOGS / "folder", task="counting", model="mockllm/sedge").model == "mockllm/sedge"
    with pytest.raises(InvalidOption, match=r"`task` must be one of the tasks in .*folder, got 'rivers'"):
        READER.runs(LOGS / "folder", Selection(task="rivers"))
    with pytest.raises(InvalidOption, match=r"`model` must be one of the models in .*folder, got 'rush'"):
        READER.runs(LOGS / "folder", Selection(model="rush"))
    (tmp_path / "2026-notes.json").write_text("{}")
    assert not READER.recognises(Head(path=tmp_path, names=("2026-notes.json",)))


def test_of_several_runs_in_a_folder_the_last_that_was_finished_is_read(tmp_path):
    shutil.copy(LOGS / "pair/reed.eval", tmp_path / "a.eval")
    shutil.copy(LOGS / "json/reed.json", tmp_path / "2026-01-05T12-00-00_counting.json")  # made after it
    shutil.copy(LOGS / "started.eval", tmp_path / "z.eval")
    run = only(tmp_path)
    assert run.table.height == 3
    assert run.notes == (
        "of 3 runs of this model on counting only the last is read: 2026-01-05T12-00-00_counting.json",
    )


def test_the_task_or_model_of_a_single_log_must_be_the_one_requested():
    assert only(LOGS / "pair/reed.eval", task="counting", model="mockllm/reed").table.height == 24
    with pytest.raises(InvalidOption, match=r"`task` must be one of the tasks in .*reed\.eval, got 'capitals'"):
        only(LOGS / "pair/reed.eval", task="capitals")


@pytest.mark.parametrize("name", ["pair/reed.eval", "deflate/reed.eval", "json/reed.json"])
@pytest.mark.parametrize("share", [0.05, 0.4, 0.7])
def test_a_log_cut_short_is_reported(tmp_path, name, share):
    whole = (LOGS / name).read_bytes()
    path = tmp_path / "cut"
    path.write_bytes(whole[: int(share * len(whole))])
    assert recognised(path)
    with pytest.raises(InvalidEvidence, match=r"cut must be (a complete zip file|complete JSON): "):
        only(path)


@pytest.mark.parametrize("name", ["started.eval", "deflate/started.eval"])
def test_a_changed_byte_is_reported_or_does_not_matter(tmp_path, name):
    whole, path = (LOGS / name).read_bytes(), tmp_path / "changed"
    right = only(LOGS / name)
    text = 0
    for index in range(0, len(whole), 23):
        path.write_bytes(whole[:index] + bytes([whole[index] ^ 0x41]) + whole[index + 1 :])
        try:
            run = only(path)
            if run.notes == right.notes:  # a name in the table of contents has no checksum; what is missing is noted
                assert run.table.equals(right.table)
        except InvalidEvidence:
            text += 1
    assert text > 20


@pytest.mark.parametrize(
    "content",
    [
        '{"version": 2, "status": "x", "eval": {"task": 3}}',
        '{"eval": {"task": "t", "model": "m"}, "samples": [3]}',
        '{"eval": {"task": "t", "model": "m"}, "samples": [{"id": [1]}]}',
        "[" * 100_000,
        '{"eval": ' * 50_000,
    ],
)
def test_json_of_another_shape_is_reported(tmp_path, content):
    (tmp_path / "a").write_text(content)
    with pytest.raises(InvalidEvidence):
        only(tmp_path / "a")


@pytest.mark.parametrize("odd", [None, True, 10**30, "\ud800", [1], {"a": [{}]}])
def test_a_part_of_another_type_is_reported_or_does_not_matter(tmp_path, odd):
    path, text = tmp_path / "a.json", (LOGS / "json/reed.json").read_text()
    places = [("eval",), *(("eval", name) for name in ("task", "model", "dataset", "config", "packages", "scorers"))]
    places += [("samples", 1, *rest) for rest in ((), ("id",), ("epoch",), ("input",), ("error",), ("metadata",))]
    places += [("samples", 1, *rest) for rest in (("scores",), ("scores", "match"), ("metadata", "kind"))]
    for *way, last in places:
        log = json.loads(text)
        inside = log
        for step in way:
            inside = inside[step]
        inside[last] = odd
        path.write_text(json.dumps(log))
        try:
            result = str(only(path, columns=("kind",)).table.height)
        except InvalidInput as error:
            result = str(error)
        assert result == "3" or str(path) in result


@pytest.mark.parametrize("packed", [True, False])
def test_long_samples_are_not_held(tmp_path, packed):
    """Samples of 20 kB each, 20 MB in all, are read within some megabytes."""
    about = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
    texts = ("word " * 4000 + str(index) for index in range(1000))
    rows = [
        {"id": index, "input": text, "scores": {"s": {"value": "C", "explanation": text}}}
        for index, text in enumerate(texts)
    ]
    path = tmp_path / "log"
    if packed:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            file.writestr("header.json", json.dumps(about))
            file.writestr("summaries.json", json.dumps(rows))
    else:
        path.write_text(json.dumps({**about, "samples": rows}))
    del rows
    tracemalloc.start()
    run = only(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert run.table.height == 1000
    assert peak < 12e6


def test_a_dictionary_left_open_by_a_single_nan_is_no_further_score(tmp_path):
    """`Score.unscored` is a NaN, also of a scorer whose other scores are dictionaries."""

    def change(parts):
        for sample in parts["summaries.json"]:
            sample["scores"] = {"judge": {"value": {"tone": 0.5}}}
        parts["summaries.json"][0]["scores"] = {"judge": {"value": float("nan"), "reason": "unclear"}}

    table = only(rewritten(tmp_path / "a.eval", change)).table
    assert table["score"].to_list()[:2] == [None, 0.5]
    assert table["error"][0] == "unclear"


def test_more_samples_than_bytes_are_a_bomb(tmp_path):
    path = tmp_path / "a.eval"
    parts = members(LOGS / "pair/reed.eval")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", parts["header.json"])
        file.writestr("summaries.json", b"[" + b'{"id":1},' * 5000 + b'{"id":1}]')
    with pytest.raises(InvalidEvidence, match=r"a\.eval has more samples than bytes for them: this is a bomb"):
        only(path)
