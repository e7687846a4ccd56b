"""JSON an element at a time, against the standard library's reading of the whole."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.errors import InvalidEvidence
from tellapart.readers.logs import json_stream
from tellapart.readers.logs.json_stream import Window, first_keys, items, lines

anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=5), anything, max_size=4), st.lists(anything, max_size=6), st.integers(1, 9))
def test_elements_are_those_of_the_whole_however_it_is_cut(around, expected, piece):
    document = {**around, "deep": {"before": [1, {"x": 2}], "list": expected}, "after": around}
    raw = json.dumps(document, ensure_ascii=piece % 2 == 0, indent=piece % 3 or None).encode()
    kept = json_stream._PIECE
    json_stream._PIECE = piece  # the file comes in pieces of a few bytes: numbers and letters are cut in two
    try:
        assert list(items(io.BytesIO(raw), "it", "deep", "list")) == expected
    finally:
        json_stream._PIECE = kept


@pytest.mark.parametrize(
    "raw",
    [b'{"a": [1, 2', b'{"a": [1 2]}', b'{"a": 1', b"", b"[1, 2]", b'{"a": [tru]}', b'{"b": 1 "a": []}', b"[" * 10**6],
)
def test_what_is_cut_short_or_broken_is_reported(raw):
    with pytest.raises(InvalidEvidence, match="it must be complete JSON:"):
        list(items(io.BytesIO(raw), "it", "a"))


def test_nesting_without_end_is_refused():
    with pytest.raises(InvalidEvidence, match="it must be complete JSON: it is nested too deeply"):
        list(items(io.BytesIO(b'{"a": ' + b"[" * 200_000), "it", "a"))
    with pytest.raises(InvalidEvidence, match="nested too deeply"):
        list(items(io.BytesIO(b'{"b": ' + b"[" * 200_000), "it", "a"))


def test_a_skipped_value_is_not_held(monkeypatch):
    """A value that is not selected may be larger than the buffer."""
    monkeypatch.setattr(json_stream, "_PIECE", 64)
    monkeypatch.setattr(json_stream, "LARGEST_ELEMENT", 300)
    raw = json.dumps({"long": ["x" * 50] * 100, "a": [1]}).encode()
    assert list(items(io.BytesIO(raw), "it", "a")) == [1]
    with pytest.raises(InvalidEvidence, match="elements of it must be at most 0 MB, got more"):
        list(items(io.BytesIO(json.dumps({"a": ["x" * 1000]}).encode()), "it", "a"))


def test_models_write_control_characters_and_broken_letters():
    raw = b'\xef\xbb\xbf{"a": ["tab\there", "\xff"]}'
    assert list(items(io.BytesIO(raw), "it", "a")) == ["tab\there", "�"]


def test_lines_are_objects_and_blank_ones_are_passed_over():
    assert list(lines(io.BytesIO(b'{"a": 1}\n\n{"a": 2}'), "it")) == [{"a": 1}, {"a": 2}]
    with pytest.raises(InvalidEvidence, match="it: line 2 must be complete JSON"):
        list(lines(io.BytesIO(b'{"a": 1}\n{"a": '), "it"))
    with pytest.raises(InvalidEvidence, match="it: line 1 must be a JSON object"):
        list(lines(io.BytesIO(b"[1]"), "it"))


def test_keys_are_reported_as_far_as_the_beginning_reaches():
    assert first_keys(b'[{"a": 1, "b": {"c": 2}, "d": "cut') == ("a", "b", "d")
    assert first_keys(b'{"a"') == ("a",)
    assert first_keys(b"label,a,b\n") == ()
    assert first_keys(b'{"a": 1}') == ("a",)


def test_members_are_taken_or_skipped():
    window = Window(io.BytesIO(b'{"x": {"y": [1, [2]]}, "z": 3}'), "it")
    result = {}
    for key in window.members():
        if key == "z":
            result[key] = window.value()
        else:
            window.skip()
    assert result == {"z": 3}


def test_what_is_wrong_is_reported_where_it_is_found(monkeypatch):
    """A broken file is not read on until the largest element there may be."""
    monkeypatch.setattr(json_stream, "_PIECE", 64)
    stream = io.BytesIO(b'[{"a": 1 "b": 2}, ' + b"1, " * 1000)
    with pytest.raises(InvalidEvidence, match="',' delimiter"):
        list(items(stream, "it"))
    assert stream.tell() < 200


def test_a_number_of_too_many_digits_is_reported_where_it_is_skipped():
    with pytest.raises(InvalidEvidence, match="too many digits"):
        list(items(io.BytesIO(b'{"long": [' + b"1" * 5000 + b'], "a": []}'), "it", "a"))
