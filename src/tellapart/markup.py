"""Escaping of text for Markdown, HTML, LaTeX and BibTeX.

Names and labels come from users' files. A model named `$x$` or `a_b & c` must appear literally.
"""

from __future__ import annotations

import re
from html import escape

# Characters with a meaning in CommonMark, GitHub's dialect or pandoc's. Where they have none (a < before a space, the _
# of a_b) they are not escaped, as Markdown is also read as plain text.
_MARKDOWN = re.compile(
    r"""[\\`*$|~^]              # code, emphasis, mathematics, cells, strikes
    | \](?=[(\[{])              # a link, a span
    | <(?=[A-Za-z/!?])          # a tag
    | &(?=\#|[A-Za-z]\w*;)      # a character entity
    | (?<![^\W_])_ | _(?![^\W_])  # emphasis
    | (?<!\w)@(?=\w)            # a citation
    | -(?=-) | \.(?=\.)         # a dash, an ellipsis
    """,
    re.VERBOSE,
)


def in_markdown(text: str) -> str:
    r"""Return `text` escaped for Markdown, in a paragraph or a table cell.

    Examples
    --------
    >>> print(in_markdown("a|b <script> $x$ *y* a_b"))
    a\|b \<script> \$x\$ \*y\* a_b
    """
    return _MARKDOWN.sub(r"\\\g<0>", _in_one_line(text))


_MINUS = re.compile(r"(?<![\w.)-])-(?=\d)")


def with_minus(text: str) -> str:
    """Return `text` with the minus sign in place of the hyphen before a number.

    Examples
    --------
    >>> with_minus("CI -0.5 to 4.5, ranks 1-2, mcnemar-mid-p")
    'CI −0.5 to 4.5, ranks 1-2, mcnemar-mid-p'
    """
    return _MINUS.sub("\N{MINUS SIGN}", text)


def in_html(text: str) -> str:
    """Return `text` escaped for HTML, with minus signs.

    Examples
    --------
    >>> in_html("<b> -0.5")
    '&lt;b&gt; −0.5'
    """
    return escape(with_minus(text))


_SMALL = "αβγδεζηθικλμνξπρστυφχψω"
_CAPITAL = "ΓΔΘΛΞΠΣΦΨΩ"
_NAMES = (
    *(
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
    ),
    *("pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"),
)
# Characters that pdflatex lacks or typesets differently. Other letters stay, as every engine reads UTF-8.
_LATEX = (
    {character: "\\" + character for character in "&%$#_{}"}
    | {letter: f"$\\{name}$" for letter, name in zip(_SMALL + _CAPITAL, _NAMES, strict=True)}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "`": r"\textasciigrave{}",
        "|": r"\textbar{}",
        '"': r"\char34{}",  # \textquotedbl is not in every encoding; babel redefines the plain character
        "<": "$<$",
        ">": "$>$",
        "−": "$-$",
        "·": r"$\cdot$",
        "×": r"$\times$",
        "±": r"$\pm$",
        "≥": r"$\ge$",
        "≤": r"$\le$",
        "≠": r"$\ne$",
        "≈": r"$\approx$",
        "∞": r"$\infty$",
        "√": r"$\surd$",
        "→": r"$\to$",
        "²": "$^2$",
        "³": "$^3$",
        "½": r"$\frac{1}{2}$",
        "…": r"\ldots{}",
        "–": "--",
        "—": "---",
        "‘": "`",
        "’": "'",
        "“": "``",
        "”": "''",
        "\N{NO-BREAK SPACE}": "~",
    }
)


def in_latex(text: str) -> str:
    r"""Return `text` escaped for LaTeX.

    Examples
    --------
    >>> print(in_latex("a_b & c: 5% × λ"))
    a\_b \& c: 5\% $\times$ $\lambda$
    """
    separated = re.sub(r"-(?=-)", "-\N{ZERO WIDTH SPACE}", _in_one_line(text))  # -- would become a dash
    return "".join(_LATEX.get(character, character) for character in separated).replace("\N{ZERO WIDTH SPACE}", "{}")


def in_bibtex(text: str) -> str:
    r"""Return `text` escaped for a BibTeX field, in which escaped braces count as braces.

    Examples
    --------
    >>> print(in_bibtex("{R} & D"))
    \textbraceleft{}R\textbraceright{} \& D
    """
    return in_latex(text).replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")


def _in_one_line(text: str) -> str:
    """Return `text` with control characters replaced by spaces."""
    return "".join(
        character if character.isprintable() or character == "\N{NO-BREAK SPACE}" else " " for character in text
    )
