"""Markdown, JUnit and the summary of a workflow: their content, and escaped names."""

import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart import PairedTable, judge
from tellapart.errors import InvalidOption, OutputNotWritten
from tellapart.gate.outputs import append_summary, format_junit, format_markdown, output_file, write_output

PASS, WORSE, OPEN = (20, 12, 9, 2959), (5, 2, 47, 966), (5, 12, 17, 966)
NAMES = st.text(min_size=1, max_size=30).filter(str.strip)


def grouped(*cells, names=None, **options):
    names = names or [f"g{place}" for place in range(len(cells))]
    return judge(PairedTable(*zip(*cells, strict=True), models=("old", "new")), groups=names, **options)


def cells_of(line):
    """Return the cells of a line of a Markdown table, split where a reader splits it."""
    return line.replace("\\\\", "").replace("\\|", "")[1:-1].split("|")


# --- Markdown -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "sign"), [(PASS, "✔ PASS:"), (WORSE, "✘ WORSE:"), (OPEN, "? NOT ENOUGH EVIDENCE that")]
)
def test_the_verdict_comes_first_with_a_sign(cells, sign):
    told = format_markdown(judge(PairedTable(*cells)))
    assert told.startswith(f"### {sign} ")
    assert told == judge(PairedTable(*cells)).to_markdown()


def test_a_comment_has_the_interval_the_counts_and_the_examples_needed():
    found = judge(PairedTable(*OPEN, models=("old", "new")))
    told = found.to_markdown()
    assert "0.50 pp higher (90% CI -0.40 to 1.44), p = 0.18" in told
    assert "- **margin** 1.00 pp; the 90% CI of the loss includes it" in told
    assert "|  | new wrong | new right |\n|---|---|---|\n| old wrong | 5 | 12 |\n| old right | 17 | 966 |" in told
    assert rf"- **next** {found.together.enough:,} examples ({found.more:,} more) pass with 80% power" in told
    assert "Do not add data and retest" in told


def test_groups_are_a_table_with_failures_first():
    told = grouped(PASS, OPEN, (0, 0, 0, 20)).to_markdown().splitlines()
    start = next(place for place, line in enumerate(told) if line.startswith("| group |"))
    rows = [cells_of(line) for line in told[start + 2 : start + 5]]
    assert [[cell.strip() for cell in row[:2]] for row in rows] == [
        ["g1", "not enough evidence"],
        ["g2", "not enough evidence"],
        ["g0", "pass"],
    ]
    assert {len(cells_of(line)) for line in told[start : start + 5]} == {9}


def test_a_comment_is_shorter_than_the_limit_of_github():
    found = grouped(*[PASS] * 300, names=[f"group {'x' * 40} {place}" for place in range(300)])
    assert "and 100 more groups." in found.to_markdown()
    assert len(found.to_markdown()) < 65_536


def test_failed_checks_are_reported():
    assert "- **caution** TA104: 0 discordant pairs, fewer than 10" in judge(PairedTable(0, 0, 0, 300)).to_markdown()
    assert "- **caution** TA104: few discordant pairs in 1 of 2 groups" in grouped(PASS, (0, 0, 0, 300)).to_markdown()


@given(NAMES, NAMES)
@settings(max_examples=12, deadline=None)
def test_no_name_breaks_a_comment(one, other):
    if one == other:
        return
    told = format_markdown(judge(PairedTable(*PASS, models=(one, other))))
    lines = told.splitlines()
    assert lines[0].startswith("### ✔ PASS:")
    rows = [line for line in lines if line.startswith("|")]
    assert {len(cells_of(line)) for line in rows} == {3}
    assert told.isascii() or all(each.isprintable() for line in lines for each in line)


def test_names_are_no_markup():
    told = judge(PairedTable(*PASS, models=("<script>", "@team *x*"))).to_markdown()
    assert r"\<script>" in told
    assert r"\@team \*x\*" in told


# --- JUnit --------------------------------------------------------------------------------------------


def suite_of(found):
    root = ET.fromstring(format_junit(found))  # noqa: S314  # our own text
    assert root.tag == "testsuites"
    (suite,) = root
    cases = suite.findall("testcase")
    assert int(suite.get("tests")) == int(root.get("tests")) == len(cases)
    failed = [case for case in cases if case.find("failure") is not None]
    assert int(suite.get("failures")) == int(root.get("failures")) == len(failed)
    assert suite.get("errors") == "0"
    return suite, cases


def properties(part):
    return {each.get("name"): each.get("value") for each in part.find("properties")}


@pytest.mark.parametrize(
    ("cells", "kind"), [(PASS, None), (WORSE, "worse"), (OPEN, "not enough evidence")], ids=["pass", "worse", "open"]
)
def test_all_examples_are_one_case(cells, kind):
    found = judge(PairedTable(*cells, models=("old", "new")))
    suite, (case,) = suite_of(found)
    assert (case.get("name"), case.get("classname")) == ("new for old", "tellapart.gate")
    failure = case.find("failure")
    assert (failure is not None and failure.get("type")) == (kind or False)
    assert properties(suite) == {
        "verdict": found.verdict, "baseline": "old", "candidate": "new",
        "margin": "0.01", "alpha": "0.05", "method": "tango",
    }  # fmt: skip
    told = properties(case)
    assert float(told["low"]) == found.comparison.interval.low
    assert float(told["high"]) == found.comparison.interval.high
    assert float(told["pvalue"]) == found.comparison.pvalue
    assert told.get("more") == (None if found.more is None else str(found.more))


def test_every_group_is_a_case():
    found = grouped(PASS, OPEN, WORSE, margins={"g0": 0.02})
    suite, cases = suite_of(found)
    assert [case.get("name") for case in cases] == ["new for old (g0)", "new for old (g1)", "new for old (g2)"]
    kinds = [None if case.find("failure") is None else case.find("failure").get("type") for case in cases]
    assert kinds == [None, "not enough evidence", "worse"]
    assert properties(suite)["verdict"] == "worse"
    assert [properties(case)["margin"] for case in cases] == ["0.02", "0.01", "0.01"]
    assert "error rate " in cases[1].find("failure").get("message")


@given(st.text(max_size=40), NAMES)
@settings(max_examples=12, deadline=None)
def test_any_name_gives_valid_xml(group, model):
    """XML does not allow control characters or half pairs of UTF-16."""
    cells = [PairedTable(*([cell] for cell in OPEN), models=("old", model if model != "old" else "new"))]
    suite, (case,) = suite_of(judge(cells[0], groups=[f"{group}\x00\x1b\ud800\ufffe"]))
    assert case.find("failure") is not None
    assert suite.find("system-out").text


# --- Files --------------------------------------------------------------------------------------------


def test_an_unwritable_path_is_refused_before_the_work(tmp_path):
    assert output_file(str(tmp_path / "x.md"), "--markdown") == tmp_path / "x.md"
    for name, told in (
        (str(tmp_path), "it is a folder"),
        (str(tmp_path / "no" / "x.md"), "no such folder"),
        ("", "the name is empty"),
        ("x" * 5000, "File name too long"),
        ("a\0b", "not a valid file name"),
    ):
        with pytest.raises(InvalidOption, match=rf"`--markdown` must be a file that can be written, got .*: ({told})"):
            output_file(name, "--markdown")


def test_a_path_without_permission_is_refused_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr("tellapart.gate.outputs.os.access", lambda *_: False)  # root may write everywhere
    (tmp_path / "x.md").touch()
    for name in ("x.md", "y.md"):
        with pytest.raises(InvalidOption, match="permission denied"):
            output_file(str(tmp_path / name), "--markdown")


def test_a_file_is_replaced_and_a_device_written_to(tmp_path):
    write_output(tmp_path / "x.md", "one")
    write_output(tmp_path / "x.md", "two")
    assert (tmp_path / "x.md").read_text() == "two"
    assert list(tmp_path.iterdir()) == [tmp_path / "x.md"]
    write_output(Path(os.devnull), "three")
    assert not Path(os.devnull).is_file()


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there.md").write_text("old")
    (tmp_path / "here.md").symlink_to(tmp_path / "there.md")
    write_output(tmp_path / "here.md", "new")
    assert (tmp_path / "here.md").is_symlink()
    assert (tmp_path / "there.md").read_text() == "new"


def test_a_failure_while_writing_is_an_error(tmp_path):
    with pytest.raises(OutputNotWritten, match="cannot be written"):
        write_output(tmp_path / "gone" / "x.md", "text")
    with pytest.raises(OutputNotWritten, match="GITHUB_STEP_SUMMARY"):
        append_summary(tmp_path / "gone" / "x.md", judge(PairedTable(*PASS)))


def test_a_summary_is_appended_to(tmp_path):
    file = tmp_path / "summary.md"
    file.write_text("# Before\n", encoding="utf-8")
    found = judge(PairedTable(*PASS))
    append_summary(file, found)
    append_summary(file, found)
    assert file.read_text(encoding="utf-8") == "# Before\n" + 2 * f"{found.to_markdown()}\n"
