"""Pictures in a page: their words stay words, their colours are the page's, their ids their own."""

import re
import warnings
from xml.etree import ElementTree as ET

import pytest

from tellapart.report.picture import Numbers, Picture
from tellapart.report.style import BAND, COLOURS, GRID, INK, MUTED, PAPER, THEMED
from tellapart.report.svg import _clean_attributes, inline_svg

pytest.importorskip("matplotlib")


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314 - our own


def everything(axes):
    """Draw whatever our plots may draw, in every colour that we have."""
    for index, colour in enumerate(COLOURS):
        axes.plot([0, 1, 2], [index, 1, 2], color=colour, marker="o", label=f"learner {index}")
    axes.fill_between([0, 1], [0, 1], [2, 3], color=BAND, alpha=0.5, hatch="//")
    axes.axvspan(0, 1, facecolor=GRID, edgecolor="black")
    axes.errorbar([1], [2], yerr=[0.3], color=INK, ecolor=MUTED)
    axes.scatter([1, 2], [2, 2], color="black")
    axes.text(0, 0, "black", color="black")
    axes.text(0, 1, "white", color="white")
    axes.text(0, 2, "paper", color=PAPER, rotation=90)
    axes.imshow([[1, 2], [3, 4]])
    axes.legend()


def picture(draw=everything, title="A title", alt="What it shows.", size=(6.4, 2.4)):
    return Picture(title=title, alt=alt, numbers=Numbers(head=("x",), rows=((1,),)), draw=draw, size=size)


def saying(*texts):
    def draw(axes):
        for index, text in enumerate(texts):
            axes.text(0.5, index / len(texts), text)

    return picture(draw)


@pytest.fixture(scope="module")
def svg():
    return inline_svg(picture(), "one")


def test_is_well_formed_and_needs_no_other_file(svg):
    root = parsed(svg)
    assert root.tag == "svg"
    assert "<?xml" not in svg
    assert "DOCTYPE" not in svg
    assert "metadata" not in svg
    assert "http" not in svg
    assert {element.tag for element in root.iter()} <= {
        *("svg", "title", "desc", "g", "path", "use", "defs", "clipPath", "rect", "text", "image", "pattern")
    }


def test_has_no_style_that_a_strict_page_would_refuse(svg):
    assert "style" not in svg
    assert "font-family" not in svg


def test_every_text_has_a_size_and_no_font_of_its_own(svg):
    texts = list(parsed(svg).iter("text"))
    assert texts
    assert all(element.get("font-size", "").endswith("px") and not element.get("font") for element in texts)


def test_fonts_reported_in_one_are_separated():
    """As matplotlib 3.9 tells them."""
    text = ET.Element("text", style="font: italic 700 9.5px 'DejaVu Sans', sans-serif; text-anchor: end")
    description = {"font-style": "italic", "font-weight": "700", "font-size": "9.5px", "text-anchor": "end"}
    assert dict(_clean_attributes(text, set(), "p")) == description


def test_no_colour_is_left_that_does_not_follow_the_page(svg):
    raw = {value for element in parsed(svg).iter() for value in element.attrib.values() if value[:1] == "#"}
    colours = {value.lower() for value in raw if re.fullmatch("#[0-9a-fA-F]{3,8}", value)}
    assert not colours
    used = set(re.findall(r"var\(--([\w-]+)\)", svg))
    assert used == set(THEMED.values())


def test_black_is_ink_though_matplotlib_leaves_it_out(svg):
    root = parsed(svg)
    assert root.get("fill") == "var(--ink)"
    texts = {element.text: element.get("fill") for element in root.iter("text")}
    assert texts["black"] is None  # it takes the root's
    assert texts["white"] == texts["paper"] == "var(--paper)"


def test_ids_are_prefixed_and_every_reference_leads_somewhere(svg):
    ids = re.findall(r'\bid="([^"]+)"', svg)
    leads = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)
    assert len(ids) == len(set(ids))
    assert all(each.startswith("one-") for each in ids)
    assert leads
    assert {one or other for one, other in leads} <= set(ids)


def test_two_pictures_share_no_id():
    one, other = (set(re.findall(r'\bid="([^"]+)"', inline_svg(picture(), prefix))) for prefix in ("one", "two"))
    assert one
    assert other
    assert not one & other


def test_the_same_picture_is_the_same_text(svg):
    assert inline_svg(picture(), "one") == svg


def test_says_what_it_is_and_what_it_shows(svg):
    root = parsed(svg)
    text = {element.get("id"): element.text for element in root}
    assert root.get("role") == "img"
    assert text[root.get("aria-labelledby")] == "A title"
    assert text[root.get("aria-describedby")] == "What it shows."


def test_the_title_is_left_to_the_page(svg):
    assert not any(element.text == "A title" for element in parsed(svg).iter("text"))


def test_has_no_fixed_height_and_keeps_its_proportions():
    root = parsed(inline_svg(picture(size=(4, 3)), "p"))
    assert root.get("viewBox") == "0 0 288 216"  # 72 points to the inch
    assert root.get("width") == "384"
    assert root.get("height") is None
    assert root.get("class") == "picture"
    assert parsed(inline_svg(picture(size=(6.4, 3)), "p")).get("class") == "picture wide"


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><img src=x>', "$x^2$", "a & b_c", "#1b1b1f", "fill: #000000", "url(#p)"]
)
def test_a_name_is_shown_as_it_is(name):
    svg = inline_svg(saying(name), "p")
    assert name in {element.text for element in parsed(svg).iter("text")}
    assert "<script" not in svg
    assert "<img" not in svg


def test_titles_are_text_too():
    svg = inline_svg(picture(title="<b>t</b>", alt="a < b & \x1b c"), "p")
    root = parsed(svg)
    assert [root[0].text, root[1].text] == ["<b>t</b>", "a < b & \ufffd c"]


def test_other_scripts_are_drawn_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = inline_svg(saying("模型 一", "نموذج"), "p")
    assert "模型 一" in svg


def test_what_xml_cannot_hold_is_replaced():
    svg = inline_svg(saying("bell \x07 and escape \x1b"), "p")
    assert "bell \ufffd and escape \ufffd" in svg


def test_rounding_moves_nothing_by_more_than_a_hundredth_of_a_point():
    svg = inline_svg(picture(lambda axes: axes.plot([0, 1], [0, 1 / 3])), "p")
    numbers = re.findall(r"\d+\.\d+", " ".join(re.findall(r' (?:d|x|y)="([^"]*)"', svg)))
    assert numbers
    assert max(len(each.partition(".")[2]) for each in numbers) == 2
