"""Rows become text on every medium, and numbers have the decimals that suit their intervals."""

import io
import json
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from tellapart.display import Display, Row
from tellapart.figures import level_text, precise_pvalue_text, pvalue_text, scale_of
from tellapart.rendering import Rendered, Tabled, html_fields, html_rows, html_table, plain, significant


class Note(Rendered):
    def __init__(self, *rows):
        self._rows = list(rows)

    def rows(self):
        return self._rows


def test_labels_are_indented_by_two_and_padded_to_ten():
    assert str(Note(("a", "first"), ("longer", "second"))) == "  a         first\n  longer    second"


def test_long_values_are_wrapped_under_themselves():
    lines = str(Note(("label", "word " * 50))).splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 80 for line in lines)
    assert all(line.startswith(f"{' ' * 12}word") for line in lines[1:])


def test_a_word_is_never_broken():
    assert "x" * 300 in str(Note(("label", "x" * 300)))


def test_a_result_without_rows_or_plain_form_raises():
    with pytest.raises(TypeError, match="Rendered states no rows"):
        str(Rendered())
    with pytest.raises(TypeError, match="Rendered has no plain form"):
        Rendered().to_json()


@pytest.mark.parametrize("character", "&%$#_{}")
def test_latex_specials_are_escaped(character):
    assert "\\" + character in Note(("a", character)).to_latex()


def test_latex_has_only_characters_that_every_engine_can_set():
    """Pdflatex lacks √, and sets a bare < as ¡."""
    body = Note(("a", "M·e·(1−e) < 10, e ± 2√x ≥ 0 and > −1 …")).to_latex()
    assert body.isascii()
    assert "$<$" in body
    assert "$>$" in body


def test_html_escapes_label_and_value():
    page = Note(("<b>", 'a & "b" <i>'))._repr_html_()
    assert "&lt;b&gt;" in page
    assert "a &amp; &quot;b&quot; &lt;i&gt;" in page


class Page(HTMLParser):
    """The cells of all tables with their kinds; every tag that is opened must be closed."""

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
def test_html_shows_odd_names_literally(name):
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
        (["-1.5 pp", "12%", "< 0.001"], "right"),
        (["0.95 (0.93 to 0.97)", "1e-05"], "right"),
        (["2", "none", "–"], "right"),  # missing values are not words
        (["5x2cv", "3"], "left"),
        (["wald", "wilson"], "left"),
        (["", ""], "left"),
    ],
)
def test_columns_of_numbers_are_aligned_right_and_words_left(cells, side):
    text = html_table("Figures", ["", "figure"], [["a", cell] for cell in cells])
    assert text.count(f'style="text-align: {side}; vertical-align: top">figure</th>') == 1
    assert text.count(f'<td style="text-align: {side}') == len(cells)
    assert text.count('<th scope="row" style="text-align: left') == len(cells)


def test_labels_and_values_are_aligned_left():
    text = html_rows("Note", [("a", "1"), ("b", "word")])
    assert "right" not in text
    assert text.count("text-align: left") == 5  # with the caption


def test_html_of_fields_has_the_size_of_large_arrays():
    from tellapart import ErrorCount

    page = Page(html_fields(ErrorCount(np.arange(100).reshape(50, 2), 1000), ("data", "100 counts")))
    texts = [text for _, text in page.cells]
    assert texts[:3] == ["ErrorCount", "data", "100 counts"]
    assert texts[texts.index("errors") + 1] == "100 values, shape 50 × 2"


def on_terminal(result, width=60):
    console = Console(file=io.StringIO(), force_terminal=True, width=width, color_system="standard")
    console.print(result)
    return console.file.getvalue()


@pytest.mark.parametrize(
    "name", ["[red]x[/red]", "[bold]", ":smile:", "a\x1b[31mb", "[/]", "[link=https://x.y]z[/link]"]
)
def test_the_terminal_shows_odd_names_literally(name):
    shown = on_terminal(Note(("label", name), ("caution", name)), width=90)
    assert shown.count(name.replace("\x1b", " ")) == 2


class Verdict(Rendered):
    def __init__(self, tone):
        self.tone = tone

    def display(self, **_):
        return Display(verdict="new is better", blocks=(Row("caution", "few pairs"), Row("data", "x")), tone=self.tone)


@pytest.mark.parametrize(("tone", "code"), [("good", "1;32"), ("bad", "1;31"), ("open", "1;33"), ("neutral", "1")])
def test_on_a_terminal_the_verdict_is_bold_in_its_colour_and_cautions_yellow(tone, code):
    verdict, _, caution, data = on_terminal(Verdict(tone)).splitlines()
    assert verdict == f"\x1b[{code}mnew is better\x1b[0m"
    assert caution == "\x1b[33m  caution   few pairs\x1b[0m"
    assert "\x1b" not in data


def test_a_narrow_terminal_wraps_long_values_and_keeps_all_of_them():
    shown = on_terminal(Note(("label", "word " * 50), ("name", "x" * 200)), width=40)
    assert all(len(line.replace("\x1b[1m", "").replace("\x1b[0m", "")) <= 40 for line in shown.splitlines())
    assert shown.count("word") == 50
    assert shown.count("x") == 200


def test_a_wide_terminal_keeps_lines_short():
    shown = on_terminal(Note(("label", "word " * 80)), width=300)
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 80


class Both(Tabled):
    def rows(self):
        return [("design", "[red]")]

    def table(self):
        return ["method", "[b]size[/b]"], [["a|b", "[/]"]]


def test_markup_in_a_table_is_shown_literally_on_every_medium():
    shown = on_terminal(Both())
    assert all(text in shown for text in ("[red]", "[b]size[/b]", "a|b", "[/]"))
    cells = [text for _, text in Page(Both()._repr_html_()).cells]
    assert sorted(cells) == sorted(["design", "[red]", "method", "[b]size[/b]", "a|b", "[/]"])
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


# --- Numbers ------------------------------------------------------------------------------------------
# The decimals follow from rule 7 of the style: two significant digits of the half-width, at least one for percentages.


@pytest.mark.parametrize(
    ("value", "half_width", "text"),
    [
        (0.025, 0.029, "2.5%"),
        (0.0251234, 0.0002, "2.512%"),
        (0.3, 0.5, "30.0%"),
        (0.3, 0.0, "30.0%"),  # an interval without width does not ask for digits
        (0.3, np.nan, "30.0%"),
        (0.0, 0.05, "0.0%"),
        (-0.0, 0.05, "0.0%"),
        (-1e-12, 0.05, "0.0%"),
        (1.0, 0.05, "100.0%"),
        (np.nan, 0.05, "undefined"),
        (np.inf, 0.05, "undefined"),
    ],
)
def test_a_rate_is_a_percentage_with_two_digits_of_the_half_width(value, half_width, text):
    assert scale_of("percent", half_width).value(value) == text


@pytest.mark.parametrize(
    ("value", "half_width", "text"),
    [
        (0.15, 0.114, "15.0 pp"),
        (-0.0361, 0.114, "-3.6 pp"),
        (0.01, 0.02, "1.0 pp"),
        (0.5, 0.69, "50.0 pp"),
        (0.0033, 0.0089, "0.33 pp"),
        (0.000123456, 0.0000002, "0.012346 pp"),
    ],
)
def test_a_difference_is_in_percentage_points_with_two_digits_of_the_half_width(value, half_width, text):
    assert scale_of("points", half_width).value(value) == text


@settings(deadline=None)
@given(st.floats(1e-6, 1), st.floats(-1, 1))
def test_rounding_moves_no_value_by_more_than_a_twentieth_of_the_half_width(half_width, value):
    scale = scale_of("plain", half_width)
    shown = float(scale.number(value))
    assert abs(shown - value) <= half_width / 19  # two significant digits: at most 0.05 of 0.95


@settings(deadline=None)
@given(st.sampled_from(["percent", "points"]), st.floats(0, 1), st.floats(-1, 1), st.sampled_from([0.0, 0.01, 1.0]))
def test_no_limit_is_rounded_onto_zero_the_margin_or_one(kind, half_width, end, barrier):
    if 0 < abs(end - barrier) < 1e-13:  # beyond the decimals that are ever written
        return
    scale = scale_of(kind, half_width, ends=[end], apart_from=[barrier])
    assert (scale.number(end) == scale.number(barrier)) == (end == barrier)


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
def test_three_significant_digits_without_an_exponent_for_whole_numbers(value, text):
    assert significant(value) == text


@pytest.mark.parametrize(
    ("pvalue", "text"),
    [
        (1.0, "1"),
        (0.9999986, "> 0.999"),
        (0.5, "0.5"),
        (0.0304, "0.0304"),
        (0.001, "0.001"),
        (3.14159e-9, "3.14e-09"),
        (0.0, "< 1e-307"),
        (2.3e-308, "< 1e-307"),
        (float("nan"), "none"),
    ],
)
def test_the_test_row_has_three_significant_digits_of_p(pvalue, text):
    assert precise_pvalue_text(pvalue) == text


@settings(deadline=None)
@given(st.floats(0, 1), st.sampled_from([0.05, 0.01, 1e-4]), st.sampled_from([pvalue_text, precise_pvalue_text]))
def test_a_written_p_value_is_never_0_and_stays_on_its_side_of_alpha(pvalue, alpha, write):
    text = write(pvalue, alpha)
    number = float(text.lstrip("<> "))
    assert number > 0
    if text[0] not in "<>":
        assert (number < alpha) == (pvalue < alpha)


@pytest.mark.parametrize(
    ("alpha", "text"),
    [
        (0.05, "95%"),
        (1 - 0.9, "90%"),
        (0.001, "99.9%"),
        (0.5, "50%"),
        (1e-6, "99.9999%"),
        (1e-7, "1 - 1e-07"),
        (1e-300, "1 - 1e-300"),
    ],
)
def test_a_level_near_1_is_written_with_its_alpha(alpha, text):
    assert level_text(alpha) == text
