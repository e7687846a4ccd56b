"""Pages: well formed, self-contained, escaped, readable in both dresses, and below a megabyte."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tellapart as ta
from tellapart.figures import Scale
from tellapart.report.blocks import (
    Cell,
    CheckBlock,
    Checks,
    Code,
    Facts,
    Figure,
    IntervalDrawing,
    Page,
    Section,
    Table,
    Text,
    Tile,
    Verdict,
)
from tellapart.report.html import TONES, render
from tellapart.report.picture import Numbers, Picture
from tellapart.report.style import THEMED
from tellapart.report.svg import legible
from tellapart.report.writing import page_of

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

VOID = {"br", "hr", "img", "input", "link", "meta"}
EVIL = ["<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "a & b_c", "$x$", "{{ 7 * 7 }}", "a|b"]


class Tree(HTMLParser):
    """Reads a page, and stops where elements are not nested as they should be."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.stack, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert not self.stack

    def handle_starttag(self, tag, attrs):
        assert len(attrs) == len(dict(attrs)), f"an attribute of {tag} is told twice"
        self.elements.append((tag, dict(attrs), tuple(self.stack)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert "svg" in self.stack, f"only a drawing closes {tag} at once"
        self.elements.append((tag, dict(attrs), tuple(self.stack)))

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if not {"script", "style"} & set(self.stack):
            self.texts.append(data)

    def of(self, tag):
        return [attrs for result, attrs, _ in self.elements if result == tag]

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def picture(rows=((1, 0.5, "a"), (2, 1 / 3, "b")), title="A picture"):
    def draw(axes):
        axes.plot([1, 2], [0.5, 1 / 3])

    return Picture(title=title, alt="It falls.", numbers=Numbers(head=("x", "y", "who"), rows=rows), draw=draw)


def page(*blocks, name="B", folded=False):
    sections = (
        Section(
            id="result", title="Result", blocks=(Verdict(verdict=f"{name} is better", cautions=(f"TA104: {name}",)),)
        ),
        Section(id="rest", title=f"All of {name}", blocks=blocks, folded=folded),
    )
    return Page(title=f"{name} against A", label=f"{name} and A on 100 examples", sections=sections)


def full(name="B", folded=False):
    return page(
        Text(paragraphs=(f"{name} fails TA104, not TA999.",)),
        Facts(rows=(("model", name), ("", "goes on"), ("p-value", "0.01")), title=f"Facts of {name}"),
        Table.of(f"Errors of {name}", ("model", "error"), [(name, 0.25), ("A", 1 / 3)], note=f"note on {name}"),
        Figure(picture=picture(title=f"Picture of {name}")),
        Checks(checks=(CheckBlock(code="TA104", holds=False, message=f"{name}: 7 disagreements"),)),
        Checks(checks=(CheckBlock(code="TA104", holds=True, message="told again"),)),
        Code(label=f"lines of {name}", text=f"print({name!r})\n", language="python"),
        name=name,
        folded=folded,
    )


@pytest.fixture(scope="module")
def text():
    return render(full())


def test_every_kind_of_block_is_shown_and_well_formed(text):
    tree = Tree(text)
    assert text.startswith("<!DOCTYPE html>\n<html lang=")
    for shown in ("B is better", "goes on", "0.333333", "note on B", "7 disagreements", "print('B')"):
        assert shown in tree.text
    assert len(tree.of("h1")) == len(tree.of("main")) == len(tree.of("nav")) == len(tree.of("title")) - 1 == 1
    assert tree.of("html") == [{"lang": "en"}]


def test_ids_are_unique_and_every_reference_leads_somewhere(text):
    tree = Tree(text)
    ids = [attrs["id"] for _, attrs, _ in tree.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs, _ in tree.elements:
        leads = [attrs["href"][1:]] if attrs.get("href", "").startswith("#") else []
        leads += [*attrs.get("aria-labelledby", "").split(), *attrs.get("aria-describedby", "").split()]
        leads += [attrs["data-copy"]] if "data-copy" in attrs else []
        assert set(leads) <= set(ids)


def test_nothing_comes_from_elsewhere(text):
    tree = Tree(text)
    for _, attrs, _ in tree.elements:
        for name in ("src", "href", "srcset", "action", "poster", "data"):
            assert attrs.get(name, "#").startswith(("#", "data:"))
        assert not any(name.startswith("on") or name == "style" for name in attrs)
    assert not re.search(r"url\((?!#)|@import|fetch\(|XMLHttp|eval\(|innerHTML", text)


def test_the_policy_allows_our_script_and_our_styles_and_nothing_else(text):
    policy = next(attrs["content"] for attrs in Tree(text).of("meta") if "http-equiv" in attrs)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))

    def hashes(tag):
        result = re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", text, re.DOTALL)
        return [f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in result]

    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert [rules["script-src"]] == hashes("script")
    assert rules["style-src"].split() == hashes("style")
    assert rules["img-src"] == "data:"
    assert "unsafe" not in policy


def markup(tree):
    """Return elements and attributes except those that depend on the length of a text."""
    return [(tag, set(attrs) - {"class"}) for tag, attrs, _ in tree.elements if tag != "path"]


@pytest.mark.parametrize("name", EVIL)
@pytest.mark.parametrize("folded", [False, True])
def test_names_are_text_wherever_they_stand(name, folded):
    text = render(full(name, folded))
    tree, plain = Tree(text), Tree(render(full("B", folded)))
    assert tree.text.count(name) == plain.text.count("B")  # all of them, as they are
    assert markup(tree) == markup(plain)


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.text())
def test_every_text_is_shown_as_it_is(name):
    tree = Tree(render(page(Table.of(name, (name, "x"), [(name, 1)]), name="B")))
    shown = "".join(tree.texts)
    assert shown.count(legible(name)) >= 3  # caption, head, cell


def test_no_name_turns_round_the_text_behind_it():
    name = "".join(map(chr, (0x202E, 0x202A, 0x2066, 0x2069)))
    answer = ta.compare(ta.PairedTable(20, 25, 10, 45, models=(f"a{name}", "b")))
    text = render(page_of(answer))
    assert not set(name) & set(text)
    assert "a\ufffd\ufffd\ufffd\ufffd" in text


def test_numbers_below_zero_have_a_minus_and_names_keep_their_hyphen():
    rows = [("-1", Cell("-0.5", -0.5)), ("b-2", Cell("1.45e-05", 1.45e-05))]
    verdict = Verdict(verdict="v", figures="error(-1) − error(b-2): -1.03 to -0.60 pp; --margin 1, see a-5 to b")
    tree = Tree(render(page(verdict, Table.of("t", ("name", "x"), rows))))
    assert "error(-1) − error(b-2): −1.03 to −0.60 pp; --margin 1, see a-5 to b" in tree.text
    assert {"−0.5", "1.45e-05", "-1", "b-2"} <= set(tree.texts)
    assert "-0.5" in [attrs.get("data-value") for attrs in tree.of("td")]


def test_codes_lead_to_what_was_checked(text):
    tree = Tree(text)
    assert {"href": "#check-TA104"} in tree.of("a")
    assert not any(attrs.get("href") == "#check-TA999" for attrs in tree.of("a"))  # it is not listed here
    assert [attrs.get("id") for attrs in tree.of("li") if "id" in attrs] == ["check-TA104"]
    assert "fails" in tree.text


def test_a_section_takes_no_id_twice_nor_one_of_ours():
    sections = [Section(id=name, title="t", blocks=()) for name in ("a b", "a-b", "content", "<>", "dark")]
    tree = Tree(render(Page(title="t", sections=tuple(sections))))
    result = [attrs["id"] for attrs in tree.of("section")]
    assert result == ["a-b", "a-b-2", "content-2", "section", "dark-2"]
    assert [attrs["href"] for attrs in tree.of("a")] == ["#content", *(f"#{each}" for each in result)]


def test_tables_say_what_they_are_sorted_by():
    cells = [[Cell("2 points", 2.0), Cell("b"), Cell("Zoë", "zoe")], [Cell("∞", float("inf")), Cell(""), Cell("c")]]
    tree = Tree(render(page(Table(caption="t", head=("d", "b", "c"), rows=cells, numeric=frozenset({0})))))
    assert [attrs.get("data-value") for attrs in tree.of("td")] == ["2", None, "zoe", "Infinity", None, None]
    assert [attrs.get("class") for attrs in tree.of("th")] == ["number", None, None]


def test_a_first_column_of_names_heads_its_rows(text):
    assert [attrs["scope"] for attrs in Tree(text).of("th")] == ["col"] * 2 + ["row"] * 2 + ["col"] * 3


def test_numbers_behind_a_picture_keep_every_digit(text):
    assert repr(1 / 3) in {attrs.get("data-value") for attrs in Tree(text).of("td")}
    assert "Data of this figure" in Tree(text).text


def test_long_tables_end_somewhere_and_say_so():
    rows = tuple((index, index / 7, "x") for index in range(5000))
    tree = Tree(render(page(Figure(picture=picture(rows)))))
    assert len(tree.of("tr")) == 1 + 2000
    assert "The first 2000 of 5000 rows" in tree.text


def test_many_long_tables_still_make_a_small_page():
    rows = tuple((index, index / 7, "x") for index in range(5000))
    text = render(page(*[Figure(picture=picture(rows))] * 12))
    assert len(text.encode()) < 1_000_000
    assert "of 5000 rows" in text


def test_a_ranking_of_twenty_is_a_small_page():
    rng = np.random.default_rng(20)
    wrong = {f"model-{index}": rng.random(500) < 0.1 + index / 100 for index in range(20)}
    answer = ta.compare(ta.ErrorPatterns.from_correct({name: ~each for name, each in wrong.items()}))
    assert len(render(page_of(answer)).encode()) < 1_000_000


@pytest.mark.parametrize("badge", TONES)
def test_a_decision_stands_in_words_and_has_a_class(badge):
    tree = Tree(render(page(Verdict(verdict="x", badge=badge))))
    assert badge in tree.texts
    assert {"class": f"badge {TONES[badge]}"} in tree.of("p")


def test_the_verdict_is_the_only_heading_of_the_first_rank_and_nothing_stands_above_it():
    tree = Tree(render(Page(title="t", sections=(Section(id="result", title="Result", blocks=(VERDICT,)),))))
    assert [tag for tag, _, _ in tree.elements if tag in {"h1", "h2"}] == ["h1"]
    assert "<new> is better" in tree.texts
    assert {"2.0 pp", "26 discordant"} <= set(tree.texts)
    assert any(attrs.get("aria-label", "").startswith("Difference 2.0 pp") for attrs in tree.of("svg"))
    assert [attrs.get("class") for attrs in tree.of("p")][:2] == ["badge good", "caution"]


VERDICT = Verdict(
    verdict="<new> is better",
    figures="accuracy 98.3% vs 96.3%, 899 examples",
    badge="Significant difference",
    cautions=("TA104: 5 discordant pairs",),
    tiles=(Tile(value="2.0 pp", notes=("95% CI", "1.0 to 3.3")), Tile(value="26 discordant")),
    interval=IntervalDrawing(estimate=0.02, low=0.0097, high=0.0328, scale=Scale("points", 1)),
    scope="these models",
)


def test_folded_sections_are_folded_without_a_script():
    tree = Tree(render(full(folded=True)))
    assert {"class": "section", "id": "rest"} in tree.of("details")
    assert ("h2", {}) in [(tag, attrs) for tag, attrs, above in tree.elements if above[-1:] == ("summary",)]


def test_the_same_page_is_the_same_text(text):
    assert render(full()) == text


def test_what_no_file_can_hold_is_replaced():
    text = render(full("bell \x07, half \ud800"))
    assert "bell \ufffd, half \ufffd" in text
    assert text.encode()


def test_an_empty_page_is_a_page():
    assert "nothing" in Tree(render(Page(title="nothing", sections=()))).text


# --- Colours: WCAG 2.2, contrast (minimum) and non-text contrast -----------------------------------


def variables(css):
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", css))


def luminance(colour):
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def dresses():
    assets = files("tellapart.report") / "assets"
    screen, paper = (assets / "page.css").read_text(encoding="utf-8").split("@media print")
    light = variables(screen)
    dark = (assets / "dark.css").read_text(encoding="utf-8")
    return {"light": light, "dark": light | variables(dark), "paper": light | variables(paper)}


def test_contrast_is_computed_as_the_guidelines_do():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the guidelines' best known example


@pytest.mark.parametrize("dress", ["light", "dark", "paper"])
def test_words_stand_out(dress):
    colours = dresses()[dress]
    for name in ("ink", "muted", "link", "apart", "alike", "caution"):
        for ground in ("paper", "card"):
            assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
    assert contrast(colours["ink"], colours["band"]) >= 4.5


@pytest.mark.parametrize("dress", ["light", "dark", "paper"])
def test_lines_of_pictures_stand_out(dress):
    colours = dresses()[dress]
    for name in set(THEMED.values()) - {"paper", "grid", "band"}:
        assert contrast(colours[name], colours["paper"]) >= 3, name


def test_every_colour_of_a_picture_has_one_in_both_dresses():
    assets = files("tellapart.report") / "assets"
    for name in ("page.css", "dark.css"):
        assert set(THEMED.values()) <= set(variables((assets / name).read_text(encoding="utf-8")))
