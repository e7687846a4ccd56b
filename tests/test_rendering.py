"""Rows become text, and numbers are written with the digits they earn."""

import io
import json
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from tellapart.figures import level_text
from tellapart.figures import precise_pvalue_text as pvalue_text
from tellapart.rendering import (
    Rendered,
    Tabled,
    html_fields,
    html_rows,
    html_table,
    percent,
    plain,
    points,
    significant,
)


class Note(Rendered):
    def __init__(self, *rows):
        self._rows = list(rows)

    def rows(self):
        return self._rows


def test_labels_are_padded_to_one_width():
    assert str(Note(("a", "first"), ("longer", "second"))) == "a       first\nlonger  second"


def test_long_values_are_wrapped_under_themselves():
    lines = str(Note(("label", "word " * 50))).splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 100 for line in lines)
    assert all(line.startswith("       word") for line in lines[1:])


def test_a_word_is_never_broken():
    assert "x" * 300 in str(Note(("label", "x" * 300)))


def test_what_states_no_rows_says_so():
    with pytest.raises(TypeError, match="Rendered states no rows"):
        str(Rendered())
    with pytest.raises(TypeError, match="Rendered has no plain form"):
        Rendered().to_json()


@pytest.mark.parametrize("character", "&%$#_{}")
def test_latex_specials_are_escaped(character):
    assert "\\" + character in Note(("a", character)).to_latex()


def test_latex_is_made_of_what_every_engine_reads():
    """The signs our own messages use (pdflatex has no √, and sets a bare < as ¡)."""
    body = Note(("a", "M·e·(1−e) < 10, e ± 2√x ≥ 0 and > −1 …")).to_latex()
    assert body.isascii()
    assert "$<$" in body
    assert "$>$" in body


def test_html_escapes_label_and_value():
    page = Note(("<b>", 'a & "b" <i>'))._repr_html_()
    assert "&lt;b&gt;" in page
    assert "a &amp; &quot;b&quot; &lt;i&gt;" in page


class Page(HTMLParser):
    """The cells of a table, by their kind; what is opened must be closed."""

    def __init__(self, page):
        super().__init__()
        self.cells, self.open, self.attributes = [], [], set()
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        if tag == "br":
            self.cells[-1][1] += "\n"
            return
        self.open.append(tag)
        self.attributes |= set(attrs)
        if tag in {"th", "td", "caption"}:
            self.cells.append([dict(attrs).get("scope", tag), ""])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.cells[-1][1] += data


ODD = ("<script>alert(1)</script>", "$x$", "a_b & c", "[red]x[/red]", "a|b", '"quoted" & <b>')


@pytest.mark.parametrize("name", ODD)
def test_html_shows_odd_names_as_they_are(name):
    page = Page(html_rows(name, [(name, name), ("", "more")]))
    assert page.cells == [["caption", name], ["row", name], ["td", f"{name}\nmore"]]
    page = Page(html_table(name, ["", name], [[name, "1"]]))
    assert page.cells == [["caption", name], ["td", ""], ["col", name], ["row", name], ["td", "1"]]


def test_html_has_a_class_scopes_and_sides_and_nothing_else():
    page = Page(html_table("Counts", ["model", "errors"], [["a", "1"], ["b", "2"]]))
    assert {name for name, _ in page.attributes} == {"class", "scope", "style"}
    assert {("class", "tellapart"), ("scope", "col"), ("scope", "row")} <= page.attributes


@pytest.mark.parametrize(
    ("cells", "side"),
    [
        (["1", "", "2,048"], "right"),
        (["-1.5 points", "12 %", "< 0.001"], "right"),
        (["0.95 (0.93 to 0.97)", "1e-05"], "right"),
        (["2", "none", "–"], "right"),  # what is missing is no word
        (["5x2cv", "3"], "left"),
        (["wald", "wilson"], "left"),
        (["", ""], "left"),
    ],
)
def test_columns_of_numbers_stand_on_the_right_and_words_on_the_left(cells, side):
    text = html_table("Figures", ["", "figure"], [["a", cell] for cell in cells])
    assert text.count(f'style="text-align: {side}; vertical-align: top">figure</th>') == 1
    assert text.count(f'<td style="text-align: {side}') == len(cells)
    assert text.count('<th scope="row" style="text-align: left') == len(cells)


def test_labels_and_values_stand_on_the_left():
    text = html_rows("Note", [("a", "1"), ("b", "word")])
    assert "right" not in text
    assert text.count("text-align: left") == 5  # with the caption


def test_html_of_fields_tells_the_size_of_large_arrays():
    from tellapart import ErrorCount

    page = Page(html_fields(ErrorCount(np.arange(100).reshape(50, 2), 1000), ("seen", "100 counts")))
    told = [text for _, text in page.cells]
    assert told[:3] == ["ErrorCount", "seen", "100 counts"]
    assert told[told.index("errors") + 1] == "100 values, shape 50 × 2"


def on_terminal(result, width=60):
    console = Console(file=io.StringIO(), force_terminal=True, width=width, color_system="standard")
    console.print(result)
    return console.file.getvalue()


@pytest.mark.parametrize(
    "name", ["[red]x[/red]", "[bold]", ":smile:", "a\x1b[31mb", "[/]", "[link=https://x.y]z[/link]"]
)
def test_the_terminal_shows_odd_names_as_they_are(name):
    shown = on_terminal(Note(("label", name), ("caution", name)), width=90)
    assert shown.count(name.replace("\x1b", " ")) == 2


def test_on_a_terminal_labels_are_bold_and_cautions_yellow():
    bold, caution = on_terminal(Note(("a", "first"), ("caution", "second"))).splitlines()
    assert bold.startswith("\x1b[1ma")
    assert "first" in bold
    assert caution.startswith("\x1b[1;33mcaution")
    assert "\x1b[33msecond" in caution


def test_a_terminal_breaks_long_values_under_themselves_and_loses_nothing():
    shown = on_terminal(Note(("label", "word " * 50), ("name", "x" * 200)), width=40)
    assert all(len(line.replace("\x1b[1m", "").replace("\x1b[0m", "")) <= 40 for line in shown.splitlines())
    assert shown.count("word") == 50
    assert shown.count("x") == 200


def test_a_wide_terminal_keeps_lines_short():
    shown = on_terminal(Note(("label", "word " * 80)), width=300)
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 100 + len("\x1b[1m\x1b[0m")


class Both(Tabled):
    def rows(self):
        return [("design", "[red]")]

    def table(self):
        return ["method", "[b]size[/b]"], [["a|b", "[/]"]]


def test_a_table_is_shown_everywhere_as_it_is():
    shown = on_terminal(Both())
    assert all(text in shown for text in ("[red]", "[b]size[/b]", "a|b", "[/]"))
    assert [text for _, text in Page(Both()._repr_html_()).cells] == ["[red]", "method", "[b]size[/b]", "a|b", "[/]"]
    assert Both().to_markdown().splitlines()[-1] == r"| a\|b | [/] |"


@pytest.mark.parametrize(
    ("value", "simple"),
    [
        (np.float64(0.25), 0.25),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.array([[1, 2]]), [[1, 2]]),
        (np.array([0.5, np.nan, -np.inf]), [0.5, None, None]),
        (np.array(["A", None], dtype=object), ["A", None]),
        (float("nan"), None),
        ((1, (2.5, "x")), [1, [2.5, "x"]]),
        ({"a": [np.float64(np.inf)]}, {"a": [None]}),
        (None, None),
        ("nan", "nan"),
    ],
    ids=repr,
)
def test_plain_is_what_json_knows(value, simple):
    assert plain(value) == simple
    assert json.loads(json.dumps(plain(value), allow_nan=False)) == simple


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_plain_loses_no_digit(number):
    assert json.loads(json.dumps(plain({"x": np.float64(number)})))["x"] == number


@pytest.mark.parametrize(
    ("value", "spread", "text"),
    [
        (0.025, 0.058, "2.5 %"),
        (0.0251234, 0.0004, "2.512 %"),
        (0.3, 1.0, "30 %"),
        (0.3, 0.0, "30.0 %"),  # no width earns nothing in particular
        (0.3, np.nan, "30.0 %"),
        (0.0, 0.1, "0.0 %"),
        (-0.0, 0.1, "0.0 %"),
        (1.0, 0.1, "100.0 %"),
        (1e-12, 0.1, "1e-10 %"),
        (1 - 1e-12, 0.1, "just below 100 %"),
        (np.nan, 0.1, "undefined"),
        (np.inf, 0.1, "undefined"),
    ],
)
def test_a_rate_is_written_in_percent_with_the_digits_its_interval_earns(value, spread, text):
    assert percent(value, spread) == text


@settings(deadline=None)
@given(st.floats(0, 1), st.floats(0, 1))
def test_only_0_is_written_as_0_and_only_1_as_100(value, spread):
    number = percent(value, spread).removesuffix(" %")
    if number != "just below 100":
        assert (float(number) == 0) == (value == 0)
        assert (float(number) == 100) == (value == 1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.9249, "2.92"),
        (120, "120"),
        (0, "0"),
        (999, "999"),
        (999.6, "1000"),
        (1e6, "1000000"),
        (0.000123456, "0.000123"),
    ],
)
def test_numbers_are_written_with_three_digits_and_no_exponent_where_they_count(value, text):
    assert significant(value) == text


@pytest.mark.parametrize(
    ("pvalue", "text"),
    [
        (1.0, "1"),
        (0.5, "0.5"),
        (0.0304, "0.0304"),
        (0.001, "0.001"),
        (3.14159e-9, "3.14e-09"),
        (0.0, "below 1e-307"),
        (2.3e-308, "below 1e-307"),
        (float("nan"), "none"),
    ],
)
def test_p_values_are_written_and_never_as_0(pvalue, text):
    assert pvalue_text(pvalue) == text


@settings(deadline=None)
@given(st.floats(0, 1))
def test_no_p_value_looks_like_0(pvalue):
    text = pvalue_text(pvalue)
    assert text == "below 1e-307" or float(text) > 0


@pytest.mark.parametrize(
    ("alpha", "text"),
    [
        (0.05, "95 %"),
        (1 - 0.9, "90 %"),
        (0.001, "99.9 %"),
        (0.5, "50 %"),
        (1e-6, "99.9999 %"),
        (1e-7, "1 − 1e-07"),
        (1e-300, "1 − 1e-300"),
    ],
)
def test_a_level_near_1_is_told_by_its_alpha(alpha, text):
    assert level_text(alpha) == text


@pytest.mark.parametrize(
    ("value", "spread", "text"),
    [
        (0.15, 0.228, "15.0 points"),  # a quarter of the width is 5.7 points: one decimal is two digits of it
        (-0.0361, 0.228, "-3.6 points"),
        (0.01, 0.04, "1.0 points"),
        (0.5, 1.38, "50 points"),
        (0.0, 0.1, "0.0 points"),
        (-1e-12, 0.1, "-1e-10 points"),  # never written as 0
        (0.000123456, 0.0000004, "0.012346 points"),
    ],
)
def test_a_difference_is_written_in_points_with_the_digits_its_interval_earns(value, spread, text):
    assert points(value, spread) == text


def test_a_limit_does_not_look_as_if_it_lay_on_the_border():
    assert points(-0.00999, 0.1, apart_from=-0.01) == "-0.999 points"
    assert points(0.0004, 0.4, apart_from=0.0) == "0.04 points"
