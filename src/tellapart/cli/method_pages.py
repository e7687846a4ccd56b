"""The output of `tellapart methods`: a list of all methods, or a page about one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from ..advice.method_names import describe_method, describe_sources
from ..bibliography import cite, reference_of
from ..display import Block, Display, Row, TextTable
from ..methods import Offer, look_up
from ..methods.cards import Card, CardRow, card, holds_at
from ..rendering import Rendered

STATUSES = {"forbidden": "do not use"}  # the text of a standing, if it differs
# Kinds of evidence, the most common first, and their topics.
_TOPICS = {
    "ErrorCount": "one error rate",
    "PairedTable": "two models on one test set",
    "IndependentCounts": "two test sets",
    "ErrorPatterns": "several models",
    "Outcomes": "scores, repeats and clusters",
    "ConfusionMatrix": "metrics of one model",
    "PairedConfusion": "recall and specificity",
    "ClassScores": "AUC and other metrics of class scores",
    "Resamples": "learners on one data set",
    "TrainingSets": "learners and disjoint training sets",
    "ScoreTable": "learners on many data sets",
    "StratifiedCount": "strata",
}
_PARTNERS: dict[str, Literal["test", "interval"]] = {"test": "interval", "interval": "test"}
_OTHER_PARAMETERS = {"odds", "reduction", "ratio"}  # not compared with a difference
_OF_CLUSTERS = {"TA510", "TA513"}  # checks of methods for clusters
_INDEPENDENT = {"Resamples": "examples", "TrainingSets": "training sets and test examples"}  # if not the units
_RATES = {"ErrorCount", "PairedTable", "IndependentCounts", "ErrorPatterns"}  # whose differences are in pp
_PAGE = 25  # lines
# Numbers of assumptions and of rows of measured error rates, fewer until the page fits.
_DETAIL = ((4, 4), (3, 4), (2, 4), (2, 3), (1, 3), (0, 3), (0, 2))
_LABEL = 40  # columns of the name of a design
_FORMULA = 230  # characters of a formula; the rest is for --explain
# ISO 4, as in references: words of journal titles and their abbreviations.
_ABBREVIATIONS = {
    "American": "Am.",
    "Analysis": "Anal.",
    "Annals": "Ann.",
    "Applied": "Appl.",
    "Association": "Assoc.",
    "Biometrical": "Biom.",
    "British": "Br.",
    "Communications": "Commun.",
    "Computation": "Comput.",
    "Computational": "Comput.",
    "Computing": "Comput.",
    "International": "Int.",
    "Journal": "J.",
    "Learning": "Learn.",
    "Machine": "Mach.",
    "Mathematical": "Math.",
    "Medical": "Med.",
    "Medicine": "Med.",
    "Methodology": "Methodol.",
    "Methods": "Methods",
    "Probability": "Probab.",
    "Proceedings": "Proc.",
    "Psychological": "Psychol.",
    "Research": "Res.",
    "Review": "Rev.",
    "Royal": "R.",
    "Science": "Sci.",
    "Society": "Soc.",
    "Statistica": "Stat.",
    "Statistical": "Stat.",
    "Statistician": "Stat.",
    "Statistics": "Stat.",
    "Transactions": "Trans.",
}
_LEFT_OUT = {"the", "of", "and", "in", "for", "on"}


class MethodPage(Rendered):
    """One method: what it does, its assumptions, and its measured error rates.

    Parameters
    ----------
    offers
        The methods of this name for one kind of evidence, the leading one first.
    others
        Other kinds of evidence with methods of this name.
    """

    __slots__ = ("offers", "others")

    def __init__(self, offers: Sequence[Offer], others: Iterable[str]) -> None:
        self.offers, self.others = tuple(offers), tuple(others)

    def display(self, *, verbose: bool = False) -> Display:
        """Return the page; with `verbose` all methods of this name, with all measured error rates."""
        for checks, rows in _DETAIL:
            page = self._lay_out(checks, rows, verbose=verbose)
            if verbose or len(list(page.to_lines())) <= _PAGE:
                break
        return page

    def _lay_out(self, checks: int, rows: int, *, verbose: bool) -> Display:
        """Return the page with at most this many assumptions and rows of measured error rates."""
        leading = self.offers[0]
        name = leading.name
        title = describe_method(leading)
        title = title if title == f"{name} {leading.gives}" else f"{name}: {title}"
        blocks: list[Block] = list(_rows_of(leading, checks))
        notes = self._notes_below(rows, verbose=verbose)
        measured = _measured_table(leading, notes, rows)
        blocks += [measured] if measured else [" ".join(notes)] if notes else []
        if verbose:
            for offer in self.offers[1:]:
                blocks += [f"Also {_with_article(offer.gives)} ({status_text(offer)})", *_rows_of(offer, checks)]
            blocks += [table for offer in self.offers if (table := _full_table(offer)) is not None]
        return Display(
            verdict=f"{title} ({status_text(leading)})",
            figures=_in_third_person(leading.summary),
            blocks=tuple(blocks),
        )

    def explanations(self) -> list[tuple[str, str]]:
        """Return sentences about the method: descriptions, status, assumptions and references."""
        rows: dict[tuple[str, str], None] = {}
        for offer in self.offers:
            paragraphs = offer.description.split("\n\n")
            rows |= dict.fromkeys(("about", " ".join(paragraph.split())) for paragraph in paragraphs)
            rows[f"{offer.gives}", f"{status_text(offer)}: {offer.rationale}."] = None
            rows |= dict.fromkeys(("assumes", f"{assumption.code}: {assumption.rule}.") for assumption in offer.assumes)
            measured = card(offer)
            if measured is not None:
                rows |= dict.fromkeys(("measured", note) for note in measured.notes())
                rows["measured", f"By {measured.command}."] = None
            rows["cite", cite(offer.reference)] = None
        return list(rows)

    def _notes_below(self, count: int, *, verbose: bool) -> list[str]:
        """Return the lines below the table: the design of the power, and where to find more."""
        measured = card(self.offers[0])
        rows = _rows_to_show(measured, count) if measured else []
        power = next((row.power_at for row in reversed(rows) if row.power is not None), "")
        notes = [] if verbose or not measured else [f"{'All designs' if rows else 'Measured error rates'}: --explain."]
        if power:
            notes = [" ".join([f"Power: {_describe_design(power)}.", *notes])]
        if len(self.offers) > 1 and not verbose:
            also = " and ".join(_with_article(offer.gives) for offer in self.offers[1:])
            notes.append(f"Also {also}: --explain.")
        return notes + [f"Also for {_TOPICS.get(kind, kind)}: --from {kind}." for kind in self.others]


class MethodList(Rendered):
    """All methods, by kind of evidence."""

    __slots__ = ("offers",)

    def __init__(self, offers: Sequence[Offer]) -> None:
        self.offers = tuple(offers)

    def display(self, *, verbose: bool = False) -> Display:
        """Return a table for each kind of evidence; with `verbose` the reason for each status."""
        kinds: dict[str, dict[str, list[Offer]]] = {}
        for offer in self.offers:
            kinds.setdefault(offer.evidence.__name__, {}).setdefault(offer.name, []).append(offer)
        order = [*_TOPICS, *sorted(kinds.keys() - _TOPICS.keys())]
        listed = _list_reasons if verbose else _list_methods
        blocks = [block for kind in order if kind in kinds for block in listed(kind, kinds[kind])]
        count = sum(map(len, kinds.values()))
        return Display(
            verdict=f"{count:,} method{'s' * (count != 1)}",
            figures="Details: tellapart methods NAME",
            blocks=tuple(blocks),
        )


def _list_methods(kind: str, methods: dict[str, list[Offer]]) -> Iterator[Block]:
    """Yield the table of one kind of evidence."""
    lines = []
    for name, offers in methods.items():
        statuses = list(dict.fromkeys(map(status_text, offers)))
        lines.append([name, ", ".join(dict.fromkeys(offer.gives for offer in offers)), " / ".join(statuses)])
    yield TextTable(head=["method", "gives", "status"], lines=lines, align="lll", caption=_describe_kind(kind))


def _list_reasons(kind: str, methods: dict[str, list[Offer]]) -> Iterator[Block]:
    """Yield a row for each method of one kind of evidence, with the reasons for its status."""
    yield _describe_kind(kind)
    for name, offers in methods.items():
        reasons = dict.fromkeys(f"{offer.gives} ({status_text(offer)}): {offer.rationale}" for offer in offers)
        yield Row(name, "\n".join(reasons))


def _describe_kind(kind: str) -> str:
    topic = _TOPICS.get(kind, "")
    return f"{kind}: {topic}" if topic else kind


def status_text(offer: Offer) -> str:
    """Return the status of a method: recommended, sound, heuristic or do not use."""
    return STATUSES.get(str(offer.standing), str(offer.standing))


def order_offers(offers: Iterable[Offer]) -> list[Offer]:
    """Return the methods of one name, sorted by kind of evidence, then by status, tests before intervals."""
    kinds, standings = list(_TOPICS), ["recommended", "sound", "heuristic", "forbidden"]
    gives = ["test", "interval", "estimate", "pairs"]

    def rank(offer: Offer) -> tuple[int, int, int]:
        kind = offer.evidence.__name__
        return (
            kinds.index(kind) if kind in kinds else len(kinds),
            standings.index(str(offer.standing)),
            gives.index(offer.gives) if offer.gives in gives else len(gives),
        )

    return sorted(offers, key=rank)


def _rows_of(offer: Offer, spelled_out: int) -> Iterator[Row]:
    """Yield the rows of one method."""
    formula = _formula_of(offer)
    if formula:
        yield Row("formula", formula)
    yield Row("cite", _cite_briefly(offer))
    partner = _partner_of(offer)
    if partner:
        yield Row(_PARTNERS[offer.gives], partner)
    checks = sorted((assumption.code, assumption.rule) for assumption in offer.assumes)
    lines = [f"independent {_independent_units(offer)}", *(f"{code}  {rule}" for code, rule in checks[:spelled_out])]
    rest = [code for code, _ in checks[spelled_out:]]
    yield Row("assumes", "\n".join([*lines, *([f"{', '.join(rest)}: --explain"] if rest else [])]))
    if str(offer.standing) in {"recommended", "sound"}:
        yield Row("valid", offer.validity)
    elif offer.standing == "forbidden":
        yield Row("why", f"{status_text(offer)}: {offer.rationale}")
    if offer.options:
        yield Row("options", ", ".join(offer.options))
    yield Row("scope", describe_sources(offer.sources_covered))


def _independent_units(offer: Offer) -> str:
    """Return which units a method assumes to be independent, in the plural."""
    if not _OF_CLUSTERS.isdisjoint(assumption.code for assumption in offer.assumes):
        return "clusters"
    if offer.sources_covered == ("learner",):
        return "runs"
    return _INDEPENDENT.get(offer.evidence.__name__, f"{offer.evidence.unit.name}s")


def _partner_of(offer: Offer) -> str:
    """Return the interval that is shown with a test, or the test of an interval, if it has another name."""
    gives = _PARTNERS.get(offer.gives)
    if gives is None:
        return ""
    default = getattr(offer.evidence, "defaults", {}).get(gives)
    names = [offer.name, offer.partner, default]
    offers = [look_up(name, gives, offer.evidence, elsewhere=False) for name in names if name]
    usual = [
        offer_beside.name
        for offer_beside in offers
        if offer_beside is not None and offer_beside.parameter not in _OTHER_PARAMETERS
    ]
    return usual[0] if usual and usual[0] != offer.name else ""


def _formula_of(offer: Offer) -> str:
    """Return the first paragraph of a method's notes, if it has an equation; whole sentences of it, if it is long."""
    notes = offer.description.partition("\n\n")[2]
    text = " ".join(notes.split("\n\n")[0].split())
    while len(text) > _FORMULA and ". " in text:
        text = text.rpartition(". ")[0]
    if "=" not in text:
        return ""
    return text if text.endswith(".") else f"{text}."


def _cite_briefly(offer: Offer) -> str:
    """Return authors, year, and where it was published, with the journal's title abbreviated (ISO 4)."""
    reference = reference_of(offer.reference)
    names = [name.partition(",")[0] for name in re.split(r" and |(?<=\.), ", reference.authors)]
    authors = " & ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    journal = re.fullmatch(r"([^\d,]+?) (\d.*)", reference.where)
    if journal is None:
        return f"{authors} ({reference.year}), {reference.where}"
    words = journal[1].split()
    short = [_ABBREVIATIONS.get(word, word) for word in words if word.lower() not in _LEFT_OUT]
    return f"{authors} ({reference.year}), {' '.join(short if len(words) > 1 else words)} {journal[2]}"


def _in_third_person(summary: str) -> str:
    """Return the first line of a docstring as a statement: "Tests whether …"."""
    verb, _, rest = summary.partition(" ")
    verbs = {"Test", "Return", "Compute", "Compare", "Estimate", "Give", "Choose"}
    return f"{verb}s {rest}" if verb in verbs and not rest.startswith("and ") else summary


def _with_article(gives: str) -> str:
    return "all pairs of models" if gives == "pairs" else f"an {gives}" if gives[0] in "aei" else f"a {gives}"


# --- Measured error rates ---------------------------------------------------------------------------


def _measured_table(offer: Offer, notes: Sequence[str], count: int) -> TextTable | None:
    """Return the measured error rates, or coverage, at the largest designs."""
    measured = card(offer)
    rows = _rows_to_show(measured, count) if measured else []
    if not measured or not rows:
        return None
    sizes = [row.facts.get("examples") for row in rows]
    by_size = all(isinstance(size, int) for size in sizes) and len(set(sizes)) == len(sizes)
    labels = [f"{size:,}" if by_size else _shorten_label(row.design) for size, row in zip(sizes, rows, strict=True)]
    has_power, has_rates = any(row.power is not None for row in rows), rows[0].size is not None
    figures = [_figures_of(row, power=has_power) for row in rows]
    names = ("mean", "max", *["power"] * has_power) if has_rates else ("mean", "min", "width")
    columns = [(name, index) for index, name in enumerate(names) if any(cells[index] for cells in figures)]
    head = [("n".rjust(6) if by_size else "design"), *(name for name, _ in columns)]
    lines = [[label, *(cells[index] for _, index in columns)] for label, cells in zip(labels, figures, strict=True)]
    align = ("r" if by_size else "l") + "r" * len(columns)
    return TextTable(head=head, lines=lines, align=align, caption=_caption_of(measured, rows), notes=tuple(notes))


def _rows_to_show(measured: Card, count: int) -> list[CardRow]:
    """Return the two-sided rows where the method is valid, those of the largest designs."""
    rows = [row for row in measured.entries if row.alternative == "two-sided" and not row.options]
    valid = [row for row in rows if holds_at(measured.method, row.facts)]
    return (valid or rows)[-count:]


def _caption_of(measured: Card, rows: Sequence[CardRow]) -> str:
    counts = [f"{trials:,}" for trials in sorted({row.trials for row in rows} - {0})]
    how = " or ".join([*["exact"] * any(not row.trials for row in rows), *counts]) + " trials" * bool(counts)
    power = next((row.power_at for row in reversed(rows) if row.power is not None), "")
    if rows[0].size is None:
        width = ", and width" if any(row.width is not None for row in rows) else ""
        return f"Coverage at nominal {100 * (1 - measured.alpha):g}%{width}; {how}"
    at = power.partition(", ")[0].removeprefix("a difference of ")
    if at and measured.method.evidence.__name__ in _RATES and not at.endswith("pp"):
        at = f"{100 * float(at):g} pp"
    at = f", and power at {at}" if at else ""
    return f"Type I error at alpha = {measured.alpha:g}{at}; {how}"


def _describe_design(power_at: str) -> str:
    """Return the design at which power was measured, without the difference, the number of models and the sizes."""
    parts = power_at.split(", ")[1:]
    return ", ".join(text for text in parts if not re.fullmatch(r"(one|two) (model|learner)s?|[\d,]+ examples", text))


def _figures_of(row: CardRow, *, power: bool) -> list[str]:
    """Return mean and worst type I error with the power, or mean and worst coverage with the width."""
    share = row.size or row.coverage
    if share is None:
        return ["", "", ""]
    worst = "" if share.extreme is None else f"{share.extreme:.4f}"
    last = row.power if row.size is not None and power else row.width if row.size is None else None
    return [f"{share.mean:.4f}", worst, "" if last is None else f"{last:.4f}"]


def _full_table(offer: Offer) -> TextTable | None:
    """Return every row of the measured error rates."""
    measured = card(offer)
    if measured is None:
        return None
    return measured.text_table(f"{offer.gives.capitalize()}: measured at alpha = {measured.alpha:g}")


def _shorten_label(text: str) -> str:
    return text if len(text) <= _LABEL else f"{text[: _LABEL - 1].rstrip()}…"
