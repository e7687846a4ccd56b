"""Members of zip files against what zipfile and zstandard wrote, and files that are ruined or mean harm."""

import struct
import zipfile
import zlib

import pytest

from tellapart.errors import InvalidEvidence
from tellapart.readers.logs import archive as module
from tellapart.readers.logs.archive import Archive

zstandard = pytest.importorskip("zstandard")

TEXT = b"a line of a log, and another one\n" * 5000


def every(_):
    return True


def zipped(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def one_member(path, packed, content=b"", *, method=93, size=None, flags=0, name=b"summaries.json"):
    """Write a zip file of one member, by hand after the published layout (PKWARE's APPNOTE, 4.3)."""
    size = len(content) if size is None else size
    common = struct.pack("<5HL2L2H", 20, flags, method, 0, 0, zlib.crc32(content), len(packed), size, len(name), 0)
    local = b"PK\x03\x04" + common + name + packed
    entry = b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<3H2L", 0, 0, 0, 0, 0) + name
    path.write_bytes(local + entry + b"PK\x05\x06" + struct.pack("<4H2LH", 0, 0, 1, 1, len(entry), len(local), 0))
    return path


def read(path, name="summaries.json"):
    with Archive(path, every) as archive:
        return archive.open(name).read()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members_are_as_zipfile_wrote_them(tmp_path, method):
    path = zipped(tmp_path / "a", {"one": TEXT, "empty": b"", "two": b"2"}, method)
    with Archive(path, every) as archive:
        assert list(archive.members) == ["one", "empty", "two"]
        first, second = archive.open("one"), archive.open("two")  # in turn, from one file
        assert first.read(10) == TEXT[:10]
        assert second.read() == b"2"
        assert first.read() == TEXT[10:]
        assert archive.open("empty").read() == b""


def test_zstandard_is_read_across_frames(tmp_path):
    pack = zstandard.ZstdCompressor().compress
    path = one_member(tmp_path / "a", pack(TEXT[:1000]) + pack(b"") + pack(TEXT[1000:]), TEXT)
    assert read(path) == TEXT


def test_only_what_is_required_is_held_and_the_last_of_a_name_counts(tmp_path):
    path = tmp_path / "a"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("kept", "first")
        file.writestr("left", "x")
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr("kept", "last")
    with Archive(path, "kept".__eq__) as archive:
        assert list(archive.members) == ["kept"]
        assert archive.open("kept").read() == b"last"


def test_numbers_too_long_for_their_field_and_bytes_before_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)  # zipfile then writes the long form
    path = zipped(tmp_path / "a", {"first": TEXT, "one": TEXT})
    assert read(path, "one") == TEXT
    path.write_bytes(b"#!/bin/sh\n" + zipped(tmp_path / "b", {"one": TEXT}).read_bytes())
    assert read(path, "one") == TEXT


def test_a_comment_behind_the_table_of_contents(tmp_path):
    path = zipped(tmp_path / "a", {"one": TEXT})
    with zipfile.ZipFile(path, "a") as file:
        file.comment = b"c" * 70
    assert read(path, "one") == TEXT


@pytest.mark.parametrize("share", [0.01, 0.3, 0.8, 0.99])
def test_a_file_cut_short_is_reported(tmp_path, share):
    path = zipped(tmp_path / "a", {f"{i}": TEXT for i in range(9)})
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(
        InvalidEvidence, match=r".*a must be a complete zip file: the table of contents at its end is missing"
    ):
        Archive(path, every)


@pytest.mark.parametrize("method", [0, 8, 93])
def test_a_changed_byte_is_reported(tmp_path, method):
    engine = zlib.compressobj(wbits=-15)
    packed = {0: TEXT, 8: engine.compress(TEXT) + engine.flush(), 93: zstandard.ZstdCompressor().compress(TEXT)}[method]
    for index in range(0, len(packed), max(1, len(packed) // 9)):
        changed = bytearray(packed)
        changed[index] ^= 0x20
        with pytest.raises(InvalidEvidence, match=r"summaries\.json must be undamaged: .*Copy the file again"):
            read(one_member(tmp_path / "a", bytes(changed), TEXT, method=method))


@pytest.mark.parametrize("method", [0, 8, 93])
def test_a_member_that_ends_too_early_is_reported(tmp_path, method):
    engine = zlib.compressobj(wbits=-15)
    packed = {0: TEXT, 8: engine.compress(TEXT) + engine.flush(), 93: zstandard.ZstdCompressor().compress(TEXT)}[method]
    with pytest.raises(InvalidEvidence, match="ends too early"):
        read(one_member(tmp_path / "a", packed[: len(packed) // 2], TEXT, method=method))


def test_members_that_overlap_the_table_are_reported(tmp_path):
    path = zipped(tmp_path / "a", {"one": b"1"}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 42] += 5  # where the table of contents says that the member begins
    path.write_bytes(bytes(data))
    with pytest.raises(InvalidEvidence, match="one is not where its table of contents says"):
        read(path, "one")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path):
    zeros = bytes(1 << 20)
    engine = zstandard.ZstdCompressor().compressobj()
    packed = b"".join(engine.compress(zeros) for _ in range(100)) + engine.flush()  # 100 MB in some kilobytes
    path = one_member(tmp_path / "a", packed, size=100 << 20)
    with pytest.raises(
        InvalidEvidence, match=f"at most 1000 times its size, got {len(packed)} to 104857600 bytes.*bomb"
    ):
        read(path)


def test_a_bomb_that_lies_about_its_size_is_stopped_there(tmp_path):
    packed = zstandard.ZstdCompressor().compress(bytes(20 << 20))
    with Archive(one_member(tmp_path / "a", packed, size=5_000_000), every) as archive:
        source = archive.open("summaries.json")
        assert len(source.read(4_000_000)) == 4_000_000
        with pytest.raises(InvalidEvidence, match="more than the 5000000 bytes it declares"):
            source.read()


def test_many_members_are_no_way_around_the_ceiling(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 3 * len(TEXT))
    path = zipped(tmp_path / "a", {f"{i}": TEXT for i in range(5)})
    with Archive(path, every) as archive:
        for name in "012":
            assert archive.open(name).read() == TEXT
        with pytest.raises(InvalidEvidence, match=r"members of .*a must unpack to at most 0 GB, got 0\.0 GB"):
            archive.open("3")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": 14}, r".*a: summaries\.json must be stored, deflated or compressed by zstandard, got method 14"),
        ({"flags": 1}, r".*a: summaries\.json must not be encrypted"),
    ],
)
def test_what_cannot_be_unpacked_is_named(tmp_path, options, message):
    with pytest.raises(InvalidEvidence, match=message):
        read(one_member(tmp_path / "a", b"xyz", b"xyz", **options))


def test_a_member_that_would_go_on_behind_the_file_is_reported(tmp_path):
    path = one_member(tmp_path / "a", b"[]", b"[]", method=0)
    whole = bytearray(path.read_bytes())
    entry = whole.rindex(b"PK\x01\x02")
    whole[entry + 20 : entry + 24] = struct.pack("<L", 0xFFFFFFF0)  # its packed size
    path.write_bytes(whole)
    with pytest.raises(
        InvalidEvidence,
        match=r".*a must be a complete zip file: summaries\.json would extend beyond the end of the file",
    ):
        read(path)


def test_members_that_share_their_bytes_are_a_bomb(tmp_path):
    """Many entries of the table of contents may point to one member, and unpack it again and again."""
    path = zipped(tmp_path / "a", {f"m{i}": TEXT for i in range(3)}, zipfile.ZIP_STORED)
    whole = path.read_bytes()
    table = whole.index(b"PK\x01\x02")
    first, entries = whole[: table // 3], whole[table : whole.rindex(b"PK\x05\x06")].split(b"PK\x01\x02")[1:]
    alone = b"".join(b"PK\x01\x02" + entry[:38] + struct.pack("<L", 0) + entry[42:] for entry in entries)
    path.write_bytes(first + alone + b"PK\x05\x06" + struct.pack("<4H2LH", 0, 0, 3, 3, len(alone), len(first), 0))
    with Archive(path, every) as archive:
        assert archive.open("m0").read() == TEXT
        with pytest.raises(InvalidEvidence, match=r".*a: m1 must not overlap with other members: this is a zip bomb"):
            archive.open("m1")
