"""A notebook's output and the top of a report: the order of their parts, as the specimens of VOICE.md have it."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

import tellapart as ta

ROOT = Path(__file__).parents[2]
VERDICT, FIGURES = (
    "new is more accurate than old",
    "accuracy 98.3% vs 96.3%: 2.0 pp higher (95% CI 1.0 to 3.3), p < 0.001",
)
PICTURE = "Difference 2.0 pp, 95% CI 1.0 to 3.3 pp, zero outside"
ROWS = [
    ["data", "899 examples, 26 discordant: 22 only new right, 4 only old right"],
    ["test", "McNemar mid-p (Fagerland et al. 2013): p = 0.000311, alpha = 0.05"],
    ["interval", "Tango score interval (Tango 1998)"],
    ["scope", "these trained models, data from the same source; not retraining"],
]


class Element:
    """An element with its attributes, its children and its text."""

    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.children, self.texts = tag, dict(attributes), [], []

    @property
    def text(self):
        """The text of the element and of all inside it, in their order."""
        return " ".join("".join(part if isinstance(part, str) else part.text for part in self.texts).split())

    def find(self, tag, **attributes):
        """Return all elements inside with this tag and these attributes, in the order of the page."""
        match = []
        for child in self.children:
            if child.tag == tag and attributes.items() <= child.attributes.items():
                match.append(child)
            match += child.find(tag, **attributes)
        return match


class Tree(HTMLParser):
    """The elements of a page; all must be closed in their order."""

    EMPTY = frozenset({"br", "meta", "link", "input", "hr"})

    def __init__(self, page):
        super().__init__()
        self.root = Element("page", ())
        self.open = [self.root]
        self.feed(page)
        self.close()
        assert self.open == [self.root]

    def handle_starttag(self, tag, attrs):
        element = Element(tag, attrs)
        self.open[-1].children.append(element)
        self.open[-1].texts.append(element)
        if tag not in self.EMPTY:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].children.append(Element(tag, attrs))

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        self.open[-1].texts.append(data)


@pytest.fixture(scope="module")
def answer():
    versions = {
        name: ta.read_predictions(ROOT / f"examples/data/{name}.csv", label="digit", id="id") for name in ("old", "new")
    }
    return ta.compare(ta.Predictions.joined(versions).paired_table())


@pytest.fixture(scope="module")
def notebook(answer):
    (box,) = Tree(answer._repr_html_()).root.children
    return box


def test_a_notebook_shows_verdict_figures_and_picture_and_folds_the_rest(notebook):
    assert (notebook.tag, notebook.attributes["class"]) == ("div", "tellapart")
    assert [child.tag for child in notebook.children] == ["p", "p", "svg", "details"]
    verdict, figures, picture, details = notebook.children
    assert (verdict.text, figures.text) == (VERDICT, FIGURES)
    assert [part.text for part in figures.find("b")] == ["2.0 pp higher"]
    assert (picture.attributes["role"], picture.attributes["aria-label"]) == ("img", PICTURE)
    assert "open" not in details.attributes
    assert details.children[0].tag == "summary"
    assert details.children[0].text == "Data, methods, scope"
    assert [[cell.text for cell in line.children] for line in details.find("tr")] == ROWS


def test_a_notebook_aligns_everything_to_the_left(notebook):
    """Notebooks align cells to the right by their own style sheets; only an inline style has precedence."""
    assert "text-align:left" in notebook.attributes["style"]
    cells = notebook.find("th") + notebook.find("td")
    assert len(cells) == 2 * len(ROWS)
    assert all("text-align:left" in cell.attributes["style"] for cell in cells)


def test_the_picture_is_in_the_page_and_has_the_colours_of_the_theme(notebook):
    (picture,) = notebook.find("svg")
    colours = {
        element.attributes[name]
        for tag in ("line", "circle", "text", "path")
        for element in [picture, *picture.find(tag)]
        for name in ("fill", "stroke")
        if name in element.attributes
    }
    assert colours == {"currentColor"}
    assert not notebook.find("img") + notebook.find("script") + notebook.find("link")


def test_a_failed_check_stands_above_the_details_never_inside_them():
    (box,) = Tree(ta.compare(ta.PairedTable(3, 4, 1, 92))._repr_html_()).root.children
    verdict, figures, caution, picture, details = box.children
    assert verdict.text == "No significant difference between B and A (caution: few discordant pairs)"
    assert figures.text == "error rate 4.0% vs 7.0%: 3.0 pp lower (95% CI −1.9 to 9.0), p = 0.22"
    assert caution.text.startswith("TA104: 5 discordant pairs, fewer than 10 (Yang 2006)")
    assert (picture.tag, details.tag) == ("svg", "details")
    assert "TA104" not in details.text


def test_the_top_of_a_report_is_badge_verdict_figures_tiles_picture_and_scope(answer, tmp_path):
    ta.write_report(tmp_path / "report.html", answer)
    tree = Tree((tmp_path / "report.html").read_text(encoding="utf-8")).root
    result = tree.find("section")[0]
    headings = [heading for tag in ("h1", "h2", "h3") for heading in result.find(tag)]
    assert [(heading.tag, heading.text) for heading in headings] == [("h1", VERDICT)]
    badge, verdict, figures, tiles, picture, scope = result.children[0].children
    assert badge.text == "Significant difference"
    assert verdict.tag == "h1"
    assert figures.text == "accuracy 98.3% vs 96.3%, 899 examples"
    assert [[part.text for part in tile.children] for tile in tiles.children][:2] == [
        ["+2.0 pp", "95% CI", "1.0 to 3.3"],
        ["p < 0.001", "McNemar mid-p", "alpha = 0.05"],
    ]
    assert tiles.children[2].text.startswith("26 discordant 22 only new right, 4")
    assert picture.find("svg")[0].attributes["aria-label"] == PICTURE
    assert "pp in favour of new" in picture.text
    assert scope.text == "Scope: these trained models, data from the same source; not retraining"


def test_a_caution_is_a_strip_of_its_own_below_the_badge(tmp_path):
    ta.write_report(tmp_path / "report.html", ta.compare(ta.PairedTable(3, 4, 1, 92)))
    tree = Tree((tmp_path / "report.html").read_text(encoding="utf-8")).root
    badge, caution, *_ = tree.find("section")[0].children[0].children
    assert badge.text == "No significant difference"
    assert caution.attributes["class"] == "caution"
    assert "TA104" in caution.text
