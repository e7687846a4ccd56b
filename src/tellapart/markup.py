"""Text as text, in languages where some characters mean something.

Names and labels come from users' files. A model called `$x$` or `a_b & c` is shown as such, whoever sets it.
"""

from __future__ import annotations

import re

# Inline, these begin something in CommonMark, in GitHub's dialect or in pandoc's. Where they cannot (a < before a
# space, the _ of a_b) they stay as they are: people read Markdown as it stands, too.
_MARKDOWN = re.compile(
    r"""[\\`*$|~^]              # code, emphasis, mathematics, cells, strikes
    | \](?=[(\[{])              # a link, a span
    | <(?=[A-Za-z/!?])          # a tag
    | &(?=\#|[A-Za-z]\w*;)      # a character by its name
    | (?<![^\W_])_ | _(?![^\W_])  # emphasis
    | (?<!\w)@(?=\w)            # a citation
    | -(?=-) | \.(?=\.)         # a dash, an ellipsis
    """,
    re.VERBOSE,
)


def in_markdown(text: str) -> str:
    r"""Return `text` as Markdown that shows it as it is, in a paragraph or in the cell of a table.

    Examples
    --------
    >>> print(in_markdown("a|b <script> $x$ *y* a_b"))
    a\|b \<script> \$x\$ \*y\* a_b
    """
    return _MARKDOWN.sub(r"\\\g<0>", _in_one_line(text))


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
# Signs that pdflatex lacks, or sets as another. Letters of other scripts stay as they are: every engine reads UTF-8.
_LATEX = (
    {character: "\\" + character for character in "&%$#_{}"}
    | {letter: f"$\\{name}$" for letter, name in zip(_SMALL + _CAPITAL, _NAMES, strict=True)}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "`": r"\textasciigrave{}",
        "|": r"\textbar{}",
        '"': r"\char34{}",  # \textquotedbl is not in every encoding, and babel gives the bare sign a meaning
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
    r"""Return `text` as LaTeX that shows it as it is.

    Examples
    --------
    >>> print(in_latex("a_b & c: 5 % × λ"))
    a\_b \& c: 5 \% $\times$ $\lambda$
    """
    separated = re.sub(r"-(?=-)", "-\N{ZERO WIDTH SPACE}", _in_one_line(text))  # -- would be set as a dash
    return "".join(_LATEX.get(character, character) for character in separated).replace("\N{ZERO WIDTH SPACE}", "{}")


def in_bibtex(text: str) -> str:
    r"""Return `text` as the inside of a BibTeX field, where braces are counted whatever stands before them.

    Examples
    --------
    >>> print(in_bibtex("{R} & D"))
    \textbraceleft{}R\textbraceright{} \& D
    """
    return in_latex(text).replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")


def _in_one_line(text: str) -> str:
    """Return `text` without line breaks and other characters that control something."""
    return "".join(
        character if character.isprintable() or character == "\N{NO-BREAK SPACE}" else " " for character in text
    )
