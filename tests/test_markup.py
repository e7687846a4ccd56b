"""What users call their models is shown as such: in Markdown, by a parser that is not ours; in LaTeX, read back."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tellapart.markup import in_bibtex, in_latex, in_markdown

ODD = (
    *("<script>alert(1)</script>", "$x$", "a_b & c", "[red]x[/red]", "a|b", "*bold* _it_ __x__", "`code`", "~~gone~~"),
    *("[a](https://example.org)", "![a](b.png)", "[a][b]", "[a]{.b}", "&amp; &#42; &copy;", "<https://example.org>"),
    *(
        "2^10^ H~2~O",
        "@tango1998",
        "a--b...c",
        "\\textbf{x}",
        "\"q\" 's'",
        "{a}",
        "#1 50% ~^\\",
        "λ × ² – …",
        "<!-- x -->",
    ),
)


class Text(HTMLParser):
    """The text of a page, and the tags it has."""

    def __init__(self, page):
        super().__init__()
        self.text, self.tags = "", []
        self.feed(page)

    def handle_data(self, data):
        self.text += data

    def handle_starttag(self, tag, _attrs):
        self.tags.append(tag)


MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.mark.parametrize("text", ODD)
def test_markdown_shows_it_in_a_paragraph(text):
    page = Text(MARKDOWN.render(f"Model {in_markdown(text)} was better."))
    assert page.text == f"Model {text} was better.\n"
    assert page.tags == ["p"]


@pytest.mark.parametrize("text", ODD)
def test_markdown_shows_it_in_a_cell(text):
    page = Text(MARKDOWN.render(f"| a | b |\n|---|---|\n| {in_markdown(text)} | x |"))
    assert page.text.split("\n") == ["", "", "", "a", "b", "", "", "", "", text, "x", "", "", "", ""]
    assert page.tags == ["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"]


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.text(st.sampled_from("ab _*`~^$[](){}<>&;#!|\\@-."), max_size=30))
def test_markdown_shows_any_mixture(text):
    page = Text(MARKDOWN.render(f"x {in_markdown(text)} x"))
    assert page.text.split() == f"x {text} x".split()
    assert page.tags == ["p"]


@pytest.mark.parametrize("text", ["$x$", "2^10^ H~2~O", "@tango1998", "see @tango1998", "a--b", "a...b"])
def test_what_pandoc_would_read_is_escaped_before_it_begins(text):
    """Pandoc's dialect is richer: mathematics, sub- and superscripts, citations, dashes."""
    assert not re.search(r"(?<!\\)[$^~]|(?<![\\\w])@\w|(?<!\\)--|(?<!\\)\.\.", in_markdown(text))


@pytest.mark.parametrize(
    "text", ["a_b", "1 < 2 & 3 > 2", "M·e·(1−e) = 2.9 < 10", "method='wilson'", "[0, 1]", "me@here"]
)
def test_what_begins_nothing_stays_readable(text):
    assert in_markdown(text) == text


# --- LaTeX ----------------------------------------------------------------------------------------

BACK = {  # by the tables of LaTeX's own symbols (Lamport 1994, section 3.2 and table 3.3)
    **{"\\" + sign: sign for sign in "&%$#_{}"},
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textasciigrave{}": "`",
    r"\textbar{}": "|",
    r"\textbraceleft{}": "{",
    r"\textbraceright{}": "}",
    r"\char34{}": '"',  # 34 is " in ASCII
    r"\ldots{}": "…",
    "$<$": "<",
    "$>$": ">",
    "$-$": "−",
    r"$\lambda$": "λ",
    r"$\times$": "×",
    "$^2$": "²",
    "-{}-": "--",
    "--": "–",
}


def read_latex(text):
    """Return what LaTeX shows; a sign that it would obey is an error."""
    known = "|".join(map(re.escape, sorted(BACK, key=len, reverse=True)))
    bare = re.sub(known, "", text)
    assert not re.search(r'[&%$#_{}~^\\<>|"`]', bare), f"LaTeX would obey {bare!r}"
    return re.sub(known, lambda result: BACK[result[0]], text)


@pytest.mark.parametrize("write", [in_latex, in_bibtex])
@pytest.mark.parametrize("text", ODD)
def test_latex_shows_it(text, write):
    assert read_latex(write(text)) == text


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.text(st.sampled_from('ab _*`~^$[](){}<>&;#!|\\@."%λ×²')))
def test_latex_shows_any_mixture(text):
    assert read_latex(in_latex(text)) == text
    assert in_bibtex(text).count("{") == in_bibtex(text).count("}")


@pytest.mark.parametrize("letter", "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ")
def test_greek_letters_have_their_names(letter):
    """Unicode names them, too: GREEK SMALL LETTER ALPHA."""
    import unicodedata

    name = unicodedata.name(letter).rpartition(" ")[2].replace("LAMDA", "LAMBDA")
    note = name.lower() if letter.islower() else name.capitalize()
    assert in_latex(letter) == f"$\\{note}$"


@pytest.mark.parametrize("write", [in_latex, in_markdown])
def test_no_line_breaks_and_nothing_that_controls(write):
    assert write("a\nb\tc\x1b[31md\u202e") == "a b c [31md "


def test_letters_of_other_scripts_stay():
    assert in_latex("é ü 李 я") == "é ü 李 я"
