"""The small picture of a difference: what it says to a screen reader, what it marks, and that it stays well-formed."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest

from tellapart.figures import Scale
from tellapart.interval_svg import interval_svg

POINTS = Scale("points", 1)


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314  # our own text


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parse(svg).iter("text")]


def test_the_label_is_the_sentence_of_the_specification():
    svg = parse(interval_svg(0.02, 0.0097, 0.0328, scale=POINTS))
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == "Difference 2.0 pp, 95% CI 1.0 to 3.3 pp, zero outside"
    assert svg.get("width") == "100%"


def test_every_number_stands_in_the_picture_and_below_zero_it_has_a_minus_sign():
    svg = interval_svg(0.03, -0.019, 0.09, scale=POINTS, margins=(-0.01,), caption="pp in favour of <B-1>")
    assert sorted(texts(svg)) == sorted(
        ["3.0 pp", "\N{MINUS SIGN}1.9", "9.0", "0", "margin \N{MINUS SIGN}1.0", "pp in favour of <B-1>"]
    )


@pytest.mark.parametrize(
    ("low", "high", "label"),
    [
        (0.01, math.inf, "Difference 2.0 pp, 95% CI above 1.0 pp, zero outside"),
        (-math.inf, 0.03, "Difference 2.0 pp, 95% CI below 3.0 pp, zero inside"),
    ],
)
def test_a_one_sided_interval_ends_in_an_arrow(low, high, label):
    svg = interval_svg(0.02, low, high, scale=POINTS)
    assert parse(svg).get("aria-label") == label
    assert svg.count("<path") == 1


@pytest.mark.parametrize("values", [(math.nan, 0, 1), (0, math.nan, 1), (0, 0, math.nan)])
def test_nothing_is_drawn_of_what_is_undefined(values):
    assert not interval_svg(*values, scale=POINTS)


def test_a_degenerate_interval_is_drawn_in_the_middle():
    assert 'cx="52.5%"' in interval_svg(0.0, 0.0, 0.0, scale=POINTS)


def test_colours_follow_the_theme_and_no_style_is_set_where_a_page_forbids_it():
    svg = interval_svg(0.02, 0.0097, 0.0328, scale=POINTS, inline_style=False)
    assert "style" not in svg
    assert "#" not in svg
    assert "max-width:44em" in interval_svg(0.02, 0.0097, 0.0328, scale=POINTS)
