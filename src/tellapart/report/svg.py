"""A picture as part of a page: SVG with text as text, the colours of the page, and unique ids."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

from ..errors import import_extra
from .picture import Picture, drawn, new_figure
from .style import STYLE, THEMED

# Black and white mean ink and paper, too; the pale grey is the frame of a legend where none is set.
_COLOURS = {colour: f"var(--{name})" for colour, name in THEMED.items()} | {
    "#000000": "var(--ink)",
    "#ffffff": "var(--paper)",
    "#cccccc": "var(--grid)",
}
_NARROW = 480  # pixels that fit a phone, or nearly
# Characters that XML forbids, or that change the direction of the text after a name.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]")
_REFERENCE = re.compile(r"^#(.+)$|url\(#(.+?)\)")  # of href, and of clip-path and fill
_FONT = re.compile(r"(?:(?P<style>italic|oblique) )?(?:(?P<weight>\d+) )?(?P<size>[\d.]+px)")
_NUMBER = re.compile(r"-?\d+\.\d+")


def both_svgs(picture: Picture, prefix: str) -> str:
    """Return a picture as wide as the column of a page, and once more as narrow as a phone if it can be.

    Examples
    --------
    >>> from tellapart.report.picture import Numbers
    >>> empty = Numbers(head=(), rows=())
    >>> picture = Picture(title="One", alt="", numbers=empty, draw=lambda axes: None, narrow=(3.6, 2.4))
    >>> both_svgs(picture, "one").count("<svg")
    2
    """
    width, height = picture.size
    full = replace(picture, size=(_COLUMN, height)) if width >= _STRETCHED else picture
    if picture.narrow is None:
        return inline_svg(full, prefix)
    narrow = replace(picture, size=picture.narrow, narrow=None)
    return inline_svg(full, prefix, "roomy") + inline_svg(narrow, f"{prefix}-phone", "phone")


_COLUMN = 8.3  # inches of a page's column, as wide as its tables
_STRETCHED = 6.0  # inches from which a picture is drawn as wide as the column


def inline_svg(picture: Picture, prefix: str, kind: str = "") -> str:
    """Draw a picture as an `<svg>` element that can stand in a page.

    The page shows the title; the element has title and description for readers who do not see it. It needs no style
    attribute, so that a page may forbid them.

    Parameters
    ----------
    picture
        What is drawn.
    prefix
        Stands before every id, so that no two pictures of a page share one.
    kind
        A class of its own: "roomy" or "phone" of a picture that was drawn twice.

    Examples
    --------
    >>> from tellapart.report.picture import Numbers
    >>> def draw(axes):
    ...     axes.text(0.5, 0.5, "a < b")
    >>> text = inline_svg(Picture(title="Two", alt="a is less", numbers=Numbers(head=(), rows=()), draw=draw), "one")
    >>> text[:53], "a &lt; b" in text, "#1b1b1f" in text
    ('<svg viewBox="0 0 460.8 172.8" width="614" role="img"', True, False)
    """
    drawing = ET.fromstring(legible(_save_svg(picture)))  # noqa: S314 - we drew it ourselves
    used = {result for element in drawing.iter() for result in _find_references(element)}
    for element in drawing.iter():
        element.tag = _strip_namespace(element.tag)
        element.attrib = dict(_clean_attributes(element, used, prefix))
        if not (element.text or "").strip():
            element.text = None
        element.tail = None
    _merge_groups(drawing)
    root = ET.Element("svg", _root_attributes(picture, drawing.get("viewBox", ""), prefix, kind))
    for tag, text in (("title", picture.title), ("desc", picture.alt)):
        ET.SubElement(root, tag, {"id": f"{prefix}-{tag}"}).text = legible(text)
    root.extend(drawing)
    return ET.tostring(root, encoding="unicode")


def legible(text: str) -> str:
    """Replace control characters and changes of text direction by the replacement character.

    Examples
    --------
    >>> legible(f"a{chr(7)}b") == legible(f"a{chr(0x202E)}b") == f"a{chr(0xFFFD)}b"
    True
    """
    return _FORBIDDEN.sub("\ufffd", text)


def _save_svg(picture: Picture) -> str:
    with import_extra("matplotlib", "plot").rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # the browser has other fonts
        figure = new_figure(picture.size)
        axes = drawn(picture, figure.add_subplot())
        if axes.get_title(loc="left") == picture.title:
            axes.set_title("", loc="left")
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _root_attributes(picture: Picture, view: str, prefix: str, kind: str) -> dict[str, str]:
    width = round(picture.size[0] * 96)  # CSS has 96 pixels to the inch
    classes = ("picture", "wide" if width > _NARROW else "", kind)
    return {
        "viewBox": view,
        "width": str(width),  # the style sheet sets a limit to it, and the height follows
        "role": "img",
        "aria-labelledby": f"{prefix}-title",
        "aria-describedby": f"{prefix}-desc",
        "class": " ".join(filter(None, classes)),
        "fill": "var(--ink)",  # matplotlib leaves out what is black
        "stroke-linejoin": "round",
    }


def _clean_attributes(element: ET.Element, used: set[str], prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes of an element, with its styles as attributes."""
    for name, value in element.attrib.items():
        match _strip_namespace(name):
            case "style":
                yield from _style_attributes(value, prefix)
            case "id":
                if value in used:
                    yield "id", f"{prefix}-{value}"
            case "href":
                yield "href", f"#{prefix}-{value[1:]}" if value.startswith("#") else "".join(value.split())
            case "d" | "x" | "y" as key:
                yield key, " ".join(_NUMBER.sub(_shorten_number, value).split())
            case "transform" if value.startswith("rotate(-0 "):
                pass
            case key:
                yield key, _theme_colour(value, prefix)


def _style_attributes(style: str, prefix: str) -> Iterator[tuple[str, str]]:
    for text in filter(None, style.split(";")):
        key, _, value = (part.strip() for part in text.partition(":"))
        if key == "font":  # all in one, before matplotlib 3.10
            parts = _FONT.match(value)
            yield from ((f"font-{name}", part) for name, part in (parts.groupdict() if parts else {}).items() if part)
        elif key != "font-family":  # a page has its own
            yield key, _theme_colour(value, prefix)


def _theme_colour(value: str, prefix: str) -> str:
    """Return a value with the page's colour, and references by their new ids."""
    return _COLOURS.get(value.lower()) or value.replace("url(#", f"url(#{prefix}-")


def _find_references(element: ET.Element) -> Iterator[str]:
    for value in element.attrib.values():
        yield from (result[1] or result[2] for result in _REFERENCE.finditer(value))


def _shorten_number(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")  # two decimals suffice


def _strip_namespace(name: str) -> str:
    return name.rpartition("}")[2]  # HTML needs no namespaces


def _merge_groups(element: ET.Element) -> None:
    """Remove metadata, global styles, and groups without attributes."""
    children: list[ET.Element] = []
    for child in element:
        _merge_groups(child)
        if child.tag in ("metadata", "style") or (child.tag == "defs" and not len(child)):
            continue
        children.extend(child if child.tag == "g" and not child.attrib else [child])
    element[:] = children
